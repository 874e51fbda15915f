/* SPDX-License-Identifier: Apache-2.0 */
#include "base/sort.h"
#include "base/time.h"
#include "event/names.h"
#include "world/github/github_read.h"

/* Commits, releases and alerts. */

#define PULL_COMMITS_MAX 250 /* GitHub lists no more, and does not say so */

/* ---- commits ----------------------------------------------------------------------------- */

static bool set_text(struct bl_object *object, enum bl_field field, const struct bl_json *node)
{
    if (node == NULL || node->kind != BL_JSON_STRING) {
        return false;
    }
    bl_object_set(object, field, bl_text(bl_kept_text(node->string)));
    return true;
}

static bool set_time(struct bl_object *object, enum bl_field field, const struct bl_json *node)
{
    int64_t seconds;
    if (node == NULL || node->kind != BL_JSON_STRING ||
        !bl_time_parse(node->string, &seconds)) {
        return false;
    }
    bl_object_set(object, field, bl_number(BL_V_TIME, seconds));
    return true;
}

/* An address that belongs to no account is null, or an empty object. */
static bool set_person(struct bl_github *github, struct bl_object *object, enum bl_field field,
                       const struct bl_json *node)
{
    static const struct bl_json nobody = {.kind = BL_JSON_NULL};
    struct bl_payload_reader reader = bl_github_reader(github);
    if (node == NULL || (node->kind == BL_JSON_OBJECT && node->count == 0)) {
        node = &nobody;
    }
    struct bl_object *user = bl_payload_user(&reader, node, NULL);
    if (user != NULL) {
        bl_object_set(object, field, bl_object_value(user));
    }
    return user != NULL;
}

static struct bl_object *commit(struct bl_github *github, const struct bl_json *json,
                                struct bl_github_item *item)
{
    const struct bl_json *sha = bl_json_get(json, BL_STR("sha"));
    (void)item;
    if (sha == NULL || sha->kind != BL_JSON_STRING || !bl_is_name(sha->string)) {
        return NULL;
    }
    struct bl_object *thing =
        bl_object_create(&github->scratch, BL_ENTITY_COMMIT, 0, sha->string);
    bool good =
        thing != NULL && set_text(thing, BL_FIELD_COMMIT_SHA, sha) &&
        set_person(github, thing, BL_FIELD_COMMIT_AUTHOR,
                   bl_json_get(json, BL_STR("author"))) &&
        set_person(github, thing, BL_FIELD_COMMIT_COMMITTER,
                   bl_json_get(json, BL_STR("committer"))) &&
        set_text(thing, BL_FIELD_COMMIT_AUTHOR_EMAIL,
                 bl_json_at(json, BL_STR("commit.author.email"))) &&
        set_text(thing, BL_FIELD_COMMIT_MESSAGE, bl_json_at(json, BL_STR("commit.message"))) &&
        set_time(thing, BL_FIELD_COMMIT_COMMITTED_AT,
                 bl_json_at(json, BL_STR("commit.committer.date"))) &&
        set_time(thing, BL_FIELD_COMMIT_MADE_AT,
                 bl_json_at(json, BL_STR("commit.author.date")));
    return good ? thing : NULL;
}

enum bl_github_outcome bl_github_read_commit(struct bl_github_reading *r)
{
    const struct bl_json *json = NULL;
    struct bl_github_item item = {.holder = NULL};
    bl_github_reading_begin(r, "/commits/");
    bl_address_put_step(&r->url, r->object->name);
    /* The files of a commit come along, by pages. */
    BL_PUT(&r->url, "?per_page=1");
    enum bl_github_outcome outcome = bl_github_reading_get(r, &json);
    if (outcome != BL_GITHUB_DONE) {
        return outcome;
    }
    struct bl_object *thing = commit(r->github, json, &item);
    if (thing == NULL || !bl_str_equal(thing->name, r->object->name)) {
        return bl_github_reading_wrong(r);
    }
    return bl_github_take(r->snapshot, thing) != NULL ? BL_GITHUB_DONE
                                                      : bl_github_reading_no_memory(r);
}

/* All pages: a list of which the end may be missing is no answer. */
enum bl_github_outcome bl_github_read_pull_commits(struct bl_github_reading *r)
{
    enum bl_github_outcome outcome =
        bl_github_reading_list(r, commit, BL_FIELD_PULL_REQUEST_COMMITS);
    if (outcome != BL_GITHUB_DONE) {
        return outcome;
    }
    struct bl_value list = bl_object_get(r->object, BL_FIELD_PULL_REQUEST_COMMITS);
    uint32_t bit = UINT32_C(1) << bl_field_slot(BL_FIELD_PULL_REQUEST_COMMITS);
    if (bl_list_complete(list.as.list) != BL_OK) {
        r->object->known &= ~bit;
        *r->failure = *bl_github_last_failure(r->github);
        r->failure->what = BL_STR("");
        return BL_GITHUB_FAILED;
    }
    if (list.as.list->count >= PULL_COMMITS_MAX) {
        r->object->known &= ~bit;
        r->failure->why = BL_STR("GitHub lists no more than 250 of them");
        return BL_GITHUB_FAILED;
    }
    return BL_GITHUB_DONE;
}

/* ---- releases ---------------------------------------------------------------------------- */

static struct bl_object *release(struct bl_github *github, const struct bl_json *json,
                                 struct bl_github_item *item)
{
    struct bl_payload_reader reader = bl_github_reader(github);
    (void)item;
    return bl_payload_thing(&reader, json, BL_ENTITY_RELEASE);
}

/* When a release was published; drafts, which were not, come last. */
static int64_t published(struct bl_value item)
{
    struct bl_value at = bl_object_get(item.as.object, BL_FIELD_RELEASE_PUBLISHED_AT);
    return at.tag == BL_V_TIME ? at.as.i : INT64_MAX;
}

