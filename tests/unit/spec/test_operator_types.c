/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/tables.h"
#include "support/check.h"
#include "type_words.h"

/* Every pair of these is tried; what is not named below has no meaning. */
static const char *const all[] = {
    "none",
    "bool",
    "int",
    "int?",
    "text",
    "text?",
    "untrusted",
    "untrusted?",
    "name",
    "path",
    "repository_name",
    "link",
    "file_link",
    "label",
    "label?",
    "secret",
    "masked",
    "clean comment",
    "clean comment+log",
    "clean summary",
    "pattern",
    "duration",
    "duration?",
    "date",
    "date?",
    "time",
    "time?",
    "money",
    "percent",
    "locale",
    "task",
    "task?",
    "command",
    "enum issue_state",
    "enum issue_state?",
    "enum user_kind",
    "user",
    "issue",
    "issue?",
    "comment",
    "comment?",
    "record 0",
    "posted 0",
    "posted 1",
    "iterator",
    "list of int",
    "list of text",
    "list of untrusted",
    "list of issue",
    "list of issue?",
    "list of list of int",
};
#define COUNT (sizeof(all) / sizeof(all[0]))

struct row {
    enum bl_opcode op;
    const char *b, *c, *result;
};

/* Review §1.31 (a number times a percentage), §5.7 (`time - duration`, `date + duration`; time
 * and date never mix), §1.23 (sums), §2.20 (there is no division); lists and texts of the
 * trial: `kinds + areas`, `issue.title + " " + issue.text`. */
static const struct row arithmetic[] = {
    {BL_OP_ADD, "int", "int", "int"},
    {BL_OP_ADD, "duration", "duration", "duration"},
    {BL_OP_ADD, "time", "duration", "time"},
    {BL_OP_ADD, "date", "duration", "date"},
    {BL_OP_ADD, "money", "money", "money"},
    {BL_OP_SUB, "int", "int", "int"},
    {BL_OP_SUB, "duration", "duration", "duration"},
    {BL_OP_SUB, "time", "duration", "time"},
    {BL_OP_SUB, "time", "time", "duration"},
    {BL_OP_SUB, "date", "duration", "date"},
    {BL_OP_SUB, "money", "money", "money"},
    {BL_OP_MUL, "int", "int", "int"},
    {BL_OP_MUL, "int", "percent", "int"},
    {BL_OP_MUL, "duration", "int", "duration"},
    {BL_OP_MUL, "money", "int", "money"},
    {BL_OP_ADD, "list of int", "list of int", "list of int"},
    {BL_OP_ADD, "list of text", "list of text", "list of text"},
    {BL_OP_ADD, "list of untrusted", "list of untrusted", "list of untrusted"},
    {BL_OP_ADD, "list of text", "list of untrusted", "list of untrusted"},
    {BL_OP_ADD, "list of untrusted", "list of text", "list of untrusted"},
    {BL_OP_ADD, "list of issue", "list of issue", "list of issue"},
    {BL_OP_ADD, "list of list of int", "list of list of int", "list of list of int"},
};

/* Which texts may be joined, and as what a join counts. */
static const struct {
    const char *type;
    bool own;
} joinable[] = {
    {"text", true},          {"untrusted", false},       {"name", false},
    {"path", false},         {"repository_name", false}, {"link", false},
    {"label", false},        {"clean comment", true},    {"clean comment+log", true},
    {"clean summary", true},
};

static int join_index(const char *words)
{
    for (size_t i = 0; i < sizeof(joinable) / sizeof(joinable[0]); i++) {
        if (type_of(joinable[i].type) == type_of(words))
            return (int)i;
    }
    return -1;
}

/* "Own text only if every placeholder renders itself safely in every place; otherwise it
 * belongs to its place" (review §5.10); names, labels and paths come from people. */
static bl_type expected_join(const char *b, const char *c)
{
    static const struct {
        const char *b, *c, *result;
    } clean[] = {
        {"text", "text", "text"},
        {"text", "clean comment", "clean comment"},
        {"text", "clean comment+log", "clean comment+log"},
        {"text", "clean summary", "clean summary"},
        {"clean comment", "clean comment", "clean comment"},
        {"clean comment", "clean comment+log", "clean comment"},
        {"clean comment+log", "clean comment+log", "clean comment+log"},
        {"clean summary", "clean summary", "clean summary"},
    };
    int i = join_index(b);
    int j = join_index(c);

    if (i < 0 || j < 0)
        return BL_TYPE_ERROR;
    if (!joinable[i].own || !joinable[j].own)
        return BL_TYPE_UNTRUSTED;
    for (size_t k = 0; k < sizeof(clean) / sizeof(clean[0]); k++) {
        bl_type x = type_of(clean[k].b);
        bl_type y = type_of(clean[k].c);

        if ((type_of(b) == x && type_of(c) == y) || (type_of(b) == y && type_of(c) == x))
            return type_of(clean[k].result);
    }
    return BL_TYPE_ERROR;
}

