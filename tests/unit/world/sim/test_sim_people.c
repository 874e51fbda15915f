/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_fixture.h"

#include <string.h>

static struct bl_sim_delivery out;

static const char *event_says(const char *path)
{
    return bl_arena_copy(&fixture.arena, event_words(&fixture.arena, &out.event, path)).ptr;
}

#define check_event(path, words) check_str(bl_str_from(event_says(path)), (words))
#define check_issue(number, path, words)                                                       \
    check_str(bl_str_from(issue_says((number), (path))), (words))

static void expect_event(enum bl_event_id id)
{
    check(out.sent);
    check_int(out.event.id, id);
    check_str(out.name, bl_arena_copy(&fixture.arena, bl_event_info(id)->event).ptr);
    /* The payload as a file: read once more it is the same event. */
    struct bl_event again;
    bl_str reason;
    struct bl_event_source from = {.name = out.name, .started = bl_sim_now(fixture.sim)};
    check_int(bl_event_read(&fixture.arena, out.payload, &from, &again, &fixture.sink, &reason),
              BL_EVENT_READ);
    check_int(again.id, id);
    const struct bl_entity_info *info = bl_entity_info(BL_ENTITY_EVENT);
    for (unsigned i = 0; i < info->field_count; i++) {
        enum bl_field field = (enum bl_field)(info->first_field + i);
        check(bl_object_knows(again.event, field) == bl_object_knows(out.event.event, field));
        check_slice(value_words(&fixture.arena, bl_object_get(again.event, field)),
                    value_words(&fixture.arena, bl_object_get(out.event.event, field)));
    }
}

static enum bl_status user(const char *login, unsigned association, unsigned permission)
{
    return bl_sim_user(fixture.sim, bl_str_from(login), BL_USER_KIND_PERSON, association,
                       permission);
}

static int set_up(void **state)
{
    int result = sim_set_up(state);
    check_status(user("maria", BL_ASSOCIATION_OWNER, BL_PERMISSION_ADMIN), BL_OK);
    check_status(bl_sim_open(fixture.sim, BL_STR("alice"), 12, BL_STR("Crash"), BL_STR("Help"),
                             at("2026-11-02T09:00:00Z"), &out),
                 BL_OK);
    return result;
}

TEST(someone_opens)
{
    expect_event(BL_EVENT_ISSUES_OPENED);
    check_event("event.actor.login", "alice");
    check_event("event.actor.kind", "person");
    check_event("event.actor.association", "nobody");
    check_event("event.at", "2026-11-02T09:00:00Z");
    check_event("event.issue_number", "12");
    check_event("event.repository", "octo/demo");
    check_event("event.default_branch", "main");
    check_event("event.on_pull_request", "false");
    check_event("event.text_changed", "false");
    check_event("issue.title", "Crash");
    check_event("issue.text", "Help");
    check_event("issue.state", "open");
    check_event("issue.state_reason", "none");
    check_event("issue.labels", "[]");
    check_event("issue.created_at", "2026-11-02T09:00:00Z");
    check_event("issue.comment_count", "0");
    check_issue(12, "title", "Crash");
    check_issue(12, "author.login", "alice");
    check_issue(12, "timeline", "[]");
    check_int(bl_sim_now(fixture.sim), at("2026-11-02T09:00:00Z"));
    /* The next free number, and one that is taken. */
    check_status(bl_sim_open(fixture.sim, BL_STR("renovate[bot]"), 0, BL_STR("t"), BL_STR(""),
                             at("2026-11-02T10:00:00Z"), &out),
                 BL_OK);
    check_event("event.issue_number", "13");
    check_event("event.actor.kind", "bot");
    check_status(bl_sim_open(fixture.sim, BL_STR("bob"), 12, BL_STR("t"), BL_STR(""),
                             at("2026-11-02T10:00:00Z"), &out),
                 BL_ERR_INVALID);
    check_str(bl_sim_problem(fixture.sim), "#12 exists already.");
    check_status(bl_sim_open(fixture.sim, BL_STR("a b"), 14, BL_STR("t"), BL_STR(""),
                             at("2026-11-02T10:00:00Z"), &out),
                 BL_ERR_INVALID);
    check_str(bl_sim_problem(fixture.sim), "'a b' is no login.");
}

