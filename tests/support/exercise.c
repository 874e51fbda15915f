/* SPDX-License-Identifier: Apache-2.0 */
#include "support/exercise.h"

#include "bytecode/arguments.h"
#include "vm/vm.h"

#include <string.h>

#define DEPTH_MAX    2
#define INSTRUCTIONS 3000

struct maker {
    struct bl_arena *arena;
    const struct bl_module *module;
    struct bl_value ambient[BL_AMBIENT_COUNT];
};

static struct bl_value make(const struct maker *m, bl_type type, unsigned depth);

/* ---- values -------------------------------------------------------------------------------
 */

static struct bl_value make_object(const struct maker *m, enum bl_entity entity, unsigned depth)
{
    const struct bl_entity_info *info = bl_entity_info(entity);
    struct bl_object *object = bl_object_create(m->arena, entity, 12, BL_STR("owner/name"));

    if (object == NULL)
        return bl_absent();
    /* Deep down fields stay unknown, so that reads happen, and fail. */
    for (unsigned i = 0; depth < DEPTH_MAX && i < info->field_count; i++) {
        enum bl_field field = (enum bl_field)(info->first_field + i);

        bl_object_set(object, field, make(m, bl_field_info(field)->type, depth + 1));
    }
    return bl_object_value(object);
}

static struct bl_value make_posted(const struct maker *m, unsigned set, unsigned depth)
{
    const struct bl_module *module = m->module;
    uint32_t number = module->POSTED_KINDS_rows[module->POSTED_SETS_rows[set].first];
    const struct bl_module_comment *kind = &module->COMMENTS_rows[number];
    struct bl_posted *posted = BL_NEW(m->arena, struct bl_posted);
    struct bl_value *attributes =
        BL_NEW_ARRAY(m->arena, kind->attribute_count, struct bl_value);
    struct bl_value comment = make_object(m, BL_ENTITY_COMMENT, depth);

    if (posted == NULL || attributes == NULL || bl_is_absent(comment))
        return bl_absent();
    for (uint32_t i = 0; i < kind->attribute_count; i++)
        attributes[i] =
            make(m, module->ATTRIBUTES_rows[kind->first_attribute + i].type, depth + 1);
    *posted = (struct bl_posted){
        .comment = comment.as.object, .kind = (uint16_t)number, .attributes = attributes};
    return (struct bl_value){.tag = BL_V_POSTED, .as.posted = posted};
}

static struct bl_value make_record(const struct maker *m, unsigned number, unsigned depth)
{
    const struct bl_module_record *record = &m->module->RECORDS_rows[number];
    struct bl_value *fields = BL_NEW_ARRAY(m->arena, record->count, struct bl_value);

    if (fields == NULL)
        return bl_absent();
    for (uint32_t i = 0; i < record->count; i++)
        fields[i] = make(m, m->module->RECORD_FIELDS_rows[record->first + i].type, depth + 1);
    return (struct bl_value){
        .tag = BL_V_RECORD, .aux = (uint16_t)number, .len = record->count, .as.fields = fields};
}

static struct bl_value make_list(const struct maker *m, bl_type element, unsigned depth)
{
    struct bl_list *list = bl_list_create(m->arena);

    for (unsigned i = 0; list != NULL && depth < DEPTH_MAX && i < 2; i++) {
        struct bl_value item = make(m, element, depth + 1);

        if (!bl_is_absent(item) && bl_list_push(m->arena, list, item) != BL_OK)
            return bl_absent();
    }
    return list != NULL ? bl_list_value(list) : bl_absent();
}

/* Of tasks, languages, patterns and members there may be none in the module: then
 * there is no value. */
static struct bl_value make_number(const struct maker *m, bl_type type)
{
    enum bl_value_tag tag = bl_tag_of_type(type);

    if ((tag == BL_V_TASK && m->module->TASKS_count == 0) ||
        (tag == BL_V_LOCALE && m->module->LOCALES_count == 0) ||
        (tag == BL_V_PATTERN && m->module->PATTERNS_count == 0))
        return bl_absent();
    if (tag == BL_V_ENUM)
        return bl_module_member(m->module, bl_type_ref(type), 0).ptr != NULL
                   ? bl_member_value(bl_type_ref(type), 0)
                   : bl_absent();
    return bl_number(tag, 0);
}

