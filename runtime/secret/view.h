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
/* Whole lines of a text, from left to right; between two there is at least one that is none of
 * them. */
struct bl_view_lines {
    BL_VEC(struct bl_match) list;
};

/* Whether it reads anything otherwise. */
static inline bool bl_view_shows(const struct bl_module_view *row)
{
    return row->without_count > 0 || row->decoded != 0 || row->folded != 0;
}

/* ---- what a reader makes of a text: false when out of memory; nothing changed: no pieces --
 */

/* `parent` without the spans, which stand from left to right; none touches another. */
bool bl_view_without(struct bl_arena *arena, const struct bl_view *parent,
                     const struct bl_match *spans, size_t count, struct bl_view *out);
/* `parent` with what `decodings` (bits) names decoded, each place once. Linear; adds to *steps
 * what it took. */
bool bl_view_decoded(struct bl_arena *arena, const struct bl_view *parent, unsigned decodings,
                     struct bl_view *out, uint64_t *steps);
/* `parent` with what `foldings` (bits) names folded. Valid UTF-8. Linear. */
bool bl_view_folded(struct bl_arena *arena, const struct bl_view *parent, unsigned foldings,
                    struct bl_view *out);

/* ---- lines: most of a text reads like it stands there -------------------------------------
 */

/* Adds the lines of bytes of the text, which begin behind all that was added before, or in the
 * last of those lines. False when out of memory; so below. */
bool bl_view_add_lines(struct bl_arena *arena, bl_str text, struct bl_match bytes,
                       struct bl_view_lines *out);
/* Adds the lines in which bl_view_decoded or bl_view_folded changes something. */
bool bl_view_decoded_lines(struct bl_arena *arena, bl_str text, unsigned decodings,
                           struct bl_view_lines *out, uint64_t *steps);
bool bl_view_folded_lines(struct bl_arena *arena, bl_str text, unsigned foldings,
                          struct bl_view_lines *out, uint64_t *steps);
/* Those that one or the other has. */
bool bl_view_all_lines(struct bl_arena *arena, const struct bl_view_lines *some,
                       const struct bl_view_lines *others, struct bl_view_lines *out);
/* These lines of `parent`, and no others. */
bool bl_view_of_lines(struct bl_arena *arena, const struct bl_view *parent,
                      const struct bl_view_lines *lines, struct bl_view *out);
/* Of the view the lines of its parent that it changed, and no others: what stands in those was
 * looked at before. */
bool bl_view_changed_lines(struct bl_arena *arena, const struct bl_view *view,
                           struct bl_view *out);
/* Of the view the lines that are others than in `before`, from which it was made in one step or
 * several, and the one behind each, which may go on in it now. */
bool bl_view_changed(struct bl_arena *arena, const struct bl_view *view,
                     const struct bl_view *before, struct bl_view *out);
/* Of the line that holds the place: where it begins, but not in front of `least`, and where the
 * next one does. */
size_t bl_view_line_begin(bl_str text, size_t at, size_t least);
size_t bl_view_line_end(bl_str text, size_t at);

/* Bytes of the view as bytes of the text that the first parent is. */
struct bl_match bl_view_back(const struct bl_view *view, struct bl_match match);

#endif
