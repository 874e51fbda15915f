/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"
#include "sema/secrets.h"

/* Views: how others read a text. */

struct word_list {
    const char *const *words;
    unsigned count;
    const char *kind;
};

static const char *const decodings[] = {
#define BL_DECODING(ID, word, what) word,
#include "spec/decodings.def"
#undef BL_DECODING
};
static const char *const foldings[] = {
#define BL_FOLDING(ID, word, what) word,
#include "spec/foldings.def"
#undef BL_FOLDING
};

/* The words of the clause as bits. */
static uint32_t read_words(struct bl_checker *c, const struct bl_clause *clause,
                           const struct word_list *list)
{
    uint32_t bits = 0;

    for (uint32_t i = 0; i < clause->slots[0].count; i++) {
        const struct bl_node *node = clause->slots[0].nodes[i];
        struct bl_likeness like = bl_likeness_begin(node->text);
        unsigned k = 0;

        while (k < list->count && !bl_str_equal(bl_str_from(list->words[k]), node->text))
            k++;
        if (k < list->count)
            bits |= UINT32_C(1) << k;
        if (k < list->count || node->kind == BL_NODE_BROKEN)
            continue;
        struct bl_diagnostic *d = bl_sema_error(c, BL_D_UNKNOWN_KIND_NAME, node->span);
        bl_sema_arg(c, d, "kind", bl_str_from(list->kind));
        bl_sema_arg(c, d, "name", node->text);
        for (k = 0; k < list->count; k++)
            bl_likeness_consider(&like, bl_str_from(list->words[k]));
        bl_likeness_help(c, &like, d, node->span);
    }
    return bits;
}

static void read_view(struct bl_checker *c, struct bl_symbol *symbol)
{
    static const struct word_list decoded = {decodings, BL_DECODING_COUNT,
                                             "way to decode a text"},
                                  folded = {foldings, sizeof foldings / sizeof foldings[0],
                                            "way to fold a text"};
    struct bl_view_declared *view = symbol->as.view;

    for (struct bl_clause *clause = symbol->clause->block; clause != NULL;
         clause = clause->next) {
        if (clause->id == BL_CLAUSE_VIEW_DECODED)
            view->decoded = read_words(c, clause, &decoded);
        else if (clause->id == BL_CLAUSE_VIEW_FOLDED)
            view->folded = read_words(c, clause, &folded);
        else if (clause->id == BL_CLAUSE_VIEW_WITHOUT) {
            for (uint32_t i = 0; i < clause->slots[0].count; i++)
                bl_sema_patterns(c, clause->slots[0].nodes[i], true, &view->without);
        }
    }
}

void bl_sema_view(struct bl_checker *c, struct bl_symbol *symbol)
{
    struct bl_need_list needs = {.items = NULL};
    struct bl_body body;

    if (symbol->as.view->typed)
        return;
    symbol->as.view->typed = true;
    bl_sema_body_begin(c, &body, symbol);
    body.needs = &needs;
    read_view(c, symbol);
    bl_sema_body_end(c);
}

struct bl_symbol *bl_sema_view_named(struct bl_checker *c, struct bl_node *name)
{
    struct bl_symbol *view = bl_sema_find_kind(c, name, BL_SYMBOL_VIEW);

    if (view != NULL)
        bl_sema_view(c, view);
    return view;
}
