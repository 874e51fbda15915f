/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"
#include "value/value.h"

#include <string.h>

static struct bl_arena arena;

static int setup(void **state)
{
    (void)state;
    bl_arena_init(&arena, 1 << 22, NULL);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    bl_arena_reset(&arena);
    return 0;
}

static struct bl_value text(const char *s)
{
    return bl_text(bl_str_from(s));
}

static struct bl_value thing(enum bl_entity entity, int64_t key, const char *name)
{
    return bl_object_value(bl_object_create(&arena, entity, key, bl_str_from(name)));
}

static struct bl_value list_of(const struct bl_value *items, size_t count)
{
    struct bl_list *list = bl_list_create(&arena);

    for (size_t i = 0; i < count; i++)
        check_status(bl_list_push(&arena, list, items[i]), BL_OK);
    return bl_list_value(list);
}

static bl_str reading(struct bl_value v, const struct bl_value_names *names)
{
    struct bl_buf out;

    bl_buf_init(&out, &arena, 1 << 16);
    bl_value_describe(&out, v, names);
    check(!out.failed);
    return bl_buf_str(&out);
}

/* The days and seconds come from an independent calendar (date -u -d @N). */
TEST(scalars_read_as_policies_write_them)
{
    const struct {
        struct bl_value value;
        const char *reading;
    } cases[] = {
        {bl_absent(), "none"},
        {bl_bool(true), "true"},
        {bl_bool(false), "false"},
        {bl_int(-12), "-12"},
        {bl_int(INT64_MIN), "-9223372036854775808"},
        {bl_number(BL_V_DURATION, 15 * 86400), "15 days"},
        {bl_number(BL_V_DURATION, 86400), "1 day"},
        {bl_number(BL_V_DURATION, 36 * 3600), "36 hours"},
        {bl_number(BL_V_DURATION, 3600), "1 hour"},
        {bl_number(BL_V_DURATION, 90 * 60), "90 minutes"},
        {bl_number(BL_V_DURATION, 61), "61 seconds"},
        {bl_number(BL_V_DURATION, 1), "1 second"},
        {bl_number(BL_V_DURATION, 0), "0 seconds"},
        {bl_number(BL_V_DURATION, -86400), "-1 day"},
        {bl_number(BL_V_DURATION, INT64_MIN), "-9223372036854775808 seconds"},
        {bl_number(BL_V_MONEY, 10000), "$1.00"},
        {bl_number(BL_V_MONEY, 12345), "$1.2345"},
        {bl_number(BL_V_MONEY, 12300), "$1.23"},
        {bl_number(BL_V_MONEY, 50), "$0.0050"},
        {bl_number(BL_V_MONEY, 0), "$0.00"},
        {bl_number(BL_V_MONEY, -10001), "-$1.0001"},
        {bl_number(BL_V_MONEY, INT64_MIN), "-$922337203685477.5808"},
        {bl_number(BL_V_PERCENT, 20), "20%"},
        {bl_number(BL_V_TIME, 1793606400), "2026-11-02T08:00:00Z"},
        {bl_number(BL_V_TIME, 0), "1970-01-01T00:00:00Z"},
        {bl_number(BL_V_DATE, 20759), "2026-11-02"},
        {bl_number(BL_V_DATE, 2932896), "9999-12-31"},
        {bl_number(BL_V_DATE, 2932897), "date 2932897"},
        {bl_number(BL_V_DATE, INT64_MAX), "date 9223372036854775807"},
        {bl_number(BL_V_TIME, INT64_MAX), "time 9223372036854775807"},
        {bl_number(BL_V_TIME, INT64_MIN), "time -9223372036854775808"},
        {bl_member_value(BL_ENUM_ISSUE_STATE, BL_ISSUE_STATE_CLOSED), "closed"},
        {bl_member_value(BL_ENUM_ISSUE_STATE, 9), "member 9"},
        {bl_member_value(BL_ENUM_COUNT, 1), "member 1"},
        {bl_number(BL_V_TASK, 2), "task 2"},
        {bl_number(BL_V_LOCALE, 0), "language 0"},
        {bl_number(BL_V_COMMAND, 1), "command 1"},
        {bl_number(BL_V_PATTERN, 3), "pattern 3"},
        {text("Crash"), "\"Crash\""},
        {text(""), "\"\""},
        {text("say \"no\" \\"), "\"say \\\"no\\\" \\\\\""},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        check_case("%s", cases[i].reading);
        check_str(reading(cases[i].value, NULL), cases[i].reading);
    }
}

