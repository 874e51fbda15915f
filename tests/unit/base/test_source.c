/* SPDX-License-Identifier: Apache-2.0 */
#include "base/source.h"
#include "support/allocator.h"
#include "support/check.h"

static struct bl_arena arena;
static struct bl_sources sources;

static int setup(void **state)
{
    (void)state;
    check_case("%s", "");
    bl_arena_init(&arena, SIZE_MAX, NULL);
    bl_sources_init(&sources, &arena);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    bl_arena_reset(&arena);
    return 0;
}

TEST(finds_lines_and_columns)
{
    static const char text[] = "one\n"                  /* 0 to 4 */
                               "\n"                     /* 4 */
                               "\xC3\xA4 b\r\n"         /* 5 to 11 */
                               "x\xF0\x9F\x98\x80y\tz"; /* 11 to 19 */
    static const struct {
        uint32_t offset;
        uint32_t line, column, chars, utf16;
    } cases[] = {
        {0, 1, 1, 1, 1},  {2, 1, 3, 3, 3},   {3, 1, 4, 4, 4},          {4, 2, 1, 1, 1},
        {5, 3, 1, 1, 1},  {6, 3, 2, 1, 1},   {7, 3, 3, 2, 2},          {8, 3, 4, 3, 3},
        {9, 3, 5, 4, 4},  {10, 3, 6, 5, 5},  {11, 4, 1, 1, 1},         {12, 4, 2, 2, 2},
        {13, 4, 3, 2, 2}, {15, 4, 5, 2, 2},  {16, 4, 6, 3, 4},         {18, 4, 8, 5, 6},
        {19, 4, 9, 6, 7}, {100, 4, 9, 6, 7}, {UINT32_MAX, 4, 9, 6, 7},
    };
    check_size(sizeof(text) - 1, 19);
    uint32_t number = bl_sources_add(&sources, BL_STR("a.policy"), bl_str_from(text));
    check_int(number, 0);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        check_case("offset %u", cases[i].offset);
        struct bl_position at = bl_sources_position(&sources, number, cases[i].offset);
        check_int(at.line, cases[i].line);
        check_int(at.column, cases[i].column);
        check_int(at.column_chars, cases[i].chars);
        check_int(at.column_utf16, cases[i].utf16);
    }
}

