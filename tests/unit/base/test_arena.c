/* SPDX-License-Identifier: Apache-2.0 */
#include "base/arena.h"
#include "support/allocator.h"
#include "support/check.h"

#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define HAS_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ASAN 1
#endif
#endif
#ifdef HAS_ASAN
#include <sanitizer/asan_interface.h>
#endif

#define NO_LIMIT SIZE_MAX

static bool all_zero(const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != 0) {
            return false;
        }
    }
    return true;
}

TEST(gives_zeroed_aligned_memory_that_does_not_overlap)
{
    struct bl_arena arena;
    bl_arena_init(&arena, NO_LIMIT, NULL);
    struct {
        char *bytes;
        size_t size;
    } given[400];
    for (size_t i = 0; i < 400; i++) {
        check_case("allocation %zu", i);
        given[i].size = i * 7;
        given[i].bytes = bl_arena_alloc(&arena, 1, given[i].size);
        check(given[i].bytes != NULL);
        check((uintptr_t)given[i].bytes % _Alignof(max_align_t) == 0);
        check(all_zero(given[i].bytes, given[i].size));
        memset(given[i].bytes, (int)(i % 251) + 1, given[i].size);
    }
    for (size_t i = 0; i < 400; i++) {
        check_case("allocation %zu afterwards", i);
        for (size_t k = 0; k < given[i].size; k++) {
            check((unsigned char)given[i].bytes[k] == i % 251 + 1);
        }
        check(i == 0 || given[i].bytes != given[i - 1].bytes);
    }
    bl_arena_reset(&arena);
}

TEST(memory_is_zeroed_again_after_a_release)
{
    struct bl_arena arena;
    bl_arena_init(&arena, NO_LIMIT, NULL);
    struct bl_arena_mark mark = bl_arena_mark(&arena);
    for (int round = 0; round < 3; round++) {
        char *bytes = bl_arena_alloc(&arena, 100, 30);
        check(bytes != NULL);
        check(all_zero(bytes, 3000));
        memset(bytes, 0xAA, 3000);
        bl_arena_release(&arena, mark);
        mark = bl_arena_mark(&arena);
    }
    char *bytes = bl_arena_alloc(&arena, 1, 10);
    struct bl_arena_mark inside = bl_arena_mark(&arena);
    char *again = bl_arena_alloc(&arena, 1, 64);
    memset(again, 0xAA, 64);
    bl_arena_release(&arena, inside);
    char *reused = bl_arena_alloc(&arena, 1, 64);
    check(reused == again);
    check(all_zero(reused, 64));
    check(all_zero(bytes, 10));
    bl_arena_reset(&arena);
}

TEST(limit_holds_and_failure_sticks)
{
    struct bl_arena arena;
    bl_arena_init(&arena, 1000, NULL);
    size_t given = 0;
    while (bl_arena_alloc(&arena, 1, 32) != NULL) {
        given++;
        check(arena.used <= 1000);
    }
    check_size(given, 31); /* 31 x 32 = 992 */
    check(arena.failed);
    check(bl_arena_alloc(&arena, 1, 1) == NULL);
    bl_arena_reset(&arena);
    check(!arena.failed);
    check_size(arena.used, 0);
    check(bl_arena_alloc(&arena, 1, 992) != NULL);
    bl_arena_reset(&arena);
}

TEST(sizes_that_do_not_exist_fail)
{
    static const size_t sizes[][2] = {
        {SIZE_MAX, 2},     {2, SIZE_MAX},        {SIZE_MAX / 2 + 1, 2},
        {SIZE_MAX, 1},     {SIZE_MAX - 15, 1},   {1, SIZE_MAX},
        {SIZE_MAX / 3, 4}, {SIZE_MAX, SIZE_MAX}, {(size_t)1 << 63, 1},
    };
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        check_case("%zu x %zu", sizes[i][0], sizes[i][1]);
        struct failing_allocator failing;
        failing_allocator_init(&failing, 1);
        struct bl_arena arena;
        bl_arena_init(&arena, NO_LIMIT, &failing.allocator);
        check(bl_arena_alloc(&arena, sizes[i][0], sizes[i][1]) == NULL);
        check(arena.failed);
        bl_arena_reset(&arena);
    }
}

