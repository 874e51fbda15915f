/* SPDX-License-Identifier: Apache-2.0 */
#include "syntax/parser.h"
#include "syntax/policy_parser.h"

/* keywords.def as functions. */

int bl_keyword_kind(bl_str word)
{
    static const struct {
        bl_str word;
        int kind;
    } keywords[] = {
#define BL_KEYWORD(token, word) {{word, sizeof(word) - 1}, BL_TK_##token},
#include "syntax/keywords.def"
    };

    for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++) {
        if (bl_str_equal(keywords[i].word, word)) {
            return keywords[i].kind;
        }
    }
    return 0;
}

int64_t bl_unit_seconds(bl_str word)
{
#define BL_UNIT(unit, seconds)                                                                 \
    if (bl_str_equal(word, BL_STR(unit))) {                                                    \
        return (seconds);                                                                      \
    }
#include "syntax/keywords.def"
    return 0;
}

bool bl_unit_foreign(bl_str word, bl_str *unit, int64_t *times)
{
#define BL_UNIT_FOREIGN(spelling, instead, number)                                             \
    if (bl_str_equal(word, BL_STR(spelling))) {                                                \
        *unit = BL_STR(instead);                                                               \
        *times = (number);                                                                     \
        return true;                                                                           \
    }
#include "syntax/keywords.def"
    return false;
}

int bl_sign_foreign(bl_str sign, bl_str *instead)
{
#define BL_SIGN_FOREIGN(spelling, token, here)                                                 \
    if (bl_str_equal(sign, BL_STR(spelling))) {                                                \
        *instead = BL_STR(here);                                                               \
        return BL_TK_##token;                                                                  \
    }
#include "syntax/keywords.def"
    return 0;
}

unsigned bl_alien_code(bl_str sign)
{
#define BL_SIGN_CHANGES(spelling)                                                              \
    if (bl_str_equal(sign, BL_STR(spelling))) {                                                \
        return BL_D_NO_ASSIGNMENT;                                                             \
    }
#include "syntax/keywords.def"
    bool divides = bl_str_equal(sign, BL_STR("/")) || bl_str_equal(sign, BL_STR("%"));
    return divides ? BL_D_NO_DIVISION : 0;
}

bool bl_word_is(bl_str word, enum bl_word_class set)
{
    static const struct {
        enum bl_word_class set;
        bl_str word;
    } words[] = {
#define ROW(set, word)      {BL_WORD_##set, {word, sizeof(word) - 1}},
#define BL_LOOP(word)       ROW(LOOP, word)
#define BL_EACH_LOOP(word)  ROW(EACH_LOOP, word)
#define BL_ELSE_IF(word)    ROW(ELSE_IF, word)
#define BL_ABSENT(word)     ROW(ABSENT, word)
#define BL_CONDITION(word)  ROW(CONDITION, word)
#define BL_BINDING(word)    ROW(BINDING, word)
#define BL_HYPHENATED(word) ROW(HYPHENATED, word)
#define BL_DOTTED(word)     ROW(DOTTED, word)
#include "syntax/keywords.def"
    };

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (words[i].set == set && bl_str_equal(words[i].word, word)) {
            return true;
        }
    }
    return false;
}
