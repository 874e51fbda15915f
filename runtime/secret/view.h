/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_SECRET_VIEW_H
#define BL_SECRET_VIEW_H

#include "base/arena.h"
#include "base/str.h"
#include "bytecode/module.h"
#include "text/pattern.h"

/* A text as another reader has it: without what that one does not see, or decoded. Each byte
 * knows where it comes from, so that what is found in a view can be masked in the text. */

/* Bytes of the view from `at` on, which stand for bytes of what it was made from. What stands
 * between two of them is the same in both. */
struct bl_view_piece {
    size_t at, len;
    size_t from, size;
};
struct bl_view {
    bl_str text;
    BL_VEC(struct bl_view_piece) pieces; /* from left to right */
    const struct bl_view *parent;        /* NULL: the text itself */
};

/* Whether it reads anything otherwise. */
static inline bool bl_view_shows(const struct bl_module_view *row)
{
    return row->without_count > 0 || row->decoded != 0 || row->folded != 0;
}
/* `parent` without the spans, which may overlap and need no order; `gone` is memory of as many
 * bytes as it has, all false. False when out of memory; nothing changed: no pieces. */
bool bl_view_without(struct bl_arena *arena, const struct bl_view *parent,
                     const struct bl_match *spans, size_t count, bool *gone,
                     struct bl_view *out);
/* `parent` with what `decodings` (bits) names decoded, each place once; nothing decoded: no
 * pieces. With `lines` of that the lines that it changed, and no others, as bl_view_lines has
 * them. Linear; adds to *steps what it took. */
bool bl_view_decoded(struct bl_arena *arena, const struct bl_view *parent, unsigned decodings,
                     bool lines, struct bl_view *out, uint64_t *steps);
/* `parent` with what `foldings` (bits) names folded. Valid UTF-8. Linear. */
bool bl_view_folded(struct bl_arena *arena, const struct bl_view *parent, unsigned foldings,
                    struct bl_view *out);
/* Of the view the lines of its parent that it changed, and no others: what stands in those was
 * looked at before. */
bool bl_view_lines(struct bl_arena *arena, const struct bl_view *view, struct bl_view *out);
/* Of the view the lines that are others than in `before`, from which it was made in one step or
 * several. */
bool bl_view_changed(struct bl_arena *arena, const struct bl_view *view,
                     const struct bl_view *before, struct bl_view *out);
/* Of the line that holds the place: where it begins, but not in front of `least`, and where the
 * next one does. */
size_t bl_view_line_begin(bl_str text, size_t at, size_t least);
size_t bl_view_line_end(bl_str text, size_t at);
/* Bytes of the view as bytes of the text that the first parent is. */
struct bl_match bl_view_back(const struct bl_view *view, struct bl_match match);

#endif
