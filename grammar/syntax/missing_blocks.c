/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"
#include "syntax/declaration.h"
#include "syntax/parser.h"
#include "syntax/policy_parser.h"

/* Declarations whose block has neither of its braces, as languages write them in which the
 * indentation is the block: a line that begins one, and below it deeper lines. */

/* A longer fix is not offered: nobody would read it. */
#define FIX_MAX 2000

struct lines {
    size_t head; /* index behind the first line, or of a colon that ends it */
    size_t end;  /* index behind the last token of the block */
    uint32_t lo, hi;
};

static uint32_t column(bl_str text, uint32_t at)
{
    uint32_t line = at;

    while (line > 0 && text.ptr[line - 1] != '\n') {
        line--;
    }
    return at - line;
}

static bool is_odd(int kind)
{
    return kind == BL_TK_LBRACE || kind == BL_TK_RBRACE || kind == BL_TK_BAD;
}

/* Does a line of the region end at `line`, with one below that is meant as a block: directly
 * below, deeper, and the beginning of a clause and no declaration? */
static bool opens_block(const struct bl_parser *parser, size_t from, size_t line, size_t to)
{
    const struct bl_token *tokens = parser->tokens.items;
    const struct bl_token *below = &tokens[line + 1];

    if (line == from || line + 1 >= to || below->kind != BL_TK_NAME ||
        (below->flags & BL_TOKEN_FIRST) == 0 || column(parser->text, below->lo) == 0) {
        return false;
    }
    return (tokens[line - 1].kind == BL_TK_COLON ||
            !bl_token_continues(tokens[line - 1].kind, below->kind)) &&
           !bl_declaration_begins(parser->text, below->lo);
}

/* What stands below the first line of the region [from, to), when it is meant as its block. */
static bool find_lines(const struct bl_parser *parser, size_t from, size_t to,
                       struct lines *lines)
{
    const struct bl_token *tokens = parser->tokens.items;
    size_t line = from;

    if (bl_declaration_head(parser->text, tokens[from].lo).len == 0) {
        return false;
    }
    for (size_t i = from; i < to; i++) {
        if (is_odd(tokens[i].kind)) {
            return false;
        }
    }
    while (line < to && tokens[line].kind != BL_TK_NEWLINE) {
        if (tokens[line++].kind == BL_TK_ASSIGN) {
            return false; /* its value is what it has */
        }
    }
    if (!opens_block(parser, from, line, to)) {
        return false;
    }
    lines->head = tokens[line - 1].kind == BL_TK_COLON ? line - 1 : line;
    lines->end = line;
    for (size_t i = line + 1; i < to; i++) {
        if ((tokens[i].flags & BL_TOKEN_FIRST) != 0 && tokens[i].kind != BL_TK_NEWLINE &&
            column(parser->text, tokens[i].lo) == 0) {
            break;
        }
        lines->end = tokens[i].kind != BL_TK_NEWLINE ? i + 1 : lines->end;
    }
    lines->lo = tokens[lines->head - 1].hi;
    lines->hi = tokens[lines->end - 1].hi;
    return true;
}

/* Where the head ends with a colon, the words of the clauses may have one, too. */
bool bl_block_colon(const struct bl_parser *parser, size_t index)
{
    const struct bl_token *tokens = parser->tokens.items;

    return index > 0 && tokens[index].kind == BL_TK_COLON &&
           tokens[index - 1].kind == BL_TK_NAME &&
           (tokens[index - 1].flags & BL_TOKEN_FIRST) != 0;
}

static void put_body(const struct bl_parser *parser, const struct lines *lines,
                     struct bl_buf *out)
{
    const struct bl_token *tokens = parser->tokens.items;
    bool colons = tokens[lines->head].kind == BL_TK_COLON;
    uint32_t at = colons ? tokens[lines->head].hi : lines->lo;

    for (size_t i = lines->head + 1; i < lines->end && colons; i++) {
        if (bl_block_colon(parser, i)) {
            bl_buf_put(out, bl_str_slice(parser->text, at, tokens[i].lo));
            at = tokens[i].hi;
        }
    }
    bl_buf_put(out, bl_str_slice(parser->text, at, lines->hi));
}

static void report(struct bl_parser *parser, const struct lines *lines)
{
    struct bl_diagnostics *sink = parser->sink;
    struct bl_span place = bl_parser_span(parser, lines->lo, lines->lo);
    struct bl_span end = bl_parser_span(parser, lines->hi, lines->hi);
    struct bl_diagnostic *d = bl_report(sink, BL_D_BRACKET_MISSING, place);
    struct bl_buf fix;

    bl_diagnostic_text(sink, d, "bracket", BL_STR("}"));
    bl_diagnostic_text(sink, d, "partner", BL_STR("{"));
    bl_diagnostic_label(sink, d, end, BL_STR("and a '}' here"));
    bl_buf_init(&fix, sink->arena, FIX_MAX);
    BL_PUT(&fix, " {");
    put_body(parser, lines, &fix);
    BL_PUT(&fix, "\n}");
    if (!fix.failed) {
        bl_diagnostic_fix(sink, d, bl_parser_span(parser, lines->lo, lines->hi),
                          bl_buf_str(&fix));
    }
}

bool bl_block_missing(struct bl_parser *parser, size_t from, size_t to, size_t *opening,
                      size_t *closing)
{
    struct lines lines;

    if (!find_lines(parser, from, to, &lines)) {
        return false;
    }
    report(parser, &lines);
    *opening = lines.head;
    *closing = lines.end;
    return true;
}
