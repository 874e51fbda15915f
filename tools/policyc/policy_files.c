/* SPDX-License-Identifier: Apache-2.0 */
#include "policyc/policyc.h"
#include "report/diff.h"

/* Folders below folders; more of them are a mistake, or a circle that is none of links. */
#define DEPTH_MAX 32

static bool is_dash(bl_str path)
{
    return bl_str_equal(path, BL_STR("-"));
}

static bl_str join(struct bl_arena *arena, bl_str folder, bl_str name)
{
    struct bl_buf out;
    bl_buf_init(&out, arena, folder.len + name.len + 2);
    bl_buf_put(&out, folder);
    if (!bl_str_ends_with(folder, BL_STR("/")))
        bl_buf_put_char(&out, '/');
    bl_buf_put(&out, name);
    return bl_buf_str(&out);
}

static enum bl_exit read_file(struct bl_session *session, bl_str path,
                              struct bl_policy_files *out)
{
    bl_str why = {NULL, 0};
    struct bl_policy_file *file = BL_PUSH(&session->arena, *out);
    if (file == NULL)
        return BL_EXIT_INTERNAL;
    *file = (struct bl_policy_file){.path = path};
    if (bl_file_read(&session->arena, path, (size_t)bl_limit(BL_LIMIT_SOURCE_BYTES),
                     &file->text, &why) != BL_FILE_READ) {
        bl_session_say_missing(session, path, why);
        return BL_EXIT_INPUT;
    }
    file->changed = file->text;
    return BL_EXIT_OK;
}

static enum bl_exit read_folder(struct bl_session *session, bl_str folder, unsigned depth,
                                struct bl_policy_files *out)
{
    bl_str *names = NULL, why = {NULL, 0};
    size_t count = 0;
    enum bl_exit exit = BL_EXIT_OK;
    if (bl_folder_list(&session->arena, folder, BL_STR(""), &names, &count, &why) !=
        BL_FILE_READ) {
        bl_session_say(session, folder, why);
        return BL_EXIT_INPUT;
    }
    for (size_t i = 0; i < count && exit == BL_EXIT_OK; i++) {
        bl_str path = join(&session->arena, folder, names[i]);
        if (!bl_path_is_folder(&session->arena, path)) {
            if (bl_str_ends_with(path, BL_STR(".policy")))
                exit = read_file(session, path, out);
        } else if (!bl_path_is_link(&session->arena, path) && depth < DEPTH_MAX) {
            exit = read_folder(session, path, depth + 1, out);
        }
    }
    return exit;
}

enum bl_exit bl_policy_files_read(struct bl_session *session,
                                  const struct bl_arguments *arguments,
                                  struct bl_policy_files *out)
{
    static const bl_str standard = {".github/bylaw.policy", sizeof ".github/bylaw.policy" - 1};
    const bl_str *paths = arguments->operands.items;
    size_t count = arguments->operands.count;
    enum bl_exit exit = BL_EXIT_OK;
    if (count == 0) {
        paths = &standard;
        count = 1;
    }
    for (size_t i = 0; i < count && exit == BL_EXIT_OK; i++) {
        if (is_dash(paths[i]) || !bl_path_is_folder(&session->arena, paths[i])) {
            exit = read_file(session, paths[i], out);
            continue;
        }
        size_t before = out->count;
        exit = read_folder(session, paths[i], 0, out);
        if (exit == BL_EXIT_OK && out->count == before) {
            bl_session_say(session, paths[i], BL_STR("The folder holds no .policy file."));
            exit = BL_EXIT_INPUT;
        }
    }
    return exit;
}

/* ---- writing ------------------------------------------------------------------------- */

static enum bl_exit write_file(struct bl_session *session, const struct bl_policy_file *file)
{
    bl_str why = {NULL, 0};
    bool same = bl_str_equal(file->text, file->changed);
    if (same && !is_dash(file->path))
        return BL_EXIT_OK;
    if (bl_file_replace(&session->arena, file->path, file->changed, &why) != BL_OK) {
        bl_session_say(session, file->path, why);
        return BL_EXIT_INTERNAL;
    }
    if (!is_dash(file->path))
        bl_session_say(session, file->path, BL_STR("Changed."));
    return BL_EXIT_OK;
}

enum bl_exit bl_policy_files_write(struct bl_session *session,
                                   const struct bl_policy_files *files, enum bl_rewrite rewrite)
{
    enum bl_exit exit = BL_EXIT_OK;
    bool differs = false;
    struct bl_buf out;
    bl_buf_init(&out, &session->arena, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES));
    for (size_t i = 0; i < files->count && exit == BL_EXIT_OK; i++) {
        const struct bl_policy_file *file = &files->items[i];
        bool same = bl_str_equal(file->text, file->changed);
        bl_str name = is_dash(file->path) ? BL_STR("standard input") : file->path;
        differs |= !same;
        switch (rewrite) {
        case BL_REWRITE_FILES:
            exit = write_file(session, file);
            break;
        case BL_REWRITE_NAMES:
            if (!same) {
                bl_report_visible(name, &out);
                BL_PUT(&out, "\n");
            }
            break;
        case BL_REWRITE_DIFF:
            bl_diff_write(&session->arena, name, file->text, file->changed, &out);
            break;
        }
    }
    if (exit != BL_EXIT_OK || rewrite == BL_REWRITE_FILES)
        return exit;
    exit = bl_policyc_print(session, &out);
    return exit == BL_EXIT_OK && differs ? BL_EXIT_FINDINGS : exit;
}
