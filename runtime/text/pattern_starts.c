/* SPDX-License-Identifier: Apache-2.0 */
#include "text/island.h"
#include "text/pattern_starts_run.h"

#include <string.h>

/* Running several patterns where each may begin. The forward automaton of a pattern, begun
 * where a match begins, reads the longest; begun elsewhere it mostly dies within a few
 * characters. A text can be made in which it does not, again and again: what it read in vain is
 * counted, and once that is as much as the text has, the rest is read in the way that is always
 * linear.
 *
 * Nothing relies on the sieve, the groups and the walks being right: a blob that nobody
 * compiled misses matches, and what it finds are matches all the same. */

size_t bl_pattern_starts_count(struct bl_pattern starts)
{
    return bl_blob_field(starts.bytes, BL_STARTS_PATTERNS);
}

/* ---- one pattern at one place ----------------------------------------------------------- */

static bool relay(void *context, struct bl_match match)
{
    struct bl_starting *s = context;
    s->failed = s->failed || !s->each(s->context, s->speaking, match);
    return !s->failed;
}

static void give_up(struct bl_starting *s, size_t pattern, size_t at)
{
    s->attempts[pattern].given_up = true;
    s->speaking = pattern;
    if (s->log != NULL) {
        s->log->given_up = true;
    }
    s->failed = !bl_pattern_each_from(s->arena, s->patterns[pattern], s->text, at, relay, s,
                                      s->steps) ||
                s->failed;
}

static bool open(struct bl_starting *s, size_t pattern)
{
    struct bl_attempts *attempts = &s->attempts[pattern];
    const uint8_t *bytes = s->patterns[pattern].bytes;
    if (bl_blob_field(bytes, BL_HEAD_KIND) == BL_BLOB_GRAPH) {
        attempts->graph = BL_NEW(s->arena, struct bl_graph_view);
        if (attempts->graph != NULL) {
            bl_graph_view_open(bytes, attempts->graph);
        }
    } else {
        attempts->dfa = BL_NEW(s->arena, struct bl_dfa_view);
        if (attempts->dfa != NULL) {
            bl_dfa_view_open(bytes, attempts->dfa);
        }
    }
    return !s->arena->failed;
}

/* How far it read. A simulated pattern counts steps, of which each character has one or more.
 */
static void note(struct bl_starting *s, const struct bl_attempts *attempts, size_t at,
                 uint64_t took)
{
    uint64_t read = attempts->dfa != NULL ? took : 4 * took + 4;
    if (s->log == NULL || read <= BL_STARTS_NEAR) {
        return;
    }
    struct bl_match *slot = BL_PUSH(s->arena, s->log->far);
    s->failed = s->failed || slot == NULL;
    if (slot != NULL) {
        *slot =
            (struct bl_match){at, read < s->text.len - at ? at + (size_t)read : s->text.len};
    }
}

static void try_at(struct bl_starting *s, size_t pattern, size_t at)
{
    struct bl_attempts *attempts = &s->attempts[pattern];
    uint64_t took = 0;
    bool more;
    if (at < s->from || at < attempts->behind || attempts->given_up) {
        return;
    }
    if (attempts->dfa == NULL && attempts->graph == NULL && !open(s, pattern)) {
        s->failed = true;
        return;
    }
    uint64_t left = s->text.len > attempts->spent ? s->text.len - attempts->spent : 0;
    size_t hi =
        attempts->dfa != NULL
            ? bl_dfa_match_at(attempts->dfa, s->text, at, (size_t)left, &more, &took)
            : bl_graph_match_at(attempts->graph, s->text, at, (size_t)left, &more, &took);
    *s->steps += took;
    note(s, attempts, at, took);
    if (more) {
        give_up(s, pattern, at);
    } else if (hi == BL_NO_MATCH || hi == at) {
        attempts->spent += took;
    } else {
        attempts->spent += took > hi - at ? took - (hi - at) : 0;
        attempts->behind = hi;
        s->failed = !s->each(s->context, pattern, (struct bl_match){at, hi}) || s->failed;
    }
}

/* ---- the sieve -------------------------------------------------------------------------- */

/* Tries at a place all patterns whose matches may begin so: those that are asked for, behind
 * such a character, with such bytes. */
static void try_all_at(struct bl_starting *s, size_t at)
{
    const uint8_t *bytes = (const uint8_t *)s->text.ptr + at;
    size_t words = s->view.words;
    const uint8_t *kinds = s->view.kinds + 8 * words * bl_blob_kind_before(s->text, at);
    *s->steps += words;
    for (size_t word = 0; word < words; word++) {
        uint64_t may = s->asked[word] & bl_load64(kinds + 8 * word);
        for (unsigned i = 0; i < BL_STARTS_HEAD; i++) {
            size_t row = s->view.row_of[256 * i + bytes[i]];
            may &= bl_load64(s->view.rows[i] + 8 * (row * words + word));
        }
        for (; may != 0; may &= may - 1) {
            try_at(s, word * 64 + (size_t)__builtin_ctzll(may), at);
        }
    }
}

