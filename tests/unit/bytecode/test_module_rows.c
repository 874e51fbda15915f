/* SPDX-License-Identifier: Apache-2.0 */
#include "module_sample.h"
#include "support/check.h"

#include <stdio.h>
#include <string.h>

TEST(the_sample_is_accepted)
{
    struct bl_arena arena;
    struct bl_module_bytes made;
    struct bl_module module;
    struct bl_diagnostics sink;

    bl_arena_init(&arena, SIZE_MAX, NULL);
    bl_diagnostics_init(&sink, &arena, 10);
    check(sample_build(&arena, &made));
    enum bl_status status = bl_module_verify(&arena, made.bytes, made.size, &module, &sink);
    for (size_t i = 0; i < sink.list.count; i++) {
        const struct bl_diagnostic *d = sink.list.items[i];
        printf("%u", d->code);
        for (size_t j = 0; j < d->arg_count; j++)
            printf(" %s=%.*s", d->args[j].name, BL_STR_ARG(d->args[j].value));
        printf("\n");
    }
    check_status(status, BL_OK);
    struct bl_buf out;
    bl_buf_init(&out, &arena, SIZE_MAX);
    bl_module_disassemble(&module, NULL, &out);
    printf("%.*s", BL_STR_ARG(bl_buf_str(&out)));
    bl_arena_reset(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sample_is_accepted),
    };
    return check_main(tests);
}
