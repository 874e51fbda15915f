/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"
#include "support/check.h"
#include "unit/world/github/github_fixture.h"

#include <stdio.h>
#include <string.h>

/* Answers whose parts have another shape than they should. */

struct shape {
    const char *body;
    bool good;
};

static void read_all(enum bl_entity entity, int64_t key, const char *name, enum bl_read read,
                     const struct shape *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct fixture f;
        struct bl_failure failure;
        struct reply reply = OK(rows[i].body);
        check_case("%d: %s", (int)i, rows[i].body);
        begin_client(&f, NULL, NULL);
        give_replies(&f, &reply, 1);
        enum bl_answer answer = load(&f, thing(&f, entity, key, name), read, &failure);
        check_int(answer, rows[i].good ? BL_FOUND : BL_FAILED);
        check(rows[i].good ||
              bl_str_find(failure.why, BL_STR("has not the shape")) != SIZE_MAX);
        end_client(&f);
    }
}
#define READ_ALL(entity, key, name, read, rows)                                                \
    read_all((entity), (key), (name), (read), (rows), sizeof(rows) / sizeof((rows)[0]))

TEST(events)
{
#define EVENT(inside) "[{\"id\":7,\"created_at\":\"2026-11-01T10:00:00Z\"," inside "}]"
#define ALICE         "\"actor\":{\"login\":\"alice\",\"id\":5}"
    static const struct shape rows[] = {
        {"[]", true},
        {EVENT("\"event\":\"labeled\"," ALICE ",\"label\":{\"name\":\"bug\"}"), true},
        {EVENT("\"event\":\"closed\",\"actor\":null"), true},
        {EVENT("\"event\":\"subscribed\""), true}, /* of no interest, whatever is in it */
        {EVENT("\"event\":\"labeled\"," ALICE), false},
        {EVENT("\"event\":\"labeled\"," ALICE ",\"label\":{\"name\":7}"), false},
        {EVENT("\"event\":\"labeled\"," ALICE ",\"label\":{\"name\":\"a\\nb\"}"), false},
        {EVENT("\"event\":\"closed\""), false},
        {EVENT("\"event\":\"closed\",\"actor\":{\"login\":\"a b\"}"), false},
        {EVENT("\"event\":\"closed\",\"actor\":{}"), false},
        {EVENT("\"event\":7," ALICE), false},
        {"[{\"event\":\"closed\"," ALICE ",\"created_at\":\"2026-11-01T10:00:00Z\"}]", false},
        {"[{\"event\":\"closed\"," ALICE ",\"id\":0,\"created_at\":\"2026-11-01T10:00:00Z\"}]",
         false},
        {"[{\"event\":\"closed\"," ALICE ",\"id\":7,\"created_at\":\"yesterday\"}]", false},
        {"[null]", false},
        {"{}", false},
    };
    READ_ALL(BL_ENTITY_ISSUE, 12, "octo/demo", BL_READ_TIMELINE, rows);
}

TEST(comments)
{
#define COMMENT(url)                                                                           \
    "[{\"id\":3000000101,\"issue_url\":\"" url "\",\"user\":null,\"body\":\"x\","              \
    "\"author_association\":\"NONE\",\"created_at\":\"2026-11-01T10:00:00Z\"}]"
    static const struct shape rows[] = {
        {COMMENT("https://api.github.com/repos/octo/demo/issues/12"), true},
        {COMMENT("https://api.github.com/repos/octo/demo/issues/13"), false},
        {COMMENT("https://api.github.com/repos/octo/demo/issues/"), false},
        {COMMENT("12"), false},
        {COMMENT("https://api.github.com/repos/octo/demo/issues/"
                 "99999999999999999999999912"),
         false},
        {"[{\"id\":3000000101}]", false},
        {"[{}]", false},
    };
    READ_ALL(BL_ENTITY_ISSUE, 12, "octo/demo", BL_READ_COMMENTS, rows);
}

TEST(reactions)
{
#define REACTION(content)                                                                      \
    "[{\"id\":7,\"user\":null,\"content\":" content ",\"created_at\":\"2026-11-01T10:00:"      \
    "00Z\"}]"
    static const struct shape rows[] = {
        {REACTION("\"+1\""), true},
        {REACTION("\"clapping\""), true}, /* one that was added later */
        {REACTION("7"), false},
        {"[{\"id\":7,\"content\":\"+1\",\"created_at\":\"2026-11-01T10:00:00Z\"}]", false},
    };
    READ_ALL(BL_ENTITY_COMMENT, 3000000101, "octo/demo", BL_READ_REACTIONS, rows);
}

