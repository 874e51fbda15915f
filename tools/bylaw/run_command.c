/* SPDX-License-Identifier: Apache-2.0 */
#include "bylaw/given_outputs.h"
#include "bylaw/job_summary.h"
#include "bylaw/redaction_tape.h"
#include "bylaw/run_print.h"
#include "bylaw/text_input.h"
#include "bylaw/unknown.h"

/* bylaw run JOB: what a job does with an event. */

static const struct bl_option options[] = {
    BL_SCENE_OPTIONS,
    {"answer", 0, "FILE", 0, NULL,
     "What an AI answered, as JSON, for a job that runs answers. It is taken whole or "
     "refused."},
    {"task", 0, "NAME", 0, NULL,
     "The task that it answers, or that the engine of the job carries out."},
    {"folder", 0, "FOLDER", 0, NULL,
     "Where the files for the engine are written. The command names them below the folder of "
     "the package, which is the default."},
    {"usage", 0, "FILE", 0, NULL,
     "What the engine took, as JSON, behind it: the reports on engine.ended."},
    {"dry-run", 0, NULL, 0, NULL, "Plan and prove, but carry nothing out."},
    {"explain", 0, NULL, 0, NULL,
     "Say for each rule whether it fired and which condition decided."},
    {"no-index", 0, NULL, 0, NULL, "Evaluate every rule of the event."},
    {"record", 0, "FOLDER", 0, NULL,
     "Keep the run in a new folder: event, answers, clock and plan, for 'bylaw replay'."},
    {"end-state", 0, "FILE", 0, NULL, "Write the repository after the run as a world file."},
};

static const struct bl_command_line line = {
    .tool = "bylaw run",
    .usage = "JOB [options]",
    .summary = "runs a job of a policy on an event",
    .about =
        "Reads the event and the repository, evaluates the rules of the job, carries out "
        "the plan of\neffects, and prints it. Inside GitHub Actions, or with --github, "
        "the repository is the one on\nGitHub: GITHUB_TOKEN, GITHUB_REPOSITORY and the "
        "addresses of GITHUB_API_URL and\nGITHUB_GRAPHQL_URL are taken from the "
        "environment (docs/actions.md). With --dry-run it is read and\nnothing is written. "
        "Else the repository is simulated: the plan is carried out in memory alone.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .operand = "JOB",
    .examples =
        "  bylaw run event -p policies/issue_assistant -e issue.json -n issues --explain\n"
        "  bylaw run apply -e issue.json -n issues --task triage --answer answer.json\n"
        "  bylaw run analyze -e issue.json -n issues --task triage --folder .assistant --json\n"
        "  bylaw run sweep -p mine.pbc -w world.json --now 2026-11-17T06:00:00Z --json\n"
        "  bylaw run sweep -p mine.pbc --github --dry-run\n",
};

static enum bl_exit leave_state(struct bl_scene *scene, bl_str path)
{
    struct bl_buf out;
    bl_str why = {NULL, 0};
    bl_buf_init(&out, &scene->session.arena, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES));
    bl_sim_dump(scene->sim, &out);
    if (bl_file_write(&scene->session.arena, path, bl_buf_str(&out), &why) == BL_OK)
        return BL_EXIT_OK;
    bl_session_say(&scene->session, path, why);
    return BL_EXIT_INTERNAL;
}

/* ---- the run
 * ------------------------------------------------------------------------------------------ */

/* `##[` would begin a command of the runner anywhere in a line of the log. In JSON it stands in
 * texts alone, where it may be written in another way. */
static void put_defused(bl_str json, struct bl_buf *out)
{
    for (size_t at = bl_str_find(json, BL_STR("##[")); at != SIZE_MAX;
         at = bl_str_find(json, BL_STR("##["))) {
        bl_buf_put(out, bl_str_slice(json, 0, at + 1));
        BL_PUT(out, "\\u0023");
        json = bl_str_slice(json, at + 2, json.len);
    }
    bl_buf_put(out, json);
}

