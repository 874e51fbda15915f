/* SPDX-License-Identifier: Apache-2.0 */
#include "emit/lowering.h"

/* ---- define, decision
 * --------------------------------------------------------------------------- */

static void give(struct bl_body *body, struct bl_node *value, bl_type type)
{
    size_t mark = bl_code_mark(body->code);
    bl_put(body, BL_OP_RETURN, 0, bl_lower_as(body, value, type), 0, value->span);
    bl_code_release(body->code, mark);
}

/* Statements whose rows end the function with a value of this type. */
static void value_statement(struct bl_body *body, struct bl_statement *s, void *context)
{
    bl_type type = *(const bl_type *)context;
    if (s->kind == BL_STATEMENT_GIVE) {
        give(body, s->value, type);
    } else if (s->kind == BL_STATEMENT_ROW) {
        struct bl_node *value = s->value != NULL ? s->value : s->text;
        if (s->condition == NULL) {
            give(body, value, type);
            bl_code_row(body->code);
            return;
        }
        unsigned next = bl_code_target(body->code);
        bl_lower_condition(body, s->condition, false, next);
        give(body, value, type);
        bl_code_row(body->code);
        bl_code_place(body->code, next);
    } else {
        (void)bl_lower_flow(body, s, value_statement, context);
    }
}

/* ---- check
 * ------------------------------------------------------------------------------------------ */

#define VERDICT_TYPE BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_VERDICT)

void bl_lower_verdict(struct bl_body *body, bool passes, bl_str rule, struct bl_node *text,
                      struct bl_span span)
{
    struct bl_emitter *e = body->e;
    bl_type types[3] = {BL_TYPE_BOOL, BL_TYPE_NAME,
                        BL_TYPE_MAKE(BL_TYPE_CLEAN, 1u << BL_PLACE_LOG)};
    size_t mark = bl_code_mark(body->code);
    unsigned result = bl_code_register(body->code, VERDICT_TYPE);
    unsigned first = bl_code_range(body->code, types, 3);
    bl_put(body, BL_OP_CONST, first, 0, bl_builder_number(e->b, BL_TYPE_BOOL, passes), span);
    bl_put(body, BL_OP_CONST, first + 1, 0, bl_builder_text(e->b, BL_TYPE_NAME, rule), span);
    unsigned words = text != NULL ? bl_lower_text(body, text, BL_PLACE_LOG)
                                  : bl_const_text(body, BL_TYPE_TEXT, (bl_str){NULL, 0}, span);
    bl_put(body, BL_OP_MOVE, first + 2, words, 0, span);
    bl_put(body, BL_OP_VERDICT, result, first, 0, span);
    bl_put(body, BL_OP_RETURN, 0, result, 0, span);
    bl_code_release(body->code, mark);
}

/* `check other(…)`: its refusal is this one's. */
static void ask_other(struct bl_body *body, struct bl_statement *s)
{
    struct bl_code *code = body->code;
    size_t mark = bl_code_mark(code);
    unsigned answer = bl_lower(body, s->value);
    unsigned passes = bl_code_register(code, BL_TYPE_BOOL);
    unsigned behind = bl_code_target(code);
    bl_put(body, BL_OP_FIELD, passes, answer, BL_FIELD_VERDICT_PASSES, s->span);
    bl_code_jump(code, BL_OP_JUMP_IF, passes, behind, s->span);
    bl_put(body, BL_OP_RETURN, 0, answer, 0, s->span);
    bl_code_place(code, behind);
    bl_code_release(code, mark);
}

void bl_lower_check(struct bl_body *body, struct bl_statement *s, void *context)
{
    if (bl_lower_flow(body, s, bl_lower_check, context))
        return;
    if (s->kind == BL_STATEMENT_CHECK) {
        ask_other(body, s);
        return;
    }
    bool holds = s->kind != BL_STATEMENT_REQUIRE; /* the row decides when its condition is so */
    unsigned next = bl_code_target(body->code);
    bl_lower_condition(body, s->condition, !holds, next);
    bl_lower_verdict(body, s->kind == BL_STATEMENT_PASS, s->name, s->text, s->span);
    bl_code_row(body->code);
    bl_code_place(body->code, next);
}

/* ---- functions
 * ---------------------------------------------------------------------------------------- */

/* A gate asks the rows in a function of their own, and refuses when something cannot be read.
 */
