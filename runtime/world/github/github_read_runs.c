/* SPDX-License-Identifier: Apache-2.0 */
#include "base/time.h"
#include "event/names.h"
#include "world/github/github_read.h"

/* Runs of workflows, their jobs, and issues of other repositories. */

static bool take_time(struct bl_object *thing, enum bl_field field, const struct bl_json *node)
{
    int64_t seconds;
    if (node == NULL || node->kind != BL_JSON_STRING ||
        !bl_time_parse(node->string, &seconds)) {
        return false;
    }
    bl_object_set(thing, field, bl_number(BL_V_TIME, seconds));
    return true;
}

static struct bl_object *with_id(struct bl_github *github, const struct bl_json *json,
                                 enum bl_entity entity)
{
    const struct bl_json *id = bl_json_get(json, BL_STR("id"));
    if (id == NULL || id->kind != BL_JSON_INT || id->integer <= 0) {
        return NULL;
    }
    return bl_object_create(&github->scratch, entity, id->integer, github->options.repository);
}

static struct bl_object *run(struct bl_github *github, const struct bl_json *json,
                             struct bl_github_item *item)
{
    struct bl_object *thing = with_id(github, json, BL_ENTITY_RUN);
    (void)item;
    bool good = thing != NULL && take_time(thing, BL_FIELD_RUN_CREATED_AT,
                                           bl_json_get(json, BL_STR("created_at")));
    return good ? thing : NULL;
}

static enum bl_github_outcome page_failed(struct bl_github_reading *r)
{
    *r->failure = *bl_github_last_failure(r->github);
    r->failure->what = BL_STR("");
    return BL_GITHUB_FAILED;
}

/* GitHub lists the newest first: the first one that is older ends it. A filter by time would
 * end the list at a thousand without saying so. */
enum bl_github_outcome bl_github_runs(struct bl_github_reading *r, bl_str file, int64_t since,
                                      struct bl_value *out)
{
    struct bl_list *list = bl_list_create(bl_snapshot_arena(r->snapshot));
    struct bl_value all;
    bool end = false;
    bl_github_reading_begin(r, "/actions/workflows/");
    bl_address_put_step(&r->url, file);
    BL_PUT(&r->url, "/runs?per_page=100");
    enum bl_github_outcome outcome = bl_github_reading_items(r, run, &all);
    if (outcome != BL_GITHUB_DONE) {
        return outcome;
    }
    for (uint32_t i = 0; list != NULL && !end; i++) {
        struct bl_value item;
        if (bl_list_at(all.as.list, i, &item, &end) != BL_OK) {
            return page_failed(r);
        }
        end = end || bl_object_get(item.as.object, BL_FIELD_RUN_CREATED_AT).as.i < since;
        if (!end && bl_list_push(bl_snapshot_arena(r->snapshot), list, item) != BL_OK) {
            return bl_github_reading_no_memory(r);
        }
    }
    *out = list != NULL ? bl_list_value(list) : bl_absent();
    return list != NULL ? BL_GITHUB_DONE : bl_github_reading_no_memory(r);
}

/* One that waits, and one that was left out, has a time all the same. */
static bool has_started(const struct bl_json *json)
{
    const struct bl_json *status = bl_json_get(json, BL_STR("status"));
    const struct bl_json *conclusion = bl_json_get(json, BL_STR("conclusion"));
    bool skipped = conclusion != NULL && conclusion->kind == BL_JSON_STRING &&
                   bl_str_equal(conclusion->string, BL_STR("skipped"));
    return !skipped && status != NULL && status->kind == BL_JSON_STRING &&
           (bl_str_equal(status->string, BL_STR("in_progress")) ||
            bl_str_equal(status->string, BL_STR("completed")));
}

static struct bl_object *run_job(struct bl_github *github, const struct bl_json *json,
                                 struct bl_github_item *item)
{
    struct bl_object *thing = with_id(github, json, BL_ENTITY_RUN_JOB);
    const struct bl_json *name = bl_json_get(json, BL_STR("name"));
    (void)item;
    if (thing == NULL || name == NULL || name->kind != BL_JSON_STRING ||
        !bl_is_name(name->string)) {
        return NULL;
    }
    bl_object_set(thing, BL_FIELD_RUN_JOB_NAME, bl_text(name->string));
    bl_object_set(thing, BL_FIELD_RUN_JOB_STARTED_AT, bl_absent());
    return !has_started(json) || take_time(thing, BL_FIELD_RUN_JOB_STARTED_AT,
                                           bl_json_get(json, BL_STR("started_at")))
               ? thing
               : NULL;
}

enum bl_github_outcome bl_github_read_run_jobs(struct bl_github_reading *r)
{
    bl_github_reading_begin(r, "/actions/runs/");
    bl_buf_put_int(&r->url, r->object->key);
    BL_PUT(&r->url, "/jobs?filter=all&per_page=100");
    return bl_github_reading_list(r, run_job, BL_FIELD_RUN_JOBS);
}

enum bl_github_outcome bl_github_foreign_issue(struct bl_github_reading *r, bl_str repository,
                                               int64_t number, struct bl_value *out)
{
    const struct bl_json *json = NULL;
    if (!bl_is_repository_name(repository)) {
        return BL_GITHUB_MISSING;
    }
    /* One that moved on is not there any more: the number would name another one. */
    r->elsewhere_is_missing = true;
    bl_github_url_begin(r->github, &r->url);
    BL_PUT(&r->url, "/repos/");
    bl_buf_put(&r->url, repository);
    BL_PUT(&r->url, "/issues/");
    bl_buf_put_int(&r->url, number);
    enum bl_github_outcome outcome = bl_github_reading_get(r, &json);
    if (outcome != BL_GITHUB_DONE) {
        return outcome;
    }
    const struct bl_json *said = bl_json_get(json, BL_STR("number"));
    if (said == NULL || said->kind != BL_JSON_INT || said->integer != number) {
        return bl_github_reading_wrong(r);
    }
    *out = bl_bool(true);
    return BL_GITHUB_DONE;
}
