/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/plan_parts.h"

/* The proofs: what is on the world already needs no effect. That is what makes a run that was
 * cut anywhere go on where it stopped. */

/* An own comment whose marker is rewritten: several effects of one plan may change it, and each
 * goes on from what the one before it made. */
struct marked {
    const struct bl_object *comment; /* of the fresh snapshot */
    uint32_t kind;
    struct bl_value *attributes;
    bl_str rest; /* of its text, behind the first line and with its line end */
};

struct proving {
    struct bl_plan *plan;
    struct bl_machine *machine;
    const struct bl_world *world;
    struct bl_snapshot *fresh; /* made when the first effect asks for it */
    BL_VEC(struct marked) marked;
};

static enum bl_status fail(struct proving *p, enum bl_status status, bl_str what)
{
    p->machine->failure = (struct bl_failure){.what = what};
    return status;
}

static enum bl_status field(struct proving *p, struct bl_snapshot *snapshot,
                            struct bl_object *object, enum bl_field which, struct bl_value *out)
{
    *out = bl_absent();
    if (object == NULL)
        return fail(p, BL_ERR_INTERNAL, BL_STR("An effect acts on nothing"));
    if (bl_object_knows(object, which)) {
        *out = bl_object_get(object, which);
        return BL_OK;
    }
    if (snapshot == NULL)
        return fail(p, BL_ERR_READ, BL_STR("There is nothing to read from"));
    p->machine->failure = (struct bl_failure){0};
    return bl_snapshot_field(snapshot, object, which, out, &p->machine->failure);
}

/* ---- labels, state, lock ----------------------------------------------------------------- */

static bool is_pull_request(const struct bl_object *thing)
{
    return thing != NULL && thing->entity == BL_ENTITY_PULL_REQUEST;
}

static enum bl_status label_is_there(struct proving *p, const struct bl_planned *planned,
                                     bool *there)
{
    struct bl_object *target = bl_planned_target(planned);
    struct bl_value labels;
    enum bl_status status =
        field(p, p->machine->snapshot, target,
              is_pull_request(target) ? BL_FIELD_PULL_REQUEST_LABELS : BL_FIELD_ISSUE_LABELS,
              &labels);
    bool end = labels.tag != BL_V_LIST;

    *there = false;
    for (uint32_t i = 0; status == BL_OK && !end && !*there; i++) {
        struct bl_value item;

        status = bl_list_at(labels.as.list, i, &item, &end);
        *there = status == BL_OK && !end &&
                 bl_value_equal(item, bl_planned_arg(planned, 1), BL_TYPE_LABEL);
    }
    return status;
}

/* GitHub ignores the reason for an issue that is closed already, so whoever closed it first has
 * said the reason. */
static enum bl_status state_is(struct proving *p, const struct bl_planned *planned,
                               unsigned state, bool *there)
{
    struct bl_object *target = bl_planned_target(planned);
    struct bl_value now;
    enum bl_status status = field(
        p, p->machine->snapshot, target,
        is_pull_request(target) ? BL_FIELD_PULL_REQUEST_STATE : BL_FIELD_ISSUE_STATE, &now);

    *there = status == BL_OK && now.tag == BL_V_ENUM && now.as.i == (int64_t)state;
    return status;
}

static enum bl_status is_locked(struct proving *p, const struct bl_planned *planned,
                                bool *there)
{
    struct bl_value locked;
    enum bl_status status = field(p, p->machine->snapshot, bl_planned_target(planned),
                                  BL_FIELD_ISSUE_LOCKED, &locked);

    *there = status == BL_OK && locked.tag == BL_V_BOOL && locked.as.i != 0;
    return status;
}

