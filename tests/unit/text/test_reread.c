/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"
#include "text/clean.h"
#include "text/reread.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The second reading: what it sees by itself, and that it ends. */

static bl_str reading(struct bl_arena *arena, bl_str text)
{
    static const bl_str allowed[] = {{"#7", 2}, {"https://github.com/a/b/issues/7", 31}};

    const struct bl_reread_rules rules = {allowed, 2, UINT32_MAX};

    return bl_reread(arena, text, &rules);
}

TEST(what_shows_is_named)
{
    static const struct {
        const char *text, *shows;
    } cases[] = {
        {"plain `@code` a@b #7", ""},
        {"[x](https://github.com/a/b/issues/7) https://github.com/a/b/issues/7", ""},
        {"[x](https://github.com/a/b/issues/7 \"t\")", "title"},
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
        {"[![x](y)](https://github.com/a/b/issues/7)", "image"},
        {"Title\n===", "heading"},
        {"- # Title", "heading"},
        {"text\n\n---", ""},
        {"- [ ] x", "tasklist"},
        {"- \\[ ] x", ""},
        {"> [!NOTE]\n> x", "alert"},
        {"a\n\n- > [!TIP]\n  > x", "alert"},
        {"> \\[!NOTE]\n> x", ""},
        {"```mermaid\nx\n```", "drawing"},
        {"```c\n$x$ @a\n```", ""},
        {"a $x$", "formula"},
        {"$*x*$", "formula"},
        {"\\$x&dollar;", "formula"},
        {"$`x`$", "formula"},
        {"$$\nx\n$$", "formula"},
        {"$`x` `$` $5 and $6", ""},
        {"$a\n\nb$", ""},
        {"$  \n=$", ""},
        {"![x](https://github.com/a/b/issues/7)", "image"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bl_arena arena;

        bl_arena_init(&arena, SIZE_MAX, NULL);
        check_case("'%s'", cases[i].text);
        check_str(reading(&arena, bl_str_from(cases[i].text)), cases[i].shows);
        bl_arena_reset(&arena);
    }
}

/* The same text alone shows nothing; in its place it does. req: SAN-37 */
TEST(a_text_is_judged_in_its_place)
{
    static const struct {
        const char *before, *text, *after, *shows;
    } cases[] = {
        {"### Title\n\n", "a `b` #7", "\n\n<details>\n\n@alice `c` #9\n\n</details>\n", ""},
        {"- ", "one", "\n- two @bob\n", ""},
        /* What it opens. */
        {"", "```\nx", "\n\n### Title `c`\n", "surroundings"},
        {"", "> ~~~\n> x", "\n\n### Title `c`\n", ""},
        {"", "a `b", " and `c` d\n", "surroundings"},
        {"", "x\\", "[a](https://github.com/a/b/issues/1)\n", "surroundings"},
        {"", "[x]", "(https://github.com/a/b/issues/9)\n", "surroundings"},
        {"See [the report][r] ", "x\n\n[r]: https://evil.example", "\n\n[r]: /own\n", "link"},
        {"[x]: ", "https://evil.example", "\n\n[x]\n", "link"},
        {"Own words\n", "===", "\n", "heading"},
        {"a | b\n", "--|--", "\nc | d\n", "table"},
        {"<div>\n", "a", "\n</div>\n", "html"},
        {"#", "7 #", "9\n", "reference"},
        {"@", "octocat", " a\n", "mention"},
        {"a $5 ", "b", " 3$ c\n", "formula"},
        /* A list around it: its code ends with its item. */
        {"- ", "```\n@a\n```", "\n", "mention"},
        {"- ", "```\n  @a\n  ```", "\n", ""},
        {"| a | b |\n|---|---|\n| ", "`x|@octocat`", " | c |\n", "mention"},
        {"> ", "`a\n\n@b`", "\n", "mention"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static const bl_str allowed[] = {{"#7", 2}};
        const struct bl_reread_rules rules = {allowed, 1, UINT32_MAX};
        struct bl_arena arena;
        char whole[300], without[300];

        bl_arena_init(&arena, SIZE_MAX, NULL);
        snprintf(whole, sizeof whole, "%s%s%s", cases[i].before, cases[i].text, cases[i].after);
        snprintf(without, sizeof without, "%s%s%s", cases[i].before, BL_REREAD_STAND_IN,
                 cases[i].after);
        check_case("'%s'", whole);
        check_str(bl_reread_in_place(&arena, bl_str_from(whole), bl_str_from(without), &rules),
                  cases[i].shows);
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
        cmocka_unit_test(a_text_is_judged_in_its_place),
        cmocka_unit_test(what_is_too_costly_shows_a_budget),
        cmocka_unit_test(memory_that_is_out_is_a_budget_too),
        cmocka_unit_test(nothing_closes_the_block_of_code),
    };
    return check_main(tests);
}
