/* SPDX-License-Identifier: Apache-2.0 */
#include "support/allocator.h"
#include "support/check.h"
#include "unit/world/github/github_fixture.h"

/* What is followed and what is not: redirects, pages, what did not change, errors of GraphQL.
 */

static enum bl_answer read_issue(struct fixture *f, struct bl_failure *failure)
{
    return load(f, thing(f, BL_ENTITY_ISSUE, 12, "octo/demo"), BL_READ_ISSUE, failure);
}

/* ---- redirects and pages ----------------------------------------------------------------- */

#define DATA(inside) "{\"data\":{\"rateLimit\":{\"cost\":3},\"repository\":{" inside "}}"
#define MOVED(url)   WITH(301, "Location: " url, "{}")

TEST(redirects)
{
    static const struct {
        struct reply first;
        enum bl_answer answer;
        size_t sent;
    } rows[] = {
        /* The repository was renamed. */
        {MOVED("https://api.github.com/repositories/77/issues/12"), BL_FOUND, 2},
        /* The issue moved to another one. */
        {MOVED("https://api.github.com/repositories/78/issues/3"), BL_MISSING, 1},
        {MOVED("https://api.github.com/repositories/777/issues/3"), BL_MISSING, 1},
        {MOVED("https://api.github.com/repos/octo/other/issues/3"), BL_FAILED, 1},
        {MOVED("https://evil.example/repositories/77/issues/12"), BL_FAILED, 1},
        {MOVED("http://api.github.com/repositories/77/issues/12"), BL_FAILED, 1},
        {MOVED("https://api.github.com:444/repositories/77/issues/12"), BL_FAILED, 1},
        {MOVED("https://api.github.com@evil.example/repositories/77/x"), BL_FAILED, 1},
        {MOVED("/repositories/77/issues/12"), BL_FAILED, 1},
        {MOVED("//evil.example/repositories/77"), BL_FAILED, 1},
        {ANSWER(301, "{}"), BL_FAILED, 1},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct fixture f;
        struct bl_failure failure;
        struct reply replies[2] = {rows[i].first, OK(ISSUE(""))};
        check_case("%s", rows[i].first.headers != NULL ? rows[i].first.headers : "none");
        begin_client(&f, NULL, NULL);
        give_replies(&f, replies, 2);
        check_int(read_issue(&f, &failure), rows[i].answer);
        check_size(f.sent_count, rows[i].sent);
        end_client(&f);
    }
}

TEST(redirects_end)
{
    struct fixture f;
    struct bl_failure failure;
    begin_client(&f, NULL, NULL);
    REPLIES(&f, MOVED("https://api.github.com/repositories/77/issues/12"),
            MOVED("https://api.github.com/repositories/77/issues/12"),
            MOVED("https://api.github.com/repositories/77/issues/12"),
            MOVED("https://api.github.com/repositories/77/issues/12"), OK(ISSUE("")));
    check_int(read_issue(&f, &failure), BL_FAILED);
    check_size(f.sent_count, 4);
    end_client(&f);
}

static void unknown_id(struct bl_github_options *options)
{
    options->repository_id = 0;
}

TEST(without_the_repositorys_number_nobody_knows_who_moved)
{
    struct fixture f;
    struct bl_failure failure;
    begin_client(&f, NULL, unknown_id);
    REPLIES(&f, MOVED("https://api.github.com/repositories/77/issues/12"), OK(ISSUE("")));
    check_int(read_issue(&f, &failure), BL_FAILED);
    end_client(&f);
}

#define NEXT(url) "Content-Type: application/json\nLink: <" url ">; rel=\"next\""
#define PAGE_2    "https://api.github.com/repositories/77/labels?page=2"

