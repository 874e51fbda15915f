/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_WORLD_SIM_SIM_WRITE_H
#define BL_WORLD_SIM_SIM_WRITE_H

#include "world/sim/sim_model.h"

/* The writes of struct bl_world over the model. Private to this room. */

enum bl_written bl_sim_write(void *self, struct bl_arena *arena,
                             const struct bl_effect_call *call, struct bl_failure *failure);
enum bl_answer bl_sim_holds(void *self, struct bl_arena *arena,
                            const struct bl_effect_call *call, bool *there,
                            struct bl_failure *failure);

#endif
