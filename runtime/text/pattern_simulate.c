/* SPDX-License-Identifier: Apache-2.0 */
#include "text/pattern_blob.h"

#include <string.h>

/* Running the graph of a pattern whose deterministic automata would be too large, with a set of
 * nodes as 64 nodes a word. Most nodes have one follower, the one with the next number: for
 * those a step is a shift, however long a counted repeat is. The others have lists, and nodes
 * with equal followers have one list, taken once a step. So a step costs at most words + lists
 * + items, which the compiler bounds, and a text as many steps as it has characters, twice.
 *
 * A set that belongs to a place says which nodes, when their character is read there, lead to
 * the end of some match (`useful` below): what pattern_run.c looks up in its backward
 * automaton. */

#define WORDS_MAX (BL_GRAPH_NODES_MAX / 64u + 1u)

struct simulation {
    const struct bl_graph_view *view;
    bl_str text;
    uint64_t taken[WORDS_MAX]; /* lists of this step */
    uint64_t steps;
};

static uint64_t word_of(const uint8_t *set, size_t word)
{
    return bl_load64(set + 8 * word);
}

static const uint8_t *row_of(const struct simulation *s, const uint8_t *sets, size_t row)
{
    return sets + 8 * s->view->words * row;
}

static bool meets(const struct simulation *s, const uint64_t *nodes, const uint8_t *set)
{
    uint64_t any = 0;
    for (size_t w = 0; w < s->view->words; w++) {
        any |= nodes[w] & word_of(set, w);
    }
    return any != 0;
}

static void take_list(struct simulation *s, const struct bl_graph_lists *lists, size_t list,
                      uint64_t *out)
{
    if ((s->taken[list / 64] >> list % 64 & 1) != 0) {
        return;
    }
    s->taken[list / 64] |= UINT64_C(1) << list % 64;
    uint32_t end = bl_load32(lists->at + 4 * list + 4);
    for (uint32_t i = bl_load32(lists->at + 4 * list); i < end; i++) {
        size_t node = bl_load16(lists->items + (size_t)2 * i);
        out[node / 64] |= UINT64_C(1) << node % 64;
    }
    s->steps += end - bl_load32(lists->at + 4 * list) + 1;
}

/* Adds to `out` what the lists of the nodes hold. */
static void take_lists(struct simulation *s, const struct bl_graph_lists *lists,
                       const uint64_t *nodes, uint64_t *out)
{
    memset(s->taken, 0, (lists->lists / 64 + 1) * sizeof(*s->taken));
    for (size_t w = 0; w < s->view->words; w++) {
        for (uint64_t bits = nodes[w] & word_of(lists->some, w); bits != 0; bits &= bits - 1) {
            size_t node = w * 64 + (size_t)__builtin_ctzll(bits);
            take_list(s, lists, bl_load16(lists->of + 2 * node), out);
            s->steps++;
        }
    }
    s->steps += s->view->words;
}

/* out = all followers of `nodes`; not the same array. */
static void followers(struct simulation *s, const uint64_t *nodes, uint64_t *out)
{
    uint64_t carry = 0;
    for (size_t w = 0; w < s->view->words; w++) {
        uint64_t going = nodes[w] & word_of(s->view->chain, w);
        out[w] = going << 1 | carry;
        carry = going >> 63;
    }
    take_lists(s, &s->view->follow, nodes, out);
}

/* out = all nodes that one of `nodes` may follow; not the same array. */
static void predecessors(struct simulation *s, const uint64_t *nodes, uint64_t *out)
{
    for (size_t w = 0; w < s->view->words; w++) {
        uint64_t carry = w + 1 < s->view->words ? nodes[w + 1] << 63 : 0;
        out[w] = (nodes[w] >> 1 | carry) & word_of(s->view->chain, w);
    }
    take_lists(s, &s->view->before, nodes, out);
}

/* One character backward: `behind` are the nodes from which a match ends behind the character
 * at `at`. Writes which nodes may take the character (useful) and makes `behind` those in
 * front. */
