/* SPDX-License-Identifier: Apache-2.0 */
#include "emit/lowering.h"

/* Expectations of tests. An expected effect is a step with what it names in five registers;
 * what it acts on is whatever the last step was about. */

enum mode { MODE_THERE, MODE_ABSENT, MODE_AMONG }; /* steps.def, EXPECT_EFFECT */

enum named { NAMED_LABEL, NAMED_TASK, NAMED_TEXT, NAMED_RENDERED, NAMED_NUMBER, NAMED_COUNT };

static void expect(struct bl_body *body, struct bl_statement *s)
{
    struct bl_node *node = s->condition;
    unsigned holds = bl_lower(body, node);
    if (node->kind != BL_NODE_AND && node->kind != BL_NODE_OR && node->kind != BL_NODE_NOT)
        bl_code_condition(body->code);
    uint32_t site = bl_emit_site(body->e, 0, 0, node->span);
    bl_put(body, BL_OP_EXPECT, 0, holds, site, s->span);
}

/* ---- one effect
 * ---------------------------------------------------------------------------------- */

struct expected {
    struct bl_body *body;
    const struct bl_statement *effect;
    unsigned first;
    bool is_named[NAMED_COUNT];
};

static void put_register(struct expected *x, enum named slot, unsigned reg)
{
    bl_put(x->body, BL_OP_MOVE, x->first + (unsigned)slot, reg, 0, x->effect->span);
    x->is_named[slot] = true;
}

static void put_words(struct expected *x, enum named slot, bl_str text)
{
    put_register(x, slot, bl_const_text(x->body, BL_TYPE_TEXT, text, x->effect->span));
}

/* Things are told apart by their number or id. */
static void put_key(struct expected *x, struct bl_node *thing, enum bl_field key)
{
    put_register(x, NAMED_NUMBER,
                 bl_lower_field(x->body, bl_lower(x->body, thing), key, thing->span));
}

/* The number of a member or kind, plus one; 0 for effects without. */
static uint32_t member_of(const struct bl_statement *effect)
{
    switch ((unsigned)effect->effect) {
    case BL_EFFECT_POST:
    case BL_EFFECT_MARK:
        return effect->value->symbol->number + 1;
    case BL_EFFECT_KEEP:
        return effect->symbol->number + 1;
    case BL_EFFECT_CLOSE:
    case BL_EFFECT_REACT:
    case BL_EFFECT_LOCK:
    case BL_EFFECT_STATUS:
        return effect->member + 1;
    default:
        return 0;
    }
}

static void name_arguments(struct expected *x)
{
    const struct bl_statement *s = x->effect;
    struct bl_body *body = x->body;
    switch ((unsigned)s->effect) {
    case BL_EFFECT_ENSURE_LABEL:
        put_register(x, NAMED_LABEL, bl_lower(body, s->value));
        break;
    case BL_EFFECT_START:
        put_register(x, NAMED_TASK, bl_lower_as(body, s->value, BL_TYPE_TASK));
        break;
    case BL_EFFECT_CLOSE:
        if (s->value != NULL)
            put_key(x, s->value, BL_FIELD_ISSUE_NUMBER);
        break;
    case BL_EFFECT_MILESTONE:
        put_register(x, NAMED_TEXT, bl_lower(body, s->value));
        break;
    case BL_EFFECT_STATUS:
        put_register(x, NAMED_TEXT, bl_lower_rendered(body, s->items.items[0], BL_PLACE_LOG));
        if (s->value != NULL)
            put_register(x, NAMED_RENDERED,
                         bl_lower_field(body, bl_lower(body, s->value), BL_FIELD_COMMIT_SHA,
                                        s->value->span));
        break;
    case BL_EFFECT_SUGGEST_DUPLICATE:
        put_key(x, s->value, BL_FIELD_ISSUE_NUMBER);
        put_register(x, NAMED_TEXT, bl_lower_rendered(body, s->text, BL_PLACE_TIMELINE));
        break;
    case BL_EFFECT_DISMISS:
        put_key(x, s->value, BL_FIELD_ALERT_NUMBER);
        put_register(x, NAMED_RENDERED,
                     bl_lower_rendered(body, s->items.items[0], BL_PLACE_LOG));
        put_register(x, NAMED_TEXT, bl_lower_rendered(body, s->text, BL_PLACE_TIMELINE));
        break;
    case BL_EFFECT_OUTPUT:
        put_words(x, NAMED_TEXT, s->name);
        if (bl_type_base(s->value->type) == bl_entity_info(BL_ENTITY_ISSUE)->type)
            put_key(x, s->value, BL_FIELD_ISSUE_NUMBER);
        else if (bl_type_base(s->value->type) == bl_entity_info(BL_ENTITY_PULL_REQUEST)->type)
            put_key(x, s->value, BL_FIELD_PULL_REQUEST_NUMBER);
        else
            put_register(x, NAMED_RENDERED, bl_lower_rendered(body, s->value, BL_PLACE_LOG));
        break;
    case BL_EFFECT_NOTICE:
    case BL_EFFECT_WARN:
    case BL_EFFECT_ERROR:
    case BL_EFFECT_FAIL:
        put_register(x, NAMED_TEXT, bl_lower_rendered(body, s->text, BL_PLACE_LOG));
        break;
    default:
        break;
    }
}

