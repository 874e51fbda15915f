/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/formula.h"

/* Sets of numbers as disjoint intervals. */

bool bl_ranges_hold(const struct bl_ranges *ranges, int64_t value)
{
    for (uint32_t i = 0; i < ranges->count; i++) {
        if (value >= ranges->lo[i] && value <= ranges->hi[i])
            return true;
    }
    return false;
}

bool bl_ranges_meet(const struct bl_ranges *a, const struct bl_ranges *b, struct bl_ranges *out)
{
    struct bl_ranges met = {.absent = a->absent && b->absent};
    uint32_t i = 0, j = 0;

    /* Where there is no room, the rest of `a` stands for what would be less: that forgets, and
     * claims nothing. */
    while (i < a->count && j < b->count) {
        int64_t lo = a->lo[i] > b->lo[j] ? a->lo[i] : b->lo[j];
        int64_t hi = a->hi[i] < b->hi[j] ? a->hi[i] : b->hi[j];

        if (lo <= hi && met.count == BL_RANGES_MAX) {
            met.hi[met.count - 1] = a->hi[a->count - 1];
            break;
        }
        if (lo <= hi) {
            met.lo[met.count] = lo;
            met.hi[met.count++] = hi;
        }
        if (a->hi[i] < b->hi[j])
            i++;
        else
            j++;
    }
    *out = met;
    return met.count > 0 || met.absent;
}

bool bl_ranges_opposite(const struct bl_ranges *a, int64_t least, int64_t greatest,
                        bool optional, struct bl_ranges *out)
{
    struct bl_ranges rest = {.absent = optional && !a->absent};
    int64_t from = least;
    bool open = true; /* is `from` still to be covered? */

    for (uint32_t i = 0; i < a->count && open; i++) {
        if (a->lo[i] > from) {
            if (rest.count == BL_RANGES_MAX)
                return false;
            rest.lo[rest.count] = from;
            rest.hi[rest.count++] = a->lo[i] - 1 < greatest ? a->lo[i] - 1 : greatest;
        }
        open = a->hi[i] < greatest;
        from = open ? a->hi[i] + 1 : from;
    }
    if (open) {
        if (rest.count == BL_RANGES_MAX)
            return false;
        rest.lo[rest.count] = from;
        rest.hi[rest.count++] = greatest;
    }
    *out = rest;
    return true;
}
