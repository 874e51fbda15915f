/* SPDX-License-Identifier: Apache-2.0 */
#include "run/run_parts.h"

/* Endings as diagnostics. One for a run that stops: an error of GitHub is one line of the log.
 */

static bl_str without_stop(bl_str sentence)
{
    while (sentence.len > 0 && sentence.ptr[sentence.len - 1] == '.')
        sentence.len--;
    return sentence;
}

bl_str bl_run_reason(struct bl_arena *arena, const struct bl_failure *failure)
{
    bl_str what = without_stop(failure->what);
    bl_str why = without_stop(failure->why);
    struct bl_buf reason;

    bl_buf_init(&reason, arena, 2000);
    bl_buf_put(&reason, what);
    if (what.len > 0 && why.len > 0)
        BL_PUT(&reason, ": ");
    bl_buf_put(&reason, why);
    return reason.len > 0 ? bl_buf_str(&reason) : BL_STR("nobody said why");
}

void bl_run_complete_failure(const struct bl_runner *runner, enum bl_status status,
                             struct bl_failure *failure)
{
    if (status == BL_ERR_READ && runner->snapshot != NULL)
        bl_snapshot_complete_failure(runner->snapshot, failure);
}

static struct bl_span span_of(const struct bl_runner *runner, const struct bl_unit *unit)
{
    const struct bl_map_row *row =
        unit->failed_at != BL_NONE ? bl_module_place(runner->module, unit->failed_at) : NULL;

    return row != NULL ? (struct bl_span){row->lo, bl_map_hi(row), row->source} : BL_NO_SPAN;
}

static const struct bl_plan_effect *failed_effect(const struct bl_unit *unit)
{
    for (size_t i = 0; i < unit->plan.effects.count; i++) {
        if (unit->plan.effects.items[i].state == BL_STATE_FAILED)
            return &unit->plan.effects.items[i];
    }
    return NULL;
}

static void report_write(struct bl_runner *runner, const struct bl_unit *unit)
{
    const struct bl_plan_effect *effect = failed_effect(unit);
    struct bl_span span = BL_NO_SPAN;
    struct bl_buf words;

    bl_buf_init(&words, runner->arena, 400);
    if (effect != NULL && effect->planned.site != NULL)
        span = (struct bl_span){effect->planned.site->lo, effect->planned.site->hi,
                                effect->planned.site->source};
    if (effect != NULL)
        bl_plan_effect_words(runner->module, &effect->planned, &words);
    struct bl_diagnostic *d = bl_report(runner->sink, BL_D_WRITE_FAILED, span);
    bl_diagnostic_text(runner->sink, d, "effect", bl_buf_str(&words));
    bl_diagnostic_text(runner->sink, d, "reason", bl_run_reason(runner->arena, &unit->failure));
    bl_diagnostic_help(runner->sink, d, unit->failure.help);
}

static void report_reason(struct bl_runner *runner, enum bl_diagnostic_code code,
                          const struct bl_unit *unit)
{
    struct bl_diagnostic *d = bl_report(runner->sink, code, span_of(runner, unit));

    bl_diagnostic_text(runner->sink, d, "reason", bl_run_reason(runner->arena, &unit->failure));
    bl_diagnostic_help(runner->sink, d, unit->failure.help);
}

static bool is_reported(const struct bl_runner *runner, unsigned code)
{
    for (size_t i = 0; i < runner->sink->list.count; i++) {
        if (runner->sink->list.items[i]->code == code)
            return true;
    }
    return false;
}

void bl_run_report(struct bl_runner *runner, enum bl_status status, const struct bl_unit *unit)
{
    switch (status) {
    case BL_OK:
    case BL_ERR_INVALID:    /* the conflicts are there */
    case BL_ERR_REFUSED:    /* so are the settings */
    case BL_ERR_UNVERIFIED: /* and these three a run does not have */
    case BL_ERR_IO:
        return;
    case BL_ERR_NOMEM:
        bl_report(runner->sink, BL_D_OUT_OF_MEMORY, BL_NO_SPAN);
        return;
    case BL_ERR_LIMIT:
        if (!is_reported(runner, BL_D_COMMENT_TOO_LONG))
            report_reason(runner, BL_D_RUN_LIMIT, unit);
        return;
    case BL_ERR_READ:
        report_reason(runner, BL_D_RUN_STOPPED, unit);
        return;
    case BL_ERR_WRITE:
        report_write(runner, unit);
        return;
    case BL_ERR_INTERNAL:
        report_reason(runner, BL_D_RUN_DEFECT, unit);
        return;
    }
}

void bl_run_report_unit(struct bl_runner *runner, enum bl_status status,
                        const struct bl_unit *unit)
{
    const struct bl_module *module = runner->module;
    bl_str step = unit->step < module->ENTRIES_count
                      ? bl_module_string(module, module->ENTRIES_rows[unit->step].name)
                      : (bl_str){NULL, 0};
    bl_str reason = status == BL_ERR_INVALID ? BL_STR("its effects contradict each other")
                                             : bl_run_reason(runner->arena, &unit->failure);
    struct bl_diagnostic *d = bl_report(runner->sink, BL_D_UNIT_FAILED, span_of(runner, unit));

    bl_diagnostic_text(runner->sink, d, "unit",
                       unit->name.len > 0 ? unit->name : BL_STR("The work"));
    bl_diagnostic_text(runner->sink, d, "step", step);
    bl_diagnostic_text(runner->sink, d, "reason", reason);
    bl_diagnostic_help(runner->sink, d, unit->failure.help);
}
