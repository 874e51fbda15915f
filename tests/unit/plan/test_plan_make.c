/* SPDX-License-Identifier: Apache-2.0 */
#include "planning.h"
#include "support/allocator.h"
#include "support/check.h"
#include "support/check_diagnostic.h"

/* Merging: language-review §5.3, language.md "Rules are a set", FLT-11, FLT-19, FLT-20. */

static struct planning p;

static bl_str made(void)
{
    check_status(bl_plan_make(&p.stage.machine, &p.plan, &p.sink), BL_OK);
    return planning_words(&p);
}

/* ensure, mark, add, post, react, suggest, milestone, close, lock, remove, reopen, status,
 * start/output, log: each from a rule of its own, planned the other way round. */
TEST(between_rules_the_rank_counts)
{
    planning_open(&p, false);
    struct scripted_comment *comment =
        scripted_comment(&p.world, 12, "bot[bot]", "<!-- bylaw:reply to=1 -->\n");
    struct bl_value issue = planning_issue(&p, 12);
    struct bl_value posted = planning_posted(&p, comment->id);
    struct bl_value commit = bl_object_value(
        bl_object_create(&p.arena, BL_ENTITY_COMMIT, 0, BL_STR("0123456789abcdef")));

    plan_chain(&p, ALPHA);
    plan_notice(&p, BL_EFFECT_NOTICE, "hello");
    plan_chain(&p, ALPHA);
    plan_effect(&p, BL_EFFECT_OUTPUT, 0, (struct bl_value[]){text_value("n"), bl_int(3)}, 2);
    plan_chain(&p, ALPHA);
    plan_effect(
        &p, BL_EFFECT_STATUS, 0,
        (struct bl_value[]){commit, text_value("ci"),
                            bl_member_value(BL_ENUM_STATUS_STATE, BL_STATUS_STATE_SUCCESS),
                            bl_absent()},
        4);
    plan_chain(&p, ALPHA);
    plan_effect(&p, BL_EFFECT_REOPEN, 0, (struct bl_value[]){planning_issue(&p, 9)}, 1);
    plan_chain(&p, ALPHA);
    plan_remove(&p, "stale");
    plan_chain(&p, ALPHA);
    plan_effect(&p, BL_EFFECT_LOCK, 0,
                (struct bl_value[]){
                    issue, bl_member_value(BL_ENUM_LOCK_REASON, BL_LOCK_REASON_OFF_TOPIC)},
                2);
    plan_chain(&p, ALPHA);
    plan_close(&p, BL_STATE_REASON_NOT_PLANNED);
    plan_chain(&p, ALPHA);
    plan_effect(&p, BL_EFFECT_MILESTONE, 0, (struct bl_value[]){issue, text_value("v1")}, 2);
    plan_chain(&p, ALPHA);
    plan_effect(&p, BL_EFFECT_REACT, 0,
                (struct bl_value[]){
                    posted, bl_member_value(BL_ENUM_REACTION_KIND, BL_REACTION_KIND_EYES)},
                2);
    plan_chain(&p, ALPHA);
    plan_reply(&p, 5, "x");
    plan_chain(&p, ALPHA);
    plan_add(&p, "bug");
    plan_chain(&p, ALPHA);
    plan_mark(&p, comment->id, "to", bl_int(1));
    plan_chain(&p, ALPHA);
    plan_effect(&p, BL_EFFECT_ENSURE_LABEL, 0, (struct bl_value[]){text_value("needs info")},
                1);
    check_str(made(), "ensure label \"needs info\"\n"
                      "mark comment 1000 with to 1\n"
                      "add label bug to #12\n"
                      "post reply on #12\n"
                      "react to comment 1000 with eyes\n"
                      "file #12 under the milestone v1\n"
                      "close #12 as not planned\n"
                      "lock #12 as off topic\n"
                      "remove label stale from #12\n"
                      "reopen #9\n"
                      "set the status ci of 0123456789ab to success\n"
                      "set the output n to 3\n"
                      "notice: hello\n");
    planning_close(&p);
}

