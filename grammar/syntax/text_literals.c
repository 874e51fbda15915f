/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"
#include "base/utf8.h"
#include "syntax/parser.h"

/* What a text says.
 *
 * In "…" and """…""" alike: \" \\ \{ \} are those characters, \n is a line feed, \u{1F600} the
 * character with that number. A { that is not escaped opens a placeholder.
 *
 * In """…""" further: what stands in the line of the opening quotes is the first line, unless
 * it is nothing but blanks: then the text begins with the line below. When nothing but blanks
 * stands in front of the closing quotes, that line and the line break before it are no part of
 * the text. The blanks and tabs that all lines below the first begin with, lines of blanks left
 * aside, are taken off each of them, and lines of blanks become empty. A line ends with a line
 * feed, also where the file has CR LF. Escapes are read afterwards. */

struct shape {
    uint32_t lo; /* of what counts, without what is dropped at both ends */
    uint32_t hi;
    uint32_t indent;
    bool is_long;
    bool first_is_cut; /* `lo` is the beginning of a line whose indentation goes */
    bool quiet;        /* the text is not closed: what its end looks like is chance */
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

/* First byte at or behind `at` that is no blank. */
static uint32_t skip_blanks(bl_str text, uint32_t at, uint32_t end)
{
    while (at < end && is_blank(text.ptr[at])) {
        at++;
    }
    return at;
}

/* Behind the line feed of the line that `at` is in, or `end`. */
static uint32_t next_line(bl_str text, uint32_t at, uint32_t end)
{
    while (at < end && text.ptr[at] != '\n') {
        at++;
    }
    return at < end ? at + 1 : end;
}

static uint32_t common_indent(bl_str text, uint32_t at, uint32_t end)
{
    uint32_t model = 0;
    uint32_t common = UINT32_MAX;

    for (; at < end; at = next_line(text, at, end)) {
        uint32_t first = skip_blanks(text, at, end);
        if (first == end || is_line_end(text.ptr[first])) {
            continue;
        }
        if (common == UINT32_MAX) {
            model = at;
            common = first - at;
        }
        uint32_t same = 0;
        while (same < common && same < first - at &&
               text.ptr[at + same] == text.ptr[model + same]) {
            same++;
        }
        common = same;
    }
    return common == UINT32_MAX ? 0 : common;
}

static struct shape shape_of(bl_str text, struct bl_span span, bool closed)
{
    bl_str whole = bl_str_slice(text, span.lo, span.hi);
    bool is_long = bl_str_starts_with(whole, BL_STR("\"\"\""));
    uint32_t quotes = is_long ? 3 : 1;
    struct shape shape = {
        .lo = span.lo + quotes,
        .hi = closed ? span.hi - quotes : span.hi,
        .is_long = is_long,
        .quiet = !closed,
    };

