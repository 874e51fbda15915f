/* SPDX-License-Identifier: Apache-2.0 */
#include "text/pattern_search.h"

#include <stdlib.h>
#include <string.h>

/* Subset construction over the graphs of all members side by side. Other than for one pattern
 * that begins where the match does, every member may begin anew at every place; so a state is
 *   the nodes that go on from earlier beginnings,
 *   a mark for the kind of the character before, which says what may begin here, and
 *   marks for members that find something here.
 * Nodes of a member that has found something are dropped: it need not find it twice. */

struct search {
    struct bl_arena *arena;
    const struct bl_search_member *const *members;
    size_t member_count;
    struct bl_pattern_graph graph; /* all members; `accept`, `first` as in one */
    uint16_t *owner;               /* member of each node */
    struct bl_char_classes classes;
    struct bl_subset subset;

    /* Numbers of marks, behind those of nodes. */
    uint32_t mark_begin; /* + kind before */
    uint32_t mark_empty; /* + member: may be empty here, behind some kinds */
    uint32_t mark_found; /* + member: finds something here, whatever comes */

    struct bl_pattern_list *fresh[BL_CHAR_KINDS]; /* of each class: nodes of what begins anew */
    struct bl_pattern_interner states;            /* keys: nodes and marks, ascending */
    struct bl_search_table table;
    uint16_t *key;   /* the one being made */
    uint16_t *found; /* members that find something in it, ascending */
    size_t found_count;
    uint16_t *hollow; /* members that may be empty at some places */
    size_t hollow_count;
};

/* ---- members ---------------------------------------------------------------------------- */

static bool is_first(const struct bl_pattern_graph *graph, unsigned kind, uint16_t node)
{
    const struct bl_pattern_list *first = &graph->first[kind];
    size_t lo = 0;
    size_t hi = first->count;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (first->items[middle] < node) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    return lo < first->count && first->items[lo] == node;
}

/* Whatever comes next, does starting anew behind the node find all that going on does? */
static bool is_idle(const struct bl_pattern_graph *graph, const bool *idle, size_t node,
                    unsigned kinds)
{
    for (unsigned kind = 0; kind < BL_CHAR_KINDS; kind++) {
        if ((kinds >> kind & 1) == 0) {
            continue;
        }
        if ((graph->accept[node] & ~graph->empty[kind]) != 0) {
            return false;
        }
        for (size_t i = graph->follow_at[node]; i < graph->follow_at[node + 1]; i++) {
            if (!idle[graph->follow[i]] && !is_first(graph, kind, graph->follow[i])) {
                return false;
            }
        }
    }
    return true;
}

static uint64_t ascii_members(struct bl_chars chars)
{
    uint64_t count = 0;
    for (size_t i = 0; i < chars.count && chars.ranges[i].lo < 0x80; i++) {
        uint32_t hi = chars.ranges[i].hi < 0x7F ? chars.ranges[i].hi : 0x7F;
        count += hi - chars.ranges[i].lo + 1;
    }
    return count;
}

bool bl_search_member_prepare(struct bl_arena *arena, const struct bl_char_table *chars,
                              struct bl_search_member *member)
{
    const struct bl_pattern_graph *graph = &member->graph;
    uint8_t *kinds = BL_NEW_ARRAY(arena, graph->count, uint8_t);
    bool *idle = BL_NEW_ARRAY(arena, graph->count, bool);
    if (arena->failed) {
        return false;
    }
    for (size_t node = 0; node < graph->count; node++) {
        kinds[node] = (uint8_t)bl_chars_kinds(bl_char_table_get(chars, graph->sets[node]));
        idle[node] = true;
    }
    /* From "all are" downward until nothing changes. Backward, since most edges go forward. */
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t node = graph->count; node-- > 0;) {
            if (idle[node] && !is_idle(graph, idle, node, kinds[node])) {
                idle[node] = false;
                changed = true;
            }
        }
    }
    for (size_t node = 0; node < graph->count; node++) {
        if (idle[node] || graph->accept[node] == BL_ACCEPT_ALWAYS) {
            continue;
        }
        uint64_t width = ascii_members(bl_char_table_get(chars, graph->sets[node]));
        for (size_t i = graph->follow_at[node]; i < graph->follow_at[node + 1]; i++) {
            if (graph->follow[i] == node) {
                width *= 20; /* it may stay for long */
            }
        }
        member->weight += width;
    }
    member->idle = idle;
    return true;
}

