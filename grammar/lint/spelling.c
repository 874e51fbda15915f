/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/linter.h"

/* What an expression says in a way that nobody meant, or that is hard to read. */

static bool is_comparison_of_values(const struct bl_node *node)
{
    switch (node->op) {
    case BL_OPERATOR_EQ:
    case BL_OPERATOR_NE:
    case BL_OPERATOR_LT:
    case BL_OPERATOR_LE:
    case BL_OPERATOR_GT:
    case BL_OPERATOR_GE:
    case BL_OPERATOR_CONTAINS:
    case BL_OPERATOR_STARTS_WITH:
    case BL_OPERATOR_ENDS_WITH:
        return node->kind == BL_NODE_COMPARE;
    case BL_OPERATOR_NONE:
    case BL_OPERATOR_IN:
    case BL_OPERATOR_HAS:
    case BL_OPERATOR_LACKS:
    case BL_OPERATOR_MATCHES:
    case BL_OPERATOR_ADD:
    case BL_OPERATOR_SUB:
    case BL_OPERATOR_MUL:
        break;
    }
    return false;
}

static void look_at_comparison(struct bl_linter *l, const struct bl_node *node)
{
    const struct bl_term *left, *right;
    struct bl_diagnostic *d;

    l->meaning.work = 0;
    left = bl_meaning_term(&l->meaning, node->kids[0]);
    right = bl_meaning_term(&l->meaning, node->kids[1]);
    if (left != right || bl_term_is_constant(left) || left->kind == BL_TERM_ABSENT)
        return;
    d = bl_lint_report(l, BL_D_COMPARED_WITH_ITSELF, node->span);
    bl_lint_text(l, d, "value", bl_lint_source(l, node->kids[0]->span));
    bl_lint_mark_reported(l, node);
}

/* The positive form of a negation; the empty slice when the node is none. */
static bl_str without_not(struct bl_linter *l, const struct bl_node *node)
{
    bl_str left, right;

    if (node->kind == BL_NODE_NOT)
        return bl_sources_text(l->program->sources, node->kids[0]->span);
    if (node->kid_count != 2)
        return BL_STR("");
    left = bl_sources_text(l->program->sources, node->kids[0]->span);
    right = bl_sources_text(l->program->sources, node->kids[1]->span);
    if (node->kids[0]->parenthesised || node->kids[1]->parenthesised)
        return BL_STR("");
    if (node->kind == BL_NODE_IS_NOT)
        return bl_lint_words(l, "%.*s is %.*s", BL_STR_ARG(left), BL_STR_ARG(right));
    if (node->kind != BL_NODE_COMPARE)
        return BL_STR("");
    if (node->op == BL_OPERATOR_LACKS)
        return bl_lint_words(l, "%.*s has %.*s", BL_STR_ARG(left), BL_STR_ARG(right));
    if (node->op == BL_OPERATOR_NE)
        return bl_lint_words(l, "%.*s == %.*s", BL_STR_ARG(left), BL_STR_ARG(right));
    return BL_STR("");
}

static bool is_negation(const struct bl_node *node)
{
    return node->kind == BL_NODE_NOT || node->kind == BL_NODE_IS_NOT ||
           (node->kind == BL_NODE_COMPARE &&
            (node->op == BL_OPERATOR_LACKS || node->op == BL_OPERATOR_NE));
}

static void look_at_not(struct bl_linter *l, const struct bl_node *node)
{
    const struct bl_node *inner = node->kids[0];
    struct bl_diagnostic *d;
    bl_str instead;

    if (!is_negation(inner))
        return;
    instead = without_not(l, inner);
    d = bl_lint_report(l, BL_D_DOUBLE_NEGATION, node->span);
    bl_lint_text(l, d, "instead", instead.len > 0 ? instead : BL_STR("the positive form"));
    if (instead.len == 0 || instead.len > 400)
        return;
    /* Parentheses around the whole stay; what stands behind 'not' may have had its own. */
    if (inner->kind == BL_NODE_NOT && inner->kids[0]->parenthesised)
        instead = bl_lint_words(l, "(%.*s)", BL_STR_ARG(instead));
    bl_diagnostic_fix(&l->found, d, node->span, instead);
}

/* ---- what is asked about stands first -------------------------------------------------- */

static bool is_literal(const struct bl_node *node)
{
    static const enum bl_node_kind literals[] = {BL_NODE_INT,     BL_NODE_DURATION,
                                                 BL_NODE_PERCENT, BL_NODE_MONEY,
                                                 BL_NODE_DATE,    BL_NODE_TIME};

    for (size_t i = 0; i < sizeof(literals) / sizeof(literals[0]); i++) {
        if (node->kind == literals[i])
            return true;
    }
    return node->resolution == BL_RESOLVED_ENUM ||
           (node->kind == BL_NODE_STRING && node->kid_count <= 1);
}

/* The operator with its sides exchanged; NONE of one that has no such. */
static enum bl_operator turned(enum bl_operator op)
{
    static const enum bl_operator pairs[][2] = {{BL_OPERATOR_EQ, BL_OPERATOR_EQ},
                                                {BL_OPERATOR_NE, BL_OPERATOR_NE},
                                                {BL_OPERATOR_LT, BL_OPERATOR_GT},
                                                {BL_OPERATOR_LE, BL_OPERATOR_GE}};

    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        if (pairs[i][0] == op || pairs[i][1] == op)
            return pairs[i][0] == op ? pairs[i][1] : pairs[i][0];
    }
    return BL_OPERATOR_NONE;
}

static void look_at_sides(struct bl_linter *l, const struct bl_node *node)
{
    const struct bl_node *left = node->kids[0], *right = node->kids[1];
    enum bl_operator op = turned(node->op);
    struct bl_diagnostic *d;
    bl_str instead, one, other;

    if (op == BL_OPERATOR_NONE || !is_literal(left) || is_literal(right) ||
        left->parenthesised || right->parenthesised)
        return;
    one = bl_sources_text(l->program->sources, right->span);
    other = bl_sources_text(l->program->sources, left->span);
    if (one.len + other.len > 400)
        return;
    instead = bl_lint_words(l, "%.*s %.*s %.*s", BL_STR_ARG(one),
                            BL_STR_ARG(bl_operator_spelling(op)), BL_STR_ARG(other));
    d = bl_lint_report(l, BL_D_TURNED_COMPARISON, node->span);
    bl_lint_text(l, d, "instead", instead);
    bl_diagnostic_fix(&l->found, d, node->span, instead);
}

static void look(void *context, const struct bl_symbol *where, const struct bl_node *node)
{
    struct bl_linter *l = context;

    (void)where;
    if (is_comparison_of_values(node) && node->kid_count == 2) {
        look_at_comparison(l, node);
        look_at_sides(l, node);
    } else if (node->kind == BL_NODE_NOT && node->kid_count == 1) {
        look_at_not(l, node);
    }
}

void bl_lint_spelling(struct bl_linter *l)
{
    struct bl_lint_visitor visitor = {.context = l, .expression = look};

    l->meaning.settings = BL_SETTINGS_OPEN;
    bl_lint_visit(l, &visitor);
}
