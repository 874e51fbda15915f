/* SPDX-License-Identifier: Apache-2.0 */
#include "policy_module.h"

#include "emit/emit.h"
#include "fuzz_target.h"
#include "sema/sema.h"

static enum bl_status read_file(void *context, struct bl_arena *arena, bl_str path, bl_str *out)
{
    (void)arena;
    if (!bl_str_equal(path, BL_STR("fuzz.policy")))
        return BL_ERR_INVALID;
    *out = bl_str_from(context);
    return BL_OK;
}

/* What it uses comes with the compiler. */
static enum bl_status list_folder(void *context, struct bl_arena *arena, bl_str folder,
                                  bl_str **names, size_t *count)
{
    (void)context, (void)arena, (void)folder, (void)names, (void)count;
    return BL_ERR_INVALID;
}

const struct bl_module *fuzz_policy_module(const char *policy)
{
    static struct bl_module module;
    static bool ready;
    static struct bl_arena arena;
    static char text[256];
    struct bl_loader loader = {text, read_file, list_folder};
    struct bl_sema_options options = {.for_running = true};
    struct bl_emit_options emit = {.tests = false};
    struct bl_sources sources;
    struct bl_diagnostics sink;
    struct bl_program *program = NULL;
    struct bl_module_bytes bytes;
    const bl_str root = BL_STR("fuzz.policy");

    if (ready)
        return &module;
    for (size_t i = 0; policy[i] != '\0' && i + 1 < sizeof text; i++)
        text[i] = policy[i];
    bl_arena_init(&arena, (size_t)1 << 29, NULL);
    bl_sources_init(&sources, &arena);
    bl_diagnostics_init(&sink, &arena, 50);
    FUZZ_REQUIRE(bl_sema(&arena, &sources, &sink, &loader, &root, 1, &options, &program) ==
                 BL_OK);
    FUZZ_REQUIRE(bl_emit(&arena, program, &emit, &bytes, &sink) == BL_OK);
    FUZZ_REQUIRE(bl_module_verify(&arena, bytes.bytes, bytes.size, &module, &sink) == BL_OK);
    ready = true;
    return &module;
}

struct bl_machine *fuzz_policy_machine(struct bl_arena *arena, const struct bl_module *module)
{
    struct bl_run_options options = {.module = module, .job = BL_NONE};
    struct bl_text_run *run = NULL;
    struct bl_diagnostics sink;

    bl_diagnostics_init(&sink, arena, 10);
    FUZZ_REQUIRE(bl_text_run_begin(arena, &options, &run, &sink) == BL_OK);
    return bl_text_run_machine(run);
}
