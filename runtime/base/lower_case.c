/* SPDX-License-Identifier: Apache-2.0 */
#include "base/lower_case.h"

#include "base/utf8.h"

#define CAPITAL_I_WITH_DOT 0x130u

/* Capital letters and what is added for their small ones, sorted. */
static const struct {
    uint32_t first, last, step;
    int32_t add;
} rows[] = {
#define BL_LOWER_CASE(first, last, step, add) {first, last, step, add},
#include "base/lower_case.def"
#undef BL_LOWER_CASE
};

uint32_t bl_lower_character(uint32_t c)
{
    size_t low = 0;
    size_t high = sizeof rows / sizeof rows[0];

    if (c < 0x80)
        return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (c > rows[middle].last)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == sizeof rows / sizeof rows[0] || c < rows[low].first ||
        (c - rows[low].first) % rows[low].step != 0)
        return c;
    return (uint32_t)((int32_t)c + rows[low].add);
}

void bl_lower_case(struct bl_buf *out, bl_str s)
{
    for (size_t at = 0; at < s.len;) {
        char bytes[4];

        if ((unsigned char)s.ptr[at] < 0x80) {
            bl_buf_put_char(out, bl_ascii_lower(s.ptr[at++]));
            continue;
        }
        uint32_t c = bl_utf8_decode(s, &at);
        if (c == CAPITAL_I_WITH_DOT)
            BL_PUT(out, "i\xCC\x87"); /* the one that becomes two */
        else
            bl_buf_put(out, (bl_str){bytes, bl_utf8_encode(bl_lower_character(c), bytes)});
    }
}