static void permission_of(const char *body, unsigned expected)
{
    struct fixture f;
    struct bl_failure failure;
    struct reply reply = OK(body);
    check_case("%s", body);
    begin_client(&f, NULL, NULL);
    give_replies(&f, &reply, 1);
    struct bl_object *user = thing(&f, BL_ENTITY_USER, 0, "alice");
    check_int(load(&f, user, BL_READ_PERMISSION, &failure), BL_FOUND);
    check_int(bl_object_get(user, BL_FIELD_USER_PERMISSION).as.i, expected);
    end_client(&f);
}

TEST(permissions)
{
    static const struct shape rows[] = {
        {"{}", false},
        {"{\"permission\":7}", false},
        {"{\"permission\":\"everything\"}", false},
    };
    READ_ALL(BL_ENTITY_USER, 0, "alice", BL_READ_PERMISSION, rows);
    permission_of("{\"permission\":\"admin\"}", BL_PERMISSION_ADMIN);
    permission_of("{\"permission\":\"write\",\"role_name\":\"maintain\"}",
                  BL_PERMISSION_MAINTAIN);
    permission_of("{\"permission\":\"read\",\"role_name\":\"triage\"}", BL_PERMISSION_TRIAGE);
    permission_of("{\"permission\":\"none\"}", BL_PERMISSION_NO_ACCESS);
    /* A role of the repository's own. */
    permission_of("{\"permission\":\"write\",\"role_name\":\"moderators\"}",
                  BL_PERMISSION_WRITE);
    permission_of("{\"permission\":\"read\",\"role_name\":\"moderators\",\"user\":{"
                  "\"permissions\":{\"admin\":false,\"maintain\":false,\"push\":false,"
                  "\"triage\":true,\"pull\":true}}}",
                  BL_PERMISSION_TRIAGE);
    permission_of("{\"permission\":\"write\",\"user\":{\"permissions\":{\"pull\":false,"
                  "\"push\":false}}}",
                  BL_PERMISSION_NO_ACCESS);
}

#define NODES(inside, more)                                                                    \
    "{\"data\":{\"repository\":{\"issues\":{\"nodes\":[" inside "],\"pageInfo\":{" more "}}}}" \
    "}"
#define LAST "\"hasNextPage\":false,\"endCursor\":null"
#define GRAPH_ISSUE(number, author, labels)                                                    \
    "{\"number\":" number ",\"title\":\"x\",\"body\":\"\",\"state\":\"OPEN\","                 \
    "\"stateReason\":null,\"createdAt\":\"2026-11-01T10:00:00Z\",\"closedAt\":null,"           \
    "\"locked\":false,\"authorAssociation\":\"NONE\",\"author\":" author ","                   \
    "\"labels\":{\"nodes\":" labels ",\"pageInfo\":{\"hasNextPage\":false}},"                  \
    "\"assignees\":{\"nodes\":[],\"pageInfo\":{\"hasNextPage\":false}},"                       \
    "\"reactions\":{\"totalCount\":0},\"comments\":{\"totalCount\":0},"                        \
    "\"repository\":{\"nameWithOwner\":\"octo/demo\"}}"
#define BOT "{\"__typename\":\"Bot\",\"login\":\"renovate\",\"databaseId\":9}"

TEST(issues_of_graphql)
{
    static const struct shape rows[] = {
        {NODES("", LAST), true},
        {NODES(GRAPH_ISSUE("12", BOT, "[]"), LAST), true},
        {NODES(GRAPH_ISSUE("12", "null", "[{\"name\":\"bug\"}]"), LAST), true},
        {NODES(GRAPH_ISSUE("0", "null", "[]"), LAST), false},
        {NODES(GRAPH_ISSUE("\"12\"", "null", "[]"), LAST), false},
        {NODES(GRAPH_ISSUE("12", "{\"login\":\"x\"}", "[]"), LAST), false},
        {NODES(GRAPH_ISSUE("12", "{\"__typename\":\"User\",\"login\":\"a b\"}", "[]"), LAST),
         false},
        {NODES(GRAPH_ISSUE("12", "null", "[{}]"), LAST), false},
        {NODES(GRAPH_ISSUE("12", "null", "null"), LAST), false},
        {NODES("null", LAST), false},
        {NODES("{\"number\":12}", LAST), false},
        {NODES("", "\"hasNextPage\":true,\"endCursor\":null"), false},
        {NODES("", "\"hasNextPage\":true,\"endCursor\":\"\""), false},
        {NODES("", "\"hasNextPage\":7"), false},
        {NODES("", ""), false},
        {"{\"data\":{\"repository\":{\"issues\":{\"nodes\":{}}}}}", false},
        {"{\"data\":{\"repository\":{\"issues\":null}}}", false},
        {"{\"data\":{\"repository\":7}}", false},
        {"{\"data\":{}}", false},
    };
    READ_ALL(BL_ENTITY_REPOSITORY, 0, "octo/demo", BL_READ_OPEN_ISSUES, rows);
}