TEST(someone_comments)
{
    check_status(bl_sim_comment(fixture.sim, BL_STR("maria"), 12, BL_STR("Which version?"),
                                at("2026-11-03T08:00:00Z"), &out),
                 BL_OK);
    expect_event(BL_EVENT_ISSUE_COMMENT_CREATED);
    check_event("event.actor.association", "owner");
    check_event("event.at", "2026-11-03T08:00:00Z");
    check_event("event.issue_author", "alice");
    check_event("comment.text", "Which version?");
    check_event("comment.author.login", "maria");
    check_event("comment.id", "3000000001");
    check_event("issue.comment_count", "1");
    check_issue(12, "comments", "[3000000001 octo/demo]");
    check_status(bl_sim_comment(fixture.sim, BL_STR("maria"), 99, BL_STR(""),
                                at("2026-11-03T08:00:00Z"), &out),
                 BL_ERR_INVALID);
    check_str(bl_sim_problem(fixture.sim), "#99 does not exist.");
}

TEST(someone_edits)
{
    check_status(bl_sim_edit(fixture.sim, BL_STR("alice"), 12, BL_STR("Version 2"),
                             at("2026-11-03T08:00:00Z"), &out),
                 BL_OK);
    expect_event(BL_EVENT_ISSUES_EDITED);
    check_event("event.text_changed", "true");
    check_event("event.at", "2026-11-03T08:00:00Z");
    check_event("issue.text", "Version 2");
    check(bl_str_find(out.payload, BL_STR("\"changes\":{\"body\":{\"from\":\"Help\"}}")) !=
          SIZE_MAX);
    struct bl_value v;
    (void)issue_says(12, "text_edits");
    struct bl_object *issue =
        bl_snapshot_object(fixture.snapshot, BL_ENTITY_ISSUE, 12, BL_STR("octo/demo"));
    check_status(bl_snapshot_field(fixture.snapshot, issue, BL_FIELD_ISSUE_TEXT_EDITS, &v,
                                   &fixture.failure),
                 BL_OK);
    check_size(v.as.list->count, 1);
    check_str(bl_str_from(thing_says(v.as.list->items[0].as.object, "editor.login")), "alice");
    check_str(bl_str_from(thing_says(v.as.list->items[0].as.object, "at")),
              "2026-11-03T08:00:00Z");
}

/* req: LIF-07 */
TEST(someone_edits_the_title)
{
    check_status(bl_sim_retitle(fixture.sim, BL_STR("alice"), 12, BL_STR("Crash at start"),
                                at("2026-11-03T08:00:00Z"), &out),
                 BL_OK);
    expect_event(BL_EVENT_ISSUES_EDITED);
    check_event("event.text_changed", "false");
    check_event("issue.title", "Crash at start");
    check_issue(12, "title", "Crash at start");
    check_issue(12, "text_edits", "[]");
}

TEST(someone_labels)
{
    check_status(bl_sim_label(fixture.sim, BL_STR("maria"), 12, BL_STR("bug"),
                              at("2026-11-03T08:00:00Z"), &out),
                 BL_OK);
    expect_event(BL_EVENT_ISSUES_LABELED);
    check_event("issue.labels", "[bug]");
    check_event("event.actor.association", "nobody"); /* not of what maria wrote */
    check_event("event.at", "2026-11-03T08:00:00Z");
    check_status(bl_sim_label(fixture.sim, BL_STR("maria"), 12, BL_STR("BUG"),
                              at("2026-11-03T08:00:00Z"), &out),
                 BL_ERR_INVALID);
    check_str(bl_sim_problem(fixture.sim), "#12 has this label already.");
    check_status(bl_sim_unlabel(fixture.sim, BL_STR("maria"), 12, BL_STR("Bug"),
                                at("2026-11-03T09:00:00Z"), &out),
                 BL_OK);
    expect_event(BL_EVENT_ISSUES_UNLABELED);
    check_event("issue.labels", "[]");
    check_status(bl_sim_unlabel(fixture.sim, BL_STR("maria"), 12, BL_STR("bug"),
                                at("2026-11-03T09:00:00Z"), &out),
                 BL_ERR_INVALID);
    check_status(bl_sim_label(fixture.sim, BL_STR("maria"), 12, BL_STR(""),
                              at("2026-11-03T08:00:00Z"), &out),
                 BL_ERR_INVALID);
}

