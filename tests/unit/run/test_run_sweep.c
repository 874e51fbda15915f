/* SPDX-License-Identifier: Apache-2.0 */
#include "running.h"
#include "support/check.h"
#include "support/check_diagnostic.h"

/* Sweeps: FLT-17, FLT-18, FLT-22, LIF-29, LIF-31; language-review §5.2. */

static struct bl_arena arena;
static struct running r;

static int set_up(void **state)
{
    (void)state;
    bl_arena_init(&arena, 256 << 20, NULL);
    check(running_open(&r, &arena));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    bl_arena_reset(&arena);
    return 0;
}

static const char lists[] =
    "pure open_ones() : list of issue\n regs repository, list of issue\n"
    " ambient r0, repository\n field r1, r0, repository.open_issues\n"
    " return r1\n"
    "pure never() : bool\n regs bool\n const r0, false\n return r0\n"
    "pure two() : int\n regs int\n const r0, 2\n return r0\n";
/* Posts a reply and adds the label stale, once an issue. It reads the comments first. */
static const char reminds[] =
    "entry remind(issue) job 0\n"
    " regs list of comment, issue, clean comment, int, name?, list of time, text\n"
    " regs issue, label, clean timeline?\n"
    " field r1, r0, issue.comments\n ambient r2, issue\n const r7, \"Well?\"\n move r3, r7\n"
    " const r4, 1\n absent r5\n list r6\n effect r2, 5, post:2\n ambient r8, issue\n"
    " const r9, label \"stale\"\n absent r10\n effect r8, 3, add label\n end\n";
static const char closes[] =
    "entry close(issue) job 0\n regs issue, state_reason, issue?, clean timeline?\n"
    " move r1, r0\n const r2, state_reason not_planned\n absent r3\n absent r4\n"
    " effect r1, 4, close\n end\n";
static const char says[] = "entry report() job 0\n regs text\n const r0, \"swept\"\n"
                           " effect r0, 1, notice\n end\n";

static uint32_t add_step(const char *name, bool units)
{
    struct bl_builder *b = r.stage.builder;
    uint32_t entry = stage_entry(&r.stage, BL_ENTRY_STEP, name, BL_EVENT_COUNT);

    if (units) {
        struct bl_module_step row = bl_plain_step(entry);

        row.units = stage_function(&r.stage, "open_ones");
        row.ambient = BL_AMBIENT_ISSUE;
        bl_add_STEPS(b, row);
    }
    if (b->JOBS.items[0].step_count == 0)
        b->JOBS.items[0].first_step = entry;
    b->JOBS.items[0].step_count++;
    return entry;
}

static void morning(void)
{
    check(running_ready(&r, BL_EVENT_SCHEDULE));
    r.event.issue = NULL;
}

static void add_issues(void)
{
    scripted_issue(&r.world, 7);
    scripted_issue(&r.world, 9);
}

TEST(each_issue_is_a_unit)
{
    stage_add(&r.stage, lists);
    stage_add(&r.stage, reminds);
    stage_add(&r.stage, says);
    add_step("remind", true);
    add_step("report", false);
    add_issues();
    morning();
    check_status(running_go(&r), BL_OK);
    check_int(bl_run_exit_code(BL_OK, &r.result), 0);
    check_size(r.result.units.count, 4);
    check_str(r.result.units.items[0].name, "#12");
    check_str(r.result.units.items[1].name, "#7");
    check_str(r.result.units.items[2].name, "#9");
    check_str(r.result.units.items[3].name, "");
    check_str(bl_buf_str(&r.world.log), "post 12 <!-- bylaw:reply to=1 -->\n"
                                        "add label 12 stale\n"
                                        "post 7 <!-- bylaw:reply to=1 -->\n"
                                        "add label 7 stale\n"
                                        "post 9 <!-- bylaw:reply to=1 -->\n"
                                        "add label 9 stale\n");
    check_str(running_log(&r), "note: swept\n");
    check_size(r.result.writes, 6);
    /* And the next morning there is nothing to do: FLT-18. */
    check_status(running_go(&r), BL_OK);
    check_size(r.result.writes, 0);
}

/* A failing unit is a warning, the rest goes on, the exit says so; the next sweep completes it.
 * req: FLT-17, FLT-18 */
