/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_BYLAW_REDACT_CHECK_H
#define BL_BYLAW_REDACT_CHECK_H

#include "bylaw/text_input.h"

/* bylaw redact-check: the inside, for its files. */

/* Exit codes of their own (RCK-17 to RCK-20). */
enum {
    BL_EXIT_UNREADABLE = 1,
    BL_EXIT_STALE_LITERALS = 25,
    BL_EXIT_STRICT = 26,
    BL_EXIT_RESIDUE = 27,
};

/* A sample, masked. */
struct bl_checked {
    bl_str name; /* of its file; empty for text and standard input */
    bl_str text;
    struct bl_redacted redacted;
};
struct bl_check_report {
    struct bl_session *session;
    struct bl_arena *arena;
    const struct bl_redactor *redactor;
    const struct bl_checked *samples;
    size_t sample_count;
    bool suppressed; /* no body */
};

void bl_check_text(const struct bl_check_report *report, struct bl_buf *out);
void bl_check_json(const struct bl_check_report *report, struct bl_buf *out);
void bl_check_sarif(const struct bl_check_report *report, struct bl_buf *out);

/* Masks the strings of a trajectory (JSON, or a value a line), so that it stays one; spans are
 * bytes of the file. BL_ERR_INVALID with a sentence in *problem when it is none. */
enum bl_status bl_check_trajectory(struct bl_redactor *redactor, struct bl_arena *arena,
                                   bl_str text, struct bl_redacted *out, bl_str *problem);

/* The same for JSON of ours, which is whole: texts in it that are JSON themselves are gone
 * into, and are JSON afterwards. `fields`: keys of its first level count too. */
enum bl_status bl_mask_json(struct bl_redactor *redactor, struct bl_arena *arena, bl_str text,
                            bool fields, struct bl_redacted *out, bl_str *problem);

#endif
