/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_BYLAW_ON_GITHUB_H
#define BL_BYLAW_ON_GITHUB_H

#include "cli/session.h"
#include "world/github/github.h"

/* GitHub as the world of `bylaw`: the client's options from the environment that a step of
 * GitHub Actions has (docs/actions.md). */

struct bl_on_github {
    struct bl_session *session;
    struct bl_arena *arena; /* of the run */
    struct bl_github *client;
    /* A test's run is one against this machine: HTTP to a loopback address is taken, and its
     * clock moves when the client waits, instead of the run standing still. */
    bool is_test;
    int64_t test_now;
    bool files_read; /* git was asked for the tracked files */
    bool files_known;
    bl_str files; /* each with a NUL behind it */
    bl_str files_left;
};

/* Does the environment say that GitHub is the world (a step of Actions)? */
bool bl_in_actions(void);

/* The client for the repository and the token of the environment; nothing is opened or sent
 * yet. NULL with *exit after a message: USAGE when the environment lacks something, INTERNAL.
 * `now` is the clock of a test. */
struct bl_on_github *bl_on_github_open(struct bl_session *session, struct bl_arena *arena,
                                       int64_t now, enum bl_exit *exit);
void bl_on_github_close(struct bl_on_github *github);

#endif
