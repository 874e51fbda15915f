/* SPDX-License-Identifier: Apache-2.0 */
#include "base/time.h"
#include "event/names.h"
#include "world/github/github_parts.h"

/* Things of GraphQL, whose spellings differ from those of REST and payloads: words in capitals,
 * bots without "[bot]", nobody for who is gone. */

#define WORD_BYTES 40
#define BOT_BYTES  120

/* Reading one thing; the first mistake ends it. */
struct reading {
    struct bl_github *github;
    const struct bl_json *json;
    struct bl_object *object;
    bool wrong;
};

static bool fail(struct reading *r)
{
    r->wrong = true;
    return false;
}

static const struct bl_json *at(struct reading *r, const char *path)
{
    return bl_json_at(r->json, bl_str_from(path));
}

static bool is_null(const struct bl_json *node)
{
    return node != NULL && node->kind == BL_JSON_NULL;
}

static void set(struct reading *r, enum bl_field field, struct bl_value value)
{
    bl_object_set(r->object, field, value);
}

static void set_text(struct reading *r, enum bl_field field, const char *path)
{
    const struct bl_json *node = at(r, path);
    if (node == NULL || node->kind != BL_JSON_STRING) {
        fail(r);
    } else {
        set(r, field, bl_text(bl_kept_text(node->string)));
    }
}

static void set_name(struct reading *r, enum bl_field field, const char *path)
{
    const struct bl_json *node = at(r, path);
    if (node == NULL || node->kind != BL_JSON_STRING || !bl_is_name(node->string)) {
        fail(r);
    } else {
        set(r, field, bl_text(node->string));
    }
}

static void set_time(struct reading *r, enum bl_field field, const char *path, bool optional)
{
    const struct bl_json *node = at(r, path);
    int64_t seconds;
    if (optional && is_null(node)) {
        set(r, field, bl_absent());
    } else if (node == NULL || node->kind != BL_JSON_STRING ||
               !bl_time_parse(node->string, &seconds)) {
        fail(r);
    } else {
        set(r, field, bl_number(BL_V_TIME, seconds));
    }
}

static void set_bool(struct reading *r, enum bl_field field, const char *path)
{
    const struct bl_json *node = at(r, path);
    if (node == NULL || (node->kind != BL_JSON_TRUE && node->kind != BL_JSON_FALSE)) {
        fail(r);
    } else {
        set(r, field, bl_bool(node->kind == BL_JSON_TRUE));
    }
}

static void set_int(struct reading *r, enum bl_field field, const char *path)
{
    const struct bl_json *node = at(r, path);
    if (node == NULL || node->kind != BL_JSON_INT) {
        fail(r);
    } else {
        set(r, field, bl_int(node->integer));
    }
}

/* A word that GitHub added after this was written leaves the field unknown. */
static void set_word(struct reading *r, enum bl_field field, const char *path)
{
    const struct bl_json *node = at(r, path);
    enum bl_enum which = (enum bl_enum)bl_type_ref(bl_field_info(field)->type);
    char lower[WORD_BYTES];
    if (is_null(node)) {
        set(r, field, bl_absent());
        return;
    }
    if (node == NULL || node->kind != BL_JSON_STRING) {
        fail(r);
        return;
    }
    if (node->string.len > sizeof(lower)) {
        return;
    }
    for (size_t i = 0; i < node->string.len; i++) {
        lower[i] = bl_ascii_lower(node->string.ptr[i]);
    }
    unsigned member = bl_enum_member_find(which, (bl_str){lower, node->string.len});
    if (member < bl_enum_member_count(which)) {
        set(r, field, bl_member_value(which, member));
    }
}

/* ---- people ------------------------------------------------------------------------------ */

static bl_str login_of(struct reading *r, bl_str login, bool bot)
{
    if (!bot || bl_is_bot_login(login)) {
        return login;
    }
    struct bl_buf name;
    bl_buf_init(&name, &r->github->scratch, BOT_BYTES);
    bl_buf_put(&name, login);
    BL_PUT(&name, "[bot]");
    return bl_buf_str(&name);
}

