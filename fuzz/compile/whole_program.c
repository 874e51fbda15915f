/* SPDX-License-Identifier: Apache-2.0 */
#include "whole_program.h"

#include "emit/emit.h"
#include "fuzz_target.h"
#include "lint/lint.h"
#include "run/run.h"
#include "sema/sema.h"
#include "show/show.h"
#include "syntax/format.h"
#include "testing/testing.h"
#include "world/sim/sim_people.h"

#include <string.h>

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

/* What people and programs are shown of it; the tree of one with errors, too. */
static void show(struct compiled *c, const struct bl_program *program, bool good)
{
    struct bl_buf out;

    bl_buf_init(&out, &c->arena, MEMORY);
    bl_show_tree(program, &out);
    FUZZ_REQUIRE(out.failed || out.len > 0);
    if (!good)
        return;
    bl_show_docs(program, &out);
    bl_show_permissions(program, &out);
    bl_show_graph(program, &out);
}

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
        if (program != NULL && status != BL_ERR_NOMEM)
            show(c, program, false);
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
    show(c, program, true);
}

/* ---- runs -----------------------------------------------------------------------------------
 */

enum happening { OPENED, COMMENTED, EDITED, CLOSED, MORNING, HAPPENINGS };

/* A repository with a labelled issue, and what happens to it. False when out of memory. */
static bool happen(struct bl_sim *sim, enum happening what, struct bl_sim_delivery *delivery)
{
    const bl_str alice = BL_STR("alice");
    if (bl_sim_open(sim, alice, NUMBER, BL_STR("A crash in the editor"),
                    BL_STR("### Area\n\nEditor\n"), STARTED, delivery) != BL_OK ||
        bl_sim_label(sim, BL_STR("maria"), NUMBER, BL_STR("bug"), STARTED, NULL) != BL_OK)
        return false;
    switch (what) {
    case OPENED:
        return true;
    case COMMENTED:
        return bl_sim_comment(sim, BL_STR("bob"), NUMBER, BL_STR("Slow docs."), STARTED,
                              delivery) == BL_OK;
    case EDITED:
        return bl_sim_edit(sim, alice, NUMBER, BL_STR("Docs."), STARTED, delivery) == BL_OK;
    case CLOSED:
        return bl_sim_close(sim, alice, NUMBER, BL_STATE_REASON_COMPLETED, STARTED, delivery) ==
               BL_OK;
    case MORNING:
        return bl_sim_label(sim, BL_STR("maria"), NUMBER, BL_STR("a"), STARTED, NULL) ==
                   BL_OK &&
               bl_sim_morning(sim, STARTED + 20 * INT64_C(86400), delivery) == BL_OK;
    case HAPPENINGS:
        break;
    }
    return false;
}

/* What a run planned, in words, one effect a line. */
static void run_rules(const struct bl_module *module, enum happening what, bool use_index,
                      struct bl_buf *out, struct bl_arena *arena, enum bl_status *status)
{
    struct bl_sim_delivery delivery;
    struct bl_run_result result;
    struct bl_diagnostics sink;
    struct bl_sim *sim =
        bl_sim_create(arena, BL_STR("octo/project"), BL_STR("github-actions[bot]"), STARTED);
    bl_diagnostics_init(&sink, arena, 20);
    *status = BL_ERR_NOMEM;
    if (sim == NULL || !happen(sim, what, &delivery))
        return;
    for (uint32_t job = 0; job < module->JOBS_count; job++) {
        struct bl_run_options options = {.module = module,
                                         .world = bl_sim_world(sim),
                                         .event = &delivery.event,
                                         .job = job,
                                         .now = bl_sim_now(sim),
                                         .dry = true,
                                         .use_index = use_index,
                                         .limits = {.instructions = 200000}};
        *status = bl_run(arena, &options, &result, &sink);
        FUZZ_REQUIRE(*status != BL_ERR_INTERNAL);
        for (size_t u = 0; u < result.units.count; u++) {
            FUZZ_REQUIRE(result.units.items[u].status != BL_ERR_INTERNAL);
            for (size_t i = 0; i < result.units.items[u].plan.effects.count; i++) {
                bl_plan_effect_words(module,
                                     &result.units.items[u].plan.effects.items[i].planned, out);
                BL_PUT(out, "\n");
            }
        }
        if (*status != BL_OK)
            return;
    }
}

