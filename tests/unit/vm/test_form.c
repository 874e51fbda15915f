/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"
#include "support/stage.h"
#include "vm/builtins.h"

#include <string.h>

/* Issue forms (EVT-28, A-93, facts §5: `###` headings of the body, outside of code; the value
 * trimmed; the placeholder for "no response" counts as empty) and the reporter's own words
 * (LNG-16, A-32: without fenced code, quotes, links and headings of the form). */

static struct bl_arena arena;
static struct stage stage;

static int set_up(void **state)
{
    (void)state;
    bl_arena_init(&arena, 256 << 20, NULL);
    stage_of(&stage, &arena, "pure nothing()\n  end\n");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    bl_arena_reset(&arena);
    return 0;
}

static struct bl_value run(enum bl_builtin builtin, bl_str text, const char *second)
{
    struct bl_value args[2] = {bl_text(text), bl_absent()};
    static const bl_type types[2] = {BL_TYPE_UNTRUSTED, BL_TYPE_TEXT};
    struct bl_value out = bl_absent();
    struct bl_builtin_call call = {&stage.machine, args, types, &out};

    if (second != NULL)
        args[1] = text_value(second);
    check_status(bl_builtin_run(builtin, &call), BL_OK);
    return out;
}

/* As GitHub writes a form. */
static const char form[] = "### Area\n\nEditor\n\n### What happened?\n\nIt crashes.\n\n"
                           "```shell\n### Area\nnot this one\n```\n\n### Version\n\n"
                           "_No response_\n\n### Steps\n\n\n\n### Empty";

static const struct {
    const char *text, *heading, *answer; /* NULL: absent */
} answers[] = {
    {form, "Area", "Editor"},
    {form, "What happened?", "It crashes.\n\n```shell\n### Area\nnot this one\n```"},
    {form, "Version", NULL},
    {form, "Steps", NULL},
    {form, "Empty", NULL},
    {form, "Nothing", NULL},
    {form, " Area ", "Editor"},
    {form, "area", NULL},
    {"### Area\r\n\r\nEditor\r\n\r\n### B\r\n", "Area", "Editor"},
    {"### Area  \nEditor", "Area", "Editor"},
    {"### Area\nEditor\n### Area\nOther", "Area", "Editor"},
    {"## Area\nEditor", "Area", NULL},
    {"#### Area\nEditor", "Area", NULL},
    {"###Area\nEditor", "Area", NULL},
    {" ### Area\nEditor", "Area", NULL},
    {"text ### Area\nEditor", "Area", NULL},
    {"### Area\n _No response_ \n", "Area", NULL},
    {"### Area\nnot _No response_", "Area", "not _No response_"},
    {"### Area\n#### sub\nx", "Area", "#### sub\nx"},
    /* Fences: CommonMark 4.5. */
    {"~~~\n### Area\nx\n~~~\n### Area\ny", "Area", "y"},
    {"````\n```\n### Area\nx\n````\n### Area\ny", "Area", "y"},
    {"```\n### Area\nx\n~~~\n### Area\nz\n```\n### Area\ny", "Area", "y"},
    {"```\n### Area\nx\n``` \n### Area\ny", "Area", "y"},
    {"```\n### Area\nx\n```c\n### Area\nz\n```\n### Area\ny", "Area", "y"},
    {"   ```\n### Area\nx\n   ```\n### Area\ny", "Area", "y"},
    {"    ```\n### Area\ny", "Area", "y"}, /* indented code, no fence */
    {"``` a`b\n### Area\ny", "Area", "y"}, /* a span, no fence */
    {"``\n### Area\ny", "Area", "y"},
    {"```\n### Area\nx", "Area", NULL}, /* nothing ends it */
    {"", "Area", NULL},
    {"### Area", "Area", NULL},
    {"### Area\n", "Area", NULL},
    {"### \nx", "", "x"},
};

