/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_EVENT_JSON_H
#define BL_EVENT_JSON_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/source.h"

/* JSON from outside, read strictly: whole input, valid UTF-8, no duplicate keys, bounded depth,
 * integers exact to 2^53. A NUL escape in a string becomes U+FFFD with a note, since a stranger
 * must not be able to stop a run. The only user of cJSON is json.c; its tree is gone when
 * bl_json_parse returns. */

enum bl_json_kind {
    BL_JSON_NULL, BL_JSON_FALSE, BL_JSON_TRUE, BL_JSON_INT, BL_JSON_NUMBER, BL_JSON_STRING,
    BL_JSON_ARRAY, BL_JSON_OBJECT,
};

struct bl_json {
    enum bl_json_kind kind;
    bl_str key;    /* of a member of an object */
    bl_str string; /* STRING; NUMBER: its spelling when it is no exact integer */
    int64_t integer;
    struct bl_json *items; /* ARRAY, OBJECT: `count` children, one array */
    size_t count;
    const struct bl_json *parent; /* for messages that name a place: NULL at the root */
};

struct bl_json_error {
    size_t offset;     /* byte in the input */
    bl_str message;    /* a sentence */
};

/* NULL on failure with *error set (out of memory too). `notes` counts NUL escapes replaced. */
const struct bl_json *bl_json_parse(struct bl_arena *arena, bl_str input, size_t max_depth,
                                    size_t *notes, struct bl_json_error *error);
/* Member of an object by exact key; NULL when it is not an object or has none. Hashed or sorted:
 * not linear in wide objects that strangers can write. */
const struct bl_json *bl_json_get(const struct bl_json *object, bl_str key);
/* A JSON path for messages: "issue.labels[2].name". */
void bl_json_path(struct bl_buf *out, const struct bl_json *node);

/* Writer: commas, escapes and nesting are its business. Strings are escaped so that the output is
 * ASCII-safe for control characters and U+2028/U+2029; valid UTF-8 is kept. */
struct bl_json_writer {
    struct bl_buf *out;
    bool pretty;
    unsigned depth;
    bool has_item[64];
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