static void run_both_ways(const struct bl_module *module, enum happening what)
{
    struct bl_arena arenas[2];
    struct bl_buf plans[2];
    enum bl_status statuses[2];
    for (unsigned i = 0; i < 2; i++) {
        bl_arena_init(&arenas[i], MEMORY, NULL);
        bl_buf_init(&plans[i], &arenas[i], 1u << 20);
        run_rules(module, what, i == 1, &plans[i], &arenas[i], &statuses[i]);
    }
    /* Without the index more is evaluated, so only a run that no bound ended says anything. */
    if (statuses[0] == BL_OK) {
        FUZZ_REQUIRE(statuses[1] == BL_OK);
        FUZZ_REQUIRE(bl_str_equal(bl_buf_str(&plans[0]), bl_buf_str(&plans[1])));
    }
    bl_arena_reset(&arenas[0]);
    bl_arena_reset(&arenas[1]);
}

/* ---- the whole ------------------------------------------------------------------------------
 */

bool whole_program(bl_str bytes)
{
    struct text text = {bytes};
    struct compiled first, second;
    compile(&first, &text);
    bool accepted = first.good;
    if (accepted) {
        struct bl_module module;
        FUZZ_REQUIRE(bl_module_verify(&first.arena, first.bytes.bytes, first.bytes.size,
                                      &module, &first.sink) != BL_ERR_UNVERIFIED);
        compile(&second, &text);
        FUZZ_REQUIRE(second.good && second.bytes.size == first.bytes.size &&
                     memcmp(second.bytes.bytes, first.bytes.bytes, first.bytes.size) == 0);
        bl_arena_reset(&second.arena);
        for (unsigned what = 0; !first.arena.failed && what < HAPPENINGS; what++)
            run_both_ways(&module, (enum happening)what);
    }
    bl_arena_reset(&first.arena);
    return accepted;
}

/* The instructions, without the places that they come from. */
static void list_code(struct compiled *c, struct bl_buf *out)
{
    struct bl_module module;
    bl_buf_init(out, &c->arena, MEMORY);
    if (bl_module_verify(&c->arena, c->bytes.bytes, c->bytes.size, &module, &c->sink) == BL_OK)
        bl_module_disassemble(&module, NULL, out);
}

/* The listing names the digest and size of each source: both lines are about the text itself.
 */
static bl_str without_sources(bl_str listing)
{
    size_t at = bl_str_find(listing, BL_STR("\nfunction "));
    return bl_str_slice(listing, at == SIZE_MAX ? 0 : at, listing.len);
}

void same_code_formatted(bl_str bytes)
{
    struct text before = {bytes}, after;
    struct compiled first, second;
    struct bl_buf formatted, left, right;
    compile(&first, &before);
    if (first.good) {
        uint32_t source = bl_sources_add(&first.sources, BL_STR("again.policy"), bytes);
        bl_buf_init(&formatted, &first.arena, MEMORY);
        enum bl_status status =
            bl_format(&first.arena, &first.sources, source, &first.sink, &formatted);
        FUZZ_REQUIRE(status == BL_OK || status == BL_ERR_NOMEM);
        after.bytes = bl_buf_str(&formatted);
        compile(&second, &after);
        FUZZ_REQUIRE(status != BL_OK || second.good);
        if (second.good) {
            list_code(&first, &left);
            list_code(&second, &right);
            FUZZ_REQUIRE(left.failed || right.failed ||
                         bl_str_equal(without_sources(bl_buf_str(&left)),
                                      without_sources(bl_buf_str(&right))));
        }
        bl_arena_reset(&second.arena);
    }
    bl_arena_reset(&first.arena);
}
