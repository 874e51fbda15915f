/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TESTS_UNIT_SPEC_TYPE_WORDS_H
#define BL_TESTS_UNIT_SPEC_TYPE_WORDS_H

#include "spec/tables.h"

/* A type from the words of a test's table: "int", "list of list of issue", "posted 1?",
 * "clean comment+log", "enum issue_state", "record 0". Words of the language, of enums.def,
 * entities.def and places.def, and "error", "clean", "enum", "record", "posted", "iterator".
 * A test with unknown words fails. */
bl_type type_of(const char *words);

#endif