/* ---- side by side ----------------------------------------------------------------------- */

static bool count_nodes(struct search *s, size_t *edges)
{
    size_t nodes = 0;
    *edges = 0;
    for (size_t m = 0; m < s->member_count; m++) {
        const struct bl_pattern_graph *graph = &s->members[m]->graph;
        nodes += graph->count;
        *edges += graph->follow_at[graph->count];
        s->graph.by_kind = s->graph.by_kind || graph->by_kind;
    }
    s->graph.count = nodes;
    s->mark_begin = (uint32_t)nodes;
    s->mark_empty = s->mark_begin + BL_CHAR_KINDS;
    s->mark_found = s->mark_empty + (uint32_t)s->member_count;
    return nodes <= BL_PATTERN_NODES_MAX && s->mark_found + s->member_count <= UINT16_MAX;
}

/* Copies nodes of one member, moved, without the idle ones. */
static size_t copy_moved(const struct bl_search_member *member, const uint16_t *nodes,
                         size_t count, size_t by, uint16_t *out)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (!member->idle[nodes[i]]) {
            out[kept++] = (uint16_t)(nodes[i] + by);
        }
    }
    return kept;
}

static bool put_side_by_side(struct search *s, size_t edges)
{
    struct bl_pattern_graph *all = &s->graph;
    uint16_t *follow = BL_NEW_ARRAY(s->arena, edges, uint16_t);
    uint16_t *first[BL_CHAR_KINDS];
    all->sets = BL_NEW_ARRAY(s->arena, all->count, uint32_t);
    all->accept = BL_NEW_ARRAY(s->arena, all->count, uint8_t);
    all->follow_at = BL_NEW_ARRAY(s->arena, all->count + 1, uint32_t);
    s->owner = BL_NEW_ARRAY(s->arena, all->count, uint16_t);
    for (unsigned kind = 0; kind < BL_CHAR_KINDS; kind++) {
        first[kind] = BL_NEW_ARRAY(s->arena, all->count, uint16_t);
        all->first[kind].items = first[kind];
    }
    if (s->arena->failed) {
        return false;
    }
    size_t base = 0;
    size_t edge = 0;
    for (size_t m = 0; m < s->member_count; m++) {
        const struct bl_search_member *member = s->members[m];
        const struct bl_pattern_graph *graph = &member->graph;
        for (size_t node = 0; node < graph->count; node++) {
            size_t at = graph->follow_at[node];
            all->sets[base + node] = graph->sets[node];
            all->accept[base + node] = graph->accept[node];
            s->owner[base + node] = (uint16_t)m;
            edge += copy_moved(member, graph->follow + at, graph->follow_at[node + 1] - at,
                               base, follow + edge);
            all->follow_at[base + node + 1] = (uint32_t)edge;
        }
        for (unsigned kind = 0; kind < BL_CHAR_KINDS; kind++) {
            all->first[kind].count +=
                copy_moved(member, graph->first[kind].items, graph->first[kind].count, base,
                           first[kind] + all->first[kind].count);
        }
        base += graph->count;
    }
    all->follow = follow;
    return true;
}

/* Classes by the sets that the members use, not by all in the table. */
static bool make_classes(struct search *s, const struct bl_char_table *chars)
{
    size_t count = chars->interner.keys.count;
    struct bl_chars *sets = BL_NEW_ARRAY(s->arena, count, struct bl_chars);
    for (size_t node = 0; sets != NULL && node < s->graph.count; node++) {
        sets[s->graph.sets[node]] = bl_char_table_get(chars, s->graph.sets[node]);
    }
    return sets != NULL &&
           bl_char_classes_make(s->arena, sets, count, s->graph.by_kind, &s->classes);
}

/* ---- states ----------------------------------------------------------------------------- */

/* The kind of a character of the class, as far as it matters. */
static unsigned kind_of(const struct search *s, size_t class)
{
    return s->graph.by_kind ? s->classes.kinds[class] : BL_CHAR_OTHER;
}

