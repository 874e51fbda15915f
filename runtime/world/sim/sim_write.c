/* SPDX-License-Identifier: Apache-2.0 */
#include "world/sim/sim_write.h"

#include "base/utf8.h"
#include "world/sim/sim_change.h"
#include "world/sim/sim_people.h"
#include "world/sim/sim_read.h"

#define LINE_BYTES 400

/* GitHub's bounds; more is answered with 422. */
#define LABEL_DESCRIPTION_CHARS  100
#define STATUS_DESCRIPTION_CHARS 140
#define LABEL_NAME_CHARS         50
#define LABELS_PER_ISSUE         100

struct writing {
    struct bl_sim *sim;
    struct bl_object *me;
    const struct bl_effect_call *call;
    struct bl_failure *failure;
    struct bl_object *issue;   /* the issue or pull request that is acted on */
    struct bl_object *comment; /* the comment */
    struct bl_buf line;        /* the write in words */
};

static bool refuse(struct writing *w, bl_str why)
{
    w->failure->why = why;
    return false;
}

static struct bl_value argument(const struct writing *w, size_t index)
{
    return index < w->call->arg_count ? w->call->args[index] : bl_absent();
}

static void put_number(struct writing *w, const char *between)
{
    bl_buf_printf(&w->line, "%s#", between);
    bl_buf_put_int(&w->line, w->issue->key);
}

/* ---- one function an effect -------------------------------------------------------------- */

static bool label_can_be(struct writing *w, bl_str name)
{
    if (bl_str_trim(name).len == 0) {
        return refuse(w, BL_STR("GitHub answered 422: a label needs a name"));
    }
    return bl_utf8_length(name) <= LABEL_NAME_CHARS ||
           refuse(w, BL_STR("GitHub answered 422: the name of a label has at most 50 "
                            "characters"));
}

static bool write_ensure_label(struct writing *w)
{
    bl_str name = bl_text_of(argument(w, 0));
    bl_str color = w->call->label_color;
    bl_str description = w->call->label_description;
    BL_PUT(&w->line, "ensure label ");
    bl_buf_put(&w->line, name);
    if (!label_can_be(w, name)) {
        return false;
    }
    if (bl_utf8_length(description) > LABEL_DESCRIPTION_CHARS) {
        return refuse(w, BL_STR("GitHub answered 422: the description of a label has at most "
                                "100 characters"));
    }
    struct bl_sim_label_row *row = bl_sim_find_label(w->sim, name);
    if (row == NULL) {
        return bl_sim_add_label(w->sim, name, color, description) != NULL;
    }
    row->color = bl_sim_keep(w->sim, color);
    row->description = bl_sim_keep(w->sim, description);
    return true;
}

/* A label that the repository lacks is made; an issue has at most a hundred. */
static bool label_fits(struct writing *w, bl_str name)
{
    const struct bl_list *labels = bl_sim_list(w->issue, BL_FIELD_ISSUE_LABELS);
    bool there = false;
    for (uint32_t i = 0; labels != NULL && i < labels->count; i++) {
        there = there || bl_str_equal_nocase(bl_text_of(labels->items[i]), name);
    }
    if (labels != NULL && labels->count >= LABELS_PER_ISSUE && !there) {
        return refuse(w, BL_STR("GitHub answered 422: an issue has at most 100 labels"));
    }
    return bl_sim_find_label(w->sim, name) != NULL || label_can_be(w, name);
}

static bool write_label(struct writing *w)
{
    bool add = w->call->effect == BL_EFFECT_ADD_LABEL;
    bl_str name = bl_text_of(argument(w, 1));
    bool changed;
    bl_buf_put(&w->line, add ? BL_STR("add label ") : BL_STR("remove label "));
    bl_buf_put(&w->line, name);
    put_number(w, add ? " to " : " from ");
    if (add && !label_fits(w, name)) {
        return false;
    }
    return add ? bl_sim_change_label(w->sim, w->issue, w->me, name, w->sim->now, &changed)
               : bl_sim_change_unlabel(w->sim, w->issue, w->me, name, w->sim->now, &changed);
}

