/* SPDX-License-Identifier: Apache-2.0 */
#include "world/scenario.h"

/* Effects with the proofs that plans look for, and what people do. */

#define ARGS_MAX 4

struct effect {
    struct scenario *s;
    const struct bl_json *command;
    struct bl_effect_call call;
    struct bl_value args[ARGS_MAX];
    struct bl_object *target;
};

static struct bl_value word(enum bl_enum which, bl_str spelling)
{
    unsigned member = bl_enum_member_find(which, spelling);
    return member < bl_enum_member_count(which) ? bl_member_value(which, member) : bl_absent();
}

static struct bl_value text_or_absent(bl_str text)
{
    return text.len > 0 ? bl_text(text) : bl_absent();
}

static void add(struct effect *e, struct bl_value value)
{
    e->args[e->call.arg_count++] = value;
}

static struct bl_object *issue_of(struct scenario *s, int64_t number)
{
    return bl_snapshot_object(s->snapshot, BL_ENTITY_ISSUE, number, s->repository);
}

static bool on_comment(enum bl_effect effect)
{
    return effect == BL_EFFECT_MARK || effect == BL_EFFECT_REACT;
}

static bool on_nothing(enum bl_effect effect)
{
    return effect == BL_EFFECT_ENSURE_LABEL || effect == BL_EFFECT_STATUS ||
           effect == BL_EFFECT_DISMISS;
}

static enum bl_effect find_effect(bl_str words)
{
    unsigned effect = 0;
    while (effect < BL_EFFECT_COUNT &&
           !bl_str_equal(bl_effect_info((enum bl_effect)effect)->words, words)) {
        effect++;
    }
    return (enum bl_effect)effect;
}

