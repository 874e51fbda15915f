/* SPDX-License-Identifier: Apache-2.0 */
#include "workflows/yaml.h"

#include "base/utf8.h"

#include <inttypes.h>

void bl_yaml_indent(struct bl_buf *out, unsigned columns)
{
    while (columns-- > 0)
        bl_buf_put_char(out, ' ');
}

/* What YAML 1.1 or 1.2 reads as a truth value or as nothing. */
static bool is_reserved(bl_str text)
{
    static const bl_str words[] = {
        {"true", 4}, {"false", 5}, {"yes", 3}, {"no", 2}, {"on", 2},
        {"off", 3},  {"null", 4},  {"y", 1},   {"n", 1},
    };

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (bl_str_equal_nocase(words[i], text))
            return true;
    }
    return false;
}

/* Begins with a letter and has nothing that means something anywhere. */
static bool is_plain(bl_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        bool letter = bl_is_ascii_alpha(c);

        if (!letter && (i == 0 || !(bl_is_ascii_digit(c) || c == '_' || c == '.' || c == '/' ||
                                    c == '-' || c == '@')))
            return false;
    }
    return text.len > 0 && !is_reserved(text);
}

/* Seen by a reader as what it is, and by YAML as a character of a line. */
static bool is_shown(uint32_t c)
{
    static const struct {
        uint32_t first, last;
    } hidden[] = {
#define BL_INVISIBLE(from, to, name) {from, to},
#include "syntax/invisible.def"
#undef BL_INVISIBLE
    };

    for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++) {
        if (c >= hidden[i].first && c <= hidden[i].last)
            return false;
    }
    return c >= ' ' && c != 0xA0 && c != 0xFFFE && c != 0xFFFF;
}

static void put_escaped(struct bl_buf *out, uint32_t c)
{
    if (c == '\n')
        BL_PUT(out, "\\n");
    else if (c == '\t')
        BL_PUT(out, "\\t");
    else if (c < 0x100)
        bl_buf_printf(out, "\\x%02" PRIX32, c);
    else if (c < 0x10000)
        bl_buf_printf(out, "\\u%04" PRIX32, c);
    else
        bl_buf_printf(out, "\\U%08" PRIX32, c);
}

static void put_inside(struct bl_buf *out, bl_str text)
{
    size_t at = 0;

    while (at < text.len) {
        size_t from = at;
        uint32_t c = bl_utf8_decode(text, &at);

        if (c == '"' || c == '\\')
            bl_buf_printf(out, "\\%c", (char)c);
        else if (is_shown(c))
            bl_buf_put(out, bl_str_slice(text, from, at));
        else
            put_escaped(out, c);
    }
}

void bl_yaml_text(struct bl_buf *out, bl_str text)
{
    if (is_plain(text)) {
        bl_buf_put(out, text);
        return;
    }
    bl_buf_put_char(out, '"');
    put_inside(out, text);
    bl_buf_put_char(out, '"');
}

void bl_yaml_folded(struct bl_buf *out, unsigned columns, bl_str text)
{
    bl_buf_put_char(out, '"');
    while (true) {
        size_t end = bl_str_find_char(text, BL_YAML_BREAK[0]);

        put_inside(out, bl_str_slice(text, 0, end));
        if (end == SIZE_MAX)
            break;
        bl_buf_put_char(out, '\n');
        bl_yaml_indent(out, columns);
        text = bl_str_slice(text, end + 1, text.len);
    }
    BL_PUT(out, "\"\n");
}

/* Lines that a literal block keeps as they are: printable, none empty, none with blanks at an
 * end, so that neither the indentation nor an editor can change them. */
static bool fits_block(bl_str text)
{
    bool more = false;
    char before = '\n';

    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        bool blank = c == ' ';

        if (c == '\n') {
            if (before == '\n' || before == ' ')
                return false;
            more = true;
        } else if (c < ' ' || c > '~' || (blank && before == '\n')) {
            return false;
        }
        before = c;
    }
    return more && before != '\n' && before != ' ';
}

void bl_yaml_lines(struct bl_buf *out, unsigned columns, bl_str text)
{
    if (!fits_block(text)) {
        bl_buf_put_char(out, ' ');
        bl_yaml_text(out, text);
        bl_buf_put_char(out, '\n');
        return;
    }
    BL_PUT(out, " |-\n");
    while (text.len > 0) {
        size_t end = bl_str_find_char(text, '\n');

        bl_yaml_indent(out, columns);
        bl_buf_put(out, bl_str_slice(text, 0, end));
        bl_buf_put_char(out, '\n');
        text = end == SIZE_MAX ? (bl_str){NULL, 0} : bl_str_slice(text, end + 1, text.len);
    }
}