static void begin(struct expected *x)
{
    const bl_type types[NAMED_COUNT] = {
        BL_OPTIONAL(BL_TYPE_LABEL), BL_OPTIONAL(BL_TYPE_TASK), BL_OPTIONAL(BL_TYPE_UNTRUSTED),
        BL_OPTIONAL(BL_TYPE_UNTRUSTED), BL_OPTIONAL(BL_TYPE_INT)};
    x->first = bl_code_range(x->body->code, types, NAMED_COUNT);
}

static void end(struct expected *x, enum mode mode)
{
    for (unsigned i = 0; i < NAMED_COUNT; i++)
        if (!x->is_named[i])
            bl_put(x->body, BL_OP_ABSENT, x->first + i, 0, 0, x->effect->span);
    uint32_t detail =
        (uint32_t)x->effect->effect | member_of(x->effect) << 8 | (uint32_t)mode << 28;
    bl_lower_step(x->body, x->effect, BL_STEP_EXPECT_EFFECT, detail, x->first, NAMED_COUNT);
}

/* One label, or each of a list, as the effect itself would. */
static void one_label(struct bl_body *body, const struct bl_statement *effect, unsigned label,
                      enum mode mode)
{
    struct expected x = {.body = body, .effect = effect};
    size_t mark = bl_code_mark(body->code);
    begin(&x);
    put_register(&x, NAMED_LABEL, label);
    end(&x, mode);
    bl_code_release(body->code, mark);
}

static void labels(struct bl_body *body, const struct bl_statement *effect, enum mode mode)
{
    struct bl_code *code = body->code;
    for (size_t i = 0; i < effect->items.count; i++) {
        struct bl_node *item = effect->items.items[i];
        size_t mark = bl_code_mark(code);
        if (!bl_type_is_list(item->type)) {
            one_label(body, effect, bl_lower(body, item), mode);
        } else {
            unsigned label = bl_code_register(code, BL_TYPE_LABEL);
            unsigned list = bl_code_loop_list(code, BL_LIST_OF(BL_TYPE_LABEL));
            bl_lower_into(body, item, list);
            struct bl_code_loop loop = bl_code_loop_begin(code, list, label, item->span);
            one_label(body, effect, label, mode);
            bl_code_loop_end(code, &loop, item->span);
        }
        bl_code_release(code, mark);
    }
}

static void marks(struct bl_body *body, const struct bl_statement *effect, enum mode mode)
{
    for (const struct bl_pair *pair = effect->pairs; pair != NULL; pair = pair->next) {
        struct expected x = {.body = body, .effect = effect};
        size_t mark = bl_code_mark(body->code);
        begin(&x);
        put_words(&x, NAMED_TEXT, pair->name);
        put_register(&x, NAMED_RENDERED, bl_lower_rendered(body, pair->value, BL_PLACE_LOG));
        end(&x, mode);
        bl_code_release(body->code, mark);
    }
}

