/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TESTS_UNIT_RUN_RUNNING_H
#define BL_TESTS_UNIT_RUN_RUNNING_H

#include "run/run.h"
#include "support/scripted_world.h"
#include "support/stage.h"

/* A run of the stage's job 0 over a scripted repository with issue 12. */

struct running {
    struct bl_arena *arena;
    struct stage stage;
    struct scripted_world world;
    struct bl_event event;
    struct bl_run_options options;
    struct bl_run_result result;
    struct bl_diagnostics sink;
};

/* Declarations and world; then add functions and entries. False when out of memory. */
bool running_open(struct running *r, struct bl_arena *arena);
/* A rule with its function, in the assembler's words: "NAME … " of `entry NAME() : bool job 0`.
 */
uint32_t running_rule(struct running *r, const char *name, enum bl_event_id event,
                      const char *body);
/* Verifies; the event is `event` about issue 12 by alice. False when out of memory. */
bool running_ready(struct running *r, enum bl_event_id event);
enum bl_status running_go(struct running *r);
/* How many diagnostics of that code the last run gave. */
size_t running_count(const struct running *r, unsigned code);
bl_str running_log(const struct running *r); /* lines of the run's log, one each */

#endif
