/* SPDX-License-Identifier: Apache-2.0 */
#include "text/headings.h"

#include "base/lower_case.h"
#include "base/utf8.h"
#include "text/entity.h"
#include "text/pattern_chars.h"

#define HEADING_BYTES 1000
#define ANCHOR_BYTES  (4 * HEADING_BYTES) /* lower case may be longer */

/* ---- what is read of a heading ----------------------------------------------------------- */

static size_t run_of(bl_str s, size_t at, char c)
{
    size_t end = at;

    while (end < s.len && s.ptr[end] == c)
        end++;
    return end - at;
}

/* Behind the run of so many back-ticks that ends the span; SIZE_MAX when nothing does. */
static size_t code_end(bl_str s, size_t at, size_t ticks)
{
    while (at < s.len) {
        size_t run = run_of(s, at, '`');

        if (run == ticks)
            return at + run;
        at += run > 0 ? run : 1;
    }
    return SIZE_MAX;
}

/* Behind the bracket that closes the one at `at`; SIZE_MAX when none does. */
static size_t closed(bl_str s, size_t at, char open, char close)
{
    size_t depth = 0;

    for (; at < s.len; at++) {
        if (s.ptr[at] == '\\')
            at++;
        else if (s.ptr[at] == open)
            depth++;
        else if (s.ptr[at] == close && --depth == 0)
            return at + 1;
    }
    return SIZE_MAX;
}

/* Behind the target of a link whose text ended just before: (…) or […]; `at` when there is
 * none.
 */
static size_t target_end(bl_str s, size_t at)
{
    char open = at < s.len ? s.ptr[at] : '\0';
    size_t end = open == '('   ? closed(s, at, '(', ')')
                 : open == '[' ? closed(s, at, '[', ']')
                               : at;

    return end == SIZE_MAX ? at : end;
}

static size_t image_end(bl_str s, size_t at)
{
    size_t end = closed(s, at + 1, '[', ']');

    return end == SIZE_MAX ? at + 2 : target_end(s, end);
}

/* Behind a tag or an address in angle brackets; `at` when there is none. */
static size_t tag_end(bl_str s, size_t at)
{
    bl_str rest = bl_str_slice(s, at + 1, s.len);
    size_t end = bl_str_find_char(rest, '>');
    char first = rest.len > 0 ? rest.ptr[0] : '\0';

    return end != SIZE_MAX && (bl_is_ascii_alpha(first) || first == '/' || first == '!')
               ? at + 2 + end
               : at;
}

static bool is_punctuation(char c)
{
    return c > ' ' && c < 0x7F && !bl_is_ascii_alpha(c) && !bl_is_ascii_digit(c);
}

static bool is_inner(bl_str s, size_t at)
{
    char c = at < s.len ? s.ptr[at] : ' ';

    return bl_is_ascii_alpha(c) || bl_is_ascii_digit(c) || c == '_' || (unsigned char)c >= 0x80;
}

/* Between letters it is a character, else the mark of an emphasis. */
static bool is_emphasis(bl_str s, size_t at)
{
    return s.ptr[at] == '*' ||
           (s.ptr[at] == '_' && (at == 0 || !is_inner(s, at - 1) || !is_inner(s, at + 1)));
}

/* What stands at `at`, once it is read; where it goes on. */
static size_t read_one(bl_str s, size_t at, struct bl_buf *out)
{
    char reference[BL_ENTITY_BYTES];
    size_t length = 0, end;
    char c = s.ptr[at];

    if (c == '\\' && at + 1 < s.len && is_punctuation(s.ptr[at + 1])) {
        bl_buf_put_char(out, s.ptr[at + 1]);
        return at + 2;
    }
    if (c == '`') {
        size_t ticks = run_of(s, at, '`');
        end = code_end(s, at + ticks, ticks);
        if (end == SIZE_MAX)
            return at + ticks;
        bl_buf_put(out, bl_str_trim(bl_str_slice(s, at + ticks, end - ticks)));
        return end;
    }
    if (c == '!' && at + 1 < s.len && s.ptr[at + 1] == '[')
        return image_end(s, at);
    if (c == ']')
        return target_end(s, at + 1);
    if (c == '<' && (end = tag_end(s, at)) > at) {
        bl_str inner = bl_str_slice(s, at + 1, end - 1);
        bool is_address = bl_str_find_char(inner, ' ') == SIZE_MAX &&
                          (bl_str_find_char(inner, ':') != SIZE_MAX ||
                           bl_str_find_char(inner, '@') != SIZE_MAX);
        bl_buf_put(out, is_address ? inner : (bl_str){NULL, 0});
        return end;
    }
    if (c == '&' && (end = bl_entity_read(s, at, reference, &length)) > 0) {
        bl_buf_put(out, (bl_str){reference, length});
        return at + end;
    }
    if (c == '\n' || c == '\r' || c == '\t')
        bl_buf_put_char(out, ' ');
    else if (c != '[' && !is_emphasis(s, at))
        bl_buf_put_char(out, c);
    return at + 1;
}

