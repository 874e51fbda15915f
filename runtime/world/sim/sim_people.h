/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_WORLD_SIM_SIM_PEOPLE_H
#define BL_WORLD_SIM_SIM_PEOPLE_H

#include "world/sim/sim.h"

/* What people do to the simulated repository, and what GitHub sends for it. Each act changes
 * the repository as GitHub does and moves the clock forward to its time (never backwards: an
 * act in the past, as tests give them, leaves the clock alone and stands in its place of the
 * timeline). A user who was not met before is a stranger: a person, association nobody.
 *
 * Acts give BL_OK, BL_ERR_INVALID for what GitHub would not let happen (bl_sim_problem says
 * what in a sentence; nothing changed), BL_ERR_NOMEM. Texts are copied. */

/* What GitHub sends for an act. */
struct bl_sim_delivery {
    bool sent;      /* GitHub sends nothing for some acts (a reaction) */
    bl_str name;    /* of the event */
    bl_str payload; /* JSON, as a file at GITHUB_EVENT_PATH */
    struct bl_event event;
};

/* The sentence of the last BL_ERR_INVALID. */
bl_str bl_sim_problem(const struct bl_sim *sim);

/* `number` 0 takes the next free one. `out` may be NULL everywhere: nothing is sent. */
BL_NODISCARD enum bl_status bl_sim_open(struct bl_sim *sim, bl_str who, int64_t number,
                                        bl_str title, bl_str text, int64_t at,
                                        struct bl_sim_delivery *out);
BL_NODISCARD enum bl_status bl_sim_comment(struct bl_sim *sim, bl_str who, int64_t number,
                                           bl_str text, int64_t at,
                                           struct bl_sim_delivery *out);
BL_NODISCARD enum bl_status bl_sim_edit(struct bl_sim *sim, bl_str who, int64_t number,
                                        bl_str text, int64_t at, struct bl_sim_delivery *out);
BL_NODISCARD enum bl_status bl_sim_retitle(struct bl_sim *sim, bl_str who, int64_t number,
                                           bl_str title, int64_t at,
                                           struct bl_sim_delivery *out);
BL_NODISCARD enum bl_status bl_sim_label(struct bl_sim *sim, bl_str who, int64_t number,
                                         bl_str label, int64_t at, struct bl_sim_delivery *out);
BL_NODISCARD enum bl_status bl_sim_unlabel(struct bl_sim *sim, bl_str who, int64_t number,
                                           bl_str label, int64_t at,
                                           struct bl_sim_delivery *out);
BL_NODISCARD enum bl_status bl_sim_close(struct bl_sim *sim, bl_str who, int64_t number,
                                         unsigned state_reason, int64_t at,
                                         struct bl_sim_delivery *out);
BL_NODISCARD enum bl_status bl_sim_reopen(struct bl_sim *sim, bl_str who, int64_t number,
                                          int64_t at, struct bl_sim_delivery *out);
BL_NODISCARD enum bl_status bl_sim_lock(struct bl_sim *sim, bl_str who, int64_t number,
                                        int64_t at, struct bl_sim_delivery *out);
BL_NODISCARD enum bl_status bl_sim_unlock(struct bl_sim *sim, bl_str who, int64_t number,
                                          int64_t at, struct bl_sim_delivery *out);
BL_NODISCARD enum bl_status bl_sim_assign(struct bl_sim *sim, bl_str who, int64_t number,
                                          bl_str assignee, int64_t at,
                                          struct bl_sim_delivery *out);
/* To a comment, by its id. GitHub sends nothing. */
BL_NODISCARD enum bl_status bl_sim_react(struct bl_sim *sim, bl_str who, int64_t comment,
                                         unsigned reaction, int64_t at);
BL_NODISCARD enum bl_status bl_sim_edit_comment(struct bl_sim *sim, bl_str who, int64_t comment,
                                                bl_str text, int64_t at,
                                                struct bl_sim_delivery *out);
