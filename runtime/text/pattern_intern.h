/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TEXT_PATTERN_INTERN_H
#define BL_TEXT_PATTERN_INTERN_H

#include "base/arena.h"

/* Numbers distinct keys (strings of bytes) in the order in which they are first seen: sets of
 * states, sets of characters, lists of outputs. */
struct bl_pattern_interner {
    struct bl_arena *arena;
    BL_VEC(struct bl_pattern_key) keys;
    uint32_t *slots; /* open addressing; number + 1 of a key, 0 for none */
    size_t slot_count;
};

struct bl_pattern_key {
    uint64_t hash;
    const void *bytes;
    size_t size;
};

#define BL_INTERN_FAILED UINT32_MAX

/* The number of the key, which is copied when it is new (then it is the count before the call).
 * BL_INTERN_FAILED when out of memory. */
uint32_t bl_pattern_intern(struct bl_pattern_interner *interner, const void *bytes,
                           size_t size);

#endif
