/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FUZZ_WHOLE_PROGRAM_H
#define FUZZ_WHOLE_PROGRAM_H

#include "base/str.h"

/* What must be true of any text that is a policy, for the targets that make one. */

/* What passes the checks is lowered, what is lowered is accepted by the verifier, twice the
 * same bytes come out, runs of several events stay within their budget, and the index changes
 * nothing of what they plan. Gives whether the checks passed. */
bool whole_program(bl_str bytes);
/* What is compiled is formatted, and the formatted text has the same instructions. */
void same_code_formatted(bl_str bytes);

#endif
