/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/linter.h"

/* All expressions and bodies of the root package. */

struct walking {
    const struct bl_lint_visitor *visitor;
    const struct bl_symbol *where;
};

static void visit_node(const struct walking *w, const struct bl_node *node)
{
    if (node == NULL)
        return;
    w->visitor->expression(w->visitor->context, w->where, node);
    for (uint32_t i = 0; i < node->kid_count; i++)
        visit_node(w, node->kids[i]);
}

static void visit_list(const struct walking *w, const struct bl_statement *list)
{
    for (const struct bl_statement *s = list; s != NULL; s = s->next) {
        visit_node(w, s->condition);
        visit_node(w, s->value);
        visit_node(w, s->text);
        for (size_t i = 0; s->counted != NULL && i < s->counted->key_count; i++)
            visit_node(w, s->counted->keys[i].value);
        visit_node(w, s->counted != NULL ? s->counted->at_most : NULL);
        visit_node(w, s->counted != NULL ? s->counted->more_text : NULL);
        for (size_t i = 0; s->kind != BL_STATEMENT_FOR && i < s->items.count; i++)
            visit_node(w, s->items.items[i]);
        for (const struct bl_pair *pair = s->pairs; pair != NULL; pair = pair->next)
            visit_node(w, pair->value);
        visit_list(w, s->body);
        if (s->otherwise != NULL)
            visit_list(w, s->otherwise);
    }
}

static void visit_body(const struct walking *w, const struct bl_statement *list)
{
    if (list == NULL)
        return;
    if (w->visitor->statements != NULL)
        w->visitor->statements(w->visitor->context, w->where, list);
    if (w->visitor->expression != NULL)
        visit_list(w, list);
}

static void visit_value(const struct walking *w, const struct bl_node *node)
{
    if (w->visitor->expression != NULL)
        visit_node(w, node);
}

static void visit_document(const struct walking *w, const struct bl_document *document)
{
    visit_value(w, document->language);
    for (size_t i = 0; i < document->attribute_count; i++)
        visit_value(w, document->attributes[i].value);
    visit_body(w, document->body);
}

static void visit_message(struct walking *w, const struct bl_message *message)
{
    for (size_t i = 0; i < message->count; i++) {
        if (message->texts[i].package == NULL || !message->texts[i].package->is_root)
            continue;
        visit_value(w, message->texts[i].text);
        visit_body(w, message->texts[i].rows);
    }
}

static void visit_symbol(struct walking *w, const struct bl_symbol *symbol)
{
    switch (symbol->kind) {
    case BL_SYMBOL_DEFINE:
    case BL_SYMBOL_DECISION:
    case BL_SYMBOL_CHECK:
    case BL_SYMBOL_ACTOR:
        visit_value(w, symbol->as.callable->value);
        visit_body(w, symbol->as.callable->body);
        return;
    case BL_SYMBOL_COMMENT:
    case BL_SYMBOL_PART:
    case BL_SYMBOL_REPORT:
        visit_document(w, symbol->as.document);
        return;
    case BL_SYMBOL_RULE:
    case BL_SYMBOL_STEP:
    case BL_SYMBOL_LIFECYCLE:
    case BL_SYMBOL_COMMAND:
    case BL_SYMBOL_ENTRY:
        if (bl_lint_rule_of(symbol) != NULL)
            visit_body(w, bl_lint_rule_of(symbol)->body);
        return;
    case BL_SYMBOL_COMMANDS:
        visit_body(w, symbol->as.commands->refusals);
        if (symbol->as.commands->refused != NULL)
            visit_body(w, symbol->as.commands->refused->body);
        return;
    case BL_SYMBOL_SETTING:
        visit_value(w, symbol->as.setting->value);
        for (const struct bl_requirement *r = symbol->as.setting->requires; r != NULL;
             r = r->next)
            visit_value(w, r->condition);
        return;
    case BL_SYMBOL_SWEEP:
        for (size_t i = 0; i < symbol->as.sweep->count; i++)
            visit_value(w, symbol->as.sweep->items[i].condition);
        return;
    case BL_SYMBOL_JOB:
        for (size_t i = 0; i < symbol->as.job->when.count; i++)
            visit_value(w, symbol->as.job->when.items[i]);
        return;
    case BL_SYMBOL_LOCAL:
    case BL_SYMBOL_LABEL:
    case BL_SYMBOL_GROUP:
    case BL_SYMBOL_TASK:
    case BL_SYMBOL_LOCALE:
    case BL_SYMBOL_VARIABLE:
    case BL_SYMBOL_SECRET:
    case BL_SYMBOL_MESSAGE:
    case BL_SYMBOL_SANITIZER:
    case BL_SYMBOL_SECRETS:
    case BL_SYMBOL_VIEW:
    case BL_SYMBOL_REDACTION:
    case BL_SYMBOL_STORE:
    case BL_SYMBOL_FILE:
    case BL_SYMBOL_WORKFLOW:
    case BL_SYMBOL_ENGINE:
    case BL_SYMBOL_STEPS:
    case BL_SYMBOL_ACTION:
    case BL_SYMBOL_RUNNER:
    case BL_SYMBOL_ENUM:
    case BL_SYMBOL_RECORD:
    case BL_SYMBOL_KIND_COUNT:
        return;
    }
}

void bl_lint_visit(struct bl_linter *l, const struct bl_lint_visitor *visitor)
{
    for (unsigned kind = 0; kind < BL_SYMBOL_KIND_COUNT; kind++) {
        for (size_t i = 0; i < l->program->symbols[kind].count; i++) {
            const struct bl_symbol *symbol = l->program->symbols[kind].items[i];
            struct walking w = {visitor, bl_lint_whole(symbol)};

            if (kind == BL_SYMBOL_MESSAGE)
                visit_message(&w, symbol->as.message);
            else if (bl_lint_is_own(symbol) && bl_lint_whole(symbol) != NULL)
                visit_symbol(&w, bl_lint_whole(symbol));
        }
    }
}

/* ---- as it stands ---------------------------------------------------------------------- */

static void visit_source(const struct bl_node *node,
                         void (*look)(void *context, const struct bl_node *node), void *context)
{
    if (node == NULL)
        return;
    look(context, node);
    for (uint32_t i = 0; i < node->kid_count; i++)
        visit_source(node->kids[i], look, context);
}

void bl_lint_visit_source(struct bl_linter *l,
                          void (*look)(void *context, const struct bl_node *node),
                          void *context)
{
    for (size_t i = 0; i < l->program->files.count; i++) {
        const struct bl_file *file = l->program->files.items[i];

        if (file->package != NULL && file->package->is_root)
            visit_source(file->ast.file, look, context);
    }
}