static void step_back(struct simulation *s, size_t at, uint64_t *behind, uint64_t *useful)
{
    const struct bl_graph_view *view = s->view;
    const uint8_t *takes = row_of(s, view->takes, bl_blob_class(&view->chars, s->text, at));
    const uint8_t *ends = row_of(s, view->ends, bl_blob_kind_at(s->text, at));
    for (size_t w = 0; w < view->words; w++) {
        useful[w] = behind[w] & word_of(takes, w);
    }
    predecessors(s, useful, behind);
    for (size_t w = 0; w < view->words; w++) {
        behind[w] |= word_of(ends, w);
    }
}

static void begin_back(const struct simulation *s, uint64_t *behind)
{
    for (size_t w = 0; w < s->view->words; w++) {
        behind[w] = word_of(s->view->ends, w); /* row 0: in front of the end of the text */
    }
}

static const uint8_t *begins_at(const struct simulation *s, size_t at)
{
    return row_of(s, s->view->begins, bl_blob_kind_before(s->text, at));
}

static bool empty_at(const struct simulation *s, size_t at)
{
    unsigned before = bl_blob_kind_before(s->text, at);
    return (s->view->empty >> (4 * before + bl_blob_kind_at(s->text, at)) & 1) != 0;
}

bool bl_graph_matches(const struct bl_graph_view *view, bl_str text)
{
    struct simulation s = {.view = view, .text = text};
    uint64_t behind[WORDS_MAX];
    uint64_t useful[WORDS_MAX];
    begin_back(&s, behind);
    if (empty_at(&s, text.len)) {
        return true;
    }
    for (size_t at = text.len; at-- > 0;) {
        if (bl_is_continuation((uint8_t)text.ptr[at])) {
            continue;
        }
        step_back(&s, at, behind, useful);
        if (meets(&s, useful, begins_at(&s, at)) || empty_at(&s, at)) {
            return true;
        }
    }
    return false;
}

/* ---- all matches ------------------------------------------------------------------------ */

/* The sets of all places would be too much to keep. The first pass keeps that of every block of
 * `block` bytes (about the square root of the text's length); going forward, the places of one
 * block at a time are worked out again. */
struct replay {
    struct simulation s;
    size_t block;
    uint64_t *borders;      /* what step_back calls behind, at each multiple of `block` */
    uint64_t *useful;       /* of each place of the block in hand */
    uint64_t in[WORDS_MAX]; /* nodes of the match in hand, none when there is none */
    uint64_t next[WORDS_MAX];
    size_t lo; /* where it began */
    bool open;
    bool stopped; /* the callback has had enough */
    bool (*each)(void *context, struct bl_match match);
    void *context;
};

static void give(struct replay *r, size_t lo, size_t hi)
{
    r->open = false;
    if (!r->stopped && !r->each(r->context, (struct bl_match){lo, hi})) {
        r->stopped = true;
    }
}

/* Those from `first` on, a multiple of `block`. */
static bool make_borders(struct bl_arena *arena, struct replay *r, size_t first)
{
    size_t words = r->s.view->words;
    size_t count = r->s.text.len / r->block + 1;
    uint64_t behind[WORDS_MAX];
    r->borders = bl_arena_alloc(arena, count * words, sizeof(uint64_t));
    r->useful = bl_arena_alloc(arena, r->block * words, sizeof(uint64_t));
    if (arena->failed) {
        return false;
    }
    begin_back(&r->s, behind);
    for (size_t at = r->s.text.len;; at--) {
        if (at < r->s.text.len && !bl_is_continuation((uint8_t)r->s.text.ptr[at])) {
            step_back(&r->s, at, behind, r->next);
        }
        if (at % r->block == 0) {
            memcpy(r->borders + at / r->block * words, behind, words * sizeof(*behind));
        }
        if (at == first) {
            return true;
        }
    }
}

