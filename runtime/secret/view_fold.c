/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"
#include "secret/view.h"
#include "text/fold.h"

#include <string.h>

/* Folding what a reader takes for one. */

#define LARGEST                                                                                \
    3u /* how many times as long a text becomes: a sign of 3 bytes, four letters               \
        */

static size_t ascii_length(const char *bytes, size_t size)
{
    size_t at = 0;
    uint64_t eight;

    for (; size - at >= sizeof eight; at += sizeof eight) {
        memcpy(&eight, bytes + at, sizeof eight);
        if ((eight & UINT64_C(0x8080808080808080)) != 0)
            break;
    }
    while (at < size && (unsigned char)bytes[at] < 0x80)
        at++;
    return at;
}

/* Of ASCII nothing is folded but blanks and capitals. */
static size_t next_character(bl_str text, size_t at, unsigned foldings)
{
    const unsigned ascii = 1u << BL_FOLDING_BLANKS | 1u << BL_FOLDING_CASE;

    at++;
    while (at < text.len && ((unsigned char)text.ptr[at] & 0xC0) == 0x80)
        at++;
    return (foldings & ascii) != 0 ? at : at + ascii_length(text.ptr + at, text.len - at);
}

bool bl_view_folded(struct bl_arena *arena, const struct bl_view *parent, unsigned foldings,
                    struct bl_view *out)
{
    bl_str text = parent->text;
    struct bl_buf buf;
    size_t kept = 0;

    *out = (struct bl_view){.text = text, .parent = parent};
    if (foldings == 0)
        return true;
    bl_buf_init(&buf, arena, LARGEST * text.len + BL_FOLD_BYTES);
    for (size_t at = 0; at < text.len;) {
        char bytes[BL_FOLD_BYTES];
        size_t length = 0, size = bl_fold_read(text, at, foldings, bytes, &length);

        if (size == 0) {
            at = next_character(text, at, foldings);
            continue;
        }
        bl_buf_put(&buf, bl_str_slice(text, kept, at));
        struct bl_view_piece *slot = BL_PUSH(arena, out->pieces);
        if (slot == NULL)
            return false;
        *slot = (struct bl_view_piece){buf.len, length, at, size};
        bl_buf_put(&buf, (bl_str){bytes, length});
        kept = at += size;
    }
    if (out->pieces.count == 0)
        return true;
    bl_buf_put(&buf, bl_str_slice(text, kept, text.len));
    out->text = bl_buf_str(&buf);
    return !buf.failed;
}

bool bl_view_folded_lines(struct bl_arena *arena, bl_str text, unsigned foldings,
                          struct bl_view_lines *out, uint64_t *steps)
{
    if (foldings == 0)
        return true;
    *steps += text.len;
    for (size_t at = 0; at < text.len;) {
        char bytes[BL_FOLD_BYTES];
        size_t length = 0, size = bl_fold_read(text, at, foldings, bytes, &length);

        if (size == 0) {
            at = next_character(text, at, foldings);
            continue;
        }
        if (!bl_view_add_lines(arena, text, (struct bl_match){at, at + size}, out))
            return false;
        at = out->list.items[out->list.count - 1].hi;
    }
    return true;
}