BL_NODISCARD enum bl_status bl_sim_delete_comment(struct bl_sim *sim, bl_str who,
                                                  int64_t comment, int64_t at,
                                                  struct bl_sim_delivery *out);
/* Id of the newest comment on an issue; 0 when it has none. */
int64_t bl_sim_newest_comment(const struct bl_sim *sim, int64_t number);

/* A pull request. Empty names: a branch of this repository named after the number, into the
 * default branch. */
struct bl_sim_pull {
    int64_t number; /* 0: the next free one */
    bl_str title;
    bl_str text;
    bl_str base;
    bl_str head_branch;
    bl_str head_repository;
    bl_str head_sha;
    const int64_t *closes; /* numbers of issues that its text names */
    size_t close_count;
};
BL_NODISCARD enum bl_status bl_sim_open_pull(struct bl_sim *sim, bl_str who,
                                             const struct bl_sim_pull *pull, int64_t at,
                                             struct bl_sim_delivery *out);
/* Merges with the commit `sha` (empty: one is made up). The issues that it closes stay open
 * unless bl_sim_set_closes_at_merge says otherwise; then they close without events. */
BL_NODISCARD enum bl_status bl_sim_merge(struct bl_sim *sim, bl_str who, int64_t number,
                                         bl_str sha, int64_t at, struct bl_sim_delivery *out);
void bl_sim_set_closes_at_merge(struct bl_sim *sim, bool closes);

struct bl_sim_release {
    bl_str tag;
    /* Where it was cut: the commit of a merge into the default branch, with which all merges
     * before it ship; any other commit ships alone. Empty: the default branch as it was. */
    bl_str commit;
    bool draft;
    bool prerelease;
};
/* A draft is created, everything else published. */
BL_NODISCARD enum bl_status bl_sim_publish(struct bl_sim *sim, bl_str who,
                                           const struct bl_sim_release *release, int64_t at,
                                           struct bl_sim_delivery *out);

/* Someone pushes a commit to the branch of a pull request: it is the newest from now on. The
 * first one takes the place of the commit that was made up when the pull request was opened. A
 * commit that is on another branch already stays what it is.
 * Empty: the committer is the author, the address GitHub's for the author. */
struct bl_sim_commit {
    bl_str sha;
    bl_str author;
    bl_str committer;
    bl_str email;
    bl_str message;
};
BL_NODISCARD enum bl_status bl_sim_commit_to(struct bl_sim *sim, bl_str who, int64_t number,
                                             const struct bl_sim_commit *commit, int64_t at,
                                             struct bl_sim_delivery *out);

/* Someone sets a status of a commit. An empty link: it names none. */
struct bl_sim_status {
    bl_str sha;
    bl_str context;
    unsigned state;
    bl_str link;
};
BL_NODISCARD enum bl_status bl_sim_set_status(struct bl_sim *sim, bl_str who,
                                              const struct bl_sim_status *status, int64_t at,
                                              struct bl_sim_delivery *out);

/* Someone pushes to the default branch: no thing of the repository changes. */
BL_NODISCARD enum bl_status bl_sim_push(struct bl_sim *sim, bl_str who, int64_t at,
                                        struct bl_sim_delivery *out);
/* A run of the workflow ends that the event `started_by` started, on the default branch. */
BL_NODISCARD enum bl_status bl_sim_end_run(struct bl_sim *sim, bl_str workflow,
                                           bl_str started_by, int64_t at,
                                           struct bl_sim_delivery *out);
/* GitHub sends what happens to a pull request twice, under two names: *out is the other one.
 * Nothing when there is none. */
BL_NODISCARD enum bl_status bl_sim_twin(struct bl_sim *sim,
                                        const struct bl_sim_delivery *delivery,
                                        struct bl_sim_delivery *out);

/* Events that nobody's act brings: the clock of a workflow, and a run by hand. `number` 0 and
 * an empty task are inputs that were left out. */
BL_NODISCARD enum bl_status bl_sim_morning(struct bl_sim *sim, int64_t at,
                                           struct bl_sim_delivery *out);
