/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"

/* Where untrusted text came from: the path that a message shows, its source first. */

#define STEPS_MAX (BL_DIAGNOSTIC_LABELS_MAX - 1)

struct path {
    struct bl_checker *c;
    struct {
        struct bl_span span;
        bl_str text;
    } steps[STEPS_MAX];
    size_t count;
};

static void add_step(struct path *path, struct bl_span span, bl_str text)
{
    if (path->count < STEPS_MAX && span.source != BL_NO_SOURCE) {
        path->steps[path->count].span = span;
        path->steps[path->count].text = text;
        path->count++;
    }
}

static bool is_untrusted(const struct bl_node *node)
{
    return node != NULL && bl_type_kind(node->declared) == BL_TYPE_UNTRUSTED;
}

static void follow(struct path *path, struct bl_node *node);

static void follow_local(struct path *path, struct bl_node *node)
{
    const struct bl_local *local = node->symbol->as.local;
    bl_str name = node->symbol->name;

    switch (local->kind) {
    case BL_LOCAL_LET:
        add_step(path, node->symbol->span,
                 bl_sema_text(path->c, "It is named '%.*s' here.", BL_STR_ARG(name)));
        follow(path, local->value);
        return;
    case BL_LOCAL_LOOP:
        add_step(path, node->symbol->span,
                 bl_sema_text(path->c, "'%.*s' is an element of this list.", BL_STR_ARG(name)));
        follow(path, local->value);
        return;
    case BL_LOCAL_PARAMETER:
        add_step(path, node->symbol->span,
                 bl_sema_text(path->c, "It comes in as '%.*s'.", BL_STR_ARG(name)));
        return;
    case BL_LOCAL_TAKEN:
        add_step(path, node->symbol->span, BL_STR("Whoever gives the command writes it."));
        return;
    case BL_LOCAL_COLUMN:
    case BL_LOCAL_GIVEN:
    case BL_LOCAL_PART:
    case BL_LOCAL_POSITION:
    case BL_LOCAL_MORE:
        add_step(path, node->symbol->span, BL_STR("It is declared as untrusted here."));
        return;
    }
}

static struct bl_node *result_of(const struct bl_callable *callable)
{
    if (callable->value != NULL)
        return callable->value;
    for (const struct bl_statement *s = callable->body; s != NULL; s = s->next) {
        if ((s->kind == BL_STATEMENT_GIVE || s->kind == BL_STATEMENT_ROW) &&
            is_untrusted(s->value))
            return s->value;
    }
    return NULL;
}

static void follow_call(struct path *path, struct bl_node *node)
{
    if (node->resolution == BL_RESOLVED_CALL && node->symbol != NULL) {
        add_step(path, node->symbol->span,
                 bl_sema_text(path->c, "'%.*s' gives it on.", BL_STR_ARG(node->symbol->name)));
        if (path->count < STEPS_MAX)
            follow(path, result_of(node->symbol->as.callable));
        return;
    }
    for (uint32_t i = 0; i < node->kid_count; i++) {
        if (is_untrusted(node->kids[i])) {
            follow(path, node->kids[i]);
            return;
        }
    }
    add_step(path, node->span, BL_STR("This gives text that others wrote."));
}

static void follow_field(struct path *path, struct bl_node *node)
{
    const struct bl_field_info *info = node->resolution == BL_RESOLVED_FIELD
                                           ? bl_field_info((enum bl_field)node->index)
                                           : NULL;

    if (node->kids[0]->resolution == BL_RESOLVED_ANSWER ||
        node->resolution == BL_RESOLVED_RECORD_FIELD) {
        add_step(path, node->span,
                 node->kids[0]->resolution == BL_RESOLVED_ANSWER
                     ? BL_STR("An AI writes it.")
                     : BL_STR("The record holds it as untrusted text."));
        return;
    }
    add_step(path, node->span,
             info != NULL && info->level == BL_LEVEL_ANYONE
                 ? BL_STR("Anyone can write it.")
                 : BL_STR("Whoever caused it can write it."));
}

static void follow(struct path *path, struct bl_node *node)
{
    if (node == NULL || path->count >= STEPS_MAX)
        return;
    if (node->kind == BL_NODE_NAME && node->resolution == BL_RESOLVED_LOCAL) {
        follow_local(path, node);
    } else if (node->kind == BL_NODE_FIELD || node->kind == BL_NODE_OPTIONAL_FIELD) {
        follow_field(path, node);
    } else if (node->kind == BL_NODE_CALL || node->resolution == BL_RESOLVED_CALL) {
        follow_call(path, node);
    } else if (node->kind == BL_NODE_NAME) {
        add_step(path, node->span, BL_STR("It holds text that others wrote."));
    } else {
        /* An operator, a branch, a loop: the first part that is untrusted. Of a loop that gives
         * something, what it gives. */
        for (uint32_t i = node->kid_count; i-- > 0;) {
            if (is_untrusted(node->kids[i])) {
                follow(path, node->kids[i]);
                return;
            }
        }
    }
}

void bl_sema_trace(struct bl_checker *c, struct bl_node *node, struct bl_diagnostic *d)
{
    struct path path = {.c = c};

    follow(&path, node);
    while (path.count > 0) {
        path.count--;
        bl_diagnostic_label(c->sink, d, path.steps[path.count].span,
                            path.steps[path.count].text);
    }
}

void bl_sema_flow_error(struct bl_checker *c, struct bl_node *node, enum bl_place place)
{
    const struct bl_symbol_list *cleaners = &c->program->symbols[BL_SYMBOL_SANITIZER];
    struct bl_diagnostic *d;

    if (place == BL_PLACE_COUNT) {
        d = bl_sema_error(c, BL_D_UNTRUSTED_IN_TEXT, node->span);
        bl_sema_trace(c, node, d);
        return;
    }
    d = bl_sema_error(c, BL_D_UNTRUSTED_IN_PLACE, node->span);
    bl_sema_arg(c, d, "place", bl_place_name(place));
    bl_sema_trace(c, node, d);
    for (size_t i = 0; i < cleaners->count; i++) {
        if ((cleaners->items[i]->as.cleaner->places >> place & 1) != 0) {
            bl_sema_help(c, d, "Clean it first: %.*s(%.*s).",
                         BL_STR_ARG(cleaners->items[i]->name),
                         BL_STR_ARG(bl_sema_source(c, node->span)));
            return;
        }
    }
}
