/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_WORLD_SNAPSHOT_TABLE_H
#define BL_WORLD_SNAPSHOT_TABLE_H

#include "base/arena.h"

#include <stdint.h>

/* A set of things found by a hash and a comparison. Private to this room. */

struct bl_snapshot_slot {
    uint64_t hash;
    void *item; /* NULL: free */
};
struct bl_snapshot_table {
    struct bl_snapshot_slot *slots;
    size_t capacity; /* a power of two, or 0 */
    size_t count;
};

/* The item for which `same` says yes, among those of this hash; NULL when there is none. */
void *bl_snapshot_table_find(const struct bl_snapshot_table *table, uint64_t hash,
                             bool (*same)(const void *item, const void *wanted),
                             const void *wanted);
/* Adds an item that is not there yet. False when out of memory. */
bool bl_snapshot_table_add(struct bl_snapshot_table *table, struct bl_arena *arena,
                           uint64_t hash, void *item);

#endif
