/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/tables.h"
#include "support/check.h"
#include "unit/world/github/github_fixture.h"

#include <stdio.h>

/* Effects that look before they write: what a look that failed does, and what is written after
 * one that did not. */

static struct fixture f;
static struct bl_failure failure;

#define MARKER "<!-- demo:kind a=1 -->"

static enum bl_written milestone(void)
{
    const struct bl_value args[] = {
        bl_object_value(thing(&f, BL_ENTITY_ISSUE, 12, "octo/demo")), bl_text(BL_STR("v1"))};
    const struct bl_effect_call call = {
        .effect = BL_EFFECT_MILESTONE, .args = args, .arg_count = 2};
    return bl_github_world(f.github)->write(f.github, &f.arena, &call, &failure);
}

static enum bl_written mark(void)
{
    const struct bl_value args[] = {
        bl_object_value(thing(&f, BL_ENTITY_COMMENT, 900, "octo/demo"))};
    const struct bl_effect_call call = {
        .effect = BL_EFFECT_MARK, .args = args, .arg_count = 1, .body = BL_STR(MARKER)};
    return bl_github_world(f.github)->write(f.github, &f.arena, &call, &failure);
}

static enum bl_written ensure_label(void)
{
    const struct bl_value args[] = {bl_text(BL_STR("needs info"))};
    const struct bl_effect_call call = {.effect = BL_EFFECT_ENSURE_LABEL,
                                        .args = args,
                                        .arg_count = 1,
                                        .label_color = BL_STR("ededed"),
                                        .label_description = BL_STR("Waits.")};
    return bl_github_world(f.github)->write(f.github, &f.arena, &call, &failure);
}

static enum bl_written close_as_duplicate(void)
{
    const struct bl_value args[] = {
        bl_object_value(thing(&f, BL_ENTITY_ISSUE, 12, "octo/demo")),
        bl_member_value(BL_ENUM_STATE_REASON, BL_STATE_REASON_DUPLICATE),
        bl_object_value(thing(&f, BL_ENTITY_ISSUE, 9, "octo/demo"))};
    const struct bl_effect_call call = {
        .effect = BL_EFFECT_CLOSE, .args = args, .arg_count = 3};
    return bl_github_world(f.github)->write(f.github, &f.arena, &call, &failure);
}

static enum bl_written remove_label(void)
{
    const struct bl_value args[] = {
        bl_object_value(thing(&f, BL_ENTITY_ISSUE, 12, "octo/demo")), bl_text(BL_STR("bug"))};
    const struct bl_effect_call call = {
        .effect = BL_EFFECT_REMOVE_LABEL, .args = args, .arg_count = 2};
    return bl_github_world(f.github)->write(f.github, &f.arena, &call, &failure);
}

static void check_sent(size_t index, enum bl_github_method method, const char *end,
                       const char *body)
{
    bl_str url = bl_str_from(f.sent[index].url);
    check(f.sent[index].method == method);
    check(bl_str_ends_with(url, bl_str_from(end)));
    check_str(bl_str_from(f.sent[index].body), body);
    check(f.sent[index].fresh == (method != BL_GITHUB_GET));
}

