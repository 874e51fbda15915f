/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TESTS_UNIT_WORLD_SIM_FIXTURE_H
#define BL_TESTS_UNIT_WORLD_SIM_FIXTURE_H

#include "support/check.h"
#include "support/things.h"
#include "world/sim/sim_people.h"

/* What the tests of the simulator share: an empty repository octo/demo with the account
 * github-actions[bot] at 2026-11-02T08:00:00Z, and a snapshot of it. */
struct sim_fixture {
    struct bl_arena arena;
    struct bl_diagnostics sink;
    struct bl_sim *sim;
    struct bl_snapshot *snapshot;
    struct bl_failure failure;
};
extern struct sim_fixture fixture;

int sim_set_up(void **state);
int sim_tear_down(void **state);

/* A time, which must parse. */
int64_t at(const char *time);
/* Forgets what was read, as a new unit does. */
void look_again(void);
/* A field of an issue of octo/demo as a fresh look at the world reads it ("author.login",
 * "comments"); lists are read to their end. "FAILED: why" when a read fails. */
const char *issue_says(int64_t number, const char *path);
const char *pull_says(int64_t number, const char *path);
const char *repository_says(const char *path);
/* The same of any object of the snapshot. */
const char *thing_says(struct bl_object *thing, const char *path);
/* Loads a world file; the test fails when it has mistakes. */
void load_world(const char *json);
/* The world as a world file. */
const char *dumped(void);

#endif
