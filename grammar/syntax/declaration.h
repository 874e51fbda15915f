/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_SYNTAX_DECLARATION_H
#define BL_SYNTAX_DECLARATION_H

#include "base/str.h"

/* Declarations by the look of them, for files that cannot be parsed. */

/* Does a declaration begin at this offset: one of the words that clauses.def has for the top of
 * a file, and a name or a text behind it? */
bool bl_declaration_begins(bl_str text, size_t at);
/* The name behind the word; empty when none begins there, or when it has a text. */
bl_str bl_declaration_name(bl_str text, size_t at);
/* What stands between its word and its block, a letter of clauses.def for each: "N S"; empty
 * when nothing tells, or when it has no block. */
bl_str bl_declaration_head(bl_str text, size_t at);

#endif
