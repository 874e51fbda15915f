/* SPDX-License-Identifier: Apache-2.0 */
#include "emit/lowering.h"

/* Quantifiers: any, all, no, first, last, count and each are one loop with a different end. */

struct loop {
    struct bl_body *body;
    struct bl_node *node;
    struct bl_code_loop code;
    unsigned element;
    unsigned result;
};

/* The element as the result's type: the condition may have told which kind of comment it is. */
static unsigned element_as(struct loop *l, bl_type wanted)
{
    struct bl_code *code = l->body->code;
    bl_type have = bl_code_type(code, l->element);
    if (bl_type_fits(have, wanted))
        return l->element;
    return bl_lower_as_posted(l->body, l->element, bl_type_base(wanted), l->node->span);
}

static void constant_bool(struct loop *l, bool value)
{
    uint32_t constant = bl_builder_number(l->body->e->b, BL_TYPE_BOOL, value);
    bl_put(l->body, BL_OP_CONST, l->result, 0, constant, l->node->span);
}

static void give(struct loop *l)
{
    struct bl_body *body = l->body;
    struct bl_node *giving = l->node->kid_count > 2 ? l->node->kids[2] : NULL;
    bl_type element = bl_type_element(bl_code_type(body->code, l->result));
    unsigned value =
        giving != NULL ? bl_lower(body, giving) : element_as(l, BL_OPTIONAL(element));
    bl_put(body, BL_OP_PUSH, l->result, value, 0, l->node->span);
}

static void count_one(struct loop *l)
{
    struct bl_body *body = l->body;
    unsigned one = bl_const_number(body, BL_TYPE_INT, 1, l->node->span);
    bl_put(body, BL_OP_ADD, l->result, l->result, one, l->node->span);
}

static bool is_quantifier(const struct bl_node *node)
{
    return node->kind == BL_NODE_ANY || node->kind == BL_NODE_ALL || node->kind == BL_NODE_NO;
}

static bool leaves_early(const struct bl_node *node)
{
    return is_quantifier(node) || node->kind == BL_NODE_FIRST;
}

/* What an element for which the condition holds (for `all`: does not hold) does. */
static void chosen(struct loop *l)
{
    struct bl_code *code = l->body->code;
    struct bl_node *node = l->node;
    if (is_quantifier(node))
        constant_bool(l, node->kind == BL_NODE_ANY);
    else if (node->kind == BL_NODE_FIRST || node->kind == BL_NODE_LAST)
        bl_put(l->body, BL_OP_MOVE, l->result, element_as(l, bl_code_type(code, l->result)), 0,
               node->span);
    else if (node->kind == BL_NODE_COUNT)
        count_one(l);
    else
        give(l);
    if (leaves_early(node))
        bl_code_jump(code, BL_OP_JUMP, 0, l->code.exit, node->span);
}

static void begin_result(struct loop *l)
{
    struct bl_node *node = l->node;
    if (is_quantifier(node)) {
        constant_bool(l, node->kind != BL_NODE_ANY);
    } else if (node->kind == BL_NODE_FIRST || node->kind == BL_NODE_LAST) {
        bl_put(l->body, BL_OP_ABSENT, l->result, 0, 0, node->span);
    } else if (node->kind == BL_NODE_COUNT) {
        uint32_t zero = bl_builder_number(l->body->e->b, BL_TYPE_INT, 0);
        bl_put(l->body, BL_OP_CONST, l->result, 0, zero, node->span);
    } else {
        bl_put(l->body, BL_OP_LIST, l->result, 0, 0, node->span);
    }
}

unsigned bl_lower_loop(struct bl_body *body, struct bl_node *node)
{
    struct bl_emitter *e = body->e;
    struct bl_code *code = body->code;
    struct loop l = {.body = body, .node = node};
    struct bl_node *where = node->kid_count > 1 ? node->kids[1] : NULL;
    bl_type list_type = bl_emit_type(e, node->kids[0]->type);

    l.result = bl_code_register(code, bl_emit_type(e, node->declared));
    begin_result(&l);
    size_t mark = bl_code_mark(code);
    l.element = bl_code_register(code, bl_type_element(list_type));
    unsigned list = bl_code_loop_list(code, list_type);
    bl_lower_filtered(body, node->kids[0], node->kind != BL_NODE_ALL ? where : NULL,
                      node->symbol, list);
    l.code = bl_code_loop_begin(code, list, l.element, node->span);
    bl_body_local(body, node->symbol, l.element);
    struct bl_rebound rebound = bl_rebind(body, node->symbol, l.element);

    /* A rebound ambient goes back before the loop goes on or is left. */
    unsigned next = rebound.ambient == BL_AMBIENT_COUNT ? l.code.again : bl_code_target(code);
    if (where != NULL)
        bl_lower_condition(body, where, node->kind == BL_NODE_ALL, next);
    if (leaves_early(node))
        bl_rebind_restore(body, &rebound);
    chosen(&l);
    if (rebound.ambient != BL_AMBIENT_COUNT) {
        bl_code_place(code, next);
        bl_rebind_restore(body, &rebound);
    }
    bl_code_loop_end(code, &l.code, node->span);
    bl_code_release(code, mark);
    return l.result;
}
