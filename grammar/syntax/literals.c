/* SPDX-License-Identifier: Apache-2.0 */
#include "base/num.h"
#include "base/time.h"
#include "syntax/parser.h"

#define MONEY_SCALE  INT64_C(10000)
#define MONEY_PLACES 4

/* Digits and underscores alone; what has others in it was reported when it was scanned. */
static bool is_plain(bl_str digits)
{
    for (size_t i = 0; i < digits.len; i++) {
        if (!bl_is_ascii_digit(digits.ptr[i]) && digits.ptr[i] != '_') {
            return false;
        }
    }
    return digits.len > 0;
}

static void report(struct bl_parser *parser, enum bl_diagnostic_code code, struct bl_span span)
{
    struct bl_diagnostic *d = bl_report(parser->sink, code, span);

    bl_diagnostic_text(parser->sink, d, "text", bl_parser_slice(parser, span));
}

/* The number times `unit`; 0 with a message when it has no such value. */
static int64_t whole(struct bl_parser *parser, struct bl_span span, bl_str digits, int64_t unit)
{
    int64_t value;

    if (!is_plain(digits)) {
        return 0;
    }
    if (bl_int_parse(digits, &value)) {
        if (!__builtin_mul_overflow(value, unit, &value)) {
            return value;
        }
    } else if (digits.ptr[digits.len - 1] == '_' ||
               bl_str_find(digits, BL_STR("__")) != SIZE_MAX) {
        report(parser, BL_D_NUMBER_SPELLING, span);
        return 0;
    }
    report(parser, BL_D_NUMBER_TOO_LARGE, span);
    return 0;
}

static int64_t duration(struct bl_parser *parser, struct bl_span span)
{
    bl_str text = bl_parser_slice(parser, span);
    size_t end = 0;
    bl_str unit;
    int64_t times = 1;

    while (end < text.len && (bl_is_ascii_digit(text.ptr[end]) || text.ptr[end] == '_')) {
        end++;
    }
    bl_str word = bl_str_trim(bl_str_slice(text, end, text.len));
    int64_t seconds = bl_unit_seconds(word);
    if (seconds == 0 && bl_unit_foreign(word, &unit, &times)) {
        seconds = bl_unit_seconds(unit) * (times > 0 ? times : 1);
    }
    return whole(parser, span, bl_str_slice(text, 0, end), seconds);
}

/* $1.25 in ten-thousandths: the places behind the point are filled up to four. */
static int64_t money(struct bl_parser *parser, struct bl_span span)
{
    bl_str text = bl_parser_slice(parser, span);
    size_t point = bl_str_find_char(text, '.');
    bl_str dollars = bl_str_slice(text, 1, point);
    bl_str places = point == SIZE_MAX ? BL_STR("") : bl_str_slice(text, point + 1, text.len);
    int64_t fraction = 0;

    if (!is_plain(dollars) ||
        (point != SIZE_MAX && (places.len == 0 || places.len > MONEY_PLACES)) ||
        bl_str_find_char(places, '_') != SIZE_MAX) {
        report(parser, BL_D_MONEY_SPELLING, span);
        return 0;
    }
    for (size_t i = 0; i < MONEY_PLACES; i++) {
        fraction = fraction * 10 + (i < places.len ? places.ptr[i] - '0' : 0);
    }
    int64_t amount = whole(parser, span, dollars, MONEY_SCALE);
    if (__builtin_add_overflow(amount, fraction, &amount)) {
        report(parser, BL_D_NUMBER_TOO_LARGE, span);
        return 0;
    }
    return amount;
}

/* Does the text have the shape: digits where it has 0, else the same character? */
static bool is_shaped(bl_str text, const char *shape)
{
    size_t i = 0;

    for (; i < text.len && shape[i] != '\0'; i++) {
        if (shape[i] == '0' ? !bl_is_ascii_digit(text.ptr[i]) : text.ptr[i] != shape[i]) {
            return false;
        }
    }
    return i == text.len && shape[i] == '\0';
}

