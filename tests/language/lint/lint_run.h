/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TESTS_LANGUAGE_LINT_RUN_H
#define BL_TESTS_LANGUAGE_LINT_RUN_H

#include "lint/lint.h"
#include "support/policy_loader.h"

/* A policy that was compiled and linted. */
struct linted {
    struct bl_arena arena;
    struct bl_sources sources;
    struct bl_diagnostics sink;
    struct bl_program *program;
    double milliseconds; /* of bl_lint alone, in CPU time */
    size_t bytes;        /* that it took from the arena */
    BL_VEC(struct shown) shown;
};
struct shown {
    const struct bl_diagnostic *finding;
    struct bl_witness witness;
};

void lint_begin(struct linted *l);
/* False when it does not compile; then the sink says why. */
bool lint_policy(struct linted *l, const char *path, const bl_str *search);
void lint_end(struct linted *l);

/* Runs what the findings show; the number of those that show something else, with words on
 * standard output. */
int replay_findings(struct linted *l);

#endif
