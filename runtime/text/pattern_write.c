/* SPDX-License-Identifier: Apache-2.0 */
#include "text/pattern_write.h"

#include <string.h>

static bool reserve(struct bl_blob_writer *writer, size_t more)
{
    if (writer->capacity - writer->size >= more) {
        return true;
    }
    size_t capacity = writer->capacity == 0 ? 4096 : writer->capacity;
    while (capacity - writer->size < more) {
        capacity *= 2;
    }
    uint8_t *bytes = bl_arena_alloc(writer->arena, capacity, 1);
    if (bytes == NULL) {
        return false;
    }
    if (writer->size > 0) {
        memcpy(bytes, writer->bytes, writer->size);
    }
    writer->bytes = bytes;
    writer->capacity = capacity;
    return true;
}

void bl_blob_put(struct bl_blob_writer *writer, uint64_t value, unsigned width)
{
    if (!reserve(writer, width)) {
        return;
    }
    for (unsigned i = 0; i < width; i++) {
        writer->bytes[writer->size++] = (uint8_t)(value >> 8 * i & 0xFF);
    }
}

/* Each of the values, in 1 or 2 bytes. */
static void put_cells(struct bl_blob_writer *writer, const uint16_t *cells, size_t count,
                      unsigned width)
{
    if (!reserve(writer, count * width)) {
        return;
    }
    uint8_t *at = writer->bytes + writer->size;
    for (size_t i = 0; i < count; i++) {
        *at++ = (uint8_t)(cells[i] & 0xFF);
        if (width == 2) {
            *at++ = (uint8_t)(cells[i] >> 8);
        }
    }
    writer->size += count * width;
}

void bl_blob_pad(struct bl_blob_writer *writer)
{
    while (writer->size % 8 != 0 && !writer->arena->failed) {
        bl_blob_put(writer, 0, 1);
    }
}

size_t bl_blob_begin(struct bl_blob_writer *writer, const uint32_t fields[BL_HEAD_COUNT])
{
    size_t begin = writer->size;
    for (unsigned field = 0; field < BL_HEAD_COUNT; field++) {
        bl_blob_put(writer, field == BL_HEAD_MAGIC ? BL_BLOB_MAGIC : fields[field], 4);
    }
    return begin;
}

void bl_blob_end(struct bl_blob_writer *writer, size_t begin)
{
    size_t size = writer->size - begin;
    for (size_t i = 0; i < 4 && !writer->arena->failed; i++) {
        writer->bytes[begin + (size_t)4 * BL_HEAD_SIZE + i] = (uint8_t)(size >> 8 * i & 0xFF);
    }
}

uint32_t bl_blob_sieve_field(struct bl_sieve_form form)
{
    return form.stride > 0 ? form.stride | form.pairs << 8 | form.bits << 16 : 0;
}

void bl_blob_put_sieve(struct bl_blob_writer *writer, const struct bl_sieve_table *sieve)
{
    size_t entries = sieve->form.stride > 0 ? (size_t)1 << sieve->form.bits : 0;
    for (size_t i = 0; i < entries; i++) {
        bl_blob_put(writer, sieve->entries[i], 8);
    }
}

bool bl_blob_finish(const struct bl_blob_writer *writer, struct bl_arena *arena,
                    struct bl_pattern *out)
{
    if (writer->arena->failed) {
        return false;
    }
    void *bytes = bl_arena_alloc(arena, writer->size, 1);
    if (bytes == NULL) {
        return false;
    }
    memcpy(bytes, writer->bytes, writer->size);
    *out = (struct bl_pattern){bytes, writer->size};
    return true;
}

/* ---- characters ------------------------------------------------------------------------- */

/* The one class of all code points from `lo` to `hi`, or BL_CLASS_LOOK_UP. */
static uint32_t class_of_all(const struct bl_char_classes *classes, uint32_t lo, uint32_t hi)
{
    size_t i = 0;
    for (size_t end = classes->wide_count; end - i > 1;) {
        size_t middle = i + (end - i) / 2;
        if (classes->wide_lo[middle] <= lo) {
            i = middle;
        } else {
            end = middle;
        }
    }
    bool one = i + 1 == classes->wide_count || classes->wide_lo[i + 1] > hi;
    return one && classes->wide_class[i] < BL_CLASS_LOOK_UP ? classes->wide_class[i]
                                                            : BL_CLASS_LOOK_UP;
}

