/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_PLAN_PLAN_H
#define BL_PLAN_PLAN_H

#include "event/json.h"
#include "vm/vm.h"

/* From what the rules planned to what the world is told: merged, ordered, checked, skipped
 * where the proof is there, carried out in that order, and written into a journal
 * (language-review §5.2-5.4). */

enum bl_effect_state {
    BL_STATE_PLANNED,
    BL_STATE_THERE, /* its proof is there: nothing to do */
    BL_STATE_DRY,   /* would be done; a dry run writes nothing */
    BL_STATE_DONE,
    BL_STATE_FAILED,
    BL_STATE_LEFT, /* not tried after a failure */
};

struct bl_plan_effect {
    struct bl_planned planned;
    BL_VEC(uint32_t) entries; /* all rules that asked for this effect */
    enum bl_effect_state state;
    bl_str body; /* POST: the whole comment; MARK: the new first line, once proved */
    bl_str label_color, label_description; /* ENSURE_LABEL */
    bl_str marked_text;                    /* MARK: the comment's whole text afterwards */
    bl_str line;                           /* KEEP: the whole row, as a line of its file */
    uint32_t row;      /* KEEP: of which row it stands in place of; BL_NONE: it is new */
    bool writes_store; /* KEEP: `body` is the whole file with all rows that the plan keeps */
    struct bl_failure failure; /* FAILED */
};

struct bl_plan {
    struct bl_arena *arena;
    const struct bl_module *module;
    BL_VEC(struct bl_plan_effect) effects; /* in the order in which they are carried out */
    bool failed; /* a rule said `fail`: nothing is written but log lines */
    bl_str fail_text;
    size_t written; /* effects that the world carried out */
};

/* Merges and orders what a unit planned. A chain keeps its written order; among the chains'
 * heads the least rank of effects.def comes first, then the name of the entry, then the chain:
 * the order of rules in files never counts. Equal effects are one, at the first of their
 * places.
 *
 * Two effects that conflict (add and remove of one label, close and reopen, two tasks, reasons,
 * milestones, states or values of one thing) and are not settled by `over` are an error
 * (PL0802) that names both places: BL_ERR_INVALID. A comment that is too long is PL0803:
 * BL_ERR_LIMIT. Then nothing of the unit is written. BL_ERR_NOMEM, BL_ERR_INTERNAL with
 * machine->failure. */
BL_NODISCARD enum bl_status bl_plan_make(struct bl_machine *machine, struct bl_plan *out,
                                         struct bl_diagnostics *sink);

/* Looks for the proof of each effect, so that state is THERE or PLANNED. Reads the snapshot;
 * for POST and MARK the comments are read fresh from `world`, and what no field says (labels'
 * colours, milestones, statuses) the world is asked itself. BL_ERR_READ with machine->failure,
 * BL_ERR_NOMEM. */
BL_NODISCARD enum bl_status bl_plan_prove(struct bl_plan *plan, struct bl_machine *machine,
                                          const struct bl_world *world);

/* Carries out in order. Stops at the first failure (the rest is LEFT) and returns BL_ERR_WRITE,
 * but for attempted effects: those are FAILED, and the next one follows.
 * `dry`: nothing is written, states become DRY. Log effects (notice, warn, error, fail) are not
 * the world's: they are always DONE. What was written is forgotten by the machine's snapshot,
 * so that a unit after this one reads it anew. */
BL_NODISCARD enum bl_status bl_plan_carry_out(struct bl_plan *plan, struct bl_machine *machine,
                                              const struct bl_world *world, bool dry);

/* For people: one line an effect with the rules that asked for it. Colour when `colour`. For
 * programs: an array of objects. Neither shows text of strangers but what goes into the world:
 * the comments in JSON, and the lines for the log. */
void bl_plan_print(const struct bl_plan *plan, struct bl_buf *out, bool colour);
void bl_plan_json(const struct bl_plan *plan, struct bl_json_writer *out);
/* One effect in words: "add label stale to #12". One line, without anything that could steer a
 * terminal or a log. */
void bl_plan_effect_words(const struct bl_module *module, const struct bl_planned *planned,
                          struct bl_buf *out);
bool bl_effect_is_log(enum bl_effect effect);
/* Its failure is a warning: what stands behind it is carried out all the same. */
bool bl_effect_is_attempted(const struct bl_plan_effect *effect);

#endif
