/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_BYLAW_RUN_PRINT_H
#define BL_BYLAW_RUN_PRINT_H

#include "bylaw/scene.h"
#include "run/run.h"

/* What a run says: to people, to programs, and into the files of the runner. */

struct bl_run_shown {
    const struct bl_run_options *options;
    const struct bl_run_result *result;
    enum bl_status status;
    bl_str job;
    enum bl_exit exit;
};

/* The plan and the lines for the log. Inside Actions no line of it is a command of the runner,
 * and warnings, errors and notices are annotations. */
void bl_run_text(const struct bl_scene *scene, const struct bl_run_shown *run,
                 struct bl_buf *out);
/* The same as one object. */
void bl_run_json(const struct bl_scene *scene, const struct bl_run_shown *run,
                 struct bl_buf *out);
/* As JSON, without what depends on how it was asked for: what a recording keeps. */
void bl_run_plan(const struct bl_scene *scene, const struct bl_run_shown *run,
                 struct bl_buf *out);
/* Exit code of architecture.md. */
enum bl_exit bl_run_exit(const struct bl_scene *scene, enum bl_status status,
                         const struct bl_run_result *result);
/* Appends to GITHUB_OUTPUT what a run that went through gives, and to GITHUB_STEP_SUMMARY what
 * every run wrote and left. */
enum bl_exit bl_run_leave_files(struct bl_scene *scene, const struct bl_run_shown *run);

/* engine_files.c: what an engine gets. With an empty folder below that of the package. */
enum bl_exit bl_engine_files_write(struct bl_scene *scene, const struct bl_run_shown *run,
                                   bl_str folder);
void bl_engine_text(const struct bl_run_shown *run, struct bl_buf *out);
void bl_engine_json(const struct bl_run_shown *run, struct bl_json_writer *w);

#endif
