/* SPDX-License-Identifier: Apache-2.0 */
#include "support/allocator.h"
#include "support/check.h"
#include "unit/world/github/github_fixture.h"

/* What is sent again, and when; what is missing, and what only failed. */

#define ISSUE_URL "https://api.github.com/repos/octo/demo/issues/12"
#define SECONDARY_TEXT                                                                         \
    "{\"message\":\"You have exceeded a secondary rate limit. Please wait a few minutes\"}"

#define TAGGED(tag) "Content-Type: application/json\nETag: " tag

static bool says(bl_str text, const char *words)
{
    return bl_str_find(text, bl_str_from(words)) != SIZE_MAX;
}

static enum bl_answer read_issue(struct fixture *f, struct bl_failure *failure)
{
    return load(f, thing(f, BL_ENTITY_ISSUE, 12, "octo/demo"), BL_READ_ISSUE, failure);
}

static enum bl_written post(struct fixture *f, struct bl_failure *failure)
{
    struct bl_value target = bl_object_value(thing(f, BL_ENTITY_ISSUE, 12, "octo/demo"));
    const struct bl_effect_call call = {.effect = BL_EFFECT_POST,
                                        .args = &target,
                                        .arg_count = 1,
                                        .body = BL_STR("Hello \"you\".")};
    const struct bl_world *world = bl_github_world(f->github);
    return world->write(world->self, &f->arena, &call, failure);
}

/* req: FLT-05, CFG-28 */
TEST(reads_are_made_again)
{
    struct fixture f;
    struct bl_failure failure;
    begin_client(&f, NULL, NULL);
    REPLIES(&f, ANSWER(502, "{}"), BROKEN(BL_WIRE_BROKEN), BROKEN(BL_WIRE_NOT_SENT),
            OK(ISSUE("")));
    check_int(read_issue(&f, &failure), BL_FOUND);
    check_size(f.sent_count, 4);
    check_size(f.wait_count, 3);
    check_int(f.waits[0], 2);
    check_int(f.waits[1], 4);
    check_int(f.waits[2], 8);
    check_size(bl_github_counts(f.github).retries, 3);
    check_str(bl_str_from(f.sent[0].url), ISSUE_URL);
    check(!f.sent[0].fresh);
    end_client(&f);
}

/* req: FLT-03, FLT-07 */
TEST(reads_end_after_three_more)
{
    struct fixture f;
    struct bl_failure failure;
    begin_client(&f, NULL, NULL);
    REPLIES(&f, ANSWER(502, "<html>"), ANSWER(500, ""), ANSWER(503, "{}"), ANSWER(504, ""),
            OK(ISSUE("")));
    check_int(read_issue(&f, &failure), BL_FAILED);
    check_size(f.sent_count, 4);
    check(failure.again);
    check_str(failure.why, "GitHub answered 504 to GET /repos/octo/demo/issues/12");
    end_client(&f);
}

/* req: FLT-04, CFG-28 */
TEST(secondary_limits_are_waited_for)
{
    struct fixture f;
    struct bl_failure failure;
    begin_client(&f, NULL, NULL);
    REPLIES(&f, ANSWER(403, SECONDARY_TEXT),
            WITH(429, "Content-Type: application/json\nRetry-After: 5", "{}"),
            ANSWER(429, "{}"), OK(ISSUE("")));
    check_int(read_issue(&f, &failure), BL_FOUND);
    check_size(f.wait_count, 3);
    check_int(f.waits[0], 60);
    check_int(f.waits[1], 5);
    check_int(f.waits[2], 60);
    /* Writes alike: GitHub did nothing with them. */
    REPLIES(&f, ANSWER(403, SECONDARY_TEXT), ANSWER(201, "{}"));
    check_int(post(&f, &failure), BL_WRITTEN);
    check_size(f.sent_count, 2);
    check_int(f.waits[0], 60);
    REPLIES(&f, ANSWER(403, SECONDARY_TEXT), ANSWER(403, SECONDARY_TEXT),
            ANSWER(403, SECONDARY_TEXT), ANSWER(403, SECONDARY_TEXT), ANSWER(201, "{}"));
    check_int(post(&f, &failure), BL_NOT_WRITTEN);
    check_size(f.sent_count, 4);
    check(failure.again);
    check(says(failure.why, "secondary rate limit"));
    check(failure.over);
    /* Asking on all the same is how a token gets banned. */
    check_int(post(&f, &failure), BL_NOT_WRITTEN);
    check_size(f.sent_count, 4);
    check(says(failure.why, "fewer requests before"));
    end_client(&f);
    /* Longer than anybody waits in a job. */
    begin_client(&f, NULL, NULL);
    REPLIES(&f, WITH(403, "Retry-After: 3600", "{}"));
    check_int(post(&f, &failure), BL_NOT_WRITTEN);
    check_size(f.sent_count, 1);
    check_size(f.wait_count, 0);
    end_client(&f);
}

