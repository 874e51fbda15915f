/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"
#include "verify_support.h"

#include <string.h>

/* The file: header, table of sections, checksum. */

TEST(the_sample_is_accepted_and_has_rows_in_every_section)
{
    struct sample_bytes b = whole_sample();
    char words[512];
    unsigned code = verify_bytes(b.at, b.size, words);

    check_case("%s", words);
    check_int(code, 0);
    for (unsigned i = 0; i < BL_SECTION_COUNT; i++) {
        check_case("section %u", i);
        check(sample_count(b.at, (enum bl_section)i) > 0);
    }
    bl_arena_reset(&b.arena);
}

TEST(the_header_says_what_the_file_is)
{
    static const struct {
        const char *name;
        size_t offset;
        unsigned char byte;
        unsigned code;
    } cases[] = {
        {"magic", 0, 'b', BL_D_MODULE_MAGIC},
        {"version", 8, BL_MODULE_VERSION + 1, BL_D_MODULE_VERSION},
        {"number of sections", 12, BL_SECTION_COUNT + 1, BL_D_MODULE_SECTIONS},
        {"size", 22, 1, BL_D_MODULE_SIZE},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sample_bytes b = whole_sample();

        check_case("%s", cases[i].name);
        b.at[cases[i].offset] = cases[i].byte;
        check_int(verify_repaired(&b, NULL), cases[i].code);
        bl_arena_reset(&b.arena);
    }
}

TEST(sections_stand_behind_each_other)
{
    enum field { OFFSET, COUNT, ROW_SIZE, UNUSED };
    static const struct {
        const char *name;
        enum bl_section section;
        enum field field;
        uint32_t add;
        const char *says;
    } cases[] = {
        {"offset further on", BL_SECTION_ENTRIES, OFFSET, 8,
         "section=entries problem=it does not"},
        {"offset before", BL_SECTION_CODE, OFFSET, (uint32_t)-8,
         "section=code problem=it does not"},
        {"offset at the end of 32 bits", BL_SECTION_CODE, OFFSET, 0x80000000u,
         "it does not begin"},
        {"more rows", BL_SECTION_JOBS, COUNT, 1, "section=entries problem=it does not begin"},
        {"more rows than bytes", BL_SECTION_JOBS, COUNT, 0x7fffffffu, "goes beyond the end"},
        {"a row less at the end", BL_SECTION_COUNT - 1, COUNT, (uint32_t)-1,
         "problem=there are bytes behind it"},
        {"rows of another size", BL_SECTION_MAP, ROW_SIZE, 4,
         "section=map problem=its rows have"},
        {"something in the unused field", BL_SECTION_MAP, UNUSED, 1, "section=map"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sample_bytes b = whole_sample();
        char words[512];
        uint32_t number;
        unsigned char *at = b.at + sizeof(struct bl_module_header) +
                            cases[i].section * sizeof(struct bl_module_section) +
                            cases[i].field * 4;

        memcpy(&number, at, sizeof number);
        number += cases[i].add;
        memcpy(at, &number, sizeof number);
        unsigned code = verify_repaired(&b, words);
        check_case("%s: %s", cases[i].name, words);
        check_int(code, BL_D_MODULE_SECTION);
        check(strstr(words, cases[i].says) != NULL);
        bl_arena_reset(&b.arena);
    }
}

TEST(bytes_between_and_behind_sections_are_refused)
{
    struct sample_bytes b = whole_sample();
    struct bl_module_section pool;
    uint64_t size = b.size + 8;

    memcpy(&pool, b.at + sizeof(struct bl_module_header), sizeof pool);
    if (pool.count % 8 != 0) {
        b.at[pool.offset + pool.count] = 1;
        check_int(verify_repaired(&b, NULL), BL_D_MODULE_SECTION);
        b.at[pool.offset + pool.count] = 0;
    }
    memcpy(b.at + offsetof(struct bl_module_header, size), &size, sizeof size);
    b.size += 8;
    check_int(verify_repaired(&b, NULL), BL_D_MODULE_SECTION);
    bl_arena_reset(&b.arena);
}

TEST(a_module_that_is_cut_off_is_refused)
{
    struct sample_bytes b = whole_sample();

    for (size_t size = 0; size < b.size; size++) {
        unsigned code = verify_bytes(b.at, size, NULL);

        check_case("%zu bytes", size);
        check_int(code, size < 8 ? BL_D_MODULE_MAGIC : BL_D_MODULE_SIZE);
    }
    bl_arena_reset(&b.arena);
}

/* Also when the header says so: then a section or a row lacks something. */
TEST(a_module_that_is_cut_off_and_repaired_is_refused)
{
    struct sample_bytes b = whole_sample();

    for (uint64_t size = sizeof(struct bl_module_header); size < b.size; size += 1) {
        struct sample_bytes cut = {.size = size};

        bl_arena_init(&cut.arena, SIZE_MAX, NULL);
        cut.at = bl_arena_alloc(&cut.arena, 1, size);
        memcpy(cut.at, b.at, size);
        memcpy(cut.at + offsetof(struct bl_module_header, size), &size, sizeof size);
        check_case("%zu bytes", (size_t)size);
        check_int(verify_repaired(&cut, NULL), BL_D_MODULE_SECTION);
        bl_arena_reset(&cut.arena);
    }
    bl_arena_reset(&b.arena);
}

TEST(every_flipped_bit_is_found)
{
    struct sample_bytes b = whole_sample();
    struct bl_module module;
    struct bl_diagnostics sink;
    struct bl_arena arena;

    bl_arena_init(&arena, SIZE_MAX, NULL);
    for (size_t bit = 0; bit < 8 * b.size; bit++) {
        bl_diagnostics_init(&sink, &arena, 1);
        b.at[bit / 8] ^= (unsigned char)(1u << bit % 8);
        enum bl_status status = bl_module_verify(&arena, b.at, b.size, &module, &sink);
        b.at[bit / 8] ^= (unsigned char)(1u << bit % 8);
        if (status != BL_ERR_UNVERIFIED)
            check_case("bit %zu", bit);
        check_status(status, BL_ERR_UNVERIFIED);
        bl_arena_reset(&arena);
    }
    bl_arena_reset(&b.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sample_is_accepted_and_has_rows_in_every_section),
        cmocka_unit_test(the_header_says_what_the_file_is),
        cmocka_unit_test(sections_stand_behind_each_other),
        cmocka_unit_test(bytes_between_and_behind_sections_are_refused),
        cmocka_unit_test(a_module_that_is_cut_off_is_refused),
        cmocka_unit_test(a_module_that_is_cut_off_and_repaired_is_refused),
        cmocka_unit_test(every_flipped_bit_is_found),
    };
    return check_main(tests);
}
