/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_BYLAW_RECORDING_MASK_H
#define BL_BYLAW_RECORDING_MASK_H

#include "cli/session.h"

/* What a recording masks besides the secrets of its run: whatever the redactions of the policy
 * find in its texts, or those of the shipped redaction when the policy has none. The same value
 * has the same marker in all of the folder, and its key is kept nowhere. */
struct bl_recording_mask;

/* NULL after a message. All of it stays in `arena`. */
struct bl_recording_mask *bl_recording_mask_create(struct bl_session *session,
                                                   struct bl_arena *arena);
/* JSON, whole, with its texts masked. `fields`: keys of its first level say what is secret.
 * An empty text when it could not be made; then nothing may be kept. */
bl_str bl_recording_masked(struct bl_recording_mask *mask, struct bl_arena *arena, bl_str json,
                           bool fields);
void bl_recording_mask_end(struct bl_recording_mask *mask);

#endif
