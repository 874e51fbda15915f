/* SPDX-License-Identifier: Apache-2.0 */
#include "language/syntax/corpus_files.h"

#include "base/buf.h"
#include "support/check.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FILE_MAX ((size_t)4 << 20)

/* BL_CHECKOUT in front. */
static const char *absolute(struct bl_arena *arena, bl_str path)
{
    struct bl_buf buf;

    bl_buf_init(&buf, arena, 4096);
    bl_buf_printf(&buf, "%s/%.*s", BL_CHECKOUT, BL_STR_ARG(path));
    return bl_buf_str(&buf).ptr;
}

static bool read_file(struct bl_arena *arena, bl_str path, bl_str *text)
{
    FILE *file = fopen(absolute(arena, path), "rb");
    struct bl_buf buf;
    char part[4096];
    size_t got;

    if (file == NULL) {
        return false;
    }
    bl_buf_init(&buf, arena, FILE_MAX);
    while ((got = fread(part, 1, sizeof(part), file)) > 0) {
        bl_buf_put(&buf, (bl_str){part, got});
    }
    fclose(file);
    *text = bl_buf_str(&buf);
    return !buf.failed;
}

static bl_str joined(struct bl_arena *arena, bl_str folder, const char *name)
{
    struct bl_buf buf;

    bl_buf_init(&buf, arena, 4096);
    bl_buf_printf(&buf, "%.*s/%s", BL_STR_ARG(folder), name);
    return bl_buf_str(&buf);
}

static void add_folder(struct policy_files *files, struct bl_arena *arena, bl_str folder,
                       const char *suffix)
{
    DIR *stream = opendir(absolute(arena, folder));

    check_case("folder %.*s", BL_STR_ARG(folder));
    check(stream != NULL);
    for (struct dirent *entry = readdir(stream); entry != NULL; entry = readdir(stream)) {
        bl_str path = joined(arena, folder, entry->d_name);
        struct stat info;
        if (entry->d_name[0] == '.' || stat(absolute(arena, path), &info) != 0) {
            continue;
        }
        if (S_ISDIR(info.st_mode)) {
            add_folder(files, arena, path, suffix);
        } else if (bl_str_ends_with(path, bl_str_from(suffix))) {
            struct policy_file *file = BL_PUSH(arena, *files);
            check(file != NULL);
            file->path = path;
            check(read_file(arena, path, &file->text));
        }
    }
    closedir(stream);
}

static int by_path(const void *a, const void *b)
{
    return bl_str_compare(((const struct policy_file *)a)->path,
                          ((const struct policy_file *)b)->path);
}

void policy_files_add(struct policy_files *files, struct bl_arena *arena, const char *folder,
                      const char *suffix)
{
    size_t before = files->count;

    add_folder(files, arena, bl_str_from(folder), suffix);
    check(files->count > before);
    qsort(files->items + before, files->count - before, sizeof(files->items[0]), by_path);
}

static bl_str with_suffix(struct bl_arena *arena, bl_str path, const char *suffix)
{
    struct bl_buf buf;
    size_t end = path.len;

    while (end > 0 && path.ptr[end - 1] != '.') {
        end--;
    }
    bl_buf_init(&buf, arena, 4096);
    bl_buf_put(&buf, bl_str_slice(path, 0, end - 1));
    bl_buf_put(&buf, bl_str_from(suffix));
    return bl_buf_str(&buf);
}

bl_str policy_file_beside(struct bl_arena *arena, bl_str path, const char *suffix)
{
    bl_str text = BL_STR("");

    (void)read_file(arena, with_suffix(arena, path, suffix), &text);
    return text;
}

void policy_file_write(struct bl_arena *arena, bl_str path, const char *suffix, bl_str text)
{
    FILE *file = fopen(absolute(arena, with_suffix(arena, path, suffix)), "wb");

    check(file != NULL);
    check(fwrite(text.ptr, 1, text.len, file) == text.len);
    check(fclose(file) == 0);
}
