/* SPDX-License-Identifier: Apache-2.0 */
#include "bytecode/facts.h"
#include "lint/linter.h"

/* Rules that are candidates of each of their events: the conditions that stand before anything
 * reads ask for no fact by which the index finds rules. */

static bool is_ambient(const struct bl_node *node, enum bl_ambient ambient)
{
    return node->kind == BL_NODE_NAME && node->resolution == BL_RESOLVED_AMBIENT &&
           node->index == (uint32_t)ambient;
}

static bool own_read(const struct bl_node *node)
{
    enum bl_read read;

    switch (node->resolution) {
    case BL_RESOLVED_FIELD:
        read = bl_field_info((enum bl_field)node->index)->read;
        return read != BL_READ_PAYLOAD && read != BL_READ_STORED && read != BL_READ_DECLARED &&
               !(read == BL_READ_ISSUE && is_ambient(node->kids[0], BL_AMBIENT_ISSUE)) &&
               !(read == BL_READ_PULL && is_ambient(node->kids[0], BL_AMBIENT_PULL_REQUEST));
    case BL_RESOLVED_CALL:
    case BL_RESOLVED_IS_ACTOR:
        return node->symbol->as.callable->reads;
    case BL_RESOLVED_BUILTIN:
        return bl_builtin_info((enum bl_builtin)node->index)->read != BL_READ_STORED;
    default:
        return false;
    }
}

static bool may_read(const struct bl_node *node)
{
    if (node == NULL)
        return false;
    if (own_read(node))
        return true;
    for (uint32_t i = 0; i < node->kid_count; i++) {
        if (may_read(node->kids[i]))
            return true;
    }
    return false;
}

static bool is_fact(const struct bl_term *term)
{
    const struct bl_term *object = term;
    enum bl_field second = BL_FIELD_COUNT, first;

    if (term->kind != BL_TERM_FIELD)
        return false;
    first = (enum bl_field)term->index;
    object = term->kids[0];
    if (object->kind == BL_TERM_FIELD) {
        second = first;
        first = (enum bl_field)object->index;
        object = object->kids[0];
    }
    for (unsigned f = 0; f < BL_FACT_COUNT && object->kind == BL_TERM_AMBIENT; f++) {
        const struct bl_fact_info *info = bl_fact_info((enum bl_fact)f);

        if (info->first == first && info->second == second &&
            (uint32_t)info->ambient == object->index)
            return true;
    }
    return false;
}

static bool is_key(const struct bl_literal *l)
{
    switch (l->form) {
    case BL_LITERAL_BITS:
        if (l->term->kind == BL_TERM_HAS)
            return l->bits == BL_BIT_TRUE && l->term->kids[0]->kind == BL_TERM_AMBIENT;
        return (l->bits & (l->bits - 1)) == 0 && is_fact(l->term);
    case BL_LITERAL_TEXTS:
        return !l->negated && l->text_count == 1 && is_fact(l->term);
    case BL_LITERAL_CONTAINS:
    case BL_LITERAL_STARTS:
    case BL_LITERAL_ENDS:
    case BL_LITERAL_MATCHES:
        return !l->negated && is_fact(l->term);
    case BL_LITERAL_RANGES:
        break;
    }
    return false;
}

static bool has_key(const struct bl_formula *formula)
{
    if (formula->kind == BL_FORMULA_LITERAL)
        return is_key(formula->literal);
    for (uint32_t i = 0; formula->kind == BL_FORMULA_ALL && i < formula->kid_count; i++) {
        if (formula->kids[i]->kind == BL_FORMULA_LITERAL && is_key(formula->kids[i]->literal))
            return true;
    }
    return false;
}

/* Parts of a conjunction from left to right, until one may read. */
static bool search(struct bl_linter *l, const struct bl_node *node, bool *read)
{
    if (node->kind == BL_NODE_AND)
        return search(l, node->kids[0], read) || (!*read && search(l, node->kids[1], read));
    *read = *read || may_read(node);
    return has_key(bl_meaning_condition(&l->meaning, node));
}

static bool is_indexed(struct bl_linter *l, const struct bl_rule *rule)
{
    bool read = false;

    for (const struct bl_statement *s = rule->body; s != NULL && !read;) {
        if (s->kind == BL_STATEMENT_LET) {
            bl_meaning_let(&l->meaning, s);
            read = may_read(s->value);
            s = s->next;
        } else if (s->kind == BL_STATEMENT_WHEN && s->clause != NULL && !s->clause->has_block) {
            if (search(l, s->condition, &read))
                return true;
            s = s->body;
        } else {
            return false;
        }
    }
    return false;
}

void bl_lint_unindexed(struct bl_linter *l)
{
    for (size_t i = 0; i < l->rules.count; i++) {
        const struct bl_symbol *symbol = l->rules.items[i].symbol;
        struct bl_meaning_mark mark = bl_meaning_enter(&l->meaning);
        struct bl_diagnostic *d;

        l->meaning.work = 0;
        if (l->rules.items[i].own && symbol->kind == BL_SYMBOL_RULE &&
            !is_indexed(l, l->rules.items[i].rule)) {
            d = bl_lint_report(l, BL_D_UNINDEXED_RULE, symbol->span);
            bl_lint_text(l, d, "name", symbol->name);
        }
        bl_meaning_leave(&l->meaning, &mark);
    }
}
