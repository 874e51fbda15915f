/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TESTING_CASE_RUN_H
#define BL_TESTING_CASE_RUN_H

#include "run/answer.h"
#include "testing/testing.h"
#include "world/sim/sim_people.h"

/* What a step says about an effect that it expects. */
struct bl_expected {
    uint32_t effect; /* enum bl_effect */
    uint32_t
        member; /* of its enumeration, or the kind of comment, plus one; 0: none is named */
    uint32_t source, lo, hi;
    struct bl_value label, task, text, rendered, number; /* absent: not named */
};

/* A job that ran on the event that came last. */
struct bl_case_job {
    uint32_t job;
    bool passed;
};

/* One execution of one case. A case with `crashes anywhere` is executed once whole, and once
 * more for each write, cut behind it. */
struct bl_case {
    struct bl_arena *arena;   /* of this execution */
    struct bl_arena *results; /* of what is told about it */
    const struct bl_test_options *options;
    const struct bl_module *module;
    struct bl_test_result *result;
    struct bl_sim *sim;
    struct bl_machine machine; /* evaluates steps and expectations */
    struct bl_trace trace;
    struct bl_test_host host;
    struct bl_value *setting_values;
    bool *setting_given;
    struct bl_setting_values settings;
    BL_VEC(struct bl_run_result) runs;   /* of the jobs that the last step started */
    BL_VEC(struct bl_expected) expected; /* of `expect effects exactly`, until it is asked */
    struct bl_test_summary *summary;
    struct bl_buf notices;
    struct bl_buf reported;
    struct bl_buf files; /* that an engine would read, of the last step */
    bool has_task;
    struct bl_value task;
    struct bl_sim_delivery sent; /* the last one about an issue, which tasks answer on */
    struct bl_sim_delivery brought, twin; /* the last one, which jobs do their steps on */
    BL_VEC(struct bl_given_output) given; /* by the jobs that ran on it */
    BL_VEC(struct bl_case_job) jobs;      /* that ran on it */
    struct bl_object *usage;              /* of an engine; NULL: its reports do not run */
    bool crashes;                         /* the test asks for it */
    /* Which run of this execution is cut, and after how many writes; SIZE_MAX: none. */
    size_t cut_run, cut_after;
    size_t run_number;
    BL_VEC(size_t) writes; /* of each run of the whole execution */
    bool stopped;          /* nothing of the case goes on after that */
};

/* What a step does; bl_test_host.step. */
enum bl_status bl_case_step(void *context, const struct bl_site *site,
                            const struct bl_value *args, size_t count);
/* Runs the jobs that listen to what was sent, or to its twin, and makes their outcome the last
 * one. */
enum bl_status bl_case_deliver(struct bl_case *c, const struct bl_sim_delivery *delivery,
                               const struct bl_sim_delivery *twin);
/* What a run reports is part of what happened: tests ask for it as notices. */
void bl_case_tell(struct bl_case *c, const struct bl_diagnostics *sink);
/* Runs the jobs that run answers with this one, on that event. */
enum bl_status bl_case_answer(struct bl_case *c, const struct bl_sim_delivery *delivery,
                              const struct bl_task_answer *answer);
/* case_stores.c: a call of the entry that the site names, and a row that is there. */
enum bl_status bl_case_call(struct bl_case *c, const struct bl_site *site,
                            const struct bl_value *args, size_t count);
enum bl_status bl_case_given_row(struct bl_case *c, const struct bl_site *site,
                                 const struct bl_value *args, size_t count);
/* case_jobs.c: what a run of a job leaves for those after it. */
bool bl_case_keep(struct bl_case *c, uint32_t job, enum bl_status status,
                  const struct bl_run_result *result);
/* The reports of an engine, when the test says what it took. */
enum bl_status bl_case_report_usage(struct bl_case *c, uint32_t job,
                                    const struct bl_sim_delivery *delivery, uint32_t task);
/* Runs what the options say, cut where this execution cuts it, and keeps its outcome. */
enum bl_status bl_case_run(struct bl_case *c, struct bl_run_options *options);
/* A fresh look at the world, and the names that tests may ask. */
enum bl_status bl_case_refresh(struct bl_case *c);
/* Ends the case: `text` says what does not work. */
enum bl_status bl_case_broken(struct bl_case *c, const struct bl_site *site, bl_str text);
struct bl_test_failure *bl_case_failure(struct bl_case *c, const struct bl_site *site,
                                        bl_str text);

/* ---- expected_effects.c: what steps and conditions ask of the last step's plans */

enum bl_status bl_case_expect_effect(struct bl_case *c, const struct bl_site *site,
                                     const struct bl_value *args, size_t count);
enum bl_status bl_case_expect_exactly(struct bl_case *c, const struct bl_site *site);
/* Does the planned effect have all that is named? */
bool bl_case_matches(struct bl_case *c, const struct bl_expected *expected,
                     const struct bl_planned *planned);
/* Calls `one` for each effect that the last step's runs planned, in their order. */
typedef bool bl_each_effect(void *context, const struct bl_plan_effect *effect);
void bl_case_each_effect(const struct bl_case *c, bl_each_effect *one, void *context);

/* ---- concerned.c: lines about what happened, for failures */

/* What the last step's runs planned, one effect a line. */
void bl_case_describe_plans(const struct bl_case *c, struct bl_buf *out);
/* Why the rules that could plan such an effect did so or not; of rules that `labels` of the
 * trace concern when `expected` is NULL. */
void bl_case_explain(struct bl_case *c, const struct bl_expected *expected, size_t count,
                     struct bl_buf *out);

/* ---- golden.c */

enum bl_status bl_case_expect_golden(struct bl_case *c, const struct bl_site *site,
                                     bl_str name);

#endif
