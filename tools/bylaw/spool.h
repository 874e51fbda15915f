/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_BYLAW_SPOOL_H
#define BL_BYLAW_SPOOL_H

#include "base/buf.h"

/* Text that is longer than memory may be: pieces in, pieces out. */

/* A file or standard input, a piece at a time. */
struct bl_pieces {
    struct bl_arena arena; /* of the bytes */
    int descriptor;
    char *bytes;
    size_t capacity, len;
    size_t from;   /* where the piece begins; in front is one character of what was taken */
    uint64_t base; /* which byte of the whole bytes[0] is */
    bool ended;    /* nothing comes behind the piece */
};
/* "-" is standard input; anything else has to be a file that was stored: what never ends is
 * none. False with *why, a sentence. Closed in any case. */
bool bl_pieces_open(struct bl_pieces *pieces, bl_str path, size_t size, bl_str *why);
/* A text that is there: one piece. False with *why. */
bool bl_pieces_of(struct bl_pieces *pieces, bl_str text, bl_str *why);
/* Reads until the piece is as long as may be. False with *why. */
bool bl_pieces_fill(struct bl_pieces *pieces, bl_str *why);
/* The piece has to be longer than it is. False with *why when it may not: `limit`. */
bool bl_pieces_grow(struct bl_pieces *pieces, size_t limit, bl_str *why);
/* Everything in front of this place was taken. */
void bl_pieces_take(struct bl_pieces *pieces, size_t at);
bl_str bl_pieces_text(const struct bl_pieces *pieces);
void bl_pieces_close(struct bl_pieces *pieces);

/* What waits until it may be printed: some of it in memory, and then a file without a name. It
 * holds nothing that is secret. */
struct bl_spool {
    struct bl_arena arena;
    char *bytes;
    size_t len;
    void *file; /* FILE; NULL: all is in memory */
    bool failed;
};
void bl_spool_begin(struct bl_spool *spool);
void bl_spool_put(struct bl_spool *spool, bl_str text);
/* Sends all of it, from its beginning, and empties it. False when a piece was not taken, or
 * when anything failed before. */
bool bl_spool_send(struct bl_spool *spool, bool (*put)(void *context, bl_str text),
                   void *context);
void bl_spool_end(struct bl_spool *spool);

/* Standard output for text that strangers wrote, in pieces: on GitHub Actions commands are
 * stopped around it until a word comes that nobody can know. JSON is for programs: there the
 * signs that would begin a command are escaped. */
struct bl_quoted_output {
    bool fenced, escaped;
    char word[33];
    unsigned pending; /* '#' that were held back */
    char last;
    bool failed;
};
void bl_quoted_begin(struct bl_quoted_output *out, bool json);
void bl_quoted_put(struct bl_quoted_output *out, bl_str text);
/* False when standard output is closed or full. */
bool bl_quoted_end(struct bl_quoted_output *out);

#endif
