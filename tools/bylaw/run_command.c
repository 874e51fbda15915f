/* SPDX-License-Identifier: Apache-2.0 */
#include "bylaw/scene.h"
#include "run/explain.h"
#include "run/outputs.h"

#include <unistd.h>

/* bylaw run JOB: what a job does with an event. */

static const struct bl_option options[] = {
    BL_SCENE_OPTIONS,
    {"dry-run", 0, NULL, 0, NULL, "Plan and prove, but carry nothing out."},
    {"explain", 0, NULL, 0, NULL,
     "Say for each rule whether it fired and which condition decided."},
    {"no-index", 0, NULL, 0, NULL, "Evaluate every rule of the event."},
    {"end-state", 0, "FILE", 0, NULL, "Write the repository after the run as a world file."},
};

static const struct bl_command_line line = {
    .tool = "bylaw run",
    .usage = "JOB [options]",
    .summary = "runs a job of a policy on an event",
    .about = "Reads the event and the repository, evaluates the rules of the job, and prints "
             "the plan of "
             "effects.\nThe repository is simulated: what the plan says is carried out in "
             "memory, and "
             "nothing reaches GitHub.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .operand = "JOB",
    .examples =
        "  bylaw run event -p policies/issue_assistant -e issue.json -n issues --explain\n"
        "  bylaw run sweep -p mine.pbc -w world.json --now 2026-11-17T06:00:00Z --json\n",
};

static const char *state_of(enum bl_severity severity)
{
    return severity == BL_SEVERITY_ERROR     ? "error"
           : severity == BL_SEVERITY_WARNING ? "warning"
                                             : "notice";
}

/* ---- for people
 * ----------------------------------------------------------------------------------- */

static void print_unit(const struct bl_unit *unit, struct bl_buf *out, bool colour)
{
    if (unit->name.len > 0)
        bl_buf_printf(out, "%.*s\n", BL_STR_ARG(unit->name));
    bl_plan_print(&unit->plan, out, colour);
}

static void print_text(const struct bl_scene *scene, const struct bl_run_result *result,
                       bool explain, bool dry, struct bl_buf *out)
{
    const struct bl_session *session = &scene->session;
    bool colour = session->report.colour;
    if (explain) {
        struct bl_sources *sources = (struct bl_sources *)(uintptr_t)&session->sources;
        bl_explain_print(result, &session->module, sources, colour, out);
        BL_PUT(out, "\n");
    }
    bl_buf_put(out,
               dry ? BL_STR("Plan (dry run, nothing is carried out):\n") : BL_STR("Plan:\n"));
    size_t effects = 0;
    for (size_t i = 0; i < result->units.count; i++) {
        effects += result->units.items[i].plan.effects.count;
        print_unit(&result->units.items[i], out, colour);
    }
    if (effects == 0)
        BL_PUT(out, "  nothing to do\n");
    for (size_t i = 0; i < result->log.count; i++) {
        bl_buf_printf(out, "%s: ", state_of(result->log.items[i].severity));
        bl_report_visible(result->log.items[i].text, out);
        BL_PUT(out, "\n");
    }
    if (result->has_task && (uint64_t)result->task.as.i < session->module.TASKS_count)
        bl_buf_printf(
            out, "Task: %.*s\n",
            BL_STR_ARG(bl_module_string(&session->module,
                                        session->module.TASKS_rows[result->task.as.i].name)));
    bl_buf_printf(out,
                  "%zu rules evaluated, %zu left out by the index, %zu reads, %zu writes, %llu "
                  "instructions.\n",
                  result->rules_evaluated, result->rules_skipped, result->reads, result->writes,
                  (unsigned long long)result->instructions);
}

/* ---- for programs
 * ---------------------------------------------------------------------------------- */

static void field(struct bl_json_writer *w, const char *key, int64_t value)
{
    bl_json_key(w, bl_str_from(key));
    bl_json_integer(w, value);
}

