/* SPDX-License-Identifier: Apache-2.0 */
#include "bylaw/redact_questions.h"

/* How programs write a text: each byte in the way of one of them. The redactor decodes, and
 * makes forms of known values; nothing of that is used here. */

static const char lower[] = "0123456789abcdef", upper[] = "0123456789ABCDEF";

static void put_hex(struct bl_buf *out, unsigned char byte, const char *digits)
{
    bl_buf_put_char(out, digits[byte >> 4]);
    bl_buf_put_char(out, digits[byte & 15]);
}

typedef void put_byte(struct bl_buf *out, unsigned char byte);

static void put_plain(struct bl_buf *out, unsigned char byte)
{
    bl_buf_put_char(out, (char)byte);
}

static void put_percent(struct bl_buf *out, unsigned char byte)
{
    bool kept = bl_is_ascii_alpha((char)byte) || bl_is_ascii_digit((char)byte) || byte == '-' ||
                byte == '_' || byte == '.' || byte == '~';

    if (!kept)
        bl_buf_put_char(out, '%');
    if (kept)
        put_plain(out, byte);
    else
        put_hex(out, byte, upper);
}

static void put_json_escape(struct bl_buf *out, unsigned char byte)
{
    BL_PUT(out, "\\u00");
    put_hex(out, byte, lower);
}

static void put_c_escape(struct bl_buf *out, unsigned char byte)
{
    BL_PUT(out, "\\x");
    put_hex(out, byte, lower);
}

static void put_entity(struct bl_buf *out, unsigned char byte)
{
    bl_buf_printf(out, "&#%u;", (unsigned)byte);
}

static void put_hex_byte(struct bl_buf *out, unsigned char byte)
{
    put_hex(out, byte, lower);
}

static void put_upper_hex_byte(struct bl_buf *out, unsigned char byte)
{
    put_hex(out, byte, upper);
}

/* *lo and *hi are bytes of the text, and then of what it became. */
static void each_byte(struct bl_buf *out, bl_str text, size_t *lo, size_t *hi, put_byte *put)
{
    size_t from = 0, to = 0;

    for (size_t i = 0; i < text.len; i++) {
        from = i == *lo ? out->len : from;
        put(out, (unsigned char)text.ptr[i]);
        to = i + 1 == *hi ? out->len : to;
    }
    *lo = from;
    *hi = to;
}

/* The characters that come from the bytes of *lo to *hi alone. */
static void in_base64(struct bl_buf *out, bl_str text, size_t *lo, size_t *hi, const char *last)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    unsigned held = 0, bits = 0;
    bool pads = last[0] == '+';

    for (size_t i = 0; i < text.len || bits > 0; i++) {
        held = held << 8 | (i < text.len ? (unsigned char)text.ptr[i] : 0u);
        bits += 8;
        do {
            unsigned digit = held >> (bits - 6) & 63;
            bl_buf_put_char(out, digit < 62 ? digits[digit] : last[digit - 62]);
            bits -= 6;
        } while (bits >= 6 && i < text.len);
        bits = i < text.len ? bits : 0;
    }
    while (pads && out->len % 4 != 0)
        bl_buf_put_char(out, '=');
    *lo = (8 * *lo + 5) / 6;
    *hi = 8 * *hi / 6;
}

#define BL_PROBE_ENCODER(name, call)                                                           \
    void bl_probe_##name(struct bl_buf *out, bl_str text, size_t *lo, size_t *hi)              \
    {                                                                                          \
        call;                                                                                  \
    }
BL_PROBE_ENCODER(plain, each_byte(out, text, lo, hi, put_plain))
BL_PROBE_ENCODER(percent, each_byte(out, text, lo, hi, put_percent))
BL_PROBE_ENCODER(json_escapes, each_byte(out, text, lo, hi, put_json_escape))
BL_PROBE_ENCODER(c_escapes, each_byte(out, text, lo, hi, put_c_escape))
BL_PROBE_ENCODER(entities, each_byte(out, text, lo, hi, put_entity))
BL_PROBE_ENCODER(hex, each_byte(out, text, lo, hi, put_hex_byte))
BL_PROBE_ENCODER(hex_in_capitals, each_byte(out, text, lo, hi, put_upper_hex_byte))
BL_PROBE_ENCODER(base64, in_base64(out, text, lo, hi, "+/"))
BL_PROBE_ENCODER(base64_for_addresses, in_base64(out, text, lo, hi, "-_"))
