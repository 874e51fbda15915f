/* SPDX-License-Identifier: Apache-2.0 */
#include "pattern_support.h"

#include <stdio.h>
#include <string.h>

struct bl_pattern compiled(struct bl_arena *arena, bl_str source, bl_str flags,
                           enum bl_pattern_form form)
{
    struct bl_pattern pattern = {NULL, 0};
    struct bl_pattern_error error;
    if (!bl_pattern_compile_as(arena, source, flags, form, &pattern, &error)) {
        fail_msg("/%.*s/ does not compile: %.*s", BL_STR_ARG(source),
                 BL_STR_ARG(error.message));
    }
    check(pattern.size % 8 == 0);
    check((uintptr_t)pattern.bytes % 8 == 0);
    check(bl_pattern_verify(pattern.bytes, pattern.size));
    check(bl_pattern_check(arena, source, flags, &error));
    return pattern;
}

static bool write_match(void *context, struct bl_match match)
{
    bl_buf_printf(context, "%s%zu-%zu", ((struct bl_buf *)context)->len > 0 ? " " : "",
                  match.lo, match.hi);
    return true;
}

bl_str all_matches(struct bl_arena *arena, struct bl_pattern pattern, bl_str text)
{
    struct bl_buf buf;
    bl_buf_init(&buf, arena, (size_t)1 << 24);
    check(bl_pattern_each(arena, pattern, text, write_match, &buf));
    check(!buf.failed);
    return bl_buf_str(&buf);
}

static bool ignore_match(void *context, struct bl_match match)
{
    (void)context;
    (void)match;
    return true;
}

uint64_t steps_of(struct bl_arena *arena, struct bl_pattern pattern, bl_str text)
{
    uint64_t steps = 0;
    check(bl_pattern_each_counted(arena, pattern, text, ignore_match, NULL, &steps));
    return steps;
}

bl_str repeated(struct bl_arena *arena, const char *text, size_t len)
{
    size_t unit = strlen(text);
    char *bytes = bl_arena_alloc(arena, len + 1, 1);
    check(bytes != NULL);
    for (size_t i = 0; i < len; i++) {
        bytes[i] = text[i % unit];
    }
    return (bl_str){bytes, len};
}

/* The part of *line up to the next tab, which goes. */
static bl_str field(bl_str *line)
{
    size_t tab = bl_str_find_char(*line, '\t');
    size_t end = tab == SIZE_MAX ? line->len : tab;
    bl_str result = bl_str_slice(*line, 0, end);
    *line = bl_str_slice(*line, end + 1, line->len);
    return result;
}

static bl_str unescaped(struct bl_arena *arena, bl_str text)
{
    struct bl_buf buf;
    bl_buf_init(&buf, arena, (size_t)1 << 20);
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == '\\' && i + 1 < text.len) {
            char next = text.ptr[++i];
            c = (char)(next == 'n' ? '\n' : next == 't' ? '\t' : next == 'r' ? '\r' : next);
        }
        bl_buf_put_char(&buf, c);
    }
    return bl_buf_str(&buf);
}

struct pattern_case *read_cases(struct bl_arena *arena, size_t *count)
{
    BL_VEC(struct pattern_case) cases = {0};
    static char buffer[1 << 20];
    FILE *file = fopen(BL_CHECKOUT "/tests/unit/data/patterns.txt", "rb");
    check(file != NULL);
    size_t size = fread(buffer, 1, sizeof(buffer), file);
    check(size > 0 && size < sizeof(buffer) && fclose(file) == 0);
    bl_str rest = {buffer, size};
    while (rest.len > 0) {
        size_t end = bl_str_find_char(rest, '\n');
        check(end != SIZE_MAX);
        bl_str line = bl_str_slice(rest, 0, end);
        rest = bl_str_slice(rest, end + 1, rest.len);
        if (bl_str_starts_with(line, BL_STR("# "))) {
            continue;
        }
        struct pattern_case *next = BL_PUSH(arena, cases);
        check(next != NULL);
        next->source = field(&line);
        next->flags = field(&line);
        next->text = unescaped(arena, field(&line));
        next->matches = line;
    }
    *count = cases.count;
    return cases.items;
}
