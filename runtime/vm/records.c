/* SPDX-License-Identifier: Apache-2.0 */
#include "vm/records.h"

#include "base/time.h"
#include "base/utf8.h"

#include <inttypes.h>

/* Types first, from the JSON; then bounds, from the value, so that what no JSON was is held
 * against the same ones. */

const struct bl_answer_bound *bl_answer_bound(const struct bl_module *module, uint32_t field)
{
    uint32_t lo = 0, hi = module->ANSWER_BOUNDS_count;

    while (lo < hi) {
        uint32_t middle = lo + (hi - lo) / 2;

        if (module->ANSWER_BOUNDS_rows[middle].field < field)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo < module->ANSWER_BOUNDS_count && module->ANSWER_BOUNDS_rows[lo].field == field
               ? &module->ANSWER_BOUNDS_rows[lo]
               : NULL;
}

/* ---- types ------------------------------------------------------------------------------- */

/* `place` is where it says that. */
static enum bl_status wrong_at(struct bl_record_reader *r, const struct bl_json *at,
                               const struct bl_json *place, bl_str problem)
{
    struct bl_buf path;

    bl_buf_init(&path, r->arena, 4096);
    bl_json_path(&path, at);
    r->problem =
        (struct bl_record_problem){bl_buf_str(&path), problem, place->lo, place->hi, true};
    return r->arena->failed ? BL_ERR_NOMEM : BL_ERR_INVALID;
}

static enum bl_status wrong(struct bl_record_reader *r, const struct bl_json *at,
                            const char *problem)
{
    return wrong_at(r, at, at, bl_str_from(problem));
}

/* The words are the policy's own. */
static enum bl_status no_such_word(struct bl_record_reader *r, const struct bl_json *at,
                                   unsigned ref, unsigned count)
{
    struct bl_likeness like = bl_likeness_begin(BL_STR(""));
    struct bl_buf problem;
    char list[1024];

    for (unsigned i = 0; i < count; i++)
        bl_likeness_consider(&like, bl_module_member(r->module, ref, i));
    bl_str words = bl_likeness_list(&like, list, sizeof list);
    bl_buf_init(&problem, r->arena, 2048);
    BL_PUT(&problem, "is none of the words that it may be");
    if (words.len > 0)
        bl_buf_printf(&problem, ": %.*s", BL_STR_ARG(words));
    return wrong_at(r, at, at, bl_buf_str(&problem));
}

static enum bl_status read_word(struct bl_record_reader *r, const struct bl_json *at,
                                bl_type type, struct bl_value *out)
{
    const struct bl_module *m = r->module;
    unsigned ref = bl_type_ref(type);
    unsigned count = ref < BL_ENUM_COUNT ? bl_enum_member_count((enum bl_enum)ref)
                                         : m->ENUMS_rows[ref - BL_ENUM_COUNT].count;

    for (unsigned i = 0; at->kind == BL_JSON_STRING && i < count; i++) {
        if (bl_str_equal(bl_module_member(m, ref, i), at->string)) {
            *out = bl_member_value(ref, i);
            return BL_OK;
        }
    }
    return no_such_word(r, at, ref, count);
}

static enum bl_status read_locale(struct bl_record_reader *r, const struct bl_json *at,
                                  struct bl_value *out)
{
    for (uint32_t i = 0; at->kind == BL_JSON_STRING && i < r->module->LOCALES_count; i++) {
        if (bl_str_equal(bl_module_string(r->module, r->module->LOCALES_rows[i].code),
                         at->string)) {
            *out = bl_number(BL_V_LOCALE, i);
            return BL_OK;
        }
    }
    return wrong(r, at, "is the code of no declared language");
}

static enum bl_status read_text(struct bl_record_reader *r, const struct bl_json *at,
                                struct bl_value *out)
{
    if (at->kind != BL_JSON_STRING)
        return wrong(r, at, "must be a text");
    *out = bl_text(bl_arena_copy(r->arena, at->string));
    return r->arena->failed ? BL_ERR_NOMEM : BL_OK;
}

/* What a name may be that somebody else wrote down: one line that is there to be seen. */
#define NAME_BYTES 256u

static bool is_name(bl_str s)
{
    bool named = s.len > 0 && s.len <= NAME_BYTES && bl_str_trim(s).len == s.len;

    for (size_t at = 0; named && at < s.len;) {
        uint32_t c = bl_utf8_decode(s, &at);
        named = c >= 0x20 && !(c >= 0x7F && c <= 0x9F) && c != 0x2028 && c != 0x2029;
    }
    return named;
}

static enum bl_status read_name(struct bl_record_reader *r, const struct bl_json *at,
                                struct bl_value *out)
{
    if (at->kind != BL_JSON_STRING || !is_name(at->string))
        return wrong(r, at, "must be a name: a text of one line, 256 bytes at most");
    return read_text(r, at, out);
}

/* One form of each moment, so that a row has one form only. */
static enum bl_status read_moment(struct bl_record_reader *r, const struct bl_json *at,
                                  enum bl_value_tag tag, struct bl_value *out)
{
    char text[BL_TIME_TEXT_MAX];
    int64_t n = 0;
    bool is_time = tag == BL_V_TIME;
    bool parsed = at->kind == BL_JSON_STRING &&
                  (is_time ? bl_time_parse(at->string, &n) : bl_date_parse(at->string, &n));
    size_t length = !parsed ? 0 : is_time ? bl_time_format(n, text) : bl_date_format(n, text);

    if (!parsed || !bl_str_equal((bl_str){text, length}, at->string))
        return wrong(r, at,
                     is_time ? "must be a moment such as 2026-11-02T08:00:00Z"
                             : "must be a day such as 2026-11-02");
    *out = bl_number(tag, n);
    return BL_OK;
}

static enum bl_status read_plain(struct bl_record_reader *r, const struct bl_json *at,
                                 enum bl_type_kind kind, struct bl_value *out)
{
    if (kind == BL_TYPE_BOOL) {
        if (at->kind != BL_JSON_TRUE && at->kind != BL_JSON_FALSE)
            return wrong(r, at, "must be true or false");
        *out = bl_bool(at->kind == BL_JSON_TRUE);
        return BL_OK;
    }
    if (kind == BL_TYPE_DATE || kind == BL_TYPE_TIME)
        return read_moment(r, at, kind == BL_TYPE_TIME ? BL_V_TIME : BL_V_DATE, out);
    if (kind == BL_TYPE_NAME)
        return read_name(r, at, out);
    if (kind == BL_TYPE_UNTRUSTED || kind == BL_TYPE_LABEL)
        return read_text(r, at, out);
    if (at->kind != BL_JSON_INT)
        return wrong(r, at, "must be a whole number");
    *out = bl_int(at->integer);
    return BL_OK;
}

static enum bl_status read_record(struct bl_record_reader *r, const struct bl_json *at,
                                  uint32_t record, struct bl_value *out);

static enum bl_status read_one(struct bl_record_reader *r, const struct bl_json *at,
                               bl_type type, struct bl_value *out)
{
    enum bl_type_kind kind = bl_type_kind(type);

    if (kind >= BL_TYPE_KIND_COUNT || (r->kinds >> kind & 1) == 0)
        return wrong(r, at, "has a type that it cannot hold");
    if (kind == BL_TYPE_ENUM)
        return read_word(r, at, type, out);
    if (kind == BL_TYPE_LOCALE)
        return read_locale(r, at, out);
    if (kind == BL_TYPE_RECORD)
        return read_record(r, at, bl_type_ref(type), out);
    return read_plain(r, at, kind, out);
}

static enum bl_status read_value(struct bl_record_reader *r, const struct bl_json *at,
                                 bl_type type, struct bl_value *out)
{
    enum bl_status status = BL_OK;
    struct bl_list *list;

    if (!bl_type_is_list(type))
        return read_one(r, at, bl_type_base(type), out);
    if (at->kind != BL_JSON_ARRAY)
        return wrong(r, at, "must be a list");
    list = bl_list_create(r->arena);
    if (list == NULL)
        return BL_ERR_NOMEM;
    for (size_t i = 0; status == BL_OK && i < at->count; i++) {
        struct bl_value item = bl_absent();

        status = read_value(r, &at->items[i], bl_type_element(type), &item);
        if (status == BL_OK)
            status = bl_list_push(r->arena, list, item);
    }
    if (status == BL_ERR_LIMIT)
        return wrong(r, at, "is longer than a list may be");
    *out = bl_list_value(list);
    return status;
}

static bool is_field(const struct bl_module *m, const struct bl_module_record *record,
                     bl_str key)
{
    for (uint32_t i = 0; i < record->count; i++) {
        if (bl_str_equal(bl_module_string(m, m->RECORD_FIELDS_rows[record->first + i].name),
                         key))
            return true;
    }
    return false;
}

static enum bl_status missing(struct bl_record_reader *r, const struct bl_json *at, bl_str name)
{
    struct bl_buf problem;

    bl_buf_init(&problem, r->arena, 4096);
    bl_buf_printf(&problem, "lacks '%.*s'", BL_STR_ARG(name));
    return wrong_at(r, at, at, bl_buf_str(&problem));
}

static enum bl_status read_record(struct bl_record_reader *r, const struct bl_json *at,
                                  uint32_t record, struct bl_value *out)
{
    const struct bl_module *m = r->module;
    const struct bl_module_record *row = &m->RECORDS_rows[record];
    struct bl_value *fields;

    if (at->kind != BL_JSON_OBJECT)
        return wrong(r, at, "must be an object");
    for (size_t i = 0; i < at->count; i++) {
        if (!is_field(m, row, at->items[i].key))
            return wrong_at(r, at, &at->items[i], BL_STR("has a part that was not asked for"));
    }
    fields = BL_NEW_ARRAY(r->arena, row->count + 1, struct bl_value);
    if (fields == NULL)
        return BL_ERR_NOMEM;
    for (uint32_t i = 0; i < row->count; i++) {
        const struct bl_module_member *member = &m->RECORD_FIELDS_rows[row->first + i];
        bl_str name = bl_module_string(m, member->name);
        const struct bl_json *value = bl_json_get(at, name);
        enum bl_status status = BL_OK;

        fields[i] = bl_absent();
        if (value != NULL &&
            (value->kind != BL_JSON_NULL || !bl_type_is_optional(member->type)))
            status = read_value(r, value, member->type, &fields[i]);
        else if (!bl_type_is_optional(member->type))
            status = missing(r, at, name);
        if (status != BL_OK)
            return status;
    }
    *out = (struct bl_value){
        .tag = BL_V_RECORD, .aux = (uint16_t)record, .len = row->count, .as.fields = fields};
    return BL_OK;
}

/* ---- bounds ------------------------------------------------------------------------------ */

struct checking {
    struct bl_record_reader *reader;
    const struct bl_module *module;
    struct bl_buf path;
};

static enum bl_status refuse(struct checking *c, bl_str problem)
{
    c->reader->problem =
        (struct bl_record_problem){.path = bl_buf_str(&c->path), .problem = problem};
    return c->reader->arena->failed ? BL_ERR_NOMEM : BL_ERR_INVALID;
}

static enum bl_status beyond(struct checking *c, const char *what, int64_t bound,
                             const char *of_what)
{
    struct bl_buf problem;

    bl_buf_init(&problem, c->reader->arena, 256);
    bl_buf_printf(&problem, "%s %" PRId64 "%s", what, bound, of_what);
    return refuse(c, bl_buf_str(&problem));
}

static bool is_label(const struct bl_module *m, const struct bl_answer_bound *bound,
                     bl_str shown)
{
    bool any = bound == NULL || bound->first_label == BL_NONE;
    uint32_t count = any ? m->LABELS_count : bound->label_count;

    for (uint32_t i = 0; i < count; i++) {
        uint32_t label = any ? i : m->ANSWER_LABELS_rows[bound->first_label + i];

        if (bl_str_equal(bl_module_string(m, m->LABELS_rows[label].shown), shown))
            return true;
    }
    return false;
}

static enum bl_status check_record(struct checking *c, struct bl_value value);

static enum bl_status check_one(struct checking *c, const struct bl_answer_bound *bound,
                                bl_type type, struct bl_value value)
{
    int64_t min = bound != NULL ? bound->min : INT64_MIN;
    int64_t max = bound != NULL ? bound->max : INT64_MAX;

    if (value.tag == BL_V_INT && value.as.i < min)
        return beyond(c, "is less than", min, "");
    if (value.tag == BL_V_INT && value.as.i > max)
        return beyond(c, "is more than", max, "");
    if (bl_type_kind(type) == BL_TYPE_LABEL)
        return is_label(c->module, bound, bl_text_of(value))
                   ? BL_OK
                   : refuse(c, BL_STR("is no label that it may name"));
    if (value.tag == BL_V_TEXT) {
        if (value.len > bl_limit(BL_LIMIT_TEXT_BYTES))
            return beyond(c, "has more than", (int64_t)bl_limit(BL_LIMIT_TEXT_BYTES), " bytes");
        if (max != INT64_MAX && (int64_t)bl_utf8_length(bl_text_of(value)) > max)
            return beyond(c, "has more than", max, " characters");
    }
    return value.tag == BL_V_RECORD ? check_record(c, value) : BL_OK;
}

static enum bl_status check_list(struct checking *c, const struct bl_answer_bound *bound,
                                 bl_type type, struct bl_list *list)
{
    size_t path = c->path.len;
    enum bl_status status = BL_OK;

    if (bound != NULL && bound->most != BL_NONE && list->count > bound->most)
        return beyond(c, "has more than", bound->most, " elements");
    for (uint32_t i = 0; status == BL_OK && i < list->count; i++) {
        bl_buf_printf(&c->path, "[%" PRIu32 "]", i);
        status = check_one(c, bound, bl_type_element(type), list->items[i]);
        c->path.len = path;
    }
    return status;
}

static enum bl_status check_record(struct checking *c, struct bl_value value)
{
    const struct bl_module *m = c->module;
    const struct bl_module_record *row = &m->RECORDS_rows[value.aux];
    size_t path = c->path.len;
    enum bl_status status = BL_OK;

    for (uint32_t i = 0; status == BL_OK && i < row->count; i++) {
        const struct bl_module_member *member = &m->RECORD_FIELDS_rows[row->first + i];
        const struct bl_answer_bound *bound = bl_answer_bound(m, row->first + i);
        struct bl_value field = value.as.fields[i];

        if (bl_is_absent(field))
            continue;
        bl_buf_printf(&c->path, "%s%.*s", path > 0 ? "." : "",
                      BL_STR_ARG(bl_module_string(m, member->name)));
        status = field.tag == BL_V_LIST ? check_list(c, bound, member->type, field.as.list)
                                        : check_one(c, bound, member->type, field);
        c->path.len = path;
    }
    return status;
}

enum bl_status bl_record_check(struct bl_record_reader *reader, struct bl_value record)
{
    struct checking c = {.reader = reader, .module = reader->module};

    if (record.tag != BL_V_RECORD)
        return BL_OK;
    bl_buf_init(&c.path, reader->arena, 4096);
    return check_record(&c, record);
}

enum bl_status bl_record_read(struct bl_record_reader *reader, const struct bl_json *json,
                              uint32_t record, struct bl_value *out)
{
    reader->problem = (struct bl_record_problem){.has_place = false};
    return read_record(reader, json, record, out);
}

/* ---- and back ---------------------------------------------------------------------------- */

static void write_one(const struct bl_module *module, struct bl_value v,
                      struct bl_json_writer *out)
{
    char text[BL_TIME_TEXT_MAX];

    switch ((unsigned)v.tag) {
    case BL_V_BOOL:
        bl_json_bool(out, v.as.i != 0);
        return;
    case BL_V_INT:
        bl_json_integer(out, v.as.i);
        return;
    case BL_V_TEXT:
        bl_json_string(out, bl_text_of(v));
        return;
    case BL_V_TIME:
        bl_json_string(out, (bl_str){text, bl_time_format(v.as.i, text)});
        return;
    case BL_V_DATE:
        bl_json_string(out, (bl_str){text, bl_date_format(v.as.i, text)});
        return;
    case BL_V_ENUM:
        bl_json_string(out, bl_module_member(module, v.aux, (unsigned)v.as.i));
        return;
    case BL_V_LOCALE:
        bl_json_string(out, bl_module_string(module, module->LOCALES_rows[v.as.i].code));
        return;
    default: /* no type of BL_STORE_KINDS or BL_ANSWER_KINDS has it */
        bl_json_null(out);
        return;
    }
}

void bl_record_write(const struct bl_module *module, struct bl_value record,
                     struct bl_json_writer *out)
{
    const struct bl_module_record *row = &module->RECORDS_rows[record.aux];

    bl_json_begin_object(out);
    for (uint32_t i = 0; i < row->count && i < record.len; i++) {
        struct bl_value field = record.as.fields[i];

        if (bl_is_absent(field))
            continue;
        bl_json_key(out,
                    bl_module_string(module, module->RECORD_FIELDS_rows[row->first + i].name));
        if (field.tag == BL_V_LIST) {
            bl_json_begin_array(out);
            for (uint32_t k = 0; k < field.as.list->count; k++)
                write_one(module, field.as.list->items[k], out);
            bl_json_end_array(out);
        } else {
            write_one(module, field, out);
        }
    }
    bl_json_end_object(out);
}
