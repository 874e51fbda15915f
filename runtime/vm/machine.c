/* SPDX-License-Identifier: Apache-2.0 */
#include "vm/machine.h"

#include <string.h>

_Static_assert(BL_CHUNK_REGISTERS >= UINT8_MAX + 1, "a chunk holds any function's registers");

void bl_machine_init(struct bl_machine *machine, const struct bl_module *module,
                     struct bl_arena *arena, struct bl_snapshot *snapshot,
                     enum bl_event_id event, const struct bl_machine_limits *limits)
{
    uint64_t depth = bl_limit(BL_LIMIT_CALL_DEPTH);

    *machine = (struct bl_machine){
        .module = module,
        .arena = arena,
        .snapshot = snapshot,
        .event = event,
        .budget = bl_limit(BL_LIMIT_RUN_INSTRUCTIONS),
        .call_depth = depth,
        .decided = BL_NONE,
        .failed_at = BL_NONE,
        .lacking = BL_AMBIENT_COUNT,
    };
    if (limits != NULL && limits->instructions != 0)
        machine->budget = limits->instructions;
    if (limits != NULL && limits->call_depth != 0 && limits->call_depth < depth)
        machine->call_depth = limits->call_depth;
}

/* ---- endings ----------------------------------------------------------------------------- */

enum bl_status bl_machine_fail(struct bl_machine *machine, enum bl_status status, bl_str what)
{
    machine->failure = (struct bl_failure){.what = what};
    return status;
}

enum bl_status bl_machine_guard(struct bl_machine *machine, bl_str what)
{
    return bl_machine_fail(machine, BL_ERR_INTERNAL, what);
}

enum bl_status bl_machine_nomem(struct bl_machine *machine)
{
    return bl_machine_fail(machine, BL_ERR_NOMEM, BL_STR("Out of memory."));
}

/* ---- frames ------------------------------------------------------------------------------ */

static struct bl_register_chunk *chunk_after(struct bl_arena *arena,
                                             struct bl_register_chunk *older)
{
    struct bl_register_chunk *chunk = older != NULL ? older->newer : NULL;

    if (chunk != NULL)
        return chunk;
    chunk = BL_NEW(arena, struct bl_register_chunk);
    if (chunk == NULL)
        return NULL;
    chunk->older = older;
    if (older != NULL)
        older->newer = chunk;
    return chunk;
}

struct bl_machine_state *bl_machine_state_of(struct bl_machine *machine)
{
    struct bl_machine_state *state = machine->state;

    if (state != NULL)
        return state;
    state = BL_NEW(machine->arena, struct bl_machine_state);
    if (state == NULL)
        return NULL;
    state->frames = BL_NEW_ARRAY(machine->arena, machine->call_depth, struct bl_frame);
    state->home = machine->arena;
    state->chunk = chunk_after(machine->arena, NULL);
    if (state->frames == NULL || state->chunk == NULL)
        return NULL;
    machine->state = state;
    return state;
}

enum bl_status bl_machine_values(struct bl_machine *machine, struct bl_arena *arena)
{
    struct bl_machine_state *state = bl_machine_state_of(machine);

    if (state == NULL)
        return bl_machine_nomem(machine);
    machine->arena = arena;
    /* Made again when they are asked for. */
    state->scans = NULL;
    state->cleaning = NULL;
    state->compositions = NULL;
    return BL_OK;
}

enum bl_status bl_frame_push(struct bl_machine *machine, uint32_t index,
                             const struct bl_value *args, size_t count, uint32_t dst)
{
    struct bl_machine_state *state = machine->state;
    const struct bl_module *module = machine->module;

    if (state->depth == machine->call_depth)
        return bl_machine_fail(machine, BL_ERR_LIMIT, BL_STR("Calls nest too deep."));
    if (index >= module->FUNCTIONS_count || module->FUNCTIONS_rows[index].param_count != count)
        return bl_machine_guard(machine, BL_STR("A call does not fit its function."));

    const struct bl_function *function = &module->FUNCTIONS_rows[index];
    struct bl_register_chunk *chunk = state->chunk;
    if (function->register_count > BL_CHUNK_REGISTERS - chunk->used) {
        chunk = chunk_after(state->home, chunk);
        if (chunk == NULL)
            return bl_machine_nomem(machine);
        state->chunk = chunk;
    }
    struct bl_frame *frame = &state->frames[state->depth];
    *frame = (struct bl_frame){
        .function = function,
        .code = module->CODE_rows + function->first_insn,
        .types = module->REGISTERS_rows + function->first_register,
        .registers = chunk->registers + chunk->used,
        .chunk = chunk,
        .dst = dst,
        .binding_count = state->bindings.count,
        .last_atom = BL_NONE,
    };
    chunk->used += function->register_count;
    state->depth++;
    /* What a function left here before is no value of this one. */
    memset(frame->registers, 0, function->register_count * sizeof *frame->registers);
    for (size_t i = 0; i < count; i++)
        frame->registers[i] = args[i];
    return BL_OK;
}