static int64_t date(struct bl_parser *parser, struct bl_span span)
{
    bl_str text = bl_parser_slice(parser, span);
    int64_t value;

    if (bl_date_parse(text, &value)) {
        return value;
    }
    report(parser, is_shaped(text, "0000-00-00") ? BL_D_DATE_UNKNOWN : BL_D_DATE_SPELLING,
           span);
    return 0;
}

static int64_t time_of_day(struct bl_parser *parser, struct bl_span span)
{
    bl_str text = bl_parser_slice(parser, span);
    int64_t value;

    if (!is_shaped(text, "0000-00-00T00:00:00Z")) {
        report(parser, BL_D_TIME_SPELLING, span);
    } else if (!bl_time_parse(text, &value)) {
        report(parser, BL_D_TIME_UNKNOWN, span);
    } else {
        return value;
    }
    return 0;
}

struct bl_node *bl_literal_make(struct bl_parser *parser, enum bl_node_kind kind,
                                struct bl_span span)
{
    struct bl_node *node = bl_node_make(parser, kind, span);
    bl_str text = bl_parser_slice(parser, span);

    if (kind == BL_NODE_INT) {
        node->number = whole(parser, span, text, 1);
    } else if (kind == BL_NODE_PERCENT) {
        node->number = whole(parser, span, bl_str_slice(text, 0, text.len - 1), 1);
    } else if (kind == BL_NODE_DURATION) {
        node->number = duration(parser, span);
    } else if (kind == BL_NODE_MONEY) {
        node->number = money(parser, span);
    } else if (kind == BL_NODE_DATE) {
        node->number = date(parser, span);
    } else if (kind == BL_NODE_TIME) {
        node->number = time_of_day(parser, span);
    }
    return node;
}

/* Offset of `(?=`, `(?!`, `(?<=` or `(?<!` outside of classes, or SIZE_MAX. */
static size_t look_around_at(bl_str pattern)
{
    bool in_class = false;

    for (size_t i = 0; i < pattern.len; i++) {
        char c = pattern.ptr[i];
        if (c == '\\') {
            i++;
        } else if (in_class) {
            in_class = c != ']';
        } else if (c == '[') {
            in_class = true;
        } else if (c == '(') {
            bl_str rest = bl_str_slice(pattern, i, pattern.len);
            if (bl_str_starts_with(rest, BL_STR("(?=")) ||
                bl_str_starts_with(rest, BL_STR("(?!")) ||
                bl_str_starts_with(rest, BL_STR("(?<=")) ||
                bl_str_starts_with(rest, BL_STR("(?<!"))) {
                return i;
            }
        }
    }
    return SIZE_MAX;
}

struct bl_node *bl_pattern_make(struct bl_parser *parser, struct bl_span span)
{
    struct bl_node *node = bl_node_make(parser, BL_NODE_PATTERN, span);
    bl_str text = bl_parser_slice(parser, span);
    size_t end = text.len;

    while (end > 0 && text.ptr[end - 1] != '/') {
        end--;
    }
    if (end < 2) {
        /* Without its second slash, which was reported when it was scanned. */
        node->kind = BL_NODE_BROKEN;
        return node;
    }
    node->text = bl_str_slice(text, 1, end - 1);
    node->flags = bl_str_slice(text, end, text.len);

    size_t around = look_around_at(node->text);
    if (around != SIZE_MAX) {
        bool ahead = node->text.ptr[around + 2] != '<';
        uint32_t lo = span.lo + 1 + (uint32_t)around;
        struct bl_diagnostic *d = bl_report(parser->sink, BL_D_LOOK_AROUND,
                                            bl_parser_span(parser, lo, lo + (ahead ? 3 : 4)));
        bl_diagnostic_text(parser->sink, d, "direction",
                           ahead ? BL_STR("ahead") : BL_STR("behind"));
        node->kind = BL_NODE_BROKEN;
    }
    return node;
}
