/* SPDX-License-Identifier: Apache-2.0 */
#include "bylaw/try_text.h"
#include "run/run.h"
#include "text/clean.h"

/* bylaw try sanitizer NAME */

#define LINE_BYTES ((size_t)64 << 20)

/* One text and what became of it. */
struct trial {
    struct bl_scene *scene;
    struct bl_arena *arena;
    uint32_t entry;
    bl_str input;
    const struct bl_setting_values *settings;
    const struct bl_world *world;
    bl_str output;
    struct bl_cleaned cleaned;
    bool refused;
    bl_str reason;
};

static bl_str reason_of(enum bl_status status)
{
    switch (status) {
    case BL_ERR_READ:
        return BL_STR("What the sanitizer asks of the repository could not be read.");
    case BL_ERR_LIMIT:
        return BL_STR("The text needs more instructions or room than one run may have.");
    case BL_ERR_INVALID:
        return BL_STR("The sanitizer needs an event.");
    case BL_ERR_NOMEM:
        return BL_STR("Out of memory.");
    case BL_OK:
    case BL_ERR_UNVERIFIED:
    case BL_ERR_WRITE:
    case BL_ERR_REFUSED:
    case BL_ERR_IO:
    case BL_ERR_INTERNAL:
        break;
    }
    return BL_STR("The sanitizer failed.");
}

static void run_trial(struct trial *t)
{
    struct bl_scene *scene = t->scene;
    struct bl_diagnostics sink;
    struct bl_value argument = bl_text(t->input);
    struct bl_value value = bl_absent();
    struct bl_run_options options = {.module = &scene->session.module,
                                     .world = t->world,
                                     .event = scene->has_event ? &scene->event : NULL,
                                     .job = BL_NONE,
                                     .now = scene->now,
                                     .settings = t->settings,
                                     .arguments = &argument,
                                     .argument_count = 1,
                                     .cleaned = &t->cleaned};

    bl_diagnostics_init(&sink, t->arena, 16);
    enum bl_status status = bl_run_ask(t->arena, &options, t->entry, &value, &sink);
    t->refused = status != BL_OK;
    t->reason = t->refused ? reason_of(status) : t->cleaned.fallback;
    t->output = bl_text_of(value);
}

/* ---- findings ---------------------------------------------------------------------------- */

/* Where each byte of what the scan saw stands in the input: the steps before it take away, join
 * lines, and cut. */
static uint32_t *align(struct bl_arena *arena, bl_str input, bl_str seen)
{
    uint32_t *map = BL_NEW_ARRAY(arena, seen.len + 1, uint32_t);
    size_t at = 0;

    for (size_t i = 0; map != NULL && i < seen.len; i++) {
        size_t from = at;
        while (at < input.len && input.ptr[at] != seen.ptr[i] &&
               !(seen.ptr[i] == ' ' && (input.ptr[at] == '\n' || input.ptr[at] == '\r')))
            at++;
        if (at == input.len) /* of our own: an ellipsis */
            at = from;
        map[i] = (uint32_t)at;
        at += at < input.len && input.ptr[at] == seen.ptr[i];
        if (seen.ptr[i] == ' ' && at < input.len && map[i] == at)
            at++;
    }
    if (map != NULL)
        map[seen.len] = (uint32_t)(seen.len > 0 ? at : input.len);
    return map;
}

struct span {
    size_t lo, hi;
};

static struct span in_input(const uint32_t *map, size_t count,
                            const struct bl_clean_finding *finding)
{
    size_t lo = finding->lo < count ? finding->lo : count;
    size_t hi = finding->hi < count ? finding->hi : count;

    return (struct span){map[lo], hi > lo ? map[hi - 1] + 1u : map[lo]};
}

