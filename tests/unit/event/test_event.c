/* SPDX-License-Identifier: Apache-2.0 */
#include "event/event.h"
#include "event/payload.h"
#include "support/allocator.h"
#include "support/check_diagnostic.h"
#include "support/things.h"

#include <stdio.h>
#include <string.h>

#define STARTED INT64_C(1800000000) /* 2027-01-15T08:00:00Z */

static struct bl_arena arena;
static struct bl_diagnostics sink;

static int set_up(void **state)
{
    (void)state;
    bl_arena_init(&arena, (size_t)64 << 20, NULL);
    bl_diagnostics_init(&sink, &arena, 100);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    bl_arena_reset(&arena);
    return 0;
}

static int tasks(const void *context, bl_str name)
{
    (void)context;
    return bl_str_equal(name, BL_STR("triage")) ? 3 : -1;
}

/* The event's name is what stands in front of the first '.' or '-' of the file's. */
static bl_str event_name(const char *file)
{
    const char *slash = strrchr(file, '/');
    bl_str name = bl_str_from(slash != NULL ? slash + 1 : file);
    size_t end = 0;
    while (end < name.len && name.ptr[end] != '.' && name.ptr[end] != '-') {
        end++;
    }
    return bl_str_slice(name, 0, end);
}

static enum bl_event_result read_payload(const char *file, int64_t started,
                                         struct bl_event *event, bl_str *reason)
{
    char path[300];
    (void)snprintf(path, sizeof(path), "tests/events/%s.json", file);
    struct bl_event_source from = {
        .name = event_name(file), .started = started, .task_index = tasks, .source = 7};
    bl_str payload = read_file(&arena, path);
    enum bl_event_result result = bl_event_read(&arena, payload, &from, event, &sink, reason);
    /* Nothing of the input is kept. */
    memset((char *)(uintptr_t)payload.ptr, 'x', payload.len);
    return result;
}

/* One fact of an event: what stands in the file, looked up by eye. */
struct fact {
    const char *file;
    const char *path;
    const char *words;
};

static const struct fact facts[] = {
#define FACT(file, path, words) {file, path, words},
#include "payload_facts.def"
#undef FACT
};

TEST(payloads)
{
    struct bl_event event;
    const char *file = "";
    for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
        if (strcmp(file, facts[i].file) != 0) {
            bl_str reason;
            file = facts[i].file;
            enum bl_event_result result = read_payload(file, STARTED, &event, &reason);
            check_case("%s", file);
            check_int(result, BL_EVENT_READ);
            check_size(sink.errors, 0);
            check(event.id < BL_EVENT_COUNT);
        }
        check_case("%s: %s", file, facts[i].path);
        check_str(event_words(&arena, &event, facts[i].path), facts[i].words);
    }
}

TEST(every_field_has_the_type_of_its_row)
{
    const char *file = "";
    for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
        if (strcmp(file, facts[i].file) == 0) {
            continue;
        }
        file = facts[i].file;
        struct bl_event event;
        bl_str reason;
        check_int(read_payload(file, STARTED, &event, &reason), BL_EVENT_READ);
        struct bl_object *const things[] = {event.event,     event.issue,   event.comment,
                                            event.status,    event.release, event.pull_request,
                                            event.repository};
        for (size_t t = 0; t < sizeof(things) / sizeof(things[0]); t++) {
            if (things[t] == NULL) {
                continue;
            }
            const struct bl_entity_info *info =
                bl_entity_info((enum bl_entity)things[t]->entity);
            for (unsigned f = 0; f < info->field_count; f++) {
                enum bl_field field = (enum bl_field)(info->first_field + f);
                check_case("%s: %.*s.%.*s", file, BL_STR_ARG(info->name),
                           BL_STR_ARG(bl_field_info(field)->name));
                check(!bl_object_knows(things[t], field) ||
                      bl_value_has_type(bl_object_get(things[t], field),
                                        bl_field_info(field)->type));
                /* An event has no field that events.def does not give it. */
                check(things[t] != event.event || !bl_object_knows(things[t], field) ||
                      bl_event_carries(event.id, field));
            }
        }
    }
}

