/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"
#include "support/stage.h"
#include "vm/builtins.h"

/* Words and what is counted of them: LNG-14 to LNG-16. */

static struct bl_arena arena;
static struct stage stage;

static int set_up(void **state)
{
    (void)state;
    bl_arena_init(&arena, 64 << 20, NULL);
    stage_of(&stage, &arena, "pure nothing()\n  end\n");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    bl_arena_reset(&arena);
    return 0;
}

static struct bl_value run(enum bl_builtin builtin, struct bl_value a, struct bl_value b)
{
    struct bl_value args[2] = {a, b};
    static const bl_type types[2] = {BL_TYPE_UNTRUSTED, BL_TYPE_UNTRUSTED};
    struct bl_value out = bl_absent();
    struct bl_builtin_call call = {&stage.machine, args, types, &out};

    check_status(bl_builtin_run(builtin, &call), BL_OK);
    return out;
}

static const struct {
    const char *text, *words; /* with `|` between them */
} rows[] = {
    {"", ""},
    {"  ", ""},
    {"one", "one"},
    {"It's a test, v1.2!", "It|s|a|test|v1|2"},
    {"\xC3\xBC"
     "ber-all\xC3\xA9\xE2\x80\x94ja",
     "\xC3\xBC"
     "ber|all\xC3\xA9|ja"}, /* em dash */
    {"\xC2\xAB"
     "oui\xC2\xBB \xC2\xBFqu\xC3\xA9?",
     "oui|qu\xC3\xA9"},
    {"\xE6\x97\xA5\xE6\x9C\xAC\xE3\x80\x82\xE8\xAA\x9E",
     "\xE6\x97\xA5\xE6\x9C\xAC|\xE8\xAA\x9E"},
    {"a\xF0\x9F\x99\x82"
     "b",
     "a|b"},
    {"snake_case", "snake|case"},
};

TEST(words_are_runs_of_letters_and_digits)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_value out = run(BL_BUILTIN_WORDS, text_value(rows[i].text), bl_absent());
        struct bl_buf joined;

        bl_buf_init(&joined, &arena, 1000);
        for (uint32_t k = 0; k < out.as.list->count; k++) {
            if (k > 0)
                bl_buf_put_char(&joined, '|');
            bl_buf_put(&joined, bl_text_of(out.as.list->items[k]));
        }
        check_case("%s", rows[i].text);
        check_str(bl_buf_str(&joined), rows[i].words);
    }
}

static int64_t count(const struct bl_value *texts, size_t length, int64_t locale)
{
    return run(BL_BUILTIN_STOPWORDS, list_value(&arena, texts, length),
               bl_number(BL_V_LOCALE, locale))
        .as.i;
}

TEST(stop_words_count_as_often_as_they_occur)
{
    struct bl_value texts[] = {text_value("The cat and the dog. Theory, band."),
                               text_value("UND \xC3\x9C"
                                          "ber, und-und")};

    check_int(count(texts, 2, 0), 3); /* The, and, the */
    check_int(count(texts, 2, 1), 4); /* UND, Über, und, und */
    check_int(count(texts, 2, 2), 0); /* `other` has none, and takes none from elsewhere */
    check_int(count(texts, 0, 0), 0);
    char longest[300];
    for (size_t i = 0; i + 1 < sizeof longest; i++)
        longest[i] = 'a';
    longest[sizeof longest - 1] = '\0';
    struct bl_value one = text_value(longest);
    check_int(count(&one, 1, 0), 0);
}

static bool same(const char *a, const char *b)
{
    struct bl_value out = run(BL_BUILTIN_SAME_THING, text_value(a), text_value(b));

    return out.tag == BL_V_BOOL && out.as.i != 0;
}

TEST(the_same_thing_but_for_case_blanks_and_signs)
{
    check(same("Use `make test`.", "use  Make\n TEST!"));
    check(same("\xC3\x84rger", "\xC3\xA4rger"));
    check(same("", ""));
    check(same("--", "  "));
    check(!same("a b c", "a b d"));
    check(!same("abc", "abcd"));
    check(!same("abcd", "abc"));
    check(!same("", "a"));
    check(same("ab c", "a bc"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(words_are_runs_of_letters_and_digits, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(stop_words_count_as_often_as_they_occur, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(the_same_thing_but_for_case_blanks_and_signs, set_up,
                                        tear_down),
    };
    return check_main(tests);
}
