/* SPDX-License-Identifier: Apache-2.0 */
#include "world/github/github_read.h"

#include "base/time.h"
#include "event/names.h"

/* The reads of struct bl_world. One thing is one address of the REST API, which writes it as
 * payloads do; lists that REST mixes or lacks go over GraphQL (github_read_graph.c). */

#define PAGE "?per_page=100"

enum bl_github_outcome bl_github_reading_no_memory(struct bl_github_reading *r)
{
    (void)bl_github_no_memory(r->failure);
    return BL_GITHUB_FAILED;
}

void bl_github_reading_begin(struct bl_github_reading *r, const char *below)
{
    bl_github_url_below(r->github, &r->url, below);
}

static void begin_number(struct bl_github_reading *r, const char *below, int64_t number,
                         const char *behind)
{
    bl_github_reading_begin(r, below);
    bl_buf_put_int(&r->url, number);
    bl_buf_put(&r->url, bl_str_from(behind));
}

static struct bl_github_call call_of(const struct bl_github_reading *r)
{
    return (struct bl_github_call){
        .method = BL_GITHUB_GET,
        .url = bl_buf_str(&r->url),
        .elsewhere_is_missing = r->elsewhere_is_missing,
        .permission = bl_read_info(r->read)->permission,
    };
}

enum bl_github_outcome bl_github_reading_get(struct bl_github_reading *r,
                                             const struct bl_json **json)
{
    struct bl_github_result result;
    if (!bl_github_url_end(r->github, &r->url, r->failure)) {
        return BL_GITHUB_FAILED;
    }
    const struct bl_github_call call = call_of(r);
    enum bl_github_outcome outcome = bl_github_call(r->github, &call, &result, r->failure);
    if (outcome != BL_GITHUB_DONE) {
        return outcome;
    }
    if (result.json == NULL || result.json->kind != BL_JSON_OBJECT) {
        return bl_github_wrong_shape(r->github, &call, r->failure);
    }
    *json = result.json;
    return outcome;
}

enum bl_github_outcome bl_github_reading_wrong(struct bl_github_reading *r)
{
    const struct bl_github_call call = call_of(r);
    return bl_snapshot_arena(r->snapshot)->failed
               ? bl_github_reading_no_memory(r)
               : bl_github_wrong_shape(r->github, &call, r->failure);
}

enum bl_github_outcome bl_github_reading_items(struct bl_github_reading *r,
                                               bl_github_element *element, struct bl_value *out)
{
    if (!bl_github_url_end(r->github, &r->url, r->failure)) {
        return BL_GITHUB_FAILED;
    }
    const struct bl_github_call call = call_of(r);
    return bl_github_list(r->github, r->snapshot, &call, element, r->object, out, r->failure);
}

enum bl_github_outcome bl_github_reading_list(struct bl_github_reading *r,
                                              bl_github_element *element, enum bl_field field)
{
    struct bl_value items;
    enum bl_github_outcome outcome = bl_github_reading_items(r, element, &items);
    if (outcome == BL_GITHUB_DONE) {
        bl_object_set(r->object, field, items);
    }
    return outcome;
}

/* ---- things as REST writes them ---------------------------------------------------------- */

/* Reads the thing that `json` is; it must be the one that was asked for. */
static enum bl_github_outcome take_thing(struct bl_github_reading *r,
                                         const struct bl_json *json, enum bl_entity entity,
                                         int64_t key, struct bl_object **out)
{
    struct bl_payload_reader reader = bl_github_reader(r->github);
    struct bl_object *thing = bl_payload_thing(&reader, json, entity);
    if (thing == NULL || thing->key != key) {
        return bl_github_reading_wrong(r);
    }
    *out = bl_github_take(r->snapshot, thing);
    return *out != NULL ? BL_GITHUB_DONE : bl_github_reading_no_memory(r);
}

static enum bl_github_outcome read_issue(struct bl_github_reading *r, int64_t number,
                                         struct bl_object **out)
{
    const struct bl_json *json = NULL;
    r->elsewhere_is_missing = true;
    begin_number(r, "/issues/", number, "");
    enum bl_github_outcome outcome = bl_github_reading_get(r, &json);
    return outcome == BL_GITHUB_DONE ? take_thing(r, json, BL_ENTITY_ISSUE, number, out)
                                     : outcome;
}

