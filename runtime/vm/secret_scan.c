/* SPDX-License-Identifier: Apache-2.0 */
#include "vm/machine.h"

/* Sets of secrets, whose conditions are functions of the module. */

static enum bl_status call_function(void *context, uint32_t function,
                                    const struct bl_value *args, size_t count,
                                    struct bl_value *out)
{
    return bl_machine_call(context, function, args, count, out);
}

struct bl_secret_host bl_machine_host(struct bl_machine *machine)
{
    return (struct bl_secret_host){call_function, machine};
}

enum bl_status bl_machine_secrets(struct bl_machine *machine, uint32_t set, bl_str text,
                                  bool first, struct bl_secret_findings *out)
{
    const struct bl_secret_host host = bl_machine_host(machine);
    enum bl_status status = bl_charge_text(machine, text.len);

    *out = (struct bl_secret_findings){.steps = 0};
    if (status == BL_OK)
        status = bl_secret_find(machine->arena, machine->module, set, text, &host, first, out);
    if (status == BL_OK)
        status = bl_charge_text(machine, out->steps > text.len ? out->steps - text.len : 0);
    if (status == BL_ERR_NOMEM)
        return bl_machine_nomem(machine);
    return status;
}

enum bl_status bl_op_holds(struct bl_machine *machine, const struct bl_frame *frame,
                           const struct bl_insn *insn)
{
    struct bl_value *registers = frame->registers;
    struct bl_value text = registers[insn->b];
    struct bl_secret_findings findings = {.steps = 0};
    enum bl_status status = BL_OK;

    if (text.tag == BL_V_TEXT)
        status = bl_machine_secrets(machine, insn->c, bl_text_of(text), true, &findings);
    if (status == BL_OK)
        registers[insn->a] = bl_bool(findings.list.count > 0);
    return status;
}
