/* SPDX-License-Identifier: Apache-2.0 */
#include "base/time.h"
#include "base/utf8.h"
#include "value/value.h"

#include <inttypes.h>

#define TEXT_MAX   60u  /* characters of a text */
#define LINES_MAX  200u /* lines of a text that is shown whole, */
#define LINE_CHARS 400u /* and characters of each */
#define ITEMS_MAX  8u   /* elements of a list or fields of a record */
#define DEPTH_MAX  4u

struct describing {
    struct bl_buf *out;
    const struct bl_value_names *names;
};

/* ---- text ------------------------------------------------------------------------------- */

/* Characters that change how what stands around them is read, or that cannot be seen. Sorted.
 */
static const struct {
    uint32_t from, to;
} hidden[] = {
    {0x0000, 0x001F},   /* C0 controls: escape sequences, line ends */
    {0x007F, 0x009F},   /* DEL and C1 controls */
    {0x00AD, 0x00AD},   /* soft hyphen */
    {0x034F, 0x034F},   /* combining grapheme joiner */
    {0x061C, 0x061C},   /* Arabic letter mark */
    {0x115F, 0x1160},   /* Hangul fillers */
    {0x17B4, 0x17B5},   /* Khmer inherent vowels */
    {0x180B, 0x180F},   /* Mongolian separators */
    {0x200B, 0x200F},   /* zero width, direction marks */
    {0x2028, 0x202E},   /* line and paragraph ends, direction embeddings */
    {0x2060, 0x206F},   /* word joiner, direction isolates */
    {0x3164, 0x3164},   /* Hangul filler */
    {0xD800, 0xDFFF},   /* surrogates */
    {0xE000, 0xF8FF},   /* private use */
    {0xFE00, 0xFE0F},   /* variation selectors */
    {0xFEFF, 0xFEFF},   /* byte order mark */
    {0xFFA0, 0xFFA0},   /* halfwidth Hangul filler */
    {0xFFF0, 0xFFFB},   /* interlinear annotations */
    {0x1BCA0, 0x1BCA3}, /* shorthand format controls */
    {0x1D173, 0x1D17A}, /* musical format controls */
    {0xE0000, 0x10FFFF} /* tags, variation selectors, private use */
};

static bool is_hidden(uint32_t c)
{
    for (size_t i = 0; i < sizeof hidden / sizeof hidden[0] && c >= hidden[i].from; i++) {
        if (c <= hidden[i].to)
            return true;
    }
    return false;
}

static void put_code(struct bl_buf *out, uint32_t c)
{
    bl_buf_printf(out, "\\u{%" PRIX32 "}", c);
}

/* At most so many characters from `at` on; where they end. Two sequences begin commands of the
 * runner in a log, `::` and
 * `##[`: their last character is written as a number. */
static size_t put_characters(struct bl_buf *out, bl_str s, size_t at, size_t most,
                             bool in_quotes)
{
    char before = '\0';
    char before_that = '\0';

    for (size_t count = 0; at < s.len && count < most; count++) {
        size_t from = at;
        uint32_t c = bl_utf8_decode(s, &at);
        char ascii = c < 0x80 ? (char)c : '\0';

        if (is_hidden(c) || (ascii == ':' && before == ':') ||
            (ascii == '[' && before == '#' && before_that == '#')) {
            put_code(out, c);
        } else {
            if (in_quotes && (ascii == '"' || ascii == '\\'))
                bl_buf_put_char(out, '\\');
            bl_buf_put(out, bl_str_slice(s, from, at));
        }
        before_that = before;
        before = ascii;
    }
    return at;
}

static void put_escaped(struct bl_buf *out, bl_str s)
{
    if (put_characters(out, s, 0, TEXT_MAX, true) < s.len)
        BL_PUT(out, "…");
}

bool bl_value_is_shortened(struct bl_value v)
{
    return v.tag == BL_V_TEXT && bl_utf8_length(bl_text_of(v)) > TEXT_MAX;
}

void bl_value_describe_lines(struct bl_buf *out, struct bl_value v, bl_str margin)
{
    bl_str rest = bl_text_of(v);

    for (size_t lines = 0; rest.len > 0; lines++) {
        size_t end = bl_str_find_char(rest, '\n');
        bl_str line = end == SIZE_MAX ? rest : bl_str_slice(rest, 0, end);

        bl_buf_put(out, margin);
        if (lines == LINES_MAX) {
            BL_PUT(out, "…\n");
            return;
        }
        if (put_characters(out, line, 0, LINE_CHARS, true) < line.len)
            BL_PUT(out, "…");
        BL_PUT(out, "\n");
        rest = bl_str_slice(rest, end == SIZE_MAX ? rest.len : end + 1, rest.len);
    }
}