/* The look at `at` was the last one of some phases. */
static void pass(struct bl_starting *s, uint64_t groups, size_t at)
{
    struct bl_sieve_form form = s->view.form;
    for (unsigned phase = form.stride; phase-- > 0;) {
        uint64_t may = ~groups >> 8 * (phase * form.pairs + form.pairs - 1) & 0xFF;
        size_t back = form.stride * (form.pairs - 1) + phase;
        if (may != 0 && back + s->lo <= at && at - back < s->hi &&
            s->text.len - (at - back) >= BL_STARTS_HEAD &&
            !bl_is_continuation((uint8_t)s->text.ptr[at - back])) {
            try_all_at(s, at - back);
        }
    }
}

static void run_sieve(struct bl_starting *s)
{
    struct bl_sieve_form form = s->view.form;
    const uint8_t *bytes = (const uint8_t *)s->text.ptr;
    uint64_t kept = bl_sieve_kept(form);
    uint64_t last = bl_sieve_last(form);
    uint64_t groups = UINT64_MAX;
    size_t looks = form.stride * form.pairs;
    size_t end = s->text.len - s->hi > looks ? s->hi + looks : s->text.len;
    for (size_t at = s->lo; at + 1 < end && !s->failed; at += form.stride) {
        uint32_t entry = bl_sieve_close_entry(bl_load16(bytes + at), form);
        groups = (groups << 8 & kept) | bl_load64(s->view.sieve + (size_t)8 * entry);
        if ((~groups & last) != 0) {
            pass(s, groups, at);
        }
    }
    *s->steps += (end - s->lo) / form.stride;
}

/* ---- walks ------------------------------------------------------------------------------ */

static bool row_has(const uint8_t *row, uint8_t byte)
{
    return (row[8 + byte / 8] >> byte % 8 & 1) != 0;
}

static void run_island(struct bl_starting *s, const uint8_t *row)
{
    size_t pattern = bl_load16(row);
    size_t least = bl_load16(row + 2);
    const struct bl_attempts *attempts = &s->attempts[pattern];
    bl_str text = {s->text.ptr, s->text.len - s->hi >= least ? s->hi + least - 1 : s->text.len};
    bool holds[256];
    for (unsigned byte = 0; byte < 256; byte++) {
        holds[byte] = row_has(row, (uint8_t)byte);
    }
    for (struct bl_match island = {s->lo, s->lo}; island.lo < s->hi;) {
        island = bl_island_next(holds, least, text, island.hi, s->steps);
        size_t at = attempts->behind > island.lo ? attempts->behind : island.lo;
        while (!s->failed && !attempts->given_up && at < island.hi && island.hi - at >= least) {
            if (!bl_is_continuation((uint8_t)text.ptr[at])) {
                try_at(s, pattern, at);
            }
            at = attempts->behind > at ? attempts->behind : at + 1;
        }
        if (s->failed || attempts->given_up) {
            return;
        }
    }
}

/* Tries what looks for beginnings of lines at one. `left`: bytes in front of the next line
 * feed, or so many as no pattern needs more. */
static void try_line(struct bl_starting *s, size_t at, size_t left)
{
    for (size_t i = 0; i < s->view.walks; i++) {
        const uint8_t *row = s->view.walk_rows + i * BL_WALK_SIZE;
        size_t pattern = bl_load16(row);
        *s->steps += 1;
        if (row[4] == BL_WALK_LINE && bl_load16(row + 2) <= left &&
            row_has(row, (uint8_t)s->text.ptr[at]) && s->patterns[pattern].bytes != NULL) {
            try_at(s, pattern, at);
        }
    }
}

static const char *line_feed(const char *from, const char *end)
{
    return end > from ? memchr(from, '\n', (size_t)(end - from)) : NULL;
}

static void run_lines(struct bl_starting *s)
{
    const char *text = s->text.ptr;
    size_t at = s->lo;
    *s->steps += (s->hi - s->lo) / 8;
    while (at < s->hi && !s->failed) {
        if (at > 0) {
            const char *feed = line_feed(text + at - 1, text + s->hi - 1);
            if (feed == NULL) {
                return;
            }
            at = (size_t)(feed - text) + 1;
        }
        size_t left = s->text.len - at < s->line_bytes ? s->text.len - at : s->line_bytes;
        const char *feed = line_feed(text + at, text + at + left);
        try_line(s, at, feed != NULL ? (size_t)(feed - text) - at : left);
        at++;
    }
}

/* `at`: where the walk's byte is. */
static void try_walk_at(struct bl_starting *s, size_t walk, size_t at)
{
    const uint8_t *row = s->view.walk_rows + walk * BL_WALK_SIZE;
    size_t ahead = row[5];
    if (at >= s->lo + ahead && at - ahead < s->hi &&
        !bl_is_continuation((uint8_t)s->text.ptr[at - ahead])) {
        try_at(s, bl_load16(row), at - ahead);
    }
}