#define IN_ISSUE(what) "{\"data\":{\"repository\":{\"issue\":" what "}}"
#define IN_PULL(nodes)                                                                         \
    "{\"data\":{\"repository\":{\"pullRequest\":{\"closingIssuesReferences\":{\"nodes\":"      \
    "[" nodes "],\"pageInfo\":{" LAST "}}}}}}"

/* req: FLT-02
 * Missing is what GitHub says is missing; what is of another repository nobody asks it for. */
TEST(what_is_missing_and_what_is_elsewhere)
{
    static const struct {
        const char *body;
        enum bl_answer answer;
    } rows[] = {
        {IN_ISSUE("null") ",\"errors\":[{\"type\":\"NOT_FOUND\",\"path\":[\"repository\","
                          "\"issue\"]}]}",
         BL_MISSING},
        {IN_ISSUE("null") "}", BL_FAILED},
        {IN_ISSUE("{\"closedByPullRequestsReferences\":null}") ",\"errors\":[{\"type\":"
                                                               "\"NOT_FOUND\",\"path\":["
                                                               "\"repository\",\"issue\","
                                                               "\"x\"]}]}",
         BL_FAILED},
    };
    struct fixture f;
    struct bl_failure failure;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct reply reply = OK(rows[i].body);
        check_case("%s", rows[i].body);
        begin_client(&f, NULL, NULL);
        give_replies(&f, &reply, 1);
        check_int(load(&f, thing(&f, BL_ENTITY_ISSUE, 12, "octo/demo"), BL_READ_CLOSING_PULLS,
                       &failure),
                  rows[i].answer);
        end_client(&f);
    }
    begin_client(&f, NULL, NULL);
    REPLIES(&f, OK(ISSUE("")), OK(ISSUE("")));
    check_int(load(&f, thing(&f, BL_ENTITY_ISSUE, 12, "octo/other"), BL_READ_ISSUE, &failure),
              BL_MISSING);
    check_size(f.sent_count, 0);
    /* Another one than was asked for is none. */
    check_int(load(&f, thing(&f, BL_ENTITY_ISSUE, 13, "octo/demo"), BL_READ_ISSUE, &failure),
              BL_FAILED);
    end_client(&f);
}

TEST(issues_of_other_repositories_are_none)
{
    static const char elsewhere[] =
        IN_PULL(GRAPH_ISSUE("12", BOT, "[]") ",{\"repository\":{\"nameWithOwner\":\"octo/x\"},"
                                             "\"number\":12}");
    struct fixture f;
    struct bl_failure failure;
    const struct reply reply = OK(elsewhere);
    begin_client(&f, NULL, NULL);
    give_replies(&f, &reply, 1);
    struct bl_object *pull = thing(&f, BL_ENTITY_PULL_REQUEST, 40, "octo/demo");
    check_int(load(&f, pull, BL_READ_CLOSING_ISSUES, &failure), BL_FOUND);
    const struct bl_list *list = bl_object_get(pull, BL_FIELD_PULL_REQUEST_CLOSES).as.list;
    check_int(list->count, 1);
    check_str(bl_text_of(bl_object_get(list->items[0].as.object, BL_FIELD_ISSUE_REPOSITORY)),
              "octo/demo");
    end_client(&f);
}

/* The actor of an assignment is who was assigned. */
TEST(who_did_it)
{
    struct fixture f;
    struct bl_failure failure;
    begin_client(&f, NULL, NULL);
    REPLIES(&f, OK(EVENT("\"event\":\"assigned\"," ALICE
                         ",\"assigner\":{\"login\":\"maria\",\"id\":6}")));
    struct bl_object *issue = thing(&f, BL_ENTITY_ISSUE, 12, "octo/demo");
    check_int(load(&f, issue, BL_READ_TIMELINE, &failure), BL_FOUND);
    const struct bl_list *list = bl_object_get(issue, BL_FIELD_ISSUE_TIMELINE).as.list;
    const struct bl_object *actor =
        bl_object_of(bl_object_get(list->items[0].as.object, BL_FIELD_TIMELINE_EVENT_ACTOR));
    check_str(actor->name, "maria");
    end_client(&f);
}

