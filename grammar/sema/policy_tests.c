/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"

/* Tests of policies: columns and rows, the steps of steps.def, expectations. */

/* ---- nodes that stand for what a step says in words
 * --------------------------------------------- */

struct bl_node *bl_sema_text_node(struct bl_checker *c, struct bl_span span, bl_str text)
{
    struct bl_node *node = BL_NEW(c->arena, struct bl_node);
    struct bl_node *part = BL_NEW(c->arena, struct bl_node);
    struct bl_node **kids = BL_NEW_ARRAY(c->arena, 1, struct bl_node *);

    if (node == NULL || part == NULL || kids == NULL)
        return NULL;
    part->kind = BL_NODE_STRING_PART;
    part->span = span;
    part->text = text;
    kids[0] = part;
    node->kind = BL_NODE_STRING;
    node->span = span;
    node->text = text;
    node->kids = kids;
    node->kid_count = 1;
    node->height = 2;
    node->type = node->declared = BL_TYPE_TEXT;
    node->index = BL_PLACE_COUNT;
    return node;
}

struct bl_node *bl_sema_bool_node(struct bl_checker *c, struct bl_span span, bool value)
{
    struct bl_node *node = BL_NEW(c->arena, struct bl_node);

    if (node == NULL)
        return NULL;
    node->kind = BL_NODE_BOOL;
    node->span = span;
    node->text = value ? BL_STR("true") : BL_STR("false");
    node->number = value;
    node->type = node->declared = BL_TYPE_BOOL;
    return node;
}

/* ---- arguments
 * ------------------------------------------------------------------------------------- */

void bl_sema_step_item(struct bl_checker *c, struct bl_statement *step, struct bl_node *node)
{
    struct bl_node **slot = BL_PUSH(c->arena, step->items);

    if (slot != NULL)
        *slot = node;
}

/* A user: a bare login, one in quotes, or a column that holds one. */
struct bl_node *bl_sema_step_login(struct bl_checker *c, struct bl_node *node)
{
    struct bl_symbol *local =
        node->kind == BL_NODE_NAME ? bl_scope_find_local(c, node->text) : NULL;

    if (node->kind == BL_NODE_STRING || local != NULL)
        bl_sema_expect(c, node, BL_TYPE_NAME);
    else
        bl_sema_resolved(node, BL_RESOLVED_WORD, NULL, 0, BL_TYPE_NAME);
    return node;
}

/* A moment, or a day for its first second. */
struct bl_node *bl_sema_step_moment(struct bl_checker *c, struct bl_node *node)
{
    if (node == NULL)
        return NULL;
    if (bl_sema_type(c, node, BL_TYPE_TIME) != BL_TYPE_DATE &&
        !bl_sema_fits(node->type, BL_TYPE_TIME))
        bl_sema_mismatch(c, node, BL_TYPE_TIME);
    return node;
}

struct bl_node *bl_sema_step_value(struct bl_checker *c, struct bl_node *node, bl_type want)
{
    if (node != NULL)
        bl_sema_expect(c, node, want);
    return node;
}

struct bl_statement *bl_sema_step(struct bl_checker *c, struct bl_clause *clause,
                                  enum bl_step step)
{
    struct bl_statement *statement = bl_sema_statement_new(c, BL_STATEMENT_STEP, clause);

    if (statement != NULL)
        statement->member = step;
    return statement;
}

void bl_sema_step_append(struct bl_statement ***tail, struct bl_statement *statement)
{
    if (statement == NULL)
        return;
    **tail = statement;
    *tail = &statement->next;
}

/* ---- given
 * ------------------------------------------------------------------------------------------ */

