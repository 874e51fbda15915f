/* SPDX-License-Identifier: Apache-2.0 */
#include "text/pattern_search.h"

#include <string.h>

/* Lays the states of a search automaton out as a program of bytes: see BL_BLOB_SEARCH. */

#define UNPLACED UINT32_MAX

struct layout {
    struct bl_arena *arena;
    const struct bl_search_table *table;
    unsigned class_width, target_width;
    uint8_t base_of[BL_CHAR_KINDS]; /* number of the row in the blob */
    uint8_t row_of[BL_CHAR_KINDS];  /* one of the rows that are the same, by number */
    size_t base_count;
    uint32_t *order;  /* states, in the order of the program */
    uint32_t *behind; /* of each state: the one right behind it, or UNPLACED */
    uint32_t *at;     /* of each state: where it begins */
    size_t placed;
    size_t size;
};

/* Rows that are the same are written once. */
static void find_bases(struct layout *l)
{
    const struct bl_search_table *table = l->table;
    size_t bytes = table->classes->count * sizeof(uint32_t);
    for (unsigned kind = 0; kind < BL_CHAR_KINDS; kind++) {
        size_t number = 0;
        if (table->bases[kind] == NULL) {
            continue;
        }
        while (number < l->base_count &&
               memcmp(table->bases[l->row_of[number]], table->bases[kind], bytes) != 0) {
            number++;
        }
        if (number == l->base_count) {
            l->row_of[l->base_count++] = (uint8_t)kind;
        }
        l->base_of[kind] = (uint8_t)number;
    }
}

/* A state that the state leads to and that has no place yet; UNPLACED when there is none. */
static uint32_t next_to_place(const struct layout *l, const struct bl_search_state *state)
{
    for (uint32_t i = 0; i < state->move_count; i++) {
        uint32_t next = l->table->moves.items[state->first_move + i].next;
        if (l->at[next] == UNPLACED) {
            return next;
        }
    }
    return UNPLACED;
}

/* The characters of a word stand one behind the other, so that most moves need no target. */
static void place_states(struct layout *l)
{
    size_t count = l->table->states.count;
    memset(l->at, 0xFF, count * sizeof(*l->at));
    for (uint32_t first = 0; first < count; first++) {
        uint32_t state = first;
        while (state != UNPLACED && l->at[state] == UNPLACED) {
            l->at[state] = 0;
            l->order[l->placed++] = state;
            l->behind[state] = next_to_place(l, &l->table->states.items[state]);
            state = l->behind[state];
        }
    }
}

struct moves {
    size_t behind; /* to the state right behind, at most BL_STATE_BEHIND_MAX */
    size_t others;
};

static struct moves count_moves(const struct layout *l, uint32_t state)
{
    const struct bl_search_state *row = &l->table->states.items[state];
    struct moves moves = {0, 0};
    for (uint32_t i = 0; i < row->move_count; i++) {
        bool is_behind = l->table->moves.items[row->first_move + i].next == l->behind[state] &&
                         moves.behind < BL_STATE_BEHIND_MAX;
        moves.behind += is_behind;
        moves.others += !is_behind;
    }
    return moves;
}

static size_t state_size(const struct layout *l, uint32_t state)
{
    struct moves moves = count_moves(l, state);
    return 1 + (l->table->states.items[state].list != BL_SEARCH_SILENT ? 3u : 0u) +
           moves.behind * l->class_width + (moves.others >= BL_STATE_MANY ? 2u : 0u) +
           moves.others * (l->class_width + l->target_width);
}

static void find_places(struct layout *l)
{
    size_t at = 0;
    for (size_t i = 0; i < l->placed; i++) {
        l->at[l->order[i]] = (uint32_t)at;
        at += state_size(l, l->order[i]);
    }
    l->size = at + BL_STATE_SIZE_MAX;
}

static bool lay_out(struct layout *l)
{
    size_t count = l->table->states.count;
    l->order = BL_NEW_ARRAY(l->arena, count, uint32_t);
    l->behind = BL_NEW_ARRAY(l->arena, count, uint32_t);
    l->at = BL_NEW_ARRAY(l->arena, count, uint32_t);
    if (l->arena->failed) {
        return false;
    }
    l->class_width = bl_cell_width(l->table->classes->count);
    l->target_width = 2;
    find_bases(l);
    place_states(l);
    find_places(l);
    if (l->size > UINT16_MAX) {
        l->target_width = 3;
        find_places(l);
    }
    return true;
}

/* ---- bytes ------------------------------------------------------------------------------ */

/* Fits in the state when it is of one pattern, else the number of the list. */
static void put_speech(struct bl_blob_writer *writer, const struct layout *l, uint32_t list,
                       const uint32_t *number)
{
    const struct bl_pattern_key *key = &l->table->lists.keys.items[list];
    const uint16_t *items = key->bytes;
    bool is_one = key->size == 2 * sizeof(*items);
    bl_blob_put(writer, is_one ? items[0] : number[list], 2);
    bl_blob_put(writer, is_one ? items[1] : BL_SPEECH_LIST, 1);
}

