/* SPDX-License-Identifier: Apache-2.0 */
#include "text/pattern_blob.h"

#include "base/utf8.h"

/* Where the parts of a blob are, and reading characters as classes. */

static struct bl_blob_walk walk_begin(const uint8_t *blob)
{
    return (struct bl_blob_walk){
        .blob = blob,
        .size = bl_blob_field(blob, BL_HEAD_SIZE),
        .at = BL_BLOB_HEADER,
    };
}

static void chars_open(const uint8_t *blob, struct bl_blob_walk *walk,
                       struct bl_blob_chars *chars)
{
    chars->stretches = bl_blob_field(blob, BL_HEAD_STRETCHES);
    chars->map = bl_blob_part(walk, 256, 1);
    chars->lo = bl_blob_part(walk, chars->stretches, 4);
    chars->class_of = bl_blob_part(walk, chars->stretches, 2);
}

size_t bl_blob_look_up(const struct bl_blob_chars *chars, bl_str text, size_t at)
{
    uint32_t code = bl_utf8_decode(text, &at);
    size_t lo = 0;
    size_t hi = chars->stretches;
    while (hi - lo > 1) {
        size_t middle = lo + (hi - lo) / 2;
        if (bl_load32(chars->lo + 4 * middle) <= code) {
            lo = middle;
        } else {
            hi = middle;
        }
    }
    return bl_load16(chars->class_of + 2 * lo);
}

void bl_dfa_view_open(const uint8_t *blob, struct bl_dfa_view *view)
{
    struct bl_blob_walk walk = walk_begin(blob);
    view->classes = bl_blob_field(blob, BL_HEAD_CLASSES);
    view->forward_states = bl_blob_field(blob, BL_DFA_FORWARD);
    view->backward_states = bl_blob_field(blob, BL_DFA_BACKWARD);
    view->anchored = (bl_blob_field(blob, BL_DFA_FLAGS) & BL_DFA_ANCHORED) != 0;
    view->forward_width = bl_cell_width(view->forward_states);
    view->backward_width = bl_cell_width(view->backward_states);
    view->row_size = BL_ROW_SIZE(view->forward_states);
    for (unsigned kind = 0; kind < 4; kind++) {
        view->starts[kind] = bl_blob_field(blob, BL_DFA_STARTS + kind);
    }
    view->end = bl_blob_field(blob, BL_DFA_END);
    chars_open(blob, &walk, &view->chars);
    view->forward = bl_blob_part(&walk, view->forward_states * (uint64_t)view->classes,
                                 view->forward_width);
    view->accept = bl_blob_part(&walk, view->forward_states, 1);
    view->backward = bl_blob_part(&walk, view->backward_states * (uint64_t)view->classes,
                                  view->backward_width);
    view->begins = bl_blob_part(&walk, view->backward_states, 1);
    view->alive = bl_blob_part(&walk, view->backward_states, view->row_size);
    view->size = walk.at;
}

static void lists_open(struct bl_blob_walk *walk, size_t nodes, struct bl_graph_lists *lists)
{
    lists->of = bl_blob_part(walk, nodes, 2);
    lists->at = bl_blob_part(walk, (uint64_t)lists->lists + 1, 4);
    lists->items = bl_blob_part(walk, lists->item_count, 2);
}

