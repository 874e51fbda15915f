/* SPDX-License-Identifier: Apache-2.0 */
#include "world/github/github_headers.h"

#include "base/num.h"

#define SECONDS_MAX (INT64_C(1) << 40)

void bl_github_headers_init(struct bl_github_headers *headers)
{
    *headers = (struct bl_github_headers){.retry_after = -1, .remaining = -1, .reset = -1};
}

/* Digits alone. */
static int64_t whole(bl_str text)
{
    int64_t number;
    for (size_t i = 0; i < text.len; i++) {
        if (!bl_is_ascii_digit(text.ptr[i])) {
            return -1;
        }
    }
    return bl_int_parse(text, &number) && number <= SECONDS_MAX ? number : -1;
}

static bool is_json(bl_str type)
{
    size_t end = bl_str_find_char(type, ';');
    bl_str name = bl_str_trim(bl_str_slice(type, 0, end));
    return bl_str_equal_nocase(name, BL_STR("application/json")) ||
           (bl_str_starts_with(name, BL_STR("application/vnd.github")) &&
            bl_str_ends_with(name, BL_STR("+json")));
}

static bl_str accepted(struct bl_arena *arena, bl_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (!bl_is_ascii_alpha(c) && c != '_' && c != '=' && c != ',' && c != ';' && c != ' ') {
            return BL_STR("");
        }
    }
    return text.len <= 200 ? bl_arena_copy(arena, text) : BL_STR("");
}

void bl_github_headers_line(struct bl_github_headers *headers, struct bl_arena *arena,
                            bl_str line)
{
    if (line.len > BL_GITHUB_HEADER_BYTES) {
        return;
    }
    if (bl_str_starts_with(line, BL_STR("HTTP/"))) {
        bl_github_headers_init(headers);
        return;
    }
    size_t colon = bl_str_find_char(line, ':');
    if (colon == SIZE_MAX) {
        return;
    }
    bl_str name = bl_str_slice(line, 0, colon);
    bl_str value = bl_str_trim(bl_str_slice(line, colon + 1, line.len));
    if (bl_str_equal_nocase(name, BL_STR("content-type"))) {
        headers->json = is_json(value);
    } else if (bl_str_equal_nocase(name, BL_STR("link"))) {
        headers->link = bl_arena_copy(arena, value);
    } else if (bl_str_equal_nocase(name, BL_STR("location"))) {
        headers->location = bl_arena_copy(arena, value);
    } else if (bl_str_equal_nocase(name, BL_STR("etag"))) {
        headers->etag = bl_arena_copy(arena, value);
    } else if (bl_str_equal_nocase(name, BL_STR("x-accepted-github-permissions"))) {
        headers->accepted = accepted(arena, value);
    } else if (bl_str_equal_nocase(name, BL_STR("retry-after"))) {
        headers->retry_after = whole(value);
    } else if (bl_str_equal_nocase(name, BL_STR("x-ratelimit-remaining"))) {
        headers->remaining = whole(value);
    } else if (bl_str_equal_nocase(name, BL_STR("x-ratelimit-reset"))) {
        headers->reset = whole(value);
    }
}

/* Behind the '>': parameters up to the comma of the next link. A quoted text may hold commas.
 */
static bool says_next(bl_str parameters)
{
    if (!bl_str_starts_with(bl_str_trim(parameters), BL_STR(";"))) {
        return false;
    }
    while (parameters.len > 0) {
        size_t end = bl_str_find_char(parameters, ';');
        bl_str one = bl_str_trim(bl_str_slice(parameters, 0, end));
        if (bl_str_equal_nocase(one, BL_STR("rel=\"next\"")) ||
            bl_str_equal_nocase(one, BL_STR("rel=next"))) {
            return true;
        }
        parameters = end == SIZE_MAX ? (bl_str){NULL, 0}
                                     : bl_str_slice(parameters, end + 1, parameters.len);
    }
    return false;
}

static size_t end_of_link(bl_str text)
{
    bool quoted = false;
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '"') {
            quoted = !quoted;
        } else if (text.ptr[i] == ',' && !quoted) {
            return i;
        }
    }
    return text.len;
}

bool bl_github_link_next(bl_str link, bl_str *url)
{
    while (link.len > 0) {
        size_t open = bl_str_find_char(link, '<');
        size_t close = bl_str_find_char(link, '>');
        if (open == SIZE_MAX || close == SIZE_MAX || close < open) {
            return false;
        }
        bl_str rest = bl_str_slice(link, close + 1, link.len);
        size_t end = end_of_link(rest);
        if (says_next(bl_str_slice(rest, 0, end))) {
            *url = bl_str_slice(link, open + 1, close);
            return true;
        }
        link = bl_str_slice(rest, end + 1, rest.len);
    }
    return false;
}