struct bl_statement *bl_sema_given_row(struct bl_checker *c, struct bl_clause *row,
                                       struct bl_node *number)
{
    static const struct {
        enum bl_clause_id clause;
        enum bl_step step;
    } steps[] = {{BL_CLAUSE_GIVEN_ISSUE_LABEL, BL_STEP_GIVEN_ISSUE_LABEL},
                 {BL_CLAUSE_GIVEN_ISSUE_POSTED, BL_STEP_GIVEN_ISSUE_POSTED},
                 {BL_CLAUSE_GIVEN_ISSUE_TITLE, BL_STEP_GIVEN_ISSUE_TITLE},
                 {BL_CLAUSE_GIVEN_ISSUE_TEXT, BL_STEP_GIVEN_ISSUE_TEXT},
                 {BL_CLAUSE_GIVEN_ISSUE_COMMENT, BL_STEP_GIVEN_ISSUE_COMMENT},
                 {BL_CLAUSE_GIVEN_ISSUE_ASSIGNED, BL_STEP_GIVEN_ISSUE_ASSIGNED},
                 {BL_CLAUSE_GIVEN_ISSUE_UPVOTES, BL_STEP_GIVEN_ISSUE_UPVOTES},
                 {BL_CLAUSE_GIVEN_ISSUE_LOCKED, BL_STEP_GIVEN_ISSUE_LOCKED}};
    struct bl_statement *step = NULL;
    struct bl_node *first = bl_slot_node(row, 0);

    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        if (steps[i].clause == row->id)
            step = bl_sema_step(c, row, steps[i].step);
    }
    if (step == NULL)
        return NULL;
    bl_sema_step_item(c, step, number);
    if (row->id == BL_CLAUSE_GIVEN_ISSUE_LABEL) {
        bl_sema_step_item(c, step, bl_sema_step_value(c, first, BL_TYPE_LABEL));
        bl_sema_step_item(c, step, bl_sema_step_moment(c, bl_slot_node(row, 1)));
    } else if (row->id == BL_CLAUSE_GIVEN_ISSUE_POSTED) {
        struct bl_symbol *kind = bl_sema_find_kind(c, first, BL_SYMBOL_COMMENT);

        if (kind == NULL)
            return NULL;
        step->symbol = kind;
        bl_sema_step_item(c, step, bl_sema_step_moment(c, bl_slot_node(row, 1)));
        step->pairs = bl_sema_pairs(c, row->block, bl_sema_posted_type(c, &kind, 1));
    } else if (row->id == BL_CLAUSE_GIVEN_ISSUE_COMMENT) {
        bl_sema_step_item(c, step, bl_sema_step_login(c, first));
        bl_sema_step_item(c, step,
                          bl_sema_step_value(c, bl_slot_node(row, 1), BL_TYPE_UNTRUSTED));
        bl_sema_step_item(c, step, bl_sema_step_moment(c, bl_slot_node(row, 2)));
    } else if (row->id == BL_CLAUSE_GIVEN_ISSUE_ASSIGNED) {
        bl_sema_step_item(c, step, bl_sema_step_login(c, first));
    } else if (row->id == BL_CLAUSE_GIVEN_ISSUE_UPVOTES) {
        bl_sema_step_item(c, step, bl_sema_step_value(c, first, BL_TYPE_INT));
    } else if (row->id != BL_CLAUSE_GIVEN_ISSUE_LOCKED) {
        bl_sema_step_item(c, step, bl_sema_step_value(c, first, BL_TYPE_UNTRUSTED));
    }
    return step;
}

static void given_issue(struct bl_checker *c, struct bl_clause *clause,
                        struct bl_statement ***tail)
{
    struct bl_statement *step = bl_sema_step(c, clause, BL_STEP_GIVEN_ISSUE);
    struct bl_node *number = bl_sema_step_value(c, bl_slot_node(clause, 0), BL_TYPE_INT);

    if (step == NULL)
        return;
    bl_sema_step_item(c, step, number);
    bl_sema_step_item(c, step, bl_sema_step_login(c, bl_slot_node(clause, 1)));
    bl_sema_step_item(c, step, bl_sema_step_moment(c, bl_slot_node(clause, 2)));
    bl_sema_step_item(c, step, bl_sema_step_moment(c, bl_slot_node(clause, 3)));
    bl_sema_step_append(tail, step);
    for (struct bl_clause *row = clause->block; row != NULL; row = row->next)
        bl_sema_step_append(tail, bl_sema_given_row(c, row, number));
}

static struct bl_statement *given_outside(struct bl_checker *c, struct bl_clause *clause,
                                          enum bl_step step_id, enum bl_symbol_kind kind)
{
    struct bl_statement *step = bl_sema_step(c, clause, step_id);
    struct bl_node *word = bl_slot_node(clause, 0);
    struct bl_symbol *symbol = bl_sema_find_kind(c, word, kind);
    bool secret = kind == BL_SYMBOL_SECRET;
    struct bl_node *given = bl_sema_step_value(
        c, bl_slot_node(clause, 1), secret ? (bl_type)BL_TYPE_BOOL : (bl_type)BL_TYPE_TEXT);

