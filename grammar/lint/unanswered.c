/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/linter.h"

/* Tasks that are started and whose answers nothing takes. */

/* Is it the task that the effect names? One that a decision chooses may be any. */
static bool may_start(const struct bl_deed *deed, const struct bl_symbol *task)
{
    const struct bl_node *value = deed->statement->value;

    if (deed->effect != BL_EFFECT_START || value == NULL)
        return false;
    return value->resolution == BL_RESOLVED_TASK ? value->symbol == task : task->used;
}

static bool is_answered(const struct bl_linter *l, const struct bl_symbol *task)
{
    for (size_t i = 0; i < l->rules.count; i++) {
        if (l->rules.items[i].rule->answers == task)
            return true;
    }
    return false;
}

void bl_lint_unanswered(struct bl_linter *l)
{
    const struct bl_symbol_list *tasks = &l->program->symbols[BL_SYMBOL_TASK];

    for (size_t i = 0; i < tasks->count; i++) {
        const struct bl_symbol *task = tasks->items[i];
        const struct bl_deed *start = NULL;
        struct bl_diagnostic *d;

        if (!bl_lint_is_own(task) || is_answered(l, task))
            continue;
        for (size_t k = 0; k < l->deeds.count && start == NULL; k++)
            start = may_start(&l->deeds.items[k], task) ? &l->deeds.items[k] : NULL;
        if (start == NULL)
            continue;
        d = bl_lint_report(l, BL_D_TASK_UNANSWERED, task->span);
        bl_lint_text(l, d, "name", task->name);
        bl_diagnostic_label(&l->found, d, start->span, BL_STR("starts it"));
    }
}
