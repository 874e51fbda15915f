/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TEXT_PATTERN_H
#define BL_TEXT_PATTERN_H

#include "base/buf.h"

/* Patterns of policies: a subset of the usual regular expressions that runs in linear time on
 * valid UTF-8, compiled once by policyc and stored in the module. No look-around, no back
 * references, no lazy quantifiers: each is answered at compile time with the way to say it
 * here.
 *
 *   literal characters; . (any but line feed); [classes] with ranges and negation;
 *   \d \w \s \D \W \S (ASCII); \p{L} \p{Lu} \p{Ll} \p{N} \p{Extended_Pictographic} and their \P
 *   (of the version of Unicode that text/pattern_unicode.def names);
 *   \b \B (ASCII words); ^ $ (ends of the text, with the flag m of lines);
 *   | ( ) (?: ) where groups only group; * + ? {n} {n,} {n,m} (at most 1000);
 *   \n \t \r \f \v \\ \/ and other escaped punctuation, \u{1F600}, \x41;
 *   flags: i (ASCII letters), m, s (. takes line feeds too).
 *
 * A match is the leftmost, and of those the longest; it begins and ends between characters. */

struct bl_pattern_error {
    size_t offset;  /* byte in the pattern's source; a flag follows the source and a '/' */
    bl_str message; /* a sentence; a string literal */
    bl_str help;    /* how to say it here, may be empty */
    bool no_memory; /* nothing is wrong with the pattern */
};

/* A compiled pattern: bytes without pointers, 8-byte aligned, the same on every machine. */
struct bl_pattern {
    const void *bytes;
    size_t size;
};

/* Compiles what stands between the slashes. False with *error set when it cannot: syntax, a
 * construct that the language leaves out, more than limits.def allows (pattern_bytes,
 * pattern_states), or no memory. Deterministic. The time is bounded by these limits. */
bool bl_pattern_compile(struct bl_arena *arena, bl_str source, bl_str flags,
                        struct bl_pattern *out, struct bl_pattern_error *error);
/* Would bl_pattern_compile take it? Says the same, in a small part of the time. */
bool bl_pattern_check(struct bl_arena *arena, bl_str source, bl_str flags,
                      struct bl_pattern_error *error);
/* Is there no text at all in which the pattern finds something, because its anchors contradict
 * each other or a class holds no character? False when it cannot be told: the pattern is none,
 * or memory is short. Costs what bl_pattern_check costs. */
bool bl_pattern_finds_nothing(struct bl_arena *arena, bl_str source, bl_str flags);
/* Is this a whole, well-formed pattern, so that running it stays inside its bytes and any text?
 * Linear in size. Everything below takes verified patterns only. */
bool bl_pattern_verify(const void *bytes, size_t size);

/* Does it find anything? One pass, no memory. */
bool bl_pattern_matches(struct bl_pattern pattern, bl_str text);

struct bl_match {
    size_t lo, hi; /* bytes; lo == hi for an empty match */
};
struct bl_matches {
    BL_VEC(struct bl_match) list;
};
/* All matches from left to right without overlaps; an empty one may stand right behind another.
 * Each character is read twice, whatever the pattern (one whose automata would be too large is
 * simulated: then a character costs time that grows with the pattern). Scratch memory comes
 * from `arena` and stays there: 1 or 2 bytes a byte of text; of a simulated pattern at most 1.5
 * KiB times the square root of the length. Calls `each` for every match until it returns false,
 * and never touches the arena between calls. False when out of memory; then `each` was not
 * called. */
bool bl_pattern_each(struct bl_arena *arena, struct bl_pattern pattern, bl_str text,
                     bool (*each)(void *context, struct bl_match match), void *context);

/* The matches that begin at or behind `from`, when none before reaches beyond it: what stands
 * in front is context, of which no match is a part. Adds to *steps what it took. */
bool bl_pattern_each_from(struct bl_arena *arena, struct bl_pattern pattern, bl_str text,
                          size_t from, bool (*each)(void *context, struct bl_match match),
                          void *context, uint64_t *steps);

/* A set of patterns as one automaton (or a few): which of them find something in a text, in one
 * pass. Built by policyc for all patterns and literals that rules ask of one field. */
struct bl_pattern_set_input {
    bl_str source;
    bl_str flags;
    bool literal; /* `contains "…"`: the source is plain text */
};
/* Compiles; patterns that are no patterns, or that would push the automaton over its limit of
 * states (limits.def, set_states), are left out and marked in `left_out[i]`: the index treats
 * them as always possible, and they are never found. Takes 65,536 inputs, leaves out further
 * ones. Patterns that multiply each other's states (`a.*b`) go to automata of their own, at
 * most 16. Deterministic. False when out of memory. */
