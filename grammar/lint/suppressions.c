/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/linter.h"

/* `# allow NAME: reason` behind the line, or on a line of its own above it. Several may stand
 * above each other. */

struct suppression {
    struct bl_span span;
    uint32_t source, line; /* whose findings it silences */
    unsigned code;
    bool used;
};
struct suppressing {
    struct bl_linter *l;
    BL_VEC(struct suppression) list;
};

static uint32_t line_of(struct bl_linter *l, uint32_t source, uint32_t offset)
{
    return bl_sources_position(l->program->sources, source, offset).line;
}

/* The words behind "allow"; false when the comment is none of these. */
static bool read_allow(bl_str text, bl_str *name, bl_str *reason)
{
    size_t colon;

    while (text.len > 0 && text.ptr[0] == '#')
        text = bl_str_slice(text, 1, text.len);
    text = bl_str_trim(text);
    if (!bl_str_starts_with(text, BL_STR("allow ")))
        return false;
    text = bl_str_trim(bl_str_slice(text, sizeof("allow") - 1, text.len));
    colon = bl_str_find_char(text, ':');
    *name = bl_str_trim(bl_str_slice(text, 0, colon));
    *reason =
        colon == SIZE_MAX ? BL_STR("") : bl_str_trim(bl_str_slice(text, colon + 1, text.len));
    /* A sentence that happens to begin so is no suppression. */
    return bl_str_find_char(*name, ' ') == SIZE_MAX && name->len > 0;
}

static void suggest(struct bl_linter *l, struct bl_diagnostic *d, bl_str name)
{
    struct bl_likeness like = bl_likeness_begin(name);

    for (size_t i = 0; i < bl_lint_rule_count(); i++)
        bl_likeness_consider(&like, bl_diagnostic_info(bl_lint_rule_at(i)->code)->lint);
    if (like.best.len > 0)
        bl_diagnostic_help(&l->found, d,
                           bl_lint_words(l, "Did you mean '%.*s'?", BL_STR_ARG(like.best)));
}

static void read_comment(struct suppressing *s, const struct bl_file *file, size_t index)
{
    struct bl_linter *l = s->l;
    const struct bl_comment *comment = &file->ast.comments.items[index];
    const struct bl_diagnostic_info *info;
    struct suppression *place;
    struct bl_diagnostic *d;
    bl_str name, reason;
    uint32_t line;

    if (!read_allow(bl_sources_text(l->program->sources, comment->span), &name, &reason))
        return;
    info = bl_diagnostic_find(name); /* by its name or its code, as findings show both */
    if (info == NULL || info->lint.len == 0) {
        d = bl_lint_report(l, BL_D_UNKNOWN_SUPPRESSION, comment->span);
        bl_lint_text(l, d, "name", name);
        suggest(l, d, name);
        return;
    }
    if (reason.len == 0) {
        d = bl_lint_report(l, BL_D_SUPPRESSION_WITHOUT_REASON, comment->span);
        bl_lint_text(l, d, "name", name);
    }
    line = line_of(l, file->ast.source, comment->span.lo);
    for (size_t i = index; comment->own_line && i < file->ast.comments.count; i++) {
        const struct bl_comment *next = &file->ast.comments.items[i];

        if (!next->own_line || line_of(l, file->ast.source, next->span.lo) != line)
            break;
        line++;
    }
    place = BL_PUSH(l->arena, s->list);
    if (place != NULL)
        *place =
            (struct suppression){comment->span, file->ast.source, line, info->number, false};
}

/* Keeps what nothing silences. */
static void silence(struct suppressing *s)
{
    struct bl_linter *l = s->l;
    size_t kept = 0;

    for (size_t i = 0; i < l->found.list.count; i++) {
        struct bl_diagnostic *finding = l->found.list.items[i];
        bool silenced = false;

        for (size_t k = 0; k < s->list.count && finding->span.source != BL_NO_SOURCE; k++) {
            struct suppression *suppression = &s->list.items[k];

            if (suppression->code != finding->code ||
                suppression->source != finding->span.source ||
                suppression->line != line_of(l, finding->span.source, finding->span.lo))
                continue;
            suppression->used = true;
            silenced = true;
        }
        if (!silenced)
            l->found.list.items[kept++] = finding;
    }
    l->found.list.count = kept;
}

void bl_lint_suppress(struct bl_linter *l)
{
    struct suppressing s = {.l = l};

    for (size_t i = 0; i < l->program->files.count; i++) {
        const struct bl_file *file = l->program->files.items[i];

        for (size_t k = 0; k < file->ast.comments.count && file->package->is_root; k++)
            read_comment(&s, file, k);
    }
    silence(&s);
    for (size_t i = 0; i < s.list.count; i++) {
        struct bl_diagnostic *d;

        if (s.list.items[i].used)
            continue;
        d = bl_lint_report(l, BL_D_UNUSED_SUPPRESSION, s.list.items[i].span);
        bl_lint_text(l, d, "name", bl_diagnostic_info(s.list.items[i].code)->lint);
        bl_diagnostic_fix(&l->found, d, s.list.items[i].span, BL_STR(""));
    }
}
