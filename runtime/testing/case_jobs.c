/* SPDX-License-Identifier: Apache-2.0 */
#include "run/outputs.h"
#include "testing/case_step.h"

/* Jobs that do steps of their own, on the event that came last: what they get from the jobs
 * before them, and whether they may begin at all. Actions and command lines are not run; what
 * they leave, the test gives as files of the job. */

/* ---- what jobs leave --------------------------------------------------------------------- */

static struct bl_case_job *job_of(struct bl_case *c, uint32_t job)
{
    for (size_t i = 0; i < c->jobs.count; i++)
        if (c->jobs.items[i].job == job)
            return &c->jobs.items[i];
    return NULL;
}

static bool keep_outcome(struct bl_case *c, uint32_t job, bool passed)
{
    struct bl_case_job *row = job_of(c, job);
    if (row == NULL) {
        row = BL_PUSH(c->arena, c->jobs);
        if (row == NULL)
            return false;
        *row = (struct bl_case_job){job, true};
    }
    row->passed = row->passed && passed;
    return true;
}

bool bl_case_keep(struct bl_case *c, uint32_t job, enum bl_status status,
                  const struct bl_run_result *result)
{
    for (size_t i = 0; i < result->outputs.count; i++) {
        struct bl_given_output *given = BL_PUSH(c->arena, c->given);
        if (given == NULL)
            return false;
        *given = (struct bl_given_output){
            .job = bl_module_string(c->module, c->module->JOBS_rows[job].name),
            .name = result->outputs.items[i].name,
            .text = bl_output_text(result, c->module, result->outputs.items[i].value)};
    }
    return keep_outcome(c, job, bl_run_exit_code(status, result) == 0);
}

/* ---- what an engine takes ---------------------------------------------------------------- */

static struct bl_value given_or(const struct bl_case_step *s, size_t index,
                                struct bl_value plain)
{
    struct bl_value v = bl_step_arg(s, index);
    return bl_is_absent(v) ? plain : v;
}

static unsigned end_of(const struct bl_case_step *s)
{
    unsigned end = 0;
    while (end < bl_enum_member_count(BL_ENUM_TASK_END) &&
           !bl_str_equal(bl_enum_member(BL_ENUM_TASK_END, end), bl_step_words(s, 1)))
        end++;
    return end < bl_enum_member_count(BL_ENUM_TASK_END) ? end : BL_TASK_END_ANSWERED;
}

enum bl_status bl_step_given_usage(struct bl_case_step *s)
{
    static const struct {
        enum bl_field field;
        enum bl_value_tag tag;
    } numbers[] = {
        {BL_FIELD_USAGE_TURNS, BL_V_INT},         {BL_FIELD_USAGE_DURATION, BL_V_DURATION},
        {BL_FIELD_USAGE_COST, BL_V_MONEY},        {BL_FIELD_USAGE_TOKENS_IN, BL_V_INT},
        {BL_FIELD_USAGE_TOKENS_CACHED, BL_V_INT}, {BL_FIELD_USAGE_TOKENS_OUT, BL_V_INT}};
    struct bl_object *usage =
        bl_object_create(s->c->arena, BL_ENTITY_USAGE, 0, (bl_str){NULL, 0});
    if (usage == NULL)
        return BL_ERR_NOMEM;
    bl_object_set(usage, BL_FIELD_USAGE_MODEL, given_or(s, 0, bl_text(BL_STR("model"))));
    bl_object_set(usage, BL_FIELD_USAGE_END, bl_member_value(BL_ENUM_TASK_END, end_of(s)));
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        bl_object_set(usage, numbers[i].field,
                      given_or(s, i + 2, bl_number(numbers[i].tag, 0)));
    s->c->usage = usage;
    return BL_OK;
}

enum bl_status bl_case_report_usage(struct bl_case *c, uint32_t job,
                                    const struct bl_sim_delivery *delivery, uint32_t task)
{
    const struct bl_task_run run = {task, c->usage};
    struct bl_run_options options = {.event = &delivery->event, .job = job, .task_run = &run};
    return c->usage != NULL ? bl_case_run(c, &options) : BL_OK;
}

/* ---- the steps --------------------------------------------------------------------------- */

static bool brings(const struct bl_module_job *row, const struct bl_sim_delivery *delivery)
{
    enum bl_event_id event = delivery->event.id;
    return delivery->sent && (row->events[event / 32] >> (event % 32) & 1) != 0;
}

/* A job whose forerunner did not succeed is left out by GitHub, and so are those after it. */
static bool may_begin(struct bl_case *c, bl_str after)
{
    const struct bl_module *m = c->module;
    uint32_t job = 0;
    while (job < m->JOBS_count &&
           !bl_str_equal(bl_module_string(m, m->JOBS_rows[job].name), after))
        job++;
    const struct bl_case_job *row = job_of(c, job);
    if (after.len == 0 || (row != NULL && row->passed))
        return true;
    bl_buf_printf(&c->notices, "after: The job '%.*s' did not succeed.\n", BL_STR_ARG(after));
    return false;
}

static enum bl_status file_missing(const struct bl_case_step *s, bl_str path)
{
    struct bl_buf text;
    bl_buf_init(&text, s->c->results, 1000);
    bl_buf_printf(&text, "The job reads '%.*s', and nobody said what it holds.",
                  BL_STR_ARG(bl_str_slice(path, 0, 300)));
    return bl_case_broken(s->c, s->site, bl_buf_str(&text));
}

static enum bl_status own_step(struct bl_case_step *s, uint32_t index,
                               const struct bl_sim_delivery *delivery)
{
    struct bl_case *c = s->c;
    const struct bl_module_job_step *row = &c->module->JOB_STEPS_rows[index];
    const struct bl_task_run task_run = {c->has_task ? (uint32_t)c->task.as.i : BL_NONE, NULL};
    struct bl_job_step_run step = {.step = index};
    struct bl_run_options options = {.event = &delivery->event, .job = s->site->detail};
    if (row->kind == BL_JOB_STEP_SECRET)
        return BL_OK;
    if (row->kind == BL_JOB_STEP_ENGINE) {
        options.task_run = &task_run;
        enum bl_status status = bl_case_run(c, &options);
        return status == BL_OK ? bl_case_report_usage(c, options.job, delivery, task_run.task)
                               : status;
    }
    if (row->kind == BL_JOB_STEP_CHECK &&
        !bl_sim_job_text(c->sim, bl_module_string(c->module, row->path), &step.content))
        return file_missing(s, bl_module_string(c->module, row->path));
    options.step = &step;
    return bl_case_run(c, &options);
}

enum bl_status bl_step_runs(struct bl_case_step *s)
{
    struct bl_case *c = s->c;
    if (s->site->detail >= c->module->JOBS_count)
        return BL_ERR_INTERNAL;
    const struct bl_module_job *row = &c->module->JOBS_rows[s->site->detail];
    const struct bl_sim_delivery *delivery = brings(row, &c->brought) ? &c->brought : &c->twin;
    if (!brings(row, delivery))
        return bl_case_broken(c, s->site, BL_STR("No event came that starts this job."));
    bl_sim_set_now(c->sim, bl_step_moment(s, 1));
    c->runs.count = 0;
    c->files.len = 0;
    if (!may_begin(c, bl_step_words(s, 0)))
        return BL_OK;
    enum bl_status status = BL_OK;
    for (uint32_t i = 0; status == BL_OK && i < row->own_count; i++) {
        status = own_step(s, row->first_own + i, delivery);
        const struct bl_case_job *outcome = job_of(c, s->site->detail);
        if (outcome != NULL && !outcome->passed)
            break;
    }
    return status;
}
