/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_SYNTAX_FILTER_WORDS_H
#define BL_SYNTAX_FILTER_WORDS_H

#include "syntax/parser.h"

/* Inside of the room: what the filter looks at, and the words of other languages that it
 * answers because the grammar need not know them. */

struct bl_token *bl_filter_token(struct bl_parser *parser, size_t index);
int bl_filter_kind(struct bl_parser *parser, size_t index);
bl_str bl_filter_word(struct bl_parser *parser, size_t index);
struct bl_span bl_filter_span(struct bl_parser *parser, size_t index);
bool bl_filter_in_parentheses(const struct bl_filter *filter);
/* Reports, and offers `instead` in its place unless that is empty. */
void bl_filter_answer(struct bl_parser *parser, enum bl_diagnostic_code code,
                      struct bl_span span, bl_str instead);

/* The kind of a name that begins a clause. */
int bl_filter_first_word(struct bl_parser *parser, size_t index, bl_str word);
/* An 'if' where a condition of the rule was meant: it becomes the name 'when', perhaps with its
 * colon taken along. */
bool bl_filter_if_for_when(struct bl_parser *parser, size_t index, bool at_clause);
/* A 'then' with no 'if' in front: true when it was reported. */
bool bl_filter_then_alone(struct bl_parser *parser, size_t index);
/* Is the word of an operator at `index` the name of a function with two arguments? */
bool bl_filter_operator_called(struct bl_parser *parser, size_t index);

#endif
