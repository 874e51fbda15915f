/* SPDX-License-Identifier: Apache-2.0 */
#include "text/pattern_dfa.h"

#include <string.h>

/* ---- one step --------------------------------------------------------------------------- */

bool bl_subset_init(struct bl_subset *subset, struct bl_arena *arena,
                    const struct bl_pattern_graph *graph, const struct bl_char_classes *classes)
{
    *subset = (struct bl_subset){.arena = arena, .graph = graph, .classes = classes};
    subset->marks = BL_NEW_ARRAY(arena, graph->count / 64 + 1, uint64_t);
    subset->buckets = BL_NEW_ARRAY(arena, classes->count, struct bl_subset_bucket);
    subset->touched = BL_NEW_ARRAY(arena, classes->count, uint16_t);
    subset->is_touched = BL_NEW_ARRAY(arena, classes->count, bool);
    return !arena->failed;
}

static void mark(struct bl_subset *subset, const uint16_t *nodes, size_t count, size_t *least,
                 size_t *most)
{
    for (size_t i = 0; i < count; i++) {
        size_t word = nodes[i] / 64u;
        subset->marks[word] |= UINT64_C(1) << nodes[i] % 64u;
        *least = word < *least ? word : *least;
        *most = word > *most ? word : *most;
    }
}

/* Puts a node into the bucket of each class that it takes. */
static void distribute(struct bl_subset *subset, size_t node)
{
    const struct bl_char_classes *classes = subset->classes;
    uint32_t set = subset->graph->sets[node];
    for (uint32_t i = classes->at[set]; i < classes->at[set + 1]; i++) {
        uint16_t class = classes->members[i];
        if (!subset->is_touched[class]) {
            subset->is_touched[class] = true;
            subset->buckets[class].count = 0;
            subset->touched[subset->touched_count++] = class;
        }
        struct bl_subset_bucket *bucket = &subset->buckets[class];
        if (bucket->count < bucket->capacity) {
            bucket->items[bucket->count++] = (uint16_t)node;
            continue;
        }
        uint16_t *slot = BL_PUSH(subset->arena, *bucket);
        if (slot == NULL) {
            return;
        }
        *slot = (uint16_t)node;
    }
}

void bl_subset_step(struct bl_subset *subset, const uint16_t *nodes, size_t count,
                    struct bl_pattern_list first)
{
    const struct bl_pattern_graph *graph = subset->graph;
    size_t least = SIZE_MAX;
    size_t most = 0;
    for (size_t i = 0; i < subset->touched_count; i++) {
        subset->is_touched[subset->touched[i]] = false;
    }
    subset->touched_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (nodes[i] < graph->count) {
            uint32_t at = graph->follow_at[nodes[i]];
            mark(subset, graph->follow + at, graph->follow_at[nodes[i] + 1u] - at, &least,
                 &most);
        }
    }
    mark(subset, first.items, first.count, &least, &most);
    for (size_t word = least; word <= most && least != SIZE_MAX; word++) {
        for (uint64_t bits = subset->marks[word]; bits != 0; bits &= bits - 1) {
            distribute(subset, word * 64 + (size_t)__builtin_ctzll(bits));
        }
        subset->marks[word] = 0;
    }
}

/* ---- subset construction ---------------------------------------------------------------- */

struct construction {
    struct bl_arena *arena;
    const struct bl_pattern_graph *graph;
    struct bl_subset subset;
    struct bl_pattern_interner
        states; /* keys: nodes as uint16_t; count + kind is a beginning */
    BL_VEC(uint16_t *) rows;
    BL_VEC(uint8_t) accept;
};

static bool same_beginning(const struct bl_pattern_graph *graph, unsigned a, unsigned b)
{
    return graph->empty[a] == graph->empty[b] &&
           graph->first[a].count == graph->first[b].count &&
           (graph->first[a].count == 0 ||
            memcmp(graph->first[a].items, graph->first[b].items,
                   graph->first[a].count * sizeof(uint16_t)) == 0);
}

