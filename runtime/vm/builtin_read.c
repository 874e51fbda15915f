/* SPDX-License-Identifier: Apache-2.0 */
#include "vm/builtins.h"

/* Things of the repository that are found by a number or a time. */

static enum bl_status ask(struct bl_builtin_call *call, enum bl_read read, size_t count)
{
    struct bl_machine *machine = call->machine;
    enum bl_status status = bl_charge(machine, BL_CHARGE_READ);

    if (status != BL_OK)
        return status;
    if (machine->snapshot == NULL)
        return bl_machine_fail(machine, BL_ERR_READ, BL_STR("There is nothing to read from"));
    machine->failure = (struct bl_failure){0};
    return bl_snapshot_query(machine->snapshot, read, call->args, count, call->out,
                             &machine->failure);
}

/* Nothing has a number below 1: no question is asked. */
static bool is_number(struct bl_value v)
{
    return v.tag == BL_V_INT && v.as.i >= 1;
}

enum bl_status bl_builtin_issue_number(struct bl_builtin_call *call)
{
    return is_number(call->args[0]) ? ask(call, BL_READ_ISSUE, 1) : BL_OK;
}

enum bl_status bl_builtin_numbered(struct bl_builtin_call *call)
{
    return is_number(call->args[0]) ? ask(call, BL_READ_NUMBERED, 1) : BL_OK;
}

enum bl_status bl_builtin_issue(struct bl_builtin_call *call)
{
    enum bl_status status = bl_builtin_issue_number(call);

    if (status == BL_OK && bl_is_absent(*call->out))
        return bl_machine_fail(call->machine, BL_ERR_READ,
                               BL_STR("There is no issue of this number"));
    return status;
}

enum bl_status bl_builtin_issues_created(struct bl_builtin_call *call)
{
    return ask(call, BL_READ_ISSUES_CREATED, 2);
}

enum bl_status bl_builtin_comments_changed_since(struct bl_builtin_call *call)
{
    return ask(call, BL_READ_COMMENTS_CHANGED, 1);
}

/* The names of kinds are no values: the compiler makes the instruction POSTED of it. */
enum bl_status bl_builtin_posted(struct bl_builtin_call *call)
{
    return bl_machine_guard(call->machine, BL_STR("posted is an instruction of its own."));
}
