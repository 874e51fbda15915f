/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"

/* The types of everything that has a name, before any body is looked at. */

static void each_symbol(struct bl_checker *c, enum bl_symbol_kind kind,
                        void (*visit)(struct bl_checker *c, struct bl_symbol *symbol))
{
    for (size_t i = 0; i < c->program->symbols[kind].count; i++)
        visit(c, c->program->symbols[kind].items[i]);
}

/* ---- enums and records
 * ------------------------------------------------------------------------------- */

static void sign_enum(struct bl_checker *c, struct bl_symbol *symbol)
{
    size_t count = 0, at = 0;
    struct bl_name_set names = {0};
    bl_str *members;

    for (struct bl_clause *row = symbol->clause->block; row != NULL; row = row->next)
        count += row->slots[0].count;
    members = BL_NEW_ARRAY(c->arena, count + 1, bl_str);
    if (members == NULL)
        return;
    for (struct bl_clause *row = symbol->clause->block; row != NULL; row = row->next) {
        for (uint32_t i = 0; i < row->slots[0].count; i++) {
            const struct bl_node *word = row->slots[0].nodes[i];

            if (!bl_name_set_add(c, &names, word->text)) {
                struct bl_diagnostic *d = bl_sema_error(c, BL_D_DECLARED_TWICE, word->span);

                bl_sema_arg(c, d, "name", word->text);
                continue;
            }
            members[at++] = word->text;
        }
    }
    symbol->type = bl_sema_enum_of(c, members, at, symbol);
}

static void number_record(struct bl_checker *c, struct bl_symbol *symbol)
{
    symbol->type = BL_TYPE_MAKE(BL_TYPE_RECORD, bl_sema_new_record(c, symbol->name, symbol));
}

static void number_store(struct bl_checker *c, struct bl_symbol *symbol)
{
    bl_str name = bl_sema_text(c, "%.*s_row", BL_STR_ARG(symbol->name));

    symbol->type = BL_LIST_OF(BL_TYPE_MAKE(BL_TYPE_RECORD, bl_sema_new_record(c, name, NULL)));
}

static void number_task(struct bl_checker *c, struct bl_symbol *symbol)
{
    symbol->type = BL_TYPE_TASK;
    symbol->as.task->record = UINT32_MAX;
    for (struct bl_clause *row = symbol->clause->block; row != NULL; row = row->next) {
        if (row->id == BL_CLAUSE_TASK_ANSWER)
            symbol->as.task->record = bl_sema_new_record(
                c, bl_sema_text(c, "%.*s.answer", BL_STR_ARG(symbol->name)), NULL);
    }
}

static void fill_record(struct bl_checker *c, struct bl_symbol *symbol)
{
    bl_sema_read_fields(c, bl_type_ref(symbol->type), symbol->clause->block);
}

static void fill_store(struct bl_checker *c, struct bl_symbol *symbol)
{
    bl_sema_read_fields(c, bl_type_ref(symbol->type), symbol->clause->block);
}

static void fill_task(struct bl_checker *c, struct bl_symbol *symbol)
{
    for (struct bl_clause *row = symbol->clause->block; row != NULL; row = row->next) {
        if (row->id == BL_CLAUSE_TASK_ANSWER)
            bl_sema_read_fields(c, symbol->as.task->record, row->block);
    }
}

/* Does the record hold itself, in steps? A chain as long as there are records has a cycle;
 * `steps` bounds the walk where records hold one another many times over. */
static bool holds(struct bl_checker *c, uint32_t record, uint32_t wanted, unsigned deep,
                  unsigned *steps)
{
    const struct bl_record_declared *declared = &c->program->records.items[record];

    if (deep == 0 || *steps == 0)
        return false;
    (*steps)--;
    for (size_t i = 0; i < declared->count; i++) {
        bl_type type = bl_type_base(declared->fields[i].type);

        while (bl_type_is_list(type))
            type = bl_type_element(type);
        if (bl_type_is(type, BL_TYPE_RECORD) &&
            (bl_type_ref(type) == wanted ||
             holds(c, bl_type_ref(type), wanted, deep - 1, steps)))
            return true;
    }
    return false;
}

static void check_record(struct bl_checker *c, struct bl_symbol *symbol)
{
    unsigned steps = 10000;

    if (holds(c, bl_type_ref(symbol->type), bl_type_ref(symbol->type), 64, &steps)) {
        struct bl_diagnostic *d = bl_sema_error(c, BL_D_DEFINITION_CYCLE, symbol->span);

        bl_sema_arg(c, d, "name", symbol->name);
        for (size_t i = 0; i < c->program->records.items[bl_type_ref(symbol->type)].count; i++)
            c->program->records.items[bl_type_ref(symbol->type)].fields[i].type = BL_TYPE_ERROR;
    }
}

