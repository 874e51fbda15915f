/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_SPEC_ROWS_H
#define BL_SPEC_ROWS_H

#include "base/str.h"

/* For the sources of this room: how the rows of a table become static data. */

/* The slice of a literal as an initializer; BL_STR is no constant expression. */
#define BL_ROW_STR(literal)                                                                    \
    {                                                                                          \
        "" literal, sizeof("" literal) - 1                                                     \
    }

#define BL_ROWS_COMPLETE(table, count)                                                         \
    _Static_assert(sizeof(table) / sizeof((table)[0]) == (size_t)(count),                      \
                   "every number has its row")

/* The row of a number that may come from outside, else NULL. */
#define BL_ROW_AT(table, number, count)                                                        \
    ((unsigned)(number) < (unsigned)(count) ? &(table)[(unsigned)(number)] : NULL)

/* bl_str_equal without the call for the many rows of another length. */
static inline bool bl_row_is(bl_str row, bl_str name)
{
    return row.len == name.len && bl_str_equal(row, name);
}

#endif
