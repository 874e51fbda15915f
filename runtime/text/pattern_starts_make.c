/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/tables.h"
#include "text/pattern_search.h"
#include "text/pattern_tree.h"

#include <string.h>

/* Where may the matches of a pattern begin? Mostly the first characters are rare ones: then a
 * sieve finds the places. A long run of what every text is made of has no such beginning, but
 * it is made of few characters and long: then it lies in an island, between bytes that no match
 * holds. What stands at the beginning of a line needs a look at lines alone, and what begins
 * with a byte that texts hardly have, or has one as its second, at such bytes. Of other
 * patterns nothing is said. */

/* Characters from the beginning of a match that are looked at. */
#define DEPTH 9u
/* Of so many places in a text, a pattern of the sieve may begin at one as far as its first
 * characters say; others are looked for as islands. */
#define RARE 128u
/* A word so long is rarer than a beginning that is not rarer than this. */
#define WORD_LEAST 48u
#define WORD_RARE  16384u
/* The sieve looks at as many bytes as its shortest match has; a shorter one would blind it. */
#define SIEVE_LEAST  5u
#define ISLAND_LEAST 8u
/* Of BL_TEXT_WEIGHTS bytes of a text, a pattern that is looked for by its first byte alone, or
 * by its second, may begin at so many. */
#define BYTES_MOST  64u
#define SECOND_MOST 128u
#define LEAST_MAX   256u

#define ASCII 128u
#define ALL   BL_TEXT_WEIGHTS

struct member {
    size_t pattern;
    struct bl_pattern_graph graph;
    enum bl_walk_way way; /* of one that is not sieved */
    size_t bytes;
    unsigned ahead;
};

struct maker {
    struct bl_arena *arena;
    struct bl_char_table chars;
    BL_VEC(struct member) sieved;
    BL_VEC(struct member) walked[BL_WALK_WAYS];
    bool *left_out;
    struct bl_sieve_head *heads; /* of the sieved ones */
    size_t nodes;
    bool *now, *then; /* nodes at a distance from the beginning, and one further */
};

/* ---- what is known of a pattern --------------------------------------------------------- */

static void add_chars(struct bl_chars set, bool held[ASCII], bool *beyond)
{
    for (size_t i = 0; i < set.count; i++) {
        for (uint32_t code = set.ranges[i].lo; code < ASCII && code <= set.ranges[i].hi;
             code++) {
            held[code] = true;
        }
        *beyond = *beyond || set.ranges[i].hi >= ASCII;
    }
}

/* Of ALL characters of a text, how many are among those of the nodes in hand? */
static uint64_t weight_now(const struct maker *m, const struct bl_pattern_graph *graph)
{
    bool held[ASCII] = {false};
    bool beyond = false;
    uint64_t sum = 0;
    for (size_t node = 0; node < graph->count; node++) {
        if (m->now[node]) {
            add_chars(bl_char_table_get(&m->chars, graph->sets[node]), held, &beyond);
        }
    }
    for (unsigned code = 0; code < ASCII; code++) {
        sum += held[code] ? bl_text_weight((uint8_t)code) : 0;
    }
    sum += beyond ? 64 : 0;
    return sum < ALL ? sum : ALL;
}

/* To the nodes that may come next; true when one of those in hand may be the last. */
static bool go_on(struct maker *m, const struct bl_pattern_graph *graph)
{
    bool last = false;
    memset(m->then, 0, graph->count * sizeof(*m->then));
    for (size_t node = 0; node < graph->count; node++) {
        if (!m->now[node]) {
            continue;
        }
        last = last || graph->accept[node] != 0;
        for (size_t i = graph->follow_at[node]; i < graph->follow_at[node + 1]; i++) {
            m->then[graph->follow[i]] = true;
        }
    }
    bool *now = m->now;
    m->now = m->then;
    m->then = now;
    return last;
}

/* The first bytes of the set's characters. */
static void add_first_bytes(struct bl_chars set, bool bytes[256])
{
    static const uint32_t most[] = {0x7F, 0x7FF, 0xFFFF, BL_CODE_POINT_MAX};
    for (size_t i = 0; i < set.count; i++) {
        struct bl_char_range range = set.ranges[i];
        for (unsigned length = 0; length < 4 && range.lo <= range.hi; length++) {
            uint32_t hi = range.hi < most[length] ? range.hi : most[length];
            if (range.lo > hi) {
                continue;
            }
            unsigned mark = length == 0 ? 0 : 0xF00u >> (length + 1) & 0xFFu;
            for (uint32_t lead = range.lo >> 6 * length; lead <= hi >> 6 * length; lead++) {
                bytes[mark | lead] = true;
            }
            range.lo = hi + 1;
        }
    }
}

