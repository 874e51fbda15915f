/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_LINT_WITNESS_PARTS_H
#define BL_LINT_WITNESS_PARTS_H

#include "lint/witness.h"

/* What the files witness*.c share. */

#define BL_WITNESS_CLOCK INT64_C(1793610000) /* 2026-11-02T09:00:00Z, a Monday morning */

struct bl_person_info {
    enum bl_ambient ambient;
    enum bl_field field;
    bl_str login;
};
struct bl_fact_slot {
    enum bl_ambient ambient;
    enum bl_field field;
    bool absent;
    int64_t number;
    bl_str text;
};
const struct bl_person_info *bl_person_info(enum bl_witness_person person);
const struct bl_fact_slot *bl_fact_slot(enum bl_witness_fact fact);
/* Which one the term is; the COUNT when none. */
enum bl_witness_person bl_person_of(const struct bl_term *term);
enum bl_witness_fact bl_fact_of(const struct bl_term *term);
/* Does the event bring the thing? */
bool bl_witness_brings(const struct bl_witness *w, enum bl_ambient ambient);

/* What a term is on the facts of a witness. */
enum bl_known_kind {
    BL_KNOWN_NOT, /* the facts do not say */
    BL_KNOWN_ABSENT,
    BL_KNOWN_NUMBER, /* members and truth values, too */
    BL_KNOWN_TEXT,
    BL_KNOWN_PERSON, /* number: index of users; -1: the account */
    BL_KNOWN_THING,
    BL_KNOWN_EMPTY, /* a list without elements */
};
struct bl_known_value {
    enum bl_known_kind kind;
    int64_t number;
    bl_str text;
};
struct bl_known_value bl_witness_value_of(const struct bl_witness *w, struct bl_arena *arena,
                                          const struct bl_term *term);
/* 1 holds, 0 does not, -1 the facts do not say. */
int bl_witness_holds(const struct bl_witness *w, struct bl_solver *s,
                     const struct bl_formula *formula);
int64_t bl_witness_now(const struct bl_witness *w);

/* A text that satisfies all literals of the lists; false when none was found. `usual` is taken
 * when it does. */
bool bl_witness_choose_text(struct bl_solver *s, const struct bl_asserted *const *lists,
                            size_t count, bl_str usual, bl_str *out);
/* A text that the pattern probably finds something in; `variant` chooses among alternatives. */
bl_str bl_pattern_sample(struct bl_arena *arena, bl_str source, unsigned variant);

/* What the state of a term says, in the words of the policy: "issue.state == open". */
void bl_witness_words(struct bl_meaning *m, struct bl_solver *s, const struct bl_term *term,
                      struct bl_buf *out);

#endif
