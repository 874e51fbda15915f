/* SPDX-License-Identifier: Apache-2.0 */
#include "bylaw/scene.h"

#include "base/time.h"
#include "bylaw/git_reading.h"
#include "run/usage.h"

#include <unistd.h>

#define NOTHING ((bl_str){NULL, 0})

enum bl_exit bl_scene_command(const struct bl_command_line *line, int argc, char **argv,
                              enum bl_exit (*command)(struct bl_scene *scene,
                                                      const struct bl_arguments *arguments))
{
    struct bl_scene scene = {.has_event = false};
    struct bl_arguments arguments;
    enum bl_exit exit;
    bl_session_begin(&scene.session, "bylaw");
    bl_arena_init(&scene.arena, (size_t)bl_limit(BL_LIMIT_RUN_BYTES), NULL);
    if (!bl_session_usage(&scene.session, line, argc, argv, 2, &arguments, &exit)) {
        scene.colour =
            bl_wants_colour(bl_argument(&arguments, "color", BL_STR("auto")), STDOUT_FILENO);
        scene.session.output_is_data = bl_argument_is(&arguments, "json");
        exit = command(&scene, &arguments);
        bl_session_report(&scene.session, false);
    }
    if (scene.on_github != NULL)
        bl_on_github_close(scene.on_github);
    bl_arena_reset(&scene.arena);
    bl_session_end(&scene.session);
    return exit;
}

static enum bl_exit out_of_memory(struct bl_scene *scene)
{
    bl_session_say(&scene->session, NOTHING, BL_STR("Out of memory."));
    return BL_EXIT_INTERNAL;
}

enum bl_exit bl_scene_policy(struct bl_scene *scene, const struct bl_arguments *arguments)
{
    size_t count = 0;
    bl_str *paths = bl_argument_list(arguments, &scene->session.arena, "policy", &count);
    if (paths == NULL)
        return out_of_memory(scene);
    return bl_session_load(&scene->session, arguments, paths, count, false);
}

/* A file that messages may point into. */
static enum bl_exit read_input(struct bl_scene *scene, bl_str path, enum bl_limit limit,
                               bl_str *text, uint32_t *source)
{
    struct bl_session *session = &scene->session;
    bl_str why = NOTHING;
    if (bl_file_read(&session->arena, path, (size_t)bl_limit(limit), text, &why) !=
        BL_FILE_READ) {
        bl_session_say(session, path, why);
        return BL_EXIT_INPUT;
    }
    *source = bl_sources_add(&session->sources, path, *text);
    return *source == BL_NO_SOURCE ? out_of_memory(scene) : BL_EXIT_OK;
}

static int task_index(const void *context, bl_str name)
{
    const struct bl_module *module = context;
    for (uint32_t i = 0; i < module->TASKS_count; i++)
        if (bl_str_equal(bl_module_string(module, module->TASKS_rows[i].name), name))
            return (int)i;
    return -1;
}

enum bl_exit bl_scene_event(struct bl_scene *scene, bl_str path, bl_str name)
{
    struct bl_session *session = &scene->session;
    bl_str text, reason = NOTHING;
    uint32_t source;
    enum bl_exit exit = read_input(scene, path, BL_LIMIT_EVENT_BYTES, &text, &source);
    if (exit != BL_EXIT_OK)
        return exit;
    if (bl_in_actions())
        bl_sources_mark_foreign(&session->sources, source);
    scene->event_name = name;
    scene->event_text = text;
    const struct bl_event_source from = {.name = name,
                                         .started = scene->now,
                                         .task_index = task_index,
                                         .task_context = &session->module,
                                         .source = source};
    switch (bl_event_read(&scene->arena, text, &from, &scene->event, &session->sink, &reason)) {
    case BL_EVENT_READ:
        scene->has_event = true;
        return BL_EXIT_OK;
    case BL_EVENT_NOT_HANDLED:
        scene->is_other = true;
        bl_session_say(session, path, reason);
        return BL_EXIT_OK;
    case BL_EVENT_BROKEN:
        break;
    }
    return scene->arena.failed ? out_of_memory(scene) : BL_EXIT_INPUT;
}

