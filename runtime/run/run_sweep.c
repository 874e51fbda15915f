/* SPDX-License-Identifier: Apache-2.0 */
#include "run/run_parts.h"

/* Sweeps: the steps of a job in order, each thing of a step a unit of its own. They share one
 * snapshot, from which every write makes what it touched be read again: so a unit sees the
 * world with what the run did before it, and no issue is read twice for nothing. */

struct step {
    uint32_t index; /* in ENTRIES */
    const struct bl_entry *entry;
    struct bl_module_step row;
    int64_t left; /* how many units may still write */
    bool bounded;
};

/* A failed unit is a warning, and unless it was an attempt the run fails in the end. What was
 * read of its thing is asked anew when it comes again. Where every other unit would fail in the
 * same way the run stops, with one error.
 */
static enum bl_status end_unit(struct bl_runner *runner, struct bl_unit *unit,
                               enum bl_status status, struct bl_object *thing)
{
    bl_unit_end(runner, unit, status);
    if (status == BL_OK)
        return BL_OK;
    if (status == BL_ERR_NOMEM || runner->arena->failed)
        return BL_ERR_NOMEM;
    if (unit->failure.over)
        return status;
    if (unit->step >= runner->module->ENTRIES_count ||
        bl_module_step(runner->module, unit->step).attempted == 0)
        runner->result->units_failed++;
    bl_run_report_unit(runner, status, unit);
    if (thing != NULL)
        bl_snapshot_forget(runner->snapshot, thing);
    return BL_OK;
}

/* What it wrote, or would have. */
static size_t writes_of(const struct bl_unit *unit)
{
    size_t count = unit->plan.written;

    for (size_t i = 0; i < unit->plan.effects.count; i++)
        count += unit->plan.effects.items[i].state == BL_STATE_DRY ? 1 : 0;
    return count;
}

/* ---- the bound of writes ----------------------------------------------------------------- */

/* What is left is found again by the next run: things come longest without change first, so
 * those that were written wait behind those that were not, and none starves. */
static size_t most_writes(const struct bl_runner *runner)
{
    return runner->options->writes != 0 ? runner->options->writes
                                        : (size_t)bl_limit(BL_LIMIT_RUN_WRITES);
}

static bool has_room(const struct bl_runner *runner)
{
    return runner->written < most_writes(runner);
}

static void put_left(struct bl_runner *runner, uint32_t step, size_t things)
{
    struct bl_buf *left = &runner->left;

    if (left->len > 0)
        BL_PUT(left, ", ");
    if (things > 0)
        bl_buf_printf(left, "%zu thing%s of '", things, things == 1 ? "" : "s");
    else
        BL_PUT(left, "the step '");
    bl_buf_put(left, bl_module_string(runner->module, runner->module->ENTRIES_rows[step].name));
    bl_buf_put_char(left, '\'');
}

/* Of a run that stopped the error is what its log says. */
static enum bl_status say_left(struct bl_runner *runner, bool stopped)
{
    struct bl_log_line *line;
    struct bl_buf words;

    if (runner->left.len == 0)
        return BL_OK;
    bl_buf_init(&words, runner->arena, runner->left.len + 200);
    if (stopped)
        BL_PUT(&words, "The run stopped before its end. Left for the next: ");
    else
        bl_buf_printf(&words,
                      "%zu writes were made, and one run makes no more than %zu. Left for the "
                      "next: ",
                      runner->written, most_writes(runner));
    bl_buf_put(&words, bl_buf_str(&runner->left));
    bl_buf_put_char(&words, '.');
    runner->result->left = bl_buf_str(&words);
    if (stopped)
        return words.failed ? BL_ERR_NOMEM : BL_OK;
    line = BL_PUSH(runner->arena, runner->result->log);
    if (line == NULL || words.failed)
        return BL_ERR_NOMEM;
    *line = (struct bl_log_line){BL_SEVERITY_WARNING, runner->result->left};
    return BL_OK;
}

/* ---- units ------------------------------------------------------------------------------- */

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
    size_t writes = writes_of(unit);
    runner->written += writes;
    if (step->bounded && writes > 0)
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