static bool write_post(struct writing *w)
{
    BL_PUT(&w->line, "post");
    put_number(w, " on ");
    if (bl_str_trim(w->call->body).len == 0) {
        return refuse(w, BL_STR("GitHub answered 422: a comment cannot be empty"));
    }
    if (bl_utf8_length(w->call->body) > bl_limit(BL_LIMIT_COMMENT_CHARS)) {
        return refuse(w, BL_STR("GitHub answered 422: a comment has at most 65536 characters"));
    }
    return bl_sim_change_comment(w->sim, w->issue, w->me, w->call->body, w->sim->now) != NULL;
}

/* The first line is ours, the rest is what it is now. */
static bool write_mark(struct writing *w)
{
    bl_str old = bl_text_of(bl_object_get(w->comment, BL_FIELD_COMMENT_TEXT));
    struct bl_buf text;
    BL_PUT(&w->line, "mark a comment");
    put_number(w, " on ");
    bl_buf_init(&text, w->sim->arena, w->call->body.len + old.len);
    bl_buf_put(&text, w->call->body);
    bl_buf_put(&text, bl_str_behind_line(old));
    if (text.failed) {
        return false;
    }
    bl_sim_change_comment_text(w->sim, w->comment, bl_buf_str(&text), w->sim->now);
    return true;
}

static bool write_react(struct writing *w)
{
    unsigned kind = (unsigned)argument(w, 1).as.i;
    bool changed;
    BL_PUT(&w->line, "react ");
    bl_buf_put(&w->line, bl_enum_member(BL_ENUM_REACTION_KIND, kind));
    put_number(w, " on ");
    return bl_sim_change_react(w->sim, w->comment, w->me, kind, w->sim->now, &changed);
}

static bool write_milestone(struct writing *w)
{
    bool changed;
    BL_PUT(&w->line, "milestone ");
    bl_buf_put(&w->line, bl_text_of(argument(w, 1)));
    put_number(w, " for ");
    return bl_sim_change_milestone(w->sim, w->issue, w->me, bl_text_of(argument(w, 1)),
                                   w->sim->now, &changed);
}

static bool write_close(struct writing *w)
{
    struct bl_object *original = bl_object_of(argument(w, 2));
    unsigned reason = (unsigned)argument(w, 1).as.i;
    bool changed;
    BL_PUT(&w->line, "close");
    put_number(w, " ");
    bl_buf_put_char(&w->line, ' ');
    bl_buf_put(&w->line, bl_enum_member(BL_ENUM_STATE_REASON, reason));
    if (original != NULL) {
        BL_PUT(&w->line, " of #");
        bl_buf_put_int(&w->line, original->key);
    }
    return bl_sim_change_close(w->sim, w->issue, w->me, reason,
                               original != NULL ? original->key : 0, w->sim->now, &changed);
}

static bool write_lock(struct writing *w)
{
    bl_str reason = bl_enum_member(BL_ENUM_LOCK_REASON, (unsigned)argument(w, 1).as.i);
    bool changed;
    BL_PUT(&w->line, "lock");
    put_number(w, " ");
    return bl_sim_change_lock(w->sim, w->issue, w->me, reason, w->sim->now, &changed);
}

static bool write_reopen(struct writing *w)
{
    bool changed;
    BL_PUT(&w->line, "reopen");
    put_number(w, " ");
    return bl_sim_change_reopen(w->sim, w->issue, w->me, w->sim->now, &changed);
}