static bl_type expected_result(enum bl_opcode op, const char *b, const char *c)
{
    for (size_t i = 0; i < sizeof(arithmetic) / sizeof(arithmetic[0]); i++) {
        if (arithmetic[i].op == op && type_of(arithmetic[i].b) == type_of(b) &&
            type_of(arithmetic[i].c) == type_of(c))
            return type_of(arithmetic[i].result);
    }
    return op == BL_OP_ADD ? expected_join(b, c) : (bl_type)BL_TYPE_ERROR;
}

TEST(arithmetic_has_the_types_of_the_language)
{
    static const enum bl_opcode ops[] = {BL_OP_ADD, BL_OP_SUB, BL_OP_MUL};

    for (size_t i = 0; i < COUNT; i++) {
        for (size_t j = 0; j < COUNT; j++) {
            for (size_t k = 0; k < 3; k++) {
                check_case("%s %c %s", all[i], "+-*"[k], all[j]);
                check_int(bl_arith_type(ops[k], type_of(all[i]), type_of(all[j])),
                          expected_result(ops[k], all[i], all[j]));
            }
        }
    }
}

TEST(other_opcodes_have_no_arithmetic)
{
    for (unsigned op = 0; op < BL_OP_COUNT; op++) {
        if (op != BL_OP_ADD && op != BL_OP_SUB && op != BL_OP_MUL)
            check_int(bl_arith_type((enum bl_opcode)op, BL_TYPE_INT, BL_TYPE_INT),
                      BL_TYPE_ERROR);
    }
}

TEST(the_empty_list_joins_every_list)
{
    for (size_t i = 0; i < COUNT; i++) {
        bl_type type = type_of(all[i]);
        bool list = bl_type_is_list(type) && !bl_type_is_optional(type);

        check_case("[] + %s", all[i]);
        check_int(bl_arith_type(BL_OP_ADD, type_of("list of error"), type),
                  list ? type : (bl_type)BL_TYPE_ERROR);
        check_int(bl_arith_type(BL_OP_ADD, type, type_of("list of error")),
                  list ? type : (bl_type)BL_TYPE_ERROR);
        check_int(bl_arith_type(BL_OP_SUB, type, type_of("list of error")), BL_TYPE_ERROR);
    }
}

TEST(joined_texts_belong_to_the_places_of_all)
{
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t j = 0; j < COUNT; j++) {
            check_case("%s, %s", all[i], all[j]);
            check_int(bl_text_join(type_of(all[i]), type_of(all[j])),
                      expected_join(all[i], all[j]));
        }
        check_int(bl_text_join(type_of(all[i]), BL_TYPE_ERROR), BL_TYPE_ERROR);
        check_int(bl_text_join(BL_TYPE_ERROR, type_of(all[i])), BL_TYPE_ERROR);
    }
}

/* ---- comparisons ------------------------------------------------------------------------ */

/* Types that compare with themselves by == (kernel: a scalar operator on a list is an error;
 * texts that hold secrets, patterns and records do not compare). */
static const char *const equal_to_itself[] = {
    "bool",
    "int",
    "text",
    "untrusted",
    "name",
    "path",
    "repository_name",
    "link",
    "label",
    "masked",
    "clean comment",
    "clean comment+log",
    "clean summary",
    "duration",
    "date",
    "time",
    "money",
    "percent",
    "locale",
    "task",
    "command",
    "enum issue_state",
    "enum user_kind",
    "user",
    "issue",
    "comment",
    "posted 0",
    "posted 1",
};
/* Texts compare whatever they are; a label with its name; a comment with the own one that it
 * is. */
static const char *const text_like[] = {
    "text",          "untrusted",       "name",
    "path",          "repository_name", "link",
    "masked",        "clean comment",   "clean comment+log",
    "clean summary",
};
static const char *const label_like[] = {"label", "name", "text"};
static const char *const comment_like[] = {"comment", "posted 0", "posted 1"};

static bool holds(const char *const *list, size_t count, bl_type type)
{
    for (size_t i = 0; i < count; i++) {
        if (type_of(list[i]) == type)
            return true;
    }
    return false;
}
#define HOLDS(list, type) holds((list), sizeof(list) / sizeof((list)[0]), (type))

static bool expected_equatable(bl_type a, bl_type b)
{
    bl_type x = bl_type_base(a);
    bl_type y = bl_type_base(b);

    if (a == BL_TYPE_NONE || b == BL_TYPE_NONE)
        return (bl_type_is_optional(a) && !bl_type_is_list(a)) ||
               (bl_type_is_optional(b) && !bl_type_is_list(b));
    if (x == y)
        return HOLDS(equal_to_itself, x);
    if (HOLDS(text_like, x) && HOLDS(text_like, y))
        return true;
    if (x == BL_TYPE_LABEL || y == BL_TYPE_LABEL)
        return HOLDS(label_like, x) && HOLDS(label_like, y);
    return HOLDS(comment_like, x) && HOLDS(comment_like, y);
}

TEST(equality_is_for_values_of_one_kind)
{
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t j = 0; j < COUNT; j++) {
            bl_type a = type_of(all[i]);
            bl_type b = type_of(all[j]);

            check_case("%s == %s", all[i], all[j]);
            check_int(bl_types_equatable(a, b), expected_equatable(a, b));
        }
    }
}

