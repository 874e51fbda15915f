/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_SHOW_SHOW_COST_H
#define BL_SHOW_SHOW_COST_H

#include "bytecode/module.h"

/* The worst case of each entry point of a verified module, as Markdown: how many instructions
 * run, how often the world may be asked, how many effects are planned. A bound is a polynomial
 * in n, the length of the longest list that it goes through, and counts every branch: what
 * happens is less. Then for each event the sum over the rules that listen to it: the most that
 * one such event causes. What memory has no room for makes `out` fail. Linear in the code. */
void bl_show_cost(struct bl_arena *arena, const struct bl_module *module, struct bl_buf *out);

#endif
