/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TEXT_PATTERN_WRITE_H
#define BL_TEXT_PATTERN_WRITE_H

#include "text/pattern_blob.h"
#include "text/pattern_dfa.h"

/* Writing blobs (text/pattern_blob.h). */

struct bl_blob_writer {
    struct bl_arena *arena;
    uint8_t *bytes; /* NULL until the first byte; look at arena->failed at the end */
    size_t size, capacity;
};

void bl_blob_put(struct bl_blob_writer *writer, uint64_t value, unsigned width);
void bl_blob_pad(struct bl_blob_writer *writer);
/* Writes a header whose size is set by bl_blob_end, which takes where it begins. */
size_t bl_blob_begin(struct bl_blob_writer *writer, const uint32_t fields[BL_HEAD_COUNT]);
void bl_blob_end(struct bl_blob_writer *writer, size_t begin);
void bl_blob_put_chars(struct bl_blob_writer *writer, const struct bl_char_classes *classes);

void bl_blob_put_dfa(struct bl_blob_writer *writer, const struct bl_char_classes *classes,
                     const struct bl_dfa *dfa, const struct bl_reverse *reverse);
/* `reverse` NULL: anchored. */
size_t bl_blob_dfa_size(const struct bl_char_classes *classes, const struct bl_dfa *dfa,
                        const struct bl_reverse *reverse);
void bl_blob_put_graph(struct bl_blob_writer *writer, const struct bl_char_classes *classes,
                       const struct bl_pattern_graph *graph);

/* The form of a sieve as a field of a header, and its entries. */
uint32_t bl_blob_sieve_field(struct bl_sieve_form form);
void bl_blob_put_sieve(struct bl_blob_writer *writer, const struct bl_sieve_table *sieve);

/* A copy in `arena`. */
bool bl_blob_finish(const struct bl_blob_writer *writer, struct bl_arena *arena,
                    struct bl_pattern *out);

#endif
