/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"
#include "bylaw/redact_check.h"
#include "event/json.h"

#include <string.h>

/* Trajectories: JSON, or a value a line. Each text in it is masked as its reader sees it,
 * without escapes, and put back in a form that leaves the rest as it was. */

#define NESTED     4u
#define NAME_BYTES 256u /* of a member that names its neighbours */

struct walking {
    struct bl_redactor *redactor;
    struct bl_arena *arena;
    bl_str text;
    size_t at;
    struct bl_buf out;
    size_t done; /* bytes of the text that are in `out` */
    struct bl_redacted *result;
    bl_str *problem;
    enum bl_status status;
    size_t depth;
    bool fields;       /* keys say what is below them */
    size_t nested;     /* how deep texts that are JSON themselves are gone into */
    uint32_t mask;     /* of the key whose value is at hand; BL_NONE */
    size_t mask_depth; /* where that value began */
    size_t name;       /* the text that named its neighbours: it stays */
};

/* A string without its escapes, and where each of its bytes stands. */
struct decoded {
    char *bytes;
    size_t *places; /* one more than bytes */
    size_t len;
};

static unsigned hex(bl_str text, size_t at)
{
    unsigned value = 0;
    for (size_t i = at; i < at + 4 && i < text.len; i++) {
        char c = text.ptr[i];
        unsigned digit = c <= '9' ? (unsigned)(c - '0') : ((unsigned)c | 0x20u) - 'a' + 10;
        value = value * 16 + (digit & 15u);
    }
    return value;
}

static void put_bytes(struct decoded *d, bl_str bytes, size_t place)
{
    for (size_t i = 0; i < bytes.len; i++) {
        d->bytes[d->len] = bytes.ptr[i];
        d->places[d->len++] = place;
    }
}

/* One escape; returns where the next character stands. The reader of JSON took the text. */
static size_t put_escape(struct decoded *d, bl_str text, size_t at)
{
    static const char letters[] = "bfnrt", meant[] = "\b\f\n\r\t";
    char c = text.ptr[at + 1], encoded[4];
    if (c != 'u') {
        const char *found = memchr(letters, c, sizeof letters - 1);
        put_bytes(d, (bl_str){found != NULL ? &meant[found - letters] : &c, 1}, at);
        return at + 2;
    }
    uint32_t point = hex(text, at + 2);
    size_t next = at + 6;
    if (point >= 0xD800 && point < 0xDC00) {
        point = 0x10000 + ((point - 0xD800) << 10) + ((hex(text, at + 8) - 0xDC00) & 0x3FFu);
        next = at + 12;
    }
    if (point == 0)
        point = 0xFFFD;
    put_bytes(d, (bl_str){encoded, bl_utf8_encode(point, encoded)}, at);
    return next;
}

/* From the opening quote; leaves `at` behind the closing one. */
static bool decode(struct walking *w, struct decoded *d)
{
    size_t end = w->at + 1;
    while (end < w->text.len && w->text.ptr[end] != '"')
        end += w->text.ptr[end] == '\\' ? 2 : 1;
    d->len = 0;
    d->bytes = BL_NEW_ARRAY(w->arena, end - w->at + 1, char);
    d->places = BL_NEW_ARRAY(w->arena, end - w->at + 1, size_t);
    if (d->bytes == NULL || d->places == NULL || end >= w->text.len)
        return false;
    for (size_t i = w->at + 1; i < end;) {
        if (w->text.ptr[i] == '\\') {
            i = put_escape(d, w->text, i);
        } else {
            put_bytes(d, bl_str_slice(w->text, i, i + 1), i);
            i++;
        }
    }
    d->places[d->len] = end;
    w->at = end + 1;
    return true;
}

static size_t skip_blanks(bl_str text, size_t at)
{
    while (at < text.len && bl_is_ascii_space(text.ptr[at]))
        at++;
    return at;
}

static bool is_plain(bl_str marker)
{
    for (size_t i = 0; i < marker.len; i++) {
        unsigned char c = (unsigned char)marker.ptr[i];
        if (c < 0x20 || c == '"' || c == '\\')
            return false;
    }
    return true;
}

static void put_span(struct walking *w, const struct decoded *d,
                     const struct bl_redacted_span *span)
{
    struct bl_redacted_span *slot = BL_PUSH(w->arena, w->result->list);
    if (slot == NULL) {
        w->status = BL_ERR_NOMEM;
        return;
    }
    *slot = *span;
    slot->lo = d->places[span->lo];
    slot->hi = d->places[span->hi];
    if (!is_plain(span->marker)) {
        *w->problem = BL_STR("A marker with quotes, backslashes or control characters cannot "
                             "stand in JSON.");
        w->status = BL_ERR_INVALID;
    }
    bl_buf_put(&w->out, bl_str_slice(w->text, w->done, slot->lo));
    bl_buf_put(&w->out, span->marker);
    w->done = slot->hi;
}