static bool write_status(struct writing *w)
{
    struct bl_object *commit = bl_object_of(argument(w, 0));
    bl_str context = bl_text_of(argument(w, 1));
    unsigned state = (unsigned)argument(w, 2).as.i;
    BL_PUT(&w->line, "status ");
    bl_buf_put(&w->line, context);
    bl_buf_put_char(&w->line, ' ');
    bl_buf_put(&w->line, bl_enum_member(BL_ENUM_STATUS_STATE, state));
    if (commit == NULL) {
        return refuse(w, BL_STR("a status needs a commit"));
    }
    if (bl_utf8_length(bl_text_of(argument(w, 3))) > STATUS_DESCRIPTION_CHARS) {
        return refuse(w, BL_STR("GitHub answered 422: the description of a status has at most "
                                "140 characters"));
    }
    if (bl_sim_find(w->sim, BL_ENTITY_COMMIT, 0, commit->name) == NULL && !w->sim->partial) {
        return refuse(w, BL_STR("GitHub answered 422: there is no such commit"));
    }
    commit = bl_sim_commit_of(w->sim, commit->name);
    return commit != NULL &&
           bl_sim_change_status(w->sim, commit, w->me, context, state,
                                bl_text_of(argument(w, 3)), w->sim->now) != NULL;
}

static bool write_suggest(struct writing *w)
{
    const struct bl_object *other = bl_object_of(argument(w, 1));
    if (other == NULL || other->entity != BL_ENTITY_ISSUE) {
        return refuse(w, BL_STR("a suggested duplicate needs another issue"));
    }
    BL_PUT(&w->line, "suggest");
    put_number(w, " ");
    BL_PUT(&w->line, " as a duplicate of #");
    bl_buf_put_int(&w->line, other->key);
    bl_sim_issue_more(w->issue)->suggested = other->key;
    return true;
}

static struct bl_object *alert_of(const struct writing *w)
{
    const struct bl_object *alert = bl_object_of(argument(w, 0));
    return alert != NULL && alert->entity == BL_ENTITY_ALERT
               ? bl_sim_find(w->sim, BL_ENTITY_ALERT, alert->key, alert->name)
               : NULL;
}

static bool write_rows(struct writing *w)
{
    BL_PUT(&w->line, "write ");
    bl_buf_put(&w->line, w->call->path);
    return bl_sim_store(w->sim, w->call->path, w->call->body) == BL_OK;
}

static bool write_dismiss(struct writing *w)
{
    struct bl_object *alert = alert_of(w);
    bl_str reason = bl_enum_member(BL_ENUM_DISMISSAL, (unsigned)argument(w, 1).as.i);
    bl_str comment = bl_text_of(argument(w, 2));
    if (alert == NULL) {
        return refuse(w, BL_STR("GitHub answered 404: there is no such alert"));
    }
    BL_PUT(&w->line, "dismiss alert ");
    bl_buf_put_int(&w->line, alert->key);
    BL_PUT(&w->line, " as ");
    bl_buf_put(&w->line, reason);
    if (bl_utf8_length(comment) > bl_limit(BL_LIMIT_DISMISSAL_CHARS)) {
        return refuse(w, BL_STR("GitHub answered 422: the comment of a dismissal has at most "
                                "280 characters"));
    }
    struct bl_sim_alert_more *more = alert->handle;
    more->dismissed = reason;
    more->comment = bl_sim_keep(w->sim, comment);
    return true;
}

static bool carry_out(struct writing *w)
{
    switch (w->call->effect) {
    case BL_EFFECT_ENSURE_LABEL:
        return write_ensure_label(w);
    case BL_EFFECT_MARK:
        return write_mark(w);
    case BL_EFFECT_ADD_LABEL:
    case BL_EFFECT_REMOVE_LABEL:
        return write_label(w);
    case BL_EFFECT_POST:
        return write_post(w);
    case BL_EFFECT_REACT:
        return write_react(w);
    case BL_EFFECT_MILESTONE:
        return write_milestone(w);
    case BL_EFFECT_CLOSE:
        return write_close(w);
    case BL_EFFECT_LOCK:
        return write_lock(w);
    case BL_EFFECT_REOPEN:
        return write_reopen(w);
    case BL_EFFECT_STATUS:
        return write_status(w);
    case BL_EFFECT_DISMISS:
        return write_dismiss(w);
    case BL_EFFECT_SUGGEST_DUPLICATE:
        return write_suggest(w);
    case BL_EFFECT_KEEP:
        return write_rows(w);
    case BL_EFFECT_START:
    case BL_EFFECT_OUTPUT:
    case BL_EFFECT_NOTICE:
    case BL_EFFECT_WARN:
    case BL_EFFECT_ERROR:
    case BL_EFFECT_FAIL:
    case BL_EFFECT_SUMMARY:
    case BL_EFFECT_COUNT:
        break;
    }
    return refuse(w, BL_STR("this effect is the job's own, not the repository's"));
}

