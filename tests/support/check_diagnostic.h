/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TESTS_SUPPORT_CHECK_DIAGNOSTIC_H
#define BL_TESTS_SUPPORT_CHECK_DIAGNOSTIC_H

#include "base/diagnostic.h"
#include "support/check.h"

/* Message number `index` of the sink has the code and begins at that line and column (code
 * points, from 1). */
#define check_diag(sink, sources, index, code, line, column)                                   \
    check_diag_at((sink), (sources), (index), (code), (line), (column), __FILE__, __LINE__)
/* The value of its argument. */
#define check_diag_arg(sink, index, name, expected)                                            \
    check_diag_arg_at((sink), (index), (name), (expected), __FILE__, __LINE__)

void check_diag_at(const struct bl_diagnostics *sink, struct bl_sources *sources, size_t index,
                   unsigned code, uint32_t line, uint32_t column, const char *file,
                   int file_line);
void check_diag_arg_at(const struct bl_diagnostics *sink, size_t index, const char *name,
                       const char *expected, const char *file, int file_line);

#endif