static void json_unit(struct bl_json_writer *w, const struct bl_unit *unit)
{
    bl_json_begin_object(w);
    bl_json_key(w, BL_STR("unit"));
    bl_json_string(w, unit->name);
    bl_json_key(w, BL_STR("failed"));
    bl_json_bool(w, unit->status != BL_OK);
    bl_json_key(w, BL_STR("effects"));
    bl_plan_json(&unit->plan, w);
    bl_json_end_object(w);
}

static void print_json(const struct bl_scene *scene, const struct bl_run_result *result,
                       bool explain, int exit, struct bl_buf *out)
{
    const struct bl_session *session = &scene->session;
    struct bl_json_writer w;
    bl_json_writer_init(&w, out, true);
    bl_json_begin_object(&w);
    bl_json_key(&w, BL_STR("event"));
    bl_json_string(&w, scene->has_event ? scene->event.name : BL_STR(""));
    bl_json_key(&w, BL_STR("action"));
    bl_json_string(&w, scene->has_event ? scene->event.action : BL_STR(""));
    bl_json_key(&w, BL_STR("task"));
    if (result->has_task && (uint64_t)result->task.as.i < session->module.TASKS_count)
        bl_json_string(&w,
                       bl_module_string(&session->module,
                                        session->module.TASKS_rows[result->task.as.i].name));
    else
        bl_json_null(&w);
    bl_json_key(&w, BL_STR("units"));
    bl_json_begin_array(&w);
    for (size_t i = 0; i < result->units.count; i++)
        json_unit(&w, &result->units.items[i]);
    bl_json_end_array(&w);
    bl_json_key(&w, BL_STR("log"));
    bl_json_begin_array(&w);
    for (size_t i = 0; i < result->log.count; i++) {
        bl_json_begin_object(&w);
        bl_json_key(&w, BL_STR("severity"));
        bl_json_string(&w, bl_str_from(state_of(result->log.items[i].severity)));
        bl_json_key(&w, BL_STR("text"));
        bl_json_string(&w, result->log.items[i].text);
        bl_json_end_object(&w);
    }
    bl_json_end_array(&w);
    if (explain) {
        struct bl_sources *sources = (struct bl_sources *)(uintptr_t)&session->sources;
        bl_json_key(&w, BL_STR("explanation"));
        bl_explain_json(result, &session->module, sources, &w);
    }
    field(&w, "rules_evaluated", (int64_t)result->rules_evaluated);
    field(&w, "rules_skipped", (int64_t)result->rules_skipped);
    field(&w, "reads", (int64_t)result->reads);
    field(&w, "writes", (int64_t)result->writes);
    field(&w, "instructions", (int64_t)result->instructions);
    field(&w, "exit", exit);
    bl_json_end_object(&w);
    BL_PUT(out, "\n");
}

/* ---- the runner's files
 * ------------------------------------------------------------------------------ */

static enum bl_exit append(struct bl_scene *scene, const char *variable,
                           const struct bl_buf *text)
{
    bl_str path = bl_environment(variable), why = {NULL, 0};
    if (path.len == 0 || text->len == 0)
        return BL_EXIT_OK;
    if (bl_file_append(&scene->session.arena, path, bl_buf_str(text), &why) == BL_OK)
        return BL_EXIT_OK;
    bl_session_say(&scene->session, path, why);
    return BL_EXIT_INTERNAL;
}

static enum bl_exit leave_files(struct bl_scene *scene, const struct bl_run_result *result,
                                const struct bl_run_options *run)
{
    struct bl_buf outputs, summary;
    bl_buf_init(&outputs, &scene->session.arena, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES));
    bl_buf_init(&summary, &scene->session.arena, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES));
    if (!bl_outputs_write(result, run, &outputs, &scene->session.sink))
        return BL_EXIT_POLICY;
    bl_summary_write(result, run->module, 0, &summary);
    enum bl_exit exit = append(scene, "GITHUB_OUTPUT", &outputs);
    return exit == BL_EXIT_OK ? append(scene, "GITHUB_STEP_SUMMARY", &summary) : exit;
}

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