    if (!is_long) {
        return shape;
    }
    uint32_t first = skip_blanks(text, shape.lo, shape.hi);
    uint32_t second = next_line(text, first, shape.hi);
    if (first < shape.hi && is_line_end(text.ptr[first])) {
        shape.lo = second;
        shape.first_is_cut = true;
    }
    uint32_t last = shape.hi;
    while (last > shape.lo && is_blank(text.ptr[last - 1])) {
        last--;
    }
    if (last > shape.lo && text.ptr[last - 1] == '\n') {
        last--;
        if (last > shape.lo && text.ptr[last - 1] == '\r') {
            last--;
        }
        shape.hi = last;
    } else if (last == shape.lo && shape.first_is_cut) {
        shape.hi = last;
    }
    shape.indent = common_indent(text, second < shape.lo ? shape.lo : second, shape.hi);
    return shape;
}

static void report_escape(struct bl_parser *parser, enum bl_diagnostic_code code, uint32_t lo,
                          uint32_t hi)
{
    struct bl_span span = bl_parser_span(parser, lo, hi);
    struct bl_diagnostic *d = bl_report(parser->sink, code, span);

    bl_diagnostic_text(parser->sink, d, "escape", bl_parser_slice(parser, span));
}

/* Behind the } of a number that is none, so that its brace is no second mistake. */
static uint32_t behind_brace(const struct bl_parser *parser, uint32_t at, uint32_t end)
{
    uint32_t i = at;

    while (i < end &&
           (bl_is_ascii_alpha(parser->text.ptr[i]) || bl_is_ascii_digit(parser->text.ptr[i]))) {
        i++;
    }
    return i < end && parser->text.ptr[i] == '}' ? i + 1 : at;
}

/* \u{…} at `at`; gives its length. */
static uint32_t put_numbered(struct bl_parser *parser, struct bl_buf *out, uint32_t at,
                             uint32_t end)
{
    uint32_t code_point = 0;
    uint32_t i = at + 2;
    bool opened = i < end && parser->text.ptr[i] == '{';

    for (i += opened; opened && i < end && parser->text.ptr[i] != '}'; i++) {
        char c = bl_ascii_lower(parser->text.ptr[i]);
        if (!bl_is_ascii_digit(c) && (c < 'a' || c > 'f')) {
            break;
        }
        unsigned digit = (unsigned)(bl_is_ascii_digit(c) ? c - '0' : c - 'a' + 10);
        /* Far enough: no character has a number of seven digits. */
        code_point = code_point > 0xFFFFFF ? code_point : code_point * 16 + digit;
    }
    bool closed = opened && i < end && parser->text.ptr[i] == '}';
    i += closed;
    if (opened && !closed) {
        i = behind_brace(parser, i, end);
    }
    if (!closed || code_point == 0 || code_point > 0x10FFFF ||
        (code_point >= 0xD800 && code_point <= 0xDFFF)) {
        report_escape(parser, BL_D_ESCAPE_CHARACTER, at, i);
        return i - at;
    }
    char bytes[4];
    bl_buf_put(out, (bl_str){bytes, bl_utf8_encode(code_point, bytes)});
    return i - at;
}

/* The backslash at `at` and what it escapes; gives its length. */
static uint32_t put_escape(struct bl_parser *parser, struct bl_buf *out, uint32_t at,
                           uint32_t end)
{
    char c = at + 1 < end ? parser->text.ptr[at + 1] : '\0';

    switch (c) {
    case 'n':
        bl_buf_put_char(out, '\n');
        return 2;
    case '"':
    case '\\':
    case '{':
    case '}':
        bl_buf_put_char(out, c);
        return 2;
    case 'u':
        return put_numbered(parser, out, at, end);
    }
    size_t next = at + 1;
    if (next < end && !is_line_end(c)) {
        (void)bl_utf8_decode(parser->text, &next);
    }
    report_escape(parser, BL_D_ESCAPE_UNKNOWN, at, (uint32_t)next);
    bl_buf_put(out, bl_str_slice(parser->text, at + 1, next));
    return (uint32_t)next - at;
}

/* A brace that is no part of a placeholder. A } that a lone { could have meant is no second
 * mistake. */
static void report_brace(struct bl_parser *parser, uint32_t at, unsigned *open)
{
    bool opens = parser->text.ptr[at] == '{';
    struct bl_span span = bl_parser_span(parser, at, at + 1);

    if (!opens && *open > 0) {
        *open -= 1;
        return;
    }
    *open += opens;
    struct bl_diagnostic *d =
        bl_report(parser->sink, opens ? BL_D_PLACEHOLDER_UNCLOSED : BL_D_BRACE_ALONE, span);
    bl_diagnostic_fix(parser->sink, d, span, opens ? BL_STR("\\{") : BL_STR("\\}"));
}

/* The indentation of the line that begins at `at`: how many of its bytes go. */
static uint32_t indentation(const struct bl_parser *parser, const struct shape *shape,
                            uint32_t at)
{
    uint32_t first = skip_blanks(parser->text, at, shape->hi);

    if (first == shape->hi || is_line_end(parser->text.ptr[first])) {
        return first - at;
    }
    return first - at < shape->indent ? first - at : shape->indent;
}

/* Bytes [lo, hi) of the source as the words they are. */
static bl_str resolve(struct bl_parser *parser, const struct shape *shape, uint32_t lo,
                      uint32_t hi)
{
    bool at_line = false;
    unsigned open_braces = 0;

    if (lo <= shape->lo) {
        lo = shape->lo;
        at_line = shape->first_is_cut;
    }
    hi = hi < shape->hi ? hi : shape->hi;
    if (lo >= hi) {
        return BL_STR("");
    }
    struct bl_buf out;
    bl_buf_init(&out, parser->arena, hi - lo);
    for (uint32_t i = lo; i < hi;) {
        if (at_line) {
            at_line = false;
            i += indentation(parser, shape, i);
            continue;
        }
        uint32_t plain = i;
        while (i < hi && parser->text.ptr[i] != '\\' && parser->text.ptr[i] != '{' &&
               parser->text.ptr[i] != '}' && !is_line_end(parser->text.ptr[i])) {
            i++;
        }
        if (plain == lo && i == hi) {
            return bl_str_slice(parser->text, lo, hi);
        }
        bl_buf_put(&out, bl_str_slice(parser->text, plain, i));
        if (i == hi) {
            break;
        }
        char c = parser->text.ptr[i];
        if (c == '\\') {
            i += put_escape(parser, &out, i, hi);
        } else if (c == '\r') {
            i++;
        } else {
            if (c != '\n' && !shape->quiet) {
                report_brace(parser, i, &open_braces);
            }
            at_line = c == '\n';
            bl_buf_put_char(&out, c);
            i++;
        }
    }
    return bl_buf_str(&out);
}

bool bl_quotes_foreign(bl_str whole, size_t *before, size_t *behind)
{
    bl_str last = whole.len >= 6 ? bl_str_slice(whole, whole.len - 3, whole.len) : BL_STR("");

    *before = 1;
    *behind = 0;
    if (bl_str_starts_with(whole, BL_STR("'")) || bl_str_starts_with(whole, BL_STR("`"))) {
        *behind = whole.len > 1 && whole.ptr[whole.len - 1] == whole.ptr[0];
        return true;
    }
    if (!bl_str_starts_with(whole, BL_STR("\xE2\x80"))) {
        return false;
    }
    *before = 3;
    if (bl_str_ends_with(whole, BL_STR("\""))) {
        *behind = 1;
    } else if (bl_str_starts_with(last, BL_STR("\xE2\x80")) &&
               (unsigned char)last.ptr[2] >= 0x9C && (unsigned char)last.ptr[2] <= 0x9F) {
        *behind = 3;
    }
    return true;
}

struct bl_node *bl_text_make(struct bl_parser *parser, struct bl_span span, bool closed)
{
    struct bl_node *text = bl_node_make(parser, BL_NODE_STRING, span);
    bl_str whole = bl_parser_slice(parser, span);
    struct shape shape = shape_of(parser->text, span, closed);
    size_t before;
    size_t behind;

