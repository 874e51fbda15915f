/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"
#include "support/stage.h"

/* Markers: facts §4, language-review §2.28 and §5.4; CMT-19, CMT-20, LNG-12, SAN-42. */

static struct bl_arena arena;
static struct stage stage;
static struct bl_object *comment;

static int set_up(void **state)
{
    (void)state;
    bl_arena_init(&arena, 64 << 20, NULL);
    stage_of(&stage, &arena, "pure nothing()\n  end\n");
    comment = bl_object_create(&arena, BL_ENTITY_COMMENT, 5, BL_STR("o/r"));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    bl_arena_reset(&arena);
    return 0;
}

static bl_str marker_line(uint32_t kind, const struct bl_value *attributes)
{
    struct bl_buf out;

    bl_buf_init(&out, &arena, 1 << 20);
    bl_marker_write(&stage.module, kind, attributes, &out);
    check(!out.failed);
    return bl_buf_str(&out);
}

static const struct bl_posted *read_slice(bl_str text)
{
    struct bl_posted *posted;

    check_status(bl_marker_read(&arena, &stage.module, comment, text, &posted), BL_OK);
    check(posted == NULL || posted->comment == comment);
    return posted;
}

static const struct bl_posted *read_text(const char *text)
{
    return read_slice(bl_str_from(text));
}

TEST(writes_the_form_of_the_facts)
{
    struct bl_value names[] = {text_value("v1.2"), text_value("a b+c")};
    struct bl_value question[] = {
        time_value("2026-11-02T08:00:00Z"),
        bl_int(2),
        bl_bool(true),
        text_value("so-so \xC3\xA4"),
        list_value(&arena, names, 2),
        bl_number(BL_V_LOCALE, 1),
    };
    struct bl_value nothing[] = {
        time_value("2026-11-02T08:00:00Z"),
        bl_int(-2),
        bl_bool(false),
        bl_absent(),
        list_value(&arena, NULL, 0),
        bl_number(BL_V_LOCALE, 0),
    };
    struct bl_value day = date_value("2026-12-02");

    check_str(marker_line(1, &day), "<!-- bylaw:closed-notice day=2026-12-02 -->");
    check_str(marker_line(0, question),
              "<!-- bylaw:question asked=2026-11-02T08%3A00%3A00Z round=2 done=1"
              " note=so%2Dso%20%C3%A4 names=v1.2+a%20b%2Bc lang=de -->");
    check_str(marker_line(0, nothing),
              "<!-- bylaw:question asked=2026-11-02T08%3A00%3A00Z round=-2"
              " done=0 lang=en -->");
}

/* req: CMT-19, LNG-12 */
TEST(reads_what_it_wrote)
{
    struct bl_value names[] = {text_value("v1.2"), text_value("a b+c"), text_value(""),
                               text_value("-->"), text_value("x=y")};
    struct bl_value question[] = {
        time_value("2026-11-02T08:00:00Z"),
        bl_int(INT64_MAX),
        bl_bool(true),
        text_value("\n<!-- \xF0\x9F\x99\x82 %41 -->"),
        list_value(&arena, names, 5),
        bl_number(BL_V_LOCALE, 1),
    };
    struct bl_buf text;

    bl_buf_init(&text, &arena, 10000);
    bl_marker_write(&stage.module, 0, question, &text);
    BL_PUT(&text, "\n\nThanks.\n");
    const struct bl_posted *posted = read_slice(bl_buf_str(&text));
    check(posted != NULL);
    check_int(posted->kind, 0);
    static const bl_type types[] = {BL_TYPE_TIME,
                                    BL_TYPE_INT,
                                    BL_TYPE_BOOL,
                                    BL_TYPE_TEXT,
                                    BL_TYPE_NAME | BL_TYPE_LIST_STEP,
                                    BL_TYPE_LOCALE};
    for (size_t i = 0; i < 6; i++) {
        check_case("attribute %u", (unsigned)i);
        check(bl_value_has_type(posted->attributes[i], types[i]));
        check(bl_value_equal(posted->attributes[i], question[i], types[i]));
    }
}

/* Nothing in a value can end the comment, begin another line, or be a second attribute.
 * req: SAN-42 */
TEST(no_text_gets_out_of_its_value)
{
    for (unsigned byte = 1; byte < 256; byte++) {
        char bytes[4] = {'a', (char)byte, 'b', '\0'};
        struct bl_value reply[] = {bl_int(1), bl_absent(), list_value(&arena, NULL, 0)};

        if (byte >= 0x80)
            continue; /* no text */
        reply[1] = bl_text((bl_str){bytes, 3});
        bl_str line = marker_line(2, reply);
        check_case("byte %u", byte);
        check_size(bl_str_find(line, BL_STR("-->")), line.len - 3);
        check(bl_str_find_char(line, '\n') == SIZE_MAX);
        const struct bl_posted *posted = read_slice(line);
        check(posted != NULL);
        check_slice(bl_text_of(posted->attributes[1]), bl_text_of(reply[1]));
    }
}

