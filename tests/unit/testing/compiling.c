/* SPDX-License-Identifier: Apache-2.0 */
#include "compiling.h"

#include "emit/emit.h"

static enum bl_status read_file(void *context, struct bl_arena *arena, bl_str path,
                                bl_str *text)
{
    (void)arena;
    if (!bl_str_equal(path, BL_STR("mine.policy")))
        return BL_ERR_INVALID;
    *text = bl_str_from(context);
    return BL_OK;
}

static enum bl_status list_folder(void *context, struct bl_arena *arena, bl_str folder,
                                  bl_str **names, size_t *count)
{
    static bl_str only = {"mine.policy", sizeof "mine.policy" - 1};
    (void)context;
    (void)arena;
    (void)folder;
    *names = &only;
    *count = 1;
    return BL_OK;
}

void compiling_begin(struct compiling *c, const char *text,
                     const struct bl_allocator *allocator)
{
    const struct bl_loader loader = {(void *)(uintptr_t)text, read_file, list_folder};
    const struct bl_sema_options options = {.tests = true, .for_running = true};
    const struct bl_emit_options emit = {.tests = true};
    const bl_str root = BL_STR("mine.policy");
    struct bl_program *program;
    struct bl_module_bytes bytes;
    bl_arena_init(&c->arena, (size_t)1 << 30, allocator);
    bl_sources_init(&c->sources, &c->arena);
    bl_diagnostics_init(&c->sink, &c->arena, 50);
    c->status =
        bl_sema(&c->arena, &c->sources, &c->sink, &loader, &root, 1, &options, &program);
    if (c->status == BL_OK)
        c->status = bl_emit(&c->arena, program, &emit, &bytes, &c->sink);
    if (c->status == BL_OK)
        c->status = bl_module_verify(&c->arena, bytes.bytes, bytes.size, &c->module, &c->sink);
}
