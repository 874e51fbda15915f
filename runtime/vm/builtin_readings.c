/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"
#include "secret/secret.h"
#include "vm/builtins.h"

/* A view that a policy calls. */

struct readings {
    struct bl_machine *machine;
    struct bl_list *list;
    enum bl_status failed; /* of the machine, which has said why */
};

static enum bl_status keep(void *context, bl_str text)
{
    struct readings *r = context;

    if (text.len > bl_limit(BL_LIMIT_TEXT_BYTES))
        r->failed = bl_machine_fail(r->machine, BL_ERR_LIMIT, BL_STR("A text is too long."));
    else
        r->failed = bl_charge_text(r->machine, text.len);
    if (r->failed != BL_OK)
        return r->failed;
    bl_str copy = bl_arena_copy(r->machine->arena, text);
    if (copy.ptr == NULL && text.len > 0)
        return BL_ERR_NOMEM;
    r->failed = bl_machine_push(r->machine, r->list, bl_text(copy));
    return r->failed;
}

enum bl_status bl_builtin_readings(struct bl_builtin_call *call)
{
    struct bl_machine *machine = call->machine;
    bl_str text = bl_text_of(call->args[0]);
    int64_t index = call->args[1].as.i;
    struct readings r = {machine, bl_list_create(machine->arena), BL_OK};
    uint64_t steps = 0;

    if (index < 0 || (uint64_t)index >= machine->module->SECRETS_count)
        return bl_machine_guard(machine, BL_STR("There is no such view."));
    if (r.list == NULL)
        return bl_machine_nomem(machine);
    enum bl_status status = bl_secret_read(machine->arena, machine->module, (uint32_t)index,
                                           text, keep, &r, &steps);
    if (r.failed != BL_OK)
        return r.failed;
    if (status != BL_OK)
        return bl_machine_nomem(machine);
    *call->out = bl_list_value(r.list);
    return bl_charge_text(machine, steps);
}
