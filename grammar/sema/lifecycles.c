/* SPDX-License-Identifier: Apache-2.0 */
#include "base/num.h"
#include "sema/checker.h"

/* A lifecycle is a loop over things whose body is since, ends, exempt and the days, in the
 * order in which they are asked: what one rules out is known in those below. */

/* since: a moment or a day; on day: a length of time after it, or a day. */
static void type_day(struct bl_checker *c, struct bl_node *node, bool since)
{
    bl_type type = bl_type_base(bl_sema_type(c, node, BL_NO_TYPE));

    if (bl_is_error(type) || type == BL_TYPE_DATE ||
        type == (since ? BL_TYPE_TIME : BL_TYPE_DURATION))
        return;
    struct bl_diagnostic *d = bl_sema_error(c, BL_D_TYPE_MISMATCH, node->span);

    bl_sema_arg(c, d, "wanted", since ? BL_STR("time or date") : BL_STR("duration or date"));
    bl_sema_arg_type(c, d, "type", type);
}

/* The seconds of a length of time that is known when the policy is compiled; false when it is
 * not. */
static bool known_length(const struct bl_node *node, int64_t *seconds, unsigned settings)
{
    int64_t one, other;

    if (node->resolution == BL_RESOLVED_SETTING)
        return node->symbol->as.setting->value != NULL &&
               settings <= bl_limit(BL_LIMIT_SETTING_CHAIN) &&
               known_length(node->symbol->as.setting->value, seconds, settings + 1);
    if (node->kind == BL_NODE_DURATION) {
        *seconds = node->number;
        return true;
    }
    if (node->kind != BL_NODE_ARITHMETIC || node->op == BL_OPERATOR_MUL ||
        !known_length(node->kids[0], &one, settings) ||
        !known_length(node->kids[1], &other, settings))
        return false;
    *seconds = node->op == BL_OPERATOR_ADD ? bl_int_add(one, other) : bl_int_sub(one, other);
    return true;
}

/* Days are counted, so hours would be dropped without a word. A setting is told where its value
 * stands. */
static void check_whole_days(struct bl_checker *c, const struct bl_node *node)
{
    const struct bl_node *place = node;
    int64_t seconds = 0;
    struct bl_diagnostic *d;

    if (bl_type_base(node->declared) != BL_TYPE_DURATION || !known_length(node, &seconds, 0) ||
        seconds % 86400 == 0)
        return;
    while (place->resolution == BL_RESOLVED_SETTING)
        place = place->symbol->as.setting->value;
    d = bl_sema_error(c, BL_D_DAY_NOT_WHOLE, place->span);
    bl_sema_arg(c, d, "duration", bl_sema_source(c, place->span));
    if (place != node)
        bl_diagnostic_label(c->sink, d, node->span, BL_STR("Days are counted by it here."));
}

static void know_set(struct bl_checker *c, struct bl_node *node)
{
    if (bl_type_is_optional(node->type))
        bl_sema_know(c, node, bl_type_base(node->type));
}

/* ends, exempt: what did not hold is known below. */
static void type_leaving(struct bl_checker *c, struct bl_statement *row,
                         struct bl_clause *clause)
{
    struct bl_known_mark mark;

    row->condition = bl_slot_node(clause, 0);
    bl_sema_condition(c, row->condition);
    mark = bl_sema_mark(c);
    bl_sema_assume(c, row->condition, true);
    row->body = bl_sema_block(c, clause->block);
    bl_sema_forget(c, mark);
    bl_sema_assume(c, row->condition, false);
}

static void type_on_day(struct bl_checker *c, struct bl_statement *row,
                        struct bl_clause *clause)
{
    struct bl_known_mark mark = bl_sema_mark(c);

    row->value = bl_slot_node(clause, 0);
    row->condition = bl_slot_node(clause, 1);
    type_day(c, row->value, false);
    check_whole_days(c, row->value);
    know_set(c, row->value);
    if (row->condition != NULL) {
        bl_sema_condition(c, row->condition);
        bl_sema_assume(c, row->condition, true);
    }
    row->body = bl_sema_block(c, clause->block);
    bl_sema_forget(c, mark);
}

static struct bl_statement *type_row(struct bl_checker *c, struct bl_clause *clause)
{
    struct bl_statement *row = NULL;

