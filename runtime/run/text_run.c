/* SPDX-License-Identifier: Apache-2.0 */
#include "run/run_parts.h"

/* What a policy says of one text, outside of any job: which secrets it holds, and what is
 * masked in it. */

struct bl_text_run {
    struct bl_run_options options;
    struct bl_run_result result;
    struct bl_runner runner;
};

enum bl_status bl_text_run_begin(struct bl_arena *arena, const struct bl_run_options *options,
                                 struct bl_text_run **out, struct bl_diagnostics *sink)
{
    struct bl_text_run *run = BL_NEW(arena, struct bl_text_run);

    *out = run;
    if (run == NULL)
        return BL_ERR_NOMEM;
    run->options = *options;
    run->result.arena = arena;
    run->runner = (struct bl_runner){
        .options = &run->options,
        .module = options->module,
        .arena = arena,
        .result = &run->result,
        .sink = sink,
        .snapshot = bl_snapshot_create(arena, options->world),
    };
    if (run->runner.snapshot == NULL)
        return BL_ERR_NOMEM;
    bl_machine_init(&run->runner.machine, options->module, arena, run->runner.snapshot,
                    BL_EVENT_COUNT, &options->limits);
    run->runner.machine.settings = options->settings;
    return bl_run_set_ambients(&run->runner);
}

struct bl_machine *bl_text_run_machine(struct bl_text_run *run)
{
    return &run->runner.machine;
}

void bl_text_run_renew(struct bl_text_run *run)
{
    struct bl_machine *machine = &run->runner.machine;
    uint64_t wanted = run->options.limits.instructions;

    machine->budget = wanted != 0 ? wanted : bl_limit(BL_LIMIT_RUN_INSTRUCTIONS);
    machine->used = 0;
}

void bl_text_run_report(struct bl_text_run *run, enum bl_status status)
{
    struct bl_unit last = {.failure = run->runner.machine.failure,
                           .failed_at = run->runner.machine.failed_at};

    bl_run_report(&run->runner, status, &last);
}
