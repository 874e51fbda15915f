/* SPDX-License-Identifier: Apache-2.0 */
#include "world/github/github_parts.h"

/* Lists that come in pages: REST follows the address that GitHub gives, GraphQL the cursor. The
 * first page is read with the list, the others when somebody asks for what is in them. */

#define PAGES_MAX    2000
#define CURSOR_BYTES ((size_t)1000)

struct pages {
    struct bl_github *github;
    struct bl_snapshot *snapshot;
    bl_github_element *element;
    struct bl_object *holder;
    enum bl_permission permission;
    bool elsewhere_is_missing;
    bl_str url;   /* of the page to read next; empty: GraphQL */
    bl_str query; /* GraphQL */
    bl_str variables;
    bl_str path;
    bl_str cursor; /* empty: the first page */
    struct bl_github_trail trail;
    unsigned read;
};

bool bl_github_leads_on(struct bl_github_trail *trail, struct bl_arena *arena, bl_str next)
{
    if (next.len == 0 || bl_str_equal(next, trail->kept)) {
        return false;
    }
    if (trail->since++ == trail->reach) {
        trail->kept = bl_arena_copy(arena, next);
        trail->since = 0;
        trail->reach = 2 * trail->reach + 1;
    }
    return true;
}

static bl_str keep(struct pages *pages, bl_str text)
{
    return bl_arena_copy(bl_snapshot_arena(pages->snapshot), text);
}

static bool leads_on(struct pages *pages, bl_str next)
{
    return bl_github_leads_on(&pages->trail, bl_snapshot_arena(pages->snapshot), next);
}

static bool add_element(struct pages *pages, struct bl_list *list, const struct bl_json *json)
{
    struct bl_arena *arena = bl_snapshot_arena(pages->snapshot);
    struct bl_github_item element = {.holder = pages->holder};
    struct bl_object *thing = pages->element(pages->github, json, &element);
    if (element.skip) {
        return true;
    }
    if (thing == NULL && element.text.len == 0) {
        return false;
    }
    struct bl_object *own = thing != NULL ? bl_github_take(pages->snapshot, thing) : NULL;
    struct bl_value item =
        thing != NULL ? bl_object_value(own) : bl_text(keep(pages, element.text));
    /* The list's own limit is the one of the language. */
    return (thing == NULL || own != NULL) && bl_list_push(arena, list, item) == BL_OK;
}

/* Some lists stand in an object, beside how many there are. */
static const struct bl_json *elements_of(const struct bl_json *page)
{
    if (page == NULL || page->kind != BL_JSON_OBJECT ||
        bl_json_get(page, BL_STR("total_count")) == NULL) {
        return page;
    }
    for (size_t i = 0; i < page->count; i++) {
        if (page->items[i].kind == BL_JSON_ARRAY) {
            return &page->items[i];
        }
    }
    return page;
}

static bool add_elements(struct pages *pages, struct bl_list *list, const struct bl_json *items)
{
    items = elements_of(items);
    if (items == NULL || items->kind != BL_JSON_ARRAY) {
        return false;
    }
    for (size_t i = 0; i < items->count; i++) {
        if (!add_element(pages, list, &items->items[i])) {
            return false;
        }
    }
    return true;
}

static enum bl_github_outcome wrong(struct pages *pages, const struct bl_github_call *call,
                                    struct bl_failure *failure)
{
    if (bl_snapshot_arena(pages->snapshot)->failed) {
        (void)bl_github_no_memory(failure);
        return BL_GITHUB_FAILED;
    }
    return bl_github_wrong_shape(pages->github, call, failure);
}

static enum bl_github_outcome read_rest(struct pages *pages, struct bl_list *list,
                                        struct bl_failure *failure)
{
    struct bl_github_result result;
    const struct bl_github_call call = {
        .method = BL_GITHUB_GET,
        .url = pages->url,
        .elsewhere_is_missing = pages->elsewhere_is_missing,
        .permission = pages->permission,
    };
    enum bl_github_outcome outcome = bl_github_call(pages->github, &call, &result, failure);
    if (outcome != BL_GITHUB_DONE) {
        return outcome;
    }
    if (!add_elements(pages, list, result.json)) {
        return wrong(pages, &call, failure);
    }
    list->complete = result.next.len == 0;
    if (!list->complete && !leads_on(pages, result.next)) {
        return wrong(pages, &call, failure);
    }
    pages->url = keep(pages, result.next);
    return BL_GITHUB_DONE;
}

static void put_variables(struct pages *pages, struct bl_buf *out)
{
    bl_buf_init(out, &pages->github->scratch, pages->variables.len + CURSOR_BYTES * 2);
    bl_buf_put(out, pages->variables);
    if (pages->cursor.len > 0) {
        struct bl_json_writer w;
        bl_buf_put(out,
                   pages->variables.len > 0 ? BL_STR(",\"after\":") : BL_STR("\"after\":"));
        bl_json_writer_init(&w, out, false);
        bl_json_string(&w, pages->cursor);
    }
}

