/* SPDX-License-Identifier: Apache-2.0 */
#include "bylaw/engine_run.h"
#include "bylaw/given_outputs.h"
#include "bylaw/job_summary.h"
#include "bylaw/text_input.h"
#include "bylaw/unknown.h"
#include "run/outputs.h"

/* bylaw step JOB …: one step of a job that no rule is. It does what the policy says of that
 * step, by what the step is called there; nothing of the command line reaches a path, a
 * program or GitHub. */

#define NOTHING   ((bl_str){NULL, 0})
#define FILE_MOST ((size_t)64 << 20)

static const struct bl_option options[] = {
    BL_SCENE_OPTIONS,
    {"task", 0, "NAME", 0, NULL, "The task that the engine of the job carries out."},
    {"folder", 0, "FOLDER", 0, NULL,
     "Where files for the engine are. The command names them below the folder of the package, "
     "which is the default."},
    {"dry-run", 0, NULL, 0, NULL,
     "Plan and prove a comment, but post none; say what an engine is called with, but start "
     "none."},
};

static const struct bl_command_line line = {
    .tool = "bylaw step",
    .usage = "JOB write FILE | engine | check NAME PATH | post COMMENT [options]",
    .summary = "carries out a step of a job that the policy declares",
    .about =
        "Generated workflows call it for what stands in 'steps { … }' of a job, and for the "
        "engine of a job\nthat runs tasks. 'write' writes a declared file for the engine. "
        "'engine' runs the engine without a\nshell: it gets the usual environment, the secrets "
        "that the job names, and no token; what it says is\nnot shown. 'check' holds a file of "
        "the checkout against a check. 'post' posts a comment on what the\njob is about. When "
        "the job's 'when' does not hold, or a check refuses, the exit code is 1. What jobs\n"
        "before this one gave stands in BYLAW_OUTPUTS (docs/actions.md).",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .operand = "WORD",
    .examples = "  bylaw step fix write failure_report\n"
                "  bylaw step fix engine\n"
                "  bylaw step analyze engine --task triage -e issue.json -n issues\n"
                "  bylaw step push check self_fix_patch patch.diff\n"
                "  bylaw step push post pushed --dry-run\n",
};

struct stepping {
    struct bl_scene *scene;
    const struct bl_arguments *arguments;
    struct bl_run_options options;
    struct bl_job_step_run step;
    struct bl_task_run task_run;
    enum bl_job_step_kind kind;
    bl_str name, path;
};

static enum bl_exit say(struct stepping *s, const char *what)
{
    bl_session_say(&s->scene->session, NOTHING, bl_str_from(what));
    return BL_EXIT_USAGE;
}

static bl_str operand(const struct bl_arguments *arguments, size_t index)
{
    return index < arguments->operands.count ? arguments->operands.items[index] : NOTHING;
}

/* ---- which step
 * ------------------------------------------------------------------------------------ */

static bool read_words(struct stepping *s)
{
    static const struct {
        const char *word;
        enum bl_job_step_kind kind;
        size_t operands;
    } words[] = {{"write", BL_JOB_STEP_WRITE, 3},
                 {"engine", BL_JOB_STEP_ENGINE, 2},
                 {"check", BL_JOB_STEP_CHECK, 4},
                 {"post", BL_JOB_STEP_POST, 3}};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (!bl_str_equal(operand(s->arguments, 1), bl_str_from(words[i].word)))
            continue;
        s->kind = words[i].kind;
        s->name = operand(s->arguments, 2);
        s->path = operand(s->arguments, 3);
        return s->arguments->operands.count == words[i].operands;
    }
    return false;
}

static enum bl_exit unknown_step(struct stepping *s, bl_str job)
{
    struct bl_buf out;

    bl_buf_init(&out, &s->scene->session.arena, 4096);
    BL_PUT(&out, "The job '");
    bl_report_visible(job, &out);
    BL_PUT(&out, "' has no such step in the policy.");
    bl_session_say(&s->scene->session, NOTHING, bl_buf_str(&out));
    return BL_EXIT_USAGE;
}

static enum bl_exit find_task(struct stepping *s)
{
    const struct bl_module *m = &s->scene->session.module;
    bl_str task = bl_argument(s->arguments, "task", NOTHING);

    s->task_run = (struct bl_task_run){BL_NONE, NULL};
    for (uint32_t i = 0; task.len > 0 && i < m->TASKS_count; i++)
        if (bl_str_equal(bl_module_string(m, m->TASKS_rows[i].name), task))
            s->task_run.task = i;
    if (task.len > 0 && s->task_run.task == BL_NONE)
        return bl_unknown_task(&s->scene->session, task);
    if (task.len > 0 && s->kind != BL_JOB_STEP_ENGINE)
        return say(s, "A task is for the engine of a job: leave --task away.");
    return BL_EXIT_OK;
}

