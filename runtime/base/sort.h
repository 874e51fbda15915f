/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_BASE_SORT_H
#define BL_BASE_SORT_H

#include "base/arena.h"

/* Negative, zero or positive, as the element `a` comes before, beside or after `b`. */
typedef int bl_compare_fn(const void *a, const void *b, const void *context);

/* Puts `count` elements of `size` bytes in order; equal ones stay as they stand. A merge sort:
 * nobody can choose elements that make it slow (qsort promises neither). False without memory
 * for a second list, and then the elements stay as they were. `context` goes to `compare`. */
bool bl_sort(struct bl_arena *arena, void *items, size_t count, size_t size,
             bl_compare_fn *compare, const void *context);

#endif