static bl_str word_of_member(const void *context, unsigned enumeration, unsigned member)
{
    check_str(bl_str_from(context), "module");
    return enumeration == BL_ENUM_COUNT + 1u && member == 2 ? BL_STR("solved")
                                                            : (bl_str){NULL, 0};
}

static bl_str word_of_declared(const void *context, enum bl_value_tag tag, unsigned index)
{
    check_str(bl_str_from(context), "module");
    if (tag == BL_V_TASK && index == 0)
        return BL_STR("triage");
    if (tag == BL_V_PATTERN && index == 1)
        return BL_STR("/a+/");
    return (bl_str){NULL, 0};
}

TEST(the_words_of_the_module_are_used)
{
    const struct bl_value_names names = {"module", word_of_member, word_of_declared};

    check_str(reading(bl_member_value(BL_ENUM_COUNT + 1, 2), &names), "solved");
    check_str(reading(bl_member_value(BL_ENUM_COUNT + 1, 3), &names), "member 3");
    check_str(reading(bl_member_value(BL_ENUM_USER_KIND, BL_USER_KIND_BOT), &names), "bot");
    check_str(reading(bl_number(BL_V_TASK, 0), &names), "triage");
    check_str(reading(bl_number(BL_V_TASK, 1), &names), "task 1");
    check_str(reading(bl_number(BL_V_PATTERN, 1), &names), "/a+/");
}

