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

/* ---- files and engines
 * ------------------------------------------------------------------------------- */

/* A task whose files cannot all be written has none: no engine is to read a part of them. */
static void files(struct bl_emitter *e, const struct bl_task_declared *task,
                  struct bl_module_task *row)
{
    row->first_file = (uint32_t)e->b->TASK_FILES.count;
    row->file_count = (uint32_t)task->files.count;
    for (size_t i = 0; i < task->files.count; i++) {
        if (task->files.items[i]->emit[0] == 0) {
            row->first_file = BL_NONE;
            row->file_count = 0;
            return;
        }
    }
    for (size_t i = 0; i < task->files.count; i++)
        bl_add_TASK_FILES(e->b, task->files.items[i]->emit[0] - 1);
}

static uint32_t argument(struct bl_emitter *e, const struct bl_symbol *symbol,
                         struct bl_node *value)
{
    const bl_type type = BL_TYPE_MAKE(BL_TYPE_CLEAN, 1u << BL_PLACE_ARGUMENT);
    struct bl_body body = bl_body_begin(e, symbol->name, BL_FUNCTION_PURE, type, BL_NONE);
    unsigned text = bl_code_register(body.code, type);
    bl_put(&body, BL_OP_MOVE, text, bl_lower_rendered(&body, value, BL_PLACE_ARGUMENT), 0,
           value->span);
    bl_put(&body, BL_OP_RETURN, 0, text, 0, value->span);
    return bl_body_end(&body);
}

static void flag(struct bl_emitter *e, const struct bl_symbol *symbol,
                 const struct bl_engine_flag_declared *one)
{
    const struct bl_task_question when = {one->condition, 0};
    struct bl_engine_flag row = {.flag = bl_builder_string(e->b, one->flag),
                                 .kind = BL_ARGUMENT_ALONE,
                                 .argument = BL_NONE,
                                 .when = BL_NONE};
    if (one->is_schema) {
        row.kind = BL_ARGUMENT_SCHEMA;
    } else if (one->file != NULL) {
        row.kind = BL_ARGUMENT_FILE;
        row.argument = one->file->emit[0] - 1;
    } else if (one->value != NULL) {
        row.kind = BL_ARGUMENT_OWN;
        row.argument = argument(e, symbol, one->value);
    }
    if (when.value != NULL) {
        struct bl_body body =
            bl_body_begin(e, symbol->name, BL_FUNCTION_PURE, BL_TYPE_BOOL, BL_NONE);
        unsigned holds = bl_lower_as(&body, when.value, BL_TYPE_BOOL);
        bl_put(&body, BL_OP_RETURN, 0, holds, 0, when.value->span);
        row.when = bl_body_end(&body);
    }
    bl_add_ENGINE_FLAGS(e->b, row);
}

static bool is_whole(const struct bl_symbol *engine)
{
    for (size_t i = 0; i < engine->as.engine->flag_count; i++) {
        const struct bl_engine_flag_declared *one = &engine->as.engine->flags[i];
        if (one->file != NULL &&
            (one->file->emit[0] == 0 || one->file->as.document->each != NULL))
            return false;
    }
    return engine->as.engine->command.count > 0;
}

static void engines(struct bl_emitter *e)
{
    const struct bl_symbol_list *list = &e->program->symbols[BL_SYMBOL_ENGINE];
    for (size_t i = 0; i < list->count; i++) {
        const struct bl_engine_declared *engine = list->items[i]->as.engine;
        if (!is_whole(list->items[i]))
            continue;
        struct bl_module_engine row = {
            .name = bl_builder_string(e->b, list->items[i]->name),
            .input = bl_builder_string(e->b, engine->input),
            .first_word = (uint32_t)e->b->ENGINE_WORDS.count,
            .word_count = (uint32_t)engine->command.count,
            .first_host = (uint32_t)(e->b->ENGINE_WORDS.count + engine->command.count),
            .host_count = (uint32_t)engine->hosts.count,
            .first_flag = (uint32_t)e->b->ENGINE_FLAGS.count,
            .flag_count = (uint32_t)engine->flag_count,
            .outputs = engine->outputs};
        for (size_t k = 0; k < engine->command.count; k++)
            bl_add_ENGINE_WORDS(e->b, bl_builder_string(e->b, engine->command.items[k]));
        for (size_t k = 0; k < engine->hosts.count; k++)
            bl_add_ENGINE_WORDS(e->b, bl_builder_string(e->b, engine->hosts.items[k]));
        for (size_t k = 0; k < engine->flag_count; k++)
            flag(e, list->items[i], &engine->flags[k]);
        list->items[i]->emit[0] = bl_add_ENGINES(e->b, row) + 1;
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
        row.model = question(e, symbol, &task->model, BL_TYPE_NAME);
        row.turns = question(e, symbol, &task->turns, BL_TYPE_INT);
        row.budget = question(e, symbol, &task->budget, BL_TYPE_MONEY);
        row.judges = question(e, symbol, &task->judges, comment);
        row.counts = question(e, symbol, &task->counts, BL_TYPE_BOOL);
        row.passes = passes(e, symbol);
        files(e, task, &row);
        bl_add_TASKS(e->b, row);
    }
    bounds(e);
    engines(e);
}
