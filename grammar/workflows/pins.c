/* SPDX-License-Identifier: Apache-2.0 */
#include "workflows/workflows.h"

/* A workflow of a repository beside the one that its policy makes. */

/* A line `… uses: owner/name@commit # version`, in parts. */
struct use {
    bl_str before; /* with the @ */
    bool is_commit;
};

static bl_str next_line(bl_str *rest)
{
    size_t end = bl_str_find_char(*rest, '\n');
    bl_str line = bl_str_slice(*rest, 0, end);

    *rest = end == SIZE_MAX ? (bl_str){NULL, 0} : bl_str_slice(*rest, end + 1, rest->len);
    return bl_str_ends_with(line, BL_STR("\r")) ? bl_str_slice(line, 0, line.len - 1) : line;
}

static bool is_version(bl_str text)
{
    if (!bl_str_starts_with(text, BL_STR(" # ")))
        return text.len == 0;
    for (size_t i = 3; i < text.len; i++) {
        char c = text.ptr[i];

        if (!bl_is_ascii_alpha(c) && !bl_is_ascii_digit(c) && c != '.' && c != '_' &&
            c != '-' && c != '+')
            return false;
    }
    return text.len > 3;
}

static bool read_use(bl_str line, struct use *out)
{
    size_t blanks = 0, at = bl_str_find_char(line, '@');
    bl_str word;

    while (blanks < line.len && (line.ptr[blanks] == ' ' || line.ptr[blanks] == '-'))
        blanks++;
    word = bl_str_slice(line, blanks, line.len);
    if (!bl_str_starts_with(word, BL_STR("uses: ")) || at == SIZE_MAX)
        return false;
    out->before = bl_str_slice(line, 0, at + 1);
    out->is_commit = line.len >= at + 41 && is_version(bl_str_slice(line, at + 41, line.len));
    for (size_t i = at + 1; out->is_commit && i < at + 41; i++) {
        char c = line.ptr[i];

        out->is_commit = bl_is_ascii_digit(c) || (c >= 'a' && c <= 'f');
    }
    return true;
}

bool bl_workflow_is_same(struct bl_arena *arena, bl_str made, bl_str found, bl_str *out)
{
    struct bl_buf text;
    bl_str rest = made;

    bl_buf_init(&text, arena, found.len + made.len + 2);
    while (found.len > 0) {
        bl_str line = next_line(&found);
        bl_str want = next_line(&rest);
        struct use here, there;
        bool pinned = read_use(line, &here) && read_use(want, &there) && here.is_commit &&
                      bl_str_equal(here.before, there.before);

        bl_buf_put(&text, pinned ? want : line);
        bl_buf_put_char(&text, '\n');
    }
    *out = bl_buf_str(&text);
    return !text.failed && bl_str_equal(*out, made);
}
