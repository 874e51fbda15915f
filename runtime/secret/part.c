/* SPDX-License-Identifier: Apache-2.0 */
#include "secret/part.h"

#include "base/utf8.h"

#include <string.h>

/* Patterns of a module, and the parts of what they find. */

struct bl_pattern bl_secret_pattern(const struct bl_module *m, uint32_t index)
{
    const struct bl_module_blob *row = &m->PATTERNS_rows[index];

    return (struct bl_pattern){m->BLOBS_rows + row->first, (size_t)row->count * 8};
}

static struct bl_pattern sieve_of(const struct bl_module *m, uint32_t index)
{
    const struct bl_module_sieve *row = &m->SIEVES_rows[index];

    return (struct bl_pattern){m->BLOBS_rows + row->first, (size_t)row->count * 8};
}

bool bl_secret_shadow(struct bl_arena *arena, bl_str text, bl_str *out)
{
    size_t bad = bl_utf8_invalid_at(text);

    *out = text;
    if (bad == text.len)
        return true;
    char *copy = bl_arena_alloc(arena, text.len, 1);
    if (copy == NULL)
        return false;
    memcpy(copy, text.ptr, text.len);
    for (size_t at = bad; at < text.len;) {
        copy[at++] = BL_NO_CHARACTER;
        at += bl_utf8_invalid_at(bl_str_slice(text, at, text.len));
    }
    *out = (bl_str){copy, text.len};
    return true;
}

struct collecting {
    struct bl_arena *arena;
    struct bl_secret_spans *out;
};

/* Empty matches are no secrets. */
static bool collect(void *context, struct bl_match match)
{
    struct collecting *c = context;

    if (match.lo == match.hi)
        return true;
    struct bl_match *slot = BL_PUSH(c->arena, c->out->list);
    struct bl_match *whole = BL_PUSH(c->arena, c->out->wholes);
    if (slot == NULL || whole == NULL)
        return false;
    *slot = *whole = match;
    return true;
}

static bool keep_first(void *context, struct bl_match match)
{
    *(struct bl_match *)context = match;
    return false;
}

/* What the pattern finds at the beginning of the text; false when that is nothing. */
static bool take(struct bl_arena *arena, struct bl_pattern pattern, bl_str text, size_t *hi,
                 bool *failed)
{
    struct bl_match first = {1, 0};

    *failed = !bl_pattern_each(arena, pattern, text, keep_first, &first) || *failed;
    *hi = first.hi;
    return !*failed && first.lo == 0;
}

/* Narrows a match. What cannot be told apart counts as a whole: too much is hidden then, and
 * never too little. */
static void narrow(struct bl_arena *arena, const struct bl_module *m,
                   const struct bl_module_part *row, bl_str text, struct bl_match *match,
                   struct bl_secret_spans *out, uint64_t *steps)
{
    bl_str whole = bl_str_slice(text, match->lo, match->hi);
    size_t front = 0, hi = 0;

    *steps += 2 * whole.len;
    if (!take(arena, bl_secret_pattern(m, row->front), whole, &front, &out->failed))
        return;
    bl_str rest = bl_str_slice(whole, front, whole.len);
    if (!take(arena, bl_secret_pattern(m, row->part), rest, &hi, &out->failed) || hi == 0)
        return;
    match->hi = match->lo + front + hi;
    match->lo += front;
}

/* From each begin to the next end: both walk from left to right. */
static void extend(struct bl_secret_spans *out, size_t first,
                   const struct bl_secret_spans *ends, size_t size)
{
    size_t kept = first, end = 0, behind = 0;

    for (size_t i = first; i < out->list.count; i++) {
        struct bl_match match = out->list.items[i];

        if (match.lo < behind)
            continue;
        while (end < ends->list.count && ends->list.items[end].lo < match.hi)
            end++;
        match.hi = end < ends->list.count ? ends->list.items[end].hi : size;
        behind = match.hi;
        out->wholes.items[kept] = match;
        out->list.items[kept++] = match;
    }
    out->list.count = out->wholes.count = kept;
}

