/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"
#include "syntax/policy_parser.h"
#include "syntax/token_reader.h"

void bl_read_text_open(struct bl_reader *reader)
{
    reader->text_token = reader->parser->tokens.count;
    reader->words_lo = reader->scanner.hi;
    reader->has_holes = false;
    bl_reader_push_here(reader, BL_TK_TEXT_OPEN);
}

static void push_words(struct bl_reader *reader, uint32_t hi)
{
    if (hi > reader->words_lo) {
        bl_reader_push(reader, BL_TK_WORDS, reader->words_lo, hi);
    }
}

/* The text ends at `hi`; quotes behind it, if there are any, end where the scanner stands. */
static void close_text(struct bl_reader *reader, uint32_t hi, bool closed)
{
    struct bl_tokens *tokens = &reader->parser->tokens;
    uint32_t end = closed ? reader->scanner.hi : hi;

    if (reader->parser->arena->failed) {
        return;
    }
    if (!closed) {
        tokens->items[reader->text_token].flags |= BL_TOKEN_UNCLOSED | BL_TOKEN_SUSPECT;
    }
    if (reader->has_holes) {
        push_words(reader, hi);
        bl_reader_push(reader, BL_TK_TEXT_CLOSE, hi, end);
        return;
    }
    tokens->items[reader->text_token].kind = BL_TK_STRING;
    tokens->items[reader->text_token].hi = end;
    reader->scanner.value_end = end;
}

void bl_read_text_close(struct bl_reader *reader)
{
    close_text(reader, reader->scanner.lo, true);
}

/* Where a text or a pattern without its end ends: a { or } at the end of its line, with a blank
 * in front, is rather the block's. */
static uint32_t cut_line(const struct bl_reader *reader, uint32_t lo, uint32_t hi)
{
    bl_str text = reader->parser->text;
    uint32_t end = hi;

    while (end > lo && bl_is_ascii_space(text.ptr[end - 1])) {
        end--;
    }
    if (end > lo + 1 && (text.ptr[end - 1] == '{' || text.ptr[end - 1] == '}') &&
        bl_is_ascii_space(text.ptr[end - 2])) {
        end--;
        while (end > lo && bl_is_ascii_space(text.ptr[end - 1])) {
            end--;
        }
    }
    return end;
}

/* The brace that cut_line left. */
static void push_left_brace(struct bl_reader *reader, uint32_t lo, uint32_t hi)
{
    bl_str text = reader->parser->text;

    for (uint32_t at = lo; at < hi; at++) {
        if (text.ptr[at] == '{' || text.ptr[at] == '}') {
            bl_reader_push(reader, text.ptr[at] == '{' ? BL_TK_LBRACE : BL_TK_RBRACE, at,
                           at + 1);
        }
    }
}

/* Where quotes do not pair nobody knows which words are a text: what was said of the line so
 * far goes, and the parser stays quiet on it. */
static void forget_line(struct bl_reader *reader)
{
    struct bl_tokens *tokens = &reader->parser->tokens;

    *reader->parser->sink = reader->line_sink;
    for (size_t i = reader->line_token; i < tokens->count; i++) {
        tokens->items[i].flags |= BL_TOKEN_SUSPECT;
    }
}

/* `label crash "crash { color "b60205" }`: quotes do not pair, and a quote stands in what would
 * be a placeholder. The text in front of it lacks its end, and goes on to that of the line. */
static void end_cut_text(struct bl_reader *reader, uint32_t hi)
{
    struct bl_tokens *tokens = &reader->parser->tokens;
    struct bl_token *text = &tokens->items[reader->line_cut_text - 1];

    bl_report(reader->parser->sink, BL_D_TEXT_UNCLOSED,
              bl_parser_span(reader->parser, text->lo, text->lo + 1));
    tokens->count = reader->line_cut_text;
    text->kind = BL_TK_STRING;
    text->flags |= BL_TOKEN_UNCLOSED | BL_TOKEN_SUSPECT;
    while (hi > text->lo + 1 && bl_is_ascii_space(reader->parser->text.ptr[hi - 1])) {
        hi--;
    }
    text->hi = hi;
    reader->scanner.value_end = hi;
}