/* What a match may begin with, or, of one whose first character is of one byte, what may be its
 * second. */
static void first_bytes(const struct maker *m, const struct bl_pattern_graph *graph,
                        unsigned ahead, bool bytes[256])
{
    for (unsigned kind = 0; kind < BL_CHAR_KINDS; kind++) {
        for (size_t i = 0; i < graph->first[kind].count; i++) {
            size_t node = graph->first[kind].items[i];
            if (ahead == 0) {
                add_first_bytes(bl_char_table_get(&m->chars, graph->sets[node]), bytes);
            }
            for (size_t k = graph->follow_at[node]; ahead > 0 && k < graph->follow_at[node + 1];
                 k++) {
                uint32_t set = graph->sets[graph->follow[k]];
                add_first_bytes(bl_char_table_get(&m->chars, set), bytes);
            }
        }
    }
}

static bool has_line_feed(const struct maker *m, const struct bl_pattern_graph *graph)
{
    for (size_t node = 0; node < graph->count; node++) {
        struct bl_chars set = bl_char_table_get(&m->chars, graph->sets[node]);
        for (size_t i = 0; m->now[node] && i < set.count; i++) {
            if (set.ranges[i].lo <= '\n' && set.ranges[i].hi >= '\n') {
                return true;
            }
        }
    }
    return false;
}

struct known {
    size_t least;  /* characters of the shortest match, at most LEAST_MAX */
    size_t line;   /* of those, how many at its beginning are surely in one line */
    uint64_t rare; /* in 2^32 places, how often the first characters are there */
};

static struct known look_at(struct maker *m, const struct bl_pattern_graph *graph)
{
    struct known known = {0, 0, UINT64_C(1) << 32};
    bool is_line = true;
    memset(m->now, 0, graph->count * sizeof(*m->now));
    for (unsigned kind = 0; kind < BL_CHAR_KINDS; kind++) {
        for (size_t i = 0; i < graph->first[kind].count; i++) {
            m->now[graph->first[kind].items[i]] = true;
        }
    }
    for (bool last = false; !last && known.least < LEAST_MAX; known.least++) {
        if (known.least < DEPTH) {
            known.rare = known.rare * weight_now(m, graph) / ALL;
        }
        is_line = is_line && !has_line_feed(m, graph);
        known.line += is_line;
        last = go_on(m, graph);
    }
    return known;
}

/* ---- the place of each pattern ---------------------------------------------------------- */

static bool may_be_empty(const struct bl_pattern_graph *graph)
{
    return (graph->empty[0] | graph->empty[1] | graph->empty[2] | graph->empty[3]) != 0;
}

/* Are those bytes rare ones? A character of several bytes is not looked into. */
static bool begins_rarely(const struct maker *m, const struct bl_pattern_graph *graph,
                          unsigned ahead)
{
    bool first[256] = {false}, bytes[256] = {false};
    uint32_t sum = 0;
    first_bytes(m, graph, 0, first);
    first_bytes(m, graph, ahead, bytes);
    for (unsigned byte = 0; byte < 256; byte++) {
        sum += bytes[byte] ? bl_text_weight((uint8_t)byte) : 0;
        if (ahead > 0 && byte >= ASCII && first[byte]) {
            return false;
        }
    }
    return sum <= (ahead > 0 ? SECOND_MOST : BYTES_MOST);
}

static bool add_walk(struct maker *m, enum bl_walk_way way, size_t pattern,
                     const struct bl_pattern_graph *graph, size_t bytes, unsigned ahead)
{
    struct member *slot = BL_PUSH(m->arena, m->walked[way]);
    if (slot == NULL) {
        return false;
    }
    *slot = (struct member){pattern, *graph, way, bytes, ahead};
    m->left_out[pattern] = false;
    return true;
}

/* Is a match one long word, and its beginning nothing special? The sieve would stop at each
 * word of a text that begins with one of a few letters. */
static bool is_long_word(const struct maker *m, const struct bl_pattern_graph *graph,
                         struct known known)
{
    bool held[256] = {false}, beyond = false;
    if (known.least < WORD_LEAST || known.rare <= (UINT64_C(1) << 32) / WORD_RARE) {
        return false;
    }
    for (size_t node = 0; node < graph->count; node++) {
        add_chars(bl_char_table_get(&m->chars, graph->sets[node]), held, &beyond);
    }
    return !beyond && !held[' '] && !held['\n'];
}

