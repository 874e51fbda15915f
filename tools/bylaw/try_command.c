/* SPDX-License-Identifier: Apache-2.0 */
#include "bylaw/scene.h"
#include "bylaw/text_input.h"
#include "bylaw/try_text.h"
#include "bylaw/unknown.h"
#include "run/explain.h"
#include "run/run.h"

/* bylaw try: one declaration alone. */

static const struct bl_option options[] = {
    BL_SCENE_OPTIONS,
    {"jsonl", 0, NULL, 0, NULL,
     "Of texts: read lines {\"id\", \"input\"}, and \"place\", \"settings\", \"world\" where "
     "they differ; write a line for each."},
    {"explain", 0, NULL, 0, NULL,
     "Of texts: say span by span what was done or found, and which row did it."},
    {"key", 0, "FILE", 0, NULL,
     "Of a redaction: what its markers are made with, so that they are the same next time. "
     "Default: chance."},
};

static const struct bl_command_line line = {
    .tool = "bylaw try",
    .usage = "decision|check|screen|sanitizer|secrets|redaction NAME [options]",
    .summary = "tries one declaration of a policy",
    .about =
        "Prints the value that the decision gives for the event, or the verdict of the check.\n"
        "On standard input a check or screen takes its text or patch (others with parameters "
        "of\n"
        "their own cannot be tried alone); one that refuses gives exit code 1. A sanitizer, a\n"
        "redaction and a set of secrets take a text there and write what becomes of it: "
        "cleaned,\n"
        "masked, or with what was found hidden, which gives exit code 1. Values of secrets "
        "are\n"
        "never printed. Without a world the repository is empty.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .operand = "WORD",
    .examples =
        "  bylaw try decision next_task -p policies/issue_assistant -e issue.json -n issues\n",
};

static enum bl_exit usage(struct bl_scene *scene, const char *sentence)
{
    bl_session_say(&scene->session, (bl_str){NULL, 0}, bl_str_from(sentence));
    return BL_EXIT_USAGE;
}

static enum bl_exit unknown_kind(struct bl_scene *scene, const struct bl_arguments *arguments)
{
    static const char *const kinds[] = {"decision",  "check",   "screen",
                                        "sanitizer", "secrets", "redaction"};
    struct bl_likeness like = bl_likeness_begin(
        arguments->operands.count > 0 ? arguments->operands.items[0] : (bl_str){NULL, 0});
    struct bl_buf out;

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        bl_likeness_consider(&like, bl_str_from(kinds[i]));
    if (like.best.len == 0 || arguments->operands.count != 2 || like.distance == 0)
        return usage(scene,
                     "Say what to try: 'bylaw try decision NAME', or check, screen, sanitizer, "
                     "secrets, redaction.");
    bl_buf_init(&out, &scene->session.arena, 1024);
    BL_PUT(&out, "Nothing of the kind '");
    bl_report_visible(like.name, &out);
    bl_buf_printf(&out, "' can be tried. Did you mean '%.*s'?", BL_STR_ARG(like.best));
    bl_session_say(&scene->session, (bl_str){NULL, 0}, bl_buf_str(&out));
    return BL_EXIT_USAGE;
}

/* What can be asked by its name, and answers with a value. */
static const struct {
    const char *word;
    enum bl_entry_kind kind;
} asked[] = {
    {"decision", BL_ENTRY_DECISION}, {"check", BL_ENTRY_CHECK}, {"screen", BL_ENTRY_SCREEN}};
#define ASKED (sizeof asked / sizeof asked[0])

/* Its place in the table; ASKED. */
static size_t asked_by(bl_str word)
{
    size_t at = 0;

    while (at < ASKED && !bl_str_equal(word, bl_str_from(asked[at].word)))
        at++;
    return at;
}

/* Of another kind, or of no name that is there. */
static enum bl_exit not_there(struct bl_scene *scene, size_t which, bl_str name)
{
    struct bl_buf out;

    for (size_t i = 0; i < ASKED; i++) {
        if (bl_module_entry(&scene->session.module, asked[i].kind, name) == BL_NONE)
            continue;
        bl_buf_init(&out, &scene->session.arena, 1024);
        bl_buf_printf(&out, "'%.*s' is a %s: 'bylaw try %s %.*s'.", BL_STR_ARG(name),
                      asked[i].word, asked[i].word, BL_STR_ARG(name));
        bl_session_say(&scene->session, (bl_str){NULL, 0}, bl_buf_str(&out));
        return BL_EXIT_USAGE;
    }
    return bl_unknown_entry(&scene->session, asked[which].word, asked[which].kind, name);
}