static bool is_name_like(bl_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];

        if (!bl_is_ascii_alpha(c) && !bl_is_ascii_digit(c) &&
            bl_str_find_char(BL_STR("_-./+"), c) == SIZE_MAX)
            return false;
    }
    return s.len > 0;
}

/* Texts of values are valid UTF-8; a host that breaks this gets an escape for each byte. */
static void put_quoted(struct bl_buf *out, bl_str s)
{
    /* More characters than are shown, so that the cut is seen. */
    bl_str head = bl_utf8_prefix(s, (TEXT_MAX + 1) * 4);

    bl_buf_put_char(out, '"');
    if (bl_utf8_invalid_at(head) == head.len && (head.len > 0 || s.len == 0)) {
        put_escaped(out, head);
    } else {
        for (size_t i = 0; i < s.len && i < TEXT_MAX; i++)
            bl_buf_printf(out, "\\x%02X", (unsigned)(unsigned char)s.ptr[i]);
        if (s.len > TEXT_MAX)
            BL_PUT(out, "…");
    }
    bl_buf_put_char(out, '"');
}

/* ---- numbers ---------------------------------------------------------------------------- */

/* In the largest unit that leaves no rest: what a policy would have written. */
static void put_duration(struct bl_buf *out, int64_t seconds)
{
    static const struct {
        int64_t seconds;
        const char *unit;
    } units[] = {{86400, "day"}, {3600, "hour"}, {60, "minute"}, {1, "second"}};
    size_t i = 0;

    while (seconds == 0 ? units[i].seconds > 1 : seconds % units[i].seconds != 0)
        i++;
    int64_t count = seconds / units[i].seconds;
    bl_buf_printf(out, "%" PRId64 " %s%s", count, units[i].unit,
                  count == 1 || count == -1 ? "" : "s");
}

/* Cents always, ten-thousandths where there are any. */
static void put_money(struct bl_buf *out, int64_t amount)
{
    uint64_t size = amount < 0 ? 0 - (uint64_t)amount : (uint64_t)amount;
    unsigned rest = (unsigned)(size % 10000);

    bl_buf_printf(out, "%s$%" PRIu64, amount < 0 ? "-" : "", size / 10000);
    if (rest % 100 == 0)
        bl_buf_printf(out, ".%02u", rest / 100);
    else
        bl_buf_printf(out, ".%04u", rest);
}

/* Years that no calendar text has are written as the bare number. */
static void put_moment(struct bl_buf *out, enum bl_value_tag tag, int64_t i)
{
    static const int64_t last_day = 2932896; /* 9999-12-31 */
    int64_t day = tag == BL_V_TIME ? bl_day_of_time(i) : i;
    char text[BL_TIME_TEXT_MAX];

    if (day < -719528 || day > last_day) { /* 0000-01-01 */
        bl_buf_printf(out, "%s %" PRId64, tag == BL_V_TIME ? "time" : "date", i);
        return;
    }
    size_t len = tag == BL_V_TIME ? bl_time_format(i, text) : bl_date_format(i, text);
    bl_buf_put(out, (bl_str){text, len});
}

/* ---- things ----------------------------------------------------------------------------- */

/* A word that the tables or the module know, else `what` and the number. */
static void put_word(struct bl_buf *out, bl_str word, const char *what, int64_t number)
{
    if (word.len > 0)
        put_escaped(out, word);
    else
        bl_buf_printf(out, "%s %" PRId64, what, number);
}

static void put_member(const struct describing *d, unsigned enumeration, int64_t member)
{
    bl_str word = {NULL, 0};

    if (member >= 0 && member <= UINT16_MAX) {
        word = bl_enum_member((enum bl_enum)enumeration, (unsigned)member);
        if (enumeration >= BL_ENUM_COUNT && d->names != NULL)
            word = d->names->enum_member(d->names->context, enumeration, (unsigned)member);
    }
    put_word(d->out, word, "member", member);
}

static void put_declared(const struct describing *d, enum bl_value_tag tag, int64_t index,
                         const char *what)
{
    bl_str word = {NULL, 0};

    if (d->names != NULL && index >= 0 && index <= UINT32_MAX)
        word = d->names->declared(d->names->context, tag, (unsigned)index);
    put_word(d->out, word, what, index);
}

/* As policies write it: its backslashes are its own. */
static void put_pattern(const struct describing *d, int64_t index)
{
    bl_str source = {NULL, 0};

    if (d->names != NULL && index >= 0 && index <= UINT32_MAX)
        source = d->names->declared(d->names->context, BL_V_PATTERN, (unsigned)index);
    if (source.len == 0)
        put_word(d->out, source, "pattern", index);
    else if (put_characters(d->out, source, 0, TEXT_MAX, false) < source.len)
        BL_PUT(d->out, "…");
}

