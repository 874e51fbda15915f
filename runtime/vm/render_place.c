/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"
#include "vm/render.h"

#include <inttypes.h>

bool bl_place_is_markdown(enum bl_place place)
{
    switch (place) {
    case BL_PLACE_COMMENT:
    case BL_PLACE_COMMENT_LINE:
    case BL_PLACE_TIMELINE:
    case BL_PLACE_SUMMARY:
    case BL_PLACE_PROMPT:
        return true;
    case BL_PLACE_LOG:
    case BL_PLACE_ARGUMENT:
    case BL_PLACE_COUNT:
        break;
    }
    return false;
}

bool bl_place_is_spoken(enum bl_place place)
{
    return place == BL_PLACE_COMMENT || place == BL_PLACE_COMMENT_LINE ||
           place == BL_PLACE_TIMELINE;
}

/* ---- characters -------------------------------------------------------------------------- */

/* Line ends of any kind, other controls, and what changes the reading of its neighbours. */
static bool breaks_line(uint32_t c)
{
    return (c >= 0x0A && c <= 0x0D) || c == 0x85 || c == 0x2028 || c == 0x2029;
}

static bool is_unseen(uint32_t c)
{
    return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0x61C || (c >= 0x200B && c <= 0x200F) ||
           (c >= 0x202A && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF ||
           c >= 0xE0000;
}

static void put_number(struct bl_buf *out, uint32_t c)
{
    bl_buf_printf(out, "\\u{%" PRIX32 "}", c);
}

/* One line, everything visible. With `defused`, the two beginnings of commands of the runner
 * (`::` and `##[`) lose their last character to a number. */
static void put_line(struct bl_buf *out, bl_str s, bool defused)
{
    char before = '\0';
    char before_that = '\0';

    for (size_t at = 0; at < s.len;) {
        size_t from = at;
        uint32_t c = bl_utf8_decode(s, &at);
        char ascii = c < 0x80 ? (char)c : '\0';
        bool command = defused && ((ascii == ':' && before == ':') ||
                                   (ascii == '[' && before == '#' && before_that == '#'));

        if (c == '\t' || breaks_line(c))
            bl_buf_put_char(out, ' ');
        else if (command || is_unseen(c))
            put_number(out, c);
        else
            bl_buf_put(out, bl_str_slice(s, from, at));
        before_that = before;
        before = command ? '\0' : ascii;
    }
}

/* ---- code spans -------------------------------------------------------------------------- */

static size_t longest_run(bl_str s)
{
    size_t longest = 0;
    size_t run = 0;

    for (size_t i = 0; i < s.len; i++) {
        run = s.ptr[i] == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

static void put_fence(struct bl_buf *out, size_t length)
{
    for (size_t i = 0; i < length; i++)
        bl_buf_put_char(out, '`');
}

/* The fence is longer than any run inside, so that nothing inside ends the span. A blank that
 * Markdown takes away at both ends stands where the name itself begins or ends with a back-tick
 * or a blank. Around a name with back-ticks stand blanks, so that no neighbour makes its fence
 * longer. */
static void put_code_span(struct bl_buf *out, bl_str name)
{
    size_t run = longest_run(name);
    bool edges = name.len == 0 || name.ptr[0] == '`' || name.ptr[name.len - 1] == '`' ||
                 bl_str_trim(name).len != name.len;

    if (run > 0)
        bl_buf_put_char(out, ' ');
    put_fence(out, run + 1);
    if (edges)
        bl_buf_put_char(out, ' ');
    put_line(out, name, false);
    if (edges && name.len > 0)
        bl_buf_put_char(out, ' ');
    put_fence(out, run + 1);
    if (run > 0)
        bl_buf_put_char(out, ' ');
}

/* ---- words ------------------------------------------------------------------------------- */

void bl_put_name(struct bl_buf *out, bl_str name, enum bl_place place)
{
    if (bl_place_is_markdown(place)) {
        put_code_span(out, name);
    } else if (place == BL_PLACE_ARGUMENT) {
        bl_buf_put(out, name);
    } else {
        /* The back-ticks are no code here. They keep the ends of the name away from what stands
         * beside it, where a `#` or a colon might wait for the rest of a command. */
        bl_buf_put_char(out, '`');
        put_line(out, name, true);
        bl_buf_put_char(out, '`');
    }
}

static bool is_simple_login(bl_str login)
{
    for (size_t i = 0; i < login.len; i++) {
        char c = login.ptr[i];

        if (!bl_is_ascii_alpha(c) && !bl_is_ascii_digit(c) && c != '-' && c != '_')
            return false;
    }
    return login.len > 0;
}

void bl_put_login(struct bl_buf *out, bl_str login, enum bl_place place)
{
    bool mentions =
        place == BL_PLACE_COMMENT || place == BL_PLACE_COMMENT_LINE || place == BL_PLACE_LOG;

    /* A bot reads no mention, and a deleted user is nobody. */
    if (place != BL_PLACE_ARGUMENT &&
        (!is_simple_login(login) || bl_str_equal(login, BL_STR("ghost")))) {
        bl_put_name(out, login, place);
        return;
    }
    if (mentions)
        bl_buf_put_char(out, '@');
    bl_buf_put(out, login);
}

void bl_put_words(struct bl_buf *out, bl_str words, enum bl_place place)
{
    if (place == BL_PLACE_LOG)
        put_line(out, words, true);
    else
        bl_buf_put(out, words);
}

/* ---- addresses --------------------------------------------------------------------------- */

static bool is_address(bl_str s)
{
    return bl_str_starts_with(s, BL_STR("https://")) ||
           bl_str_starts_with(s, BL_STR("http://"));
}

/* Between angle brackets everything but white space and the brackets stands for itself. */
static void put_address(struct bl_buf *out, bl_str address)
{
    for (size_t i = 0; i < address.len; i++) {
        unsigned char byte = (unsigned char)address.ptr[i];

        if (byte <= 0x20 || byte >= 0x7F || byte == '<' || byte == '>' || byte == '\\' ||
            byte == '`' || byte == '"')
            bl_buf_printf(out, "%%%02X", (unsigned)byte);
        else
            bl_buf_put_char(out, address.ptr[i]);
    }
}

void bl_put_link(struct bl_buf *out, bl_str address, enum bl_place place)
{
    if (place == BL_PLACE_ARGUMENT || !is_address(address)) {
        bl_put_name(out, address, place);
    } else if (bl_place_is_markdown(place)) {
        bl_buf_put_char(out, '<');
        put_address(out, address);
        bl_buf_put_char(out, '>');
    } else {
        put_line(out, address, true);
    }
}

void bl_put_linked(struct bl_buf *out, bl_str name, bl_str address, enum bl_place place)
{
    if (!bl_place_is_markdown(place) || !is_address(address)) {
        bl_put_name(out, name, place);
        return;
    }
    bl_buf_put_char(out, '[');
    put_code_span(out, name);
    BL_PUT(out, "](<");
    put_address(out, address);
    BL_PUT(out, ">)");
}
