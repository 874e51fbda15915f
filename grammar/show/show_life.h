/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_SHOW_SHOW_LIFE_H
#define BL_SHOW_SHOW_LIFE_H

#include "show/show.h"

/* The chart of the labels: what sets them, what takes them away, and what closes, opens and
 * locks a thing. Nothing for a policy without labels. Private to show_graph.c. */
void bl_show_life(const struct bl_program *program, struct bl_buf *out);

#endif
