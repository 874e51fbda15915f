/* SPDX-License-Identifier: Apache-2.0 */
#include "text/sections.h"

#include "text/headings.h"

static bool is_one_of(bl_str text, const bl_str *titles, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (bl_str_equal_nocase(text, bl_str_trim(titles[i])))
            return true;
    }
    return false;
}

enum bl_status bl_section_find(struct bl_arena *arena, bl_str file, const bl_str *titles,
                               size_t count, bool *found)
{
    struct bl_headings headings;

    *found = false;
    if (bl_headings_read(arena, file, &headings) != BL_OK)
        return BL_ERR_NOMEM;
    for (size_t i = 0; !*found && i < headings.list.count; i++)
        *found = is_one_of(headings.list.items[i].text, titles, count);
    return BL_OK;
}

/* The line end of the file is that of its first line. */
static bl_str line_end(bl_str file)
{
    size_t at = bl_str_find_char(file, '\n');

    return at != SIZE_MAX && at > 0 && file.ptr[at - 1] == '\r' ? BL_STR("\r\n") : BL_STR("\n");
}

static void put_lines(struct bl_buf *out, bl_str text, bl_str end)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '\n')
            bl_buf_put(out, end);
        else if (text.ptr[i] != '\r')
            bl_buf_put_char(out, text.ptr[i]);
    }
}

/* Ends the last line, if it has no end. */
static void put_whole(struct bl_buf *out, bl_str file, bl_str end)
{
    bl_buf_put(out, file);
    if (file.len > 0 && file.ptr[file.len - 1] != '\n')
        bl_buf_put(out, end);
}

static bool has_text(bl_str file)
{
    bl_str mark = BL_STR("\xEF\xBB\xBF");

    if (bl_str_starts_with(file, mark))
        file = bl_str_slice(file, mark.len, file.len);
    return bl_str_trim(file).len > 0;
}

/* Is the last heading the one that was written? */
static enum bl_status judge(struct bl_arena *arena, bl_str before, bl_str after, bl_str title)
{
    struct bl_headings old, new;

    if (bl_headings_read(arena, before, &old) != BL_OK ||
        bl_headings_read(arena, after, &new) != BL_OK)
        return BL_ERR_NOMEM;
    size_t count = new.list.count;
    bool good = count > old.list.count && new.list.items[old.list.count].text.len > 0 &&
                is_one_of(new.list.items[old.list.count].text, &title, 1);
    for (size_t i = 0; good && i < old.list.count; i++)
        good = bl_str_equal(old.list.items[i].anchor, new.list.items[i].anchor);
    return good ? BL_OK : BL_ERR_REFUSED;
}

enum bl_status bl_section_add(struct bl_arena *arena, bl_str file, bl_str title, bl_str words,
                              bl_str *out)
{
    bl_str end = line_end(file);
    bool follows = has_text(file);
    struct bl_buf text;

    bl_buf_init(&text, arena, file.len + 2 * (title.len + words.len) + 64);
    put_whole(&text, file, end);
    if (follows)
        bl_buf_put(&text, end);
    bl_buf_put(&text, follows ? BL_STR("## ") : BL_STR("# "));
    bl_buf_put(&text, bl_str_trim(title));
    bl_buf_put(&text, end);
    bl_buf_put(&text, end);
    put_lines(&text, bl_str_trim(words), end);
    bl_buf_put(&text, end);
    if (text.failed)
        return BL_ERR_NOMEM;
    *out = bl_buf_str(&text);
    return judge(arena, file, *out, title);
}

enum bl_status bl_line_add(struct bl_arena *arena, bl_str file, bl_str line, bl_str *out)
{
    bl_str end = line_end(file);
    struct bl_buf text;

    bl_buf_init(&text, arena, file.len + line.len + 8);
    put_whole(&text, file, end);
    bl_buf_put(&text, line);
    bl_buf_put(&text, end);
    *out = bl_buf_str(&text);
    return text.failed ? BL_ERR_NOMEM : BL_OK;
}
