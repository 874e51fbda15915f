/* SPDX-License-Identifier: Apache-2.0 */
#include "text/pattern_starts_run.h"

/* Running several patterns over a text that was read before and changed at a few places. A try
 * depends on what it read and on the byte in front; far from every change it is what it was.
 * But whether it is made depends on the match before, which may end elsewhere now. So all
 * places are tried from in front of a change on, until behind it no match reaches over the
 * place in hand, neither now nor then: from there on everything is as it was. */

/* A try looks at the byte in front of its place. */
#define BEFORE 1u

/* All places from `lo` on in front of `hi`, of the text as it was, were tried again; behind it
 * a place is `grown` further on. */
struct window {
    size_t lo, hi, grown;
};

struct again {
    struct bl_starting s;
    const struct bl_starts_before *before;
    size_t *begins; /* of each change: what may be another in front of it begins here */
    size_t *next;   /* of each pattern: the first match that was not looked at */
    size_t change;  /* the first that is not behind us */
    size_t grown;   /* what a place is further on now; wraps, and back */
    BL_VEC(struct window) windows;
};

/* ---- where a change begins to matter ---------------------------------------------------- */

/* The first change behind a place. */
static size_t change_behind(const struct bl_starts_before *before, size_t at)
{
    size_t lo = 0;
    size_t hi = before->change_count;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (before->changes[mid].lo <= at) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo;
}

/* What began in front of a change and read that far is tried again. Of more changes that it
 * reached the first is enough: up to where nothing reaches on, places are tried anyway. */
static bool find_begins(struct again *a)
{
    const struct bl_starts_before *before = a->before;
    a->begins = BL_NEW_ARRAY(a->s.arena, before->change_count + 1, size_t);
    for (size_t i = 0; a->begins != NULL && i < before->change_count; i++) {
        size_t lo = before->changes[i].lo;
        a->begins[i] = lo > BL_STARTS_NEAR ? lo - BL_STARTS_NEAR : 0;
    }
    for (size_t i = 0; a->begins != NULL && i < before->log->far.count; i++) {
        struct bl_match read = before->log->far.items[i];
        size_t change = change_behind(before, read.lo);
        if (change < before->change_count && read.hi >= before->changes[change].lo &&
            read.lo < a->begins[change]) {
            a->begins[change] = read.lo;
        }
    }
    *a->s.steps += before->change_count + before->log->far.count;
    return a->begins != NULL;
}

/* ---- what is as it was ------------------------------------------------------------------ */

/* The matches that begin in front of a place of the text as it was, which are still there. */
static void take_over(struct again *a, size_t pattern, size_t before_at)
{
    const struct bl_matches *found = &a->before->found[pattern];
    struct bl_attempts *attempts = &a->s.attempts[pattern];
    for (; !a->s.failed && a->next[pattern] < found->list.count; a->next[pattern]++) {
        struct bl_match match = found->list.items[a->next[pattern]];
        if (match.lo >= before_at) {
            return;
        }
        match = (struct bl_match){match.lo + a->grown, match.hi + a->grown};
        *a->s.steps += 1;
        if (!attempts->given_up) {
            attempts->behind = match.hi;
            a->s.failed = !a->s.each(a->s.context, pattern, match);
        }
    }
}

static void take_over_all(struct again *a, size_t before_at)
{
    for (size_t i = 0; i < a->s.view.patterns && !a->s.failed; i++) {
        if (a->s.patterns[i].bytes != NULL) {
            take_over(a, i, before_at);
        }
    }
}

/* ---- what may be another ---------------------------------------------------------------- */

/* All in front of `at` was tried. Passes over what was found there before; returns how far the
 * farthest match reaches, of those and of those that are there now. Places in the text as it
 * was; `a->grown` is right up to the next change, and one that a match reaches is passed below.
 */
static size_t matches_reach(struct again *a, size_t at)
{
    size_t farthest = at;
    for (size_t i = 0; i < a->s.view.patterns; i++) {
        const struct bl_matches *found = &a->before->found[i];
        if (a->s.patterns[i].bytes == NULL || a->s.attempts[i].given_up) {
            continue;
        }
        for (; a->next[i] < found->list.count && found->list.items[a->next[i]].lo < at;
             a->next[i]++) {
            *a->s.steps += 1;
        }
        if (a->next[i] > 0 && found->list.items[a->next[i] - 1].hi > farthest) {
            farthest = found->list.items[a->next[i] - 1].hi;
        }
        size_t now = a->s.attempts[i].behind;
        if (now > at + a->grown && now - a->grown > farthest) {
            farthest = now - a->grown;
        }
    }
    return farthest;
}

