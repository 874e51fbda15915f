/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_BASE_NUM_H
#define BL_BASE_NUM_H

#include "base/str.h"

/* Integers of policies saturate: no operation wraps or traps. */
int64_t bl_int_add(int64_t a, int64_t b);
int64_t bl_int_sub(int64_t a, int64_t b);
int64_t bl_int_mul(int64_t a, int64_t b);
/* a * percent / 100, rounded towards minus infinity. */
int64_t bl_int_percent(int64_t a, int64_t percent);
/* Digits with single underscores between them ("1_000"), without sign; false when the text is
 * anything else or exceeds INT64_MAX. */
bool bl_int_parse(bl_str s, int64_t *out);

#endif
