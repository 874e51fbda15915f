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

/* A row of the sample with one number changed: refused where the number stands. */
struct row_case {
    enum bl_section section;
    uint32_t row;
    size_t offset; /* of a number of 32 bits in the row */
    uint32_t value;
    enum bl_section found; /* where it is noticed */
    const char *says;
};

#define AT(section, row, type, field, value)                                                   \
    BL_SECTION_##section, row, offsetof(struct type, field), value, BL_SECTION_##section
#define AT_OTHER(section, row, type, field, value, found)                                      \
    BL_SECTION_##section, row, offsetof(struct type, field), value, BL_SECTION_##found
#define BIG 0x7fffffffu
void verify_rows(struct sample_bytes (*sample)(void), const struct row_case *cases,
                 size_t count);

#endif
