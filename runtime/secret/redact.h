/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_SECRET_REDACT_H
#define BL_SECRET_REDACT_H

#include "base/digest.h"
#include "secret/secret.h"
#include "text/pattern.h"

/* Redactions (RED-01 to RED-23): a text with markers for what is secret in it. A marker says
 * the kind, a size class and a keyed digest of what it stands for, never the value or its
 * length. The same value has the same marker as long as the redactor lives, and what is a
 * marker already is never masked again. */

#define BL_REDACTION_KEY_BYTES 32

/* What a caller has beside the policy. */
struct bl_redaction_input {
    const bl_str *literals; /* behind those of the policy; the first row of `list of secret`
                               takes them */
    size_t literal_count;
    const struct bl_pattern *patterns; /* so for `list of pattern` */
    size_t pattern_count;
    unsigned char key[BL_REDACTION_KEY_BYTES]; /* of this run; kept nowhere (RED-19) */
    size_t margin; /* of pieces, for tests; 0: as long as any match should be */
    bool anew;     /* for tests: nothing is taken over from one look at a text to the next */
};

struct bl_redactor; /* secret/redact_parts.h */

/* Asks the policy what it knows: the lists of its rows, their kinds and labels. *problem says
 * what is wrong with it after BL_ERR_INVALID, in a sentence. Everything stays in `arena`; the
 * host must live as long. BL_ERR_NOMEM, or what the host returned. */
BL_NODISCARD enum bl_status bl_redactor_create(struct bl_arena *arena,
                                               const struct bl_module *m, uint32_t redaction,
                                               const struct bl_secret_host *host,
                                               const struct bl_redaction_input *input,
                                               struct bl_redactor **out, bl_str *problem);

struct bl_redacted_span {
    size_t lo, hi; /* bytes of the text */
    bl_str marker;
    bl_str kind, source; /* of the first, then longest, then first row */
    uint32_t mask;       /* in MASKS */
};
struct bl_redacted {
    BL_VEC(struct bl_redacted_span) list; /* from left to right; none touches another's bytes */
    bl_str text;
    size_t settled; /* of a piece: up to where it is masked; else the length of the text */
    uint64_t steps; /* as bl_secret_findings */
};
/* Any bytes: those that are no UTF-8 stand between words and stay what they are. What overlaps
 * is one span, so that nothing of a longer secret is left beside a shorter one. Known
 * values are found in the forms of secret/known.h, too, and have the marker of the value.
 * Linear in the text for each pattern that is there. `arena` may be another one than that of
 * the redactor. BL_ERR_NOMEM, BL_ERR_INVALID with *problem, or what the host returned. */
BL_NODISCARD enum bl_status bl_redact(struct bl_redactor *redactor, struct bl_arena *arena,
                                      bl_str text, struct bl_redacted *out, bl_str *problem);

/* A piece of a text that is longer than memory. `text` holds in front of `from` the one
 * character that stands there, if any; `last`: nothing comes behind it. What a match may still
 * go on in stays: out->text is the masked text from `from` to out->settled, and the next piece
 * begins there (with the character in front). Nothing is settled when all of it may be one
 * secret: then the piece has to be longer. The pieces together are what bl_redact makes of the
 * whole, save that a pattern is told nothing of what stands farther behind than
 * bl_redactor_margin, so no match that is longer is promised. Errors as bl_redact. */
BL_NODISCARD enum bl_status bl_redact_piece(struct bl_redactor *redactor,
                                            struct bl_arena *arena, bl_str text, size_t from,
                                            bool last, struct bl_redacted *out,
                                            bl_str *problem);
size_t bl_redactor_margin(const struct bl_redactor *redactor);

/* JSON has names for what it holds: the row (in MASKS) of this sort whose pattern finds the key
 * (or KEY=TEXT), below or beside which every text is masked as a whole; BL_NONE. */
uint32_t bl_redactor_field(const struct bl_redactor *redactor, enum bl_mask_field field,
                           bl_str key);
/* A value below such a key is masked as a whole, where the row's condition holds for it; else
 * as any text. Empty ones stay. BL_ERR_INVALID with *problem, BL_ERR_NOMEM, or what the host
 * returned. */
BL_NODISCARD enum bl_status bl_redact_whole(struct bl_redactor *redactor,
                                            struct bl_arena *arena, uint32_t mask, bl_str value,
                                            struct bl_redacted *out, bl_str *problem);

/* Of all texts so far: how many configured literals and further patterns there are, and whether
 * one found anything, counted before overlaps are settled (RCK-22). */
size_t bl_redactor_literals(const struct bl_redactor *redactor);
bool bl_redactor_literal_matched(const struct bl_redactor *redactor, size_t index);
size_t bl_redactor_patterns(const struct bl_redactor *redactor);
bool bl_redactor_pattern_matched(const struct bl_redactor *redactor, size_t index);

/* What the redactor knows beside the patterns of its rows: the values and further patterns of
 * its lists, in the order of rows. For checks of the redaction itself; no value is for a
 * report.
 */
struct bl_redactor_known {
    bl_str value;   /* empty of a pattern */
    bl_str pattern; /* its source; empty of a value, and of a further pattern of the input */
    bl_str source;
    uint32_t mask; /* in MASKS */
};
size_t bl_redactor_known_count(const struct bl_redactor *redactor);
struct bl_redactor_known bl_redactor_known(const struct bl_redactor *redactor, size_t index);

/* What a row (in MASKS) found in all texts so far. Matches are counted before overlaps are
 * settled, and what it finds in another reading of a text where it stands. */
struct bl_redactor_row {
    uint64_t matches, bytes;
    uint64_t spans;      /* those that are named after it */
    bl_str kind, source; /* empty of a list, whose values have their own */
};
struct bl_redactor_row bl_redactor_row(const struct bl_redactor *redactor, uint32_t mask);
/* The keyed digest of a value, as markers have the beginning of it. */
void bl_redactor_digest(const struct bl_redactor *redactor, bl_str value,
                        unsigned char out[BL_DIGEST_BYTES]);
bool bl_redactor_is_on(const struct bl_redactor *redactor);

#endif
