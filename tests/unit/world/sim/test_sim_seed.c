/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_fixture.h"
#include "support/allocator.h"

#include <stdio.h>
#include <string.h>

static struct bl_event event;

static void seed(const char *file, const char *name)
{
    char path[200];
    bl_str reason;
    struct bl_event_source from = {.name = bl_str_from(name), .started = 1800000000};
    (void)snprintf(path, sizeof(path), "tests/events/%s.json", file);
    check_int(bl_event_read(&fixture.arena, read_file(&fixture.arena, path), &from, &event,
                            &fixture.sink, &reason),
              BL_EVENT_READ);
    check_status(bl_sim_seed(fixture.sim, &event), BL_OK);
    look_again();
}

#define NOT_IN_PAYLOAD "FAILED: the payload does not hold it"

TEST(what_the_payload_says_is_known)
{
    seed("derived/issue_comment.created-by-author", "issue_comment");
    static const struct {
        const char *path;
        const char *words;
    } facts[] = {
        {"title", "Spelling error in the README file"},
        {"state", "open"},
        {"labels", "[needs-info, bug]"},
        {"author.login", "alice"},
        {"author.association", "nobody"},
        {"comment_count", "2"},
        {"locked", "false"},
        {"is_pull_request", "false"},
        {"repository", "Codertocat/Hello-World"},
        {"comments", NOT_IN_PAYLOAD},
        {"timeline", NOT_IN_PAYLOAD},
        {"text_edits", NOT_IN_PAYLOAD},
        {"closed_by", NOT_IN_PAYLOAD},
        {"author.permission", NOT_IN_PAYLOAD},
    };
    for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
        const char *words = issue_says(12, facts[i].path);
        check_case("%s", facts[i].path);
        check_str(bl_str_from(words), facts[i].words);
        check(strcmp(facts[i].words, NOT_IN_PAYLOAD) != 0 ||
              bl_str_equal(fixture.failure.help, BL_STR("Give the repository with --world FILE "
                                                        "(docs/world-file.md).")));
    }
    check_str(bl_sim_repository(fixture.sim), "Codertocat/Hello-World");
    check_str(bl_str_from(repository_says("default_branch")), "master");
    check_str(bl_str_from(repository_says("open_issues")), NOT_IN_PAYLOAD);
    check_str(bl_str_from(repository_says("labels")), NOT_IN_PAYLOAD);
    check_str(bl_str_from(issue_says(99, "title")), NOT_IN_PAYLOAD);
    static const struct {
        enum bl_read read;
        bool known;
    } queries[] = {
        {BL_READ_ISSUE, true},     {BL_READ_NUMBERED, true},
        {BL_READ_PULL, false},     {BL_READ_COMMENTS_CHANGED, false},
        {BL_READ_VARIABLE, false}, {BL_READ_SECRET, false},
    };
    for (size_t i = 0; i < sizeof(queries) / sizeof(queries[0]); i++) {
        struct bl_value arg =
            queries[i].read == BL_READ_VARIABLE || queries[i].read == BL_READ_SECRET
                ? bl_text(BL_STR("X"))
                : bl_int(12);
        struct bl_value v;
        check_case("%.*s", BL_STR_ARG(bl_read_info(queries[i].read)->name));
        check_status(
            bl_snapshot_query(fixture.snapshot, queries[i].read, &arg, 1, &v, &fixture.failure),
            queries[i].known ? BL_OK : BL_ERR_READ);
    }
    /* The comment is known, and can be read again alone. */
    struct bl_object *comment = bl_snapshot_adopt(fixture.snapshot, event.comment);
    check_int(bl_snapshot_load(fixture.snapshot, comment, BL_READ_COMMENTS, &fixture.failure),
              BL_FOUND);
    check_str(bl_str_from(thing_says(comment, "text")), "It is version 2.");
    check_str(bl_str_from(thing_says(comment, "reactions")), NOT_IN_PAYLOAD);
}

