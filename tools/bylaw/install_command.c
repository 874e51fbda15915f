/* SPDX-License-Identifier: Apache-2.0 */
#include "bylaw/scene.h"
#include "cli/made_files.h"
#include "event/json.h"

/* bylaw install, bylaw check: what a policy asks of its repository, besides itself. */

#define NOTHING ((bl_str){NULL, 0})

#define COMMON_OPTIONS                                                                         \
    {"policy",                                                                                 \
     'p',                                                                                      \
     "PATH",                                                                                   \
     BL_OPTION_MANY,                                                                           \
     NULL,                                                                                     \
     "A .policy file, or a folder of them. Default: .github/bylaw.policy of the repository."}, \
        {"json", 0, NULL, 0, NULL, "What became of each file, as one JSON object."},           \
        BL_SESSION_OPTIONS

static const struct bl_option install_options[] = {
    {"language", 'l', "CODE", 0, NULL,
     "The language of sections that are added: en, de, and others of the policy. Default: the "
     "language of reference."},
    {"dry-run", 0, NULL, 0, NULL,
     "Write nothing and print what would change; it gives exit code 1."},
    COMMON_OPTIONS,
};
static const struct bl_option check_options[] = {COMMON_OPTIONS};

static const struct bl_command_line install_line = {
    .tool = "bylaw install",
    .usage = "[FOLDER] [options]",
    .summary = "writes what a policy asks of its repository",
    .about =
        "In the current folder, or the one that is named: the workflows that the policy "
        "declares, the sections\nthat it wants in files, and a line of .gitignore for the "
        "files of its runs. What is there already stays:\na section is added below all that a "
        "file has, and one that somebody wrote in other words is kept.\nEach file is replaced "
        "whole or not at all; a command that was killed is given again.",
    .options = install_options,
    .option_count = sizeof install_options / sizeof install_options[0],
    .operand = "FOLDER",
    .examples = "  bylaw install --dry-run          show what would be written\n"
                "  bylaw install --language de      add sections in German\n",
};
static const struct bl_command_line check_line = {
    .tool = "bylaw check",
    .usage = "[FOLDER] [options]",
    .summary = "holds a repository against its policy",
    .about =
        "Looks whether the workflows of the repository are those of the policy, commits of "
        "actions aside, and\nwhether its files have the sections that the policy wants. Asks "
        "GitHub nothing, so it says the same\non every machine. What is missing or differs "
        "gives exit code 1, and 'bylaw install' writes it.",
    .options = check_options,
    .option_count = sizeof check_options / sizeof check_options[0],
    .operand = "FOLDER",
    .examples = "  bylaw check                      the repository in the current folder\n"
                "  bylaw check --json site          another one, for a program\n",
};

static enum bl_exit say(struct bl_scene *scene, bl_str about, const char *sentence,
                        enum bl_exit exit)
{
    bl_session_say(&scene->session, about, bl_str_from(sentence));
    return exit;
}

/* ---- the policy
 * --------------------------------------------------------------------------------- */

static enum bl_exit read_policy(struct bl_scene *scene, const struct bl_arguments *arguments,
                                bl_str folder)
{
    struct bl_session *session = &scene->session;
    size_t count = 0;
    bl_str *paths = bl_argument_list(arguments, &session->arena, "policy", &count);
    struct bl_buf standard;

    for (size_t i = 0; i < count; i++) {
        if (bl_str_ends_with(paths[i], BL_STR(".pbc")))
            return say(scene, paths[i], "A module declares no files; give its policies.",
                       BL_EXIT_USAGE);
    }
    bl_buf_init(&standard, &session->arena, folder.len + 32);
    bl_buf_put(&standard, folder);
    if (folder.len > 0 && !bl_str_ends_with(folder, BL_STR("/")))
        BL_PUT(&standard, "/");
    BL_PUT(&standard, ".github/bylaw.policy");
    bl_str alone = bl_buf_str(&standard);
    session->for_reading = true;
    return bl_session_check(session, arguments, count > 0 ? paths : &alone,
                            count > 0 ? count : 1, false);
}

static enum bl_exit find_language(struct bl_scene *scene, bl_str code,
                                  const struct bl_symbol **out)
{
    const struct bl_symbol_list *locales = &scene->session.program->symbols[BL_SYMBOL_LOCALE];
    struct bl_likeness like = bl_likeness_begin(code);
    struct bl_buf text;

    *out = NULL;
    for (size_t i = 0; code.ptr != NULL && i < locales->count; i++) {
        if (bl_str_equal(locales->items[i]->name, code))
            *out = locales->items[i];
        bl_likeness_consider(&like, locales->items[i]->name);
    }
    if (code.ptr == NULL || *out != NULL)
        return BL_EXIT_OK;
    bl_buf_init(&text, &scene->session.arena, 1024);
    BL_PUT(&text, "The policy has no such language");
    if (like.best.len > 0)
        bl_buf_printf(&text, ". Did you mean '%.*s'?", BL_STR_ARG(like.best));
    else
        BL_PUT(&text, ". Those that it has are declared with 'locale'.");
    bl_session_say(&scene->session, code, bl_buf_str(&text));
    return BL_EXIT_USAGE;
}

/* Everything is looked at before anything is written. */
static enum bl_exit gather(struct bl_scene *scene, const struct bl_arguments *arguments,
                           struct bl_made_files *made)
{
    struct bl_session *session = &scene->session;
    const struct bl_symbol *language = NULL;
    bl_str folder = arguments->operands.count > 0 ? arguments->operands.items[0] : BL_STR("");
    enum bl_exit exit;

