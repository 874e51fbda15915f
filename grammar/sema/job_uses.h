/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_SEMA_JOB_USES_H
#define BL_SEMA_JOB_USES_H

#include "sema/program.h"

/* What a job and all that it runs can use of GitHub. Everything that stands anywhere in its
 * rules, steps and lifecycles and in what they call counts, whether a run reaches it or not:
 * nothing is missing, and nothing is there without a place in the policy. */

enum bl_use_kind {
    BL_USE_EFFECT, /* of a statement or a command */
    BL_USE_READ,   /* of an expression */
    BL_USE_ACTION, /* of an action that its steps use */
};
/* Why a permission is needed. Each effect of a rule stands once, each read of the job once. */
struct bl_permission_use {
    enum bl_permission permission;
    enum bl_use_kind kind;
    bl_str what;                   /* the effect's words, the read's name, the action's */
    const struct bl_symbol *where; /* the declaration that holds the place */
    struct bl_span span;
    size_t more; /* further places of the same */
};
struct bl_job_uses {
    BL_VEC(struct bl_permission_use) permissions;
    /* BL_CAP bits: what the token of the job has to be given. Those of `permissions`, and all
     * of `may write` when `unknown`. */
    uint32_t needed;
    /* It runs what no table knows the needs of (command lines), so that what it is given counts
     * as needed. */
    bool unknown;
    bool starts;                                /* gives a task: its output `task` */
    BL_VEC(const struct bl_symbol *) variables; /* that are read, each once */
    BL_VEC(const struct bl_symbol *) secrets;   /* that are asked for with `.is_set` */
    BL_VEC(bl_str) outputs;                     /* of `output NAME …`, each once */
};

/* For a job of a program without errors. Everything lives in the program's arena, whose failure
 * is the only one. Linear in what the job runs. */
void bl_job_uses(const struct bl_program *program, const struct bl_symbol *job,
                 struct bl_job_uses *out);
/* The `steps` that the job begins with: those that it names, else those of its workflow; NULL
 * for none. A job with an engine has none of its workflow's: what keeps other jobs from the
 * network would keep the engine from its service. */
const struct bl_symbol *bl_job_begins(const struct bl_program *program,
                                      const struct bl_symbol *job);
/* Is the permission implied by another of the set? Who may write a key may read it. */
bool bl_permission_is_implied(uint32_t set, unsigned permission);

#endif
