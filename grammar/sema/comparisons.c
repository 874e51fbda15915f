/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"
#include "sema/checker.h"

/* ---- operands
 * ------------------------------------------------------------------------------------ */

static bool is_constant_word(struct bl_checker *c, const struct bl_node *node)
{
    return node->kind == BL_NODE_NAME && !bl_sema_name_stands_alone(c, node);
}

/* Rules of checks and kinds of masks compare with bare words. */
static bool takes_words(const struct bl_node *node)
{
    if (node->kind != BL_NODE_FIELD)
        return false;
    return node->resolution == BL_RESOLVED_FIELD &&
           (node->index == BL_FIELD_VERDICT_RULE || node->index == BL_FIELD_REFUSAL_RULE ||
            node->index == BL_FIELD_MASK_KIND);
}

/* Types both sides, each with the type of the other as what is asked for: a word that means
 * nothing by itself takes its meaning from the other side. */
static void type_sides(struct bl_checker *c, struct bl_node *left, struct bl_node *right)
{
    bool words = c->body->words;

    if (is_constant_word(c, left)) {
        bl_type type = bl_sema_type(c, right, BL_NO_TYPE);

        c->body->words = words || takes_words(right);
        bl_sema_type(c, left, bl_type_base(type));
    } else {
        bl_type type = bl_sema_type(c, left, BL_NO_TYPE);

        c->body->words = words || takes_words(left);
        bl_sema_type(c, right, bl_type_base(type));
    }
    c->body->words = words;
}

static bl_type hidden_quantifier(struct bl_checker *c, struct bl_node *node,
                                 struct bl_node *list)
{
    struct bl_diagnostic *d = bl_sema_error(c, BL_D_HIDDEN_QUANTIFIER, list->span);

    bl_sema_arg(c, d, "operator", bl_operator_spelling(node->op));
    bl_sema_arg_type(c, d, "type", list->type);
    if (node->op == BL_OPERATOR_CONTAINS && list == node->kids[0])
        bl_sema_help(c, d, "Whether something is one of them is asked so: %.*s in %.*s.",
                     BL_STR_ARG(bl_sema_source(c, node->kids[1]->span)),
                     BL_STR_ARG(bl_sema_source(c, list->span)));
    return BL_TYPE_ERROR;
}

static bool report_list(struct bl_checker *c, struct bl_node *node, struct bl_node *one,
                        struct bl_node *other)
{
    if (bl_type_is_list(one->type))
        hidden_quantifier(c, node, one);
    else if (bl_type_is_list(other->type))
        hidden_quantifier(c, node, other);
    else
        return false;
    return true;
}

static void report_pair(struct bl_checker *c, struct bl_node *node, bl_type a, bl_type b)
{
    struct bl_diagnostic *d = bl_sema_error(c, BL_D_NOT_COMPARABLE, node->span);
    bl_type one = bl_type_base(a), other = bl_type_base(b);

    if (node->op == BL_OPERATOR_IN && bl_type_is_list(other))
        other = bl_type_element(other);
    bl_sema_arg_type(c, d, "one", a);
    bl_sema_arg(c, d, "operator", bl_operator_spelling(node->op));
    bl_sema_arg_type(c, d, "other", b);
    if ((one == BL_TYPE_TIME && other == BL_TYPE_DATE) ||
        (one == BL_TYPE_DATE && other == BL_TYPE_TIME))
        bl_sema_help(c, d, "The day of a moment is its field '.day'.");
    else if ((one == BL_TYPE_TIME && other == BL_TYPE_DURATION) ||
             (one == BL_TYPE_DURATION && other == BL_TYPE_TIME))
        bl_sema_help(
            c, d, "A moment so long ago is 'now - %.*s'.",
            BL_STR_ARG(bl_sema_source(c, node->kids[one == BL_TYPE_DURATION ? 0 : 1]->span)));
    else if ((bl_type_is(one, BL_TYPE_ENUM) && bl_type_is_text(other)) ||
             (bl_type_is(other, BL_TYPE_ENUM) && bl_type_is_text(one)))
        bl_sema_help(c, d, "A word of a list stands without quotes.");
    else if (bl_sema_help_unquoted(c, d, node->kids[1], a) ||
             bl_sema_help_unquoted(c, d, node->kids[0], b))
        return;
    else if (bl_type_is(one, BL_TYPE_ENTITY) && bl_type_is_text(other))
        bl_sema_help(c, d, "Compare one of its fields, such as a user's '.login'.");
}

