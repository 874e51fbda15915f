/* SPDX-License-Identifier: Apache-2.0 */
#include "emit/lowering.h"

unsigned bl_typed_register(struct bl_body *body, const struct bl_node *node)
{
    return bl_code_register(body->code, bl_emit_type(body->e, node->declared));
}

unsigned bl_const_text(struct bl_body *body, bl_type type, bl_str text, struct bl_span span)
{
    unsigned reg = bl_code_register(body->code, type);
    bl_put(body, BL_OP_CONST, reg, 0, bl_builder_text(body->e->b, type, text), span);
    return reg;
}

unsigned bl_const_number(struct bl_body *body, bl_type type, int64_t value, struct bl_span span)
{
    unsigned reg = bl_code_register(body->code, type);
    bl_put(body, BL_OP_CONST, reg, 0, bl_builder_number(body->e->b, type, value), span);
    return reg;
}

unsigned bl_ambient_register(struct bl_body *body, enum bl_ambient ambient, struct bl_span span)
{
    unsigned reg = bl_code_register(body->code, bl_ambient_info(ambient)->type);
    bl_put(body, BL_OP_AMBIENT, reg, 0, ambient, span);
    return reg;
}

/* ---- names
 * -------------------------------------------------------------------------------------- */

static unsigned group_list(struct bl_body *body, struct bl_node *node)
{
    const struct bl_group *group = node->symbol->as.group;
    unsigned list = bl_code_register(body->code, BL_LIST_OF(BL_TYPE_LABEL));
    bl_put(body, BL_OP_LIST, list, 0, 0, node->span);
    for (size_t i = 0; i < group->labels.count; i++) {
        size_t mark = bl_code_mark(body->code);
        unsigned label = bl_const_text(body, BL_TYPE_LABEL,
                                       group->labels.items[i]->as.label->shown, node->span);
        bl_put(body, BL_OP_PUSH, list, label, 0, node->span);
        bl_code_release(body->code, mark);
    }
    return list;
}

unsigned bl_lower_call(struct bl_body *body, struct bl_node *node, struct bl_node **kids,
                       size_t count)
{
    struct bl_symbol *symbol = node->symbol;
    unsigned result =
        bl_code_register(body->code, bl_emit_type(body->e, symbol->as.callable->result));
    uint32_t function = bl_emit_callable(body->e, symbol);
    size_t mark = bl_code_mark(body->code);
    unsigned first = bl_lower_arguments(body, kids, count, &symbol->as.callable->params);
    bl_put(body, BL_OP_CALL, result, first, function, node->span);
    bl_code_release(body->code, mark);
    return result;
}

/* Resolutions that a name or call has without looking at its arguments. */
static unsigned constant_name(struct bl_body *body, struct bl_node *node)
{
    struct bl_emitter *e = body->e;
    unsigned reg;
    switch (node->resolution) {
    case BL_RESOLVED_LABEL:
        return bl_const_text(body, BL_TYPE_LABEL, node->symbol->as.label->shown, node->span);
    case BL_RESOLVED_TASK:
    case BL_RESOLVED_LOCALE:
    case BL_RESOLVED_COMMAND:
        return bl_const_number(body, bl_type_base(node->declared), node->symbol->number,
                               node->span);
    case BL_RESOLVED_ENUM:
        return bl_const_number(body, bl_emit_type(e, bl_type_base(node->declared)), node->index,
                               node->span);
    case BL_RESOLVED_WORD:
        return bl_const_text(body, BL_TYPE_NAME, node->text, node->span);
    case BL_RESOLVED_VARIABLE:
    case BL_RESOLVED_SECRET:
        return bl_const_number(body, bl_type_base(node->declared),
                               bl_emit_outside(e, node->symbol), node->span);
    case BL_RESOLVED_SETTING:
        reg = bl_typed_register(body, node);
        bl_put(body, BL_OP_SETTING, reg, 0, bl_emit_setting(e, node->symbol), node->span);
        return reg;
    default:
        bl_emit_defect(e, node->span, BL_STR("a name"));
        return bl_typed_register(body, node);
    }
}

