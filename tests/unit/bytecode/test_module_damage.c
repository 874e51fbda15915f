/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"
#include "support/exercise.h"
#include "verify_support.h"

#include <stdlib.h>
#include <string.h>

/* Damage that the checksum does not show, since it was made good again: the module is refused,
 * or what it became runs within its bounds and gives what its types promise. Sanitizers watch.
 */

struct tally {
    size_t refused, accepted;
};

static const char *look_at(const void *bytes, size_t size, struct tally *tally)
{
    struct bl_arena arena;
    struct bl_module module;
    struct bl_diagnostics sink;
    const char *wrong = NULL;

    bl_arena_init(&arena, 64u << 20, NULL);
    bl_diagnostics_init(&sink, &arena, 10);
    if (bl_module_verify(&arena, bytes, size, &module, &sink) == BL_OK) {
        struct bl_buf out;

        tally->accepted++;
        bl_buf_init(&out, &arena, 1u << 20);
        bl_module_disassemble(&module, NULL, &out);
        wrong = exercise_module(&arena, &module);
    } else {
        tally->refused++;
    }
    bl_arena_reset(&arena);
    return wrong;
}

static void *copy_of(struct bl_arena *arena, size_t *size)
{
    struct bl_module_bytes made;

    check(sample_build(arena, &made));
    void *bytes = malloc(made.size);
    check(bytes != NULL);
    memcpy(bytes, made.bytes, made.size);
    *size = made.size;
    return bytes;
}

TEST(the_sample_runs)
{
    struct bl_arena arena;
    struct tally tally = {0, 0};
    size_t size;

    bl_arena_init(&arena, SIZE_MAX, NULL);
    void *bytes = copy_of(&arena, &size);
    const char *wrong = look_at(bytes, size, &tally);
    check_case("%s", wrong != NULL ? wrong : "");
    check(wrong == NULL);
    check_size(tally.accepted, 1);
    free(bytes);
    bl_arena_reset(&arena);
}

/* Texts and automata are long, and tests of their own look at every bit of the latter. */
static bool is_long(void *bytes, size_t at)
{
    static const enum bl_section sections[] = {BL_SECTION_STRINGS, BL_SECTION_BLOBS};
    static const size_t row_sizes[] = {1, 8};

    for (size_t i = 0; i < 2; i++) {
        size_t from = (size_t)((char *)sample_row(bytes, sections[i], 0) - (char *)bytes);

        if (at >= from && at < from + sample_count(bytes, sections[i]) * row_sizes[i])
            return true;
    }
    return false;
}

TEST(every_flipped_bit_is_refused_or_runs)
{
    struct bl_arena arena;
    struct tally tally = {0, 0};
    size_t size;

    bl_arena_init(&arena, SIZE_MAX, NULL);
    unsigned char *bytes = copy_of(&arena, &size);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        if (bit % 29 != 0 && is_long(bytes, bit / 8))
            continue;
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        sample_repair(bytes, size);
        const char *wrong = look_at(bytes, size, &tally);
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        check_case("bit %zu: %s", bit, wrong != NULL ? wrong : "");
        check(wrong == NULL);
    }
    /* Both happen: a digest, a place or a number may be any. */
    check(tally.refused > 10000);
    check(tally.accepted > 1000);
    free(bytes);
    bl_arena_reset(&arena);
}

/* Numbers that lead somewhere else, in every place of 16 bits that code can be made of. */
TEST(every_number_in_the_code_is_refused_or_runs)
{
    static const uint16_t numbers[] = {0, 1, 2, 3, 7, 0x100, 0xffff};
    struct bl_arena arena;
    struct tally tally = {0, 0};
    size_t size;

    bl_arena_init(&arena, SIZE_MAX, NULL);
    unsigned char *bytes = copy_of(&arena, &size);
    unsigned char *code = sample_row(bytes, BL_SECTION_CODE, 0);
    size_t count = sample_count(bytes, BL_SECTION_CODE) * sizeof(struct bl_insn) / 2;
    for (size_t at = 0; at < count; at++) {
        for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
            uint16_t kept;

            memcpy(&kept, code + 2 * at, 2);
            memcpy(code + 2 * at, &numbers[i], 2);
            sample_repair(bytes, size);
            const char *wrong = look_at(bytes, size, &tally);
            memcpy(code + 2 * at, &kept, 2);
            check_case("%zu: %u: %s", at, numbers[i], wrong != NULL ? wrong : "");
            check(wrong == NULL);
        }
    }
    check(tally.refused > tally.accepted);
    free(bytes);
    bl_arena_reset(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sample_runs),
        cmocka_unit_test(every_flipped_bit_is_refused_or_runs),
        cmocka_unit_test(every_number_in_the_code_is_refused_or_runs),
    };
    return check_main(tests);
}