    if (step == NULL || symbol == NULL)
        return NULL;
    bl_sema_step_item(c, step, bl_sema_text_node(c, word->span, symbol->as.outside->shown));
    bl_sema_step_item(c, step,
                      given == NULL && secret ? bl_sema_bool_node(c, word->span, true) : given);
    return step;
}

static struct bl_statement *given_release(struct bl_checker *c, struct bl_clause *clause)
{
    struct bl_statement *step = bl_sema_step(c, clause, BL_STEP_GIVEN_RELEASE);
    struct bl_node *word = bl_slot_node(clause, 3);
    bool draft = word != NULL && bl_str_equal(word->text, BL_STR("draft"));

    if (step == NULL)
        return NULL;
    bl_sema_step_item(c, step, bl_sema_step_value(c, bl_slot_node(clause, 0), BL_TYPE_NAME));
    bl_sema_step_item(c, step, bl_sema_step_moment(c, bl_slot_node(clause, 1)));
    bl_sema_step_item(c, step, bl_sema_step_login(c, bl_slot_node(clause, 2)));
    bl_sema_step_item(c, step,
                      bl_sema_bool_node(c, clause->node->span, word != NULL && !draft));
    bl_sema_step_item(c, step, bl_sema_bool_node(c, clause->node->span, draft));
    return step;
}

static struct bl_statement *given_fails(struct bl_checker *c, struct bl_clause *clause)
{
    struct bl_statement *step = bl_sema_step(c, clause, BL_STEP_GIVEN_FAILS);
    struct bl_node *read = bl_slot_node(clause, 0);
    struct bl_node *fault = bl_slot_node(clause, 1);

    if (step == NULL)
        return NULL;
    if (bl_read_find(read->text) == BL_READ_COUNT) {
        struct bl_diagnostic *d = bl_sema_error(c, BL_D_UNKNOWN_KIND_NAME, read->span);
        struct bl_likeness like = bl_likeness_begin(read->text);

        bl_sema_arg(c, d, "kind", BL_STR("read"));
        bl_sema_arg(c, d, "name", read->text);
        for (unsigned i = 0; i < BL_READ_COUNT; i++)
            bl_likeness_consider(&like, bl_read_info((enum bl_read)i)->name);
        bl_likeness_help(c, &like, d, read->span);
        return NULL;
    }
    step->name = read->text;
    bl_sema_step_item(c, step, NULL);
    bl_sema_step_item(c, step, bl_sema_text_node(c, fault->span, fault->text));
    bl_sema_step_item(c, step, bl_sema_step_value(c, bl_slot_node(clause, 2), BL_TYPE_INT));
    return step;
}

/* Those whose slots are the arguments of their step, each of a type. */
static const struct {
    enum bl_clause_id clause;
    enum bl_step step;
    bl_type slots[4]; /* ERROR: no more */
} plain_givens[] = {
    {BL_CLAUSE_GIVEN_ALERT,
     BL_STEP_GIVEN_ALERT,
     {BL_TYPE_INT, BL_TYPE_NAME, BL_TYPE_NAME, BL_TYPE_PATH}},
    {BL_CLAUSE_GIVEN_GIT_READING, BL_STEP_GIVEN_GIT_READING, {BL_TYPE_TEXT}},
    {BL_CLAUSE_GIVEN_JOB_FILE, BL_STEP_GIVEN_JOB_FILE, {BL_TYPE_TEXT, BL_TYPE_TEXT}},
    {BL_CLAUSE_GIVEN_DISCUSSION, BL_STEP_GIVEN_DISCUSSION, {BL_TYPE_INT, BL_TYPE_UNTRUSTED}},
    {BL_CLAUSE_GIVEN_FILE, BL_STEP_GIVEN_FILE, {BL_TYPE_PATH, BL_TYPE_TEXT}},
    {BL_CLAUSE_GIVEN_RUN,
     BL_STEP_GIVEN_RUN,
     {BL_TYPE_TEXT, BL_TYPE_TIME, BL_TYPE_TEXT, BL_TYPE_TIME}},
    {BL_CLAUSE_GIVEN_FOREIGN_ISSUE, BL_STEP_GIVEN_FOREIGN_ISSUE, {BL_TYPE_TEXT, BL_TYPE_INT}},
};