static void put_object(struct bl_buf *out, const struct bl_object *object)
{
    const struct bl_entity_info *info = bl_entity_info((enum bl_entity)object->entity);
    bool numbered =
        object->entity == BL_ENTITY_ISSUE || object->entity == BL_ENTITY_PULL_REQUEST ||
        object->entity == BL_ENTITY_DISCUSSION || object->entity == BL_ENTITY_NUMBERED;
    bool named = object->entity == BL_ENTITY_USER || object->entity == BL_ENTITY_COMMIT ||
                 object->entity == BL_ENTITY_RELEASE || object->entity == BL_ENTITY_REPOSITORY;

    if (numbered) {
        bl_buf_printf(out, "#%" PRId64, object->key);
    } else if (named && object->name.len > 0) {
        /* Whole commit ids are long, and twelve digits tell them apart. */
        bool commit = object->entity == BL_ENTITY_COMMIT;

        put_escaped(out, commit ? bl_str_slice(object->name, 0, 12) : object->name);
    } else {
        if (info != NULL)
            bl_buf_put(out, info->name);
        if (object->key != 0)
            bl_buf_printf(out, " %" PRId64, object->key);
    }
}

static void describe(const struct describing *d, struct bl_value v, bool inside,
                     unsigned depth);

static void put_items(const struct describing *d, const struct bl_value *items, uint32_t count,
                      bool complete, unsigned depth)
{
    uint32_t shown = depth >= DEPTH_MAX ? 0 : count < ITEMS_MAX ? count : ITEMS_MAX;

    for (uint32_t i = 0; i < shown; i++) {
        if (i > 0)
            BL_PUT(d->out, ", ");
        describe(d, items[i], true, depth + 1);
    }
    if (shown == count && complete)
        return;
    if (shown > 0)
        BL_PUT(d->out, ", and ");
    /* How many more there are is not known before the last page. */
    if (complete)
        bl_buf_printf(d->out, "%" PRIu32 " more", count - shown);
    else
        BL_PUT(d->out, "more");
}

static void describe(const struct describing *d, struct bl_value v, bool inside, unsigned depth)
{
    struct bl_buf *out = d->out;

    switch ((enum bl_value_tag)v.tag) {
    case BL_V_ABSENT:
        BL_PUT(out, "none");
        return;
    case BL_V_BOOL:
        bl_buf_put(out, v.as.i != 0 ? BL_STR("true") : BL_STR("false"));
        return;
    case BL_V_INT:
        bl_buf_put_int(out, v.as.i);
        return;
    case BL_V_DURATION:
        put_duration(out, v.as.i);
        return;
    case BL_V_MONEY:
        put_money(out, v.as.i);
        return;
    case BL_V_PERCENT:
        bl_buf_printf(out, "%" PRId64 "%%", v.as.i);
        return;
    case BL_V_TIME:
    case BL_V_DATE:
        put_moment(out, (enum bl_value_tag)v.tag, v.as.i);
        return;
    case BL_V_ENUM:
        put_member(d, v.aux, v.as.i);
        return;
    case BL_V_TASK:
        put_declared(d, BL_V_TASK, v.as.i, "task");
        return;
    case BL_V_LOCALE:
        put_declared(d, BL_V_LOCALE, v.as.i, "language");
        return;
    case BL_V_COMMAND:
        put_declared(d, BL_V_COMMAND, v.as.i, "command");
        return;
    case BL_V_PATTERN:
        put_pattern(d, v.as.i);
        return;
    case BL_V_TEXT:
        if (inside && v.len <= TEXT_MAX && is_name_like(bl_text_of(v)))
            bl_buf_put(out, bl_text_of(v));
        else
            put_quoted(out, bl_text_of(v));
        return;
    case BL_V_LIST:
        bl_buf_put_char(out, '[');
        put_items(d, v.as.list->items, v.as.list->count, v.as.list->complete, depth);
        bl_buf_put_char(out, ']');
        return;
    case BL_V_OBJECT:
        put_object(out, v.as.object);
        return;
    case BL_V_RECORD:
        bl_buf_put_char(out, '(');
        put_items(d, v.as.fields, v.len, true, depth);
        bl_buf_put_char(out, ')');
        return;
    case BL_V_POSTED:
        put_object(out, v.as.posted->comment);
        return;
    }
}

void bl_value_describe(struct bl_buf *out, struct bl_value v,
                       const struct bl_value_names *names)
{
    const struct describing d = {out, names};

    describe(&d, v, false, 0);
}
