/* SPDX-License-Identifier: Apache-2.0 */
#include "run/run_parts.h"

/* One decision, check or sanitizer alone, on the event as a run sees it. Nothing is planned. */

static enum bl_status ask(struct bl_runner *runner, uint32_t entry, struct bl_value *out)
{
    enum bl_status status = bl_run_set_ambients(runner);

    if (status == BL_OK && runner->options->event != NULL)
        status = bl_run_read_event(runner);
    if (status == BL_OK)
        status =
            bl_machine_call(&runner->machine, runner->module->ENTRIES_rows[entry].function,
                            runner->options->arguments, runner->options->argument_count, out);
    return status;
}

enum bl_status bl_run_ask(struct bl_arena *arena, const struct bl_run_options *options,
                          uint32_t entry, struct bl_value *out, struct bl_diagnostics *sink)
{
    struct bl_run_result result = {.arena = arena};
    struct bl_runner runner = {
        .options = options,
        .module = options->module,
        .arena = arena,
        .result = &result,
        .sink = sink,
        .snapshot = bl_snapshot_create(arena, options->world),
    };

    *out = bl_absent();
    if (runner.snapshot == NULL) {
        bl_run_report(&runner, BL_ERR_NOMEM, NULL);
        return BL_ERR_NOMEM;
    }
    bl_machine_init(&runner.machine, options->module, arena, runner.snapshot,
                    options->event != NULL ? options->event->id : BL_EVENT_COUNT,
                    &options->limits);
    runner.machine.settings = options->settings;
    runner.machine.cleaned = options->cleaned;
    runner.machine.verdict = options->verdict;
    enum bl_status status = ask(&runner, entry, out);
    if (arena->failed)
        status = BL_ERR_NOMEM;
    /* Which events a decision is for is its caller's choice here, and not the compiler's. */
    if (status == BL_ERR_INTERNAL && runner.machine.lacking != BL_AMBIENT_COUNT) {
        struct bl_diagnostic *d = bl_report(sink, BL_D_ASK_LACKS, BL_NO_SPAN);

        bl_diagnostic_text(sink, d, "name", bl_ambient_info(runner.machine.lacking)->name);
        return BL_ERR_INVALID;
    }
    struct bl_unit last = {.failure = runner.machine.failure,
                           .failed_at = runner.machine.failed_at};
    bl_run_report(&runner, status, &last);
    return status;
}
