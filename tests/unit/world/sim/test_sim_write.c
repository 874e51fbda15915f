/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_fixture.h"

#include <stdio.h>
#include <string.h>

static const char *const world =
    "{\"now\": \"2026-11-02T08:00:00Z\","
    " \"labels\": [{\"name\": \"Bug\", \"color\": \"d73a4a\"}],"
    " \"issues\": ["
    "  {\"number\": 12, \"author\": \"alice\", \"created_at\": \"2026-11-01\","
    "   \"comments\": [{\"id\": 5, \"author\": \"github-actions[bot]\", \"text\":"
    "     \"<!-- first -->\\nold\\nbody\", \"created_at\": \"2026-11-01T10:00:00Z\"}]},"
    "  {\"number\": 9, \"author\": \"maria\", \"created_at\": \"2026-10-01\"},"
    "  {\"number\": 7, \"author\": \"alice\", \"created_at\": \"2026-09-01\","
    "   \"state\": \"closed\", \"closed_at\": \"2026-09-02\", \"labels\": [\"bug\"]}],"
    " \"commits\": [{\"sha\": \"abc123\", \"author\": \"maria\", \"committed_at\": "
    "\"2026-10-01\"}],"
    " \"pull_requests\": [{\"number\": 40, \"author\": \"maria\", \"created_at\": "
    "\"2026-11-01\"}]}";

static int set_up(void **state)
{
    int result = sim_set_up(state);
    load_world(world);
    return result;
}

static struct bl_object *issue(int64_t number)
{
    return bl_snapshot_object(fixture.snapshot, BL_ENTITY_ISSUE, number, BL_STR("octo/demo"));
}

static struct bl_object *comment(int64_t id)
{
    return bl_snapshot_object(fixture.snapshot, BL_ENTITY_COMMENT, id, BL_STR("octo/demo"));
}

static enum bl_written carry_out(const struct bl_effect_call *call)
{
    const struct bl_world *sim = bl_sim_world(fixture.sim);
    return sim->write(sim->self, &fixture.arena, call, &fixture.failure);
}

/* Most effects: on an issue, with one or two arguments. */
static enum bl_written effect(enum bl_effect which, struct bl_object *target,
                              struct bl_value second, struct bl_value third)
{
    const struct bl_value args[] = {bl_object_value(target), second, third};
    struct bl_effect_call call = {
        .effect = which, .args = args, .arg_count = 3, .target = target};
    return carry_out(&call);
}

static enum bl_written label(enum bl_effect which, int64_t number, const char *name)
{
    return effect(which, issue(number), bl_text(bl_str_from(name)), bl_absent());
}

static enum bl_written post(int64_t number, bl_str body)
{
    struct bl_value arg = bl_object_value(issue(number));
    struct bl_effect_call call = {
        .effect = BL_EFFECT_POST, .args = &arg, .arg_count = 1, .body = body};
    return carry_out(&call);
}

#define check_issue(number, path, words)                                                       \
    check_str(bl_str_from(issue_says((number), (path))), (words))
#define check_repository(path, words) check_str(bl_str_from(repository_says(path)), (words))

/* The n-th thing of a list of an issue. */
static const char *item_says(int64_t number, const char *list, uint32_t n, const char *path)
{
    struct bl_value v;
    (void)issue_says(number, list);
    enum bl_field field = bl_field_find(BL_ENTITY_ISSUE, bl_str_from(list));
    check_status(
        bl_snapshot_field(fixture.snapshot, issue(number), field, &v, &fixture.failure), BL_OK);
    check(n < v.as.list->count);
    return thing_says(v.as.list->items[n].as.object, path);
}

#define check_item(number, list, n, path, words)                                               \
    check_str(bl_str_from(item_says((number), (list), (n), (path))), (words))

