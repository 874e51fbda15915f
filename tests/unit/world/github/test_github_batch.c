/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"
#include "unit/world/github/github_fixture.h"

#include <stdio.h>

/* Comments of many issues in one query, for who goes through a list of them. */

#define COMMENT(id, text)                                                                      \
    "{\"fullDatabaseId\":\"" id "\",\"body\":\"" text "\","                                    \
    "\"createdAt\":\"2026-11-02T08:00:00Z\",\"authorAssociation\":\"OWNER\","                  \
    "\"author\":{\"__typename\":\"User\",\"login\":\"maria\",\"databaseId\":7},"               \
    "\"up\":{\"totalCount\":1},\"down\":{\"totalCount\":2}}"
#define COMMENTS(more, nodes)                                                                  \
    "{\"comments\":{\"nodes\":[" nodes "],\"pageInfo\":{\"hasNextPage\":" more "}}}"
#define ANSWER_OF(parts)                                                                       \
    "{\"data\":{\"rateLimit\":{\"cost\":1,\"remaining\":9},\"repository\":{" parts "}}"
#define REST(id, number)                                                                       \
    "[{\"id\":" id ",\"user\":{\"login\":\"maria\",\"id\":7,\"type\":\"User\"},"               \
    "\"author_association\":\"OWNER\",\"created_at\":\"2026-11-02T08:00:00Z\","                \
    "\"body\":\"Alone\",\"reactions\":{\"+1\":0,\"-1\":0},\"issue_url\":"                      \
    "\"https://api.github.com/repos/octo/demo/issues/" number "\"}]"

static struct fixture f;
static struct bl_failure failure;
static struct bl_object *issues[30];
static const struct bl_world *world;

static void begin_list_with(size_t count, void (*change)(struct bl_github_options *options))
{
    begin_client(&f, NULL, change);
    world = bl_github_world(f.github);
    struct bl_list *list = bl_list_create(&f.arena);
    for (size_t i = 0; i < count; i++) {
        issues[i] = thing(&f, BL_ENTITY_ISSUE, (int64_t)i + 1, "octo/demo");
        check_status(bl_list_push(&f.arena, list, bl_object_value(issues[i])), BL_OK);
    }
    world->expect(world->self, list);
}

static void only_comments(struct bl_github_options *options)
{
    options->issue_fields = UINT32_C(1) << bl_field_slot(BL_FIELD_ISSUE_COMMENTS);
}

static void begin_list(size_t count)
{
    begin_list_with(count, only_comments);
}

/* As the machine asks: what is known is not read. */
static const char *text_of(size_t i)
{
    struct bl_value comments, comment;
    bool end;
    if (bl_snapshot_field(f.snapshot, issues[i], BL_FIELD_ISSUE_COMMENTS, &comments,
                          &failure) != BL_OK ||
        bl_list_at(comments.as.list, 0, &comment, &end) != BL_OK) {
        return "failed";
    }
    return end ? "none"
               : bl_text_of(bl_object_get(comment.as.object, BL_FIELD_COMMENT_TEXT)).ptr;
}

static void check_text(size_t i, const char *wanted, size_t sent)
{
    check_case("%zu", i);
    const char *text = text_of(i);
    check_case("%zu: %.40s (%.*s)", i, text, BL_STR_ARG(failure.why));
    check(strncmp(text, wanted, strlen(wanted)) == 0);
    check_size(f.sent_count, sent);
}

TEST(comments_of_the_next_ones_come_along)
{
    begin_list(3);
    REPLIES(&f,
            OK(ANSWER_OF(
                "\"i0\":" COMMENTS("false", COMMENT("3000000101", "One")) ",\"i1\":" COMMENTS(
                    "false", "") ",\"i2\":" COMMENTS("false",
                                                     COMMENT("3000000103", "Three"))) "}"));
    check_text(0, "One", 1);
    check_text(1, "none", 1);
    check_text(2, "Three", 1);
    check(strstr(f.sent[0].body, "i0: issue(number: 1)") != NULL);
    check(strstr(f.sent[0].body, "i2: issue(number: 3)") != NULL);
    struct bl_object *comment =
        bl_object_get(issues[0], BL_FIELD_ISSUE_COMMENTS).as.list->items[0].as.object;
    check_int(comment->key, 3000000101);
    check_int(bl_object_get(comment, BL_FIELD_COMMENT_THUMBS_DOWN).as.i, 2);
    check(bl_object_of(bl_object_get(comment, BL_FIELD_COMMENT_ISSUE)) == issues[0]);
    check_size(bl_github_counts(f.github).points, 1);
    end_client(&f);
}

#define EVENT(type, more)                                                                      \
    "{\"__typename\":\"" type "\",\"id\":\"EV_" type "\","                                     \
    "\"createdAt\":\"2026-11-02T08:00:00Z\",\"actor\":{\"__typename\":\"User\","               \
    "\"login\":\"maria\",\"databaseId\":7}" more "}"
