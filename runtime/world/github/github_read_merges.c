/* SPDX-License-Identifier: Apache-2.0 */
#include "base/sort.h"
#include "base/time.h"
#include "world/github/github_queries.h"
#include "world/github/github_read.h"

/* From the merge to the release, and what is searched for. */

#define PAGES_MAX       1000 /* a hundred thousand pull requests that changed since */
#define VARIABLES_BYTES 1000

/* ---- merged pull requests ---------------------------------------------------------------- */

struct merges {
    struct bl_github *github;
    struct bl_snapshot *snapshot;
    struct bl_list *list;
    int64_t since;
    bl_str cursor; /* empty: the first page */
    struct bl_github_trail trail;
    bool end; /* what follows changed before */
};

/* Whether the pull request changed since then, and so perhaps was merged since. */
static bool is_recent(const struct merges *m, const struct bl_json *node, bool *wrong)
{
    const struct bl_json *updated = bl_json_get(node, BL_STR("updatedAt"));
    int64_t seconds = 0;
    *wrong = updated == NULL || updated->kind != BL_JSON_STRING ||
             !bl_time_parse(updated->string, &seconds);
    return !*wrong && seconds >= m->since;
}

static bool take_pull(struct merges *m, const struct bl_json *node)
{
    struct bl_github_item item = {.holder = NULL};
    struct bl_object *pull = bl_github_graph_pull(m->github, node, &item);
    if (pull == NULL) {
        return false;
    }
    struct bl_value merged = bl_object_get(pull, BL_FIELD_PULL_REQUEST_MERGED_AT);
    if (merged.tag != BL_V_TIME) {
        return false;
    }
    if (item.skip || merged.as.i < m->since) {
        return true;
    }
    struct bl_object *taken = bl_github_take(m->snapshot, pull);
    return taken != NULL && bl_list_push(bl_snapshot_arena(m->snapshot), m->list,
                                         bl_object_value(taken)) == BL_OK;
}

/* False when the page is none. */
static bool take_page(struct merges *m, const struct bl_json *connection)
{
    const struct bl_json *nodes = bl_json_get(connection, BL_STR("nodes"));
    const struct bl_json *more = bl_json_at(connection, BL_STR("pageInfo.hasNextPage"));
    const struct bl_json *cursor = bl_json_at(connection, BL_STR("pageInfo.endCursor"));
    if (nodes == NULL || nodes->kind != BL_JSON_ARRAY || more == NULL ||
        (more->kind != BL_JSON_TRUE && more->kind != BL_JSON_FALSE)) {
        return false;
    }
    for (size_t i = 0; i < nodes->count; i++) {
        bool wrong;
        if (!is_recent(m, &nodes->items[i], &wrong)) {
            m->end = true;
            return !wrong;
        }
        if (!take_pull(m, &nodes->items[i])) {
            return false;
        }
    }
    m->end = more->kind == BL_JSON_FALSE;
    if (m->end) {
        return true;
    }
    if (cursor == NULL || cursor->kind != BL_JSON_STRING || cursor->string.len == 0 ||
        cursor->string.len > VARIABLES_BYTES / 4 ||
        !bl_github_leads_on(&m->trail, bl_snapshot_arena(m->snapshot), cursor->string)) {
        return false;
    }
    m->cursor = bl_arena_copy(bl_snapshot_arena(m->snapshot), cursor->string);
    return true;
}

static enum bl_github_outcome read_page(struct merges *m, struct bl_failure *failure)
{
    const struct bl_github_call call = {.query = true};
    const struct bl_json *repository;
    struct bl_buf variables;
    bl_github_scratch_begin(m->github);
    bl_buf_init(&variables, &m->github->scratch, VARIABLES_BYTES);
    if (m->cursor.len > 0) {
        struct bl_json_writer w;
        BL_PUT(&variables, "\"after\":");
        bl_json_writer_init(&w, &variables, false);
        bl_json_string(&w, m->cursor);
    }
    enum bl_github_outcome outcome =
        bl_github_query(m->github, bl_query_merged_pulls, bl_buf_str(&variables),
                        BL_PERMISSION_PULL_REQUESTS_READ, false, &repository, failure);
    if (outcome != BL_GITHUB_DONE) {
        return outcome;
    }
    return take_page(m, bl_json_get(repository, BL_STR("pullRequests")))
               ? BL_GITHUB_DONE
               : bl_github_wrong_shape(m->github, &call, failure);
}

