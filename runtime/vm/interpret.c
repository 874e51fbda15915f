/* SPDX-License-Identifier: Apache-2.0 */
#include "vm/builtins.h"
#include "vm/machine.h"

/* The loop. Operands are in range, types are known and jumps go where the verifier saw them go;
 * what is checked here is what only a run can know: budgets, reads, and guards that were proved
 * from values. */

static bool truth(struct bl_value v)
{
    return v.tag == BL_V_BOOL && v.as.i != 0;
}

static enum bl_status list_begin(struct bl_machine *machine, struct bl_value *out)
{
    struct bl_list *list = bl_list_create(machine->arena);

    if (list == NULL)
        return bl_machine_nomem(machine);
    *out = bl_list_value(list);
    return BL_OK;
}

static enum bl_status push(struct bl_machine *machine, struct bl_value list,
                           struct bl_value item)
{
    if (list.tag != BL_V_LIST)
        return bl_machine_guard(machine, BL_STR("A list is asked for and none is there."));
    return bl_is_absent(item) ? BL_OK : bl_machine_push(machine, list.as.list, item);
}

/* Lists of inner loops stand in higher registers than those of the loops around them. */
static void remember(struct bl_frame *frame, uint16_t list, const struct bl_value *item)
{
    while (frame->loop_count > 0 && frame->loops[frame->loop_count - 1].list >= list)
        frame->loop_count--;
    if (item != NULL && frame->loop_count < BL_LOOPS)
        frame->loops[frame->loop_count++] = (struct bl_open_loop){list, *item};
}

/* The iterator stands behind the list. */
static enum bl_status next(struct bl_machine *machine, struct bl_frame *frame,
                           const struct bl_insn *insn)
{
    struct bl_value list = frame->registers[insn->b];
    struct bl_value *iterator = &frame->registers[insn->b + 1];
    struct bl_value item;
    bool end;

    if (list.tag != BL_V_LIST)
        return bl_machine_guard(machine, BL_STR("A list is asked for and none is there."));
    enum bl_status status =
        bl_machine_item(machine, list.as.list, (uint32_t)iterator->as.i, &item, &end);
    if (status != BL_OK)
        return status;
    remember(frame, insn->b, end ? NULL : &item);
    if (end) {
        frame->pc = insn->c;
        return BL_OK;
    }
    iterator->as.i++;
    frame->registers[insn->a] = item;
    return BL_OK;
}

static enum bl_status require(struct bl_machine *machine, struct bl_frame *frame,
                              const struct bl_insn *insn)
{
    if (bl_is_absent(frame->registers[insn->b]))
        return bl_machine_guard(machine, BL_STR("A value that a guard proved is not there."));
    frame->registers[insn->a] = frame->registers[insn->b];
    return BL_OK;
}

static enum bl_status ambient(struct bl_machine *machine, struct bl_frame *frame,
                              const struct bl_insn *insn)
{
    struct bl_value value = machine->ambient[insn->c];

    if (insn->c == BL_AMBIENT_NEW_ID)
        return bl_machine_new_id(machine, &frame->registers[insn->a]);
    if (bl_is_absent(value) && !bl_type_is_optional(frame->types[insn->a])) {
        machine->lacking = (enum bl_ambient)insn->c;
        return bl_machine_guard(machine, BL_STR("This run has no such thing in scope."));
    }
    frame->registers[insn->a] = value;
    return BL_OK;
}

static enum bl_status call(struct bl_machine *machine, const struct bl_frame *frame,
                           const struct bl_insn *insn)
{
    const struct bl_function *callee = &machine->module->FUNCTIONS_rows[insn->c];

    return bl_frame_push(machine, insn->c, frame->registers + insn->b, callee->param_count,
                         insn->a);
}

