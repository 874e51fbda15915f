/* SPDX-License-Identifier: Apache-2.0 */
#include "text/clean_parts.h"

#include <string.h>

/* What Markdown takes for code, as narrow as all readers agree on: fences that open at the
 * first column and are closed by one as long, spans within one line. Everything else is text,
 * whose marks are escaped. */

struct line {
    uint32_t lo, hi; /* without its end */
};

/* Length of the fence of `mark` that the line may close with: up to three blanks, the marks,
 * blanks. */
static uint32_t closing(bl_str s, struct line line, char mark)
{
    uint32_t at = line.lo;

    while (at < line.hi && at < line.lo + 3 && s.ptr[at] == ' ')
        at++;
    uint32_t from = at;
    while (at < line.hi && s.ptr[at] == mark)
        at++;
    uint32_t length = at - from;
    while (at < line.hi && (s.ptr[at] == ' ' || s.ptr[at] == '\t'))
        at++;
    return at == line.hi && length >= 3 ? length : 0;
}

/* A fence that a tab indents: whether it is one depends on the column that the text is put in.
 */
static bool could_close(bl_str s, struct line line, char mark)
{
    uint32_t at = line.lo;

    while (at < line.hi && (s.ptr[at] == ' ' || s.ptr[at] == '\t'))
        at++;
    return at > line.lo && memchr(s.ptr + line.lo, '\t', at - line.lo) != NULL &&
           closing(s, (struct line){at, line.hi}, mark) > 0;
}

/* Length of the fence that opens on the line at its first column. */
static uint32_t opening(bl_str s, struct line line)
{
    char mark = line.lo < line.hi ? s.ptr[line.lo] : '\0';
    uint32_t at = line.lo;

    if (mark != '`' && mark != '~')
        return 0;
    while (at < line.hi && s.ptr[at] == mark)
        at++;
    uint32_t length = at - line.lo;
    if (length < 3 || (mark == '`' && memchr(s.ptr + at, '`', line.hi - at) != NULL))
        return 0;
    return length;
}

#define LONGEST_RUN 64u

/* Spans of one line. For each run of backticks the next one of its length is known, from right
 * to left, so that a run without partner costs nothing. A backslash in front makes the first
 * backtick a letter. */
static void spans_of(struct bl_cleaning *c, struct line line, struct bl_source_span *runs,
                     uint32_t *partner)
{
    bl_str s = c->input;
    uint32_t nearest[LONGEST_RUN + 1];
    uint32_t count = 0;

    for (uint32_t at = line.lo; at < line.hi;) {
        const char *tick = memchr(s.ptr + at, '`', line.hi - at);
        if (tick == NULL)
            break;
        uint32_t from = (uint32_t)(tick - s.ptr);
        at = from;
        while (at < line.hi && s.ptr[at] == '`')
            at++;
        runs[count++] = (struct bl_source_span){from, at};
    }
    memset(nearest, 0xFF, sizeof nearest);
    for (uint32_t i = count; i-- > 0;) {
        uint32_t length = runs[i].hi - runs[i].lo;
        partner[i] = length <= LONGEST_RUN ? nearest[length] : UINT32_MAX;
        if (length <= LONGEST_RUN)
            nearest[length] = i;
    }
    uint32_t back = line.lo; /* where backslashes are counted from */
    for (uint32_t i = 0; i < count;) {
        uint32_t slash = runs[i].lo;
        while (slash > back && s.ptr[slash - 1] == '\\')
            slash--;
        back = runs[i].hi;
        if ((runs[i].lo - slash) % 2 == 1 || partner[i] == UINT32_MAX) {
            i++;
            continue;
        }
        struct bl_code_piece *piece = BL_PUSH(c->arena, c->code);
        if (piece == NULL) {
            c->failed = true;
            return;
        }
        *piece = (struct bl_code_piece){.lo = runs[i].lo, .hi = runs[partner[i]].hi};
        i = partner[i] + 1;
        back = piece->hi;
    }
}

