/* SPDX-License-Identifier: Apache-2.0 */
#include "base/sort.h"
#include "secret/redact_parts.h"
#include "secret/view.h"

#include <string.h>

/* What overlaps of all that was found, up to where a piece is settled, and the text anew. */

#define LEAST_MARGIN 65536

/* ---- what overlaps ------------------------------------------------------------------------
 */

static int compare_places(const void *a, const void *b, const void *context)
{
    const struct bl_redact_hit *x = a, *y = b;

    (void)context;
    if (x->lo != y->lo)
        return x->lo < y->lo ? -1 : 1;
    if (x->hi != y->hi)
        return x->hi > y->hi ? -1 : 1;
    return (x->mask > y->mask) - (x->mask < y->mask);
}

static int compare_begins(const void *a, const void *b, const void *context)
{
    const struct bl_redact_hit *x = a, *y = b;

    (void)context;
    return (x->whole.lo > y->whole.lo) - (x->whole.lo < y->whole.lo);
}

static bool put_in_order(struct bl_redacting *g, bl_compare_fn *compare)
{
    return bl_sort(&g->scratch, g->hits.items, g->hits.count, sizeof *g->hits.items, compare,
                   NULL);
}

/* ---- what is settled ----------------------------------------------------------------------
 */

size_t bl_redact_before_character(bl_str text, size_t at)
{
    for (unsigned i = 0; i < 4 && at - i < text.len && at >= i; i++) {
        if (((unsigned char)text.ptr[at - i] & 0xC0) != 0x80)
            return at - i;
    }
    return at;
}

/* Other readers take the text word by word, and words that were put together as one. The place
 * moves to where such a word begins, unless it is longer than a secret should be. */
static size_t word_begin(const struct bl_redacting *g, size_t at)
{
    size_t margin = bl_redactor_margin(g->r), place = at;
    size_t least = at - g->from > margin ? at - margin : g->from;

    while (place > least && ((g->joined != NULL && g->joined[place]) ||
                             !bl_is_ascii_space(g->text.ptr[place - 1])))
        place--;
    return place > least || place == g->from ? place : at;
}

/* What may not be cut, by its beginning; `reach`: the farthest end so far. */
struct uncut {
    struct bl_match *items;
    size_t *reach;
    size_t count;
};

/* Both lists are in order. */
static bool collect_uncut(struct bl_redacting *g, struct uncut *all)
{
    size_t hit = 0, marker = 0, reach = 0;

    all->items =
        BL_NEW_ARRAY(&g->scratch, g->hits.count + g->kept.list.count + 1, struct bl_match);
    all->reach = BL_NEW_ARRAY(&g->scratch, g->hits.count + g->kept.list.count + 1, size_t);
    if (all->items == NULL || all->reach == NULL)
        return false;
    while (hit < g->hits.count || marker < g->kept.list.count) {
        struct bl_match next;
        if (marker == g->kept.list.count ||
            (hit < g->hits.count &&
             g->hits.items[hit].whole.lo < g->kept.list.items[marker].lo)) {
            next = g->hits.items[hit++].whole;
            next.hi++; /* nothing is masked right in front of the place */
        } else {
            next = g->kept.list.items[marker++];
        }
        reach = next.hi > reach ? next.hi : reach;
        all->items[all->count] = next;
        all->reach[all->count++] = reach;
    }
    return true;
}

/* No match, no marker and no word goes on behind the place, nothing is masked right in front of
 * it (the next piece would see there what was masked, not its marker), and everything in front
 * of it was found whole. */
static enum bl_status settled_at(struct bl_redacting *g, size_t *settled)
{
    size_t margin = bl_redactor_margin(g->r), at = g->text.len, before;
    bool has_views = bl_view_shows(&g->r->row->view);
    struct uncut all = {.count = 0};

    *settled = g->from;
    if (at < g->from + margin)
        return BL_OK;
    if (!collect_uncut(g, &all))
        return BL_ERR_NOMEM;
    at = bl_redact_before_character(g->text, at - margin);
    do {
        before = at;
        for (; all.count > 0 && all.reach[all.count - 1] > at; all.count--) {
            const struct bl_match *last = &all.items[all.count - 1];
            if (last->lo < at && at < last->hi)
                at = bl_redact_before_character(g->text, last->lo);
        }
        if (has_views && at > g->from)
            at = word_begin(g, at);
    } while (at != before && at > g->from);
    *settled = at > g->from ? at : g->from;
    return BL_OK;
}

size_t bl_redactor_margin(const struct bl_redactor *r)
{
    size_t least = r->margin > 0 ? r->margin : LEAST_MARGIN;

    return r->forms.longest < least ? least : r->forms.longest;
}

/* ---- spans --------------------------------------------------------------------------------
 */

