/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/types.h"
#include "support/check.h"
#include "type_words.h"

/* Every pair of these is tried; what is not named below may not be. */
static const char *const scalars[] = {
    "none",
    "bool",
    "int",
    "text",
    "untrusted",
    "name",
    "path",
    "repository_name",
    "link",
    "file_link",
    "label",
    "secret",
    "masked",
    "clean comment",
    "clean comment+log",
    "clean log+summary",
    "pattern",
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
    "pull_request",
    "record 0",
    "record 1",
    "posted 0",
    "posted 1",
    "iterator",
};
#define COUNT (sizeof(scalars) / sizeof(scalars[0]))

struct pair {
    const char *from, *to;
};

/* Language design, "Untrusted until cleaned"; review §2.21 (names are opaque), §1.18 (own text
 * fits every place), §1.5 (posted comments are comments); the contract in spec/types.h. */
static const struct pair conversions[] = {
    {"text", "untrusted"},
    {"name", "untrusted"},
    {"path", "untrusted"},
    {"repository_name", "untrusted"},
    {"link", "untrusted"},
    {"label", "untrusted"},
    {"clean comment", "untrusted"},
    {"clean comment+log", "untrusted"},
    {"clean log+summary", "untrusted"},
    {"text", "name"},
    {"text", "path"},
    {"text", "repository_name"},
    {"text", "link"},
    {"text", "clean comment"},
    {"text", "clean comment+log"},
    {"text", "clean log+summary"},
    {"clean comment+log", "clean comment"},
    {"posted 0", "comment"},
    {"posted 1", "comment"},
};

static bool converts(const char *from, const char *to)
{
    for (size_t i = 0; i < sizeof(conversions) / sizeof(conversions[0]); i++) {
        if (type_of(conversions[i].from) == type_of(from) &&
            type_of(conversions[i].to) == type_of(to))
            return true;
    }
    return type_of(from) == type_of(to);
}

TEST(scalars_fit_as_the_language_says)
{
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t j = 0; j < COUNT; j++) {
            check_case("%s where %s is asked for", scalars[i], scalars[j]);
            check_int(bl_type_fits(type_of(scalars[i]), type_of(scalars[j])),
                      converts(scalars[i], scalars[j]));
        }
    }
}

TEST(lists_fit_as_their_elements)
{
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t j = 0; j < COUNT; j++) {
            bl_type from = type_of(scalars[i]);
            bl_type to = type_of(scalars[j]);
            bool fits = converts(scalars[i], scalars[j]);

            check_case("list of %s where list of %s is asked for", scalars[i], scalars[j]);
            check_int(bl_type_fits(BL_LIST_OF(from), BL_LIST_OF(to)), fits);
            check_int(bl_type_fits(BL_LIST_OF(BL_LIST_OF(from)), BL_LIST_OF(BL_LIST_OF(to))),
                      fits);
            check(!bl_type_fits(BL_LIST_OF(from), to));
            check(!bl_type_fits(from, BL_LIST_OF(to)));
            check(!bl_type_fits(BL_LIST_OF(BL_LIST_OF(from)), BL_LIST_OF(to)));
            check(!bl_type_fits(BL_LIST_OF(from), BL_LIST_OF(BL_LIST_OF(to))));
        }
    }
}

/* Review §5.9: `T?` is usable only after a guard; a value stands where `T?` is asked for. */
TEST(optional_values_stand_for_optional_ones_alone)
{
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t j = 0; j < COUNT; j++) {
            bl_type from = type_of(scalars[i]);
            bl_type to = type_of(scalars[j]);
            bool fits = converts(scalars[i], scalars[j]);
            bool none = from == BL_TYPE_NONE;

            check_case("%s with %s", scalars[i], scalars[j]);
            check_int(bl_type_fits(from, BL_OPTIONAL(to)), fits || none);
            check_int(bl_type_fits(BL_OPTIONAL(from), BL_OPTIONAL(to)), fits || none);
            check(!bl_type_fits(BL_OPTIONAL(from), to));
            check(!bl_type_fits(BL_OPTIONAL(BL_LIST_OF(from)), BL_LIST_OF(to)));
            check_int(bl_type_fits(BL_LIST_OF(from), BL_OPTIONAL(BL_LIST_OF(to))), fits);
        }
    }
    check(bl_type_fits(BL_TYPE_NONE, type_of("list of int?")));
    check(!bl_type_fits(BL_TYPE_NONE, type_of("list of int")));
}

/* One mistake gives one message. */
TEST(the_error_type_absorbs)
{
    for (size_t i = 0; i < COUNT; i++) {
        bl_type type = type_of(scalars[i]);

        check_case("%s", scalars[i]);
        check(bl_type_fits(BL_TYPE_ERROR, type));
        check(bl_type_fits(type, BL_TYPE_ERROR));
        check(bl_type_fits(BL_OPTIONAL(type), BL_TYPE_ERROR));
        check(bl_type_fits(BL_LIST_OF(type), BL_TYPE_ERROR));
        check(bl_type_fits(type_of("error?"), type));
    }
}

