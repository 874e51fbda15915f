/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/linter.h"

/* Comments that a sweep posts again every time. What has come stays come, so a day of a
 * lifecycle and the things of a step are there on the next morning, too; a comment is not
 * posted twice when its marker names the same thing then. One that names the day, the moment or
 * the run does not. */

/* ---- what differs from run to run
 * ----------------------------------------------------------------------------------- */

struct asked {
    const struct bl_statement *post;
    const struct bl_document *document;
    unsigned depth; /* of arguments and names that were followed */
    unsigned *work; /* nodes that were looked at */
};
#define FOLLOWED_MOST 32u
#define WORK_MOST     10000u /* defines that use defines twice; what is larger stays unsaid */

static bool is_of_the_run(const struct asked *a, const struct bl_node *node);

/* A parameter of the document is what the 'post' gives for it. */
static bool is_local_of_the_run(const struct asked *a, const struct bl_symbol *symbol)
{
    const struct bl_local *local = symbol->as.local;
    const struct bl_symbol_list *params = &a->document->params;
    struct asked next = *a;

    if (++next.depth > FOLLOWED_MOST)
        return false;
    if (local->kind == BL_LOCAL_LET)
        return local->value != NULL && is_of_the_run(&next, local->value);
    return local->kind == BL_LOCAL_PARAMETER && local->position < params->count &&
           params->items[local->position] == symbol &&
           local->position < a->post->value->kid_count &&
           is_of_the_run(&next, a->post->value->kids[local->position]);
}

/* Anything that a define looks at. */
static bool calls_of_the_run(const struct asked *a, const struct bl_callable *callable)
{
    struct asked next = *a;

    if (++next.depth > FOLLOWED_MOST)
        return false;
    if (is_of_the_run(&next, callable->value))
        return true;
    for (const struct bl_statement *s = callable->body; s != NULL; s = s->next) {
        if (is_of_the_run(&next, s->value) || is_of_the_run(&next, s->condition))
            return true;
    }
    return false;
}

static bool is_of_the_run(const struct asked *a, const struct bl_node *node)
{
    if (node == NULL || ++*a->work > WORK_MOST)
        return false;
    if (node->resolution == BL_RESOLVED_AMBIENT &&
        (node->index == BL_AMBIENT_TODAY || node->index == BL_AMBIENT_NOW))
        return true;
    if (node->resolution == BL_RESOLVED_FIELD &&
        (node->index == BL_FIELD_EVENT_AT || node->index == BL_FIELD_EVENT_KEY))
        return true;
    if (node->resolution == BL_RESOLVED_CALL && calls_of_the_run(a, node->symbol->as.callable))
        return true;
    if (node->resolution == BL_RESOLVED_LOCAL && is_local_of_the_run(a, node->symbol))
        return true;
    for (uint32_t i = 0; i < node->kid_count; i++) {
        if (is_of_the_run(a, node->kids[i]))
            return true;
    }
    return false;
}

/* The attribute of `once_by` that the next run fills otherwise; NULL for none. */
static const struct bl_attribute *changing_key(const struct bl_statement *post)
{
    unsigned work = 0;
    struct asked a = {post, post->value->symbol->as.document, 0, &work};

    for (size_t i = 0; a.document != NULL && i < a.document->attribute_count; i++) {
        const struct bl_attribute *attribute = &a.document->attributes[i];

        if (attribute->once && is_of_the_run(&a, attribute->value))
            return attribute;
    }
    return NULL;
}

/* ---- what ends it
 * ---------------------------------------------------------------------------------------- */

/* Own comments, and what nothing is known of: it may look at them. */
static bool is_memory(const struct bl_term *term, void *context)
{
    unsigned resolution = term->index >> 16;

    (void)context;
    if (term->kind != BL_TERM_NODE)
        return false;
    return resolution == BL_RESOLVED_CALL || resolution == BL_RESOLVED_ATTRIBUTE ||
           (resolution == BL_RESOLVED_BUILTIN && term->value == BL_BUILTIN_POSTED);
}

static bool asks_memory(const struct bl_literal *literal, void *context)
{
    return bl_term_any(literal->term, is_memory, context);
}

static bool has_posted(const struct bl_node *node, unsigned depth, unsigned *work);

static bool calls_posted(const struct bl_node *node, unsigned depth, unsigned *work)
{
    const struct bl_callable *callable = node->symbol->as.callable;

    if (depth >= FOLLOWED_MOST || callable->body != NULL)
        return true; /* not looked into */
    return has_posted(callable->value, depth + 1, work);
}

