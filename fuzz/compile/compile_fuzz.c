/* SPDX-License-Identifier: Apache-2.0 */
#include "emit/emit.h"
#include "fuzz_target.h"
#include "lint/lint.h"
#include "run/run.h"
#include "sema/sema.h"
#include "testing/testing.h"
#include "world/sim/sim_people.h"

#include <string.h>

/* Any bytes as a whole program. What passes the checks is lowered, what is lowered is accepted
 * by the verifier, twice the same bytes come out, a run stays within its budget, and the index
 * changes nothing of what a run plans. */

#define MEMORY  (64u << 20)
#define STARTED INT64_C(1793952000) /* 2026-11-05T08:00:00Z */
#define NUMBER  12

struct text {
    bl_str bytes;
};

static enum bl_status read_file(void *context, struct bl_arena *arena, bl_str path, bl_str *out)
{
    const struct text *text = context;
    (void)arena;
    if (!bl_str_equal(path, BL_STR("fuzz.policy")))
        return BL_ERR_INVALID;
    *out = text->bytes;
    return BL_OK;
}

static enum bl_status list_folder(void *context, struct bl_arena *arena, bl_str folder,
                                  bl_str **names, size_t *count)
{
    static bl_str name = {"fuzz.policy", sizeof "fuzz.policy" - 1};
    (void)context;
    (void)arena;
    (void)folder;
    *names = &name;
    *count = 1;
    return BL_OK;
}

struct compiled {
    struct bl_arena arena;
    struct bl_sources sources;
    struct bl_diagnostics sink;
    struct bl_module_bytes bytes;
    bool good;
};

static void compile(struct compiled *c, struct text *text)
{
    struct bl_loader loader = {text, read_file, list_folder};
    struct bl_sema_options options = {.tests = true, .for_running = true};
    struct bl_emit_options emit = {.tests = true};
    struct bl_program *program = NULL;
    const bl_str root = BL_STR("fuzz.policy");
    bl_arena_init(&c->arena, MEMORY, NULL);
    bl_sources_init(&c->sources, &c->arena);
    bl_diagnostics_init(&c->sink, &c->arena, 50);
    c->good = false;
    enum bl_status status =
        bl_sema(&c->arena, &c->sources, &c->sink, &loader, &root, 1, &options, &program);
    if (status != BL_OK) {
        FUZZ_REQUIRE(status == BL_ERR_NOMEM || c->sink.errors > 0);
        return;
    }
    FUZZ_REQUIRE(c->sink.errors == 0);
    status = bl_emit(&c->arena, program, &emit, &c->bytes, &c->sink);
    if (status != BL_OK) {
        /* A limit, memory, a pattern or what cannot be lowered yet; never a defect of ours. */
        FUZZ_REQUIRE(status != BL_ERR_INTERNAL);
        for (size_t i = 0; i < c->sink.list.count; i++)
            FUZZ_REQUIRE(c->sink.list.items[i]->code != BL_D_EMIT_DEFECT);
        return;
    }
    c->good = true;
    struct bl_lint_options lint = {.level_count = 0};
    (void)!bl_lint(&c->arena, program, &lint, &c->sink);
}

/* What a run planned, in words, one effect a line. */
static void run_rules(const struct bl_module *module, bool use_index, struct bl_buf *out,
                      struct bl_arena *arena, enum bl_status *status)
{
    struct bl_sim_delivery delivery;
    struct bl_run_result result;
    struct bl_diagnostics sink;
    struct bl_sim *sim =
        bl_sim_create(arena, BL_STR("octo/project"), BL_STR("github-actions[bot]"), STARTED);
    bl_diagnostics_init(&sink, arena, 20);
    *status = BL_ERR_NOMEM;
    if (sim == NULL ||
        bl_sim_open(sim, BL_STR("alice"), NUMBER, BL_STR("A crash in the editor"),
                    BL_STR("### Area\n\nEditor\n"), STARTED, &delivery) != BL_OK ||
        bl_sim_label(sim, BL_STR("maria"), NUMBER, BL_STR("bug"), STARTED, NULL) != BL_OK)
        return;
    for (uint32_t job = 0; job < module->JOBS_count; job++) {
        struct bl_run_options options = {.module = module,
                                         .world = bl_sim_world(sim),
                                         .event = &delivery.event,
                                         .job = job,
                                         .now = STARTED,
                                         .dry = true,
                                         .use_index = use_index,
                                         .limits = {.instructions = 200000}};
        *status = bl_run(arena, &options, &result, &sink);
        FUZZ_REQUIRE(*status != BL_ERR_INTERNAL);
        for (size_t u = 0; u < result.units.count; u++)
            for (size_t i = 0; i < result.units.items[u].plan.effects.count; i++) {
                bl_plan_effect_words(module,
                                     &result.units.items[u].plan.effects.items[i].planned, out);
                BL_PUT(out, "\n");
            }
        if (*status != BL_OK)
            return;
    }
}

static void run_both_ways(const struct bl_module *module)
{
    struct bl_arena arenas[2];
    struct bl_buf plans[2];
    enum bl_status statuses[2];
    for (unsigned i = 0; i < 2; i++) {
        bl_arena_init(&arenas[i], MEMORY, NULL);
        bl_buf_init(&plans[i], &arenas[i], 1u << 20);
        run_rules(module, i == 1, &plans[i], &arenas[i], &statuses[i]);
    }
    /* Without the index more is evaluated, so only a run that no bound ended says anything. */
    if (statuses[0] == BL_OK) {
        FUZZ_REQUIRE(statuses[1] == BL_OK);
        FUZZ_REQUIRE(bl_str_equal(bl_buf_str(&plans[0]), bl_buf_str(&plans[1])));
    }
    bl_arena_reset(&arenas[0]);
    bl_arena_reset(&arenas[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct text text = {{(const char *)bytes, len}};
    struct compiled first, second;
    compile(&first, &text);
    if (first.good) {
        struct bl_module module;
        FUZZ_REQUIRE(bl_module_verify(&first.arena, first.bytes.bytes, first.bytes.size,
                                      &module, &first.sink) != BL_ERR_UNVERIFIED);
        compile(&second, &text);
        FUZZ_REQUIRE(second.good && second.bytes.size == first.bytes.size &&
                     memcmp(second.bytes.bytes, first.bytes.bytes, first.bytes.size) == 0);
        bl_arena_reset(&second.arena);
        if (!first.arena.failed)
            run_both_ways(&module);
    }
    bl_arena_reset(&first.arena);
    return 0;
}