/* A name that is nearly GitHub's is a slip; any other may be an event that no rule can be
 * about. */
static bool is_slip(struct bl_scene *scene, bl_str name)
{
    struct bl_buf out;
    size_t point = bl_str_find_char(name, '.');
    bl_buf_init(&out, &scene->session.arena, 4096);
    if (point != SIZE_MAX) {
        bl_buf_printf(
            &out,
            "'%.*s' is no name of an event: give '%.*s', the action stands in the payload.",
            BL_STR_ARG(name), BL_STR_ARG(bl_str_slice(name, 0, point)));
        bl_session_say(&scene->session, NOTHING, bl_buf_str(&out));
        return true;
    }
    for (unsigned f = 0; f < BL_FAMILY_COUNT; f++) {
        bl_str known = bl_family_name((enum bl_event_family)f);
        unsigned distance = bl_str_distance(known, name, 2);
        if (distance == 0)
            return false;
        if (distance > 2 || known.len < 5)
            continue;
        bl_buf_printf(&out, "GitHub has no event '%.*s'. Did you mean '%.*s'?",
                      BL_STR_ARG(name), BL_STR_ARG(known));
        bl_session_say(&scene->session, NOTHING, bl_buf_str(&out));
        return true;
    }
    return false;
}

static enum bl_exit choose_event(struct bl_scene *scene, const struct bl_arguments *arguments,
                                 bool needs_event)
{
    bl_str path = bl_argument(arguments, "event", bl_environment("GITHUB_EVENT_PATH"));
    bl_str name = bl_argument(arguments, "event-name", bl_environment("GITHUB_EVENT_NAME"));
    if (path.len == 0 && !needs_event)
        return BL_EXIT_OK;
    if (path.len == 0 || name.len == 0) {
        bl_session_say(
            &scene->session, NOTHING,
            path.len == 0
                ? BL_STR("There is no event. Give --event FILE and --event-name NAME.")
                : BL_STR("The event has no name. Give --event-name, such as issues."));
        return BL_EXIT_USAGE;
    }
    if (is_slip(scene, name))
        return BL_EXIT_USAGE;
    return bl_scene_event(scene, path, name);
}

static bl_str repository_name(const struct bl_scene *scene)
{
    if (scene->has_event && scene->event.repository != NULL)
        return scene->event.repository->name;
    bl_str given = bl_environment("GITHUB_REPOSITORY");
    return given.len > 0 ? given : BL_STR("octo/project");
}

static bl_str account_name(const struct bl_module *module)
{
    bl_str account = module->INFO_count > 0
                         ? bl_module_string(module, module->INFO_rows[0].account)
                         : NOTHING;
    return account.len > 0 ? account : BL_STR("github-actions[bot]");
}

static enum bl_exit other_repository(struct bl_scene *scene, bl_str path, bl_str name)
{
    struct bl_buf out;
    bl_buf_init(&out, &scene->session.arena, 4096);
    bl_buf_printf(&out, "It is the repository %.*s, and the event happened in %.*s.",
                  BL_STR_ARG(name), BL_STR_ARG(scene->event.repository->name));
    bl_session_say(&scene->session, path, bl_buf_str(&out));
    return BL_EXIT_INPUT;
}

static enum bl_exit load_file(struct bl_scene *scene, bl_str path, enum bl_status *status)
{
    struct bl_session *session = &scene->session;
    bl_str text;
    uint32_t source;
    enum bl_exit exit = read_input(scene, path, BL_LIMIT_WORLD_BYTES, &text, &source);
    if (exit != BL_EXIT_OK)
        return exit;
    scene->world_text = text;
    *status = bl_sim_load(scene->sim, text, source, &session->sink);
    if (*status == BL_OK && scene->has_event && scene->event.repository != NULL &&
        !bl_str_equal_nocase(scene->event.repository->name, bl_sim_repository(scene->sim)))
        return other_repository(scene, path, bl_sim_repository(scene->sim));
    if (*status == BL_OK && !scene->now_given && bl_sim_now(scene->sim) != scene->now)
        scene->now = bl_sim_now(scene->sim);
    return BL_EXIT_OK;
}