TEST(a_failed_unit_takes_nothing_with_it)
{
    stage_add(&r.stage, lists);
    stage_add(&r.stage, reminds);
    stage_add(&r.stage, says);
    add_step("remind", true);
    add_step("report", false);
    add_issues();
    morning();
    r.world.fails = true;
    r.world.failing = BL_READ_COMMENTS;
    r.world.failing_key = 7;
    check_status(running_go(&r), BL_OK);
    check_int(bl_run_exit_code(BL_OK, &r.result), 1);
    check_size(r.result.units_failed, 1);
    check_size(r.sink.list.count, 1);
    check_int(r.sink.list.items[0]->code, BL_D_UNIT_FAILED);
    check_int(r.sink.list.items[0]->severity, BL_SEVERITY_WARNING);
    check_diag_arg(&r.sink, 0, "unit", "#7");
    check_diag_arg(&r.sink, 0, "step", "remind");
    check_diag_arg(&r.sink, 0, "reason",
                   "The comments of issue 7 could not be read: GitHub answered 502");
    check(scripted_has_label(&r.world, 12, "stale"));
    check(!scripted_has_label(&r.world, 7, "stale"));
    check(scripted_has_label(&r.world, 9, "stale"));
    check_str(running_log(&r), "note: swept\n");
    /* The next one completes what failed, and that alone: FLT-18. */
    r.world.fails = false;
    check_status(running_go(&r), BL_OK);
    check_int(bl_run_exit_code(BL_OK, &r.result), 0);
    check_size(r.result.writes, 2);
    check(scripted_has_label(&r.world, 7, "stale"));
}

/* A read that failed is asked again when a later step comes to the same issue. */
TEST(a_later_step_asks_again)
{
    stage_add(&r.stage, lists);
    stage_add(&r.stage, reminds);
    add_step("remind", true);
    add_step("remind", true);
    add_issues();
    morning();
    r.world.fails = true;
    r.world.failing = BL_READ_COMMENTS;
    r.world.failing_key = 7;
    r.world.fail_times = 1;
    check_status(running_go(&r), BL_OK);
    check_int(bl_run_exit_code(BL_OK, &r.result), 1);
    check_size(r.result.units_failed, 1);
    check(scripted_has_label(&r.world, 7, "stale"));
    check_size(r.world.writes, 6);
}

TEST(a_failed_write_leaves_the_other_units)
{
    stage_add(&r.stage, lists);
    stage_add(&r.stage, reminds);
    add_step("remind", true);
    add_issues();
    morning();
    r.world.cut_after = 3; /* in the middle of the second issue, and all that follow */
    check_status(running_go(&r), BL_OK);
    check_int(bl_run_exit_code(BL_OK, &r.result), 1);
    check_size(r.result.units_failed, 2);
    check_size(running_count(&r, BL_D_UNIT_FAILED), 2);
    r.world.cut_after = SIZE_MAX;
    check_status(running_go(&r), BL_OK);
    check_size(r.world.writes, 6);
    check_size(r.world.comment_count, 3);
}

static const char files[] =
    "entry file(issue) job 0\n"
    " regs issue, name, issue, state_reason, issue?, clean timeline?\n"
    " move r1, r0\n const r2, name \"v1\"\n effect r1, 2, milestone:1\n"
    " move r3, r0\n const r4, state_reason completed\n absent r5\n absent r6\n"
    " effect r3, 4, close\n end\n";

/* What stands behind an attempt is carried out, and the run does not fail by it. */
TEST(an_attempt_that_fails_is_a_warning)
{
    stage_add(&r.stage, lists);
    stage_add(&r.stage, files);
    add_step("file", true);
    morning();
    r.world.refuses = true;
    r.world.refused = BL_EFFECT_MILESTONE;
    check_status(running_go(&r), BL_OK);
    check_int(bl_run_exit_code(BL_OK, &r.result), 0);
    check_str(bl_buf_str(&r.world.log), "close 12\n");
    check_str(running_log(&r), "warning: An attempt to file #12 under the milestone v1 failed: "
                               "The write was not made: GitHub answered 500.\n");
    check_size(r.result.writes, 1);
    r.world.refused = BL_EFFECT_CLOSE;
    r.world.issues[0].closed = false;
    check_status(running_go(&r), BL_OK);
    check_int(bl_run_exit_code(BL_OK, &r.result), 1);
}

static const char suggests[] =
    "entry suggest(issue) job 0\n"
    " regs issue, issue, clean timeline, issue, state_reason, issue?, clean timeline?\n"
    " move r1, r0\n move r2, r0\n const r3, text \"Alike.\"\n effect r1, 3, suggest_duplicate\n"
    " move r4, r0\n const r5, state_reason completed\n absent r6\n absent r7\n"
    " effect r4, 4, close\n end\n";

