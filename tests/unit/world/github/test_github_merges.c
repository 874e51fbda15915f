/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"
#include "unit/world/github/github_fixture.h"

/* From the merge to the release. */

#define PULL_OF(repository, number, merged, updated)                                           \
    "{\"number\":" number ",\"title\":\"x\",\"body\":\"\",\"state\":\"MERGED\","               \
    "\"createdAt\":\"2026-10-01T10:00:00Z\",\"mergedAt\":" merged ",\"updatedAt\":" updated    \
    ",\"authorAssociation\":\"MEMBER\",\"author\":null,\"baseRefName\":\"main\","              \
    "\"headRefName\":\"x\",\"headRefOid\":\"0123456789012345678901234567890123456789\","       \
    "\"headRepository\":null,\"mergeCommit\":{\"oid\":\"6113728f27ae82c7b1a177c8d03f9e96e0ad"  \
    "f246\"},\"labels\":{\"nodes\":[],\"pageInfo\":{\"hasNextPage\":false}},"                  \
    "\"repository\":{\"nameWithOwner\":\"" repository "\"}}"
#define PULL(number, merged, updated)                                                          \
    PULL_OF("octo/demo", number, "\"" merged "T10:00:00Z\"", "\"" updated "T10:00:00Z\"")
#define PAGE(nodes, more)                                                                      \
    "{\"data\":{\"repository\":{\"pullRequests\":{\"nodes\":[" nodes "],\"pageInfo\":{" more   \
    "}}}}}"
#define LAST    "\"hasNextPage\":false,\"endCursor\":null"
#define MORE(c) "\"hasNextPage\":true,\"endCursor\":\"" c "\""

/* 2026-11-05T00:00:00Z */
#define SINCE INT64_C(1793836800)

static enum bl_status merged_since(struct fixture *f, struct bl_value *out,
                                   struct bl_failure *failure)
{
    struct bl_value since = bl_number(BL_V_TIME, SINCE);
    return bl_snapshot_query(f->snapshot, BL_READ_MERGED_PULLS, &since, 1, out, failure);
}

static int64_t key_at(struct bl_value list, uint32_t index)
{
    return list.as.list->items[index].as.object->key;
}

/* req: REL-04 */
TEST(oldest_merge_first_until_an_older_change)
{
    struct fixture f;
    struct bl_failure failure;
    struct bl_value out;
    begin_client(&f, NULL, NULL);
    REPLIES(&f,
            OK(PAGE(PULL("41", "2026-11-12", "2026-11-20") ","
                    /* Old, and somebody commented on it: merged before, and the rest counts. */
                    PULL("12", "2026-10-02", "2026-11-19"),
                    MORE("a"))),
            OK(PAGE(PULL("40", "2026-11-10", "2026-11-10") "," PULL("39", "2026-11-04",
                                                                    "2026-11-04"),
                    MORE("b"))));
    check_status(merged_since(&f, &out, &failure), BL_OK);
    check_size(f.sent_count, 2);
    check_int(out.as.list->count, 2);
    check_int(key_at(out, 0), 40);
    check_int(key_at(out, 1), 41);
    end_client(&f);
}

TEST(the_last_page_ends_it)
{
    struct fixture f;
    struct bl_failure failure;
    struct bl_value out;
    begin_client(&f, NULL, NULL);
    REPLIES(&f, OK(PAGE("", LAST)));
    check_status(merged_since(&f, &out, &failure), BL_OK);
    check_int(out.as.list->count, 0);
    end_client(&f);
}

TEST(half_a_list_is_none)
{
    static const char *const bad[] = {
        PAGE("null", LAST),
        PAGE("{\"number\":41}", LAST),
        PAGE(PULL_OF("octo/demo", "41", "null", "\"2026-11-20T10:00:00Z\""), LAST),
        PAGE(PULL_OF("octo/demo", "41", "\"2026-11-12T10:00:00Z\"", "7"), LAST),
        PAGE("", "\"hasNextPage\":true,\"endCursor\":null"),
        PAGE("", "\"hasNextPage\":true,\"endCursor\":\"\""),
        PAGE("", ""),
        "{\"data\":{\"repository\":{\"pullRequests\":null}}}",
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct fixture f;
        struct bl_failure failure;
        struct bl_value out;
        struct reply reply = OK(bad[i]);
        check_case("%d: %s", (int)i, bad[i]);
        begin_client(&f, NULL, NULL);
        give_replies(&f, &reply, 1);
        check_status(merged_since(&f, &out, &failure), BL_ERR_READ);
        end_client(&f);
    }
    /* The same page again, for ever. */
    struct fixture f;
    struct bl_failure failure;
    struct bl_value out;
    begin_client(&f, NULL, NULL);
    REPLIES(&f, OK(PAGE(PULL("41", "2026-11-12", "2026-11-20"), MORE("a"))),
            OK(PAGE(PULL("40", "2026-11-10", "2026-11-10"), MORE("a"))));
    check_status(merged_since(&f, &out, &failure), BL_ERR_READ);
    end_client(&f);
}

/* A pull request of another repository that names the issue neither keeps it open nor shows.
 * req: REL-13 */
