/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"

/* Workflows, jobs and sweeps; which job a rule or step belongs to, and what its effects may
 * write. */

#define BIT(event) (UINT64_C(1) << (event))

/* ---- workflows
 * ---------------------------------------------------------------------------------------- */

static void type_input(struct bl_checker *c, struct bl_clause *row)
{
    bl_type type = bl_sema_read_type(c, row->slots[1].nodes, row->slots[1].count, NULL,
                                     bl_slot_node(row, 0)->text, NULL);

    bl_slot_node(row, 0)->type = type;
    if (bl_slot_node(row, 2) != NULL)
        bl_sema_constant(c, bl_slot_node(row, 2), type);
}

static void read_workflow(struct bl_checker *c, struct bl_symbol *symbol)
{
    for (struct bl_clause *clause = symbol->clause->block; clause != NULL;
         clause = clause->next) {
        if (clause->id == BL_CLAUSE_WORKFLOW_BEGINS)
            bl_sema_find_kind(c, bl_slot_node(clause, 0), BL_SYMBOL_STEPS);
        if (clause->id != BL_CLAUSE_WORKFLOW_ON)
            continue;
        for (uint32_t i = 0; i < clause->slots[0].count; i++) {
            unsigned event = bl_sema_read_event(c, clause->slots[0].nodes[i]);

            if (event < BL_EVENT_COUNT)
                symbol->as.workflow->events |= BIT(event);
        }
        for (struct bl_clause *row = clause->block; row != NULL; row = row->next) {
            if (row->id == BL_CLAUSE_LISTENS_INPUT)
                type_input(c, row);
        }
    }
}

/* ---- jobs
 * ------------------------------------------------------------------------------------------------
 */

static void add_permission(struct bl_checker *c, struct bl_job *job, struct bl_node *word)
{
    enum bl_permission known = bl_permission_named(word->text, BL_STR("write"));
    struct bl_likeness like = bl_likeness_begin(word->text);

    if (known != BL_PERMISSION_COUNT) {
        job->capabilities |= BL_CAP(known);
        return;
    }
    for (unsigned i = 1; i < BL_PERMISSION_COUNT; i++) {
        const struct bl_permission_info *info = bl_permission_info((enum bl_permission)i);
        char *key = BL_NEW_ARRAY(c->arena, info->key.len + 1, char);

        if (key == NULL || !bl_str_equal(info->level, BL_STR("write")))
            continue;
        for (size_t at = 0; at < info->key.len; at++)
            key[at] = info->key.ptr[at] == '-' ? '_' : info->key.ptr[at];
        bl_likeness_consider(&like, (bl_str){key, info->key.len});
    }
    struct bl_diagnostic *d = bl_sema_error(c, BL_D_UNKNOWN_KIND_NAME, word->span);

    bl_sema_arg(c, d, "kind", BL_STR("permission to write"));
    bl_sema_arg(c, d, "name", word->text);
    bl_likeness_help(c, &like, d, word->span);
}

static void read_runs(struct bl_checker *c, struct bl_job *job, struct bl_node *word)
{
    if (bl_str_equal(word->text, BL_STR("rules"))) {
        job->runs = BL_RUNS_RULES;
    } else if (bl_str_equal(word->text, BL_STR("answers"))) {
        job->runs = BL_RUNS_ANSWERS;
    } else if (bl_str_equal(word->text, BL_STR("task"))) {
        job->runs = BL_RUNS_TASK;
    } else {
        job->sweep = bl_sema_find_kind(c, word, BL_SYMBOL_SWEEP);
        job->runs = job->sweep != NULL ? BL_RUNS_SWEEP : BL_RUNS_NOTHING;
    }
}

static void read_steps(struct bl_checker *c, struct bl_clause *steps)
{
    for (struct bl_clause *step = steps; step != NULL; step = step->next) {
        if (step->id == BL_CLAUSE_STEPS_USES)
            bl_sema_find_kind(c, bl_slot_node(step, 0), BL_SYMBOL_ACTION);
    }
}

