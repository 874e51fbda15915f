/* SPDX-License-Identifier: Apache-2.0 */
#include "world/sim/sim_people.h"

#include "event/names.h"
#include "world/sim/sim_change.h"
#include "world/sim/sim_payload.h"
#include "world/sim/sim_read.h"

#include <stdarg.h>

#define SENTENCE_BYTES 300

/* One act: who does it, to which issue, when. */
struct act {
    struct bl_sim *sim;
    struct bl_object *who;
    struct bl_object *issue;
    int64_t at;
};

/* ---- what all acts share ----------------------------------------------------------------- */

static enum bl_status refuse(struct bl_sim *sim, int64_t number, const char *what)
{
    struct bl_buf text;
    bl_buf_init(&text, sim->arena, SENTENCE_BYTES);
    BL_PUT(&text, "#");
    bl_buf_put_int(&text, number);
    bl_buf_printf(&text, " %s.", what);
    sim->problem = bl_buf_str(&text);
    return BL_ERR_INVALID;
}

static enum bl_status refuse_name(struct bl_sim *sim, bl_str name, const char *what)
{
    struct bl_buf text;
    bl_buf_init(&text, sim->arena, SENTENCE_BYTES);
    bl_buf_printf(&text, "'%.*s' %s.", BL_STR_ARG(bl_str_slice(name, 0, 100)), what);
    sim->problem = bl_buf_str(&text);
    return BL_ERR_INVALID;
}

bl_str bl_sim_problem(const struct bl_sim *sim)
{
    return sim->problem;
}

static enum bl_status begin(struct act *act, struct bl_sim *sim, bl_str who, int64_t at)
{
    *act = (struct act){.sim = sim, .at = at};
    if (!bl_is_login(who)) {
        return refuse_name(sim, who, "is no login");
    }
    act->who = bl_sim_user_of(sim, who);
    return act->who != NULL ? BL_OK : BL_ERR_NOMEM;
}

static enum bl_status begin_on(struct act *act, struct bl_sim *sim, bl_str who, int64_t number,
                               int64_t at)
{
    enum bl_status status = begin(act, sim, who, at);
    if (status != BL_OK) {
        return status;
    }
    act->issue = bl_sim_issue_of(sim, number);
    return act->issue != NULL ? BL_OK : refuse(sim, number, "does not exist");
}

static struct bl_sim_sending sending_of(const struct act *act, const char *name,
                                        const char *action)
{
    bool pull = bl_sim_issue_more(act->issue)->pull != NULL;
    return (struct bl_sim_sending){
        .name = pull ? "pull_request" : name,
        .action = action,
        .sender = act->who,
        .issue = pull ? NULL : act->issue,
        .pull = bl_sim_issue_more(act->issue)->pull,
        .at = act->at,
    };
}

/* The end of an act on an issue, or on a pull request, whose event has another name. */
static enum bl_status send(const struct act *act, const struct bl_sim_sending *sending,
                           struct bl_sim_delivery *out)
{
    bl_sim_set_now(act->sim, act->at);
    if (out != NULL) {
        *out = (struct bl_sim_delivery){.sent = false};
    }
    /* Some actions on pull requests are none that a rule can be about. */
    bool known = bl_event_find(bl_str_from(sending->name), bl_str_from(sending->action)) !=
                 BL_EVENT_COUNT;
    return bl_sim_send(act->sim, sending, known ? out : NULL);
}

/* ---- issues ------------------------------------------------------------------------------ */

static enum bl_status free_number(struct bl_sim *sim, int64_t *number)
{
    if (*number == 0) {
        *number = bl_sim_next_number(sim);
    }
    if (*number < 0) {
        return refuse(sim, *number, "is no number of an issue");
    }
    return bl_sim_issue_of(sim, *number) != NULL ||
                   bl_sim_find(sim, BL_ENTITY_DISCUSSION, *number, BL_STR("")) != NULL
               ? refuse(sim, *number, "exists already")
               : BL_OK;
}

enum bl_status bl_sim_open(struct bl_sim *sim, bl_str who, int64_t number, bl_str title,
                           bl_str text, int64_t at, struct bl_sim_delivery *out)
{
    struct act act;
    enum bl_status status = begin(&act, sim, who, at);
    if (status == BL_OK) {
        status = free_number(sim, &number);
    }
    if (status != BL_OK) {
        return status;
    }
    act.issue = bl_sim_add_issue(sim, number, act.who, title, text, at, false);
    if (act.issue == NULL) {
        return BL_ERR_NOMEM;
    }
    struct bl_sim_sending sending = sending_of(&act, "issues", "opened");
    return send(&act, &sending, out);
}

