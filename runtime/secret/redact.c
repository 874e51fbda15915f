/* SPDX-License-Identifier: Apache-2.0 */
#include "secret/redact.h"

#include "secret/redact_parts.h"

#include <string.h>

/* Masking one text: all that is found, then what of it overlaps, then the text anew. */

/* A match of one row. */
struct hit {
    size_t lo, hi;
    uint32_t order; /* of its row, for ties */
    uint32_t mask;
    bl_str kind, source;
};

struct redacting {
    struct bl_redactor *r;
    struct bl_arena *arena;
    struct bl_arena scratch;
    bl_str text;   /* as it is */
    bl_str shadow; /* of the same length, valid UTF-8 */
    struct hit *items;
    size_t count, capacity;
    struct bl_secret_spans kept; /* markers */
    struct bl_redacted *out;
    bl_str *problem;
};

static bool add_hit(struct redacting *g, struct bl_match match, uint32_t mask, bl_str kind,
                    bl_str source)
{
    struct hit *slot = BL_PUSH(&g->scratch, *g);

    if (slot == NULL)
        return false;
    *slot = (struct hit){match.lo, match.hi, mask, mask, kind, source};
    return true;
}

/* ---- what is found ------------------------------------------------------------------------
 */

static bool find_value(struct redacting *g, struct bl_known_value *known)
{
    for (size_t at = 0; known->value.len > 0;) {
        size_t hit = bl_str_find(bl_str_slice(g->text, at, g->text.len), known->value);

        if (hit == SIZE_MAX)
            break;
        struct bl_match match = {at + hit, at + hit + known->value.len};
        known->matched = true;
        if (!add_hit(g, match, known->mask, known->kind, known->source))
            return false;
        at = match.hi;
    }
    g->out->steps += g->text.len;
    return true;
}

struct collecting {
    struct redacting *g;
    struct bl_known_value *known;
    bool failed;
};

static bool collect(void *context, struct bl_match match)
{
    struct collecting *c = context;

    if (match.lo == match.hi)
        return true;
    c->known->matched = true;
    c->failed = !add_hit(c->g, match, c->known->mask, c->known->kind, c->known->source);
    return !c->failed;
}

static bool find_known(struct redacting *g)
{
    struct bl_redactor *r = g->r;
    size_t words = (bl_pattern_set_count(r->values) + 63) / 64 + 1;
    uint64_t *found = BL_NEW_ARRAY(&g->scratch, words, uint64_t);

    if (found == NULL)
        return false;
    bl_pattern_set_scan(r->values, g->shadow, found);
    for (size_t i = 0; i < r->known.count; i++) {
        struct bl_known_value *known = &r->known.items[i];
        uint32_t n = r->number_in_set[i];
        struct collecting c = {g, known, false};

        if (known->what == BL_KNOWN_PATTERN) {
            g->out->steps += g->text.len;
            if (!bl_pattern_each(&g->scratch, known->pattern, g->shadow, collect, &c) ||
                c.failed)
                return false;
        } else if (r->left_out[i] || (found[n / 64] >> n % 64 & 1) != 0) {
            if (!find_value(g, known))
                return false;
        }
    }
    return true;
}

static enum bl_status judge(struct redacting *g, const struct bl_module_mask *row,
                            struct bl_match match, bool *holds)
{
    struct bl_value answer = bl_bool(true);
    struct bl_value arg = bl_text(bl_str_slice(g->shadow, match.lo, match.hi));
    enum bl_status status = BL_OK;

    if (row->when != BL_NONE)
        status = g->r->host.call(g->r->host.context, row->when, &arg, 1, &answer);
    *holds = answer.tag == BL_V_BOOL && answer.as.i != 0;
    return status;
}

static enum bl_status find_pattern(struct redacting *g, uint32_t mask)
{
    const struct bl_module_mask *row = &g->r->m->MASKS_rows[mask];
    const struct bl_mask_words *words = &g->r->words[mask - g->r->row->first_mask];
    struct bl_secret_spans spans = {.failed = false};
    enum bl_status status = BL_OK;

