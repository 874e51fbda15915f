/* SPDX-License-Identifier: Apache-2.0 */
#include "text/pattern_sieve.h"

#include "text/pattern_search.h"

#include <stdlib.h>
#include <string.h>

/* The sieve of a search automaton: where in a text may some pattern begin? Looking at two
 * neighbouring bytes at a time it lets few places pass, in a loop in which no look waits for
 * the one before; the automaton reads on from what passes.
 *
 * Made from the graphs: which bytes can stand 0, 1, 2 … bytes behind the beginning of a match.
 * A place in a match is a node and a byte of its character: byte j of a character of l bytes.
 */

#define SLOTS       10u /* kinds of places of a node */
#define ENTRIES     ((size_t)1 << BL_SIEVE_BITS_MAX)
#define SEARCH_BITS 10u /* of the sieve of a search automaton */
#define LEAST_BITS  6u
#define DISTANCES   BL_SIEVE_DISTANCES
#define GROUPS      BL_SIEVE_GROUPS
/* Pairs of bytes that one pattern adds for one distance; with more, everything passes. */
#define WORK_MAX       4096u
#define CLOSE_WORK_MAX 262144u
/* A set of more ranges is not looked at closely. */
#define RANGES_MAX 32u
/* Of so many looks, one may find something; else the sieve gets more entries, or looks more
 * often. Where even the finest one finds more than is tolerable there is none. */
#define FEW       100u
#define TOLERABLE 16u

struct place {
    uint32_t node;
    uint8_t length; /* of the character in bytes, from 1 */
    uint8_t byte;
};

struct bytes {
    uint8_t lo, hi;
};

struct places {
    struct place *items;
    size_t count;
};

struct sieve {
    struct bl_arena *arena;
    const struct bl_char_table *chars;
    const struct bl_pattern_graph *graph;
    struct bl_sieve_form whole; /* of all entries */
    size_t work_max;
    struct bl_sieve_head *head; /* of the pattern in hand; or NULL */
    uint64_t *entries; /* byte d: groups that can have the pair d bytes behind a beginning */
    size_t window;     /* bytes of the shortest match, as far as it matters */
    struct places now, then; /* at a distance, and one byte further */
    struct places behind;    /* of those: what comes behind the place in hand */
    uint32_t base;           /* the first node of the pattern in hand */
    uint32_t *seen;          /* of each slot of its nodes: the round that met it */
    uint32_t round;
};

/* ---- bytes of characters ---------------------------------------------------------------- */

static const uint32_t least_of_length[] = {0, 0, 0x80, 0x800, 0x10000, BL_CODE_POINT_MAX + 1};

static uint8_t byte_of(uint32_t code, unsigned length, unsigned byte)
{
    static const uint8_t lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    uint32_t bits = code >> 6 * (length - 1 - byte);
    return (uint8_t)(byte > 0 ? 0x80 | (bits & 0x3F) : length > 1 ? lead[length] | bits : bits);
}

/* What stands at a byte of the range's characters of that length; false when it has none. */
static bool bytes_of_range(struct bl_char_range range, unsigned length, unsigned byte,
                           struct bytes *out)
{
    uint32_t least = least_of_length[length];
    uint32_t most = least_of_length[length + 1] - 1;
    uint32_t lo = range.lo > least ? range.lo : least;
    uint32_t hi = range.hi < most ? range.hi : most;
    if (lo > hi) {
        return false;
    }
    /* Behind a byte that varies, everything comes. */
    if (byte > 0 && lo >> 6 * (length - byte) != hi >> 6 * (length - byte)) {
        *out = (struct bytes){0x80, 0xBF};
    } else {
        *out = (struct bytes){byte_of(lo, length, byte), byte_of(hi, length, byte)};
    }
    return true;
}

/* Runs of bytes that can stand at a place; at most RANGES_MAX. */
static size_t bytes_at(const struct sieve *s, struct place place, struct bytes *out)
{
    struct bl_chars set = bl_char_table_get(s->chars, s->graph->sets[place.node]);
    struct bl_char_range whole = {0, BL_CODE_POINT_MAX};
    size_t count = 0;
    if (set.count > RANGES_MAX) {
        set = (struct bl_chars){&whole, 1};
    }
    for (size_t i = 0; i < set.count; i++) {
        count += bytes_of_range(set.ranges[i], place.length, place.byte, &out[count]);
    }
    return count;
}

