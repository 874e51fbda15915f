/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_SECRET_REDACT_PARTS_H
#define BL_SECRET_REDACT_PARTS_H

#include "base/digest.h"
#include "secret/known.h"
#include "secret/part.h"
#include "secret/redact.h"
#include "secret/view.h"

/* The inside of a redactor. */

enum bl_known_kind { BL_KNOWN_LITERAL, BL_KNOWN_PATTERN, BL_KNOWN_ENVIRONMENT };

/* A value or a further pattern that a list row gave. */
struct bl_known_value {
    enum bl_known_kind what;
    uint32_t mask;  /* in MASKS */
    uint32_t index; /* among those of its kind, as people count them */
    bl_str value;   /* of a pattern its source, as far as the module knows it */
    struct bl_pattern pattern;
    bl_str kind, source;
    bool matched;
};
/* The words of a pattern row. */
struct bl_mask_words {
    bl_str kind, source;
};
/* What a row found so far. */
struct bl_mask_count {
    uint64_t matches, bytes, spans;
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
    struct bl_digest_state keyed[2]; /* of markers, with the key in it: inner and outer */
    bool is_on;
    BL_VEC(struct bl_known_value) known; /* in the order of rows */
    struct bl_mask_words *words;         /* of each mask of the redaction */
    struct bl_mask_count *counts;        /* so too */
    size_t margin;
    bool anew;
    struct bl_known_forms forms; /* of known: not of patterns */
    struct bl_marked *marked;    /* open hash */
    size_t marked_count, marked_slots;
};

/* A match of one row. */
struct bl_redact_hit {
    size_t lo, hi;
    struct bl_match whole;        /* what the pattern needs to find it */
    uint32_t mask;                /* its row, in MASKS; for ties */
    struct bl_known_value *known; /* whose value or pattern it is; or NULL */
    bl_str kind, source;
    bl_str value; /* as it reads where it was found, when that is another text */
};
/* One text that is being masked. */
struct bl_redacting {
    struct bl_redactor *r;
    struct bl_arena *arena;
    struct bl_arena scratch;
    bl_str text;                       /* as it is */
    bl_str plain;                      /* of the same length, valid UTF-8 */
    struct bl_secret_sought first;     /* in that, with markers */
    bl_str shadow;                     /* the same without its markers */
    struct bl_secret_sought sought;    /* in the shadow */
    const struct bl_redacting *before; /* what this one was made of, by changes; or NULL */
    const struct bl_text_change *changes;
    size_t change_count;
    bool taken_over;                     /* all but the changes is what it was */
    bool left_out;                       /* other readers have less than the text ... */
    struct bl_view_lines read_otherwise; /* ... or have these lines in another way */
    size_t from;                         /* what stands in front is context */
    bool last;
    bool is_draft; /* made to be read again: from the context on, and nothing is counted */
    struct {
        struct bl_redact_hit *items;
        size_t count, capacity;
    } hits;
    struct bl_secret_spans kept; /* markers */
    bool *joined; /* of each byte: it is read together with the one in front; or NULL */
    struct bl_redacted *out;
    bl_str *problem;
};
/* Adds to g->hits all that the text has, and to g->kept its markers. Errors as bl_redact. */
enum bl_status bl_redact_find(struct bl_redacting *g);
/* The same for g->text alone; g->sought knows it then. */
enum bl_status bl_redact_find_in(struct bl_redacting *g);
/* What is found when the text is read as others read it. */
enum bl_status bl_redact_views(struct bl_redacting *g);
/* Adds what only the masked text has, until nothing more is found in it. Errors as bl_redact.
 */
enum bl_status bl_redact_again(struct bl_redacting *g);
/* Fills `out` from what was found, up to out->settled. Errors as bl_redact. */
enum bl_status bl_redact_write(struct bl_redacting *g);
/* The same, up to where the piece is settled. */
enum bl_status bl_redact_settle(struct bl_redacting *g);
/* The place, or the beginning of the character that it would cut. */
size_t bl_redact_before_character(bl_str text, size_t at);

void bl_redactor_set_key(struct bl_redactor *redactor, const unsigned char *key);
/* The marker of a value, the same for each time. BL_ERR_INVALID with *problem. */
enum bl_status bl_redactor_marker(struct bl_redactor *redactor, bl_str kind, bl_str value,
                                  bl_str *marker, bl_str *problem);

#endif
