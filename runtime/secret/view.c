/* SPDX-License-Identifier: Apache-2.0 */
#include "secret/view.h"

#include "base/buf.h"

/* Views: leaving out, and the way back. view_decode.c decodes. */

static bool add_gap(struct bl_arena *arena, struct bl_view *out, size_t at, size_t from,
                    size_t size)
{
    struct bl_view_piece *slot = BL_PUSH(arena, out->pieces);

    if (slot != NULL)
        *slot = (struct bl_view_piece){at, 0, from, size};
    return slot != NULL;
}

bool bl_view_without(struct bl_arena *arena, const struct bl_view *parent,
                     const struct bl_match *spans, size_t count, struct bl_view *out)
{
    bl_str text = parent->text;
    struct bl_buf left;
    size_t at = 0;

    *out = (struct bl_view){.text = text, .parent = parent};
    if (count == 0)
        return true;
    bl_buf_init(&left, arena, text.len + 1);
    for (size_t i = 0; i < count; i++) {
        bl_buf_put(&left, bl_str_slice(text, at, spans[i].lo));
        if (!add_gap(arena, out, left.len, spans[i].lo, spans[i].hi - spans[i].lo))
            return false;
        at = spans[i].hi;
    }
    bl_buf_put(&left, bl_str_slice(text, at, text.len));
    out->text = bl_buf_str(&left);
    return !left.failed;
}

/* ---- lines --------------------------------------------------------------------------------
 */

size_t bl_view_line_begin(bl_str text, size_t at, size_t least)
{
    while (at > least && text.ptr[at - 1] != '\n')
        at--;
    return at;
}

size_t bl_view_line_end(bl_str text, size_t at)
{
    size_t end = bl_str_find_char(bl_str_slice(text, at, text.len), '\n');

    return end == SIZE_MAX ? text.len : at + end + 1;
}

bool bl_view_add_lines(struct bl_arena *arena, bl_str text, struct bl_match bytes,
                       struct bl_view_lines *out)
{
    struct bl_match *last = out->list.count > 0 ? &out->list.items[out->list.count - 1] : NULL;
    size_t behind = last != NULL ? last->hi : 0;

    if (last != NULL && bytes.hi < behind)
        return true;
    size_t begin = bl_view_line_begin(text, bytes.lo, behind);
    if (last == NULL || begin > behind) {
        last = BL_PUSH(arena, out->list);
        if (last == NULL)
            return false;
        last->lo = begin;
    }
    last->hi = bl_view_line_end(text, bytes.hi);
    return true;
}

bool bl_view_all_lines(struct bl_arena *arena, const struct bl_view_lines *some,
                       const struct bl_view_lines *others, struct bl_view_lines *out)
{
    size_t i = 0, k = 0;

    while (i < some->list.count || k < others->list.count) {
        bool first =
            k == others->list.count ||
            (i < some->list.count && some->list.items[i].lo < others->list.items[k].lo);
        struct bl_match next = first ? some->list.items[i++] : others->list.items[k++];
        struct bl_match *last =
            out->list.count > 0 ? &out->list.items[out->list.count - 1] : NULL;

        if (last != NULL && next.lo <= last->hi) {
            last->hi = next.hi > last->hi ? next.hi : last->hi;
            continue;
        }
        last = BL_PUSH(arena, out->list);
        if (last == NULL)
            return false;
        *last = next;
    }
    return true;
}

bool bl_view_of_lines(struct bl_arena *arena, const struct bl_view *parent,
                      const struct bl_view_lines *lines, struct bl_view *out)
{
    struct bl_buf text;
    size_t size = 0, at = 0;

    *out = (struct bl_view){.parent = parent};
    for (size_t i = 0; i < lines->list.count; i++)
        size += lines->list.items[i].hi - lines->list.items[i].lo;
    bl_buf_init(&text, arena, size + 1);
    for (size_t i = 0; i <= lines->list.count; i++) {
        bool is_end = i == lines->list.count;
        struct bl_match next = is_end ? (struct bl_match){parent->text.len, parent->text.len}
                                      : lines->list.items[i];

        if (next.lo > at && !add_gap(arena, out, text.len, at, next.lo - at))
            return false;
        bl_buf_put(&text, bl_str_slice(parent->text, next.lo, next.hi));
        at = next.hi;
    }
    out->text = bl_buf_str(&text);
    return !text.failed;
}

