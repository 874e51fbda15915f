/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_LINT_FORMULA_H
#define BL_LINT_FORMULA_H

#include "lint/term.h"

/* Conditions as trees of "and" and "or" over literals; there is no "not", since every literal
 * has its opposite. A literal says that a term has one of some values. Both are made once each,
 * so equal ones are one address; simplifications that need no search happen when they are made.
 *
 * Absent values as the machine has them: a comparison with one is false, so that its opposite
 * holds. */

#define BL_RANGES_MAX 8u

/* Disjoint intervals with a gap between any two, in order. */
struct bl_ranges {
    uint32_t count;
    bool absent; /* or absent */
    int64_t lo[BL_RANGES_MAX], hi[BL_RANGES_MAX];
};

enum bl_literal_form {
    BL_LITERAL_BITS,
    BL_LITERAL_RANGES,
    BL_LITERAL_TEXTS,    /* one of `texts`; negated: none of them */
    BL_LITERAL_CONTAINS, /* `text`; negated: not */
    BL_LITERAL_STARTS,
    BL_LITERAL_ENDS,
    BL_LITERAL_MATCHES, /* the pattern `text` with `flags` */
};

struct bl_literal {
    const struct bl_term *term;
    enum bl_literal_form form;
    bool absent;  /* TEXTS and the searches: or absent */
    bool negated; /* the same */
    uint64_t bits;
    const struct bl_ranges *ranges;
    const bl_str *texts; /* in the order of their bytes, each once */
    uint32_t text_count;
    bl_str text, flags;
    uint32_t number;
};

enum bl_formula_kind {
    BL_FORMULA_NEVER,
    BL_FORMULA_ALWAYS,
    BL_FORMULA_LITERAL,
    BL_FORMULA_ALL,  /* of kids */
    BL_FORMULA_SOME, /* one at least */
};
struct bl_formula {
    enum bl_formula_kind kind;
    uint32_t number;
    uint32_t size; /* literals in it as a tree; saturates */
    uint32_t kid_count;
    const struct bl_literal *literal;
    const struct bl_formula **kids; /* by number, each once */
    struct bl_formula *opposite;    /* once it was asked for */
};

struct bl_formulas {
    struct bl_arena *arena;
    struct bl_terms *terms;
    BL_VEC(struct bl_literal *) literals;
    BL_VEC(struct bl_formula *) list;
    uint32_t *literal_slots, *slots;
    size_t literal_slot_count, slot_count;
    struct bl_formula *never, *always;
    BL_VEC(const struct bl_formula *) stack; /* kids of what is being made */
};

bool bl_formulas_init(struct bl_formulas *f, struct bl_arena *arena, struct bl_terms *terms);

/* The makers give NEVER or ALWAYS where that is what it comes to. Out of memory: NEVER. */
const struct bl_formula *bl_formula_bits(struct bl_formulas *f, const struct bl_term *term,
                                         uint64_t bits);
/* The term is a number from lo to hi. */
const struct bl_formula *bl_formula_range(struct bl_formulas *f, const struct bl_term *term,
                                          int64_t lo, int64_t hi);
/* The term is one of these texts. */
const struct bl_formula *bl_formula_texts(struct bl_formulas *f, const struct bl_term *term,
                                          const bl_str *texts, uint32_t count);
const struct bl_formula *bl_formula_search(struct bl_formulas *f, const struct bl_term *term,
                                           enum bl_literal_form form, bl_str text,
                                           bl_str flags);
const struct bl_formula *bl_formula_set(struct bl_formulas *f, const struct bl_term *term);
/* A term of type bool is true. */
const struct bl_formula *bl_formula_true(struct bl_formulas *f, const struct bl_term *term);

const struct bl_formula *bl_formula_not(struct bl_formulas *f, const struct bl_formula *a);
const struct bl_formula *bl_formula_and(struct bl_formulas *f, const struct bl_formula *a,
                                        const struct bl_formula *b);
const struct bl_formula *bl_formula_or(struct bl_formulas *f, const struct bl_formula *a,
                                       const struct bl_formula *b);
/* Each literal replaced by what `map` gives for it; NULL leaves it. */
const struct bl_formula *
bl_formula_map(struct bl_formulas *f, const struct bl_formula *a,
               const struct bl_formula *(*map)(const struct bl_formula *literal, void *context),
               void *context);
/* Calls `visit` for each literal, in no order and some more than once; stops when it gives true
 * and gives true then. */
bool bl_formula_any(const struct bl_formula *a,
                    bool (*test)(const struct bl_literal *literal, void *context),
                    void *context);

/* Does `test` hold for the term or anything in it, conditions of quantifiers included? */
bool bl_term_any(const struct bl_term *term,
                 bool (*test)(const struct bl_term *term, void *context), void *context);

/* Does the value satisfy the literal? For texts: what a text that is there says. */
bool bl_ranges_hold(const struct bl_ranges *ranges, int64_t value);
/* *out is what lies in both. False when that is nothing. */
bool bl_ranges_meet(const struct bl_ranges *a, const struct bl_ranges *b,
                    struct bl_ranges *out);
/* Everything else between least and greatest; false when more than BL_RANGES_MAX. */
bool bl_ranges_opposite(const struct bl_ranges *a, int64_t least, int64_t greatest,
                        bool optional, struct bl_ranges *out);

#endif
