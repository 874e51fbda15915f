/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/signature.h"
#include "support/check.h"
#include "type_words.h"

#include <string.h>

/* Calls as policies write them: result type, or which argument is wrong and what is asked for
 * ("count 2": it takes so many). From the table of builtins of the review, §4. */
static const struct {
    const char *builtin;
    const char *args; /* separated by ", " */
    const char *result;
    int bad; /* argument, or -1 */
    const char *wanted;
} calls[] = {
    /* lists */
    {"count", "list of issue", "int", -1, ""},
    {"count", "list of list of text", "int", -1, ""},
    {"count", "list of error", "int", -1, ""},
    {"count", "issue", "error", 0, "list of error"},
    {"count", "list of issue?", "error", 0, "list of error"},
    {"count", "", "error", 0, "count 1"},
    {"count", "list of issue, int", "error", 2, "count 1"},
    {"first", "list of comment", "comment?", -1, ""},
    {"first", "list of list of int", "list of int?", -1, ""},
    {"first", "list of error", "error?", -1, ""},
    {"first", "int", "error", 0, "list of error"},
    {"last", "list of label", "label?", -1, ""},
    {"last", "list of posted 1", "posted 1?", -1, ""},
    {"only", "list of enum issue_state", "enum issue_state?", -1, ""},
    {"take", "list of issue, int", "list of issue", -1, ""},
    {"take", "list of issue", "error", 1, "count 2"},
    {"take", "list of issue, text", "error", 1, "int"},
    {"take", "list of issue, int?", "error", 1, "int"},
    {"take", "text, int", "error", 0, "list of error"},
    {"distinct", "list of untrusted", "list of untrusted", -1, ""},
    {"distinct", "list of clean comment", "list of clean comment", -1, ""},
    {"flat", "list of list of label", "list of label", -1, ""},
    {"flat", "list of list of list of int", "list of list of int", -1, ""},
    {"flat", "list of label", "error", 0, "list of list of error"},
    {"flat", "list of error", "list of error", -1, ""},
    {"sum", "list of int", "int", -1, ""},
    {"sum", "list of error", "int", -1, ""},
    {"sum", "list of duration", "error", 0, "list of int"},
    {"median", "list of duration", "duration?", -1, ""},
    {"median", "list of int", "error", 0, "list of duration"},
    {"latest", "time", "time?", -1, ""},
    {"latest", "time?, time, time?", "time?", -1, ""},
    {"latest", "time, none", "time?", -1, ""},
    {"latest", "list of time", "time?", -1, ""},
    {"latest", "list of error", "time?", -1, ""},
    {"latest", "time, date", "error", 1, "time?"},
    {"latest", "time, list of time", "error", 1, "time?"},
    {"latest", "list of time, time", "error", 0, "time?"},
    {"latest", "list of date", "error", 0, "list of time"},
    {"latest", "", "error", 0, "count 1"},
    {"larger", "int, int", "int", -1, ""},
    {"larger", "date, date", "date", -1, ""},
    {"larger", "duration, duration", "duration", -1, ""},
    {"larger", "int, duration", "error", 1, "int"},
    {"larger", "int, int?", "error", 1, "int"},
    {"larger", "int?, int", "error", 0, "error"},
    {"larger", "text, text", "error", 0, "error"},
    {"larger", "user, user", "error", 0, "error"},
    {"larger", "list of int, list of int", "error", 0, "error"},
    {"larger", "error, int", "int", -1, ""},
    {"larger", "int, error", "int", -1, ""},
    {"days", "date, date", "int", -1, ""},
    {"days", "date, time", "error", 1, "date"},
    /* text */
    {"length", "untrusted", "int", -1, ""},
    {"length", "text", "int", -1, ""},
    {"length", "label", "int", -1, ""},
    {"length", "secret", "error", 0, "untrusted"},
    {"length", "untrusted?", "error", 0, "untrusted"},
    {"bytes_of", "secret", "int", -1, ""},
    {"bytes_of", "text", "error", 0, "secret"},
    {"lower", "text", "text", -1, ""},
    {"lower", "untrusted", "untrusted", -1, ""},
    {"lower", "name", "name", -1, ""},
    {"lower", "path", "path", -1, ""},
    {"lower", "label", "label", -1, ""},
    {"trim", "repository_name", "repository_name", -1, ""},
    /* What was cleaned for a place, or made by the runtime, changes no more. */
    {"lower", "clean comment", "error", 0, "untrusted"},
    {"trim", "clean comment", "error", 0, "untrusted"},
    {"lower", "link", "error", 0, "untrusted"},
    {"lower", "secret", "error", 0, "untrusted"},
    {"lower", "masked", "error", 0, "untrusted"},
    {"lower", "text?", "error", 0, "untrusted"},
    {"lower", "int", "error", 0, "untrusted"},
    {"lower", "list of text", "error", 0, "untrusted"},
    {"cut", "untrusted, int", "untrusted", -1, ""},
    {"cut", "text, int", "untrusted", -1, ""},
    {"join", "list of untrusted, text", "untrusted", -1, ""},
    {"join", "list of text, text", "untrusted", -1, ""},
    {"join", "list of untrusted, untrusted", "error", 1, "text"},
    {"crc32", "untrusted, text", "untrusted", -1, ""},
    {"crc32", "untrusted, untrusted", "error", 1, "text"},
    {"crc32_swapped", "untrusted, text", "untrusted", -1, ""},
    {"strip", "untrusted, pattern", "untrusted", -1, ""},
    {"strip", "untrusted, text", "error", 1, "pattern"},
    {"blank", "text, pattern", "untrusted", -1, ""},
    {"finds", "untrusted, pattern", "list of untrusted", -1, ""},
    {"words", "untrusted", "list of untrusted", -1, ""},
    {"prose", "untrusted", "untrusted", -1, ""},
    {"form_text", "untrusted", "untrusted", -1, ""},
    {"form_answer", "untrusted, text", "untrusted?", -1, ""},
    {"form_answer", "untrusted, untrusted", "error", 1, "text"},
    {"stopwords", "list of untrusted, locale", "int", -1, ""},
    {"stopwords", "list of text, locale", "int", -1, ""},
    {"stopwords", "list of untrusted, text", "error", 1, "locale"},
    {"same_thing", "untrusted, name", "bool", -1, ""},
    {"command_word", "untrusted, text", "untrusted?", -1, ""},
    {"command_word", "untrusted, untrusted", "error", 1, "text"},
    {"command_line", "untrusted, text", "untrusted", -1, ""},
    {"command_rest", "untrusted, text", "untrusted", -1, ""},
    {"written_number", "untrusted", "int?", -1, ""},
    {"link_to", "path", "file_link", -1, ""},
    {"link_to", "untrusted", "error", 0, "path"},
    {"strip-except", "untrusted, pattern, pattern", "untrusted", -1, ""},
    {"strip-except", "untrusted, pattern, text", "error", 2, "pattern"},
    {"one-line", "untrusted", "untrusted", -1, ""},
    {"cut-short", "untrusted, int", "untrusted", -1, ""},
    {"clean-links", "untrusted, list of pattern, int", "list of link_part", -1, ""},
    {"clean-links", "untrusted, pattern, int", "error", 1, "list of pattern"},
    {"clean-addresses", "untrusted, list of pattern, int, list of int", "list of link_part", -1,
     ""},
    {"clean-references", "untrusted, list of pattern, int, list of int",
     "list of reference_part", -1, ""},
    {"fence-text", "text", "text", -1, ""},
    {"fence-text", "clean prompt", "clean prompt", -1, ""},
    {"fence-text", "untrusted", "error", 0, "text"},
    {"fence-text", "text?", "error", 0, "text"},
    {"fence-text", "int", "error", 0, "text"},
    {"join-texts", "list of text", "text", -1, ""},
    {"join-texts", "list of clean prompt", "clean prompt", -1, ""},
    {"join-texts", "text", "error", 0, "text"},
    {"join-texts", "list of untrusted", "error", 0, "text"},
    {"json-value", "list of label", "clean prompt", -1, ""},
    {"json-value", "int?", "clean prompt", -1, ""},
    {"json-value", "clean prompt", "clean prompt", -1, ""},
    {"json-value", "clean log", "error", 0, "text"},
    {"json-value", "untrusted", "error", 0, "text"},
    {"json-value", "secret", "error", 0, "text"},
    {"quote-lines", "clean comment", "clean comment", -1, ""},
    {"quote-lines", "untrusted", "error", 0, "text"},
    {"item-lines", "clean comment", "clean comment", -1, ""},
    {"item-lines", "untrusted", "error", 0, "text"},
    {"oldest-first", "list of issue, list of time", "list of issue", -1, ""},
    {"oldest-first", "list of issue, list of date", "error", 1, "list of time"},
    {"most-first", "list of text, list of int", "list of text", -1, ""},
    {"most-first", "text, list of int", "error", 0, "list of error"},
    {"masks", "untrusted, int", "list of mask", -1, ""},
    {"masks", "untrusted, text", "error", 1, "int"},
    {"readings-of", "text, int", "list of untrusted", -1, ""},
    {"readings-of", "secret, int", "error", 0, "untrusted"},
    {"redacted-by", "text, int", "masked", -1, ""},
    {"redacted-by", "secret, int", "error", 0, "untrusted"},
    {"shorten", "masked, int", "masked", -1, ""},
    {"shorten", "untrusted, int", "error", 0, "masked"},
    {"money", "money, int", "text", -1, ""},
    {"grouped", "int", "text", -1, ""},
    {"money", "int, int", "error", 0, "money"},
    /* reads */
    {"issue_number", "int", "issue?", -1, ""},
    {"issue_number", "int?", "issue?", -1, ""},
    {"issue_number", "none", "issue?", -1, ""},
    {"issue_number", "issue", "error", 0, "int?"},
    {"issue", "int", "issue", -1, ""},
    {"issue", "int?", "error", 0, "int"},
    {"alert", "int", "alert", -1, ""},
    {"pull_request", "int", "pull_request", -1, ""},
    {"suggested_duplicate", "int", "int?", -1, ""},
    {"alert", "text", "error", 0, "int"},
    {"issues_created", "time, time", "list of issue", -1, ""},
    {"issues_created", "date, time", "error", 0, "time"},
    {"comments_changed_since", "time", "list of comment", -1, ""},
    {"numbered", "int", "numbered?", -1, ""},
    {"open_issues_with", "label", "list of issue", -1, ""},
    {"texts", "record 0", "list of untrusted", -1, ""},
    {"texts", "text", "error", 0, "error"},
    {"texts", "secret", "error", 0, "error"},
    {"closed_unlocked_issues", "date", "list of issue", -1, ""},
    {"closed_unlocked_issues", "time", "error", 0, "date"},
    {"merged_pulls", "time", "list of pull_request", -1, ""},
    {"merged_pulls", "date", "error", 0, "time"},
    {"generated", "text", "text", -1, ""},
    {"job-info", "name, list of name, name?, list of name", "job_info", -1, ""},
    {"runs", "text, time", "list of run", -1, ""},
    {"runs", "text, date", "error", 1, "time"},
    {"foreign_issue", "reference_part", "numbered?", -1, ""},
    {"line_in", "untrusted, int?", "int?", -1, ""},
    {"heading_in", "untrusted, untrusted?", "text?", -1, ""},
    {"file_heading", "path, list of text", "file_link", -1, ""},
    {"file_heading", "untrusted, list of text", "error", 0, "path"},
    {"file_place", "path, int?, text?, bool", "file_link", -1, ""},
    {"file_place", "path, int?, untrusted?, bool", "error", 2, "text?"},
    {"checkout-text", "text", "clean prompt?", -1, ""},
    {"tracked", "untrusted", "path?", -1, ""},
    {"tracked", "untrusted?", "error", 0, "untrusted"},
    {"thing", "issue", "numbered", -1, ""},
    {"thing", "pull_request", "error", 0, "issue"},
    {"attempt", "list of issue", "list of issue", -1, ""},
    {"attempt", "issue", "error", 0, "list of error"},
    {"lines_of", "text", "list of untrusted", -1, ""},
    {"random_runs", "int, int, int", "list of untrusted", -1, ""},
    {"ships", "release, commit?", "bool", -1, ""},
    {"search_issues", "list of untrusted, int", "list of issue", -1, ""},
    {"search_issues", "untrusted, int", "error", 0, "list of untrusted"},
    {"pulls_with_head", "commit", "list of pull_request", -1, ""},
    {"pulls_with_head", "commit?", "error", 0, "commit"},
    {"ships", "release, commit", "bool", -1, ""},
    {"ships", "name, commit", "error", 0, "release"},
    {"git_reading", "patch", "patch_reading", -1, ""},
    {"git_reading", "untrusted", "error", 0, "patch"},
    {"patch_file", "text", "patch", -1, ""},
    {"patch_file", "untrusted", "error", 0, "text"},
    {"patch_creating", "path, untrusted", "patch", -1, ""},
    {"patch_creating", "untrusted, untrusted", "error", 0, "path"},
    /* mistakes that were reported already */
    {"first", "error", "error?", -1, ""},
    {"take", "error, int", "list of error", -1, ""},
    {"lower", "error", "error", -1, ""},
    {"days", "error, date", "int", -1, ""},
    {"days", "error, int", "error", 1, "date"},
};