/* ---- places ----------------------------------------------------------------------------- */

/* The first bytes of a node's characters, to `out`. */
static void add_node(const struct sieve *s, uint32_t node, struct places *out)
{
    struct bytes bytes[RANGES_MAX];
    for (uint8_t length = 1; length <= 4; length++) {
        struct place place = {node, length, 0};
        if (bytes_at(s, place, bytes) > 0) {
            out->items[out->count++] = place;
        }
    }
}

/* What can come one byte behind a place, to `behind`. */
static void find_behind(struct sieve *s, struct place place)
{
    const struct bl_pattern_graph *graph = s->graph;
    s->behind.count = 0;
    if (place.byte + 1 < place.length) {
        s->behind.items[s->behind.count++] =
            (struct place){place.node, place.length, (uint8_t)(place.byte + 1)};
        return;
    }
    for (size_t i = graph->follow_at[place.node]; i < graph->follow_at[place.node + 1]; i++) {
        add_node(s, graph->follow[i], &s->behind);
    }
}

/* Adds the places that `then` has not yet. */
static void add_places(struct sieve *s, const struct places *places)
{
    for (size_t i = 0; i < places->count; i++) {
        struct place place = places->items[i];
        size_t slot = (place.node - s->base) * SLOTS + place.length * (place.length - 1u) / 2 +
                      place.byte;
        if (s->seen[slot] != s->round) {
            s->seen[slot] = s->round;
            s->then.items[s->then.count++] = place;
        }
    }
}

static void go_on(struct sieve *s)
{
    struct places places = s->now;
    s->now = s->then;
    s->then = places;
    s->then.count = 0;
    s->round++;
}

/* ---- pairs ------------------------------------------------------------------------------ */

static void add_all_pairs(struct sieve *s, uint64_t bit)
{
    for (size_t i = 0; i < ENTRIES; i++) {
        s->entries[i] |= bit;
    }
}

/* The place in hand with each behind it; false when the pairs are too many. */
static bool add_pairs(struct sieve *s, struct place place, uint64_t bit, size_t *work)
{
    struct bytes a[RANGES_MAX];
    struct bytes b[RANGES_MAX];
    size_t a_count = bytes_at(s, place, a);
    for (size_t k = 0; k < s->behind.count; k++) {
        size_t b_count = bytes_at(s, s->behind.items[k], b);
        for (size_t i = 0; i < a_count * b_count; i++) {
            struct bytes x = a[i / b_count];
            struct bytes y = b[i % b_count];
            *work += (size_t)(x.hi - x.lo + 1) * (size_t)(y.hi - y.lo + 1);
            if (*work > s->work_max) {
                return false;
            }
            for (uint32_t p = x.lo; p <= x.hi; p++) {
                for (uint32_t q = y.lo; q <= y.hi; q++) {
                    uint32_t pair = p | q << 8;
                    uint32_t entry = s->head != NULL ? bl_sieve_close_entry(pair, s->whole)
                                                     : bl_sieve_entry(pair, s->whole);
                    s->entries[entry] |= bit;
                }
            }
        }
    }
    return true;
}

/* What can stand at the place is what the head has there. */
static void add_to_head(struct sieve *s, struct place place, unsigned distance)
{
    struct bytes bytes[RANGES_MAX];
    size_t count = bytes_at(s, place, bytes);
    for (size_t i = 0; i < count; i++) {
        for (unsigned byte = bytes[i].lo; byte <= bytes[i].hi; byte++) {
            s->head->bytes[distance][byte / 64] |= UINT64_C(1) << byte % 64;
        }
    }
}

/* From the places at a distance to those one byte further, with the pairs in between. */
static void add_distance(struct sieve *s, unsigned distance, unsigned group)
{
    uint64_t bit = UINT64_C(1) << (8 * distance + group);
    size_t work = 0;
    bool few = true;
    for (size_t i = 0; i < s->now.count; i++) {
        struct place place = s->now.items[i];
        if (place.byte + 1 == place.length && s->graph->accept[place.node] != 0 &&
            distance + 1 < s->window) {
            s->window = distance + 1;
        }
        if (s->head != NULL && distance < BL_SIEVE_HEAD) {
            add_to_head(s, place, distance);
        }
        find_behind(s, place);
        few = few && add_pairs(s, place, bit, &work);
        add_places(s, &s->behind);
    }
    if (!few) {
        add_all_pairs(s, bit);
    }
    go_on(s);
}