static enum bl_status reaction_is_there(struct proving *p, const struct bl_planned *planned,
                                        bool *there)
{
    struct bl_value me = p->machine->ambient[BL_AMBIENT_ME];
    struct bl_value reactions;
    enum bl_status status = field(p, p->machine->snapshot, bl_planned_target(planned),
                                  BL_FIELD_COMMENT_REACTIONS, &reactions);
    bool end = reactions.tag != BL_V_LIST;

    *there = false;
    for (uint32_t i = 0; status == BL_OK && !end && !*there; i++) {
        struct bl_value item;
        struct bl_value user;
        struct bl_value kind;

        status = bl_list_at(reactions.as.list, i, &item, &end);
        if (status == BL_OK && !end)
            status = field(p, p->machine->snapshot, bl_object_of(item), BL_FIELD_REACTION_USER,
                           &user);
        if (status == BL_OK && !end)
            status = field(p, p->machine->snapshot, bl_object_of(item), BL_FIELD_REACTION_KIND,
                           &kind);
        *there = status == BL_OK && !end && bl_value_equal(user, me, BL_TYPE_ERROR) &&
                 bl_value_equal(kind, bl_planned_arg(planned, 1), BL_TYPE_ERROR);
    }
    return status;
}

/* ---- comments ---------------------------------------------------------------------------- */

/* Another run may have written since this one looked. */
static enum bl_status fresh_snapshot(struct proving *p)
{
    if (p->fresh == NULL)
        p->fresh = bl_snapshot_create(p->plan->arena, p->world);
    return p->fresh != NULL ? BL_OK : fail(p, BL_ERR_NOMEM, BL_STR("Out of memory"));
}

/* The comments of a pull request are those of the issue of its number. */
static enum bl_status fresh_comments(struct proving *p, const struct bl_object *target,
                                     struct bl_value *out)
{
    enum bl_status status = fresh_snapshot(p);

    if (status != BL_OK)
        return status;
    struct bl_object *issue =
        bl_snapshot_object(p->fresh, BL_ENTITY_ISSUE, target->key, target->name);
    if (issue == NULL)
        return fail(p, BL_ERR_NOMEM, BL_STR("Out of memory"));
    return field(p, p->fresh, issue, BL_FIELD_ISSUE_COMMENTS, out);
}

static enum bl_status comment_is_there(struct proving *p, const struct bl_planned *planned,
                                       bool *there)
{
    struct bl_value comments = bl_absent();
    enum bl_status status = fresh_comments(p, bl_planned_target(planned), &comments);
    bool end = comments.tag != BL_V_LIST;

    *there = false;
    for (uint32_t i = 0; status == BL_OK && !end && !*there; i++) {
        struct bl_value item;
        const struct bl_posted *posted = NULL;

        status = bl_list_at(comments.as.list, i, &item, &end);
        if (status == BL_OK && !end && bl_object_of(item) != NULL)
            status = bl_posted_of(p->machine, bl_object_of(item), &posted);
        *there =
            status == BL_OK && posted != NULL && posted->kind == planned->site->detail &&
            bl_once_equal(p->plan->module, posted->kind, posted->attributes, planned->args + 2);
    }
    return status;
}

/* Reads the comment as it is now. */
static enum bl_status read_marked(struct proving *p, const struct bl_object *comment,
                                  struct marked *out)
{
    const struct bl_module *module = p->plan->module;
    struct bl_failure failure = {0};
    const struct bl_posted *posted = NULL;
    struct bl_value text = bl_absent();
    struct bl_object *now =
        bl_snapshot_object(p->fresh, BL_ENTITY_COMMENT, comment->key, comment->name);