TEST(an_issue_that_was_just_opened_has_no_history)
{
    seed("derived/issues.opened-by-stranger", "issues");
    check_str(bl_str_from(issue_says(1, "comments")), "[]");
    check_str(bl_str_from(issue_says(1, "text_edits")), "[]");
    check_str(bl_str_from(issue_says(1, "timeline")), NOT_IN_PAYLOAD);
}

TEST(an_old_payload_says_less)
{
    seed("issue_comment.created", "issue_comment");
    check_str(bl_str_from(issue_says(1, "title")), "Spelling error in the README file");
    check_str(bl_str_from(issue_says(1, "state_reason")), "none");
    check_str(bl_str_from(issue_says(1, "thumbs_up")), NOT_IN_PAYLOAD);
    check(fixture.failure.help.len > 0);
    /* The read itself is made; what it does not bring fails when it is asked for. */
    look_again();
    check_int(bl_snapshot_load(fixture.snapshot,
                               bl_snapshot_adopt(fixture.snapshot, event.issue), BL_READ_ISSUE,
                               &fixture.failure),
              BL_FOUND);
}

TEST(a_pull_request)
{
    seed("derived/pull_request.closed-merged", "pull_request");
    check_str(bl_str_from(pull_says(2, "merged_at")), "2019-05-15T15:21:02Z");
    check_str(bl_str_from(pull_says(2, "merge_commit.sha")),
              "c4295bd74fb0f4fda03689c3df3f2803b658fd85");
    check_str(bl_str_from(pull_says(2, "title")), "Update the README with new information.");
    check_str(bl_str_from(pull_says(2, "author.association")), "contributor");
    check_str(bl_str_from(pull_says(2, "closes")), NOT_IN_PAYLOAD);
    check_str(bl_str_from(pull_says(2, "commits")), NOT_IN_PAYLOAD);
    check_str(bl_str_from(pull_says(2, "merge_commit.message")), NOT_IN_PAYLOAD);
    check_str(bl_str_from(issue_says(2, "is_pull_request")), "true");
}

TEST(a_run_by_hand_seeds_the_repository_alone)
{
    seed("derived/workflow_dispatch-without-inputs", "workflow_dispatch");
    check_str(bl_str_from(repository_says("name")), "octo-org/octo-repo");
    check_str(bl_str_from(repository_says("default_branch")), "main");
    check_str(bl_str_from(issue_says(12, "title")), NOT_IN_PAYLOAD);
    seed("derived/workflow_dispatch-with-empty-inputs", "workflow_dispatch");
    check_str(bl_str_from(issue_says(12, "title")), NOT_IN_PAYLOAD);
}

TEST(every_payload_seeds)
{
    static const struct {
        const char *file;
        const char *name;
    } files[] = {
        {"derived/schedule", "schedule"},
        {"derived/schedule-without-repository", "schedule"},
        {"push", "push"},
        {"status", "status"},
        {"release.published", "release"},
        {"workflow_run.completed", "workflow_run"},
        {"pull_request.opened", "pull_request"},
        {"derived/pull_request.closed-from-deleted-fork", "pull_request"},
        {"derived/issues.opened-by-ghost", "issues"},
        {"derived/issue_comment.created-on-pull-request", "issue_comment"},
    };
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        check(sim_tear_down(NULL) == 0);
        check(sim_set_up(NULL) == 0);
        seed(files[i].file, files[i].name);
        check(strlen(dumped()) > 20);
    }
}

