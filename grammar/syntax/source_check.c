/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"
#include "base/utf8.h"
#include "syntax/parser.h"

#include <string.h>

static const struct {
    uint32_t first;
    uint32_t last;
    bl_str name;
} invisible[] = {
#define BL_INVISIBLE(first, last, name) {first, last, {name, sizeof(name) - 1}},
#include "syntax/invisible.def"
#undef BL_INVISIBLE
};
#define INVISIBLE_COUNT (sizeof(invisible) / sizeof(invisible[0]))

/* Row of the table, or INVISIBLE_COUNT. */
static size_t invisible_row(uint32_t code_point)
{
    size_t low = 0;
    size_t high = INVISIBLE_COUNT;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (code_point > invisible[middle].last) {
            low = middle + 1;
        } else if (code_point < invisible[middle].first) {
            high = middle;
        } else {
            return middle;
        }
    }
    return INVISIBLE_COUNT;
}

/* The text, its bytes replaced where they may not stay; copied when the first one is. */
struct checked {
    struct bl_parser *parser;
    bl_str text;
    char *copy;
};

static void blank(struct checked *checked, size_t lo, size_t hi)
{
    if (checked->copy == NULL) {
        checked->copy = BL_NEW_ARRAY(checked->parser->arena, checked->text.len, char);
        if (checked->copy == NULL) {
            return;
        }
        memcpy(checked->copy, checked->text.ptr, checked->text.len);
    }
    memset(checked->copy + lo, ' ', hi - lo);
}

static void report_invisible(struct checked *checked, size_t lo, size_t hi)
{
    struct bl_parser *parser = checked->parser;
    struct bl_diagnostics *sink = parser->sink;
    struct bl_span span = bl_parser_span(parser, (uint32_t)lo, (uint32_t)hi);
    struct bl_diagnostic *d = bl_report(sink, BL_D_INVISIBLE, span);
    size_t at = lo;
    uint32_t code_point = bl_utf8_decode(checked->text, &at);
    size_t row = invisible_row(code_point);
    struct bl_buf words;

    bl_buf_init(&words, sink->arena, 128);
    bl_buf_printf(&words, "U+%04X", (unsigned)code_point);
    bl_diagnostic_text(sink, d, "number", bl_buf_str(&words));
    bl_diagnostic_text(sink, d, "name",
                       row < INVISIBLE_COUNT ? invisible[row].name : BL_STR(""));
    /* No fix: whether a text needs it only its author knows. NUL no text may hold. */
    if (code_point != 0) {
        bl_buf_init(&words, sink->arena, 128);
        bl_buf_printf(&words, "Delete it; where a text needs it, write \\u{%X}.",
                      (unsigned)code_point);
        bl_diagnostic_help(sink, d, bl_buf_str(&words));
    }
}

/* Valid UTF-8 in [from, to). A run of such characters is one mistake. */
static void check_characters(struct checked *checked, size_t from, size_t to)
{
    bl_str part = bl_str_slice(checked->text, 0, to);
    size_t at = from;

    while (at < to) {
        unsigned char c = (unsigned char)part.ptr[at];
        if ((c >= 0x20 && c < 0x7F) || c == '\n' || c == '\t') {
            at++;
            continue;
        }
        if (c == '\r' && at + 1 < checked->text.len && checked->text.ptr[at + 1] == '\n') {
            at++;
            continue;
        }
        size_t end = at;
        size_t next = at;
        while (next < to && invisible_row(bl_utf8_decode(part, &next)) < INVISIBLE_COUNT &&
               part.ptr[end] != '\r') {
            end = next;
        }
        if (end == at && c != '\r') {
            at = next;
            continue;
        }
        end = end == at ? at + 1 : end;
        report_invisible(checked, at, end);
        blank(checked, at, end);
        at = end;
    }
}

bl_str bl_source_check(struct bl_parser *parser, bl_str text)
{
    struct checked checked = {.parser = parser, .text = text};
    size_t at = 0;

    /* How some editors say that a file is UTF-8. */
    if (bl_str_starts_with(text, BL_STR("\xEF\xBB\xBF"))) {
        blank(&checked, 0, 3);
        at = 3;
    }
    while (at < text.len) {
        size_t valid = bl_utf8_invalid_at(bl_str_slice(text, at, text.len)) + at;
        check_characters(&checked, at, valid);
        size_t end = valid;
        while (end < text.len && bl_utf8_invalid_at(bl_str_slice(text, end, end + 4)) == 0) {
            end++;
        }
        if (end > valid) {
            (void)bl_report(parser->sink, BL_D_BAD_UTF8,
                            bl_parser_span(parser, (uint32_t)valid, (uint32_t)end));
            blank(&checked, valid, end);
        }
        at = end;
    }
    return checked.copy != NULL ? (bl_str){checked.copy, text.len} : text;
}
