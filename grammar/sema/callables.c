/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"

/* define, decision, check, actor: signatures first, bodies when they are asked for. */

enum state { STATE_NEW, STATE_SIGNED, STATE_TYPING, STATE_IN_CYCLE, STATE_DONE };

/* ---- signatures
 * ------------------------------------------------------------------------------------ */

static enum bl_level read_level(struct bl_checker *c, const struct bl_node *node)
{
    static const struct {
        const char *name;
        enum bl_level level;
    } levels[] = {{"anyone", BL_LEVEL_ANYONE},
                  {"ai", BL_LEVEL_AI},
                  {"maintainer", BL_LEVEL_MAINTAINER},
                  {"policy", BL_LEVEL_POLICY}};
    struct bl_diagnostic *d;

    if (node == NULL)
        return BL_LEVEL_ANYONE;
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        if (bl_str_equal(bl_str_from(levels[i].name), node->text))
            return levels[i].level;
    }
    d = bl_sema_error(c, BL_D_UNKNOWN_LEVEL, node->span);
    bl_sema_arg(c, d, "name", node->text);
    return BL_LEVEL_ANYONE;
}

enum bl_level bl_sema_read_level(struct bl_checker *c, const struct bl_node *node)
{
    return read_level(c, node);
}

static void sign_callable(struct bl_checker *c, struct bl_symbol *symbol)
{
    struct bl_callable *callable = symbol->as.callable;
    struct bl_clause *clause = symbol->clause;
    struct bl_body body;

    bl_sema_body_begin(c, &body, symbol);
    bl_sema_read_params(c, bl_slot_node(clause, 0), &callable->params);
    bl_sema_body_end(c);
    callable->is_gate = clause->id == BL_CLAUSE_GATE;
    callable->is_screen = clause->id == BL_CLAUSE_SCREEN;
    symbol->type = BL_TYPE_ERROR;
    if (symbol->kind == BL_SYMBOL_CHECK) {
        symbol->type = BL_ENTITY_TYPE(VERDICT);
    } else if (symbol->kind == BL_SYMBOL_ACTOR) {
        symbol->type = BL_TYPE_BOOL;
        callable->level = read_level(c, bl_slot_node(clause, 1));
    } else if (clause->slots[1].count > 0) {
        symbol->type = bl_sema_read_type(c, clause->slots[1].nodes, clause->slots[1].count,
                                         NULL, symbol->name, NULL);
        callable->is_typed = true;
    }
    callable->result = symbol->type;
    callable->state = STATE_SIGNED;
}

void bl_sema_signature(struct bl_checker *c, struct bl_symbol *symbol)
{
    if (symbol->as.callable->state == STATE_NEW)
        sign_callable(c, symbol);
}

/* ---- bodies
 * ---------------------------------------------------------------------------------------- */

static void report_cycle(struct bl_checker *c, struct bl_symbol *symbol, struct bl_span use)
{
    struct bl_diagnostic *d = bl_sema_error(c, BL_D_DEFINITION_CYCLE, use);

    bl_sema_arg(c, d, "name", symbol->name);
    for (struct bl_body *body = c->body; body != NULL && body->symbol != symbol;
         body = body->outer) {
        if (body->symbol != NULL)
            bl_diagnostic_label(c->sink, d, body->symbol->span,
                                bl_sema_text(c, "'%.*s' is asked for on the way.",
                                             BL_STR_ARG(body->symbol->name)));
    }
    symbol->as.callable->state = STATE_IN_CYCLE;
}

static void infer_result(struct bl_checker *c, struct bl_symbol *symbol, bl_type type)
{
    struct bl_callable *callable = symbol->as.callable;
    bl_type element = bl_type_base(type);

    while (bl_type_is_list(element))
        element = bl_type_element(element);
    if (callable->is_typed || callable->state == STATE_IN_CYCLE)
        return;
    if (bl_type_kind(type) == BL_TYPE_NONE || (bl_is_error(element) && bl_type_is_list(type))) {
        struct bl_diagnostic *d = bl_sema_error(c, BL_D_TYPE_NEEDED, symbol->span);

        bl_sema_arg(c, d, "name", symbol->name);
        type = BL_TYPE_ERROR;
    }
    symbol->type = callable->result = type;
}

