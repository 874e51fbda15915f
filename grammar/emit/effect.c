/* SPDX-License-Identifier: Apache-2.0 */
#include "bytecode/arguments.h"
#include "emit/lowering.h"

/* An effect is its arguments in consecutive registers, typed by the row of effects.def, and a
 * site that says which effect it is. Constants that the verifier wants to see stand last:
 * values may branch, and it looks no further back than to where branches meet. */

#define ARGUMENTS_MAX 40

struct call {
    struct bl_body *body;
    struct bl_statement *s;
    bl_type types[ARGUMENTS_MAX];
    unsigned first;
    size_t count;
};

static bl_type argument_type(enum bl_effect effect, size_t index)
{
    struct bl_arguments arguments;
    if (!bl_effect_arguments(effect, &arguments) || index >= arguments.count)
        return BL_TYPE_ERROR;
    return arguments.list[index].type;
}

static void emit(struct call *c, uint32_t detail)
{
    uint32_t site = bl_emit_site(c->body->e, c->s->effect, detail, c->s->span);
    bl_put(c->body, BL_OP_EFFECT, c->first, (unsigned)c->count, site, c->s->span);
}

static void reserve(struct call *c, const bl_type *types, size_t count)
{
    for (size_t i = 0; i < count; i++)
        c->types[i] = types[i];
    c->count = count;
    c->first = bl_code_range(c->body->code, types, count);
}

static void put_target(struct call *c)
{
    bl_put(c->body, BL_OP_AMBIENT, c->first, 0, c->s->target, c->s->span);
}

static void put_number(struct call *c, unsigned index, int64_t value)
{
    uint32_t constant = bl_builder_number(c->body->e->b, c->types[index], value);
    bl_put(c->body, BL_OP_CONST, c->first + index, 0, constant, c->s->span);
}

/* A text for a place is whatever renders itself there: a login, an issue, a list of labels. */
static void put_rendered(struct call *c, unsigned index, struct bl_node *node)
{
    unsigned places = bl_type_ref(c->types[index]);
    unsigned place = 0;
    while ((places >> place & 1) == 0 && place < BL_PLACE_COUNT)
        place++;
    size_t mark = bl_code_mark(c->body->code);
    unsigned words = bl_lower_rendered(c->body, node, (enum bl_place)place);
    if (!bl_code_redirect(c->body->code, words, c->first + index, mark))
        bl_put(c->body, BL_OP_MOVE, c->first + index, words, 0, node->span);
    bl_code_release(c->body->code, mark);
}

static void put_value(struct call *c, unsigned index, struct bl_node *node)
{
    if (node == NULL)
        bl_put(c->body, BL_OP_ABSENT, c->first + index, 0, 0, c->s->span);
    else if (bl_type_is(c->types[index], BL_TYPE_CLEAN))
        put_rendered(c, index, node);
    else
        bl_lower_into(c->body, node, c->first + index);
}

static bl_type target_type(const struct bl_statement *s)
{
    return bl_ambient_info(s->target)->type;
}

/* ---- labels
 * -------------------------------------------------------------------------------------- */

/* Either an expression, or what a register holds. */
static void one_label(struct bl_body *body, struct bl_statement *s, struct bl_node *node,
                      unsigned label)
{
    struct call c = {.body = body, .s = s};
    bl_type types[3] = {target_type(s), BL_TYPE_LABEL, argument_type(s->effect, 2)};
    size_t mark = bl_code_mark(body->code);
    reserve(&c, types, 3);
    put_target(&c);
    if (node != NULL)
        bl_lower_into(body, node, c.first + 1);
    else
        bl_put(body, BL_OP_MOVE, c.first + 1, label, 0, s->span);
    put_value(&c, 2, s->text);
    emit(&c, 0);
    bl_code_release(body->code, mark);
}

static void labels(struct bl_body *body, struct bl_statement *s)
{
    struct bl_code *code = body->code;
    for (size_t i = 0; i < s->items.count; i++) {
        struct bl_node *item = s->items.items[i];
        size_t mark = bl_code_mark(code);
        if (!bl_type_is_list(item->type)) {
            one_label(body, s, item, 0);
        } else {
            bl_type type = BL_LIST_OF(BL_TYPE_LABEL);
            unsigned label = bl_code_register(code, BL_TYPE_LABEL);
            unsigned list = bl_code_loop_list(code, type);
            bl_lower_into(body, item, list);
            struct bl_code_loop loop = bl_code_loop_begin(code, list, label, item->span);
            one_label(body, s, NULL, label);
            bl_code_loop_end(code, &loop, item->span);
        }
        bl_code_release(code, mark);
    }
}

/* ---- comments
 * -------------------------------------------------------------------------------------- */

