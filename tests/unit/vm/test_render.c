/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"
#include "support/stage.h"

/* Values in the places where text leaves: OUT-01, CMT-21, LNG-03 to LNG-11, LNG-26. */

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

static bl_str render(struct bl_value v, bl_type type, enum bl_place place)
{
    struct bl_buf out;

    bl_buf_init(&out, &arena, 1 << 20);
    check_status(bl_render(&stage.machine, v, type, place, &out), BL_OK);
    check(!out.failed);
    return bl_buf_str(&out);
}

static void speak(int64_t locale)
{
    stage.machine.ambient[BL_AMBIENT_LANGUAGE] = bl_number(BL_V_LOCALE, locale);
}

static struct bl_object *object(enum bl_entity entity, int64_t key, const char *name)
{
    return bl_object_create(&arena, entity, key, bl_str_from(name));
}

static bl_type entity(enum bl_entity e)
{
    return bl_entity_info(e)->type;
}

static const enum bl_place markdown[] = {BL_PLACE_COMMENT, BL_PLACE_COMMENT_LINE,
                                         BL_PLACE_TIMELINE, BL_PLACE_SUMMARY, BL_PLACE_PROMPT};
static const enum bl_place all[] = {BL_PLACE_COMMENT, BL_PLACE_COMMENT_LINE, BL_PLACE_TIMELINE,
                                    BL_PLACE_SUMMARY, BL_PLACE_PROMPT,       BL_PLACE_LOG,
                                    BL_PLACE_ARGUMENT};
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* CommonMark 6.1: a code span ends at the first run of back-ticks as long as its opening one;
 * one blank at both ends goes when both are there and there is more than blanks. The name of
 * the span, or the test fails. */
static bl_str code_of(bl_str s)
{
    size_t fence = 0;
    bl_str trimmed = bl_str_trim(s);

    while (fence < trimmed.len && trimmed.ptr[fence] == '`')
        fence++;
    check(fence > 0);
    for (size_t at = fence; at < trimmed.len;) {
        size_t run = 0;

        while (at + run < trimmed.len && trimmed.ptr[at + run] == '`')
            run++;
        if (run == fence) {
            check_size(at + run, trimmed.len); /* nothing stands outside */
            bl_str inside = bl_str_slice(trimmed, fence, at);
            bool blanks = bl_str_trim(inside).len == 0;
            if (!blanks && inside.ptr[0] == ' ' && inside.ptr[inside.len - 1] == ' ')
                return bl_str_slice(inside, 1, inside.len - 1);
            return inside;
        }
        at += run > 0 ? run : 1;
    }
    fail_msg("no code span: %.*s", BL_STR_ARG(s));
    return s;
}

TEST(names_are_code_whatever_they_hold)
{
    static const char *const names[] = {
        "v1.2",       "needs info", "a`b",    "`a`",    "``",        "a``b`c",
        "```",        "@alice",     "#12",    "<b>",    "**bold**",  "[x](y)",
        "x | y",      " a ",        "$x$",    "\\",     "a\\`b",     "&amp;",
        "<!-- x -->", "~~~",        "# head", "- item", "https://x", "GH-7",
    };

    for (size_t i = 0; i < COUNT(names); i++) {
        for (size_t place = 0; place < COUNT(markdown); place++) {
            check_case("%s in place %u", names[i], (unsigned)place);
            check_str(code_of(render(text_value(names[i]), BL_TYPE_NAME, markdown[place])),
                      names[i]);
        }
    }
    check_case("plain ones");
    check_str(render(text_value("v1.2"), BL_TYPE_NAME, BL_PLACE_COMMENT), "`v1.2`");
    check_str(render(text_value("needs info"), BL_TYPE_LABEL, BL_PLACE_COMMENT),
              "`needs info`");
    check_str(render(text_value("src/a.c"), BL_TYPE_PATH, BL_PLACE_SUMMARY), "`src/a.c`");
    check_str(render(text_value("o/r"), BL_TYPE_REPOSITORY_NAME, BL_PLACE_COMMENT), "`o/r`");
    check_str(render(text_value("a`b"), BL_TYPE_NAME, BL_PLACE_COMMENT), " ``a`b`` ");
}

