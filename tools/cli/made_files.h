/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_CLI_MADE_FILES_H
#define BL_CLI_MADE_FILES_H

#include "cli/session.h"
#include "sema/program.h"

/* The files of a repository that are made from its policy: held against those that are there,
 * and written: for `policyc --emit=workflows`, `bylaw install` and `bylaw check`. */

struct bl_made_file {
    bl_str path;   /* below the folder of the repository */
    bl_str found;  /* what is there; empty: nothing */
    bl_str wanted; /* what it is to hold */
    bool is_there, is_right;
    enum bl_diagnostic_code missing, differs;
    struct bl_span span; /* of the declaration */
    bl_str name;         /* of the section */
    bool is_whole;       /* made as a whole, so that a difference is worth showing */
};
struct bl_made_files {
    bl_str folder;
    BL_VEC(struct bl_made_file) list;
    BL_VEC(bl_str) left; /* workflows that no policy makes any more */
};

/* Each gives an exit code, and says what is wrong: links, folders, what is no text. */
enum bl_exit bl_made_begin(struct bl_session *session, bl_str folder,
                           struct bl_made_files *made);
enum bl_exit bl_made_workflows(struct bl_session *session, struct bl_made_files *made);
/* `language`: of the words of a section that is missing; NULL: the first one. */
enum bl_exit bl_made_sections(struct bl_session *session, const struct bl_symbol *language,
                              struct bl_made_files *made);
/* The line of .gitignore for the folder that the product names. */
enum bl_exit bl_made_ignored(struct bl_session *session, struct bl_made_files *made);

/* Where a file lies, as it may be said. */
bl_str bl_made_path(struct bl_session *session, const struct bl_made_files *made,
                    const struct bl_made_file *file);
/* Reports what is not as it should be, and shows in `diff` what differs. OK or FINDINGS. */
enum bl_exit bl_made_compare(struct bl_session *session, const struct bl_made_files *made,
                             struct bl_buf *diff);
/* Writes what is not right. A file is replaced whole or stays; what was written before one that
 * cannot be is right then, and the rest is written the next time. */
enum bl_exit bl_made_write(struct bl_session *session, const struct bl_made_files *made);
/* Shows what would be written. */
void bl_made_show(struct bl_session *session, const struct bl_made_files *made,
                  struct bl_buf *diff);

#endif
