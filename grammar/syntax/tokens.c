/* SPDX-License-Identifier: Apache-2.0 */
#include "base/num.h"
#include "base/utf8.h"
#include "syntax/lexeme.h"
#include "syntax/parser.h"
#include "syntax/policy_parser.h"

#include <string.h>

/* Where the reading of lexemes stands. */
struct reader {
    struct bl_parser *parser;
    struct bl_scanner scanner;
    bool first_on_line;
    bool suspect; /* something was left out in front of the next token */
    bool at_end;  /* a text or a comment goes on to the end of the file */
    /* Of the text in hand. */
    size_t text_token; /* index of what opened it */
    uint32_t words_lo; /* where the words behind the last placeholder begin */
    bool has_holes;
    /* Of the placeholder in hand. */
    size_t hole_token;
    bool in_hole;
    bool hole_spoiled; /* it holds what no placeholder may, and that was reported */
};

static struct bl_span here(const struct reader *reader)
{
    return bl_parser_span(reader->parser, reader->scanner.lo, reader->scanner.hi);
}

static bl_str lexeme(const struct reader *reader)
{
    return bl_parser_slice(reader->parser, here(reader));
}

static struct bl_diagnostic *report(struct reader *reader, enum bl_diagnostic_code code,
                                    struct bl_span span)
{
    struct bl_diagnostic *d = bl_report(reader->parser->sink, code, span);

    bl_diagnostic_text(reader->parser->sink, d, "text", bl_parser_slice(reader->parser, span));
    return d;
}

static struct bl_diagnostic *report_fix(struct reader *reader, enum bl_diagnostic_code code,
                                        struct bl_span span, bl_str instead)
{
    struct bl_diagnostic *d = report(reader, code, span);

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

static void push(struct reader *reader, int kind, uint32_t lo, uint32_t hi)
{
    struct bl_tokens *tokens = &reader->parser->tokens;
    bool apart = tokens->count == 0 || tokens->items[tokens->count - 1].hi != lo;
    struct bl_token *token = BL_PUSH(reader->parser->arena, *tokens);

    if (token == NULL) {
        return;
    }
    *token = (struct bl_token){
        .kind = (uint16_t)kind,
        .flags = (uint16_t)((reader->first_on_line ? BL_TOKEN_FIRST : 0) |
                            (apart ? BL_TOKEN_APART : 0) |
                            (reader->suspect ? BL_TOKEN_SUSPECT : 0)),
        .lo = lo,
        .hi = hi,
    };
    reader->first_on_line = false;
    reader->suspect = false;
    reader->scanner.after_value = ends_value(kind);
    reader->scanner.value_end = hi;
}

static void push_here(struct reader *reader, int kind)
{
    push(reader, kind, reader->scanner.lo, reader->scanner.hi);
}

static struct bl_token *last_token(struct reader *reader)
{
    struct bl_tokens *tokens = &reader->parser->tokens;

    return tokens->count > 0 ? &tokens->items[tokens->count - 1] : NULL;
}

/* ---- names and numbers ---------------------------------------------------------------------- */

int bl_keyword_kind(bl_str word)
{
    static const struct {
        bl_str word;
        int kind;
    } keywords[] = {
#define BL_KEYWORD(token, word) {{word, sizeof(word) - 1}, BL_TK_##token},
#include "syntax/keywords.def"
    };

    for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++) {
        if (bl_str_equal(keywords[i].word, word)) {
            return keywords[i].kind;
        }
    }
    return 0;
}

int64_t bl_unit_seconds(bl_str word)
{
#define BL_UNIT(unit, seconds)                                                                 \
    if (bl_str_equal(word, BL_STR(unit))) {                                                    \
        return (seconds);                                                                      \
    }
#include "syntax/keywords.def"
    return 0;
}

bool bl_unit_foreign(bl_str word, bl_str *unit, int64_t *times)
{
#define BL_UNIT_FOREIGN(spelling, instead, number)                                             \
    if (bl_str_equal(word, BL_STR(spelling))) {                                                \
        *unit = BL_STR(instead);                                                               \
        *times = (number);                                                                     \
        return true;                                                                           \
    }
#include "syntax/keywords.def"
    return false;
}

