/* SPDX-License-Identifier: Apache-2.0 */
#include "text/address.h"

#include "base/num.h"

#include <string.h>

/* What escapes escape again is read so often; deeper ones count as climbing. */
#define LEVELS 8u

static bool is_letter_or_digit(char c)
{
    return bl_is_ascii_alpha(c) || bl_is_ascii_digit(c);
}

/* RFC 3986, and letters beyond ASCII. */
static bool may_stand(char c)
{
    return is_letter_or_digit(c) || (unsigned char)c >= 0x80 ||
           (c != '\0' && strchr("-._~:/?#@!$&'()*+,;=%", c) != NULL);
}

static int hex_of(char c)
{
    if (bl_is_ascii_digit(c))
        return c - '0';
    c = bl_ascii_lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* One reading of a byte at *at, with `levels` of escapes taken off: -1 when an escape is broken
 * or deeper than that. */
static int unescaped(bl_str s, size_t *at, unsigned levels)
{
    int c = (unsigned char)s.ptr[(*at)++];

    for (unsigned level = 0; c == '%'; level++) {
        if (level == levels || *at + 1 >= s.len)
            return -1;
        int high = hex_of(s.ptr[*at]);
        int low = hex_of(s.ptr[*at + 1]);
        if (high < 0 || low < 0)
            return -1;
        *at += 2;
        c = high * 16 + low;
        if (c != '%')
            return c;
        /* %25 is a percent sign: only as the beginning of another escape it means more. */
        if (*at + 1 >= s.len || hex_of(s.ptr[*at]) < 0 || hex_of(s.ptr[*at + 1]) < 0)
            return '%';
    }
    return c;
}

/* Dot segments, backslashes, controls, broken escapes. What is escaped counts as what it stands
 * for, at every level; digits of an escape that are escaped themselves count as climbing. */
static bool climbs(bl_str path)
{
    unsigned dots = 0; /* of a segment of dots alone; 3: it is none */

    for (size_t at = 0; at < path.len;) {
        int c = unescaped(path, &at, LEVELS);

        if (c < 0x20 || c == '\\' || c == 0x7F)
            return true;
        if (c == '%' && at < path.len && path.ptr[at] == '%')
            return true;
        if (c == '/') {
            if (dots == 1 || dots == 2)
                return true;
            dots = 0;
        } else {
            dots = c == '.' && dots < 3 ? dots + 1 : 3;
        }
    }
    return dots == 1 || dots == 2;
}

/* The kinds are spelled as the words of GitHub's paths. */
static unsigned kind_of(bl_str below)
{
    bl_str word = bl_str_slice(below, 0, bl_str_find_char(below, '/'));
    unsigned kind = bl_enum_member_find(BL_ENUM_LINK_KIND, word);

    return kind < bl_enum_member_count(BL_ENUM_LINK_KIND) ? kind : BL_LINK_KIND_OTHER;
}

/* kind/7 and what follows: GitHub shows it as #7. */
static int64_t number_of(bl_str below)
{
    size_t slash = bl_str_find_char(below, '/');
    size_t end = slash == SIZE_MAX ? below.len : slash + 1;
    int64_t number = 0;

    for (; end < below.len && bl_is_ascii_digit(below.ptr[end]) && number < INT32_MAX; end++)
        number = number * 10 + (below.ptr[end] - '0');
    return end == below.len || below.ptr[end] == '/' ? number : 0;
}

/* user@host:port */
static bool authority(bl_str s, struct bl_address *out)
{
    size_t at = bl_str_find_char(s, '@');

    if (at != SIZE_MAX) {
        out->has_user = true;
        out->user = bl_str_slice(s, 0, at);
        s = bl_str_slice(s, at + 1, s.len);
    }
    size_t colon = bl_str_find_char(s, ':');
    if (colon != SIZE_MAX) {
        out->has_port = true;
        (void)bl_int_parse(bl_str_slice(s, colon + 1, s.len), &out->port);
        s = bl_str_slice(s, 0, colon);
    }
    out->host = s;
    for (size_t i = 0; i < s.len; i++) {
        if (!is_letter_or_digit(s.ptr[i]) && s.ptr[i] != '.' && s.ptr[i] != '-')
            return false;
    }
    return s.len > 0;
}

struct bl_address bl_address_read(bl_str address, bl_str repository)
{
    struct bl_address out = {.target = address, .kind = BL_LINK_KIND_OTHER, .climbs = true};
    size_t colon = bl_str_find_char(address, ':');
    size_t slash = 0;
    bool whole = colon != SIZE_MAX && colon > 0 && bl_is_ascii_alpha(address.ptr[0]);

    for (size_t i = 0; whole && i < colon; i++)
        whole = is_letter_or_digit(address.ptr[i]);
    if (!whole)
        return out;
    out.scheme = bl_str_slice(address, 0, colon);
    for (size_t i = 0; i < address.len; i++)
        whole = whole && may_stand(address.ptr[i]);
    bl_str rest = bl_str_slice(address, colon + 1, address.len);
    if (!whole || !bl_str_starts_with(rest, BL_STR("//")))
        return out;
    rest = bl_str_slice(rest, 2, rest.len);
    while (slash < rest.len && strchr("/?#", rest.ptr[slash]) == NULL)
        slash++;
    if (!authority(bl_str_slice(rest, 0, slash), &out))
        return out;
    out.whole = true;
    bl_str path = bl_str_slice(rest, slash, rest.len);
    size_t end = 0;
    while (end < path.len && path.ptr[end] != '?' && path.ptr[end] != '#')
        end++;
    out.climbs = climbs(bl_str_slice(path, 0, end));
    if (path.len > repository.len + 2 && path.ptr[0] == '/' && repository.len > 0 &&
        path.ptr[repository.len + 1] == '/' &&
        bl_str_equal_nocase(bl_str_slice(path, 1, repository.len + 1), repository)) {
        out.in_repository = true;
        bl_str below = bl_str_slice(path, repository.len + 2, end);
        out.kind = kind_of(below);
        if (out.kind == BL_LINK_KIND_ISSUES || out.kind == BL_LINK_KIND_PULL ||
            out.kind == BL_LINK_KIND_DISCUSSIONS)
            out.number = number_of(below);
    }
    return out;
}