static enum bl_status gate(struct bl_machine *machine, struct bl_frame *frame,
                           const struct bl_insn *insn)
{
    enum bl_status status = call(machine, frame, insn);

    if (status == BL_OK) {
        struct bl_frame *asked = &machine->state->frames[machine->state->depth - 1];

        asked->is_gate = true;
        asked->is_attempt = insn->op == BL_OP_ATTEMPT;
    }
    return status;
}

/* What a test gave to the setting, else what its function gives. */
static enum bl_status setting(struct bl_machine *machine, struct bl_frame *frame,
                              const struct bl_insn *insn)
{
    const struct bl_setting_values *given = machine->settings;

    if (given == NULL || !given->is_given[insn->c])
        return bl_frame_push(machine, machine->module->SETTINGS_rows[insn->c].function, NULL, 0,
                             insn->a);
    frame->registers[insn->a] = given->values[insn->c];
    return BL_OK;
}

static enum bl_status builtin(struct bl_machine *machine, struct bl_frame *frame,
                              const struct bl_insn *insn)
{
    struct bl_value out = bl_absent();
    struct bl_builtin_call call = {
        .machine = machine,
        .args = frame->registers + insn->b,
        .types = frame->types + insn->b,
        .out = &out,
    };
    enum bl_status status = bl_builtin_run((enum bl_builtin)insn->c, &call);

    if (status == BL_OK)
        frame->registers[insn->a] = out;
    return status;
}

static enum bl_status expect(struct bl_machine *machine, const struct bl_frame *frame,
                             const struct bl_insn *insn)
{
    if (machine->host == NULL)
        return bl_machine_guard(machine, BL_STR("Expectations are for tests."));
    return machine->host->expect(machine->host->context, &machine->module->SITES_rows[insn->c],
                                 truth(frame->registers[insn->b]));
}

