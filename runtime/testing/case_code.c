/* SPDX-License-Identifier: Apache-2.0 */
#include "base/time.h"
#include "testing/case_step.h"

/* Steps about code: releases, pull requests and their commits, statuses, pushes. */

enum bl_status bl_step_given_release(struct bl_case_step *s)
{
    struct bl_sim_release release = {.tag = bl_step_words(s, 0),
                                     .commit = bl_step_words(s, 2),
                                     .prerelease = bl_step_number(s, 3) != 0,
                                     .draft = bl_step_number(s, 4) != 0};
    return bl_sim_publish(s->c->sim, bl_sim_account(s->c->sim), &release, bl_step_since(s, 1),
                          NULL);
}

enum bl_status bl_step_given_pull(struct bl_case_step *s)
{
    int64_t closes = bl_step_number(s, 3);
    struct bl_value opened = bl_step_arg(s, 2), merged = bl_step_arg(s, 4);
    struct bl_sim_pull pull = {.number = bl_step_number(s, 0),
                               .title = BL_STR("A change"),
                               .base = bl_step_words(s, 6),
                               .closes = &closes,
                               .close_count = closes != 0};
    int64_t at = !bl_is_absent(opened)   ? opened.as.i
                 : !bl_is_absent(merged) ? merged.as.i - BL_SECONDS_PER_DAY
                                         : bl_sim_now(s->c->sim);
    enum bl_status status = bl_sim_open_pull(s->c->sim, bl_step_words(s, 1), &pull, at, NULL);
    if (status == BL_OK && !bl_is_absent(merged))
        status = bl_sim_merge(s->c->sim, bl_step_words(s, 1), bl_step_number(s, 0),
                              bl_step_words(s, 5), merged.as.i, NULL);
    return status;
}

/* What stands from argument `first` on: message, committer, address, moment. */
static struct bl_sim_commit commit_of(const struct bl_case_step *s, size_t sha, size_t author,
                                      size_t first)
{
    return (struct bl_sim_commit){
        .sha = bl_step_words(s, sha),
        .author = bl_step_login(s, author),
        .message = bl_step_words(s, first),
        .committer = bl_is_absent(bl_step_arg(s, first + 1)) ? bl_step_login(s, author)
                                                             : bl_step_login(s, first + 1),
        .email = bl_step_words(s, first + 2),
    };
}

enum bl_status bl_step_given_commit(struct bl_case_step *s)
{
    struct bl_sim_commit commit = commit_of(s, 1, 2, 3);
    return bl_sim_commit_to(s->c->sim, commit.author, bl_step_number(s, 0), &commit,
                            bl_step_since(s, 6), NULL);
}

enum bl_status bl_step_given_branch(struct bl_case_step *s)
{
    return bl_sim_give_branch(s->c->sim, bl_step_number(s, 0), bl_step_words(s, 1));
}

enum bl_status bl_step_given_fork(struct bl_case_step *s)
{
    return bl_sim_give_fork(s->c->sim, bl_step_number(s, 0), bl_step_words(s, 1));
}

static bool state_of(bl_str word, unsigned *state)
{
    for (*state = 0; *state < bl_enum_member_count(BL_ENUM_STATUS_STATE); (*state)++)
        if (bl_str_equal(bl_enum_member(BL_ENUM_STATUS_STATE, *state), word))
            return true;
    return false;
}

enum bl_status bl_step_sets_status(struct bl_case_step *s)
{
    struct bl_sim_status status = {.context = bl_step_words(s, 1),
                                   .sha = bl_step_words(s, 3),
                                   .link = bl_step_words(s, 4)};
    if (!state_of(bl_step_words(s, 2), &status.state))
        return bl_case_broken(s->c, s->site, BL_STR("There is no such state."));
    return bl_sim_set_status(s->c->sim, bl_step_login(s, 0), &status, bl_step_moment(s, 5),
                             &s->delivery);
}

enum bl_status bl_step_commits(struct bl_case_step *s)
{
    struct bl_sim_commit commit = commit_of(s, 2, 0, 3);
    return bl_sim_commit_to(s->c->sim, commit.author, bl_step_number(s, 1), &commit,
                            bl_step_moment(s, 6), &s->delivery);
}

enum bl_status bl_step_merges(struct bl_case_step *s)
{
    return bl_sim_merge(s->c->sim, bl_step_login(s, 0), bl_step_number(s, 1), (bl_str){NULL, 0},
                        bl_step_moment(s, 2), &s->delivery);
}

enum bl_status bl_step_publishes(struct bl_case_step *s)
{
    struct bl_sim_release release = {.tag = bl_step_words(s, 1)};
    return bl_sim_publish(s->c->sim, bl_step_login(s, 0), &release, bl_step_moment(s, 2),
                          &s->delivery);
}

enum bl_status bl_step_pushes(struct bl_case_step *s)
{
    return bl_sim_push(s->c->sim, bl_step_login(s, 0), bl_step_moment(s, 1), &s->delivery);
}

enum bl_status bl_step_run_ends(struct bl_case_step *s)
{
    bl_str started_by = bl_is_absent(bl_step_arg(s, 1)) ? BL_STR("push") : bl_step_words(s, 1);
    return bl_sim_end_run(s->c->sim, bl_step_words(s, 0), started_by, bl_step_moment(s, 2),
                          &s->delivery);
}