TEST(acts_in_the_past_stand_in_their_place)
{
    check_status(bl_sim_label(fixture.sim, BL_STR("maria"), 12, BL_STR("late"),
                              at("2026-11-05T08:00:00Z"), NULL),
                 BL_OK);
    check_status(bl_sim_label(fixture.sim, BL_STR("maria"), 12, BL_STR("early"),
                              at("2026-11-04T08:00:00Z"), NULL),
                 BL_OK);
    check_int(bl_sim_now(fixture.sim), at("2026-11-05T08:00:00Z"));
    struct bl_value v;
    (void)issue_says(12, "timeline");
    struct bl_object *issue =
        bl_snapshot_object(fixture.snapshot, BL_ENTITY_ISSUE, 12, BL_STR("octo/demo"));
    check_status(bl_snapshot_field(fixture.snapshot, issue, BL_FIELD_ISSUE_TIMELINE, &v,
                                   &fixture.failure),
                 BL_OK);
    check_str(bl_str_from(thing_says(v.as.list->items[0].as.object, "label")), "early");
    check_str(bl_str_from(thing_says(v.as.list->items[1].as.object, "label")), "late");
}

TEST(someone_closes_and_opens_again)
{
    check_status(bl_sim_close(fixture.sim, BL_STR("alice"), 12, BL_STATE_REASON_COMPLETED,
                              at("2026-11-03T08:00:00Z"), &out),
                 BL_OK);
    expect_event(BL_EVENT_ISSUES_CLOSED);
    check_event("issue.state", "closed");
    check_event("issue.state_reason", "completed");
    check_event("issue.closed_at", "2026-11-03T08:00:00Z");
    check_issue(12, "closed_at", "2026-11-03T08:00:00Z");
    check_status(bl_sim_close(fixture.sim, BL_STR("alice"), 12, BL_STATE_REASON_COMPLETED,
                              at("2026-11-03T08:00:00Z"), &out),
                 BL_ERR_INVALID);
    check_str(bl_sim_problem(fixture.sim), "#12 is closed already.");
    check_status(
        bl_sim_reopen(fixture.sim, BL_STR("alice"), 12, at("2026-11-04T08:00:00Z"), &out),
        BL_OK);
    expect_event(BL_EVENT_ISSUES_REOPENED);
    check_event("issue.state_reason", "reopened");
    check_event("issue.closed_at", "none");
    check_status(
        bl_sim_reopen(fixture.sim, BL_STR("alice"), 12, at("2026-11-04T08:00:00Z"), &out),
        BL_ERR_INVALID);
}

TEST(someone_locks)
{
    check_status(
        bl_sim_lock(fixture.sim, BL_STR("maria"), 12, at("2026-11-03T08:00:00Z"), &out), BL_OK);
    expect_event(BL_EVENT_ISSUES_LOCKED);
    check_event("issue.locked", "true");
    check_status(bl_sim_comment(fixture.sim, BL_STR("alice"), 12, BL_STR("x"),
                                at("2026-11-03T09:00:00Z"), &out),
                 BL_ERR_INVALID);
    check_str(bl_sim_problem(fixture.sim), "#12 is locked; only who may write can comment.");
    check_status(bl_sim_comment(fixture.sim, BL_STR("maria"), 12, BL_STR("x"),
                                at("2026-11-03T09:00:00Z"), &out),
                 BL_OK);
    check_status(
        bl_sim_unlock(fixture.sim, BL_STR("maria"), 12, at("2026-11-03T10:00:00Z"), &out),
        BL_OK);
    expect_event(BL_EVENT_ISSUES_UNLOCKED);
    check_status(
        bl_sim_unlock(fixture.sim, BL_STR("maria"), 12, at("2026-11-03T10:00:00Z"), &out),
        BL_ERR_INVALID);
}

TEST(someone_is_assigned)
{
    check_status(bl_sim_assign(fixture.sim, BL_STR("maria"), 12, BL_STR("bob"),
                               at("2026-11-03T08:00:00Z"), &out),
                 BL_OK);
    expect_event(BL_EVENT_ISSUES_ASSIGNED);
    check_event("issue.assignees", "[bob]");
    check_issue(12, "assignees", "[bob]");
}