TEST(pages_are_read_when_they_are_asked_for)
{
    struct fixture f;
    struct bl_failure failure;
    struct bl_value item;
    bool end;
    begin_client(&f, NULL, NULL);
    struct bl_object *repository = thing(&f, BL_ENTITY_REPOSITORY, 0, "octo/demo");
    REPLIES(&f, WITH(200, NEXT(PAGE_2), "[{\"name\":\"a\"},{\"name\":\"b\"}]"),
            OK("[{\"name\":\"c\"}]"));
    check_int(load(&f, repository, BL_READ_LABELS, &failure), BL_FOUND);
    struct bl_list *list = bl_object_get(repository, BL_FIELD_REPOSITORY_LABELS).as.list;
    check_status(bl_list_at(list, 1, &item, &end), BL_OK);
    check_str(bl_text_of(item), "b");
    check_size(f.sent_count, 1);
    check_status(bl_list_at(list, 2, &item, &end), BL_OK);
    check_str(bl_text_of(item), "c");
    check_size(f.sent_count, 2);
    check_str(bl_str_from(f.sent[1].url), PAGE_2);
    check_status(bl_list_at(list, 3, &item, &end), BL_OK);
    check(end);
    check_size(f.sent_count, 2);
    end_client(&f);
}

TEST(a_page_that_fails)
{
    static const struct reply seconds[] = {
        ANSWER(404, "{}"),
        ANSWER(422, "{}"),
        OK("{}"),
        OK("[{\"name\":\"c\"},{\"nom\":1}]"),
        /* The same page again. */
        WITH(200, NEXT(PAGE_2), "[{\"name\":\"c\"}]"),
        WITH(200, NEXT("https://evil.example/labels"), "[{\"name\":\"c\"}]"),
    };
    for (size_t i = 0; i < sizeof(seconds) / sizeof(seconds[0]); i++) {
        struct fixture f;
        struct bl_failure failure;
        struct bl_value item;
        bool end;
        check_case("%d", (int)i);
        struct reply replies[] = {WITH(200, NEXT(PAGE_2), "[{\"name\":\"a\"}]"), seconds[i]};
        begin_client(&f, NULL, NULL);
        struct bl_object *repository = thing(&f, BL_ENTITY_REPOSITORY, 0, "octo/demo");
        give_replies(&f, replies, 2);
        check_int(load(&f, repository, BL_READ_LABELS, &failure), BL_FOUND);
        struct bl_list *list = bl_object_get(repository, BL_FIELD_REPOSITORY_LABELS).as.list;
        check_status(bl_list_at(list, 1, &item, &end), BL_ERR_READ);
        check_int(list->count, 1);
        check(bl_github_last_failure(f.github)->why.len > 0);
        end_client(&f);
    }
}

/* req: FLT-01 */
TEST(pages_in_a_circle_end)
{
    struct fixture f;
    struct bl_failure failure;
    begin_client(&f, NULL, NULL);
    struct bl_object *repository = thing(&f, BL_ENTITY_REPOSITORY, 0, "octo/demo");
    static const struct reply circle[] = {
        WITH(200, NEXT(PAGE_2), "[{\"name\":\"b\"}]"),
        WITH(200, NEXT(PAGE_2 "&x=3"), "[{\"name\":\"c\"}]"),
        WITH(200, NEXT(PAGE_2 "&x=4"), "[{\"name\":\"d\"}]"),
    };
    struct reply replies[24];
    for (size_t i = 0; i < 24; i++) {
        replies[i] = circle[i % 3];
    }
    give_replies(&f, replies, 24);
    check_int(load(&f, repository, BL_READ_LABELS, &failure), BL_FOUND);
    struct bl_list *list = bl_object_get(repository, BL_FIELD_REPOSITORY_LABELS).as.list;
    check_status(bl_list_complete(list), BL_ERR_READ);
    check(f.sent_count <= 9);
    check(bl_github_last_failure(f.github)->why.len > 0);
    end_client(&f);
}

static void enterprise(struct bl_github_options *options)
{
    options->api_url = BL_STR("https://ghe.example/api/v3/");
}

#define GHE "https://ghe.example/api/v3"