TEST(a_label_is_set)
{
    bl_sim_set_now(fixture.sim, at("2026-11-03T09:00:00Z"));
    check_int(label(BL_EFFECT_ADD_LABEL, 12, "bug"), BL_WRITTEN);
    check_issue(12, "labels", "[Bug]"); /* as the repository spells it */
    check_repository("labels", "[Bug]");
    check_item(12, "timeline", 0, "kind", "labeled");
    check_item(12, "timeline", 0, "actor.login", "github-actions[bot]");
    check_item(12, "timeline", 0, "at", "2026-11-03T09:00:00Z");
    check_item(12, "timeline", 0, "label", "Bug");
    /* Again: no error, no second event. */
    look_again();
    check_int(label(BL_EFFECT_ADD_LABEL, 12, "BUG"), BL_WRITTEN);
    check_issue(12, "labels", "[Bug]");
    check(strchr(issue_says(12, "timeline"), ',') == NULL);
}

TEST(a_label_that_the_repository_lacks_is_made)
{
    check_int(label(BL_EFFECT_ADD_LABEL, 12, "stale"), BL_WRITTEN);
    check_issue(12, "labels", "[stale]");
    check_repository("labels", "[Bug, stale]");
    check(strstr(dumped(), "\"name\": \"stale\",\n      \"color\": \"ededed\"") != NULL);
}

/* What GitHub's description and pages say of labels. */
TEST(some_labels_cannot_be)
{
    const char *fifty = "12345678901234567890123456789012345678901234567890";
    char name[60];
    check_int(label(BL_EFFECT_ADD_LABEL, 12, " "), BL_NOT_WRITTEN);
    (void)snprintf(name, sizeof(name), "%s1", fifty);
    check_int(label(BL_EFFECT_ADD_LABEL, 12, name), BL_NOT_WRITTEN);
    check_str(fixture.failure.why,
              "GitHub answered 422: the name of a label has at most 50 characters");
    check_int(label(BL_EFFECT_ADD_LABEL, 12, fifty), BL_WRITTEN);
    for (int i = 1; i < 100; i++) {
        (void)snprintf(name, sizeof(name), "l%d", i);
        check_int(label(BL_EFFECT_ADD_LABEL, 12, name), BL_WRITTEN);
    }
    check_int(label(BL_EFFECT_ADD_LABEL, 12, "one more"), BL_NOT_WRITTEN);
    check_int(label(BL_EFFECT_ADD_LABEL, 12, fifty), BL_WRITTEN); /* is there */
}

TEST(a_label_is_removed)
{
    check_int(label(BL_EFFECT_REMOVE_LABEL, 7, "BUG"), BL_WRITTEN);
    check_issue(7, "labels", "[]");
    check_item(7, "timeline", 0, "kind", "unlabeled");
    check_item(7, "timeline", 0, "label", "Bug");
    /* One that is gone already is no error: facts of the assistant, section 3. */
    look_again();
    check_int(label(BL_EFFECT_REMOVE_LABEL, 7, "Bug"), BL_WRITTEN);
    check_int(label(BL_EFFECT_REMOVE_LABEL, 7, "never"), BL_WRITTEN);
    check(strchr(issue_says(7, "timeline"), ',') == NULL);
    check_repository("labels", "[Bug]");
}

TEST(labels_go_on_pull_requests_too)
{
    struct bl_object *pull =
        bl_snapshot_object(fixture.snapshot, BL_ENTITY_PULL_REQUEST, 40, BL_STR("octo/demo"));
    check_int(effect(BL_EFFECT_ADD_LABEL, pull, bl_text(BL_STR("bug")), bl_absent()),
              BL_WRITTEN);
    check_str(bl_str_from(pull_says(40, "labels")), "[Bug]");
    check_issue(40, "labels", "[Bug]");
}

TEST(an_issue_closes)
{
    bl_sim_set_now(fixture.sim, at("2026-11-03T09:00:00Z"));
    check_int(effect(BL_EFFECT_CLOSE, issue(12),
                     bl_member_value(BL_ENUM_STATE_REASON, BL_STATE_REASON_NOT_PLANNED),
                     bl_absent()),
              BL_WRITTEN);
    check_issue(12, "state", "closed");
    check_issue(12, "state_reason", "not_planned");
    check_issue(12, "closed_at", "2026-11-03T09:00:00Z");
    check_item(12, "timeline", 0, "kind", "closed");
    check_item(12, "timeline", 0, "actor.kind", "bot");
    check_repository("open_issues", "[9 octo/demo]");
    check_repository("closed_issues", "[12 octo/demo, 7 octo/demo]"); /* newest change first */
    /* "Ignored unless `state` is changed": the first reason stays. */
    bl_sim_set_now(fixture.sim, at("2026-11-04T09:00:00Z"));
    look_again();
    check_int(effect(BL_EFFECT_CLOSE, issue(12),
                     bl_member_value(BL_ENUM_STATE_REASON, BL_STATE_REASON_DUPLICATE),
                     bl_object_value(issue(9))),
              BL_WRITTEN);
    check_issue(12, "state_reason", "not_planned");
    check_issue(12, "closed_at", "2026-11-03T09:00:00Z");
    check(strchr(issue_says(12, "timeline"), ',') == NULL);
    check(strstr(dumped(), "\"duplicate_of\"") == NULL);
}

