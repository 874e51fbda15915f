/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"

struct bl_statement *bl_sema_statement_new(struct bl_checker *c, enum bl_statement_kind kind,
                                           struct bl_clause *clause)
{
    struct bl_statement *statement = BL_NEW(c->arena, struct bl_statement);

    if (statement == NULL)
        return NULL;
    statement->kind = kind;
    statement->clause = clause;
    statement->span = clause->node->span;
    statement->target = BL_AMBIENT_COUNT;
    statement->place = BL_PLACE_COUNT;
    return statement;
}

/* ---- let, for
 * ------------------------------------------------------------------------------------ */

struct bl_statement *bl_sema_let(struct bl_checker *c, struct bl_clause *clause)
{
    struct bl_statement *let = bl_sema_statement_new(c, BL_STATEMENT_LET, clause);
    struct bl_node *name = bl_slot_node(clause, 0);
    struct bl_node *value = bl_slot_node(clause, 2);
    bl_type type;

    if (let == NULL)
        return NULL;
    let->value = value;
    if (clause->slots[1].count > 0) {
        type = bl_sema_read_type(c, clause->slots[1].nodes, clause->slots[1].count, NULL,
                                 name->text, NULL);
        bl_sema_expect(c, value, type);
    } else {
        type = bl_sema_type(c, value, BL_NO_TYPE);
        if (bl_type_kind(type) == BL_TYPE_NONE ||
            (bl_type_kind(type) == BL_TYPE_ERROR && bl_type_is_list(type))) {
            struct bl_diagnostic *d = bl_sema_error(c, BL_D_TYPE_NEEDED, name->span);

            bl_sema_arg(c, d, "name", name->text);
            type = BL_TYPE_ERROR;
        }
    }
    let->symbol = bl_scope_local(c, BL_LOCAL_LET, name, name->text, type, value);
    return let;
}

static struct bl_statement *type_for(struct bl_checker *c, struct bl_clause *clause)
{
    struct bl_scope_mark scope;
    struct bl_known_mark mark;
    bl_type element;
    struct bl_statement *loop = bl_sema_loop_begin(c, clause, &element);

    if (loop == NULL)
        return NULL;
    scope = bl_scope_enter(c);
    mark = bl_sema_mark(c);
    if (c->body->place != BL_PLACE_COUNT)
        loop->counted = bl_sema_counted(c);
    bl_sema_loop_things(c, loop, element);
    if (loop->counted != NULL)
        bl_sema_order(c, loop->counted, clause->block);
    c->body->list = clause->block;
    loop->body = bl_sema_block(c, clause->block);
    bl_sema_forget(c, mark);
    bl_scope_leave(c, scope);
    bl_sema_loop_leave(c);
    if (loop->counted != NULL)
        bl_sema_at_most(c, loop->counted, clause->block);
    return loop;
}

/* ---- when, otherwise
 * ------------------------------------------------------------------------------- */

static bool is_arm(const struct bl_clause *clause)
{
    return clause != NULL &&
           (clause->id == BL_CLAUSE_OTHERWISE_WHEN || clause->id == BL_CLAUSE_OTHERWISE);
}

static struct bl_statement *type_arm(struct bl_checker *c, struct bl_clause *clause)
{
    bool last = clause->id == BL_CLAUSE_OTHERWISE;
    struct bl_statement *arm =
        bl_sema_statement_new(c, last ? BL_STATEMENT_OTHERWISE : BL_STATEMENT_WHEN, clause);
    struct bl_known_mark mark = bl_sema_mark(c);

    if (arm == NULL)
        return NULL;
    if (!last) {
        arm->condition = bl_slot_node(clause, 0);
        bl_sema_condition(c, arm->condition);
        bl_sema_assume(c, arm->condition, true);
    }
    arm->body = bl_sema_block(c, clause->block);
    bl_sema_forget(c, mark);
    return arm;
}

