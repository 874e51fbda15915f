/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/session.h"

#include "base/digest.h"
#include "bytecode/module.h"
#include "sema/embedded.h"

#include <string.h>
#include <unistd.h>

void bl_session_begin(struct bl_session *session, const char *tool)
{
    *session = (struct bl_session){.program = NULL};
    bl_arena_init(&session->arena, bl_limit(BL_LIMIT_COMPILE_BYTES), NULL);
    bl_sources_init(&session->sources, &session->arena);
    bl_diagnostics_init(&session->sink, &session->arena, bl_limit(BL_LIMIT_ERRORS));
    session->report.tool = bl_str_from(tool);
    session->report.version = BL_STR(BL_VERSION);
}

void bl_session_options(struct bl_session *session, const struct bl_arguments *arguments)
{
    bl_str in_actions = bl_environment("GITHUB_ACTIONS");
    bl_str format =
        bl_str_equal(in_actions, BL_STR("true")) ? BL_STR("github") : BL_STR("text");
    (void)bl_report_format_find(bl_argument(arguments, "format", format),
                                &session->report.format);
    session->report.colour =
        bl_wants_colour(bl_argument(arguments, "color", BL_STR("auto")), STDERR_FILENO);
}

void bl_session_end(struct bl_session *session)
{
    bl_arena_reset(&session->arena);
}

/* ---- files for the compiler
 * ------------------------------------------------------------------- */

static enum bl_status read_source(void *context, struct bl_arena *arena, bl_str path,
                                  bl_str *text)
{
    const struct bl_session *session = context;
    bl_str why = {NULL, 0};
    for (size_t i = 0; i < session->overlay_count; i++) {
        if (bl_str_equal(session->overlay[i].path, path)) {
            *text = session->overlay[i].text;
            return BL_OK;
        }
    }
    switch (bl_file_read(arena, path, (size_t)bl_limit(BL_LIMIT_SOURCE_BYTES), text, &why)) {
    case BL_FILE_READ:
        return BL_OK;
    case BL_FILE_MISSING:
        return BL_ERR_INVALID;
    case BL_FILE_FAILED:
        break;
    }
    return bl_str_equal(why, BL_STR("It is larger than the limit.")) ? BL_ERR_LIMIT : BL_ERR_IO;
}

static enum bl_status list_sources(void *context, struct bl_arena *arena, bl_str folder,
                                   bl_str **names, size_t *count)
{
    bl_str why = {NULL, 0};
    (void)context;
    switch (bl_folder_list(arena, folder, BL_STR(".policy"), names, count, &why)) {
    case BL_FILE_READ:
        return BL_OK;
    case BL_FILE_MISSING:
        return BL_ERR_INVALID;
    case BL_FILE_FAILED:
        break;
    }
    return BL_ERR_IO;
}

static const bl_str *search_folders(const struct bl_arguments *arguments, size_t *count)
{
    BL_VEC(bl_str) folders = {NULL, 0, 0};
    for (size_t i = 0; i < arguments->given.count; i++) {
        const struct bl_given *given = &arguments->given.items[i];
        if (!bl_str_equal(bl_str_from(given->option->name), BL_STR("path")))
            continue;
        bl_str *slot = BL_PUSH(arguments->arena, folders);
        if (slot != NULL)
            *slot = given->value;
    }
    *count = folders.count;
    return folders.items;
}

/* ---- compiling
 * ----------------------------------------------------------------------------------- */

static enum bl_exit exit_of(enum bl_status status)
{
    switch (status) {
    case BL_OK:
        return BL_EXIT_OK;
    case BL_ERR_INVALID:
    case BL_ERR_LIMIT:
    case BL_ERR_REFUSED:
        return BL_EXIT_POLICY;
    case BL_ERR_UNVERIFIED:
    case BL_ERR_IO:
    case BL_ERR_READ:
    case BL_ERR_WRITE:
        return BL_EXIT_INPUT;
    case BL_ERR_NOMEM:
    case BL_ERR_INTERNAL:
        break;
    }
    return BL_EXIT_INTERNAL;
}

static enum bl_exit out_of_memory(struct bl_session *session)
{
    /* The machine had what was asked for, and the policy wants more than one may: it is the
     * policy that has to change. */
    if (session->arena.used > session->arena.limit / 2) {
        bl_session_say(
            session, (bl_str){NULL, 0},
            BL_STR("The policies are too large for one compile: they would need more "
                   "than the limit 'compile_bytes'. Take files out of the folder, or "
                   "make them shorter."));
        return BL_EXIT_POLICY;
    }
    bl_session_say(session, (bl_str){NULL, 0}, BL_STR("Out of memory."));
    return BL_EXIT_INTERNAL;
}

