/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TEXT_PATTERN_BLOB_H
#define BL_TEXT_PATTERN_BLOB_H

#include "text/pattern.h"
#include "text/pattern_sieve.h"

/* The bytes of compiled patterns. Numbers are little-endian wherever they lie and are read byte
 * by byte, which compilers turn into one load where that is the same. Parts stand one behind
 * the other, each beginning at a multiple of 8; how long they are follows from the header, so
 * there are no offsets that could lie.
 *
 * Every blob begins with a header of 64 bytes:
 *   0 magic, 1 kind, 2 size, 3 classes, 4 stretches (of code points beyond ASCII); then by
 * kind. All but a set of sets go on with the map of bytes to classes (256 bytes;
 * BL_CLASS_LOOK_UP for a byte that does not say its class alone), the first code points of the
 * stretches (4 bytes each) and their classes (2 bytes each).
 *
 * BL_BLOB_DFA: 5 forward states, 6 backward states, 7 flags, 8 to 11 forward states at a
 * beginning, by the kind before, 12 backward state at the end of a text. Then: forward table;
 * accepted kinds (1 byte a state); backward table; begins (1 byte a state); sets (BL_ROW_SIZE a
 * state). See text/pattern_dfa.h for what they mean. Tables have 1 byte a cell up to 256
 * states, else 2. With the flag ANCHORED there is nothing backward. BL_BLOB_GRAPH: 5 nodes, 6
 * lists of followers, 7 their items, 8 lists of predecessors, 9 their items, 10 context of an
 * empty match. Then, in words of 64 bits with a bit for each node: the nodes that take each
 * class, those that may end a match in front of each kind, those that may begin one behind each
 * kind, those whose neighbour n + 1 may follow, those with more followers, those with more
 * predecessors; then twice: the list of each node (2 bytes, BL_NO_LIST for none), where each
 * list begins (4 bytes, one more than lists), its nodes (2 bytes). BL_BLOB_SET: 3 patterns, 4
 * automata. Then the automata, each a blob of its own. BL_BLOB_SEARCH: 5 states, 6 bytes of the
 * program, 7 base rows, 8 lists of what is said, 9 their items, 10 form of the
 * sieve (text/pattern_sieve.h: stride + 256 * pairs + 65536 * bits, 0: there is none); 11 to 14
 * states where nothing goes on, by the kind before. Then: sieve (8 bytes an entry); base rows
 * (a target for each class); program; where each list begins (4 bytes, one more than lists);
 * items: pattern (2 bytes), kinds in front of which it is found (2 bytes).
 *
 * BL_BLOB_STARTS: 3 patterns, 4 walks, 5 form of the sieve, 6 to 9 rows of heads. There are
 * no classes. Then: sieve (8 bytes an entry); where there is one: for each byte at the
 * beginning of a match, and one, two and three bytes further, the number of its row (1 byte);
 * then, in words of 64 bits with a bit for each pattern of the sieve, those that may begin
 * behind each kind, and the rows: those that may have such bytes at the beginning, one byte
 * further and so on; walks, by their way: pattern (2 bytes), bytes (2 bytes), enum bl_walk_way
 * (1 byte), nothing (3 bytes), a bit for each of some bytes (32 bytes). See enum bl_walk_way.
 *
 * The number of a state is its place in the program. A state is
 *   a byte: how many classes lead to the state right behind (2 bits), how many moves have
 *     targets (3 bits, BL_STATE_MANY: the number follows below), BL_STATE_SPEAKS, base (2
 * bits); with BL_STATE_SPEAKS: a pattern (2 bytes) and kinds in front of which it is found (1
 * byte), or the number of a list and BL_SPEECH_LIST; the classes that lead to the state right
 * behind (cells of classes); with BL_STATE_MANY: the number of moves with targets (2 bytes);
 *   the moves with targets, by class: class (cell), target (2 bytes, or 3 when the program has
 *     more than UINT16_MAX bytes).
 * Every other class leads where the base row says. BL_STATE_SIZE_MAX bytes of 0 end the
 * program, so that a state that begins anywhere before them ends in them. */

#define BL_BLOB_MAGIC       0x31504C42u /* "BLP1" */
#define BL_BLOB_HEADER      64u
#define BL_CLASS_LOOK_UP    0xFFu
#define BL_NO_LIST          0xFFFFu
#define BL_DFA_ANCHORED     1u
#define BL_BLOB_STATES_MAX  65536u
#define BL_SET_PATTERNS_MAX 65536u
#define BL_GRAPH_NODES_MAX  4096u /* sets of nodes lie on the stack */