static bl_str as_read(struct bl_arena *arena, bl_str heading)
{
    struct bl_buf out;

    bl_buf_init(&out, arena, heading.len + 1);
    for (size_t at = 0; at < heading.len;)
        at = read_one(heading, at, &out);
    return bl_str_trim(bl_buf_str(&out));
}

/* ---- anchors ----------------------------------------------------------------------------- */

static bool is_in(struct bl_chars set, uint32_t c)
{
    size_t low = 0, high = set.count;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (set.ranges[middle].hi < c)
            low = middle + 1;
        else
            high = middle;
    }
    return low < set.count && set.ranges[low].lo <= c;
}

static bool stays(uint32_t c)
{
    if (c < 0x80)
        return bl_is_ascii_alpha((char)c) || bl_is_ascii_digit((char)c) || c == '-' || c == '_';
    return is_in(bl_chars_unicode(BL_STR("L")), c) || is_in(bl_chars_unicode(BL_STR("N")), c) ||
           (c >= 0x300 && c <= 0x36F);
}

static bl_str anchor_of(struct bl_arena *arena, bl_str text)
{
    struct bl_buf low, out;

    bl_buf_init(&low, arena, ANCHOR_BYTES);
    bl_buf_init(&out, arena, ANCHOR_BYTES);
    bl_lower_case(&low, text);
    bl_str lower = bl_buf_str(&low);
    for (size_t at = 0; at < lower.len;) {
        size_t from = at;
        uint32_t c = bl_utf8_decode(lower, &at);

        if (c == ' ')
            bl_buf_put_char(&out, '-');
        else if (stays(c))
            bl_buf_put(&out, bl_str_slice(lower, from, at));
    }
    return bl_buf_str(&out);
}

/* How often an anchor was there already. */
struct met {
    bl_str anchor;
    size_t times;
};

static bl_str numbered(struct bl_arena *arena, bl_str anchor, size_t times)
{
    struct bl_buf out;

    bl_buf_init(&out, arena, anchor.len + 24);
    bl_buf_put(&out, anchor);
    bl_buf_put_char(&out, '-');
    bl_buf_put_int(&out, (int64_t)times);
    return bl_buf_str(&out);
}

static enum bl_status number_twins(struct bl_arena *arena, struct bl_headings *headings)
{
    size_t slots = 16;
    struct met *met;

    while (slots < 2 * headings->list.count)
        slots *= 2;
    met = BL_NEW_ARRAY(arena, slots, struct met);
    if (met == NULL)
        return BL_ERR_NOMEM;
    for (size_t i = 0; i < headings->list.count; i++) {
        bl_str *anchor = &headings->list.items[i].anchor;
        size_t slot = bl_str_hash_nocase(*anchor, 0) & (slots - 1);

        while (met[slot].times > 0 && !bl_str_equal(met[slot].anchor, *anchor))
            slot = (slot + 1) & (slots - 1);
        met[slot].anchor = *anchor;
        if (met[slot].times++ > 0)
            *anchor = numbered(arena, *anchor, met[slot].times - 1);
    }
    return arena->failed ? BL_ERR_NOMEM : BL_OK;
}

/* ---- lines ------------------------------------------------------------------------------- */

struct reading {
    struct bl_arena *arena;
    struct bl_headings *out;
    bl_str fence;             /* what opened the one in hand; empty: none is open */
    bool in_html;             /* up to an empty line */
    const char *const *until; /* within HTML that one of these ends; NULL: in none */
    bool in_matter;           /* in front of the text: YAML between lines of --- */
    bl_str paragraph; /* that a line of = or - would make a heading; NULL: there is none */
};

static void add(struct reading *r, bl_str heading)
{
    struct bl_heading *slot = BL_PUSH(r->arena, r->out->list);
    size_t end = heading.len < HEADING_BYTES ? heading.len : HEADING_BYTES;

    /* Not within a character. */
    while (end < heading.len && end > 0 && ((unsigned char)heading.ptr[end] & 0xC0) == 0x80)
        end--;
    if (slot == NULL)
        return;
    slot->text = as_read(r->arena, bl_str_slice(heading, 0, end));
    slot->anchor = anchor_of(r->arena, slot->text);
}

