/* SPDX-License-Identifier: Apache-2.0 */
#include "emit/lowering.h"

/* The steps of a job's own, and what its functions take: what the jobs before it gave. */

void bl_lower_given(struct bl_body *body, const struct bl_job *job)
{
    for (size_t i = 0; i < job->given.count; i++) {
        struct bl_symbol *local = job->given.items[i];
        if (local->used)
            bl_body_local(body, local,
                          bl_code_param(body->code, bl_emit_type(body->e, local->type)));
    }
}

static void give_back(struct bl_body *body, bool value, struct bl_span span)
{
    bl_put(body, BL_OP_RETURN_BOOL, 0, 0, value, span);
}

/* The thing that the job is about stands for the ambient of its kind; where there is none,
 * nothing is done and the function says so. */
static struct bl_rebound bind_about(struct bl_body *body, const struct bl_job *job,
                                    unsigned nothing)
{
    struct bl_span span = job->about->span;
    bl_type type = bl_emit_type(body->e, bl_type_base(job->about->type));
    unsigned value = bl_lower(body, job->about);
    if (bl_type_is_optional(bl_code_type(body->code, value))) {
        unsigned is_set = bl_code_register(body->code, BL_TYPE_BOOL);
        unsigned thing = bl_code_register(body->code, type);
        bl_put(body, BL_OP_IS_SET, is_set, value, 0, span);
        bl_code_jump(body->code, BL_OP_JUMP_UNLESS, is_set, nothing, span);
        bl_put(body, BL_OP_REQUIRE, thing, value, 0, span);
        value = thing;
    }
    bl_body_local(body, job->about_local, value);
    return bl_rebind(body, job->about_local, value);
}

static uint32_t post_function(struct bl_emitter *e, const struct bl_symbol *symbol,
                              const struct bl_job_step *step)
{
    const struct bl_job *job = symbol->as.job;
    struct bl_rebound bound = {BL_AMBIENT_COUNT, 0};
    struct bl_body body = bl_body_begin(e, step->symbol->name, BL_FUNCTION_ENTRY, BL_TYPE_BOOL,
                                        bl_emit_job(symbol));
    bl_lower_given(&body, job);
    unsigned nothing = bl_code_target(body.code);
    if (job->about != NULL)
        bound = bind_about(&body, job, nothing);
    bl_lower_effect(&body, step->posted);
    bl_rebind_restore(&body, &bound);
    give_back(&body, true, step->span);
    bl_code_place(body.code, nothing);
    give_back(&body, false, step->span);
    return bl_body_end(&body);
}

static uint32_t post_entry(struct bl_emitter *e, const struct bl_symbol *job,
                           const struct bl_job_step *step)
{
    struct bl_entry row = bl_emit_entry(e, BL_ENTRY_POSTED, step->symbol->name, step->span);
    row.job = bl_emit_job(job);
    uint32_t entry = bl_add_ENTRIES(e->b, row);
    uint32_t function = post_function(e, job, step);
    if (entry < e->b->ENTRIES.count)
        e->b->ENTRIES.items[entry].function = function;
    return entry;
}

static uint32_t check_entry(struct bl_emitter *e, struct bl_symbol *check)
{
    uint32_t function = bl_emit_callable(e, check);
    for (uint32_t i = 0; i < e->b->ENTRIES.count; i++) {
        const struct bl_entry *entry = &e->b->ENTRIES.items[i];
        if (entry->kind == BL_ENTRY_CHECK && entry->function == function)
            return i;
    }
    return BL_NONE;
}

static void add_step(struct bl_emitter *e, const struct bl_symbol *job,
                     const struct bl_job_step *step)
{
    struct bl_module_job_step row = {.kind = step->kind, .index = BL_NONE};
    if (step->symbol != NULL)
        row.name = bl_builder_string(e->b, step->symbol->name);
    if (step->kind == BL_JOB_STEP_WRITE) {
        row.index = step->symbol->emit[0] - 1;
    } else if (step->kind == BL_JOB_STEP_CHECK) {
        row.index = check_entry(e, step->symbol);
        row.path = bl_builder_string(e->b, step->path);
    } else if (step->kind == BL_JOB_STEP_POST) {
        row.index = post_entry(e, job, step);
    }
    bl_add_JOB_STEPS(e->b, row);
}

/* What the engine of the job gets of the runner's environment beside the usual. */
static void add_secrets(struct bl_emitter *e, const struct bl_symbol *job)
{
    for (const struct bl_clause *row = job->clause->block; row != NULL; row = row->next) {
        const struct bl_symbol *secret =
            row->id == BL_CLAUSE_JOB_SECRET
                ? bl_program_find(e->program, BL_SPACE_VALUES, bl_slot_node(row, 0)->text)
                : NULL;
        if (secret != NULL && secret->kind == BL_SYMBOL_SECRET)
            bl_add_JOB_STEPS(e->b,
                             (struct bl_module_job_step){
                                 .kind = BL_JOB_STEP_SECRET,
                                 .index = BL_NONE,
                                 .name = bl_builder_string(e->b, secret->as.outside->shown)});
    }
}

void bl_emit_job_steps(struct bl_emitter *e)
{
    const struct bl_symbol_list *jobs = &e->program->symbols[BL_SYMBOL_JOB];
    for (size_t i = 0; i < jobs->count && i < e->b->JOBS.count; i++) {
        const struct bl_symbol *job = jobs->items[i];
        size_t first = e->b->JOB_STEPS.count;
        for (size_t k = 0; k < job->as.job->steps.count; k++)
            add_step(e, job, &job->as.job->steps.items[k]);
        add_secrets(e, job);
        e->b->JOBS.items[i].first_own = (uint32_t)first;
        e->b->JOBS.items[i].own_count = (uint32_t)(e->b->JOB_STEPS.count - first);
    }
}