    if (!bl_secret_part_each(&g->scratch, g->r->m, row->part, g->shadow, &spans,
                             &g->out->steps))
        return BL_ERR_NOMEM;
    for (size_t i = 0; i < spans.list.count && status == BL_OK; i++) {
        bool holds;

        status = judge(g, row, spans.list.items[i], &holds);
        if (status == BL_OK && holds &&
            !add_hit(g, spans.list.items[i], mask, words->kind, words->source))
            status = BL_ERR_NOMEM;
    }
    return status;
}

static enum bl_status find_patterns(struct redacting *g)
{
    const struct bl_module_redaction *row = g->r->row;
    struct bl_pattern sieve = bl_secret_sieve(g->r->m, row->sieve);
    size_t words = (bl_pattern_set_count(sieve) + 63) / 64 + 1;
    uint64_t *found = BL_NEW_ARRAY(&g->scratch, words, uint64_t);
    enum bl_status status = found != NULL ? BL_OK : BL_ERR_NOMEM;

    if (status == BL_OK)
        bl_pattern_set_scan(sieve, g->shadow, found);
    for (uint32_t i = 0; i < row->mask_count && status == BL_OK; i++) {
        const struct bl_module_mask *mask = &g->r->m->MASKS_rows[row->first_mask + i];

        if (mask->part != BL_NONE && mask->field == 0 &&
            (mask->sought == BL_NONE ||
             (found[mask->sought / 64] >> mask->sought % 64 & 1) != 0))
            status = find_pattern(g, row->first_mask + i);
    }
    return status;
}

static bool keep_span(void *context, struct bl_match match)
{
    struct redacting *g = context;
    struct bl_match *slot =
        match.lo < match.hi ? BL_PUSH(&g->scratch, g->kept.list) : &(struct bl_match){0, 0};

    if (slot == NULL)
        return false;
    *slot = match;
    return true;
}

/* ---- what overlaps ------------------------------------------------------------------------
 */

static bool comes_before(const struct hit *x, const struct hit *y)
{
    if (x->lo != y->lo)
        return x->lo < y->lo;
    return x->hi != y->hi ? x->hi > y->hi : x->order < y->order;
}

/* Merged from the bottom up: stable, and without a stack. */
static bool put_in_order(struct redacting *g)
{
    struct hit *other = BL_NEW_ARRAY(&g->scratch, g->count + 1, struct hit);

    if (other == NULL)
        return false;
    for (size_t width = 1; width < g->count; width *= 2) {
        for (size_t lo = 0; lo < g->count; lo += 2 * width) {
            size_t mid = lo + width < g->count ? lo + width : g->count;
            size_t hi = lo + 2 * width < g->count ? lo + 2 * width : g->count;
            size_t i = lo, j = mid;

            for (size_t k = lo; k < hi; k++) {
                bool left = i < mid && (j >= hi || !comes_before(&g->items[j], &g->items[i]));
                other[k] = left ? g->items[i++] : g->items[j++];
            }
        }
        struct hit *swapped = g->items;
        g->items = other;
        other = swapped;
    }
    return true;
}

static enum bl_status add_span(struct redacting *g, const struct hit *hit, size_t lo, size_t hi)
{
    struct bl_redacted_span *slot = lo < hi ? BL_PUSH(g->arena, g->out->list) : NULL;

    if (slot == NULL)
        return lo < hi ? BL_ERR_NOMEM : BL_OK;
    *slot = (struct bl_redacted_span){
        .lo = lo, .hi = hi, .kind = hit->kind, .source = hit->source, .mask = hit->mask};
    return bl_redactor_marker(g->r, hit->kind, bl_str_slice(g->text, lo, hi), &slot->marker,
                              g->problem);
}

