/* SPDX-License-Identifier: Apache-2.0 */
#include "text/pattern_blob.h"

/* Checks that every number in a blob names something that is there. What it does not check is
 * whether the numbers make sense: a blob that nobody compiled may find anything, but it finds
 * it within its own bytes, within the text, and in linear time. */

static bool is_header(const uint8_t *blob, size_t size, enum bl_blob_kind kind)
{
    return size >= BL_BLOB_HEADER && size <= UINT32_MAX &&
           bl_blob_field(blob, BL_HEAD_MAGIC) == BL_BLOB_MAGIC &&
           bl_blob_field(blob, BL_HEAD_KIND) == (uint32_t)kind &&
           bl_blob_field(blob, BL_HEAD_SIZE) == size;
}

static bool unused_fields(const uint8_t *blob, unsigned from)
{
    for (unsigned field = from; field < BL_HEAD_COUNT; field++) {
        if (bl_blob_field(blob, field) != 0) {
            return false;
        }
    }
    return true;
}

static bool chars_are_right(const struct bl_blob_chars *chars, size_t classes)
{
    if (chars->stretches == 0 || bl_load32(chars->lo) != 0x80) {
        return false;
    }
    for (size_t byte = 0; byte < 256; byte++) {
        /* A continuation byte begins no character; every ASCII character has its class here. */
        bool look_up = chars->map[byte] == BL_CLASS_LOOK_UP;
        if (look_up ? byte < 0x80 : chars->map[byte] >= classes || (byte & 0xC0) == 0x80) {
            return false;
        }
    }
    for (size_t i = 0; i < chars->stretches; i++) {
        if (bl_load16(chars->class_of + 2 * i) >= classes ||
            (i > 0 && bl_load32(chars->lo + 4 * i) <= bl_load32(chars->lo + 4 * i - 4))) {
            return false;
        }
    }
    return true;
}

static bool bytes_below(const uint8_t *bytes, size_t count, size_t limit)
{
    if (limit > UINT8_MAX) {
        return true;
    }
    unsigned greatest = 0;
    for (size_t i = 0; i < count; i++) {
        greatest = bytes[i] > greatest ? bytes[i] : greatest;
    }
    return count == 0 || greatest < limit;
}

static bool cells_below(const uint8_t *cells, size_t count, unsigned width, size_t limit)
{
    if (width == 1) {
        return bytes_below(cells, count, limit);
    }
    uint32_t greatest = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t cell = bl_load16(cells + 2 * i);
        greatest = cell > greatest ? cell : greatest;
    }
    return count == 0 || greatest < limit;
}

/* The numbers of the header that sizes follow from; without this their products could be huge.
 */
static bool counts_fit(const uint8_t *blob, size_t size)
{
    return bl_blob_field(blob, BL_HEAD_CLASSES) >= 1 &&
           bl_blob_field(blob, BL_HEAD_CLASSES) <= UINT16_MAX &&
           bl_blob_field(blob, BL_HEAD_STRETCHES) <= size / 4;
}

/* Linear in size. */
static bool dfa_verify(const uint8_t *blob, size_t size)
{
    struct bl_dfa_view view;
    if (!is_header(blob, size, BL_BLOB_DFA) || !counts_fit(blob, size) ||
        bl_blob_field(blob, BL_DFA_FORWARD) > BL_BLOB_STATES_MAX ||
        bl_blob_field(blob, BL_DFA_BACKWARD) > BL_BLOB_STATES_MAX ||
        bl_blob_field(blob, BL_DFA_FLAGS) > BL_DFA_ANCHORED ||
        !unused_fields(blob, BL_DFA_END + 1)) {
        return false;
    }
    bl_dfa_view_open(blob, &view);
    if (view.size != size || view.forward_states == 0 ||
        (view.backward_states == 0) != view.anchored ||
        !chars_are_right(&view.chars, view.classes)) {
        return false;
    }
    for (unsigned kind = 0; kind < 4; kind++) {
        if (view.starts[kind] >= view.forward_states) {
            return false;
        }
    }
    return (view.anchored ? view.end == 0 : view.end < view.backward_states) &&
           cells_below(view.forward, view.forward_states * view.classes, view.forward_width,
                       view.forward_states) &&
           cells_below(view.backward, view.backward_states * view.classes, view.backward_width,
                       view.backward_states) &&
           bytes_below(view.accept, view.forward_states, 16) &&
           bytes_below(view.begins, view.backward_states, 16);
}

