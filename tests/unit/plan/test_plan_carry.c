/* SPDX-License-Identifier: Apache-2.0 */
#include "planning.h"
#include "support/allocator.h"
#include "support/check.h"

/* Proofs and carrying out: language-review §4 (effects, last column) and §5.4; FLT-06, FLT-09,
 * FLT-10, FLT-13, FLT-22. */

static struct planning p;

static bl_str done(void)
{
    check_status(planning_run(&p, false), BL_OK);
    return bl_buf_str(&p.world.log);
}

/* ---- proofs -------------------------------------------------------------------------------
 */

TEST(what_is_there_is_not_done_again)
{
    planning_open(&p, false);
    scripted_label(&p.world, 12, "Bug");
    struct scripted_comment *comment =
        scripted_comment(&p.world, 12, "bot[bot]", "<!-- bylaw:reply to=1 -->\nx");
    comment->reactions = 1u << BL_REACTION_KIND_EYES;
    struct bl_value posted = planning_posted(&p, comment->id);
    struct bl_value eyes[] = {posted,
                              bl_member_value(BL_ENUM_REACTION_KIND, BL_REACTION_KIND_EYES)};
    struct bl_value confused[] = {
        posted, bl_member_value(BL_ENUM_REACTION_KIND, BL_REACTION_KIND_CONFUSED)};

    plan_chain(&p, BETA);
    plan_add(&p, "bug"); /* there, whatever its case */
    plan_add(&p, "stale");
    plan_remove(&p, "gone"); /* gone */
    plan_reply(&p, 1, "y");  /* an own comment of the kind with the same `once_by` */
    plan_reply(&p, 2, "z");
    plan_effect(&p, BL_EFFECT_REACT, 0, eyes, 2);
    plan_effect(&p, BL_EFFECT_REACT, 0, confused, 2);
    plan_reopen(&p); /* open */
    check_str(done(), "add label 12 stale\n"
                      "post 12 <!-- bylaw:reply to=2 -->\n"
                      "react 1000\n");
    check_str(planning_states(&p), "tdttdtdt");
    check_size(p.plan.written, 3);
    planning_close(&p);
}

/* GitHub's description of `state_reason`: "Ignored unless `state` is changed". */
TEST(closed_for_whatever_reason_is_closed)
{
    static const struct {
        bool closed;
        unsigned reason;
    } states[] = {
        {false, 0}, {true, BL_STATE_REASON_COMPLETED}, {true, BL_STATE_REASON_NOT_PLANNED}};

    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++) {
        planning_open(&p, false);
        p.world.issues[0].closed = states[i].closed;
        p.world.issues[0].reason = states[i].reason;
        plan_chain(&p, BETA);
        plan_close(&p, BL_STATE_REASON_NOT_PLANNED);
        check_case("state %u", (unsigned)i);
        check_str(done(), states[i].closed ? "" : "close 12\n");
        planning_close(&p);
    }
    planning_open(&p, false);
    p.world.issues[0].locked = true;
    plan_chain(&p, BETA);
    plan_effect(
        &p, BL_EFFECT_LOCK, 0,
        (struct bl_value[]){planning_issue(&p, 12),
                            bl_member_value(BL_ENUM_LOCK_REASON, BL_LOCK_REASON_RESOLVED)},
        2);
    check_str(done(), "");
    planning_close(&p);
}

/* Whose comment, on which issue, of which kind, with which values: all of them count. */
TEST(only_the_same_own_comment_is_a_proof)
{
    static const struct {
        int64_t issue;
        const char *author, *text;
        bool there;
    } comments[] = {
        {12, "bot[bot]", "<!-- bylaw:reply to=1 -->", true},
        {12, "bot[bot]", "<!-- bylaw:reply to=1 runs=2026-11-02T08%3A00%3A00Z -->\n\nx", true},
        {12, "alice", "<!-- bylaw:reply to=1 -->", false},
        {9, "bot[bot]", "<!-- bylaw:reply to=1 -->", false},
        {12, "bot[bot]", "<!-- bylaw:reply to=2 -->", false},
        {12, "bot[bot]", "<!-- bylaw:reply to=1 tag=v1 -->", false},
        {12, "bot[bot]", "<!-- bylaw:closed-notice -->", false},
        {12, "bot[bot]", "x\n<!-- bylaw:reply to=1 -->", false},
    };

    for (size_t i = 0; i < sizeof comments / sizeof comments[0]; i++) {
        planning_open(&p, false);
        scripted_comment(&p.world, comments[i].issue, comments[i].author, comments[i].text);
        plan_chain(&p, BETA);
        plan_reply(&p, 1, "y");
        check_case("%s", comments[i].text);
        check_str(done(), comments[i].there ? "" : "post 12 <!-- bylaw:reply to=1 -->\n");
        planning_close(&p);
    }
}

