/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_BASE_UTF8_H
#define BL_BASE_UTF8_H

#include "base/str.h"

/* Index of the first byte that is not part of valid UTF-8 (overlong forms, surrogates and
 * values above U+10FFFF are invalid), or s.len. */
size_t bl_utf8_invalid_at(bl_str s);
/* Decodes the code point at *offset (valid UTF-8) and moves *offset behind it. */
uint32_t bl_utf8_decode(bl_str s, size_t *offset);
/* Writes 1 to 4 bytes; returns how many. Surrogates and values too large become U+FFFD. */
size_t bl_utf8_encode(uint32_t code_point, char out[4]);
/* Number of code points of valid UTF-8. */
size_t bl_utf8_length(bl_str s);
/* The longest prefix of at most `max` bytes that ends between code points. */
bl_str bl_utf8_prefix(bl_str s, size_t max);
/* The first code points of valid UTF-8, at most so many. */
bl_str bl_utf8_first(bl_str s, size_t code_points);

#endif