/* A blank line would end the paragraph and with it the span. */
TEST(names_stay_on_their_line)
{
    static const char *const names[] = {"a\n\nb",
                                        "a\r\nb",
                                        "a\rb",
                                        "a\vb",
                                        "a\xE2\x80\xA8"
                                        "b",
                                        "a\xC2\x85"
                                        "b"};

    for (size_t i = 0; i < COUNT(names); i++) {
        for (size_t place = 0; place + 1 < COUNT(all); place++) {
            check_case("%u in place %u", (unsigned)i, (unsigned)place);
            bl_str s = render(text_value(names[i]), BL_TYPE_NAME, all[place]);
            for (size_t k = 0; k < s.len; k++)
                check((unsigned char)s.ptr[k] >= 0x20 && (unsigned char)s.ptr[k] != 0x85);
            check(bl_str_find(s, BL_STR("\xE2\x80\xA8")) == SIZE_MAX);
        }
    }
}

TEST(what_cannot_be_seen_is_written_out)
{
    /* A right-to-left override turns a name around. */
    check_str(render(text_value("a\xE2\x80\xAE"
                                "b"),
                     BL_TYPE_NAME, BL_PLACE_COMMENT),
              "`a\\u{202E}b`");
    check_str(render(text_value("a\x1B[31m"), BL_TYPE_NAME, BL_PLACE_LOG), "`a\\u{1B}[31m`");
}

/* github.md, The runner: `::name::` behind white space, `##[name]` anywhere in a line; lines
 * end at LF, CR LF and CR. */
static bool has_command(bl_str log)
{
    bl_str rest = log;

    while (rest.len > 0) {
        size_t end = 0;
        while (end < rest.len && rest.ptr[end] != '\n' && rest.ptr[end] != '\r')
            end++;
        bl_str line = bl_str_slice(rest, 0, end);
        if (bl_str_starts_with(bl_str_trim(line), BL_STR("::")) ||
            bl_str_find(line, BL_STR("##[")) != SIZE_MAX)
            return true;
        rest = bl_str_slice(rest, end + (end < rest.len ? 1 : 0), rest.len);
        if (end == 0 && rest.len == 0)
            break;
    }
    return false;
}

/* req: LBL-08 */
TEST(nothing_in_the_log_becomes_a_command)
{
    static const char *const names[] = {
        "::add-mask::x",
        "##[add-mask]x",
        "[add-mask]x",
        ":add-mask::x",
        "#",
        "##",
        "a\n::error::x",
        "a\r##[group]",
        "::",
        ":",
        "a#",
        "a##[x",
    };
    static const char *const before[] = {"", ":", "#", "##", "  ", "\t:", "x: "};
    static const bl_type types[] = {BL_TYPE_NAME, BL_TYPE_PATH, BL_TYPE_LABEL, BL_TYPE_LINK,
                                    BL_TYPE_TEXT};

    check(has_command(BL_STR(" ::x")) && has_command(BL_STR("a##[x]")) &&
          !has_command(BL_STR("a ::x\nb:: #[")));
    for (size_t i = 0; i < COUNT(names); i++) {
        for (size_t k = 0; k < COUNT(before); k++) {
            for (size_t t = 0; t < COUNT(types); t++) {
                struct bl_buf line;

                /* Own words between own words are the policy's own business. */
                if (types[t] == BL_TYPE_TEXT && before[k][0] != '\0')
                    continue;
                check_case("'%s' behind '%s', type %u", names[i], before[k], types[t]);
                bl_buf_init(&line, &arena, 1000);
                bl_buf_put(&line, bl_str_from(before[k]));
                bl_str one = render(text_value(names[i]), types[t], BL_PLACE_LOG);
                bl_buf_put(&line, one);
                if (types[t] != BL_TYPE_TEXT)
                    bl_buf_put(&line, one);
                check(!has_command(bl_buf_str(&line)));
            }
        }
    }
    check_case("own words");
    check_str(render(text_value("::error::x"), BL_TYPE_TEXT, BL_PLACE_LOG),
              ":\\u{3A}error:\\u{3A}x");
    check_str(render(text_value("a ##[group]"), BL_TYPE_TEXT, BL_PLACE_LOG),
              "a ##\\u{5B}group]");
}

