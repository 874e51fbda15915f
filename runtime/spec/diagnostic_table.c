/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/rows.h"
#include "spec/tables.h"

enum row_number {
#define BL_DIAGNOSTIC(id, number, lint, severity, message, help, more) ROW_##id,
#include "spec/diagnostics.def"
#undef BL_DIAGNOSTIC
    ROW_COUNT
};

static const struct bl_diagnostic_info rows[] = {
#define BL_DIAGNOSTIC(id, number, lint, severity, message, help, more)                         \
    [ROW_##id] = {number,                                                                      \
                  #id,                                                                         \
                  BL_ROW_STR(lint),                                                            \
                  BL_SEVERITY_##severity,                                                      \
                  BL_ROW_STR(message),                                                         \
                  BL_ROW_STR(help),                                                            \
                  BL_ROW_STR(more)},
#include "spec/diagnostics.def"
#undef BL_DIAGNOSTIC
};
BL_ROWS_COMPLETE(rows, ROW_COUNT);

#define BL_DIAGNOSTIC(id, number, lint, severity, message, help, more)                         \
    _Static_assert((number) > 0 && (number) < 10000, "PLnnnn has four digits: " #id);
#include "spec/diagnostics.def"
#undef BL_DIAGNOSTIC

/* A switch, since two cases of one number do not compile. */
const struct bl_diagnostic_info *bl_diagnostic_info(unsigned code)
{
    switch (code) {
#define BL_DIAGNOSTIC(id, number, lint, severity, message, help, more)                         \
    case number:                                                                               \
        return &rows[ROW_##id];
#include "spec/diagnostics.def"
#undef BL_DIAGNOSTIC
    }
    return NULL;
}

const struct bl_diagnostic_info *bl_diagnostic_find(bl_str name)
{
    bl_str digits =
        bl_str_starts_with(name, BL_STR("PL")) ? bl_str_slice(name, 2, name.len) : name;
    unsigned number = 0;
    size_t i = 0;

    while (i < digits.len && i < 4 && bl_is_ascii_digit(digits.ptr[i]))
        number = number * 10 + (unsigned)(digits.ptr[i++] - '0');
    if (i == digits.len && i > 0)
        return bl_diagnostic_info(number);
    for (size_t row = 0; name.len > 0 && row < ROW_COUNT; row++) {
        if (bl_str_equal(rows[row].lint, name))
            return &rows[row];
    }
    return NULL;
}

size_t bl_diagnostic_count(void)
{
    return ROW_COUNT;
}

const struct bl_diagnostic_info *bl_diagnostic_at(size_t index)
{
    return index < ROW_COUNT ? &rows[index] : NULL;
}

struct bl_diagnostic *bl_report(struct bl_diagnostics *sink, enum bl_diagnostic_code code,
                                struct bl_span span)
{
    const struct bl_diagnostic_info *info = bl_diagnostic_info((unsigned)code);

    return bl_diagnostic_add(sink, (unsigned)code,
                             info != NULL ? info->severity : BL_SEVERITY_ERROR, span);
}