TEST(the_empty_list_fits_every_list)
{
    static const struct {
        const char *from, *to;
        bool fits;
    } cases[] = {
        {"list of error", "list of int", true},
        {"list of error", "list of list of int", true},
        {"list of error", "list of list of list of label", true},
        {"list of error", "list of int?", true},
        {"list of error", "int", false},
        {"list of error", "int?", false},
        {"list of list of error", "list of list of int", true},
        {"list of list of error", "list of int", false},
        {"list of int", "list of error", true},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        check_case("%s where %s is asked for", cases[i].from, cases[i].to);
        check_int(bl_type_fits(type_of(cases[i].from), type_of(cases[i].to)), cases[i].fits);
    }
}

/* A module may hold any number as a type. */
TEST(numbers_that_are_no_kind_fit_nothing)
{
    check(!bl_type_fits(0xf0, BL_TYPE_INT));
    check(!bl_type_fits(BL_TYPE_TEXT, 0xf0));
    check(!bl_type_fits(0xf0, BL_TYPE_UNTRUSTED));
    check(!bl_type_fits(0x1f0, type_of("list of untrusted")));
    check(!bl_type_fits(type_of("list of text"), 0x1f0));
    check_size(bl_type_kind_name((enum bl_type_kind)0xf0).len, 0);
    check_int(bl_type_flags((enum bl_type_kind)0xf0), 0);
}

TEST(kinds_are_found_by_the_words_of_the_language)
{
    /* Types that a policy can write (review §3, T; the prototype's SIMPLE). */
    static const struct {
        const char *spelling;
        enum bl_type_kind kind;
    } cases[] = {
        {"int", BL_TYPE_INT},
        {"bool", BL_TYPE_BOOL},
        {"text", BL_TYPE_TEXT},
        {"untrusted", BL_TYPE_UNTRUSTED},
        {"duration", BL_TYPE_DURATION},
        {"date", BL_TYPE_DATE},
        {"time", BL_TYPE_TIME},
        {"money", BL_TYPE_MONEY},
        {"percent", BL_TYPE_PERCENT},
        {"pattern", BL_TYPE_PATTERN},
        {"name", BL_TYPE_NAME},
        {"path", BL_TYPE_PATH},
        {"secret", BL_TYPE_SECRET},
        {"locale", BL_TYPE_LOCALE},
        {"task", BL_TYPE_TASK},
        {"label", BL_TYPE_LABEL},
        {"link", BL_TYPE_LINK},
        {"masked", BL_TYPE_MASKED},
        {"file_link", BL_TYPE_FILE_LINK},
        {"repository_name", BL_TYPE_REPOSITORY_NAME},
        {"command", BL_TYPE_COMMAND},
        {"issue", BL_TYPE_KIND_COUNT},
        {"none", BL_TYPE_KIND_COUNT},
        {"an error", BL_TYPE_KIND_COUNT},
        {"clean text", BL_TYPE_KIND_COUNT},
        {"a record", BL_TYPE_KIND_COUNT},
        {"one of a list", BL_TYPE_KIND_COUNT},
        {"Int", BL_TYPE_KIND_COUNT},
        {"in", BL_TYPE_KIND_COUNT},
        {"", BL_TYPE_KIND_COUNT},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        check_case("'%s'", cases[i].spelling);
        check_int(bl_type_kind_find(bl_str_from(cases[i].spelling)), cases[i].kind);
        if (cases[i].kind != BL_TYPE_KIND_COUNT)
            check_str(bl_type_kind_name(cases[i].kind), cases[i].spelling);
    }
}

TEST(texts_are_told_from_other_values)
{
    static const char *const texts[] = {"text",   "untrusted", "name",       "path",
                                        "link",   "file_link", "label",      "secret",
                                        "masked", "clean log", "untrusted?", "repository_name"};
    static const char *const others[] = {
        "int",  "list of text",     "issue",   "pattern", "bool",
        "none", "enum issue_state", "posted 0"};

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        check_case("%s", texts[i]);
        check(bl_type_is_text(type_of(texts[i])));
    }
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        check_case("%s", others[i]);
        check(!bl_type_is_text(type_of(others[i])));
    }
}

TEST(types_are_taken_apart)
{
    bl_type type = type_of("list of list of issue?");

    check_int(bl_type_kind(type), BL_TYPE_ENTITY);
    check_int(bl_type_ref(type), BL_ENTITY_ISSUE);
    check_int(bl_type_list_depth(type), 2);
    check(bl_type_is_list(type));
    check(bl_type_is_optional(type));
    check_int(bl_type_base(type), type_of("list of list of issue"));
    check_int(bl_type_element(type), type_of("list of issue"));
    check_int(bl_type_element(type_of("int")), BL_TYPE_ERROR);
    check(bl_type_is(type_of("int?"), BL_TYPE_INT));
    check(!bl_type_is(type_of("list of int"), BL_TYPE_INT));
    check_int(BL_LIST_OF(type_of("int?")), type_of("list of int"));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalars_fit_as_the_language_says),
        cmocka_unit_test(lists_fit_as_their_elements),
        cmocka_unit_test(optional_values_stand_for_optional_ones_alone),
        cmocka_unit_test(the_error_type_absorbs),
        cmocka_unit_test(the_empty_list_fits_every_list),
        cmocka_unit_test(numbers_that_are_no_kind_fit_nothing),
        cmocka_unit_test(kinds_are_found_by_the_words_of_the_language),
        cmocka_unit_test(texts_are_told_from_other_values),
        cmocka_unit_test(types_are_taken_apart),
    };

    return check_main(tests);
}