/* req: ANS-21. GitHub may not take a suggestion: a notice says so, and the rest is done. */
TEST(a_suggestion_that_cannot_be_made_is_a_notice)
{
    stage_add(&r.stage, lists);
    stage_add(&r.stage, suggests);
    add_step("suggest", true);
    morning();
    r.world.refuses = true;
    r.world.refused = BL_EFFECT_SUGGEST_DUPLICATE;
    check_status(running_go(&r), BL_OK);
    check_int(bl_run_exit_code(BL_OK, &r.result), 0);
    check_str(bl_buf_str(&r.world.log), "close 12\n");
    check_str(running_log(&r),
              "note: An attempt to suggest that #12 is a duplicate of #12 failed: "
              "The write was not made: GitHub answered 500.\n");
    check_size(r.result.writes, 1);
}

/* A step that is attempted: its failures are warnings, and the exit does not say so. */
TEST(an_attempted_step_does_not_fail_the_run)
{
    stage_add(&r.stage, lists);
    stage_add(&r.stage, reminds);
    add_step("remind", true);
    r.stage.builder->STEPS.items[0].attempted = 1;
    morning();
    r.world.fails = true;
    r.world.failing = BL_READ_COMMENTS;
    check_status(running_go(&r), BL_OK);
    check_int(bl_run_exit_code(BL_OK, &r.result), 0);
    check_size(running_count(&r, BL_D_UNIT_FAILED), 1);
    check_size(r.world.writes, 0);
}

/* What finds the units fails: the step is left, the next one runs. */
TEST(a_step_whose_things_cannot_be_read_is_left)
{
    stage_add(&r.stage, lists);
    stage_add(&r.stage, reminds);
    stage_add(&r.stage, says);
    add_step("remind", true);
    add_step("report", false);
    morning();
    r.world.fails = true;
    r.world.failing = BL_READ_OPEN_ISSUES;
    check_status(running_go(&r), BL_OK);
    check_int(bl_run_exit_code(BL_OK, &r.result), 1);
    check_size(running_count(&r, BL_D_UNIT_FAILED), 1);
    check_str(running_log(&r), "note: swept\n");
}

TEST(a_step_asks_its_condition)
{
    stage_add(&r.stage, lists);
    stage_add(&r.stage, reminds);
    stage_add(&r.stage, says);
    add_step("remind", true);
    add_step("report", false);
    r.stage.builder->STEPS.items[0].when = stage_function(&r.stage, "never");
    morning();
    check_status(running_go(&r), BL_OK);
    check_size(r.world.writes, 0);
    check_size(r.result.reads, 0); /* off: nothing is read (LIF-26) */
    check_str(running_log(&r), "note: swept\n");
}

/* LIF-29: at most so many units write; those that had nothing to do do not count. */
TEST(at_most_so_many_units_write)
{
    stage_add(&r.stage, lists);
    stage_add(&r.stage, reminds);
    add_step("remind", true);
    r.stage.builder->STEPS.items[0].at_most = stage_function(&r.stage, "two");
    add_issues();
    scripted_issue(&r.world, 20);
    morning();
    check_status(running_go(&r), BL_OK);
    check_size(r.world.writes, 4);
    check(scripted_has_label(&r.world, 7, "stale") &&
          !scripted_has_label(&r.world, 9, "stale"));
    check_status(running_go(&r), BL_OK);
    check_size(r.world.writes, 8);
    check(scripted_has_label(&r.world, 20, "stale"));
    check_status(running_go(&r), BL_OK);
    check_size(r.world.writes, 8);
}

/* A run writes so much and no more, says what it left, and the next one goes on with it; no
 * unit is cut in its middle. */
TEST(a_sweep_has_a_bound_of_writes)
{
    stage_add(&r.stage, lists);
    stage_add(&r.stage, reminds);
    stage_add(&r.stage, says);
    add_step("remind", true);
    add_step("report", false);
    add_issues();
    scripted_issue(&r.world, 20);
    morning();
    r.options.writes = 3;
    check_status(running_go(&r), BL_OK);
    check_int(bl_run_exit_code(BL_OK, &r.result), 0);
    check_size(r.world.writes, 4);
    check_str(
        running_log(&r),
        "warning: 4 writes were made, and one run makes no more than 3. Left for the next: "
        "2 things of 'remind', the step 'report'.\n");
    r.options.dry = true; /* a dry run says the same of what it would write */
    check_status(running_go(&r), BL_OK);
    check_size(r.world.writes, 4);
    check_str(r.result.left,
              "4 writes were made, and one run makes no more than 3. Left for the "
              "next: the step 'report'.");
    r.options.dry = false;
    check_status(running_go(&r), BL_OK);
    check_size(r.world.writes, 8);
    check_str(
        running_log(&r),
        "warning: 4 writes were made, and one run makes no more than 3. Left for the next: "
        "the step 'report'.\n");
    check_status(running_go(&r), BL_OK);
    check_str(running_log(&r), "note: swept\n");
    check(r.result.left.len == 0);
}