/* What a byte of a text says of the class of the character that it begins. */
static uint32_t map_byte(const struct bl_char_classes *classes, uint32_t byte)
{
    if (byte < 0x80) {
        return classes->ascii[byte];
    }
    if (byte < 0xC2 || byte > 0xF4) {
        return BL_CLASS_LOOK_UP;
    }
    if (byte < 0xE0) {
        uint32_t lo = (byte & 0x1F) << 6;
        return class_of_all(classes, lo, lo + 0x3F);
    }
    if (byte < 0xF0) {
        uint32_t lo = (byte & 0x0F) << 12;
        return class_of_all(classes, lo > 0x800 ? lo : 0x800, lo + 0xFFF);
    }
    uint32_t lo = (byte & 0x07) << 18;
    uint32_t hi = lo + 0x3FFFF;
    return class_of_all(classes, lo > 0x10000 ? lo : 0x10000,
                        hi < BL_CODE_POINT_MAX ? hi : BL_CODE_POINT_MAX);
}

void bl_blob_put_chars(struct bl_blob_writer *writer, const struct bl_char_classes *classes)
{
    for (uint32_t byte = 0; byte < 256; byte++) {
        bl_blob_put(writer, map_byte(classes, byte), 1);
    }
    for (size_t i = 0; i < classes->wide_count; i++) {
        bl_blob_put(writer, classes->wide_lo[i], 4);
    }
    bl_blob_pad(writer);
    for (size_t i = 0; i < classes->wide_count; i++) {
        bl_blob_put(writer, classes->wide_class[i], 2);
    }
    bl_blob_pad(writer);
}

/* ---- deterministic ---------------------------------------------------------------------- */

static uint64_t padded(uint64_t size)
{
    return (size + 7) / 8 * 8;
}

size_t bl_blob_dfa_size(const struct bl_char_classes *classes, const struct bl_dfa *dfa,
                        const struct bl_reverse *reverse)
{
    uint64_t size = BL_BLOB_HEADER + 256 + padded(4 * classes->wide_count) +
                    padded(2 * classes->wide_count) +
                    padded(dfa->states * classes->count * bl_cell_width(dfa->states)) +
                    padded(dfa->states);
    if (reverse != NULL) {
        size += padded(reverse->states * classes->count * bl_cell_width(reverse->states)) +
                padded(reverse->states) + padded(reverse->states * reverse->row_size);
    }
    return size;
}

static void put_table(struct bl_blob_writer *writer, const uint16_t *cells, size_t count,
                      unsigned width)
{
    put_cells(writer, cells, count, width);
    bl_blob_pad(writer);
}

static void put_bytes(struct bl_blob_writer *writer, const uint8_t *bytes, size_t count)
{
    if (count > 0 && reserve(writer, count)) {
        memcpy(writer->bytes + writer->size, bytes, count);
        writer->size += count;
    }
    bl_blob_pad(writer);
}

void bl_blob_put_dfa(struct bl_blob_writer *writer, const struct bl_char_classes *classes,
                     const struct bl_dfa *dfa, const struct bl_reverse *reverse)
{
    uint32_t fields[BL_HEAD_COUNT] = {
        [BL_HEAD_KIND] = BL_BLOB_DFA,
        [BL_HEAD_CLASSES] = (uint32_t)classes->count,
        [BL_HEAD_STRETCHES] = (uint32_t)classes->wide_count,
        [BL_DFA_FORWARD] = (uint32_t)dfa->states,
        [BL_DFA_BACKWARD] = reverse != NULL ? (uint32_t)reverse->states : 0,
        [BL_DFA_FLAGS] = reverse != NULL ? 0 : BL_DFA_ANCHORED,
        [BL_DFA_END] = reverse != NULL ? reverse->start : 0,
    };
    for (unsigned kind = 0; kind < BL_CHAR_KINDS; kind++) {
        fields[BL_DFA_STARTS + kind] = dfa->start[kind];
    }
    size_t begin = bl_blob_begin(writer, fields);
    bl_blob_put_chars(writer, classes);
    put_table(writer, dfa->next, dfa->states * classes->count, bl_cell_width(dfa->states));
    put_bytes(writer, dfa->accept, dfa->states);
    if (reverse != NULL) {
        put_table(writer, reverse->next, reverse->states * classes->count,
                  bl_cell_width(reverse->states));
        put_bytes(writer, reverse->begins, reverse->states);
        put_bytes(writer, reverse->alive, reverse->states * reverse->row_size);
    }
    bl_blob_end(writer, begin);
}

