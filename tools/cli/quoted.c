/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"
#include "base/digest.h"
#include "cli/files.h"
#include "event/json.h"

#include <sys/stat.h>
#include <unistd.h>

/* The runner takes a line for a command when it begins with "::", blanks aside, or has "##[".
 */
static bool has_command(bl_str text)
{
    bool at_start = true;
    for (size_t i = 0; i < text.len; i++) {
        bl_str rest = bl_str_slice(text, i, text.len);
        if ((at_start && bl_str_starts_with(rest, BL_STR("::"))) ||
            bl_str_starts_with(rest, BL_STR("##[")))
            return true;
        at_start = text.ptr[i] == '\n' || text.ptr[i] == '\r' ||
                   (at_start && (text.ptr[i] == ' ' || text.ptr[i] == '\t'));
    }
    return false;
}

static bool parses(struct bl_arena *arena, bl_str text)
{
    struct bl_arena_mark mark = bl_arena_mark(arena);
    struct bl_json_error error = {.offset = 0};
    size_t notes = 0;
    bool good = bl_json_parse(arena, text, BL_JSON_DEPTH_MAX, &notes, &error) != NULL;
    bl_arena_release(arena, mark);
    return good;
}

/* A value, or one a line. What only begins like one is text. */
static bool is_json(struct bl_arena *arena, bl_str text)
{
    if (!bl_str_starts_with(text, BL_STR("{")) && !bl_str_starts_with(text, BL_STR("[")))
        return false;
    if (parses(arena, text))
        return true;
    for (size_t at = 0; at < text.len;) {
        bl_str rest = bl_str_slice(text, at, text.len);
        size_t end = bl_str_find_char(rest, '\n');
        bl_str line = bl_str_trim(bl_str_slice(rest, 0, end));
        if (line.len > 0 && !parses(arena, line))
            return false;
        at += end == SIZE_MAX ? rest.len : end + 1;
    }
    return true;
}

/* In JSON the signs that would begin a command stand in strings alone. */
static void put_escaped(struct bl_buf *out, bl_str json)
{
    for (size_t at = 0; at < json.len;) {
        bl_str rest = bl_str_slice(json, at, json.len);
        size_t sign = bl_str_find(rest, BL_STR("##["));
        bl_buf_put(out, bl_str_slice(rest, 0, sign));
        if (sign != SIZE_MAX)
            BL_PUT(out, "##\\u005b");
        at += sign == SIZE_MAX ? rest.len : sign + 3;
    }
}

/* Commands are stopped around such text until a word comes that nobody could have written into
 * it: the digest of the text itself. What goes into a file is read by no runner. */
static bl_str quoted(struct bl_arena *arena, int descriptor, bl_str text)
{
    struct stat info;
    unsigned char digest[BL_DIGEST_BYTES];
    char hex[BL_DIGEST_HEX];
    struct bl_buf out;
    if (!bl_str_equal(bl_environment("GITHUB_ACTIONS"), BL_STR("true")) || !has_command(text) ||
        (fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode)))
        return text;
    bl_digest(text, digest);
    bl_digest_hex(digest, hex);
    bl_buf_init(&out, arena, 3 * text.len + 1000);
    if (is_json(arena, text)) {
        put_escaped(&out, text);
        return out.failed ? (bl_str){NULL, 0} : bl_buf_str(&out);
    }
    bl_buf_printf(&out, "::stop-commands::%.*s\n", BL_DIGEST_HEX, hex);
    bl_buf_put(&out, text);
    bl_buf_printf(&out, "%s::%.*s::\n", bl_str_ends_with(text, BL_STR("\n")) ? "" : "\n",
                  BL_DIGEST_HEX, hex);
    return out.failed ? (bl_str){NULL, 0} : bl_buf_str(&out);
}

enum bl_status bl_print_quoted(struct bl_arena *arena, bl_str text)
{
    return bl_print(quoted(arena, STDOUT_FILENO, text));
}

void bl_print_error_quoted(struct bl_arena *arena, bl_str text)
{
    bl_print_error(quoted(arena, STDERR_FILENO, text));
}
