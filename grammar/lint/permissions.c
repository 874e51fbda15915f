/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/linter.h"

/* Jobs that may write more than their effects do. */

/* What no run knows yet may need anything. */
static bool holds_later(const struct bl_program *program, const struct bl_symbol *job)
{
    if (program->symbols[BL_SYMBOL_COMMANDS].count > 0)
        return true; /* what refuses a command may write, too */
    for (const struct bl_clause *row = job->clause != NULL ? job->clause->block : NULL;
         row != NULL; row = row->next) {
        if (row->id == BL_CLAUSE_JOB_STEPS)
            return true;
    }
    return false;
}

static bool has_later(const struct bl_statement *list)
{
    for (const struct bl_statement *s = list; s != NULL; s = s->next) {
        if (s->kind == BL_STATEMENT_LATER || has_later(s->body) ||
            (s->otherwise != NULL && has_later(s->otherwise)))
            return true;
    }
    return false;
}

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
    uint32_t needed = 0;

    if (holds_later(l->program, job))
        return;
    for (size_t i = 0; i < l->rules.count; i++) {
        const struct bl_rule *rule = l->rules.items[i].rule;

        if (rule->job != job)
            continue;
        if (has_later(rule->body))
            return;
        needed |= rule->capabilities;
    }
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