/* One instruction. A call begins its frame and a return ends it; the loop looks again. */
static enum bl_status step(struct bl_machine *machine, struct bl_frame *frame,
                           const struct bl_insn *insn)
{
    struct bl_value *registers = frame->registers;

    switch ((enum bl_opcode)insn->op) {
    case BL_OP_CONST:
        return bl_op_const(machine, frame, insn);
    case BL_OP_ABSENT:
        registers[insn->a] = bl_absent();
        return BL_OK;
    case BL_OP_MOVE:
        registers[insn->a] = registers[insn->b];
        return BL_OK;
    case BL_OP_REQUIRE:
        return require(machine, frame, insn);
    case BL_OP_IS_SET:
        registers[insn->a] = bl_bool(!bl_is_absent(registers[insn->b]));
        return BL_OK;
    case BL_OP_NOT:
        registers[insn->a] = bl_bool(!truth(registers[insn->b]));
        return BL_OK;
    case BL_OP_EQ:
        return bl_op_equal(machine, frame, insn, false);
    case BL_OP_NE:
        return bl_op_equal(machine, frame, insn, true);
    case BL_OP_LT:
        return bl_op_order(machine, frame, insn, false);
    case BL_OP_LE:
        return bl_op_order(machine, frame, insn, true);
    case BL_OP_ADD:
        return bl_op_add(machine, frame, insn);
    case BL_OP_SUB:
        return bl_op_subtract(machine, frame, insn);
    case BL_OP_MUL:
        return bl_op_multiply(machine, frame, insn);
    case BL_OP_IN:
        return bl_op_in(machine, frame, insn);
    case BL_OP_CONTAINS:
    case BL_OP_STARTS:
    case BL_OP_ENDS:
        return bl_op_text(machine, frame, insn);
    case BL_OP_MATCHES:
        return bl_op_matches(machine, frame, insn);
    case BL_OP_FOUND:
        return bl_op_found(machine, frame, insn);
    case BL_OP_GLOB:
        return bl_op_glob(machine, frame, insn);
    case BL_OP_FIELD:
        return bl_op_field(machine, frame, insn);
    case BL_OP_ATTR:
        return bl_op_attribute(machine, frame, insn);
    case BL_OP_MEMBER:
        registers[insn->a] = registers[insn->b].tag == BL_V_RECORD
                                 ? registers[insn->b].as.fields[insn->c]
                                 : bl_absent();
        return BL_OK;
    case BL_OP_ANSWER:
        if (machine->answer.tag != BL_V_RECORD || machine->answer.aux != insn->c)
            return bl_machine_guard(machine, BL_STR("The run is about no such answer."));
        registers[insn->a] = machine->answer;
        return BL_OK;
    case BL_OP_RECORD:
        return bl_op_record(machine, frame, insn);
    case BL_OP_VERDICT:
        return bl_op_verdict(machine, frame, insn);
    case BL_OP_LIST:
        return list_begin(machine, &registers[insn->a]);
    case BL_OP_PUSH:
        return push(machine, registers[insn->a], registers[insn->b]);
    case BL_OP_ITER:
        registers[insn->b + 1] = bl_int(0);
        return BL_OK;
    case BL_OP_NEXT:
        return next(machine, frame, insn);
    case BL_OP_LOOP:
    case BL_OP_JUMP:
        frame->pc = insn->c;
        return BL_OK;
    case BL_OP_JUMP_IF:
        if (truth(registers[insn->b]))
            frame->pc = insn->c;
        return BL_OK;
    case BL_OP_JUMP_UNLESS:
        if (!truth(registers[insn->b]))
            frame->pc = insn->c;
        return BL_OK;
    case BL_OP_CALL:
        return call(machine, frame, insn);
    case BL_OP_GATE:
    case BL_OP_ATTEMPT:
        return gate(machine, frame, insn);
    case BL_OP_BUILTIN:
        return builtin(machine, frame, insn);
    case BL_OP_POSTED:
        return bl_op_posted(machine, frame, insn);
    case BL_OP_AS_POSTED:
        return bl_op_as_posted(machine, frame, insn);
    case BL_OP_AMBIENT:
        return ambient(machine, frame, insn);
    case BL_OP_BIND:
        return bl_bind(machine, frame, (enum bl_ambient)insn->c, registers[insn->b]);
    case BL_OP_EVENT_IS:
        registers[insn->a] = bl_bool((uint32_t)machine->event == insn->c);
        return BL_OK;
    case BL_OP_RENDER:
        return bl_op_render(machine, frame, insn);
    case BL_OP_BUILD:
        return bl_op_build(machine, frame, insn);
    case BL_OP_MESSAGE:
        return bl_op_message(machine, frame, insn);
    case BL_OP_EFFECT:
        return bl_op_effect(machine, frame, insn);
    case BL_OP_FIRED:
        machine->fired = true;
        machine->decided = frame->last_atom;
        return BL_OK;
    case BL_OP_STEP:
        return bl_op_step(machine, frame, insn);
    case BL_OP_EXPECT:
        return expect(machine, frame, insn);
    case BL_OP_RETURN:
        machine->state->returned = registers[insn->b];
        return BL_OK;
    case BL_OP_RETURN_BOOL:
        machine->state->returned = bl_bool(insn->c != 0);
        return BL_OK;
    case BL_OP_END:
        machine->state->returned = bl_absent();
        return BL_OK;
    case BL_OP_SETTING:
        return setting(machine, frame, insn);
    case BL_OP_CLEAN:
        return bl_op_clean(machine, frame, insn);
    case BL_OP_SETTLE:
        return bl_op_settle(machine, frame, insn);
    case BL_OP_STORED:
        return bl_op_stored(machine, frame, insn);
    case BL_OP_HOLDS:
        return bl_op_holds(machine, frame, insn);
    case BL_OP_COUNT:
        break;
    }
    return bl_machine_guard(machine, BL_STR("An instruction has no meaning."));
}

/* The innermost function has ended: its value goes to its caller, and the condition that the
 * call stands for is what decided inside. */
static enum bl_status leave(struct bl_machine *machine, size_t base)
{
    struct bl_machine_state *state = machine->state;
    uint32_t dst = state->frames[state->depth - 1].dst;
    uint32_t last_atom = state->frames[state->depth - 1].last_atom;

