/* SPDX-License-Identifier: Apache-2.0 */
#include "emit/document_parts.h"

/* A list in a document: those elements for which its condition holds, in its order, at most so
 * many, and how many were left out. Each is a list of its own, made from the one before. */

/* ---- going through a list ----------------------------------------------------------------
 */

struct pass {
    struct bl_body *body;
    struct bl_statement *s;
    struct bl_code_loop code;
    struct bl_rebound rebound;
    unsigned element;
    unsigned next;
    size_t mark;
};

static bl_type list_type(const struct bl_body *body, const struct bl_statement *s)
{
    return bl_emit_type(body->e, bl_type_base(s->value->type));
}

/* Through the list of the statement itself, or one in a register. */
static struct pass begin(struct bl_body *body, struct bl_statement *s, unsigned from,
                         bool is_first)
{
    struct bl_code *code = body->code;
    struct pass p = {.body = body, .s = s, .mark = bl_code_mark(code)};
    bl_type type = list_type(body, s);
    p.element = bl_code_register(code, bl_type_element(type));
    unsigned list = bl_code_loop_list(code, type);
    if (is_first)
        bl_lower_filtered(body, s->value, s->condition, s->symbol, list);
    else
        bl_put(body, BL_OP_MOVE, list, from, 0, s->span);
    p.code = bl_code_loop_begin(code, list, p.element, s->span);
    bl_body_local(body, s->symbol, p.element);
    p.rebound = bl_rebind(body, s->symbol, p.element);
    p.next = p.rebound.ambient == BL_AMBIENT_COUNT ? p.code.again : bl_code_target(code);
    return p;
}

static void end(struct pass *p)
{
    struct bl_code *code = p->body->code;
    if (p->rebound.ambient != BL_AMBIENT_COUNT) {
        bl_code_place(code, p->next);
        bl_rebind_restore(p->body, &p->rebound);
    }
    bl_code_loop_end(code, &p->code, p->s->span);
    bl_code_release(code, p->mark);
}

/* ---- which, and in what order ------------------------------------------------------------
 */

static void choose(struct bl_body *body, struct bl_statement *s, unsigned chosen)
{
    bl_put(body, BL_OP_LIST, chosen, 0, 0, s->span);
    struct pass p = begin(body, s, 0, true);
    if (s->condition != NULL)
        bl_lower_condition(body, s->condition, false, p.next);
    bl_put(body, BL_OP_PUSH, chosen, p.element, 0, s->span);
    end(&p);
}

/* The key of the element at hand: a day is its midnight, and what is absent comes last. */
static void put_key(struct bl_body *body, const struct bl_order_key *key, unsigned keys)
{
    struct bl_code *code = body->code;
    struct bl_span span = key->value->span;
    bl_type type = key->is_most ? BL_TYPE_INT : BL_TYPE_TIME;
    unsigned value = bl_lower(body, key->value);
    unsigned result = bl_code_register(code, type);
    bl_type have = bl_code_type(code, value);
    unsigned behind = bl_code_target(code);
    if (bl_type_is_optional(have)) {
        int64_t last = key->is_most ? INT64_MIN : INT64_MAX;
        unsigned is_set = bl_code_register(code, BL_TYPE_BOOL);
        unsigned present = bl_code_register(code, bl_type_base(have));
        bl_put(body, BL_OP_CONST, result, 0, bl_builder_number(body->e->b, type, last), span);
        bl_put(body, BL_OP_IS_SET, is_set, value, 0, span);
        bl_code_jump(code, BL_OP_JUMP_UNLESS, is_set, behind, span);
        bl_put(body, BL_OP_REQUIRE, present, value, 0, span);
        value = present;
    }
    if (bl_type_is(have, BL_TYPE_DATE))
        value = bl_lower_field(body, value, BL_FIELD_DATE_MIDNIGHT, span);
    bl_put(body, BL_OP_MOVE, result, value, 0, span);
    bl_code_place(code, behind);
    bl_put(body, BL_OP_PUSH, keys, result, 0, span);
}

