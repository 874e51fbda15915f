/* SPDX-License-Identifier: Apache-2.0 */
#include "compiling.h"
#include "support/allocator.h"
#include "support/check.h"
#include "testing/testing.h"

#include <string.h>

#define MINE                                                                                   \
    "package mine { account \"github-actions[bot]\"; marker \"mine\" }\n"                      \
    "setting days_to_wait : int = 3 { min 1 }\n"                                               \
    "label crash \"crash\" { color \"b60205\"; description \"Waits {days_to_wait} days.\" }\n" \
    "label seen \"seen\" { color \"b60205\" }\n"                                               \
    "locale en \"English\" { day \"{year}\" }\n"                                               \
    "words en { message hello(author : user) \"Hello, {author}.\" }\n"                         \
    "comment welcome { marker { number : int = issue.number }; once_by number\n"               \
    "  say hello(issue.author) }\n"                                                            \
    "job event { may write issues; runs rules }\n"                                             \
    "rule crashes {\n"                                                                         \
    "  on issues.opened\n"                                                                     \
    "  when issue.title matches /crash/i\n"                                                    \
    "  add label crash\n"                                                                      \
    "  post welcome\n"                                                                         \
    "  add label seen\n"                                                                       \
    "}\n"

struct outcome {
    struct compiling c;
    struct bl_test_summary summary;
};

static void run(struct outcome *o, const char *text, struct bl_test_options options)
{
    compiling_begin(&o->c, text, NULL);
    check_status(o->c.status, BL_OK);
    options.module = &o->c.module;
    options.sources = &o->c.sources;
    options.use_index = true;
    check_status(bl_tests_run(&o->c.arena, &options, &o->summary), BL_OK);
}

static bool mentions(bl_str text, const char *words)
{
    return bl_str_find(text, bl_str_from(words)) != SIZE_MAX;
}

TEST(what_holds_passes)
{
    struct outcome o;
    run(&o,
        MINE "test \"a\" {\n"
             "  when alice opens 1 \"A crash\" \"x\"\n"
             "  expect issue(1) has crash and issue(1) has seen\n"
             "  expect count(posted(issue(1), welcome)) == 1\n"
             "  expect effect add label crash\n"
             "  expect effect post welcome\n"
             "}\n",
        (struct bl_test_options){0});
    check_size(o.summary.passed, 1);
    check_size(o.summary.failed, 0);
    check_size(o.summary.results.items[0].expectations, 4);
    bl_arena_reset(&o.c.arena);
}

TEST(what_does_not_hold_is_told_with_its_values)
{
    struct outcome o;
    run(&o,
        MINE "test \"b\" {\n"
             "  when alice opens 1 \"Hello\" \"x\"\n"
             "  expect issue(1).number == 2\n"
             "  expect effect add label crash\n"
             "}\n",
        (struct bl_test_options){0});
    check_size(o.summary.failed, 1);
    const struct bl_test_result *result = &o.summary.results.items[0];
    check_int(result->outcome, BL_TEST_FAILED);
    check_size(result->failures.count, 2);
    check(mentions(result->failures.items[0].detail, "1 and 2"));
    check(mentions(result->failures.items[0].detail, "nothing"));
    struct bl_buf text;
    bl_buf_init(&text, &o.c.arena, 1 << 20);
    bl_tests_print(&o.summary, &o.c.sources, false, false, &text);
    check(mentions(bl_buf_str(&text), "expected: issue(1).number == 2"));
    check(mentions(bl_buf_str(&text), "0 passed, 1 failed"));
    bl_buf_init(&text, &o.c.arena, 1 << 20);
    bl_tests_junit(&o.summary, &o.c.sources, &text);
    check(mentions(bl_buf_str(&text), "failures=\"1\""));
    check(mentions(bl_buf_str(&text), "<testcase name=\"b\""));
    bl_arena_reset(&o.c.arena);
}

