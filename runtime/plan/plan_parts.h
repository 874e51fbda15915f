/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_PLAN_PLAN_PARTS_H
#define BL_PLAN_PLAN_PARTS_H

#include "plan/plan.h"

/* The inside of plans, for the files of this room alone. */

/* Argument `index`, absent when the effect has fewer. */
static inline struct bl_value bl_planned_arg(const struct bl_planned *planned, size_t index)
{
    return index < planned->arg_count ? planned->args[index] : bl_absent();
}
/* The issue, pull request, comment or commit that the effect acts on; NULL for those on none.
 */
struct bl_object *bl_planned_target(const struct bl_planned *planned);
/* The kind of comment that a POST writes. */
const struct bl_module_comment *bl_planned_kind(const struct bl_module *module,
                                                const struct bl_planned *planned);
/* Index of an attribute of a kind by its name; BL_NONE. */
uint32_t bl_kind_attribute(const struct bl_module *module, uint32_t kind, bl_str name);

/* plan_rows.c: of a KEEP the store and the key; the row made whole, measured, looked for, and
 * written with all others of its store. BL_ERR_READ, BL_ERR_REFUSED, BL_ERR_LIMIT,
 * BL_ERR_NOMEM.
 */
uint32_t bl_planned_store(const struct bl_planned *planned);
struct bl_value bl_planned_row_key(const struct bl_module *module,
                                   const struct bl_planned *planned);
enum bl_status bl_plan_complete_row(struct bl_machine *machine, struct bl_plan_effect *effect,
                                    struct bl_diagnostics *sink);
bool bl_plan_row_is_there(struct bl_machine *machine, const struct bl_plan_effect *effect);
enum bl_status bl_plan_write_rows(struct bl_plan *plan, struct bl_machine *machine);

/* The effect as it goes to the world. */
struct bl_effect_call bl_plan_call(const struct bl_machine *machine,
                                   const struct bl_plan_effect *effect);

/* Equal as arguments: absent equals absent here. */
bool bl_arg_equal(struct bl_value a, struct bl_value b, bl_type type);
/* Do two rows of attributes of a kind have equal values where `once_by` asks? */
bool bl_once_equal(const struct bl_module *module, uint32_t kind, const struct bl_value *a,
                   const struct bl_value *b);

/* What two effects are to each other. Only effects with equal keys need to be asked. */
enum bl_relation { BL_RELATION_NONE, BL_RELATION_EQUAL, BL_RELATION_CONFLICT };
enum bl_relation bl_planned_relation(const struct bl_module *module, const struct bl_planned *a,
                                     const struct bl_planned *b);
/* Equal for any two effects whose relation is not NONE. */
uint64_t bl_planned_key(const struct bl_module *module, const struct bl_planned *planned);

#endif
