/* SPDX-License-Identifier: Apache-2.0 */
#include "text/pattern_intern.h"

#include <string.h>

/* Eight bytes a step, since compiling spends much of its time here. */
static uint64_t hash_bytes(const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    uint64_t hash = size * UINT64_C(0x9E3779B97F4A7C15);
    while (size > 0) {
        uint64_t word = 0;
        size_t step = size < sizeof(word) ? size : sizeof(word);
        memcpy(&word, at, step);
        hash = (hash ^ word) * UINT64_C(0xFF51AFD7ED558CCD);
        hash ^= hash >> 32;
        at += step;
        size -= step;
    }
    return hash;
}

static bool grow(struct bl_pattern_interner *interner)
{
    size_t count = interner->slot_count == 0 ? 64 : interner->slot_count * 2;
    uint32_t *slots = BL_NEW_ARRAY(interner->arena, count, uint32_t);
    if (slots == NULL) {
        return false;
    }
    for (size_t i = 0; i < interner->keys.count; i++) {
        size_t at = interner->keys.items[i].hash & (count - 1);
        while (slots[at] != 0) {
            at = (at + 1) & (count - 1);
        }
        slots[at] = (uint32_t)i + 1;
    }
    interner->slots = slots;
    interner->slot_count = count;
    return true;
}

uint32_t bl_pattern_intern(struct bl_pattern_interner *interner, const void *bytes, size_t size)
{
    if (interner->keys.count * 2 >= interner->slot_count && !grow(interner)) {
        return BL_INTERN_FAILED;
    }
    uint64_t hash = hash_bytes(bytes, size);
    size_t mask = interner->slot_count - 1;
    size_t at = hash & mask;
    for (; interner->slots[at] != 0; at = (at + 1) & mask) {
        const struct bl_pattern_key *key = &interner->keys.items[interner->slots[at] - 1];
        if (key->hash == hash && key->size == size &&
            (size == 0 || memcmp(key->bytes, bytes, size) == 0)) {
            return interner->slots[at] - 1;
        }
    }
    void *copy = bl_arena_alloc(interner->arena, size, 1);
    struct bl_pattern_key *key = BL_PUSH(interner->arena, interner->keys);
    if (copy == NULL || key == NULL) {
        return BL_INTERN_FAILED;
    }
    if (size > 0) {
        memcpy(copy, bytes, size);
    }
    *key = (struct bl_pattern_key){hash, copy, size};
    interner->slots[at] = (uint32_t)interner->keys.count;
    return interner->slots[at] - 1;
}
