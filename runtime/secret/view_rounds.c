/* SPDX-License-Identifier: Apache-2.0 */
#include "secret/view_rounds.h"

#include "base/sort.h"

#define ROUNDS 3u
#define RUNS   (1u << BL_DECODING_BASE64 | 1u << BL_DECODING_HEX)

struct walk {
    const struct bl_view_rounds *r;
    unsigned seen;
    bool done;
};

/* Bytes that decoding made and that are no UTF-8 stand between words. */
static bool mend(struct bl_arena *arena, struct bl_view *view)
{
    return bl_secret_shadow(arena, view->text, &view->text);
}

/* ---- where there is something to read otherwise ------------------------------------------ */

static int compare_places(const void *a, const void *b, const void *context)
{
    const struct bl_match *x = a, *y = b;

    (void)context;
    return (x->lo > y->lo) - (x->lo < y->lo);
}

/* What touches becomes one. */
static bool put_in_order(struct bl_arena *arena, struct bl_secret_spans *spans)
{
    struct bl_match *items = spans->list.items;
    size_t kept = 0;

    if (!bl_sort(arena, items, spans->list.count, sizeof *items, compare_places, NULL))
        return false;
    for (size_t i = 1; i < spans->list.count; i++) {
        if (items[i].lo > items[kept].hi)
            items[++kept] = items[i];
        else if (items[i].hi > items[kept].hi)
            items[kept].hi = items[i].hi;
    }
    spans->list.count = spans->list.count > 0 ? kept + 1 : 0;
    return true;
}

bool bl_view_find_left_out(const struct bl_view_rounds *r, bl_str text,
                           const struct bl_secret_sought *sought, size_t from,
                           struct bl_secret_spans *out)
{
    *out = (struct bl_secret_spans){.failed = false};
    for (uint32_t i = 0; i < r->row->without_count; i++) {
        uint32_t part = r->row->first_without + i;
        if (bl_secret_may_find(sought, part) &&
            !bl_secret_part_each(r->arena, sought, part, text, from, out, r->steps))
            return false;
    }
    return put_in_order(r->arena, out);
}

bool bl_view_find_lines(const struct bl_view_rounds *r, bl_str text,
                        const struct bl_secret_spans *left_out, struct bl_view_lines *out)
{
    struct bl_view_lines left = {.list = {.count = 0}}, decoded = left, folded = left,
                         both = left;

    *out = left;
    for (size_t i = 0; i < left_out->list.count; i++) {
        struct bl_match span = left_out->list.items[i];
        /* What was put together may go on in the line behind. */
        if (bl_str_find_char(bl_str_slice(text, span.lo, span.hi), '\n') != SIZE_MAX)
            span.hi = bl_view_line_end(text, span.hi);
        if (!bl_view_add_lines(r->arena, text, span, &left))
            return false;
    }
    return bl_view_decoded_lines(r->arena, text, r->row->decoded, &decoded, r->steps) &&
           bl_view_folded_lines(r->arena, text, r->row->folded, &folded, r->steps) &&
           bl_view_all_lines(r->arena, &decoded, &folded, &both) &&
           bl_view_all_lines(r->arena, &left, &both, out);
}

/* What is left out of these lines, as places of a text of them alone. */
static void put_into_lines(struct bl_view_places *places)
{
    const struct bl_match *lines = places->lines.list.items;
    size_t line = 0, at = 0;

    for (size_t i = 0; i < places->left_out.list.count; i++) {
        struct bl_match *span = &places->left_out.list.items[i];

        for (; lines[line].hi <= span->lo; line++)
            at += lines[line].hi - lines[line].lo;
        span->lo = at + (span->lo - lines[line].lo);
        span->hi = at + (span->hi - lines[line].lo);
    }
}

/* ---- one round ---------------------------------------------------------------------------
 */

static bool make(const struct walk *w, enum bl_view_step step, const struct bl_view *at,
                 const struct bl_view_places *places, struct bl_view *out)
{
    struct bl_arena *arena = w->r->arena;
    unsigned decoded = w->r->row->decoded;
    bool made;

    *w->r->steps += at->text.len;
    if (step == BL_VIEW_WITHOUT)
        made = bl_view_without(arena, at, places->left_out.list.items,
                               places->left_out.list.count, out);
    else if (step == BL_VIEW_FOLDED)
        made = bl_view_folded(arena, at, w->r->row->folded, out);
    else
        made =
            bl_view_decoded(arena, at, step == BL_VIEW_SIGNS ? decoded & ~RUNS : decoded & RUNS,
                            out, w->r->steps);
    return made && (out->pieces.count == 0 || mend(arena, out));
}

