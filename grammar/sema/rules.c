/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"

/* `T.answered`: the answer of a task is an event of the job that runs answers. */
static struct bl_symbol *answered_task(struct bl_checker *c, const struct bl_node *path)
{
    struct bl_symbol *task;

    if (path->kind != BL_NODE_FIELD || path->kids[0]->kind != BL_NODE_NAME ||
        !bl_str_equal(path->text, BL_STR("answered")))
        return NULL;
    task = bl_sema_find_kind(c, path->kids[0], BL_SYMBOL_TASK);
    return task;
}

static bool is_answered(const struct bl_node *path)
{
    return path->kind == BL_NODE_FIELD && bl_str_equal(path->text, BL_STR("answered"));
}

static void read_events(struct bl_checker *c, struct bl_rule *rule, struct bl_clause *clause)
{
    for (uint32_t i = 0; i < clause->slots[0].count; i++) {
        struct bl_node *path = clause->slots[0].nodes[i];
        unsigned event;

        if (is_answered(path)) {
            struct bl_symbol *task = answered_task(c, path);

            if (task != NULL && rule->answers != NULL && rule->answers != task)
                bl_sema_error(c, BL_D_TWO_ANSWERS, path->span);
            rule->answers = task != NULL ? task : rule->answers;
            continue;
        }
        event = bl_sema_read_event(c, path);
        if (event < BL_EVENT_COUNT)
            rule->events |= UINT64_C(1) << event;
    }
    if (rule->answers != NULL && rule->events != 0) {
        bl_sema_error(c, BL_D_TWO_ANSWERS, clause->node->span);
        rule->events = 0;
    }
}

static void read_over(struct bl_checker *c, struct bl_symbol *symbol, struct bl_clause *clause)
{
    for (uint32_t i = 0; i < clause->slots[0].count; i++) {
        struct bl_node *word = clause->slots[0].nodes[i];
        struct bl_symbol *loser = bl_sema_find_kind(c, word, BL_SYMBOL_RULE);
        struct bl_symbol **slot;

        if (loser == symbol) {
            bl_sema_error(c, BL_D_OVER_ITSELF, word->span);
            continue;
        }
        slot = loser != NULL ? BL_PUSH(c->arena, symbol->as.rule->over) : NULL;
        if (slot != NULL)
            *slot = loser;
    }
}

/* The job that runs answers was started by the event that the task is about, which is an
 * issue's. */
static uint64_t answer_events(struct bl_checker *c)
{
    const struct bl_symbol_list *jobs = &c->program->symbols[BL_SYMBOL_JOB];
    uint64_t events = BL_ALL_EVENTS;

    for (size_t i = 0; i < jobs->count; i++) {
        if (jobs->items[i]->as.job->runs == BL_RUNS_ANSWERS)
            events = jobs->items[i]->as.job->events;
    }
    return events & bl_sema_bringers(BL_AMBIENT_ISSUE);
}

/* A task that judges a comment has one, also in a run by hand. */
static bool judges(const struct bl_symbol *task)
{
    for (const struct bl_clause *row = task->clause->block; row != NULL; row = row->next) {
        if (row->id == BL_CLAUSE_TASK_JUDGES)
            return true;
    }
    return false;
}

static void bring_answer(struct bl_checker *c, struct bl_body *body, const struct bl_rule *rule)
{
    body->events = answer_events(c);
    if (judges(rule->answers))
        body->brings |= BL_AMBIENT_BIT(BL_AMBIENT_COMMENT);
    if (rule->answers->as.task->record != UINT32_MAX)
        body->answer = BL_TYPE_MAKE(BL_TYPE_RECORD, rule->answers->as.task->record);
}

static void type_rule(struct bl_checker *c, struct bl_symbol *symbol)
{
    struct bl_rule *rule = symbol->as.rule;
    struct bl_body body;

    for (struct bl_clause *clause = symbol->clause->block; clause != NULL;
         clause = clause->next) {
        if (clause->id == BL_CLAUSE_RULE_ON)
            read_events(c, rule, clause);
        else if (clause->id == BL_CLAUSE_RULE_OVER)
            read_over(c, symbol, clause);
    }
    bl_sema_body_begin(c, &body, symbol);
    body.needs = &rule->needs;
    body.events = rule->events;
    body.top = symbol->kind == BL_SYMBOL_RULE;
    if (rule->answers != NULL)
        bring_answer(c, &body, rule);
    rule->body = bl_sema_block(c, symbol->clause->block);
    rule->capabilities = body.capabilities;
    bl_sema_body_end(c);
    if (symbol->kind == BL_SYMBOL_RULE || rule->job != NULL)
        bl_sema_settle_needs(c, &rule->needs,
                             rule->answers != NULL ? answer_events(c) : rule->events, false);
}

/* Of no sweep: it is checked all the same, as if it ran on a schedule. */
static void give_events(struct bl_rule *rule)
{
    if (rule->job == NULL)
        rule->events = UINT64_C(1) << BL_EVENT_SCHEDULE | UINT64_C(1)
                                                              << BL_EVENT_WORKFLOW_DISPATCH;
}

void bl_sema_rules(struct bl_checker *c)
{
    for (size_t i = 0; i < c->program->symbols[BL_SYMBOL_RULE].count; i++)
        type_rule(c, c->program->symbols[BL_SYMBOL_RULE].items[i]);
    for (size_t i = 0; i < c->program->symbols[BL_SYMBOL_STEP].count; i++) {
        struct bl_symbol *step = c->program->symbols[BL_SYMBOL_STEP].items[i];

        give_events(step->as.rule);
        type_rule(c, step);
    }
    for (size_t i = 0; i < c->program->symbols[BL_SYMBOL_LIFECYCLE].count; i++) {
        struct bl_symbol *lifecycle = c->program->symbols[BL_SYMBOL_LIFECYCLE].items[i];

        give_events(lifecycle->as.rule);
        bl_sema_lifecycle(c, lifecycle);
    }
}