/* ---- groups ----------------------------------------------------------------------------- */

/* A pattern, by what its matches begin with: patterns that begin alike go to one group. */
struct ranked {
    uint64_t key;
    uint32_t owner;
    uint32_t group;
};

static int compare_keys(const void *a, const void *b)
{
    const struct ranked *x = a;
    const struct ranked *y = b;
    if (x->key != y->key) {
        return x->key < y->key ? -1 : 1;
    }
    return (x->owner > y->owner) - (x->owner < y->owner);
}

static int compare_owners(const void *a, const void *b)
{
    const struct ranked *x = a;
    const struct ranked *y = b;
    return (x->owner > y->owner) - (x->owner < y->owner);
}

static uint64_t least_char(const struct sieve *s, size_t node)
{
    struct bl_chars set = bl_char_table_get(s->chars, s->graph->sets[node]);
    return set.count > 0 ? set.ranges[0].lo | 0x20u : 0;
}

static uint64_t key_of(const struct sieve *s, size_t node)
{
    uint32_t at = s->graph->follow_at[node];
    bool goes_on = at < s->graph->follow_at[node + 1];
    return least_char(s, node) << 32 | (goes_on ? least_char(s, s->graph->follow[at]) : 0);
}

/* The group of each pattern, in `ranked` by owner. */
static void make_groups(struct sieve *s, const uint16_t *owner, struct ranked *ranked,
                        size_t count)
{
    for (size_t i = 0; i < count; i++) {
        ranked[i] = (struct ranked){UINT64_MAX, (uint32_t)i, 0};
    }
    for (unsigned kind = 0; kind < BL_CHAR_KINDS; kind++) {
        struct bl_pattern_list first = s->graph->first[kind];
        for (size_t i = 0; i < first.count; i++) {
            uint64_t key = key_of(s, first.items[i]);
            uint64_t *least = &ranked[owner[first.items[i]]].key;
            *least = key < *least ? key : *least;
        }
    }
    qsort(ranked, count, sizeof(*ranked), compare_keys);
    for (size_t i = 0; i < count; i++) {
        ranked[i].group = (uint32_t)(i * GROUPS / count);
    }
    qsort(ranked, count, sizeof(*ranked), compare_owners);
}

/* The nodes of one pattern with which a match can begin, to `now`. `at`: how far each list of
 * the graph was read; its nodes are in the order of patterns. */
static void begin_pattern(struct sieve *s, const uint16_t *owner, size_t pattern,
                          size_t at[BL_CHAR_KINDS])
{
    for (unsigned kind = 0; kind < BL_CHAR_KINDS; kind++) {
        struct bl_pattern_list first = s->graph->first[kind];
        for (; at[kind] < first.count && owner[first.items[at[kind]]] == pattern; at[kind]++) {
            s->behind.count = 0;
            add_node(s, first.items[at[kind]], &s->behind);
            add_places(s, &s->behind);
        }
    }
    go_on(s);
}

/* ---- the whole -------------------------------------------------------------------------- */

/* Of bytes at random, does at most one look in `few` find something? */
static bool finds_little(const uint64_t *entries, struct bl_sieve_form form, uint64_t few)
{
    uint64_t set[GROUPS * DISTANCES] = {0}; /* entries that have the bit */
    uint64_t all = UINT64_C(1) << form.bits * form.pairs;
    uint64_t sum = 0;
    for (size_t i = 0; i < (size_t)1 << form.bits; i++) {
        for (uint64_t rest = entries[i]; rest != 0; rest &= rest - 1) {
            set[__builtin_ctzll(rest)]++;
        }
    }
    for (unsigned group = 0; group < GROUPS; group++) {
        for (unsigned phase = 0; phase < form.stride; phase++) {
            uint64_t pass = 1;
            for (unsigned pair = 0; pair < form.pairs; pair++) {
                pass *= set[GROUPS * (phase + form.stride * pair) + group];
            }
            sum += pass;
        }
    }
    return sum <= all / few;
}

