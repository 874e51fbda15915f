/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_BYTECODE_DISASSEMBLER_PARTS_H
#define BL_BYTECODE_DISASSEMBLER_PARTS_H

#include "bytecode/module.h"

/* What the two files of the disassembler share; nobody else includes it. */

struct bl_listing {
    const struct bl_module *m;
    struct bl_sources *sources; /* or NULL */
    struct bl_buf *out;
    uint32_t *occurrences; /* by function: how many of that name come before it; or NULL */
};

static inline void bl_list_string(const struct bl_listing *l, struct bl_string_ref ref)
{
    bl_buf_put(l->out, bl_module_string(l->m, ref));
}
/* In quotes, with what a terminal could act on escaped. */
void bl_list_type(const struct bl_listing *l, bl_type type);
/* A constant with its type where the value alone does not say it. */
void bl_list_const(const struct bl_listing *l, const struct bl_const *row);
/* contains "words" or matches "pattern". */
void bl_list_sought(const struct bl_listing *l, uint32_t sought);
/* The name of a function, the second of a name as "asks#2". */
void bl_list_function(const struct bl_listing *l, uint32_t index);
/* A line of a source of the sources, as bl_sources numbers them. */
struct bl_listing_line {
    uint32_t source; /* BL_NO_SOURCE: not there */
    uint32_t line;
};
/* The line of a place; BL_NO_SOURCE when the sources do not have the module's file. */
struct bl_listing_line bl_list_line(const struct bl_listing *l, uint32_t source,
                                    uint32_t offset);
/* "path:line  words" */
void bl_list_place(const struct bl_listing *l, struct bl_listing_line line);

/* disassemble_code.c */
void bl_list_code(const struct bl_listing *l, uint32_t function);

void bl_list_accepted(const struct bl_listing *l);
void bl_list_stores(const struct bl_listing *l);
void bl_list_job_steps(const struct bl_listing *l, const struct bl_module_job *job);

/* " what NAME" of a function; nothing for BL_NONE. */
void bl_list_optional_function(const struct bl_listing *l, const char *what, uint32_t index);
/* The rows of sets of secrets, views and redactions. */
void bl_list_secrets(const struct bl_listing *l);

#endif
