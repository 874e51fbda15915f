/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_RUN_EXPLAIN_H
#define BL_RUN_EXPLAIN_H

#include "run/run.h"

/* Why a run did what it did: for each rule whether it fired, and the condition that decided,
 * with its values and its place; what a called definition rests on stands below it. Rules that
 * the index left out are there with the fact that excludes them. Needs a run with `explain`.
 *
 * `sources` has the module's sources by their numbers (index of SOURCES) and may be NULL;
 * without a source's text its places are paths alone. Values are short readings: a text of a
 * stranger is cut and escaped. */
void bl_explain_print(const struct bl_run_result *result, const struct bl_module *module,
                      struct bl_sources *sources, bool colour, struct bl_buf *out);
/* The same for rule `rule` of one unit's trace, without colour. */
void bl_explain_rule(const struct bl_unit *unit, size_t rule, const struct bl_module *module,
                     struct bl_sources *sources, struct bl_buf *out);
/* An array of units, each {"unit", "step", "rules": [{"rule", "outcome", "conditions":
 * [{"path", "line", "column", "text", "holds", "reading"}], "needs"}]}. */
void bl_explain_json(const struct bl_run_result *result, const struct bl_module *module,
                     struct bl_sources *sources, struct bl_json_writer *out);

#endif
