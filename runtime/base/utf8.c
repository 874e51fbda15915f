/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"

#include <string.h>

#define REPLACEMENT 0xFFFDU

static bool is_continuation(unsigned char byte)
{
    return (byte & 0xC0) == 0x80;
}

/* Length of the valid sequence at `at`, or 0. The bounds of the second byte rule out overlong
 * forms, surrogates and what lies above U+10FFFF (The Unicode Standard, table 3-7). */
static size_t sequence_length(const unsigned char *at, size_t left)
{
    unsigned char first = at[0];
    if (first < 0x80) {
        return 1;
    }
    if (first < 0xC2 || first > 0xF4) {
        return 0;
    }
    size_t len = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    unsigned char low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    unsigned char high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    if (left < len || at[1] < low || at[1] > high) {
        return 0;
    }
    for (size_t i = 2; i < len; i++) {
        if (!is_continuation(at[i])) {
            return 0;
        }
    }
    return len;
}

size_t bl_utf8_invalid_at(bl_str s)
{
    const unsigned char *bytes = (const unsigned char *)s.ptr;
    size_t i = 0;
    while (i < s.len) {
        /* Most of what is read is ASCII: eight bytes a step. */
        uint64_t word;
        while (s.len - i >= sizeof(word)) {
            memcpy(&word, bytes + i, sizeof(word));
            if ((word & UINT64_C(0x8080808080808080)) != 0) {
                break;
            }
            i += sizeof(word);
        }
        if (i == s.len) {
            break;
        }
        size_t len = sequence_length(bytes + i, s.len - i);
        if (len == 0) {
            return i;
        }
        i += len;
    }
    return s.len;
}

uint32_t bl_utf8_decode(bl_str s, size_t *offset)
{
    const unsigned char *at = (const unsigned char *)s.ptr + *offset;
    unsigned char first = at[0];
    if (first < 0x80) {
        *offset += 1;
        return first;
    }
    size_t len = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    uint32_t value = first & (0x7FU >> len);
    /* The text is valid by contract. One that is not must still not be read beyond its end, and
     * no byte of it may hide another: only what continues a character is taken along. */
    size_t left = s.len - *offset;
    size_t i = 1;
    if (first < 0xC2 || first > 0xF4) {
        len = 1;
    }
    for (; i < len && i < left && (at[i] & 0xC0U) == 0x80; i++) {
        value = value << 6 | (at[i] & 0x3FU);
    }
    if (len == 1 || i < len) {
        *offset += 1;
        return REPLACEMENT;
    }
    *offset += i;
    return value;
}

size_t bl_utf8_encode(uint32_t code_point, char out[4])
{
    if (code_point > 0x10FFFF || (code_point >= 0xD800 && code_point <= 0xDFFF)) {
        code_point = REPLACEMENT;
    }
    if (code_point < 0x80) {
        out[0] = (char)code_point;
        return 1;
    }
    size_t len = code_point < 0x800 ? 2 : code_point < 0x10000 ? 3 : 4;
    for (size_t i = len - 1; i > 0; i--) {
        out[i] = (char)(0x80U | (code_point & 0x3FU));
        code_point >>= 6;
    }
    out[0] = (char)((0xF00U >> len & 0xFFU) | code_point);
    return len;
}

size_t bl_utf8_length(bl_str s)
{
    size_t count = 0;
    for (size_t i = 0; i < s.len; i++) {
        count += !is_continuation((unsigned char)s.ptr[i]);
    }
    return count;
}

bl_str bl_utf8_first(bl_str s, size_t code_points)
{
    size_t at = 0;
    if (s.len <= code_points) {
        return s; /* no code point is shorter than a byte */
    }
    while (code_points-- > 0 && at < s.len) {
        (void)bl_utf8_decode(s, &at);
    }
    return bl_str_slice(s, 0, at);
}

bl_str bl_utf8_prefix(bl_str s, size_t max)
{
    if (s.len <= max) {
        return s;
    }
    while (max > 0 && is_continuation((unsigned char)s.ptr[max])) {
        max--;
    }
    return bl_str_slice(s, 0, max);
}
