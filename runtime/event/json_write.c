/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"
#include "event/json.h"

void bl_json_writer_init(struct bl_json_writer *w, struct bl_buf *out, bool pretty)
{
    *w = (struct bl_json_writer){.out = out, .pretty = pretty};
}

static void new_line(struct bl_json_writer *w)
{
    if (w->pretty) {
        bl_buf_put_char(w->out, '\n');
        for (unsigned i = 0; i < w->depth; i++) {
            BL_PUT(w->out, "  ");
        }
    }
}

/* What stands in front of a key or of a value without one. */
static void separate(struct bl_json_writer *w)
{
    if (w->after_key) {
        w->after_key = false;
        return;
    }
    if (w->depth == 0) {
        return;
    }
    if (w->has_item[w->depth - 1]) {
        bl_buf_put_char(w->out, ',');
    }
    w->has_item[w->depth - 1] = true;
    new_line(w);
}

static void begin(struct bl_json_writer *w, char bracket)
{
    separate(w);
    if (w->depth == BL_JSON_WRITE_DEPTH) {
        w->out->failed = true;
        return;
    }
    bl_buf_put_char(w->out, bracket);
    w->has_item[w->depth++] = false;
}

static void end(struct bl_json_writer *w, char bracket)
{
    if (w->depth == 0) {
        w->out->failed = true;
        return;
    }
    bool had_item = w->has_item[--w->depth];
    if (had_item) {
        new_line(w);
    }
    bl_buf_put_char(w->out, bracket);
}

void bl_json_begin_object(struct bl_json_writer *w)
{
    begin(w, '{');
}

void bl_json_end_object(struct bl_json_writer *w)
{
    end(w, '}');
}

void bl_json_begin_array(struct bl_json_writer *w)
{
    begin(w, '[');
}

void bl_json_end_array(struct bl_json_writer *w)
{
    end(w, ']');
}

/* U+2028 and U+2029 end a line for JavaScript, the C1 controls steer some terminals. */
static bool needs_escape(uint32_t c)
{
    return c < 0x20 || c == '"' || c == '\\' || (c >= 0x7F && c < 0xA0) || c == 0x2028 ||
           c == 0x2029;
}

static void put_escape(struct bl_buf *out, uint32_t c)
{
    switch (c) {
    case '"':
        BL_PUT(out, "\\\"");
        break;
    case '\\':
        BL_PUT(out, "\\\\");
        break;
    case '\n':
        BL_PUT(out, "\\n");
        break;
    case '\r':
        BL_PUT(out, "\\r");
        break;
    case '\t':
        BL_PUT(out, "\\t");
        break;
    default:
        bl_buf_printf(out, "\\u%04x", (unsigned)c);
    }
}

static void put_text(struct bl_buf *out, bl_str s)
{
    size_t kept = 0; /* what stands in front of here was written */
    size_t at = 0;
    size_t valid = bl_utf8_invalid_at(s);
    while (at < s.len) {
        if (at == valid) {
            bl_buf_put(out, bl_str_slice(s, kept, at));
            BL_PUT(out, "\xEF\xBF\xBD");
            kept = ++at;
            valid = at + bl_utf8_invalid_at(bl_str_slice(s, at, s.len));
            continue;
        }
        size_t from = at;
        uint32_t c = bl_utf8_decode(s, &at);
        if (needs_escape(c)) {
            bl_buf_put(out, bl_str_slice(s, kept, from));
            put_escape(out, c);
            kept = at;
        }
    }
    bl_buf_put(out, bl_str_slice(s, kept, s.len));
}

static void put_quoted(struct bl_json_writer *w, bl_str s)
{
    bl_buf_put_char(w->out, '"');
    put_text(w->out, s);
    bl_buf_put_char(w->out, '"');
}

void bl_json_key(struct bl_json_writer *w, bl_str key)
{
    separate(w);
    put_quoted(w, key);
    bl_buf_put(w->out, w->pretty ? BL_STR(": ") : BL_STR(":"));
    w->after_key = true;
}

void bl_json_string(struct bl_json_writer *w, bl_str value)
{
    separate(w);
    put_quoted(w, value);
}

void bl_json_integer(struct bl_json_writer *w, int64_t value)
{
    separate(w);
    bl_buf_put_int(w->out, value);
}

void bl_json_bool(struct bl_json_writer *w, bool value)
{
    separate(w);
    bl_buf_put(w->out, value ? BL_STR("true") : BL_STR("false"));
}

void bl_json_null(struct bl_json_writer *w)
{
    separate(w);
    BL_PUT(w->out, "null");
}