#define BL_STATE_BEHIND_MAX   3u
#define BL_STATE_OTHERS_SHIFT 2u
#define BL_STATE_MANY         7u
#define BL_STATE_BUSY         0x1Fu /* of a head: some move is not that of the base */
#define BL_STATE_SPEAKS       0x20u
#define BL_STATE_BASE_SHIFT   6u
#define BL_STATE_SIZE_MAX     48u /* but for BL_STATE_MANY */
#define BL_SPEECH_LIST        0x80u
#define BL_SEARCH_PROGRAM_MAX (UINT32_C(1) << 24)

#define BL_STARTS_HEAD 4u /* bytes from the beginning of a match */
#define BL_WALK_SIZE   40u
/* Where else a match may begin.
 * ISLAND: in a stretch of those bytes, of which as many as said are left.
 * LINE: at a beginning of a line, with one of those bytes, as many as said in front of the
 *   line's end.
 * BYTE: at one of those bytes, or AHEAD of it: where the match has it as its second. */
#define BL_WALK_AHEAD 1u
enum bl_walk_way { BL_WALK_ISLAND, BL_WALK_LINE, BL_WALK_BYTE, BL_WALK_WAYS };

enum bl_blob_kind {
    BL_BLOB_DFA = 1,
    BL_BLOB_GRAPH,
    BL_BLOB_SET,
    BL_BLOB_SEARCH,
    BL_BLOB_STARTS
};

enum bl_blob_field {
    BL_HEAD_MAGIC,
    BL_HEAD_KIND,
    BL_HEAD_SIZE,
    BL_HEAD_CLASSES,
    BL_HEAD_STRETCHES,
    BL_HEAD_5,
    BL_HEAD_COUNT = 16,

    BL_DFA_FORWARD = BL_HEAD_5,
    BL_DFA_BACKWARD,
    BL_DFA_FLAGS,
    BL_DFA_STARTS, /* 4 */
    BL_DFA_END = BL_DFA_STARTS + 4,

    BL_GRAPH_NODES = BL_HEAD_5,
    BL_GRAPH_FOLLOW_LISTS,
    BL_GRAPH_FOLLOW_ITEMS,
    BL_GRAPH_BEFORE_LISTS,
    BL_GRAPH_BEFORE_ITEMS,
    BL_GRAPH_EMPTY,

    BL_SET_PATTERNS = BL_HEAD_CLASSES,
    BL_SET_AUTOMATA,

    BL_SEARCH_STATES = BL_HEAD_5,
    BL_SEARCH_PROGRAM,
    BL_SEARCH_BASES,
    BL_SEARCH_LISTS,
    BL_SEARCH_ITEMS,
    BL_SEARCH_SIEVE,
    BL_SEARCH_STARTS, /* 4 */

    BL_STARTS_PATTERNS = BL_HEAD_CLASSES,
    BL_STARTS_WALKS,
    BL_STARTS_SIEVE,
    BL_STARTS_ROWS, /* 4 */
};

static inline uint32_t bl_load16(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8;
}

static inline uint32_t bl_load32(const uint8_t *at)
{
    return bl_load16(at) | bl_load16(at + 2) << 16;
}

static inline uint64_t bl_load64(const uint8_t *at)
{
    return (uint64_t)bl_load32(at) | (uint64_t)bl_load32(at + 4) << 32;
}

static inline uint32_t bl_blob_field(const uint8_t *blob, unsigned field)
{
    return bl_load32(blob + (size_t)4 * field);
}

/* ---- text ------------------------------------------------------------------------------- */

/* What reads the characters of a text as classes. */
struct bl_blob_chars {
    const uint8_t *map;      /* 256 */
    const uint8_t *lo;       /* 4 bytes a stretch */
    const uint8_t *class_of; /* 2 bytes a stretch */
    size_t stretches;
};

static inline bool bl_is_continuation(uint8_t byte)
{
    return (byte & 0xC0) == 0x80;
}

/* Where the character behind the one at `at` begins. */
static inline size_t bl_next_char(bl_str text, size_t at)
{
    do {
        at++;
    } while (at < text.len && bl_is_continuation((uint8_t)text.ptr[at]));
    return at;
}

/* The class of the character beyond ASCII at `at`; logarithmic in the stretches. */
size_t bl_blob_look_up(const struct bl_blob_chars *chars, bl_str text, size_t at);

/* The class of the character at `at`, which is no continuation byte. */
static inline size_t bl_blob_class(const struct bl_blob_chars *chars, bl_str text, size_t at)
{
    size_t class = chars->map[(uint8_t)text.ptr[at]];
    return class != BL_CLASS_LOOK_UP ? class : bl_blob_look_up(chars, text, at);
}