static enum bl_github_outcome read_pull(struct bl_github_reading *r, int64_t number,
                                        struct bl_object **out)
{
    const struct bl_json *json = NULL;
    r->elsewhere_is_missing = true;
    begin_number(r, "/pulls/", number, "");
    enum bl_github_outcome outcome = bl_github_reading_get(r, &json);
    return outcome == BL_GITHUB_DONE ? take_thing(r, json, BL_ENTITY_PULL_REQUEST, number, out)
                                     : outcome;
}

/* The number at the end of ".../issues/12". */
static int64_t number_at_end(const struct bl_json *url)
{
    int64_t number = 0;
    size_t i = url != NULL && url->kind == BL_JSON_STRING ? url->string.len : 0;
    int64_t power = 1;
    for (; i > 0 && bl_is_ascii_digit(url->string.ptr[i - 1]) && power < INT64_C(1) << 50;
         i--) {
        number += power * (url->string.ptr[i - 1] - '0');
        power *= 10;
    }
    return i > 0 && url->string.ptr[i - 1] == '/' ? number : 0;
}

/* `holder` is the issue, or NULL: then the comment says on which it stands. */
static struct bl_object *comment(struct bl_github *github, const struct bl_json *json,
                                 struct bl_github_item *item)
{
    struct bl_payload_reader reader = bl_github_reader(github);
    int64_t number = number_at_end(bl_json_get(json, BL_STR("issue_url")));
    struct bl_object *thing = bl_payload_thing(&reader, json, BL_ENTITY_COMMENT);
    if (thing == NULL || number == 0 || (item->holder != NULL && item->holder->key != number)) {
        return NULL;
    }
    struct bl_object *issue =
        bl_object_create(&github->scratch, BL_ENTITY_ISSUE, number, github->options.repository);
    if (issue == NULL) {
        return NULL;
    }
    bl_object_set(issue, BL_FIELD_ISSUE_NUMBER, bl_int(number));
    bl_object_set(issue, BL_FIELD_ISSUE_REPOSITORY, bl_text(github->options.repository));
    bl_object_set(thing, BL_FIELD_COMMENT_ISSUE, bl_object_value(issue));
    return thing;
}

static enum bl_github_outcome read_comment(struct bl_github_reading *r)
{
    const struct bl_json *json = NULL;
    struct bl_github_item item = {.holder = NULL};
    r->elsewhere_is_missing = true;
    begin_number(r, "/issues/comments/", r->object->key, "");
    enum bl_github_outcome outcome = bl_github_reading_get(r, &json);
    if (outcome != BL_GITHUB_DONE) {
        return outcome;
    }
    struct bl_object *thing = comment(r->github, json, &item);
    if (thing == NULL || thing->key != r->object->key) {
        return bl_github_reading_wrong(r);
    }
    return bl_github_take(r->snapshot, thing) != NULL ? BL_GITHUB_DONE
                                                      : bl_github_reading_no_memory(r);
}

/* ---- people and the repository ----------------------------------------------------------- */

/* A role of the repository's own is known by what it may do. */
static bool read_role(const struct bl_json *json, unsigned *member)
{
    static const struct {
        const char *key;
        unsigned member;
    } rights[] = {{"user.permissions.admin", BL_PERMISSION_ADMIN},
                  {"user.permissions.maintain", BL_PERMISSION_MAINTAIN},
                  {"user.permissions.push", BL_PERMISSION_WRITE},
                  {"user.permissions.triage", BL_PERMISSION_TRIAGE},
                  {"user.permissions.pull", BL_PERMISSION_READ}};
    const struct bl_json *role = bl_json_get(json, BL_STR("role_name"));
    const struct bl_json *permission = bl_json_get(json, BL_STR("permission"));
    const struct bl_json *words[] = {role, permission};
    bool said = false;
    for (size_t i = 0; i < sizeof(rights) / sizeof(rights[0]); i++) {
        const struct bl_json *may = bl_json_at(json, bl_str_from(rights[i].key));
        said =
            said || (may != NULL && (may->kind == BL_JSON_TRUE || may->kind == BL_JSON_FALSE));
        if (may != NULL && may->kind == BL_JSON_TRUE) {
            *member = rights[i].member;
            return true;
        }
    }
    if (said) {
        *member = BL_PERMISSION_NO_ACCESS;
        return true;
    }
    for (size_t i = 0; i < 2; i++) {
        if (words[i] == NULL || words[i]->kind != BL_JSON_STRING) {
            continue;
        }
        *member = bl_str_equal(words[i]->string, BL_STR("none"))
                      ? BL_PERMISSION_NO_ACCESS
                      : bl_enum_member_find(BL_ENUM_PERMISSION, words[i]->string);
        if (*member < bl_enum_member_count(BL_ENUM_PERMISSION)) {
            return true;
        }
    }
    return false;
}

