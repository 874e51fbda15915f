/* SPDX-License-Identifier: Apache-2.0 */
#include "emit/lowering.h"

void bl_lower_list(struct bl_body *body, struct bl_statement *list,
                   void (*one)(struct bl_body *, struct bl_statement *, void *), void *context)
{
    for (struct bl_statement *s = list; s != NULL; s = s->next) {
        body->span = s->span;
        one(body, s, context);
        if (body->e->b->status == BL_ERR_LIMIT && body->e->over.source == BL_NO_SOURCE)
            body->e->over = s->span;
    }
}

static void let(struct bl_body *body, struct bl_statement *s)
{
    bl_type type = bl_emit_type(body->e, s->symbol->type);
    unsigned reg = bl_code_register(body->code, type);
    bl_lower_into(body, s->value, reg);
    bl_body_local(body, s->symbol, reg);
}

/* Registers of the block are given back behind it; its locals are not in scope there. */
static void block(struct bl_body *body, struct bl_statement *list,
                  void (*one)(struct bl_body *, struct bl_statement *, void *), void *context)
{
    size_t mark = bl_code_mark(body->code);
    bl_lower_list(body, list, one, context);
    bl_code_release(body->code, mark);
}

static void when(struct bl_body *body, struct bl_statement *s,
                 void (*one)(struct bl_body *, struct bl_statement *, void *), void *context)
{
    struct bl_code *code = body->code;
    unsigned behind = bl_code_target(code);
    for (struct bl_statement *arm = s; arm != NULL; arm = arm->otherwise) {
        if (arm->kind == BL_STATEMENT_OTHERWISE) {
            block(body, arm->body, one, context);
            break;
        }
        unsigned next = arm->otherwise != NULL ? bl_code_target(code) : behind;
        bl_lower_condition(body, arm->condition, false, next);
        block(body, arm->body, one, context);
        if (arm->otherwise != NULL) {
            bl_code_jump(code, BL_OP_JUMP, 0, behind, arm->span);
            bl_code_place(code, next);
        }
    }
    bl_code_place(code, behind);
}

static void loop(struct bl_body *body, struct bl_statement *s,
                 void (*one)(struct bl_body *, struct bl_statement *, void *), void *context)
{
    struct bl_code *code = body->code;
    size_t mark = bl_code_mark(code);
    bl_type list_type = bl_emit_type(body->e, s->value->type);
    unsigned element = bl_code_register(code, bl_type_element(list_type));
    unsigned list = bl_code_loop_list(code, list_type);
    bl_lower_filtered(body, s->value, s->condition, s->symbol, list);
    struct bl_code_loop l = bl_code_loop_begin(code, list, element, s->span);
    bl_body_local(body, s->symbol, element);
    struct bl_rebound rebound = bl_rebind(body, s->symbol, element);
    unsigned next = rebound.ambient == BL_AMBIENT_COUNT ? l.again : bl_code_target(code);
    if (s->condition != NULL)
        bl_lower_condition(body, s->condition, false, next);
    block(body, s->body, one, context);
    if (rebound.ambient != BL_AMBIENT_COUNT) {
        bl_code_place(code, next);
        bl_rebind_restore(body, &rebound);
    }
    bl_code_loop_end(code, &l, s->span);
    bl_code_release(code, mark);
}

bool bl_lower_flow(struct bl_body *body, struct bl_statement *s,
                   void (*one)(struct bl_body *, struct bl_statement *, void *), void *context)
{
    if (s->kind == BL_STATEMENT_LET)
        let(body, s);
    else if (s->kind == BL_STATEMENT_WHEN)
        when(body, s, one, context);
    else if (s->kind == BL_STATEMENT_FOR)
        loop(body, s, one, context);
    else
        return false;
    return true;
}
