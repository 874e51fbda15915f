/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_BYLAW_REDACT_CHECK_H
#define BL_BYLAW_REDACT_CHECK_H

#include "bylaw/spool.h"
#include "bylaw/text_input.h"

/* bylaw redact-check: the inside, for its files. */

/* Exit codes of their own (RCK-17 to RCK-20). */
enum {
    BL_EXIT_UNREADABLE = 1,
    BL_EXIT_STALE_LITERALS = 25,
    BL_EXIT_STRICT = 26,
    BL_EXIT_RESIDUE = 27,
    BL_EXIT_DOUBTS = 28,
};

enum bl_check_format { BL_CHECK_TEXT, BL_CHECK_JSON, BL_CHECK_SARIF };

struct bl_source_name {
    bl_str path; /* "-": standard input */
};

/* A line of --baseline. */
struct bl_known_left {
    bl_str digest;
    bool is_there; /* in the samples */
};

struct bl_check {
    struct bl_session session;
    struct bl_arena arena; /* of all that stays: the redactor and its markers */
    struct bl_arena work;  /* of one piece */
    const struct bl_arguments *arguments;
    struct bl_text_run *run;
    uint32_t redaction; /* in REDACTIONS */
    struct bl_redaction_input input;
    struct bl_redactor *redactor;
    BL_VEC(struct bl_source_name) sources;
    bl_str text; /* the sample itself, without a source */
    BL_VEC(bl_str) literals;
    BL_VEC(struct bl_pattern) patterns;
    bool is_trajectory;
    uint32_t residue; /* in SECRETS; BL_NONE */
    size_t left;      /* of it, but for what the baseline has */
    BL_VEC(struct bl_known_left) baseline;
    struct bl_arena rest_arena; /* what may still go on of a masked text */
    bl_str rest;
    size_t rest_from;
    uint64_t rest_base;
    /* The report (redact_report.c). */
    enum bl_check_format format;
    bool quiet;
    size_t samples; /* so far */
    size_t matches; /* of this sample */
    uint64_t line,
        counted; /* of it: which line the byte stands in up to which it was counted */
    bool body_ends_line;
    struct bl_spool head, body, all;
};

enum bl_exit bl_check_say(struct bl_check *c, bl_str path, bl_str sentence, int exit);
enum bl_exit bl_check_out_of_memory(struct bl_check *c);
enum bl_exit bl_check_failed(struct bl_check *c, bl_str name, enum bl_status status,
                             bl_str problem);

/* Another redactor of the same redaction and input, in the arena of the check: what it counts
 * is its own. */
enum bl_exit bl_check_redactor(struct bl_check *c, struct bl_redactor **out);

/* redact_sources.c: what stands on the command line, and what it names. */
enum bl_exit bl_check_sources(struct bl_check *c);
enum bl_exit bl_check_literals(struct bl_check *c);
enum bl_exit bl_check_patterns(struct bl_check *c);
enum bl_exit bl_check_baseline(struct bl_check *c);
/* How often the option stands there. */
size_t bl_check_given(const struct bl_check *c, const char *option);

/* redact_samples.c: masks all samples, piece by piece, into the report. */
enum bl_exit bl_check_samples(struct bl_check *c);

/* redact_report.c. `text`: the piece, and `base` where it begins in its sample. */
bool bl_check_report_begin(struct bl_check *c);
void bl_check_sample_begin(struct bl_check *c);
void bl_check_sample_piece(struct bl_check *c, bl_str name, bl_str text,
                           const struct bl_redacted *redacted, uint64_t base);
void bl_check_sample_end(struct bl_check *c, bl_str name);
enum bl_exit bl_check_report_end(struct bl_check *c);
void bl_check_report_free(struct bl_check *c);

/* Masks the strings and numbers of a trajectory (JSON, or a value a line), so that it stays
 * one; spans are bytes of the file. BL_ERR_IO with a sentence in *problem when it is none. */
enum bl_status bl_check_trajectory(struct bl_redactor *redactor, struct bl_arena *arena,
                                   bl_str text, struct bl_redacted *out, bl_str *problem);
bool bl_check_is_json(struct bl_arena *arena, bl_str text);

/* The same for JSON of ours, which is whole: texts in it that are JSON themselves are gone
 * into, and are JSON afterwards. `fields`: keys of its first level count too. */
enum bl_status bl_mask_json(struct bl_redactor *redactor, struct bl_arena *arena, bl_str text,
                            bool fields, struct bl_redacted *out, bl_str *problem);

#endif