/* The order is stable, so the last key comes first. */
static void arrange(struct bl_body *body, struct bl_statement *s,
                    const struct bl_order_key *key, unsigned chosen)
{
    struct bl_code *code = body->code;
    size_t mark = bl_code_mark(code);
    bl_type type = BL_LIST_OF(key->is_most ? BL_TYPE_INT : BL_TYPE_TIME);
    unsigned args[2] = {chosen, bl_code_register(code, type)};
    bl_put(body, BL_OP_LIST, args[1], 0, 0, s->span);
    struct pass p = begin(body, s, chosen, false);
    put_key(body, key, args[1]);
    end(&p);
    unsigned sorted =
        bl_lower_builtin(body, key->is_most ? BL_BUILTIN_MOST_FIRST : BL_BUILTIN_OLDEST_FIRST,
                         list_type(body, s), args, 2, key->value->span);
    bl_put(body, BL_OP_MOVE, chosen, sorted, 0, s->span);
    bl_code_release(code, mark);
}

/* ---- how many ----------------------------------------------------------------------------
 */

static unsigned count_of(struct bl_body *body, unsigned list, struct bl_span span)
{
    return bl_lower_builtin(body, BL_BUILTIN_COUNT_OF, BL_TYPE_INT, &list, 1, span);
}

/* The register of how many are left out. */
static unsigned take(struct bl_body *body, struct bl_statement *s, unsigned chosen)
{
    const struct bl_counted *counted = s->counted;
    struct bl_code *code = body->code;
    struct bl_span span = counted->at_most->span;
    unsigned more = bl_code_register(code, BL_TYPE_INT);
    size_t mark = bl_code_mark(code);
    unsigned all = count_of(body, chosen, span);
    unsigned args[2] = {chosen, bl_lower_as(body, counted->at_most, BL_TYPE_INT)};
    unsigned taken = bl_lower_builtin(body, BL_BUILTIN_TAKE, list_type(body, s), args, 2, span);
    bl_put(body, BL_OP_MOVE, chosen, taken, 0, span);
    bl_put(body, BL_OP_SUB, more, all, count_of(body, chosen, span), span);
    bl_code_release(code, mark);
    return more;
}

static void say_more(struct bl_body *body, struct bl_statement *s, struct bl_writing *w,
                     unsigned more)
{
    struct bl_code *code = body->code;
    const struct bl_counted *counted = s->counted;
    struct bl_span span = counted->more_text->span;
    size_t mark = bl_code_mark(code);
    unsigned none_left = bl_code_register(code, BL_TYPE_BOOL);
    unsigned behind = bl_code_target(code);
    bl_body_local(body, counted->more, more);
    bl_put(body, BL_OP_LE, none_left, more, bl_const_number(body, BL_TYPE_INT, 0, span), span);
    bl_code_jump(code, BL_OP_JUMP_IF, none_left, behind, span);
    bl_write_row(body, w, counted->more_text, (bl_str){NULL, 0}, BL_ROW_LINE);
    bl_code_place(code, behind);
    bl_code_release(code, mark);
}

/* ---- all ---------------------------------------------------------------------------------
 */

static void count_on(struct bl_body *body, unsigned position, struct bl_span span)
{
    size_t mark = bl_code_mark(body->code);
    bl_put(body, BL_OP_ADD, position, position, bl_const_number(body, BL_TYPE_INT, 1, span),
           span);
    bl_code_release(body->code, mark);
}

void bl_lower_document_loop(struct bl_body *body, struct bl_statement *s, struct bl_writing *w)
{
    const struct bl_counted *counted = s->counted;
    struct bl_code *code = body->code;
    size_t mark = bl_code_mark(code);
    bool lists = counted->key_count > 0 || counted->at_most != NULL;
    unsigned chosen = 0, more = 0, position = 0;
    if (lists) {
        chosen = bl_code_register(code, list_type(body, s));
        choose(body, s, chosen);
        for (size_t i = counted->key_count; i > 0; i--)
            arrange(body, s, &counted->keys[i - 1], chosen);
        if (counted->at_most != NULL)
            more = take(body, s, chosen);
    }
    if (counted->position->used) {
        position = bl_code_register(code, BL_TYPE_INT);
        bl_put(body, BL_OP_CONST, position, 0, bl_builder_number(body->e->b, BL_TYPE_INT, 0),
               s->span);
        bl_body_local(body, counted->position, position);
    }
    struct pass p = begin(body, s, chosen, !lists);
    if (!lists && s->condition != NULL)
        bl_lower_condition(body, s->condition, false, p.next);
    if (counted->position->used)
        count_on(body, position, s->span);
    size_t inner = bl_code_mark(code);
    bl_lower_list(body, s->body, bl_lower_document_row, w);
    bl_code_release(code, inner);
    end(&p);
    if (counted->more_text != NULL)
        say_more(body, s, w, more);
    bl_code_release(code, mark);
}
