/* SPDX-License-Identifier: Apache-2.0 */
#include "policyc/policyc.h"
#include "syntax/format.h"

/* `policyc --fmt`: all files or none, so that a half-written one shows before anything moves.
 */

static enum bl_exit say(struct bl_session *session, bl_str path, const char *sentence)
{
    bl_session_say(session, path, bl_str_from(sentence));
    return BL_EXIT_INTERNAL;
}

static enum bl_exit format(struct bl_session *session, struct bl_policy_file *file)
{
    struct bl_arena arena; /* of its tokens and tree */
    struct bl_buf out;
    uint32_t source = bl_sources_add(&session->sources, file->path, file->text);
    if (source == BL_NO_SOURCE)
        return say(session, file->path, "Out of memory.");
    bl_arena_init(&arena, bl_limit(BL_LIMIT_COMPILE_BYTES), NULL);
    bl_buf_init(&out, &session->arena, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES));
    enum bl_status status = bl_format(&arena, &session->sources, source, &session->sink, &out);
    bl_arena_reset(&arena);
    switch (status) {
    case BL_OK:
        file->changed = bl_buf_str(&out);
        return BL_EXIT_OK;
    case BL_ERR_INVALID:
        return BL_EXIT_POLICY;
    case BL_ERR_NOMEM:
        return say(session, file->path, "Out of memory.");
    case BL_ERR_LIMIT:
        (void)say(session, file->path, "With its columns it is larger than a policy may be.");
        return BL_EXIT_POLICY;
    case BL_ERR_UNVERIFIED:
    case BL_ERR_READ:
    case BL_ERR_WRITE:
    case BL_ERR_REFUSED:
    case BL_ERR_IO:
    case BL_ERR_INTERNAL:
        break;
    }
    return say(
        session, file->path,
        "The formatter would have changed what it means, so nothing is written. This is a "
        "defect; please report it with the file.");
}

enum bl_exit bl_policyc_format(struct bl_session *session, const struct bl_arguments *arguments)
{
    struct bl_policy_files files = {NULL, 0, 0};
    enum bl_rewrite rewrite = bl_argument_is(arguments, "check")  ? BL_REWRITE_NAMES
                              : bl_argument_is(arguments, "diff") ? BL_REWRITE_DIFF
                                                                  : BL_REWRITE_FILES;
    enum bl_exit exit = bl_policy_files_read(session, arguments, &files);
    if (exit != BL_EXIT_OK)
        return exit;
    for (size_t i = 0; i < files.count && exit != BL_EXIT_INTERNAL; i++) {
        enum bl_exit one = format(session, &files.items[i]);
        exit = one != BL_EXIT_OK ? one : exit;
    }
    bl_session_report(session, session->report.format != BL_REPORT_TEXT &&
                                   session->report.format != BL_REPORT_GITHUB &&
                                   exit == BL_EXIT_POLICY);
    return exit == BL_EXIT_OK ? bl_policy_files_write(session, &files, rewrite) : exit;
}
