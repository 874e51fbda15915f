/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_BYLAW_SCENE_H
#define BL_BYLAW_SCENE_H

#include "bylaw/on_github.h"
#include "bylaw/recording.h"
#include "cli/session.h"
#include "run/answer.h"
#include "world/sim/sim.h"

/* What `bylaw` runs a policy on: a module, an event and a world, from options and from the
 * environment of GitHub Actions. The world is GitHub inside Actions or with --github, else a
 * repository in memory. */
struct bl_scene {
    struct bl_session session;
    struct bl_arena arena; /* of the run */
    struct bl_event event;
    bool has_event;
    bool is_other;   /* there is an event, and no rule can be about it */
    bool takes_text; /* what is tried reads standard input */
    bool colour;     /* of what goes to standard output */
    bool has_world;  /* GitHub or a file, not the payload alone */
    const struct bl_world *world;
    struct bl_sim *sim;             /* or */
    struct bl_on_github *on_github; /* one of the two */
    int64_t now;
    bool now_given;
    bl_str event_name, event_text, world_text; /* as they were read */
    struct bl_recording *recording;            /* NULL: none */
    const struct bl_recorded *recorded;        /* a run that is decided again; NULL: none */
    bl_str folder;                             /* of its recording */
};

/* Options that every command of bylaw has; rows for their tables. */
#define BL_SCENE_OPTIONS                                                                       \
    {                                                                                          \
        "policy",                                                                              \
        'p',                                                                                   \
        "PATH",                                                                                \
        BL_OPTION_MANY,                                                                        \
        NULL,                                                                                  \
        "A .policy file, a folder of them, or one .pbc. Default: .github/bylaw.policy."},      \
        {"event",                                                                              \
         'e',                                                                                  \
         "FILE",                                                                               \
         0,                                                                                    \
         NULL,                                                                                 \
         "The event's payload as JSON; '-' is standard input. Default: $GITHUB_EVENT_PATH."},  \
        {"event-name",                                                                         \
         'n',                                                                                  \
         "NAME",                                                                               \
         0,                                                                                    \
         NULL,                                                                                 \
         "GitHub's name of the event: issues, issue_comment, … Default: $GITHUB_EVENT_NAME."}, \
        {"world",                                                                              \
         'w',                                                                                  \
         "FILE",                                                                               \
         0,                                                                                    \
         NULL,                                                                                 \
         "A repository as JSON (docs/world-file.md), which is simulated: nothing reaches "     \
         "GitHub."},                                                                           \
        {"github",                                                                             \
         0,                                                                                    \
         NULL,                                                                                 \
         0,                                                                                    \
         NULL,                                                                                 \
         "The repository is $GITHUB_REPOSITORY on GitHub, with $GITHUB_TOKEN. The default "    \
         "inside GitHub Actions; elsewhere, without --world, only what the event says is "     \
         "known, and a read beyond that fails."},                                              \
        {"now",                                                                                \
         0,                                                                                    \
         "TIME",                                                                               \
         0,                                                                                    \
         NULL,                                                                                 \
         "The clock of the run, such as 2026-11-02T08:00:00Z. Default: that of the machine."}, \
        {"json", 0, NULL, 0, NULL, "Print the result as JSON."}, BL_SESSION_OPTIONS

/* A command over a scene, from its command line to its report. */
enum bl_exit bl_scene_command(const struct bl_command_line *line, int argc, char **argv,
                              enum bl_exit (*command)(struct bl_scene *scene,
                                                      const struct bl_arguments *arguments));
/* Loads the policy, then the event (`needs_event`: it must be there) and the world. */
enum bl_exit bl_scene_load(struct bl_scene *scene, const struct bl_arguments *arguments,
                           bool needs_event);
/* The two halves of it: the policy, and what happened where. */
enum bl_exit bl_scene_begin(struct bl_scene *scene, const struct bl_arguments *arguments);
enum bl_exit bl_scene_happen(struct bl_scene *scene, const struct bl_arguments *arguments,
                             bool needs_event);
/* Parts of that, for a scene that comes from a recording: the module is loaded. */
enum bl_exit bl_scene_policy(struct bl_scene *scene, const struct bl_arguments *arguments);
enum bl_exit bl_scene_event(struct bl_scene *scene, bl_str path, bl_str name);
enum bl_exit bl_scene_simulate(struct bl_scene *scene, bl_str path);
enum bl_exit bl_scene_github(struct bl_scene *scene);
/* For what takes a text: no event, and without --world an empty repository. */
enum bl_exit bl_scene_load_text(struct bl_scene *scene, const struct bl_arguments *arguments);
/* The second half of that, behind bl_scene_begin. */
enum bl_exit bl_scene_for_text(struct bl_scene *scene, const struct bl_arguments *arguments);
/* Git itself, for a simulated repository. */
struct bl_sim_git bl_scene_git(struct bl_scene *scene);
/* The answer of a task from a file; messages say where it does not fit. */
enum bl_exit bl_scene_answer(struct bl_scene *scene, bl_str path, uint32_t task,
                             struct bl_task_answer *out);
/* What an engine took, from a file. */
enum bl_exit bl_scene_usage(struct bl_scene *scene, bl_str path, struct bl_object **out);
/* To standard output: as it is, for what stops commands of the runner by itself; quoted, where
 * a line that others wrote could be one. */
enum bl_exit bl_scene_print(struct bl_scene *scene, const struct bl_buf *out);
enum bl_exit bl_scene_print_quoted(struct bl_scene *scene, const struct bl_buf *out);

enum bl_exit bl_bylaw_run(int argc, char **argv);
enum bl_exit bl_bylaw_step(int argc, char **argv);
enum bl_exit bl_bylaw_try(int argc, char **argv);
enum bl_exit bl_bylaw_call(int argc, char **argv);
enum bl_exit bl_bylaw_check(int argc, char **argv);
enum bl_exit bl_bylaw_install(int argc, char **argv);
enum bl_exit bl_bylaw_replay(int argc, char **argv);

#endif
