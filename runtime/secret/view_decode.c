/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"
#include "base/utf8.h"
#include "secret/view.h"
#include "text/entity.h"
#include "text/island.h"

#include <string.h>

/* Decoding what others encoded. Each reader takes what begins at a place, or nothing. */

#define LEAST_RUN 16u /* with what fills the last group */
#define PADDING   2u
#define SIGNS     3u
#define NOT_YET   (SIZE_MAX - 1)

struct decoding {
    struct bl_arena *arena;
    bl_str text;
    size_t at;
    size_t copied; /* up to where the text is in `out` */
    unsigned wanted;
    struct bl_buf out;
    struct bl_view *view;
    struct bl_view_lines *lines; /* only those are wanted that hold something; or NULL */
    bool holds;                  /* so: the last step came upon something */
    char *run;                   /* memory for one of `room` bytes */
    size_t room;
    size_t signs[SIGNS];    /* where each sign stands next; behind `at`, or nowhere */
    struct bl_match island; /* the next long run of digits, which may have begun before */
    bool letters[256];      /* and digits, of Base64 without its signs */
    uint64_t *steps;
};

static const bool is_hex[256] = {
    ['0'] = true, ['1'] = true, ['2'] = true, ['3'] = true, ['4'] = true, ['5'] = true,
    ['6'] = true, ['7'] = true, ['8'] = true, ['9'] = true, ['a'] = true, ['b'] = true,
    ['c'] = true, ['d'] = true, ['e'] = true, ['f'] = true, ['A'] = true, ['B'] = true,
    ['C'] = true, ['D'] = true, ['E'] = true, ['F'] = true};

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))
        return (c | 0x20) - 'a' + 10;
    return -1;
}

static void copy_to(struct decoding *d, size_t at)
{
    if (d->copied < at)
        bl_buf_put(&d->out, bl_str_slice(d->text, d->copied, at));
    d->copied = at;
}

/* Takes `size` bytes of the text for these. */
static bool take(struct decoding *d, size_t size, bl_str bytes)
{
    d->holds = true;
    if (d->lines != NULL) {
        d->at += size;
        return true;
    }
    struct bl_view_piece *slot = BL_PUSH(d->arena, d->view->pieces);
    if (slot == NULL)
        return false;
    copy_to(d, d->at);
    d->copied = d->at + size;
    *slot = (struct bl_view_piece){d->out.len, bytes.len, d->at, size};
    bl_buf_put(&d->out, bytes);
    d->at += size;
    return true;
}

static bool wants(const struct decoding *d, enum bl_decoding decoding)
{
    return (d->wanted >> decoding & 1u) != 0;
}

/* Hex digits from `at` on, at most so many; returns how many there are. */
static size_t hex_number(bl_str text, size_t at, size_t most, uint32_t *value)
{
    size_t count = 0;

    *value = 0;
    for (; count < most && at + count < text.len; count++) {
        int digit = hex_digit(text.ptr[at + count]);
        if (digit < 0)
            break;
        *value = *value << 4 | (uint32_t)digit;
    }
    return count;
}

static bool take_point(struct decoding *d, size_t size, uint32_t point)
{
    char bytes[4];

    if (point >= 0xD800 && (point < 0xE000 || point > 0x10FFFF))
        point = 0xFFFD;
    return take(d, size, (bl_str){bytes, bl_utf8_encode(point, bytes)});
}

static bool take_byte(struct decoding *d, size_t size, uint32_t value)
{
    char byte = (char)value;

    return take(d, size, (bl_str){&byte, 1});
}

/* ---- signs --------------------------------------------------------------------------------
 */

/* %41, and %u0041 of old scripts. */
static bool percent(struct decoding *d)
{
    uint32_t value;

    if (d->at + 1 < d->text.len && d->text.ptr[d->at + 1] == 'u')
        return hex_number(d->text, d->at + 2, 4, &value) != 4 || take_point(d, 6, value);
    return hex_number(d->text, d->at + 1, 2, &value) != 2 || take_byte(d, 3, value);
}