static enum bl_exit find_step(struct stepping *s)
{
    const struct bl_module *m = &s->scene->session.module;
    bl_str name = operand(s->arguments, 0);
    uint32_t job = bl_module_job(m, name);
    enum bl_exit exit;

    if (job == BL_NONE)
        return bl_unknown_job(&s->scene->session, name);
    s->options.job = job;
    exit = find_task(s);
    if (exit != BL_EXIT_OK)
        return exit;
    s->step.step = bl_module_job_step(m, job, s->kind, s->name, s->path);
    /* A job that runs tasks has its engine for them. */
    bool runs_task = s->kind == BL_JOB_STEP_ENGINE && s->task_run.task != BL_NONE &&
                     m->JOBS_rows[job].engine != BL_NONE;
    if (s->step.step == BL_NONE && !runs_task)
        return unknown_step(s, name);
    return BL_EXIT_OK;
}

/* ---- runs
 * ------------------------------------------------------------------------------------------ */

static enum bl_exit run(struct stepping *s, struct bl_run_result *result,
                        struct bl_run_shown *shown)
{
    enum bl_status status =
        bl_run(&s->scene->arena, &s->options, result, &s->scene->session.sink);

    *shown = (struct bl_run_shown){.options = &s->options,
                                   .result = result,
                                   .status = status,
                                   .job = operand(s->arguments, 0),
                                   .exit = bl_run_exit(s->scene, status, result)};
    return shown->exit;
}

static enum bl_exit show(struct stepping *s, const struct bl_run_shown *shown)
{
    struct bl_buf out;

    bl_buf_init(&out, &s->scene->session.arena, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES));
    if (bl_argument_is(s->arguments, "json"))
        bl_run_json(s->scene, shown, &out);
    else if (shown->status != BL_ERR_NOMEM)
        bl_run_text(s->scene, shown, &out);
    return bl_scene_print(s->scene, &out);
}

static bl_str folder_of(const struct stepping *s)
{
    const struct bl_module *m = &s->scene->session.module;

    return bl_argument(s->arguments, "folder", bl_module_string(m, m->INFO_rows[0].folder));
}

static enum bl_exit plain_step(struct stepping *s)
{
    struct bl_run_result result;
    struct bl_run_shown shown;
    struct bl_job_summary summary;
    bool posts = s->kind == BL_JOB_STEP_POST;
    enum bl_exit exit, left = BL_EXIT_OK;

    s->options.step = &s->step;
    if (posts && s->scene->on_github != NULL && !s->options.dry) {
        bl_job_summary_begin(&summary, &s->scene->session, operand(s->arguments, 0));
        s->scene->on_github->summary = &summary;
    }
    exit = run(s, &result, &shown);
    enum bl_exit printed = show(s, &shown);
    if (exit == BL_EXIT_OK && result.files.count > 0)
        left = bl_engine_files_write(s->scene, &shown, folder_of(s));
    if (posts && shown.status != BL_ERR_NOMEM)
        left = bl_run_leave_files(s->scene, &shown);
    return exit != BL_EXIT_OK ? exit : left != BL_EXIT_OK ? left : printed;
}

static enum bl_exit read_checked(struct stepping *s)
{
    bl_str folder = bl_environment("GITHUB_WORKSPACE"), why = NOTHING;

    if (bl_file_read_below(&s->scene->session.arena, folder.len > 0 ? folder : BL_STR("."),
                           s->path, FILE_MOST, &s->step.content, &why) == BL_FILE_READ)
        return BL_EXIT_OK;
    bl_session_say(&s->scene->session, s->path,
                   why.len > 0 ? why : BL_STR("There is no such file."));
    return BL_EXIT_INPUT;
}

/* ---- the engine
 * ------------------------------------------------------------------------------------ */

static enum bl_exit keep_answer(struct stepping *s, bl_str answer)
{
    bl_str path = bl_environment("GITHUB_OUTPUT"), why = NOTHING;
    struct bl_buf out;

    bl_buf_init(&out, &s->scene->session.arena, 2 * answer.len + 1000);
    if (path.len == 0) {
        bl_buf_put(&out, answer);
        return bl_scene_print(s->scene, &out);
    }
    if (!bl_output_put(&out, BL_STR("answer"), answer, &s->scene->session.sink))
        return BL_EXIT_INTERNAL;
    if (bl_file_append(&s->scene->session.arena, path, bl_buf_str(&out), &why) == BL_OK)
        return BL_EXIT_OK;
    bl_session_say(&s->scene->session, path, why);
    return BL_EXIT_INTERNAL;
}

