/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"
#include "verify_support.h"

#include <stdio.h>
#include <string.h>

/* Rows that are wrong only together with another, or only at the end of their section, and
 * limits of counts: what a change of one number in the sample does not meet. */

static const bl_type posted_time = BL_TYPE_TIME;

static struct bl_string_ref text(struct bl_builder *b, const char *s)
{
    return bl_builder_string(b, bl_str_from(s));
}

/* ---- rows that nothing asks for, and ranges at the end -------------------------------------
 */

static void second_info(struct bl_builder *b)
{
    bl_add_INFO(b, b->INFO.items[0]);
}

static void too_many_sources(struct bl_builder *b)
{
    for (unsigned i = 0; i < 1024; i++)
        bl_add_SOURCES(b, b->SOURCES.items[0]);
}

static void option_of_nobody(struct bl_builder *b)
{
    bl_add_LABEL_OPTIONS(b, text(b, "It is slow"));
}

static void message_function_of_nobody(struct bl_builder *b)
{
    bl_add_MESSAGE_FUNCTIONS(b, 3);
}

static void message_without_functions(struct bl_builder *b)
{
    bl_add_MESSAGES(b, (struct bl_module_message){text(b, "more"), 4, 0});
}

static void sought_by_no_set(struct bl_builder *b)
{
    bl_add_SOUGHT(b, (struct bl_module_sought){text(b, "more"), BL_NONE});
}

static void empty_set_of_kinds(struct bl_builder *b)
{
    bl_add_POSTED_SETS(b, (struct bl_posted_set){3, 0});
}

static void large_set_of_kinds(struct bl_builder *b)
{
    for (unsigned i = 0; i < 65; i++)
        bl_builder_comment(b, BL_STR("more"), NULL, 0);
    for (unsigned i = 0; i < 65; i++)
        bl_add_POSTED_KINDS(b, 3 + i);
    bl_add_POSTED_SETS(b, (struct bl_posted_set){3, 65});
}

static void many_attributes(struct bl_builder *b)
{
    for (unsigned i = 0; i < 65; i++) {
        char name[8];

        snprintf(name, sizeof name, "a%u", i);
        bl_add_ATTRIBUTES(b, (struct bl_module_member){text(b, name), BL_TYPE_INT, 0});
    }
    bl_add_COMMENTS(b, (struct bl_module_comment){text(b, "more"), 6, 65, BL_NONE});
}

static void long_attribute(struct bl_builder *b)
{
    char name[130];
    struct bl_builder_member member = {{name, 129}, posted_time, 0};

    memset(name, 'n', sizeof name);
    bl_builder_comment(b, BL_STR("more"), &member, 1);
}

static void equal_attributes(struct bl_builder *b)
{
    const struct bl_builder_member members[] = {{BL_STR("asked"), posted_time, 0},
                                                {BL_STR("round"), BL_TYPE_INT, 0},
                                                {BL_STR("asked"), BL_TYPE_INT, 0}};

    bl_builder_comment(b, BL_STR("more"), members, 3);
}

static void reference_like_another(struct bl_builder *b)
{
    b->LOCALES.items[0].like = 1;
    b->LOCALES.items[1].like = BL_NONE;
}

static void chain_of_eight(struct bl_builder *b)
{
    struct bl_module_locale row = b->LOCALES.items[1];

    for (uint32_t i = 0; i < 6; i++) {
        row.like = 1 + i;
        bl_builder_locale(b, row, NULL, NULL, 0);
    }
    b->MESSAGES.count = 0;
    b->MESSAGE_FUNCTIONS.count = 0;
}

static void chain_of_nine(struct bl_builder *b)
{
    struct bl_module_locale row = b->LOCALES.items[1];

    chain_of_eight(b);
    row.like = 7;
    bl_builder_locale(b, row, NULL, NULL, 0);
}

static void stop_words_not_ascending(struct bl_builder *b)
{
    struct bl_string_ref first = b->STOPWORDS.items[0];

    b->STOPWORDS.items[0] = b->STOPWORDS.items[1];
    b->STOPWORDS.items[1] = first;
}

