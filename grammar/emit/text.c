/* SPDX-License-Identifier: Apache-2.0 */
#include "emit/lowering.h"
#include "sema/sema.h"

/* Own words need no rendering for any place, so a text without a place may take any. */
static enum bl_place place_or_any(enum bl_place place)
{
    return place < BL_PLACE_COUNT ? place : BL_PLACE_LOG;
}

/* `none` for what is absent. */
static unsigned or_none(struct bl_body *body, unsigned value, enum bl_place place,
                        struct bl_span span)
{
    struct bl_code *code = body->code;
    bl_type have = bl_code_type(code, value);
    unsigned shown = bl_code_register(code, bl_shown_type(have, place));
    size_t mark = bl_code_mark(code);
    unsigned is_set = bl_code_register(code, BL_TYPE_BOOL);
    unsigned present = bl_code_register(code, bl_type_base(have));
    unsigned text = bl_code_register(code, bl_render_type(bl_type_base(have), place));
    unsigned behind = bl_code_target(code);
    bl_put(body, BL_OP_MOVE, shown, bl_const_text(body, BL_TYPE_TEXT, BL_STR("none"), span), 0,
           span);
    bl_put(body, BL_OP_IS_SET, is_set, value, 0, span);
    bl_code_jump(code, BL_OP_JUMP_UNLESS, is_set, behind, span);
    bl_put(body, BL_OP_REQUIRE, present, value, 0, span);
    bl_put(body, BL_OP_RENDER, text, present, place, span);
    bl_put(body, BL_OP_MOVE, shown, text, 0, span);
    bl_code_place(code, behind);
    bl_code_release(code, mark);
    return shown;
}

unsigned bl_lower_rendered(struct bl_body *body, struct bl_node *node, enum bl_place place)
{
    unsigned value = bl_lower(body, node);
    bl_type have = bl_code_type(body->code, value);
    if (bl_type_is_optional(have))
        return or_none(body, value, place_or_any(place), node->span);
    bl_type rendered = bl_render_type(have, place_or_any(place));
    if (have == rendered)
        return value;
    unsigned reg = bl_code_register(body->code, rendered);
    bl_put(body, BL_OP_RENDER, reg, value, place_or_any(place), node->span);
    return reg;
}

static bl_type part_type(struct bl_body *body, const struct bl_node *part, enum bl_place place)
{
    if (part->kind == BL_NODE_STRING_PART)
        return BL_TYPE_TEXT;
    return bl_shown_type(bl_emit_type(body->e, part->type), place_or_any(place));
}

unsigned bl_lower_text(struct bl_body *body, struct bl_node *node, enum bl_place place)
{
    struct bl_code *code = body->code;
    if (node->kid_count == 0)
        return bl_const_text(body, BL_TYPE_TEXT, (bl_str){NULL, 0}, node->span);
    if (node->kid_count == 1 && node->kids[0]->kind == BL_NODE_STRING_PART)
        return bl_const_text(body, BL_TYPE_TEXT, node->kids[0]->text, node->span);
    bl_type types[128] = {0};
    uint32_t count = node->kid_count < 128 ? node->kid_count : 128;
    bl_type joined = BL_TYPE_TEXT;
    for (uint32_t i = 0; i < count; i++) {
        types[i] = part_type(body, node->kids[i], place);
        joined = bl_text_join(joined, types[i]);
    }
    unsigned result = bl_code_register(code, joined);
    size_t mark = bl_code_mark(code);
    unsigned first = bl_code_range(code, types, count);
    for (uint32_t i = 0; i < count; i++) {
        size_t inner = bl_code_mark(code);
        struct bl_node *part = node->kids[i];
        unsigned reg = part->kind == BL_NODE_STRING_PART
                           ? bl_const_text(body, BL_TYPE_TEXT, part->text, part->span)
                           : bl_lower_rendered(body, part, place);
        bl_put(body, BL_OP_MOVE, first + i, reg, 0, part->span);
        bl_code_release(code, inner);
    }
    bl_put(body, BL_OP_BUILD, result, first, count, node->span);
    bl_code_release(code, mark);
    return result;
}

unsigned bl_lower_message(struct bl_body *body, struct bl_node *call)
{
    struct bl_symbol *symbol = call->symbol;
    unsigned result = bl_code_register(body->code, bl_emit_type(body->e, symbol->type));
    uint32_t message = bl_emit_message(body->e, symbol);
    size_t mark = bl_code_mark(body->code);
    unsigned first =
        bl_lower_arguments(body, call->kids, call->kid_count, &symbol->as.message->params);
    bl_put(body, BL_OP_MESSAGE, result, first, message, call->span);
    bl_code_release(body->code, mark);
    return result;
}