static struct bl_statement *plain_given(struct bl_checker *c, struct bl_clause *clause)
{
    struct bl_statement *step = NULL;

    for (size_t i = 0; i < sizeof plain_givens / sizeof plain_givens[0]; i++) {
        const bl_type *slots = plain_givens[i].slots;

        if (plain_givens[i].clause != clause->id)
            continue;
        step = bl_sema_step(c, clause, plain_givens[i].step);
        for (unsigned k = 0; step != NULL && k < 4 && !bl_is_error(slots[k]); k++) {
            struct bl_node *slot = bl_slot_node(clause, k);

            bl_sema_step_item(c, step,
                              slots[k] == BL_TYPE_TIME ? bl_sema_step_moment(c, slot)
                                                       : bl_sema_step_value(c, slot, slots[k]));
        }
    }
    return step;
}

static void type_given(struct bl_checker *c, struct bl_clause *clause,
                       struct bl_statement ***tail)
{
    struct bl_statement *step = NULL;

    if (clause->id == BL_CLAUSE_GIVEN_ISSUE) {
        given_issue(c, clause, tail);
    } else if (clause->id == BL_CLAUSE_GIVEN_PULL) {
        bl_sema_given_pull(c, clause, tail);
    } else if (bl_sema_given_person(c, clause, tail)) {
        return;
    } else if (clause->id == BL_CLAUSE_GIVEN_LABEL) {
        step = bl_sema_step(c, clause, BL_STEP_GIVEN_LABEL);
        if (step != NULL) {
            bl_sema_step_item(c, step,
                              bl_sema_step_value(c, bl_slot_node(clause, 0), BL_TYPE_LABEL));
            bl_sema_step_item(c, step,
                              bl_sema_step_value(c, bl_slot_node(clause, 1), BL_TYPE_INT));
            bl_sema_step_item(c, step, bl_sema_step_moment(c, bl_slot_node(clause, 2)));
        }
    } else if (clause->id == BL_CLAUSE_GIVEN_RELEASE) {
        step = given_release(c, clause);
    } else if (clause->id == BL_CLAUSE_GIVEN_USAGE) {
        step = bl_sema_given_usage(c, clause);
    } else if (clause->id == BL_CLAUSE_GIVEN_VARIABLE) {
        step = given_outside(c, clause, BL_STEP_GIVEN_VARIABLE, BL_SYMBOL_VARIABLE);
    } else if (clause->id == BL_CLAUSE_GIVEN_SECRET) {
        step = given_outside(c, clause, BL_STEP_GIVEN_SECRET, BL_SYMBOL_SECRET);
    } else if (clause->id == BL_CLAUSE_GIVEN_FAILS) {
        step = given_fails(c, clause);
    } else if (clause->id == BL_CLAUSE_GIVEN_ROW || clause->id == BL_CLAUSE_GIVEN_STORE) {
        step = bl_sema_given_store(c, clause);
    } else {
        step = plain_given(c, clause);
    }
    bl_sema_step_append(tail, step);
}

/* ---- when
 * ---------------------------------------------------------------------------------------------
 */

/* What stands behind `U does NUMBER`: texts, a label, or nothing; then perhaps a moment. */
static const struct {
    enum bl_clause_id clause;
    enum bl_step step;
    unsigned texts;
    bl_type type; /* of those texts */
} deeds[] = {
    {BL_CLAUSE_WHEN_OPENS, BL_STEP_OPENS, 2, BL_TYPE_UNTRUSTED},
    {BL_CLAUSE_WHEN_COMMENTS, BL_STEP_COMMENTS, 1, BL_TYPE_UNTRUSTED},
    {BL_CLAUSE_WHEN_EDITS, BL_STEP_EDITS, 1, BL_TYPE_UNTRUSTED},
    {BL_CLAUSE_WHEN_RETITLES, BL_STEP_RETITLES, 1, BL_TYPE_UNTRUSTED},
    {BL_CLAUSE_WHEN_LABELS, BL_STEP_LABELS, 1, BL_TYPE_LABEL},
    {BL_CLAUSE_WHEN_UNLABELS, BL_STEP_UNLABELS, 1, BL_TYPE_LABEL},
    {BL_CLAUSE_WHEN_CLOSES, BL_STEP_CLOSES, 0, BL_TYPE_ERROR},
    {BL_CLAUSE_WHEN_REOPENS, BL_STEP_REOPENS, 0, BL_TYPE_ERROR},
    {BL_CLAUSE_WHEN_LOCKS, BL_STEP_LOCKS, 0, BL_TYPE_ERROR},
    {BL_CLAUSE_WHEN_UNLOCKS, BL_STEP_UNLOCKS, 0, BL_TYPE_ERROR},
    {BL_CLAUSE_WHEN_DELETES, BL_STEP_DELETES, 0, BL_TYPE_ERROR},
    {BL_CLAUSE_WHEN_MERGES, BL_STEP_MERGES, 0, BL_TYPE_ERROR},
};