#define EDIT(id, at) "{\"id\":\"" id "\",\"editedAt\":\"" at "\",\"editor\":null}"
#define EVERYTHING(label)                                                                      \
    "{\"comments\":{\"nodes\":[" COMMENT(                                                      \
        "9",                                                                                   \
        "Hello") "],\"pageInfo\":{\"hasNextPage\":false}},"                                    \
                 "\"timelineItems\":{\"nodes\":[" EVENT("LabeledEvent", label) "," EVENT(      \
                     "ClosedEvent",                                                            \
                     "") "],"                                                                  \
                         "\"pageInfo\":{\"hasNextPage\":false}},"                              \
                         "\"userContentEdits\":{\"nodes\":[" EDIT(                             \
                             "E2",                                                             \
                             "2026-11-05T08:00:"                                               \
                             "00Z") "," EDIT("E1",                                             \
                                             "2026-11-01T08:00:00Z") "],"                      \
                                                                     "\"pageInfo\":{"          \
                                                                     "\"hasNextPage\":false}}" \
                                                                     ","                       \
                                                                     "\"createdAt\":\"2026-"   \
                                                                     "11-01T08:00:00Z\"}"

static const struct bl_list *list_of(size_t i, enum bl_field field)
{
    struct bl_value list = bl_absent();
    check_case("%zu: %.*s", i, BL_STR_ARG(bl_field_info(field)->name));
    check_status(bl_snapshot_field(f.snapshot, issues[i], field, &list, &failure), BL_OK);
    return list.as.list;
}

/* Comments, history and edits are asked for with one query when the run asks for them. */
TEST(whatever_is_asked_of_issues_comes_along)
{
    begin_list_with(2, NULL);
    REPLIES(
        &f,
        OK(ANSWER_OF("\"i0\":" EVERYTHING(
            ",\"label\":{\"name\":\"Stale\"}") ",\"i1\":" EVERYTHING(",\"label\":null")) "}"),
        OK("[]"));
    const struct bl_list *timeline = list_of(0, BL_FIELD_ISSUE_TIMELINE);
    check_int(timeline->count, 2);
    const struct bl_object *event = timeline->items[0].as.object;
    check_int(bl_object_get(event, BL_FIELD_TIMELINE_EVENT_KIND).as.i,
              BL_TIMELINE_KIND_LABELED);
    check_str(bl_text_of(bl_object_get(event, BL_FIELD_TIMELINE_EVENT_LABEL)), "Stale");
    check(bl_is_absent(
        bl_object_get(timeline->items[1].as.object, BL_FIELD_TIMELINE_EVENT_LABEL)));
    /* The text as it was opened is no edit. */
    check_int(list_of(0, BL_FIELD_ISSUE_TEXT_EDITS)->count, 1);
    check_int(list_of(0, BL_FIELD_ISSUE_COMMENTS)->count, 1);
    check_int(list_of(1, BL_FIELD_ISSUE_COMMENTS)->count, 1);
    check_int(list_of(1, BL_FIELD_ISSUE_TEXT_EDITS)->count, 1);
    check_size(f.sent_count, 1);
    /* A label that is gone is nobody's name: that history is read alone. */
    check_int(list_of(1, BL_FIELD_ISSUE_TIMELINE)->count, 0);
    check_size(f.sent_count, 2);
    end_client(&f);
}

/* What no rule asks for is not in the query, unless it is asked for all the same. */
TEST(only_what_is_asked_of_issues_comes_along)
{
    begin_list(2);
    REPLIES(&f,
            OK(ANSWER_OF(
                "\"i0\":" EVERYTHING(",\"label\":{\"name\":\"Stale\"}") ",\"i1\":" EVERYTHING(
                    ",\"label\":{\"name\":\"Stale\"}")) "}"),
            OK(ANSWER_OF(
                "\"i0\":" EVERYTHING(",\"label\":{\"name\":\"Stale\"}") ",\"i1\":" EVERYTHING(
                    ",\"label\":{\"name\":\"Stale\"}")) "}"));
    (void)list_of(0, BL_FIELD_ISSUE_COMMENTS);
    check(strstr(f.sent[0].body, "comments(first") != NULL);
    check(strstr(f.sent[0].body, "timelineItems") == NULL);
    check(strstr(f.sent[0].body, "userContentEdits") == NULL);
    (void)list_of(0, BL_FIELD_ISSUE_TIMELINE);
    (void)list_of(1, BL_FIELD_ISSUE_TIMELINE);
    check(strstr(f.sent[1].body, "timelineItems") != NULL);
    check_size(f.sent_count, 2);
    end_client(&f);
}

TEST(twenty_at_a_time)
{
    begin_list(25);
    REPLIES(&f, OK(ANSWER_OF("\"i0\":null") "}"), OK("[]"));
    (void)text_of(0);
    check(strstr(f.sent[0].body, "i19: issue(number: 20)") != NULL);
    check(strstr(f.sent[0].body, "i20:") == NULL);
    end_client(&f);
}

