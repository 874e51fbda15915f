/* SPDX-License-Identifier: Apache-2.0 */

/* What literals are worth and what texts say. Expected numbers were counted by hand or with
 * another calendar. */

#include "spec/tables.h"
#include "support/check.h"
#include "syntax/ast.h"

struct parsed {
    struct bl_arena arena;
    struct bl_sources sources;
    struct bl_diagnostics sink;
    struct bl_ast ast;
};

/* The value behind = of the first clause. */
static const struct bl_node *value_of(struct parsed *parsed, bl_str text)
{
    bl_arena_init(&parsed->arena, (size_t)1 << 26, NULL);
    bl_sources_init(&parsed->sources, &parsed->arena);
    bl_diagnostics_init(&parsed->sink, &parsed->arena, 100);
    uint32_t source = bl_sources_add(&parsed->sources, BL_STR("a.policy"), text);
    check_status(
        bl_parse(&parsed->arena, &parsed->sources, source, &parsed->sink, &parsed->ast), BL_OK);
    const struct bl_node *clause = parsed->ast.file->kids[0];
    check_int(clause->kind, BL_NODE_CLAUSE);
    return clause->kids[1];
}

TEST(test_numbers)
{
    static const struct {
        const char *text;
        enum bl_node_kind kind;
        int64_t value;
    } rows[] = {
        {"a = 0", BL_NODE_INT, 0},
        {"a = 007", BL_NODE_INT, 7},
        {"a = 1_000_000", BL_NODE_INT, 1000000},
        {"a = 9223372036854775807", BL_NODE_INT, INT64_MAX},
        {"a = 1 second", BL_NODE_DURATION, 1},
        {"a = 90 seconds", BL_NODE_DURATION, 90},
        {"a = 5 minutes", BL_NODE_DURATION, 300},
        {"a = 24 hours", BL_NODE_DURATION, 86400},
        {"a = 15 days", BL_NODE_DURATION, 1296000},
        {"a = 3_650\tdays", BL_NODE_DURATION, 315360000},
        {"a = 20%", BL_NODE_PERCENT, 20},
        {"a = 100%", BL_NODE_PERCENT, 100},
        {"a = $1", BL_NODE_MONEY, 10000},
        {"a = $1.2", BL_NODE_MONEY, 12000},
        {"a = $0.01", BL_NODE_MONEY, 100},
        {"a = $0.0025", BL_NODE_MONEY, 25},
        {"a = $1_000.00", BL_NODE_MONEY, 10000000},
        {"a = 1970-01-01", BL_NODE_DATE, 0},
        {"a = 1969-12-31", BL_NODE_DATE, -1},
        {"a = 2024-02-29", BL_NODE_DATE, 19782},
        {"a = 2026-11-02", BL_NODE_DATE, 20759},
        {"a = 1970-01-01T00:00:01Z", BL_NODE_TIME, 1},
        {"a = 2026-11-02T08:00:00Z", BL_NODE_TIME, 1793606400},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct parsed parsed;
        check_case("%s", rows[i].text);
        const struct bl_node *value = value_of(&parsed, bl_str_from(rows[i].text));
        check_int(value->kind, rows[i].kind);
        check_int(value->number, rows[i].value);
        bl_arena_reset(&parsed.arena);
    }
}

TEST(test_truth_and_patterns)
{
    struct parsed parsed;
    const struct bl_node *value = value_of(&parsed, BL_STR("a = true"));
    check_int(value->kind, BL_NODE_BOOL);
    check_int(value->number, 1);
    check_str(value->text, "true");
    bl_arena_reset(&parsed.arena);

    value = value_of(&parsed, BL_STR("a = false"));
    check_int(value->number, 0);
    check_str(value->text, "false");
    bl_arena_reset(&parsed.arena);

    value = value_of(&parsed, BL_STR("a = /a[/\\]]\\/b/im"));
    check_int(value->kind, BL_NODE_PATTERN);
    check_str(value->text, "a[/\\]]\\/b");
    check_str(value->flags, "im");
    bl_arena_reset(&parsed.arena);
}

