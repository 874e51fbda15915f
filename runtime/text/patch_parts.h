/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TEXT_PATCH_PARTS_H
#define BL_TEXT_PATCH_PARTS_H

#include "text/patch.h"

/* The parts of the reader of patches. */

struct bl_patch_reader {
    struct bl_arena *arena;
    struct bl_patch *out;
    bl_str text;
    size_t at;     /* where the line behind `line` begins */
    size_t number; /* of `line`, from 1; 0 before the first */
    bl_str line;   /* without its end */
    bool is_end;   /* there is no line any more */
    bool is_full;  /* out of memory, or more than one list holds */
};

/* Moves to the next line; one without an end is none and is refused. */
bool bl_patch_next(struct bl_patch_reader *r);
/* Refuses the patch at the line; false. The first sentence holds. */
bool bl_patch_refuse(struct bl_patch_reader *r, bl_str sentence);

/* A name as git writes it, with a prefix such as "a/" that belongs to it: quoted where it must
 * be and nowhere else. Refuses what is none, and names with control characters. */
bool bl_patch_name(struct bl_patch_reader *r, bl_str written, bl_str prefix, bl_str *path);
/* "a/X b/X": two names of one path. */
bool bl_patch_same_names(struct bl_patch_reader *r, bl_str written, bl_str *path);
/* "a/FROM b/TO", of which `from` is written without its prefix. */
bool bl_patch_two_names(struct bl_patch_reader *r, bl_str written, bl_str from,
                        bl_str *from_path, bl_str *to_path);

/* What becomes of the lines of a file, from `line`, a hunk's first, on. */
bool bl_patch_hunks(struct bl_patch_reader *r, struct bl_patch_file *file);
/* The frame of a binary patch; `line` says that it is one. */
bool bl_patch_binary(struct bl_patch_reader *r);

#endif