void bl_frame_pop(struct bl_machine *machine)
{
    struct bl_machine_state *state = machine->state;
    struct bl_frame *frame = &state->frames[--state->depth];

    while (state->bindings.count > frame->binding_count) {
        const struct bl_binding *binding = &state->bindings.items[--state->bindings.count];
        machine->ambient[binding->ambient] = binding->before;
    }
    frame->chunk->used -= frame->function->register_count;
    if (frame->chunk->used == 0 && frame->chunk->older != NULL)
        state->chunk = frame->chunk->older;
}

enum bl_status bl_bind(struct bl_machine *machine, struct bl_frame *frame,
                       enum bl_ambient ambient, struct bl_value value)
{
    /* A loop that binds in each round keeps one value, that before the function. */
    if ((frame->bound & BL_AMBIENT_BIT(ambient)) == 0) {
        struct bl_binding *binding = BL_PUSH(machine->state->home, machine->state->bindings);
        if (binding == NULL)
            return bl_machine_nomem(machine);
        binding->ambient = ambient;
        binding->before = machine->ambient[ambient];
        frame->bound |= BL_AMBIENT_BIT(ambient);
    }
    machine->ambient[ambient] = value;
    return BL_OK;
}

enum bl_status bl_machine_call(struct bl_machine *machine, uint32_t index,
                               const struct bl_value *args, size_t count,
                               struct bl_value *result)
{
    struct bl_machine_state *state = bl_machine_state_of(machine);

    machine->failure = (struct bl_failure){0};
    machine->failed_at = BL_NONE;
    machine->decided = BL_NONE;
    if (result != NULL)
        *result = bl_absent();
    if (state == NULL)
        return bl_machine_nomem(machine);
    if ((machine->trace != NULL || machine->coverage != NULL) && state->conditions == NULL) {
        enum bl_status status = bl_trace_prepare(machine);
        if (status != BL_OK)
            return status;
    }
    /* A test host may call while a call is on its way. */
    size_t base = state->depth;
    enum bl_status status = bl_frame_push(machine, index, args, count, 0);
    if (status == BL_OK)
        status = bl_interpret(machine, base);
    if (state->depth > base) /* it stopped on the way */
        machine->decided = state->frames[base].last_atom;
    while (state->depth > base)
        bl_frame_pop(machine);
    if (status == BL_OK && result != NULL)
        *result = state->returned;
    return status;
}

/* ---- what operations share --------------------------------------------------------------- */

enum bl_status bl_machine_item(struct bl_machine *machine, struct bl_list *list, uint32_t index,
                               struct bl_value *out, bool *end)
{
    enum bl_status status = bl_list_at(list, index, out, end);

    if (status == BL_OK)
        return bl_charge(machine, 1);
    return bl_machine_fail(machine, status,
                           BL_STR("The next elements of a list could not be read."));
}

enum bl_status bl_machine_list(struct bl_machine *machine, struct bl_value v,
                               struct bl_list **out)
{
    *out = NULL;
    if (v.tag != BL_V_LIST)
        return bl_machine_guard(machine, BL_STR("A list is asked for and none is there."));
    enum bl_status status = bl_list_complete(v.as.list);
    if (status != BL_OK)
        return bl_machine_fail(machine, status,
                               BL_STR("The next elements of a list could not be read."));
    *out = v.as.list;
    return bl_charge(machine, v.as.list->count);
}

enum bl_status bl_machine_push(struct bl_machine *machine, struct bl_list *list,
                               struct bl_value item)
{
    enum bl_status status = bl_list_push(machine->arena, list, item);

    if (status == BL_ERR_LIMIT)
        return bl_machine_fail(machine, status, BL_STR("A list has too many elements."));
    return status == BL_OK ? BL_OK : bl_machine_nomem(machine);
}

