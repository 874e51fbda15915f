/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TEXT_ENTITY_H
#define BL_TEXT_ENTITY_H

#include "base/str.h"

/* Character references as CommonMark reads them: `&name;` of the HTML standard, `&#` with up to
 * 7 decimal digits, `&#x` with up to 6 hexadecimal ones. 0 and what is no character become
 * U+FFFD. */

#define BL_ENTITY_BYTES 8u /* the longest that a name stands for has 6 bytes */

/* The reference at `at`, where an ampersand stands: how many bytes of `s` it takes, 0 when it
 * is none. What it stands for goes to `out`, its length to *length. Reads at most 34 bytes. */
size_t bl_entity_read(bl_str s, size_t at, char out[BL_ENTITY_BYTES], size_t *length);

#endif
