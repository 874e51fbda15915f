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
    /* req: EVT-06 EVT-13 EVT-15: who it was, through what */
    {"issues.opened", "event.actor.login", "Codertocat"},
    {"issues.opened", "event.actor.association", "owner"},
    {"issues.opened", "event.actor.kind", "person"},
    {"issues.opened", "event.actor.id", "21031067"},
    {"issues.opened", "event.at", "2019-05-15T15:20:18Z"},
    {"issues.opened", "event.issue_number", "1"},
    {"issues.opened", "event.issue_author", "Codertocat"},
    {"issues.opened", "event.issue_author.association", "owner"},
    {"issues.opened", "event.on_pull_request", "false"},
    {"issues.opened", "event.text_changed", "false"},
    {"issues.opened", "event.repository", "Codertocat/Hello-World"},
    {"issues.opened", "event.default_branch", "master"},
    {"issues.opened", "event.state", "?"},
    {"issues.opened", "event.inputs", "?"},
    {"issues.opened", "issue.number", "1"},
    {"issues.opened", "issue.title", "Spelling error in the README file"},
    {"issues.opened", "issue.text",
     "It looks like you accidently spelled 'commit' with two 't's."},
    {"issues.opened", "issue.state", "open"},
    {"issues.opened", "issue.state_reason", "none"}, /* left out by an old payload */
    {"issues.opened", "issue.created_at", "2019-05-15T15:20:18Z"},
    {"issues.opened", "issue.closed_at", "none"},
    {"issues.opened", "issue.labels", "[bug]"},
    {"issues.opened", "issue.assignees", "[Codertocat]"},
    {"issues.opened", "issue.locked", "false"},
    {"issues.opened", "issue.thumbs_up", "0"},
    {"issues.opened", "issue.comment_count", "0"},
    {"issues.opened", "issue.repository", "Codertocat/Hello-World"},
    {"issues.opened", "issue.is_pull_request", "false"},
    {"issues.opened", "issue.comments", "?"},
    {"issues.opened", "issue.timeline", "?"},
    {"issues.opened", "comment.id", "nothing"},
    {"issues.opened", "repository.name", "Codertocat/Hello-World"},
    {"issues.opened", "repository.new_issue_link",
     "https://github.com/Codertocat/Hello-World/issues/new"},
    {"issues.opened", "repository.security_policy",
     "https://github.com/Codertocat/Hello-World/security/policy"},
    {"issues.opened", "repository.open_issues", "?"},
    {"derived/issues.opened-by-stranger", "event.actor.association", "nobody"},
    {"derived/issues.opened-by-stranger", "event.actor.login", "alice"},
    {"derived/issues.opened-by-stranger", "issue.state_reason", "none"},
    {"derived/issues.opened-by-stranger", "issue.labels", "[]"},
    {"derived/issues.opened-by-member", "event.actor.association", "member"},
    {"derived/issues.opened-by-contributor", "event.actor.association", "contributor"},
    {"derived/issues.opened-by-first-timer", "event.actor.association", "first_timer"},
    {"derived/issues.opened-by-mannequin", "event.actor.association", "nobody"},
    {"derived/issues.opened-by-bot", "event.actor.kind", "bot"},
    {"derived/issues.opened-by-bot", "event.actor.login", "renovate[bot]"},
    {"derived/issues.opened-by-quiet-bot", "event.actor.kind", "bot"},
    {"derived/issues.opened-by-ghost", "issue.author.login", "ghost"},
    {"derived/issues.opened-by-ghost", "issue.author.id", "10137"},
    {"derived/issues.opened-by-ghost", "issue.author.kind", "person"},
    {"derived/issues.opened-by-ghost", "event.actor.login", "Codertocat"},
    {"derived/issues.opened-by-ghost", "event.actor.association", "nobody"},
    {"derived/issues.opened-without-text", "issue.text", ""},
    {"derived/issues.opened-by-a-word-of-tomorrow", "issue.author.association", "?"},
    {"derived/issues.opened-by-a-word-of-tomorrow", "issue.state_reason", "?"},
    {"derived/issues.opened-with-large-ids", "issue.number", "2147483648"},
    {"derived/issues.opened-with-large-ids", "issue.author.id", "4294967296"},
    {"derived/issues.opened-with-nul", "issue.title",
     "a\xEF\xBF\xBD"
     "b"},
    {"derived/issues.opened-with-nul", "issue.text", "\xEF\xBF\xBD"},

    /* req: LIF-07: a new title answers nothing */
    {"issues.edited", "event.text_changed", "false"}, /* changes: {} */
    {"issues.edited", "event.at", "2019-05-15T15:20:18Z"},
    {"derived/issues.edited-text", "event.text_changed", "true"},
    {"derived/issues.edited-title", "event.text_changed", "false"},
    {"derived/issues.edited-both", "event.text_changed", "true"},
    {"derived/issues.edited-by-maintainer", "event.actor.login", "Codertocat"},
    /* Owns the repository, but did not write what the event brought: review §4. */
    {"derived/issues.edited-by-maintainer", "event.actor.association", "nobody"},
    {"derived/issues.edited-by-maintainer", "event.issue_author", "alice"},

    {"derived/issues.closed-by-account", "event.actor.kind", "bot"},
    {"derived/issues.closed-by-account", "issue.state", "closed"},
    {"derived/issues.closed-by-account", "issue.state_reason", "not_planned"},
    {"derived/issues.closed-by-account", "issue.closed_at", "2019-05-16T08:00:00Z"},
    {"derived/issues.closed-by-account", "event.at", "2027-01-15T08:00:00Z"},
    {"derived/issues.labeled-by-maintainer", "issue.labels", "[bug, needs-info]"},
    {"derived/issues.labeled-by-maintainer", "event.at", "2027-01-15T08:00:00Z"},
    {"derived/issues.reopened-by-stranger", "issue.state_reason", "reopened"},
    {"derived/issues.reopened-by-stranger", "event.actor.association", "nobody"},

    {"issue_comment.created", "comment.id", "492700400"},
    {"issue_comment.created", "comment.text",
     "You are totally right! I'll get this fixed right away."},
    {"issue_comment.created", "comment.issue", "1 Codertocat/Hello-World"},
    {"issue_comment.created", "comment.thumbs_up", "?"},
    {"issue_comment.created", "event.at", "2019-05-15T15:20:21Z"},
    {"derived/issue_comment.created-by-author", "event.actor.association", "nobody"},
    {"derived/issue_comment.created-by-author", "event.issue_number", "12"},
    {"derived/issue_comment.created-by-author", "issue.labels", "[needs-info, bug]"},
    {"derived/issue_comment.created-by-someone", "comment.author", "bob"},
    {"derived/issue_comment.created-by-someone", "event.issue_author", "alice"},
    {"derived/issue_comment.created-by-maintainer", "event.actor.association", "owner"},
    {"derived/issue_comment.created-by-bot", "event.actor.kind", "bot"},
    {"derived/issue_comment.created-on-closed", "issue.state", "closed"},
    {"derived/issue_comment.created-on-closed", "issue.state_reason", "completed"},
    {"derived/issue_comment.created-on-closed", "issue.closed_at", "2019-05-15T15:20:20Z"},
    {"derived/issue_comment.created-on-pull-request", "event.on_pull_request", "true"},
    {"derived/issue_comment.created-on-pull-request", "issue.is_pull_request", "true"},
    {"derived/issue_comment.edited-by-issue-author", "event.actor", "alice"},
    {"derived/issue_comment.edited-by-issue-author", "event.actor.association", "nobody"},
    {"derived/issue_comment.edited-by-issue-author", "event.at", "2027-01-15T08:00:00Z"},
    {"derived/issue_comment.edited-by-issue-author", "event.text_changed", "?"},
    {"derived/issue_comment.created-with-reactions", "comment.thumbs_up", "3"},
    {"derived/issue_comment.created-with-reactions", "comment.thumbs_down", "2"},
    {"derived/issue_comment.created-with-reactions", "issue.thumbs_up", "4"},

    {"pull_request.opened", "pull_request.number", "2"},
    {"pull_request.opened", "pull_request.author", "Codertocat"},
    {"pull_request.opened", "pull_request.base", "master"},
    {"pull_request.opened", "pull_request.head_branch", "changes"},
    {"pull_request.opened", "pull_request.head.sha",
     "ec26c3e57ca3a959ca5aad62de7213c562f8c821"},
    {"pull_request.opened", "pull_request.head_repository", "Codertocat/Hello-World"},
    {"pull_request.opened", "pull_request.state", "open"},
    {"pull_request.opened", "pull_request.merged_at", "none"},
    {"pull_request.opened", "pull_request.merge_commit", "none"},
    {"pull_request.opened", "event.pull_number", "2"},
    {"pull_request.opened", "event.merged", "false"},
    {"pull_request.opened", "event.actor.association", "owner"},
    {"pull_request.opened", "event.at", "2027-01-15T08:00:00Z"},
    {"pull_request.opened", "issue.number", "nothing"},
    {"derived/pull_request.closed-merged", "event.merged", "true"},
    {"derived/pull_request.closed-merged", "event.at", "2019-05-15T15:21:02Z"},
    {"derived/pull_request.closed-merged", "pull_request.merged_at", "2019-05-15T15:21:02Z"},
    {"derived/pull_request.closed-merged", "pull_request.merge_commit.sha",
     "c4295bd74fb0f4fda03689c3df3f2803b658fd85"},
    {"derived/pull_request.closed-merged", "event.actor.association", "nobody"},
    {"derived/pull_request.closed-merged", "pull_request.author.association", "contributor"},
    {"derived/pull_request.closed-unmerged", "event.merged", "false"},
    /* The trial merge that GitHub names before is not the commit that merged it. */
    {"derived/pull_request.closed-unmerged", "pull_request.merge_commit", "none"},
    {"derived/pull_request.closed-merged-from-fork", "pull_request.head_repository",
     "carl/Hello-World"},
    {"derived/pull_request.closed-from-deleted-fork", "pull_request.head_repository",
     "ghost/ghost"},
    {"derived/pull_request_target.opened-from-fork", "event.pull_number", "2"},
    {"derived/pull_request_target.opened-from-fork", "event.actor.association", "contributor"},

    {"release.published", "release.tag", "0.0.1"},
    {"release.published", "release.draft", "false"},
    {"release.published", "release.prerelease", "false"},
    {"release.published", "release.published_at", "2019-05-15T15:20:53Z"},
    {"release.published", "event.at", "2019-05-15T15:20:53Z"},
    {"release.published", "event.actor.association", "nobody"},

    {"status", "status.context", "default"},
    {"status", "status.state", "success"},
    {"status", "status.commit.sha", "6113728f27ae82c7b1a177c8d03f9e96e0adf246"},
    {"status", "status.creator", "Codertocat"},
    {"status", "status.created_at", "2019-05-15T15:20:55Z"},
    {"status", "status.target_link", "none"},
    {"status", "event.at", "2019-05-15T15:20:55Z"},
    {"status", "event.sha", "6113728f27ae82c7b1a177c8d03f9e96e0adf246"},
    {"derived/status-failure", "event.state", "failure"},
    {"derived/status-failure", "event.context", "ci / build"},
    {"derived/status-failure", "status.target_link", "https://ci.example/1"},
    {"derived/status-failure", "status.creator.kind", "bot"},

    {"push", "event.branch", "simple-tag"},
    {"push", "event.sha", "6113728f27ae82c7b1a177c8d03f9e96e0adf246"},
    {"push", "event.at", "2027-01-15T08:00:00Z"},
    {"derived/push-branch", "event.branch", "feature/x"},

    {"derived/schedule", "event.repository", "Codertocat/Hello-World"},
    {"derived/schedule", "event.actor", "?"},
    {"derived/schedule", "event.at", "2027-01-15T08:00:00Z"},
    {"derived/schedule-without-repository", "event.repository", "?"},
    {"derived/schedule-without-repository", "repository.name", "nothing"},

    /* req: EVT-26: inputs are texts in the payload */
    {"workflow_dispatch", "event.inputs.issue", "?"},
    {"workflow_dispatch", "event.inputs.dry_run", "false"},
    {"workflow_dispatch", "event.actor", "octocat"},
    {"workflow_dispatch", "event.actor.association", "nobody"},
    {"derived/workflow_dispatch-with-inputs", "event.inputs.issue", "12"},
    {"derived/workflow_dispatch-with-inputs", "event.inputs.task", "3"},
    {"derived/workflow_dispatch-with-inputs", "event.inputs.dry_run", "true"},
    {"derived/workflow_dispatch-with-inputs", "event.issue_number", "12"},
    {"derived/workflow_dispatch-with-inputs", "event.at", "2027-01-15T08:00:00Z"},
    {"derived/workflow_dispatch-with-inputs", "issue.number", "12"},
    {"derived/workflow_dispatch-with-inputs", "issue.repository", "octo-org/octo-repo"},
    {"derived/workflow_dispatch-with-inputs", "issue.title", "?"},
    {"derived/workflow_dispatch-with-empty-inputs", "event.inputs.issue", "?"},
    {"derived/workflow_dispatch-with-empty-inputs", "event.inputs.task", "?"},
    {"derived/workflow_dispatch-with-empty-inputs", "event.inputs.dry_run", "false"},
    {"derived/workflow_dispatch-with-empty-inputs", "event.issue_number", "?"},
    {"derived/workflow_dispatch-with-empty-inputs", "issue.number", "nothing"},
    {"derived/workflow_dispatch-with-other-inputs", "event.inputs.dry_run", "false"},
    {"derived/workflow_dispatch-without-inputs", "event.inputs.dry_run", "false"},

    {"workflow_run.completed", "event.run_event", "workflow_dispatch"},
    {"workflow_run.completed", "event.run_branch", "main"},
    {"workflow_run.completed", "event.run_name", "Manually triggered workflow"},
    {"derived/workflow_run.completed-of-fork", "event.run_repository", "carl/Hello-World"},
    {"derived/workflow_run.completed-of-fork", "event.run_event", "pull_request"},
    {"derived/workflow_run.completed-of-deleted-fork", "event.run_repository", "ghost/ghost"},
    {"derived/workflow_run.completed-of-deleted-fork", "event.run_branch", "?"},
    {"derived/workflow_run.completed-of-deleted-fork", "event.run_name", "?"},
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
        cmocka_unit_test_setup_teardown(not_json, set_up, tear_down),
        cmocka_unit_test_setup_teardown(keys, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nul_escapes_are_noted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(associations, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_allocation_may_fail, set_up, tear_down),
    };
    return check_main(tests);
}
