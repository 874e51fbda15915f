/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_EVENT_NAMES_H
#define BL_EVENT_NAMES_H

#include "base/str.h"

/* What GitHub allows as a name. Everything that comes in as a name is held against these, so
 * that no name can carry a line end, a terminal escape or nothing at all. */

/* Letters, digits, '-' and '_', perhaps with "[bot]" behind; at most 100 bytes. */
bool bl_is_login(bl_str s);
/* "owner/name": letters, digits, '-', '_' and '.', a name other than "." and "..". */
bool bl_is_repository_name(bl_str s);
/* Any other name (tag, branch, label, context, workflow): 1 to 1024 bytes of which none is a
 * control character (C0, DEL). */
bool bl_is_name(bl_str s);
/* A bot says so in its login; the kind that GitHub gives says it too. */
bool bl_is_bot_login(bl_str s);

/* What GitHub keeps of a text (limits.def, comment_chars). All that it says of one comes
 * through here: no more is read, whatever an answer holds. */
bl_str bl_kept_text(bl_str s);

/* What stands for a user or a repository that is gone. The user "ghost" is GitHub's own. */
#define BL_GHOST_LOGIN      BL_STR("ghost")
#define BL_GHOST_ID         10137
#define BL_GHOST_REPOSITORY BL_STR("ghost/ghost")

#endif
