/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/linter.h"

/* Values with a name that nothing looks at, and parameters that change nothing. */

static bool is_unused(const struct bl_symbol *local)
{
    return local != NULL && local->kind == BL_SYMBOL_LOCAL && !local->used &&
           (local->as.local == NULL || !local->as.local->ambient_used) &&
           !bl_str_starts_with(local->name, BL_STR("_"));
}

static void look_at_lets(struct bl_linter *l, const struct bl_statement *list)
{
    for (const struct bl_statement *s = list; s != NULL; s = s->next) {
        if (s->kind == BL_STATEMENT_LET && is_unused(s->symbol)) {
            struct bl_diagnostic *d = bl_lint_report(l, BL_D_UNUSED_LET, s->symbol->span);

            bl_lint_text(l, d, "name", s->symbol->name);
        }
        look_at_lets(l, s->body);
        if (s->otherwise != NULL)
            look_at_lets(l, s->otherwise);
    }
}

static void look_at_params(struct bl_linter *l, const struct bl_symbol *owner,
                           const struct bl_symbol_list *params)
{
    for (size_t i = 0; i < params->count; i++) {
        struct bl_diagnostic *d;

        if (!is_unused(params->items[i]))
            continue;
        d = bl_lint_report(l, BL_D_UNUSED_PARAMETER, params->items[i]->span);
        bl_lint_text(l, d, "owner", owner->name);
        bl_lint_text(l, d, "name", params->items[i]->name);
    }
}

/* A parameter of a message is used when one language says it; that others leave it out is
 * another finding. */
static void look_at_message(struct bl_linter *l, const struct bl_symbol *symbol)
{
    const struct bl_message *message = symbol->as.message;
    const struct bl_message_text *first = message->count > 0 ? &message->texts[0] : NULL;

    if (first == NULL || first->package == NULL || !first->package->is_root)
        return;
    for (size_t p = 0; p < first->params.count; p++) {
        bool said = bl_str_starts_with(first->params.items[p]->name, BL_STR("_"));
        struct bl_diagnostic *d;

        for (size_t t = 0; t < message->count && !said; t++) {
            const struct bl_symbol_list *params = &message->texts[t].params;

            said = p < params->count && params->items[p]->used;
        }
        if (said)
            continue;
        d = bl_lint_report(l, BL_D_UNUSED_PARAMETER, first->params.items[p]->span);
        bl_lint_text(l, d, "owner", symbol->name);
        bl_lint_text(l, d, "name", first->params.items[p]->name);
    }
}

static void look_at_body(void *context, const struct bl_symbol *where,
                         const struct bl_statement *list)
{
    (void)where;
    look_at_lets(context, list);
}

void bl_lint_locals(struct bl_linter *l)
{
    static const enum bl_symbol_kind callables[] = {BL_SYMBOL_DEFINE, BL_SYMBOL_DECISION,
                                                    BL_SYMBOL_CHECK, BL_SYMBOL_ACTOR};
    static const enum bl_symbol_kind documents[] = {BL_SYMBOL_COMMENT, BL_SYMBOL_PART};
    const struct bl_symbol_list *messages = &l->program->symbols[BL_SYMBOL_MESSAGE];
    struct bl_lint_visitor visitor = {.context = l, .statements = look_at_body};

    bl_lint_visit(l, &visitor);
    for (size_t k = 0; k < 4; k++) {
        const struct bl_symbol_list *list = &l->program->symbols[callables[k]];

        for (size_t i = 0; i < list->count; i++) {
            if (bl_lint_is_own(list->items[i]))
                look_at_params(l, list->items[i], &list->items[i]->as.callable->params);
        }
    }
    for (size_t k = 0; k < 2; k++) {
        const struct bl_symbol_list *list = &l->program->symbols[documents[k]];

        for (size_t i = 0; i < list->count; i++) {
            if (bl_lint_is_own(list->items[i]))
                look_at_params(l, list->items[i], &list->items[i]->as.document->params);
        }
    }
    for (size_t i = 0; i < messages->count; i++)
        look_at_message(l, messages->items[i]);
}