static void stop_word_twice(struct bl_builder *b)
{
    b->STOPWORDS.items[1] = b->STOPWORDS.items[0];
}

/* ---- messages ------------------------------------------------------------------------------
 */

static void texts_for_other_places(struct bl_builder *b)
{
    sample_add(b, "pure asks_log(name, int) : clean log\n"
                  "  regs clean log\n"
                  "  render r2, r0, log\n"
                  "  return r2\n");
    b->MESSAGE_FUNCTIONS.items[1] = 6;
}

static void functions_with_other_parameters(struct bl_builder *b)
{
    sample_add(b, "pure asks_else(int, name) : clean comment\n"
                  "  regs clean comment\n"
                  "  render r2, r1, comment\n"
                  "  return r2\n");
    b->MESSAGE_FUNCTIONS.items[1] = 6;
}

static void texts_that_are_numbers(struct bl_builder *b)
{
    sample_add(b, "pure asks_number(name, int) : int\n"
                  "  return r1\n");
    b->MESSAGE_FUNCTIONS.items[1] = 6;
}

static void message_without_language(struct bl_builder *b)
{
    b->LOCALES.count = 0;
    b->MONTHS.count = 0;
    b->STOPWORDS.count = 0;
    b->MESSAGE_FUNCTIONS.count = 0;
    b->MESSAGES.count = 1;
}

/* ---- entries and the index -----------------------------------------------------------------
 */

static uint32_t add_entry(struct bl_builder *b, enum bl_entry_kind kind, uint32_t function,
                          uint32_t job)
{
    return bl_add_ENTRIES(b, (struct bl_entry){.kind = (uint32_t)kind,
                                               .name = text(b, "e"),
                                               .function = function,
                                               .job = job,
                                               .first_access = BL_NONE,
                                               .source = BL_NO_SOURCE});
}

static const char entry_functions[] = "entry rule() : bool job 0\n"
                                      "  regs bool\n"
                                      "  const r0, true\n"
                                      "  return r0\n"
                                      "entry step() job 0\n"
                                      "  end\n"
                                      "pure task_of(int) : task\n"
                                      "  regs task\n"
                                      "  const r1, task 0\n"
                                      "  return r1\n"
                                      "test check()\n"
                                      "  end\n";
enum { RULE = 6, STEP, TASK_OF, CHECK };

static void rule_as_step(struct bl_builder *b)
{
    sample_add(b, entry_functions);
    b->JOBS.items[0].first_step = add_entry(b, BL_ENTRY_RULE, RULE, 0);
    b->JOBS.items[0].step_count = 1;
}

static void step_of_another_job(struct bl_builder *b)
{
    sample_add(b, entry_functions);
    b->JOBS.items[1].first_step = add_entry(b, BL_ENTRY_STEP, STEP, 0);
    b->JOBS.items[1].step_count = 1;
}

static void step_of_the_job(struct bl_builder *b)
{
    sample_add(b, entry_functions);
    b->JOBS.items[0].first_step = add_entry(b, BL_ENTRY_STEP, STEP, 0);
    b->JOBS.items[0].step_count = 1;
}

static void decision_without_task(struct bl_builder *b)
{
    b->JOBS.items[0].decision = add_entry(b, BL_ENTRY_DECISION, 0, BL_NONE);
}

static void decision_with_parameter(struct bl_builder *b)
{
    sample_add(b, entry_functions);
    b->JOBS.items[0].decision = add_entry(b, BL_ENTRY_DECISION, TASK_OF, BL_NONE);
}

static void test_of_no_function(struct bl_builder *b)
{
    add_entry(b, BL_ENTRY_TEST, 0x7fffffff, BL_NONE);
}

static void override_by_a_step(struct bl_builder *b)
{
    sample_add(b, entry_functions);
    uint32_t step = add_entry(b, BL_ENTRY_STEP, STEP, 0);
    bl_builder_override(b, step, add_entry(b, BL_ENTRY_RULE, RULE, 0));
}

