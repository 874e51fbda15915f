/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"
#include "syntax/policy_parser.h"
#include "syntax/token_reader.h"

#include <string.h>

struct bl_span bl_reader_here(const struct bl_reader *reader)
{
    return bl_parser_span(reader->parser, reader->scanner.lo, reader->scanner.hi);
}

bl_str bl_reader_lexeme(const struct bl_reader *reader)
{
    return bl_parser_slice(reader->parser, bl_reader_here(reader));
}

struct bl_diagnostic *bl_reader_report(struct bl_reader *reader, enum bl_diagnostic_code code,
                                       struct bl_span span)
{
    struct bl_diagnostics *sink = reader->parser->sink;

    if (reader->line_is_odd) {
        sink->spare = (struct bl_diagnostic){.span = BL_NO_SPAN};
        return &sink->spare;
    }
    struct bl_diagnostic *d = bl_report(sink, code, span);

    bl_diagnostic_text(reader->parser->sink, d, "text", bl_parser_slice(reader->parser, span));
    return d;
}

struct bl_diagnostic *bl_reader_report_fix(struct bl_reader *reader,
                                           enum bl_diagnostic_code code, struct bl_span span,
                                           bl_str instead)
{
    struct bl_diagnostic *d = bl_reader_report(reader, code, span);

    bl_diagnostic_text(reader->parser->sink, d, "instead", instead);
    bl_diagnostic_fix(reader->parser->sink, d, span, instead);
    return d;
}

/* May a value end with such a token? Then a / behind it divides, and a - subtracts. */
static bool ends_value(int kind)
{
    switch (kind) {
    case BL_TK_NAME:
    case BL_TK_NUMBER:
    case BL_TK_DURATION:
    case BL_TK_PERCENT:
    case BL_TK_MONEY:
    case BL_TK_RPAREN:
    case BL_TK_RBRACKET:
        return true;
    }
    return false;
}

void bl_reader_push(struct bl_reader *reader, int kind, uint32_t lo, uint32_t hi)
{
    struct bl_tokens *tokens = &reader->parser->tokens;
    bool apart = tokens->count == 0 || tokens->items[tokens->count - 1].hi != lo;
    struct bl_token *token = BL_PUSH(reader->parser->arena, *tokens);

    if (token == NULL) {
        return;
    }
    *token = (struct bl_token){
        .kind = (uint16_t)kind,
        .flags =
            (uint16_t)((reader->first_on_line ? BL_TOKEN_FIRST : 0) |
                       (apart ? BL_TOKEN_APART : 0) | (reader->suspect ? BL_TOKEN_SUSPECT : 0)),
        .lo = lo,
        .hi = hi,
    };
    reader->first_on_line = false;
    reader->suspect = false;
    reader->scanner.after_value = ends_value(kind);
    reader->scanner.value_end = hi;
}

void bl_reader_push_here(struct bl_reader *reader, int kind)
{
    bl_reader_push(reader, kind, reader->scanner.lo, reader->scanner.hi);
}

struct bl_token *bl_reader_last(struct bl_reader *reader)
{
    struct bl_tokens *tokens = &reader->parser->tokens;

    return tokens->count > 0 ? &tokens->items[tokens->count - 1] : NULL;
}

/* ---- signs ------------------------------------------------------------------------------ */

static int sign_kind(bl_str sign)
{
    bool equals = sign.len == 2 && sign.ptr[1] == '=';

    switch (sign.ptr[0]) {
    case '=':
        return equals ? BL_TK_EQ : sign.len == 2 ? BL_TK_ARROW : BL_TK_ASSIGN;
    case '!':
        return BL_TK_NE;
    case '<':
        return equals ? BL_TK_LE : BL_TK_LT;
    case '>':
        return equals ? BL_TK_GE : BL_TK_GT;
    case '?':
        return sign.len == 2 ? BL_TK_OPTIONAL_DOT : BL_TK_OPTIONAL;
    case '+':
        return BL_TK_PLUS;
    case '-':
        return BL_TK_MINUS;
    case '*':
        return BL_TK_TIMES;
    case ':':
        return BL_TK_COLON;
    case ',':
        return BL_TK_COMMA;
    case '.':
        return BL_TK_DOT;
    case '(':
        return BL_TK_LPAREN;
    case ')':
        return BL_TK_RPAREN;
    case '[':
        return BL_TK_LBRACKET;
    case ']':
        return BL_TK_RBRACKET;
    case '{':
        return BL_TK_LBRACE;
    }
    return BL_TK_RBRACE;
}

