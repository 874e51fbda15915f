/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"
#include "sema/foreign.h"

#include <limits.h>

/* Types as policies spell them: T of clauses.def. */

struct reading {
    struct bl_node *const *nodes;
    uint32_t count, at;
    struct bl_clause *fields;
    bl_str owner;
    struct bl_field_declared *bounds;
};

/* ---- enumerations, records, sets of kinds
 * ---------------------------------------------------- */

static bool same_members(struct bl_checker *c, unsigned number, const bl_str *members,
                         size_t count)
{
    if (bl_program_member_count(c->program, number) != count)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!bl_str_equal(bl_program_member(c->program, number, (unsigned)i), members[i]))
            return false;
    }
    return true;
}

/* Lists with the same words in the same order are one type, GitHub's own included. */
bl_type bl_sema_enum_of(struct bl_checker *c, const bl_str *members, size_t count,
                        struct bl_symbol *symbol)
{
    struct bl_enum_declared *list;

    for (unsigned i = 0; i < BL_ENUM_OWN_COUNT; i++) {
        if (same_members(c, i, members, count))
            return BL_TYPE_MAKE(BL_TYPE_ENUM, i);
    }
    for (size_t i = 0; i < c->program->enums.count; i++) {
        if (!same_members(c, BL_ENUM_COUNT + (unsigned)i, members, count))
            continue;
        if (c->program->enums.items[i].symbol == NULL)
            c->program->enums.items[i].symbol = symbol;
        return BL_TYPE_MAKE(BL_TYPE_ENUM, BL_ENUM_COUNT + i);
    }
    list = BL_PUSH(c->arena, c->program->enums);
    if (list == NULL)
        return BL_TYPE_ERROR;
    list->symbol = symbol;
    for (size_t i = 0; i < count; i++) {
        bl_str *slot = BL_PUSH(c->arena, list->members);

        if (slot != NULL)
            *slot = members[i];
    }
    return BL_TYPE_MAKE(BL_TYPE_ENUM, BL_ENUM_COUNT + c->program->enums.count - 1);
}

unsigned bl_sema_find_member(struct bl_checker *c, bl_type type, bl_str name)
{
    unsigned number = bl_type_ref(type);
    unsigned count = bl_program_member_count(c->program, number);

    for (unsigned i = 0; i < count; i++) {
        if (bl_str_equal(bl_program_member(c->program, number, i), name))
            return i;
    }
    return UINT_MAX;
}

bl_type bl_sema_posted_type(struct bl_checker *c, struct bl_symbol *const *kinds, size_t count)
{
    struct bl_symbol **sorted = BL_NEW_ARRAY(c->arena, count + 1, struct bl_symbol *);
    struct bl_posted_kinds *set;
    size_t used = 0;

    if (sorted == NULL)
        return BL_TYPE_ERROR;
    for (size_t i = 0; i < count; i++) {
        size_t at = used;

        while (at > 0 && sorted[at - 1]->number > kinds[i]->number)
            at--;
        if (at > 0 && sorted[at - 1] == kinds[i])
            continue;
        for (size_t j = used; j > at; j--)
            sorted[j] = sorted[j - 1];
        sorted[at] = kinds[i];
        used++;
    }
    for (size_t i = 0; i < c->program->posted.count; i++) {
        const struct bl_posted_kinds *known = &c->program->posted.items[i];
        bool same = known->count == used;

        for (size_t j = 0; same && j < used; j++)
            same = known->kinds[j] == sorted[j];
        if (same)
            return BL_TYPE_MAKE(BL_TYPE_POSTED, i);
    }
    set = BL_PUSH(c->arena, c->program->posted);
    if (set == NULL)
        return BL_TYPE_ERROR;
    *set = (struct bl_posted_kinds){sorted, used};
    return BL_TYPE_MAKE(BL_TYPE_POSTED, c->program->posted.count - 1);
}

uint32_t bl_sema_new_record(struct bl_checker *c, bl_str name, struct bl_symbol *symbol)
{
    struct bl_record_declared *record = BL_PUSH(c->arena, c->program->records);

    if (record == NULL)
        return UINT32_MAX;
    record->symbol = symbol;
    record->name = name;
    return (uint32_t)c->program->records.count - 1;
}

static void report_field_twice(struct bl_checker *c, const struct bl_record_declared *record,
                               const struct bl_field_declared *field)
{
    for (size_t i = 0; i < record->count; i++) {
        if (bl_str_equal(record->fields[i].name, field->name)) {
            struct bl_diagnostic *d = bl_sema_error(c, BL_D_DECLARED_TWICE, field->span);

            bl_sema_arg(c, d, "name", field->name);
            bl_diagnostic_label(c->sink, d, record->fields[i].span,
                                BL_STR("It stands here first."));
            return;
        }
    }
}

