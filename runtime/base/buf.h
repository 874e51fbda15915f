/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_BASE_BUF_H
#define BL_BASE_BUF_H

#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>

/* The one builder of text. Lives in an arena and has a maximum from birth; going over it, or
 * out of memory, sets `failed` and further writes do nothing. `ptr[len]` is NUL whenever ptr is
 * set. */
struct bl_buf {
    struct bl_arena *arena;
    char *ptr;
    size_t len;
    size_t capacity;
    size_t max;
    bool failed;
};

void bl_buf_init(struct bl_buf *buf, struct bl_arena *arena, size_t max);
void bl_buf_put(struct bl_buf *buf, bl_str s);
void bl_buf_put_char(struct bl_buf *buf, char c);
void bl_buf_put_int(struct bl_buf *buf, int64_t value);
/* printf into the buffer; %s takes terminated strings, slices go with "%.*s" and BL_STR_ARG. */
void bl_buf_printf(struct bl_buf *buf, const char *format, ...) BL_PRINTF(2, 3);
void bl_buf_vprintf(struct bl_buf *buf, const char *format, va_list args) BL_PRINTF(2, 0);
/* What was written, valid as long as the arena and until the next write. */
bl_str bl_buf_str(const struct bl_buf *buf);

#define BL_PUT(buf, literal) bl_buf_put((buf), BL_STR(literal))

#endif