static enum bl_github_outcome read_permission(struct bl_github_reading *r)
{
    const struct bl_json *json = NULL;
    unsigned member;
    bl_github_reading_begin(r, "/collaborators/");
    bl_address_put_step(&r->url, r->object->name);
    BL_PUT(&r->url, "/permission");
    enum bl_github_outcome outcome = bl_github_reading_get(r, &json);
    if (outcome == BL_GITHUB_MISSING) {
        /* "… is not a user": bots, and who is gone. Nobody can act under such a name. */
        member = BL_PERMISSION_NO_ACCESS;
    } else if (outcome != BL_GITHUB_DONE) {
        return outcome;
    } else if (!read_role(json, &member)) {
        return bl_github_reading_wrong(r);
    }
    bl_object_set(r->object, BL_FIELD_USER_PERMISSION,
                  bl_member_value(BL_ENUM_PERMISSION, member));
    return BL_GITHUB_DONE;
}

static enum bl_github_outcome read_repository(struct bl_github_reading *r, bl_str name,
                                              const struct bl_json **json)
{
    size_t slash = bl_str_find_char(name, '/');
    bl_github_url_begin(r->github, &r->url);
    BL_PUT(&r->url, "/repos/");
    bl_address_put_step(&r->url, bl_str_slice(name, 0, slash));
    bl_buf_put_char(&r->url, '/');
    bl_address_put_step(&r->url, bl_str_slice(name, slash + 1, SIZE_MAX));
    return bl_github_reading_get(r, json);
}

/* The run's own repository by the name under which the run knows it. */
static enum bl_github_outcome load_repository(struct bl_github_reading *r,
                                              struct bl_object **out)
{
    const struct bl_json *json = NULL;
    struct bl_payload_reader reader = bl_github_reader(r->github);
    enum bl_github_outcome outcome = read_repository(r, r->github->options.repository, &json);
    if (outcome != BL_GITHUB_DONE) {
        return outcome;
    }
    struct bl_object *thing = bl_object_create(&r->github->scratch, BL_ENTITY_REPOSITORY, 0,
                                               r->github->options.repository);
    if (thing == NULL || !bl_payload_fill(&reader, json, thing)) {
        return bl_github_reading_wrong(r);
    }
    bl_object_set(thing, BL_FIELD_REPOSITORY_NAME, bl_text(r->github->options.repository));
    *out = bl_github_take(r->snapshot, thing);
    return *out != NULL ? BL_GITHUB_DONE : bl_github_reading_no_memory(r);
}

static struct bl_object *label(struct bl_github *github, const struct bl_json *json,
                               struct bl_github_item *item)
{
    const struct bl_json *name = bl_json_get(json, BL_STR("name"));
    (void)github;
    if (name != NULL && name->kind == BL_JSON_STRING && bl_is_name(name->string)) {
        item->text = name->string;
    }
    return NULL;
}

/* ---- load -------------------------------------------------------------------------------- */

static enum bl_github_outcome load_comments(struct bl_github_reading *r)
{
    if (r->object->entity == BL_ENTITY_COMMENT) {
        return read_comment(r);
    }
    r->elsewhere_is_missing = true;
    begin_number(r, "/issues/", r->object->key, "/comments" PAGE);
    return bl_github_reading_list(r, comment, BL_FIELD_ISSUE_COMMENTS);
}

static enum bl_github_outcome load_timeline(struct bl_github_reading *r)
{
    bool pull = r->object->entity == BL_ENTITY_PULL_REQUEST;
    r->elsewhere_is_missing = true;
    begin_number(r, "/issues/", r->object->key, "/events" PAGE);
    return bl_github_reading_list(r, bl_github_timeline_event,
                                  pull ? BL_FIELD_PULL_REQUEST_TIMELINE
                                       : BL_FIELD_ISSUE_TIMELINE);
}

