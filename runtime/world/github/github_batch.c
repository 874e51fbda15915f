/* SPDX-License-Identifier: Apache-2.0 */
#include "world/github/github_parts.h"
#include "world/github/github_queries.h"

/* What is asked of each of many issues, in one query. A sweep goes through its issues one after
 * another and asks of each the same: when the comments, the history or the edits of one are
 * asked for, those of the next ones come along, and of these three whatever the run asks of
 * issues. They are good until something is written: then whatever was not looked at is read
 * when it is asked for, as it is by then. */

#define QUERY_BYTES ((size_t)16 << 10)
#define ALIAS_BYTES 16

static const struct part {
    enum bl_read read;
    enum bl_field field;
    const char *connection;
    const bl_str *query, *fragment;
    bl_github_element *element;
    bool (*sort)(struct bl_list *list); /* NULL: they come in order */
} parts[] = {
    {BL_READ_COMMENTS, BL_FIELD_ISSUE_COMMENTS, "comments", &bl_query_batch_comments,
     &bl_query_fragment_comment, bl_github_graph_comment, NULL},
    {BL_READ_TIMELINE, BL_FIELD_ISSUE_TIMELINE, "timelineItems", &bl_query_batch_timeline,
     &bl_query_fragment_timeline, bl_github_graph_event, NULL},
    {BL_READ_EDITS, BL_FIELD_ISSUE_TEXT_EDITS, "userContentEdits", &bl_query_batch_edits, NULL,
     bl_github_graph_edit, bl_github_sort_edits},
};
#define PARTS (sizeof(parts) / sizeof(parts[0]))

static void unknow(const struct bl_github_fetched *fetched)
{
    fetched->issue->known &= ~(UINT32_C(1) << bl_field_slot(fetched->field));
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
        unknow(&batch->fetched.items[i]);
    }
    batch->fetched.count = 0;
}

/* The snapshot keeps that it asked for this one: it is its own from now on. */
static bool release(struct bl_github_batch *batch, const struct bl_object *issue,
                    enum bl_field field)
{
    for (size_t i = 0; i < batch->fetched.count; i++) {
        if (batch->fetched.items[i].issue == issue && batch->fetched.items[i].field == field) {
            batch->fetched.items[i] = batch->fetched.items[--batch->fetched.count];
            return true;
        }
    }
    return false;
}

/* The issue and those behind it of which this is not known. Of another snapshot, which wants to
 * see one thing as it is now, none. */
static size_t choose(struct bl_github_batch *batch, struct bl_object *issue,
                     enum bl_field field, struct bl_object **out)
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
            thing->key <= INT32_MAX && !bl_object_knows(thing, field)) {
            out[count++] = thing;
        }
    }
    return count;
}

/* What was asked for, and what the run asks of issues beside it. */
static bool is_asked(const struct bl_github *github, const struct part *part, enum bl_read read)
{
    return part->read == read || bl_github_wants(github, part->field);
}

static bl_str write_query(struct bl_github *github, struct bl_object *const *issues,
                          size_t count, enum bl_read read)
{
    struct bl_buf query;
    bl_buf_init(&query, &github->scratch, QUERY_BYTES);
    bl_buf_put(&query, bl_query_batch_begin);
    for (size_t i = 0; i < count; i++) {
        bl_buf_printf(&query, " i%zu: issue(number: %lld) { ...B }", i,
                      (long long)issues[i]->key);
    }
    bl_buf_put(&query, bl_query_batch_end);
    for (size_t i = 0; i < PARTS; i++) {
        if (is_asked(github, &parts[i], read)) {
            bl_buf_put(&query, *parts[i].query);
        }
    }
    BL_PUT(&query, " }");
    for (size_t i = 0; i < PARTS; i++) {
        if (is_asked(github, &parts[i], read) && parts[i].fragment != NULL) {
            bl_buf_put(&query, *parts[i].fragment);
        }
    }
    return query.failed ? (bl_str){NULL, 0} : bl_buf_str(&query);
}

static void take_part(struct bl_github *github, struct bl_snapshot *snapshot,
                      struct bl_object *issue, const struct part *part,
                      const struct bl_json *connection)
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
        const struct bl_object *thing = part->element(github, &nodes->items[i], &item);
        if (item.skip) {
            continue;
        }
        struct bl_object *own = thing != NULL ? bl_github_take(snapshot, thing) : NULL;
        if (own == NULL || bl_list_push(arena, list, bl_object_value(own)) != BL_OK) {
            return;
        }
    }
    if (part->sort == NULL || part->sort(list)) {
        bl_object_set(issue, part->field, bl_list_value(list));
    }
}

static void keep(struct bl_github *github, struct bl_object *issue, enum bl_field field)
{
    const struct bl_github_fetched fetched = {issue, field};
    struct bl_github_fetched *slot = BL_PUSH(github->arena, github->batch.fetched);
    if (slot != NULL) {
        *slot = fetched;
    } else {
        unknow(&fetched);
    }
}

/* `asked`: the snapshot asked for this part of it, and knows that it did. */
static void take_issue(struct bl_github *github, struct bl_snapshot *snapshot,
                       struct bl_object *issue, enum bl_read read, bool asked,
                       const struct bl_json *json)
{
    for (size_t i = 0; i < PARTS; i++) {
        const struct part *part = &parts[i];
        if (!is_asked(github, part, read) || bl_object_knows(issue, part->field)) {
            continue;
        }
        take_part(github, snapshot, issue, part,
                  bl_json_get(json, bl_str_from(part->connection)));
        if (bl_object_knows(issue, part->field) && !(asked && part->read == read)) {
            keep(github, issue, part->field);
        }
    }
}

static void read_batch(struct bl_github *github, struct bl_snapshot *snapshot,
                       struct bl_object *const *issues, size_t count, enum bl_read read)
{
    struct bl_github_batch *batch = &github->batch;
    struct bl_failure failure = {.again = false};
    const struct bl_json *repository;
    bl_str query = write_query(github, issues, count, read);
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
        take_issue(github, snapshot, issues[i], read, i == 0,
                   bl_json_get(repository, bl_buf_str(&name)));
    }
}

bool bl_github_batch(struct bl_github *github, struct bl_snapshot *snapshot,
                     struct bl_object *issue, enum bl_read read)
{
    struct bl_github_batch *batch = &github->batch;
    struct bl_object *issues[BL_GITHUB_BATCH];
    size_t part = 0;
    while (part < PARTS && parts[part].read != read) {
        part++;
    }
    if (part == PARTS || issue->entity != BL_ENTITY_ISSUE) {
        return false;
    }
    if (release(batch, issue, parts[part].field)) {
        return true;
    }
    size_t count = batch->things != NULL ? choose(batch, issue, parts[part].field, issues) : 0;
    if (count < 2 || issues[0] != issue) {
        return false;
    }
    read_batch(github, snapshot, issues, count, read);
    bl_github_scratch_begin(github);
    return bl_object_knows(issue, parts[part].field);
}