TEST(blocks_double_and_stop_doubling)
{
    struct failing_allocator failing;
    failing_allocator_init(&failing, 0);
    struct bl_arena arena;
    bl_arena_init(&arena, NO_LIMIT, &failing.allocator);
    for (size_t i = 0; i < 8192; i++) {
        check(bl_arena_alloc(&arena, 1, 1024) != NULL); /* 8 MiB in all */
    }
    /* 4 KiB doubled up to 1 MiB is 9 blocks for the first 2 MiB, then a block a MiB. */
    check(failing.live >= 10 && failing.live <= 20);
    bl_arena_reset(&arena);
    check_size(failing.live, 0);
}

TEST(one_large_allocation_gets_its_own_block)
{
    struct failing_allocator failing;
    failing_allocator_init(&failing, 0);
    struct bl_arena arena;
    bl_arena_init(&arena, NO_LIMIT, &failing.allocator);
    char *bytes = bl_arena_alloc(&arena, 1, (size_t)5 << 20);
    check(bytes != NULL);
    check(all_zero(bytes, (size_t)5 << 20));
    check_size(failing.live, 1);
    bl_arena_reset(&arena);
    check_size(failing.live, 0);
}

/* Builds something of every kind; says whether all of it was there. */
static bool build(struct bl_arena *arena)
{
    BL_VEC(uint64_t) numbers = {0};
    bool whole = true;
    for (uint64_t i = 0; i < 2000; i++) {
        uint64_t *slot = BL_PUSH(arena, numbers);
        if (slot == NULL) {
            whole = false;
            break;
        }
        *slot = i;
        bl_str copy = bl_arena_copy(arena, BL_STR("a text"));
        whole &= copy.ptr != NULL;
    }
    for (uint64_t i = 0; i < numbers.count; i++) {
        check(numbers.items[i] == i);
    }
    return whole;
}

TEST(every_allocation_failed_once)
{
    size_t n = 1;
    for (;; n++) {
        check_case("allocation %zu fails", n);
        struct failing_allocator failing;
        failing_allocator_init(&failing, n);
        struct bl_arena arena;
        bl_arena_init(&arena, NO_LIMIT, &failing.allocator);
        bool whole = build(&arena);
        bool failed = arena.failed;
        check(whole == !failed);
        bl_arena_reset(&arena);
        check_size(failing.live, 0);
        if (!failed) {
            break;
        }
        check(n < 1000);
    }
    check(n > 3);
}

TEST(a_failed_push_keeps_the_array)
{
    struct bl_arena arena;
    bl_arena_init(&arena, 200, NULL);
    BL_VEC(uint32_t) numbers = {0};
    uint32_t *slot;
    while ((slot = BL_PUSH(&arena, numbers)) != NULL) {
        *slot = (uint32_t)numbers.count;
    }
    check(numbers.count >= 8);
    for (uint32_t i = 0; i < numbers.count; i++) {
        check_int(numbers.items[i], i + 1);
    }
    bl_arena_reset(&arena);
}

TEST(a_pushed_slot_is_zero_also_when_it_was_used)
{
    struct bl_arena arena;
    bl_arena_init(&arena, NO_LIMIT, NULL);
    BL_VEC(int) stack = {0};
    int *slot = BL_PUSH(&arena, stack);
    *slot = 7;
    stack.count--;
    slot = BL_PUSH(&arena, stack);
    check_int(*slot, 0);
    bl_arena_reset(&arena);
}

TEST(the_last_allocation_grows_in_place)
{
    struct bl_arena arena;
    bl_arena_init(&arena, NO_LIMIT, NULL);
    char *first = bl_arena_alloc(&arena, 1, 10);
    memcpy(first, "0123456789", 10);
    char *grown = bl_arena_grow(&arena, first, 10, 300);
    check(grown == first);
    check(memcmp(grown, "0123456789", 10) == 0);
    check(all_zero(grown + 10, 290));
    check_size(arena.used, 304);

    char *behind = bl_arena_alloc(&arena, 1, 1);
    check(behind != NULL);
    char *moved = bl_arena_grow(&arena, grown, 300, 400);
    check(moved != NULL && moved != grown);
    check(memcmp(moved, "0123456789", 10) == 0);
    check(all_zero(moved + 10, 390));
    check(bl_arena_grow(&arena, moved, 400, 20) == moved);
    check(bl_arena_grow(&arena, NULL, 0, 20) != NULL);
    bl_arena_reset(&arena);
}