    struct bl_span inner = bl_parser_span(parser, shape.lo, shape.hi);
    if (bl_quotes_foreign(whole, &before, &behind)) {
        inner = bl_parser_span(parser, span.lo + (uint32_t)before, span.hi - (uint32_t)behind);
        text->text = bl_parser_slice(parser, inner);
    } else {
        text->text = resolve(parser, &shape, shape.lo, shape.hi);
    }
    if (text->text.len > 0) {
        struct bl_node *part = bl_node_make(parser, BL_NODE_STRING_PART, inner);
        part->text = text->text;
        bl_node_add(parser, text, part);
    }
    return text;
}

struct bl_node *bl_text_finish(struct bl_parser *parser, struct bl_node *text, bool closed)
{
    struct shape shape = shape_of(parser->text, text->span, closed);
    uint32_t kept = 0;

    for (uint32_t i = 0; i < text->kid_count; i++) {
        struct bl_node *part = text->kids[i];
        if (part->kind == BL_NODE_STRING_PART) {
            part->text = resolve(parser, &shape, part->span.lo, part->span.hi);
            if (part->text.len == 0) {
                continue; /* nothing but indentation in front of a placeholder */
            }
        }
        text->kids[kept++] = part;
    }
    text->kid_count = kept;
    return text;
}
