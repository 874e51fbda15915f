/* SPDX-License-Identifier: Apache-2.0 */
#include "world/sim/sim_payload.h"

#include "base/time.h"
#include "event/names.h"
#include "event/payload.h"

#define PAYLOAD_BYTES ((size_t)25 << 20)
#define ERRORS_MAX    3

struct writer {
    struct bl_sim *sim;
    struct bl_json_writer json;
};

static void put_key(struct writer *w, const char *key)
{
    bl_json_key(&w->json, bl_str_from(key));
}

static void put_text(struct writer *w, const char *key, bl_str text)
{
    put_key(w, key);
    bl_json_string(&w->json, text);
}

static void put_int(struct writer *w, const char *key, int64_t value)
{
    put_key(w, key);
    bl_json_integer(&w->json, value);
}

static void put_bool(struct writer *w, const char *key, bool value)
{
    put_key(w, key);
    bl_json_bool(&w->json, value);
}

static void put_null(struct writer *w, const char *key)
{
    put_key(w, key);
    bl_json_null(&w->json);
}

static void put_time(struct writer *w, const char *key, int64_t time)
{
    char text[BL_TIME_TEXT_MAX];
    if (time == 0) {
        put_null(w, key);
    } else {
        put_text(w, key, (bl_str){text, bl_time_format(time, text)});
    }
}

static void begin(struct writer *w, const char *key)
{
    if (key != NULL) {
        put_key(w, key);
    }
    bl_json_begin_object(&w->json);
}

static void end(struct writer *w)
{
    bl_json_end_object(&w->json);
}

static void put_field_text(struct writer *w, const char *key, const struct bl_object *thing,
                           enum bl_field field)
{
    put_text(w, key, bl_text_of(bl_object_get(thing, field)));
}

static void put_word(struct writer *w, const char *key, const struct bl_object *thing,
                     enum bl_field field)
{
    struct bl_value v = bl_object_get(thing, field);
    if (v.tag != BL_V_ENUM) {
        put_null(w, key);
    } else {
        put_text(w, key, bl_enum_member((enum bl_enum)v.aux, (unsigned)v.as.i));
    }
}

static void put_user(struct writer *w, const char *key, const struct bl_object *user)
{
    begin(w, key);
    put_text(w, "login", user->name);
    put_int(w, "id", bl_object_get(user, BL_FIELD_USER_ID).as.i);
    put_text(w, "type",
             bl_sim_member(user, BL_FIELD_USER_KIND) == BL_USER_KIND_BOT ? BL_STR("Bot")
                                                                         : BL_STR("User"));
    put_bool(w, "site_admin", false);
    end(w);
}

/* The author of a thing, and how they belong to the repository. */
static void put_author(struct writer *w, const struct bl_object *thing, enum bl_field field)
{
    struct bl_object *author = bl_object_of(bl_object_get(thing, field));
    put_user(w, "user", author);
    put_text(w, "author_association",
             bl_association_spelling(bl_sim_member(author, BL_FIELD_USER_ASSOCIATION)));
}

static void put_label(struct writer *w, const char *key, bl_str name)
{
    const struct bl_sim_label_row *row = bl_sim_find_label(w->sim, name);
    begin(w, key);
    put_text(w, "name", name);
    put_text(w, "color", row != NULL ? row->color : BL_STR("ededed"));
    put_bool(w, "default", false);
    put_text(w, "description", row != NULL ? row->description : BL_STR(""));
    end(w);
}

static void put_labels(struct writer *w, const struct bl_object *issue)
{
    const struct bl_list *labels = bl_sim_list(issue, BL_FIELD_ISSUE_LABELS);
    put_key(w, "labels");
    bl_json_begin_array(&w->json);
    for (uint32_t i = 0; labels != NULL && i < labels->count; i++) {
        put_label(w, NULL, bl_text_of(labels->items[i]));
    }
    bl_json_end_array(&w->json);
}

static void put_reactions(struct writer *w, int64_t up, int64_t down)
{
    begin(w, "reactions");
    put_int(w, "total_count", up + down);
    put_int(w, "+1", up);
    put_int(w, "-1", down);
    end(w);
}

