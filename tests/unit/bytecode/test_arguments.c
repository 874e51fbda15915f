/* SPDX-License-Identifier: Apache-2.0 */
#include "bytecode/arguments.h"
#include "bytecode/facts.h"
#include "support/assembler.h"
#include "support/check.h"

/* What the registers of effects and steps hold, read from the words of the tables. */

struct argument_case {
    unsigned number;
    size_t count;
    struct {
        enum bl_argument_form form;
        const char *type; /* of TYPED */
    } list[BL_ARGUMENTS_MAX];
};

static void check_arguments(const struct bl_arguments *found,
                            const struct argument_case *wanted)
{
    check_size(found->count, wanted->count);
    for (size_t i = 0; i < wanted->count; i++) {
        check_int(found->list[i].form, wanted->list[i].form);
        if (wanted->list[i].form == BL_ARGUMENT_TYPED)
            check_int(found->list[i].type, assemble_type(bl_str_from(wanted->list[i].type)));
    }
}

/* language-review §4, table of effects; texts have the place where they are read. */
TEST(effects_take_what_the_language_says)
{
    static const struct argument_case cases[] = {
        {BL_EFFECT_ADD_LABEL,
         3,
         {{BL_ARGUMENT_TYPED, "issue"},
          {BL_ARGUMENT_TYPED, "label"},
          {BL_ARGUMENT_TYPED, "clean timeline?"}}},
        {BL_EFFECT_MARK,
         3,
         {{BL_ARGUMENT_POSTED, NULL}, {BL_ARGUMENT_KEY, NULL}, {BL_ARGUMENT_VALUE, NULL}}},
        {BL_EFFECT_POST,
         3,
         {{BL_ARGUMENT_THING, NULL},
          {BL_ARGUMENT_TYPED, "clean comment"},
          {BL_ARGUMENT_ATTRIBUTES, NULL}}},
        {BL_EFFECT_REACT,
         2,
         {{BL_ARGUMENT_TYPED, "comment"}, {BL_ARGUMENT_TYPED, "reaction_kind"}}},
        {BL_EFFECT_MILESTONE, 2, {{BL_ARGUMENT_TYPED, "issue"}, {BL_ARGUMENT_TYPED, "name"}}},
        {BL_EFFECT_CLOSE,
         4,
         {{BL_ARGUMENT_TYPED, "issue"},
          {BL_ARGUMENT_TYPED, "state_reason"},
          {BL_ARGUMENT_TYPED, "issue?"},
          {BL_ARGUMENT_TYPED, "clean timeline?"}}},
        {BL_EFFECT_STATUS,
         4,
         {{BL_ARGUMENT_TYPED, "commit"},
          {BL_ARGUMENT_TYPED, "clean log"},
          {BL_ARGUMENT_TYPED, "status_state"},
          {BL_ARGUMENT_TYPED, "clean timeline?"}}},
        {BL_EFFECT_SUGGEST_DUPLICATE,
         3,
         {{BL_ARGUMENT_TYPED, "issue"},
          {BL_ARGUMENT_TYPED, "issue"},
          {BL_ARGUMENT_TYPED, "clean timeline"}}},
        {BL_EFFECT_DISMISS,
         3,
         {{BL_ARGUMENT_TYPED, "alert"},
          {BL_ARGUMENT_TYPED, "dismissal"},
          {BL_ARGUMENT_TYPED, "clean timeline"}}},
        {BL_EFFECT_START, 1, {{BL_ARGUMENT_TYPED, "task"}}},
        {BL_EFFECT_OUTPUT, 2, {{BL_ARGUMENT_KEY, NULL}, {BL_ARGUMENT_SMALL, NULL}}},
        {BL_EFFECT_FAIL, 1, {{BL_ARGUMENT_TYPED, "clean log"}}},
        {BL_EFFECT_SUMMARY, 1, {{BL_ARGUMENT_TYPED, "clean summary"}}},
        {BL_EFFECT_KEEP, 1, {{BL_ARGUMENT_ROW, NULL}}},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bl_arguments found;
        enum bl_effect effect = (enum bl_effect)cases[i].number;

        check_case("%.*s", BL_STR_ARG(bl_effect_info(effect)->words));
        check(bl_effect_arguments(effect, &found));
        check_arguments(&found, &cases[i]);
    }
}

