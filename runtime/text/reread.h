/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TEXT_REREAD_H
#define BL_TEXT_REREAD_H

#include "base/arena.h"

/* The second reading: cmark-gfm parses what the cleaner made, and rules of their own judge what
 * it sees. What shows and is not in `allowed` is named: links, images, HTML, tables, notes,
 * checkboxes, alerts, mentions, references, formulas; with the words heading_mark and drawn of
 * cleaning.def also headings and blocks that GitHub draws. The answer is a string literal; the
 * empty slice when nothing shows. A text that is too costly to read, in memory or in steps,
 * shows "budget". One reading at a time in a process. */
struct bl_reread_rules {
    const bl_str *allowed; /* targets of links and references as they are written */
    size_t count;
    uint32_t words; /* bit for each bl_clean_word of the sanitizer */
};

bl_str bl_reread(struct bl_arena *arena, bl_str text, const struct bl_reread_rules *rules);

/* What stands in `without` for each text of others. */
#define BL_REREAD_STAND_IN "standing-in-for-others"

/* The same of a text among other words, where it may become live though it is not alone.
 * `without` is the whole with the stand-in for it: what shows there is ours and has to show
 * again, in its order, and nothing else may. Shows "surroundings" when the text changed how the
 * words around it are read. */
bl_str bl_reread_in_place(struct bl_arena *arena, bl_str text, bl_str without,
                          const struct bl_reread_rules *rules);

#endif