TEST(someone_reacts_edits_and_deletes)
{
    check_int(bl_sim_newest_comment(fixture.sim, 12), 0);
    check_status(bl_sim_comment(fixture.sim, BL_STR("bob"), 12, BL_STR("first"),
                                at("2026-11-03T08:00:00Z"), NULL),
                 BL_OK);
    check_status(bl_sim_comment(fixture.sim, BL_STR("bob"), 12, BL_STR("second"),
                                at("2026-11-03T09:00:00Z"), NULL),
                 BL_OK);
    int64_t newest = bl_sim_newest_comment(fixture.sim, 12);
    check_status(bl_sim_react(fixture.sim, BL_STR("alice"), newest,
                              BL_REACTION_KIND_THUMBS_DOWN, at("2026-11-03T10:00:00Z")),
                 BL_OK);
    check_status(bl_sim_react(fixture.sim, BL_STR("Alice"), newest,
                              BL_REACTION_KIND_THUMBS_DOWN, at("2026-11-03T10:00:00Z")),
                 BL_ERR_INVALID);
    check_status(bl_sim_edit_comment(fixture.sim, BL_STR("bob"), newest, BL_STR("third"),
                                     at("2026-11-03T11:00:00Z"), &out),
                 BL_OK);
    expect_event(BL_EVENT_ISSUE_COMMENT_EDITED);
    check_event("comment.text", "third");
    check_event("comment.thumbs_down", "1");
    check_event("comment.created_at", "2026-11-03T09:00:00Z");
    check_status(bl_sim_delete_comment(fixture.sim, BL_STR("maria"), newest,
                                       at("2026-11-03T12:00:00Z"), &out),
                 BL_OK);
    expect_event(BL_EVENT_ISSUE_COMMENT_DELETED);
    check_event("event.actor.login", "maria");
    check_event("comment.author.login", "bob");
    check_event("issue.comment_count", "1");
    check(bl_sim_newest_comment(fixture.sim, 12) != newest);
    check_status(bl_sim_delete_comment(fixture.sim, BL_STR("maria"), newest,
                                       at("2026-11-03T12:00:00Z"), &out),
                 BL_ERR_INVALID);
}

static void open_pull(void)
{
    static const int64_t closes[] = {12};
    struct bl_sim_pull pull = {.number = 40,
                               .title = BL_STR("Fix"),
                               .text = BL_STR("Fixes #12"),
                               .head_branch = BL_STR("fix"),
                               .head_repository = BL_STR("carl/demo"),
                               .head_sha = BL_STR("abc"),
                               .closes = closes,
                               .close_count = 1};
    check_status(user("carl", BL_ASSOCIATION_CONTRIBUTOR, BL_PERMISSION_READ), BL_OK);
    check_status(
        bl_sim_open_pull(fixture.sim, BL_STR("carl"), &pull, at("2026-11-03T08:00:00Z"), &out),
        BL_OK);
}

TEST(someone_opens_a_pull_request)
{
    open_pull();
    expect_event(BL_EVENT_PULL_REQUEST_OPENED);
    check_event("event.pull_number", "40");
    check_event("event.merged", "false");
    check_event("event.actor.association", "contributor");
    check_event("pull_request.base", "main");
    check_event("pull_request.head_branch", "fix");
    check_event("pull_request.head_repository", "carl/demo");
    check_event("pull_request.head.sha", "abc");
    check_str(bl_str_from(pull_says(40, "closes")), "[12 octo/demo]");
    check_str(bl_str_from(pull_says(40, "commits")), "[abc]");
    check_issue(12, "closed_by", "[40 octo/demo]");
    check_issue(40, "is_pull_request", "true");
    /* What is said there is said on an issue. */
    check_status(bl_sim_comment(fixture.sim, BL_STR("bob"), 40, BL_STR("x"),
                                at("2026-11-03T09:00:00Z"), &out),
                 BL_OK);
    expect_event(BL_EVENT_ISSUE_COMMENT_CREATED);
    check_event("event.on_pull_request", "true");
    check_event("issue.is_pull_request", "true");
    check_status(bl_sim_label(fixture.sim, BL_STR("maria"), 40, BL_STR("bug"),
                              at("2026-11-03T09:00:00Z"), &out),
                 BL_OK);
    expect_event(BL_EVENT_PULL_REQUEST_LABELED);
    check_event("pull_request.labels", "[bug]");
    /* Nothing that a rule could be about. */
    check_status(
        bl_sim_lock(fixture.sim, BL_STR("maria"), 40, at("2026-11-03T09:00:00Z"), &out), BL_OK);
    check(!out.sent);
}

