/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TEXT_PATCH_H
#define BL_TEXT_PATCH_H

#include "base/buf.h"
#include "base/status.h"
#include "spec/tables.h"

/* A strict reader of patches, in the one form that `git diff` writes: nothing stands before the
 * first or behind the last file, every header is one that git writes there, and every count,
 * place and name is the one that the others ask for. Everything else is refused as a whole, for
 * whoever applies it might read it otherwise. Time is linear in the text but for a sort of the
 * paths, memory a fixed factor of it. */

struct bl_patch_line {
    uint32_t number; /* in the file as it becomes, from 1 */
    bl_str text;     /* without its sign and its end; a CR before the end stays */
};

struct bl_patch_file {
    bl_str path;     /* decoded, without a/ and b/; of a deleted file the one that it had */
    bl_str from;     /* of a renamed or copied file; else empty */
    unsigned change; /* BL_FILE_CHANGE_… */
    bool binary;
    bool mode_changed; /* its mode changes, or it is created with another one than 100644 */
    bool ordinary;     /* known to be no link and no submodule, before and after */
    uint32_t added, removed;
    size_t first_line; /* of the added ones, in the patch's */
    size_t lo, hi;     /* the bytes of the text that are about it */
};

struct bl_patch {
    BL_VEC(struct bl_patch_file) files;
    BL_VEC(struct bl_patch_line) lines; /* that are added */
    uint32_t added, removed;
    /* For each file "ADDED REMOVED PATH" and a line end, "-" twice for a binary one: what `git
     * apply --numstat` says, see bl_patch_numstat. */
    bl_str reading;
    /* What cannot be read: a sentence and the line of the patch, from 1. Empty: all was. */
    bl_str problem;
    size_t problem_line;
    uint64_t steps;
};

/* BL_OK: out->problem says whether it was read; of a patch that was not, nothing else holds.
 * BL_ERR_NOMEM. What comes out points into `text` where it can. */
BL_NODISCARD enum bl_status bl_patch_read(struct bl_arena *arena, bl_str text,
                                          struct bl_patch *out);

/* What git prints with -z as a reading; false when a path in it is one that no reading has, or
 * when it is something else. An empty *out with false: out of memory. */
bool bl_patch_numstat(struct bl_arena *arena, bl_str printed, bl_str *out);

/* A patch that creates a file of these lines, as git writes it. Empty when out of memory, or
 * when there is no room for it. */
bl_str bl_patch_of_new_file(struct bl_arena *arena, bl_str path, bl_str text);

#endif