/* req: FLT-04 */
TEST(what_is_a_secondary_limit)
{
    static const struct {
        struct reply reply;
        int64_t waited; /* -1: it is none */
    } rows[] = {
        {ANSWER(403, SECONDARY_TEXT), 60},
        /* The older words, without any header. */
        {ANSWER(403, "{\"message\":\"You have triggered an abuse detection mechanism.\"}"), 60},
        {WITH(403, "Content-Type: text/html", "<p>Secondary Rate limit"), 60},
        {ANSWER(429, ""), 60},
        {WITH(403, "Retry-After: 1", "{}"), 1},
        {WITH(403, "Retry-After: 0", "{}"), 0},
        {WITH(403, "Retry-After: 600", "{}"), 600},
        {WITH(403, "Retry-After: 601", "{}"), -1},
        {WITH(429, "Retry-After: 99999999999999999999", "{}"), 60},
        {WITH(429, "Retry-After: -5", "{}"), 60},
        {WITH(429, "Retry-After: soon", "{}"), 60},
        {WITH(403, "Retry-After: soon", "{}"), -1},
        {WITH(403, "X-RateLimit-Remaining: 0\nRetry-After: 5", "{}"), 5},
        {ANSWER(403, "{\"message\":\"Resource not accessible by integration\"}"), -1},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct fixture f;
        struct bl_failure failure;
        const struct reply replies[] = {rows[i].reply, ANSWER(201, "{}")};
        bool waits = rows[i].waited >= 0;
        check_case("row %d", (int)i);
        begin_client(&f, NULL, NULL);
        give_replies(&f, replies, 2);
        check_int(post(&f, &failure), waits ? BL_WRITTEN : BL_NOT_WRITTEN);
        check_size(f.sent_count, waits ? 2 : 1);
        check_size(f.wait_count, rows[i].waited > 0 ? 1 : 0);
        check_int(f.waits[0], rows[i].waited > 0 ? rows[i].waited : 0);
        end_client(&f);
    }
}

/* req: FLT-03 */
TEST(the_primary_limit_stops)
{
    struct fixture f;
    struct bl_failure failure;
    begin_client(&f, NULL, NULL);
    REPLIES(&f,
            WITH(403, "X-RateLimit-Remaining: 0\nX-RateLimit-Reset: 1000500",
                 "{\"message\":\"API rate limit exceeded for installation\"}"),
            OK(ISSUE("")));
    check_int(read_issue(&f, &failure), BL_FAILED);
    check(failure.again);
    check(says(failure.why, "rate limit of the token"));
    /* Nothing more is asked until it begins anew. */
    check_int(post(&f, &failure), BL_NOT_WRITTEN);
    check_size(f.sent_count, 1);
    check_size(f.wait_count, 0);
    f.now = 1000500;
    bl_snapshot_forget(f.snapshot, thing(&f, BL_ENTITY_ISSUE, 12, "octo/demo"));
    check_int(read_issue(&f, &failure), BL_FOUND);
    end_client(&f);
    /* When it begins anew is not always said: an hour is how long it lasts. */
    begin_client(&f, NULL, NULL);
    REPLIES(&f, WITH(403, "X-RateLimit-Remaining: 0\nX-RateLimit-Reset: soon", "{}"),
            ANSWER(201, "{}"));
    check_int(read_issue(&f, &failure), BL_FAILED);
    f.now += 3599;
    check_int(post(&f, &failure), BL_NOT_WRITTEN);
    f.now += 1;
    check_int(post(&f, &failure), BL_WRITTEN);
    end_client(&f);
}