TEST(someone_merges)
{
    open_pull();
    check_status(bl_sim_merge(fixture.sim, BL_STR("maria"), 40, BL_STR("fff"),
                              at("2026-11-04T08:00:00Z"), &out),
                 BL_OK);
    expect_event(BL_EVENT_PULL_REQUEST_CLOSED);
    check_event("event.merged", "true");
    check_event("event.at", "2026-11-04T08:00:00Z");
    check_event("pull_request.merged_at", "2026-11-04T08:00:00Z");
    check_event("pull_request.merge_commit.sha", "fff");
    check_event("pull_request.state", "closed");
    check_event("event.actor.login", "maria");
    check_str(bl_str_from(pull_says(40, "merged_at")), "2026-11-04T08:00:00Z");
    check_str(bl_str_from(pull_says(40, "state")), "closed");
    check_issue(12, "state", "open");
    check_status(bl_sim_merge(fixture.sim, BL_STR("maria"), 40, BL_STR(""),
                              at("2026-11-04T08:00:00Z"), &out),
                 BL_ERR_INVALID);
    check_status(
        bl_sim_reopen(fixture.sim, BL_STR("maria"), 40, at("2026-11-04T08:00:00Z"), &out),
        BL_ERR_INVALID);
    check_status(bl_sim_merge(fixture.sim, BL_STR("maria"), 12, BL_STR(""),
                              at("2026-11-04T08:00:00Z"), &out),
                 BL_ERR_INVALID);
    check_str(bl_sim_problem(fixture.sim), "'#12' is no pull request.");
}

TEST(a_merge_may_close_issues)
{
    bl_sim_set_closes_at_merge(fixture.sim, true);
    open_pull();
    check_status(bl_sim_merge(fixture.sim, BL_STR("maria"), 40, BL_STR(""),
                              at("2026-11-04T08:00:00Z"), &out),
                 BL_OK);
    check_issue(12, "state", "closed");
    check_issue(12, "state_reason", "completed");
    check_issue(12, "closed_at", "2026-11-04T08:00:00Z");
}

TEST(someone_publishes)
{
    struct bl_sim_release release = {.tag = BL_STR("v1.0.0"), .commit = BL_STR("fff")};
    check_status(bl_sim_publish(fixture.sim, BL_STR("maria"), &release,
                                at("2026-11-04T08:00:00Z"), &out),
                 BL_OK);
    expect_event(BL_EVENT_RELEASE_PUBLISHED);
    check_event("release.tag", "v1.0.0");
    check_event("event.at", "2026-11-04T08:00:00Z");
    check_status(bl_sim_publish(fixture.sim, BL_STR("maria"), &release,
                                at("2026-11-04T08:00:00Z"), &out),
                 BL_ERR_INVALID);
    release = (struct bl_sim_release){.tag = BL_STR("v2.0.0"), .draft = true};
    check_status(bl_sim_publish(fixture.sim, BL_STR("maria"), &release,
                                at("2026-11-05T08:00:00Z"), &out),
                 BL_OK);
    expect_event(BL_EVENT_RELEASE_CREATED);
    check_event("release.draft", "true");
    check_event("release.published_at", "?");
    check_str(bl_str_from(repository_says("latest_release.tag")), "v1.0.0");
}

TEST(someone_sets_a_status)
{
    const struct bl_sim_status set = {BL_STR("fff"), BL_STR("ci / build"),
                                      BL_STATUS_STATE_FAILURE,
                                      BL_STR("https://ci.example.com/7")};
    check_status(bl_sim_set_status(fixture.sim, BL_STR("ci[bot]"), &set,
                                   at("2026-11-04T08:00:00Z"), &out),
                 BL_OK);
    expect_event(BL_EVENT_STATUS);
    check_event("event.context", "ci / build");
    check_event("event.state", "failure");
    check_event("event.sha", "fff");
    check_event("event.at", "2026-11-04T08:00:00Z");
    check_event("status.creator.kind", "bot");
    check_event("status.target_link", "https://ci.example.com/7");
}

