/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_BYTECODE_BUILDER_PARTS_H
#define BL_BYTECODE_BUILDER_PARTS_H

#include "bytecode/builder.h"

/* What the files of the builder share; nobody else includes it. */

struct intern_slot {
    uint64_t hash;
    uint32_t number; /* plus 1; 0: empty */
};
struct intern_table {
    struct intern_slot *slots;
    size_t capacity; /* 0 or a power of two */
    size_t count;
};

struct type_list {
    uint32_t first, count; /* in REGISTERS */
};

struct bl_builder_intern {
    struct intern_table by_text, by_const, by_set, by_pattern, by_types;
    BL_VEC(struct bl_string_ref) strings;
    BL_VEC(struct type_list) types;
    BL_VEC(struct bl_pattern) patterns; /* row by row of PATTERNS */
    BL_VEC(struct bl_pattern) sets;     /* row by row of SETS */
    BL_VEC(struct bl_pattern) sieves;   /* row by row of SIEVES */
};

bool bl_builder_is_good(const struct bl_builder *b);
void bl_builder_fail(struct bl_builder *b, enum bl_status status);
void bl_builder_over(struct bl_builder *b, enum bl_limit limit);
void bl_builder_wrong(struct bl_builder *b, const char *contract);

#endif
