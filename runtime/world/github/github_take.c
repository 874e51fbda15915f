/* SPDX-License-Identifier: Apache-2.0 */
#include "world/github/github_parts.h"

/* Things are read into the scratch arena and then copied, so that of a page of JSON only what
 * policies can ask for stays. */

static bool take_value(struct bl_snapshot *snapshot, struct bl_value from, struct bl_value *out)
{
    struct bl_arena *arena = bl_snapshot_arena(snapshot);
    *out = from;
    if (from.tag == BL_V_TEXT) {
        *out = bl_text(bl_arena_copy(arena, bl_text_of(from)));
    } else if (from.tag == BL_V_OBJECT) {
        struct bl_object *object = bl_github_take(snapshot, from.as.object);
        *out = object != NULL ? bl_object_value(object) : bl_absent();
        return object != NULL;
    } else if (from.tag == BL_V_LIST) {
        struct bl_list *list = bl_list_create(arena);
        for (uint32_t i = 0; list != NULL && i < from.as.list->count; i++) {
            struct bl_value item;
            if (!take_value(snapshot, from.as.list->items[i], &item) ||
                bl_list_push(arena, list, item) != BL_OK) {
                return false;
            }
        }
        *out = list != NULL ? bl_list_value(list) : bl_absent();
        return list != NULL;
    }
    return !arena->failed;
}

struct bl_object *bl_github_take(struct bl_snapshot *snapshot, const struct bl_object *from)
{
    enum bl_entity entity = (enum bl_entity)from->entity;
    const struct bl_entity_info *info = bl_entity_info(entity);
    struct bl_object *own = bl_snapshot_object(snapshot, entity, from->key, from->name);
    for (unsigned i = 0; own != NULL && i < info->field_count; i++) {
        enum bl_field field = (enum bl_field)(info->first_field + i);
        struct bl_value value;
        if (!bl_object_knows(from, field)) {
            continue;
        }
        if (!take_value(snapshot, bl_object_get(from, field), &value)) {
            return NULL;
        }
        bl_object_set(own, field, value);
    }
    return own;
}

struct bl_payload_reader bl_github_reader(struct bl_github *github)
{
    return (struct bl_payload_reader){
        .arena = &github->scratch,
        .source = BL_NO_SOURCE,
        .repository = github->options.repository,
    };
}
