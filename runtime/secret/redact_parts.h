/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_SECRET_REDACT_PARTS_H
#define BL_SECRET_REDACT_PARTS_H

#include "base/digest.h"
#include "secret/part.h"
#include "secret/redact.h"

/* The inside of a redactor. */

enum bl_known_kind { BL_KNOWN_LITERAL, BL_KNOWN_PATTERN, BL_KNOWN_ENVIRONMENT };

/* A value or a further pattern that a list row gave. */
struct bl_known_value {
    enum bl_known_kind what;
    uint32_t mask;  /* in MASKS */
    uint32_t index; /* among those of its kind, as people count them */
    bl_str value;   /* not of patterns */
    struct bl_pattern pattern;
    bl_str kind, source;
    bool matched;
};
/* The words of a pattern row. */
struct bl_mask_words {
    bl_str kind, source;
};
/* A value that has a marker. */
struct bl_marked {
    unsigned char digest[BL_DIGEST_BYTES]; /* keyed */
    bl_str marker;
    bool used;
};

struct bl_redactor {
    struct bl_arena *arena;
    const struct bl_module *m;
    const struct bl_module_redaction *row;
    struct bl_secret_host host;
    unsigned char key[BL_REDACTION_KEY_BYTES];
    bool is_on;
    BL_VEC(struct bl_known_value) known; /* in the order of rows */
    struct bl_mask_words *words;         /* of each mask of the redaction */
    struct bl_pattern values;            /* a set: which values are in a text */
    bool *left_out;                      /* of known: the set does not look for it */
    uint32_t *number_in_set;             /* of known */
    struct bl_marked *marked;            /* open hash */
    size_t marked_count, marked_slots;
};

/* The marker of a value, the same for each time. BL_ERR_INVALID with *problem. */
enum bl_status bl_redactor_marker(struct bl_redactor *redactor, bl_str kind, bl_str value,
                                  bl_str *marker, bl_str *problem);

#endif