static void put_moves(struct bl_blob_writer *writer, const struct layout *l, uint32_t state,
                      struct moves moves)
{
    const struct bl_search_state *row = &l->table->states.items[state];
    size_t behind = 0;
    for (uint32_t i = 0; i < row->move_count && behind < moves.behind; i++) {
        const struct bl_search_move *move = &l->table->moves.items[row->first_move + i];
        if (move->next == l->behind[state]) {
            bl_blob_put(writer, move->class, l->class_width);
            behind++;
        }
    }
    if (moves.others >= BL_STATE_MANY) {
        bl_blob_put(writer, moves.others, 2);
    }
    behind = 0;
    for (uint32_t i = 0; i < row->move_count; i++) {
        const struct bl_search_move *move = &l->table->moves.items[row->first_move + i];
        if (move->next == l->behind[state] && behind < moves.behind) {
            behind++;
            continue;
        }
        bl_blob_put(writer, move->class, l->class_width);
        bl_blob_put(writer, l->at[move->next], l->target_width);
    }
}

static void put_program(struct bl_blob_writer *writer, const struct layout *l,
                        const uint32_t *number)
{
    for (size_t i = 0; i < l->placed; i++) {
        uint32_t state = l->order[i];
        const struct bl_search_state *row = &l->table->states.items[state];
        struct moves moves = count_moves(l, state);
        size_t others = moves.others < BL_STATE_MANY ? moves.others : BL_STATE_MANY;
        size_t head = moves.behind | others << BL_STATE_OTHERS_SHIFT |
                      (size_t)l->base_of[row->base] << BL_STATE_BASE_SHIFT |
                      (row->list != BL_SEARCH_SILENT ? BL_STATE_SPEAKS : 0u);
        bl_blob_put(writer, head, 1);
        if (row->list != BL_SEARCH_SILENT) {
            put_speech(writer, l, row->list, number);
        }
        put_moves(writer, l, state, moves);
    }
    for (unsigned i = 0; i < BL_STATE_SIZE_MAX; i++) {
        bl_blob_put(writer, 0, 1);
    }
    bl_blob_pad(writer);
}

/* Numbers the lists of more than one item. */
static uint32_t *number_lists(const struct layout *l, size_t *lists, size_t *items)
{
    size_t count = l->table->lists.keys.count;
    uint32_t *number = BL_NEW_ARRAY(l->arena, count, uint32_t);
    *lists = 0;
    *items = 0;
    for (size_t i = 0; number != NULL && i < count; i++) {
        size_t size = l->table->lists.keys.items[i].size / (2 * sizeof(uint16_t));
        if (size > 1) {
            number[i] = (uint32_t)(*lists)++;
            *items += size;
        }
    }
    return number;
}

static void put_lists(struct bl_blob_writer *writer, const struct layout *l)
{
    const struct bl_pattern_interner *lists = &l->table->lists;
    size_t at = 0;
    for (size_t i = 0; i < lists->keys.count; i++) {
        size_t size = lists->keys.items[i].size / (2 * sizeof(uint16_t));
        if (size > 1) {
            bl_blob_put(writer, at, 4);
            at += size;
        }
    }
    bl_blob_put(writer, at, 4);
    bl_blob_pad(writer);
    for (size_t i = 0; i < lists->keys.count; i++) {
        const uint16_t *items = lists->keys.items[i].bytes;
        size_t count = lists->keys.items[i].size / sizeof(*items);
        for (size_t j = 0; count > 2 && j < count; j++) {
            bl_blob_put(writer, items[j], 2);
        }
    }
    bl_blob_pad(writer);
}

static void put_bases(struct bl_blob_writer *writer, const struct layout *l)
{
    for (size_t base = 0; base < l->base_count; base++) {
        const uint32_t *row = l->table->bases[l->row_of[base]];
        for (size_t class = 0; class < l->table->classes->count; class ++) {
            bl_blob_put(writer, l->at[row[class]], l->target_width);
        }
    }
    bl_blob_pad(writer);
}

enum bl_dfa_result bl_search_write(struct bl_arena *arena, const struct bl_search_table *table,
                                   size_t bytes, struct bl_blob_writer *writer)
{
    struct layout l = {.arena = arena, .table = table};
    size_t lists;
    size_t items;
    if (!lay_out(&l)) {
        return BL_DFA_NO_MEMORY;
    }
    const uint32_t *number = number_lists(&l, &lists, &items);
    if (number == NULL) {
        return BL_DFA_NO_MEMORY;
    }
    if (l.size > bytes || l.size > BL_SEARCH_PROGRAM_MAX || lists > UINT16_MAX ||
        4 * items > bytes) {
        return BL_DFA_TOO_LARGE;
    }
    uint32_t fields[BL_HEAD_COUNT] = {
        [BL_HEAD_KIND] = BL_BLOB_SEARCH,
        [BL_HEAD_CLASSES] = (uint32_t)table->classes->count,
        [BL_HEAD_STRETCHES] = (uint32_t)table->classes->wide_count,
        [BL_SEARCH_STATES] = (uint32_t)table->states.count,
        [BL_SEARCH_PROGRAM] = (uint32_t)l.size,
        [BL_SEARCH_BASES] = (uint32_t)l.base_count,
        [BL_SEARCH_LISTS] = (uint32_t)lists,
        [BL_SEARCH_ITEMS] = (uint32_t)items,
        [BL_SEARCH_SIEVE] = bl_blob_sieve_field(table->sieve.form),
    };
    for (unsigned kind = 0; kind < BL_CHAR_KINDS; kind++) {
        fields[BL_SEARCH_STARTS + kind] = l.at[table->starts[kind]];
    }
    size_t begin = bl_blob_begin(writer, fields);
    bl_blob_put_chars(writer, table->classes);
    bl_blob_put_sieve(writer, &table->sieve);
    put_bases(writer, &l);
    put_program(writer, &l, number);
    put_lists(writer, &l);
    bl_blob_end(writer, begin);
    return writer->arena->failed ? BL_DFA_NO_MEMORY : BL_DFA_DONE;
}
