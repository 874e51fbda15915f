/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/linter.h"

/* Messages in several languages: what one of them lacks. */

static const struct bl_message_text *text_in(const struct bl_message *message,
                                             const struct bl_symbol *locale)
{
    for (size_t i = 0; i < message->count; i++) {
        if (message->texts[i].locale == locale)
            return &message->texts[i];
    }
    return NULL;
}

/* A language may take its words from one that it is like. */
static bool has_words(const struct bl_message *message, const struct bl_symbol *locale)
{
    unsigned steps = 0;

    for (; locale != NULL && steps++ <= bl_limit(BL_LIMIT_LOCALE_CHAIN);
         locale = locale->as.locale->like) {
        if (text_in(message, locale) != NULL)
            return true;
    }
    return false;
}

/* In which something is said, by number: a language may be declared for its months alone. */
static bool *spoken_languages(struct bl_linter *l)
{
    const struct bl_symbol_list *messages = &l->program->symbols[BL_SYMBOL_MESSAGE];
    size_t count = l->program->symbols[BL_SYMBOL_LOCALE].count;
    bool *spoken = BL_NEW_ARRAY(l->arena, count + 1, bool);

    for (size_t i = 0; spoken != NULL && i < messages->count; i++) {
        const struct bl_message *message = messages->items[i]->as.message;

        for (size_t t = 0; t < message->count; t++) {
            if (message->texts[t].locale != NULL)
                spoken[message->texts[t].locale->number] = true;
        }
    }
    return spoken;
}

static void look_for_languages(struct bl_linter *l, const struct bl_symbol *symbol,
                               const bool *spoken)
{
    const struct bl_symbol_list *locales = &l->program->symbols[BL_SYMBOL_LOCALE];
    struct bl_diagnostic *d;
    struct bl_buf missing;

    bl_buf_init(&missing, l->arena, 400);
    for (size_t i = 0; i < locales->count && missing.len < 160; i++) {
        if (!spoken[locales->items[i]->number] ||
            has_words(symbol->as.message, locales->items[i]))
            continue;
        bl_buf_printf(&missing, "%s'%.*s'", missing.len > 0 ? ", " : "",
                      BL_STR_ARG(locales->items[i]->name));
    }
    if (missing.len == 0)
        return;
    d = bl_lint_report(l, BL_D_MISSING_TRANSLATION, symbol->span);
    bl_lint_text(l, d, "name", symbol->name);
    bl_lint_text(l, d, "languages", bl_buf_str(&missing));
}

static void look_for_placeholders(struct bl_linter *l, const struct bl_symbol *symbol)
{
    const struct bl_message *message = symbol->as.message;

    for (size_t t = 0; t < message->count; t++) {
        const struct bl_message_text *text = &message->texts[t];

        for (size_t p = 0; p < text->params.count; p++) {
            const struct bl_message_text *sayer = NULL;
            struct bl_diagnostic *d;

            for (size_t o = 0; o < message->count && sayer == NULL; o++) {
                const struct bl_symbol_list *params = &message->texts[o].params;

                if (o != t && p < params->count && params->items[p]->used)
                    sayer = &message->texts[o];
            }
            if (sayer == NULL || text->params.items[p]->used)
                continue;
            d = bl_lint_report(l, BL_D_MISSING_PLACEHOLDER, text->span);
            bl_lint_text(l, d, "name", symbol->name);
            bl_lint_text(l, d, "parameter", text->params.items[p]->name);
            bl_diagnostic_label(&l->found, d, sayer->span, BL_STR("says it"));
        }
    }
}

/* ---- what stands in the words ---------------------------------------------------------- */

static bool names_in(const struct bl_node *node, const struct bl_symbol *symbol)
{
    if (node == NULL)
        return false;
    if (node->symbol == symbol)
        return true;
    for (uint32_t i = 0; i < node->kid_count; i++) {
        if (names_in(node->kids[i], symbol))
            return true;
    }
    return false;
}