static const struct {
    const char *text;
    int kind; /* -1: ordinary text */
} forms[] = {
    {"<!-- bylaw:closed-notice day=2026-12-02 -->", 1},
    {"<!-- bylaw:closed-notice day=2026-12-02 -->\nx", 1},
    {"<!-- bylaw:closed-notice day=2026-12-02 -->\r\nx", 1}, /* edited in the browser */
    {"<!-- bylaw:closed-notice -->", 1},
    {"<!-- bylaw:reply to=7 -->", 2},
    /* Another version of ours, or another tool of the same account. */
    {"<!-- bylaw:closed-notice day=2026-12-02 mood=good -->", 1},
    {"<!-- bylaw:unknown day=2026-12-02 -->", -1},
    {"<!-- bylaws:closed-notice day=2026-12-02 -->", -1},
    {"<!-- issue-assistant:closed-notice day=2026-12-02 -->", -1},
    /* Not the first line, not that form. */
    {"x\n<!-- bylaw:closed-notice day=2026-12-02 -->", -1},
    {" <!-- bylaw:closed-notice day=2026-12-02 -->", -1},
    {"> <!-- bylaw:closed-notice day=2026-12-02 -->", -1},
    {"<!--bylaw:closed-notice day=2026-12-02 -->", -1},
    {"<!-- bylaw:closed_notice day=2026-12-02 -->", -1},
    {"<!-- bylaw:Closed-Notice day=2026-12-02 -->", -1},
    {"<!-- bylaw:closed-notice  day=2026-12-02 -->", -1},
    {"<!-- bylaw:closed-notice day=2026-12-02-->", -1},
    {"<!-- bylaw:closed-notice day=2026-12-02 --> x", -1},
    {"<!-- bylaw:closed-notice day=2026-12-02 ", -1},
    {"<!-- bylaw:closed-notice day -->", -1},
    {"<!-- bylaw:closed-notice =2026-12-02 -->", -1},
    {"<!-- bylaw:closed-notice day=\"2026-12-02\" -->", -1},
    {"<!-- bylaw:closed-notice day=2026-12-02 day=2026-12-03 -->", -1},
    {"<!-- bylaw:", -1},
    {"", -1},
    /* A value of another type: none of that kind. */
    {"<!-- bylaw:closed-notice day=soon -->", -1},
    {"<!-- bylaw:closed-notice day=2026-02-30 -->", -1},
    {"<!-- bylaw:closed-notice day= -->", -1},
    {"<!-- bylaw:reply to=x -->", -1},
    {"<!-- bylaw:reply to=1_0 -->", -1},
    {"<!-- bylaw:reply to=99999999999999999999 -->", -1},
    {"<!-- bylaw:reply to=1 tag=%4 -->", -1},
    {"<!-- bylaw:reply to=1 tag=%00 -->", -1},
    {"<!-- bylaw:reply to=1 tag=%ff -->", -1},
    {"<!-- bylaw:reply to=1 tag=%XX -->", -1},
    {"<!-- bylaw:question asked=2026-11-02T08%3A00%3A00Z done=2 -->", -1},
};

TEST(counts_in_its_exact_form_alone)
{
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        const struct bl_posted *posted = read_text(forms[i].text);

        check_case("%s", forms[i].text);
        check_int(posted != NULL ? posted->kind : -1, forms[i].kind);
    }
}

/* §5.4: a missing attribute is absent, false or []; an unknown language is the reference. */
TEST(fills_in_what_is_missing)
{
    const struct bl_posted *posted = read_text("<!-- bylaw:question -->");

    check(posted != NULL);
    check(bl_is_absent(posted->attributes[0]));
    check(bl_is_absent(posted->attributes[1]));
    check(posted->attributes[2].tag == BL_V_BOOL && posted->attributes[2].as.i == 0);
    check(bl_is_absent(posted->attributes[3]));
    check(posted->attributes[4].tag == BL_V_LIST && posted->attributes[4].as.list->count == 0);
    check(bl_is_absent(posted->attributes[5]));
    posted = read_text("<!-- bylaw:question lang=xx -->");
    check(posted != NULL && posted->attributes[5].tag == BL_V_LOCALE &&
          posted->attributes[5].as.i == 0);
    /* Readers must not depend on the order; the older alphabet has `-` and `/` as they are. */
    posted = read_text("<!-- bylaw:question note=v1/a-b round=3 -->");
    check(posted != NULL && posted->attributes[1].as.i == 3);
    check_str(bl_text_of(posted->attributes[3]), "v1/a-b");
}

/* Only in comments of the account. req: CMT-20 */
TEST(counts_in_comments_of_the_account_alone)
{
    static const struct {
        const char *login;
        bool ours;
    } authors[] = {{"bot[bot]", true}, {"Bot[bot]", true},   {"alice", false},
                   {"bot", false},     {"bot[bot]x", false}, {"", false}};

    for (size_t i = 0; i < sizeof authors / sizeof authors[0]; i++) {
        struct bl_object *own = bl_object_create(&arena, BL_ENTITY_COMMENT, 9, BL_STR("o/r"));
        struct bl_object *author =
            bl_object_create(&arena, BL_ENTITY_USER, 1, bl_str_from(authors[i].login));
        const struct bl_posted *posted;

        bl_object_set(own, BL_FIELD_COMMENT_AUTHOR, bl_object_value(author));
        bl_object_set(own, BL_FIELD_COMMENT_TEXT, text_value("<!-- bylaw:reply to=7 -->\n\nx"));
        check_case("%s", authors[i].login);
        check_status(bl_posted_of(&stage.machine, own, &posted), BL_OK);
        check((posted != NULL) == authors[i].ours);
        check(own->marker_known && own->marker == posted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(writes_the_form_of_the_facts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(reads_what_it_wrote, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_text_gets_out_of_its_value, set_up, tear_down),
        cmocka_unit_test_setup_teardown(counts_in_its_exact_form_alone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(fills_in_what_is_missing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(counts_in_comments_of_the_account_alone, set_up,
                                        tear_down),
    };
    return check_main(tests);
}
