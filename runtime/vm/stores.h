/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_VM_STORES_H
#define BL_VM_STORES_H

#include "vm/vm.h"

/* The rows of a store: its file is read whole, strictly, and once. */

/* Sets *rows to the records as the file has them, none when there is no file. A line that is no
 * row, or whose key stands in another line too, is BL_ERR_READ: machine->failure says which
 * line, and what is wrong with it. BL_ERR_LIMIT, BL_ERR_NOMEM. */
BL_NODISCARD enum bl_status bl_machine_rows(struct bl_machine *machine, uint32_t store,
                                            struct bl_list **rows);
/* The place of the row of that key among the rows, which were read; BL_NONE. Logarithmic. */
uint32_t bl_machine_row_of(const struct bl_machine *machine, uint32_t store,
                           struct bl_value key);
/* A row as its line of the file, with the line end. */
void bl_store_line(const struct bl_module *module, struct bl_value row, struct bl_buf *out);
/* A row from its line. The reader's problem says what is wrong with it. */
BL_NODISCARD enum bl_status bl_store_read_line(struct bl_arena *arena,
                                               const struct bl_module *module, uint32_t store,
                                               bl_str line, struct bl_value *row,
                                               bl_str *problem);

#endif