static int tasks(const void *context, bl_str name)
{
    (void)context;
    return bl_str_equal(name, BL_STR("triage")) ? 2 : -1;
}

TEST(events_that_nobody_causes)
{
    check_status(bl_sim_morning(fixture.sim, at("2026-11-05T05:00:00Z"), &out), BL_OK);
    expect_event(BL_EVENT_SCHEDULE);
    check_event("event.at", "2026-11-05T05:00:00Z");
    check_event("event.actor", "?");
    check_int(bl_sim_now(fixture.sim), at("2026-11-05T05:00:00Z"));

    struct bl_sim_inputs inputs = {
        .number = 12, .task = BL_STR("triage"), .dry_run = true, .task_index = tasks};
    check_status(
        bl_sim_by_hand(fixture.sim, BL_STR("maria"), &inputs, at("2026-11-05T06:00:00Z"), &out),
        BL_OK);
    check_int(out.event.id, BL_EVENT_WORKFLOW_DISPATCH);
    check_event("event.inputs.issue", "12");
    check_event("event.inputs.task", "2");
    check_event("event.inputs.dry_run", "true");
    check_event("event.actor.login", "maria");
    check_event("issue.number", "12");
    inputs.task = BL_STR("no_such");
    check_status(
        bl_sim_by_hand(fixture.sim, BL_STR("maria"), &inputs, at("2026-11-05T06:00:00Z"), &out),
        BL_ERR_INVALID);
    check_str(bl_sim_problem(fixture.sim), "'no_such' is no task.");
    inputs = (struct bl_sim_inputs){.number = 0};
    check_status(
        bl_sim_by_hand(fixture.sim, BL_STR("maria"), &inputs, at("2026-11-05T06:00:00Z"), &out),
        BL_OK);
    check_event("event.inputs.issue", "?");

    check_status(bl_sim_opened(fixture.sim, 12, &out), BL_OK);
    expect_event(BL_EVENT_ISSUES_OPENED);
    check_event("event.at", "2026-11-02T09:00:00Z");
    check_event("event.actor.login", "alice");
    check_status(bl_sim_opened(fixture.sim, 99, &out), BL_ERR_INVALID);
}

TEST(what_is_simply_there)
{
    check_status(bl_sim_variable(fixture.sim, BL_STR("AI"), BL_STR("on")), BL_OK);
    check_status(bl_sim_variable(fixture.sim, BL_STR("ai"), BL_STR("off")), BL_OK);
    check_status(bl_sim_secret(fixture.sim, BL_STR("KEY"), true), BL_OK);
    check_status(bl_sim_secret(fixture.sim, BL_STR("KEY"), true), BL_OK);
    check_status(bl_sim_secret(fixture.sim, BL_STR("OLD"), true), BL_OK);
    check_status(bl_sim_secret(fixture.sim, BL_STR("OLD"), false), BL_OK);
    check_status(bl_sim_file(fixture.sim, BL_STR("README.md")), BL_OK);
    check_status(bl_sim_discussion(fixture.sim, 50, BL_STR("Ideas")), BL_OK);
    check_status(bl_sim_discussion(fixture.sim, 12, BL_STR("Ideas")), BL_ERR_INVALID);
    check_status(bl_sim_give_title(fixture.sim, 12, BL_STR("Given")), BL_OK);
    check_status(bl_sim_give_text(fixture.sim, 12, BL_STR("Text")), BL_OK);
    check_status(bl_sim_give_thumbs_up(fixture.sim, 12, 3), BL_OK);
    check_status(bl_sim_give_thumbs_up(fixture.sim, 99, 3), BL_ERR_INVALID);
    check_issue(12, "title", "Given");
    check_issue(12, "text", "Text");
    check_issue(12, "thumbs_up", "3");
    check_issue(12, "text_edits", "[]");
    check_str(bl_str_from(repository_says("discussions")), "[50 octo/demo]");
    check_str(bl_str_from(repository_says("tracked_files")), "[README.md]");
    const char *text = dumped();
    check(strstr(text, "\"AI\": \"off\"\n") != NULL);
    check(strstr(text, "\"secrets\": [\n    \"KEY\"\n  ]") != NULL);
}