/* req: FLT-01, FLT-02 */
TEST(a_look_that_fails_is_no_no)
{
    enum bl_written (*const effects[])(void) = {milestone, mark, ensure_label,
                                                close_as_duplicate};
    static const struct reply looks[] = {
        ANSWER(401, "{}"),
        ANSWER(403, "{}"),
        ANSWER(422, "{}"),
        ANSWER(451, "{}"),
        ANSWER(404, "<html>"),
        ANSWER(404, ""),
        WITH(404, "Content-Type: text/html", "{}"),
        WITH(301, "Location: https://evil.example/repositories/77/x", "{}"),
        WITH(403, "X-RateLimit-Remaining: 0", "{}"),
        WITH(200, "Content-Type: text/html", "<html>"),
        OK("{"),
        OK("7"),
        BROKEN(BL_WIRE_TOO_LARGE),
        BROKEN(BL_WIRE_DISTRUST),
    };
    for (size_t e = 0; e < sizeof(effects) / sizeof(effects[0]); e++) {
        for (size_t i = 0; i < sizeof(looks) / sizeof(looks[0]); i++) {
            const struct reply replies[] = {looks[i], ANSWER(201, "{\"number\":1}"),
                                            ANSWER(201, "{}")};
            check_case("effect %d, look %d", (int)e, (int)i);
            begin_client(&f, NULL, NULL);
            give_replies(&f, replies, 3);
            check_int(effects[e](), BL_NOT_WRITTEN);
            check_size(f.sent_count, 1);
            check(f.sent[0].method == BL_GITHUB_GET);
            check(failure.why.len > 0);
            end_client(&f);
        }
    }
}

#define PAGE(n)     "https://api.github.com/repositories/77/milestones?page=" n
#define NEXT(url)   "Content-Type: application/json\nLink: <" url ">; rel=\"next\""
#define FIRST       "https://api.github.com/repos/octo/demo/milestones?state=all&per_page=100"
#define OTHER(n)    "[{\"title\":\"v0." n "\",\"number\":" n "}]"
#define CREATED     ANSWER(201, "{\"title\":\"v1\",\"number\":5}")
#define SET         OK(ISSUE(""))
#define SENT_TITLE  "{\"title\":\"v1\",\"state\":\"closed\"}"
#define SENT_NUMBER "{\"milestone\":5}"

TEST(a_milestone_is_looked_for_on_all_pages)
{
    begin_client(&f, NULL, NULL);
    REPLIES(&f, WITH(200, NEXT(PAGE("2")), OTHER("1")), OK("[{\"title\":\"v1\",\"number\":5}]"),
            SET);
    check_int(milestone(), BL_WRITTEN);
    check_size(f.sent_count, 3);
    check_str(bl_str_from(f.sent[0].url), FIRST);
    check_str(bl_str_from(f.sent[1].url), PAGE("2"));
    check_sent(2, BL_GITHUB_PATCH, "/repos/octo/demo/issues/12", SENT_NUMBER);
    REPLIES(&f, WITH(200, NEXT(PAGE("2")), OTHER("1")), OK("[]"), CREATED, SET);
    check_int(milestone(), BL_WRITTEN);
    check_size(f.sent_count, 4);
    check_sent(2, BL_GITHUB_POST, "/repos/octo/demo/milestones", SENT_TITLE);
    check_sent(3, BL_GITHUB_PATCH, "/repos/octo/demo/issues/12", SENT_NUMBER);
    end_client(&f);
}

/* req: FLT-01 */
TEST(milestones_without_end_are_not_none)
{
    begin_client(&f, NULL, NULL);
    /* A page that leads to itself, two that lead to each other. */
    REPLIES(&f, WITH(200, NEXT(FIRST), OTHER("1")), CREATED, SET);
    check_int(milestone(), BL_NOT_WRITTEN);
    check_size(f.sent_count, 1);
    REPLIES(&f, WITH(200, NEXT(PAGE("2")), OTHER("1")), WITH(200, NEXT(FIRST), OTHER("2")),
            WITH(200, NEXT(PAGE("2")), OTHER("1")), CREATED, SET);
    check_int(milestone(), BL_NOT_WRITTEN);
    check_size(f.sent_count, 3);
    REPLIES(&f, WITH(200, NEXT("https://evil.example/x"), OTHER("1")), CREATED, SET);
    check_int(milestone(), BL_NOT_WRITTEN);
    check_size(f.sent_count, 1);
    end_client(&f);
}

