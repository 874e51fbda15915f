/* SPDX-License-Identifier: Apache-2.0 */
#include "base/num.h"
#include "base/utf8.h"
#include "lint/witness_parts.h"

/* A text for a pattern: the shortest that its pieces ask for. Anchors are skipped, so it may be
 * wrong; who asks runs the pattern over it. */

struct sampler {
    bl_str source;
    size_t at;
    unsigned variant; /* which alternative of each choice, as far as there are so many */
    unsigned depth;
    struct bl_buf out;
};

#define SAMPLE_BYTES 256u
#define DEPTH_MAX    32u

static bool more(const struct sampler *p)
{
    return p->at < p->source.len;
}

static char here(const struct sampler *p)
{
    return more(p) ? p->source.ptr[p->at] : '\0';
}

/* A character that an escape of a class of characters stands for. */
static char class_escape(char c)
{
    switch (c) {
    case 'd':
        return '1';
    case 'w':
    case 'D':
    case 'S':
        return 'a';
    case 's':
    case 'W':
        return ' ';
    case 'n':
        return '\n';
    case 't':
        return '\t';
    case 'r':
        return '\r';
    default:
        return c;
    }
}

static void skip_braces(struct sampler *p)
{
    size_t end = bl_str_find_char(bl_str_slice(p->source, p->at, p->source.len), '}');

    if (here(p) == '{')
        p->at = end == SIZE_MAX ? p->source.len : p->at + end + 1;
}

static uint32_t read_hex(struct sampler *p, char end)
{
    uint32_t value = 0;

    for (unsigned digits = 0; more(p) && digits < 6 && here(p) != end; digits++, p->at++) {
        char c = bl_ascii_lower(here(p));
        uint32_t digit = c >= 'a' && c <= 'f'   ? (uint32_t)(c - 'a' + 10)
                         : bl_is_ascii_digit(c) ? (uint32_t)(c - '0')
                                                : 0;

        value = value * 16 + digit;
        if (end == '\0' && digits == 1) {
            p->at++;
            break;
        }
    }
    if (end != '\0' && here(p) == end)
        p->at++;
    return value;
}

/* Behind a backslash. */
static uint32_t escaped(struct sampler *p)
{
    char c = here(p);

    p->at++;
    if (c == 'u' && here(p) == '{') {
        p->at++;
        return read_hex(p, '}');
    }
    if (c == 'x')
        return read_hex(p, '\0');
    if (c == 'p' || c == 'P') {
        skip_braces(p);
        return 'a';
    }
    return (unsigned char)class_escape(c);
}

static uint32_t one_character(struct sampler *p)
{
    size_t at = p->at;
    uint32_t c;

    if (here(p) == '\\') {
        p->at++;
        return escaped(p);
    }
    c = bl_utf8_decode(p->source, &at);
    p->at = at;
    return c;
}

/* The first character of a class; of a negated one something that is seldom listed. */
static uint32_t class_member(struct sampler *p)
{
    static const char seldom[] = "x~\x01 0";
    uint32_t first = 'x';
    bool negated, found = false;
    bool taken[sizeof(seldom)] = {false};

    p->at++;
    negated = here(p) == '^';
    p->at += negated;
    while (more(p) && (here(p) != ']' || !found)) {
        uint32_t lo = one_character(p), hi = lo;

        if (here(p) == '-' && p->at + 1 < p->source.len && p->source.ptr[p->at + 1] != ']') {
            p->at++;
            hi = one_character(p);
        }
        first = found ? first : lo;
        found = true;
        for (size_t i = 0; i + 1 < sizeof(seldom); i++)
            taken[i] = taken[i] || ((uint32_t)seldom[i] >= lo && (uint32_t)seldom[i] <= hi);
    }
    p->at += more(p);
    if (!negated)
        return first;
    for (size_t i = 0; i + 1 < sizeof(seldom); i++) {
        if (!taken[i])
            return (uint32_t)seldom[i];
    }
    return 0xE9; /* a letter that is none of ASCII */
}

static void put(struct sampler *p, uint32_t c)
{
    char bytes[4];

    bl_buf_put(&p->out, (bl_str){bytes, bl_utf8_encode(c, bytes)});
}

static void alternatives(struct sampler *p);

/* How often the piece before must stand there at least. */
static unsigned least_times(struct sampler *p)
{
    int64_t times = 1;
    char c = here(p);

    if (c == '*' || c == '?' || c == '+') {
        p->at++;
        return c == '+';
    }
    if (c != '{' || p->at + 1 >= p->source.len || !bl_is_ascii_digit(p->source.ptr[p->at + 1]))
        return 1;
    size_t end = p->at + 1;
    while (end < p->source.len && bl_is_ascii_digit(p->source.ptr[end]))
        end++;
    if (!bl_int_parse(bl_str_slice(p->source, p->at + 1, end), &times))
        times = 1;
    skip_braces(p);
    return times > 50 ? 50 : (unsigned)times;
}

/* One piece with its quantifier. */
static void piece(struct sampler *p)
{
    size_t before = p->out.len;
    char c = here(p);
    uint32_t character = 0;
    bool shown = true;

    if (c == '(') {
        p->at++;
        if (here(p) == '?')
            p->at += 2; /* (?: */
        alternatives(p);
        p->at += here(p) == ')';
        shown = false;
    } else if (c == '^' || c == '$') {
        p->at++;
        shown = false;
    } else if (c == '\\' && p->at + 1 < p->source.len &&
               (p->source.ptr[p->at + 1] == 'b' || p->source.ptr[p->at + 1] == 'B')) {
        p->at += 2;
        shown = false;
    } else if (c == '[') {
        character = class_member(p);
    } else if (c == '.') {
        p->at++;
        character = 'x';
    } else {
        character = one_character(p);
    }
    if (shown)
        put(p, character);
    unsigned times = least_times(p);
    bl_str once = {p->out.ptr != NULL ? p->out.ptr + before : NULL, p->out.len - before};
    if (times == 0) {
        p->out.len = before;
        return;
    }
    for (unsigned i = 1; i < times && once.len * times < SAMPLE_BYTES; i++) {
        bl_str copy = bl_arena_copy(p->out.arena, once);

        bl_buf_put(&p->out, copy);
        once.ptr = p->out.ptr + before;
    }
}

static void alternatives(struct sampler *p)
{
    size_t before = p->out.len;
    unsigned index = 0;

    if (++p->depth > DEPTH_MAX)
        p->at = p->source.len;
    while (more(p) && here(p) != ')') {
        if (here(p) != '|') {
            piece(p);
            continue;
        }
        p->at++;
        if (index++ < p->variant) {
            p->out.len = before; /* this one instead */
            continue;
        }
        size_t length = p->out.len; /* read the rest without keeping it */
        while (more(p) && here(p) != ')') {
            if (here(p) == '|')
                p->at++;
            else
                piece(p);
        }
        p->out.len = length;
    }
    p->depth--;
}

bl_str bl_pattern_sample(struct bl_arena *arena, bl_str source, unsigned variant)
{
    struct sampler p = {.source = source, .variant = variant};

    bl_buf_init(&p.out, arena, 4 * SAMPLE_BYTES);
    while (more(&p)) {
        alternatives(&p);
        if (here(&p) == ')') /* a pattern that does not parse */
            p.at++;
    }
    return bl_arena_copy(arena, bl_buf_str(&p.out));
}
