/* SPDX-License-Identifier: Apache-2.0 */
#include "emit/lowering.h"

/* attempt(list): the list is asked for in a function of its own, from which a failed read leads
 * back here, to an empty list. The locals that the list names are its parameters. */

#define CAPTURED_MAX 32

struct captured {
    struct bl_symbol *locals[CAPTURED_MAX];
    unsigned registers[CAPTURED_MAX]; /* of the function around it */
    uint32_t serials[CAPTURED_MAX];
    size_t count;
};

static bool is_captured(const struct captured *captured, const struct bl_symbol *local)
{
    for (size_t i = 0; i < captured->count; i++) {
        if (captured->locals[i] == local)
            return true;
    }
    return false;
}

/* Locals of the list itself (the element of an `each` in it) have no register yet. */
static void capture(const struct bl_body *body, const struct bl_node *node,
                    struct captured *captured)
{
    struct bl_symbol *local = node->symbol;
    bool is_local = node->kind == BL_NODE_NAME && node->resolution == BL_RESOLVED_LOCAL &&
                    local->emit[1] == body->serial;

    if (is_local && captured->count < CAPTURED_MAX && !is_captured(captured, local)) {
        captured->registers[captured->count] = local->emit[0];
        captured->serials[captured->count] = local->emit[1];
        captured->locals[captured->count++] = local;
    }
    for (uint32_t i = 0; i < node->kid_count; i++)
        capture(body, node->kids[i], captured);
}

static uint32_t asking_function(struct bl_body *outer, struct bl_node *node, bl_type result,
                                const struct captured *captured)
{
    struct bl_body body =
        bl_body_begin(outer->e, BL_STR("attempt"), BL_FUNCTION_PURE, result, BL_NONE);
    body.span = node->span;
    for (size_t i = 0; i < captured->count; i++)
        bl_body_local(
            &body, captured->locals[i],
            bl_code_param(body.code, bl_code_type(outer->code, captured->registers[i])));
    unsigned list = bl_lower_as(&body, node->kids[0], result);
    unsigned whole = bl_lower_builtin(&body, BL_BUILTIN_ATTEMPT, result, &list, 1, node->span);
    bl_put(&body, BL_OP_RETURN, 0, whole, 0, node->span);
    uint32_t index = bl_body_end(&body);
    for (size_t i = 0; i < captured->count; i++) {
        captured->locals[i]->emit[0] = captured->registers[i];
        captured->locals[i]->emit[1] = captured->serials[i];
    }
    return index;
}

unsigned bl_lower_attempt(struct bl_body *body, struct bl_node *node)
{
    struct bl_code *code = body->code;
    bl_type type = bl_emit_type(body->e, bl_type_base(node->declared));
    struct captured captured = {.count = 0};
    bl_type types[CAPTURED_MAX];

    capture(body, node->kids[0], &captured);
    uint32_t function = asking_function(body, node, type, &captured);
    unsigned list = bl_code_register(code, type);
    size_t mark = bl_code_mark(code);
    for (size_t i = 0; i < captured.count; i++)
        types[i] = bl_code_type(code, captured.registers[i]);
    unsigned first = bl_code_range(code, types, captured.count);
    for (size_t i = 0; i < captured.count; i++)
        bl_put(body, BL_OP_MOVE, first + (unsigned)i, captured.registers[i], 0, node->span);
    unsigned answer = bl_code_register(code, BL_OPTIONAL(type));
    unsigned is_set = bl_code_register(code, BL_TYPE_BOOL);
    unsigned unreadable = bl_code_target(code), behind = bl_code_target(code);
    bl_put(body, BL_OP_ATTEMPT, answer, first, function, node->span);
    bl_put(body, BL_OP_IS_SET, is_set, answer, 0, node->span);
    bl_code_jump(code, BL_OP_JUMP_UNLESS, is_set, unreadable, node->span);
    bl_put(body, BL_OP_REQUIRE, list, answer, 0, node->span);
    bl_code_jump(code, BL_OP_JUMP, 0, behind, node->span);
    bl_code_place(code, unreadable);
    bl_put(body, BL_OP_LIST, list, 0, 0, node->span);
    bl_code_place(code, behind);
    bl_code_release(code, mark);
    return list;
}
