/* SPDX-License-Identifier: Apache-2.0 */
#include "emit/lowering.h"

/* The answer that a test gives to a task: a record, with the plainest value wherever the test
 * says nothing. */

static unsigned plain_label(struct bl_body *body, const struct bl_field_declared *field,
                            struct bl_span span)
{
    const struct bl_symbol_list *labels = field->group != NULL
                                              ? &field->group->as.group->labels
                                              : &body->e->program->symbols[BL_SYMBOL_LABEL];
    bl_str shown = labels->count > 0 ? labels->items[0]->as.label->shown : (bl_str){NULL, 0};
    return bl_const_text(body, BL_TYPE_LABEL, shown, span);
}

static void record_into(struct bl_body *body, uint32_t record, struct bl_pair *pairs,
                        struct bl_span span, unsigned reg);

static void plain_into(struct bl_body *body, const struct bl_field_declared *field,
                       struct bl_span span, unsigned reg)
{
    bl_type type = bl_code_type(body->code, reg);
    int64_t number = 0;
    if (bl_type_is_optional(type)) {
        bl_put(body, BL_OP_ABSENT, reg, 0, 0, span);
        return;
    }
    if (bl_type_kind(type) == BL_TYPE_RECORD) {
        record_into(body, bl_type_ref(field->type), NULL, span, reg);
        return;
    }
    if (field->min != NULL && bl_type_kind(type) == BL_TYPE_INT)
        number = field->min->number;
    unsigned value = bl_type_kind(type) == BL_TYPE_UNTRUSTED
                         ? bl_const_text(body, BL_TYPE_TEXT, (bl_str){NULL, 0}, span)
                     : bl_type_kind(type) == BL_TYPE_LABEL
                         ? plain_label(body, field, span)
                         : bl_const_number(body, type, number, span);
    bl_put(body, BL_OP_MOVE, reg, value, 0, span);
}

static void push(struct bl_body *body, unsigned list, unsigned value, struct bl_span span)
{
    bl_put(body, BL_OP_PUSH, list, value, 0, span);
}

static void element(struct bl_body *body, bl_type type, struct bl_node *value, unsigned list)
{
    if (!bl_type_is_list(value->type)) {
        push(body, list, bl_lower_as(body, value, bl_type_element(type)), value->span);
        return;
    }
    unsigned items = bl_code_loop_list(body->code, type);
    unsigned item = bl_code_register(body->code, bl_type_element(type));
    bl_lower_into(body, value, items);
    struct bl_code_loop loop = bl_code_loop_begin(body->code, items, item, value->span);
    push(body, list, item, value->span);
    bl_code_loop_end(body->code, &loop, value->span);
}

static void list_into(struct bl_body *body, const struct bl_field_declared *field,
                      struct bl_pair *pairs, struct bl_span span, unsigned reg)
{
    bl_type type = bl_type_base(bl_code_type(body->code, reg));
    size_t outer = bl_code_mark(body->code);
    unsigned list = bl_code_register(body->code, type);
    bl_put(body, BL_OP_LIST, list, 0, 0, span);
    for (struct bl_pair *pair = pairs; pair != NULL; pair = pair->next) {
        if (!bl_str_equal(pair->name, field->name))
            continue;
        size_t mark = bl_code_mark(body->code);
        for (uint32_t i = 0; i < pair->value_count; i++)
            element(body, type, pair->values[i], list);
        if (pair->value_count == 0) {
            unsigned item = bl_code_register(body->code, bl_type_element(type));
            record_into(body, bl_type_ref(field->type), pair->inner, pair->span, item);
            push(body, list, item, pair->span);
        }
        bl_code_release(body->code, mark);
    }
    bl_put(body, BL_OP_MOVE, reg, list, 0, span);
    bl_code_release(body->code, outer);
}

static void field_into(struct bl_body *body, const struct bl_field_declared *field,
                       struct bl_pair *pairs, struct bl_span span, unsigned reg)
{
    struct bl_pair *given = pairs;
    while (given != NULL && !bl_str_equal(given->name, field->name))
        given = given->next;
    bool optional = bl_type_is_optional(field->type);
    if (bl_type_is_list(field->type) && (given != NULL || !optional))
        list_into(body, field, pairs, span, reg);
    else if (given == NULL)
        plain_into(body, field, span, reg);
    else if (given->value_count > 0)
        bl_lower_into(body, given->values[0], reg);
    else
        record_into(body, bl_type_ref(field->type), given->inner, given->span, reg);
}

static void record_into(struct bl_body *body, uint32_t record, struct bl_pair *pairs,
                        struct bl_span span, unsigned reg)
{
    struct bl_emitter *e = body->e;
    const struct bl_record_declared *declared = &e->program->records.items[record];
    bl_type *types = BL_NEW_ARRAY(e->arena, declared->count + 1, bl_type);
    if (types == NULL)
        return;
    for (size_t i = 0; i < declared->count; i++)
        types[i] = bl_emit_type(e, declared->fields[i].type);
    size_t mark = bl_code_mark(body->code);
    unsigned first = bl_code_range(body->code, types, declared->count);
    for (size_t i = 0; i < declared->count; i++)
        field_into(body, &declared->fields[i], pairs, span, first + (unsigned)i);
    bl_type type = bl_emit_type(e, BL_TYPE_MAKE(BL_TYPE_RECORD, record));
    unsigned made = bl_code_register(body->code, type);
    bl_put(body, BL_OP_RECORD, made, first, bl_type_ref(type), span);
    bl_put(body, BL_OP_MOVE, reg, made, 0, span);
    bl_code_release(body->code, mark);
}

void bl_lower_answer(struct bl_body *body, struct bl_statement *s, unsigned reg)
{
    uint32_t record = s->symbol->as.task->record;
    if (record != UINT32_MAX)
        record_into(body, record, s->pairs, s->span, reg);
    else
        bl_put(body, BL_OP_CONST, reg, 0, bl_builder_number(body->e->b, BL_TYPE_BOOL, 1),
               s->span);
}
