/* SPDX-License-Identifier: Apache-2.0 */
#include "run/run_parts.h"

/* A unit: what is planned together, checked together and written together, or not at all. */

struct bl_unit *bl_unit_begin(struct bl_runner *runner, bl_str name, uint32_t step)
{
    struct bl_machine *machine = &runner->machine;
    struct bl_unit *unit = BL_PUSH(runner->arena, runner->result->units);
    struct bl_machine begun;

    if (unit == NULL)
        return NULL;
    unit->name = name;
    unit->step = step;
    unit->failed_at = BL_NONE;
    unit->trace.arena = runner->arena;
    /* Frames, registers and ambients stay; budget, plan and failure begin anew. */
    bl_machine_init(&begun, runner->module, runner->arena, runner->snapshot, machine->event,
                    &runner->options->limits);
    begun.state = machine->state;
    begun.settings = machine->settings;
    begun.coverage = machine->coverage;
    begun.answer = machine->answer;
    begun.redaction_key = machine->redaction_key;
    begun.redacted = machine->redacted;
    begun.id_seed = machine->id_seed;
    begun.ids = machine->ids;
    begun.trace = runner->options->explain ? &unit->trace : NULL;
    for (size_t i = 0; i < BL_AMBIENT_COUNT; i++)
        begun.ambient[i] = machine->ambient[i];
    *machine = begun;
    return unit;
}

static enum bl_status keep_trace(struct bl_runner *runner, struct bl_unit *unit, uint32_t entry,
                                 enum bl_outcome outcome)
{
    if (!runner->options->explain)
        return BL_OK;
    struct bl_rule_trace *trace = BL_PUSH(runner->arena, unit->trace.rules);
    if (trace == NULL)
        return BL_ERR_NOMEM;
    *trace = (struct bl_rule_trace){entry, outcome, runner->machine.decided, BL_NONE};
    return BL_OK;
}

enum bl_status bl_unit_call(struct bl_runner *runner, struct bl_unit *unit, uint32_t entry,
                            const struct bl_value *args, size_t count, struct bl_value *result,
                            bool *fired)
{
    struct bl_machine *machine = &runner->machine;
    uint64_t used = machine->used;
    size_t planned = machine->planned.count;
    struct bl_value value;

    machine->entry = entry;
    machine->chain++;
    machine->position = 0;
    machine->fired = false;
    enum bl_status status = bl_machine_call(
        machine, runner->module->ENTRIES_rows[entry].function, args, count, &value);
    /* A rule says so; a decision gives a value; a step did something. */
    bool held = machine->fired || machine->planned.count > planned ||
                (value.tag == BL_V_BOOL ? value.as.i != 0 : !bl_is_absent(value));
    runner->result->instructions += machine->used - used;
    if (result != NULL)
        *result = value;
    if (fired != NULL)
        *fired = held;
    enum bl_status kept = keep_trace(runner, unit, entry,
                                     status != BL_OK ? BL_OUTCOME_STOPPED
                                     : held          ? BL_OUTCOME_FIRED
                                                     : BL_OUTCOME_NOT);
    return status != BL_OK ? status : kept;
}

/* ---- what leaves a unit ------------------------------------------------------------------ */

static enum bl_severity severity_of(enum bl_effect effect)
{
    if (effect == BL_EFFECT_NOTICE)
        return BL_SEVERITY_NOTE;
    return effect == BL_EFFECT_WARN ? BL_SEVERITY_WARNING : BL_SEVERITY_ERROR;
}

static bool is_carried_out(const struct bl_plan_effect *effect)
{
    return effect->state == BL_STATE_DONE || effect->state == BL_STATE_DRY;
}

/* An attempt that failed is a warning, and nothing else is to be done about it. */
static enum bl_status keep_attempt(struct bl_runner *runner,
                                   const struct bl_plan_effect *effect)
{
    struct bl_log_line *line = BL_PUSH(runner->arena, runner->result->log);
    struct bl_buf words;

    if (line == NULL)
        return BL_ERR_NOMEM;
    bl_buf_init(&words, runner->arena, 1000);
    BL_PUT(&words, "An attempt to ");
    bl_plan_effect_words(runner->module, &effect->planned, &words);
    BL_PUT(&words, " failed: ");
    bl_buf_put(&words, bl_run_reason(runner->arena, &effect->failure));
    bl_buf_put_char(&words, '.');
    *line = (struct bl_log_line){effect->planned.effect == BL_EFFECT_SUGGEST_DUPLICATE
                                     ? BL_SEVERITY_NOTE
                                     : BL_SEVERITY_WARNING,
                                 bl_buf_str(&words)};
    return runner->arena->failed ? BL_ERR_NOMEM : BL_OK;
}

