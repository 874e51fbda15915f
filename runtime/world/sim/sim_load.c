/* SPDX-License-Identifier: Apache-2.0 */
#include "event/names.h"
#include "world/sim/sim_file.h"
#include "world/sim/sim_people.h"

/* World files from the top: docs/world-file.md. */

#define WHITE BL_STR("ffffff")

static bool wrong(struct bl_sim_loader *l, const struct bl_json *node, bl_str wanted)
{
    return bl_sim_report(l, BL_D_JSON_WRONG_TYPE, node, "wanted", wanted);
}

static bool twice(struct bl_sim_loader *l, const struct bl_json *node)
{
    return bl_sim_report(l, BL_D_WORLD_TWICE, node, NULL, BL_STR(""));
}

/* ---- single values ----------------------------------------------------------------------- */

static bool load_now(struct bl_sim_loader *l, const struct bl_json *node)
{
    struct bl_value v;
    if (!bl_sim_convert(l, node, BL_TYPE_MAKE(BL_TYPE_TIME, 0), NULL, &v)) {
        return false;
    }
    l->sim->now = v.as.i;
    return true;
}

static bool load_repository(struct bl_sim_loader *l, const struct bl_json *node)
{
    struct bl_value v;
    return bl_sim_convert(l, node, BL_TYPE_MAKE(BL_TYPE_REPOSITORY_NAME, 0), NULL, &v) &&
           bl_sim_set_repository(l->sim, bl_text_of(v));
}

static bool load_flag(struct bl_sim_loader *l, const struct bl_json *node, bool *out)
{
    struct bl_value v;
    bool good = bl_sim_convert(l, node, BL_TYPE_MAKE(BL_TYPE_BOOL, 0), NULL, &v);
    *out = good ? v.as.i != 0 : *out;
    return good;
}

static bool load_public(struct bl_sim_loader *l, const struct bl_json *node)
{
    return load_flag(l, node, &l->sim->is_public);
}

static bool load_closes_at_merge(struct bl_sim_loader *l, const struct bl_json *node)
{
    return load_flag(l, node, &l->sim->closes_at_merge);
}

static bool load_default_branch(struct bl_sim_loader *l, const struct bl_json *node)
{
    struct bl_value v;
    if (!bl_sim_convert(l, node, BL_TYPE_MAKE(BL_TYPE_NAME, 0), NULL, &v)) {
        return false;
    }
    bl_object_set(l->sim->self, BL_FIELD_REPOSITORY_DEFAULT_BRANCH, v);
    return true;
}

static bool load_account(struct bl_sim_loader *l, const struct bl_json *node)
{
    if (node->kind != BL_JSON_STRING || !bl_is_login(node->string)) {
        return wrong(l, node, BL_STR("a login"));
    }
    struct bl_object *me = bl_sim_user_of(l->sim, node->string);
    if (me == NULL) {
        return false;
    }
    bl_object_set(me, BL_FIELD_USER_KIND, bl_member_value(BL_ENUM_USER_KIND, BL_USER_KIND_BOT));
    l->sim->account = me->name;
    return true;
}

/* ---- lists of entries -------------------------------------------------------------------- */

static bool each(struct bl_sim_loader *l, const struct bl_json *node,
                 bool (*load)(struct bl_sim_loader *l, const struct bl_json *entry))
{
    bool good = true;
    if (node->kind != BL_JSON_ARRAY) {
        return wrong(l, node, BL_STR("a list"));
    }
    for (size_t i = 0; i < node->count; i++) {
        if (node->items[i].kind != BL_JSON_OBJECT) {
            good = wrong(l, &node->items[i], BL_STR("an object"));
        } else {
            good = load(l, &node->items[i]) && good;
        }
    }
    return good;
}