TEST(things_read_by_what_people_call_them)
{
    struct bl_value comment = thing(BL_ENTITY_COMMENT, 991, "o/r");
    struct bl_posted posted = {.comment = comment.as.object};
    const struct {
        struct bl_value value;
        const char *reading;
    } cases[] = {
        {thing(BL_ENTITY_ISSUE, 12, "o/r"), "#12"},
        {thing(BL_ENTITY_PULL_REQUEST, 13, "o/r"), "#13"},
        {thing(BL_ENTITY_DISCUSSION, 14, "o/r"), "#14"},
        {thing(BL_ENTITY_USER, 1, "alice"), "alice"},
        {thing(BL_ENTITY_USER, 1, "dependabot[bot]"), "dependabot[bot]"},
        {thing(BL_ENTITY_RELEASE, 0, "v1.2"), "v1.2"},
        {thing(BL_ENTITY_REPOSITORY, 0, "o/r"), "o/r"},
        {thing(BL_ENTITY_COMMIT, 0, "0123456789abcdef0123456789abcdef01234567"),
         "0123456789ab"},
        {comment, "comment 991"},
        {{.tag = BL_V_POSTED, .as.posted = &posted}, "comment 991"},
        {thing(BL_ENTITY_VERDICT, 0, ""), "verdict"},
        {thing(BL_ENTITY_ALERT, 4, "o/r"), "alert 4"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        check_case("%s", cases[i].reading);
        check_str(reading(cases[i].value, NULL), cases[i].reading);
    }
}

TEST(lists_and_records_are_short)
{
    struct bl_value twelve[12];
    struct bl_value fields[] = {bl_int(1), text("a b"), bl_absent()};
    struct bl_value nested = bl_int(1);
    struct bl_value list;

    for (int i = 0; i < 12; i++)
        twelve[i] = bl_int(i);
    check_str(reading(list_of(NULL, 0), NULL), "[]");
    check_str(reading(list_of((struct bl_value[]){text("bug"), text("needs info")}, 2), NULL),
              "[bug, \"needs info\"]");
    check_str(
        reading(list_of((struct bl_value[]){text(""), text("a,b"), text("a/b-c_1.0+")}, 3),
                NULL),
        "[\"\", \"a,b\", a/b-c_1.0+]");
    check_str(reading(list_of(twelve, 8), NULL), "[0, 1, 2, 3, 4, 5, 6, 7]");
    check_str(reading(list_of(twelve, 12), NULL), "[0, 1, 2, 3, 4, 5, 6, 7, and 4 more]");
    list = list_of(twelve, 2);
    list.as.list->complete = false;
    check_str(reading(list, NULL), "[0, 1, and more]");
    list = list_of(NULL, 0);
    list.as.list->complete = false;
    check_str(reading(list, NULL), "[more]");
    check_str(
        reading((struct bl_value){.tag = BL_V_RECORD, .len = 3, .as.fields = fields}, NULL),
        "(1, \"a b\", none)");
    /* What nests without end is cut. */
    for (int i = 0; i < 100; i++)
        nested = list_of(&nested, 1);
    check_str(reading(nested, NULL), "[[[[[1 more]]]]]");
}

/* What a stranger wrote steers no terminal, no reader and no log: control characters (C0, C1),
 * characters that turn the direction of text (Unicode, bidirectional algorithm) or cannot be
 * seen, and the two beginnings of commands that the runner knows. */
TEST(texts_of_strangers_steer_nothing)
{
    static const struct {
        const char *text, *reading;
    } cases[] = {
        {"a\nb", "\"a\\u{A}b\""},
        {"a\r\tb", "\"a\\u{D}\\u{9}b\""},
        {"\x1b[31m", "\"\\u{1B}[31m\""},
        {"\x7f", "\"\\u{7F}\""},
        {"\xc2\x9b", "\"\\u{9B}\""},
        {"\xe2\x80\xae", "\"\\u{202E}\""},
        {"\xe2\x81\xa6", "\"\\u{2066}\""},
        {"\xe2\x80\x8b", "\"\\u{200B}\""},
        {"\xe2\x80\xa8", "\"\\u{2028}\""},
        {"\xef\xbb\xbf", "\"\\u{FEFF}\""},
        {"\xf3\xa0\x81\x81", "\"\\u{E0041}\""},
        {"::error::x", "\":\\u{3A}error:\\u{3A}x\""},
        {":::", "\":\\u{3A}\\u{3A}\""},
        {"see ##[add-mask]x", "\"see ##\\u{5B}add-mask]x\""},
        {"#[a] [b] a:b", "\"#[a] [b] a:b\""},
        {"https://example.org", "\"https://example.org\""},
        {"gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80", "\"gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80\""},
        {"\xff\xfe", "\"\\xFF\\xFE\""},
        {"ok \xc3", "\"\\x6F\\x6B\\x20\\xC3\""},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        check_case("%s", cases[i].reading);
        check_str(reading(text(cases[i].text), NULL), cases[i].reading);
    }
    /* Names of things come from strangers as well. */
    check_str(reading(thing(BL_ENTITY_RELEASE, 0, "v1\x1b[2J"), NULL), "v1\\u{1B}[2J");
    check_str(reading(thing(BL_ENTITY_RELEASE, 0, "##[group]"), NULL), "##\\u{5B}group]");
}

#define X60      "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
#define ELLIPSIS "\xe2\x80\xa6"

TEST(long_texts_are_cut_at_sixty_characters)
{
    char wide[400];
    char expected[400];
    bl_str shown = {expected, 245};

    check_str(reading(text(X60), NULL), "\"" X60 "\"");
    check_str(reading(text(X60 "x"), NULL), "\"" X60 ELLIPSIS "\"");
    check_str(reading(text(X60 X60 X60 X60 X60), NULL), "\"" X60 ELLIPSIS "\"");
    /* In a list, a long text is no name. */
    check_str(reading(list_of((struct bl_value[]){text(X60)}, 1), NULL), "[" X60 "]");
    check_str(reading(list_of((struct bl_value[]){text(X60 "x")}, 1), NULL),
              "[\"" X60 ELLIPSIS "\"]");
    /* Four bytes a character, so that cuts by bytes would show. */
    for (size_t i = 0; i < 100; i++)
        memcpy(wide + 4 * i, "\xf0\x9f\x98\x80", 4);
    expected[0] = '"';
    memcpy(expected + 1, wide, 240);
    memcpy(expected + 241, ELLIPSIS "\"", 4);
    check_slice(reading(bl_text((bl_str){wide, 244}), NULL), shown);
    check_slice(reading(bl_text((bl_str){wide, 400}), NULL), shown);
    expected[241] = '"';
    shown.len = 242;
    check_slice(reading(bl_text((bl_str){wide, 240}), NULL), shown);
}

int main(void)
{
#define WITH_ARENA(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    static const struct CMUnitTest tests[] = {
        WITH_ARENA(scalars_read_as_policies_write_them),
        WITH_ARENA(the_words_of_the_module_are_used),
        WITH_ARENA(things_read_by_what_people_call_them),
        WITH_ARENA(lists_and_records_are_short),
        WITH_ARENA(texts_of_strangers_steer_nothing),
        WITH_ARENA(long_texts_are_cut_at_sixty_characters),
    };

    return check_main(tests);
}
