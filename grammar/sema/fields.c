/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"
#include "sema/foreign.h"

static void note_read(struct bl_checker *c, struct bl_node *node, enum bl_read read)
{
    if (read == BL_READ_STORED || read == BL_READ_PAYLOAD || read == BL_READ_DECLARED)
        return;
    c->body->reads = true;
    if (c->body->first_read == NULL)
        c->body->first_read = node;
}

static void consider_fields(bl_type object, struct bl_likeness *like)
{
    enum bl_entity entity = bl_entity_of_type(object);
    const struct bl_entity_info *info;

    if (entity == BL_ENTITY_COUNT)
        return;
    info = bl_entity_info(entity);
    for (unsigned i = 0; i < info->field_count; i++)
        bl_likeness_consider(like, bl_field_info((enum bl_field)(info->first_field + i))->name);
}

static void consider_members(struct bl_checker *c, bl_type object, struct bl_likeness *like)
{
    if (bl_type_is(object, BL_TYPE_RECORD)) {
        const struct bl_record_declared *record =
            &c->program->records.items[bl_type_ref(object)];

        for (size_t i = 0; i < record->count; i++)
            bl_likeness_consider(like, record->fields[i].name);
    } else if (bl_type_is(object, BL_TYPE_POSTED)) {
        const struct bl_posted_kinds *set = &c->program->posted.items[bl_type_ref(object)];

        for (size_t i = 0; i < set->count; i++) {
            const struct bl_document *kind = set->kinds[i]->as.document;

            for (size_t j = 0; j < kind->attribute_count; j++)
                bl_likeness_consider(like, kind->attributes[j].name);
        }
    }
    consider_fields(object, like);
}

/* A name from elsewhere. What other languages ask a text or a list as a field is a function. */
static bool help_with_foreign(struct bl_checker *c, struct bl_diagnostic *d,
                              const struct bl_node *node, bl_type object)
{
    bool text = bl_type_is_text(object), list = bl_type_is_list(object);
    const struct bl_foreign *row =
        bl_foreign_field(bl_entity_of_type(object), text, list, node->text);
    bl_str call;

    if (row == NULL)
        return false;
    if (!text && !list) {
        bl_foreign_help(c->sink, d, row, node->name_span);
        return true;
    }
    call = bl_sema_text(c, "%.*s(%.*s)", BL_STR_ARG(row->here),
                        BL_STR_ARG(bl_sema_source(c, node->kids[0]->span)));
    bl_sema_help(c, d, "Write '%.*s'.", BL_STR_ARG(call));
    bl_diagnostic_fix(c->sink, d, node->span, call);
    return true;
}

static bl_type no_such_field(struct bl_checker *c, struct bl_node *node, bl_type object)
{
    struct bl_diagnostic *d = bl_sema_error(c, BL_D_UNKNOWN_FIELD, node->name_span);
    struct bl_likeness like = bl_likeness_begin(node->text);

    bl_sema_arg_type(c, d, "type", object);
    bl_sema_arg(c, d, "name", node->text);
    consider_members(c, object, &like);
    if (!help_with_foreign(c, d, node, object))
        bl_likeness_help(c, &like, d, node->name_span);
    return bl_sema_resolved(node, BL_RESOLVED_NOT, NULL, 0, BL_TYPE_ERROR);
}

static const struct bl_attribute *find_attribute(const struct bl_symbol *kind, bl_str name)
{
    const struct bl_document *document = kind->as.document;

    for (size_t i = 0; i < document->attribute_count; i++) {
        if (bl_str_equal(document->attributes[i].name, name))
            return &document->attributes[i];
    }
    return NULL;
}