static bool is_none(const struct bl_node *node)
{
    return node->kind == BL_NODE_NONE;
}

/* What was said of a 'null' that stands there. */
static struct bl_diagnostic *told_null(struct bl_checker *c, struct bl_span span)
{
    for (size_t i = c->sink->list.count; i > 0; i--) {
        struct bl_diagnostic *d = c->sink->list.items[i - 1];

        if (d->code == BL_D_NULL && d->span.source == span.source && d->span.lo >= span.lo &&
            d->span.hi <= span.hi)
            return d;
    }
    return NULL;
}

/* A value that is always there is asked whether it is. When it was compared with a 'null' of
 * other languages, that message says this as well. */
static void never_absent(struct bl_checker *c, struct bl_node *value, struct bl_diagnostic *d)
{
    const char *always = d != NULL ? "This one is always there. " : "";

    if (d == NULL) {
        d = bl_sema_error(c, BL_D_NEVER_ABSENT, value->span);
        bl_sema_arg_node(c, d, "value", value);
    }
    d->has_fix = false;
    if (bl_type_is_list(value->type))
        bl_sema_help(c, d, "%sA list is empty when its count is 0: count(%.*s) == 0.", always,
                     BL_STR_ARG(bl_sema_source(c, value->span)));
    else if (bl_type_is_text(value->type))
        bl_sema_help(c, d, "%sA text may be empty: %.*s == \"\".", always,
                     BL_STR_ARG(bl_sema_source(c, value->span)));
    else
        bl_sema_help(c, d, "%sTake the question out.", always);
}

/* ---- operators
 * ----------------------------------------------------------------------------------- */

static bl_type compare_equal(struct bl_checker *c, struct bl_node *node)
{
    struct bl_node *left = node->kids[0], *right = node->kids[1];

    type_sides(c, left, right);
    if (bl_is_error(left->type) || bl_is_error(right->type))
        return BL_TYPE_BOOL;
    if (is_none(left) != is_none(right) &&
        !bl_type_is_optional((is_none(left) ? right : left)->type)) {
        never_absent(c, is_none(left) ? right : left, NULL);
        return BL_TYPE_BOOL;
    }
    if (is_none(left) || is_none(right)) {
        struct bl_diagnostic *d = bl_sema_error(c, BL_D_COMPARED_WITH_NONE, node->span);
        bl_str value = bl_sema_source(c, is_none(left) ? right->span : left->span);

        value = bl_sema_text(c, node->op == BL_OPERATOR_EQ ? "%.*s is absent" : "%.*s is set",
                             BL_STR_ARG(value));
        bl_sema_help(c, d, "Write '%.*s'.", BL_STR_ARG(value));
        bl_diagnostic_fix(c->sink, d, node->span, value);
        return BL_TYPE_BOOL;
    }
    if (report_list(c, node, left, right))
        return BL_TYPE_BOOL;
    if (!bl_types_equatable(left->type, right->type)) {
        report_pair(c, node, left->type, right->type);
        return BL_TYPE_BOOL;
    }
    if (c->body->in_expectation && bl_type_is_optional(left->type) &&
        bl_type_is_optional(right->type))
        node->resolution = BL_RESOLVED_SAME;
    return BL_TYPE_BOOL;
}

static bl_type compare_order(struct bl_checker *c, struct bl_node *node)
{
    struct bl_node *left = node->kids[0], *right = node->kids[1];
    bool absent;

    type_sides(c, left, right);
    if (bl_is_error(left->type) || bl_is_error(right->type) ||
        report_list(c, node, left, right))
        return BL_TYPE_BOOL;
    absent = bl_sema_is_absent_here(c, left, left->type);
    absent |= bl_sema_is_absent_here(c, right, right->type);
    if (!absent && !bl_types_ordered(left->type, right->type))
        report_pair(c, node, left->type, right->type);
    return BL_TYPE_BOOL;
}

