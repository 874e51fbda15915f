/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"
#include "base/utf8.h"
#include "secret/known.h"

#include <string.h>

/* The forms in which programs print a value. */

#define LONGEST_FACTOR 16 /* no form is longer than this many bytes for one of the value */

static const char upper_digits[] = "0123456789ABCDEF";
static const char lower_digits[] = "0123456789abcdef";

static void put_hex(struct bl_buf *out, const char *digits, unsigned char byte)
{
    bl_buf_put_char(out, digits[byte >> 4]);
    bl_buf_put_char(out, digits[byte & 15]);
}

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* ---- percent ------------------------------------------------------------------------------
 */

static void percent(bl_str value, const char *kept, const char *digits, bool form,
                    struct bl_buf *out)
{
    for (size_t i = 0; i < value.len; i++) {
        char c = value.ptr[i];
        if (is_plain(c) || (c != '\0' && strchr(kept, c) != NULL)) {
            bl_buf_put_char(out, c);
        } else if (form && c == ' ') {
            bl_buf_put_char(out, '+');
        } else {
            bl_buf_put_char(out, '%');
            put_hex(out, digits, (unsigned char)c);
        }
    }
}

/* RFC 3986; what JavaScript leaves; a form; a whole address, whose signs stay. */
static void percent_all(bl_str value, struct bl_buf *out)
{
    percent(value, "-_.~", upper_digits, false, out);
}

static void percent_lower(bl_str value, struct bl_buf *out)
{
    percent(value, "-_.~", lower_digits, false, out);
}

static void percent_script(bl_str value, struct bl_buf *out)
{
    percent(value, "-_.!~*'()", upper_digits, false, out);
}

static void percent_form(bl_str value, struct bl_buf *out)
{
    percent(value, "-_.*", upper_digits, true, out);
}

static void percent_path(bl_str value, struct bl_buf *out)
{
    percent(value, "-_.~/", upper_digits, false, out);
}

static void percent_address(bl_str value, struct bl_buf *out)
{
    percent(value, "-_.!~*'();/?:@&=+$,#", upper_digits, false, out);
}

static void put_every(bl_str value, bl_str sign, const char *digits, struct bl_buf *out)
{
    for (size_t i = 0; i < value.len; i++) {
        bl_buf_put(out, sign);
        put_hex(out, digits, (unsigned char)value.ptr[i]);
    }
}

static void percent_every(bl_str value, struct bl_buf *out)
{
    put_every(value, BL_STR("%"), upper_digits, out);
}

static void percent_every_lower(bl_str value, struct bl_buf *out)
{
    put_every(value, BL_STR("%"), lower_digits, out);
}

/* ---- escapes ------------------------------------------------------------------------------
 */

static void put_unit(struct bl_buf *out, const char *digits, uint32_t unit)
{
    BL_PUT(out, "\\u");
    put_hex(out, digits, (unsigned char)(unit >> 8));
    put_hex(out, digits, (unsigned char)(unit & 0xFF));
}

static void put_point(struct bl_buf *out, const char *digits, uint32_t point)
{
    if (point >= 0x10000) {
        put_unit(out, digits, 0xD800 + ((point - 0x10000) >> 10));
        point = 0xDC00 + ((point - 0x10000) & 0x3FF);
    }
    put_unit(out, digits, point);
}

/* What JSON has to escape; `ascii`: everything that is no ASCII, too; `slash`: as PHP does. */
static void json_with(bl_str value, bool ascii, bool slash, struct bl_buf *out)
{
    static const char letters[] = "bfnrt", meant[] = "\b\f\n\r\t";

    for (size_t i = 0; i < value.len;) {
        char c = value.ptr[i];
        const char *letter = c != '\0' ? strchr(meant, c) : NULL;
        if (ascii && (unsigned char)c >= 0x80) {
            put_point(out, lower_digits, bl_utf8_decode(value, &i));
            continue;
        }
        i++;
        if (letter != NULL) {
            bl_buf_put_char(out, '\\');
            bl_buf_put_char(out, letters[letter - meant]);
        } else if (c == '"' || c == '\\' || (slash && c == '/')) {
            bl_buf_put_char(out, '\\');
            bl_buf_put_char(out, c);
        } else if ((unsigned char)c < 0x20) {
            put_unit(out, lower_digits, (unsigned char)c);
        } else {
            bl_buf_put_char(out, c);
        }
    }
}

static void json(bl_str value, struct bl_buf *out)
{
    json_with(value, false, false, out);
}

static void json_ascii(bl_str value, struct bl_buf *out)
{
    json_with(value, true, false, out);
}

static void json_slash(bl_str value, struct bl_buf *out)
{
    json_with(value, true, true, out);
}

/* A value in a document in JSON that stands in JSON. */
static void json_twice_with(bl_str value, bool ascii, struct bl_buf *out)
{
    struct bl_buf once;

    bl_buf_init(&once, out->arena, out->max);
    json_with(value, ascii, false, &once);
    json_with(bl_buf_str(&once), ascii, false, out);
    out->failed = out->failed || once.failed;
}

static void json_twice(bl_str value, struct bl_buf *out)
{
    json_twice_with(value, false, out);
}

static void json_twice_ascii(bl_str value, struct bl_buf *out)
{
    json_twice_with(value, true, out);
}

static void units_with(bl_str value, const char *digits, struct bl_buf *out)
{
    for (size_t i = 0; i < value.len;)
        put_point(out, digits, bl_utf8_decode(value, &i));
}

static void units_lower(bl_str value, struct bl_buf *out)
{
    units_with(value, lower_digits, out);
}

static void units_upper(bl_str value, struct bl_buf *out)
{
    units_with(value, upper_digits, out);
}

