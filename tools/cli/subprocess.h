/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_CLI_SUBPROCESS_H
#define BL_CLI_SUBPROCESS_H

#include "base/arena.h"

/* A program that is found on the path and run without a shell. `argv` and `environment` end
 * with NULL. */
struct bl_command {
    const char *const *argv;
    const char *const *environment; /* NULL: ours */
    bl_str input;                   /* what it reads; empty: nothing is there */
    bool is_quiet;                  /* what it says to standard error goes nowhere */
    size_t limit;                   /* of what it prints */
    unsigned seconds;               /* after which it is ended; 0: it has all the time */
};

/* Runs it and takes what it prints; *code is its exit code. False when it cannot be run, prints
 * more than the limit, takes too long, or is ended by a signal; then *why says so in a
 * sentence. */
bool bl_command_run(struct bl_arena *arena, const struct bl_command *command, bl_str *out,
                    int *code, bl_str *why);

/* As above, with our environment and no input; false also when it ends with anything but 0. */
bool bl_command_output(struct bl_arena *arena, const char *const *argv, size_t limit,
                       bl_str *out, bl_str *why);

#endif
