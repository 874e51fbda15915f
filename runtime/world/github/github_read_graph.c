/* SPDX-License-Identifier: Apache-2.0 */
#include "world/github/github_parts.h"
#include "world/github/github_queries.h"

/* The reads that GraphQL answers best: many issues in one query, and what REST does not have.
 */

#define VARIABLES_BYTES 300

static bl_str number_variable(struct bl_github *github, int64_t number)
{
    struct bl_buf text;
    bl_buf_init(&text, &github->scratch, VARIABLES_BYTES);
    BL_PUT(&text, "\"number\":");
    bl_buf_put_int(&text, number);
    return bl_buf_str(&text);
}

/* GraphQL's numbers have 32 bits: nothing has a larger one. */
static bool is_number(int64_t number)
{
    return number > 0 && number <= INT32_MAX;
}

/* ---- edits ------------------------------------------------------------------------------- */

static int64_t time_of(struct bl_value item)
{
    return bl_object_get(item.as.object, BL_FIELD_EDIT_AT).as.i;
}

/* All of them are needed for the oldest. */
bool bl_github_sort_edits(struct bl_list *list)
{
    uint32_t count = list->count;
    for (uint32_t i = 0; i < count / 2; i++) {
        struct bl_value swap = list->items[i];
        list->items[i] = list->items[count - 1 - i];
        list->items[count - 1 - i] = swap;
    }
    for (uint32_t i = 1; i < count; i++) {
        if (time_of(list->items[i - 1]) > time_of(list->items[i])) {
            return false;
        }
    }
    return true;
}

static enum bl_github_outcome load_edits(struct bl_github *github, struct bl_snapshot *snapshot,
                                         struct bl_object *object, struct bl_failure *failure)
{
    const struct bl_github_call call = {.query = true};
    struct bl_value edits;
    enum bl_github_outcome outcome = bl_github_connection(
        github, snapshot, bl_query_edits, number_variable(github, object->key),
        BL_STR("issue.userContentEdits"), BL_PERMISSION_ISSUES_READ, bl_github_graph_edit,
        object, &edits, failure);
    if (outcome != BL_GITHUB_DONE) {
        return outcome;
    }
    if (bl_list_complete(edits.as.list) != BL_OK) {
        *failure = github->last_failure;
        failure->what = BL_STR("");
        return BL_GITHUB_FAILED;
    }
    if (!bl_github_sort_edits(edits.as.list)) {
        return bl_github_wrong_shape(github, &call, failure);
    }
    bl_object_set(object, BL_FIELD_ISSUE_TEXT_EDITS, edits);
    return BL_GITHUB_DONE;
}

/* ---- what an issue of a list brings ------------------------------------------------------ */

bool bl_github_wants(const struct bl_github *github, enum bl_field field)
{
    uint32_t fields = github->options.issue_fields;
    return fields == 0 || ((fields >> bl_field_slot(field)) & 1) != 0;
}

/* The variables of a list, and which fields it can do without. */
static bl_str with_wants(struct bl_github *github, bl_str variables)
{
    static const struct {
        enum bl_field field;
        const char *without;
    } costly[] = {{BL_FIELD_ISSUE_TEXT, ",\"text\":false"},
                  {BL_FIELD_ISSUE_ASSIGNEES, ",\"assignees\":false"},
                  {BL_FIELD_ISSUE_THUMBS_UP, ",\"upvotes\":false"},
                  {BL_FIELD_ISSUE_COMMENT_COUNT, ",\"comments\":false"}};
    struct bl_buf text;
    bl_buf_init(&text, &github->scratch, variables.len + VARIABLES_BYTES);
    bl_buf_put(&text, variables);
    for (size_t i = 0; i < sizeof(costly) / sizeof(costly[0]); i++) {
        if (!bl_github_wants(github, costly[i].field)) {
            bl_buf_put(&text, bl_str_from(costly[i].without));
        }
    }
    return bl_buf_str(&text);
}

/* ---- lists of issues --------------------------------------------------------------------- */

#define OPEN_ISSUES                                                                            \
    "\"states\":[\"OPEN\"],\"order\":{\"field\":\"UPDATED_AT\",\"direction\":\"ASC\"}"

