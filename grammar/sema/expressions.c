/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"
#include "syntax/parser.h"

bl_type bl_sema_resolved(struct bl_node *node, enum bl_resolution resolution,
                         struct bl_symbol *symbol, uint32_t index, bl_type type)
{
    node->resolution = resolution;
    node->symbol = symbol;
    node->index = index;
    node->declared = node->type = type;
    return type;
}

/* Own words may be given as a secret, which no run knows yet: a test does. */
bool bl_sema_fits(bl_type from, bl_type to)
{
    if (bl_type_kind(to) == BL_TYPE_SECRET && bl_type_kind(from) == BL_TYPE_TEXT &&
        bl_type_list_depth(from) == bl_type_list_depth(to) && !bl_type_is_optional(from))
        return true;
    return bl_type_fits(from, to);
}

/* ---- what does not fit
 * ------------------------------------------------------------------------ */

static bool fits_but_for_absence(bl_type from, bl_type to)
{
    return bl_type_is_optional(from) && !bl_type_is_optional(to) &&
           bl_sema_fits(bl_type_base(from), to);
}

/* A bare number where something with a unit is asked for. */
static void help_with_unit(struct bl_checker *c, struct bl_diagnostic *d,
                           const struct bl_node *node, bl_type want)
{
    bl_str number = bl_sema_source(c, node->span);

    if (bl_type_is(want, BL_TYPE_DURATION))
        bl_sema_help(c, d, "A duration has its unit: %.*s days, %.*s hours.",
                     BL_STR_ARG(number), BL_STR_ARG(number));
    else if (bl_type_is(want, BL_TYPE_PERCENT))
        bl_sema_help(c, d, "A percentage has its sign: %.*s%%.", BL_STR_ARG(number));
    else if (bl_type_is(want, BL_TYPE_MONEY))
        bl_sema_help(c, d, "An amount has its sign: $%.*s.", BL_STR_ARG(number));
}

/* A label that is given by its name in GitHub: a policy knows it by its own. */
void bl_sema_help_label(struct bl_checker *c, struct bl_diagnostic *d, struct bl_node *node)
{
    const struct bl_symbol_list *labels = &c->program->symbols[BL_SYMBOL_LABEL];
    bl_str text = bl_sema_plain_text(c, node);

    for (size_t i = 0; i < labels->count; i++) {
        bl_str name = labels->items[i]->name;

        if (!bl_str_equal(labels->items[i]->as.label->shown, text))
            continue;
        bl_sema_help(c, d, "In a policy it is called '%.*s'.", BL_STR_ARG(name));
        bl_diagnostic_fix(c->sink, d, node->span, name);
        return;
    }
    bl_sema_help(c, d, "Declare the label, and use it by its name: label NAME %.*s.",
                 BL_STR_ARG(bl_sema_source(c, node->span)));
}

static bool is_digits(bl_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (!bl_is_ascii_digit(text.ptr[i]))
            return false;
    }
    return text.len > 0;
}

/* "15 days" and "3" where a duration and a number are asked for: they stand without quotes. */
bool bl_sema_help_unquoted(struct bl_checker *c, struct bl_diagnostic *d,
                           const struct bl_node *node, bl_type want)
{
    bl_str text =
        node->kind == BL_NODE_STRING && node->kid_count == 1 ? node->text : (bl_str){NULL, 0};
    size_t blank = bl_str_find_char(text, ' ');
    bl_str unit =
        blank == SIZE_MAX ? (bl_str){NULL, 0} : bl_str_slice(text, blank + 1, text.len);
    bool fits = false;

    want = bl_type_base(want);
    if (bl_type_is(want, BL_TYPE_INT))
        fits = is_digits(text);
    else if (bl_type_is(want, BL_TYPE_BOOL))
        fits = bl_str_equal(text, BL_STR("true")) || bl_str_equal(text, BL_STR("false"));
    else if (bl_type_is(want, BL_TYPE_DURATION))
        fits = is_digits(bl_str_slice(text, 0, blank)) && bl_unit_seconds(unit) != 0;
    if (!fits)
        return false;
    bl_sema_help(c, d, "It stands without quotes: %.*s.", BL_STR_ARG(text));
    bl_diagnostic_fix(c->sink, d, node->span, text);
    return true;
}