/* A mention is for the assistant's own words (CMT-21). */
TEST(people_are_mentioned_in_comments)
{
    struct bl_value alice = bl_object_value(object(BL_ENTITY_USER, 1, "alice"));
    struct bl_value robot = bl_object_value(object(BL_ENTITY_USER, 1, "dependabot[bot]"));
    struct bl_value ghost = bl_object_value(object(BL_ENTITY_USER, 1, "ghost"));
    bl_type user = entity(BL_ENTITY_USER);

    check_str(render(alice, user, BL_PLACE_COMMENT), "@alice");
    check_str(render(alice, user, BL_PLACE_COMMENT_LINE), "@alice");
    check_str(render(alice, user, BL_PLACE_TIMELINE), "alice");
    check_str(render(alice, user, BL_PLACE_SUMMARY), "alice");
    check_str(render(alice, user, BL_PLACE_PROMPT), "alice");
    check_str(render(alice, user, BL_PLACE_ARGUMENT), "alice");
    check_str(render(robot, user, BL_PLACE_COMMENT), "`dependabot[bot]`");
    check_str(render(ghost, user, BL_PLACE_COMMENT), "`ghost`");
}

TEST(issues_are_numbers_and_releases_link)
{
    struct bl_object *here = object(BL_ENTITY_REPOSITORY, 0, "o/r");
    struct bl_value issue = bl_object_value(object(BL_ENTITY_ISSUE, 12, "O/R"));
    struct bl_value other = bl_object_value(object(BL_ENTITY_ISSUE, 7, "x/y.z"));
    struct bl_value pull = bl_object_value(object(BL_ENTITY_PULL_REQUEST, 40, "o/r"));
    struct bl_value numbered = bl_object_value(object(BL_ENTITY_NUMBERED, 77, "o/r"));
    struct bl_value release = bl_object_value(object(BL_ENTITY_RELEASE, 0, "v1.0 a"));

    bl_object_set(here, BL_FIELD_REPOSITORY_NEW_ISSUE_LINK,
                  text_value("https://github.com/o/r/issues/new/choose"));
    check_str(render(issue, entity(BL_ENTITY_ISSUE), BL_PLACE_COMMENT), "#12");
    check_str(render(release, entity(BL_ENTITY_RELEASE), BL_PLACE_COMMENT), "`v1.0 a`");
    stage.machine.ambient[BL_AMBIENT_REPOSITORY] = bl_object_value(here);
    check_str(render(issue, entity(BL_ENTITY_ISSUE), BL_PLACE_COMMENT), "#12");
    check_str(render(other, entity(BL_ENTITY_ISSUE), BL_PLACE_LOG), "x/y.z#7");
    check_str(render(pull, entity(BL_ENTITY_PULL_REQUEST), BL_PLACE_TIMELINE), "#40");
    check_str(render(numbered, entity(BL_ENTITY_NUMBERED), BL_PLACE_COMMENT), "#77");
    /* CMT-13 */
    check_str(render(release, entity(BL_ENTITY_RELEASE), BL_PLACE_COMMENT),
              "[`v1.0 a`](<https://github.com/o/r/releases/tag/v1.0%20a>)");
    check_str(render(release, entity(BL_ENTITY_RELEASE), BL_PLACE_LOG), "`v1.0 a`");
    /* CMT-08 */
    struct bl_object *comment = object(BL_ENTITY_COMMENT, 991, "");
    bl_object_set(comment, BL_FIELD_COMMENT_ISSUE, issue);
    check_str(render(bl_object_value(comment), entity(BL_ENTITY_COMMENT), BL_PLACE_COMMENT),
              "<https://github.com/o/r/issues/12#issuecomment-991>");
    check_str(render(bl_object_value(comment), entity(BL_ENTITY_COMMENT), BL_PLACE_LOG), "#12");
    struct bl_value both = list_value(&arena, (struct bl_value[]){issue, other}, 2);
    check_str(render(both, BL_LIST_OF(entity(BL_ENTITY_ISSUE)), BL_PLACE_COMMENT),
              "#12, x/y.z#7");
    check_str(render(list_value(&arena, NULL, 0), BL_LIST_OF(BL_TYPE_LABEL), BL_PLACE_COMMENT),
              "");
    struct bl_value labels[] = {text_value("bug"), text_value("needs info")};
    check_str(
        render(list_value(&arena, labels, 2), BL_LIST_OF(BL_TYPE_LABEL), BL_PLACE_COMMENT),
        "`bug`, `needs info`");
}

