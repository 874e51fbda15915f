/* SPDX-License-Identifier: Apache-2.0 */
#include "workflows/workflows.h"

#include "workflows/writer.h"

const struct bl_clause *bl_find_row(const struct bl_clause *list, enum bl_clause_id id)
{
    while (list != NULL && list->id != id)
        list = list->next;
    return list;
}

bl_str bl_row_text(const struct bl_clause *row, unsigned slot)
{
    const struct bl_node *node = row != NULL ? bl_slot_node(row, slot) : NULL;

    return node != NULL && node->kid_count > 0 ? node->kids[0]->text : BL_STR("");
}

void bl_writer_lacks(struct bl_writer *w, const struct bl_symbol *at, const char *what)
{
    struct bl_diagnostic *d;

    w->failed = true;
    if (w->sink == NULL)
        return;
    d = bl_report(w->sink, BL_D_WORKFLOW_LACKS, at->span);
    bl_diagnostic_text(w->sink, d, "name", w->workflow->name);
    bl_diagnostic_text(w->sink, d, "what", bl_str_from(what));
}

bool bl_is_of(const struct bl_symbol *job, const struct bl_symbol *workflow)
{
    return job->clause != NULL && job->as.job != NULL && job->as.job->workflow == workflow;
}

/* ---- one workflow
 * ------------------------------------------------------------------------------- */

static size_t use_jobs(struct bl_writer *w)
{
    const struct bl_symbol_list *jobs = &w->program->symbols[BL_SYMBOL_JOB];
    size_t count = 0;

    w->uses = BL_NEW_ARRAY(w->program->arena, jobs->count + 1, struct bl_job_uses);
    for (size_t i = 0; w->uses != NULL && i < jobs->count; i++) {
        if (!bl_is_of(jobs->items[i], w->workflow))
            continue;
        bl_job_uses(w->program, jobs->items[i], &w->uses[i]);
        count++;
    }
    return count;
}

/* Jobs in the order in which they run; of equal ones as the policy has them. */
static void put_jobs(struct bl_writer *w)
{
    const struct bl_symbol_list *jobs = &w->program->symbols[BL_SYMBOL_JOB];

    BL_PUT(&w->out, "\njobs:");
    for (size_t depth = 0, left = 1; left > 0; depth++) {
        left = 0;
        for (size_t i = 0; i < jobs->count; i++) {
            size_t before = 0;

            if (!bl_is_of(jobs->items[i], w->workflow))
                continue;
            for (const struct bl_symbol *at = jobs->items[i]->as.job->after; at != NULL;
                 at = at->as.job->after)
                before++;
            left += before > depth ? 1 : 0;
            if (before == depth)
                bl_write_job(w, jobs->items[i]);
        }
    }
}

static void write_workflow(struct bl_writer *w)
{
    const struct bl_clause *clause = w->workflow->clause;
    const struct bl_clause *queue = bl_find_row(clause->block, BL_CLAUSE_WORKFLOW_QUEUE);
    const struct bl_knowing knowing = {NULL, w->workflow->as.workflow->events};
    size_t count = use_jobs(w);
    struct bl_buf name;

    if (w->uses == NULL)
        return; /* out of memory, as the arena says */
    if (count == 0) {
        bl_writer_lacks(w, w->workflow, "a job: job NAME { of WORKFLOW; … }");
        return;
    }
    bl_buf_init(&name, w->program->arena, (size_t)bl_limit(BL_LIMIT_TEXT_BYTES));
    bl_write_words(&name, bl_row_text(clause, 1));
    bl_buf_printf(&w->out,
                  BL_WORKFLOW_FIRST_LINE
                  " (workflow %.*s).\n# Change the policy and write it again; "
                  "commits of actions may be updated here.\n",
                  BL_STR_ARG(w->workflow->name));
    BL_PUT(&w->out, "name: ");
    bl_yaml_text(&w->out, bl_buf_str(&name));
    BL_PUT(&w->out, "\n\n");
    bl_write_triggers(w);
    BL_PUT(&w->out, "\npermissions: {}\n");
    if (queue != NULL && count > 1) {
        bl_buf_put_char(&w->out, '\n');
        bl_write_queue(w, &knowing, queue, 0);
    }
    put_jobs(w);
}

static bool write_one(const struct bl_program *program, struct bl_diagnostics *sink,
                      const struct bl_symbol *workflow, bl_str *out)
{
    struct bl_writer w = {.program = program, .sink = sink, .workflow = workflow};

    bl_buf_init(&w.out, program->arena, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES));
    write_workflow(&w);
    *out = bl_buf_str(&w.out);
    if (w.out.failed)
        program->arena->failed = true;
    return !w.failed;
}

/* ---- all
 * ---------------------------------------------------------------------------------------- */

static void add_runners(const struct bl_program *program, struct bl_workflow_files *out)
{
    const struct bl_symbol_list *runners = &program->symbols[BL_SYMBOL_RUNNER];

    for (size_t i = 0; i < runners->count; i++) {
        const struct bl_symbol *runner = runners->items[i];
        struct bl_workflow_file file = {
            .symbol = runner,
            .path = bl_row_text(bl_find_row(runner->clause->block, BL_CLAUSE_RUNNER_FILE), 0)};
        struct bl_workflow_file *slot =
            bl_write_runner(program, runner, &file.text) ? BL_PUSH(program->arena, *out) : NULL;

        if (slot != NULL)
            *slot = file;
    }
}

enum bl_status bl_workflows_write(const struct bl_program *program, struct bl_diagnostics *sink,
                                  struct bl_workflow_files *out)
{
    const struct bl_symbol_list *workflows = &program->symbols[BL_SYMBOL_WORKFLOW];
    bool good = true;

    *out = (struct bl_workflow_files){NULL, 0, 0};
    for (size_t i = 0; i < workflows->count; i++) {
        struct bl_workflow_file file = {.symbol = workflows->items[i]};
        struct bl_workflow_file *slot;
        struct bl_buf path;

        if (!write_one(program, sink, file.symbol, &file.text)) {
            good = false;
            continue;
        }
        bl_buf_init(&path, program->arena, (size_t)bl_limit(BL_LIMIT_TEXT_BYTES));
        BL_PUT(&path, ".github/workflows/");
        bl_buf_put(&path, file.symbol->as.workflow->file);
        file.path = bl_buf_str(&path);
        slot = BL_PUSH(program->arena, *out);
        if (slot != NULL)
            *slot = file;
    }
    add_runners(program, out);
    if (program->arena->failed)
        return BL_ERR_NOMEM;
    return good ? BL_OK : BL_ERR_INVALID;
}

bool bl_workflow_is_made(bl_str text)
{
    return bl_str_starts_with(text, BL_STR(BL_WORKFLOW_FIRST_LINE));
}
