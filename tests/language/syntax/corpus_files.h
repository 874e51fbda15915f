/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TESTS_LANGUAGE_POLICY_FILES_H
#define BL_TESTS_LANGUAGE_POLICY_FILES_H

#include "base/arena.h"

/* Files below a folder of the checkout, for tests that go through all of them. */
struct policy_file {
    bl_str path; /* from the top of the checkout; ends with a NUL */
    bl_str text;
};
struct policy_files {
    struct policy_file *items;
    size_t count;
    size_t capacity;
};

/* Adds every file below `folder` whose name ends with `suffix`, ordered by path. A folder that
 * is not there, and one without such files, fails the test. */
void policy_files_add(struct policy_files *files, struct bl_arena *arena, const char *folder,
                      const char *suffix);
/* The file beside `path` with the other suffix; the empty slice when there is none. */
bl_str policy_file_beside(struct bl_arena *arena, bl_str path, const char *suffix);
/* Writes it: for tests that were asked to take what is for what should be. */
void policy_file_write(struct bl_arena *arena, bl_str path, const char *suffix, bl_str text);

#endif