/* A kind without `once_by` is posted once an issue. */
TEST(without_once_by_one_is_enough)
{
    planning_open(&p, false);
    scripted_comment(&p.world, 12, "bot[bot]", "<!-- bylaw:closed-notice day=2026-11-02 -->");
    struct bl_value args[] = {planning_issue(&p, 12), text_value("x"),
                              date_value("2026-12-02")};
    plan_chain(&p, BETA);
    plan_effect(&p, BL_EFFECT_POST, 1, args, 3);
    args[0] = planning_issue(&p, 9);
    plan_effect(&p, BL_EFFECT_POST, 1, args, 3);
    check_str(done(), "post 9 <!-- bylaw:closed-notice day=2026-12-02 -->\n");
    planning_close(&p);
}

/* Read fresh at writing: another run may have posted since the rules looked. */
TEST(comments_are_looked_at_again)
{
    planning_open(&p, false);
    struct bl_value issue = planning_issue(&p, 12);
    struct bl_failure failure;
    struct bl_value comments;

    check_status(bl_snapshot_field(p.stage.machine.snapshot, issue.as.object,
                                   BL_FIELD_ISSUE_COMMENTS, &comments, &failure),
                 BL_OK);
    check_size(comments.as.list->count, 0);
    scripted_comment(&p.world, 12, "bot[bot]", "<!-- bylaw:reply to=1 -->");
    plan_chain(&p, BETA);
    plan_reply(&p, 1, "y");
    check_str(done(), "");
    planning_close(&p);
}

TEST(a_proof_that_cannot_be_read_stops_before_the_first_write)
{
    static const enum bl_read reads[] = {BL_READ_ISSUE, BL_READ_COMMENTS};

    for (size_t i = 0; i < 2; i++) {
        planning_open(&p, false);
        p.world.fails = true;
        p.world.failing = reads[i];
        plan_chain(&p, BETA);
        plan_effect(&p, BL_EFFECT_OUTPUT, 0, (struct bl_value[]){text_value("n"), bl_int(3)},
                    2);
        plan_chain(&p, GAMMA);
        plan_add(&p, "bug");
        plan_reply(&p, 1, "y");
        check_case("read %u", (unsigned)i);
        check_status(planning_run(&p, false), BL_ERR_READ);
        check_str(p.stage.machine.failure.why, "GitHub answered 502");
        check_size(p.world.writes, 0);
        planning_close(&p);
    }
}

/* What no field says the world says itself; an attempt that cannot look goes on to its write.
 */
static enum bl_answer says;
static bool is_so;

static enum bl_answer holds(void *self, struct bl_arena *arena,
                            const struct bl_effect_call *call, bool *there,
                            struct bl_failure *failure)
{
    (void)self;
    (void)arena;
    check_str(call->account, "bot[bot]");
    *there = is_so;
    if (says == BL_FAILED)
        failure->why = BL_STR("GitHub answered 502");
    return says;
}

TEST(the_world_says_what_no_field_says)
{
    static const struct {
        enum bl_answer says;
        bool is_so;
        uint32_t attempted;
        enum bl_status status;
        size_t writes;
    } cases[] = {{BL_FOUND, true, 0, BL_OK, 0},   {BL_FOUND, false, 0, BL_OK, 3},
                 {BL_MISSING, true, 0, BL_OK, 3}, {BL_FAILED, false, 0, BL_ERR_READ, 0},
                 {BL_FAILED, false, 1, BL_OK, 1}, {BL_FOUND, true, 1, BL_OK, 0},
                 {BL_FAILED, true, 1, BL_OK, 1}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        planning_open(&p, false);
        p.world.world.holds = holds;
        says = cases[i].says;
        is_so = cases[i].is_so;
        struct bl_value milestone[] = {planning_issue(&p, 12), text_value("v1")};
        struct bl_value label[] = {text_value("bug")};
        struct bl_value status[] = {
            bl_object_value(bl_snapshot_object(p.stage.machine.snapshot, BL_ENTITY_COMMIT, 0,
                                               BL_STR("abc"))),
            text_value("ci"), bl_member_value(BL_ENUM_STATUS_STATE, BL_STATUS_STATE_SUCCESS),
            bl_absent()};
        plan_chain(&p, BETA);
        plan_effect(&p, BL_EFFECT_MILESTONE, cases[i].attempted, milestone, 2);
        if (cases[i].attempted == 0) {
            plan_effect(&p, BL_EFFECT_ENSURE_LABEL, 0, label, 1);
            plan_effect(&p, BL_EFFECT_STATUS, 0, status, 4);
        }
        check_case("case %zu", i);
        check_status(planning_run(&p, false), cases[i].status);
        check_size(p.world.writes, cases[i].writes);
        planning_close(&p);
    }
}

