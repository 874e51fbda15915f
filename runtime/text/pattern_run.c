/* SPDX-License-Identifier: Apache-2.0 */
#include "text/pattern_blob.h"

#include <string.h>

/* Running a verified pattern over a text.
 *
 * All matches in linear time: one pass from the end of the text to its beginning writes down
 * the state of the backward automaton at each place. It says whether a match begins there, and
 * from which states of the forward automaton a match still ends somewhere behind. So the
 * forward automaton starts only where there is a match, and stops at the first place from which
 * no longer match can end: where it stopped, the match ended. Each character is read at most
 * twice. Nothing in this depends on the tables being right. */

static inline uint32_t cell(const uint8_t *table, unsigned width, size_t index)
{
    return width == 1 ? table[index] : bl_load16(table + 2 * index);
}

static bool is_alive(const struct bl_dfa_view *view, size_t backward, size_t forward)
{
    return (view->alive[backward * view->row_size + forward / 8] >> forward % 8 & 1) != 0;
}

/* The kinds that `kinds` names hold the place before `at`? Most states say all or none. */
static bool holds_before(unsigned kinds, bl_str text, size_t at)
{
    return kinds == 15 || (kinds != 0 && (kinds >> bl_blob_kind_before(text, at) & 1) != 0);
}

static bool holds_at(unsigned kinds, bl_str text, size_t at)
{
    return kinds == 15 || (kinds != 0 && (kinds >> bl_blob_kind_at(text, at) & 1) != 0);
}

/* ---- one match, at the beginning -------------------------------------------------------- */

/* The match that begins at `from`: where it ends first, or with `longest` last. */
static size_t match_from(const struct bl_dfa_view *view, bl_str text, size_t from, size_t limit,
                         bool longest, bool *more, uint64_t *steps)
{
    size_t state = view->starts[bl_blob_kind_before(text, from)];
    size_t at = from;
    size_t hi = BL_NO_MATCH;
    *more = false;
    for (;;) {
        if (holds_at(view->accept[state], text, at)) {
            hi = at;
            if (!longest) {
                break;
            }
        }
        if (state == 0 || at == text.len) {
            break;
        }
        if (at - from >= limit) {
            *more = true;
            break;
        }
        if (bl_is_continuation((uint8_t)text.ptr[at])) {
            at = bl_next_char(text, at); /* not UTF-8; what cannot be read is no character */
            continue;
        }
        size_t class = bl_blob_class(&view->chars, text, at);
        state = cell(view->forward, view->forward_width, state * view->classes + class);
        at = bl_next_char(text, at);
    }
    *steps += at - from + 1;
    return hi;
}

size_t bl_dfa_match_at(const struct bl_dfa_view *view, bl_str text, size_t at, size_t limit,
                       bool *more, uint64_t *steps)
{
    return match_from(view, text, at, limit, true, more, steps);
}

/* ---- does it find anything? ------------------------------------------------------------- */

static inline bool search_backward(const struct bl_dfa_view *view, unsigned width, bl_str text)
{
    size_t state = view->end;
    size_t at = text.len;
    for (;;) {
        if (view->begins[state] != 0 && holds_before(view->begins[state], text, at)) {
            return true;
        }
        do {
            if (at == 0) {
                return false;
            }
            at--;
        } while (bl_is_continuation((uint8_t)text.ptr[at]));
        size_t class = bl_blob_class(&view->chars, text, at);
        state = cell(view->backward, width, state * view->classes + class);
    }
}

bool bl_pattern_matches(struct bl_pattern pattern, bl_str text)
{
    if (bl_blob_field(pattern.bytes, BL_HEAD_KIND) == BL_BLOB_GRAPH) {
        struct bl_graph_view graph;
        bl_graph_view_open(pattern.bytes, &graph);
        return bl_graph_matches(&graph, text);
    }
    struct bl_dfa_view view;
    bl_dfa_view_open(pattern.bytes, &view);
    if (view.anchored) {
        uint64_t steps = 0;
        bool more;
        return match_from(&view, text, 0, text.len, false, &more, &steps) != BL_NO_MATCH;
    }
    /* The same loop twice, so that the width is known in each. */
    return view.backward_width == 1 ? search_backward(&view, 1, text)
                                    : search_backward(&view, 2, text);
}

/* ---- all matches ------------------------------------------------------------------------ */

struct record {
    const struct bl_dfa_view *view;
    bl_str text;
    size_t from;     /* what stands in front is read by nobody */
    uint8_t *states; /* the backward state at each place from there where a character begins,
                      * and at the end */
};