/* The server has other pages beside its API, and its GraphQL beside REST. */
TEST(an_enterprise_server)
{
    static const struct {
        struct reply first;
        enum bl_answer answer;
    } rows[] = {
        {WITH(200, NEXT(GHE "/repositories/77/labels?page=2"), "[]"), BL_FOUND},
        {WITH(200, NEXT("https://ghe.example/octo/demo/raw/x"), "[]"), BL_FAILED},
        {WITH(200, NEXT("https://ghe.example/api/v3x/labels"), "[]"), BL_FAILED},
        {WITH(200, NEXT("https://api.github.com/repositories/77/labels"), "[]"), BL_FAILED},
        {MOVED(GHE "/repositories/77/labels"), BL_FOUND},
        {MOVED("https://ghe.example/octo/demo/raw/x"), BL_FAILED},
        {MOVED("https://ghe.example/api/v3x/repositories/77/labels"), BL_FAILED},
    };
    struct fixture f;
    struct bl_failure failure;
    struct bl_value number = bl_int(5);
    struct bl_value out;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct reply replies[] = {rows[i].first, OK("[{\"name\":\"a\"}]")};
        check_case("row %d", (int)i);
        begin_client(&f, NULL, enterprise);
        struct bl_object *repository = thing(&f, BL_ENTITY_REPOSITORY, 0, "octo/demo");
        give_replies(&f, replies, 2);
        check_int(load(&f, repository, BL_READ_LABELS, &failure), rows[i].answer);
        check_str(bl_str_from(f.sent[0].url), GHE "/repos/octo/demo/labels?per_page=100");
        check_size(f.sent_count, rows[i].answer == BL_FOUND ? 2 : 1);
        end_client(&f);
    }
    begin_client(&f, NULL, enterprise);
    REPLIES(&f, OK(DATA("\"thing\":{},\"discussion\":null") "}"));
    check_status(bl_snapshot_query(f.snapshot, BL_READ_NUMBERED, &number, 1, &out, &failure),
                 BL_OK);
    check_str(bl_str_from(f.sent[0].url), "https://ghe.example/api/graphql");
    end_client(&f);
}

TEST(the_first_page_names_another_host)
{
    struct fixture f;
    struct bl_failure failure;
    begin_client(&f, NULL, NULL);
    struct bl_object *repository = thing(&f, BL_ENTITY_REPOSITORY, 0, "octo/demo");
    REPLIES(&f, WITH(200, NEXT("https://evil.example/labels"), "[{\"name\":\"a\"}]"));
    check_int(load(&f, repository, BL_READ_LABELS, &failure), BL_FAILED);
    check_size(f.sent_count, 1);
    end_client(&f);
}

/* ---- what did not change ----------------------------------------------------------------- */

#define TAGGED(tag) "Content-Type: application/json\nETag: " tag

TEST(what_did_not_change_is_not_sent_again)
{
    struct fixture f;
    struct bl_failure failure;
    struct bl_object *issue;
    begin_client(&f, NULL, NULL);
    issue = thing(&f, BL_ENTITY_ISSUE, 12, "octo/demo");
    REPLIES(&f, WITH(200, TAGGED("W/\"1\""), ISSUE("")), ANSWER(304, ""),
            WITH(200, TAGGED("W/\"2\""), ISSUE("\"x\":1,")), ANSWER(304, ""));
    for (int i = 0; i < 4; i++) {
        bl_snapshot_forget(f.snapshot, issue);
        check_int(load(&f, issue, BL_READ_ISSUE, &failure), BL_FOUND);
        check_str(bl_text_of(bl_object_get(issue, BL_FIELD_ISSUE_TITLE)), "It crashes");
    }
    check_str(bl_str_from(f.sent[0].etag), "");
    check_str(bl_str_from(f.sent[1].etag), "W/\"1\"");
    check_str(bl_str_from(f.sent[2].etag), "W/\"1\"");
    check_str(bl_str_from(f.sent[3].etag), "W/\"2\"");
    check_size(bl_github_counts(f.github).unchanged, 2);
    end_client(&f);
}

