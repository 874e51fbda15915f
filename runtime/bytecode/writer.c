/* SPDX-License-Identifier: Apache-2.0 */
#include "base/sort.h"
#include "bytecode/builder_parts.h"
#include "bytecode/layout.h"

#include <string.h>

/* ---- what is sorted -----------------------------------------------------------------------
 */

/* The order depends on the rows alone. */
static void sort_rows(struct bl_builder *b, void *rows, size_t count, size_t size,
                      bl_compare_fn *compare)
{
    if (!bl_sort(b->arena, rows, count, size, compare, b))
        bl_builder_fail(b, BL_ERR_NOMEM);
}

/* Rows that equal the one before go. */
static size_t drop_repeated(void *rows, size_t count, size_t size)
{
    char *row = rows;
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        if (kept > 0 && memcmp(row + (kept - 1) * size, row + i * size, size) == 0)
            continue;
        memmove(row + kept++ * size, row + i * size, size);
    }
    return kept;
}

static int order(uint32_t x, uint32_t y)
{
    return (x > y) - (x < y);
}

static int event_rule_order(const void *x, const void *y, const void *builder)
{
    const struct bl_event_rule *p = x;
    const struct bl_event_rule *q = y;

    (void)builder;
    return p->event != q->event ? order(p->event, q->event) : order(p->entry, q->entry);
}

static int override_order(const void *x, const void *y, const void *builder)
{
    const struct bl_module_pair *p = x;
    const struct bl_module_pair *q = y;

    (void)builder;
    return p->winner != q->winner ? order(p->winner, q->winner) : order(p->loser, q->loser);
}

static int answer_rule_order(const void *x, const void *y, const void *builder)
{
    const struct bl_answer_rule *p = x;
    const struct bl_answer_rule *q = y;

    (void)builder;
    return p->task != q->task ? order(p->task, q->task) : order(p->entry, q->entry);
}

static int access_order(const void *x, const void *y, const void *builder)
{
    const struct bl_access *p = x;
    const struct bl_access *q = y;
    const struct bl_builder *b = builder;
    int keys = bl_access_order(b->STRINGS.items, p, q);

    return keys != 0 ? keys : order(p->entry, q->entry);
}

static void sort_index(struct bl_builder *b)
{
    sort_rows(b, b->EVENT_RULES.items, b->EVENT_RULES.count, sizeof(struct bl_event_rule),
              event_rule_order);
    b->EVENT_RULES.count =
        drop_repeated(b->EVENT_RULES.items, b->EVENT_RULES.count, sizeof(struct bl_event_rule));
    sort_rows(b, b->ANSWER_RULES.items, b->ANSWER_RULES.count, sizeof(struct bl_answer_rule),
              answer_rule_order);
    sort_rows(b, b->OVERRIDES.items, b->OVERRIDES.count, sizeof(struct bl_module_pair),
              override_order);
    b->OVERRIDES.count =
        drop_repeated(b->OVERRIDES.items, b->OVERRIDES.count, sizeof(struct bl_module_pair));
    sort_rows(b, b->ACCESS.items, b->ACCESS.count, sizeof(struct bl_access), access_order);
    for (size_t i = 0; i < b->ACCESS.count && bl_builder_is_good(b); i++) {
        uint32_t entry = b->ACCESS.items[i].entry;

        if (entry < b->ENTRIES.count)
            b->ENTRIES.items[entry].first_access = (uint32_t)i;
        else
            bl_builder_wrong(b, "a fact of the index belongs to an entry");
    }
}

/* ---- patterns -----------------------------------------------------------------------------
 */

static uint32_t add_blob(struct bl_builder *b, struct bl_pattern pattern, uint32_t *first)
{
    const char *bytes = pattern.bytes;
    uint32_t count = 0;

    *first = (uint32_t)b->BLOBS.count;
    for (size_t at = 0; at < pattern.size; at += 8) {
        uint64_t unit = 0;

        memcpy(&unit, bytes + at, pattern.size - at < 8 ? pattern.size - at : 8);
        bl_add_BLOBS(b, unit);
        count++;
    }
    return count;
}