/* No-break and typographic spaces, U+00A0, U+2000 to U+200A, U+202F, U+205F. */
static bool is_odd_space(uint32_t code_point)
{
    return code_point == 0xA0 || (code_point >= 0x2000 && code_point <= 0x200A) ||
           code_point == 0x202F || code_point == 0x205F;
}

static bool follows(const struct bl_reader *reader, char c)
{
    bl_str text = reader->parser->text;
    uint32_t at = reader->scanner.hi;

    return at < text.len && text.ptr[at] == c;
}

static void read_alien(struct bl_reader *reader)
{
    bl_str sign = bl_reader_lexeme(reader);
    bl_str instead;
    size_t end = 0;
    int kind = bl_sign_foreign(sign, &instead);

    if (kind != 0) {
        struct bl_diagnostic *d =
            bl_reader_report_fix(reader, BL_D_SIGN_FOREIGN, bl_reader_here(reader), instead);
        if (kind == BL_TK_NOT && !follows(reader, ' ')) {
            bl_diagnostic_fix(reader->parser->sink, d, bl_reader_here(reader), BL_STR("not "));
        }
        bl_reader_push_here(reader, kind);
        return;
    }
    if (bl_alien_code(sign) != 0) {
        bl_reader_push_here(
            reader, BL_TK_BAD); /* reported when nothing else is wrong with the clause */
        return;
    }
    reader->hole_spoiled = reader->in_hole;
    if (is_odd_space(bl_utf8_decode(sign, &end))) {
        bl_reader_report_fix(reader, BL_D_ODD_SPACE, bl_reader_here(reader), BL_STR(" "));
        return;
    }
    /* What has one such character on a line is something else all along: once is enough. */
    if (!reader->line_is_odd) {
        bl_reader_report(reader, BL_D_ODD_CHARACTER, bl_reader_here(reader));
    }
    reader->line_is_odd = true;
    reader->suspect = true;
}

bool bl_scanner_divides(const struct bl_scanner *scanner)
{
    bl_str rest = bl_str_slice(scanner->text, scanner->hi, scanner->text.len);
    size_t i = 0;

    if (!scanner->after_value) {
        return false;
    }
    if (scanner->value_end == scanner->lo) {
        return true;
    }
    if (rest.len > 0 && rest.ptr[0] != ' ' && rest.ptr[0] != '\t') {
        return false;
    }
    /* A pattern that begins with a blank has its end on the line, in front of a comment. */
    while (i < rest.len && rest.ptr[i] != '\n' && rest.ptr[i] != '#') {
        if (rest.ptr[i++] == '/') {
            return false;
        }
    }
    return true;
}

/* ---- comments --------------------------------------------------------------------------- */

static void read_comment(struct bl_reader *reader)
{
    struct bl_comment *comment = BL_PUSH(reader->parser->arena, reader->parser->ast->comments);

    if (comment == NULL) {
        return;
    }
    comment->span = bl_reader_here(reader);
    comment->is_doc = bl_str_starts_with(bl_reader_lexeme(reader), BL_STR("##"));
    comment->own_line = reader->first_on_line;
    if (bl_str_ends_with(bl_reader_lexeme(reader), BL_STR("\r"))) {
        comment->span.hi -= 1;
    }
}

static void read_foreign_comment(struct bl_reader *reader, bool to_line_end)
{
    struct bl_span span = bl_reader_here(reader);

    if (to_line_end) {
        struct bl_span slashes = bl_parser_span(reader->parser, span.lo, span.lo + 2);
        bl_reader_report_fix(reader, BL_D_COMMENT_SPELLING, slashes, BL_STR("#"));
        read_comment(reader);
        return;
    }
    bl_report(reader->parser->sink, BL_D_COMMENT_SPELLING,
              bl_parser_span(reader->parser, span.lo, span.lo + 2));
    reader->at_end = span.hi == reader->parser->text.len &&
                     !bl_str_ends_with(bl_reader_lexeme(reader), BL_STR("*/"));
}

/* ---- all of it -------------------------------------------------------------------------- */

static void begin_line(struct bl_reader *reader)
{
    reader->line_is_odd = false;
    reader->line_token = reader->parser->tokens.count;
    reader->line_cut_text = 0;
    reader->line_sink = *reader->parser->sink;
}

