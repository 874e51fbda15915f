/* SPDX-License-Identifier: Apache-2.0 */
#include "support/things.h"

#include "base/time.h"
#include "support/check.h"

#include <stdio.h>

#define WORDS_BYTES ((size_t)1 << 20)

bl_str read_file(struct bl_arena *arena, const char *path)
{
    char full[1000];
    (void)snprintf(full, sizeof(full), "%s/%s", BL_CHECKOUT, path);
    FILE *file = fopen(full, "rb");
    check_case("%s", path);
    check(file != NULL);
    (void)fseek(file, 0, SEEK_END);
    long size = ftell(file);
    check(size >= 0);
    (void)fseek(file, 0, SEEK_SET);
    char *bytes = bl_arena_alloc(arena, (size_t)size + 1, 1);
    check(bytes != NULL);
    check_size(fread(bytes, 1, (size_t)size, file), (size_t)size);
    (void)fclose(file);
    return (bl_str){bytes, (size_t)size};
}

static void put_object(struct bl_buf *out, const struct bl_object *object)
{
    if (object->key != 0 && object->entity != BL_ENTITY_USER) {
        bl_buf_put_int(out, object->key);
        bl_buf_put_char(out, ' ');
    }
    bl_buf_put(out, object->name);
}

static void put_value(struct bl_buf *out, struct bl_value v)
{
    char time[BL_TIME_TEXT_MAX];
    if (bl_is_absent(v)) {
        BL_PUT(out, "none");
    } else if (v.tag == BL_V_TEXT) {
        bl_buf_put(out, bl_text_of(v));
    } else if (v.tag == BL_V_BOOL) {
        bl_buf_put(out, v.as.i != 0 ? BL_STR("true") : BL_STR("false"));
    } else if (v.tag == BL_V_TIME) {
        bl_buf_put(out, (bl_str){time, bl_time_format(v.as.i, time)});
    } else if (v.tag == BL_V_ENUM) {
        bl_buf_put(out, bl_enum_member((enum bl_enum)v.aux, (unsigned)v.as.i));
    } else if (v.tag == BL_V_OBJECT) {
        put_object(out, v.as.object);
    } else if (v.tag == BL_V_LIST) {
        bl_buf_put_char(out, '[');
        for (uint32_t i = 0; i < v.as.list->count; i++) {
            bl_buf_put(out, i > 0 ? BL_STR(", ") : BL_STR(""));
            put_value(out, v.as.list->items[i]);
        }
        bl_buf_put(out, v.as.list->complete ? BL_STR("]") : BL_STR(", ...]"));
    } else {
        bl_buf_put_int(out, v.as.i);
    }
}

bl_str value_words(struct bl_arena *arena, struct bl_value v)
{
    struct bl_buf out;
    bl_buf_init(&out, arena, WORDS_BYTES);
    put_value(&out, v);
    return bl_buf_str(&out);
}

bl_str field_words(struct bl_arena *arena, const struct bl_object *object, const char *path)
{
    bl_str rest = bl_str_from(path);
    for (;;) {
        size_t dot = bl_str_find_char(rest, '.');
        enum bl_field field =
            bl_field_find((enum bl_entity)object->entity, bl_str_slice(rest, 0, dot));
        if (field == BL_FIELD_COUNT) {
            return BL_STR("no such field");
        }
        if (!bl_object_knows(object, field)) {
            return BL_STR("?");
        }
        struct bl_value v = bl_object_get(object, field);
        if (dot == SIZE_MAX || v.tag != BL_V_OBJECT) {
            return value_words(arena, v);
        }
        object = v.as.object;
        rest = bl_str_slice(rest, dot + 1, rest.len);
    }
}

bl_str event_words(struct bl_arena *arena, const struct bl_event *event, const char *path)
{
    const struct {
        const char *name;
        const struct bl_object *object;
    } things[] = {
        {"event.", event->event},           {"issue.", event->issue},
        {"comment.", event->comment},       {"pull_request.", event->pull_request},
        {"status.", event->status},         {"release.", event->release},
        {"repository.", event->repository},
    };
    for (size_t i = 0; i < sizeof(things) / sizeof(things[0]); i++) {
        bl_str name = bl_str_from(things[i].name);
        if (bl_str_starts_with(bl_str_from(path), name)) {
            return things[i].object != NULL
                       ? field_words(arena, things[i].object, path + name.len)
                       : BL_STR("nothing");
        }
    }
    return BL_STR("no such thing");
}