static void read_job_part(struct bl_checker *c, struct bl_job *job, struct bl_clause *clause)
{
    struct bl_node *word = bl_slot_node(clause, 0);
    struct bl_node **slot;

    if (clause->id == BL_CLAUSE_JOB_OF) {
        job->workflow = bl_sema_find_kind(c, word, BL_SYMBOL_WORKFLOW);
    } else if (clause->id == BL_CLAUSE_JOB_AFTER) {
        job->after = bl_sema_find_kind(c, word, BL_SYMBOL_JOB);
    } else if (clause->id == BL_CLAUSE_JOB_MAY) {
        for (uint32_t i = 0; i < clause->slots[0].count; i++)
            add_permission(c, job, clause->slots[0].nodes[i]);
    } else if (clause->id == BL_CLAUSE_JOB_RUNS) {
        read_runs(c, job, word);
    } else if (clause->id == BL_CLAUSE_JOB_ENGINE) {
        job->engine = bl_sema_find_kind(c, word, BL_SYMBOL_ENGINE);
    } else if (clause->id == BL_CLAUSE_JOB_SECRET) {
        bl_sema_find_kind(c, word, BL_SYMBOL_SECRET);
    } else if (clause->id == BL_CLAUSE_JOB_RUNNER) {
        bl_sema_find_kind(c, word, BL_SYMBOL_RUNNER);
    } else if (clause->id == BL_CLAUSE_JOB_BEGINS) {
        bl_sema_find_kind(c, word, BL_SYMBOL_STEPS);
    } else if (clause->id == BL_CLAUSE_JOB_STEPS) {
        read_steps(c, clause->block);
    } else if (clause->id == BL_CLAUSE_JOB_WHEN) {
        slot = BL_PUSH(c->arena, job->when);
        if (slot != NULL)
            *slot = word;
    }
}

static void read_job(struct bl_checker *c, struct bl_symbol *symbol)
{
    struct bl_job *job = symbol->as.job;

    for (struct bl_clause *clause = symbol->clause->block; clause != NULL;
         clause = clause->next)
        read_job_part(c, job, clause);
    job->events = job->workflow != NULL ? job->workflow->as.workflow->events
                  : job->runs == BL_RUNS_SWEEP
                      ? BIT(BL_EVENT_SCHEDULE) | BIT(BL_EVENT_WORKFLOW_DISPATCH)
                      : BL_ALL_EVENTS;
    if (job->engine != NULL && job->capabilities != 0) {
        struct bl_diagnostic *d = bl_sema_error(c, BL_D_ENGINE_WRITES, symbol->span);

        bl_sema_arg(c, d, "name", symbol->name);
    }
    if (job->sweep != NULL && job->sweep->as.sweep->job != NULL &&
        job->sweep->as.sweep->job != symbol) {
        struct bl_diagnostic *d = bl_sema_error(c, BL_D_TWO_JOBS, job->sweep->span);

        bl_sema_arg(c, d, "name", job->sweep->name);
        bl_diagnostic_label(c->sink, d, job->sweep->as.sweep->job->span,
                            BL_STR("This job runs it."));
        bl_diagnostic_label(c->sink, d, symbol->span, BL_STR("So does this one."));
    } else if (job->sweep != NULL) {
        job->sweep->as.sweep->job = symbol;
    }
}

static void check_effects(struct bl_checker *c, const struct bl_statement *statement,
                          struct bl_symbol *job, uint32_t *reported);

static struct bl_clause *row_of(const struct bl_symbol *job, enum bl_clause_id id)
{
    struct bl_clause *row = job->clause->block;

    while (row != NULL && row->id != id)
        row = row->next;
    return row;
}

