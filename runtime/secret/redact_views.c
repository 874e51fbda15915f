/* SPDX-License-Identifier: Apache-2.0 */
#include "secret/redact_parts.h"
#include "secret/view_rounds.h"

/* A text as its other readers have it: what is found there is masked in the text itself. */

/* In the text itself a piece may not end where two lines were put together. */
static bool note_joined(struct bl_redacting *g, const struct bl_secret_spans *spans)
{
    if (spans->wholes.count == 0)
        return true;
    g->joined = BL_NEW_ARRAY(&g->scratch, g->text.len + 1, bool);
    for (size_t i = 0; g->joined != NULL && i < spans->wholes.count; i++) {
        for (size_t at = spans->wholes.items[i].lo + 1; at <= spans->wholes.items[i].hi; at++)
            g->joined[at] = true;
    }
    return g->joined != NULL;
}

/* Carries what a view has back to the text. */
static enum bl_status look(void *context, const struct bl_view *view, unsigned read, bool *done)
{
    struct bl_redacting *g = context;
    struct bl_redacting seen = *g;

    (void)read;
    (void)done;
    seen.text = view->text;
    seen.from = 0;
    seen.hits.items = NULL;
    seen.hits.count = seen.hits.capacity = 0;
    enum bl_status status = bl_redact_find_in(&seen);
    g->scratch = seen.scratch;
    for (size_t i = 0; i < seen.hits.count && status == BL_OK; i++) {
        struct bl_redact_hit hit = seen.hits.items[i];
        struct bl_match back = bl_view_back(view, (struct bl_match){hit.lo, hit.hi});
        hit.value = bl_str_slice(view->text, hit.lo, hit.hi);
        hit.whole = bl_view_back(view, hit.whole);
        hit.lo = back.lo;
        hit.hi = back.hi;
        struct bl_redact_hit *slot = hit.lo < hit.hi ? BL_PUSH(&g->scratch, g->hits) : &hit;
        if (slot == NULL)
            return BL_ERR_NOMEM;
        *slot = hit;
    }
    return status;
}

/* ---- a masked text ------------------------------------------------------------------------
 */

/* Changes that stand in the same lines, of the text as it was and as it is. */
struct changed_lines {
    size_t lo, hi;
    bl_str now;
};

/* From change *i on, which moves behind the last. */
static struct changed_lines changed_lines(const struct bl_redacting *g, size_t *i,
                                          size_t *grown)
{
    bl_str then = g->before->shadow;
    struct changed_lines lines = {.lo = bl_view_line_begin(then, g->changes[*i].lo, 0)};
    size_t begin = lines.lo + *grown;

    for (; *i < g->change_count && (g->changes[*i].lo <= lines.hi || lines.hi == 0); *i += 1) {
        const struct bl_text_change *change = &g->changes[*i];
        if (change->hi > lines.hi)
            lines.hi = bl_view_line_end(then, change->hi);
        *grown += change->size - (change->hi - change->lo); /* wraps, and back */
    }
    lines.now = bl_str_slice(g->shadow, begin, lines.hi + *grown);
    return lines;
}

/* Is a line of a change one that is read otherwise, in the text as it was or as it is? */
static bool is_change_read(struct bl_redacting *g, const struct bl_view_rounds *rounds,
                           bool *read)
{
    const struct bl_view_lines *before = &g->before->read_otherwise;
    const struct bl_secret_spans none = {.failed = false};
    size_t line = 0, grown = 0;

    for (size_t i = 0; i < g->change_count && !*read;) {
        struct changed_lines lines = changed_lines(g, &i, &grown);
        struct bl_view_lines now;

        while (line < before->list.count && before->list.items[line].hi <= lines.lo)
            line++;
        *read = line < before->list.count && before->list.items[line].lo < lines.hi;
        if (!*read && !bl_view_find_lines(rounds, lines.now, &none, &now))
            return false;
        *read = *read || now.list.count > 0;
    }
    return true;
}

/* A masked text of which other readers have what they had of the text: then all that they find
 * is masked already. Nothing was left out of either, and no line with a marker is read
 * otherwise, so that those lines are the same. */
static bool is_seen(struct bl_redacting *g, const struct bl_view_rounds *rounds, bool *seen)
{
    bool read = false;

    *seen = g->before != NULL && g->taken_over && !g->before->left_out && !g->left_out;
    if (*seen && !is_change_read(g, rounds, &read))
        return false;
    *seen = *seen && !read;
    return true;
}

/* ---- all readers --------------------------------------------------------------------------
 */

enum bl_status bl_redact_views(struct bl_redacting *g)
{
    const struct bl_view_rounds rounds = {.arena = &g->scratch,
                                          .m = g->r->m,
                                          .row = &g->r->row->view,
                                          .sieve = g->r->row->sieve,
                                          .look = look,
                                          .context = g,
                                          .steps = &g->out->steps};
    struct bl_view_places places;
    bool seen = false;

    if (!bl_view_shows(rounds.row))
        return BL_OK;
    if (!bl_view_find_left_out(&rounds, g->shadow, &g->sought, g->from, &places.left_out) ||
        !note_joined(g, &places.left_out))
        return BL_ERR_NOMEM;
    g->left_out = places.left_out.list.count > 0;
    if (!is_seen(g, &rounds, &seen))
        return BL_ERR_NOMEM;
    if (seen)
        return BL_OK;
    if (!bl_view_find_lines(&rounds, g->shadow, &places.left_out, &places.lines))
        return BL_ERR_NOMEM;
    g->read_otherwise = places.lines;
    return bl_view_rounds(&rounds, g->shadow, &places);
}
