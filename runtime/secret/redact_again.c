/* SPDX-License-Identifier: Apache-2.0 */
#include "secret/redact_parts.h"

#include <string.h>

/* What only the masked text has (RED-18). A marker ends words and quotations that kept what
 * stands beside it from being a secret, so a masked text is read again as long as something
 * more is found in it: who masks it once more then finds nothing. What is found is carried back
 * to the text as it is, where it joins what was found before. */

/* A secret next to a secret takes a second look, seldom a third. A text made to need one for
 * each of its words gets wider masks from then on, twice as wide each time, so that all of it
 * is masked after as many looks as its length has digits. */
#define EXACT_ROUNDS 4
#define FIRST_WIDTH  16
#define MOST_ROUNDS  40

/* Where the masked text has its markers; they are in the order of the spans. */
struct drafted {
    struct bl_redacted masked;
    size_t *places;
    struct bl_text_change *changes;
};

/* ---- from the masked text back ------------------------------------------------------------
 */

/* A place within a marker stands for that end of what was masked. */
static size_t place_back(const struct drafted *d, size_t at, bool is_end)
{
    size_t lo = 0, hi = d->masked.list.count;

    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (d->places[mid] <= at)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo == 0)
        return at;
    const struct bl_redacted_span *span = &d->masked.list.items[lo - 1];
    size_t inside = at - d->places[lo - 1];
    if (inside == 0)
        return span->lo;
    if (inside < span->marker.len)
        return is_end ? span->hi : span->lo;
    return span->hi + (inside - span->marker.len);
}

static bool draft(struct bl_arena *arena, struct drafted *d)
{
    size_t grown = 0;

    d->places = BL_NEW_ARRAY(arena, d->masked.list.count + 1, size_t);
    d->changes = BL_NEW_ARRAY(arena, d->masked.list.count + 1, struct bl_text_change);
    if (d->places == NULL || d->changes == NULL)
        return false;
    for (size_t i = 0; i < d->masked.list.count; i++) {
        const struct bl_redacted_span *span = &d->masked.list.items[i];
        d->places[i] = span->lo + grown;
        d->changes[i] = (struct bl_text_change){span->lo, span->hi, span->marker.len};
        grown += span->marker.len - (span->hi - span->lo); /* wraps, and back */
    }
    return true;
}

/* ---- one look -----------------------------------------------------------------------------
 */

/* Whether a byte of it is in no marker. */
static bool is_new(const struct bl_redacting *view, const struct bl_redact_hit *hit)
{
    const struct bl_match *markers = view->kept.list.items;
    size_t lo = 0, hi = view->kept.list.count;
    size_t at = hit->lo > view->from ? hit->lo : view->from;

    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (markers[mid].hi <= at)
            lo = mid + 1;
        else
            hi = mid;
    }
    while (lo < view->kept.list.count && markers[lo].lo <= at)
        at = markers[lo++].hi;
    return at < hit->hi;
}

static void widen(const struct bl_redacting *g, size_t width, struct bl_redact_hit *hit)
{
    size_t lo = hit->lo > g->from + width ? hit->lo - width : g->from;
    size_t hi = g->text.len - hit->hi > width ? hit->hi + width : g->text.len;

    hit->lo = lo < hit->lo ? bl_redact_before_character(g->text, lo) : hit->lo;
    hit->hi = bl_redact_before_character(g->text, hi);
    hit->whole.lo = hit->lo < hit->whole.lo ? hit->lo : hit->whole.lo;
    hit->whole.hi = hit->hi > hit->whole.hi ? hit->hi : hit->whole.hi;
}

static bool carry_back(struct bl_redacting *g, const struct drafted *d,
                       const struct bl_redacting *view, unsigned round, bool *more)
{
    for (size_t i = 0; i < view->hits.count; i++) {
        struct bl_redact_hit hit = view->hits.items[i];
        if (!is_new(view, &hit))
            continue;
        hit.value = (bl_str){NULL, 0}; /* its memory goes */
        hit.lo = place_back(d, hit.lo, false);
        hit.hi = place_back(d, hit.hi, true);
        hit.whole.lo = place_back(d, hit.whole.lo, false);
        hit.whole.hi = place_back(d, hit.whole.hi, true);
        if (round >= EXACT_ROUNDS)
            widen(g, (size_t)FIRST_WIDTH << (round - EXACT_ROUNDS), &hit);
        struct bl_redact_hit *slot = BL_PUSH(&g->scratch, g->hits);
        if (slot == NULL)
            return false;
        *slot = hit;
        *more = true;
    }
    return true;
}

static enum bl_status look_again(struct bl_redacting *g, unsigned round, bool *more)
{
    struct drafted d = {.places = NULL};
    struct bl_redacting made = *g;
    struct bl_redacting view = {
        .r = g->r, .from = g->from, .last = g->last, .out = g->out, .problem = g->problem};

    bl_arena_init(&made.scratch, g->arena->limit, g->arena->allocator);
    bl_arena_init(&view.scratch, g->arena->limit, g->arena->allocator);
    d.masked.settled = g->text.len;
    made.out = &d.masked;
    made.arena = &view.scratch;
    made.is_draft = true;
    enum bl_status status = bl_redact_write(&made);
    bl_arena_reset(&made.scratch);
    *more = false;
    if (status == BL_OK && !draft(&view.scratch, &d))
        status = BL_ERR_NOMEM;
    view.text = d.masked.text;
    view.before = g;
    view.changes = d.changes;
    view.change_count = d.masked.list.count;
    if (status == BL_OK)
        status = bl_redact_find(&view);
    if (status == BL_OK && !carry_back(g, &d, &view, round, more))
        status = BL_ERR_NOMEM;
    bl_arena_reset(&view.scratch);
    return status;
}

enum bl_status bl_redact_again(struct bl_redacting *g)
{
    enum bl_status status = BL_OK;
    bool more = g->hits.count > 0 && g->r->row->keep != BL_NONE;

    for (unsigned round = 1; more && status == BL_OK && round < MOST_ROUNDS; round++)
        status = look_again(g, round, &more);
    return status;
}
