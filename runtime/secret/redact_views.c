/* SPDX-License-Identifier: Apache-2.0 */
#include "secret/redact_parts.h"
#include "secret/view.h"

/* A text as its other readers have it: what is found there is masked in the text itself. */

#define ROUNDS 3u /* what was encoded twice, and once more */
#define VIEWS  8u /* of a round */

/* In the text itself a piece may not end where two lines were put together. */
static bool note_joined(struct bl_redacting *g, const struct bl_secret_spans *spans)
{
    if (g->joined == NULL)
        g->joined = BL_NEW_ARRAY(&g->scratch, g->text.len + 1, bool);
    for (size_t i = 0; g->joined != NULL && i < spans->wholes.count; i++) {
        for (size_t at = spans->wholes.items[i].lo + 1; at <= spans->wholes.items[i].hi; at++)
            g->joined[at] = true;
    }
    return g->joined != NULL;
}

static enum bl_status leave_out(struct bl_redacting *g, const struct bl_view *parent,
                                const struct bl_secret_sought *sought, struct bl_view *out)
{
    const struct bl_module_redaction *row = g->r->row;
    struct bl_secret_spans spans = {.failed = false};

    *out = (struct bl_view){.text = parent->text, .parent = parent};
    for (uint32_t i = 0; i < row->view.without_count; i++) {
        if (bl_secret_may_find(sought, row->view.first_without + i) &&
            !bl_secret_part_each(&g->scratch, sought, row->view.first_without + i, parent->text,
                                 parent->parent == NULL ? g->from : 0, &spans, &g->out->steps))
            return BL_ERR_NOMEM;
    }
    if (spans.list.count == 0)
        return BL_OK;
    if (parent->parent == NULL && !note_joined(g, &spans))
        return BL_ERR_NOMEM;
    bool *gone = BL_NEW_ARRAY(&g->scratch, parent->text.len + 1, bool);
    return gone != NULL && bl_view_without(&g->scratch, parent, spans.list.items,
                                           spans.list.count, gone, out)
               ? BL_OK
               : BL_ERR_NOMEM;
}

/* Looks in the view; *sought: what was sought there. */
static enum bl_status look(struct bl_redacting *g, const struct bl_view *view,
                           struct bl_secret_sought *sought)
{
    struct bl_redacting seen = *g;

    seen.text = view->text;
    seen.from = 0;
    seen.hits.items = NULL;
    seen.hits.count = seen.hits.capacity = 0;
    enum bl_status status = bl_redact_find_in(&seen);
    g->scratch = seen.scratch;
    *sought = seen.sought;
    sought->arena = &g->scratch;
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

static enum bl_status look_at_lines(struct bl_redacting *g, const struct bl_view *view,
                                    struct bl_view *lines, struct bl_secret_sought *sought)
{
    return bl_view_lines(&g->scratch, view, lines) ? look(g, lines, sought) : BL_ERR_NOMEM;
}

/* Of what is folded then, all; else the lines that it changed. */
static enum bl_status decode(struct bl_redacting *g, const struct bl_view *parent,
                             struct bl_view *out)
{
    const struct bl_module_view *row = &g->r->row->view;

    return bl_view_decoded(&g->scratch, parent, row->decoded, row->folded == 0, out,
                           &g->out->steps) &&
                   (row->folded == 0 || bl_secret_shadow(&g->scratch, out->text, &out->text))
               ? BL_OK
               : BL_ERR_NOMEM;
}

/* *lines: those of a decoded view, which is them already when nothing is folded. */
static enum bl_status look_at_decoded(struct bl_redacting *g, const struct bl_view *view,
                                      struct bl_view *lines, struct bl_secret_sought *sought)
{
    if (g->r->row->view.folded != 0)
        return look_at_lines(g, view, lines, sought);
    *lines = *view;
    return look(g, lines, sought);
}

static enum bl_status fold(struct bl_redacting *g, const struct bl_view *parent,
                           struct bl_view *out)
{
    g->out->steps += parent->text.len;
    return bl_view_folded(&g->scratch, parent, g->r->row->view.folded, out) ? BL_OK
                                                                            : BL_ERR_NOMEM;
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

