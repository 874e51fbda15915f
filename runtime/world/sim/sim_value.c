/* SPDX-License-Identifier: Apache-2.0 */
#include "world/sim/sim_read.h"

/* Fields that follow from other things, and how things reach a snapshot. */

/* ---- fields that follow ------------------------------------------------------------------ */

static struct bl_value list_or_absent(struct bl_sim *sim, struct bl_list *list)
{
    if (list == NULL) {
        sim->arena->failed = true;
        return bl_absent();
    }
    return bl_list_value(list);
}

static void push(struct bl_sim *sim, struct bl_list *list, struct bl_object *thing)
{
    if (list != NULL && bl_list_push(sim->arena, list, bl_object_value(thing)) != BL_OK) {
        sim->arena->failed = true;
    }
}

static bool holds(const struct bl_list *list, const struct bl_object *thing)
{
    for (uint32_t i = 0; list != NULL && i < list->count; i++) {
        if (list->items[i].as.object == thing) {
            return true;
        }
    }
    return false;
}

/* All pull requests that close an issue, whatever their state. */
static struct bl_value closed_by(struct bl_sim *sim, const struct bl_object *issue)
{
    const struct bl_sim_things *pulls = &sim->things[BL_ENTITY_PULL_REQUEST];
    struct bl_list *list = bl_list_create(sim->arena);
    for (size_t i = 0; i < pulls->count; i++) {
        if (holds(bl_sim_list(pulls->items[i], BL_FIELD_PULL_REQUEST_CLOSES), issue)) {
            push(sim, list, pulls->items[i]);
        }
    }
    return list_or_absent(sim, list);
}

static bool is_issue(const struct bl_object *thing)
{
    return bl_object_get(thing, BL_FIELD_ISSUE_IS_PULL_REQUEST).as.i == 0;
}

static bool longer_without_change(const struct bl_object *a, const struct bl_object *b)
{
    const struct bl_sim_issue_more *x = a->handle;
    const struct bl_sim_issue_more *y = b->handle;
    return x->updated_at < y->updated_at;
}

static bool newer_change(const struct bl_object *a, const struct bl_object *b)
{
    return longer_without_change(b, a);
}

static struct bl_value issues_by_state(struct bl_sim *sim, unsigned state)
{
    const struct bl_sim_things *issues = &sim->things[BL_ENTITY_ISSUE];
    struct bl_list *list = bl_list_create(sim->arena);
    for (size_t i = 0; i < issues->count; i++) {
        if (is_issue(issues->items[i]) &&
            bl_sim_member(issues->items[i], BL_FIELD_ISSUE_STATE) == state) {
            push(sim, list, issues->items[i]);
        }
    }
    if (list != NULL) {
        (void)bl_sim_sort(
            sim, list, state == BL_ISSUE_STATE_CLOSED ? newer_change : longer_without_change);
    }
    return list_or_absent(sim, list);
}

static struct bl_value newest_first(struct bl_sim *sim, enum bl_entity entity)
{
    const struct bl_sim_things *things = &sim->things[entity];
    struct bl_list *list = bl_list_create(sim->arena);
    for (size_t i = 0; i < things->count; i++) {
        push(sim, list, things->items[things->count - 1 - i]);
    }
    return list_or_absent(sim, list);
}

static struct bl_value open_alerts(struct bl_sim *sim)
{
    const struct bl_sim_things *alerts = &sim->things[BL_ENTITY_ALERT];
    struct bl_list *list = bl_list_create(sim->arena);
    for (size_t i = 0; i < alerts->count; i++) {
        const struct bl_sim_alert_more *more = alerts->items[i]->handle;
        if (more->dismissed.len == 0) {
            push(sim, list, alerts->items[i]);
        }
    }
    return list_or_absent(sim, list);
}

/* Oldest first; drafts, which have no time, at the end. */
static struct bl_value releases(struct bl_sim *sim)
{
    const struct bl_sim_things *things = &sim->things[BL_ENTITY_RELEASE];
    struct bl_list *list = bl_list_create(sim->arena);
    for (size_t i = 0; list != NULL && i < things->count; i++) {
        if (bl_object_knows(things->items[i], BL_FIELD_RELEASE_PUBLISHED_AT)) {
            (void)bl_sim_insert(sim, list, things->items[i], BL_FIELD_RELEASE_PUBLISHED_AT);
        }
    }
    for (size_t i = 0; i < things->count; i++) {
        if (!bl_object_knows(things->items[i], BL_FIELD_RELEASE_PUBLISHED_AT)) {
            push(sim, list, things->items[i]);
        }
    }
    return list_or_absent(sim, list);
}

static struct bl_value latest_release(struct bl_sim *sim)
{
    struct bl_value latest = bl_absent();
    struct bl_value list = releases(sim);
    for (uint32_t i = 0; list.tag == BL_V_LIST && i < list.as.list->count; i++) {
        struct bl_object *release = list.as.list->items[i].as.object;
        if (bl_object_get(release, BL_FIELD_RELEASE_DRAFT).as.i == 0 &&
            bl_object_get(release, BL_FIELD_RELEASE_PRERELEASE).as.i == 0) {
            latest = bl_object_value(release);
        }
    }
    return latest;
}

