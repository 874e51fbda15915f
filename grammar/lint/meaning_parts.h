/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_LINT_MEANING_PARTS_H
#define BL_LINT_MEANING_PARTS_H

#include "lint/meaning.h"

/* What the files meaning*.c share. */

struct bl_cases bl_cases_of(struct bl_meaning *m, const struct bl_term *term);
/* Adds the cases of a value under a condition; false when there are too many. */
bool bl_cases_add(struct bl_meaning *m, struct bl_cases *cases, const struct bl_formula *when,
                  const struct bl_cases *value);
/* Some value that satisfies `test`. */
const struct bl_formula *bl_cases_some(
    struct bl_meaning *m, const struct bl_cases *cases,
    const struct bl_formula *(*test)(struct bl_meaning *m, const struct bl_term *value,
                                     const void *context),
    const void *context);
const struct bl_formula *bl_cases_true(struct bl_meaning *m, const struct bl_cases *cases);
/* The value is there. */
const struct bl_formula *bl_cases_set(struct bl_meaning *m, const struct bl_cases *cases);
const struct bl_formula *bl_meaning_is_set(struct bl_meaning *m, const struct bl_term *term);

/* The node as it stands, with its operands as terms. */
const struct bl_term *bl_meaning_construct(struct bl_meaning *m, const struct bl_node *node);
/* meaning_calls.c: a call of the callable that the node's symbol is. */
struct bl_cases bl_meaning_call(struct bl_meaning *m, const struct bl_node *node,
                                struct bl_node *const *arguments, uint32_t count);
struct bl_cases bl_meaning_builtin(struct bl_meaning *m, const struct bl_node *node);
/* meaning_compare.c */
const struct bl_formula *bl_meaning_compare(struct bl_meaning *m, const struct bl_node *node);
struct bl_cases bl_meaning_arithmetic(struct bl_meaning *m, const struct bl_node *node);
const struct bl_formula *bl_meaning_has(struct bl_meaning *m, const struct bl_term *thing,
                                        const struct bl_term *label);
/* meaning_loop.c */
const struct bl_formula *bl_meaning_quantifier(struct bl_meaning *m,
                                               const struct bl_node *node);
struct bl_cases bl_meaning_loop(struct bl_meaning *m, const struct bl_node *node);
/* How many elements a list has. */
const struct bl_term *bl_meaning_how_many(struct bl_meaning *m, const struct bl_term *list,
                                          const struct bl_formula *body);
const struct bl_formula *bl_meaning_at_least_one(struct bl_meaning *m,
                                                 const struct bl_term *how_many);
/* Something new that equals nothing else: what is not looked into. */
const struct bl_term *bl_meaning_unknown(struct bl_meaning *m, const struct bl_node *node);
#define BL_FORMULA_SIZE_MAX 400u
#define BL_TERM_SIZE_MAX    400u

#endif