    if (now == NULL)
        return fail(p, BL_ERR_NOMEM, BL_STR("Out of memory"));
    enum bl_answer answer = bl_snapshot_load(p->fresh, now, BL_READ_COMMENTS, &failure);
    if (answer == BL_FAILED) {
        p->machine->failure = failure;
        return BL_ERR_READ;
    }
    enum bl_status status = BL_OK;
    if (answer == BL_FOUND)
        status = bl_posted_of(p->machine, now, &posted);
    if (status == BL_OK && posted != NULL)
        status = field(p, p->fresh, now, BL_FIELD_COMMENT_TEXT, &text);
    if (status == BL_OK && posted == NULL)
        return fail(p, BL_ERR_READ,
                    BL_STR("A comment whose marker is to change is gone, or has no marker"));
    if (status != BL_OK)
        return status;
    uint32_t count = module->COMMENTS_rows[posted->kind].attribute_count;
    struct bl_value *attributes = BL_NEW_ARRAY(p->plan->arena, count, struct bl_value);
    if (attributes == NULL)
        return fail(p, BL_ERR_NOMEM, BL_STR("Out of memory"));
    for (uint32_t i = 0; i < count; i++)
        attributes[i] = posted->attributes[i];
    *out = (struct marked){now, posted->kind, attributes, bl_str_behind_line(bl_text_of(text))};
    return BL_OK;
}

static enum bl_status find_marked(struct proving *p, const struct bl_object *comment,
                                  struct marked **out)
{
    enum bl_status status = fresh_snapshot(p);

    for (size_t i = 0; i < p->marked.count; i++) {
        *out = &p->marked.items[i];
        if ((*out)->comment->key == comment->key)
            return BL_OK;
    }
    struct marked marked = {0};
    if (status == BL_OK)
        status = read_marked(p, comment, &marked);
    if (status != BL_OK)
        return status;
    *out = BL_PUSH(p->plan->arena, p->marked);
    if (*out == NULL)
        return fail(p, BL_ERR_NOMEM, BL_STR("Out of memory"));
    **out = marked;
    return BL_OK;
}

/* The attribute with the value in it: a list takes it as one more. *there: it had it. */
static enum bl_status set_attribute(struct proving *p, bl_type type, struct bl_value value,
                                    struct bl_value *attribute, bool *there)
{
    struct bl_list *list;

    if (!bl_type_is_list(type)) {
        *there = bl_arg_equal(*attribute, value, bl_type_base(type));
        *attribute = value;
        return BL_OK;
    }
    *there = false;
    list = bl_list_create(p->plan->arena);
    if (list == NULL)
        return fail(p, BL_ERR_NOMEM, BL_STR("Out of memory"));
    enum bl_status status = BL_OK;
    for (uint32_t i = 0; attribute->tag == BL_V_LIST && status == BL_OK && !*there &&
                         i < attribute->as.list->count;
         i++) {
        struct bl_value item = attribute->as.list->items[i];

        *there = bl_arg_equal(item, value, bl_type_element(bl_type_base(type)));
        status = bl_list_push(p->plan->arena, list, item);
    }
    if (status == BL_OK && !*there)
        status = bl_list_push(p->plan->arena, list, value);
    if (status != BL_OK)
        return fail(p, status, BL_STR("A marker grows too long"));
    if (!*there)
        *attribute = bl_list_value(list);
    return BL_OK;
}

static enum bl_status mark_is_there(struct proving *p, struct bl_plan_effect *effect,
                                    bool *there)
{
    const struct bl_module *module = p->plan->module;
    const struct bl_planned *planned = &effect->planned;
    struct bl_object *comment = bl_planned_target(planned);
    struct marked *marked = NULL;
    struct bl_buf line;

    if (comment == NULL)
        return fail(p, BL_ERR_INTERNAL, BL_STR("An effect acts on nothing"));
    enum bl_status status = find_marked(p, comment, &marked);
    if (status != BL_OK)
        return status;
    uint32_t index =
        bl_kind_attribute(module, marked->kind, bl_text_of(bl_planned_arg(planned, 1)));
    if (index == BL_NONE)
        return fail(p, BL_ERR_INTERNAL, BL_STR("A comment has no such attribute"));
    bl_type type =
        module->ATTRIBUTES_rows[module->COMMENTS_rows[marked->kind].first_attribute + index]
            .type;
    status =
        set_attribute(p, type, bl_planned_arg(planned, 2), &marked->attributes[index], there);
    if (status != BL_OK || *there)
        return status;
    bl_buf_init(&line, p->plan->arena, 2 * (size_t)bl_limit(BL_LIMIT_TEXT_BYTES));
    bl_marker_write(module, marked->kind, marked->attributes, &line);
    size_t length = line.len;
    bl_buf_put(&line, marked->rest);
    if (line.failed)
        return fail(p, BL_ERR_NOMEM, BL_STR("Out of memory"));
    effect->marked_text = bl_buf_str(&line);
    effect->body = bl_str_slice(effect->marked_text, 0, length);
    return BL_OK;
}

