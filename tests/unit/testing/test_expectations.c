/* SPDX-License-Identifier: Apache-2.0 */
#include "compiling.h"
#include "support/check.h"
#include "testing/coverage.h"
#include "testing/testing.h"

#include <stdio.h>

/* Expected effects, golden plans and coverage. */

#define MINE                                                                                   \
    "package mine { account \"github-actions[bot]\"; marker \"mine\" }\n"                      \
    "label crash \"crash\" { color \"b60205\" }\n"                                             \
    "label seen \"seen\" { color \"b60205\" }\n"                                               \
    "locale en \"English\" { day \"{year}\" }\n"                                               \
    "words en { message hello(author : user) \"Hello, {author}.\" }\n"                         \
    "comment welcome { say hello(issue.author) }\n"                                            \
    "job event { may write issues; runs rules }\n"                                             \
    "rule crashes {\n"                                                                         \
    "  on issues.opened\n"                                                                     \
    "  when issue.title matches /crash/i\n"                                                    \
    "  add label crash\n"                                                                      \
    "  post welcome\n"                                                                         \
    "  notice \"Seen.\"\n"                                                                     \
    "  close not_planned\n"                                                                    \
    "}\n"                                                                                      \
    "rule locked_ones { on issues.opened\n"                                                    \
    "  when issue.locked\n"                                                                    \
    "  add label seen }\n"
#define CRASH "  when alice opens 1 \"A crash\" \"x\"\n"

struct outcome {
    struct compiling c;
    struct bl_test_summary summary;
};

static void run(struct outcome *o, const char *text, struct bl_test_options options)
{
    compiling_begin(&o->c, text, NULL);
    check_status(o->c.status, BL_OK);
    options.module = &o->c.module;
    options.sources = &o->c.sources;
    check_status(bl_tests_run(&o->c.arena, &options, &o->summary), BL_OK);
}

static bool mentions(bl_str text, const char *words)
{
    return bl_str_find(text, bl_str_from(words)) != SIZE_MAX;
}

/* ---- effects ----------------------------------------------------------------------------- */

TEST(each_part_of_an_effect_counts)
{
    static const struct {
        const char *expectation;
        bool holds;
    } cases[] = {
        {"effect add label crash", true},
        {"effect add label seen", false},
        {"effect add labels crash, seen", false},
        {"effect remove label crash", false},
        {"effect post welcome", true},
        {"effect notice \"Seen.\"", true},
        {"effect notice \"Unseen.\"", false},
        {"effect close not_planned", true},
        {"effect close completed", false},
        {"effect reopen", false},
        {"no effect add label seen", true},
        {"no effect add label crash", false},
        {"no effect close completed", true},
        {"no effect close not_planned", false},
        {"effects exactly { add label crash; post welcome; notice \"Seen.\"; close not_planned "
         "}",
         true},
        {"effects exactly { close not_planned; notice \"Seen.\"; post welcome; add label crash "
         "}",
         true},
        {"effects exactly { add label crash; post welcome; close not_planned }", false},
        {"effects exactly { add labels crash, seen; post welcome; notice \"Seen.\"; close "
         "not_planned }",
         false},
        {"effects exactly { add label crash; add label crash; post welcome; notice \"Seen.\"; "
         "close not_planned }",
         false},
        {"effects exactly { }", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct outcome o;
        char text[4096];
        (void)snprintf(text, sizeof text, "%stest \"t\" {\n%s  expect %s\n}\n", MINE, CRASH,
                       cases[i].expectation);
        check_case("%s", cases[i].expectation);
        run(&o, text, (struct bl_test_options){0});
        check_size(o.summary.failed, cases[i].holds ? 0 : 1);
        bl_arena_reset(&o.c.arena);
    }
}

TEST(nothing_is_expected_where_nothing_is_planned)
{
    struct outcome o;
    run(&o,
        MINE "test \"t\" {\n"
             "  when alice opens 1 \"Hello\" \"x\"\n"
             "  expect effects exactly { }\n"
             "  expect no effect post welcome\n"
             "}\n",
        (struct bl_test_options){0});
    check_size(o.summary.passed, 1);
    bl_arena_reset(&o.c.arena);
}

TEST(a_failure_stands_side_by_side_with_the_rule_explained)
{
    struct outcome o;
    run(&o,
        MINE "test \"t\" {\n" CRASH "  expect effects exactly { add label crash; add label "
             "seen; post welcome }\n}\n",
        (struct bl_test_options){0});
    bl_str detail = o.summary.results.items[0].failures.items[0].detail;
    check(mentions(detail, "= add label crash  add label crash to #1"));
    check(mentions(detail, "= post welcome     post welcome on #1"));
    check(mentions(detail, "- add label seen"));
    check(mentions(detail, "+                  close #1 as not planned"));
    /* The rule that could have set the label, and why it did not. */
    check(mentions(detail, "not      locked_ones"));
    check(mentions(detail, "false: #1.locked"));
    bl_arena_reset(&o.c.arena);
}

TEST(a_condition_that_fails_names_the_rules_of_its_label)
{
    struct outcome o;
    run(&o, MINE "test \"t\" {\n" CRASH "  expect issue(1) has seen\n}\n",
        (struct bl_test_options){0});
    bl_str detail = o.summary.results.items[0].failures.items[0].detail;
    check(mentions(detail, "locked_ones"));
    check(!mentions(detail, "fired    crashes"));
    bl_arena_reset(&o.c.arena);
}

/* ---- golden plans ------------------------------------------------------------------------ */

static const char plan[] = "  add label crash to #1  (crashes)\n"
                           "  post welcome on #1  (crashes)\n"
                           "    | <!-- mine:welcome -->\n"
                           "    |\n"
                           "    | Hello, @alice.\n"
                           "  notice: Seen.  (crashes)\n"
                           "  close #1 as not planned  (crashes)\n";

static enum bl_status read_golden(void *context, struct bl_arena *arena, bl_str path,
                                  bool *found, bl_str *out)
{
    (void)arena;
    check_str(path, "golden/a.plan");
    *found = context != NULL;
    *out = bl_str_from(context != NULL ? context : "");
    return BL_OK;
}

TEST(a_plan_is_compared_with_its_file)
{
    static const char text[] = MINE "test \"t\" {\n" CRASH "  expect golden \"a\"\n}\n";
    char other[] = "  add label crash to #1  (crashes)\n";
    char same[sizeof plan];
    struct {
        const char *name;
        void *file;
        bool bless, passes, differs;
    } cases[] = {
        {"equal", same, false, true, false},
        {"other", other, false, false, true},
        {"missing", NULL, false, false, true},
        {"other, blessed", other, true, true, true},
        {"missing, blessed", NULL, true, true, true},
        {"equal, blessed", same, true, true, false},
    };
    (void)snprintf(same, sizeof same, "%s", plan);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct outcome o;
        check_case("%s", cases[i].name);
        run(&o, text,
            (struct bl_test_options){.golden = {read_golden, cases[i].file, cases[i].bless}});
        check_size(o.summary.passed, cases[i].passes);
        check_size(o.summary.goldens.count, 1);
        const struct bl_golden *golden = &o.summary.goldens.items[0];
        check_int(golden->differs, cases[i].differs);
        check_str(golden->text, plan);
        if (!cases[i].passes)
            check(mentions(o.summary.results.items[0].failures.items[0].detail,
                           "+    | Hello, @alice."));
        bl_arena_reset(&o.c.arena);
    }
}