TEST(answers_stand_below_their_heading)
{
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        struct bl_value out =
            run(BL_BUILTIN_FORM_ANSWER, bl_str_from(answers[i].text), answers[i].heading);

        check_case("%u: %s in %s", (unsigned)i, answers[i].heading, answers[i].text);
        if (answers[i].answer == NULL)
            check(bl_is_absent(out));
        else
            check_str(bl_text_of(out), answers[i].answer);
    }
}

TEST(the_text_of_a_form_is_what_people_wrote)
{
    check_str(
        bl_text_of(run(BL_BUILTIN_FORM_TEXT, bl_str_from(form), NULL)),
        "\nEditor\n\n\nIt crashes.\n\n```shell\n### Area\nnot this one\n```\n\n\n\n\n\n\n");
    check_str(bl_text_of(run(BL_BUILTIN_FORM_TEXT, BL_STR("no form\n## two\n"), NULL)),
              "no form\n## two\n");
    check_str(bl_text_of(run(BL_BUILTIN_FORM_TEXT, BL_STR(""), NULL)), "");
}

static const struct {
    const char *text, *prose;
} proses[] = {
    {"Hello there.\n", "Hello there.\n"},
    {"a\n```\ncode\n```\nb\n", "a\nb\n"},
    {"a\n~~~ text\ncode\n~~~\nb", "a\nb"},
    {"a\n```\ncode", "a\n"},
    {"a\n\n    code\n\n    code\nb\n", "a\n\nb\n"},
    {"a\n    goes on\n", "a\n    goes on\n"}, /* no blank line before: the paragraph goes on */
    {"a\n\tgoes on\n", "a\n\tgoes on\n"},
    {"\n\tcode\n", "\n"},
    {"> quoted\n>> twice\n   > too\nmine\n", "mine\n"},
    {"1 > 0\n", "1 > 0\n"},
    {"a <!-- hidden --> b", "a   b"},
    {"a <!-- hidden\n```\nstill --> b\nc", "a \n\n  b\nc"},
    {"a <!-- nothing ends this\n\nb", "a \n\n\n"},
    {"```\n<!--\n```\nb <!-- x -->", "b  "},
    {"see https://a.b/c?d now", "see   now"},
    {"[x](http://a.b/c) y", "[x]( ) y"},
    {"<www.a.b> y", "< > y"},
    {"", ""},
};

/* req: LNG-16 */
TEST(prose_is_the_reporters_own)
{
    for (size_t i = 0; i < sizeof proses / sizeof proses[0]; i++) {
        check_case("%u: %s", (unsigned)i, proses[i].text);
        check_str(bl_text_of(run(BL_BUILTIN_PROSE, bl_str_from(proses[i].text), NULL)),
                  proses[i].prose);
    }
}

/* The charge grows with the length alone, and so does the time: a text of a megabyte of
 * openings is done at once. */
TEST(hostile_texts_take_linear_time)
{
    static const char *const pieces[] = {"### Area\n", "```\n", "<!--", "    \n",
                                         "> \n",       "`",     "~~~~", "_No response_\n",
                                         "### \r\n"};

    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        struct bl_buf text;
        uint64_t used = stage.machine.used;

        bl_buf_init(&text, &arena, 1 << 18);
        while (text.len + 32 < 1 << 18)
            bl_buf_put(&text, bl_str_from(pieces[i]));
        run(BL_BUILTIN_FORM_ANSWER, bl_buf_str(&text), "Area");
        run(BL_BUILTIN_FORM_TEXT, bl_buf_str(&text), NULL);
        run(BL_BUILTIN_PROSE, bl_buf_str(&text), NULL);
        check_case("%s", pieces[i]);
        check(stage.machine.used - used <= 3 * (1 << 18) / BL_CHARGE_BYTES + 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(answers_stand_below_their_heading, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_text_of_a_form_is_what_people_wrote, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(prose_is_the_reporters_own, set_up, tear_down),
        cmocka_unit_test_setup_teardown(hostile_texts_take_linear_time, set_up, tear_down),
    };
    return check_main(tests);
}
