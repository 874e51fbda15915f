/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"
#include "bylaw/run_print.h"
#include "bylaw/store_files.h"
#include "bylaw/text_input.h"
#include "vm/records.h"

/* bylaw call ENTRY: an entry of a policy, on the stores of a folder. */

#define NOTHING ((bl_str){NULL, 0})

static const struct bl_option options[] = {
    {"policy", 'p', "PATH", BL_OPTION_MANY, NULL,
     "A .policy file, a folder of them, or one .pbc. Default: .github/bylaw.policy."},
    {"arguments", 'a', "FILE", 0, NULL,
     "What the entry takes, as a JSON object; '-' is standard input. In place of NAME=VALUE."},
    {"by", 0, "WHO", 0, "person|program",
     "Who calls. An entry with 'by person' takes no other call. Default: program."},
    {"stores", 0, "FOLDER", 0, NULL,
     "Where the files of the stores are. Default: the current folder."},
    {"now", 0, "TIME", 0, NULL, "The moment that counts as now, 2026-11-02T08:00:00Z."},
    {"dry-run", 0, NULL, 0, NULL, "Plan and prove, but write nothing."},
    {"explain", 0, NULL, 0, NULL, "Say which conditions decided."},
    {"json", 0, NULL, 0, NULL, "The outcome as one JSON object."},
    BL_SESSION_OPTIONS,
};

static const struct bl_command_line line = {
    .tool = "bylaw call",
    .usage = "ENTRY [NAME=VALUE…] [options]",
    .summary = "calls an entry of a policy",
    .about =
        "Reads the stores that the entry asks for, plans, and writes the rows that it keeps: "
        "all of them,\nor none. Nobody else reads or writes a store of the folder "
        "meanwhile, and a call that was killed\nis called again. Nothing reaches GitHub. "
        "An entry that refuses says so, writes nothing, and the\nexit code is 1.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .operand = "ENTRY",
    .examples =
        "  bylaw call propose agent=scout rated=high text='The cache may be deleted.'\n"
        "  bylaw call propose -p policies/learnings --arguments - --json <proposal.json\n"
        "  bylaw call confirm id=01HQ --by person --stores .layover\n",
};

/* ---- what it takes ----------------------------------------------------------------------- */

struct taking {
    struct bl_scene *scene;
    const struct bl_arguments *arguments;
    const struct bl_module *module;
    uint32_t called;
};

static uint32_t record_of(const struct taking *t)
{
    return t->module->CALLED_rows[t->called].record;
}

static bl_str name_of(const struct taking *t)
{
    return bl_module_string(
        t->module, t->module->ENTRIES_rows[t->module->CALLED_rows[t->called].entry].name);
}

/* Texts, names, words and moments are written as they are; everything else as JSON. */
static bool is_written_plain(bl_type type)
{
    enum bl_type_kind kind = bl_type_kind(type);

    return !bl_type_is_list(type) && kind != BL_TYPE_INT && kind != BL_TYPE_BOOL;
}

static bl_type type_of(const struct taking *t, bl_str name)
{
    const struct bl_module_record *record = &t->module->RECORDS_rows[record_of(t)];

    for (uint32_t i = 0; i < record->count; i++) {
        const struct bl_module_member *field =
            &t->module->RECORD_FIELDS_rows[record->first + i];
        if (bl_str_equal(bl_module_string(t->module, field->name), name))
            return field->type;
    }
    return BL_TYPE_ERROR;
}

/* "It takes no 'x'. It takes 'text', 'weight'. Write NAME=VALUE." */
static enum bl_exit takes_no(struct taking *t, bl_str name)
{
    const struct bl_module_record *record = &t->module->RECORDS_rows[record_of(t)];
    struct bl_likeness like = bl_likeness_begin(name);
    struct bl_buf out;

    bl_buf_init(&out, &t->scene->session.arena, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES));
    bl_buf_printf(&out, "It takes no '%.*s'. It takes ", BL_STR_ARG(name));
    for (uint32_t i = 0; i < record->count; i++) {
        bl_str one =
            bl_module_string(t->module, t->module->RECORD_FIELDS_rows[record->first + i].name);

        bl_likeness_consider(&like, one);
        bl_buf_printf(&out, "%s'%.*s'", i > 0 ? ", " : "", BL_STR_ARG(one));
    }
    BL_PUT(&out, ", each written NAME=VALUE.");
    if (like.best.len > 0)
        bl_buf_printf(&out, " Did you mean '%.*s'?", BL_STR_ARG(like.best));
    bl_session_say(&t->scene->session, name_of(t), bl_buf_str(&out));
    return BL_EXIT_USAGE;
}

/* What is wrong, in two halves: a name stands between them, if there is one. */
static enum bl_exit wrong(struct taking *t, const char *before, bl_str word, const char *behind)
{
    struct bl_buf out;

    bl_buf_init(&out, &t->scene->session.arena, 4096);
    bl_buf_put(&out, bl_str_from(before));
    bl_buf_put(&out, word);
    bl_buf_put(&out, bl_str_from(behind));
    bl_session_say(&t->scene->session, name_of(t), bl_buf_str(&out));
    return BL_EXIT_USAGE;
}