TEST(a_step_that_cannot_be_breaks_its_test_alone)
{
    struct outcome o;
    run(&o,
        MINE "test \"c\" { when alice comments 7 \"x\"; expect issue(1) has crash }\n"
             "test \"d\" { when alice opens 1 \"x\" \"y\"; expect issue(1) lacks crash }\n",
        (struct bl_test_options){0});
    check_int(o.summary.results.items[0].outcome, BL_TEST_BROKEN);
    check_int(o.summary.results.items[1].outcome, BL_TEST_PASSED);
    check_size(o.summary.passed, 1);
    check_size(o.summary.failed, 1);
    bl_arena_reset(&o.c.arena);
}

TEST(rows_are_tests_of_their_own)
{
    struct outcome o;
    run(&o,
        MINE "test \"{title} is a crash: {yes}\" {\n"
             "  column title : untrusted; column yes : bool\n"
             "  when alice opens 1 title \"x\"\n"
             "  expect (issue(1) has crash) == yes\n"
             "  case \"A crash\", true\n"
             "  case \"A cash\", true\n"
             "  case \"A rash\", false\n"
             "}\n",
        (struct bl_test_options){0});
    check_size(o.summary.results.count, 3);
    check_str(o.summary.results.items[0].name, "A crash is a crash: true");
    check_int(o.summary.results.items[0].outcome, BL_TEST_PASSED);
    check_int(o.summary.results.items[1].outcome, BL_TEST_FAILED);
    check_int(o.summary.results.items[2].outcome, BL_TEST_PASSED);
    bl_arena_reset(&o.c.arena);
}

TEST(rows_of_one_name_say_which_they_are)
{
    struct outcome o;
    run(&o,
        MINE "test \"a title\" {\n"
             "  column title : untrusted\n"
             "  expect title == \"x\"\n"
             "  case \"x\"\n"
             "  case \"x\"\n"
             "  case \"y\"\n"
             "}\n"
             "test \"{title}\" { column title : untrusted; column n : int; expect n > 0\n"
             "  case \"x\", 1; case \"y\", 1; case \"X\", 2; case \"x\", 2 }\n",
        (struct bl_test_options){0});
    static const char *const names[] = {
        "a title", "a title (row 2)", "a title (row 3)", "x", "y", "X", "x (row 4)"};
    check_size(o.summary.results.count, 7);
    for (size_t i = 0; i < 7; i++)
        check_str(o.summary.results.items[i].name, names[i]);
    bl_arena_reset(&o.c.arena);
}

static size_t count_of(bl_str text, const char *sought)
{
    size_t count = 0;
    for (size_t at; (at = bl_str_find(text, bl_str_from(sought))) != SIZE_MAX; count++)
        text = bl_str_slice(text, at + 1, text.len);
    return count;
}

/* The file is XML whatever a name holds, and says the same number of tests as it has. */
TEST(hostile_names_are_written_so_that_junit_can_be_read)
{
    struct outcome o;
    struct bl_buf text;
    run(&o,
        MINE "test \"<b> & \\\"q\\\" ]]> \\u{1} \\u{7F} \\u{FFFE}\\u{FFFF}\\u{1FFFF} {t}\" {\n"
             "  column t : untrusted; expect t == \"\"; case \"</testcase>\\u{1B}[1m\" }\n"
             "test \"left out\" { expect true }\n",
        (struct bl_test_options){.filter = BL_STR("<b>")});
    bl_buf_init(&text, &o.c.arena, 1 << 20);
    bl_tests_junit(&o.summary, &o.c.sources, &text);
    bl_str xml = bl_buf_str(&text);
    check(mentions(xml, "tests=\"1\" failures=\"1\" errors=\"0\" skipped=\"0\""));
    check(mentions(xml, "name=\"&lt;b&gt; &amp; &quot;q&quot; ]]&gt; \\u{1} \\u{7F} "
                        "\\u{FFFE}\\u{FFFF}\\u{1FFFF} &lt;/testcase&gt;\\u{1B}[1m\""));
    check_size(count_of(xml, "<testcase "), 1);
    check_size(count_of(xml, "</testcase>"), 1);
    check_size(count_of(xml, "\xef\xbf\xbe") + count_of(xml, "\xef\xbf\xbf"), 0);
    bl_arena_reset(&o.c.arena);
}

