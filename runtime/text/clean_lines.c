/* SPDX-License-Identifier: Apache-2.0 */
#include "text/clean_parts.h"

#include <string.h>

/* Removals that ask for the beginning of a line: heading marks and definitions. They take from
 * the stable text in place; what they leave brings no two texts of one line together. */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Where the heading marks in front of the line end; `lo` when there are none. */
static uint32_t behind_marks(const char *s, uint32_t lo, uint32_t hi)
{
    for (;;) {
        uint32_t at = lo;
        while (at < hi && at < lo + 3 && s[at] == ' ')
            at++;
        uint32_t from = at;
        while (at < hi && s[at] == '#')
            at++;
        if (at == from || at - from > 6 || (at < hi && !is_blank(s[at])))
            return lo;
        while (at < hi && is_blank(s[at]))
            at++;
        lo = at;
    }
}

/* Behind a title in quotes or parentheses, or `at` itself. */
static uint32_t behind_title(const char *s, uint32_t at, uint32_t hi)
{
    char close = at < hi && s[at] == '(' ? ')' : at < hi ? s[at] : '\0';

    if (close != '"' && close != '\'' && close != ')')
        return at;
    for (uint32_t i = at + 1; i < hi; i++) {
        if (s[i] == '\\')
            i++;
        else if (s[i] == close)
            return i + 1;
    }
    return at;
}

/* [label]: target "title", alone on its line. */
static bool is_definition(const char *s, uint32_t lo, uint32_t hi)
{
    uint32_t at = lo;

    while (at < hi && (is_blank(s[at]) || s[at] == '>'))
        at++;
    if (at >= hi || s[at] != '[')
        return false;
    uint32_t label = ++at;
    while (at < hi && s[at] != ']' && s[at] != '[')
        at += s[at] == '\\' ? 2 : 1;
    if (at + 1 >= hi || s[at] != ']' || s[at + 1] != ':' || at == label)
        return false;
    at += 2;
    while (at < hi && is_blank(s[at]))
        at++;
    if (s[label] == '^')
        return true; /* a note holds any text */
    if (at < hi && s[at] == '<') {
        while (at < hi && s[at] != '>')
            at++;
        at += at < hi;
    } else {
        while (at < hi && !is_blank(s[at]))
            at++;
    }
    while (at < hi && is_blank(s[at]))
        at++;
    at = behind_title(s, at, hi);
    while (at < hi && is_blank(s[at]))
        at++;
    return at >= hi;
}

static void take_line(struct bl_cleaning *c, uint32_t lo, uint32_t hi, uint32_t *len)
{
    bool headings = bl_clean_has(c->rules, BL_CLEAN_HEADING_MARK);
    bool definitions = bl_clean_has(c->rules, BL_CLEAN_DEFINITION);
    uint32_t end = hi < c->len ? hi + 1 : hi;
    uint32_t from = headings ? behind_marks(c->text, lo, hi) : lo;

    c->steps += end - lo;
    if (from > lo)
        bl_clean_report(c, bl_clean_word_name(BL_CLEAN_HEADING_MARK), BL_CLEAN_HEADING_MARK,
                        c->origin[lo], c->origin[from - 1] + 1u);
    if (definitions && is_definition(c->text, from, hi)) {
        bl_clean_report(c, bl_clean_word_name(BL_CLEAN_DEFINITION), BL_CLEAN_DEFINITION,
                        c->origin[from], c->origin[end - 1] + 1u);
        return;
    }
    memmove(c->text + *len, c->text + from, end - from);
    memmove(c->origin + *len, c->origin + from, (end - from) * sizeof c->origin[0]);
    *len += end - from;
}

static void shift(struct bl_code_piece *piece, uint32_t by)
{
    piece->lo -= by;
    piece->hi -= by;
    piece->info_lo -= by;
    piece->info_hi -= by;
}

void bl_clean_lines(struct bl_cleaning *c)
{
    size_t next = 0;
    size_t kept = 0;
    uint32_t len = 0;

    for (uint32_t at = 0; at < c->len && !c->failed;) {
        const struct bl_code_piece *code = bl_clean_next_code(c, &next, at);
        uint32_t before = len;
        uint32_t end;

        if (code != NULL && code->fenced && code->lo == at) {
            end = code->hi;
            memmove(c->text + len, c->text + at, end - at);
            memmove(c->origin + len, c->origin + at, (end - at) * sizeof c->origin[0]);
            len += end - at;
        } else {
            const char *newline = memchr(c->text + at, '\n', c->len - at);
            uint32_t hi = newline != NULL ? (uint32_t)(newline - c->text) : c->len;
            end = hi < c->len ? hi + 1 : hi;
            take_line(c, at, hi, &len);
        }
        /* Code of the line moves with its end, or goes with it. */
        while (next < c->code.count && c->code.items[next].hi <= end) {
            struct bl_code_piece piece = c->code.items[next++];
            if (len == before)
                continue;
            shift(&piece, end - len);
            c->code.items[kept++] = piece;
        }
        at = end;
    }
    while (next < c->code.count)
        c->code.items[kept++] = c->code.items[next++];
    c->code.count = kept;
    c->len = len;
}
