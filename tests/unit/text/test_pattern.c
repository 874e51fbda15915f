/* SPDX-License-Identifier: Apache-2.0 */
#include "pattern_support.h"
#include "support/allocator.h"

#include <string.h>

/* ---- syntax ----------------------------------------------------------------------------- */

/* req: A-58 */
TEST(says_what_is_wrong_where_and_what_to_write)
{
    static const struct {
        const char *source;
        const char *flags;
        size_t at;
        const char *message; /* its beginning */
        const char *help;    /* a part of it */
    } cases[] = {
        {"a(b", "", 1, "This '(' is not closed.", "\\("},
        {"a)b", "", 1, "This ')' closes no group.", "\\)"},
        {"x(?:a|(b)", "", 1, "This '(' is not closed.", "\\("},
        {"[abc", "", 0, "This '[' is not closed.", "\\["},
        {"a[b-", "", 1, "This '[' is not closed.", "\\["},
        {"a]", "", 1, "This ']' closes no class.", "\\]"},
        {"a}", "", 1, "This '}' closes no count.", "\\}"},
        {"[]", "", 0, "A class without characters", "[\\]]"},
        {"[^]", "", 0, "A class needs a character.", "[\\s\\S]"},
        {"a[^\\s\\S]", "", 1, "This class excludes every character.", "fewer"},
        {"[z-a]", "", 1, "The range ends before it begins.", "lower"},
        {"[a\\w-x]", "", 2, "A class cannot be the end of a range.", "\\-"},
        {"[a-\\d]", "", 1, "A class cannot be the end of a range.", "\\-"},
        {"[[:alpha:]]", "", 1, "Classes such as '[:alpha:]'", "[A-Za-z]"},
        {"[\\b]", "", 1, "A class has no assertions.", "\\x08"},
        {"*a", "", 0, "There is nothing that this quantifier repeats.", "backslash"},
        {"a|+", "", 2, "There is nothing that this quantifier repeats.", "backslash"},
        {"(?:?)", "", 3, "There is nothing that this quantifier repeats.", "backslash"},
        {"a**", "", 2, "A quantifier stands behind another.", "group"},
        {"a{2}{3}", "", 4, "A quantifier stands behind another.", "group"},
        {"<.*?>", "", 3, "Lazy quantifiers are left out", "[^>]*"},
        {"a??", "", 2, "Lazy quantifiers are left out", "[^>]*"},
        {"a{2,}?", "", 5, "Lazy quantifiers are left out", "[^>]*"},
        {"a++", "", 2, "Possessive quantifiers are left out.", "second"},
        {"^*", "", 1, "An assertion cannot be repeated.", "once"},
        {"\\b+", "", 2, "An assertion cannot be repeated.", "once"},
        {"a{", "", 1, "This '{' begins no count.", "\\{"},
        {"a{x}", "", 1, "This '{' begins no count.", "\\{"},
        {"a{,3}", "", 1, "This '{' begins no count.", "{3,9}"},
        {"a{3", "", 1, "This '{' begins no count.", "{3}"},
        {"a{3,2}", "", 1, "The first number of a count exceeds the second.", "smaller"},
        {"a{1001}", "", 1, "A count is at most 1000.", "{1000,}"},
        {"a{2,99999999999999999999}", "", 1, "A count is at most 1000.", "{1000,}"},
        {"(?=a)", "", 0, "Look-ahead is left out", "two conditions"},
        {"x(?!a)", "", 1, "Look-ahead is left out", "two conditions"},
        {"(?<=a)", "", 0, "Look-behind is left out", "\\b"},
        {"(?<!a)", "", 0, "Look-behind is left out", "\\b"},
        {"(?<year>a)", "", 0, "Groups have no names here.", "(?:"},
        {"(?P<year>a)", "", 0, "Groups have no names here.", "(?:"},
        {"(?i)a", "", 0, "Only ':' may stand behind '(?'.", "flags"},
        {"(?>a)", "", 0, "Atomic groups are left out.", "(?:"},
        {"(?#a)", "", 0, "A pattern has no comments inside.", "behind"},
        {"(a)\\1", "", 3, "References back to a group are left out.", "finds"},
        {"\\k<a>", "", 0, "References back to a group are left out.", "finds"},
        {"a\\0", "", 1, "There is no escape '\\0'.", "\\u{0}"},
        {"\\Aa", "", 0, "There is no assertion '\\A'.", "^"},
        {"a\\z", "", 1, "There is no assertion '\\z'.", "$"},
        {"\\h", "", 0, "There is no escape '\\h'.", "[ \\t]"},
        {"\\q", "", 0, "This escape has no meaning.", "backslash"},
        {"\\\xC3\xA9", "", 0, "This escape has no meaning.", "backslash"},
        {"a\\", "", 1, "Nothing follows the backslash.", "\\\\"},
        {"\\x4", "", 0, "'\\x' wants two hexadecimal digits.", "\\x41"},
        {"\\u0041", "", 0, "The number behind '\\u' stands in braces.", "\\u{1F600}"},
        {"\\u{}", "", 0, "'\\u{' wants one to six hexadecimal digits", "\\u{1F600}"},
        {"\\u{1234567}", "", 0, "'\\u{' wants one to six hexadecimal digits", "\\u{1F600}"},
        {"\\u{110000}", "", 0, "No character has this number.", "10FFFF"},
        {"\\u{D800}", "", 0, "No character has this number.", "D800"},
        {"\\pL", "", 0, "The name behind '\\p' stands in braces.", "\\p{L}"},
        {"\\p{L", "", 0, "The name behind '\\p' stands in braces.", "\\p{L}"},
        {"a\\p{Emoji}", "", 1, "No class of characters has this name.",
         "Extended_Pictographic"},
        {"\xC3\xA9(", "", 2, "This '(' is not closed.", "\\("},
        {"a", "g", 2, "There is no flag 'g'.", "all"},
        {"a", "iu", 3, "There is no flag 'u'.", "Unicode"},
        {"a", "x", 2, "The flags of a pattern are 'i', 'm' and 's'.", "Drop"},
        {"a", "ii", 3, "A flag stands twice.", "once"},
        {"a\xFF", "", 1, "The pattern is not valid UTF-8.", ""},
        {"x(?:[a-z]{100}){100}", "", 15, "The pattern is too large", "20,500"},
        {"(?:a{1000}){3}|(?:b{1000}){6}", "", 26, "The pattern is too large", "20,500"},
        {"(?:(?:(?:(?:a{1000}){1000}){1000}){1000}){1000}", "", 20, "The pattern is too large",
         "20,500"},
    };
    struct bl_arena arena;
    bl_arena_init(&arena, ARENA_BYTES, NULL);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct bl_pattern pattern;
        struct bl_pattern_error error;
        check_case("/%s/%s", cases[i].source, cases[i].flags);
        check(!bl_pattern_compile(&arena, bl_str_from(cases[i].source),
                                  bl_str_from(cases[i].flags), &pattern, &error));
        check_size(error.offset, cases[i].at);
        check(bl_str_starts_with(error.message, bl_str_from(cases[i].message)));
        check(bl_str_ends_with(error.message, BL_STR(".")));
        check(bl_str_find(error.help, bl_str_from(cases[i].help)) != SIZE_MAX);
        struct bl_pattern_error again;
        check(!bl_pattern_check(&arena, bl_str_from(cases[i].source),
                                bl_str_from(cases[i].flags), &again));
        check_size(again.offset, error.offset);
        check(bl_str_equal(again.message, error.message));
        check(bl_str_equal(again.help, error.help));
        bl_arena_reset(&arena);
    }
}

