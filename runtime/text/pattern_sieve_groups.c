/* SPDX-License-Identifier: Apache-2.0 */
#include "text/pattern_search.h"

#include <stdlib.h>
#include <string.h>

/* Which patterns of a sieve share a group. Whatever a group lets pass is tried with all of its
 * patterns, and it lets pass what has at each look a pair of any of them: a pattern that takes
 * all pairs somewhere blinds the others there. So the broadest come first, each to the group in
 * which it adds least to what is tried in a text. */

#define DISTANCES BL_SIEVE_DISTANCES
#define WORDS     BL_SIEVE_PAIR_WORDS
#define ENTRIES   ((size_t)WORDS * 64)
#define TRYING    4u /* what passing costs, in patterns that are tried */
/* Half as many entries do as long as they cost a fourth more at most, or next to nothing: what
 * is tried once in so many bytes. */
#define NOTHING    64u
#define LEAST_BITS 6u
#define ONE        (UINT64_C(1) << 16)

struct group {
    uint64_t own[DISTANCES][WORDS];
    uint64_t weight[DISTANCES]; /* of ONE pairs of a text, how many it takes */
    uint64_t members;
};

struct grouping {
    struct bl_sieve_form form;
    uint32_t *weights; /* of each entry, of ONE */
    struct group *groups;
};

struct broad {
    uint64_t cost;
    size_t pattern;
};

static int compare(const void *a, const void *b)
{
    const struct broad *x = a;
    const struct broad *y = b;
    if (x->cost != y->cost) {
        return x->cost > y->cost ? -1 : 1;
    }
    return (x->pattern > y->pattern) - (x->pattern < y->pattern);
}

static void weigh_entries(struct grouping *g)
{
    for (uint32_t p = 0; p < 256; p++) {
        for (uint32_t q = 0; q < 256; q++) {
            g->weights[bl_sieve_close_entry(p | q << 8, g->form)] +=
                bl_text_weight((uint8_t)p) * bl_text_weight((uint8_t)q);
        }
    }
    /* BL_TEXT_WEIGHTS squared is ONE times 256. */
    for (size_t i = 0; i < ENTRIES; i++) {
        g->weights[i] = g->weights[i] / 256 + 1;
    }
}

/* The weight of what the first has and the second has not. */
static uint64_t weight_beyond(const struct grouping *g, const uint64_t *pairs,
                              const uint64_t *but)
{
    uint64_t sum = 0;
    for (size_t word = 0; word < WORDS; word++) {
        for (uint64_t bits = pairs[word] & ~but[word]; bits != 0; bits &= bits - 1) {
            sum += g->weights[word * 64 + (size_t)__builtin_ctzll(bits)];
        }
    }
    return sum;
}

/* What a group of such weights costs in ONE squared places of a text. */
static uint64_t cost_of(const struct grouping *g, const uint64_t weight[DISTANCES],
                        uint64_t members)
{
    uint64_t sum = 0;
    for (unsigned phase = 0; phase < g->form.stride; phase++) {
        uint64_t pass = ONE * ONE;
        for (unsigned pair = 0; pair < g->form.pairs; pair++) {
            uint64_t here = weight[phase + g->form.stride * pair];
            pass = pass / ONE * (here < ONE ? here : ONE);
        }
        sum += pass;
    }
    return members == 0 ? 0 : sum / 64 * (members + TRYING);
}

/* Adds the pattern to the group in which that costs least. */
static unsigned add_to_best(const struct grouping *g, const uint64_t *pairs)
{
    uint64_t weights[BL_SIEVE_GROUPS][DISTANCES];
    uint64_t least = UINT64_MAX;
    unsigned best = 0;
    for (unsigned i = 0; i < BL_SIEVE_GROUPS; i++) {
        const struct group *group = &g->groups[i];
        for (unsigned d = 0; d < DISTANCES; d++) {
            weights[i][d] =
                group->weight[d] + weight_beyond(g, pairs + (size_t)d * WORDS, group->own[d]);
        }
        uint64_t more = cost_of(g, weights[i], group->members + 1) -
                        cost_of(g, group->weight, group->members);
        if (more < least) {
            least = more;
            best = i;
        }
    }
    struct group *group = &g->groups[best];
    group->members++;
    for (unsigned d = 0; d < DISTANCES; d++) {
        group->weight[d] = weights[best][d];
        for (size_t word = 0; word < WORDS; word++) {
            group->own[d][word] |= pairs[(size_t)d * WORDS + word];
        }
    }
    return best;
}

/* Two entries become one. */
static void halve(struct grouping *g)
{
    size_t entries = (size_t)1 << --g->form.bits;
    for (size_t i = 0; i < entries; i++) {
        g->weights[i] = g->weights[2 * i] + g->weights[2 * i + 1];
    }
    for (unsigned i = 0; i < BL_SIEVE_GROUPS * DISTANCES; i++) {
        uint64_t *own = g->groups[i / DISTANCES].own[i % DISTANCES];
        uint64_t *weight = &g->groups[i / DISTANCES].weight[i % DISTANCES];
        *weight = 0;
        for (size_t k = 0; k < entries; k++) {
            uint64_t bit = (own[k / 32] >> k % 32 * 2 & 3) != 0;
            own[k / 64] = (own[k / 64] & ~(UINT64_C(1) << k % 64)) | bit << k % 64;
            *weight += bit != 0 ? g->weights[k] : 0;
        }
    }
}

static uint64_t cost_of_all(const struct grouping *g)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < BL_SIEVE_GROUPS; i++) {
        sum += cost_of(g, g->groups[i].weight, g->groups[i].members);
    }
    return sum;
}

static unsigned fewest_bits(struct grouping *g)
{
    uint64_t enough = cost_of_all(g);
    uint64_t nothing = ONE * ONE / 64 * TRYING / NOTHING;
    unsigned bits = g->form.bits;
    enough = enough + enough / 4 < nothing ? nothing : enough + enough / 4;
    while (bits > LEAST_BITS) {
        halve(g);
        if (cost_of_all(g) > enough) {
            break;
        }
        bits = g->form.bits;
    }
    return bits;
}

bool bl_sieve_group(struct bl_arena *arena, const uint64_t *pairs, size_t count,
                    uint8_t *groups, struct bl_sieve_form *form)
{
    static const uint64_t none[WORDS];
    size_t size = (size_t)DISTANCES * WORDS;
    struct grouping g = {*form, BL_NEW_ARRAY(arena, ENTRIES, uint32_t),
                         BL_NEW_ARRAY(arena, BL_SIEVE_GROUPS, struct group)};
    struct broad *order = BL_NEW_ARRAY(arena, count, struct broad);
    if (arena->failed) {
        return false;
    }
    weigh_entries(&g);
    for (size_t i = 0; i < count; i++) {
        uint64_t weight[DISTANCES];
        for (size_t d = 0; d < DISTANCES; d++) {
            weight[d] = weight_beyond(&g, pairs + i * size + d * WORDS, none);
        }
        order[i] = (struct broad){cost_of(&g, weight, 1), i};
    }
    qsort(order, count, sizeof(*order), compare);
    for (size_t i = 0; i < count; i++) {
        groups[order[i].pattern] = (uint8_t)add_to_best(&g, pairs + order[i].pattern * size);
    }
    form->bits = fewest_bits(&g);
    return true;
}
