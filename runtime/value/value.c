/* SPDX-License-Identifier: Apache-2.0 */
#include "value/value.h"

/* Types of modules nest less than this; a value that does not end is no value. */
#define DEPTH_MAX 32u

struct bl_value bl_text(bl_str s)
{
    uint32_t len = s.len < UINT32_MAX ? (uint32_t)s.len : UINT32_MAX;

    return (struct bl_value){.tag = BL_V_TEXT, .len = len, .as.ptr = s.ptr};
}

struct bl_object *bl_object_of(struct bl_value v)
{
    if (v.tag == BL_V_OBJECT)
        return v.as.object;
    if (v.tag == BL_V_POSTED)
        return v.as.posted->comment;
    return NULL;
}

/* ---- types ------------------------------------------------------------------------------ */

enum bl_value_tag bl_tag_of_type(bl_type type)
{
    if (bl_type_is_list(type))
        return BL_V_LIST;
    switch (bl_type_kind(type)) {
    case BL_TYPE_BOOL:
        return BL_V_BOOL;
    case BL_TYPE_INT:
    case BL_TYPE_ITERATOR:
        return BL_V_INT;
    case BL_TYPE_TEXT:
    case BL_TYPE_UNTRUSTED:
    case BL_TYPE_NAME:
    case BL_TYPE_PATH:
    case BL_TYPE_REPOSITORY_NAME:
    case BL_TYPE_LINK:
    case BL_TYPE_FILE_LINK:
    case BL_TYPE_LABEL:
    case BL_TYPE_SECRET:
    case BL_TYPE_MASKED:
    case BL_TYPE_CLEAN:
        return BL_V_TEXT;
    case BL_TYPE_PATTERN:
        return BL_V_PATTERN;
    case BL_TYPE_DURATION:
        return BL_V_DURATION;
    case BL_TYPE_DATE:
        return BL_V_DATE;
    case BL_TYPE_TIME:
        return BL_V_TIME;
    case BL_TYPE_MONEY:
        return BL_V_MONEY;
    case BL_TYPE_PERCENT:
        return BL_V_PERCENT;
    case BL_TYPE_LOCALE:
        return BL_V_LOCALE;
    case BL_TYPE_TASK:
        return BL_V_TASK;
    case BL_TYPE_COMMAND:
        return BL_V_COMMAND;
    case BL_TYPE_ENUM:
        return BL_V_ENUM;
    case BL_TYPE_ENTITY:
        return BL_V_OBJECT;
    case BL_TYPE_RECORD:
        return BL_V_RECORD;
    case BL_TYPE_POSTED:
        return BL_V_POSTED;
    case BL_TYPE_ERROR:
    case BL_TYPE_NONE:
    case BL_TYPE_KIND_COUNT:
        break;
    }
    return BL_V_ABSENT;
}

static bool list_has_type(const struct bl_list *list, bl_type element)
{
    if (list == NULL || list->count > list->capacity)
        return false;
    for (uint32_t i = 0; i < list->count; i++) {
        if (!bl_value_has_type(list->items[i], element))
            return false;
    }
    return true;
}

static bool is_member_of(struct bl_value v, unsigned enumeration)
{
    if (v.aux != enumeration || v.as.i < 0)
        return false;
    return enumeration >= BL_ENUM_COUNT ||
           v.as.i < (int64_t)bl_enum_member_count((enum bl_enum)enumeration);
}

bool bl_value_has_type(struct bl_value v, bl_type type)
{
    if (bl_type_is(type, BL_TYPE_ERROR))
        return true;
    if (v.tag == BL_V_ABSENT)
        return bl_type_is_optional(type) || bl_type_is(type, BL_TYPE_NONE);
    if (v.tag == BL_V_POSTED &&
        bl_type_base(type) == BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_COMMENT))
        return v.as.posted != NULL;
    if (v.tag != bl_tag_of_type(type))
        return false;
    switch ((enum bl_value_tag)v.tag) {
    case BL_V_BOOL:
        return v.as.i == 0 || v.as.i == 1;
    case BL_V_ENUM:
        return is_member_of(v, bl_type_ref(type));
    case BL_V_TASK:
    case BL_V_LOCALE:
    case BL_V_COMMAND:
    case BL_V_PATTERN:
        return v.as.i >= 0;
    case BL_V_TEXT:
        return v.as.ptr != NULL || v.len == 0;
    case BL_V_LIST:
        return list_has_type(v.as.list, bl_type_element(type));
    case BL_V_OBJECT:
        return v.as.object != NULL && v.as.object->entity == bl_type_ref(type);
    case BL_V_RECORD:
        return v.aux == bl_type_ref(type) && (v.as.fields != NULL || v.len == 0);
    case BL_V_POSTED:
        return v.as.posted != NULL;
    case BL_V_INT:
    case BL_V_DURATION:
    case BL_V_MONEY:
    case BL_V_PERCENT:
    case BL_V_TIME:
    case BL_V_DATE:
    case BL_V_ABSENT:
        break;
    }
    return true;
}

