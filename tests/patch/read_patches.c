/* SPDX-License-Identifier: Apache-2.0 */
#include "event/json.h"
#include "text/patch.h"

#include <stdio.h>
#include <string.h>

/* Patches from standard input, each behind a line with its size in bytes; a line of JSON for
 * each, what bl_patch_read makes of it. For tests/patch/git.test.mjs. */

#define PATCH_BYTES ((size_t)16 << 20)

static char bytes[PATCH_BYTES];

static void key_int(struct bl_json_writer *w, bl_str key, int64_t value)
{
    bl_json_key(w, key);
    bl_json_integer(w, value);
}

static void key_text(struct bl_json_writer *w, bl_str key, bl_str value)
{
    bl_json_key(w, key);
    bl_json_string(w, value);
}

static void key_bool(struct bl_json_writer *w, bl_str key, bool value)
{
    bl_json_key(w, key);
    bl_json_bool(w, value);
}

static void put_file(struct bl_json_writer *w, const struct bl_patch *patch,
                     const struct bl_patch_file *file)
{
    bl_json_begin_object(w);
    key_text(w, BL_STR("path"), file->path);
    key_text(w, BL_STR("from"), file->from);
    key_text(w, BL_STR("change"), bl_enum_member(BL_ENUM_FILE_CHANGE, file->change));
    key_bool(w, BL_STR("binary"), file->binary);
    key_bool(w, BL_STR("mode_changed"), file->mode_changed);
    key_bool(w, BL_STR("ordinary"), file->ordinary);
    key_int(w, BL_STR("added"), file->added);
    key_int(w, BL_STR("removed"), file->removed);
    bl_json_key(w, BL_STR("lines"));
    bl_json_begin_array(w);
    for (size_t i = 0; i < file->added; i++) {
        const struct bl_patch_line *line = &patch->lines.items[file->first_line + i];
        bl_json_begin_object(w);
        key_int(w, BL_STR("number"), line->number);
        key_text(w, BL_STR("text"), line->text);
        bl_json_end_object(w);
    }
    bl_json_end_array(w);
    bl_json_end_object(w);
}

static bool answer(bl_str text)
{
    struct bl_arena arena;
    struct bl_patch patch;
    struct bl_json_writer w;
    struct bl_buf out;

    bl_arena_init(&arena, (size_t)1 << 30, NULL);
    if (bl_patch_read(&arena, text, &patch) != BL_OK)
        return false;
    bl_buf_init(&out, &arena, (size_t)1 << 29);
    bl_json_writer_init(&w, &out, false);
    bl_json_begin_object(&w);
    key_text(&w, BL_STR("problem"), patch.problem);
    key_text(&w, BL_STR("reading"), patch.reading);
    bl_json_key(&w, BL_STR("files"));
    bl_json_begin_array(&w);
    for (size_t i = 0; patch.problem.len == 0 && i < patch.files.count; i++)
        put_file(&w, &patch, &patch.files.items[i]);
    bl_json_end_array(&w);
    bl_json_end_object(&w);
    bl_buf_put_char(&out, '\n');
    bool good = !out.failed && fwrite(out.ptr, 1, out.len, stdout) == out.len;
    bl_arena_reset(&arena);
    return good;
}

int main(void)
{
    size_t size;

    while (scanf("%zu", &size) == 1) {
        if (size > PATCH_BYTES || getchar() != '\n' || fread(bytes, 1, size, stdin) != size ||
            !answer((bl_str){bytes, size}))
            return 1;
    }
    return 0;
}