TEST(test_texts)
{
    static const struct {
        const char *text;
        const char *words;
    } rows[] = {
        {"a = \"\"", ""},
        {"a = \"plain\"", "plain"},
        {"a = \"\\n\\\"\\\\\\{\\}\"", "\n\"\\{}"},
        {"a = \"\\u{e9}\\u{1F600}\\u{A}\\u{10FFFF}\"",
         "\xC3\xA9\xF0\x9F\x98\x80\n\xF4\x8F\xBF\xBF"},
        {"a = \"\xD7\xA2 \xF0\x9F\x91\x8D\ttab\"", "\xD7\xA2 \xF0\x9F\x91\x8D\ttab"},
        /* One line, and quotes in it. */
        {"a = \"\"\"one\"\"\"", "one"},
        {"a = \"\"\"\"\"\"", ""},
        {"a = \"\"\"a \"b\" \"\"c\"\" d\"\"\"", "a \"b\" \"\"c\"\" d"},
        /* The line of the opening quotes counts when something stands in it. */
        {"a = \"\"\"\none\n\"\"\"", "one"},
        {"a = \"\"\" \t\none\n\"\"\"", "one"},
        {"a = \"\"\"one\n  two\n  three\"\"\"", "one\ntwo\nthree"},
        /* Common indentation goes, deeper stays, lines of blanks have none. */
        {"a = \"\"\"\n    one\n      two\n\n \n    three\n    \"\"\"", "one\n  two\n\n\nthree"},
        {"a = \"\"\"\n\t one\n\t  two\n\"\"\"", "one\n two"},
        {"a = \"\"\"\n\tone\n  two\n\"\"\"", "\tone\n  two"},
        /* The closing line is no part of it, and its indentation does not count. */
        {"a = \"\"\"\n    one\n\n  \"\"\"", "one\n"},
        {"a = \"\"\"\n    one  \n    two \"\"\"", "one  \ntwo "},
        {"a = \"\"\"\n\"\"\"", ""},
        /* An escaped line feed is no line. */
        {"a = \"\"\"\n  one\\n  two\n  three\n  \"\"\"", "one\n  two\nthree"},
        /* Line ends of other systems. */
        {"a = \"\"\"\r\n  one\r\n    two\r\n  \"\"\"", "one\n  two"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct parsed parsed;
        check_case("%s", rows[i].text);
        const struct bl_node *value = value_of(&parsed, bl_str_from(rows[i].text));
        check_int(value->kind, BL_NODE_STRING);
        check_str(value->text, rows[i].words);
        check_size(value->kid_count, rows[i].words[0] == '\0' ? 0 : 1);
        if (value->kid_count > 0) {
            check_int(value->kids[0]->kind, BL_NODE_STRING_PART);
            check_str(value->kids[0]->text, rows[i].words);
        }
        bl_arena_reset(&parsed.arena);
    }
}

/* Expressions of placeholders have the places that they have in the file. */
TEST(test_placeholders)
{
    static const char text[] = "a = \"\"\"\n  One {f(x)},\n    {y.z}\n  \"\"\"";
    struct parsed parsed;
    const struct bl_node *value = value_of(&parsed, bl_str_from(text));

    check_int(value->kind, BL_NODE_STRING);
    check_size(value->text.len, 0);
    check_size(value->kid_count, 4);
    check_str(value->kids[0]->text, "One ");
    check_int(value->kids[1]->kind, BL_NODE_CALL);
    check_str(bl_sources_text(&parsed.sources, value->kids[1]->span), "f(x)");
    check_str(value->kids[2]->text, ",\n  ");
    check_int(value->kids[3]->kind, BL_NODE_FIELD);
    check_str(bl_sources_text(&parsed.sources, value->kids[3]->span), "y.z");
    check_str(bl_sources_text(&parsed.sources, value->kids[3]->name_span), "z");
    bl_arena_reset(&parsed.arena);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_truth_and_patterns),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_placeholders),
    };
    return check_main(tests);
}