/* Outside of a runner the answer is what is printed, and nothing else. */
static bool shows_answer(const struct stepping *s)
{
    const struct bl_module *m = &s->scene->session.module;

    return bl_environment("GITHUB_OUTPUT").len == 0 &&
           (m->ENGINES_rows[m->JOBS_rows[s->options.job].engine].outputs & 1u) != 0;
}

static enum bl_exit tell_beside(struct stepping *s, const struct bl_run_result *result)
{
    for (size_t i = 0; i < result->reports.count; i++)
        bl_print_error_quoted(&s->scene->session.arena, result->reports.items[i]);
    return BL_EXIT_OK;
}

/* The reports on engine.ended. */
static enum bl_exit tell(struct stepping *s, bl_str usage)
{
    struct bl_run_result result;
    struct bl_run_shown shown;
    enum bl_exit exit = bl_scene_usage(s->scene, usage, &s->task_run.usage);

    if (exit != BL_EXIT_OK)
        return exit;
    exit = run(s, &result, &shown);
    enum bl_exit printed = shows_answer(s) ? tell_beside(s, &result) : show(s, &shown);
    if (exit == BL_EXIT_OK)
        exit = bl_run_leave_files(s->scene, &shown);
    return exit != BL_EXIT_OK ? exit : printed;
}

static enum bl_exit end_engine(struct stepping *s, const struct bl_engine_run *ended)
{
    const struct bl_module *m = &s->scene->session.module;
    unsigned outputs = m->ENGINES_rows[m->JOBS_rows[s->options.job].engine].outputs;
    enum bl_exit exit = ended->usage.len > 0 ? tell(s, ended->usage) : BL_EXIT_OK;
    struct bl_buf words;

    if (ended->code != 0) {
        bl_buf_init(&words, &s->scene->session.arena, 100);
        bl_buf_printf(&words, "The engine ended with exit code %d.", ended->code);
        bl_session_say(&s->scene->session, NOTHING, bl_buf_str(&words));
        return BL_EXIT_FINDINGS;
    }
    return exit == BL_EXIT_OK && (outputs & 1u) != 0 ? keep_answer(s, ended->printed) : exit;
}

static enum bl_exit engine_step(struct stepping *s)
{
    struct bl_run_result result;
    struct bl_run_shown shown;
    struct bl_engine_run ended;
    enum bl_exit exit;

    s->options.task_run = &s->task_run;
    exit = run(s, &result, &shown);
    enum bl_exit printed = exit != BL_EXIT_OK || s->options.dry ? show(s, &shown) : BL_EXIT_OK;
    if (exit != BL_EXIT_OK || s->options.dry)
        return exit != BL_EXIT_OK ? exit : printed;
    if (result.command.count == 0) {
        bl_session_say(&s->scene->session, NOTHING,
                       BL_STR("What the job asks for does not hold: no engine is run."));
        return BL_EXIT_FINDINGS;
    }
    exit = bl_engine_files_write(s->scene, &shown, folder_of(s));
    if (exit != BL_EXIT_OK)
        return exit;
    if (!bl_engine_run(s->scene, &shown, folder_of(s), &ended))
        return BL_EXIT_FINDINGS;
    return end_engine(s, &ended);
}

/* ---- all
 * -------------------------------------------------------------------------------------------
 */

static enum bl_exit step(struct bl_scene *scene, const struct bl_arguments *arguments)
{
    struct stepping s = {.scene = scene, .arguments = arguments};
    enum bl_exit exit;

    if (!read_words(&s))
        return say(&s, "Name a job and a step of it: 'bylaw step JOB check NAME PATH'. 'bylaw "
                       "step --help' says more.");
    exit = bl_scene_load(scene, arguments, true);
    if (exit == BL_EXIT_OK)
        exit = find_step(&s);
    if (exit != BL_EXIT_OK)
        return exit;
    if (scene->is_other)
        return say(&s, "No job of the policy is about this event.");
    s.options = (struct bl_run_options){.module = &scene->session.module,
                                        .world = scene->world,
                                        .event = &scene->event,
                                        .job = s.options.job,
                                        .now = scene->now,
                                        .dry = bl_argument_is(arguments, "dry-run"),
                                        .use_index = true};
    exit = bl_given_outputs(scene, s.options.job, &s.options);
    if (exit == BL_EXIT_OK && s.kind == BL_JOB_STEP_CHECK)
        exit = read_checked(&s);
    if (exit != BL_EXIT_OK)
        return exit;
    if (!bl_texts_redactions(&scene->arena, &s.options))
        return BL_EXIT_INTERNAL;
    return s.kind == BL_JOB_STEP_ENGINE ? engine_step(&s) : plain_step(&s);
}

enum bl_exit bl_bylaw_step(int argc, char **argv)
{
    return bl_scene_command(&line, argc, argv, step);
}