/* ---- around it --------------------------------------------------------------------------- */

static bool needs_comment(enum bl_effect effect)
{
    return effect == BL_EFFECT_MARK || effect == BL_EFFECT_REACT;
}

static bool needs_issue(enum bl_effect effect)
{
    return effect == BL_EFFECT_ADD_LABEL || effect == BL_EFFECT_REMOVE_LABEL ||
           effect == BL_EFFECT_POST || effect == BL_EFFECT_MILESTONE ||
           effect == BL_EFFECT_CLOSE || effect == BL_EFFECT_LOCK ||
           effect == BL_EFFECT_REOPEN || effect == BL_EFFECT_SUGGEST_DUPLICATE;
}

/* The model's things for the target, which is an object of a snapshot. */
static bool find_target(struct writing *w)
{
    struct bl_object *target =
        w->call->target != NULL ? w->call->target : bl_object_of(argument(w, 0));
    if (needs_comment(w->call->effect)) {
        w->comment = target != NULL
                         ? bl_sim_find(w->sim, BL_ENTITY_COMMENT, target->key, target->name)
                         : NULL;
        if (w->comment == NULL) {
            return refuse(w, BL_STR("GitHub answered 404: the comment is gone"));
        }
        w->issue = bl_object_of(bl_object_get(w->comment, BL_FIELD_COMMENT_ISSUE));
    } else if (needs_issue(w->call->effect)) {
        w->issue = target != NULL
                       ? bl_sim_find(w->sim, BL_ENTITY_ISSUE, target->key, target->name)
                       : NULL;
        if (w->issue == NULL) {
            w->failure->help = w->sim->partial ? BL_SIM_WORLD_HELP : BL_STR("");
            return refuse(w, BL_STR("GitHub answered 404: there is no such issue"));
        }
    }
    return true;
}

static bool is_cut(const struct bl_sim *sim)
{
    return sim->cut && sim->writes_left == 0;
}

static void log_write(struct writing *w)
{
    if (w->sim->cut) {
        w->sim->writes_left--;
    }
    bl_str *line = BL_PUSH(w->sim->arena, w->sim->written);
    if (line != NULL) {
        *line = bl_buf_str(&w->line);
    }
}

static enum bl_written write_whole(struct writing *w)
{
    if (is_cut(w->sim)) {
        w->failure->again = true;
        refuse(w, BL_STR("the run was cut here"));
        return BL_NOT_WRITTEN;
    }
    enum bl_sim_fault fault = bl_sim_take_fault(&w->sim->write_fault);
    if (fault != BL_FAULT_NONE) {
        bl_sim_explain_fault(fault, w->failure);
        if (fault != BL_FAULT_LOST_ANSWER) {
            return BL_NOT_WRITTEN;
        }
    }
    if (!find_target(w) || !carry_out(w)) {
        return BL_NOT_WRITTEN;
    }
    log_write(w);
    return fault == BL_FAULT_LOST_ANSWER ? BL_UNKNOWN_WRITTEN : BL_WRITTEN;
}

enum bl_written bl_sim_write(void *self, struct bl_arena *arena,
                             const struct bl_effect_call *call, struct bl_failure *failure)
{
    struct bl_sim *sim = self;
    struct writing w = {.sim = sim, .call = call, .failure = failure};
    bl_buf_init(&w.line, sim->arena, LINE_BYTES);
    *failure = (struct bl_failure){.again = false};
    w.me = bl_sim_user_of(sim, sim->account);
    enum bl_written written = w.me != NULL ? write_whole(&w) : BL_NOT_WRITTEN;
    if (sim->arena->failed) {
        refuse(&w, BL_STR("out of memory"));
        written = BL_NOT_WRITTEN;
    }
    if (written != BL_WRITTEN) {
        struct bl_buf what;
        bl_buf_init(&what, arena, LINE_BYTES);
        bl_buf_printf(&what, "'%.*s' was not carried out",
                      BL_STR_ARG(bl_effect_info(call->effect)->words));
        failure->what = bl_buf_str(&what);
    }
    return written;
}

