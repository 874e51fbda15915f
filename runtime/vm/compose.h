/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_VM_COMPOSE_H
#define BL_VM_COMPOSE_H

#include "vm/machine.h"

/* Texts with words of others in them. A text value whose `aux` is not 0 is composed: the
 * machine knows which parts of it a sanitizer made, so that the whole can be read as it will be
 * posted, and built once more with another form of those parts. */

/* What a sanitizer made of a text. */
struct bl_foreign_words {
    bl_str text;           /* cleaned */
    bl_str source;         /* as it came to the sanitizer */
    bool one_line;         /* its place has one line */
    const bl_str *allowed; /* what may show in it: bl_reread_rules */
    size_t allowed_count;
    uint32_t words;
};

/* `value` is what the sanitizer gives. */
enum bl_status bl_compose_foreign(struct bl_machine *machine, struct bl_foreign_words words,
                                  struct bl_value *value);
/* The texts joined; each of them may be composed. */
enum bl_status bl_compose_join(struct bl_machine *machine, const struct bl_value *parts,
                               size_t count, struct bl_value *out);

/* The text with `prefix` behind each of its line ends. */
enum bl_status bl_compose_lines(struct bl_machine *machine, struct bl_value value,
                                bl_str prefix, struct bl_value *out);

#endif