/* \u{41}, \x{41}, \u{67 68}: each number in braces as a character. */
static bool in_braces(struct decoding *d)
{
    for (size_t at = d->at + 3;; at = d->at) {
        uint32_t value;
        size_t end = at + hex_number(d->text, at, 6, &value);
        char c = end < d->text.len ? d->text.ptr[end] : '\0';

        if (end == at || (c != '}' && c != ' '))
            return true;
        if (!take_point(d, end + 1 - d->at, value))
            return false;
        if (c == '}')
            return true;
    }
}

static bool pair(struct decoding *d, uint32_t high)
{
    bl_str text = d->text;
    uint32_t low;

    if (d->at + 12 > text.len || text.ptr[d->at + 6] != '\\' || text.ptr[d->at + 7] != 'u' ||
        hex_number(text, d->at + 8, 4, &low) != 4 || low < 0xDC00 || low >= 0xE000)
        return take_point(d, 6, high);
    return take_point(d, 12, 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00));
}

/* \u0041, a pair of them, \uu0041 of Java, \U00000041, \u{41}. */
static bool unit(struct decoding *d)
{
    bool is_long = d->text.ptr[d->at + 1] == 'U';
    size_t at = d->at + 2, most = is_long ? 8 : 4;
    uint32_t value;

    if (!is_long && at < d->text.len && d->text.ptr[at] == '{')
        return in_braces(d);
    at += !is_long && at < d->text.len && d->text.ptr[at] == 'u';
    if (hex_number(d->text, at, most, &value) != most)
        return true;
    if (!is_long && at == d->at + 2 && value >= 0xD800 && value < 0xDC00)
        return pair(d, value);
    return take_point(d, at + most - d->at, value);
}

static bool octal(struct decoding *d)
{
    uint32_t value = 0;
    size_t count = 0;

    for (; count < 3 && d->at + 1 + count < d->text.len; count++) {
        char c = d->text.ptr[d->at + 1 + count];
        if (c < '0' || c > '7')
            break;
        value = value * 8 + (uint32_t)(c - '0');
    }
    return take_byte(d, 1 + count, value & 0xFF);
}

/* \o{147} of Perl. */
static bool octal_in_braces(struct decoding *d)
{
    size_t at = d->at + 3;
    uint32_t value = 0;

    for (; at < d->text.len && at < d->at + 10; at++) {
        char c = d->text.ptr[at];
        if (c < '0' || c > '7')
            break;
        value = value * 8 + (uint32_t)(c - '0');
    }
    if (at == d->at + 3 || at >= d->text.len || d->text.ptr[at] != '}')
        return true;
    return take_point(d, at + 1 - d->at, value);
}

static bool escape(struct decoding *d)
{
    static const char letters[] = "abefnrtv\"'/\\`", meant[] = "\a\b\x1b\f\n\r\t\v\"'/\\`";
    uint32_t value;
    size_t count;

    if (d->at + 1 >= d->text.len)
        return true;
    char c = d->text.ptr[d->at + 1];
    if (c == 'u' || c == 'U')
        return unit(d);
    if (c == 'o' && d->at + 2 < d->text.len && d->text.ptr[d->at + 2] == '{')
        return octal_in_braces(d);
    if (c >= '0' && c <= '7')
        return octal(d);
    if (c == 'x' && d->at + 2 < d->text.len && d->text.ptr[d->at + 2] == '{')
        return in_braces(d);
    if (c == 'x') {
        count = hex_number(d->text, d->at + 2, 2, &value);
        return count == 0 || take_byte(d, 2 + count, value);
    }
    const char *letter = memchr(letters, c, sizeof letters - 1);
    return letter == NULL || take(d, 2, (bl_str){&meant[letter - letters], 1});
}

static bool marked(struct decoding *d)
{
    char c = d->at + 1 < d->text.len ? d->text.ptr[d->at + 1] : '\0';

    if (c <= ' ' || c >= 0x7F || bl_is_ascii_alpha(c) || bl_is_ascii_digit(c))
        return true;
    return take(d, 2, bl_str_slice(d->text, d->at + 1, d->at + 2));
}

static bool entity(struct decoding *d)
{
    char bytes[BL_ENTITY_BYTES];
    size_t length = 0, size = bl_entity_read(d->text, d->at, bytes, &length);

    return size == 0 || take(d, size, (bl_str){bytes, length});
}

/* ---- runs ---------------------------------------------------------------------------------
 */