/* ---- several patterns ----------------------------------------------------------------------
 */

bool bl_secret_sought_begin(struct bl_arena *arena, const struct bl_module *m, uint32_t sieve,
                            struct bl_secret_sought *sought)
{
    *sought = (struct bl_secret_sought){.arena = arena, .m = m, .sieve = sieve_of(m, sieve)};
    size_t count = bl_pattern_starts_count(sought->sieve) + 1;
    sought->patterns = BL_NEW_ARRAY(arena, count, struct bl_pattern);
    sought->matches = BL_NEW_ARRAY(arena, count, struct bl_matches);
    return !arena->failed;
}

void bl_secret_ask(struct bl_secret_sought *sought, uint32_t part)
{
    const struct bl_module_part *row = &sought->m->PARTS_rows[part];

    if (row->sought != BL_NONE)
        sought->patterns[row->sought] = bl_secret_pattern(sought->m, row->pattern);
}

static bool keep_match(void *context, size_t pattern, struct bl_match match)
{
    struct bl_secret_sought *sought = context;
    struct bl_match *slot = BL_PUSH(sought->arena, sought->matches[pattern].list);

    if (slot == NULL)
        return false;
    *slot = match;
    return true;
}

bool bl_secret_seek(struct bl_secret_sought *sought, bl_str text, size_t from, uint64_t *steps)
{
    return bl_pattern_starts_each(sought->arena, sought->sieve, sought->patterns, text, from,
                                  keep_match, sought, &sought->log, steps);
}

bool bl_secret_seek_again(struct bl_secret_sought *sought,
                          const struct bl_secret_sought *before, size_t text_len,
                          const struct bl_text_change *changes, size_t count, bl_str text,
                          size_t from, uint64_t *steps)
{
    const struct bl_starts_before known = {before->matches, &before->log, text_len, changes,
                                           count};

    return bl_pattern_starts_again(sought->arena, sought->sieve, sought->patterns, &known, text,
                                   from, keep_match, sought, &sought->log, steps);
}

bool bl_secret_may_find(const struct bl_secret_sought *sought, uint32_t part)
{
    uint32_t number = sought->m->PARTS_rows[part].sought;

    return number == BL_NONE || sought->matches[number].list.count > 0;
}

/* ---- one part ------------------------------------------------------------------------------
 */

/* What the part's pattern finds: known already, or looked for in all of the text. */
static bool whole_each(const struct bl_secret_sought *sought, const struct bl_module_part *row,
                       bl_str text, size_t from, struct collecting *c, uint64_t *steps)
{
    if (row->sought == BL_NONE)
        return bl_pattern_each_from(c->arena, bl_secret_pattern(sought->m, row->pattern), text,
                                    from, collect, c, steps);
    const struct bl_matches *known = &sought->matches[row->sought];
    for (size_t i = 0; i < known->list.count; i++) {
        if (!collect(c, known->list.items[i]))
            return false;
    }
    return true;
}

bool bl_secret_part_each(struct bl_arena *arena, const struct bl_secret_sought *sought,
                         uint32_t part, bl_str text, size_t from, struct bl_secret_spans *out,
                         uint64_t *steps)
{
    const struct bl_module *m = sought->m;
    const struct bl_module_part *row = &m->PARTS_rows[part];
    struct collecting c = {arena, out};
    size_t first = out->list.count;

    out->failed = !whole_each(sought, row, text, from, &c, steps);
    for (size_t i = first; row->front != BL_NONE && !out->failed && i < out->list.count; i++)
        narrow(arena, m, row, text, &out->list.items[i], out, steps);
    if (row->until != BL_NONE && !out->failed && out->list.count > first) {
        struct bl_secret_spans ends = {.failed = false};
        struct collecting e = {arena, &ends};

        *steps += text.len;
        out->failed =
            !bl_pattern_each(arena, bl_secret_pattern(m, row->until), text, collect, &e);
        extend(out, first, &ends, text.len);
    }
    out->failed = out->failed || arena->failed;
    return !out->failed;
}
