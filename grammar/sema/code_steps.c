/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"

/* Steps of tests about code: pull requests and their commits, statuses, the jobs that do steps
 * of their own. */

static struct bl_node *login_or_none(struct bl_checker *c, struct bl_node *node)
{
    return node != NULL ? bl_sema_step_login(c, node) : NULL;
}

/* ---- given ------------------------------------------------------------------------------- */

/* Slots from `first` on: the message, who committed it, the address, the moment. */
static void commit_items(struct bl_checker *c, struct bl_statement *step,
                         struct bl_clause *clause, unsigned first)
{
    bl_sema_step_item(c, step,
                      bl_sema_step_value(c, bl_slot_node(clause, first), BL_TYPE_UNTRUSTED));
    bl_sema_step_item(c, step, login_or_none(c, bl_slot_node(clause, first + 1)));
    bl_sema_step_item(c, step,
                      bl_sema_step_value(c, bl_slot_node(clause, first + 2), BL_TYPE_NAME));
    bl_sema_step_item(c, step, bl_sema_step_moment(c, bl_slot_node(clause, first + 3)));
}

static struct bl_statement *given_row(struct bl_checker *c, struct bl_clause *row,
                                      struct bl_node *number)
{
    bool is_branch = row->id == BL_CLAUSE_GIVEN_PULL_BRANCH;
    struct bl_statement *step;

    if (row->id != BL_CLAUSE_GIVEN_PULL_COMMIT && row->id != BL_CLAUSE_GIVEN_PULL_FORK &&
        !is_branch)
        return bl_sema_given_row(c, row, number);
    step = bl_sema_step(c, row,
                        row->id == BL_CLAUSE_GIVEN_PULL_COMMIT ? BL_STEP_GIVEN_COMMIT
                        : is_branch                            ? BL_STEP_GIVEN_BRANCH
                                                               : BL_STEP_GIVEN_FORK);
    if (step == NULL)
        return NULL;
    bl_sema_step_item(c, step, number);
    if (row->id == BL_CLAUSE_GIVEN_PULL_COMMIT) {
        bl_sema_step_item(c, step, bl_sema_step_login(c, bl_slot_node(row, 0)));
        bl_sema_step_item(c, step, bl_sema_step_login(c, bl_slot_node(row, 1)));
        commit_items(c, step, row, 2);
    } else {
        bl_sema_step_item(c, step, bl_sema_step_value(c, bl_slot_node(row, 0), BL_TYPE_NAME));
    }
    return step;
}

void bl_sema_given_pull(struct bl_checker *c, struct bl_clause *clause,
                        struct bl_statement ***tail)
{
    struct bl_statement *step = bl_sema_step(c, clause, BL_STEP_GIVEN_PULL);
    struct bl_node *number = bl_sema_step_value(c, bl_slot_node(clause, 0), BL_TYPE_INT);

    if (step == NULL)
        return;
    bl_sema_step_item(c, step, number);
    bl_sema_step_item(c, step, bl_sema_step_login(c, bl_slot_node(clause, 1)));
    bl_sema_step_item(c, step, bl_sema_step_moment(c, bl_slot_node(clause, 2)));
    bl_sema_step_item(c, step, bl_sema_step_value(c, bl_slot_node(clause, 3), BL_TYPE_INT));
    bl_sema_step_item(c, step, bl_sema_step_moment(c, bl_slot_node(clause, 4)));
    bl_sema_step_item(c, step, login_or_none(c, bl_slot_node(clause, 5)));
    bl_sema_step_item(c, step, login_or_none(c, bl_slot_node(clause, 6)));
    bl_sema_step_append(tail, step);
    for (struct bl_clause *row = clause->block; row != NULL; row = row->next)
        bl_sema_step_append(tail, given_row(c, row, number));
}

static const struct {
    enum bl_clause_id clause;
    enum bl_step step;
} people[] = {
    {BL_CLAUSE_GIVEN_PERSON, BL_STEP_GIVEN_PERSON},
    {BL_CLAUSE_GIVEN_MAINTAINER, BL_STEP_GIVEN_MAINTAINER},
    {BL_CLAUSE_GIVEN_ROBOT, BL_STEP_GIVEN_ROBOT},
    {BL_CLAUSE_GIVEN_MEMBER, BL_STEP_GIVEN_MEMBER},
};