static int64_t merged_at(struct bl_value pull)
{
    return bl_object_get(pull.as.object, BL_FIELD_PULL_REQUEST_MERGED_AT).as.i;
}

static int64_t number_of(struct bl_value pull)
{
    return pull.as.object->key;
}

static int compare_numbers(const void *a, const void *b, const void *context)
{
    const struct bl_value *first = a, *second = b;
    int64_t x = number_of(*first), y = number_of(*second);

    (void)context;
    return (x > y) - (x < y);
}

static int compare_merges(const void *a, const void *b, const void *context)
{
    const struct bl_value *first = a, *second = b;
    int64_t x = merged_at(*first), y = merged_at(*second);

    return x != y ? (x > y) - (x < y) : compare_numbers(a, b, context);
}

static bool sort(struct bl_arena *arena, struct bl_list *list, bl_compare_fn *compare)
{
    return bl_sort(arena, list->items, list->count, sizeof *list->items, compare, NULL);
}

enum bl_github_outcome bl_github_merged_pulls(struct bl_github *github,
                                              struct bl_snapshot *snapshot, int64_t since,
                                              struct bl_value *out, struct bl_failure *failure)
{
    struct bl_arena *arena = bl_snapshot_arena(snapshot);
    struct merges m = {
        .github = github, .snapshot = snapshot, .list = bl_list_create(arena), .since = since};
    for (unsigned page = 0; m.list != NULL && !m.end; page++) {
        if (page >= PAGES_MAX) {
            failure->why = BL_STR("the list has more pages than are read");
            return BL_GITHUB_FAILED;
        }
        enum bl_github_outcome outcome = read_page(&m, failure);
        if (outcome != BL_GITHUB_DONE) {
            return outcome;
        }
    }
    if (m.list == NULL || arena->failed || !sort(arena, m.list, compare_merges)) {
        (void)bl_github_no_memory(failure);
        return BL_GITHUB_FAILED;
    }
    *out = bl_list_value(m.list);
    return BL_GITHUB_DONE;
}

/* ---- pull requests of a commit ----------------------------------------------------------- */

static struct bl_object *pull_of_commit(struct bl_github *github, const struct bl_json *json,
                                        struct bl_github_item *item)
{
    struct bl_payload_reader reader = bl_github_reader(github);
    (void)item;
    return bl_payload_thing(&reader, json, BL_ENTITY_PULL_REQUEST);
}

static bool is_head(struct bl_value pull, bl_str sha)
{
    const struct bl_object *object = pull.as.object;
    const struct bl_object *head =
        bl_object_of(bl_object_get(object, BL_FIELD_PULL_REQUEST_HEAD));
    struct bl_value state = bl_object_get(object, BL_FIELD_PULL_REQUEST_STATE);
    return head != NULL && bl_str_equal_nocase(head->name, sha) && state.tag == BL_V_ENUM &&
           state.as.i == BL_ISSUE_STATE_OPEN;
}

enum bl_github_outcome bl_github_pulls_with_head(struct bl_github_reading *r, bl_str sha,
                                                 struct bl_value *out)
{
    struct bl_arena *arena = bl_snapshot_arena(r->snapshot);
    struct bl_list *list = bl_list_create(arena);
    struct bl_value all;
    bl_github_reading_begin(r, "/commits/");
    bl_address_put_step(&r->url, sha);
    BL_PUT(&r->url, "/pulls?per_page=100");
    enum bl_github_outcome outcome = bl_github_reading_items(r, pull_of_commit, &all);
    if (outcome != BL_GITHUB_DONE) {
        return outcome;
    }
    if (bl_list_complete(all.as.list) != BL_OK) {
        *r->failure = *bl_github_last_failure(r->github);
        r->failure->what = BL_STR("");
        return BL_GITHUB_FAILED;
    }
    for (uint32_t i = 0; list != NULL && i < all.as.list->count; i++) {
        struct bl_value pull = all.as.list->items[i];
        if (is_head(pull, sha) && bl_list_push(arena, list, pull) != BL_OK) {
            return bl_github_reading_no_memory(r);
        }
    }
    if (list == NULL || !sort(arena, list, compare_numbers)) {
        return bl_github_reading_no_memory(r);
    }
    *out = bl_list_value(list);
    return BL_GITHUB_DONE;
}