TEST(an_issue_closes_as_a_duplicate)
{
    check_int(effect(BL_EFFECT_CLOSE, issue(12),
                     bl_member_value(BL_ENUM_STATE_REASON, BL_STATE_REASON_DUPLICATE),
                     bl_object_value(issue(9))),
              BL_WRITTEN);
    check_issue(12, "state_reason", "duplicate");
    check(strstr(dumped(), "\"duplicate_of\": 9") != NULL);
}

TEST(an_issue_opens_again)
{
    bl_sim_set_now(fixture.sim, at("2026-11-03T09:00:00Z"));
    check_int(effect(BL_EFFECT_REOPEN, issue(7), bl_absent(), bl_absent()), BL_WRITTEN);
    check_issue(7, "state", "open");
    check_issue(7, "state_reason", "reopened");
    check_issue(7, "closed_at", "none");
    check_item(7, "timeline", 0, "kind", "reopened");
    look_again();
    check_int(effect(BL_EFFECT_REOPEN, issue(7), bl_absent(), bl_absent()), BL_WRITTEN);
    check(strchr(issue_says(7, "timeline"), ',') == NULL);
}

TEST(a_conversation_is_locked)
{
    check_int(effect(BL_EFFECT_LOCK, issue(12),
                     bl_member_value(BL_ENUM_LOCK_REASON, BL_LOCK_REASON_RESOLVED),
                     bl_absent()),
              BL_WRITTEN);
    check_issue(12, "locked", "true");
    check_item(12, "timeline", 0, "kind", "locked");
    check(strstr(dumped(), "\"lock_reason\": \"resolved\"") != NULL);
    look_again();
    check_int(post(12, BL_STR("The account may write.")), BL_WRITTEN);
}

TEST(a_comment_is_posted)
{
    bl_sim_set_now(fixture.sim, at("2026-11-03T09:00:00Z"));
    check_int(post(12, BL_STR("<!-- m -->\nHello")), BL_WRITTEN);
    check_issue(12, "comment_count", "2");
    check_item(12, "comments", 1, "text", "<!-- m -->\nHello");
    check_item(12, "comments", 1, "author.login", "github-actions[bot]");
    check_item(12, "comments", 1, "author.kind", "bot");
    check_item(12, "comments", 1, "author.association", "nobody");
    check_item(12, "comments", 1, "created_at", "2026-11-03T09:00:00Z");
    check_item(12, "comments", 1, "issue.number", "12");
    check_item(12, "comments", 1, "reactions", "[]");
    check_item(12, "comments", 1, "id", "3000000001"); /* above 2^31 */
    check_item(12, "comments", 0, "id", "5");
    check_repository("open_issues", "[9 octo/demo, 12 octo/demo]"); /* it changed */
}

TEST(github_refuses_some_comments)
{
    char *large = bl_arena_alloc(&fixture.arena, 3 * 65537, 1);
    for (size_t i = 0; i < 65537; i++) {
        memcpy(large + 3 * i, "\xE2\x82\xAC", 3); /* characters count, not bytes */
    }
    check_int(post(12, BL_STR("")), BL_NOT_WRITTEN);
    check_str(fixture.failure.what, "'post' was not carried out");
    check_int(post(12, BL_STR(" \n\t")), BL_NOT_WRITTEN);
    check_int(post(12, (bl_str){large, 3 * 65537}), BL_NOT_WRITTEN);
    check_int(post(404, BL_STR("x")), BL_NOT_WRITTEN);
    check_str(fixture.failure.why, "GitHub answered 404: there is no such issue");
    check_issue(12, "comment_count", "1");
    look_again();
    check_int(post(12, (bl_str){large, 3 * 65536}), BL_WRITTEN);
    check_size(bl_sim_write_count(fixture.sim), 1);
}

