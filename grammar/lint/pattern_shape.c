/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/linter.h"
#include "text/pattern.h"

/* Patterns whose shape says another thing than their words: an anchor that binds to one branch
 * alone, a branch without anything in it, and one that nothing can match. They are looked at
 * wherever they stand, also in sets of secrets. */

#define BRANCHES_MOST 64u

/* The branches of a group, or of the pattern itself, as they stand in the source. */
struct branches {
    bl_str source;
    size_t at[BRANCHES_MOST], end[BRANCHES_MOST];
    size_t count;
    bool too_many;
};

/* The byte behind what begins at `at`, a class or an escape or one character. */
static size_t behind(bl_str s, size_t at)
{
    if (s.ptr[at] == '\\')
        return at + 2 < s.len ? at + 2 : s.len;
    if (s.ptr[at] != '[')
        return at + 1;
    at++;
    if (at < s.len && s.ptr[at] == '^')
        at++;
    for (bool first = true; at < s.len && (first || s.ptr[at] != ']'); first = false)
        at += s.ptr[at] == '\\' ? 2 : 1;
    return at < s.len ? at + 1 : s.len;
}

static void add_branch(struct branches *b, size_t at, size_t end)
{
    if (b->count == BRANCHES_MOST) {
        b->too_many = true;
        return;
    }
    b->at[b->count] = at;
    b->end[b->count++] = end;
}

/* Those of the group whose first byte is at `at`; gives where it ends. */
static size_t split(struct branches *b, bl_str source, size_t at)
{
    size_t begin = at;
    unsigned depth = 0;

    b->source = source;
    b->count = 0;
    b->too_many = false;
    while (at < source.len) {
        char c = source.ptr[at];

        if (c == ')' && depth == 0)
            break;
        if (c == '|' && depth == 0) {
            add_branch(b, begin, at);
            begin = at + 1;
        }
        depth += c == '(' ? 1u : 0u;
        depth -= c == ')' ? 1u : 0u;
        at = behind(source, at);
    }
    add_branch(b, begin, at);
    return at;
}

/* ---- anchors that bind to one branch --------------------------------------------------- */

static bool begins_anchored(const struct branches *b, size_t branch)
{
    return b->end[branch] > b->at[branch] && b->source.ptr[b->at[branch]] == '^';
}

static bool ends_anchored(const struct branches *b, size_t branch)
{
    size_t end = b->end[branch], slashes = 0;

    if (end == b->at[branch] || b->source.ptr[end - 1] != '$')
        return false;
    while (end - 1 - slashes > b->at[branch] && b->source.ptr[end - 2 - slashes] == '\\')
        slashes++;
    return slashes % 2 == 0;
}

static bool is_more_than(const struct branches *b, size_t branch, size_t bytes)
{
    return b->end[branch] - b->at[branch] > bytes;
}

/* A first branch with '^' and a last one with '$', as people write who mean the whole. Who
 * anchors other branches, or one at both of its ends, has thought of branches. */
static void look_for_anchors(struct bl_linter *l, const struct bl_node *pattern,
                             const struct branches *b)
{
    size_t last = b->count - 1;
    bool begins = begins_anchored(b, 0) && is_more_than(b, 0, 1) && !ends_anchored(b, 0);
    bool ends = ends_anchored(b, last) && is_more_than(b, last, 1) && !begins_anchored(b, last);
    struct bl_diagnostic *d;
    size_t lo;

    for (size_t i = 0; i < b->count; i++) {
        begins = begins && (i == 0 || !begins_anchored(b, i));
        ends = ends && (i == last || !ends_anchored(b, i));
    }
    if (b->count < 2 || b->too_many || (!begins && !ends))
        return;
    d = bl_lint_report(l, BL_D_ANCHORED_BRANCH, pattern->span);
    bl_lint_text(l, d, "anchor", begins ? BL_STR("^") : BL_STR("$"));
    lo = begins ? 1 : 0;
    bl_lint_text(l, d, "instead",
                 bl_lint_words(l, "/%s(?:%.*s)%s/%.*s", begins ? "^" : "",
                               BL_STR_ARG(bl_str_slice(pattern->text, lo,
                                                       pattern->text.len - (ends ? 1 : 0))),
                               ends ? "$" : "", BL_STR_ARG(pattern->flags)));
}