/* req: FLT-06 */
TEST(a_milestone_that_was_perhaps_created_is_not_set)
{
    begin_client(&f, NULL, NULL);
    REPLIES(&f, OK("[]"), ANSWER(502, ""), SET);
    check_int(milestone(), BL_UNKNOWN_WRITTEN);
    check_size(f.sent_count, 2);
    REPLIES(&f, OK("[]"), ANSWER(201, "{}"), SET);
    check_int(milestone(), BL_NOT_WRITTEN);
    check_size(f.sent_count, 2);
    end_client(&f);
}

TEST(a_mark_changes_the_first_line_alone)
{
    begin_client(&f, NULL, NULL);
    REPLIES(&f, OK("{\"id\":900,\"body\":\"<!-- demo:kind -->\\r\\n\\r\\nWhich?\"}"), OK("{}"));
    check_int(mark(), BL_WRITTEN);
    check_size(f.sent_count, 2);
    check_sent(1, BL_GITHUB_PATCH, "/repos/octo/demo/issues/comments/900",
               "{\"body\":\"" MARKER "\\r\\n\\r\\nWhich?\"}");
    /* It is so already. */
    REPLIES(&f, OK("{\"id\":900,\"body\":\"" MARKER "\\n\\nWhich?\"}"), OK("{}"));
    check_int(mark(), BL_WRITTEN);
    check_size(f.sent_count, 1);
    /* Somebody edited it in between: the first line is theirs. */
    REPLIES(&f, OK("{\"id\":900,\"body\":\"Which version?\\nThis one.\"}"), OK("{}"));
    check_int(mark(), BL_NOT_WRITTEN);
    check_size(f.sent_count, 1);
    check(bl_str_find(failure.why, BL_STR("marker")) != SIZE_MAX);
    end_client(&f);
}

TEST(a_label_that_is_not_there_is_gone)
{
    static const struct {
        struct reply look;
        enum bl_written written;
    } rows[] = {
        {OK("{\"labels\":[{\"name\":\"other\"}]}"), BL_WRITTEN},
        {OK("{\"labels\":[{\"name\":\"BUG\"}]}"), BL_NOT_WRITTEN},
        {ANSWER(404, "{}"), BL_NOT_WRITTEN}, /* the issue itself */
        {ANSWER(410, "{}"), BL_NOT_WRITTEN},
        {ANSWER(403, "{}"), BL_NOT_WRITTEN},
        {OK("{}"), BL_NOT_WRITTEN},
        {OK("[]"), BL_NOT_WRITTEN},
        {OK("{\"labels\":{}}"), BL_NOT_WRITTEN},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct reply replies[] = {ANSWER(404, "{}"), rows[i].look};
        check_case("look %d", (int)i);
        begin_client(&f, NULL, NULL);
        give_replies(&f, replies, 2);
        check_int(remove_label(), rows[i].written);
        check_size(f.sent_count, 2);
        check_sent(0, BL_GITHUB_DELETE, "/repos/octo/demo/issues/12/labels/bug", "");
        end_client(&f);
    }
}

/* ---- what is not sent -------------------------------------------------------------------- */

static enum bl_written write_text(enum bl_effect effect, size_t characters, const char *where)
{
    static char text[65538 * 2];
    struct bl_value args[4] = {bl_object_value(thing(&f, BL_ENTITY_ISSUE, 12, where))};
    struct bl_effect_call call = {.effect = effect, .args = args, .arg_count = 4};
    for (size_t i = 0; i < characters; i++) {
        text[2 * i] = '\xC3'; /* two bytes, one character */
        text[2 * i + 1] = '\xBC';
    }
    bl_str long_text = {text, 2 * characters};
    if (effect == BL_EFFECT_STATUS) {
        args[0] = bl_object_value(thing(&f, BL_ENTITY_COMMIT, 0, "6113728f"));
        args[1] = bl_text(BL_STR("x"));
        args[2] = bl_member_value(BL_ENUM_STATUS_STATE, BL_STATUS_STATE_SUCCESS);
        args[3] = bl_text(long_text);
    } else if (effect == BL_EFFECT_DISMISS) {
        args[0] = bl_object_value(thing(&f, BL_ENTITY_ALERT, 7, where));
        args[1] = bl_member_value(BL_ENUM_DISMISSAL, BL_DISMISSAL_WONT_FIX);
        args[2] = bl_text(long_text);
    } else if (effect == BL_EFFECT_ENSURE_LABEL) {
        args[0] = bl_text(BL_STR("bug"));
        call.label_description = long_text;
    } else {
        call.body = long_text;
    }
    return bl_github_world(f.github)->write(f.github, &f.arena, &call, &failure);
}