/* enum bl_char_kind of the place before or at a byte; 0 outside of the text. */
static inline unsigned bl_blob_kind_of(uint8_t byte)
{
    bool word = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                (byte >= '0' && byte <= '9') || byte == '_';
    return word ? 1 : byte == '\n' ? 2 : 3;
}
static inline unsigned bl_blob_kind_before(bl_str text, size_t at)
{
    return at == 0 ? 0 : bl_blob_kind_of((uint8_t)text.ptr[at - 1]);
}
static inline unsigned bl_blob_kind_at(bl_str text, size_t at)
{
    return at == text.len ? 0 : bl_blob_kind_of((uint8_t)text.ptr[at]);
}

/* ---- parts ------------------------------------------------------------------------------ */

/* Walks over the parts of a blob: positions only, reads nothing. Counts are at most 2^32, so 64
 * bits do not overflow. */
struct bl_blob_walk {
    const uint8_t *blob;
    uint64_t size; /* a part that would begin behind it is said to be the blob itself */
    uint64_t at;
};

/* The address of the next part, which has count * width bytes. */
static inline const uint8_t *bl_blob_part(struct bl_blob_walk *walk, uint64_t count,
                                          uint64_t width)
{
    const uint8_t *part = walk->blob + (walk->at <= walk->size ? walk->at : 0);
    walk->at += (count * width + 7) / 8 * 8;
    return part;
}

static inline unsigned bl_cell_width(size_t states)
{
    return states > 256 ? 2 : 1;
}
#define BL_ROW_SIZE(states) (((states) + 7) / 8)

struct bl_dfa_view {
    struct bl_blob_chars chars;
    size_t classes, forward_states, backward_states, row_size;
    const uint8_t *forward, *accept, *backward, *begins, *alive;
    unsigned forward_width, backward_width;
    bool anchored;
    uint32_t starts[4];
    uint32_t end;
    uint64_t size; /* what the header says comes to */
};
void bl_dfa_view_open(const uint8_t *blob, struct bl_dfa_view *view);

struct bl_graph_lists {
    const uint8_t *some; /* bit of each node that has a list */
    const uint8_t *of;   /* list of each node */
    const uint8_t *at;
    const uint8_t *items;
    size_t lists, item_count;
};

struct bl_graph_view {
    struct bl_blob_chars chars;
    size_t classes, nodes, words; /* words: of a set of nodes */
    const uint8_t *takes, *ends, *begins, *chain;
    struct bl_graph_lists follow, before;
    uint32_t empty;
    uint64_t size;
};
void bl_graph_view_open(const uint8_t *blob, struct bl_graph_view *view);

struct bl_search_view {
    struct bl_blob_chars chars;
    size_t classes, patterns; /* patterns: of the set, which the blob does not know */
    size_t bases, lists, item_count;
    struct bl_sieve_form form;
    unsigned class_width, target_width;
    uint32_t starts[4];
    uint32_t end; /* every state is below */
    const uint8_t *sieve, *rows, *program, *at, *items;
    uint64_t size;
};
void bl_search_view_open(const uint8_t *blob, struct bl_search_view *view);

struct bl_starts_view {
    size_t patterns, walks;
    struct bl_sieve_form form;
    size_t words; /* of a set of patterns */
    size_t row_count[BL_STARTS_HEAD];
    const uint8_t *sieve, *row_of, *kinds, *rows[BL_STARTS_HEAD], *walk_rows;
    uint64_t size;
};
void bl_starts_view_open(const uint8_t *blob, struct bl_starts_view *view);

/* ---- running ---------------------------------------------------------------------------- */

/* `steps` counts what was done, in units of a bounded number of instructions: tests show with
 * it that time is linear. */
bool bl_pattern_each_counted(struct bl_arena *arena, struct bl_pattern pattern, bl_str text,
                             bool (*each)(void *context, struct bl_match match), void *context,
                             uint64_t *steps);
void bl_pattern_set_scan_counted(struct bl_pattern set, bl_str text, uint64_t *found,
                                 uint64_t *steps);
bool bl_graph_matches(const struct bl_graph_view *view, bl_str text);
bool bl_graph_each(struct bl_arena *arena, const struct bl_graph_view *view, bl_str text,
                   size_t from, bool (*each)(void *context, struct bl_match match),
                   void *context, uint64_t *steps);

/* The match that begins at `at`, the longest; no byte further than `limit` bytes from there is
 * read. No end: there is none; and *more: there was no room to find out. Adds what it took to
 * *steps. */
size_t bl_dfa_match_at(const struct bl_dfa_view *view, bl_str text, size_t at, size_t limit,
                       bool *more, uint64_t *steps);
size_t bl_graph_match_at(const struct bl_graph_view *view, bl_str text, size_t at, size_t limit,
                         bool *more, uint64_t *steps);
#define BL_NO_MATCH SIZE_MAX

#endif
