/* SPDX-License-Identifier: Apache-2.0 */
#include "secret/view_rounds.h"

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

static bool leave_out(const struct walk *w, const struct bl_view *at,
                      const struct bl_secret_sought *sought, struct bl_view *out)
{
    struct bl_secret_spans spans = {.failed = false};
    struct bl_arena *arena = w->r->arena;

    *out = (struct bl_view){.text = at->text, .parent = at};
    for (uint32_t i = 0; i < w->r->row->without_count; i++) {
        uint32_t part = w->r->row->first_without + i;
        if (bl_secret_may_find(sought, part) &&
            !bl_secret_part_each(arena, sought, part, at->text, 0, &spans, w->r->steps))
            return false;
    }
    if (spans.list.count == 0)
        return true;
    bool *gone = BL_NEW_ARRAY(arena, at->text.len + 1, bool);
    return gone != NULL &&
           bl_view_without(arena, at, spans.list.items, spans.list.count, gone, out);
}

static bool make(const struct walk *w, enum bl_view_step step, const struct bl_view *at,
                 const struct bl_secret_sought *sought, struct bl_view *out)
{
    struct bl_arena *arena = w->r->arena;
    bool made;

    if (step == BL_VIEW_WITHOUT) {
        made = leave_out(w, at, sought, out);
    } else {
        *w->r->steps += at->text.len;
        unsigned decoded = w->r->row->decoded;
        made = step == BL_VIEW_SIGNS
                   ? bl_view_decoded(arena, at, decoded & ~RUNS, false, out, w->r->steps)
               : step == BL_VIEW_RUNS
                   ? bl_view_decoded(arena, at, decoded & RUNS, false, out, w->r->steps)
                   : bl_view_folded(arena, at, w->r->row->folded, out);
    }
    return made && mend(arena, out);
}

/* Shows what the step changed. */
static enum bl_status show(struct walk *w, const struct bl_view *view)
{
    struct bl_view *lines = BL_NEW(w->r->arena, struct bl_view);

    if (w->r->whole)
        return w->r->look(w->r->context, view, w->seen, &w->done);
    if (lines == NULL || !bl_view_lines(w->r->arena, view, lines) || !mend(w->r->arena, lines))
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

/* One after the other; *out is the last. */
static enum bl_status go_round(struct walk *w, const struct bl_view *at,
                               const struct bl_secret_sought *sought,
                               const struct bl_view **out)
{
    enum bl_status status = BL_OK;

    *out = at;
    for (unsigned step = BL_VIEW_WITHOUT; step <= BL_VIEW_FOLDED; step++) {
        struct bl_view *view = BL_NEW(w->r->arena, struct bl_view);

        if (view == NULL || !make(w, (enum bl_view_step)step, *out, sought, view))
            return BL_ERR_NOMEM;
        if (view->pieces.count == 0)
            continue;
        *out = view;
        w->seen |= 1u << step;
        status = show(w, view);
        if (status != BL_OK || w->done)
            break;
        if (step == BL_VIEW_WITHOUT)
            status = decode_whole(w, at);
        if (status != BL_OK || w->done)
            break;
    }
    return status;
}

/* What is left out of the next text: the patterns of that alone. */
static bool seek(const struct walk *w, bl_str text, struct bl_secret_sought *sought)
{
    if (!bl_secret_sought_begin(w->r->arena, w->r->m, w->r->sieve, sought))
        return false;
    for (uint32_t i = 0; i < w->r->row->without_count; i++)
        bl_secret_ask(sought, w->r->row->first_without + i);
    return w->r->row->without_count == 0 || bl_secret_seek(sought, text, 0, w->r->steps);
}

enum bl_status bl_view_rounds(const struct bl_view_rounds *rounds, bl_str text,
                              const struct bl_secret_sought *sought)
{
    struct walk w = {.r = rounds};
    const struct bl_module_view *row = rounds->row;
    struct bl_view first = {.text = text};
    const struct bl_view *at = &first;
    struct bl_secret_sought next;

    if (!bl_view_shows(row))
        return BL_OK;
    for (unsigned i = 0; i < ROUNDS; i++) {
        const struct bl_view *last;
        enum bl_status status = go_round(&w, at, i == 0 ? sought : &next, &last);

        if (status != BL_OK || w.done || last == at || i + 1 == ROUNDS)
            return status;
        struct bl_view *changed = BL_NEW(rounds->arena, struct bl_view);
        if (changed == NULL ||
            (!rounds->whole && !bl_view_changed(rounds->arena, last, at, changed)))
            return BL_ERR_NOMEM;
        at = rounds->whole ? last : changed;
        if (!seek(&w, at->text, &next))
            return BL_ERR_NOMEM;
    }
    return BL_OK;
}
