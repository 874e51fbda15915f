/* SPDX-License-Identifier: Apache-2.0 */

/* Bytes as a module: size and checksum are made good, so that what is behind them is met. What
 * the verifier accepts is listed and runs; it stays within its bounds and budgets, and results
 * and effects have the types that were promised. */

#include "bytecode/module.h"
#include "fuzz_target.h"
#include "secret/redact.h"
#include "support/exercise.h"
#include "vm/vm.h"

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

/* ---- texts --------------------------------------------------------------------------------
 */

#define STEPS 20000

/* What sieves, automata and parts say of a text, whatever they say: the module is its own text,
 * between words and tokens. Findings lie in it, in order. */
static void look_through(struct bl_arena *arena, const struct bl_module *m, bl_str text)
{
    const struct bl_machine_limits limits = {.instructions = STEPS};
    struct bl_redaction_input input = {.margin = 64};
    struct bl_machine machine;

    bl_machine_init(&machine, m, arena, bl_snapshot_create(arena, NULL), BL_EVENT_COUNT,
                    &limits);
    struct bl_secret_host host = bl_machine_host(&machine);
    for (uint32_t i = 0; i < m->SECRETS_count; i++) {
        struct bl_secret_findings found = {.steps = 0};
        if (bl_machine_secrets(&machine, i, text, false, &found) != BL_OK)
            continue;
        for (size_t k = 0; k < found.list.count; k++)
            FUZZ_REQUIRE(found.list.items[k].lo <= found.list.items[k].hi &&
                         found.list.items[k].hi <= text.len);
    }
    for (uint32_t i = 0; i < m->REDACTIONS_count; i++) {
        struct bl_redactor *redactor = NULL;
        struct bl_redacted masked;
        bl_str problem = {NULL, 0};
        size_t end = 0;
        if (bl_redactor_create(arena, m, i, &host, &input, &redactor, &problem) != BL_OK ||
            bl_redact(redactor, arena, text, &masked, &problem) != BL_OK)
            continue;
        for (size_t k = 0; k < masked.list.count; k++) {
            FUZZ_REQUIRE(masked.list.items[k].lo >= end &&
                         masked.list.items[k].hi > masked.list.items[k].lo);
            end = masked.list.items[k].hi;
        }
        FUZZ_REQUIRE(end <= text.len);
    }
}

static void look_for_secrets(struct bl_arena *arena, const struct bl_module *m,
                             const uint8_t *data, size_t size)
{
    struct bl_buf text;
    size_t some = size < 2048 ? size : 2048;

    bl_buf_init(&text, arena, 1 << 16);
    BL_PUT(&text, "see ghp_AbcdefghijklmnopqrstuvwxyzAbcdefghij and TOKEN=abcdefgh\nBearer ");
    bl_buf_put(&text, (bl_str){(const char *)data + (size - some), some});
    BL_PUT(&text, " abcdefghijklmnop0123456789 \xC3\xA9 tkt-123456");
    look_through(arena, m, bl_buf_str(&text));
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
        look_for_secrets(&arena, &module, bytes, size);
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
    /* What is looked for in texts: a module without secrets has none of their rows. */
    static const enum bl_section texts[] = {BL_SECTION_BLOBS,    BL_SECTION_BLOBS,
                                            BL_SECTION_SIEVES,   BL_SECTION_PARTS,
                                            BL_SECTION_PATTERNS, BL_SECTION_MASKS};
    unsigned section = next(state) % 4 == 0   ? next(state) % BL_SECTION_COUNT
                       : next(state) % 3 == 0 ? texts[next(state) % 6]
                                              : often[next(state) % 7];
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