TEST(gives_lines_without_their_ends)
{
    static const struct {
        const char *text;
        uint32_t line;
        const char *expected;
    } cases[] = {
        {"", 1, ""},
        {"", 2, ""},
        {"a", 1, "a"},
        {"a\n", 1, "a"},
        {"a\n", 2, ""},
        {"a\nb", 2, "b"},
        {"a\r\nb\r\n", 1, "a"},
        {"a\r\nb\r\n", 2, "b"},
        {"a\rb\n", 1, "a\rb"},
        {"\n\nc", 3, "c"},
        {"\n\nc", 4, ""},
        {"\n\nc", 0, ""},
        {"a\r", 1, "a\r"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        check_case("row %zu", i);
        uint32_t number = bl_sources_add(&sources, BL_STR("x"), bl_str_from(cases[i].text));
        check_str(bl_sources_line(&sources, number, cases[i].line), cases[i].expected);
    }
}

TEST(what_is_unknown_has_no_place)
{
    check_int(bl_sources_position(&sources, 0, 0).line, 0);
    check_int(bl_sources_position(&sources, BL_NO_SOURCE, 0).line, 0);
    check(bl_sources_get(&sources, 0) == NULL);
    check_str(bl_sources_text(&sources, BL_NO_SPAN), "");
    check_str(bl_sources_line(&sources, BL_NO_SOURCE, 1), "");
}

TEST(text_of_a_span)
{
    uint32_t first = bl_sources_add(&sources, BL_STR("a"), BL_STR("allow when"));
    uint32_t second = bl_sources_add(&sources, BL_STR("b"), BL_STR("deny"));
    check_str(bl_sources_text(&sources, (struct bl_span){6, 10, first}), "when");
    check_str(bl_sources_text(&sources, (struct bl_span){0, 4, second}), "deny");
    check_str(bl_sources_text(&sources, (struct bl_span){2, 400, second}), "ny");
    check_str(bl_sources_text(&sources, (struct bl_span){3, 2, second}), "");
    check_str(bl_sources_get(&sources, second)->path, "b");
}

static bl_str fetch_once(void *context, uint32_t number)
{
    unsigned *asked = context;
    *asked += 1;
    return number == 1 ? BL_STR("a\nbc") : (bl_str){NULL, 0};
}

TEST(a_text_for_later_is_asked_for_once_and_only_when_needed)
{
    unsigned asked = 0;
    bl_sources_add(&sources, BL_STR("a"), BL_STR("here"));
    sources.fetch = fetch_once;
    sources.fetch_context = &asked;
    uint32_t later = bl_sources_add_later(&sources, BL_STR("b"));
    uint32_t gone = bl_sources_add_later(&sources, BL_STR("c"));
    check_str(bl_sources_get(&sources, later)->path, "b");
    check_str(bl_sources_line(&sources, 0, 1), "here");
    check_int(asked, 0);
    check_int(bl_sources_position(&sources, later, 3).line, 2);
    check_str(bl_sources_line(&sources, later, 2), "bc");
    check_str(bl_sources_text(&sources, (struct bl_span){2, 4, later}), "bc");
    check_int(asked, 1);
    check_str(bl_sources_text(&sources, (struct bl_span){0, 4, gone}), "");
    check_int(bl_sources_position(&sources, gone, 7).line, 1);
    check_int(asked, 2);
}

TEST(joins_spans)
{
    struct bl_span left = {2, 5, 0};
    struct bl_span right = {9, 12, 0};
    struct bl_span both = bl_span_join(left, right);
    check_int(both.lo, 2);
    check_int(both.hi, 12);
    both = bl_span_join(right, left);
    check_int(both.lo, 2);
    check_int(both.hi, 12);
    both = bl_span_join(BL_NO_SPAN, right);
    check_int(both.lo, 9);
    check_int(both.source, 0);
    both = bl_span_join(left, BL_NO_SPAN);
    check_int(both.hi, 5);
    check_int(both.source, 0);
}

TEST(out_of_memory_gives_no_place)
{
    struct failing_allocator failing;
    struct bl_arena small;
    struct bl_sources few;
    failing_allocator_init(&failing, 2);
    bl_arena_init(&small, SIZE_MAX, &failing.allocator);
    bl_sources_init(&few, &small);
    static char text[8192];
    for (size_t i = 0; i < sizeof(text); i++) {
        text[i] = '\n';
    }
    uint32_t number = bl_sources_add(&few, BL_STR("x"), (bl_str){text, sizeof(text)});
    check_int(number, 0);
    check_int(bl_sources_position(&few, number, 5).line, 0);
    check(small.failed);
    check_int(bl_sources_add(&few, BL_STR("y"), BL_STR("")), 1); /* room was there already */
    bl_arena_reset(&small);
    check_size(failing.live, 0);

    failing_allocator_init(&failing, 1);
    bl_arena_init(&small, SIZE_MAX, &failing.allocator);
    bl_sources_init(&few, &small);
    check_int(bl_sources_add(&few, BL_STR("x"), BL_STR("")), BL_NO_SOURCE);
    bl_arena_reset(&small);
}

#define WITH_SOURCES(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SOURCES(finds_lines_and_columns),
        WITH_SOURCES(gives_lines_without_their_ends),
        WITH_SOURCES(what_is_unknown_has_no_place),
        WITH_SOURCES(text_of_a_span),
        WITH_SOURCES(a_text_for_later_is_asked_for_once_and_only_when_needed),
        WITH_SOURCES(joins_spans),
        WITH_SOURCES(out_of_memory_gives_no_place),
    };
    return check_main(tests);
}