static size_t types_of(const char *words, bl_type *out, size_t max)
{
    size_t count = 0;

    while (*words != '\0') {
        const char *end = strstr(words, ", ");
        size_t length = end != NULL ? (size_t)(end - words) : strlen(words);
        char word[64];

        check(count < max && length < sizeof(word));
        memcpy(word, words, length);
        word[length] = '\0';
        out[count++] = type_of(word);
        words += end != NULL ? length + 2 : length;
    }
    return count;
}

TEST(calls_have_the_types_of_the_language)
{
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
        enum bl_builtin builtin = bl_builtin_find(bl_str_from(calls[i].builtin));
        bl_type args[4];
        size_t count = types_of(calls[i].args, args, 4);
        size_t bad = 77;
        bl_type wanted = 77;

        check_case("%s(%s)", calls[i].builtin, calls[i].args);
        check(builtin != BL_BUILTIN_COUNT);
        check_int(bl_builtin_check(builtin, args, count, &bad, &wanted),
                  type_of(calls[i].result));
        if (calls[i].bad < 0) {
            check_size(bad, SIZE_MAX);
        } else if (strncmp(calls[i].wanted, "count ", 6) == 0) {
            check_size(bad, count);
            check_int(wanted, calls[i].wanted[6] - '0');
        } else {
            check_size(bad, (size_t)calls[i].bad);
            check_int(wanted, type_of(calls[i].wanted));
        }
    }
}

