/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/solver.h"
#include "text/pattern.h"

/* What is asked of one text: to be one of some, to hold, begin or end with another, to match a
 * pattern. A text is compared with a pattern by running it; two patterns are the same or say
 * nothing about each other. */

/* ---- one text -------------------------------------------------------------------------- */

static const struct bl_pattern *compiled(struct bl_solver *s, bl_str source, bl_str flags)
{
    struct bl_compiled *entry;
    struct bl_pattern_error error;

    for (size_t i = 0; i < s->patterns.count; i++) {
        if (bl_str_equal(s->patterns.items[i].source, source) &&
            bl_str_equal(s->patterns.items[i].flags, flags))
            return s->patterns.items[i].pattern;
    }
    entry = BL_PUSH(s->arena, s->patterns);
    if (entry == NULL)
        return NULL;
    *entry = (struct bl_compiled){source, flags, NULL};
    struct bl_pattern *pattern = BL_NEW(s->arena, struct bl_pattern);
    if (pattern != NULL && bl_pattern_compile(s->arena, source, flags, pattern, &error))
        entry->pattern = pattern;
    else if (pattern != NULL && error.no_memory)
        s->arena->failed = true; /* what it needed in between was not taken from here */
    return entry->pattern;
}

int bl_search_holds(struct bl_solver *s, const struct bl_literal *literal, bl_str text)
{
    const struct bl_pattern *pattern;

    switch (literal->form) {
    case BL_LITERAL_CONTAINS:
        return bl_str_find(text, literal->text) != SIZE_MAX;
    case BL_LITERAL_STARTS:
        return bl_str_starts_with(text, literal->text);
    case BL_LITERAL_ENDS:
        return bl_str_ends_with(text, literal->text);
    case BL_LITERAL_MATCHES:
        pattern = compiled(s, literal->text, literal->flags);
        return pattern != NULL ? bl_pattern_matches(*pattern, text) : -1;
    case BL_LITERAL_TEXTS:
        for (uint32_t i = 0; i < literal->text_count; i++) {
            if (bl_str_equal(literal->texts[i], text))
                return 1;
        }
        return 0;
    case BL_LITERAL_BITS:
    case BL_LITERAL_RANGES:
        break;
    }
    return -1;
}

/* Texts that compare without case stand for all their spellings, of which a search may find
 * some and not others. */
static bool may_be(struct bl_solver *s, const struct bl_asserted *list, bl_str text)
{
    for (const struct bl_asserted *a = list; a != NULL; a = a->next) {
        const struct bl_literal *l = a->literal;
        int holds = l->term->without_case && l->form != BL_LITERAL_TEXTS
                        ? -1
                        : bl_search_holds(s, l, text);

        if (holds == (l->negated ? 1 : 0))
            return false;
    }
    return true;
}

/* ---- two searches ---------------------------------------------------------------------- */

static bool is_literal_search(const struct bl_literal *l)
{
    return l->form == BL_LITERAL_CONTAINS || l->form == BL_LITERAL_STARTS ||
           l->form == BL_LITERAL_ENDS;
}

/* Does what the pattern finds in a text stay found when the text grows? Anchors look beyond
 * what they match: ^ only to the left, $ only to the right, \b to both sides. */
static bool stays_found(const struct bl_literal *pattern, enum bl_literal_form grown)
{
    bool in_class = false;

    for (size_t i = 0; i < pattern->text.len; i++) {
        char c = pattern->text.ptr[i];
        bool escaped = c == '\\' && i + 1 < pattern->text.len;

        if (escaped) {
            char next = pattern->text.ptr[++i];

            if (!in_class && (next == 'b' || next == 'B'))
                return false;
        } else if (in_class) {
            in_class = c != ']';
        } else if (c == '[') {
            in_class = true;
        } else if ((c == '^' && grown != BL_LITERAL_STARTS) ||
                   (c == '$' && grown != BL_LITERAL_ENDS)) {
            return false;
        }
    }
    return true;
}

/* Every text that satisfies the search `a` satisfies the search `b`. */
static bool implies(struct bl_solver *s, const struct bl_literal *a, const struct bl_literal *b)
{
    if (a->form == b->form && bl_str_equal(a->text, b->text) &&
        bl_str_equal(a->flags, b->flags))
        return true;
    if (!is_literal_search(a))
        return false;
    switch (b->form) {
    case BL_LITERAL_CONTAINS:
        return bl_str_find(a->text, b->text) != SIZE_MAX;
    case BL_LITERAL_STARTS:
        return a->form == BL_LITERAL_STARTS && bl_str_starts_with(a->text, b->text);
    case BL_LITERAL_ENDS:
        return a->form == BL_LITERAL_ENDS && bl_str_ends_with(a->text, b->text);
    case BL_LITERAL_MATCHES:
        return stays_found(b, a->form) && bl_search_holds(s, b, a->text) == 1;
    case BL_LITERAL_TEXTS:
    case BL_LITERAL_BITS:
    case BL_LITERAL_RANGES:
        break;
    }
    return false;
}

static bool agree(struct bl_solver *s, const struct bl_literal *a, const struct bl_literal *b)
{
    if (a->form == BL_LITERAL_TEXTS || b->form == BL_LITERAL_TEXTS)
        return true;
    if (a->negated && b->negated)
        return true;
    if (a->negated)
        return !implies(s, b, a);
    if (b->negated)
        return !implies(s, a, b);
    if (a->form == BL_LITERAL_STARTS && b->form == BL_LITERAL_STARTS)
        return bl_str_starts_with(a->text, b->text) || bl_str_starts_with(b->text, a->text);
    if (a->form == BL_LITERAL_ENDS && b->form == BL_LITERAL_ENDS)
        return bl_str_ends_with(a->text, b->text) || bl_str_ends_with(b->text, a->text);
    return true;
}

/* ---- all of them ----------------------------------------------------------------------- */

bool bl_texts_possible(struct bl_solver *s, const struct bl_asserted *list)
{
    const struct bl_literal *few = NULL;
    bool absent = true;

    for (const struct bl_asserted *a = list; a != NULL; a = a->next) {
        const struct bl_literal *l = a->literal;

        absent = absent && l->absent;
        if (l->form == BL_LITERAL_TEXTS && !l->negated &&
            (few == NULL || l->text_count < few->text_count))
            few = l;
    }
    if (absent)
        return true;
    if (few != NULL) {
        for (uint32_t i = 0; i < few->text_count; i++) {
            if (may_be(s, list, few->texts[i]))
                return true;
        }
        return false;
    }
    for (const struct bl_asserted *a = list; a != NULL; a = a->next) {
        for (const struct bl_asserted *b = a->next; b != NULL; b = b->next) {
            if (!agree(s, a->literal, b->literal))
                return false;
        }
    }
    return true;
}