static void type_job(struct bl_checker *c, struct bl_symbol *symbol)
{
    struct bl_job *job = symbol->as.job;
    struct bl_clause *about, *steps;
    struct bl_scope_mark mark;
    uint32_t reported = 0;
    struct bl_body body;

    bl_sema_body_begin(c, &body, symbol);
    body.needs = &job->needs;
    body.events = job->events;
    bl_sema_bring_given(c, job);
    for (size_t i = 0; i < job->when.count; i++) {
        bl_sema_condition(c, job->when.items[i]);
        bl_sema_assume(c, job->when.items[i], true);
    }
    if (body.reads && body.first_read != NULL)
        bl_sema_error(c, BL_D_JOB_WHEN_READS, body.first_read->span);
    about = row_of(symbol, BL_CLAUSE_JOB_ABOUT);
    steps = row_of(symbol, BL_CLAUSE_JOB_STEPS);
    mark = bl_scope_enter(c);
    if (about != NULL)
        bl_sema_about(c, job, about);
    if (steps != NULL)
        bl_sema_type_steps(c, job, steps->block);
    bl_scope_leave(c, mark);
    for (size_t i = 0; i < job->steps.count; i++)
        check_effects(c, job->steps.items[i].posted, symbol, &reported);
    body.ambients_given = true;
    bl_sema_job_steps(c, job);
    bl_sema_body_end(c);
    bl_sema_settle_needs(c, &job->needs, job->events, false);
}

/* ---- sweeps
 * ----------------------------------------------------------------------------------------------
 */

static struct bl_symbol *find_step(struct bl_checker *c, struct bl_node *word)
{
    struct bl_symbol *symbol = bl_scope_find(c, BL_SPACE_RUNNING, word->text);
    struct bl_likeness like = bl_likeness_begin(word->text);
    struct bl_diagnostic *d;

    if (symbol != NULL &&
        (symbol->kind == BL_SYMBOL_STEP || symbol->kind == BL_SYMBOL_LIFECYCLE ||
         symbol->kind == BL_SYMBOL_REPORT)) {
        symbol->used = true;
        return symbol;
    }
    d = bl_sema_error(c, BL_D_UNKNOWN_KIND_NAME, word->span);
    bl_sema_arg(c, d, "kind", BL_STR("step, lifecycle or report"));
    bl_sema_arg(c, d, "name", word->text);
    bl_likeness_symbols(c, &like, BL_SYMBOL_STEP);
    bl_likeness_symbols(c, &like, BL_SYMBOL_LIFECYCLE);
    bl_likeness_symbols(c, &like, BL_SYMBOL_REPORT);
    bl_likeness_help(c, &like, d, word->span);
    return NULL;
}

static void report_two_jobs(struct bl_checker *c, struct bl_symbol *symbol,
                            const struct bl_symbol *one, const struct bl_symbol *other)
{
    struct bl_diagnostic *d = bl_sema_error(c, BL_D_TWO_JOBS, symbol->span);

    bl_sema_arg(c, d, "name", symbol->name);
    bl_diagnostic_label(c->sink, d, one->span, BL_STR("This job runs it."));
    bl_diagnostic_label(c->sink, d, other->span, BL_STR("So does this one."));
}

static void read_sweep(struct bl_checker *c, struct bl_symbol *symbol)
{
    struct bl_sweep *sweep = symbol->as.sweep;

    for (struct bl_clause *clause = symbol->clause->block; clause != NULL;
         clause = clause->next) {
        struct bl_sweep_item item = {.symbol = find_step(c, bl_slot_node(clause, 0)),
                                     .condition = bl_slot_node(clause, 1),
                                     .attempted = clause->id == BL_CLAUSE_SWEEP_ATTEMPT,
                                     .span = clause->node->span};
        struct bl_sweep_item *slot;

        if (item.symbol == NULL)
            continue;
        slot = bl_arena_push(c->arena, (void **)&sweep->items, &sweep->count, &sweep->capacity,
                             sizeof *sweep->items);
        if (slot != NULL)
            *slot = item;
        if (item.symbol->kind == BL_SYMBOL_REPORT || sweep->job == NULL)
            continue;
        if (item.symbol->as.rule->job != NULL && item.symbol->as.rule->job != sweep->job)
            report_two_jobs(c, item.symbol, item.symbol->as.rule->job, sweep->job);
        item.symbol->as.rule->job = sweep->job;
        item.symbol->as.rule->events = sweep->job->as.job->events;
    }
}

static void type_sweep(struct bl_checker *c, struct bl_symbol *symbol)
{
    struct bl_sweep *sweep = symbol->as.sweep;
    uint64_t events = sweep->job != NULL ? sweep->job->as.job->events : BL_ALL_EVENTS;
    struct bl_body body;

    bl_sema_body_begin(c, &body, symbol);
    body.needs = &sweep->needs;
    body.events = events;
    for (size_t i = 0; i < sweep->count; i++) {
        if (sweep->items[i].condition != NULL)
            bl_sema_condition(c, sweep->items[i].condition);
    }
    bl_sema_body_end(c);
    bl_sema_settle_needs(c, &sweep->needs, events, false);
}

