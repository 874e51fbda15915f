/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_SHOW_SHOW_CHARTS_H
#define BL_SHOW_SHOW_CHARTS_H

#include "show/show_text.h"

/* What the charts share, and those that have a file of their own. Private to show_graph.c and
 * these. Nodes are named by kinds and numbers, so that no name of a policy can be a word of
 * Mermaid; what the policy says stands in quoted texts. */

void bl_chart_open(const char *direction, struct bl_buf *out);
void bl_chart_close(struct bl_buf *out);

/* "day wait = 15 days when issue has core": a setting comes with its value. */
bl_str bl_chart_day(const struct bl_program *program, const struct bl_statement *row);

/* How a lifecycle goes through one of its things, and a family of commands through a comment.
 */
void bl_chart_lifecycle(const struct bl_program *program, const struct bl_symbol *symbol,
                        struct bl_buf *out);
void bl_chart_family(const struct bl_program *program, const struct bl_symbol *symbol,
                     struct bl_buf *out);
/* Who keeps rows in which store, and who reads them. */
void bl_chart_stores(const struct bl_program *program, struct bl_buf *out);

#endif