static bool place(struct maker *m, size_t pattern, const struct bl_pattern_graph *graph)
{
    m->now = BL_NEW_ARRAY(m->arena, graph->count + 1, bool);
    m->then = BL_NEW_ARRAY(m->arena, graph->count + 1, bool);
    if (m->arena->failed) {
        return false;
    }
    if (graph->anchored || may_be_empty(graph)) {
        return true;
    }
    struct known known = look_at(m, graph);
    bool begins_lines =
        graph->first[BL_CHAR_WORD].count == 0 && graph->first[BL_CHAR_OTHER].count == 0;
    if (begins_lines && known.line > 0) {
        return add_walk(m, BL_WALK_LINE, pattern, graph, known.line, 0);
    }
    if (is_long_word(m, graph, known)) {
        return add_walk(m, BL_WALK_ISLAND, pattern, graph, known.least, 0);
    }
    if (known.least >= SIEVE_LEAST && known.rare <= (UINT64_C(1) << 32) / RARE &&
        m->nodes + graph->count <= BL_PATTERN_NODES_MAX) {
        struct member *slot = BL_PUSH(m->arena, m->sieved);
        if (slot == NULL) {
            return false;
        }
        m->nodes += graph->count;
        *slot = (struct member){.pattern = pattern, .graph = *graph};
        m->left_out[pattern] = false;
        return true;
    }
    for (unsigned ahead = 0; ahead <= BL_WALK_AHEAD && known.least > ahead; ahead++) {
        if (begins_rarely(m, graph, ahead)) {
            return add_walk(m, BL_WALK_BYTE, pattern, graph, 1, ahead);
        }
    }
    return known.least < ISLAND_LEAST ||
           add_walk(m, BL_WALK_ISLAND, pattern, graph, known.least, 0);
}

/* One that is no pattern or too large is left out. */
static bool add_pattern(struct maker *m, const struct bl_pattern_set_input *input,
                        size_t pattern)
{
    struct bl_pattern_error error;
    struct bl_pattern_graph graph;
    bool fold = bl_str_find_char(input->flags, 'i') != SIZE_MAX;
    const struct bl_pattern_node *tree =
        input->literal ? bl_pattern_literal(m->arena, input->source, fold)
                       : bl_pattern_parse(m->arena, input->source, input->flags, &error);
    size_t blame;
    if (m->arena->failed) {
        return false;
    }
    m->left_out[pattern] = true;
    if (tree == NULL || pattern >= BL_SET_PATTERNS_MAX) {
        return true;
    }
    switch (bl_pattern_graph_make(m->arena, tree, (size_t)bl_limit(BL_LIMIT_PATTERN_STATES),
                                  &m->chars, &graph, &blame)) {
    case BL_GRAPH_DONE:
        return place(m, pattern, &graph);
    case BL_GRAPH_TOO_LARGE:
        return true;
    case BL_GRAPH_NO_MEMORY:
        break;
    }
    return false;
}

/* ---- the sieve -------------------------------------------------------------------------- */

static size_t edges_of(const struct maker *m)
{
    size_t edges = 0;
    for (size_t i = 0; i < m->sieved.count; i++) {
        edges += m->sieved.items[i].graph.follow_at[m->sieved.items[i].graph.count];
    }
    return edges;
}

/* What the sieve is made of, side by side. */
struct joined {
    struct bl_pattern_graph graph;
    uint16_t *owner, *follow, *first[BL_CHAR_KINDS];
};

static void join_one(struct joined *j, const struct bl_pattern_graph *graph, size_t number)
{
    size_t base = j->graph.count;
    size_t edge = j->graph.follow_at[base];
    for (size_t node = 0; node < graph->count; node++) {
        j->graph.sets[base + node] = graph->sets[node];
        j->graph.accept[base + node] = graph->accept[node];
        j->owner[base + node] = (uint16_t)number;
        for (size_t i = graph->follow_at[node]; i < graph->follow_at[node + 1]; i++) {
            j->follow[edge++] = (uint16_t)(graph->follow[i] + base);
        }
        j->graph.follow_at[base + node + 1] = (uint32_t)edge;
    }
    for (unsigned kind = 0; kind < BL_CHAR_KINDS; kind++) {
        for (size_t i = 0; i < graph->first[kind].count; i++) {
            j->first[kind][j->graph.first[kind].count++] =
                (uint16_t)(graph->first[kind].items[i] + base);
        }
    }
    j->graph.count += graph->count;
}