static void type_value(struct bl_checker *c, struct bl_symbol *symbol, struct bl_node *value)
{
    struct bl_callable *callable = symbol->as.callable;

    callable->value = value;
    if (callable->is_typed || symbol->kind == BL_SYMBOL_ACTOR)
        bl_sema_expect(c, value, symbol->type);
    else
        infer_result(c, symbol, bl_sema_type(c, value, BL_NO_TYPE));
}

static void type_define(struct bl_checker *c, struct bl_symbol *symbol)
{
    struct bl_clause *clause = symbol->clause;
    struct bl_node *value = bl_slot_node(clause, 2);

    if ((value != NULL) == clause->has_block) {
        bl_sema_error(c, BL_D_DEFINE_SHAPE, symbol->span);
        symbol->as.callable->state = STATE_IN_CYCLE;
        return;
    }
    if (value != NULL) {
        type_value(c, symbol, value);
        return;
    }
    c->body->gives = symbol->as.callable->is_typed ? symbol->type : BL_NO_TYPE;
    symbol->as.callable->body = bl_sema_block(c, clause->block);
    infer_result(c, symbol, c->body->given);
}

static void type_actor(struct bl_checker *c, struct bl_symbol *symbol)
{
    const struct bl_symbol_list *params = &symbol->as.callable->params;

    if (params->count != 1)
        bl_sema_error(c, BL_D_ACTOR_PARAMETER, symbol->span);
    type_value(c, symbol, bl_slot_node(symbol->clause, 2));
}

static void type_check(struct bl_checker *c, struct bl_symbol *symbol)
{
    struct bl_callable *callable = symbol->as.callable;

    for (struct bl_clause *clause = symbol->clause->block; clause != NULL;
         clause = clause->next) {
        if (clause->id != BL_CLAUSE_UNREADABLE)
            continue;
        callable->unreadable = bl_slot_node(clause, 0);
        bl_sema_plain_text(c, callable->unreadable);
        if (!callable->is_gate)
            bl_sema_error(c, BL_D_UNREADABLE_ALONE, clause->node->span);
    }
    callable->body = bl_sema_block(c, symbol->clause->block);
    if (callable->is_screen && c->body->reads) {
        struct bl_diagnostic *d = bl_sema_error(
            c, BL_D_SCREEN_READS,
            c->body->first_read != NULL ? c->body->first_read->span : symbol->span);

        bl_sema_arg(c, d, "name", symbol->name);
    }
}

static void finish(struct bl_checker *c, struct bl_symbol *symbol)
{
    struct bl_callable *callable = symbol->as.callable;

    callable->reads = c->body->reads;
    callable->calls = c->body->calls;
    for (size_t i = 0; i < callable->needs.count; i++) {
        if (!callable->needs.items[i].is_field)
            callable->ambients |= BL_AMBIENT_BIT(callable->needs.items[i].what);
    }
    callable->state = STATE_DONE;
}

static void report_too_deep(struct bl_checker *c, struct bl_symbol *symbol, struct bl_span use)
{
    struct bl_diagnostic *d = bl_sema_error(c, BL_D_CALLS_TOO_DEEP, use);

    bl_sema_arg(c, d, "name", symbol->name);
    bl_diagnostic_int(c->sink, d, "count", (int64_t)bl_limit(BL_LIMIT_CALL_DEPTH));
}

void bl_sema_count_calls(struct bl_checker *c, struct bl_symbol *symbol, unsigned below,
                         struct bl_span use)
{
    if (c->body == NULL || c->body->calls > below)
        return;
    c->body->calls = below + 1;
    if (c->body->calls == bl_limit(BL_LIMIT_CALL_DEPTH))
        report_too_deep(c, symbol, use);
}

