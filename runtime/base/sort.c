/* SPDX-License-Identifier: Apache-2.0 */
#include "base/sort.h"

#include <string.h>

struct sorting {
    size_t size;
    bl_compare_fn *compare;
    const void *context;
};

static int order_of(const struct sorting *s, const char *a, const char *b)
{
    return s->compare(a, b, s->context);
}

/* Two sorted runs of `from`, before and from `middle`, become one in `to`. */
static void merge(const struct sorting *s, const char *from, char *to, size_t middle,
                  size_t count)
{
    const char *left = from, *right = from + middle * s->size;
    const char *const left_end = right, *const right_end = from + count * s->size;

    if (middle >= count || order_of(s, right - s->size, right) <= 0) {
        memcpy(to, from, count * s->size);
        return;
    }
    while (left < left_end && right < right_end) {
        const char **taken = order_of(s, left, right) <= 0 ? &left : &right;

        memcpy(to, *taken, s->size);
        *taken += s->size;
        to += s->size;
    }
    memcpy(to, left, (size_t)(left_end - left));
    memcpy(to + (left_end - left), right, (size_t)(right_end - right));
}

bool bl_sort(struct bl_arena *arena, void *items, size_t count, size_t size,
             bl_compare_fn *compare, const void *context)
{
    const struct sorting s = {size, compare, context};
    char *from = items;
    char *to = count > 1 ? bl_arena_alloc(arena, count, size) : NULL;

    if (count < 2)
        return true;
    if (to == NULL)
        return false;
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t at = 0; at < count; at += 2 * width) {
            size_t length = count - at < 2 * width ? count - at : 2 * width;

            merge(&s, from + at * size, to + at * size, width, length);
        }
        char *other = from;
        from = to;
        to = other;
    }
    if (from != items)
        memcpy(items, from, count * size);
    return true;
}