/* ---- values
 * --------------------------------------------------------------------------------------------
 */

static void sign_setting(struct bl_checker *c, struct bl_symbol *symbol)
{
    struct bl_clause *clause = symbol->clause;

    symbol->type = bl_sema_read_type(c, clause->slots[1].nodes, clause->slots[1].count, NULL,
                                     symbol->name, NULL);
    symbol->as.setting->preset = bl_slot_node(clause, 2);
    symbol->as.setting->value = symbol->as.setting->preset;
}

static void sign_label(struct bl_checker *c, struct bl_symbol *symbol)
{
    (void)c;
    symbol->type = BL_TYPE_LABEL;
}

static void sign_group(struct bl_checker *c, struct bl_symbol *symbol)
{
    (void)c;
    symbol->type = BL_LIST_OF(BL_TYPE_LABEL);
}

static void sign_locale(struct bl_checker *c, struct bl_symbol *symbol)
{
    (void)c;
    symbol->type = BL_TYPE_LOCALE;
}

static void sign_command(struct bl_checker *c, struct bl_symbol *symbol)
{
    struct bl_symbol *family =
        bl_sema_find_kind(c, bl_slot_node(symbol->clause, 1), BL_SYMBOL_COMMANDS);
    struct bl_symbol **slot =
        family != NULL ? BL_PUSH(c->arena, family->as.commands->commands) : NULL;

    symbol->type = BL_TYPE_COMMAND;
    symbol->as.commands->family = family;
    if (slot != NULL)
        *slot = symbol;
}

static void sign_outside(struct bl_checker *c, struct bl_symbol *symbol)
{
    struct bl_outside *outside = symbol->as.outside;

    symbol->type = symbol->kind == BL_SYMBOL_VARIABLE ? BL_ENTITY_TYPE(VARIABLE)
                                                      : BL_ENTITY_TYPE(SECRET_SETTING);
    outside->shown = bl_sema_plain_text(c, bl_slot_node(symbol->clause, 1));
    for (struct bl_clause *row = symbol->clause->block; row != NULL; row = row->next)
        outside->environment = bl_sema_plain_text(c, bl_slot_node(row, 0));
}

static void sign_cleaner(struct bl_checker *c, struct bl_symbol *symbol)
{
    struct bl_clause *clause = symbol->clause;

    for (uint32_t i = 0; i < clause->slots[1].count; i++) {
        const struct bl_node *word = clause->slots[1].nodes[i];
        enum bl_place place = bl_place_find(word->text);
        struct bl_likeness like = bl_likeness_begin(word->text);
        struct bl_diagnostic *d;

        if (place != BL_PLACE_COUNT) {
            symbol->as.cleaner->places |= 1u << place;
            /* One clean line of a comment may stand in a comment. */
            if (place == BL_PLACE_COMMENT_LINE)
                symbol->as.cleaner->places |= 1u << BL_PLACE_COMMENT;
            continue;
        }
        d = bl_sema_error(c, BL_D_UNKNOWN_KIND_NAME, word->span);
        bl_sema_arg(c, d, "kind", BL_STR("place"));
        bl_sema_arg(c, d, "name", word->text);
        for (unsigned p = 0; p < BL_PLACE_COUNT; p++)
            bl_likeness_consider(&like, bl_place_name((enum bl_place)p));
        bl_likeness_help(c, &like, d, word->span);
    }
}

/* ---- levels, lint, sections
 * ------------------------------------------------------------------------------ */

/* `need LEVEL for EFFECT`: the words of an effect, perhaps with the reason of a closing. */
static void read_need(struct bl_checker *c, struct bl_clause *clause)
{
    struct bl_level_need need = {.span = clause->node->span, .member = UINT32_MAX};
    struct bl_level_need *slot;
    bl_str words = bl_slot_node(clause, 1)->text;
    unsigned effect = BL_EFFECT_COUNT;

    need.level = bl_sema_read_level(c, bl_slot_node(clause, 0));
    for (uint32_t i = 1; i < clause->slots[1].count; i++)
        words = bl_sema_text(c, "%.*s %.*s", BL_STR_ARG(words),
                             BL_STR_ARG(clause->slots[1].nodes[i]->text));
    for (unsigned i = 0; i < BL_EFFECT_COUNT; i++) {
        bl_str name = bl_effect_info((enum bl_effect)i)->words;

        if (bl_str_equal(name, words))
            effect = i;
        if (i == BL_EFFECT_CLOSE && bl_str_starts_with(words, BL_STR("close ")) &&
            bl_enum_member_find(BL_ENUM_STATE_REASON, bl_str_slice(words, 6, words.len)) <
                bl_enum_member_count(BL_ENUM_STATE_REASON)) {
            effect = i;
            need.member =
                bl_enum_member_find(BL_ENUM_STATE_REASON, bl_str_slice(words, 6, words.len));
        }
    }
    if (effect == BL_EFFECT_COUNT) {
        struct bl_diagnostic *d =
            bl_sema_error(c, BL_D_UNKNOWN_EFFECT, bl_slot_node(clause, 1)->span);

        bl_sema_arg(c, d, "name", words);
        return;
    }
    need.effect = (enum bl_effect)effect;
    slot = BL_PUSH(c->arena, c->program->levels);
    if (slot != NULL)
        *slot = need;
}