/* \x68\x75 of C and of shells. */
static void escaped_bytes(bl_str value, struct bl_buf *out)
{
    put_every(value, BL_STR("\\x"), lower_digits, out);
}

static void quoted_for_shell(bl_str value, struct bl_buf *out)
{
    for (size_t i = 0; i < value.len; i++) {
        if (value.ptr[i] == '\'')
            BL_PUT(out, "'\\''");
        else
            bl_buf_put_char(out, value.ptr[i]);
    }
}

static void html_with(bl_str value, bl_str apostrophe, bl_str quote, struct bl_buf *out)
{
    for (size_t i = 0; i < value.len; i++) {
        char c = value.ptr[i];
        if (c == '&')
            BL_PUT(out, "&amp;");
        else if (c == '<')
            BL_PUT(out, "&lt;");
        else if (c == '>')
            BL_PUT(out, "&gt;");
        else if (c == '"')
            bl_buf_put(out, quote);
        else if (c == '\'')
            bl_buf_put(out, apostrophe);
        else
            bl_buf_put_char(out, c);
    }
}

static void html(bl_str value, struct bl_buf *out)
{
    html_with(value, BL_STR("&#39;"), BL_STR("&quot;"), out);
}

static void html_hex(bl_str value, struct bl_buf *out)
{
    html_with(value, BL_STR("&#x27;"), BL_STR("&quot;"), out);
}

static void xml(bl_str value, struct bl_buf *out)
{
    html_with(value, BL_STR("&apos;"), BL_STR("&quot;"), out);
}

static void html_text(bl_str value, struct bl_buf *out)
{
    html_with(value, BL_STR("'"), BL_STR("\""), out);
}

static void hex_lower(bl_str value, struct bl_buf *out)
{
    put_every(value, BL_STR(""), lower_digits, out);
}

static void hex_upper(bl_str value, struct bl_buf *out)
{
    put_every(value, BL_STR(""), upper_digits, out);
}

static const struct {
    void (*write)(bl_str value, struct bl_buf *out);
    bool characters; /* of UTF-8 alone */
} writers[] = {
    {percent_all, false},
    {percent_lower, false},
    {percent_script, false},
    {percent_form, false},
    {percent_path, false},
    {percent_address, false},
    {json, false},
    {json_ascii, true},
    {json_slash, true},
    {json_twice, true},
    {json_twice_ascii, true},
    {percent_every, false},
    {percent_every_lower, false},
    {units_lower, true},
    {units_upper, true},
    {escaped_bytes, false},
    {quoted_for_shell, false},
    {html, false},
    {html_hex, false},
    {xml, false},
    {html_text, false},
    {hex_lower, false},
    {hex_upper, false},
};

/* ---- Base64 -------------------------------------------------------------------------------
 */

/* The characters that the value alone decides, when `shift` bytes stand in front of it. */
static void base64(bl_str value, unsigned shift, const char *last_two, struct bl_buf *out)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    size_t first = (shift * 8 + 5) / 6, end = (shift + value.len) * 8 / 6;

    for (size_t i = first; i < end; i++) {
        unsigned digit = 0;
        for (size_t bit = i * 6; bit < i * 6 + 6; bit++) {
            unsigned char byte = (unsigned char)value.ptr[bit / 8 - shift];
            digit = digit << 1 | (byte >> (7 - bit % 8) & 1u);
        }
        bl_buf_put_char(out, digit < 62 ? digits[digit] : last_two[digit - 62]);
    }
}

/* ---- all of them --------------------------------------------------------------------------
 */

static bool add(struct bl_arena *arena, struct bl_known_forms *forms, size_t first,
                struct bl_known_form form)
{
    for (size_t i = first; i < forms->list.count; i++) {
        if (bl_str_equal(forms->list.items[i].bytes, form.bytes))
            return true;
    }
    struct bl_known_form *slot = BL_PUSH(arena, forms->list);
    if (slot != NULL)
        *slot = form;
    return slot != NULL;
}

static bool add_base64(struct bl_arena *arena, struct bl_known_forms *forms, size_t first,
                       uint32_t value, bl_str bytes)
{
    for (unsigned i = 0; i < 6; i++) {
        unsigned shift = i / 2;
        struct bl_buf out;
        bl_buf_init(&out, arena, bytes.len * 2 + 8);
        base64(bytes, shift, i % 2 == 0 ? "+/" : "-_", &out);
        struct bl_known_form form = {.bytes = bl_buf_str(&out),
                                     .value = value,
                                     .front = shift > 0,
                                     .back = (shift + bytes.len) * 8 % 6 != 0,
                                     .base64 = true};
        if (out.failed || !add(arena, forms, first, form))
            return false;
    }
    return true;
}

bool bl_known_add(struct bl_arena *arena, struct bl_known_forms *forms, uint32_t value,
                  bl_str bytes)
{
    size_t first = forms->list.count;
    bool is_text = bl_utf8_invalid_at(bytes) == bytes.len;

    if (bytes.len == 0)
        return true;
    if (!add(arena, forms, first, (struct bl_known_form){.bytes = bytes, .value = value}))
        return false;
    if (bytes.len < BL_KNOWN_ENCODED_LEAST)
        return true;
    for (size_t i = 0; i < sizeof writers / sizeof writers[0]; i++) {
        struct bl_buf out;
        if (writers[i].characters && !is_text)
            continue;
        bl_buf_init(&out, arena, bytes.len * LONGEST_FACTOR + 64);
        writers[i].write(bytes, &out);
        if (out.failed ||
            !add(arena, forms, first,
                 (struct bl_known_form){.bytes = bl_buf_str(&out), .value = value}))
            return false;
    }
    return add_base64(arena, forms, first, value, bytes);
}
