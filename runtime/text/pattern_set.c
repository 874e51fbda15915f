/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/tables.h"
#include "text/pattern_search.h"
#include "text/pattern_tree.h"

#include <stdlib.h>

/* A set of patterns becomes one automaton if that stays small, else several. Patterns that stay
 * busy with any text (`a.*b`) multiply the states of one automaton, each by two; so the busiest
 * are taken apart first, and what cannot stand even alone is left out. */

/* All tables of a set. */
#define SET_BYTES_MAX ((size_t)4 << 20)
/* Each automaton costs a pass over the text. */
#define AUTOMATA_MAX 16u
/* Automata that come to nothing cost time too: how many times the limit of states may be made.
 */
#define EFFORT 4u
/* Patterns below it seldom multiply: words, tokens, counted runs of few characters. */
#define QUIET_WEIGHT 512u
/* Up to so many nodes, trying costs nothing that matters. */
#define SMALL_NODES 1024u

struct set_compiler {
    struct bl_arena *arena; /* patterns; given back at the end */
    struct bl_char_table chars;
    struct bl_search_member **members; /* by weight */
    size_t member_count;
    struct bl_blob_writer writer;
    bool *left_out;
    size_t states_left, bytes_left;
    size_t effort_left; /* in states */
    size_t automata;
};

/* Reads one input; leaves it out when it is no pattern, or one that is too large. */
static bool add_member(struct set_compiler *c, const struct bl_pattern_set_input *input,
                       size_t pattern)
{
    struct bl_pattern_error error;
    bool fold = bl_str_find_char(input->flags, 'i') != SIZE_MAX;
    const struct bl_pattern_node *tree =
        input->literal ? bl_pattern_literal(c->arena, input->source, fold)
                       : bl_pattern_parse(c->arena, input->source, input->flags, &error);
    struct bl_search_member *member = BL_NEW(c->arena, struct bl_search_member);
    size_t blame;
    if (c->arena->failed) {
        return false;
    }
    c->left_out[pattern] = true;
    if (tree == NULL || pattern >= BL_SET_PATTERNS_MAX) {
        return true;
    }
    member->pattern = pattern;
    switch (bl_pattern_graph_make(c->arena, tree, (size_t)bl_limit(BL_LIMIT_PATTERN_STATES),
                                  &c->chars, &member->graph, &blame)) {
    case BL_GRAPH_DONE:
        break;
    case BL_GRAPH_TOO_LARGE:
        return true;
    case BL_GRAPH_NO_MEMORY:
        return false;
    }
    c->members[c->member_count++] = member;
    return bl_search_member_prepare(c->arena, &c->chars, member);
}

static int compare_members(const void *a, const void *b)
{
    const struct bl_search_member *x = *(const struct bl_search_member *const *)a;
    const struct bl_search_member *y = *(const struct bl_search_member *const *)b;
    if (x->weight != y->weight) {
        return x->weight < y->weight ? -1 : 1;
    }
    return (x->pattern > y->pattern) - (x->pattern < y->pattern);
}

/* Tries one automaton for members [begin, end). */
static enum bl_dfa_result try_automaton(struct set_compiler *c, size_t begin, size_t end)
{
    struct bl_arena scratch;
    size_t states = 64;
    size_t used = 0;
    if (c->automata == AUTOMATA_MAX) {
        return BL_DFA_TOO_LARGE;
    }
    /* Words and tokens need about one state a character. When it takes much more the members do
     * multiply, which is better seen early than at the limit. */
    for (size_t i = begin; i < end; i++) {
        states += 4 * c->members[i]->graph.count;
    }
    if (end - begin == 1) {
        states = (size_t)bl_limit(BL_LIMIT_PATTERN_STATES);
    }
    states = states < c->states_left ? states : c->states_left;
    states = states < c->effort_left ? states : c->effort_left;
    bl_arena_init(&scratch, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES), c->arena->allocator);
    size_t before = c->writer.size;
    enum bl_dfa_result result = bl_search_make(
        &scratch, &c->chars, (const struct bl_search_member *const *)(c->members + begin),
        end - begin, states, c->bytes_left, &c->writer, &used);
    c->effort_left -= used < c->effort_left ? used : c->effort_left;
    if (result == BL_DFA_DONE) {
        size_t bytes = c->writer.size - before;
        c->automata++;
        c->states_left -= used;
        c->bytes_left -= bytes < c->bytes_left ? bytes : c->bytes_left;
        for (size_t i = begin; i < end; i++) {
            c->left_out[c->members[i]->pattern] = false;
        }
    }
    bl_arena_reset(&scratch);
    return result;
}

