/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_VM_RECORDS_H
#define BL_VM_RECORDS_H

#include "bytecode/module.h"
#include "event/json.h"
#include "value/value.h"

/* Declared records from JSON and as JSON: the answer of a task, the row of a store, what an
 * entry is given. A record is taken whole or not at all. */

struct bl_record_reader {
    struct bl_arena *arena;
    const struct bl_module *module;
    uint32_t kinds; /* BL_ANSWER_KINDS, BL_STORE_KINDS */
    /* After BL_ERR_INVALID: where it does not fit ("texts[2].number", "$" for the whole), in
     * what way ("must be a whole number"), and the bytes of the JSON; has_place is false when a
     * bound is not kept, for that is asked of the value. Only what was asked for is named: any
     * other key is a text of whoever wrote the JSON. */
    struct bl_record_problem {
        bl_str path, problem;
        uint32_t lo, hi;
        bool has_place;
    } problem;
};

/* The record from an object: every part that is not optional is there, nothing else is, each
 * has its type. `null` is the same as leaving an optional part out. Texts are copied. Linear.
 * BL_ERR_INVALID, BL_ERR_NOMEM. */
BL_NODISCARD enum bl_status bl_record_read(struct bl_record_reader *reader,
                                           const struct bl_json *json, uint32_t record,
                                           struct bl_value *out);
/* Holds its numbers, lengths and labels against their bounds. */
BL_NODISCARD enum bl_status bl_record_check(struct bl_record_reader *reader,
                                            struct bl_value record);
/* Its fields in declared order, absent ones left out; what bl_record_read takes. */
void bl_record_write(const struct bl_module *module, struct bl_value record,
                     struct bl_json_writer *out);

/* The row of ANSWER_BOUNDS of a field of RECORD_FIELDS; NULL when it has none. Logarithmic. */
const struct bl_answer_bound *bl_answer_bound(const struct bl_module *module, uint32_t field);

#endif