/* `needsInfo` and `NeedsInfo` as needs_info, `MAX_DAYS` as max_days. What has characters beyond
 * ASCII stays as it is. */
bl_str bl_token_name(struct bl_parser *parser, const struct bl_token *token)
{
    bl_str word = bl_parser_slice(parser, bl_parser_span(parser, token->lo, token->hi));
    struct bl_buf out;

    if ((token->flags & BL_TOKEN_ODD) == 0) {
        return word;
    }
    bl_buf_init(&out, parser->arena, 2 * word.len);
    bool after_small = false;
    for (size_t i = 0; i < word.len; i++) {
        char c = word.ptr[i];
        char small = bl_ascii_lower(c);
        if ((unsigned char)c >= 0x80) {
            return word;
        }
        if (small != c && after_small) {
            bl_buf_put_char(&out, '_');
        }
        bl_buf_put_char(&out, small);
        after_small = small == c && c != '_';
    }
    return bl_buf_str(&out);
}

static void check_length(struct reader *reader)
{
    if (lexeme(reader).len > bl_limit(BL_LIMIT_NAME_BYTES)) {
        struct bl_diagnostic *d =
            bl_report(reader->parser->sink, BL_D_NAME_TOO_LONG, here(reader));
        bl_diagnostic_int(reader->parser->sink, d, "limit",
                          (int64_t)bl_limit(BL_LIMIT_NAME_BYTES));
    }
}

static bool follows(const struct reader *reader, char c)
{
    bl_str text = reader->parser->text;
    uint32_t at = reader->scanner.hi;

    return at < text.len && text.ptr[at] == c;
}

/* `count` of a unit as `times` as many of another: "14 days". The empty slice when that is more
 * than a number can be. */
static bl_str converted(struct reader *reader, bl_str count, bl_str unit, int64_t times)
{
    struct bl_buf out;
    int64_t value;

    bl_buf_init(&out, reader->parser->arena, count.len + unit.len + 32);
    if (times == 1) {
        bl_buf_put(&out, count);
    } else if (bl_int_parse(count, &value) && value <= INT64_MAX / times) {
        bl_buf_put_int(&out, value * times);
    } else {
        return BL_STR("");
    }
    bl_buf_put_char(&out, ' ');
    bl_buf_put(&out, unit);
    return bl_buf_str(&out);
}

/* "2 weeks" */
static void report_unit(struct reader *reader, const struct bl_token *number, bl_str unit,
                        int64_t times)
{
    struct bl_span digits = bl_parser_span(reader->parser, number->lo, number->hi);
    struct bl_span both = bl_span_join(digits, here(reader));
    struct bl_diagnostic *d = report(reader, BL_D_UNIT_UNKNOWN, here(reader));
    bl_str instead =
        converted(reader, bl_parser_slice(reader->parser, digits), unit, times);

    bl_diagnostic_text(reader->parser->sink, d, "instead", unit);
    if (instead.len > 0) {
        bl_diagnostic_fix(reader->parser->sink, d, both, instead);
    }
}

/* A name behind a number on its line may be its unit. */
static bool takes_unit(struct reader *reader)
{
    struct bl_token *number = last_token(reader);
    bl_str word = lexeme(reader);
    bl_str unit;
    int64_t times;

    if (number == NULL || number->kind != BL_TK_NUMBER || reader->first_on_line ||
        follows(reader, '(')) {
        return false;
    }
    if (bl_unit_seconds(word) == 0) {
        /* The short ones are fields and clause words as well: `max 3 min 1`. */
        if (!bl_str_starts_with(word, BL_STR("week")) ||
            !bl_unit_foreign(word, &unit, &times)) {
            return false;
        }
        report_unit(reader, number, unit, times);
    }
    number->kind = BL_TK_DURATION;
    number->hi = reader->scanner.hi;
    reader->scanner.value_end = number->hi;
    return true;
}

