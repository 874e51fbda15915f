/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TESTS_UNIT_TESTING_COMPILING_H
#define BL_TESTS_UNIT_TESTING_COMPILING_H

#include "bytecode/module.h"
#include "sema/sema.h"

/* One policy text, compiled with its tests and verified. */
struct compiling {
    struct bl_arena arena;
    struct bl_sources sources;
    struct bl_diagnostics sink;
    struct bl_module module;
    enum bl_status status; /* of the first step that failed */
};

/* `allocator` NULL: the default one. Reset the arena at the end, also after a failure. */
void compiling_begin(struct compiling *c, const char *text,
                     const struct bl_allocator *allocator);

#endif
