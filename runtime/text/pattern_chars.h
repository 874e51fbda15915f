/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TEXT_PATTERN_CHARS_H
#define BL_TEXT_PATTERN_CHARS_H

#include "base/arena.h"

/* Sets of code points, and the classes into which the sets of a pattern divide all code points:
 * two code points of one class are in the same sets, so an automaton needs one column for both.
 * Used by the compiler of patterns alone. */

#define BL_CODE_POINT_MAX 0x10FFFFu

struct bl_char_range {
    uint32_t lo, hi; /* both are members */
};

/* Ranges in ascending order that neither overlap nor touch. */
struct bl_chars {
    const struct bl_char_range *ranges;
    size_t count;
};

struct bl_chars_builder {
    struct bl_arena *arena;
    BL_VEC(struct bl_char_range) ranges;
};

void bl_chars_add(struct bl_chars_builder *builder, uint32_t lo, uint32_t hi);
void bl_chars_add_set(struct bl_chars_builder *builder, struct bl_chars set);
/* The set of all that was added; with `fold` also the other case of each ASCII letter; with
 * `negate` everything but that. */
struct bl_chars bl_chars_finish(struct bl_chars_builder *builder, bool fold, bool negate);
struct bl_chars bl_chars_negate(struct bl_arena *arena, struct bl_chars set);
/* The class that \p{name} means (pattern_unicode.def); no ranges when the name is unknown. */
struct bl_chars bl_chars_unicode(bl_str name);

/* What an assertion can ask of the character on one side of a place. EDGE: there is none. */
enum bl_char_kind {
    BL_CHAR_EDGE,
    BL_CHAR_WORD, /* ASCII letters, digits, underscore */
    BL_CHAR_LINE, /* line feed */
    BL_CHAR_OTHER,
};
#define BL_CHAR_KINDS 4u

/* Bits (1 << kind) of the kinds that have members in the set. */
unsigned bl_chars_kinds(struct bl_chars set);
/* The members of one kind. */
struct bl_chars bl_chars_of_kind(struct bl_arena *arena, struct bl_chars set,
                                 enum bl_char_kind kind);

struct bl_char_classes {
    size_t count;
    uint8_t ascii[128];   /* class of each */
    uint32_t *wide_lo;    /* code points from wide_lo[i] up to the next are of wide_class[i]; */
    uint16_t *wide_class; /* wide_lo[0] is 0x80 */
    size_t wide_count;
    uint8_t *kinds; /* enum bl_char_kind of each class; of a class of several kinds, any */
    uint32_t *at; /* members[at[i]] up to members[at[i + 1]]: the classes of set i, ascending */
    uint16_t *members;
};

/* Divides all code points by `sets`, and by kinds too when `by_kind`. Numbers classes by the
 * first code point in each. False when out of memory or when there are more classes than
 * UINT16_MAX. */
bool bl_char_classes_make(struct bl_arena *arena, const struct bl_chars *sets, size_t count,
                          bool by_kind, struct bl_char_classes *out);

#endif
