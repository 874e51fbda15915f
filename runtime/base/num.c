/* SPDX-License-Identifier: Apache-2.0 */
#include "base/num.h"

int64_t bl_int_add(int64_t a, int64_t b)
{
    int64_t sum;
    if (!__builtin_add_overflow(a, b, &sum)) {
        return sum;
    }
    return a < 0 ? INT64_MIN : INT64_MAX;
}

int64_t bl_int_sub(int64_t a, int64_t b)
{
    int64_t difference;
    if (!__builtin_sub_overflow(a, b, &difference)) {
        return difference;
    }
    return a < 0 ? INT64_MIN : INT64_MAX;
}

int64_t bl_int_mul(int64_t a, int64_t b)
{
    int64_t product;
    if (!__builtin_mul_overflow(a, b, &product)) {
        return product;
    }
    return (a < 0) != (b < 0) ? INT64_MIN : INT64_MAX;
}

static uint64_t magnitude(int64_t a)
{
    return a < 0 ? 0 - (uint64_t)a : (uint64_t)a;
}

/* The product needs 128 bits, its hundredth mostly does not. With a = 100 q + r and p = 100 s +
 * t the hundredth of a p is q p + r s + r t / 100, and all of these are positive when a and p
 * are taken without their signs, so a sum that is too large stays too large. */
int64_t bl_int_percent(int64_t a, int64_t percent)
{
    uint64_t p = magnitude(percent);
    uint64_t q = magnitude(a) / 100;
    uint64_t r = magnitude(a) % 100;
    uint64_t rest = r * (p % 100);
    bool negative = (a < 0) != (percent < 0);

    uint64_t sum;
    bool overflow = __builtin_mul_overflow(q, p, &sum);
    overflow |= __builtin_add_overflow(sum, r * (p / 100), &sum);
    overflow |= __builtin_add_overflow(sum, rest / 100, &sum);
    if (negative && rest % 100 != 0) {
        overflow |= __builtin_add_overflow(sum, 1U, &sum);
    }
    if (negative) {
        return overflow || sum > (uint64_t)INT64_MAX ? INT64_MIN : -(int64_t)sum;
    }
    return overflow || sum > (uint64_t)INT64_MAX ? INT64_MAX : (int64_t)sum;
}

bool bl_int_parse(bl_str s, int64_t *out)
{
    int64_t value = 0;
    bool after_digit = false;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        if (c == '_' && after_digit) {
            after_digit = false;
            continue;
        }
        if (!bl_is_ascii_digit(c) || __builtin_mul_overflow(value, INT64_C(10), &value) ||
            __builtin_add_overflow(value, (int64_t)(c - '0'), &value)) {
            return false;
        }
        after_digit = true;
    }
    if (!after_digit) {
        return false;
    }
    *out = value;
    return true;
}
