/* SPDX-License-Identifier: Apache-2.0 */
#include "event/names.h"

#include "base/utf8.h"
#include "spec/tables.h"

#define LOGIN_BYTES 100
#define NAME_BYTES  1024

#define BOT_SUFFIX BL_STR("[bot]")

static bool all_of(bl_str s, bool with_dots)
{
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        if (!bl_is_ascii_alpha(c) && !bl_is_ascii_digit(c) && c != '-' && c != '_' &&
            !(with_dots && c == '.')) {
            return false;
        }
    }
    return s.len > 0;
}

bool bl_is_bot_login(bl_str s)
{
    return bl_str_ends_with(s, BOT_SUFFIX);
}

bool bl_is_login(bl_str s)
{
    if (s.len > LOGIN_BYTES) {
        return false;
    }
    if (bl_is_bot_login(s)) {
        s = bl_str_slice(s, 0, s.len - BOT_SUFFIX.len);
    }
    return all_of(s, false);
}

/* A step of a path that leads elsewhere. */
static bool is_dots(bl_str s)
{
    return bl_str_equal(s, BL_STR(".")) || bl_str_equal(s, BL_STR(".."));
}

bool bl_is_repository_name(bl_str s)
{
    size_t slash = bl_str_find_char(s, '/');
    bl_str owner = bl_str_slice(s, 0, slash);
    bl_str name = bl_str_slice(s, slash == SIZE_MAX ? s.len : slash + 1, s.len);
    return s.len <= 2 * LOGIN_BYTES + 1 && all_of(owner, true) && all_of(name, true) &&
           !is_dots(owner) && !is_dots(name);
}

bool bl_is_name(bl_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        if ((unsigned char)s.ptr[i] < 0x20 || s.ptr[i] == 0x7F) {
            return false;
        }
    }
    return s.len > 0 && s.len <= NAME_BYTES;
}

bl_str bl_kept_text(bl_str s)
{
    return bl_utf8_first(s, (size_t)bl_limit(BL_LIMIT_COMMENT_CHARS));
}