static bool lists_are_right(const struct bl_graph_lists *lists, size_t nodes)
{
    if (lists->lists > nodes || bl_load32(lists->at) != 0 ||
        bl_load32(lists->at + 4 * lists->lists) != lists->item_count) {
        return false;
    }
    for (size_t i = 0; i < lists->lists; i++) {
        if (bl_load32(lists->at + 4 * i) > bl_load32(lists->at + 4 * i + 4)) {
            return false;
        }
    }
    for (size_t node = 0; node < nodes; node++) {
        uint32_t list = bl_load16(lists->of + 2 * node);
        bool some = (lists->some[node / 8] >> node % 8 & 1) != 0;
        if (some ? list >= lists->lists : list != BL_NO_LIST) {
            return false;
        }
    }
    return cells_below(lists->items, lists->item_count, 2, nodes);
}

/* No set of nodes has a bit beyond the nodes. */
static bool sets_are_right(const uint8_t *sets, size_t count, const struct bl_graph_view *view)
{
    for (size_t i = 0; i < count; i++) {
        const uint8_t *last = sets + 8 * (view->words * (i + 1) - 1);
        if (bl_load64(last) >> view->nodes % 64 != 0) {
            return false;
        }
    }
    return true;
}

/* Linear in size. */
static bool graph_verify(const uint8_t *blob, size_t size)
{
    struct bl_graph_view view;
    if (!is_header(blob, size, BL_BLOB_GRAPH) || !counts_fit(blob, size) ||
        bl_blob_field(blob, BL_GRAPH_NODES) > BL_GRAPH_NODES_MAX ||
        bl_blob_field(blob, BL_GRAPH_FOLLOW_LISTS) >= BL_NO_LIST ||
        bl_blob_field(blob, BL_GRAPH_BEFORE_LISTS) >= BL_NO_LIST ||
        !unused_fields(blob, BL_GRAPH_EMPTY + 1)) {
        return false;
    }
    bl_graph_view_open(blob, &view);
    return view.size == size && view.empty <= UINT16_MAX &&
           chars_are_right(&view.chars, view.classes) &&
           sets_are_right(view.takes, view.classes, &view) &&
           sets_are_right(view.ends, 4, &view) && sets_are_right(view.begins, 4, &view) &&
           sets_are_right(view.chain, 1, &view) && sets_are_right(view.follow.some, 1, &view) &&
           sets_are_right(view.before.some, 1, &view) &&
           lists_are_right(&view.follow, view.nodes) &&
           lists_are_right(&view.before, view.nodes);
}

static bool sieve_is_right(uint32_t form)
{
    uint32_t stride = form & 0xFF;
    uint32_t pairs = form >> 8 & 0xFF;
    uint32_t bits = form >> 16;
    return form == 0 || ((stride == 1 || stride == 2 || stride == 4) && pairs >= 1 &&
                         stride * pairs <= 8 && bits >= 1 && bits <= BL_SIEVE_BITS_MAX);
}

/* Counts of a search automaton from which sizes follow. */
static bool search_counts_fit(const uint8_t *blob, size_t size)
{
    uint32_t bases = bl_blob_field(blob, BL_SEARCH_BASES);
    return bl_blob_field(blob, BL_SEARCH_PROGRAM) <= size &&
           bl_blob_field(blob, BL_SEARCH_PROGRAM) > BL_STATE_SIZE_MAX && bases >= 1 &&
           bases <= 4 && bl_blob_field(blob, BL_SEARCH_LISTS) <= UINT16_MAX &&
           sieve_is_right(bl_blob_field(blob, BL_SEARCH_SIEVE));
}

/* Each list ends where the next begins; patterns and kinds are right. */
static bool search_lists_are_right(const struct bl_search_view *view)
{
    if (bl_load32(view->at) != 0 || bl_load32(view->at + 4 * view->lists) != view->item_count) {
        return false;
    }
    for (size_t i = 0; i < view->lists; i++) {
        if (bl_load32(view->at + 4 * i) > bl_load32(view->at + 4 * i + 4)) {
            return false;
        }
    }
    for (size_t i = 0; i < view->item_count; i++) {
        if (bl_load16(view->items + 4 * i) >= view->patterns ||
            bl_load16(view->items + 4 * i + 2) > 15) {
            return false;
        }
    }
    return true;
}

static bool search_rows_are_right(const struct bl_search_view *view)
{
    for (size_t i = 0; i < view->bases * view->classes; i++) {
        const uint8_t *cell = view->rows + i * view->target_width;
        if ((bl_load16(cell) | (view->target_width == 3 ? (uint32_t)cell[2] << 16 : 0)) >=
            view->end) {
            return false;
        }
    }
    for (unsigned kind = 0; kind < 4; kind++) {
        if (view->starts[kind] >= view->end) {
            return false;
        }
    }
    for (unsigned i = 0; i < BL_STATE_SIZE_MAX; i++) {
        if (view->program[view->end + i] != 0) {
            return false;
        }
    }
    return true;
}