static enum bl_github_outcome load(struct bl_github_reading *r)
{
    struct bl_object *ignored;
    if (r->object != NULL && bl_github_batch(r->github, r->snapshot, r->object, r->read)) {
        return BL_GITHUB_DONE;
    }
    switch (r->read) {
    case BL_READ_ISSUE:
        return read_issue(r, r->object->key, &ignored);
    case BL_READ_PULL:
        return read_pull(r, r->object->key, &ignored);
    case BL_READ_COMMENTS:
        return load_comments(r);
    case BL_READ_TIMELINE:
        return load_timeline(r);
    case BL_READ_REACTIONS:
        begin_number(r, "/issues/comments/", r->object->key, "/reactions" PAGE);
        return bl_github_reading_list(r, bl_github_reaction, BL_FIELD_COMMENT_REACTIONS);
    case BL_READ_PERMISSION:
        return read_permission(r);
    case BL_READ_REPOSITORY:
        return load_repository(r, &ignored);
    case BL_READ_LABELS:
        bl_github_reading_begin(r, "/labels" PAGE);
        return bl_github_reading_list(r, label, BL_FIELD_REPOSITORY_LABELS);
    case BL_READ_COMMIT:
        return bl_github_read_commit(r);
    case BL_READ_PULL_COMMITS:
        begin_number(r, "/pulls/", r->object->key, "/commits" PAGE);
        return bl_github_read_pull_commits(r);
    case BL_READ_RELEASES:
        return bl_github_read_releases(r);
    case BL_READ_ALERTS:
        return bl_github_read_alerts(r);
    case BL_READ_TRACKED_FILES:
        return bl_github_read_files(r);
    case BL_READ_RUN_JOBS:
        return bl_github_read_run_jobs(r);
    case BL_READ_EDITS:
    case BL_READ_CLOSING_PULLS:
    case BL_READ_CLOSING_ISSUES:
    case BL_READ_OPEN_ISSUES:
    case BL_READ_CLOSED_ISSUES:
    case BL_READ_DISCUSSIONS:
        return bl_github_load_graph(r->github, r->snapshot, r->object, r->read, r->failure);
    case BL_READ_PAYLOAD:
    case BL_READ_STORED:
    case BL_READ_DECLARED:
    case BL_READ_VARIABLE:
    case BL_READ_SECRET:
    case BL_READ_LABELLED_ISSUES:
    case BL_READ_ISSUES_CREATED:
    case BL_READ_COMMENTS_CHANGED:
    case BL_READ_NUMBERED:
    case BL_READ_MERGED_PULLS:
    case BL_READ_SHIPS:
    case BL_READ_PULLS_WITH_HEAD:
    case BL_READ_SEARCH:
    case BL_READ_SUGGESTION:
    case BL_READ_GIT_READING:
    case BL_READ_JOB_FILE:
    case BL_READ_CHECKOUT_FILE:
    case BL_READ_CHECKOUT_COMMIT:
    case BL_READ_RUNS:
    case BL_READ_FOREIGN_ISSUE:
    case BL_READ_STORE:
    case BL_READ_COUNT:
        break;
    }
    r->failure->why = BL_STR("GitHub has no such read");
    return BL_GITHUB_FAILED;
}

/* Only this repository is read as a whole. */
static bool is_elsewhere(const struct bl_github *github, const struct bl_object *object)
{
    enum bl_entity entity = (enum bl_entity)object->entity;
    bool numbered = entity == BL_ENTITY_ISSUE || entity == BL_ENTITY_PULL_REQUEST ||
                    entity == BL_ENTITY_COMMENT || entity == BL_ENTITY_REPOSITORY;
    return numbered && !bl_str_equal_nocase(object->name, github->options.repository);
}

enum bl_answer bl_github_load(void *self, struct bl_snapshot *snapshot,
                              struct bl_object *object, enum bl_read read,
                              struct bl_failure *failure)
{
    struct bl_github *github = self;
    struct bl_github_reading r = {.github = github,
                                  .snapshot = snapshot,
                                  .object = object,
                                  .read = read,
                                  .failure = failure};
    if (is_elsewhere(github, object)) {
        return BL_MISSING;
    }
    bl_github_scratch_begin(github);
    return bl_github_answer(load(&r));
}

/* ---- queries ----------------------------------------------------------------------------- */