/* ---- calls
 * -------------------------------------------------------------------------------------- */

unsigned bl_lower_arguments(struct bl_body *body, struct bl_node **kids, size_t count,
                            const struct bl_symbol_list *params)
{
    bl_type types[64] = {0};
    size_t used = count < 64 ? count : 64;
    for (size_t i = 0; i < used; i++)
        types[i] = bl_emit_type(body->e, params->items[i]->type);
    unsigned first = bl_code_range(body->code, types, used);
    for (size_t i = 0; i < used; i++) {
        size_t mark = bl_code_mark(body->code);
        bl_lower_into(body, kids[i], first + (unsigned)i);
        bl_code_release(body->code, mark);
    }
    return first;
}

/* `*T`: the arguments become one list, in which absent ones are left out. */
static unsigned packed_list(struct bl_body *body, struct bl_node *node)
{
    bl_type element = bl_emit_type(body->e, bl_type_base(node->kids[0]->type));
    unsigned list = bl_code_register(body->code, BL_LIST_OF(element));
    bl_put(body, BL_OP_LIST, list, 0, 0, node->span);
    for (uint32_t i = 0; i < node->kid_count; i++) {
        size_t mark = bl_code_mark(body->code);
        unsigned value = bl_lower(body, node->kids[i]);
        bl_put(body, BL_OP_PUSH, list, value, 0, node->kids[i]->span);
        bl_code_release(body->code, mark);
    }
    return list;
}

unsigned bl_lower_builtin(struct bl_body *body, enum bl_builtin builtin, bl_type result,
                          const unsigned *args, size_t count, struct bl_span span)
{
    bl_type types[8] = {0};
    for (size_t i = 0; i < count && i < 8; i++)
        types[i] = bl_code_type(body->code, args[i]);
    unsigned reg = bl_code_register(body->code, result);
    unsigned first = bl_code_range(body->code, types, count < 8 ? count : 8);
    for (size_t i = 0; i < count && i < 8; i++)
        bl_put(body, BL_OP_MOVE, first + (unsigned)i, args[i], 0, span);
    bl_put(body, BL_OP_BUILTIN, reg, first, builtin, span);
    return reg;
}

unsigned bl_lower_field(struct bl_body *body, unsigned object, enum bl_field field,
                        struct bl_span span)
{
    unsigned reg = bl_code_register(body->code, bl_field_info(field)->type);
    bl_put(body, BL_OP_FIELD, reg, object, field, span);
    return reg;
}

static bool takes_many(enum bl_builtin builtin)
{
    bl_str params = bl_builtin_info(builtin)->params;
    return params.len > 0 && params.ptr[0] == '*';
}