/* req: FLT-06 */
TEST(writes_are_sent_once)
{
    static const struct {
        struct reply reply;
        enum bl_written written;
        bool again;
    } rows[] = {
        {ANSWER(201, "{\"id\":1}"), BL_WRITTEN, false},
        {ANSWER(200, "{}"), BL_WRITTEN, false},
        {ANSWER(502, "{}"), BL_UNKNOWN_WRITTEN, true},
        {ANSWER(500, ""), BL_UNKNOWN_WRITTEN, true},
        {BROKEN(BL_WIRE_BROKEN), BL_UNKNOWN_WRITTEN, true},
        {BROKEN(BL_WIRE_TOO_LARGE), BL_UNKNOWN_WRITTEN, true},
        {ANSWER(201, "{\"id\":"), BL_UNKNOWN_WRITTEN, true},
        {ANSWER(201, ""), BL_UNKNOWN_WRITTEN, true},
        {WITH(200, "Content-Type: text/html", "<html>"), BL_UNKNOWN_WRITTEN, true},
        {BROKEN(BL_WIRE_NOT_SENT), BL_NOT_WRITTEN, true},
        {BROKEN(BL_WIRE_DISTRUST), BL_NOT_WRITTEN, false},
        {BROKEN(BL_WIRE_NO_CURL), BL_NOT_WRITTEN, false},
        {ANSWER(404, "{}"), BL_NOT_WRITTEN, false},
        {ANSWER(410, "{}"), BL_NOT_WRITTEN, false},
        {ANSWER(404, "<html>"), BL_UNKNOWN_WRITTEN, true},
        {ANSWER(422, "{}"), BL_NOT_WRITTEN, false},
        {ANSWER(451, "{}"), BL_NOT_WRITTEN, false},
        {ANSWER(403, "{}"), BL_NOT_WRITTEN, false},
        {ANSWER(401, "{}"), BL_NOT_WRITTEN, false},
        {WITH(307, "Location: https://api.github.com/repositories/77/x", "{}"), BL_NOT_WRITTEN,
         false},
        {ANSWER(304, ""), BL_UNKNOWN_WRITTEN, true},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct fixture f;
        struct bl_failure failure;
        check_case("%d: %d %ld", (int)i, (int)rows[i].reply.wire, rows[i].reply.status);
        begin_client(&f, NULL, NULL);
        give_replies(&f, &rows[i].reply, 1);
        check_int(post(&f, &failure), rows[i].written);
        check_size(f.sent_count, 1);
        check_size(f.wait_count, 0);
        check(f.sent[0].fresh);
        check(f.sent[0].method == BL_GITHUB_POST);
        check_str(bl_str_from(f.sent[0].body), "{\"body\":\"Hello \\\"you\\\".\"}");
        if (rows[i].written != BL_WRITTEN) {
            check(failure.again == rows[i].again);
            check_str(failure.what, "'post' was not carried out");
            check(failure.why.len > 0);
            check(!says(failure.why, "secret"));
        }
        end_client(&f);
    }
}

static void gap(struct bl_github_options *options)
{
    options->write_gap_s = 0; /* the default */
}

TEST(a_second_between_writes)
{
    struct fixture f;
    struct bl_failure failure;
    begin_client(&f, NULL, gap);
    REPLIES(&f, ANSWER(201, "{}"), ANSWER(201, "{}"), ANSWER(201, "{}"));
    check_int(post(&f, &failure), BL_WRITTEN);
    check_size(f.wait_count, 0);
    check_int(post(&f, &failure), BL_WRITTEN);
    check_size(f.wait_count, 1);
    check_int(f.waits[0], 1);
    f.now += 5;
    check_int(post(&f, &failure), BL_WRITTEN);
    check_size(f.wait_count, 1);
    /* A clock that was put back makes nobody wait for an hour. */
    REPLIES(&f, ANSWER(201, "{}"));
    f.now -= 3600;
    check_int(post(&f, &failure), BL_WRITTEN);
    check_int(f.waits[0], 1);
    end_client(&f);
}

