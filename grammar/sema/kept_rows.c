/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"

#include <limits.h>

/* Stores and the rows that are kept in them; the entries of the command line. */

/* ---- what a file or a command line can hold ---------------------------------------------- */

static bool may_be_written(bl_type type)
{
    return bl_is_error(type) ||
           (bl_type_list_depth(type) <= 1 && (BL_STORE_KINDS >> bl_type_kind(type) & 1) != 0);
}

static void refuse_type(struct bl_checker *c, enum bl_diagnostic_code code, bl_str name,
                        bl_type type, struct bl_span span)
{
    struct bl_diagnostic *d = bl_sema_error(c, code, span);

    bl_sema_arg(c, d, "name", name);
    bl_sema_arg_type(c, d, "type", type);
    if (bl_type_base(type) == BL_TYPE_TEXT)
        bl_sema_help(c, d, "Say 'untrusted': nobody knows who wrote what stands there.");
}

/* ---- stores ------------------------------------------------------------------------------ */

static bl_type row_type(const struct bl_symbol *store)
{
    return bl_type_element(store->type);
}

static const struct bl_record_declared *record_of(const struct bl_checker *c,
                                                  const struct bl_symbol *store)
{
    return &c->program->records.items[bl_type_ref(store->type)];
}

static uint32_t field_of(const struct bl_record_declared *record, bl_str name)
{
    for (size_t i = 0; i < record->count; i++) {
        if (bl_str_equal(record->fields[i].name, name))
            return (uint32_t)i;
    }
    return UINT32_MAX;
}

static void read_key(struct bl_checker *c, struct bl_symbol *store)
{
    const struct bl_record_declared *record = record_of(c, store);

    for (const struct bl_clause *row = store->clause->block; row != NULL; row = row->next) {
        if (row->id == BL_CLAUSE_STORE_KEY)
            store->as.store->key = field_of(record, bl_slot_node(row, 0)->text);
    }
    if (store->as.store->key >= record->count)
        return;
    const struct bl_field_declared *key = &record->fields[store->as.store->key];
    if (key->type != BL_TYPE_INT && key->type != BL_TYPE_NAME && !bl_is_error(key->type))
        refuse_type(c, BL_D_STORE_KEY, key->name, key->type, key->span);
}

static void check_fields(struct bl_checker *c, struct bl_symbol *store)
{
    const struct bl_record_declared *record = record_of(c, store);

    for (size_t i = 0; i < record->count; i++) {
        const struct bl_field_declared *field = &record->fields[i];

        if (!may_be_written(field->type))
            refuse_type(c, BL_D_STORE_TYPE, field->name, field->type, field->span);
        else
            bl_sema_check_bounds(c, field);
    }
    if (record->count > bl_limit(BL_LIMIT_STORE_FIELDS)) {
        struct bl_diagnostic *d = bl_sema_error(c, BL_D_STORE_LIMIT, store->span);

        bl_sema_arg(c, d, "what", BL_STR("fields"));
        bl_diagnostic_int(c->sink, d, "limit", (int64_t)bl_limit(BL_LIMIT_STORE_FIELDS));
    }
}

static void check_file(struct bl_checker *c, struct bl_symbol *store)
{
    const struct bl_symbol_list *stores = &c->program->symbols[BL_SYMBOL_STORE];
    struct bl_node *node = bl_slot_node(store->clause, 1);
    struct bl_diagnostic *d;

    store->as.store->file = bl_sema_plain_text(c, node);
    if (!bl_path_is_plain(store->as.store->file)) {
        d = bl_sema_error(c, BL_D_STORE_FILE, node->span);
        bl_sema_arg(c, d, "file", store->as.store->file);
        return;
    }
    for (size_t i = 0; i < store->number; i++) {
        if (!bl_str_equal(stores->items[i]->as.store->file, store->as.store->file))
            continue;
        d = bl_sema_error(c, BL_D_STORE_SHARED, node->span);
        bl_sema_arg(c, d, "file", store->as.store->file);
        bl_sema_arg(c, d, "name", stores->items[i]->name);
        return;
    }
}

void bl_sema_stores(struct bl_checker *c)
{
    const struct bl_symbol_list *stores = &c->program->symbols[BL_SYMBOL_STORE];

    for (size_t i = 0; i < stores->count; i++) {
        read_key(c, stores->items[i]);
        check_fields(c, stores->items[i]);
        check_file(c, stores->items[i]);
    }
    if (stores->count > bl_limit(BL_LIMIT_STORES)) {
        struct bl_diagnostic *d =
            bl_sema_error(c, BL_D_STORE_LIMIT, stores->items[stores->count - 1]->span);

        bl_sema_arg(c, d, "what", BL_STR("stores"));
        bl_diagnostic_int(c->sink, d, "limit", (int64_t)bl_limit(BL_LIMIT_STORES));
    }
}

/* ---- rows -------------------------------------------------------------------------------- */

/* Each field once, never the key; a list is given whole. */
static void check_pairs(struct bl_checker *c, const struct bl_symbol *store,
                        const struct bl_pair *pairs)
{
    const struct bl_record_declared *record = record_of(c, store);

    for (const struct bl_pair *pair = pairs; pair != NULL; pair = pair->next) {
        uint32_t field = field_of(record, pair->name);
        struct bl_diagnostic *d;

        if (field == store->as.store->key) {
            d = bl_sema_error(c, BL_D_ROW_KEY, pair->span);
            bl_sema_arg(c, d, "name", pair->name);
        } else if (field < record->count &&
                   !bl_sema_fits(pair->value->type, record->fields[field].type) &&
                   bl_type_is_list(record->fields[field].type)) {
            bl_sema_mismatch(c, pair->value, record->fields[field].type);
        }
        for (const struct bl_pair *other = pairs; other != pair; other = other->next) {
            if (!bl_str_equal(other->name, pair->name))
                continue;
            d = bl_sema_error(c, BL_D_DECLARED_TWICE, pair->span);
            bl_sema_arg(c, d, "name", pair->name);
            break;
        }
    }
}

