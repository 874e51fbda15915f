/* SPDX-License-Identifier: Apache-2.0 */
#include "running.h"
#include "support/allocator.h"
#include "support/check.h"
#include "support/check_diagnostic.h"

/* A run of an event: language-review §5.1, §5.2 and §5.7, FLT-01 to FLT-09. */

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

/* Adds the label bug when the title of the issue has "title". */
static const char labels_it[] = "regs issue, label, clean timeline?, untrusted, text, bool\n"
                                " ambient r0, issue\n field r3, r0, issue.title\n"
                                " const r4, \"A title\"\n eq r5, r3, r4\n jump-unless r5, no\n"
                                " fired\n const r1, label \"bug\"\n absent r2\n"
                                " effect r0, 3, add label\nno:\n return r5\n";
static const char says_so[] = "regs bool, text\n fired\n const r1, \"hello\"\n"
                              " effect r1, 1, notice\n const r0, true\n return r0\n";
static const char silent[] = "regs bool\n const r0, false\n return r0\n";
static const char says_fail[] = "regs bool, text\n fired\n const r1, \"no further\"\n"
                                " effect r1, 1, fail\n const r0, true\n return r0\n";
static const char starts_report[] = "regs bool, task\n fired\n const r1, task 1\n"
                                    " effect r1, 1, start\n const r0, true\n return r0\n";
static const char outputs_3[] = "regs bool, name, int\n fired\n const r1, name \"n\"\n"
                                " const r2, 3\n effect r1, 2, output\n const r0, true\n"
                                " return r0\n";
/* Needs the comments, which may fail. */
static const char asks_comments[] = "regs issue, list of comment, bool\n ambient r0, issue\n"
                                    " field r1, r0, issue.comments\n is-set r2, r1\n"
                                    " return r2\n";

TEST(rules_that_fire_are_carried_out)
{
    running_rule(&r, "label_it", BL_EVENT_ISSUES_OPENED, labels_it);
    running_rule(&r, "say", BL_EVENT_ISSUES_OPENED, says_so);
    running_rule(&r, "silent", BL_EVENT_ISSUES_OPENED, silent);
    running_rule(&r, "other_event", BL_EVENT_ISSUES_CLOSED, says_so);
    check(running_ready(&r, BL_EVENT_ISSUES_OPENED));
    check_status(running_go(&r), BL_OK);
    check_int(bl_run_exit_code(BL_OK, &r.result), 0);
    check(scripted_has_label(&r.world, 12, "bug"));
    check_str(running_log(&r), "note: hello\n");
    check_size(r.result.rules_evaluated, 3);
    check_size(r.result.writes, 1);
    check_size(r.result.reads, 1);
    check(r.result.instructions > 10);
    check_size(r.sink.list.count, 0);
    check_size(r.result.units.count, 1);
    check(!r.result.has_task);
}

/* A run of an event that no rule is about reads nothing. */
TEST(without_rules_nothing_is_asked)
{
    running_rule(&r, "other_event", BL_EVENT_ISSUES_CLOSED, labels_it);
    check(running_ready(&r, BL_EVENT_ISSUES_OPENED));
    check_status(running_go(&r), BL_OK);
    check_size(r.result.reads, 0);
    check_size(r.result.units.count, 0);
    /* Nor does a job that no rule belongs to. */
    r.options.job = 1;
    r.event.id = BL_EVENT_ISSUES_CLOSED;
    check_status(running_go(&r), BL_OK);
    check_size(r.result.reads, 0);
}

TEST(a_dry_run_writes_nothing)
{
    running_rule(&r, "label_it", BL_EVENT_ISSUES_OPENED, labels_it);
    running_rule(&r, "start", BL_EVENT_ISSUES_OPENED, starts_report);
    check(running_ready(&r, BL_EVENT_ISSUES_OPENED));
    r.options.dry = true;
    check_status(running_go(&r), BL_OK);
    check_size(r.world.writes, 0);
    check_size(r.result.writes, 0);
    check(r.result.has_task);
    check_int(r.result.units.items[0].plan.effects.items[0].state, BL_STATE_DRY);
}

/* ---- settings, when -----------------------------------------------------------------------
 */

