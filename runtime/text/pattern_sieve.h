/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TEXT_PATTERN_SIEVE_H
#define BL_TEXT_PATTERN_SIEVE_H

#include <stdint.h>

/* The sieve of a search automaton says where in a text some pattern may begin. It looks at the
 * pair of neighbouring bytes at every `stride`-th place, and remembers the last `pairs` looks.
 * A match has at least stride * pairs + 1 bytes, so that wherever it begins, so many looks fall
 * into it: the first of them `phase` bytes behind its beginning, phase being below the stride.
 *
 * An entry belongs to some pairs of bytes (which, bl_sieve_entry says). Its byte
 * phase * pairs + i has a bit for each of eight groups of patterns: no pattern of the group can
 * have such a pair phase + stride * i bytes behind its beginning. */
struct bl_sieve_form {
    unsigned stride; /* 1, 2 or 4 */
    unsigned pairs;  /* stride * pairs is at most 8 */
    unsigned bits;   /* 2^bits entries */
};
#define BL_SIEVE_BITS_MAX 10u

/* The entry of two neighbouring bytes, in the low half of `pair` in their order. ASCII letters
 * of both cases have one entry, since many patterns do not tell them apart. */
static inline uint32_t bl_sieve_entry(uint32_t pair, unsigned bits)
{
    return ((pair | 0x2020u) * UINT32_C(0x9E3779B1)) >> (32 - bits);
}

#endif