bool bl_check_is_json(struct bl_arena *arena, bl_str text)
{
    struct bl_arena_mark mark = bl_arena_mark(arena);
    struct bl_json_error error = {.offset = 0};
    size_t notes = 0;
    bool good = bl_json_parse(arena, text, 64, &notes, &error) != NULL;
    bl_arena_release(arena, mark);
    return good;
}

static enum bl_status walk(struct walking *w);

/* A text that is JSON, as the answer to a request is one in a recording: what is in it is
 * masked as its own reader sees it. */
static void mask_nested(struct walking *w, const struct decoded *d, bl_str value)
{
    struct bl_redacted inner = {.text = value};
    struct walking below = {.redactor = w->redactor,
                            .arena = w->arena,
                            .text = value,
                            .fields = true,
                            .nested = w->nested - 1,
                            .result = &inner,
                            .problem = w->problem,
                            .mask = BL_NONE};
    w->status = walk(&below);
    w->result->steps += inner.steps;
    if (w->status != BL_OK || inner.list.count == 0)
        return;
    struct bl_json_writer writer;
    struct bl_buf text;
    bl_buf_init(&text, w->arena, inner.text.len * 6 + 8);
    bl_json_writer_init(&writer, &text, false);
    bl_json_string(&writer, inner.text);
    for (size_t i = 0; i < inner.list.count; i++) {
        struct bl_redacted_span *slot = BL_PUSH(w->arena, w->result->list);
        if (slot == NULL || text.failed) {
            w->status = BL_ERR_NOMEM;
            return;
        }
        *slot = inner.list.items[i];
        slot->lo = d->places[slot->lo];
        slot->hi = d->places[slot->hi];
    }
    bl_buf_put(&w->out, bl_str_slice(w->text, w->done, d->places[0]));
    bl_buf_put(&w->out, bl_str_slice(bl_buf_str(&text), 1, text.len - 1));
    w->done = d->places[d->len];
}

static bool mask_text(struct walking *w, bl_str value, bool is_key,
                      struct bl_redacted *redacted)
{
    uint32_t mask = w->mask;
    if (is_key && mask != BL_NONE)
        mask = bl_redactor_field(w->redactor, BL_MASK_KEYS, value);
    w->status = mask != BL_NONE
                    ? bl_redact_whole(w->redactor, w->arena, mask, value, redacted, w->problem)
                    : bl_redact(w->redactor, w->arena, value, redacted, w->problem);
    w->result->steps += w->status == BL_OK ? redacted->steps : 0;
    return w->status == BL_OK;
}

/* A key may hold a secret as any text may. */
static void take_string(struct walking *w)
{
    struct bl_redacted redacted;
    struct decoded d;
    if (!decode(w, &d)) {
        w->status = BL_ERR_NOMEM;
        return;
    }
    size_t next = skip_blanks(w->text, w->at);
    bool is_key = next < w->text.len && w->text.ptr[next] == ':';
    bl_str value = {d.bytes, d.len};
    if (w->name != 0 && d.places[0] == w->name) {
        w->name = 0;
        return;
    }
    if (!is_key && w->mask == BL_NONE && w->nested > 0 && d.len > 1 &&
        (d.bytes[0] == '{' || d.bytes[0] == '[') && bl_check_is_json(w->arena, value)) {
        mask_nested(w, &d, value);
        return;
    }
    if (!mask_text(w, value, is_key, &redacted))
        return;
    for (size_t i = 0; w->status == BL_OK && i < redacted.list.count; i++)
        put_span(w, &d, &redacted.list.items[i]);
    if (is_key && w->mask == BL_NONE && w->fields) {
        w->mask = bl_redactor_field(w->redactor, BL_MASK_FIELD, value);
        w->mask_depth = w->depth;
    }
}

/* A number in which something is masked becomes a text. */
static void take_number(struct walking *w)
{
    struct bl_redacted redacted;
    size_t lo = w->at;
    while (w->at < w->text.len && w->text.ptr[w->at] != '\0' &&
           strchr("+-.eE0123456789", w->text.ptr[w->at]) != NULL)
        w->at++;
    bl_str value = bl_str_slice(w->text, lo, w->at);
    if (!mask_text(w, value, false, &redacted) || redacted.list.count == 0)
        return;
    bl_buf_put(&w->out, bl_str_slice(w->text, w->done, lo));
    BL_PUT(&w->out, "\"");
    for (size_t i = 0; w->status == BL_OK && i < redacted.list.count; i++) {
        struct bl_redacted_span *slot = BL_PUSH(w->arena, w->result->list);
        if (slot == NULL) {
            w->status = BL_ERR_NOMEM;
            return;
        }
        *slot = redacted.list.items[i];
        slot->lo += lo;
        slot->hi += lo;
    }
    bl_buf_put(&w->out, redacted.text);
    BL_PUT(&w->out, "\"");
    w->done = w->at;
}

