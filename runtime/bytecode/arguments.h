/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_BYTECODE_ARGUMENTS_H
#define BL_BYTECODE_ARGUMENTS_H

#include "spec/tables.h"

/* The columns "arguments" of effects.def and steps.def, read: what the registers of an EFFECT
 * or a STEP instruction hold. */

#define BL_ARGUMENTS_MAX 8

enum bl_argument_form {
    BL_ARGUMENT_TYPED,   /* a value that fits `type`; a place's text is clean text for it */
    BL_ARGUMENT_THING,   /* an issue or a pull request */
    BL_ARGUMENT_POSTED,  /* an own comment of any kinds */
    BL_ARGUMENT_KEY,     /* a name that is a constant of the module */
    BL_ARGUMENT_VALUE,   /* a value for the attribute that the constant before it names */
    BL_ARGUMENT_SMALL,   /* bool, int, own text and other values without words of strangers */
    BL_ARGUMENT_SETTING, /* the number of a setting: a constant */
    BL_ARGUMENT_SETTING_VALUE, /* a value that fits the type of that setting */
    BL_ARGUMENT_ANSWER,     /* the record of the task that the first argument, a constant, is;
                               for a task without answer anything */
    BL_ARGUMENT_ATTRIBUTES, /* the last: one for each attribute of the site's kind of comment */
    BL_ARGUMENT_ROW,        /* the last: one for each field of the site's store; all but the key
                               may be absent */
    BL_ARGUMENT_PARAMETERS, /* the last: those of the site's entry */
};
struct bl_argument {
    enum bl_argument_form form;
    bl_type type; /* of TYPED */
};
struct bl_arguments {
    struct bl_argument list[BL_ARGUMENTS_MAX];
    size_t count;
};

/* False when the row is not spelled so that it can be read (no row of the tables is), or when
 * there is no such row. Texts of steps may be any text but secrets. */
bool bl_effect_arguments(enum bl_effect effect, struct bl_arguments *out);
bool bl_step_arguments(enum bl_step step, struct bl_arguments *out);

/* Is this the type of a small value? */
bool bl_type_is_small(bl_type type);

#endif