TEST(growing_beyond_the_limit_fails)
{
    struct bl_arena arena;
    bl_arena_init(&arena, 100, NULL);
    char *first = bl_arena_alloc(&arena, 1, 10);
    check(first != NULL);
    check(bl_arena_grow(&arena, first, 10, 101) == NULL);
    check(arena.failed);
    bl_arena_reset(&arena);
}

TEST(a_copy_is_terminated)
{
    struct bl_arena arena;
    bl_arena_init(&arena, NO_LIMIT, NULL);
    bl_str copy = bl_arena_copy(&arena, bl_str_slice(BL_STR("needle in hay"), 0, 6));
    check_str(copy, "needle");
    check(copy.ptr[6] == '\0');
    bl_str empty = bl_arena_copy(&arena, (bl_str){NULL, 0});
    check(empty.ptr != NULL && empty.ptr[0] == '\0');
    check_size(empty.len, 0);
    check(bl_arena_copy(&arena, (bl_str){"", SIZE_MAX}).ptr == NULL);
    bl_arena_reset(&arena);
}

TEST(release_gives_blocks_back)
{
    struct failing_allocator failing;
    failing_allocator_init(&failing, 0);
    struct bl_arena arena;
    bl_arena_init(&arena, NO_LIMIT, &failing.allocator);
    struct bl_arena_mark empty = bl_arena_mark(&arena);
    char *kept = bl_arena_alloc(&arena, 1, 100);
    kept[99] = 'k';
    struct bl_arena_mark mark = bl_arena_mark(&arena);
    size_t used = arena.used;
    check(bl_arena_alloc(&arena, 1, 100000) != NULL);
    check(bl_arena_alloc(&arena, 1, 2000000) != NULL);
    check_size(failing.live, 3);
    bl_arena_release(&arena, mark);
    check_size(failing.live, 1);
    check_size(arena.used, used);
    check(kept[99] == 'k');
    bl_arena_release(&arena, empty);
    check_size(failing.live, 0);
    check_size(arena.used, 0);
    bl_arena_reset(&arena);
}

#ifdef HAS_ASAN
TEST(free_parts_are_poisoned)
{
    struct bl_arena arena;
    bl_arena_init(&arena, NO_LIMIT, NULL);
    for (size_t size = 1; size <= 64; size++) {
        check_case("size %zu", size);
        struct bl_arena_mark mark = bl_arena_mark(&arena);
        char *bytes = bl_arena_alloc(&arena, 1, size);
        check(bl_arena_alloc(&arena, 1, 16) != NULL);
        check(!__asan_address_is_poisoned(bytes));
        check(!__asan_address_is_poisoned(bytes + size - 1));
        check(__asan_address_is_poisoned(bytes + size));
        if (size > 1) { /* the first round's mark stands in front of the first block */
            bl_arena_release(&arena, mark);
            check(__asan_address_is_poisoned(bytes));
        }
    }
    bl_arena_reset(&arena);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_zeroed_aligned_memory_that_does_not_overlap),
        cmocka_unit_test(memory_is_zeroed_again_after_a_release),
        cmocka_unit_test(limit_holds_and_failure_sticks),
        cmocka_unit_test(sizes_that_do_not_exist_fail),
        cmocka_unit_test(blocks_double_and_stop_doubling),
        cmocka_unit_test(one_large_allocation_gets_its_own_block),
        cmocka_unit_test(every_allocation_failed_once),
        cmocka_unit_test(a_failed_push_keeps_the_array),
        cmocka_unit_test(a_pushed_slot_is_zero_also_when_it_was_used),
        cmocka_unit_test(the_last_allocation_grows_in_place),
        cmocka_unit_test(growing_beyond_the_limit_fails),
        cmocka_unit_test(a_copy_is_terminated),
        cmocka_unit_test(release_gives_blocks_back),
#ifdef HAS_ASAN
        cmocka_unit_test(free_parts_are_poisoned),
#endif
    };
    return check_main(tests);
}