/* FLT-11: labels, comment, then the label that makes the issue wait. Inside a rule the order is
 * as written, and what stands behind waits for what stands before. */
TEST(inside_a_rule_the_written_order_holds)
{
    planning_open(&p, false);
    plan_chain(&p, ALPHA);
    plan_reply(&p, 1, "x");
    plan_add(&p, "needs info");
    plan_chain(&p, BETA);
    plan_add(&p, "bug");
    plan_remove(&p, "stale");
    plan_close(&p, BL_STATE_REASON_COMPLETED);
    check_str(made(), "add label bug to #12\n"
                      "post reply on #12\n"
                      "add label \"needs info\" to #12\n"
                      "remove label stale from #12\n"
                      "close #12 as completed\n");
    planning_close(&p);
}

/* File order never counts: equal ranks go by the names of the rules. */
TEST(the_order_of_rules_in_files_means_nothing)
{
    for (unsigned turn = 0; turn < 4; turn++) {
        planning_open(&p, turn % 2 == 1);
        if (turn < 2) {
            plan_chain(&p, GAMMA);
            plan_add(&p, "bug");
            plan_chain(&p, BETA);
            plan_add(&p, "stale");
        } else {
            plan_chain(&p, BETA);
            plan_add(&p, "stale");
            plan_chain(&p, GAMMA);
            plan_add(&p, "bug");
        }
        check_case("turn %u", turn);
        check_str(made(), "add label stale to #12\nadd label bug to #12\n");
        planning_close(&p);
    }
}

TEST(equal_effects_are_one_with_all_their_rules)
{
    planning_open(&p, false);
    plan_chain(&p, BETA);
    plan_add(&p, "bug");
    plan_add(&p, "Bug");
    plan_chain(&p, GAMMA);
    plan_add(&p, "bug");
    plan_reply(&p, 1, "one text");
    plan_reply(&p, 2, "another comment");
    plan_chain(&p, DELTA);
    plan_reply(&p, 1, "another text");
    plan_notice(&p, BL_EFFECT_NOTICE, "same");
    plan_notice(&p, BL_EFFECT_WARN, "same");
    plan_chain(&p, ALPHA);
    plan_notice(&p, BL_EFFECT_NOTICE, "same");
    plan_effect(&p, BL_EFFECT_START, 0, (struct bl_value[]){bl_number(BL_V_TASK, 1)}, 1);
    plan_effect(&p, BL_EFFECT_START, 0, (struct bl_value[]){bl_number(BL_V_TASK, 1)}, 1);
    check_str(made(), "add label bug to #12\n"
                      "post reply on #12\n"
                      "post reply on #12\n"
                      "notice: same\n"
                      "start the task report\n"
                      "warn: same\n");
    check_size(p.plan.effects.items[0].entries.count, 2);
    check_size(p.plan.effects.items[1].entries.count, 2);
    check_size(p.plan.effects.items[2].entries.count, 1);
    check_size(p.plan.effects.items[3].entries.count, 2);
    planning_close(&p);
}

/* ---- conflicts ----------------------------------------------------------------------------
 */

