/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_BASE_LOWER_CASE_H
#define BL_BASE_LOWER_CASE_H

#include "base/buf.h"

/* The small letter of a capital one by Unicode's simple mapping; others as they are. */
uint32_t bl_lower_character(uint32_t c);
/* Appends valid UTF-8 in lower case: Unicode's mapping of each character by itself, in no
 * language (a sigma at the end of a word is one as any other). Linear. */
void bl_lower_case(struct bl_buf *out, bl_str s);

#endif
