/* SPDX-License-Identifier: Apache-2.0 */
#include "world/github/github_parts.h"
#include "world/github/github_queries.h"

/* Comments of many issues in one query. A sweep goes through its issues one after another and
 * asks of each the same, so when the comments of one are asked for, those of the next ones come
 * along. They are good until something is written: then whatever was not looked at is read when
 * it is asked for, as it is by then. */

#define QUERY_BYTES ((size_t)16 << 10)
#define ALIAS_BYTES 16

static void unknow(struct bl_object *issue)
{
    issue->known &= ~(UINT32_C(1) << bl_field_slot(BL_FIELD_ISSUE_COMMENTS));
}

void bl_github_expect(void *self, struct bl_list *things)
{
    struct bl_github *github = self;
    github->batch.things = things;
    github->batch.at = 0;
}

void bl_github_batch_forget(struct bl_github *github)
{
    struct bl_github_batch *batch = &github->batch;
    for (size_t i = 0; i < batch->fetched.count; i++) {
        unknow(batch->fetched.items[i]);
    }
    batch->fetched.count = 0;
}

/* The snapshot keeps that it asked for this one: it is its own from now on. */
static bool release(struct bl_github_batch *batch, const struct bl_object *issue)
{
    for (size_t i = 0; i < batch->fetched.count; i++) {
        if (batch->fetched.items[i] == issue) {
            batch->fetched.items[i] = batch->fetched.items[--batch->fetched.count];
            return true;
        }
    }
    return false;
}

/* The issue and those behind it of which no comments are known. Of another snapshot, which
 * wants to see one thing as it is now, none. */
static size_t choose(struct bl_github_batch *batch, struct bl_object *issue,
                     struct bl_object **out)
{
    const struct bl_list *things = batch->things;
    size_t count = 0;
    uint32_t at = batch->at;
    while (at < things->count && things->items[at].as.object != issue) {
        at++;
    }
    if (at < things->count) {
        batch->at = at;
    }
    for (; at < things->count && count < BL_GITHUB_BATCH; at++) {
        struct bl_object *thing = bl_object_of(things->items[at]);
        if (thing != NULL && thing->entity == BL_ENTITY_ISSUE && thing->key > 0 &&
            thing->key <= INT32_MAX && !bl_object_knows(thing, BL_FIELD_ISSUE_COMMENTS)) {
            out[count++] = thing;
        }
    }
    return count;
}

static bl_str write_query(struct bl_github *github, struct bl_object *const *issues,
                          size_t count)
{
    struct bl_buf query;
    bl_buf_init(&query, &github->scratch, QUERY_BYTES);
    bl_buf_put(&query, bl_query_batch_begin);
    for (size_t i = 0; i < count; i++) {
        bl_buf_printf(&query, " i%zu: issue(number: %lld)", i, (long long)issues[i]->key);
        bl_buf_put(&query, bl_query_batch_comments);
    }
    bl_buf_put(&query, bl_query_batch_end);
    return query.failed ? (bl_str){NULL, 0} : bl_buf_str(&query);
}

static void take_comments(struct bl_github *github, struct bl_snapshot *snapshot,
                          struct bl_object *issue, const struct bl_json *connection)
{
    const struct bl_json *nodes = bl_json_get(connection, BL_STR("nodes"));
    const struct bl_json *more = bl_json_at(connection, BL_STR("pageInfo.hasNextPage"));
    struct bl_arena *arena = bl_snapshot_arena(snapshot);
    struct bl_list *list = bl_list_create(arena);
    /* What was not found, and what has more pages, is read alone. */
    if (nodes == NULL || nodes->kind != BL_JSON_ARRAY || more == NULL ||
        more->kind != BL_JSON_FALSE || list == NULL) {
        return;
    }
    for (size_t i = 0; i < nodes->count; i++) {
        struct bl_github_item item = {.holder = issue};
        const struct bl_object *thing =
            bl_github_graph_comment(github, &nodes->items[i], &item);
        struct bl_object *own = thing != NULL ? bl_github_take(snapshot, thing) : NULL;
        if (own == NULL || bl_list_push(arena, list, bl_object_value(own)) != BL_OK) {
            return;
        }
    }
    bl_object_set(issue, BL_FIELD_ISSUE_COMMENTS, bl_list_value(list));
}

static void keep(struct bl_github *github, struct bl_object *issue)
{
    struct bl_object **slot = BL_PUSH(github->arena, github->batch.fetched);
    if (slot != NULL) {
        *slot = issue;
    } else {
        unknow(issue);
    }
}

static void read_batch(struct bl_github *github, struct bl_snapshot *snapshot,
                       struct bl_object *const *issues, size_t count)
{
    struct bl_github_batch *batch = &github->batch;
    struct bl_failure failure = {.again = false};
    const struct bl_json *repository;
    bl_str query = write_query(github, issues, count);
    if (query.len == 0 ||
        bl_github_query(github, query, (bl_str){NULL, 0}, BL_PERMISSION_ISSUES_READ, true,
                        &repository, &failure) != BL_GITHUB_DONE) {
        /* Alone it fails as well, and then with its own words, or it was only too much. */
        batch->things = NULL;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        struct bl_buf name;
        bl_buf_init(&name, &github->scratch, ALIAS_BYTES);
        bl_buf_printf(&name, "i%zu", i);
        const struct bl_json *issue = bl_json_get(repository, bl_buf_str(&name));
        take_comments(github, snapshot, issues[i], bl_json_get(issue, BL_STR("comments")));
        /* Of the first one the snapshot knows that it asked. */
        if (i > 0 && bl_object_knows(issues[i], BL_FIELD_ISSUE_COMMENTS)) {
            keep(github, issues[i]);
        }
    }
}

bool bl_github_batch_comments(struct bl_github *github, struct bl_snapshot *snapshot,
                              struct bl_object *issue)
{
    struct bl_github_batch *batch = &github->batch;
    struct bl_object *issues[BL_GITHUB_BATCH];
    if (release(batch, issue)) {
        return true;
    }
    size_t count = batch->things != NULL ? choose(batch, issue, issues) : 0;
    if (count < 2 || issues[0] != issue) {
        return false;
    }
    read_batch(github, snapshot, issues, count);
    bl_github_scratch_begin(github);
    return bl_object_knows(issue, BL_FIELD_ISSUE_COMMENTS);
}