/* ---- what is there already --------------------------------------------------------------- */

static bool label_holds(const struct writing *w)
{
    const struct bl_sim_label_row *row = bl_sim_find_label(w->sim, bl_text_of(argument(w, 0)));
    return row != NULL && bl_str_equal_nocase(row->color, w->call->label_color) &&
           bl_str_equal(row->description, w->call->label_description);
}

/* The last that was set counts; statuses stand in the order of their ids. */
static bool status_holds(const struct writing *w)
{
    const struct bl_object *commit = bl_object_of(argument(w, 0));
    const struct bl_sim_things *all = &w->sim->things[BL_ENTITY_STATUS];
    const struct bl_object *last = NULL;
    for (size_t i = 0; commit != NULL && i < all->count; i++) {
        const struct bl_object *one = all->items[i];
        const struct bl_object *of = bl_object_of(bl_object_get(one, BL_FIELD_STATUS_COMMIT));
        if (of != NULL && bl_str_equal_nocase(of->name, commit->name) &&
            bl_str_equal(bl_text_of(bl_object_get(one, BL_FIELD_STATUS_CONTEXT)),
                         bl_text_of(argument(w, 1)))) {
            last = one;
        }
    }
    if (last == NULL) {
        return false;
    }
    const struct bl_object *creator =
        bl_object_of(bl_object_get(last, BL_FIELD_STATUS_CREATOR));
    const struct bl_sim_status_more *more = last->handle;
    return bl_sim_member(last, BL_FIELD_STATUS_STATE) == (unsigned)argument(w, 2).as.i &&
           creator != NULL && bl_str_equal_nocase(creator->name, w->call->account) &&
           bl_str_equal(more->description, bl_text_of(argument(w, 3)));
}

enum bl_answer bl_sim_holds(void *self, struct bl_arena *arena,
                            const struct bl_effect_call *call, bool *there,
                            struct bl_failure *failure)
{
    struct bl_sim *sim = self;
    struct writing w = {.sim = sim, .call = call, .failure = failure};
    (void)arena;
    *failure = (struct bl_failure){.again = false};
    *there = false;
    if (call->effect == BL_EFFECT_ENSURE_LABEL) {
        *there = label_holds(&w);
    } else if (call->effect == BL_EFFECT_STATUS) {
        *there = status_holds(&w);
    } else if (call->effect == BL_EFFECT_DISMISS) {
        const struct bl_object *alert = alert_of(&w);
        if (alert == NULL) {
            return BL_MISSING;
        }
        *there = ((const struct bl_sim_alert_more *)alert->handle)->dismissed.len > 0;
    } else if (call->effect == BL_EFFECT_MILESTONE) {
        if (!find_target(&w)) {
            return BL_MISSING;
        }
        *there =
            bl_str_equal(bl_sim_issue_more(w.issue)->milestone, bl_text_of(argument(&w, 1)));
    }
    return BL_FOUND;
}

size_t bl_sim_write_count(const struct bl_sim *sim)
{
    return sim->written.count;
}

bl_str bl_sim_write_text(const struct bl_sim *sim, size_t n)
{
    return n < sim->written.count ? sim->written.items[n] : BL_STR("");
}

void bl_sim_fail_writes(struct bl_sim *sim, enum bl_sim_fault fault, unsigned skip,
                        unsigned times)
{
    sim->write_fault = (struct bl_sim_planned_fault){fault, skip, times};
}

void bl_sim_cut_after(struct bl_sim *sim, size_t writes)
{
    sim->cut = true;
    sim->writes_left = writes;
}

void bl_sim_uncut(struct bl_sim *sim)
{
    sim->cut = false;
}