/* A known value has its own marker in whatever form it stands there. */
static enum bl_status add_span(struct bl_redacting *g, const struct bl_redact_hit *hit,
                               size_t lo, size_t hi)
{
    bool is_value = hit->known != NULL && hit->known->what != BL_KNOWN_PATTERN &&
                    lo == hit->lo && hi == hit->hi;
    bl_str value = is_value ? hit->known->value
                   : hit->value.len > 0 && lo == hit->lo && hi == hit->hi
                       ? hit->value
                       : bl_str_slice(g->text, lo, hi);
    struct bl_redacted_span *slot = lo < hi ? BL_PUSH(g->arena, g->out->list) : NULL;

    if (slot == NULL)
        return lo < hi ? BL_ERR_NOMEM : BL_OK;
    *slot = (struct bl_redacted_span){
        .lo = lo, .hi = hi, .kind = hit->kind, .source = hit->source, .mask = hit->mask};
    return bl_redactor_marker(g->r, hit->kind, value, &slot->marker, g->problem);
}

/* What of a span is no marker: both walk from left to right. */
static enum bl_status add_around_markers(struct bl_redacting *g,
                                         const struct bl_redact_hit *hit, size_t hi,
                                         size_t *kept)
{
    enum bl_status status = BL_OK;
    size_t lo = hit->lo > g->from ? hit->lo : g->from;

    while (*kept < g->kept.list.count && g->kept.list.items[*kept].hi <= lo)
        *kept += 1;
    for (size_t k = *kept; status == BL_OK && k < g->kept.list.count; k++) {
        const struct bl_match *marker = &g->kept.list.items[k];

        if (marker->lo >= hi)
            break;
        status = add_span(g, hit, lo, marker->lo);
        lo = marker->hi;
    }
    return status == BL_OK ? add_span(g, hit, lo, hi) : status;
}

/* A match that more than one reading of the text has is one. */
static void count_hit(struct bl_redacting *g, size_t index)
{
    const struct bl_redact_hit *hit = &g->hits.items[index];
    struct bl_mask_count *count = &g->r->counts[hit->mask - g->r->row->first_mask];

    if (g->is_draft || hit->hi <= g->from ||
        (index > 0 && compare_places(hit, hit - 1, NULL) == 0))
        return;
    count->matches++;
    count->bytes += hit->hi - hit->lo;
}

/* One span for all that overlaps; what only touches stays apart. */
static enum bl_status add_spans(struct bl_redacting *g)
{
    enum bl_status status = BL_OK;
    size_t kept = 0;

    for (size_t i = 0; i < g->hits.count && status == BL_OK;) {
        const struct bl_redact_hit *first = &g->hits.items[i];
        struct bl_redact_hit all = *first;
        size_t hi = first->hi;
        bool is_one = true;

        /* One that begins in the context begins where the piece does, and may not be settled.
         */
        if ((first->lo > g->from ? first->lo : g->from) >= g->out->settled)
            break;
        for (; i < g->hits.count && (g->hits.items[i].lo < hi || &g->hits.items[i] == first);
             i++) {
            is_one = is_one && g->hits.items[i].known == first->known;
            hi = g->hits.items[i].hi > hi ? g->hits.items[i].hi : hi;
            if (g->hits.items[i].known != NULL && !g->is_draft)
                g->hits.items[i].known->matched = true;
            count_hit(g, i);
        }
        if (!g->is_draft && hi > g->from)
            g->r->counts[first->mask - g->r->row->first_mask].spans++;
        /* One value, found in more than one of its forms. */
        if (is_one && first->known != NULL && first->known->what != BL_KNOWN_PATTERN)
            all.hi = hi;
        if (hi > g->from)
            status = add_around_markers(g, &all, hi, &kept);
    }
    return status;
}

/* ---- the text -----------------------------------------------------------------------------
 */

static enum bl_status write_text(struct bl_redacting *g)
{
    size_t at = g->is_draft ? 0 : g->from, size = g->out->settled - at, len = 0;

    for (size_t i = 0; i < g->out->list.count; i++)
        size += g->out->list.items[i].marker.len;
    char *bytes = bl_arena_alloc(g->arena, size + 1, 1);
    if (bytes == NULL)
        return BL_ERR_NOMEM;
    for (size_t i = 0; i <= g->out->list.count; i++) {
        const struct bl_redacted_span *span =
            i < g->out->list.count ? &g->out->list.items[i] : NULL;
        size_t end = span != NULL ? span->lo : g->out->settled;

        if (end > at)
            memcpy(bytes + len, g->text.ptr + at, end - at);
        len += end - at;
        if (span == NULL)
            break;
        memcpy(bytes + len, span->marker.ptr, span->marker.len);
        len += span->marker.len;
        at = span->hi;
    }
    g->out->text = (bl_str){bytes, len};
    return BL_OK;
}

enum bl_status bl_redact_write(struct bl_redacting *g)
{
    if (!put_in_order(g, compare_places))
        return BL_ERR_NOMEM;
    enum bl_status status = add_spans(g);
    return status == BL_OK ? write_text(g) : status;
}

enum bl_status bl_redact_settle(struct bl_redacting *g)
{
    g->out->settled = g->text.len;
    if (!g->last && !put_in_order(g, compare_begins))
        return BL_ERR_NOMEM;
    if (!g->last) {
        enum bl_status status = settled_at(g, &g->out->settled);
        if (status != BL_OK)
            return status;
    }
    return bl_redact_write(g);
}
