/* SPDX-License-Identifier: Apache-2.0 */
#include "emit/lowering.h"

/* ---- operators
 * ----------------------------------------------------------------------------------- */

static unsigned negated(struct bl_body *body, unsigned reg, struct bl_span span)
{
    bl_code_condition(body->code);
    bl_put(body, BL_OP_NOT, reg, reg, 0, span);
    return reg;
}

static unsigned constant_false(struct bl_body *body, bool value, struct bl_span span)
{
    return bl_const_number(body, BL_TYPE_BOOL, value, span);
}

/* In an expectation: both absent, or both equal. */
static unsigned same(struct bl_body *body, struct bl_node *node, unsigned left, unsigned right)
{
    struct bl_code *code = body->code;
    unsigned result = bl_code_register(code, BL_TYPE_BOOL);
    size_t mark = bl_code_mark(code);
    unsigned a = bl_code_register(code, BL_TYPE_BOOL);
    unsigned behind = bl_code_target(code);
    bl_put(body, BL_OP_EQ, result, left, right, node->span);
    bl_code_condition(code);
    bl_code_jump(code, BL_OP_JUMP_IF, result, behind, node->span);
    bl_put(body, BL_OP_IS_SET, a, left, 0, node->span);
    bl_code_jump(code, BL_OP_JUMP_IF, a, behind, node->span);
    bl_put(body, BL_OP_IS_SET, a, right, 0, node->span);
    bl_put(body, BL_OP_NOT, result, a, 0, node->span);
    bl_code_place(code, behind);
    bl_code_release(code, mark);
    if (node->op == BL_OPERATOR_NE)
        bl_put(body, BL_OP_NOT, result, result, 0, node->span);
    return result;
}

static enum bl_opcode opcode_of(enum bl_operator op)
{
    switch (op) {
    case BL_OPERATOR_EQ:
        return BL_OP_EQ;
    case BL_OPERATOR_NE:
        return BL_OP_NE;
    case BL_OPERATOR_LT:
    case BL_OPERATOR_GT:
        return BL_OP_LT;
    case BL_OPERATOR_LE:
    case BL_OPERATOR_GE:
        return BL_OP_LE;
    case BL_OPERATOR_IN:
    case BL_OPERATOR_HAS:
    case BL_OPERATOR_LACKS:
        return BL_OP_IN;
    case BL_OPERATOR_CONTAINS:
        return BL_OP_CONTAINS;
    case BL_OPERATOR_STARTS_WITH:
        return BL_OP_STARTS;
    case BL_OPERATOR_ENDS_WITH:
        return BL_OP_ENDS;
    case BL_OPERATOR_MATCHES:
        return BL_OP_MATCHES;
    case BL_OPERATOR_ADD:
        return BL_OP_ADD;
    case BL_OPERATOR_SUB:
        return BL_OP_SUB;
    case BL_OPERATOR_MUL:
        return BL_OP_MUL;
    case BL_OPERATOR_NONE:
        break;
    }
    return BL_OP_EQ;
}

static unsigned has_label(struct bl_body *body, struct bl_node *node)
{
    unsigned result = bl_code_register(body->code, BL_TYPE_BOOL);
    size_t mark = bl_code_mark(body->code);
    unsigned thing = bl_lower(body, node->kids[0]);
    unsigned labels = bl_code_register(body->code, BL_LIST_OF(BL_TYPE_LABEL));
    bl_put(body, BL_OP_FIELD, labels, thing, node->index, node->kids[0]->span);
    unsigned label = bl_lower(body, node->kids[1]);
    bl_put(body, BL_OP_IN, result, label, labels, node->span);
    bl_code_release(body->code, mark);
    return node->op == BL_OPERATOR_LACKS ? negated(body, result, node->span) : result;
}

static unsigned holds_secret(struct bl_body *body, struct bl_node *node)
{
    unsigned result = bl_code_register(body->code, BL_TYPE_BOOL);
    size_t mark = bl_code_mark(body->code);
    uint32_t set = bl_emit_secrets(body->e, node->symbol);
    unsigned text = bl_lower(body, node->kids[0]);
    bl_put(body, BL_OP_HOLDS, result, text, set, node->span);
    bl_code_release(body->code, mark);
    return result;
}

unsigned bl_lower_comparison(struct bl_body *body, struct bl_node *node)
{
    if (node->resolution == BL_RESOLVED_HAS)
        return has_label(body, node);
    if (node->resolution == BL_RESOLVED_SECRETS)
        return holds_secret(body, node);
    struct bl_node *left = node->kids[0], *right = node->kids[1];
    unsigned result = bl_code_register(body->code, BL_TYPE_BOOL);
    size_t mark = bl_code_mark(body->code);
    bool no_left = bl_type_is(left->type, BL_TYPE_NONE);
    bool no_right = bl_type_is(right->type, BL_TYPE_NONE);
    bl_type a_type = bl_emit_type(body->e, no_left ? BL_OPTIONAL(right->type) : left->type);
    bl_type b_type = bl_emit_type(body->e, no_right ? BL_OPTIONAL(left->type) : right->type);
    if (no_left && no_right)
        return constant_false(body, node->op == BL_OPERATOR_NE, node->span);
    /* An empty list literal has no element of its own to say what it holds. */
    if (node->op == BL_OPERATOR_IN && bl_type_element(b_type) == BL_TYPE_ERROR)
        b_type = BL_LIST_OF(a_type);
    unsigned a = bl_lower_as(body, left, a_type);
    uint32_t sought = bl_emit_sought(body->e, node);
    if (sought != BL_NONE) {
        bl_put(body, BL_OP_FOUND, result, a, sought, node->span);
        bl_code_release(body->code, mark);
        return result;
    }
    unsigned b = bl_lower_as(body, right, b_type);
    if (node->resolution == BL_RESOLVED_SAME) {
        unsigned answer = same(body, node, a, b);
        bl_put(body, BL_OP_MOVE, result, answer, 0, node->span);
    } else {
        enum bl_opcode op =
            node->resolution == BL_RESOLVED_GLOB ? BL_OP_GLOB : opcode_of(node->op);
        bool swapped = node->op == BL_OPERATOR_GT || node->op == BL_OPERATOR_GE;
        bl_put(body, op, result, swapped ? b : a, swapped ? a : b, node->span);
    }
    bl_code_release(body->code, mark);
    return result;
}

