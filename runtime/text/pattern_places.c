/* SPDX-License-Identifier: Apache-2.0 */
#include "text/pattern_graph.h"

#include <stdlib.h>
#include <string.h>

/* From the tree to places and edges. Each part of the tree becomes a fragment: the places where
 * it may begin, those where it may end, and the contexts in which it may be empty. */

typedef BL_VEC(struct bl_pattern_end) end_list;

struct fragment {
    end_list first, last;
    bl_context empty;
};

struct builder {
    struct bl_arena *arena;
    struct bl_char_table *table;
    struct bl_pattern_places *out;
    bool too_large;
};

/* ---- size ------------------------------------------------------------------------------- */

struct measure {
    uint64_t limit;
    uint64_t worst; /* places of the repeat that makes most, of those whose parts are fine */
    size_t blame;
};

static uint64_t places_of(struct measure *measure, const struct bl_pattern_node *node)
{
    uint64_t count = 0;
    switch (node->kind) {
    case BL_NODE_EMPTY:
    case BL_NODE_ASSERT:
        return 0;
    case BL_NODE_CHARS:
        return 1;
    case BL_NODE_JOIN:
    case BL_NODE_EITHER:
        for (const struct bl_pattern_node *child = node->child; child != NULL;
             child = child->next) {
            count += places_of(measure, child);
        }
        return count;
    case BL_NODE_REPEAT:
        count = places_of(measure, node->child);
        if (count > measure->limit) {
            return count;
        }
        count *= node->max != BL_REPEAT_UNBOUNDED ? node->max : node->min > 0 ? node->min : 1;
        if (count > measure->worst) {
            measure->worst = count;
            measure->blame = node->at;
        }
        return count;
    }
    return 0;
}

/* ---- fragments -------------------------------------------------------------------------- */

static void push_end(struct builder *b, end_list *list, uint32_t place, bl_context context)
{
    struct bl_pattern_end *end = BL_PUSH(b->arena, *list);
    if (end != NULL) {
        *end = (struct bl_pattern_end){place, context};
    }
}

/* Adds `more`, as far as `context` allows, to `list`. */
static void extend(struct builder *b, end_list *list, const end_list *more, bl_context context)
{
    for (size_t i = 0; i < more->count; i++) {
        if ((more->items[i].context & context) != 0) {
            push_end(b, list, more->items[i].place, more->items[i].context & context);
        }
    }
}

static void link_ends(struct builder *b, const end_list *last, const end_list *first)
{
    for (size_t i = 0; i < last->count && !b->too_large && !b->arena->failed; i++) {
        for (size_t j = 0; j < first->count; j++) {
            bl_context context = last->items[i].context & first->items[j].context;
            if (context == 0) {
                continue;
            }
            if (b->out->edges.count == BL_PATTERN_EDGES_MAX) {
                b->too_large = true;
                return;
            }
            struct bl_pattern_edge *edge = BL_PUSH(b->arena, b->out->edges);
            if (edge != NULL) {
                *edge = (struct bl_pattern_edge){last->items[i].place, first->items[j].place,
                                                 context};
            }
        }
    }
}

/* a followed by b, written to *a. */
static void join(struct builder *b, struct fragment *front, const struct fragment *back)
{
    link_ends(b, &front->last, &back->first);
    extend(b, &front->first, &back->first, front->empty);
    end_list last = {0};
    if (back->empty == 0) {
        last = back->last;
    } else {
        extend(b, &last, &back->last, BL_CONTEXT_ALL);
        extend(b, &last, &front->last, back->empty);
    }
    front->last = last;
    front->empty &= back->empty;
}

static struct fragment build(struct builder *b, const struct bl_pattern_node *node);

static struct fragment nothing(bl_context context)
{
    return (struct fragment){.empty = context};
}

/* Up to `count` further copies, each of which may be the last (`count` is not 0; the first is
 * built already). A copy's own emptiness does not matter when it is certain: leaving out the
 * rest is the same. */
static struct fragment optional_copies(struct builder *b, const struct bl_pattern_node *child,
                                       struct fragment chain, uint32_t count)
{
    bool nullable = chain.empty == BL_CONTEXT_ALL;
    end_list last = {0};
    chain.empty = nullable ? 0 : chain.empty;
    extend(b, &last, &chain.last, BL_CONTEXT_ALL);
    for (uint32_t i = 1; i < count && !b->too_large && !b->arena->failed; i++) {
        struct fragment copy = build(b, child);
        copy.empty = nullable ? 0 : copy.empty;
        extend(b, &last, &copy.last, BL_CONTEXT_ALL);
        join(b, &chain, &copy);
    }
    chain.last = last;
    chain.empty = BL_CONTEXT_ALL;
    return chain;
}