/* Others may have been touched, by the write or meanwhile. */
TEST(what_came_along_is_forgotten_when_something_is_written)
{
    begin_list(3);
    REPLIES(&f,
            OK(ANSWER_OF("\"i0\":" COMMENTS("false", "") ",\"i1\":" COMMENTS(
                "false", COMMENT("2", "Old")) ",\"i2\":" COMMENTS("false",
                                                                  COMMENT("3", "Old"))) "}"),
            ANSWER(201, "{\"id\":5}"),
            OK(ANSWER_OF("\"i0\":" COMMENTS("false", COMMENT("2", "New")) ",\"i1\":" COMMENTS(
                "false", COMMENT("3", "New"))) "}"));
    check_text(0, "none", 1);
    check_text(1, "Old", 1);
    struct bl_value target = bl_object_value(issues[0]);
    const struct bl_effect_call call = {
        .effect = BL_EFFECT_POST, .args = &target, .arg_count = 1, .body = BL_STR("Hello.")};
    (void)world->write(world->self, &f.arena, &call, &failure);
    check_size(f.sent_count, 2);
    check_text(1, "New", 3);
    check_text(2, "New", 3);
    check_text(0, "none", 3); /* whoever wrote forgets its own target */
    end_client(&f);
}

/* A part that was not found, more pages, and an identity that is none: read alone. */
TEST(what_is_not_whole_is_read_alone)
{
    begin_list(4);
    REPLIES(
        &f,
        OK(ANSWER_OF(
            "\"i0\":null,\"i1\":" COMMENTS("true", COMMENT("2", "Half")) ",\"i2\":" COMMENTS(
                "false",
                COMMENT("x",
                        "None")) ",\"i3\":" COMMENTS("false",
                                                     COMMENT(
                                                         "4",
                                                         "Four"))) ",\"errors\":[{\"type\":"
                                                                   "\"NOT_FOUND\",\"path\":["
                                                                   "\"repository\",\"i0\"]}]}"),
        OK(REST("1", "1")), OK(REST("2", "2")), OK(REST("3", "3")));
    check_text(0, "Alone", 2);
    check_text(3, "Four", 2);
    world->expect(world->self, NULL);
    check_text(1, "Alone", 3);
    check_text(2, "Alone", 4);
    end_client(&f);
}

/* req: CTX-30, PRF-03 */
#define KEPT 65536

TEST(no_more_of_a_text_is_read_than_github_keeps)
{
    static char large[KEPT + 2];
    static char body[KEPT + 2000];
    memset(large, 'x', sizeof(large) - 1);
    check(snprintf(body, sizeof(body),
                   ANSWER_OF("\"i0\":" COMMENTS(
                       "false", COMMENT("9", "%s")) ",\"i1\":" COMMENTS("false", "")) "}",
                   large) > 0);
    struct reply reply = OK(body);
    struct bl_value comments, comment;
    bool end;
    begin_list(2);
    give_replies(&f, &reply, 1);
    check_status(
        bl_snapshot_field(f.snapshot, issues[0], BL_FIELD_ISSUE_COMMENTS, &comments, &failure),
        BL_OK);
    check_status(bl_list_at(comments.as.list, 0, &comment, &end), BL_OK);
    check_size(bl_text_of(bl_object_get(comment.as.object, BL_FIELD_COMMENT_TEXT)).len, KEPT);
    check_size(f.sent_count, 1);
    end_client(&f);
}

TEST(after_a_failure_each_is_read_alone)
{
    begin_list(3);
    REPLIES(&f, OK("{\"data\":null,\"errors\":[{\"message\":\"Too much.\"}]}"),
            ANSWER(403, "{\"message\":\"no\"}"), OK(REST("1", "1")), OK(REST("2", "2")));
    f.replies++;
    f.reply_count--;
    check_text(0, "Alone", 2);
    check_text(1, "Alone", 3);
    end_client(&f);
}

/* Who looks at one thing as it is now has a snapshot of its own. */
TEST(another_snapshot_is_read_by_itself)
{
    begin_list(3);
    REPLIES(&f, OK(REST("2", "2")));
    struct bl_snapshot *fresh = bl_snapshot_create(&f.arena, world);
    struct bl_object *issue =
        bl_snapshot_object(fresh, BL_ENTITY_ISSUE, 2, BL_STR("octo/demo"));
    check_int(bl_snapshot_load(fresh, issue, BL_READ_COMMENTS, &failure), BL_FOUND);
    check_size(f.sent_count, 1);
    check(strstr(f.sent[0].url, "/issues/2/comments") != NULL);
    end_client(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comments_of_the_next_ones_come_along),
        cmocka_unit_test(whatever_is_asked_of_issues_comes_along),
        cmocka_unit_test(only_what_is_asked_of_issues_comes_along),
        cmocka_unit_test(twenty_at_a_time),
        cmocka_unit_test(what_came_along_is_forgotten_when_something_is_written),
        cmocka_unit_test(what_is_not_whole_is_read_alone),
        cmocka_unit_test(no_more_of_a_text_is_read_than_github_keeps),
        cmocka_unit_test(after_a_failure_each_is_read_alone),
        cmocka_unit_test(another_snapshot_is_read_by_itself),
    };
    return check_main(tests);
}
