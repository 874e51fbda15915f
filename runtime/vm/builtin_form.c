/* SPDX-License-Identifier: Apache-2.0 */
#include "vm/builtins.h"

/* Texts of issues by lines: the sections that an issue form writes, and the reporter's own
 * words. A form is a heading of level 3 for each field, at the beginning of a line and outside
 * of code, with the answer below it; an empty answer is "_No response_". One pass over the
 * lines. */

struct lines {
    bl_str text;
    size_t at;
    /* Inside a fenced code block: */
    char fence; /* its character, '\0' outside */
    size_t fence_length;
};

/* The next line with its line end, which is LF or CR LF. */
static bl_str next_line(struct lines *lines)
{
    bl_str rest = bl_str_slice(lines->text, lines->at, lines->text.len);
    size_t end = bl_str_find_char(rest, '\n');
    bl_str line = bl_str_slice(rest, 0, end == SIZE_MAX ? rest.len : end + 1);

    lines->at += line.len;
    return line;
}

static bool has_line(const struct lines *lines)
{
    return lines->at < lines->text.len;
}

static size_t indent_of(bl_str line)
{
    size_t indent = 0;

    while (indent < line.len && line.ptr[indent] == ' ')
        indent++;
    return indent;
}

/* Follows the fences of code blocks as CommonMark does: at least three of ` or ~, at most three
 * blanks before them; the closing one is as long, and nothing stands behind it. True when the
 * line belongs to a block, fences included. */
static bool in_code(struct lines *lines, bl_str line)
{
    size_t indent = indent_of(line);
    bl_str rest = bl_str_slice(line, indent, line.len);
    char fence = rest.len > 0 ? rest.ptr[0] : '\0';
    size_t length = 0;

    while (length < rest.len && rest.ptr[length] == fence)
        length++;
    bl_str behind = bl_str_trim(bl_str_slice(rest, length, rest.len));
    bool is_fence = indent <= 3 && length >= 3 && (fence == '`' || fence == '~');
    if (lines->fence != '\0') {
        if (is_fence && fence == lines->fence && length >= lines->fence_length &&
            behind.len == 0)
            lines->fence = '\0';
        return true;
    }
    if (!is_fence || (fence == '`' && bl_str_find_char(behind, '`') != SIZE_MAX))
        return false;
    lines->fence = fence;
    lines->fence_length = length;
    return true;
}

/* "### Area": its words; false for any other line. */
static bool is_heading(bl_str line, bl_str *words)
{
    if (!bl_str_starts_with(line, BL_STR("### ")))
        return false;
    *words = bl_str_trim(bl_str_slice(line, 4, line.len));
    return true;
}

static bool is_no_response(bl_str s)
{
    return bl_str_equal(bl_str_trim(s), BL_STR("_No response_"));
}

enum bl_status bl_builtin_form_answer(struct bl_builtin_call *call)
{
    struct lines lines = {.text = bl_text_of(call->args[0])};
    bl_str wanted = bl_str_trim(bl_text_of(call->args[1]));
    size_t from = SIZE_MAX;
    size_t to = lines.text.len;

    while (has_line(&lines)) {
        size_t begin = lines.at;
        bl_str line = next_line(&lines);
        bl_str words;

        if (in_code(&lines, line) || !is_heading(line, &words))
            continue;
        if (from != SIZE_MAX) {
            to = begin;
            break;
        }
        if (bl_str_equal(words, wanted))
            from = lines.at;
    }
    if (from != SIZE_MAX) {
        bl_str answer = bl_str_trim(bl_str_slice(lines.text, from, to));

        if (answer.len > 0 && !is_no_response(answer))
            *call->out = bl_text(answer);
    }
    return bl_charge_text(call->machine, lines.text.len);
}

enum bl_status bl_builtin_form_text(struct bl_builtin_call *call)
{
    struct lines lines = {.text = bl_text_of(call->args[0])};
    struct bl_buf out;

    bl_machine_buf(call->machine, &out);
    while (has_line(&lines)) {
        bl_str line = next_line(&lines);
        bl_str words;

        if (in_code(&lines, line) || (!is_heading(line, &words) && !is_no_response(line)))
            bl_buf_put(&out, line);
    }
    return bl_machine_text(call->machine, &out, call->out);
}

/* ---- prose ------------------------------------------------------------------------------- */

static bool is_address_at(bl_str s)
{
    return bl_str_starts_with(s, BL_STR("http://")) ||
           bl_str_starts_with(s, BL_STR("https://")) || bl_str_starts_with(s, BL_STR("www."));
}

static size_t address_length(bl_str s)
{
    size_t length = 0;

    while (length < s.len && !bl_is_ascii_space(s.ptr[length]) && s.ptr[length] != '<' &&
           s.ptr[length] != '>' && s.ptr[length] != ')' && s.ptr[length] != '"')
        length++;
    return length;
}

/* A line of the reporter's own, without comments and addresses. A comment may go on over lines;
 * one that nothing ends takes the rest of the text. */
static void put_prose(struct bl_buf *out, bl_str line, bool *in_comment)
{
    while (line.len > 0) {
        size_t length = 1;

        if (*in_comment) {
            size_t end = bl_str_find(line, BL_STR("-->"));

            *in_comment = end == SIZE_MAX;
            length = end == SIZE_MAX ? line.len : end + 3;
            /* Words on both sides stay two words, and lines stay lines. */
            bl_buf_put_char(out, end == SIZE_MAX ? '\n' : ' ');
        } else if (bl_str_starts_with(line, BL_STR("<!--"))) {
            *in_comment = true;
            length = 4;
        } else if (is_address_at(line)) {
            length = address_length(line);
            bl_buf_put_char(out, ' ');
        } else {
            bl_buf_put_char(out, line.ptr[0]);
        }
        line = bl_str_slice(line, length, line.len);
    }
}

static bool is_blank(bl_str line)
{
    return bl_str_trim(line).len == 0;
}

/* Code by indent begins behind a blank line and goes on with its lines and blank ones. */
static bool in_indented_code(bl_str line, bool after_blank, bool *in_block)
{
    bool indented = indent_of(line) >= 4 || bl_str_starts_with(line, BL_STR("\t"));

    if (is_blank(line))
        return *in_block;
    *in_block = indented && (*in_block || after_blank);
    return *in_block;
}

static bool is_quote(bl_str line)
{
    size_t indent = indent_of(line);

    return indent <= 3 && indent < line.len && line.ptr[indent] == '>';
}

enum bl_status bl_builtin_prose(struct bl_builtin_call *call)
{
    struct lines lines = {.text = bl_text_of(call->args[0])};
    struct bl_buf out;
    bool in_comment = false;
    bool after_blank = true;
    bool in_block = false;

    bl_machine_buf(call->machine, &out);
    while (has_line(&lines)) {
        bl_str line = next_line(&lines);

        /* Nothing begins inside a comment, and no comment begins inside code. */
        bool skipped = !in_comment && (in_code(&lines, line) || is_quote(line) ||
                                       in_indented_code(line, after_blank, &in_block));
        after_blank = is_blank(line);
        if (!skipped)
            put_prose(&out, line, &in_comment);
    }
    return bl_machine_text(call->machine, &out, call->out);
}
