/* SPDX-License-Identifier: Apache-2.0 */
#include "bylaw/run_print.h"

#include "bylaw/job_summary.h"
#include "run/explain.h"
#include "run/outputs.h"

static const char *state_of(enum bl_severity severity)
{
    return severity == BL_SEVERITY_ERROR     ? "error"
           : severity == BL_SEVERITY_WARNING ? "warning"
                                             : "notice";
}

/* ---- for people
 * ----------------------------------------------------------------------------------- */

/* What a step does for one thing stands under the thing, what it does as a whole under its
 * name; the one unit of an event needs neither. */
static void print_unit(const struct bl_module *m, const struct bl_unit *unit,
                       struct bl_buf *out, bool colour)
{
    if (unit->name.len > 0)
        bl_buf_printf(out, "%.*s\n", BL_STR_ARG(unit->name));
    else if (unit->step < m->ENTRIES_count && unit->plan.effects.count > 0)
        bl_buf_printf(out, "%.*s\n",
                      BL_STR_ARG(bl_module_string(m, m->ENTRIES_rows[unit->step].name)));
    bl_plan_print(&unit->plan, out, colour);
}

static void print_plan(const struct bl_scene *scene, const struct bl_run_shown *run,
                       struct bl_buf *out)
{
    const struct bl_session *session = &scene->session;
    const struct bl_run_result *result = run->result;
    bool colour = scene->colour;
    size_t effects = 0;
    if (run->options->explain) {
        struct bl_sources *sources = (struct bl_sources *)(uintptr_t)&session->sources;
        bl_explain_print(result, &session->module, sources, colour, out);
        BL_PUT(out, "\n");
    }
    bl_buf_put(out, run->options->dry ? BL_STR("Plan (dry run, nothing is carried out):\n")
                                      : BL_STR("Plan:\n"));
    for (size_t i = 0; i < result->units.count; i++) {
        effects += result->units.items[i].plan.effects.count;
        print_unit(&session->module, &result->units.items[i], out, colour);
    }
    if (effects == 0)
        BL_PUT(out, "  nothing to do\n");
}

static void print_counts(const struct bl_scene *scene, const struct bl_run_shown *run,
                         struct bl_buf *out)
{
    const struct bl_session *session = &scene->session;
    const struct bl_run_result *result = run->result;
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
    if (scene->on_github == NULL)
        return;
    struct bl_github_counts counts = bl_github_counts(scene->on_github->client);
    bl_buf_printf(out,
                  "%zu requests to GitHub: %zu queries of %zu points, %zu writes; %zu made "
                  "again, %zu waited for.\n",
                  counts.requests, counts.queries, counts.points, counts.writes, counts.retries,
                  counts.waits);
}

/* What no text can hold, since it was not there before. Empty when the system has no random
 * bytes: then nothing is bracketed, and every text is defused all the same. */
static void put_token(struct bl_buf *token)
{
    unsigned char bytes[16];
    if (!bl_random(bytes, sizeof bytes))
        return;
    BL_PUT(token, "bylaw-");
    for (size_t i = 0; i < sizeof bytes; i++)
        bl_buf_printf(token, "%02x", bytes[i]);
}

/* What reports say, line by line, as it is in the summary. */
static void print_reports(const struct bl_run_result *result, struct bl_buf *out)
{
    for (size_t i = 0; i < result->reports.count; i++) {
        bl_str rest = result->reports.items[i];
        BL_PUT(out, "Report:\n");
        while (rest.len > 0) {
            size_t end = bl_str_find_char(rest, '\n');
            BL_PUT(out, "  ");
            bl_report_visible(bl_str_slice(rest, 0, end), out);
            BL_PUT(out, "\n");
            rest = bl_str_slice(rest, end == SIZE_MAX ? rest.len : end + 1, rest.len);
        }
    }
}

static void print_line(const struct bl_log_line *line, bool command, struct bl_buf *out)
{
    struct bl_buf shown;
    bl_buf_init(&shown, out->arena, SIZE_MAX / 2);
    bl_report_visible(line->text, &shown);
    bl_buf_printf(out, command ? "::%s::" : "%s: ", state_of(line->severity));
    if (command)
        bl_report_command_data(bl_buf_str(&shown), false, out);
    else
        bl_buf_put(out, bl_buf_str(&shown));
    BL_PUT(out, "\n");
}

static void print_refusal(const struct bl_run_result *result, struct bl_buf *out)
{
    if (!result->refused)
        return;
    bl_buf_printf(out, "refused by %.*s: ", BL_STR_ARG(result->refused_rule));
    bl_report_visible(result->refused_text, out);
    BL_PUT(out, "\n");
}