TEST(refuses_what_is_too_long_or_too_deep)
{
    struct bl_arena arena;
    struct bl_pattern pattern;
    struct bl_pattern_error error;
    bl_arena_init(&arena, ARENA_BYTES, NULL);
    check(
        bl_pattern_compile(&arena, repeated(&arena, "a", 4096), BL_STR(""), &pattern, &error));
    check(
        !bl_pattern_compile(&arena, repeated(&arena, "a", 4097), BL_STR(""), &pattern, &error));
    check_size(error.offset, 4096);
    struct bl_buf buf;
    bl_buf_init(&buf, &arena, 4096);
    for (size_t depth = 200; depth <= 201; depth++) {
        bl_buf_init(&buf, &arena, 4096);
        bl_buf_put(&buf, repeated(&arena, "(", depth));
        bl_buf_put(&buf, BL_STR("a"));
        bl_buf_put(&buf, repeated(&arena, ")*", 2 * depth));
        check_case("depth %zu", depth);
        check(bl_pattern_compile(&arena, bl_buf_str(&buf), BL_STR(""), &pattern, &error) ==
              (depth == 200));
    }
    check_size(error.offset, 200);
    bl_arena_reset(&arena);
}

/* Parts that may be left out have edges to all that come behind, which are bounded too. */
TEST(refuses_too_many_ways)
{
    struct bl_arena arena;
    struct bl_pattern pattern;
    struct bl_pattern_error error;
    bl_arena_init(&arena, ARENA_BYTES, NULL);
    check(bl_pattern_compile(&arena, repeated(&arena, "a?b?", 600), BL_STR(""), &pattern,
                             &error));
    check(!bl_pattern_compile(&arena, repeated(&arena, "a?b?", 800), BL_STR(""), &pattern,
                              &error));
    check(bl_str_find(error.message, BL_STR("too many ways")) != SIZE_MAX);
    check(bl_pattern_check(&arena, repeated(&arena, "a?b?", 600), BL_STR(""), &error));
    check(!bl_pattern_check(&arena, repeated(&arena, "a?b?", 800), BL_STR(""), &error));
    bl_arena_reset(&arena);
}

