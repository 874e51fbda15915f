/* SPDX-License-Identifier: Apache-2.0 */
#include "text/island.h"

/* From the last byte that a stretch would need backward, to the first that is of another kind:
 * what comes behind it is the next to be looked at. */
struct bl_match bl_island_next(const bool holds[256], size_t least, bl_str text, size_t from,
                               uint64_t *steps)
{
    const uint8_t *bytes = (const uint8_t *)text.ptr;
    size_t lo = from;
    size_t known = from; /* everything from `lo` to here is held */
    while (text.len - lo >= least) {
        size_t at = lo + least;
        while (at > known && holds[bytes[at - 1]]) {
            at--;
        }
        *steps += lo + least - at + 1;
        if (at <= known) {
            size_t hi = lo + least;
            while (hi < text.len && holds[bytes[hi]]) {
                hi++;
            }
            *steps += hi - lo - least;
            return (struct bl_match){lo, hi};
        }
        known = lo + least;
        lo = at;
    }
    return (struct bl_match){text.len, text.len};
}
