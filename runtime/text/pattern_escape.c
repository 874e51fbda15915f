/* SPDX-License-Identifier: Apache-2.0 */
#include "text/pattern_escape.h"

#include "base/utf8.h"

static const struct bl_chars no_chars = {NULL, 0};

bool bl_pattern_fail_at(struct bl_pattern_parser *parser, size_t at, bl_str message,
                        bl_str help)
{
    if (parser->error->message.len == 0) {
        *parser->error = (struct bl_pattern_error){at, message, help, false};
    }
    return false;
}

void bl_pattern_out_of_memory(struct bl_pattern_error *error)
{
    *error = (struct bl_pattern_error){0, BL_STR("There is not enough memory for the pattern."),
                                       BL_STR(""), true};
}

int bl_pattern_peek(const struct bl_pattern_parser *parser)
{
    return parser->at < parser->source.len ? (int)(unsigned char)parser->source.ptr[parser->at]
                                           : -1;
}

/* ---- code points by number -------------------------------------------------------------- */

static int hex_value(int byte)
{
    if (byte >= '0' && byte <= '9') {
        return byte - '0';
    }
    if (byte >= 'a' && byte <= 'f') {
        return byte - 'a' + 10;
    }
    return byte >= 'A' && byte <= 'F' ? byte - 'A' + 10 : -1;
}

/* Up to `max` hexadecimal digits; returns how many. */
static size_t hex_digits(struct bl_pattern_parser *p, size_t max, uint32_t *value)
{
    size_t count = 0;
    *value = 0;
    for (; count < max && hex_value(bl_pattern_peek(p)) >= 0; count++, p->at++) {
        *value = *value << 4 | (uint32_t)hex_value(bl_pattern_peek(p));
    }
    return count;
}

/* Behind "\u". */
static bool code_point(struct bl_pattern_parser *p, size_t begin, uint32_t *code)
{
    if (bl_pattern_peek(p) != '{') {
        return BL_PATTERN_FAIL(p, begin, "The number behind '\\u' stands in braces.",
                               "Write '\\u{1F600}'.");
    }
    p->at++;
    size_t digits = hex_digits(p, 6, code);
    if (digits == 0 || bl_pattern_peek(p) != '}') {
        return BL_PATTERN_FAIL(p, begin,
                               "'\\u{' wants one to six hexadecimal digits and a '}'.",
                               "Write '\\u{1F600}'.");
    }
    p->at++;
    if (*code > BL_CODE_POINT_MAX || (*code >= 0xD800 && *code <= 0xDFFF)) {
        return BL_PATTERN_FAIL(p, begin, "No character has this number.",
                               "Numbers end at 10FFFF, and D800 to DFFF are none.");
    }
    return true;
}

/* Behind "\x". */
static bool byte_code(struct bl_pattern_parser *p, size_t begin, uint32_t *code)
{
    if (hex_digits(p, 2, code) != 2) {
        return BL_PATTERN_FAIL(p, begin, "'\\x' wants two hexadecimal digits.",
                               "Write '\\x41', or '\\u{41}'.");
    }
    return true;
}

/* ---- classes by name -------------------------------------------------------------------- */

/* Behind "\p" or "\P". */
static bool property(struct bl_pattern_parser *p, size_t begin, struct bl_chars *out)
{
    bool negate = p->source.ptr[p->at - 1] == 'P';
    size_t close = bl_str_find_char(bl_str_slice(p->source, p->at, p->source.len), '}');
    if (bl_pattern_peek(p) != '{' || close == SIZE_MAX) {
        return BL_PATTERN_FAIL(p, begin, "The name behind '\\p' stands in braces.",
                               "Write '\\p{L}'.");
    }
    bl_str name = bl_str_slice(p->source, p->at + 1, p->at + close);
    *out = bl_chars_unicode(name);
    if (out->count == 0) {
        return BL_PATTERN_FAIL(p, begin, "No class of characters has this name.",
                               "There are L, Lu, Ll, N and Extended_Pictographic.");
    }
    if (negate) {
        *out = bl_chars_negate(p->arena, *out);
    }
    p->at += close + 1;
    return true;
}

