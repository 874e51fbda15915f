/* SPDX-License-Identifier: Apache-2.0 */
#include "bytecode/verifier_parts.h"

#include <string.h>

struct bl_diagnostic *bl_verify_refuse(struct bl_verify *v, enum bl_diagnostic_code code)
{
    return bl_report(v->sink, code, BL_NO_SPAN);
}

bool bl_verify_bad_row(struct bl_verify *v, enum bl_section section, size_t row,
                       const char *problem)
{
    struct bl_diagnostic *d = bl_verify_refuse(v, BL_D_MODULE_ROW);

    bl_diagnostic_text(v->sink, d, "section", bl_section_name(section));
    bl_diagnostic_int(v->sink, d, "row", (int64_t)row);
    bl_diagnostic_text(v->sink, d, "problem", bl_str_from(problem));
    return false;
}

void *bl_verify_scratch(struct bl_verify *v, size_t count, size_t size)
{
    void *memory = bl_arena_alloc(v->arena, count > 0 ? count : 1, size);

    if (memory == NULL)
        v->nomem = true;
    return memory;
}

/* ---- header and sections ------------------------------------------------------------------
 */

static bool check_header(struct bl_verify *v, const unsigned char *bytes, size_t size)
{
    struct bl_module_header header;
    struct bl_diagnostic *d;

    if (size < sizeof header.magic ||
        memcmp(bytes, BL_MODULE_MAGIC, sizeof header.magic) != 0) {
        bl_verify_refuse(v, BL_D_MODULE_MAGIC);
        return false;
    }
    if (size < sizeof header) {
        d = bl_verify_refuse(v, BL_D_MODULE_SIZE);
        bl_diagnostic_int(v->sink, d, "stated", (int64_t)sizeof header);
        bl_diagnostic_int(v->sink, d, "found", (int64_t)size);
        return false;
    }
    memcpy(&header, bytes, sizeof header);
    if (header.version != BL_MODULE_VERSION) {
        d = bl_verify_refuse(v, BL_D_MODULE_VERSION);
        bl_diagnostic_int(v->sink, d, "found", header.version);
        bl_diagnostic_int(v->sink, d, "wanted", BL_MODULE_VERSION);
        return false;
    }
    if (size > bl_limit(BL_LIMIT_MODULE_BYTES)) {
        d = bl_verify_refuse(v, BL_D_MODULE_LIMIT);
        bl_diagnostic_int(v->sink, d, "limit", (int64_t)bl_limit(BL_LIMIT_MODULE_BYTES));
        return false;
    }
    if (header.size != size) {
        d = bl_verify_refuse(v, BL_D_MODULE_SIZE);
        bl_diagnostic_int(v->sink, d, "stated", (int64_t)header.size);
        bl_diagnostic_int(v->sink, d, "found", (int64_t)size);
        return false;
    }
    if (header.checksum != bl_module_checksum(bytes, size)) {
        bl_verify_refuse(v, BL_D_MODULE_DAMAGED);
        return false;
    }
    if (header.section_count != BL_SECTION_COUNT) {
        d = bl_verify_refuse(v, BL_D_MODULE_SECTIONS);
        bl_diagnostic_int(v->sink, d, "found", header.section_count);
        bl_diagnostic_int(v->sink, d, "wanted", BL_SECTION_COUNT);
        return false;
    }
    return true;
}

static bool bad_section(struct bl_verify *v, unsigned section, const char *problem)
{
    struct bl_diagnostic *d = bl_verify_refuse(v, BL_D_MODULE_SECTION);

    bl_diagnostic_text(v->sink, d, "section", bl_section_name((enum bl_section)section));
    bl_diagnostic_text(v->sink, d, "problem", bl_str_from(problem));
    return false;
}

static bool is_zero(const unsigned char *bytes, uint64_t from, uint64_t to)
{
    while (from < to) {
        if (bytes[from++] != 0)
            return false;
    }
    return true;
}

/* There is one place where each section may begin, so nothing overlaps and nothing hides. */
static bool check_sections(struct bl_verify *v, const unsigned char *bytes, size_t size)
{
    struct bl_module_section table[BL_SECTION_COUNT];
    uint64_t end = sizeof(struct bl_module_header) + sizeof table;

    if (size < end)
        return bad_section(v, 0, "the table of sections is cut off");
    memcpy(table, bytes + sizeof(struct bl_module_header), sizeof table);
    for (unsigned i = 0; i < BL_SECTION_COUNT; i++) {
        uint64_t place = bl_section_place(end);

        if (table[i].row_size != bl_section_row_size((enum bl_section)i))
            return bad_section(v, i, "its rows have another size");
        if (table[i].offset != place || table[i].unused != 0)
            return bad_section(v, i, "it does not begin behind the one before");
        if (place > size ||
            table[i].count > (size - place) / bl_section_row_size((enum bl_section)i))
            return bad_section(v, i, "it goes beyond the end of the file");
        if (!is_zero(bytes, end, place))
            return bad_section(v, i, "there are bytes in front of it");
        end = place + (uint64_t)table[i].count * table[i].row_size;
    }
    if (end != size)
        return bad_section(v, BL_SECTION_COUNT - 1, "there are bytes behind it");
#define BL_SECTION(id, name, row, doc)                                                         \
    v->module->id##_rows = (const row *)(const void *)(bytes + table[BL_SECTION_##id].offset); \
    v->module->id##_count = table[BL_SECTION_##id].count;
#include "bytecode/sections.def"
#undef BL_SECTION
    return true;
}

/* ---- all of it ----------------------------------------------------------------------------
 */

static bool verify(struct bl_verify *v, const void *bytes, size_t size)
{
    return check_header(v, bytes, size) && check_sections(v, bytes, size) &&
           bl_verify_pool(v) && bl_verify_rows(v) && bl_verify_index(v) && bl_verify_code(v);
}

enum bl_status bl_module_verify(struct bl_arena *arena, const void *bytes, size_t size,
                                struct bl_module *out, struct bl_diagnostics *sink)
{
    struct bl_arena_mark mark = bl_arena_mark(arena);
    struct bl_module module = {.bytes = bytes, .size = size};
    struct bl_verify *v = BL_NEW(arena, struct bl_verify);

    *out = (struct bl_module){.bytes = NULL};
    if (v == NULL) {
        bl_report(sink, BL_D_OUT_OF_MEMORY, BL_NO_SPAN);
        return BL_ERR_NOMEM;
    }
    if ((uintptr_t)bytes % 8 != 0)
        return BL_ERR_INTERNAL;
    v->module = &module;
    v->arena = arena;
    v->sink = sink;
    if (!verify(v, bytes, size)) {
        if (!v->nomem)
            return BL_ERR_UNVERIFIED;
        bl_report(sink, BL_D_OUT_OF_MEMORY, BL_NO_SPAN);
        return BL_ERR_NOMEM;
    }
    /* Nothing was said, so nothing of the scratch memory is held by the sink. */
    bl_arena_release(arena, mark);
    memcpy(module.digest, module.INFO_rows[0].digest, sizeof module.digest);
    *out = module;
    return BL_OK;
}