/* Works out `useful` of the places from `begin` to `end`, a border or the end of the text. */
static void fill_block(struct replay *r, size_t begin, size_t end)
{
    size_t words = r->s.view->words;
    uint64_t behind[WORDS_MAX];
    if (end == r->s.text.len) {
        begin_back(&r->s, behind);
    } else {
        memcpy(behind, r->borders + end / r->block * words, words * sizeof(*behind));
    }
    for (size_t at = end; at-- > begin;) {
        if (!bl_is_continuation((uint8_t)r->s.text.ptr[at])) {
            step_back(&r->s, at, behind, r->useful + (at - begin) * words);
        }
    }
}

/* What of `nodes` may take the character of a place; true when something. */
static bool keep_useful(struct replay *r, const uint64_t *nodes, const uint64_t *useful)
{
    uint64_t any = 0;
    for (size_t w = 0; w < r->s.view->words; w++) {
        r->in[w] = nodes[w] & useful[w];
        any |= r->in[w];
    }
    return any != 0;
}

/* Reads the character at `at`: goes on with the match in hand, or ends it and looks whether one
 * begins here. */
static void forward(struct replay *r, size_t at, const uint64_t *useful)
{
    size_t words = r->s.view->words;
    if (r->open) {
        followers(&r->s, r->in, r->next);
        if (keep_useful(r, r->next, useful)) {
            return;
        }
        give(r, r->lo, at);
    }
    const uint8_t *begins = begins_at(&r->s, at);
    for (size_t w = 0; w < words; w++) {
        r->next[w] = word_of(begins, w);
    }
    r->s.steps += words;
    if (keep_useful(r, r->next, useful)) {
        r->open = true;
        r->lo = at;
    } else if (empty_at(&r->s, at)) {
        give(r, at, at);
    }
}

bool bl_graph_each(struct bl_arena *arena, const struct bl_graph_view *view, bl_str text,
                   size_t from, bool (*each)(void *context, struct bl_match match),
                   void *context, uint64_t *steps)
{
    struct replay r = {.s = {.view = view, .text = text}, .each = each, .context = context};
    r.block = 1;
    while (r.block * r.block < text.len) {
        r.block *= 2;
    }
    size_t first = from / r.block * r.block;
    if (!make_borders(arena, &r, first)) {
        return false;
    }
    for (size_t begin = first; begin < text.len && !r.stopped; begin += r.block) {
        size_t end = text.len - begin > r.block ? begin + r.block : text.len;
        fill_block(&r, begin, end);
        for (size_t at = begin > from ? begin : from; at < end && !r.stopped; at++) {
            if (!bl_is_continuation((uint8_t)text.ptr[at])) {
                forward(&r, at, r.useful + (at - begin) * view->words);
            }
        }
    }
    if (r.open) {
        give(&r, r.lo, text.len);
    }
    if (!r.stopped && empty_at(&r.s, text.len)) {
        give(&r, text.len, text.len);
    }
    *steps += r.s.steps;
    return true;
}

/* ---- one match -------------------------------------------------------------------------- */

size_t bl_graph_match_at(const struct bl_graph_view *view, bl_str text, size_t at, size_t limit,
                         bool *more, uint64_t *steps)
{
    struct simulation s = {.view = view, .text = text};
    uint64_t in[WORDS_MAX];
    uint64_t next[WORDS_MAX];
    size_t hi = empty_at(&s, at) ? at : BL_NO_MATCH;
    const uint8_t *begins = begins_at(&s, at);
    *more = false;
    for (size_t w = 0; w < view->words; w++) {
        next[w] = word_of(begins, w);
    }
    for (size_t from = at; at < text.len;) {
        const uint8_t *takes = row_of(&s, view->takes, bl_blob_class(&view->chars, text, at));
        uint64_t any = 0;
        for (size_t w = 0; w < view->words; w++) {
            in[w] = next[w] & word_of(takes, w);
            any |= in[w];
        }
        s.steps += view->words;
        *more = any != 0 && at - from >= limit;
        if (any == 0 || *more) {
            break;
        }
        at = bl_next_char(text, at);
        if (meets(&s, in, row_of(&s, view->ends, bl_blob_kind_at(text, at)))) {
            hi = at;
        }
        followers(&s, in, next);
    }
    *steps += s.steps;
    return hi;
}