/* req: FLT-01, FLT-02 */
TEST(only_not_found_is_missing)
{
    static const struct {
        struct reply reply;
        enum bl_answer answer;
    } rows[] = {
        {ANSWER(404, "{}"), BL_MISSING},
        /* Not GitHub's: it says so in JSON. */
        {ANSWER(404, "<html>"), BL_FAILED},
        {ANSWER(404, ""), BL_FAILED},
        {ANSWER(410, "[]"), BL_FAILED},
        {WITH(404, "Content-Type: text/html", "{}"), BL_FAILED},
        {ANSWER(410, "{}"), BL_MISSING}, /* the issue was deleted */
        {ANSWER(401, "{}"), BL_FAILED},
        {ANSWER(403, "{}"), BL_FAILED},
        {ANSWER(422, "{}"), BL_FAILED},
        {ANSWER(451, "{}"), BL_FAILED},
        {ANSWER(418, "{}"), BL_FAILED},
        {ANSWER(204, ""), BL_FAILED},
        {ANSWER(200, ""), BL_FAILED},
        {ANSWER(200, "null"), BL_FAILED},
        {ANSWER(200, "[]"), BL_FAILED},
        {ANSWER(200, "{}"), BL_FAILED},
        {ANSWER(200, "{\"number\":13}"), BL_FAILED},
        {ANSWER(200, ISSUE("") "x"), BL_FAILED},
        {ANSWER(200, "\xFF"), BL_FAILED},
        {WITH(200, "Content-Type: text/html", ISSUE("")), BL_FAILED},
        {WITH(200, "", ISSUE("")), BL_FAILED},
        {ANSWER(304, ""), BL_FAILED},
        {BROKEN(BL_WIRE_TOO_LARGE), BL_FAILED},
        {BROKEN(BL_WIRE_DISTRUST), BL_FAILED},
        {BROKEN(BL_WIRE_NO_CURL), BL_FAILED},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct fixture f;
        struct bl_failure failure;
        check_case("%d: %d %ld", (int)i, (int)rows[i].reply.wire, rows[i].reply.status);
        begin_client(&f, NULL, NULL);
        give_replies(&f, &rows[i].reply, 1);
        check_int(read_issue(&f, &failure), rows[i].answer);
        check_size(f.sent_count, 1);
        check(failure.what.len > 0);
        end_client(&f);
    }
}

TEST(words_of_failures)
{
    static const struct {
        struct reply reply;
        const char *why;
        const char *help;
    } rows[] = {
        {ANSWER(422, "{\"message\":\"evil words\",\"errors\":[{\"resource\":\"IssueComment\","
                     "\"field\":\"body\",\"code\":\"too_long\"}]}"),
         "GitHub answered 422 to POST /repos/octo/demo/issues/12/comments (IssueComment body "
         "too_long)",
         ""},
        {ANSWER(422, "{\"errors\":[{\"resource\":\"x y\",\"code\":\"::error::\"}]}"),
         "GitHub answered 422 to POST /repos/octo/demo/issues/12/comments", ""},
        {ANSWER(403, "{\"message\":\"evil words\"}"),
         "GitHub answered 403 to POST /repos/octo/demo/issues/12/comments",
         "Give the job 'issues: write' under 'permissions:'."},
        {WITH(403,
              "Content-Type: application/json\n"
              "X-Accepted-GitHub-Permissions: pull_requests=write",
              "{}"),
         "GitHub answered 403 to POST /repos/octo/demo/issues/12/comments",
         "The token lacks a permission; GitHub asks for 'pull_requests=write'."},
        {ANSWER(401, "{}"), "GitHub answered 401 to POST /repos/octo/demo/issues/12/comments",
         "Pass a token that is valid, such as that of the job."},
        {ANSWER(502, "{}"), "GitHub answered 502 to POST /repos/octo/demo/issues/12/comments",
         "It may have taken effect. The next run of the job looks, and goes on from there."},
        {BROKEN(BL_WIRE_NOT_SENT), "no connection to api.github.com came about", ""},
        {BROKEN(BL_WIRE_DISTRUST), "the certificate of api.github.com is not to be trusted",
         ""},
        {BROKEN(BL_WIRE_NO_CURL), "libcurl could not be loaded",
         "Install it (Debian: apt-get install libcurl4)."},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct fixture f;
        struct bl_failure failure;
        check_case("%s", rows[i].why);
        begin_client(&f, NULL, NULL);
        give_replies(&f, &rows[i].reply, 1);
        check(post(&f, &failure) != BL_WRITTEN);
        check_str(failure.why, rows[i].why);
        check_str(failure.help, rows[i].help);
        end_client(&f);
    }
}

/* ---- bounds ------------------------------------------------------------------------------ */

static void few(struct bl_github_options *options)
{
    options->requests = 2;
}

TEST(a_run_ends_at_its_requests)
{
    struct fixture f;
    struct bl_failure failure;
    begin_client(&f, NULL, few);
    REPLIES(&f, ANSWER(201, "{}"), ANSWER(201, "{}"), ANSWER(201, "{}"));
    check_int(post(&f, &failure), BL_WRITTEN);
    check_int(post(&f, &failure), BL_WRITTEN);
    check_int(post(&f, &failure), BL_NOT_WRITTEN);
    check_size(f.sent_count, 2);
    check(failure.over);
    end_client(&f);
}

static bool fails_to_be_read(struct fixture *f, struct bl_failure *failure)
{
    bl_snapshot_forget(f->snapshot, thing(f, BL_ENTITY_ISSUE, 12, "octo/demo"));
    return read_issue(f, failure) == BL_FAILED;
}