static unsigned builtin_call(struct bl_body *body, struct bl_node *node)
{
    struct bl_emitter *e = body->e;
    enum bl_builtin builtin = (enum bl_builtin)node->index;
    if (builtin == BL_BUILTIN_ATTEMPT)
        return bl_lower_attempt(body, node);
    if (builtin == BL_BUILTIN_GENERATED)
        return bl_lower_generated(body, node);
    if (builtin == BL_BUILTIN_LINES_OF) {
        unsigned text = bl_const_text(body, BL_TYPE_TEXT, node->included, node->span);
        return bl_lower_builtin(body, builtin, BL_LIST_OF(BL_TYPE_UNTRUSTED), &text, 1,
                                node->span);
    }
    unsigned result = bl_typed_register(body, node);
    size_t mark = bl_code_mark(body->code);
    if (builtin == BL_BUILTIN_MASKS) {
        unsigned masks = bl_lower_redaction(body, builtin, node, node->kids[1]->symbol);
        bl_put(body, BL_OP_MOVE, result, masks, 0, node->span);
        bl_code_release(body->code, mark);
        return result;
    }
    if (builtin == BL_BUILTIN_POSTED) {
        unsigned from = bl_lower(body, node->kids[0]);
        bl_type kinds = bl_type_element(bl_emit_type(e, bl_type_base(node->declared)));
        bl_put(body, BL_OP_POSTED, result, from, kinds, node->span);
        bl_code_release(body->code, mark);
        return result;
    }
    unsigned first;
    bool is_list = node->kid_count == 1 && bl_type_is_list(node->kids[0]->type);
    if (takes_many(builtin) && !is_list && node->kid_count > 0) {
        first = packed_list(body, node);
    } else {
        bl_type types[8] = {0};
        uint32_t count = node->kid_count < 8 ? node->kid_count : 8;
        for (uint32_t i = 0; i < count; i++) {
            types[i] = bl_emit_type(e, node->kids[i]->type);
            if (bl_type_is(types[i], BL_TYPE_NONE))
                types[i] = BL_OPTIONAL(BL_TYPE_INT);
        }
        first = bl_code_range(body->code, types, count);
        for (uint32_t i = 0; i < count; i++) {
            size_t inner = bl_code_mark(body->code);
            bl_lower_into(body, node->kids[i], first + i);
            bl_code_release(body->code, inner);
        }
    }
    bl_put(body, BL_OP_BUILTIN, result, first, builtin, node->span);
    bl_code_release(body->code, mark);
    return result;
}

static unsigned record_of(struct bl_body *body, struct bl_node *node)
{
    struct bl_emitter *e = body->e;
    bl_type type = bl_emit_type(e, bl_type_base(node->declared));
    const struct bl_record_declared *record =
        &e->program->records.items[bl_type_ref(node->declared)];
    bl_type types[64] = {0};
    uint32_t count = node->kid_count < 64 ? node->kid_count : 64;
    for (uint32_t i = 0; i < count; i++)
        types[i] = bl_emit_type(e, record->fields[i].type);
    unsigned result = bl_code_register(body->code, type);
    size_t mark = bl_code_mark(body->code);
    unsigned first = bl_code_range(body->code, types, count);
    for (uint32_t i = 0; i < count; i++)
        bl_lower_into(body, node->kids[i], first + i);
    bl_put(body, BL_OP_RECORD, result, first, bl_type_ref(type), node->span);
    bl_code_release(body->code, mark);
    return result;
}

static unsigned name_or_call(struct bl_body *body, struct bl_node *node)
{
    switch (node->resolution) {
    case BL_RESOLVED_LOCAL:
        return bl_body_local_register(body, node->symbol);
    case BL_RESOLVED_AMBIENT: {
        if (node->index == BL_AMBIENT_JOBS)
            return bl_lower_jobs(body, node);
        unsigned reg = bl_typed_register(body, node);
        bl_put(body, BL_OP_AMBIENT, reg, 0, node->index, node->span);
        return reg;
    }
    case BL_RESOLVED_ANSWER: {
        unsigned reg = bl_typed_register(body, node);
        bl_put(body, BL_OP_ANSWER, reg, 0, bl_type_ref(bl_code_type(body->code, reg)),
               node->span);
        return reg;
    }
    case BL_RESOLVED_GROUP:
        return group_list(body, node);
    case BL_RESOLVED_STORE:
        return bl_lower_stored(body, node);
    case BL_RESOLVED_CALL:
        return bl_lower_call(body, node, node->kids, node->kid_count);
    case BL_RESOLVED_BUILTIN:
        return builtin_call(body, node);
    case BL_RESOLVED_CLEANER:
        if (node->symbol->kind == BL_SYMBOL_SANITIZER)
            return bl_lower_cleaner(body, node);
        if (node->symbol->kind == BL_SYMBOL_VIEW)
            return bl_lower_view(body, node);
        return bl_lower_redaction(body, BL_BUILTIN_REDACTED, node, node->symbol);
    case BL_RESOLVED_RECORD:
        return record_of(body, node);
    case BL_RESOLVED_MESSAGE:
        return bl_lower_message(body, node);
    default:
        return constant_name(body, node);
    }
}