void bl_sema_mismatch(struct bl_checker *c, struct bl_node *node, bl_type want)
{
    struct bl_diagnostic *d;

    if (bl_is_error(node->type) || bl_is_error(want))
        return;
    if (fits_but_for_absence(node->type, want)) {
        bl_sema_is_absent_here(c, node, node->type);
        return;
    }
    if (bl_type_is(bl_type_base(node->type), BL_TYPE_UNTRUSTED) &&
        (bl_type_is(want, BL_TYPE_TEXT) || bl_type_is(want, BL_TYPE_NAME) ||
         bl_type_is(want, BL_TYPE_PATH) || bl_type_is(want, BL_TYPE_LINK))) {
        d = bl_sema_error(c, BL_D_UNTRUSTED_AS_OWN, node->span);
        bl_sema_arg_type(c, d, "wanted", want);
        bl_sema_trace(c, node, d);
        return;
    }
    d = bl_sema_error(c, BL_D_TYPE_MISMATCH, node->span);
    bl_sema_arg_type(c, d, "wanted", want);
    bl_sema_arg_type(c, d, "type", node->type);
    if (node->kind == BL_NODE_STRING && node->kid_count <= 1 &&
        bl_type_is(bl_type_base(want), BL_TYPE_ENUM))
        bl_sema_help(c, d, "A word of a list stands without quotes.");
    else if (node->kind == BL_NODE_STRING && node->kid_count <= 1 &&
             bl_type_is(bl_type_base(want), BL_TYPE_LABEL))
        bl_sema_help_label(c, d, node);
    else if (bl_sema_help_unquoted(c, d, node, want))
        return;
    else if (node->kind == BL_NODE_INT)
        help_with_unit(c, d, node, bl_type_base(want));
    else if (bl_type_is_list(want) && !bl_type_is_list(node->type) &&
             bl_sema_fits(node->type, bl_type_element(bl_type_base(want))))
        bl_sema_help(c, d, "A list of one is written [ … ].");
}

/* Reports a value that may be absent where it may not be. True when it is one. */
bool bl_sema_is_absent_here(struct bl_checker *c, struct bl_node *node, bl_type type)
{
    struct bl_diagnostic *d;

    if (!bl_type_is_optional(type))
        return false;
    d = bl_sema_error(c, BL_D_MAY_BE_ABSENT, node->span);
    bl_sema_arg_node(c, d, "value", node);
    bl_sema_arg_type(c, d, "type", type);
    return true;
}

bl_type bl_sema_expect(struct bl_checker *c, struct bl_node *node, bl_type want)
{
    bl_type type = bl_sema_type(c, node, want);

    if (!bl_sema_fits(type, want)) {
        bl_sema_mismatch(c, node, want);
        node->type = BL_TYPE_ERROR;
        return BL_TYPE_ERROR;
    }
    bl_sema_settle(node, want);
    return node->type;
}

void bl_sema_condition(struct bl_checker *c, struct bl_node *node)
{
    bl_type type = bl_sema_type(c, node, BL_TYPE_BOOL);
    struct bl_diagnostic *d;

    if (bl_is_error(type) || type == BL_TYPE_BOOL)
        return;
    if (type == BL_OPTIONAL(BL_TYPE_BOOL)) {
        bl_sema_is_absent_here(c, node, type);
        return;
    }
    d = bl_sema_error(c, BL_D_NOT_A_CONDITION, node->span);
    bl_sema_arg_type(c, d, "type", type);
    if (bl_type_is_optional(type))
        bl_sema_help(c, d, "Ask whether it 'is set'.");
    else if (bl_type_is_list(type))
        bl_sema_help(c, d, "Ask 'any … in … where …', or compare its count(…).");
    else if (type == BL_ENTITY_TYPE(VERDICT))
        bl_sema_help(c, d, "Ask for its field '.passes'.");
    else if (type == BL_TYPE_INT)
        bl_sema_help(c, d, "Compare it: %.*s > 0.", BL_STR_ARG(bl_sema_source(c, node->span)));
    else if (bl_type_is_text(type))
        bl_sema_help(c, d, "Look into it: %.*s contains \"crash\".",
                     BL_STR_ARG(bl_sema_source(c, node->span)));
}

