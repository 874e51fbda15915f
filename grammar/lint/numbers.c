/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/linter.h"

/* Messages that state a length of time or a percentage which what posts them does not go by:
 * the rule waits as long as a setting says, and the words say another number. */

#define GONE_BY_MOST  64u
#define WALK_MOST     20000u /* nodes that are looked at for one rule */
#define FOLLOWED_MOST 64u

struct going_by {
    struct bl_linter *l;
    /* What the rule goes by: settings, and literals that it holds itself. */
    const struct bl_symbol *settings[GONE_BY_MOST];
    const struct bl_node *literals[GONE_BY_MOST];
    size_t setting_count, literal_count;
    const struct bl_symbol *followed[FOLLOWED_MOST]; /* callables and documents, each once */
    size_t followed_count;
    size_t work;
    bool unknown; /* too much to look at, so nothing is said */
};

static void read_statements(struct going_by *g, const struct bl_statement *list);

static bool follow(struct going_by *g, const struct bl_symbol *symbol)
{
    for (size_t i = 0; i < g->followed_count; i++) {
        if (g->followed[i] == symbol)
            return false;
    }
    if (g->followed_count == FOLLOWED_MOST) {
        g->unknown = true;
        return false;
    }
    g->followed[g->followed_count++] = symbol;
    return true;
}

static void read_node(struct going_by *g, const struct bl_node *node);

static void take_setting(struct going_by *g, const struct bl_symbol *setting)
{
    const struct bl_node *preset = setting->as.setting->preset;

    for (size_t i = 0; i < g->setting_count; i++) {
        if (g->settings[i] == setting)
            return;
    }
    if (g->setting_count == GONE_BY_MOST) {
        g->unknown = true;
        return;
    }
    g->settings[g->setting_count++] = setting;
    read_node(g, preset); /* it may rest on others */
}

static void read_node(struct going_by *g, const struct bl_node *node)
{
    if (node == NULL || g->unknown)
        return;
    g->unknown = ++g->work > WALK_MOST;
    if (node->kind == BL_NODE_DURATION || node->kind == BL_NODE_PERCENT) {
        if (g->literal_count == GONE_BY_MOST)
            g->unknown = true;
        else
            g->literals[g->literal_count++] = node;
    }
    if (node->resolution == BL_RESOLVED_SETTING) {
        take_setting(g, node->symbol);
    } else if ((node->resolution == BL_RESOLVED_CALL ||
                node->resolution == BL_RESOLVED_IS_ACTOR) &&
               node->symbol != NULL && follow(g, node->symbol)) {
        read_node(g, node->symbol->as.callable->value);
        read_statements(g, node->symbol->as.callable->body);
    }
    for (uint32_t i = 0; i < node->kid_count; i++)
        read_node(g, node->kids[i]);
}

static void read_statements(struct going_by *g, const struct bl_statement *list)
{
    for (const struct bl_statement *s = list; s != NULL && !g->unknown; s = s->next) {
        read_node(g, s->condition);
        read_node(g, s->value);
        for (size_t i = 0; i < s->items.count; i++)
            read_node(g, s->items.items[i]);
        for (const struct bl_pair *pair = s->pairs; pair != NULL; pair = pair->next)
            read_node(g, pair->value);
        read_statements(g, s->body);
        if (s->otherwise != NULL)
            read_statements(g, s->otherwise);
    }
}

/* ---- what is said ---------------------------------------------------------------------- */

static enum bl_node_kind kind_of(const struct bl_symbol *setting)
{
    return bl_type_is(setting->type, BL_TYPE_PERCENT) ? BL_NODE_PERCENT : BL_NODE_DURATION;
}

static bool is_length_or_share(const struct bl_symbol *setting)
{
    return bl_type_is(setting->type, BL_TYPE_PERCENT) ||
           bl_type_is(setting->type, BL_TYPE_DURATION);
}

static bool is_any(const struct going_by *g, const struct bl_stated *stated)
{
    for (size_t i = 0; i < g->literal_count; i++) {
        if (g->literals[i]->kind == stated->kind && g->literals[i]->number == stated->number)
            return true;
    }
    return false;
}

