/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_BYLAW_TEXT_INPUT_H
#define BL_BYLAW_TEXT_INPUT_H

#include "bylaw/scene.h"
#include "run/run.h"
#include "secret/redact.h"

/* What the commands about texts share: `bylaw try secrets|redaction` and `bylaw redact-check`.
 */

/* Index of the declaration of that name; BL_NONE. */
uint32_t bl_texts_secrets(const struct bl_module *m, bl_str name);
uint32_t bl_texts_redaction(const struct bl_module *m, bl_str name);
/* The place of a row of a policy, "path:line", and the line's words. */
bl_str bl_texts_place(struct bl_session *session, struct bl_arena *arena, uint32_t source,
                      uint32_t lo);
/* The key of markers: the bytes of a file as a digest, or of the system's chance for an empty
 * path. */
enum bl_exit bl_texts_key(struct bl_session *session, bl_str path,
                          unsigned char key[BL_REDACTION_KEY_BYTES]);
/* What a run has by chance: the seed of its ids; and redactions of the policy mask the
 * variables of this process, with markers that nobody can make again. False when out of memory,
 * or when the system has no random numbers. */
bool bl_texts_redactions(struct bl_arena *arena, struct bl_run_options *options);
/* The variables of this process. */
bool bl_texts_environment(struct bl_arena *arena, struct bl_environment_variable **out,
                          size_t *count);

/* `bylaw try secrets|redaction NAME`: see try_secrets.c. */
enum bl_exit bl_try_texts(struct bl_scene *scene, const struct bl_arguments *arguments,
                          bl_str kind, bl_str name);

enum bl_exit bl_bylaw_redact_check(int argc, char **argv);

#endif