static void map_behind_the_code(struct bl_builder *b)
{
    bl_add_MAP(b, (struct bl_map_row){.insn = UINT16_MAX});
}

static void type_with_a_loose_bit(struct bl_builder *b)
{
    bl_builder_number(b, BL_TYPE_INT | 0x800, 1);
}

static void attribute_with_a_loose_bit(struct bl_builder *b)
{
    struct bl_builder_member member = {BL_STR("asked"), BL_TYPE_TIME | 0x800, 0};

    bl_builder_comment(b, BL_STR("more"), &member, 1);
}

TEST(rows_are_right_together)
{
    static const struct {
        const char *name;
        void (*change)(struct bl_builder *);
        const char *says; /* NULL: accepted */
    } cases[] = {
        {"nothing more", step_of_the_job, NULL},
        {"a second row of information", second_info, "section=info"},
        {"a thousand sources and more", too_many_sources, "section=sources"},
        {"an option of nobody", option_of_nobody, "section=label options"},
        {"a function of no message", message_function_of_nobody, "section=message functions"},
        {"a message without functions", message_without_functions, "section=messages"},
        {"what no set seeks", sought_by_no_set, "section=what sets seek"},
        {"an empty set of kinds", empty_set_of_kinds, "section=sets of kinds"},
        {"a large set of kinds", large_set_of_kinds, "section=sets of kinds"},
        {"many attributes", many_attributes, "section=comments"},
        {"an attribute with a long name", long_attribute, "its name is too long"},
        {"two attributes with one name", equal_attributes, "two attributes share a name"},
        {"an attribute with a loose bit", attribute_with_a_loose_bit, "section=attributes"},
        {"a constant with a loose bit", type_with_a_loose_bit, "section=constants"},
        {"a reference that is like another", reference_like_another, "section=locales"},
        {"eight languages in a row", chain_of_eight, NULL},
        {"nine languages in a row", chain_of_nine, "section=locales"},
        {"stop words in another order", stop_words_not_ascending, "not ascending"},
        {"a stop word twice", stop_word_twice, "not ascending"},
        {"texts for other places", texts_for_other_places, "fit for no common place"},
        {"texts that are numbers", texts_that_are_numbers, "fit for no common place"},
        {"functions with other parameters", functions_with_other_parameters, "not of the kind"},
        {"a message without language", message_without_language, "there is no language"},
        {"a rule among the steps", rule_as_step, "none of its"},
        {"a step of another job", step_of_another_job, "none of its"},
        {"a decision that gives no task", decision_without_task, "gives no task"},
        {"a decision with a parameter", decision_with_parameter, "gives no task"},
        {"a test without function", test_of_no_function, "not of the kind"},
        {"a step over a rule", override_by_a_step, "two rules"},
        {"a place behind the code", map_behind_the_code, "section=map"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bl_arena arena;
        struct bl_module_bytes made;
        char words[512];

        bl_arena_init(&arena, SIZE_MAX, NULL);
        struct bl_builder *b = sample_begin(&arena);
        check_case("%s", cases[i].name);
        check(b != NULL);
        cases[i].change(b);
        check_status(bl_builder_finish(b, &made), BL_OK);
        unsigned code = verify_bytes(made.bytes, made.size, words);
        check_case("%s: %s", cases[i].name, words);
        check_int(code, cases[i].says != NULL ? BL_D_MODULE_ROW : 0);
        if (cases[i].says != NULL)
            check(strstr(words, cases[i].says) != NULL);
        bl_arena_reset(&arena);
    }
}

/* ---- two numbers changed --------------------------------------------------------------------
 */

/* The last function has nothing behind it that would be noticed. */
TEST(the_last_function_ends_with_its_sections)
{
    for (unsigned i = 0; i < 2; i++) {
        struct sample_bytes b = whole_sample();
        struct bl_function *last = sample_row(b.at, BL_SECTION_FUNCTIONS,
                                              sample_count(b.at, BL_SECTION_FUNCTIONS) - 1);

        if (i == 0)
            last->first_insn = sample_count(b.at, BL_SECTION_CODE);
        else
            last->register_count = 250;
        check_int(verify_repaired(&b, NULL), BL_D_MODULE_ROW);
        bl_arena_reset(&b.arena);
    }
}

/* The rows of two rules in the other order, with the rules knowing it. */
static unsigned swap_access(struct sample_bytes *b, uint32_t x, uint32_t y, char words[512])
{
    struct bl_access *p = sample_row(b->at, BL_SECTION_ACCESS, x);
    struct bl_access *q = sample_row(b->at, BL_SECTION_ACCESS, y);
    struct bl_access kept = *p;

    *p = *q;
    *q = kept;
    ((struct bl_entry *)sample_row(b->at, BL_SECTION_ENTRIES, p->entry))->first_access = x;
    ((struct bl_entry *)sample_row(b->at, BL_SECTION_ENTRIES, q->entry))->first_access = y;
    return verify_repaired(b, words);
}

TEST(facts_are_ascending)
{
    struct sample_bytes b = whole_sample();
    char words[512];

    check_int(swap_access(&b, 0, 1, words), BL_D_MODULE_ROW);
    check(strstr(words, "section=access row=1 problem=they are not ascending") != NULL);
    bl_arena_reset(&b.arena);
}

TEST(facts_of_one_key_are_ascending_by_rule)
{
    struct sample_bytes b;
    struct bl_module_bytes made;
    char words[512];

    bl_arena_init(&b.arena, SIZE_MAX, NULL);
    struct bl_builder *builder = sample_begin(&b.arena);
    sample_add(builder, entry_functions);
    for (unsigned i = 0; i < 2; i++)
        bl_builder_access_text(builder, BL_ACCESS_LABEL, 0, BL_STR("bug"),
                               add_entry(builder, BL_ENTRY_RULE, RULE, 0));
    check_status(bl_builder_finish(builder, &made), BL_OK);
    b.size = made.size;
    b.at = bl_arena_alloc(&b.arena, 1, made.size);
    memcpy(b.at, made.bytes, made.size);
    check_int(verify_repaired(&b, NULL), 0);
    check_int(swap_access(&b, 0, 1, words), BL_D_MODULE_ROW);
    check(strstr(words, "section=access row=1 problem=they are not ascending") != NULL);
    bl_arena_reset(&b.arena);
}

TEST(a_fact_of_no_rule_is_refused)
{
    struct sample_bytes b = whole_sample();
    struct bl_access *access = sample_row(b.at, BL_SECTION_ACCESS, 0);

    ((struct bl_entry *)sample_row(b.at, BL_SECTION_ENTRIES, access->entry))->first_access =
        BL_NONE;
    access->entry = 0x7fffffff;
    check_int(verify_repaired(&b, NULL), BL_D_MODULE_ROW);
    bl_arena_reset(&b.arena);
}

/* What a row of the map says is changed in its bit-fields, which have no address. */
TEST(rows_of_the_map_are_places_in_order)
{
    static const struct {
        struct bl_map_row value;
        const char *problem; /* NULL: accepted */
    } cases[] = {
        {{.length = 20}, NULL},
        {{.lo = 1980, .length = 20}, NULL},
        {{.lo = 1980, .length = 21}, "its place"},
        {{.lo = BL_MAP_LO_MAX}, "its place"},
        {{.length = BL_MAP_LENGTH_MAX}, "its place"},
        {{.source = 1}, "its place"},
        {{.source = 1023}, "its place"},
        {{.insn = UINT16_MAX}, "not ascending"},
        {{.flags = BL_MAP_CONDITION}, "no condition"},
        {{.flags = BL_MAP_REASON}, "no condition"},
        {{.flags = BL_MAP_ROW}, NULL},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sample_bytes b = whole_sample();
        struct bl_map_row *row = sample_row(b.at, BL_SECTION_MAP, 0);
        char words[512] = "";

        check_case("case %zu", i);
        *row = cases[i].value;
        check_int(verify_repaired(&b, words), cases[i].problem != NULL ? BL_D_MODULE_ROW : 0);
        check(cases[i].problem == NULL || strstr(words, cases[i].problem) != NULL);
        bl_arena_reset(&b.arena);
    }
}

/* The first row in the sample whose instruction writes a bool; another stands in front of it.
 */
static struct bl_map_row *condition_row(const struct sample_bytes *b)
{
    struct bl_map_row *row = sample_row(b->at, BL_SECTION_MAP, 0);

    while (row->flags == 0)
        row++;
    return row;
}

TEST(each_flag_of_the_map_is_one)
{
    for (unsigned flags = 0; flags < 4; flags++) {
        struct sample_bytes b = whole_sample();

        condition_row(&b)->flags = flags & 3u;
        check_int(verify_repaired(&b, NULL), 0);
        bl_arena_reset(&b.arena);
    }
}

TEST(places_of_a_function_ascend)
{
    struct sample_bytes b = whole_sample();
    struct bl_map_row *row = condition_row(&b);

    row->insn = 0; /* that of the row before */
    row->flags = 0;
    check_int(verify_repaired(&b, NULL), BL_D_MODULE_ROW);
    bl_arena_reset(&b.arena);
}

/* Each function begins behind the one before, in the code and in the map. */
TEST(functions_share_no_code_and_no_places)
{
    const size_t fields[] = {offsetof(struct bl_function, first_insn),
                             offsetof(struct bl_function, first_place)};

    for (size_t i = 0; i < 2; i++) {
        for (unsigned wrong = 0; wrong < 3; wrong++) {
            struct sample_bytes b = whole_sample();
            char *row = sample_row(b.at, BL_SECTION_FUNCTIONS, 2);
            uint32_t value = UINT32_MAX;

            check_case("field %zu, case %u", i, wrong);
            if (wrong == 0) /* before the function before */
                memcpy(&value, row - sizeof(struct bl_function) + fields[i], sizeof value);
            if (wrong < 2)
                value = wrong == 0 ? value - 1 : sample_count(b.at, BL_SECTION_CODE) + 1;
            memcpy(row + fields[i], &value, sizeof value);
            check_int(verify_repaired(&b, NULL), BL_D_MODULE_ROW);
            bl_arena_reset(&b.arena);
        }
    }
}

/* What an effect is stands in its site. */
TEST(sites_name_effects_and_steps)
{
    struct sample_bytes b = whole_sample();
    uint32_t count = sample_count(b.at, BL_SECTION_SITES);
    size_t refused = 0;

    for (uint32_t i = 0; i < count; i++) {
        struct bl_site *site = sample_row(b.at, BL_SECTION_SITES, i);
        struct bl_site kept = *site;

        site->kind = 0x7fffffff;
        refused += verify_repaired(&b, NULL) == BL_D_CODE_OPERAND;
        *site = kept;
    }
    /* All but that of the expectation, which has no kind. */
    check_size(refused, count - 1);
    struct bl_site *label = sample_row(b.at, BL_SECTION_SITES, 0);
    check_int(label->kind, BL_EFFECT_ADD_LABEL);
    label->detail = 1;
    check_int(verify_repaired(&b, NULL), BL_D_CODE_OPERAND);
    bl_arena_reset(&b.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_right_together),
        cmocka_unit_test(the_last_function_ends_with_its_sections),
        cmocka_unit_test(facts_are_ascending),
        cmocka_unit_test(facts_of_one_key_are_ascending_by_rule),
        cmocka_unit_test(a_fact_of_no_rule_is_refused),
        cmocka_unit_test(rows_of_the_map_are_places_in_order),
        cmocka_unit_test(each_flag_of_the_map_is_one),
        cmocka_unit_test(places_of_a_function_ascend),
        cmocka_unit_test(functions_share_no_code_and_no_places),
        cmocka_unit_test(sites_name_effects_and_steps),
    };
    return check_main(tests);
}