    bl_frame_pop(machine);
    if (state->depth == base) {
        if (!machine->fired)
            machine->decided = last_atom;
        return BL_OK;
    }
    struct bl_frame *caller = &state->frames[state->depth - 1];
    uint32_t insn = caller->function->first_insn + caller->pc - 1;
    if (dst != BL_NO_REGISTER)
        caller->registers[dst] = state->returned;
    if (!bl_trace_wants(machine, insn))
        return BL_OK;
    return bl_trace_add(
        machine, caller,
        (struct bl_atom){.insn = insn, .result = truth(state->returned), .called = last_atom});
}

/* As `step`, and the condition that the instruction gives is kept. */
static enum bl_status step_traced(struct bl_machine *machine, struct bl_frame *frame,
                                  const struct bl_insn *insn, uint32_t index)
{
    struct bl_atom atom = {.insn = index, .called = BL_NONE};
    size_t depth = machine->state->depth;

    bl_trace_operands(frame, insn, &atom);
    enum bl_status status = step(machine, frame, insn);
    /* A call gives its value later, in `leave`. */
    if (status != BL_OK || machine->state->depth != depth)
        return status;
    atom.result = truth(frame->registers[insn->a]);
    /* `not` of a condition is decided by that condition, which is the instruction before it. */
    if (insn->op == BL_OP_NOT && machine->trace != NULL && frame->last_atom != BL_NONE &&
        machine->trace->atoms.items[frame->last_atom].insn == index - 1)
        atom.called = frame->last_atom;
    return bl_trace_add(machine, frame, atom);
}

/* Kept where the run finds it: a list of pages can only say that it failed. */
static bool keep_attempt(struct bl_machine *machine)
{
    struct bl_failure *kept = BL_PUSH(machine->arena, machine->attempts);

    if (kept == NULL)
        return false;
    *kept = machine->failure;
    if (machine->snapshot != NULL)
        bl_snapshot_complete_failure(machine->snapshot, kept);
    return true;
}

/* A read failed: the innermost gate around it gives its caller nothing, and that goes on. False
 * when there is none, and then the unit stops. */
static bool land(struct bl_machine *machine, size_t base)
{
    struct bl_machine_state *state = machine->state;
    size_t gate = state->depth;
    uint32_t dst;

    while (gate > base + 1 && !state->frames[gate - 1].is_gate)
        gate--;
    if (gate <= base + 1 || (state->frames[gate - 1].is_attempt && !keep_attempt(machine)))
        return false;
    dst = state->frames[gate - 1].dst;
    while (state->depth >= gate)
        bl_frame_pop(machine);
    state->frames[state->depth - 1].registers[dst] = bl_absent();
    machine->failure = (struct bl_failure){0};
    return true;
}

enum bl_status bl_interpret(struct bl_machine *machine, size_t base)
{
    struct bl_machine_state *state = machine->state;

    while (state->depth > base) {
        struct bl_frame *frame = &state->frames[state->depth - 1];
        const struct bl_insn *insn = &frame->code[frame->pc];
        uint32_t index = frame->function->first_insn + frame->pc;
        enum bl_status status = bl_charge(machine, 1);

        frame->pc++;
        if (machine->coverage != NULL)
            bl_cover(machine->coverage->passed, index);
        if (status == BL_OK && !bl_trace_wants(machine, index))
            status = step(machine, frame, insn);
        else if (status == BL_OK)
            status = step_traced(machine, frame, insn, index);
        if (status == BL_OK && (insn->op == BL_OP_RETURN || insn->op == BL_OP_RETURN_BOOL ||
                                insn->op == BL_OP_END))
            status = leave(machine, base);
        if (status == BL_ERR_READ && land(machine, base))
            continue;
        if (status != BL_OK) {
            machine->failed_at = index;
            return status;
        }
    }
    return BL_OK;
}
