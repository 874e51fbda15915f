/* SPDX-License-Identifier: Apache-2.0 */
#include "base/time.h"
#include "base/utf8.h"
#include "lint/witness_parts.h"

/* The event as GitHub would send it, and the repository around it as a world file. The compiler
 * reads and writes no JSON elsewhere, so the few lines that it takes stand here. */

/* ---- JSON ------------------------------------------------------------------------------ */

static void put_string(struct bl_buf *out, bl_str text)
{
    bl_buf_put_char(out, '"');
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];

        if (c == '"' || c == '\\')
            bl_buf_put_char(out, '\\');
        if (c < 0x20 || c == 0x7f)
            bl_buf_printf(out, "\\u%04x", c);
        else
            bl_buf_put_char(out, (char)c);
    }
    bl_buf_put_char(out, '"');
}

static void key(struct bl_buf *out, const char *name)
{
    if (out->len > 0 && out->ptr[out->len - 1] != '{' && out->ptr[out->len - 1] != '[')
        BL_PUT(out, ",");
    bl_buf_printf(out, "\"%s\":", name);
}

static void string(struct bl_buf *out, const char *name, bl_str value)
{
    key(out, name);
    put_string(out, value);
}

static void integer(struct bl_buf *out, const char *name, int64_t value)
{
    key(out, name);
    bl_buf_put_int(out, value);
}

static void boolean(struct bl_buf *out, const char *name, bool value)
{
    key(out, name);
    bl_buf_put(out, value ? BL_STR("true") : BL_STR("false"));
}

static void null(struct bl_buf *out, const char *name)
{
    key(out, name);
    BL_PUT(out, "null");
}

static void time_string(struct bl_buf *out, const char *name, int64_t at)
{
    char text[BL_TIME_TEXT_MAX];

    string(out, name, (bl_str){text, bl_time_format(at, text)});
}

static void optional_time(struct bl_buf *out, const char *name,
                          const struct bl_witness_value *at)
{
    if (at->absent)
        null(out, name);
    else
        time_string(out, name, at->number);
}

static void member(struct bl_buf *out, const char *name, enum bl_enum list, int64_t value)
{
    string(out, name, bl_enum_member(list, (unsigned)value));
}

static const struct bl_witness_value *fact(const struct bl_witness *w,
                                           enum bl_witness_fact which)
{
    return &w->facts[which];
}

/* ---- the payload ----------------------------------------------------------------------- */

static void user(struct bl_buf *out, const char *name, const struct bl_witness *w,
                 enum bl_witness_person person)
{
    const struct bl_witness_user *u = &w->users[w->who[person]];

    key(out, name);
    BL_PUT(out, "{");
    string(out, "login", u->login);
    integer(out, "id", 1000 + (int64_t)w->who[person]);
    string(out, "type", u->kind == BL_USER_KIND_BOT ? BL_STR("Bot") : BL_STR("User"));
    BL_PUT(out, "}");
}

static void association(struct bl_buf *out, const struct bl_witness *w,
                        enum bl_witness_person person)
{
    static const char *const words[] = {"OWNER",       "MEMBER",      "COLLABORATOR",
                                        "CONTRIBUTOR", "FIRST_TIMER", "NONE"};
    unsigned value = w->users[w->who[person]].association;

    if (value < sizeof(words) / sizeof(words[0]))
        string(out, "author_association", bl_str_from(words[value]));
}

static void labels(struct bl_buf *out, const struct bl_witness *w)
{
    key(out, "labels");
    BL_PUT(out, "[");
    for (uint32_t i = 0; i < w->label_count; i++) {
        if (i > 0)
            BL_PUT(out, ",");
        BL_PUT(out, "{");
        string(out, "name", w->labels[i]);
        BL_PUT(out, "}");
    }
    BL_PUT(out, "]");
}

static void assignees(struct bl_buf *out, const struct bl_witness *w, bool payload)
{
    key(out, "assignees");
    BL_PUT(out, "[");
    for (uint32_t i = 0; i < w->assignee_count; i++)
        bl_buf_printf(out,
                      payload ? "%s{\"login\":\"assignee%u\",\"id\":%u,\"type\":\"User\"}"
                              : "%s\"assignee%u\"",
                      i > 0 ? "," : "", i + 1, 2000 + i);
    BL_PUT(out, "]");
}