/* Which fields are named is a number with a bit for each; their values stand in one text. */
static unsigned named_values(struct bl_body *body, const struct bl_statement *effect,
                             int64_t *fields)
{
    const struct bl_record_declared *record =
        &body->e->program->records.items[bl_type_ref(effect->symbol->type)];
    unsigned joined = bl_const_text(body, BL_TYPE_TEXT, (bl_str){NULL, 0}, effect->span);
    for (size_t i = 0; i < record->count; i++) {
        const struct bl_pair *pair = effect->pairs;
        while (pair != NULL && !bl_str_equal(pair->name, record->fields[i].name))
            pair = pair->next;
        if (pair == NULL)
            continue;
        *fields |= INT64_C(1) << i;
        bool is_text = bl_type_is_text(pair->value->type);
        unsigned value = is_text ? bl_lower(body, pair->value)
                                 : bl_lower_rendered(body, pair->value, BL_PLACE_LOG);
        const bl_type types[3] = {bl_code_type(body->code, joined),
                                  bl_code_type(body->code, value), BL_TYPE_TEXT};
        unsigned parts = bl_code_range(body->code, types, 3);
        bl_put(body, BL_OP_MOVE, parts, joined, 0, pair->span);
        bl_put(body, BL_OP_MOVE, parts + 1, value, 0, pair->span);
        bl_put(body, BL_OP_CONST, parts + 2, 0,
               bl_builder_text(body->e->b, BL_TYPE_TEXT, BL_STR("\x1f")), pair->span);
        joined = bl_code_register(body->code, BL_TYPE_UNTRUSTED);
        bl_put(body, BL_OP_BUILD, joined, parts, 3, pair->span);
    }
    return joined;
}

static void row(struct bl_body *body, const struct bl_statement *effect, enum mode mode)
{
    struct expected x = {.body = body, .effect = effect};
    size_t mark = bl_code_mark(body->code);
    int64_t fields = 0;
    begin(&x);
    unsigned key = bl_type_is_text(effect->value->type)
                       ? bl_lower(body, effect->value)
                       : bl_lower_rendered(body, effect->value, BL_PLACE_LOG);
    put_register(&x, NAMED_TEXT, key);
    put_register(&x, NAMED_RENDERED, named_values(body, effect, &fields));
    put_register(&x, NAMED_NUMBER, bl_const_number(body, BL_TYPE_INT, fields, effect->span));
    end(&x, mode);
    bl_code_release(body->code, mark);
}

static void effect_named(struct bl_body *body, const struct bl_statement *effect,
                         enum mode mode)
{
    if (effect == NULL || effect->kind != BL_STATEMENT_EFFECT)
        return;
    if (effect->effect == BL_EFFECT_ADD_LABEL || effect->effect == BL_EFFECT_REMOVE_LABEL) {
        labels(body, effect, mode);
    } else if (effect->effect == BL_EFFECT_KEEP) {
        row(body, effect, mode);
    } else if (effect->effect == BL_EFFECT_MARK) {
        marks(body, effect, mode);
    } else {
        struct expected x = {.body = body, .effect = effect};
        size_t mark = bl_code_mark(body->code);
        begin(&x);
        name_arguments(&x);
        end(&x, mode);
        bl_code_release(body->code, mark);
    }
}

/* ---- the statements
 * ------------------------------------------------------------------------------ */

static void golden(struct bl_body *body, struct bl_statement *s)
{
    bl_type type = BL_TYPE_UNTRUSTED;
    unsigned name = bl_code_range(body->code, &type, 1);
    bl_put(body, BL_OP_MOVE, name, bl_lower_text(body, s->text, BL_PLACE_LOG), 0, s->span);
    bl_lower_step(body, s, BL_STEP_EXPECT_GOLDEN, 0, name, 1);
}

bool bl_lower_expectation(struct bl_body *body, struct bl_statement *s)
{
    switch ((unsigned)s->kind) {
    case BL_STATEMENT_EXPECT:
        expect(body, s);
        return true;
    case BL_STATEMENT_EXPECT_EFFECT:
        effect_named(body, s->body, s->member != 0 ? MODE_ABSENT : MODE_THERE);
        return true;
    case BL_STATEMENT_EXPECT_EXACTLY:
        for (const struct bl_statement *e = s->body; e != NULL; e = e->next)
            effect_named(body, e, MODE_AMONG);
        bl_lower_step(body, s, BL_STEP_EXPECT_EXACTLY, 0, 0, 0);
        return true;
    case BL_STATEMENT_EXPECT_GOLDEN:
        golden(body, s);
        return true;
    default:
        return false;
    }
}