/* The attribute that all kinds of the set share; false when it is none of any. */
static bool attribute_of(struct bl_checker *c, struct bl_node *node, bl_type object,
                         bl_type *out)
{
    const struct bl_posted_kinds *set = &c->program->posted.items[bl_type_ref(object)];
    const struct bl_symbol *without = NULL;
    bl_type type = BL_TYPE_ERROR;
    bool some = false, differ = false;

    for (size_t i = 0; i < set->count; i++) {
        const struct bl_attribute *attribute = find_attribute(set->kinds[i], node->text);

        if (attribute == NULL) {
            without = set->kinds[i];
            continue;
        }
        differ |= some && type != attribute->type;
        type = attribute->type;
        some = true;
    }
    if (!some)
        return false;
    if (without != NULL || differ) {
        struct bl_diagnostic *d = bl_sema_error(
            c, differ ? BL_D_ATTRIBUTE_DIFFERS : BL_D_ATTRIBUTE_OF_SOME, node->name_span);

        bl_sema_arg(c, d, "name", node->text);
        if (without != NULL) {
            bl_sema_arg(c, d, "kind", without->name);
            bl_diagnostic_label(
                c->sink, d, without->span,
                bl_sema_text(c, "'%.*s' has no such attribute.", BL_STR_ARG(without->name)));
        }
        *out = bl_sema_resolved(node, BL_RESOLVED_NOT, NULL, 0, BL_TYPE_ERROR);
        return true;
    }
    *out = bl_sema_resolved(node, BL_RESOLVED_ATTRIBUTE, NULL, 0, type);
    return true;
}

static bl_type record_field(struct bl_checker *c, struct bl_node *node, bl_type object)
{
    const struct bl_record_declared *record = &c->program->records.items[bl_type_ref(object)];

    for (size_t i = 0; i < record->count; i++) {
        if (bl_str_equal(record->fields[i].name, node->text))
            return bl_sema_resolved(node, BL_RESOLVED_RECORD_FIELD, record->symbol, (uint32_t)i,
                                    record->fields[i].type);
    }
    return no_such_field(c, node, object);
}

static bl_type list_has_no_fields(struct bl_checker *c, struct bl_node *node, bl_type object)
{
    struct bl_diagnostic *d = bl_sema_error(c, BL_D_HIDDEN_QUANTIFIER, node->name_span);

    bl_sema_arg(c, d, "operator", bl_sema_text(c, ".%.*s", BL_STR_ARG(node->text)));
    bl_sema_arg_type(c, d, "type", object);
    (void)help_with_foreign(c, d, node, object);
    return bl_sema_resolved(node, BL_RESOLVED_NOT, NULL, 0, BL_TYPE_ERROR);
}

bl_type bl_sema_member_of(struct bl_checker *c, struct bl_node *node, bl_type object)
{
    enum bl_entity entity;
    enum bl_field field;
    bl_type type;

    if (bl_is_error(object))
        return bl_sema_resolved(node, BL_RESOLVED_NOT, NULL, 0, BL_TYPE_ERROR);
    if (bl_type_is_list(object))
        return list_has_no_fields(c, node, object);
    if (bl_type_is(object, BL_TYPE_RECORD))
        return record_field(c, node, object);
    if (bl_type_is(object, BL_TYPE_POSTED) && attribute_of(c, node, object, &type))
        return type;
    entity = bl_entity_of_type(object);
    field = entity != BL_ENTITY_COUNT ? bl_field_find(entity, node->text) : BL_FIELD_COUNT;
    if (field != BL_FIELD_COUNT) {
        const struct bl_field_info *info = bl_field_info(field);

        note_read(c, node, info->read);
        if (entity == BL_ENTITY_EVENT && node->kids[0]->resolution == BL_RESOLVED_AMBIENT)
            bl_sema_need_field(c, node, field);
        return bl_sema_resolved(node, BL_RESOLVED_FIELD, NULL, field, info->type);
    }
    return no_such_field(c, node, object);
}

bl_type bl_sema_field(struct bl_checker *c, struct bl_node *node)
{
    struct bl_node *object = node->kids[0];
    bl_type type = bl_sema_type(c, object, BL_NO_TYPE);

    if (node->kind == BL_NODE_FIELD) {
        if (bl_type_is_optional(type)) {
            bl_sema_is_absent_here(c, object, type);
            /* The field is looked at all the same: a second mistake has its own message. */
            type = bl_sema_member_of(c, node, bl_type_base(type));
            return type;
        }
        return bl_sema_member_of(c, node, type);
    }
    if (!bl_is_error(type) && !bl_type_is_optional(type)) {
        struct bl_diagnostic *d = bl_sema_error(c, BL_D_NEVER_ABSENT, object->span);

        bl_sema_arg_node(c, d, "value", object);
        bl_sema_help(c, d, "Write '.%.*s'.", BL_STR_ARG(node->text));
        return bl_sema_member_of(c, node, type);
    }
    type = bl_sema_member_of(c, node, bl_type_base(type));
    if (bl_is_error(type))
        return type;
    return bl_sema_resolved(node, (enum bl_resolution)node->resolution, node->symbol,
                            node->index, BL_OPTIONAL(type));
}