static uint32_t gate_around(struct bl_emitter *e, struct bl_symbol *symbol, uint32_t rows)
{
    struct bl_callable *callable = symbol->as.callable;
    struct bl_body body =
        bl_body_begin(e, symbol->name, BL_FUNCTION_PURE, VERDICT_TYPE, BL_NONE);
    bl_body_params(&body, &callable->params);
    body.span = symbol->span;
    unsigned answer = bl_code_register(body.code, BL_OPTIONAL(VERDICT_TYPE));
    unsigned is_set = bl_code_register(body.code, BL_TYPE_BOOL);
    unsigned there = bl_code_register(body.code, VERDICT_TYPE);
    unsigned unreadable = bl_code_target(body.code);
    bl_put(&body, BL_OP_GATE, answer, 0, rows, symbol->span);
    bl_put(&body, BL_OP_IS_SET, is_set, answer, 0, symbol->span);
    bl_code_jump(body.code, BL_OP_JUMP_UNLESS, is_set, unreadable, symbol->span);
    bl_put(&body, BL_OP_REQUIRE, there, answer, 0, symbol->span);
    bl_put(&body, BL_OP_RETURN, 0, there, 0, symbol->span);
    bl_code_place(body.code, unreadable);
    bl_lower_verdict(&body, false, BL_STR("unreadable"), callable->unreadable, symbol->span);
    return bl_body_end(&body);
}

uint32_t bl_emit_callable(struct bl_emitter *e, struct bl_symbol *symbol)
{
    if (symbol->emit[0] != 0)
        return symbol->emit[0] - 1;
    struct bl_callable *callable = symbol->as.callable;
    bl_type result = bl_emit_type(e, callable->result);
    struct bl_body body = bl_body_begin(e, symbol->name, BL_FUNCTION_PURE, result, BL_NONE);
    bl_body_params(&body, &callable->params);
    body.span = symbol->span;
    for (size_t i = 0; i < callable->params.count; i++)
        bl_rebind(&body, callable->params.items[i],
                  bl_body_local_register(&body, callable->params.items[i]));
    if (symbol->kind == BL_SYMBOL_CHECK) {
        bl_lower_list(&body, callable->body, bl_lower_check, NULL);
        bl_lower_verdict(&body, true, BL_STR("allowed"), NULL, symbol->span);
    } else if (callable->value != NULL) {
        give(&body, callable->value, result);
    } else {
        bl_lower_list(&body, callable->body, value_statement, &result);
    }
    uint32_t index = bl_body_end(&body);
    if (callable->is_gate)
        index = gate_around(e, symbol, index);
    symbol->emit[0] = index + 1;
    return index;
}

static uint32_t message_function(struct bl_emitter *e, struct bl_symbol *symbol,
                                 struct bl_message_text *text)
{
    bl_type result = bl_emit_type(e, symbol->type);
    struct bl_body body = bl_body_begin(e, symbol->name, BL_FUNCTION_PURE, result, BL_NONE);
    bl_body_params(&body, &text->params);
    body.span = text->span;
    if (text->text != NULL) {
        unsigned words = bl_lower_text(&body, text->text, BL_PLACE_COMMENT);
        bl_put(&body, BL_OP_RETURN, 0, words, 0, text->span);
    } else {
        bl_lower_list(&body, text->rows, value_statement, &result);
    }
    return bl_body_end(&body);
}

uint32_t bl_emit_message(struct bl_emitter *e, struct bl_symbol *symbol)
{
    if (symbol->emit[0] != 0)
        return symbol->emit[0] - 1;
    struct bl_message *message = symbol->as.message;
    const struct bl_symbol_list *locales = &e->program->symbols[BL_SYMBOL_LOCALE];
    uint32_t *functions = BL_NEW_ARRAY(e->arena, locales->count + 1, uint32_t);
    for (size_t i = 0; functions != NULL && i < locales->count; i++) {
        functions[i] = BL_NONE;
        for (size_t t = 0; t < message->count; t++)
            if (message->texts[t].locale == locales->items[i])
                functions[i] = message_function(e, symbol, &message->texts[t]);
    }
    /* What the reference lacks comes from the first catalog that has it, there and in all
     * languages that fall back to the reference. */
    if (functions != NULL && locales->count > 0 && functions[0] == BL_NONE &&
        message->count > 0)
        functions[0] = message_function(e, symbol, &message->texts[0]);
    uint32_t index = bl_builder_message(e->b, symbol->name, functions, locales->count,
                                        (uint32_t)message->params.count);
    symbol->emit[0] = index + 1;
    return index;
}
