/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz_target.h"
#include "whole_program.h"

/* Any bytes as a whole program. */

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    (void)whole_program((bl_str){(const char *)bytes, len});
    return 0;
}
