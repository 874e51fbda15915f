/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"

#include <stdio.h>
#include <string.h>

#define FIRST_CAPACITY 64

void bl_buf_init(struct bl_buf *buf, struct bl_arena *arena, size_t max)
{
    *buf = (struct bl_buf){.arena = arena, .max = max};
}

/* Makes room for `more` bytes and the NUL behind them. */
static bool reserve(struct bl_buf *buf, size_t more)
{
    if (buf->failed || more > buf->max - buf->len || buf->len + more == SIZE_MAX) {
        buf->failed = true;
        return false;
    }
    size_t need = buf->len + more + 1;
    if (need <= buf->capacity) {
        return true;
    }
    size_t capacity = buf->capacity == 0 ? FIRST_CAPACITY : buf->capacity;
    while (capacity < need) {
        capacity = capacity > SIZE_MAX / 2 ? need : capacity * 2;
    }
    if (buf->max < SIZE_MAX && capacity > buf->max + 1) {
        capacity = buf->max + 1;
    }
    char *grown = bl_arena_grow(buf->arena, buf->ptr, buf->capacity, capacity);
    if (grown == NULL) {
        buf->failed = true;
        return false;
    }
    buf->ptr = grown;
    buf->capacity = capacity;
    return true;
}

void bl_buf_put(struct bl_buf *buf, bl_str s)
{
    if (!reserve(buf, s.len)) {
        return;
    }
    if (s.len > 0) {
        memcpy(buf->ptr + buf->len, s.ptr, s.len);
    }
    buf->len += s.len;
    buf->ptr[buf->len] = '\0';
}

void bl_buf_put_char(struct bl_buf *buf, char c)
{
    bl_buf_put(buf, (bl_str){&c, 1});
}

void bl_buf_put_int(struct bl_buf *buf, int64_t value)
{
    char digits[20];
    size_t at = sizeof(digits);
    /* The magnitude of INT64_MIN does not fit its own type. */
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (value < 0) {
        digits[--at] = '-';
    }
    bl_buf_put(buf, (bl_str){digits + at, sizeof(digits) - at});
}

void bl_buf_printf(struct bl_buf *buf, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    bl_buf_vprintf(buf, format, args);
    va_end(args);
}

void bl_buf_vprintf(struct bl_buf *buf, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    if (len < 0) {
        buf->failed = true;
    } else if (reserve(buf, (size_t)len)) {
        (void)vsnprintf(buf->ptr + buf->len, (size_t)len + 1, format, again);
        buf->len += (size_t)len;
    }
    va_end(again);
}

bl_str bl_buf_str(const struct bl_buf *buf)
{
    return (bl_str){buf->ptr, buf->len};
}
