/* SPDX-License-Identifier: Apache-2.0 */
#include "base/num.h"
#include "base/time.h"
#include "base/utf8.h"
#include "vm/vm.h"

/* Markers: the first line of every own comment, an HTML comment that GitHub shows to nobody.
 *
 *   <!-- prefix:kind key=value key=value -->
 *
 * Names of the policy stand with `-` for `_`. A value is written so that it has no blank and
 * cannot end the comment: numbers and days as they are (2026-12-02), a Boolean as 0 or 1, a
 * language by its code, a moment and every text with each byte outside of [A-Za-z0-9_.] as %XX
 * (a moment keeps its `-`), the elements of a list with `+` between them.
 *
 * Reading is exact in form and mild in values: what another version wrote (a key that nobody
 * knows, a `-` or `/` that is not encoded) is no reason to forget what we said. */

struct writing {
    const struct bl_module *module;
    struct bl_buf *out;
};

/* ---- writing ----------------------------------------------------------------------------- */

static bool is_plain(char c)
{
    return bl_is_ascii_alpha(c) || bl_is_ascii_digit(c) || c == '_' || c == '.';
}

static void put_encoded(struct bl_buf *out, bl_str s, bool dashes)
{
    static const char hex[] = "0123456789ABCDEF";

    for (size_t i = 0; i < s.len; i++) {
        unsigned char byte = (unsigned char)s.ptr[i];

        if (is_plain(s.ptr[i]) || (dashes && s.ptr[i] == '-')) {
            bl_buf_put_char(out, s.ptr[i]);
        } else {
            bl_buf_put_char(out, '%');
            bl_buf_put_char(out, hex[byte >> 4]);
            bl_buf_put_char(out, hex[byte & 15]);
        }
    }
}

static void put_name(struct bl_buf *out, bl_str name)
{
    for (size_t i = 0; i < name.len; i++)
        bl_buf_put_char(out, name.ptr[i] == '_' ? '-' : name.ptr[i]);
}

static void put_scalar(const struct writing *w, struct bl_value v)
{
    char text[BL_TIME_TEXT_MAX];

    switch ((enum bl_value_tag)v.tag) {
    case BL_V_BOOL:
        bl_buf_put_char(w->out, v.as.i != 0 ? '1' : '0');
        break;
    case BL_V_DATE:
        put_encoded(w->out, (bl_str){text, bl_date_format(v.as.i, text)}, true);
        break;
    case BL_V_TIME:
        put_encoded(w->out, (bl_str){text, bl_time_format(v.as.i, text)}, true);
        break;
    case BL_V_TEXT:
        put_encoded(w->out, bl_text_of(v), false);
        break;
    case BL_V_LOCALE:
        if (v.as.i >= 0 && v.as.i < (int64_t)w->module->LOCALES_count)
            put_encoded(w->out,
                        bl_module_string(w->module, w->module->LOCALES_rows[v.as.i].code),
                        false);
        break;
    case BL_V_INT:
    case BL_V_DURATION:
    case BL_V_MONEY:
    case BL_V_PERCENT:
    case BL_V_ENUM:
    case BL_V_TASK:
    case BL_V_COMMAND:
        bl_buf_put_int(w->out, v.as.i);
        break;
    case BL_V_ABSENT:
    case BL_V_PATTERN:
    case BL_V_LIST:
    case BL_V_OBJECT:
    case BL_V_RECORD:
    case BL_V_POSTED:
        break; /* no types of attributes */
    }
}

void bl_marker_write(const struct bl_module *module, uint32_t kind,
                     const struct bl_value *attributes, struct bl_buf *out)
{
    const struct bl_module_comment *row = &module->COMMENTS_rows[kind];
    const struct writing w = {module, out};

    BL_PUT(out, "<!-- ");
    if (module->INFO_count > 0)
        bl_buf_put(out, bl_module_string(module, module->INFO_rows[0].marker));
    bl_buf_put_char(out, ':');
    put_name(out, bl_module_string(module, row->name));
    for (uint32_t i = 0; i < row->attribute_count; i++) {
        struct bl_value v = attributes[i];

        if (bl_is_absent(v) || (v.tag == BL_V_LIST && v.as.list->count == 0))
            continue;
        bl_buf_put_char(out, ' ');
        put_name(out, bl_module_string(module,
                                       module->ATTRIBUTES_rows[row->first_attribute + i].name));
        bl_buf_put_char(out, '=');
        if (v.tag != BL_V_LIST)
            put_scalar(&w, v);
        for (uint32_t item = 0; v.tag == BL_V_LIST && item < v.as.list->count; item++) {
            if (item > 0)
                bl_buf_put_char(out, '+');
            put_scalar(&w, v.as.list->items[item]);
        }
    }
    BL_PUT(out, " -->");
}