static void try_byte(struct bl_starting *s, size_t at)
{
    uint64_t walks = s->walks_of[(uint8_t)s->text.ptr[at]];
    for (; walks >> BL_FURTHER_WALKS == 0 && walks != 0; walks &= walks - 1) {
        *s->steps += 1;
        try_walk_at(s, (size_t)__builtin_ctzll(walks), at);
    }
    for (size_t i = 0; walks != 0 && i < s->view.walks; i++) {
        const uint8_t *row = s->view.walk_rows + i * BL_WALK_SIZE;
        *s->steps += 1;
        if (row[4] == BL_WALK_BYTE && row_has(row, (uint8_t)s->text.ptr[at]) &&
            s->patterns[bl_load16(row)].bytes != NULL) {
            try_walk_at(s, i, at);
        }
    }
}

/* Hardly any byte is one of them: eight at a time. */
static void run_bytes(struct bl_starting *s)
{
    const uint8_t *bytes = (const uint8_t *)s->text.ptr;
    const bool *may = s->bytes;
    size_t at = s->lo;
    size_t last = s->text.len - s->hi > BL_WALK_AHEAD ? s->hi + BL_WALK_AHEAD : s->text.len;
    *s->steps += last - s->lo;
    while (at < last && !s->failed) {
        while (last - at >= 8 &&
               !(may[bytes[at]] | may[bytes[at + 1]] | may[bytes[at + 2]] | may[bytes[at + 3]] |
                 may[bytes[at + 4]] | may[bytes[at + 5]] | may[bytes[at + 6]] |
                 may[bytes[at + 7]])) {
            at += 8;
        }
        for (size_t end = last - at > 8 ? at + 8 : last; at < end && !s->failed; at++) {
            if (may[bytes[at]]) {
                try_byte(s, at);
            }
        }
    }
}

/* ---- the whole -------------------------------------------------------------------------- */

static void ask_byte(struct bl_starting *s, size_t walk, const uint8_t *row)
{
    unsigned bit = walk < BL_FURTHER_WALKS ? (unsigned)walk : BL_FURTHER_WALKS;
    s->asks_bytes = true;
    for (unsigned i = 0; i < 32; i++) {
        for (unsigned bits = row[8 + i]; bits != 0; bits &= bits - 1) {
            unsigned byte = 8 * i + (unsigned)__builtin_ctz(bits);
            s->bytes[byte] = true;
            s->walks_of[byte] |= UINT64_C(1) << bit;
        }
    }
}

static void ask_walk(struct bl_starting *s, size_t walk)
{
    const uint8_t *row = s->view.walk_rows + walk * BL_WALK_SIZE;
    if (s->patterns[bl_load16(row)].bytes == NULL) {
        return;
    }
    if (row[4] == BL_WALK_LINE && bl_load16(row + 2) > s->line_bytes) {
        s->line_bytes = bl_load16(row + 2);
    }
    if (row[4] == BL_WALK_BYTE) {
        ask_byte(s, walk, row);
    }
}

bool bl_starts_begin(struct bl_starting *s, struct bl_pattern starts)
{
    bl_starts_view_open(starts.bytes, &s->view);
    s->attempts = BL_NEW_ARRAY(s->arena, s->view.patterns + 1, struct bl_attempts);
    s->asked = BL_NEW_ARRAY(s->arena, s->view.words + 1, uint64_t);
    if (s->attempts == NULL || s->asked == NULL) {
        return false;
    }
    for (size_t i = 0; i < s->view.patterns && s->view.words > 0; i++) {
        if (s->patterns[i].bytes != NULL) {
            s->asked[i / 64] |= UINT64_C(1) << i % 64;
            s->asks_sieve = true;
        }
    }
    for (size_t i = 0; i < s->view.walks; i++) {
        ask_walk(s, i);
    }
    return true;
}

void bl_starts_try(struct bl_starting *s)
{
    if (s->lo < s->from) {
        s->lo = s->from;
    }
    if (s->lo >= s->hi) {
        return;
    }
    if (s->asks_sieve) {
        run_sieve(s);
    }
    if (s->line_bytes > 0) {
        run_lines(s);
    }
    if (s->asks_bytes) {
        run_bytes(s);
    }
    for (size_t i = 0; i < s->view.walks && !s->failed; i++) {
        const uint8_t *row = s->view.walk_rows + i * BL_WALK_SIZE;
        if (row[4] == BL_WALK_ISLAND && s->patterns[bl_load16(row)].bytes != NULL) {
            run_island(s, row);
        }
    }
}

bool bl_pattern_starts_each(struct bl_arena *arena, struct bl_pattern starts,
                            const struct bl_pattern *patterns, bl_str text, size_t from,
                            bool (*each)(void *context, size_t pattern, struct bl_match match),
                            void *context, struct bl_starts_log *log, uint64_t *steps)
{
    struct bl_starting s = {.arena = arena,
                            .patterns = patterns,
                            .text = text,
                            .from = from,
                            .lo = from,
                            .hi = text.len,
                            .each = each,
                            .context = context,
                            .log = log,
                            .steps = steps};
    if (!bl_starts_begin(&s, starts)) {
        return false;
    }
    bl_starts_try(&s);
    return !s.failed;
}