static bool load_user(struct bl_sim_loader *l, const struct bl_json *entry)
{
    bl_str login;
    if (!bl_sim_read_name(l, entry, "login", BL_TYPE_MAKE(BL_TYPE_NAME, 0), &login)) {
        return false;
    }
    if (!bl_is_login(login)) {
        return wrong(l, bl_json_get(entry, BL_STR("login")), BL_STR("a login"));
    }
    struct bl_object *user = bl_sim_user_of(l->sim, login);
    if (user == NULL) {
        return false;
    }
    if (user->handle != NULL) {
        return twice(l, entry);
    }
    user->handle = user; /* described here, not only met */
    /* What was not said of a user follows from other facts: bl_sim_complete would guess. */
    struct bl_value permission = bl_object_get(user, BL_FIELD_USER_PERMISSION);
    bool said = bl_json_get(entry, BL_STR("permission")) != NULL;
    bool good = bl_sim_fill(l, entry, user);
    if (!said && bl_is_absent(permission)) {
        user->known &= ~(UINT32_C(1) << bl_field_slot(BL_FIELD_USER_PERMISSION));
    }
    return good;
}

static bool load_users(struct bl_sim_loader *l, const struct bl_json *node)
{
    return each(l, node, load_user);
}

static bool is_color(bl_str text)
{
    bool good = text.len == 6;
    for (size_t i = 0; good && i < text.len; i++) {
        char c = bl_ascii_lower(text.ptr[i]);
        good = bl_is_ascii_digit(c) || (c >= 'a' && c <= 'f');
    }
    return good;
}

static bl_str label_key(const void *context, size_t index)
{
    static const bl_str keys[] = {
        {"name", 4}, {"color", 5}, {"description", 11}, {"title", 5}, {"closed", 6}};
    size_t first = *(const size_t *)context;
    size_t count = first == 0 ? 3 : 2;
    return index < count ? keys[first + index] : BL_STR("");
}

static bool check_keys(struct bl_sim_loader *l, const struct bl_json *entry, size_t first)
{
    bool good = true;
    for (size_t i = 0; i < entry->count; i++) {
        bool known = false;
        for (size_t k = 0; label_key(&first, k).len > 0; k++) {
            known = known || bl_str_equal(entry->items[i].key, label_key(&first, k));
        }
        good = (known || bl_sim_report_key(l, &entry->items[i], label_key, &first)) && good;
    }
    return good;
}

static bool load_label(struct bl_sim_loader *l, const struct bl_json *entry)
{
    bl_str name;
    bl_str color = WHITE;
    bl_str description = BL_STR("");
    bool good = check_keys(l, entry, 0) &&
                bl_sim_read_name(l, entry, "name", BL_TYPE_MAKE(BL_TYPE_NAME, 0), &name);
    if (good && bl_json_get(entry, BL_STR("color")) != NULL) {
        good = bl_sim_read_name(l, entry, "color", BL_TYPE_MAKE(BL_TYPE_NAME, 0), &color) &&
               (is_color(color) || wrong(l, bl_json_get(entry, BL_STR("color")),
                                         BL_STR("six hexadecimal digits")));
    }
    if (good && bl_json_get(entry, BL_STR("description")) != NULL) {
        good = bl_sim_read_name(l, entry, "description", BL_TYPE_MAKE(BL_TYPE_TEXT, 0),
                                &description);
    }
    if (good && bl_sim_find_label(l->sim, name) != NULL) {
        return twice(l, entry);
    }
    return good && bl_sim_add_label(l->sim, name, color, description) != NULL;
}

static bool load_labels(struct bl_sim_loader *l, const struct bl_json *node)
{
    return each(l, node, load_label);
}

static bool load_milestone(struct bl_sim_loader *l, const struct bl_json *entry)
{
    struct bl_sim_milestone milestone = {.closed = false};
    const struct bl_json *closed = bl_json_get(entry, BL_STR("closed"));
    bool good =
        check_keys(l, entry, 3) &&
        bl_sim_read_name(l, entry, "title", BL_TYPE_MAKE(BL_TYPE_NAME, 0), &milestone.title) &&
        (closed == NULL || load_flag(l, closed, &milestone.closed));
    struct bl_sim_milestone *row = good ? BL_PUSH(l->sim->arena, l->sim->milestones) : NULL;
    if (row != NULL) {
        *row = milestone;
    }
    return row != NULL;
}