static bool take_cursor(struct pages *pages, struct bl_list *list,
                        const struct bl_json *connection)
{
    const struct bl_json *more = bl_json_at(connection, BL_STR("pageInfo.hasNextPage"));
    const struct bl_json *cursor = bl_json_at(connection, BL_STR("pageInfo.endCursor"));
    if (more == NULL || (more->kind != BL_JSON_TRUE && more->kind != BL_JSON_FALSE)) {
        return false;
    }
    list->complete = more->kind == BL_JSON_FALSE;
    if (list->complete) {
        return true;
    }
    if (cursor == NULL || cursor->kind != BL_JSON_STRING || cursor->string.len == 0 ||
        cursor->string.len > CURSOR_BYTES || !leads_on(pages, cursor->string)) {
        return false;
    }
    pages->cursor = keep(pages, cursor->string);
    return true;
}

static enum bl_github_outcome read_graph(struct pages *pages, struct bl_list *list,
                                         struct bl_failure *failure)
{
    const struct bl_github_call call = {.query = true};
    const struct bl_json *repository;
    struct bl_buf variables;
    put_variables(pages, &variables);
    enum bl_github_outcome outcome =
        bl_github_query(pages->github, pages->query, bl_buf_str(&variables), pages->permission,
                        false, &repository, failure);
    if (outcome != BL_GITHUB_DONE) {
        return outcome;
    }
    const struct bl_json *connection = bl_json_at(repository, pages->path);
    if (!add_elements(pages, list, bl_json_get(connection, BL_STR("nodes"))) ||
        !take_cursor(pages, list, connection)) {
        return wrong(pages, &call, failure);
    }
    return BL_GITHUB_DONE;
}

/* Reads on until something came or nothing is left: pages may hold nothing that is known. */
static enum bl_github_outcome read_on(struct pages *pages, struct bl_list *list, bool first,
                                      struct bl_failure *failure)
{
    uint32_t before = list->count;
    enum bl_github_outcome outcome = BL_GITHUB_DONE;
    while (outcome == BL_GITHUB_DONE && list->count == before && !list->complete) {
        if (pages->read++ >= PAGES_MAX) {
            failure->why = BL_STR("the list has more pages than are read");
            return BL_GITHUB_FAILED;
        }
        if (!first) {
            bl_github_scratch_begin(pages->github);
        }
        first = false;
        outcome = pages->url.len > 0 ? read_rest(pages, list, failure)
                                     : read_graph(pages, list, failure);
    }
    return bl_snapshot_arena(pages->snapshot)->failed ? BL_GITHUB_FAILED : outcome;
}

static enum bl_status more(struct bl_list *list, void *context)
{
    struct pages *pages = context;
    struct bl_failure failure = {.what = BL_STR("The next page of a list could not be read")};
    uint32_t before = list->count;
    if (read_on(pages, list, false, &failure) == BL_GITHUB_DONE) {
        return BL_OK;
    }
    /* Half a page would be a list that ends too early. */
    list->count = before;
    pages->github->last_failure = failure;
    return bl_snapshot_arena(pages->snapshot)->failed ? BL_ERR_NOMEM : BL_ERR_READ;
}

static enum bl_github_outcome begin(struct pages *pages, struct bl_value *out,
                                    struct bl_failure *failure)
{
    struct bl_list *list = bl_list_create(bl_snapshot_arena(pages->snapshot));
    if (list == NULL) {
        (void)bl_github_no_memory(failure);
        return BL_GITHUB_FAILED;
    }
    list->complete = false;
    list->more = more;
    list->context = pages;
    *out = bl_list_value(list);
    return read_on(pages, list, true, failure);
}

enum bl_github_outcome bl_github_list(struct bl_github *github, struct bl_snapshot *snapshot,
                                      const struct bl_github_call *first,
                                      bl_github_element *element, struct bl_object *holder,
                                      struct bl_value *out, struct bl_failure *failure)
{
    struct pages *pages = BL_NEW(bl_snapshot_arena(snapshot), struct pages);
    if (pages == NULL) {
        (void)bl_github_no_memory(failure);
        return BL_GITHUB_FAILED;
    }
    *pages = (struct pages){
        .github = github,
        .snapshot = snapshot,
        .element = element,
        .holder = holder,
        .permission = first->permission,
        .elsewhere_is_missing = first->elsewhere_is_missing,
    };
    pages->url = keep(pages, first->url);
    pages->trail.kept = pages->url;
    return begin(pages, out, failure);
}

enum bl_github_outcome
bl_github_connection(struct bl_github *github, struct bl_snapshot *snapshot, bl_str query,
                     bl_str variables, bl_str path, enum bl_permission permission,
                     bl_github_element *element, struct bl_object *holder, struct bl_value *out,
                     struct bl_failure *failure)
{
    struct pages *pages = BL_NEW(bl_snapshot_arena(snapshot), struct pages);
    if (pages == NULL) {
        (void)bl_github_no_memory(failure);
        return BL_GITHUB_FAILED;
    }
    *pages = (struct pages){
        .github = github,
        .snapshot = snapshot,
        .element = element,
        .holder = holder,
        .permission = permission,
        .query = query,
        .path = path,
    };
    pages->variables = keep(pages, variables);
    return begin(pages, out, failure);
}