/* Writes the union of two ascending lists to `out`; returns its length. */
static size_t merge(uint16_t *out, struct bl_pattern_list a, struct bl_pattern_list b)
{
    size_t i = 0;
    size_t j = 0;
    size_t count = 0;
    while (i < a.count && j < b.count) {
        if (a.items[i] < b.items[j]) {
            out[count++] = a.items[i++];
        } else {
            i += a.items[i] == b.items[j];
            out[count++] = b.items[j++];
        }
    }
    while (i < a.count) {
        out[count++] = a.items[i++];
    }
    while (j < b.count) {
        out[count++] = b.items[j++];
    }
    return count;
}

/* Drops the nodes of members that find something whatever comes, and lists those members. Nodes
 * are in the order of members. Returns how many nodes are left. */
static size_t drop_found(struct search *s, size_t count)
{
    s->found_count = 0;
    for (size_t i = 0; i < count; i++) {
        uint16_t owner = s->owner[s->key[i]];
        if (s->graph.accept[s->key[i]] == BL_ACCEPT_ALWAYS &&
            (s->found_count == 0 || s->found[s->found_count - 1] != owner)) {
            s->found[s->found_count++] = owner;
        }
    }
    size_t kept = 0;
    size_t at = 0;
    for (size_t i = 0; i < count && s->found_count > 0; i++) {
        uint16_t owner = s->owner[s->key[i]];
        while (at < s->found_count && s->found[at] < owner) {
            at++;
        }
        if (at == s->found_count || s->found[at] != owner) {
            s->key[kept++] = s->key[i];
        }
    }
    return s->found_count > 0 ? kept : count;
}

/* The state behind a character of kind `kind` when `nodes` and `fresh` are what was reached. */
static uint32_t state_of(struct search *s, struct bl_pattern_list nodes,
                         struct bl_pattern_list fresh, unsigned kind)
{
    size_t count = drop_found(s, merge(s->key, nodes, fresh));
    s->key[count++] = (uint16_t)(s->mark_begin + kind);
    for (size_t i = 0; i < s->hollow_count; i++) {
        if (s->members[s->hollow[i]]->graph.empty[kind] != 0) {
            s->key[count++] = (uint16_t)(s->mark_empty + s->hollow[i]);
        }
    }
    for (size_t i = 0; i < s->found_count; i++) {
        s->key[count++] = (uint16_t)(s->mark_found + s->found[i]);
    }
    return bl_pattern_intern(&s->states, s->key, count * sizeof(*s->key));
}

static bool always_empty(const struct bl_pattern_graph *graph)
{
    return (graph->empty[0] & graph->empty[1] & graph->empty[2] & graph->empty[3]) ==
           BL_ACCEPT_ALWAYS;
}

static bool never_empty(const struct bl_pattern_graph *graph)
{
    return (graph->empty[0] | graph->empty[1] | graph->empty[2] | graph->empty[3]) == 0;
}

/* Can some member be found where it reads nothing? */
static bool some_are_empty(const struct search *s)
{
    for (size_t m = 0; m < s->member_count; m++) {
        if (!never_empty(&s->members[m]->graph)) {
            return true;
        }
    }
    return false;
}

/* The state at the beginning of a text. It alone speaks for members that find the empty text:
 * they have nothing to find later. */
static uint32_t start_state(struct search *s)
{
    unsigned kind = s->graph.by_kind ? BL_CHAR_EDGE : BL_CHAR_OTHER;
    size_t count = 0;
    s->key[count++] = (uint16_t)(s->mark_begin + kind);
    for (size_t i = 0; i < s->hollow_count; i++) {
        if (s->members[s->hollow[i]]->graph.empty[kind] != 0) {
            s->key[count++] = (uint16_t)(s->mark_empty + s->hollow[i]);
        }
    }
    for (size_t m = 0; m < s->member_count; m++) {
        if (always_empty(&s->members[m]->graph)) {
            s->key[count++] = (uint16_t)(s->mark_found + m);
        }
    }
    return bl_pattern_intern(&s->states, s->key, count * sizeof(*s->key));
}

static bool prepare_keys(struct search *s)
{
    s->key = BL_NEW_ARRAY(s->arena, s->mark_found + s->member_count, uint16_t);
    s->found = BL_NEW_ARRAY(s->arena, s->member_count, uint16_t);
    s->hollow = BL_NEW_ARRAY(s->arena, s->member_count, uint16_t);
    if (s->arena->failed) {
        return false;
    }
    for (size_t m = 0; m < s->member_count; m++) {
        const struct bl_pattern_graph *graph = &s->members[m]->graph;
        if (!never_empty(graph) && !always_empty(graph)) {
            s->hollow[s->hollow_count++] = (uint16_t)m;
        }
    }
    return true;
}

