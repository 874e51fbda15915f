/* SPDX-License-Identifier: Apache-2.0 */
#include "bytecode/disassembler_parts.h"

/* Tables that are data alone. */

void bl_list_accepted(const struct bl_listing *l)
{
    const struct bl_module *m = l->m;

    for (uint32_t i = 0; i < m->ACCEPTED_count; i++) {
        const struct bl_module_accepted *row = &m->ACCEPTED_rows[i];

        BL_PUT(l->out, "accepted ");
        bl_list_string(l, row->tool);
        BL_PUT(l->out, " ");
        bl_list_string(l, row->rule);
        BL_PUT(l->out, " as ");
        bl_buf_put(l->out, bl_enum_member(BL_ENUM_DISMISSAL, row->reason));
        BL_PUT(l->out, " in ");
        bl_list_string(l, row->path);
        BL_PUT(l->out, " ");
        bl_list_string(l, row->comment);
        if (row->until != INT64_MIN)
            bl_buf_printf(l->out, " until day %lld", (long long)row->until);
        BL_PUT(l->out, "\n");
    }
}