static bool make_starts(struct construction *c, struct bl_dfa *out)
{
    for (unsigned kind = 0; kind < BL_CHAR_KINDS; kind++) {
        unsigned same = 0;
        while (!same_beginning(c->graph, same, kind)) {
            same++;
        }
        uint16_t key = (uint16_t)(c->graph->count + same);
        uint32_t state = bl_pattern_intern(&c->states, &key, sizeof(key));
        if (state == BL_INTERN_FAILED) {
            return false;
        }
        out->start[kind] = (uint16_t)state;
    }
    return true;
}

/* Works out the row of state number `state`. */
static bool make_row(struct construction *c, size_t state)
{
    const uint16_t *nodes = c->states.keys.items[state].bytes;
    size_t count = c->states.keys.items[state].size / sizeof(*nodes);
    struct bl_pattern_list first = {NULL, 0};
    uint8_t accept = 0;
    for (size_t i = 0; i < count; i++) {
        if (nodes[i] >= c->graph->count) {
            unsigned kind = (unsigned)(nodes[i] - c->graph->count);
            first = c->graph->first[kind];
            accept |= c->graph->empty[kind];
        } else {
            accept |= c->graph->accept[nodes[i]];
        }
    }
    uint16_t **row = BL_PUSH(c->arena, c->rows);
    uint8_t *accepts = BL_PUSH(c->arena, c->accept);
    if (row == NULL || accepts == NULL) {
        return false;
    }
    *accepts = accept;
    *row = BL_NEW_ARRAY(c->arena, c->subset.classes->count, uint16_t);
    bl_subset_step(&c->subset, nodes, count, first);
    for (size_t i = 0; i < c->subset.touched_count && !c->arena->failed; i++) {
        const struct bl_subset_bucket *bucket = &c->subset.buckets[c->subset.touched[i]];
        uint32_t next = bl_pattern_intern(&c->states, bucket->items,
                                          bucket->count * sizeof(*bucket->items));
        (*row)[c->subset.touched[i]] = (uint16_t)next;
    }
    return !c->arena->failed;
}

enum bl_dfa_result bl_dfa_make(struct bl_arena *arena, const struct bl_pattern_graph *graph,
                               const struct bl_char_classes *classes, size_t limit,
                               struct bl_dfa *out)
{
    struct construction c = {.arena = arena, .graph = graph, .states.arena = arena};
    *out = (struct bl_dfa){.classes = classes->count};
    if (!bl_subset_init(&c.subset, arena, graph, classes) ||
        bl_pattern_intern(&c.states, NULL, 0) != 0 || !make_starts(&c, out)) {
        return BL_DFA_NO_MEMORY;
    }
    /* A row adds at most as many states as there are classes, all of which fit their number. */
    for (size_t state = 0; state < c.states.keys.count; state++) {
        if (c.states.keys.count > limit) {
            return BL_DFA_TOO_LARGE;
        }
        if (!make_row(&c, state)) {
            return BL_DFA_NO_MEMORY;
        }
    }
    out->states = c.states.keys.count;
    out->accept = c.accept.items;
    out->next = BL_NEW_ARRAY(arena, out->states * classes->count, uint16_t);
    if (out->next == NULL) {
        return BL_DFA_NO_MEMORY;
    }
    for (size_t state = 0; state < out->states; state++) {
        memcpy(out->next + state * classes->count, c.rows.items[state],
               classes->count * sizeof(uint16_t));
    }
    return BL_DFA_DONE;
}

/* ---- backward --------------------------------------------------------------------------- */

struct backward {
    struct bl_arena *arena;
    const struct bl_dfa *dfa;
    struct bl_pattern_interner states; /* keys: bits of the forward states */
    uint64_t *ends[BL_CHAR_KINDS]; /* forward states that accept in front of such a character */
    uint64_t *scratch;
    size_t words;
};

