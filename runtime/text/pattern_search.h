/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TEXT_PATTERN_SEARCH_H
#define BL_TEXT_PATTERN_SEARCH_H

#include "text/pattern_dfa.h"
#include "text/pattern_sieve.h"
#include "text/pattern_write.h"

/* One automaton that says, in one pass, which of several patterns find something. */

struct bl_search_member {
    size_t pattern; /* its number in the set */
    struct bl_pattern_graph graph;
    bool *idle;      /* nodes that never find what a fresh start would not: left out */
    uint64_t weight; /* how much of a text it stays busy with: what makes automata multiply */
};

/* Fills in `idle` and `weight`. False when out of memory. */
bool bl_search_member_prepare(struct bl_arena *arena, const struct bl_char_table *chars,
                              struct bl_search_member *member);

/* ---- the automaton before it is written ------------------------------------------------- */

/* Most cells of a state's row are those of a state in which nothing goes on, so a state is that
 * row, its base, and the moves that differ from it. */
struct bl_search_move {
    uint32_t next;
    uint16_t class;
};

#define BL_SEARCH_SILENT UINT32_MAX

struct bl_search_state {
    uint32_t first_move, move_count;
    uint32_t list; /* of what it says, BL_SEARCH_SILENT */
    uint8_t base;
};

struct bl_search_table {
    const struct bl_char_classes *classes;
    BL_VEC(struct bl_search_state) states;
    BL_VEC(struct bl_search_move) moves;
    uint32_t *bases[BL_CHAR_KINDS];   /* of each class: the next state; NULL: none has it */
    uint32_t starts[BL_CHAR_KINDS];   /* by the kind before a place: nothing goes on there */
    struct bl_pattern_interner lists; /* keys: pairs of pattern and kinds */
    struct bl_sieve_table sieve;
};

/* pattern_sieve.c: fills in the sieve of the patterns that `graph` holds side by side, when
 * they have one that is worth its bytes. `owner`: of each node, below `count`. False when out
 * of memory. */
bool bl_sieve_make(struct bl_arena *arena, const struct bl_char_table *chars,
                   const struct bl_pattern_graph *graph, const uint16_t *owner, size_t count,
                   struct bl_sieve_table *table);
/* The first bytes of matches of one pattern: of each a bit for each value that it can have. */
#define BL_SIEVE_HEAD 4u
struct bl_sieve_head {
    uint64_t bytes[BL_SIEVE_HEAD][4];
};
/* One that looks closely, since the text is read anew wherever it lets something pass, of
 * patterns whose matches have more than BL_SIEVE_HEAD bytes; says the head of each. */
bool bl_sieve_make_closely(struct bl_arena *arena, const struct bl_char_table *chars,
                           const struct bl_pattern_graph *graph, const uint16_t *owner,
                           size_t count, struct bl_sieve_head *heads,
                           struct bl_sieve_table *table);
/* pattern_sieve_groups.c: the groups, and how few entries do. `pairs`: for each pattern and
 * each distance from the beginning of a match, a bit for each entry of a pair that can stand
 * there. */
bool bl_sieve_group(struct bl_arena *arena, const uint64_t *pairs, size_t count,
                    uint8_t *groups, struct bl_sieve_form *form);

/* pattern_search_write.c: at most `bytes` bytes. */
enum bl_dfa_result bl_search_write(struct bl_arena *arena, const struct bl_search_table *table,
                                   size_t bytes, struct bl_blob_writer *writer);

/* Writes the automaton of the members (of which no two are the same) to `writer`. At most
 * `states` states and `bytes` bytes; *used becomes the number of states that were
 * made, also when they were too many. */
enum bl_dfa_result bl_search_make(struct bl_arena *scratch, const struct bl_char_table *chars,
                                  const struct bl_search_member *const *members, size_t count,
                                  size_t states, size_t bytes, struct bl_blob_writer *writer,
                                  size_t *used);

#endif
