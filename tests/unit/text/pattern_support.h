/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TESTS_UNIT_TEXT_PATTERN_SUPPORT_H
#define BL_TESTS_UNIT_TEXT_PATTERN_SUPPORT_H

#include "base/buf.h"
#include "support/check.h"
#include "text/pattern_blob.h"
#include "text/pattern_compile.h"

/* What the tests of patterns share. */

#define ARENA_BYTES ((size_t)1 << 30)

/* The pattern must compile; its bytes must pass the verifier. */
struct bl_pattern compiled(struct bl_arena *arena, bl_str source, bl_str flags,
                           enum bl_pattern_form form);
/* All matches as "lo-hi lo-hi". */
bl_str all_matches(struct bl_arena *arena, struct bl_pattern pattern, bl_str text);
/* Units of work that all matches take. */
uint64_t steps_of(struct bl_arena *arena, struct bl_pattern pattern, bl_str text);
/* `text` over and over, `len` bytes. */
bl_str repeated(struct bl_arena *arena, const char *text, size_t len);

/* One line of tests/unit/data/patterns.txt. */
struct pattern_case {
    bl_str source, flags, text, matches;
};
/* Reads them all; the test fails when it cannot. */
struct pattern_case *read_cases(struct bl_arena *arena, size_t *count);

#endif
