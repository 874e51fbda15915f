/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TESTS_SUPPORT_STAGE_H
#define BL_TESTS_SUPPORT_STAGE_H

#include "bytecode/builder.h"
#include "vm/vm.h"

/* A small policy for tests of machine, plan and run: declarations made by hand, functions in
 * the words of support/assembler.h. The module is verified before it runs.
 *
 *   account  bot[bot]       marker  bylaw        source 0  rules.policy
 *   locale   0 en "{month} {day}, {year}" · 1 de "{day}. {month} {year}" like en
 *            2 other "{year}-{month_number}-{day_number}" like de (no months of its own)
 *            stop words: en "and", "the" · de "und", "über"
 *   label    bug, stale, "needs info" (0075ca "Waits for its reporter", options "Yes", "No",
 * ask) enum 0   severity: low, high        record 0  pair: left int, right text comment  0
 * question: asked time once, round int, done bool, note text?, names list of name, lang locale
 * · 1 closed_notice: day date · 2 reply: to int once, tag name? once, runs list of time posted
 * 0 question · 1 closed_notice, question · 2 reply job      0 assistant: issues, statuses:
 * write; runs rules 1 reader: issues: read; runs rules task     0 triage, 1 report variable 0
 * ai_switch "AI_SWITCH", 1 key "AI_KEY" pattern  0 /crash(es)?/i, 1 /[0-9]+/ */

struct stage {
    struct bl_arena *arena;
    struct bl_builder *builder;
    struct bl_module module;
    struct bl_machine machine;
};

/* Declarations alone. False when out of memory. */
bool stage_begin(struct stage *stage, struct bl_arena *arena);
/* Adds functions; a mistake in the text fails the test. */
void stage_add(struct stage *stage, const char *text);
/* Index of the newest function of that name. */
uint32_t stage_function(const struct stage *stage, const char *name);
/* Adds an entry of that name and function; a rule listens to `event` unless it is
 * BL_EVENT_COUNT. Its index. */
uint32_t stage_entry(struct stage *stage, enum bl_entry_kind kind, const char *name,
                     enum bl_event_id event);
/* Adds an instruction's place: condition number `insn` of the function `name` stands at [lo,
 * hi). */
void stage_map(struct stage *stage, const char *name, uint32_t insn, uint32_t lo, uint32_t hi);
/* Sets of secrets with pattern 0: `any`, and `numbered` with the condition that a digit stands
 * in what was found. */
void stage_secrets(struct stage *stage);
/* Finishes, verifies (a refusal fails the test) and initialises the machine. `snapshot` may be
 * NULL. False when out of memory. */
bool stage_ready(struct stage *stage, struct bl_snapshot *snapshot);

/* Begins, adds, is ready. */
void stage_of(struct stage *stage, struct bl_arena *arena, const char *text);
/* Runs a function; the test fails when it does not end with BL_OK. */
struct bl_value stage_call(struct stage *stage, const char *name, const struct bl_value *args,
                           size_t count);
/* The same for a status. */
enum bl_status stage_status(struct stage *stage, const char *name, const struct bl_value *args,
                            size_t count);

struct bl_value text_value(const char *terminated);
struct bl_value list_value(struct bl_arena *arena, const struct bl_value *items, size_t count);
/* "2026-11-02T08:00:00Z", "2026-11-02"; the test fails when it is none. */
struct bl_value time_value(const char *text);
struct bl_value date_value(const char *text);

#endif