static bool load_milestones(struct bl_sim_loader *l, const struct bl_json *node)
{
    return each(l, node, load_milestone);
}

/* ---- things ------------------------------------------------------------------------------ */

static void newest(int64_t *time, const struct bl_object *holder, enum bl_field list_field,
                   enum bl_field at)
{
    const struct bl_list *list = bl_sim_list(holder, list_field);
    if (list != NULL && list->count > 0) {
        int64_t last = bl_sim_time(list->items[list->count - 1].as.object, at);
        *time = last > *time ? last : *time;
    }
}

/* What follows from an issue's entry, and what must agree in it. */
static bool settle_issue(struct bl_sim_loader *l, const struct bl_json *entry,
                         struct bl_object *issue)
{
    struct bl_sim_issue_more *more = bl_sim_issue_more(issue);
    int64_t closed_at = bl_sim_time(issue, BL_FIELD_ISSUE_CLOSED_AT);
    bool closed = bl_sim_member(issue, BL_FIELD_ISSUE_STATE) == BL_ISSUE_STATE_CLOSED;
    bl_object_set(issue, BL_FIELD_ISSUE_COMMENT_COUNT,
                  bl_int(bl_sim_list(issue, BL_FIELD_ISSUE_COMMENTS)->count));
    if (closed != (closed_at != 0)) {
        return wrong(l, entry,
                     closed ? BL_STR("an issue with 'closed_at', since it is closed")
                            : BL_STR("an issue without 'closed_at', since it is open"));
    }
    if (closed && more->pull == NULL &&
        bl_is_absent(bl_object_get(issue, BL_FIELD_ISSUE_STATE_REASON))) {
        bl_object_set(issue, BL_FIELD_ISSUE_STATE_REASON,
                      bl_member_value(BL_ENUM_STATE_REASON, BL_STATE_REASON_COMPLETED));
    }
    if (more->updated_at == 0) {
        more->updated_at = bl_sim_time(issue, BL_FIELD_ISSUE_CREATED_AT);
        more->updated_at = closed_at > more->updated_at ? closed_at : more->updated_at;
        newest(&more->updated_at, issue, BL_FIELD_ISSUE_COMMENTS, BL_FIELD_COMMENT_CREATED_AT);
        newest(&more->updated_at, issue, BL_FIELD_ISSUE_TIMELINE, BL_FIELD_TIMELINE_EVENT_AT);
        newest(&more->updated_at, issue, BL_FIELD_ISSUE_TEXT_EDITS, BL_FIELD_EDIT_AT);
    }
    return true;
}

static struct bl_object *new_issue(struct bl_sim_loader *l, const struct bl_json *entry,
                                   bool pull)
{
    int64_t number;
    if (!bl_sim_read_number(l, entry, "number", &number)) {
        return NULL;
    }
    if (bl_sim_issue_of(l->sim, number) != NULL ||
        bl_sim_find(l->sim, BL_ENTITY_DISCUSSION, number, BL_STR("")) != NULL) {
        twice(l, entry);
        return NULL;
    }
    struct bl_object *issue = bl_sim_add(l->sim, BL_ENTITY_ISSUE, number, BL_STR(""));
    if (issue != NULL) {
        bl_object_set(issue, BL_FIELD_ISSUE_REPOSITORY, bl_text(l->sim->repository));
        bl_object_set(issue, BL_FIELD_ISSUE_IS_PULL_REQUEST, bl_bool(pull));
    }
    return issue;
}

static bool load_issue(struct bl_sim_loader *l, const struct bl_json *entry)
{
    struct bl_object *issue = new_issue(l, entry, false);
    return issue != NULL && bl_sim_fill(l, entry, issue) && settle_issue(l, entry, issue);
}