/* ---- graph ------------------------------------------------------------------------------ */

struct neighbours {
    uint16_t *list; /* number of the list of each node, BL_NO_LIST */
    uint64_t *some;
    struct bl_pattern_interner lists; /* keys: nodes */
    size_t items;                     /* of all lists */
};

static void add_list(struct neighbours *n, size_t node, const uint16_t *items, size_t count)
{
    n->list[node] = BL_NO_LIST;
    if (count > 0) {
        size_t before = n->lists.keys.count;
        n->list[node] = (uint16_t)bl_pattern_intern(&n->lists, items, count * sizeof(*items));
        n->some[node / 64] |= UINT64_C(1) << node % 64;
        n->items += n->lists.keys.count > before ? count : 0;
    }
}

static bool neighbours_init(struct bl_arena *arena, struct neighbours *n, size_t nodes)
{
    *n = (struct neighbours){.lists.arena = arena};
    n->list = BL_NEW_ARRAY(arena, nodes, uint16_t);
    n->some = BL_NEW_ARRAY(arena, nodes / 64 + 1, uint64_t);
    return !arena->failed;
}

/* The followers of each node but its neighbour n + 1, which goes to `chain`, and the same seen
 * from the other side. */
static bool make_neighbours(struct bl_arena *arena, const struct bl_pattern_graph *graph,
                            struct neighbours *follow, struct neighbours *before,
                            uint64_t *chain)
{
    size_t nodes = graph->count;
    size_t *count = BL_NEW_ARRAY(arena, nodes + 1, size_t);
    uint16_t *items = BL_NEW_ARRAY(arena, graph->follow_at[nodes], uint16_t);
    uint16_t *list = BL_NEW_ARRAY(arena, nodes, uint16_t);
    if (!neighbours_init(arena, follow, nodes) || !neighbours_init(arena, before, nodes)) {
        return false;
    }
    for (size_t node = 0; node < nodes; node++) {
        size_t length = 0;
        for (size_t i = graph->follow_at[node]; i < graph->follow_at[node + 1]; i++) {
            if (graph->follow[i] == node + 1) {
                chain[node / 64] |= UINT64_C(1) << node % 64;
            } else {
                list[length++] = graph->follow[i];
                count[graph->follow[i] + 1u]++;
            }
        }
        add_list(follow, node, list, length);
    }
    for (size_t node = 0; node < nodes; node++) {
        count[node + 1] += count[node];
    }
    for (size_t node = 0; node < nodes; node++) {
        for (size_t i = graph->follow_at[node]; i < graph->follow_at[node + 1]; i++) {
            if (graph->follow[i] != node + 1) {
                items[count[graph->follow[i]]++] = (uint16_t)node;
            }
        }
    }
    for (size_t node = 0; node < nodes; node++) {
        size_t begin = node == 0 ? 0 : count[node - 1];
        add_list(before, node, items + begin, count[node] - begin);
    }
    return !arena->failed;
}

