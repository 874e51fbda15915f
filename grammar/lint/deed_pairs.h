/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_LINT_DEED_PAIRS_H
#define BL_LINT_DEED_PAIRS_H

#include "lint/linter.h"

/* Which deeds have to be compared at all. */

/* False: the literals alone show that both guards never hold together. */
bool bl_deeds_may_meet(const struct bl_deed *a, const struct bl_deed *b);
/* False: the literals alone show that the guard of `a` does not imply that of `b`. */
bool bl_deed_may_imply(const struct bl_deed *a, const struct bl_deed *b);

/* Calls `visit` for each pair of deeds, one from each list, that may meet; of a list with
 * itself
 * (`second` NULL) for each two, the first before the second. Lists are split by what their
 * guards ask of one text or enumeration, so that rules about different authors are never
 * paired. Stops when `visit` gives false. */
struct bl_deed_list {
    const struct bl_deed **items;
    size_t count, capacity;
};
void bl_deed_pairs(struct bl_arena *arena, const struct bl_deed_list *first,
                   const struct bl_deed_list *second,
                   bool (*visit)(void *context, const struct bl_deed *a,
                                 const struct bl_deed *b),
                   void *context);

#endif
