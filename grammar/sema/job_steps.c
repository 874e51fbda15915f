/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"

/* What crosses from job to job, what a job is about, and the steps in which it does what rules
 * do not do: write a file, run its engine, hold a file against a check, post a comment. */

/* ---- outputs
 * ------------------------------------------------------------------------------------------ */

/* What a value is again in the job that it crosses to: a number, a word, a truth value, or the
 * issue or pull request whose number crossed. */
static bool comes_back(bl_type type)
{
    enum bl_type_kind kind = bl_type_kind(type);

    return !bl_type_is_list(type) &&
           (kind == BL_TYPE_INT || kind == BL_TYPE_BOOL || kind == BL_TYPE_NAME ||
            kind == BL_TYPE_ENUM || type == BL_ENTITY_TYPE(ISSUE) ||
            type == BL_ENTITY_TYPE(PULL_REQUEST));
}

static void add_output(struct bl_checker *c, struct bl_record_declared *record,
                       const struct bl_statement *s)
{
    bl_type type = bl_type_base(s->value->type);
    struct bl_field_declared *slot;

    if (!comes_back(type))
        return;
    for (size_t i = 0; i < record->count; i++) {
        struct bl_diagnostic *d;

        if (!bl_str_equal(record->fields[i].name, s->name))
            continue;
        if (bl_type_base(record->fields[i].type) == type)
            return;
        d = bl_sema_error(c, BL_D_OUTPUT_TWO_TYPES, s->value->span);
        bl_sema_arg(c, d, "name", s->name);
        bl_sema_arg_type(c, d, "type", type);
        bl_sema_arg_type(c, d, "other", bl_type_base(record->fields[i].type));
        bl_diagnostic_label(c->sink, d, record->fields[i].span, BL_STR("It is given here."));
        return;
    }
    slot = bl_arena_push(c->arena, (void **)&record->fields, &record->count, &record->capacity,
                         sizeof *record->fields);
    if (slot != NULL)
        *slot = (struct bl_field_declared){
            .name = s->name, .type = BL_OPTIONAL(type), .span = s->value->span};
}

static void find_outputs(struct bl_checker *c, struct bl_record_declared *record,
                         const struct bl_statement *list)
{
    for (const struct bl_statement *s = list; s != NULL; s = s->next) {
        if (s->kind == BL_STATEMENT_EFFECT && s->effect == BL_EFFECT_OUTPUT && s->value != NULL)
            add_output(c, record, s);
        find_outputs(c, record, s->body);
        for (const struct bl_statement *arm = s->otherwise; arm != NULL; arm = arm->otherwise)
            find_outputs(c, record, arm->body);
    }
}

static void outputs_of_rule(struct bl_checker *c, struct bl_record_declared *record,
                            const struct bl_symbol *job, const struct bl_rule *rule)
{
    if (rule != NULL && rule->job == job)
        find_outputs(c, record, rule->body);
}

static bl_type outputs_of(struct bl_checker *c, const struct bl_symbol *job)
{
    static const enum bl_symbol_kind kinds[] = {BL_SYMBOL_RULE, BL_SYMBOL_STEP,
                                                BL_SYMBOL_LIFECYCLE, BL_SYMBOL_COMMANDS,
                                                BL_SYMBOL_COMMAND};
    struct bl_record_declared *record;

    if (job->as.job->outputs != BL_NO_TYPE)
        return job->as.job->outputs;
    record = BL_PUSH(c->arena, c->program->records);
    if (record == NULL)
        return BL_TYPE_ERROR;
    *record = (struct bl_record_declared){.name = job->name};
    job->as.job->outputs =
        BL_TYPE_MAKE(BL_TYPE_RECORD, (uint32_t)c->program->records.count - 1);
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        const struct bl_symbol_list *list = &c->program->symbols[kinds[k]];

        for (size_t i = 0; i < list->count; i++)
            outputs_of_rule(c, record, job,
                            kinds[k] == BL_SYMBOL_COMMANDS
                                ? list->items[i]->as.commands->refused
                            : kinds[k] == BL_SYMBOL_COMMAND ? list->items[i]->as.commands->rule
                                                            : list->items[i]->as.rule);
    }
    return job->as.job->outputs;
}

static void bring(struct bl_checker *c, struct bl_job *job, bl_str name, bl_type type)
{
    struct bl_symbol *local = bl_scope_local(c, BL_LOCAL_GIVEN, NULL, name, type, NULL);
    struct bl_symbol **slot = local != NULL ? BL_PUSH(c->arena, job->given) : NULL;

    if (slot != NULL)
        *slot = local;
}

void bl_sema_bring_given(struct bl_checker *c, struct bl_job *job)
{
    unsigned steps = 0;

    bring(c, job, BL_STR("task"), BL_OPTIONAL(BL_TYPE_TASK));
    bring(c, job, BL_STR("answer"), BL_OPTIONAL(BL_TYPE_NAME));
    for (struct bl_symbol *after = job->after; after != NULL; after = after->as.job->after) {
        if (after == job->symbol || ++steps > bl_limit(BL_LIMIT_CALL_DEPTH)) {
            struct bl_diagnostic *d =
                bl_sema_error(c, BL_D_DEFINITION_CYCLE, job->symbol->span);

            bl_sema_arg(c, d, "name", job->symbol->name);
            break;
        }
        bring(c, job, after->name, outputs_of(c, after));
    }
}

