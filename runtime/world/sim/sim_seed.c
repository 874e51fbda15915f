/* SPDX-License-Identifier: Apache-2.0 */
#include "world/sim/sim_change.h"
#include "world/sim/sim_model.h"

/* What a payload says, put into the model: the fields of its things that are known, with the
 * model's own users and commits, and texts that outlive the event. */

static bool keep_value(struct bl_sim *sim, struct bl_value v, struct bl_value *out);

static bool keep_user(struct bl_sim *sim, const struct bl_object *from, struct bl_value *out)
{
    bool is_new = bl_sim_find(sim, BL_ENTITY_USER, 0, from->name) == NULL;
    struct bl_object *user = bl_sim_user_of(sim, from->name);
    if (user == NULL) {
        return false;
    }
    const struct bl_entity_info *info = bl_entity_info(BL_ENTITY_USER);
    for (unsigned i = 0; i < info->field_count; i++) {
        enum bl_field field = (enum bl_field)(info->first_field + i);
        bool wanted = is_new || (sim->partial && !bl_object_knows(user, field));
        if (field != BL_FIELD_USER_LOGIN && wanted && bl_object_knows(from, field)) {
            bl_object_set(user, field, bl_object_get(from, field));
        }
    }
    *out = bl_object_value(user);
    return true;
}

static bool keep_list(struct bl_sim *sim, const struct bl_list *from, struct bl_value *out)
{
    struct bl_list *list = bl_list_create(sim->arena);
    for (uint32_t i = 0; list != NULL && i < from->count; i++) {
        struct bl_value item;
        if (!keep_value(sim, from->items[i], &item) ||
            bl_list_push(sim->arena, list, item) != BL_OK) {
            return false;
        }
    }
    *out = list != NULL ? bl_list_value(list) : bl_absent();
    return list != NULL;
}

static bool keep_value(struct bl_sim *sim, struct bl_value v, struct bl_value *out)
{
    const struct bl_object *object = bl_object_of(v);
    *out = v;
    if (v.tag == BL_V_TEXT) {
        *out = bl_sim_keep_text(sim, bl_text_of(v));
    } else if (v.tag == BL_V_LIST) {
        return keep_list(sim, v.as.list, out);
    } else if (object != NULL && object->entity == BL_ENTITY_USER) {
        return keep_user(sim, object, out);
    } else if (object != NULL && object->entity == BL_ENTITY_COMMIT) {
        struct bl_object *commit = bl_sim_commit_of(sim, object->name);
        *out = commit != NULL ? bl_object_value(commit) : bl_absent();
        return commit != NULL;
    } else if (object != NULL) {
        struct bl_object *known =
            bl_sim_find(sim, (enum bl_entity)object->entity, object->key, BL_STR(""));
        *out = known != NULL ? bl_object_value(known) : bl_absent();
    }
    return !sim->arena->failed;
}

/* Fields of `from` that `to` does not know; a pull request's go to its issue's side too. */
static bool keep_fields(struct bl_sim *sim, const struct bl_object *from, struct bl_object *to)
{
    const struct bl_entity_info *info = bl_entity_info((enum bl_entity)from->entity);
    for (unsigned i = 0; i < info->field_count; i++) {
        enum bl_field field = (enum bl_field)(info->first_field + i);
        enum bl_field target =
            from->entity == to->entity
                ? field
                : bl_field_find((enum bl_entity)to->entity, bl_field_info(field)->name);
        struct bl_value v;
        if (target == BL_FIELD_COUNT || !bl_object_knows(from, field) ||
            bl_object_knows(to, target)) {
            continue;
        }
        if (!keep_value(sim, bl_object_get(from, field), &v)) {
            return false;
        }
        bl_object_set(to, target, v);
    }
    return true;
}

static struct bl_object *seed_issue(struct bl_sim *sim, const struct bl_object *from)
{
    struct bl_object *issue = bl_sim_issue_of(sim, from->key);
    if (issue != NULL) {
        return issue;
    }
    issue = bl_sim_add(sim, BL_ENTITY_ISSUE, from->key, BL_STR(""));
    if (issue == NULL || !keep_fields(sim, from, issue)) {
        return NULL;
    }
    bl_object_set(issue, BL_FIELD_ISSUE_NUMBER, bl_int(from->key));
    bl_object_set(issue, BL_FIELD_ISSUE_REPOSITORY, bl_text(sim->repository));
    bl_object_set(issue, BL_FIELD_ISSUE_IS_PULL_REQUEST,
                  bl_bool(from->entity == BL_ENTITY_PULL_REQUEST ||
                          bl_object_get(from, BL_FIELD_ISSUE_IS_PULL_REQUEST).as.i != 0));
    bl_sim_issue_more(issue)->updated_at = bl_sim_time(issue, BL_FIELD_ISSUE_CREATED_AT);
    return sim->partial || bl_sim_complete(sim, issue) ? issue : NULL;
}

