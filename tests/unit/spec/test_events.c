/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/tables.h"
#include "support/check.h"

#include <string.h>

/* "Events that trigger workflows" of GitHub's documentation: the activity types of the events
 * that the products listen to; confirmed by the webhook schemas of the REST description, which
 * have no `pull_request_target`, `schedule`, and no activity types for the rest. */
static const struct {
    enum bl_event_family family;
    const char *event;
    const char *actions; /* separated by blanks */
} github[] = {
    {BL_FAMILY_ISSUES, "issues",
     "opened edited deleted transferred pinned unpinned closed reopened assigned unassigned "
     "labeled unlabeled locked unlocked milestoned demilestoned typed untyped"},
    {BL_FAMILY_ISSUE_COMMENT, "issue_comment", "created edited deleted"},
    {BL_FAMILY_PULL_REQUEST, "pull_request",
     "assigned unassigned labeled unlabeled opened edited closed reopened synchronize "
     "converted_to_draft locked unlocked enqueued dequeued milestoned demilestoned "
     "ready_for_review review_requested review_request_removed auto_merge_enabled "
     "auto_merge_disabled"},
    {BL_FAMILY_PULL_REQUEST_TARGET, "pull_request_target",
     "assigned unassigned labeled unlabeled opened edited closed reopened synchronize "
     "converted_to_draft ready_for_review locked unlocked review_requested "
     "review_request_removed auto_merge_enabled auto_merge_disabled"},
    {BL_FAMILY_RELEASE, "release",
     "published unpublished created edited deleted prereleased released"},
    {BL_FAMILY_WORKFLOW_RUN, "workflow_run", "completed requested in_progress"},
};

static bool is_listed(const char *actions, bl_str action)
{
    while (*actions != '\0') {
        size_t length = strcspn(actions, " ");

        if (bl_str_equal((bl_str){actions, length}, action))
            return true;
        actions += length;
        actions += *actions == ' ';
    }
    return false;
}

TEST(actions_are_those_that_github_sends)
{
    for (size_t i = 0; i < sizeof(github) / sizeof(github[0]); i++) {
        const char *at = github[i].actions;

        check_int(bl_family_find(bl_str_from(github[i].event)), github[i].family);
        check_str(bl_family_name(github[i].family), github[i].event);
        while (*at != '\0') {
            size_t length = strcspn(at, " ");

            check_case("%s.%.*s", github[i].event, (int)length, at);
            check(bl_event_action_exists(github[i].family, (bl_str){at, length}));
            at += length;
            at += *at == ' ';
        }
        check_case("%s", github[i].event);
        check(!bl_event_action_exists(github[i].family, BL_STR("answered")));
        check(!bl_event_action_exists(github[i].family, BL_STR("")));
    }
}

/* No action that GitHub does not send for any event. */
TEST(no_event_is_made_up)
{
    for (unsigned i = 0; i < BL_EVENT_COUNT; i++) {
        const struct bl_event_info *info = bl_event_info((enum bl_event_id)i);
        bool found = false;

        check_case("%.*s.%.*s", BL_STR_ARG(info->event), BL_STR_ARG(info->action));
        check_slice(bl_family_name(info->family), info->event);
        for (size_t j = 0; j < sizeof(github) / sizeof(github[0]); j++) {
            if (github[j].family == info->family) {
                check(is_listed(github[j].actions, info->action));
                found = true;
            }
        }
        if (!found)
            check_size(info->action.len, 0);
        check_int(bl_event_find(info->event, info->action), i);
    }
    check(bl_event_info(BL_EVENT_COUNT) == NULL);
}

TEST(events_are_found_as_policies_spell_them)
{
    static const struct {
        const char *spelling;
        enum bl_event_id event;
    } cases[] = {
        {"issues.opened", BL_EVENT_ISSUES_OPENED},
        {"issues.edited", BL_EVENT_ISSUES_EDITED},
        {"issue_comment.created", BL_EVENT_ISSUE_COMMENT_CREATED},
        {"pull_request_target.closed", BL_EVENT_PULL_REQUEST_TARGET_CLOSED},
        {"release.published", BL_EVENT_RELEASE_PUBLISHED},
        {"workflow_run.completed", BL_EVENT_WORKFLOW_RUN_COMPLETED},
        {"schedule", BL_EVENT_SCHEDULE},
        {"workflow_dispatch", BL_EVENT_WORKFLOW_DISPATCH},
        {"status", BL_EVENT_STATUS},
        {"push", BL_EVENT_PUSH},
        {"issues", BL_EVENT_COUNT},
        {"issues.", BL_EVENT_COUNT},
        {".opened", BL_EVENT_COUNT},
        {"schedule.", BL_EVENT_COUNT},
        {"push.created", BL_EVENT_COUNT},
        {"issues.opened.again", BL_EVENT_COUNT},
        {"Issues.opened", BL_EVENT_COUNT},
        {"issues.labelled", BL_EVENT_COUNT},
        {"", BL_EVENT_COUNT},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        check_case("'%s'", cases[i].spelling);
        check_int(bl_event_find_spelling(bl_str_from(cases[i].spelling)), cases[i].event);
    }
    check_int(bl_family_find(BL_STR("fork")), BL_FAMILY_COUNT);
    check_size(bl_family_name(BL_FAMILY_COUNT).len, 0);
}

