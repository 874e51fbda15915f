/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_SECRET_PART_H
#define BL_SECRET_PART_H

#include "bytecode/module.h"
#include "text/pattern.h"

/* What the files of this room share. */

#define BL_NO_CHARACTER '\x1a' /* in no secret; ends words and runs */

struct bl_secret_spans {
    BL_VEC(struct bl_match) list;
    BL_VEC(struct bl_match) wholes; /* of the list's: matches from which parts were taken */
    bool failed;                    /* out of memory */
};

struct bl_pattern bl_secret_pattern(const struct bl_module *m, uint32_t index);
/* The text with one byte, which is in no secret and ends words and runs, for each byte that is
 * no UTF-8; of the same length. False when out of memory. */
bool bl_secret_shadow(struct bl_arena *arena, bl_str text, bl_str *out);
/* What the patterns that one sieve knows find in a text, all in one pass. */
struct bl_secret_sought {
    struct bl_arena *arena;
    const struct bl_module *m;
    struct bl_pattern sieve;
    struct bl_pattern *patterns; /* by their numbers there; no bytes: nobody asks */
    struct bl_matches *matches;  /* so too */
    struct bl_starts_log log;    /* of bl_secret_seek */
};
/* First nothing is asked. False when out of memory; so below. */
bool bl_secret_sought_begin(struct bl_arena *arena, const struct bl_module *m, uint32_t sieve,
                            struct bl_secret_sought *sought);
void bl_secret_ask(struct bl_secret_sought *sought, uint32_t part);
/* `from`: what stands in front is context, of which no match is a part; so below. */
bool bl_secret_seek(struct bl_secret_sought *sought, bl_str text, size_t from, uint64_t *steps);
/* The same where a text of `text_len` bytes, in which `before` sought all that is asked now,
 * has become another: what is far from the changes is not read again. */
bool bl_secret_seek_again(struct bl_secret_sought *sought,
                          const struct bl_secret_sought *before, size_t text_len,
                          const struct bl_text_change *changes, size_t count, bl_str text,
                          size_t from, uint64_t *steps);
/* Whether the part may find anything: one that no sieve knows may. */
bool bl_secret_may_find(const struct bl_secret_sought *sought, uint32_t part);

/* All that row `part` of PARTS finds, each narrowed to the part that counts. `sought`: has it
 * been asked for in this text. Memory from `arena` stays. Adds to *steps the bytes that were
 * read. False when out of memory. */
bool bl_secret_part_each(struct bl_arena *arena, const struct bl_secret_sought *sought,
                         uint32_t part, bl_str text, size_t from, struct bl_secret_spans *out,
                         uint64_t *steps);

#endif