TEST(a_mark_changes_the_first_line_of_what_is_there_now)
{
    const struct bl_value args[] = {bl_object_value(comment(5))};
    struct bl_effect_call call = {.effect = BL_EFFECT_MARK,
                                  .args = args,
                                  .arg_count = 1,
                                  .target = comment(5),
                                  .body = BL_STR("<!-- second -->")};
    (void)issue_says(12, "comments"); /* what the run saw before */
    check_status(bl_sim_edit_comment(fixture.sim, BL_STR("maria"), 5,
                                     BL_STR("<!-- first -->\nnew\nbody"),
                                     at("2026-11-02T08:30:00Z"), NULL),
                 BL_OK);
    check_int(carry_out(&call), BL_WRITTEN);
    check_item(12, "comments", 0, "text", "<!-- second -->\nnew\nbody");
    check_item(12, "comments", 0, "created_at", "2026-11-01T10:00:00Z");
    check(strchr(issue_says(12, "comments"), ',') == NULL);

    check_status(bl_sim_edit_comment(fixture.sim, BL_STR("maria"), 5, BL_STR("one line"),
                                     at("2026-11-02T08:40:00Z"), NULL),
                 BL_OK);
    check_int(carry_out(&call), BL_WRITTEN);
    check_item(12, "comments", 0, "text", "<!-- second -->");

    /* Line ends as a browser sends them stay. */
    check_status(bl_sim_edit_comment(fixture.sim, BL_STR("maria"), 5,
                                     BL_STR("<!-- first -->\r\nnew\r\nbody"),
                                     at("2026-11-02T08:45:00Z"), NULL),
                 BL_OK);
    check_int(carry_out(&call), BL_WRITTEN);
    check_item(12, "comments", 0, "text", "<!-- second -->\r\nnew\r\nbody");

    check_status(bl_sim_delete_comment(fixture.sim, BL_STR("maria"), 5,
                                       at("2026-11-02T08:50:00Z"), NULL),
                 BL_OK);
    check_int(carry_out(&call), BL_NOT_WRITTEN);
    check_str(fixture.failure.why, "GitHub answered 404: the comment is gone");
}

TEST(a_reaction_is_given_once)
{
    struct bl_value eyes = bl_member_value(BL_ENUM_REACTION_KIND, BL_REACTION_KIND_EYES);
    struct bl_value up = bl_member_value(BL_ENUM_REACTION_KIND, BL_REACTION_KIND_THUMBS_UP);
    check_int(effect(BL_EFFECT_REACT, comment(5), eyes, bl_absent()), BL_WRITTEN);
    check_int(effect(BL_EFFECT_REACT, comment(5), eyes, bl_absent()), BL_WRITTEN);
    check_int(effect(BL_EFFECT_REACT, comment(5), up, bl_absent()), BL_WRITTEN);
    (void)item_says(12, "comments", 0, "id");
    struct bl_value v;
    check_status(bl_snapshot_field(fixture.snapshot, comment(5), BL_FIELD_COMMENT_REACTIONS, &v,
                                   &fixture.failure),
                 BL_OK);
    check_size(v.as.list->count, 2);
    check_str(bl_str_from(thing_says(v.as.list->items[0].as.object, "kind")), "eyes");
    check_str(bl_str_from(thing_says(v.as.list->items[0].as.object, "user.login")),
              "github-actions[bot]");
    check_item(12, "comments", 0, "thumbs_up", "1");
    check_item(12, "comments", 0, "thumbs_down", "0");
}

static bool holds(const struct bl_effect_call *call)
{
    const struct bl_world *sim = bl_sim_world(fixture.sim);
    bool there;
    check_int(sim->holds(sim->self, &fixture.arena, call, &there, &fixture.failure), BL_FOUND);
    return there;
}

