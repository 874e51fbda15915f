/* SPDX-License-Identifier: Apache-2.0 */
#include "text/entity.h"

#include "base/utf8.h"

#include <string.h>

struct named {
    const char *name;
    const char *characters;
};
static const struct named names[] = {
#define BL_NAMED(name, characters) {name, characters},
#include "text/character_names.def"
#undef BL_NAMED
};
#define NAME_BYTES 32u /* the longest is CounterClockwiseContourIntegral, 31 */

static size_t named(bl_str name, char *out)
{
    size_t lo = 0;
    size_t hi = sizeof names / sizeof names[0];

    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        int order = bl_str_compare(name, bl_str_from(names[middle].name));

        if (order == 0) {
            bl_str found = bl_str_from(names[middle].characters);
            memcpy(out, found.ptr, found.len);
            return found.len;
        }
        if (order < 0)
            hi = middle;
        else
            lo = middle + 1;
    }
    return 0;
}

static int digit_of(char c, uint32_t base)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = bl_ascii_lower(c);
    return base == 16 && c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Behind "&#": how many bytes with the semicolon. */
static size_t numbered(bl_str s, char *out, size_t *length)
{
    bool hex = s.len > 0 && (s.ptr[0] == 'x' || s.ptr[0] == 'X');
    uint32_t base = hex ? 16 : 10;
    size_t first = hex ? 1 : 0;
    size_t most = hex ? 6 : 7;
    size_t at = first;
    uint32_t value = 0;

    while (at < s.len && at - first < most && digit_of(s.ptr[at], base) >= 0)
        value = value * base + (uint32_t)digit_of(s.ptr[at++], base);
    if (at == first || at >= s.len || s.ptr[at] != ';')
        return 0;
    *length = bl_utf8_encode(value == 0 ? 0xFFFD : value, out);
    return at + 1;
}

size_t bl_entity_read(bl_str s, size_t at, char out[BL_ENTITY_BYTES], size_t *length)
{
    bl_str rest = bl_str_slice(s, at + 1, s.len);
    size_t end = 0;

    if (rest.len > 0 && rest.ptr[0] == '#') {
        size_t taken = numbered(bl_str_slice(rest, 1, rest.len), out, length);
        return taken == 0 ? 0 : taken + 2;
    }
    while (end < rest.len && end < NAME_BYTES &&
           (bl_is_ascii_alpha(rest.ptr[end]) || bl_is_ascii_digit(rest.ptr[end])))
        end++;
    if (end == 0 || end >= rest.len || rest.ptr[end] != ';')
        return 0;
    *length = named(bl_str_slice(rest, 0, end), out);
    return *length == 0 ? 0 : end + 2;
}