/* ---- branches without anything in them ------------------------------------------------- */

static bool has_empty(const struct branches *b)
{
    for (size_t i = 0; i < b->count && b->count > 1; i++) {
        if (b->at[i] == b->end[i])
            return true;
    }
    return false;
}

/* A group whose branches may be none says so with '?'. */
static bl_str without_empty(struct bl_linter *l, const struct branches *b, bl_str open)
{
    struct bl_buf buf;
    size_t kept = 0;

    bl_buf_init(&buf, l->arena, 2 * b->source.len + 8);
    bl_buf_put(&buf, open);
    for (size_t i = 0; i < b->count; i++) {
        if (b->at[i] == b->end[i])
            continue;
        bl_buf_put(&buf, kept++ > 0 ? BL_STR("|") : BL_STR(""));
        bl_buf_put(&buf, bl_str_slice(b->source, b->at[i], b->end[i]));
    }
    bl_buf_put(&buf, BL_STR(")?"));
    return kept > 0 ? bl_buf_str(&buf) : BL_STR("");
}

static void report_empty(struct bl_linter *l, const struct bl_node *pattern,
                         const struct branches *b, size_t open, size_t end)
{
    struct bl_span span = pattern->span;
    struct bl_diagnostic *d;
    bool is_group = end < b->source.len;
    bool counted = end + 1 < b->source.len &&
                   bl_str_find_char(BL_STR("?*+{"), b->source.ptr[end + 1]) != SIZE_MAX;
    bl_str instead = is_group && !counted && !b->too_many
                         ? without_empty(l, b, bl_str_slice(b->source, open, b->at[0]))
                         : BL_STR("");

    span.hi = span.lo + 1 + (uint32_t)end + (is_group ? 1 : 0);
    span.lo += 1 + (uint32_t)open;
    d = bl_lint_report(l, BL_D_EMPTY_BRANCH, span);
    bl_lint_text(l, d, "what",
                 is_group ? BL_STR("so the whole group may be left out")
                          : BL_STR("so the pattern is found in every text"));
    bl_lint_text(l, d, "instead",
                 instead.len > 0 ? bl_lint_words(l, "write %.*s", BL_STR_ARG(instead))
                                 : BL_STR("take the '|' out"));
    if (instead.len > 0)
        bl_diagnostic_fix(&l->found, d, span, instead);
}

static void look_for_empty(struct bl_linter *l, const struct bl_node *pattern)
{
    bl_str source = pattern->text;
    struct branches b;
    size_t end = split(&b, source, 0);

    if (has_empty(&b)) {
        report_empty(l, pattern, &b, 0, end);
        return;
    }
    for (size_t at = 0; at < source.len; at = behind(source, at)) {
        size_t inside = at + 1;

        if (source.ptr[at] != '(')
            continue;
        if (inside + 1 < source.len && source.ptr[inside] == '?')
            inside += 2;
        end = split(&b, source, inside);
        if (!has_empty(&b))
            continue;
        report_empty(l, pattern, &b, at, end);
        return;
    }
}

/* ---- all three ------------------------------------------------------------------------- */

static void look(void *context, const struct bl_node *node)
{
    struct bl_linter *l = context;
    struct branches b;

    if (node->kind != BL_NODE_PATTERN)
        return;
    if (bl_pattern_finds_nothing(l->arena, node->text, node->flags)) {
        bl_lint_report(l, BL_D_MATCHES_NOTHING, node->span);
        return;
    }
    split(&b, node->text, 0);
    look_for_anchors(l, node, &b);
    look_for_empty(l, node);
}

void bl_lint_pattern_shape(struct bl_linter *l)
{
    bl_lint_visit_source(l, look, l);
}
