/* SPDX-License-Identifier: Apache-2.0 */
#include "text/pattern_blob.h"
#include "text/pattern_sieve.h"

/* Running a set of patterns over a text. In a state in which nothing goes on the sieve finds
 * the next place where something may begin; what it passes over, no pattern can begin with.
 * Where something goes on, each character is one step of the automaton. So a byte is looked at
 * once by each, and once more for each place that passes the sieve without need.
 *
 * Nothing relies on the numbers in the program being right: a place that is no state is read as
 * one, and ends in the bytes behind the last one. */

size_t bl_pattern_set_count(struct bl_pattern set)
{
    return bl_blob_field(set.bytes, BL_SET_PATTERNS);
}

static uint32_t load_cell(const uint8_t *at, unsigned width)
{
    return width == 1   ? at[0]
           : width == 2 ? bl_load16(at)
                        : bl_load16(at) | (uint32_t)at[2] << 16;
}

/* ---- one step --------------------------------------------------------------------------- */

static uint32_t target(const struct bl_search_view *view, const uint8_t *at)
{
    uint32_t state = load_cell(at, view->target_width);
    return state < view->end ? state : 0;
}

/* The moves with targets of a state that has many; they are in the order of classes. */
static const uint8_t *find_move(const struct bl_search_view *view, const uint8_t *at,
                                size_t class)
{
    size_t width = view->class_width + view->target_width;
    size_t lo = 0;
    size_t hi = bl_load16(at);
    const uint8_t *moves = at + 2;
    size_t left = view->end + BL_STATE_SIZE_MAX - (size_t)(moves - view->program);
    hi = hi * width <= left ? hi : left / width;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        uint32_t here = load_cell(moves + middle * width, view->class_width);
        if (here == class) {
            return moves + middle * width + view->class_width;
        }
        if (here < class) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    return NULL;
}

/* The state behind a character of the class. */
static uint32_t step(const struct bl_search_view *view, uint32_t state, size_t class)
{
    const uint8_t *at = view->program + state;
    unsigned head = *at++;
    at += (head & BL_STATE_SPEAKS) != 0 ? 3 : 0;
    unsigned behind = head & BL_STATE_BEHIND_MAX;
    unsigned others = head >> BL_STATE_OTHERS_SHIFT & BL_STATE_MANY;
    size_t width = view->class_width + view->target_width;
    bool is_behind = false;
    for (unsigned i = 0; i < behind; i++, at += view->class_width) {
        is_behind = is_behind || load_cell(at, view->class_width) == class;
    }
    if (others == BL_STATE_MANY) {
        const uint8_t *move = is_behind ? NULL : find_move(view, at, class);
        if (move != NULL) {
            return target(view, move);
        }
        at += 2;
        others = bl_load16(at - 2);
    }
    if (is_behind) {
        size_t next = (size_t)(at - view->program) + others * width;
        return next < view->end ? (uint32_t)next : 0;
    }
    for (unsigned i = 0; i < others && others < BL_STATE_MANY; i++, at += width) {
        if (load_cell(at, view->class_width) == class) {
            return target(view, at + view->class_width);
        }
    }
    size_t base = head >> BL_STATE_BASE_SHIFT;
    base = base < view->bases ? base : 0;
    return load_cell(view->rows + (base * view->classes + class) * view->target_width,
                     view->target_width);
}

/* ---- what is found ---------------------------------------------------------------------- */

static void find(const struct bl_search_view *view, size_t pattern, unsigned kinds, bl_str text,
                 size_t at, uint64_t *found)
{
    if (pattern < view->patterns &&
        (kinds == 15 || (kinds >> bl_blob_kind_at(text, at) & 1) != 0)) {
        found[pattern / 64] |= UINT64_C(1) << pattern % 64;
    }
}

static void say(const struct bl_search_view *view, uint32_t state, bl_str text, size_t at,
                uint64_t *found)
{
    const uint8_t *speech = view->program + state + 1;
    size_t list = bl_load16(speech);
    if (speech[2] != BL_SPEECH_LIST) {
        find(view, list, speech[2], text, at, found);
        return;
    }
    if (list >= view->lists) {
        return;
    }
    uint32_t end = bl_load32(view->at + 4 * list + 4);
    for (uint32_t i = bl_load32(view->at + 4 * list); i < end; i++) {
        const uint8_t *item = view->items + (size_t)4 * i;
        find(view, bl_load16(item), bl_load16(item + 2), text, at, found);
    }
}