    if (clause->id == BL_CLAUSE_LIFECYCLE_LET)
        return bl_sema_let(c, clause);
    if (clause->id == BL_CLAUSE_LIFECYCLE_SINCE) {
        row = bl_sema_statement_new(c, BL_STATEMENT_SINCE, clause);
        if (row == NULL)
            return NULL;
        row->value = bl_slot_node(clause, 0);
        type_day(c, row->value, true);
        know_set(c, row->value);
    } else if (clause->id == BL_CLAUSE_LIFECYCLE_ENDS ||
               clause->id == BL_CLAUSE_LIFECYCLE_EXEMPT) {
        row = bl_sema_statement_new(
            c, clause->id == BL_CLAUSE_LIFECYCLE_ENDS ? BL_STATEMENT_ENDS : BL_STATEMENT_EXEMPT,
            clause);
        if (row != NULL)
            type_leaving(c, row, clause);
    } else if (clause->id == BL_CLAUSE_LIFECYCLE_ON_DAY) {
        row = bl_sema_statement_new(c, BL_STATEMENT_ON_DAY, clause);
        if (row != NULL)
            type_on_day(c, row, clause);
    }
    return row;
}

/* 0: may stand anywhere. */
static unsigned rank_of(enum bl_clause_id id)
{
    switch ((unsigned)id) {
    case BL_CLAUSE_LIFECYCLE_SINCE:
        return 1;
    case BL_CLAUSE_LIFECYCLE_ENDS:
        return 2;
    case BL_CLAUSE_LIFECYCLE_EXEMPT:
        return 3;
    case BL_CLAUSE_LIFECYCLE_ON_DAY:
        return 4;
    }
    return 0;
}

static void check_order(struct bl_checker *c, const struct bl_clause *clauses)
{
    const struct bl_clause *last = NULL;

    for (const struct bl_clause *clause = clauses; clause != NULL; clause = clause->next) {
        unsigned rank = rank_of(clause->id);

        if (rank == 0)
            continue;
        if (last != NULL && rank < rank_of(last->id)) {
            struct bl_diagnostic *d =
                bl_sema_error(c, BL_D_LIFECYCLE_ORDER, clause->node->span);

            bl_sema_arg(c, d, "word", bl_clause_info(clause->id)->words);
            bl_sema_arg(c, d, "other", bl_clause_info(last->id)->words);
            return;
        }
        last = clause;
    }
}

static struct bl_statement *type_rows(struct bl_checker *c, struct bl_clause *clauses)
{
    struct bl_statement *first = NULL;
    struct bl_statement **tail = &first;

    for (struct bl_clause *clause = clauses; clause != NULL; clause = clause->next) {
        *tail = type_row(c, clause);
        if (*tail != NULL)
            tail = &(*tail)->next;
    }
    return first;
}

static struct bl_statement *type_things(struct bl_checker *c, struct bl_symbol *symbol,
                                        struct bl_clause *of)
{
    bl_type element;
    struct bl_statement *loop = bl_sema_loop_begin(c, of, &element);

    if (loop == NULL)
        return NULL;
    bl_sema_loop_things(c, loop, element);
    check_order(c, symbol->clause->block);
    loop->body = type_rows(c, symbol->clause->block);
    bl_sema_loop_leave(c);
    return loop;
}

static struct bl_clause *clause_of(const struct bl_symbol *symbol, enum bl_clause_id id)
{
    for (struct bl_clause *clause = symbol->clause->block; clause != NULL;
         clause = clause->next) {
        if (clause->id == id)
            return clause;
    }
    return NULL;
}

void bl_sema_lifecycle(struct bl_checker *c, struct bl_symbol *symbol)
{
    struct bl_rule *rule = symbol->as.rule;
    struct bl_clause *of = clause_of(symbol, BL_CLAUSE_LIFECYCLE_OF);
    struct bl_clause *at_most = clause_of(symbol, BL_CLAUSE_LIFECYCLE_AT_MOST);
    struct bl_body body;

    bl_sema_body_begin(c, &body, symbol);
    body.needs = &rule->needs;
    body.events = rule->events;
    if (at_most != NULL) {
        rule->at_most = bl_slot_node(at_most, 0);
        bl_sema_expect(c, rule->at_most, BL_TYPE_INT);
    }
    if (of != NULL)
        rule->body = type_things(c, symbol, of);
    rule->capabilities = body.capabilities;
    bl_sema_body_end(c);
    bl_sema_settle_needs(c, &rule->needs, rule->events, false);
}
