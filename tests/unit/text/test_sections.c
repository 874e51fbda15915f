/* SPDX-License-Identifier: Apache-2.0 */
#include "support/allocator.h"
#include "support/check.h"
#include "text/sections.h"

#define TITLE BL_STR("What happens")
#define WORDS BL_STR("One.\n\nTwo.")

/* req: WFL-13 */
static const struct {
    const char *file, *wanted; /* NULL: refused */
} rows[] = {
    {"", "# What happens\n\nOne.\n\nTwo.\n"},
    {"\n", "\n# What happens\n\nOne.\n\nTwo.\n"},
    {"# Help\n", "# Help\n\n## What happens\n\nOne.\n\nTwo.\n"},
    {"# Help\n\nAsk", "# Help\n\nAsk\n\n## What happens\n\nOne.\n\nTwo.\n"},
    {"# Help\r\nAsk\r\n", "# Help\r\nAsk\r\n\r\n## What happens\r\n\r\nOne.\r\n\r\nTwo.\r\n"},
    {"A\n- b\n\n      c", "A\n- b\n\n      c\n\n## What happens\n\nOne.\n\nTwo.\n"},
    {"A\n```\nb\n```", "A\n```\nb\n```\n\n## What happens\n\nOne.\n\nTwo.\n"},
    {"<details>\nA\n", "<details>\nA\n\n## What happens\n\nOne.\n\nTwo.\n"},
    /* Within these it would be no heading. */
    {"A\n```\nb\n", NULL},
    {"A\n~~~~\nb\n~~~\n", NULL},
    {"A\n<!-- b\n", NULL},
    {"<script>\n\nA\n", NULL},
    {"A\n<PRE class=a>\n\nb\n", NULL},
    {"<?a\n\nb", NULL},
    {"<![CDATA[\n\nb\n>", NULL},
    {"<pre>\n\nb</Pre>", "<pre>\n\nb</Pre>\n\n## What happens\n\nOne.\n\nTwo.\n"},
    {"<!DOCTYPE\n\na>\n", "<!DOCTYPE\n\na>\n\n## What happens\n\nOne.\n\nTwo.\n"},
    {"<prefix\n", "<prefix\n\n## What happens\n\nOne.\n\nTwo.\n"},
};

TEST(a_section_stands_behind_all_that_was_there)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bl_str before = bl_str_from(rows[i].file), title = TITLE, after = {NULL, 0};
        struct bl_arena arena;
        bool found = true;

        check_case("%s", rows[i].file);
        bl_arena_init(&arena, 1 << 20, NULL);
        check_int(bl_section_find(&arena, before, &title, 1, &found), BL_OK);
        check(!found);
        enum bl_status status = bl_section_add(&arena, before, TITLE, WORDS, &after);
        check_int(status, rows[i].wanted != NULL ? BL_OK : BL_ERR_REFUSED);
        if (status == BL_OK) {
            check_str(after, rows[i].wanted);
            check_int(bl_section_find(&arena, after, &title, 1, &found), BL_OK);
            check(found);
        }
        bl_arena_reset(&arena);
    }
}

TEST(a_title_is_looked_for_among_the_headings)
{
    static const struct {
        const char *file;
        bool found;
    } files[] = {
        {"## what HAPPENS\n", true},       {"What happens\n===\n", true},
        {"###### **What** happens", true}, {"# Was geschieht #\n", true},
        {"What happens\n", false},         {"```\n# What happens\n```\n", false},
        {"# What happens here\n", false},  {"<!--\n# What happens\n-->\n", false},
    };
    bl_str titles[] = {BL_STR("What happens"), BL_STR("Was geschieht")};

    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        struct bl_arena arena;
        bool found = false;

        check_case("%s", files[i].file);
        bl_arena_init(&arena, 1 << 20, NULL);
        check_int(bl_section_find(&arena, bl_str_from(files[i].file), titles, 2, &found),
                  BL_OK);
        check_int(found, files[i].found);
        bl_arena_reset(&arena);
    }
}

TEST(a_line_stands_behind_all_others)
{
    static const struct {
        const char *file, *wanted;
    } files[] = {
        {"", "/x/\n"}, {"a", "a\n/x/\n"}, {"a\n", "a\n/x/\n"}, {"a\r\nb", "a\r\nb\r\n/x/\r\n"}};

    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        struct bl_arena arena;
        bl_str out;

        bl_arena_init(&arena, 1 << 20, NULL);
        check_int(bl_line_add(&arena, bl_str_from(files[i].file), BL_STR("/x/"), &out), BL_OK);
        check_str(out, files[i].wanted);
        bl_arena_reset(&arena);
    }
}

TEST(memory_that_runs_out_is_said)
{
    enum bl_status status = BL_ERR_NOMEM;
    size_t n = 1;

    for (; status != BL_OK; n++) {
        struct failing_allocator failing;
        struct bl_arena arena;
        bl_str out;

        failing_allocator_init(&failing, n);
        bl_arena_init(&arena, 1 << 20, &failing.allocator);
        status = bl_section_add(&arena, BL_STR("# A\n"), TITLE, WORDS, &out);
        check(status == BL_OK || status == BL_ERR_NOMEM);
        bl_arena_reset(&arena);
        check_size(failing.live, 0);
    }
    check(n > 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_section_stands_behind_all_that_was_there),
        cmocka_unit_test(a_title_is_looked_for_among_the_headings),
        cmocka_unit_test(a_line_stands_behind_all_others),
        cmocka_unit_test(memory_that_runs_out_is_said)};
    return check_main(tests);
}
