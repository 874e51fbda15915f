/* SPDX-License-Identifier: Apache-2.0 */
#include "text/fold.h"

#include "base/lower_case.h"
#include "base/utf8.h"

#include <string.h>

/* Folding, a character at a time; white space in runs. */

#define TARGET_BYTES 12u
#define STEPS        4u /* a styled letter, its base, what that looks like, small */

static const struct row {
    uint32_t first;
    uint16_t count;
    uint8_t folding, step;
    char to[TARGET_BYTES];
} rows[] = {
#define BL_FOLD(first, count, folding, to, step) {first, count, BL_FOLDING_##folding, step, to},
#include "text/fold.def"
#undef BL_FOLD
};

static const struct row *row_of(uint32_t c)
{
    size_t low = 0, high = sizeof rows / sizeof rows[0];

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (c >= rows[middle].first + rows[middle].count)
            low = middle + 1;
        else
            high = middle;
    }
    return low < sizeof rows / sizeof rows[0] && c >= rows[low].first ? &rows[low] : NULL;
}

static bool wants(unsigned foldings, unsigned folding)
{
    return (foldings >> folding & 1u) != 0;
}

/* What one character becomes in one step; itself when nothing changes. */
static bl_str step_of(uint32_t c, unsigned foldings, char bytes[TARGET_BYTES])
{
    const struct row *row = c < 0x80 ? NULL : row_of(c);

    if (row != NULL && wants(foldings, row->folding)) {
        size_t len = strnlen(row->to, TARGET_BYTES);
        memcpy(bytes, row->to, len);
        if (row->step != 0)
            bytes[len - 1] = (char)(bytes[len - 1] + (char)(c - row->first));
        return (bl_str){bytes, len};
    }
    if (wants(foldings, BL_FOLDING_CASE))
        c = bl_lower_character(c);
    return (bl_str){bytes, bl_utf8_encode(c, bytes)};
}

/* Of each character of the text one step; returns whether any changed. */
static bool step(bl_str s, unsigned foldings, char out[BL_FOLD_BYTES], size_t *length)
{
    bool changed = false;

    *length = 0;
    for (size_t at = 0; at < s.len;) {
        char bytes[TARGET_BYTES];
        size_t from = at;
        bl_str to = step_of(bl_utf8_decode(s, &at), foldings, bytes);

        if (*length + to.len > BL_FOLD_BYTES)
            break;
        changed = changed || !bl_str_equal(to, bl_str_slice(s, from, at));
        memcpy(out + *length, to.ptr, to.len);
        *length += to.len;
    }
    return changed;
}

static bool is_blank(bl_str s, size_t *at)
{
    size_t behind = *at;
    uint32_t c = bl_utf8_decode(s, &behind);
    const struct row *row = row_of(c);

    if (c != ' ' && (row == NULL || row->folding != BL_FOLDING_BLANKS))
        return false;
    *at = behind;
    return true;
}

static size_t blanks(bl_str s, size_t at, char out[BL_FOLD_BYTES], size_t *length)
{
    size_t end = at;

    while (end < s.len && is_blank(s, &end))
        continue;
    if (end == at || (end == at + 1 && s.ptr[at] == ' '))
        return 0;
    out[0] = ' ';
    *length = 1;
    return end - at;
}

size_t bl_fold_read(bl_str s, size_t at, unsigned foldings, char out[BL_FOLD_BYTES],
                    size_t *length)
{
    unsigned char c = (unsigned char)s.ptr[at];
    char before[BL_FOLD_BYTES];
    size_t end = at;

    if (wants(foldings, BL_FOLDING_BLANKS) && (c <= ' ' || c >= 0x80)) {
        size_t size = blanks(s, at, out, length);
        if (size > 0)
            return size;
    }
    if (c < 0x80 && !(wants(foldings, BL_FOLDING_CASE) && c >= 'A' && c <= 'Z'))
        return 0;
    foldings &= ~(1u << BL_FOLDING_BLANKS);
    (void)bl_utf8_decode(s, &end);
    if (!step(bl_str_slice(s, at, end), foldings, out, length))
        return 0;
    for (unsigned i = 1; i < STEPS; i++) {
        memcpy(before, out, *length);
        if (!step((bl_str){before, *length}, foldings, out, length))
            break;
    }
    return end - at;
}