struct bl_sim_inputs {
    int64_t number;
    bl_str task;
    bool dry_run;
    int (*task_index)(const void *context, bl_str name);
    const void *task_context;
};
BL_NODISCARD enum bl_status bl_sim_by_hand(struct bl_sim *sim, bl_str who,
                                           const struct bl_sim_inputs *inputs, int64_t at,
                                           struct bl_sim_delivery *out);
/* The opening of an issue that is there, delivered now. */
BL_NODISCARD enum bl_status bl_sim_opened(struct bl_sim *sim, int64_t number,
                                          struct bl_sim_delivery *out);

/* ---- what is simply there ---------------------------------------------------------------- */

/* A user, or what is known of one from now on. */
BL_NODISCARD enum bl_status bl_sim_user(struct bl_sim *sim, bl_str login, unsigned kind,
                                        unsigned association, unsigned permission);
BL_NODISCARD enum bl_status bl_sim_user_id(struct bl_sim *sim, bl_str login, int64_t id);
/* Where a pull request comes from. */
BL_NODISCARD enum bl_status bl_sim_give_branch(struct bl_sim *sim, int64_t number,
                                               bl_str branch);
BL_NODISCARD enum bl_status bl_sim_give_fork(struct bl_sim *sim, int64_t number,
                                             bl_str repository);
BL_NODISCARD enum bl_status bl_sim_variable(struct bl_sim *sim, bl_str name, bl_str value);
/* A file of the job; the last one of a name holds. */
BL_NODISCARD enum bl_status bl_sim_job_file(struct bl_sim *sim, bl_str name, bl_str text);
/* The file of a store, whole. */
BL_NODISCARD enum bl_status bl_sim_store(struct bl_sim *sim, bl_str path, bl_str text);
/* False: there is no such file of the job. */
bool bl_sim_job_text(const struct bl_sim *sim, bl_str name, bl_str *out);
bl_str bl_sim_store_text(const struct bl_sim *sim, bl_str path); /* empty: there is none */
/* How git reads every patch, whatever it is: "ADDED REMOVED PATH" a file (text/patch.h). */
BL_NODISCARD enum bl_status bl_sim_git_reading(struct bl_sim *sim, bl_str lines);
BL_NODISCARD enum bl_status bl_sim_secret(struct bl_sim *sim, bl_str name, bool is_set);
BL_NODISCARD enum bl_status bl_sim_file(struct bl_sim *sim, bl_str path);
/* The same with what it holds; the last text of a path holds. */
BL_NODISCARD enum bl_status bl_sim_checkout_file(struct bl_sim *sim, bl_str path, bl_str text);
BL_NODISCARD enum bl_status bl_sim_checkout_commit(struct bl_sim *sim, bl_str sha);
/* A run of the workflow in that file; the same workflow and moment again: a job more of it. No
 * job when its name is empty, one that did not begin when `started` is 0. */
BL_NODISCARD enum bl_status bl_sim_run(struct bl_sim *sim, bl_str workflow, int64_t at,
                                       bl_str job, int64_t started);
/* A public repository with an issue of that number. */
BL_NODISCARD enum bl_status bl_sim_foreign_issue(struct bl_sim *sim, bl_str repository,
                                                 int64_t number);
/* An open alert of code scanning. */
BL_NODISCARD enum bl_status bl_sim_alert(struct bl_sim *sim, int64_t number, bl_str tool,
                                         bl_str rule, bl_str path);
BL_NODISCARD enum bl_status bl_sim_discussion(struct bl_sim *sim, int64_t number, bl_str title);
/* Texts as if they had stood there from the beginning, and counts. */
BL_NODISCARD enum bl_status bl_sim_give_title(struct bl_sim *sim, int64_t number, bl_str title);
BL_NODISCARD enum bl_status bl_sim_give_text(struct bl_sim *sim, int64_t number, bl_str text);
BL_NODISCARD enum bl_status bl_sim_give_thumbs_up(struct bl_sim *sim, int64_t number,
                                                  int64_t count);

#endif
