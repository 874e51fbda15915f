/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TEXT_SECTIONS_H
#define BL_TEXT_SECTIONS_H

#include "base/arena.h"
#include "base/status.h"

/* A section below a heading, in a Markdown file that somebody wrote. */

/* Is one of the headings of the file one of these titles, whatever the case? BL_ERR_NOMEM. */
BL_NODISCARD enum bl_status bl_section_find(struct bl_arena *arena, bl_str file,
                                            const bl_str *titles, size_t count, bool *found);

/* The file with a section behind all that it has, in the line ends that it has: what was there
 * stays byte for byte. The heading is of the first level in a file without text, else of the
 * second. BL_ERR_REFUSED when the heading would be none, since the file ends within a fence, a
 * comment or other HTML; BL_ERR_NOMEM. */
BL_NODISCARD enum bl_status bl_section_add(struct bl_arena *arena, bl_str file, bl_str title,
                                           bl_str words, bl_str *out);

/* The file with a line behind all others, in the line ends that it has. BL_ERR_NOMEM. */
BL_NODISCARD enum bl_status bl_line_add(struct bl_arena *arena, bl_str file, bl_str line,
                                        bl_str *out);

#endif