/* A chain of arms; *clause is its first clause, and afterwards its last. */
static struct bl_statement *type_chain(struct bl_checker *c, struct bl_clause **clause)
{
    struct bl_statement *first = type_arm(c, *clause);
    struct bl_statement *arm = first;
    struct bl_known_mark mark = bl_sema_mark(c);

    while (arm != NULL && is_arm((*clause)->next)) {
        *clause = (*clause)->next;
        if (arm->kind == BL_STATEMENT_OTHERWISE) {
            bl_sema_error(c, BL_D_OTHERWISE_ALONE, (*clause)->node->kids[0]->span);
            continue;
        }
        bl_sema_assume(c, arm->condition, false);
        arm->otherwise = type_arm(c, *clause);
        arm = arm->otherwise;
    }
    bl_sema_forget(c, mark);
    return first;
}

/* `when C` in a rule: everything behind it stands in its body. */
static struct bl_statement *type_bare_when(struct bl_checker *c, struct bl_clause *clause)
{
    struct bl_statement *when = bl_sema_statement_new(c, BL_STATEMENT_WHEN, clause);

    if (when == NULL)
        return NULL;
    when->condition = bl_slot_node(clause, 0);
    bl_sema_condition(c, when->condition);
    bl_sema_assume(c, when->condition, true);
    return when;
}

/* ---- checks
 * ---------------------------------------------------------------------------------------- */

static void row_text(struct bl_checker *c, struct bl_statement *row, struct bl_node *text)
{
    row->text = text;
    if (text != NULL)
        bl_sema_expect(c, text, BL_TYPE_TEXT);
}

static struct bl_statement *type_refuse(struct bl_checker *c, struct bl_clause *clause,
                                        enum bl_statement_kind kind)
{
    struct bl_statement *row = bl_sema_statement_new(c, kind, clause);
    struct bl_known_mark mark;
    bool require = kind == BL_STATEMENT_REQUIRE;

    if (row == NULL)
        return NULL;
    row->name = bl_slot_node(clause, 0)->text;
    row->condition = bl_slot_node(clause, 1);
    bl_sema_condition(c, row->condition);
    mark = bl_sema_mark(c);
    bl_sema_assume(c, row->condition, !require);
    row_text(c, row, kind == BL_STATEMENT_PASS ? NULL : bl_slot_node(clause, 2));
    bl_sema_forget(c, mark);
    bl_sema_assume(c, row->condition, require);
    return row;
}

struct bl_statement *bl_sema_check_call(struct bl_checker *c, struct bl_clause *clause,
                                        struct bl_node *call)
{
    struct bl_statement *row = bl_sema_statement_new(c, BL_STATEMENT_CHECK, clause);

    if (row == NULL)
        return NULL;
    row->value = call;
    bl_sema_expect(c, call, BL_ENTITY_TYPE(VERDICT));
    if (!bl_is_error(call->type) &&
        (call->resolution != BL_RESOLVED_CALL || call->symbol->kind != BL_SYMBOL_CHECK))
        bl_sema_error(c, BL_D_CHECK_CALL, call->span);
    return row;
}

struct bl_statement *bl_sema_check_row(struct bl_checker *c, struct bl_clause *clause)
{
    if (clause->id == BL_CLAUSE_REFUSE || clause->id == BL_CLAUSE_COMMANDS_REFUSE)
        return type_refuse(c, clause, BL_STATEMENT_REFUSE);
    if (clause->id == BL_CLAUSE_REQUIRE)
        return type_refuse(c, clause, BL_STATEMENT_REQUIRE);
    if (clause->id == BL_CLAUSE_PASS)
        return type_refuse(c, clause, BL_STATEMENT_PASS);
    if (clause->id == BL_CLAUSE_CHECK_CALL)
        return bl_sema_check_call(c, clause, bl_slot_node(clause, 0));
    return NULL;
}

/* ---- all
 * -------------------------------------------------------------------------------------------
 */

static struct bl_statement *type_give(struct bl_checker *c, struct bl_clause *clause)
{
    struct bl_statement *give = bl_sema_statement_new(c, BL_STATEMENT_GIVE, clause);

