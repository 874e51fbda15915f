/* SPDX-License-Identifier: Apache-2.0 */
#include "support/policy_loader.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

enum bl_status read_policy(void *context, struct bl_arena *arena, bl_str path, bl_str *text)
{
    bl_str name = bl_arena_copy(arena, path);
    FILE *file = name.ptr != NULL ? fopen(name.ptr, "rb") : NULL;
    size_t capacity = (size_t)bl_limit(BL_LIMIT_SOURCE_BYTES), length;
    char *bytes;

    (void)context;
    if (file == NULL)
        return BL_ERR_INVALID;
    bytes = bl_arena_alloc(arena, capacity, 1);
    length = bytes != NULL ? fread(bytes, 1, capacity - 1, file) : 0;
    bool failed = ferror(file) != 0;
    fclose(file);
    if (bytes == NULL)
        return BL_ERR_NOMEM;
    *text = (bl_str){bytes, length};
    return failed ? BL_ERR_IO : BL_OK;
}

static int by_bytes(const void *a, const void *b)
{
    return bl_str_compare(*(const bl_str *)a, *(const bl_str *)b);
}

static enum bl_status list_policies(void *context, struct bl_arena *arena, bl_str folder,
                                    bl_str **names, size_t *count)
{
    BL_VEC(bl_str) list = {NULL, 0, 0};
    bl_str name = bl_arena_copy(arena, folder);
    DIR *dir = name.ptr != NULL ? opendir(name.ptr) : NULL;

    (void)context;
    if (dir == NULL)
        return BL_ERR_INVALID;
    for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        bl_str file = bl_str_from(entry->d_name);
        bl_str *slot = bl_str_ends_with(file, BL_STR(".policy")) ? BL_PUSH(arena, list) : NULL;

        if (slot != NULL)
            *slot = bl_arena_copy(arena, file);
    }
    closedir(dir);
    if (list.count > 1)
        qsort(list.items, list.count, sizeof(*list.items), by_bytes);
    *names = list.items;
    *count = list.count;
    return BL_OK;
}

const struct bl_loader policy_loader = {NULL, read_policy, list_policies};
