/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_CLI_SESSION_H
#define BL_CLI_SESSION_H

#include "bytecode/module.h"
#include "cli/args.h"
#include "cli/files.h"
#include "emit/emit.h"
#include "report/report.h"
#include "sema/sema.h"

/* What both tools do: read policies or a module, compile, verify, and say what is wrong. */

/* A text that is read instead of the file, for changes that are tried first. */
struct bl_overlay {
    bl_str path;
    bl_str text;
};

struct bl_session {
    struct bl_arena arena; /* of everything here */
    struct bl_sources sources;
    struct bl_diagnostics sink;
    struct bl_report_options report;
    struct bl_program *program; /* NULL when a .pbc was loaded */
    struct bl_module_bytes bytes;
    struct bl_module module;
    bool has_module;
    bool output_is_data; /* standard output is for a program: messages go elsewhere */
    bool for_reading;    /* set before a check: what cannot run yet is no error */
    const struct bl_overlay *overlay; /* the caller's */
    size_t overlay_count;
};

/* Options that both tools have; rows for their tables. */
#define BL_SESSION_OPTIONS                                                                     \
    {"format",                                                                                 \
     0,                                                                                        \
     "FORMAT",                                                                                 \
     0,                                                                                        \
     "text|json|sarif|github",                                                                 \
     "How diagnostics are written; 'github' are workflow commands. Default: github inside "    \
     "GitHub Actions, else text."},                                                            \
        {"color", 0, "WHEN", 0, "auto|always|never", "Colour. Default: auto."},                \
    {                                                                                          \
        "path", 0, "FOLDER", BL_OPTION_MANY, NULL,                                             \
            "A folder in which 'use' looks, after that of the using file. May stand more "     \
            "than once."                                                                       \
    }

void bl_session_begin(struct bl_session *session, const char *tool);
/* Takes format and colour from the arguments. */
void bl_session_options(struct bl_session *session, const struct bl_arguments *arguments);
void bl_session_end(struct bl_session *session);

/* Compiles files and folders (or `.github/bylaw.policy` when there are none), or loads one
 * .pbc, and verifies the module. What is wrong is in the sink. Gives an exit code: OK, POLICY,
 * INPUT (a module that is refused), INTERNAL. `tests`: with the tests of the policies. */
enum bl_exit bl_session_load(struct bl_session *session, const struct bl_arguments *arguments,
                             const bl_str *paths, size_t count, bool tests);
/* The same without lowering: names and types alone. */
enum bl_exit bl_session_check(struct bl_session *session, const struct bl_arguments *arguments,
                              const bl_str *paths, size_t count, bool tests);

/* Writes the sink: text and workflow commands to standard error (commands to standard output,
 * where the runner reads them), JSON and SARIF to standard output. `keep` writes an empty
 * report too. */
void bl_session_report(struct bl_session *session, bool keep);

/* One sentence to standard error, "policyc: …", with the path in front of it if there is one.
 */
void bl_session_say(const struct bl_session *session, bl_str path, bl_str sentence);

/* The same of a policy that cannot be read; of the one that nobody named it says what it is. */
void bl_session_say_missing(struct bl_session *session, bl_str path, bl_str why);

/* Usage, help and version. True when the tool is done, with *exit. */
bool bl_session_usage(struct bl_session *session, const struct bl_command_line *line, int argc,
                      char **argv, int first, struct bl_arguments *arguments,
                      enum bl_exit *exit);

#endif
