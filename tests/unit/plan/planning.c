/* SPDX-License-Identifier: Apache-2.0 */
#include "planning.h"

#include "support/check.h"

static const char *const names[] = {"alpha", "beta", "gamma", "delta"};

/* The function of a rule and its entry. */
static void add_rule(struct planning *p, const char *name, uint32_t *entries)
{
    struct bl_buf code;

    bl_buf_init(&code, &p->arena, 200);
    bl_buf_printf(&code, "entry %s() : bool job 0\n regs bool\n const r0, true\n return r0\n",
                  name);
    stage_add(&p->stage, code.ptr);
    *entries = stage_entry(&p->stage, BL_ENTRY_RULE, name, BL_EVENT_ISSUES_OPENED);
}

static uint32_t entry_of[4];

void planning_open(struct planning *p, bool turned)
{
    *p = (struct planning){.chain = 0};
    bl_arena_init(&p->arena, 256 << 20, NULL);
    scripted_init(&p->world, &p->arena);
    scripted_issue(&p->world, 12);
    scripted_issue(&p->world, 9);
    check(stage_begin(&p->stage, &p->arena));
    for (unsigned i = 0; i < 4; i++) {
        unsigned rule = turned ? 3 - i : i;
        add_rule(p, names[rule], &entry_of[rule]);
    }
    bl_builder_override(p->stage.builder, entry_of[DELTA], entry_of[ALPHA]);
    check(stage_ready(&p->stage, NULL));
    planning_again(p);
}

void planning_close(struct planning *p)
{
    bl_arena_reset(&p->arena);
}

void planning_again(struct planning *p)
{
    struct bl_snapshot *snapshot = bl_snapshot_create(&p->arena, &p->world.world);
    struct bl_machine *machine = &p->stage.machine;

    bl_machine_init(machine, &p->stage.module, &p->arena, snapshot, BL_EVENT_ISSUES_OPENED,
                    NULL);
    machine->ambient[BL_AMBIENT_ME] =
        bl_object_value(bl_snapshot_object(snapshot, BL_ENTITY_USER, 0, BL_STR("bot[bot]")));
    machine->ambient[BL_AMBIENT_REPOSITORY] =
        bl_object_value(bl_snapshot_object(snapshot, BL_ENTITY_REPOSITORY, 0, BL_STR("o/r")));
    bl_diagnostics_init(&p->sink, &p->arena, 100);
    p->chain = 0;
}

void plan_chain(struct planning *p, unsigned rule)
{
    p->chain++;
    p->stage.machine.chain = p->chain;
    p->stage.machine.entry = entry_of[rule];
    p->stage.machine.position = 0;
}

void plan_effect(struct planning *p, enum bl_effect effect, uint32_t detail,
                 const struct bl_value *args, size_t count)
{
    struct bl_machine *machine = &p->stage.machine;
    struct bl_site *site = BL_NEW(&p->arena, struct bl_site);
    struct bl_value *kept = BL_NEW_ARRAY(&p->arena, count, struct bl_value);
    struct bl_planned *planned = BL_PUSH(&p->arena, machine->planned);

    check(site != NULL && kept != NULL && planned != NULL);
    uint32_t at = (uint32_t)machine->planned.count;
    *site = (struct bl_site){.kind = (uint32_t)effect,
                             .detail = detail,
                             .source = 0,
                             .lo = at * 10,
                             .hi = at * 10 + 5};
    for (size_t i = 0; i < count; i++)
        kept[i] = args[i];
    *planned = (struct bl_planned){.site = site,
                                   .effect = effect,
                                   .entry = machine->entry,
                                   .chain = machine->chain,
                                   .position = machine->position++,
                                   .args = kept,
                                   .arg_count = count,
                                   .insn = BL_NONE};
}

struct bl_value planning_issue(struct planning *p, int64_t number)
{
    return bl_object_value(
        bl_snapshot_object(p->stage.machine.snapshot, BL_ENTITY_ISSUE, number, BL_STR("o/r")));
}

