/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"
#include "text/patch_parts.h"

#include <string.h>

/* Names of files in patches. Git quotes a name that holds a quote, a backslash or a control
 * character, and by its settings one with bytes above 127; who quotes otherwise is not git. */

#define ESCAPES "abtnvfr\"\\"
#define ESCAPED "\a\b\t\n\v\f\r\"\\"

static bool is_octal(char c)
{
    return c >= '0' && c <= '7';
}

/* The byte that the escape at *at (behind its backslash) stands for; -1: none. */
static int escaped(bl_str s, size_t *at)
{
    if (*at >= s.len || s.ptr[*at] == '\0')
        return -1;
    const char *known = strchr(ESCAPES, s.ptr[*at]);
    if (known != NULL) {
        *at += 1;
        return (unsigned char)ESCAPED[known - ESCAPES];
    }
    if (*at + 3 > s.len || !is_octal(s.ptr[*at]) || s.ptr[*at] > '3' ||
        !is_octal(s.ptr[*at + 1]) || !is_octal(s.ptr[*at + 2]))
        return -1;
    int byte = (s.ptr[*at] - '0') * 64 + (s.ptr[*at + 1] - '0') * 8 + s.ptr[*at + 2] - '0';
    *at += 3;
    return byte;
}

static bool is_control(int c)
{
    return c < 0x20 || c == 0x7F;
}

/* What stands between quotes; *needed says whether it had to. */
static bool decode(struct bl_patch_reader *r, bl_str quoted, bl_str *out, bool *needed)
{
    char *bytes = BL_NEW_ARRAY(r->arena, quoted.len + 1, char);
    size_t count = 0;

    *needed = false;
    if (bytes == NULL) {
        r->is_full = true;
        return false;
    }
    for (size_t at = 0; at < quoted.len;) {
        int c = (unsigned char)quoted.ptr[at++];
        bool is_escape = c == '\\';
        if (is_escape)
            c = escaped(quoted, &at);
        else if (c == '"')
            c = -1;
        if (c < 0 || is_control(c))
            return bl_patch_refuse(r, c < 0 ? BL_STR("A quoted name is not closed as it opens.")
                                            : BL_STR("A name has a control character."));
        *needed = *needed || is_escape || c >= 0x80;
        bytes[count++] = (char)c;
    }
    *out = (bl_str){bytes, count};
    return true;
}

static bool is_bare(bl_str name)
{
    for (size_t i = 0; i < name.len; i++) {
        if (is_control((unsigned char)name.ptr[i]) || name.ptr[i] == '"' || name.ptr[i] == '\\')
            return false;
    }
    return true;
}

bool bl_patch_name(struct bl_patch_reader *r, bl_str written, bl_str prefix, bl_str *path)
{
    bl_str name = written;
    bool needed = true;
    bool is_quoted = written.len >= 2 && written.ptr[0] == '"';

    r->out->steps += written.len;
    if (is_quoted && written.ptr[written.len - 1] != '"')
        return bl_patch_refuse(r, BL_STR("A quoted name is not closed as it opens."));
    if (is_quoted && !decode(r, bl_str_slice(written, 1, written.len - 1), &name, &needed))
        return false;
    if (!needed || (!is_quoted && !is_bare(written)))
        return bl_patch_refuse(r, BL_STR("A name is not written as git writes it."));
    if (!bl_str_starts_with(name, prefix) || name.len == prefix.len)
        return bl_patch_refuse(r, BL_STR("A name does not begin with a/ or b/."));
    if (bl_utf8_invalid_at(name) != name.len)
        return bl_patch_refuse(r, BL_STR("A name is not UTF-8."));
    *path = bl_str_slice(name, prefix.len, name.len);
    return true;
}

bool bl_patch_same_names(struct bl_patch_reader *r, bl_str written, bl_str *path)
{
    bl_str other = {NULL, 0};
    size_t half = written.len / 2;

    /* Of one path twice, both are as long. */
    if (written.len % 2 == 0 || written.ptr[half] != ' ')
        return bl_patch_refuse(r, BL_STR("A file has two names and is not renamed."));
    if (!bl_patch_name(r, bl_str_slice(written, 0, half), BL_STR("a/"), path) ||
        !bl_patch_name(r, bl_str_slice(written, half + 1, written.len), BL_STR("b/"), &other))
        return false;
    return bl_str_equal(*path, other) ||
           bl_patch_refuse(r, BL_STR("A file has two names and is not renamed."));
}

bool bl_patch_two_names(struct bl_patch_reader *r, bl_str written, bl_str from,
                        bl_str *from_path, bl_str *to_path)
{
    size_t end = from.len + BL_STR("a/").len;

    if (end >= written.len || written.ptr[end] != ' ')
        return bl_patch_refuse(r, BL_STR("The names of a renamed file differ."));
    return bl_patch_name(r, bl_str_slice(written, 0, end), BL_STR("a/"), from_path) &&
           bl_patch_name(r, bl_str_slice(written, end + 1, written.len), BL_STR("b/"), to_path);
}