static void issue(struct bl_buf *out, const struct bl_witness *w)
{
    key(out, "issue");
    BL_PUT(out, "{");
    integer(out, "number", fact(w, BL_WITNESS_ISSUE_NUMBER)->number);
    string(out, "node_id", BL_STR("I_1"));
    string(out, "title", fact(w, BL_WITNESS_ISSUE_TITLE)->text);
    string(out, "body", fact(w, BL_WITNESS_ISSUE_TEXT)->text);
    member(out, "state", BL_ENUM_ISSUE_STATE, fact(w, BL_WITNESS_ISSUE_STATE)->number);
    if (fact(w, BL_WITNESS_ISSUE_STATE_REASON)->absent)
        null(out, "state_reason");
    else
        member(out, "state_reason", BL_ENUM_STATE_REASON,
               fact(w, BL_WITNESS_ISSUE_STATE_REASON)->number);
    user(out, "user", w, BL_PERSON_ISSUE_AUTHOR);
    association(out, w, BL_PERSON_ISSUE_AUTHOR);
    time_string(out, "created_at", fact(w, BL_WITNESS_ISSUE_CREATED_AT)->number);
    time_string(out, "updated_at", bl_witness_now(w));
    optional_time(out, "closed_at", fact(w, BL_WITNESS_ISSUE_CLOSED_AT));
    labels(out, w);
    assignees(out, w, true);
    boolean(out, "locked", fact(w, BL_WITNESS_ISSUE_LOCKED)->number != 0);
    integer(out, "comments", fact(w, BL_WITNESS_ISSUE_COMMENT_COUNT)->number);
    key(out, "reactions");
    bl_buf_printf(out, "{\"+1\":%lld,\"-1\":0}",
                  (long long)fact(w, BL_WITNESS_ISSUE_THUMBS_UP)->number);
    if (fact(w, BL_WITNESS_ISSUE_IS_PULL_REQUEST)->number != 0) {
        key(out, "pull_request");
        BL_PUT(out, "{\"url\":\"https://example.invalid\"}");
    }
    BL_PUT(out, "}");
}

static void comment(struct bl_buf *out, const struct bl_witness *w)
{
    key(out, "comment");
    BL_PUT(out, "{");
    integer(out, "id", fact(w, BL_WITNESS_COMMENT_ID)->number);
    string(out, "node_id", BL_STR("IC_1"));
    user(out, "user", w, BL_PERSON_COMMENT_AUTHOR);
    association(out, w, BL_PERSON_COMMENT_AUTHOR);
    time_string(out, "created_at", fact(w, BL_WITNESS_COMMENT_CREATED_AT)->number);
    time_string(out, "updated_at", bl_witness_now(w));
    string(out, "body", fact(w, BL_WITNESS_COMMENT_TEXT)->text);
    key(out, "reactions");
    BL_PUT(out, "{\"+1\":0,\"-1\":0}}");
}

static void branch(struct bl_buf *out, const char *name, bl_str ref, bl_str repository)
{
    key(out, name);
    BL_PUT(out, "{");
    string(out, "ref", ref);
    string(out, "sha", BL_STR("0123456789012345678901234567890123456789"));
    key(out, "repo");
    BL_PUT(out, "{");
    string(out, "full_name", repository);
    BL_PUT(out, "}}");
}

static void pull_request(struct bl_buf *out, const struct bl_witness *w)
{
    bool closed = fact(w, BL_WITNESS_PULL_STATE)->number == BL_ISSUE_STATE_CLOSED;

    key(out, "pull_request");
    BL_PUT(out, "{");
    integer(out, "number", fact(w, BL_WITNESS_PULL_NUMBER)->number);
    string(out, "node_id", BL_STR("PR_1"));
    string(out, "title", fact(w, BL_WITNESS_PULL_TITLE)->text);
    string(out, "body", fact(w, BL_WITNESS_PULL_TEXT)->text);
    member(out, "state", BL_ENUM_ISSUE_STATE, fact(w, BL_WITNESS_PULL_STATE)->number);
    user(out, "user", w, BL_PERSON_PULL_AUTHOR);
    association(out, w, BL_PERSON_PULL_AUTHOR);
    time_string(out, "created_at", fact(w, BL_WITNESS_PULL_CREATED_AT)->number);
    time_string(out, "updated_at", bl_witness_now(w));
    if (closed)
        time_string(out, "closed_at", w->clock);
    else
        null(out, "closed_at");
    optional_time(out, "merged_at", fact(w, BL_WITNESS_PULL_MERGED_AT));
    boolean(out, "merged", fact(w, BL_WITNESS_EVENT_MERGED)->number != 0);
    branch(out, "base", fact(w, BL_WITNESS_PULL_BASE)->text, w->repository);
    branch(out, "head", fact(w, BL_WITNESS_PULL_HEAD_BRANCH)->text, w->repository);
    labels(out, w);
    BL_PUT(out, "}");
}