/* \d \w \s and their opposites; false when the letter is none of these. */
static bool shorthand(struct bl_pattern_parser *p, char letter, struct bl_chars *out)
{
    struct bl_chars_builder builder = {.arena = p->arena};
    switch (bl_ascii_lower(letter)) {
    case 'd':
        bl_chars_add(&builder, '0', '9');
        break;
    case 'w':
        bl_chars_add(&builder, '0', '9');
        bl_chars_add(&builder, 'A', 'Z');
        bl_chars_add(&builder, '_', '_');
        bl_chars_add(&builder, 'a', 'z');
        break;
    case 's':
        bl_chars_add(&builder, '\t', '\r');
        bl_chars_add(&builder, ' ', ' ');
        break;
    default:
        return false;
    }
    *out = bl_chars_finish(&builder, false, letter < 'a');
    return true;
}

/* ---- escapes ---------------------------------------------------------------------------- */

static bool is_ascii_punctuation(char c)
{
    return c > ' ' && c < 0x7F && !bl_is_ascii_alpha(c) && !bl_is_ascii_digit(c);
}

/* Escapes of other languages that this one leaves out, each with its own answer. */
static bool refuse(struct bl_pattern_parser *p, size_t begin, char letter, bool in_class)
{
    if (letter == '0') {
        return BL_PATTERN_FAIL(p, begin, "There is no escape '\\0'.", "Write '\\u{0}'.");
    }
    if (bl_is_ascii_digit(letter) || letter == 'k' || letter == 'g') {
        return BL_PATTERN_FAIL(p, begin, "References back to a group are left out.",
                               "They have no linear time: use 'finds' and compare.");
    }
    if (in_class && (letter == 'b' || letter == 'B')) {
        return BL_PATTERN_FAIL(p, begin, "A class has no assertions.",
                               "Put '\\b' outside; '\\x08' is the backspace.");
    }
    if (letter == 'A') {
        return BL_PATTERN_FAIL(p, begin, "There is no assertion '\\A'.",
                               "Write '^' without the flag 'm'.");
    }
    if (letter == 'z' || letter == 'Z') {
        return BL_PATTERN_FAIL(p, begin, "There is no assertion '\\z'.",
                               "Write '$' without the flag 'm'.");
    }
    if (letter == 'R') {
        return BL_PATTERN_FAIL(p, begin, "There is no escape '\\R'.", "Write '\\r?\\n'.");
    }
    if (letter == 'h' || letter == 'H') {
        return BL_PATTERN_FAIL(p, begin, "There is no escape '\\h'.", "Write '[ \\t]'.");
    }
    if (letter == 'Q' || letter == 'E') {
        return BL_PATTERN_FAIL(p, begin, "There is no escape '\\Q'.",
                               "Put a backslash in front of each character.");
    }
    return BL_PATTERN_FAIL(
        p, begin, "This escape has no meaning.",
        "Write the character without the backslash, or '\\\\' for a backslash.");
}

bool bl_pattern_escape_read(struct bl_pattern_parser *p, bool in_class,
                            struct bl_pattern_escape *out)
{
    static const char letters[] = {'n', 't', 'r', 'f', 'v'};
    static const char meanings[] = {'\n', '\t', '\r', '\f', '\v'};
    size_t begin = p->at++;
    int next = bl_pattern_peek(p);
    uint32_t code = 0;
    if (next < 0) {
        return BL_PATTERN_FAIL(p, begin, "Nothing follows the backslash.",
                               "Write '\\\\' for a backslash.");
    }
    char letter = (char)next;
    p->at++;
    *out = (struct bl_pattern_escape){.is_class = true};
    if (shorthand(p, letter, &out->chars)) {
        return true;
    }
    if (letter == 'p' || letter == 'P') {
        return property(p, begin, &out->chars);
    }
    out->is_class = false;
    if (letter == 'u') {
        if (!code_point(p, begin, &code)) {
            return false;
        }
    } else if (letter == 'x') {
        if (!byte_code(p, begin, &code)) {
            return false;
        }
    } else if (is_ascii_punctuation(letter) || letter == ' ') {
        code = (uint32_t)letter;
    } else {
        size_t i = 0;
        while (i < sizeof(letters) && letters[i] != letter) {
            i++;
        }
        if (i == sizeof(letters)) {
            return refuse(p, begin, letter, in_class);
        }
        code = (uint32_t)meanings[i];
    }
    struct bl_chars_builder builder = {.arena = p->arena};
    bl_chars_add(&builder, code, code);
    out->chars = bl_chars_finish(&builder, false, false);
    return true;
}

