/* SPDX-License-Identifier: Apache-2.0 */
#include "value/value.h"

struct bl_object *bl_object_create(struct bl_arena *arena, enum bl_entity entity, int64_t key,
                                   bl_str name)
{
    const struct bl_entity_info *info = bl_entity_info(entity);

    if (info == NULL || !info->is_object)
        return NULL;
    struct bl_object *object = BL_NEW(arena, struct bl_object);
    /* Zeroed memory is a row of absent values. */
    struct bl_value *fields = BL_NEW_ARRAY(arena, info->field_count, struct bl_value);
    if (object == NULL || fields == NULL)
        return NULL;
    object->entity = (uint8_t)entity;
    object->fields = fields;
    object->key = key;
    object->name = name;
    return object;
}
_Static_assert(BL_ENTITY_COUNT <= UINT8_MAX, "an entity is a byte in a bl_object");
_Static_assert(BL_V_ABSENT == 0, "zeroed memory is absent");

struct bl_value bl_object_value(struct bl_object *object)
{
    return (struct bl_value){.tag = BL_V_OBJECT, .as.object = object};
}

static bool belongs(const struct bl_object *object, enum bl_field field)
{
    const struct bl_field_info *info = bl_field_info(field);

    return info != NULL && (unsigned)info->entity == object->entity;
}

void bl_object_set(struct bl_object *object, enum bl_field field, struct bl_value value)
{
    if (!belongs(object, field))
        return;
    object->fields[bl_field_slot(field)] = value;
    object->known |= UINT32_C(1) << bl_field_slot(field);
}

bool bl_object_knows(const struct bl_object *object, enum bl_field field)
{
    return belongs(object, field) && (object->known >> bl_field_slot(field) & 1u) != 0;
}

struct bl_value bl_object_get(const struct bl_object *object, enum bl_field field)
{
    return bl_object_knows(object, field) ? object->fields[bl_field_slot(field)] : bl_absent();
}
