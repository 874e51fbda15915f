/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_BYTECODE_FACTS_H
#define BL_BYTECODE_FACTS_H

#include "spec/tables.h"

/* The facts of an event that the index may decide by: stored fields of the event's own issue,
 * pull request and actor, known before the first rule runs. Comments, timeline, permissions
 * never are. */
enum bl_fact {
#define BL_FACT(id, path, ambient, first, second) BL_FACT_##id,
#include "bytecode/facts.def"
#undef BL_FACT
    BL_FACT_COUNT
};
struct bl_fact_info {
    bl_str path; /* as a policy writes it: "issue.author.login" */
    enum bl_ambient ambient;
    enum bl_field first;
    enum bl_field second; /* BL_FIELD_COUNT: the path has one field */
};
/* NULL for a number without row. */
const struct bl_fact_info *bl_fact_info(enum bl_fact fact);
/* Of the field that the path ends with; BL_TYPE_ERROR for a number without row. */
bl_type bl_fact_type(enum bl_fact fact);

#endif