/* The simulator's payload of an act, and GitHub's for the same act, say the same. */
TEST(as_github_sends_it)
{
    struct bl_event real;
    bl_str reason;
    struct bl_event_source from = {.name = BL_STR("issue_comment"), .started = 1};
    bl_str payload =
        read_file(&fixture.arena, "tests/events/derived/issue_comment.created-by-author.json");
    check_int(bl_event_read(&fixture.arena, payload, &from, &real, &fixture.sink, &reason),
              BL_EVENT_READ);
    struct bl_sim *sim = bl_sim_create(&fixture.arena, BL_STR("Codertocat/Hello-World"),
                                       BL_STR("x[bot]"), at("2019-05-15T15:00:00Z"));
    fixture.sim = sim;
    check_status(user("Codertocat", BL_ASSOCIATION_OWNER, BL_PERMISSION_ADMIN), BL_OK);
    check_status(bl_sim_open(sim, BL_STR("alice"), 12,
                             BL_STR("Spelling error in the README file"),
                             BL_STR("It looks like you accidently spelled 'commit' with two "
                                    "'t's."),
                             at("2019-05-15T15:20:18Z"), NULL),
                 BL_OK);
    check_status(bl_sim_label(sim, BL_STR("Codertocat"), 12, BL_STR("needs-info"),
                              at("2019-05-15T15:20:19Z"), NULL),
                 BL_OK);
    check_status(bl_sim_label(sim, BL_STR("Codertocat"), 12, BL_STR("bug"),
                              at("2019-05-15T15:20:19Z"), NULL),
                 BL_OK);
    check_status(bl_sim_assign(sim, BL_STR("Codertocat"), 12, BL_STR("Codertocat"),
                               at("2019-05-15T15:20:19Z"), NULL),
                 BL_OK);
    check_status(bl_sim_comment(sim, BL_STR("bob"), 12, BL_STR("Me too."),
                                at("2019-05-15T15:20:20Z"), NULL),
                 BL_OK);
    check_status(bl_sim_comment(sim, BL_STR("alice"), 12, BL_STR("It is version 2."),
                                at("2019-05-15T15:20:21Z"), &out),
                 BL_OK);
    static const char *const same[] = {"event.at",
                                       "event.actor.login",
                                       "event.actor.kind",
                                       "event.repository",
                                       "event.actor.association",
                                       "event.issue_number",
                                       "event.issue_author",
                                       "event.on_pull_request",
                                       "issue.title",
                                       "issue.text",
                                       "issue.state",
                                       "issue.author",
                                       "issue.created_at",
                                       "issue.author.association",
                                       "issue.labels",
                                       "issue.assignees",
                                       "issue.locked",
                                       "issue.comment_count",
                                       "issue.repository",
                                       "issue.is_pull_request",
                                       "issue.closed_at",
                                       "comment.author",
                                       "comment.text",
                                       "comment.created_at",
                                       "comment.issue",
                                       "comment.author.kind",
                                       "repository.name",
                                       "event.text_changed",
                                       "repository.new_issue_link"};
    check_int(out.event.id, real.id);
    for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
        check_case("%s", same[i]);
        check_slice(event_words(&fixture.arena, &out.event, same[i]),
                    event_words(&fixture.arena, &real, same[i]));
    }
}

#define SIM_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, sim_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SIM_TEST(someone_opens),
        SIM_TEST(someone_comments),
        SIM_TEST(someone_edits),
        SIM_TEST(someone_edits_the_title),
        SIM_TEST(someone_labels),
        SIM_TEST(acts_in_the_past_stand_in_their_place),
        SIM_TEST(someone_closes_and_opens_again),
        SIM_TEST(someone_locks),
        SIM_TEST(someone_is_assigned),
        SIM_TEST(someone_reacts_edits_and_deletes),
        SIM_TEST(someone_opens_a_pull_request),
        SIM_TEST(someone_merges),
        SIM_TEST(a_merge_may_close_issues),
        SIM_TEST(someone_publishes),
        SIM_TEST(someone_sets_a_status),
        SIM_TEST(events_that_nobody_causes),
        SIM_TEST(what_is_simply_there),
        SIM_TEST(as_github_sends_it),
    };
    return check_main(tests);
}
