/* SPDX-License-Identifier: Apache-2.0 */
#include "run/answer.h"
#include "run/run_parts.h"

/* What an engine gets for a task: the files that the task names, and the words that the engine
 * is called with. Nothing is started here; whoever starts it finds all of it in the result. */

#define FILE_BYTES  ((size_t)64 << 20) /* of one file */
#define SCHEMA_PATH "answer_schema.json"

static const struct bl_module_task *task_of(const struct bl_runner *runner)
{
    uint32_t task = runner->options->task_run->task;

    return task < runner->module->TASKS_count ? &runner->module->TASKS_rows[task] : NULL;
}

/* ---- what stands for the task ------------------------------------------------------------ */

static enum bl_status ask(struct bl_runner *runner, uint32_t function, enum bl_ambient ambient)
{
    struct bl_value value = bl_absent();
    enum bl_status status = BL_OK;

    if (function != BL_NONE)
        status = bl_machine_call(&runner->machine, function, NULL, 0, &value);
    runner->machine.ambient[ambient] = value;
    return status;
}

static enum bl_status set_task(struct bl_runner *runner)
{
    const struct bl_task_run *run = runner->options->task_run;
    const struct bl_module_task *task = task_of(runner);
    struct bl_machine *machine = &runner->machine;
    enum bl_status status = BL_OK;

    if (run->usage != NULL)
        machine->ambient[BL_AMBIENT_USAGE] = bl_object_value(run->usage);
    if (task == NULL)
        return BL_OK;
    machine->ambient[BL_AMBIENT_TASK] = bl_number(BL_V_TASK, run->task);
    status = ask(runner, task->model, BL_AMBIENT_MODEL_OF_TASK);
    if (status == BL_OK)
        status = ask(runner, task->turns, BL_AMBIENT_TURNS_OF_TASK);
    return status == BL_OK ? ask(runner, task->budget, BL_AMBIENT_BUDGET_OF_TASK) : status;
}

/* ---- files ------------------------------------------------------------------------------- */

static enum bl_status keep_file(struct bl_runner *runner, bl_str path, bl_str text)
{
    struct bl_run_file *file;

    if (!bl_path_is_plain(path))
        return bl_run_fail(runner, "The path of a file for an engine leads out of its folder");
    file = BL_PUSH(runner->arena, runner->result->files);
    if (file == NULL)
        return BL_ERR_NOMEM;
    *file = (struct bl_run_file){path, text};
    return BL_OK;
}

static enum bl_status join(struct bl_runner *runner, struct bl_value pieces, bl_str *text)
{
    struct bl_buf out;

    bl_buf_init(&out, runner->arena, FILE_BYTES);
    for (uint32_t i = 0; pieces.tag == BL_V_LIST && i < pieces.as.list->count; i++)
        bl_buf_put(&out, bl_text_of(pieces.as.list->items[i]));
    if (out.len > 0)
        bl_buf_put_char(&out, '\n');
    *text = bl_buf_str(&out);
    if (out.failed)
        return runner->arena->failed ? BL_ERR_NOMEM
                                     : bl_run_fail(runner, "A file for an engine is too large");
    return BL_OK;
}

static enum bl_status one_file(struct bl_runner *runner, const struct bl_module_file *file,
                               const struct bl_value *args, size_t count)
{
    struct bl_value path, pieces;
    bl_str text;
    enum bl_status status = bl_machine_call(&runner->machine, file->path, args, count, &path);

    if (status == BL_OK)
        status = bl_machine_call(&runner->machine, file->text, args, count, &pieces);
    if (status == BL_OK)
        status = join(runner, pieces, &text);
    return status == BL_OK ? keep_file(runner, bl_text_of(path), text) : status;
}

enum bl_status bl_run_write_file(struct bl_runner *runner, uint32_t index)
{
    const struct bl_module_file *file = &runner->module->FILES_rows[index];
    struct bl_value list;
    bool end = false;
    enum bl_status status;

    if (file->list == BL_NONE)
        return one_file(runner, file, NULL, 0);
    status = bl_machine_call(&runner->machine, file->list, NULL, 0, &list);
    for (uint32_t i = 0; status == BL_OK && !end && list.tag == BL_V_LIST; i++) {
        struct bl_value element;

        status = bl_list_at(list.as.list, i, &element, &end);
        if (status == BL_OK && !end)
            status = one_file(runner, file, &element, 1);
    }
    return status;
}