static bool is_overlaid(const struct bl_session *session, bl_str path)
{
    for (size_t i = 0; i < session->overlay_count; i++)
        if (bl_str_equal(session->overlay[i].path, path))
            return true;
    return false;
}

void bl_session_say_missing(struct bl_session *session, bl_str path, bl_str why)
{
    struct bl_buf out;

    bl_buf_init(&out, &session->arena, 1 << 14);
    bl_buf_put(&out, why);
    if (bl_str_ends_with(path, BL_STR(".github/bylaw.policy")))
        BL_PUT(&out, " This is where a repository's policy stands; '--help' says how to name "
                     "another one.");
    bl_session_say(session, path, bl_buf_str(&out));
}

/* What was named on the command line and is not there is bad input; what a policy names is the
 * compiler's to report. */
static enum bl_exit find_roots(struct bl_session *session, const bl_str *paths, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bl_str why = {NULL, 0}, *names;
        size_t found = 0;
        if (!bl_path_is_folder(&session->arena, paths[i])) {
            if (is_overlaid(session, paths[i]) ||
                bl_file_exists(&session->arena, paths[i], &why))
                continue;
            bl_session_say_missing(session, paths[i], why);
            return BL_EXIT_INPUT;
        }
        if (bl_folder_list(&session->arena, paths[i], BL_STR(".policy"), &names, &found,
                           &why) != BL_FILE_READ ||
            found == 0) {
            bl_session_say(session, paths[i],
                           why.len > 0 ? why : BL_STR("The folder holds no .policy file."));
            return BL_EXIT_INPUT;
        }
    }
    return BL_EXIT_OK;
}

enum bl_exit bl_session_check(struct bl_session *session, const struct bl_arguments *arguments,
                              const bl_str *paths, size_t count, bool tests)
{
    static const bl_str standard = {".github/bylaw.policy", sizeof ".github/bylaw.policy" - 1};
    struct bl_loader loader = {session, read_source, list_sources};
    struct bl_sema_options options = {.tests = tests, .for_running = !session->for_reading};
    options.search = search_folders(arguments, &options.search_count);
    if (count == 0) {
        paths = &standard;
        count = 1;
    }
    for (size_t i = 0; i < count; i++) {
        if (bl_file_begins(&session->arena, paths[i], BL_STR(BL_MODULE_MAGIC))) {
            bl_session_say(session, paths[i],
                           BL_STR("It is a compiled module; what is asked for here is the text "
                                  "of a policy."));
            return BL_EXIT_INPUT;
        }
    }
    enum bl_exit found = find_roots(session, paths, count);
    if (found != BL_EXIT_OK)
        return found;
    enum bl_status status = bl_sema(&session->arena, &session->sources, &session->sink, &loader,
                                    paths, count, &options, &session->program);
    if (status == BL_ERR_NOMEM || session->arena.failed)
        return out_of_memory(session);
    return exit_of(status);
}

static enum bl_exit verify(struct bl_session *session)
{
    enum bl_status status =
        bl_module_verify(&session->arena, session->bytes.bytes, session->bytes.size,
                         &session->module, &session->sink);
    if (status == BL_ERR_NOMEM)
        return out_of_memory(session);
    session->has_module = status == BL_OK;
    return status == BL_OK ? BL_EXIT_OK : BL_EXIT_INPUT;
}

/* What came with the compiler stands in no file. */
static bl_str embedded_source(bl_str path)
{
    for (size_t i = 0; i < bl_embedded_file_count; i++) {
        const struct bl_embedded_file *file = &bl_embedded_files[i];
        if (bl_str_equal(bl_str_from(file->path), path))
            return (bl_str){(const char *)file->text, file->len};
    }
    return (bl_str){NULL, 0};
}

/* Places of a module are in files that may stand where they stood when it was made. A file
 * counts when it still has the bytes that were compiled. */
static bl_str fetch_source(void *context, uint32_t number)
{
    struct bl_session *session = context;
    const struct bl_module *m = &session->module;
    const struct bl_module_source *row = &m->SOURCES_rows[number];
    bl_str path = bl_module_string(m, row->path);
    unsigned char digest[BL_DIGEST_BYTES];
    bl_str text, why;
    if (bl_file_read(&session->arena, path, (size_t)bl_limit(BL_LIMIT_SOURCE_BYTES), &text,
                     &why) != BL_FILE_READ)
        text = embedded_source(path);
    bl_digest(text, digest);
    return memcmp(digest, row->digest, sizeof digest) == 0 ? text : (bl_str){NULL, 0};
}

/* A module's spans count its sources from 0: they are added before any other. */
static void name_sources(struct bl_session *session)
{
    const struct bl_module *m = &session->module;
    session->sources.fetch = fetch_source;
    session->sources.fetch_context = session;
    for (uint32_t i = 0; i < m->SOURCES_count; i++)
        (void)bl_sources_add_later(&session->sources,
                                   bl_module_string(m, m->SOURCES_rows[i].path));
}

