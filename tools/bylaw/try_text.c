/* SPDX-License-Identifier: Apache-2.0 */
#include "bylaw/try_text.h"

#include "base/utf8.h"

bl_str bl_text_read(struct bl_arena *arena, bl_str bytes)
{
    struct bl_buf out;

    bl_buf_init(&out, arena, 3 * bytes.len + 1);
    while (bytes.len > 0) {
        size_t good = bl_utf8_invalid_at(bytes);
        size_t nul = bl_str_find_char(bl_str_slice(bytes, 0, good), '\0');
        if (nul < good)
            good = nul;
        bl_buf_put(&out, bl_str_slice(bytes, 0, good));
        if (good < bytes.len)
            BL_PUT(&out, "\xEF\xBF\xBD");
        bytes = bl_str_slice(bytes, good + 1, bytes.len);
    }
    return bl_buf_str(&out);
}

static bool is_text(bl_type type)
{
    enum bl_type_kind kind = bl_type_kind(type);

    return kind == BL_TYPE_TEXT || kind == BL_TYPE_NAME || kind == BL_TYPE_PATH ||
           kind == BL_TYPE_REPOSITORY_NAME || kind == BL_TYPE_LABEL;
}

static bool scalar(const struct bl_json *json, bl_type type, struct bl_value *out)
{
    bl_type base = bl_type_base(type);

    if (json->kind == BL_JSON_NULL && bl_type_is_optional(type))
        *out = bl_absent();
    else if (base == BL_TYPE_BOOL &&
             (json->kind == BL_JSON_TRUE || json->kind == BL_JSON_FALSE))
        *out = bl_bool(json->kind == BL_JSON_TRUE);
    else if (base == BL_TYPE_INT && json->kind == BL_JSON_INT)
        *out = bl_int(json->integer);
    else if (!bl_type_is_list(base) && is_text(base) && json->kind == BL_JSON_STRING)
        *out = bl_text(json->string);
    else
        return false;
    return true;
}

static bool value_of(struct bl_arena *arena, const struct bl_json *json, bl_type type,
                     struct bl_value *out)
{
    if (!bl_type_is_list(type))
        return scalar(json, type, out);
    struct bl_list *list = bl_list_create(arena);
    if (json->kind != BL_JSON_ARRAY || list == NULL)
        return false;
    for (size_t i = 0; i < json->count; i++) {
        struct bl_value item;
        if (!scalar(&json->items[i], bl_type_element(type), &item) ||
            bl_list_push(arena, list, item) != BL_OK)
            return false;
    }
    *out = bl_list_value(list);
    return true;
}

static uint32_t find_setting(const struct bl_module *m, bl_str name)
{
    for (uint32_t i = 0; i < m->SETTINGS_count; i++) {
        if (bl_str_equal(bl_module_string(m, m->SETTINGS_rows[i].name), name))
            return i;
    }
    return BL_NONE;
}

const struct bl_setting_values *bl_try_settings(struct bl_arena *arena,
                                                const struct bl_module *m,
                                                const struct bl_json *given, bl_str *why)
{
    struct bl_setting_values *out = BL_NEW(arena, struct bl_setting_values);
    struct bl_value *values = BL_NEW_ARRAY(arena, m->SETTINGS_count + 1u, struct bl_value);
    bool *is_given = BL_NEW_ARRAY(arena, m->SETTINGS_count + 1u, bool);

    *why = BL_STR("Out of memory.");
    if (out == NULL || values == NULL || is_given == NULL)
        return NULL;
    *why = BL_STR("'settings' is an object.");
    if (given != NULL && given->kind != BL_JSON_OBJECT)
        return NULL;
    for (size_t i = 0; given != NULL && i < given->count; i++) {
        uint32_t setting = find_setting(m, given->items[i].key);
        *why = BL_STR("The policy that was compiled has no such setting that is used.");
        if (setting == BL_NONE)
            return NULL;
        bl_type type = m->FUNCTIONS_rows[m->SETTINGS_rows[setting].function].result;
        *why = BL_STR("A setting has another type, or one that cannot be given here.");
        if (!value_of(arena, &given->items[i], type, &values[setting]))
            return NULL;
        is_given[setting] = true;
    }
    *out = (struct bl_setting_values){values, is_given};
    return out;
}

bl_str bl_try_place(struct bl_scene *scene, struct bl_arena *arena, uint32_t source,
                    uint32_t lo)
{
    const struct bl_module *m = &scene->session.module;
    struct bl_buf out;

    bl_buf_init(&out, arena, 4096);
    if (source >= m->SOURCES_count)
        return (bl_str){NULL, 0};
    bl_str path = bl_module_string(m, m->SOURCES_rows[source].path);
    bl_buf_put(&out, path);
    struct bl_position at = bl_sources_position(&scene->session.sources, source, lo);
    if (at.line > 0) {
        bl_str line = bl_sources_line(&scene->session.sources, source, at.line);
        size_t end = bl_str_find(line, BL_STR(" #"));
        bl_buf_printf(&out, ":%u: %.*s", at.line,
                      BL_STR_ARG(bl_str_trim(bl_str_slice(line, at.column - 1u, end))));
    }
    return bl_buf_str(&out);
}
