/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_SHOW_SHOW_H
#define BL_SHOW_SHOW_H

#include "sema/program.h"

/* A typed program as people read it: pages of Markdown. They are a function of the program
 * alone, in its order, and hold what the root package and its product declare; the standard
 * library stays out. Words of a policy are escaped: they can neither end a cell of a table nor
 * begin a block, a link or a tag. The program must be free of errors. What memory has no room
 * for makes `out` fail. */

/* Settings, labels, decisions, checks, rules and the rest, each with its `##` comment. */
void bl_show_docs(const struct bl_program *program, struct bl_buf *out);

/* For each job: which permission it needs, for what, and where that stands; what it is given
 * and does not need. Linear in the policy for each job. */
void bl_show_permissions(const struct bl_program *program, struct bl_buf *out);

/* Jobs, the life of the labels, stores, decisions, commands and lifecycles as flow charts of
 * Mermaid. */
void bl_show_graph(const struct bl_program *program, struct bl_buf *out);

/* The typed tree of the root package, and all declarations, as one line of JSON: files, nodes,
 * comments, types, what names mean, spans in bytes. Its shape stands in docs/reference/tree.md.
 * Linear in the policy. */
void bl_show_tree(const struct bl_program *program, struct bl_buf *out);

#endif