static void add_setting(const char *name, const char *check_function)
{
    struct bl_builder *b = r.stage.builder;

    bl_add_SETTINGS(
        b, (struct bl_module_setting){.name = bl_builder_string(b, bl_str_from(name)),
                                      .function = stage_function(&r.stage, "three"),
                                      .check = stage_function(&r.stage, check_function),
                                      .source = 0,
                                      .lo = 7,
                                      .hi = 9});
}

/* All in one report, and nothing runs. req: CFG-29 */
TEST(settings_are_checked_first_and_all)
{
    stage_add(&r.stage, "pure three() : int\n regs int\n const r0, 3\n return r0\n"
                        "pure good() : verdict\n regs bool, name, text, verdict\n"
                        " const r0, true\n const r1, name \"min\"\n const r2, \"\"\n"
                        " verdict r3, r0\n return r3\n"
                        "pure bad() : verdict\n regs bool, name, text, verdict\n"
                        " const r0, false\n const r1, name \"min\"\n"
                        " const r2, \"At least 4.\"\n verdict r3, r0\n return r3\n");
    add_setting("first", "bad");
    add_setting("second", "good");
    add_setting("third", "bad");
    running_rule(&r, "label_it", BL_EVENT_ISSUES_OPENED, labels_it);
    check(running_ready(&r, BL_EVENT_ISSUES_OPENED));
    check_status(running_go(&r), BL_ERR_REFUSED);
    check_int(bl_run_exit_code(BL_ERR_REFUSED, &r.result), 1);
    check_size(r.sink.list.count, 2);
    check_int(r.sink.list.items[0]->code, BL_D_SETTING_REFUSED);
    check_diag_arg(&r.sink, 0, "name", "first");
    check_diag_arg(&r.sink, 0, "text", "At least 4.");
    check_diag_arg(&r.sink, 1, "name", "third");
    check_int(r.sink.list.items[0]->span.lo, 7);
    check_size(r.result.reads, 0);
    check_size(r.world.writes, 0);
}

TEST(a_job_asks_its_condition_first)
{
    for (unsigned turn = 0; turn < 2; turn++) {
        bl_arena_reset(&arena);
        check(running_open(&r, &arena));
        stage_add(&r.stage, "pure now_and_then() : bool\n regs bool\n"
                            " event-is r0, issues.opened\n return r0\n");
        r.stage.builder->JOBS.items[0].when = stage_function(&r.stage, "now_and_then");
        running_rule(&r, "label_it", BL_EVENT_ISSUES_OPENED, labels_it);
        running_rule(&r, "label_too", BL_EVENT_ISSUES_REOPENED, labels_it);
        check(running_ready(&r, turn == 0 ? BL_EVENT_ISSUES_OPENED : BL_EVENT_ISSUES_REOPENED));
        check_status(running_go(&r), BL_OK);
        check_size(r.result.writes, turn == 0 ? 1 : 0);
        check_size(r.result.reads, turn == 0 ? 1 : 0);
    }
}

/* ---- decision -----------------------------------------------------------------------------
 */

static void add_decision(const char *body)
{
    struct bl_buf code;

    bl_buf_init(&code, &arena, 1000);
    bl_buf_printf(&code, "pure next_task() : task?\n%s", body);
    stage_add(&r.stage, code.ptr);
    r.stage.builder->JOBS.items[0].decision =
        stage_entry(&r.stage, BL_ENTRY_DECISION, "next_task", BL_EVENT_COUNT);
}

static const char triage[] = " regs task, task?\n const r0, task 0\n move r1, r0\n return r1\n";
static const char no_task[] = " regs task?\n absent r0\n return r0\n";

TEST(the_decision_gives_the_task)
{
    add_decision(triage);
    check(running_ready(&r, BL_EVENT_ISSUES_OPENED));
    check_status(running_go(&r), BL_OK);
    check(r.result.has_task);
    check_int(r.result.task.as.i, 0);
}

TEST(the_decision_may_give_none)
{
    add_decision(no_task);
    running_rule(&r, "outputs", BL_EVENT_ISSUES_OPENED, outputs_3);
    check(running_ready(&r, BL_EVENT_ISSUES_OPENED));
    check_status(running_go(&r), BL_OK);
    check(!r.result.has_task);
    check_size(r.result.outputs.count, 1);
    check_str(r.result.outputs.items[0].name, "n");
    check_int(r.result.outputs.items[0].value.as.i, 3);
}

