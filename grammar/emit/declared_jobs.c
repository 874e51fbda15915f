/* SPDX-License-Identifier: Apache-2.0 */
#include "emit/lowering.h"
#include "workflows/workflows.h"

/* What tests ask of jobs and their workflows: the compiler knows it, and no run does. */

static unsigned begin_names(struct bl_body *body, struct bl_span span)
{
    unsigned list = bl_code_register(body->code, BL_LIST_OF(BL_TYPE_NAME));
    bl_put(body, BL_OP_LIST, list, 0, 0, span);
    return list;
}

static void add_name(struct bl_body *body, unsigned list, bl_str name, struct bl_span span)
{
    size_t mark = bl_code_mark(body->code);
    bl_put(body, BL_OP_PUSH, list, bl_const_text(body, BL_TYPE_NAME, name, span), 0, span);
    bl_code_release(body->code, mark);
}

static unsigned writes_of(struct bl_body *body, const struct bl_job *job, struct bl_span span)
{
    unsigned list = begin_names(body, span);
    for (unsigned i = 0; i < BL_PERMISSION_COUNT; i++) {
        const struct bl_permission_info *info = bl_permission_info((enum bl_permission)i);
        if ((job->capabilities & BL_CAP(i)) != 0 && bl_str_equal(info->level, BL_STR("write")))
            add_name(body, list, info->key, span);
    }
    return list;
}

static unsigned secrets_of(struct bl_body *body, const struct bl_symbol *job,
                           struct bl_span span)
{
    unsigned list = begin_names(body, span);
    for (struct bl_clause *clause = job->clause->block; clause != NULL; clause = clause->next)
        if (clause->id == BL_CLAUSE_JOB_SECRET)
            add_name(body, list, bl_slot_node(clause, 0)->text, span);
    return list;
}

static void add_job(struct bl_body *body, unsigned list, const struct bl_symbol *symbol,
                    struct bl_span span)
{
    const struct bl_job *job = symbol->as.job;
    size_t mark = bl_code_mark(body->code);
    unsigned engine = bl_code_register(body->code, BL_OPTIONAL(BL_TYPE_NAME));
    if (job->engine != NULL)
        bl_put(body, BL_OP_MOVE, engine,
               bl_const_text(body, BL_TYPE_NAME, job->engine->name, span), 0, span);
    else
        bl_put(body, BL_OP_ABSENT, engine, 0, 0, span);
    unsigned args[] = {bl_const_text(body, BL_TYPE_NAME, symbol->name, span),
                       writes_of(body, job, span), engine, secrets_of(body, symbol, span)};
    bl_type type = bl_entity_info(BL_ENTITY_JOB_INFO)->type;
    unsigned one = bl_lower_builtin(body, BL_BUILTIN_JOB_INFO, type, args, 4, span);
    bl_put(body, BL_OP_PUSH, list, one, 0, span);
    bl_code_release(body->code, mark);
}

unsigned bl_lower_jobs(struct bl_body *body, struct bl_node *node)
{
    const struct bl_symbol_list *jobs = &body->e->program->symbols[BL_SYMBOL_JOB];
    unsigned list = bl_typed_register(body, node);
    bl_put(body, BL_OP_LIST, list, 0, 0, node->span);
    for (size_t i = 0; i < jobs->count; i++)
        add_job(body, list, jobs->items[i], node->span);
    return list;
}

static const struct bl_workflow_files *workflows_of(struct bl_emitter *e)
{
    struct bl_workflow_files *files;
    if (e->workflows != NULL)
        return e->workflows;
    files = BL_NEW(e->arena, struct bl_workflow_files);
    if (files == NULL || bl_workflows_write(e->program, e->sink, files) == BL_ERR_NOMEM) {
        e->arena->failed = true; /* bl_emit sees it at its end */
        return NULL;
    }
    e->workflows = files;
    return files;
}

unsigned bl_lower_generated(struct bl_body *body, struct bl_node *node)
{
    const struct bl_workflow_files *files = workflows_of(body->e);
    bl_str text = BL_STR("");
    for (size_t i = 0; files != NULL && i < files->count; i++)
        if (files->items[i].symbol == node->kids[0]->symbol)
            text = files->items[i].text;
    unsigned file = bl_const_text(body, BL_TYPE_TEXT, text, node->span);
    return bl_lower_builtin(body, BL_BUILTIN_GENERATED, BL_TYPE_TEXT, &file, 1, node->span);
}