static void read_lint(struct bl_checker *c, struct bl_clause *clause)
{
    bl_str name = bl_sema_source(c, bl_slot_node(clause, 0)->span);
    bl_str word = bl_slot_node(clause, 1)->text;
    const struct bl_diagnostic_info *info = bl_diagnostic_find(name);
    struct bl_lint_level *slot;

    if (info == NULL || info->lint.len == 0) {
        struct bl_likeness like = bl_likeness_begin(name);
        struct bl_diagnostic *d =
            bl_sema_error(c, BL_D_UNKNOWN_KIND_NAME, bl_slot_node(clause, 0)->span);

        bl_sema_arg(c, d, "kind", BL_STR("lint rule"));
        bl_sema_arg(c, d, "name", name);
        for (size_t i = 0; i < bl_diagnostic_count(); i++) {
            if (bl_diagnostic_at(i)->lint.len > 0)
                bl_likeness_consider(&like, bl_diagnostic_at(i)->lint);
        }
        bl_likeness_help(c, &like, d, bl_slot_node(clause, 0)->span);
        return;
    }
    slot = BL_PUSH(c->arena, c->program->lints);
    if (slot == NULL)
        return;
    slot->name = info->lint;
    slot->span = clause->node->span;
    slot->severity = bl_str_equal(word, BL_STR("off"))    ? BL_SEVERITY_OFF
                     : bl_str_equal(word, BL_STR("warn")) ? BL_SEVERITY_WARNING
                                                          : BL_SEVERITY_ERROR;
}

static void visit(struct bl_checker *c, struct bl_file *file, struct bl_clause *clause)
{
    (void)file;
    if (clause->id == BL_CLAUSE_NEED)
        read_need(c, clause);
    else if (clause->id == BL_CLAUSE_LINT)
        read_lint(c, clause);
}

void bl_sema_signatures(struct bl_checker *c)
{
    each_symbol(c, BL_SYMBOL_ENUM, sign_enum);
    each_symbol(c, BL_SYMBOL_RECORD, number_record);
    each_symbol(c, BL_SYMBOL_STORE, number_store);
    each_symbol(c, BL_SYMBOL_TASK, number_task);
    each_symbol(c, BL_SYMBOL_RECORD, fill_record);
    each_symbol(c, BL_SYMBOL_STORE, fill_store);
    bl_sema_stores(c);
    each_symbol(c, BL_SYMBOL_TASK, fill_task);
    each_symbol(c, BL_SYMBOL_RECORD, check_record);
    each_symbol(c, BL_SYMBOL_SETTING, sign_setting);
    each_symbol(c, BL_SYMBOL_LABEL, sign_label);
    each_symbol(c, BL_SYMBOL_GROUP, sign_group);
    each_symbol(c, BL_SYMBOL_LOCALE, sign_locale);
    each_symbol(c, BL_SYMBOL_COMMAND, sign_command);
    each_symbol(c, BL_SYMBOL_VARIABLE, sign_outside);
    each_symbol(c, BL_SYMBOL_SECRET, sign_outside);
    each_symbol(c, BL_SYMBOL_SANITIZER, sign_cleaner);
    each_symbol(c, BL_SYMBOL_DEFINE, bl_sema_signature);
    each_symbol(c, BL_SYMBOL_DECISION, bl_sema_signature);
    each_symbol(c, BL_SYMBOL_CHECK, bl_sema_signature);
    each_symbol(c, BL_SYMBOL_ACTOR, bl_sema_signature);
    each_symbol(c, BL_SYMBOL_MESSAGE, bl_sema_message_signature);
    each_symbol(c, BL_SYMBOL_COMMENT, bl_sema_document_signature);
    each_symbol(c, BL_SYMBOL_PART, bl_sema_document_signature);
    each_symbol(c, BL_SYMBOL_FILE, bl_sema_document_signature);
    each_symbol(c, BL_SYMBOL_REPORT, bl_sema_document_signature);
    bl_sema_each_clause(c, visit);
}
