/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_SYNTAX_FORMAT_H
#define BL_SYNTAX_FORMAT_H

#include "base/buf.h"
#include "base/diagnostic.h"

/* The one look of policies.
 *
 * Blocks are indented by two blanks, a clause has a line of its own, between tokens stands one
 * blank or none. What the author chose stays where it is a choice: a line break inside a
 * clause, one blank line, a block on one line that fits, and columns: where neighbouring
 * clauses of a block have tokens below each other, and at least one of them more than one blank
 * in front of it, they stand below each other afterwards. The arrows of neighbouring rows
 * always do. A comment behind a clause keeps its column. Lines that do not fit BL_FORMAT_WIDTH
 * get their blocks opened, then a break in front of an operator or behind = and commas.
 *
 * Comments, texts and patterns are never changed, apart from blanks at the end of a comment.
 * Lines end with LF. */

#define BL_FORMAT_WIDTH 120

/* Writes source number `source` in that look. Formatting the result again changes nothing, and
 * it has the same tokens and comments in the same order (a comment behind a block that had to
 * be opened moves to the line of its brace). Both are checked here.
 *
 * BL_ERR_INVALID: the source has mistakes, which are in the sink; BL_ERR_LIMIT: the result is
 * larger than a source may be; BL_ERR_NOMEM; BL_ERR_INTERNAL: it would not have meant the same.
 * Then `out` holds nothing of use. O(n log n). */
BL_NODISCARD enum bl_status bl_format(struct bl_arena *arena, struct bl_sources *sources,
                                      uint32_t source, struct bl_diagnostics *sink,
                                      struct bl_buf *out);

#endif
