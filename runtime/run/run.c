/* SPDX-License-Identifier: Apache-2.0 */
#include "run/run.h"

#include "run/answer.h"
#include "run/run_parts.h"

/* ---- settings ---------------------------------------------------------------------------- */

static void report_setting(struct bl_runner *runner, const struct bl_module_setting *setting,
                           struct bl_object *verdict)
{
    struct bl_diagnostic *d =
        bl_report(runner->sink, BL_D_SETTING_REFUSED,
                  (struct bl_span){setting->lo, setting->hi, setting->source});

    bl_diagnostic_text(runner->sink, d, "name",
                       bl_module_string(runner->module, setting->name));
    bl_diagnostic_text(runner->sink, d, "text",
                       bl_text_of(bl_object_get(verdict, BL_FIELD_VERDICT_TEXT)));
}

/* All that are wrong are reported before anything is done. */
static enum bl_status check_settings(struct bl_runner *runner)
{
    const struct bl_module *module = runner->module;
    enum bl_status worst = BL_OK;

    for (uint32_t i = 0; i < module->SETTINGS_count; i++) {
        const struct bl_module_setting *setting = &module->SETTINGS_rows[i];
        struct bl_value verdict = bl_absent();

        if (setting->check == BL_NONE)
            continue;
        enum bl_status status =
            bl_machine_call(&runner->machine, setting->check, NULL, 0, &verdict);
        if (status != BL_OK)
            return status;
        struct bl_object *object = bl_object_of(verdict);
        if (object == NULL) {
            runner->machine.failure.what = BL_STR("The check of a setting gave no verdict");
            return BL_ERR_INTERNAL;
        }
        struct bl_value passes = bl_object_get(object, BL_FIELD_VERDICT_PASSES);
        if (passes.tag == BL_V_BOOL && passes.as.i != 0)
            continue;
        report_setting(runner, setting, object);
        worst = BL_ERR_REFUSED;
    }
    return worst;
}

enum bl_status bl_run_check_settings(struct bl_arena *arena, const struct bl_module *module,
                                     struct bl_diagnostics *sink)
{
    struct bl_runner runner = {.module = module, .arena = arena, .sink = sink};

    bl_machine_init(&runner.machine, module, arena, NULL, BL_EVENT_COUNT, NULL);
    enum bl_status status = check_settings(&runner);
    return arena->failed ? BL_ERR_NOMEM : status;
}

/* ---- the event's unit -------------------------------------------------------------------- */

/* Settings and `when` are asked before any unit, on a budget of their own. */
static enum bl_status before_units(struct bl_runner *runner, bool *runs)
{
    const struct bl_module_job *job = &runner->module->JOBS_rows[runner->options->job];
    struct bl_value answer = bl_bool(true), *arguments = NULL;
    size_t count = 0;
    enum bl_status status = check_settings(runner);

    if (status == BL_OK && job->when != BL_NONE)
        status = bl_run_given(runner, job->when, &arguments, &count);
    if (status == BL_OK && job->when != BL_NONE)
        status = bl_machine_call(&runner->machine, job->when, arguments, count, &answer);
    runner->result->instructions += runner->machine.used;
    *runs = status == BL_OK && answer.tag == BL_V_BOOL && answer.as.i != 0;
    return status;
}

/* For --explain alone: why the others were not looked at. Both lists are ascending. */
static enum bl_status keep_skipped(struct bl_runner *runner, struct bl_unit *unit,
                                   const struct bl_candidates *all,
                                   const struct bl_candidates *candidates)
{
    size_t at = 0;

    for (size_t i = 0; i < all->entries.count; i++) {
        uint32_t entry = all->entries.items[i];

        if (at < candidates->entries.count && candidates->entries.items[at] == entry) {
            at++;
            continue;
        }
        struct bl_rule_trace *trace = BL_PUSH(runner->arena, unit->trace.rules);
        if (trace == NULL)
            return BL_ERR_NOMEM;
        *trace = (struct bl_rule_trace){entry, BL_OUTCOME_SKIPPED, BL_NONE,
                                        runner->module->ENTRIES_rows[entry].first_access};
    }
    return BL_OK;
}

