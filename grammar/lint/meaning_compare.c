/* SPDX-License-Identifier: Apache-2.0 */
#include "base/num.h"
#include "base/time.h"
#include "lint/meaning_parts.h"

/* Comparisons and arithmetic. Numbers, durations, times and days are sums, so that
 * `now - issue.created_at > 7 days` and `issue.created_at + 7 days < now` are one literal. */

/* ---- numbers --------------------------------------------------------------------------- */

static int64_t gcd(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

static int64_t floor_divide(int64_t a, int64_t b)
{
    int64_t quotient = a / b;

    return quotient - (a % b != 0 && (a < 0) != (b < 0));
}

/* The whole sum lies between lo and hi; INT64_MIN and INT64_MAX are no bounds. */
static const struct bl_formula *sum_between(struct bl_meaning *m, const struct bl_term *sum,
                                            int64_t lo, int64_t hi)
{
    int64_t factors[16];
    int64_t divisor = 0, sign;

    if (sum->kind != BL_TERM_SUM || sum->kid_count > sizeof(factors) / sizeof(factors[0]))
        return bl_formula_range(&m->formulas, sum, lo, hi);
    lo = lo == INT64_MIN ? lo : bl_int_sub(lo, sum->value);
    hi = hi == INT64_MAX ? hi : bl_int_sub(hi, sum->value);
    for (uint32_t i = 0; i < sum->kid_count; i++)
        divisor = gcd(divisor, sum->factors[i]);
    if (divisor == 0) { /* everything cancels: it is there, or is not */
        const struct bl_formula *set =
            lo <= 0 && hi >= 0 ? m->formulas.always : m->formulas.never;

        for (uint32_t i = 0; i < sum->kid_count; i++)
            set = bl_formula_and(&m->formulas, set, bl_meaning_is_set(m, sum->kids[i]));
        return set;
    }
    sign = sum->factors[0] < 0 ? -1 : 1;
    if (sign < 0) {
        int64_t held = lo;

        lo = hi == INT64_MAX ? INT64_MIN : bl_int_sub(0, hi);
        hi = held == INT64_MIN ? INT64_MAX : bl_int_sub(0, held);
    }
    lo = lo == INT64_MIN ? lo : bl_int_sub(0, floor_divide(bl_int_sub(0, lo), divisor));
    hi = hi == INT64_MAX ? hi : floor_divide(hi, divisor);
    for (uint32_t i = 0; i < sum->kid_count; i++)
        factors[i] = sign * (sum->factors[i] / divisor);
    return bl_formula_range(
        &m->formulas, bl_term_sum(&m->terms, BL_TYPE_INT, sum->kids, factors, sum->kid_count),
        lo, hi);
}

/* Their difference lies between lo and hi. */
static const struct bl_formula *difference(struct bl_meaning *m, const struct bl_term *a,
                                           const struct bl_term *b, int64_t lo, int64_t hi)
{
    const struct bl_term *const kids[] = {a, b};
    const struct bl_term *sum =
        bl_term_sum(&m->terms, a->type, kids, (const int64_t[]){1, -1}, 2);

    if (sum->kind == BL_TERM_NUMBER)
        return sum->value >= lo && sum->value <= hi ? m->formulas.always : m->formulas.never;
    return sum_between(m, sum, lo, hi);
}

static const struct bl_formula *in_order(struct bl_meaning *m, enum bl_operator op,
                                         const struct bl_term *a, const struct bl_term *b)
{
    int64_t lo = op == BL_OPERATOR_GT ? 1 : op == BL_OPERATOR_GE ? 0 : INT64_MIN;
    int64_t hi = op == BL_OPERATOR_LT ? -1 : op == BL_OPERATOR_LE ? 0 : INT64_MAX;

    if (a->kind == BL_TERM_ABSENT || b->kind == BL_TERM_ABSENT)
        return m->formulas.never;
    return difference(m, a, b, lo, hi);
}

/* ---- equality -------------------------------------------------------------------------- */

static bool is_member(const struct bl_term *constant, const struct bl_term *term)
{
    return constant->kind == BL_TERM_NUMBER && term->domain == BL_DOMAIN_BITS &&
           constant->value >= 0 && constant->value < (int64_t)BL_BITS_MAX &&
           (term->bits >> constant->value & 1) != 0;
}

static const struct bl_formula *stands_alone(struct bl_meaning *m, const struct bl_term *a,
                                             const struct bl_term *b)
{
    const struct bl_term *kids[] = {a, b};

    if (a == b)
        return bl_meaning_is_set(m, a);
    if (a->number > b->number) {
        kids[0] = b;
        kids[1] = a;
    }
    return bl_formula_true(&m->formulas,
                           bl_term_get(&m->terms, &(struct bl_term){.kind = BL_TERM_SAME,
                                                                    .type = BL_TYPE_BOOL,
                                                                    .kids = kids,
                                                                    .kid_count = 2}));
}

static const struct bl_formula *equal_texts(struct bl_meaning *m, const struct bl_term *a,
                                            const struct bl_term *b)
{
    bool without_case = a->without_case || b->without_case;

    if (a->kind == BL_TERM_TEXT && b->kind == BL_TERM_TEXT) {
        bool equal = without_case ? bl_str_equal_nocase(a->text, b->text)
                                  : bl_str_equal(a->text, b->text);
        return equal ? m->formulas.always : m->formulas.never;
    }
    if (a->kind == BL_TERM_TEXT) {
        const struct bl_term *held = a;

        a = b;
        b = held;
    }
    /* A label's name compared with a text that is none, without case: the text itself keeps it.
     */
    if (b->kind != BL_TERM_TEXT || a->without_case != without_case)
        return stands_alone(m, a, b);
    bl_str text = without_case ? bl_lower_copy(m->arena, b->text) : b->text;
    return bl_formula_texts(&m->formulas, a, &text, 1);
}

const struct bl_formula *bl_meaning_equal(struct bl_meaning *m, const struct bl_term *a,
                                          const struct bl_term *b)
{
    if (a->kind == BL_TERM_ABSENT || b->kind == BL_TERM_ABSENT)
        return m->formulas.never;
    if (a->domain == BL_DOMAIN_TEXTS && b->domain == BL_DOMAIN_TEXTS)
        return equal_texts(m, a, b);
    if (a->domain == BL_DOMAIN_NUMBERS && b->domain == BL_DOMAIN_NUMBERS)
        return difference(m, a, b, 0, 0);
    if (a->kind == BL_TERM_NUMBER && b->kind == BL_TERM_NUMBER)
        return a->value == b->value ? m->formulas.always : m->formulas.never;
    if (is_member(a, b) && bl_type_is(b->type, BL_TYPE_ENUM))
        return bl_formula_bits(&m->formulas, b, UINT64_C(1) << a->value);
    if (is_member(b, a) && bl_type_is(a->type, BL_TYPE_ENUM))
        return bl_formula_bits(&m->formulas, a, UINT64_C(1) << b->value);
    return stands_alone(m, a, b);
}

/* ---- texts ----------------------------------------------------------------------------- */

static bool is_plain(char c)
{
    static const char special[] = ".[]()|*+?{}^$\\";

    for (size_t i = 0; i + 1 < sizeof(special); i++) {
        if (special[i] == c)
            return false;
    }
    return true;
}

/* A pattern that only says how a text begins, ends, or what it holds. */
static bool plain_pattern(struct bl_meaning *m, const struct bl_term *pattern,
                          enum bl_literal_form *form, bl_str *text)
{
    bl_str source = pattern->text;
    size_t from = source.len > 0 && source.ptr[0] == '^';
    bool ends = source.len > from && source.ptr[source.len - 1] == '$' &&
                (source.len < 2 || source.ptr[source.len - 2] != '\\');
    size_t to = source.len - ends;
    char *plain = BL_NEW_ARRAY(m->arena, source.len + 1, char);
    size_t length = 0;

    if (plain == NULL || pattern->flags.len > 0)
        return false;
    for (size_t i = from; i < to; i++) {
        char c = source.ptr[i];

        if (c == '\\' && i + 1 < to && !bl_is_ascii_alpha(source.ptr[i + 1]) &&
            !bl_is_ascii_digit(source.ptr[i + 1]))
            c = source.ptr[++i];
        else if (!is_plain(c))
            return false;
        plain[length++] = c;
    }
    *text = (bl_str){plain, length};
    *form = from != 0 && ends ? BL_LITERAL_TEXTS
            : from != 0       ? BL_LITERAL_STARTS
            : ends            ? BL_LITERAL_ENDS
                              : BL_LITERAL_CONTAINS;
    return true;
}

static const struct bl_formula *search(struct bl_meaning *m, const struct bl_term *text,
                                       enum bl_literal_form form, bl_str what, bl_str flags)
{
    if (text->kind == BL_TERM_ABSENT)
        return m->formulas.never;
    if (form == BL_LITERAL_TEXTS && !text->without_case)
        return bl_formula_texts(&m->formulas, text, &what, 1);
    if (what.len == 0 && form != BL_LITERAL_MATCHES && form != BL_LITERAL_TEXTS)
        return bl_meaning_is_set(m, text);
    return bl_formula_search(&m->formulas, text, form, what, flags);
}

static const struct bl_formula *text_search(struct bl_meaning *m, const struct bl_node *node,
                                            const struct bl_term *a, const struct bl_term *b)
{
    enum bl_literal_form form = node->op == BL_OPERATOR_CONTAINS      ? BL_LITERAL_CONTAINS
                                : node->op == BL_OPERATOR_STARTS_WITH ? BL_LITERAL_STARTS
                                : node->op == BL_OPERATOR_ENDS_WITH   ? BL_LITERAL_ENDS
                                                                      : BL_LITERAL_MATCHES;
    bl_str text;

    if (a->kind == BL_TERM_TEXT || a->domain != BL_DOMAIN_TEXTS)
        return bl_formula_true(&m->formulas, bl_meaning_construct(m, node));
    if (form != BL_LITERAL_MATCHES && b->kind == BL_TERM_TEXT)
        return search(m, a, form, b->text, (bl_str){NULL, 0});
    if (form != BL_LITERAL_MATCHES || b->kind != BL_TERM_NODE ||
        (b->index & 0xff) != (uint32_t)BL_NODE_PATTERN)
        return bl_formula_true(&m->formulas, bl_meaning_construct(m, node));
    if (plain_pattern(m, b, &form, &text) && (form != BL_LITERAL_TEXTS || !a->without_case))
        return search(m, a, form, text, (bl_str){NULL, 0});
    return search(m, a, BL_LITERAL_MATCHES, b->text, b->flags);
}

/* ---- labels and lists ------------------------------------------------------------------ */

const struct bl_formula *bl_meaning_has(struct bl_meaning *m, const struct bl_term *thing,
                                        const struct bl_term *label)
{
    struct bl_term like = {.kind = BL_TERM_HAS, .type = BL_TYPE_BOOL, .kids = &thing};

    if (label->kind == BL_TERM_ABSENT || thing->kind == BL_TERM_ABSENT)
        return m->formulas.never;
    like.kid_count = 1;
    like.text = label->text;
    if (label->kind != BL_TERM_TEXT) {
        const struct bl_term *kids[] = {thing, label};

        return bl_formula_true(
            &m->formulas,
            bl_term_get(&m->terms, &(struct bl_term){
                                       .kind = BL_TERM_NODE,
                                       .type = BL_TYPE_BOOL,
                                       .index = BL_TERM_CONSTRUCT(
                                           BL_NODE_COMPARE, BL_OPERATOR_HAS, BL_RESOLVED_HAS),
                                       .kids = kids,
                                       .kid_count = 2}));
    }
    if (!label->without_case)
        like.text = bl_lower_copy(m->arena, label->text);
    return bl_formula_true(&m->formulas, bl_term_get(&m->terms, &like));
}

static const struct bl_formula *is_in(struct bl_meaning *m, const struct bl_node *node,
                                      const struct bl_term *a, const struct bl_term *list)
{
    const struct bl_formula *some = m->formulas.never;

    if (list->kind == BL_TERM_FIELD && (list->index == (uint32_t)BL_FIELD_ISSUE_LABELS ||
                                        list->index == (uint32_t)BL_FIELD_PULL_REQUEST_LABELS))
        return bl_meaning_has(m, list->kids[0], a);
    if (list->kind == BL_TERM_LIST) {
        for (uint32_t i = 0; i < list->kid_count; i++)
            some = bl_formula_or(&m->formulas, some, bl_meaning_equal(m, a, list->kids[i]));
        return some;
    }
    const struct bl_term *kids[] = {a, list};
    return bl_formula_true(
        &m->formulas,
        bl_term_get(&m->terms,
                    &(struct bl_term){.kind = BL_TERM_NODE,
                                      .type = BL_TYPE_BOOL,
                                      .index = BL_TERM_CONSTRUCT(
                                          BL_NODE_COMPARE, BL_OPERATOR_IN, BL_RESOLVED_NOT),
                                      .kids = kids,
                                      .kid_count = 2,
                                      .node = node}));
}

/* ---- comparisons ----------------------------------------------------------------------- */

static const struct bl_formula *compare(struct bl_meaning *m, const struct bl_node *node,
                                        const struct bl_term *a, const struct bl_term *b)
{
    switch (node->op) {
    case BL_OPERATOR_EQ:
    case BL_OPERATOR_NE:
        return bl_meaning_equal(m, a, b);
    case BL_OPERATOR_LT:
    case BL_OPERATOR_LE:
    case BL_OPERATOR_GT:
    case BL_OPERATOR_GE:
        return in_order(m, node->op, a, b);
    case BL_OPERATOR_HAS:
    case BL_OPERATOR_LACKS:
        return bl_meaning_has(m, a, b);
    case BL_OPERATOR_IN:
        return is_in(m, node, a, b);
    case BL_OPERATOR_CONTAINS:
    case BL_OPERATOR_STARTS_WITH:
    case BL_OPERATOR_ENDS_WITH:
    case BL_OPERATOR_MATCHES:
        return text_search(m, node, a, b);
    case BL_OPERATOR_NONE:
    case BL_OPERATOR_ADD:
    case BL_OPERATOR_SUB:
    case BL_OPERATOR_MUL:
        break;
    }
    return bl_formula_true(&m->formulas, bl_meaning_construct(m, node));
}

struct sides {
    const struct bl_node *node;
    const struct bl_term *left;
    const struct bl_cases *right;
};

static const struct bl_formula *with_right(struct bl_meaning *m, const struct bl_term *value,
                                           const void *context)
{
    const struct sides *sides = context;

    return compare(m, sides->node, sides->left, value);
}

static const struct bl_formula *with_left(struct bl_meaning *m, const struct bl_term *value,
                                          const void *context)
{
    struct sides sides = *(const struct sides *)context;

    sides.left = value;
    return bl_cases_some(m, sides.right, with_right, &sides);
}

/* Two truth values are equal when both hold or neither; that is looked into. */
static const struct bl_formula *both_or_neither(struct bl_meaning *m,
                                                const struct bl_node *node)
{
    struct bl_formulas *f = &m->formulas;
    const struct bl_formula *a = bl_meaning_condition(m, node->kids[0]);
    const struct bl_formula *b = bl_meaning_condition(m, node->kids[1]);

    return bl_formula_or(f, bl_formula_and(f, a, b),
                         bl_formula_and(f, bl_formula_not(f, a), bl_formula_not(f, b)));
}

const struct bl_formula *bl_meaning_compare(struct bl_meaning *m, const struct bl_node *node)
{
    const struct bl_formula *holds;
    bool equality = node->op == BL_OPERATOR_EQ || node->op == BL_OPERATOR_NE;
    bool bools = equality && node->resolution == BL_RESOLVED_NOT &&
                 node->kids[0]->type == BL_TYPE_BOOL && node->kids[1]->type == BL_TYPE_BOOL &&
                 node->kids[0]->declared == BL_TYPE_BOOL &&
                 node->kids[1]->declared == BL_TYPE_BOOL;

    if (node->resolution == BL_RESOLVED_GLOB || node->resolution == BL_RESOLVED_SAME) {
        holds = bl_formula_true(&m->formulas, bl_meaning_construct(m, node));
    } else if (bools) {
        holds = both_or_neither(m, node);
    } else {
        struct bl_cases left = bl_meaning_cases(m, node->kids[0]);
        struct bl_cases right = bl_meaning_cases(m, node->kids[1]);
        struct sides sides = {node, NULL, &right};

        holds = bl_cases_some(m, &left, with_left, &sides);
    }
    return node->op == BL_OPERATOR_NE || node->op == BL_OPERATOR_LACKS
               ? bl_formula_not(&m->formulas, holds)
               : holds;
}

/* ---- arithmetic ------------------------------------------------------------------------ */

static const struct bl_term *product(struct bl_meaning *m, const struct bl_node *node,
                                     const struct bl_term *a, const struct bl_term *b)
{
    bl_type type = bl_type_base(node->declared);

    if (bl_type_is(b->type, BL_TYPE_PERCENT) && !bl_type_is(type, BL_TYPE_PERCENT))
        return a->kind == BL_TERM_NUMBER && b->kind == BL_TERM_NUMBER
                   ? bl_term_number(&m->terms, type, bl_int_percent(a->value, b->value))
                   : bl_meaning_construct(m, node);
    if (a->kind == BL_TERM_NUMBER && b->kind != BL_TERM_NUMBER) {
        const struct bl_term *held = a;

        a = b;
        b = held;
    }
    return b->kind == BL_TERM_NUMBER ? bl_term_sum(&m->terms, type, &a, &b->value, 1)
                                     : bl_meaning_construct(m, node);
}

static const struct bl_term *calculate(struct bl_meaning *m, const struct bl_node *node,
                                       const struct bl_term *a, const struct bl_term *b)
{
    const struct bl_term *kids[] = {a, b};
    int64_t factors[] = {1, node->op == BL_OPERATOR_SUB ? -1 : 1};

    if (a->domain != BL_DOMAIN_NUMBERS || b->domain != BL_DOMAIN_NUMBERS)
        return bl_meaning_construct(m, node);
    if (node->op == BL_OPERATOR_MUL)
        return product(m, node, a, b);
    /* A day moves by whole days. */
    if (bl_type_is(a->type, BL_TYPE_DATE) && bl_type_is(b->type, BL_TYPE_DURATION)) {
        if (b->kind != BL_TERM_NUMBER)
            return bl_meaning_construct(m, node);
        kids[1] = bl_term_number(&m->terms, BL_TYPE_INT, bl_day_of_time(b->value));
    }
    return bl_term_sum(&m->terms, bl_type_base(node->declared), kids, factors, 2);
}

struct bl_cases bl_meaning_arithmetic(struct bl_meaning *m, const struct bl_node *node)
{
    struct bl_cases left = bl_meaning_cases(m, node->kids[0]);
    struct bl_cases right = bl_meaning_cases(m, node->kids[1]);
    struct bl_cases results = {NULL, 0, 0};

    for (uint32_t i = 0; i < left.count; i++) {
        for (uint32_t j = 0; j < right.count; j++) {
            struct bl_cases one =
                bl_cases_of(m, calculate(m, node, left.items[i].value, right.items[j].value));
            const struct bl_formula *when =
                bl_formula_and(&m->formulas, left.items[i].when, right.items[j].when);

            if (!bl_cases_add(m, &results, when, &one))
                return bl_cases_of(m, bl_meaning_unknown(m, node));
        }
    }
    return results;
}