static enum bl_answer ask_git(void *context, struct bl_arena *arena, bl_str patch,
                              bl_str *reading)
{
    struct bl_scene *scene = context;

    return bl_git_reading(&scene->session, arena, patch, reading);
}

struct bl_sim_git bl_scene_git(struct bl_scene *scene)
{
    return (struct bl_sim_git){ask_git, scene};
}

/* A repository in memory: that of a file, or what the event says of one. */
enum bl_exit bl_scene_simulate(struct bl_scene *scene, bl_str path)
{
    struct bl_session *session = &scene->session;
    enum bl_status status = BL_OK;
    scene->has_world = path.len > 0;
    if (path.len == 0 && !scene->has_event && !scene->takes_text) {
        bl_session_say(
            session, NOTHING,
            BL_STR("Without an event nothing is known of the repository: give --world "
                   "FILE (docs/world-file.md), or --github."));
        return BL_EXIT_USAGE;
    }
    scene->sim = bl_sim_create(&scene->arena, repository_name(scene),
                               account_name(&session->module), scene->now);
    if (scene->sim == NULL && !scene->arena.failed) {
        bl_session_say(session, account_name(&session->module),
                       BL_STR("The policy names this account, and it is no login."));
        return BL_EXIT_POLICY;
    }
    if (scene->sim == NULL)
        return out_of_memory(scene);
    bl_sim_set_git(scene->sim, bl_scene_git(scene));
    if (path.len > 0) {
        enum bl_exit exit = load_file(scene, path, &status);
        if (exit != BL_EXIT_OK)
            return exit;
    }
    if (status == BL_OK && scene->has_event)
        status = bl_sim_seed(scene->sim, &scene->event);
    if (status == BL_ERR_NOMEM)
        return out_of_memory(scene);
    scene->world = bl_sim_world(scene->sim);
    return status == BL_OK ? BL_EXIT_OK : BL_EXIT_INPUT;
}

/* The one of the environment, or of a recording. */
enum bl_exit bl_scene_github(struct bl_scene *scene)
{
    enum bl_exit exit;
    scene->has_world = true;
    scene->on_github = scene->recorded != NULL
                           ? bl_on_github_replay(&scene->session, &scene->arena, scene->folder,
                                                 scene->recorded, &exit)
                           : bl_on_github_open(&scene->session, &scene->arena, scene->now,
                                               scene->recording, &exit);
    if (scene->on_github == NULL)
        return exit;
    bl_str own = scene->on_github->options.repository;
    if (scene->has_event && scene->event.repository != NULL &&
        !bl_str_equal_nocase(scene->event.repository->name, own))
        return other_repository(scene, BL_STR("GITHUB_REPOSITORY"), own);
    scene->world = bl_github_world(scene->on_github->client);
    return BL_EXIT_OK;
}

static enum bl_exit load_world(struct bl_scene *scene, const struct bl_arguments *arguments)
{
    bl_str path = bl_argument(arguments, "world", NOTHING);
    bool asked = bl_argument_is(arguments, "github");
    if (asked && path.len > 0) {
        bl_session_say(&scene->session, NOTHING,
                       BL_STR("'--github' and '--world' are two worlds: give one of them."));
        return BL_EXIT_USAGE;
    }
    /* Of an event that no rule can be about nothing is asked. */
    if (scene->is_other && path.len == 0)
        return BL_EXIT_OK;
    /* Elsewhere a token in the environment is no wish to write. */
    return asked || (path.len == 0 && bl_in_actions()) ? bl_scene_github(scene)
                                                       : bl_scene_simulate(scene, path);
}