/* Bytes of the parent, up to the place, and where that is in the view. */
struct walking_lines {
    const struct bl_view *view;
    size_t from, at, end; /* `end`: of the lines at hand, in the parent */
    struct bl_buf text;
};

static void copy_to(struct walking_lines *w, size_t from)
{
    bl_buf_put(&w->text, bl_str_slice(w->view->text, w->at, w->at + (from - w->from)));
    w->at += from - w->from;
    w->from = from;
}

static bool begin_lines(struct bl_arena *arena, struct walking_lines *w, size_t from,
                        struct bl_view *out)
{
    copy_to(w, w->end);
    size_t begin = bl_view_line_begin(w->view->parent->text, from, w->end);
    if (begin > w->from && !add_gap(arena, out, w->text.len, w->from, begin - w->from))
        return false;
    w->at += begin - w->from;
    w->from = begin;
    return true;
}

bool bl_view_changed_lines(struct bl_arena *arena, const struct bl_view *view,
                           struct bl_view *out)
{
    struct walking_lines w = {.view = view};
    bl_str parent = view->parent->text;

    *out = (struct bl_view){.parent = view->parent};
    bl_buf_init(&w.text, arena, view->text.len + 1);
    for (size_t i = 0; i < view->pieces.count; i++) {
        struct bl_view_piece piece = view->pieces.items[i];

        if ((i == 0 || piece.from >= w.end) && !begin_lines(arena, &w, piece.from, out))
            return false;
        copy_to(&w, piece.from);
        struct bl_view_piece *slot = BL_PUSH(arena, out->pieces);
        if (slot == NULL)
            return false;
        *slot = (struct bl_view_piece){w.text.len, piece.len, piece.from, piece.size};
        bl_buf_put(&w.text, bl_str_slice(view->text, piece.at, piece.at + piece.len));
        w.from = piece.from + piece.size;
        w.at = piece.at + piece.len;
        if (w.from > w.end || i == 0)
            w.end = bl_view_line_end(parent, w.from);
    }
    copy_to(&w, w.end);
    out->text = bl_buf_str(&w.text);
    return !w.text.failed;
}

/* How many pieces begin in front of the place; at it, too, with `through`. */
static size_t pieces_before(const struct bl_view *view, size_t at, bool through)
{
    size_t lo = 0, hi = view->pieces.count;

    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        size_t begin = view->pieces.items[mid].at;
        if (begin < at || (through && begin == at))
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* A part of a piece stands for the whole of it; what is left out at an end stays outside. */
static size_t place_back(const struct bl_view *view, size_t at, bool is_end)
{
    size_t before = pieces_before(view, at, !is_end);

    if (before == 0)
        return at;
    const struct bl_view_piece *piece = &view->pieces.items[before - 1];
    if (at < piece->at + piece->len)
        return is_end ? piece->from + piece->size : piece->from;
    return piece->from + piece->size + (at - piece->at - piece->len);
}

static struct bl_match back_to(const struct bl_view *view, const struct bl_view *before,
                               struct bl_match match)
{
    for (; view != before && view->parent != NULL; view = view->parent)
        match = (struct bl_match){place_back(view, match.lo, false),
                                  place_back(view, match.hi, true)};
    return match;
}

struct bl_match bl_view_back(const struct bl_view *view, struct bl_match match)
{
    return back_to(view, NULL, match);
}

bool bl_view_changed(struct bl_arena *arena, const struct bl_view *view,
                     const struct bl_view *before, struct bl_view *out)
{
    bl_str text = view->text;
    struct bl_buf lines;
    size_t gap = 0;       /* where what stays away begins */
    bool follows = false; /* the line in front is another */

    *out = (struct bl_view){.parent = view};
    bl_buf_init(&lines, arena, text.len + 1);
    for (size_t at = 0, end; at < text.len; at = end) {
        end = bl_view_line_end(text, at);
        struct bl_match was = back_to(view, before, (struct bl_match){at, end});
        bool differs = !bl_str_equal(bl_str_slice(before->text, was.lo, was.hi),
                                     bl_str_slice(text, at, end));
        if (!differs && !follows)
            continue;
        follows = differs;
        if (at > gap && !add_gap(arena, out, lines.len, gap, at - gap))
            return false;
        bl_buf_put(&lines, bl_str_slice(text, at, end));
        gap = end;
    }
    if (text.len > gap && !add_gap(arena, out, lines.len, gap, text.len - gap))
        return false;
    out->text = bl_buf_str(&lines);
    return !lines.failed;
}
