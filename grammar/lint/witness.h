/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_LINT_WITNESS_H
#define BL_LINT_WITNESS_H

#include "lint/meaning.h"
#include "lint/solver.h"

/* An event that shows that conditions can hold together: every fact of it is fixed, and the
 * conditions were evaluated on them, so the answer does not rest on the search. What the facts
 * of an event do not decide (an old comment, the answer of an AI) stays an assumption, and then
 * nobody knows whether there is such an event. */

enum bl_witness_person {
#define BL_WITNESS_PERSON(id, ambient, field, login) BL_PERSON_##id,
#define BL_WITNESS_FACT(id, ambient, field, number, text)
#include "lint/witness.def"
#undef BL_WITNESS_PERSON
#undef BL_WITNESS_FACT
    BL_PERSON_COUNT
};
enum bl_witness_fact {
#define BL_WITNESS_PERSON(id, ambient, field, login)
#define BL_WITNESS_FACT(id, ambient, field, number, text) BL_WITNESS_##id,
#include "lint/witness.def"
#undef BL_WITNESS_PERSON
#undef BL_WITNESS_FACT
    BL_WITNESS_FACT_COUNT
};

struct bl_witness_value {
    bool absent;
    int64_t number;
    bl_str text;
};
struct bl_witness_user {
    bl_str login;
    unsigned kind, association, permission; /* members of their enumerations */
};
#define BL_WITNESS_LABELS_MAX 32u

struct bl_witness {
    enum bl_event_id event;
    bl_str repository, account;
    int64_t clock;                 /* of the run */
    uint32_t who[BL_PERSON_COUNT]; /* index of users */
    struct bl_witness_user users[BL_PERSON_COUNT];
    struct bl_witness_value facts[BL_WITNESS_FACT_COUNT];
    bl_str labels[BL_WITNESS_LABELS_MAX]; /* of the issue or pull request, as declared */
    uint32_t label_count;
    uint32_t assignee_count; /* of them `assignee1` … */
    /* What the conditions asked for, in the words of the policy, and what is assumed beyond the
     * facts. */
    bl_str words;
    bl_str assumed; /* empty: nothing is */
};

enum bl_possible {
    BL_POSSIBLE_NO,      /* proved: they cannot hold together */
    BL_POSSIBLE_YES,     /* *out shows it */
    BL_POSSIBLE_UNKNOWN, /* *out is a guess when out->words is set */
};
/* Can all conditions hold together? What was added to the solver before holds, too. `out` may
 * be NULL when only a "no" matters; then the answer is never "yes". */
enum bl_possible bl_possible(struct bl_solver *s, struct bl_meaning *m,
                             const struct bl_formula *const *conditions, size_t count,
                             struct bl_witness *out);

/* The webhook payload of the event, as bl_event_read takes it. */
void bl_witness_payload(const struct bl_witness *w, struct bl_buf *out);
/* The repository around it, as a world file: users, labels, the issue. */
void bl_witness_world(const struct bl_witness *w, struct bl_buf *out);
/* "for instance with issue has bug, issue.state == open"; nothing when any such event will do.
 */
void bl_witness_describe(const struct bl_witness *w, struct bl_buf *out);

#endif