static struct bl_object *make_user(struct reading *r, const struct bl_json *actor,
                                   const struct bl_json *association)
{
    const struct bl_json *login = bl_json_get(actor, BL_STR("login"));
    const struct bl_json *type = bl_json_get(actor, BL_STR("__typename"));
    const struct bl_json *id = bl_json_get(actor, BL_STR("databaseId"));
    bl_str name = BL_GHOST_LOGIN;
    int64_t number = BL_GHOST_ID;
    bool bot = false;
    if (actor->kind != BL_JSON_NULL) {
        if (login == NULL || login->kind != BL_JSON_STRING || type == NULL ||
            type->kind != BL_JSON_STRING) {
            return NULL;
        }
        bot = bl_str_equal(type->string, BL_STR("Bot"));
        name = login_of(r, login->string, bot);
        number = id != NULL && id->kind == BL_JSON_INT ? id->integer : 0;
    }
    if (!bl_is_login(name)) {
        return NULL;
    }
    unsigned member = 0;
    bool known = association != NULL && association->kind == BL_JSON_STRING &&
                 bl_association_from(association->string, &member);
    struct bl_object *user = bl_object_create(&r->github->scratch, BL_ENTITY_USER,
                                              known ? bl_user_key(member) : 0, name);
    if (user == NULL) {
        return NULL;
    }
    bl_object_set(user, BL_FIELD_USER_LOGIN, bl_text(name));
    bl_object_set(user, BL_FIELD_USER_KIND,
                  bl_member_value(BL_ENUM_USER_KIND, bot || bl_is_bot_login(name)
                                                         ? BL_USER_KIND_BOT
                                                         : BL_USER_KIND_PERSON));
    if (number > 0) {
        bl_object_set(user, BL_FIELD_USER_ID, bl_int(number));
    }
    if (known) {
        bl_object_set(user, BL_FIELD_USER_ASSOCIATION,
                      bl_member_value(BL_ENUM_ASSOCIATION, member));
    }
    return user;
}

static void set_user(struct reading *r, enum bl_field field, const char *path, bool author)
{
    const struct bl_json *actor = at(r, path);
    struct bl_object *user =
        actor != NULL ? make_user(r, actor, author ? at(r, "authorAssociation") : NULL) : NULL;
    if (user == NULL) {
        fail(r);
    } else {
        set(r, field, bl_object_value(user));
    }
}

/* ---- lists inside a thing ---------------------------------------------------------------- */

/* A list that goes on behind its first page is left unknown: it is read when it is asked for.
 */
static const struct bl_json *whole_nodes(struct reading *r, const char *path)
{
    const struct bl_json *connection = at(r, path);
    const struct bl_json *nodes = bl_json_get(connection, BL_STR("nodes"));
    const struct bl_json *more = bl_json_at(connection, BL_STR("pageInfo.hasNextPage"));
    if (nodes == NULL || nodes->kind != BL_JSON_ARRAY || more == NULL) {
        fail(r);
        return NULL;
    }
    return more->kind == BL_JSON_FALSE ? nodes : NULL;
}

static void set_labels(struct reading *r, enum bl_field field)
{
    const struct bl_json *nodes = whole_nodes(r, "labels");
    struct bl_list *list = nodes != NULL ? bl_list_create(&r->github->scratch) : NULL;
    for (size_t i = 0; list != NULL && i < nodes->count; i++) {
        const struct bl_json *name = bl_json_get(&nodes->items[i], BL_STR("name"));
        if (name == NULL || name->kind != BL_JSON_STRING || !bl_is_name(name->string) ||
            bl_list_push(&r->github->scratch, list, bl_text(name->string)) != BL_OK) {
            fail(r);
            return;
        }
    }
    if (list != NULL) {
        set(r, field, bl_list_value(list));
    }
}

static void set_assignees(struct reading *r, enum bl_field field)
{
    const struct bl_json *nodes = whole_nodes(r, "assignees");
    struct bl_list *list = nodes != NULL ? bl_list_create(&r->github->scratch) : NULL;
    for (size_t i = 0; list != NULL && i < nodes->count; i++) {
        struct bl_object *user = make_user(r, &nodes->items[i], NULL);
        if (user == NULL ||
            bl_list_push(&r->github->scratch, list, bl_object_value(user)) != BL_OK) {
            fail(r);
            return;
        }
    }
    if (list != NULL) {
        set(r, field, bl_list_value(list));
    }
}

static void set_commit(struct reading *r, enum bl_field field, const char *path, bool optional)
{
    const struct bl_json *sha = at(r, path);
    if (optional && (sha == NULL || is_null(sha))) {
        set(r, field, bl_absent());
        return;
    }
    if (sha == NULL || sha->kind != BL_JSON_STRING || !bl_is_name(sha->string)) {
        fail(r);
        return;
    }
    struct bl_object *commit =
        bl_object_create(&r->github->scratch, BL_ENTITY_COMMIT, 0, sha->string);
    if (commit == NULL) {
        fail(r);
        return;
    }
    bl_object_set(commit, BL_FIELD_COMMIT_SHA, bl_text(sha->string));
    set(r, field, bl_object_value(commit));
}

