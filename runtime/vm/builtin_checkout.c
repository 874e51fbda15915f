/* SPDX-License-Identifier: Apache-2.0 */
#include "vm/builtins.h"

/* Files: those beside the policy, and those of the checkout. */

/* A line ends with LF or CRLF; behind the last end there is no line. */
enum bl_status bl_builtin_lines_of(struct bl_builtin_call *call)
{
    struct bl_machine *machine = call->machine;
    bl_str rest = bl_text_of(call->args[0]);
    struct bl_list *lines = bl_list_create(machine->arena);
    enum bl_status status =
        lines != NULL ? bl_charge_text(machine, rest.len) : bl_machine_nomem(machine);

    if (lines != NULL)
        *call->out = bl_list_value(lines);
    while (status == BL_OK && rest.len > 0) {
        size_t end = bl_str_find_char(rest, '\n');
        bl_str line = bl_str_slice(rest, 0, end);

        rest = end == SIZE_MAX ? (bl_str){NULL, 0} : bl_str_slice(rest, end + 1, rest.len);
        if (line.len > 0 && line.ptr[line.len - 1] == '\r')
            line.len--;
        status = bl_machine_push(machine, lines, bl_text(line));
    }
    return status;
}

/* The path as git has it, when git tracks exactly this one. */
enum bl_status bl_builtin_tracked(struct bl_builtin_call *call)
{
    struct bl_machine *machine = call->machine;
    struct bl_object *repository = bl_object_of(machine->ambient[BL_AMBIENT_REPOSITORY]);
    bl_str path = bl_text_of(call->args[0]);
    struct bl_value all = bl_absent();
    struct bl_list *files = NULL;

    if (repository == NULL)
        return bl_machine_fail(machine, BL_ERR_READ, BL_STR("There is nothing to read from"));
    enum bl_status status =
        bl_machine_field(machine, repository, BL_FIELD_REPOSITORY_TRACKED_FILES, &all);
    if (status == BL_OK)
        status = bl_machine_list(machine, all, &files);
    for (uint32_t i = 0; status == BL_OK && i < files->count; i++) {
        if (bl_str_equal(bl_text_of(files->items[i]), path)) {
            *call->out = files->items[i];
            break;
        }
    }
    return status;
}
