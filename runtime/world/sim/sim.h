/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_WORLD_SIM_SIM_H
#define BL_WORLD_SIM_SIM_H

#include "event/event.h"
#include "world/world.h"

/* A repository in memory: issues with their timeline, comments, edits and reactions, users with
 * association and permission, labels, releases, pull requests, commits, variables, secrets, and a
 * clock. It answers reads, carries out effects as GitHub does (each leaves its timeline event and
 * moves times), and lets people act (tests). It is the judge of nothing: the fake server of the
 * tests and GitHub's recordings hold it to the truth. */
struct bl_sim;

/* An empty repository. `account` is who the run writes as. NULL when out of memory. */
struct bl_sim *bl_sim_create(struct bl_arena *arena, bl_str repository, bl_str account,
                             int64_t now);
/* Loads a world file (docs/world-file.md): JSON whose keys are the names of entities.def. Errors are
 * diagnostics with the place in the JSON. */
BL_NODISCARD enum bl_status bl_sim_load(struct bl_sim *sim, bl_str json, uint32_t source,
                                        struct bl_diagnostics *sink);
/* Puts in what a payload says: issue, comment, actor, repository. Reads beyond that fail and their
 * help says that --world brings them. */
BL_NODISCARD enum bl_status bl_sim_seed(struct bl_sim *sim, const struct bl_event *event);
/* The repository as a world file again (stable order): tests compare end states with it. */
void bl_sim_dump(const struct bl_sim *sim, struct bl_buf *out);

/* The interface for the machine. Stays valid as long as the simulator. */
const struct bl_world *bl_sim_world(struct bl_sim *sim);

int64_t bl_sim_now(const struct bl_sim *sim);
void bl_sim_set_now(struct bl_sim *sim, int64_t now); /* never backwards */

/* Makes the next `times` reads of this kind (and writes, with bl_sim_fail_writes) answer so. */
enum bl_sim_fault { BL_FAULT_NONE, BL_FAULT_MISSING, BL_FAULT_SERVER_ERROR, BL_FAULT_RATE_LIMIT,
                    BL_FAULT_REFUSED };
void bl_sim_fail_read(struct bl_sim *sim, enum bl_read read, enum bl_sim_fault fault,
                      unsigned times);
/* The run is cut after `writes` more writes: each further write is not carried out and fails. */
void bl_sim_cut_after(struct bl_sim *sim, size_t writes);
void bl_sim_uncut(struct bl_sim *sim);
/* How many writes were carried out, and the n-th as a line of text ("add label stale to #12"). */
size_t bl_sim_write_count(const struct bl_sim *sim);

#endif