TEST(filters_and_shards_choose)
{
    static const char text[] = MINE "test \"red\" { expect true }\n"
                                    "test \"green\" { expect true }\n"
                                    "test \"blue\" { expect true }\n";
    struct outcome o;
    size_t total = 0;
    run(&o, text, (struct bl_test_options){.filter = BL_STR("re")});
    check_size(o.summary.results.count, 2);
    check_size(o.summary.skipped, 1);
    bl_arena_reset(&o.c.arena);
    for (uint32_t shard = 1; shard <= 2; shard++) {
        run(&o, text, (struct bl_test_options){.shard = shard, .shards = 2});
        total += o.summary.results.count;
        bl_arena_reset(&o.c.arena);
    }
    check_size(total, 3);
}

TEST(a_crash_is_tried_behind_every_write)
{
    struct outcome o;
    run(&o,
        MINE "test \"e\" {\n"
             "  crashes anywhere\n"
             "  when alice opens 1 \"A crash\" \"x\"\n"
             "  expect count(posted(issue(1), welcome)) == 1 and issue(1) has seen\n"
             "}\n",
        (struct bl_test_options){0});
    check_size(o.summary.passed, 1);
    /* Whole once; then, for each of its three writes, cut and started again. */
    check_size(o.summary.results.items[0].runs, 1 + 3 * 2);
    bl_arena_reset(&o.c.arena);
}

TEST(a_setting_is_another_one_in_its_test_alone)
{
    struct outcome o;
    run(&o,
        MINE "test \"f\" { set days_to_wait = 9; expect days_to_wait == 9 }\n"
             "test \"g\" { expect days_to_wait == 3 }\n",
        (struct bl_test_options){0});
    check_size(o.summary.passed, 2);
    bl_arena_reset(&o.c.arena);
}

/* From the text to the outcome of a test that is cut and started again: every allocation fails
 * once, and nothing is left, lost or wrong. */
TEST(every_allocation_may_fail)
{
    static const char text[] = MINE "test \"h\" {\n"
                                    "  crashes anywhere\n"
                                    "  when alice opens 1 \"A crash\" \"x\"\n"
                                    "  expect issue(1) has seen\n"
                                    "  expect effects exactly { add labels crash, seen; post "
                                    "welcome }\n"
                                    "}\n";
    bool finished = false;
    for (size_t n = 1; !finished; n++) {
        struct failing_allocator failing;
        struct compiling c;
        struct bl_test_summary summary = {.passed = 0};
        failing_allocator_init(&failing, n);
        compiling_begin(&c, text, &failing.allocator);
        enum bl_status status = c.status;
        if (status == BL_OK) {
            struct bl_test_options options = {.module = &c.module,
                                              .sources = &c.sources,
                                              .use_index = true,
                                              .allocator = &failing.allocator};
            status = bl_tests_run(&c.arena, &options, &summary);
        }
        check_case("allocation %zu", n);
        finished = failing.calls < n;
        check_status(status, finished ? BL_OK : BL_ERR_NOMEM);
        if (finished)
            check_size(summary.passed, 1);
        bl_arena_reset(&c.arena);
        check_size(failing.live, 0);
        check(n < 100000);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_holds_passes),
        cmocka_unit_test(what_does_not_hold_is_told_with_its_values),
        cmocka_unit_test(a_step_that_cannot_be_breaks_its_test_alone),
        cmocka_unit_test(rows_are_tests_of_their_own),
        cmocka_unit_test(rows_of_one_name_say_which_they_are),
        cmocka_unit_test(hostile_names_are_written_so_that_junit_can_be_read),
        cmocka_unit_test(filters_and_shards_choose),
        cmocka_unit_test(a_crash_is_tried_behind_every_write),
        cmocka_unit_test(a_setting_is_another_one_in_its_test_alone),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return check_main(tests);
}
