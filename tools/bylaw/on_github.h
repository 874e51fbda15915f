/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_BYLAW_ON_GITHUB_H
#define BL_BYLAW_ON_GITHUB_H

#include "bylaw/passed.h"

/* GitHub as the world of `bylaw`: the client's options from the environment that a step of
 * GitHub Actions has (docs/actions.md). */

struct bl_job_summary; /* job_summary.h */

struct bl_on_github {
    struct bl_session *session;
    struct bl_arena *arena; /* of the run */
    struct bl_github *client;
    struct bl_github_options options;
    struct bl_passed passed;
    struct bl_job_summary *summary; /* is told of each write; NULL: nobody */
    /* A test's run is one against this machine: HTTP to a loopback address is taken, and its
     * clock moves when the client waits, instead of the run standing still. */
    bool is_test;
    int64_t test_now;
};

/* Does the environment say that GitHub is the world (a step of Actions)? */
bool bl_in_actions(void);

/* The client for the repository and the token of the environment; nothing is opened or sent
 * yet. NULL with *exit after a message: USAGE when the environment lacks something, INTERNAL.
 * `now` is the clock of a test; `recording` may be NULL. */
struct bl_on_github *bl_on_github_open(struct bl_session *session, struct bl_arena *arena,
                                       int64_t now, struct bl_recording *recording,
                                       enum bl_exit *exit);
/* The same over a recording. NULL with *exit after a message. */
struct bl_on_github *bl_on_github_replay(struct bl_session *session, struct bl_arena *arena,
                                         bl_str folder, const struct bl_recorded *recorded,
                                         enum bl_exit *exit);
void bl_on_github_close(struct bl_on_github *github);

#endif