/* ---- what it is about
 * ---------------------------------------------------------------------------------- */

void bl_sema_about(struct bl_checker *c, struct bl_job *job, struct bl_clause *clause)
{
    struct bl_node *node = bl_slot_node(clause, 0);
    bl_type type = bl_type_base(bl_sema_type(c, node, BL_NO_TYPE));
    bool is_pull = type == BL_ENTITY_TYPE(PULL_REQUEST);
    struct bl_diagnostic *d;

    if (bl_is_error(type))
        return;
    if (!is_pull && type != BL_ENTITY_TYPE(ISSUE)) {
        d = bl_sema_error(c, BL_D_JOB_ABOUT_TYPE, node->span);
        bl_sema_arg_type(c, d, "type", type);
        return;
    }
    c->body->about = is_pull ? BL_AMBIENT_PULL_REQUEST : BL_AMBIENT_ISSUE;
    job->about = node;
    job->about_local = bl_scope_local(c, BL_LOCAL_LET, NULL,
                                      bl_ambient_info(c->body->about)->name, type, node);
}

/* ---- steps
 * --------------------------------------------------------------------------------------------
 */

static bool is_twin(const struct bl_job_step *a, const struct bl_job_step *b)
{
    return a->kind == b->kind && a->symbol == b->symbol && bl_str_equal(a->path, b->path);
}

/* A step is asked for by what it says, so each says something else. */
static void add_step(struct bl_checker *c, struct bl_job *job, struct bl_job_step step)
{
    struct bl_job_step *slot;

    for (size_t i = 0; i < job->steps.count; i++) {
        struct bl_diagnostic *d;

        if (!is_twin(&job->steps.items[i], &step))
            continue;
        d = bl_sema_error(c, BL_D_JOB_STEP_TWICE, step.span);
        bl_diagnostic_label(c->sink, d, job->steps.items[i].span, BL_STR("This one."));
        return;
    }
    slot = BL_PUSH(c->arena, job->steps);
    if (slot != NULL)
        *slot = step;
}

static bool takes_file(const struct bl_symbol *check)
{
    const struct bl_symbol_list *params = &check->as.callable->params;
    bl_type type = params->count == 1 ? params->items[0]->type : BL_TYPE_ERROR;

    return type == BL_TYPE_UNTRUSTED || type == BL_ENTITY_TYPE(PATCH);
}

static bool is_checkable(struct bl_checker *c, struct bl_clause *clause,
                         struct bl_symbol *check, struct bl_job_step *step)
{
    struct bl_node *path = bl_slot_node(clause, 1);
    struct bl_diagnostic *d;

    step->path = bl_sema_plain_text(c, path);
    if (step->path.ptr != NULL && !bl_path_is_plain(step->path)) {
        d = bl_sema_error(c, BL_D_JOB_FILE_PATH, path->span);
        bl_sema_arg(c, d, "text", step->path);
        return false;
    }
    if (check == NULL || step->path.ptr == NULL)
        return false;
    if (takes_file(check))
        return true;
    d = bl_sema_error(c, BL_D_JOB_CHECK_TAKES, bl_slot_node(clause, 0)->span);
    bl_sema_arg(c, d, "name", check->name);
    bl_diagnostic_label(c->sink, d, check->span, BL_STR("It is declared here."));
    return false;
}

static void type_step(struct bl_checker *c, struct bl_job *job, struct bl_clause *clause)
{
    struct bl_node *node = bl_slot_node(clause, 0);
    struct bl_job_step step = {.span = clause->node->span};

    if (clause->id == BL_CLAUSE_STEPS_ENGINE) {
        step.kind = BL_JOB_STEP_ENGINE;
        if (job->engine == NULL)
            return; /* reported with the workflow's file */
    } else if (clause->id == BL_CLAUSE_STEPS_WRITE) {
        step.kind = BL_JOB_STEP_WRITE;
        step.symbol = bl_sema_posted_document(c, node, BL_SYMBOL_FILE);
        if (step.symbol == NULL)
            return;
    } else if (clause->id == BL_CLAUSE_STEPS_CHECK) {
        step.kind = BL_JOB_STEP_CHECK;
        step.symbol = bl_sema_find_kind(c, node, BL_SYMBOL_CHECK);
        if (!is_checkable(c, clause, step.symbol, &step))
            return;
    } else if (clause->id == BL_CLAUSE_STEPS_POST) {
        step.kind = BL_JOB_STEP_POST;
        step.posted = bl_sema_post(c, clause);
        if (step.posted == NULL || step.posted->symbol == NULL)
            return;
        step.symbol = step.posted->symbol;
    } else {
        return;
    }
    add_step(c, job, step);
}

void bl_sema_type_steps(struct bl_checker *c, struct bl_job *job, struct bl_clause *steps)
{
    for (struct bl_clause *step = steps; step != NULL; step = step->next)
        type_step(c, job, step);
}
