/* SPDX-License-Identifier: Apache-2.0 */
#include "compile/whole_program.h"
#include "program_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* random_programs FIRST COUNT [--print]: the property of program_fuzz.c for so many seeds. Most
 * of the programs must pass the checks, or the property would hold of nothing. */

#define BYTES_MAX 2000u

static void fill(uint64_t seed, uint8_t *bytes, size_t len)
{
    uint64_t state = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
    for (size_t i = 0; i < len; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        bytes[i] = (uint8_t)(state >> 32);
    }
}

int main(int argc, char **argv)
{
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 1, accepted = 0;
    bool prints = argc > 3 && strcmp(argv[3], "--print") == 0;
    for (uint64_t seed = first; seed < first + count; seed++) {
        uint8_t bytes[BYTES_MAX];
        struct bl_arena arena;
        struct bl_buf text;
        size_t len = 50 + (size_t)(seed * 37 % (BYTES_MAX - 50));
        fill(seed, bytes, len);
        bl_arena_init(&arena, 1u << 24, NULL);
        bl_buf_init(&text, &arena, 1u << 20);
        program_text(bytes, len, &text);
        if (prints)
            (void)fwrite(text.ptr, 1, text.len, stdout), (void)fflush(stdout);
        /* A property that does not hold ends the process: this says where. */
        (void)fprintf(stderr, "\rseed %" PRIu64, seed);
        if (whole_program(bl_buf_str(&text))) {
            same_code_formatted(bl_buf_str(&text));
            accepted++;
        }
        bl_arena_reset(&arena);
    }
    (void)fprintf(stderr, "\n%" PRIu64 " of %" PRIu64 " programs pass the checks.\n", accepted,
                  count);
    return accepted * 2 >= count ? EXIT_SUCCESS : EXIT_FAILURE;
}