static struct fragment repeat(struct builder *b, const struct bl_pattern_node *node)
{
    if (node->max == 0) {
        return nothing(BL_CONTEXT_ALL);
    }
    struct fragment copy = build(b, node->child);
    if (copy.first.count == 0) {
        /* Nothing can be read, and nested repeats of nothing would take for ever. */
        return nothing(node->min == 0 ? BL_CONTEXT_ALL : copy.empty);
    }
    /* Something that may be empty anyway need not come `min` times. */
    uint32_t min = copy.empty == BL_CONTEXT_ALL ? 0 : node->min;
    if (node->max == BL_REPEAT_UNBOUNDED && min <= 1) {
        link_ends(b, &copy.last, &copy.first);
        copy.empty = min == 0 ? BL_CONTEXT_ALL : copy.empty;
        return copy;
    }
    if (min == 0) {
        return optional_copies(b, node->child, copy, node->max);
    }
    struct fragment whole = copy;
    for (uint32_t i = 1; i < min && !b->too_large && !b->arena->failed; i++) {
        copy = build(b, node->child);
        if (i + 1 == min && node->max == BL_REPEAT_UNBOUNDED) {
            link_ends(b, &copy.last, &copy.first);
        }
        join(b, &whole, &copy);
    }
    if (node->max != BL_REPEAT_UNBOUNDED && node->max > min && !b->too_large) {
        struct fragment rest =
            optional_copies(b, node->child, build(b, node->child), node->max - min);
        join(b, &whole, &rest);
    }
    return whole;
}

static struct fragment one_char(struct builder *b, const struct bl_pattern_node *node)
{
    struct fragment fragment = nothing(0);
    uint32_t place = (uint32_t)b->out->sets.count;
    uint32_t *set = BL_PUSH(b->arena, b->out->sets);
    if (set != NULL) {
        *set = bl_char_table_add(b->table, node->chars);
        push_end(b, &fragment.first, place, BL_CONTEXT_ALL);
        push_end(b, &fragment.last, place, BL_CONTEXT_ALL);
    }
    return fragment;
}

static struct fragment build(struct builder *b, const struct bl_pattern_node *node)
{
    struct fragment fragment = nothing(BL_CONTEXT_ALL);
    switch (node->kind) {
    case BL_NODE_EMPTY:
        return fragment;
    case BL_NODE_ASSERT:
        return nothing(node->context);
    case BL_NODE_CHARS:
        return one_char(b, node);
    case BL_NODE_JOIN:
        for (const struct bl_pattern_node *child = node->child; child != NULL && !b->too_large;
             child = child->next) {
            struct fragment part = build(b, child);
            join(b, &fragment, &part);
        }
        return fragment;
    case BL_NODE_EITHER:
        fragment.empty = 0;
        for (const struct bl_pattern_node *child = node->child; child != NULL && !b->too_large;
             child = child->next) {
            struct fragment part = build(b, child);
            extend(b, &fragment.first, &part.first, BL_CONTEXT_ALL);
            extend(b, &fragment.last, &part.last, BL_CONTEXT_ALL);
            fragment.empty |= part.empty;
        }
        return fragment;
    case BL_NODE_REPEAT:
        return repeat(b, node);
    }
    return fragment;
}

/* ---- order ------------------------------------------------------------------------------ */

static int compare_edges(const void *a, const void *b)
{
    const struct bl_pattern_edge *x = a;
    const struct bl_pattern_edge *y = b;
    if (x->from != y->from) {
        return x->from < y->from ? -1 : 1;
    }
    return (x->to > y->to) - (x->to < y->to);
}

static int compare_ends(const void *a, const void *b)
{
    const struct bl_pattern_end *x = a;
    const struct bl_pattern_end *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

/* Sorts; of several alike, which hold in different contexts, makes one. */
static void sort_edges(struct bl_pattern_places *out)
{
    struct bl_pattern_edge *edges = out->edges.items;
    size_t kept = 0;
    if (out->edges.count > 1) {
        qsort(edges, out->edges.count, sizeof(*edges), compare_edges);
    }
    for (size_t i = 0; i < out->edges.count; i++) {
        if (kept > 0 && compare_edges(&edges[kept - 1], &edges[i]) == 0) {
            edges[kept - 1].context |= edges[i].context;
        } else {
            edges[kept++] = edges[i];
        }
    }
    out->edges.count = kept;
}

static size_t sort_ends(struct bl_pattern_end *ends, size_t count)
{
    size_t kept = 0;
    if (count > 1) {
        qsort(ends, count, sizeof(*ends), compare_ends);
    }
    for (size_t i = 0; i < count; i++) {
        if (kept > 0 && ends[kept - 1].place == ends[i].place) {
            ends[kept - 1].context |= ends[i].context;
        } else {
            ends[kept++] = ends[i];
        }
    }
    return kept;
}

enum bl_graph_result bl_pattern_places_make(struct bl_arena *arena,
                                            const struct bl_pattern_node *tree, size_t limit,
                                            struct bl_char_table *table,
                                            struct bl_pattern_places *out, size_t *blame)
{
    struct measure measure = {.limit = limit, .blame = tree->at};
    *out = (struct bl_pattern_places){0};
    bool fits = places_of(&measure, tree) <= limit;
    *blame = measure.blame;
    if (!fits) {
        return BL_GRAPH_TOO_LARGE;
    }
    struct builder builder = {.arena = arena, .table = table, .out = out};
    struct fragment whole = build(&builder, tree);
    if (arena->failed) {
        return BL_GRAPH_NO_MEMORY;
    }
    if (builder.too_large) {
        return BL_GRAPH_TOO_LARGE;
    }
    sort_edges(out);
    out->first = whole.first.items;
    out->first_count = sort_ends(whole.first.items, whole.first.count);
    out->last = whole.last.items;
    out->last_count = sort_ends(whole.last.items, whole.last.count);
    out->empty = whole.empty;
    return BL_GRAPH_DONE;
}
