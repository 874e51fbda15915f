/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_FUZZ_TARGET_H
#define BL_FUZZ_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What each target defines and libFuzzer or replay_main.c calls. Returns 0; a property that
 * does not hold ends the process through FUZZ_REQUIRE. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

/* Not assert: it must hold in every kind of build. */
#define FUZZ_REQUIRE(condition)                                                                \
    do {                                                                                       \
        if (!(condition)) {                                                                    \
            __builtin_trap();                                                                  \
        }                                                                                      \
    } while (0)

#endif