/* The arguments in the order of effects.def. */
static void fill(struct effect *e)
{
    const struct bl_json *c = e->command;
    struct scenario *s = e->s;
    int64_t of = scenario_number(c, "of");
    switch (e->call.effect) {
    case BL_EFFECT_ENSURE_LABEL:
        add(e, bl_text(scenario_text(c, "label")));
        break;
    case BL_EFFECT_ADD_LABEL:
    case BL_EFFECT_REMOVE_LABEL:
        add(e, bl_object_value(e->target));
        add(e, bl_text(scenario_text(c, "label")));
        add(e, text_or_absent(scenario_text(c, "because")));
        break;
    case BL_EFFECT_REACT:
        add(e, bl_object_value(e->target));
        add(e, word(BL_ENUM_REACTION_KIND, scenario_text(c, "kind")));
        break;
    case BL_EFFECT_MILESTONE:
        add(e, bl_object_value(e->target));
        add(e, bl_text(scenario_text(c, "milestone")));
        break;
    case BL_EFFECT_CLOSE:
        add(e, bl_object_value(e->target));
        add(e, word(BL_ENUM_STATE_REASON, scenario_text(c, "reason")));
        add(e, of > 0 ? bl_object_value(issue_of(s, of)) : bl_absent());
        add(e, bl_absent());
        break;
    case BL_EFFECT_LOCK:
        add(e, bl_object_value(e->target));
        add(e, word(BL_ENUM_LOCK_REASON, scenario_text(c, "reason")));
        break;
    case BL_EFFECT_STATUS:
        add(e, bl_object_value(bl_snapshot_object(s->snapshot, BL_ENTITY_COMMIT, 0,
                                                  scenario_text(c, "sha"))));
        add(e, bl_text(scenario_text(c, "context")));
        add(e, word(BL_ENUM_STATUS_STATE, scenario_text(c, "state")));
        add(e, text_or_absent(scenario_text(c, "description")));
        break;
    case BL_EFFECT_KEEP:              /* a file of the job's, not GitHub's */
    case BL_EFFECT_SUGGEST_DUPLICATE: /* the client refuses it: there is nothing to compare */
        break;
    case BL_EFFECT_DISMISS:
        e->target = bl_snapshot_object(s->snapshot, BL_ENTITY_ALERT,
                                       scenario_number(c, "number"), s->repository);
        e->call.target = e->target;
        add(e, bl_object_value(e->target));
        add(e, word(BL_ENUM_DISMISSAL, scenario_text(c, "reason")));
        add(e, bl_text(scenario_text(c, "because")));
        break;
    case BL_EFFECT_POST:
    case BL_EFFECT_REOPEN:
    case BL_EFFECT_MARK:
        add(e, bl_object_value(e->target));
        break;
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
}

/* ---- proofs ------------------------------------------------------------------------------ */

static bool field(struct effect *e, struct bl_object *object, enum bl_field which,
                  struct bl_value *out, struct bl_failure *failure)
{
    return bl_snapshot_field(e->s->snapshot, object, which, out, failure) == BL_OK &&
           (out->tag != BL_V_LIST || bl_list_complete(out->as.list) == BL_OK);
}

static bool has_label(struct bl_value labels, bl_str name)
{
    for (uint32_t i = 0; labels.tag == BL_V_LIST && i < labels.as.list->count; i++) {
        if (bl_str_equal_nocase(bl_text_of(labels.as.list->items[i]), name)) {
            return true;
        }
    }
    return false;
}

static bool is_mine(struct effect *e, const struct bl_object *thing, enum bl_field author)
{
    const struct bl_object *user = bl_object_of(bl_object_get(thing, author));
    return user != NULL && bl_str_equal_nocase(user->name, e->s->account);
}

static bool has_comment(struct effect *e, struct bl_value comments)
{
    for (uint32_t i = 0; comments.tag == BL_V_LIST && i < comments.as.list->count; i++) {
        const struct bl_object *comment = comments.as.list->items[i].as.object;
        if (is_mine(e, comment, BL_FIELD_COMMENT_AUTHOR) &&
            bl_str_equal(bl_text_of(bl_object_get(comment, BL_FIELD_COMMENT_TEXT)),
                         e->call.body)) {
            return true;
        }
    }
    return false;
}

static bool has_reaction(struct effect *e, struct bl_value reactions)
{
    for (uint32_t i = 0; reactions.tag == BL_V_LIST && i < reactions.as.list->count; i++) {
        const struct bl_object *reaction = reactions.as.list->items[i].as.object;
        if (is_mine(e, reaction, BL_FIELD_REACTION_USER) &&
            bl_object_get(reaction, BL_FIELD_REACTION_KIND).as.i == e->args[1].as.i) {
            return true;
        }
    }
    return false;
}

/* As runtime/plan looks for them: false when it could not look. */
static bool prove(struct effect *e, bool *there, struct bl_failure *failure)
{
    struct bl_value v = bl_absent();
    bool good = true;
    *there = false;
    if (e->call.effect == BL_EFFECT_ADD_LABEL || e->call.effect == BL_EFFECT_REMOVE_LABEL) {
        good = field(e, e->target, BL_FIELD_ISSUE_LABELS, &v, failure);
        *there = good && has_label(v, bl_text_of(e->args[1])) ==
                             (e->call.effect == BL_EFFECT_ADD_LABEL);
    } else if (e->call.effect == BL_EFFECT_POST) {
        good = field(e, e->target, BL_FIELD_ISSUE_COMMENTS, &v, failure);
        *there = good && has_comment(e, v);
    } else if (e->call.effect == BL_EFFECT_REACT) {
        good = field(e, e->target, BL_FIELD_COMMENT_REACTIONS, &v, failure);
        *there = good && has_reaction(e, v);
    } else if (e->call.effect == BL_EFFECT_CLOSE || e->call.effect == BL_EFFECT_REOPEN) {
        bool close = e->call.effect == BL_EFFECT_CLOSE;
        good = field(e, e->target, BL_FIELD_ISSUE_STATE, &v, failure);
        *there = good && v.as.i == (close ? BL_ISSUE_STATE_CLOSED : BL_ISSUE_STATE_OPEN);
    } else if (e->call.effect == BL_EFFECT_LOCK) {
        good = field(e, e->target, BL_FIELD_ISSUE_LOCKED, &v, failure);
        *there = good && v.as.i != 0;
    } else if (e->s->world->holds != NULL &&
               (e->call.effect == BL_EFFECT_ENSURE_LABEL ||
                e->call.effect == BL_EFFECT_MILESTONE || e->call.effect == BL_EFFECT_STATUS ||
                e->call.effect == BL_EFFECT_DISMISS)) {
        good = e->s->world->holds(e->s->world->self, &e->s->arena, &e->call, there, failure) !=
               BL_FAILED;
    }
    return good;
}

/* ---- one effect -------------------------------------------------------------------------- */

static void put_result(struct bl_json_writer *out, bl_str word_of,
                       const struct bl_failure *failure)
{
    bl_json_key(out, BL_STR("written"));
    bl_json_string(out, word_of);
    bl_json_key(out, BL_STR("what"));
    bl_json_string(out, failure->what);
    bl_json_key(out, BL_STR("why"));
    bl_json_string(out, failure->why);
    bl_json_key(out, BL_STR("help"));
    bl_json_string(out, failure->help);
    bl_json_key(out, BL_STR("again"));
    bl_json_bool(out, failure->again);
}

static bl_str carry_out(struct effect *e, struct bl_failure *failure)
{
    switch (e->s->world->write(e->s->world->self, &e->s->arena, &e->call, failure)) {
    case BL_WRITTEN:
        return BL_STR("yes");
    case BL_NOT_WRITTEN:
        return BL_STR("no");
    case BL_UNKNOWN_WRITTEN:
        break;
    }
    return BL_STR("unknown");
}

void scenario_effect(struct scenario *s, const struct bl_json *command,
                     struct bl_json_writer *out)
{
    struct bl_failure failure = {.again = false};
    struct effect e = {.s = s, .command = command};
    bool there = false;
    e.call.effect = find_effect(scenario_text(command, "effect"));
    e.call.args = e.args;
    e.call.account = s->account;
    e.call.body = scenario_text(command, "body");
    e.call.label_color = scenario_text(command, "color");
    e.call.label_description = scenario_text(command, "description");
    if (!on_nothing(e.call.effect)) {
        e.target = bl_snapshot_object(
            s->snapshot, on_comment(e.call.effect) ? BL_ENTITY_COMMENT : BL_ENTITY_ISSUE,
            scenario_number(command, "number"), s->repository);
        e.call.target = e.target;
    }
    fill(&e);
    if (scenario_flag(command, "prove")) {
        if (!prove(&e, &there, &failure)) {
            put_result(out, BL_STR("no"), &failure);
            return;
        }
    }
    put_result(out, there ? BL_STR("there") : carry_out(&e, &failure), &failure);
    if (e.target != NULL) {
        bl_snapshot_forget(s->snapshot, e.target);
    }
}

/* ---- people ------------------------------------------------------------------------------ */

void scenario_act(struct scenario *s, const struct bl_json *c, struct bl_json_writer *out)
{
    bl_str what = scenario_text(c, "act");
    bl_str who = scenario_text(c, "who");
    int64_t number = scenario_number(c, "number");
    int64_t at = s->sim != NULL ? bl_sim_now(s->sim) : 0;
    enum bl_status status = BL_ERR_INVALID;
    if (s->sim == NULL) {
        status = BL_ERR_INTERNAL;
    } else if (bl_str_equal(what, BL_STR("label"))) {
        status = bl_sim_label(s->sim, who, number, scenario_text(c, "label"), at, NULL);
    } else if (bl_str_equal(what, BL_STR("unlabel"))) {
        status = bl_sim_unlabel(s->sim, who, number, scenario_text(c, "label"), at, NULL);
    } else if (bl_str_equal(what, BL_STR("comment"))) {
        status = bl_sim_comment(s->sim, who, number, scenario_text(c, "body"), at, NULL);
    } else if (bl_str_equal(what, BL_STR("close"))) {
        status = bl_sim_close(
            s->sim, who, number,
            bl_enum_member_find(BL_ENUM_STATE_REASON, scenario_text(c, "reason")), at, NULL);
    } else if (bl_str_equal(what, BL_STR("reopen"))) {
        status = bl_sim_reopen(s->sim, who, number, at, NULL);
    } else if (bl_str_equal(what, BL_STR("edit"))) {
        status = bl_sim_edit(s->sim, who, number, scenario_text(c, "body"), at, NULL);
    } else if (bl_str_equal(what, BL_STR("delete comment"))) {
        status = bl_sim_delete_comment(s->sim, who, number, at, NULL);
    } else if (bl_str_equal(what, BL_STR("open"))) {
        status = bl_sim_open(s->sim, who, number, scenario_text(c, "title"),
                             scenario_text(c, "body"), at, NULL);
    }
    bl_json_key(out, BL_STR("done"));
    bl_json_bool(out, status == BL_OK);
}