/* ---- what no field says ------------------------------------------------------------------ */

/* Where the world cannot say it, the effect is planned: to write the same again changes
 * nothing. An attempt whose look fails goes on to its write, whose failure is a warning. */
static enum bl_status world_holds(struct proving *p, const struct bl_plan_effect *effect,
                                  bool *there)
{
    const struct bl_effect_call call = bl_plan_call(p->machine, effect);
    const struct bl_world *world = p->world;
    struct bl_failure failure = {0};

    *there = false;
    if (world == NULL || world->holds == NULL)
        return BL_OK;
    enum bl_answer answer = world->holds(world->self, p->plan->arena, &call, there, &failure);
    *there = *there && answer == BL_FOUND;
    if (answer != BL_FAILED || bl_effect_is_attempted(effect))
        return BL_OK;
    p->machine->failure = failure;
    return BL_ERR_READ;
}

/* ---- all --------------------------------------------------------------------------------- */

static enum bl_status prove(struct proving *p, struct bl_plan_effect *effect, bool *there)
{
    const struct bl_planned *planned = &effect->planned;
    enum bl_status status;

    switch (bl_effect_info(planned->effect)->proof) {
    case BL_PROOF_VALUE_IN_MARKER:
        return mark_is_there(p, effect, there);
    case BL_PROOF_LABEL_THERE:
        return label_is_there(p, planned, there);
    case BL_PROOF_LABEL_GONE:
        status = label_is_there(p, planned, there);
        *there = status == BL_OK && !*there;
        return status;
    case BL_PROOF_OWN_COMMENT:
        return comment_is_there(p, planned, there);
    case BL_PROOF_OWN_REACTION:
        return reaction_is_there(p, planned, there);
    case BL_PROOF_STATE_CLOSED:
        return state_is(p, planned, BL_ISSUE_STATE_CLOSED, there);
    case BL_PROOF_STATE_OPEN:
        return state_is(p, planned, BL_ISSUE_STATE_OPEN, there);
    case BL_PROOF_LOCKED:
        return is_locked(p, planned, there);
    case BL_PROOF_LABEL_EQUAL:
    case BL_PROOF_MILESTONE_SET:
    case BL_PROOF_STATUS_EQUAL:
    case BL_PROOF_ALERT_CLOSED:
        return world_holds(p, effect, there);
    case BL_PROOF_ROW_EQUAL:
        *there = bl_plan_row_is_there(p->machine, effect);
        return BL_OK;
    case BL_PROOF_ALWAYS:
        break;
    }
    return BL_OK;
}

enum bl_status bl_plan_prove(struct bl_plan *plan, struct bl_machine *machine,
                             const struct bl_world *world)
{
    struct proving p = {.plan = plan, .machine = machine, .world = world};
    enum bl_status status = BL_OK;

    machine->failure = (struct bl_failure){0};
    /* Nothing of a plan that said `fail` is written, so nothing needs to be asked. */
    for (size_t i = 0; status == BL_OK && !plan->failed && i < plan->effects.count; i++) {
        bool there = false;

        status = prove(&p, &plan->effects.items[i], &there);
        if (status == BL_OK && there)
            plan->effects.items[i].state = BL_STATE_THERE;
    }
    if (status == BL_OK && !plan->failed)
        status = bl_plan_write_rows(plan, machine);
    return status;
}
