/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TEXT_PATTERN_TREE_H
#define BL_TEXT_PATTERN_TREE_H

#include "text/pattern.h"
#include "text/pattern_chars.h"

/* The source of a pattern as a tree. */

/* A place between two characters as 16 bits, one for each pair of kinds (enum bl_char_kind):
 * bit 4 * before + behind. An assertion is the set of the pairs at which it holds; several that
 * hold at one place are the AND of theirs, so no assertion survives the compiler's first step.
 */
typedef uint32_t bl_context;
#define BL_CONTEXT_ALL                 ((bl_context)0xFFFF)
#define BL_CONTEXT_BIT(before, behind) ((bl_context)1 << (4u * (before) + (behind)))

enum bl_pattern_node_kind {
    BL_NODE_EMPTY,
    BL_NODE_CHARS,  /* one character of a set */
    BL_NODE_ASSERT, /* nothing, where the context allows */
    BL_NODE_JOIN,   /* the children one behind the other */
    BL_NODE_EITHER, /* one of the children */
    BL_NODE_REPEAT, /* the child `min` to `max` times */
};

#define BL_REPEAT_UNBOUNDED UINT32_MAX
#define BL_REPEAT_MAX       1000u

struct bl_pattern_node {
    enum bl_pattern_node_kind kind;
    uint32_t at; /* offset in the source; of a repeat, that of the quantifier */
    struct bl_chars chars;
    bl_context context;
    uint32_t min, max;                          /* max may be BL_REPEAT_UNBOUNDED */
    struct bl_pattern_node *child, *last_child; /* in order, linked by `next` */
    struct bl_pattern_node *next;
};

/* The root of a tree in `arena`; NULL with *error set when the source or the flags are not
 * right, or when out of memory. Nesting is at most BL_LIMIT_NESTING, so passes may recurse. */
struct bl_pattern_node *bl_pattern_parse(struct bl_arena *arena, bl_str source, bl_str flags,
                                         struct bl_pattern_error *error);
/* The tree of a plain text. */
struct bl_pattern_node *bl_pattern_literal(struct bl_arena *arena, bl_str text, bool fold);

#endif
