/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"

/* Files and reports: what they are called for, and what the runs that make them bring. */

/* ---- files
 * ------------------------------------------------------------------------------------------ */

/* A file may stand once for each element of a list. Its path is the policy's own words. */
void bl_sema_file_head(struct bl_checker *c, struct bl_symbol *symbol)
{
    struct bl_document *document = symbol->as.document;
    struct bl_node *each = bl_slot_node(symbol->clause, 2);

    document->path = bl_slot_node(symbol->clause, 1);
    if (each != NULL) {
        struct bl_node name = {.span = each->name_span};
        bl_type list = bl_sema_type(c, each, BL_NO_TYPE);
        struct bl_symbol **slot = BL_PUSH(c->arena, document->params);

        document->each = each;
        if (slot != NULL)
            *slot = bl_scope_local(
                c, BL_LOCAL_PARAMETER, &name, each->text,
                bl_type_is_list(list) ? bl_type_element(list) : (bl_type)BL_TYPE_ERROR, NULL);
    }
    bl_sema_put(c, document->path, BL_PLACE_COUNT);
}

/* The events of the jobs that write it: for a task that names it, by a step, or for an engine.
 * A task is about an issue. */
static bool is_named(const struct bl_symbol_list *list, const struct bl_symbol *file)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i] == file)
            return true;
    return false;
}

static bool is_written_by(const struct bl_symbol *job, const struct bl_symbol *file)
{
    for (const struct bl_clause *row = job->clause->block; row != NULL; row = row->next)
        for (const struct bl_clause *step = row->id == BL_CLAUSE_JOB_STEPS ? row->block : NULL;
             step != NULL; step = step->next)
            if (step->id == BL_CLAUSE_STEPS_WRITE &&
                bl_str_equal(bl_slot_node(step, 0)->text, file->name))
                return true;
    return false;
}

static bool is_of_engine(const struct bl_symbol *engine, const struct bl_symbol *file)
{
    for (size_t i = 0; engine != NULL && i < engine->as.engine->flag_count; i++)
        if (engine->as.engine->flags[i].file == file)
            return true;
    return false;
}

static bool judges(const struct bl_symbol *task)
{
    return task->as.task->judges.value != NULL;
}

uint64_t bl_sema_file_events(struct bl_checker *c, const struct bl_symbol *file,
                             uint32_t *brings)
{
    const struct bl_symbol_list *tasks = &c->program->symbols[BL_SYMBOL_TASK];
    const struct bl_symbol_list *jobs = &c->program->symbols[BL_SYMBOL_JOB];
    bool of_task = false, all_judge = true;
    uint64_t events = 0;

    for (size_t i = 0; i < tasks->count; i++) {
        if (!is_named(&tasks->items[i]->as.task->files, file))
            continue;
        of_task = true;
        all_judge = all_judge && judges(tasks->items[i]);
    }
    for (size_t i = 0; i < jobs->count; i++) {
        const struct bl_job *job = jobs->items[i]->as.job;

        if (job->runs == BL_RUNS_TASK && (of_task || is_of_engine(job->engine, file)))
            events |= job->events & bl_sema_bringers(BL_AMBIENT_ISSUE);
        else if (is_written_by(jobs->items[i], file) || is_of_engine(job->engine, file))
            events |= job->events;
    }
    *brings = BL_AMBIENT_BIT(BL_AMBIENT_TASK) | BL_SEMA_OF_ENGINE |
              (of_task && all_judge ? BL_AMBIENT_BIT(BL_AMBIENT_COMMENT) : 0);
    return events != 0 ? events : bl_sema_bringers(BL_AMBIENT_ISSUE);
}

/* ---- reports
 * ---------------------------------------------------------------------------------------- */

/* A report about the run of an engine knows what it took and might have taken. */
void bl_sema_report_head(struct bl_checker *c, struct bl_symbol *symbol, struct bl_body *body)
{
    for (struct bl_clause *clause = symbol->clause->block; clause != NULL;
         clause = clause->next) {
        for (uint32_t i = 0; clause->id == BL_CLAUSE_REPORT_ON && i < clause->slots[0].count;
             i++) {
            struct bl_node *path = clause->slots[0].nodes[i];
            bl_str event = bl_sema_path_text(c, path);

            if (bl_str_equal(event, BL_STR("engine.ended"))) {
                symbol->as.document->of_engine = true;
                body->brings |= BL_SEMA_OF_ENGINE | BL_AMBIENT_BIT(BL_AMBIENT_USAGE);
            } else if (path->kind != BL_NODE_BROKEN) {
                bl_sema_arg(c, bl_sema_error(c, BL_D_REPORT_EVENT, path->span), "event", event);
            }
        }
    }
}

/* A report runs in the sweeps that name it, or behind an engine; one that nothing runs is
 * checked as if a schedule brought it. */
static void settle_report(struct bl_checker *c, const struct bl_symbol *report)
{
    const struct bl_symbol_list *sweeps = &c->program->symbols[BL_SYMBOL_SWEEP];
    const struct bl_symbol_list *jobs = &c->program->symbols[BL_SYMBOL_JOB];
    uint64_t events = 0;

    for (size_t i = 0; i < sweeps->count; i++) {
        const struct bl_sweep *sweep = sweeps->items[i]->as.sweep;

        for (size_t k = 0; k < sweep->count; k++)
            if (sweep->items[k].symbol == report && sweep->job != NULL)
                events |= sweep->job->as.job->events;
    }
    for (size_t i = 0; report->as.document->of_engine && i < jobs->count; i++)
        if (jobs->items[i]->as.job->engine != NULL)
            events |= jobs->items[i]->as.job->events;
    if (events == 0)
        events = UINT64_C(1) << BL_EVENT_SCHEDULE | UINT64_C(1) << BL_EVENT_WORKFLOW_DISPATCH;
    bl_sema_settle_needs(c, &report->as.document->needs, events, false);
}

void bl_sema_reports(struct bl_checker *c)
{
    for (size_t i = 0; i < c->program->symbols[BL_SYMBOL_REPORT].count; i++)
        settle_report(c, c->program->symbols[BL_SYMBOL_REPORT].items[i]);
}
