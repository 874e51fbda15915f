/* SPDX-License-Identifier: Apache-2.0 */
#include "emit/lowering.h"

/* A step is a function; when it begins with `for each`, each element is a unit of its own: one
 * function gives the list, the other takes one element and asks the `where` first, so that a
 * read that fails there fails that unit alone. */

static void statement(struct bl_body *body, struct bl_statement *s, void *context)
{
    if (!bl_lower_flow(body, s, statement, context))
        bl_lower_effect(body, s);
}

static struct bl_statement *leading_loop(const struct bl_rule *step)
{
    struct bl_statement *first = step->body;
    bool alone = first != NULL && first->kind == BL_STATEMENT_FOR && first->next == NULL;
    return alone ? first : NULL;
}

static uint32_t units_function(struct bl_emitter *e, bl_str name,
                               const struct bl_statement *loop)
{
    struct bl_node *list = loop->value;
    bl_type type = bl_emit_type(e, list->type);
    struct bl_body body = bl_body_begin(e, name, BL_FUNCTION_PURE, type, BL_NONE);
    unsigned value = bl_code_register(body.code, type);
    bl_lower_filtered(&body, list, loop->condition, loop->symbol, value);
    bl_put(&body, BL_OP_RETURN, 0, value, 0, list->span);
    return bl_body_end(&body);
}

static uint32_t unit_function(struct bl_emitter *e, struct bl_symbol *step,
                              struct bl_statement *loop)
{
    uint32_t job = bl_emit_job(step->as.rule->job);
    struct bl_body body = bl_body_begin(e, step->name, BL_FUNCTION_ENTRY, BL_TYPE_NONE, job);
    body.span = step->span;
    bl_type element = bl_type_element(bl_emit_type(e, loop->value->type));
    unsigned thing = bl_code_param(body.code, element);
    bl_body_local(&body, loop->symbol, thing);
    unsigned behind = bl_code_target(body.code);
    if (loop->condition != NULL)
        bl_lower_condition(&body, loop->condition, false, behind);
    if (step->kind == BL_SYMBOL_LIFECYCLE)
        bl_lower_lifecycle(&body, loop->body, step->span);
    else
        bl_lower_list(&body, loop->body, statement, NULL);
    bl_code_place(body.code, behind);
    bl_put(&body, BL_OP_END, 0, 0, 0, step->span);
    return bl_body_end(&body);
}

static uint32_t whole_function(struct bl_emitter *e, struct bl_symbol *step)
{
    uint32_t job = bl_emit_job(step->as.rule->job);
    struct bl_body body = bl_body_begin(e, step->name, BL_FUNCTION_ENTRY, BL_TYPE_NONE, job);
    body.span = step->span;
    bl_lower_list(&body, step->as.rule->body, statement, NULL);
    bl_put(&body, BL_OP_END, 0, 0, 0, step->span);
    return bl_body_end(&body);
}

static uint32_t question_function(struct bl_emitter *e, bl_str name, bl_type type,
                                  struct bl_node *question)
{
    struct bl_body body = bl_body_begin(e, name, BL_FUNCTION_PURE, type, BL_NONE);
    unsigned value = bl_lower_as(&body, question, type);
    bl_put(&body, BL_OP_RETURN, 0, value, 0, question->span);
    return bl_body_end(&body);
}

