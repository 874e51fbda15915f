/* SPDX-License-Identifier: Apache-2.0 */
#include "world/sim/sim_change.h"

/* What GitHub gives a label that is first used on an issue. */
#define NEW_LABEL_COLOR BL_STR("ededed")

static void touch(struct bl_object *issue, int64_t at)
{
    struct bl_sim_issue_more *more = bl_sim_issue_more(issue);
    if (at > more->updated_at) {
        more->updated_at = at;
    }
}

bool bl_sim_change_timeline(struct bl_sim *sim, struct bl_object *issue, unsigned kind,
                            struct bl_object *actor, int64_t at, bl_str label)
{
    touch(issue, at);
    struct bl_list *timeline = bl_sim_list(issue, BL_FIELD_ISSUE_TIMELINE);
    if (timeline == NULL) {
        return true;
    }
    struct bl_object *event = bl_object_create(sim->arena, BL_ENTITY_TIMELINE_EVENT,
                                               bl_sim_next_id(sim), sim->repository);
    if (event == NULL) {
        return false;
    }
    bl_object_set(event, BL_FIELD_TIMELINE_EVENT_KIND,
                  bl_member_value(BL_ENUM_TIMELINE_KIND, kind));
    bl_object_set(event, BL_FIELD_TIMELINE_EVENT_ACTOR, bl_object_value(actor));
    bl_object_set(event, BL_FIELD_TIMELINE_EVENT_AT, bl_number(BL_V_TIME, at));
    bl_object_set(event, BL_FIELD_TIMELINE_EVENT_LABEL,
                  label.len > 0 ? bl_text(label) : bl_absent());
    return bl_sim_insert(sim, timeline, event, BL_FIELD_TIMELINE_EVENT_AT);
}

/* ---- labels ------------------------------------------------------------------------------ */

static uint32_t find_label(const struct bl_list *labels, bl_str label)
{
    uint32_t i = 0;
    while (i < labels->count && !bl_str_equal_nocase(bl_text_of(labels->items[i]), label)) {
        i++;
    }
    return i;
}

static void remove_item(struct bl_list *list, uint32_t at)
{
    list->count--;
    for (uint32_t i = at; i < list->count; i++) {
        list->items[i] = list->items[i + 1];
    }
}

bool bl_sim_change_label(struct bl_sim *sim, struct bl_object *issue, struct bl_object *actor,
                         bl_str label, int64_t at, bool *changed)
{
    struct bl_list *labels = bl_sim_list(issue, BL_FIELD_ISSUE_LABELS);
    *changed = labels == NULL || find_label(labels, label) == labels->count;
    if (!*changed) {
        return true;
    }
    struct bl_sim_label_row *row = bl_sim_find_label(sim, label);
    if (row == NULL) {
        row = bl_sim_add_label(sim, label, NEW_LABEL_COLOR, BL_STR(""));
    }
    if (row == NULL ||
        (labels != NULL && bl_list_push(sim->arena, labels, bl_text(row->name)) != BL_OK)) {
        sim->arena->failed = true;
        return false;
    }
    return bl_sim_change_timeline(sim, issue, BL_TIMELINE_KIND_LABELED, actor, at, row->name);
}

bool bl_sim_change_unlabel(struct bl_sim *sim, struct bl_object *issue, struct bl_object *actor,
                           bl_str label, int64_t at, bool *changed)
{
    struct bl_list *labels = bl_sim_list(issue, BL_FIELD_ISSUE_LABELS);
    uint32_t found = labels != NULL ? find_label(labels, label) : 0;
    *changed = labels != NULL && found < labels->count;
    if (!*changed) {
        return true;
    }
    bl_str name = bl_text_of(labels->items[found]);
    remove_item(labels, found);
    return bl_sim_change_timeline(sim, issue, BL_TIMELINE_KIND_UNLABELED, actor, at, name);
}

/* ---- state ------------------------------------------------------------------------------- */

static void set_state(struct bl_object *issue, unsigned state, unsigned reason,
                      struct bl_value closed_at)
{
    bl_object_set(issue, BL_FIELD_ISSUE_STATE, bl_member_value(BL_ENUM_ISSUE_STATE, state));
    bl_object_set(issue, BL_FIELD_ISSUE_STATE_REASON,
                  bl_member_value(BL_ENUM_STATE_REASON, reason));
    bl_object_set(issue, BL_FIELD_ISSUE_CLOSED_AT, closed_at);
}