/* ---- branches
 * ---------------------------------------------------------------------------------- */

static bool is_empty_list(bl_type type)
{
    return bl_type_is_list(type) && bl_type_kind(type) == BL_TYPE_ERROR;
}

void bl_sema_settle(struct bl_node *node, bl_type type)
{
    if (bl_is_error(type))
        return;
    if ((node->kind == BL_NODE_NONE && bl_type_is_optional(type)) ||
        (node->kind == BL_NODE_LIST && is_empty_list(node->type) && bl_type_is_list(type)))
        node->declared = node->type = node->kind == BL_NODE_NONE ? type : bl_type_base(type);
    if (node->kind == BL_NODE_IF && node->kid_count == 3 &&
        (is_empty_list(node->type) || bl_type_is(node->type, BL_TYPE_NONE))) {
        node->declared = node->type = type;
    }
    if (node->kind == BL_NODE_IF && node->kid_count == 3) {
        bl_sema_settle(node->kids[1], type);
        bl_sema_settle(node->kids[2], type);
    }
    if (node->kind == BL_NODE_ELSE && node->kid_count == 2)
        bl_sema_settle(node->kids[1], type);
}

/* The one type of two branches; ERROR when they have none. */
static bl_type unify(bl_type a, bl_type b)
{
    bool optional = bl_type_is_optional(a) || bl_type_is_optional(b) ||
                    bl_type_is(a, BL_TYPE_NONE) || bl_type_is(b, BL_TYPE_NONE);
    bl_type type;

    if (bl_is_error(a) || bl_is_error(b))
        return bl_is_error(a) ? b : a;
    a = bl_type_base(a);
    b = bl_type_base(b);
    if (a == BL_TYPE_NONE && b == BL_TYPE_NONE)
        return BL_TYPE_NONE;
    if (a == BL_TYPE_NONE || is_empty_list(a))
        type = b;
    else if (b == BL_TYPE_NONE || bl_sema_fits(b, a))
        type = a;
    else if (bl_sema_fits(a, b))
        type = b;
    else
        return BL_TYPE_ERROR;
    return optional ? BL_OPTIONAL(type) : type;
}

static bl_type type_branches(struct bl_checker *c, struct bl_node *node, struct bl_node *one,
                             struct bl_node *other, bl_type a, bl_type b)
{
    bl_type type = unify(a, b);
    struct bl_diagnostic *d;

    if (!bl_is_error(a) && !bl_is_error(b) && bl_is_error(type)) {
        d = bl_sema_error(c, BL_D_BRANCHES_DIFFER, node->span);
        bl_sema_arg_type(c, d, "one", a);
        bl_sema_arg_type(c, d, "other", b);
        bl_diagnostic_label(
            c->sink, d, one->span,
            bl_sema_text(c, "This is %.*s.", BL_STR_ARG(bl_sema_type_text(c, a))));
        bl_diagnostic_label(
            c->sink, d, other->span,
            bl_sema_text(c, "This is %.*s.", BL_STR_ARG(bl_sema_type_text(c, b))));
        return BL_TYPE_ERROR;
    }
    bl_sema_settle(one, type);
    bl_sema_settle(other, type);
    return type;
}