static struct bl_statement *type_reaction(struct bl_checker *c, struct bl_clause *clause)
{
    struct bl_statement *step = bl_sema_step(c, clause, BL_STEP_REACTS);
    struct bl_node *word = bl_slot_node(clause, 2);

    if (step == NULL)
        return NULL;
    bl_sema_step_item(c, step, bl_sema_step_login(c, bl_slot_node(clause, 0)));
    bl_sema_step_item(c, step, bl_sema_step_value(c, bl_slot_node(clause, 1), BL_TYPE_INT));
    bl_sema_expect(c, word, BL_TYPE_MAKE(BL_TYPE_ENUM, BL_ENUM_REACTION_KIND));
    bl_sema_step_item(c, step, bl_sema_text_node(c, word->span, word->text));
    bl_sema_step_item(c, step, bl_sema_step_moment(c, bl_slot_node(clause, 3)));
    return step;
}

static struct bl_statement *type_deed(struct bl_checker *c, struct bl_clause *clause)
{
    for (size_t i = 0; i < sizeof deeds / sizeof deeds[0]; i++) {
        struct bl_statement *step;

        if (deeds[i].clause != clause->id)
            continue;
        step = bl_sema_step(c, clause, deeds[i].step);
        if (step == NULL)
            return NULL;
        bl_sema_step_item(c, step, bl_sema_step_login(c, bl_slot_node(clause, 0)));
        bl_sema_step_item(c, step, bl_sema_step_value(c, bl_slot_node(clause, 1), BL_TYPE_INT));
        for (unsigned t = 0; t < deeds[i].texts; t++)
            bl_sema_step_item(
                c, step, bl_sema_step_value(c, bl_slot_node(clause, 2 + t), deeds[i].type));
        bl_sema_step_item(c, step,
                          bl_sema_step_moment(c, bl_slot_node(clause, 2 + deeds[i].texts)));
        return step;
    }
    return NULL;
}

static struct bl_statement *type_answer(struct bl_checker *c, struct bl_clause *clause)
{
    struct bl_statement *step = bl_sema_step(c, clause, BL_STEP_ANSWERS);
    struct bl_symbol *task = bl_sema_find_kind(c, bl_slot_node(clause, 0), BL_SYMBOL_TASK);

    if (step == NULL || task == NULL)
        return NULL;
    step->symbol = task;
    bl_sema_step_item(c, step, bl_sema_step_value(c, bl_slot_node(clause, 0), BL_TYPE_TASK));
    bl_sema_step_item(c, step, bl_sema_step_value(c, bl_slot_node(clause, 1), BL_TYPE_INT));
    bl_sema_step_item(c, step, bl_sema_step_moment(c, bl_slot_node(clause, 2)));
    if (task->as.task->record != UINT32_MAX)
        step->pairs = bl_sema_answer_pairs(c, clause->block, task->as.task->record);
    return step;
}

static struct bl_statement *type_when(struct bl_checker *c, struct bl_clause *clause)
{
    struct bl_statement *step = NULL;

