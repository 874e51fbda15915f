/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_WORLD_SIM_SIM_CHANGE_H
#define BL_WORLD_SIM_SIM_CHANGE_H

#include "world/sim/sim_model.h"

/* What changes in the repository, whoever does it: the account of the run (sim_write.c) or a
 * person (sim_people.c). Each change does on the issue what GitHub does beside it: its event in
 * the timeline, its times. Private to this room.
 *
 * False when out of memory. *changed says whether anything did; GitHub leaves no event for what
 * is so already. Lists that are not known (a repository seeded from a payload) stay unknown. */

bool bl_sim_change_timeline(struct bl_sim *sim, struct bl_object *issue, unsigned kind,
                            struct bl_object *actor, int64_t at, bl_str label);

/* A label that the repository lacks is created, as GitHub does. */
bool bl_sim_change_label(struct bl_sim *sim, struct bl_object *issue, struct bl_object *actor,
                         bl_str label, int64_t at, bool *changed);
bool bl_sim_change_unlabel(struct bl_sim *sim, struct bl_object *issue, struct bl_object *actor,
                           bl_str label, int64_t at, bool *changed);
bool bl_sim_change_close(struct bl_sim *sim, struct bl_object *issue, struct bl_object *actor,
                         unsigned reason, int64_t duplicate_of, int64_t at, bool *changed);
bool bl_sim_change_reopen(struct bl_sim *sim, struct bl_object *issue, struct bl_object *actor,
                          int64_t at, bool *changed);
/* `reason` is a word of lock_reason, or empty. */
bool bl_sim_change_lock(struct bl_sim *sim, struct bl_object *issue, struct bl_object *actor,
                        bl_str reason, int64_t at, bool *changed);
bool bl_sim_change_unlock(struct bl_sim *sim, struct bl_object *issue, struct bl_object *actor,
                          int64_t at, bool *changed);
bool bl_sim_change_assign(struct bl_sim *sim, struct bl_object *issue, struct bl_object *actor,
                          struct bl_object *assignee, int64_t at, bool *changed);
/* Files the issue under a milestone that is made, closed, when there is none of that title. */
bool bl_sim_change_milestone(struct bl_sim *sim, struct bl_object *issue,
                             struct bl_object *actor, bl_str title, int64_t at, bool *changed);

/* NULL when out of memory. */
struct bl_object *bl_sim_change_comment(struct bl_sim *sim, struct bl_object *issue,
                                        struct bl_object *author, bl_str text, int64_t at);
void bl_sim_change_comment_text(struct bl_sim *sim, struct bl_object *comment, bl_str text,
                                int64_t at);
void bl_sim_change_delete_comment(struct bl_sim *sim, struct bl_object *comment, int64_t at);
/* One reaction of a kind by one person. */
bool bl_sim_change_react(struct bl_sim *sim, struct bl_object *comment, struct bl_object *user,
                         unsigned kind, int64_t at, bool *changed);
bool bl_sim_change_edit(struct bl_sim *sim, struct bl_object *issue, struct bl_object *editor,
                        bl_str text, int64_t at);
struct bl_object *bl_sim_change_status(struct bl_sim *sim, struct bl_object *commit,
                                       struct bl_object *creator, bl_str context,
                                       unsigned state, bl_str description, int64_t at);

/* Counts of reactions, from the reactions. */
void bl_sim_count_reactions(struct bl_object *comment);

#endif