    for (; *i < g->change_count && (g->changes[*i].lo < lines.hi || lines.hi == 0); *i += 1) {
        const struct bl_text_change *change = &g->changes[*i];
        if (change->hi > lines.hi)
            lines.hi = bl_view_line_end(then, change->hi);
        *grown += change->size - (change->hi - change->lo); /* wraps, and back */
    }
    lines.now = bl_str_slice(g->shadow, begin, lines.hi + *grown);
    return lines;
}

/* Is a line of a change one that is decoded, in the text as it was or as it is? */
static enum bl_status is_change_decoded(struct bl_redacting *g, bool *decoded)
{
    const struct bl_view *before = &g->before->decoded;
    size_t piece = 0, grown = 0;
    enum bl_status status = BL_OK;

    for (size_t i = 0; i < g->change_count && status == BL_OK && !*decoded;) {
        struct changed_lines lines = changed_lines(g, &i, &grown);
        struct bl_view line = {.text = lines.now}, now;

        for (; piece < before->pieces.count && before->pieces.items[piece].from < lines.hi;
             piece++) {
            const struct bl_view_piece *at = &before->pieces.items[piece];
            *decoded = *decoded || (at->from >= lines.lo && at->len > 0);
        }
        if (!*decoded)
            status = decode(g, &line, &now);
        *decoded = *decoded || (status == BL_OK && now.pieces.count > 0);
    }
    return status;
}

/* A masked text of which other readers have what they had of the text: then all that they find
 * is masked already. Nothing was left out of either, and no line with a marker is decoded, so
 * that the decoded lines are the same. */
static void note_views(struct bl_redacting *g, const struct bl_view *left,
                       const struct bl_view *decoded)
{
    g->left_out = left->pieces.count > 0;
    g->decoded = *decoded;
    g->decoded.parent = NULL;
}

static enum bl_status is_seen(struct bl_redacting *g, const struct bl_view *left, bool *seen)
{
    bool decoded = false;
    enum bl_status status = BL_OK;

    *seen =
        g->before != NULL && g->taken_over && !g->before->left_out && left->pieces.count == 0;
    if (*seen)
        status = is_change_decoded(g, &decoded);
    *seen = *seen && !decoded;
    return status;
}

/* ---- all readers --------------------------------------------------------------------------
 */

enum bl_status bl_redact_views(struct bl_redacting *g)
{
    struct bl_view views[VIEWS * ROUNDS + 1] = {{.text = g->shadow}};
    const struct bl_view *at = &views[0];
    struct bl_secret_sought sought = g->sought, aside;
    enum bl_status status = BL_OK;
    bool changed = bl_view_shows(&g->r->row->view), seen = false;

    for (unsigned round = 0; round < ROUNDS && changed && status == BL_OK; round++) {
        struct bl_view *made = &views[VIEWS * round + 1];
        const struct bl_view *begun = at;

        status = leave_out(g, at, &sought, &made[0]);
        if (status == BL_OK && round == 0)
            status = is_seen(g, &made[0], &seen);
        if (status != BL_OK || seen)
            return status;
        if (made[0].pieces.count > 0) {
            status = look_at_lines(g, &made[0], &made[1], &sought);
            at = &made[1];
            /* Of an encoded word that ends where lines are put together both readings: its line
             * alone, and with the next one. */
            if (status == BL_OK)
                status = decode(g, begun, &made[4]);
            if (status == BL_OK && made[4].pieces.count > 0)
                status = look_at_decoded(g, &made[4], &made[5], &aside);
        }
        /* Each reading is of all of it: of what was changed, and of the rest. */
        if (status == BL_OK)
            status = decode(g, &made[0], &made[2]);
        if (round == 0)
            note_views(g, &made[0], &made[2]);
        if (status == BL_OK && made[2].pieces.count > 0) {
            status = look_at_decoded(g, &made[2], &made[3], &sought);
            at = &made[3];
        }
        if (status == BL_OK && g->r->row->view.folded != 0) {
            status = fold(g, &made[2], &made[6]);
            if (status == BL_OK && made[6].pieces.count > 0) {
                status = look_at_lines(g, &made[6], &made[7], &sought);
                at = &made[7];
            }
        }
        changed = at != begun;
    }
    return status;
}
