/* SPDX-License-Identifier: Apache-2.0 */
#include "value/value.h"

#define FIRST_CAPACITY 8u

struct bl_list *bl_list_create(struct bl_arena *arena)
{
    struct bl_list *list = BL_NEW(arena, struct bl_list);

    if (list != NULL)
        list->complete = true;
    return list;
}

enum bl_status bl_list_push(struct bl_arena *arena, struct bl_list *list, struct bl_value item)
{
    if (list->count >= bl_limit(BL_LIMIT_LIST_ITEMS))
        return BL_ERR_LIMIT;
    if (list->count == list->capacity) {
        uint32_t capacity = list->capacity == 0 ? FIRST_CAPACITY : list->capacity * 2;
        struct bl_value *items = bl_arena_grow(
            arena, list->items, list->capacity * sizeof *items, capacity * sizeof *items);

        if (items == NULL)
            return BL_ERR_NOMEM;
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = item;
    return BL_OK;
}

static enum bl_status fetch_page(struct bl_list *list)
{
    uint32_t before = list->count;

    if (list->more == NULL)
        return BL_ERR_INTERNAL;
    enum bl_status status = list->more(list, list->context);
    if (status != BL_OK)
        return status;
    /* A world that brings nothing for ever must not hang the run. */
    return list->complete || list->count > before ? BL_OK : BL_ERR_INTERNAL;
}

enum bl_status bl_list_at(struct bl_list *list, uint32_t index, struct bl_value *out, bool *end)
{
    *out = bl_absent();
    *end = false;
    while (index >= list->count && !list->complete) {
        enum bl_status status = fetch_page(list);

        if (status != BL_OK)
            return status;
    }
    *end = index >= list->count;
    if (!*end)
        *out = list->items[index];
    return BL_OK;
}

enum bl_status bl_list_complete(struct bl_list *list)
{
    while (!list->complete) {
        enum bl_status status = fetch_page(list);

        if (status != BL_OK)
            return status;
    }
    return BL_OK;
}

struct bl_value bl_list_value(struct bl_list *list)
{
    return (struct bl_value){.tag = BL_V_LIST, .as.list = list};
}
