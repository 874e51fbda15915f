/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_RUN_RUN_H
#define BL_RUN_RUN_H

#include "event/event.h"
#include "plan/plan.h"

/* One run of one job: which rules are candidates, the machine over them, the plan, carrying it
 * out, and the report. The same for `bylaw run`, for policy tests and for benchmarks. */

struct bl_index;       /* run/index.h */
struct bl_task_answer; /* run/answer.h */

struct bl_environment_variable {
    bl_str name, value;
};

/* A task that an engine carries out. */
struct bl_task_run {
    uint32_t task;           /* of TASKS; BL_NONE: the engine has none */
    struct bl_object *usage; /* what it took, behind it; NULL: before it */
};

/* A call of an entry of the command line. */
struct bl_call {
    uint32_t called;       /* of CALLED */
    struct bl_value given; /* a RECORD of what it takes; absent: it takes nothing */
    bool by_person;
};

/* An output of a job before this one, as the runner's file of outputs has it. */
struct bl_given_output {
    bl_str job, name, text;
};

/* A step of the job that is no rule. */
struct bl_job_step_run {
    uint32_t step;  /* of JOB_STEPS: WRITE, CHECK or POST */
    bl_str content; /* CHECK: of the file */
};

struct bl_run_options {
    const struct bl_module *module;
    const struct bl_world *world;        /* reads and writes */
    const struct bl_event *event;        /* NULL: none, for jobs of sweeps alone */
    uint32_t job;                        /* index of JOBS */
    int64_t now;                         /* the clock of the run */
    const struct bl_task_answer *answer; /* for jobs that run answers; NULL: there is none */
    const struct bl_task_run *task_run;  /* for jobs with an engine; NULL: nothing runs */
    const struct bl_call *call;          /* then this runs, and no job; NULL */
    const struct bl_job_step_run *step;  /* then of the job this runs alone; NULL */
    const struct bl_given_output *given; /* by jobs before it; what is not there is absent */
    size_t given_count;
    bool dry;
    bool use_index; /* false: every rule of the event is evaluated */
    bool explain;   /* keep traces */
    struct bl_machine_limits limits;
    size_t writes; /* after which a sweep begins no further thing; 0: run_writes */
    const struct bl_setting_values *settings; /* of a test; NULL */
    struct bl_coverage *coverage;             /* counts what runs; NULL */
    const struct bl_index *index;             /* of the module; NULL: made for this run */
    /* What redactions mask, and what their markers are made with: zeros when NULL. */
    const struct bl_environment_variable *environment;
    size_t environment_count;
    const unsigned char *redaction_key;
    const struct bl_redacted_hook *redacted; /* NULL: nobody asks what they found */
    int64_t id_seed;                         /* of new_id: another one for each run */
    /* Of bl_run_ask alone: what the entry's function takes, and where a sanitizer says what it
     * did. */
    const struct bl_value *arguments;
    size_t argument_count;
    struct bl_cleaned *cleaned;
    struct bl_verdict_place *verdict; /* and a check where it decided */
};

struct bl_log_line {
    enum bl_severity severity; /* NOTE for notice */
    bl_str text;
};

struct bl_output {
    bl_str name;
    struct bl_value value;
};

struct bl_run_file { /* for an engine */
    bl_str path;     /* below the package's folder */
    bl_str text;
};

struct bl_unit {
    bl_str name;   /* "" for the one unit of an event or step, "#12" in a sweep */
    uint32_t step; /* the entry of the step; BL_NONE for the unit of an event */
    enum bl_status status;
    struct bl_failure failure;
    uint32_t failed_at; /* index in CODE, BL_NONE */
    struct bl_plan plan;
    struct bl_trace trace;
};