static bool says(const struct bl_message_text *text, const struct bl_symbol *symbol)
{
    if (names_in(text->text, symbol))
        return true;
    for (const struct bl_statement *row = text->rows; row != NULL; row = row->next) {
        if (names_in(row->text, symbol) || names_in(row->condition, symbol))
            return true;
    }
    return false;
}

/* Settings and defines that `sayer` says under the node and `text` does not, each once. */
struct comparing {
    struct bl_linter *l;
    const struct bl_symbol *message;
    const struct bl_message_text *text;
    const struct bl_symbol *told[8];
    size_t count;
};

static bool was_told(const struct comparing *c, const struct bl_symbol *symbol)
{
    for (size_t i = 0; i < c->count; i++) {
        if (c->told[i] == symbol)
            return true;
    }
    return false;
}

static void look_for_names(struct comparing *c, const struct bl_node *node)
{
    const struct bl_symbol *said = node != NULL ? node->symbol : NULL;
    struct bl_diagnostic *d;

    if (node == NULL)
        return;
    for (uint32_t i = 0; i < node->kid_count; i++)
        look_for_names(c, node->kids[i]);
    if (said == NULL || (said->kind != BL_SYMBOL_SETTING && said->kind != BL_SYMBOL_DEFINE) ||
        c->count == sizeof(c->told) / sizeof(c->told[0]) || was_told(c, said) ||
        says(c->text, said))
        return;
    c->told[c->count++] = said;
    d = bl_lint_report(c->l, BL_D_MISSING_PLACEHOLDER, c->text->span);
    bl_lint_text(c->l, d, "name", c->message->name);
    bl_lint_text(c->l, d, "parameter", said->name);
    bl_diagnostic_label(&c->l->found, d, node->span, BL_STR("says it"));
}

static void look_for_names_of(struct bl_linter *l, const struct bl_symbol *message,
                              const struct bl_message_text *sayer,
                              const struct bl_message_text *text)
{
    struct comparing c = {.l = l, .message = message, .text = text};

    look_for_names(&c, sayer->text);
    for (const struct bl_statement *row = sayer->rows; row != NULL; row = row->next)
        look_for_names(&c, row->text);
}

/* Each language with the first. */
static void compare_names(struct bl_linter *l, const struct bl_symbol *symbol)
{
    const struct bl_message *message = symbol->as.message;

    for (size_t t = 1; t < message->count; t++) {
        look_for_names_of(l, symbol, &message->texts[0], &message->texts[t]);
        look_for_names_of(l, symbol, &message->texts[t], &message->texts[0]);
    }
}

/* Some language says something, and another does not, nor takes words from one. */
static void look_for_silence(struct bl_linter *l, const bool *spoken)
{
    const struct bl_symbol_list *locales = &l->program->symbols[BL_SYMBOL_LOCALE];
    const struct bl_symbol *speaker = NULL;

    for (size_t i = 0; i < locales->count && speaker == NULL; i++)
        speaker = spoken[i] ? locales->items[i] : NULL;
    for (size_t i = 0; speaker != NULL && i < locales->count; i++) {
        const struct bl_symbol *locale = locales->items[i];
        struct bl_diagnostic *d;

        if (!bl_lint_is_own(locale) || locale->as.locale->like != NULL || spoken[i])
            continue;
        d = bl_lint_report(l, BL_D_SILENT_LANGUAGE, locale->span);
        bl_lint_text(l, d, "name", locale->name);
        bl_lint_text(l, d, "other", speaker->name);
    }
}

void bl_lint_translations(struct bl_linter *l)
{
    const struct bl_symbol_list *messages = &l->program->symbols[BL_SYMBOL_MESSAGE];
    const bool *spoken = spoken_languages(l);

    if (spoken == NULL)
        return;
    for (size_t i = 0; i < messages->count; i++) {
        if (bl_lint_is_own(messages->items[i]))
            look_for_languages(l, messages->items[i], spoken);
        look_for_placeholders(l, messages->items[i]);
        compare_names(l, messages->items[i]);
    }
    look_for_silence(l, spoken);
}