enum bl_status bl_sim_opened(struct bl_sim *sim, int64_t number, struct bl_sim_delivery *out)
{
    struct act act = {.sim = sim, .issue = bl_sim_issue_of(sim, number), .at = sim->now};
    if (act.issue == NULL) {
        return refuse(sim, number, "does not exist");
    }
    act.who = bl_object_of(bl_object_get(act.issue, BL_FIELD_ISSUE_AUTHOR));
    struct bl_sim_sending sending = sending_of(&act, "issues", "opened");
    return send(&act, &sending, out);
}

static enum bl_status rewrite(struct bl_sim *sim, bl_str who, int64_t number, bl_str text,
                              bool title, int64_t at, struct bl_sim_delivery *out)
{
    struct act act;
    enum bl_status status = begin_on(&act, sim, who, number, at);
    if (status != BL_OK) {
        return status;
    }
    struct bl_sim_sending sending = sending_of(&act, "issues", "edited");
    enum bl_field field = title ? BL_FIELD_ISSUE_TITLE : BL_FIELD_ISSUE_TEXT;
    sending.changed = title ? "title" : "body";
    sending.before = bl_text_of(bl_object_get(act.issue, field));
    /* GitHub keeps no edit that changes nothing and tells nobody. */
    if (bl_object_knows(act.issue, field) && bl_str_equal(sending.before, text)) {
        return refuse(sim, number, title ? "has this title already" : "has this text already");
    }
    bool good;
    if (title) {
        bl_object_set(act.issue, field, bl_sim_keep_text(sim, text));
        good = bl_sim_change_timeline(sim, act.issue, BL_TIMELINE_KIND_RENAMED, act.who, at,
                                      BL_STR(""));
    } else {
        good = bl_sim_change_edit(sim, act.issue, act.who, text, at);
    }
    return good ? send(&act, &sending, out) : BL_ERR_NOMEM;
}

enum bl_status bl_sim_edit(struct bl_sim *sim, bl_str who, int64_t number, bl_str text,
                           int64_t at, struct bl_sim_delivery *out)
{
    return rewrite(sim, who, number, text, false, at, out);
}

enum bl_status bl_sim_retitle(struct bl_sim *sim, bl_str who, int64_t number, bl_str title,
                              int64_t at, struct bl_sim_delivery *out)
{
    return rewrite(sim, who, number, title, true, at, out);
}

/* The end of a change that GitHub refuses, or at least does not send, when it is so already. */
static enum bl_status finish(struct act *act, bool good, bool changed, const char *already,
                             const struct bl_sim_sending *sending, struct bl_sim_delivery *out)
{
    if (!good) {
        return BL_ERR_NOMEM;
    }
    return changed ? send(act, sending, out) : refuse(act->sim, act->issue->key, already);
}

enum bl_status bl_sim_label(struct bl_sim *sim, bl_str who, int64_t number, bl_str label,
                            int64_t at, struct bl_sim_delivery *out)
{
    struct act act;
    bool changed;
    enum bl_status status = begin_on(&act, sim, who, number, at);
    if (status != BL_OK) {
        return status;
    }
    if (!bl_is_name(label)) {
        return refuse_name(sim, label, "is no label");
    }
    bool good = bl_sim_change_label(sim, act.issue, act.who, label, at, &changed);
    struct bl_sim_sending sending = sending_of(&act, "issues", "labeled");
    sending.label = label;
    return finish(&act, good, changed, "has this label already", &sending, out);
}

enum bl_status bl_sim_unlabel(struct bl_sim *sim, bl_str who, int64_t number, bl_str label,
                              int64_t at, struct bl_sim_delivery *out)
{
    struct act act;
    bool changed;
    enum bl_status status = begin_on(&act, sim, who, number, at);
    if (status != BL_OK) {
        return status;
    }
    bool good = bl_sim_change_unlabel(sim, act.issue, act.who, label, at, &changed);
    struct bl_sim_sending sending = sending_of(&act, "issues", "unlabeled");
    sending.label = label;
    return finish(&act, good, changed, "does not have this label", &sending, out);
}