struct bl_pair *bl_sema_row(struct bl_checker *c, struct bl_symbol *store, struct bl_node *key,
                            struct bl_clause *fields)
{
    const struct bl_record_declared *record = record_of(c, store);
    bl_type type = store->as.store->key < record->count
                       ? record->fields[store->as.store->key].type
                       : (bl_type)BL_TYPE_ERROR;
    struct bl_pair *pairs;

    if (bl_is_error(type))
        bl_sema_type(c, key, BL_NO_TYPE);
    else
        bl_sema_expect(c, key, type);
    pairs = bl_sema_pairs(c, fields, row_type(store));
    check_pairs(c, store, pairs);
    return pairs;
}

/* ---- entries ----------------------------------------------------------------------------- */

bool bl_sema_entry_may(enum bl_effect effect)
{
    return effect == BL_EFFECT_KEEP || effect == BL_EFFECT_NOTICE || effect == BL_EFFECT_WARN ||
           effect == BL_EFFECT_ERROR || effect == BL_EFFECT_FAIL;
}

/* One word that is not spelled out to mean somebody on GitHub: nobody logs in to a command. */
static void read_by(struct bl_checker *c, struct bl_rule *rule, const struct bl_clause *clause)
{
    const struct bl_node *word = bl_slot_node(clause, 0);

    rule->by_person = true;
    if (clause->slots[0].count != 1 || !bl_str_equal(word->text, BL_STR("person")))
        bl_sema_error(c, BL_D_ENTRY_BY, clause->node->span);
}

static void check_needs(struct bl_checker *c, const struct bl_need_list *needs)
{
    for (size_t i = 0; i < needs->count; i++) {
        const struct bl_need *need = &needs->items[i];
        struct bl_diagnostic *d;

        if (need->is_field)
            continue; /* of a thing that it has not either */
        d = bl_sema_error(c, BL_D_ENTRY_LACKS, need->use->span);
        bl_sema_arg(c, d, "name", bl_ambient_info((enum bl_ambient)need->what)->name);
    }
}

static void type_entry(struct bl_checker *c, struct bl_symbol *symbol)
{
    struct bl_rule *rule = symbol->as.rule;
    struct bl_body body;

    for (const struct bl_clause *row = symbol->clause->block; row != NULL; row = row->next) {
        if (row->id == BL_CLAUSE_ENTRY_BY)
            read_by(c, rule, row);
    }
    bl_sema_body_begin(c, &body, symbol);
    body.needs = &rule->needs;
    bl_sema_read_params(c, bl_slot_node(symbol->clause, 0), &rule->params);
    for (size_t i = 0; i < rule->params.count; i++) {
        const struct bl_symbol *param = rule->params.items[i];

        if (!may_be_written(param->type))
            refuse_type(c, BL_D_ENTRY_TYPE, param->name, param->type, param->span);
    }
    rule->body = bl_sema_block(c, symbol->clause->block);
    bl_sema_body_end(c);
    check_needs(c, &rule->needs);
}

void bl_sema_entries(struct bl_checker *c)
{
    for (size_t i = 0; i < c->program->symbols[BL_SYMBOL_ENTRY].count; i++)
        type_entry(c, c->program->symbols[BL_SYMBOL_ENTRY].items[i]);
}

/* ---- in tests ---------------------------------------------------------------------------- */

struct bl_statement *bl_sema_given_store(struct bl_checker *c, struct bl_clause *clause)
{
    bool is_row = clause->id == BL_CLAUSE_GIVEN_ROW;
    struct bl_statement *step =
        bl_sema_step(c, clause, is_row ? BL_STEP_GIVEN_ROW : BL_STEP_GIVEN_STORE);
    struct bl_node *name = bl_slot_node(clause, 0);
    struct bl_node *value = bl_slot_node(clause, 1);
    struct bl_symbol *store = bl_sema_find_kind(c, name, BL_SYMBOL_STORE);

    if (step == NULL || store == NULL)
        return NULL;
    step->symbol = store;
    step->value = value;
    if (is_row) {
        step->pairs = bl_sema_row(c, store, value, clause->block);
        return step;
    }
    bl_sema_expect(c, value, BL_TYPE_UNTRUSTED);
    bl_sema_step_item(c, step, bl_sema_text_node(c, name->span, store->as.store->file));
    bl_sema_step_item(c, step, value);
    return step;
}

struct bl_statement *bl_sema_when_calls(struct bl_checker *c, struct bl_clause *clause)
{
    struct bl_statement *step = bl_sema_step(c, clause, BL_STEP_CALLS);
    const struct bl_node *who = bl_slot_node(clause, 0);
    struct bl_node *call = bl_slot_node(clause, 1);
    struct bl_symbol *entry = bl_sema_find_kind(c, call, BL_SYMBOL_ENTRY);
    bool by_person = bl_str_equal(who->text, BL_STR("person"));

    if (step == NULL || entry == NULL)
        return NULL;
    step->symbol = entry;
    bl_sema_step_item(c, step, bl_sema_bool_node(c, who->span, by_person));
    bl_sema_step_item(c, step, bl_sema_step_moment(c, bl_slot_node(clause, 2)));
    bl_sema_arguments(c, call, &entry->as.rule->params);
    for (uint32_t i = 0; call->kind == BL_NODE_CALL && i < call->kid_count; i++)
        bl_sema_step_item(c, step, call->kids[i]);
    return step;
}
