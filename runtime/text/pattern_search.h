/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TEXT_PATTERN_SEARCH_H
#define BL_TEXT_PATTERN_SEARCH_H

#include "text/pattern_dfa.h"
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

/* Writes the automaton of the members (of which no two are the same) to `writer`. At most
 * `states` states and `bytes` bytes of table; *used becomes the number of states that were
 * made, also when they were too many. */
enum bl_dfa_result bl_search_make(struct bl_arena *scratch, const struct bl_char_table *chars,
                                  const struct bl_search_member *const *members, size_t count,
                                  size_t states, size_t bytes, struct bl_blob_writer *writer,
                                  size_t *used);

#endif