static enum bl_exit print(struct bl_scene *scene, const struct bl_arguments *arguments,
                          const struct bl_run_shown *run)
{
    struct bl_buf out, json;
    size_t most = (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES);
    bl_buf_init(&out, &scene->session.arena, most);
    bl_buf_init(&json, &scene->session.arena, most);
    if (!bl_argument_is(arguments, "json")) {
        if (run->status != BL_ERR_NOMEM)
            bl_run_text(scene, run, &out);
        return bl_scene_print(scene, &out);
    }
    bl_run_json(scene, run, &json);
    if (!bl_in_actions() || json.failed)
        return bl_scene_print(scene, &json);
    put_defused(bl_buf_str(&json), &out);
    return bl_scene_print(scene, &out);
}

/* ---- recording --------------------------------------------------------------------------- */

static bool begin_recording(struct bl_scene *scene, const struct bl_arguments *arguments)
{
    bl_str folder = bl_argument(arguments, "record", (bl_str){NULL, 0});
    if (folder.len == 0)
        return true;
    scene->recording = BL_NEW(&scene->session.arena, struct bl_recording);
    return scene->recording != NULL &&
           bl_recording_begin(scene->recording, &scene->session, &scene->session.arena, folder);
}

static void record_beginning(struct bl_scene *scene, const struct bl_run_options *run,
                             bl_str job)
{
    struct bl_recorded recorded = {
        .world = scene->on_github != NULL    ? BL_STR("github")
                 : scene->world_text.len > 0 ? BL_STR("file")
                                             : BL_STR("event"),
        .job = job,
        .event_name = scene->has_event ? scene->event_name : (bl_str){NULL, 0},
        .now = scene->now,
        .id_seed = run->id_seed,
        .dry = run->dry,
        .use_index = run->use_index,
    };
    const struct bl_module_bytes *module = &scene->session.bytes;
    if (scene->on_github != NULL) {
        const struct bl_github_options *client = &scene->on_github->options;
        recorded.api_url = client->api_url;
        recorded.graphql_url = client->graphql_url;
        recorded.repository = client->repository;
        recorded.repository_id = client->repository_id;
        recorded.issue_fields = client->issue_fields;
    }
    bl_recording_put(scene->recording, "policy.pbc",
                     (bl_str){(const char *)module->bytes, module->size}, true);
    if (scene->has_event)
        bl_recording_put(scene->recording, "event.json", scene->event_text, false);
    if (scene->world_text.len > 0)
        bl_recording_put(scene->recording, "world.json", scene->world_text, false);
    bl_recording_manifest(scene->recording, &recorded);
}

static bool record_end(struct bl_scene *scene, const struct bl_run_shown *run)
{
    struct bl_buf plan;
    if (scene->recording == NULL)
        return true;
    bl_buf_init(&plan, &scene->session.arena, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES));
    bl_run_plan(scene, run, &plan);
    bl_recording_put(scene->recording, "plan.json", bl_buf_str(&plan), false);
    bl_recording_end(scene->recording);
    return !scene->recording->broken;
}

static enum bl_exit finish(struct bl_scene *scene, const struct bl_arguments *arguments,
                           const struct bl_run_shown *run)
{
    bl_str state = bl_argument(arguments, "end-state", (bl_str){NULL, 0});
    enum bl_exit printed = print(scene, arguments, run);
    if (run->status == BL_OK && !run->options->dry && run->result->files.count > 0) {
        enum bl_exit left = bl_engine_files_write(
            scene, run, bl_argument(arguments, "folder", (bl_str){NULL, 0}));
        if (left != BL_EXIT_OK)
            return left;
    }
    if (run->status != BL_ERR_NOMEM) {
        enum bl_exit left = bl_run_leave_files(scene, run);
        if (left != BL_EXIT_OK && run->exit == BL_EXIT_OK)
            return left;
    }
    if (!record_end(scene, run) && run->exit == BL_EXIT_OK)
        return BL_EXIT_INTERNAL;
    if (state.len > 0) {
        enum bl_exit left = leave_state(scene, state);
        if (left != BL_EXIT_OK)
            return left;
    }
    return printed != BL_EXIT_OK ? printed : run->exit;
}

