/* SPDX-License-Identifier: Apache-2.0 */
#include "bytecode/layout.h"

#include <string.h>

/* A literal as the initializer of a slice. */
#define NAME(literal)                                                                          \
    {                                                                                          \
        literal, sizeof(literal) - 1                                                           \
    }

static const struct {
    bl_str name;
    uint32_t row_size;
} sections[BL_SECTION_COUNT] = {
#define BL_SECTION(id, name, row, doc) [BL_SECTION_##id] = {NAME(name), sizeof(row)},
#include "bytecode/sections.def"
#undef BL_SECTION
};

#define BL_SECTION(id, name, row, doc)                                                         \
    _Static_assert(_Alignof(row) <= 8, "a section is aligned for its rows");
#include "bytecode/sections.def"
#undef BL_SECTION

uint32_t bl_section_row_size(enum bl_section section)
{
    return sections[section].row_size;
}

bl_str bl_section_name(enum bl_section section)
{
    return sections[section].name;
}

/* ---- checksum -----------------------------------------------------------------------------
 */

#define PRIME UINT64_C(0x9e3779b97f4a7c15)

static uint64_t word_at(const unsigned char *p)
{
    uint64_t word;

    memcpy(&word, p, sizeof word);
    return word;
}

/* One to one in `hash` and in `word`: two texts that differ in one word end with different
 * hashes, whatever follows. */
static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * PRIME;
    return hash ^ hash >> 29;
}

#define LANES 8u

/* Eight chains over every eighth word, since each step waits for the one before. */
uint64_t bl_module_checksum(const void *bytes, size_t size)
{
    const unsigned char *p = bytes;
    uint64_t lane[LANES] = {1, 2, 3, 4, 5, 6, 7, 8};
    size_t at = sizeof(struct bl_module_header);
    uint64_t hash = 0;

    for (; size - at >= 8 * LANES; at += 8 * LANES) {
        for (size_t i = 0; i < LANES; i++)
            lane[i] = mix(lane[i], word_at(p + at + 8 * i));
    }
    for (size_t i = 0; i < LANES; i++)
        hash = mix(hash, lane[i]);
    for (; size - at >= 8; at += 8)
        hash = mix(hash, word_at(p + at));
    if (at < size) {
        unsigned char last[8] = {0};

        memcpy(last, p + at, size - at);
        hash = mix(hash, word_at(last));
    }
    for (size_t i = 0; i < offsetof(struct bl_module_header, checksum); i += 8)
        hash = mix(hash, word_at(p + i));
    return hash;
}

/* ---- order of the index -------------------------------------------------------------------
 */

static int order(uint32_t x, uint32_t y)
{
    return (x > y) - (x < y);
}

/* In this file, so that the loop below has no call in it. */
static unsigned char lower(char c)
{
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static int folded_order(const char *x, size_t x_size, const char *y, size_t y_size)
{
    size_t shared = x_size < y_size ? x_size : y_size;
    size_t i = 0;

    /* Neighbours in a sorted table begin alike. */
    while (shared - i >= 8 && memcmp(x + i, y + i, 8) == 0)
        i += 8;
    for (; i < shared; i++) {
        unsigned char a = lower(x[i]);
        unsigned char b = lower(y[i]);

        if (a != b)
            return a < b ? -1 : 1;
    }
    return (x_size > y_size) - (x_size < y_size);
}

int bl_access_order(const char *pool, const struct bl_access *x, const struct bl_access *y)
{
    if (x->kind != y->kind)
        return order(x->kind, y->kind);
    if (x->path != y->path)
        return order(x->path, y->path);
    if (x->kind != BL_ACCESS_LABEL && x->kind != BL_ACCESS_TEXT)
        return order(x->key, y->key);
    if (x->key == y->key && x->length == y->length)
        return 0;
    return folded_order(pool + x->key, x->length, pool + y->key, y->length);
}
