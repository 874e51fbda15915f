/* SPDX-License-Identifier: Apache-2.0 */
#include "type_words.h"

#include "support/check.h"

#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* Written out here, so that the spellings of types.def are tested and not used. */
static const struct {
    const char *word;
    enum bl_type_kind kind;
} scalars[] = {
    {"error", BL_TYPE_ERROR},
    {"none", BL_TYPE_NONE},
    {"bool", BL_TYPE_BOOL},
    {"int", BL_TYPE_INT},
    {"text", BL_TYPE_TEXT},
    {"untrusted", BL_TYPE_UNTRUSTED},
    {"name", BL_TYPE_NAME},
    {"path", BL_TYPE_PATH},
    {"repository_name", BL_TYPE_REPOSITORY_NAME},
    {"link", BL_TYPE_LINK},
    {"file_link", BL_TYPE_FILE_LINK},
    {"label", BL_TYPE_LABEL},
    {"secret", BL_TYPE_SECRET},
    {"masked", BL_TYPE_MASKED},
    {"pattern", BL_TYPE_PATTERN},
    {"duration", BL_TYPE_DURATION},
    {"date", BL_TYPE_DATE},
    {"time", BL_TYPE_TIME},
    {"money", BL_TYPE_MONEY},
    {"percent", BL_TYPE_PERCENT},
    {"locale", BL_TYPE_LOCALE},
    {"task", BL_TYPE_TASK},
    {"command", BL_TYPE_COMMAND},
    {"iterator", BL_TYPE_ITERATOR},
};

static bool take(const char **at, const char *word)
{
    size_t length = strlen(word);

    if (strncmp(*at, word, length) != 0)
        return false;
    *at += length;
    return true;
}

static bl_type places_of(bl_str words)
{
    unsigned mask = 0;

    while (words.len > 0) {
        size_t plus = bl_str_find_char(words, '+');
        enum bl_place place = bl_place_find(bl_str_slice(words, 0, plus));

        check(place != BL_PLACE_COUNT);
        mask |= 1u << (unsigned)place;
        words = plus == SIZE_MAX ? (bl_str){NULL, 0} : bl_str_slice(words, plus + 1, words.len);
    }
    return BL_TYPE_MAKE(BL_TYPE_CLEAN, mask);
}

static bl_type scalar_of(const char *at, size_t length)
{
    bl_str rest;
    enum bl_entity entity;

    for (size_t i = 0; i < LENGTH(scalars); i++) {
        if (bl_str_equal(bl_str_from(scalars[i].word), (bl_str){at, length}))
            return (bl_type)scalars[i].kind;
    }
    rest = (bl_str){at, length};
    entity = bl_entity_find(rest);
    if (entity != BL_ENTITY_COUNT)
        return BL_TYPE_MAKE(BL_TYPE_ENTITY, entity);
    if (bl_str_starts_with(rest, BL_STR("clean ")))
        return places_of(bl_str_slice(rest, 6, length));
    if (bl_str_starts_with(rest, BL_STR("enum "))) {
        enum bl_enum which = bl_enum_find(bl_str_slice(rest, 5, length));

        check(which != BL_ENUM_COUNT);
        return BL_TYPE_MAKE(BL_TYPE_ENUM, which);
    }
    check_size(length, 8);
    if (bl_str_starts_with(rest, BL_STR("record ")))
        return BL_TYPE_MAKE(BL_TYPE_RECORD, at[7] - '0');
    check(bl_str_starts_with(rest, BL_STR("posted ")));
    return BL_TYPE_MAKE(BL_TYPE_POSTED, at[7] - '0');
}

bl_type type_of(const char *words)
{
    unsigned lists = 0;
    bool optional = false;
    size_t length;
    bl_type type;

    while (take(&words, "list of "))
        lists++;
    length = strlen(words);
    if (length > 0 && words[length - 1] == '?') {
        optional = true;
        length--;
    }
    type = scalar_of(words, length) | lists << 8;
    return optional ? type | 1u << 10 : type;
}
