/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TESTS_UNIT_BYTECODE_OPCODE_SAMPLES_H
#define BL_TESTS_UNIT_BYTECODE_OPCODE_SAMPLES_H

#include "spec/tables.h"

/* For each opcode a function, behind the sample's declarations, in which it stands and which is
 * accepted. */
struct opcode_sample {
    enum bl_opcode op;
    const char *text;
};
extern const struct opcode_sample opcode_samples[]; /* BL_OP_COUNT, by opcode */

#endif
