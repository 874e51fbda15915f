/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_WORKFLOWS_WORKFLOWS_H
#define BL_WORKFLOWS_WORKFLOWS_H

#include "base/buf.h"
#include "sema/program.h"

/* The workflows that a policy declares, as GitHub Actions reads them, and the lists of hosts of
 * its runners: a function of the program
 * alone, the same bytes for the same policy. Texts of the policy can end no value, begin no
 * expression and reach no command line but their own `run`. */

struct bl_workflow_file {
    const struct bl_symbol *symbol; /* the workflow, or the runner whose hosts these are */
    bl_str path; /* below the repository: ".github/workflows/issue-assistant.yml" */
    bl_str text;
};
struct bl_workflow_files {
    struct bl_workflow_file *items;
    size_t count, capacity;
};

/* All workflows of the program in its order, into the program's arena. The program must be free
 * of errors. BL_ERR_INVALID when one cannot be written: what GitHub cannot decide before a job
 * begins and what is missing is in the sink, all of it; *out holds the others. BL_ERR_NOMEM. */
BL_NODISCARD enum bl_status bl_workflows_write(const struct bl_program *program,
                                               struct bl_diagnostics *sink,
                                               struct bl_workflow_files *out);

/* Was the text written by bl_workflows_write, by what its first line says? */
bool bl_workflow_is_made(bl_str text);
/* Does `found`, a file of a repository, say the same as `made`? Commits of actions and the
 * versions behind them may differ, as long as each is a commit, and lines may end in CR LF:
 * updates of actions come from elsewhere. *out is `found` with the commits of `made` where only
 * those differ and with LF, so that a difference shows nothing else. */
bool bl_workflow_is_same(struct bl_arena *arena, bl_str made, bl_str found, bl_str *out);

#endif
