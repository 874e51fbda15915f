/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_CLI_FILES_H
#define BL_CLI_FILES_H

#include "base/arena.h"
#include "base/status.h"

/* What the libraries never do: files, folders, standard streams, terminals. */

enum bl_file_result { BL_FILE_READ, BL_FILE_MISSING, BL_FILE_FAILED };

/* A whole file, `limit` bytes at most; "-" is standard input. *why says what failed, in a
 * sentence without the path. The text is aligned to 8 and ends with a NUL behind its length. */
enum bl_file_result bl_file_read(struct bl_arena *arena, bl_str path, size_t limit, bl_str *out,
                                 bl_str *why);
/* A file below a folder, for paths that others chose: no part of the path is a link, none is
 * `.`, `..` or empty, and what stands there is an ordinary file. All else is FAILED; MISSING is
 * where nothing stands. */
enum bl_file_result bl_file_read_below(struct bl_arena *arena, bl_str folder, bl_str path,
                                       size_t limit, bl_str *out, bl_str *why);
/* Writes a file whole or not at all: a neighbour that is renamed at the end. "-" is standard
 * output. BL_ERR_IO with *why. */
BL_NODISCARD enum bl_status bl_file_write(struct bl_arena *arena, bl_str path, bl_str content,
                                          bl_str *why);
/* The same over a file that is there: it keeps its mode, and a link stays one. */
BL_NODISCARD enum bl_status bl_file_replace(struct bl_arena *arena, bl_str path, bl_str content,
                                            bl_str *why);
/* Appends, creating the file if needed (GITHUB_OUTPUT and such). */
BL_NODISCARD enum bl_status bl_file_append(struct bl_arena *arena, bl_str path, bl_str content,
                                           bl_str *why);
/* The same for files and folders that nobody but their owner may read. */
BL_NODISCARD enum bl_status bl_file_write_private(struct bl_arena *arena, bl_str path,
                                                  bl_str content, bl_str *why);
BL_NODISCARD enum bl_status bl_file_append_private(struct bl_arena *arena, bl_str path,
                                                   bl_str content, bl_str *why);
BL_NODISCARD enum bl_status bl_folder_make_private(struct bl_arena *arena, bl_str path,
                                                   bl_str *why);
/* Writes over a file from a place of it on, and ends it behind the text. */
BL_NODISCARD enum bl_status bl_file_rewrite(struct bl_arena *arena, bl_str path, size_t from,
                                            bl_str content, bl_str *why);
/* Is something there, and it is no ordinary file: a folder, a link, a pipe, a device? */
bool bl_file_is_odd(struct bl_arena *arena, bl_str path);
/* Is it an ordinary file that begins with these bytes, at most 64? */
bool bl_file_begins(struct bl_arena *arena, bl_str path, bl_str bytes);
/* Can it be opened for reading? Else *why says what is wrong, in a sentence. */
bool bl_file_exists(struct bl_arena *arena, bl_str path, bl_str *why);
/* Makes a folder whose parent is there; one that is there is fine, and so is the empty path. */
BL_NODISCARD enum bl_status bl_folder_make(struct bl_arena *arena, bl_str path, bl_str *why);
bool bl_path_is_file(struct bl_arena *arena, bl_str path);
bool bl_path_is_folder(struct bl_arena *arena, bl_str path);
bool bl_path_is_link(struct bl_arena *arena, bl_str path);
/* Creates a folder; one that is there is as good. BL_ERR_IO with *why. */
BL_NODISCARD enum bl_status bl_folder_create(struct bl_arena *arena, bl_str path, bl_str *why);
/* Names of the entries of a folder that end with `suffix`, sorted by bytes; not hidden ones. A
 * suffix whose `ptr` is NULL takes every entry, hidden ones too. */
enum bl_file_result bl_folder_list(struct bl_arena *arena, bl_str path, bl_str suffix,
                                   bl_str **names, size_t *count, bl_str *why);

/* Everything to standard output or standard error; a closed pipe or a full disk is BL_ERR_IO.
 */
BL_NODISCARD enum bl_status bl_print(bl_str text);
void bl_print_error(bl_str text);
/* The same for text that others wrote, or that shows a policy: a line of it that GitHub Actions
 * would take for a command of a workflow is none. JSON stays JSON, for programs. */
BL_NODISCARD enum bl_status bl_print_quoted(struct bl_arena *arena, bl_str text);
void bl_print_error_quoted(struct bl_arena *arena, bl_str text);
/* Colour: `when` is "always", "never" or "auto" (a terminal, NO_COLOR unset, TERM not dumb). */
bool bl_wants_colour(bl_str when, int descriptor);
/* An environment variable; empty when unset. */
bl_str bl_environment(const char *name);
int64_t bl_clock(void);
/* Bytes that nobody can guess; false when the system gives none. */
bool bl_random(unsigned char *bytes, size_t count);
/* Waits until nobody else holds the folder, but no longer than half a minute; -1 with *why.
 * What comes back is given to bl_folder_unlock; a process that ends holds nothing. */
int bl_folder_lock(struct bl_arena *arena, bl_str path, bl_str *why);
void bl_folder_unlock(int lock);
/* How large a file is; 0 when it is not there. */
size_t bl_file_size(struct bl_arena *arena, bl_str path);

#endif