/* Whether one automaton for members [begin, end) is worth a try. It is not for many states that
 * most likely multiply. */
static bool is_promising(const struct set_compiler *c, size_t begin, size_t end)
{
    bool mixed =
        c->members[begin]->weight <= QUIET_WEIGHT && c->members[end - 1]->weight > QUIET_WEIGHT;
    size_t nodes = 0;
    for (size_t i = begin; i < end; i++) {
        nodes += c->members[i]->graph.count;
    }
    return !mixed || nodes <= SMALL_NODES;
}

/* Where to cut members [begin, end), of which one automaton is too large. */
static size_t cut(const struct set_compiler *c, size_t begin, size_t end)
{
    for (size_t i = begin + 1; i < end; i++) {
        if (c->members[i]->weight > QUIET_WEIGHT && c->members[i - 1]->weight <= QUIET_WEIGHT) {
            return i;
        }
    }
    return begin + (end - begin) / 2;
}

/* Makes automata for members [begin, end): halves what does not fit, which goes at most as deep
 * as the number of members has bits, and once more. False when out of memory. */
static bool make_automata(struct set_compiler *c, size_t begin, size_t end)
{
    if (begin == end) {
        return true;
    }
    switch (is_promising(c, begin, end) ? try_automaton(c, begin, end) : BL_DFA_TOO_LARGE) {
    case BL_DFA_DONE:
        return true;
    case BL_DFA_NO_MEMORY:
        return false;
    case BL_DFA_TOO_LARGE:
        break;
    }
    if (end - begin == 1) {
        return true;
    }
    size_t middle = cut(c, begin, end);
    return make_automata(c, begin, middle) && make_automata(c, middle, end);
}

static bool compile_set(struct set_compiler *c, const struct bl_pattern_set_input *inputs,
                        size_t count)
{
    c->chars.interner.arena = c->arena;
    c->writer.arena = c->arena;
    c->states_left = (size_t)bl_limit(BL_LIMIT_SET_STATES);
    c->effort_left = EFFORT * c->states_left;
    c->bytes_left = SET_BYTES_MAX;
    c->members = BL_NEW_ARRAY(c->arena, count, struct bl_search_member *);
    if (c->members == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!add_member(c, &inputs[i], i)) {
            return false;
        }
    }
    if (c->member_count > 1) {
        qsort(c->members, c->member_count, sizeof(struct bl_search_member *), compare_members);
    }
    uint32_t fields[BL_HEAD_COUNT] = {
        [BL_HEAD_KIND] = BL_BLOB_SET,
        [BL_SET_PATTERNS] =
            (uint32_t)(count < BL_SET_PATTERNS_MAX ? count : BL_SET_PATTERNS_MAX),
    };
    bl_blob_begin(&c->writer, fields);
    if (!make_automata(c, 0, c->member_count) || c->arena->failed) {
        return false;
    }
    c->writer.bytes[(size_t)4 * BL_SET_AUTOMATA] = (uint8_t)c->automata;
    bl_blob_end(&c->writer, 0);
    return true;
}

bool bl_pattern_set_compile(struct bl_arena *arena, const struct bl_pattern_set_input *inputs,
                            size_t count, bool *left_out, struct bl_pattern *out)
{
    struct bl_arena scratch;
    struct set_compiler compiler = {.arena = &scratch, .left_out = left_out};
    bl_arena_init(&scratch, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES), arena->allocator);
    bool done =
        compile_set(&compiler, inputs, count) && bl_blob_finish(&compiler.writer, arena, out);
    bl_arena_reset(&scratch);
    return done;
}
