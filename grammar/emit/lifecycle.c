/* SPDX-License-Identifier: Apache-2.0 */
#include "emit/lowering.h"

/* One thing of a lifecycle: since, ends, exempt, then of the days that have come the latest
 * one, of equal days the first. Every day is asked before anything is planned, since a later
 * one may have come too; then the one that was chosen plans its effects. */

struct waiting {
    struct bl_body *body;
    unsigned since; /* its day in UTC, set behind SINCE */
    unsigned today;
    unsigned chosen; /* number of the row, int */
    unsigned best;   /* its day, date? */
    unsigned behind; /* target */
    int64_t row;     /* number of the next row */
};

static void effects(struct bl_body *body, struct bl_statement *s, void *context)
{
    if (!bl_lower_flow(body, s, effects, context))
        bl_lower_effect(body, s);
}

/* The value of a node that may be absent, present; goes to `absent` when it is. */
static unsigned present(struct bl_body *body, struct bl_node *node, unsigned absent)
{
    struct bl_code *code = body->code;
    unsigned value = bl_lower(body, node);
    bl_type type = bl_code_type(code, value);
    if (!bl_type_is_optional(type))
        return value;
    unsigned is_set = bl_code_register(code, BL_TYPE_BOOL);
    bl_put(body, BL_OP_IS_SET, is_set, value, 0, node->span);
    bl_code_jump(code, BL_OP_JUMP_UNLESS, is_set, absent, node->span);
    unsigned known = bl_code_register(code, bl_type_base(type));
    bl_put(body, BL_OP_REQUIRE, known, value, 0, node->span);
    return known;
}

static void since(struct waiting *w, struct bl_statement *s)
{
    struct bl_body *body = w->body;
    size_t mark = bl_code_mark(body->code);
    unsigned value = present(body, s->value, w->behind);
    if (bl_code_type(body->code, value) == BL_TYPE_TIME)
        bl_put(body, BL_OP_FIELD, w->since, value, BL_FIELD_TIME_DAY, s->span);
    else
        bl_put(body, BL_OP_MOVE, w->since, value, 0, s->span);
    bl_code_release(body->code, mark);
}

/* ends, exempt: what stands in the block happens, and nothing else. */
static void leaving(struct waiting *w, struct bl_statement *s)
{
    struct bl_body *body = w->body;
    unsigned next = bl_code_target(body->code);
    size_t mark = bl_code_mark(body->code);
    bl_lower_condition(body, s->condition, false, next);
    bl_lower_list(body, s->body, effects, NULL);
    bl_code_jump(body->code, BL_OP_JUMP, 0, w->behind, s->span);
    bl_code_place(body->code, next);
    bl_code_release(body->code, mark);
}

static void choose(struct waiting *w, struct bl_statement *s)
{
    struct bl_body *body = w->body;
    struct bl_code *code = body->code;
    unsigned next = bl_code_target(code), first = bl_code_target(code);
    size_t mark = bl_code_mark(code);
    unsigned day = bl_code_register(code, BL_TYPE_DATE);
    unsigned answer = bl_code_register(code, BL_TYPE_BOOL);
    unsigned value = present(body, s->value, next);
    if (bl_code_type(code, value) == BL_TYPE_DURATION)
        bl_put(body, BL_OP_ADD, day, w->since, value, s->span);
    else
        bl_put(body, BL_OP_MOVE, day, value, 0, s->span);
    bl_put(body, BL_OP_LE, answer, day, w->today, s->value->span);
    bl_code_reason(code);
    bl_code_jump(code, BL_OP_JUMP_UNLESS, answer, next, s->span);
    bl_put(body, BL_OP_IS_SET, answer, w->best, 0, s->span);
    bl_code_jump(code, BL_OP_JUMP_UNLESS, answer, first, s->span);
    unsigned best = bl_code_register(code, BL_TYPE_DATE);
    bl_put(body, BL_OP_REQUIRE, best, w->best, 0, s->span);
    bl_put(body, BL_OP_LT, answer, best, day, s->span);
    bl_code_jump(code, BL_OP_JUMP_UNLESS, answer, next, s->span);
    bl_code_place(code, first);
    if (s->condition != NULL)
        bl_lower_condition(body, s->condition, false, next);
    bl_put(body, BL_OP_MOVE, w->best, day, 0, s->span);
    bl_put(body, BL_OP_CONST, w->chosen, 0, bl_builder_number(body->e->b, BL_TYPE_INT, w->row),
           s->span);
    bl_code_place(code, next);
    bl_code_release(code, mark);
}

static void row(struct bl_body *body, struct bl_statement *s, void *context)
{
    struct waiting *w = context;
    if (s->kind == BL_STATEMENT_SINCE) {
        since(w, s);
    } else if (s->kind == BL_STATEMENT_ON_DAY) {
        choose(w, s);
        w->row++;
    } else if (s->kind == BL_STATEMENT_ENDS || s->kind == BL_STATEMENT_EXEMPT) {
        leaving(w, s);
    } else {
        (void)bl_lower_flow(body, s, row, context);
    }
}

/* Of all days that were asked this one decided: an explanation ends with it. */
static void tell_day(struct waiting *w, struct bl_statement *s)
{
    struct bl_body *body = w->body;
    size_t mark = bl_code_mark(body->code);
    unsigned day = bl_code_register(body->code, BL_TYPE_DATE);
    unsigned answer = bl_code_register(body->code, BL_TYPE_BOOL);
    bl_put(body, BL_OP_REQUIRE, day, w->best, 0, s->value->span);
    bl_put(body, BL_OP_LE, answer, day, w->today, s->value->span);
    bl_code_reason(body->code);
    bl_code_release(body->code, mark);
}

static void carry_out(struct waiting *w, struct bl_statement *s)
{
    struct bl_body *body = w->body;
    unsigned next = bl_code_target(body->code);
    size_t mark = bl_code_mark(body->code);
    unsigned number = bl_const_number(body, BL_TYPE_INT, w->row, s->span);
    unsigned is_it = bl_code_register(body->code, BL_TYPE_BOOL);
    bl_put(body, BL_OP_EQ, is_it, w->chosen, number, s->span);
    bl_code_jump(body->code, BL_OP_JUMP_UNLESS, is_it, next, s->span);
    tell_day(w, s);
    bl_lower_list(body, s->body, effects, NULL);
    bl_code_jump(body->code, BL_OP_JUMP, 0, w->behind, s->span);
    bl_code_place(body->code, next);
    bl_code_release(body->code, mark);
}

void bl_lower_lifecycle(struct bl_body *body, struct bl_statement *rows, struct bl_span span)
{
    struct bl_code *code = body->code;
    struct waiting w = {.body = body,
                        .since = bl_code_register(code, BL_TYPE_DATE),
                        .today = bl_ambient_register(body, BL_AMBIENT_TODAY, span),
                        .chosen = bl_const_number(body, BL_TYPE_INT, -1, span),
                        .best = bl_code_register(code, BL_OPTIONAL(BL_TYPE_DATE)),
                        .behind = bl_code_target(code)};
    bl_put(body, BL_OP_ABSENT, w.best, 0, 0, span);
    bl_lower_list(body, rows, row, &w);
    w.row = 0;
    for (struct bl_statement *s = rows; s != NULL; s = s->next) {
        if (s->kind != BL_STATEMENT_ON_DAY)
            continue;
        carry_out(&w, s);
        w.row++;
    }
    bl_code_place(code, w.behind);
}
