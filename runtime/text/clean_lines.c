/* SPDX-License-Identifier: Apache-2.0 */
#include "text/clean_parts.h"

#include <string.h>

/* Removals that ask for the beginning of a line: heading marks, lines under headings and
 * definitions. They take from the stable text in place; what they leave brings no two texts of
 * one line together. */

struct liner {
    struct bl_cleaning *c;
    uint32_t len; /* of what is kept so far */
    uint32_t
        above; /* where the line that was kept last begins; `len`: none, or it is no text */
};

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

bool bl_clean_is_delimiter(const char *s, struct bl_source_span line)
{
    bool hyphen = false;
    bool mark = false;

    for (uint32_t i = line.lo; i < line.hi; i++) {
        hyphen = hyphen || s[i] == '-';
        mark = mark || s[i] == '|' || s[i] == ':';
        if (s[i] == '\0' || (strchr("|:->*+.) \t", s[i]) == NULL && !bl_is_ascii_digit(s[i])))
            return false;
    }
    return hyphen && mark;
}

/* Does a line begin a quotation or an item that interrupts any paragraph? What is not indented
 * under it does not belong to it. A hyphen of a delimiter row gets an escape and begins none.
 */
static bool opens_container(const char *s, uint32_t lo, uint32_t hi)
{
    uint32_t end = hi > lo && s[hi - 1] == '\n' ? hi - 1 : hi;
    uint32_t at = lo;

    if (bl_clean_is_delimiter(s, (struct bl_source_span){lo, end}))
        return false;

    while (at < hi && at < lo + 3 && s[at] == ' ')
        at++;
    return at + 2 < hi && (s[at] == '>' || ((s[at] == '-' || s[at] == '*' || s[at] == '+') &&
                                            s[at + 1] == ' ' && !bl_clean_space(s[at + 2])));
}

static bool is_empty(const char *s, uint32_t lo, uint32_t hi)
{
    while (lo < hi && bl_clean_space(s[lo]))
        lo++;
    return lo == hi;
}

bool bl_clean_underlines(const char *s, struct bl_source_span above, struct bl_source_span line)
{
    uint32_t at = line.lo;

    while (at < line.hi && (is_blank(s[at]) || s[at] == '>'))
        at++;
    bool indented = at > line.lo;
    char sign = at < line.hi ? s[at] : '\0';
    if (sign != '=' && sign != '-')
        return false;
    while (at < line.hi && s[at] == sign)
        at++;
    while (at < line.hi && is_blank(s[at]))
        at++;
    if (at < line.hi)
        return false;
    /* A ruler under a list or a quotation, at the first column, is none. */
    return above.hi == UINT32_MAX ||
           (!is_empty(s, above.lo, above.hi) &&
            (sign == '=' || indented || !opens_container(s, above.lo, above.hi)));
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

static void keep(struct liner *l, uint32_t from, uint32_t end)
{
    struct bl_cleaning *c = l->c;

    memmove(c->text + l->len, c->text + from, end - from);
    memmove(c->origin + l->len, c->origin + from, (end - from) * sizeof c->origin[0]);
    l->len += end - from;
}

static void report(struct bl_cleaning *c, enum bl_clean_word word, uint32_t lo, uint32_t hi)
{
    bl_clean_report(c, bl_clean_word_name(word), word, c->origin[lo], c->origin[hi - 1] + 1u);
}

static void take_line(struct liner *l, uint32_t lo, uint32_t hi)
{
    struct bl_cleaning *c = l->c;
    bool headings = bl_clean_has(c->rules, BL_CLEAN_HEADING_MARK);
    bool definitions = bl_clean_has(c->rules, BL_CLEAN_DEFINITION);
    uint32_t end = hi < c->len ? hi + 1 : hi;
    uint32_t from = headings ? behind_marks(c->text, lo, hi) : lo;

    c->steps += end - lo;
    if (from > lo)
        report(c, BL_CLEAN_HEADING_MARK, lo, from);
    if (definitions && is_definition(c->text, from, hi)) {
        report(c, BL_CLEAN_DEFINITION, from, end);
    } else if (headings && from == lo &&
               bl_clean_underlines(c->text, (struct bl_source_span){l->above, l->len},
                                   (struct bl_source_span){lo, hi})) {
        report(c, BL_CLEAN_HEADING_MARK, lo, end);
    } else {
        l->above = l->len;
        keep(l, from, end);
    }
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
    struct liner l = {.c = c};
    size_t next = 0;
    size_t kept = 0;

    for (uint32_t at = 0; at < c->len && !c->failed;) {
        const struct bl_code_piece *code = bl_clean_next_code(c, &next, at);
        uint32_t before = l.len;
        uint32_t end;

        if (code != NULL && code->fenced && code->lo == at) {
            end = code->hi;
            keep(&l, at, end);
            l.above = l.len;
        } else {
            const char *newline = memchr(c->text + at, '\n', c->len - at);
            uint32_t hi = newline != NULL ? (uint32_t)(newline - c->text) : c->len;
            end = hi < c->len ? hi + 1 : hi;
            take_line(&l, at, hi);
        }
        /* Code of the line moves with its end, or goes with it. */
        while (next < c->code.count && c->code.items[next].hi <= end) {
            struct bl_code_piece piece = c->code.items[next++];
            if (l.len == before)
                continue;
            shift(&piece, end - l.len);
            c->code.items[kept++] = piece;
        }
        at = end;
    }
    while (next < c->code.count)
        c->code.items[kept++] = c->code.items[next++];
    c->code.count = kept;
    c->len = l.len;
}