void bl_read_text_unclosed(struct bl_reader *reader)
{
    struct bl_parser *parser = reader->parser;
    uint32_t hi = reader->scanner.lo;

    if (parser->arena->failed) {
        return;
    }
    struct bl_token *opening = &parser->tokens.items[reader->text_token];
    bool is_long = opening->hi - opening->lo == 3;
    if (!is_long) {
        forget_line(reader);
        if (reader->line_cut_text != 0) {
            end_cut_text(reader, hi);
            return;
        }
    }
    struct bl_span span = bl_parser_span(parser, opening->lo, opening->hi);
    struct bl_diagnostic *d =
        bl_report(parser->sink, is_long ? BL_D_LONG_TEXT_UNCLOSED : BL_D_TEXT_UNCLOSED, span);

    if (!is_long) {
        uint32_t end = cut_line(reader, reader->words_lo, hi);
        close_text(reader, end, false);
        push_left_brace(reader, end, hi);
        return;
    }
    reader->at_end = hi == parser->text.len;
    if (!reader->at_end) {
        bl_diagnostic_label(parser->sink, d, bl_parser_span(parser, hi + 1, hi + 2),
                            BL_STR("a declaration begins here; a line of the text would have "
                                   "to begin with a blank"));
    }
    close_text(reader, hi, false);
}

void bl_read_hole_open(struct bl_reader *reader)
{
    push_words(reader, reader->scanner.lo);
    reader->hole_token = reader->parser->tokens.count;
    reader->in_hole = true;
    reader->hole_spoiled = reader->hole_doubled = false;
    bl_reader_push_here(reader, BL_TK_HOLE_OPEN);
}

/* Do the brackets of the placeholder match? Those of more than 64 levels do not. */
static bool hole_is_whole(const struct bl_reader *reader)
{
    const struct bl_tokens *tokens = &reader->parser->tokens;
    uint64_t squares = 0;
    unsigned depth = 0;

    for (size_t i = reader->hole_token + 1; i < tokens->count; i++) {
        int kind = tokens->items[i].kind;
        if (kind == BL_TK_LPAREN || kind == BL_TK_LBRACKET) {
            if (depth == 64) {
                return false;
            }
            squares = squares << 1 | (kind == BL_TK_LBRACKET);
            depth++;
        } else if (kind == BL_TK_RPAREN || kind == BL_TK_RBRACKET) {
            if (depth == 0 || (squares & 1) != (kind == BL_TK_RBRACKET)) {
                return false;
            }
            squares >>= 1;
            depth--;
        }
    }
    return depth == 0;
}

/* `{{ x }}`: the second } stands behind the placeholder. */
static void report_doubled(struct bl_reader *reader, uint32_t lo)
{
    bl_str text = reader->parser->text;
    uint32_t hi = reader->scanner.hi;
    uint32_t inner = lo + 2;
    bool closed = hi < text.len && text.ptr[hi] == '}';
    lo -= closed && lo > reader->words_lo && text.ptr[lo - 1] == '$'; /* of an expression */
    struct bl_span span = bl_parser_span(reader->parser, lo, hi + closed);
    struct bl_diagnostic *d =
        bl_reader_report(reader, closed ? BL_D_PLACEHOLDER_DOUBLED : BL_D_PLACEHOLDER_CONTENT,
                         closed ? span : bl_parser_span(reader->parser, inner - 1, inner));
    struct bl_buf fix;

    if (!closed)
        return;
    bl_buf_init(&fix, reader->parser->arena, span.hi - span.lo + 2);
    bl_buf_printf(&fix, "{%.*s}", BL_STR_ARG(bl_str_trim(bl_str_slice(text, inner, hi - 1))));
    if (!fix.failed)
        bl_diagnostic_fix(reader->parser->sink, d, span, bl_buf_str(&fix));
}

/* Where the words go on: behind both braces of a doubled placeholder. */
static uint32_t behind_hole(const struct bl_reader *reader)
{
    bl_str text = reader->parser->text;
    uint32_t hi = reader->scanner.hi;

    return hi + (reader->hole_doubled && hi < text.len && text.ptr[hi] == '}');
}