static enum bl_github_outcome load_issues(struct bl_github *github,
                                          struct bl_snapshot *snapshot,
                                          struct bl_object *object, bool open,
                                          struct bl_failure *failure)
{
    struct bl_value list;
    bl_str variables =
        open ? BL_STR(OPEN_ISSUES)
             : BL_STR("\"states\":[\"CLOSED\"],"
                      "\"order\":{\"field\":\"UPDATED_AT\",\"direction\":\"DESC\"}");
    enum bl_github_outcome outcome = bl_github_connection(
        github, snapshot, bl_query_issues, with_wants(github, variables), BL_STR("issues"),
        BL_PERMISSION_ISSUES_READ, bl_github_graph_issue, object, &list, failure);
    if (outcome == BL_GITHUB_DONE) {
        bl_object_set(
            object, open ? BL_FIELD_REPOSITORY_OPEN_ISSUES : BL_FIELD_REPOSITORY_CLOSED_ISSUES,
            list);
    }
    return outcome;
}

enum bl_github_outcome bl_github_issues_with(struct bl_github *github,
                                             struct bl_snapshot *snapshot, bl_str label,
                                             struct bl_value *out, struct bl_failure *failure)
{
    struct bl_buf variables;
    struct bl_json_writer w;
    bl_buf_init(&variables, &github->scratch, VARIABLES_BYTES + label.len * 6);
    BL_PUT(&variables, OPEN_ISSUES ",\"labels\":[");
    bl_json_writer_init(&w, &variables, false);
    bl_json_string(&w, label);
    BL_PUT(&variables, "]");
    if (variables.failed) {
        (void)bl_github_no_memory(failure);
        return BL_GITHUB_FAILED;
    }
    return bl_github_connection(
        github, snapshot, bl_query_issues, with_wants(github, bl_buf_str(&variables)),
        BL_STR("issues"), BL_PERMISSION_ISSUES_READ, bl_github_graph_issue, NULL, out, failure);
}

static int64_t created(struct bl_value issue)
{
    return bl_object_get(issue.as.object, BL_FIELD_ISSUE_CREATED_AT).as.i;
}

/* The newest come first, until one is too old: of a large repository that is the end nearer to
 * what is asked for. */
enum bl_github_outcome bl_github_issues_created(struct bl_github *github,
                                                struct bl_snapshot *snapshot, int64_t from,
                                                int64_t to, struct bl_value *out,
                                                struct bl_failure *failure)
{
    struct bl_value all;
    struct bl_arena *arena = bl_snapshot_arena(snapshot);
    struct bl_list *list = bl_list_create(arena);
    enum bl_github_outcome outcome = bl_github_connection(
        github, snapshot, bl_query_issues,
        with_wants(github,
                   BL_STR("\"states\":[\"OPEN\",\"CLOSED\"],"
                          "\"order\":{\"field\":\"CREATED_AT\",\"direction\":\"DESC\"}")),
        BL_STR("issues"), BL_PERMISSION_ISSUES_READ, bl_github_graph_issue, NULL, &all,
        failure);
    if (outcome != BL_GITHUB_DONE) {
        return outcome;
    }
    bool end = list == NULL;
    for (uint32_t i = 0; !end; i++) {
        struct bl_value item;
        enum bl_status status = bl_list_at(all.as.list, i, &item, &end);
        if (status == BL_OK && !end) {
            end = created(item) < from;
        }
        if (status == BL_OK && !end && created(item) <= to) {
            status = bl_list_push(arena, list, item);
        }
        if (status != BL_OK) {
            *failure = github->last_failure;
            failure->what = BL_STR("");
            return BL_GITHUB_FAILED;
        }
    }
    if (list == NULL) {
        (void)bl_github_no_memory(failure);
        return BL_GITHUB_FAILED;
    }
    for (uint32_t i = 0; i < list->count / 2; i++) {
        struct bl_value swap = list->items[i];
        list->items[i] = list->items[list->count - 1 - i];
        list->items[list->count - 1 - i] = swap;
    }
    *out = bl_list_value(list);
    return BL_GITHUB_DONE;
}