static void put_neighbours(struct bl_blob_writer *writer, const struct neighbours *n,
                           size_t nodes)
{
    size_t at = 0;
    put_table(writer, n->list, nodes, 2);
    for (size_t i = 0; i < n->lists.keys.count; i++) {
        bl_blob_put(writer, at, 4);
        at += n->lists.keys.items[i].size / sizeof(uint16_t);
    }
    bl_blob_put(writer, at, 4);
    bl_blob_pad(writer);
    for (size_t i = 0; i < n->lists.keys.count; i++) {
        const uint16_t *items = n->lists.keys.items[i].bytes;
        for (size_t j = 0; j < n->lists.keys.items[i].size / sizeof(*items); j++) {
            bl_blob_put(writer, items[j], 2);
        }
    }
    bl_blob_pad(writer);
}

static void put_set(struct bl_blob_writer *writer, const uint64_t *set, size_t words)
{
    for (size_t w = 0; w < words; w++) {
        bl_blob_put(writer, set[w], 8);
    }
}

static void put_node_sets(struct bl_blob_writer *writer, const struct bl_char_classes *classes,
                          const struct bl_pattern_graph *graph, uint64_t *takes)
{
    size_t words = graph->count / 64 + 1;
    for (size_t node = 0; node < graph->count; node++) {
        uint32_t set = graph->sets[node];
        for (uint32_t i = classes->at[set]; i < classes->at[set + 1]; i++) {
            takes[classes->members[i] * words + node / 64] |= UINT64_C(1) << node % 64;
        }
    }
    put_set(writer, takes, classes->count * words);
    uint64_t *set = takes; /* written; of at least one class */
    for (unsigned kind = 0; kind < BL_CHAR_KINDS; kind++) {
        memset(set, 0, words * sizeof(*set));
        for (size_t node = 0; node < graph->count; node++) {
            set[node / 64] |= (uint64_t)(graph->accept[node] >> kind & 1) << node % 64;
        }
        put_set(writer, set, words);
    }
    for (unsigned kind = 0; kind < BL_CHAR_KINDS; kind++) {
        memset(set, 0, words * sizeof(*set));
        for (size_t i = 0; i < graph->first[kind].count; i++) {
            uint16_t node = graph->first[kind].items[i];
            set[node / 64] |= UINT64_C(1) << node % 64;
        }
        put_set(writer, set, words);
    }
}

void bl_blob_put_graph(struct bl_blob_writer *writer, const struct bl_char_classes *classes,
                       const struct bl_pattern_graph *graph)
{
    struct bl_arena *arena = writer->arena;
    struct neighbours follow;
    struct neighbours before;
    size_t words = graph->count / 64 + 1;
    uint64_t *chain = BL_NEW_ARRAY(arena, words, uint64_t);
    uint64_t *takes = BL_NEW_ARRAY(arena, classes->count * words, uint64_t);
    if (arena->failed || !make_neighbours(arena, graph, &follow, &before, chain)) {
        return;
    }
    uint32_t fields[BL_HEAD_COUNT] = {
        [BL_HEAD_KIND] = BL_BLOB_GRAPH,
        [BL_HEAD_CLASSES] = (uint32_t)classes->count,
        [BL_HEAD_STRETCHES] = (uint32_t)classes->wide_count,
        [BL_GRAPH_NODES] = (uint32_t)graph->count,
        [BL_GRAPH_FOLLOW_LISTS] = (uint32_t)follow.lists.keys.count,
        [BL_GRAPH_FOLLOW_ITEMS] = (uint32_t)follow.items,
        [BL_GRAPH_BEFORE_LISTS] = (uint32_t)before.lists.keys.count,
        [BL_GRAPH_BEFORE_ITEMS] = (uint32_t)before.items,
    };
    for (unsigned kind = 0; kind < BL_CHAR_KINDS; kind++) {
        fields[BL_GRAPH_EMPTY] |= (uint32_t)graph->empty[kind] << 4 * kind;
    }
    size_t begin = bl_blob_begin(writer, fields);
    bl_blob_put_chars(writer, classes);
    put_node_sets(writer, classes, graph, takes);
    put_set(writer, chain, words);
    put_set(writer, follow.some, words);
    put_set(writer, before.some, words);
    put_neighbours(writer, &follow, graph->count);
    put_neighbours(writer, &before, graph->count);
    bl_blob_end(writer, begin);
}