/* The setting that the words seem to mean: the first of its kind whose value is known. */
static const struct bl_symbol *meant(const struct going_by *g, const struct bl_stated *stated)
{
    for (size_t i = 0; i < g->setting_count; i++) {
        const struct bl_setting *setting = g->settings[i]->as.setting;

        if (is_length_or_share(g->settings[i]) && kind_of(g->settings[i]) == stated->kind &&
            setting->preset != NULL && setting->preset->kind == stated->kind)
            return g->settings[i];
    }
    return NULL;
}

static void look_at_words(struct going_by *g, const struct bl_symbol *message,
                          const struct bl_node *part)
{
    struct bl_stated stated;

    for (size_t at = 0; bl_lint_next_stated(part->text, &at, &stated);) {
        const struct bl_symbol *setting = meant(g, &stated);
        struct bl_diagnostic *d;

        if (setting == NULL || is_any(g, &stated) || bl_lint_was_reported(g->l, part))
            continue;
        bl_lint_mark_reported(g->l, part);
        d = bl_lint_report(g->l, BL_D_MESSAGE_DIFFERS, part->span);
        bl_lint_text(g->l, d, "name", message->name);
        bl_lint_text(g->l, d, "said", stated.words);
        bl_lint_text(g->l, d, "setting", setting->name);
        bl_lint_text(g->l, d, "value", bl_lint_source(g->l, setting->as.setting->preset->span));
        bl_diagnostic_label(&g->l->found, d, setting->as.setting->preset->span,
                            BL_STR("what it is"));
    }
}

static void look_at_text(struct going_by *g, const struct bl_symbol *message,
                         const struct bl_node *text)
{
    for (uint32_t i = 0; text != NULL && i < text->kid_count; i++) {
        if (text->kids[i]->kind == BL_NODE_STRING_PART)
            look_at_words(g, message, text->kids[i]);
    }
}

static void look_at_message(struct going_by *g, const struct bl_symbol *symbol)
{
    const struct bl_message *message = symbol->as.message;

    for (size_t i = 0; i < message->count; i++) {
        if (message->texts[i].package == NULL || !message->texts[i].package->is_root)
            continue;
        look_at_text(g, symbol, message->texts[i].text);
        for (const struct bl_statement *row = message->texts[i].rows; row != NULL;
             row = row->next)
            look_at_text(g, symbol, row->text);
    }
}

static void look_at_document(struct going_by *g, const struct bl_statement *list)
{
    for (const struct bl_statement *s = list; s != NULL; s = s->next) {
        const struct bl_symbol *said = s->value != NULL ? s->value->symbol : NULL;

        if (said != NULL && s->value->resolution == BL_RESOLVED_MESSAGE)
            look_at_message(g, said);
        else if (s->kind == BL_STATEMENT_PART && said != NULL && follow(g, said))
            look_at_document(g, said->as.document->body);
        look_at_document(g, s->body);
        if (s->otherwise != NULL)
            look_at_document(g, s->otherwise);
    }
}

static void look_at_posts(struct going_by *g, const struct bl_statement *list)
{
    for (const struct bl_statement *s = list; s != NULL && !g->unknown; s = s->next) {
        if (s->kind == BL_STATEMENT_EFFECT && s->effect == BL_EFFECT_POST &&
            s->value->symbol != NULL && follow(g, s->value->symbol))
            look_at_document(g, s->value->symbol->as.document->body);
        look_at_posts(g, s->body);
        if (s->otherwise != NULL)
            look_at_posts(g, s->otherwise);
    }
}

void bl_lint_numbers(struct bl_linter *l)
{
    for (size_t i = 0; i < l->rules.count; i++) {
        struct going_by g = {.l = l};

        if (!l->rules.items[i].own)
            continue;
        read_statements(&g, l->rules.items[i].rule->body);
        if (g.setting_count > 0)
            look_at_posts(&g, l->rules.items[i].rule->body);
    }
}
