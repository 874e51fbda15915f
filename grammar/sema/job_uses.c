/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/job_uses.h"

/* An effect is found in the statements of what the job runs, a read in the clause trees of that
 * and of all that it calls: what stands anywhere in them counts, so that nothing is missing
 * that can happen. */

struct gathering {
    const struct bl_program *program;
    const struct bl_symbol *job;
    const struct bl_symbol *where;
    bool *visited[BL_SYMBOL_KIND_COUNT];
    size_t begin; /* where the uses of `where` begin, while its effects are looked for */
    size_t reads[BL_READ_COUNT]; /* 1 + index of the use; 0: none yet */
    struct bl_job_uses *out;
};

static void find(struct gathering *g, enum bl_permission permission, enum bl_use_kind kind,
                 bl_str what, struct bl_span span)
{
    struct bl_permission_use *use = BL_PUSH(g->program->arena, g->out->permissions);

    if (use != NULL)
        *use = (struct bl_permission_use){permission, kind, what, g->where, span, 0};
    g->out->needed |= BL_CAP(permission);
}

/* The same effect of the same rule has one row. */
static void find_effect(struct gathering *g, enum bl_permission permission, bl_str words,
                        struct bl_span span)
{
    if (permission == BL_PERMISSION_NONE)
        return;
    for (size_t i = g->begin; i < g->out->permissions.count; i++) {
        struct bl_permission_use *use = &g->out->permissions.items[i];

        if (use->permission == permission && use->kind == BL_USE_EFFECT &&
            bl_str_equal(use->what, words)) {
            use->more++;
            return;
        }
    }
    find(g, permission, BL_USE_EFFECT, words, span);
}

/* ---- reads
 * ------------------------------------------------------------------------------------------ */

static void visit_symbol(struct gathering *g, const struct bl_symbol *symbol);

static void note(struct gathering *g, const struct bl_symbol *symbol)
{
    bool *visited = g->visited[symbol->kind];
    const struct bl_symbol **slot;

    if (visited == NULL || visited[symbol->number])
        return;
    visited[symbol->number] = true;
    slot = symbol->kind == BL_SYMBOL_SECRET ? BL_PUSH(g->program->arena, g->out->secrets)
                                            : BL_PUSH(g->program->arena, g->out->variables);
    if (slot != NULL)
        *slot = symbol;
}

/* So has the same read of the job. */
static void find_read(struct gathering *g, enum bl_read read, struct bl_span span)
{
    const struct bl_read_info *info = bl_read_info(read);

    if (info == NULL || info->permission == BL_PERMISSION_NONE)
        return;
    if (g->reads[read] > 0) {
        g->out->permissions.items[g->reads[read] - 1].more++;
        return;
    }
    find(g, info->permission, BL_USE_READ, info->name, span);
    g->reads[read] = g->out->permissions.count;
}

static void find_field(struct gathering *g, unsigned field, struct bl_span span)
{
    const struct bl_field_info *info = bl_field_info((enum bl_field)field);

    if (info != NULL)
        find_read(g, info->read, span);
}

static void visit_node(struct gathering *g, const struct bl_node *node)
{
    if (node == NULL)
        return;
    if (node->resolution == BL_RESOLVED_FIELD || node->resolution == BL_RESOLVED_HAS)
        find_field(g, node->index, node->span);
    else if (node->resolution == BL_RESOLVED_IS_PULL)
        find_field(g, BL_FIELD_ISSUE_IS_PULL_REQUEST, node->span);
    else if (node->resolution == BL_RESOLVED_IS_COMMAND)
        find_read(g, BL_READ_REACTIONS, node->span);
    else if (node->resolution == BL_RESOLVED_BUILTIN)
        find_read(g, bl_builtin_info((enum bl_builtin)node->index)->read, node->span);
    if (node->resolution == BL_RESOLVED_VARIABLE || node->resolution == BL_RESOLVED_SECRET)
        note(g, node->symbol);
    else if (node->symbol != NULL)
        visit_symbol(g, node->symbol);
    for (uint32_t i = 0; i < node->kid_count; i++)
        visit_node(g, node->kids[i]);
}

static bool hears(const struct gathering *g, const struct bl_symbol *family)
{
    const struct bl_rule *refused = family->as.commands->refused;

    return refused == NULL || (refused->events & g->job->as.job->events) != 0;
}

