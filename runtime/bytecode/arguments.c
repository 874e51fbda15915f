/* SPDX-License-Identifier: Apache-2.0 */
#include "bytecode/arguments.h"

/* The next part of a list with commas, without the blank behind the comma. */
static bl_str take_part(bl_str *rest)
{
    size_t comma = bl_str_find_char(*rest, ',');
    bl_str part = bl_str_slice(*rest, 0, comma);

    *rest = comma == SIZE_MAX ? (bl_str){NULL, 0}
                              : bl_str_trim(bl_str_slice(*rest, comma + 1, rest->len));
    return part;
}

static bool take_question_mark(bl_str *word)
{
    if (!bl_str_ends_with(*word, BL_STR("?")))
        return false;
    word->len--;
    return true;
}

/* ---- effects ------------------------------------------------------------------------------
 */

/* `text[place]` */
static bool read_placed_text(bl_str word, bl_type *type)
{
    const bl_str open = BL_STR("text[");

    if (!bl_str_starts_with(word, open) || !bl_str_ends_with(word, BL_STR("]")))
        return false;
    enum bl_place place = bl_place_find(bl_str_slice(word, open.len, word.len - 1));
    *type = BL_TYPE_MAKE(BL_TYPE_CLEAN, 1u << (unsigned)place);
    return place != BL_PLACE_COUNT;
}

static bool read_named_type(bl_str word, bl_type *type)
{
    enum bl_entity entity = bl_entity_find(word);
    enum bl_enum enumeration = bl_enum_find(word);
    enum bl_type_kind kind = bl_type_kind_find(word);

    if (kind != BL_TYPE_KIND_COUNT)
        *type = (bl_type)kind;
    else if (entity != BL_ENTITY_COUNT)
        *type = bl_entity_info(entity)->type;
    else if (enumeration < BL_ENUM_OWN_COUNT)
        *type = BL_TYPE_MAKE(BL_TYPE_ENUM, enumeration);
    else
        return read_placed_text(word, type);
    return true;
}

static bool read_special(bl_str word, enum bl_argument_form *form)
{
    static const struct {
        const char *word;
        enum bl_argument_form form;
    } words[] = {
        {"issue or pull_request", BL_ARGUMENT_THING},
        {"posted", BL_ARGUMENT_POSTED},
        {"value", BL_ARGUMENT_VALUE},
        {"small value", BL_ARGUMENT_SMALL},
        {"attributes…", BL_ARGUMENT_ATTRIBUTES},
        {"attribute values…", BL_ARGUMENT_ATTRIBUTES},
        {"index of the setting", BL_ARGUMENT_SETTING},
        {"its value", BL_ARGUMENT_SETTING_VALUE},
        {"answer", BL_ARGUMENT_ANSWER},
        {"row…", BL_ARGUMENT_ROW},
        {"parameters…", BL_ARGUMENT_PARAMETERS},
    };

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (bl_str_equal(word, bl_str_from(words[i].word))) {
            *form = words[i].form;
            return true;
        }
    }
    return false;
}

bool bl_effect_arguments(enum bl_effect effect, struct bl_arguments *out)
{
    const struct bl_effect_info *info = bl_effect_info(effect);

    *out = (struct bl_arguments){.count = 0};
    if (info == NULL)
        return false;
    for (bl_str rest = info->args; rest.len > 0;) {
        struct bl_argument *argument = &out->list[out->count];
        bl_str word = take_part(&rest);

        if (out->count++ == BL_ARGUMENTS_MAX)
            return false;
        if (read_special(word, &argument->form)) {
            /* The name of what gets a value decides what the value may be. */
            if ((argument->form == BL_ARGUMENT_VALUE || argument->form == BL_ARGUMENT_SMALL) &&
                out->count > 1)
                argument[-1].form = BL_ARGUMENT_KEY;
            continue;
        }
        bool optional = take_question_mark(&word);
        if (!read_named_type(word, &argument->type))
            return false;
        if (optional)
            argument->type = BL_OPTIONAL(argument->type);
    }
    return true;
}

/* ---- steps --------------------------------------------------------------------------------
 */

/* The last word says the type: "author login", "merged time?". */
static bool read_step_type(bl_str word, bl_type *type)
{
    static const struct {
        const char *word;
        bl_type type;
    } words[] = {
        {"number", BL_TYPE_INT},        {"int", BL_TYPE_INT},
        {"login", BL_TYPE_UNTRUSTED},   {"text", BL_TYPE_UNTRUSTED},
        {"time", BL_TYPE_TIME},         {"date", BL_TYPE_DATE},
        {"bool", BL_TYPE_BOOL},         {"label", BL_TYPE_LABEL},
        {"task", BL_TYPE_TASK},         {"money", BL_TYPE_MONEY},
        {"duration", BL_TYPE_DURATION},
    };

    for (size_t at = bl_str_find_char(word, ' '); at != SIZE_MAX;
         at = bl_str_find_char(word, ' '))
        word = bl_str_slice(word, at + 1, word.len);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (bl_str_equal(word, bl_str_from(words[i].word))) {
            *type = words[i].type;
            return true;
        }
    }
    return false;
}

bool bl_step_arguments(enum bl_step step, struct bl_arguments *out)
{
    const struct bl_step_info *info = bl_step_info(step);

    *out = (struct bl_arguments){.count = 0};
    if (info == NULL)
        return false;
    for (bl_str rest = info->args; rest.len > 0;) {
        struct bl_argument *argument = &out->list[out->count];
        bl_str word = take_part(&rest);

        if (out->count++ == BL_ARGUMENTS_MAX)
            return false;
        if (read_special(word, &argument->form))
            continue;
        bool optional = take_question_mark(&word);
        if (!read_step_type(word, &argument->type))
            return false;
        if (optional)
            argument->type = BL_OPTIONAL(argument->type);
    }
    return true;
}

bool bl_type_is_small(bl_type type)
{
    static const uint32_t kinds =
        1u << BL_TYPE_BOOL | 1u << BL_TYPE_INT | 1u << BL_TYPE_TEXT | 1u << BL_TYPE_NAME |
        1u << BL_TYPE_DATE | 1u << BL_TYPE_TIME | 1u << BL_TYPE_DURATION | 1u << BL_TYPE_MONEY |
        1u << BL_TYPE_PERCENT | 1u << BL_TYPE_ENUM | 1u << BL_TYPE_TASK | 1u << BL_TYPE_LOCALE |
        1u << BL_TYPE_REPOSITORY_NAME;

    return bl_type_kind(type) < BL_TYPE_KIND_COUNT && !bl_type_is_list(type) &&
           !bl_type_is_optional(type) && (kinds & 1u << (unsigned)bl_type_kind(type)) != 0;
}