void bl_read_hole_close(struct bl_reader *reader)
{
    struct bl_tokens *tokens = &reader->parser->tokens;

    reader->in_hole = false;
    reader->has_holes = true;
    if (reader->parser->arena->failed) {
        return;
    }
    uint32_t lo = tokens->items[reader->hole_token].lo;
    struct bl_span span = bl_parser_span(reader->parser, lo, reader->scanner.hi);
    bool is_empty = tokens->count == reader->hole_token + 1;
    if (reader->hole_doubled) {
        report_doubled(reader, lo);
    } else if (!reader->hole_spoiled && is_empty) {
        bl_reader_report(reader, BL_D_PLACEHOLDER_EMPTY, span);
    } else if (!reader->hole_spoiled && !hole_is_whole(reader)) {
        bl_reader_report(reader, BL_D_PLACEHOLDER_CONTENT, span);
        reader->hole_spoiled = true;
    }
    reader->words_lo = behind_hole(reader);
    if (is_empty || reader->hole_spoiled) {
        tokens->count = reader->hole_token + 1;
        reader->suspect = true;
        bl_reader_push(reader, BL_TK_BAD, lo + 1, reader->scanner.lo);
    }
    bl_reader_push_here(reader, BL_TK_HOLE_CLOSE);
    reader->scanner.after_value = false;
}

/* The { was no placeholder's: it and what followed are words. text_literals.c reports it,
 * unless the text lacks its end as well, which is one mistake then. */
void bl_read_hole_unclosed(struct bl_reader *reader)
{
    struct bl_tokens *tokens = &reader->parser->tokens;

    reader->in_hole = false;
    if (reader->parser->arena->failed) {
        return;
    }
    if (reader->line_cut_text == 0 && reader->text_token >= reader->line_token) {
        reader->line_cut_text = reader->text_token + 1;
    }
    tokens->count = reader->hole_token;
    if (tokens->count > 0 && tokens->items[tokens->count - 1].kind == BL_TK_WORDS &&
        tokens->items[tokens->count - 1].lo == reader->words_lo) {
        tokens->count -= 1;
    }
}

void bl_read_hole_alien(struct bl_reader *reader)
{
    if (reader->parser->tokens.count == reader->hole_token + 1 && !reader->hole_spoiled &&
        !reader->parser->arena->failed &&
        reader->scanner.lo == reader->parser->tokens.items[reader->hole_token].hi &&
        reader->parser->text.ptr[reader->scanner.lo] == '{') {
        reader->hole_doubled = reader->hole_spoiled = true;
        return;
    }
    if (!reader->hole_spoiled) {
        reader->hole_spoiled = true;
        bl_reader_report(reader, BL_D_PLACEHOLDER_CONTENT, bl_reader_here(reader));
    }
}

void bl_read_quoted(struct bl_reader *reader)
{
    bl_str text = bl_reader_lexeme(reader);

    bool is_plain = text.ptr[0] == '\'' || text.ptr[0] == '`';

    if (text.len == 1 || (is_plain && text.ptr[text.len - 1] != text.ptr[0])) {
        /* An apostrophe, and what stands behind it on its line. */
        struct bl_span mark =
            bl_parser_span(reader->parser, reader->scanner.lo, reader->scanner.lo + 1);
        uint32_t end = cut_line(reader, mark.hi, reader->scanner.hi);
        bl_reader_report(reader, BL_D_QUOTES, mark);
        reader->suspect = true;
        bl_reader_push(reader, BL_TK_BAD, mark.lo, end);
        push_left_brace(reader, end, reader->scanner.hi);
        return;
    }
    struct bl_buf instead;
    bl_buf_init(&instead, reader->parser->arena, 2 * text.len + 2);
    size_t before;
    size_t behind;
    (void)bl_quotes_foreign(text, &before, &behind);
    bl_buf_put_char(&instead, '"');
    for (size_t i = before; i < text.len - behind; i++) {
        if (text.ptr[i] == '"' || text.ptr[i] == '{' || text.ptr[i] == '}') {
            bl_buf_put_char(&instead, '\\');
        }
        bl_buf_put_char(&instead, text.ptr[i]);
    }
    bl_buf_put_char(&instead, '"');
    bl_reader_report_fix(reader, BL_D_QUOTES, bl_reader_here(reader), bl_buf_str(&instead));
    bl_reader_push_here(reader, BL_TK_STRING);
}

void bl_read_pattern_unclosed(struct bl_reader *reader)
{
    uint32_t lo = reader->scanner.lo;
    uint32_t end = cut_line(reader, lo + 1, reader->scanner.hi);

    bl_report(reader->parser->sink, BL_D_PATTERN_UNCLOSED,
              bl_parser_span(reader->parser, lo, lo + 1));
    reader->suspect = true;
    bl_reader_push(reader, BL_TK_BAD, lo, end);
    push_left_brace(reader, end, reader->scanner.hi);
}
