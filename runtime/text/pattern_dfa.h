/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TEXT_PATTERN_DFA_H
#define BL_TEXT_PATTERN_DFA_H

#include "text/pattern_graph.h"

/* Deterministic automata over classes of characters, made from graphs. */

/* ---- one step of a set of nodes --------------------------------------------------------- */

struct bl_subset_bucket {
    uint16_t *items; /* nodes, ascending */
    size_t count, capacity;
};

struct bl_subset {
    struct bl_arena *arena;
    const struct bl_pattern_graph *graph;
    const struct bl_char_classes *classes;
    uint64_t *marks;                  /* one bit a node, all zero between steps */
    struct bl_subset_bucket *buckets; /* of each class: the nodes after a character of it */
    uint16_t *touched;                /* classes whose bucket is not empty */
    size_t touched_count;
    bool *is_touched;
};

bool bl_subset_init(struct bl_subset *subset, struct bl_arena *arena,
                    const struct bl_pattern_graph *graph,
                    const struct bl_char_classes *classes);
/* Fills the buckets with what may come behind the nodes (those below graph->count) and with
 * `first`. Valid until the next step. */
void bl_subset_step(struct bl_subset *subset, const uint16_t *nodes, size_t count,
                    struct bl_pattern_list first);

/* ---- anchored automaton of one pattern -------------------------------------------------- */

struct bl_dfa {
    size_t states, classes;        /* state 0 accepts nothing and is never left */
    uint16_t *next;                /* next[state * classes + class] */
    uint8_t *accept;               /* of each state, as in the graph */
    uint16_t start[BL_CHAR_KINDS]; /* by the kind before the match */
};

enum bl_dfa_result { BL_DFA_DONE, BL_DFA_TOO_LARGE, BL_DFA_NO_MEMORY };

/* Finds out whether a text, read from its beginning to its end, is a match. At most `limit`
 * states before minimising, at most UINT16_MAX. */
enum bl_dfa_result bl_dfa_make(struct bl_arena *arena, const struct bl_pattern_graph *graph,
                               const struct bl_char_classes *classes, size_t limit,
                               struct bl_dfa *out);
/* Merges states that no text tells apart (Hopcroft). False when out of memory. */
bool bl_dfa_minimise(struct bl_arena *arena, struct bl_dfa *dfa);

/* ---- the automaton that reads backward -------------------------------------------------- */

/* Its state at a place of a text is the set of those states of the forward automaton from which
 * a match ends at or behind that place. Being deterministic from the end of the text to its
 * beginning, it tells, in one pass, where matches begin and how far each is worth following. */
struct bl_reverse {
    size_t states, classes;
    uint16_t *next;
    uint16_t start;  /* at the end of the text */
    size_t row_size; /* bytes of a set */
    uint8_t *alive; /* alive[state * row_size]: a bit for each state of the forward automaton */
    uint8_t *begins; /* of each state: 1 << kind: a match begins here when such a character
                      * stands before */
};

/* At most `limit` states, and `bytes` bytes of sets. */
enum bl_dfa_result bl_reverse_make(struct bl_arena *arena, const struct bl_dfa *dfa,
                                   const struct bl_char_classes *classes, size_t limit,
                                   size_t bytes, struct bl_reverse *out);

#endif