static void add_bug(void)
{
    plan_add(&p, "bug");
}
static void remove_bug(void)
{
    plan_remove(&p, "BUG");
}
static void close_done(void)
{
    plan_close(&p, BL_STATE_REASON_COMPLETED);
}
static void close_not_planned(void)
{
    plan_close(&p, BL_STATE_REASON_NOT_PLANNED);
}
static void reopen_it(void)
{
    plan_reopen(&p);
}
static void duplicate_of_9(void)
{
    struct bl_value args[] = {planning_issue(&p, 12),
                              bl_member_value(BL_ENUM_STATE_REASON, BL_STATE_REASON_DUPLICATE),
                              planning_issue(&p, 9), bl_absent()};
    plan_effect(&p, BL_EFFECT_CLOSE, 0, args, 4);
}
static void duplicate_of_none(void)
{
    plan_close(&p, BL_STATE_REASON_DUPLICATE);
}
static void task(int64_t index)
{
    struct bl_value value = bl_number(BL_V_TASK, index);
    plan_effect(&p, BL_EFFECT_START, 0, &value, 1);
}
static void start_triage(void)
{
    task(0);
}
static void start_report(void)
{
    task(1);
}
static void output_of(int64_t value)
{
    struct bl_value args[] = {text_value("n"), bl_int(value)};
    plan_effect(&p, BL_EFFECT_OUTPUT, 0, args, 2);
}
static void output_1(void)
{
    output_of(1);
}
static void output_2(void)
{
    output_of(2);
}
static void lock_for(unsigned reason)
{
    struct bl_value args[] = {planning_issue(&p, 12),
                              bl_member_value(BL_ENUM_LOCK_REASON, reason)};
    plan_effect(&p, BL_EFFECT_LOCK, 0, args, 2);
}
static void lock_resolved(void)
{
    lock_for(BL_LOCK_REASON_RESOLVED);
}
static void lock_spam(void)
{
    lock_for(BL_LOCK_REASON_SPAM);
}
static void milestone_of(const char *name)
{
    struct bl_value args[] = {planning_issue(&p, 12), text_value(name)};
    plan_effect(&p, BL_EFFECT_MILESTONE, 0, args, 2);
}
static void milestone_1(void)
{
    milestone_of("v1");
}
static void milestone_2(void)
{
    milestone_of("v2");
}
static void status_of(unsigned state)
{
    struct bl_value args[] = {
        bl_object_value(bl_object_create(&p.arena, BL_ENTITY_COMMIT, 0, BL_STR("abc"))),
        text_value("ci"), bl_member_value(BL_ENUM_STATUS_STATE, state), bl_absent()};
    plan_effect(&p, BL_EFFECT_STATUS, 0, args, 4);
}
static void status_good(void)
{
    status_of(BL_STATUS_STATE_SUCCESS);
}
static void status_bad(void)
{
    status_of(BL_STATUS_STATE_FAILURE);
}

static const struct {
    void (*one)(void);
    void (*other)(void);
} opposites[] = {
    {add_bug, remove_bug},           {close_done, reopen_it},
    {close_done, close_not_planned}, {duplicate_of_9, duplicate_of_none},
    {start_triage, start_report},    {output_1, output_2},
    {lock_resolved, lock_spam},      {milestone_1, milestone_2},
    {status_good, status_bad},
};

TEST(opposites_are_an_error_that_names_both)
{
    for (size_t i = 0; i < sizeof opposites / sizeof opposites[0]; i++) {
        for (unsigned turn = 0; turn < 2; turn++) {
            check_case("pair %u, turn %u", (unsigned)i, turn);
            planning_open(&p, false);
            plan_chain(&p, BETA);
            (turn == 0 ? opposites[i].one : opposites[i].other)();
            plan_chain(&p, GAMMA);
            (turn == 0 ? opposites[i].other : opposites[i].one)();
            check_status(planning_run(&p, false), BL_ERR_INVALID);
            check_size(p.world.writes, 0);
            check_size(p.sink.list.count, 1);
            const struct bl_diagnostic *d = p.sink.list.items[0];
            check_int(d->code, BL_D_EFFECTS_CONFLICT);
            check_size(d->label_count, 1);
            /* Both places, and both rules by name. */
            check(d->span.lo != d->labels[0].span.lo);
            check(d->span.source == 0 && d->labels[0].span.source == 0);
            bool beta = false;
            bool gamma = false;
            for (size_t k = 0; k < d->arg_count; k++) {
                beta = beta || bl_str_equal(d->args[k].value, BL_STR("beta"));
                gamma = gamma || bl_str_equal(d->args[k].value, BL_STR("gamma"));
            }
            check(beta && gamma);
            planning_close(&p);
        }
    }
}

