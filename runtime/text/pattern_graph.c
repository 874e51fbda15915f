/* SPDX-License-Identifier: Apache-2.0 */
#include "text/pattern_graph.h"

#include <string.h>

/* From places and edges with contexts to nodes and plain edges. */

uint32_t bl_char_table_add(struct bl_char_table *table, struct bl_chars set)
{
    return bl_pattern_intern(&table->interner, set.ranges, set.count * sizeof(*set.ranges));
}

struct bl_chars bl_char_table_get(const struct bl_char_table *table, size_t index)
{
    const struct bl_pattern_key *key = &table->interner.keys.items[index];
    return (struct bl_chars){key->bytes, key->size / sizeof(struct bl_char_range)};
}

struct bl_chars *bl_char_table_all(const struct bl_char_table *table)
{
    size_t count = table->interner.keys.count;
    struct bl_chars *all = BL_NEW_ARRAY(table->interner.arena, count, struct bl_chars);
    for (size_t i = 0; all != NULL && i < count; i++) {
        all[i] = bl_char_table_get(table, i);
    }
    return all;
}

struct resolver {
    struct bl_arena *arena;
    struct bl_char_table *table;
    const struct bl_pattern_places *places;
    struct bl_pattern_graph *out;
    uint8_t *kinds; /* 1 << kind: of the characters of each place */
    bool *split;    /* stands in the graph once for each of its kinds */
    uint32_t *at;   /* nodes at[p] up to at[p + 1] are place p */
    uint8_t *node_kinds;
};

#define KINDS_ALL 0xFu

/* Where one may go over when `before` was read: kinds (1 << kind) of what may follow. */
static unsigned behind(bl_context context, unsigned before)
{
    return context >> 4 * before & KINDS_ALL;
}

/* Does it make a difference which of `before` was read? Else *follow is what may come behind.
 */
static bool depends_on_before(bl_context context, unsigned before, unsigned *follow)
{
    bool first = true;
    *follow = 0;
    for (unsigned kind = 0; kind < BL_CHAR_KINDS; kind++) {
        if ((before >> kind & 1) == 0) {
            continue;
        }
        unsigned these = behind(context, kind);
        if (!first && these != *follow) {
            return true;
        }
        *follow = these;
        first = false;
    }
    return false;
}

/* Only the part of the context that the kinds of the two places can meet. */
static bl_context narrowed(bl_context context, unsigned behind_kinds)
{
    return context & (bl_context)(behind_kinds * 0x1111u);
}

static bool is_part(unsigned kinds, unsigned of)
{
    return kinds != 0 && kinds != of;
}

static void find_splits(struct resolver *r)
{
    const struct bl_pattern_places *places = r->places;
    unsigned follow;
    for (size_t i = 0; i < places->edges.count; i++) {
        const struct bl_pattern_edge *edge = &places->edges.items[i];
        bl_context context = narrowed(edge->context, r->kinds[edge->to]);
        if (depends_on_before(context, r->kinds[edge->from], &follow)) {
            r->split[edge->from] = true;
        }
        for (unsigned kind = 0; kind < BL_CHAR_KINDS; kind++) {
            if ((r->kinds[edge->from] >> kind & 1) != 0 &&
                is_part(behind(context, kind), r->kinds[edge->to])) {
                r->split[edge->to] = true;
            }
        }
    }
    for (size_t i = 0; i < places->first_count; i++) {
        const struct bl_pattern_end *end = &places->first[i];
        bl_context context = narrowed(end->context, r->kinds[end->place]);
        for (unsigned kind = 0; kind < BL_CHAR_KINDS; kind++) {
            if (is_part(behind(context, kind), r->kinds[end->place])) {
                r->split[end->place] = true;
            }
        }
    }
    for (size_t i = 0; i < places->last_count; i++) {
        const struct bl_pattern_end *end = &places->last[i];
        if (depends_on_before(end->context, r->kinds[end->place], &follow)) {
            r->split[end->place] = true;
        }
    }
}