static struct bl_value make(const struct maker *m, bl_type type, unsigned depth)
{
    type = bl_type_base(type);
    if (bl_type_is_list(type))
        return make_list(m, bl_type_element(type), depth);
    if (bl_type_is(type, BL_TYPE_ENTITY))
        return make_object(m, (enum bl_entity)bl_type_ref(type), depth);
    if (bl_type_is(type, BL_TYPE_POSTED))
        return make_posted(m, bl_type_ref(type), depth);
    if (bl_type_is(type, BL_TYPE_RECORD))
        return make_record(m, bl_type_ref(type), depth);
    if (bl_type_is_text(type))
        return bl_text(BL_STR("a crash in `x`\n@y #3"));
    return make_number(m, type);
}

/* ---- running ------------------------------------------------------------------------------
 */

static enum bl_status step(void *context, const struct bl_site *site,
                           const struct bl_value *args, size_t count)
{
    (void)context;
    (void)site;
    (void)args;
    (void)count;
    return BL_OK;
}

static enum bl_status expect(void *context, const struct bl_site *site, bool holds)
{
    (void)context;
    (void)site;
    (void)holds;
    return BL_OK;
}

static size_t row_count(const struct bl_module *m, const struct bl_planned *planned)
{
    return m->RECORDS_rows[m->STORES_rows[BL_KEEP_STORE(planned->site->detail)].record].count;
}

static const char *check_planned(const struct bl_machine *machine)
{
    for (size_t i = 0; i < machine->planned.count; i++) {
        const struct bl_planned *planned = &machine->planned.items[i];
        struct bl_arguments arguments;

        if (!bl_effect_arguments(planned->effect, &arguments))
            return "an effect without row was planned";
        const bool has_row = planned->effect == BL_EFFECT_KEEP;
        const size_t wanted = has_row ? row_count(machine->module, planned) : arguments.count;
        if (planned->effect != BL_EFFECT_POST && planned->arg_count != wanted)
            return "an effect was planned with another number of arguments";
        for (size_t j = 0; j < planned->arg_count && j < arguments.count; j++) {
            if (arguments.list[j].form == BL_ARGUMENT_TYPED &&
                !bl_value_has_type(planned->args[j], arguments.list[j].type))
                return "an effect was planned with a value of another type";
        }
    }
    return NULL;
}

static const char *run(const struct maker *m, uint32_t index)
{
    static const struct bl_test_host host = {step, expect, NULL};
    const struct bl_machine_limits limits = {.instructions = INSTRUCTIONS};
    const struct bl_function *f = &m->module->FUNCTIONS_rows[index];
    const bl_type *types = bl_module_registers(m->module, f);
    struct bl_machine machine;
    struct bl_trace trace = {.arena = m->arena};
    struct bl_value args[256];
    struct bl_value result = bl_absent();

    bl_machine_init(&machine, m->module, m->arena, bl_snapshot_create(m->arena, NULL),
                    BL_EVENT_ISSUES_OPENED, &limits);
    machine.host = &host;
    machine.trace = &trace;
    memcpy(machine.ambient, m->ambient, sizeof machine.ambient);
    for (unsigned i = 0; i < f->param_count; i++) {
        args[i] = make(m, types[i], 0);
        if (!bl_value_has_type(args[i], types[i]))
            return NULL;
    }
    if (m->arena->failed)
        return NULL;
    enum bl_status status = bl_machine_call(&machine, index, args, f->param_count, &result);
    if (status == BL_OK && f->result != BL_TYPE_NONE && !bl_value_has_type(result, f->result))
        return "a result has another type";
    return check_planned(&machine);
}

const char *exercise_module(struct bl_arena *arena, const struct bl_module *module)
{
    struct maker m = {.arena = arena, .module = module};

    for (unsigned i = 0; i < BL_AMBIENT_COUNT; i++)
        m.ambient[i] = make(&m, bl_ambient_info((enum bl_ambient)i)->type, 0);
    for (uint32_t i = 0; i < module->FUNCTIONS_count; i++) {
        struct bl_arena_mark mark = bl_arena_mark(arena);
        const char *wrong = run(&m, i);

        if (wrong != NULL)
            return wrong;
        if (arena->failed)
            return NULL;
        bl_arena_release(arena, mark);
    }
    return NULL;
}