static bool backward_init(struct backward *b)
{
    b->words = b->dfa->states / 64 + 1;
    b->scratch = BL_NEW_ARRAY(b->arena, b->words, uint64_t);
    for (unsigned kind = 0; kind < BL_CHAR_KINDS; kind++) {
        b->ends[kind] = BL_NEW_ARRAY(b->arena, b->words, uint64_t);
        if (b->arena->failed) {
            return false;
        }
        for (size_t f = 0; f < b->dfa->states; f++) {
            b->ends[kind][f / 64] |= (uint64_t)(b->dfa->accept[f] >> kind & 1) << f % 64;
        }
    }
    return true;
}

/* The forward states that are alive in front of a character when `behind` are behind it. */
static uint32_t before_char(struct backward *b, const uint64_t *behind, size_t class,
                            enum bl_char_kind kind)
{
    const struct bl_dfa *dfa = b->dfa;
    size_t f = 0;
    for (size_t w = 0; w < b->words; w++) {
        uint64_t word = 0;
        size_t end = f + 64 < dfa->states ? f + 64 : dfa->states;
        for (unsigned bit = 0; f < end; f++, bit++) {
            size_t next = dfa->next[f * dfa->classes + class];
            word |= (behind[next / 64] >> next % 64 & 1) << bit;
        }
        b->scratch[w] = word | b->ends[kind][w];
    }
    return bl_pattern_intern(&b->states, b->scratch, b->words * sizeof(*b->scratch));
}

static bool write_sets(const struct backward *b, struct bl_reverse *out)
{
    out->row_size = (b->dfa->states + 7) / 8;
    out->alive = BL_NEW_ARRAY(b->arena, out->states * out->row_size, uint8_t);
    out->begins = BL_NEW_ARRAY(b->arena, out->states, uint8_t);
    if (b->arena->failed) {
        return false;
    }
    for (size_t r = 0; r < out->states; r++) {
        const uint64_t *set = b->states.keys.items[r].bytes;
        for (size_t i = 0; i < out->row_size; i++) {
            out->alive[r * out->row_size + i] = (uint8_t)(set[i / 8] >> i % 8 * 8);
        }
        for (unsigned kind = 0; kind < BL_CHAR_KINDS; kind++) {
            size_t f = b->dfa->start[kind];
            out->begins[r] |= (uint8_t)((set[f / 64] >> f % 64 & 1) << kind);
        }
    }
    return true;
}

enum bl_dfa_result bl_reverse_make(struct bl_arena *arena, const struct bl_dfa *dfa,
                                   const struct bl_char_classes *classes, size_t limit,
                                   size_t bytes, struct bl_reverse *out)
{
    struct backward b = {.arena = arena, .dfa = dfa, .states.arena = arena};
    BL_VEC(uint16_t *) rows = {0};
    *out = (struct bl_reverse){.classes = classes->count};
    if (!backward_init(&b)) {
        return BL_DFA_NO_MEMORY;
    }
    out->start = (uint16_t)bl_pattern_intern(&b.states, b.ends[BL_CHAR_EDGE],
                                             b.words * sizeof(uint64_t));
    for (size_t r = 0; r < b.states.keys.count && !arena->failed; r++) {
        if (b.states.keys.count > limit || b.states.keys.count * (b.words * 8) > bytes) {
            return BL_DFA_TOO_LARGE;
        }
        uint16_t **row = BL_PUSH(arena, rows);
        uint16_t *next = BL_NEW_ARRAY(arena, classes->count, uint16_t);
        if (row == NULL || next == NULL) {
            return BL_DFA_NO_MEMORY;
        }
        *row = next;
        for (size_t class = 0; class < classes->count && !arena->failed; class ++) {
            next[class] = (uint16_t)before_char(&b, b.states.keys.items[r].bytes, class,
                                                (enum bl_char_kind)classes->kinds[class]);
        }
    }
    out->states = b.states.keys.count;
    out->next = BL_NEW_ARRAY(arena, out->states * classes->count, uint16_t);
    if (arena->failed || !write_sets(&b, out)) {
        return BL_DFA_NO_MEMORY;
    }
    for (size_t r = 0; r < out->states; r++) {
        memcpy(out->next + r * classes->count, rows.items[r],
               classes->count * sizeof(uint16_t));
    }
    return BL_DFA_DONE;
}
