/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_BASE_ARENA_H
#define BL_BASE_ARENA_H

#include "base/status.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Where blocks come from. Tests pass one that fails on its n-th call. `allocate` returns NULL
 * on failure; `release` takes what `allocate` gave. */
struct bl_allocator {
    void *(*allocate)(void *context, size_t size);
    void (*release)(void *context, void *block);
    void *context;
};

/* malloc and free; the one place of the libraries that calls them. */
const struct bl_allocator *bl_allocator_default(void);

struct bl_arena_block;

/* A growing region that is freed as one. One lives as long as a compile, one as long as an
 * event. Failure is sticky: after the first failed allocation every further one returns NULL,
 * so callers may build on and look at `failed` once, at their public entry. Memory is zeroed.
 */
struct bl_arena {
    const struct bl_allocator *allocator;
    struct bl_arena_block *newest;
    size_t used;  /* bytes handed out, alignment included */
    size_t limit; /* `used` never exceeds it */
    bool failed;
};

struct bl_arena_mark {
    struct bl_arena_block *block;
    size_t block_used;
    size_t used;
};

/* `allocator` NULL is the default one. Cannot fail: the first block comes with the first use.
 */
void bl_arena_init(struct bl_arena *arena, size_t limit, const struct bl_allocator *allocator);
/* Frees everything; the arena may be used again (its failure is forgotten). */
void bl_arena_reset(struct bl_arena *arena);

/* Zeroed memory aligned for any type, or NULL with `failed` set. `count * size` may not
 * overflow. */
void *bl_arena_alloc(struct bl_arena *arena, size_t count, size_t size);
#define BL_NEW(arena, type) ((type *)bl_arena_alloc((arena), 1, sizeof(type)))
#define BL_NEW_ARRAY(arena, count, type)                                                       \
    ((type *)bl_arena_alloc((arena), (count), sizeof(type)))

/* `old` (NULL, or an allocation of `old_size` bytes) with room for `new_size` bytes, the new
 * ones zeroed: where it stands when it was the last allocation, else a copy. NULL on failure,
 * and `old` stays. Never shrinks. */
void *bl_arena_grow(struct bl_arena *arena, void *old, size_t old_size, size_t new_size);

/* Doubles the capacity of an array; false when out of memory. */
bool bl_arena_grow_array(struct bl_arena *arena, void **items, size_t *capacity, size_t size);
/* Room for one more element behind `*count` elements in an array that doubles: returns the
 * address of the new, zeroed element and raises `*count`, or NULL. `*items` starts as NULL. The
 * old array stays in the arena. */
static inline void *bl_arena_push(struct bl_arena *arena, void **items, size_t *count,
                                  size_t *capacity, size_t size)
{
    if (*count == *capacity && !bl_arena_grow_array(arena, items, capacity, size))
        return NULL;
    void *slot = (char *)*items + *count * size;
    *count += 1;
    /* The slot was used before when the owner lowered its count. */
    memset(slot, 0, size);
    return slot;
}
#define BL_PUSH(arena, vec)                                                                    \
    bl_arena_push((arena), (void **)&(vec).items, &(vec).count, &(vec).capacity,               \
                  sizeof(*(vec).items))
/* A growing array in an arena: struct { T *items; size_t count, capacity; }. */
#define BL_VEC(type)                                                                           \
    struct {                                                                                   \
        type *items;                                                                           \
        size_t count;                                                                          \
        size_t capacity;                                                                       \
    }

/* A copy that ends with a NUL behind its length. The empty slice on failure. */
bl_str bl_arena_copy(struct bl_arena *arena, bl_str s);

/* Everything allocated after the mark goes; pointers into it are dead. */
struct bl_arena_mark bl_arena_mark(const struct bl_arena *arena);
void bl_arena_release(struct bl_arena *arena, struct bl_arena_mark mark);

#endif
