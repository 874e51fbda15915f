/* SPDX-License-Identifier: Apache-2.0 */
#include "world/snapshot_table.h"

#define FIRST_CAPACITY 64

void *bl_snapshot_table_find(const struct bl_snapshot_table *table, uint64_t hash,
                             bool (*same)(const void *item, const void *wanted),
                             const void *wanted)
{
    if (table->capacity == 0) {
        return NULL;
    }
    size_t at = (size_t)hash & (table->capacity - 1);
    for (; table->slots[at].item != NULL; at = (at + 1) & (table->capacity - 1)) {
        if (table->slots[at].hash == hash && same(table->slots[at].item, wanted)) {
            return table->slots[at].item;
        }
    }
    return NULL;
}

static void put(struct bl_snapshot_slot *slots, size_t capacity, uint64_t hash, void *item)
{
    size_t at = (size_t)hash & (capacity - 1);
    while (slots[at].item != NULL) {
        at = (at + 1) & (capacity - 1);
    }
    slots[at] = (struct bl_snapshot_slot){hash, item};
}

bool bl_snapshot_table_add(struct bl_snapshot_table *table, struct bl_arena *arena,
                           uint64_t hash, void *item)
{
    /* Half of the slots stay free, so that a search ends soon. */
    if (table->count >= table->capacity / 2) {
        size_t capacity = table->capacity == 0 ? FIRST_CAPACITY : table->capacity * 2;
        struct bl_snapshot_slot *slots = BL_NEW_ARRAY(arena, capacity, struct bl_snapshot_slot);
        if (slots == NULL) {
            return false;
        }
        for (size_t i = 0; i < table->capacity; i++) {
            if (table->slots[i].item != NULL) {
                put(slots, capacity, table->slots[i].hash, table->slots[i].item);
            }
        }
        table->slots = slots;
        table->capacity = capacity;
    }
    put(table->slots, table->capacity, hash, item);
    table->count++;
    return true;
}