TEST(broken)
{
    static const struct {
        const char *file;
        unsigned code;
        const char *path;
    } cases[] = {
        {"issues.broken-number", BL_D_JSON_WRONG_TYPE, "issue.number"},
        {"issues.broken-large-number", BL_D_JSON_WRONG_TYPE, "issue.number"},
        {"issues.broken-without-issue", BL_D_JSON_MISSING, "issue"},
        {"issues.broken-time", BL_D_JSON_WRONG_TYPE, "issue.created_at"},
        {"issues.broken-login", BL_D_JSON_WRONG_TYPE, "issue.user.login"},
        {"issues.broken-label", BL_D_JSON_WRONG_TYPE, "issue.labels[1].name"},
        {"issues.broken-repository", BL_D_JSON_WRONG_TYPE, "repository.full_name"},
        {"issues.broken-without-sender", BL_D_JSON_MISSING, "sender"},
        {"pull_request.broken-branch", BL_D_JSON_WRONG_TYPE, "pull_request.head.ref"},
        {"workflow_dispatch-of-unknown-task", BL_D_EVENT_UNKNOWN_TASK, "inputs.task"},
        {"workflow_dispatch-of-no-number", BL_D_JSON_WRONG_TYPE, "inputs.issue"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char file[200];
        struct bl_event event;
        bl_str reason;
        bl_diagnostics_init(&sink, &arena, 100);
        (void)snprintf(file, sizeof(file), "derived/%s", cases[i].file);
        enum bl_event_result result = read_payload(file, STARTED, &event, &reason);
        check_case("%s", cases[i].file);
        check_int(result, BL_EVENT_BROKEN);
        check_size(sink.errors, 1);
        check_int(sink.list.items[0]->code, cases[i].code);
        check_diag_arg(&sink, 0, "path", cases[i].path);
        check_int(sink.list.items[0]->span.source, 7);
    }
}

static enum bl_event_result read_text(const char *name, const char *payload,
                                      struct bl_event *event, bl_str *reason)
{
    struct bl_event_source from = {.name = bl_str_from(name), .started = STARTED};
    bl_diagnostics_init(&sink, &arena, 100);
    return bl_event_read(&arena, bl_str_from(payload), &from, event, &sink, reason);
}

TEST(not_handled)
{
    static const struct {
        const char *name;
        const char *payload;
        const char *reason;
    } cases[] = {
        {"discussion", "{\"action\":\"created\"}", "No event is known here as 'discussion'."},
        {"no_such", "not even JSON", "No event is known here as 'no_such'."},
        {"", "{}", "No event is known here as '?'."},
        {"a\nb", "{}", "No event is known here as '?'."},
        {"pull_request", "{\"action\":\"assigned\"}",
         "No rule can be about the event 'pull_request.assigned'."},
        {"issues", "{\"action\":\"pondered\"}", "No event is known here as 'issues.pondered'."},
        {"issues", "{\"action\":\"\\u001b[2J\"}", "No event is known here as 'issues.?'."},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct bl_event event;
        bl_str reason;
        check_case("%s %s", cases[i].name, cases[i].payload);
        check_int(read_text(cases[i].name, cases[i].payload, &event, &reason),
                  BL_EVENT_NOT_HANDLED);
        check_str(reason, cases[i].reason);
        check_size(sink.errors, 0);
    }
}

/* req: CTX-30, PRF-03 */
TEST(no_more_of_a_text_is_read_than_github_keeps)
{
    static char payload[70000 + 1000];
    static char text[70000];
    memset(text, 'x', sizeof(text) - 1);
    check(snprintf(
              payload, sizeof(payload),
              "{\"action\":\"opened\",\"issue\":{\"number\":1,\"title\":\"T\",\"body\":\"%s\","
              "\"user\":{\"login\":\"alice\",\"id\":5},\"author_association\":\"NONE\","
              "\"created_at\":\"2026-11-01T10:00:00Z\"},"
              "\"repository\":{\"full_name\":\"octo/demo\"},"
              "\"sender\":{\"login\":\"alice\",\"id\":5}}",
              text) > 0);
    struct bl_event event;
    bl_str reason;
    check_int(read_text("issues", payload, &event, &reason), BL_EVENT_READ);
    check_size(bl_text_of(bl_object_get(event.issue, BL_FIELD_ISSUE_TEXT)).len, 65536);
}

TEST(not_json)
{
    static const struct {
        const char *payload;
        unsigned code;
        uint32_t lo;
    } cases[] = {
        {"", BL_D_JSON_BROKEN, 0},
        {"{\"action\":\"opened\",\"action\":\"closed\"}", BL_D_JSON_BROKEN, 28},
        {"[]", BL_D_JSON_WRONG_TYPE, 0},
        {"\"opened\"", BL_D_JSON_WRONG_TYPE, 0},
        {"{}", BL_D_JSON_MISSING, 0},
        {"{\"action\":1}", BL_D_JSON_WRONG_TYPE, 10},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct bl_event event;
        bl_str reason;
        check_case("%s", cases[i].payload);
        check_int(read_text("issues", cases[i].payload, &event, &reason), BL_EVENT_BROKEN);
        check_size(sink.errors, 1);
        check_int(sink.list.items[0]->code, cases[i].code);
        check_int(sink.list.items[0]->span.lo, cases[i].lo);
    }
}

static bl_str key_of(const char *file, int64_t started)
{
    struct bl_event event;
    bl_str reason;
    check_int(read_payload(file, started, &event, &reason), BL_EVENT_READ);
    return event_words(&arena, &event, "event.key");
}

TEST(keys)
{
    /* By sha256sum over the lines: event, action, node id, the label and assignee that the
     * event brought (none here), event.at. */
    check_str(key_of("issues.opened", STARTED),
              "98b5d3cd126dff416dc0c5079a6cea199d0d1561b21679a8d8b75624803cc6f0");
    static const char *const files[] = {
        "issues.opened",
        "issues.edited",
        "issues.labeled",
        "issue_comment.created",
        "pull_request.opened",
        "pull_request.closed",
        "release.published",
        "status",
        "push",
        "workflow_run.completed",
        "derived/push-branch",
        "derived/issues.closed-by-account",
        "derived/issues.labeled-by-maintainer",
        "derived/issues.reopened-by-stranger",
        "derived/issue_comment.edited-by-issue-author",
        "derived/pull_request_target.opened-from-fork",
    };
    bl_str keys[sizeof(files) / sizeof(files[0])];
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        keys[i] = key_of(files[i], STARTED);
        check_case("%s", files[i]);
        check_size(keys[i].len, 64);
        /* The same for every run of one event. */
        check(bl_str_equal(keys[i], key_of(files[i], STARTED + 3600)));
        for (size_t j = 0; j < i; j++) {
            check_case("%s and %s", files[i], files[j]);
            check(!bl_str_equal(keys[i], keys[j]));
        }
    }
    /* These have nothing that tells one from the next but their time. */
    check(!bl_str_equal(key_of("derived/schedule", STARTED),
                        key_of("derived/schedule", STARTED + 1)));
    check(!bl_str_equal(key_of("workflow_dispatch", STARTED),
                        key_of("workflow_dispatch", STARTED + 1)));
}