TEST(two_tasks_conflict)
{
    add_decision(triage);
    running_rule(&r, "start", BL_EVENT_ISSUES_OPENED, starts_report);
    running_rule(&r, "label_it", BL_EVENT_ISSUES_OPENED, labels_it);
    check(running_ready(&r, BL_EVENT_ISSUES_OPENED));
    check_status(running_go(&r), BL_ERR_INVALID);
    check_int(bl_run_exit_code(BL_ERR_INVALID, &r.result), 1);
    check_size(r.sink.list.count, 1);
    check_int(r.sink.list.items[0]->code, BL_D_EFFECTS_CONFLICT);
    check_size(r.world.writes, 0);
    check(!r.result.has_task);
}

/* One question alone, on the same event: `bylaw try`. */
TEST(a_decision_can_be_asked_alone)
{
    struct bl_value out;

    stage_add(&r.stage,
              "pure titled() : untrusted\n regs issue, untrusted\n ambient r0, issue\n"
              " field r1, r0, issue.title\n return r1\n");
    uint32_t entry = stage_entry(&r.stage, BL_ENTRY_DEFINE, "titled", BL_EVENT_COUNT);
    check(running_ready(&r, BL_EVENT_ISSUES_OPENED));
    bl_diagnostics_init(&r.sink, &arena, 100);
    check_status(bl_run_ask(&arena, &r.options, entry, &out, &r.sink), BL_OK);
    check_str(bl_text_of(out), "A title");
    r.world.fails = true;
    r.world.failing = BL_READ_ISSUE;
    check_status(bl_run_ask(&arena, &r.options, entry, &out, &r.sink), BL_ERR_READ);
    check(bl_is_absent(out));
    check_size(running_count(&r, BL_D_RUN_STOPPED), 1);
}

/* ---- endings ------------------------------------------------------------------------------
 */

/* The run stops with one error; nothing is left out instead. req: FLT-03, FLT-07, FLT-08 */
TEST(a_failed_read_stops_the_run)
{
    running_rule(&r, "a_label_it", BL_EVENT_ISSUES_OPENED, labels_it);
    running_rule(&r, "b_asks", BL_EVENT_ISSUES_OPENED, asks_comments);
    check(running_ready(&r, BL_EVENT_ISSUES_OPENED));
    r.world.fails = true;
    r.world.failing = BL_READ_COMMENTS;
    check_status(running_go(&r), BL_ERR_READ);
    check_int(bl_run_exit_code(BL_ERR_READ, &r.result), 5);
    check_size(r.world.writes, 0);
    check_size(r.sink.list.count, 1);
    check_int(r.sink.list.items[0]->code, BL_D_RUN_STOPPED);
    check_diag_arg(&r.sink, 0, "reason",
                   "The comments of issue 12 could not be read: GitHub answered 502");
    /* Also when it is the event's own issue that cannot be read. */
    r.world.failing = BL_READ_ISSUE;
    check_status(running_go(&r), BL_ERR_READ);
    check_size(r.sink.list.count, 1);
    r.options.use_index = false;
    check_status(running_go(&r), BL_ERR_READ);
}

/* req: FLT-07 */
TEST(a_failed_write_stops_the_run)
{
    running_rule(&r, "label_it", BL_EVENT_ISSUES_OPENED, labels_it);
    running_rule(&r, "start", BL_EVENT_ISSUES_OPENED, starts_report);
    running_rule(&r, "say", BL_EVENT_ISSUES_OPENED, says_so);
    check(running_ready(&r, BL_EVENT_ISSUES_OPENED));
    r.world.cut_after = 0;
    check_status(running_go(&r), BL_ERR_WRITE);
    check_int(bl_run_exit_code(BL_ERR_WRITE, &r.result), 5);
    check_size(r.sink.list.count, 1);
    check_int(r.sink.list.items[0]->code, BL_D_WRITE_FAILED);
    check_diag_arg(&r.sink, 0, "effect", "add label bug to #12");
    check_diag_arg(&r.sink, 0, "reason", "The write was not made: GitHub answered 500");
    check(!r.result.has_task); /* the task comes last, when all is written */
    check_str(running_log(&r), "note: hello\n");
}

