/* SPDX-License-Identifier: Apache-2.0 */
#include "compile/whole_program.h"
#include "fuzz_target.h"
#include "program_text.h"

/* Bytes choose a policy that is typed by construction: what the checker accepts compiles, the
 * verifier accepts it, it runs within bounds, and the formatter does not change its code. */

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct bl_arena arena;
    struct bl_buf text;
    bl_arena_init(&arena, 1u << 24, NULL);
    bl_buf_init(&text, &arena, 1u << 20);
    program_text(bytes, len, &text);
    if (!text.failed && whole_program(bl_buf_str(&text)))
        same_code_formatted(bl_buf_str(&text));
    bl_arena_reset(&arena);
    return 0;
}
