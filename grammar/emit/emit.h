/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_EMIT_EMIT_H
#define BL_EMIT_EMIT_H

#include "bytecode/builder.h"
#include "sema/program.h"

/* Lowers a typed program without errors to a module. What no entry reaches is left out. Rules
 * stand in the order of their names, so that the order of files changes nothing. BL_ERR_INVALID
 * with diagnostics when the program needs what is not lowered yet, or a function is too large;
 * BL_ERR_NOMEM, BL_ERR_LIMIT. The bytes live in `arena`. */
struct bl_emit_options {
    bool tests; /* the tests of the program too */
};
BL_NODISCARD enum bl_status bl_emit(struct bl_arena *arena, struct bl_program *program,
                                    const struct bl_emit_options *options,
                                    struct bl_module_bytes *out, struct bl_diagnostics *sink);

#endif
