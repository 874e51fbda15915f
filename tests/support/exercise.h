/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TESTS_SUPPORT_EXERCISE_H
#define BL_TESTS_SUPPORT_EXERCISE_H

#include "bytecode/module.h"

/* Runs every function of a verified module once, with made-up values for its parameters and for
 * the ambients, over a world that answers no read, with a small budget. What comes back must
 * have the type that the function promises, and every planned effect the number of arguments
 * that its table asks for. NULL when all is well or memory ran out, else what was wrong. */
const char *exercise_module(struct bl_arena *arena, const struct bl_module *module);

#endif
