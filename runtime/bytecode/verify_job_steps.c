/* SPDX-License-Identifier: Apache-2.0 */
#include "bytecode/verifier_parts.h"

/* Steps of jobs, and what functions take of the jobs before theirs. */

/* The values that a runner's file of outputs can hold, and a run reads again. */
static bool crosses(bl_type type)
{
    enum bl_type_kind kind = bl_type_kind(bl_type_base(type));

    if (!bl_type_is_optional(type) || bl_type_is_list(type))
        return false;
    if (kind == BL_TYPE_ENTITY)
        return bl_type_ref(type) == BL_ENTITY_ISSUE ||
               bl_type_ref(type) == BL_ENTITY_PULL_REQUEST;
    return kind == BL_TYPE_INT || kind == BL_TYPE_BOOL || kind == BL_TYPE_NAME ||
           kind == BL_TYPE_ENUM;
}

static bool is_given(const struct bl_module *m, bl_type type)
{
    if (type == BL_OPTIONAL(BL_TYPE_TASK) || type == BL_OPTIONAL(BL_TYPE_NAME))
        return true;
    if (bl_type_kind(type) != BL_TYPE_RECORD || bl_type_is_optional(type) ||
        bl_type_is_list(type) || bl_type_ref(type) >= m->RECORDS_count)
        return false;
    const struct bl_module_record *record = &m->RECORDS_rows[bl_type_ref(type)];
    for (uint32_t i = 0; i < record->count; i++) {
        if (!crosses(m->RECORD_FIELDS_rows[record->first + i].type))
            return false;
    }
    return true;
}

/* The function's index is in range. */
bool bl_verify_takes_given(const struct bl_verify *v, uint32_t function)
{
    const struct bl_module *m = v->module;
    const struct bl_function *f = &m->FUNCTIONS_rows[function];

    for (unsigned i = 0; i < f->param_count; i++) {
        if (!is_given(m, bl_module_registers(m, f)[i]))
            return false;
    }
    return true;
}

static bool is_checkable(const struct bl_module *m, uint32_t entry)
{
    if (entry >= m->ENTRIES_count || m->ENTRIES_rows[entry].kind != BL_ENTRY_CHECK)
        return false;
    const struct bl_function *f = &m->FUNCTIONS_rows[m->ENTRIES_rows[entry].function];
    bl_type type = f->param_count == 1 ? bl_module_registers(m, f)[0] : BL_TYPE_NONE;
    return type == BL_TYPE_UNTRUSTED || type == BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_PATCH);
}

static bool is_step(const struct bl_module *m, uint32_t job,
                    const struct bl_module_job_step *row)
{
    switch (row->kind) {
    case BL_JOB_STEP_WRITE:
        return row->index < m->FILES_count;
    case BL_JOB_STEP_ENGINE:
        return row->index == BL_NONE && m->JOBS_rows[job].engine != BL_NONE;
    case BL_JOB_STEP_CHECK:
        return is_checkable(m, row->index);
    case BL_JOB_STEP_POST:
        return row->index < m->ENTRIES_count &&
               m->ENTRIES_rows[row->index].kind == BL_ENTRY_POSTED &&
               m->ENTRIES_rows[row->index].job == job;
    case BL_JOB_STEP_SECRET:
        return row->index == BL_NONE;
    default:
        return false;
    }
}

/* The rows of the jobs follow one another. */
bool bl_verify_job_steps(struct bl_verify *v)
{
    const struct bl_module *m = v->module;
    uint32_t at = 0;

    for (uint32_t i = 0; i < m->JOBS_count; i++) {
        const struct bl_module_job *job = &m->JOBS_rows[i];

        if (job->first_own != at || job->own_count > m->JOB_STEPS_count - at)
            return bl_verify_bad_row(v, BL_SECTION_JOBS, i, "its own steps do not follow");
        for (uint32_t end = at + job->own_count; at < end; at++) {
            const struct bl_module_job_step *row = &m->JOB_STEPS_rows[at];

            if (!bl_verify_string(v, row->name) || !bl_verify_string(v, row->path))
                return bl_verify_bad_row(v, BL_SECTION_JOB_STEPS, at,
                                         "its name is not in the pool");
            if (row->path.length > 0 ? row->kind != BL_JOB_STEP_CHECK ||
                                           !bl_path_is_plain(bl_module_string(m, row->path))
                                     : row->kind == BL_JOB_STEP_CHECK)
                return bl_verify_bad_row(v, BL_SECTION_JOB_STEPS, at, "it has no such path");
            if (!is_step(m, i, row))
                return bl_verify_bad_row(v, BL_SECTION_JOB_STEPS, at,
                                         "its job has nothing of the kind");
        }
    }
    return at == m->JOB_STEPS_count ||
           bl_verify_bad_row(v, BL_SECTION_JOB_STEPS, at, "it belongs to no job");
}
