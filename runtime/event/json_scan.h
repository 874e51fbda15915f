/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_EVENT_JSON_SCAN_H
#define BL_EVENT_JSON_SCAN_H

#include "event/json.h"

/* The first half of reading JSON: everything about single tokens, which cJSON is lax about. How
 * tokens may follow each other is cJSON's to say. Private to this room. */

enum bl_json_token_kind {
    BL_JSON_TOKEN_OTHER, /* true, false, null, [ or { */
    BL_JSON_TOKEN_NUMBER,
    BL_JSON_TOKEN_STRING,
    BL_JSON_TOKEN_KEY, /* a string in front of a colon */
};

struct bl_json_token {
    uint32_t lo, hi; /* of the text; quotes included */
    uint8_t kind;
    bool escaped; /* the string holds a backslash */
};

/* The tokens that begin a value, and the keys, in the order of the text. */
struct bl_json_tokens {
    BL_VEC(struct bl_json_token) list;
    size_t notes; /* NUL escapes that became U+FFFD */
};

/* `text` is changed where it holds NUL escapes, its length never. False with *error set. */
bool bl_json_scan(struct bl_arena *scratch, char *text, size_t len, size_t max_depth,
                  struct bl_json_tokens *out, struct bl_json_error *error);

#endif