TEST(effects_change_what_is_known)
{
    seed("derived/issue_comment.created-by-author", "issue_comment");
    const struct bl_world *world = bl_sim_world(fixture.sim);
    struct bl_object *issue = bl_snapshot_adopt(fixture.snapshot, event.issue);
    const struct bl_value args[] = {bl_object_value(issue), bl_text(BL_STR("needs-info"))};
    struct bl_effect_call call = {
        .effect = BL_EFFECT_REMOVE_LABEL, .args = args, .arg_count = 2, .target = issue};
    check_int(world->write(world->self, &fixture.arena, &call, &fixture.failure), BL_WRITTEN);
    call.effect = BL_EFFECT_POST;
    call.body = BL_STR("Thanks");
    check_int(world->write(world->self, &fixture.arena, &call, &fixture.failure), BL_WRITTEN);
    check_str(bl_str_from(issue_says(12, "labels")), "[bug]");
    check_str(bl_str_from(issue_says(12, "timeline")), NOT_IN_PAYLOAD);
    check_str(bl_str_from(issue_says(12, "comments")), NOT_IN_PAYLOAD);
    struct bl_object *other =
        bl_snapshot_object(fixture.snapshot, BL_ENTITY_ISSUE, 99, issue->name);
    call.target = other;
    check_int(world->write(world->self, &fixture.arena, &call, &fixture.failure),
              BL_NOT_WRITTEN);
    check(fixture.failure.help.len > 0);
}

TEST(a_world_file_wins_over_the_payload)
{
    load_world("{\"repository\": \"Codertocat/Hello-World\", \"issues\": [{\"number\": 12, "
               "\"author\": \"alice\", \"created_at\": \"2019-05-15T15:20:18Z\", \"title\": "
               "\"As it is now\"}]}");
    seed("derived/issue_comment.created-by-author", "issue_comment");
    check_str(bl_str_from(issue_says(12, "title")), "As it is now");
    check_str(bl_str_from(issue_says(12, "labels")), "[]");
    check_str(bl_str_from(issue_says(12, "timeline")), "[]");
    /* The comment that the event is about was not there yet. */
    check_str(bl_str_from(issue_says(12, "comments")), "[492700400 Codertocat/Hello-World]");
    check_str(bl_str_from(issue_says(12, "comment_count")), "1");
    check_str(bl_str_from(issue_says(99, "title")), "FAILED: The issue 99 does not exist");
}

TEST(every_allocation_may_fail)
{
    static const char *const json =
        "{\"issues\": [{\"number\": 1, \"author\": \"a\", \"created_at\": \"2026-01-01\", "
        "\"labels\": [\"x\"], \"comments\": [{\"author\": \"b\", \"text\": \"t\", "
        "\"created_at\": \"2026-01-02\"}]}]}";
    for (size_t fail_at = 1;; fail_at++) {
        struct failing_allocator failing;
        struct bl_arena small;
        struct bl_diagnostics sink;
        struct bl_sim_delivery out;
        check_case("allocation %zu fails", fail_at);
        failing_allocator_init(&failing, fail_at);
        bl_arena_init(&small, (size_t)8 << 20, &failing.allocator);
        bl_diagnostics_init(&sink, &small, 10);
        struct bl_sim *sim = bl_sim_create(&small, BL_STR("o/r"), BL_STR("x[bot]"), 1);
        enum bl_status status =
            sim == NULL ? BL_ERR_NOMEM : bl_sim_load(sim, bl_str_from(json), 0, &sink);
        if (status == BL_OK) {
            status = bl_sim_comment(sim, BL_STR("c"), 1, BL_STR("text"), 1800000000, &out);
        }
        bool failed = failing.calls >= fail_at;
        check_status(status, failed ? BL_ERR_NOMEM : BL_OK);
        bl_arena_reset(&small);
        check_size(failing.live, 0);
        if (!failed) {
            break;
        }
    }
}

#define SIM_TEST(name) cmocka_unit_test_setup_teardown(name, sim_set_up, sim_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SIM_TEST(what_the_payload_says_is_known),
        SIM_TEST(an_issue_that_was_just_opened_has_no_history),
        SIM_TEST(an_old_payload_says_less),
        SIM_TEST(a_pull_request),
        SIM_TEST(a_run_by_hand_seeds_the_repository_alone),
        SIM_TEST(every_payload_seeds),
        SIM_TEST(effects_change_what_is_known),
        SIM_TEST(a_world_file_wins_over_the_payload),
        SIM_TEST(every_allocation_may_fail),
    };
    return check_main(tests);
}
