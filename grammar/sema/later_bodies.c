/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"

/* Declarations that are checked as far as their names and types go and are not lowered yet. */

struct given {
    bl_str name;
    bl_type type;
};

static void bring(struct bl_checker *c, const struct given *given, size_t count)
{
    for (size_t i = 0; i < count; i++)
        bl_scope_local(c, BL_LOCAL_GIVEN, NULL, given[i].name, given[i].type, NULL);
}

static void begin(struct bl_checker *c, struct bl_body *body, struct bl_symbol *symbol)
{
    bl_sema_body_begin(c, body, symbol);
    body->ambients_given = true;
    bl_sema_later(c, symbol->span,
                  bl_sema_text(c, "the %.*s '%.*s'",
                               BL_STR_ARG(bl_symbol_kind_name(symbol->kind)),
                               BL_STR_ARG(symbol->name)));
}

static void expect_slot(struct bl_checker *c, struct bl_clause *clause, unsigned slot,
                        bl_type want)
{
    if (bl_slot_node(clause, slot) != NULL)
        bl_sema_expect(c, bl_slot_node(clause, slot), want);
}

static void condition_slot(struct bl_checker *c, struct bl_clause *clause, unsigned slot)
{
    if (bl_slot_node(clause, slot) != NULL)
        bl_sema_condition(c, bl_slot_node(clause, slot));
}

static void find_names(struct bl_checker *c, struct bl_clause *clause, enum bl_symbol_kind kind)
{
    for (uint32_t i = 0; i < clause->slots[0].count; i++)
        bl_sema_find_kind(c, clause->slots[0].nodes[i], kind);
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

/* ---- engines
 * ------------------------------------------------------------------------------- */

static void type_flag(struct bl_checker *c, struct bl_clause *clause)
{
    struct bl_node *value = bl_slot_node(clause, 1);
    struct bl_symbol *file =
        value != NULL ? bl_scope_find(c, BL_SPACE_DOCUMENTS, value->text) : NULL;
    struct bl_known_mark mark;

    bl_sema_plain_text(c, bl_slot_node(clause, 0));
    condition_slot(c, clause, 2);
    mark = bl_sema_mark(c);
    bl_sema_assume(c, bl_slot_node(clause, 2), true);
    if (value != NULL && file != NULL && file->kind == BL_SYMBOL_FILE)
        file->used = true;
    else if (value != NULL && !bl_str_equal(value->text, BL_STR("answer_schema")))
        bl_sema_put(c, value, BL_PLACE_ARGUMENT);
    bl_sema_forget(c, mark);
}

static void type_engine(struct bl_checker *c, struct bl_symbol *symbol)
{
    struct bl_body body;

    begin(c, &body, symbol);
    for (struct bl_clause *clause = symbol->clause->block; clause != NULL;
         clause = clause->next) {
        if (clause->id == BL_CLAUSE_ENGINE_FLAG)
            type_flag(c, clause);
    }
    bl_sema_body_end(c);
}

/* ---- secrets and redaction
 * ---------------------------------------------------------------------------------------- */

static void type_secrets(struct bl_checker *c, struct bl_symbol *symbol)
{
    const struct given given[] = {{BL_STR("text"), BL_TYPE_UNTRUSTED},
                                  {BL_STR("match"), BL_TYPE_UNTRUSTED}};
    struct bl_body body;

    begin(c, &body, symbol);
    bring(c, given, 2);
    for (struct bl_clause *clause = symbol->clause->block; clause != NULL;
         clause = clause->next) {
        if (clause->id == BL_CLAUSE_SECRETS_LIKE) {
            find_names(c, clause, BL_SYMBOL_SECRETS);
            continue;
        }
        expect_slot(c, clause, 1, BL_TYPE_PATTERN);
        expect_slot(c, clause, 2, BL_TYPE_UNTRUSTED);
        condition_slot(c, clause, 3);
    }
    bl_sema_body_end(c);
}

static void type_mask(struct bl_checker *c, struct bl_clause *clause)
{
    struct bl_node *kind = bl_slot_node(clause, 0);
    struct bl_node *source = bl_slot_node(clause, 2);
    struct bl_scope_mark scope = bl_scope_enter(c);
    struct bl_known_mark known = bl_sema_mark(c);
    bl_type type;

    if (source->kind == BL_NODE_EACH) {
        bl_sema_loop_variable(c, source, bl_sema_loop_element(c, source->kids[0]));
        if (source->kid_count > 1 && source->kids[1] != NULL)
            bl_sema_condition(c, source->kids[1]);
    } else {
        type = bl_sema_type(c, source, BL_NO_TYPE);
        if (!bl_is_error(type) && type != BL_TYPE_PATTERN &&
            type != BL_LIST_OF(BL_TYPE_PATTERN) && type != BL_LIST_OF(BL_TYPE_SECRET))
            bl_sema_mismatch(c, source, BL_TYPE_PATTERN);
    }
    if (kind->kind != BL_NODE_NAME)
        bl_sema_expect(c, kind, BL_TYPE_NAME);
    bl_sema_put(c, bl_slot_node(clause, 1), BL_PLACE_LOG);
    condition_slot(c, clause, 3);
    bl_sema_forget(c, known);
    bl_scope_leave(c, scope);
}

static void type_redaction(struct bl_checker *c, struct bl_symbol *symbol)
{
    const struct given given[] = {
        {BL_STR("bytes"), BL_TYPE_INT}, {BL_STR("kind"), BL_TYPE_NAME},
        {BL_STR("size"), BL_TYPE_TEXT}, {BL_STR("digest"), BL_TYPE_TEXT},
        {BL_STR("index"), BL_TYPE_INT}, {BL_STR("group1"), BL_TYPE_UNTRUSTED}};
    struct bl_body body;

    begin(c, &body, symbol);
    bring(c, given, sizeof given / sizeof given[0]);
    for (struct bl_clause *clause = symbol->clause->block; clause != NULL;
         clause = clause->next) {
        if (clause->id == BL_CLAUSE_REDACTION_WHEN)
            condition_slot(c, clause, 0);
        else if (clause->id == BL_CLAUSE_REDACTION_SIZE)
            expect_slot(c, clause, 0, BL_TYPE_TEXT);
        else if (clause->id == BL_CLAUSE_REDACTION_MARKER)
            bl_sema_put(c, bl_slot_node(clause, 0), BL_PLACE_LOG);
        else if (clause->id == BL_CLAUSE_REDACTION_MASK)
            type_mask(c, clause);
    }
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
        {BL_SYMBOL_ENGINE, type_engine},
        {BL_SYMBOL_SECRETS, type_secrets},
        {BL_SYMBOL_REDACTION, type_redaction},
    };

    for (size_t i = 0; i < sizeof visits / sizeof visits[0]; i++) {
        const struct bl_symbol_list *list = &c->program->symbols[visits[i].kind];

        for (size_t j = 0; j < list->count; j++)
            visits[i].visit(c, list->items[j]);
    }
}
