/* SPDX-License-Identifier: Apache-2.0 */
#include "emit/emit.h"

#include "emit/lowering.h"

static bool prepare(struct bl_emitter *e)
{
    const struct bl_program *p = e->program;
    e->enums = BL_NEW_ARRAY(e->arena, p->enums.count + 1, uint32_t);
    e->records = BL_NEW_ARRAY(e->arena, p->records.count + 1, uint32_t);
    e->posted = BL_NEW_ARRAY(e->arena, p->posted.count + 1, bl_type);
    size_t families = p->symbols[BL_SYMBOL_COMMANDS].count;
    e->judges = BL_NEW_ARRAY(e->arena, families + 1, struct bl_judges);
    if (e->enums == NULL || e->records == NULL || e->posted == NULL || e->judges == NULL)
        return false;
    for (size_t i = 0; i < families; i++)
        e->judges[i] = (struct bl_judges){BL_NONE, BL_NONE, BL_NONE};
    for (size_t i = 0; i < p->enums.count; i++)
        e->enums[i] = BL_NONE;
    for (size_t i = 0; i < p->records.count; i++)
        e->records[i] = BL_NONE;
    for (size_t i = 0; i < p->posted.count; i++)
        e->posted[i] = BL_TYPE_ERROR;
    return true;
}

/* A program may be lowered again, with tests and without. */
static void forget(struct bl_program *program)
{
    for (unsigned kind = 0; kind < BL_SYMBOL_KIND_COUNT; kind++)
        for (size_t i = 0; i < program->symbols[kind].count; i++) {
            struct bl_symbol *symbol = program->symbols[kind].items[i];
            symbol->emit[0] = symbol->emit[1] = 0;
            for (struct bl_instance *at = symbol->instances; at != NULL; at = at->next)
                at->symbol->emit[0] = at->symbol->emit[1] = 0;
        }
}

static void report_limit(struct bl_emitter *e)
{
    struct bl_diagnostic *d = bl_report(e->sink, BL_D_EMIT_LIMIT, e->over);
    bl_diagnostic_text(e->sink, d, "limit", bl_limit_info(e->b->limit)->name);
    bl_diagnostic_int(e->sink, d, "value", (int64_t)bl_limit(e->b->limit));
}

static enum bl_status finish(struct bl_emitter *e, struct bl_module_bytes *out, size_t errors)
{
    if (e->arena->failed)
        return BL_ERR_NOMEM;
    if (e->sink->errors > errors)
        return BL_ERR_INVALID;
    enum bl_status status = bl_builder_finish(e->b, out);
    if (status == BL_ERR_LIMIT) {
        report_limit(e);
    } else if (status == BL_ERR_INTERNAL) {
        bl_emit_defect(e, BL_NO_SPAN, bl_str_from(e->b->wrong));
    }
    return e->arena->failed ? BL_ERR_NOMEM : status;
}

enum bl_status bl_emit(struct bl_arena *arena, struct bl_program *program,
                       const struct bl_emit_options *options, struct bl_module_bytes *out,
                       struct bl_diagnostics *sink)
{
    struct bl_emitter e = {.arena = arena,
                           .program = program,
                           .b = bl_builder_create(arena),
                           .sink = sink,
                           .over = BL_NO_SPAN};
    size_t errors = sink->errors;
    *out = (struct bl_module_bytes){NULL, 0};
    if (e.b == NULL || !prepare(&e))
        return BL_ERR_NOMEM;
    forget(program);
    bl_emit_tables(&e);
    bl_emit_files(&e);
    bl_emit_tasks(&e);
    bl_emit_jobs(&e);
    bl_emit_rules(&e);
    bl_emit_commands(&e);
    bl_emit_sweeps(&e);
    bl_emit_entries(&e);
    bl_emit_questions(&e);
    bl_emit_job_steps(&e);
    bl_emit_redactions(&e);
    if (options->tests)
        bl_emit_tests(&e);
    return finish(&e, out, errors);
}
