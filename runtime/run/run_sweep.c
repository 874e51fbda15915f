/* SPDX-License-Identifier: Apache-2.0 */
#include "run/run_parts.h"

/* Sweeps: the steps of a job in order, each thing of a step a unit of its own. They share one
 * snapshot, from which every write makes what it touched be read again: so a unit sees the
 * world with what the run did before it, and no issue is read twice for nothing. */

struct step {
    uint32_t index; /* in ENTRIES */
    const struct bl_entry *entry;
    int64_t left; /* how many units may still write */
    bool bounded;
};

/* A failed unit is a warning, and unless it was an attempt the run fails in the end. What was
 * read of its thing is asked anew when it comes again.
 */
static enum bl_status end_unit(struct bl_runner *runner, struct bl_unit *unit,
                               enum bl_status status, struct bl_object *thing)
{
    bl_unit_end(runner, unit, status);
    if (status == BL_OK)
        return BL_OK;
    if (status == BL_ERR_NOMEM || runner->arena->failed)
        return BL_ERR_NOMEM;
    if (unit->step >= runner->module->ENTRIES_count ||
        runner->module->ENTRIES_rows[unit->step].attempted == 0)
        runner->result->units_failed++;
    bl_run_report_unit(runner, status, unit);
    if (thing != NULL)
        bl_snapshot_forget(runner->snapshot, thing);
    return BL_OK;
}

static bool has_written(const struct bl_unit *unit)
{
    if (unit->plan.written > 0)
        return true;
    for (size_t i = 0; i < unit->plan.effects.count; i++) {
        if (unit->plan.effects.items[i].state == BL_STATE_DRY)
            return true;
    }
    return false;
}

/* One unit: the step's function over one thing, or once for all. */
static enum bl_status run_unit(struct bl_runner *runner, struct step *step, bl_str name,
                               struct bl_value thing)
{
    struct bl_unit *unit = bl_unit_begin(runner, name, step->index);
    size_t count = bl_is_absent(thing) ? 0 : 1;

    if (unit == NULL)
        return BL_ERR_NOMEM;
    enum bl_status status = bl_unit_call(runner, unit, step->index, &thing, count, NULL, NULL);
    if (status == BL_OK)
        status = bl_unit_finish(runner, unit);
    if (step->bounded && has_written(unit))
        step->left--;
    return end_unit(runner, unit, status, bl_object_of(thing));
}

/* Calls one of the step's own questions: `when`, `units`, `at_most`. What they fail at is the
 * step's failure. */
static enum bl_status ask(struct bl_runner *runner, struct step *step, uint32_t function,
                          struct bl_value *out, bool *answered)
{
    struct bl_unit *unit = bl_unit_begin(runner, (bl_str){NULL, 0}, step->index);

    *answered = false;
    if (unit == NULL)
        return BL_ERR_NOMEM;
    enum bl_status status = bl_machine_call(&runner->machine, function, NULL, 0, out);
    runner->result->instructions += runner->machine.used;
    *answered = status == BL_OK;
    if (status == BL_OK) {
        runner->result->units.count--; /* a question is no unit of the journal */
        return BL_OK;
    }
    return end_unit(runner, unit, status, NULL);
}

static bl_str name_of(struct bl_runner *runner, struct bl_value thing)
{
    struct bl_value_names names = bl_machine_names(runner->module);
    struct bl_buf name;

    bl_buf_init(&name, runner->arena, 400);
    bl_value_describe(&name, thing, &names);
    return bl_buf_str(&name);
}

static void expect(const struct bl_runner *runner, struct bl_list *things)
{
    const struct bl_world *world = runner->options->world;

    if (world != NULL && world->expect != NULL)
        world->expect(world->self, things);
}

static enum bl_status run_things(struct bl_runner *runner, struct step *step,
                                 struct bl_list *things)
{
    struct bl_value *ambient = step->entry->ambient < BL_AMBIENT_COUNT
                                   ? &runner->machine.ambient[step->entry->ambient]
                                   : NULL;
    struct bl_value before = ambient != NULL ? *ambient : bl_absent();
    enum bl_status status = BL_OK;
    bool end = false;

    /* Writing can move what the next page begins with, so all pages come first; where the
     * policy bounds how many it takes, the rest may be too long to be asked for. */
    if (!step->bounded)
        status = bl_list_complete(things);
    expect(runner, things);
    for (uint32_t i = 0; status == BL_OK && !end && (!step->bounded || step->left > 0); i++) {
        struct bl_value thing;

        status = bl_list_at(things, i, &thing, &end);
        if (status != BL_OK || end)
            continue;
        if (ambient != NULL)
            *ambient = thing;
        status = run_unit(runner, step, name_of(runner, thing), thing);
    }
    expect(runner, NULL);
    if (ambient != NULL)
        *ambient = before;
    if (status == BL_OK || status == BL_ERR_NOMEM)
        return status;
    struct bl_unit *unit = bl_unit_begin(runner, (bl_str){NULL, 0}, step->index);
    if (unit == NULL)
        return BL_ERR_NOMEM;
    runner->machine.failure.what = BL_STR("the next things of the step could not be read");
    return end_unit(runner, unit, status, NULL);
}

static enum bl_status run_step(struct bl_runner *runner, uint32_t index)
{
    struct step step = {.index = index, .entry = &runner->module->ENTRIES_rows[index]};
    struct bl_value answer = bl_absent();
    bool answered = true;
    enum bl_status status = BL_OK;

    if (step.entry->when != BL_NONE) {
        status = ask(runner, &step, step.entry->when, &answer, &answered);
        if (status != BL_OK || !answered || answer.tag != BL_V_BOOL || answer.as.i == 0)
            return status;
    }
    if (step.entry->units == BL_NONE)
        return run_unit(runner, &step, (bl_str){NULL, 0}, bl_absent());
    if (step.entry->at_most != BL_NONE) {
        status = ask(runner, &step, step.entry->at_most, &answer, &answered);
        if (status != BL_OK || !answered)
            return status;
        step.bounded = true;
        step.left = answer.as.i;
    }
    status = ask(runner, &step, step.entry->units, &answer, &answered);
    if (status != BL_OK || !answered || answer.tag != BL_V_LIST)
        return status;
    return run_things(runner, &step, answer.as.list);
}

enum bl_status bl_run_sweep(struct bl_runner *runner)
{
    const struct bl_module_job *job = &runner->module->JOBS_rows[runner->options->job];
    enum bl_status status = BL_OK;

    for (uint32_t i = 0; status == BL_OK && i < job->step_count; i++)
        status = run_step(runner, job->first_step + i);
    return status;
}