static bl_type compare_in(struct bl_checker *c, struct bl_node *node)
{
    struct bl_node *left = node->kids[0], *right = node->kids[1];
    bool constant = is_constant_word(c, left);
    bl_type list;

    if (!constant)
        bl_sema_type(c, left, BL_NO_TYPE);
    list = bl_sema_type(c, right,
                        constant || bl_is_error(left->type)
                            ? BL_NO_TYPE
                            : BL_LIST_OF(bl_type_base(left->type)));
    if (constant)
        bl_sema_type(c, left, bl_type_element(bl_type_base(list)));
    if (bl_is_error(left->type) || bl_is_error(list))
        return BL_TYPE_BOOL;
    if (bl_sema_is_absent_here(c, right, list))
        return BL_TYPE_BOOL;
    if (!bl_type_is_list(list)) {
        struct bl_diagnostic *d = bl_sema_error(c, BL_D_NOT_A_LIST, right->span);

        bl_sema_arg(c, d, "operator", BL_STR("in"));
        bl_sema_arg_type(c, d, "type", list);
        if (bl_type_is_text(list) && bl_type_is_text(bl_type_base(left->type)))
            bl_sema_help(c, d, "To look for a part of a text, write '… contains …'.");
        return BL_TYPE_BOOL;
    }
    if (bl_type_is_list(left->type)) {
        hidden_quantifier(c, node, left);
        return BL_TYPE_BOOL;
    }
    if (!bl_types_equatable(left->type, bl_type_element(list)))
        report_pair(c, node, left->type, list);
    else
        bl_sema_settle(right, BL_LIST_OF(bl_type_base(left->type)));
    return BL_TYPE_BOOL;
}

static bl_type compare_has(struct bl_checker *c, struct bl_node *node)
{
    struct bl_node *left = node->kids[0], *right = node->kids[1];
    bl_type type = bl_sema_type(c, left, BL_NO_TYPE);
    enum bl_field field = BL_FIELD_ISSUE_LABELS;

    bl_sema_type(c, right, BL_TYPE_LABEL);
    if (bl_is_error(type) || bl_sema_is_absent_here(c, left, type))
        return BL_TYPE_BOOL;
    if (type == BL_ENTITY_TYPE(PULL_REQUEST)) {
        field = BL_FIELD_PULL_REQUEST_LABELS;
    } else if (type != BL_ENTITY_TYPE(ISSUE)) {
        struct bl_diagnostic *d = bl_sema_error(c, BL_D_HAS_NO_LABELS, left->span);

        bl_sema_arg(c, d, "operator", bl_operator_spelling(node->op));
        bl_sema_arg_type(c, d, "type", type);
        if (bl_type_is_list(type))
            bl_sema_help(c, d, "A list holds a value when the value is 'in' it.");
        return BL_TYPE_BOOL;
    }
    node->resolution = BL_RESOLVED_HAS;
    node->index = field;
    if (bl_is_error(right->type) || bl_sema_is_absent_here(c, right, right->type))
        return BL_TYPE_BOOL;
    if (bl_type_is_list(right->type)) {
        hidden_quantifier(c, node, right);
    } else if (right->type != BL_TYPE_LABEL) {
        struct bl_diagnostic *d = bl_sema_error(c, BL_D_TYPE_MISMATCH, right->span);

        bl_sema_arg_type(c, d, "wanted", BL_TYPE_LABEL);
        bl_sema_arg_type(c, d, "type", right->type);
        if (right->kind == BL_NODE_STRING && right->kid_count <= 1)
            bl_sema_help_label(c, d, right);
    }
    return BL_TYPE_BOOL;
}

/* A side of contains, starts_with, ends_with, matches. */
static bool is_text_side(struct bl_checker *c, struct bl_node *node, struct bl_node *side)
{
    bl_type type = side->type;
    struct bl_diagnostic *d;

    if (bl_is_error(type))
        return false;
    if (bl_type_is_list(type)) {
        hidden_quantifier(c, node, side);
        return false;
    }
    if (bl_sema_is_absent_here(c, side, type))
        return false;
    if (bl_sema_fits(type, BL_TYPE_UNTRUSTED) || type == BL_TYPE_MASKED)
        return true;
    d = bl_sema_error(c, BL_D_NOT_A_TEXT, side->span);
    bl_sema_arg(c, d, "operator", bl_operator_spelling(node->op));
    bl_sema_arg_type(c, d, "type", type);
    return false;
}

