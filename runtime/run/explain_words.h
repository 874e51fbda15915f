/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_RUN_EXPLAIN_WORDS_H
#define BL_RUN_EXPLAIN_WORDS_H

#include "run/run.h"

/* What both forms of an explanation say, for explain.c and explain_json.c. */

struct bl_explaining {
    const struct bl_module *module;
    const struct bl_trace *trace;
    struct bl_sources *sources;
};

bl_str bl_explain_outcome(enum bl_outcome outcome);
bl_str bl_explain_entry(const struct bl_module *module, uint32_t entry);
/* The condition with its values: `open == closed`, `#12.locked`, `2 < 15`; empty when the
 * instruction says nothing but its result. */
void bl_explain_reading(const struct bl_explaining *e, const struct bl_atom *atom,
                        struct bl_buf *out);
/* What the rule needs and the event does not have: `issue.labels has "bug"`. */
void bl_explain_need(const struct bl_explaining *e, const struct bl_rule_trace *rule,
                     struct bl_buf *out);

struct bl_explain_place {
    bl_str path;
    uint32_t line, column; /* 0: not known */
    bl_str text;           /* the line, without blanks around it */
};
/* False when the module says nothing of the instruction. */
bool bl_explain_place(const struct bl_explaining *e, uint32_t insn,
                      struct bl_explain_place *out);
/* The condition of that index; NULL for BL_NONE. */
const struct bl_atom *bl_explain_atom(const struct bl_explaining *e, uint32_t index);
/* What decided inside the function that this condition called; NULL at the end. */
const struct bl_atom *bl_explain_below(const struct bl_explaining *e,
                                       const struct bl_atom *atom);

#endif
