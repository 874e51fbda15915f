/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/sema.h"

#include "sema/checker.h"

static void type_callables(struct bl_checker *c, enum bl_symbol_kind kind)
{
    for (size_t i = 0; i < c->program->symbols[kind].count; i++)
        bl_sema_callable(c, c->program->symbols[kind].items[i],
                         c->program->symbols[kind].items[i]->span);
}

static void type_documents(struct bl_checker *c, enum bl_symbol_kind kind)
{
    for (size_t i = 0; i < c->program->symbols[kind].count; i++)
        bl_sema_document(c, c->program->symbols[kind].items[i],
                         c->program->symbols[kind].items[i]->span);
}

static void check_bodies(struct bl_checker *c)
{
    type_callables(c, BL_SYMBOL_ACTOR);
    type_callables(c, BL_SYMBOL_DEFINE);
    type_callables(c, BL_SYMBOL_DECISION);
    type_callables(c, BL_SYMBOL_CHECK);
    for (size_t i = 0; i < c->program->symbols[BL_SYMBOL_SANITIZER].count; i++)
        bl_sema_sanitizer(c, c->program->symbols[BL_SYMBOL_SANITIZER].items[i]);
    for (size_t i = 0; i < c->program->symbols[BL_SYMBOL_MESSAGE].count; i++)
        bl_sema_message(c, c->program->symbols[BL_SYMBOL_MESSAGE].items[i], BL_NO_SPAN);
    bl_sema_rules(c); /* comments are typed for the rules that post them */
    bl_sema_commands(c);
    bl_sema_assign_jobs(c);
    bl_sema_jobs(c); /* what their rules give is known */
    bl_sema_tasks(c);
    bl_sema_engines(c);
    bl_sema_entries(c);
    bl_sema_redactions(c);
    type_documents(c, BL_SYMBOL_COMMENT);
    type_documents(c, BL_SYMBOL_PART);
    type_documents(c, BL_SYMBOL_FILE);
    type_documents(c, BL_SYMBOL_REPORT);
    bl_sema_reports(c);
    bl_sema_tests(c);
}

enum bl_status bl_sema(struct bl_arena *arena, struct bl_sources *sources,
                       struct bl_diagnostics *sink, const struct bl_loader *loader,
                       const bl_str *roots, size_t root_count,
                       const struct bl_sema_options *options, struct bl_program **out)
{
    struct bl_program *program = BL_NEW(arena, struct bl_program);
    struct bl_checker c = {.arena = arena,
                           .program = program,
                           .sources = sources,
                           .sink = sink,
                           .loader = loader,
                           .options = options};
    size_t errors = sink->errors;

    *out = program;
    if (program == NULL)
        return BL_ERR_NOMEM;
    program->arena = arena;
    program->sources = sources;
    if (!bl_scope_create(&c))
        return BL_ERR_NOMEM;
    bl_sema_load(&c, roots, root_count);
    if (!arena->failed) {
        size_t told = sink->errors;

        bl_sema_declare(&c);
        if (told > errors)
            bl_sema_note_broken(&c);
        bl_sema_signatures(&c);
        bl_sema_values(&c);
        bl_sema_accepted(&c);
        bl_sema_sections(&c);
        bl_sema_workflows(&c);
        check_bodies(&c);
        if (sink->errors == errors)
            bl_sema_levels(&c);
    }
    if (arena->failed) {
        bl_report(sink, BL_D_OUT_OF_MEMORY, BL_NO_SPAN);
        return BL_ERR_NOMEM;
    }
    return sink->errors > errors ? BL_ERR_INVALID : BL_OK;
}