/* ---- things ------------------------------------------------------------------------------ */

static bool begin(struct reading *r, struct bl_github *github, const struct bl_json *json,
                  enum bl_entity entity)
{
    const struct bl_json *number = bl_json_get(json, BL_STR("number"));
    *r = (struct reading){.github = github, .json = json};
    if (number == NULL || number->kind != BL_JSON_INT || number->integer <= 0) {
        return fail(r);
    }
    r->object =
        bl_object_create(&github->scratch, entity, number->integer, github->options.repository);
    return r->object != NULL || fail(r);
}

static struct bl_object *finish(const struct reading *r)
{
    return r->wrong || r->github->scratch.failed ? NULL : r->object;
}

/* What belongs to another repository can neither be read nor written from here. */
static bool is_elsewhere(struct reading *r)
{
    const struct bl_json *name = at(r, "repository.nameWithOwner");
    return name != NULL && name->kind == BL_JSON_STRING &&
           !bl_str_equal_nocase(name->string, r->github->options.repository);
}

/* What was not asked for need not be there; what was, must. */
static bool has(struct reading *r, enum bl_field field, const char *path)
{
    return bl_github_wants(r->github, field) || at(r, path) != NULL;
}

struct bl_object *bl_github_graph_issue(struct bl_github *github, const struct bl_json *json,
                                        struct bl_github_item *item)
{
    struct reading r;
    if (!begin(&r, github, json, BL_ENTITY_ISSUE)) {
        return NULL;
    }
    item->skip = is_elsewhere(&r);
    set_int(&r, BL_FIELD_ISSUE_NUMBER, "number");
    set_text(&r, BL_FIELD_ISSUE_TITLE, "title");
    if (has(&r, BL_FIELD_ISSUE_TEXT, "body")) {
        set_text(&r, BL_FIELD_ISSUE_TEXT, "body");
    }
    set_word(&r, BL_FIELD_ISSUE_STATE, "state");
    set_word(&r, BL_FIELD_ISSUE_STATE_REASON, "stateReason");
    set_user(&r, BL_FIELD_ISSUE_AUTHOR, "author", true);
    set_time(&r, BL_FIELD_ISSUE_CREATED_AT, "createdAt", false);
    set_time(&r, BL_FIELD_ISSUE_CLOSED_AT, "closedAt", true);
    set_labels(&r, BL_FIELD_ISSUE_LABELS);
    if (has(&r, BL_FIELD_ISSUE_ASSIGNEES, "assignees")) {
        set_assignees(&r, BL_FIELD_ISSUE_ASSIGNEES);
    }
    set_bool(&r, BL_FIELD_ISSUE_LOCKED, "locked");
    if (has(&r, BL_FIELD_ISSUE_THUMBS_UP, "reactions")) {
        set_int(&r, BL_FIELD_ISSUE_THUMBS_UP, "reactions.totalCount");
    }
    if (has(&r, BL_FIELD_ISSUE_COMMENT_COUNT, "comments")) {
        set_int(&r, BL_FIELD_ISSUE_COMMENT_COUNT, "comments.totalCount");
    }
    set(&r, BL_FIELD_ISSUE_REPOSITORY, bl_text(github->options.repository));
    set(&r, BL_FIELD_ISSUE_IS_PULL_REQUEST, bl_bool(false));
    return finish(&r);
}

static void set_pull_state(struct reading *r)
{
    const struct bl_json *state = at(r, "state");
    if (state == NULL || state->kind != BL_JSON_STRING) {
        fail(r);
        return;
    }
    bool open = bl_str_equal(state->string, BL_STR("OPEN")); /* else CLOSED or MERGED */
    set(r, BL_FIELD_PULL_REQUEST_STATE,
        bl_member_value(BL_ENUM_ISSUE_STATE,
                        open ? BL_ISSUE_STATE_OPEN : BL_ISSUE_STATE_CLOSED));
}

static void set_head_repository(struct reading *r)
{
    const struct bl_json *name = at(r, "headRepository.nameWithOwner");
    if (is_null(at(r, "headRepository"))) {
        set(r, BL_FIELD_PULL_REQUEST_HEAD_REPOSITORY, bl_text(BL_GHOST_REPOSITORY));
    } else if (name == NULL || name->kind != BL_JSON_STRING ||
               !bl_is_repository_name(name->string)) {
        fail(r);
    } else {
        set(r, BL_FIELD_PULL_REQUEST_HEAD_REPOSITORY, bl_text(name->string));
    }
}