/* What begins anew, for each kind before and each class. */
static bool make_fresh(struct search *s)
{
    for (unsigned kind = 0; kind < BL_CHAR_KINDS; kind++) {
        s->fresh[kind] = BL_NEW_ARRAY(s->arena, s->classes.count, struct bl_pattern_list);
        if (s->arena->failed) {
            return false;
        }
        bl_subset_step(&s->subset, NULL, 0, s->graph.first[kind]);
        for (size_t i = 0; i < s->subset.touched_count; i++) {
            size_t class = s->subset.touched[i];
            const struct bl_subset_bucket *bucket = &s->subset.buckets[class];
            uint16_t *items = BL_NEW_ARRAY(s->arena, bucket->count, uint16_t);
            if (items == NULL) {
                return false;
            }
            memcpy(items, bucket->items, bucket->count * sizeof(*items));
            s->fresh[kind][class] = (struct bl_pattern_list){items, bucket->count};
        }
    }
    return !s->arena->failed;
}

/* The row of a state of which nothing goes on but what begins anew: most cells of most rows. */
static const uint32_t *fresh_row(struct search *s, unsigned before)
{
    if (s->table.bases[before] == NULL) {
        uint32_t *row = BL_NEW_ARRAY(s->arena, s->classes.count, uint32_t);
        for (size_t class = 0; row != NULL && class < s->classes.count; class ++) {
            row[class] = state_of(s, (struct bl_pattern_list){NULL, 0}, s->fresh[before][class],
                                  kind_of(s, class));
        }
        s->table.bases[before] = row;
    }
    return s->table.bases[before];
}

static int compare_moves(const void *a, const void *b)
{
    const struct bl_search_move *x = a;
    const struct bl_search_move *y = b;
    return (int)x->class - (int)y->class;
}

/* Most states have one or two. */
static void sort_moves(struct bl_search_move *moves, size_t count)
{
    if (count == 2 && moves[0].class > moves[1].class) {
        struct bl_search_move first = moves[1];
        moves[1] = moves[0];
        moves[0] = first;
    } else if (count > 2) {
        qsort(moves, count, sizeof(*moves), compare_moves);
    }
}

static bool make_row(struct search *s, size_t state)
{
    const uint16_t *key = s->states.keys.items[state].bytes;
    size_t nodes = 0;
    while (key[nodes] < s->mark_begin) {
        nodes++; /* every key has a mark */
    }
    unsigned before = key[nodes] - s->mark_begin;
    const uint32_t *fresh = fresh_row(s, before);
    struct bl_search_state *row = BL_PUSH(s->arena, s->table.states);
    if (row == NULL || fresh == NULL) {
        return false;
    }
    *row = (struct bl_search_state){.first_move = (uint32_t)s->table.moves.count,
                                    .base = (uint8_t)before};
    bl_subset_step(&s->subset, key, nodes, (struct bl_pattern_list){NULL, 0});
    for (size_t i = 0; i < s->subset.touched_count; i++) {
        size_t class = s->subset.touched[i];
        const struct bl_subset_bucket *bucket = &s->subset.buckets[class];
        uint32_t next = state_of(s, (struct bl_pattern_list){bucket->items, bucket->count},
                                 s->fresh[before][class], kind_of(s, class));
        if (next == fresh[class]) {
            continue;
        }
        struct bl_search_move *move = BL_PUSH(s->arena, s->table.moves);
        if (move == NULL) {
            return false;
        }
        *move = (struct bl_search_move){next, (uint16_t) class};
    }
    row->move_count = (uint32_t)s->table.moves.count - row->first_move;
    if (row->move_count > 1) {
        sort_moves(&s->table.moves.items[row->first_move], row->move_count);
    }
    return !s->arena->failed;
}

/* Where nothing goes on, behind each kind of character: what the scan comes back to. */
static void make_starts(struct search *s)
{
    uint32_t edge = start_state(s);
    for (unsigned kind = 0; kind < BL_CHAR_KINDS; kind++) {
        uint16_t key = (uint16_t)(s->mark_begin + (s->graph.by_kind ? kind : BL_CHAR_OTHER));
        s->table.starts[kind] =
            kind == BL_CHAR_EDGE ? edge : bl_pattern_intern(&s->states, &key, sizeof(key));
    }
}