TEST(a_milestone_is_made_closed)
{
    struct bl_value title = bl_text(BL_STR("v1.2.0"));
    const struct bl_value args[] = {bl_object_value(issue(12)), title};
    struct bl_effect_call call = {
        .effect = BL_EFFECT_MILESTONE, .args = args, .arg_count = 2, .target = issue(12)};
    check(!holds(&call));
    check_int(effect(BL_EFFECT_MILESTONE, issue(12), title, bl_absent()), BL_WRITTEN);
    check_int(effect(BL_EFFECT_MILESTONE, issue(9), title, bl_absent()), BL_WRITTEN);
    check_item(12, "timeline", 0, "kind", "milestoned");
    check(holds(&call));
    /* Another one takes its place, and the timeline says both. */
    check_int(effect(BL_EFFECT_MILESTONE, issue(9), bl_text(BL_STR("v1.3.0")), bl_absent()),
              BL_WRITTEN);
    check_int(effect(BL_EFFECT_MILESTONE, issue(9), title, bl_absent()), BL_WRITTEN);
    check_item(9, "timeline", 1, "kind", "demilestoned");
    check_item(9, "timeline", 2, "kind", "milestoned");
    const char *text = dumped();
    const char *milestones = strstr(text, "\"milestones\"");
    check(milestones != NULL);
    check(strstr(text, "\"title\": \"v1.2.0\",\n      \"closed\": true") != NULL);
    check(strstr(text, "\"milestone\": \"v1.2.0\"") != NULL);
}

TEST(a_label_is_ensured)
{
    struct bl_value arg = bl_text(BL_STR("Question"));
    struct bl_effect_call call = {.effect = BL_EFFECT_ENSURE_LABEL,
                                  .args = &arg,
                                  .arg_count = 1,
                                  .label_color = BL_STR("d876e3"),
                                  .label_description = BL_STR("Asks")};
    check(!holds(&call));
    check_int(carry_out(&call), BL_WRITTEN);
    check(holds(&call));
    call.label_description = BL_STR("asks");
    check(!holds(&call));
    call.label_description = BL_STR("Asks");
    check_repository("labels", "[Bug, Question]");
    arg = bl_text(BL_STR("bug"));
    check_int(carry_out(&call), BL_WRITTEN);
    check_repository("labels", "[Bug, Question]");
    check(strstr(dumped(), "\"name\": \"Bug\",\n      \"color\": \"d876e3\",\n      "
                           "\"description\": \"Asks\"") != NULL);
}

TEST(a_status_is_set)
{
    struct bl_object *commit =
        bl_snapshot_object(fixture.snapshot, BL_ENTITY_COMMIT, 0, BL_STR("abc123"));
    const struct bl_value args[] = {
        bl_object_value(commit), bl_text(BL_STR("bylaw")),
        bl_member_value(BL_ENUM_STATUS_STATE, BL_STATUS_STATE_SUCCESS),
        bl_text(BL_STR("All good"))};
    struct bl_effect_call call = {.effect = BL_EFFECT_STATUS,
                                  .args = args,
                                  .arg_count = 4,
                                  .target = commit,
                                  .account = BL_STR("github-actions[bot]")};
    check(!holds(&call));
    check_int(carry_out(&call), BL_WRITTEN);
    check(holds(&call));
    check(strstr(dumped(), "\"description\": \"All good\"") != NULL);
    /* The last one counts, and only the own account's. */
    const struct bl_sim_status set = {BL_STR("abc123"), BL_STR("bylaw"),
                                      BL_STATUS_STATE_SUCCESS, BL_STR("")};
    check_status(
        bl_sim_set_status(fixture.sim, BL_STR("maria"), &set, at("2026-11-02T09:00:00Z"), NULL),
        BL_OK);
    check(!holds(&call));
    check_int(carry_out(&call), BL_WRITTEN);
    check(holds(&call));
    const struct bl_value other[] = {
        bl_object_value(
            bl_snapshot_object(fixture.snapshot, BL_ENTITY_COMMIT, 0, BL_STR("def456"))),
        args[1], args[2], args[3]};
    call.args = other;
    check(!holds(&call));
    check_int(carry_out(&call), BL_NOT_WRITTEN);
    check_str(fixture.failure.why, "GitHub answered 422: there is no such commit");
    check(strstr(dumped(), "\"context\": \"bylaw\",\n      \"state\": \"success\",\n      "
                           "\"creator\": \"github-actions[bot]\",\n      \"commit\": "
                           "\"abc123\"") != NULL);
}