/* What an issue and a pull request say alike. */
static void put_issue_fields(struct writer *w, struct bl_object *issue)
{
    const struct bl_list *assignees = bl_sim_list(issue, BL_FIELD_ISSUE_ASSIGNEES);
    put_int(w, "number", issue->key);
    put_field_text(w, "title", issue, BL_FIELD_ISSUE_TITLE);
    put_author(w, issue, BL_FIELD_ISSUE_AUTHOR);
    put_labels(w, issue);
    put_word(w, "state", issue, BL_FIELD_ISSUE_STATE);
    put_bool(w, "locked", bl_object_get(issue, BL_FIELD_ISSUE_LOCKED).as.i != 0);
    put_key(w, "assignees");
    bl_json_begin_array(&w->json);
    for (uint32_t i = 0; assignees != NULL && i < assignees->count; i++) {
        put_user(w, NULL, assignees->items[i].as.object);
    }
    bl_json_end_array(&w->json);
    put_time(w, "created_at", bl_sim_time(issue, BL_FIELD_ISSUE_CREATED_AT));
    put_time(w, "updated_at", bl_sim_issue_more(issue)->updated_at);
    put_time(w, "closed_at", bl_sim_time(issue, BL_FIELD_ISSUE_CLOSED_AT));
    put_field_text(w, "body", issue, BL_FIELD_ISSUE_TEXT);
}

static void put_issue(struct writer *w, struct bl_object *issue)
{
    begin(w, "issue");
    put_issue_fields(w, issue);
    put_word(w, "state_reason", issue, BL_FIELD_ISSUE_STATE_REASON);
    put_int(w, "comments", bl_object_get(issue, BL_FIELD_ISSUE_COMMENT_COUNT).as.i);
    put_reactions(w, bl_object_get(issue, BL_FIELD_ISSUE_THUMBS_UP).as.i, 0);
    if (bl_sim_issue_more(issue)->pull != NULL) {
        begin(w, "pull_request");
        put_time(w, "merged_at",
                 bl_sim_time(bl_sim_issue_more(issue)->pull, BL_FIELD_PULL_REQUEST_MERGED_AT));
        end(w);
    }
    end(w);
}

static void put_comment(struct writer *w, struct bl_object *comment)
{
    begin(w, "comment");
    put_int(w, "id", comment->key);
    put_author(w, comment, BL_FIELD_COMMENT_AUTHOR);
    put_time(w, "created_at", bl_sim_time(comment, BL_FIELD_COMMENT_CREATED_AT));
    put_time(w, "updated_at", bl_sim_comment_more(comment)->updated_at);
    put_field_text(w, "body", comment, BL_FIELD_COMMENT_TEXT);
    put_reactions(w, bl_object_get(comment, BL_FIELD_COMMENT_THUMBS_UP).as.i,
                  bl_object_get(comment, BL_FIELD_COMMENT_THUMBS_DOWN).as.i);
    end(w);
}

static bl_str sha_of(struct bl_value commit)
{
    const struct bl_object *object = bl_object_of(commit);
    return object != NULL ? object->name : BL_STR("");
}

static void put_end_of_pull(struct writer *w, const char *key, const struct bl_object *pull,
                            enum bl_field branch, bl_str sha, bl_str repository)
{
    begin(w, key);
    put_field_text(w, "ref", pull, branch);
    put_text(w, "sha", sha.len > 0 ? sha : BL_STR("0000000000000000000000000000000000000000"));
    if (bl_str_equal(repository, BL_GHOST_REPOSITORY)) {
        put_null(w, "repo");
    } else {
        begin(w, "repo");
        put_text(w, "full_name", repository);
        end(w);
    }
    end(w);
}

