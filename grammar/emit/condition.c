/* SPDX-License-Identifier: Apache-2.0 */
#include "emit/lowering.h"

static void leaf(struct bl_body *body, struct bl_node *node, bool when, unsigned target)
{
    size_t mark = bl_code_mark(body->code);
    unsigned reg = bl_lower(body, node);
    if (node->kind != BL_NODE_BOOL)
        bl_code_condition(body->code);
    bl_code_jump(body->code, when ? BL_OP_JUMP_IF : BL_OP_JUMP_UNLESS, reg, target, node->span);
    bl_code_release(body->code, mark);
}

/* `and` is false at its first false part, `or` true at its first true one. With `when` the
 * other way round the first part leaves over the second. */
static void both(struct bl_body *body, struct bl_node *node, bool when, unsigned target)
{
    bool decides = node->kind == BL_NODE_OR; /* the value of one part that decides */
    if (when == decides) {
        bl_lower_condition(body, node->kids[0], when, target);
        bl_lower_condition(body, node->kids[1], when, target);
        return;
    }
    unsigned behind = bl_code_target(body->code);
    bl_lower_condition(body, node->kids[0], decides, behind);
    bl_lower_condition(body, node->kids[1], when, target);
    bl_code_place(body->code, behind);
}

void bl_lower_condition(struct bl_body *body, struct bl_node *node, bool when, unsigned target)
{
    if (node->kind == BL_NODE_AND || node->kind == BL_NODE_OR)
        both(body, node, when, target);
    else if (node->kind == BL_NODE_NOT)
        bl_lower_condition(body, node->kids[0], !when, target);
    else
        leaf(body, node, when, target);
}