static bl_type compare_texts(struct bl_checker *c, struct bl_node *node)
{
    struct bl_node *left = node->kids[0], *right = node->kids[1];

    bl_sema_type(c, left, BL_NO_TYPE);
    bl_sema_type(c, right, BL_NO_TYPE);
    if (is_text_side(c, node, left))
        is_text_side(c, node, right);
    return BL_TYPE_BOOL;
}

static bool names_paths(bl_type type)
{
    return bl_sema_fits(type, BL_TYPE_PATH) || bl_sema_fits(type, BL_LIST_OF(BL_TYPE_PATH));
}

/* `title matches "crash"`: what stands in quotes names paths, a pattern stands in slashes. */
static void text_for_pattern(struct bl_checker *c, const struct bl_node *right, bl_type type)
{
    struct bl_diagnostic *d = bl_sema_error(c, BL_D_NOT_A_PATTERN, right->span);
    bool plain = right->kid_count == 1 && right->kids[0]->kind == BL_NODE_STRING_PART;
    bl_str words = plain ? right->kids[0]->text : (bl_str){NULL, 0};

    bl_sema_arg_type(c, d, "type", type);
    bl_sema_help(c, d, "A pattern stands between slashes; 'contains' looks for a text.");
    for (size_t i = 0; i < words.len && plain; i++)
        plain = words.ptr[i] == ' ' || words.ptr[i] == '_' || words.ptr[i] == '-' ||
                bl_is_ascii_alpha(words.ptr[i]) || bl_is_ascii_digit(words.ptr[i]);
    if (plain)
        bl_diagnostic_fix(c->sink, d, right->span,
                          bl_sema_text(c, "/%.*s/", BL_STR_ARG(words)));
}

static bl_type compare_matches(struct bl_checker *c, struct bl_node *node)
{
    struct bl_node *left = node->kids[0], *right = node->kids[1];
    bl_type type;

    bl_sema_type(c, left, BL_NO_TYPE);
    type = bl_sema_type(c, right, BL_NO_TYPE);
    if (!is_text_side(c, node, left) || bl_is_error(type) ||
        bl_sema_is_absent_here(c, right, type))
        return BL_TYPE_BOOL;
    if (right->kind == BL_NODE_STRING && !bl_sema_fits(left->type, BL_TYPE_PATH)) {
        text_for_pattern(c, right, type);
    } else if (type == BL_TYPE_PATTERN && right->resolution == BL_RESOLVED_SECRETS &&
               right->kind == BL_NODE_NAME) {
        node->resolution = BL_RESOLVED_SECRETS;
        node->symbol = right->symbol;
    } else if (type == BL_TYPE_PATTERN) {
        node->resolution = BL_RESOLVED_PATTERN;
    } else if (names_paths(type)) {
        node->resolution = BL_RESOLVED_GLOB;
        if (!bl_sema_fits(left->type, BL_TYPE_PATH))
            bl_sema_mismatch(c, left, BL_TYPE_PATH);
    } else {
        struct bl_diagnostic *d = bl_sema_error(c, BL_D_NOT_A_PATTERN, right->span);

        bl_sema_arg_type(c, d, "type", type);
        if (bl_type_is_list(type))
            bl_sema_help(c, d, "Say which: 'any p in … where … matches p'.");
    }
    return BL_TYPE_BOOL;
}

bl_type bl_sema_compare(struct bl_checker *c, struct bl_node *node)
{
    switch (node->op) {
    case BL_OPERATOR_EQ:
    case BL_OPERATOR_NE:
        return compare_equal(c, node);
    case BL_OPERATOR_LT:
    case BL_OPERATOR_LE:
    case BL_OPERATOR_GT:
    case BL_OPERATOR_GE:
        return compare_order(c, node);
    case BL_OPERATOR_IN:
        return compare_in(c, node);
    case BL_OPERATOR_HAS:
    case BL_OPERATOR_LACKS:
        return compare_has(c, node);
    case BL_OPERATOR_CONTAINS:
    case BL_OPERATOR_STARTS_WITH:
    case BL_OPERATOR_ENDS_WITH:
        return compare_texts(c, node);
    case BL_OPERATOR_MATCHES:
        return compare_matches(c, node);
    case BL_OPERATOR_NONE:
    case BL_OPERATOR_ADD:
    case BL_OPERATOR_SUB:
    case BL_OPERATOR_MUL:
        break;
    }
    return BL_TYPE_ERROR;
}