bool bl_sim_change_close(struct bl_sim *sim, struct bl_object *issue, struct bl_object *actor,
                         unsigned reason, int64_t duplicate_of, int64_t at, bool *changed)
{
    *changed = bl_sim_member(issue, BL_FIELD_ISSUE_STATE) != BL_ISSUE_STATE_CLOSED;
    /* "Ignored unless `state` is changed" says GitHub's description of the reason. */
    if (!*changed) {
        return true;
    }
    bl_sim_issue_more(issue)->duplicate_of = duplicate_of;
    set_state(issue, BL_ISSUE_STATE_CLOSED, reason, bl_number(BL_V_TIME, at));
    return bl_sim_change_timeline(sim, issue, BL_TIMELINE_KIND_CLOSED, actor, at, BL_STR(""));
}

bool bl_sim_change_reopen(struct bl_sim *sim, struct bl_object *issue, struct bl_object *actor,
                          int64_t at, bool *changed)
{
    *changed = bl_sim_member(issue, BL_FIELD_ISSUE_STATE) == BL_ISSUE_STATE_CLOSED;
    if (!*changed) {
        return true;
    }
    /* The REST API gives an open issue no closed_at, also one that was closed before. */
    set_state(issue, BL_ISSUE_STATE_OPEN, BL_STATE_REASON_REOPENED, bl_absent());
    bl_sim_issue_more(issue)->duplicate_of = 0;
    return bl_sim_change_timeline(sim, issue, BL_TIMELINE_KIND_REOPENED, actor, at, BL_STR(""));
}

static bool is_locked(const struct bl_object *issue)
{
    return bl_object_get(issue, BL_FIELD_ISSUE_LOCKED).as.i != 0;
}

bool bl_sim_change_lock(struct bl_sim *sim, struct bl_object *issue, struct bl_object *actor,
                        bl_str reason, int64_t at, bool *changed)
{
    *changed = !is_locked(issue);
    bl_sim_issue_more(issue)->lock_reason = bl_sim_keep(sim, reason);
    if (!*changed) {
        return !sim->arena->failed;
    }
    bl_object_set(issue, BL_FIELD_ISSUE_LOCKED, bl_bool(true));
    return bl_sim_change_timeline(sim, issue, BL_TIMELINE_KIND_LOCKED, actor, at, BL_STR(""));
}

bool bl_sim_change_unlock(struct bl_sim *sim, struct bl_object *issue, struct bl_object *actor,
                          int64_t at, bool *changed)
{
    *changed = is_locked(issue);
    if (!*changed) {
        return true;
    }
    bl_sim_issue_more(issue)->lock_reason = BL_STR("");
    bl_object_set(issue, BL_FIELD_ISSUE_LOCKED, bl_bool(false));
    return bl_sim_change_timeline(sim, issue, BL_TIMELINE_KIND_UNLOCKED, actor, at, BL_STR(""));
}

bool bl_sim_change_assign(struct bl_sim *sim, struct bl_object *issue, struct bl_object *actor,
                          struct bl_object *assignee, int64_t at, bool *changed)
{
    struct bl_list *assignees = bl_sim_list(issue, BL_FIELD_ISSUE_ASSIGNEES);
    *changed = true;
    for (uint32_t i = 0; assignees != NULL && i < assignees->count; i++) {
        *changed = *changed && assignees->items[i].as.object != assignee;
    }
    if (!*changed) {
        return true;
    }
    if (assignees != NULL &&
        bl_list_push(sim->arena, assignees, bl_object_value(assignee)) != BL_OK) {
        sim->arena->failed = true;
        return false;
    }
    return bl_sim_change_timeline(sim, issue, BL_TIMELINE_KIND_ASSIGNED, actor, at, BL_STR(""));
}

