/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TESTING_CASE_STEP_H
#define BL_TESTING_CASE_STEP_H

#include "testing/case_run.h"

/* A step of steps.def as it is carried out, and its arguments. Private to this room. */

struct bl_case_step {
    struct bl_case *c;
    const struct bl_site *site;
    const struct bl_value *args;
    size_t count;
    struct bl_sim_delivery delivery; /* of a `when` */
};

struct bl_value bl_step_arg(const struct bl_case_step *s, size_t index);
bl_str bl_step_words(const struct bl_case_step *s, size_t index);
int64_t bl_step_number(const struct bl_case_step *s, size_t index);
/* Who acts: `me` is the account that the policy writes with. */
bl_str bl_step_login(const struct bl_case_step *s, size_t index);
/* The time that a step names, else a minute after everything so far. */
int64_t bl_step_moment(const struct bl_case_step *s, size_t index);
/* The time since which something is so, else now. */
int64_t bl_step_since(const struct bl_case_step *s, size_t index);

/* ---- case_code.c: what people do with code */
enum bl_status bl_step_given_release(struct bl_case_step *s);
enum bl_status bl_step_given_pull(struct bl_case_step *s);
enum bl_status bl_step_given_commit(struct bl_case_step *s);
enum bl_status bl_step_given_branch(struct bl_case_step *s);
enum bl_status bl_step_given_fork(struct bl_case_step *s);
enum bl_status bl_step_sets_status(struct bl_case_step *s);
enum bl_status bl_step_commits(struct bl_case_step *s);
enum bl_status bl_step_merges(struct bl_case_step *s);
enum bl_status bl_step_publishes(struct bl_case_step *s);
enum bl_status bl_step_pushes(struct bl_case_step *s);
enum bl_status bl_step_run_ends(struct bl_case_step *s);
/* ---- case_jobs.c: what jobs do besides their rules */
enum bl_status bl_step_given_usage(struct bl_case_step *s);
enum bl_status bl_step_runs(struct bl_case_step *s);

#endif
