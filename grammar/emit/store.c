/* SPDX-License-Identifier: Apache-2.0 */
#include "emit/lowering.h"

/* Stores are a table; a `keep` is an effect with a register for each field of the row; an entry
 * is a function that plans effects and ends with a verdict. */

/* ---- stores ------------------------------------------------------------------------------ */

void bl_emit_stores(struct bl_emitter *e)
{
    const struct bl_symbol_list *stores = &e->program->symbols[BL_SYMBOL_STORE];

    for (size_t i = 0; i < stores->count; i++) {
        const struct bl_symbol *store = stores->items[i];
        struct bl_module_store row = {
            .name = bl_builder_string(e->b, store->name),
            .file = bl_builder_string(e->b, store->as.store->file),
            .record = bl_type_ref(bl_emit_type(e, bl_type_element(store->type))),
            .key = store->as.store->key};

        bl_add_STORES(e->b, row);
    }
}

unsigned bl_lower_stored(struct bl_body *body, struct bl_node *node)
{
    unsigned rows = bl_typed_register(body, node);

    bl_put(body, BL_OP_STORED, rows, 0, node->symbol->number, node->span);
    return rows;
}

/* ---- rows -------------------------------------------------------------------------------- */

size_t bl_row_types(struct bl_body *body, const struct bl_symbol *store, bl_type *types)
{
    const struct bl_record_declared *record =
        &body->e->program->records.items[bl_type_ref(store->type)];

    for (size_t i = 0; i < record->count; i++) {
        bl_type type = bl_emit_type(body->e, record->fields[i].type);
        types[i] = i == store->as.store->key ? type : BL_OPTIONAL(type);
    }
    return record->count;
}

uint32_t bl_lower_row(struct bl_body *body, const struct bl_statement *s, struct bl_node *key,
                      unsigned first)
{
    const struct bl_symbol *store = s->symbol;
    const struct bl_record_declared *record =
        &body->e->program->records.items[bl_type_ref(store->type)];
    uint32_t detail = store->number;

    for (size_t i = 0; i < record->count; i++) {
        const struct bl_pair *pair = s->pairs;

        while (pair != NULL && !bl_str_equal(pair->name, record->fields[i].name))
            pair = pair->next;
        if (i == store->as.store->key)
            bl_lower_into(body, key, first + (unsigned)i);
        else if (pair != NULL)
            bl_lower_into(body, pair->value, first + (unsigned)i);
        else
            bl_put(body, BL_OP_ABSENT, first + (unsigned)i, 0, 0, s->span);
        if (pair != NULL)
            detail |= 1u << (8 + i);
    }
    return detail;
}

void bl_lower_keep(struct bl_body *body, struct bl_statement *s)
{
    bl_type types[32]; /* limits.def, store_fields */
    size_t count = bl_row_types(body, s->symbol, types);
    unsigned first = bl_code_range(body->code, types, count);
    uint32_t detail = bl_lower_row(body, s, s->value, first);
    uint32_t site = bl_emit_site(body->e, s->effect, detail, s->span);

    bl_put(body, BL_OP_EFFECT, first, (unsigned)count, site, s->span);
}

/* ---- entries ----------------------------------------------------------------------------- */

static void statement(struct bl_body *body, struct bl_statement *s, void *context)
{
    if (s->kind == BL_STATEMENT_EFFECT)
        bl_lower_effect(body, s);
    else if (!bl_lower_flow(body, s, statement, context))
        bl_lower_check(body, s, context);
}

static uint32_t entry_function(struct bl_emitter *e, struct bl_symbol *symbol)
{
    const bl_type verdict = BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_VERDICT);
    struct bl_body body = bl_body_begin(e, symbol->name, BL_FUNCTION_ENTRY, verdict, BL_NONE);

    bl_body_params(&body, &symbol->as.rule->params);
    body.span = symbol->span;
    bl_lower_list(&body, symbol->as.rule->body, statement, NULL);
    bl_lower_verdict(&body, true, BL_STR("allowed"), NULL, symbol->span);
    return bl_body_end(&body);
}

/* What it takes, by name. */
static uint32_t parameters(struct bl_emitter *e, const struct bl_symbol *symbol)
{
    const struct bl_symbol_list *params = &symbol->as.rule->params;
    struct bl_builder_member *fields =
        BL_NEW_ARRAY(e->arena, params->count + 1, struct bl_builder_member);

    if (fields == NULL || params->count == 0)
        return BL_NONE;
    for (size_t i = 0; i < params->count; i++)
        fields[i] = (struct bl_builder_member){params->items[i]->name,
                                               bl_emit_type(e, params->items[i]->type), 0};
    return bl_builder_record(e->b, symbol->name, fields, params->count);
}

static void add_entry(struct bl_emitter *e, struct bl_symbol *symbol)
{
    struct bl_entry row = bl_emit_entry(e, BL_ENTRY_CALLED, symbol->name, symbol->span);
    uint32_t entry = bl_add_ENTRIES(e->b, row);

    symbol->emit[0] = entry + 1;
    uint32_t function = entry_function(e, symbol);
    if (entry < e->b->ENTRIES.count)
        e->b->ENTRIES.items[entry].function = function;
    bl_add_CALLED(e->b, (struct bl_module_called){entry, parameters(e, symbol),
                                                  symbol->as.rule->by_person});
}

void bl_emit_entries(struct bl_emitter *e)
{
    const struct bl_symbol_list *entries = &e->program->symbols[BL_SYMBOL_ENTRY];

    for (size_t i = 0; i < entries->count; i++)
        add_entry(e, entries->items[i]);
}