bool bl_sim_change_milestone(struct bl_sim *sim, struct bl_object *issue,
                             struct bl_object *actor, bl_str title, int64_t at, bool *changed)
{
    struct bl_sim_issue_more *more = bl_sim_issue_more(issue);
    *changed = !bl_str_equal(more->milestone, title);
    if (!*changed) {
        return true;
    }
    size_t i = 0;
    while (i < sim->milestones.count && !bl_str_equal(sim->milestones.items[i].title, title)) {
        i++;
    }
    if (i == sim->milestones.count) {
        struct bl_sim_milestone *milestone = BL_PUSH(sim->arena, sim->milestones);
        if (milestone == NULL) {
            return false;
        }
        *milestone = (struct bl_sim_milestone){bl_sim_keep(sim, title), true};
    }
    if (more->milestone.len > 0 &&
        !bl_sim_change_timeline(sim, issue, BL_TIMELINE_KIND_DEMILESTONED, actor, at,
                                BL_STR(""))) {
        return false;
    }
    more->milestone = sim->milestones.items[i].title;
    return bl_sim_change_timeline(sim, issue, BL_TIMELINE_KIND_MILESTONED, actor, at,
                                  BL_STR(""));
}

/* ---- comments, reactions, edits ---------------------------------------------------------- */

static void count_comments(struct bl_object *issue)
{
    struct bl_list *comments = bl_sim_list(issue, BL_FIELD_ISSUE_COMMENTS);
    if (comments != NULL) {
        bl_object_set(issue, BL_FIELD_ISSUE_COMMENT_COUNT, bl_int(comments->count));
    }
}

struct bl_object *bl_sim_change_comment(struct bl_sim *sim, struct bl_object *issue,
                                        struct bl_object *author, bl_str text, int64_t at)
{
    struct bl_object *comment =
        bl_sim_add(sim, BL_ENTITY_COMMENT, bl_sim_next_id(sim), BL_STR(""));
    if (comment == NULL) {
        return NULL;
    }
    bl_object_set(comment, BL_FIELD_COMMENT_ID, bl_int(comment->key));
    bl_object_set(comment, BL_FIELD_COMMENT_AUTHOR, bl_object_value(author));
    bl_object_set(comment, BL_FIELD_COMMENT_CREATED_AT, bl_number(BL_V_TIME, at));
    bl_object_set(comment, BL_FIELD_COMMENT_TEXT, bl_sim_keep_text(sim, text));
    bl_object_set(comment, BL_FIELD_COMMENT_ISSUE, bl_object_value(issue));
    bl_sim_comment_more(comment)->updated_at = at;
    if (!bl_sim_complete(sim, comment)) {
        return NULL;
    }
    struct bl_list *comments = bl_sim_list(issue, BL_FIELD_ISSUE_COMMENTS);
    if (comments != NULL &&
        !bl_sim_insert(sim, comments, comment, BL_FIELD_COMMENT_CREATED_AT)) {
        return NULL;
    }
    count_comments(issue);
    touch(issue, at);
    return sim->arena->failed ? NULL : comment;
}

void bl_sim_change_comment_text(struct bl_sim *sim, struct bl_object *comment, bl_str text,
                                int64_t at)
{
    bl_object_set(comment, BL_FIELD_COMMENT_TEXT, bl_sim_keep_text(sim, text));
    struct bl_sim_comment_more *more = bl_sim_comment_more(comment);
    if (at > more->updated_at) {
        more->updated_at = at;
    }
    touch(bl_object_of(bl_object_get(comment, BL_FIELD_COMMENT_ISSUE)), at);
}

void bl_sim_change_delete_comment(struct bl_sim *sim, struct bl_object *comment, int64_t at)
{
    struct bl_object *issue = bl_object_of(bl_object_get(comment, BL_FIELD_COMMENT_ISSUE));
    struct bl_list *comments = bl_sim_list(issue, BL_FIELD_ISSUE_COMMENTS);
    for (uint32_t i = 0; comments != NULL && i < comments->count; i++) {
        if (comments->items[i].as.object == comment) {
            remove_item(comments, i);
            break;
        }
    }
    count_comments(issue);
    bl_sim_remove(sim, comment);
    touch(issue, at);
}

