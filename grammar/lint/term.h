/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_LINT_TERM_H
#define BL_LINT_TERM_H

#include "sema/program.h"

/* Values as the analysis sees them: expressions without their spelling. Defines are replaced by
 * what they say, names by what they stand for, so that two expressions that mean the same value
 * in the same way are one term. Terms are made once each (equal terms are one address) and live
 * in the arena. */

enum bl_term_kind {
    BL_TERM_NUMBER,   /* constant: value */
    BL_TERM_TEXT,     /* constant: text; of labels and repositories in lower case */
    BL_TERM_ABSENT,   /* none */
    BL_TERM_EVENT,    /* which event it is: one of events.def */
    BL_TERM_AMBIENT,  /* index: enum bl_ambient */
    BL_TERM_SYMBOL,   /* a parameter, the element of a loop, a setting: stands for itself */
    BL_TERM_BOUND,    /* the element of a quantifier; index: how many stand around it */
    BL_TERM_FIELD,    /* kids[0]; index: enum bl_field */
    BL_TERM_HAS,      /* does kids[0] have the label `text` (in lower case)? */
    BL_TERM_HOW_MANY, /* elements of kids[0] for which `body` holds; without it: all */
    BL_TERM_SUM,      /* kids, each times its factor, and value */
    BL_TERM_SAME,     /* are the kids equal? */
    BL_TERM_LIST,     /* of its kids, all of them constants */
    BL_TERM_VERDICT,  /* of a check; value: does it pass, text: the name of the row */
    BL_TERM_NODE, /* anything else: index is BL_TERM_CONSTRUCT(…), value the node's index */
};

#define BL_TERM_CONSTRUCT(kind, op, resolution)                                                \
    ((uint32_t)(kind) | (uint32_t)(op) << 8 | (uint32_t)(resolution) << 16)

/* What values a term can have, and how a condition narrows them. */
enum bl_domain {
    BL_DOMAIN_BITS,    /* few: a bit each; things and lists have one, "is set" */
    BL_DOMAIN_NUMBERS, /* an interval of int64_t */
    BL_DOMAIN_TEXTS,
};
/* The bit of "absent" among BL_DOMAIN_BITS. */
#define BL_BIT_ABSENT (UINT64_C(1) << 63)
#define BL_BIT_FALSE  UINT64_C(1)
#define BL_BIT_TRUE   UINT64_C(2)
/* An enumeration with more members is not looked into. */
#define BL_BITS_MAX 62u

struct bl_formula; /* lint/formula.h */

struct bl_term {
    enum bl_term_kind kind;
    uint32_t number; /* from 0, in the order in which they were made */
    bl_type type;    /* without `?` */
    bool optional;   /* may be absent */
    enum bl_domain domain;
    bool without_case; /* texts of it compare without case */
    uint32_t index;
    const struct bl_symbol *symbol;
    const struct bl_formula *body; /* of a quantifier, about BOUND */
    int64_t value;
    bl_str text;
    bl_str flags; /* of a pattern */
    const struct bl_term **kids;
    int64_t *factors; /* SUM */
    uint32_t kid_count;
    uint32_t size;                /* nodes of it as a tree; saturates */
    uint64_t bits;                /* BITS: all that it can be */
    int64_t least, greatest;      /* NUMBERS */
    const struct bl_node *node;   /* where it was met first, for words */
    const struct bl_term *parent; /* set whenever this one is; or NULL */
};

struct bl_terms {
    struct bl_arena *arena;
    const struct bl_program *program;
    BL_VEC(struct bl_term *) list; /* by number */
    uint32_t *slots;               /* number + 1 */
    size_t slot_count;
};

bool bl_terms_init(struct bl_terms *terms, struct bl_arena *arena,
                   const struct bl_program *program);
/* The term that is like this one: kind, type, index, symbol, value, texts, kids and factors
 * decide. Kids are copied. Domain, bits and bounds of a new one follow from kind and type.
 * Never NULL: out of memory it is a spare, and the arena has failed. */
const struct bl_term *bl_term_get(struct bl_terms *terms, const struct bl_term *like);

const struct bl_term *bl_term_number(struct bl_terms *terms, bl_type type, int64_t value);
const struct bl_term *bl_term_bool(struct bl_terms *terms, bool value);
/* In lower case for types that compare without case. */
const struct bl_term *bl_term_text(struct bl_terms *terms, bl_type type, bl_str text);
const struct bl_term *bl_term_absent(struct bl_terms *terms);
const struct bl_term *bl_term_event(struct bl_terms *terms);
const struct bl_term *bl_term_ambient(struct bl_terms *terms, enum bl_ambient ambient);
const struct bl_term *bl_term_symbol(struct bl_terms *terms, const struct bl_symbol *symbol);
const struct bl_term *bl_term_field(struct bl_terms *terms, const struct bl_term *object,
                                    enum bl_field field);
/* The sum of kids × factors, numbers among them, in one order: numbers together, a kid once. A
 * kid alone is that kid, numbers alone are a number. */
const struct bl_term *bl_term_sum(struct bl_terms *terms, bl_type type,
                                  const struct bl_term *const *kids, const int64_t *factors,
                                  uint32_t count);

bool bl_term_is_constant(const struct bl_term *term);
bl_str bl_lower_copy(struct bl_arena *arena, bl_str text);
#endif