/* ---- classes in brackets ---------------------------------------------------------------- */

static bool class_item(struct bl_pattern_parser *p, struct bl_pattern_escape *out)
{
    int next = bl_pattern_peek(p);
    if (next == '\\') {
        return bl_pattern_escape_read(p, true, out);
    }
    if (next == '[' && p->at + 1 < p->source.len &&
        (p->source.ptr[p->at + 1] == ':' || p->source.ptr[p->at + 1] == '.' ||
         p->source.ptr[p->at + 1] == '=')) {
        return BL_PATTERN_FAIL(p, p->at, "Classes such as '[:alpha:]' are left out.",
                               "Write '[A-Za-z]', '\\d', '\\w', '\\s' or '\\p{L}'; "
                               "'\\[' is the character.");
    }
    struct bl_chars_builder builder = {.arena = p->arena};
    uint32_t code = bl_utf8_decode(p->source, &p->at);
    bl_chars_add(&builder, code, code);
    *out = (struct bl_pattern_escape){bl_chars_finish(&builder, false, false), false};
    return true;
}

/* One character, class or range. */
static bool class_part(struct bl_pattern_parser *p, struct bl_chars_builder *builder)
{
    size_t begin = p->at;
    struct bl_pattern_escape from;
    struct bl_pattern_escape to;
    if (!class_item(p, &from)) {
        return false;
    }
    bool range = bl_pattern_peek(p) == '-' && p->at + 1 < p->source.len &&
                 p->source.ptr[p->at + 1] != ']';
    if (!range) {
        bl_chars_add_set(builder, from.chars);
        return true;
    }
    p->at++;
    if (!class_item(p, &to)) {
        return false;
    }
    if (p->arena->failed) {
        return false;
    }
    if (from.is_class || to.is_class) {
        return BL_PATTERN_FAIL(p, begin, "A class cannot be the end of a range.",
                               "Write '\\-' for the character, or put it last.");
    }
    if (to.chars.ranges[0].lo < from.chars.ranges[0].lo) {
        return BL_PATTERN_FAIL(p, begin, "The range ends before it begins.",
                               "Put the lower character first; '\\-' is the character.");
    }
    bl_chars_add(builder, from.chars.ranges[0].lo, to.chars.ranges[0].lo);
    return true;
}

struct bl_chars bl_pattern_class_read(struct bl_pattern_parser *p)
{
    struct bl_chars_builder builder = {.arena = p->arena};
    size_t begin = p->at++;
    bool negate = bl_pattern_peek(p) == '^';
    p->at += negate;
    if (bl_pattern_peek(p) == ']') {
        if (negate) {
            BL_PATTERN_FAIL(p, begin, "A class needs a character.",
                            "Write '[\\s\\S]' for any character, '\\]' for a bracket.");
        } else {
            BL_PATTERN_FAIL(p, begin, "A class without characters finds nothing.",
                            "'[\\]]' is a class with a bracket.");
        }
        return no_chars;
    }
    while (bl_pattern_peek(p) >= 0 && bl_pattern_peek(p) != ']') {
        if (!class_part(p, &builder)) {
            return no_chars;
        }
    }
    if (bl_pattern_peek(p) < 0) {
        BL_PATTERN_FAIL(p, begin, "This '[' is not closed.",
                        "Add a ']', or write '\\[' for the character.");
        return no_chars;
    }
    p->at++;
    struct bl_chars chars = bl_chars_finish(&builder, p->fold, negate);
    if (chars.count == 0 && !p->arena->failed) {
        BL_PATTERN_FAIL(p, begin, "This class excludes every character.",
                        "Nothing would ever match: name fewer.");
    }
    return chars;
}
