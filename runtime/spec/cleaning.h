/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_SPEC_CLEANING_H
#define BL_SPEC_CLEANING_H

#include "base/str.h"

/* The words of sanitizers: cleaning.def. */

enum bl_clean_word {
#define BL_CLEAN_WORD(id, clause, word, doc) BL_CLEAN_##id,
#include "spec/cleaning.def"
#undef BL_CLEAN_WORD
    BL_CLEAN_WORD_COUNT
};
enum bl_clean_class {
#define BL_CLEAN_CLASS(id, word, doc) BL_CLASS_##id,
#include "spec/cleaning.def"
#undef BL_CLEAN_CLASS
    BL_CLASS_COUNT
};
enum bl_clean_action {
#define BL_CLEAN_ACTION(id, word, doc) BL_ACTION_##id,
#include "spec/cleaning.def"
#undef BL_CLEAN_ACTION
    BL_ACTION_COUNT
};

/* As a policy spells them; empty for numbers that name nothing. */
bl_str bl_clean_word_name(enum bl_clean_word word);
bl_str bl_clean_class_name(enum bl_clean_class kind);
bl_str bl_clean_action_name(enum bl_clean_action action);

#endif