static void put_pull(struct writer *w, struct bl_object *pull)
{
    int64_t merged_at = bl_sim_time(pull, BL_FIELD_PULL_REQUEST_MERGED_AT);
    bl_str merge = sha_of(bl_object_get(pull, BL_FIELD_PULL_REQUEST_MERGE_COMMIT));
    begin(w, "pull_request");
    put_issue_fields(w, pull->handle);
    put_time(w, "merged_at", merged_at);
    put_bool(w, "merged", merged_at != 0);
    if (merge.len > 0) {
        put_text(w, "merge_commit_sha", merge);
    } else {
        put_null(w, "merge_commit_sha");
    }
    put_end_of_pull(w, "base", pull, BL_FIELD_PULL_REQUEST_BASE, BL_STR(""),
                    w->sim->repository);
    put_end_of_pull(w, "head", pull, BL_FIELD_PULL_REQUEST_HEAD_BRANCH,
                    sha_of(bl_object_get(pull, BL_FIELD_PULL_REQUEST_HEAD)),
                    bl_text_of(bl_object_get(pull, BL_FIELD_PULL_REQUEST_HEAD_REPOSITORY)));
    end(w);
}

static void put_release(struct writer *w, struct bl_object *release)
{
    const struct bl_sim_release_more *more = release->handle;
    begin(w, "release");
    put_int(w, "id", more->id);
    put_field_text(w, "tag_name", release, BL_FIELD_RELEASE_TAG);
    put_bool(w, "draft", bl_object_get(release, BL_FIELD_RELEASE_DRAFT).as.i != 0);
    put_bool(w, "prerelease", bl_object_get(release, BL_FIELD_RELEASE_PRERELEASE).as.i != 0);
    put_time(w, "published_at", bl_sim_time(release, BL_FIELD_RELEASE_PUBLISHED_AT));
    end(w);
}

static void put_status(struct writer *w, const struct bl_object *status)
{
    struct bl_value link = bl_object_get(status, BL_FIELD_STATUS_TARGET_LINK);
    put_int(w, "id", status->key);
    put_text(w, "sha", sha_of(bl_object_get(status, BL_FIELD_STATUS_COMMIT)));
    put_field_text(w, "context", status, BL_FIELD_STATUS_CONTEXT);
    put_word(w, "state", status, BL_FIELD_STATUS_STATE);
    if (bl_is_absent(link)) {
        put_null(w, "target_url");
    } else {
        put_text(w, "target_url", bl_text_of(link));
    }
    put_time(w, "created_at", bl_sim_time(status, BL_FIELD_STATUS_CREATED_AT));
}

static void put_inputs(struct writer *w, const struct bl_sim_inputs *inputs)
{
    struct bl_buf number;
    bl_buf_init(&number, w->sim->arena, 24);
    bl_buf_put_int(&number, inputs->number);
    begin(w, "inputs");
    put_text(w, "issue", inputs->number > 0 ? bl_buf_str(&number) : BL_STR(""));
    put_text(w, "task", inputs->task);
    put_text(w, "dry_run", inputs->dry_run ? BL_STR("true") : BL_STR("false"));
    end(w);
}

static void put_run(struct writer *w, const struct bl_sim_sending *sending)
{
    begin(w, "workflow_run");
    put_int(w, "id", sending->at);
    put_int(w, "run_attempt", 1);
    put_text(w, "name", sending->workflow);
    put_text(w, "event", sending->started_by);
    put_field_text(w, "head_branch", w->sim->self, BL_FIELD_REPOSITORY_DEFAULT_BRANCH);
    begin(w, "head_repository");
    put_text(w, "full_name", w->sim->repository);
    end(w);
    put_time(w, "updated_at", sending->at);
    end(w);
}

static void put_push(struct writer *w, const struct bl_sim_sending *sending)
{
    struct bl_buf ref;
    bl_buf_init(&ref, w->sim->arena, 400);
    BL_PUT(&ref, "refs/heads/");
    bl_buf_put(&ref,
               bl_text_of(bl_object_get(w->sim->self, BL_FIELD_REPOSITORY_DEFAULT_BRANCH)));
    put_text(w, "ref", bl_buf_str(&ref));
    put_text(w, "after", sending->pushed->name);
    begin(w, "head_commit");
    put_time(w, "timestamp", sending->at);
    end(w);
}

