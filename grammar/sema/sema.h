/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_SEMA_SEMA_H
#define BL_SEMA_SEMA_H

#include "sema/program.h"

/* From paths to a typed program: reads the files and those that they use, parses them, matches
 * their clauses, resolves every name and types every expression. Annotates and never stops at
 * the first error: one mistake, one message, all of all files in one run. */

/* How files come in; the library does no I/O of its own. Paths are joined with '/'. What a
 * function gives lives as long as the arena. */
struct bl_loader {
    void *context;
    /* The text of a file. BL_ERR_INVALID: there is no such file; BL_ERR_IO: it cannot be read;
     * BL_ERR_LIMIT: it is larger than limits.def allows. */
    enum bl_status (*read)(void *context, struct bl_arena *arena, bl_str path, bl_str *text);
    /* The names of the .policy files that stand in a folder, in the order of their bytes.
     * BL_ERR_INVALID: there is no such folder. */
    enum bl_status (*list)(void *context, struct bl_arena *arena, bl_str folder, bl_str **names,
                           size_t *count);
};

struct bl_sema_options {
    bool tests;       /* files *_test.policy of the roots take part */
    bool for_running; /* what a run alone needs has to be there: the account of own comments */
    bool no_embedded; /* packages that come with the compiler are not found */
    const bl_str *search; /* folders in which `use` looks, after that of the using file */
    size_t search_count;
};

/* `roots`: files, or folders of which every .policy file takes part. They are one package; a
 * file with a `package` declaration brings its folder with it. *out is NULL only when memory
 * was out at the start. BL_OK: no errors. BL_ERR_INVALID: errors, the program has what was
 * understood. BL_ERR_NOMEM. Sort the sink before it is shown. */
BL_NODISCARD enum bl_status bl_sema(struct bl_arena *arena, struct bl_sources *sources,
                                    struct bl_diagnostics *sink, const struct bl_loader *loader,
                                    const bl_str *roots, size_t root_count,
                                    const struct bl_sema_options *options,
                                    struct bl_program **out);

/* Reports that something cannot be lowered yet. */
/* The text that a value becomes in a place; ERROR when it may not stand there. In summaries and
 * prompts what is absent reads `none`. */
bl_type bl_shown_type(bl_type type, enum bl_place place);

#endif
