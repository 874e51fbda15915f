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
    }
    look_for_silence(l, spoken);
}