TEST(bots_and_words_of_graphql)
{
    struct fixture f;
    struct bl_failure failure;
    begin_client(&f, NULL, NULL);
    struct bl_object *repository = thing(&f, BL_ENTITY_REPOSITORY, 0, "octo/demo");
    REPLIES(&f, OK(NODES(GRAPH_ISSUE("12", BOT, "[{\"name\":\"bug\"}]"), LAST)));
    check_int(load(&f, repository, BL_READ_OPEN_ISSUES, &failure), BL_FOUND);
    struct bl_list *list = bl_object_get(repository, BL_FIELD_REPOSITORY_OPEN_ISSUES).as.list;
    check_int(list->count, 1);
    struct bl_object *issue = list->items[0].as.object;
    struct bl_object *author = bl_object_of(bl_object_get(issue, BL_FIELD_ISSUE_AUTHOR));
    check_str(author->name, "renovate[bot]");
    check_int(bl_object_get(author, BL_FIELD_USER_KIND).as.i, BL_USER_KIND_BOT);
    check_int(bl_object_get(issue, BL_FIELD_ISSUE_STATE).as.i, BL_ISSUE_STATE_OPEN);
    check(bl_object_knows(issue, BL_FIELD_ISSUE_STATE_REASON));
    check(bl_is_absent(bl_object_get(issue, BL_FIELD_ISSUE_STATE_REASON)));
    /* All of it is known: nothing is asked for again. */
    struct bl_value title;
    check_status(bl_snapshot_field(f.snapshot, issue, BL_FIELD_ISSUE_TITLE, &title, &failure),
                 BL_OK);
    check_size(f.sent_count, 1);
    end_client(&f);
}

static void title_and_upvotes(struct bl_github_options *options)
{
    options->issue_fields = UINT32_C(1) << bl_field_slot(BL_FIELD_ISSUE_TITLE) |
                            UINT32_C(1) << bl_field_slot(BL_FIELD_ISSUE_THUMBS_UP);
}

#define LEAN(more)                                                                             \
    "{" more "\"number\":12,\"title\":\"T\",\"state\":\"OPEN\",\"stateReason\":null,"          \
    "\"createdAt\":\"2026-09-01T10:00:00Z\",\"closedAt\":null,\"locked\":false,"               \
    "\"authorAssociation\":\"NONE\",\"author\":null,\"labels\":{\"nodes\":[],"                 \
    "\"pageInfo\":{\"hasNextPage\":false}}}"

/* What the module does not ask for is left out of the query, and read alone if it is asked for
 * all the same; what it asks for must be there. */
TEST(lists_bring_what_the_run_asks_for)
{
    struct fixture f;
    struct bl_failure failure;
    struct bl_value v;
    begin_client(&f, NULL, title_and_upvotes);
    struct bl_object *repository = thing(&f, BL_ENTITY_REPOSITORY, 0, "octo/demo");
    REPLIES(&f, OK(NODES(LEAN("\"reactions\":{\"totalCount\":3},"), LAST)), OK(ISSUE("")));
    check_int(load(&f, repository, BL_READ_OPEN_ISSUES, &failure), BL_FOUND);
    check(strstr(f.sent[0].body, "\"text\":false") != NULL);
    check(strstr(f.sent[0].body, "\"assignees\":false") != NULL);
    check(strstr(f.sent[0].body, "\"comments\":false") != NULL);
    check(strstr(f.sent[0].body, "\"upvotes\":false") == NULL);
    struct bl_object *issue =
        bl_object_get(repository, BL_FIELD_REPOSITORY_OPEN_ISSUES).as.list->items[0].as.object;
    check_int(bl_object_get(issue, BL_FIELD_ISSUE_THUMBS_UP).as.i, 3);
    check(!bl_object_knows(issue, BL_FIELD_ISSUE_TEXT));
    check_status(bl_snapshot_field(f.snapshot, issue, BL_FIELD_ISSUE_ASSIGNEES, &v, &failure),
                 BL_OK);
    check_size(f.sent_count, 2);
    end_client(&f);

    begin_client(&f, NULL, title_and_upvotes);
    repository = thing(&f, BL_ENTITY_REPOSITORY, 0, "octo/demo");
    REPLIES(&f, OK(NODES(LEAN(""), LAST)));
    check_int(load(&f, repository, BL_READ_OPEN_ISSUES, &failure), BL_FAILED);
    end_client(&f);
}

/* req: CTX-30, PRF-03: whatever the answer holds, no more of a text than GitHub keeps. */
#define KEPT 65536