/* ---- fields
 * -------------------------------------------------------------------------------------- */

static void field_into(struct bl_body *body, struct bl_node *node, unsigned reg,
                       unsigned object)
{
    struct bl_emitter *e = body->e;
    if (node->resolution == BL_RESOLVED_FIELD) {
        bl_put(body, BL_OP_FIELD, reg, object, node->index, node->name_span);
    } else if (node->resolution == BL_RESOLVED_ATTRIBUTE) {
        uint32_t name = bl_builder_text(e->b, BL_TYPE_NAME, node->text);
        bl_put(body, BL_OP_ATTR, reg, object, name, node->name_span);
    } else if (node->resolution == BL_RESOLVED_RECORD_FIELD) {
        bl_put(body, BL_OP_MEMBER, reg, object, node->index, node->name_span);
    } else {
        bl_emit_defect(e, node->span, BL_STR("a field"));
    }
}

static unsigned field(struct bl_body *body, struct bl_node *node)
{
    unsigned reg = bl_typed_register(body, node);
    size_t mark = bl_code_mark(body->code);
    field_into(body, node, reg, bl_lower(body, node->kids[0]));
    bl_code_release(body->code, mark);
    return reg;
}

/* x?.f: absent for an absent x. */
static unsigned optional_field(struct bl_body *body, struct bl_node *node)
{
    struct bl_code *code = body->code;
    unsigned reg = bl_typed_register(body, node);
    size_t mark = bl_code_mark(code);
    unsigned object = bl_lower(body, node->kids[0]);
    bl_put(body, BL_OP_ABSENT, reg, 0, 0, node->span);
    unsigned is_set = bl_code_register(code, BL_TYPE_BOOL);
    unsigned behind = bl_code_target(code);
    bl_put(body, BL_OP_IS_SET, is_set, object, 0, node->span);
    bl_code_jump(code, BL_OP_JUMP_UNLESS, is_set, behind, node->span);
    unsigned present = bl_code_register(code, bl_type_base(bl_code_type(code, object)));
    bl_put(body, BL_OP_REQUIRE, present, object, 0, node->span);
    field_into(body, node, reg, present);
    bl_code_place(code, behind);
    bl_code_release(code, mark);
    return reg;
}

/* ---- literals
 * ------------------------------------------------------------------------------------- */

bl_str bl_emit_pattern_source(struct bl_emitter *e, bl_str source, bl_str flags)
{
    struct bl_buf buf;

    bl_buf_init(&buf, e->arena, source.len + flags.len + 8);
    BL_PUT(&buf, "/");
    bl_buf_put(&buf, source);
    BL_PUT(&buf, "/");
    bl_buf_put(&buf, flags);
    return bl_buf_str(&buf);
}

static unsigned list_literal(struct bl_body *body, struct bl_node *node, bl_type type)
{
    unsigned list = bl_code_register(body->code, type);
    bl_put(body, BL_OP_LIST, list, 0, 0, node->span);
    for (uint32_t i = 0; i < node->kid_count; i++) {
        size_t mark = bl_code_mark(body->code);
        bl_type own = bl_emit_type(body->e, node->kids[i]->type);
        bl_type element = bl_type_element(type);
        unsigned value = bl_type_is_optional(own) ? bl_lower(body, node->kids[i])
                                                  : bl_lower_as(body, node->kids[i], element);
        bl_put(body, BL_OP_PUSH, list, value, 0, node->kids[i]->span);
        bl_code_release(body->code, mark);
    }
    return list;
}

