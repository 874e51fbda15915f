/* SPDX-License-Identifier: Apache-2.0 */
#include "bylaw/try_text.h"
#include "run/run.h"
#include "text/patch.h"

/* bylaw try check NAME, bylaw try screen NAME: a check that asks about one text or one patch
 * gets it from standard input and says its verdict; with --jsonl line by line. */

#define NOTHING ((bl_str){NULL, 0})

struct trial {
    struct bl_scene *scene;
    struct bl_arena *arena; /* of one text */
    uint32_t entry;
    bl_str name;
    bool is_patch;
    bl_str input;
    const struct bl_setting_values *settings;
    const struct bl_world *world;
    struct bl_object *patch; /* NULL: a text */
    /* What came of it: */
    bool passes;
    bl_str rule, words;
    struct bl_verdict_place place;
    size_t lo, hi;       /* the bytes that the row refused */
    struct bl_buf where; /* in a patch: the file and the line; empty */
};

bool bl_try_takes_text(const struct bl_module *m, uint32_t entry)
{
    if (entry == BL_NONE)
        return false;
    const struct bl_function *f = &m->FUNCTIONS_rows[m->ENTRIES_rows[entry].function];
    if (f->param_count != 1)
        return false;
    bl_type type = bl_module_registers(m, f)[0];
    return bl_type_is(type, BL_TYPE_TEXT) || bl_type_is(type, BL_TYPE_UNTRUSTED) ||
           type == BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_PATCH);
}

static bool takes_patch(const struct bl_module *m, uint32_t entry)
{
    const struct bl_function *f = &m->FUNCTIONS_rows[m->ENTRIES_rows[entry].function];

    return bl_type_is(bl_module_registers(m, f)[0], BL_TYPE_ENTITY);
}

/* ---- where it is refused ------------------------------------------------------------------
 */

/* Of a part of the input, where it stands there. */
static bool is_inside(const struct trial *t, bl_str part)
{
    return part.len > 0 && part.ptr >= t->input.ptr &&
           part.ptr + part.len <= t->input.ptr + t->input.len;
}

static void set_span(struct trial *t, bl_str part)
{
    t->lo = (size_t)(part.ptr - t->input.ptr);
    t->hi = t->lo + part.len;
}

/* The line of the patch that cannot be read. */
static void find_problem(struct trial *t, const struct bl_patch *patch)
{
    size_t line = 1;

    while (line < patch->problem_line && t->lo < t->input.len) {
        size_t end = bl_str_find_char(bl_str_slice(t->input, t->lo, t->input.len), '\n');
        t->lo = end == SIZE_MAX ? t->input.len : t->lo + end + 1;
        line++;
    }
    if (patch->problem_line > 0) {
        size_t end = bl_str_find_char(bl_str_slice(t->input, t->lo, t->input.len), '\n');
        t->hi = end == SIZE_MAX ? t->input.len : t->lo + end;
        bl_buf_printf(&t->where, "line %zu of the patch: ", patch->problem_line);
    }
    bl_buf_put(&t->where, patch->problem);
}

static void find_file(struct trial *t, const struct bl_patch *patch,
                      const struct bl_object *file, const struct bl_object *line)
{
    if (file == NULL || file->key < 1 || (size_t)file->key > patch->files.count)
        return;
    const struct bl_patch_file *found = &patch->files.items[file->key - 1];
    t->lo = found->lo;
    t->hi = found->hi;
    bl_report_visible(found->path, &t->where);
    if (line == NULL)
        return;
    bl_buf_printf(&t->where, ":%lld", (long long)line->key);
    if (is_inside(t, line->name))
        set_span(t, line->name);
}

/* The innermost thing that the row was asked about: a line, a file, a part of the text; else
 * all of it. */
static void find_place(struct trial *t)
{
    struct bl_patch patch = {.steps = 0};
    const struct bl_object *file = NULL, *line = NULL;

    t->hi = t->input.len;
    for (size_t i = 0; i < t->place.item_count; i++) {
        struct bl_object *thing = bl_object_of(t->place.items[i]);
        if (thing != NULL && thing->entity == BL_ENTITY_PATCH_LINE && line == NULL)
            line = thing;
        else if (thing != NULL && thing->entity == BL_ENTITY_PATCH_FILE && file == NULL)
            file = thing;
        else if (!t->is_patch && is_inside(t, bl_text_of(t->place.items[i])))
            set_span(t, bl_text_of(t->place.items[i]));
    }
    /* A row may refuse a patch that nobody read. */
    if (!t->is_patch || !bl_object_knows(t->patch, BL_FIELD_PATCH_READABLE) ||
        bl_patch_read(t->arena, t->input, &patch) != BL_OK)
        return;
    if (patch.problem.len > 0)
        find_problem(t, &patch);
    else
        find_file(t, &patch, file, line);
}

/* ---- one text ---------------------------------------------------------------------------- */

static enum bl_status run_trial(struct trial *t, struct bl_diagnostics *sink)
{
    const struct bl_scene *scene = t->scene;
    struct bl_value argument = bl_text(t->input);
    struct bl_value value = bl_absent();
    struct bl_run_options options = {.module = &scene->session.module,
                                     .world = t->world,
                                     .job = BL_NONE,
                                     .now = scene->now,
                                     .settings = t->settings,
                                     .arguments = &argument,
                                     .argument_count = 1,
                                     .verdict = &t->place};