static bool is_command_of(const struct bl_symbol *command, const struct bl_symbol *family)
{
    const struct bl_node *name =
        command->clause != NULL ? bl_slot_node(command->clause, 1) : NULL;

    return name != NULL && bl_str_equal(name->text, family->name);
}

/* A command is judged by all of its family, in a run that its event started; in others its
 * reaction tells. */
static void visit_family(struct gathering *g, const struct bl_symbol *family)
{
    const struct bl_symbol_list *commands = &g->program->symbols[BL_SYMBOL_COMMAND];

    if (!hears(g, family))
        return;
    for (size_t i = 0; i < commands->count; i++) {
        if (is_command_of(commands->items[i], family))
            visit_symbol(g, commands->items[i]);
    }
}

/* What a name brings along when it is used; names that are constants bring nothing. */
static bool is_followed(enum bl_symbol_kind kind)
{
    return kind == BL_SYMBOL_DEFINE || kind == BL_SYMBOL_DECISION || kind == BL_SYMBOL_CHECK ||
           kind == BL_SYMBOL_ACTOR || kind == BL_SYMBOL_MESSAGE || kind == BL_SYMBOL_COMMENT ||
           kind == BL_SYMBOL_PART || kind == BL_SYMBOL_REPORT || kind == BL_SYMBOL_COMMANDS ||
           kind == BL_SYMBOL_COMMAND || kind == BL_SYMBOL_FILE || kind == BL_SYMBOL_ENGINE;
}

static void visit_symbol(struct gathering *g, const struct bl_symbol *symbol)
{
    const struct bl_symbol *before = g->where;
    bool *visited = g->visited[symbol->kind];

    if (!is_followed(symbol->kind) || visited == NULL || visited[symbol->number])
        return;
    visited[symbol->number] = true;
    g->where = symbol;
    if (symbol->kind == BL_SYMBOL_COMMANDS && !hears(g, symbol)) {
        g->where = before;
        return;
    }
    if (symbol->kind == BL_SYMBOL_MESSAGE) {
        for (size_t i = 0; i < symbol->as.message->count; i++) {
            if (symbol->as.message->texts[i].clause != NULL)
                visit_node(g, symbol->as.message->texts[i].clause->node);
        }
    } else if (symbol->clause != NULL) {
        visit_node(g, symbol->clause->node);
    }
    if (symbol->kind == BL_SYMBOL_COMMANDS)
        visit_family(g, symbol);
    g->where = before;
}

/* ---- effects
 * ---------------------------------------------------------------------------------------- */

static void add_output(struct gathering *g, bl_str name)
{
    bl_str *slot;

    for (size_t i = 0; i < g->out->outputs.count; i++) {
        if (bl_str_equal(g->out->outputs.items[i], name))
            return;
    }
    slot = BL_PUSH(g->program->arena, g->out->outputs);
    if (slot != NULL)
        *slot = name;
}

static void visit_statements(struct gathering *g, const struct bl_statement *list)
{
    for (const struct bl_statement *s = list; s != NULL; s = s->next) {
        for (unsigned p = 0; s->kind == BL_STATEMENT_EFFECT && p < BL_PERMISSION_COUNT; p++) {
            if ((s->needed & BL_CAP(p)) != 0)
                find_effect(g, (enum bl_permission)p, bl_effect_info(s->effect)->words,
                            s->span);
        }
        if (s->kind == BL_STATEMENT_EFFECT && s->effect == BL_EFFECT_START)
            g->out->starts = true;
        else if (s->kind == BL_STATEMENT_EFFECT && s->effect == BL_EFFECT_OUTPUT)
            add_output(g, s->name);
        visit_statements(g, s->body);
        if (s->otherwise != NULL)
            visit_statements(g, s->otherwise);
    }
}

/* The effects of a command are found by their clauses: the same rows of the tables. */
static void visit_clauses(struct gathering *g, const struct bl_clause *list)
{
    for (const struct bl_clause *clause = list; clause != NULL; clause = clause->next) {
        bl_str words = bl_clause_info(clause->id)->words;

        for (unsigned i = 0;
             bl_clause_info(clause->id)->block == BL_BLOCK_EFFECTS && i < BL_EFFECT_COUNT;
             i++) {
            const struct bl_effect_info *info = bl_effect_info((enum bl_effect)i);

            /* "add" of the clauses is "add label" of the effects. */
            if (bl_str_equal(info->words, words) ||
                (bl_str_starts_with(info->words, words) && info->words.ptr[words.len] == ' ' &&
                 info->words.len > words.len))
                find_effect(g, info->permission, info->words, clause->node->span);
        }
        if (clause->id == BL_CLAUSE_START)
            g->out->starts = true;
        else if (clause->id == BL_CLAUSE_OUTPUT)
            add_output(g, bl_slot_node(clause, 0)->text);
        visit_clauses(g, clause->block);
        visit_clauses(g, clause->inner);
    }
}

