/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_BYLAW_GIT_READING_H
#define BL_BYLAW_GIT_READING_H

#include "cli/session.h"
#include "world/world.h"

/* How git itself reads a patch (text/patch.h, bl_patch_numstat): `git apply --numstat -z`,
 * away from every repository and its settings, with the patch on standard input, and nothing is
 * applied. MISSING: git reads no patch in it, or one with a path that no reading has. FAILED:
 * git could not be asked, which is said to the session. */
enum bl_answer bl_git_reading(struct bl_session *session, struct bl_arena *arena, bl_str patch,
                              bl_str *reading);

#endif