    if (give == NULL)
        return NULL;
    give->value = bl_slot_node(clause, 0);
    c->body->given = bl_is_error(c->body->gives)
                         ? bl_sema_type(c, give->value, BL_NO_TYPE)
                         : bl_sema_expect(c, give->value, c->body->gives);
    if (clause->next != NULL)
        bl_sema_error(c, BL_D_BEHIND_GIVE, clause->next->node->span);
    return give;
}

/* Clauses of a declaration that are no statements: `on`, `by`, `language` … */
static bool is_head(enum bl_clause_id id)
{
    enum bl_clause_block block = bl_clause_info(id)->block;

    return block == BL_BLOCK_RULE || block == BL_BLOCK_COMMENT || block == BL_BLOCK_COMMAND ||
           block == BL_BLOCK_ENTRY || block == BL_BLOCK_CHECK || block == BL_BLOCK_REPORT;
}

static struct bl_statement *type_statement(struct bl_checker *c, struct bl_clause **at)
{
    struct bl_clause *clause = *at;
    struct bl_statement *row;

    if (clause->id == BL_CLAUSE_LET || clause->id == BL_CLAUSE_DEFINE_LET ||
        clause->id == BL_CLAUSE_LIFECYCLE_LET || clause->id == BL_CLAUSE_TASK_LET)
        return bl_sema_let(c, clause);
    if (clause->id == BL_CLAUSE_GIVE)
        return type_give(c, clause);
    if (clause->id == BL_CLAUSE_FOR)
        return type_for(c, clause);
    if (clause->id == BL_CLAUSE_WHEN)
        return type_chain(c, at);
    if (is_arm(clause)) {
        bl_sema_error(c, BL_D_OTHERWISE_ALONE, clause->node->kids[0]->span);
        return NULL;
    }
    row = bl_sema_check_row(c, clause);
    if (row != NULL)
        return row;
    if (bl_clause_info(clause->id)->block == BL_BLOCK_DOCUMENT)
        return bl_sema_document_row(c, clause);
    return bl_sema_effect(c, clause);
}

/* Each stands in the body of the one before: passes recurse. */
static void too_many_conditions(struct bl_checker *c, const struct bl_clause *clause)
{
    struct bl_diagnostic *d = bl_sema_error(c, BL_D_TOO_DEEP, clause->node->span);

    bl_diagnostic_int(c->sink, d, "limit", (int64_t)bl_limit(BL_LIMIT_NESTING));
}

struct bl_statement *bl_sema_statements(struct bl_checker *c, struct bl_clause *clauses)
{
    struct bl_statement *first = NULL;
    struct bl_statement **tail = &first;
    bool top = c->body->top;
    bool is_list = clauses != NULL && clauses == c->body->list;
    unsigned conditions = 0;

    for (struct bl_clause *clause = clauses; clause != NULL; clause = clause->next) {
        if (is_head(clause->id) || (is_list && bl_sema_is_of_list(clause->id)))
            continue;
        if (clause->id == BL_CLAUSE_WHEN && !clause->has_block) {
            if (!top)
                bl_sema_error(c, BL_D_WHEN_WITHOUT_BLOCK, clause->node->span);
            else if (++conditions == bl_limit(BL_LIMIT_NESTING))
                too_many_conditions(c, clause);
            else if ((*tail = type_bare_when(c, clause)) != NULL)
                tail = &(*tail)->body;
            continue;
        }
        c->body->top = false;
        *tail = type_statement(c, &clause);
        c->body->top = top;
        if (*tail != NULL)
            tail = &(*tail)->next;
    }
    return first;
}

struct bl_statement *bl_sema_block(struct bl_checker *c, struct bl_clause *clauses)
{
    struct bl_scope_mark scope = bl_scope_enter(c);
    struct bl_known_mark mark = bl_sema_mark(c);
    struct bl_statement *first = bl_sema_statements(c, clauses);

    bl_sema_forget(c, mark);
    bl_scope_leave(c, scope);
    return first;
}