/* ---- marks --------------------------------------------------------------------------------
 */

static bl_str text_of_comment(size_t index)
{
    return p.world.comments[index].text;
}

TEST(marks_add_to_lists_and_set_the_rest)
{
    planning_open(&p, false);
    scripted_comment(&p.world, 12, "bot[bot]",
                     "<!-- bylaw:reply to=1 runs=2026-11-02T08%3A00%3A00Z -->\r\n\r\nHello\n");
    plan_chain(&p, BETA);
    plan_mark(&p, 1000, "runs", time_value("2026-11-02T08:00:00Z")); /* there */
    plan_mark(&p, 1000, "runs", time_value("2026-11-03T08:00:00Z"));
    plan_mark(&p, 1000, "tag", text_value("v 1"));
    plan_mark(&p, 1000, "to", bl_int(1)); /* there */
    check_str(done(), "mark 1000 <!-- bylaw:reply to=1"
                      " runs=2026-11-02T08%3A00%3A00Z+2026-11-03T08%3A00%3A00Z -->\n"
                      "mark 1000 <!-- bylaw:reply to=1 tag=v%201"
                      " runs=2026-11-02T08%3A00%3A00Z+2026-11-03T08%3A00%3A00Z -->\n");
    check_str(planning_states(&p), "tddt");
    /* The first line alone is another one. */
    check_str(text_of_comment(0), "<!-- bylaw:reply to=1 tag=v%201"
                                  " runs=2026-11-02T08%3A00%3A00Z+2026-11-03T08%3A00%3A00Z -->"
                                  "\r\n\r\nHello\n");
    planning_close(&p);
}

/* The marker is written from the comment as it is now, not as it was read. */
TEST(marks_go_on_from_the_current_comment)
{
    planning_open(&p, false);
    struct scripted_comment *comment =
        scripted_comment(&p.world, 12, "bot[bot]", "<!-- bylaw:reply to=1 -->\n\nHello\n");
    plan_chain(&p, BETA);
    plan_mark(&p, 1000, "tag", text_value("v1"));
    comment->text = BL_STR("<!-- bylaw:reply to=1 runs=2026-11-02T08%3A00%3A00Z -->\n\nNew\n");
    check_str(done(), "mark 1000 <!-- bylaw:reply to=1 tag=v1"
                      " runs=2026-11-02T08%3A00%3A00Z -->\n");
    planning_close(&p);
}

TEST(a_comment_that_is_gone_cannot_be_marked)
{
    for (unsigned turn = 0; turn < 2; turn++) {
        planning_open(&p, false);
        struct scripted_comment *comment =
            scripted_comment(&p.world, 12, "bot[bot]", "<!-- bylaw:reply to=1 -->\n");
        plan_chain(&p, BETA);
        plan_mark(&p, 1000, "tag", text_value("v1"));
        comment->deleted = turn == 0;
        comment->text = BL_STR("somebody took the marker away");
        check_status(planning_run(&p, false), BL_ERR_READ);
        check_size(p.world.writes, 0);
        planning_close(&p);
    }
}

/* ---- carrying out -------------------------------------------------------------------------
 */

static void plan_all(void)
{
    plan_chain(&p, BETA);
    plan_add(&p, "stale");
    plan_reply(&p, 1, "x");
    plan_close(&p, BL_STATE_REASON_NOT_PLANNED);
    plan_effect(&p, BL_EFFECT_OUTPUT, 0, (struct bl_value[]){text_value("n"), bl_int(3)}, 2);
    plan_notice(&p, BL_EFFECT_NOTICE, "said");
}

/* What was written, what failed, what is left; no write is tried again.
 * req: FLT-06, FLT-09 */