enum bl_status bl_sim_close(struct bl_sim *sim, bl_str who, int64_t number,
                            unsigned state_reason, int64_t at, struct bl_sim_delivery *out)
{
    struct act act;
    bool changed;
    enum bl_status status = begin_on(&act, sim, who, number, at);
    if (status != BL_OK) {
        return status;
    }
    if (bl_sim_member(act.issue, BL_FIELD_ISSUE_STATE) == BL_ISSUE_STATE_CLOSED) {
        return refuse(sim, number, "is closed already");
    }
    bool good = bl_sim_change_close(sim, act.issue, act.who, state_reason, 0, at, &changed);
    struct bl_sim_sending sending = sending_of(&act, "issues", "closed");
    return finish(&act, good, changed, "is closed already", &sending, out);
}

enum bl_status bl_sim_reopen(struct bl_sim *sim, bl_str who, int64_t number, int64_t at,
                             struct bl_sim_delivery *out)
{
    struct act act;
    bool changed;
    enum bl_status status = begin_on(&act, sim, who, number, at);
    if (status != BL_OK) {
        return status;
    }
    const struct bl_object *pull = bl_sim_issue_more(act.issue)->pull;
    if (pull != NULL && bl_sim_time(pull, BL_FIELD_PULL_REQUEST_MERGED_AT) != 0) {
        return refuse(sim, number, "is merged and cannot be opened again");
    }
    bool good = bl_sim_change_reopen(sim, act.issue, act.who, at, &changed);
    struct bl_sim_sending sending = sending_of(&act, "issues", "reopened");
    return finish(&act, good, changed, "is open already", &sending, out);
}

enum bl_status bl_sim_lock(struct bl_sim *sim, bl_str who, int64_t number, int64_t at,
                           struct bl_sim_delivery *out)
{
    struct act act;
    bool changed;
    enum bl_status status = begin_on(&act, sim, who, number, at);
    if (status != BL_OK) {
        return status;
    }
    bool good = bl_sim_change_lock(sim, act.issue, act.who, BL_STR(""), at, &changed);
    struct bl_sim_sending sending = sending_of(&act, "issues", "locked");
    return finish(&act, good, changed, "is locked already", &sending, out);
}

enum bl_status bl_sim_unlock(struct bl_sim *sim, bl_str who, int64_t number, int64_t at,
                             struct bl_sim_delivery *out)
{
    struct act act;
    bool changed;
    enum bl_status status = begin_on(&act, sim, who, number, at);
    if (status != BL_OK) {
        return status;
    }
    bool good = bl_sim_change_unlock(sim, act.issue, act.who, at, &changed);
    struct bl_sim_sending sending = sending_of(&act, "issues", "unlocked");
    return finish(&act, good, changed, "is not locked", &sending, out);
}

enum bl_status bl_sim_assign(struct bl_sim *sim, bl_str who, int64_t number, bl_str assignee,
                             int64_t at, struct bl_sim_delivery *out)
{
    struct act act;
    struct act other;
    bool changed;
    enum bl_status status = begin_on(&act, sim, who, number, at);
    if (status == BL_OK) {
        status = begin(&other, sim, assignee, at);
    }
    if (status != BL_OK) {
        return status;
    }
    bool good = bl_sim_change_assign(sim, act.issue, act.who, other.who, at, &changed);
    struct bl_sim_sending sending = sending_of(&act, "issues", "assigned");
    sending.assignee = other.who;
    return finish(&act, good, changed, "has this assignee already", &sending, out);
}

/* ---- comments ---------------------------------------------------------------------------- */

static bool may_write(struct bl_sim *sim, struct bl_object *user)
{
    struct bl_value permission;
    return bl_sim_value(sim, user, BL_FIELD_USER_PERMISSION, &permission) &&
           permission.as.i <= BL_PERMISSION_WRITE;
}

/* A comment on a pull request comes as issue_comment too. */
static enum bl_status send_comment(const struct act *act, const char *action,
                                   struct bl_object *comment, bl_str before,
                                   struct bl_sim_delivery *out)
{
    struct bl_sim_sending sending = {
        .name = "issue_comment",
        .action = action,
        .sender = act->who,
        .issue = act->issue,
        .comment = comment,
        .changed = before.ptr != NULL ? "body" : NULL,
        .before = before,
        .at = act->at,
    };
    return send(act, &sending, out);
}