void bl_machine_buf(struct bl_machine *machine, struct bl_buf *buf)
{
    bl_buf_init(buf, machine->arena, (size_t)bl_limit(BL_LIMIT_TEXT_BYTES));
}

enum bl_status bl_machine_text(struct bl_machine *machine, const struct bl_buf *built,
                               struct bl_value *out)
{
    if (built->failed && machine->arena->failed)
        return bl_machine_nomem(machine);
    if (built->failed)
        return bl_machine_fail(machine, BL_ERR_LIMIT, BL_STR("A text is too long."));
    *out = bl_text(bl_buf_str(built));
    return bl_charge_text(machine, built->len);
}

/* What the workflow passes is asked for by its name. A secret that nobody names is not set. */
static enum bl_status passed_value(struct bl_machine *machine, struct bl_object *object,
                                   enum bl_field field, struct bl_value *out)
{
    struct bl_value name = bl_text(object->name);
    enum bl_status status = bl_snapshot_query(machine->snapshot, bl_field_info(field)->read,
                                              &name, 1, out, &machine->failure);

    if (status == BL_OK && bl_is_absent(*out) && object->entity == BL_ENTITY_SECRET_SETTING)
        *out = bl_bool(false);
    if (status == BL_OK)
        bl_object_set(object, field, *out);
    return status;
}

enum bl_status bl_machine_field(struct bl_machine *machine, struct bl_object *object,
                                enum bl_field field, struct bl_value *out)
{
    if (bl_object_knows(object, field)) {
        *out = bl_object_get(object, field);
        return BL_OK;
    }
    enum bl_status status = BL_OK;
    if (object->entity == BL_ENTITY_PATCH) {
        status = bl_patch_load(machine, object);
        *out = bl_object_get(object, field);
        return status;
    }
    status = bl_charge(machine, BL_CHARGE_READ);
    if (status != BL_OK)
        return status;
    if (machine->snapshot == NULL)
        return bl_machine_fail(machine, BL_ERR_READ, BL_STR("There is nothing to read from"));
    machine->failure = (struct bl_failure){0};
    if (object->entity == BL_ENTITY_VARIABLE || object->entity == BL_ENTITY_SECRET_SETTING)
        return passed_value(machine, object, field, out);
    return bl_snapshot_field(machine->snapshot, object, field, out, &machine->failure);
}

struct bl_pattern bl_machine_pattern(const struct bl_module *module, struct bl_value v)
{
    const struct bl_module_blob *row = &module->PATTERNS_rows[v.as.i];

    return (struct bl_pattern){module->BLOBS_rows + row->first, row->count * sizeof(uint64_t)};
}

/* ---- languages --------------------------------------------------------------------------- */

uint32_t bl_machine_locale(const struct bl_machine *machine)
{
    struct bl_value language = machine->ambient[BL_AMBIENT_LANGUAGE];

    if (machine->module->LOCALES_count == 0)
        return BL_NONE;
    if (language.tag != BL_V_LOCALE || language.as.i < 0 ||
        language.as.i >= (int64_t)machine->module->LOCALES_count)
        return 0;
    return (uint32_t)language.as.i;
}

uint32_t bl_locale_fallback(const struct bl_module *module, uint32_t locale, unsigned step)
{
    uint32_t like = module->LOCALES_rows[locale].like;

    /* `like` could go round in a module that no compiler made. */
    if (like < module->LOCALES_count && step < module->LOCALES_count)
        return like;
    return locale != 0 ? 0 : BL_NONE;
}

/* ---- names ------------------------------------------------------------------------------- */

static bl_str member_name(const void *context, unsigned enumeration, unsigned member)
{
    return bl_module_member(context, enumeration, member);
}

static bl_str declared_name(const void *context, enum bl_value_tag tag, unsigned index)
{
    const struct bl_module *module = context;

    if (tag == BL_V_TASK && index < module->TASKS_count)
        return bl_module_string(module, module->TASKS_rows[index].name);
    if (tag == BL_V_LOCALE && index < module->LOCALES_count)
        return bl_module_string(module, module->LOCALES_rows[index].code);
    if (tag == BL_V_PATTERN && index < module->PATTERNS_count)
        return bl_module_string(module, module->PATTERNS_rows[index].source);
    return (bl_str){NULL, 0};
}

struct bl_value_names bl_machine_names(const struct bl_module *module)
{
    return (struct bl_value_names){module, member_name, declared_name};
}
