/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/linter.h"

/* Patterns that say less than they look like: a text, or what every text has at its ends; and
 * capitals where none can be. */

#define META_CHARACTERS "\\^$.|?*+()[]{}"
#define TEXT_MOST       400u

/* ---- a pattern that is a text ---------------------------------------------------------- */

struct plain {
    struct bl_buf text; /* as it stands in quotes */
    bool begins, ends;  /* ^ and $ */
    size_t length;      /* characters between them */
};

static void put_quoted(struct bl_buf *out, char c)
{
    if (c == '"' || c == '\\' || c == '{' || c == '}')
        bl_buf_put_char(out, '\\');
    bl_buf_put_char(out, c);
}

static bool is_punctuation(char c)
{
    return (c >= '!' && c <= '~') && !bl_is_ascii_alpha(c) && !bl_is_ascii_digit(c);
}

/* False when the pattern is more than a text. */
static bool read_plain(bl_str pattern, struct plain *out)
{
    size_t i = 0, end = pattern.len;

    out->begins = pattern.len > 0 && pattern.ptr[0] == '^';
    i = out->begins ? 1 : 0;
    out->ends = end > i && pattern.ptr[end - 1] == '$' &&
                !(end - 1 > i && pattern.ptr[end - 2] == '\\');
    end -= out->ends ? 1 : 0;
    for (out->length = 0; i < end; i++, out->length++) {
        if (pattern.ptr[i] == '\\' && i + 1 < end && is_punctuation(pattern.ptr[i + 1]))
            i++;
        else if (bl_str_find_char(BL_STR(META_CHARACTERS), pattern.ptr[i]) != SIZE_MAX)
            return false;
        put_quoted(&out->text, pattern.ptr[i]);
    }
    return out->length > 0 && out->length <= TEXT_MOST;
}

/* Names compare without case, and patterns do not. */
static bool compares_exactly(bl_type type)
{
    return bl_type_is(type, BL_TYPE_TEXT) || bl_type_is(type, BL_TYPE_UNTRUSTED);
}

/* From the word 'matches' to the end; false when more than blanks stand beside it. */
static bool span_of_search(const struct bl_linter *l, const struct bl_node *node,
                           struct bl_span *out)
{
    struct bl_span between = node->kids[0]->span;
    bl_str text;

    between.lo = between.hi;
    between.hi = node->kids[1]->span.lo;
    text = bl_sources_text(l->program->sources, between);
    if (!bl_str_equal(bl_str_trim(text), BL_STR("matches")))
        return false;
    *out = node->kids[1]->span;
    out->lo = between.lo + (uint32_t)bl_str_find_char(text, 'm');
    return true;
}

/* Answers whether it is one. */
static bool look_for_text(struct bl_linter *l, const struct bl_node *node)
{
    const struct bl_node *pattern = node->kids[1];
    struct plain plain;
    struct bl_diagnostic *d;
    struct bl_span span;
    bl_str instead;

    if (pattern->flags.len > 0)
        return false;
    bl_buf_init(&plain.text, l->arena, 2 * (TEXT_MOST + 1));
    if (!read_plain(pattern->text, &plain))
        return false;
    if (plain.begins && plain.ends && !compares_exactly(node->kids[0]->type))
        return true;
    instead = plain.begins && plain.ends ? BL_STR("==")
              : plain.begins             ? BL_STR("starts_with")
              : plain.ends               ? BL_STR("ends_with")
                                         : BL_STR("contains");
    instead = bl_lint_words(l, "%.*s \"%.*s\"", BL_STR_ARG(instead),
                            BL_STR_ARG(bl_buf_str(&plain.text)));
    d = bl_lint_report(l, BL_D_PATTERN_IS_TEXT, pattern->span);
    bl_lint_text(l, d, "instead", instead);
    if (span_of_search(l, node, &span))
        bl_diagnostic_fix(&l->found, d, span, instead);
    return true;
}

/* ---- what every text has at its ends --------------------------------------------------- */

/* An odd number of backslashes stands before `at`. */
static bool is_escaped(bl_str pattern, size_t at)
{
    size_t count = 0;

    while (count < at && pattern.ptr[at - 1 - count] == '\\')
        count++;
    return count % 2 == 1;
}

/* The pattern without a '.*' at its beginning and its end; with nothing left, as it was. */
static bl_str without_wildcards(bl_str pattern)
{
    bl_str rest = pattern;

    if (bl_str_starts_with(rest, BL_STR(".*")))
        rest = bl_str_slice(rest, 2, rest.len);
    if (bl_str_ends_with(rest, BL_STR(".*")) && !is_escaped(rest, rest.len - 2))
        rest = bl_str_slice(rest, 0, rest.len - 2);
    if (rest.len == 0 || rest.ptr[0] == '|' || rest.ptr[rest.len - 1] == '|')
        return pattern;
    return rest;
}

static void look_for_wildcards(struct bl_linter *l, const struct bl_node *pattern)
{
    bl_str rest = without_wildcards(pattern->text);
    bl_str instead;
    struct bl_diagnostic *d;

    if (rest.len == pattern->text.len || rest.len > TEXT_MOST)
        return;
    instead = bl_lint_words(l, "/%.*s/%.*s", BL_STR_ARG(rest), BL_STR_ARG(pattern->flags));
    d = bl_lint_report(l, BL_D_IDLE_WILDCARD, pattern->span);
    bl_lint_text(l, d, "instead", instead);
    bl_diagnostic_fix(&l->found, d, pattern->span, instead);
}

/* ---- capitals in lower case ------------------------------------------------------------ */

static bool has_capital(bl_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] >= 'A' && text.ptr[i] <= 'Z')
            return true;
    }
    return false;
}

static void look_for_capitals(struct bl_linter *l, const struct bl_node *node)
{
    const struct bl_node *left = node->kids[0], *right = node->kids[1];
    struct bl_diagnostic *d;

    if (left->resolution != BL_RESOLVED_BUILTIN || left->index != BL_BUILTIN_LOWER ||
        right->kind != BL_NODE_STRING || right->kid_count != 1 ||
        right->kids[0]->kind != BL_NODE_STRING_PART || !has_capital(right->kids[0]->text))
        return;
    d = bl_lint_report(l, BL_D_CAPITALS_IN_LOWER, right->span);
    bl_lint_text(l, d, "text", bl_lint_source(l, right->span));
    bl_diagnostic_label(&l->found, d, left->span, BL_STR("has no capitals"));
}

static void look(void *context, const struct bl_symbol *where, const struct bl_node *node)
{
    struct bl_linter *l = context;

    (void)where;
    if (node->kind != BL_NODE_COMPARE || node->kid_count != 2)
        return;
    if (node->op != BL_OPERATOR_MATCHES)
        look_for_capitals(l, node);
    else if (node->kids[1]->kind == BL_NODE_PATTERN && !look_for_text(l, node))
        look_for_wildcards(l, node->kids[1]);
}

void bl_lint_patterns(struct bl_linter *l)
{
    struct bl_lint_visitor visitor = {.context = l, .expression = look};

    bl_lint_visit(l, &visitor);
}