static bl_type type_if(struct bl_checker *c, struct bl_node *node, bl_type want)
{
    struct bl_known_mark mark;
    bl_type a, b;

    bl_sema_condition(c, node->kids[0]);
    mark = bl_sema_mark(c);
    bl_sema_assume(c, node->kids[0], true);
    a = bl_sema_type(c, node->kids[1], want);
    bl_sema_forget(c, mark);
    bl_sema_assume(c, node->kids[0], false);
    b = bl_sema_type(c, node->kids[2], bl_is_error(want) ? a : want);
    bl_sema_forget(c, mark);
    return type_branches(c, node, node->kids[1], node->kids[2], a, b);
}

static bl_type type_else(struct bl_checker *c, struct bl_node *node, bl_type want)
{
    bl_type a = bl_sema_type(c, node->kids[0], bl_is_error(want) ? want : BL_OPTIONAL(want));
    bl_type b = bl_sema_type(c, node->kids[1], bl_is_error(want) ? bl_type_base(a) : want);

    if (bl_is_error(a))
        return b;
    if (!bl_type_is_optional(a) && !bl_type_is(a, BL_TYPE_NONE)) {
        struct bl_diagnostic *d = bl_sema_error(c, BL_D_NEVER_ABSENT, node->kids[0]->span);

        bl_sema_arg_node(c, d, "value", node->kids[0]);
        return a;
    }
    return type_branches(c, node, node->kids[0], node->kids[1], bl_type_base(a), b);
}

/* ---- operators
 * --------------------------------------------------------------------------------- */

static bl_type type_and(struct bl_checker *c, struct bl_node *node)
{
    bool both = node->kind == BL_NODE_AND;
    struct bl_known_mark mark = bl_sema_mark(c);

    bl_sema_condition(c, node->kids[0]);
    bl_sema_assume(c, node->kids[0], both);
    bl_sema_condition(c, node->kids[1]);
    bl_sema_forget(c, mark);
    return BL_TYPE_BOOL;
}

static bl_type report_arithmetic(struct bl_checker *c, struct bl_node *node, bl_type a,
                                 bl_type b)
{
    struct bl_diagnostic *d = bl_sema_error(c, BL_D_ARITHMETIC, node->span);

    bl_sema_arg_type(c, d, "one", a);
    bl_sema_arg(c, d, "operator", bl_operator_spelling(node->op));
    bl_sema_arg_type(c, d, "other", b);
    if (node->op == BL_OPERATOR_SUB && a == BL_TYPE_DATE && b == BL_TYPE_DATE)
        bl_sema_help(c, d, "The days between two dates are days(first, second).");
    else if ((a == BL_TYPE_TIME && b == BL_TYPE_DATE) ||
             (a == BL_TYPE_DATE && b == BL_TYPE_TIME))
        bl_sema_help(c, d, "The day of a moment is its field '.day'.");
    else if (bl_type_is_list(a) != bl_type_is_list(b))
        bl_sema_help(c, d, "A list of one is written [ … ].");
    else if ((a == BL_TYPE_TIME || a == BL_TYPE_DATE) && node->kids[1]->kind == BL_NODE_INT)
        help_with_unit(c, d, node->kids[1], BL_TYPE_DURATION);
    else if (bl_type_is_text(a) && node->kids[0]->kind == BL_NODE_STRING)
        bl_sema_help(c, d, "A text holds the value in braces: \"… {%.*s} …\".",
                     BL_STR_ARG(bl_sema_source(c, node->kids[1]->span)));
    return BL_TYPE_ERROR;
}