static bool seed_pull(struct bl_sim *sim, const struct bl_object *from)
{
    if (bl_sim_find(sim, BL_ENTITY_PULL_REQUEST, from->key, BL_STR("")) != NULL) {
        return true;
    }
    struct bl_object *issue = seed_issue(sim, from);
    struct bl_object *pull = bl_sim_add(sim, BL_ENTITY_PULL_REQUEST, from->key, BL_STR(""));
    if (issue == NULL || pull == NULL || !keep_fields(sim, from, pull)) {
        return false;
    }
    pull->handle = issue;
    bl_sim_issue_more(issue)->pull = pull;
    bl_object_set(pull, BL_FIELD_PULL_REQUEST_REPOSITORY, bl_text(sim->repository));
    return sim->partial || bl_sim_complete(sim, pull);
}

static bool seed_comment(struct bl_sim *sim, const struct bl_object *from,
                         struct bl_object *issue)
{
    if (bl_sim_find(sim, BL_ENTITY_COMMENT, from->key, BL_STR("")) != NULL) {
        return true;
    }
    struct bl_object *comment = bl_sim_add(sim, BL_ENTITY_COMMENT, from->key, BL_STR(""));
    if (comment == NULL || !keep_fields(sim, from, comment)) {
        return false;
    }
    bl_object_set(comment, BL_FIELD_COMMENT_ISSUE, bl_object_value(issue));
    bl_sim_comment_more(comment)->updated_at =
        bl_sim_time(comment, BL_FIELD_COMMENT_CREATED_AT);
    if (sim->partial) {
        return true;
    }
    struct bl_list *comments = bl_sim_list(issue, BL_FIELD_ISSUE_COMMENTS);
    bool good = bl_sim_complete(sim, comment) &&
                bl_sim_insert(sim, comments, comment, BL_FIELD_COMMENT_CREATED_AT);
    bl_object_set(issue, BL_FIELD_ISSUE_COMMENT_COUNT, bl_int(comments->count));
    return good;
}

/* An issue that was opened with this event has no history yet, as far as its payload tells. */
static bool seed_beginning(struct bl_sim *sim, struct bl_object *issue)
{
    struct bl_value count = bl_object_get(issue, BL_FIELD_ISSUE_COMMENT_COUNT);
    if (count.tag != BL_V_INT || count.as.i != 0) {
        return true;
    }
    return bl_sim_new_list(sim, issue, BL_FIELD_ISSUE_COMMENTS) != NULL &&
           bl_sim_new_list(sim, issue, BL_FIELD_ISSUE_TEXT_EDITS) != NULL;
}

static bool seed_other(struct bl_sim *sim, const struct bl_object *from)
{
    enum bl_entity entity = (enum bl_entity)from->entity;
    if (bl_sim_find(sim, entity, from->key, from->name) != NULL) {
        return true;
    }
    struct bl_object *thing = bl_sim_add(sim, entity, from->key, from->name);
    return thing != NULL && keep_fields(sim, from, thing);
}

static bool seed_repository(struct bl_sim *sim, const struct bl_object *repository)
{
    if (repository == NULL || sim->loaded) {
        return true;
    }
    if (!bl_sim_set_repository(sim, repository->name)) {
        return false;
    }
    sim->self->known = 0; /* what was made up for an empty repository */
    return keep_fields(sim, repository, sim->self);
}

static bool seed(struct bl_sim *sim, const struct bl_event *event)
{
    struct bl_object *actor = bl_object_of(bl_object_get(event->event, BL_FIELD_EVENT_ACTOR));
    struct bl_value ignored;
    if (!seed_repository(sim, event->repository)) {
        return false;
    }
    if (event->id == BL_EVENT_WORKFLOW_DISPATCH) {
        return true; /* a number was typed in, nothing else is known */
    }
    if (event->issue != NULL) {
        struct bl_object *issue = seed_issue(sim, event->issue);
        if (issue == NULL ||
            (event->comment != NULL && !seed_comment(sim, event->comment, issue)) ||
            (sim->partial && event->id == BL_EVENT_ISSUES_OPENED &&
             !seed_beginning(sim, issue))) {
            return false;
        }
    }
    /* After the things: the association of an actor who wrote none of them is not known. */
    return (event->pull_request == NULL || seed_pull(sim, event->pull_request)) &&
           (event->release == NULL || seed_other(sim, event->release)) &&
           (event->status == NULL || seed_other(sim, event->status)) &&
           (actor == NULL || bl_sim_find(sim, BL_ENTITY_USER, 0, actor->name) != NULL ||
            keep_user(sim, actor, &ignored));
}

enum bl_status bl_sim_seed(struct bl_sim *sim, const struct bl_event *event)
{
    sim->partial = !sim->loaded;
    if (!seed(sim, event) || sim->arena->failed) {
        return BL_ERR_NOMEM;
    }
    return BL_OK;
}
