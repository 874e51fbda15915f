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

#endif