static void read_lexeme(struct bl_reader *reader, enum bl_lexeme kind)
{
    switch (kind) {
    case BL_LEXEME_END:
        break;
    case BL_LEXEME_NEWLINE:
        bl_reader_push_here(reader, BL_TK_NEWLINE);
        reader->first_on_line = true;
        begin_line(reader);
        break;
    case BL_LEXEME_SEMICOLON:
        bl_reader_push_here(reader, BL_TK_NEWLINE);
        break;
    case BL_LEXEME_COMMENT:
        read_comment(reader);
        break;
    case BL_LEXEME_SLASH_COMMENT:
        read_foreign_comment(reader, true);
        break;
    case BL_LEXEME_BLOCK_COMMENT:
        read_foreign_comment(reader, false);
        break;
    case BL_LEXEME_NAME:
        bl_read_name(reader);
        break;
    case BL_LEXEME_ODD_NAME:
        bl_read_odd_name(reader);
        break;
    case BL_LEXEME_NUMBER:
        bl_reader_push_here(reader, BL_TK_NUMBER);
        break;
    case BL_LEXEME_ODD_NUMBER:
        bl_read_odd_number(reader);
        break;
    case BL_LEXEME_FRACTION:
        bl_read_fraction(reader);
        break;
    case BL_LEXEME_PERCENT:
        bl_reader_push_here(reader, BL_TK_PERCENT);
        break;
    case BL_LEXEME_MONEY:
        bl_reader_push_here(reader, BL_TK_MONEY);
        break;
    case BL_LEXEME_DATE:
        bl_reader_push_here(reader, bl_str_find_char(bl_reader_lexeme(reader), 'T') != SIZE_MAX
                                        ? BL_TK_TIME
                                        : BL_TK_DATE);
        break;
    case BL_LEXEME_SIGN:
        bl_reader_push_here(reader, sign_kind(bl_reader_lexeme(reader)));
        break;
    case BL_LEXEME_ALIEN:
        read_alien(reader);
        break;
    case BL_LEXEME_EXPRESSION:
        bl_reader_report(reader, BL_D_EXPRESSION_FOREIGN, bl_reader_here(reader));
        reader->suspect = true;
        bl_reader_push_here(reader, BL_TK_BAD);
        break;
    case BL_LEXEME_SINGLE_QUOTED:
    case BL_LEXEME_CURLY_QUOTED:
        bl_read_quoted(reader);
        break;
    case BL_LEXEME_TEXT_OPEN:
        bl_read_text_open(reader);
        break;
    case BL_LEXEME_TEXT_CLOSE:
        bl_read_text_close(reader);
        break;
    case BL_LEXEME_TEXT_UNCLOSED:
        bl_read_text_unclosed(reader);
        break;
    case BL_LEXEME_TEXT_BRACE:
        break; /* text_literals.c sees it again */
    case BL_LEXEME_HOLE_OPEN:
        bl_read_hole_open(reader);
        break;
    case BL_LEXEME_HOLE_CLOSE:
        bl_read_hole_close(reader);
        break;
    case BL_LEXEME_HOLE_UNCLOSED:
        bl_read_hole_unclosed(reader);
        break;
    case BL_LEXEME_HOLE_ALIEN:
        bl_read_hole_alien(reader);
        break;
    case BL_LEXEME_PATTERN:
        bl_reader_push_here(reader, BL_TK_PATTERN);
        break;
    case BL_LEXEME_PATTERN_UNCLOSED:
        bl_read_pattern_unclosed(reader);
        break;
    }
}

/* False when a text or a comment of other languages goes on to the end of the file. */
static bool read_all(struct bl_parser *parser, struct bl_reader *reader, char *buffer,
                     bool cautious)
{
    void *handle;

    memset(reader, 0, sizeof(*reader));
    reader->parser = parser;
    reader->first_on_line = true;
    begin_line(reader);
    reader->scanner.text = parser->text;
    reader->scanner.cautious = cautious;
    memcpy(buffer, parser->text.ptr != NULL ? parser->text.ptr : "", parser->text.len);
    if (!bl_scanner_start(&reader->scanner, &handle, buffer, parser->text.len + 2)) {
        parser->arena->failed = true;
        return true;
    }
    for (;;) {
        enum bl_lexeme kind = bl_scanner_next(handle);
        if (kind == BL_LEXEME_END || parser->arena->failed) {
            break;
        }
        read_lexeme(reader, kind);
    }
    return !reader->at_end;
}

void bl_tokens_read(struct bl_parser *parser)
{
    struct bl_reader *reader = BL_NEW(parser->arena, struct bl_reader);
    char *buffer = BL_NEW_ARRAY(parser->arena, parser->text.len + 2, char);
    struct bl_diagnostics before = *parser->sink;

    if (reader == NULL || buffer == NULL || read_all(parser, reader, buffer, false)) {
        return;
    }
    /* Quotes are missing somewhere. Once more, and this time the text ends where a declaration
     * begins. What the first attempt reported goes; its arrays are the arena's. */
    *parser->sink = before;
    parser->tokens.count = 0;
    parser->ast->comments.count = 0;
    (void)read_all(parser, reader, buffer, true);
}