TEST(all_conflicts_are_reported)
{
    planning_open(&p, false);
    plan_chain(&p, BETA);
    plan_add(&p, "bug");
    plan_add(&p, "stale");
    plan_chain(&p, GAMMA);
    plan_remove(&p, "bug");
    plan_remove(&p, "stale");
    check_status(planning_run(&p, false), BL_ERR_INVALID);
    check_size(p.sink.list.count, 2);
    check_diag_arg(&p.sink, 0, "one", "add label bug to #12");
    check_diag_arg(&p.sink, 0, "other", "remove label bug from #12");
    planning_close(&p);
}

/* A rule that undoes itself ends elsewhere when it runs again (FLT-22). */
TEST(a_rule_contradicts_itself)
{
    planning_open(&p, false);
    plan_chain(&p, BETA);
    plan_remove(&p, "bug");
    plan_add(&p, "bug");
    check_status(planning_run(&p, false), BL_ERR_INVALID);
    check_size(p.world.writes, 0);
    planning_close(&p);
}

TEST(over_settles_the_one_effect)
{
    for (size_t i = 0; i < sizeof opposites / sizeof opposites[0]; i++) {
        for (unsigned turn = 0; turn < 2; turn++) {
            check_case("pair %u, turn %u", (unsigned)i, turn);
            planning_open(&p, turn == 1);
            plan_chain(&p, turn == 0 ? ALPHA : DELTA);
            (turn == 0 ? opposites[i].one : opposites[i].other)();
            plan_chain(&p, turn == 0 ? DELTA : ALPHA);
            (turn == 0 ? opposites[i].other : opposites[i].one)();
            plan_chain(&p, ALPHA);
            plan_notice(&p, BL_EFFECT_NOTICE, "still said");
            check_status(bl_plan_make(&p.stage.machine, &p.plan, &p.sink), BL_OK);
            check_size(p.plan.effects.count, 2); /* of DELTA, and the line of ALPHA */
            check_size(p.plan.effects.items[0].entries.count, 1);
            bl_str name = bl_module_string(
                &p.stage.module,
                p.stage.module.ENTRIES_rows[p.plan.effects.items[0].entries.items[0]].name);
            check_str(name, "delta");
            planning_close(&p);
        }
    }
}

/* An effect that two rules want is beaten when the rule is over both. */
TEST(over_one_of_two_is_not_enough)
{
    planning_open(&p, false);
    plan_chain(&p, ALPHA);
    plan_add(&p, "bug");
    plan_chain(&p, BETA);
    plan_add(&p, "bug");
    plan_chain(&p, DELTA);
    plan_remove(&p, "bug");
    check_status(planning_run(&p, false), BL_ERR_INVALID);
    check_size(p.sink.list.count, 1);
    check_diag_arg(&p.sink, 0, "first", "beta");
    check_diag_arg(&p.sink, 0, "second", "delta");
    planning_close(&p);
}

TEST(different_things_do_not_conflict)
{
    planning_open(&p, false);
    struct bl_value other[] = {planning_issue(&p, 9), text_value("bug"), bl_absent()};

    plan_chain(&p, BETA);
    plan_add(&p, "bug");
    plan_effect(&p, BL_EFFECT_REMOVE_LABEL, 0, other, 3);
    plan_chain(&p, GAMMA);
    plan_remove(&p, "stale");
    plan_close(&p, BL_STATE_REASON_COMPLETED);
    plan_effect(&p, BL_EFFECT_REOPEN, 0, other, 1);
    check_status(bl_plan_make(&p.stage.machine, &p.plan, &p.sink), BL_OK);
    check_size(p.plan.effects.count, 5);
    planning_close(&p);
}

/* ---- comments -----------------------------------------------------------------------------
 */

