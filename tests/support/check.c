/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static char current_case[200];

void check_case(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(current_case, sizeof(current_case), format, args);
    va_end(args);
}

static void say_case(void)
{
    if (current_case[0] != '\0') {
        print_error("In the case '%s':\n", current_case);
    }
}

static void print_slice(const char *what, bl_str s)
{
    print_error("  %s (%zu bytes): \"", what, s.len);
    for (size_t i = 0; i < s.len; i++) {
        unsigned char byte = (unsigned char)s.ptr[i];
        if (byte == '\n') {
            print_error("\\n");
        } else if (byte < 0x20 || byte == 0x7F || byte == '"' || byte == '\\') {
            print_error("\\x%02x", byte);
        } else {
            print_error("%c", byte);
        }
    }
    print_error("\"\n");
}

void check_at(bool condition, const char *text, const char *file, int line)
{
    if (!condition) {
        say_case();
        print_error("  %s is false.\n", text);
        _fail(file, line);
    }
}

void check_int_at(int64_t actual, int64_t expected, const char *text, const char *file,
                  int line)
{
    if (actual != expected) {
        say_case();
        print_error("  %s is %" PRId64 " and should be %" PRId64 ".\n", text, actual, expected);
        _fail(file, line);
    }
}

void check_size_at(size_t actual, size_t expected, const char *text, const char *file, int line)
{
    if (actual != expected) {
        say_case();
        print_error("  %s is %zu and should be %zu.\n", text, actual, expected);
        _fail(file, line);
    }
}

void check_slice_at(bl_str actual, bl_str expected, const char *text, const char *file,
                    int line)
{
    if (actual.len != expected.len ||
        (actual.len > 0 && memcmp(actual.ptr, expected.ptr, actual.len) != 0)) {
        say_case();
        print_error("  %s differs.\n", text);
        print_slice("is", actual);
        print_slice("should be", expected);
        _fail(file, line);
    }
}

bl_str check_literal(const char *terminated)
{
    return (bl_str){terminated, strlen(terminated)};
}

static int forget_case(void **state)
{
    (void)state;
    current_case[0] = '\0';
    return 0;
}

int check_main_of(const char *file, const struct CMUnitTest *tests, size_t count)
{
    /* The rows of a table belong to one test; CMocka calls a setup in front of each. */
    struct CMUnitTest with_setup[256];
    if (count == 0 || count > sizeof(with_setup) / sizeof(with_setup[0])) {
        print_error("%s: no tests, or too many for one program.\n", file);
        return 1;
    }
    for (size_t i = 0; i < count; i++) {
        with_setup[i] = tests[i];
        if (with_setup[i].setup_func == NULL) {
            with_setup[i].setup_func = forget_case;
        }
    }
    const char *slash = strrchr(file, '/');
    return _cmocka_run_group_tests(slash != NULL ? slash + 1 : file, with_setup, count, NULL,
                                   NULL) != 0;
}