static bool load_issues(struct bl_sim_loader *l, const struct bl_json *node)
{
    return each(l, node, load_issue);
}

static void set_unknown(struct bl_object *object, enum bl_field field, struct bl_value value)
{
    if (!bl_object_knows(object, field) || bl_text_of(bl_object_get(object, field)).len == 0) {
        bl_object_set(object, field, value);
    }
}

/* A merged pull request is closed, and closed when it was merged. */
static void settle_merge(struct bl_object *pull, struct bl_object *issue)
{
    struct bl_value merged = bl_object_get(pull, BL_FIELD_PULL_REQUEST_MERGED_AT);
    if (!bl_is_absent(merged)) {
        bl_object_set(issue, BL_FIELD_ISSUE_STATE,
                      bl_member_value(BL_ENUM_ISSUE_STATE, BL_ISSUE_STATE_CLOSED));
        if (bl_sim_time(issue, BL_FIELD_ISSUE_CLOSED_AT) == 0) {
            bl_object_set(issue, BL_FIELD_ISSUE_CLOSED_AT, merged);
        }
    }
}

static bool load_pull_request(struct bl_sim_loader *l, const struct bl_json *entry)
{
    struct bl_object *issue = new_issue(l, entry, true);
    struct bl_object *pull =
        issue != NULL ? bl_sim_add(l->sim, BL_ENTITY_PULL_REQUEST, issue->key, BL_STR(""))
                      : NULL;
    if (pull == NULL) {
        return false;
    }
    pull->handle = issue;
    bl_sim_issue_more(issue)->pull = pull;
    bl_object_set(pull, BL_FIELD_PULL_REQUEST_NUMBER, bl_int(pull->key));
    bl_object_set(pull, BL_FIELD_PULL_REQUEST_REPOSITORY, bl_text(l->sim->repository));
    if (!bl_sim_fill(l, entry, pull) || !bl_sim_complete(l->sim, issue)) {
        return false;
    }
    set_unknown(pull, BL_FIELD_PULL_REQUEST_BASE,
                bl_object_get(l->sim->self, BL_FIELD_REPOSITORY_DEFAULT_BRANCH));
    set_unknown(pull, BL_FIELD_PULL_REQUEST_HEAD_BRANCH, bl_text(BL_STR("patch")));
    set_unknown(pull, BL_FIELD_PULL_REQUEST_HEAD_REPOSITORY, bl_text(l->sim->repository));
    if (!bl_object_knows(pull, BL_FIELD_PULL_REQUEST_HEAD)) {
        struct bl_object *head = bl_sim_commit_of(l->sim, BL_STR("unnamed"));
        if (head == NULL) {
            return false;
        }
        bl_object_set(pull, BL_FIELD_PULL_REQUEST_HEAD, bl_object_value(head));
    }
    settle_merge(pull, issue);
    return settle_issue(l, entry, issue);
}

static bool load_pull_requests(struct bl_sim_loader *l, const struct bl_json *node)
{
    return each(l, node, load_pull_request);
}

/* A thing whose identity is one key of its entry. */
static bool load_thing(struct bl_sim_loader *l, const struct bl_json *entry,
                       enum bl_entity entity, int64_t key, bl_str name)
{
    struct bl_object *thing = bl_sim_find(l->sim, entity, key, name);
    /* A commit may have been named before it is described. */
    if (thing != NULL && (entity != BL_ENTITY_COMMIT || thing->handle != NULL)) {
        return twice(l, entry);
    }
    if (thing == NULL) {
        thing = bl_sim_add(l->sim, entity, key, name);
    }
    if (thing == NULL) {
        return false;
    }
    if (entity == BL_ENTITY_COMMIT) {
        thing->handle = thing;
    }
    return bl_sim_fill(l, entry, thing);
}