/* req: FND-01 */
TEST(an_alert_is_dismissed)
{
    struct bl_object *alert =
        bl_snapshot_object(fixture.snapshot, BL_ENTITY_ALERT, 3, BL_STR("octo/demo"));
    const struct bl_value args[] = {
        bl_object_value(alert), bl_member_value(BL_ENUM_DISMISSAL, BL_DISMISSAL_USED_IN_TESTS),
        bl_text(BL_STR("A fixture"))};
    struct bl_effect_call call = {
        .effect = BL_EFFECT_DISMISS, .args = args, .arg_count = 3, .target = alert};
    check_int(carry_out(&call), BL_NOT_WRITTEN);
    check_str(fixture.failure.why, "GitHub answered 404: there is no such alert");
    check_status(
        bl_sim_alert(fixture.sim, 3, BL_STR("CodeQL"), BL_STR("js/xss"), BL_STR("src/a.js")),
        BL_OK);
    check_status(
        bl_sim_alert(fixture.sim, 3, BL_STR("CodeQL"), BL_STR("js/xss"), BL_STR("src/a.js")),
        BL_ERR_INVALID);
    check_status(
        bl_sim_alert(fixture.sim, 4, BL_STR("Code\nQL"), BL_STR("js/xss"), BL_STR("src/a.js")),
        BL_ERR_INVALID);
    check(!holds(&call));
    check(strstr(dumped(), "\"open_alerts\": [\n    {\n      \"number\": 3,") != NULL);
    check_int(carry_out(&call), BL_WRITTEN);
    check(holds(&call));
    check(strstr(dumped(), "\"open_alerts\"") == NULL);
    check(strstr(dumped(), "\"dismissed\": \"used_in_tests\",\n      \"comment\": "
                           "\"A fixture\"") != NULL);
}

/* The file of a store is written whole; nothing of it is there before. */
TEST(rows_are_a_file)
{
    struct bl_effect_call call = {.effect = BL_EFFECT_KEEP,
                                  .path = BL_STR("data/notes.jsonl"),
                                  .body = BL_STR("{\"id\":\"a\"}\n")};
    check_str(bl_sim_store_text(fixture.sim, call.path), "");
    check_int(carry_out(&call), BL_WRITTEN);
    check_str(bl_sim_store_text(fixture.sim, call.path), "{\"id\":\"a\"}\n");
    check(strstr(dumped(), "\"stores\": {") != NULL);
    call.body = BL_STR("{\"id\":\"b\"}\n");
    check_int(carry_out(&call), BL_WRITTEN);
    check_str(bl_sim_store_text(fixture.sim, call.path), "{\"id\":\"b\"}\n");
    bl_sim_cut_after(fixture.sim, 0);
    call.body = BL_STR("");
    check_int(carry_out(&call), BL_NOT_WRITTEN);
    check_str(bl_sim_store_text(fixture.sim, call.path), "{\"id\":\"b\"}\n");
}

/* Every effect of effects.def is the repository's or the job's; a new row must say which. */
TEST(every_effect_is_known)
{
    for (unsigned i = 0; i < BL_EFFECT_COUNT; i++) {
        const struct bl_value args[] = {bl_object_value(issue(12)), bl_text(BL_STR("x")),
                                        bl_absent(), bl_absent()};
        struct bl_effect_call call = {.effect = (enum bl_effect)i,
                                      .args = args,
                                      .arg_count = 4,
                                      .target = issue(12),
                                      .body = BL_STR("x")};
        /* A store is a file of the checkout, which is a part of the simulated world. */
        bool job = bl_effect_info((enum bl_effect)i)->permission == BL_PERMISSION_NONE &&
                   i != BL_EFFECT_KEEP;
        check_case("%.*s", BL_STR_ARG(bl_effect_info((enum bl_effect)i)->words));
        fixture.failure = (struct bl_failure){.again = false};
        (void)carry_out(&call);
        check(job ==
              bl_str_equal(fixture.failure.why, BL_STR("this effect is the job's own, not the "
                                                       "repository's")));
    }
}

