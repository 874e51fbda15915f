/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_LINT_FORMULA_PARTS_H
#define BL_LINT_FORMULA_PARTS_H

#include "lint/formula.h"

/* What literal.c and formula.c share. */

/* The formula that is like this one; kids are taken as they are, sorted. */
const struct bl_formula *bl_formula_intern(struct bl_formulas *f,
                                           const struct bl_formula *like);
const struct bl_formula *bl_literal_opposite(struct bl_formulas *f, const struct bl_literal *l);
/* Both at once as one literal; NULL when there is no such literal. */
const struct bl_formula *bl_literal_meet(struct bl_formulas *f, const struct bl_literal *a,
                                         const struct bl_literal *b);

#endif
