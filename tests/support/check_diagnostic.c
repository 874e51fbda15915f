/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check_diagnostic.h"

#include <string.h>

void check_diag_at(const struct bl_diagnostics *sink, struct bl_sources *sources, size_t index,
                   unsigned code, uint32_t line, uint32_t column, const char *file,
                   int file_line)
{
    check_at(index < sink->list.count, "there are that many messages", file, file_line);
    const struct bl_diagnostic *d = sink->list.items[index];
    struct bl_position at = bl_sources_position(sources, d->span.source, d->span.lo);
    check_int_at(d->code, code, "the code", file, file_line);
    check_int_at(at.line, line, "the line", file, file_line);
    check_int_at(at.column_chars, column, "the column", file, file_line);
}

void check_diag_arg_at(const struct bl_diagnostics *sink, size_t index, const char *name,
                       const char *expected, const char *file, int file_line)
{
    check_at(index < sink->list.count, "there are that many messages", file, file_line);
    const struct bl_diagnostic *d = sink->list.items[index];
    for (size_t i = 0; i < d->arg_count; i++) {
        if (strcmp(d->args[i].name, name) == 0) {
            check_slice_at(d->args[i].value, check_literal(expected), name, file, file_line);
            return;
        }
    }
    print_error("  The message has no argument '%s'.\n", name);
    _fail(file, file_line);
}