static bool join(const struct maker *m, struct joined *j)
{
    *j = (struct joined){.owner = BL_NEW_ARRAY(m->arena, m->nodes + 1, uint16_t),
                         .follow = BL_NEW_ARRAY(m->arena, edges_of(m) + 1, uint16_t)};
    j->graph.sets = BL_NEW_ARRAY(m->arena, m->nodes + 1, uint32_t);
    j->graph.accept = BL_NEW_ARRAY(m->arena, m->nodes + 1, uint8_t);
    j->graph.follow_at = BL_NEW_ARRAY(m->arena, m->nodes + 1, uint32_t);
    j->graph.follow = j->follow;
    for (unsigned kind = 0; kind < BL_CHAR_KINDS; kind++) {
        j->first[kind] = BL_NEW_ARRAY(m->arena, m->nodes + 1, uint16_t);
        j->graph.first[kind].items = j->first[kind];
    }
    for (size_t i = 0; i < m->sieved.count && !m->arena->failed; i++) {
        join_one(j, &m->sieved.items[i].graph, i);
    }
    return !m->arena->failed;
}

static bool make_sieve(struct maker *m, struct bl_sieve_table *sieve)
{
    struct joined joined;
    *sieve = (struct bl_sieve_table){{0, 0, 0, 0}, NULL};
    m->heads = BL_NEW_ARRAY(m->arena, m->sieved.count + 1, struct bl_sieve_head);
    if (m->sieved.count == 0) {
        return m->heads != NULL;
    }
    return m->heads != NULL && join(m, &joined) &&
           bl_sieve_make_closely(m->arena, &m->chars, &joined.graph, joined.owner,
                                 m->sieved.count, m->heads, sieve);
}

/* ---- bytes ------------------------------------------------------------------------------ */

static void put_walk(const struct maker *m, const struct member *member,
                     struct bl_blob_writer *writer)
{
    bool held[256] = {false};
    bool beyond = false;
    if (member->way != BL_WALK_ISLAND) {
        first_bytes(m, &member->graph, member->ahead, held);
    } else {
        for (size_t node = 0; node < member->graph.count; node++) {
            add_chars(bl_char_table_get(&m->chars, member->graph.sets[node]), held, &beyond);
        }
        memset(held + ASCII, beyond, 256 - ASCII);
    }
    bl_blob_put(writer, member->pattern, 2);
    bl_blob_put(writer, member->bytes, 2);
    bl_blob_put(writer, member->way, 1);
    bl_blob_put(writer, member->ahead, 1);
    bl_blob_put(writer, 0, 2);
    for (unsigned byte = 0; byte < 256; byte += 8) {
        unsigned bits = 0;
        for (unsigned i = 0; i < 8; i++) {
            bits |= held[byte + i] ? 1u << i : 0u;
        }
        bl_blob_put(writer, bits, 1);
    }
}

static size_t put_walks(const struct maker *m, struct bl_blob_writer *writer)
{
    size_t count = 0;
    for (unsigned way = 0; way < BL_WALK_WAYS; way++) {
        for (size_t i = 0; i < m->walked[way].count; i++, count++) {
            if (writer != NULL) {
                put_walk(m, &m->walked[way].items[i], writer);
            }
        }
    }
    return count;
}

/* ---- heads ------------------------------------------------------------------------------ */

/* Rows of the heads: sets of patterns, as many words each. */
struct rows {
    size_t words;
    uint64_t *sets[BL_STARTS_HEAD]; /* 256 at most */
    size_t count[BL_STARTS_HEAD];
    uint8_t row_of[BL_STARTS_HEAD][256];
};

static void add_to(uint64_t *set, size_t pattern)
{
    set[pattern / 64] |= UINT64_C(1) << pattern % 64;
}

/* The row of a byte: one that is there, or a new one. */
static void find_row(const struct maker *m, struct rows *rows, unsigned place, unsigned byte)
{
    size_t size = rows->words * sizeof(uint64_t);
    uint64_t *sets = rows->sets[place];
    uint64_t *set = sets + rows->count[place] * rows->words;
    size_t row = 0;
    for (size_t i = 0; i < m->sieved.count; i++) {
        if ((m->heads[i].bytes[place][byte / 64] >> byte % 64 & 1) != 0) {
            add_to(set, m->sieved.items[i].pattern);
        }
    }
    while (memcmp(sets + row * rows->words, set, size) != 0) {
        row++;
    }
    rows->row_of[place][byte] = (uint8_t)row;
    if (row == rows->count[place]) {
        rows->count[place]++;
    } else {
        memset(set, 0, size);
    }
}