static void put_repository(struct writer *w)
{
    struct bl_buf link;
    bl_buf_init(&link, w->sim->arena, 400);
    BL_PUT(&link, "https://github.com/");
    bl_buf_put(&link, w->sim->repository);
    begin(w, "repository");
    put_text(w, "full_name", w->sim->repository);
    put_text(w, "html_url", bl_buf_str(&link));
    put_bool(w, "private", !w->sim->is_public);
    put_field_text(w, "default_branch", w->sim->self, BL_FIELD_REPOSITORY_DEFAULT_BRANCH);
    end(w);
}

static void put_changes(struct writer *w, const struct bl_sim_sending *sending)
{
    begin(w, "changes");
    begin(w, sending->changed);
    put_text(w, "from", sending->before);
    end(w);
    end(w);
}

static void put_payload(struct writer *w, const struct bl_sim_sending *sending)
{
    begin(w, NULL);
    if (sending->action != NULL) {
        put_text(w, "action", bl_str_from(sending->action));
    }
    if (sending->issue != NULL) {
        put_issue(w, sending->issue);
    }
    if (sending->comment != NULL) {
        put_comment(w, sending->comment);
    }
    if (sending->pull != NULL) {
        put_int(w, "number", sending->pull->key);
        put_pull(w, sending->pull);
    }
    if (sending->release != NULL) {
        put_release(w, sending->release);
    }
    if (sending->status != NULL) {
        put_status(w, sending->status);
    }
    if (sending->label.len > 0) {
        put_label(w, "label", sending->label);
    }
    if (sending->assignee != NULL) {
        put_user(w, "assignee", sending->assignee);
    }
    if (sending->changed != NULL) {
        put_changes(w, sending);
    }
    if (sending->inputs != NULL) {
        put_inputs(w, sending->inputs);
    }
    if (sending->workflow.len > 0) {
        put_run(w, sending);
    }
    if (sending->pushed != NULL) {
        put_push(w, sending);
    }
    put_repository(w);
    if (sending->sender != NULL) {
        put_user(w, "sender", sending->sender);
    } else {
        put_text(w, "schedule", BL_STR("0 5 * * *"));
    }
    end(w);
}

static enum bl_status read_delivery(struct bl_sim *sim, const struct bl_event_source *from,
                                    struct bl_sim_delivery *out)
{
    struct bl_diagnostics sink;
    bl_str reason;
    bl_diagnostics_init(&sink, sim->arena, ERRORS_MAX);
    if (bl_event_read(sim->arena, out->payload, from, &out->event, &sink, &reason) ==
        BL_EVENT_READ) {
        return BL_OK;
    }
    return sim->arena->failed ? BL_ERR_NOMEM : BL_ERR_INVALID;
}

enum bl_status bl_sim_twin(struct bl_sim *sim, const struct bl_sim_delivery *delivery,
                           struct bl_sim_delivery *out)
{
    *out = (struct bl_sim_delivery){.sent = false};
    if (!delivery->sent || !bl_str_equal(delivery->name, BL_STR("pull_request"))) {
        return BL_OK;
    }
    *out = (struct bl_sim_delivery){
        .sent = true, .name = BL_STR("pull_request_target"), .payload = delivery->payload};
    struct bl_event_source from = {.name = out->name, .started = sim->now};
    return read_delivery(sim, &from, out);
}

enum bl_status bl_sim_send(struct bl_sim *sim, const struct bl_sim_sending *sending,
                           struct bl_sim_delivery *out)
{
    if (sim->arena->failed) {
        return BL_ERR_NOMEM;
    }
    if (out == NULL) {
        return BL_OK;
    }
    struct bl_buf text;
    struct writer w = {.sim = sim};
    bl_buf_init(&text, sim->arena, PAYLOAD_BYTES);
    bl_json_writer_init(&w.json, &text, false);
    put_payload(&w, sending);
    *out = (struct bl_sim_delivery){
        .sent = true, .name = bl_str_from(sending->name), .payload = bl_buf_str(&text)};
    struct bl_event_source from = {.name = out->name, .started = sim->now};
    if (sending->inputs != NULL) {
        from.task_index = sending->inputs->task_index;
        from.task_context = sending->inputs->task_context;
    }
    return text.failed ? BL_ERR_NOMEM : read_delivery(sim, &from, out);
}