TEST(no_more_of_a_text_is_read_than_github_keeps)
{
    static char body[3 * KEPT];
    static const char head[] = "[{\"id\":3000000101,\"issue_url\":"
                               "\"https://api.github.com/repos/octo/demo/issues/12\","
                               "\"user\":null,\"author_association\":\"NONE\","
                               "\"created_at\":\"2026-11-01T10:00:00Z\",\"body\":\"";
    for (int longer = 0; longer < 2; longer++) {
        struct fixture f;
        struct bl_failure failure;
        struct bl_value list, comment;
        bool end;
        size_t len = sizeof(head) - 1;
        memcpy(body, head, len);
        for (int i = 0; i < KEPT + longer; i++) {
            memcpy(body + len, "\xC3\xA9", 2); /* a character is no byte */
            len += 2;
        }
        memcpy(body + len, "\"}]", sizeof("\"}]"));
        struct reply reply = OK(body);
        begin_client(&f, NULL, NULL);
        give_replies(&f, &reply, 1);
        struct bl_object *issue = thing(&f, BL_ENTITY_ISSUE, 12, "octo/demo");
        check_status(
            bl_snapshot_field(f.snapshot, issue, BL_FIELD_ISSUE_COMMENTS, &list, &failure),
            BL_OK);
        check_status(bl_list_at(list.as.list, 0, &comment, &end), BL_OK);
        bl_str text = bl_text_of(bl_object_get(comment.as.object, BL_FIELD_COMMENT_TEXT));
        check_size(text.len, (size_t)2 * KEPT);
        check_size(bl_utf8_length(text), KEPT);
        end_client(&f);
    }
}

#define COMMITS_OF_A_PAGE 100

TEST(too_many_commits)
{
    static char body[COMMITS_OF_A_PAGE * 400];
    struct fixture f;
    struct bl_failure failure;
    size_t len = 1;
    body[0] = '[';
    for (int i = 0; i < COMMITS_OF_A_PAGE; i++) {
        int n = snprintf(body + len, sizeof(body) - len,
                         "%s{\"sha\":\"%040d\",\"author\":null,\"committer\":{},\"commit\":{"
                         "\"author\":{\"email\":\"a@b\",\"date\":\"2026-11-01T10:00:00Z\"},"
                         "\"committer\":{\"date\":\"2026-11-01T10:00:00Z\"},"
                         "\"message\":\"m\"}}",
                         i > 0 ? "," : "", i);
        check(n > 0);
        len += (size_t)n;
    }
    (void)snprintf(body + len, sizeof(body) - len, "]");
#define PULLS "https://api.github.com/repositories/77/pulls/40/commits?page="
#define MORE(n)                                                                                \
    {                                                                                          \
        BL_WIRE_ANSWERED, 200,                                                                 \
            "Content-Type: application/json\nLink: <" PULLS n ">; rel=\"next\"", body          \
    }
    /* 100, 200: whole. 300 stands for the 250 at which GitHub stops. */
    const struct reply replies[] = {MORE("2"), MORE("3"), OK(body)};
    begin_client(&f, NULL, NULL);
    struct bl_object *pull = thing(&f, BL_ENTITY_PULL_REQUEST, 40, "octo/demo");
    give_replies(&f, replies, 3);
    check_int(load(&f, pull, BL_READ_PULL_COMMITS, &failure), BL_FAILED);
    check_str(failure.why, "GitHub lists no more than 250 of them");
    check(!bl_object_knows(pull, BL_FIELD_PULL_REQUEST_COMMITS));
    end_client(&f);
    begin_client(&f, NULL, NULL);
    pull = thing(&f, BL_ENTITY_PULL_REQUEST, 40, "octo/demo");
    give_replies(&f, replies + 1, 2);
    check_int(load(&f, pull, BL_READ_PULL_COMMITS, &failure), BL_FOUND);
    struct bl_value commits = bl_object_get(pull, BL_FIELD_PULL_REQUEST_COMMITS);
    check_int(commits.as.list->count, 200);
    end_client(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events),
        cmocka_unit_test(comments),
        cmocka_unit_test(reactions),
        cmocka_unit_test(permissions),
        cmocka_unit_test(issues_of_graphql),
        cmocka_unit_test(what_is_missing_and_what_is_elsewhere),
        cmocka_unit_test(issues_of_other_repositories_are_none),
        cmocka_unit_test(who_did_it),
        cmocka_unit_test(bots_and_words_of_graphql),
        cmocka_unit_test(lists_bring_what_the_run_asks_for),
        cmocka_unit_test(no_more_of_a_text_is_read_than_github_keeps),
        cmocka_unit_test(too_many_commits),
    };
    return check_main(tests);
}
