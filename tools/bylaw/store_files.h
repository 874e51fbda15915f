/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_BYLAW_STORE_FILES_H
#define BL_BYLAW_STORE_FILES_H

#include "cli/session.h"
#include "world/world.h"

/* The files of stores, below one folder. From the first of them that is read until the end of
 * the process nobody else reads or writes one there: what a run decided stays true until it is
 * written. A process that is killed leaves no lock. */
struct bl_store_files {
    struct bl_session *session;
    struct bl_arena *arena;
    bl_str folder; /* empty: the one that the process began in */
    int lock;      /* the folder, while it is locked; -1 */
    int64_t now;   /* what bl_store_world says it is */
};

struct bl_store_files bl_store_files_at(struct bl_session *session, struct bl_arena *arena,
                                        bl_str folder, int64_t now);
/* MISSING: there is no such file. FAILED: *why says what is wrong, in a sentence. */
enum bl_answer bl_store_file_read(struct bl_store_files *files, bl_str path, bl_str *text,
                                  bl_str *why);
/* Whole or not at all: a neighbour that takes the place of the file. */
enum bl_written bl_store_file_write(struct bl_store_files *files, bl_str path, bl_str text,
                                    struct bl_failure *failure);
void bl_store_files_close(struct bl_store_files *files);

/* A world that has stores and nothing else. */
struct bl_world bl_store_world(struct bl_store_files *files);

#endif
