/* SPDX-License-Identifier: Apache-2.0 */
#include "bylaw/text_input.h"
#include "bylaw/try_text.h"
#include "bylaw/unknown.h"
#include "secret/view_rounds.h"

#include <string.h>

/* bylaw try secrets NAME, bylaw try redaction NAME: a text in, the text with what was found
 * hidden out; with --jsonl line by line. */

#define NOTHING ((bl_str){NULL, 0})

struct finding {
    bl_str kind;
    size_t start, end;
    uint32_t source, place; /* of the row */
    uint32_t bits, seen;    /* of bl_secret_finding */
    bl_str label;           /* of a mask: where it is from */
};
struct outcome {
    bl_str output;
    BL_VEC(struct finding) findings;
    bool refused;
    bl_str problem;
};

struct trial {
    struct bl_scene *scene;
    struct bl_arena *arena; /* of one text */
    const struct bl_module *m;
    bool is_redaction;
    uint32_t index;
    unsigned char key[BL_REDACTION_KEY_BYTES];
    const struct bl_environment_variable *environment;
    size_t environment_count;
};

/* ---- one text -----------------------------------------------------------------------------
 */

static bool add_finding(struct trial *t, struct outcome *out, struct finding finding)
{
    struct finding *slot = BL_PUSH(t->arena, out->findings);
    if (slot != NULL)
        *slot = finding;
    return slot != NULL;
}

/* What overlaps is hidden together, under the first kind. */
static void hide(struct trial *t, bl_str text, struct outcome *out)
{
    struct bl_buf buf;
    size_t at = 0;

    bl_buf_init(&buf, t->arena, t->arena->limit);
    for (size_t i = 0; i < out->findings.count;) {
        const struct finding *first = &out->findings.items[i];
        size_t end = first->end;
        for (i++; i < out->findings.count && out->findings.items[i].start < end; i++)
            end = out->findings.items[i].end > end ? out->findings.items[i].end : end;
        bl_buf_put(&buf, bl_str_slice(text, at, first->start));
        bl_buf_printf(&buf, "[%.*s]", BL_STR_ARG(first->kind));
        at = end;
    }
    bl_buf_put(&buf, bl_str_slice(text, at, text.len));
    out->output = bl_buf_str(&buf);
}

static enum bl_status try_secrets(struct trial *t, struct bl_machine *machine, bl_str text,
                                  struct outcome *out)
{
    struct bl_secret_findings found;
    enum bl_status status = bl_machine_secrets(machine, t->index, text, false, &found);

    for (size_t i = 0; status == BL_OK && i < found.list.count; i++) {
        const struct bl_secret_finding *f = &found.list.items[i];
        const struct bl_module_finder *row = &t->m->FINDERS_rows[f->finder];
        if (!add_finding(t, out,
                         (struct finding){bl_module_string(t->m, row->kind), f->lo, f->hi,
                                          row->source, row->lo, f->bits, f->seen, NOTHING}))
            status = BL_ERR_NOMEM;
    }
    if (status != BL_OK)
        return status;
    out->refused = found.list.count > 0;
    hide(t, text, out);
    return BL_OK;
}

static enum bl_status try_redaction(struct trial *t, struct bl_machine *machine, bl_str text,
                                    struct outcome *out)
{
    struct bl_secret_host host = bl_machine_host(machine);
    struct bl_redaction_input input = {.literal_count = 0};
    struct bl_redactor *redactor;
    struct bl_redacted redacted = {.steps = 0};

    memcpy(input.key, t->key, sizeof input.key);
    enum bl_status status =
        bl_redactor_create(t->arena, t->m, t->index, &host, &input, &redactor, &out->problem);
    if (status == BL_OK)
        status = bl_redact(redactor, t->arena, text, &redacted, &out->problem);
    for (size_t i = 0; status == BL_OK && i < redacted.list.count; i++) {
        const struct bl_redacted_span *span = &redacted.list.items[i];
        const struct bl_module_mask *row = &t->m->MASKS_rows[span->mask];
        if (!add_finding(t, out,
                         (struct finding){span->kind, span->lo, span->hi, row->place, row->lo,
                                          0, 0, span->source}))
            status = BL_ERR_NOMEM;
    }
    out->output = redacted.text;
    return status;
}

