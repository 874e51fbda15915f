/* SPDX-License-Identifier: Apache-2.0 */
#include "bylaw/given_outputs.h"

#include "event/json.h"

#define VARIABLE "BYLAW_OUTPUTS"

static enum bl_exit refuse(struct bl_scene *scene, const char *why)
{
    bl_session_say(&scene->session, BL_STR("$" VARIABLE), bl_str_from(why));
    return BL_EXIT_USAGE;
}

static bool asks(const struct bl_module *m, uint32_t function)
{
    const struct bl_function *f = function != BL_NONE ? &m->FUNCTIONS_rows[function] : NULL;

    for (unsigned i = 0; f != NULL && i < f->param_count; i++) {
        if (bl_type_is(bl_module_registers(m, f)[i], BL_TYPE_RECORD))
            return true;
    }
    return false;
}

static bool job_asks(const struct bl_module *m, const struct bl_module_job *job)
{
    bool found = asks(m, job->when);

    for (uint32_t i = 0; i < job->own_count; i++) {
        const struct bl_module_job_step *step = &m->JOB_STEPS_rows[job->first_own + i];

        if (step->kind == BL_JOB_STEP_POST)
            found = found || asks(m, m->ENTRIES_rows[step->index].function);
    }
    return found;
}

static bool keep(struct bl_scene *scene, const struct bl_json *job,
                 struct bl_given_output *slots, size_t *count)
{
    for (uint32_t i = 0; i < job->count; i++) {
        const struct bl_json *one = &job->items[i];

        if (one->kind == BL_JSON_NULL)
            continue;
        if (one->kind != BL_JSON_STRING) {
            (void)refuse(scene, "An output is a text, or null.");
            return false;
        }
        slots[(*count)++] = (struct bl_given_output){job->key, one->key, one->string};
    }
    return true;
}

enum bl_exit bl_given_outputs(struct bl_scene *scene, uint32_t job,
                              struct bl_run_options *options)
{
    const struct bl_module *m = &scene->session.module;
    bl_str text = bl_environment(VARIABLE);
    struct bl_json_error error = {0};
    struct bl_given_output *slots;
    size_t notes = 0, most = 0, count = 0;

    if (!job_asks(m, &m->JOBS_rows[job]))
        return BL_EXIT_OK;
    if (text.len == 0)
        return refuse(scene, "The job asks what jobs before it gave, as JSON: "
                             "{\"JOB\": {\"OUTPUT\": \"…\"}}. The workflow passes it.");
    const struct bl_json *root = bl_json_parse(&scene->arena, text, 3, &notes, &error);
    if (root == NULL || root->kind != BL_JSON_OBJECT)
        return refuse(scene, "It is no object of JSON: {\"JOB\": {\"OUTPUT\": \"…\"}}.");
    for (uint32_t i = 0; i < root->count; i++)
        most += root->items[i].count;
    slots = BL_NEW_ARRAY(&scene->arena, most + 1, struct bl_given_output);
    if (slots == NULL)
        return BL_EXIT_INTERNAL;
    for (uint32_t i = 0; i < root->count; i++) {
        if (root->items[i].kind != BL_JSON_OBJECT)
            return refuse(scene, "A job has an object of its outputs.");
        if (!keep(scene, &root->items[i], slots, &count))
            return BL_EXIT_USAGE;
    }
    options->given = slots;
    options->given_count = count;
    return BL_EXIT_OK;
}