TEST(addresses_end_where_they_end)
{
    check_str(render(text_value("https://x.y/a_b?c=1"), BL_TYPE_LINK, BL_PLACE_COMMENT),
              "<https://x.y/a_b?c=1>");
    check_str(render(text_value("https://x.y/a b>c`\xC3\xA4"), BL_TYPE_LINK, BL_PLACE_COMMENT),
              "<https://x.y/a%20b%3Ec%60%C3%A4>");
    check_str(render(text_value("javascript:x"), BL_TYPE_LINK, BL_PLACE_COMMENT),
              "`javascript:x`");
    check_str(render(text_value("https://x.y/a"), BL_TYPE_LINK, BL_PLACE_LOG), "https://x.y/a");
    /* CMT-27 */
    check_str(render(text_value("https://x.y/o/r/blob/main/SECURITY.md"), BL_TYPE_FILE_LINK,
                     BL_PLACE_COMMENT),
              "[`SECURITY.md`](<https://x.y/o/r/blob/main/SECURITY.md>)");
    check_str(render(text_value("https://x.y/o/r/blob/main/a.md#what-happens"),
                     BL_TYPE_FILE_LINK, BL_PLACE_COMMENT),
              "[`a.md`](<https://x.y/o/r/blob/main/a.md#what-happens>)");
}

/* req: LNG-26 */
TEST(days_are_written_in_the_language)
{
    struct bl_value day = date_value("2026-11-02");

    check_str(render(day, BL_TYPE_DATE, BL_PLACE_COMMENT), "November 2, 2026");
    speak(0);
    check_str(render(day, BL_TYPE_DATE, BL_PLACE_COMMENT), "November 2, 2026");
    speak(1);
    check_str(render(day, BL_TYPE_DATE, BL_PLACE_COMMENT), "2. November 2026");
    check_str(render(date_value("2027-03-31"), BL_TYPE_DATE, BL_PLACE_COMMENT_LINE),
              "31. M\xC3\xA4rz 2027");
    speak(2);
    check_str(render(day, BL_TYPE_DATE, BL_PLACE_COMMENT), "2026-11-02");
    /* A place that no reporter reads has no language. */
    speak(1);
    check_str(render(day, BL_TYPE_DATE, BL_PLACE_LOG), "2026-11-02");
    check_str(render(day, BL_TYPE_DATE, BL_PLACE_SUMMARY), "2026-11-02");
    check_str(render(day, BL_TYPE_DATE, BL_PLACE_PROMPT), "2026-11-02");
}