/* The own comment as a rule finds it: through the snapshot's comments. */
struct bl_value planning_posted(struct planning *p, int64_t comment)
{
    struct bl_object *object = bl_snapshot_object(p->stage.machine.snapshot, BL_ENTITY_COMMENT,
                                                  comment, BL_STR("o/r"));
    struct bl_failure failure;
    const struct bl_posted *posted = NULL;

    check(object != NULL);
    check_int(bl_snapshot_load(p->stage.machine.snapshot, object, BL_READ_COMMENTS, &failure),
              BL_FOUND);
    check_status(bl_posted_of(&p->stage.machine, object, &posted), BL_OK);
    check(posted != NULL);
    return (struct bl_value){.tag = BL_V_POSTED, .as.posted = posted};
}

void plan_add(struct planning *p, const char *label)
{
    struct bl_value args[] = {planning_issue(p, 12), text_value(label), bl_absent()};

    plan_effect(p, BL_EFFECT_ADD_LABEL, 0, args, 3);
}

void plan_remove(struct planning *p, const char *label)
{
    struct bl_value args[] = {planning_issue(p, 12), text_value(label), bl_absent()};

    plan_effect(p, BL_EFFECT_REMOVE_LABEL, 0, args, 3);
}

void plan_close(struct planning *p, unsigned reason)
{
    struct bl_value args[] = {planning_issue(p, 12),
                              bl_member_value(BL_ENUM_STATE_REASON, reason), bl_absent(),
                              bl_absent()};

    plan_effect(p, BL_EFFECT_CLOSE, 0, args, 4);
}

void plan_reopen(struct planning *p)
{
    struct bl_value issue = planning_issue(p, 12);

    plan_effect(p, BL_EFFECT_REOPEN, 0, &issue, 1);
}

void plan_reply(struct planning *p, int64_t to, const char *text)
{
    struct bl_value args[] = {planning_issue(p, 12), text_value(text), bl_int(to), bl_absent(),
                              list_value(&p->arena, NULL, 0)};

    plan_effect(p, BL_EFFECT_POST, 2, args, 5);
}

void plan_mark(struct planning *p, int64_t comment, const char *name, struct bl_value value)
{
    struct bl_value args[] = {planning_posted(p, comment), text_value(name), value};

    plan_effect(p, BL_EFFECT_MARK, 0, args, 3);
}

void plan_notice(struct planning *p, enum bl_effect effect, const char *text)
{
    struct bl_value value = text_value(text);

    plan_effect(p, effect, 0, &value, 1);
}

enum bl_status planning_run(struct planning *p, bool dry)
{
    struct bl_machine *machine = &p->stage.machine;
    enum bl_status status = bl_plan_make(machine, &p->plan, &p->sink);

    if (status == BL_OK)
        status = bl_plan_prove(&p->plan, machine, &p->world.world);
    if (status == BL_OK)
        status = bl_plan_carry_out(&p->plan, machine, &p->world.world, dry);
    return status;
}

bl_str planning_words(struct planning *p)
{
    struct bl_buf out;

    bl_buf_init(&out, &p->arena, 1 << 20);
    for (size_t i = 0; i < p->plan.effects.count; i++) {
        bl_plan_effect_words(&p->stage.module, &p->plan.effects.items[i].planned, &out);
        bl_buf_put_char(&out, '\n');
    }
    return bl_buf_str(&out);
}

bl_str planning_states(struct planning *p)
{
    static const char letters[] = {'p', 't', 'w', 'd', 'f', 'l'};
    struct bl_buf out;

    bl_buf_init(&out, &p->arena, 1 << 16);
    for (size_t i = 0; i < p->plan.effects.count; i++)
        bl_buf_put_char(&out, letters[p->plan.effects.items[i].state]);
    return bl_buf_str(&out);
}
