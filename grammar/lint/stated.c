/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/linter.h"

/* Lengths of time and percentages that words for people name: "15 days", "20%". */

bool bl_lint_is_word(bl_str text, size_t at)
{
    return at < text.len &&
           (bl_is_ascii_alpha(text.ptr[at]) || bl_is_ascii_digit(text.ptr[at]));
}

/* The seconds of the unit that begins at `at`, and where it ends; 0 for none. */
static int64_t unit_at(bl_str text, size_t at, size_t *end)
{
    static const struct {
        const char *word;
        int64_t seconds;
    } units[] = {
#define BL_REMARK(word)
#define BL_REMARK_UNIT(word, seconds) {word, seconds},
#include "lint/remarks.def"
#undef BL_REMARK
#undef BL_REMARK_UNIT
    };
    bl_str rest = bl_str_slice(text, at, text.len);

    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        bl_str word = bl_str_from(units[i].word);

        if (!bl_str_starts_with(rest, word))
            continue;
        *end = at + word.len;
        if (*end < text.len && text.ptr[*end] == 's')
            ++*end;
        if (!bl_lint_is_word(text, *end))
            return units[i].seconds; /* else it may be a longer word: Tag, Tage */
    }
    return 0;
}

/* A part of another number or of a name: v1.14, 2026-11. */
static bool goes_on_before(bl_str text, size_t at)
{
    return at > 0 && (bl_lint_is_word(text, at - 1) || text.ptr[at - 1] == '.' ||
                      text.ptr[at - 1] == '-');
}

bool bl_lint_next_stated(bl_str text, size_t *at, struct bl_stated *out)
{
    for (size_t i = *at; i < text.len; i++) {
        size_t begin = i, end = 0;
        int64_t number = 0, unit = 0;

        if (!bl_is_ascii_digit(text.ptr[i]))
            continue;
        for (; i < text.len && (bl_is_ascii_digit(text.ptr[i]) || text.ptr[i] == '_'); i++) {
            if (text.ptr[i] != '_' && number < 1000000)
                number = number * 10 + (text.ptr[i] - '0');
        }
        if (goes_on_before(text, begin))
            continue;
        *at = i;
        if (i < text.len && text.ptr[i] == '%') {
            *out =
                (struct bl_stated){bl_str_slice(text, begin, i + 1), BL_NODE_PERCENT, number};
            return true;
        }
        if (i < text.len && text.ptr[i] == ' ')
            unit = unit_at(text, i + 1, &end);
        if (unit > 0) {
            *out = (struct bl_stated){bl_str_slice(text, begin, end), BL_NODE_DURATION,
                                      number * unit};
            return true;
        }
    }
    *at = text.len;
    return false;
}
