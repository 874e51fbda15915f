/* SPDX-License-Identifier: Apache-2.0 */
#include "text/island.h"
#include "text/pattern_blob.h"

/* Running several patterns where each may begin. The forward automaton of a pattern, begun
 * where a match begins, reads the longest; begun elsewhere it mostly dies within a few
 * characters. A text can be made in which it does not, again and again: what it read in vain is
 * counted, and once that is as much as the text has, the rest is read in the way that is always
 * linear.
 *
 * Nothing relies on the sieve, the groups and the islands being right: a blob that nobody
 * compiled misses matches, and what it finds are matches all the same. */

struct attempts {
    struct bl_dfa_view *dfa; /* one of both, once it was opened */
    struct bl_graph_view *graph;
    size_t behind;  /* what begins in front of it is a part of what was found, or was asked */
    uint64_t spent; /* steps that came to nothing */
    bool given_up;  /* all of the text is asked */
};

struct starting {
    struct bl_arena *arena;
    struct bl_starts_view view;
    const struct bl_pattern *patterns;
    bl_str text;
    size_t from;
    bool (*each)(void *context, size_t pattern, struct bl_match match);
    void *context;
    uint64_t *steps;
    struct attempts *attempts;
    uint64_t *asked; /* a bit for each pattern that is asked for */
    size_t speaking; /* the one that `relay` speaks for */
    bool failed;
};

size_t bl_pattern_starts_count(struct bl_pattern starts)
{
    return bl_blob_field(starts.bytes, BL_STARTS_PATTERNS);
}

/* ---- one pattern at one place ----------------------------------------------------------- */

static bool relay(void *context, struct bl_match match)
{
    struct starting *s = context;
    s->failed = s->failed || !s->each(s->context, s->speaking, match);
    return !s->failed;
}

static void give_up(struct starting *s, size_t pattern, size_t at)
{
    s->attempts[pattern].given_up = true;
    s->speaking = pattern;
    s->failed = !bl_pattern_each_from(s->arena, s->patterns[pattern], s->text, at, relay, s,
                                      s->steps) ||
                s->failed;
}

static bool open(struct starting *s, size_t pattern)
{
    struct attempts *attempts = &s->attempts[pattern];
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

static void try_at(struct starting *s, size_t pattern, size_t at)
{
    struct attempts *attempts = &s->attempts[pattern];
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
static void try_all_at(struct starting *s, size_t at)
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
static void pass(struct starting *s, uint64_t groups, size_t at)
{
    struct bl_sieve_form form = s->view.form;
    for (unsigned phase = form.stride; phase-- > 0;) {
        uint64_t may = ~groups >> 8 * (phase * form.pairs + form.pairs - 1) & 0xFF;
        size_t back = form.stride * (form.pairs - 1) + phase;
        if (may != 0 && back <= at && s->text.len - (at - back) >= BL_STARTS_HEAD &&
            !bl_is_continuation((uint8_t)s->text.ptr[at - back])) {
            try_all_at(s, at - back);
        }
    }
}

static void run_sieve(struct starting *s)
{
    struct bl_sieve_form form = s->view.form;
    const uint8_t *bytes = (const uint8_t *)s->text.ptr;
    uint64_t kept = bl_sieve_kept(form);
    uint64_t last = bl_sieve_last(form);
    uint64_t groups = UINT64_MAX;
    for (size_t at = 0; at + 1 < s->text.len && !s->failed; at += form.stride) {
        uint32_t entry = bl_sieve_close_entry(bl_load16(bytes + at), form);
        groups = (groups << 8 & kept) | bl_load64(s->view.sieve + (size_t)8 * entry);
        if ((~groups & last) != 0) {
            pass(s, groups, at);
        }
    }
    *s->steps += s->text.len / form.stride;
}

/* Sets s->asked. False when nothing of the sieve is asked for. */
static bool asks_sieve(struct starting *s)
{
    bool any = false;
    for (size_t i = 0; i < s->view.patterns && s->view.words > 0; i++) {
        if (s->patterns[i].bytes != NULL) {
            s->asked[i / 64] |= UINT64_C(1) << i % 64;
            any = true;
        }
    }
    return any;
}

/* ---- islands ---------------------------------------------------------------------------- */

static void run_island(struct starting *s, const uint8_t *row)
{
    size_t pattern = bl_load16(row);
    size_t least = bl_load16(row + 2);
    const struct attempts *attempts = &s->attempts[pattern];
    bool holds[256];
    if (s->patterns[pattern].bytes == NULL) {
        return;
    }
    for (unsigned byte = 0; byte < 256; byte++) {
        holds[byte] = (row[8 + byte / 8] >> byte % 8 & 1) != 0;
    }
    for (struct bl_match island = {s->from, s->from}; island.lo < s->text.len;) {
        island = bl_island_next(holds, least, s->text, island.hi, s->steps);
        size_t at = island.lo;
        while (!s->failed && !attempts->given_up && island.hi - at >= least) {
            if (!bl_is_continuation((uint8_t)s->text.ptr[at])) {
                try_at(s, pattern, at);
            }
            at = attempts->behind > at ? attempts->behind : at + 1;
            at = at < island.hi ? at : island.hi;
        }
        if (s->failed || attempts->given_up) {
            return;
        }
    }
}

/* ---- the whole -------------------------------------------------------------------------- */

bool bl_pattern_starts_each(struct bl_arena *arena, struct bl_pattern starts,
                            const struct bl_pattern *patterns, bl_str text, size_t from,
                            bool (*each)(void *context, size_t pattern, struct bl_match match),
                            void *context, uint64_t *steps)
{
    struct starting s = {.arena = arena,
                         .patterns = patterns,
                         .text = text,
                         .from = from,
                         .each = each,
                         .context = context,
                         .steps = steps};
    bl_starts_view_open(starts.bytes, &s.view);
    s.attempts = BL_NEW_ARRAY(arena, s.view.patterns + 1, struct attempts);
    s.asked = BL_NEW_ARRAY(arena, s.view.words + 1, uint64_t);
    if (s.attempts == NULL || s.asked == NULL) {
        return false;
    }
    if (asks_sieve(&s)) {
        run_sieve(&s);
    }
    for (size_t i = 0; i < s.view.islands && !s.failed; i++) {
        run_island(&s, s.view.island_rows + i * BL_ISLAND_SIZE);
    }
    return !s.failed;
}
