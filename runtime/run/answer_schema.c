/* SPDX-License-Identifier: Apache-2.0 */
#include "event/json.h"
#include "run/answer.h"
#include "vm/records.h"

/* The records of answers and of what entries take as JSON Schema 2020-12. It says the same as
 * vm/records.c holds them against: `maxLength` counts characters as RFC 8259 has them, and so
 * do the bounds of texts. */

/* Whole numbers that every reader of JSON takes for what they are (RFC 8259, 6). */
#define LARGEST INT64_C(9007199254740991)

static void key_text(struct bl_json_writer *w, const char *key, bl_str value)
{
    bl_json_key(w, bl_str_from(key));
    bl_json_string(w, value);
}

static void key_number(struct bl_json_writer *w, const char *key, int64_t value)
{
    bl_json_key(w, bl_str_from(key));
    bl_json_integer(w, value);
}

static void put_type(struct bl_json_writer *w, bl_str name, bool optional)
{
    bl_json_key(w, BL_STR("type"));
    if (!optional) {
        bl_json_string(w, name);
        return;
    }
    bl_json_begin_array(w);
    bl_json_string(w, name);
    bl_json_string(w, BL_STR("null"));
    bl_json_end_array(w);
}

static void begin_words(struct bl_json_writer *w, bool optional)
{
    put_type(w, BL_STR("string"), optional);
    bl_json_key(w, BL_STR("enum"));
    bl_json_begin_array(w);
}

static void end_words(struct bl_json_writer *w, bool optional)
{
    if (optional)
        bl_json_null(w);
    bl_json_end_array(w);
}

static void put_members(struct bl_json_writer *w, const struct bl_module *m, unsigned ref,
                        bool optional)
{
    unsigned count = ref < BL_ENUM_COUNT ? bl_enum_member_count((enum bl_enum)ref)
                                         : m->ENUMS_rows[ref - BL_ENUM_COUNT].count;

    begin_words(w, optional);
    for (unsigned i = 0; i < count; i++)
        bl_json_string(w, bl_module_member(m, ref, i));
    end_words(w, optional);
}

static void put_locales(struct bl_json_writer *w, const struct bl_module *m, bool optional)
{
    begin_words(w, optional);
    for (uint32_t i = 0; i < m->LOCALES_count; i++)
        bl_json_string(w, bl_module_string(m, m->LOCALES_rows[i].code));
    end_words(w, optional);
}

static void put_labels(struct bl_json_writer *w, const struct bl_module *m,
                       const struct bl_answer_bound *bound, bool optional)
{
    bool any = bound == NULL || bound->first_label == BL_NONE;
    uint32_t count = any ? m->LABELS_count : bound->label_count;

    begin_words(w, optional);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t label = any ? i : m->ANSWER_LABELS_rows[bound->first_label + i];

        bl_json_string(w, bl_module_string(m, m->LABELS_rows[label].shown));
    }
    end_words(w, optional);
}

static void put_integer(struct bl_json_writer *w, const struct bl_answer_bound *bound,
                        bool optional)
{
    int64_t min = bound != NULL && bound->min > -LARGEST ? bound->min : -LARGEST;
    int64_t max = bound != NULL && bound->max < LARGEST ? bound->max : LARGEST;

    put_type(w, BL_STR("integer"), optional);
    key_number(w, "minimum", min);
    key_number(w, "maximum", max);
}

static void put_text(struct bl_json_writer *w, const struct bl_answer_bound *bound,
                     bool optional)
{
    int64_t most = (int64_t)bl_limit(BL_LIMIT_TEXT_BYTES);

    put_type(w, BL_STR("string"), optional);
    key_number(w, "maxLength", bound != NULL && bound->max < most ? bound->max : most);
}

/* As RFC 3339 writes them, which is what records read. */
static void put_moment(struct bl_json_writer *w, const char *format, bool optional)
{
    put_type(w, BL_STR("string"), optional);
    key_text(w, "format", bl_str_from(format));
}

static void put_record(struct bl_json_writer *w, const struct bl_module *m, uint32_t record,
                       bool optional);

static void put_one(struct bl_json_writer *w, const struct bl_module *m,
                    const struct bl_answer_bound *bound, bl_type type)
{
    bool optional = bl_type_is_optional(type);

    if (bl_type_kind(type) == BL_TYPE_BOOL)
        put_type(w, BL_STR("boolean"), optional);
    else if (bl_type_kind(type) == BL_TYPE_INT)
        put_integer(w, bound, optional);
    else if (bl_type_kind(type) == BL_TYPE_ENUM)
        put_members(w, m, bl_type_ref(type), optional);
    else if (bl_type_kind(type) == BL_TYPE_LOCALE)
        put_locales(w, m, optional);
    else if (bl_type_kind(type) == BL_TYPE_LABEL)
        put_labels(w, m, bound, optional);
    else if (bl_type_kind(type) == BL_TYPE_TIME)
        put_moment(w, "date-time", optional);
    else if (bl_type_kind(type) == BL_TYPE_DATE)
        put_moment(w, "date", optional);
    else if (bl_type_kind(type) == BL_TYPE_RECORD)
        put_record(w, m, bl_type_ref(type), optional);
    else
        put_text(w, bound, optional);
}