static bl_str rule_of(struct trial *t, const struct bl_clean_finding *finding)
{
    const struct bl_module *m = &t->scene->session.module;
    uint32_t row = finding->rule;

    for (uint32_t i = 0; row == BL_NONE && i < m->CLEAN_ROWS_count; i++) {
        if (m->CLEAN_ROWS_rows[i].word == (uint32_t)finding->word)
            row = i;
    }
    if (row >= m->CLEAN_ROWS_count)
        return BL_STR("no row");
    return bl_try_place(t->scene, t->arena, m->CLEAN_ROWS_rows[row].source,
                        m->CLEAN_ROWS_rows[row].lo);
}

static bl_str action_of(const struct bl_clean_finding *finding)
{
    if (finding->word != BL_CLEAN_WORD_COUNT)
        return BL_STR("removed");
    return bl_clean_action_name(finding->action);
}

static bool is_kept(const struct bl_clean_finding *finding)
{
    return finding->word == BL_CLEAN_WORD_COUNT && finding->action == BL_ACTION_KEEP;
}

/* Runs of bytes that the steps before the scan took away. */
static size_t next_gap(const uint32_t *map, size_t count, size_t input, size_t *at,
                       struct span *gap)
{
    while (*at <= count) {
        size_t from = *at == 0 ? 0 : (size_t)map[*at - 1] + 1;
        size_t to = *at == count ? input : map[*at];
        *at += 1;
        if (to > from) {
            *gap = (struct span){from, to};
            return to - from;
        }
    }
    return 0;
}

static void json_finding(struct bl_json_writer *w, bl_str kind, struct span span, bl_str rule)
{
    bl_json_begin_object(w);
    bl_json_key(w, BL_STR("kind"));
    bl_json_string(w, kind);
    bl_json_key(w, BL_STR("start"));
    bl_json_integer(w, (int64_t)span.lo);
    bl_json_key(w, BL_STR("end"));
    bl_json_integer(w, (int64_t)span.hi);
    bl_json_key(w, BL_STR("rule"));
    bl_json_string(w, rule);
    bl_json_end_object(w);
}

static void json_findings(struct trial *t, struct bl_json_writer *w)
{
    bl_str seen = t->cleaned.text;
    uint32_t *map = align(t->arena, t->input, seen);
    struct span gap;
    size_t at = 0;

    bl_json_begin_array(w);
    while (map != NULL && seen.ptr != NULL &&
           next_gap(map, seen.len, t->input.len, &at, &gap) > 0)
        json_finding(w, BL_STR("stripped"), gap, BL_STR("strip, trim, one_line, cut"));
    for (size_t i = 0; map != NULL && i < t->cleaned.finding_count; i++) {
        const struct bl_clean_finding *finding = &t->cleaned.findings[i];
        if (!is_kept(finding))
            json_finding(w, finding->kind, in_input(map, seen.len, finding),
                         rule_of(t, finding));
    }
    bl_json_end_array(w);
}

static void put_visible(struct bl_buf *out, bl_str s)
{
    bl_report_visible(bl_str_slice(s, 0, s.len < 60 ? s.len : 60), out);
    if (s.len > 60)
        BL_PUT(out, "…");
}

static void explain(struct trial *t, struct bl_buf *out)
{
    bl_str seen = t->cleaned.text;
    uint32_t *map = align(t->arena, t->input, seen);
    struct span gap;
    size_t at = 0;

    while (map != NULL && seen.ptr != NULL &&
           next_gap(map, seen.len, t->input.len, &at, &gap) > 0) {
        bl_buf_printf(out, "%zu-%zu  stripped  ", gap.lo, gap.hi);
        put_visible(out, bl_str_slice(t->input, gap.lo, gap.hi));
        BL_PUT(out, "\n");
    }
    for (size_t i = 0; map != NULL && i < t->cleaned.finding_count; i++) {
        const struct bl_clean_finding *finding = &t->cleaned.findings[i];
        struct span span = in_input(map, seen.len, finding);
        bl_buf_printf(out, "%zu-%zu  %.*s: %.*s  ", span.lo, span.hi, BL_STR_ARG(finding->kind),
                      BL_STR_ARG(action_of(finding)));
        put_visible(out, bl_str_slice(t->input, span.lo, span.hi));
        BL_PUT(out, "  ");
        bl_report_visible(rule_of(t, finding), out);
        BL_PUT(out, "\n");
    }
    if (t->cleaned.fallback.len > 0)
        bl_buf_printf(out, "The whole text became code: the second reading shows %.*s.\n",
                      BL_STR_ARG(t->cleaned.fallback));
}