/* Two files of one path would be one that holds half of what the task reads. */
static enum bl_status look_for_twins(struct bl_runner *runner)
{
    const struct bl_run_file *files = runner->result->files.items;
    size_t count = runner->result->files.count, slots = 16;
    uint32_t *seen;

    while (slots < 2 * count)
        slots *= 2;
    seen = BL_NEW_ARRAY(runner->arena, slots, uint32_t);
    if (seen == NULL)
        return BL_ERR_NOMEM;
    for (size_t i = 0; i < count; i++) {
        size_t slot = bl_str_hash_nocase(files[i].path, 0) & (slots - 1);

        for (; seen[slot] != 0; slot = (slot + 1) & (slots - 1)) {
            if (bl_str_equal_nocase(files[seen[slot] - 1].path, files[i].path))
                return bl_run_fail(runner, "Two files for an engine have the same path");
        }
        seen[slot] = (uint32_t)i + 1;
    }
    return BL_OK;
}

/* ---- the command ------------------------------------------------------------------------- */

static enum bl_status add_word(struct bl_runner *runner, bl_str word)
{
    bl_str *slot = BL_PUSH(runner->arena, runner->result->command);

    if (slot == NULL)
        return BL_ERR_NOMEM;
    *slot = word;
    return BL_OK;
}

static bl_str in_folder(struct bl_runner *runner, bl_str path)
{
    bl_str folder = bl_module_string(runner->module, runner->module->INFO_rows[0].folder);
    struct bl_buf out;

    bl_buf_init(&out, runner->arena, folder.len + path.len + 2);
    bl_buf_put(&out, folder);
    if (folder.len > 0)
        bl_buf_put_char(&out, '/');
    bl_buf_put(&out, path);
    return bl_buf_str(&out);
}

/* The path that a file of the module was, or now is, written to. */
static enum bl_status path_of(struct bl_runner *runner, uint32_t index, bl_str *path)
{
    const struct bl_module_file *file = &runner->module->FILES_rows[index];
    const struct bl_run_result *result = runner->result;
    struct bl_value own;
    enum bl_status status = bl_machine_call(&runner->machine, file->path, NULL, 0, &own);

    if (status != BL_OK)
        return status;
    *path = in_folder(runner, bl_text_of(own));
    for (size_t i = 0; i < result->files.count; i++)
        if (bl_str_equal(result->files.items[i].path, bl_text_of(own)))
            return BL_OK;
    return one_file(runner, file, NULL, 0);
}

static enum bl_status write_schema(struct bl_runner *runner, bl_str *path)
{
    struct bl_buf schema;

    if (task_of(runner) == NULL)
        return bl_run_fail(runner, "An engine that asks for a schema carries out a task");
    bl_buf_init(&schema, runner->arena, FILE_BYTES);
    bl_answer_schema(runner->module, runner->options->task_run->task, &schema);
    *path = in_folder(runner, BL_STR(SCHEMA_PATH));
    return schema.failed ? BL_ERR_NOMEM
                         : keep_file(runner, BL_STR(SCHEMA_PATH), bl_buf_str(&schema));
}

/* One argument of its own behind its flag; none can be read as another flag. */
static enum bl_status add_flag(struct bl_runner *runner, const struct bl_engine_flag *flag)
{
    struct bl_machine *machine = &runner->machine;
    struct bl_value holds = bl_bool(true), own = bl_absent();
    bl_str value = {NULL, 0};
    enum bl_status status = BL_OK;

    if (flag->when != BL_NONE)
        status = bl_machine_call(machine, flag->when, NULL, 0, &holds);
    if (status != BL_OK || holds.as.i == 0)
        return status;
    if (flag->kind == BL_ARGUMENT_OWN) {
        status = bl_machine_call(machine, flag->argument, NULL, 0, &own);
        value = bl_text_of(own);
    } else if (flag->kind == BL_ARGUMENT_FILE) {
        status = path_of(runner, flag->argument, &value);
    } else if (flag->kind == BL_ARGUMENT_SCHEMA) {
        status = write_schema(runner, &value);
    }
    if (status == BL_OK && bl_str_starts_with(value, BL_STR("-")))
        status = bl_run_fail(runner, "An argument for an engine begins with '-'");
    if (status == BL_OK)
        status = add_word(runner, bl_module_string(runner->module, flag->flag));
    return status == BL_OK && flag->kind != BL_ARGUMENT_ALONE ? add_word(runner, value)
                                                              : status;
}