TEST(fail_says_its_lines_and_writes_nothing)
{
    running_rule(&r, "label_it", BL_EVENT_ISSUES_OPENED, labels_it);
    running_rule(&r, "say", BL_EVENT_ISSUES_OPENED, says_so);
    running_rule(&r, "stop", BL_EVENT_ISSUES_OPENED, says_fail);
    running_rule(&r, "start", BL_EVENT_ISSUES_OPENED, starts_report);
    check(running_ready(&r, BL_EVENT_ISSUES_OPENED));
    check_status(running_go(&r), BL_OK);
    check(r.result.policy_failed);
    check_int(bl_run_exit_code(BL_OK, &r.result), 1);
    check_size(r.world.writes, 0);
    check(!r.result.has_task);
    check_str(running_log(&r), "note: hello\nerror: no further\n");
}

TEST(budgets_end_a_run)
{
    running_rule(&r, "label_it", BL_EVENT_ISSUES_OPENED, labels_it);
    check(running_ready(&r, BL_EVENT_ISSUES_OPENED));
    r.options.limits.instructions = 4;
    check_status(running_go(&r), BL_ERR_LIMIT);
    check_int(bl_run_exit_code(BL_ERR_LIMIT, &r.result), 70);
    check_size(running_count(&r, BL_D_RUN_LIMIT), 1);
    /* The sentence around it has the full stop. */
    check_diag_arg(&r.sink, 0, "reason", "The budget of instructions is used up");
    check_size(r.world.writes, 0);
}

TEST(guards_end_a_run)
{
    running_rule(&r, "guard", BL_EVENT_ISSUES_OPENED,
                 "regs comment?, comment, bool\n absent r0\n require r1, r0\n is-set r2, r1\n"
                 " return r2\n");
    check(running_ready(&r, BL_EVENT_ISSUES_OPENED));
    check_status(running_go(&r), BL_ERR_INTERNAL);
    check_int(bl_run_exit_code(BL_ERR_INTERNAL, &r.result), 70);
    check_size(running_count(&r, BL_D_RUN_DEFECT), 1);
}

/* Only "not found" is missing, and then there is nothing to do. req: FLT-02 */
TEST(an_issue_that_is_gone_needs_nothing)
{
    running_rule(&r, "label_it", BL_EVENT_ISSUES_OPENED, labels_it);
    running_rule(&r, "deleted", BL_EVENT_ISSUES_DELETED, says_so);
    check(running_ready(&r, BL_EVENT_ISSUES_OPENED));
    r.world.issues[0].deleted = true;
    check_status(running_go(&r), BL_OK);
    check_int(bl_run_exit_code(BL_OK, &r.result), 0);
    check_size(r.result.rules_evaluated, 0);
    check_size(r.sink.list.count, 1);
    check_int(r.sink.list.items[0]->code, BL_D_NOTHING_THERE);
    /* An event about the end of an issue is about just that. */
    r.event.id = BL_EVENT_ISSUES_DELETED;
    check_status(running_go(&r), BL_OK);
    check_str(running_log(&r), "note: hello\n");
    check_size(r.result.reads, 0);
}

/* ---- what rules see -----------------------------------------------------------------------
 */

/* §5.7: `now` is the event's own time when an issue or a status started the job, else the
 * clock's.
 */
TEST(now_is_when_it_happened)
{
    static const char body[] = "regs time, text, bool\n ambient r0, now\n fired\n"
                               " render r1, r0, log\n effect r1, 1, notice\n const r2, true\n"
                               " return r2\n";

    running_rule(&r, "opened", BL_EVENT_ISSUES_OPENED, body);
    running_rule(&r, "scheduled", BL_EVENT_SCHEDULE, body);
    check(running_ready(&r, BL_EVENT_ISSUES_OPENED));
    check_status(running_go(&r), BL_OK);
    check_str(running_log(&r), "note: 1970-01-01T00:08:20Z\n");
    r.event.id = BL_EVENT_SCHEDULE;
    r.event.issue = NULL;
    check_status(running_go(&r), BL_OK);
    check_str(running_log(&r), "note: 1970-01-02T01:00:00Z\n");
}