static void step(struct bl_emitter *e, const struct bl_sweep_item *item, struct bl_symbol *job)
{
    struct bl_symbol *symbol = item->symbol;
    bool is_report = symbol->kind == BL_SYMBOL_REPORT;
    struct bl_statement *loop = is_report ? NULL : leading_loop(symbol->as.rule);
    struct bl_entry row = bl_emit_entry(e, is_report ? BL_ENTRY_REPORT : BL_ENTRY_STEP,
                                        symbol->name, symbol->span);
    row.job = bl_emit_job(job);
    struct bl_module_step more = bl_plain_step(BL_NONE);
    more.attempted = item->attempted;
    if (loop != NULL) {
        enum bl_ambient ambient = loop->symbol->as.local->rebinds;
        more.units = units_function(e, symbol->name, loop);
        more.ambient = ambient == BL_AMBIENT_COUNT ? BL_NONE : (uint32_t)ambient;
    }
    if (item->condition != NULL)
        more.when = question_function(e, symbol->name, BL_TYPE_BOOL, item->condition);
    if (!is_report && symbol->as.rule->at_most != NULL)
        more.at_most =
            question_function(e, symbol->name, BL_TYPE_INT, symbol->as.rule->at_most);
    uint32_t entry = more.entry = bl_add_ENTRIES(e->b, row);
    bl_add_STEPS(e->b, more);
    uint32_t function = is_report      ? bl_emit_report(e, symbol, row.job)
                        : loop != NULL ? unit_function(e, symbol, loop)
                                       : whole_function(e, symbol);
    if (entry < e->b->ENTRIES.count)
        e->b->ENTRIES.items[entry].function = function;
}

/* What is said when the engine of the job has ended. */
static void reports_of_engine(struct bl_emitter *e, struct bl_symbol *job)
{
    struct bl_symbol_list *reports = &e->program->symbols[BL_SYMBOL_REPORT];
    for (size_t i = 0; i < reports->count; i++) {
        struct bl_symbol *report = reports->items[i];
        const struct bl_sweep_item item = {.symbol = report, .span = report->span};
        if (report->as.document->of_engine)
            step(e, &item, job);
    }
}

void bl_emit_sweeps(struct bl_emitter *e)
{
    struct bl_symbol_list *jobs = &e->program->symbols[BL_SYMBOL_JOB];
    for (size_t i = 0; i < jobs->count; i++) {
        struct bl_job *job = jobs->items[i]->as.job;
        size_t first = e->b->ENTRIES.count;
        if (job->engine != NULL)
            reports_of_engine(e, jobs->items[i]);
        else if (job->runs != BL_RUNS_SWEEP || job->sweep == NULL)
            continue;
        for (size_t k = 0; job->sweep != NULL && k < job->sweep->as.sweep->count; k++)
            step(e, &job->sweep->as.sweep->items[k], jobs->items[i]);
        if (i < e->b->JOBS.count) {
            e->b->JOBS.items[i].first_step = (uint32_t)first;
            e->b->JOBS.items[i].step_count = (uint32_t)(e->b->ENTRIES.count - first);
        }
    }
}

/* Decisions, checks and defines by name: `bylaw try`. */
static void questions(struct bl_emitter *e, enum bl_symbol_kind kind, enum bl_entry_kind entry)
{
    struct bl_symbol_list *list = &e->program->symbols[kind];
    for (size_t i = 0; i < list->count; i++) {
        struct bl_symbol *symbol = list->items[i];
        /* Of what says an answer only the instances are whole. */
        bool waits = kind != BL_SYMBOL_SANITIZER && symbol->as.callable->says_answer;
        if (waits)
            continue;
        bool is_screen = kind == BL_SYMBOL_CHECK && symbol->as.callable->is_screen;
        struct bl_entry row =
            bl_emit_entry(e, is_screen ? BL_ENTRY_SCREEN : entry, symbol->name, symbol->span);
        row.function = entry == BL_ENTRY_SANITIZER ? bl_emit_sanitizer(e, symbol)
                                                   : bl_emit_callable(e, symbol);
        bl_add_ENTRIES(e->b, row);
    }
}

void bl_emit_questions(struct bl_emitter *e)
{
    questions(e, BL_SYMBOL_DECISION, BL_ENTRY_DECISION);
    questions(e, BL_SYMBOL_CHECK, BL_ENTRY_CHECK);
    questions(e, BL_SYMBOL_SANITIZER, BL_ENTRY_SANITIZER);
}