static enum bl_status keep(struct bl_runner *runner, const struct bl_plan_effect *effect)
{
    struct bl_run_result *result = runner->result;
    const struct bl_planned *planned = &effect->planned;

    if (effect->state == BL_STATE_FAILED && bl_effect_is_attempted(effect))
        return keep_attempt(runner, effect);
    if (!is_carried_out(effect) || planned->arg_count == 0)
        return BL_OK;
    if (bl_effect_is_log(planned->effect)) {
        struct bl_log_line *line = BL_PUSH(runner->arena, result->log);
        if (line == NULL)
            return BL_ERR_NOMEM;
        *line =
            (struct bl_log_line){severity_of(planned->effect), bl_text_of(planned->args[0])};
    } else if (planned->effect == BL_EFFECT_START) {
        result->has_task = true;
        result->task = planned->args[0];
    } else if (planned->effect == BL_EFFECT_SUMMARY) {
        bl_str *text = BL_PUSH(runner->arena, result->reports);
        if (text == NULL)
            return BL_ERR_NOMEM;
        *text = bl_text_of(planned->args[0]);
    } else if (planned->effect == BL_EFFECT_OUTPUT && planned->arg_count == 2) {
        struct bl_output *output = BL_PUSH(runner->arena, result->outputs);
        if (output == NULL)
            return BL_ERR_NOMEM;
        *output = (struct bl_output){bl_text_of(planned->args[0]), planned->args[1]};
    }
    return BL_OK;
}

enum bl_status bl_unit_finish(struct bl_runner *runner, struct bl_unit *unit)
{
    struct bl_machine *machine = &runner->machine;
    const struct bl_run_options *options = runner->options;
    enum bl_status status = bl_plan_make(machine, &unit->plan, runner->sink);

    if (status == BL_OK)
        status = bl_plan_prove(&unit->plan, machine, options->world);
    if (status != BL_OK)
        return status;
    status = bl_plan_carry_out(&unit->plan, machine, options->world, options->dry);
    runner->result->writes += unit->plan.written;
    runner->result->policy_failed = runner->result->policy_failed || unit->plan.failed;
    for (size_t i = 0; i < unit->plan.effects.count; i++) {
        enum bl_status kept = keep(runner, &unit->plan.effects.items[i]);
        status = kept != BL_OK ? kept : status;
    }
    return status;
}

static bool was_said(const struct bl_run_result *result, bl_str words)
{
    for (size_t i = 0; i < result->log.count; i++) {
        if (bl_str_equal(result->log.items[i].text, words))
            return true;
    }
    return false;
}

/* What was attempted and could not be read: a warning each, once in a run. */
static void keep_attempted_reads(struct bl_runner *runner)
{
    struct bl_machine *machine = &runner->machine;

    for (size_t i = 0; i < machine->attempts.count; i++) {
        struct bl_buf words;

        bl_buf_init(&words, runner->arena, 2000);
        bl_buf_put(&words, bl_run_reason(runner->arena, &machine->attempts.items[i]));
        BL_PUT(&words, "; the run goes on without it.");
        if (was_said(runner->result, bl_buf_str(&words)))
            continue;
        struct bl_log_line *line = BL_PUSH(runner->arena, runner->result->log);
        if (line != NULL)
            *line = (struct bl_log_line){BL_SEVERITY_WARNING, bl_buf_str(&words)};
    }
    machine->attempts.count = 0;
}

void bl_unit_end(struct bl_runner *runner, struct bl_unit *unit, enum bl_status status)
{
    keep_attempted_reads(runner);
    unit->status = status;
    if (status == BL_OK)
        return;
    unit->failure = runner->machine.failure;
    unit->failed_at = runner->machine.failed_at;
    bl_run_complete_failure(runner, status, &unit->failure);
}
