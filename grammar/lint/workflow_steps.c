/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/linter.h"
#include "sema/job_uses.h"

/* What the jobs of generated workflows use: actions with a commit, and a checkout before
 * policies run. */

#define ZEROS_OF_A_PLACEHOLDER 32u
#define CHECKOUT               "actions/checkout@"

static bl_str address_of(const struct bl_symbol *action)
{
    const struct bl_node *node = bl_slot_node(action->clause, 1);

    return node != NULL ? node->text : (bl_str){NULL, 0};
}

/* Forty digits of chance do not begin so. */
static bool is_placeholder(bl_str address)
{
    size_t at = bl_str_find_char(address, '@');
    size_t zeros = 0;

    while (at != SIZE_MAX && at + 1 + zeros < address.len && address.ptr[at + 1 + zeros] == '0')
        zeros++;
    return zeros >= ZEROS_OF_A_PLACEHOLDER;
}

struct looking {
    struct bl_linter *l;
    const struct bl_symbol *job;
    bool checks_out;
};

static bl_str version_of(const struct bl_symbol *action)
{
    for (const struct bl_clause *row = action->clause->block; row != NULL; row = row->next) {
        if (row->id == BL_CLAUSE_ACTION_VERSION)
            return bl_slot_node(row, 0)->text;
    }
    return BL_STR("its version");
}

/* Of the policy's own actions; what another package pins is its matter. */
static void look_at_pins(struct bl_linter *l)
{
    const struct bl_symbol_list *actions = &l->program->symbols[BL_SYMBOL_ACTION];

    for (size_t i = 0; i < actions->count; i++) {
        const struct bl_symbol *action = actions->items[i];
        struct bl_diagnostic *d;

        if (!bl_lint_is_own(action) || !is_placeholder(address_of(action)))
            continue;
        d = bl_lint_report(l, BL_D_PLACEHOLDER_PIN, bl_slot_node(action->clause, 1)->span);
        bl_lint_text(l, d, "name", action->name);
        bl_lint_text(l, d, "version", version_of(action));
    }
}

static void look_at_steps(struct looking *x, const struct bl_clause *step)
{
    for (; step != NULL; step = step->next) {
        const struct bl_symbol *action;

        if (step->id != BL_CLAUSE_STEPS_USES)
            continue;
        action = bl_program_find(x->l->program, BL_SPACE_RUNNING, bl_slot_node(step, 0)->text);
        if (action == NULL || action->kind != BL_SYMBOL_ACTION)
            continue;
        x->checks_out =
            x->checks_out || bl_str_starts_with(address_of(action), BL_STR(CHECKOUT));
    }
}

static void look_at_job(struct looking *x)
{
    const struct bl_symbol *begins = bl_job_begins(x->l->program, x->job);
    enum bl_job_runs runs = x->job->as.job->runs;
    struct bl_diagnostic *d;

    x->checks_out = false;
    if (begins != NULL)
        look_at_steps(x, begins->clause->block);
    for (const struct bl_clause *row = x->job->clause->block; row != NULL; row = row->next) {
        if (row->id == BL_CLAUSE_JOB_STEPS)
            look_at_steps(x, row->block);
    }
    if (x->checks_out || x->job->as.job->workflow == NULL || x->job->as.job->engine != NULL ||
        (runs != BL_RUNS_RULES && runs != BL_RUNS_SWEEP && runs != BL_RUNS_ANSWERS))
        return;
    d = bl_lint_report(x->l, BL_D_NO_CHECKOUT, x->job->span);
    bl_lint_text(x->l, d, "name", x->job->name);
}

void bl_lint_workflows(struct bl_linter *l)
{
    const struct bl_symbol_list *jobs = &l->program->symbols[BL_SYMBOL_JOB];
    struct looking x = {.l = l};

    look_at_pins(l);
    for (size_t i = 0; i < jobs->count; i++) {
        x.job = jobs->items[i];
        if (bl_lint_is_own(x.job))
            look_at_job(&x);
    }
}
