/* SPDX-License-Identifier: Apache-2.0 */
#include "emit/emit.h"
#include "event/event.h"
#include "lint_run.h"
#include "run/run.h"
#include "world/sim/sim.h"

#include <stdio.h>

/* The witness of a finding as an event of the compiled policy: the machine is the judge. */

struct replay {
    struct bl_arena arena;
    struct bl_sources sources;
    struct bl_diagnostics sink;
    struct bl_module module;
};

static bool compile(struct linted *l, struct replay *r)
{
    struct bl_emit_options options = {false};
    struct bl_module_bytes bytes;

    return bl_emit(&r->arena, l->program, &options, &bytes, &r->sink) == BL_OK &&
           bl_module_verify(&r->arena, bytes.bytes, bytes.size, &r->module, &r->sink) == BL_OK;
}

static uint32_t job_of(const struct linted *l, const struct bl_module *module, bl_str rule)
{
    const struct bl_symbol *symbol = bl_program_find(l->program, BL_SPACE_RUNNING, rule);

    return symbol != NULL ? bl_module_job(module, symbol->as.rule->job->name) : BL_NONE;
}

static bl_str argument(const struct bl_diagnostic *d, const char *name)
{
    for (size_t i = 0; i < d->arg_count; i++) {
        if (bl_str_equal(bl_str_from(d->args[i].name), bl_str_from(name)))
            return d->args[i].value;
    }
    return BL_STR("");
}

static void complain(const struct replay *r, const struct shown *shown, const char *what,
                     bl_str payload, bl_str world)
{
    printf("PL%04u of '%.*s' and '%.*s': %s\n%.*s%.*s", shown->finding->code,
           BL_STR_ARG(argument(shown->finding, "name")),
           BL_STR_ARG(argument(shown->finding, "other")), what, BL_STR_ARG(payload),
           BL_STR_ARG(world));
    for (size_t i = 0; i < r->sink.list.count; i++)
        printf("  PL%04u\n", r->sink.list.items[i]->code);
}

static bool fired(const struct replay *r, const struct bl_run_result *result, bl_str rule)
{
    for (size_t u = 0; u < result->units.count; u++) {
        const struct bl_trace *trace = &result->units.items[u].trace;

        for (size_t i = 0; i < trace->rules.count; i++) {
            if (trace->rules.items[i].outcome == BL_OUTCOME_FIRED &&
                bl_str_equal(
                    bl_module_string(&r->module,
                                     r->module.ENTRIES_rows[trace->rules.items[i].entry].name),
                    rule))
                return true;
        }
    }
    return false;
}

static bool has_conflict(const struct bl_diagnostics *sink)
{
    for (size_t i = 0; i < sink->list.count; i++) {
        if (sink->list.items[i]->code == BL_D_EFFECTS_CONFLICT)
            return true;
    }
    return false;
}

/* True when both rules fired and the run ended with a conflict. With more rules on the event
 * the machine may name another pair of those that fired. */
static bool conflicts(struct linted *l, struct replay *r, const struct shown *shown)
{
    const struct bl_witness *w = &shown->witness;
    struct bl_buf payload, world;
    struct bl_event event;
    struct bl_run_result result;
    struct bl_event_source from = {.name = bl_event_info(w->event)->event, .started = w->clock};
    bl_str reason;

    bl_diagnostics_init(&r->sink, &r->arena, 100);
    bl_buf_init(&payload, &r->arena, 1 << 20);
    bl_buf_init(&world, &r->arena, 1 << 20);
    bl_witness_payload(w, &payload);
    bl_witness_world(w, &world);
    struct bl_sim *sim = bl_sim_create(&r->arena, w->repository, w->account, w->clock);
    if (sim == NULL ||
        bl_event_read(&r->arena, bl_buf_str(&payload), &from, &event, &r->sink, &reason) !=
            BL_EVENT_READ ||
        bl_sim_load(sim, bl_buf_str(&world), BL_NO_SOURCE, &r->sink) != BL_OK ||
        bl_sim_seed(sim, &event) != BL_OK) {
        complain(r, shown, "the event or the world is refused.", bl_buf_str(&payload),
                 bl_buf_str(&world));
        return false;
    }
    struct bl_run_options options = {
        .module = &r->module,
        .world = bl_sim_world(sim),
        .event = &event,
        .job = job_of(l, &r->module, argument(shown->finding, "name")),
        .now = w->clock,
        .dry = true,
        .explain = true};
    enum bl_status status = bl_run(&r->arena, &options, &result, &r->sink);
    bool found = status == BL_ERR_INVALID && has_conflict(&r->sink) &&
                 fired(r, &result, argument(shown->finding, "name")) &&
                 fired(r, &result, argument(shown->finding, "other"));
    if (!found)
        complain(r, shown, "the run did not end with that conflict.", bl_buf_str(&payload),
                 bl_buf_str(&world));
    return found;
}

int replay_findings(struct linted *l)
{
    struct replay r;
    int failures = 0, replayed = 0;

    bl_arena_init(&r.arena, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES), NULL);
    bl_sources_init(&r.sources, &r.arena);
    bl_diagnostics_init(&r.sink, &r.arena, 100);
    if (!compile(l, &r)) {
        printf("The policy is not lowered.\n");
        failures = 1;
    }
    for (size_t i = 0; i < l->shown.count && failures == 0; i++) {
        if (l->shown.items[i].finding->code != BL_D_CONFLICTING_RULES &&
            l->shown.items[i].finding->code != BL_D_CONFLICTING_EFFECTS)
            continue;
        replayed++;
        failures += !conflicts(l, &r, &l->shown.items[i]);
    }
    if (replayed == 0) {
        printf("Nothing was replayed.\n");
        failures = 1;
    }
    bl_arena_reset(&r.arena);
    return failures;
}