enum bl_exit bl_scene_begin(struct bl_scene *scene, const struct bl_arguments *arguments)
{
    bl_str now = bl_argument(arguments, "now", NOTHING);
    scene->now = bl_clock();
    scene->now_given = now.len > 0;
    if (now.len > 0 && !bl_time_parse(now, &scene->now)) {
        bl_session_say(&scene->session, NOTHING,
                       BL_STR("'--now' takes a time such as 2026-11-02T08:00:00Z."));
        return BL_EXIT_USAGE;
    }
    return bl_scene_policy(scene, arguments);
}

enum bl_exit bl_scene_happen(struct bl_scene *scene, const struct bl_arguments *arguments,
                             bool needs_event)
{
    enum bl_exit exit = choose_event(scene, arguments, needs_event);
    return exit == BL_EXIT_OK ? load_world(scene, arguments) : exit;
}

enum bl_exit bl_scene_load(struct bl_scene *scene, const struct bl_arguments *arguments,
                           bool needs_event)
{
    enum bl_exit exit = bl_scene_begin(scene, arguments);
    return exit == BL_EXIT_OK ? bl_scene_happen(scene, arguments, needs_event) : exit;
}

enum bl_exit bl_scene_for_text(struct bl_scene *scene, const struct bl_arguments *arguments)
{
    scene->takes_text = true;
    return bl_scene_simulate(scene, bl_argument(arguments, "world", NOTHING));
}

enum bl_exit bl_scene_load_text(struct bl_scene *scene, const struct bl_arguments *arguments)
{
    enum bl_exit exit = bl_scene_begin(scene, arguments);
    return exit == BL_EXIT_OK ? bl_scene_for_text(scene, arguments) : exit;
}

enum bl_exit bl_scene_answer(struct bl_scene *scene, bl_str path, uint32_t task,
                             struct bl_task_answer *out)
{
    bl_str text = NOTHING;
    uint32_t source = BL_NO_SOURCE;
    enum bl_exit exit = read_input(scene, path, BL_LIMIT_EVENT_BYTES, &text, &source);
    if (exit != BL_EXIT_OK)
        return exit;
    bl_sources_mark_foreign(&scene->session.sources, source);
    enum bl_status status = bl_answer_read(&scene->arena, &scene->session.module, task, text,
                                           source, out, &scene->session.sink);
    if (status == BL_ERR_NOMEM)
        return out_of_memory(scene);
    return status == BL_OK ? BL_EXIT_OK : BL_EXIT_INPUT;
}

enum bl_exit bl_scene_usage(struct bl_scene *scene, bl_str path, struct bl_object **out)
{
    bl_str text = NOTHING;
    uint32_t source = BL_NO_SOURCE;
    enum bl_exit exit = read_input(scene, path, BL_LIMIT_SOURCE_BYTES, &text, &source);
    if (exit != BL_EXIT_OK)
        return exit;
    enum bl_status status = bl_usage_read(&scene->arena, text, out, &scene->session.sink);
    if (status == BL_ERR_NOMEM)
        return out_of_memory(scene);
    return status == BL_OK ? BL_EXIT_OK : BL_EXIT_INPUT;
}

static enum bl_exit printed(struct bl_scene *scene, const struct bl_buf *out,
                            enum bl_status status)
{
    if (out->failed)
        return out_of_memory(scene);
    if (status == BL_OK)
        return BL_EXIT_OK;
    bl_session_say(&scene->session, NOTHING, BL_STR("Standard output is closed or full."));
    return BL_EXIT_INTERNAL;
}

enum bl_exit bl_scene_print(struct bl_scene *scene, const struct bl_buf *out)
{
    return printed(scene, out, out->failed ? BL_OK : bl_print(bl_buf_str(out)));
}

enum bl_exit bl_scene_print_quoted(struct bl_scene *scene, const struct bl_buf *out)
{
    bool failed = out->failed;
    return printed(scene, out,
                   failed ? BL_OK : bl_print_quoted(&scene->session.arena, bl_buf_str(out)));
}
