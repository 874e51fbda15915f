/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/made_files.h"
#include "policyc/policyc.h"
#include "workflows/workflows.h"

/* `policyc --emit=workflows`: GitHub's workflows from the policy, and against those of a
 * repository. */

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

static enum bl_exit write_all(struct bl_session *session, struct bl_made_files *made)
{
    enum bl_exit exit;

    /* Written as the policy says, newer commits of actions too. */
    for (size_t i = 0; i < made->list.count; i++)
        made->list.items[i].is_right = false;
    exit = bl_made_write(session, made);
    for (size_t i = 0; exit == BL_EXIT_OK && i < made->list.count; i++)
        bl_session_say(session, bl_made_path(session, made, &made->list.items[i]),
                       BL_STR("Written."));
    return exit;
}

static enum bl_exit compare_all(struct bl_session *session, const struct bl_made_files *made)
{
    bool data =
        session->report.format == BL_REPORT_JSON || session->report.format == BL_REPORT_SARIF;
    struct bl_buf diff;
    enum bl_exit exit;

    bl_policyc_output(session, &diff);
    exit = bl_made_compare(session, made, &diff);
    bl_session_report(session, data);
    if (!data && diff.len > 0) {
        enum bl_exit printed = bl_policyc_print(session, &diff);

        exit = printed != BL_EXIT_OK ? printed : exit;
    }
    return exit;
}

/* The folder that is written to may not be there yet. */
static enum bl_exit begin(struct bl_session *session, const struct bl_arguments *arguments,
                          struct bl_made_files *made)
{
    bl_str folder = bl_argument(arguments, "output", BL_STR("")), why = {NULL, 0};

    if (bl_argument_is(arguments, "check")) {
        if (!bl_argument_is(arguments, "output") && arguments->operands.count > 0)
            folder = arguments->operands.items[arguments->operands.count - 1];
    } else if (bl_folder_make(&session->arena, folder, &why) != BL_OK) {
        bl_session_say(session, folder, why);
        return BL_EXIT_INPUT;
    }
    return bl_made_begin(session, folder, made);
}

static enum bl_exit print_files(struct bl_session *session)
{
    struct bl_workflow_files files;
    enum bl_status status = bl_workflows_write(session->program, &session->sink, &files);
    struct bl_buf out;

    bl_policyc_output(session, &out);
    if (status == BL_ERR_INVALID)
        return BL_EXIT_POLICY;
    for (size_t i = 0; status == BL_OK && i < files.count; i++) {
        bl_buf_printf(&out, "%s# %.*s\n", i > 0 ? "---\n" : "",
                      BL_STR_ARG(files.items[i].path));
        bl_buf_put(&out, files.items[i].text);
    }
    out.failed = out.failed || status != BL_OK;
    return bl_policyc_print(session, &out);
}

enum bl_exit bl_policyc_workflows(struct bl_session *session,
                                  const struct bl_arguments *arguments)
{
    bool compares = bl_argument_is(arguments, "check");
    bool touches = compares || bl_argument_is(arguments, "output");
    struct bl_made_files made;
    enum bl_exit exit = BL_EXIT_OK;

    if (session->program->symbols[BL_SYMBOL_WORKFLOW].count == 0) {
        bl_session_say(session, (bl_str){NULL, 0}, BL_STR("The policy declares no workflow."));
        return BL_EXIT_POLICY;
    }
    if (touches)
        exit = begin(session, arguments, &made);
    if (exit == BL_EXIT_OK)
        exit = touches ? bl_made_workflows(session, &made) : print_files(session);
    if (exit == BL_EXIT_POLICY)
        bl_session_report(session, session->report.format != BL_REPORT_TEXT);
    if (exit != BL_EXIT_OK || !touches)
        return exit;
    return compares ? compare_all(session, &made) : write_all(session, &made);
}