static enum bl_exit one_word(struct taking *t, bl_str word, struct bl_json *out)
{
    size_t equals = bl_str_find_char(word, '=');
    bl_str name = bl_str_slice(word, 0, equals);
    bl_str value = bl_str_slice(word, equals == SIZE_MAX ? word.len : equals + 1, word.len);
    bl_type type = equals != SIZE_MAX ? type_of(t, name) : (bl_type)BL_TYPE_ERROR;
    struct bl_json_error error;
    size_t notes = 0;

    if (type == BL_TYPE_ERROR)
        return takes_no(t, name);
    if (bl_utf8_invalid_at(value) != value.len)
        return wrong(t, "What '", name, "' is given is not UTF-8.");
    if (is_written_plain(type)) {
        *out = (struct bl_json){.kind = BL_JSON_STRING, .key = name, .string = value};
        return BL_EXIT_OK;
    }
    const struct bl_json *json = bl_json_parse(&t->scene->arena, value, 1, &notes, &error);
    if (json == NULL)
        return wrong(t, "What '", name,
                     bl_type_is_list(type)               ? "' is given is no list in JSON: "
                                                           "[\"one\", \"two\"]."
                     : bl_type_kind(type) == BL_TYPE_INT ? "' is given is no whole number."
                                                         : "' is given is neither true nor "
                                                           "false.");
    *out = *json;
    out->key = name;
    for (size_t i = 0; i < out->count; i++)
        out->items[i].parent = out;
    return BL_EXIT_OK;
}

static enum bl_exit from_words(struct taking *t, struct bl_json *out)
{
    size_t count = t->arguments->operands.count - 1;
    struct bl_json *items = BL_NEW_ARRAY(&t->scene->arena, count + 1, struct bl_json);

    if (items == NULL)
        return BL_EXIT_INTERNAL;
    *out = (struct bl_json){.kind = BL_JSON_OBJECT, .items = items, .count = count};
    for (size_t i = 0; i < count; i++) {
        enum bl_exit exit = one_word(t, t->arguments->operands.items[i + 1], &items[i]);

        if (exit != BL_EXIT_OK)
            return exit;
        for (size_t k = 0; k < i; k++) {
            if (bl_str_equal(items[k].key, items[i].key))
                return wrong(t, "It is given '", items[i].key, "' twice.");
        }
        items[i].parent = out;
    }
    return BL_EXIT_OK;
}

static enum bl_exit from_file(struct taking *t, bl_str path, uint32_t *source,
                              struct bl_json *out)
{
    struct bl_session *session = &t->scene->session;
    struct bl_json_error error;
    bl_str text = NOTHING, why = NOTHING;
    size_t notes = 0;

    if (bl_file_read(&session->arena, path, (size_t)bl_limit(BL_LIMIT_SOURCE_BYTES), &text,
                     &why) != BL_FILE_READ) {
        bl_session_say(session, path, why);
        return BL_EXIT_INPUT;
    }
    *source = bl_sources_add(&session->sources, path, text);
    bl_sources_mark_foreign(&session->sources, *source);
    const struct bl_json *json = bl_json_parse(&t->scene->arena, text, 4, &notes, &error);
    if (json != NULL) {
        *out = *json;
        return BL_EXIT_OK;
    }
    struct bl_span span = {(uint32_t)error.offset, (uint32_t)error.offset, *source};
    bl_diagnostic_text(&session->sink, bl_report(&session->sink, BL_D_JSON_BROKEN, span),
                       "problem", error.message);
    return BL_EXIT_INPUT;
}

static enum bl_exit refuse(struct taking *t, const struct bl_record_problem *problem,
                           uint32_t source)
{
    struct bl_diagnostics *sink = &t->scene->session.sink;
    struct bl_span span = {problem->lo, problem->hi, source};
    struct bl_diagnostic *d =
        bl_report(sink, BL_D_CALL_REFUSED,
                  source != BL_NO_SOURCE && problem->has_place ? span : BL_NO_SPAN);

    bl_diagnostic_text(sink, d, "entry", name_of(t));
    bl_diagnostic_text(sink, d, "path", problem->path);
    bl_diagnostic_text(sink, d, "problem", problem->problem);
    return BL_EXIT_INPUT;
}

static enum bl_exit take(struct taking *t, struct bl_value *given)
{
    bl_str path = bl_argument(t->arguments, "arguments", NOTHING);
    bool has_words = t->arguments->operands.count > 1;
    struct bl_record_reader reader = {
        .arena = &t->scene->arena, .module = t->module, .kinds = BL_STORE_KINDS};
    struct bl_json json = {.kind = BL_JSON_OBJECT};
    uint32_t source = BL_NO_SOURCE;
    enum bl_exit exit = BL_EXIT_OK;

