/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_SECRET_KNOWN_H
#define BL_SECRET_KNOWN_H

#include "base/arena.h"

/* Known values in a text: as they are, and in the forms in which programs print them, so that
 * an encoded secret is one, too: Base64 and its variant for addresses wherever the value begins
 * in what was encoded, percent and form encoding, JSON (once, and inside of JSON), C, HTML and
 * shell escapes, hex. Values of fewer than 8 bytes are looked for as they are alone: their
 * forms are words of every text. */

#define BL_KNOWN_ENCODED_LEAST 8

struct bl_known_form {
    bl_str bytes;
    uint32_t value; /* as bl_known_add had it */
    bool front;     /* Base64: the character in front holds a part of the value ... */
    bool back;      /* ... and the one behind */
    bool base64;
    uint32_t next; /* 1 + the next form of the same place in the table; 0: none */
};

struct bl_known_forms {
    BL_VEC(struct bl_known_form) list;
    uint64_t *bits;        /* which places of the table hold anything */
    uint32_t *heads;       /* 1 + a form */
    BL_VEC(uint32_t) tiny; /* forms shorter than what the table is made of */
    size_t longest;
};

/* The value and its forms; an empty one has none. False when out of memory. */
bool bl_known_add(struct bl_arena *arena, struct bl_known_forms *forms, uint32_t value,
                  bl_str bytes);
/* Before the first scan. False when out of memory. */
bool bl_known_ready(struct bl_arena *arena, struct bl_known_forms *forms);

/* Calls `each` for what stands in the text, until it returns false: occurrences of one form do
 * not overlap, and those of several do. A look into a table for each byte, and a comparison
 * where four bytes agree. `scratch`: memory of the call. False when out of memory. */
bool bl_known_each(struct bl_arena *scratch, const struct bl_known_forms *forms, bl_str text,
                   bool (*each)(void *context, uint32_t value, size_t lo, size_t hi),
                   void *context);

#endif
