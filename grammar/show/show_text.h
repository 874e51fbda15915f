/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_SHOW_SHOW_TEXT_H
#define BL_SHOW_SHOW_TEXT_H

#include "show/show.h"

/* What the pages of this room share. Everything that comes out of a policy goes through one of
 * these, and stands in one line. */

/* Is it of the root package, or of the product that the root uses? */
bool bl_show_is_own(const struct bl_program *program, const struct bl_symbol *symbol);
size_t bl_show_own_count(const struct bl_program *program, enum bl_symbol_kind kind);
/* The name of the product, else of the root package, else "policy". */
bl_str bl_show_title(const struct bl_program *program);

/* Prose, and code as it stands in the policy. Both may stand in cells and at the begin of a
 * line. Nothing for empty code. */
void bl_show_prose(struct bl_buf *out, bl_str words);
/* The same of what goes on with a text: only at the beginning of one some signs mean more. */
void bl_show_prose_part(struct bl_buf *out, bl_str words, bool begins);
void bl_show_code(struct bl_buf *out, bl_str code);
/* A text of a Mermaid node, with its quotation marks. */
void bl_show_quoted(struct bl_buf *out, bl_str words);

/* The source of a span in one line, without comments; the slice lives as long as the program's
 * arena, and is empty for a span without source. */
bl_str bl_show_source(const struct bl_program *program, struct bl_span span);
bl_str bl_show_node(const struct bl_program *program, const struct bl_node *node);
/* A clause up to its block. */
bl_str bl_show_head(const struct bl_program *program, const struct bl_node *clause);
/* The `##` comment that stands right above a clause, its lines joined; empty without one. */
bl_str bl_show_doc(const struct bl_program *program, const struct bl_clause *clause);
/* The `##` comment at the head of a file, when no declaration stands right below it. */
bl_str bl_show_file_doc(const struct bl_program *program, const struct bl_file *file);
/* "folder/name.policy:12", the path as it was given. */
bl_str bl_show_place(const struct bl_program *program, struct bl_span span);
/* "issues.opened" */
void bl_show_event(struct bl_buf *out, unsigned event);
/* The condition of a row; "otherwise" for NULL. */
bl_str bl_show_condition(const struct bl_program *program, const struct bl_node *condition);

#endif