void bl_sema_read_fields(struct bl_checker *c, uint32_t number, struct bl_clause *fields)
{
    struct bl_name_set names = {0};
    bl_str name;

    if (number >= c->program->records.count)
        return;
    name = c->program->records.items[number].name;
    for (; fields != NULL; fields = fields->next) {
        struct bl_node *field_name = bl_slot_node(fields, 0);
        struct bl_field_declared field = {.name = field_name->text, .span = field_name->span};
        struct bl_record_declared *record;
        struct bl_field_declared *slot;

        field.type = bl_sema_read_type(
            c, fields->slots[1].nodes, fields->slots[1].count, fields->block,
            bl_sema_text(c, "%.*s.%.*s", BL_STR_ARG(name), BL_STR_ARG(field_name->text)),
            &field);
        record = &c->program->records.items[number]; /* records in it may have moved the list */
        if (!bl_name_set_add(c, &names, field.name))
            report_field_twice(c, record, &field);
        slot = bl_arena_push(c->arena, (void **)&record->fields, &record->count,
                             &record->capacity, sizeof *record->fields);
        if (slot != NULL)
            *slot = field;
    }
}

/* ---- names of types
 * --------------------------------------------------------------------------- */

/* A place is the type of a text that is clean for it. One line of a comment stands in a
 * comment. */
static bl_type clean_for(enum bl_place place)
{
    unsigned mask = 1u << place;

    if (place == BL_PLACE_COMMENT_LINE)
        mask |= 1u << BL_PLACE_COMMENT;
    return BL_TYPE_MAKE(BL_TYPE_CLEAN, mask);
}

/* The type that a parameter of this name has without saying so; ERROR when none. */
static bl_type type_named(struct bl_checker *c, bl_str name)
{
    struct bl_symbol *symbol = bl_scope_find(c, BL_SPACE_TYPES, name);
    enum bl_type_kind kind = bl_type_kind_find(name);
    enum bl_entity entity = bl_entity_find(name);
    enum bl_place place = bl_place_find(name);
    enum bl_enum list = bl_enum_find(name);

    if (symbol != NULL) {
        symbol->used = true;
        return symbol->type;
    }
    if (kind != BL_TYPE_KIND_COUNT)
        return (bl_type)kind;
    if (entity != BL_ENTITY_COUNT)
        return bl_entity_info(entity)->type;
    if (list < BL_ENUM_OWN_COUNT)
        return BL_TYPE_MAKE(BL_TYPE_ENUM, list);
    if (place != BL_PLACE_COUNT && place != BL_PLACE_COMMENT)
        return clean_for(place);
    return BL_TYPE_ERROR;
}

static bl_type unknown_type(struct bl_checker *c, const struct bl_node *node)
{
    struct bl_diagnostic *d = bl_sema_error(c, BL_D_UNKNOWN_TYPE, node->span);
    struct bl_likeness like = bl_likeness_begin(node->text);

    bl_sema_arg_node(c, d, "name", node);
    if (node->kind == BL_NODE_NAME && bl_foreign_type(node->text) != NULL) {
        bl_foreign_help(c->sink, d, bl_foreign_type(node->text), node->span);
    } else if (node->kind == BL_NODE_NAME) {
        for (unsigned i = 0; i < BL_TYPE_KIND_COUNT; i++) {
            bl_str name = bl_type_kind_name((enum bl_type_kind)i);

            if (bl_type_kind_find(name) != BL_TYPE_KIND_COUNT)
                bl_likeness_consider(&like, name);
        }
        for (unsigned i = 0; i < BL_ENTITY_COUNT; i++)
            bl_likeness_consider(&like, bl_entity_info((enum bl_entity)i)->name);
        bl_likeness_symbols(c, &like, BL_SYMBOL_ENUM);
        bl_likeness_symbols(c, &like, BL_SYMBOL_RECORD);
        if (like.best.len == 0 && bl_foreign_near_type(node->text) != NULL)
            bl_foreign_help(c->sink, d, bl_foreign_near_type(node->text), node->span);
        else
            bl_likeness_help(c, &like, d, node->span);
    }
    return BL_TYPE_ERROR;
}

bl_type bl_sema_list_of(struct bl_checker *c, bl_type type, struct bl_span span)
{
    if (bl_is_error(type))
        return type;
    if (bl_type_list_depth(type) >= BL_TYPE_LIST_DEPTH_MAX) {
        bl_sema_error(c, BL_D_LIST_TOO_DEEP, span);
        return BL_TYPE_ERROR;
    }
    return BL_LIST_OF(type);
}