static void describe(struct bl_scene *scene, bl_str name, struct bl_value value,
                     struct bl_buf *out, bool json)
{
    struct bl_value_names names = bl_machine_names(&scene->session.module);
    struct bl_buf text;
    bl_buf_init(&text, &scene->session.arena, 65536);
    bool refuses = false;
    if (value.tag == BL_V_OBJECT && value.as.object->entity == BL_ENTITY_VERDICT) {
        struct bl_value passes = bl_object_get(value.as.object, BL_FIELD_VERDICT_PASSES);
        refuses = passes.as.i == 0;
        bl_buf_put(&text, refuses ? BL_STR("refuses: ") : BL_STR("passes: "));
        bl_report_visible(bl_text_of(bl_object_get(value.as.object, BL_FIELD_VERDICT_RULE)),
                          &text);
        if (refuses) {
            BL_PUT(&text, " — ");
            bl_report_visible(bl_text_of(bl_object_get(value.as.object, BL_FIELD_VERDICT_TEXT)),
                              &text);
        }
    } else if (bl_is_absent(value)) {
        BL_PUT(&text, "none");
    } else {
        bl_value_describe(&text, value, &names);
    }
    if (!json) {
        bl_buf_printf(out, "%.*s: %.*s\n", BL_STR_ARG(name), BL_STR_ARG(bl_buf_str(&text)));
        return;
    }
    struct bl_json_writer w;
    bl_json_writer_init(&w, out, true);
    bl_json_begin_object(&w);
    bl_json_key(&w, BL_STR("name"));
    bl_json_string(&w, name);
    bl_json_key(&w, BL_STR("value"));
    bl_json_string(&w, bl_buf_str(&text));
    bl_json_key(&w, BL_STR("refuses"));
    bl_json_bool(&w, refuses);
    bl_json_end_object(&w);
    BL_PUT(out, "\n");
}

static bool is_refusal(struct bl_value value)
{
    return value.tag == BL_V_OBJECT && value.as.object->entity == BL_ENTITY_VERDICT &&
           bl_object_get(value.as.object, BL_FIELD_VERDICT_PASSES).as.i == 0;
}

static enum bl_exit try_entry(struct bl_scene *scene, const struct bl_arguments *arguments,
                              enum bl_entry_kind kind, bl_str name)
{
    const struct bl_module *m = &scene->session.module;
    uint32_t entry = bl_module_entry(m, kind, name);
    if (m->FUNCTIONS_rows[m->ENTRIES_rows[entry].function].param_count > 0)
        return usage(scene, "It has parameters, so it cannot be asked alone; a test can.");
    struct bl_run_options options_of_run = {.module = m,
                                            .world = scene->world,
                                            .event = scene->has_event ? &scene->event : NULL,
                                            .job = BL_NONE,
                                            .now = scene->now};
    struct bl_value value;
    if (!bl_texts_redactions(&scene->arena, &options_of_run))
        return usage(scene, "There is no memory, or the system has no random numbers.");
    struct bl_buf out;
    enum bl_status status =
        bl_run_ask(&scene->arena, &options_of_run, entry, &value, &scene->session.sink);
    if (status != BL_OK)
        return status == BL_ERR_INVALID || (status == BL_ERR_READ && !scene->has_world)
                   ? BL_EXIT_INPUT
                   : (enum bl_exit)bl_run_exit_code(status, NULL);
    bl_buf_init(&out, &scene->session.arena, 1 << 20);
    describe(scene, name, value, &out, bl_argument_is(arguments, "json"));
    enum bl_exit exit = bl_scene_print_quoted(scene, &out);
    return exit == BL_EXIT_OK && is_refusal(value) ? BL_EXIT_FINDINGS : exit;
}

static bool is_of_secrets(bl_str word)
{
    return bl_str_equal(word, BL_STR("secrets")) || bl_str_equal(word, BL_STR("redaction"));
}

static enum bl_exit try_one(struct bl_scene *scene, const struct bl_arguments *arguments)
{
    if (arguments->operands.count == 2 &&
        bl_str_equal(arguments->operands.items[0], BL_STR("sanitizer"))) {
        enum bl_exit exit = bl_scene_load_text(scene, arguments);
        return exit == BL_EXIT_OK
                   ? bl_try_sanitizer(scene, arguments, arguments->operands.items[1])
                   : exit;
    }
    if (arguments->operands.count == 2 && is_of_secrets(arguments->operands.items[0]))
        return bl_try_texts(scene, arguments, arguments->operands.items[0],
                            arguments->operands.items[1]);
    size_t which =
        arguments->operands.count == 2 ? asked_by(arguments->operands.items[0]) : ASKED;
    if (which == ASKED)
        return unknown_kind(scene, arguments);
    enum bl_entry_kind kind = asked[which].kind;
    bl_str name = arguments->operands.items[1];
    enum bl_exit exit = bl_scene_begin(scene, arguments);
    if (exit != BL_EXIT_OK)
        return exit;
    uint32_t entry = bl_module_entry(&scene->session.module, kind, name);
    if (entry == BL_NONE)
        return not_there(scene, which, name);
    if (kind != BL_ENTRY_DECISION && bl_try_takes_text(&scene->session.module, entry)) {
        exit = bl_scene_for_text(scene, arguments);
        return exit == BL_EXIT_OK ? bl_try_check(scene, arguments, name, entry) : exit;
    }
    exit = bl_scene_happen(scene, arguments, true);
    if (exit == BL_EXIT_OK && !scene->has_event)
        return BL_EXIT_INPUT;
    return exit == BL_EXIT_OK ? try_entry(scene, arguments, kind, name) : exit;
}

enum bl_exit bl_bylaw_try(int argc, char **argv)
{
    return bl_scene_command(&line, argc, argv, try_one);
}