/* What of a span is no marker: both walk from left to right. */
static enum bl_status add_around_markers(struct redacting *g, const struct hit *hit, size_t hi,
                                         size_t *kept)
{
    enum bl_status status = BL_OK;
    size_t lo = hit->lo;

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

/* One span for all that overlaps; what only touches stays apart. */
static enum bl_status settle(struct redacting *g)
{
    enum bl_status status = put_in_order(g) ? BL_OK : BL_ERR_NOMEM;
    size_t kept = 0;

    for (size_t i = 0; i < g->count && status == BL_OK;) {
        const struct hit *first = &g->items[i];
        size_t hi = first->hi;

        for (i++; i < g->count && g->items[i].lo < hi; i++)
            hi = g->items[i].hi > hi ? g->items[i].hi : hi;
        status = add_around_markers(g, first, hi, &kept);
    }
    return status;
}

/* ---- the text -----------------------------------------------------------------------------
 */

static enum bl_status write_text(struct redacting *g)
{
    size_t size = g->text.len, at = 0, len = 0;

    for (size_t i = 0; i < g->out->list.count; i++)
        size += g->out->list.items[i].marker.len;
    char *bytes = bl_arena_alloc(g->arena, size + 1, 1);
    if (bytes == NULL)
        return BL_ERR_NOMEM;
    for (size_t i = 0; i <= g->out->list.count; i++) {
        const struct bl_redacted_span *span =
            i < g->out->list.count ? &g->out->list.items[i] : NULL;
        size_t end = span != NULL ? span->lo : g->text.len;

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

static enum bl_status redact(struct redacting *g)
{
    const struct bl_module_redaction *row = g->r->row;

    if (!bl_secret_shadow(&g->scratch, g->text, &g->shadow) || !find_known(g))
        return BL_ERR_NOMEM;
    enum bl_status status = find_patterns(g);
    if (status == BL_OK && row->keep != BL_NONE && g->count > 0 &&
        !bl_pattern_each(&g->scratch, bl_secret_pattern(g->r->m, row->keep), g->shadow,
                         keep_span, g))
        status = BL_ERR_NOMEM;
    if (status == BL_OK && g->scratch.failed)
        status = BL_ERR_NOMEM;
    if (status == BL_OK)
        status = settle(g);
    return status == BL_OK ? write_text(g) : status;
}

enum bl_status bl_redact(struct bl_redactor *redactor, struct bl_arena *arena, bl_str text,
                         struct bl_redacted *out, bl_str *problem)
{
    struct redacting g = {
        .r = redactor, .arena = arena, .text = text, .out = out, .problem = problem};

    *out = (struct bl_redacted){.text = text, .steps = text.len};
    if (!redactor->is_on)
        return BL_OK;
    bl_arena_init(&g.scratch, arena->limit, arena->allocator);
    enum bl_status status = redact(&g);
    bl_arena_reset(&g.scratch);
    return status;
}

/* ---- fields -------------------------------------------------------------------------------
 */

uint32_t bl_redactor_field(const struct bl_redactor *r, bl_str key)
{
    for (uint32_t i = 0; r->is_on && i < r->row->mask_count; i++) {
        const struct bl_module_mask *mask = &r->m->MASKS_rows[r->row->first_mask + i];

        if (mask->field != 0 &&
            bl_pattern_matches(bl_secret_pattern(r->m, r->m->PARTS_rows[mask->part].pattern),
                               key))
            return r->row->first_mask + i;
    }
    return BL_NONE;
}

enum bl_status bl_redact_whole(struct bl_redactor *redactor, struct bl_arena *arena,
                               uint32_t mask, bl_str value, struct bl_redacted *out,
                               bl_str *problem)
{
    const struct bl_mask_words *words = &redactor->words[mask - redactor->row->first_mask];
    struct redacting g = {
        .r = redactor, .arena = arena, .text = value, .out = out, .problem = problem};
    struct hit hit = {0, value.len, mask, mask, words->kind, words->source};
    size_t kept = 0;

    *out = (struct bl_redacted){.text = value, .steps = value.len};
    bl_arena_init(&g.scratch, arena->limit, arena->allocator);
    enum bl_status status =
        bl_secret_shadow(&g.scratch, value, &g.shadow) ? BL_OK : BL_ERR_NOMEM;
    if (status == BL_OK && redactor->row->keep != BL_NONE &&
        !bl_pattern_each(&g.scratch, bl_secret_pattern(redactor->m, redactor->row->keep),
                         g.shadow, keep_span, &g))
        status = BL_ERR_NOMEM;
    if (status == BL_OK)
        status = add_around_markers(&g, &hit, value.len, &kept);
    bl_arena_reset(&g.scratch);
    return status == BL_OK ? write_text(&g) : status;
}