/* The program is not looked into: running it relies on nothing there. */
static bool search_verify(const uint8_t *blob, size_t size, size_t patterns)
{
    struct bl_search_view view;
    if (!is_header(blob, size, BL_BLOB_SEARCH) || !counts_fit(blob, size) ||
        !search_counts_fit(blob, size) || !unused_fields(blob, BL_SEARCH_STARTS + 4)) {
        return false;
    }
    bl_search_view_open(blob, &view);
    view.patterns = patterns;
    return view.size == size && chars_are_right(&view.chars, view.classes) &&
           search_rows_are_right(&view) && search_lists_are_right(&view);
}

bool bl_pattern_verify(const void *bytes, size_t size)
{
    if (bytes == NULL || size < BL_BLOB_HEADER) {
        return false;
    }
    switch (bl_blob_field(bytes, BL_HEAD_KIND)) {
    case BL_BLOB_DFA:
        return dfa_verify(bytes, size);
    case BL_BLOB_GRAPH:
        return graph_verify(bytes, size);
    default:
        return false;
    }
}

/* The next automaton of a set at *at. */
static bool next_automaton(const uint8_t *blob, size_t size, size_t *at, size_t *part)
{
    if (size - *at < BL_BLOB_HEADER) {
        return false;
    }
    *part = bl_blob_field(blob + *at, BL_HEAD_SIZE);
    return *part >= BL_BLOB_HEADER && *part % 8 == 0 && *part <= size - *at;
}

bool bl_pattern_set_verify(const void *bytes, size_t size)
{
    if (bytes == NULL || size % 8 != 0 || size < BL_BLOB_HEADER ||
        !is_header(bytes, size, BL_BLOB_SET) ||
        bl_blob_field(bytes, BL_SET_PATTERNS) > BL_SET_PATTERNS_MAX ||
        !unused_fields(bytes, BL_SET_AUTOMATA + 1)) {
        return false;
    }
    const uint8_t *blob = bytes;
    size_t at = BL_BLOB_HEADER;
    size_t part = 0;
    for (uint32_t i = bl_blob_field(blob, BL_SET_AUTOMATA); i > 0; i--) {
        if (!next_automaton(blob, size, &at, &part) ||
            !search_verify(blob + at, part, bl_blob_field(blob, BL_SET_PATTERNS))) {
            return false;
        }
        at += part;
    }
    return at == size;
}

/* The heads of the patterns of a sieve: every byte has a row, and no set of patterns has a bit
 * beyond them. */
static bool heads_are_right(const struct bl_starts_view *view)
{
    size_t sets = 4;
    if (view->words == 0) {
        return true;
    }
    for (unsigned i = 0; i < BL_STARTS_HEAD; i++) {
        sets += view->row_count[i];
        if (!bytes_below(view->row_of + (size_t)256 * i, 256, view->row_count[i])) {
            return false;
        }
    }
    /* The sets of kinds and of all rows stand one behind the other. */
    for (size_t i = 1; i <= sets; i++) {
        if (bl_load64(view->kinds + 8 * (view->words * i - 1)) >> view->patterns % 64 != 0) {
            return false;
        }
    }
    return true;
}

bool bl_pattern_starts_verify(const void *bytes, size_t size)
{
    struct bl_starts_view view;
    if (bytes == NULL || size < BL_BLOB_HEADER || !is_header(bytes, size, BL_BLOB_STARTS) ||
        bl_blob_field(bytes, BL_STARTS_PATTERNS) > BL_SET_PATTERNS_MAX ||
        bl_blob_field(bytes, BL_STARTS_WALKS) > bl_blob_field(bytes, BL_STARTS_PATTERNS) ||
        !sieve_is_right(bl_blob_field(bytes, BL_STARTS_SIEVE)) ||
        !unused_fields(bytes, BL_STARTS_ROWS + BL_STARTS_HEAD)) {
        return false;
    }
    for (unsigned i = 0; i < BL_STARTS_HEAD; i++) {
        if (bl_blob_field(bytes, BL_STARTS_ROWS + i) > 256) {
            return false;
        }
    }
    bl_starts_view_open(bytes, &view);
    if (view.size != size || !heads_are_right(&view)) {
        return false;
    }
    for (size_t i = 0; i < view.walks; i++) {
        const uint8_t *row = view.walk_rows + i * BL_WALK_SIZE;
        if (bl_load16(row) >= view.patterns || bl_load16(row + 2) == 0 ||
            row[4] >= BL_WALK_WAYS || row[5] > BL_WALK_AHEAD) {
            return false;
        }
    }
    return true;
}