/* Backward, so that the first row stays. */
static void find_sought(struct bl_builder *b)
{
    for (size_t i = b->ACCESS.count; i-- > 0;) {
        const struct bl_access *access = &b->ACCESS.items[i];

        if (access->kind != BL_ACCESS_PATTERN)
            continue;
        if (access->path >= b->SETS.count ||
            access->key >= b->SETS.items[access->path].sought_count) {
            bl_builder_wrong(b, "a fact of the index asks for a pattern that a set has");
            return;
        }
        uint32_t sought = b->SETS.items[access->path].first_sought + access->key;
        b->SOUGHT.items[sought].first_access = (uint32_t)i;
    }
}

static void add_patterns(struct bl_builder *b)
{
    for (size_t i = 0; i < b->PATTERNS.count && bl_builder_is_good(b); i++) {
        struct bl_module_blob *row = &b->PATTERNS.items[i];

        row->count = add_blob(b, b->intern->patterns.items[i], &row->first);
    }
    for (size_t i = 0; i < b->SETS.count && bl_builder_is_good(b); i++) {
        struct bl_module_set *row = &b->SETS.items[i];

        row->count = add_blob(b, b->intern->sets.items[i], &row->first);
    }
    for (size_t i = 0; i < b->SIEVES.count && bl_builder_is_good(b); i++) {
        struct bl_module_sieve *row = &b->SIEVES.items[i];

        row->count = add_blob(b, b->intern->sieves.items[i], &row->first);
    }
    find_sought(b);
}

/* ---- the file -----------------------------------------------------------------------------
 */

/* Fills the table of sections; the size of the file, or 0 when it is above the limit. */
static size_t lay_out(const struct bl_builder *b, struct bl_module_section *table)
{
    uint64_t end =
        sizeof(struct bl_module_header) + BL_SECTION_COUNT * sizeof(struct bl_module_section);

#define BL_SECTION(id, name, row, doc)                                                         \
    if (b->id.count > bl_limit(BL_LIMIT_MODULE_BYTES))                                         \
        return 0;                                                                              \
    end = bl_section_place(end);                                                               \
    table[BL_SECTION_##id] =                                                                   \
        (struct bl_module_section){(uint32_t)end, (uint32_t)b->id.count, sizeof(row), 0};      \
    end += b->id.count * sizeof(row);                                                          \
    if (end > bl_limit(BL_LIMIT_MODULE_BYTES))                                                 \
        return 0;
#include "bytecode/sections.def"
#undef BL_SECTION
    return (size_t)end;
}

static void write_rows(const struct bl_builder *b, const struct bl_module_section *table,
                       char *bytes)
{
#define BL_SECTION(id, name, row, doc)                                                         \
    if (b->id.count > 0)                                                                       \
        memcpy(bytes + table[BL_SECTION_##id].offset, b->id.items, b->id.count * sizeof(row));
#include "bytecode/sections.def"
#undef BL_SECTION
}

enum bl_status bl_builder_finish(struct bl_builder *b, struct bl_module_bytes *out)
{
    struct bl_module_section table[BL_SECTION_COUNT];

    *out = (struct bl_module_bytes){NULL, 0};
    if (b == NULL)
        return BL_ERR_NOMEM;
    if (bl_builder_is_good(b))
        sort_index(b);
    if (bl_builder_is_good(b))
        add_patterns(b);
    if (!bl_builder_is_good(b))
        return b->status;
    size_t size = lay_out(b, table);
    if (size == 0) {
        bl_builder_over(b, BL_LIMIT_MODULE_BYTES);
        return b->status;
    }
    char *bytes = bl_arena_alloc(b->arena, 1, size);
    if (bytes == NULL) {
        bl_builder_fail(b, BL_ERR_NOMEM);
        return b->status;
    }
    struct bl_module_header header = {
        .version = BL_MODULE_VERSION, .section_count = BL_SECTION_COUNT, .size = size};
    memcpy(header.magic, BL_MODULE_MAGIC, sizeof header.magic);
    memcpy(bytes, &header, sizeof header);
    memcpy(bytes + sizeof header, table, sizeof table);
    write_rows(b, table, bytes);
    header.checksum = bl_module_checksum(bytes, size);
    memcpy(bytes, &header, sizeof header);
    *out = (struct bl_module_bytes){bytes, size};
    return BL_OK;
}
