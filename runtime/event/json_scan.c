/* SPDX-License-Identifier: Apache-2.0 */
#include "event/json_scan.h"

#include "base/utf8.h"

#include <string.h>

/* What cJSON takes of a number; a longer one would end in the middle. */
#define NUMBER_BYTES 63

struct scan {
    struct bl_arena *scratch;
    char *text;
    size_t len;
    size_t at;
    size_t depth;
    size_t max_depth;
    struct bl_json_tokens *out;
    struct bl_json_error *error;
};

static bool refuse(struct scan *s, size_t offset, bl_str message)
{
    *s->error = (struct bl_json_error){.offset = offset, .message = message};
    return false;
}

static bool add_token(struct scan *s, size_t lo, enum bl_json_token_kind kind, bool escaped)
{
    struct bl_json_token *token = BL_PUSH(s->scratch, s->out->list);
    if (token == NULL) {
        refuse(s, 0, BL_STR("Out of memory."));
        s->error->no_memory = true;
        return false;
    }
    *token = (struct bl_json_token){(uint32_t)lo, (uint32_t)s->at, (uint8_t)kind, escaped};
    return true;
}

/* The character at an offset, NUL behind the end: no token has one. */
static char peek(const struct scan *s, size_t at)
{
    return at < s->len ? s->text[at] : '\0';
}

static void skip_blanks(struct scan *s)
{
    while (s->at < s->len && (s->text[s->at] == ' ' || s->text[s->at] == '\t' ||
                              s->text[s->at] == '\n' || s->text[s->at] == '\r')) {
        s->at++;
    }
}

/* Four hexadecimal digits at `at`; -1 when they are not there. */
static int hex4(const struct scan *s, size_t at)
{
    int value = 0;
    for (size_t i = at; i < at + 4; i++) {
        char c = bl_ascii_lower(peek(s, i));
        if (bl_is_ascii_digit(c)) {
            value = value * 16 + (c - '0');
        } else if (c >= 'a' && c <= 'f') {
            value = value * 16 + (c - 'a' + 10);
        } else {
            return -1;
        }
    }
    return value;
}

static bool scan_unicode_escape(struct scan *s)
{
    size_t lo = s->at;
    int unit = hex4(s, lo + 2);
    if (unit < 0) {
        return refuse(s, lo, BL_STR("'\\u' needs four hexadecimal digits."));
    }
    s->at += 6;
    if (unit == 0) {
        /* cJSON would end the string here. */
        memcpy(s->text + lo, "\\ufffd", 6);
        s->out->notes++;
    } else if (unit >= 0xD800 && unit <= 0xDFFF) {
        int low = peek(s, s->at) == '\\' && peek(s, s->at + 1) == 'u' ? hex4(s, s->at + 2) : -1;
        if (unit > 0xDBFF || low < 0xDC00 || low > 0xDFFF) {
            return refuse(s, lo,
                          BL_STR("This escape is one half of a character, and the other half "
                                 "is missing."));
        }
        s->at += 6;
    }
    return true;
}

#define EACH_BYTE(b) (UINT64_C(0x0101010101010101) * (b))

/* The highest bit of each byte that is zero, or below `least` (at most 0x80). Bits above the
 * lowest one that is set may be wrong. */
static uint64_t zeros(uint64_t word)
{
    return (word - EACH_BYTE(1)) & ~word & EACH_BYTE(0x80);
}

static uint64_t less(uint64_t word, unsigned least)
{
    return (word - EACH_BYTE(least)) & ~word & EACH_BYTE(0x80);
}

/* How many of the first bytes stand for themselves in a string. Strings are most of a payload,
 * so eight bytes are looked at in one step. */
static size_t plain_bytes(const char *at, size_t len)
{
    size_t i = 0;
    uint64_t word;
    while (len - i >= sizeof(word)) {
        memcpy(&word, at + i, sizeof(word));
        uint64_t ends =
            zeros(word ^ EACH_BYTE('"')) | zeros(word ^ EACH_BYTE('\\')) | less(word, 0x20);
        if (ends != 0) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
            return i + (size_t)__builtin_ctzll(ends) / 8;
#else
            break;
#endif
        }
        i += sizeof(word);
    }
    while (i < len && at[i] != '"' && at[i] != '\\' && (unsigned char)at[i] >= 0x20) {
        i++;
    }
    return i;
}

