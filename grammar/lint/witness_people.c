/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/witness_build.h"

/* The people of a witness: one person may be reached through several things of the event, and
 * is then asked for everything that is asked of any of them. */

static void unify(struct bl_witness *w, unsigned a, unsigned b)
{
    uint32_t from = w->who[a], to = w->who[b];

    for (unsigned i = 0; i < BL_PERSON_COUNT; i++) {
        if (w->who[i] == from)
            w->who[i] = to;
    }
}

/* Who the event itself says are one person. */
static void unify_by_event(struct bl_witness *w)
{
    if (w->event == BL_EVENT_ISSUES_OPENED)
        unify(w, BL_PERSON_ACTOR, BL_PERSON_ISSUE_AUTHOR);
    else if (w->event == BL_EVENT_ISSUE_COMMENT_CREATED)
        unify(w, BL_PERSON_ACTOR, BL_PERSON_COMMENT_AUTHOR);
    else if (w->event == BL_EVENT_PULL_REQUEST_OPENED ||
             w->event == BL_EVENT_PULL_REQUEST_TARGET_OPENED)
        unify(w, BL_PERSON_ACTOR, BL_PERSON_PULL_AUTHOR);
    else if (w->event == BL_EVENT_STATUS)
        unify(w, BL_PERSON_ACTOR, BL_PERSON_STATUS_CREATOR);
}

static void unify_by_conditions(struct bl_witness_build *b, struct bl_witness *w)
{
    const struct bl_term *term;

    for (size_t i = 0; (term = bl_witness_touched(b, i)) != NULL; i++) {
        if (term->kind != BL_TERM_SAME || bl_solver_state(b->s, term).bits != BL_BIT_TRUE)
            continue;
        enum bl_witness_person one = bl_person_of(term->kids[0]);
        enum bl_witness_person other = bl_person_of(term->kids[1]);
        if (one != BL_PERSON_COUNT && other != BL_PERSON_COUNT)
            unify(w, one, other);
    }
}

/* An actor who is more than nobody wrote something that the event brings. */
static void unify_by_association(struct bl_witness_build *b, struct bl_witness *w)
{
    static const enum bl_witness_person authors[] = {
        BL_PERSON_COMMENT_AUTHOR, BL_PERSON_PULL_AUTHOR, BL_PERSON_ISSUE_AUTHOR};
    const struct bl_term *association = b->room->of_people[BL_PERSON_ACTOR][OF_ASSOCIATION];
    uint64_t bits = bl_solver_state(b->s, association).bits;

    if ((bits >> BL_ASSOCIATION_NOBODY & 1) != 0)
        return;
    for (size_t i = 0; i < sizeof(authors) / sizeof(authors[0]); i++) {
        if (bl_witness_brings(w, bl_person_info(authors[i])->ambient)) {
            unify(w, BL_PERSON_ACTOR, authors[i]);
            return;
        }
    }
}

static bool is_account(struct bl_witness_build *b, const struct bl_witness *w, uint32_t user)
{
    const struct bl_term *me = b->room->me, *term;

    for (size_t i = 0; (term = bl_witness_touched(b, i)) != NULL; i++) {
        if (term->kind != BL_TERM_SAME || bl_solver_state(b->s, term).bits != BL_BIT_TRUE)
            continue;
        for (unsigned side = 0; side < 2; side++) {
            enum bl_witness_person person = bl_person_of(term->kids[side]);

            if (term->kids[1 - side] == me && person != BL_PERSON_COUNT &&
                w->who[person] == user)
                return true;
        }
    }
    return false;
}

/* What a field of a user may be in all the places through which the user is reached. */
static uint64_t user_bits(struct bl_witness_build *b, const struct bl_witness *w, uint32_t user,
                          unsigned field)
{
    uint64_t bits = UINT64_MAX;

    for (unsigned i = 0; i < BL_PERSON_COUNT; i++) {
        if (w->who[i] == user)
            bits &= bl_solver_state(b->s, b->room->of_people[i][field]).bits;
    }
    return bits;
}

bool bl_witness_choose_member(uint64_t bits, unsigned usual, unsigned *out)
{
    bits &= ~BL_BIT_ABSENT;
    if (bits == 0)
        return false;
    *out = usual;
    if ((bits >> usual & 1) != 0)
        return true;
    for (*out = 0; (bits >> *out & 1) == 0;)
        ++*out;
    return true;
}

static bool choose_login(struct bl_witness_build *b, struct bl_witness *w, uint32_t user)
{
    const struct bl_asserted *lists[BL_PERSON_COUNT];
    struct bl_witness_user *out = &w->users[user];
    bl_str usual = bl_person_info((enum bl_witness_person)user)->login;
    struct bl_buf bot;
    size_t count = 0;

    for (unsigned i = 0; i < BL_PERSON_COUNT; i++) {
        if (w->who[i] == user)
            lists[count++] = bl_solver_state(b->s, b->room->of_people[i][OF_LOGIN]).texts;
    }
    if (is_account(b, w, user)) {
        usual = w->account;
    } else if (out->kind == BL_USER_KIND_BOT) {
        bl_buf_init(&bot, b->s->arena, 64);
        bl_buf_printf(&bot, "%.*s[bot]", BL_STR_ARG(usual));
        usual = bl_buf_str(&bot);
    }
    return bl_witness_choose_text(b->s, lists, count, usual, &out->login);
}

bool bl_witness_choose_users(struct bl_witness_build *b, struct bl_witness *w)
{
    for (unsigned i = 0; i < BL_PERSON_COUNT; i++)
        w->who[i] = i;
    unify_by_event(w);
    unify_by_conditions(b, w);
    unify_by_association(b, w);
    for (uint32_t user = 0; user < BL_PERSON_COUNT; user++) {
        struct bl_witness_user *out = &w->users[user];
        unsigned kind = is_account(b, w, user) ? BL_USER_KIND_BOT : BL_USER_KIND_PERSON;
        unsigned permission;

        if (!bl_witness_choose_member(user_bits(b, w, user, OF_KIND), kind, &out->kind) ||
            !bl_witness_choose_member(user_bits(b, w, user, OF_ASSOCIATION),
                                      BL_ASSOCIATION_NOBODY, &out->association) ||
            !choose_login(b, w, user))
            return false;
        permission = out->association == BL_ASSOCIATION_OWNER ? BL_PERMISSION_ADMIN
                     : out->association == BL_ASSOCIATION_MEMBER ||
                             out->association == BL_ASSOCIATION_COLLABORATOR
                         ? BL_PERMISSION_WRITE
                         : BL_PERMISSION_READ;
        if (!bl_witness_choose_member(user_bits(b, w, user, OF_PERMISSION), permission,
                                      &out->permission))
            return false;
    }
    return true;
}
