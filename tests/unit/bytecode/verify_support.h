/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TESTS_UNIT_BYTECODE_VERIFY_SUPPORT_H
#define BL_TESTS_UNIT_BYTECODE_VERIFY_SUPPORT_H

#include "module_sample.h"

/* What the verifier says of bytes that lie anywhere: they are copied to an aligned place of
 * their exact size, so that a sanitizer sees a read beyond them. The code of the first
 * diagnostic, 0 when the module is accepted. Words of the diagnostic's arguments go to `words`
 * ("insn=3 op=move …") when it is not NULL. */
unsigned verify_bytes(const void *bytes, size_t size, char words[512]);

/* The functions of `text` behind the sample's declarations. */
unsigned verify_text(const char *text, char words[512]);

/* Code that breaks one promise and no other, and what is said of it. */
struct code_case {
    const char *name;
    const char *text;
    unsigned code;    /* 0: accepted */
    const char *says; /* stands in the words of the message; may be NULL */
};
void verify_cases(const struct code_case *cases, size_t count);
#define VERIFY_CASES(cases) verify_cases(cases, sizeof(cases) / sizeof((cases)[0]))

/* The whole sample, to be changed. Reset the arena at the end. */
struct sample_bytes {
    struct bl_arena arena;
    unsigned char *at;
    size_t size;
};
struct sample_bytes whole_sample(void);
/* What the verifier says of it once the checksum is good. */
unsigned verify_repaired(struct sample_bytes *b, char words[512]);

#endif