/* Of both alphabets; one more than what a digit stands for, and 0 for what is none. */
static const unsigned char base64_digits[256] = {
    ['A'] = 1,  ['B'] = 2,  ['C'] = 3,  ['D'] = 4,  ['E'] = 5,  ['F'] = 6,  ['G'] = 7,
    ['H'] = 8,  ['I'] = 9,  ['J'] = 10, ['K'] = 11, ['L'] = 12, ['M'] = 13, ['N'] = 14,
    ['O'] = 15, ['P'] = 16, ['Q'] = 17, ['R'] = 18, ['S'] = 19, ['T'] = 20, ['U'] = 21,
    ['V'] = 22, ['W'] = 23, ['X'] = 24, ['Y'] = 25, ['Z'] = 26, ['a'] = 27, ['b'] = 28,
    ['c'] = 29, ['d'] = 30, ['e'] = 31, ['f'] = 32, ['g'] = 33, ['h'] = 34, ['i'] = 35,
    ['j'] = 36, ['k'] = 37, ['l'] = 38, ['m'] = 39, ['n'] = 40, ['o'] = 41, ['p'] = 42,
    ['q'] = 43, ['r'] = 44, ['s'] = 45, ['t'] = 46, ['u'] = 47, ['v'] = 48, ['w'] = 49,
    ['x'] = 50, ['y'] = 51, ['z'] = 52, ['0'] = 53, ['1'] = 54, ['2'] = 55, ['3'] = 56,
    ['4'] = 57, ['5'] = 58, ['6'] = 59, ['7'] = 60, ['8'] = 61, ['9'] = 62, ['+'] = 63,
    ['-'] = 63, ['/'] = 64, ['_'] = 64,
};

static int base64_digit(char c)
{
    return (int)base64_digits[(unsigned char)c] - 1;
}

static bool is_text_byte(unsigned char c)
{
    return c >= 0x20 ? c != 0x7F : c == '\t' || c == '\n' || c == '\r';
}

/* The next group of Base64, 4 digits or what is left: how many bytes it has. */
static size_t base64_group(bl_str digits, size_t at, char bytes[3])
{
    uint32_t value = 0;
    size_t count = digits.len - at < 4 ? digits.len - at : 4;

    for (size_t i = 0; i < 4; i++)
        value = value << 6 | (i < count ? (uint32_t)base64_digit(digits.ptr[at + i]) : 0);
    for (size_t i = 0; i < 3; i++)
        bytes[i] = (char)(value >> (16 - 8 * i) & 0xFF);
    return count < 2 ? 0 : count - 1;
}

static size_t hex_group(bl_str digits, size_t at, char bytes[3])
{
    if (digits.len - at < 2)
        return 0;
    bytes[0] = (char)(hex_digit(digits.ptr[at]) << 4 | hex_digit(digits.ptr[at + 1]));
    return 1;
}

struct alphabet {
    int (*digit)(char c);
    size_t (*group)(bl_str digits, size_t at, char bytes[3]);
    size_t step; /* digits of a group */
};

/* May the byte be the next one of a text? *left: bytes that go on the character so far. What
 * this passes may be no UTF-8 all the same, but most of what is no text ends here at once. */
static bool goes_on(unsigned char byte, unsigned *left)
{
    if (*left > 0) {
        *left -= 1;
        return (byte & 0xC0) == 0x80;
    }
    if (byte < 0x80)
        return is_text_byte(byte);
    *left = byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3;
    return byte >= 0xC2 && byte <= 0xF4;
}

/* What the digits say; NULL bytes when that is no text. */
static bl_str read_run(const struct decoding *d, const struct alphabet *a, bl_str digits)
{
    size_t len = 0;
    unsigned left = 0;
    char bytes[3];

    for (size_t at = 0; at < digits.len; at += a->step) {
        size_t count = a->group(digits, at, bytes);
        for (size_t i = 0; i < count; i++) {
            if (!goes_on((unsigned char)bytes[i], &left))
                return (bl_str){NULL, 0};
            d->run[len++] = bytes[i];
        }
    }
    bl_str text = {d->run, len};
    return bl_utf8_invalid_at(text) == len ? text : (bl_str){NULL, 0};
}

