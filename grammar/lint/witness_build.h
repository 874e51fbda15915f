/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_LINT_WITNESS_BUILD_H
#define BL_LINT_WITNESS_BUILD_H

#include "lint/witness_parts.h"

/* A witness that is being put together from a way that the search found. */

/* What every witness asks for, looked up once; and where one is put together. */
struct bl_witness_room {
    struct bl_witness witness;
    const struct bl_term *people[BL_PERSON_COUNT];
    const struct bl_term
        *of_people[BL_PERSON_COUNT][4]; /* login, kind, association, permission */
    const struct bl_term *facts[BL_WITNESS_FACT_COUNT];
    const struct bl_term *now, *today, *me, *event;
};
enum { OF_LOGIN, OF_KIND, OF_ASSOCIATION, OF_PERMISSION };

struct bl_witness_build {
    struct bl_witness_room *room;
    struct bl_solver *s;
    struct bl_meaning *m;
    const struct bl_formula *const *conditions;
    size_t count;
    struct bl_witness *out;
    unsigned leaves;
    bool found, guessed;
};

/* The n-th term that was narrowed on this way; NULL behind the last. Some come twice. */
static inline const struct bl_term *bl_witness_touched(const struct bl_witness_build *b,
                                                       size_t n)
{
    return n < b->s->trail.count ? b->m->terms.list.items[b->s->trail.items[n].term] : NULL;
}
/* The usual member when it may be, else the first that may; false when none may. */
bool bl_witness_choose_member(uint64_t bits, unsigned usual, unsigned *out);
/* Who is who, and what they are; false when nobody can be. */
bool bl_witness_choose_users(struct bl_witness_build *b, struct bl_witness *w);

#endif