bool bl_sema_given_person(struct bl_checker *c, struct bl_clause *clause,
                          struct bl_statement ***tail)
{
    for (size_t i = 0; i < sizeof people / sizeof people[0]; i++) {
        struct bl_statement *step, *id;
        struct bl_node *login;

        if (people[i].clause != clause->id)
            continue;
        step = bl_sema_step(c, clause, people[i].step);
        login = bl_sema_step_login(c, bl_slot_node(clause, 0));
        if (step == NULL)
            return true;
        bl_sema_step_item(c, step, login);
        bl_sema_step_append(tail, step);
        if (bl_slot_node(clause, 1) == NULL)
            return true;
        id = bl_sema_step(c, clause, BL_STEP_GIVEN_ID);
        if (id == NULL)
            return true;
        bl_sema_step_item(c, id, login);
        bl_sema_step_item(c, id, bl_sema_step_value(c, bl_slot_node(clause, 1), BL_TYPE_INT));
        bl_sema_step_append(tail, id);
        return true;
    }
    return false;
}

/* A word of an enumeration, as the text that the step takes. */
static struct bl_node *member(struct bl_checker *c, struct bl_node *word, enum bl_enum list)
{
    if (word == NULL)
        return NULL;
    bl_sema_expect(c, word, BL_TYPE_MAKE(BL_TYPE_ENUM, list));
    return bl_sema_text_node(c, word->span, word->text);
}

struct bl_statement *bl_sema_given_usage(struct bl_checker *c, struct bl_clause *clause)
{
    static const bl_type types[] = {BL_TYPE_INT, BL_TYPE_DURATION, BL_TYPE_MONEY,
                                    BL_TYPE_INT, BL_TYPE_INT,      BL_TYPE_INT};
    struct bl_statement *step = bl_sema_step(c, clause, BL_STEP_GIVEN_USAGE);

    if (step == NULL)
        return NULL;
    bl_sema_step_item(c, step, bl_sema_step_value(c, bl_slot_node(clause, 0), BL_TYPE_NAME));
    bl_sema_step_item(c, step, member(c, bl_slot_node(clause, 1), BL_ENUM_TASK_END));
    for (unsigned i = 0; i < sizeof types / sizeof types[0]; i++)
        bl_sema_step_item(c, step,
                          bl_sema_step_value(c, bl_slot_node(clause, i + 2), types[i]));
    return step;
}

/* ---- when -------------------------------------------------------------------------------- */

struct bl_statement *bl_sema_when_sets_status(struct bl_checker *c, struct bl_clause *clause)
{
    struct bl_statement *step = bl_sema_step(c, clause, BL_STEP_SETS_STATUS);

    if (step == NULL)
        return NULL;
    bl_sema_step_item(c, step, bl_sema_step_login(c, bl_slot_node(clause, 0)));
    bl_sema_step_item(c, step, bl_sema_step_value(c, bl_slot_node(clause, 1), BL_TYPE_NAME));
    bl_sema_step_item(c, step, member(c, bl_slot_node(clause, 2), BL_ENUM_STATUS_STATE));
    bl_sema_step_item(c, step, bl_sema_step_login(c, bl_slot_node(clause, 3)));
    bl_sema_step_item(c, step,
                      bl_sema_step_value(c, bl_slot_node(clause, 4), BL_TYPE_UNTRUSTED));
    bl_sema_step_item(c, step, bl_sema_step_moment(c, bl_slot_node(clause, 5)));
    return step;
}

struct bl_statement *bl_sema_when_commits(struct bl_checker *c, struct bl_clause *clause)
{
    struct bl_statement *step = bl_sema_step(c, clause, BL_STEP_COMMITS);

    if (step == NULL)
        return NULL;
    bl_sema_step_item(c, step, bl_sema_step_login(c, bl_slot_node(clause, 0)));
    bl_sema_step_item(c, step, bl_sema_step_value(c, bl_slot_node(clause, 1), BL_TYPE_INT));
    bl_sema_step_item(c, step, bl_sema_step_login(c, bl_slot_node(clause, 2)));
    commit_items(c, step, clause, 3);
    return step;
}

struct bl_statement *bl_sema_when_runs(struct bl_checker *c, struct bl_clause *clause)
{
    struct bl_statement *step = bl_sema_step(c, clause, BL_STEP_RUNS);
    struct bl_node *name = bl_slot_node(clause, 0);
    struct bl_symbol *job = bl_sema_find_kind(c, name, BL_SYMBOL_JOB);
    const struct bl_symbol *after = job != NULL ? job->as.job->after : NULL;

    if (step == NULL || job == NULL)
        return NULL;
    if (job->as.job->steps.count == 0)
        bl_sema_arg(c, bl_sema_error(c, BL_D_JOB_WITHOUT_STEPS, name->span), "name", job->name);
    step->symbol = job;
    bl_sema_step_item(
        c, step,
        bl_sema_text_node(c, name->span, after != NULL ? after->name : (bl_str){NULL, 0}));
    bl_sema_step_item(c, step, bl_sema_step_moment(c, bl_slot_node(clause, 1)));
    return step;
}
