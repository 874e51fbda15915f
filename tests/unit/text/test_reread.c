/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"
#include "text/clean.h"
#include "text/reread.h"

#include <stdlib.h>
#include <string.h>

/* The second reading: what it sees by itself, and that it ends. */

static bl_str reading(struct bl_arena *arena, bl_str text)
{
    static const bl_str allowed[] = {{"#7", 2}, {"https://github.com/a/b/issues/7", 31}};

    return bl_reread(arena, text, allowed, 2);
}

TEST(what_shows_is_named)
{
    static const struct {
        const char *text, *shows;
    } cases[] = {
        {"plain `@code` a@b #7", ""},
        {"[x](https://github.com/a/b/issues/7) https://github.com/a/b/issues/7", ""},
        {"[x](https://github.com/a/b/issues/7 \"t\")", "link"},
        {"[x](https://evil.example)", "link"},
        {"www.evil.example", "link"},
        {"a@evil.example", "link"},
        {"![x](y)", "image"},
        {"a <b>c</b>", "html"},
        {"<div>", "html"},
        {"a | b\n--|--\nc | d", "table"},
        {"[^1]\n\n[^1]: x", "note"},
        {"@octocat", "mention"},
        {"\\@octocat", "mention"},
        {"&#64;octocat", "mention"},
        {"#8", "reference"},
        {"GH-8", "reference"},
        {"x/y#7", "reference"},
        {"octo@deadbeef1", "reference"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bl_arena arena;

        bl_arena_init(&arena, SIZE_MAX, NULL);
        check_case("'%s'", cases[i].text);
        check_str(reading(&arena, bl_str_from(cases[i].text)), cases[i].shows);
        bl_arena_reset(&arena);
    }
}

/* Tables that cmark-gfm reads for a minute: its memory is used up after a moment. What was read
 * before and after such a text is read as ever. */
TEST(what_is_too_costly_shows_a_budget)
{
    struct bl_arena arena;
    size_t len = 0;
    char *text = malloc(80000);

    check(text != NULL);
    for (int i = 0; i < 3000; i++, len += 2)
        memcpy(text + len, "|a", 2);
    text[len++] = '\n';
    for (int i = 0; i < 3000; i++, len += 2)
        memcpy(text + len, "|-", 2);
    text[len++] = '\n';
    for (int i = 0; i < 8000; i++, len += 2)
        memcpy(text + len, "a\n", 2);
    bl_arena_init(&arena, SIZE_MAX, NULL);
    check_str(reading(&arena, (bl_str){text, len}), "budget");
    check_str(reading(&arena, BL_STR("~~a~~ [x](y)")), "link");
    memset(text, '>', 1000);
    check_str(reading(&arena, (bl_str){text, 1000}), "budget");
    memset(text, '-', 1000);
    check_str(reading(&arena, (bl_str){text, 1000}), "");
    bl_arena_reset(&arena);
    free(text);
}

TEST(memory_that_is_out_is_a_budget_too)
{
    struct bl_arena arena;

    bl_arena_init(&arena, 3000, NULL);
    check_str(reading(&arena, BL_STR("a *b* c `d` e")), "budget");
    bl_arena_reset(&arena);
}

TEST(nothing_closes_the_block_of_code)
{
    static const char *const texts[] = {"@a",    "```\n@a\n```", "`@a`",  "``````\n@a",
                                        "a\r@b", "~~~\n@a",      "    @a"};

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        for (int one_line = 0; one_line < 2; one_line++) {
            struct bl_arena arena;
            struct bl_buf out;

            bl_arena_init(&arena, SIZE_MAX, NULL);
            bl_buf_init(&out, &arena, 1000);
            bl_clean_fenced(bl_str_from(texts[i]), one_line == 1, &out);
            check_case("'%s'", texts[i]);
            check_str(reading(&arena, bl_buf_str(&out)), "");
            bl_arena_reset(&arena);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_shows_is_named),
        cmocka_unit_test(what_is_too_costly_shows_a_budget),
        cmocka_unit_test(memory_that_is_out_is_a_budget_too),
        cmocka_unit_test(nothing_closes_the_block_of_code),
    };
    return check_main(tests);
}
