/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/cleaning.h"

bl_str bl_clean_class_name(enum bl_clean_class kind)
{
    static const char *const names[] = {
#define BL_CLEAN_CLASS(id, word, doc) word,
#include "spec/cleaning.def"
#undef BL_CLEAN_CLASS
    };
    return (unsigned)kind < BL_CLASS_COUNT ? bl_str_from(names[kind]) : (bl_str){NULL, 0};
}

bl_str bl_clean_action_name(enum bl_clean_action action)
{
    static const char *const names[] = {
#define BL_CLEAN_ACTION(id, word, doc) word,
#include "spec/cleaning.def"
#undef BL_CLEAN_ACTION
    };
    return (unsigned)action < BL_ACTION_COUNT ? bl_str_from(names[action]) : (bl_str){NULL, 0};
}

bl_str bl_clean_word_name(enum bl_clean_word word)
{
    static const char *const names[] = {
#define BL_CLEAN_WORD(id, clause, word, doc) word,
#include "spec/cleaning.def"
#undef BL_CLEAN_WORD
    };
    return (unsigned)word < BL_CLEAN_WORD_COUNT ? bl_str_from(names[word]) : (bl_str){NULL, 0};
}
