/* SPDX-License-Identifier: Apache-2.0 */
#include "run/answer.h"

#include "base/utf8.h"
#include "event/json.h"

#include <inttypes.h>

/* Types first, from the JSON; then bounds, from the value, so that answers of tests are held
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

static enum bl_status refuse(struct bl_arena *arena, const struct bl_module *module,
                             uint32_t task, struct bl_span span, bl_str path, bl_str problem,
                             struct bl_diagnostics *sink)
{
    struct bl_diagnostic *d = bl_report(sink, BL_D_ANSWER_REFUSED, span);

    bl_diagnostic_text(sink, d, "task",
                       bl_module_string(module, module->TASKS_rows[task].name));
    bl_diagnostic_text(sink, d, "path", path.len > 0 ? path : BL_STR("$"));
    bl_diagnostic_text(sink, d, "problem", problem);
    return arena->failed ? BL_ERR_NOMEM : BL_ERR_INVALID;
}

/* ---- types ------------------------------------------------------------------------------- */

struct reader {
    struct bl_arena *arena;
    const struct bl_module *module;
    uint32_t task;
    uint32_t source;
    struct bl_diagnostics *sink;
};

/* `place` is where it says that. Only what was asked for is named: a key that nobody asked for
 * is a text of whoever wrote the answer. */
static enum bl_status wrong_at(struct reader *r, const struct bl_json *at,
                               const struct bl_json *place, const char *problem)
{
    struct bl_span span = {place->lo, place->hi, r->source};
    struct bl_buf path;

    bl_buf_init(&path, r->arena, 4096);
    bl_json_path(&path, at);
    return refuse(r->arena, r->module, r->task, r->source != BL_NO_SOURCE ? span : BL_NO_SPAN,
                  bl_buf_str(&path), bl_str_from(problem), r->sink);
}

static enum bl_status wrong(struct reader *r, const struct bl_json *at, const char *problem)
{
    return wrong_at(r, at, at, problem);
}

static enum bl_status read_word(struct reader *r, const struct bl_json *at, bl_type type,
                                struct bl_value *out)
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
    return wrong(r, at, "is none of the words that it may be");
}