/* `add label needs-info`: two names that nothing knows, with a '-' directly between them. */
static bool hyphened_name(struct bl_checker *c, struct bl_node *node, bl_type want)
{
    const struct bl_node *left = node->kids[0], *right = node->kids[1];
    struct bl_node whole = *node;
    bl_str name;

    if (node->op != BL_OPERATOR_SUB || left->kind != BL_NODE_NAME ||
        right->kind != BL_NODE_NAME || left->span.hi + 1 != right->span.lo ||
        bl_sema_name_stands_alone(c, left) || bl_sema_name_stands_alone(c, right))
        return false;
    name = bl_sema_text(c, "%.*s_%.*s", BL_STR_ARG(left->text), BL_STR_ARG(right->text));
    whole.kind = BL_NODE_NAME;
    whole.text = name;
    whole.kid_count = 0;
    if (!bl_is_error(bl_sema_name(c, &whole, want))) {
        struct bl_diagnostic *d = bl_sema_error(c, BL_D_NAME_SPELLING, node->span);

        bl_sema_arg_node(c, d, "text", node);
        bl_diagnostic_fix(c->sink, d, node->span, name);
    }
    return true;
}

static bl_type type_arithmetic(struct bl_checker *c, struct bl_node *node, bl_type want)
{
    if (hyphened_name(c, node, want))
        return BL_TYPE_ERROR;

    bool lists = bl_type_is_list(want);
    bl_type a = bl_sema_type(c, node->kids[0], lists ? want : BL_NO_TYPE);
    bl_type b = bl_sema_type(c, node->kids[1],
                             lists                ? want
                             : bl_type_is_list(a) ? a
                                                  : BL_NO_TYPE);
    enum bl_opcode op = node->op == BL_OPERATOR_ADD   ? BL_OP_ADD
                        : node->op == BL_OPERATOR_SUB ? BL_OP_SUB
                                                      : BL_OP_MUL;
    bl_type type;

    if (bl_is_error(a) || bl_is_error(b))
        return BL_TYPE_ERROR;
    if (bl_sema_is_absent_here(c, node->kids[0], a) ||
        bl_sema_is_absent_here(c, node->kids[1], b))
        return BL_TYPE_ERROR;
    type = bl_arith_type(op, a, b);
    if (bl_is_error(type))
        return report_arithmetic(c, node, a, b);
    bl_sema_settle(node->kids[0], type);
    bl_sema_settle(node->kids[1], type);
    return type;
}

static bl_type type_list(struct bl_checker *c, struct bl_node *node, bl_type want)
{
    bl_type element = bl_type_is_list(want) ? bl_type_element(want) : BL_NO_TYPE;
    bl_type type = BL_TYPE_ERROR;

    for (uint32_t i = 0; i < node->kid_count; i++) {
        bl_type kid = bl_sema_type(c, node->kids[i], bl_is_error(element) ? type : element);
        bl_type both;

        if (bl_is_error(kid) || bl_sema_is_absent_here(c, node->kids[i], kid))
            continue;
        if (bl_type_is(kid, BL_TYPE_NONE)) {
            bl_sema_error(c, BL_D_NONE_IN_LIST, node->kids[i]->span);
            continue;
        }
        both = unify(type, kid);
        if (bl_is_error(both)) {
            struct bl_diagnostic *d = bl_sema_error(c, BL_D_LIST_MIXED, node->kids[i]->span);

            bl_sema_arg_type(c, d, "one", type);
            bl_sema_arg_type(c, d, "other", kid);
            continue;
        }
        type = both;
    }
    for (uint32_t i = 0; i < node->kid_count; i++)
        bl_sema_settle(node->kids[i], type);
    return node->kid_count == 0 ? BL_LIST_OF(BL_TYPE_ERROR)
                                : bl_sema_list_of(c, type, node->span);
}

static bl_type type_pattern(struct bl_checker *c, struct bl_node *node);

/* ---- all
 * ---------------------------------------------------------------------------------------- */