static bool make_rows(const struct maker *m, struct rows *rows)
{
    for (unsigned place = 0; place < BL_STARTS_HEAD && m->sieved.count > 0; place++) {
        rows->sets[place] = BL_NEW_ARRAY(m->arena, 257 * rows->words, uint64_t);
        if (rows->sets[place] == NULL) {
            return false;
        }
        for (unsigned byte = 0; byte < 256; byte++) {
            find_row(m, rows, place, byte);
        }
    }
    return true;
}

static void put_sets(struct bl_blob_writer *writer, const uint64_t *sets, size_t words)
{
    for (size_t i = 0; i < words; i++) {
        bl_blob_put(writer, sets[i], 8);
    }
}

static bool put_heads(const struct maker *m, const struct rows *rows,
                      struct bl_blob_writer *writer)
{
    uint64_t *kinds = BL_NEW_ARRAY(m->arena, BL_CHAR_KINDS * rows->words, uint64_t);
    if (m->sieved.count == 0 || kinds == NULL) {
        return kinds != NULL;
    }
    for (unsigned place = 0; place < BL_STARTS_HEAD; place++) {
        for (unsigned byte = 0; byte < 256; byte++) {
            bl_blob_put(writer, rows->row_of[place][byte], 1);
        }
    }
    for (unsigned kind = 0; kind < BL_CHAR_KINDS; kind++) {
        for (size_t i = 0; i < m->sieved.count; i++) {
            if (m->sieved.items[i].graph.first[kind].count > 0) {
                add_to(kinds + kind * rows->words, m->sieved.items[i].pattern);
            }
        }
    }
    put_sets(writer, kinds, BL_CHAR_KINDS * rows->words);
    for (unsigned place = 0; place < BL_STARTS_HEAD; place++) {
        put_sets(writer, rows->sets[place], rows->count[place] * rows->words);
    }
    return true;
}

/* ---- the whole -------------------------------------------------------------------------- */

static bool make(struct maker *m, const struct bl_pattern_set_input *inputs, size_t count,
                 struct bl_blob_writer *writer)
{
    struct bl_sieve_table sieve;
    size_t patterns = count < BL_SET_PATTERNS_MAX ? count : BL_SET_PATTERNS_MAX;
    m->chars.interner.arena = writer->arena = m->arena;
    for (size_t i = 0; i < count; i++) {
        if (!add_pattern(m, &inputs[i], i)) {
            return false;
        }
    }
    struct rows rows = {.words = patterns / 64 + 1};
    if (!make_sieve(m, &sieve) || !make_rows(m, &rows)) {
        return false;
    }
    uint32_t fields[BL_HEAD_COUNT] = {
        [BL_HEAD_KIND] = BL_BLOB_STARTS,
        [BL_STARTS_PATTERNS] = (uint32_t)patterns,
        [BL_STARTS_WALKS] = (uint32_t)put_walks(m, NULL),
        [BL_STARTS_SIEVE] = bl_blob_sieve_field(sieve.form),
    };
    for (unsigned place = 0; place < BL_STARTS_HEAD; place++) {
        fields[BL_STARTS_ROWS + place] = (uint32_t)rows.count[place];
    }
    bl_blob_begin(writer, fields);
    bl_blob_put_sieve(writer, &sieve);
    if (!put_heads(m, &rows, writer)) {
        return false;
    }
    put_walks(m, writer);
    bl_blob_end(writer, 0);
    return !m->arena->failed;
}

bool bl_pattern_starts_compile(struct bl_arena *arena,
                               const struct bl_pattern_set_input *inputs, size_t count,
                               bool *left_out, struct bl_pattern *out)
{
    struct bl_arena scratch;
    struct bl_blob_writer writer = {.bytes = NULL};
    struct maker maker = {.arena = &scratch, .left_out = left_out};
    bl_arena_init(&scratch, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES), arena->allocator);
    bool done = make(&maker, inputs, count, &writer) && bl_blob_finish(&writer, arena, out);
    bl_arena_reset(&scratch);
    return done;
}