static void read_name(struct reader *reader)
{
    if (takes_unit(reader)) {
        return;
    }
    struct bl_token *before = last_token(reader);
    bool is_field = before != NULL && (before->kind == BL_TK_DOT ||
                                       before->kind == BL_TK_OPTIONAL_DOT);
    int keyword = is_field ? 0 : bl_keyword_kind(lexeme(reader));

    check_length(reader);
    push_here(reader, keyword != 0 ? keyword : BL_TK_NAME);
}

static void read_odd_name(struct reader *reader)
{
    push_here(reader, BL_TK_NAME);
    struct bl_token *token = last_token(reader);

    if (token == NULL || reader->parser->arena->failed) {
        return;
    }
    token->flags |= BL_TOKEN_ODD;
    bl_str mended = bl_token_name(reader->parser, token);
    int keyword = bl_keyword_kind(mended);
    if (keyword != 0) {
        token->kind = (uint16_t)keyword;
    }
    if (bl_str_equal(mended, lexeme(reader))) {
        report(reader, BL_D_NAME_SPELLING, here(reader));
    } else {
        report_fix(reader, BL_D_NAME_SPELLING, here(reader), mended);
    }
    check_length(reader);
}

/* 15days and 15d are durations, 1e5 and 0x1f are nothing. */
static void read_odd_number(struct reader *reader)
{
    bl_str text = lexeme(reader);
    size_t digits = 0;
    bl_str unit;
    int64_t times = 1;

    while (bl_is_ascii_digit(text.ptr[digits]) || text.ptr[digits] == '_') {
        digits++;
    }
    bl_str word = bl_str_slice(text, digits, text.len);
    bl_str number = bl_str_slice(text, 0, digits);
    bool known = bl_unit_seconds(word) != 0;
    if (known) {
        unit = word;
    } else if (!bl_unit_foreign(word, &unit, &times)) {
        report(reader, BL_D_NUMBER_SPELLING, here(reader));
        push_here(reader, BL_TK_NUMBER);
        return;
    }
    bl_str instead = converted(reader, number, unit, times);
    if (instead.len > 0) {
        report_fix(reader, BL_D_DURATION_SPELLING, here(reader), instead);
    } else {
        report(reader, BL_D_NUMBER_TOO_LARGE, here(reader));
    }
    push_here(reader, BL_TK_DURATION);
}

static void read_fraction(struct reader *reader)
{
    bl_str text = lexeme(reader);

    report(reader, BL_D_FRACTION, here(reader));
    push_here(reader, bl_str_ends_with(text, BL_STR("%")) ? BL_TK_PERCENT : BL_TK_NUMBER);
}

/* ---- signs ---------------------------------------------------------------------------------- */

static int sign_kind(bl_str sign)
{
    static const struct {
        const char *sign;
        int kind;
    } signs[] = {
        {"==", BL_TK_EQ},        {"!=", BL_TK_NE},          {"<=", BL_TK_LE},
        {">=", BL_TK_GE},        {"=>", BL_TK_ARROW},       {"?.", BL_TK_OPTIONAL_DOT},
        {"<", BL_TK_LT},         {">", BL_TK_GT},           {"=", BL_TK_ASSIGN},
        {"+", BL_TK_PLUS},       {"-", BL_TK_MINUS},        {"*", BL_TK_TIMES},
        {":", BL_TK_COLON},      {",", BL_TK_COMMA},        {".", BL_TK_DOT},
        {"?", BL_TK_OPTIONAL},   {"(", BL_TK_LPAREN},       {")", BL_TK_RPAREN},
        {"[", BL_TK_LBRACKET},   {"]", BL_TK_RBRACKET},     {"{", BL_TK_LBRACE},
        {"}", BL_TK_RBRACE},
    };

    for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
        if (bl_str_equal(bl_str_from(signs[i].sign), sign)) {
            return signs[i].kind;
        }
    }
    return BL_TK_BAD;
}

/* Kind of a sign of other languages, or 0; *instead is what to write. */
static int foreign_sign(bl_str sign, bl_str *instead)
{
#define BL_SIGN_FOREIGN(spelling, token, here)                                                 \
    if (bl_str_equal(sign, BL_STR(spelling))) {                                                \
        *instead = BL_STR(here);                                                               \
        return BL_TK_##token;                                                                  \
    }
#include "syntax/keywords.def"
    return 0;
}