static enum bl_status find_candidates(struct bl_runner *runner, struct bl_unit *unit,
                                      struct bl_candidates *out)
{
    const struct bl_run_options *options = runner->options;
    const struct bl_index *index = options->index;
    struct bl_candidates all;
    enum bl_status status;

    if (!options->use_index)
        return bl_index_all(&runner->machine, options->job, out);
    if (index == NULL)
        index = bl_index_create(runner->arena, runner->module);
    if (index == NULL)
        return BL_ERR_NOMEM;
    status = bl_index_candidates(index, &runner->machine, options->job, out);
    if (status != BL_OK || !options->explain)
        return status;
    status = bl_index_all(&runner->machine, options->job, &all);
    runner->result->rules_skipped = all.entries.count - out->entries.count;
    return status == BL_OK ? keep_skipped(runner, unit, &all, out) : status;
}

static enum bl_status run_rules(struct bl_runner *runner, struct bl_unit *unit)
{
    struct bl_candidates candidates = {0};
    enum bl_status status = find_candidates(runner, unit, &candidates);

    for (size_t i = 0; status == BL_OK && i < candidates.entries.count; i++) {
        status = bl_unit_call(runner, unit, candidates.entries.items[i], NULL, 0, NULL, NULL);
        runner->result->rules_evaluated++;
    }
    return status;
}

/* The task that the decision gives is an effect as if a rule had said `start`. */
static enum bl_status decide(struct bl_runner *runner, struct bl_unit *unit, uint32_t entry)
{
    struct bl_machine *machine = &runner->machine;
    struct bl_value task;
    enum bl_status status = bl_unit_call(runner, unit, entry, NULL, 0, &task, NULL);

    if (status != BL_OK || bl_is_absent(task))
        return status;
    struct bl_value *arg = BL_NEW(runner->arena, struct bl_value);
    struct bl_planned *planned = arg != NULL ? BL_PUSH(runner->arena, machine->planned) : NULL;
    if (planned == NULL)
        return BL_ERR_NOMEM;
    *arg = task;
    *planned = (struct bl_planned){
        .effect = BL_EFFECT_START,
        .entry = entry,
        .chain = machine->chain,
        .args = arg,
        .arg_count = 1,
        .insn = BL_NONE,
    };
    return BL_OK;
}

static bool has_rules(const struct bl_runner *runner, const struct bl_module_job *job)
{
    if (job->runs_answers != 0)
        return runner->options->answer != NULL;
    return job->decision != BL_NONE ||
           (job->runs_rules != 0 && bl_index_any(&runner->machine, runner->options->job));
}

static void report_gone(struct bl_runner *runner)
{
    struct bl_machine *machine = &runner->machine;
    struct bl_value issue = machine->ambient[BL_AMBIENT_ISSUE];
    struct bl_buf thing;

    bl_buf_init(&thing, runner->arena, 100);
    BL_PUT(&thing, "What the event is about ");
    if (!bl_is_absent(issue)) {
        BL_PUT(&thing, "(");
        bl_value_describe(&thing, issue, NULL);
        BL_PUT(&thing, ") ");
    }
    bl_diagnostic_text(runner->sink, bl_report(runner->sink, BL_D_NOTHING_THERE, BL_NO_SPAN),
                       "thing", bl_str_trim(bl_buf_str(&thing)));
}

/* All rules of the event and the decision: one unit, and a failure in it ends the run. */
static enum bl_status run_event(struct bl_runner *runner)
{
    const struct bl_module_job *job = &runner->module->JOBS_rows[runner->options->job];
    enum bl_status status;

    if (runner->options->event == NULL || !has_rules(runner, job))
        return BL_OK;
    struct bl_unit *unit = bl_unit_begin(runner, (bl_str){NULL, 0}, BL_NONE);
    if (unit == NULL)
        return BL_ERR_NOMEM;
    status = bl_run_read_event(runner);
    if (status == BL_OK && runner->gone) {
        report_gone(runner);
        return BL_OK;
    }
    if (status == BL_OK && job->runs_answers != 0)
        status = bl_run_answer(runner, unit);
    if (status == BL_OK && job->runs_rules != 0)
        status = run_rules(runner, unit);
    if (status == BL_OK && job->decision != BL_NONE)
        status = decide(runner, unit, job->decision);
    if (status == BL_OK)
        status = bl_unit_finish(runner, unit);
    bl_unit_end(runner, unit, status);
    return status;
}

