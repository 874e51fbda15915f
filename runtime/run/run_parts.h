/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_RUN_RUN_PARTS_H
#define BL_RUN_RUN_PARTS_H

#include "run/index.h"
#include "run/run.h"

/* The inside of a run, for the files of this room alone. */

struct bl_runner {
    const struct bl_run_options *options;
    const struct bl_module *module;
    struct bl_arena *arena;
    struct bl_snapshot *snapshot;
    struct bl_machine machine; /* one for all units; each begins with a full budget */
    struct bl_run_result *result;
    struct bl_diagnostics *sink;
    bool gone;          /* what the event is about does not exist any more */
    size_t written;     /* by the units of a sweep; in a dry run what they would have written */
    struct bl_buf left; /* "3 things of 'remind', the step 'close'" */
};

/* The things of the event go into the snapshot, and the ambient names stand for them. What can
 * have changed while the event waited is read. BL_ERR_READ, BL_ERR_NOMEM. */
enum bl_status bl_run_set_ambients(struct bl_runner *runner);
enum bl_status bl_run_read_event(struct bl_runner *runner);

/* The rules about the answer of the run's task, when it passes and still counts. */
enum bl_status bl_run_answer(struct bl_runner *runner, struct bl_unit *unit);

/* The comment that a run by hand is about becomes the one in hand. */
enum bl_status bl_run_find_comment(struct bl_runner *runner, uint32_t judges, bool *found);
/* What an engine gets for the run's task; behind it, only what stands for the task. */
enum bl_status bl_run_task(struct bl_runner *runner);

/* One file for an engine, or those of a list. */
enum bl_status bl_run_write_file(struct bl_runner *runner, uint32_t index);

/* given.c: what a function of the job takes of what the jobs before gave. BL_ERR_INVALID with
 * PL0812 when it is none of what a run writes. */
enum bl_status bl_run_given(struct bl_runner *runner, uint32_t function,
                            struct bl_value **arguments, size_t *count);
/* run_job_step.c: the step of the options; and that something is refused, with whose words. */
enum bl_status bl_run_job_step(struct bl_runner *runner);
/* The error that nothing of a step or for an engine is done, and why: BL_ERR_INVALID. */
enum bl_status bl_run_fail(struct bl_runner *runner, const char *what);
void bl_run_refuse(struct bl_runner *runner, bl_str rule, bl_str text);

/* The entry of a call. */
enum bl_status bl_run_called(struct bl_runner *runner);

/* Begins a unit: the machine has its whole budget, no plan and no trace of the one before. The
 * address is good until the next unit begins. NULL when out of memory. */
struct bl_unit *bl_unit_begin(struct bl_runner *runner, bl_str name, uint32_t step);
/* Calls the function of an entry as the next chain of the unit. `fired` may be NULL. */
enum bl_status bl_unit_call(struct bl_runner *runner, struct bl_unit *unit, uint32_t entry,
                            const struct bl_value *args, size_t count, struct bl_value *result,
                            bool *fired);
/* Makes, proves and carries out the plan, and keeps its log lines, task and outputs. */
enum bl_status bl_unit_finish(struct bl_runner *runner, struct bl_unit *unit);
/* The end of a unit, good or bad: status and failure are kept in it. */
void bl_unit_end(struct bl_runner *runner, struct bl_unit *unit, enum bl_status status);

/* The error that ends a run. */
void bl_run_report(struct bl_runner *runner, enum bl_status status, const struct bl_unit *unit);
/* The warning of a unit of a sweep that failed. */
void bl_run_report_unit(struct bl_runner *runner, enum bl_status status,
                        const struct bl_unit *unit);
/* A list of pages can only say that it failed; its world knows why. */
void bl_run_complete_failure(const struct bl_runner *runner, enum bl_status status,
                             struct bl_failure *failure);
/* "The comments of #12 could not be read: GitHub answered 502", without full stop. */
bl_str bl_run_reason(struct bl_arena *arena, const struct bl_failure *failure);

/* The steps of the job, in order. BL_ERR_NOMEM; other failures are of their units. */
enum bl_status bl_run_sweep(struct bl_runner *runner);

#endif
