/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TEXT_PATTERN_H
#define BL_TEXT_PATTERN_H

#include "base/arena.h"

/* Patterns of policies: a subset of the usual regular expressions that runs in linear time, on bytes
 * of valid UTF-8, compiled once by policyc and stored in the module. No look-around, no back
 * references, no lazy quantifiers: each is answered at compile time with the way to say it here.
 *
 *   literal characters, . (any but line feed), [classes] with ranges and negation, \d \w \s \D \W \S
 *   (ASCII), \b \B (ASCII words), ^ $ (ends of the text; of lines with flag m), | ( ) (?: ), * + ? {n}
 *   {n,} {n,m} (at most 1000), \n \t \r \\ \/ and other escaped punctuation, \u{1F600}, \x41,
 *   \p{Extended_Pictographic}, \p{L}, \p{Lu}, \p{Ll}, \p{N} and their \P. Flags: i (ASCII letters),
 *   m, s (. takes line feeds too).
 *
 * A match is the leftmost, and of those the longest. */

struct bl_pattern_error {
    size_t offset;  /* byte in the pattern's source */
    bl_str message; /* a sentence; a string literal */
    bl_str help;    /* how to say it here, may be empty */
};

/* A compiled pattern: bytes without pointers, 8-byte aligned, the same on every machine. */
struct bl_pattern {
    const void *bytes;
    size_t size;
};

/* Compiles what stands between the slashes. False with *error set when it cannot: syntax, a construct
 * that the language leaves out, or more than limits.def allows (states, bytes). Groups are numbered
 * for bl_pattern_groups. Deterministic. */
bool bl_pattern_compile(struct bl_arena *arena, bl_str source, bl_str flags,
                        struct bl_pattern *out, struct bl_pattern_error *error);
/* Is this a whole, well-formed pattern, so that running it stays inside its bytes and any text? Linear
 * in size. Everything below takes verified patterns only. */
bool bl_pattern_verify(const void *bytes, size_t size);

/* Does it find anything? One pass, no memory. */
bool bl_pattern_matches(struct bl_pattern pattern, bl_str text);

struct bl_match {
    size_t lo, hi; /* bytes; lo == hi for an empty match */
};
/* All matches from left to right without overlaps, in time linear in the text whatever the pattern;
 * scratch memory (a few bytes a byte of text) comes from `arena`. Calls `each` for every match until
 * it returns false. False when out of memory. */
bool bl_pattern_each(struct bl_arena *arena, struct bl_pattern pattern, bl_str text,
                     bool (*each)(void *context, struct bl_match match), void *context);

/* A set of patterns as one automaton: which of them find something in a text, in one pass. Built by
 * policyc for all patterns and literals that rules ask of one field. */
struct bl_pattern_set_input {
    bl_str source;
    bl_str flags;
    bool literal; /* `contains "…"`: the source is plain text */
};
/* Compiles; patterns that would push the automaton over its limit of states (limits.def, set_states)
 * are left out and marked in `left_out[i]`: the index treats them as always possible. */
bool bl_pattern_set_compile(struct bl_arena *arena, const struct bl_pattern_set_input *inputs,
                            size_t count, bool *left_out, struct bl_pattern *out);
bool bl_pattern_set_verify(const void *bytes, size_t size);
size_t bl_pattern_set_count(struct bl_pattern set);
/* Sets bit i of `found` (words of 64 bits, cleared by the caller) for each pattern i that finds
 * something. One pass over the text. */
void bl_pattern_set_scan(struct bl_pattern set, bl_str text, uint64_t *found);

#endif
