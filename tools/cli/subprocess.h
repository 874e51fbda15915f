/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_CLI_SUBPROCESS_H
#define BL_CLI_SUBPROCESS_H

#include "base/arena.h"

/* Runs a program that is found on the path, without a shell, and takes what it prints, at most
 * `limit` bytes. What it says to standard error goes to ours. False when it cannot be run, when
 * it prints more, or when it ends with anything but 0; then *why says so in a sentence. `argv`
 * ends with NULL. */
bool bl_command_output(struct bl_arena *arena, const char *const *argv, size_t limit,
                       bl_str *out, bl_str *why);

#endif
