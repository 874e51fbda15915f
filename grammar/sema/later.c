/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"

#define ROW_STR(literal)                                                                       \
    {                                                                                          \
        "" literal, sizeof(literal) - 1                                                        \
    }

/* later.def is one list of three kinds of rows; each table takes its own. */
#define BL_LATER_ENTITY(name)
#define BL_LATER_FIELD(thing, field, type)
#define BL_LATER_AMBIENT(name, type)

#undef BL_LATER_ENTITY
#define BL_LATER_ENTITY(name) ROW_STR(name),
static const bl_str entities[] = {
#include "sema/later.def"
};
#undef BL_LATER_ENTITY
#define BL_LATER_ENTITY(name)

#undef BL_LATER_FIELD
#define BL_LATER_FIELD(thing, field, type) {ROW_STR(thing), ROW_STR(field), ROW_STR(type)},
static const struct {
    bl_str thing, field, type;
} fields[] = {
#include "sema/later.def"
};
#undef BL_LATER_FIELD
#define BL_LATER_FIELD(thing, field, type)

#undef BL_LATER_AMBIENT
#define BL_LATER_AMBIENT(name, type) {ROW_STR(name), ROW_STR(type)},
static const struct {
    bl_str name, type;
} ambients[] = {
#include "sema/later.def"
};
#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

bl_type bl_later_type(bl_str name)
{
    for (unsigned i = 0; i < COUNT(entities); i++) {
        if (bl_str_equal(entities[i], name))
            return BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_LATER_ENTITY_FIRST + i);
    }
    return BL_TYPE_ERROR;
}

bl_str bl_later_entity_name(unsigned ref)
{
    if (ref < BL_LATER_ENTITY_FIRST || ref - BL_LATER_ENTITY_FIRST >= COUNT(entities))
        return (bl_str){NULL, 0};
    return entities[ref - BL_LATER_ENTITY_FIRST];
}

static bool skip(bl_str *s, bl_str word)
{
    if (!bl_str_starts_with(*s, word))
        return false;
    *s = bl_str_slice(*s, word.len, s->len);
    return true;
}

static bl_type named(bl_str name)
{
    enum bl_type_kind kind = bl_type_kind_find(name);
    enum bl_entity entity = bl_entity_find(name);
    enum bl_enum list = bl_enum_find(name);

    if (kind != BL_TYPE_KIND_COUNT)
        return (bl_type)kind;
    if (entity != BL_ENTITY_COUNT)
        return bl_entity_info(entity)->type;
    if (list < BL_ENUM_OWN_COUNT)
        return BL_TYPE_MAKE(BL_TYPE_ENUM, list);
    return bl_later_type(name);
}

/* A type as the rows spell it. */
static bl_type spelled(bl_str s)
{
    unsigned lists = 0;
    bool optional;
    bl_type type;

    while (skip(&s, BL_STR("list of ")))
        lists++;
    optional = bl_str_ends_with(s, BL_STR("?"));
    if (optional)
        s.len--;
    type = named(s);
    while (lists-- > 0)
        type = BL_LIST_OF(type);
    return optional ? BL_OPTIONAL(type) : type;
}

bl_type bl_later_ambient(bl_str name)
{
    for (size_t i = 0; i < COUNT(ambients); i++) {
        if (bl_str_equal(ambients[i].name, name))
            return spelled(ambients[i].type);
    }
    return BL_TYPE_ERROR;
}

bl_type bl_later_field(bl_type object, bl_str name)
{
    for (size_t i = 0; i < COUNT(fields); i++) {
        if (bl_str_equal(fields[i].field, name) && named(fields[i].thing) == object)
            return spelled(fields[i].type);
    }
    return BL_TYPE_ERROR;
}

void bl_later_fields_like(bl_type object, struct bl_likeness *likeness)
{
    for (size_t i = 0; i < COUNT(fields); i++) {
        if (named(fields[i].thing) == object)
            bl_likeness_consider(likeness, fields[i].field);
    }
}