/* ---- reading
 * ----------------------------------------------------------------------------------- */

static bool at_word(const struct reading *r, bl_str word)
{
    return r->at < r->count && r->nodes[r->at]->kind == BL_NODE_NAME &&
           bl_str_equal(r->nodes[r->at]->text, word);
}

/* `max N` and `min N` behind a type; behind `list` they say how many there are. */
static void read_bounds(struct bl_checker *c, struct reading *r, bool of_list)
{
    bool max;

    while (((max = at_word(r, BL_STR("max"))) || at_word(r, BL_STR("min"))) &&
           r->at + 1 < r->count) {
        struct bl_node *bound = r->nodes[r->at + 1];

        if (r->bounds == NULL || bound->kind != BL_NODE_INT || (of_list && !max))
            bl_sema_error(c, BL_D_BOUND, bound->span);
        else if (of_list)
            r->bounds->most = bound;
        else if (max)
            r->bounds->max = bound;
        else
            r->bounds->min = bound;
        r->at += 2;
    }
}

/* `list of label of areas max 3`: what has no length of its own is counted. */
static void settle_bound(struct reading *r, bl_type element)
{
    enum bl_type_kind kind = bl_type_kind(element);

    if (r->bounds == NULL || r->bounds->max == NULL || r->bounds->most != NULL ||
        kind == BL_TYPE_INT || kind == BL_TYPE_UNTRUSTED)
        return;
    r->bounds->most = r->bounds->max;
    r->bounds->max = NULL;
}

static bl_type read_enum(struct bl_checker *c, const struct bl_node *comma)
{
    bl_str *members = BL_NEW_ARRAY(c->arena, comma->kid_count + 1, bl_str);
    struct bl_name_set names = {0};

    if (members == NULL)
        return BL_TYPE_ERROR;
    for (uint32_t i = 0; i < comma->kid_count; i++) {
        if (comma->kids[i]->kind != BL_NODE_NAME)
            return unknown_type(c, comma->kids[i]);
        members[i] = comma->kids[i]->text;
        if (!bl_name_set_add(c, &names, members[i])) {
            struct bl_diagnostic *d =
                bl_sema_error(c, BL_D_DECLARED_TWICE, comma->kids[i]->span);

            bl_sema_arg(c, d, "name", members[i]);
        }
    }
    return bl_sema_enum_of(c, members, comma->kid_count, NULL);
}

static bl_type read_answer(struct bl_checker *c, const struct bl_node *field)
{
    const struct bl_node *name = field->kids[0];
    struct bl_symbol *task;

    if (name->kind != BL_NODE_NAME || !bl_str_equal(field->text, BL_STR("answer")))
        return unknown_type(c, field);
    task = bl_scope_find(c, BL_SPACE_VALUES, name->text);
    if (task == NULL || task->kind != BL_SYMBOL_TASK || task->as.task->record == UINT32_MAX) {
        struct bl_diagnostic *d = bl_sema_error(c, BL_D_UNKNOWN_KIND_NAME, name->span);
        struct bl_likeness like = bl_likeness_begin(name->text);

        bl_sema_arg(c, d, "kind", BL_STR("task with an answer"));
        bl_sema_arg(c, d, "name", name->text);
        bl_likeness_symbols(c, &like, BL_SYMBOL_TASK);
        bl_likeness_help(c, &like, d, name->span);
        return BL_TYPE_ERROR;
    }
    task->used = true;
    return BL_TYPE_MAKE(BL_TYPE_RECORD, task->as.task->record);
}

static bl_type read_scalar(struct bl_checker *c, struct reading *r, const struct bl_node *node)
{
    bl_type type;

    if (node->kind == BL_NODE_FIELD)
        return read_answer(c, node);
    if (node->kind != BL_NODE_NAME)
        return unknown_type(c, node);
    if (bl_str_equal(node->text, BL_STR("label")) && at_word(r, BL_STR("of")) &&
        r->at + 1 < r->count) {
        const struct bl_node *group = r->nodes[r->at + 1];
        struct bl_symbol *symbol = bl_scope_find(c, BL_SPACE_VALUES, group->text);

        if (symbol == NULL || symbol->kind != BL_SYMBOL_GROUP) {
            struct bl_diagnostic *d = bl_sema_error(c, BL_D_UNKNOWN_KIND_NAME, group->span);
            struct bl_likeness like = bl_likeness_begin(group->text);

            bl_sema_arg(c, d, "kind", BL_STR("group"));
            bl_sema_arg_node(c, d, "name", group);
            bl_likeness_symbols(c, &like, BL_SYMBOL_GROUP);
            bl_likeness_help(c, &like, d, group->span);
        } else {
            symbol->used = true;
            if (r->bounds != NULL)
                r->bounds->group = symbol;
        }
        r->at += 2;
        return BL_TYPE_LABEL;
    }
    type = type_named(c, node->text);
    return bl_is_error(type) ? unknown_type(c, node) : type;
}

