/* SPDX-License-Identifier: Apache-2.0 */
#include "secret/secret.h"

/* How unlike words and code a run of characters is. A character of the run is worth what a
 * table of code, paths and prose needs to write it after the two before it, less the six bits
 * that chance needs: words are worth less than nothing, keys more than a bit each. The best
 * segment is where the sum is largest (Kadane). What the segment already held is nothing new,
 * and neither is a step to the same or the next character: alphabets, ramps and repetitions are
 * no keys. */

#define SYMBOLS   32u /* letters without case, a digit, _ - / and [+=], everything else */
#define EIGHTHS   8
#define SEEN_BITS 15

/* In eighths of a bit. Made by tools/gen/chance from the texts that it names. */
static const uint8_t costs[SYMBOLS * SYMBOLS * SYMBOLS] = {
#define BL_CHANCE(...) __VA_ARGS__,
#define BL_CHANCE_CASE(...)
#include "secret/chance.def"
#undef BL_CHANCE
#undef BL_CHANCE_CASE
};
/* Of a letter in lower case, in upper case, by the classes of the three characters before. */
static const uint8_t case_costs[4 * 4 * 4 * 2] = {
#define BL_CHANCE(...)
#define BL_CHANCE_CASE(...) __VA_ARGS__,
#include "secret/chance.def"
#undef BL_CHANCE
#undef BL_CHANCE_CASE
};

enum { LOWER, UPPER, DIGIT, OTHER };
#define RUN 0x80u /* may stand in a run */

/* Symbol, class << 5, and whether it may stand in a run. */
static uint8_t kind_of(unsigned char c)
{
    if (c >= 'a' && c <= 'z')
        return (uint8_t)(RUN | LOWER << 5 | (unsigned)(c - 'a'));
    if (c >= 'A' && c <= 'Z')
        return (uint8_t)(RUN | UPPER << 5 | (unsigned)(c - 'A'));
    if (c >= '0' && c <= '9')
        return (uint8_t)(RUN | DIGIT << 5 | 26u);
    if (c == '_' || c == '-' || c == '/')
        return (uint8_t)(RUN | OTHER << 5 | (c == '_' ? 27u : c == '-' ? 28u : 29u));
    if (c == '+' || c == '=')
        return (uint8_t)(RUN | OTHER << 5 | 30u);
    return OTHER << 5 | 31u;
}

struct measure {
    uint32_t *seen; /* of three characters: 1 + where they were last met in a run */
    size_t start, best_end;
    int64_t sum, best;
};

/* Eighths of a bit that the character is worth. `classes`: of the three before, `context`: the
 * two symbols before; `bytes`: the last three, this one lowest. */
static int worth(struct measure *w, uint32_t context, unsigned classes, uint8_t kind,
                 uint32_t bytes, size_t at)
{
    uint32_t trigram = context * SYMBOLS + (kind & 31u);
    unsigned class = kind >> 5 & 3u;
    /* Digits are one symbol, and here they differ. Two that share a place cost a key some bits.
     */
    uint32_t *place = &w->seen[(bytes | 0x202020u) * UINT32_C(0x9E3779B1) >> (32 - SEEN_BITS)];
    bool again = *place > w->start; /* met since the segment began */
    unsigned byte = bytes & 0xFFu, before = bytes >> 8 & 0xFFu;

    *place = (uint32_t)at + 1;
    if (again || byte == before || byte == before + 1)
        return -6 * EIGHTHS;
    int cost = costs[trigram];
    if (class <= UPPER)
        cost += case_costs[classes * 2 + class];
    return cost - 6 * EIGHTHS;
}

bool bl_chance_each(struct bl_arena *arena, bl_str text, uint32_t least, uint32_t bits,
                    bool (*each)(void *context, struct bl_chance_segment segment),
                    void *context)
{
    uint8_t kinds[256];
    struct measure w = {.seen = BL_NEW_ARRAY(arena, 1u << SEEN_BITS, uint32_t)};
    uint32_t before = 31u * SYMBOLS + 31u;
    unsigned classes = OTHER * 16 + OTHER * 4 + OTHER;
    uint32_t bytes = 0; /* the last three */
    bool more = true;

    if (w.seen == NULL)
        return false;
    for (unsigned c = 0; c < 256; c++)
        kinds[c] = kind_of((unsigned char)c);
    for (size_t at = 0; at <= text.len && more; at++) {
        unsigned char byte = at < text.len ? (unsigned char)text.ptr[at] : '\n';
        uint8_t kind = kinds[byte];
        bool in_run = (kind & RUN) != 0;

        bytes = (bytes << 8 | byte) & 0xFFFFFFu;
        if (in_run) {
            if (w.sum == 0)
                w.start = at;
            w.sum += worth(&w, before, classes, kind, bytes, at);
            if (w.sum > w.best) {
                w.best = w.sum;
                w.best_end = at + 1;
            }
        }
        if (!in_run || w.sum <= 0) {
            if (w.best >= (int64_t)bits * EIGHTHS && w.best_end - w.start >= least)
                more = each(context, (struct bl_chance_segment){w.start, w.best_end,
                                                                (uint32_t)(w.best / EIGHTHS)});
            w.sum = w.best = 0;
        }
        before = (before * SYMBOLS + (kind & 31u)) % (SYMBOLS * SYMBOLS);
        classes = (classes * 4 + (kind >> 5 & 3u)) % 64;
    }
    return true;
}