/* §5.2: a unit reads the world plus what this run already carried out. */
TEST(a_later_step_sees_what_an_earlier_one_did)
{
    stage_add(&r.stage, lists);
    stage_add(&r.stage, closes);
    stage_add(&r.stage, reminds);
    add_step("close", true);
    add_step("remind", true);
    add_issues();
    morning();
    check_status(running_go(&r), BL_OK);
    check_str(bl_buf_str(&r.world.log), "close 12\nclose 7\nclose 9\n");
    check_size(r.world.reads[BL_READ_OPEN_ISSUES], 2);
}

TEST(a_unit_that_says_fail_leaves_itself_alone)
{
    stage_add(&r.stage, lists);
    stage_add(&r.stage, reminds);
    stage_add(&r.stage,
              "entry stop(issue) job 0\n regs issue, label, clean timeline?, text, int,"
              " int, bool\n field r5, r0, issue.number\n const r6, 7\n"
              " eq r7, r5, r6\n jump-unless r7, go\n const r4, \"not this one\"\n"
              " effect r4, 1, fail\ngo:\n move r1, r0\n const r2, label \"bug\"\n"
              " absent r3\n effect r1, 3, add label\n end\n");
    add_step("stop", true);
    add_issues();
    morning();
    check_status(running_go(&r), BL_OK);
    check_int(bl_run_exit_code(BL_OK, &r.result), 1);
    check(scripted_has_label(&r.world, 12, "bug"));
    check(!scripted_has_label(&r.world, 7, "bug"));
    check(scripted_has_label(&r.world, 9, "bug"));
    check_str(running_log(&r), "error: not this one\n");
}

/* Budgets are of units: one that runs out leaves the others theirs. */
TEST(each_unit_has_its_own_budget)
{
    stage_add(&r.stage, lists);
    stage_add(&r.stage, reminds);
    add_step("remind", true);
    add_issues();
    morning();
    check_status(running_go(&r), BL_OK);
    uint64_t all = r.result.instructions;
    bl_arena_reset(&arena);
    check(running_open(&r, &arena));
    stage_add(&r.stage, lists);
    stage_add(&r.stage, reminds);
    add_step("remind", true);
    add_issues();
    morning();
    r.options.limits.instructions = all / 2;
    check_status(running_go(&r), BL_OK);
    check_size(r.world.writes, 6);
    r.options.limits.instructions = 8;
    check_status(running_go(&r), BL_OK);
    check(r.result.units_failed > 0);
    check_int(bl_run_exit_code(BL_OK, &r.result), 1);
}

/* req: FLT-22
 * Cut after each write in turn and run again, the morning ends the same. */
TEST(cut_anywhere_the_next_morning_completes_it)
{
    for (size_t cut = 0; cut <= 6; cut++) {
        bl_arena_reset(&arena);
        check(running_open(&r, &arena));
        stage_add(&r.stage, lists);
        stage_add(&r.stage, reminds);
        add_step("remind", true);
        add_issues();
        morning();
        r.world.cut_after = cut;
        check_status(running_go(&r), BL_OK);
        r.world.cut_after = SIZE_MAX;
        check_status(running_go(&r), BL_OK);
        check_case("cut after %u", (unsigned)cut);
        check_size(r.world.writes, 6);
        check_size(r.world.comment_count, 3);
        for (size_t i = 0; i < 3; i++)
            check_size(r.world.issues[i].label_count, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_issue_is_a_unit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_failed_unit_takes_nothing_with_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_later_step_asks_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_failed_write_leaves_the_other_units, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(an_attempt_that_fails_is_a_warning, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_suggestion_that_cannot_be_made_is_a_notice, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(an_attempted_step_does_not_fail_the_run, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_step_whose_things_cannot_be_read_is_left, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_step_asks_its_condition, set_up, tear_down),
        cmocka_unit_test_setup_teardown(at_most_so_many_units_write, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_sweep_has_a_bound_of_writes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_later_step_sees_what_an_earlier_one_did, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_unit_that_says_fail_leaves_itself_alone, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(each_unit_has_its_own_budget, set_up, tear_down),
        cmocka_unit_test_setup_teardown(cut_anywhere_the_next_morning_completes_it, set_up,
                                        tear_down),
    };
    return check_main(tests);
}