/* Every builtin is called at least once above, but the one that is not for this function. */
TEST(every_builtin_has_a_case)
{
    for (unsigned i = 0; i < BL_BUILTIN_COUNT; i++) {
        bl_str name = bl_builtin_info((enum bl_builtin)i)->name;
        bool found = i == BL_BUILTIN_POSTED;

        for (size_t j = 0; j < sizeof(calls) / sizeof(calls[0]); j++)
            found = found || bl_str_equal(bl_str_from(calls[j].builtin), name);
        check_case("%.*s", BL_STR_ARG(name));
        check(found);
    }
}

TEST(every_signature_can_be_read)
{
    for (unsigned i = 0; i < BL_BUILTIN_COUNT; i++) {
        const struct bl_builtin_info *info = bl_builtin_info((enum bl_builtin)i);
        struct bl_signature signature;

        check_case("%.*s", BL_STR_ARG(info->name));
        check(bl_signature_read(info, &signature));
        check(signature.count > 0);
    }
}

TEST(posted_has_forms_of_its_own)
{
    struct bl_signature signature;
    size_t bad;
    bl_type wanted;
    bl_type args[] = {type_of("issue"), type_of("posted 0")};

    check(bl_signature_read(bl_builtin_info(BL_BUILTIN_POSTED), &signature));
    check_size(signature.count, 2);
    check_int(signature.params[0].form, BL_SIGNATURE_COMMENTS);
    check_int(signature.params[1].form, BL_SIGNATURE_KINDS);
    check_int(signature.result.type, type_of("list of posted 0"));
    check_int(bl_builtin_check(BL_BUILTIN_POSTED, args, 2, &bad, &wanted), BL_TYPE_ERROR);
    check_int(bl_builtin_check(BL_BUILTIN_COUNT, args, 2, &bad, &wanted), BL_TYPE_ERROR);
}

TEST(misspelt_signatures_are_refused)
{
    static const struct {
        const char *params, *result;
    } cases[] = {
        {"integer", "int"},
        {"int,int", "int"},
        {"int, ", "int"},
        {"int", ""},
        {"int", "numbers"},
        {"*int, int", "int"},
        {"*", "int"},
        {"list of list of list of list of T", "int"},
        {"list of", "int"},
        {"int??", "int"},
        {"T, T, T, T, T", "int"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct bl_builtin_info info = {.params = bl_str_from(cases[i].params),
                                       .result = bl_str_from(cases[i].result)};
        struct bl_signature signature;

        check_case("(%s) : %s", cases[i].params, cases[i].result);
        check(!bl_signature_read(&info, &signature));
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_have_the_types_of_the_language),
        cmocka_unit_test(every_builtin_has_a_case),
        cmocka_unit_test(every_signature_can_be_read),
        cmocka_unit_test(posted_has_forms_of_its_own),
        cmocka_unit_test(misspelt_signatures_are_refused),
    };

    return check_main(tests);
}
