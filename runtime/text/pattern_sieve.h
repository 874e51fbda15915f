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
    uint32_t fold;   /* bits of pairs that are not looked at */
};
#define BL_SIEVE_BITS_MAX 12u
/* ASCII letters of both cases have one entry where many patterns do not tell them apart. */
#define BL_SIEVE_FOLD       0x2020u
#define BL_SIEVE_GROUPS     8u
#define BL_SIEVE_DISTANCES  8u /* from the beginning of a match to pairs that are looked at */
#define BL_SIEVE_PAIR_WORDS ((1u << BL_SIEVE_BITS_MAX) / 64)
#define BL_SIEVE_PAIRS_MAX  4u
#define BL_SIEVE_STRIDE_MAX 4u

/* One that was made and not yet written. */
struct bl_sieve_table {
    struct bl_sieve_form form; /* stride 0: there is no sieve */
    uint64_t *entries;
};

/* The entry of two neighbouring bytes, in the low half of `pair` in their order. */
static inline uint32_t bl_sieve_entry(uint32_t pair, struct bl_sieve_form form)
{
    return ((pair | form.fold) * UINT32_C(0x9E3779B1)) >> (32 - form.bits);
}

/* The same of a sieve that looks closely: bytes beyond ASCII are all alike there, since a class
 * that leaves out a few letters has all of them, whose pairs would fill the table. */
static inline uint32_t bl_sieve_close_entry(uint32_t pair, struct bl_sieve_form form)
{
    uint32_t beyond = pair & 0x8080u;
    uint32_t low = beyond - (beyond >> 7);
    return ((pair & ~(beyond | low)) * UINT32_C(0x9E3779B1)) >> (32 - form.bits);
}

/* How often a byte stands in sources and prose, of BL_TEXT_WEIGHTS; one of characters beyond
 * ASCII is no rarity anywhere. */
#define BL_TEXT_WEIGHTS 4096u
static inline uint32_t bl_text_weight(uint8_t byte)
{
    if (byte >= 'a' && byte <= 'z') {
        return 88;
    }
    if (byte >= 'A' && byte <= 'Z') {
        return 12;
    }
    if (byte >= '0' && byte <= '9') {
        return 18;
    }
    switch (byte) {
    case ' ':
        return 640;
    case '\n':
        return 110;
    case '_':
    case '-':
    case '.':
    case '/':
        return 60;
    default:
        return byte > ' ' && byte < 0x7F ? 16 : 1;
    }
}

/* What of the looks so far shifts on with the next one: all but what a phase begins with. */
static inline uint64_t bl_sieve_kept(struct bl_sieve_form form)
{
    uint64_t kept = UINT64_MAX;
    for (unsigned phase = 0; phase < form.stride; phase++) {
        kept &= ~(UINT64_C(0xFF) << 8 * phase * form.pairs);
    }
    return kept;
}

/* The bytes of each phase's last look. */
static inline uint64_t bl_sieve_last(struct bl_sieve_form form)
{
    uint64_t last = 0;
    for (unsigned phase = 0; phase < form.stride; phase++) {
        last |= UINT64_C(0xFF) << 8 * (phase * form.pairs + form.pairs - 1);
    }
    return last;
}

#endif