static enum bl_status read_locale(struct reader *r, const struct bl_json *at,
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

static enum bl_status read_text(struct reader *r, const struct bl_json *at,
                                struct bl_value *out)
{
    if (at->kind != BL_JSON_STRING)
        return wrong(r, at, "must be a text");
    *out = bl_text(bl_arena_copy(r->arena, at->string));
    return r->arena->failed ? BL_ERR_NOMEM : BL_OK;
}

static enum bl_status read_record(struct reader *r, const struct bl_json *at, uint32_t record,
                                  struct bl_value *out);

static enum bl_status read_one(struct reader *r, const struct bl_json *at, bl_type type,
                               struct bl_value *out)
{
    enum bl_type_kind kind = bl_type_kind(type);

    if (kind == BL_TYPE_ENUM)
        return read_word(r, at, type, out);
    if (kind == BL_TYPE_LOCALE)
        return read_locale(r, at, out);
    if (kind == BL_TYPE_UNTRUSTED || kind == BL_TYPE_LABEL)
        return read_text(r, at, out);
    if (kind == BL_TYPE_RECORD)
        return read_record(r, at, bl_type_ref(type), out);
    if (kind == BL_TYPE_BOOL) {
        if (at->kind != BL_JSON_TRUE && at->kind != BL_JSON_FALSE)
            return wrong(r, at, "must be true or false");
        *out = bl_bool(at->kind == BL_JSON_TRUE);
        return BL_OK;
    }
    if (kind != BL_TYPE_INT)
        return wrong(r, at, "has a type that no answer can hold");
    if (at->kind != BL_JSON_INT)
        return wrong(r, at, "must be a whole number");
    *out = bl_int(at->integer);
    return BL_OK;
}

static enum bl_status read_value(struct reader *r, const struct bl_json *at, bl_type type,
                                 struct bl_value *out)
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

static enum bl_status missing(struct reader *r, const struct bl_json *at, bl_str name)
{
    struct bl_buf problem;

    bl_buf_init(&problem, r->arena, 4096);
    bl_buf_printf(&problem, "lacks '%.*s'", BL_STR_ARG(name));
    return wrong(r, at, problem.ptr != NULL ? problem.ptr : "lacks a part");
}

static enum bl_status read_record(struct reader *r, const struct bl_json *at, uint32_t record,
                                  struct bl_value *out)
{
    const struct bl_module *m = r->module;
    const struct bl_module_record *row = &m->RECORDS_rows[record];
    struct bl_value *fields;

    if (at->kind != BL_JSON_OBJECT)
        return wrong(r, at, "must be an object");
    for (size_t i = 0; i < at->count; i++) {
        if (!is_field(m, row, at->items[i].key))
            return wrong_at(r, at, &at->items[i], "has a part that was not asked for");
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
    struct bl_arena *arena;
    const struct bl_module *module;
    uint32_t task;
    struct bl_buf path;
    struct bl_diagnostics *sink;
};

static enum bl_status beyond(struct checking *c, const char *what, int64_t bound,
                             const char *of_what)
{
    struct bl_buf problem;

    bl_buf_init(&problem, c->arena, 256);
    bl_buf_printf(&problem, "%s %" PRId64 "%s", what, bound, of_what);
    return refuse(c->arena, c->module, c->task, BL_NO_SPAN, bl_buf_str(&c->path),
                  bl_buf_str(&problem), c->sink);
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
                   : refuse(c->arena, c->module, c->task, BL_NO_SPAN, bl_buf_str(&c->path),
                            BL_STR("is no label that it may name"), c->sink);
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

enum bl_status bl_answer_check(struct bl_arena *arena, const struct bl_module *module,
                               const struct bl_task_answer *answer, struct bl_diagnostics *sink)
{
    struct checking c = {.arena = arena, .module = module, .task = answer->task, .sink = sink};

    if (answer->value.tag != BL_V_RECORD)
        return BL_OK;
    bl_buf_init(&c.path, arena, 4096);
    return check_record(&c, answer->value);
}

/* ---- all --------------------------------------------------------------------------------- */

static enum bl_status report_json(const struct bl_json_error *error, uint32_t source,
                                  struct bl_diagnostics *sink)
{
    struct bl_span span = {(uint32_t)error->offset, (uint32_t)error->offset, source};
    struct bl_diagnostic *d;

    if (error->no_memory)
        return BL_ERR_NOMEM;
    d = bl_report(sink, BL_D_JSON_BROKEN, source != BL_NO_SOURCE ? span : BL_NO_SPAN);
    bl_diagnostic_text(sink, d, "problem", error->message);
    return BL_ERR_INVALID;
}

enum bl_status bl_answer_read(struct bl_arena *arena, const struct bl_module *module,
                              uint32_t task, bl_str json, uint32_t source,
                              struct bl_task_answer *out, struct bl_diagnostics *sink)
{
    struct reader r = {arena, module, task, source, sink};
    struct bl_json_error error;
    size_t notes = 0;
    const struct bl_json *root =
        bl_json_parse(arena, json, (size_t)bl_limit(BL_LIMIT_JSON_DEPTH), &notes, &error);
    uint32_t record = module->TASKS_rows[task].record;
    enum bl_status status;

    *out = (struct bl_task_answer){task, bl_absent()};
    if (root == NULL)
        return report_json(&error, source, sink);
    if (record == BL_NONE)
        return root->kind == BL_JSON_OBJECT && root->count == 0
                   ? BL_OK
                   : wrong(&r, root, "must be an empty object: nothing is asked for");
    status = read_record(&r, root, record, &out->value);
    return status == BL_OK ? bl_answer_check(arena, module, out, sink) : status;
}