TEST(what_github_would_refuse_is_not_sent)
{
    static const struct {
        enum bl_effect effect;
        size_t most;
    } rows[] = {{BL_EFFECT_POST, 65536},
                {BL_EFFECT_STATUS, 140},
                {BL_EFFECT_DISMISS, 280},
                {BL_EFFECT_ENSURE_LABEL, 100}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        check_case("%s", bl_effect_info(rows[i].effect)->words.ptr);
        begin_client(&f, NULL, NULL);
        REPLIES(&f, OK("{\"name\":\"bug\"}"), OK("{}"));
        check_int(write_text(rows[i].effect, rows[i].most + 1, "octo/demo"), BL_NOT_WRITTEN);
        check_size(f.sent_count, 0);
        check(!failure.again && failure.why.len > 0);
        check_int(write_text(rows[i].effect, rows[i].most, "octo/demo"), BL_WRITTEN);
        check(f.sent_count > 0);
        end_client(&f);
    }
}

TEST(nothing_is_written_elsewhere)
{
    static const enum bl_effect effects[] = {BL_EFFECT_POST, BL_EFFECT_DISMISS};
    for (size_t i = 0; i < sizeof(effects) / sizeof(effects[0]); i++) {
        begin_client(&f, NULL, NULL);
        REPLIES(&f, ANSWER(201, "{}"));
        check_int(write_text(effects[i], 10, "octo/other"), BL_NOT_WRITTEN);
        check_size(f.sent_count, 0);
        check(bl_str_find(failure.why, BL_STR("another repository")) != SIZE_MAX);
        end_client(&f);
    }
}

/* ---- what is so already ------------------------------------------------------------------ */

static bool holds(enum bl_effect effect, enum bl_answer *answer)
{
    const struct bl_value status[] = {
        bl_object_value(thing(&f, BL_ENTITY_COMMIT, 0, "6113728f")), bl_text(BL_STR("x")),
        bl_member_value(BL_ENUM_STATUS_STATE, BL_STATUS_STATE_SUCCESS), bl_text(BL_STR("d"))};
    const struct bl_value alert[] = {
        bl_object_value(thing(&f, BL_ENTITY_ALERT, 7, "octo/demo"))};
    const struct bl_value milestones[] = {
        bl_object_value(thing(&f, BL_ENTITY_ISSUE, 12, "octo/demo")), bl_text(BL_STR("v1"))};
    const struct bl_value label[] = {bl_text(BL_STR("bug"))};
    const struct bl_effect_call call = {
        .effect = effect,
        .args = effect == BL_EFFECT_STATUS      ? status
                : effect == BL_EFFECT_DISMISS   ? alert
                : effect == BL_EFFECT_MILESTONE ? milestones
                                                : label,
        .arg_count = effect == BL_EFFECT_STATUS      ? 4
                     : effect == BL_EFFECT_MILESTONE ? 2
                                                     : 1,
        .label_color = BL_STR("ededed"),
        .label_description = BL_STR("Waits."),
        .account = BL_STR("bot[bot]"),
    };
    bool there = true;
    *answer = bl_github_world(f.github)->holds(f.github, &f.arena, &call, &there, &failure);
    return there;
}