/* §5.2: a unit sees the world as it was before it, never its own plan. */
TEST(conditions_do_not_see_the_plan)
{
    static const char has_bug[] = "regs issue, list of label, label, bool, text\n"
                                  " ambient r0, issue\n field r1, r0, issue.labels\n"
                                  " const r2, label \"bug\"\n in r3, r2, r1\n"
                                  " jump-unless r3, no\n fired\n const r4, \"has bug\"\n"
                                  " effect r4, 1, notice\nno:\n return r3\n";

    running_rule(&r, "a_label_it", BL_EVENT_ISSUES_OPENED, labels_it);
    running_rule(&r, "b_has_bug", BL_EVENT_ISSUES_OPENED, has_bug);
    check(running_ready(&r, BL_EVENT_ISSUES_OPENED));
    check_status(running_go(&r), BL_OK);
    check_str(running_log(&r), "");
    check_status(running_go(&r), BL_OK);
    check_str(running_log(&r), "note: has bug\n");
    check_size(r.result.writes, 0);
}

/* ---- memory -------------------------------------------------------------------------------
 */

static const char posts[] = "regs issue, clean comment, int, name?, list of time, text, bool,"
                            " user, clean comment\n"
                            " ambient r0, issue\n field r7, r0, issue.author\n"
                            " render r8, r7, comment\n move r1, r8\n const r2, 7\n absent r3\n"
                            " list r4\n fired\n effect r0, 5, post:2\n const r6, true\n"
                            " return r6\n";

static bool build(struct bl_arena *plain)
{
    if (!running_open(&r, plain))
        return false;
    running_rule(&r, "label_it", BL_EVENT_ISSUES_OPENED, labels_it);
    running_rule(&r, "posts", BL_EVENT_ISSUES_OPENED, posts);
    running_rule(&r, "outputs", BL_EVENT_ISSUES_OPENED, outputs_3);
    running_rule(&r, "say", BL_EVENT_ISSUES_OPENED, says_so);
    return running_ready(&r, BL_EVENT_ISSUES_OPENED);
}

/* Each allocation of a run fails once. Whatever was written before, the status says that memory
 * was out, and the next run ends as if nothing had been. */
TEST(memory_that_runs_out_ends_the_run)
{
    size_t met = 0;

    for (size_t n = 1;; n++) {
        struct failing_allocator failing;
        struct bl_arena small;

        bl_arena_reset(&arena);
        check(build(&arena));
        failing_allocator_init(&failing, n);
        bl_arena_init(&small, 64 << 20, &failing.allocator);
        r.options.explain = true;
        bl_diagnostics_init(&r.sink, &arena, 100);
        enum bl_status status = bl_run(&small, &r.options, &r.result, &r.sink);
        bool failed = small.failed;
        check_case("allocation %u", (unsigned)n);
        check_status(status, failed ? BL_ERR_NOMEM : BL_OK);
        check_size(running_count(&r, BL_D_OUT_OF_MEMORY), failed ? 1 : 0);
        check_int(bl_run_exit_code(status, &r.result), failed ? 70 : 0);
        bl_arena_reset(&small);
        check_size(failing.live, 0);
        check_status(running_go(&r), BL_OK);
        check_size(r.world.writes, 2);
        check(scripted_has_label(&r.world, 12, "bug"));
        if (!failed)
            break;
        met++;
    }
    check(met >= 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rules_that_fire_are_carried_out, set_up, tear_down),
        cmocka_unit_test_setup_teardown(without_rules_nothing_is_asked, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_dry_run_writes_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(settings_are_checked_first_and_all, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_job_asks_its_condition_first, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_decision_gives_the_task, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_decision_may_give_none, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_decision_can_be_asked_alone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(two_tasks_conflict, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_failed_read_stops_the_run, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_failed_write_stops_the_run, set_up, tear_down),
        cmocka_unit_test_setup_teardown(fail_says_its_lines_and_writes_nothing, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(budgets_end_a_run, set_up, tear_down),
        cmocka_unit_test_setup_teardown(guards_end_a_run, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_issue_that_is_gone_needs_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(now_is_when_it_happened, set_up, tear_down),
        cmocka_unit_test_setup_teardown(conditions_do_not_see_the_plan, set_up, tear_down),
        cmocka_unit_test_setup_teardown(memory_that_runs_out_ends_the_run, set_up, tear_down),
    };
    return check_main(tests);
}
