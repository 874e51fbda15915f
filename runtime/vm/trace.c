/* SPDX-License-Identifier: Apache-2.0 */
#include "vm/machine.h"

enum bl_status bl_trace_prepare(struct bl_machine *machine)
{
    const struct bl_module *module = machine->module;
    size_t words = ((size_t)module->CODE_count + 63) / 64;
    uint64_t *bits = BL_NEW_ARRAY(machine->arena, words, uint64_t);

    if (bits == NULL)
        return bl_machine_nomem(machine);
    for (uint32_t f = 0; f < module->FUNCTIONS_count; f++) {
        const struct bl_function *function = &module->FUNCTIONS_rows[f];
        uint32_t end = bl_module_places_end(module, function);

        for (uint32_t i = function->first_place; i < end; i++) {
            const struct bl_map_row *row = &module->MAP_rows[i];
            uint32_t insn = function->first_insn + row->insn;

            if (row->flags == BL_MAP_CONDITION || row->flags == BL_MAP_REASON)
                bits[insn / 64] |= UINT64_C(1) << insn % 64;
        }
    }
    machine->state->conditions = bits;
    return BL_OK;
}

void bl_trace_operands(const struct bl_frame *frame, const struct bl_insn *insn,
                       struct bl_atom *atom)
{
    const struct bl_op_info *info = bl_op_info((enum bl_opcode)insn->op);

    if (info->b == BL_OPERAND_SRC)
        atom->left = frame->registers[insn->b];
    if (info->c == BL_OPERAND_SRC)
        atom->right = frame->registers[insn->c];
}

enum bl_status bl_trace_add(struct bl_machine *machine, struct bl_frame *frame,
                            struct bl_atom atom)
{
    struct bl_trace *trace = machine->trace;

    if (machine->coverage != NULL)
        bl_cover(atom.result ? machine->coverage->held : machine->coverage->failed, atom.insn);
    if (trace == NULL)
        return BL_OK;
    /* The last place is written again and again: whoever looks for the newest atom finds it,
     * and a condition in a long loop cannot take all the memory of the run. */
    if (trace->atoms.count == BL_TRACE_ATOMS) {
        uint32_t last = BL_TRACE_ATOMS - 1;

        if (atom.called == last)
            atom.called = BL_NONE;
        trace->atoms.items[last] = atom;
        frame->last_atom = last;
        return BL_OK;
    }
    struct bl_atom *kept = BL_PUSH(trace->arena, trace->atoms);
    if (kept == NULL)
        return bl_machine_nomem(machine);
    *kept = atom;
    frame->last_atom = (uint32_t)(trace->atoms.count - 1);
    return BL_OK;
}