/* What a payload of the event holds (webhook schemas); a comment comes with its issue, a run by
 * hand names one. */
TEST(events_bring_their_things)
{
    static const struct {
        const char *event;
        uint32_t ambients;
    } cases[] = {
        {"issues.labeled", BL_AMBIENT_BIT(BL_AMBIENT_ISSUE)},
        {"issue_comment.created",
         BL_AMBIENT_BIT(BL_AMBIENT_ISSUE) | BL_AMBIENT_BIT(BL_AMBIENT_COMMENT)},
        {"pull_request.opened", BL_AMBIENT_BIT(BL_AMBIENT_PULL_REQUEST)},
        {"pull_request_target.closed", BL_AMBIENT_BIT(BL_AMBIENT_PULL_REQUEST)},
        {"release.published", BL_AMBIENT_BIT(BL_AMBIENT_RELEASE)},
        {"workflow_dispatch", BL_AMBIENT_BIT(BL_AMBIENT_ISSUE)},
        {"status", BL_AMBIENT_BIT(BL_AMBIENT_STATUS)},
        {"schedule", 0},
        {"push", 0},
        {"workflow_run.completed", 0},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        enum bl_event_id event = bl_event_find_spelling(bl_str_from(cases[i].event));

        check_case("%s", cases[i].event);
        check_int(bl_event_info(event)->ambients, cases[i].ambients);
    }
}

/* Review §4, "event": which fields belong to which events. */
TEST(fields_come_with_their_events)
{
    static const struct {
        enum bl_field field;
        const char *with, *without; /* separated by blanks */
    } cases[] = {
        {BL_FIELD_EVENT_KEY, "issues.opened schedule push status release.published", ""},
        {BL_FIELD_EVENT_AT, "issues.opened schedule push status release.published", ""},
        {BL_FIELD_EVENT_ACTOR, "issues.opened issue_comment.created workflow_dispatch", ""},
        {BL_FIELD_EVENT_TEXT_CHANGED, "issues.edited",
         "issue_comment.created schedule pull_request.edited"},
        {BL_FIELD_EVENT_INPUTS, "workflow_dispatch", "issues.opened schedule"},
        {BL_FIELD_EVENT_ISSUE_NUMBER, "issues.opened issue_comment.created workflow_dispatch",
         "schedule push status pull_request.opened"},
        {BL_FIELD_EVENT_ISSUE_AUTHOR, "issues.opened issue_comment.created", "status"},
        {BL_FIELD_EVENT_ON_PULL_REQUEST, "issue_comment.created", "push"},
        {BL_FIELD_EVENT_MERGED, "pull_request.closed pull_request_target.closed",
         "issues.closed"},
        {BL_FIELD_EVENT_PULL_NUMBER, "pull_request.closed pull_request_target.closed",
         "issues.closed"},
        {BL_FIELD_EVENT_RUN_BRANCH, "workflow_run.completed", "push"},
        {BL_FIELD_EVENT_STATE, "status", "issues.closed"},
        {BL_FIELD_EVENT_SHA, "status push", "issues.closed"},
        {BL_FIELD_EVENT_BRANCH, "push", "status"},
        /* fields of other things are none of the event's */
        {BL_FIELD_ISSUE_NUMBER, "", "issues.opened status"},
        {BL_FIELD_COUNT, "", "issues.opened status"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        for (int expected = 0; expected < 2; expected++) {
            const char *at = expected ? cases[i].with : cases[i].without;

            while (*at != '\0') {
                size_t length = strcspn(at, " ");
                enum bl_event_id event = bl_event_find_spelling((bl_str){at, length});

                check_case("field %d with %.*s", (int)cases[i].field, (int)length, at);
                check(event != BL_EVENT_COUNT);
                check_int(bl_event_carries(event, cases[i].field), expected);
                at += length;
                at += *at == ' ';
            }
        }
    }
    check(!bl_event_carries(BL_EVENT_COUNT, BL_FIELD_EVENT_KEY));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(actions_are_those_that_github_sends),
        cmocka_unit_test(no_event_is_made_up),
        cmocka_unit_test(events_are_found_as_policies_spell_them),
        cmocka_unit_test(events_bring_their_things),
        cmocka_unit_test(fields_come_with_their_events),
    };

    return check_main(tests);
}