static enum bl_exit load_module(struct bl_session *session, bl_str path)
{
    bl_str bytes, why;
    if (bl_file_read(&session->arena, path, (size_t)bl_limit(BL_LIMIT_MODULE_BYTES), &bytes,
                     &why) != BL_FILE_READ) {
        bl_session_say(session, path, why);
        return BL_EXIT_INPUT;
    }
    session->bytes = (struct bl_module_bytes){bytes.ptr, bytes.len};
    enum bl_exit exit = verify(session);
    if (exit == BL_EXIT_OK)
        name_sources(session);
    return exit;
}

enum bl_exit bl_session_load(struct bl_session *session, const struct bl_arguments *arguments,
                             const bl_str *paths, size_t count, bool tests)
{
    if (count == 1 && (bl_str_ends_with(paths[0], BL_STR(".pbc")) ||
                       bl_file_begins(&session->arena, paths[0], BL_STR(BL_MODULE_MAGIC))))
        return load_module(session, paths[0]);
    enum bl_exit exit = bl_session_check(session, arguments, paths, count, tests);
    if (exit != BL_EXIT_OK)
        return exit;
    struct bl_emit_options options = {.tests = tests};
    enum bl_status status =
        bl_emit(&session->arena, session->program, &options, &session->bytes, &session->sink);
    if (status == BL_ERR_NOMEM)
        return out_of_memory(session);
    if (status != BL_OK)
        return exit_of(status);
    /* What the compiler made is held to the same promises as what a stranger sends. */
    exit = verify(session);
    return exit == BL_EXIT_INPUT ? BL_EXIT_INTERNAL : exit;
}

/* ---- saying
 * ---------------------------------------------------------------------------------------- */

void bl_session_say(const struct bl_session *session, bl_str path, bl_str sentence)
{
    struct bl_arena arena;
    struct bl_buf out;
    bl_arena_init(&arena, 1 << 16, NULL);
    bl_buf_init(&out, &arena, 1 << 15);
    bl_buf_put(&out, session->report.tool);
    BL_PUT(&out, ": ");
    if (path.len > 0) {
        bl_report_visible(path, &out);
        BL_PUT(&out, ": ");
    }
    bl_report_visible(sentence, &out);
    BL_PUT(&out, "\n");
    bl_print_error(bl_buf_str(&out));
    bl_arena_reset(&arena);
}

void bl_session_report(struct bl_session *session, bool keep)
{
    if (session->sink.list.count == 0 && !keep)
        return;
    struct bl_arena arena;
    struct bl_buf out;
    bl_arena_init(&arena, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES), NULL);
    bl_buf_init(&out, &arena, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES));
    bl_diagnostics_sort(&session->sink);
    bl_report_write(&session->sources, &session->sink, &session->report, &out);
    if (session->report.format == BL_REPORT_TEXT)
        bl_print_error_quoted(&arena, bl_buf_str(&out));
    else if (session->output_is_data)
        bl_print_error(bl_buf_str(&out));
    else if (bl_print(bl_buf_str(&out)) != BL_OK)
        bl_session_say(session, (bl_str){NULL, 0},
                       BL_STR("Standard output is closed or full."));
    bl_arena_reset(&arena);
}

static enum bl_exit print_page(struct bl_session *session, const struct bl_command_line *line,
                               bool version)
{
    struct bl_buf out;
    bl_buf_init(&out, &session->arena, 1 << 20);
    if (version)
        bl_buf_printf(&out, "%s %s\n", line->tool, BL_VERSION);
    else
        bl_arguments_help(line, &out);
    return bl_print(bl_buf_str(&out)) == BL_OK ? BL_EXIT_OK : BL_EXIT_INTERNAL;
}

bool bl_session_usage(struct bl_session *session, const struct bl_command_line *line, int argc,
                      char **argv, int first, struct bl_arguments *arguments,
                      enum bl_exit *exit)
{
    bl_str error;
    if (!bl_arguments_read(arguments, line, &session->arena, argc, argv, first, &error)) {
        struct bl_buf out;
        bl_buf_init(&out, &session->arena, 4096);
        bl_buf_put(&out, error);
        bl_buf_printf(&out, " '%s --help' says more.", line->tool);
        bl_session_say(session, (bl_str){NULL, 0}, bl_buf_str(&out));
        *exit = BL_EXIT_USAGE;
        return true;
    }
    if (arguments->help || arguments->version) {
        *exit = print_page(session, line, !arguments->help);
        return true;
    }
    bl_session_options(session, arguments);
    return false;
}