/* ---- is
 * ------------------------------------------------------------------------------------------ */

static bool is_word(const struct bl_node *node, bl_str word)
{
    return node->kind == BL_NODE_NAME && bl_str_equal(node->text, word);
}

static bl_type is_event(struct bl_checker *c, struct bl_node *node)
{
    unsigned event = bl_sema_read_event(c, node->kids[1]);

    if (event < BL_EVENT_COUNT) {
        node->resolution = BL_RESOLVED_IS_EVENT;
        node->index = event;
    }
    return BL_TYPE_BOOL;
}

/* A thing that only some events bring may be asked for: `issue is set`. */
static bool is_asked_ambient(struct bl_checker *c, struct bl_node *left)
{
    enum bl_ambient ambient = bl_ambient_find(left->text);

    if (left->kind != BL_NODE_NAME || ambient == BL_AMBIENT_COUNT ||
        bl_scope_find_local(c, left->text) != NULL ||
        bl_type_kind(bl_ambient_info(ambient)->type) != BL_TYPE_ENTITY ||
        bl_sema_bringers(ambient) == BL_ALL_EVENTS)
        return false;
    bl_sema_resolved(left, BL_RESOLVED_AMBIENT, NULL, ambient,
                     BL_OPTIONAL(bl_ambient_info(ambient)->type));
    return true;
}

static bl_type is_set(struct bl_checker *c, struct bl_node *node, bool set)
{
    struct bl_node *left = node->kids[0];

    node->resolution = set ? BL_RESOLVED_IS_SET : BL_RESOLVED_IS_ABSENT;
    if (is_asked_ambient(c, left))
        return BL_TYPE_BOOL;
    bl_sema_type(c, left, BL_NO_TYPE);
    /* What a guard narrowed is still asked as it was declared. */
    node->index = left->type != left->declared;
    left->type = left->declared;
    if (!bl_is_error(left->type) && !bl_type_is_optional(left->type))
        never_absent(
            c, left,
            told_null(c, (struct bl_span){left->span.hi, node->span.hi, node->span.source}));
    return BL_TYPE_BOOL;
}

static bl_type is_pull(struct bl_checker *c, struct bl_node *node)
{
    struct bl_node *left = node->kids[0];

    bl_sema_type(c, left, BL_NO_TYPE);
    if (bl_is_error(left->type) || bl_sema_is_absent_here(c, left, left->type))
        return BL_TYPE_BOOL;
    if (left->type != BL_ENTITY_TYPE(ISSUE))
        bl_sema_mismatch(c, left, BL_ENTITY_TYPE(ISSUE));
    node->resolution = BL_RESOLVED_IS_PULL;
    return BL_TYPE_BOOL;
}

static bool is_comment_type(bl_type type)
{
    return bl_sema_fits(bl_type_base(type), BL_ENTITY_TYPE(COMMENT));
}

static bl_type is_kind(struct bl_checker *c, struct bl_node *node, struct bl_symbol *kind)
{
    kind->used = true;
    node->kids[0]->type = node->kids[0]->declared; /* asked as it was declared */
    node->resolution = BL_RESOLVED_IS_KIND;
    node->symbol = kind;
    node->index = bl_type_ref(bl_sema_posted_type(c, &kind, 1));
    return BL_TYPE_BOOL;
}

static bl_type is_actor(struct bl_checker *c, struct bl_node *node, struct bl_symbol *actor)
{
    struct bl_node *left = node->kids[0];
    bl_type wanted;

    actor->used = true;
    bl_sema_callable(c, actor, node->kids[1]->span);
    wanted = actor->as.callable->params.count == 1 ? actor->as.callable->params.items[0]->type
                                                   : BL_NO_TYPE;
    if (!bl_is_error(left->type) && !bl_sema_fits(left->type, wanted)) {
        bl_sema_mismatch(c, left, wanted);
        return BL_TYPE_BOOL;
    }
    bl_sema_need_all(c, node, &actor->as.callable->needs);
    if (actor->as.callable->reads) {
        c->body->reads = true;
        if (c->body->first_read == NULL)
            c->body->first_read = node;
    }
    node->resolution = BL_RESOLVED_IS_ACTOR;
    node->symbol = actor;
    return BL_TYPE_BOOL;
}

