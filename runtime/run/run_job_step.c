/* SPDX-License-Identifier: Apache-2.0 */
#include "run/run_parts.h"
#include "text/patch.h"

/* A step of a job that is no rule: one file is written for an engine, one file is held against
 * a check, or one comment is posted. */

enum bl_status bl_run_fail(struct bl_runner *runner, const char *what)
{
    runner->machine.failure = (struct bl_failure){.what = bl_str_from(what)};
    bl_diagnostic_text(runner->sink, bl_report(runner->sink, BL_D_STEP_FAILED, BL_NO_SPAN),
                       "what", bl_str_from(what));
    return runner->arena->failed ? BL_ERR_NOMEM : BL_ERR_INVALID;
}

void bl_run_refuse(struct bl_runner *runner, bl_str rule, bl_str text)
{
    runner->result->refused = true;
    runner->result->refused_rule = rule;
    runner->result->refused_text = text;
}

static enum bl_status check(struct bl_runner *runner, const struct bl_module_job_step *row)
{
    const struct bl_module *m = runner->module;
    uint32_t function = m->ENTRIES_rows[row->index].function;
    bl_type type = bl_module_registers(m, &m->FUNCTIONS_rows[function])[0];
    bl_str content = runner->options->step->content;
    struct bl_value argument = bl_text(content), verdict = bl_absent();
    struct bl_object *patch;
    enum bl_status status;

    if (bl_type_is(type, BL_TYPE_ENTITY)) {
        patch = bl_patch_thing(runner->arena, content);
        if (patch == NULL)
            return BL_ERR_NOMEM;
        argument = bl_object_value(patch);
    }
    status = bl_machine_call(&runner->machine, function, &argument, 1, &verdict);
    if (status != BL_OK)
        return status;
    const struct bl_object *object = bl_object_of(verdict);
    if (object == NULL)
        return bl_run_fail(runner, "A check gave no verdict");
    if (bl_object_get(object, BL_FIELD_VERDICT_PASSES).as.i == 0)
        bl_run_refuse(runner, bl_text_of(bl_object_get(object, BL_FIELD_VERDICT_RULE)),
                      bl_text_of(bl_object_get(object, BL_FIELD_VERDICT_TEXT)));
    return BL_OK;
}

static enum bl_status post(struct bl_runner *runner, struct bl_unit *unit,
                           const struct bl_module_job_step *row)
{
    uint32_t function = runner->module->ENTRIES_rows[row->index].function;
    struct bl_value *arguments = NULL, done = bl_absent();
    size_t count = 0;
    enum bl_status status = bl_run_given(runner, function, &arguments, &count);

    if (status == BL_OK)
        status = bl_unit_call(runner, unit, row->index, arguments, count, &done, NULL);
    if (status == BL_OK && (done.tag != BL_V_BOOL || done.as.i == 0))
        return bl_run_fail(runner, "There is nothing that the job could be about");
    return status == BL_OK ? bl_unit_finish(runner, unit) : status;
}

enum bl_status bl_run_job_step(struct bl_runner *runner)
{
    const struct bl_module_job_step *row =
        &runner->module->JOB_STEPS_rows[runner->options->step->step];
    struct bl_unit *unit = bl_unit_begin(runner, (bl_str){NULL, 0}, BL_NONE);
    enum bl_status status;

    if (unit == NULL)
        return BL_ERR_NOMEM;
    status = bl_run_read_event(runner);
    if (status == BL_OK && runner->gone)
        status = bl_run_fail(runner, "What the event is about does not exist any more");
    if (status == BL_OK && row->kind == BL_JOB_STEP_WRITE)
        status = bl_run_write_file(runner, row->index);
    else if (status == BL_OK && row->kind == BL_JOB_STEP_CHECK)
        status = check(runner, row);
    else if (status == BL_OK && row->kind == BL_JOB_STEP_POST)
        status = post(runner, unit, row);
    bl_unit_end(runner, unit, status);
    if (status != BL_OK)
        runner->result->files.count = 0;
    return status;
}