/* Shapes of tokens as policies write them (A-17): all have small automata. */
TEST(usual_patterns_stay_small)
{
    static const char *const sources[] = {
        "gh[pousr]_[A-Za-z0-9]{36,}",
        "ghs_[A-Za-z0-9._-]{36,}|github_pat_[A-Za-z0-9_]{22,}",
        "sk-(?:ant-|proj-|svcacct-)?[A-Za-z0-9_-]{20,}",
        "xox[abeprs]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{10,}",
        "\\b(?:AKIA|ASIA)[A-Z0-9]{16}\\b",
        "eyJ[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}",
        "-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----",
        "[A-Za-z0-9+\\/=_-]{40,}",
        "\\p{Extended_Pictographic}\\u{FE0F}?(?:\\u{200D}\\p{Extended_Pictographic})*",
    };
    struct bl_arena arena;
    bl_arena_init(&arena, ARENA_BYTES, NULL);
    for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
        check_case("/%s/", sources[i]);
        struct bl_pattern pattern =
            compiled(&arena, bl_str_from(sources[i]), BL_STR(""), BL_PATTERN_BEST);
        check_int(bl_blob_field(pattern.bytes, BL_HEAD_KIND), BL_BLOB_DFA);
        check(pattern.size <= (size_t)32 << 10);
    }
    bl_arena_reset(&arena);
}

/* Counted repeats of what takes no characters would make a thousand of a thousand of a thousand
 * copies of nothing. */
TEST(repeats_of_nothing_are_nothing)
{
    struct bl_arena arena;
    bl_arena_init(&arena, ARENA_BYTES, NULL);
    struct bl_pattern pattern =
        compiled(&arena, BL_STR("(?:(?:(?:(?:\\b|){1000}){1000}){1000}){1000}a"), BL_STR(""),
                 BL_PATTERN_BEST);
    check_str(all_matches(&arena, pattern, BL_STR("ba a")), "1-2 3-4");
    pattern = compiled(&arena, BL_STR("(?:(?:(?:\\b){2,1000}){1000}){2}a"), BL_STR(""),
                       BL_PATTERN_BEST);
    check_str(all_matches(&arena, pattern, BL_STR("ba a")), "3-4");
    bl_arena_reset(&arena);
}

/* ---- what patterns find ----------------------------------------------------------------- */