TEST(one_golden_file_is_one_plan)
{
    struct outcome o;
    run(&o,
        MINE "test \"t\" {\n" CRASH "  expect golden \"a\"\n"
             "  when alice opens 2 \"Hello\" \"x\"\n"
             "  expect golden \"a\"\n}\n",
        (struct bl_test_options){.golden = {read_golden, NULL, true}});
    check_size(o.summary.failed, 1);
    check_size(o.summary.goldens.count, 1);
    bl_arena_reset(&o.c.arena);
}

/* ---- coverage ---------------------------------------------------------------------------- */

#define COVERED                                                                                \
    "package mine { account \"github-actions[bot]\"; marker \"mine\" }\n"                      \
    "label crash \"crash\" { color \"b60205\" }\n"                                             \
    "label seen \"seen\" { color \"b60205\" }\n"                                               \
    "decision kind(issue) : text {\n"                                                          \
    "  issue.title contains \"a\" => \"a\"\n"                                                  \
    "  issue.title contains \"b\" => \"b\"\n"                                                  \
    "  otherwise => \"c\"\n"                                                                   \
    "}\n"                                                                                      \
    "job event { may write issues; runs rules }\n"                                             \
    "rule one { on issues.opened\n"                                                            \
    "  when kind(issue) == \"a\" and not issue.locked\n"                                       \
    "  add label crash }\n"                                                                    \
    "rule two { on issues.opened\n"                                                            \
    "  when kind(issue) == \"c\"\n"                                                            \
    "  add label seen }\n"

static void cover(struct outcome *o, const char *text, struct bl_coverage_report *report)
{
    struct bl_test_options options = {.use_index = false};
    compiling_begin(&o->c, text, NULL);
    check_status(o->c.status, BL_OK);
    options.module = &o->c.module;
    options.sources = &o->c.sources;
    options.coverage = bl_coverage_create(&o->c.arena, &o->c.module);
    check(options.coverage != NULL);
    check_status(bl_tests_run(&o->c.arena, &options, &o->summary), BL_OK);
    check_status(bl_coverage_collect(&o->c.arena, &o->c.module, options.coverage, &o->c.sources,
                                     NULL, report),
                 BL_OK);
}

