/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/rows.h"
#include "spec/tables.h"

/* The columns of entities.def and ambients.def. */
#define T(kind)    ((bl_type)BL_TYPE_##kind)
#define O(kind)    BL_OPTIONAL(T(kind))
#define L(kind)    BL_LIST_OF(T(kind))
#define C(place)   BL_TYPE_MAKE(BL_TYPE_CLEAN, 1u << BL_PLACE_##place)
#define EN(list)   BL_TYPE_MAKE(BL_TYPE_ENUM, BL_ENUM_##list)
#define ON(list)   BL_OPTIONAL(EN(list))
#define E(entity)  BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_##entity)
#define OE(entity) BL_OPTIONAL(E(entity))
#define LE(entity) BL_LIST_OF(E(entity))

/* A struct of one byte a field for each entity: its size counts the fields, and a field that
 * stands below another entity has no place in its own. */
struct fields_of_none {
    char start;
#define BL_ENTITY(id, name, kind)                                                              \
    }                                                                                          \
    ;                                                                                          \
    struct fields_of_##id {                                                                    \
        char start;
#define BL_FIELD(entity, id, name, type, read, level, doc) char entity##_##id;
#include "spec/entities.def"
#undef BL_ENTITY
#undef BL_FIELD
};
#define BL_ENTITY(id, name, kind)                                                              \
    _Static_assert(sizeof(struct fields_of_##id) - 1 <= BL_FIELDS_MAX,                         \
                   "too many fields: " name);
#define BL_FIELD(entity, id, name, type, read, level, doc)                                     \
    _Static_assert(offsetof(struct fields_of_##entity, entity##_##id) ==                       \
                       (size_t)BL_SLOT_##entity##_##id + 1,                                    \
                   "the fields of an entity stand together: " #entity "." name);
#include "spec/entities.def"
#undef BL_ENTITY
#undef BL_FIELD

/* Where the rows of an entity begin among the rows of all fields. */
enum row_number {
#define BL_ENTITY(id, name, kind)                          ROWS_##id, BEFORE_##id = ROWS_##id - 1,
#define BL_FIELD(entity, id, name, type, read, level, doc) ROW_##entity##_##id,
#include "spec/entities.def"
#undef BL_ENTITY
#undef BL_FIELD
    ROW_COUNT
};

/* What the column KIND of BL_ENTITY names. */
enum entity_kind {
    KIND_OBJECT = BL_TYPE_ENTITY,
    KIND_SHOWN = BL_TYPE_KIND_COUNT,
#define BL_TYPE(id, spelling, flags, doc) KIND_##id = BL_TYPE_##id,
#include "spec/types.def"
#undef BL_TYPE
};

#define IS_OBJECT(kind) (KIND_##kind == KIND_OBJECT || KIND_##kind == KIND_SHOWN)
static const struct bl_entity_info entities[] = {
#define BL_ENTITY(id, name, kind)                                                              \
    [BL_ENTITY_##id] = {BL_ROW_STR(name),                                                      \
                        IS_OBJECT(kind) ? E(id) : (bl_type)KIND_##kind,                        \
                        IS_OBJECT(kind),                                                       \
                        KIND_##kind == KIND_SHOWN,                                             \
                        (unsigned)BL_ENTITY_##id * BL_FIELDS_MAX,                              \
                        sizeof(struct fields_of_##id) - 1},
#define BL_FIELD(entity, id, name, type, read, level, doc)
#include "spec/entities.def"
#undef BL_ENTITY
#undef BL_FIELD
};
BL_ROWS_COMPLETE(entities, BL_ENTITY_COUNT);

static const uint16_t first_rows[] = {
#define BL_ENTITY(id, name, kind) [BL_ENTITY_##id] = ROWS_##id,
#define BL_FIELD(entity, id, name, type, read, level, doc)
#include "spec/entities.def"
#undef BL_ENTITY
#undef BL_FIELD
};
BL_ROWS_COMPLETE(first_rows, BL_ENTITY_COUNT);

static const struct bl_field_info fields[] = {
#define BL_ENTITY(id, name, kind)
#define BL_FIELD(entity, id, name, type, read, level, doc)                                     \
    [ROW_##entity##_##id] = {BL_ENTITY_##entity, BL_ROW_STR(name), (type),                     \
                             BL_READ_##read,     BL_LEVEL_##level, BL_ROW_STR(doc)},
#include "spec/entities.def"
#undef BL_ENTITY
#undef BL_FIELD
};
BL_ROWS_COMPLETE(fields, ROW_COUNT);

const struct bl_entity_info *bl_entity_info(enum bl_entity entity)
{
    return BL_ROW_AT(entities, entity, BL_ENTITY_COUNT);
}

const struct bl_field_info *bl_field_info(enum bl_field field)
{
    unsigned entity = (unsigned)field / BL_FIELDS_MAX;
    unsigned slot = (unsigned)field % BL_FIELDS_MAX;

    if (entity >= BL_ENTITY_COUNT || slot >= entities[entity].field_count)
        return NULL;
    return &fields[first_rows[entity] + slot];
}

enum bl_entity bl_entity_find(bl_str name)
{
    for (unsigned i = 0; i < BL_ENTITY_COUNT; i++) {
        if (bl_row_is(entities[i].name, name))
            return (enum bl_entity)i;
    }
    return BL_ENTITY_COUNT;
}

enum bl_entity bl_entity_of_type(bl_type type)
{
    if (bl_type_is_list(type) || bl_type_is_optional(type))
        return BL_ENTITY_COUNT;
    if (bl_type_kind(type) == BL_TYPE_POSTED)
        return BL_ENTITY_COMMENT;
    if (bl_type_kind(type) == BL_TYPE_ENTITY)
        return bl_type_ref(type) < BL_ENTITY_COUNT ? (enum bl_entity)bl_type_ref(type)
                                                   : BL_ENTITY_COUNT;
    for (unsigned i = 0; i < BL_ENTITY_COUNT; i++) {
        if (entities[i].type == type)
            return (enum bl_entity)i;
    }
    return BL_ENTITY_COUNT;
}

enum bl_field bl_field_find(enum bl_entity entity, bl_str name)
{
    if ((unsigned)entity >= BL_ENTITY_COUNT)
        return BL_FIELD_COUNT;
    for (unsigned i = 0; i < entities[entity].field_count; i++) {
        if (bl_row_is(fields[first_rows[entity] + i].name, name))
            return (enum bl_field)(entities[entity].first_field + i);
    }
    return BL_FIELD_COUNT;
}

unsigned bl_field_slot(enum bl_field field)
{
    return (unsigned)field % BL_FIELDS_MAX;
}

/* ---- ambient names ---------------------------------------------------------------------- */

static const struct bl_ambient_info ambients[] = {
#define BL_AMBIENT(id, name, type, doc)                                                        \
    [BL_AMBIENT_##id] = {BL_ROW_STR(name), (type), BL_ROW_STR(doc)},
#include "spec/ambients.def"
#undef BL_AMBIENT
};
BL_ROWS_COMPLETE(ambients, BL_AMBIENT_COUNT);
_Static_assert(BL_AMBIENT_COUNT <= 32, "sets of ambient names are 32 bits");

const struct bl_ambient_info *bl_ambient_info(enum bl_ambient ambient)
{
    return BL_ROW_AT(ambients, ambient, BL_AMBIENT_COUNT);
}

enum bl_ambient bl_ambient_find(bl_str name)
{
    for (unsigned i = 0; i < BL_AMBIENT_COUNT; i++) {
        if (bl_row_is(ambients[i].name, name))
            return (enum bl_ambient)i;
    }
    return BL_AMBIENT_COUNT;
}
