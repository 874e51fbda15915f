/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_SPEC_SIGNATURE_H
#define BL_SPEC_SIGNATURE_H

#include "spec/tables.h"

/* The columns "parameters" and "result" of builtins.def, read. Every builtin has a parameter:
 * one without would be a name of ambients.def. */

#define BL_SIGNATURE_PARAMS_MAX 4

enum bl_signature_form {
    BL_SIGNATURE_PLAIN,    /* `type` as it stands */
    BL_SIGNATURE_ANY,      /* `T`: `type` has ERROR as kind, with its lists and `?` */
    BL_SIGNATURE_ORDERED,  /* `ordered`: as T, of a type with an order */
    BL_SIGNATURE_TEXT,     /* `text!` */
    BL_SIGNATURE_PLACED,   /* `placed!`: own text, or clean text; `type` has its lists */
    BL_SIGNATURE_SHOWN,    /* `shown!`: what a file may show */
    BL_SIGNATURE_KINDS,    /* `kinds` */
    BL_SIGNATURE_COMMENTS, /* `issue or list of comment` */
    BL_SIGNATURE_RECORD    /* `record`: any declared record */
};
struct bl_signature_type {
    enum bl_signature_form form;
    bl_type type;
};
struct bl_signature {
    struct bl_signature_type params[BL_SIGNATURE_PARAMS_MAX];
    size_t count;
    bool repeated; /* the only parameter is `*T` */
    struct bl_signature_type result;
};

/* False when the row is not spelled as builtins.def says; no row of the table is. */
bool bl_signature_read(const struct bl_builtin_info *builtin, struct bl_signature *out);

#endif
