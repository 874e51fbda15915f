/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_WORLD_SIM_SIM_H
#define BL_WORLD_SIM_SIM_H

#include "event/event.h"
#include "world/world.h"

/* A repository in memory: issues with their timeline, comments, edits and reactions, users with
 * association and permission, labels, releases, pull requests, commits, variables, secrets, and
 * a clock. It answers reads, carries out effects as GitHub does (each leaves its timeline event
 * and moves times), and lets people act (sim_people.h). It is the judge of nothing: the fake
 * server of the tests and GitHub's recordings hold it to the truth. */
struct bl_sim;

/* An empty repository, of which everything is known: what was not put in is not there.
 * `account` is who the run writes as, a bot. Texts are copied. NULL when out of memory, or when
 * a name is none. */
struct bl_sim *bl_sim_create(struct bl_arena *arena, bl_str repository, bl_str account,
                             int64_t now);

/* Loads a world file (docs/world-file.md): JSON whose keys are the names of entities.def. It
 * replaces the repository's name, account and clock where it gives them, and adds the rest.
 * BL_ERR_INVALID: diagnostics with the place in the JSON, every mistake that was found;
 * BL_ERR_NOMEM. The simulator is of no use after a failure. */
BL_NODISCARD enum bl_status bl_sim_load(struct bl_sim *sim, bl_str json, uint32_t source,
                                        struct bl_diagnostics *sink);

/* Puts in what a payload says: issue or pull request, comment, actor, repository; of a run by
 * hand the repository alone. Without a loaded world file the repository is then known in part:
 * reads beyond the payload fail, and their help says that --world brings them. With one, only
 * what the file lacks is put in. */
BL_NODISCARD enum bl_status bl_sim_seed(struct bl_sim *sim, const struct bl_event *event);

/* The repository as a world file again (sorted, complete, stable): tests compare end states
 * with it, and loading it gives the same repository. */
void bl_sim_dump(const struct bl_sim *sim, struct bl_buf *out);

/* The interface for the machine. Stays valid as long as the simulator. */
const struct bl_world *bl_sim_world(struct bl_sim *sim);

int64_t bl_sim_now(const struct bl_sim *sim);
void bl_sim_set_now(struct bl_sim *sim, int64_t now); /* never backwards */
bl_str bl_sim_repository(const struct bl_sim *sim);
bl_str bl_sim_account(const struct bl_sim *sim);

/* Who asks git itself how it reads a patch: text/patch.h's reading, in the arena; MISSING when
 * git reads none in it. Without one the read fails, unless the world says it. */
struct bl_sim_git {
    enum bl_answer (*read)(void *context, struct bl_arena *arena, bl_str patch,
                           bl_str *reading);
    void *context;
};
void bl_sim_set_git(struct bl_sim *sim, struct bl_sim_git git);

/* ---- faults ------------------------------------------------------------------------------ */

enum bl_sim_fault {
    BL_FAULT_NONE,
    BL_FAULT_MISSING,      /* not found; of a write: the thing is gone */
    BL_FAULT_SERVER_ERROR, /* the same run later may succeed */
    BL_FAULT_RATE_LIMIT,
    BL_FAULT_REFUSED,     /* the token may not do this */
    BL_FAULT_LOST_ANSWER, /* of a write: carried out, but nobody says so */
};
/* "missing", "server_error", "rate_limit", "refused", "lost_answer"; BL_FAULT_NONE for others.
 */
enum bl_sim_fault bl_sim_fault_find(bl_str name);
/* Makes `times` reads of this kind answer so, after the next `skip` ones that answer as usual.
 * Every page of a list is a read. One fault a kind of read: a new one replaces it. */
void bl_sim_fail_reads(struct bl_sim *sim, enum bl_read read, enum bl_sim_fault fault,
                       unsigned skip, unsigned times);
void bl_sim_fail_writes(struct bl_sim *sim, enum bl_sim_fault fault, unsigned skip,
                        unsigned times);
/* Elements of one page of a list; 100 as on GitHub unless set. */
void bl_sim_set_page(struct bl_sim *sim, uint32_t elements);
/* The run is cut after `writes` more writes: each further write is not carried out and fails.
 */
void bl_sim_cut_after(struct bl_sim *sim, size_t writes);
void bl_sim_uncut(struct bl_sim *sim);

/* How many writes were carried out, and the n-th (from 0) as a line of text ("add label stale
 * to #12"); empty when there is none. */
size_t bl_sim_write_count(const struct bl_sim *sim);
bl_str bl_sim_write_text(const struct bl_sim *sim, size_t n);

#endif
