/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/meaning_parts.h"

/* Quantifiers. All of them come down to how many elements there are for which a condition
 * holds, so that "any", "no", "all", "count" and "first … is set" know of each other. The
 * condition is a formula about the element in hand. */

static const struct bl_term *bound_element(struct bl_meaning *m,
                                           const struct bl_symbol *variable, bl_type type)
{
    return bl_term_get(
        &m->terms,
        &(struct bl_term){.kind = BL_TERM_BOUND,
                          .type = bl_type_base(variable != NULL ? variable->type : type),
                          .index = m->bound_depth});
}

/* The condition of a loop over its element; ALWAYS without one. */
static const struct bl_formula *body_of(struct bl_meaning *m, const struct bl_node *loop,
                                        const struct bl_node *where)
{
    struct bl_meaning_mark mark = bl_meaning_enter(m);
    const struct bl_formula *body = m->formulas.always;

    if (where == NULL)
        return body;
    if (loop->symbol != NULL)
        bl_meaning_bind(
            m, loop->symbol,
            bound_element(m, loop->symbol, bl_type_element(bl_type_base(loop->kids[0]->type))));
    m->bound_depth++;
    body = bl_meaning_condition(m, where);
    m->bound_depth--;
    bl_meaning_leave(m, &mark);
    return body;
}

static bool is_construct(const struct bl_term *term, enum bl_node_kind kind)
{
    return term->kind == BL_TERM_NODE &&
           term->index == BL_TERM_CONSTRUCT(kind, 0, BL_RESOLVED_LOOP);
}

const struct bl_term *bl_meaning_how_many(struct bl_meaning *m, const struct bl_term *list,
                                          const struct bl_formula *body)
{
    if (body == m->formulas.always)
        body = NULL;
    if (body == m->formulas.never)
        return bl_term_number(&m->terms, BL_TYPE_INT, 0);
    if (list->kind == BL_TERM_LIST && body == NULL)
        return bl_term_number(&m->terms, BL_TYPE_INT, list->kid_count);
    /* each x in xs where … counts as its elements do, unless a gift may be left out. */
    if (is_construct(list, BL_NODE_EACH) && body == NULL &&
        (list->kid_count == 1 || !list->kids[1]->optional)) {
        body = list->body;
        list = list->kids[0];
    }
    return bl_term_get(&m->terms, &(struct bl_term){.kind = BL_TERM_HOW_MANY,
                                                    .type = BL_TYPE_INT,
                                                    .body = body,
                                                    .kids = &list,
                                                    .kid_count = 1});
}

const struct bl_formula *bl_meaning_at_least_one(struct bl_meaning *m,
                                                 const struct bl_term *how_many)
{
    if (how_many->kind == BL_TERM_NUMBER)
        return how_many->value > 0 ? m->formulas.always : m->formulas.never;
    return bl_formula_range(&m->formulas, how_many, 1, INT64_MAX);
}

/* `any l in issue.labels where l == stale` says that the issue has it. */
static const struct bl_formula *label_among(struct bl_meaning *m, const struct bl_term *list,
                                            const struct bl_formula *body)
{
    const struct bl_formula *some = m->formulas.never;
    const struct bl_literal *l = body->literal;

    if (list->kind != BL_TERM_FIELD || (list->index != (uint32_t)BL_FIELD_ISSUE_LABELS &&
                                        list->index != (uint32_t)BL_FIELD_PULL_REQUEST_LABELS))
        return NULL;
    if (l == NULL || l->form != BL_LITERAL_TEXTS || l->negated || l->absent ||
        l->term->kind != BL_TERM_BOUND || l->term->index != m->bound_depth)
        return NULL;
    for (uint32_t i = 0; i < l->text_count; i++)
        some =
            bl_formula_or(&m->formulas, some,
                          bl_meaning_has(m, list->kids[0],
                                         bl_term_text(&m->terms, BL_TYPE_LABEL, l->texts[i])));
    return some;
}

