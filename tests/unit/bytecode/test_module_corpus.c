/* SPDX-License-Identifier: Apache-2.0 */

/* The corpus of the fuzz target is made here: with a folder as its argument this program writes
 * it, without one it tests that the files of the checkout are what it would write. So they are
 * modules of today's format, from which the target comes far. */

#include "opcode_samples.h"
#include "support/check.h"
#include "verify_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILES 5

static bool make_empty(struct bl_arena *arena, struct bl_module_bytes *out)
{
    return bl_builder_finish(bl_builder_create(arena), out) == BL_OK;
}

static bool make_opcodes(struct bl_arena *arena, struct bl_module_bytes *out)
{
    struct bl_builder *b = sample_begin(arena);

    for (size_t i = 0; i < BL_OP_COUNT; i++)
        sample_add(b, opcode_samples[i].text);
    return bl_builder_finish(b, out) == BL_OK;
}

/* Loops in loops, lists built in them, ways out. */
static bool make_loops(struct bl_arena *arena, struct bl_module_bytes *out)
{
    return sample_of(arena,
                     "pure f(list of int, bool) : list of list of int\n"
                     "  regs list of int, iterator, int, list of int, iterator, int\n"
                     "  regs list of int, list of list of int, bool\n"
                     "  move r2, r0\n"
                     "  list r9\n"
                     "  iter r2\n"
                     "a:\n"
                     "  next r4, r2, out\n"
                     "  list r8\n"
                     "  move r5, r0\n"
                     "  iter r5\n"
                     "b:\n"
                     "  next r7, r5, inner\n"
                     "  le r10, r4, r7\n"
                     "  jump-unless r10, more\n"
                     "  push r8, r7\n"
                     "  jump-if r1, inner\n"
                     "more:\n"
                     "  loop b\n"
                     "inner:\n"
                     "  push r9, r8\n"
                     "  loop a\n"
                     "out:\n"
                     "  return r9\n",
                     out);
}

static bool make_texts(struct bl_arena *arena, struct bl_module_bytes *out)
{
    return sample_of(arena,
                     "pure f(issue, user) : clean comment\n"
                     "  regs name, int, clean comment, text, clean comment, clean comment\n"
                     "  field r2, r1, user.login\n"
                     "  field r3, r0, issue.number\n"
                     "  message r4, r2, asks\n"
                     "  const r5, \" and \"\n"
                     "  render r6, r0, comment\n"
                     "  build r7, r4, 3\n"
                     "  return r7\n"
                     "pure g(untrusted) : list of untrusted\n"
                     "  regs untrusted, pattern, list of untrusted\n"
                     "  builtin r1, r0, prose\n"
                     "  const r2, pattern 0\n"
                     "  builtin r3, r1, finds\n"
                     "  return r3\n",
                     out);
}

static const struct {
    const char *name;
    bool (*make)(struct bl_arena *, struct bl_module_bytes *);
} files[FILES] = {
    {"empty", make_empty}, {"whole", sample_build}, {"opcodes", make_opcodes},
    {"loops", make_loops}, {"texts", make_texts},
};

static FILE *open_file(const char *folder, const char *name, const char *mode)
{
    char path[1024];

    snprintf(path, sizeof path, "%s/%s.pbc", folder, name);
    return fopen(path, mode);
}

TEST(the_corpus_is_made_by_this_program)
{
    for (size_t i = 0; i < FILES; i++) {
        struct bl_arena arena;
        struct bl_module_bytes made;

        check_case("%s: run this program with fuzz/module/corpus as its argument",
                   files[i].name);
        bl_arena_init(&arena, SIZE_MAX, NULL);
        check(files[i].make(&arena, &made));
        check_int(verify_bytes(made.bytes, made.size, NULL), 0);
        FILE *file = open_file(BL_CHECKOUT "/fuzz/module/corpus", files[i].name, "rb");
        check(file != NULL);
        char *bytes = malloc(made.size + 1);
        check(bytes != NULL);
        size_t size = fread(bytes, 1, made.size + 1, file);
        fclose(file);
        check_size(size, made.size);
        check(memcmp(bytes, made.bytes, size) == 0);
        free(bytes);
        bl_arena_reset(&arena);
    }
}

static int write_corpus(const char *folder)
{
    for (size_t i = 0; i < FILES; i++) {
        struct bl_arena arena;
        struct bl_module_bytes made;
        FILE *file = open_file(folder, files[i].name, "wb");

        bl_arena_init(&arena, SIZE_MAX, NULL);
        if (file == NULL || !files[i].make(&arena, &made) ||
            fwrite(made.bytes, 1, made.size, file) != made.size || fclose(file) != 0) {
            fprintf(stderr, "%s could not be written.\n", files[i].name);
            return 1;
        }
        bl_arena_reset(&arena);
    }
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_corpus_is_made_by_this_program),
    };
    return argc == 2 ? write_corpus(argv[1]) : check_main(tests);
}