void bl_graph_view_open(const uint8_t *blob, struct bl_graph_view *view)
{
    struct bl_blob_walk walk = walk_begin(blob);
    view->classes = bl_blob_field(blob, BL_HEAD_CLASSES);
    view->nodes = bl_blob_field(blob, BL_GRAPH_NODES);
    view->words = view->nodes / 64 + 1;
    view->follow.lists = bl_blob_field(blob, BL_GRAPH_FOLLOW_LISTS);
    view->follow.item_count = bl_blob_field(blob, BL_GRAPH_FOLLOW_ITEMS);
    view->before.lists = bl_blob_field(blob, BL_GRAPH_BEFORE_LISTS);
    view->before.item_count = bl_blob_field(blob, BL_GRAPH_BEFORE_ITEMS);
    view->empty = bl_blob_field(blob, BL_GRAPH_EMPTY);
    chars_open(blob, &walk, &view->chars);
    view->takes = bl_blob_part(&walk, view->classes, 8 * (uint64_t)view->words);
    view->ends = bl_blob_part(&walk, 4, 8 * (uint64_t)view->words);
    view->begins = bl_blob_part(&walk, 4, 8 * (uint64_t)view->words);
    view->chain = bl_blob_part(&walk, 1, 8 * (uint64_t)view->words);
    view->follow.some = bl_blob_part(&walk, 1, 8 * (uint64_t)view->words);
    view->before.some = bl_blob_part(&walk, 1, 8 * (uint64_t)view->words);
    lists_open(&walk, view->nodes, &view->follow);
    lists_open(&walk, view->nodes, &view->before);
    view->size = walk.at;
}

static struct bl_sieve_form form_of(uint32_t field, uint32_t fold)
{
    return (struct bl_sieve_form){field & 0xFF, field >> 8 & 0xFF, field >> 16, fold};
}

static const uint8_t *sieve_part(struct bl_blob_walk *walk, struct bl_sieve_form form)
{
    return bl_blob_part(walk, form.stride > 0 ? UINT64_C(1) << form.bits : 0, 8);
}

void bl_search_view_open(const uint8_t *blob, struct bl_search_view *view)
{
    struct bl_blob_walk walk = walk_begin(blob);
    uint32_t program = bl_blob_field(blob, BL_SEARCH_PROGRAM);
    view->classes = bl_blob_field(blob, BL_HEAD_CLASSES);
    view->bases = bl_blob_field(blob, BL_SEARCH_BASES);
    view->lists = bl_blob_field(blob, BL_SEARCH_LISTS);
    view->item_count = bl_blob_field(blob, BL_SEARCH_ITEMS);
    view->form = form_of(bl_blob_field(blob, BL_SEARCH_SIEVE), BL_SIEVE_FOLD);
    view->class_width = bl_cell_width(view->classes);
    view->target_width = program > UINT16_MAX ? 3 : 2;
    view->end = program - BL_STATE_SIZE_MAX;
    for (unsigned kind = 0; kind < 4; kind++) {
        view->starts[kind] = bl_blob_field(blob, BL_SEARCH_STARTS + kind);
    }
    chars_open(blob, &walk, &view->chars);
    view->sieve = sieve_part(&walk, view->form);
    view->rows = bl_blob_part(&walk, view->bases * (uint64_t)view->classes, view->target_width);
    view->program = bl_blob_part(&walk, program, 1);
    view->at = bl_blob_part(&walk, (uint64_t)view->lists + 1, 4);
    view->items = bl_blob_part(&walk, view->item_count, 4);
    view->size = walk.at;
}

void bl_starts_view_open(const uint8_t *blob, struct bl_starts_view *view)
{
    struct bl_blob_walk walk = walk_begin(blob);
    view->patterns = bl_blob_field(blob, BL_STARTS_PATTERNS);
    view->walks = bl_blob_field(blob, BL_STARTS_WALKS);
    view->form = form_of(bl_blob_field(blob, BL_STARTS_SIEVE), 0);
    view->sieve = sieve_part(&walk, view->form);
    view->words = view->form.stride > 0 ? view->patterns / 64 + 1 : 0;
    view->row_of = bl_blob_part(&walk, view->words > 0 ? BL_STARTS_HEAD * 256 : 0, 1);
    view->kinds = bl_blob_part(&walk, 4, 8 * (uint64_t)view->words);
    for (unsigned i = 0; i < BL_STARTS_HEAD; i++) {
        view->row_count[i] = bl_blob_field(blob, BL_STARTS_ROWS + i);
        view->rows[i] = bl_blob_part(&walk, view->row_count[i], 8 * (uint64_t)view->words);
    }
    view->walk_rows = bl_blob_part(&walk, view->walks, BL_WALK_SIZE);
    view->size = walk.at;
}