#define STATUS(context, state, text, who)                                                      \
    "{\"context\":\"" context "\",\"state\":\"" state "\",\"description\":\"" text             \
    "\",\"creator\":{\"login\":\"" who "\"}}"

TEST(proofs_that_github_is_asked_for)
{
    static const struct {
        enum bl_effect effect;
        struct reply reply;
        enum bl_answer answer;
        bool there;
    } rows[] = {
        {BL_EFFECT_STATUS, OK("[" STATUS("x", "success", "d", "Bot[bot]") "]"), BL_FOUND, true},
        {BL_EFFECT_STATUS, OK("[" STATUS("x", "success", "d", "alice") "]"), BL_FOUND, false},
        {BL_EFFECT_STATUS, OK("[" STATUS("x", "success", "e", "bot[bot]") "]"), BL_FOUND,
         false},
        {BL_EFFECT_STATUS, OK("[" STATUS("x", "failure", "d", "bot[bot]") "]"), BL_FOUND,
         false},
        {BL_EFFECT_STATUS, OK("[" STATUS("y", "success", "d", "bot[bot]") "]"), BL_FOUND,
         false},
        /* The newest of its name counts. */
        {BL_EFFECT_STATUS,
         OK("[" STATUS("x", "failure", "d", "bot[bot]") "," STATUS("x", "success", "d",
                                                                   "bot[bot]") "]"),
         BL_FOUND, false},
        {BL_EFFECT_STATUS,
         OK("[" STATUS("y", "failure", "d", "bot[bot]") "," STATUS("x", "success", "d",
                                                                   "bot[bot]") "]"),
         BL_FOUND, true},
        {BL_EFFECT_STATUS, OK("{}"), BL_FAILED, false},
        {BL_EFFECT_STATUS, ANSWER(403, "{}"), BL_FAILED, false},
        {BL_EFFECT_DISMISS, OK("{\"state\":\"open\"}"), BL_FOUND, false},
        {BL_EFFECT_DISMISS, OK("{\"state\":\"dismissed\"}"), BL_FOUND, true},
        {BL_EFFECT_DISMISS, OK("{\"state\":\"fixed\"}"), BL_FOUND, true},
        {BL_EFFECT_DISMISS, OK("[]"), BL_FAILED, false},
        {BL_EFFECT_DISMISS, ANSWER(404, "{}"), BL_MISSING, false},
        {BL_EFFECT_DISMISS, ANSWER(403, "{}"), BL_FAILED, false},
        {BL_EFFECT_MILESTONE, OK("{\"milestone\":{\"title\":\"v1\"}}"), BL_FOUND, true},
        {BL_EFFECT_MILESTONE, OK("{\"milestone\":{\"title\":\"v2\"}}"), BL_FOUND, false},
        {BL_EFFECT_MILESTONE, OK("{\"milestone\":null}"), BL_FOUND, false},
        {BL_EFFECT_MILESTONE, OK("[]"), BL_FAILED, false},
        {BL_EFFECT_ENSURE_LABEL, OK("{\"color\":\"EDEDED\",\"description\":\"Waits.\"}"),
         BL_FOUND, true},
        {BL_EFFECT_ENSURE_LABEL, OK("{\"color\":\"ededed\",\"description\":null}"), BL_FOUND,
         false},
        {BL_EFFECT_ENSURE_LABEL, OK("{\"color\":\"000000\",\"description\":\"Waits.\"}"),
         BL_FOUND, false},
        {BL_EFFECT_ENSURE_LABEL, ANSWER(404, "{}"), BL_MISSING, false},
        {BL_EFFECT_ENSURE_LABEL, ANSWER(404, "<html>"), BL_FAILED, false},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        enum bl_answer answer;
        check_case("row %d", (int)i);
        begin_client(&f, NULL, NULL);
        give_replies(&f, &rows[i].reply, 1);
        check(holds(rows[i].effect, &answer) == rows[i].there);
        check_int(answer, rows[i].answer);
        check_size(f.sent_count, 1);
        check(f.sent[0].method == BL_GITHUB_GET);
        end_client(&f);
    }
}