TEST(pulls_of_other_repositories_are_none)
{
    struct fixture f;
    struct bl_failure failure;
    begin_client(&f, NULL, NULL);
    struct bl_object *issue = thing(&f, BL_ENTITY_ISSUE, 12, "octo/demo");
    REPLIES(&f, OK("{\"data\":{\"repository\":{\"issue\":{\"closedByPullRequestsReferences\":{"
                   "\"nodes\":[" PULL_OF(
                       "octo/other", "7", "\"2026-11-12T10:00:00Z\"",
                       "null") "," PULL_OF("octo/demo", "40", "\"2026-11-12T10:00:00Z\"",
                                           "null") "],"
                                                   "\"pageInfo\":{" LAST "}}}}}}"));
    check_int(load(&f, issue, BL_READ_CLOSING_PULLS, &failure), BL_FOUND);
    struct bl_value pulls = bl_object_get(issue, BL_FIELD_ISSUE_CLOSED_BY);
    check_int(pulls.as.list->count, 1);
    check_int(key_at(pulls, 0), 40);
    end_client(&f);
}

/* req: REL-08, REL-26 */
TEST(what_a_comparison_says)
{
    static const struct {
        struct reply reply;
        enum bl_status status;
        bool is_set, ships;
    } rows[] = {
        {OK("{\"status\":\"ahead\"}"), BL_OK, true, true},
        {OK("{\"status\":\"identical\"}"), BL_OK, true, true},
        {OK("{\"status\":\"behind\"}"), BL_OK, true, false},
        {OK("{\"status\":\"diverged\"}"), BL_OK, true, false},
        {ANSWER(404, "{\"message\":\"Not Found\"}"), BL_OK, false, false},
        {OK("{\"status\":\"sideways\"}"), BL_ERR_READ, false, false},
        {OK("{}"), BL_ERR_READ, false, false},
        {ANSWER(403, "{\"message\":\"Resource not accessible\"}"), BL_ERR_READ, false, false},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct fixture f;
        struct bl_failure failure;
        struct bl_value out;
        struct bl_value args[] = {bl_text(BL_STR("v1.2/x")), bl_text(BL_STR("6113728f"))};
        check_case("row %d", (int)i);
        begin_client(&f, NULL, NULL);
        give_replies(&f, &rows[i].reply, 1);
        check_status(bl_snapshot_query(f.snapshot, BL_READ_SHIPS, args, 2, &out, &failure),
                     rows[i].status);
        if (rows[i].status == BL_OK) {
            check(bl_is_absent(out) == !rows[i].is_set);
            check(!rows[i].is_set || (out.as.i != 0) == rows[i].ships);
        }
        check_str(bl_str_from(f.sent[0].url), "https://api.github.com/repos/octo/demo/compare/"
                                              "6113728f...v1.2%2Fx?per_page=1");
        end_client(&f);
    }
}

/* req: CTX-11 */
TEST(what_a_search_says)
{
    static const struct {
        struct reply reply;
        enum bl_status status;
    } rows[] = {
        {OK("{\"incomplete_results\":false,\"items\":[]}"), BL_OK},
        {OK("{\"incomplete_results\":true,\"items\":[]}"), BL_ERR_READ},
        {OK("{\"items\":[]}"), BL_ERR_READ},
        {OK("{\"incomplete_results\":false,\"items\":{}}"), BL_ERR_READ},
        {OK("{\"incomplete_results\":false,\"items\":[{\"number\":1}]}"), BL_ERR_READ},
        {OK("[]"), BL_ERR_READ},
        {ANSWER(422, "{\"message\":\"Validation Failed\"}"), BL_ERR_READ},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct fixture f;
        struct bl_failure failure;
        struct bl_value out;
        struct bl_value args[] = {bl_text(BL_STR("\"a b\" \"c&d\"")), bl_int(30)};
        check_case("row %d", (int)i);
        begin_client(&f, NULL, NULL);
        give_replies(&f, &rows[i].reply, 1);
        check_status(bl_snapshot_query(f.snapshot, BL_READ_SEARCH, args, 2, &out, &failure),
                     rows[i].status);
        check(rows[i].status != BL_OK || out.as.list->count == 0);
        /* What is searched for are words of strangers. */
        check(rows[i].status == BL_OK || failure.why.len > 0);
        check(rows[i].status == BL_OK || bl_str_find(failure.why, BL_STR("%")) == SIZE_MAX);
        check_str(bl_str_from(f.sent[0].url),
                  "https://api.github.com/search/issues?sort=created&order=desc&per_page=30&q="
                  "%22a%20b%22%20%22c%26d%22%20is%3Aissue%20repo%3Aocto%2Fdemo");
        end_client(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oldest_merge_first_until_an_older_change),
        cmocka_unit_test(the_last_page_ends_it),
        cmocka_unit_test(half_a_list_is_none),
        cmocka_unit_test(pulls_of_other_repositories_are_none),
        cmocka_unit_test(what_a_comparison_says),
        cmocka_unit_test(what_a_search_says),
    };
    return check_main(tests);
}
