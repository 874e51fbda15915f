/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/tables.h"
#include "support/check.h"

#include <stdio.h>

/* The digits of the table: a leading 0 would make them octal. */
static const char *const digits[] = {
#define BL_DIAGNOSTIC(id, number, lint, severity, message, help, more) #number,
#include "spec/diagnostics.def"
#undef BL_DIAGNOSTIC
};

static bool is_kebab(bl_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        bool letter = s.ptr[i] >= 'a' && s.ptr[i] <= 'z';
        bool hyphen = s.ptr[i] == '-' && i > 0 && i + 1 < s.len && s.ptr[i - 1] != '-';

        if (!letter && !hyphen)
            return false;
    }
    return s.len > 0;
}

/* "Messages are sentences: a capital, a full stop" (architecture, Style); one may begin with a
 * name in quotes or an argument, and end with an argument that is a sentence. */
static bool is_sentence(bl_str s)
{
    char first = s.len > 0 ? s.ptr[0] : '\0';
    char last = s.len > 0 ? s.ptr[s.len - 1] : '\0';
    bool capital = first >= 'A' && first <= 'Z';

    return (capital || first == '\'' || first == '{') &&
           (last == '.' || last == '?' || last == '}');
}

/* Is it a name of an argument? Other braces are words of the message: "a block: { … }". */
static bool is_argument_name(bl_str name)
{
    for (size_t i = 0; i < name.len; i++) {
        if (!(name.ptr[i] >= 'a' && name.ptr[i] <= 'z') && name.ptr[i] != '_')
            return false;
    }
    return name.len > 0;
}

/* How many different {names}; SIZE_MAX when there are more than `max`. */
static size_t count_arguments(bl_str s, bl_str *names, size_t count, size_t max)
{
    for (size_t i = 0; i < s.len; i++) {
        bool known = false;

        if (s.ptr[i] != '{')
            continue;
        size_t end = bl_str_find_char(bl_str_slice(s, i, s.len), '}');
        if (end == SIZE_MAX)
            break;
        bl_str name = bl_str_slice(s, i + 1, i + end);
        if (!is_argument_name(name))
            continue;
        for (size_t k = 0; k < count; k++)
            known = known || bl_str_equal(names[k], name);
        if (!known) {
            if (count == max)
                return SIZE_MAX;
            names[count++] = name;
        }
        i += end;
    }
    return count;
}

TEST(messages_are_sentences)
{
    for (size_t i = 0; i < bl_diagnostic_count(); i++) {
        const struct bl_diagnostic_info *info = bl_diagnostic_at(i);
        bl_str names[BL_DIAGNOSTIC_ARGS_MAX];
        size_t count;

        check_case("PL%04u %s", info->number, info->id);
        check(is_sentence(info->message));
        check(info->help.len == 0 || is_sentence(info->help));
        check(info->more.len == 0 || is_sentence(info->more));
        count = count_arguments(info->message, names, 0, BL_DIAGNOSTIC_ARGS_MAX);
        check(count != SIZE_MAX);
        check(count_arguments(info->help, names, count, BL_DIAGNOSTIC_ARGS_MAX) != SIZE_MAX);
    }
}

TEST(numbers_and_names_are_their_own)
{
    check_size(bl_diagnostic_count(), sizeof(digits) / sizeof(digits[0]));
    for (size_t i = 0; i < bl_diagnostic_count(); i++) {
        const struct bl_diagnostic_info *info = bl_diagnostic_at(i);
        char code[16];

        check_case("%s", info->id);
        check(digits[i][0] >= '1' && digits[i][0] <= '9');
        check(info == bl_diagnostic_info(info->number));
        (void)snprintf(code, sizeof(code), "PL%04u", info->number);
        check(info == bl_diagnostic_find(bl_str_from(code)));
        check(info == bl_diagnostic_find(bl_str_from(code + 2)));
        check(info == bl_diagnostic_find(bl_str_from(digits[i])));
        if (info->lint.len > 0) {
            check(is_kebab(info->lint));
            check(info == bl_diagnostic_find(info->lint));
        }
        /* Only rules of the 06 range can be switched off. */
        check_int(info->lint.len > 0, info->number / 100 == 6);
        check(info->severity != BL_SEVERITY_OFF || info->lint.len > 0);
    }
}

TEST(unknown_names_are_not_found)
{
    static const char *const names[] = {"",      "PL",   "PL9999", "9999", "PL00010",
                                        "00001", "PL1x", "pl0001", "-",    "no-such-rule"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        check_case("'%s'", names[i]);
        check(bl_diagnostic_find(bl_str_from(names[i])) == NULL);
    }
    check(bl_diagnostic_info(0) == NULL);
    check(bl_diagnostic_at(bl_diagnostic_count()) == NULL);
}

TEST(reports_have_the_severity_of_the_table)
{
    struct bl_arena arena;
    struct bl_diagnostics sink;
    struct bl_diagnostic *d;

    bl_arena_init(&arena, 1 << 20, NULL);
    bl_diagnostics_init(&sink, &arena, 10);
    d = bl_report(&sink, BL_D_BAD_UTF8, (struct bl_span){3, 4, 0});
    check_int(d->code, 2);
    check_int(d->severity, BL_SEVERITY_ERROR);
    check_int(d->span.lo, 3);
    check_size(sink.errors, 1);
    bl_arena_reset(&arena);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_are_sentences),
        cmocka_unit_test(numbers_and_names_are_their_own),
        cmocka_unit_test(unknown_names_are_not_found),
        cmocka_unit_test(reports_have_the_severity_of_the_table),
    };

    return check_main(tests);
}