/* Shows what the step changed. */
static enum bl_status show(struct walk *w, const struct bl_view *view)
{
    struct bl_view *lines = BL_NEW(w->r->arena, struct bl_view);

    if (w->r->whole)
        return w->r->look(w->r->context, view, w->seen, &w->done);
    if (lines == NULL || !bl_view_changed_lines(w->r->arena, view, lines) ||
        !mend(w->r->arena, lines))
        return BL_ERR_NOMEM;
    return w->r->look(w->r->context, lines, w->seen, &w->done);
}

/* Of an encoded word that ends where two words are put together both readings: alone, and with
 * the next one. */
static enum bl_status decode_whole(struct walk *w, const struct bl_view *at)
{
    struct bl_view *view = BL_NEW(w->r->arena, struct bl_view);
    unsigned seen = w->seen;

    if (view == NULL || !make(w, BL_VIEW_RUNS, at, NULL, view))
        return BL_ERR_NOMEM;
    if (view->pieces.count == 0)
        return BL_OK;
    w->seen = (w->seen & ~(1u << BL_VIEW_WITHOUT)) | 1u << BL_VIEW_RUNS;
    enum bl_status status = show(w, view);
    w->seen = seen;
    return status;
}

/* One step after the other; *out is the last view. */
static enum bl_status go_round(struct walk *w, const struct bl_view *at,
                               const struct bl_view_places *places, const struct bl_view **out)
{
    enum bl_status status = BL_OK;

    *out = at;
    for (unsigned step = BL_VIEW_WITHOUT; step <= BL_VIEW_FOLDED; step++) {
        struct bl_view *view = BL_NEW(w->r->arena, struct bl_view);

        if (view == NULL || !make(w, (enum bl_view_step)step, *out, places, view))
            return BL_ERR_NOMEM;
        if (view->pieces.count == 0)
            continue;
        *out = view;
        w->seen |= 1u << step;
        status = show(w, view);
        if (status == BL_OK && !w->done && step == BL_VIEW_WITHOUT)
            status = decode_whole(w, at);
        if (status != BL_OK || w->done)
            break;
    }
    return status;
}

/* The lines of `at` that a round begins with, and what is left out of them. */
static const struct bl_view *begin_round(const struct walk *w, const struct bl_view *at,
                                         struct bl_view_places *places)
{
    struct bl_view *view = BL_NEW(w->r->arena, struct bl_view);

    if (w->r->whole || view == NULL)
        return view != NULL ? at : NULL;
    put_into_lines(places);
    return bl_view_of_lines(w->r->arena, at, &places->lines, view) ? view : NULL;
}

/* ---- all of them --------------------------------------------------------------------------
 */

/* Places of the next text: the patterns of what is left out, and no others, are sought there.
 */
static bool seek(const struct walk *w, bl_str text, struct bl_view_places *places)
{
    struct bl_secret_sought sought;

    if (!bl_secret_sought_begin(w->r->arena, w->r->m, w->r->sieve, &sought))
        return false;
    for (uint32_t i = 0; i < w->r->row->without_count; i++)
        bl_secret_ask(&sought, w->r->row->first_without + i);
    return (w->r->row->without_count == 0 || bl_secret_seek(&sought, text, 0, w->r->steps)) &&
           bl_view_find_left_out(w->r, text, &sought, 0, &places->left_out) &&
           bl_view_find_lines(w->r, text, &places->left_out, &places->lines);
}

/* What the next round begins with: the lines that this one changed. */
static const struct bl_view *changed(const struct walk *w, const struct bl_view *last,
                                     const struct bl_view *begun)
{
    struct bl_view *lines = BL_NEW(w->r->arena, struct bl_view);

    if (w->r->whole || lines == NULL)
        return lines != NULL ? last : NULL;
    return bl_view_changed(w->r->arena, last, begun, lines) ? lines : NULL;
}

enum bl_status bl_view_rounds(const struct bl_view_rounds *rounds, bl_str text,
                              struct bl_view_places *places)
{
    struct walk w = {.r = rounds};
    struct bl_view first = {.text = text};
    const struct bl_view *at = &first, *last;

    for (unsigned i = 1; places->lines.list.count > 0; i++) {
        const struct bl_view *begun = begin_round(&w, at, places);
        enum bl_status status =
            begun != NULL ? go_round(&w, begun, places, &last) : BL_ERR_NOMEM;

        if (status != BL_OK || w.done || last == begun || i == ROUNDS)
            return status;
        at = changed(&w, last, begun);
        if (at == NULL || !seek(&w, at->text, places))
            return BL_ERR_NOMEM;
    }
    return BL_OK;
}