void bl_sim_count_reactions(struct bl_object *comment)
{
    int64_t up = 0;
    int64_t down = 0;
    struct bl_list *reactions = bl_sim_list(comment, BL_FIELD_COMMENT_REACTIONS);
    for (uint32_t i = 0; reactions != NULL && i < reactions->count; i++) {
        unsigned kind = bl_sim_member(reactions->items[i].as.object, BL_FIELD_REACTION_KIND);
        up += kind == BL_REACTION_KIND_THUMBS_UP;
        down += kind == BL_REACTION_KIND_THUMBS_DOWN;
    }
    bl_object_set(comment, BL_FIELD_COMMENT_THUMBS_UP, bl_int(up));
    bl_object_set(comment, BL_FIELD_COMMENT_THUMBS_DOWN, bl_int(down));
}

bool bl_sim_change_react(struct bl_sim *sim, struct bl_object *comment, struct bl_object *user,
                         unsigned kind, int64_t at, bool *changed)
{
    struct bl_list *reactions = bl_sim_list(comment, BL_FIELD_COMMENT_REACTIONS);
    *changed = true;
    if (reactions == NULL) {
        return true;
    }
    for (uint32_t i = 0; i < reactions->count; i++) {
        const struct bl_object *old = reactions->items[i].as.object;
        if (bl_sim_member(old, BL_FIELD_REACTION_KIND) == kind &&
            bl_object_get(old, BL_FIELD_REACTION_USER).as.object == user) {
            *changed = false;
            return true;
        }
    }
    struct bl_object *reaction =
        bl_object_create(sim->arena, BL_ENTITY_REACTION, bl_sim_next_id(sim), sim->repository);
    if (reaction == NULL) {
        return false;
    }
    bl_object_set(reaction, BL_FIELD_REACTION_USER, bl_object_value(user));
    bl_object_set(reaction, BL_FIELD_REACTION_KIND,
                  bl_member_value(BL_ENUM_REACTION_KIND, kind));
    bl_object_set(reaction, BL_FIELD_REACTION_AT, bl_number(BL_V_TIME, at));
    if (!bl_sim_insert(sim, reactions, reaction, BL_FIELD_REACTION_AT)) {
        return false;
    }
    bl_sim_count_reactions(comment);
    return true;
}

bool bl_sim_change_edit(struct bl_sim *sim, struct bl_object *issue, struct bl_object *editor,
                        bl_str text, int64_t at)
{
    bl_object_set(issue, BL_FIELD_ISSUE_TEXT, bl_sim_keep_text(sim, text));
    touch(issue, at);
    struct bl_list *edits = bl_sim_list(issue, BL_FIELD_ISSUE_TEXT_EDITS);
    if (edits == NULL) {
        return !sim->arena->failed;
    }
    struct bl_object *edit =
        bl_object_create(sim->arena, BL_ENTITY_EDIT, bl_sim_next_id(sim), sim->repository);
    if (edit == NULL) {
        return false;
    }
    bl_object_set(edit, BL_FIELD_EDIT_EDITOR, bl_object_value(editor));
    bl_object_set(edit, BL_FIELD_EDIT_AT, bl_number(BL_V_TIME, at));
    return bl_sim_insert(sim, edits, edit, BL_FIELD_EDIT_AT);
}

struct bl_object *bl_sim_change_status(struct bl_sim *sim, struct bl_object *commit,
                                       struct bl_object *creator, bl_str context,
                                       unsigned state, bl_str description, int64_t at)
{
    struct bl_object *status =
        bl_sim_add(sim, BL_ENTITY_STATUS, bl_sim_next_id(sim), BL_STR(""));
    struct bl_sim_status_more *more = status != NULL ? status->handle : NULL;
    if (more == NULL) {
        return NULL;
    }
    more->description = bl_sim_keep(sim, description);
    bl_object_set(status, BL_FIELD_STATUS_CONTEXT, bl_sim_keep_text(sim, context));
    bl_object_set(status, BL_FIELD_STATUS_STATE, bl_member_value(BL_ENUM_STATUS_STATE, state));
    bl_object_set(status, BL_FIELD_STATUS_CREATOR, bl_object_value(creator));
    bl_object_set(status, BL_FIELD_STATUS_COMMIT, bl_object_value(commit));
    bl_object_set(status, BL_FIELD_STATUS_CREATED_AT, bl_number(BL_V_TIME, at));
    return bl_sim_complete(sim, status) ? status : NULL;
}