unsigned bl_alien_code(bl_str sign)
{
#define BL_SIGN_CHANGES(spelling)                                                              \
    if (bl_str_equal(sign, BL_STR(spelling))) {                                                \
        return BL_D_NO_ASSIGNMENT;                                                             \
    }
#include "syntax/keywords.def"
    bool divides = bl_str_equal(sign, BL_STR("/")) || bl_str_equal(sign, BL_STR("%"));
    return divides ? BL_D_NO_DIVISION : 0;
}

/* No-break and typographic spaces, U+00A0, U+2000 to U+200A, U+202F, U+205F. */
static bool is_odd_space(uint32_t code_point)
{
    return code_point == 0xA0 || (code_point >= 0x2000 && code_point <= 0x200A) ||
           code_point == 0x202F || code_point == 0x205F;
}

static void read_alien(struct reader *reader)
{
    bl_str sign = lexeme(reader);
    bl_str instead;
    size_t end = 0;
    int kind = foreign_sign(sign, &instead);

    if (kind != 0) {
        struct bl_diagnostic *d =
            report_fix(reader, BL_D_SIGN_FOREIGN, here(reader), instead);
        if (kind == BL_TK_NOT && !follows(reader, ' ')) {
            bl_diagnostic_fix(reader->parser->sink, d, here(reader), BL_STR("not "));
        }
        push_here(reader, kind);
        return;
    }
    if (bl_alien_code(sign) != 0) {
        push_here(reader, BL_TK_BAD); /* reported when nothing else is wrong with the clause */
        return;
    }
    reader->hole_spoiled = reader->in_hole;
    if (is_odd_space(bl_utf8_decode(sign, &end))) {
        report_fix(reader, BL_D_ODD_SPACE, here(reader), BL_STR(" "));
        return;
    }
    report(reader, BL_D_ODD_CHARACTER, here(reader));
    reader->suspect = true;
}

bool bl_scanner_divides(const struct bl_scanner *scanner)
{
    const char *rest = scanner->text.ptr + scanner->hi;
    size_t left = scanner->text.len - scanner->hi;

    if (!scanner->after_value) {
        return false;
    }
    if (scanner->value_end == scanner->lo) {
        return true;
    }
    if (left > 0 && *rest != ' ' && *rest != '\t') {
        return false;
    }
    const char *line_end = left > 0 ? memchr(rest, '\n', left) : NULL;
    size_t line = line_end != NULL ? (size_t)(line_end - rest) : left;
    return line == 0 || memchr(rest, '/', line) == NULL;
}

/* ---- comments ------------------------------------------------------------------------------- */

static void read_comment(struct reader *reader)
{
    struct bl_comment *comment = BL_PUSH(reader->parser->arena, reader->parser->ast->comments);

    if (comment == NULL) {
        return;
    }
    comment->span = here(reader);
    comment->is_doc = bl_str_starts_with(lexeme(reader), BL_STR("##"));
    comment->own_line = reader->first_on_line;
    if (bl_str_ends_with(lexeme(reader), BL_STR("\r"))) {
        comment->span.hi -= 1;
    }
}

static void read_foreign_comment(struct reader *reader, bool to_line_end)
{
    struct bl_span span = here(reader);

    if (to_line_end) {
        struct bl_span slashes = bl_parser_span(reader->parser, span.lo, span.lo + 2);
        report_fix(reader, BL_D_COMMENT_SPELLING, slashes, BL_STR("#"));
        read_comment(reader);
        return;
    }
    bl_report(reader->parser->sink, BL_D_COMMENT_SPELLING,
              bl_parser_span(reader->parser, span.lo, span.lo + 2));
    reader->at_end = span.hi == reader->parser->text.len &&
                     !bl_str_ends_with(lexeme(reader), BL_STR("*/"));
}

/* ---- texts and patterns --------------------------------------------------------------------- */

static void open_text(struct reader *reader)
{
    reader->text_token = reader->parser->tokens.count;
    reader->words_lo = reader->scanner.hi;
    reader->has_holes = false;
    push_here(reader, BL_TK_TEXT_OPEN);
}

