/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_BYLAW_REDACTION_TAPE_H
#define BL_BYLAW_REDACTION_TAPE_H

#include "bylaw/recording.h"
#include "run/run.h"

/* What the redactions of a policy gave to it in a run that is recorded: a replay has neither
 * the run's environment nor the key of its markers, and its texts are masked before the policy
 * asks. redactions.jsonl has a line for each call, in order: {"redaction": 0}, and where
 * something was found "masked", the text with markers, and "masks", the kind and the source of
 * each. What was masked stands nowhere. */
/* For options->redacted of a run that is recorded; NULL without memory. */
const struct bl_redacted_hook *bl_redaction_tape_record(struct bl_recording *recording);
/* Of the recorded run: NULL after a message. Only for the policy that was recorded: another one
 * calls in another order. */
const struct bl_redacted_hook *bl_redaction_tape_replay(struct bl_session *session,
                                                        bl_str folder);

#endif
