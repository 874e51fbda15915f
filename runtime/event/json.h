/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_EVENT_JSON_H
#define BL_EVENT_JSON_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/source.h"

/* JSON from outside, read strictly (RFC 8259, and less): one value and nothing behind it, valid
 * UTF-8 without byte order mark, no control character in a string, no half surrogate, no key
 * twice in one object however it is escaped, bounded depth, numbers that a double can hold. A
 * NUL escape in a string becomes U+FFFD and is counted, since a stranger must not be able to
 * stop a run. json.c is the only user of cJSON; its tree is gone when bl_json_parse returns. */

enum bl_json_kind {
    BL_JSON_NULL,
    BL_JSON_FALSE,
    BL_JSON_TRUE,
    BL_JSON_INT,    /* written as digits, and between -2^53 and 2^53, both excluded */
    BL_JSON_NUMBER, /* every other number: a fraction, an exponent, a large integer */
    BL_JSON_STRING,
    BL_JSON_ARRAY,
    BL_JSON_OBJECT,
};

struct bl_json_rank; /* event/json.c */

struct bl_json {
    enum bl_json_kind kind;
    uint32_t lo, hi; /* bytes of the input; of an array or object its first bracket */
    bl_str key;      /* of a member of an object */
    bl_str string;   /* STRING: valid UTF-8 without NUL; NUMBER, INT: its spelling */
    int64_t integer;
    struct bl_json *items; /* ARRAY, OBJECT: `count` children, one array, as written */
    size_t count;
    const struct bl_json_rank *order; /* of a wide object: its members by key */
    const struct bl_json *parent;     /* for messages that name a place: NULL at the root */
};

struct bl_json_error {
    size_t offset;  /* byte in the input */
    bl_str message; /* a sentence */
    bool no_memory; /* not the input's fault */
};

#define BL_JSON_DEPTH_MAX 512

/* NULL on failure with *error set. `max_depth` is cut to BL_JSON_DEPTH_MAX; a value that is no
 * array or object has depth 0. *notes is raised by the number of NUL escapes replaced. Nothing
 * of the input is kept. Everything that is alive at a time, cJSON's tree included, stays below
 * the arena's limit; time is O(n log n). Safe in several threads (one parse at a time). */
const struct bl_json *bl_json_parse(struct bl_arena *arena, bl_str input, size_t max_depth,
                                    size_t *notes, struct bl_json_error *error);
/* Member of an object by exact key; NULL when `object` is NULL, no object, or has none.
 * Logarithmic in wide objects. */
const struct bl_json *bl_json_get(const struct bl_json *object, bl_str key);
/* What stands at keys joined by points ("issue.user.login"); NULL when a step is missing. */
const struct bl_json *bl_json_at(const struct bl_json *object, bl_str path);
/* A path for messages: "issue.labels[2].name"; a key that is no plain name stands quoted in
 * brackets. The root is "$". */
void bl_json_path(struct bl_buf *out, const struct bl_json *node);

/* Writer: commas, escapes and nesting are its business. Control characters, DEL, U+0080 to
 * U+009F, U+2028 and U+2029 are escaped, other valid UTF-8 is kept, bytes that are not UTF-8
 * become U+FFFD. Deeper nesting than BL_JSON_WRITE_DEPTH sets out->failed. */
#define BL_JSON_WRITE_DEPTH 64
struct bl_json_writer {
    struct bl_buf *out;
    bool pretty;
    unsigned depth;
    bool after_key;
    bool has_item[BL_JSON_WRITE_DEPTH];
};
void bl_json_writer_init(struct bl_json_writer *w, struct bl_buf *out, bool pretty);
void bl_json_begin_object(struct bl_json_writer *w);
void bl_json_end_object(struct bl_json_writer *w);
void bl_json_begin_array(struct bl_json_writer *w);
void bl_json_end_array(struct bl_json_writer *w);
void bl_json_key(struct bl_json_writer *w, bl_str key);
void bl_json_string(struct bl_json_writer *w, bl_str value);
void bl_json_integer(struct bl_json_writer *w, int64_t value);
void bl_json_bool(struct bl_json_writer *w, bool value);
void bl_json_null(struct bl_json_writer *w);

#endif
