/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TEXT_ISLAND_H
#define BL_TEXT_ISLAND_H

#include "text/pattern.h"

/* Long stretches of bytes of one kind: what is looked for as a run of at least so many is not
 * between two bytes of another kind that are closer. */

/* The first stretch of `least` or more bytes for which `holds` is true that begins at or behind
 * `from`, which is 0 or stands behind one; an empty one at the end of the text when there is
 * none. Adds the looks that it took to *steps, at most one for each byte and one for each
 * stretch: most bytes of short stretches are passed over. */
struct bl_match bl_island_next(const bool holds[256], size_t least, bl_str text, size_t from,
                               uint64_t *steps);

#endif
