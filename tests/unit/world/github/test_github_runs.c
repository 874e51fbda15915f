/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"
#include "unit/world/github/github_fixture.h"

/* Runs of workflows with their jobs, and issues of other repositories. */

#define RUN(id, created) "{\"id\":" id ",\"created_at\":\"" created "\"}"
#define RUNS(items)      "{\"total_count\":2,\"workflow_runs\":[" items "]}"
#define JOB(id, name, status, conclusion)                                                      \
    "{\"id\":" id ",\"name\":\"" name "\",\"status\":\"" status                                \
    "\",\"conclusion\":" conclusion ",\"started_at\":\"2026-11-05T01:00:00Z\"}"
#define JOBS(items) "{\"total_count\":4,\"jobs\":[" items "]}"

/* 2026-11-05T00:00:00Z */
#define SINCE INT64_C(1793836800)

static enum bl_status runs_since(struct fixture *f, struct bl_value *out,
                                 struct bl_failure *failure)
{
    struct bl_value args[] = {bl_text(BL_STR("self fix.yml")), bl_number(BL_V_TIME, SINCE)};
    return bl_snapshot_query(f->snapshot, BL_READ_RUNS, args, 2, out, failure);
}

TEST(runs_of_a_workflow)
{
    struct fixture f;
    struct bl_failure failure;
    struct bl_value out;
    begin_client(&f, NULL, NULL);
    /* The first that is older ends it: the next page is not asked for. */
    REPLIES(&f,
            OK(RUNS(RUN("3000000001", "2026-11-06T00:00:00Z") "," RUN(
                "3000000000", "2026-11-05T00:00:00Z") "," RUN("12", "2026-11-04T23:59:59Z"))));
    check_status(runs_since(&f, &out, &failure), BL_OK);
    check_int(out.as.list->count, 2);
    check_int(out.as.list->items[0].as.object->key, INT64_C(3000000001));
    check_str(bl_str_from(f.sent[0].url),
              "https://api.github.com/repos/octo/demo/actions/workflows/self%20fix.yml/runs?"
              "per_page=100");
    end_client(&f);
}

TEST(runs_that_cannot_be_read_in_full)
{
    static const struct reply rows[] = {
        OK("{\"total_count\":1,\"workflow_runs\":{}}"),
        OK(RUNS("{\"id\":1}")),
        OK(RUNS("{\"id\":0,\"created_at\":\"2026-11-06T00:00:00Z\"}")),
        OK("{\"message\":\"x\"}"),
        ANSWER(404, "{\"message\":\"Not Found\"}"),
        ANSWER(403, "{\"message\":\"Resource not accessible by integration\"}"),
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct fixture f;
        struct bl_failure failure;
        struct bl_value out;
        check_case("row %d", (int)i);
        begin_client(&f, NULL, NULL);
        give_replies(&f, &rows[i], 1);
        check_status(runs_since(&f, &out, &failure), BL_ERR_READ);
        end_client(&f);
    }
}

TEST(jobs_that_began)
{
    struct fixture f;
    struct bl_failure failure;
    begin_client(&f, NULL, NULL);
    struct bl_object *run = thing(&f, BL_ENTITY_RUN, 7, "octo/demo");
    REPLIES(&f, OK(JOBS(JOB("1", "a", "completed", "\"failure\"") "," JOB(
                    "2", "b", "completed",
                    "\"skipped\"") "," JOB("3", "c", "queued",
                                           "null") "," JOB("4", "d", "in_progress", "null"))));
    check_int(load(&f, run, BL_READ_RUN_JOBS, &failure), BL_FOUND);
    struct bl_list *jobs = bl_object_get(run, BL_FIELD_RUN_JOBS).as.list;
    check_int(jobs->count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        bool began = i == 0 || i == 3;
        check_case("job %d", (int)i);
        check(bl_is_absent(bl_object_get(jobs->items[i].as.object,
                                         BL_FIELD_RUN_JOB_STARTED_AT)) != began);
    }
    check_str(bl_str_from(f.sent[0].url),
              "https://api.github.com/repos/octo/demo/actions/runs/7/jobs?filter=all&per_page="
              "100");
    end_client(&f);
}

TEST(issues_of_other_repositories)
{
    static const struct {
        struct reply reply;
        enum bl_status status;
        bool there;
    } rows[] = {
        {OK("{\"number\":31}"), BL_OK, true},
        {ANSWER(404, "{\"message\":\"Not Found\"}"), BL_OK, false},
        {OK("{\"number\":32}"), BL_ERR_READ, false},
        {ANSWER(403, "{\"message\":\"x\"}"), BL_ERR_READ, false},
        {ANSWER(404, "<html>"), BL_ERR_READ, false},
        /* It moved on. */
        {WITH(301, "Location: https://api.github.com/repositories/99/issues/3", "{}"), BL_OK,
         false},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct fixture f;
        struct bl_failure failure;
        struct bl_value out;
        struct bl_value args[] = {bl_text(BL_STR("octo/other")), bl_int(31)};
        check_case("row %d", (int)i);
        begin_client(&f, NULL, NULL);
        give_replies(&f, &rows[i].reply, 1);
        check_status(
            bl_snapshot_query(f.snapshot, BL_READ_FOREIGN_ISSUE, args, 2, &out, &failure),
            rows[i].status);
        check(rows[i].status != BL_OK || bl_is_absent(out) != rows[i].there);
        check_str(bl_str_from(f.sent[0].url),
                  "https://api.github.com/repos/octo/other/issues/31");
        end_client(&f);
    }
}

/* No address leads out of the repositories. */
TEST(names_that_are_steps_are_none)
{
    static const char *const names[] = {"../demo", "./demo", "octo/..", "octo/.", "octo", ""};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct fixture f;
        struct bl_failure failure;
        struct bl_value out;
        struct bl_value args[] = {bl_text(bl_str_from(names[i])), bl_int(31)};
        check_case("%s", names[i]);
        begin_client(&f, NULL, NULL);
        REPLIES(&f, OK("{\"number\":31}"));
        check_status(
            bl_snapshot_query(f.snapshot, BL_READ_FOREIGN_ISSUE, args, 2, &out, &failure),
            BL_OK);
        check(bl_is_absent(out));
        check_size(f.sent_count, 0);
        end_client(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_of_a_workflow),
        cmocka_unit_test(runs_that_cannot_be_read_in_full),
        cmocka_unit_test(jobs_that_began),
        cmocka_unit_test(issues_of_other_repositories),
        cmocka_unit_test(names_that_are_steps_are_none),
    };
    return check_main(tests);
}