/* `<` needs a guard (review §5.9); time and date don't compare (§5.7). */
TEST(order_is_for_guarded_values_of_one_kind)
{
    static const char *const ordered[] = {"int",  "duration", "date",
                                          "time", "money",    "percent"};

    for (size_t i = 0; i < COUNT; i++) {
        for (size_t j = 0; j < COUNT; j++) {
            bl_type a = type_of(all[i]);
            bl_type b = type_of(all[j]);

            check_case("%s < %s", all[i], all[j]);
            check_int(bl_types_ordered(a, b), a == b && HOLDS(ordered, a));
        }
    }
}

TEST(errors_compare_with_everything)
{
    for (size_t i = 0; i < COUNT; i++) {
        check_case("%s", all[i]);
        check(bl_types_equatable(type_of(all[i]), BL_TYPE_ERROR));
        check(bl_types_equatable(BL_TYPE_ERROR, type_of(all[i])));
        check(bl_types_ordered(type_of(all[i]), BL_TYPE_ERROR));
        check(bl_types_ordered(BL_TYPE_ERROR, type_of(all[i])));
    }
}

/* ---- rendering -------------------------------------------------------------------------- */

/* Review §2.21: names, users, labels, issues, pull requests, releases and paths render
 * themselves for their place; numbers, times and own words are the same everywhere. */
TEST(values_render_for_their_place)
{
    static const char *const words[] = {
        "bool",           "int",     "text",   "duration", "date",    "time",
        "money",          "percent", "locale", "task",     "command", "enum issue_state",
        "enum user_kind",
    };
    static const char *const by_place[] = {
        "name",       "path",     "repository_name", "link",     "file_link", "label",
        "user",       "issue",    "pull_request",    "release",  "comment",   "commit",
        "discussion", "numbered", "repository",      "posted 0",
    };
    static const char *const never[] = {
        "none",
        "untrusted",
        "secret",
        "masked",
        "pattern",
        "record 0",
        "iterator",
        "reaction",
        "text?",
        "user?",
        "int?",
        "list of untrusted",
        "list of list of text",
        "list of int?",
        "list of record 0",
        "error",
        "list of error",
    };

    for (unsigned place = 0; place < BL_PLACE_COUNT; place++) {
        bl_type here = BL_TYPE_MAKE(BL_TYPE_CLEAN, 1u << place);

        for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
            bl_type type = type_of(words[i]);

            check_case("%s in place %u", words[i], place);
            check_int(bl_render_type(type, (enum bl_place)place), BL_TYPE_TEXT);
            check_int(bl_render_type(BL_LIST_OF(type), (enum bl_place)place), BL_TYPE_TEXT);
            check_int(bl_render_type(BL_OPTIONAL(type), (enum bl_place)place), BL_TYPE_ERROR);
        }
        for (size_t i = 0; i < sizeof(by_place) / sizeof(by_place[0]); i++) {
            bl_type type = type_of(by_place[i]);

            check_case("%s in place %u", by_place[i], place);
            check_int(bl_render_type(type, (enum bl_place)place), here);
            check_int(bl_render_type(BL_LIST_OF(type), (enum bl_place)place), here);
        }
        for (size_t i = 0; i < sizeof(never) / sizeof(never[0]); i++) {
            check_case("%s in place %u", never[i], place);
            check_int(bl_render_type(type_of(never[i]), (enum bl_place)place), BL_TYPE_ERROR);
        }
    }
    check_int(bl_render_type(BL_TYPE_INT, BL_PLACE_COUNT), BL_TYPE_ERROR);
}

TEST(clean_text_stands_in_its_own_places_alone)
{
    static const struct {
        const char *type;
        enum bl_place place;
        const char *result;
    } cases[] = {
        {"clean comment", BL_PLACE_COMMENT, "clean comment"},
        {"clean comment", BL_PLACE_COMMENT_LINE, "error"},
        {"clean comment", BL_PLACE_LOG, "error"},
        {"clean comment+log", BL_PLACE_LOG, "clean log"},
        {"clean comment+log", BL_PLACE_COMMENT, "clean comment"},
        {"clean comment+log", BL_PLACE_PROMPT, "error"},
        {"list of clean comment+log", BL_PLACE_LOG, "clean log"},
        {"list of clean comment", BL_PLACE_LOG, "error"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        check_case("%s", cases[i].type);
        check_int(bl_render_type(type_of(cases[i].type), cases[i].place),
                  type_of(cases[i].result));
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic_has_the_types_of_the_language),
        cmocka_unit_test(other_opcodes_have_no_arithmetic),
        cmocka_unit_test(the_empty_list_joins_every_list),
        cmocka_unit_test(joined_texts_belong_to_the_places_of_all),
        cmocka_unit_test(equality_is_for_values_of_one_kind),
        cmocka_unit_test(order_is_for_guarded_values_of_one_kind),
        cmocka_unit_test(errors_compare_with_everything),
        cmocka_unit_test(values_render_for_their_place),
        cmocka_unit_test(clean_text_stands_in_its_own_places_alone),
    };

    return check_main(tests);
}