/* Group by group, so that what is found in it has its own place. */
static bool take_run(struct decoding *d, const struct alphabet *a, bl_str digits)
{
    char bytes[3];

    for (size_t at = 0; at < digits.len; at += a->step) {
        size_t size = digits.len - at < a->step ? digits.len - at : a->step;
        if (!take(d, size, (bl_str){bytes, a->group(digits, at, bytes)}))
            return false;
    }
    return true;
}

/* Where a word is glued to it, it begins a little later. Stays at a run that is none. */
static bool run(struct decoding *d, const struct alphabet *a, size_t end, bool *taken)
{
    *taken = false;
    for (size_t shift = 0; shift < a->step; shift++) {
        bl_str digits = bl_str_slice(d->text, d->at + shift, end);
        if (read_run(d, a, digits).ptr == NULL)
            continue;
        d->at += shift;
        *taken = true;
        return take_run(d, a, digits);
    }
    return true;
}

static size_t run_end(bl_str text, size_t at, int (*digit)(char c))
{
    while (at < text.len && digit(text.ptr[at]) >= 0)
        at++;
    return at;
}

static bool make_room(struct decoding *d, size_t size)
{
    if (size > d->room) {
        d->room = size > 2 * d->room ? size : 2 * d->room;
        d->run = bl_arena_alloc(d->arena, d->room, 1);
    }
    return d->run != NULL;
}

/* Signs of Base64 stand around other runs, too: the + and - of a patch, the / of a path, the -
 * behind `sha256`. */
static bool within(struct decoding *d, const bool digits[256], const struct alphabet *a,
                   size_t end, bool *taken)
{
    bl_str text = {d->text.ptr, end};

    for (struct bl_match found = {d->at, d->at};;) {
        bool taken_here;
        found = bl_island_next(digits, LEAST_RUN, text, found.hi, d->steps);
        if (found.lo >= end)
            return true;
        d->at = found.lo;
        if (!run(d, a, found.hi, &taken_here))
            return false;
        *taken = *taken || taken_here;
    }
}

/* What fills the last group of Base64 behind so many digits. */
static size_t padding(bl_str text, size_t end, size_t digits)
{
    size_t size = 0;

    while (digits % 4 > 1 && size < 4 - digits % 4 && end + size < text.len &&
           text.ptr[end + size] == '=')
        size++;
    return size;
}

/* A long run of digits up to the end of the island. */
static bool runs(struct decoding *d)
{
    static const struct alphabet hex = {hex_digit, hex_group, 2},
                                 base64 = {base64_digit, base64_group, 4};
    size_t from = d->at, end = d->island.hi;
    size_t padded = padding(d->text, end, end - from);
    bool taken = false;

    if (!make_room(d, end - from))
        return false;
    if (end - from >= LEAST_RUN && wants(d, BL_DECODING_HEX) &&
        run_end(d->text, from, hex_digit) == end && !run(d, &hex, end, &taken))
        return false;
    if (!taken && wants(d, BL_DECODING_BASE64)) {
        if (!run(d, &base64, end, &taken) ||
            (taken && padded > 0 && !take(d, padded, BL_STR(""))))
            return false;
    }
    if (!taken && wants(d, BL_DECODING_HEX) && !within(d, is_hex, &hex, end, &taken))
        return false;
    d->at = taken ? d->at : from;
    if (!taken && wants(d, BL_DECODING_BASE64) && !within(d, d->letters, &base64, end, &taken))
        return false;
    d->at = d->at < end ? end : d->at;
    return true;
}

/* ---- all of it ----------------------------------------------------------------------------
 */

static bool backslash(struct decoding *d)
{
    size_t from = d->at;

    if (wants(d, BL_DECODING_ESCAPES) && !escape(d))
        return false;
    return d->at > from || !wants(d, BL_DECODING_MARKDOWN) || marked(d);
}

static const struct sign {
    char character;
    unsigned decodings;
    bool (*decode)(struct decoding *d);
} signs[SIGNS] = {{'%', 1u << BL_DECODING_PERCENT, percent},
                  {'\\', 1u << BL_DECODING_ESCAPES | 1u << BL_DECODING_MARKDOWN, backslash},
                  {'&', 1u << BL_DECODING_ENTITIES, entity}};

