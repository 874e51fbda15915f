/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TEXT_REREAD_H
#define BL_TEXT_REREAD_H

#include "base/arena.h"

/* The second reading: cmark-gfm parses what the cleaner made, and rules of their own judge what
 * it sees. Links, images, HTML, tables and notes that are not in `allowed`, mentions and
 * references in the text that are not: the name of the first that shows, a string literal; the
 * empty slice when nothing does. A text that is too costly to read, in memory or in steps,
 * shows "budget".
 *
 * `allowed`: targets of links and references as they are written. One reading at a time in a
 * process. */
bl_str bl_reread(struct bl_arena *arena, bl_str text, const bl_str *allowed, size_t count);

#endif
