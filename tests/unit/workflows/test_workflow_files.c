/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"
#include "unit/sema/compile.h"
#include "workflows/workflows.h"
#include "workflows/yaml.h"

#define PIN_A "0123456789abcdef0123456789abcdef01234567"
#define PIN_B "89abcdef0123456789abcdef0123456789abcdef"

TEST(texts_are_texts_to_every_reader)
{
    static const struct {
        const char *text, *written;
    } rows[] = {
        {"ubuntu-24.04", "ubuntu-24.04"},
        {"actions/checkout@v5", "actions/checkout@v5"},
        {"", "\"\""},
        {"yes", "\"yes\""},
        {"Off", "\"Off\""},
        {"NULL", "\"NULL\""},
        {"n", "\"n\""},
        {"1", "\"1\""},
        {"1e3", "\"1e3\""},
        {"0x1f", "\"0x1f\""},
        {"2026-11-02", "\"2026-11-02\""},
        {"-", "\"-\""},
        {"- a", "\"- a\""},
        {"a: b", "\"a: b\""},
        {"a #b", "\"a #b\""},
        {"a ", "\"a \""},
        {"*", "\"*\""},
        {"!x", "\"!x\""},
        {"a\"b\\c", "\"a\\\"b\\\\c\""},
        {"a\nb\tc", "\"a\\nb\\tc\""},
        {"a\x1b\x7f", "\"a\\x1B\\x7F\""},
        {"\xc2\x85\xc2\xa0\xe2\x80\xa8\xe2\x80\xae\xef\xbb\xbf",
         "\"\\x85\\xA0\\u2028\\u202E\\uFEFF\""},
        {"\xc3\xbc\xf0\x9f\x98\x80", "\"\xc3\xbc\xf0\x9f\x98\x80\""},
        {"\xf3\xa0\x80\x81", "\"\\U000E0001\""},
    };
    struct bl_arena arena;

    bl_arena_init(&arena, 1 << 16, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_buf out;

        check_case("%s", rows[i].text);
        bl_buf_init(&out, &arena, 1000);
        bl_yaml_text(&out, bl_str_from(rows[i].text));
        check_str(bl_buf_str(&out), rows[i].written);
    }
    bl_arena_reset(&arena);
}

TEST(lines_stay_as_they_are)
{
    static const struct {
        const char *text, *written;
    } rows[] = {
        {"one", " one\n"},
        {"a b\nc", " |-\n  a b\n  c\n"},
        {"a\n\nb", " \"a\\n\\nb\"\n"},
        {"a\n b", " \"a\\n b\"\n"},
        {" a\nb", " \" a\\nb\"\n"},
        {"a \nb", " \"a \\nb\"\n"},
        {"a\nb\n", " \"a\\nb\\n\"\n"},
        {"a\nb\x1b", " \"a\\nb\\x1B\"\n"},
    };
    struct bl_arena arena;

    bl_arena_init(&arena, 1 << 16, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_buf out;

        check_case("%s", rows[i].text);
        bl_buf_init(&out, &arena, 1000);
        bl_yaml_lines(&out, 2, bl_str_from(rows[i].text));
        check_str(bl_buf_str(&out), rows[i].written);
    }
    bl_arena_reset(&arena);
}

/* req: WFL-02 WFL-19 */
TEST(only_commits_may_differ)
{
    static const char made[] = "a: b\n      - uses: x/y@" PIN_A " # v1\n        with:\n";
    static const struct {
        const char *found;
        bool same;
    } rows[] = {
        {"a: b\n      - uses: x/y@" PIN_A " # v1\n        with:\n", true},
        {"a: b\n      - uses: x/y@" PIN_B " # v2.0.0-rc.1\n        with:\n", true},
        {"a: b\n      - uses: x/y@" PIN_B "\n        with:\n", true},
        {"a: b\r\n      - uses: x/y@" PIN_B " # v2\r\n        with:\r\n", true},
        {"a: b\n      - uses: x/y@v1\n        with:\n", false},
        {"a: b\n      - uses: x/y@" PIN_B "0\n        with:\n", false},
        {"a: b\n      - uses: x/y@89ABCDEF0123456789abcdef0123456789abcdef\n        with:\n",
         false},
        {"a: b\n      - uses: x/z@" PIN_B "\n        with:\n", false},
        {"a: b\n      - uses: x/y@" PIN_B " # v1 {\n        with:\n", false},
        {"a: b\n      - uses: x/y@" PIN_B "\n        with:\nb: c\n", false},
        {"a: b\n      - uses: x/y@" PIN_B "\n", false},
        {"      - uses: x/y@" PIN_A " # v1\na: b\n        with:\n", false},
        {"", false},
    };
    struct bl_arena arena;

    bl_arena_init(&arena, 1 << 16, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bl_str pinned;

        check_case("row %d", (int)i);
        check_int(
            bl_workflow_is_same(&arena, bl_str_from(made), bl_str_from(rows[i].found), &pinned),
            rows[i].same);
    }
    bl_arena_reset(&arena);
}

TEST(out_of_memory_is_said)
{
    static const struct memory_file files[] = {
        {"a.policy",
         "action bylaw \"x/y@" PIN_A "\" { version \"v1\"; reads contents }\n"
         "variable v \"V\"\nsecret s \"S\" { environment \"e\" }\n"
         "steps first_ones { uses bylaw { a \"b\", \"c\" } }\n"
         "workflow w \"W\" { file \"w.yml\"; on issues.opened; on push { branch default_branch "
         "}\n"
         "  queue \"q-{event.issue_number}\" keeps every; runner \"u\"; begins first_ones }\n"
         "job j { of w; when event.actor.kind != bot; runs rules }\n"
         "job k { of w; after j; steps { run \"true\" } }\n"
         "rule r { on issues.opened; when v.value is set and s.is_set; output n issue.number "
         "}\n",
         BL_OK},
        {0},
    };
    struct failing_allocator failing;
    bool done = false;

    for (size_t n = 1; !done && n < 10000; n++) {
        struct compiled c;
        struct bl_workflow_files out;

        failing_allocator_init(&failing, n);
        compile_files(&c, files, "a.policy", NULL, &failing.allocator);
        check_case("allocation %d", (int)n);
        if (c.status == BL_OK) {
            enum bl_status status = bl_workflows_write(c.program, &c.sink, &out);

            done = status == BL_OK;
            check(done ? out.count == 1 : status == BL_ERR_NOMEM);
        }
        release_compiled(&c);
        check_size(failing.live, 0);
    }
    check(done);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_texts_to_every_reader),
        cmocka_unit_test(lines_stay_as_they_are),
        cmocka_unit_test(only_commits_may_differ),
        cmocka_unit_test(out_of_memory_is_said),
    };

    return check_main(tests);
}
