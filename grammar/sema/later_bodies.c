/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"

/* Declarations that are checked as far as their names and types go and are not lowered yet. */

static void begin(struct bl_checker *c, struct bl_body *body, struct bl_symbol *symbol)
{
    bl_sema_body_begin(c, body, symbol);
    body->ambients_given = true;
    bl_sema_later(c, symbol->span,
                  bl_sema_text(c, "the %.*s '%.*s'",
                               BL_STR_ARG(bl_symbol_kind_name(symbol->kind)),
                               BL_STR_ARG(symbol->name)));
}

/* ---- entries
 * --------------------------------------------------------------------------------------- */

static void type_entry(struct bl_checker *c, struct bl_symbol *symbol)
{
    struct bl_symbol_list params = {NULL, 0, 0};
    struct bl_body body;

    begin(c, &body, symbol);
    bl_sema_read_params(c, bl_slot_node(symbol->clause, 0), &params);
    bl_sema_block(c, symbol->clause->block);
    bl_sema_body_end(c);
}

/* ---- all
 * ---------------------------------------------------------------------------------------------
 */

void bl_sema_later_bodies(struct bl_checker *c)
{
    static const struct {
        enum bl_symbol_kind kind;
        void (*visit)(struct bl_checker *c, struct bl_symbol *symbol);
    } visits[] = {
        {BL_SYMBOL_ENTRY, type_entry},
    };

    for (size_t i = 0; i < sizeof visits / sizeof visits[0]; i++) {
        const struct bl_symbol_list *list = &c->program->symbols[visits[i].kind];

        for (size_t j = 0; j < list->count; j++)
            visits[i].visit(c, list->items[j]);
    }
}