void bl_run_text(const struct bl_scene *scene, const struct bl_run_shown *run,
                 struct bl_buf *out)
{
    bool commands = scene->session.report.format == BL_REPORT_GITHUB;
    struct bl_buf token;
    bl_buf_init(&token, out->arena, 64);
    if (bl_in_actions())
        put_token(&token);
    if (token.len > 0)
        bl_buf_printf(out, "::stop-commands::%.*s\n", BL_STR_ARG(bl_buf_str(&token)));
    print_plan(scene, run, out);
    for (size_t i = 0; i < run->result->log.count && !commands; i++)
        print_line(&run->result->log.items[i], false, out);
    print_refusal(run->result, out);
    bl_engine_text(run, out);
    print_reports(run->result, out);
    print_counts(scene, run, out);
    if (token.len > 0)
        bl_buf_printf(out, "::%.*s::\n", BL_STR_ARG(bl_buf_str(&token)));
    for (size_t i = 0; i < run->result->log.count && commands; i++)
        print_line(&run->result->log.items[i], true, out);
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

static void json_counts(const struct bl_scene *scene, struct bl_json_writer *w)
{
    struct bl_github_counts counts = bl_github_counts(scene->on_github->client);
    bl_json_key(w, BL_STR("github"));
    bl_json_begin_object(w);
    field(w, "requests", (int64_t)counts.requests);
    field(w, "queries", (int64_t)counts.queries);
    field(w, "points", (int64_t)counts.points);
    field(w, "writes", (int64_t)counts.writes);
    field(w, "retries", (int64_t)counts.retries);
    field(w, "waits", (int64_t)counts.waits);
    bl_json_end_object(w);
}

/* Of a call: null, or what refused it. */
static void json_refusal(const struct bl_run_result *result, struct bl_json_writer *w)
{
    bl_json_key(w, BL_STR("refused"));
    if (!result->refused) {
        bl_json_null(w);
        return;
    }
    bl_json_begin_object(w);
    bl_json_key(w, BL_STR("rule"));
    bl_json_string(w, result->refused_rule);
    bl_json_key(w, BL_STR("text"));
    bl_json_string(w, result->refused_text);
    bl_json_end_object(w);
}

void bl_run_json(const struct bl_scene *scene, const struct bl_run_shown *run,
                 struct bl_buf *out)
{
    const struct bl_session *session = &scene->session;
    const struct bl_run_result *result = run->result;
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
    if (run->options->call != NULL || run->options->step != NULL)
        json_refusal(result, &w);
    bl_engine_json(run, &w);
    bl_json_key(&w, BL_STR("reports"));
    bl_json_begin_array(&w);
    for (size_t i = 0; i < result->reports.count; i++)
        bl_json_string(&w, result->reports.items[i]);
    bl_json_end_array(&w);
    if (run->options->explain) {
        struct bl_sources *sources = (struct bl_sources *)(uintptr_t)&session->sources;
        bl_json_key(&w, BL_STR("explanation"));
        bl_explain_json(result, &session->module, sources, &w);
    }
    field(&w, "rules_evaluated", (int64_t)result->rules_evaluated);
    field(&w, "rules_skipped", (int64_t)result->rules_skipped);
    field(&w, "reads", (int64_t)result->reads);
    field(&w, "writes", (int64_t)result->writes);
    field(&w, "instructions", (int64_t)result->instructions);
    if (scene->on_github != NULL)
        json_counts(scene, &w);
    field(&w, "exit", run->exit);
    bl_json_end_object(&w);
    BL_PUT(out, "\n");
}

void bl_run_plan(const struct bl_scene *scene, const struct bl_run_shown *run,
                 struct bl_buf *out)
{
    struct bl_run_options options = *run->options;
    struct bl_run_result result = *run->result;
    struct bl_run_shown plain = *run;
    options.explain = false;
    /* An explanation counts more. */
    result.rules_skipped = 0;
    result.instructions = 0;
    plain.options = &options;
    plain.result = &result;
    bl_run_json(scene, &plain, out);
}

enum bl_exit bl_run_exit(const struct bl_scene *scene, enum bl_status status,
                         const struct bl_run_result *result)
{
    /* What a payload does not hold is missing input; running again brings nothing. */
    return status == BL_ERR_READ && !scene->has_world
               ? BL_EXIT_INPUT
               : (enum bl_exit)bl_run_exit_code(status, result);
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

static const char *ending_of(const struct bl_run_shown *run)
{
    if (run->status != BL_OK)
        return "stopped";
    if (run->exit != BL_EXIT_OK)
        return "failed";
    return run->options->dry ? "dry run" : "done";
}

#define AGAIN "\nRun the job again: it finds what is there and goes on from it.\n"

static void put_summary(const struct bl_run_shown *run, size_t taken, struct bl_buf *out)
{
    struct bl_buf list;
    bl_buf_init(&list, out->arena, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES));
    bl_buf_printf(out, "### bylaw run %.*s: %s\n\n", BL_STR_ARG(run->job), ending_of(run));
    bl_summary_write(run->result, run->options->module, taken + out->len + sizeof AGAIN, &list);
    bl_buf_put(out, list.len > 0 ? bl_buf_str(&list) : BL_STR("- Nothing to do.\n"));
    if (run->exit == BL_EXIT_GITHUB || run->result->units_failed > 0)
        BL_PUT(out, AGAIN);
}

enum bl_exit bl_run_leave_files(struct bl_scene *scene, const struct bl_run_shown *run)
{
    struct bl_buf outputs, summary;
    struct bl_arena *arena = &scene->session.arena;
    bl_str path = bl_environment("GITHUB_STEP_SUMMARY");
    bl_buf_init(&outputs, arena, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES));
    bl_buf_init(&summary, arena, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES));
    enum bl_exit exit = BL_EXIT_OK;
    if (run->status == BL_OK && !run->options->dry) {
        if (!bl_outputs_write(run->result, run->options, &outputs, &scene->session.sink))
            return BL_EXIT_POLICY;
        exit = append(scene, "GITHUB_OUTPUT", &outputs);
    }
    struct bl_job_summary *live = scene->on_github != NULL ? scene->on_github->summary : NULL;
    size_t taken = live != NULL ? live->from : path.len > 0 ? bl_file_size(arena, path) : 0;
    if (path.len > 0 && taken + 1000 < BL_SUMMARY_BYTES) {
        put_summary(run, taken, &summary);
        enum bl_exit left = live != NULL ? bl_job_summary_end(live, bl_buf_str(&summary))
                                         : append(scene, "GITHUB_STEP_SUMMARY", &summary);
        exit = exit == BL_EXIT_OK ? left : exit;
    }
    return exit;
}