static void each_symbol(struct bl_checker *c, enum bl_symbol_kind kind,
                        void (*visit)(struct bl_checker *c, struct bl_symbol *symbol))
{
    for (size_t i = 0; i < c->program->symbols[kind].count; i++)
        visit(c, c->program->symbols[kind].items[i]);
}

void bl_sema_workflows(struct bl_checker *c)
{
    each_symbol(c, BL_SYMBOL_WORKFLOW, read_workflow);
    each_symbol(c, BL_SYMBOL_JOB, read_job);
    each_symbol(c, BL_SYMBOL_SWEEP, read_sweep);
    for (size_t i = 0; i < c->program->symbols[BL_SYMBOL_STEPS].count; i++)
        read_steps(c, c->program->symbols[BL_SYMBOL_STEPS].items[i]->clause->block);
}

void bl_sema_jobs(struct bl_checker *c)
{
    each_symbol(c, BL_SYMBOL_JOB, type_job);
    each_symbol(c, BL_SYMBOL_SWEEP, type_sweep);
    bl_sema_workflow_files(c);
}

/* ---- rules and their job
 * ------------------------------------------------------------------------------------ */

static bool takes(const struct bl_job *job, const struct bl_rule *rule)
{
    if (rule->answers != NULL)
        return job->runs == BL_RUNS_ANSWERS;
    return job->runs == BL_RUNS_RULES && (job->events & rule->events) != 0;
}

static void report_unheard(struct bl_checker *c, struct bl_symbol *symbol,
                           const struct bl_rule *rule, uint64_t events)
{
    struct bl_symbol *workflow = rule->job->as.job->workflow;
    struct bl_diagnostic *d;
    unsigned event = 0;

    while ((events >> event & 1) == 0)
        event++;
    d = bl_sema_error(c, BL_D_EVENT_UNHEARD, symbol->span);
    bl_sema_arg(c, d, "event", bl_sema_event_name(c, event));
    bl_sema_arg(c, d, "name", symbol->name);
    if (workflow != NULL) {
        bl_sema_arg(c, d, "workflow", workflow->name);
        bl_diagnostic_label(c->sink, d, workflow->span, BL_STR("Add the event here."));
    }
}

/* A job that runs rules is there and its workflow does not listen: the event is what lacks, not
 * a second job. */
static void report_no_job(struct bl_checker *c, struct bl_symbol *symbol,
                          const struct bl_rule *rule)
{
    const struct bl_symbol_list *jobs = &c->program->symbols[BL_SYMBOL_JOB];
    struct bl_diagnostic *d;
    unsigned event = 0;

    if (c->broken_job)
        return; /* that one may */
    d = bl_sema_error(c, BL_D_NO_JOB, symbol->span);
    bl_sema_arg(c, d, "name", symbol->name);
    if (rule->answers != NULL)
        bl_sema_help(c, d, "Declare one: job apply { may write issues; runs answers }.");
    else if (symbol->kind == BL_SYMBOL_STEP || symbol->kind == BL_SYMBOL_LIFECYCLE)
        bl_sema_help(c, d,
                     "Let a sweep run it, and a job the sweep: sweep morning { run %.*s }, job "
                     "sweep { may write issues; runs morning }.",
                     BL_STR_ARG(symbol->name));
    while (event < BL_EVENT_COUNT && (rule->events >> event & 1) == 0)
        event++;
    for (size_t i = 0; rule->answers == NULL && event < BL_EVENT_COUNT && i < jobs->count;
         i++) {
        const struct bl_symbol *workflow = jobs->items[i]->as.job->workflow;

        if (jobs->items[i]->as.job->runs != BL_RUNS_RULES || workflow == NULL)
            continue;
        bl_sema_help(c, d,
                     "Let the workflow '%.*s', whose job '%.*s' runs rules, listen to %.*s.",
                     BL_STR_ARG(workflow->name), BL_STR_ARG(jobs->items[i]->name),
                     BL_STR_ARG(bl_sema_event_name(c, event)));
        bl_diagnostic_label(c->sink, d, workflow->span, BL_STR("Add the event here."));
        return;
    }
}