/* ---- lines of JSON ----------------------------------------------------------------------- */

static void json_line(struct trial *t, const struct bl_json *id, struct bl_buf *out)
{
    struct bl_json_writer w;

    bl_json_writer_init(&w, out, false);
    bl_json_begin_object(&w);
    bl_json_key(&w, BL_STR("id"));
    if (id != NULL && id->kind == BL_JSON_INT)
        bl_json_integer(&w, id->integer);
    else if (id != NULL && id->kind == BL_JSON_STRING)
        bl_json_string(&w, id->string);
    else
        bl_json_null(&w);
    bl_json_key(&w, BL_STR("output"));
    bl_json_string(&w, t->output);
    bl_json_key(&w, BL_STR("findings"));
    json_findings(t, &w);
    bl_json_key(&w, BL_STR("fallback"));
    bl_json_bool(&w, t->cleaned.fallback.len > 0);
    bl_json_key(&w, BL_STR("refused"));
    bl_json_bool(&w, t->refused);
    bl_json_key(&w, BL_STR("reason"));
    bl_json_string(&w, t->reason);
    bl_json_end_object(&w);
    BL_PUT(out, "\n");
}

static bool is_for_place(const struct bl_module *m, bl_str name, bl_str place)
{
    enum bl_place wanted = bl_place_find(place);

    for (uint32_t i = 0; i < m->SANITIZERS_count; i++) {
        if (bl_str_equal(bl_module_string(m, m->SANITIZERS_rows[i].name), name))
            return wanted != BL_PLACE_COUNT &&
                   (m->SANITIZERS_rows[i].places & 1u << wanted) != 0;
    }
    return false;
}

/* The world that a line brings. */
static const struct bl_world *world_of(struct trial *t, const struct bl_json *world,
                                       bl_str line)
{
    struct bl_scene *scene = t->scene;
    struct bl_diagnostics sink;

    if (world == NULL)
        return t->world;
    struct bl_sim *sim = bl_sim_create(t->arena, bl_sim_repository(scene->sim),
                                       bl_sim_account(scene->sim), scene->now);
    bl_diagnostics_init(&sink, t->arena, 16);
    if (sim == NULL || world->kind != BL_JSON_OBJECT || world->hi <= world->lo)
        return NULL;
    /* The place of an object is its first bracket; it ends where the brackets close. */
    size_t depth = 0;
    bool quoted = false;
    size_t end = world->lo;
    for (; end < line.len; end++) {
        char c = line.ptr[end];
        if (quoted && c == '\\')
            end++;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && c == '{')
            depth++;
        else if (!quoted && c == '}' && --depth == 0)
            break;
    }
    if (bl_sim_load(sim, bl_str_slice(line, world->lo, end + 1), BL_NO_SOURCE, &sink) != BL_OK)
        return NULL;
    return bl_sim_world(sim);
}