/* req: FLT-03, FLT-07 */
TEST(a_github_that_is_silent_is_left_alone)
{
    struct fixture f;
    struct bl_failure failure;
    begin_client(&f, NULL, NULL);
    REPLIES(&f, ANSWER(502, ""), ANSWER(502, ""), ANSWER(502, ""), ANSWER(502, ""));
    check(fails_to_be_read(&f, &failure) && !failure.over);
    /* One that is answered in between begins the count anew. */
    REPLIES(&f, OK(ISSUE("")));
    check(!fails_to_be_read(&f, &failure));
    /* So does one that is refused. */
    for (int call = 1; call <= 2; call++) {
        REPLIES(&f, ANSWER(502, ""), ANSWER(502, ""), ANSWER(502, ""), ANSWER(502, ""));
        check(fails_to_be_read(&f, &failure) && !failure.over);
    }
    REPLIES(&f, ANSWER(422, "{}"));
    check(fails_to_be_read(&f, &failure) && !failure.over);
    for (int call = 1; call <= 3; call++) {
        REPLIES(&f, ANSWER(502, ""), ANSWER(502, ""), ANSWER(502, ""), ANSWER(502, ""));
        check_case("call %d", call);
        check(fails_to_be_read(&f, &failure));
        check(failure.over == (call == 3));
        check_size(f.sent_count, 4);
    }
    REPLIES(&f, OK(ISSUE("")));
    check(fails_to_be_read(&f, &failure) && failure.over);
    check(says(failure.why, "several requests in a row"));
    check_int(post(&f, &failure), BL_NOT_WRITTEN);
    check_size(f.sent_count, 0);
    end_client(&f);
}

static bool is_told;

static bool told(void *context)
{
    (void)context;
    return is_told;
}

static void may_be_stopped(struct bl_github_options *options)
{
    options->stop = (struct bl_github_stop){told, NULL};
}

/* req: FLT-08 */
TEST(a_run_that_is_told_to_stop_asks_nothing_more)
{
    struct fixture f;
    struct bl_failure failure;
    is_told = false;
    begin_client(&f, NULL, may_be_stopped);
    REPLIES(&f, OK(ISSUE("")), ANSWER(201, "{}"));
    check(!fails_to_be_read(&f, &failure));
    is_told = true;
    check_int(post(&f, &failure), BL_NOT_WRITTEN);
    check(says(failure.why, "told to stop") && failure.again && failure.over);
    check(fails_to_be_read(&f, &failure));
    check_size(f.sent_count, 1);
    end_client(&f);
}

TEST(every_allocation_fails_once)
{
    for (size_t n = 1;; n++) {
        struct failing_allocator failing;
        struct fixture f;
        struct bl_failure failure = {.again = false};
        failing_allocator_init(&failing, n);
        begin_client(&f, &failing.allocator, NULL);
        REPLIES(&f, WITH(200, TAGGED("W/\"1\""), ISSUE("")), ANSWER(201, "{}"));
        enum bl_answer answer = BL_FAILED;
        enum bl_written written = BL_NOT_WRITTEN;
        if (f.snapshot != NULL) {
            struct bl_object *issue = thing(&f, BL_ENTITY_ISSUE, 12, "octo/demo");
            answer = issue != NULL ? load(&f, issue, BL_READ_ISSUE, &failure) : BL_FAILED;
            written = issue != NULL ? post(&f, &failure) : BL_NOT_WRITTEN;
        }
        bool failed = failing.calls >= n;
        check_case("allocation %d", (int)n);
        check(failed || (answer == BL_FOUND && written == BL_WRITTEN));
        check(answer != BL_MISSING);
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
        cmocka_unit_test(reads_are_made_again),
        cmocka_unit_test(reads_end_after_three_more),
        cmocka_unit_test(secondary_limits_are_waited_for),
        cmocka_unit_test(what_is_a_secondary_limit),
        cmocka_unit_test(the_primary_limit_stops),
        cmocka_unit_test(writes_are_sent_once),
        cmocka_unit_test(a_second_between_writes),
        cmocka_unit_test(only_not_found_is_missing),
        cmocka_unit_test(words_of_failures),
        cmocka_unit_test(a_run_ends_at_its_requests),
        cmocka_unit_test(a_github_that_is_silent_is_left_alone),
        cmocka_unit_test(a_run_that_is_told_to_stop_asks_nothing_more),
        cmocka_unit_test(every_allocation_fails_once),
    };
    return check_main(tests);
}