static void release(struct bl_buf *out, const struct bl_witness *w)
{
    key(out, "release");
    BL_PUT(out, "{");
    integer(out, "id", 1);
    string(out, "node_id", BL_STR("RE_1"));
    string(out, "tag_name", fact(w, BL_WITNESS_RELEASE_TAG)->text);
    boolean(out, "draft", fact(w, BL_WITNESS_RELEASE_DRAFT)->number != 0);
    boolean(out, "prerelease", fact(w, BL_WITNESS_RELEASE_PRERELEASE)->number != 0);
    time_string(out, "created_at", w->clock);
    time_string(out, "published_at", w->clock);
    BL_PUT(out, "}");
}

static void status(struct bl_buf *out, const struct bl_witness *w)
{
    integer(out, "id", 1);
    string(out, "sha", BL_STR("0123456789012345678901234567890123456789"));
    string(out, "context", fact(w, BL_WITNESS_STATUS_CONTEXT)->text);
    member(out, "state", BL_ENUM_STATUS_STATE, fact(w, BL_WITNESS_STATUS_STATE)->number);
    null(out, "target_url");
    time_string(out, "created_at", w->clock);
}

static void push(struct bl_buf *out, const struct bl_witness *w)
{
    struct bl_buf ref;

    bl_buf_init(&ref, out->arena, 400);
    bl_buf_printf(&ref, "refs/heads/%.*s", BL_STR_ARG(fact(w, BL_WITNESS_EVENT_BRANCH)->text));
    string(out, "ref", bl_buf_str(&ref));
    string(out, "after", BL_STR("0123456789012345678901234567890123456789"));
}

static void workflow_run(struct bl_buf *out, const struct bl_witness *w)
{
    key(out, "workflow_run");
    BL_PUT(out, "{");
    integer(out, "id", 1);
    integer(out, "run_attempt", 1);
    string(out, "event", fact(w, BL_WITNESS_EVENT_RUN_EVENT)->text);
    string(out, "head_branch", fact(w, BL_WITNESS_EVENT_RUN_BRANCH)->text);
    string(out, "name", fact(w, BL_WITNESS_EVENT_RUN_NAME)->text);
    key(out, "head_repository");
    BL_PUT(out, "{");
    string(out, "full_name", w->repository);
    BL_PUT(out, "}}");
}

static void thing_of_the_event(struct bl_buf *out, const struct bl_witness *w)
{
    switch (bl_event_info(w->event)->family) {
    case BL_FAMILY_ISSUES:
        issue(out, w);
        if (fact(w, BL_WITNESS_EVENT_TEXT_CHANGED)->number != 0) {
            key(out, "changes");
            BL_PUT(out, "{\"body\":{\"from\":\"\"}}");
        }
        break;
    case BL_FAMILY_ISSUE_COMMENT:
        issue(out, w);
        comment(out, w);
        break;
    case BL_FAMILY_PULL_REQUEST:
    case BL_FAMILY_PULL_REQUEST_TARGET:
        pull_request(out, w);
        break;
    case BL_FAMILY_RELEASE:
        release(out, w);
        break;
    case BL_FAMILY_STATUS:
        status(out, w);
        break;
    case BL_FAMILY_PUSH:
        push(out, w);
        break;
    case BL_FAMILY_WORKFLOW_RUN:
        workflow_run(out, w);
        break;
    case BL_FAMILY_WORKFLOW_DISPATCH:
        key(out, "inputs");
        bl_buf_printf(out, "{\"issue\":\"%lld\"}",
                      (long long)fact(w, BL_WITNESS_ISSUE_NUMBER)->number);
        break;
    case BL_FAMILY_SCHEDULE:
        string(out, "schedule", BL_STR("0 5 * * *"));
        break;
    case BL_FAMILY_COUNT:
        break;
    }
}

void bl_witness_payload(const struct bl_witness *w, struct bl_buf *out)
{
    const struct bl_event_info *info = bl_event_info(w->event);

    BL_PUT(out, "{");
    if (info->action.len > 0)
        string(out, "action", info->action);
    thing_of_the_event(out, w);
    key(out, "repository");
    BL_PUT(out, "{");
    string(out, "full_name", w->repository);
    string(out, "default_branch", BL_STR("main"));
    BL_PUT(out, "}");
    user(out, "sender", w, BL_PERSON_ACTOR);
    BL_PUT(out, "}\n");
}

/* ---- the world ------------------------------------------------------------------------- */