/* The marker line is a part of what is measured. req: CMT-28 */
TEST(comments_are_measured_before_the_first_write)
{
    static char text[70000];
    static const char marker[] = "<!-- bylaw:reply to=1 -->\n\n";
    size_t room = 65536 - (sizeof marker - 1);

    for (size_t i = 0; i < sizeof text - 1; i++)
        text[i] = 'x';
    for (unsigned over = 0; over < 2; over++) {
        planning_open(&p, false);
        plan_chain(&p, BETA);
        plan_add(&p, "bug");
        text[room + over] = '\0';
        plan_reply(&p, 1, text);
        text[room + over] = 'x';
        /* The text was terminated for its length alone. */
        p.stage.machine.planned.items[1].args[1].len = (uint32_t)(room + over);
        check_case("%u too long", over);
        check_status(planning_run(&p, false), over == 0 ? BL_OK : BL_ERR_LIMIT);
        check_size(p.world.writes, over == 0 ? 2 : 0);
        if (over == 1) {
            check_int(p.sink.list.items[0]->code, BL_D_COMMENT_TOO_LONG);
            check_diag_arg(&p.sink, 0, "name", "reply");
            check_diag_arg(&p.sink, 0, "count", "65537");
        } else {
            check(bl_str_starts_with(p.plan.effects.items[1].body, bl_str_from(marker)));
            check_size(p.plan.effects.items[1].body.len, 65536);
        }
        planning_close(&p);
    }
    /* Characters, not bytes. */
    planning_open(&p, false);
    for (size_t i = 0; i + 1 < sizeof text; i += 2) {
        text[i] = (char)0xC3;
        text[i + 1] = (char)0xA4;
    }
    plan_chain(&p, BETA);
    plan_reply(&p, 1, "y");
    p.stage.machine.planned.items[0].args[1] = bl_text((bl_str){text, 69000});
    check_status(planning_run(&p, false), BL_OK);
    planning_close(&p);
}

TEST(undeclared_labels_are_not_ensured)
{
    planning_open(&p, false);
    plan_chain(&p, BETA);
    plan_effect(&p, BL_EFFECT_ENSURE_LABEL, 0, (struct bl_value[]){text_value("what")}, 1);
    check_status(planning_run(&p, false), BL_ERR_INTERNAL);
    check_size(p.world.writes, 0);
    planning_close(&p);
}

/* Many effects: the merge is no product of their numbers. */
TEST(thousands_of_effects)
{
    planning_open(&p, false);
    for (int64_t i = 0; i < 5000; i++) {
        struct bl_value args[] = {
            bl_object_value(bl_object_create(&p.arena, BL_ENTITY_ISSUE, i + 1, BL_STR("o/r"))),
            text_value("bug"), bl_absent()};
        plan_chain(&p, i % 2 == 0 ? BETA : GAMMA);
        plan_effect(&p, BL_EFFECT_ADD_LABEL, 0, args, 3);
        plan_effect(&p, BL_EFFECT_ADD_LABEL, 0, args, 3);
    }
    check_status(bl_plan_make(&p.stage.machine, &p.plan, &p.sink), BL_OK);
    check_size(p.plan.effects.count, 5000);
    planning_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(between_rules_the_rank_counts),
        cmocka_unit_test(inside_a_rule_the_written_order_holds),
        cmocka_unit_test(the_order_of_rules_in_files_means_nothing),
        cmocka_unit_test(equal_effects_are_one_with_all_their_rules),
        cmocka_unit_test(opposites_are_an_error_that_names_both),
        cmocka_unit_test(all_conflicts_are_reported),
        cmocka_unit_test(a_rule_contradicts_itself),
        cmocka_unit_test(over_settles_the_one_effect),
        cmocka_unit_test(over_one_of_two_is_not_enough),
        cmocka_unit_test(different_things_do_not_conflict),
        cmocka_unit_test(comments_are_measured_before_the_first_write),
        cmocka_unit_test(undeclared_labels_are_not_ensured),
        cmocka_unit_test(thousands_of_effects),
    };
    return check_main(tests);
}