static int compare_published(const void *a, const void *b, const void *context)
{
    const struct bl_value *first = a, *second = b;
    int64_t x = published(*first), y = published(*second);

    (void)context;
    return (x > y) - (x < y);
}

/* GitHub gives the newest first, by the time at which the release was begun. */
static bool sort_releases(struct bl_arena *arena, struct bl_list *list)
{
    for (uint32_t i = 0; i < list->count / 2; i++) {
        struct bl_value swap = list->items[i];
        list->items[i] = list->items[list->count - 1 - i];
        list->items[list->count - 1 - i] = swap;
    }
    return bl_sort(arena, list->items, list->count, sizeof *list->items, compare_published,
                   NULL);
}

static struct bl_value latest(const struct bl_list *list)
{
    struct bl_value found = bl_absent();
    for (uint32_t i = 0; i < list->count; i++) {
        const struct bl_object *thing = list->items[i].as.object;
        if (bl_object_get(thing, BL_FIELD_RELEASE_DRAFT).as.i == 0 &&
            bl_object_get(thing, BL_FIELD_RELEASE_PRERELEASE).as.i == 0) {
            found = list->items[i];
        }
    }
    return found;
}

enum bl_github_outcome bl_github_read_releases(struct bl_github_reading *r)
{
    struct bl_value list;
    bl_github_reading_begin(r, "/releases?per_page=100");
    enum bl_github_outcome outcome =
        bl_github_reading_list(r, release, BL_FIELD_REPOSITORY_RELEASES);
    if (outcome != BL_GITHUB_DONE) {
        return outcome;
    }
    /* Oldest first, and the latest: all of them. */
    list = bl_object_get(r->object, BL_FIELD_REPOSITORY_RELEASES);
    if (bl_list_complete(list.as.list) != BL_OK ||
        !sort_releases(bl_snapshot_arena(r->snapshot), list.as.list)) {
        r->object->known &= ~(UINT32_C(1) << bl_field_slot(BL_FIELD_REPOSITORY_RELEASES));
        *r->failure = *bl_github_last_failure(r->github);
        r->failure->what = BL_STR("");
        return BL_GITHUB_FAILED;
    }
    bl_object_set(r->object, BL_FIELD_REPOSITORY_LATEST_RELEASE, latest(list.as.list));
    return BL_GITHUB_DONE;
}

/* ---- alerts ------------------------------------------------------------------------------ */

static struct bl_object *alert(struct bl_github *github, const struct bl_json *json,
                               struct bl_github_item *item)
{
    const struct bl_json *number = bl_json_get(json, BL_STR("number"));
    const struct bl_json *link = bl_json_get(json, BL_STR("html_url"));
    const struct bl_json *tool = bl_json_at(json, BL_STR("tool.name"));
    const struct bl_json *rule = bl_json_at(json, BL_STR("rule.id"));
    const struct bl_json *path = bl_json_at(json, BL_STR("most_recent_instance.location.path"));
    struct bl_address address;
    (void)item;
    if (number == NULL || number->kind != BL_JSON_INT || number->integer <= 0) {
        return NULL;
    }
    struct bl_object *thing = bl_object_create(&github->scratch, BL_ENTITY_ALERT,
                                               number->integer, github->options.repository);
    if (thing == NULL) {
        return NULL;
    }
    bl_object_set(thing, BL_FIELD_ALERT_NUMBER, bl_int(number->integer));
    /* A tool gives its rules any name; one that is none makes no sense to a policy. */
    bool good = set_text(thing, BL_FIELD_ALERT_LINK, link) &&
                bl_address_parse(link->string, &address) &&
                set_text(thing, BL_FIELD_ALERT_TOOL, tool) && bl_is_name(tool->string) &&
                set_text(thing, BL_FIELD_ALERT_RULE, rule) && bl_is_name(rule->string) &&
                set_text(thing, BL_FIELD_ALERT_PATH, path) && bl_is_name(path->string);
    return good ? thing : NULL;
}

enum bl_github_outcome bl_github_read_alerts(struct bl_github_reading *r)
{
    bl_github_reading_begin(r, "/code-scanning/alerts?state=open&per_page=100");
    return bl_github_reading_list(r, alert, BL_FIELD_REPOSITORY_OPEN_ALERTS);
}

/* ---- the checkout ------------------------------------------------------------------------ */

enum bl_github_outcome bl_github_read_files(struct bl_github_reading *r)
{
    const struct bl_github_job *job = &r->github->options.job;
    struct bl_arena *arena = bl_snapshot_arena(r->snapshot);
    struct bl_list *list = bl_list_create(arena);
    bl_str path;
    if (job->tracked_file == NULL) {
        r->failure->why = BL_STR("the run has no checkout");
        return BL_GITHUB_FAILED;
    }
    enum bl_answer answer = BL_FOUND;
    for (size_t n = 0; list != NULL && answer == BL_FOUND; n++) {
        answer = job->tracked_file(job->context, n, &path);
        if (answer == BL_FOUND &&
            bl_list_push(arena, list, bl_text(bl_arena_copy(arena, path))) != BL_OK) {
            return bl_github_reading_no_memory(r);
        }
    }
    if (list == NULL) {
        return bl_github_reading_no_memory(r);
    }
    if (answer == BL_FAILED) {
        r->failure->why = BL_STR("git does not list the files of the checkout");
        return BL_GITHUB_FAILED;
    }
    bl_object_set(r->object, BL_FIELD_REPOSITORY_TRACKED_FILES, bl_list_value(list));
    return BL_GITHUB_DONE;
}
