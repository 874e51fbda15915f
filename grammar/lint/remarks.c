/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/linter.h"

/* What comments say: that something is still to be done, and what a setting is. */

static uint32_t line_of(const struct bl_linter *l, struct bl_span span)
{
    return bl_sources_position(l->program->sources, span.source, span.lo).line;
}

/* ---- still to be done ------------------------------------------------------------------ */

static void look_at_words(struct bl_linter *l, const struct bl_comment *comment)
{
    static const char *const words[] = {
#define BL_REMARK(word) word,
#define BL_REMARK_UNIT(word, seconds)
#include "lint/remarks.def"
#undef BL_REMARK
#undef BL_REMARK_UNIT
    };
    bl_str text = bl_sources_text(l->program->sources, comment->span);
    size_t at = 0;

    while (at < text.len && (text.ptr[at] == '#' || text.ptr[at] == ' '))
        at++;
    text = bl_str_slice(text, at, text.len);
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        bl_str word = bl_str_from(words[i]);

        if (bl_str_starts_with(text, word) && !bl_lint_is_word(text, word.len)) {
            bl_lint_report(l, BL_D_TODO, comment->span);
            return;
        }
    }
}

/* ---- what a setting is ----------------------------------------------------------------- */

struct telling {
    struct bl_linter *l;
    const struct bl_symbol *setting;
    struct bl_span first; /* the comment of the first number that is another one */
    bl_str said;
    bool differs, agrees;
};

static bool is_value_of(const struct bl_node *node, enum bl_node_kind kind, int64_t number)
{
    return node != NULL && node->kind == kind && node->number == number;
}

static void compare(struct telling *t, const struct bl_comment *comment, bl_str said,
                    enum bl_node_kind kind, int64_t number)
{
    const struct bl_setting *setting = t->setting->as.setting;

    if (setting->preset->kind != kind)
        return;
    if (is_value_of(setting->preset, kind, number) ||
        is_value_of(setting->least, kind, number) ||
        is_value_of(setting->greatest, kind, number)) {
        t->agrees = true;
    } else if (!t->differs) {
        t->differs = true;
        t->first = comment->span;
        t->said = said;
    }
}

/* Every length of time and every percentage that the comment names. */
static void read_numbers(struct telling *t, const struct bl_comment *comment)
{
    bl_str text = bl_sources_text(t->l->program->sources, comment->span);
    struct bl_stated stated;

    for (size_t at = 0; bl_lint_next_stated(text, &at, &stated);)
        compare(t, comment, stated.words, stated.kind, stated.number);
}

/* The description stands right above the setting, or behind it on its line. */
static void look_at_setting(struct bl_linter *l, const struct bl_file *file,
                            const struct bl_symbol *setting)
{
    struct telling t = {.l = l, .setting = setting};
    uint32_t line = line_of(l, setting->span), above = line;
    struct bl_diagnostic *d;

    for (size_t i = file->ast.comments.count; i > 0; i--) {
        const struct bl_comment *comment = &file->ast.comments.items[i - 1];
        uint32_t at = line_of(l, comment->span);

        if (!comment->is_doc || at > line || at + 1 < above)
            continue;
        if (comment->own_line && at + 1 == above)
            above = at;
        else if (comment->own_line || at != line)
            continue;
        read_numbers(&t, comment);
    }
    if (!t.differs || t.agrees)
        return;
    d = bl_lint_report(l, BL_D_DESCRIPTION_DIFFERS, t.first);
    bl_lint_text(l, d, "name", setting->name);
    bl_lint_text(l, d, "said", t.said);
    bl_lint_text(l, d, "value", bl_lint_source(l, setting->as.setting->preset->span));
    bl_diagnostic_label(&l->found, d, setting->as.setting->preset->span, BL_STR("what it is"));
}

/* ---- rules that nobody reads to their end ------------------------------------------------ */

static void look_at_length(struct bl_linter *l, const struct bl_symbol *symbol)
{
    struct bl_span end = symbol->clause->node->span;
    int64_t lines, most = (int64_t)bl_limit(BL_LIMIT_RULE_LINES);
    struct bl_diagnostic *d;

    end.lo = end.hi;
    lines = (int64_t)line_of(l, end) - line_of(l, symbol->span) + 1;
    if (lines <= most)
        return;
    d = bl_lint_report(l, BL_D_LONG_RULE, symbol->span);
    bl_lint_text(l, d, "name", symbol->name);
    bl_diagnostic_int(&l->found, d, "lines", lines);
    bl_diagnostic_int(&l->found, d, "most", most);
}

void bl_lint_remarks(struct bl_linter *l)
{
    const struct bl_symbol_list *settings = &l->program->symbols[BL_SYMBOL_SETTING];

    for (size_t i = 0; i < l->rules.count; i++) {
        if (l->rules.items[i].own && l->rules.items[i].symbol->clause != NULL)
            look_at_length(l, l->rules.items[i].symbol);
    }
    for (size_t i = 0; i < l->program->files.count; i++) {
        const struct bl_file *file = l->program->files.items[i];

        if (!file->package->is_root)
            continue;
        for (size_t k = 0; k < file->ast.comments.count; k++)
            look_at_words(l, &file->ast.comments.items[k]);
        for (size_t k = 0; k < settings->count; k++) {
            const struct bl_symbol *setting = settings->items[k];

            if (setting->span.source == file->ast.source && setting->as.setting->preset != NULL)
                look_at_setting(l, file, setting);
        }
    }
}
