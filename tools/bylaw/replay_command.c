/* SPDX-License-Identifier: Apache-2.0 */
#include "bylaw/redaction_tape.h"
#include "bylaw/run_print.h"
#include "report/diff.h"

/* bylaw replay FOLDER: decides a recorded run again. */

static const struct bl_option options[] = {
    {"policy", 'p', "PATH", BL_OPTION_MANY, NULL,
     "Another policy: a .policy file, a folder of them, or one .pbc. Default: the recorded "
     "one."},
    {"explain", 0, NULL, 0, NULL,
     "Say for each rule whether it fired and which condition decided."},
    BL_SESSION_OPTIONS,
};

static const struct bl_command_line line = {
    .tool = "bylaw replay",
    .usage = "FOLDER [options]",
    .summary = "decides a recorded run again",
    .about =
        "Takes the event, the answers of GitHub and the clock from a folder that 'bylaw run "
        "--record' wrote,\nand compares the plan with the recorded one, byte for byte. "
        "Nothing is asked and nothing is\nwritten. Exit code 0: the same plan; 1: another "
        "one, whose difference is shown.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .operand = "FOLDER",
    .examples = "  bylaw replay recording\n"
                "  bylaw replay recording -p .github/bylaw.policy --explain\n",
};

#define NOTHING ((bl_str){NULL, 0})

static enum bl_exit compare(struct bl_scene *scene, bl_str plan)
{
    struct bl_session *session = &scene->session;
    bl_str recorded;
    bl_str difference = scene->on_github != NULL
                            ? bl_github_replay_difference(scene->on_github->client)
                            : BL_STR("");
    if (!bl_recording_read(session, scene->folder, "plan.json", false, &recorded))
        return BL_EXIT_INPUT;
    if (difference.len > 0)
        bl_session_say(session, scene->folder, difference);
    if (bl_str_equal(recorded, plan)) {
        bl_session_say(session, scene->folder, BL_STR("The plan is the recorded one."));
        return difference.len > 0 ? BL_EXIT_FINDINGS : BL_EXIT_OK;
    }
    struct bl_buf out;
    bl_buf_init(&out, &session->arena, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES));
    bl_diff_write(&session->arena, BL_STR("plan.json"), recorded, plan, &out);
    enum bl_exit printed = bl_scene_print_quoted(scene, &out);
    return printed == BL_EXIT_OK ? BL_EXIT_FINDINGS : printed;
}

static enum bl_exit decide(struct bl_scene *scene, bool explain, bool other_policy)
{
    const struct bl_recorded *recorded = scene->recorded;
    uint32_t job = bl_module_job(&scene->session.module, recorded->job);
    struct bl_run_result result;
    struct bl_buf out, plan;
    struct bl_run_options run_options = {
        .module = &scene->session.module,
        .world = scene->world,
        .event = scene->has_event ? &scene->event : NULL,
        .job = job,
        .now = scene->now,
        .id_seed = recorded->id_seed,
        .dry = recorded->dry,
        .use_index = recorded->use_index,
        .explain = explain,
    };
    if (job == BL_NONE) {
        bl_session_say(&scene->session, recorded->job,
                       BL_STR("The policy has no job of this name, which was recorded."));
        return BL_EXIT_POLICY;
    }
    if (!other_policy)
        run_options.redacted = bl_redaction_tape_replay(&scene->session, scene->folder);
    if (!other_policy && run_options.redacted == NULL)
        return BL_EXIT_INPUT;
    enum bl_status status = bl_run(&scene->arena, &run_options, &result, &scene->session.sink);
    const struct bl_run_shown shown = {
        .options = &run_options,
        .result = &result,
        .status = status,
        .job = recorded->job,
        .exit = bl_run_exit(scene, status, &result),
    };
    if (status == BL_ERR_NOMEM)
        return BL_EXIT_INTERNAL;
    bl_buf_init(&plan, &scene->session.arena, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES));
    bl_buf_init(&out, &scene->session.arena, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES));
    bl_run_plan(scene, &shown, &plan);
    bl_run_text(scene, &shown, &out);
    enum bl_exit exit = bl_scene_print(scene, &out);
    return exit == BL_EXIT_OK ? compare(scene, bl_buf_str(&plan)) : exit;
}

static enum bl_exit load_policy(struct bl_scene *scene, const struct bl_arguments *arguments)
{
    if (bl_argument_is(arguments, "policy"))
        return bl_scene_policy(scene, arguments);
    bl_str path = bl_recording_path(&scene->session.arena, scene->folder, "policy.pbc");
    return bl_session_load(&scene->session, arguments, &path, 1, false);
}

static enum bl_exit load_world(struct bl_scene *scene)
{
    bl_str world = scene->recorded->world;
    if (bl_str_equal(world, BL_STR("github")))
        return bl_scene_github(scene);
    return bl_scene_simulate(
        scene, bl_str_equal(world, BL_STR("file"))
                   ? bl_recording_path(&scene->session.arena, scene->folder, "world.json")
                   : NOTHING);
}

static enum bl_exit replay(struct bl_scene *scene, const struct bl_arguments *arguments)
{
    struct bl_recorded recorded;
    if (arguments->operands.count != 1) {
        bl_session_say(&scene->session, NOTHING,
                       BL_STR("Name one folder: 'bylaw replay FOLDER'."));
        return BL_EXIT_USAGE;
    }
    scene->folder = arguments->operands.items[0];
    if (!bl_recorded_read(&scene->session, scene->folder, &recorded))
        return BL_EXIT_INPUT;
    scene->recorded = &recorded;
    scene->now = recorded.now;
    scene->now_given = true;
    enum bl_exit exit = load_policy(scene, arguments);
    if (exit == BL_EXIT_OK && recorded.event_name.len > 0)
        exit = bl_scene_event(
            scene, bl_recording_path(&scene->session.arena, scene->folder, "event.json"),
            recorded.event_name);
    if (exit == BL_EXIT_OK)
        exit = load_world(scene);
    return exit == BL_EXIT_OK ? decide(scene, bl_argument_is(arguments, "explain"),
                                       bl_argument_is(arguments, "policy"))
                              : exit;
}

enum bl_exit bl_bylaw_replay(int argc, char **argv)
{
    return bl_scene_command(&line, argc, argv, replay);
}
