/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_WORLD_SIM_SIM_READ_H
#define BL_WORLD_SIM_SIM_READ_H

#include "world/sim/sim_model.h"

/* The reads of struct bl_world over the model, and how things of the model become things of a
 * snapshot. Private to this room. */

enum bl_answer bl_sim_read_load(void *self, struct bl_snapshot *snapshot,
                                struct bl_object *object, enum bl_read read,
                                struct bl_failure *failure);
enum bl_answer bl_sim_read_query(void *self, struct bl_snapshot *snapshot, enum bl_read read,
                                 const struct bl_value *args, size_t count,
                                 struct bl_value *out, struct bl_failure *failure);

/* Takes one use of a planned fault; BL_FAULT_NONE when none is due. */
enum bl_sim_fault bl_sim_take_fault(struct bl_sim_planned_fault *planned);
/* Sets why and help of a failure. */
void bl_sim_explain_fault(enum bl_sim_fault fault, struct bl_failure *failure);
/* The help of a read that a payload cannot answer. */
#define BL_SIM_WORLD_HELP BL_STR("Give the repository with --world FILE (docs/world-file.md).")

/* The snapshot's object for one of the model, with what is stored with the thing; NULL when out
 * of memory. */
struct bl_object *bl_sim_show(struct bl_sim *sim, struct bl_snapshot *snapshot,
                              struct bl_object *thing);

/* A field as it is now: what follows from other things is looked up. False when the model does
 * not know it. `out` holds the model's objects. */
bool bl_sim_value(struct bl_sim *sim, struct bl_object *thing, enum bl_field field,
                  struct bl_value *out);

/* sim_runs.c: the runs since then, newest first, NULL when out of memory; whether a public
 * repository has an issue of that number. */
struct bl_list *bl_sim_runs(struct bl_sim *sim, bl_str workflow, int64_t since);
bool bl_sim_is_foreign(const struct bl_sim *sim, bl_str repository, int64_t number);
/* VARIABLE, SECRET, JOB_FILE, GIT_READING; what git says lives in the arena (sim_given.c). */
enum bl_answer bl_sim_query_job(struct bl_sim *sim, struct bl_arena *arena, enum bl_read read,
                                bl_str asked, struct bl_value *out, struct bl_failure *failure);

#endif
