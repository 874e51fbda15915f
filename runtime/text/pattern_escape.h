/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TEXT_PATTERN_ESCAPE_H
#define BL_TEXT_PATTERN_ESCAPE_H

#include "text/pattern_tree.h"

/* What the two halves of the parser share: pattern_parse.c reads the structure,
 * pattern_escape.c what stands for characters. */

struct bl_pattern_parser {
    struct bl_arena *arena;
    bl_str source;
    size_t at;
    size_t depth; /* of groups */
    bool fold, lines, dot_all;
    struct bl_pattern_error *error;
};

/* Sets *error, unless an earlier one stands there, and is false. */
bool bl_pattern_fail_at(struct bl_pattern_parser *parser, size_t at, bl_str message,
                        bl_str help);
#define BL_PATTERN_FAIL(parser, at, message, help)                                             \
    bl_pattern_fail_at((parser), (at), BL_STR(message), BL_STR(help))
void bl_pattern_out_of_memory(struct bl_pattern_error *error);

/* The byte at hand, or -1 at the end. */
int bl_pattern_peek(const struct bl_pattern_parser *parser);

struct bl_pattern_escape {
    struct bl_chars chars;
    bool is_class; /* \d and the like: no end of a range */
};
/* Reads from the backslash; false with an error. */
bool bl_pattern_escape_read(struct bl_pattern_parser *parser, bool in_class,
                            struct bl_pattern_escape *out);
/* Reads from '[' to behind ']'. No ranges with an error. */
struct bl_chars bl_pattern_class_read(struct bl_pattern_parser *parser);

#endif
