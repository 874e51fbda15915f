/* SPDX-License-Identifier: Apache-2.0 */
#include "vm/builtins.h"

/* What is asked of a whole record: of an answer, before anything of it is shown. */

static enum bl_status collect(struct bl_machine *machine, struct bl_value v, bl_type type,
                              struct bl_list *out);

/* Records hold records of lower index alone, so this ends. */
static enum bl_status collect_fields(struct bl_machine *machine, struct bl_value v,
                                     bl_type type, struct bl_list *out)
{
    const struct bl_module *m = machine->module;
    const struct bl_module_record *record = &m->RECORDS_rows[bl_type_ref(type)];
    enum bl_status status = bl_charge(machine, record->count);

    for (uint32_t i = 0; status == BL_OK && i < record->count && i < v.len; i++)
        status = collect(machine, v.as.fields[i], m->RECORD_FIELDS_rows[record->first + i].type,
                         out);
    return status;
}

static enum bl_status collect(struct bl_machine *machine, struct bl_value v, bl_type type,
                              struct bl_list *out)
{
    enum bl_type_kind kind = bl_type_kind(type);
    struct bl_list *list;
    enum bl_status status;

    if (v.tag == BL_V_LIST) {
        status = bl_machine_list(machine, v, &list);
        for (uint32_t i = 0; status == BL_OK && i < list->count; i++)
            status = collect(machine, list->items[i], bl_type_element(type), out);
        return status;
    }
    if (v.tag == BL_V_RECORD && kind == BL_TYPE_RECORD)
        return collect_fields(machine, v, type, out);
    if (v.tag == BL_V_TEXT && kind != BL_TYPE_SECRET)
        return bl_machine_push(machine, out, v);
    return BL_OK;
}

enum bl_status bl_builtin_texts(struct bl_builtin_call *call)
{
    struct bl_list *texts = bl_list_create(call->machine->arena);
    enum bl_status status;

    if (texts == NULL)
        return bl_machine_nomem(call->machine);
    status = collect(call->machine, call->args[0], call->types[0], texts);
    *call->out = bl_list_value(texts);
    return status;
}

/* ---- what the policy declares ------------------------------------------------------------ */

/* The compiler wrote the file; here it is a text as any other. */
enum bl_status bl_builtin_generated(struct bl_builtin_call *call)
{
    *call->out = call->args[0];
    return BL_OK;
}

enum bl_status bl_builtin_job_info(struct bl_builtin_call *call)
{
    struct bl_object *job = bl_object_create(call->machine->arena, BL_ENTITY_JOB_INFO, 0,
                                             bl_text_of(call->args[0]));

    if (job == NULL)
        return bl_machine_nomem(call->machine);
    bl_object_set(job, BL_FIELD_JOB_INFO_NAME, call->args[0]);
    bl_object_set(job, BL_FIELD_JOB_INFO_MAY, call->args[1]);
    bl_object_set(job, BL_FIELD_JOB_INFO_ENGINE, call->args[2]);
    bl_object_set(job, BL_FIELD_JOB_INFO_SECRETS, call->args[3]);
    *call->out = bl_object_value(job);
    return BL_OK;
}