/* The file of a step of the job that wrote it before. */
static enum bl_status written_input(struct bl_runner *runner, bl_str path)
{
    const struct bl_module *m = runner->module;
    const struct bl_module_job *job = &m->JOBS_rows[runner->options->job];

    for (uint32_t i = 0; i < job->own_count; i++) {
        const struct bl_module_job_step *row = &m->JOB_STEPS_rows[job->first_own + i];
        struct bl_value own = bl_absent();
        enum bl_status status;

        if (row->kind != BL_JOB_STEP_WRITE || m->FILES_rows[row->index].list != BL_NONE)
            continue;
        status =
            bl_machine_call(&runner->machine, m->FILES_rows[row->index].path, NULL, 0, &own);
        if (status != BL_OK)
            return status;
        if (bl_str_equal(bl_text_of(own), path)) {
            runner->result->input = in_folder(runner, path);
            return BL_OK;
        }
    }
    return bl_run_fail(runner, "The task has no file for the input of its engine");
}

static enum bl_status find_input(struct bl_runner *runner, bl_str name)
{
    struct bl_run_result *result = runner->result;
    struct bl_buf path;

    if (name.len == 0)
        return BL_OK;
    bl_buf_init(&path, runner->arena, name.len + 4);
    bl_buf_put(&path, name);
    BL_PUT(&path, ".md");
    for (size_t i = 0; i < result->files.count; i++) {
        if (bl_str_equal(result->files.items[i].path, bl_buf_str(&path))) {
            result->input = in_folder(runner, bl_buf_str(&path));
            return BL_OK;
        }
    }
    return written_input(runner, bl_buf_str(&path));
}

static enum bl_status make_command(struct bl_runner *runner,
                                   const struct bl_module_engine *engine)
{
    const struct bl_module *m = runner->module;
    enum bl_status status = BL_OK;

    for (uint32_t i = 0; status == BL_OK && i < engine->word_count; i++)
        status =
            add_word(runner, bl_module_string(m, m->ENGINE_WORDS_rows[engine->first_word + i]));
    for (uint32_t i = 0; status == BL_OK && i < engine->flag_count; i++)
        status = add_flag(runner, &m->ENGINE_FLAGS_rows[engine->first_flag + i]);
    return status == BL_OK ? find_input(runner, bl_module_string(m, engine->input)) : status;
}

/* ---- all --------------------------------------------------------------------------------- */

enum bl_status bl_run_task(struct bl_runner *runner)
{
    const struct bl_module *m = runner->module;
    const struct bl_module_job *job = &m->JOBS_rows[runner->options->job];
    const struct bl_module_task *task = task_of(runner);
    bool found = true;
    enum bl_status status = BL_OK;

    /* Behind the engine nothing is read again: figures are told whatever became of the issue.
     */
    if (runner->options->task_run->usage != NULL)
        return set_task(runner);
    if (task != NULL && task->first_file == BL_NONE)
        return bl_run_fail(runner, "A file of the task needs what cannot run yet");
    status = bl_run_read_event(runner);
    if (status != BL_OK || runner->gone)
        return status;
    status = task != NULL ? bl_run_find_comment(runner, task->judges, &found) : BL_OK;
    if (status == BL_OK && !found)
        return bl_run_fail(runner, "There is no comment that the task could be about");
    if (status == BL_OK)
        status = set_task(runner);
    for (uint32_t i = 0; status == BL_OK && task != NULL && i < task->file_count; i++)
        status = bl_run_write_file(runner, m->TASK_FILES_rows[task->first_file + i]);
    if (status == BL_OK)
        status = make_command(runner, &m->ENGINES_rows[job->engine]);
    return status == BL_OK ? look_for_twins(runner) : status;
}