/* ---- reading ----------------------------------------------------------------------------- */

struct reading {
    struct bl_arena *arena;
    const struct bl_module *module;
};

static bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || bl_is_ascii_digit(c) || c == '-';
}

static bool is_value_char(char c)
{
    return is_plain(c) || c == '%' || c == '+' || c == '/' || c == '-';
}

/* The longest beginning of characters that `is` takes, which moves *rest behind it. */
static bl_str take(bl_str *rest, bool (*is)(char))
{
    size_t length = 0;

    while (length < rest->len && is(rest->ptr[length]))
        length++;
    bl_str taken = bl_str_slice(*rest, 0, length);
    *rest = bl_str_slice(*rest, length, rest->len);
    return taken;
}

static bool skip(bl_str *rest, bl_str what)
{
    if (!bl_str_starts_with(*rest, what))
        return false;
    *rest = bl_str_slice(*rest, what.len, rest->len);
    return true;
}

static bool same_name(bl_str in_marker, bl_str declared)
{
    if (in_marker.len != declared.len)
        return false;
    for (size_t i = 0; i < declared.len; i++) {
        if (in_marker.ptr[i] != (declared.ptr[i] == '_' ? '-' : declared.ptr[i]))
            return false;
    }
    return true;
}

static int hex_digit(char c)
{
    if (bl_is_ascii_digit(c))
        return c - '0';
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* False when an escape is broken or the bytes are no text. */
static bool decode(struct bl_arena *arena, bl_str value, bl_str *out)
{
    char *bytes = bl_arena_alloc(arena, value.len + 1, 1);
    size_t length = 0;

    if (bytes == NULL)
        return false;
    for (size_t i = 0; i < value.len; i++) {
        if (value.ptr[i] != '%') {
            bytes[length++] = value.ptr[i];
            continue;
        }
        int high = i + 2 < value.len ? hex_digit(value.ptr[i + 1]) : -1;
        int low = i + 2 < value.len ? hex_digit(value.ptr[i + 2]) : -1;
        if (high < 0 || low < 0 || (high == 0 && low == 0))
            return false;
        bytes[length++] = (char)(high * 16 + low);
        i += 2;
    }
    *out = (bl_str){bytes, length};
    return bl_utf8_invalid_at(*out) == length;
}

static bool read_int(bl_str s, int64_t *out)
{
    bool negative = bl_str_starts_with(s, BL_STR("-"));
    bl_str digits = negative ? bl_str_slice(s, 1, s.len) : s;

    if (bl_str_find_char(digits, '_') != SIZE_MAX || !bl_int_parse(digits, out))
        return false;
    *out = negative ? -*out : *out;
    return true;
}

/* A language that the policy no longer has is the reference. */
static int64_t locale_of(const struct bl_module *module, bl_str code)
{
    for (uint32_t i = 0; i < module->LOCALES_count; i++) {
        if (bl_str_equal(bl_module_string(module, module->LOCALES_rows[i].code), code))
            return i;
    }
    return 0;
}

/* False when the value is not of that type. */
static bool read_scalar(const struct reading *r, bl_str encoded, bl_type type,
                        struct bl_value *out)
{
    bl_str s;
    int64_t i = 0;

    if (!decode(r->arena, encoded, &s))
        return false;
    if (bl_type_is_text(type)) {
        *out = bl_text(s);
        return true;
    }
    if (bl_type_is(type, BL_TYPE_DATE)) {
        if (!bl_date_parse(s, &i))
            return false;
    } else if (bl_type_is(type, BL_TYPE_TIME)) {
        if (!bl_time_parse(s, &i))
            return false;
    } else if (bl_type_is(type, BL_TYPE_LOCALE)) {
        if (r->module->LOCALES_count == 0)
            return false;
        i = locale_of(r->module, s);
    } else if (!read_int(s, &i)) {
        return false;
    }
    if (bl_type_is(type, BL_TYPE_BOOL) && i != 0 && i != 1)
        return false;
    *out = bl_number(bl_tag_of_type(type), i);
    return true;
}

static bool read_list(const struct reading *r, bl_str value, bl_type element,
                      struct bl_value *out)
{
    struct bl_list *list = bl_list_create(r->arena);

    if (list == NULL)
        return false;
    for (size_t from = 0; from <= value.len;) {
        size_t length = bl_str_find_char(bl_str_slice(value, from, value.len), '+');
        size_t to = length == SIZE_MAX ? value.len : from + length;
        struct bl_value item;

        if (!read_scalar(r, bl_str_slice(value, from, to), element, &item) ||
            bl_list_push(r->arena, list, item) != BL_OK)
            return false;
        from = to + 1;
    }
    *out = bl_list_value(list);
    return true;
}

static bool read_value(const struct reading *r, bl_str value, bl_type type,
                       struct bl_value *out)
{
    type = bl_type_base(type);
    return bl_type_is_list(type) ? read_list(r, value, bl_type_element(type), out)
                                 : read_scalar(r, value, type, out);
}

/* What a marker without the attribute says: an older version had nothing to say yet. */
static bool default_value(const struct reading *r, bl_type type, struct bl_value *out)
{
    *out = bl_absent();
    if (bl_type_is_optional(type))
        return true;
    if (bl_type_is(type, BL_TYPE_BOOL))
        *out = bl_bool(false);
    if (!bl_type_is_list(type))
        return true;
    struct bl_list *list = bl_list_create(r->arena);
    if (list != NULL)
        *out = bl_list_value(list);
    return list != NULL;
}

static const struct bl_module_comment *kind_of(const struct bl_module *module, bl_str name)
{
    for (uint32_t i = 0; i < module->COMMENTS_count; i++) {
        if (same_name(name, bl_module_string(module, module->COMMENTS_rows[i].name)))
            return &module->COMMENTS_rows[i];
    }
    return NULL;
}

/* ` key=value`, until ` -->` ends the line. Each key once. */
static bool read_attributes(const struct reading *r, bl_str rest,
                            const struct bl_module_comment *kind, struct bl_value *values,
                            bool *seen)
{
    while (!bl_str_equal(rest, BL_STR(" -->"))) {
        if (!skip(&rest, BL_STR(" ")))
            return false;
        bl_str key = take(&rest, is_name_char);
        if (key.len == 0 || !skip(&rest, BL_STR("=")))
            return false;
        bl_str value = take(&rest, is_value_char);
        for (uint32_t i = 0; i < kind->attribute_count; i++) {
            const struct bl_module_member *row =
                &r->module->ATTRIBUTES_rows[kind->first_attribute + i];

            if (!same_name(key, bl_module_string(r->module, row->name)))
                continue;
            if (seen[i] || !read_value(r, value, row->type, &values[i]))
                return false;
            seen[i] = true;
        }
    }
    return true;
}

static bl_str first_line(bl_str text)
{
    size_t end = bl_str_find_char(text, '\n');
    bl_str line = bl_str_slice(text, 0, end == SIZE_MAX ? text.len : end);

    return bl_str_ends_with(line, BL_STR("\r")) ? bl_str_slice(line, 0, line.len - 1) : line;
}

enum bl_status bl_marker_read(struct bl_arena *arena, const struct bl_module *module,
                              struct bl_object *comment, bl_str text, struct bl_posted **out)
{
    const struct reading r = {arena, module};
    bl_str rest = first_line(text);

    *out = NULL;
    if (module->INFO_count == 0 || !skip(&rest, BL_STR("<!-- ")) ||
        !skip(&rest, bl_module_string(module, module->INFO_rows[0].marker)) ||
        !skip(&rest, BL_STR(":")))
        return BL_OK;
    const struct bl_module_comment *kind = kind_of(module, take(&rest, is_name_char));
    if (kind == NULL)
        return BL_OK;
    struct bl_posted *posted = BL_NEW(arena, struct bl_posted);
    struct bl_value *values = BL_NEW_ARRAY(arena, kind->attribute_count, struct bl_value);
    bool *seen = BL_NEW_ARRAY(arena, kind->attribute_count, bool);
    if (posted == NULL || values == NULL || seen == NULL)
        return BL_ERR_NOMEM;
    bool whole = read_attributes(&r, rest, kind, values, seen);
    for (uint32_t i = 0; whole && i < kind->attribute_count; i++) {
        bl_type type = module->ATTRIBUTES_rows[kind->first_attribute + i].type;

        if (!seen[i])
            whole = default_value(&r, type, &values[i]);
    }
    if (arena->failed)
        return BL_ERR_NOMEM;
    if (!whole)
        return BL_OK;
    *posted = (struct bl_posted){
        .comment = comment,
        .kind = (uint16_t)(kind - module->COMMENTS_rows),
        .attributes = values,
    };
    *out = posted;
    return BL_OK;
}
