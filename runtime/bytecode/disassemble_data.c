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

void bl_list_stores(const struct bl_listing *l)
{
    const struct bl_module *m = l->m;

    for (uint32_t i = 0; i < m->STORES_count; i++) {
        const struct bl_module_store *row = &m->STORES_rows[i];
        const struct bl_module_record *record = &m->RECORDS_rows[row->record];

        BL_PUT(l->out, "store ");
        bl_list_string(l, row->name);
        BL_PUT(l->out, " in ");
        bl_list_string(l, row->file);
        BL_PUT(l->out, " of ");
        bl_list_string(l, record->name);
        BL_PUT(l->out, " by ");
        bl_list_string(l, m->RECORD_FIELDS_rows[record->first + row->key].name);
        BL_PUT(l->out, "\n");
    }
    for (uint32_t i = 0; i < m->CALLED_count; i++) {
        const struct bl_module_called *row = &m->CALLED_rows[i];

        BL_PUT(l->out, "called ");
        bl_list_string(l, m->ENTRIES_rows[row->entry].name);
        if (row->record != BL_NONE) {
            BL_PUT(l->out, " with ");
            bl_list_string(l, m->RECORDS_rows[row->record].name);
        }
        bl_buf_put(l->out, row->by != 0 ? BL_STR(" by person\n") : BL_STR("\n"));
    }
}

void bl_list_job_steps(const struct bl_listing *l, const struct bl_module_job *job)
{
    static const char *const kinds[BL_JOB_STEP_KINDS] = {"write", "engine", "check", "post",
                                                         "secret"};

    for (uint32_t i = 0; i < job->own_count; i++) {
        const struct bl_module_job_step *row = &l->m->JOB_STEPS_rows[job->first_own + i];

        bl_buf_printf(l->out, "  %s ", kinds[row->kind]);
        bl_list_string(l, row->name);
        if (row->path.length > 0) {
            BL_PUT(l->out, " ");
            bl_list_string(l, row->path);
        }
        BL_PUT(l->out, "\n");
    }
}
