/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_RUN_OUTPUTS_H
#define BL_RUN_OUTPUTS_H

#include "run/run.h"

/* What a run leaves for the runner: the file of outputs (GITHUB_OUTPUT) and the summary of the
 * job (GITHUB_STEP_SUMMARY). The caller writes the files. */

/* One output: `name<<DELIMITER`, the value, the delimiter. The delimiter is one that no line of
 * the value is, so no value can end itself and begin another output. False with PL0810 when the
 * name is none. */
bool bl_output_put(struct bl_buf *out, bl_str name, bl_str value, struct bl_diagnostics *sink);

/* All outputs of a run: `task` (`none` without one) when the job decides or a rule started one,
 * and those of `output`. False when a name is refused; then nothing is to be written. */
bool bl_outputs_write(const struct bl_run_result *result, const struct bl_run_options *options,
                      struct bl_buf *out, struct bl_diagnostics *sink);

/* A value as the file of outputs has it: what later jobs get. In the arena of the result. */
bl_str bl_output_text(const struct bl_run_result *result, const struct bl_module *module,
                      struct bl_value value);

#define BL_SUMMARY_BYTES 1048576u /* the runner drops a larger file whole */
/* What the run wrote, what it left, and the write that failed: numbers and own words, no title
 * and no text of an issue. At most BL_SUMMARY_BYTES - `taken`; what has no room is counted. */
void bl_summary_write(const struct bl_run_result *result, const struct bl_module *module,
                      size_t taken, struct bl_buf *out);

/* The line of one effect as it is written, while the run goes on. */
void bl_summary_line(const struct bl_module *module, const struct bl_effect_call *call,
                     struct bl_buf *out);

#endif
