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
                     const struct bl_match *spans, size_t count, bool *gone,
                     struct bl_view *out)
{
    bl_str text = parent->text;
    struct bl_buf left;

    *out = (struct bl_view){.text = text, .parent = parent};
    if (count == 0)
        return true;
    for (size_t i = 0; i < count; i++) {
        for (size_t at = spans[i].lo; at < spans[i].hi; at++)
            gone[at] = true;
    }
    bl_buf_init(&left, arena, text.len + 1);
    for (size_t at = 0; at < text.len;) {
        size_t end = at;

        while (end < text.len && gone[end] == gone[at])
            end++;
        if (!gone[at])
            bl_buf_put(&left, bl_str_slice(text, at, end));
        else if (!add_gap(arena, out, left.len, at, end - at))
            return false;
        at = end;
    }
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

bool bl_view_lines(struct bl_arena *arena, const struct bl_view *view, struct bl_view *out)
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
    size_t gap = 0; /* where what stays away begins */

    *out = (struct bl_view){.parent = view};
    bl_buf_init(&lines, arena, text.len + 1);
    for (size_t at = 0, end; at < text.len; at = end) {
        end = bl_view_line_end(text, at);
        struct bl_match was = back_to(view, before, (struct bl_match){at, end});
        if (bl_str_equal(bl_str_slice(before->text, was.lo, was.hi),
                         bl_str_slice(text, at, end)))
            continue;
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
