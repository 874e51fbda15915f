/* SPDX-License-Identifier: Apache-2.0 */
#include "bylaw/try_text.h"

#include "base/utf8.h"
#include "bylaw/text_input.h"
#include "report/report.h"

#include <stdio.h>

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

/* The values that a line gives to settings of the module, by index. NULL with a sentence in
 * *why when one cannot be: an unknown setting, another type. Types: bool, int, texts, and lists
 * of them. */
static const struct bl_setting_values *settings_of(struct bl_arena *arena,
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
    return bl_texts_place(&scene->session, arena, source, lo);
}

/* ---- lines of JSON ----------------------------------------------------------------------- */

/* The part of a line that an object takes; `at` is its first bracket. */
static bl_str object_at(bl_str line, size_t at)
{
    size_t depth = 0;
    bool quoted = false;

    for (size_t i = at; i < line.len; i++) {
        char c = line.ptr[i];
        if (quoted && c == '\\')
            i++;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && c == '{')
            depth++;
        else if (!quoted && c == '}' && --depth == 0)
            return bl_str_slice(line, at, i + 1);
    }
    return (bl_str){NULL, 0};
}

/* The first thing that is wrong with it, as a run with that file would say it. */
static bl_str world_refused(struct bl_arena *arena, const struct bl_diagnostics *sink)
{
    struct bl_buf out;

    bl_buf_init(&out, arena, 2048);
    BL_PUT(&out, "\"world\" is no world (docs/world-file.md)");
    bl_buf_put(&out, sink->list.count > 0 ? BL_STR(": ") : BL_STR("."));
    if (sink->list.count > 0)
        bl_report_message(sink->list.items[0], &out);
    return out.failed ? BL_STR("\"world\" is no world (docs/world-file.md).")
                      : bl_buf_str(&out);
}

static struct bl_sim *world_of(struct bl_scene *scene, struct bl_arena *arena,
                               const struct bl_json *world, bl_str line, bl_str *why)
{
    struct bl_diagnostics sink;

    if (world == NULL)
        return scene->sim;
    struct bl_sim *sim = bl_sim_create(arena, bl_sim_repository(scene->sim),
                                       bl_sim_account(scene->sim), scene->now);
    bl_diagnostics_init(&sink, arena, 16);
    if (sim != NULL)
        bl_sim_set_git(sim, bl_scene_git(scene));
    if (sim != NULL && world->kind == BL_JSON_OBJECT &&
        bl_sim_load(sim, object_at(line, world->lo), BL_NO_SOURCE, &sink) == BL_OK)
        return sim;
    *why = world_refused(arena, &sink);
    return NULL;
}

static bl_str read_line(struct bl_scene *scene, struct bl_arena *arena, bl_str text,
                        struct bl_try_line *line)
{
    struct bl_json_error error = {.offset = 0};
    size_t notes = 0;
    bl_str why = {NULL, 0};
    const struct bl_json *json = bl_json_parse(arena, text, 64, &notes, &error);
    const struct bl_json *input = bl_json_get(json, BL_STR("input"));
    const struct bl_json *place = bl_json_get(json, BL_STR("place"));
    const struct bl_json *settings = bl_json_get(json, BL_STR("settings"));

    if (json == NULL)
        return error.message;
    line->id = bl_json_get(json, BL_STR("id"));
    if (input == NULL || input->kind != BL_JSON_STRING)
        return BL_STR("A line is an object with \"id\" and \"input\", a text.");
    line->input = input->string;
    if (place != NULL && place->kind != BL_JSON_STRING)
        return BL_STR("\"place\" is the name of a place.");
    if (place != NULL)
        line->place = place->string;
    if (settings != NULL)
        line->settings = settings_of(arena, &scene->session.module, settings, &why);
    if (settings != NULL && line->settings == NULL)
        return why;
    line->sim = world_of(scene, arena, bl_json_get(json, BL_STR("world")), text, &why);
    return line->sim == NULL ? why : (bl_str){NULL, 0};
}

void bl_try_answer_begin(struct bl_json_writer *w, const struct bl_json *id, bl_str output)
{
    bl_json_begin_object(w);
    bl_json_key(w, BL_STR("id"));
    if (id != NULL && id->kind == BL_JSON_INT)
        bl_json_integer(w, id->integer);
    else if (id != NULL && id->kind == BL_JSON_STRING)
        bl_json_string(w, id->string);
    else
        bl_json_null(w);
    bl_json_key(w, BL_STR("output"));
    bl_json_string(w, output);
    bl_json_key(w, BL_STR("findings"));
    bl_json_begin_array(w);
}

