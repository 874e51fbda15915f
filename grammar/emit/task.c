/* SPDX-License-Identifier: Apache-2.0 */
#include "emit/lowering.h"

/* A task is a row of functions, one for each thing that it asks, and the bounds of what it may
 * be answered. */

/* ---- questions
 * ------------------------------------------------------------------------------------------ */

static void lets(struct bl_body *body, struct bl_statement *first, size_t count)
{
    for (struct bl_statement *s = first; s != NULL && count > 0; s = s->next, count--)
        (void)bl_lower_flow(body, s, NULL, NULL);
}

static uint32_t question(struct bl_emitter *e, const struct bl_symbol *symbol,
                         const struct bl_task_question *asked, bl_type type)
{
    if (asked->value == NULL)
        return BL_NONE;
    struct bl_body body = bl_body_begin(e, symbol->name, BL_FUNCTION_PURE, type, BL_NONE);
    body.span = symbol->span;
    lets(&body, symbol->as.task->lets, asked->lets);
    unsigned value = bl_lower_as(&body, asked->value, type);
    bl_put(&body, BL_OP_RETURN, 0, value, 0, asked->value->span);
    return bl_body_end(&body);
}

static uint32_t passes(struct bl_emitter *e, const struct bl_symbol *symbol)
{
    const struct bl_task_declared *task = symbol->as.task;
    const bl_type verdict = BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_VERDICT);
    if (task->passes == NULL)
        return BL_NONE;
    struct bl_body body = bl_body_begin(e, symbol->name, BL_FUNCTION_PURE, verdict, BL_NONE);
    body.span = symbol->span;
    lets(&body, task->lets, task->passes_lets);
    bl_lower_list(&body, task->passes, bl_lower_check, NULL);
    bl_lower_verdict(&body, true, BL_STR("allowed"), NULL, symbol->span);
    return bl_body_end(&body);
}

/* ---- bounds
 * ---------------------------------------------------------------------------------------------
 */

static bool is_bounded(const struct bl_field_declared *field)
{
    return field->min != NULL || field->max != NULL || field->most != NULL ||
           field->group != NULL;
}

static void bound(struct bl_emitter *e, uint32_t index, const struct bl_field_declared *field)
{
    struct bl_answer_bound row = {.field = index,
                                  .most = field->most != NULL && field->most->number < BL_NONE
                                              ? (uint32_t)field->most->number
                                              : BL_NONE,
                                  .min = field->min != NULL ? field->min->number : INT64_MIN,
                                  .max = field->max != NULL ? field->max->number : INT64_MAX,
                                  .first_label = BL_NONE};
    if (field->group != NULL) {
        const struct bl_symbol_list *labels = &field->group->as.group->labels;
        row.first_label = (uint32_t)e->b->ANSWER_LABELS.count;
        for (size_t i = 0; i < labels->count; i++)
            bl_add_ANSWER_LABELS(e->b, labels->items[i]->number);
        row.label_count = (uint32_t)labels->count;
    }
    bl_add_ANSWER_BOUNDS(e->b, row);
}

/* Rows go by the module's fields, and its records stand in the order in which they were needed.
 */
static void bounds(struct bl_emitter *e)
{
    const struct bl_program *p = e->program;
    size_t made = e->b->RECORDS.count;
    uint32_t *by_number = BL_NEW_ARRAY(e->arena, made + 1, uint32_t);
    for (size_t i = 0; by_number != NULL && i < p->records.count; i++)
        if (e->records[i] != BL_NONE && e->records[i] < made)
            by_number[e->records[i]] = (uint32_t)i + 1;
    for (size_t r = 0; by_number != NULL && r < made; r++) {
        if (by_number[r] == 0)
            continue;
        const struct bl_record_declared *record = &p->records.items[by_number[r] - 1];
        for (size_t f = 0; f < record->count; f++)
            if (is_bounded(&record->fields[f]))
                bound(e, e->b->RECORDS.items[r].first + (uint32_t)f, &record->fields[f]);
    }
}

void bl_emit_tasks(struct bl_emitter *e)
{
    const struct bl_symbol_list *tasks = &e->program->symbols[BL_SYMBOL_TASK];
    const bl_type comment = BL_OPTIONAL(BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_COMMENT));
    for (size_t i = 0; i < tasks->count; i++) {
        const struct bl_symbol *symbol = tasks->items[i];
        const struct bl_task_declared *task = symbol->as.task;
        struct bl_module_task row = {.name = bl_builder_string(e->b, symbol->name),
                                     .record = BL_NONE};
        if (task->record != UINT32_MAX)
            row.record =
                bl_type_ref(bl_emit_type(e, BL_TYPE_MAKE(BL_TYPE_RECORD, task->record)));
        bool whole = task->later == NULL;
        const struct bl_task_question none = {NULL, 0};
        row.model = question(e, symbol, whole ? &task->model : &none, BL_TYPE_NAME);
        row.turns = question(e, symbol, whole ? &task->turns : &none, BL_TYPE_INT);
        row.budget = question(e, symbol, whole ? &task->budget : &none, BL_TYPE_MONEY);
        row.judges = question(e, symbol, whole ? &task->judges : &none, comment);
        row.counts = question(e, symbol, whole ? &task->counts : &none, BL_TYPE_BOOL);
        row.passes = whole ? passes(e, symbol) : BL_NONE;
        bl_add_TASKS(e->b, row);
    }
    bounds(e);
}