/* ---- the sieve -------------------------------------------------------------------------- */

struct sieve {
    const uint8_t *entries;
    struct bl_sieve_form form;
    uint64_t kept; /* of what earlier looks left, all but what a phase begins with */
    uint64_t last; /* the bytes of each phase's last look */
};

static struct sieve open_sieve(const struct bl_search_view *view)
{
    return (struct sieve){view->sieve, view->form, bl_sieve_kept(view->form),
                          bl_sieve_last(view->form)};
}

/* The look at `at` was the last one of some phases: the first beginning at or behind `from`
 * that they leave, which is never in the middle of a character; `at` + 1 when there is none. A
 * phase whose beginning lies before `from` says nothing about those of the others. */
static size_t beginning(const struct sieve *sieve, uint64_t groups, bl_str text, size_t from,
                        size_t at)
{
    unsigned pairs = sieve->form.pairs;
    for (unsigned phase = sieve->form.stride; phase-- > 0;) {
        size_t back = sieve->form.stride * (pairs - 1) + phase;
        if ((~groups >> 8 * (phase * pairs + pairs - 1) & 0xFF) != 0 && back <= at - from &&
            !bl_is_continuation((uint8_t)text.ptr[at - back])) {
            return at - back;
        }
    }
    return at + 1;
}

/* The first place at or behind `from` where something may begin; the end when there is none. */
static size_t next_beginning(const struct sieve *sieve, bl_str text, size_t from)
{
    const uint8_t *bytes = (const uint8_t *)text.ptr;
    uint64_t groups = UINT64_MAX;
    for (size_t at = from; at + 1 < text.len; at += sieve->form.stride) {
        uint32_t entry = bl_sieve_entry(bl_load16(bytes + at), sieve->form);
        groups = (groups << 8 & sieve->kept) | bl_load64(sieve->entries + (size_t)8 * entry);
        if ((~groups & sieve->last) != 0) {
            size_t found = beginning(sieve, groups, text, from, at);
            if (found <= at) {
                return found;
            }
        }
    }
    return text.len;
}

/* ---- a set ------------------------------------------------------------------------------ */

static void scan(const struct bl_search_view *view, bl_str text, uint64_t *found,
                 uint64_t *steps)
{
    struct sieve sieve = open_sieve(view);
    uint32_t state = view->starts[0];
    size_t at = 0;
    if (text.len > 0 && bl_is_continuation((uint8_t)text.ptr[0])) {
        at = bl_next_char(text, 0);
    }
    for (;;) {
        unsigned head = view->program[state];
        if ((head & BL_STATE_SPEAKS) != 0) {
            say(view, state, text, at, found);
        }
        if ((head & BL_STATE_BUSY) == 0 && view->form.stride > 0) {
            size_t next = next_beginning(&sieve, text, at);
            *steps += (next - at) / sieve.form.stride + sieve.form.pairs;
            at = next;
            state = view->starts[bl_blob_kind_before(text, at)];
        }
        if (at == text.len) {
            return;
        }
        *steps += 1;
        state = step(view, state, bl_blob_class(&view->chars, text, at));
        at = bl_next_char(text, at);
    }
}

void bl_pattern_set_scan_counted(struct bl_pattern set, bl_str text, uint64_t *found,
                                 uint64_t *steps)
{
    const uint8_t *blob = set.bytes;
    size_t at = BL_BLOB_HEADER;
    for (uint32_t i = bl_blob_field(blob, BL_SET_AUTOMATA); i > 0; i--) {
        struct bl_search_view view;
        bl_search_view_open(blob + at, &view);
        view.patterns = bl_blob_field(blob, BL_SET_PATTERNS);
        scan(&view, text, found, steps);
        at += bl_blob_field(blob + at, BL_HEAD_SIZE);
    }
}

void bl_pattern_set_scan(struct bl_pattern set, bl_str text, uint64_t *found)
{
    uint64_t steps = 0;
    bl_pattern_set_scan_counted(set, text, found, &steps);
}
