/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TESTS_SUPPORT_CHECK_H
#define BL_TESTS_SUPPORT_CHECK_H

#include "base/status.h"
#include "base/str.h"

/* CMocka wants these in front of its own header. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* What CMocka lacks: slices, signed numbers, and the name of the row of a table that failed. A
 * check that fails ends the test it stands in; `actual` comes first everywhere. */

#define TEST(name) static void name(void **state __attribute__((unused)))

/* Names the row in hand; every message until the next call says it. Printf-like, cut at 200
 * bytes. A test starts without one. */
void check_case(const char *format, ...) BL_PRINTF(1, 2);

#define check(condition) check_at((condition), #condition, __FILE__, __LINE__)
#define check_int(actual, expected)                                                            \
    check_int_at((int64_t)(actual), (int64_t)(expected), #actual, __FILE__, __LINE__)
#define check_size(actual, expected)                                                           \
    check_size_at((actual), (expected), #actual, __FILE__, __LINE__)
/* A slice against a terminated string. */
#define check_str(actual, expected)                                                            \
    check_slice_at((actual), check_literal(expected), #actual, __FILE__, __LINE__)
/* A slice against a slice: for bytes with NUL. */
#define check_slice(actual, expected)                                                          \
    check_slice_at((actual), (expected), #actual, __FILE__, __LINE__)
#define check_status(actual, expected)                                                         \
    check_int_at((int64_t)(actual), (int64_t)(expected), #actual, __FILE__, __LINE__)

/* For the end of main: 1 when a test failed, else 0. CMocka's own result is a number of
 * failures, of which 256 would look like none. */
#define check_main(tests) check_main_of(__FILE__, (tests), sizeof(tests) / sizeof((tests)[0]))

void check_at(bool condition, const char *text, const char *file, int line);
void check_int_at(int64_t actual, int64_t expected, const char *text, const char *file,
                  int line);
void check_size_at(size_t actual, size_t expected, const char *text, const char *file,
                   int line);
void check_slice_at(bl_str actual, bl_str expected, const char *text, const char *file,
                    int line);
bl_str check_literal(const char *terminated);
int check_main_of(const char *file, const struct CMUnitTest *tests, size_t count);

#endif