/* Its pages did not come. */
static enum bl_status fail_list(struct bl_runner *runner, const struct step *step,
                                enum bl_status status)
{
    struct bl_unit *unit = bl_unit_begin(runner, (bl_str){NULL, 0}, step->index);

    if (unit == NULL)
        return BL_ERR_NOMEM;
    runner->machine.failure.what = BL_STR("the next things of the step could not be read");
    return end_unit(runner, unit, status, NULL);
}

static enum bl_status run_things(struct bl_runner *runner, struct step *step,
                                 struct bl_list *things)
{
    struct bl_value *ambient = step->row.ambient < BL_AMBIENT_COUNT
                                   ? &runner->machine.ambient[step->row.ambient]
                                   : NULL;
    struct bl_value before = ambient != NULL ? *ambient : bl_absent();
    enum bl_status status = BL_OK, read = BL_OK;
    bool end = false;
    uint32_t i = 0;

    /* Writing can move what the next page begins with, so all pages come first; where the
     * policy bounds how many it takes, the rest may be too long to be asked for. */
    if (!step->bounded)
        read = bl_list_complete(things);
    expect(runner, things);
    for (; status == BL_OK && read == BL_OK && !end && has_room(runner) &&
           (!step->bounded || step->left > 0);
         i++) {
        struct bl_value thing;

        read = bl_list_at(things, i, &thing, &end);
        if (read != BL_OK || end)
            continue;
        if (ambient != NULL)
            *ambient = thing;
        status = run_unit(runner, step, name_of(runner, thing), thing);
    }
    expect(runner, NULL);
    if (ambient != NULL)
        *ambient = before;
    if (read == BL_OK && (status != BL_OK || !has_room(runner)) && i < things->count)
        put_left(runner, step->index, things->count - i);
    return read == BL_OK || status != BL_OK ? status : fail_list(runner, step, read);
}

static enum bl_status run_step(struct bl_runner *runner, uint32_t index)
{
    struct step step = {.index = index,
                        .entry = &runner->module->ENTRIES_rows[index],
                        .row = bl_module_step(runner->module, index)};
    struct bl_value answer = bl_absent();
    bool answered = true;
    enum bl_status status = BL_OK;

    if (step.row.when != BL_NONE) {
        status = ask(runner, &step, step.row.when, &answer, &answered);
        if (status != BL_OK || !answered || answer.tag != BL_V_BOOL || answer.as.i == 0)
            return status;
    }
    if (step.row.units == BL_NONE)
        return run_unit(runner, &step, (bl_str){NULL, 0}, bl_absent());
    if (step.row.at_most != BL_NONE) {
        status = ask(runner, &step, step.row.at_most, &answer, &answered);
        if (status != BL_OK || !answered)
            return status;
        step.bounded = true;
        step.left = answer.as.i;
    }
    status = ask(runner, &step, step.row.units, &answer, &answered);
    if (status != BL_OK || !answered || answer.tag != BL_V_LIST)
        return status;
    return run_things(runner, &step, answer.as.list);
}

static bool is_report(const struct bl_runner *runner, uint32_t step)
{
    return runner->module->ENTRIES_rows[step].kind == BL_ENTRY_REPORT;
}

enum bl_status bl_run_sweep(struct bl_runner *runner)
{
    const struct bl_module_job *job = &runner->module->JOBS_rows[runner->options->job];
    enum bl_status status = BL_OK;

    bl_buf_init(&runner->left, runner->arena, (size_t)bl_limit(BL_LIMIT_TEXT_BYTES));
    for (uint32_t i = 0; i < job->step_count && status != BL_ERR_NOMEM; i++) {
        /* A report writes nothing to the repository. */
        if (status == BL_OK && (has_room(runner) || is_report(runner, job->first_step + i)))
            status = run_step(runner, job->first_step + i);
        else
            put_left(runner, job->first_step + i, 0);
    }
    enum bl_status said = status == BL_ERR_NOMEM ? status : say_left(runner, status != BL_OK);
    return said != BL_OK ? said : status;
}
