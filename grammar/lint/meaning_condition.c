/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/meaning_parts.h"

/* Conditions as formulas. What a node means under the same names is remembered, since it is
 * asked for by several rules of lint, as a whole and as a part. */

const struct bl_formula *bl_meaning_is_one_of(struct bl_meaning *m,
                                              const struct bl_term *comment,
                                              const struct bl_symbol *kind)
{
    struct bl_term like = {.kind = BL_TERM_NODE,
                           .type = BL_TYPE_BOOL,
                           .index = BL_TERM_CONSTRUCT(BL_NODE_IS, 0, BL_RESOLVED_IS_KIND),
                           .symbol = kind,
                           .kids = &comment,
                           .kid_count = 1};

    return bl_formula_true(&m->formulas, bl_term_get(&m->terms, &like));
}

static const struct bl_formula *is_condition(struct bl_meaning *m, const struct bl_node *node)
{
    struct bl_cases left;

    switch (node->resolution) {
    case BL_RESOLVED_IS_SET:
        left = bl_meaning_cases(m, node->kids[0]);
        return bl_cases_set(m, &left);
    case BL_RESOLVED_IS_ABSENT:
        left = bl_meaning_cases(m, node->kids[0]);
        return bl_formula_not(&m->formulas, bl_cases_set(m, &left));
    case BL_RESOLVED_IS_EVENT:
        return bl_meaning_events(m, UINT64_C(1) << node->index);
    case BL_RESOLVED_IS_ACTOR:
        left = bl_meaning_call(m, node, node->kids, 1);
        return bl_cases_true(m, &left);
    case BL_RESOLVED_IS_PULL:
        return bl_formula_true(&m->formulas,
                               bl_term_field(&m->terms, bl_meaning_term(m, node->kids[0]),
                                             BL_FIELD_ISSUE_IS_PULL_REQUEST));
    default:
        break;
    }
    /* A kind of comment, a family of commands: is it one, and nothing more. */
    return bl_meaning_is_one_of(m, bl_meaning_term(m, node->kids[0]), node->symbol);
}

static const struct bl_formula *condition_of(struct bl_meaning *m, const struct bl_node *node)
{
    struct bl_formulas *f = &m->formulas;
    const struct bl_formula *first;
    struct bl_cases cases;

    if (node->kind == BL_NODE_AND || node->kind == BL_NODE_OR) {
        first = bl_meaning_condition(m, node->kids[0]);
        return node->kind == BL_NODE_AND
                   ? bl_formula_and(f, first, bl_meaning_condition(m, node->kids[1]))
                   : bl_formula_or(f, first, bl_meaning_condition(m, node->kids[1]));
    }
    if (node->kind == BL_NODE_NOT)
        return bl_formula_not(f, bl_meaning_condition(m, node->kids[0]));
    if (node->kind == BL_NODE_IS)
        return is_condition(m, node);
    if (node->kind == BL_NODE_IS_NOT)
        return bl_formula_not(f, is_condition(m, node));
    if (node->kind == BL_NODE_COMPARE)
        return bl_meaning_compare(m, node);
    if (node->kind == BL_NODE_ANY || node->kind == BL_NODE_ALL || node->kind == BL_NODE_NO)
        return bl_meaning_quantifier(m, node);
    cases = bl_meaning_cases(m, node);
    return bl_cases_true(m, &cases);
}

static struct bl_known_condition *known_slot(const struct bl_meaning *m,
                                             const struct bl_known_condition *key)
{
    size_t hash = ((size_t)(uintptr_t)key->node >> 4) * 2654435761u + key->names * 40503u +
                  (size_t)key->settings;
    size_t at = (hash ^ hash >> 15) & (m->known_slots - 1);

    while (m->known[at].node != NULL &&
           (m->known[at].node != key->node || m->known[at].names != key->names ||
            m->known[at].settings != key->settings))
        at = (at + 1) & (m->known_slots - 1);
    return &m->known[at];
}

static void grow_known(struct bl_meaning *m)
{
    struct bl_known_condition *old = m->known;
    size_t count = m->known_slots;
    struct bl_known_condition *larger =
        BL_NEW_ARRAY(m->arena, 2 * count, struct bl_known_condition);

    if (larger == NULL)
        return;
    m->known = larger;
    m->known_slots = 2 * count;
    for (size_t i = 0; i < count; i++) {
        if (old[i].node != NULL)
            *known_slot(m, &old[i]) = old[i];
    }
}

static void keep(struct bl_meaning *m, const struct bl_known_condition *known)
{
    if (4 * (m->known_count + 1) > 3 * m->known_slots)
        grow_known(m);
    if (4 * (m->known_count + 1) > 3 * m->known_slots)
        return;
    *known_slot(m, known) = *known;
    m->known_count++;
}

const struct bl_formula *bl_meaning_condition(struct bl_meaning *m, const struct bl_node *node)
{
    struct bl_known_condition key = {node, m->names, BL_SETTINGS_ANY, NULL};
    const struct bl_known_condition *slot = known_slot(m, &key);
    size_t settings_before = m->settings_read;

    if (slot->node != NULL)
        return slot->formula;
    key.settings = m->settings;
    slot = known_slot(m, &key);
    if (slot->node != NULL) {
        m->settings_read++;
        return slot->formula;
    }
    key.formula = condition_of(m, node);
    if (key.formula->size > BL_FORMULA_SIZE_MAX)
        key.formula = bl_formula_true(&m->formulas, bl_meaning_unknown(m, node));
    if (m->settings_read == settings_before)
        key.settings = BL_SETTINGS_ANY;
    keep(m, &key);
    return key.formula;
}

const struct bl_formula *bl_meaning_events(struct bl_meaning *m, uint64_t events)
{
    return bl_formula_bits(&m->formulas, bl_term_event(&m->terms), events);
}

const struct bl_formula *bl_meaning_bounds(struct bl_meaning *m,
                                           const struct bl_symbol *setting)
{
    const struct bl_setting *s = setting->as.setting;
    const struct bl_term *term = bl_term_symbol(&m->terms, setting);
    const struct bl_formula *all = m->formulas.always;
    int64_t least = term->least, greatest = term->greatest;

    if (term->domain == BL_DOMAIN_NUMBERS) {
        const struct bl_term *bound = s->least != NULL ? bl_meaning_term(m, s->least) : NULL;

        if (bound != NULL && bound->kind == BL_TERM_NUMBER)
            least = bound->value;
        bound = s->greatest != NULL ? bl_meaning_term(m, s->greatest) : NULL;
        if (bound != NULL && bound->kind == BL_TERM_NUMBER)
            greatest = bound->value;
        all = bl_formula_range(&m->formulas, term, least, greatest);
    }
    for (const struct bl_requirement *r = s->requires; r != NULL; r = r->next)
        all = bl_formula_and(&m->formulas, all, bl_meaning_condition(m, r->condition));
    return bl_formula_or(&m->formulas, all,
                         bl_formula_not(&m->formulas, bl_formula_set(&m->formulas, term)));
}