static const struct bl_formula *any_of(struct bl_meaning *m, const struct bl_node *node,
                                       const struct bl_term *list,
                                       const struct bl_formula *body)
{
    const struct bl_formula *among = label_among(m, list, body);
    const struct bl_term *how_many;

    if (among != NULL)
        return among;
    how_many = bl_meaning_how_many(m, list, body);
    if (how_many->node == NULL && how_many->kind == BL_TERM_HOW_MANY)
        m->terms.list.items[how_many->number]->node = node;
    return bl_meaning_at_least_one(m, how_many);
}

/* Among constants the question can be asked of each. */
static const struct bl_formula *any_constant(struct bl_meaning *m, const struct bl_node *node,
                                             const struct bl_term *list, bool negated)
{
    const struct bl_formula *some = m->formulas.never;

    for (uint32_t i = 0; i < list->kid_count; i++) {
        struct bl_meaning_mark mark = bl_meaning_enter(m);
        const struct bl_formula *one;

        if (node->symbol != NULL)
            bl_meaning_bind(m, node->symbol, list->kids[i]);
        one = bl_meaning_condition(m, node->kids[1]);
        bl_meaning_leave(m, &mark);
        some = bl_formula_or(&m->formulas, some,
                             negated ? bl_formula_not(&m->formulas, one) : one);
    }
    return some;
}

const struct bl_formula *bl_meaning_quantifier(struct bl_meaning *m, const struct bl_node *node)
{
    const struct bl_term *list = bl_meaning_term(m, node->kids[0]);
    const struct bl_formula *body, *any;
    bool all = node->kind == BL_NODE_ALL;

    if (list->kind == BL_TERM_LIST && list->kid_count <= BL_CASES_MAX) {
        any = any_constant(m, node, list, all);
    } else {
        body = body_of(m, node, node->kids[1]);
        any = any_of(m, node, list, all ? bl_formula_not(&m->formulas, body) : body);
    }
    return node->kind == BL_NODE_ANY ? any : bl_formula_not(&m->formulas, any);
}

struct bl_cases bl_meaning_loop(struct bl_meaning *m, const struct bl_node *node)
{
    const struct bl_term *list = bl_meaning_term(m, node->kids[0]);
    const struct bl_node *where = node->kid_count > 1 ? node->kids[1] : NULL;
    const struct bl_node *gift =
        node->kind == BL_NODE_EACH && node->kid_count > 2 ? node->kids[2] : NULL;
    const struct bl_formula *body = body_of(m, node, where);
    const struct bl_term *kids[2] = {list, NULL};
    struct bl_term like = {.kind = BL_TERM_NODE,
                           .type = bl_type_base(node->declared),
                           .optional = bl_type_is_optional(node->declared),
                           .index = BL_TERM_CONSTRUCT(node->kind, 0, BL_RESOLVED_LOOP),
                           .body = body == m->formulas.always ? NULL : body,
                           .kids = kids,
                           .kid_count = 1,
                           .node = node};

    if (node->kind == BL_NODE_COUNT)
        return bl_cases_of(m, bl_meaning_how_many(m, list, body));
    if (gift != NULL) {
        struct bl_meaning_mark mark = bl_meaning_enter(m);

        if (node->symbol != NULL)
            bl_meaning_bind(m, node->symbol,
                            bound_element(m, node->symbol,
                                          bl_type_element(bl_type_base(node->kids[0]->type))));
        m->bound_depth++;
        kids[1] = bl_meaning_term(m, gift);
        m->bound_depth--;
        bl_meaning_leave(m, &mark);
        like.kid_count = 2;
        if (bl_type_is_optional(gift->declared) && !kids[1]->optional)
            return bl_cases_of(m, bl_meaning_unknown(m, node));
    }
    return bl_cases_of(m, bl_term_get(&m->terms, &like));
}