static void check_sum(const struct bl_coverage_report *report, enum bl_coverage_kind kind,
                      size_t met, size_t goals)
{
    check_size(report->sum.met[kind], met);
    check_size(report->sum.goals[kind], goals);
}

/* The numbers are counted by hand. Title "a": the first row, its condition true; rule one fires
 * (kind true, locked false), rule two does not. */
TEST(what_ran_is_counted)
{
    struct outcome o;
    struct bl_coverage_report report;
    cover(&o,
          COVERED "test \"t\" { when alice opens 1 \"a\" \"x\"; expect issue(1) has crash }\n",
          &report);
    check_sum(&report, BL_COVERAGE_RULE, 1, 2);
    check_sum(&report, BL_COVERAGE_ROW, 1, 3);
    check_sum(&report, BL_COVERAGE_EFFECT, 1, 2);
    /* Of five conditions: 'a' true; 'b' never asked; kind 'a' true; locked false; kind 'c'
     * false.
     */
    check_sum(&report, BL_COVERAGE_CONDITION, 4, 10);
    check_int(bl_coverage_percent(&report.sum), (1 + 1 + 1 + 4) * 100 / 17);
    struct bl_buf text;
    bl_buf_init(&text, &o.c.arena, 1 << 20);
    bl_coverage_text(&report, &o.c.sources, &text);
    check(mentions(bl_buf_str(&text), "condition never asked: issue.title contains \"b\""));
    check(mentions(bl_buf_str(&text), "condition never false: issue.title contains \"a\""));
    check(mentions(bl_buf_str(&text), "rule never fired: two"));
    check(mentions(bl_buf_str(&text), "effect never planned: add label seen"));
    check(mentions(bl_buf_str(&text), "row never taken: \"b\""));
    bl_arena_reset(&o.c.arena);
}

TEST(all_of_it_is_a_hundred_percent)
{
    struct outcome o;
    struct bl_coverage_report report;
    cover(&o,
          COVERED "test \"{title}\" {\n"
                  "  column title : untrusted\n"
                  "  given issue 9 by bob { title title; locked }\n"
                  "  when alice opens 1 title \"x\"\n"
                  "  when opened 9\n"
                  "  expect true\n"
                  "  case \"a\"\n  case \"b\"\n  case \"c\"\n}\n",
          &report);
    check_size(o.summary.failed, 0);
    check_int(bl_coverage_percent(&report.sum), 100);
    for (size_t i = 0; i < report.items.count; i++)
        check_size(bl_coverage_lack(&report.items.items[i]).len, 0);
    bl_arena_reset(&o.c.arena);
}

TEST(lcov_and_the_page_have_the_lines)
{
    struct outcome o;
    struct bl_coverage_report report;
    struct bl_buf text;
    cover(&o,
          COVERED "test \"t\" { when alice opens 1 \"a\" \"x\"; expect issue(1) has crash }\n",
          &report);
    bl_buf_init(&text, &o.c.arena, 1 << 20);
    bl_coverage_lcov(&report, &o.c.sources, &text);
    bl_str lcov = bl_buf_str(&text);
    check(mentions(lcov, "SF:mine.policy\nFN:10,one\nFNDA:1,one\nFN:13,two\nFNDA:0,two\n"));
    check(mentions(lcov, "FNF:2\nFNH:1\n"));
    /* The first row asks twice, once for each rule that wants the kind, and is taken twice. */
    check(mentions(lcov, "BRDA:5,0,0,2\nBRDA:5,0,1,0\nBRDA:5,1,0,2\n"));
    check(mentions(lcov, "BRDA:6,0,0,-\nBRDA:6,0,1,-\n"));
    check(mentions(lcov, "DA:12,1\n"));
    check(mentions(lcov, "DA:15,0\n"));
    /* Tests are no part of what is tested. */
    check(!mentions(lcov, "DA:16,"));
    check(mentions(lcov, "end_of_record\n"));
    bl_buf_init(&text, &o.c.arena, 1 << 20);
    bl_coverage_html(&report, &o.c.sources, &text);
    check(mentions(bl_buf_str(&text), "issue.title contains &quot;a&quot;"));
    check(!mentions(bl_buf_str(&text), "contains \"a\""));
    check(!mentions(bl_buf_str(&text), "<script"));
    bl_arena_reset(&o.c.arena);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_part_of_an_effect_counts),
        cmocka_unit_test(nothing_is_expected_where_nothing_is_planned),
        cmocka_unit_test(a_failure_stands_side_by_side_with_the_rule_explained),
        cmocka_unit_test(a_condition_that_fails_names_the_rules_of_its_label),
        cmocka_unit_test(a_plan_is_compared_with_its_file),
        cmocka_unit_test(one_golden_file_is_one_plan),
        cmocka_unit_test(what_ran_is_counted),
        cmocka_unit_test(all_of_it_is_a_hundred_percent),
        cmocka_unit_test(lcov_and_the_page_have_the_lines),
    };
    return check_main(tests);
}