static uint32_t split(const struct bl_cleaning *c, struct line *lines)
{
    bl_str s = c->input;
    uint32_t count = 0;

    for (uint32_t at = 0; at < s.len;) {
        const char *end = memchr(s.ptr + at, '\n', s.len - at);
        uint32_t hi = end != NULL ? (uint32_t)(end - s.ptr) : (uint32_t)s.len;
        if (lines != NULL)
            lines[count] = (struct line){at, hi};
        count++;
        at = hi + 1;
    }
    return count;
}

static void push_fence(struct bl_cleaning *c, struct line first, struct line last,
                       uint32_t length)
{
    struct bl_code_piece *piece = BL_PUSH(c->arena, c->code);

    if (piece == NULL) {
        c->failed = true;
        return;
    }
    *piece = (struct bl_code_piece){
        .lo = first.lo,
        .hi = last.hi < c->input.len ? last.hi + 1 : last.hi,
        .fenced = true,
        .info_lo = first.lo + length,
        .info_hi = first.hi,
    };
}

/* The fence that opens on line `i` and closes below: the last line of it, or of what is no code
 * since readers differ on its end. */
static uint32_t fence(struct bl_cleaning *c, const struct line *lines, uint32_t i,
                      uint32_t length, bool *is_code)
{
    bl_str s = c->input;
    char sign = s.ptr[lines[i].lo];
    uint32_t end = i + 1;

    *is_code = true;
    while (*is_code && closing(s, lines[end], sign) < length) {
        c->steps += lines[end].hi - lines[end].lo + 1;
        *is_code = !could_close(s, lines[end], sign);
        end += *is_code;
    }
    if (*is_code)
        push_fence(c, lines[i], lines[end], length);
    return end;
}

void bl_clean_code(struct bl_cleaning *c)
{
    bl_str s = c->input;
    bool fences = bl_clean_has(c->rules, BL_CLEAN_FENCE);
    bool spans = bl_clean_has(c->rules, BL_CLEAN_SPAN);
    uint32_t count = split(c, NULL);
    uint32_t ticks = 0;

    for (size_t i = 0; i < s.len; i++)
        ticks += s.ptr[i] == '`';
    struct line *lines = BL_NEW_ARRAY(c->arena, count + 1, struct line);
    /* The longest fence that closes on the line or below it, of backticks and of tildes: so an
     * open fence is known without a search. */
    uint32_t *longest = BL_NEW_ARRAY(c->arena, 2 * (size_t)count + 2, uint32_t);
    struct bl_source_span *runs = BL_NEW_ARRAY(c->arena, ticks + 1, struct bl_source_span);
    uint32_t *partner = BL_NEW_ARRAY(c->arena, ticks + 1, uint32_t);
    if (c->arena->failed) {
        c->failed = true;
        return;
    }
    (void)split(c, lines);
    for (uint32_t i = count; i-- > 0;) {
        for (uint32_t j = 0; j < 2; j++) {
            uint32_t length = closing(s, lines[i], j == 0 ? '`' : '~');
            uint32_t below = longest[2 * (i + 1) + j];
            longest[2 * i + j] = length > below ? length : below;
        }
    }
    for (uint32_t i = 0; i < count && !c->failed; i++) {
        uint32_t length = fences ? opening(s, lines[i]) : 0;
        char sign = length > 0 ? s.ptr[lines[i].lo] : '\0';

        c->steps += lines[i].hi - lines[i].lo + 1;
        if (length == 0 || longest[2 * (i + 1) + (sign == '~')] < length) {
            if (spans)
                spans_of(c, lines[i], runs, partner);
            continue;
        }
        bool is_code;
        uint32_t end = fence(c, lines, i, length, &is_code);
        for (; spans && !is_code && i <= end; i++)
            spans_of(c, lines[i], runs, partner);
        i = end;
    }
}