static bool load_commit(struct bl_sim_loader *l, const struct bl_json *entry)
{
    bl_str sha;
    if (!bl_sim_read_name(l, entry, "sha", BL_TYPE_MAKE(BL_TYPE_NAME, 0), &sha) ||
        !load_thing(l, entry, BL_ENTITY_COMMIT, 0, sha)) {
        return false;
    }
    /* Most commits are made and committed by one person at one time. */
    struct bl_object *commit = bl_sim_commit_of(l->sim, sha);
    if (!bl_object_knows(commit, BL_FIELD_COMMIT_COMMITTER)) {
        bl_object_set(commit, BL_FIELD_COMMIT_COMMITTER,
                      bl_object_get(commit, BL_FIELD_COMMIT_AUTHOR));
    }
    if (!bl_object_knows(commit, BL_FIELD_COMMIT_MADE_AT)) {
        bl_object_set(commit, BL_FIELD_COMMIT_MADE_AT,
                      bl_object_get(commit, BL_FIELD_COMMIT_COMMITTED_AT));
    }
    return true;
}

static bool load_commits(struct bl_sim_loader *l, const struct bl_json *node)
{
    return each(l, node, load_commit);
}

static bool load_discussion(struct bl_sim_loader *l, const struct bl_json *entry)
{
    int64_t number;
    if (!bl_sim_read_number(l, entry, "number", &number)) {
        return false;
    }
    if (bl_sim_issue_of(l->sim, number) != NULL) {
        return twice(l, entry);
    }
    return load_thing(l, entry, BL_ENTITY_DISCUSSION, number, BL_STR(""));
}

static bool load_discussions(struct bl_sim_loader *l, const struct bl_json *node)
{
    return each(l, node, load_discussion);
}

static bool load_release(struct bl_sim_loader *l, const struct bl_json *entry)
{
    bl_str tag;
    if (!bl_sim_read_name(l, entry, "tag", BL_TYPE_MAKE(BL_TYPE_NAME, 0), &tag) ||
        !load_thing(l, entry, BL_ENTITY_RELEASE, 0, tag)) {
        return false;
    }
    struct bl_object *release = bl_sim_find(l->sim, BL_ENTITY_RELEASE, 0, tag);
    bool draft = bl_object_get(release, BL_FIELD_RELEASE_DRAFT).as.i != 0;
    bool published = bl_json_get(entry, BL_STR("published_at")) != NULL;
    return draft != published ||
           wrong(l, entry,
                 draft ? BL_STR("a draft without 'published_at'")
                       : BL_STR("a release with 'published_at', or a draft"));
}

static bool load_releases(struct bl_sim_loader *l, const struct bl_json *node)
{
    return each(l, node, load_release);
}

static bool load_status(struct bl_sim_loader *l, const struct bl_json *entry)
{
    return load_thing(l, entry, BL_ENTITY_STATUS, bl_sim_next_id(l->sim), BL_STR(""));
}

static bool load_statuses(struct bl_sim_loader *l, const struct bl_json *node)
{
    return each(l, node, load_status);
}

static bool load_alert(struct bl_sim_loader *l, const struct bl_json *entry, bool dismissed)
{
    int64_t number;
    if (!bl_sim_read_number(l, entry, "number", &number) ||
        !load_thing(l, entry, BL_ENTITY_ALERT, number, BL_STR(""))) {
        return false;
    }
    return (bl_json_get(entry, BL_STR("dismissed")) != NULL) == dismissed ||
           wrong(l, entry,
                 dismissed ? BL_STR("an alert with 'dismissed', its reason")
                           : BL_STR("an alert without 'dismissed'"));
}

static bool load_open_alert(struct bl_sim_loader *l, const struct bl_json *entry)
{
    return load_alert(l, entry, false);
}

static bool load_dismissed_alert(struct bl_sim_loader *l, const struct bl_json *entry)
{
    return load_alert(l, entry, true);
}