/* The association is part of who a user is (value/value.h), also when it was settled last. */
TEST(users_have_the_key_of_their_association)
{
    static const struct {
        const char *file;
        unsigned association;
    } cases[] = {
        {"issues.opened", BL_ASSOCIATION_OWNER},
        {"derived/issues.edited-by-maintainer", BL_ASSOCIATION_NOBODY},
        {"derived/pull_request_target.opened-from-fork", BL_ASSOCIATION_CONTRIBUTOR},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct bl_event event;
        bl_str reason;
        check_int(read_payload(cases[i].file, STARTED, &event, &reason), BL_EVENT_READ);
        check_case("%s", cases[i].file);
        check_int(bl_object_of(bl_object_get(event.event, BL_FIELD_EVENT_ACTOR))->key,
                  bl_user_key(cases[i].association));
    }
}

TEST(nul_escapes_are_noted)
{
    struct bl_event event;
    bl_str reason;
    check_int(read_payload("derived/issues.opened-with-nul", STARTED, &event, &reason),
              BL_EVENT_READ);
    check_size(event.notes, 2);
    check_size(sink.errors, 0);
    check_size(sink.list.count, 1);
    check_int(sink.list.items[0]->code, BL_D_EVENT_NUL);
    check_diag_arg(&sink, 0, "count", "2");
}

