/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_RUN_ANSWER_H
#define BL_RUN_ANSWER_H

#include "bytecode/module.h"
#include "value/value.h"

/* What an AI answered to a task: JSON that is taken whole or not at all. */

struct bl_task_answer {
    uint32_t task;         /* index of TASKS */
    struct bl_value value; /* the RECORD of the task; absent for a task without one */
};

/* The answer of a task from its JSON, held against the record and its bounds: every part that
 * is not optional is there, nothing else is, each has its type, numbers and lengths are within
 * their bounds, labels and languages are declared ones. `null` is the same as leaving an
 * optional part out. The first thing that does not fit is a diagnostic with its path, and there
 * is no answer: BL_ERR_INVALID. BL_ERR_NOMEM. Linear; texts are copied. `source`: of the JSON,
 * or BL_NO_SOURCE. */
BL_NODISCARD enum bl_status bl_answer_read(struct bl_arena *arena,
                                           const struct bl_module *module, uint32_t task,
                                           bl_str json, uint32_t source,
                                           struct bl_task_answer *out,
                                           struct bl_diagnostics *sink);

/* Holds an answer that was not read, but made by a test, against the same bounds. */
BL_NODISCARD enum bl_status bl_answer_check(struct bl_arena *arena,
                                            const struct bl_module *module,
                                            const struct bl_task_answer *answer,
                                            struct bl_diagnostics *sink);

/* The JSON Schema (2020-12) that answers of the task keep to, with a line end behind it. */
void bl_answer_schema(const struct bl_module *module, uint32_t task, struct bl_buf *out);
/* Of all tasks: an object with a schema for each, by name. */
void bl_answer_schemas(const struct bl_module *module, struct bl_buf *out);

#endif
