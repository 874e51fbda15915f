/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"
#include "support/allocator.h"
#include "support/check.h"

#include <string.h>

TEST(builds_a_terminated_text)
{
    struct bl_arena arena;
    struct bl_buf buf;
    bl_arena_init(&arena, SIZE_MAX, NULL);
    bl_buf_init(&buf, &arena, 1000);
    check_size(bl_buf_str(&buf).len, 0);
    BL_PUT(&buf, "issue ");
    bl_buf_put_char(&buf, '#');
    bl_buf_put_int(&buf, 12);
    bl_buf_put(&buf, (bl_str){NULL, 0});
    bl_buf_printf(&buf, " by %.*s (%d%%)", BL_STR_ARG(BL_STR("octocat")), 50);
    check_str(bl_buf_str(&buf), "issue #12 by octocat (50%)");
    check(buf.ptr[buf.len] == '\0');
    check(!buf.failed);
    bl_arena_reset(&arena);
}

TEST(writes_integers)
{
    static const struct {
        int64_t value;
        const char *text;
    } cases[] = {
        {0, "0"},
        {-1, "-1"},
        {10, "10"},
        {INT64_MAX, "9223372036854775807"},
        {INT64_MIN, "-9223372036854775808"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct bl_arena arena;
        struct bl_buf buf;
        check_case("%s", cases[i].text);
        bl_arena_init(&arena, SIZE_MAX, NULL);
        bl_buf_init(&buf, &arena, 100);
        bl_buf_put_int(&buf, cases[i].value);
        check_str(bl_buf_str(&buf), cases[i].text);
        bl_arena_reset(&arena);
    }
}

TEST(maximum_is_exact)
{
    for (size_t max = 0; max < 300; max++) {
        struct bl_arena arena;
        struct bl_buf buf;
        check_case("maximum %zu", max);
        bl_arena_init(&arena, SIZE_MAX, NULL);
        bl_buf_init(&buf, &arena, max);
        for (size_t i = 0; i < max; i++) {
            bl_buf_put_char(&buf, 'x');
        }
        check(!buf.failed);
        check_size(buf.len, max);
        bl_buf_put_char(&buf, 'y');
        check(buf.failed);
        check_size(buf.len, max);
        /* What fits by itself is refused too: half a text is none. */
        bl_buf_put(&buf, (bl_str){NULL, 0});
        check(buf.failed);
        check(max == 0 || (buf.ptr[max] == '\0' && strlen(buf.ptr) == max));
        bl_arena_reset(&arena);
    }
}

TEST(printf_goes_over_the_maximum_as_a_whole)
{
    struct bl_arena arena;
    struct bl_buf buf;
    bl_arena_init(&arena, SIZE_MAX, NULL);
    bl_buf_init(&buf, &arena, 10);
    bl_buf_printf(&buf, "%s", "12345");
    bl_buf_printf(&buf, "%s", "678901");
    check(buf.failed);
    check_str(bl_buf_str(&buf), "12345");
    bl_buf_init(&buf, &arena, 10);
    bl_buf_printf(&buf, "%s", "1234567890");
    check(!buf.failed);
    check_str(bl_buf_str(&buf), "1234567890");
    bl_arena_reset(&arena);
}

TEST(keeps_its_text_while_others_allocate)
{
    struct bl_arena arena;
    struct bl_buf buf;
    bl_arena_init(&arena, SIZE_MAX, NULL);
    bl_buf_init(&buf, &arena, 100000);
    for (size_t i = 0; i < 5000; i++) {
        bl_buf_put_char(&buf, (char)('a' + i % 26));
        if (i % 100 == 0) {
            memset(bl_arena_alloc(&arena, 1, 50), '!', 50);
        }
    }
    for (size_t i = 0; i < 5000; i++) {
        check(buf.ptr[i] == (char)('a' + i % 26));
    }
    bl_arena_reset(&arena);
}

TEST(alone_in_an_arena_it_costs_little_more_than_its_text)
{
    struct bl_arena arena;
    struct bl_buf buf;
    bl_arena_init(&arena, SIZE_MAX, NULL);
    /* A block that is large enough for all of it. */
    struct bl_arena_mark mark = bl_arena_mark(&arena);
    check(bl_arena_alloc(&arena, 1, 1) != NULL);
    bl_buf_init(&buf, &arena, 3000);
    while (!buf.failed) {
        bl_buf_put_char(&buf, 'x');
    }
    check_size(buf.len, 3000);
    check(arena.used < 3100);
    bl_arena_release(&arena, mark);
    bl_arena_reset(&arena);
}

TEST(every_allocation_failed_once)
{
    for (size_t n = 1; n < 100; n++) {
        check_case("allocation %zu fails", n);
        struct failing_allocator failing;
        struct bl_arena arena;
        struct bl_buf buf;
        failing_allocator_init(&failing, n);
        bl_arena_init(&arena, SIZE_MAX, &failing.allocator);
        bl_buf_init(&buf, &arena, 1 << 20);
        for (size_t i = 0; i < 20000; i++) {
            bl_buf_printf(&buf, "%zu,", i);
        }
        bool failed = buf.failed;
        check(failed == arena.failed);
        bl_arena_reset(&arena);
        check_size(failing.live, 0);
        if (!failed) {
            check(n > 2);
            return;
        }
    }
    check(false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(builds_a_terminated_text),
        cmocka_unit_test(writes_integers),
        cmocka_unit_test(maximum_is_exact),
        cmocka_unit_test(printf_goes_over_the_maximum_as_a_whole),
        cmocka_unit_test(keeps_its_text_while_others_allocate),
        cmocka_unit_test(alone_in_an_arena_it_costs_little_more_than_its_text),
        cmocka_unit_test(every_allocation_failed_once),
    };
    return check_main(tests);
}