static void visit_runnable(struct gathering *g, const struct bl_symbol *symbol)
{
    g->where = symbol;
    g->begin = g->out->permissions.count;
    visit_statements(g, symbol->as.rule->body);
    if (symbol->clause != NULL)
        visit_node(g, symbol->clause->node);
}

static bool takes_commands(const struct bl_symbol *job, const struct bl_symbol *commands)
{
    return job->as.job->runs == BL_RUNS_RULES && job->package == commands->package;
}

static void visit_commands(struct gathering *g, const struct bl_symbol *job)
{
    static const enum bl_symbol_kind kinds[] = {BL_SYMBOL_COMMANDS, BL_SYMBOL_COMMAND};

    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        const struct bl_symbol_list *list = &g->program->symbols[kinds[k]];

        for (size_t i = 0; i < list->count; i++) {
            if (!takes_commands(job, list->items[i]) || list->items[i]->clause == NULL)
                continue;
            g->where = list->items[i];
            g->begin = g->out->permissions.count;
            visit_clauses(g, list->items[i]->clause->block);
            visit_symbol(g, list->items[i]);
        }
    }
}

/* ---- steps of the workflow
 * --------------------------------------------------------------------------------- */

static void visit_action(struct gathering *g, const struct bl_symbol *action,
                         struct bl_span span)
{
    const struct bl_clause *row = action->clause != NULL ? action->clause->block : NULL;

    for (; row != NULL; row = row->next) {
        if (row->id != BL_CLAUSE_ACTION_READS)
            continue;
        for (uint32_t i = 0; i < row->slots[0].count; i++) {
            enum bl_permission permission =
                bl_permission_named(row->slots[0].nodes[i]->text, BL_STR("read"));

            if (permission != BL_PERMISSION_COUNT)
                find(g, permission, BL_USE_ACTION, action->name, span);
        }
    }
}

static void visit_steps(struct gathering *g, const struct bl_clause *step)
{
    for (; step != NULL; step = step->next) {
        const struct bl_symbol *action = NULL;

        if (step->id == BL_CLAUSE_STEPS_USES)
            action = bl_program_find(g->program, BL_SPACE_RUNNING, bl_slot_node(step, 0)->text);
        if (action != NULL && action->kind == BL_SYMBOL_ACTION)
            visit_action(g, action, step->node->span);
        g->out->unknown = g->out->unknown || step->id == BL_CLAUSE_STEPS_RUN;
    }
}

static const struct bl_symbol *named_steps(const struct bl_program *program,
                                           const struct bl_clause *list, enum bl_clause_id id)
{
    for (const struct bl_clause *row = list; row != NULL; row = row->next) {
        if (row->id == id) {
            const struct bl_symbol *symbol =
                bl_program_find(program, BL_SPACE_RUNNING, bl_slot_node(row, 0)->text);

            return symbol != NULL && symbol->kind == BL_SYMBOL_STEPS ? symbol : NULL;
        }
    }
    return NULL;
}

const struct bl_symbol *bl_job_begins(const struct bl_program *program,
                                      const struct bl_symbol *job)
{
    const struct bl_symbol *own =
        named_steps(program, job->clause->block, BL_CLAUSE_JOB_BEGINS);

    if (own != NULL || job->as.job->engine != NULL || job->as.job->workflow == NULL)
        return own;
    return named_steps(program, job->as.job->workflow->clause->block,
                       BL_CLAUSE_WORKFLOW_BEGINS);
}

static void visit_workflow_steps(struct gathering *g, const struct bl_symbol *job)
{
    const struct bl_symbol *begins = bl_job_begins(g->program, job);

    if (begins != NULL) {
        g->where = begins;
        visit_steps(g, begins->clause->block);
    }
    g->where = job;
    for (const struct bl_clause *row = job->clause->block; row != NULL; row = row->next) {
        if (row->id == BL_CLAUSE_JOB_STEPS)
            visit_steps(g, row->block);
    }
}

