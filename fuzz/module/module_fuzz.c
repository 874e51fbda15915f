/* SPDX-License-Identifier: Apache-2.0 */

/* Bytes as a module: size and checksum are made good, so that what is behind them is met. What
 * the verifier accepts is listed and runs; it stays within its bounds and budgets, and results
 * and effects have the types that were promised. */

#include "bytecode/module.h"
#include "fuzz_target.h"
#include "support/exercise.h"

#include <stdlib.h>
#include <string.h>

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

static void repair(unsigned char *bytes, size_t size)
{
    struct bl_module_header header;

    if (size < sizeof header)
        return;
    memcpy(&header, bytes, sizeof header);
    memcpy(header.magic, BL_MODULE_MAGIC, sizeof header.magic);
    header.version = BL_MODULE_VERSION;
    header.section_count = BL_SECTION_COUNT;
    header.size = size;
    memcpy(bytes, &header, sizeof header);
    header.checksum = bl_module_checksum(bytes, size);
    memcpy(bytes, &header, sizeof header);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* Aligned, and of the exact size. */
    unsigned char *bytes = malloc(size > 0 ? size : 1);
    struct bl_arena arena;
    struct bl_module module;
    struct bl_diagnostics sink;

    if (bytes == NULL)
        return 0;
    if (size > 0)
        memcpy(bytes, data, size);
    repair(bytes, size);
    bl_arena_init(&arena, 64u << 20, NULL);
    bl_diagnostics_init(&sink, &arena, 10);
    enum bl_status status = bl_module_verify(&arena, bytes, size, &module, &sink);
    FUZZ_REQUIRE(status == BL_OK || status == BL_ERR_UNVERIFIED || status == BL_ERR_NOMEM);
    FUZZ_REQUIRE((status == BL_OK) == (sink.errors == 0));
    if (status == BL_OK) {
        struct bl_buf out;

        bl_buf_init(&out, &arena, 1u << 20);
        bl_module_disassemble(&module, NULL, &out);
        FUZZ_REQUIRE(exercise_module(&arena, &module) == NULL);
    }
    bl_arena_reset(&arena);
    free(bytes);
    return 0;
}

/* ---- mutations ----------------------------------------------------------------------------
 */

static uint32_t next(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* A section with rows, code and its surroundings more often than others. */
static bool choose(const uint8_t *data, size_t size, uint32_t *state,
                   struct bl_module_section *out)
{
    static const enum bl_section often[] = {
        BL_SECTION_CODE,      BL_SECTION_CODE,   BL_SECTION_CODE, BL_SECTION_REGISTERS,
        BL_SECTION_FUNCTIONS, BL_SECTION_CONSTS, BL_SECTION_SITES};
    unsigned section =
        next(state) % 4 != 0 ? often[next(state) % 7] : next(state) % BL_SECTION_COUNT;
    size_t at = sizeof(struct bl_module_header) + section * sizeof *out;

    if (size < at + sizeof *out)
        return false;
    memcpy(out, data + at, sizeof *out);
    return out->count > 0 && out->row_size > 0 && out->offset < size &&
           out->count <= (size - out->offset) / out->row_size;
}

static void change_number(uint8_t *row, uint32_t row_size, uint32_t *state)
{
    uint32_t width = row_size < 2 ? 1 : next(state) % 2 == 0 || row_size < 4 ? 2 : 4;
    uint32_t at = next(state) % (row_size / width) * width;
    uint32_t number = 0;

    memcpy(&number, row + at, width);
    switch (next(state) % 5) {
    case 0:
        number++;
        break;
    case 1:
        number--;
        break;
    case 2:
        number = next(state) % 16;
        break;
    case 3:
        number ^= 1u << next(state) % (8 * width);
        break;
    default:
        number = next(state);
        break;
    }
    memcpy(row + at, &number, width);
}

/* Rows stay where they are: most other changes end in the table of sections. One to four
 * changes: a number in a row, or a row in the place of another. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    uint32_t state = seed * 2654435761u + 1;

    (void)max_size;
    for (uint32_t changes = next(&state) % 4 + 1; changes > 0; changes--) {
        struct bl_module_section section;

        if (!choose(data, size, &state, &section)) {
            if (size > 0)
                data[next(&state) % size] ^= (uint8_t)(1u << next(&state) % 8);
            continue;
        }
        uint8_t *rows = data + section.offset;
        uint8_t *row = rows + (size_t)(next(&state) % section.count) * section.row_size;
        if (next(&state) % 3 == 0)
            memmove(row, rows + (size_t)(next(&state) % section.count) * section.row_size,
                    section.row_size);
        else
            change_number(row, section.row_size, &state);
    }
    return size;
}