unsigned bl_lower_arithmetic(struct bl_body *body, struct bl_node *node)
{
    unsigned result = bl_typed_register(body, node);
    bl_type type = bl_code_type(body->code, result);
    size_t mark = bl_code_mark(body->code);
    unsigned operands[2];
    for (unsigned i = 0; i < 2; i++) {
        bl_type own = bl_emit_type(body->e, node->kids[i]->type);
        bool is_empty = bl_type_is_list(own) && bl_type_element(own) == BL_TYPE_ERROR;
        operands[i] = bl_lower_as(body, node->kids[i], is_empty ? type : own);
    }
    bl_put(body, opcode_of(node->op), result, operands[0], operands[1], node->span);
    bl_code_release(body->code, mark);
    return result;
}

unsigned bl_lower_is(struct bl_body *body, struct bl_node *node)
{
    struct bl_code *code = body->code;
    unsigned result = bl_code_register(code, BL_TYPE_BOOL);
    size_t mark = bl_code_mark(code);
    bool negate = node->kind == BL_NODE_IS_NOT;
    unsigned value;
    switch (node->resolution) {
    case BL_RESOLVED_IS_SET:
    case BL_RESOLVED_IS_ABSENT:
        bl_put(body, BL_OP_IS_SET, result, bl_lower(body, node->kids[0]), 0, node->span);
        negate = negate != (node->resolution == BL_RESOLVED_IS_ABSENT);
        break;
    case BL_RESOLVED_IS_EVENT:
        bl_put(body, BL_OP_EVENT_IS, result, 0, node->index, node->span);
        break;
    case BL_RESOLVED_IS_ACTOR:
        value = bl_lower_call(body, node, node->kids, 1);
        bl_put(body, BL_OP_MOVE, result, value, 0, node->span);
        break;
    case BL_RESOLVED_IS_KIND: {
        bl_type kind = bl_emit_type(body->e, BL_TYPE_MAKE(BL_TYPE_POSTED, node->index));
        value = bl_lower(body, node->kids[0]);
        unsigned ours = bl_lower_as_posted(body, value, kind, node->span);
        bl_put(body, BL_OP_IS_SET, result, ours, 0, node->span);
        break;
    }
    case BL_RESOLVED_IS_COMMAND:
        value = bl_lower_is_command(body, node);
        bl_put(body, BL_OP_MOVE, result, value, 0, node->span);
        break;
    case BL_RESOLVED_IS_PULL:
        value = bl_lower(body, node->kids[0]);
        bl_put(body, BL_OP_FIELD, result, value, BL_FIELD_ISSUE_IS_PULL_REQUEST, node->span);
        break;
    default:
        bl_emit_defect(body->e, node->span, BL_STR("an 'is'"));
        break;
    }
    bl_code_release(code, mark);
    return negate ? negated(body, result, node->span) : result;
}

/* ---- choices
 * -------------------------------------------------------------------------------------- */

unsigned bl_lower_if(struct bl_body *body, struct bl_node *node)
{
    struct bl_code *code = body->code;
    unsigned result = bl_typed_register(body, node);
    unsigned otherwise = bl_code_target(code), behind = bl_code_target(code);
    bl_lower_condition(body, node->kids[0], false, otherwise);
    bl_lower_into(body, node->kids[1], result);
    bl_code_jump(code, BL_OP_JUMP, 0, behind, node->span);
    bl_code_place(code, otherwise);
    bl_lower_into(body, node->kids[2], result);
    bl_code_place(code, behind);
    return result;
}

unsigned bl_lower_else(struct bl_body *body, struct bl_node *node)
{
    struct bl_code *code = body->code;
    unsigned result = bl_typed_register(body, node);
    bl_type type = bl_code_type(code, result);
    size_t mark = bl_code_mark(code);
    unsigned value = bl_lower(body, node->kids[0]);
    unsigned is_set = bl_code_register(code, BL_TYPE_BOOL);
    unsigned otherwise = bl_code_target(code), behind = bl_code_target(code);
    bl_put(body, BL_OP_IS_SET, is_set, value, 0, node->span);
    bl_code_jump(code, BL_OP_JUMP_UNLESS, is_set, otherwise, node->span);
    bl_put(body, bl_type_is_optional(type) ? BL_OP_MOVE : BL_OP_REQUIRE, result, value, 0,
           node->span);
    bl_code_jump(code, BL_OP_JUMP, 0, behind, node->span);
    bl_code_place(code, otherwise);
    bl_lower_into(body, node->kids[1], result);
    bl_code_place(code, behind);
    bl_code_release(code, mark);
    return result;
}

unsigned bl_lower_boolean(struct bl_body *body, struct bl_node *node)
{
    struct bl_code *code = body->code;
    unsigned result = bl_const_number(body, BL_TYPE_BOOL, 0, node->span);
    unsigned behind = bl_code_target(code);
    bl_lower_condition(body, node, false, behind);
    bl_put(body, BL_OP_CONST, result, 0, bl_builder_number(body->e->b, BL_TYPE_BOOL, 1),
           node->span);
    bl_code_place(code, behind);
    return result;
}