static enum bl_dfa_result make_states(struct search *s, size_t limit)
{
    if (!bl_subset_init(&s->subset, s->arena, &s->graph, &s->classes) || !make_fresh(s) ||
        !prepare_keys(s)) {
        return BL_DFA_NO_MEMORY;
    }
    make_starts(s);
    for (size_t state = 0; state < s->states.keys.count; state++) {
        if (s->states.keys.count > limit) {
            return BL_DFA_TOO_LARGE;
        }
        if (!make_row(s, state)) {
            return BL_DFA_NO_MEMORY;
        }
    }
    return s->arena->failed ? BL_DFA_NO_MEMORY : BL_DFA_DONE;
}

/* ---- what states say -------------------------------------------------------------------- */

/* Adds kinds in front of which a pattern is found. */
static size_t add_item(uint16_t *items, size_t count, size_t pattern, unsigned kinds)
{
    if (count > 0 && items[count - 2] == pattern) {
        items[count - 1] |= (uint16_t)kinds;
        return count;
    }
    items[count] = (uint16_t)pattern;
    items[count + 1] = (uint16_t)kinds;
    return count + 2;
}

/* Nodes are in the order of members; marks come behind, so the same pattern may come twice. */
static size_t items_of(const struct search *s, const struct bl_pattern_key *state,
                       uint16_t *items)
{
    const uint16_t *key = state->bytes;
    size_t count = 0;
    unsigned before = 0;
    for (size_t i = 0; i < state->size / sizeof(*key); i++) {
        if (key[i] < s->mark_begin) {
            if (s->graph.accept[key[i]] != 0) {
                count = add_item(items, count, s->members[s->owner[key[i]]]->pattern,
                                 s->graph.accept[key[i]]);
            }
        } else if (key[i] < s->mark_empty) {
            before = key[i] - s->mark_begin;
        } else if (key[i] < s->mark_found) {
            const struct bl_search_member *member = s->members[key[i] - s->mark_empty];
            count = add_item(items, count, member->pattern, member->graph.empty[before]);
        } else {
            count = add_item(items, count, s->members[key[i] - s->mark_found]->pattern,
                             BL_ACCEPT_ALWAYS);
        }
    }
    return count;
}

static bool make_lists(struct search *s)
{
    uint16_t *items = BL_NEW_ARRAY(s->arena, 2 * (s->mark_found + s->member_count), uint16_t);
    if (items == NULL) {
        return false;
    }
    s->table.lists.arena = s->arena;
    for (size_t state = 0; state < s->states.keys.count; state++) {
        size_t count = items_of(s, &s->states.keys.items[state], items);
        s->table.states.items[state].list =
            count > 0 ? bl_pattern_intern(&s->table.lists, items, count * sizeof(*items))
                      : BL_SEARCH_SILENT;
    }
    return !s->arena->failed;
}

enum bl_dfa_result bl_search_make(struct bl_arena *scratch, const struct bl_char_table *chars,
                                  const struct bl_search_member *const *members, size_t count,
                                  size_t states, size_t bytes, struct bl_blob_writer *writer,
                                  size_t *used)
{
    struct search s = {.arena = scratch, .members = members, .member_count = count};
    size_t edges;
    s.states.arena = scratch;
    if (!count_nodes(&s, &edges)) {
        return BL_DFA_TOO_LARGE;
    }
    if (!put_side_by_side(&s, edges)) {
        return BL_DFA_NO_MEMORY;
    }
    if (!make_classes(&s, chars)) {
        return scratch->failed ? BL_DFA_NO_MEMORY : BL_DFA_TOO_LARGE;
    }
    enum bl_dfa_result result = make_states(&s, states);
    *used = s.states.keys.count;
    if (result != BL_DFA_DONE) {
        return result;
    }
    s.table.classes = &s.classes;
    if (!make_lists(&s) ||
        (!some_are_empty(&s) &&
         !bl_sieve_make(scratch, chars, &s.graph, s.owner, count, &s.table.sieve))) {
        return BL_DFA_NO_MEMORY;
    }
    return bl_search_write(scratch, &s.table, bytes, writer);
}