static bl_type type_of_kind(struct bl_checker *c, struct bl_node *node, bl_type want)
{
    switch (node->kind) {
    case BL_NODE_ELSE:
        return type_else(c, node, want);
    case BL_NODE_IF:
        return type_if(c, node, want);
    case BL_NODE_OR:
    case BL_NODE_AND:
        return type_and(c, node);
    case BL_NODE_NOT:
        bl_sema_condition(c, node->kids[0]);
        return BL_TYPE_BOOL;
    case BL_NODE_ANY:
    case BL_NODE_ALL:
    case BL_NODE_NO:
    case BL_NODE_FIRST:
    case BL_NODE_LAST:
    case BL_NODE_COUNT:
    case BL_NODE_EACH:
        return bl_sema_loop(c, node, want);
    case BL_NODE_COMPARE:
        return bl_sema_compare(c, node);
    case BL_NODE_IS:
    case BL_NODE_IS_NOT:
        return bl_sema_is(c, node);
    case BL_NODE_ARITHMETIC:
        return type_arithmetic(c, node, want);
    case BL_NODE_FIELD:
    case BL_NODE_OPTIONAL_FIELD:
        return bl_sema_field(c, node);
    case BL_NODE_CALL:
        return bl_sema_call(c, node, want);
    case BL_NODE_LIST:
        return type_list(c, node, want);
    case BL_NODE_NAME:
        return bl_sema_name(c, node, want);
    case BL_NODE_STRING:
        return bl_sema_string(c, node);
    case BL_NODE_INT:
        return BL_TYPE_INT;
    case BL_NODE_DURATION:
        return BL_TYPE_DURATION;
    case BL_NODE_PERCENT:
        return BL_TYPE_PERCENT;
    case BL_NODE_MONEY:
        return BL_TYPE_MONEY;
    case BL_NODE_DATE:
        return BL_TYPE_DATE;
    case BL_NODE_TIME:
        return BL_TYPE_TIME;
    case BL_NODE_PATTERN:
        return type_pattern(c, node);
    case BL_NODE_BOOL:
        return BL_TYPE_BOOL;
    case BL_NODE_NONE:
        return BL_TYPE_NONE;
    case BL_NODE_OPTIONAL_TYPE:
    case BL_NODE_COLON:
    case BL_NODE_PARAMETER:
    case BL_NODE_COMMA:
        bl_sema_error(c, BL_D_NOT_A_VALUE, node->span);
        return BL_TYPE_ERROR;
    case BL_NODE_BROKEN:
    case BL_NODE_FILE:
    case BL_NODE_CLAUSE:
    case BL_NODE_ROW:
    case BL_NODE_BLOCK:
    case BL_NODE_PHRASE:
    case BL_NODE_STRING_PART:
    case BL_NODE_KIND_COUNT:
        break;
    }
    return BL_TYPE_ERROR;
}

static bl_type type_pattern(struct bl_checker *c, struct bl_node *node)
{
    struct bl_pattern_error error;
    struct bl_diagnostic *d;

    if (bl_pattern_check(c->arena, node->text, node->flags, &error))
        return BL_TYPE_PATTERN;
    if (error.no_memory) {
        c->arena->failed = true; /* the caller of bl_sema sees it */
        return BL_TYPE_ERROR;
    }
    d = bl_sema_error(c, BL_D_BAD_PATTERN,
                      (struct bl_span){node->span.lo + 1 + (uint32_t)error.offset,
                                       node->span.hi, node->span.source});
    bl_sema_arg(c, d, "why", error.message);
    if (error.help.len > 0)
        bl_diagnostic_help(c->sink, d, error.help);
    return BL_TYPE_ERROR;
}

/* An expression is typed once, but for those of comments that several tasks post: then the last
 * reading stays. */
bl_type bl_sema_type(struct bl_checker *c, struct bl_node *node, bl_type want)
{
    bl_type declared;

    if (node == NULL)
        return BL_TYPE_ERROR;
    if (node->kind != BL_NODE_NAME && node->kind != BL_NODE_CALL) {
        node->resolution = BL_RESOLVED_NOT;
        node->symbol = NULL;
        node->index = 0;
    }
    declared = type_of_kind(c, node, want);
    node->declared = declared;
    node->type = bl_sema_narrowed(c, node, declared);
    return node->type;
}
