/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"

/* Tasks: what an AI may be asked, what it may answer, and when its answer counts. */

/* ---- the record of an answer
 * --------------------------------------------------------------------- */

/* What a program that knows nothing of GitHub can write down. */
static bool may_be_answered(bl_type type)
{
    return (BL_ANSWER_KINDS >> bl_type_kind(type) & 1) != 0;
}

void bl_sema_check_bounds(struct bl_checker *c, const struct bl_field_declared *field)
{
    enum bl_type_kind kind = bl_type_kind(field->type);
    const struct bl_node *wrong = NULL;

    if (field->min != NULL && kind != BL_TYPE_INT)
        wrong = field->min;
    else if (field->max != NULL && kind != BL_TYPE_INT && kind != BL_TYPE_UNTRUSTED)
        wrong = field->max;
    else if (field->min != NULL && field->max != NULL &&
             field->min->number > field->max->number)
        wrong = field->max;
    if (wrong != NULL)
        bl_sema_error(c, BL_D_BOUND, wrong->span);
}

static void check_record(struct bl_checker *c, uint32_t number, const struct bl_symbol *task,
                         bool *seen)
{
    const struct bl_record_declared *record = &c->program->records.items[number];

    if (seen[number])
        return;
    seen[number] = true;
    for (size_t i = 0; i < record->count; i++) {
        const struct bl_field_declared *field = &record->fields[i];
        bl_type type = bl_type_base(field->type);

        if (bl_type_list_depth(type) > 1 || (!bl_is_error(type) && !may_be_answered(type))) {
            struct bl_diagnostic *d = bl_sema_error(c, BL_D_ANSWER_TYPE, field->span);

            bl_sema_arg(c, d, "name", field->name);
            bl_sema_arg(c, d, "task", task->name);
            bl_sema_arg_type(c, d, "type", field->type);
            continue;
        }
        bl_sema_check_bounds(c, field);
        if (bl_type_kind(type) == BL_TYPE_RECORD)
            check_record(c, bl_type_ref(type), task, seen);
    }
}

/* ---- what it asks
 * -------------------------------------------------------------------------------- */

struct typing {
    struct bl_task_declared *task;
    struct bl_statement **let_tail, **check_tail;
    size_t lets;
};

static struct bl_task_question ask(struct bl_checker *c, const struct typing *t,
                                   struct bl_clause *clause, bl_type want)
{
    struct bl_node *value = bl_slot_node(clause, 0);

    if (value == NULL)
        return (struct bl_task_question){NULL, 0};
    if (want == BL_TYPE_BOOL)
        bl_sema_condition(c, value);
    else
        bl_sema_expect(c, value, want);
    return (struct bl_task_question){value, t->lets};
}

static void read_files(struct bl_checker *c, struct bl_task_declared *task,
                       struct bl_clause *clause)
{
    for (uint32_t i = 0; i < clause->slots[0].count; i++) {
        struct bl_symbol *file =
            bl_sema_find_kind(c, clause->slots[0].nodes[i], BL_SYMBOL_FILE);
        struct bl_symbol **slot = file != NULL ? BL_PUSH(c->arena, task->files) : NULL;

        if (slot != NULL)
            *slot = file;
    }
}

static void read_passes(struct bl_checker *c, struct typing *t, struct bl_clause *clause)
{
    t->task->passes_lets = t->lets;
    for (uint32_t i = 0; i < clause->slots[0].count; i++) {
        struct bl_node *call = clause->slots[0].nodes[i];
        struct bl_statement *row = bl_sema_check_call(c, clause, call);

        if (row == NULL)
            return;
        *t->check_tail = row;
        t->check_tail = &row->next;
    }
}

static void type_row(struct bl_checker *c, struct typing *t, struct bl_clause *clause)
{
    struct bl_task_declared *task = t->task;

    if (clause->id == BL_CLAUSE_TASK_MODEL) {
        task->model = ask(c, t, clause, BL_TYPE_NAME);
    } else if (clause->id == BL_CLAUSE_TASK_TURNS) {
        task->turns = ask(c, t, clause, BL_TYPE_INT);
    } else if (clause->id == BL_CLAUSE_TASK_BUDGET) {
        task->budget = ask(c, t, clause, BL_TYPE_MONEY);
    } else if (clause->id == BL_CLAUSE_TASK_JUDGES) {
        task->judges = ask(c, t, clause, BL_OPTIONAL(BL_ENTITY_TYPE(COMMENT)));
    } else if (clause->id == BL_CLAUSE_TASK_COUNTS) {
        task->counts = ask(c, t, clause, BL_TYPE_BOOL);
    } else if (clause->id == BL_CLAUSE_TASK_FILES) {
        read_files(c, task, clause);
    } else if (clause->id == BL_CLAUSE_TASK_PASSES) {
        read_passes(c, t, clause);
    } else if (clause->id == BL_CLAUSE_TASK_LET) {
        *t->let_tail = bl_sema_let(c, clause);
        if (*t->let_tail != NULL) {
            t->let_tail = &(*t->let_tail)->next;
            t->lets++;
        }
    }
}

static void type_task(struct bl_checker *c, struct bl_symbol *symbol, bool *seen)
{
    struct typing t = {.task = symbol->as.task,
                       .let_tail = &symbol->as.task->lets,
                       .check_tail = &symbol->as.task->passes};
    struct bl_body body;

    bl_sema_body_begin(c, &body, symbol);
    body.ambients_given = true; /* those of the event that it is about */
    if (symbol->as.task->record != UINT32_MAX) {
        body.answer = BL_TYPE_MAKE(BL_TYPE_RECORD, symbol->as.task->record);
        check_record(c, symbol->as.task->record, symbol, seen);
    }
    for (struct bl_clause *clause = symbol->clause->block; clause != NULL;
         clause = clause->next)
        type_row(c, &t, clause);
    bl_sema_body_end(c);
}

void bl_sema_tasks(struct bl_checker *c)
{
    const struct bl_symbol_list *tasks = &c->program->symbols[BL_SYMBOL_TASK];
    bool *seen = BL_NEW_ARRAY(c->arena, c->program->records.count + 1, bool);

    for (size_t i = 0; seen != NULL && i < tasks->count; i++)
        type_task(c, tasks->items[i], seen);
}