static unsigned kinds_of_set(struct resolver *r, uint32_t set)
{
    return bl_chars_kinds(bl_char_table_get(r->table, set));
}

/* Some edge or end does not hold everywhere. */
static bool has_contexts(const struct bl_pattern_places *places)
{
    bool found = places->empty != 0 && places->empty != BL_CONTEXT_ALL;
    for (size_t i = 0; i < places->edges.count && !found; i++) {
        found = places->edges.items[i].context != BL_CONTEXT_ALL;
    }
    for (size_t i = 0; i < places->first_count && !found; i++) {
        found = places->first[i].context != BL_CONTEXT_ALL;
    }
    for (size_t i = 0; i < places->last_count && !found; i++) {
        found = places->last[i].context != BL_CONTEXT_ALL;
    }
    return found;
}

/* Makes the nodes of each place. False when there are more than `limit`. */
static bool make_nodes(struct resolver *r, size_t limit)
{
    size_t places = r->places->sets.count;
    size_t count = 0;
    for (size_t p = 0; p < places; p++) {
        r->at[p] = (uint32_t)count;
        count += r->split[p] ? (size_t)__builtin_popcount(r->kinds[p]) : 1;
    }
    r->at[places] = (uint32_t)count;
    if (count > limit) {
        return false;
    }
    r->out->count = count;
    r->out->sets = BL_NEW_ARRAY(r->arena, count, uint32_t);
    r->out->accept = BL_NEW_ARRAY(r->arena, count, uint8_t);
    r->out->follow_at = BL_NEW_ARRAY(r->arena, count + 1, uint32_t);
    r->node_kinds = BL_NEW_ARRAY(r->arena, count, uint8_t);
    if (r->arena->failed) {
        return true;
    }
    for (size_t p = 0; p < places; p++) {
        uint32_t node = r->at[p];
        uint32_t set = r->places->sets.items[p];
        if (!r->split[p]) {
            r->out->sets[node] = set;
            r->node_kinds[node] = r->kinds[p];
            continue;
        }
        for (enum bl_char_kind kind = BL_CHAR_WORD; kind <= BL_CHAR_OTHER; kind++) {
            if ((r->kinds[p] >> kind & 1) != 0) {
                struct bl_chars chars = bl_char_table_get(r->table, set);
                r->out->sets[node] =
                    bl_char_table_add(r->table, bl_chars_of_kind(r->arena, chars, kind));
                r->node_kinds[node++] = (uint8_t)(1u << kind);
            }
        }
    }
    return true;
}

/* Any kind of the node: all that matter behave alike. */
static unsigned some_kind(const struct resolver *r, uint32_t node)
{
    return (unsigned)__builtin_ctz(r->node_kinds[node]);
}

/* Calls for every pair of nodes of an edge between which one may go. `follow` NULL: only
 * counts. */
static size_t edges_of(const struct resolver *r, uint32_t node, size_t *edge, uint32_t place,
                       uint16_t *follow)
{
    size_t count = 0;
    const struct bl_pattern_places *places = r->places;
    for (; *edge < places->edges.count && places->edges.items[*edge].from == place; ++*edge) {
        uint32_t to = places->edges.items[*edge].to;
        unsigned kinds = behind(places->edges.items[*edge].context, some_kind(r, node));
        for (uint32_t target = r->at[to]; target < r->at[to + 1]; target++) {
            if ((kinds & r->node_kinds[target]) != 0) {
                if (follow != NULL) {
                    follow[count] = (uint16_t)target;
                }
                count++;
            }
        }
    }
    return count;
}

