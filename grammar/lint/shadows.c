/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/linter.h"

/* Names that hide others: a reader who knows the outer one reads the wrong value. Who gives a
 * name the place of what is at hand, as `for each issue in …`, means to. */

struct hidden {
    const struct bl_symbol *symbol;
    const struct hidden *outer;
};
struct shadowing {
    struct bl_linter *l;
};

/* Names outside of one that are looked through; a body has seldom more. */
#define OUTER_MOST 250u

/* The names seen from behind the symbol on; on without it when out of memory. */
static const struct hidden *bring(const struct shadowing *s, const struct hidden *scope,
                                  const struct bl_symbol *symbol)
{
    struct hidden *inner = BL_NEW(s->l->arena, struct hidden);

    if (inner == NULL)
        return scope;
    *inner = (struct hidden){symbol, scope};
    return inner;
}

static bool is_ambient(const struct bl_symbol *local)
{
    return bl_ambient_find(local->name) != BL_AMBIENT_COUNT;
}

/* Only a call names a function that takes something, and no local is called. */
static bool is_function(const struct bl_symbol *symbol)
{
    return symbol != NULL &&
           (symbol->kind == BL_SYMBOL_MESSAGE ||
            ((symbol->kind == BL_SYMBOL_DEFINE || symbol->kind == BL_SYMBOL_DECISION ||
              symbol->kind == BL_SYMBOL_CHECK || symbol->kind == BL_SYMBOL_ACTOR) &&
             symbol->as.callable->params.count > 0));
}

/* What the name would be without the local. */
static const struct bl_symbol *hides(const struct shadowing *s, const struct hidden *scope,
                                     const struct bl_symbol *local)
{
    const struct bl_symbol *declared;
    unsigned steps = 0;

    for (; scope != NULL && steps++ < OUTER_MOST; scope = scope->outer) {
        if (bl_str_equal(scope->symbol->name, local->name))
            return scope->symbol;
    }
    declared = bl_program_find(s->l->program, BL_SPACE_VALUES, local->name);
    return is_function(declared) ? NULL : declared;
}

static void look_at(const struct shadowing *s, const struct hidden *scope,
                    const struct bl_symbol *local)
{
    const struct bl_symbol *other;
    struct bl_diagnostic *d;

    if (local == NULL || local->span.source == BL_NO_SOURCE || is_ambient(local))
        return;
    other = hides(s, scope, local);
    if (other == NULL || other == local)
        return;
    d = bl_lint_report(s->l, BL_D_SHADOWED_NAME, local->span);
    bl_lint_text(s->l, d, "name", local->name);
    bl_lint_text(s->l, d, "kind", bl_symbol_kind_name(other->kind));
    if (other->span.source != BL_NO_SOURCE)
        bl_diagnostic_label(&s->l->found, d, other->span, BL_STR("is hidden"));
}

static void look_at_node(const struct shadowing *s, const struct hidden *scope,
                         const struct bl_node *node)
{
    bool loop;

    if (node == NULL)
        return;
    loop = node->resolution == BL_RESOLVED_LOOP && node->symbol != NULL;
    for (uint32_t i = 0; i < node->kid_count; i++) {
        if (loop && i == 1) {
            look_at(s, scope, node->symbol);
            scope = bring(s, scope, node->symbol);
        }
        look_at_node(s, scope, node->kids[i]);
    }
}

static void look_at_values(const struct shadowing *s, const struct hidden *scope,
                           const struct bl_statement *statement)
{
    look_at_node(s, scope, statement->condition);
    look_at_node(s, scope, statement->value);
    look_at_node(s, scope, statement->text);
    for (size_t i = 0; i < statement->items.count; i++)
        look_at_node(s, scope, statement->items.items[i]);
    for (const struct bl_pair *pair = statement->pairs; pair != NULL; pair = pair->next)
        look_at_node(s, scope, pair->value);
}

/* A LET is known to what stands behind it in its list. */
static void look_at_list(const struct shadowing *s, const struct hidden *scope,
                         const struct bl_statement *list)
{
    for (const struct bl_statement *st = list; st != NULL; st = st->next) {
        if (st->kind == BL_STATEMENT_FOR && st->symbol != NULL) {
            look_at_node(s, scope, st->value);
            look_at(s, scope, st->symbol);
            look_at_node(s, bring(s, scope, st->symbol), st->condition);
            look_at_list(s, bring(s, scope, st->symbol), st->body);
            continue;
        }
        look_at_values(s, scope, st);
        look_at_list(s, scope, st->body);
        if (st->otherwise != NULL)
            look_at_list(s, scope, st->otherwise);
        if (st->kind == BL_STATEMENT_LET && st->symbol != NULL) {
            look_at(s, scope, st->symbol);
            scope = bring(s, scope, st->symbol);
        }
    }
}

static void look_at_body(const struct shadowing *s, const struct bl_symbol_list *params,
                         const struct bl_node *value, const struct bl_statement *body)
{
    const struct hidden *scope = NULL;

    for (size_t i = 0; params != NULL && i < params->count; i++) {
        look_at(s, scope, params->items[i]);
        scope = bring(s, scope, params->items[i]);
    }
    look_at_node(s, scope, value);
    look_at_list(s, scope, body);
}

static void look_at_symbol(const struct shadowing *s, const struct bl_symbol *symbol)
{
    const struct bl_rule *rule = bl_lint_rule_of(symbol);

    if (symbol->kind == BL_SYMBOL_DEFINE || symbol->kind == BL_SYMBOL_DECISION ||
        symbol->kind == BL_SYMBOL_CHECK || symbol->kind == BL_SYMBOL_ACTOR)
        look_at_body(s, &symbol->as.callable->params, symbol->as.callable->value,
                     symbol->as.callable->body);
    else if (symbol->kind == BL_SYMBOL_COMMENT || symbol->kind == BL_SYMBOL_PART)
        look_at_body(s, &symbol->as.document->params, NULL, symbol->as.document->body);
    else if (rule != NULL)
        look_at_body(s, NULL, NULL, rule->body);
}

void bl_lint_shadows(struct bl_linter *l)
{
    static const enum bl_symbol_kind kinds[] = {
        BL_SYMBOL_DEFINE,  BL_SYMBOL_DECISION, BL_SYMBOL_CHECK, BL_SYMBOL_ACTOR,
        BL_SYMBOL_RULE,    BL_SYMBOL_STEP,     BL_SYMBOL_PART,  BL_SYMBOL_COMMENT,
        BL_SYMBOL_COMMAND, BL_SYMBOL_LIFECYCLE};
    struct shadowing s = {l};

    for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
        for (size_t i = 0; i < l->program->symbols[kinds[k]].count; i++) {
            const struct bl_symbol *symbol = l->program->symbols[kinds[k]].items[i];

            if (bl_lint_is_own(symbol) && bl_lint_whole(symbol) != NULL)
                look_at_symbol(&s, bl_lint_whole(symbol));
        }
    }
}
