/* SPDX-License-Identifier: Apache-2.0 */
#include "bylaw/run_print.h"

/* The files that an engine reads, written below a folder, and how it is called, for programs.
 */

static bl_str joined(struct bl_arena *arena, bl_str folder, bl_str path)
{
    struct bl_buf out;
    bl_buf_init(&out, arena, folder.len + path.len + 2);
    bl_buf_put(&out, folder);
    if (folder.len > 0)
        bl_buf_put_char(&out, '/');
    bl_buf_put(&out, path);
    return bl_buf_str(&out);
}

/* Each folder on the way; one that is there is as good. */
static bool make_folders(struct bl_arena *arena, bl_str path, bl_str *why)
{
    for (size_t i = 1; i < path.len; i++) {
        if (path.ptr[i] != '/')
            continue;
        bl_str folder = bl_str_slice(path, 0, i);
        if (bl_path_is_link(arena, folder)) {
            *why = BL_STR("A folder on the way is a link.");
            return false;
        }
        if (bl_folder_create(arena, folder, why) != BL_OK)
            return false;
    }
    return true;
}

enum bl_exit bl_engine_files_write(struct bl_scene *scene, const struct bl_run_shown *run,
                                   bl_str folder)
{
    struct bl_arena *arena = &scene->session.arena;
    const struct bl_module *m = &scene->session.module;
    if (folder.len == 0)
        folder = bl_module_string(m, m->INFO_rows[0].folder);
    for (size_t i = 0; i < run->result->files.count; i++) {
        const struct bl_run_file *file = &run->result->files.items[i];
        bl_str path = joined(arena, folder, file->path), why = {NULL, 0};
        if (!make_folders(arena, path, &why) ||
            bl_file_write(arena, path, file->text, &why) != BL_OK) {
            bl_session_say(&scene->session, path, why);
            return BL_EXIT_INTERNAL;
        }
    }
    return BL_EXIT_OK;
}

void bl_engine_text(const struct bl_run_shown *run, struct bl_buf *out)
{
    const struct bl_run_result *result = run->result;
    if (result->command.count == 0)
        return;
    BL_PUT(out, "Files for the engine:\n");
    for (size_t i = 0; i < result->files.count; i++)
        bl_buf_printf(out, "  %.*s  %zu bytes\n", BL_STR_ARG(result->files.items[i].path),
                      result->files.items[i].text.len);
    BL_PUT(out, "Engine:");
    for (size_t i = 0; i < result->command.count; i++) {
        bl_buf_put_char(out, ' ');
        bl_report_visible(result->command.items[i], out);
    }
    if (result->input.len > 0)
        bl_buf_printf(out, " < %.*s", BL_STR_ARG(result->input));
    bl_buf_put_char(out, '\n');
}

static void list(struct bl_json_writer *w, const char *key, const bl_str *texts, size_t count)
{
    bl_json_key(w, bl_str_from(key));
    bl_json_begin_array(w);
    for (size_t i = 0; i < count; i++)
        bl_json_string(w, texts[i]);
    bl_json_end_array(w);
}

void bl_engine_json(const struct bl_run_shown *run, struct bl_json_writer *w)
{
    static const char *const outputs[] = {"answer", "usage", "worktree"};
    const struct bl_run_result *result = run->result;
    const struct bl_module *m = run->options->module;
    uint32_t index = m->JOBS_rows[run->options->job].engine;
    if (index == BL_NONE || result->command.count == 0)
        return;
    const struct bl_module_engine *engine = &m->ENGINES_rows[index];
    bl_json_key(w, BL_STR("engine"));
    bl_json_begin_object(w);
    bl_json_key(w, BL_STR("name"));
    bl_json_string(w, bl_module_string(m, engine->name));
    list(w, "command", result->command.items, result->command.count);
    bl_json_key(w, BL_STR("input"));
    bl_json_string(w, result->input);
    bl_json_key(w, BL_STR("outputs"));
    bl_json_begin_array(w);
    for (unsigned i = 0; i < 3; i++)
        if ((engine->outputs >> i & 1) != 0)
            bl_json_string(w, bl_str_from(outputs[i]));
    bl_json_end_array(w);
    bl_json_key(w, BL_STR("hosts"));
    bl_json_begin_array(w);
    for (uint32_t i = 0; i < engine->host_count; i++)
        bl_json_string(w, bl_module_string(m, m->ENGINE_WORDS_rows[engine->first_host + i]));
    bl_json_end_array(w);
    bl_json_key(w, BL_STR("files"));
    bl_json_begin_array(w);
    for (size_t i = 0; i < result->files.count; i++)
        bl_json_string(w, result->files.items[i].path);
    bl_json_end_array(w);
    bl_json_end_object(w);
}