/* ---- rows of stores ------------------------------------------------------------------------
 */

static struct {
    enum bl_written result;
    enum bl_answer answer;
    char path[40], text[40];
} job;

static enum bl_written keep(void *context, bl_str path, bl_str text, struct bl_failure *why)
{
    (void)context;
    snprintf(job.path, sizeof job.path, "%.*s", BL_STR_ARG(path));
    snprintf(job.text, sizeof job.text, "%.*s", BL_STR_ARG(text));
    if (job.result != BL_WRITTEN)
        why->why = BL_STR("the disk is full");
    return job.result;
}

static enum bl_answer rows(void *context, enum bl_read read, bl_str asked, bl_str *value)
{
    (void)context;
    check_int(read, BL_READ_STORE);
    check_str(asked, "rows.jsonl");
    *value = BL_STR("");
    return job.answer;
}

static void with_job(struct bl_github_options *options)
{
    options->job = (struct bl_github_job){.text = rows, .keep = keep};
}

static enum bl_written keep_row(void)
{
    const struct bl_effect_call call = {
        .effect = BL_EFFECT_KEEP, .path = BL_STR("rows.jsonl"), .body = BL_STR("{}\n")};
    return bl_github_world(f.github)->write(f.github, &f.arena, &call, &failure);
}

TEST(rows_are_kept_by_the_job_and_sent_to_nobody)
{
    begin_client(&f, NULL, with_job);
    job.result = BL_WRITTEN;
    check_int(keep_row(), BL_WRITTEN);
    check_str(bl_str_from(job.path), "rows.jsonl");
    check_str(bl_str_from(job.text), "{}\n");
    job.result = BL_NOT_WRITTEN;
    check_int(keep_row(), BL_NOT_WRITTEN);
    check_str(failure.why, "the disk is full");
    check_size(f.sent_count, 0);
    end_client(&f);
    begin_client(&f, NULL, NULL);
    check_int(keep_row(), BL_NOT_WRITTEN);
    check_str(failure.why, "this run keeps no files");
    check_size(f.sent_count, 0);
    end_client(&f);
}

TEST(a_store_that_cannot_be_read_is_not_empty)
{
    static const enum bl_answer answers[] = {BL_FOUND, BL_MISSING, BL_FAILED};

    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        const struct bl_value path = bl_text(BL_STR("rows.jsonl"));
        struct bl_value out = bl_absent();

        begin_client(&f, NULL, with_job);
        job.answer = answers[i];
        failure = (struct bl_failure){.again = false};
        enum bl_status status =
            bl_snapshot_query(f.snapshot, BL_READ_STORE, &path, 1, &out, &failure);
        check_int(status == BL_OK, answers[i] != BL_FAILED);
        check_int(out.tag == BL_V_TEXT, answers[i] == BL_FOUND);
        check_size(f.sent_count, 0);
        end_client(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_look_that_fails_is_no_no),
        cmocka_unit_test(a_milestone_is_looked_for_on_all_pages),
        cmocka_unit_test(milestones_without_end_are_not_none),
        cmocka_unit_test(a_milestone_that_was_perhaps_created_is_not_set),
        cmocka_unit_test(a_mark_changes_the_first_line_alone),
        cmocka_unit_test(a_label_that_is_not_there_is_gone),
        cmocka_unit_test(what_github_would_refuse_is_not_sent),
        cmocka_unit_test(nothing_is_written_elsewhere),
        cmocka_unit_test(proofs_that_github_is_asked_for),
        cmocka_unit_test(rows_are_kept_by_the_job_and_sent_to_nobody),
        cmocka_unit_test(a_store_that_cannot_be_read_is_not_empty),
    };
    return check_main(tests);
}