static unsigned pattern(struct bl_body *body, struct bl_node *node)
{
    struct bl_emitter *e = body->e;
    struct bl_pattern compiled;
    struct bl_pattern_error error;
    if (!bl_pattern_compile(e->arena, node->text, node->flags, &compiled, &error)) {
        if (error.no_memory) {
            e->arena->failed = true; /* bl_emit sees it at its end */
            return bl_code_register(body->code, BL_TYPE_PATTERN);
        }
        struct bl_span at = node->span;
        at.lo += 1 + (uint32_t)error.offset;
        at.hi = at.lo < node->span.hi ? at.lo + 1 : node->span.hi;
        struct bl_diagnostic *d = bl_report(e->sink, BL_D_BAD_PATTERN, at);
        bl_diagnostic_text(e->sink, d, "why", error.message);
        if (error.help.len > 0)
            bl_diagnostic_help(e->sink, d, error.help);
        return bl_code_register(body->code, BL_TYPE_PATTERN);
    }
    return bl_const_number(
        body, BL_TYPE_PATTERN,
        bl_builder_pattern(e->b, bl_emit_pattern_source(e, node->text, node->flags), compiled),
        node->span);
}

/* ---- the one way in
 * --------------------------------------------------------------------------------- */

static unsigned literal(struct bl_body *body, struct bl_node *node)
{
    if (node->kind == BL_NODE_PATTERN)
        return pattern(body, node);
    return bl_const_number(body, bl_type_base(node->declared), node->number, node->span);
}

static unsigned value_of(struct bl_body *body, struct bl_node *node)
{
    static unsigned (*const by_kind[BL_NODE_KIND_COUNT])(struct bl_body *, struct bl_node *) = {
        [BL_NODE_NAME] = name_or_call,
        [BL_NODE_CALL] = name_or_call,
        [BL_NODE_FIELD] = field,
        [BL_NODE_OPTIONAL_FIELD] = optional_field,
        [BL_NODE_COMPARE] = bl_lower_comparison,
        [BL_NODE_ARITHMETIC] = bl_lower_arithmetic,
        [BL_NODE_IS] = bl_lower_is,
        [BL_NODE_IS_NOT] = bl_lower_is,
        [BL_NODE_IF] = bl_lower_if,
        [BL_NODE_ELSE] = bl_lower_else,
        [BL_NODE_AND] = bl_lower_boolean,
        [BL_NODE_OR] = bl_lower_boolean,
        [BL_NODE_NOT] = bl_lower_boolean,
        [BL_NODE_ANY] = bl_lower_loop,
        [BL_NODE_ALL] = bl_lower_loop,
        [BL_NODE_NO] = bl_lower_loop,
        [BL_NODE_FIRST] = bl_lower_loop,
        [BL_NODE_LAST] = bl_lower_loop,
        [BL_NODE_COUNT] = bl_lower_loop,
        [BL_NODE_EACH] = bl_lower_loop,
        [BL_NODE_INT] = literal,
        [BL_NODE_DURATION] = literal,
        [BL_NODE_PERCENT] = literal,
        [BL_NODE_MONEY] = literal,
        [BL_NODE_DATE] = literal,
        [BL_NODE_TIME] = literal,
        [BL_NODE_BOOL] = literal,
        [BL_NODE_PATTERN] = literal,
    };
    if (by_kind[node->kind] != NULL)
        return by_kind[node->kind](body, node);
    if (node->kind == BL_NODE_STRING)
        return bl_lower_text(body, node, (enum bl_place)node->index);
    if (node->kind == BL_NODE_LIST)
        return list_literal(body, node, bl_emit_type(body->e, bl_type_base(node->declared)));
    if (node->kind == BL_NODE_NONE) {
        unsigned reg = bl_typed_register(body, node);
        bl_put(body, BL_OP_ABSENT, reg, 0, 0, node->span);
        return reg;
    }
    bl_emit_defect(body->e, node->span, bl_node_kind_name(node->kind));
    return 0;
}

