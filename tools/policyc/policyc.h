/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_POLICYC_H
#define BL_POLICYC_H

#include "cli/session.h"

/* Between the files of policyc. */

/* ---- policyc.c */

/* Lints the program of the session at the levels of the command line. OK, FINDINGS, USAGE,
 * INTERNAL. */
enum bl_exit bl_policyc_lint(struct bl_session *session, const struct bl_arguments *arguments);
/* A buffer as large as output may be. */
void bl_policyc_output(struct bl_session *session, struct bl_buf *out);
/* Prints it to standard output. OK or INTERNAL. */
enum bl_exit bl_policyc_print(struct bl_session *session, const struct bl_buf *out);

/* ---- policy_files.c */

/* The policies that a command that changes them is about. */
struct bl_policy_file {
    bl_str path;
    bl_str text;
    bl_str changed; /* what it is to be; equal to text at first */
};
struct bl_policy_files {
    struct bl_policy_file *items;
    size_t count;
    size_t capacity;
};

/* What becomes of changed files. */
enum bl_rewrite { BL_REWRITE_FILES, BL_REWRITE_NAMES, BL_REWRITE_DIFF };

/* Reads them: the operands, folders with all that is below them, or `.github/bylaw.policy`. OK,
 * INPUT or INTERNAL. */
enum bl_exit bl_policy_files_read(struct bl_session *session,
                                  const struct bl_arguments *arguments,
                                  struct bl_policy_files *out);
/* FILES: writes what changed, each file whole or not at all, and says which; standard input
 * goes to standard output. NAMES and DIFF print them and give FINDINGS when there are any. */
enum bl_exit bl_policy_files_write(struct bl_session *session,
                                   const struct bl_policy_files *files,
                                   enum bl_rewrite rewrite);

/* ---- testing_command.c */

bool bl_policyc_wants_coverage(const struct bl_arguments *arguments);
/* Runs the tests of the loaded module and writes what the command line asks for. OK, FINDINGS,
 * USAGE, INPUT, INTERNAL. */
enum bl_exit bl_policyc_test(struct bl_session *session, const struct bl_arguments *arguments);

/* ---- format_command.c, fix_command.c */

enum bl_exit bl_policyc_format(struct bl_session *session,
                               const struct bl_arguments *arguments);
enum bl_exit bl_policyc_fix(struct bl_session *session, const struct bl_arguments *arguments);

/* ---- workflows_command.c */

/* policyc --emit=workflows: prints them, writes them with -o FOLDER, or with --check compares
 * them with those of a repository: the folder of -o, else the last operand. */
enum bl_exit bl_policyc_workflows(struct bl_session *session,
                                  const struct bl_arguments *arguments);
/* How many of the operands are policies. */
size_t bl_policyc_policy_count(const struct bl_arguments *arguments);

#endif