/* Does the beginning of the waiting move with own comments? */
static bool has_posted(const struct bl_node *node, unsigned depth, unsigned *work)
{
    if (node == NULL)
        return false;
    if (++*work > WORK_MOST ||
        (node->resolution == BL_RESOLVED_BUILTIN && node->index == BL_BUILTIN_POSTED))
        return true;
    if (node->resolution == BL_RESOLVED_CALL && calls_posted(node, depth, work))
        return true;
    if (node->resolution == BL_RESOLVED_LOCAL && node->symbol->as.local->kind == BL_LOCAL_LET &&
        depth < FOLLOWED_MOST && has_posted(node->symbol->as.local->value, depth + 1, work))
        return true;
    for (uint32_t i = 0; i < node->kid_count; i++) {
        if (has_posted(node->kids[i], depth, work))
            return true;
    }
    return false;
}

static bool since_moves(const struct bl_rule *rule)
{
    const struct bl_statement *loop = rule->body;
    unsigned work = 0;

    if (loop == NULL || loop->kind != BL_STATEMENT_FOR)
        return false;
    for (const struct bl_statement *s = loop->body; s != NULL; s = s->next) {
        if (s->kind == BL_STATEMENT_SINCE)
            return has_posted(s->value, 0, &work);
    }
    return false;
}

/* Is it over once this deed is done? */
static bool ends_it(struct bl_linter *l, const struct bl_deed *post, const struct bl_deed *deed)
{
    struct bl_solver_mark mark = bl_solver_mark(&l->solver);
    bool over;

    if (deed->slot == BL_SLOT_STATE || deed->slot == BL_SLOT_LOCK)
        return true; /* lists of open or unlocked issues lack it from then on */
    over = !bl_solver_add(&l->solver, post->guard) ||
           bl_solver_excludes(&l->solver, bl_deed_guard_after(l, post->guard, deed));
    bl_solver_undo(&l->solver, mark);
    return over;
}

/* Do they happen together? Then the conditions of one hold when those of the other do. */
static bool go_together(struct bl_linter *l, const struct bl_deed *post,
                        const struct bl_deed *deed)
{
    struct bl_solver_mark mark = bl_solver_mark(&l->solver);
    bool together =
        bl_solver_add(&l->solver, post->guard) &&
        bl_solver_excludes(&l->solver, bl_formula_not(&l->meaning.formulas, deed->guard));

    bl_solver_undo(&l->solver, mark);
    return together;
}

static bool is_over(struct bl_linter *l, const struct bl_linted_rule *rule,
                    const struct bl_deed *post)
{
    for (size_t i = 0; i < rule->deed_count; i++) {
        const struct bl_deed *deed = &l->deeds.items[rule->first_deed + i];

        if (go_together(l, post, deed) && ends_it(l, post, deed))
            return true;
    }
    return false;
}

static void look_at(struct bl_linter *l, const struct bl_linted_rule *rule,
                    const struct bl_deed *post)
{
    const struct bl_attribute *key = changing_key(post->statement);
    struct bl_diagnostic *d;

    if (key == NULL || !post->in_loop || bl_formula_any(post->guard, asks_memory, NULL) ||
        is_over(l, rule, post))
        return;
    d = bl_lint_report(l, BL_D_POSTED_AGAIN, post->span);
    bl_lint_text(l, d, "name", rule->symbol->name);
    bl_lint_text(l, d, "attribute", key->name);
    bl_diagnostic_label(&l->found, d, key->span, BL_STR("differs in every run"));
}

void bl_lint_repeats(struct bl_linter *l)
{
    l->meaning.settings = BL_SETTINGS_FIXED;
    for (size_t i = 0; i < l->rules.count; i++) {
        const struct bl_linted_rule *rule = &l->rules.items[i];

        if (!rule->own ||
            (rule->symbol->kind != BL_SYMBOL_LIFECYCLE && rule->symbol->kind != BL_SYMBOL_STEP))
            continue;
        if (rule->symbol->kind == BL_SYMBOL_LIFECYCLE && since_moves(rule->rule))
            continue;
        for (size_t k = 0; k < rule->deed_count; k++) {
            const struct bl_deed *deed = &l->deeds.items[rule->first_deed + k];

            if (deed->effect == BL_EFFECT_POST)
                look_at(l, rule, deed);
        }
    }
    l->meaning.settings = BL_SETTINGS_OPEN;
}