unsigned bl_lower_as_posted(struct bl_body *body, unsigned comment, bl_type kinds,
                            struct bl_span span)
{
    struct bl_code *code = body->code;
    unsigned ours = bl_code_register(code, BL_OPTIONAL(kinds));
    if (!bl_type_is_optional(bl_code_type(code, comment))) {
        bl_put(body, BL_OP_AS_POSTED, ours, comment, kinds, span);
        return ours;
    }
    size_t mark = bl_code_mark(code);
    unsigned is_set = bl_code_register(code, BL_TYPE_BOOL);
    unsigned present = bl_code_register(code, bl_type_base(bl_code_type(code, comment)));
    unsigned behind = bl_code_target(code);
    bl_put(body, BL_OP_ABSENT, ours, 0, 0, span);
    bl_put(body, BL_OP_IS_SET, is_set, comment, 0, span);
    bl_code_jump(code, BL_OP_JUMP_UNLESS, is_set, behind, span);
    bl_put(body, BL_OP_REQUIRE, present, comment, 0, span);
    bl_put(body, BL_OP_AS_POSTED, ours, present, kinds, span);
    bl_code_place(code, behind);
    bl_code_release(code, mark);
    return ours;
}

/* Narrows a value as guards did: REQUIRE, AS_POSTED. */
static unsigned narrowed(struct bl_body *body, struct bl_node *node, unsigned reg)
{
    bl_type want = bl_emit_type(body->e, node->type);
    bl_type have = bl_code_type(body->code, reg);
    if (want == have || bl_type_fits(have, want))
        return reg;
    if (bl_type_is(want, BL_TYPE_POSTED) && bl_type_base(have) != bl_type_base(want)) {
        bl_type kinds = bl_type_base(want);
        unsigned ours = bl_lower_as_posted(body, reg, kinds, node->span);
        if (bl_type_is_optional(want))
            return ours;
        reg = ours;
        have = BL_OPTIONAL(kinds);
    }
    if (bl_type_is_optional(have) && !bl_type_is_optional(want)) {
        unsigned present = bl_code_register(body->code, bl_type_base(have));
        bl_put(body, BL_OP_REQUIRE, present, reg, 0, node->span);
        return present;
    }
    return reg;
}

unsigned bl_lower(struct bl_body *body, struct bl_node *node)
{
    return narrowed(body, node, value_of(body, node));
}

void bl_lower_into(struct bl_body *body, struct bl_node *node, unsigned reg)
{
    size_t mark = bl_code_mark(body->code);
    if (node->kind == BL_NODE_NONE) {
        bl_put(body, BL_OP_ABSENT, reg, 0, 0, node->span);
    } else {
        bl_type type = bl_type_base(bl_code_type(body->code, reg));
        unsigned value =
            node->kind == BL_NODE_LIST ? list_literal(body, node, type) : bl_lower(body, node);
        if (!bl_code_redirect(body->code, value, reg, mark))
            bl_put(body, BL_OP_MOVE, reg, value, 0, node->span);
    }
    bl_code_release(body->code, mark);
}

unsigned bl_lower_as(struct bl_body *body, struct bl_node *node, bl_type type)
{
    /* Own words stand for a secret in a setting or a test. */
    if (type == BL_TYPE_SECRET && node->kind == BL_NODE_STRING && node->kid_count <= 1)
        return bl_const_text(body, BL_TYPE_SECRET,
                             node->kid_count == 1 ? node->kids[0]->text : (bl_str){NULL, 0},
                             node->span);
    if (node->kind == BL_NODE_LIST && bl_type_is_list(type))
        return list_literal(body, node, bl_type_base(type));
    if (node->kind != BL_NODE_NONE) {
        unsigned reg = bl_lower(body, node);
        if (bl_code_type(body->code, reg) == type)
            return reg;
        unsigned converted = bl_code_register(body->code, type);
        bl_put(body, BL_OP_MOVE, converted, reg, 0, node->span);
        return converted;
    }
    unsigned reg = bl_code_register(body->code, type);
    bl_put(body, BL_OP_ABSENT, reg, 0, 0, node->span);
    return reg;
}