    if (t->is_patch) {
        t->patch = bl_patch_thing(t->arena, t->input);
        if (t->patch == NULL)
            return BL_ERR_NOMEM;
        argument = bl_object_value(t->patch);
    }
    bl_buf_init(&t->where, t->arena, (size_t)bl_limit(BL_LIMIT_TEXT_BYTES));
    enum bl_status status = bl_run_ask(t->arena, &options, t->entry, &value, sink);
    struct bl_object *verdict = bl_object_of(value);
    if (status == BL_OK && verdict == NULL)
        return BL_ERR_INTERNAL;
    if (status != BL_OK)
        return status;
    t->passes = bl_object_get(verdict, BL_FIELD_VERDICT_PASSES).as.i != 0;
    t->rule = bl_text_of(bl_object_get(verdict, BL_FIELD_VERDICT_RULE));
    t->words = bl_text_of(bl_object_get(verdict, BL_FIELD_VERDICT_TEXT));
    if (!t->passes)
        find_place(t);
    return BL_OK;
}

static bl_str row_of(struct trial *t)
{
    const struct bl_map_row *row = bl_module_place(&t->scene->session.module, t->place.insn);

    return row != NULL ? bl_try_place(t->scene, t->arena, row->source, row->lo) : NOTHING;
}

/* ---- what is said ------------------------------------------------------------------------ */

static bl_str verdict_words(struct trial *t)
{
    struct bl_buf out;

    bl_buf_init(&out, t->arena, (size_t)2 * bl_limit(BL_LIMIT_TEXT_BYTES));
    bl_buf_put(&out, t->passes ? BL_STR("passes: ") : BL_STR("refuses: "));
    bl_report_visible(t->rule, &out);
    if (!t->passes) {
        BL_PUT(&out, " — ");
        bl_report_visible(t->words, &out);
    }
    if (t->where.len > 0)
        bl_buf_printf(&out, " (%.*s)", BL_STR_ARG(bl_buf_str(&t->where)));
    return bl_buf_str(&out);
}

static void put_json(struct trial *t, const struct bl_json *id, struct bl_buf *out)
{
    struct bl_json_writer w;
    struct bl_buf reason;

    bl_json_writer_init(&w, out, false);
    bl_try_answer_begin(&w, id, verdict_words(t));
    if (!t->passes)
        bl_try_finding(&w, t->rule, t->lo, t->hi, row_of(t));
    bl_buf_init(&reason, t->arena, (size_t)2 * bl_limit(BL_LIMIT_TEXT_BYTES));
    if (!t->passes)
        bl_buf_put(&reason, t->words);
    if (t->where.len > 0)
        bl_buf_printf(&reason, " (%.*s)", BL_STR_ARG(bl_buf_str(&t->where)));
    bl_try_answer_end(&w, false, !t->passes, bl_buf_str(&reason));
}

static void put_explanation(struct trial *t, struct bl_buf *out)
{
    if (t->passes)
        bl_buf_printf(out, "%.*s, by ", BL_STR_ARG(verdict_words(t)));
    else
        bl_buf_printf(out, "%zu-%zu: %.*s, by ", t->lo, t->hi, BL_STR_ARG(verdict_words(t)));
    bl_buf_put(out, row_of(t));
    BL_PUT(out, "\n");
}

/* ---- lines, and one text ------------------------------------------------------------------
 */

static void one_line(void *context, struct bl_arena *arena, struct bl_try_line *line,
                     struct bl_buf *out)
{
    struct trial t = *(const struct trial *)context;
    struct bl_diagnostics sink;

    t.arena = arena;
    t.input = line->input;
    t.settings = line->settings;
    t.world = bl_sim_world(line->sim);
    bl_diagnostics_init(&sink, arena, 16);
    enum bl_status status = run_trial(&t, &sink);
    if (status != BL_OK) {
        line->problem = bl_try_failure(t.arena, "check", status);
        return;
    }
    line->refused = !t.passes;
    put_json(&t, line->id, out);
}

static enum bl_exit one_text(struct trial *t, const struct bl_arguments *arguments)
{
    struct bl_buf out;
    enum bl_status status = run_trial(t, &t->scene->session.sink);

    if (status != BL_OK)
        return (enum bl_exit)bl_run_exit_code(status, NULL);
    bl_buf_init(&out, t->arena, t->arena->limit);
    if (bl_argument_is(arguments, "explain"))
        put_explanation(t, &out);
    else if (bl_argument_is(arguments, "json"))
        put_json(t, NULL, &out);
    else
        bl_buf_printf(&out, "%.*s: %.*s\n", BL_STR_ARG(t->name), BL_STR_ARG(verdict_words(t)));
    enum bl_exit exit = bl_scene_print_quoted(t->scene, &out);
    return exit == BL_EXIT_OK && !t->passes ? BL_EXIT_FINDINGS : exit;
}

enum bl_exit bl_try_check(struct bl_scene *scene, const struct bl_arguments *arguments,
                          bl_str name, uint32_t entry)
{
    bl_str text, why = NOTHING;
    struct trial t = {.scene = scene,
                      .arena = &scene->arena,
                      .entry = entry,
                      .name = name,
                      .is_patch = takes_patch(&scene->session.module, entry),
                      .world = scene->world};

    if (bl_file_read(&scene->session.arena, BL_STR("-"), (size_t)bl_limit(BL_LIMIT_WORLD_BYTES),
                     &text, &why) != BL_FILE_READ) {
        bl_session_say(&scene->session, BL_STR("-"), why);
        return BL_EXIT_INPUT;
    }
    if (bl_argument_is(arguments, "jsonl"))
        return bl_try_lines(scene, text, one_line, &t);
    /* Git would take the bytes of a patch as they are. */
    t.input = t.is_patch ? text : bl_text_read(t.arena, text);
    return one_text(&t, arguments);
}
