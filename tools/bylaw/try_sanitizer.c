/* SPDX-License-Identifier: Apache-2.0 */
#include "bylaw/try_text.h"
#include "bylaw/unknown.h"
#include "run/run.h"
#include "text/clean.h"

/* bylaw try sanitizer NAME */

#define LINE_BYTES ((size_t)64 << 20)

/* One text and what became of it. */
struct trial {
    struct bl_scene *scene;
    struct bl_arena *arena;
    bl_str name;
    uint32_t entry;
    bl_str input;
    const struct bl_setting_values *settings;
    const struct bl_world *world;
    bl_str output;
    struct bl_cleaned cleaned;
    bool refused;
    bl_str reason;
};

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
    t->reason =
        t->refused ? bl_try_failure(t->arena, "sanitizer", status) : t->cleaned.fallback;
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

static const struct bl_module_sanitizer *sanitizer_of(const struct trial *t)
{
    const struct bl_module *m = &t->scene->session.module;

    for (uint32_t i = 0; i < m->SANITIZERS_count; i++) {
        if (bl_str_equal(bl_module_string(m, m->SANITIZERS_rows[i].name), t->name))
            return &m->SANITIZERS_rows[i];
    }
    return NULL;
}

static bl_str rule_of(struct trial *t, const struct bl_clean_finding *finding)
{
    const struct bl_module *m = &t->scene->session.module;
    const struct bl_module_sanitizer *own = sanitizer_of(t);
    uint32_t row = finding->rule;

    for (uint32_t i = 0; own != NULL && row == BL_NONE && i < own->count; i++) {
        if (m->CLEAN_ROWS_rows[own->first_row + i].word == (uint32_t)finding->word)
            row = own->first_row + i;
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

static void json_findings(struct trial *t, struct bl_json_writer *w)
{
    bl_str seen = t->cleaned.text;
    uint32_t *map = align(t->arena, t->input, seen);
    struct span gap;
    size_t at = 0;

    while (map != NULL && seen.ptr != NULL &&
           next_gap(map, seen.len, t->input.len, &at, &gap) > 0)
        bl_try_finding(w, BL_STR("stripped"), gap.lo, gap.hi,
                       BL_STR("strip, trim, one_line, cut"));
    for (size_t i = 0; map != NULL && i < t->cleaned.finding_count; i++) {
        const struct bl_clean_finding *finding = &t->cleaned.findings[i];
        struct span span = in_input(map, seen.len, finding);
        if (!is_kept(finding))
            bl_try_finding(w, finding->kind, span.lo, span.hi, rule_of(t, finding));
    }
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
    bl_try_answer_begin(&w, id, t->output);
    json_findings(t, &w);
    bl_try_answer_end(&w, t->cleaned.fallback.len > 0, t->refused, t->reason);
}

static void one_line(void *context, struct bl_arena *arena, struct bl_try_line *line,
                     struct bl_buf *out)
{
    struct trial t = *(const struct trial *)context;

    const struct bl_module_sanitizer *own = sanitizer_of(&t);
    enum bl_place place = bl_place_find(line->place);

    if (line->place.len > 0 &&
        (own == NULL || place == BL_PLACE_COUNT || (own->places & 1u << place) == 0)) {
        line->problem = BL_STR("The sanitizer is not for this place.");
        return;
    }
    t.arena = arena;
    t.input = line->input;
    t.settings = line->settings;
    t.world = bl_sim_world(line->sim);
    run_trial(&t);
    line->refused = t.refused;
    json_line(&t, line->id, out);
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
                      .name = name,
                      .entry = entry,
                      .world = bl_sim_world(scene->sim)};

    if (entry == BL_NONE)
        return bl_unknown_entry(&scene->session, "sanitizer", BL_ENTRY_SANITIZER, name);
    if (bl_file_read(&scene->session.arena, BL_STR("-"), (size_t)bl_limit(BL_LIMIT_WORLD_BYTES),
                     &text, &why) != BL_FILE_READ) {
        bl_session_say(&scene->session, BL_STR("-"), why);
        return BL_EXIT_INPUT;
    }
    if (bl_argument_is(arguments, "jsonl"))
        return bl_try_lines(scene, text, one_line, &t);
    return one_text(&t, text, bl_argument_is(arguments, "json"),
                    bl_argument_is(arguments, "explain"));
}