static size_t next_sign(struct decoding *d, size_t sign)
{
    if (d->signs[sign] < d->at || d->signs[sign] == NOT_YET) {
        bl_str rest = bl_str_slice(d->text, d->at, d->text.len);
        size_t found = bl_str_find_char(rest, signs[sign].character);
        *d->steps += (found == SIZE_MAX ? rest.len : found) / 8 + 1;
        d->signs[sign] = found == SIZE_MAX ? SIZE_MAX : d->at + found;
    }
    return d->signs[sign];
}

/* Where the next long run begins, of what is not decoded yet; SIZE_MAX. */
static size_t next_run(struct decoding *d, const bool digits[256])
{
    for (;;) {
        size_t lo = d->island.lo > d->at ? d->island.lo : d->at;
        size_t size = d->island.hi > lo ? d->island.hi - lo : 0;
        if (size + padding(d->text, d->island.hi, size) >= LEAST_RUN)
            return lo;
        size_t from = d->island.hi > d->at ? d->island.hi : d->at;
        if (d->text.len - from < LEAST_RUN - PADDING)
            return SIZE_MAX;
        d->island = bl_island_next(digits, LEAST_RUN - PADDING, d->text, from, d->steps);
        if (d->island.lo == d->island.hi)
            return SIZE_MAX;
    }
}

/* What begins with a sign, or only the sign. */
static bool decode_sign(struct decoding *d, const struct sign *sign)
{
    size_t from = d->at;

    if (!sign->decode(d))
        return false;
    d->at += d->at == from;
    return true;
}

/* The next place where something may be decoded; SIZE_MAX. *first: the sign there, or a run. */
static size_t next_place(struct decoding *d, const bool digits[256], const struct sign **first)
{
    bool has_runs = wants(d, BL_DECODING_HEX) || wants(d, BL_DECODING_BASE64);
    size_t at = has_runs ? next_run(d, digits) : SIZE_MAX;

    *first = NULL;
    for (size_t i = 0; i < SIGNS; i++) {
        if ((d->wanted & signs[i].decodings) != 0 && next_sign(d, i) < at) {
            at = d->signs[i];
            *first = &signs[i];
        }
    }
    return at;
}

/* Most of a text has nothing to decode, and is passed over from sign to sign and from one long
 * run to the next; where lines are wanted, from what is decoded to the next line. */
static bool decode(struct decoding *d)
{
    bool digits[256];
    const struct sign *sign;

    for (unsigned byte = 0; byte < 256; byte++)
        digits[byte] = base64_digit((char)byte) >= 0;
    for (unsigned byte = 0; byte < 256; byte++)
        d->letters[byte] = bl_is_ascii_alpha((char)byte) || bl_is_ascii_digit((char)byte);
    for (size_t at; (at = next_place(d, digits, &sign)) != SIZE_MAX;) {
        d->at = at;
        d->holds = false;
        if (sign != NULL ? !decode_sign(d, sign) : !runs(d))
            return false;
        if (d->lines == NULL || !d->holds)
            continue;
        if (!bl_view_add_lines(d->arena, d->text, (struct bl_match){at, d->at}, d->lines))
            return false;
        d->at = d->lines->list.items[d->lines->list.count - 1].hi;
    }
    return true;
}

bool bl_view_decoded(struct bl_arena *arena, const struct bl_view *parent, unsigned decodings,
                     struct bl_view *out, uint64_t *steps)
{
    struct decoding d = {.arena = arena,
                         .text = parent->text,
                         .wanted = decodings,
                         .view = out,
                         .signs = {NOT_YET, NOT_YET, NOT_YET},
                         .steps = steps};

    *out = (struct bl_view){.text = parent->text, .parent = parent};
    if (decodings == 0)
        return true;
    bl_buf_init(&d.out, arena, 2 * parent->text.len + 8);
    if (!decode(&d))
        return false;
    if (out->pieces.count > 0) {
        copy_to(&d, d.text.len);
        out->text = bl_buf_str(&d.out);
    }
    return !d.out.failed;
}

bool bl_view_decoded_lines(struct bl_arena *arena, bl_str text, unsigned decodings,
                           struct bl_view_lines *out, uint64_t *steps)
{
    struct decoding d = {.arena = arena,
                         .text = text,
                         .wanted = decodings,
                         .lines = out,
                         .signs = {NOT_YET, NOT_YET, NOT_YET},
                         .steps = steps};

    return decodings == 0 || decode(&d);
}