static bl_str read_line(struct trial *t, bl_str line, bl_str name, const struct bl_json **id)
{
    struct bl_json_error error;
    size_t notes = 0;
    bl_str why = {NULL, 0};
    const struct bl_json *json = bl_json_parse(t->arena, line, 64, &notes, &error);

    if (json == NULL)
        return error.message;
    *id = bl_json_get(json, BL_STR("id"));
    const struct bl_json *input = bl_json_get(json, BL_STR("input"));
    const struct bl_json *place = bl_json_get(json, BL_STR("place"));
    if (input == NULL || input->kind != BL_JSON_STRING)
        return BL_STR("'input' is a text.");
    t->input = input->string;
    if (place != NULL && (place->kind != BL_JSON_STRING ||
                          !is_for_place(&t->scene->session.module, name, place->string)))
        return BL_STR("The sanitizer is not for this place.");
    t->settings = bl_try_settings(t->arena, &t->scene->session.module,
                                  bl_json_get(json, BL_STR("settings")), &why);
    if (t->settings == NULL)
        return why;
    t->world = world_of(t, bl_json_get(json, BL_STR("world")), line);
    return t->world == NULL ? BL_STR("'world' is no world (docs/world-file.md).")
                            : (bl_str){NULL, 0};
}

/* A line that cannot be read is answered too, so that answers and lines stay together. */
static enum bl_exit one_line(const struct trial *every, bl_str line, bl_str name)
{
    struct bl_arena arena;
    struct trial t = *every;
    const struct bl_json *id = NULL;
    struct bl_buf out;

    bl_arena_init(&arena, (size_t)bl_limit(BL_LIMIT_RUN_BYTES), NULL);
    t.arena = &arena;
    t.reason = read_line(&t, line, name, &id);
    t.refused = t.reason.len > 0;
    if (!t.refused)
        run_trial(&t);
    bl_buf_init(&out, &arena, LINE_BYTES);
    json_line(&t, id, &out);
    enum bl_exit exit = bl_scene_print_quoted(t.scene, &out);
    bl_arena_reset(&arena);
    return exit;
}

static enum bl_exit all_lines(const struct trial *every, bl_str text, bl_str name)
{
    enum bl_exit exit = BL_EXIT_OK;

    while (text.len > 0 && exit == BL_EXIT_OK) {
        size_t end = bl_str_find_char(text, '\n');
        bl_str line = bl_str_trim(bl_str_slice(text, 0, end));
        if (line.len > 0)
            exit = one_line(every, line, name);
        text = bl_str_slice(text, end == SIZE_MAX ? text.len : end + 1, text.len);
    }
    return exit;
}

/* ---- one text ---------------------------------------------------------------------------- */

static enum bl_exit one_text(struct trial *t, bl_str text, bool json, bool explained)
{
    struct bl_scene *scene = t->scene;
    struct bl_buf out;

    t->input = bl_text_read(t->arena, text);
    run_trial(t);
    if (t->refused) {
        bl_session_say(&scene->session, (bl_str){NULL, 0}, t->reason);
        return BL_EXIT_INTERNAL;
    }
    bl_buf_init(&out, t->arena, LINE_BYTES);
    if (json)
        json_line(t, NULL, &out);
    else if (explained)
        explain(t, &out);
    else
        bl_buf_put(&out, t->output);
    return bl_scene_print_quoted(scene, &out);
}

enum bl_exit bl_try_sanitizer(struct bl_scene *scene, const struct bl_arguments *arguments,
                              bl_str name)
{
    const struct bl_module *m = &scene->session.module;
    uint32_t entry = bl_module_entry(m, BL_ENTRY_SANITIZER, name);
    bl_str text, why = {NULL, 0};
    struct trial t = {.scene = scene,
                      .arena = &scene->arena,
                      .entry = entry,
                      .world = bl_sim_world(scene->sim)};

    if (entry == BL_NONE) {
        bl_session_say(&scene->session, name, BL_STR("The policy has no such sanitizer."));
        return BL_EXIT_USAGE;
    }
    if (bl_file_read(&scene->session.arena, BL_STR("-"), (size_t)bl_limit(BL_LIMIT_WORLD_BYTES),
                     &text, &why) != BL_FILE_READ) {
        bl_session_say(&scene->session, BL_STR("-"), why);
        return BL_EXIT_INPUT;
    }
    if (bl_argument_is(arguments, "jsonl"))
        return all_lines(&t, text, name);
    return one_text(&t, text, bl_argument_is(arguments, "json"),
                    bl_argument_is(arguments, "explain"));
}
