/* SPDX-License-Identifier: Apache-2.0 */
#include "base/str.h"

#include <string.h>

bl_str bl_str_from(const char *terminated)
{
    return (bl_str){terminated, terminated != NULL ? strlen(terminated) : 0};
}

bl_str bl_str_slice(bl_str s, size_t from, size_t to)
{
    if (to > s.len) {
        to = s.len;
    }
    if (from > to) {
        from = to;
    }
    /* NULL plus 0 is undefined in C. */
    return (bl_str){from > 0 ? s.ptr + from : s.ptr, to - from};
}

bool bl_str_equal(bl_str a, bl_str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

bool bl_str_equal_nocase(bl_str a, bl_str b)
{
    if (a.len != b.len) {
        return false;
    }
    for (size_t i = 0; i < a.len; i++) {
        if (bl_ascii_lower(a.ptr[i]) != bl_ascii_lower(b.ptr[i])) {
            return false;
        }
    }
    return true;
}

int bl_str_compare(bl_str a, bl_str b)
{
    size_t shorter = a.len < b.len ? a.len : b.len;
    int order = shorter > 0 ? memcmp(a.ptr, b.ptr, shorter) : 0;
    if (order != 0) {
        return order;
    }
    return (a.len > b.len) - (a.len < b.len);
}

bool bl_str_starts_with(bl_str s, bl_str prefix)
{
    return s.len >= prefix.len && bl_str_equal(bl_str_slice(s, 0, prefix.len), prefix);
}

bool bl_str_ends_with(bl_str s, bl_str suffix)
{
    return s.len >= suffix.len &&
           bl_str_equal(bl_str_slice(s, s.len - suffix.len, s.len), suffix);
}

size_t bl_str_find_char(bl_str s, char c)
{
    const char *hit = s.len > 0 ? memchr(s.ptr, c, s.len) : NULL;
    return hit != NULL ? (size_t)(hit - s.ptr) : SIZE_MAX;
}

/* Where the largest suffix of the needle begins, by the order of bytes or by its reverse, and
 * that suffix's period. */
static size_t largest_suffix(const unsigned char *needle, size_t len, bool reverse,
                             size_t *period)
{
    size_t best = 0; /* where the largest suffix so far begins */
    size_t next = 1; /* where its rival begins */
    size_t same = 0; /* bytes in which both agree */
    *period = 1;
    while (next + same < len) {
        unsigned char theirs = needle[next + same];
        unsigned char ours = needle[best + same];
        if (theirs == ours) {
            same++;
            if (same == *period) {
                next += same;
                same = 0;
            }
        } else if ((theirs < ours) != reverse) {
            next += same + 1;
            same = 0;
            *period = next - best;
        } else {
            best = next;
            next++;
            same = 0;
            *period = 1;
        }
    }
    return best;
}

/* The search of Crochemore and Perrin ("Two-way string-matching", 1991): linear time, no
 * memory. The needle is cut where its local period is that of the whole; its right part is
 * compared first, forwards, then its left part, backwards. */
static size_t find_two_way(bl_str s, size_t from, bl_str needle)
{
    const unsigned char *text = (const unsigned char *)s.ptr;
    const unsigned char *want = (const unsigned char *)needle.ptr;
    size_t len = needle.len;
    size_t period;
    size_t other_period;
    size_t cut = largest_suffix(want, len, false, &period);
    size_t other_cut = largest_suffix(want, len, true, &other_period);
    if (other_cut > cut) {
        cut = other_cut;
        period = other_period;
    }
    bool periodic = memcmp(want, want + period, cut) == 0;
    if (!periodic) {
        period = (cut > len - cut ? cut : len - cut) + 1;
    }
    size_t known = 0; /* bytes at the beginning that the last shift already proved */
    for (size_t at = from; at <= s.len - len;) {
        size_t i = cut > known ? cut : known;
        while (i < len && want[i] == text[at + i]) {
            i++;
        }
        if (i < len) {
            at += i - cut + 1;
            known = 0;
            continue;
        }
        i = cut;
        while (i > known && want[i - 1] == text[at + i - 1]) {
            i--;
        }
        if (i <= known) {
            return at;
        }
        at += period;
        known = periodic ? len - period : 0;
    }
    return SIZE_MAX;
}

/* How many false steps a byte of text may cost before a text counts as made to be slow. A test
 * builds this file with 0, so that the other search is held against a plain one too. */
#ifndef BL_STR_FIND_PATIENCE
#define BL_STR_FIND_PATIENCE ((size_t)4)
#endif

size_t bl_str_find(bl_str s, bl_str needle)
{
    if (needle.len == 0) {
        return 0;
    }
    if (needle.len > s.len) {
        return SIZE_MAX;
    }
    /* From candidate to candidate of the first byte: the fastest way through ordinary text. Its
     * work is counted, and a text that was made to be slow is finished the other way. */
    size_t last = s.len - needle.len;
    size_t work = 0;
    for (size_t at = 0; at <= last; at++) {
        const char *hit = memchr(s.ptr + at, needle.ptr[0], last - at + 1);
        if (hit == NULL) {
            return SIZE_MAX;
        }
        at = (size_t)(hit - s.ptr);
        size_t same = 1;
        while (same < needle.len && hit[same] == needle.ptr[same]) {
            same++;
        }
        if (same == needle.len) {
            return at;
        }
        work += same;
        if (work > BL_STR_FIND_PATIENCE * (64 + at)) {
            return find_two_way(s, at + 1, needle);
        }
    }
    return SIZE_MAX;
}

bl_str bl_str_behind_line(bl_str s)
{
    size_t end = bl_str_find_char(s, '\n');

    if (end == SIZE_MAX)
        return (bl_str){NULL, 0};
    return bl_str_slice(s, end > 0 && s.ptr[end - 1] == '\r' ? end - 1 : end, s.len);
}

bl_str bl_str_trim(bl_str s)
{
    while (s.len > 0 && bl_is_ascii_space(s.ptr[s.len - 1])) {
        s.len--;
    }
    size_t from = 0;
    while (from < s.len && bl_is_ascii_space(s.ptr[from])) {
        from++;
    }
    return bl_str_slice(s, from, s.len);
}

#define FNV_OFFSET UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME  UINT64_C(0x100000001b3)

uint64_t bl_str_hash(bl_str s, uint64_t seed)
{
    uint64_t hash = FNV_OFFSET ^ seed;
    for (size_t i = 0; i < s.len; i++) {
        hash = (hash ^ (unsigned char)s.ptr[i]) * FNV_PRIME;
    }
    return hash;
}

uint64_t bl_str_hash_nocase(bl_str s, uint64_t seed)
{
    uint64_t hash = FNV_OFFSET ^ seed;
    for (size_t i = 0; i < s.len; i++) {
        hash = (hash ^ (unsigned char)bl_ascii_lower(s.ptr[i])) * FNV_PRIME;
    }
    return hash;
}

bool bl_is_ascii_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

bool bl_is_ascii_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool bl_is_ascii_alpha(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

char bl_ascii_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

#define DISTANCE_BYTES 64

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

unsigned bl_str_distance(bl_str a, bl_str b, unsigned limit)
{
    a = bl_str_slice(a, 0, DISTANCE_BYTES);
    b = bl_str_slice(b, 0, DISTANCE_BYTES);
    /* The last three rows of the table of distances between prefixes. */
    unsigned rows[3][DISTANCE_BYTES + 1];
    unsigned *before = rows[0];
    unsigned *above = rows[1];
    unsigned *row = rows[2];
    for (unsigned j = 0; j <= b.len; j++) {
        before[j] = 0;
        row[j] = j;
    }
    for (unsigned i = 1; i <= a.len; i++) {
        unsigned *oldest = before;
        before = above;
        above = row;
        row = oldest;
        row[0] = i;
        unsigned best = i;
        for (unsigned j = 1; j <= b.len; j++) {
            unsigned change = a.ptr[i - 1] != b.ptr[j - 1];
            row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + change);
            if (i > 1 && j > 1 && a.ptr[i - 1] == b.ptr[j - 2] &&
                a.ptr[i - 2] == b.ptr[j - 1]) {
                row[j] = least(row[j], before[j - 2] + 1);
            }
            best = least(best, row[j]);
        }
        /* No later row has a smaller least: a step costs one, and so does a swap, which starts
         * from a row whose least is at most one below. */
        if (best > limit) {
            return limit + 1;
        }
    }
    return row[b.len] <= limit ? row[b.len] : limit + 1;
}

bool bl_path_is_plain(bl_str path)
{
    bool begins = true;

    for (size_t i = 0; i < path.len; i++) {
        char c = path.ptr[i];

        if (c == '/' ? begins : (begins && (c == '.' || c == '-')))
            return false;
        if (c != '/' && !bl_is_ascii_alpha(c) && !bl_is_ascii_digit(c) &&
            bl_str_find_char(BL_STR("._-"), c) == SIZE_MAX)
            return false;
        begins = c == '/';
    }
    return !begins;
}

/* ---- likeness -------------------------------------------------------------------------- */

struct bl_likeness bl_likeness_begin(bl_str name)
{
    /* One slip in a short word, two in a longer one; of one or two letters any is another word.
     */
    return (struct bl_likeness){.name = name,
                                .limit = name.len < 3    ? 0
                                         : name.len < 5  ? 1
                                         : name.len < 12 ? 2
                                                         : 3};
}

void bl_likeness_consider(struct bl_likeness *l, bl_str candidate)
{
    unsigned distance = bl_str_distance(l->name, candidate, l->limit);

    if (l->count < BL_LIKENESS_SHOWN)
        l->first[l->count] = candidate;
    l->count++;
    if (distance > l->limit || (l->best.len > 0 && distance >= l->distance))
        return;
    l->best = candidate;
    l->distance = distance;
}

bl_str bl_likeness_list(const struct bl_likeness *likeness, char *out, size_t capacity)
{
    size_t len = 0;

    for (size_t i = 0; likeness->count <= BL_LIKENESS_SHOWN && i < likeness->count; i++) {
        bl_str name = likeness->first[i];
        bool again = false;

        for (size_t k = 0; k < i; k++)
            again = again || bl_str_equal(likeness->first[k], name);
        if (again || name.len == 0)
            continue;
        if (len + name.len + 4 > capacity)
            return (bl_str){NULL, 0};
        if (len > 0) {
            out[len++] = ',';
            out[len++] = ' ';
        }
        out[len++] = '\'';
        memcpy(out + len, name.ptr, name.len);
        len += name.len;
        out[len++] = '\'';
    }
    return (bl_str){out, len};
}