void bl_try_finding(struct bl_json_writer *w, bl_str kind, size_t start, size_t end,
                    bl_str rule)
{
    bl_json_begin_object(w);
    bl_json_key(w, BL_STR("kind"));
    bl_json_string(w, kind);
    bl_json_key(w, BL_STR("start"));
    bl_json_integer(w, (int64_t)start);
    bl_json_key(w, BL_STR("end"));
    bl_json_integer(w, (int64_t)end);
    bl_json_key(w, BL_STR("rule"));
    bl_json_string(w, rule);
    bl_json_end_object(w);
}

void bl_try_answer_end(struct bl_json_writer *w, bool fallback, bool refused, bl_str reason)
{
    bl_json_end_array(w);
    bl_json_key(w, BL_STR("fallback"));
    bl_json_bool(w, fallback);
    bl_json_key(w, BL_STR("refused"));
    bl_json_bool(w, refused);
    bl_json_key(w, BL_STR("reason"));
    if (reason.len > 0)
        bl_json_string(w, reason);
    else
        bl_json_null(w);
    bl_json_end_object(w);
    bl_buf_put_char(w->out, '\n');
}

static void bad_line(struct bl_scene *scene, const struct bl_try_line *line, size_t number,
                     struct bl_buf *out)
{
    char name[40];
    struct bl_json_writer w;

    snprintf(name, sizeof name, "line %zu", number);
    bl_session_say(&scene->session, bl_str_from(name), line->problem);
    bl_json_writer_init(&w, out, false);
    bl_try_answer_begin(&w, line->id, BL_STR(""));
    bl_try_answer_end(&w, false, true, line->problem);
}

static enum bl_exit one_line(struct bl_scene *scene, bl_str text, size_t number,
                             bl_try_one *one, void *context)
{
    struct bl_arena arena;
    struct bl_try_line line = {.sim = scene->sim};
    struct bl_buf out;

    bl_arena_init(&arena, (size_t)bl_limit(BL_LIMIT_RUN_BYTES), NULL);
    bl_buf_init(&out, &arena, SIZE_MAX / 2);
    line.problem = read_line(scene, &arena, text, &line);
    if (line.problem.len == 0)
        one(context, &arena, &line, &out);
    if (line.problem.len > 0)
        bad_line(scene, &line, number, &out);
    enum bl_exit exit = bl_scene_print_quoted(scene, &out);
    if (exit == BL_EXIT_OK && line.problem.len > 0)
        exit = BL_EXIT_INPUT;
    else if (exit == BL_EXIT_OK && line.refused)
        exit = BL_EXIT_FINDINGS;
    bl_arena_reset(&arena);
    return exit;
}

enum bl_exit bl_try_lines(struct bl_scene *scene, bl_str text, bl_try_one *one, void *context)
{
    enum bl_exit worst = BL_EXIT_OK;

    for (size_t number = 1; text.len > 0; number++) {
        size_t end = bl_str_find_char(text, '\n');
        bl_str line = bl_str_trim(bl_str_slice(text, 0, end));
        enum bl_exit exit =
            line.len > 0 ? one_line(scene, line, number, one, context) : BL_EXIT_OK;
        if (exit == BL_EXIT_INTERNAL)
            return exit;
        worst = exit > worst ? exit : worst;
        text = bl_str_slice(text, end == SIZE_MAX ? text.len : end + 1, text.len);
    }
    return worst;
}

bl_str bl_try_failure(struct bl_arena *arena, const char *what, enum bl_status status)
{
    static const struct {
        enum bl_status status;
        const char *before, *behind;
    } rows[] = {
#define BL_TRY_FAILURE(status, before, behind) {BL_ERR_##status, before, behind},
#include "bylaw/try_failures.def"
#undef BL_TRY_FAILURE
    };
    const char *before = "The ", *behind = " failed.";
    struct bl_buf out;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].status == status) {
            before = rows[i].before;
            behind = rows[i].behind;
        }
    }
    bl_buf_init(&out, arena, 256);
    bl_buf_printf(&out, "%s%s%s", before, what, behind);
    return bl_buf_str(&out);
}
