/* SPDX-License-Identifier: Apache-2.0 */
#include "world/sim/sim_model.h"

#include "base/sort.h"
#include "event/names.h"

#include <string.h>

#define FIRST_USER_ID 100001

bl_str bl_sim_keep(struct bl_sim *sim, bl_str text)
{
    return bl_arena_copy(sim->arena, text);
}

struct bl_value bl_sim_keep_text(struct bl_sim *sim, bl_str text)
{
    return bl_text(bl_sim_keep(sim, text));
}

/* ---- things by identity ------------------------------------------------------------------ */

static int compare_names(bl_str a, bl_str b)
{
    size_t shorter = a.len < b.len ? a.len : b.len;
    for (size_t i = 0; i < shorter; i++) {
        int order =
            (unsigned char)bl_ascii_lower(a.ptr[i]) - (unsigned char)bl_ascii_lower(b.ptr[i]);
        if (order != 0) {
            return order;
        }
    }
    return (a.len > b.len) - (a.len < b.len);
}

/* Tags and ids of commits are told apart by case, and nothing else is. */
static int compare(const struct bl_object *object, enum bl_entity entity, int64_t key,
                   bl_str name)
{
    if (object->key != key) {
        return object->key < key ? -1 : 1;
    }
    int order = compare_names(object->name, name);
    if (order == 0 && (entity == BL_ENTITY_RELEASE || entity == BL_ENTITY_COMMIT)) {
        order = bl_str_compare(object->name, name);
    }
    return order;
}

