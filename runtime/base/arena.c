/* SPDX-License-Identifier: Apache-2.0 */
#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* One #if with both conditions is refused by compilers that do not know __has_feature. */
#if defined(__SANITIZE_ADDRESS__)
#define HAS_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ASAN 1
#endif
#endif
#ifndef HAS_ASAN
#define HAS_ASAN 0
#endif

#if HAS_ASAN
#include <sanitizer/asan_interface.h>
#define POISON(ptr, size)   __asan_poison_memory_region((ptr), (size))
#define UNPOISON(ptr, size) __asan_unpoison_memory_region((ptr), (size))
/* Bytes that nobody may touch behind each allocation; without them the neighbour hides an
 * overrun of an allocation whose size is a multiple of the alignment. */
#define RED_ZONE ALIGNMENT
#else
#define POISON(ptr, size)   ((void)(ptr), (void)(size))
#define UNPOISON(ptr, size) ((void)(ptr), (void)(size))
#define RED_ZONE            0
#endif

#define ALIGNMENT   (_Alignof(max_align_t))
#define FIRST_BLOCK ((size_t)4 << 10)
/* Doubling stops here: a larger block would mostly stay empty. A single larger allocation gets
 * a block of its own size. */
#define LARGEST_BLOCK ((size_t)1 << 20)

struct bl_arena_block {
    struct bl_arena_block *older;
    size_t size; /* of `bytes` */
    size_t used;
    max_align_t bytes[];
};

static void *system_allocate(void *context, size_t size)
{
    (void)context;
    return malloc(size);
}

static void system_release(void *context, void *block)
{
    (void)context;
    free(block);
}

const struct bl_allocator *bl_allocator_default(void)
{
    static const struct bl_allocator allocator = {system_allocate, system_release, NULL};
    return &allocator;
}

static char *block_bytes(struct bl_arena_block *block)
{
    return (char *)block->bytes;
}

static void *fail(struct bl_arena *arena)
{
    arena->failed = true;
    return NULL;
}

/* Adds a block with room for `need` bytes. */
static bool add_block(struct bl_arena *arena, size_t need)
{
    size_t size = FIRST_BLOCK;
    if (arena->newest != NULL) {
        size =
            arena->newest->size < LARGEST_BLOCK / 2 ? arena->newest->size * 2 : LARGEST_BLOCK;
    }
    /* What the limit leaves is enough for all that can still come, and a small limit is meant
     * to keep the process small. */
    size_t left = arena->limit - arena->used;
    if (size > left) {
        size = left;
    }
    if (size < need) {
        size = need;
    }
    if (size > SIZE_MAX - sizeof(struct bl_arena_block)) {
        return false;
    }
    struct bl_arena_block *block = arena->allocator->allocate(
        arena->allocator->context, sizeof(struct bl_arena_block) + size);
    if (block == NULL) {
        return false;
    }
    block->older = arena->newest;
    block->size = size;
    block->used = 0;
    POISON(block_bytes(block), size);
    arena->newest = block;
    return true;
}

static void drop_newest(struct bl_arena *arena)
{
    struct bl_arena_block *block = arena->newest;
    arena->newest = block->older;
    UNPOISON(block_bytes(block), block->size);
    arena->allocator->release(arena->allocator->context, block);
}

void bl_arena_init(struct bl_arena *arena, size_t limit, const struct bl_allocator *allocator)
{
    *arena = (struct bl_arena){
        .allocator = allocator != NULL ? allocator : bl_allocator_default(),
        .limit = limit,
    };
}

void bl_arena_reset(struct bl_arena *arena)
{
    while (arena->newest != NULL) {
        drop_newest(arena);
    }
    arena->used = 0;
    arena->failed = false;
}

/* Bytes that an allocation of `size` takes of its limit; false when that number does not exist.
 */
static bool rounded(size_t size, size_t *out)
{
    if (size > SIZE_MAX - 2 * ALIGNMENT) {
        return false;
    }
    if (size == 0) {
        size = 1; /* so that two allocations never share an address */
    }
    *out = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return true;
}

void *bl_arena_alloc(struct bl_arena *arena, size_t count, size_t size)
{
    size_t bytes;
    size_t taken;
    if (arena->failed || __builtin_mul_overflow(count, size, &bytes) ||
        !rounded(bytes, &taken) || taken > arena->limit - arena->used) {
        return fail(arena);
    }
    size_t need = taken + RED_ZONE;
    struct bl_arena_block *block = arena->newest;
    if (block == NULL || need > block->size - block->used) {
        if (!add_block(arena, need)) {
            return fail(arena);
        }
        block = arena->newest;
    }
    char *result = block_bytes(block) + block->used;
    block->used += need;
    arena->used += taken;
    UNPOISON(result, bytes);
    memset(result, 0, bytes);
    return result;
}

void *bl_arena_grow(struct bl_arena *arena, void *old, size_t old_size, size_t new_size)
{
    struct bl_arena_block *block = arena->newest;
    size_t old_taken;
    size_t new_taken;
    if (old != NULL && new_size <= old_size) {
        return old;
    }
    if (arena->failed || !rounded(old_size, &old_taken) || !rounded(new_size, &new_taken)) {
        return fail(arena);
    }
    /* What came last is made longer where it stands: arrays and texts that grow by themselves
     * cost their final size then, and not twice that. */
    if (old != NULL && block != NULL && block->used >= old_taken + RED_ZONE &&
        (char *)old == block_bytes(block) + block->used - old_taken - RED_ZONE &&
        new_taken - old_taken <= block->size - block->used &&
        new_taken - old_taken <= arena->limit - arena->used) {
        block->used += new_taken - old_taken;
        arena->used += new_taken - old_taken;
        UNPOISON(old, new_size);
        memset((char *)old + old_size, 0, new_size - old_size);
        return old;
    }
    void *grown = bl_arena_alloc(arena, 1, new_size);
    if (grown != NULL && old != NULL) {
        memcpy(grown, old, old_size);
    }
    return grown;
}

bool bl_arena_grow_array(struct bl_arena *arena, void **items, size_t *capacity, size_t size)
{
    size_t wanted = *capacity == 0 ? 8 : *capacity * 2;
    size_t bytes;
    if (*capacity > SIZE_MAX / 2 || __builtin_mul_overflow(wanted, size, &bytes)) {
        return fail(arena) != NULL;
    }
    void *grown = bl_arena_grow(arena, *items, *capacity * size, bytes);
    if (grown == NULL) {
        return false;
    }
    *items = grown;
    *capacity = wanted;
    return true;
}

bl_str bl_arena_copy(struct bl_arena *arena, bl_str s)
{
    if (s.len == SIZE_MAX) {
        fail(arena);
        return (bl_str){NULL, 0};
    }
    char *copy = bl_arena_alloc(arena, s.len + 1, 1);
    if (copy == NULL) {
        return (bl_str){NULL, 0};
    }
    if (s.len > 0) {
        memcpy(copy, s.ptr, s.len);
    }
    return (bl_str){copy, s.len};
}

struct bl_arena_mark bl_arena_mark(const struct bl_arena *arena)
{
    return (struct bl_arena_mark){
        .block = arena->newest,
        .block_used = arena->newest != NULL ? arena->newest->used : 0,
        .used = arena->used,
    };
}

void bl_arena_release(struct bl_arena *arena, struct bl_arena_mark mark)
{
    while (arena->newest != mark.block) {
        drop_newest(arena);
    }
    if (mark.block != NULL) {
        POISON(block_bytes(mark.block) + mark.block_used, mark.block->size - mark.block_used);
        mark.block->used = mark.block_used;
    }
    arena->used = mark.used;
}