TEST(the_first_failure_is_the_last_write)
{
    static const char *const states[] = {"fllld", "dflld", "ddfld", "ddddd"};

    for (size_t cut = 0; cut < 4; cut++) {
        planning_open(&p, false);
        p.world.cut_after = cut;
        plan_all();
        check_case("after %u", (unsigned)cut);
        check_status(planning_run(&p, false), cut < 3 ? BL_ERR_WRITE : BL_OK);
        check_size(p.plan.written, cut);
        /* Lines for the log are said all the same. */
        check_str(planning_states(&p), states[cut]);
        if (cut < 3) {
            const struct bl_plan_effect *failed = &p.plan.effects.items[cut];
            check_int(failed->state, BL_STATE_FAILED);
            check_str(failed->failure.why, "GitHub answered 500");
            check_str(p.stage.machine.failure.why, "GitHub answered 500");
        }
        planning_close(&p);
    }
}

TEST(a_dry_run_writes_nothing)
{
    planning_open(&p, false);
    scripted_label(&p.world, 12, "stale");
    plan_all();
    check_status(planning_run(&p, true), BL_OK);
    check_size(p.world.writes, 0);
    check_str(planning_states(&p), "twwwd");
    planning_close(&p);
}

/* `fail`: nothing of its unit is written, log lines are. */
TEST(a_rule_that_says_fail_leaves_the_rest)
{
    planning_open(&p, false);
    plan_chain(&p, ALPHA);
    plan_notice(&p, BL_EFFECT_FAIL, "no further");
    plan_all();
    check_status(planning_run(&p, false), BL_OK);
    check(p.plan.failed);
    check_str(p.plan.fail_text, "no further");
    check_size(p.world.writes, 0);
    size_t reads = 0;
    for (size_t i = 0; i < BL_READ_COUNT; i++)
        reads += p.world.reads[i];
    check_size(reads, 0);
    /* fail and notice are said, everything else is left. */
    for (size_t i = 0; i < p.plan.effects.count; i++)
        check_int(p.plan.effects.items[i].state,
                  bl_effect_is_log(p.plan.effects.items[i].planned.effect) ? BL_STATE_DONE
                                                                           : BL_STATE_LEFT);
    planning_close(&p);
}

TEST(labels_are_ensured_as_they_are_declared)
{
    planning_open(&p, false);
    plan_chain(&p, BETA);
    plan_effect(&p, BL_EFFECT_ENSURE_LABEL, 0, (struct bl_value[]){text_value("needs info")},
                1);
    check_str(done(), "ensure label needs info 0075ca 'Waits for its reporter'\n");
    planning_close(&p);
}

/* What was written is read anew by the next unit of the same run. */
TEST(the_snapshot_forgets_what_was_written)
{
    struct bl_failure failure;
    struct bl_value labels;

    planning_open(&p, false);
    scripted_comment(&p.world, 12, "bot[bot]", "<!-- bylaw:reply to=1 -->\n");
    struct bl_value issue = planning_issue(&p, 12);
    struct bl_value posted = planning_posted(&p, 1000);
    check_status(bl_snapshot_field(p.stage.machine.snapshot, issue.as.object,
                                   BL_FIELD_ISSUE_LABELS, &labels, &failure),
                 BL_OK);
    check_size(labels.as.list->count, 0);
    plan_chain(&p, BETA);
    plan_mark(&p, 1000, "tag", text_value("v1"));
    plan_add(&p, "bug");
    check_status(planning_run(&p, false), BL_OK);
    check_status(bl_snapshot_field(p.stage.machine.snapshot, issue.as.object,
                                   BL_FIELD_ISSUE_LABELS, &labels, &failure),
                 BL_OK);
    check_size(labels.as.list->count, 1);
    const struct bl_posted *now;
    check_status(bl_posted_of(&p.stage.machine, posted.as.posted->comment, &now), BL_OK);
    check(now != NULL);
    check_str(bl_text_of(now->attributes[1]), "v1");
    planning_close(&p);
}

/* req: FLT-06
 * Of a write whose answer was lost nobody knows: nothing follows it, and what it was about is
 * read anew. */