/* Where the thing stands, or would. */
static size_t place_of(const struct bl_sim_things *things, enum bl_entity entity, int64_t key,
                       bl_str name, bool *found)
{
    size_t low = 0;
    size_t high = things->count;
    *found = false;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare(things->items[middle], entity, key, name);
        if (order == 0) {
            *found = true;
            return middle;
        }
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Within one simulator a number says everything, whatever the repository is called. */
static bool is_numbered(enum bl_entity entity)
{
    return entity == BL_ENTITY_ISSUE || entity == BL_ENTITY_COMMENT ||
           entity == BL_ENTITY_PULL_REQUEST || entity == BL_ENTITY_DISCUSSION ||
           entity == BL_ENTITY_ALERT || entity == BL_ENTITY_STATUS || entity == BL_ENTITY_RUN;
}

struct bl_object *bl_sim_find(const struct bl_sim *sim, enum bl_entity entity, int64_t key,
                              bl_str name)
{
    bool found;
    if (is_numbered(entity)) {
        if (name.len > 0 && !bl_str_equal_nocase(name, sim->repository)) {
            return NULL;
        }
        name = sim->repository;
    }
    if (entity == BL_ENTITY_USER) {
        key = 0; /* the association is the snapshot's affair */
    }
    size_t at = place_of(&sim->things[entity], entity, key, name, &found);
    return found ? sim->things[entity].items[at] : NULL;
}

static void *new_more(struct bl_sim *sim, enum bl_entity entity)
{
    if (entity == BL_ENTITY_ISSUE) {
        return BL_NEW(sim->arena, struct bl_sim_issue_more);
    }
    if (entity == BL_ENTITY_COMMENT) {
        return BL_NEW(sim->arena, struct bl_sim_comment_more);
    }
    if (entity == BL_ENTITY_STATUS) {
        return BL_NEW(sim->arena, struct bl_sim_status_more);
    }
    if (entity == BL_ENTITY_ALERT) {
        return BL_NEW(sim->arena, struct bl_sim_alert_more);
    }
    if (entity == BL_ENTITY_RUN) {
        return BL_NEW(sim->arena, struct bl_sim_run_more);
    }
    if (entity == BL_ENTITY_RELEASE) {
        struct bl_sim_release_more *more = BL_NEW(sim->arena, struct bl_sim_release_more);
        if (more != NULL) {
            more->id = bl_sim_next_id(sim);
        }
        return more;
    }
    return NULL;
}

struct bl_object *bl_sim_add(struct bl_sim *sim, enum bl_entity entity, int64_t key,
                             bl_str name)
{
    bl_str kept = is_numbered(entity) ? sim->repository : bl_sim_keep(sim, name);
    struct bl_object *object = bl_object_create(sim->arena, entity, key, kept);
    struct bl_sim_things *things = &sim->things[entity];
    bool found;
    size_t at = place_of(things, entity, key, kept, &found);
    if (object == NULL || BL_PUSH(sim->arena, *things) == NULL) {
        return NULL;
    }
    object->handle = new_more(sim, entity);
    memmove(things->items + at + 1, things->items + at,
            (things->count - 1 - at) * sizeof(things->items[0]));
    things->items[at] = object;
    if ((entity == BL_ENTITY_COMMENT || entity == BL_ENTITY_STATUS) && key > sim->last_id) {
        sim->last_id = key;
    }
    return sim->arena->failed ? NULL : object;
}

void bl_sim_remove(struct bl_sim *sim, struct bl_object *object)
{
    struct bl_sim_things *things = &sim->things[object->entity];
    bool found;
    size_t at =
        place_of(things, (enum bl_entity)object->entity, object->key, object->name, &found);
    if (found) {
        things->count--;
        memmove(things->items + at, things->items + at + 1,
                (things->count - at) * sizeof(things->items[0]));
    }
}

int64_t bl_sim_next_id(struct bl_sim *sim)
{
    return ++sim->last_id;
}

static int64_t largest_key(const struct bl_sim *sim, enum bl_entity entity)
{
    const struct bl_sim_things *things = &sim->things[entity];
    return things->count > 0 ? things->items[things->count - 1]->key : 0;
}

int64_t bl_sim_next_number(const struct bl_sim *sim)
{
    int64_t issue = largest_key(sim, BL_ENTITY_ISSUE);
    int64_t discussion = largest_key(sim, BL_ENTITY_DISCUSSION);
    return (issue > discussion ? issue : discussion) + 1;
}

/* ---- single things ----------------------------------------------------------------------- */

/* Facts of github.com that policies may name. */
static const struct {
    const char *login;
    int64_t id;
} well_known[] = {
    {"ghost", BL_GHOST_ID},
    {"github-actions[bot]", 41898282},
    {"dependabot[bot]", 49699333},
    {"web-flow", 19864447},
};

static int64_t user_id(const struct bl_sim *sim, bl_str login)
{
    for (size_t i = 0; i < sizeof(well_known) / sizeof(well_known[0]); i++) {
        if (bl_str_equal_nocase(login, bl_str_from(well_known[i].login))) {
            return well_known[i].id;
        }
    }
    return FIRST_USER_ID + (int64_t)sim->things[BL_ENTITY_USER].count;
}

struct bl_object *bl_sim_user_of(struct bl_sim *sim, bl_str login)
{
    struct bl_object *user = bl_sim_find(sim, BL_ENTITY_USER, 0, login);
    if (user != NULL || !bl_is_login(login)) {
        return user;
    }
    int64_t id = user_id(sim, login);
    user = bl_sim_add(sim, BL_ENTITY_USER, 0, login);
    if (user == NULL) {
        return NULL;
    }
    unsigned kind = bl_is_bot_login(login) ? BL_USER_KIND_BOT : BL_USER_KIND_PERSON;
    bl_object_set(user, BL_FIELD_USER_LOGIN, bl_text(user->name));
    bl_object_set(user, BL_FIELD_USER_ID, bl_int(id));
    bl_object_set(user, BL_FIELD_USER_KIND, bl_member_value(BL_ENUM_USER_KIND, kind));
    if (!sim->partial) {
        bl_object_set(user, BL_FIELD_USER_ASSOCIATION,
                      bl_member_value(BL_ENUM_ASSOCIATION, BL_ASSOCIATION_NOBODY));
    }
    return user;
}

struct bl_object *bl_sim_issue_of(const struct bl_sim *sim, int64_t number)
{
    return bl_sim_find(sim, BL_ENTITY_ISSUE, number, BL_STR(""));
}

struct bl_object *bl_sim_commit_of(struct bl_sim *sim, bl_str sha)
{
    struct bl_object *commit = bl_sim_find(sim, BL_ENTITY_COMMIT, 0, sha);
    if (commit == NULL) {
        commit = bl_sim_add(sim, BL_ENTITY_COMMIT, 0, sha);
        if (commit != NULL) {
            bl_object_set(commit, BL_FIELD_COMMIT_SHA, bl_text(commit->name));
        }
    }
    return commit;
}

struct bl_sim_issue_more *bl_sim_issue_more(struct bl_object *issue)
{
    return issue->handle;
}

struct bl_sim_comment_more *bl_sim_comment_more(struct bl_object *comment)
{
    return comment->handle;
}

/* What a field is when nothing was said: no list has elements, nothing is set, the first word
 * of an enumeration holds. Fields with other rules are set before this. */
static bool set_default(struct bl_sim *sim, struct bl_object *object, enum bl_field field)
{
    bl_type type = bl_field_info(field)->type;
    if (bl_type_is_list(type)) {
        return bl_sim_new_list(sim, object, field) != NULL;
    }
    if (bl_type_is_optional(type)) {
        bl_object_set(object, field, bl_absent());
    } else if (bl_type_is_text(type)) {
        bl_object_set(object, field, bl_text(BL_STR("")));
    } else if (bl_type_is(type, BL_TYPE_ENUM)) {
        bl_object_set(object, field, bl_member_value(bl_type_ref(type), 0));
    } else if (bl_type_is(type, BL_TYPE_INT) || bl_type_is(type, BL_TYPE_BOOL)) {
        bl_object_set(object, field, bl_number(bl_tag_of_type(type), 0));
    }
    return true;
}

bool bl_sim_complete(struct bl_sim *sim, struct bl_object *object)
{
    const struct bl_entity_info *info = bl_entity_info((enum bl_entity)object->entity);
    for (unsigned i = 0; i < info->field_count; i++) {
        enum bl_field field = (enum bl_field)(info->first_field + i);
        if (!bl_object_knows(object, field) && !set_default(sim, object, field)) {
            return false;
        }
    }
    return true;
}

struct bl_object *bl_sim_add_issue(struct bl_sim *sim, int64_t number, struct bl_object *author,
                                   bl_str title, bl_str text, int64_t at, bool pull)
{
    struct bl_object *issue = bl_sim_add(sim, BL_ENTITY_ISSUE, number, BL_STR(""));
    if (issue == NULL) {
        return NULL;
    }
    bl_object_set(issue, BL_FIELD_ISSUE_NUMBER, bl_int(number));
    bl_object_set(issue, BL_FIELD_ISSUE_REPOSITORY, bl_text(sim->repository));
    bl_object_set(issue, BL_FIELD_ISSUE_TITLE, bl_sim_keep_text(sim, title));
    bl_object_set(issue, BL_FIELD_ISSUE_TEXT, bl_sim_keep_text(sim, text));
    bl_object_set(issue, BL_FIELD_ISSUE_AUTHOR, bl_object_value(author));
    bl_object_set(issue, BL_FIELD_ISSUE_CREATED_AT, bl_number(BL_V_TIME, at));
    bl_object_set(issue, BL_FIELD_ISSUE_IS_PULL_REQUEST, bl_bool(pull));
    bl_sim_issue_more(issue)->updated_at = at;
    if (pull) {
        struct bl_object *own = bl_sim_add(sim, BL_ENTITY_PULL_REQUEST, number, BL_STR(""));
        if (own == NULL) {
            return NULL;
        }
        bl_object_set(own, BL_FIELD_PULL_REQUEST_NUMBER, bl_int(number));
        bl_object_set(own, BL_FIELD_PULL_REQUEST_REPOSITORY, bl_text(sim->repository));
        own->handle = issue;
        bl_sim_issue_more(issue)->pull = own;
    }
    return bl_sim_complete(sim, issue) ? issue : NULL;
}

/* ---- lists ------------------------------------------------------------------------------- */

struct bl_list *bl_sim_list(const struct bl_object *object, enum bl_field field)
{
    struct bl_value v = bl_object_get(object, field);
    return v.tag == BL_V_LIST ? v.as.list : NULL;
}

struct bl_list *bl_sim_new_list(struct bl_sim *sim, struct bl_object *object,
                                enum bl_field field)
{
    struct bl_list *list = bl_list_create(sim->arena);
    if (list != NULL) {
        bl_object_set(object, field, bl_list_value(list));
    }
    return list;
}

int64_t bl_sim_time(const struct bl_object *object, enum bl_field field)
{
    struct bl_value v = bl_object_get(object, field);
    return v.tag == BL_V_TIME ? v.as.i : 0;
}

unsigned bl_sim_member(const struct bl_object *object, enum bl_field field)
{
    struct bl_value v = bl_object_get(object, field);
    return v.tag == BL_V_ENUM ? (unsigned)v.as.i : UINT32_MAX;
}

bool bl_sim_insert(struct bl_sim *sim, struct bl_list *list, struct bl_object *object,
                   enum bl_field at_field)
{
    if (bl_list_push(sim->arena, list, bl_object_value(object)) != BL_OK) {
        sim->arena->failed = true;
        return false;
    }
    int64_t at = bl_sim_time(object, at_field);
    uint32_t place = list->count - 1;
    while (place > 0 && bl_sim_time(list->items[place - 1].as.object, at_field) > at) {
        list->items[place] = list->items[place - 1];
        place--;
    }
    list->items[place] = bl_object_value(object);
    return true;
}

static int compare_things(const void *a, const void *b, const void *context)
{
    bl_sim_before *const *before = context;
    const struct bl_object *x = ((const struct bl_value *)a)->as.object;
    const struct bl_object *y = ((const struct bl_value *)b)->as.object;

    return (*before)(x, y) ? -1 : (*before)(y, x);
}

bool bl_sim_sort(struct bl_sim *sim, struct bl_list *list, bl_sim_before *before)
{
    return bl_sort(sim->arena, list->items, list->count, sizeof *list->items, compare_things,
                   &before);
}

/* ---- labels of the repository ------------------------------------------------------------ */

struct bl_sim_label_row *bl_sim_find_label(struct bl_sim *sim, bl_str name)
{
    for (size_t i = 0; i < sim->labels.count; i++) {
        if (bl_str_equal_nocase(sim->labels.items[i].name, name)) {
            return &sim->labels.items[i];
        }
    }
    return NULL;
}

struct bl_sim_label_row *bl_sim_add_label(struct bl_sim *sim, bl_str name, bl_str color,
                                          bl_str description)
{
    struct bl_sim_label_row *row = BL_PUSH(sim->arena, sim->labels);
    if (row != NULL) {
        row->name = bl_sim_keep(sim, name);
        row->color = bl_sim_keep(sim, color);
        row->description = bl_sim_keep(sim, description);
    }
    return row;
}

/* ---- the simulator ----------------------------------------------------------------------- */

void bl_sim_set_git(struct bl_sim *sim, struct bl_sim_git git)
{
    sim->git = git;
}

int64_t bl_sim_now(const struct bl_sim *sim)
{
    return sim->now;
}

void bl_sim_set_now(struct bl_sim *sim, int64_t now)
{
    if (now > sim->now) {
        sim->now = now;
    }
}

bl_str bl_sim_repository(const struct bl_sim *sim)
{
    return sim->repository;
}

bl_str bl_sim_account(const struct bl_sim *sim)
{
    return sim->account;
}