struct bl_object *bl_github_graph_pull(struct bl_github *github, const struct bl_json *json,
                                       struct bl_github_item *item)
{
    struct reading r;
    if (!begin(&r, github, json, BL_ENTITY_PULL_REQUEST)) {
        return NULL;
    }
    item->skip = is_elsewhere(&r);
    set_int(&r, BL_FIELD_PULL_REQUEST_NUMBER, "number");
    set_text(&r, BL_FIELD_PULL_REQUEST_TITLE, "title");
    set_text(&r, BL_FIELD_PULL_REQUEST_TEXT, "body");
    set_pull_state(&r);
    set_user(&r, BL_FIELD_PULL_REQUEST_AUTHOR, "author", true);
    set_time(&r, BL_FIELD_PULL_REQUEST_CREATED_AT, "createdAt", false);
    set_time(&r, BL_FIELD_PULL_REQUEST_MERGED_AT, "mergedAt", true);
    set_name(&r, BL_FIELD_PULL_REQUEST_BASE, "baseRefName");
    set_name(&r, BL_FIELD_PULL_REQUEST_HEAD_BRANCH, "headRefName");
    set_commit(&r, BL_FIELD_PULL_REQUEST_HEAD, "headRefOid", false);
    set_head_repository(&r);
    set_commit(&r, BL_FIELD_PULL_REQUEST_MERGE_COMMIT, "mergeCommit.oid", true);
    set_labels(&r, BL_FIELD_PULL_REQUEST_LABELS);
    set(&r, BL_FIELD_PULL_REQUEST_REPOSITORY, bl_text(github->options.repository));
    return finish(&r);
}

/* "3000000101": numbers of comments do not fit into GraphQL's. */
static int64_t written_number(const struct bl_json *node)
{
    int64_t number = 0;
    for (size_t i = 0; node != NULL && node->kind == BL_JSON_STRING && i < node->string.len;
         i++) {
        if (!bl_is_ascii_digit(node->string.ptr[i]) || number > INT64_C(1) << 50) {
            return 0;
        }
        number = number * 10 + (node->string.ptr[i] - '0');
    }
    return number;
}

struct bl_object *bl_github_graph_comment(struct bl_github *github, const struct bl_json *json,
                                          struct bl_github_item *item)
{
    struct reading r = {.github = github, .json = json};
    int64_t id = written_number(bl_json_get(json, BL_STR("fullDatabaseId")));
    struct bl_object *issue = bl_object_create(&github->scratch, BL_ENTITY_ISSUE,
                                               item->holder->key, github->options.repository);
    r.object =
        bl_object_create(&github->scratch, BL_ENTITY_COMMENT, id, github->options.repository);
    if (id <= 0 || issue == NULL || r.object == NULL) {
        return NULL;
    }
    bl_object_set(issue, BL_FIELD_ISSUE_NUMBER, bl_int(issue->key));
    bl_object_set(issue, BL_FIELD_ISSUE_REPOSITORY, bl_text(github->options.repository));
    set(&r, BL_FIELD_COMMENT_ID, bl_int(id));
    set(&r, BL_FIELD_COMMENT_ISSUE, bl_object_value(issue));
    set_user(&r, BL_FIELD_COMMENT_AUTHOR, "author", true);
    set_time(&r, BL_FIELD_COMMENT_CREATED_AT, "createdAt", false);
    set_text(&r, BL_FIELD_COMMENT_TEXT, "body");
    set_int(&r, BL_FIELD_COMMENT_THUMBS_UP, "up.totalCount");
    set_int(&r, BL_FIELD_COMMENT_THUMBS_DOWN, "down.totalCount");
    return finish(&r);
}

/* Of the issue whose edit this is: the text as it was opened comes as an edit too. */
static bool opened_at(const struct bl_json *edit, int64_t *seconds)
{
    const struct bl_json *node = edit;
    for (int i = 0; node != NULL && i < 3; i++) { /* its list, the connection, the issue */
        node = node->parent;
    }
    const struct bl_json *created = bl_json_get(node, BL_STR("createdAt"));
    return created != NULL && created->kind == BL_JSON_STRING &&
           bl_time_parse(created->string, seconds);
}

