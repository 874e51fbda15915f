/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_BYLAW_PASSED_H
#define BL_BYLAW_PASSED_H

#include "bylaw/recording.h"
#include "bylaw/store_files.h"
#include "world/github/github.h"

/* What the workflow passes to the step and what the checkout holds: variables and secrets by
 * their names in the environment, and the files that git tracks. */
struct bl_passed {
    struct bl_session *session;
    struct bl_arena *arena;
    struct bl_recording *recording; /* NULL: nothing is recorded */
    bool is_replay;                 /* the lines say it, and not the environment */
    BL_VEC(const struct bl_json *) lines;
    bool files_read; /* git was asked for the tracked files */
    bool files_known;
    bl_str files; /* each with a NUL behind it */
    bl_str files_left;
    struct bl_store_files stores;
};

/* The answers of a recording's passed.jsonl. False when a line is none. */
bool bl_passed_replay(struct bl_passed *passed, bl_str lines);
struct bl_github_job bl_passed_job(struct bl_passed *passed);

#endif