static const struct {
    const char *source;
    const char *flags;
    const char *text;
    const char *matches;
} meanings[] = {
    /* Leftmost, then longest, whatever stands first. */
    {"a|ab", "", "abab", "0-2 2-4"},
    {"ab|a", "", "abab", "0-2 2-4"},
    {"(?:a|ab)(?:c|bcd)", "", "abcd", "0-4"},
    {"a*", "", "baac", "0-0 1-3 3-3 4-4"},
    {"", "", "ab", "0-0 1-1 2-2"},
    {"", "", "", "0-0"},
    {"a||b", "", "ab", "0-1 1-2 2-2"},
    {"(?:)", "", "\xC3\xA9x", "0-0 2-2 3-3"},
    /* Characters. */
    {".", "", "\n\r\xC3\xA9", "1-2 2-4"},
    {".", "s", "\n\xF0\x9F\x98\x80", "0-1 1-5"},
    {"[^a]", "", "a\n\xE6\x97\xA5", "1-2 2-5"},
    {"[\\]-]", "", "]-a", "0-1 1-2"},
    {"[a-]", "", "-", "0-1"},
    {"[-a]", "", "-", "0-1"},
    {"[a^]", "", "^", "0-1"},
    {"[[]", "", "[", "0-1"},
    {"\\u{1F600}\\x41\\u{e9}", "",
     "\xF0\x9F\x98\x80"
     "A\xC3\xA9",
     "0-7"},
    {"\\n\\t\\r\\f\\v", "", "\n\t\r\f\v", "0-5"},
    {"\\/\\.\\*\\#\\\"\\ ", "", "/.*#\" ", "0-6"},
    {"/", "", "a/b", "1-2"},
    {"\\d\\w\\s", "", "1_\v", "0-3"},
    {"\\s", "", "\xC2\xA0\xE2\x80\xA8", ""},
    {"\\w", "", "\xC3\xA9", ""},
    {"[\\D]", "", "1\xC3\xA9", "1-3"},
    {"\\p{L}+", "", "1a\xC3\x9F\xE6\x97\xA5!", "1-7"},
    {"\\p{Lu}\\p{Ll}", "", "a\xC3\x84\xC3\xB6", "1-5"},
    {"\\p{N}+", "", "\xD9\xA3\xE2\x85\xA7x", "0-5"},
    {"\\P{L}", "", "a1", "1-2"},
    {"[^\\p{L}\\p{N}]", "", "a1-", "2-3"},
    {"\\p{Extended_Pictographic}", "", "\xE2\x9D\xA4\xEF\xB8\x8F", "0-3"},
    /* Unicode 15 and later, so a table of 14 would miss it: U+1FAE8 and U+31350. */
    {"\\p{Extended_Pictographic}", "", "\xF0\x9F\xAB\xA8", "0-4"},
    {"\\p{L}", "", "\xF0\xB1\x8D\x90", "0-4"},
    /* Flag i: ASCII letters alone. */
    {"k\xC3\xA9", "i", "K\xC3\xA9 k\xC3\x89 \xE2\x84\xAA\xC3\xA9", "0-3"},
    {"[^a-c]", "i", "aBCd", "3-4"},
    {"[X-b]", "i", "xYzAbc_", "0-1 1-2 2-3 3-4 4-5 6-7"},
    /* Counts. */
    {"a{3}", "", "aaaaaaa", "0-3 3-6"},
    {"a{2,3}", "", "aaaaaa a aa", "0-3 3-6 9-11"},
    {"a{2,}", "", "a aaaa", "2-6"},
    {"a{0}b", "", "ab", "1-2"},
    {"(?:a{0,2}){2}", "", "aaaaa", "0-4 4-5 5-5"},
    {"(?:ab?){2,3}", "", "aababa", "0-5"},
    {"(?:a*)*b", "", "aab", "0-3"},
    {"(?:a*){3,}", "", "aab", "0-2 2-2 3-3"},
    {"x{1000}", "", "", ""},
    /* Assertions. */
    {"^a", "", "a\na", "0-1"},
    {"^a", "m", "a\na", "0-1 2-3"},
    {"a$", "", "a\na\n", ""},
    {"a$", "m", "a\na\n", "0-1 2-3"},
    {"^$", "m", "\n\na", "0-0 1-1"},
    {"^", "m", "a\n", "0-0 2-2"},
    {"$", "", "a\n", "2-2"},
    {"^.*$", "m", "ab\n\nc", "0-2 3-3 4-5"},
    {"a\\b", "", "ab a_ a\xC3\xA9 a", "6-7 10-11"},
    {"\\bb", "",
     "ab b \xC3\xA9"
     "b",
     "3-4 7-8"},
    {"\\B", "", "a\xC3\xA9", "3-3"},
    {"\\b", "", "ab c", "0-0 2-2 3-3 4-4"},
    {"\\b\\b|\\B", "", "ab", "0-0 1-1 2-2"},
    {"a\\bb", "", "ab", ""},
    {"a$b", "s", "ab", ""},
    {"(?:a|\\b)c", "", "ac c bc", "0-2 3-4"},
    {"(?:\\ba|b)+", "", "aab ba", "0-1 2-3 4-5"},
    {"\\b[a-]{2,3}\\b", "", "a-a a--a -", "0-3 4-7"},
    {"(?:^|[_-])KEY(?:[_-]|$)", "i", "my_key_ KEY", "2-7"},
    {"x*$", "", "axxbxx", "4-6 6-6"},
};