static void world_users(struct bl_buf *out, const struct bl_witness *w)
{
    bool first = true;

    key(out, "users");
    BL_PUT(out, "[");
    for (uint32_t i = 0; i < BL_PERSON_COUNT; i++) {
        const struct bl_witness_user *u = &w->users[i];

        if (w->who[i] != i || bl_str_equal_nocase(u->login, w->account))
            continue;
        bl_buf_put(out, first ? BL_STR("{") : BL_STR(",{"));
        first = false;
        string(out, "login", u->login);
        integer(out, "id", 1000 + (int64_t)i);
        member(out, "kind", BL_ENUM_USER_KIND, u->kind);
        member(out, "association", BL_ENUM_ASSOCIATION, u->association);
        member(out, "permission", BL_ENUM_PERMISSION, u->permission);
        BL_PUT(out, "}");
    }
    BL_PUT(out, "]");
}

static void world_comments(struct bl_buf *out, const struct bl_witness *w)
{
    bool own = bl_event_info(w->event)->family == BL_FAMILY_ISSUE_COMMENT &&
               w->event != BL_EVENT_ISSUE_COMMENT_DELETED;
    int64_t count = fact(w, BL_WITNESS_ISSUE_COMMENT_COUNT)->number;

    key(out, "comments");
    BL_PUT(out, "[");
    for (int64_t i = own ? 1 : 0; i < count; i++) {
        bl_buf_put(out, i > own ? BL_STR(",{") : BL_STR("{"));
        integer(out, "id", 5000 + i);
        string(out, "author", BL_STR("zoe"));
        time_string(out, "created_at", fact(w, BL_WITNESS_ISSUE_CREATED_AT)->number);
        string(out, "text", BL_STR("A comment."));
        BL_PUT(out, "}");
    }
    if (own) {
        bl_buf_put(out, count > 1 ? BL_STR(",{") : BL_STR("{"));
        integer(out, "id", fact(w, BL_WITNESS_COMMENT_ID)->number);
        string(out, "author", w->users[w->who[BL_PERSON_COMMENT_AUTHOR]].login);
        time_string(out, "created_at", fact(w, BL_WITNESS_COMMENT_CREATED_AT)->number);
        string(out, "text", fact(w, BL_WITNESS_COMMENT_TEXT)->text);
        BL_PUT(out, "}");
    }
    BL_PUT(out, "]");
}

static void world_issue(struct bl_buf *out, const struct bl_witness *w)
{
    key(out, "issues");
    BL_PUT(out, "[{");
    integer(out, "number", fact(w, BL_WITNESS_ISSUE_NUMBER)->number);
    string(out, "title", fact(w, BL_WITNESS_ISSUE_TITLE)->text);
    string(out, "text", fact(w, BL_WITNESS_ISSUE_TEXT)->text);
    member(out, "state", BL_ENUM_ISSUE_STATE, fact(w, BL_WITNESS_ISSUE_STATE)->number);
    if (!fact(w, BL_WITNESS_ISSUE_STATE_REASON)->absent)
        member(out, "state_reason", BL_ENUM_STATE_REASON,
               fact(w, BL_WITNESS_ISSUE_STATE_REASON)->number);
    string(out, "author", w->users[w->who[BL_PERSON_ISSUE_AUTHOR]].login);
    time_string(out, "created_at", fact(w, BL_WITNESS_ISSUE_CREATED_AT)->number);
    if (!fact(w, BL_WITNESS_ISSUE_CLOSED_AT)->absent)
        time_string(out, "closed_at", fact(w, BL_WITNESS_ISSUE_CLOSED_AT)->number);
    key(out, "labels");
    BL_PUT(out, "[");
    for (uint32_t i = 0; i < w->label_count; i++) {
        if (i > 0)
            BL_PUT(out, ",");
        put_string(out, w->labels[i]);
    }
    BL_PUT(out, "]");
    assignees(out, w, false);
    boolean(out, "locked", fact(w, BL_WITNESS_ISSUE_LOCKED)->number != 0);
    integer(out, "thumbs_up", fact(w, BL_WITNESS_ISSUE_THUMBS_UP)->number);
    world_comments(out, w);
    BL_PUT(out, "}]");
}

void bl_witness_world(const struct bl_witness *w, struct bl_buf *out)
{
    bool has_issue = bl_witness_brings(w, BL_AMBIENT_ISSUE) &&
                     fact(w, BL_WITNESS_ISSUE_IS_PULL_REQUEST)->number == 0;

    BL_PUT(out, "{");
    time_string(out, "now", w->clock);
    string(out, "repository", w->repository);
    string(out, "account", w->account);
    world_users(out, w);
    key(out, "labels");
    BL_PUT(out, "[");
    for (uint32_t i = 0; i < w->label_count; i++) {
        bl_buf_put(out, i > 0 ? BL_STR(",{") : BL_STR("{"));
        string(out, "name", w->labels[i]);
        BL_PUT(out, "}");
    }
    BL_PUT(out, "]");
    if (has_issue)
        world_issue(out, w);
    BL_PUT(out, "}\n");
}