static enum bl_exit unknown_job(struct bl_scene *scene, bl_str name)
{
    const struct bl_module *m = &scene->session.module;
    struct bl_buf out;
    bl_buf_init(&out, &scene->session.arena, 4096);
    bl_buf_printf(&out, "The policy has no job '%.*s'", BL_STR_ARG(name));
    for (uint32_t i = 0; i < m->JOBS_count; i++)
        bl_buf_printf(&out, "%s'%.*s'", i == 0 ? "; it has " : ", ",
                      BL_STR_ARG(bl_module_string(m, m->JOBS_rows[i].name)));
    BL_PUT(&out, ".");
    bl_session_say(&scene->session, (bl_str){NULL, 0}, bl_buf_str(&out));
    return BL_EXIT_USAGE;
}

static enum bl_exit finish(struct bl_scene *scene, const struct bl_arguments *arguments,
                           const struct bl_run_options *run, enum bl_status status,
                           const struct bl_run_result *result)
{
    struct bl_buf out;
    /* What a payload does not hold is missing input; running again brings nothing. */
    enum bl_exit exit = status == BL_ERR_READ && !scene->has_world
                            ? BL_EXIT_INPUT
                            : (enum bl_exit)bl_run_exit_code(status, result);
    bl_str state = bl_argument(arguments, "end-state", (bl_str){NULL, 0});
    bl_buf_init(&out, &scene->session.arena, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES));
    if (bl_argument_is(arguments, "json"))
        print_json(scene, result, run->explain, (int)exit, &out);
    else if (status != BL_ERR_NOMEM)
        print_text(scene, result, run->explain, run->dry, &out);
    enum bl_exit printed = bl_scene_print(scene, &out);
    if (!run->dry && status == BL_OK) {
        enum bl_exit left = leave_files(scene, result, run);
        if (left != BL_EXIT_OK)
            return left;
    }
    if (state.len > 0) {
        enum bl_exit left = leave_state(scene, state);
        if (left != BL_EXIT_OK)
            return left;
    }
    return printed != BL_EXIT_OK ? printed : exit;
}

static enum bl_exit run(struct bl_scene *scene, const struct bl_arguments *arguments)
{
    if (arguments->operands.count != 1) {
        bl_session_say(
            &scene->session, (bl_str){NULL, 0},
            BL_STR("Name one job: 'bylaw run event'. 'bylaw run --help' says more."));
        return BL_EXIT_USAGE;
    }
    enum bl_exit exit = bl_scene_load(scene, arguments, false);
    if (exit != BL_EXIT_OK)
        return exit;
    uint32_t job = bl_module_job(&scene->session.module, arguments->operands.items[0]);
    if (job == BL_NONE)
        return unknown_job(scene, arguments->operands.items[0]);
    if (scene->is_other)
        return BL_EXIT_OK; /* said already; no job has anything to do with it */
    if (!scene->has_event && scene->session.module.JOBS_rows[job].step_count == 0) {
        bl_session_say(&scene->session, (bl_str){NULL, 0},
                       BL_STR("There is no event. Give --event FILE and --event-name NAME."));
        return BL_EXIT_USAGE;
    }
    struct bl_run_options options_of_run = {
        .module = &scene->session.module,
        .world = bl_sim_world(scene->sim),
        .event = scene->has_event ? &scene->event : NULL,
        .job = job,
        .now = scene->now,
        .dry = bl_argument_is(arguments, "dry-run"),
        .use_index = !bl_argument_is(arguments, "no-index"),
        .explain = bl_argument_is(arguments, "explain"),
    };
    struct bl_run_result result;
    enum bl_status status =
        bl_run(&scene->arena, &options_of_run, &result, &scene->session.sink);
    return finish(scene, arguments, &options_of_run, status, &result);
}

enum bl_exit bl_bylaw_run(int argc, char **argv)
{
    struct bl_scene scene;
    struct bl_arguments arguments;
    enum bl_exit exit;
    bl_scene_begin(&scene, "bylaw");
    if (!bl_session_usage(&scene.session, &line, argc, argv, 2, &arguments, &exit)) {
        scene.session.report.colour =
            bl_wants_colour(bl_argument(&arguments, "color", BL_STR("auto")), STDOUT_FILENO);
        exit = run(&scene, &arguments);
        bl_session_report(&scene.session, false);
    }
    bl_scene_end(&scene);
    return exit;
}