/* `world` and `settings` may be NULL: those of the command line. */
static enum bl_status try_text(struct trial *t, bl_str text, struct bl_sim *sim,
                               const struct bl_setting_values *settings, struct outcome *out)
{
    struct bl_run_options options = {.module = t->m,
                                     .world = bl_sim_world(sim),
                                     .job = BL_NONE,
                                     .now = t->scene->now,
                                     .settings = settings,
                                     .environment = t->environment,
                                     .environment_count = t->environment_count,
                                     .redaction_key = t->key};
    struct bl_text_run *run = NULL;

    *out = (struct outcome){.refused = false};
    enum bl_status status =
        bl_text_run_begin(t->arena, &options, &run, &t->scene->session.sink);
    if (status == BL_OK)
        status = t->is_redaction ? try_redaction(t, bl_text_run_machine(run), text, out)
                                 : try_secrets(t, bl_text_run_machine(run), text, out);
    if (status != BL_OK && out->problem.len == 0 && run != NULL)
        bl_text_run_report(run, status);
    return status;
}

/* ---- what is said -------------------------------------------------------------------------
 */

/* What was done to the text before anything was seen there. */
static void put_seen(uint32_t seen, struct bl_buf *buf)
{
    static const char *const steps[] = {[BL_VIEW_WITHOUT] = "leaving out what hides it",
                                        [BL_VIEW_SIGNS] = "decoding signs",
                                        [BL_VIEW_RUNS] = "decoding runs",
                                        [BL_VIEW_FOLDED] = "folding"};
    const char *before = ", seen after ";

    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        if ((seen >> i & 1u) == 0)
            continue;
        bl_buf_printf(buf, "%s%s", before, steps[i]);
        before = " and ";
    }
}

static void put_reason(struct trial *t, const struct outcome *out, struct bl_buf *buf)
{
    (void)t;
    if (out->findings.count == 0 || !out->refused)
        return;
    const struct finding *f = &out->findings.items[0];
    bl_buf_printf(buf, "%.*s at %zu to %zu", BL_STR_ARG(f->kind), f->start, f->end);
    put_seen(f->seen, buf);
    if (out->findings.count > 1)
        bl_buf_printf(buf, ", and %zu more", out->findings.count - 1);
}

static void put_json(struct trial *t, const struct bl_json *id, const struct outcome *out,
                     struct bl_buf *buf)
{
    struct bl_json_writer w;
    struct bl_buf reason;

    bl_json_writer_init(&w, buf, false);
    bl_try_answer_begin(&w, id, out->output);
    for (size_t i = 0; i < out->findings.count; i++) {
        const struct finding *f = &out->findings.items[i];
        bl_try_finding(&w, f->kind, f->start, f->end,
                       bl_try_place(t->scene, t->arena, f->source, f->place));
    }
    bl_buf_init(&reason, t->arena, 4096);
    put_reason(t, out, &reason);
    bl_try_answer_end(&w, false, out->refused, bl_buf_str(&reason));
}

static void put_explanation(struct trial *t, const struct outcome *out, struct bl_buf *buf)
{
    for (size_t i = 0; i < out->findings.count; i++) {
        const struct finding *f = &out->findings.items[i];
        bl_buf_printf(buf, "%zu-%zu: %.*s", f->start, f->end, BL_STR_ARG(f->kind));
        if (f->bits > 0)
            bl_buf_printf(buf, " (%zu characters, %u bits more than code would take)",
                          f->end - f->start, f->bits);
        put_seen(f->seen, buf);
        if (f->label.len > 0) {
            BL_PUT(buf, " from ");
            bl_report_visible(f->label, buf);
        }
        BL_PUT(buf, ", by ");
        bl_buf_put(buf, bl_try_place(t->scene, t->arena, f->source, f->place));
        BL_PUT(buf, "\n");
    }
    if (out->findings.count == 0)
        BL_PUT(buf, "Nothing was found.\n");
}