static enum bl_exit need(struct bl_scene *scene, bl_str what)
{
    bl_session_say(&scene->session, (bl_str){NULL, 0}, what);
    return BL_EXIT_USAGE;
}

/* The answer for a job that runs answers, and for no other. */
static enum bl_exit load_answer(struct bl_scene *scene, const struct bl_arguments *arguments,
                                uint32_t job, struct bl_task_answer *out)
{
    const struct bl_module *m = &scene->session.module;
    bl_str none = {NULL, 0};
    bl_str path = bl_argument(arguments, "answer", none);
    bl_str task = bl_argument(arguments, "task", none);
    bool takes = m->JOBS_rows[job].runs_answers != 0;
    if (m->JOBS_rows[job].engine != BL_NONE && path.len == 0)
        return BL_EXIT_OK;
    if (!takes)
        return path.len == 0 && task.len == 0
                   ? BL_EXIT_OK
                   : need(scene,
                          BL_STR("This job runs no answers: leave --answer and --task away."));
    if (bl_argument(arguments, "record", none).len > 0)
        return need(scene,
                    BL_STR("A recording does not keep the answer that a run was about: leave "
                           "--record away."));
    if (path.len == 0 || task.len == 0)
        return need(scene, BL_STR("This job runs the answer of a task: give --answer FILE and "
                                  "--task NAME."));
    for (uint32_t i = 0; i < m->TASKS_count; i++)
        if (bl_str_equal(bl_module_string(m, m->TASKS_rows[i].name), task))
            return bl_scene_answer(scene, path, i, out);
    return bl_unknown_task(&scene->session, task);
}

/* For a job with an engine: the task, and behind the engine its figures. */
static enum bl_exit load_task_run(struct bl_scene *scene, const struct bl_arguments *arguments,
                                  uint32_t job, struct bl_task_run *out)
{
    const struct bl_module *m = &scene->session.module;
    bl_str none = {NULL, 0};
    bl_str task = bl_argument(arguments, "task", none);
    bl_str usage = bl_argument(arguments, "usage", none);
    if (m->JOBS_rows[job].engine == BL_NONE)
        return usage.len == 0 && bl_argument(arguments, "folder", none).len == 0
                   ? BL_EXIT_OK
                   : need(scene, BL_STR("This job has no engine: leave --usage and --folder "
                                        "away."));
    if (bl_argument(arguments, "record", none).len > 0)
        return need(scene, BL_STR("A recording does not keep what an engine was given: leave "
                                  "--record away."));
    if (task.len == 0 && usage.len == 0)
        return need(scene, BL_STR("This job runs an engine: give --task NAME, and behind it "
                                  "--usage FILE."));
    for (uint32_t i = 0; task.len > 0 && out->task == BL_NONE && i < m->TASKS_count; i++)
        if (bl_str_equal(bl_module_string(m, m->TASKS_rows[i].name), task))
            out->task = i;
    if (task.len > 0 && out->task == BL_NONE)
        return bl_unknown_task(&scene->session, task);
    return usage.len > 0 ? bl_scene_usage(scene, usage, &out->usage) : BL_EXIT_OK;
}