static void push_words(struct reader *reader, uint32_t hi)
{
    if (hi > reader->words_lo) {
        push(reader, BL_TK_WORDS, reader->words_lo, hi);
    }
}

/* The text ends at `hi`; quotes behind it, if there are any, end where the scanner stands. */
static void close_text(struct reader *reader, uint32_t hi, bool closed)
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
        push(reader, BL_TK_TEXT_CLOSE, hi, end);
        return;
    }
    tokens->items[reader->text_token].kind = BL_TK_STRING;
    tokens->items[reader->text_token].hi = end;
    reader->scanner.value_end = end;
}

/* Where a text or a pattern without its end ends: a { or } at the end of its line, with a blank in
 * front, is rather the block's. */
static uint32_t cut_line(const struct reader *reader, uint32_t lo, uint32_t hi)
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
static void push_left_brace(struct reader *reader, uint32_t lo, uint32_t hi)
{
    bl_str text = reader->parser->text;

    for (uint32_t at = lo; at < hi; at++) {
        if (text.ptr[at] == '{' || text.ptr[at] == '}') {
            push(reader, text.ptr[at] == '{' ? BL_TK_LBRACE : BL_TK_RBRACE, at, at + 1);
        }
    }
}

static void leave_text_open(struct reader *reader)
{
    struct bl_parser *parser = reader->parser;
    uint32_t hi = reader->scanner.lo;

    if (parser->arena->failed) {
        return;
    }
    struct bl_token *opening = &parser->tokens.items[reader->text_token];
    bool is_long = opening->hi - opening->lo == 3;
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

static void open_hole(struct reader *reader)
{
    push_words(reader, reader->scanner.lo);
    reader->hole_token = reader->parser->tokens.count;
    reader->in_hole = true;
    reader->hole_spoiled = false;
    push_here(reader, BL_TK_HOLE_OPEN);
}

/* Do the brackets of the placeholder match? Those of more than 64 levels do not. */
static bool hole_is_whole(const struct reader *reader)
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

static void close_hole(struct reader *reader)
{
    struct bl_tokens *tokens = &reader->parser->tokens;

    reader->in_hole = false;
    reader->has_holes = true;
    reader->words_lo = reader->scanner.hi;
    if (reader->parser->arena->failed) {
        return;
    }
    uint32_t lo = tokens->items[reader->hole_token].lo;
    struct bl_span span = bl_parser_span(reader->parser, lo, reader->scanner.hi);
    bool is_empty = tokens->count == reader->hole_token + 1;
    if (!reader->hole_spoiled && is_empty) {
        report(reader, BL_D_PLACEHOLDER_EMPTY, span);
    } else if (!reader->hole_spoiled && !hole_is_whole(reader)) {
        report(reader, BL_D_PLACEHOLDER_CONTENT, span);
        reader->hole_spoiled = true;
    }
    if (is_empty || reader->hole_spoiled) {
        tokens->count = reader->hole_token + 1;
        reader->suspect = true;
        push(reader, BL_TK_BAD, lo + 1, reader->scanner.lo);
    }
    push_here(reader, BL_TK_HOLE_CLOSE);
    reader->scanner.after_value = false;
}

/* The { was no placeholder's: it and what followed are words. text_literals.c reports it, unless
 * the text lacks its end as well, which is one mistake then. */
static void leave_hole_open(struct reader *reader)
{
    struct bl_tokens *tokens = &reader->parser->tokens;

    reader->in_hole = false;
    if (reader->parser->arena->failed) {
        return;
    }
    tokens->count = reader->hole_token;
    if (tokens->count > 0 && tokens->items[tokens->count - 1].kind == BL_TK_WORDS &&
        tokens->items[tokens->count - 1].lo == reader->words_lo) {
        tokens->count -= 1;
    }
}

static void spoil_hole(struct reader *reader)
{
    if (!reader->hole_spoiled) {
        reader->hole_spoiled = true;
        report(reader, BL_D_PLACEHOLDER_CONTENT, here(reader));
    }
}

static void read_quoted(struct reader *reader)
{
    bl_str text = lexeme(reader);

    if (text.len == 1 || (text.ptr[0] == '\'' && !bl_str_ends_with(text, BL_STR("'")))) {
        /* An apostrophe, and what stands behind it on its line. */
        struct bl_span mark =
            bl_parser_span(reader->parser, reader->scanner.lo, reader->scanner.lo + 1);
        uint32_t end = cut_line(reader, mark.hi, reader->scanner.hi);
        report(reader, BL_D_QUOTES, mark);
        reader->suspect = true;
        push(reader, BL_TK_BAD, mark.lo, end);
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
    report_fix(reader, BL_D_QUOTES, here(reader), bl_buf_str(&instead));
    push_here(reader, BL_TK_STRING);
}

static void leave_pattern_open(struct reader *reader)
{
    uint32_t lo = reader->scanner.lo;
    uint32_t end = cut_line(reader, lo + 1, reader->scanner.hi);

    bl_report(reader->parser->sink, BL_D_PATTERN_UNCLOSED,
              bl_parser_span(reader->parser, lo, lo + 1));
    reader->suspect = true;
    push(reader, BL_TK_BAD, lo, end);
    push_left_brace(reader, end, reader->scanner.hi);
}

/* ---- all of it ------------------------------------------------------------------------------ */

static void read_lexeme(struct reader *reader, enum bl_lexeme kind)
{
    switch (kind) {
    case BL_LEXEME_END:
        break;
    case BL_LEXEME_NEWLINE:
        push_here(reader, BL_TK_NEWLINE);
        reader->first_on_line = true;
        break;
    case BL_LEXEME_SEMICOLON:
        push_here(reader, BL_TK_NEWLINE);
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
        read_name(reader);
        break;
    case BL_LEXEME_ODD_NAME:
        read_odd_name(reader);
        break;
    case BL_LEXEME_NUMBER:
        push_here(reader, BL_TK_NUMBER);
        break;
    case BL_LEXEME_ODD_NUMBER:
        read_odd_number(reader);
        break;
    case BL_LEXEME_FRACTION:
        read_fraction(reader);
        break;
    case BL_LEXEME_PERCENT:
        push_here(reader, BL_TK_PERCENT);
        break;
    case BL_LEXEME_MONEY:
        push_here(reader, BL_TK_MONEY);
        break;
    case BL_LEXEME_DATE:
        push_here(reader, bl_str_find_char(lexeme(reader), 'T') != SIZE_MAX ? BL_TK_TIME
                                                                             : BL_TK_DATE);
        break;
    case BL_LEXEME_SIGN:
        push_here(reader, sign_kind(lexeme(reader)));
        break;
    case BL_LEXEME_ALIEN:
        read_alien(reader);
        break;
    case BL_LEXEME_SINGLE_QUOTED:
    case BL_LEXEME_CURLY_QUOTED:
        read_quoted(reader);
        break;
    case BL_LEXEME_TEXT_OPEN:
        open_text(reader);
        break;
    case BL_LEXEME_TEXT_CLOSE:
        close_text(reader, reader->scanner.lo, true);
        break;
    case BL_LEXEME_TEXT_UNCLOSED:
        leave_text_open(reader);
        break;
    case BL_LEXEME_TEXT_BRACE:
        break; /* text_literals.c sees it again */
    case BL_LEXEME_HOLE_OPEN:
        open_hole(reader);
        break;
    case BL_LEXEME_HOLE_CLOSE:
        close_hole(reader);
        break;
    case BL_LEXEME_HOLE_UNCLOSED:
        leave_hole_open(reader);
        break;
    case BL_LEXEME_HOLE_ALIEN:
        spoil_hole(reader);
        break;
    case BL_LEXEME_PATTERN:
        push_here(reader, BL_TK_PATTERN);
        break;
    case BL_LEXEME_PATTERN_UNCLOSED:
        leave_pattern_open(reader);
        break;
    }
}

/* False when a text or a comment of other languages goes on to the end of the file. */
static bool read_all(struct bl_parser *parser, struct reader *reader, char *buffer,
                     bool cautious)
{
    void *handle;

    memset(reader, 0, sizeof(*reader));
    reader->parser = parser;
    reader->first_on_line = true;
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
    struct reader *reader = BL_NEW(parser->arena, struct reader);
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