static enum bl_exit failed(struct trial *t, enum bl_status status, const struct outcome *out)
{
    if (out->problem.len > 0)
        bl_session_say(&t->scene->session, NOTHING, out->problem);
    else if (status == BL_ERR_NOMEM)
        bl_session_say(&t->scene->session, NOTHING, BL_STR("Out of memory."));
    return status == BL_ERR_INVALID ? BL_EXIT_POLICY
                                    : (enum bl_exit)bl_run_exit_code(status, NULL);
}

static void one_line(void *context, struct bl_arena *arena, struct bl_try_line *line,
                     struct bl_buf *buf)
{
    struct trial t = *(const struct trial *)context;
    struct outcome out;

    t.arena = arena;
    enum bl_status status = try_text(&t, line->input, line->sim, line->settings, &out);
    if (status != BL_OK) {
        line->problem =
            out.problem.len > 0 ? out.problem : BL_STR("The text could not be looked through.");
        return;
    }
    line->refused = out.refused;
    put_json(&t, line->id, &out, buf);
}

/* ---- the command --------------------------------------------------------------------------
 */

static enum bl_exit try_input(struct trial *t, const struct bl_arguments *arguments)
{
    struct bl_session *session = &t->scene->session;
    struct outcome out;
    struct bl_buf buf;
    bl_str input, why = NOTHING;

    if (bl_file_read(&session->arena, BL_STR("-"), (size_t)bl_limit(BL_LIMIT_WORLD_BYTES),
                     &input, &why) != BL_FILE_READ) {
        bl_session_say(session, BL_STR("-"), why);
        return BL_EXIT_INPUT;
    }
    if (bl_argument_is(arguments, "jsonl"))
        return bl_try_lines(t->scene, input, one_line, t);
    enum bl_status status = try_text(t, input, t->scene->sim, NULL, &out);
    if (status != BL_OK)
        return failed(t, status, &out);
    bl_buf_init(&buf, t->arena, t->arena->limit);
    if (bl_argument_is(arguments, "explain"))
        put_explanation(t, &out, &buf);
    else if (bl_argument_is(arguments, "json"))
        put_json(t, NULL, &out, &buf);
    else
        bl_buf_put(&buf, out.output);
    enum bl_exit exit = bl_scene_print_quoted(t->scene, &buf);
    return exit == BL_EXIT_OK && out.refused ? BL_EXIT_FINDINGS : exit;
}

enum bl_exit bl_try_texts(struct bl_scene *scene, const struct bl_arguments *arguments,
                          bl_str kind, bl_str name)
{
    struct trial t = {.scene = scene,
                      .arena = &scene->arena,
                      .m = &scene->session.module,
                      .is_redaction = bl_str_equal(kind, BL_STR("redaction"))};
    struct bl_environment_variable *environment = NULL;
    enum bl_exit exit = bl_scene_load_text(scene, arguments);

    if (exit != BL_EXIT_OK)
        return exit;
    t.index = t.is_redaction ? bl_texts_redaction(t.m, name) : bl_texts_secrets(t.m, name);
    if (t.index == BL_NONE)
        return t.is_redaction ? bl_unknown_redaction(&scene->session, name)
                              : bl_unknown_secrets(&scene->session, name);
    exit = bl_texts_key(&scene->session, bl_argument(arguments, "key", NOTHING), t.key);
    if (exit == BL_EXIT_OK &&
        !bl_texts_environment(&scene->arena, &environment, &t.environment_count))
        exit = BL_EXIT_INTERNAL;
    t.environment = environment;
    return exit == BL_EXIT_OK ? try_input(&t, arguments) : exit;
}