/* ---- search ------------------------------------------------------------------------------ */

static enum bl_github_outcome take_found(struct bl_github_reading *r,
                                         const struct bl_json *items, struct bl_list *list)
{
    struct bl_payload_reader reader = bl_github_reader(r->github);
    for (size_t i = 0; list != NULL && i < items->count; i++) {
        struct bl_object *issue = bl_payload_thing(&reader, &items->items[i], BL_ENTITY_ISSUE);
        if (issue == NULL) {
            return bl_github_reading_wrong(r);
        }
        struct bl_object *own = bl_github_take(r->snapshot, issue);
        if (own == NULL ||
            bl_list_push(bl_snapshot_arena(r->snapshot), list, bl_object_value(own)) != BL_OK) {
            return bl_github_reading_no_memory(r);
        }
    }
    return list != NULL ? BL_GITHUB_DONE : bl_github_reading_no_memory(r);
}

/* One page, of which GitHub says itself when it gave up before the end. */
enum bl_github_outcome bl_github_search(struct bl_github_reading *r, bl_str words, int64_t most,
                                        struct bl_value *out)
{
    struct bl_buf query;
    struct bl_list *list = bl_list_create(bl_snapshot_arena(r->snapshot));
    const struct bl_json *json = NULL;
    bl_buf_init(&query, &r->github->scratch, words.len + VARIABLES_BYTES);
    bl_buf_put(&query, words);
    BL_PUT(&query, " is:issue repo:");
    bl_buf_put(&query, r->github->options.repository);
    bl_github_url_begin(r->github, &r->url);
    BL_PUT(&r->url, "/search/issues?sort=created&order=desc&per_page=");
    bl_buf_put_int(&r->url, most);
    BL_PUT(&r->url, "&q=");
    bl_address_put_step(&r->url, bl_buf_str(&query));
    enum bl_github_outcome outcome = bl_github_reading_get(r, &json);
    if (outcome != BL_GITHUB_DONE) {
        return outcome;
    }
    const struct bl_json *items = bl_json_get(json, BL_STR("items"));
    const struct bl_json *incomplete = bl_json_get(json, BL_STR("incomplete_results"));
    if (items == NULL || items->kind != BL_JSON_ARRAY || incomplete == NULL) {
        return bl_github_reading_wrong(r);
    }
    if (incomplete->kind != BL_JSON_FALSE) {
        r->failure->why = BL_STR("GitHub's search did not come to its end");
        r->failure->again = true;
        return BL_GITHUB_FAILED;
    }
    outcome = take_found(r, items, list);
    if (outcome == BL_GITHUB_DONE) {
        *out = bl_list_value(list);
    }
    return outcome;
}

/* ---- what ships -------------------------------------------------------------------------- */

/* "ahead" and "identical": everything that the commit has, the tag has too. The commits and
 * files between them come along, by pages, and are not looked at. */
enum bl_github_outcome bl_github_ships(struct bl_github_reading *r, bl_str tag, bl_str sha,
                                       struct bl_value *out)
{
    const struct bl_json *json = NULL;
    bl_github_reading_begin(r, "/compare/");
    bl_address_put_step(&r->url, sha);
    BL_PUT(&r->url, "...");
    bl_address_put_step(&r->url, tag);
    BL_PUT(&r->url, "?per_page=1");
    enum bl_github_outcome outcome = bl_github_reading_get(r, &json);
    if (outcome != BL_GITHUB_DONE) {
        return outcome;
    }
    const struct bl_json *status = bl_json_get(json, BL_STR("status"));
    if (status == NULL || status->kind != BL_JSON_STRING) {
        return bl_github_reading_wrong(r);
    }
    bool ahead = bl_str_equal(status->string, BL_STR("ahead")) ||
                 bl_str_equal(status->string, BL_STR("identical"));
    if (!ahead && !bl_str_equal(status->string, BL_STR("behind")) &&
        !bl_str_equal(status->string, BL_STR("diverged"))) {
        return bl_github_reading_wrong(r);
    }
    *out = bl_bool(ahead);
    return BL_GITHUB_DONE;
}
