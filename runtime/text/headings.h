/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TEXT_HEADINGS_H
#define BL_TEXT_HEADINGS_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/status.h"

/* The headings of a Markdown file with the anchors that GitHub gives them: in lower case, what
 * is no letter, digit, hyphen or underscore dropped, blanks as hyphens, and a number behind one
 * that was there before. Lines of # and underlined lines outside of fences, indented code, HTML
 * and the YAML in front; those within quotations and lists are not seen. */

struct bl_heading {
    bl_str text;   /* as it is read: without marks, targets of links and tags */
    bl_str anchor; /* without # */
};
struct bl_headings {
    BL_VEC(struct bl_heading) list;
};

/* Of a heading no more than 1,000 bytes are read. Linear; texts live in the arena or in `file`.
 * BL_ERR_NOMEM. */
BL_NODISCARD enum bl_status bl_headings_read(struct bl_arena *arena, bl_str file,
                                             struct bl_headings *out);

#endif
