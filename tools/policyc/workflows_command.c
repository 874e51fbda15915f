/* SPDX-License-Identifier: Apache-2.0 */
#include "policyc/policyc.h"
#include "report/diff.h"
#include "workflows/workflows.h"

/* `policyc --emit=workflows`: GitHub's workflows from the policy, and against those of a
 * repository. */

#define FOLDER ".github/workflows"

static bool is_emitted(const struct bl_arguments *arguments)
{
    return bl_str_equal(bl_argument(arguments, "emit", BL_STR("")), BL_STR("workflows"));
}

size_t bl_policyc_policy_count(const struct bl_arguments *arguments)
{
    size_t count = arguments->operands.count;

    if (count > 0 && is_emitted(arguments) && bl_argument_is(arguments, "check") &&
        !bl_argument_is(arguments, "output"))
        return count - 1;
    return count;
}

static bl_str below(struct bl_session *session, bl_str folder, bl_str path)
{
    struct bl_buf out;

    if (folder.len == 0 || bl_str_equal(folder, BL_STR(".")))
        return path;
    bl_buf_init(&out, &session->arena, folder.len + path.len + 2);
    bl_buf_put(&out, folder);
    if (!bl_str_ends_with(folder, BL_STR("/")))
        bl_buf_put_char(&out, '/');
    bl_buf_put(&out, path);
    return bl_buf_str(&out);
}

/* ---- writing
 * ------------------------------------------------------------------------------------ */

static enum bl_exit print_all(struct bl_session *session, const struct bl_workflow_files *files)
{
    struct bl_buf out;

    bl_buf_init(&out, &session->arena, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES));
    for (size_t i = 0; i < files->count; i++) {
        bl_buf_printf(&out, "%s# %.*s\n", i > 0 ? "---\n" : "",
                      BL_STR_ARG(files->items[i].path));
        bl_buf_put(&out, files->items[i].text);
    }
    return bl_policyc_print(session, &out);
}

/* The repository may be a stranger's: what is written stays inside of the folder that was
 * given. */
static bool leads_away(struct bl_session *session, bl_str path)
{
    if (!bl_path_is_link(&session->arena, path))
        return false;
    bl_session_say(session, path,
                   BL_STR("This is a link, which may lead out of the folder. Take it away."));
    return true;
}

static enum bl_exit write_all(struct bl_session *session, const struct bl_workflow_files *files,
                              bl_str folder)
{
    bl_str why = {NULL, 0};

    if (bl_folder_make(&session->arena, folder, &why) != BL_OK) {
        bl_session_say(session, folder, why);
        return BL_EXIT_INPUT;
    }
    if (leads_away(session, below(session, folder, BL_STR(".github"))) ||
        leads_away(session, below(session, folder, BL_STR(FOLDER))))
        return BL_EXIT_INPUT;
    if (bl_folder_create(&session->arena, below(session, folder, BL_STR(".github")), &why) !=
            BL_OK ||
        bl_folder_create(&session->arena, below(session, folder, BL_STR(FOLDER)), &why) !=
            BL_OK) {
        bl_session_say(session, below(session, folder, BL_STR(FOLDER)), why);
        return BL_EXIT_INPUT;
    }
    for (size_t i = 0; i < files->count; i++) {
        bl_str path = below(session, folder, files->items[i].path);

        if (leads_away(session, path))
            return BL_EXIT_INPUT;
        if (bl_file_write(&session->arena, path, files->items[i].text, &why) != BL_OK) {
            bl_session_say(session, path, why);
            return BL_EXIT_INPUT;
        }
        bl_session_say(session, path, BL_STR("Written."));
    }
    return BL_EXIT_OK;
}

/* ---- comparing
 * ---------------------------------------------------------------------------------- */

static void find(struct bl_session *session, enum bl_diagnostic_code code,
                 const struct bl_workflow_file *file, bl_str path)
{
    struct bl_span place = file != NULL ? file->workflow->span : BL_NO_SPAN;

    bl_diagnostic_text(&session->sink, bl_report(&session->sink, code, place), "path", path);
}