/* What did not change has the pages that it had. */
TEST(a_known_page_leads_to_the_next_one)
{
    struct fixture f;
    struct bl_failure failure;
    begin_client(&f, NULL, NULL);
    struct bl_object *repository = thing(&f, BL_ENTITY_REPOSITORY, 0, "octo/demo");
    REPLIES(&f, WITH(200, NEXT(PAGE_2) "\nETag: W/\"1\"", "[{\"name\":\"a\"}]"),
            OK("[{\"name\":\"b\"}]"), ANSWER(304, ""), OK("[{\"name\":\"b\"}]"));
    for (int i = 0; i < 2; i++) {
        bl_snapshot_forget(f.snapshot, repository);
        check_int(load(&f, repository, BL_READ_LABELS, &failure), BL_FOUND);
        struct bl_list *list = bl_object_get(repository, BL_FIELD_REPOSITORY_LABELS).as.list;
        check_status(bl_list_complete(list), BL_OK);
        check_int(list->count, 2);
    }
    check_str(bl_str_from(f.sent[2].etag), "W/\"1\"");
    check_size(f.sent_count, 4);
    check_size(bl_github_counts(f.github).unchanged, 1);
    end_client(&f);
}

/* An answer is known by its own address, and what failed in between takes nothing away. */
TEST(each_address_has_its_own_answer)
{
    struct fixture f;
    struct bl_failure failure;
    begin_client(&f, NULL, NULL);
    struct bl_object *issue = thing(&f, BL_ENTITY_ISSUE, 12, "octo/demo");
    struct bl_object *other = thing(&f, BL_ENTITY_ISSUE, 13, "octo/demo");
    REPLIES(&f, WITH(200, TAGGED("W/\"12\""), ISSUE("")), ANSWER(304, ""), ANSWER(422, "{}"),
            ANSWER(304, ""));
    check_int(load(&f, issue, BL_READ_ISSUE, &failure), BL_FOUND);
    check_int(load(&f, other, BL_READ_ISSUE, &failure), BL_FAILED);
    for (int i = 0; i < 2; i++) {
        bl_snapshot_forget(f.snapshot, issue);
        check_int(load(&f, issue, BL_READ_ISSUE, &failure), i == 0 ? BL_FAILED : BL_FOUND);
    }
    check_str(bl_str_from(f.sent[1].etag), "");
    check_str(bl_str_from(f.sent[2].etag), "W/\"12\"");
    check_str(bl_str_from(f.sent[3].etag), "W/\"12\"");
    check_int(bl_object_get(issue, BL_FIELD_ISSUE_NUMBER).as.i, 12);
    end_client(&f);
}

/* ---- GraphQL ----------------------------------------------------------------------------- */

#define NOT_FOUND(path)                                                                        \
    OK(DATA("\"thing\":null,\"discussion\":null") ",\"errors\":[{\"type\":\"NOT_FOUND\","      \
                                                  "\"path\":[" path "]}]}")

