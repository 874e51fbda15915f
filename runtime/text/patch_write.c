/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"
#include "text/patch.h"

/* What others say of patches, and patches of our own. */

static bool is_count(bl_str s)
{
    bool digits = s.len > 0;

    for (size_t i = 0; i < s.len; i++)
        digits = digits && bl_is_ascii_digit(s.ptr[i]);
    return digits || bl_str_equal(s, BL_STR("-"));
}

bool bl_patch_numstat(struct bl_arena *arena, bl_str printed, bl_str *out)
{
    struct bl_buf reading;

    *out = (bl_str){NULL, 0};
    bl_buf_init(&reading, arena, printed.len + 1);
    while (printed.len > 0) {
        size_t end = bl_str_find_char(printed, '\0');
        bl_str row = bl_str_slice(printed, 0, end);
        size_t first = bl_str_find_char(row, '\t');
        size_t second = first == SIZE_MAX
                            ? SIZE_MAX
                            : bl_str_find_char(bl_str_slice(row, first + 1, row.len), '\t');
        if (end == SIZE_MAX || second == SIZE_MAX)
            return false;
        bl_str added = bl_str_slice(row, 0, first);
        bl_str removed = bl_str_slice(row, first + 1, first + 1 + second);
        bl_str path = bl_str_slice(row, first + second + 2, row.len);
        if (!is_count(added) || !is_count(removed) || path.len == 0 ||
            bl_str_find_char(path, '\n') != SIZE_MAX || bl_utf8_invalid_at(path) != path.len)
            return false;
        bl_buf_put(&reading, added);
        BL_PUT(&reading, " ");
        bl_buf_put(&reading, removed);
        BL_PUT(&reading, " ");
        bl_buf_put(&reading, path);
        BL_PUT(&reading, "\n");
        printed = bl_str_slice(printed, end + 1, printed.len);
    }
    *out = bl_buf_str(&reading);
    return !reading.failed;
}

/* ---- a new file -------------------------------------------------------------------------- */

static void put_name(struct bl_buf *out, const char *prefix, bl_str path)
{
    bool quoted = false;

    for (size_t i = 0; i < path.len; i++) {
        unsigned char c = (unsigned char)path.ptr[i];
        quoted = quoted || c < 0x20 || c == 0x7F || c == '"' || c == '\\';
    }
    bl_buf_printf(out, "%s%s", quoted ? "\"" : "", prefix);
    for (size_t i = 0; i < path.len; i++) {
        unsigned char c = (unsigned char)path.ptr[i];
        if (c == '"' || c == '\\')
            bl_buf_printf(out, "\\%c", c);
        else if (c < 0x20 || c == 0x7F)
            bl_buf_printf(out, "\\%03o", c);
        else
            bl_buf_put_char(out, (char)c);
    }
    if (quoted)
        BL_PUT(out, "\"");
}

static void put_lines(struct bl_buf *out, bl_str path, bl_str text)
{
    size_t lines = 1;

    for (size_t i = 0; i < text.len; i++)
        lines += text.ptr[i] == '\n';
    BL_PUT(out, "--- /dev/null\n+++ ");
    put_name(out, "b/", path);
    if (bl_str_find_char(path, ' ') != SIZE_MAX)
        BL_PUT(out, "\t");
    BL_PUT(out, "\n@@ -0,0 +1");
    if (lines > 1)
        bl_buf_printf(out, ",%zu", lines);
    BL_PUT(out, " @@\n");
    for (; lines > 0; lines--) {
        size_t end = bl_str_find_char(text, '\n');
        BL_PUT(out, "+");
        bl_buf_put(out, bl_str_slice(text, 0, end));
        BL_PUT(out, "\n");
        text = bl_str_slice(text, end == SIZE_MAX ? text.len : end + 1, text.len);
    }
}

bl_str bl_patch_of_new_file(struct bl_arena *arena, bl_str path, bl_str text)
{
    struct bl_buf out;

    if (bl_str_ends_with(text, BL_STR("\n")))
        text.len--;
    bl_buf_init(&out, arena, (size_t)bl_limit(BL_LIMIT_TEXT_BYTES));
    BL_PUT(&out, "diff --git ");
    put_name(&out, "a/", path);
    BL_PUT(&out, " ");
    put_name(&out, "b/", path);
    /* The second name stands for whatever the file is; nobody looks it up. */
    BL_PUT(&out, "\nnew file mode 100644\nindex 0000000..1111111\n");
    if (text.len > 0)
        put_lines(&out, path, text);
    return out.failed ? (bl_str){NULL, 0} : bl_buf_str(&out);
}