static enum bl_exit compare_one(struct bl_session *session, const struct bl_workflow_file *file,
                                bl_str path, struct bl_buf *diff)
{
    bl_str found = {NULL, 0}, pinned, why = {NULL, 0};
    enum bl_file_result result = bl_file_read(
        &session->arena, path, (size_t)bl_limit(BL_LIMIT_SOURCE_BYTES), &found, &why);

    if (result == BL_FILE_FAILED) {
        bl_session_say(session, path, why);
        return BL_EXIT_INPUT;
    }
    if (result == BL_FILE_MISSING) {
        find(session, BL_D_WORKFLOW_MISSING, file, path);
        return BL_EXIT_FINDINGS;
    }
    if (bl_workflow_is_same(&session->arena, file->text, found, &pinned))
        return BL_EXIT_OK;
    find(session, BL_D_WORKFLOW_DIFFERS, file, path);
    bl_diff_write(&session->arena, path, pinned, file->text, diff);
    return BL_EXIT_FINDINGS;
}

static bool is_declared(const struct bl_workflow_files *files, bl_str name)
{
    for (size_t i = 0; i < files->count; i++) {
        if (bl_str_equal(files->items[i].workflow->as.workflow->file, name))
            return true;
    }
    return false;
}

/* Workflows that were made once and that the policy declares no more: they still run. */
static enum bl_exit find_left(struct bl_session *session, const struct bl_workflow_files *files,
                              bl_str folder)
{
    static const char *const suffixes[] = {".yml", ".yaml"};
    enum bl_exit exit = BL_EXIT_OK;

    for (size_t s = 0; s < sizeof suffixes / sizeof suffixes[0]; s++) {
        bl_str *names = NULL, why = {NULL, 0};
        size_t count = 0;

        if (bl_folder_list(&session->arena, folder, bl_str_from(suffixes[s]), &names, &count,
                           &why) != BL_FILE_READ)
            continue; /* what is declared is missing then, and was said */
        for (size_t i = 0; i < count; i++) {
            bl_str path = below(session, folder, names[i]), text = {NULL, 0};

            if (is_declared(files, names[i]) ||
                bl_file_read(&session->arena, path, (size_t)bl_limit(BL_LIMIT_SOURCE_BYTES),
                             &text, &why) != BL_FILE_READ ||
                !bl_workflow_is_made(text))
                continue;
            find(session, BL_D_WORKFLOW_LEFT, NULL, path);
            exit = BL_EXIT_FINDINGS;
        }
    }
    return exit;
}

static enum bl_exit compare_all(struct bl_session *session,
                                const struct bl_workflow_files *files, bl_str folder)
{
    enum bl_exit exit = BL_EXIT_OK;
    struct bl_buf diff;

    if (!bl_path_is_folder(&session->arena, folder)) {
        bl_session_say(session, folder,
                       BL_STR("There is no such folder; give that of the repository."));
        return BL_EXIT_INPUT;
    }
    bl_buf_init(&diff, &session->arena, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES));
    for (size_t i = 0; i < files->count; i++) {
        enum bl_exit one = compare_one(session, &files->items[i],
                                       below(session, folder, files->items[i].path), &diff);

        exit = one > exit ? one : exit;
    }
    if (find_left(session, files, below(session, folder, BL_STR(FOLDER))) != BL_EXIT_OK &&
        exit == BL_EXIT_OK)
        exit = BL_EXIT_FINDINGS;
    bool data =
        session->report.format == BL_REPORT_JSON || session->report.format == BL_REPORT_SARIF;
    bl_session_report(session, data);
    if (!data && diff.len > 0) {
        enum bl_exit printed = bl_policyc_print(session, &diff);

        exit = printed != BL_EXIT_OK ? printed : exit;
    }
    return exit;
}

enum bl_exit bl_policyc_workflows(struct bl_session *session,
                                  const struct bl_arguments *arguments)
{
    struct bl_workflow_files files;
    enum bl_status status = bl_workflows_write(session->program, &session->sink, &files);
    bl_str folder = bl_argument(arguments, "output", BL_STR("."));
    bool compares = bl_argument_is(arguments, "check");

    if (status == BL_ERR_NOMEM) {
        bl_session_say(session, (bl_str){NULL, 0}, BL_STR("Out of memory."));
        return BL_EXIT_INTERNAL;
    }
    if (status != BL_OK) {
        bl_session_report(session, session->report.format != BL_REPORT_TEXT);
        return BL_EXIT_POLICY;
    }
    if (files.count == 0) {
        bl_session_say(session, (bl_str){NULL, 0}, BL_STR("The policy declares no workflow."));
        return BL_EXIT_POLICY;
    }
    if (compares && !bl_argument_is(arguments, "output") && arguments->operands.count > 0)
        folder = arguments->operands.items[arguments->operands.count - 1];
    if (compares)
        return compare_all(session, &files, folder);
    if (bl_argument_is(arguments, "output"))
        return write_all(session, &files, folder);
    return print_all(session, &files);
}
