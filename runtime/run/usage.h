/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_RUN_USAGE_H
#define BL_RUN_USAGE_H

#include "run/run.h"

/* What a run of an engine took, from JSON that whoever started it wrote:
 *
 *     { "model": "…", "end": "answered", "turns": 12, "seconds": 94, "cost": 0.1375,
 *       "tokens_in": 51000, "tokens_cached": 40000, "tokens_out": 2300 }
 *
 * Every part must be there; others are of no interest. BL_ERR_INVALID with a diagnostic for
 * each that is not as it must be. */
BL_NODISCARD enum bl_status bl_usage_read(struct bl_arena *arena, bl_str text,
                                          struct bl_object **out, struct bl_diagnostics *sink);

#endif
