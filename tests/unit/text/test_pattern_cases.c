/* SPDX-License-Identifier: Apache-2.0 */
#include "pattern_support.h"

/* What another engine says of thousands of patterns and texts (tools/gen/pattern_cases.mjs), in
 * each of the two ways of running a pattern, and in sets. */

static struct bl_arena arena;
static struct pattern_case *cases;
static size_t case_count;

static int read_all(void **state)
{
    (void)state;
    bl_arena_init(&arena, ARENA_BYTES, NULL);
    cases = read_cases(&arena, &case_count);
    return 0;
}

static int drop_all(void **state)
{
    (void)state;
    bl_arena_reset(&arena);
    return 0;
}

static void finds_what_the_judge_finds(enum bl_pattern_form form)
{
    size_t with_match = 0;
    size_t too_large = 0;
    for (size_t i = 0; i < case_count; i++) {
        struct bl_arena_mark mark = bl_arena_mark(&arena);
        struct bl_pattern pattern;
        struct bl_pattern_error error;
        check_case("/%.*s/%.*s on '%.*s'", BL_STR_ARG(cases[i].source),
                   BL_STR_ARG(cases[i].flags), BL_STR_ARG(cases[i].text));
        if (!bl_pattern_compile_as(&arena, cases[i].source, cases[i].flags, form, &pattern,
                                   &error)) {
            /* Only the simulation runs it. */
            check(form == BL_PATTERN_DFA && error.message.len == 0);
            too_large++;
            continue;
        }
        check(bl_pattern_verify(pattern.bytes, pattern.size));
        check_slice(all_matches(&arena, pattern, cases[i].text), cases[i].matches);
        check(bl_pattern_matches(pattern, cases[i].text) == (cases[i].matches.len > 0));
        with_match += cases[i].matches.len > 0;
        bl_arena_release(&arena, mark);
    }
    check_case("all cases");
    check(case_count > 3000 && with_match > 1000 && case_count - with_match > 1000);
    check(too_large < 10);
}

/* req: PRF-01 RED-04 */
TEST(automata_find_what_the_judge_finds)
{
    finds_what_the_judge_finds(BL_PATTERN_DFA);
}

TEST(simulation_finds_what_the_judge_finds)
{
    finds_what_the_judge_finds(BL_PATTERN_GRAPH);
}

#define SET_SIZE 40

/* Sets of SET_SIZE patterns, each over all texts of its cases; of every third part of the
 * cases, for time. */
TEST(sets_find_what_the_judge_finds)
{
    size_t left = 0;
    for (size_t from = 0; from + SET_SIZE <= case_count; from += (size_t)3 * SET_SIZE) {
        struct bl_arena_mark mark = bl_arena_mark(&arena);
        struct bl_pattern_set_input inputs[SET_SIZE];
        struct bl_pattern patterns[SET_SIZE];
        bool left_out[SET_SIZE];
        struct bl_pattern set;
        check_case("set of cases from %zu", from);
        for (size_t i = 0; i < SET_SIZE; i++) {
            const struct pattern_case *c = &cases[from + i];
            inputs[i] = (struct bl_pattern_set_input){c->source, c->flags, false};
            patterns[i] = compiled(&arena, c->source, c->flags, BL_PATTERN_BEST);
        }
        check(bl_pattern_set_compile(&arena, inputs, SET_SIZE, left_out, &set));
        check(bl_pattern_set_verify(set.bytes, set.size));
        check_size(bl_pattern_set_count(set), SET_SIZE);
        for (size_t i = 0; i < SET_SIZE; i++) {
            uint64_t found = 0;
            bl_pattern_set_scan(set, cases[from + i].text, &found);
            left += left_out[i];
            for (size_t j = 0; j < SET_SIZE; j++) {
                check_case("/%.*s/%.*s in a set on '%.*s'", BL_STR_ARG(inputs[j].source),
                           BL_STR_ARG(inputs[j].flags), BL_STR_ARG(cases[from + i].text));
                check(left_out[j] ? (found >> j & 1) == 0
                                  : (found >> j & 1) ==
                                        bl_pattern_matches(patterns[j], cases[from + i].text));
            }
            check(left_out[i] || (found >> i & 1) == (cases[from + i].matches.len > 0));
        }
        bl_arena_release(&arena, mark);
    }
    /* These patterns are as hostile to automata as patterns get. */
    check_case("all sets");
    check(left < 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(automata_find_what_the_judge_finds, read_all, drop_all),
        cmocka_unit_test_setup_teardown(simulation_finds_what_the_judge_finds, read_all,
                                        drop_all),
        cmocka_unit_test_setup_teardown(sets_find_what_the_judge_finds, read_all, drop_all),
    };
    return check_main(tests);
}
