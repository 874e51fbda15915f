/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_BYLAW_GIVEN_OUTPUTS_H
#define BL_BYLAW_GIVEN_OUTPUTS_H

#include "bylaw/scene.h"
#include "run/run.h"

/* What jobs before this one gave: BYLAW_OUTPUTS, an object of JSON of the jobs, each with its
 * outputs as texts, or null for one that was not given. A job that asks for any of it does not
 * run without the variable. Fills `given` of the options. */
enum bl_exit bl_given_outputs(struct bl_scene *scene, uint32_t job,
                              struct bl_run_options *options);

#endif