TEST(after_a_lost_answer_nothing_is_written_and_all_is_read_anew)
{
    struct bl_failure failure;
    struct bl_value labels;

    planning_open(&p, false);
    struct bl_value issue = planning_issue(&p, 12);
    check_status(bl_snapshot_field(p.stage.machine.snapshot, issue.as.object,
                                   BL_FIELD_ISSUE_LABELS, &labels, &failure),
                 BL_OK);
    check_size(labels.as.list->count, 0);
    p.world.lost = 1;
    plan_chain(&p, BETA);
    plan_add(&p, "bug");
    plan_reply(&p, 1, "y");
    check_status(planning_run(&p, false), BL_ERR_WRITE);
    check_str(planning_states(&p), "fl");
    check_size(p.plan.written, 0);
    check_size(p.world.writes, 1);
    check_status(bl_snapshot_field(p.stage.machine.snapshot, issue.as.object,
                                   BL_FIELD_ISSUE_LABELS, &labels, &failure),
                 BL_OK);
    check_size(labels.as.list->count, 1);
    planning_close(&p);
}

/* ---- convergence --------------------------------------------------------------------------
 */

/* A rule of an analysis: mark, labels, comment, the waiting label, closing; planned anew by
 * each run, as a run that is started again would. */
static enum bl_status one_run(void)
{
    planning_again(&p);
    plan_chain(&p, BETA);
    plan_mark(&p, 1000, "runs", time_value("2026-11-02T08:00:00Z"));
    plan_add(&p, "bug");
    plan_reply(&p, 2, "The analysis.");
    plan_add(&p, "needs info");
    plan_remove(&p, "stale");
    plan_chain(&p, GAMMA);
    plan_effect(
        &p, BL_EFFECT_REACT, 0,
        (struct bl_value[]){planning_posted(&p, 1000),
                            bl_member_value(BL_ENUM_REACTION_KIND, BL_REACTION_KIND_EYES)},
        2);
    plan_close(&p, BL_STATE_REASON_COMPLETED);
    return planning_run(&p, false);
}

static void open_for_runs(void)
{
    planning_open(&p, false);
    scripted_label(&p.world, 12, "stale");
    scripted_comment(&p.world, 12, "bot[bot]", "<!-- bylaw:reply to=1 -->\n\nAsked.\n");
}

/* req: FLT-10, FLT-13, FLT-22
 * Whatever write it was cut at, a run that is started again ends as one that was not;
 * and it writes nothing twice. */
TEST(cut_anywhere_and_run_again_it_ends_the_same)
{
    open_for_runs();
    check_status(one_run(), BL_OK);
    size_t writes = p.world.writes;
    struct bl_arena kept_arena;
    bl_arena_init(&kept_arena, 1 << 20, NULL);
    bl_str end = bl_arena_copy(&kept_arena, scripted_state(&p.world));
    bl_str log = bl_arena_copy(&kept_arena, bl_buf_str(&p.world.log));
    check_size(writes, 7);
    check_status(one_run(), BL_OK); /* and once more: nothing to do */
    check_size(p.world.writes, writes);
    planning_close(&p);
    for (size_t cut = 0; cut <= writes; cut++) {
        open_for_runs();
        p.world.cut_after = cut;
        check_case("cut after %u", (unsigned)cut);
        check_status(one_run(), cut < writes ? BL_ERR_WRITE : BL_OK);
        p.world.cut_after = SIZE_MAX;
        check_status(one_run(), BL_OK);
        check_size(p.world.writes, writes);
        check_slice(scripted_state(&p.world), end);
        check_slice(bl_buf_str(&p.world.log), log);
        planning_close(&p);
    }
    bl_arena_reset(&kept_arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_there_is_not_done_again),
        cmocka_unit_test(closed_for_whatever_reason_is_closed),
        cmocka_unit_test(the_world_says_what_no_field_says),
        cmocka_unit_test(only_the_same_own_comment_is_a_proof),
        cmocka_unit_test(without_once_by_one_is_enough),
        cmocka_unit_test(comments_are_looked_at_again),
        cmocka_unit_test(a_proof_that_cannot_be_read_stops_before_the_first_write),
        cmocka_unit_test(marks_add_to_lists_and_set_the_rest),
        cmocka_unit_test(marks_go_on_from_the_current_comment),
        cmocka_unit_test(a_comment_that_is_gone_cannot_be_marked),
        cmocka_unit_test(the_first_failure_is_the_last_write),
        cmocka_unit_test(a_dry_run_writes_nothing),
        cmocka_unit_test(a_rule_that_says_fail_leaves_the_rest),
        cmocka_unit_test(labels_are_ensured_as_they_are_declared),
        cmocka_unit_test(the_snapshot_forgets_what_was_written),
        cmocka_unit_test(after_a_lost_answer_nothing_is_written_and_all_is_read_anew),
        cmocka_unit_test(cut_anywhere_and_run_again_it_ends_the_same),
    };
    return check_main(tests);
}