static void assign_job(struct bl_checker *c, struct bl_symbol *symbol, struct bl_rule *rule)
{
    const struct bl_symbol_list *jobs = &c->program->symbols[BL_SYMBOL_JOB];

    if (rule->events == 0 && rule->answers == NULL)
        return; /* its events were not understood */
    for (size_t i = 0; i < jobs->count; i++) {
        if (!takes(jobs->items[i]->as.job, rule))
            continue;
        if (rule->job != NULL) {
            report_two_jobs(c, symbol, rule->job, jobs->items[i]);
            return;
        }
        rule->job = jobs->items[i];
    }
    if (rule->job == NULL) {
        report_no_job(c, symbol, rule);
        return;
    }
    if (rule->answers == NULL && (rule->events & ~rule->job->as.job->events) != 0)
        report_unheard(c, symbol, rule, rule->events & ~rule->job->as.job->events);
}

/* The first effect of each permission that the job lacks. */
static void check_effects(struct bl_checker *c, const struct bl_statement *statement,
                          struct bl_symbol *job, uint32_t *reported)
{
    for (; statement != NULL; statement = statement->next) {
        uint32_t allowed = job->as.job->capabilities;
        uint32_t lacking;

        /* GitHub takes either permission for a comment on a pull request. */
        if ((allowed & BL_CAP(BL_PERMISSION_ISSUES_WRITE)) != 0)
            allowed |= statement->needed & BL_CAP(BL_PERMISSION_PULL_REQUESTS_WRITE);
        lacking = statement->needed & ~allowed & ~*reported;

        if (lacking != 0) {
            struct bl_diagnostic *d =
                bl_sema_error(c, BL_D_EFFECT_NOT_ALLOWED, statement->span);
            unsigned permission = 0;

            while ((lacking >> permission & 1) == 0)
                permission++;
            *reported |= lacking;
            bl_sema_arg(c, d, "effect", bl_effect_info(statement->effect)->words);
            bl_sema_arg(c, d, "permission",
                        bl_permission_info((enum bl_permission)permission)->key);
            bl_sema_arg(c, d, "job", job->name);
            bl_diagnostic_label(c->sink, d, job->span, BL_STR("This job runs it."));
        }
        check_effects(c, statement->body, job, reported);
        for (const struct bl_statement *arm = statement->otherwise; arm != NULL;
             arm = arm->otherwise)
            check_effects(c, arm->body, job, reported);
    }
}

static void check_rule(struct bl_checker *c, const struct bl_rule *rule)
{
    uint32_t reported = 0;

    if (rule != NULL && rule->job != NULL)
        check_effects(c, rule->body, rule->job, &reported);
}

static void assign_rule(struct bl_checker *c, struct bl_symbol *symbol)
{
    assign_job(c, symbol, symbol->as.rule);
}

/* A family without a job is reported once, not for each of its commands. */
static void assign_family(struct bl_checker *c, struct bl_symbol *symbol)
{
    const struct bl_commands *family = symbol->as.commands;

    if (family->refused == NULL)
        return;
    assign_job(c, symbol, family->refused);
    check_rule(c, family->refused);
    for (size_t i = 0; i < family->commands.count; i++) {
        struct bl_rule *rule = family->commands.items[i]->as.commands->rule;

        if (rule == NULL)
            continue;
        rule->job = family->refused->job;
        check_rule(c, rule);
    }
}

void bl_sema_assign_jobs(struct bl_checker *c)
{
    static const enum bl_symbol_kind kinds[] = {BL_SYMBOL_RULE, BL_SYMBOL_STEP,
                                                BL_SYMBOL_LIFECYCLE};

    each_symbol(c, BL_SYMBOL_RULE, assign_rule);
    each_symbol(c, BL_SYMBOL_COMMANDS, assign_family);
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        for (size_t i = 0; i < c->program->symbols[kinds[k]].count; i++)
            check_rule(c, c->program->symbols[kinds[k]].items[i]->as.rule);
    }
}