    if (clause->id == BL_CLAUSE_WHEN_MORNING) {
        step = bl_sema_step(c, clause, BL_STEP_MORNING);
        if (step != NULL)
            bl_sema_step_item(c, step,
                              bl_sema_step_value(c, bl_slot_node(clause, 0), BL_TYPE_DATE));
    } else if (clause->id == BL_CLAUSE_WHEN_OPENED) {
        step = bl_sema_step(c, clause, BL_STEP_OPENED);
        if (step != NULL)
            bl_sema_step_item(c, step,
                              bl_sema_step_value(c, bl_slot_node(clause, 0), BL_TYPE_INT));
    } else if (clause->id == BL_CLAUSE_WHEN_BY_HAND) {
        step = bl_sema_step(c, clause, BL_STEP_BY_HAND);
        if (step != NULL) {
            bl_sema_step_item(c, step,
                              bl_sema_step_value(c, bl_slot_node(clause, 0), BL_TYPE_TASK));
            bl_sema_step_item(c, step,
                              bl_sema_step_value(c, bl_slot_node(clause, 1), BL_TYPE_INT));
            bl_sema_step_item(c, step, bl_sema_step_moment(c, bl_slot_node(clause, 2)));
        }
    } else if (clause->id == BL_CLAUSE_WHEN_PUBLISHES) {
        step = bl_sema_step(c, clause, BL_STEP_PUBLISHES);
        if (step != NULL) {
            bl_sema_step_item(c, step, bl_sema_step_login(c, bl_slot_node(clause, 0)));
            bl_sema_step_item(c, step,
                              bl_sema_step_value(c, bl_slot_node(clause, 1), BL_TYPE_NAME));
            bl_sema_step_item(c, step, bl_sema_step_moment(c, bl_slot_node(clause, 2)));
        }
    } else if (clause->id == BL_CLAUSE_WHEN_PUSHES) {
        step = bl_sema_step(c, clause, BL_STEP_PUSHES);
        if (step != NULL) {
            bl_sema_step_item(c, step, bl_sema_step_login(c, bl_slot_node(clause, 0)));
            bl_sema_step_item(c, step, bl_sema_step_moment(c, bl_slot_node(clause, 1)));
        }
    } else if (clause->id == BL_CLAUSE_WHEN_RUN_ENDS) {
        step = bl_sema_step(c, clause, BL_STEP_RUN_ENDS);
        if (step != NULL) {
            bl_sema_step_item(c, step,
                              bl_sema_step_value(c, bl_slot_node(clause, 0), BL_TYPE_TEXT));
            bl_sema_step_item(c, step,
                              bl_slot_node(clause, 1) != NULL
                                  ? bl_sema_step_login(c, bl_slot_node(clause, 1))
                                  : NULL);
            bl_sema_step_item(c, step, bl_sema_step_moment(c, bl_slot_node(clause, 2)));
        }
    } else if (clause->id == BL_CLAUSE_WHEN_REACTS) {
        step = type_reaction(c, clause);
    } else if (clause->id == BL_CLAUSE_WHEN_ANSWERS) {
        step = type_answer(c, clause);
    } else if (clause->id == BL_CLAUSE_WHEN_CALLS) {
        step = bl_sema_when_calls(c, clause);
    } else if (clause->id == BL_CLAUSE_WHEN_SETS_STATUS) {
        step = bl_sema_when_sets_status(c, clause);
    } else if (clause->id == BL_CLAUSE_WHEN_COMMITS) {
        step = bl_sema_when_commits(c, clause);
    } else if (clause->id == BL_CLAUSE_WHEN_RUNS) {
        step = bl_sema_when_runs(c, clause);
    } else {
        step = type_deed(c, clause);
    }
    return step;
}

/* ---- the test
 * -------------------------------------------------------------------------------------------
 */

static struct bl_statement *type_set(struct bl_checker *c, struct bl_clause *clause)
{
    struct bl_statement *set = bl_sema_statement_new(c, BL_STATEMENT_TEST_SET, clause);
    struct bl_symbol *setting =
        bl_sema_find_kind(c, bl_slot_node(clause, 0), BL_SYMBOL_SETTING);

    if (set == NULL || setting == NULL)
        return NULL;
    set->symbol = setting;
    set->value = bl_slot_node(clause, 1);
    bl_sema_expect(c, set->value, setting->type);
    return set;
}

static void add_column(struct bl_checker *c, struct bl_test *test, struct bl_clause *clause)
{
    struct bl_node *name = bl_slot_node(clause, 0);
    bl_type type = bl_sema_read_type(c, clause->slots[1].nodes, clause->slots[1].count, NULL,
                                     name->text, NULL);
    struct bl_symbol *local;
    struct bl_symbol **slot;

    if (type == BL_ENTITY_TYPE(USER))
        type = BL_TYPE_NAME; /* a login */
    local = bl_scope_local(c, BL_LOCAL_COLUMN, name, name->text, type, NULL);
    slot = local != NULL ? BL_PUSH(c->arena, test->columns) : NULL;
    if (slot == NULL)
        return;
    local->as.local->position = (uint32_t)test->columns.count - 1;
    *slot = local;
}