static void record_state(const struct record *record, size_t at, size_t state)
{
    at -= record->from;
    if (record->view->backward_width == 1) {
        record->states[at] = (uint8_t)state;
    } else {
        record->states[2 * at] = (uint8_t)(state & 0xFF);
        record->states[2 * at + 1] = (uint8_t)(state >> 8);
    }
}

static size_t recorded(const struct record *record, size_t at)
{
    return cell(record->states, record->view->backward_width, at - record->from);
}

/* The pass from the end; true when some match begins somewhere. */
static bool record_backward(const struct record *record)
{
    const struct bl_dfa_view *view = record->view;
    size_t state = view->end;
    unsigned any = view->begins[state];
    record_state(record, record->text.len, state);
    for (size_t at = record->text.len; at-- > record->from;) {
        if (bl_is_continuation((uint8_t)record->text.ptr[at])) {
            continue;
        }
        size_t class = bl_blob_class(&view->chars, record->text, at);
        state = cell(view->backward, view->backward_width, state * view->classes + class);
        record_state(record, at, state);
        any |= view->begins[state];
    }
    return any != 0;
}

/* The end of the match that begins at `at`. */
static size_t follow(const struct record *record, size_t at)
{
    const struct bl_dfa_view *view = record->view;
    size_t state = view->starts[bl_blob_kind_before(record->text, at)];
    while (at < record->text.len) {
        size_t class = bl_blob_class(&view->chars, record->text, at);
        size_t next = bl_next_char(record->text, at);
        state = cell(view->forward, view->forward_width, state * view->classes + class);
        if (!is_alive(view, recorded(record, next), state)) {
            break;
        }
        at = next;
    }
    return at;
}

static void each_of_record(const struct record *record,
                           bool (*each)(void *context, struct bl_match match), void *context,
                           uint64_t *steps)
{
    bl_str text = record->text;
    size_t at = record->from;
    /* A text that is not UTF-8 may begin within a character. */
    if (text.len > at && bl_is_continuation((uint8_t)text.ptr[at])) {
        at = bl_next_char(text, at);
    }
    for (;;) {
        *steps += 1;
        unsigned kinds = record->view->begins[recorded(record, at)];
        size_t hi = at;
        if (holds_before(kinds, text, at)) {
            hi = follow(record, at);
            *steps += hi - at + 1;
            if (!each(context, (struct bl_match){at, hi})) {
                return;
            }
        }
        if (hi > at) {
            at = hi;
        } else if (at == text.len) {
            return;
        } else {
            at = bl_next_char(text, at);
        }
    }
}

bool bl_pattern_each_from(struct bl_arena *arena, struct bl_pattern pattern, bl_str text,
                          size_t from, bool (*each)(void *context, struct bl_match match),
                          void *context, uint64_t *steps)
{
    if (bl_blob_field(pattern.bytes, BL_HEAD_KIND) == BL_BLOB_GRAPH) {
        struct bl_graph_view graph;
        bl_graph_view_open(pattern.bytes, &graph);
        return bl_graph_each(arena, &graph, text, from, each, context, steps);
    }
    struct bl_dfa_view view;
    bl_dfa_view_open(pattern.bytes, &view);
    if (view.anchored) {
        bool more;
        uint64_t read = 0;
        size_t hi =
            from == 0 ? match_from(&view, text, 0, text.len, true, &more, &read) : BL_NO_MATCH;
        *steps += text.len + 1;
        if (hi != BL_NO_MATCH) {
            each(context, (struct bl_match){0, hi});
        }
        return true;
    }
    struct record record = {.view = &view, .text = text, .from = from};
    record.states = bl_arena_alloc(arena, text.len - from + 1, view.backward_width);
    if (record.states == NULL) {
        return false;
    }
    *steps += text.len - from + 1;
    if (record_backward(&record)) {
        each_of_record(&record, each, context, steps);
    }
    return true;
}

bool bl_pattern_each_counted(struct bl_arena *arena, struct bl_pattern pattern, bl_str text,
                             bool (*each)(void *context, struct bl_match match), void *context,
                             uint64_t *steps)
{
    return bl_pattern_each_from(arena, pattern, text, 0, each, context, steps);
}

bool bl_pattern_each(struct bl_arena *arena, struct bl_pattern pattern, bl_str text,
                     bool (*each)(void *context, struct bl_match match), void *context)
{
    uint64_t steps = 0;
    return bl_pattern_each_from(arena, pattern, text, 0, each, context, &steps);
}