static bool load_open_alerts(struct bl_sim_loader *l, const struct bl_json *node)
{
    return each(l, node, load_open_alert);
}

static bool load_dismissed_alerts(struct bl_sim_loader *l, const struct bl_json *node)
{
    return each(l, node, load_dismissed_alert);
}

static bool load_run(struct bl_sim_loader *l, const struct bl_json *entry)
{
    int64_t key = ++l->sim->last_run;
    if (!load_thing(l, entry, BL_ENTITY_RUN, key, BL_STR(""))) {
        return false;
    }
    struct bl_object *run = bl_sim_find(l->sim, BL_ENTITY_RUN, key, BL_STR(""));
    return bl_object_knows(run, BL_FIELD_RUN_JOBS) ||
           bl_sim_new_list(l->sim, run, BL_FIELD_RUN_JOBS) != NULL;
}

static bool load_runs(struct bl_sim_loader *l, const struct bl_json *node)
{
    return each(l, node, load_run);
}

/* ---- the file ---------------------------------------------------------------------------- */

static const struct {
    bl_str key;
    bool (*load)(struct bl_sim_loader *l, const struct bl_json *node);
} roots[] = {
#define BL_SIM_ROOT(key, name)  {{"" key, sizeof("" key) - 1}, load_##name},
#define BL_SIM_PLAIN(key, name) {{"" key, sizeof("" key) - 1}, bl_sim_load_##name},
#define BL_SIM_EXTRA(entity, key, kind, type, member)
#define BL_SIM_FOLLOWS(entity, key, what)
#define BL_SIM_REQUIRED(entity, key)
#include "world/sim/sim_keys.def"
};

#define ROOT_COUNT (sizeof(roots) / sizeof(roots[0]))

static bl_str root_key(const void *context, size_t index)
{
    (void)context;
    return index < ROOT_COUNT ? roots[index].key : BL_STR("");
}

static void load_root(struct bl_sim_loader *l, const struct bl_json *root)
{
    if (root->kind != BL_JSON_OBJECT) {
        wrong(l, root, BL_STR("an object"));
        return;
    }
    for (size_t i = 0; i < root->count; i++) {
        size_t k = 0;
        while (k < ROOT_COUNT && !bl_str_equal(roots[k].key, root->items[i].key)) {
            k++;
        }
        if (k == ROOT_COUNT) {
            bl_sim_report_key(l, &root->items[i], root_key, NULL);
        }
    }
    /* In the table's order: what is named by another stands in front of it. */
    for (size_t k = 0; k < ROOT_COUNT; k++) {
        const struct bl_json *node = bl_json_get(root, roots[k].key);
        if (node != NULL) {
            (void)roots[k].load(l, node);
        }
    }
}

enum bl_status bl_sim_load(struct bl_sim *sim, bl_str json, uint32_t source,
                           struct bl_diagnostics *sink)
{
    struct bl_sim_loader loader = {.sim = sim, .sink = sink, .source = source};
    struct bl_json_error error;
    size_t notes = 0;
    const struct bl_json *root =
        bl_json_parse(sim->arena, json, (size_t)bl_limit(BL_LIMIT_JSON_DEPTH), &notes, &error);
    if (root == NULL && !error.no_memory) {
        struct bl_span span = {(uint32_t)error.offset, (uint32_t)error.offset, source};
        struct bl_diagnostic *d = bl_report(sink, BL_D_JSON_BROKEN, span);
        bl_diagnostic_text(sink, d, "problem", error.message);
        return BL_ERR_INVALID;
    }
    if (root != NULL) {
        sim->loaded = true;
        sim->partial = false;
        load_root(&loader, root);
    }
    if (root == NULL || sim->arena->failed) {
        bl_report(sink, BL_D_OUT_OF_MEMORY, BL_NO_SPAN);
        return BL_ERR_NOMEM;
    }
    return loader.broken ? BL_ERR_INVALID : BL_OK;
}