/* The parameters of the comment are locals here too, so that its marker can be computed. */
static void bind_params(struct bl_body *body, struct bl_node *call,
                        const struct bl_symbol_list *params, unsigned first)
{
    for (size_t i = 0; i < params->count && i < call->kid_count; i++)
        bl_body_local(body, params->items[i], first + (unsigned)i);
}

static void post(struct bl_body *body, struct bl_statement *s)
{
    struct bl_emitter *e = body->e;
    struct bl_symbol *kind = s->value->symbol;
    struct bl_document *document = kind->as.document;
    struct call c = {.body = body, .s = s};
    bl_type types[ARGUMENTS_MAX] = {target_type(s), argument_type(s->effect, 1)};
    size_t count = 2;
    for (size_t i = 0; i < document->attribute_count && count < ARGUMENTS_MAX; i++)
        types[count++] = bl_emit_type(e, document->attributes[i].type);
    size_t mark = bl_code_mark(body->code);
    uint32_t words = bl_emit_document(e, kind); /* before its parameters stand for ours */
    unsigned params =
        bl_lower_arguments(body, s->value->kids, s->value->kid_count, &document->params);
    bind_params(body, s->value, &document->params, params);
    reserve(&c, types, count);
    put_target(&c);
    bl_put(body, BL_OP_CALL, c.first + 1, params, words, s->span);
    for (size_t i = 0; i < document->attribute_count && i + 2 < ARGUMENTS_MAX; i++)
        put_value(&c, (unsigned)i + 2, document->attributes[i].value);
    emit(&c, kind->number);
    bl_code_release(body->code, mark);
}

static void mark_attribute(struct bl_body *body, struct bl_statement *s,
                           const struct bl_pair *pair)
{
    struct bl_emitter *e = body->e;
    struct call c = {.body = body, .s = s};
    bl_type posted = bl_emit_type(e, s->value->type);
    bl_type types[3] = {posted, BL_TYPE_NAME, bl_emit_type(e, pair->value->type)};
    size_t mark = bl_code_mark(body->code);
    reserve(&c, types, 3);
    put_value(&c, 0, s->value);
    put_value(&c, 2, pair->value);
    bl_put(body, BL_OP_CONST, c.first + 1, 0, bl_builder_text(e->b, BL_TYPE_NAME, pair->name),
           pair->span);
    emit(&c, 0);
    bl_code_release(body->code, mark);
}

/* ---- the others
 * -------------------------------------------------------------------------------------- */

static void close_issue(struct bl_body *body, struct bl_statement *s)
{
    struct call c = {.body = body, .s = s};
    bl_type types[4] = {target_type(s), argument_type(s->effect, 1),
                        argument_type(s->effect, 2), argument_type(s->effect, 3)};
    reserve(&c, types, 4);
    put_target(&c);
    put_value(&c, 2, s->value);
    put_value(&c, 3, s->text);
    put_number(&c, 1, s->member);
    emit(&c, 0);
}

static void set_status(struct bl_body *body, struct bl_statement *s)
{
    struct call c = {.body = body, .s = s};
    bl_type types[4] = {argument_type(s->effect, 0), argument_type(s->effect, 1),
                        argument_type(s->effect, 2), argument_type(s->effect, 3)};
    reserve(&c, types, 4);
    put_value(&c, 0, s->value);
    put_value(&c, 1, s->items.items[0]);
    put_value(&c, 3, s->text);
    put_number(&c, 2, s->member);
    emit(&c, 0);
}

static void suggest(struct bl_body *body, struct bl_statement *s)
{
    struct call c = {.body = body, .s = s};
    bl_type types[3] = {target_type(s), argument_type(s->effect, 1),
                        argument_type(s->effect, 2)};
    reserve(&c, types, 3);
    put_target(&c);
    put_value(&c, 1, s->value);
    put_value(&c, 2, s->text);
    emit(&c, 0);
}

static void dismiss(struct bl_body *body, struct bl_statement *s)
{
    struct call c = {.body = body, .s = s};
    bl_type types[3] = {argument_type(s->effect, 0), argument_type(s->effect, 1),
                        argument_type(s->effect, 2)};
    reserve(&c, types, 3);
    put_value(&c, 0, s->value);
    put_value(&c, 1, s->items.items[0]);
    put_value(&c, 2, s->text);
    emit(&c, 0);
}

/* react, lock: the thing in hand and a member of an enumeration. */
static void with_member(struct bl_body *body, struct bl_statement *s)
{
    struct call c = {.body = body, .s = s};
    bl_type types[2] = {target_type(s), argument_type(s->effect, 1)};
    reserve(&c, types, 2);
    put_target(&c);
    put_number(&c, 1, s->member);
    emit(&c, 0);
}

static void milestone(struct bl_body *body, struct bl_statement *s)
{
    struct call c = {.body = body, .s = s};
    bl_type types[2] = {target_type(s), argument_type(s->effect, 1)};
    reserve(&c, types, 2);
    put_target(&c);
    put_value(&c, 1, s->value);
    emit(&c, s->attempted);
}

