/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"
#include "secret/view.h"
#include "text/fold.h"

/* Folding what a reader takes for one. */

#define LARGEST                                                                                \
    3u /* how many times as long a text becomes: a sign of 3 bytes, four letters               \
        */

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
            at++;
            while (at < text.len && ((unsigned char)text.ptr[at] & 0xC0) == 0x80)
                at++;
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
