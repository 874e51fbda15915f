/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"
#include "base/num.h"
#include "syntax/policy_parser.h"
#include "syntax/token_reader.h"

#define ARGUMENTS_NEAR 200

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

static void check_length(struct bl_reader *reader)
{
    if (bl_reader_lexeme(reader).len > bl_limit(BL_LIMIT_NAME_BYTES)) {
        struct bl_diagnostic *d =
            bl_report(reader->parser->sink, BL_D_NAME_TOO_LONG, bl_reader_here(reader));
        bl_diagnostic_int(reader->parser->sink, d, "limit",
                          (int64_t)bl_limit(BL_LIMIT_NAME_BYTES));
    }
}

static bool follows(const struct bl_reader *reader, char c)
{
    bl_str text = reader->parser->text;
    uint32_t at = reader->scanner.hi;

    return at < text.len && text.ptr[at] == c;
}

/* `count` of a unit as `times` as many of another: "14 days". The empty slice when that is more
 * than a number can be, or a unit of no one length. */
static bl_str converted(struct bl_reader *reader, bl_str count, bl_str unit, int64_t times)
{
    struct bl_buf out;
    int64_t value;

    bl_buf_init(&out, reader->parser->arena, count.len + unit.len + 32);
    if (times == 1) {
        bl_buf_put(&out, count);
    } else if (times > 0 && bl_int_parse(count, &value) && value <= INT64_MAX / times) {
        bl_buf_put_int(&out, value * times);
    } else {
        return BL_STR("");
    }
    bl_buf_put_char(&out, ' ');
    bl_buf_put(&out, unit);
    return bl_buf_str(&out);
}

/* "2 weeks" */
static void report_unit(struct bl_reader *reader, const struct bl_token *number, bl_str unit,
                        int64_t times)
{
    struct bl_span digits = bl_parser_span(reader->parser, number->lo, number->hi);
    struct bl_span both = bl_span_join(digits, bl_reader_here(reader));
    struct bl_diagnostic *d =
        bl_reader_report(reader, BL_D_UNIT_UNKNOWN, bl_reader_here(reader));
    bl_str instead = converted(reader, bl_parser_slice(reader->parser, digits), unit, times);

    bl_diagnostic_text(reader->parser->sink, d, "instead", unit);
    if (instead.len > 0) {
        bl_diagnostic_fix(reader->parser->sink, d, both, instead);
    }
}

/* A name behind a number on its line may be its unit. */
static bool takes_unit(struct bl_reader *reader)
{
    struct bl_token *number = bl_reader_last(reader);
    bl_str word = bl_reader_lexeme(reader);
    bl_str unit;
    int64_t times;

    if (number == NULL || number->kind != BL_TK_NUMBER || reader->first_on_line ||
        follows(reader, '(')) {
        return false;
    }
    if (bl_unit_seconds(word) == 0) {
        /* The short ones are fields and clause words as well: `max 3 min 1`. */
        if (word.len < 4 || !bl_unit_foreign(word, &unit, &times) ||
            !(times == 0 || times == 7)) {
            return false;
        }
        report_unit(reader, number, unit, times);
    }
    number->kind = BL_TK_DURATION;
    number->hi = reader->scanner.hi;
    reader->scanner.value_end = number->hi;
    return true;
}

void bl_read_name(struct bl_reader *reader)
{
    if (takes_unit(reader)) {
        return;
    }
    struct bl_token *before = bl_reader_last(reader);
    bool is_field =
        before != NULL && (before->kind == BL_TK_DOT || before->kind == BL_TK_OPTIONAL_DOT);
    int keyword = is_field ? 0 : bl_keyword_kind(bl_reader_lexeme(reader));

    check_length(reader);
    bl_reader_push_here(reader, keyword != 0 ? keyword : BL_TK_NAME);
}

/* startsWith(title, "x"): does the parenthesis behind the word hold two? Looked for nearby. */
static bool has_two_arguments(const struct bl_reader *reader)
{
    bl_str text = bl_str_slice(reader->parser->text, reader->scanner.hi,
                               (size_t)reader->scanner.hi + ARGUMENTS_NEAR);
    unsigned depth = 0;

    for (size_t i = 0; i < text.len && text.ptr[i] != '\n'; i++) {
        depth += text.ptr[i] == '(';
        depth -= text.ptr[i] == ')';
        if (depth == 0) {
            return false;
        }
        if (text.ptr[i] == ',' && depth == 1) {
            return true;
        }
    }
    return false;
}

void bl_read_odd_name(struct bl_reader *reader)
{
    bl_reader_push_here(reader, BL_TK_NAME);
    struct bl_token *token = bl_reader_last(reader);

    if (token == NULL || reader->parser->arena->failed) {
        return;
    }
    token->flags |= BL_TOKEN_ODD;
    bl_str mended = bl_token_name(reader->parser, token);
    const struct bl_token *before = reader->parser->tokens.count > 1 ? token - 1 : NULL;
    bool is_field =
        before != NULL && (before->kind == BL_TK_DOT || before->kind == BL_TK_OPTIONAL_DOT);
    int keyword = is_field ? 0 : bl_keyword_kind(mended);
    if (keyword != 0) {
        token->kind = (uint16_t)keyword;
    }
    /* startsWith(…): how the operator is written is told when the call is known. */
    if (follows(reader, '(') && (is_field || (keyword != 0 && has_two_arguments(reader))) &&
        bl_operator_is_method(mended)) {
        return;
    }
    if (bl_str_equal(mended, bl_reader_lexeme(reader))) {
        bl_reader_report(reader, BL_D_NAME_SPELLING, bl_reader_here(reader));
    } else {
        bl_reader_report_fix(reader, BL_D_NAME_SPELLING, bl_reader_here(reader), mended);
    }
    check_length(reader);
}

/* 15days and 15d are durations, 1e5 and 0x1f are nothing. */
void bl_read_odd_number(struct bl_reader *reader)
{
    bl_str text = bl_reader_lexeme(reader);
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
        bl_reader_report(reader, BL_D_NUMBER_SPELLING, bl_reader_here(reader));
        bl_reader_push_here(reader, BL_TK_NUMBER);
        return;
    }
    bl_str instead = converted(reader, number, unit, times);
    if (times == 0) {
        struct bl_diagnostic *d =
            bl_reader_report(reader, BL_D_UNIT_UNKNOWN, bl_reader_here(reader));
        bl_diagnostic_text(reader->parser->sink, d, "text", word);
        bl_diagnostic_text(reader->parser->sink, d, "instead", unit);
    } else if (instead.len > 0) {
        bl_reader_report_fix(reader, BL_D_DURATION_SPELLING, bl_reader_here(reader), instead);
    } else {
        bl_reader_report(reader, BL_D_NUMBER_TOO_LARGE, bl_reader_here(reader));
    }
    bl_reader_push_here(reader, BL_TK_DURATION);
}

void bl_read_fraction(struct bl_reader *reader)
{
    bl_str text = bl_reader_lexeme(reader);

    bl_reader_report(reader, BL_D_FRACTION, bl_reader_here(reader));
    bl_reader_push_here(reader,
                        bl_str_ends_with(text, BL_STR("%")) ? BL_TK_PERCENT : BL_TK_NUMBER);
}