static void put_field(struct bl_json_writer *w, const struct bl_module *m, uint32_t field)
{
    bl_type type = m->RECORD_FIELDS_rows[field].type;
    const struct bl_answer_bound *bound = bl_answer_bound(m, field);

    bl_json_begin_object(w);
    if (!bl_type_is_list(type)) {
        put_one(w, m, bound, type);
    } else {
        put_type(w, BL_STR("array"), bl_type_is_optional(type));
        bl_json_key(w, BL_STR("items"));
        bl_json_begin_object(w);
        put_one(w, m, bound, bl_type_element(type));
        bl_json_end_object(w);
        key_number(w, "maxItems",
                   bound != NULL && bound->most != BL_NONE
                       ? (int64_t)bound->most
                       : (int64_t)bl_limit(BL_LIMIT_LIST_ITEMS));
    }
    bl_json_end_object(w);
}

static void put_record(struct bl_json_writer *w, const struct bl_module *m, uint32_t record,
                       bool optional)
{
    const struct bl_module_record *row = &m->RECORDS_rows[record];

    put_type(w, BL_STR("object"), optional);
    bl_json_key(w, BL_STR("properties"));
    bl_json_begin_object(w);
    for (uint32_t i = 0; i < row->count; i++) {
        bl_json_key(w, bl_module_string(m, m->RECORD_FIELDS_rows[row->first + i].name));
        put_field(w, m, row->first + i);
    }
    bl_json_end_object(w);
    bl_json_key(w, BL_STR("required"));
    bl_json_begin_array(w);
    for (uint32_t i = 0; i < row->count; i++) {
        const struct bl_module_member *member = &m->RECORD_FIELDS_rows[row->first + i];

        if (!bl_type_is_optional(member->type))
            bl_json_string(w, bl_module_string(m, member->name));
    }
    bl_json_end_array(w);
    bl_json_key(w, BL_STR("additionalProperties"));
    bl_json_bool(w, false);
}

static void put_schema(struct bl_json_writer *w, const struct bl_module *m, bl_str title,
                       uint32_t record)
{
    bl_json_begin_object(w);
    key_text(w, "$schema", BL_STR("https://json-schema.org/draft/2020-12/schema"));
    key_text(w, "title", title);
    if (record != BL_NONE) {
        put_record(w, m, record, false);
    } else {
        put_type(w, BL_STR("object"), false);
        bl_json_key(w, BL_STR("additionalProperties"));
        bl_json_bool(w, false);
    }
    bl_json_end_object(w);
}

static void put_task(struct bl_json_writer *w, const struct bl_module *m, uint32_t task)
{
    const struct bl_module_task *row = &m->TASKS_rows[task];

    put_schema(w, m, bl_module_string(m, row->name), row->record);
}

/* Under the words that call it: a task may have the same name. */
static void put_entry(struct bl_json_writer *w, const struct bl_module *m, uint32_t called)
{
    const struct bl_module_called *row = &m->CALLED_rows[called];
    bl_str name = bl_module_string(m, m->ENTRIES_rows[row->entry].name);
    struct bl_buf title;

    bl_buf_init(&title, w->out->arena, name.len + sizeof "call ");
    BL_PUT(&title, "call ");
    bl_buf_put(&title, name);
    bl_json_key(w, bl_buf_str(&title));
    put_schema(w, m, name, row->record);
}

void bl_answer_schema(const struct bl_module *module, uint32_t task, struct bl_buf *out)
{
    struct bl_json_writer w;

    bl_json_writer_init(&w, out, true);
    put_task(&w, module, task);
    BL_PUT(out, "\n");
}

void bl_answer_schemas(const struct bl_module *module, struct bl_buf *out)
{
    struct bl_json_writer w;

    bl_json_writer_init(&w, out, true);
    bl_json_begin_object(&w);
    for (uint32_t i = 0; i < module->TASKS_count; i++) {
        bl_json_key(&w, bl_module_string(module, module->TASKS_rows[i].name));
        put_task(&w, module, i);
    }
    for (uint32_t i = 0; i < module->CALLED_count; i++)
        put_entry(&w, module, i);
    bl_json_end_object(&w);
    BL_PUT(out, "\n");
}
