/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"
#include "support/stage.h"
#include "vm/builtins.h"

/* What the first line of a comment says: CMD-01, CMD-06, CMD-25, CMD-27. */

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

static struct bl_value run(enum bl_builtin builtin, const char *text, const char *begin)
{
    struct bl_value args[2] = {bl_text(bl_str_from(text)), bl_text(bl_str_from(begin))};
    static const bl_type types[2] = {BL_TYPE_UNTRUSTED, BL_TYPE_TEXT};
    struct bl_value out = bl_absent();
    struct bl_builtin_call call = {&stage.machine, args, types, &out};

    check_status(bl_builtin_run(builtin, &call), BL_OK);
    return out;
}

/* req: CMD-01, CMD-06, CMD-27 */
static const struct {
    const char *text;
    const char *word; /* NULL: it is no command */
    const char *line, *rest;
} rows[] = {
    {"", NULL, "", ""},
    {"/do", "", "", ""},
    {"/do ", "", "", ""},
    {"/do\t", "", "", ""},
    {"/do\r\n", "", "", ""},
    {"/do\nit", "", "", "it"},
    {"/do it", "it", "", ""},
    {"/do  \tIT \t", "it", "", ""},
    {"/do it now", "it", "now", "now"},
    {"/do it  now and then ", "it", "now and then", "now and then"},
    {"/do it\r\n", "it", "", ""},
    {"/do it\r\nnow\r\n", "it", "", "now"},
    {"/do it a\n\nb \n", "it", "a", "a\n\nb"},
    {"/do \xC3\x84rger", "\xC3\x84rger", "", ""},
    {"/dont", NULL, "", ""},
    {"/do-it", NULL, "", ""},
    {"/DO it", NULL, "", ""},
    {" /do it", NULL, "", ""},
    {"\n/do it", NULL, "", ""},
    {"/d", NULL, "", ""},
    {"x\n/do it", NULL, "", ""},
    {"/do\xC2\xA0it", NULL, "", ""},
};

TEST(a_first_line_is_a_command_or_not)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct bl_value word = run(BL_BUILTIN_COMMAND_WORD, rows[i].text, "/do");

        check_case("%s", rows[i].text);
        check(bl_is_absent(word) == (rows[i].word == NULL));
        if (rows[i].word != NULL)
            check_str(bl_text_of(word), rows[i].word);
        check_str(bl_text_of(run(BL_BUILTIN_COMMAND_LINE, rows[i].text, "/do")), rows[i].line);
        check_str(bl_text_of(run(BL_BUILTIN_COMMAND_REST, rows[i].text, "/do")), rows[i].rest);
    }
}

/* req: CMD-25 */
static const struct {
    const char *text;
    int64_t number; /* -1: none */
} numbers[] = {
    {"#12", 12},
    {"12", 12},
    {" #12 ", 12},
    {"#0", 0},
    {"https://github.com/o/r/issues/12", 12},
    {"https://github.com/O/R/issues/12", 12},
    {"https://github.com/o/r/pull/12", -1},
    {"https://github.com/o/x/issues/12", -1},
    {"https://github.com/o/r/issues/", -1},
    {"https://github.com/o/r/issues/12?a=1", -1},
    {"", -1},
    {"#", -1},
    {"##12", -1},
    {"-12", -1},
    {"#+1", -1},
    {"1.5", -1},
    {"o/r#12", -1},
    {"12 13", -1},
    {"999999999999999999", 999999999999999999},
    {"9999999999999999999", -1},
    {"#https://github.com/o/r/issues/12", -1},
};

TEST(a_number_is_written_in_three_ways)
{
    struct bl_object *here =
        bl_object_create(&arena, BL_ENTITY_REPOSITORY, 0, bl_str_from("o/r"));

    check_int(bl_is_absent(run(BL_BUILTIN_WRITTEN_NUMBER, numbers[4].text, "")), true);
    bl_object_set(here, BL_FIELD_REPOSITORY_NEW_ISSUE_LINK,
                  bl_text(bl_str_from("https://github.com/o/r/issues/new/choose")));
    stage.machine.ambient[BL_AMBIENT_REPOSITORY] = bl_object_value(here);
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        struct bl_value number = run(BL_BUILTIN_WRITTEN_NUMBER, numbers[i].text, "");

        check_case("%s", numbers[i].text);
        check(bl_is_absent(number) == (numbers[i].number < 0));
        if (numbers[i].number >= 0)
            check_int(number.as.i, numbers[i].number);
    }
}

TEST(a_file_has_a_page)
{
    struct bl_object *here =
        bl_object_create(&arena, BL_ENTITY_REPOSITORY, 0, bl_str_from("o/r"));

    stage.machine.ambient[BL_AMBIENT_REPOSITORY] = bl_absent();
    check_str(bl_text_of(run(BL_BUILTIN_LINK_TO, "docs/a.md", "")), "docs/a.md");
    bl_object_set(here, BL_FIELD_REPOSITORY_NEW_ISSUE_LINK,
                  bl_text(bl_str_from("https://github.com/o/r/issues/new/choose")));
    stage.machine.ambient[BL_AMBIENT_REPOSITORY] = bl_object_value(here);
    check_str(bl_text_of(run(BL_BUILTIN_LINK_TO, "docs/a.md", "")),
              "https://github.com/o/r/blob/HEAD/docs/a.md");
    check_str(bl_text_of(run(BL_BUILTIN_LINK_TO, "50%/what?#1 b.md", "")),
              "https://github.com/o/r/blob/HEAD/50%25/what%3F%231 b.md");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_first_line_is_a_command_or_not, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_number_is_written_in_three_ways, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_file_has_a_page, set_up, tear_down),
    };
    return check_main(tests);
}
