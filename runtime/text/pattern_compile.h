/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TEXT_PATTERN_COMPILE_H
#define BL_TEXT_PATTERN_COMPILE_H

#include "text/pattern.h"

/* Which of the two ways of running a pattern gets compiled. Both give the same answers; tests
 * compare them. */
enum bl_pattern_form {
    BL_PATTERN_BEST,  /* the automata, if they stay small */
    BL_PATTERN_DFA,   /* the automata, or false without a message */
    BL_PATTERN_GRAPH, /* the simulation */
};

bool bl_pattern_compile_as(struct bl_arena *arena, bl_str source, bl_str flags,
                           enum bl_pattern_form form, struct bl_pattern *out,
                           struct bl_pattern_error *error);

#endif