enum bl_status bl_sim_comment(struct bl_sim *sim, bl_str who, int64_t number, bl_str text,
                              int64_t at, struct bl_sim_delivery *out)
{
    struct act act;
    enum bl_status status = begin_on(&act, sim, who, number, at);
    if (status != BL_OK) {
        return status;
    }
    if (bl_object_get(act.issue, BL_FIELD_ISSUE_LOCKED).as.i != 0 && act.who->name.len > 0 &&
        !may_write(sim, act.who) && !bl_str_equal_nocase(act.who->name, sim->account)) {
        return refuse(sim, number, "is locked; only who may write can comment");
    }
    struct bl_object *comment = bl_sim_change_comment(sim, act.issue, act.who, text, at);
    if (comment == NULL) {
        return BL_ERR_NOMEM;
    }
    return send_comment(&act, "created", comment, (bl_str){NULL, 0}, out);
}

static enum bl_status begin_on_comment(struct act *act, struct bl_sim *sim, bl_str who,
                                       int64_t id, int64_t at, struct bl_object **comment)
{
    enum bl_status status = begin(act, sim, who, at);
    if (status != BL_OK) {
        return status;
    }
    *comment = bl_sim_find(sim, BL_ENTITY_COMMENT, id, BL_STR(""));
    if (*comment == NULL) {
        return refuse(sim, id, "is the id of no comment");
    }
    act->issue = bl_object_of(bl_object_get(*comment, BL_FIELD_COMMENT_ISSUE));
    return BL_OK;
}

enum bl_status bl_sim_react(struct bl_sim *sim, bl_str who, int64_t id, unsigned reaction,
                            int64_t at)
{
    struct act act;
    struct bl_object *comment;
    bool changed;
    enum bl_status status = begin_on_comment(&act, sim, who, id, at, &comment);
    if (status != BL_OK) {
        return status;
    }
    if (!bl_sim_change_react(sim, comment, act.who, reaction, at, &changed)) {
        return BL_ERR_NOMEM;
    }
    bl_sim_set_now(sim, at);
    return changed ? BL_OK : refuse(sim, id, "has this reaction of that person already");
}

enum bl_status bl_sim_edit_comment(struct bl_sim *sim, bl_str who, int64_t id, bl_str text,
                                   int64_t at, struct bl_sim_delivery *out)
{
    struct act act;
    struct bl_object *comment;
    enum bl_status status = begin_on_comment(&act, sim, who, id, at, &comment);
    if (status != BL_OK) {
        return status;
    }
    bl_str before = bl_text_of(bl_object_get(comment, BL_FIELD_COMMENT_TEXT));
    if (bl_str_equal(before, text)) {
        return refuse(sim, id, "has this text already");
    }
    bl_sim_change_comment_text(sim, comment, text, at);
    return send_comment(&act, "edited", comment, before, out);
}

enum bl_status bl_sim_delete_comment(struct bl_sim *sim, bl_str who, int64_t id, int64_t at,
                                     struct bl_sim_delivery *out)
{
    struct act act;
    struct bl_object *comment;
    enum bl_status status = begin_on_comment(&act, sim, who, id, at, &comment);
    if (status != BL_OK) {
        return status;
    }
    bl_sim_change_delete_comment(sim, comment, at);
    return send_comment(&act, "deleted", comment, (bl_str){NULL, 0}, out);
}

int64_t bl_sim_newest_comment(const struct bl_sim *sim, int64_t number)
{
    const struct bl_object *issue = bl_sim_issue_of(sim, number);
    const struct bl_list *comments =
        issue != NULL ? bl_sim_list(issue, BL_FIELD_ISSUE_COMMENTS) : NULL;
    return comments != NULL && comments->count > 0
               ? comments->items[comments->count - 1].as.object->key
               : 0;
}

/* ---- what nobody does -------------------------------------------------------------------- */

enum bl_status bl_sim_morning(struct bl_sim *sim, int64_t at, struct bl_sim_delivery *out)
{
    struct bl_sim_sending sending = {.name = "schedule", .at = at};
    bl_sim_set_now(sim, at);
    return bl_sim_send(sim, &sending, out);
}

enum bl_status bl_sim_by_hand(struct bl_sim *sim, bl_str who,
                              const struct bl_sim_inputs *inputs, int64_t at,
                              struct bl_sim_delivery *out)
{
    struct act act;
    enum bl_status status = begin(&act, sim, who, at);
    if (status != BL_OK) {
        return status;
    }
    struct bl_sim_sending sending = {
        .name = "workflow_dispatch", .sender = act.who, .inputs = inputs, .at = at};
    bl_sim_set_now(sim, at);
    status = bl_sim_send(sim, &sending, out);
    return status == BL_ERR_INVALID ? refuse_name(sim, inputs->task, "is no task") : status;
}