struct bl_run_result {
    struct bl_arena *arena;
    BL_VEC(struct bl_unit) units;
    BL_VEC(struct bl_log_line) log;
    bool has_task;
    struct bl_value task; /* of the plan's `start` */
    BL_VEC(struct bl_output) outputs;
    /* Of a job with an engine, before it: what it reads and is called with, paths of arguments
     * with the folder in front. */
    BL_VEC(struct bl_run_file) files;
    BL_VEC(bl_str) command;
    bl_str input;           /* the file that is its input; empty: none */
    BL_VEC(bl_str) reports; /* what reports say, as Markdown of a summary */
    size_t rules_evaluated;
    size_t rules_skipped; /* by the index; counted with `explain` alone */
    size_t units_failed;  /* of sweeps, those of attempted steps aside */
    uint64_t instructions;
    size_t reads, writes;
    bool policy_failed; /* a rule said fail */
    bool refused;       /* a call or a step: by this row of the entry or of a check, or by the
                           `when` of the job, with these words */
    bl_str refused_rule, refused_text;
    struct bl_failure stopped; /* what ended the run outside of any unit; empty: nothing did */
    bl_str
        left; /* of a sweep that reached its writes or stopped: what it left, in a sentence */
};

/* BL_OK: the run went through (look at units for failed ones and at policy_failed). Otherwise
 * the sink has an error that says what ended it, and *out what was done before.
 *
 * Settings are checked first; every bad one is a diagnostic and nothing runs (BL_ERR_REFUSED).
 * A job that runs answers takes one that was held against its task; without one nothing runs.
 * What the task `judges` becomes the comment in hand, its `passes` may refuse the answer
 * (BL_ERR_REFUSED), and when it does not `count` any more nothing happens, with a note. Then
 * the job's `when`. The rules of the event and the job's decision are one unit; a failure in it
 * ends the run (BL_ERR_READ, BL_ERR_WRITE, BL_ERR_INVALID: a conflict, BL_ERR_LIMIT,
 * BL_ERR_INTERNAL). Then the steps of the job's sweep: a unit that fails is a warning (PL0804)
 * and the next one goes on, unless
 * GitHub answers nothing more: then the run ends with that unit's error. After so many writes
 * as one run may make no further thing is begun, and a warning of the log says what is left.
 * BL_ERR_NOMEM ends every run.
 *
 * A step is one unit, too; when the job's `when` does not hold, it is `refused`, since what
 * stands behind it in the job counts on it. What jobs before gave is BL_ERR_INVALID when no run
 * would have written it.
 *
 * A call is one unit: what its entry plans is carried out, unless its verdict refuses. Then
 * nothing is, and `refused` says why: BL_OK all the same. */
BL_NODISCARD enum bl_status bl_run(struct bl_arena *arena, const struct bl_run_options *options,
                                   struct bl_run_result *out, struct bl_diagnostics *sink);

/* What a decision, check or sanitizer (`entry`) gives for the event and the arguments of the
 * options; their job is not looked at. Errors as bl_run. */
BL_NODISCARD enum bl_status bl_run_ask(struct bl_arena *arena,
                                       const struct bl_run_options *options, uint32_t entry,
                                       struct bl_value *out, struct bl_diagnostics *sink);

/* A machine for texts outside of a job: sets of secrets and redactions (bl_machine_secrets,
 * secret/redact.h). No event; the world may be NULL when nothing reads. Everything lives in
 * `arena`, the names of the environment are the caller's. BL_ERR_READ, BL_ERR_NOMEM. */
struct bl_text_run; /* run/text_run.c */
BL_NODISCARD enum bl_status bl_text_run_begin(struct bl_arena *arena,
                                              const struct bl_run_options *options,
                                              struct bl_text_run **out,
                                              struct bl_diagnostics *sink);
struct bl_machine *bl_text_run_machine(struct bl_text_run *run);
/* The next text has a full budget. */
void bl_text_run_renew(struct bl_text_run *run);
/* The error that ended something, as bl_run says it. */
void bl_text_run_report(struct bl_text_run *run, enum bl_status status);

/* The names of ambients.def that stand for what the module declares, for a machine that asks
 * and is not of a run: a test's. BL_ERR_NOMEM. */
BL_NODISCARD enum bl_status bl_run_set_declared(struct bl_machine *machine,
                                                struct bl_arena *arena);

/* Whether the settings of the module can work: BL_OK, or BL_ERR_REFUSED with a diagnostic for
 * every one that cannot. What a run does first, for those who want to know before. */
BL_NODISCARD enum bl_status bl_run_check_settings(struct bl_arena *arena,
                                                  const struct bl_module *module,
                                                  struct bl_diagnostics *sink);

/* Exit code of architecture.md for a finished run. */
int bl_run_exit_code(enum bl_status status, const struct bl_run_result *result);

#endif