static void add_row(struct bl_checker *c, struct bl_test *test, struct bl_clause *clause)
{
    struct bl_test_row *row;

    if (clause->slots[0].count != test->columns.count) {
        struct bl_diagnostic *d = bl_sema_error(c, BL_D_CASE_COUNT, clause->node->span);

        bl_diagnostic_int(c->sink, d, "wanted", (int64_t)test->columns.count);
        bl_diagnostic_int(c->sink, d, "count", clause->slots[0].count);
        return;
    }
    c->body->words = true;
    for (size_t i = 0; i < test->columns.count; i++)
        bl_sema_expect(c, clause->slots[0].nodes[i], test->columns.items[i]->type);
    c->body->words = false;
    row = bl_arena_push(c->arena, (void **)&test->rows, &test->row_count, &test->row_capacity,
                        sizeof *test->rows);
    if (row != NULL)
        *row = (struct bl_test_row){clause->slots[0].nodes, clause->node->span};
}

/* Placeholders of a test's name are columns. */
static void check_name(struct bl_checker *c, const struct bl_test *test)
{
    for (uint32_t i = 0; i < test->name->kid_count; i++) {
        struct bl_node *part = test->name->kids[i];
        struct bl_symbol *local;

        if (part->kind == BL_NODE_STRING_PART || part->kind == BL_NODE_BROKEN)
            continue;
        local = part->kind == BL_NODE_NAME ? bl_scope_find_local(c, part->text) : NULL;
        if (local != NULL) {
            bl_sema_resolved(part, BL_RESOLVED_LOCAL, local, 0, local->type);
            continue;
        }
        struct bl_diagnostic *d = bl_sema_error(c, BL_D_UNKNOWN_KIND_NAME, part->span);

        bl_sema_arg(c, d, "kind", BL_STR("column"));
        bl_sema_arg_node(c, d, "name", part);
    }
}

static void type_clause(struct bl_checker *c, struct bl_test *test, struct bl_clause *clause,
                        struct bl_statement ***tail)
{
    bl_str words = bl_clause_info(clause->id)->words;

    if (clause->id == BL_CLAUSE_TEST_COLUMN)
        return;
    if (clause->id == BL_CLAUSE_TEST_CASE)
        add_row(c, test, clause);
    else if (clause->id == BL_CLAUSE_TEST_SET)
        bl_sema_step_append(tail, type_set(c, clause));
    else if (clause->id == BL_CLAUSE_CRASHES)
        bl_sema_step_append(tail, bl_sema_step(c, clause, BL_STEP_CRASHES));
    else if (bl_str_starts_with(words, BL_STR("expect")))
        bl_sema_step_append(tail, bl_sema_expectation(c, clause));
    else if (bl_str_starts_with(words, BL_STR("given")))
        type_given(c, clause, tail);
    else
        bl_sema_step_append(tail, type_when(c, clause));
}

static void type_test(struct bl_checker *c, struct bl_file *file, struct bl_clause *clause)
{
    struct bl_test *test;
    struct bl_statement **tail;
    struct bl_body body;

    /* Those of a used package are its own business. */
    if (clause->id != BL_CLAUSE_TEST || !file->package->is_root ||
        (!c->options->tests && !file->is_test))
        return;
    test = BL_PUSH(c->arena, c->program->tests);
    if (test == NULL)
        return;
    test->file = file;
    test->name = bl_slot_node(clause, 0);
    test->span = test->name->span;
    tail = &test->body;
    bl_sema_body_begin(c, &body, NULL);
    body.package = file->package;
    body.needs = &test->needs;
    body.in_test = true;
    for (struct bl_clause *row = clause->block; row != NULL; row = row->next) {
        if (row->id == BL_CLAUSE_TEST_COLUMN)
            add_column(c, test, row);
    }
    check_name(c, test);
    for (struct bl_clause *row = clause->block; row != NULL; row = row->next)
        type_clause(c, test, row, &tail);
    if (test->columns.count > 0 && test->row_count == 0)
        bl_sema_error(c, BL_D_TEST_NO_ROWS, test->span);
    bl_sema_body_end(c);
    bl_sema_settle_needs(c, &test->needs, BL_ALL_EVENTS, true);
}

void bl_sema_tests(struct bl_checker *c)
{
    bl_sema_each_clause(c, type_test);
}
