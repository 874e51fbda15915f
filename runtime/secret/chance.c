/* SPDX-License-Identifier: Apache-2.0 */
#include "secret/secret.h"
#include "text/island.h"

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

struct scan {
    uint8_t kinds[256];
    bool in_run[256];
    bl_str text;
    uint32_t least, bits;
    struct measure w;
};

static unsigned char byte_at(const struct scan *s, size_t at)
{
    return (unsigned char)s->text.ptr[at];
}

/* What is left of the characters so far: the two symbols, the classes of three, three bytes. */
struct context {
    uint32_t symbols;
    unsigned classes;
    uint32_t bytes;
};

static void go_on(struct context *c, uint8_t kind)
{
    c->symbols = (c->symbols * SYMBOLS + (kind & 31u)) % (SYMBOLS * SYMBOLS);
    c->classes = (c->classes * 4 + (kind >> 5 & 3u)) % 64;
}

/* What stands in front of a run. */
static struct context context_of(const struct scan *s, size_t run)
{
    struct context c = {31u * SYMBOLS + 31u, OTHER * 16 + OTHER * 4 + OTHER, 0};

    for (size_t at = run > 3 ? run - 3 : 0; at < run; at++) {
        c.bytes = (c.bytes << 8 | byte_at(s, at)) & 0xFFFFFFu;
        go_on(&c, s->kinds[byte_at(s, at)]);
    }
    return c;
}

/* The segments of one run. */
static bool measure_run(struct scan *s, struct bl_match run,
                        bool (*each)(void *context, struct bl_chance_segment segment),
                        void *context)
{
    struct context c = context_of(s, run.lo);
    struct measure *w = &s->w;
    bool more = true;

    for (size_t at = run.lo; at < run.hi && more; at++) {
        uint8_t kind = s->kinds[byte_at(s, at)];

        c.bytes = (c.bytes << 8 | byte_at(s, at)) & 0xFFFFFFu;
        if (w->sum == 0)
            w->start = at;
        w->sum += worth(w, c.symbols, c.classes, kind, c.bytes, at);
        if (w->sum > w->best) {
            w->best = w->sum;
            w->best_end = at + 1;
        }
        if (w->sum <= 0 || at + 1 == run.hi) {
            if (w->best >= (int64_t)s->bits * EIGHTHS && w->best_end - w->start >= s->least)
                more = each(context, (struct bl_chance_segment){w->start, w->best_end,
                                                                (uint32_t)(w->best / EIGHTHS)});
            w->sum = w->best = 0;
        }
        go_on(&c, kind);
    }
    return more;
}

bool bl_chance_each(struct bl_arena *arena, bl_str text, uint32_t least, uint32_t bits,
                    bool (*each)(void *context, struct bl_chance_segment segment),
                    void *context)
{
    struct scan s = {.text = text,
                     .least = least,
                     .bits = bits,
                     .w = {.seen = BL_NEW_ARRAY(arena, 1u << SEEN_BITS, uint32_t)}};
    uint64_t steps = 0;
    bool more = true;

    if (s.w.seen == NULL)
        return false;
    for (unsigned c = 0; c < 256; c++) {
        s.kinds[c] = kind_of((unsigned char)c);
        s.in_run[c] = (s.kinds[c] & RUN) != 0;
    }
    for (struct bl_match run = {0, 0}; more && run.lo < text.len;) {
        run = bl_island_next(s.in_run, least > 0 ? least : 1, text, run.hi, &steps);
        if (run.lo < run.hi)
            more = measure_run(&s, run, each, context);
    }
    return true;
}