/* ---- numbers ----------------------------------------------------------------------------- */

enum bl_github_outcome bl_github_numbered(struct bl_github *github,
                                          struct bl_snapshot *snapshot, int64_t number,
                                          struct bl_value *out, struct bl_failure *failure)
{
    const struct bl_github_call call = {.query = true};
    const struct bl_json *repository;
    if (!is_number(number)) {
        return BL_GITHUB_MISSING;
    }
    enum bl_github_outcome outcome =
        bl_github_query(github, bl_query_numbered, number_variable(github, number),
                        BL_PERMISSION_ISSUES_READ, true, &repository, failure);
    if (outcome != BL_GITHUB_DONE) {
        return outcome;
    }
    const struct bl_json *thing = bl_json_get(repository, BL_STR("thing"));
    const struct bl_json *discussion = bl_json_get(repository, BL_STR("discussion"));
    if (thing == NULL || discussion == NULL) {
        return bl_github_wrong_shape(github, &call, failure);
    }
    if (thing->kind == BL_JSON_NULL && discussion->kind == BL_JSON_NULL) {
        return BL_GITHUB_MISSING;
    }
    struct bl_object *numbered =
        bl_snapshot_object(snapshot, BL_ENTITY_NUMBERED, number, github->options.repository);
    if (numbered == NULL) {
        (void)bl_github_no_memory(failure);
        return BL_GITHUB_FAILED;
    }
    bl_object_set(numbered, BL_FIELD_NUMBERED_NUMBER, bl_int(number));
    *out = bl_object_value(numbered);
    return BL_GITHUB_DONE;
}

/* ---- all --------------------------------------------------------------------------------- */

static enum bl_github_outcome load_list(struct bl_github *github, struct bl_snapshot *snapshot,
                                        struct bl_object *object, bl_str query, bl_str path,
                                        enum bl_permission permission,
                                        bl_github_element *element, enum bl_field field,
                                        struct bl_failure *failure)
{
    struct bl_value list;
    bl_str variables =
        object->key > 0 ? number_variable(github, object->key) : (bl_str){NULL, 0};
    enum bl_github_outcome outcome = bl_github_connection(
        github, snapshot, query, variables, path, permission, element, object, &list, failure);
    if (outcome == BL_GITHUB_DONE) {
        bl_object_set(object, field, list);
    }
    return outcome;
}

enum bl_github_outcome bl_github_load_graph(struct bl_github *github,
                                            struct bl_snapshot *snapshot,
                                            struct bl_object *object, enum bl_read read,
                                            struct bl_failure *failure)
{
    if (object->entity != BL_ENTITY_REPOSITORY && !is_number(object->key)) {
        return BL_GITHUB_MISSING;
    }
    if (read == BL_READ_EDITS) {
        return load_edits(github, snapshot, object, failure);
    }
    if (read == BL_READ_OPEN_ISSUES || read == BL_READ_CLOSED_ISSUES) {
        return load_issues(github, snapshot, object, read == BL_READ_OPEN_ISSUES, failure);
    }
    if (read == BL_READ_CLOSING_PULLS) {
        return load_list(github, snapshot, object, bl_query_closing_pulls,
                         BL_STR("issue.closedByPullRequestsReferences"),
                         BL_PERMISSION_PULL_REQUESTS_READ, bl_github_graph_pull,
                         BL_FIELD_ISSUE_CLOSED_BY, failure);
    }
    if (read == BL_READ_CLOSING_ISSUES) {
        return load_list(github, snapshot, object, bl_query_closing_issues,
                         BL_STR("pullRequest.closingIssuesReferences"),
                         BL_PERMISSION_PULL_REQUESTS_READ, bl_github_graph_issue,
                         BL_FIELD_PULL_REQUEST_CLOSES, failure);
    }
    return load_list(github, snapshot, object, bl_query_discussions, BL_STR("discussions"),
                     BL_PERMISSION_DISCUSSIONS_READ, bl_github_graph_discussion,
                     BL_FIELD_REPOSITORY_DISCUSSIONS, failure);
}