/* The same with half as many entries. The number of an entry is the first bits of a hash. */
static void halve(uint64_t *entries, unsigned bits)
{
    for (size_t i = 0; i < (size_t)1 << (bits - 1); i++) {
        entries[i] = entries[2 * i] | entries[2 * i + 1];
    }
}

/* The longest stride with which little is found, and as few entries as do. */
static bool choose(const struct sieve *s, uint64_t *entries, struct bl_sieve_form *form)
{
    for (unsigned stride = 4; stride > 0; stride /= 2) {
        unsigned pairs = (unsigned)(s->window - 1) / stride;
        /* 6 pairs of 10 bits are what 64 bits can count. */
        pairs = pairs < DISTANCES / stride ? pairs : DISTANCES / stride;
        pairs = pairs < 4 ? pairs : 4;
        *form = (struct bl_sieve_form){stride, pairs, SEARCH_BITS, BL_SIEVE_FOLD};
        memcpy(entries, s->entries, ENTRIES * sizeof(*entries));
        for (unsigned bits = BL_SIEVE_BITS_MAX; bits > SEARCH_BITS; bits--) {
            halve(entries, bits);
        }
        if (pairs == 0 || !finds_little(entries, *form, stride > 1 ? FEW : TOLERABLE)) {
            continue;
        }
        for (; form->bits > LEAST_BITS; form->bits--) {
            struct bl_sieve_form less = {stride, pairs, form->bits - 1, BL_SIEVE_FOLD};
            halve(entries, form->bits);
            if (!finds_little(entries, less, FEW)) {
                break;
            }
        }
        return true;
    }
    return false;
}

/* The table has what cannot be: a beginning is where nothing says so. */
static void write_entries(const struct sieve *s, struct bl_sieve_form form, uint64_t *out)
{
    size_t count = (size_t)1 << form.bits;
    for (size_t i = 0; i < count; i++) {
        uint64_t can = 0;
        uint64_t entry = 0;
        for (size_t k = i * (ENTRIES / count); k < (i + 1) * (ENTRIES / count); k++) {
            can |= s->entries[k];
        }
        for (unsigned phase = 0; phase < form.stride; phase++) {
            for (unsigned pair = 0; pair < form.pairs; pair++) {
                uint64_t groups = can >> 8 * (phase + form.stride * pair) & 0xFF;
                entry |= groups << 8 * (phase * form.pairs + pair);
            }
        }
        out[i] = ~entry;
    }
}

static bool prepare(struct sieve *s, const uint16_t *owner)
{
    size_t most = 0; /* nodes of one pattern */
    for (size_t node = 0, first = 0; node < s->graph->count; node++) {
        first = owner[node] != owner[first] ? node : first;
        most = node - first + 1 > most ? node - first + 1 : most;
    }
    s->entries = BL_NEW_ARRAY(s->arena, ENTRIES, uint64_t);
    s->seen = BL_NEW_ARRAY(s->arena, most * SLOTS, uint32_t);
    s->now.items = BL_NEW_ARRAY(s->arena, most * SLOTS, struct place);
    s->then.items = BL_NEW_ARRAY(s->arena, most * SLOTS, struct place);
    s->behind.items = BL_NEW_ARRAY(s->arena, most * SLOTS, struct place);
    s->window = DISTANCES + 1;
    s->round = 1;
    return !s->arena->failed;
}

/* Goes through the pairs of one pattern. */
static void add_pattern(struct sieve *s, const uint16_t *owner, size_t pattern, unsigned group,
                        size_t at[BL_CHAR_KINDS])
{
    begin_pattern(s, owner, pattern, at);
    for (unsigned distance = 0; distance < DISTANCES && s->window > 1; distance++) {
        add_distance(s, distance, group);
    }
    while (s->base < s->graph->count && owner[s->base] <= pattern) {
        s->base++;
    }
}

