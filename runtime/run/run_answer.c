/* SPDX-License-Identifier: Apache-2.0 */
#include "run/answer.h"
#include "run/run_parts.h"

/* What a job does with the answer of a task: nothing is read for it before it fits its record
 * (run/answer.h), and nothing is planned before it passed its checks and still counts. */

static struct bl_diagnostic *report(struct bl_runner *runner, enum bl_diagnostic_code code)
{
    const struct bl_module *m = runner->module;
    struct bl_diagnostic *d = bl_report(runner->sink, code, BL_NO_SPAN);

    bl_diagnostic_text(runner->sink, d, "task",
                       bl_module_string(m, m->TASKS_rows[runner->options->answer->task].name));
    return d;
}

/* A run by hand names an issue; the task finds the comment that it is about. */
enum bl_status bl_run_find_comment(struct bl_runner *runner, uint32_t judges, bool *found)
{
    struct bl_machine *machine = &runner->machine;
    struct bl_value comment = machine->ambient[BL_AMBIENT_COMMENT];
    enum bl_status status = BL_OK;

    *found = true;
    if (judges == BL_NONE || !bl_is_absent(comment))
        return BL_OK;
    status = bl_machine_call(machine, judges, NULL, 0, &comment);
    *found = status == BL_OK && !bl_is_absent(comment);
    if (*found)
        machine->ambient[BL_AMBIENT_COMMENT] = machine->ambient[BL_AMBIENT_EVENT_COMMENT] =
            comment;
    return status;
}

static enum bl_status check(struct bl_runner *runner, uint32_t passes)
{
    struct bl_value verdict = bl_absent();
    enum bl_status status;
    struct bl_object *object;
    struct bl_diagnostic *d;

    if (passes == BL_NONE)
        return BL_OK;
    status = bl_machine_call(&runner->machine, passes, NULL, 0, &verdict);
    object = bl_object_of(verdict);
    if (status != BL_OK || object == NULL)
        return status != BL_OK ? status : BL_ERR_INTERNAL;
    if (bl_object_get(object, BL_FIELD_VERDICT_PASSES).as.i != 0)
        return BL_OK;
    d = report(runner, BL_D_ANSWER_CHECKED);
    bl_diagnostic_text(runner->sink, d, "rule",
                       bl_text_of(bl_object_get(object, BL_FIELD_VERDICT_RULE)));
    bl_diagnostic_text(runner->sink, d, "text",
                       bl_text_of(bl_object_get(object, BL_FIELD_VERDICT_TEXT)));
    return BL_ERR_REFUSED;
}

static enum bl_status still_counts(struct bl_runner *runner, uint32_t counts, bool *out)
{
    struct bl_value answer = bl_bool(true);
    enum bl_status status = BL_OK;

    if (counts != BL_NONE)
        status = bl_machine_call(&runner->machine, counts, NULL, 0, &answer);
    *out = status == BL_OK && answer.as.i != 0;
    return status;
}

enum bl_status bl_run_answer(struct bl_runner *runner, struct bl_unit *unit)
{
    const struct bl_module *m = runner->module;
    uint32_t number = runner->options->answer->task;
    const struct bl_module_task *task = &m->TASKS_rows[number];
    bool goes_on = false;
    enum bl_status status = bl_run_find_comment(runner, task->judges, &goes_on);

    if (status == BL_OK && !goes_on) {
        report(runner, BL_D_ANSWER_NO_COMMENT);
        return BL_OK;
    }
    if (status == BL_OK)
        status = check(runner, task->passes);
    if (status == BL_OK)
        status = still_counts(runner, task->counts, &goes_on);
    if (status == BL_OK && !goes_on)
        report(runner, BL_D_ANSWER_PAST);
    for (uint32_t i = 0; status == BL_OK && goes_on && i < m->ANSWER_RULES_count; i++) {
        const struct bl_answer_rule *row = &m->ANSWER_RULES_rows[i];

        if (row->task != number || m->ENTRIES_rows[row->entry].job != runner->options->job)
            continue;
        status = bl_unit_call(runner, unit, row->entry, NULL, 0, NULL, NULL);
        runner->result->rules_evaluated++;
    }
    return status;
}
