/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_CLI_ARGS_H
#define BL_CLI_ARGS_H

#include "base/buf.h"

#include <stdio.h>

/* Command lines from tables: the table is the parser, the help and the check of what goes
 * together. */

/* Exit codes of both tools; docs/ARCHITECTURE.md says what each means. */
enum bl_exit {
    BL_EXIT_OK = 0,
    BL_EXIT_FINDINGS = 1,
    BL_EXIT_USAGE = 2,
    BL_EXIT_POLICY = 3,
    BL_EXIT_INPUT = 4,
    BL_EXIT_GITHUB = 5,
    BL_EXIT_INTERNAL = 70,
};

#define BL_OPTION_MANY 1u /* may be given more than once */

struct bl_option {
    const char *name;  /* without the dashes */
    char letter;       /* 0: none */
    const char *value; /* what its value is called ("FILE"); NULL: takes none */
    unsigned flags;
    const char *choices; /* "text|json"; NULL: any value */
    const char *help;    /* a sentence */
};

struct bl_command_line {
    const char *tool;    /* "policyc", "bylaw run" */
    const char *usage;   /* "FILE… [-o OUT.pbc]" */
    const char *summary; /* one line */
    const char *about;   /* paragraphs for --help; may be NULL */
    const struct bl_option *options;
    size_t option_count;
    const char *operand;  /* what stands free ("FILE"); NULL: nothing may */
    const char *examples; /* lines, may be NULL */
    const char *exits;    /* lines about exit codes of its own; NULL: those of enum bl_exit */
};

struct bl_arguments {
    const struct bl_command_line *line;
    struct bl_arena *arena;
    BL_VEC(bl_str) operands;
    BL_VEC(struct bl_given {
        const struct bl_option *option;
        bl_str value;
    })
    given;
    bool help;
    bool version;
};

/* Reads argv[first..]. False with a message of one sentence in *error (did you mean …). `--`
 * ends the options; `--name=value` and `--name value` are one; -h, --help and --version are
 * known to all. */
bool bl_arguments_read(struct bl_arguments *out, const struct bl_command_line *line,
                       struct bl_arena *arena, int argc, char **argv, int first, bl_str *error);
bool bl_argument_is(const struct bl_arguments *arguments, const char *name);
/* The last value given, or `otherwise`. */
bl_str bl_argument(const struct bl_arguments *arguments, const char *name, bl_str otherwise);
/* All values given, in their order; NULL without memory. */
bl_str *bl_argument_list(const struct bl_arguments *arguments, struct bl_arena *arena,
                         const char *name, size_t *count);
void bl_arguments_help(const struct bl_command_line *line, struct bl_buf *out);

#endif