TEST(errors_of_graphql)
{
    static const struct {
        struct reply reply;
        enum bl_answer answer;
        size_t sent;
    } rows[] = {
        {OK(DATA(
             "\"thing\":{\"__typename\":\"Issue\"},\"discussion\":null") ",\"errors\":[{"
                                                                         "\"type\":\"NOT_"
                                                                         "FOUND\",\"path\":["
                                                                         "\"repository\","
                                                                         "\"discussion\"]}]}"),
         BL_FOUND, 1},
        {OK(DATA(
             "\"thing\":null,\"discussion\":{\"number\":5}") ",\"errors\":[{\"type\":\"NOT_"
                                                             "FOUND\",\"path\":[\"repository\","
                                                             "\"thing\"]}]}"),
         BL_FOUND, 1},
        {OK(DATA("\"thing\":null,\"discussion\":null") ",\"errors\":[{\"type\":\"NOT_FOUND\","
                                                       "\"path\":[\"repository\",\"thing\"]},"
                                                       "{\"type\":\"NOT_FOUND\",\"path\":["
                                                       "\"repository\",\"discussion\"]}]}"),
         BL_MISSING, 1},
        /* A part is missing, and another could not be looked for. */
        {OK(DATA("\"thing\":null,\"discussion\":null") ",\"errors\":[{\"type\":\"NOT_FOUND\","
                                                       "\"path\":[\"repository\",\"thing\"]},"
                                                       "{\"type\":\"FORBIDDEN\",\"path\":["
                                                       "\"repository\",\"discussion\"]}]}"),
         BL_FAILED, 1},
        {OK(DATA("\"thing\":null,\"discussion\":null") ",\"errors\":[{\"message\":\"x\"}]}"),
         BL_FOUND, 2},
        /* Something is missing, and nobody can say what. */
        {OK("{\"data\":null,\"errors\":[{\"type\":\"NOT_FOUND\",\"path\":[\"repository\"]}]}"),
         BL_FAILED, 1},
        {NOT_FOUND("\"repository\",\"thing\",\"author\""), BL_FAILED, 1},
        {NOT_FOUND("\"viewer\""), BL_FAILED, 1},
        {NOT_FOUND(""), BL_FAILED, 1},
        {NOT_FOUND("7"), BL_FAILED, 1},
        {OK(DATA(
             "\"thing\":null,\"discussion\":null") ",\"errors\":[{\"type\":\"NOT_FOUND\"}]}"),
         BL_FAILED, 1},
        /* A field that this GitHub does not have. */
        {OK("{\"errors\":[{\"path\":[\"query\",\"repository\",\"thing\"],"
            "\"extensions\":{\"code\":\"undefinedField\"},\"message\":\"x\"}]}"),
         BL_FAILED, 1},
        /* The repository itself: then nothing can be said of what is in it. */
        {OK("{\"data\":{\"repository\":null},\"errors\":[{\"type\":\"NOT_FOUND\","
            "\"path\":[\"repository\"]}]}"),
         BL_FAILED, 1},
        {OK("{\"errors\":[{\"type\":\"RATE_LIMITED\",\"message\":\"x\"}]}"), BL_FAILED, 1},
        {OK("{\"errors\":[{\"message\":\"You have exceeded a secondary rate limit\"}]}"),
         BL_FOUND, 2},
        {OK("{\"errors\":[{\"message\":\"Something went wrong while executing\"}]}"), BL_FOUND,
         2},
        {OK("{\"errors\":[{\"type\":\"FORBIDDEN\",\"message\":\"x\"}]}"), BL_FAILED, 1},
        {OK("{\"errors\":{}}"), BL_FAILED, 1},
        {OK("{\"errors\":[1]}"), BL_FAILED, 1},
        {OK("{}"), BL_FAILED, 1},
        {OK("[]"), BL_FAILED, 1},
        {OK(DATA("") "}"), BL_FAILED, 1},
        {ANSWER(502, "<html>"), BL_FOUND, 2},
        {ANSWER(404, "{}"), BL_FAILED, 1},
        {ANSWER(201, DATA("\"thing\":{},\"discussion\":null") "}"), BL_FAILED, 1},
    };
    static const struct reply good = OK(DATA("\"thing\":{},\"discussion\":null") "}");
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct fixture f;
        struct bl_failure failure;
        struct bl_value number = bl_int(5);
        struct bl_value out;
        struct reply replies[2] = {rows[i].reply, good};
        check_case("%d: %s", (int)i, rows[i].reply.body);
        begin_client(&f, NULL, NULL);
        give_replies(&f, replies, 2);
        enum bl_status status =
            bl_snapshot_query(f.snapshot, BL_READ_NUMBERED, &number, 1, &out, &failure);
        check_status(status, rows[i].answer == BL_FAILED ? BL_ERR_READ : BL_OK);
        if (status == BL_OK) {
            check(bl_is_absent(out) == (rows[i].answer == BL_MISSING));
        }
        check_size(f.sent_count, rows[i].sent);
        check(!f.sent[0].fresh);
        end_client(&f);
    }
}

TEST(the_cost_is_counted)
{
    struct fixture f;
    struct bl_failure failure;
    struct bl_value number = bl_int(5);
    struct bl_value out;
    begin_client(&f, NULL, NULL);
    REPLIES(&f, OK(DATA("\"thing\":{},\"discussion\":null") "}"));
    check_status(bl_snapshot_query(f.snapshot, BL_READ_NUMBERED, &number, 1, &out, &failure),
                 BL_OK);
    check_size(bl_github_counts(f.github).points, 3);
    check_size(bl_github_counts(f.github).queries, 1);
    /* A number that GraphQL cannot hold is no number of a thing. */
    number = bl_int(INT64_C(1) << 40);
    check_status(bl_snapshot_query(f.snapshot, BL_READ_NUMBERED, &number, 1, &out, &failure),
                 BL_OK);
    check(bl_is_absent(out));
    check_size(f.sent_count, 1);
    end_client(&f);
}

