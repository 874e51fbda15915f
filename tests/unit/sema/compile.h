/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TESTS_UNIT_SEMA_COMPILE_H
#define BL_TESTS_UNIT_SEMA_COMPILE_H

#include "sema/sema.h"
#include "support/allocator.h"

/* Programs whose files stand in memory. */
struct memory_file {
    const char *path;
    const char *text;
    enum bl_status status; /* BL_OK, or what reading it gives */
};

struct compiled {
    struct bl_arena arena;
    struct bl_sources sources;
    struct bl_diagnostics sink;
    struct bl_program *program;
    enum bl_status status;
    const struct memory_file *files; /* one without path behind the last */
};

/* Compiles the root; `options` NULL is none, without what comes with the compiler. Give it back
 * with release_compiled. */
void compile_files(struct compiled *c, const struct memory_file *files, const char *root,
                   const struct bl_sema_options *options, const struct bl_allocator *allocator);
/* One file "a.policy". */
void compile_text(struct compiled *c, const char *text);
void release_compiled(struct compiled *c);

/* Number of messages with the code. */
size_t count_code(const struct compiled *c, unsigned code);
/* The first node of the program whose source is this text, of that kind; NULL. */
struct bl_node *find_node(struct compiled *c, enum bl_node_kind kind, const char *text);
/* The symbol of a declaration in any space; NULL. */
struct bl_symbol *find_symbol(const struct compiled *c, const char *name);

#endif
