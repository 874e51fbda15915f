/* SPDX-License-Identifier: Apache-2.0 */
#include "emit/lowering.h"

/* ---- jobs
 * ----------------------------------------------------------------------------------------- */

uint32_t bl_emit_job(const struct bl_symbol *job)
{
    return job != NULL ? job->number : BL_NONE;
}

struct bl_entry bl_emit_entry(struct bl_emitter *e, enum bl_entry_kind kind, bl_str name,
                              struct bl_span at)
{
    return (struct bl_entry){.kind = kind,
                             .name = bl_builder_string(e->b, name),
                             .function = BL_NONE,
                             .job = BL_NONE,
                             .first_access = BL_NONE,
                             .source = at.source,
                             .lo = at.lo,
                             .hi = at.hi};
}

static uint32_t when_function(struct bl_emitter *e, const struct bl_symbol *symbol)
{
    const struct bl_job *job = symbol->as.job;
    if (job->when.count == 0)
        return BL_NONE;
    struct bl_body body =
        bl_body_begin(e, symbol->name, BL_FUNCTION_PURE, BL_TYPE_BOOL, BL_NONE);
    bl_lower_given(&body, job);
    unsigned no = bl_code_target(body.code);
    for (size_t i = 0; i < job->when.count; i++)
        bl_lower_condition(&body, job->when.items[i], false, no);
    bl_put(&body, BL_OP_RETURN_BOOL, 0, 0, true, symbol->span);
    bl_code_place(body.code, no);
    bl_put(&body, BL_OP_RETURN_BOOL, 0, 0, false, symbol->span);
    return bl_body_end(&body);
}

void bl_emit_jobs(struct bl_emitter *e)
{
    struct bl_symbol_list *jobs = &e->program->symbols[BL_SYMBOL_JOB];
    for (size_t i = 0; i < jobs->count; i++) {
        const struct bl_symbol *symbol = jobs->items[i];
        const struct bl_job *job = symbol->as.job;
        struct bl_module_job row = {
            .name = bl_builder_string(e->b, symbol->name),
            .capabilities = job->capabilities,
            .runs_rules = job->runs == BL_RUNS_RULES,
            .runs_answers = job->runs == BL_RUNS_ANSWERS,
            .when = when_function(e, symbol),
            .events = {(uint32_t)job->events, (uint32_t)(job->events >> 32)},
            .engine = job->engine != NULL && job->engine->emit[0] != 0
                          ? job->engine->emit[0] - 1
                          : BL_NONE,
            .decision = BL_NONE};
        bl_add_JOBS(e->b, row);
    }
}

/* ---- rules
 * ------------------------------------------------------------------------------------------ */

static void fired(struct bl_body *body, struct bl_span span)
{
    if (!body->may_fire)
        return;
    body->may_fire = false;
    bl_put(body, BL_OP_FIRED, 0, 0, 0, span);
}

static void statement(struct bl_body *body, struct bl_statement *s, void *context);

/* A `when` without a block is a condition of the whole rule. */
static bool is_condition_of_all(const struct bl_statement *s)
{
    return s->kind == BL_STATEMENT_WHEN && s->clause != NULL && !s->clause->has_block;
}

static void statement(struct bl_body *body, struct bl_statement *s, void *context)
{
    if (body->may_fire && is_condition_of_all(s)) {
        bl_lower_condition(body, s->condition, false, body->not_fired);
        bl_lower_list(body, s->body, statement, context);
        return;
    }
    if (s->kind != BL_STATEMENT_LET)
        fired(body, s->span);
    if (!bl_lower_flow(body, s, statement, context))
        bl_lower_effect(body, s);
}

