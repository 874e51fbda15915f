/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/tables.h"
#include "text/pattern_graph.h"

/* Whether a pattern can find anything at all: whether an end of a match is reached from one of
 * its beginnings. Assertions are part of the graph, so one that no text satisfies ends nothing.
 */

struct reaching {
    const struct bl_pattern_graph *graph;
    const struct bl_char_table *chars;
    bool *seen;
    uint16_t *open; /* seen, and not gone on from */
    size_t open_count;
    bool ends;
};

static void reach(struct reaching *r, const uint16_t *nodes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint16_t node = nodes[i];

        if (r->seen[node])
            continue;
        r->seen[node] = true;
        if (bl_char_table_get(r->chars, r->graph->sets[node]).count == 0)
            continue; /* no character is in that class */
        r->ends = r->ends || r->graph->accept[node] != 0;
        r->open[r->open_count++] = node;
    }
}

static bool finds(struct bl_arena *arena, const struct bl_pattern_graph *graph,
                  const struct bl_char_table *chars)
{
    struct reaching r = {.graph = graph, .chars = chars};

    r.seen = BL_NEW_ARRAY(arena, graph->count + 1, bool);
    r.open = BL_NEW_ARRAY(arena, graph->count + 1, uint16_t);
    if (arena->failed)
        return true;
    for (unsigned kind = 0; kind < BL_CHAR_KINDS; kind++) {
        r.ends = r.ends || graph->empty[kind] != 0;
        reach(&r, graph->first[kind].items, graph->first[kind].count);
    }
    while (r.open_count > 0 && !r.ends) {
        uint16_t node = r.open[--r.open_count];
        uint32_t at = graph->follow_at[node];

        reach(&r, graph->follow + at, graph->follow_at[node + 1u] - at);
    }
    return r.ends;
}

bool bl_pattern_finds_nothing(struct bl_arena *arena, bl_str source, bl_str flags)
{
    struct bl_arena scratch;
    struct bl_pattern_error error = {0};
    struct bl_pattern_graph graph;
    struct bl_char_table chars = {0};
    const struct bl_pattern_node *tree;
    size_t blame = 0;
    bool nothing = false;

    bl_arena_init(&scratch, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES), arena->allocator);
    chars.interner.arena = &scratch;
    tree = bl_pattern_parse(&scratch, source, flags, &error);
    if (tree != NULL && bl_pattern_graph_make(&scratch, tree, BL_PATTERN_NODES_MAX, &chars,
                                              &graph, &blame) == BL_GRAPH_DONE)
        nothing = !finds(&scratch, &graph, &chars);
    bl_arena_reset(&scratch);
    return nothing;
}
