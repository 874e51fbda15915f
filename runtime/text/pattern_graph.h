/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TEXT_PATTERN_GRAPH_H
#define BL_TEXT_PATTERN_GRAPH_H

#include "text/pattern_intern.h"
#include "text/pattern_tree.h"

/* The non-deterministic automaton of a pattern, without empty moves: one node for each place in
 * the expanded pattern that takes a character (Glushkov). Being in a node means that its
 * character has just been read. Assertions are gone: a place in front of or behind an assertion
 * that asks for the kind of its character stands there once for each kind. */

struct bl_pattern_list {
    const uint16_t *items; /* nodes, ascending */
    size_t count;
};

struct bl_pattern_graph {
    size_t count;    /* nodes; at most BL_PATTERN_NODES_MAX */
    uint32_t *sets;  /* what each node takes: an index into the sets */
    uint8_t *accept; /* 1 << kind: a match may end here when such a character follows */
    uint32_t
        *follow_at;   /* follow[follow_at[n]] up to follow[follow_at[n + 1]]: what may come */
    uint16_t *follow; /* next, ascending */
    struct bl_pattern_list
        first[BL_CHAR_KINDS];     /* where a match may begin, by the kind before */
    uint8_t empty[BL_CHAR_KINDS]; /* by the kind before: as `accept`, of an empty match */
    bool by_kind;                 /* some of this depends on kinds */
    bool anchored;                /* every match begins at the beginning of the text */
};

#define BL_PATTERN_NODES_MAX 65000u
#define BL_ACCEPT_ALWAYS     0xFu

/* Sets of characters with one number for equal ones, which several graphs may share. */
struct bl_char_table {
    struct bl_pattern_interner interner;
};
uint32_t bl_char_table_add(struct bl_char_table *table, struct bl_chars set);
struct bl_chars bl_char_table_get(const struct bl_char_table *table, size_t index);
/* All of them as an array in the arena. NULL when out of memory. */
struct bl_chars *bl_char_table_all(const struct bl_char_table *table);

enum bl_graph_result { BL_GRAPH_DONE, BL_GRAPH_TOO_LARGE, BL_GRAPH_NO_MEMORY };

/* `limit` is the greatest number of nodes. When the graph is too large *blame is the offset of
 * the quantifier (or alternative) that multiplies most. */
enum bl_graph_result bl_pattern_graph_make(struct bl_arena *arena,
                                           const struct bl_pattern_node *tree, size_t limit,
                                           struct bl_char_table *table,
                                           struct bl_pattern_graph *out, size_t *blame);

/* ---- the step in between, pattern_places.c ---------------------------------------------- */

struct bl_pattern_edge {
    uint32_t from, to;  /* places */
    bl_context context; /* where one may go over */
};

struct bl_pattern_end {
    uint32_t place;
    bl_context context;
};

struct bl_pattern_places {
    BL_VEC(uint32_t) sets;                /* of each place */
    BL_VEC(struct bl_pattern_edge) edges; /* by `from`, then `to`; no two alike */
    struct bl_pattern_end *first, *last;
    size_t first_count, last_count; /* by place, no two alike */
    bl_context empty;
};

/* Edges of one pattern; alternatives in a row that may all be left out make many. */
#define BL_PATTERN_EDGES_MAX 65536u

enum bl_graph_result bl_pattern_places_make(struct bl_arena *arena,
                                            const struct bl_pattern_node *tree, size_t limit,
                                            struct bl_char_table *table,
                                            struct bl_pattern_places *out, size_t *blame);

#endif