/* The same with the changes that begin to matter up to there. */
static size_t reach(struct again *a, size_t at)
{
    size_t farthest = matches_reach(a, at);
    if (farthest > at && farthest - at < BL_STARTS_NEAR) {
        farthest = at + BL_STARTS_NEAR; /* not byte by byte */
    }
    while (a->change < a->before->change_count && a->begins[a->change] <= farthest) {
        const struct bl_text_change *change = &a->before->changes[a->change];
        farthest = change->hi + BEFORE > farthest ? change->hi + BEFORE : farthest;
        a->grown += change->size - (change->hi - change->lo);
        a->change++;
    }
    return farthest < a->before->text_len ? farthest : a->before->text_len;
}

/* Where the next change begins to matter, all is tried until nothing reaches on. Returns up to
 * which place of the text as it was. */
static size_t try_around(struct again *a, size_t at)
{
    a->s.lo = at + a->grown;
    for (;;) {
        size_t end = reach(a, at);
        if (end <= at || a->s.failed) {
            return at;
        }
        a->s.hi = end + a->grown < a->s.text.len ? end + a->grown : a->s.text.len;
        bl_starts_try(&a->s);
        a->s.lo = a->s.hi;
        at = end;
    }
}

/* ---- how far was read ------------------------------------------------------------------- */

/* The window that begins last of those that begin at or in front of a place; or NULL. */
static const struct window *window_before(const struct again *a, size_t at)
{
    size_t lo = 0;
    size_t hi = a->windows.count;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (a->windows.items[mid].lo <= at) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo > 0 ? &a->windows.items[lo - 1] : NULL;
}

/* What was tried outside of all windows read as far as it did. */
static bool take_over_log(const struct again *a)
{
    for (size_t i = 0; i < a->before->log->far.count; i++) {
        struct bl_match read = a->before->log->far.items[i];
        const struct window *window = window_before(a, read.lo);
        size_t grown = window != NULL ? window->grown : 0;
        if (window != NULL && read.lo < window->hi) {
            continue;
        }
        struct bl_match *slot = BL_PUSH(a->s.arena, a->s.log->far);
        if (slot == NULL) {
            return false;
        }
        *slot = (struct bl_match){read.lo + grown, read.hi + grown};
    }
    *a->s.steps += a->before->log->far.count;
    return true;
}

bool bl_pattern_starts_again(struct bl_arena *arena, struct bl_pattern starts,
                             const struct bl_pattern *patterns,
                             const struct bl_starts_before *before, bl_str text, size_t from,
                             bool (*each)(void *context, size_t pattern, struct bl_match match),
                             void *context, struct bl_starts_log *log, uint64_t *steps)
{
    struct again a = {.before = before};
    if (before->log->given_up) {
        return bl_pattern_starts_each(arena, starts, patterns, text, from, each, context, log,
                                      steps);
    }
    a.s = (struct bl_starting){.arena = arena,
                               .patterns = patterns,
                               .text = text,
                               .from = from,
                               .each = each,
                               .context = context,
                               .log = log,
                               .steps = steps};
    if (!bl_starts_begin(&a.s, starts) || !find_begins(&a)) {
        return false;
    }
    a.next = BL_NEW_ARRAY(arena, a.s.view.patterns + 1, size_t);
    if (a.next == NULL) {
        return false;
    }
    for (size_t at = 0; a.change < before->change_count && !a.s.failed;) {
        size_t begin = a.begins[a.change] > at ? a.begins[a.change] : at;
        take_over_all(&a, begin);
        at = try_around(&a, begin);
        struct window *slot = BL_PUSH(arena, a.windows);
        if (slot == NULL) {
            return false;
        }
        *slot = (struct window){begin, at, a.grown};
    }
    take_over_all(&a, SIZE_MAX);
    return !a.s.failed && (log == NULL || take_over_log(&a));
}