TEST(numbers_read_the_same_everywhere)
{
    static const struct {
        enum bl_value_tag tag;
        bl_type type;
        int64_t i;
        const char *words;
    } values[] = {
        {BL_V_INT, BL_TYPE_INT, 12, "12"},
        {BL_V_INT, BL_TYPE_INT, -3, "-3"},
        {BL_V_BOOL, BL_TYPE_BOOL, 1, "true"},
        {BL_V_DURATION, BL_TYPE_DURATION, 15 * 86400, "15 days"}, /* CMT-18 */
        {BL_V_DURATION, BL_TYPE_DURATION, 86400, "1 day"},
        {BL_V_DURATION, BL_TYPE_DURATION, 36 * 3600, "36 hours"},
        {BL_V_DURATION, BL_TYPE_DURATION, 60, "1 minute"},
        {BL_V_MONEY, BL_TYPE_MONEY, 10000, "$1.00"},
        {BL_V_PERCENT, BL_TYPE_PERCENT, 20, "20%"},
        {BL_V_TIME, BL_TYPE_TIME, 1793606400, "2026-11-02T08:00:00Z"},
        {BL_V_TASK, BL_TYPE_TASK, 0, "triage"},
        {BL_V_LOCALE, BL_TYPE_LOCALE, 1, "de"},
        {BL_V_ENUM, BL_TYPE_MAKE(BL_TYPE_ENUM, BL_ENUM_ISSUE_STATE), BL_ISSUE_STATE_CLOSED,
         "closed"},
        {BL_V_ENUM, BL_TYPE_MAKE(BL_TYPE_ENUM, BL_ENUM_COUNT), 1, "high"},
    };

    for (size_t i = 0; i < COUNT(values); i++) {
        struct bl_value v = bl_number(values[i].tag, values[i].i);

        if (values[i].tag == BL_V_ENUM)
            v.aux = (uint16_t)bl_type_ref(values[i].type);
        for (size_t place = 0; place < COUNT(all); place++) {
            /* A value that begins with `-` would be an option of a command (ENG-16). */
            if (all[place] == BL_PLACE_ARGUMENT && values[i].i < 0)
                continue;
            /* A program takes an amount as a number. */
            if (all[place] == BL_PLACE_ARGUMENT && values[i].tag == BL_V_MONEY) {
                check_str(render(v, values[i].type, all[place]), "1.00");
                continue;
            }
            check_case("%s in place %u", values[i].words, (unsigned)place);
            check_str(render(v, values[i].type, all[place]), values[i].words);
        }
    }
}

TEST(own_words_stand_as_they_are)
{
    for (size_t place = 0; place < COUNT(all); place++)
        check_str(render(text_value("Thanks, **you**."), BL_TYPE_TEXT, all[place]),
                  "Thanks, **you**.");
    check_str(render(text_value("clean *already*"),
                     BL_TYPE_MAKE(BL_TYPE_CLEAN, 1u << BL_PLACE_COMMENT), BL_PLACE_COMMENT),
              "clean *already*");
}

static enum bl_status refused(struct bl_value v, bl_type type, enum bl_place place)
{
    struct bl_buf out;

    bl_buf_init(&out, &arena, 1000);
    return bl_render(&stage.machine, v, type, place, &out);
}

TEST(what_may_not_stand_there_is_refused)
{
    struct bl_value v = text_value("x");

    for (size_t place = 0; place < COUNT(all); place++) {
        check_status(refused(v, BL_TYPE_UNTRUSTED, all[place]), BL_ERR_INTERNAL);
        check_status(refused(v, BL_TYPE_SECRET, all[place]), BL_ERR_INTERNAL);
        check_status(refused(v, BL_TYPE_MASKED, all[place]), BL_ERR_INTERNAL);
    }
    check_status(refused(v, BL_TYPE_MAKE(BL_TYPE_CLEAN, 1u << BL_PLACE_LOG), BL_PLACE_COMMENT),
                 BL_ERR_INTERNAL);
    check_status(refused(bl_absent(), BL_TYPE_NAME, BL_PLACE_COMMENT), BL_ERR_INTERNAL);
    /* ENG-16, LBL-08: no value may look like an option. */
    check_status(refused(text_value("--exec=x"), BL_TYPE_LABEL, BL_PLACE_ARGUMENT),
                 BL_ERR_INTERNAL);
    check_status(refused(text_value("--exec"), BL_TYPE_NAME, BL_PLACE_ARGUMENT),
                 BL_ERR_INTERNAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(names_are_code_whatever_they_hold, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_stay_on_their_line, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_cannot_be_seen_is_written_out, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nothing_in_the_log_becomes_a_command, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(people_are_mentioned_in_comments, set_up, tear_down),
        cmocka_unit_test_setup_teardown(issues_are_numbers_and_releases_link, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(addresses_end_where_they_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(days_are_written_in_the_language, set_up, tear_down),
        cmocka_unit_test_setup_teardown(numbers_read_the_same_everywhere, set_up, tear_down),
        cmocka_unit_test_setup_teardown(own_words_stand_as_they_are, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_may_not_stand_there_is_refused, set_up, tear_down),
    };
    return check_main(tests);
}