/* req: FLT-18: the run is killed after any write */
TEST(a_cut_run_writes_no_more)
{
    bl_sim_cut_after(fixture.sim, 2);
    check_int(label(BL_EFFECT_ADD_LABEL, 12, "a"), BL_WRITTEN);
    check_int(post(12, BL_STR("")), BL_NOT_WRITTEN); /* refused: not carried out */
    check_int(label(BL_EFFECT_ADD_LABEL, 12, "b"), BL_WRITTEN);
    for (int i = 0; i < 3; i++) {
        check_int(label(BL_EFFECT_ADD_LABEL, 12, "c"), BL_NOT_WRITTEN);
        check_str(fixture.failure.why, "the run was cut here");
        check(fixture.failure.again);
    }
    check_issue(12, "labels", "[a, b]");
    bl_sim_uncut(fixture.sim);
    look_again();
    check_int(label(BL_EFFECT_ADD_LABEL, 12, "c"), BL_WRITTEN);
    check_size(bl_sim_write_count(fixture.sim), 3);
    check_str(bl_sim_write_text(fixture.sim, 0), "add label a to #12");
    check_str(bl_sim_write_text(fixture.sim, 2), "add label c to #12");
    check_str(bl_sim_write_text(fixture.sim, 3), "");
}

TEST(writes_fail_as_they_are_told)
{
    static const struct {
        enum bl_sim_fault fault;
        enum bl_written written;
        bool again;
        const char *labels;
    } cases[] = {
        {BL_FAULT_MISSING, BL_NOT_WRITTEN, false, "[]"},
        {BL_FAULT_SERVER_ERROR, BL_NOT_WRITTEN, true, "[]"},
        {BL_FAULT_RATE_LIMIT, BL_NOT_WRITTEN, true, "[]"},
        {BL_FAULT_REFUSED, BL_NOT_WRITTEN, false, "[]"},
        {BL_FAULT_LOST_ANSWER, BL_UNKNOWN_WRITTEN, true, "[x]"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        check(sim_tear_down(NULL) == 0);
        check(set_up(NULL) == 0);
        check_case("fault %zu", i);
        bl_sim_fail_writes(fixture.sim, cases[i].fault, 1, 1);
        check_int(label(BL_EFFECT_ADD_LABEL, 9, "y"), BL_WRITTEN); /* skipped */
        check_int(label(BL_EFFECT_ADD_LABEL, 12, "x"), cases[i].written);
        check(fixture.failure.again == cases[i].again);
        check(fixture.failure.what.len > 0 && fixture.failure.why.len > 0);
        check_issue(12, "labels", cases[i].labels);
        look_again();
        check_int(label(BL_EFFECT_ADD_LABEL, 12, "x"), BL_WRITTEN);
        check_issue(12, "labels", "[x]");
    }
}

#define SIM_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, sim_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SIM_TEST(a_label_is_set),
        SIM_TEST(a_label_that_the_repository_lacks_is_made),
        SIM_TEST(some_labels_cannot_be),
        SIM_TEST(a_label_is_removed),
        SIM_TEST(labels_go_on_pull_requests_too),
        SIM_TEST(an_issue_closes),
        SIM_TEST(an_issue_closes_as_a_duplicate),
        SIM_TEST(an_issue_opens_again),
        SIM_TEST(a_conversation_is_locked),
        SIM_TEST(a_comment_is_posted),
        SIM_TEST(github_refuses_some_comments),
        SIM_TEST(a_mark_changes_the_first_line_of_what_is_there_now),
        SIM_TEST(a_reaction_is_given_once),
        SIM_TEST(a_milestone_is_made_closed),
        SIM_TEST(a_label_is_ensured),
        SIM_TEST(a_status_is_set),
        SIM_TEST(an_alert_is_dismissed),
        SIM_TEST(rows_are_a_file),
        SIM_TEST(every_effect_is_known),
        SIM_TEST(a_cut_run_writes_no_more),
        SIM_TEST(writes_fail_as_they_are_told),
    };
    return check_main(tests);
}