static bool scan_string(struct scan *s)
{
    size_t lo = s->at++;
    bool escaped = false;
    for (;;) {
        s->at += plain_bytes(s->text + s->at, s->len - s->at);
        if (s->at == s->len) {
            return refuse(s, lo, BL_STR("This string has no end."));
        }
        char c = s->text[s->at];
        if (c == '"') {
            break;
        }
        if (c != '\\') {
            return refuse(s, s->at, BL_STR("A control character in a string must be escaped."));
        }
        escaped = true;
        char next = peek(s, s->at + 1);
        if (next == 'u') {
            if (!scan_unicode_escape(s)) {
                return false;
            }
        } else if (next != '\0' && strchr("\"\\/bfnrt", next) != NULL) {
            s->at += 2;
        } else {
            return refuse(s, s->at, BL_STR("JSON has no such escape."));
        }
    }
    s->at++;
    size_t end = s->at;
    skip_blanks(s);
    bool key = peek(s, s->at) == ':';
    s->at = end;
    return add_token(s, lo, key ? BL_JSON_TOKEN_KEY : BL_JSON_TOKEN_STRING, escaped);
}

static bool scan_digits(struct scan *s)
{
    size_t from = s->at;
    while (bl_is_ascii_digit(peek(s, s->at))) {
        s->at++;
    }
    return s->at > from;
}

static bool scan_number(struct scan *s)
{
    size_t lo = s->at;
    s->at += peek(s, s->at) == '-';
    size_t first = s->at;
    bool good = scan_digits(s) && (s->text[first] != '0' || s->at == first + 1);
    if (good && peek(s, s->at) == '.') {
        s->at++;
        good = scan_digits(s);
    }
    if (good && (peek(s, s->at) == 'e' || peek(s, s->at) == 'E')) {
        s->at++;
        s->at += peek(s, s->at) == '+' || peek(s, s->at) == '-';
        good = scan_digits(s);
    }
    if (!good) {
        return refuse(s, lo, BL_STR("This is not how JSON writes a number."));
    }
    if (s->at - lo > NUMBER_BYTES) {
        return refuse(s, lo, BL_STR("This number is too long."));
    }
    return add_token(s, lo, BL_JSON_TOKEN_NUMBER, false);
}

static bool scan_word(struct scan *s)
{
    static const struct {
        const char *word;
        size_t len;
    } words[] = {{"true", 4}, {"false", 5}, {"null", 4}};
    size_t lo = s->at;
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (s->len - lo >= words[i].len &&
            memcmp(s->text + lo, words[i].word, words[i].len) == 0) {
            s->at += words[i].len;
            return add_token(s, lo, BL_JSON_TOKEN_OTHER, false);
        }
    }
    return refuse(s, lo, BL_STR("No JSON value begins like this."));
}

static bool scan_token(struct scan *s)
{
    char c = s->text[s->at];
    size_t lo = s->at;
    if (c == '"') {
        return scan_string(s);
    }
    if (c == '[' || c == '{') {
        if (++s->depth > s->max_depth) {
            return refuse(s, lo, BL_STR("Arrays and objects are nested too deeply here."));
        }
        s->at++;
        return add_token(s, lo, BL_JSON_TOKEN_OTHER, false);
    }
    if (c == ']' || c == '}') {
        if (s->depth == 0) {
            return refuse(s, lo, BL_STR("This bracket was never opened."));
        }
        s->depth--;
        s->at++;
        return true;
    }
    if (c == ',' || c == ':') {
        s->at++;
        return true;
    }
    if (c == '-' || bl_is_ascii_digit(c)) {
        return scan_number(s);
    }
    return scan_word(s);
}

bool bl_json_scan(struct bl_arena *scratch, char *text, size_t len, size_t max_depth,
                  struct bl_json_tokens *out, struct bl_json_error *error)
{
    struct scan s = {.scratch = scratch,
                     .text = text,
                     .len = len,
                     .max_depth = max_depth,
                     .out = out,
                     .error = error};
    *out = (struct bl_json_tokens){.notes = 0};
    bl_str whole = {text, len};
    if (bl_str_starts_with(whole, BL_STR("\xEF\xBB\xBF"))) {
        return refuse(&s, 0,
                      BL_STR("The text begins with a byte order mark; save it without."));
    }
    size_t invalid = bl_utf8_invalid_at(whole);
    if (invalid < len) {
        return refuse(&s, invalid, BL_STR("The text is not valid UTF-8 here."));
    }
    for (skip_blanks(&s); s.at < s.len; skip_blanks(&s)) {
        if (!scan_token(&s)) {
            return false;
        }
    }
    if (s.depth > 0) {
        return refuse(&s, s.len, BL_STR("The text ends inside an array or object."));
    }
    return true;
}