    *given = bl_absent();
    if (path.len > 0 && has_words)
        return wrong(t, "It is given '", path, "' and NAME=VALUE: give one of them.");
    if (record_of(t) == BL_NONE)
        return path.len == 0 && !has_words ? BL_EXIT_OK
                                           : wrong(t, "It takes nothing", NOTHING, ".");
    exit = path.len > 0 ? from_file(t, path, &source, &json) : from_words(t, &json);
    if (exit != BL_EXIT_OK)
        return exit;
    enum bl_status status = bl_record_read(&reader, &json, record_of(t), given);
    if (status == BL_ERR_INVALID)
        return refuse(t, &reader.problem, source);
    return status == BL_OK ? BL_EXIT_OK : BL_EXIT_INTERNAL;
}

/* ---- the call ---------------------------------------------------------------------------- */

static enum bl_exit unknown(struct bl_scene *scene, bl_str name)
{
    const struct bl_module *m = &scene->session.module;
    struct bl_buf out;

    bl_buf_init(&out, &scene->session.arena, 4096);
    bl_buf_printf(&out, "The policy has no entry '%.*s'", BL_STR_ARG(name));
    for (uint32_t i = 0; i < m->CALLED_count; i++)
        bl_buf_printf(
            &out, "%s'%.*s'", i == 0 ? "; it has " : ", ",
            BL_STR_ARG(bl_module_string(m, m->ENTRIES_rows[m->CALLED_rows[i].entry].name)));
    BL_PUT(&out, ".");
    bl_session_say(&scene->session, NOTHING, bl_buf_str(&out));
    return BL_EXIT_USAGE;
}

static enum bl_exit run(struct bl_scene *scene, const struct bl_arguments *arguments,
                        const struct bl_call *call, struct bl_store_files *files)
{
    const struct bl_world world = bl_store_world(files);
    struct bl_run_options run_options = {
        .module = &scene->session.module,
        .world = &world,
        .call = call,
        .now = scene->now,
        .dry = bl_argument_is(arguments, "dry-run"),
        .explain = bl_argument_is(arguments, "explain"),
    };
    struct bl_run_result result;
    struct bl_buf out;

    if (!bl_texts_redactions(&scene->arena, &run_options)) {
        bl_session_say(&scene->session, NOTHING,
                       BL_STR("There is no memory, or the system has no random numbers."));
        return BL_EXIT_INTERNAL;
    }
    enum bl_status status = bl_run(&scene->arena, &run_options, &result, &scene->session.sink);
    const struct bl_run_shown shown = {.options = &run_options,
                                       .result = &result,
                                       .status = status,
                                       .job = arguments->operands.items[0],
                                       /* What cannot be read or written here is a file. */
                                       .exit = status == BL_ERR_READ || status == BL_ERR_WRITE
                                                   ? BL_EXIT_INPUT
                                                   : bl_run_exit(scene, status, &result)};

    bl_buf_init(&out, &scene->session.arena, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES));
    if (bl_argument_is(arguments, "json"))
        bl_run_json(scene, &shown, &out);
    else if (status != BL_ERR_NOMEM)
        bl_run_text(scene, &shown, &out);
    enum bl_exit printed = bl_scene_print(scene, &out);
    return printed != BL_EXIT_OK ? printed : shown.exit;
}

static enum bl_exit call(struct bl_scene *scene, const struct bl_arguments *arguments)
{
    const struct bl_module *m = &scene->session.module;
    struct bl_call called = {
        .called = BL_NONE,
        .by_person = bl_str_equal(bl_argument(arguments, "by", NOTHING), BL_STR("person")),
    };

    if (arguments->operands.count == 0) {
        bl_session_say(&scene->session, NOTHING,
                       BL_STR("Name an entry: 'bylaw call propose'. 'bylaw call --help' says "
                              "more."));
        return BL_EXIT_USAGE;
    }
    enum bl_exit exit = bl_scene_begin(scene, arguments);
    if (exit != BL_EXIT_OK)
        return exit;
    for (uint32_t i = 0; i < m->CALLED_count; i++) {
        if (bl_str_equal(bl_module_string(m, m->ENTRIES_rows[m->CALLED_rows[i].entry].name),
                         arguments->operands.items[0]))
            called.called = i;
    }
    if (called.called == BL_NONE)
        return unknown(scene, arguments->operands.items[0]);
    struct taking taking = {scene, arguments, m, called.called};
    exit = take(&taking, &called.given);
    if (exit != BL_EXIT_OK)
        return exit;
    bl_str stores = bl_argument(arguments, "stores", NOTHING);
    if (stores.len > 0 && !bl_path_is_folder(&scene->session.arena, stores)) {
        bl_session_say(&scene->session, stores,
                       BL_STR("There is no such folder, in which the stores would be."));
        return BL_EXIT_INPUT;
    }
    struct bl_store_files files =
        bl_store_files_at(&scene->session, &scene->arena, stores, scene->now);
    exit = run(scene, arguments, &called, &files);
    bl_store_files_close(&files);
    return exit;
}

enum bl_exit bl_bylaw_call(int argc, char **argv)
{
    return bl_scene_command(&line, argc, argv, call);
}