    if (arguments->operands.count > 1)
        return say(scene, arguments->operands.items[1], "Give one folder.", BL_EXIT_USAGE);
    exit = bl_made_begin(session, folder, made);
    if (exit == BL_EXIT_OK)
        exit = read_policy(scene, arguments, folder);
    if (exit == BL_EXIT_OK)
        exit = find_language(scene, bl_argument(arguments, "language", NOTHING), &language);
    if (exit == BL_EXIT_OK)
        exit = bl_made_workflows(session, made);
    if (exit == BL_EXIT_OK)
        exit = bl_made_sections(session, language, made);
    return exit == BL_EXIT_OK ? bl_made_ignored(session, made) : exit;
}

/* ---- what is said of it
 * ------------------------------------------------------------------------- */

static const char *state_of(const struct bl_made_file *file, bool written)
{
    if (file->is_right)
        return "right";
    if (written)
        return file->is_there ? "changed" : "created";
    return file->is_there ? "differs" : "missing";
}

static void as_json(struct bl_scene *scene, const struct bl_made_files *made, bool written,
                    struct bl_buf *out)
{
    struct bl_json_writer w;

    bl_json_writer_init(&w, out, false);
    bl_json_begin_object(&w);
    bl_json_key(&w, BL_STR("files"));
    bl_json_begin_array(&w);
    for (size_t i = 0; i < made->list.count; i++) {
        const struct bl_made_file *file = &made->list.items[i];

        bl_json_begin_object(&w);
        bl_json_key(&w, BL_STR("path"));
        bl_json_string(&w, bl_made_path(&scene->session, made, file));
        bl_json_key(&w, BL_STR("state"));
        bl_json_string(&w, bl_str_from(state_of(file, written)));
        bl_json_end_object(&w);
    }
    bl_json_end_array(&w);
    bl_json_key(&w, BL_STR("left"));
    bl_json_begin_array(&w);
    for (size_t i = 0; i < made->left.count; i++)
        bl_json_string(&w, made->left.items[i]);
    bl_json_end_array(&w);
    bl_json_end_object(&w);
    BL_PUT(out, "\n");
}

static void as_text(struct bl_scene *scene, const struct bl_made_files *made, bool written,
                    struct bl_buf *out)
{
    size_t said = 0;

    for (size_t i = 0; written && i < made->list.count; i++) {
        const struct bl_made_file *file = &made->list.items[i];
        bl_str path = bl_made_path(&scene->session, made, file);

        if (file->is_right)
            continue;
        bl_buf_printf(out, "%.*s: %s\n", BL_STR_ARG(path),
                      file->is_there ? "changed" : "created");
        said++;
    }
    if (said == 0 && made->list.count == 0)
        BL_PUT(out, "The policy asks for no file.\n");
    else if (said == 0)
        BL_PUT(out, "Everything fits.\n");
}

static size_t wrong_of(const struct bl_made_files *made)
{
    size_t count = 0;

    for (size_t i = 0; i < made->list.count; i++)
        count += !made->list.items[i].is_right;
    return count;
}

/* ---- the two commands
 * --------------------------------------------------------------------------- */

static enum bl_exit install(struct bl_scene *scene, const struct bl_arguments *arguments)
{
    bool dry = bl_argument_is(arguments, "dry-run"), json = bl_argument_is(arguments, "json");
    struct bl_made_files made;
    struct bl_buf out;
    enum bl_exit exit = gather(scene, arguments, &made);

    if (exit != BL_EXIT_OK)
        return exit;
    bl_buf_init(&out, &scene->session.arena, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES));
    if (dry && wrong_of(&made) > 0)
        exit = BL_EXIT_FINDINGS;
    else if (!dry)
        exit = bl_made_write(&scene->session, &made);
    if (exit != BL_EXIT_OK && exit != BL_EXIT_FINDINGS)
        return exit;
    if (json)
        as_json(scene, &made, !dry, &out);
    else if (exit == BL_EXIT_FINDINGS)
        bl_made_show(&scene->session, &made, &out);
    else
        as_text(scene, &made, !dry, &out);
    enum bl_exit printed =
        json ? bl_scene_print(scene, &out) : bl_scene_print_quoted(scene, &out);
    return printed != BL_EXIT_OK ? printed : exit;
}

static enum bl_exit check(struct bl_scene *scene, const struct bl_arguments *arguments)
{
    struct bl_session *session = &scene->session;
    bool data =
        session->report.format == BL_REPORT_JSON || session->report.format == BL_REPORT_SARIF;
    bool json = bl_argument_is(arguments, "json");
    struct bl_made_files made;
    struct bl_buf diff, out;
    enum bl_exit exit = gather(scene, arguments, &made), printed = BL_EXIT_OK;

    if (exit != BL_EXIT_OK)
        return exit;
    bl_buf_init(&diff, &session->arena, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES));
    bl_buf_init(&out, &session->arena, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES));
    exit = bl_made_compare(session, &made, &diff);
    if (json)
        as_json(scene, &made, false, &out);
    else if (exit == BL_EXIT_OK && !data)
        as_text(scene, &made, false, &out);
    else if (!data)
        out = diff;
    if (out.len > 0)
        printed = json ? bl_scene_print(scene, &out) : bl_scene_print_quoted(scene, &out);
    return printed != BL_EXIT_OK ? printed : exit;
}

enum bl_exit bl_bylaw_install(int argc, char **argv)
{
    return bl_scene_command(&install_line, argc, argv, install);
}

enum bl_exit bl_bylaw_check(int argc, char **argv)
{
    return bl_scene_command(&check_line, argc, argv, check);
}
