/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_BASE_STR_H
#define BL_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A view of bytes: never owned, not terminated, passed by value. Past the loaders it is valid
 * UTF-8 without NUL. An empty slice may have a NULL pointer. */
typedef struct bl_str {
    const char *ptr;
    size_t len;
} bl_str;

/* Slice of a string literal. */
#define BL_STR(literal) ((bl_str){"" literal, sizeof(literal) - 1})
/* For printf("%.*s", BL_STR_ARG(s)). */
#define BL_STR_ARG(s) (int)(s).len, (s).ptr != NULL ? (s).ptr : ""

/* Slice of a terminated string; NULL gives the empty slice. */
bl_str bl_str_from(const char *terminated);
/* Bytes [from, to) of s, both clamped to its length. */
bl_str bl_str_slice(bl_str s, size_t from, size_t to);

bool bl_str_equal(bl_str a, bl_str b);
/* Equal when ASCII letters differ in case alone: how GitHub compares logins and labels. */
bool bl_str_equal_nocase(bl_str a, bl_str b);
/* Order of bytes; a prefix is less. Result is negative, 0 or positive. */
int bl_str_compare(bl_str a, bl_str b);
bool bl_str_starts_with(bl_str s, bl_str prefix);
bool bl_str_ends_with(bl_str s, bl_str suffix);
/* Index of the first occurrence, or SIZE_MAX. Linear in s.len + needle.len (memmem). */
size_t bl_str_find(bl_str s, bl_str needle);
size_t bl_str_find_char(bl_str s, char c);
/* What stands behind the first line, with the line end (LF or CRLF) in front of it; empty when
 * there is one line alone. */
bl_str bl_str_behind_line(bl_str s);
/* Without ASCII white space (blank, tab, CR, LF, VT, FF) at both ends. */
bl_str bl_str_trim(bl_str s);
/* A path of letters, digits, `._-` and single slashes, that stays in its folder and hides
 * nothing: no part begins with a point or a dash. */
bool bl_path_is_plain(bl_str path);
/* FNV-1a over the bytes; `seed` is 0 unless the caller needs another function. */
uint64_t bl_str_hash(bl_str s, uint64_t seed);
/* The same over ASCII lower-case bytes, to go with bl_str_equal_nocase. */
uint64_t bl_str_hash_nocase(bl_str s, uint64_t seed);

bool bl_is_ascii_space(char c);
bool bl_is_ascii_digit(char c);
bool bl_is_ascii_alpha(char c);
char bl_ascii_lower(char c);

/* Damerau-Levenshtein distance (adjacent swaps count one) when it is at most `limit`, else
 * limit + 1. Looks at the first 64 bytes of each. */
unsigned bl_str_distance(bl_str a, bl_str b, unsigned limit);

#define BL_LIKENESS_SHOWN 12u
/* The name that is most like another one: consider all there are, then `best` is the nearest,
 * or empty when none is near enough for a slip. */
struct bl_likeness {
    bl_str name, best;
    unsigned limit, distance;
    bl_str first[BL_LIKENESS_SHOWN]; /* for lists */
    size_t count;                    /* of all that were considered */
};
struct bl_likeness bl_likeness_begin(bl_str name);
void bl_likeness_consider(struct bl_likeness *likeness, bl_str candidate);
/* "'a', 'b'" of all that were considered, when they are few; "" when there are none or many, or
 * when that takes more than `capacity` bytes. */
bl_str bl_likeness_list(const struct bl_likeness *likeness, char *out, size_t capacity);

#endif
