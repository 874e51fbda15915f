/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TESTS_SUPPORT_ASSEMBLER_H
#define BL_TESTS_SUPPORT_ASSEMBLER_H

#include "bytecode/builder.h"

/* Functions from text, for modules that no compiler would make. Nothing is checked but that the
 * words are known: what comes out may be wrong on purpose.
 *
 *     pure older(time, duration) : bool      or: entry NAME(…) : T job 0 · test NAME(…)
 *       regs time, bool                      the registers behind the parameters
 *       sub r2, r0, r1                       operands as opcodes.def orders them; NO is left
 * out jump L1 L1: return r3
 *
 * Types: "int", "list of issue", "task?", "clean comment+log", "issue_state", "enum 0"
 * (declared), "record 0", "posted 0" (a set), "iterator", "error". Constants: 12, true, "text",
 * and a type in front of others: label "bug", duration 60, issue_state open, pattern 0.
 * Functions, settings, messages, records by name or "#number"; every operand may be "#number",
 * as it stands. Sites: effect or step in words, ":detail" behind when it has one ("post:0"),
 * "-" for EXPECT; each makes a row. Labels stand alone on their line. Comments begin with ';'.
 */

/* NULL when all went well, else what did not: a string literal. *line is the line, from 1. */
const char *assemble(struct bl_builder *b, const char *text, unsigned *line);

/* A type from its words; BL_TYPE_ERROR for unknown ones. */
bl_type assemble_type(bl_str words);

#endif
