/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_LINT_LINT_H
#define BL_LINT_LINT_H

#include "lint/witness.h"

/* What is probably wrong with a policy that is well formed and well typed. Rules of lint are
 * rows of diagnostics.def in the range 06, by name; lint.def says which function finds what.
 *
 * How loud a rule is: the table's severity, changed by `lint NAME off|warn|error` of the policy
 * for the files of its package, changed by the options for all. `# allow NAME: reason` on a
 * line, or on lines of its own above it, silences one finding there.
 *
 * Only the files of the root package are looked at; what they use is looked into, and is named
 * in marks where two places are involved. */
struct bl_lint_options {
    const struct bl_lint_level *levels; /* as from a command line; later ones win */
    size_t level_count;
    /* Called for each finding that has an event to show it; may be NULL. */
    void (*witness)(void *context, const struct bl_diagnostic *finding,
                    const struct bl_witness *witness);
    void *context;
};

/* Looks at a program without errors. Findings go to the sink, in no order. BL_OK: nothing has
 * the severity error; BL_ERR_INVALID: something has; BL_ERR_NOMEM. Near-linear in the size of
 * the program; what would take longer is left out and said (PL0663). */
BL_NODISCARD enum bl_status bl_lint(struct bl_arena *arena, struct bl_program *program,
                                    const struct bl_lint_options *options,
                                    struct bl_diagnostics *sink);

/* The rules of lint, for `--help` and the reference. */
struct bl_lint_rule {
    enum bl_diagnostic_code code;
    bl_str doc;
};
size_t bl_lint_rule_count(void);
const struct bl_lint_rule *bl_lint_rule_at(size_t index);

#endif
