/* SPDX-License-Identifier: Apache-2.0 */
#include "base/lower_case.h"
#include "base/utf8.h"
#include "lint/linter.h"

/* Letters that look like others: words of two scripts, and labels that only look alike. */

static const struct script_range {
    uint32_t first, last;
    const char *script;
} ranges[] = {
#define BL_SCRIPT_RANGE(first, last, script) {first, last, script},
#include "lint/scripts.def"
#undef BL_SCRIPT_RANGE
};

/* NULL of a character that is no letter of these. */
static const char *script_of(uint32_t character)
{
    size_t lo = 0, hi = sizeof(ranges) / sizeof(ranges[0]);

    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;

        if (character > ranges[middle].last)
            lo = middle + 1;
        else if (character < ranges[middle].first)
            hi = middle;
        else
            return ranges[middle].script;
    }
    return NULL;
}

/* ---- words of two scripts -------------------------------------------------------------- */

struct word {
    size_t begin;
    const char *script; /* of its first letter; NULL: between words */
    const char *other;  /* the first other one, and where it stands */
    size_t other_at;
};

static void end_word(struct bl_linter *l, struct bl_span part, bl_str text, struct word *word,
                     size_t end)
{
    if (word->script != NULL && word->other != NULL) {
        struct bl_span span = part, letter = part;
        struct bl_diagnostic *d;
        size_t behind = word->other_at;

        bl_utf8_decode(text, &behind);
        span.lo = part.lo + (uint32_t)word->begin;
        span.hi = part.lo + (uint32_t)end;
        letter.lo = part.lo + (uint32_t)word->other_at;
        letter.hi = part.lo + (uint32_t)behind;
        d = bl_lint_report(l, BL_D_MIXED_SCRIPTS, span);
        bl_lint_text(l, d, "one", bl_str_from(word->script));
        bl_lint_text(l, d, "other", bl_str_from(word->other));
        bl_diagnostic_label(&l->found, d, letter, bl_lint_words(l, "is %s", word->other));
    }
    *word = (struct word){0};
}

/* What is written as \u{…} is meant. */
static size_t behind_escape(bl_str text, size_t at)
{
    size_t close;

    if (at + 2 < text.len && text.ptr[at + 1] == 'u' && text.ptr[at + 2] == '{') {
        close = bl_str_find_char(bl_str_slice(text, at, text.len), '}');
        return close == SIZE_MAX ? text.len : at + close + 1;
    }
    return at + 2 < text.len ? at + 2 : text.len;
}

static void look(void *context, const struct bl_node *node)
{
    struct bl_linter *l = context;
    struct word word = {0};
    bl_str text;

    if (node->kind != BL_NODE_STRING_PART)
        return;
    text = bl_sources_text(l->program->sources, node->span);
    for (size_t at = 0; at < text.len;) {
        size_t begin = at;
        const char *script;

        if (text.ptr[at] == '\\') {
            end_word(l, node->span, text, &word, at);
            at = behind_escape(text, at);
            continue;
        }
        script = script_of(bl_utf8_decode(text, &at));
        if (script == NULL) {
            end_word(l, node->span, text, &word, begin);
        } else if (word.script == NULL) {
            word.script = script;
            word.begin = begin;
        } else if (script != word.script && strcmp(script, word.script) != 0 &&
                   word.other == NULL) {
            word.other = script;
            word.other_at = begin;
        }
    }
    end_word(l, node->span, text, &word, text.len);
}

/* ---- labels that look alike ------------------------------------------------------------ */

static uint32_t drawn_as(uint32_t character)
{
    switch (character) {
#define BL_LOOKALIKE(from, letter)                                                             \
    case from:                                                                                 \
        return letter;
#include "lint/lookalikes.def"
#undef BL_LOOKALIKE
    default:
        return character;
    }
}

static bl_str skeleton(struct bl_linter *l, bl_str shown)
{
    struct bl_buf lower, out;
    size_t at = 0;

    bl_buf_init(&lower, l->arena, 4 * shown.len + 8);
    bl_lower_case(&lower, shown);
    bl_buf_init(&out, l->arena, 4 * shown.len + 8);
    shown = bl_buf_str(&lower);
    while (at < shown.len) {
        char bytes[4];
        size_t size = bl_utf8_encode(drawn_as(bl_utf8_decode(shown, &at)), bytes);

        bl_buf_put(&out, (bl_str){bytes, size});
    }
    return bl_buf_str(&out);
}

struct seen_label {
    bl_str skeleton;
    const struct bl_symbol *label;
};

static int by_skeleton(const void *a, const void *b)
{
    const struct seen_label *one = a, *other = b;
    int order = bl_str_compare(one->skeleton, other->skeleton);

    if (order != 0)
        return order;
    return one->label->number < other->label->number ? -1 : 1;
}

static void look_at_labels(struct bl_linter *l)
{
    const struct bl_symbol_list *labels = &l->program->symbols[BL_SYMBOL_LABEL];
    struct seen_label *seen = BL_NEW_ARRAY(l->arena, labels->count + 1, struct seen_label);

    if (seen == NULL)
        return;
    for (size_t i = 0; i < labels->count; i++) {
        seen[i].label = labels->items[i];
        seen[i].skeleton = skeleton(l, labels->items[i]->as.label->shown);
    }
    qsort(seen, labels->count, sizeof(*seen), by_skeleton);
    for (size_t i = 1; i < labels->count; i++) {
        struct bl_diagnostic *d;

        /* Two with one name are an error of their own. */
        if (!bl_str_equal(seen[i].skeleton, seen[i - 1].skeleton) ||
            bl_str_equal(seen[i].label->as.label->shown, seen[i - 1].label->as.label->shown))
            continue;
        d = bl_lint_report(l, BL_D_LOOKALIKE_LABELS, seen[i].label->span);
        bl_lint_text(l, d, "name", seen[i].label->name);
        bl_lint_text(l, d, "other", seen[i - 1].label->name);
        bl_diagnostic_label(&l->found, d, seen[i - 1].label->span, BL_STR("looks the same"));
    }
}

void bl_lint_scripts(struct bl_linter *l)
{
    bl_lint_visit_source(l, look, l);
    look_at_labels(l);
}
