/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_RUN_INDEX_H
#define BL_RUN_INDEX_H

#include "bytecode/facts.h"
#include "vm/vm.h"

/* Which rules an event can concern. Most rules need one fact of the event (a label, a login, a
 * word in a text), which policyc found and put into the module, sorted; so the rules of the
 * facts that hold are found by search, and nobody looks at the others. The answer never leaves
 * out a rule whose conditions could hold. */

struct bl_index;

/* Prepares the module: one pass over its event rules. Good for many runs; lives in the arena
 * and reads the module. NULL when out of memory. */
struct bl_index *bl_index_create(struct bl_arena *arena, const struct bl_module *module);

struct bl_candidates {
    BL_VEC(uint32_t) entries; /* ascending */
};
/* The rules of machine->event that its ambients allow, and that belong to `job` (or to none).
 * Time grows with the facts, the texts that patterns are asked of, the logarithm of the rules,
 * and the candidates. BL_ERR_NOMEM, BL_ERR_READ (the next page of labels). */
BL_NODISCARD enum bl_status bl_index_candidates(const struct bl_index *index,
                                                struct bl_machine *machine, uint32_t job,
                                                struct bl_candidates *out);
/* All rules of the event and job, as without an index. */
BL_NODISCARD enum bl_status bl_index_all(struct bl_machine *machine, uint32_t job,
                                         struct bl_candidates *out);
/* Is there one at all? Looks at rules of other jobs until it finds one. */
bool bl_index_any(const struct bl_machine *machine, uint32_t job);

#endif