static void check_meanings(enum bl_pattern_form form)
{
    struct bl_arena arena;
    bl_arena_init(&arena, ARENA_BYTES, NULL);
    for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++) {
        check_case("/%s/%s on '%s'", meanings[i].source, meanings[i].flags, meanings[i].text);
        bl_str text = bl_str_from(meanings[i].text);
        struct bl_pattern pattern = compiled(&arena, bl_str_from(meanings[i].source),
                                             bl_str_from(meanings[i].flags), form);
        check_str(all_matches(&arena, pattern, text), meanings[i].matches);
        check(bl_pattern_matches(pattern, text) == (meanings[i].matches[0] != '\0'));
        bl_arena_reset(&arena);
    }
}

TEST(patterns_mean_what_they_say)
{
    check_meanings(BL_PATTERN_BEST);
}

TEST(patterns_mean_the_same_when_simulated)
{
    check_meanings(BL_PATTERN_GRAPH);
}

/* ---- callers ---------------------------------------------------------------------------- */

static bool stop_at_second(void *context, struct bl_match match)
{
    (void)match;
    return ++*(size_t *)context < 2;
}

TEST(stops_when_the_callback_has_enough)
{
    struct bl_arena arena;
    bl_arena_init(&arena, ARENA_BYTES, NULL);
    for (enum bl_pattern_form form = BL_PATTERN_DFA; form <= BL_PATTERN_GRAPH; form++) {
        static const char *const sources[] = {"a", "a*", "$|a"};
        for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
            size_t calls = 0;
            check_case("/%s/ as form %d", sources[i], (int)form);
            struct bl_pattern pattern =
                compiled(&arena, bl_str_from(sources[i]), BL_STR(""), form);
            check(bl_pattern_each(&arena, pattern, BL_STR("aababa"), stop_at_second, &calls));
            check_size(calls, 2);
        }
    }
    bl_arena_reset(&arena);
}

/* Long patterns and texts, by numbers instead of a judge. */
TEST(counts_far)
{
    struct bl_arena arena;
    bl_arena_init(&arena, ARENA_BYTES, NULL);
    static const char *const sources[] = {"a{1000}", "(?:aa){250,500}", "a{900,1000}",
                                          "b|a{1000}"};
    for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
        for (enum bl_pattern_form form = BL_PATTERN_BEST; form <= BL_PATTERN_GRAPH; form++) {
            check_case("/%s/ as form %d", sources[i], (int)form);
            struct bl_pattern pattern =
                compiled(&arena, bl_str_from(sources[i]), BL_STR(""), form);
            check_str(all_matches(&arena, pattern, repeated(&arena, "a", 2100)),
                      "0-1000 1000-2000");
            check_str(all_matches(&arena, pattern, repeated(&arena, "a", 499)), "");
        }
    }
    bl_arena_reset(&arena);
}

/* Text beyond the loaders is valid, but what is not must not lead outside of its bytes. The
 * text ends where its memory ends, so that a sanitizer sees a step too far. */
TEST(stays_within_text_that_is_not_utf8)
{
    static const char *const texts[] = {"\x80",         "\xC3",        "a\xE6\x97",
                                        "\xF0\x9F\x98", "\xFF\xFE",    "\x80\x80\x80",
                                        "a\x80",        "\xED\xA0\x80"};
    static const char *const sources[] = {"\xE6\x97\xA5|.", "[^a]*", "\\p{L}$", "\\b", "^.+"};
    struct bl_arena arena;
    bl_arena_init(&arena, ARENA_BYTES, NULL);
    for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
        for (size_t j = 0; j < sizeof(texts) / sizeof(texts[0]); j++) {
            for (enum bl_pattern_form form = BL_PATTERN_BEST; form <= BL_PATTERN_GRAPH;
                 form++) {
                struct bl_pattern pattern =
                    compiled(&arena, bl_str_from(sources[i]), BL_STR("s"), form);
                size_t len = strlen(texts[j]);
                char *exact = bl_arena_alloc(&arena, len, 1);
                check(exact != NULL);
                memcpy(exact, texts[j], len);
                all_matches(&arena, pattern, (bl_str){exact, len});
                bl_pattern_matches(pattern, (bl_str){exact, len});
            }
        }
    }
    bl_arena_reset(&arena);
}