TEST(steps_take_what_the_table_says)
{
    static const struct argument_case cases[] = {
        {BL_STEP_CALLS,
         3,
         {{BL_ARGUMENT_TYPED, "bool"},
          {BL_ARGUMENT_TYPED, "time?"},
          {BL_ARGUMENT_PARAMETERS, NULL}}},
        {BL_STEP_GIVEN_ROW, 1, {{BL_ARGUMENT_ROW, NULL}}},
        {BL_STEP_GIVEN_ISSUE,
         4,
         {{BL_ARGUMENT_TYPED, "int"},
          {BL_ARGUMENT_TYPED, "untrusted"},
          {BL_ARGUMENT_TYPED, "time?"},
          {BL_ARGUMENT_TYPED, "time?"}}},
        {BL_STEP_GIVEN_ISSUE_POSTED,
         3,
         {{BL_ARGUMENT_TYPED, "int"},
          {BL_ARGUMENT_TYPED, "time?"},
          {BL_ARGUMENT_ATTRIBUTES, NULL}}},
        {BL_STEP_GIVEN_RELEASE,
         5,
         {{BL_ARGUMENT_TYPED, "untrusted"},
          {BL_ARGUMENT_TYPED, "time"},
          {BL_ARGUMENT_TYPED, "untrusted"},
          {BL_ARGUMENT_TYPED, "bool"},
          {BL_ARGUMENT_TYPED, "bool"}}},
        {BL_STEP_MORNING, 1, {{BL_ARGUMENT_TYPED, "date"}}},
        {BL_STEP_BY_HAND,
         3,
         {{BL_ARGUMENT_TYPED, "task"},
          {BL_ARGUMENT_TYPED, "int"},
          {BL_ARGUMENT_TYPED, "time?"}}},
        {BL_STEP_CRASHES, 0, {{BL_ARGUMENT_TYPED, NULL}}},
        {BL_STEP_SET, 2, {{BL_ARGUMENT_SETTING, NULL}, {BL_ARGUMENT_SETTING_VALUE, NULL}}},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bl_arguments found;
        enum bl_step step = (enum bl_step)cases[i].number;

        check_case("%.*s", BL_STR_ARG(bl_step_info(step)->words));
        check(bl_step_arguments(step, &found));
        check_arguments(&found, &cases[i]);
    }
}

TEST(every_row_can_be_read)
{
    struct bl_arguments found;

    for (unsigned i = 0; i < BL_EFFECT_COUNT; i++) {
        check_case("%.*s", BL_STR_ARG(bl_effect_info((enum bl_effect)i)->words));
        check(bl_effect_arguments((enum bl_effect)i, &found));
    }
    for (unsigned i = 0; i < BL_STEP_COUNT; i++) {
        check_case("%.*s", BL_STR_ARG(bl_step_info((enum bl_step)i)->words));
        check(bl_step_arguments((enum bl_step)i, &found));
    }
    check(!bl_effect_arguments(BL_EFFECT_COUNT, &found));
    check(!bl_step_arguments(BL_STEP_COUNT, &found));
}

/* Own words and closed values; nothing that a stranger wrote in sentences. */
TEST(small_values_are_closed)
{
    static const char *const small[] = {"bool",        "int",  "text", "name",
                                        "issue_state", "task", "date"};
    static const char *const others[] = {"untrusted", "clean log", "issue",  "list of int",
                                         "int?",      "secret",    "masked", "record 0",
                                         "posted 0",  "pattern",   "label",  "path"};

    for (size_t i = 0; i < sizeof small / sizeof small[0]; i++) {
        check_case("%s", small[i]);
        check(bl_type_is_small(assemble_type(bl_str_from(small[i]))));
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        check_case("%s", others[i]);
        check(!bl_type_is_small(assemble_type(bl_str_from(others[i]))));
    }
}

/* A fact is a field of the event's own things: its words name the fields that its row names,
 * and nothing has to be read for it but what the payload brings or the one read of the issue.
 */
TEST(facts_are_what_their_paths_say)
{
    for (unsigned i = 0; i < BL_FACT_COUNT; i++) {
        const struct bl_fact_info *fact = bl_fact_info((enum bl_fact)i);
        const struct bl_field_info *first = bl_field_info(fact->first);
        bl_str path = fact->path;

        check_case("%.*s", BL_STR_ARG(path));
        size_t dot = bl_str_find_char(path, '.');
        check_slice(bl_str_slice(path, 0, dot), bl_ambient_info(fact->ambient)->name);
        path = bl_str_slice(path, dot + 1, path.len);
        check(bl_entity_of_type(bl_ambient_info(fact->ambient)->type) == first->entity);
        if (fact->second != BL_FIELD_COUNT) {
            const struct bl_field_info *second = bl_field_info(fact->second);

            dot = bl_str_find_char(path, '.');
            check_slice(bl_str_slice(path, dot + 1, path.len), second->name);
            check(bl_entity_of_type(first->type) == second->entity);
            check_int(bl_fact_type((enum bl_fact)i), second->type);
            path = bl_str_slice(path, 0, dot);
        } else {
            check_int(bl_fact_type((enum bl_fact)i), first->type);
        }
        check_slice(path, first->name);
        check(first->read == BL_READ_PAYLOAD || first->read == BL_READ_STORED ||
              first->read == BL_READ_ISSUE || first->read == BL_READ_PULL);
    }
    check(bl_fact_info(BL_FACT_COUNT) == NULL);
    check_int(bl_fact_type(BL_FACT_COUNT), BL_TYPE_ERROR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(effects_take_what_the_language_says),
        cmocka_unit_test(steps_take_what_the_table_says),
        cmocka_unit_test(every_row_can_be_read),
        cmocka_unit_test(small_values_are_closed),
        cmocka_unit_test(facts_are_what_their_paths_say),
    };
    return check_main(tests);
}