static void consider_predicates(struct bl_checker *c, struct bl_likeness *like, bl_type type)
{
    bool any = bl_is_error(type);

    bl_likeness_consider(like, BL_STR("set"));
    bl_likeness_consider(like, BL_STR("absent"));
    if (any || is_comment_type(type)) {
        bl_likeness_symbols(c, like, BL_SYMBOL_COMMENT);
        bl_likeness_symbols(c, like, BL_SYMBOL_COMMANDS);
    }
    if (any || !is_comment_type(type))
        bl_likeness_symbols(c, like, BL_SYMBOL_ACTOR);
}

static bl_type no_predicate(struct bl_checker *c, struct bl_node *node, bl_type type)
{
    struct bl_node *right = node->kids[1];
    struct bl_likeness like = bl_likeness_begin(right->text);
    struct bl_diagnostic *d = bl_sema_error(
        c, bl_is_error(type) ? BL_D_UNKNOWN_KIND_NAME : BL_D_NO_PREDICATE, right->span);

    if (bl_is_error(type)) /* what stands on the left was reported */
        bl_sema_arg(c, d, "kind", BL_STR("actor or kind of comment"));
    else
        bl_sema_arg_type(c, d, "type", type);
    bl_sema_arg_node(c, d, "name", right);
    if (right->kind == BL_NODE_NAME)
        consider_predicates(c, &like, type);
    if (like.best.len > 0)
        bl_likeness_help(c, &like, d, right->span);
    else if (right->kind == BL_NODE_NAME && bl_sema_library_help(c, d, right->text))
        return BL_TYPE_BOOL;
    else if (right->kind != BL_NODE_NAME || bl_type_kind(type) == BL_TYPE_ENUM ||
             bl_type_kind(type) == BL_TYPE_BOOL)
        bl_sema_help(c, d, "Values compare with '=='.");
    return BL_TYPE_BOOL;
}

bl_type bl_sema_is(struct bl_checker *c, struct bl_node *node)
{
    struct bl_node *left = node->kids[0], *right = node->kids[1];
    struct bl_symbol *symbol;
    bl_type type;

    if (is_word(left, BL_STR("event")) && bl_scope_find_local(c, left->text) == NULL)
        return is_event(c, node);
    if (is_word(right, BL_STR("set")) || is_word(right, BL_STR("absent")))
        return is_set(c, node, is_word(right, BL_STR("set")));
    if (is_word(right, BL_STR("pull_request")))
        return is_pull(c, node);
    type = bl_sema_type(c, left, BL_NO_TYPE);
    if (right->kind == BL_NODE_NONE) {
        bl_diagnostic_fix(c->sink, bl_sema_error(c, BL_D_NULL, right->span), right->span,
                          BL_STR("absent"));
        return BL_TYPE_BOOL;
    }
    if (right->kind != BL_NODE_NAME) {
        if (right->kind != BL_NODE_BROKEN)
            no_predicate(c, node, type);
        return BL_TYPE_BOOL;
    }
    if (bl_is_error(type) || is_comment_type(type)) {
        symbol = bl_scope_find(c, BL_SPACE_DOCUMENTS, right->text);
        if (symbol != NULL && symbol->kind == BL_SYMBOL_COMMENT)
            return is_kind(c, node, symbol);
        symbol = bl_scope_find(c, BL_SPACE_VALUES, right->text);
        if (symbol != NULL && symbol->kind == BL_SYMBOL_COMMANDS) {
            symbol->used = true;
            bl_sema_judge(c, symbol, node->span);
            bl_sema_is_absent_here(c, left, type);
            c->body->reads = true;
            if (c->body->first_read == NULL)
                c->body->first_read = node;
            return bl_sema_resolved(node, BL_RESOLVED_IS_COMMAND, symbol, 0, BL_TYPE_BOOL);
        }
    }
    symbol = bl_scope_find(c, BL_SPACE_VALUES, right->text);
    if (symbol != NULL && symbol->kind == BL_SYMBOL_ACTOR)
        return is_actor(c, node, symbol);
    return bl_is_error(type) && symbol != NULL ? (bl_type)BL_TYPE_BOOL
                                               : no_predicate(c, node, type);
}