static bl_str fence_of(bl_str line)
{
    char c = line.len > 0 ? line.ptr[0] : '\0';
    size_t run = c == '`' || c == '~' ? run_of(line, 0, c) : 0;

    if (run < 3 ||
        (c == '`' && bl_str_find_char(bl_str_slice(line, run, line.len), '`') != SIZE_MAX))
        return (bl_str){NULL, 0};
    return bl_str_slice(line, 0, run);
}

static bool closes(bl_str fence, bl_str line)
{
    size_t run = run_of(line, 0, fence.ptr[0]);

    return run >= fence.len && bl_str_trim(bl_str_slice(line, run, line.len)).len == 0;
}

/* The text behind one to six #; NULL when the line is no such heading. */
static bl_str of_marks(bl_str line)
{
    size_t marks = run_of(line, 0, '#');
    char behind = marks < line.len ? line.ptr[marks] : ' ';

    if (marks == 0 || marks > 6 || (behind != ' ' && behind != '\t'))
        return (bl_str){NULL, 0};
    bl_str text = bl_str_trim(bl_str_slice(line, marks, line.len));
    size_t end = text.len;
    while (end > 0 && text.ptr[end - 1] == '#')
        end--;
    bool is_closing = end == 0 || text.ptr[end - 1] == ' ' || text.ptr[end - 1] == '\t';
    text = bl_str_trim(bl_str_slice(text, 0, is_closing ? end : text.len));
    return text.ptr != NULL ? text : BL_STR("");
}

static bool is_underline(bl_str line)
{
    line = bl_str_trim(line);
    return line.len > 0 && (line.ptr[0] == '=' || line.ptr[0] == '-') &&
           run_of(line, 0, line.ptr[0]) == line.len;
}

static bool is_rule(bl_str line)
{
    size_t marks = 0;

    for (size_t i = 0; i < line.len; i++) {
        if (line.ptr[i] == line.ptr[0])
            marks++;
        else if (line.ptr[i] != ' ' && line.ptr[i] != '\t')
            return false;
    }
    return marks >= 3 && bl_str_find_char(BL_STR("-*_"), line.ptr[0]) != SIZE_MAX;
}

/* The elements that begin a block of HTML wherever they stand (CommonMark 0.31, 4.6). */
static const char *const blocks[] = {
    "address", "article",  "aside",   "base",     "basefont", "blockquote", "body",
    "caption", "center",   "col",     "colgroup", "dd",       "details",    "dialog",
    "dir",     "div",      "dl",      "dt",       "fieldset", "figcaption", "figure",
    "footer",  "form",     "frame",   "frameset", "h1",       "h2",         "h3",
    "h4",      "h5",       "h6",      "head",     "header",   "hr",         "html",
    "iframe",  "legend",   "li",      "link",     "main",     "menu",       "menuitem",
    "nav",     "noframes", "ol",      "optgroup", "option",   "p",          "param",
    "search",  "section",  "summary", "table",    "tbody",    "td",         "tfoot",
    "th",      "thead",    "title",   "tr",       "track",    "ul",
};

/* HTML that goes on over empty lines, and what ends it: kinds 1 to 5 there. */
static const char *const ends_of_raw[] = {"</script>", "</pre>", "</style>", "</textarea>",
                                          NULL};
static const char *const ends_of_comment[] = {"-->", NULL};
static const char *const ends_of_instruction[] = {"?>", NULL};
static const char *const ends_of_data[] = {"]]>", NULL};
static const char *const ends_of_declaration[] = {">", NULL};
static const struct {
    const char *begins;
    bool is_element; /* a blank, > or nothing stands behind the name */
    const char *const *until;
} unbroken[] = {
    {"<script", true, ends_of_raw},     {"<pre", true, ends_of_raw},
    {"<style", true, ends_of_raw},      {"<textarea", true, ends_of_raw},
    {"<!--", false, ends_of_comment},   {"<?", false, ends_of_instruction},
    {"<![CDATA[", false, ends_of_data},
};

static const char *const *unbroken_html(bl_str line)
{
    for (size_t i = 0; i < sizeof unbroken / sizeof unbroken[0]; i++) {
        bl_str begins = bl_str_from(unbroken[i].begins);
        char behind = line.len > begins.len ? line.ptr[begins.len] : ' ';

        if (bl_str_equal_nocase(bl_str_slice(line, 0, begins.len), begins) &&
            (!unbroken[i].is_element || behind == ' ' || behind == '\t' || behind == '>'))
            return unbroken[i].until;
    }
    return bl_str_starts_with(line, BL_STR("<!")) && line.len > 2 &&
                   bl_is_ascii_alpha(line.ptr[2])
               ? ends_of_declaration
               : NULL;
}

