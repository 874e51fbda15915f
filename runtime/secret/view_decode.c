/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"
#include "base/utf8.h"
#include "secret/view.h"
#include "text/entity.h"

#include <string.h>

/* Decoding what others encoded. Each reader takes what begins at a place, or nothing. */

#define LEAST_RUN 16u

struct decoding {
    struct bl_arena *arena;
    bl_str text;
    size_t at;
    unsigned wanted;
    struct bl_buf out;
    struct bl_view *view;
    char *run; /* memory for one */
};

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))
        return (c | 0x20) - 'a' + 10;
    return -1;
}

/* Takes `size` bytes of the text for these. */
static bool take(struct decoding *d, size_t size, bl_str bytes)
{
    struct bl_view_piece *slot = BL_PUSH(d->arena, d->view->pieces);

    if (slot == NULL)
        return false;
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

static bool percent(struct decoding *d)
{
    uint32_t value;

    return hex_number(d->text, d->at + 1, 2, &value) != 2 || take_byte(d, 3, value);
}

/* \u0041, a pair of them, \u{41}. */
static bool unit(struct decoding *d)
{
    uint32_t value, low;
    bl_str text = d->text;

    if (d->at + 2 < text.len && text.ptr[d->at + 2] == '{') {
        size_t count = hex_number(text, d->at + 3, 6, &value);
        if (count == 0 || d->at + 3 + count >= text.len || text.ptr[d->at + 3 + count] != '}')
            return true;
        return take_point(d, 4 + count, value);
    }
    if (hex_number(text, d->at + 2, 4, &value) != 4)
        return true;
    if (value >= 0xD800 && value < 0xDC00 && d->at + 12 <= text.len &&
        text.ptr[d->at + 6] == '\\' && text.ptr[d->at + 7] == 'u' &&
        hex_number(text, d->at + 8, 4, &low) == 4 && low >= 0xDC00 && low < 0xE000)
        return take_point(d, 12, 0x10000 + ((value - 0xD800) << 10) + (low - 0xDC00));
    return take_point(d, 6, value);
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

static bool escape(struct decoding *d)
{
    static const char letters[] = "abefnrtv\"'/\\`", meant[] = "\a\b\x1b\f\n\r\t\v\"'/\\`";
    uint32_t value;
    size_t count;

    if (d->at + 1 >= d->text.len)
        return true;
    char c = d->text.ptr[d->at + 1];
    if (c == 'u')
        return unit(d);
    if (c >= '0' && c <= '7')
        return octal(d);
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

static int base64_digit(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    if (c == '+' || c == '-')
        return 62;
    return c == '/' || c == '_' ? 63 : -1;
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

/* What the digits say; NULL bytes when that is no text. */
static bl_str read_run(const struct decoding *d, const struct alphabet *a, bl_str digits)
{
    size_t len = 0;
    char bytes[3];

    for (size_t at = 0; at < digits.len; at += a->step) {
        size_t count = a->group(digits, at, bytes);
        for (size_t i = 0; i < count; i++) {
            if (!is_text_byte((unsigned char)bytes[i]))
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

/* Where a word is glued to it, it begins a little later. Leaves `at` behind a run that is none.
 */
static bool run(struct decoding *d, const struct alphabet *a, size_t end, bool *taken)
{
    *taken = false;
    for (size_t shift = 0; shift < a->step; shift++) {
        bl_str digits = bl_str_slice(d->text, d->at + shift, end);
        if (read_run(d, a, digits).ptr == NULL)
            continue;
        bl_buf_put(&d->out, bl_str_slice(d->text, d->at, d->at + shift));
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

/* Signs of Base64 stand around hex, too: the + and - of a patch, the / of a path. */
static bool hex_within(struct decoding *d, const struct alphabet *hex, size_t end)
{
    size_t from = d->at, to = run_end(d->text, from, hex->digit);
    bool taken = false;

    if (to - from >= LEAST_RUN && wants(d, BL_DECODING_HEX) && !run(d, hex, to, &taken))
        return false;
    if (!taken) {
        to = to == from && to < end ? to + 1 : to;
        bl_buf_put(&d->out, bl_str_slice(d->text, from, to));
        d->at = to;
    }
    return true;
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

static bool runs(struct decoding *d)
{
    static const struct alphabet hex = {hex_digit, hex_group, 2},
                                 base64 = {base64_digit, base64_group, 4};
    size_t end = run_end(d->text, d->at, base64_digit), from = d->at;
    size_t padded = padding(d->text, end, end - from);
    bool taken = false;

    if (end - from >= LEAST_RUN && wants(d, BL_DECODING_HEX) &&
        run_end(d->text, from, hex_digit) == end && !run(d, &hex, end, &taken))
        return false;
    if (end - from + padded >= LEAST_RUN && !taken && wants(d, BL_DECODING_BASE64)) {
        if (!run(d, &base64, end, &taken) ||
            (taken && padded > 0 && !take(d, padded, BL_STR(""))))
            return false;
    }
    while (!taken && d->at < end) {
        if (!hex_within(d, &hex, end))
            return false;
    }
    return true;
}

/* ---- all of it ----------------------------------------------------------------------------
 */

static bool decode_at(struct decoding *d)
{
    char c = d->text.ptr[d->at];
    size_t from = d->at;

    if (base64_digit(c) >= 0)
        return runs(d);
    if (c == '%' && wants(d, BL_DECODING_PERCENT) && !percent(d))
        return false;
    if (c == '\\' && wants(d, BL_DECODING_ESCAPES) && !escape(d))
        return false;
    if (c == '\\' && d->at == from && wants(d, BL_DECODING_MARKDOWN) && !marked(d))
        return false;
    if (c == '&' && wants(d, BL_DECODING_ENTITIES) && !entity(d))
        return false;
    if (d->at == from) {
        bl_buf_put_char(&d->out, c);
        d->at++;
    }
    return true;
}

/* Most texts have nothing to decode. */
static bool may_change(bl_str text)
{
    size_t in_run = 0;

    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == '%' || c == '\\' || c == '&')
            return true;
        in_run = base64_digit(c) >= 0 || c == '=' ? in_run + 1 : 0;
        if (in_run >= LEAST_RUN)
            return true;
    }
    return false;
}

bool bl_view_decoded(struct bl_arena *arena, const struct bl_view *parent, unsigned decodings,
                     struct bl_view *out)
{
    struct decoding d = {
        .arena = arena, .text = parent->text, .wanted = decodings, .view = out};

    *out = (struct bl_view){.text = parent->text, .parent = parent};
    if (decodings == 0 || !may_change(parent->text))
        return true;
    d.run = bl_arena_alloc(arena, parent->text.len + 4, 1);
    bl_buf_init(&d.out, arena, 2 * parent->text.len + 8);
    while (d.run != NULL && d.at < d.text.len) {
        if (!decode_at(&d))
            return false;
    }
    out->text = bl_buf_str(&d.out);
    return d.run != NULL && !d.out.failed;
}