static struct bl_value texts(struct bl_sim *sim, bool files)
{
    struct bl_list *list = bl_list_create(sim->arena);
    size_t count = files ? sim->files.count : sim->labels.count;
    for (size_t i = 0; list != NULL && i < count; i++) {
        bl_str text = files ? sim->files.items[i] : sim->labels.items[i].name;
        if (bl_list_push(sim->arena, list, bl_text(text)) != BL_OK) {
            sim->arena->failed = true;
        }
    }
    return list_or_absent(sim, list);
}

/* "… is not a user", says GitHub of a bot and of who is gone: nobody has access under such a
 * name, whatever the app may do. */
static bool is_no_user(const struct bl_object *user)
{
    return bl_sim_member(user, BL_FIELD_USER_KIND) == BL_USER_KIND_BOT ||
           bl_str_equal_nocase(user->name, BL_STR("ghost"));
}

static struct bl_value permission(struct bl_sim *sim, const struct bl_object *user)
{
    unsigned member = sim->is_public ? BL_PERMISSION_READ : BL_PERMISSION_NO_ACCESS;
    unsigned association = bl_sim_member(user, BL_FIELD_USER_ASSOCIATION);
    if (is_no_user(user)) {
        member = BL_PERMISSION_NO_ACCESS;
    } else if (association == BL_ASSOCIATION_OWNER) {
        member = BL_PERMISSION_ADMIN;
    } else if (association == BL_ASSOCIATION_MEMBER ||
               association == BL_ASSOCIATION_COLLABORATOR) {
        member = BL_PERMISSION_WRITE;
    }
    return bl_member_value(BL_ENUM_PERMISSION, member);
}

/* The field of the issue's side of a pull request that has the same name. */
static enum bl_field issue_side(enum bl_field field)
{
    const struct bl_field_info *info = bl_field_info(field);
    return info->entity == BL_ENTITY_PULL_REQUEST ? bl_field_find(BL_ENTITY_ISSUE, info->name)
                                                  : BL_FIELD_COUNT;
}

/* Of the whole repository; only what a repository that is known as a whole can say. */
static bool follows(struct bl_sim *sim, struct bl_object *thing, enum bl_field field,
                    struct bl_value *out)
{
    if (field == BL_FIELD_ISSUE_CLOSED_BY) {
        *out = closed_by(sim, thing);
    } else if (field == BL_FIELD_USER_PERMISSION) {
        *out = permission(sim, thing);
    } else if (field == BL_FIELD_REPOSITORY_OPEN_ISSUES) {
        *out = issues_by_state(sim, BL_ISSUE_STATE_OPEN);
    } else if (field == BL_FIELD_REPOSITORY_CLOSED_ISSUES) {
        *out = issues_by_state(sim, BL_ISSUE_STATE_CLOSED);
    } else if (field == BL_FIELD_REPOSITORY_DISCUSSIONS) {
        *out = newest_first(sim, BL_ENTITY_DISCUSSION);
    } else if (field == BL_FIELD_REPOSITORY_RELEASES) {
        *out = releases(sim);
    } else if (field == BL_FIELD_REPOSITORY_LATEST_RELEASE) {
        *out = latest_release(sim);
    } else if (field == BL_FIELD_REPOSITORY_LABELS) {
        *out = texts(sim, false);
    } else if (field == BL_FIELD_REPOSITORY_TRACKED_FILES) {
        *out = texts(sim, true);
    } else if (field == BL_FIELD_REPOSITORY_OPEN_ALERTS) {
        *out = open_alerts(sim);
    } else {
        return false;
    }
    return true;
}

bool bl_sim_value(struct bl_sim *sim, struct bl_object *thing, enum bl_field field,
                  struct bl_value *out)
{
    /* A person's permission that was given holds; an issue's list of pull requests is never
     * stored. */
    bool stored = bl_object_knows(thing, field) && field != BL_FIELD_ISSUE_CLOSED_BY &&
                  (field != BL_FIELD_USER_PERMISSION || sim->partial || !is_no_user(thing));
    if (!stored && !sim->partial && follows(sim, thing, field, out)) {
        return true;
    }
    enum bl_field other = issue_side(field);
    if (other != BL_FIELD_COUNT) {
        thing = thing->handle;
        field = other;
    }
    *out = bl_object_get(thing, field);
    return bl_object_knows(thing, field);
}

/* ---- things of a snapshot ---------------------------------------------------------------- */

struct bl_object *bl_sim_show(struct bl_sim *sim, struct bl_snapshot *snapshot,
                              struct bl_object *thing)
{
    enum bl_entity entity = (enum bl_entity)thing->entity;
    int64_t key = thing->key;
    if (entity == BL_ENTITY_USER && bl_object_knows(thing, BL_FIELD_USER_ASSOCIATION)) {
        key = bl_user_key(bl_sim_member(thing, BL_FIELD_USER_ASSOCIATION));
    }
    struct bl_object *shown = bl_snapshot_object(snapshot, entity, key, thing->name);
    const struct bl_entity_info *info = bl_entity_info(entity);
    for (unsigned i = 0; shown != NULL && i < info->field_count; i++) {
        enum bl_field field = (enum bl_field)(info->first_field + i);
        if (bl_field_info(field)->read != BL_READ_STORED || !bl_object_knows(thing, field)) {
            continue;
        }
        struct bl_value v = bl_object_get(thing, field);
        if (v.tag == BL_V_OBJECT) {
            struct bl_object *inner = bl_sim_show(sim, snapshot, v.as.object);
            if (inner == NULL) {
                return NULL;
            }
            v = bl_object_value(inner);
        }
        bl_object_set(shown, field, v);
    }
    return shown;
}
