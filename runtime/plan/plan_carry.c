/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/plan_parts.h"

/* Carrying out. The order is the plan's; nothing is tried again, since nobody knows whether a
 * write whose answer was lost took effect: the next run looks for the proof. */

/* Outputs and the summary: the run leaves them at its end. */
static bool is_of_the_job(enum bl_effect effect)
{
    return effect == BL_EFFECT_START || effect == BL_EFFECT_OUTPUT ||
           effect == BL_EFFECT_SUMMARY;
}

/* What was read of these things before is not true any more. */
static void forget(struct bl_machine *machine, const struct bl_plan_effect *effect)
{
    struct bl_object *target = bl_planned_target(&effect->planned);
    struct bl_object *repository = bl_object_of(machine->ambient[BL_AMBIENT_REPOSITORY]);

    if (machine->snapshot == NULL)
        return;
    if (target != NULL && effect->planned.effect == BL_EFFECT_MARK) {
        bl_object_set(target, BL_FIELD_COMMENT_TEXT, bl_text(effect->marked_text));
        target->marker = NULL;
        target->marker_known = false;
    } else if (target != NULL) {
        bl_snapshot_forget(machine->snapshot, target);
    }
    /* Its lists of open and closed issues, its labels. */
    if (repository != NULL)
        bl_snapshot_forget(machine->snapshot, repository);
}

struct bl_effect_call bl_plan_call(const struct bl_machine *machine,
                                   const struct bl_plan_effect *effect)
{
    const struct bl_object *me = bl_object_of(machine->ambient[BL_AMBIENT_ME]);

    return (struct bl_effect_call){
        .effect = effect->planned.effect,
        .args = effect->planned.args,
        .arg_count = effect->planned.arg_count,
        .target = bl_planned_target(&effect->planned),
        .body = effect->body,
        .label_color = effect->label_color,
        .label_description = effect->label_description,
        .account = me != NULL ? me->name : (bl_str){NULL, 0},
        .path = effect->planned.effect == BL_EFFECT_KEEP
                    ? bl_module_string(
                          machine->module,
                          machine->module->STORES_rows[bl_planned_store(&effect->planned)].file)
                    : (bl_str){NULL, 0},
    };
}

static enum bl_written write_effect(struct bl_plan *plan, struct bl_plan_effect *effect,
                                    const struct bl_machine *machine,
                                    const struct bl_world *world)
{
    const struct bl_effect_call call = bl_plan_call(machine, effect);

    if (world == NULL || world->write == NULL) {
        effect->failure.what = BL_STR("There is nothing to write to");
        return BL_NOT_WRITTEN;
    }
    return world->write(world->self, plan->arena, &call, &effect->failure);
}

/* Its row was written with the first one of its store, which stood before it. */
static bool is_written(const struct bl_plan_effect *effect)
{
    return effect->planned.effect == BL_EFFECT_KEEP && !effect->writes_store;
}

static enum bl_status carry_out(struct bl_plan *plan, struct bl_plan_effect *effect,
                                struct bl_machine *machine, const struct bl_world *world,
                                bool dry)
{
    /* A summary is nothing that a dry run leaves away. */
    dry = dry && effect->planned.effect != BL_EFFECT_SUMMARY;
    if (dry || is_of_the_job(effect->planned.effect) || is_written(effect)) {
        effect->state = dry ? BL_STATE_DRY : BL_STATE_DONE;
        return BL_OK;
    }
    enum bl_written written = write_effect(plan, effect, machine, world);
    /* An unknown ending may have changed the thing as well. */
    if (written != BL_NOT_WRITTEN)
        forget(machine, effect);
    if (written != BL_WRITTEN) {
        effect->state = BL_STATE_FAILED;
        if (bl_effect_is_attempted(effect))
            return BL_OK;
        machine->failure = effect->failure;
        return BL_ERR_WRITE;
    }
    effect->state = BL_STATE_DONE;
    plan->written++;
    return BL_OK;
}

bool bl_effect_is_attempted(const struct bl_plan_effect *effect)
{
    if (effect->planned.effect == BL_EFFECT_SUGGEST_DUPLICATE)
        return true; /* mild: nobody waits for it, and not every GitHub takes it */
    return effect->planned.effect == BL_EFFECT_MILESTONE && effect->planned.site != NULL &&
           effect->planned.site->detail != 0;
}

enum bl_status bl_plan_carry_out(struct bl_plan *plan, struct bl_machine *machine,
                                 const struct bl_world *world, bool dry)
{
    enum bl_status status = BL_OK;

    for (size_t i = 0; i < plan->effects.count; i++) {
        struct bl_plan_effect *effect = &plan->effects.items[i];

        if (bl_effect_is_log(effect->planned.effect))
            effect->state = BL_STATE_DONE;
        else if (effect->state == BL_STATE_THERE)
            continue;
        else if (plan->failed || status != BL_OK)
            effect->state = BL_STATE_LEFT;
        else
            status = carry_out(plan, effect, machine, world, dry);
    }
    return status;
}
