/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_LINT_SOLVER_H
#define BL_LINT_SOLVER_H

#include "lint/formula.h"

/* Can conditions hold together? A search over the choices of "or" that narrows what each term
 * can be, and stops at the first term that can be nothing. Terms are taken as independent of
 * each other (but a sum lies between what its parts allow), so a "no" is proved, and a "yes" is
 * a yes of the abstraction alone: who needs to know looks at the leaf with the facts of an
 * event in hand (lint/witness.h). */

struct bl_asserted { /* texts: what is asked of one term, newest first */
    const struct bl_literal *literal;
    const struct bl_asserted *next;
};
/* What a term can be. */
struct bl_narrowed {
    uint64_t bits;
    struct bl_ranges ranges;
    const struct bl_asserted *texts;
};
/* The same as the solver keeps it. */
struct bl_kept_state {
    uint64_t bits;
    const struct bl_ranges *ranges; /* NULL: all */
    const struct bl_asserted *texts;
    bool touched;
};

struct bl_undo {
    uint32_t term;
    struct bl_kept_state before;
};
struct bl_choice {
    const struct bl_formula *formula; /* SOME */
    bool done;
};
struct bl_compiled {
    bl_str source, flags;
    struct bl_pattern *pattern; /* NULL: it cannot be compiled */
};

struct bl_witness_room;

struct bl_solver {
    struct bl_formulas *f;
    struct bl_arena *arena;
    BL_VEC(struct bl_kept_state) state; /* by number of the term */
    BL_VEC(struct bl_undo) trail;
    BL_VEC(struct bl_choice) choices;
    BL_VEC(struct bl_compiled) patterns;
    BL_VEC(const struct bl_term *) sums; /* that were ever narrowed */
    size_t steps, max_steps;             /* of one search */
    bool gave_up;                        /* the last search did not look at everything */
    size_t total_steps;
    struct bl_witness_room *room; /* of lint/witness.c alone */
};
struct bl_solver_mark {
    size_t trail, choices;
};

#define BL_SOLVER_STEPS 2000u

void bl_solver_init(struct bl_solver *s, struct bl_arena *arena, struct bl_formulas *f);
struct bl_solver_mark bl_solver_mark(const struct bl_solver *s);
void bl_solver_undo(struct bl_solver *s, struct bl_solver_mark mark);
/* Adds a condition to those that must hold. False when it contradicts them at once; then only
 * bl_solver_undo makes sense. */
bool bl_solver_add(struct bl_solver *s, const struct bl_formula *a);
/* Is there a way that contradicts nothing? `leaf` (or NULL) is called at each such way until it
 * gives true; it may look at `state`. False with gave_up not set: nothing can satisfy what was
 * added. What was added stays. */
bool bl_solver_search(struct bl_solver *s, bool (*leaf)(struct bl_solver *s, void *context),
                      void *context);
/* What was added, and this too, cannot hold: proved. */
bool bl_solver_excludes(struct bl_solver *s, const struct bl_formula *a);
/* What the term can be here. */
struct bl_narrowed bl_solver_state(const struct bl_solver *s, const struct bl_term *term);

/* Does the text satisfy the literal of a search? 1 yes, 0 no, -1 nobody knows (a pattern that
 * cannot be compiled). Without regard to `negated`. */
int bl_search_holds(struct bl_solver *s, const struct bl_literal *literal, bl_str text);
/* Could a text satisfy all literals of the list? False is proved. */
bool bl_texts_possible(struct bl_solver *s, const struct bl_asserted *list);

#endif
