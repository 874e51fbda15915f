/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FUZZ_PROGRAM_TEXT_H
#define FUZZ_PROGRAM_TEXT_H

#include "base/buf.h"

#include <stdint.h>

/* Writes a policy that is typed by construction, as the bytes choose; without bytes left it
 * takes the smallest choice, so that any bytes end in a program. Nearly all are accepted: what
 * the checker refuses is what types alone do not say (a condition of constants, loops that nest
 * too deep). */
void program_text(const uint8_t *bytes, size_t len, struct bl_buf *out);

#endif