/* A report reads, and may write log lines alone. */
static void visit_report(struct gathering *g, const struct bl_symbol *symbol)
{
    if (symbol->kind == BL_SYMBOL_REPORT)
        visit_symbol(g, symbol);
}

/* ---- tasks
 * --------------------------------------------------------------------------------------- */

/* What is asked where the engine is called, and where its answer is read. */
static bool is_asked(enum bl_clause_id id, enum bl_job_runs runs)
{
    return id == BL_CLAUSE_TASK_JUDGES || id == BL_CLAUSE_TASK_LET ||
           (runs == BL_RUNS_TASK ? id == BL_CLAUSE_TASK_MODEL || id == BL_CLAUSE_TASK_TURNS ||
                                       id == BL_CLAUSE_TASK_BUDGET
                                 : id == BL_CLAUSE_TASK_PASSES || id == BL_CLAUSE_TASK_COUNTS);
}

static void visit_tasks(struct gathering *g, enum bl_job_runs runs)
{
    const struct bl_symbol_list *tasks = &g->program->symbols[BL_SYMBOL_TASK];

    for (size_t i = 0; i < tasks->count; i++) {
        const struct bl_symbol *task = tasks->items[i];
        const struct bl_symbol_list *files = &task->as.task->files;

        g->where = task;
        for (const struct bl_clause *row = task->clause->block; row != NULL; row = row->next)
            if (is_asked(row->id, runs))
                visit_node(g, row->node);
        for (size_t f = 0; runs == BL_RUNS_TASK && f < files->count; f++)
            visit_symbol(g, files->items[f]);
    }
}

/* ---- jobs
 * --------------------------------------------------------------------------------------- */

static void visit_job(struct gathering *g, const struct bl_symbol *job)
{
    static const enum bl_symbol_kind kinds[] = {BL_SYMBOL_RULE, BL_SYMBOL_STEP,
                                                BL_SYMBOL_LIFECYCLE};
    const struct bl_job *j = job->as.job;

    g->where = job;
    visit_node(g, job->clause->node);
    if (j->sweep != NULL && j->sweep->clause != NULL) {
        g->where = j->sweep;
        visit_node(g, j->sweep->clause->node);
        for (size_t i = 0; i < j->sweep->as.sweep->count; i++)
            visit_report(g, j->sweep->as.sweep->items[i].symbol);
    }
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        const struct bl_symbol_list *list = &g->program->symbols[kinds[k]];

        for (size_t i = 0; i < list->count; i++) {
            if (list->items[i]->as.rule->job == job)
                visit_runnable(g, list->items[i]);
        }
    }
    visit_commands(g, job);
    g->where = job;
    g->begin = g->out->permissions.count;
    for (size_t i = 0; i < j->steps.count; i++)
        visit_statements(g, j->steps.items[i].posted);
    if (j->runs == BL_RUNS_TASK || j->runs == BL_RUNS_ANSWERS)
        visit_tasks(g, j->runs);
    if (j->engine != NULL)
        visit_symbol(g, j->engine);
    visit_workflow_steps(g, job);
}

void bl_job_uses(const struct bl_program *program, const struct bl_symbol *job,
                 struct bl_job_uses *out)
{
    struct gathering g = {.program = program, .job = job, .out = out};

    *out = (struct bl_job_uses){.needed = 0};
    for (unsigned kind = 0; kind < BL_SYMBOL_KIND_COUNT; kind++)
        g.visited[kind] = BL_NEW_ARRAY(program->arena, program->symbols[kind].count + 1, bool);
    visit_job(&g, job);
    if (out->unknown)
        out->needed |= job->as.job->capabilities;
}

bool bl_permission_is_implied(uint32_t set, unsigned permission)
{
    const struct bl_permission_info *info = bl_permission_info((enum bl_permission)permission);

    for (unsigned i = 0; i < BL_PERMISSION_COUNT; i++) {
        const struct bl_permission_info *other = bl_permission_info((enum bl_permission)i);

        if (i != permission && (set & BL_CAP(i)) != 0 && bl_str_equal(other->key, info->key) &&
            bl_str_equal(other->level, BL_STR("write")) &&
            bl_str_equal(info->level, BL_STR("read")))
            return true;
    }
    return false;
}
