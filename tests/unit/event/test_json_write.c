/* SPDX-License-Identifier: Apache-2.0 */
#include "event/json.h"
#include "support/check.h"

static struct bl_arena arena;

static int set_up(void **state)
{
    (void)state;
    bl_arena_init(&arena, (size_t)1 << 20, NULL);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    bl_arena_reset(&arena);
    return 0;
}

static bl_str sample(bool pretty)
{
    struct bl_buf *out = BL_NEW(&arena, struct bl_buf);
    struct bl_json_writer w;
    bl_buf_init(out, &arena, 10000);
    bl_json_writer_init(&w, out, pretty);
    bl_json_begin_object(&w);
    bl_json_key(&w, BL_STR("a"));
    bl_json_integer(&w, INT64_MIN);
    bl_json_key(&w, BL_STR("list"));
    bl_json_begin_array(&w);
    bl_json_bool(&w, true);
    bl_json_null(&w);
    bl_json_begin_array(&w);
    bl_json_end_array(&w);
    bl_json_begin_object(&w);
    bl_json_end_object(&w);
    bl_json_end_array(&w);
    bl_json_key(&w, BL_STR("k\"y"));
    bl_json_string(&w, BL_STR("v"));
    bl_json_end_object(&w);
    check(!out->failed);
    return bl_buf_str(out);
}

TEST(nesting)
{
    check_str(sample(false), "{\"a\":-9223372036854775808,\"list\":[true,null,[],{}],"
                             "\"k\\\"y\":\"v\"}");
    check_str(sample(true), "{\n"
                            "  \"a\": -9223372036854775808,\n"
                            "  \"list\": [\n"
                            "    true,\n"
                            "    null,\n"
                            "    [],\n"
                            "    {}\n"
                            "  ],\n"
                            "  \"k\\\"y\": \"v\"\n"
                            "}");
}

TEST(escapes)
{
    static const struct {
        bl_str value;
        const char *text;
    } cases[] = {
        {{"", 0}, "\"\""},
        {{"a/b", 3}, "\"a/b\""},
        {{"\"\\", 2}, "\"\\\"\\\\\""},
        {{"\n\r\t\b\f", 5}, "\"\\n\\r\\t\\u0008\\u000c\""},
        {{"\0\x1f\x1b[0m", 6}, "\"\\u0000\\u001f\\u001b[0m\""},
        {{"\x7f\xC2\x80\xC2\x9F\xC2\xA0", 7}, "\"\\u007f\\u0080\\u009f\xC2\xA0\""},
        {{"\xE2\x80\xA8\xE2\x80\xA9\xE2\x80\xAA", 9}, "\"\\u2028\\u2029\xE2\x80\xAA\""},
        {{"\xC3\xA4\xF0\x9F\x98\x80", 6}, "\"\xC3\xA4\xF0\x9F\x98\x80\""},
        {{"a\xFF\xFE"
          "b\xE2\x82",
          6},
         "\"a\xEF\xBF\xBD\xEF\xBF\xBD"
         "b\xEF\xBF\xBD\xEF\xBF\xBD\""},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct bl_buf out;
        struct bl_json_writer w;
        check_case("row %zu", i);
        bl_buf_init(&out, &arena, 1000);
        bl_json_writer_init(&w, &out, false);
        bl_json_string(&w, cases[i].value);
        check_str(bl_buf_str(&out), cases[i].text);
    }
}

/* Every text of a reader comes back, whatever is in it. */
TEST(round_trip)
{
    char bytes[4];
    for (uint32_t c = 1; c < 0x3000; c++) {
        size_t len = c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
        bytes[0] = (char)(c < 0x80 ? c : c < 0x800 ? 0xC0 | c >> 6 : 0xE0 | c >> 12);
        bytes[1] = (char)(0x80 | (c < 0x800 ? c & 0x3F : c >> 6 & 0x3F));
        bytes[2] = (char)(0x80 | (c & 0x3F));
        struct bl_arena_mark mark = bl_arena_mark(&arena);
        struct bl_buf out;
        struct bl_json_writer w;
        struct bl_json_error error;
        size_t notes = 0;
        bl_buf_init(&out, &arena, 1000);
        bl_json_writer_init(&w, &out, false);
        bl_json_string(&w, (bl_str){bytes, len});
        const struct bl_json *back = bl_json_parse(&arena, bl_buf_str(&out), 1, &notes, &error);
        check_case("U+%04X", (unsigned)c);
        check(back != NULL);
        check_slice(back->string, ((bl_str){bytes, len}));
        bl_arena_release(&arena, mark);
    }
}

TEST(too_deep_or_unbalanced_sets_failed)
{
    struct bl_buf out;
    struct bl_json_writer w;
    bl_buf_init(&out, &arena, 1000);
    bl_json_writer_init(&w, &out, false);
    for (int i = 0; i < BL_JSON_WRITE_DEPTH; i++) {
        bl_json_begin_array(&w);
    }
    check(!out.failed);
    bl_json_begin_array(&w);
    check(out.failed);

    bl_buf_init(&out, &arena, 1000);
    bl_json_writer_init(&w, &out, false);
    bl_json_end_object(&w);
    check(out.failed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nesting, set_up, tear_down),
        cmocka_unit_test_setup_teardown(escapes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(round_trip, set_up, tear_down),
        cmocka_unit_test_setup_teardown(too_deep_or_unbalanced_sets_failed, set_up, tear_down),
    };
    return check_main(tests);
}