static bool holds_one_of(bl_str line, const char *const *ends)
{
    for (; *ends != NULL; ends++) {
        bl_str end = bl_str_from(*ends);

        for (size_t at = 0; at + end.len <= line.len; at++) {
            if (bl_str_equal_nocase(bl_str_slice(line, at, at + end.len), end))
                return true;
        }
    }
    return false;
}

/* Any other tag does when nothing stands behind it. */
static bool is_html(bl_str line)
{
    size_t from = line.len > 1 && line.ptr[1] == '/' ? 2 : 1, to = from;
    size_t end = bl_str_find_char(line, '>');

    if (line.ptr[0] != '<' || from >= line.len || !bl_is_ascii_alpha(line.ptr[from]))
        return false;
    while (to < line.len &&
           (bl_is_ascii_alpha(line.ptr[to]) || bl_is_ascii_digit(line.ptr[to])))
        to++;
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        if (bl_str_equal_nocase(bl_str_slice(line, from, to), bl_str_from(blocks[i])))
            return true;
    }
    return end != SIZE_MAX && bl_str_trim(bl_str_slice(line, end + 1, line.len)).len == 0;
}

/* Quotations, lists, tables and HTML: none becomes a heading by a line below it. */
static bool is_other_block(bl_str line)
{
    size_t digits = 0;

    while (digits < line.len && bl_is_ascii_digit(line.ptr[digits]))
        digits++;
    if (digits > 0 && digits + 1 < line.len)
        return (line.ptr[digits] == '.' || line.ptr[digits] == ')') &&
               line.ptr[digits + 1] == ' ';
    return line.ptr[0] == '>' || line.ptr[0] == '|' ||
           (line.len > 1 && line.ptr[1] == ' ' &&
            bl_str_find_char(BL_STR("-*+"), line.ptr[0]) != SIZE_MAX);
}

static void take_text(struct reading *r, bl_str line)
{
    const bl_str none = {NULL, 0};
    bl_str heading = of_marks(line);

    if (heading.ptr != NULL) {
        add(r, heading);
        r->paragraph = none;
    } else if (r->paragraph.ptr != NULL && is_underline(line)) {
        add(r, r->paragraph);
        r->paragraph = none;
    } else if (r->paragraph.ptr != NULL) {
        r->paragraph.len = (size_t)(line.ptr + line.len - r->paragraph.ptr);
    } else if (is_html(line)) {
        r->in_html = true;
    } else if (!is_other_block(line) && !is_rule(line)) {
        r->paragraph = line;
    }
}

static void take_line(struct reading *r, bl_str whole)
{
    const bl_str none = {NULL, 0};
    size_t indent = run_of(whole, 0, ' ');
    bl_str line = bl_str_slice(whole, indent, whole.len);

    if (r->in_matter) {
        r->in_matter = !bl_str_equal(bl_str_trim(whole), BL_STR("---"));
    } else if (r->in_html) {
        r->in_html = bl_str_trim(line).len > 0;
    } else if (r->fence.len > 0) {
        if (indent < 4 && closes(r->fence, line))
            r->fence = none;
    } else if (r->until != NULL) {
        r->until = holds_one_of(line, r->until) ? NULL : r->until;
    } else if (bl_str_trim(line).len == 0) {
        r->paragraph = none;
    } else if (indent >= 4 || line.ptr[0] == '\t') {
        return; /* code, or it goes on with the paragraph */
    } else if (fence_of(line).len > 0) {
        r->fence = fence_of(line);
        r->paragraph = none;
    } else if (unbroken_html(line) != NULL) {
        r->until = unbroken_html(line);
        r->until = holds_one_of(line, r->until) ? NULL : r->until;
        r->paragraph = none;
    } else {
        take_text(r, line);
    }
}

enum bl_status bl_headings_read(struct bl_arena *arena, bl_str file, struct bl_headings *out)
{
    struct reading reading = {.arena = arena, .out = out};

    *out = (struct bl_headings){{NULL, 0, 0}};
    if (bl_str_starts_with(file, BL_STR("---")) &&
        bl_str_find(file, BL_STR("\n---")) != SIZE_MAX &&
        bl_str_trim(bl_str_slice(file, 0, bl_str_find_char(file, '\n'))).len == 3) {
        reading.in_matter = true;
        file = bl_str_slice(file, bl_str_find_char(file, '\n') + 1, file.len);
    }
    while (file.len > 0) {
        size_t end = bl_str_find_char(file, '\n');
        bl_str line = bl_str_slice(file, 0, end);

        file = end == SIZE_MAX ? (bl_str){NULL, 0} : bl_str_slice(file, end + 1, file.len);
        if (line.len > 0 && line.ptr[line.len - 1] == '\r')
            line.len--;
        take_line(&reading, line);
    }
    return arena->failed ? BL_ERR_NOMEM : number_twins(arena, out);
}