static enum bl_exit run(struct bl_scene *scene, const struct bl_arguments *arguments)
{
    if (arguments->operands.count != 1) {
        bl_session_say(
            &scene->session, (bl_str){NULL, 0},
            BL_STR("Name one job: 'bylaw run event'. 'bylaw run --help' says more."));
        return BL_EXIT_USAGE;
    }
    if (!begin_recording(scene, arguments))
        return BL_EXIT_INPUT;
    enum bl_exit exit = bl_scene_begin(scene, arguments);
    if (exit != BL_EXIT_OK)
        return exit;
    /* A slip in the name is said before an event is read or GitHub asked for anything. */
    uint32_t job = bl_module_job(&scene->session.module, arguments->operands.items[0]);
    if (job == BL_NONE)
        return bl_unknown_job(&scene->session, arguments->operands.items[0]);
    exit = bl_scene_happen(scene, arguments, false);
    if (exit != BL_EXIT_OK)
        return exit;
    if (scene->is_other)
        return BL_EXIT_OK; /* said already; no job has anything to do with it */
    if (scene->on_github != NULL &&
        bl_argument(arguments, "end-state", (bl_str){NULL, 0}).len > 0) {
        bl_session_say(
            &scene->session, (bl_str){NULL, 0},
            BL_STR("'--end-state' writes a simulated repository: give --world FILE."));
        return BL_EXIT_USAGE;
    }
    if (!scene->has_event && scene->session.module.JOBS_rows[job].step_count == 0) {
        bl_session_say(&scene->session, (bl_str){NULL, 0},
                       BL_STR("There is no event. Give --event FILE and --event-name NAME."));
        return BL_EXIT_USAGE;
    }
    struct bl_task_answer answer = {0, bl_absent()};
    exit = load_answer(scene, arguments, job, &answer);
    struct bl_task_run task_run = {BL_NONE, NULL};
    bool has_engine = scene->session.module.JOBS_rows[job].engine != BL_NONE;
    if (exit == BL_EXIT_OK)
        exit = load_task_run(scene, arguments, job, &task_run);
    if (exit != BL_EXIT_OK)
        return exit;
    struct bl_run_options options_of_run = {
        .module = &scene->session.module,
        .world = scene->world,
        .event = scene->has_event ? &scene->event : NULL,
        .job = job,
        .now = scene->now,
        .answer = scene->session.module.JOBS_rows[job].runs_answers != 0 ? &answer : NULL,
        .task_run = has_engine ? &task_run : NULL,
        .dry = bl_argument_is(arguments, "dry-run"),
        .use_index = !bl_argument_is(arguments, "no-index"),
        .explain = bl_argument_is(arguments, "explain"),
    };
    exit = bl_given_outputs(scene, job, &options_of_run);
    if (exit != BL_EXIT_OK)
        return exit;
    if (!bl_texts_redactions(&scene->arena, &options_of_run)) {
        bl_session_say(&scene->session, (bl_str){NULL, 0},
                       BL_STR("There is no memory, or the system has no random numbers."));
        return BL_EXIT_INTERNAL;
    }
    if (scene->recording != NULL && !bl_recording_mask(scene->recording))
        return BL_EXIT_INTERNAL;
    if (scene->recording != NULL && scene->session.module.REDACTIONS_count > 0)
        options_of_run.redacted = bl_redaction_tape_record(scene->recording);
    if (scene->recording != NULL)
        record_beginning(scene, &options_of_run, arguments->operands.items[0]);
    struct bl_job_summary summary;
    if (scene->on_github != NULL && !options_of_run.dry) {
        bl_job_summary_begin(&summary, &scene->session, arguments->operands.items[0]);
        scene->on_github->summary = &summary;
    }
    struct bl_run_result result;
    enum bl_status status =
        bl_run(&scene->arena, &options_of_run, &result, &scene->session.sink);
    const struct bl_run_shown shown = {
        .options = &options_of_run,
        .result = &result,
        .status = status,
        .job = arguments->operands.items[0],
        .exit = bl_run_exit(scene, status, &result),
    };
    return finish(scene, arguments, &shown);
}

enum bl_exit bl_bylaw_run(int argc, char **argv)
{
    return bl_scene_command(&line, argc, argv, run);
}