static size_t string_end(bl_str text, size_t at)
{
    while (at < text.len && text.ptr[at] != '"')
        at += text.ptr[at] == '\\' ? 2 : 1;
    return at < text.len ? at : text.len;
}

/* Whether a member of the object says that its neighbours are secret, as `"name": "TOKEN"`
 * does. Objects nest to a limit, so that each byte is seen so many times at most. */
static uint32_t named_by(const struct walking *w, size_t *name)
{
    char member[NAME_BYTES];
    bl_str text = w->text, key = {NULL, 0};
    size_t depth = 0;

    for (size_t at = w->at + 1; at < text.len; at++) {
        char c = text.ptr[at];
        if (c == '{' || c == '[')
            depth++;
        if ((c == '}' || c == ']') && depth-- == 0)
            break;
        if (c != '"')
            continue;
        size_t end = string_end(text, at + 1), next = skip_blanks(text, end + 1);
        bl_str value = bl_str_slice(text, at + 1, end);
        bool is_key = next < text.len && text.ptr[next] == ':';
        *name = at + 1;
        at = end;
        if (is_key && depth == 0)
            key = value;
        if (is_key || depth > 0 || key.len + value.len + 1 > sizeof member)
            continue;
        memcpy(member, key.ptr, key.len);
        member[key.len] = '=';
        memcpy(member + key.len + 1, value.ptr, value.len);
        uint32_t mask = bl_redactor_field(w->redactor, BL_MASK_NAMED,
                                          (bl_str){member, key.len + 1 + value.len});
        if (mask != BL_NONE)
            return mask;
    }
    return BL_NONE;
}

/* The value of a sensitive key ends with the comma or the bracket behind it. */
static void take_sign(struct walking *w, char c)
{
    size_t name = 0;
    if (c == '{' && w->mask == BL_NONE && w->fields) {
        w->mask = named_by(w, &name);
        w->mask_depth = w->depth;
        w->name = w->mask != BL_NONE ? name : 0;
    }
    if (c == '{' || c == '[')
        w->depth++;
    else if ((c == '}' || c == ']') && w->depth > 0)
        w->depth--;
    if (((c == ',' || c == '\n') && w->depth == w->mask_depth) || w->depth < w->mask_depth)
        w->mask = BL_NONE;
    w->at++;
}

static bool is_trajectory(struct bl_arena *arena, bl_str text)
{
    if (bl_check_is_json(arena, text))
        return true;
    for (size_t at = 0; at < text.len;) {
        bl_str rest = bl_str_slice(text, at, text.len);
        size_t end = bl_str_find_char(rest, '\n');
        bl_str line = bl_str_trim(bl_str_slice(rest, 0, end));
        if (line.len > 0 && !bl_check_is_json(arena, line))
            return false;
        at += end == SIZE_MAX ? rest.len : end + 1;
    }
    return true;
}

static enum bl_status walk(struct walking *w)
{
    bl_buf_init(&w->out, w->arena, w->arena->limit);
    while (w->at < w->text.len && w->status == BL_OK) {
        if (w->text.ptr[w->at] == '"')
            take_string(w);
        else if (w->text.ptr[w->at] == '-' || bl_is_ascii_digit(w->text.ptr[w->at]))
            take_number(w);
        else
            take_sign(w, w->text.ptr[w->at]);
    }
    bl_buf_put(&w->out, bl_str_slice(w->text, w->done, w->text.len));
    w->result->text = bl_buf_str(&w->out);
    return w->status == BL_OK && w->out.failed ? BL_ERR_NOMEM : w->status;
}

enum bl_status bl_check_trajectory(struct bl_redactor *redactor, struct bl_arena *arena,
                                   bl_str text, struct bl_redacted *out, bl_str *problem)
{
    struct walking w = {.redactor = redactor,
                        .arena = arena,
                        .text = text,
                        .fields = true,
                        .nested = NESTED,
                        .result = out,
                        .problem = problem,
                        .mask = BL_NONE};
    *out = (struct bl_redacted){.text = text, .settled = text.len};
    if (!is_trajectory(arena, text)) {
        *problem = BL_STR("It is no trajectory: neither JSON nor a value of JSON a line. A "
                          "log with other lines, too, is given as --file.");
        return BL_ERR_IO;
    }
    return walk(&w);
}

enum bl_status bl_mask_json(struct bl_redactor *redactor, struct bl_arena *arena, bl_str text,
                            bool fields, struct bl_redacted *out, bl_str *problem)
{
    struct walking w = {.redactor = redactor,
                        .arena = arena,
                        .text = text,
                        .fields = fields,
                        .nested = NESTED,
                        .result = out,
                        .problem = problem,
                        .mask = BL_NONE};
    *out = (struct bl_redacted){.text = text, .settled = text.len};
    return walk(&w);
}
