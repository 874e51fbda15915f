/* SPDX-License-Identifier: Apache-2.0 */
#include "run/run_parts.h"

/* An entry of the command line: it is about no event, belongs to no job, and writes nothing but
 * rows of stores and lines of the log. */

/* A refusal takes back what stood before it. */
static enum bl_status judge(struct bl_runner *runner, struct bl_value verdict)
{
    const struct bl_object *object = bl_object_of(verdict);

    if (object == NULL) {
        runner->machine.failure.what = BL_STR("An entry gave no verdict");
        return BL_ERR_INTERNAL;
    }
    if (bl_object_get(object, BL_FIELD_VERDICT_PASSES).as.i != 0)
        return BL_OK;
    runner->machine.planned.count = 0;
    bl_run_refuse(runner, bl_text_of(bl_object_get(object, BL_FIELD_VERDICT_RULE)),
                  bl_text_of(bl_object_get(object, BL_FIELD_VERDICT_TEXT)));
    return BL_OK;
}

static enum bl_status call_entry(struct bl_runner *runner, struct bl_unit *unit,
                                 const struct bl_call *call)
{
    const struct bl_module_called *row = &runner->module->CALLED_rows[call->called];
    struct bl_value verdict = bl_absent();
    enum bl_status status =
        bl_unit_call(runner, unit, row->entry, call->given.as.fields,
                     call->given.tag == BL_V_RECORD ? call->given.len : 0, &verdict, NULL);

    if (status == BL_OK)
        status = judge(runner, verdict);
    return status == BL_OK ? bl_unit_finish(runner, unit) : status;
}

enum bl_status bl_run_called(struct bl_runner *runner)
{
    const struct bl_call *call = runner->options->call;
    struct bl_unit *unit;

    if (runner->module->CALLED_rows[call->called].by != 0 && !call->by_person) {
        bl_run_refuse(runner, BL_STR("by"), BL_STR("A person has to call this."));
        return BL_OK;
    }
    unit = bl_unit_begin(runner, (bl_str){NULL, 0}, BL_NONE);
    if (unit == NULL)
        return BL_ERR_NOMEM;
    enum bl_status status = call_entry(runner, unit, call);
    bl_unit_end(runner, unit, status);
    return status;
}