static bl_type read_one(struct bl_checker *c, struct reading *r)
{
    const struct bl_node *node;
    bl_type type;

    if (r->at >= r->count)
        return BL_TYPE_ERROR;
    node = r->nodes[r->at++];
    if (node->kind == BL_NODE_COMMA)
        return read_enum(c, node);
    if (node->kind == BL_NODE_OPTIONAL_TYPE) {
        type = read_scalar(c, r, node->kids[0]);
        read_bounds(c, r, false);
        return bl_is_error(type) ? type : BL_OPTIONAL(type);
    }
    if (node->kind == BL_NODE_NAME && bl_str_equal(node->text, BL_STR("list"))) {
        read_bounds(c, r, true);
        if (at_word(r, BL_STR("of"))) {
            bool optional;

            r->at++;
            type = read_one(c, r);
            settle_bound(r, type);
            optional = bl_type_is_optional(type); /* `list of issue?`: the list may be absent */
            type = bl_sema_list_of(c, bl_type_base(type), node->span);
            return optional ? BL_OPTIONAL(type) : type;
        }
        if (r->fields != NULL) {
            uint32_t record = bl_sema_new_record(c, r->owner, NULL);

            bl_sema_read_fields(c, record, r->fields);
            r->fields = NULL;
            return BL_LIST_OF(BL_TYPE_MAKE(BL_TYPE_RECORD, record));
        }
        bl_sema_error(c, BL_D_LIST_OF_WHAT, node->span);
        return BL_TYPE_ERROR;
    }
    type = read_scalar(c, r, node);
    read_bounds(c, r, false);
    return type;
}

bl_type bl_sema_read_type(struct bl_checker *c, struct bl_node *const *nodes, uint32_t count,
                          struct bl_clause *fields, bl_str owner,
                          struct bl_field_declared *bounds)
{
    struct reading r = {nodes, count, 0, fields, owner, bounds};
    bl_type type = read_one(c, &r);

    if (!bl_is_error(type) && r.at < r.count) {
        struct bl_diagnostic *d = bl_sema_error(c, BL_D_CLAUSE_NOTHING_MORE, nodes[r.at]->span);

        bl_sema_help(c, d, "The type ends before it.");
        return BL_TYPE_ERROR;
    }
    return type;
}

/* ---- parameters
 * --------------------------------------------------------------------------------- */

static bl_type param_type(struct bl_checker *c, const struct bl_node *arg, bl_str name,
                          const struct bl_node *name_node)
{
    bl_type type;

    if (arg->kind == BL_NODE_PARAMETER) {
        if (arg->kid_count < 3 || arg->kids[1]->kind != BL_NODE_COLON) {
            bl_sema_error(c, BL_D_PARAMETER_SHAPE, arg->span);
            return BL_TYPE_ERROR;
        }
        return bl_sema_read_type(c, arg->kids + 2, arg->kid_count - 2, NULL, name, NULL);
    }
    /* Own words or a stranger's: that is never guessed. */
    type = type_named(c, name);
    if (bl_is_error(type) || type == BL_TYPE_TEXT || type == BL_TYPE_UNTRUSTED) {
        struct bl_diagnostic *d = bl_sema_error(c, BL_D_PARAMETER_TYPE, name_node->span);

        bl_sema_arg(c, d, "name", name);
        return BL_TYPE_ERROR;
    }
    return type;
}

void bl_sema_read_params(struct bl_checker *c, struct bl_node *name,
                         struct bl_symbol_list *params)
{
    if (name == NULL || name->kind != BL_NODE_CALL)
        return;
    for (uint32_t i = 0; i < name->kid_count; i++) {
        struct bl_node *arg = name->kids[i];
        struct bl_node *word = arg->kind == BL_NODE_PARAMETER ? arg->kids[0] : arg;
        struct bl_symbol *local;
        struct bl_symbol **slot;

        if (word->kind != BL_NODE_NAME) {
            if (word->kind != BL_NODE_BROKEN)
                bl_sema_error(c, BL_D_PARAMETER_SHAPE, arg->span);
            continue;
        }
        local = bl_scope_local(c, BL_LOCAL_PARAMETER, word, word->text,
                               param_type(c, arg, word->text, word), NULL);
        if (local == NULL)
            return;
        local->as.local->position = (uint32_t)params->count;
        slot = BL_PUSH(c->arena, *params);
        if (slot != NULL)
            *slot = local;
    }
}