/* ---- equality and order ----------------------------------------------------------------- */

/* Is the name of such things a repository, which GitHub compares without case? */
static bool is_named_by_repository(unsigned entity)
{
    static const unsigned named[] = {
        BL_ENTITY_ISSUE, BL_ENTITY_COMMENT, BL_ENTITY_PULL_REQUEST, BL_ENTITY_DISCUSSION,
        BL_ENTITY_ALERT, BL_ENTITY_STATUS,  BL_ENTITY_NUMBERED,     BL_ENTITY_REPOSITORY,
    };

    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++) {
        if (named[i] == entity)
            return true;
    }
    return false;
}

static bool same_thing(const struct bl_object *a, const struct bl_object *b)
{
    if (a == b)
        return a != NULL;
    if (a == NULL || b == NULL || a->entity != b->entity)
        return false;
    /* One person reached through several things has several objects: their association differs,
     * and with it the key. */
    if (a->entity == BL_ENTITY_USER)
        return a->name.len > 0 && bl_str_equal_nocase(a->name, b->name);
    if (a->key != b->key || (a->key == 0 && a->name.len == 0))
        return false;
    return is_named_by_repository(a->entity) ? bl_str_equal_nocase(a->name, b->name)
                                             : bl_str_equal(a->name, b->name);
}

static bool text_equal(struct bl_value a, struct bl_value b, bl_type type)
{
    if (bl_type_is(type, BL_TYPE_LABEL) || bl_type_is(type, BL_TYPE_REPOSITORY_NAME))
        return bl_str_equal_nocase(bl_text_of(a), bl_text_of(b));
    return bl_str_equal(bl_text_of(a), bl_text_of(b));
}

static bool equal_at(struct bl_value a, struct bl_value b, bl_type type, unsigned depth);

static bool all_equal(const struct bl_value *a, const struct bl_value *b, uint32_t count,
                      bl_type type, unsigned depth)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!equal_at(a[i], b[i], type, depth))
            return false;
    }
    return true;
}

static bool lists_equal(const struct bl_list *a, const struct bl_list *b, bl_type element,
                        unsigned depth)
{
    return a->complete && b->complete && a->count == b->count &&
           all_equal(a->items, b->items, a->count, element, depth);
}

/* Fields of records may be absent in both: that is no difference. */
static bool records_equal(struct bl_value a, struct bl_value b, unsigned depth)
{
    if (a.aux != b.aux || a.len != b.len)
        return false;
    for (uint32_t i = 0; i < a.len; i++) {
        bool both_absent = bl_is_absent(a.as.fields[i]) && bl_is_absent(b.as.fields[i]);

        if (!both_absent && !equal_at(a.as.fields[i], b.as.fields[i], BL_TYPE_ERROR, depth))
            return false;
    }
    return true;
}

static bool equal_at(struct bl_value a, struct bl_value b, bl_type type, unsigned depth)
{
    if (bl_object_of(a) != NULL || bl_object_of(b) != NULL)
        return same_thing(bl_object_of(a), bl_object_of(b));
    if (a.tag != b.tag || depth == DEPTH_MAX)
        return false;
    switch ((enum bl_value_tag)a.tag) {
    case BL_V_ABSENT:
        return false;
    case BL_V_ENUM:
        return a.aux == b.aux && a.as.i == b.as.i;
    case BL_V_BOOL:
    case BL_V_INT:
    case BL_V_DURATION:
    case BL_V_MONEY:
    case BL_V_PERCENT:
    case BL_V_TIME:
    case BL_V_DATE:
    case BL_V_TASK:
    case BL_V_LOCALE:
    case BL_V_COMMAND:
    case BL_V_PATTERN:
        return a.as.i == b.as.i;
    case BL_V_TEXT:
        return text_equal(a, b, type);
    case BL_V_LIST:
        return lists_equal(a.as.list, b.as.list, bl_type_element(type), depth + 1);
    case BL_V_RECORD:
        return records_equal(a, b, depth + 1);
    case BL_V_OBJECT:
    case BL_V_POSTED:
        break;
    }
    return false;
}

bool bl_value_equal(struct bl_value a, struct bl_value b, bl_type type)
{
    return equal_at(a, b, type, 0);
}

int bl_value_order(struct bl_value a, struct bl_value b)
{
    return (a.as.i > b.as.i) - (a.as.i < b.as.i);
}