#define NODE                                                                                   \
    "{\"number\":12,\"title\":\"x\",\"body\":\"\",\"state\":\"OPEN\",\"stateReason\":null,"    \
    "\"createdAt\":\"2026-11-01T10:00:00Z\",\"closedAt\":null,\"locked\":false,"               \
    "\"authorAssociation\":\"NONE\",\"author\":{\"__typename\":\"Bot\",\"login\":\"b\"},"      \
    "\"labels\":{\"nodes\":[{\"name\":\"bug\"}],\"pageInfo\":{\"hasNextPage\":false}},"        \
    "\"assignees\":{\"nodes\":[],\"pageInfo\":{\"hasNextPage\":false}},"                       \
    "\"reactions\":{\"totalCount\":0},\"comments\":{\"totalCount\":0},"                        \
    "\"repository\":{\"nameWithOwner\":\"octo/demo\"}}"

/* A list over REST and one over GraphQL, of two pages each. */
static bool read_lists(struct fixture *f)
{
    struct bl_failure failure;
    struct bl_object *repository = thing(f, BL_ENTITY_REPOSITORY, 0, "octo/demo");
    REPLIES(f, WITH(200, NEXT(PAGE_2), "[{\"name\":\"a\"}]"), OK("[{\"name\":\"b\"}]"),
            OK(DATA("\"issues\":{\"nodes\":[" NODE "],\"pageInfo\":{\"hasNextPage\":true,"
                    "\"endCursor\":\"c\"}}") "}"),
            OK(DATA("\"issues\":{\"nodes\":[],\"pageInfo\":{\"hasNextPage\":false}}") "}"));
    if (repository == NULL || load(f, repository, BL_READ_LABELS, &failure) != BL_FOUND ||
        bl_list_complete(bl_object_get(repository, BL_FIELD_REPOSITORY_LABELS).as.list) !=
            BL_OK ||
        load(f, repository, BL_READ_OPEN_ISSUES, &failure) != BL_FOUND ||
        bl_list_complete(bl_object_get(repository, BL_FIELD_REPOSITORY_OPEN_ISSUES).as.list) !=
            BL_OK) {
        return false;
    }
    return bl_object_get(repository, BL_FIELD_REPOSITORY_LABELS).as.list->count == 2 &&
           bl_object_get(repository, BL_FIELD_REPOSITORY_OPEN_ISSUES).as.list->count == 1;
}

TEST(every_allocation_of_a_list_fails_once)
{
    for (size_t n = 1;; n++) {
        struct failing_allocator failing;
        struct fixture f;
        check_case("allocation %d", (int)n);
        failing_allocator_init(&failing, n);
        begin_client(&f, &failing.allocator, NULL);
        bool whole = f.snapshot != NULL && read_lists(&f);
        bool failed = failing.calls >= n;
        check(whole != failed);
        end_client(&f);
        check_size(failing.live, 0);
        if (!failed) {
            check(n > 3);
            return;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(redirects),
        cmocka_unit_test(redirects_end),
        cmocka_unit_test(without_the_repositorys_number_nobody_knows_who_moved),
        cmocka_unit_test(pages_are_read_when_they_are_asked_for),
        cmocka_unit_test(a_page_that_fails),
        cmocka_unit_test(pages_in_a_circle_end),
        cmocka_unit_test(an_enterprise_server),
        cmocka_unit_test(the_first_page_names_another_host),
        cmocka_unit_test(what_did_not_change_is_not_sent_again),
        cmocka_unit_test(a_known_page_leads_to_the_next_one),
        cmocka_unit_test(each_address_has_its_own_answer),
        cmocka_unit_test(errors_of_graphql),
        cmocka_unit_test(the_cost_is_counted),
        cmocka_unit_test(every_allocation_of_a_list_fails_once),
    };
    return check_main(tests);
}