struct bl_object *bl_github_graph_edit(struct bl_github *github, const struct bl_json *json,
                                       struct bl_github_item *item)
{
    struct reading r = {.github = github, .json = json};
    const struct bl_json *id = bl_json_get(json, BL_STR("id"));
    int64_t created_at;
    if (!opened_at(json, &created_at) || id == NULL || id->kind != BL_JSON_STRING ||
        !bl_is_name(id->string)) {
        return NULL;
    }
    r.object = bl_object_create(&github->scratch, BL_ENTITY_EDIT, 0, id->string);
    if (r.object == NULL) {
        return NULL;
    }
    set_user(&r, BL_FIELD_EDIT_EDITOR, "editor", false);
    set_time(&r, BL_FIELD_EDIT_AT, "editedAt", false);
    item->skip = bl_object_get(r.object, BL_FIELD_EDIT_AT).as.i <= created_at;
    return finish(&r);
}

struct bl_object *bl_github_graph_event(struct bl_github *github, const struct bl_json *json,
                                        struct bl_github_item *item)
{
    static const struct {
        const char *type;
        unsigned kind;
    } types[] = {
        {"LabeledEvent", BL_TIMELINE_KIND_LABELED},
        {"UnlabeledEvent", BL_TIMELINE_KIND_UNLABELED},
        {"ClosedEvent", BL_TIMELINE_KIND_CLOSED},
        {"ReopenedEvent", BL_TIMELINE_KIND_REOPENED},
        {"LockedEvent", BL_TIMELINE_KIND_LOCKED},
        {"UnlockedEvent", BL_TIMELINE_KIND_UNLOCKED},
        {"MilestonedEvent", BL_TIMELINE_KIND_MILESTONED},
        {"DemilestonedEvent", BL_TIMELINE_KIND_DEMILESTONED},
        {"AssignedEvent", BL_TIMELINE_KIND_ASSIGNED},
        {"UnassignedEvent", BL_TIMELINE_KIND_UNASSIGNED},
        {"RenamedTitleEvent", BL_TIMELINE_KIND_RENAMED},
    };
    struct reading r = {.github = github, .json = json};
    const struct bl_json *type = bl_json_get(json, BL_STR("__typename"));
    const struct bl_json *id = bl_json_get(json, BL_STR("id"));
    size_t i = 0;
    (void)item;
    while (i < sizeof(types) / sizeof(types[0]) &&
           (type == NULL || type->kind != BL_JSON_STRING ||
            !bl_str_equal(type->string, bl_str_from(types[i].type)))) {
        i++;
    }
    if (i == sizeof(types) / sizeof(types[0]) || id == NULL || id->kind != BL_JSON_STRING ||
        !bl_is_name(id->string)) {
        return NULL; /* of another kind than the query names */
    }
    r.object = bl_object_create(&github->scratch, BL_ENTITY_TIMELINE_EVENT, 0, id->string);
    if (r.object == NULL) {
        return NULL;
    }
    set(&r, BL_FIELD_TIMELINE_EVENT_KIND,
        bl_member_value(BL_ENUM_TIMELINE_KIND, types[i].kind));
    set_user(&r, BL_FIELD_TIMELINE_EVENT_ACTOR, "actor", false);
    set_time(&r, BL_FIELD_TIMELINE_EVENT_AT, "createdAt", false);
    if (types[i].kind == BL_TIMELINE_KIND_LABELED ||
        types[i].kind == BL_TIMELINE_KIND_UNLABELED) {
        set_name(&r, BL_FIELD_TIMELINE_EVENT_LABEL, "label.name");
    } else {
        set(&r, BL_FIELD_TIMELINE_EVENT_LABEL, bl_absent());
    }
    return finish(&r);
}

struct bl_object *bl_github_graph_discussion(struct bl_github *github,
                                             const struct bl_json *json,
                                             struct bl_github_item *item)
{
    struct reading r;
    (void)item;
    if (!begin(&r, github, json, BL_ENTITY_DISCUSSION)) {
        return NULL;
    }
    set_int(&r, BL_FIELD_DISCUSSION_NUMBER, "number");
    set_text(&r, BL_FIELD_DISCUSSION_TITLE, "title");
    set_text(&r, BL_FIELD_DISCUSSION_TEXT, "body");
    set_name(&r, BL_FIELD_DISCUSSION_CATEGORY, "category.name");
    /* Null where answers cannot be chosen. */
    if (is_null(at(&r, "isAnswered"))) {
        set(&r, BL_FIELD_DISCUSSION_ANSWERED, bl_bool(false));
    } else {
        set_bool(&r, BL_FIELD_DISCUSSION_ANSWERED, "isAnswered");
    }
    return finish(&r);
}