static void reopen(struct bl_body *body, struct bl_statement *s)
{
    struct call c = {.body = body, .s = s};
    bl_type type = target_type(s);
    reserve(&c, &type, 1);
    put_target(&c);
    emit(&c, 0);
}

/* ensure label, start, and the lines of the log: one argument. */
static void with_value(struct bl_body *body, struct bl_statement *s, struct bl_node *value)
{
    struct call c = {.body = body, .s = s};
    bl_type type = argument_type(s->effect, 0);
    reserve(&c, &type, 1);
    put_value(&c, 0, value);
    emit(&c, 0);
}

/* The value when it is set; else nothing happens up to `behind`. */
static unsigned known(struct bl_body *body, unsigned value, unsigned behind,
                      struct bl_span span)
{
    struct bl_code *code = body->code;
    unsigned is_set = bl_code_register(code, BL_TYPE_BOOL);
    bl_put(body, BL_OP_IS_SET, is_set, value, 0, span);
    bl_code_jump(code, BL_OP_JUMP_UNLESS, is_set, behind, span);
    unsigned found = bl_code_register(code, bl_type_base(bl_code_type(code, value)));
    bl_put(body, BL_OP_REQUIRE, found, value, 0, span);
    return found;
}

/* A thing goes to the next job as its number. */
static unsigned as_small(struct bl_body *body, unsigned value, struct bl_span span)
{
    bl_type type = bl_code_type(body->code, value);
    if (type == bl_entity_info(BL_ENTITY_ISSUE)->type)
        return bl_lower_field(body, value, BL_FIELD_ISSUE_NUMBER, span);
    if (type == bl_entity_info(BL_ENTITY_PULL_REQUEST)->type)
        return bl_lower_field(body, value, BL_FIELD_PULL_REQUEST_NUMBER, span);
    return value;
}

/* What is absent is no output: the next job reads an empty one, as of every name that was not
 * set. */
static void output(struct bl_body *body, struct bl_statement *s)
{
    struct bl_code *code = body->code;
    struct call c = {.body = body, .s = s};
    bool optional = bl_type_is_optional(bl_emit_type(body->e, s->value->type));
    unsigned behind = optional ? bl_code_target(code) : 0;
    unsigned value = bl_lower(body, s->value);
    if (optional)
        value = known(body, value, behind, s->span);
    value = as_small(body, value, s->span);
    bl_type types[2] = {BL_TYPE_NAME, bl_code_type(code, value)};
    reserve(&c, types, 2);
    bl_put(body, BL_OP_MOVE, c.first + 1, value, 0, s->span);
    bl_put(body, BL_OP_CONST, c.first, 0, bl_builder_text(body->e->b, BL_TYPE_NAME, s->name),
           s->span);
    emit(&c, 0);
    if (optional)
        bl_code_place(code, behind);
}

static void by_effect(struct bl_body *body, struct bl_statement *s)
{
    switch (s->effect) {
    case BL_EFFECT_ADD_LABEL:
    case BL_EFFECT_REMOVE_LABEL:
        labels(body, s);
        break;
    case BL_EFFECT_POST:
        post(body, s);
        break;
    case BL_EFFECT_MARK:
        for (const struct bl_pair *pair = s->pairs; pair != NULL; pair = pair->next)
            mark_attribute(body, s, pair);
        break;
    case BL_EFFECT_REACT:
    case BL_EFFECT_LOCK:
        with_member(body, s);
        break;
    case BL_EFFECT_MILESTONE:
        milestone(body, s);
        break;
    case BL_EFFECT_CLOSE:
        close_issue(body, s);
        break;
    case BL_EFFECT_REOPEN:
        reopen(body, s);
        break;
    case BL_EFFECT_STATUS:
        set_status(body, s);
        break;
    case BL_EFFECT_SUGGEST_DUPLICATE:
        suggest(body, s);
        break;
    case BL_EFFECT_DISMISS:
        dismiss(body, s);
        break;
    case BL_EFFECT_KEEP:
        bl_lower_keep(body, s);
        break;
    case BL_EFFECT_ENSURE_LABEL:
    case BL_EFFECT_START:
        with_value(body, s, s->value);
        break;
    case BL_EFFECT_OUTPUT:
        output(body, s);
        break;
    case BL_EFFECT_NOTICE:
    case BL_EFFECT_WARN:
    case BL_EFFECT_ERROR:
    case BL_EFFECT_FAIL:
        with_value(body, s, s->text);
        break;
    case BL_EFFECT_SUMMARY: /* of a report, which lowers it */
    case BL_EFFECT_COUNT:
        break;
    }
}

void bl_lower_effect(struct bl_body *body, struct bl_statement *s)
{
    size_t mark = bl_code_mark(body->code);
    by_effect(body, s);
    bl_code_release(body->code, mark);
}
