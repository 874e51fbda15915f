/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TESTS_UNIT_BYTECODE_MODULE_SAMPLE_H
#define BL_TESTS_UNIT_BYTECODE_MODULE_SAMPLE_H

#include "bytecode/builder.h"

/* A policy of an issue assistant as small as it can be, made by hand: something of everything
 * that a module can hold. Tests add functions in the assembler's words and see what the
 * verifier says.
 *
 *   enum 0      severity: low, high
 *   record 0    answer: text untrusted, number int?      record 1   report: answers list of
 * record 0 comment 0   question: asked time once, round int, note text?, names list of name
 *   comment 1   reminder: asked time once, round int      comment 2   thanks
 *   posted 0    question                                  posted 1   question, reminder
 *   job 0       triage: issues, statuses: write           job 1      reader: issues: read
 *   job 2       reviewer: pull-requests: write
 *   setting     rounds : int                              label      bug, described by a
 * function message     asks(name, int) : clean comment, in en and de; closes() : text, in en
 *   pattern 0   /crash(es)?/                              variable   0 ai_switch, 1 a secret
 *   task 0      triage, 1 report                          locale     0 en, 1 de (like en)
 */

/* Declarations and the functions that they need. NULL when out of memory. */
struct bl_builder *sample_begin(struct bl_arena *arena);
/* The functions of `text` behind them; a test with a mistake in it ends the program. */
void sample_add(struct bl_builder *b, const char *text);

/* The whole module: functions of every kind, jobs, entries, the index, cases. False when memory
 * is out; the builder may be any state then. */
bool sample_build(struct bl_arena *arena, struct bl_module_bytes *out);

/* The module of `text` behind the declarations. */
bool sample_of(struct bl_arena *arena, const char *text, struct bl_module_bytes *out);

/* Rows of a module that is not verified, to be changed; sample_repair makes the checksum good.
 */
void *sample_row(void *bytes, enum bl_section section, uint32_t row);
uint32_t sample_count(const void *bytes, enum bl_section section);
void sample_repair(void *bytes, size_t size);

#endif