TEST(associations)
{
    static const struct {
        const char *spelling;
        const char *member;
    } cases[] = {
        {"OWNER", "owner"},
        {"MEMBER", "member"},
        {"COLLABORATOR", "collaborator"},
        {"CONTRIBUTOR", "contributor"},
        {"FIRST_TIMER", "first_timer"},
        {"FIRST_TIME_CONTRIBUTOR", "first_timer"},
        {"MANNEQUIN", "nobody"},
        {"NONE", "nobody"},
        {"owner", NULL},
        {"", NULL},
        {"ADMIN", NULL},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        unsigned member = 99;
        check_case("%s", cases[i].spelling);
        check(bl_association_from(bl_str_from(cases[i].spelling), &member) ==
              (cases[i].member != NULL));
        if (cases[i].member != NULL) {
            check_str(bl_enum_member(BL_ENUM_ASSOCIATION, member), cases[i].member);
        }
    }
    for (unsigned m = 0; m < bl_enum_member_count(BL_ENUM_ASSOCIATION); m++) {
        unsigned back;
        check(bl_association_from(bl_association_spelling(m), &back) && back == m);
    }
}

TEST(every_allocation_may_fail)
{
    bl_str payload =
        read_file(&arena, "tests/events/derived/issue_comment.created-by-author.json");
    struct bl_event_source from = {.name = BL_STR("issue_comment"), .started = STARTED};
    for (size_t fail_at = 1;; fail_at++) {
        struct failing_allocator failing;
        struct bl_arena small;
        struct bl_event event;
        struct bl_diagnostics own;
        bl_str reason;
        check_case("allocation %zu fails", fail_at);
        failing_allocator_init(&failing, fail_at);
        bl_arena_init(&small, (size_t)16 << 20, &failing.allocator);
        bl_diagnostics_init(&own, &small, 10);
        enum bl_event_result result =
            bl_event_read(&small, payload, &from, &event, &own, &reason);
        bool failed = failing.calls >= fail_at;
        check_int(result, failed ? BL_EVENT_BROKEN : BL_EVENT_READ);
        check(small.failed == failed);
        bl_arena_reset(&small);
        check_size(failing.live, 0);
        if (!failed) {
            break;
        }
    }
    /* Also for a payload that no rule can be about: its reason is a text too. */
    struct bl_arena none;
    struct bl_event unread;
    struct bl_diagnostics own_sink;
    bl_str no_reason;
    from.name = BL_STR("discussion");
    bl_arena_init(&none, 0, NULL);
    bl_diagnostics_init(&own_sink, &none, 10);
    check_int(bl_event_read(&none, payload, &from, &unread, &own_sink, &no_reason),
              BL_EVENT_BROKEN);
    from.name = BL_STR("issue_comment");
    /* And every limit of memory. */
    for (size_t limit = 0; limit < 200000; limit += 500) {
        struct bl_arena small;
        struct bl_event event;
        struct bl_diagnostics own;
        bl_str reason;
        check_case("limit %zu", limit);
        bl_arena_init(&small, limit, NULL);
        bl_diagnostics_init(&own, &small, 10);
        enum bl_event_result result =
            bl_event_read(&small, payload, &from, &event, &own, &reason);
        check(result == (small.failed ? BL_EVENT_BROKEN : BL_EVENT_READ));
        check(small.used <= limit);
        bl_arena_reset(&small);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(payloads, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_field_has_the_type_of_its_row, set_up, tear_down),
        cmocka_unit_test_setup_teardown(broken, set_up, tear_down),
        cmocka_unit_test_setup_teardown(not_handled, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_more_of_a_text_is_read_than_github_keeps, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(not_json, set_up, tear_down),
        cmocka_unit_test_setup_teardown(keys, set_up, tear_down),
        cmocka_unit_test_setup_teardown(users_have_the_key_of_their_association, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(nul_escapes_are_noted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(associations, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_allocation_may_fail, set_up, tear_down),
    };
    return check_main(tests);
}
