/* SPDX-License-Identifier: Apache-2.0 */
#include "bylaw/redact_questions.h"

/* What redact-check is asked about the redaction itself: which questions there are, and the one
 * answer to all of them. */

#define NOTHING ((bl_str){NULL, 0})

static const struct {
    const char *option;
    bool needs_sample;
    enum bl_exit (*answer)(struct bl_check_answer *a);
} questions[] = {
    {"list-kinds", false, bl_answer_kinds},     {"explain", true, bl_answer_explain},
    {"idempotent", true, bl_answer_idempotent}, {"chunk", true, bl_answer_chunk},
    {"probe", false, bl_answer_probe},
};
#define QUESTIONS (sizeof questions / sizeof questions[0])

bool bl_check_has_questions(const struct bl_check *c)
{
    for (size_t i = 0; i < QUESTIONS; i++) {
        if (bl_check_given(c, questions[i].option) > 0)
            return true;
    }
    return false;
}

bool bl_check_needs_no_sample(const struct bl_check *c)
{
    for (size_t i = 0; i < QUESTIONS; i++) {
        if (bl_check_given(c, questions[i].option) > 0 && questions[i].needs_sample)
            return false;
    }
    return bl_check_has_questions(c) && c->arguments->operands.count == 0;
}

/* ---- parts of an answer ------------------------------------------------------------------ */

enum bl_exit bl_answer_mask(struct bl_check_answer *a, struct bl_redactor *redactor,
                            bl_str text, struct bl_redacted *out)
{
    struct bl_check *c = a->c;
    bl_str problem = NOTHING;

    bl_text_run_renew(c->run);
    enum bl_status status = c->is_trajectory
                                ? bl_check_trajectory(redactor, &c->work, text, out, &problem)
                                : bl_redact(redactor, &c->work, text, out, &problem);
    return status == BL_OK ? BL_EXIT_OK : bl_check_failed(c, NOTHING, status, problem);
}

bl_str bl_answer_place(struct bl_check_answer *a, uint32_t source, uint32_t lo)
{
    return bl_texts_place(&a->c->session, &a->c->arena, source, lo);
}

struct bl_pattern bl_answer_pattern(const struct bl_check_answer *a, uint32_t index)
{
    const struct bl_module *m = &a->c->session.module;
    const struct bl_module_blob *row = &m->PATTERNS_rows[index];

    return (struct bl_pattern){m->BLOBS_rows + row->first, (size_t)row->count * 8};
}

void bl_answer_text(struct bl_check_answer *a, const char *key, bl_str value)
{
    bl_json_key(&a->w, bl_str_from(key));
    bl_json_string(&a->w, value);
}

void bl_answer_number(struct bl_check_answer *a, const char *key, uint64_t value)
{
    bl_json_key(&a->w, bl_str_from(key));
    bl_json_integer(&a->w, (int64_t)value);
}

void bl_answer_bool(struct bl_check_answer *a, const char *key, bool value)
{
    bl_json_key(&a->w, bl_str_from(key));
    bl_json_bool(&a->w, value);
}

/* ---- the sample -------------------------------------------------------------------------- */

/* As a whole: questions are asked about a sample that somebody looks at. */
static enum bl_exit read_sample(struct bl_check_answer *a)
{
    struct bl_check *c = a->c;
    bl_str why = NOTHING;

    a->has_sample = bl_check_given(c, "text") > 0 || c->sources.count > 0;
    a->sample = c->text;
    if (c->sources.count > 1)
        return bl_check_say(c, NOTHING,
                            BL_STR("Ask about one sample at a time: --explain, --idempotent, "
                                   "--chunk, --probe and --list-kinds take one file."),
                            BL_EXIT_USAGE);
    if (c->sources.count == 0 || bl_check_given(c, "text") > 0)
        return BL_EXIT_OK;
    bl_str path = c->sources.items[0].path;
    if (bl_file_read(&c->arena, path, (size_t)bl_limit(BL_LIMIT_WORLD_BYTES), &a->sample,
                     &why) != BL_FILE_READ)
        return bl_check_say(c, path, why, BL_EXIT_UNREADABLE);
    return BL_EXIT_OK;
}

/* ---- all of them ------------------------------------------------------------------------- */

static enum bl_exit wrong_use(struct bl_check *c)
{
    if (c->format == BL_CHECK_SARIF)
        return bl_check_say(c, NOTHING,
                            BL_STR("--sarif shows matches. Use --json for --list-kinds, "
                                   "--explain, --idempotent, --chunk and --probe."),
                            BL_EXIT_USAGE);
    if (c->residue != BL_NONE)
        return bl_check_say(c, NOTHING,
                            BL_STR("--residue looks at a masked sample; ask the rest in a run "
                                   "of its own."),
                            BL_EXIT_USAGE);
    return BL_EXIT_OK;
}

static enum bl_exit print(struct bl_check_answer *a)
{
    struct bl_quoted_output out;

    if (a->out.failed)
        return bl_check_out_of_memory(a->c);
    bl_quoted_begin(&out, a->json);
    bl_quoted_put(&out, bl_buf_str(&a->out));
    return bl_quoted_end(&out)
               ? BL_EXIT_OK
               : bl_check_say(a->c, NOTHING, BL_STR("Standard output is closed or full."),
                              BL_EXIT_INTERNAL);
}

static void begin(struct bl_check_answer *a)
{
    bl_buf_init(&a->out, &a->c->arena, (size_t)bl_limit(BL_LIMIT_WORLD_BYTES));
    bl_json_writer_init(&a->w, &a->out, true);
    if (!a->json)
        return;
    bl_json_begin_object(&a->w);
    bl_answer_text(a, "artifact_kind", BL_STR("redact_check_answer"));
    bl_json_key(&a->w, BL_STR("schema_version"));
    bl_json_begin_object(&a->w);
    bl_answer_number(a, "major", 1);
    bl_answer_number(a, "minor", 0);
    bl_json_end_object(&a->w);
}

enum bl_exit bl_check_questions(struct bl_check *c)
{
    struct bl_check_answer a = {.c = c, .json = bl_argument_is(c->arguments, "json")};
    enum bl_exit exit;

    c->format = bl_argument_is(c->arguments, "sarif") ? BL_CHECK_SARIF : BL_CHECK_TEXT;
    if (bl_machine_values(bl_text_run_machine(c->run), &c->work) != BL_OK)
        return bl_check_out_of_memory(c);
    exit = wrong_use(c);
    if (exit == BL_EXIT_OK)
        exit = read_sample(&a);
    begin(&a);
    for (size_t i = 0; i < QUESTIONS && exit == BL_EXIT_OK; i++) {
        if (bl_check_given(c, questions[i].option) > 0)
            exit = questions[i].answer(&a);
        bl_arena_reset(&c->work);
    }
    if (exit != BL_EXIT_OK)
        return exit;
    if (a.json) {
        bl_answer_bool(&a, "fails", a.failed);
        bl_json_end_object(&a.w);
        BL_PUT(&a.out, "\n");
    }
    exit = print(&a);
    return exit == BL_EXIT_OK && a.failed ? (enum bl_exit)BL_EXIT_DOUBTS : exit;
}
