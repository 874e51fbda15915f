/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/linter.h"
#include "sema/job_uses.h"

/* Jobs that may write more than what they run does. */

static struct bl_span place_of(const struct bl_symbol *job)
{
    for (const struct bl_clause *row = job->clause != NULL ? job->clause->block : NULL;
         row != NULL; row = row->next) {
        if (row->id == BL_CLAUSE_JOB_MAY)
            return row->node->span;
    }
    return job->span;
}

static void look_at(struct bl_linter *l, const struct bl_symbol *job)
{
    struct bl_job_uses uses;
    uint32_t needed = 0;

    bl_job_uses(l->program, job, &uses);
    if (uses.unknown)
        return;
    for (size_t i = 0; i < uses.permissions.count; i++)
        needed |= BL_CAP(uses.permissions.items[i].permission);
    for (unsigned permission = 0; permission < BL_PERMISSION_COUNT; permission++) {
        struct bl_diagnostic *d;

        if ((job->as.job->capabilities & ~needed & BL_CAP(permission)) == 0)
            continue;
        d = bl_lint_report(l, BL_D_UNNEEDED_PERMISSION, place_of(job));
        bl_lint_text(l, d, "name", job->name);
        bl_lint_text(l, d, "permission",
                     bl_permission_info((enum bl_permission)permission)->key);
    }
}

void bl_lint_permissions(struct bl_linter *l)
{
    const struct bl_symbol_list *jobs = &l->program->symbols[BL_SYMBOL_JOB];

    for (size_t i = 0; i < jobs->count; i++) {
        if (bl_lint_is_own(jobs->items[i]))
            look_at(l, jobs->items[i]);
    }
}