bool bl_sieve_make(struct bl_arena *arena, const struct bl_char_table *chars,
                   const struct bl_pattern_graph *graph, const uint16_t *owner, size_t count,
                   struct bl_sieve_table *table)
{
    struct sieve s = {.arena = arena, .chars = chars, .graph = graph, .work_max = WORK_MAX};
    struct ranked *ranked = BL_NEW_ARRAY(arena, count, struct ranked);
    size_t at[BL_CHAR_KINDS] = {0};
    s.whole = (struct bl_sieve_form){1, 1, BL_SIEVE_BITS_MAX, BL_SIEVE_FOLD};
    table->entries = BL_NEW_ARRAY(arena, ENTRIES, uint64_t);
    if (ranked == NULL || table->entries == NULL || !prepare(&s, owner)) {
        return false;
    }
    make_groups(&s, owner, ranked, count);
    for (size_t i = 0; i < count && s.window > 1; i++) {
        add_pattern(&s, owner, i, ranked[i].group, at);
    }
    if (s.window < 2 || !choose(&s, table->entries, &table->form)) {
        table->form.stride = 0;
        return true;
    }
    write_entries(&s, table->form, table->entries);
    return true;
}

/* ---- one that looks closely ------------------------------------------------------------- */

/* Every second place as long as that leaves two looks: a text that is no accident has most of
 * the pairs that characters of a run make, and the rare ones are those of a beginning. */
static struct bl_sieve_form close_form(const struct sieve *s)
{
    struct bl_sieve_form form = s->whole;
    form.stride = s->window > 4 ? 2 : 1;
    form.pairs = (unsigned)(s->window - 1) / form.stride;
    form.pairs = form.pairs < BL_SIEVE_PAIRS_MAX ? form.pairs : BL_SIEVE_PAIRS_MAX;
    return form;
}

/* The entries of each pattern's pairs; see bl_sieve_group. */
static uint64_t *pairs_of_each(struct sieve *s, const uint16_t *owner, size_t count,
                               struct bl_sieve_head *heads)
{
    size_t size = (size_t)DISTANCES * BL_SIEVE_PAIR_WORDS;
    uint64_t *pairs = BL_NEW_ARRAY(s->arena, count * size, uint64_t);
    size_t at[BL_CHAR_KINDS] = {0};
    for (size_t i = 0; pairs != NULL && i < count; i++) {
        memset(s->entries, 0, ENTRIES * sizeof(*s->entries));
        s->head = &heads[i];
        add_pattern(s, owner, i, 0, at);
        for (size_t entry = 0; entry < ENTRIES; entry++) {
            for (uint64_t bits = s->entries[entry]; bits != 0; bits &= bits - 1) {
                size_t distance = (size_t)__builtin_ctzll(bits) / 8;
                pairs[i * size + distance * BL_SIEVE_PAIR_WORDS + entry / 64] |= UINT64_C(1)
                                                                                 << entry % 64;
            }
        }
    }
    return pairs;
}

bool bl_sieve_make_closely(struct bl_arena *arena, const struct bl_char_table *chars,
                           const struct bl_pattern_graph *graph, const uint16_t *owner,
                           size_t count, struct bl_sieve_head *heads,
                           struct bl_sieve_table *table)
{
    struct sieve s = {
        .arena = arena, .chars = chars, .graph = graph, .work_max = CLOSE_WORK_MAX};
    s.whole = (struct bl_sieve_form){1, 1, BL_SIEVE_BITS_MAX, 0};
    table->entries = BL_NEW_ARRAY(arena, ENTRIES, uint64_t);
    uint64_t *pairs = prepare(&s, owner) ? pairs_of_each(&s, owner, count, heads) : NULL;
    uint8_t *groups = BL_NEW_ARRAY(arena, count, uint8_t);
    if (pairs == NULL || groups == NULL || table->entries == NULL) {
        return false;
    }
    table->form = close_form(&s);
    if (!bl_sieve_group(arena, pairs, count, groups, &table->form)) {
        return false;
    }
    memset(s.entries, 0, ENTRIES * sizeof(*s.entries));
    for (size_t i = 0; i < count * DISTANCES * BL_SIEVE_PAIR_WORDS; i++) {
        size_t pattern = i / (DISTANCES * BL_SIEVE_PAIR_WORDS);
        size_t distance = i / BL_SIEVE_PAIR_WORDS % DISTANCES;
        for (uint64_t bits = pairs[i]; bits != 0; bits &= bits - 1) {
            s.entries[i % BL_SIEVE_PAIR_WORDS * 64 + (size_t)__builtin_ctzll(bits)] |=
                UINT64_C(1) << (8 * distance + groups[pattern]);
        }
    }
    write_entries(&s, table->form, table->entries);
    return true;
}
