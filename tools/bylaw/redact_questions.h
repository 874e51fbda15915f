/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_BYLAW_REDACT_QUESTIONS_H
#define BL_BYLAW_REDACT_QUESTIONS_H

#include "bylaw/redact_check.h"
#include "event/json.h"

/* bylaw redact-check, asked about the redaction itself: --list-kinds, --explain, --idempotent,
 * --chunk, --probe. Each writes its part of one answer, as text or as a member of one JSON
 * object; the masked sample is not printed then. */

struct bl_check_answer {
    struct bl_check *c;
    bl_str sample;
    bool has_sample;
    bool json;
    bool failed; /* the redaction does not do what it should */
    struct bl_buf out;
    struct bl_json_writer w;
};

bool bl_check_has_questions(const struct bl_check *c);
/* All questions that were asked can be answered without a sample, and none was named. */
bool bl_check_needs_no_sample(const struct bl_check *c);
enum bl_exit bl_check_questions(struct bl_check *c);

/* The text masked as a whole, in c->work; of --trajectory as one. BL_EXIT_OK, or after a
 * message. */
enum bl_exit bl_answer_mask(struct bl_check_answer *a, struct bl_redactor *redactor,
                            bl_str text, struct bl_redacted *out);
/* The place of a row of the policy as text: "path:line: words". */
bl_str bl_answer_place(struct bl_check_answer *a, uint32_t source, uint32_t lo);
/* Pattern `index` of the module. */
struct bl_pattern bl_answer_pattern(const struct bl_check_answer *a, uint32_t index);
/* Members of the object of JSON that is open. */
void bl_answer_text(struct bl_check_answer *a, const char *key, bl_str value);
void bl_answer_number(struct bl_check_answer *a, const char *key, uint64_t value);
void bl_answer_bool(struct bl_check_answer *a, const char *key, bool value);

/* Each answers one of them. */
enum bl_exit bl_answer_kinds(struct bl_check_answer *a);      /* redact_rows.c */
enum bl_exit bl_answer_explain(struct bl_check_answer *a);    /* redact_explain.c */
enum bl_exit bl_answer_idempotent(struct bl_check_answer *a); /* redact_pieces.c */
enum bl_exit bl_answer_chunk(struct bl_check_answer *a);
enum bl_exit bl_answer_probe(struct bl_check_answer *a); /* redact_probe.c */

/* Writes a text in another form: redact_probe_forms.c. *lo and *hi are bytes of the text, and
 * then those of the form that come from them alone. `out` is empty. */
typedef void bl_probe_encoder(struct bl_buf *out, bl_str text, size_t *lo, size_t *hi);
bl_probe_encoder bl_probe_plain, bl_probe_percent, bl_probe_json_escapes, bl_probe_c_escapes,
    bl_probe_entities, bl_probe_hex, bl_probe_hex_in_capitals, bl_probe_base64,
    bl_probe_base64_for_addresses;

#endif
