/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_BYLAW_ENGINE_RUN_H
#define BL_BYLAW_ENGINE_RUN_H

#include "bylaw/run_print.h"

/* The engine of a job, run: an argument each and no shell; of our environment it gets what any
 * program needs, the secrets that the job names, and BYLAW_USAGE, a path where it may leave
 * what it took. What it says is shown nowhere. */

struct bl_engine_run {
    bl_str printed; /* its answer, when it gives one */
    bl_str usage;   /* the path; empty when there is no file, or none is asked for */
    int code;
};

/* `run`: bl_run before the engine, whose files are written below `folder`. False with a message
 * when it cannot be started, or did not end by itself. */
bool bl_engine_run(struct bl_scene *scene, const struct bl_run_shown *run, bl_str folder,
                   struct bl_engine_run *out);

#endif
