/* SPDX-License-Identifier: Apache-2.0 */
#include "bylaw/store_files.h"

#include "base/utf8.h"

struct bl_store_files bl_store_files_at(struct bl_session *session, struct bl_arena *arena,
                                        bl_str folder, int64_t now)
{
    return (struct bl_store_files){session, arena, folder, -1, now};
}

/* ---- paths ------------------------------------------------------------------------------- */

static bl_str folder_of(const struct bl_store_files *files)
{
    return files->folder.len > 0 ? files->folder : BL_STR(".");
}

static bl_str below(struct bl_store_files *files, bl_str path)
{
    struct bl_buf out;

    bl_buf_init(&out, files->arena, files->folder.len + path.len + 2);
    bl_buf_put(&out, folder_of(files));
    bl_buf_put_char(&out, '/');
    bl_buf_put(&out, path);
    return bl_buf_str(&out);
}

/* The module's path stays below the folder, as long as no part of it is a link: a checkout may
 * hold links that others made. */
static bool has_link(struct bl_store_files *files, bl_str path)
{
    for (size_t i = 0; i <= path.len; i++) {
        if ((i == path.len || path.ptr[i] == '/') &&
            bl_path_is_link(files->arena, below(files, bl_str_slice(path, 0, i))))
            return true;
    }
    return false;
}

static bool lock(struct bl_store_files *files, bl_str *why)
{
    if (files->lock < 0)
        files->lock = bl_folder_lock(files->arena, folder_of(files), why);
    return files->lock >= 0;
}

/* ---- files ------------------------------------------------------------------------------- */

enum bl_answer bl_store_file_read(struct bl_store_files *files, bl_str path, bl_str *text,
                                  bl_str *why)
{
    if (!lock(files, why))
        return BL_FAILED;
    if (has_link(files, path)) {
        *why = BL_STR("It is a link, or stands behind one.");
        return BL_FAILED;
    }
    enum bl_file_result result =
        bl_file_read_below(files->arena, folder_of(files), path,
                           (size_t)bl_limit(BL_LIMIT_STORE_BYTES), text, why);
    if (result == BL_FILE_MISSING)
        return BL_MISSING;
    if (result == BL_FILE_READ && bl_utf8_invalid_at(*text) == text->len)
        return BL_FOUND;
    if (result == BL_FILE_READ)
        *why = BL_STR("It is not text in UTF-8.");
    return BL_FAILED;
}

enum bl_written bl_store_file_write(struct bl_store_files *files, bl_str path, bl_str text,
                                    struct bl_failure *failure)
{
    if (!lock(files, &failure->why))
        return BL_NOT_WRITTEN;
    if (has_link(files, path)) {
        failure->why = BL_STR("its file is a link, or stands behind one");
        return BL_NOT_WRITTEN;
    }
    if (bl_file_is_odd(files->arena, below(files, path))) {
        failure->why = BL_STR("its file is no ordinary file");
        return BL_NOT_WRITTEN;
    }
    return bl_file_write(files->arena, below(files, path), text, &failure->why) == BL_OK
               ? BL_WRITTEN
               : BL_NOT_WRITTEN;
}

void bl_store_files_close(struct bl_store_files *files)
{
    if (files->lock >= 0)
        bl_folder_unlock(files->lock);
    files->lock = -1;
}

/* ---- a world of stores ------------------------------------------------------------------- */

static enum bl_answer load(void *self, struct bl_snapshot *snapshot, struct bl_object *object,
                           enum bl_read read, struct bl_failure *failure)
{
    (void)self, (void)snapshot, (void)object, (void)read;
    failure->why = BL_STR("this run has stores and nothing else to read");
    return BL_FAILED;
}

static enum bl_answer query(void *self, struct bl_snapshot *snapshot, enum bl_read read,
                            const struct bl_value *args, size_t count, struct bl_value *out,
                            struct bl_failure *failure)
{
    struct bl_store_files *files = self;
    bl_str text = {NULL, 0}, why = {NULL, 0};

    if (read != BL_READ_STORE || count != 1)
        return load(self, snapshot, NULL, read, failure);
    enum bl_answer answer = bl_store_file_read(files, bl_text_of(args[0]), &text, &why);
    *out = bl_text(text);
    if (answer == BL_FAILED) {
        bl_session_say(files->session, bl_text_of(args[0]), why);
        failure->why = BL_STR("it is no file that can be read");
        failure->help = BL_STR("Look at the file: what is wrong with it is said above.");
    }
    return answer;
}

static enum bl_written write(void *self, struct bl_arena *arena,
                             const struct bl_effect_call *call, struct bl_failure *failure)
{
    (void)arena;
    *failure = (struct bl_failure){.what = BL_STR("The rows of a store were not written")};
    if (call->effect == BL_EFFECT_KEEP)
        return bl_store_file_write(self, call->path, call->body, failure);
    failure->why = BL_STR("this run has stores and nothing else to write");
    return BL_NOT_WRITTEN;
}

static int64_t now(void *self)
{
    return ((struct bl_store_files *)self)->now;
}

struct bl_world bl_store_world(struct bl_store_files *files)
{
    return (struct bl_world){
        .self = files, .load = load, .query = query, .write = write, .now = now};
}