static enum bl_github_outcome object_out(enum bl_github_outcome outcome,
                                         struct bl_object *object, struct bl_value *out)
{
    if (outcome == BL_GITHUB_DONE) {
        *out = bl_object_value(object);
    }
    return outcome;
}

/* An issue that is a pull request is none. */
static enum bl_github_outcome ask_issue(struct bl_github_reading *r, int64_t number,
                                        struct bl_value *out)
{
    struct bl_object *issue = NULL;
    enum bl_github_outcome outcome = read_issue(r, number, &issue);
    if (outcome == BL_GITHUB_DONE &&
        bl_object_get(issue, BL_FIELD_ISSUE_IS_PULL_REQUEST).as.i != 0) {
        return BL_GITHUB_MISSING;
    }
    return object_out(outcome, issue, out);
}

static enum bl_github_outcome ask_public(struct bl_github_reading *r, bl_str name,
                                         struct bl_value *out)
{
    const struct bl_json *json = NULL;
    if (!bl_is_repository_name(name)) {
        return BL_GITHUB_MISSING;
    }
    enum bl_github_outcome outcome = read_repository(r, name, &json);
    if (outcome != BL_GITHUB_DONE) {
        return outcome;
    }
    const struct bl_json *hidden = bl_json_get(json, BL_STR("private"));
    if (hidden == NULL || (hidden->kind != BL_JSON_TRUE && hidden->kind != BL_JSON_FALSE)) {
        return bl_github_reading_wrong(r);
    }
    *out = bl_bool(hidden->kind == BL_JSON_FALSE);
    return BL_GITHUB_DONE;
}

static enum bl_github_outcome ask_comments_changed(struct bl_github_reading *r, int64_t since,
                                                   struct bl_value *out)
{
    char text[BL_TIME_TEXT_MAX];
    size_t len = bl_time_format(since, text);
    bl_github_reading_begin(r, "/issues/comments?sort=updated&direction=asc&per_page=100"
                               "&since=");
    bl_buf_put(&r->url, (bl_str){text, len});
    if (!bl_github_url_end(r->github, &r->url, r->failure)) {
        return BL_GITHUB_FAILED;
    }
    const struct bl_github_call call = call_of(r);
    return bl_github_list(r->github, r->snapshot, &call, comment, NULL, out, r->failure);
}

/* What GitHub is not asked for. */
static enum bl_github_outcome ask_job(struct bl_github_reading *r, bl_str name,
                                      struct bl_value *out)
{
    const struct bl_github_job *job = &r->github->options.job;
    bl_str value = BL_STR("");
    bool is_set = false;
    enum bl_answer answer = BL_FAILED;
    if (r->read == BL_READ_SECRET && job->secret != NULL) {
        answer = job->secret(job->context, name, &is_set);
    } else if (r->read == BL_READ_VARIABLE && job->variable != NULL) {
        answer = job->variable(job->context, name, &value);
    }
    if (answer == BL_FAILED) {
        r->failure->why = BL_STR("the workflow does not pass it");
        r->failure->help = r->read == BL_READ_SECRET
                               ? BL_STR("Give the step 'env: NAME: ${{ secrets.NAME != '' }}'.")
                               : BL_STR("Give the step 'env: NAME: ${{ vars.NAME }}'.");
        return BL_GITHUB_FAILED;
    }
    *out = r->read == BL_READ_SECRET ? bl_bool(is_set) : bl_text(value);
    return answer == BL_FOUND ? BL_GITHUB_DONE : BL_GITHUB_MISSING;
}

/* What the job itself has, and why a read of it gives nothing. */
static void say_why(enum bl_read read, struct bl_failure *failure)
{
    failure->why = BL_STR("it is no text that can be read");
    if (read == BL_READ_GIT_READING)
        failure->why = BL_STR("git did not say how it reads it");
    else if (read == BL_READ_CHECKOUT_COMMIT)
        failure->why = BL_STR("git does not say which commit is checked out");
    else if (read == BL_READ_CHECKOUT_FILE)
        failure->why = BL_STR("git does not list it, or it is no text that can be read");
    if (read == BL_READ_CHECKOUT_COMMIT || read == BL_READ_CHECKOUT_FILE)
        failure->help =
            BL_STR("The job needs a checkout in front of this step: actions/checkout.");
}

