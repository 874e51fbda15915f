/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_PLAN_PLAN_H
#define BL_PLAN_PLAN_H

#include "event/json.h"
#include "vm/vm.h"

/* From what the rules planned to what the world is told: merged, ordered, checked, skipped where the
 * proof is there, carried out in that order, and written into a journal (language-review §5.2-5.4). */

enum bl_effect_state {
    BL_STATE_PLANNED,
    BL_STATE_THERE,   /* its proof is there: nothing to do */
    BL_STATE_DRY,     /* would be done; a dry run writes nothing */
    BL_STATE_DONE,
    BL_STATE_FAILED,
    BL_STATE_LEFT,    /* not tried after a failure */
};

struct bl_plan_effect {
    struct bl_planned planned;
    BL_VEC(uint32_t) entries; /* all rules that asked for this effect */
    enum bl_effect_state state;
    bl_str body;              /* POST: the whole comment with its marker line */
    struct bl_failure failure;
};

struct bl_plan {
    struct bl_arena *arena;
    const struct bl_module *module;
    BL_VEC(struct bl_plan_effect) effects; /* in the order in which they are carried out */
    bool failed;   /* a rule said `fail`: nothing is written but log lines */
    bl_str fail_text;
};

/* Merges and orders what a unit planned. Two effects that conflict (add and remove of one label,
 * close and reopen, two tasks, two reasons, two milestones) and are not settled by `over` are an
 * error (PL08xx) that names both rules: BL_ERR_INVALID, and nothing of the unit is written. */
BL_NODISCARD enum bl_status bl_plan_make(struct bl_machine *machine, struct bl_plan *out,
                                         struct bl_diagnostics *sink);

/* Looks for the proof of each effect, so that state is THERE or PLANNED. Reads the snapshot; for POST
 * and MARK the comments are read fresh. */
BL_NODISCARD enum bl_status bl_plan_prove(struct bl_plan *plan, struct bl_machine *machine);

/* Carries out in order. Stops at the first failure (the rest is LEFT) and returns BL_ERR_WRITE.
 * `dry`: nothing is written, states become DRY. Log effects (notice, warn, error) are not the
 * world's: they are kept for the report. */
BL_NODISCARD enum bl_status bl_plan_carry_out(struct bl_plan *plan, struct bl_machine *machine,
                                              const struct bl_world *world, bool dry);

/* For people: one line an effect with the rules that asked for it. Colour when `colour`. For
 * programs: an array of objects. Neither shows text of strangers but what goes into the world. */
void bl_plan_print(const struct bl_plan *plan, struct bl_buf *out, bool colour);
void bl_plan_json(const struct bl_plan *plan, struct bl_json_writer *out);
/* One effect in words: "add label stale to #12". */
void bl_plan_effect_words(const struct bl_plan *plan, const struct bl_plan_effect *effect,
                          struct bl_buf *out);

#endif