static uint32_t rule_function(struct bl_emitter *e, struct bl_symbol *symbol)
{
    const struct bl_rule *rule = symbol->as.rule;
    struct bl_body body =
        bl_body_begin(e, symbol->name, BL_FUNCTION_ENTRY, BL_TYPE_BOOL, bl_emit_job(rule->job));
    body.may_fire = true;
    body.not_fired = bl_code_target(body.code);
    bl_lower_list(&body, rule->body, statement, NULL);
    fired(&body, symbol->span);
    bl_put(&body, BL_OP_RETURN_BOOL, 0, 0, true, symbol->span);
    bl_code_place(body.code, body.not_fired);
    bl_put(&body, BL_OP_RETURN_BOOL, 0, 0, false, symbol->span);
    return bl_body_end(&body);
}

static void add_rule(struct bl_emitter *e, struct bl_symbol *symbol)
{
    const struct bl_rule *rule = symbol->as.rule;
    struct bl_entry row = bl_emit_entry(e, BL_ENTRY_RULE, symbol->name, symbol->span);
    row.job = bl_emit_job(rule->job);
    uint32_t entry = bl_add_ENTRIES(e->b, row);
    symbol->emit[0] = entry + 1;
    uint32_t function = rule_function(e, symbol);
    if (entry < e->b->ENTRIES.count)
        e->b->ENTRIES.items[entry].function = function;
    if (rule->answers != NULL)
        bl_add_ANSWER_RULES(e->b, (struct bl_answer_rule){rule->answers->number, entry});
    for (unsigned event = 0; event < BL_EVENT_COUNT; event++)
        if ((rule->events >> event & 1) != 0)
            bl_builder_event_rule(e->b, (enum bl_event_id)event, entry);
}

static int by_name(const struct bl_symbol *a, const struct bl_symbol *b)
{
    return bl_str_compare(a->name, b->name);
}

/* Merges two sorted halves; the symbols of a kind are few enough to be copied. */
static void sort(struct bl_symbol **list, struct bl_symbol **scratch, size_t count)
{
    if (count < 2)
        return;
    size_t half = count / 2;
    sort(list, scratch, half);
    sort(list + half, scratch, count - half);
    size_t a = 0, b = half;
    for (size_t i = 0; i < count; i++)
        scratch[i] =
            b == count || (a < half && by_name(list[a], list[b]) <= 0) ? list[a++] : list[b++];
    for (size_t i = 0; i < count; i++)
        list[i] = scratch[i];
}

/* The rules of events, or those of answers, by their names. */
static size_t collect(struct bl_emitter *e, bool of_answers, struct bl_symbol **rules)
{
    const struct bl_symbol_list *all = &e->program->symbols[BL_SYMBOL_RULE];
    size_t count = 0;
    for (size_t i = 0; i < all->count; i++) {
        const struct bl_rule *rule = all->items[i]->as.rule;
        bool is_of_answers = rule->answers != NULL;
        if (is_of_answers == of_answers && (of_answers || rule->events != 0))
            rules[count++] = all->items[i];
    }
    sort(rules, rules + count, count);
    return count;
}

static void overrides(struct bl_emitter *e, struct bl_symbol **rules, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct bl_symbol_list *over = &rules[i]->as.rule->over;
        for (size_t k = 0; k < over->count; k++)
            if (over->items[k]->emit[0] != 0)
                bl_builder_override(e->b, rules[i]->emit[0] - 1, over->items[k]->emit[0] - 1);
    }
}

void bl_emit_rules(struct bl_emitter *e)
{
    size_t all = e->program->symbols[BL_SYMBOL_RULE].count;
    struct bl_symbol **rules = BL_NEW_ARRAY(e->arena, 4 * all + 1, struct bl_symbol *);
    if (rules == NULL)
        return;
    struct bl_symbol **of_answers = rules + 2 * all;
    size_t count = collect(e, false, rules);
    size_t answers = collect(e, true, of_answers);
    bl_emit_plan_access(e, rules, count);
    for (size_t i = 0; i < count; i++)
        add_rule(e, rules[i]);
    for (size_t i = 0; i < answers; i++)
        add_rule(e, of_answers[i]);
    overrides(e, rules, count);
    overrides(e, of_answers, answers);
    bl_emit_access(e, rules, count);
}