static enum bl_github_outcome ask_text(struct bl_github_reading *r, bl_str asked,
                                       struct bl_value *out)
{
    const struct bl_github_job *job = &r->github->options.job;
    bl_str value = BL_STR("");
    enum bl_answer answer =
        job->text != NULL ? job->text(job->context, r->read, asked, &value) : BL_FAILED;
    *out = bl_text(value);
    if (answer == BL_FAILED) {
        say_why(r->read, r->failure);
        return BL_GITHUB_FAILED;
    }
    return answer == BL_FOUND ? BL_GITHUB_DONE : BL_GITHUB_MISSING;
}

static enum bl_github_outcome ask(struct bl_github_reading *r, const struct bl_value *args,
                                  size_t count, struct bl_value *out)
{
    struct bl_object *object = NULL;
    enum bl_github_outcome outcome;
    if (r->read == BL_READ_ISSUE && count == 1) {
        return ask_issue(r, args[0].as.i, out);
    }
    if (r->read == BL_READ_NUMBERED && count == 1) {
        return bl_github_numbered(r->github, r->snapshot, args[0].as.i, out, r->failure);
    }
    if (r->read == BL_READ_PULL && count == 1) {
        outcome = read_pull(r, args[0].as.i, &object);
        return object_out(outcome, object, out);
    }
    if (r->read == BL_READ_LABELLED_ISSUES && count == 1) {
        return bl_github_issues_with(r->github, r->snapshot, bl_text_of(args[0]), out,
                                     r->failure);
    }
    if (r->read == BL_READ_ISSUES_CREATED && count == 2) {
        return bl_github_issues_created(r->github, r->snapshot, args[0].as.i, args[1].as.i, out,
                                        r->failure);
    }
    if (r->read == BL_READ_COMMENTS_CHANGED && count == 1) {
        return ask_comments_changed(r, args[0].as.i, out);
    }
    if (r->read == BL_READ_MERGED_PULLS && count == 1) {
        return bl_github_merged_pulls(r->github, r->snapshot, args[0].as.i, out, r->failure);
    }
    if (r->read == BL_READ_PULLS_WITH_HEAD && count == 1) {
        return bl_github_pulls_with_head(r, bl_text_of(args[0]), out);
    }
    if (r->read == BL_READ_SEARCH && count == 2) {
        return bl_github_search(r, bl_text_of(args[0]), args[1].as.i, out);
    }
    if (r->read == BL_READ_RUNS && count == 2) {
        return bl_github_runs(r, bl_text_of(args[0]), args[1].as.i, out);
    }
    if (r->read == BL_READ_FOREIGN_ISSUE && count == 2) {
        return bl_github_foreign_issue(r, bl_text_of(args[0]), args[1].as.i, out);
    }
    if (r->read == BL_READ_SHIPS && count == 2) {
        return bl_github_ships(r, bl_text_of(args[0]), bl_text_of(args[1]), out);
    }
    if ((r->read == BL_READ_VARIABLE || r->read == BL_READ_SECRET) && count == 1) {
        return ask_job(r, bl_text_of(args[0]), out);
    }
    if ((r->read == BL_READ_GIT_READING || r->read == BL_READ_JOB_FILE ||
         r->read == BL_READ_CHECKOUT_FILE || r->read == BL_READ_CHECKOUT_COMMIT ||
         r->read == BL_READ_STORE) &&
        count == 1) {
        return ask_text(r, bl_text_of(args[0]), out);
    }
    if (r->read == BL_READ_REPOSITORY && count == 0) {
        outcome = load_repository(r, &object);
        return object_out(outcome, object, out);
    }
    if (r->read == BL_READ_REPOSITORY && count == 1) {
        return ask_public(r, bl_text_of(args[0]), out);
    }
    r->failure->why = BL_STR("GitHub has no such read");
    return BL_GITHUB_FAILED;
}

enum bl_answer bl_github_ask(void *self, struct bl_snapshot *snapshot, enum bl_read read,
                             const struct bl_value *args, size_t count, struct bl_value *out,
                             struct bl_failure *failure)
{
    struct bl_github *github = self;
    struct bl_github_reading r = {
        .github = github, .snapshot = snapshot, .read = read, .failure = failure};
    bl_github_scratch_begin(github);
    return bl_github_answer(ask(&r, args, count, out));
}