static bool make_edges(struct resolver *r)
{
    struct bl_pattern_graph *out = r->out;
    for (int round = 0; round < 2; round++) {
        size_t edge = 0;
        size_t total = 0;
        for (uint32_t place = 0; place < r->places->sets.count; place++) {
            size_t begin = edge;
            for (uint32_t node = r->at[place]; node < r->at[place + 1]; node++) {
                edge = begin;
                total +=
                    edges_of(r, node, &edge, place, round == 0 ? NULL : out->follow + total);
                out->follow_at[node + 1] = (uint32_t)total;
            }
        }
        if (total > BL_PATTERN_EDGES_MAX) {
            return false;
        }
        if (round == 0) {
            out->follow = BL_NEW_ARRAY(r->arena, total, uint16_t);
            if (out->follow == NULL) {
                return true;
            }
        }
    }
    return true;
}

static void make_ends(struct resolver *r)
{
    const struct bl_pattern_places *places = r->places;
    struct bl_pattern_graph *out = r->out;
    for (size_t i = 0; i < places->last_count; i++) {
        const struct bl_pattern_end *end = &places->last[i];
        for (uint32_t node = r->at[end->place]; node < r->at[end->place + 1]; node++) {
            out->accept[node] = (uint8_t)behind(end->context, some_kind(r, node));
        }
    }
    for (unsigned kind = 0; kind < BL_CHAR_KINDS; kind++) {
        size_t count = 0;
        uint16_t *items = BL_NEW_ARRAY(r->arena, out->count, uint16_t);
        if (items == NULL) {
            return;
        }
        for (size_t i = 0; i < places->first_count; i++) {
            const struct bl_pattern_end *end = &places->first[i];
            unsigned kinds = behind(end->context, kind);
            for (uint32_t node = r->at[end->place]; node < r->at[end->place + 1]; node++) {
                if ((kinds & r->node_kinds[node]) != 0) {
                    items[count++] = (uint16_t)node;
                }
            }
        }
        out->first[kind] = (struct bl_pattern_list){items, count};
        out->empty[kind] = (uint8_t)behind(places->empty, kind);
    }
    out->anchored = true;
    for (unsigned kind = BL_CHAR_WORD; kind < BL_CHAR_KINDS; kind++) {
        if (out->first[kind].count > 0 || out->empty[kind] != 0) {
            out->anchored = false;
        }
    }
}

enum bl_graph_result bl_pattern_graph_make(struct bl_arena *arena,
                                           const struct bl_pattern_node *tree, size_t limit,
                                           struct bl_char_table *table,
                                           struct bl_pattern_graph *out, size_t *blame)
{
    struct bl_pattern_places places;
    *out = (struct bl_pattern_graph){0};
    enum bl_graph_result result =
        bl_pattern_places_make(arena, tree, limit, table, &places, blame);
    if (result != BL_GRAPH_DONE) {
        return result;
    }
    size_t count = places.sets.count;
    struct resolver r = {.arena = arena, .table = table, .places = &places, .out = out};
    r.kinds = BL_NEW_ARRAY(arena, count, uint8_t);
    r.split = BL_NEW_ARRAY(arena, count, bool);
    r.at = BL_NEW_ARRAY(arena, count + 1, uint32_t);
    if (arena->failed) {
        return BL_GRAPH_NO_MEMORY;
    }
    out->by_kind = has_contexts(&places);
    for (size_t p = 0; p < count; p++) {
        r.kinds[p] = (uint8_t)(out->by_kind ? kinds_of_set(&r, places.sets.items[p])
                                            : 1u << BL_CHAR_OTHER);
    }
    if (out->by_kind) {
        find_splits(&r);
    }
    if (!make_nodes(&r, limit)) {
        return BL_GRAPH_TOO_LARGE;
    }
    if (arena->failed || !make_edges(&r)) {
        return arena->failed ? BL_GRAPH_NO_MEMORY : BL_GRAPH_TOO_LARGE;
    }
    if (!arena->failed) {
        make_ends(&r);
    }
    return arena->failed ? BL_GRAPH_NO_MEMORY : BL_GRAPH_DONE;
}