TEST(compiles_to_the_same_bytes_every_time)
{
    struct bl_arena arena;
    bl_arena_init(&arena, ARENA_BYTES, NULL);
    static const char *const sources[] = {"\\b(?:eval|import)(?:\\s|\\/\\*.*\\*\\/)*\\(",
                                          "[^\\p{L}]{2,9}x|\\d+"};
    for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
        for (enum bl_pattern_form form = BL_PATTERN_BEST; form <= BL_PATTERN_GRAPH; form++) {
            struct bl_pattern a = compiled(&arena, bl_str_from(sources[i]), BL_STR("i"), form);
            struct bl_pattern b = compiled(&arena, bl_str_from(sources[i]), BL_STR("i"), form);
            check_size(a.size, b.size);
            check(memcmp(a.bytes, b.bytes, a.size) == 0);
        }
    }
    bl_arena_reset(&arena);
}

/* Every allocation of compiling and running may fail; each time it is said and nothing leaks.
 */
TEST(says_when_memory_runs_out)
{
    struct bl_arena texts;
    bl_arena_init(&texts, ARENA_BYTES, NULL);
    bl_str text = repeated(&texts, "xyzab ", 60000);
    for (enum bl_pattern_form form = BL_PATTERN_BEST; form <= BL_PATTERN_GRAPH; form++) {
        bool done = false;
        for (size_t n = 1; !done && n < 1000; n++) {
            struct failing_allocator failing;
            struct bl_arena arena;
            struct bl_pattern pattern;
            struct bl_pattern_error error;
            size_t calls = 0;
            failing_allocator_init(&failing, n);
            bl_arena_init(&arena, ARENA_BYTES, &failing.allocator);
            check_case("form %d, allocation %zu", (int)form, n);
            if (!bl_pattern_compile_as(&arena, BL_STR("\\b[^a\\d]{2,5}(?:x|y\\p{L}+)*$"),
                                       BL_STR("im"), form, &pattern, &error)) {
                check(bl_str_find(error.message, BL_STR("memory")) != SIZE_MAX);
            } else {
                done = bl_pattern_each(&arena, pattern, text, stop_at_second, &calls);
            }
            bl_arena_reset(&arena);
            check_size(failing.live, 0);
        }
        check(done);
    }
    bl_arena_reset(&texts);
}

/* A pattern that finds nothing in any text, told without a text. */
TEST(tells_patterns_that_find_nothing)
{
    static const struct {
        const char *source, *flags;
        bool nothing;
    } cases[] = {
        {"a$b", "", true},         {"a^b", "", true},
        {"a\\bb", "", true},       {"a\\B ", "", true},
        {"(?:a$|b$)c", "", true},  {"(?:a$|b)c", "", false},
        {"a$\\n^b", "m", false},   {"a$b", "m", true},
        {"a$\\n^b", "", true},     {"$^", "", false},
        {"x$^", "", true},         {"", "", false},
        {"^$", "", false},         {"a\\b-", "", false},
        {"(?:a$b)?c", "", false},  {"(?:a$b){1,3}c", "", true},
        {"(?:a\\b)*b", "", false}, {"\xC3\xA9\\b\xC3\xA9", "", true},
    };
    struct bl_arena arena;
    bl_arena_init(&arena, ARENA_BYTES, NULL);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        check_case("/%s/%s", cases[i].source, cases[i].flags);
        check(bl_pattern_finds_nothing(&arena, bl_str_from(cases[i].source),
                                       bl_str_from(cases[i].flags)) == cases[i].nothing);
    }
    bl_arena_reset(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_what_is_wrong_where_and_what_to_write),
        cmocka_unit_test(refuses_what_is_too_long_or_too_deep),
        cmocka_unit_test(refuses_too_many_ways),
        cmocka_unit_test(usual_patterns_stay_small),
        cmocka_unit_test(repeats_of_nothing_are_nothing),
        cmocka_unit_test(patterns_mean_what_they_say),
        cmocka_unit_test(patterns_mean_the_same_when_simulated),
        cmocka_unit_test(stops_when_the_callback_has_enough),
        cmocka_unit_test(counts_far),
        cmocka_unit_test(stays_within_text_that_is_not_utf8),
        cmocka_unit_test(compiles_to_the_same_bytes_every_time),
        cmocka_unit_test(says_when_memory_runs_out),
        cmocka_unit_test(tells_patterns_that_find_nothing),
    };
    return check_main(tests);
}