/* ---- the engine's unit ------------------------------------------------------------------- */

static enum bl_status run_engine(struct bl_runner *runner)
{
    struct bl_unit *unit = bl_unit_begin(runner, (bl_str){NULL, 0}, BL_NONE);
    enum bl_status status;

    if (unit == NULL)
        return BL_ERR_NOMEM;
    status = bl_run_task(runner);
    if (status == BL_OK && runner->gone)
        report_gone(runner);
    bl_unit_end(runner, unit, status);
    if (status != BL_OK) { /* no engine is to read a part of it */
        runner->result->files.count = 0;
        runner->result->command.count = 0;
    }
    if (status != BL_OK || runner->options->task_run->usage == NULL)
        return status;
    return bl_run_sweep(runner);
}

/* ---- all --------------------------------------------------------------------------------- */

static enum bl_status run_job(struct bl_runner *runner)
{
    bool runs = false;
    enum bl_status status = bl_run_set_ambients(runner);

    if (runner->options->call != NULL) {
        if (status == BL_OK)
            status = check_settings(runner);
        return status == BL_OK ? bl_run_called(runner) : status;
    }
    if (status == BL_OK)
        status = before_units(runner, &runs);
    if (runner->options->step != NULL && status == BL_OK && !runs)
        bl_run_refuse(runner, BL_STR("when"), BL_STR("What the job asks for does not hold."));
    if (runner->options->step != NULL)
        return status == BL_OK && runs ? bl_run_job_step(runner) : status;
    if (runner->module->JOBS_rows[runner->options->job].engine != BL_NONE)
        return status == BL_OK && runs && runner->options->task_run != NULL ? run_engine(runner)
                                                                            : status;
    if (status == BL_OK && runs)
        status = run_event(runner);
    if (status == BL_OK && runs && !runner->gone)
        status = bl_run_sweep(runner);
    return status;
}

enum bl_status bl_run(struct bl_arena *arena, const struct bl_run_options *options,
                      struct bl_run_result *out, struct bl_diagnostics *sink)
{
    struct bl_runner runner = {
        .options = options,
        .module = options->module,
        .arena = arena,
        .result = out,
        .sink = sink,
        .snapshot = bl_snapshot_create(arena, options->world),
    };
    enum bl_status status = BL_ERR_NOMEM;

    *out = (struct bl_run_result){.arena = arena};
    if (runner.snapshot != NULL) {
        bl_machine_init(&runner.machine, options->module, arena, runner.snapshot,
                        options->event != NULL ? options->event->id : BL_EVENT_COUNT,
                        &options->limits);
        runner.machine.settings = options->settings;
        runner.machine.coverage = options->coverage;
        runner.machine.id_seed = options->id_seed;
        if (options->answer != NULL)
            runner.machine.answer = options->answer->value;
        status = run_job(&runner);
        out->reads = bl_snapshot_reads(runner.snapshot);
    }
    if (arena->failed)
        status = BL_ERR_NOMEM;
    /* A failure outside of any unit is the machine's last one. */
    struct bl_unit last = {.failure = runner.machine.failure,
                           .failed_at = runner.machine.failed_at};
    bl_run_complete_failure(&runner, status, &last.failure);
    bool in_unit = out->units.count > 0 && status != BL_ERR_NOMEM;
    if (status != BL_OK && !in_unit)
        out->stopped = last.failure;
    bl_run_report(&runner, status, in_unit ? &out->units.items[out->units.count - 1] : &last);
    return status;
}

int bl_run_exit_code(enum bl_status status, const struct bl_run_result *result)
{
    switch (status) {
    case BL_OK:
        return result->units_failed > 0 || result->policy_failed || result->refused ? 1 : 0;
    case BL_ERR_REFUSED:
    case BL_ERR_INVALID:
        return 1;
    case BL_ERR_UNVERIFIED:
    case BL_ERR_IO:
        return 4;
    case BL_ERR_READ:
    case BL_ERR_WRITE:
        return 5;
    case BL_ERR_NOMEM:
    case BL_ERR_LIMIT:
    case BL_ERR_INTERNAL:
        break;
    }
    return 70;
}
