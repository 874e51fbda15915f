/* SPDX-License-Identifier: Apache-2.0 */
#include "text/clean_parts.h"

#include <string.h>

/* Removals until nothing changes, in one pass: what is left so far is a stack, and when a
 * removal brings two neighbours together, what follows is appended to them as if nothing had
 * stood between. */

struct remover {
    struct bl_cleaning *c;
    BL_VEC(uint32_t) angles;   /* places of "<" that a tag may begin with, ascending */
    BL_VEC(uint32_t) newlines; /* places of line ends */
    uint32_t comment;          /* place of the first "<!--" that is open; UINT32_MAX */
    uint32_t barrier;          /* end of the last piece of code */
    size_t kept;               /* pieces of code so far */
};

static void remember(struct remover *r, uint32_t place, bool newline)
{
    uint32_t *slot =
        newline ? BL_PUSH(r->c->arena, r->newlines) : BL_PUSH(r->c->arena, r->angles);

    if (slot == NULL)
        r->c->failed = true;
    else
        *slot = place;
}

static void cut_back(struct remover *r, uint32_t place, enum bl_clean_word word, size_t until)
{
    struct bl_cleaning *c = r->c;

    bl_clean_report(c, bl_clean_word_name(word), word, c->origin[place], until);
    c->len = place;
    while (r->angles.count > 0 && r->angles.items[r->angles.count - 1] >= place)
        r->angles.count--;
    while (r->newlines.count > 0 && r->newlines.items[r->newlines.count - 1] >= place)
        r->newlines.count--;
    while (r->kept > 0 && c->code.items[r->kept - 1].lo >= place)
        r->kept--;
    r->barrier = r->kept > 0 ? c->code.items[r->kept - 1].hi : 0;
    if (r->comment != UINT32_MAX && r->comment >= place)
        r->comment = UINT32_MAX;
}

/* `scheme:…` or an address of mail between angle brackets: no tag. */
static bool is_autolink(const char *s, uint32_t len)
{
    uint32_t at = 1;
    bool mail = false;

    for (uint32_t i = 0; i < len; i++) {
        if (bl_clean_space(s[i]))
            return false;
        mail = mail || (s[i] == '@' && i > 0 && i + 1 < len);
    }
    while (at < len && (bl_clean_alnum(s[at]) || s[at] == '+' || s[at] == '.' || s[at] == '-'))
        at++;
    return (at >= 2 && at <= 32 && at < len && s[at] == ':' && bl_is_ascii_alpha(s[0])) || mail;
}

/* A ">" was appended: does it end a tag? */
static void end_tag(struct remover *r, size_t until)
{
    struct bl_cleaning *c = r->c;

    if (r->angles.count == 0)
        return;
    uint32_t from = r->angles.items[r->angles.count - 1];
    uint32_t line = r->newlines.count > 0 ? r->newlines.items[r->newlines.count - 1] + 1 : 0;
    const char *s = c->text + from + 1;
    uint32_t len = c->len - from - 2;
    bool tag = from >= line && from >= r->barrier && len > 0 &&
               (bl_is_ascii_alpha(s[0]) || s[0] == '!' || s[0] == '?' ||
                (s[0] == '/' && len > 1 && bl_is_ascii_alpha(s[1])));

    c->steps += from >= line ? len : 0;
    if (tag && !is_autolink(s, len))
        cut_back(r, from, BL_CLEAN_HTML, until);
    else
        r->angles.count = 0; /* no tag holds a ">" */
}

static void append(struct remover *r, char byte, uint32_t origin)
{
    struct bl_cleaning *c = r->c;
    bool html = bl_clean_has(c->rules, BL_CLEAN_HTML);

    c->steps++;
    c->origin[c->len] = origin;
    c->text[c->len++] = byte;
    switch (byte) {
    case '\n':
        remember(r, c->len - 1, true);
        break;
    case '<':
        remember(r, c->len - 1, false);
        break;
    case '-':
        if (bl_clean_has(c->rules, BL_CLEAN_HTML_COMMENT) && r->comment == UINT32_MAX &&
            c->len >= 4 && c->len - 4 >= r->barrier &&
            memcmp(c->text + c->len - 4, "<!--", 4) == 0)
            r->comment = c->len - 4;
        break;
    case '>':
        if (r->comment != UINT32_MAX && c->len - r->comment >= 7 &&
            memcmp(c->text + c->len - 3, "-->", 3) == 0)
            cut_back(r, r->comment, BL_CLEAN_HTML_COMMENT, (size_t)origin + 1);
        else if (html)
            end_tag(r, (size_t)origin + 1);
        break;
    default:
        break;
    }
}

/* Bytes that neither begin nor end anything here go together. */
static uint32_t append_plain(struct remover *r, uint32_t from, uint32_t limit)
{
    struct bl_cleaning *c = r->c;
    static const bool acts[256] = {
        ['\n'] = true, ['\r'] = true, ['<'] = true, ['-'] = true, ['>'] = true};
    uint32_t at = bl_clean_behind_plain(c->input.ptr, from, limit, acts);
    uint32_t *origin = c->origin + c->len;

    memcpy(c->text + c->len, c->input.ptr + from, at - from);
    for (uint32_t i = 0; i < at - from; i++)
        origin[i] = from + i;
    c->len += at - from;
    c->steps += at - from;
    return at;
}

/* A piece of code, whole. */
static void append_code(struct remover *r, struct bl_code_piece piece)
{
    struct bl_cleaning *c = r->c;
    uint32_t shift = piece.lo - c->len;

    for (uint32_t i = piece.lo; i < piece.hi; i++) {
        c->origin[c->len] = i;
        c->text[c->len++] = c->input.ptr[i];
    }
    c->steps += piece.hi - piece.lo;
    if (piece.fenced) {
        /* A comment never reaches over a block, nor does a tag over code. */
        r->comment = UINT32_MAX;
        remember(r, c->len - 1, true);
    }
    r->angles.count = 0;
    piece.lo -= shift;
    piece.hi -= shift;
    piece.info_lo -= shift;
    piece.info_hi -= shift;
    c->code.items[r->kept++] = piece;
    r->barrier = piece.hi;
}

void bl_clean_remove(struct bl_cleaning *c)
{
    struct remover r = {.c = c, .comment = UINT32_MAX};
    bl_str s = c->input;
    size_t count = c->code.count;
    size_t next = 0;

    c->text = BL_NEW_ARRAY(c->arena, s.len + 1, char);
    c->origin = BL_NEW_ARRAY(c->arena, s.len + 1, uint32_t);
    if (c->arena->failed) {
        c->failed = true;
        return;
    }
    for (size_t at = 0; at < s.len && !c->failed;) {
        if (next < count && c->code.items[next].lo == at) {
            struct bl_code_piece piece = c->code.items[next++];
            append_code(&r, piece);
            at = piece.hi;
            continue;
        }
        at = append_plain(&r, (uint32_t)at,
                          next < count ? c->code.items[next].lo : (uint32_t)s.len);
        if (at >= s.len || (next < count && c->code.items[next].lo == at))
            continue;
        /* A line ends with a line feed: parsers differ on a carriage return. */
        char byte = s.ptr[at];
        if (byte == '\r' && at + 1 < s.len && s.ptr[at + 1] == '\n') {
            at++;
            continue;
        }
        append(&r, byte == '\r' ? '\n' : byte, (uint32_t)at);
        at++;
    }
    c->code.count = r.kept;
}
