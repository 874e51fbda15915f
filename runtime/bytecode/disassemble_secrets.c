/* SPDX-License-Identifier: Apache-2.0 */
#include "bytecode/disassembler_parts.h"

/* Sets of secrets, views and redactions. */

void bl_list_optional_function(const struct bl_listing *l, const char *what, uint32_t index)
{
    if (index == BL_NONE)
        return;
    bl_buf_printf(l->out, " %s ", what);
    bl_list_function(l, index);
}

static void put_part(const struct bl_listing *l, uint32_t part)
{
    const struct bl_module *m = l->m;
    const struct bl_module_part *row = &m->PARTS_rows[part];

    bl_buf_printf(l->out, " /%.*s/",
                  BL_STR_ARG(bl_module_string(m, m->PATTERNS_rows[row->pattern].source)));
}

static void put_view(const struct bl_listing *l, const struct bl_module_view *view)
{
    for (uint32_t i = 0; i < view->without_count; i++) {
        BL_PUT(l->out, " without");
        put_part(l, view->first_without + i);
    }
    if (view->decoded != 0)
        bl_buf_printf(l->out, " decoded %x", view->decoded);
    if (view->folded != 0)
        bl_buf_printf(l->out, " folded %x", view->folded);
}

void bl_list_secrets(const struct bl_listing *l)
{
    const struct bl_module *m = l->m;

    for (uint32_t i = 0; i < m->SECRETS_count; i++) {
        BL_PUT(l->out, "secrets ");
        bl_list_string(l, m->SECRETS_rows[i].name);
        put_view(l, &m->SECRETS_rows[i].view);
        for (uint32_t j = 0; j < m->SECRETS_rows[i].finder_count; j++) {
            const struct bl_module_finder *row =
                &m->FINDERS_rows[m->SECRETS_rows[i].first_finder + j];

            BL_PUT(l->out, "\n  find ");
            bl_list_string(l, row->kind);
            if (row->part != BL_NONE)
                put_part(l, row->part);
            else
                bl_buf_printf(l->out, " random %u characters %u bits", row->least, row->bits);
            for (uint32_t k = 0; k < row->outside_count; k++) {
                BL_PUT(l->out, " outside");
                put_part(l, row->first_outside + k);
            }
            bl_list_optional_function(l, "when", row->when);
        }
        BL_PUT(l->out, "\n");
    }
    for (uint32_t i = 0; i < m->REDACTIONS_count; i++) {
        const struct bl_module_redaction *redaction = &m->REDACTIONS_rows[i];

        BL_PUT(l->out, "redaction ");
        bl_list_string(l, redaction->name);
        bl_list_optional_function(l, "when", redaction->when);
        bl_list_optional_function(l, "marker", redaction->marker);
        bl_list_optional_function(l, "size", redaction->size);
        put_view(l, &redaction->view);
        for (uint32_t j = 0; j < redaction->mask_count; j++) {
            const struct bl_module_mask *row = &m->MASKS_rows[redaction->first_mask + j];

            BL_PUT(l->out, "\n  mask");
            bl_list_optional_function(l, "kind", row->kind);
            bl_list_optional_function(l, "from", row->source);
            bl_list_optional_function(l, "each of", row->list);
            if (row->part != BL_NONE)
                put_part(l, row->part);
            bl_list_optional_function(l, "when", row->when);
        }
        BL_PUT(l->out, "\n");
    }
}