void bl_sema_callable(struct bl_checker *c, struct bl_symbol *symbol, struct bl_span use)
{
    struct bl_callable *callable = symbol->as.callable;
    struct bl_body body;

    bl_sema_signature(c, symbol);
    if (callable->state == STATE_TYPING)
        report_cycle(c, symbol, use);
    if (callable->state == STATE_DONE)
        bl_sema_count_calls(c, symbol, callable->calls, use);
    if (callable->state != STATE_SIGNED)
        return;
    if (!bl_sema_nest(c, symbol)) {
        report_too_deep(c, symbol, use);
        callable->state = STATE_DONE;
        return;
    }
    callable->state = STATE_TYPING;
    bl_sema_body_begin(c, &body, symbol);
    body.needs = &callable->needs;
    body.answer = callable->answer;
    for (size_t i = 0; i < callable->params.count; i++)
        bl_scope_bring(c, callable->params.items[i]);
    if (symbol->kind == BL_SYMBOL_DEFINE)
        type_define(c, symbol);
    else if (symbol->kind == BL_SYMBOL_ACTOR)
        type_actor(c, symbol);
    else if (symbol->kind == BL_SYMBOL_DECISION)
        callable->body =
            bl_sema_rows(c, symbol->clause->block, symbol->type, false, symbol->span);
    else
        type_check(c, symbol);
    finish(c, symbol);
    bl_sema_body_end(c);
    bl_sema_unnest(c, symbol);
    if (c->body != NULL && c->body->calls <= callable->calls)
        c->body->calls = callable->calls + 1;
}

/* ---- rows
 * ------------------------------------------------------------------------------------------ */

static bool is_otherwise(const struct bl_node *node)
{
    return node->kind == BL_NODE_NAME && bl_str_equal(node->text, BL_STR("otherwise"));
}

static struct bl_statement *read_row(struct bl_checker *c, struct bl_clause *clause,
                                     bl_type want, bool texts)
{
    struct bl_statement *row = bl_sema_statement_new(c, BL_STATEMENT_ROW, clause);
    struct bl_node *condition = bl_slot_node(clause, 0);
    struct bl_node *value = bl_slot_node(clause, 1);
    struct bl_known_mark mark = bl_sema_mark(c);

    if (row == NULL)
        return NULL;
    if (!is_otherwise(condition)) {
        row->condition = condition;
        bl_sema_condition(c, condition);
        bl_sema_assume(c, condition, true);
    }
    if (texts) {
        row->text = value;
        bl_sema_type(c, value, BL_NO_TYPE);
    } else {
        row->value = value;
        bl_sema_expect(c, value, want);
    }
    bl_sema_forget(c, mark);
    bl_sema_assume(c, row->condition, false);
    return row;
}

struct bl_statement *bl_sema_rows(struct bl_checker *c, struct bl_clause *clauses, bl_type want,
                                  bool texts, struct bl_span owner)
{
    struct bl_statement *first = NULL;
    struct bl_statement **tail = &first;
    struct bl_scope_mark scope = bl_scope_enter(c);
    struct bl_known_mark mark = bl_sema_mark(c);
    const struct bl_statement *last = NULL;
    struct bl_clause *at_end = NULL;

    for (struct bl_clause *clause = clauses; clause != NULL; clause = clause->next) {
        if (last != NULL && last->kind == BL_STATEMENT_ROW && last->condition == NULL)
            bl_sema_error(c, BL_D_BEHIND_OTHERWISE, clause->node->span);
        *tail = clause->id == BL_CLAUSE_DECISION_LET ? bl_sema_let(c, clause)
                                                     : read_row(c, clause, want, texts);
        if (*tail == NULL)
            break;
        last = *tail;
        at_end = clause;
        tail = &(*tail)->next;
    }
    if (last != NULL && (last->kind != BL_STATEMENT_ROW || last->condition != NULL))
        bl_diagnostic_label(c->sink, bl_sema_error(c, BL_D_NO_OTHERWISE, owner),
                            at_end->node->span, BL_STR("It belongs below this row."));
    bl_sema_forget(c, mark);
    bl_scope_leave(c, scope);
    return first;
}