bool bl_pattern_set_compile(struct bl_arena *arena, const struct bl_pattern_set_input *inputs,
                            size_t count, bool *left_out, struct bl_pattern *out);
bool bl_pattern_set_verify(const void *bytes, size_t size);
size_t bl_pattern_set_count(struct bl_pattern set);
/* Sets bit i of `found` (words of 64 bits, cleared by the caller) for each pattern i that finds
 * something, exactly as bl_pattern_matches would say. One pass over the text for each automaton
 * of the set, mostly one. */
void bl_pattern_set_scan(struct bl_pattern set, bl_str text, uint64_t *found);

/* All matches of several patterns in about one pass: where each may begin, by the pairs of
 * bytes there or by how long what a match can be made of goes on. Patterns are tried at those
 * places alone. Built by policyc for each set of secrets and each redaction. */

/* Compiles. Patterns of which too little is known (they begin like any text, or may be empty or
 * very short) are marked in `left_out[i]`: bl_pattern_starts_each gives nothing for them, and
 * bl_pattern_each does. Deterministic. False when out of memory. */
bool bl_pattern_starts_compile(struct bl_arena *arena,
                               const struct bl_pattern_set_input *inputs, size_t count,
                               bool *left_out, struct bl_pattern *out);
bool bl_pattern_starts_verify(const void *bytes, size_t size);
size_t bl_pattern_starts_count(struct bl_pattern starts);
/* How far was read where nothing or little was found, so that one knows what still holds when a
 * part of the text changes. What is nearer than BL_STARTS_NEAR bytes is not noted. */
#define BL_STARTS_NEAR 128u
struct bl_starts_log {
    BL_VEC(struct bl_match) far; /* from where, and behind what was read last */
    bool given_up;               /* some pattern read all of the text */
};
/* Calls `each` with all that bl_pattern_each_from finds of each pattern that is not left out;
 * the matches of one come from left to right. patterns[i]: pattern i, or without bytes when
 * nobody asks for it. A byte is looked at up to three times for all patterns and once for each
 * that has an island; each pattern reads what it is tried at, and where that comes to more than
 * the text so far, the rest of the text as bl_pattern_each does. So no pattern takes more than
 * six steps a byte. `log`: empty, or NULL. `arena`: as bl_pattern_each. False when out of
 * memory, or when `each` returned false. */
bool bl_pattern_starts_each(struct bl_arena *arena, struct bl_pattern starts,
                            const struct bl_pattern *patterns, bl_str text, size_t from,
                            bool (*each)(void *context, size_t pattern, struct bl_match match),
                            void *context, struct bl_starts_log *log, uint64_t *steps);

/* Bytes of a text that became others. */
struct bl_text_change {
    size_t lo, hi; /* in the text as it was */
    size_t size;   /* bytes that are there now */
};
/* What is known of a text that changed since. */
struct bl_starts_before {
    const struct bl_matches *found; /* of each pattern */
    const struct bl_starts_log *log;
    size_t text_len;
    const struct bl_text_change *changes; /* from left to right; none touches another */
    size_t change_count;
};
/* The same of the text as it is now, of which what is far from a change is not read: matches
 * there are those that were found. Of what was asked before, all or a part may be asked. With a
 * log that says given_up nothing is known; then it is bl_pattern_starts_each. */
bool bl_pattern_starts_again(struct bl_arena *arena, struct bl_pattern starts,
                             const struct bl_pattern *patterns,
                             const struct bl_starts_before *before, bl_str text, size_t from,
                             bool (*each)(void *context, size_t pattern, struct bl_match match),
                             void *context, struct bl_starts_log *log, uint64_t *steps);

/* Puts a text that the pattern describes into *out, by chance: a fake, for trying what is built
 * on the pattern. `source` is one of a module: "/…/flags". Letters and digits come first, and
 * few repeats beyond those that have to be. Assertions are not looked at, so the pattern may
 * find nothing in it; the next one then may do. *of_line is set when it needs an end of a line
 * or of the text beside it. *random goes on. False when the source is no pattern, or *out is
 * full. */
bool bl_pattern_example(struct bl_arena *arena, bl_str source, uint64_t *random,
                        struct bl_buf *out, bool *of_line);
/* A number below `below` from the same row of numbers, which is the same everywhere. */
uint32_t bl_pattern_chance(uint64_t *random, uint32_t below);

#endif
