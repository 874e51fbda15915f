/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"

/* The element type of what a loop goes over; ERROR with a message when it is no list. */
static bl_type loop_element(struct bl_checker *c, struct bl_node *list)
{
    bl_type type = bl_sema_type(c, list, BL_NO_TYPE);
    struct bl_diagnostic *d;

    if (bl_is_error(type) || bl_sema_is_absent_here(c, list, type))
        return BL_TYPE_ERROR;
    if (bl_type_is_list(type))
        return bl_type_element(type);
    d = bl_sema_error(c, BL_D_NOT_A_LIST, list->span);
    bl_sema_arg(c, d, "operator", BL_STR("in"));
    bl_sema_arg_type(c, d, "type", type);
    return BL_TYPE_ERROR;
}

static void loop_enter(struct bl_checker *c, struct bl_span span)
{
    c->body->loops++;
    if (c->body->loops == bl_limit(BL_LIMIT_LOOP_DEPTH) + 1) {
        struct bl_diagnostic *d = bl_sema_error(c, BL_D_LOOPS_TOO_DEEP, span);

        bl_diagnostic_int(c->sink, d, "count", (int64_t)bl_limit(BL_LIMIT_LOOP_DEPTH));
    }
}

void bl_sema_loop_leave(struct bl_checker *c)
{
    c->body->loops--;
}

static struct bl_symbol *loop_variable(struct bl_checker *c, struct bl_node *node,
                                       bl_type element)
{
    struct bl_node name = {.span = node->name_span};
    struct bl_symbol *local =
        bl_scope_local(c, BL_LOCAL_LOOP, &name, node->text, element, node->kids[0]);

    node->resolution = BL_RESOLVED_LOOP;
    node->symbol = local;
    return local;
}

struct bl_statement *bl_sema_loop_begin(struct bl_checker *c, struct bl_clause *clause,
                                        bl_type *element)
{
    struct bl_statement *loop = bl_sema_statement_new(c, BL_STATEMENT_FOR, clause);
    struct bl_node *each = bl_slot_node(clause, 0);
    struct bl_node **slot;

    if (loop == NULL)
        return NULL;
    if (each->kid_count > 2 && each->kids[2] != NULL)
        bl_sema_error(c, BL_D_FOR_GIVING, each->kids[2]->span);
    loop->value = each->kids[0];
    loop->condition = each->kid_count > 1 ? each->kids[1] : NULL;
    slot = BL_PUSH(c->arena, loop->items);
    if (slot != NULL)
        *slot = each;
    *element = loop_element(c, each->kids[0]);
    loop_enter(c, each->span);
    return loop;
}

void bl_sema_loop_things(struct bl_checker *c, struct bl_statement *loop, bl_type element)
{
    loop->symbol = loop_variable(c, bl_slot_node(loop->clause, 0), element);
    if (loop->condition != NULL) {
        bl_sema_condition(c, loop->condition);
        bl_sema_assume(c, loop->condition, true);
    }
}

static bl_type type_each(struct bl_checker *c, struct bl_node *node, bl_type element,
                         bl_type want)
{
    bl_type wanted = bl_type_is_list(want) ? bl_type_element(bl_type_base(want)) : BL_NO_TYPE;
    bl_type given;

    if (node->kid_count < 3 || node->kids[2] == NULL)
        return bl_sema_list_of(c, element, node->span);
    given = bl_sema_type(c, node->kids[2], wanted);
    /* What is absent is left out. */
    return bl_sema_list_of(c, bl_type_base(given), node->kids[2]->span);
}

bl_type bl_sema_loop(struct bl_checker *c, struct bl_node *node, bl_type want)
{
    bl_type element, type = BL_TYPE_BOOL;
    struct bl_scope_mark scope;
    struct bl_known_mark known;

    element = loop_element(c, node->kids[0]);
    loop_enter(c, node->span);
    scope = bl_scope_enter(c);
    known = bl_sema_mark(c);
    loop_variable(c, node, element);
    if (node->kid_count > 1 && node->kids[1] != NULL) {
        bl_sema_condition(c, node->kids[1]);
        bl_sema_assume(c, node->kids[1], true);
    }
    if (node->kind == BL_NODE_EACH)
        type = type_each(c, node, element, want);
    else if (node->kind == BL_NODE_COUNT)
        type = BL_TYPE_INT;
    else if (node->kind == BL_NODE_FIRST || node->kind == BL_NODE_LAST)
        type = bl_is_error(element) ? element : BL_OPTIONAL(element);
    bl_sema_forget(c, known);
    bl_scope_leave(c, scope);
    bl_sema_loop_leave(c);
    return type;
}
