/* SPDX-License-Identifier: Apache-2.0 */
#include "base/time.h"
#include "lint/linter.h"

/* Tests that prove nothing, and rules that no test can reach. Looked at is what the steps of
 * the tests bring, not what happens then: that is what coverage tells. */

static const struct {
    enum bl_step step;
    enum bl_event_id event;
} brought[] = {
#define BL_STEP_EVENT(step, event) {BL_STEP_##step, BL_EVENT_##event},
#include "lint/step_events.def"
#undef BL_STEP_EVENT
};

static bool is_step(const struct bl_statement *s, enum bl_step step)
{
    return s->kind == BL_STATEMENT_STEP && s->member == (uint32_t)step;
}

static bool is_when(const struct bl_statement *s)
{
    return s->kind == BL_STATEMENT_STEP &&
           bl_step_info((enum bl_step)s->member)->phase == BL_PHASE_WHEN;
}

static uint64_t events_of(const struct bl_statement *s)
{
    uint64_t events = 0;

    for (size_t i = 0; i < sizeof(brought) / sizeof(brought[0]); i++) {
        if (is_step(s, brought[i].step))
            events |= UINT64_C(1) << brought[i].event;
    }
    return events;
}

/* ---- what it expects, and when --------------------------------------------------------- */

static bool expects_effects(const struct bl_statement *s)
{
    return s->kind == BL_STATEMENT_EXPECT_EFFECT || s->kind == BL_STATEMENT_EXPECT_EXACTLY ||
           s->kind == BL_STATEMENT_EXPECT_GOLDEN;
}

static bool expects(const struct bl_statement *list)
{
    for (const struct bl_statement *s = list; s != NULL; s = s->next) {
        if (s->kind == BL_STATEMENT_EXPECT || expects_effects(s) || expects(s->body))
            return true;
    }
    return false;
}

/* Before anything happens there are no effects, whatever the policy does. */
static void look_for_haste(struct bl_linter *l, const struct bl_test *test)
{
    for (const struct bl_statement *s = test->body; s != NULL && !is_when(s); s = s->next) {
        if (expects_effects(s))
            bl_lint_report(l, BL_D_EXPECTED_TOO_EARLY, s->span);
    }
}

/* ---- time ------------------------------------------------------------------------------ */

/* A moment that a step names, as its words say it; NULL of one that names none. */
static const struct bl_node *moment_of(const struct bl_statement *s)
{
    for (size_t i = 0; is_when(s) && i < s->items.count; i++) {
        const struct bl_node *node = s->items.items[i];

        if (node != NULL && (node->kind == BL_NODE_TIME || node->kind == BL_NODE_DATE))
            return node;
    }
    return NULL;
}

static bool is_before(const struct bl_node *one, const struct bl_node *other)
{
    int64_t day = one->kind == BL_NODE_DATE ? one->number : bl_day_of_time(one->number);
    int64_t other_day =
        other->kind == BL_NODE_DATE ? other->number : bl_day_of_time(other->number);

    if (one->kind == BL_NODE_TIME && other->kind == BL_NODE_TIME)
        return one->number < other->number;
    return day < other_day;
}

static void look_at_time(struct bl_linter *l, const struct bl_test *test)
{
    const struct bl_node *latest = NULL;

    for (const struct bl_statement *s = test->body; s != NULL; s = s->next) {
        const struct bl_node *moment = moment_of(s);
        struct bl_diagnostic *d;

        if (moment == NULL)
            continue;
        if (latest == NULL || !is_before(moment, latest)) {
            latest = moment;
            continue;
        }
        d = bl_lint_report(l, BL_D_TIME_GOES_BACK, moment->span);
        bl_diagnostic_label(&l->found, d, latest->span, BL_STR("was before that"));
        return;
    }
}

/* ---- who listens ----------------------------------------------------------------------- */

/* The events on which anything of the policy runs, whatever is said. */
static uint64_t heard(const struct bl_linter *l)
{
    const struct bl_symbol_list *jobs = &l->program->symbols[BL_SYMBOL_JOB];
    uint64_t events = 0;

    for (size_t i = 0; i < l->rules.count; i++) {
        if (l->rules.items[i].symbol->kind == BL_SYMBOL_RULE)
            events |= l->rules.items[i].rule->events;
    }
    for (size_t i = 0; i < jobs->count; i++) {
        if (jobs->items[i]->as.job->runs == BL_RUNS_SWEEP)
            events |= jobs->items[i]->as.job->events;
    }
    return events;
}

/* Those on which something runs once a family of commands is addressed. */
static uint64_t heard_by_families(const struct bl_linter *l)
{
    const struct bl_symbol_list *families = &l->program->symbols[BL_SYMBOL_COMMANDS];
    uint64_t events = 0;

    for (size_t i = 0; i < families->count; i++) {
        if (families->items[i]->as.commands->refused != NULL)
            events |= families->items[i]->as.commands->refused->events;
    }
    for (size_t i = 0; i < l->rules.count; i++) {
        if (l->rules.items[i].symbol->kind == BL_SYMBOL_COMMAND)
            events |= l->rules.items[i].rule->events;
    }
    return events;
}

static bool hears_answers(const struct bl_linter *l)
{
    const struct bl_symbol_list *jobs = &l->program->symbols[BL_SYMBOL_JOB];

    for (size_t i = 0; i < jobs->count; i++) {
        if (jobs->items[i]->as.job->runs == BL_RUNS_ANSWERS)
            return true;
    }
    return false;
}

/* Does the test itself ask for a check, a decision or a define of the policy? */
static bool calls(const struct bl_node *node)
{
    const struct bl_symbol *symbol = node != NULL ? node->symbol : NULL;

    if (node == NULL)
        return false;
    if (symbol != NULL &&
        (symbol->kind == BL_SYMBOL_CHECK || symbol->kind == BL_SYMBOL_DECISION ||
         symbol->kind == BL_SYMBOL_DEFINE))
        return true;
    for (uint32_t i = 0; i < node->kid_count; i++) {
        if (calls(node->kids[i]))
            return true;
    }
    return false;
}

static void look_for_listeners(struct bl_linter *l, const struct bl_test *test, uint64_t events)
{
    const struct bl_statement *first = NULL;

    for (const struct bl_statement *s = test->body; s != NULL; s = s->next) {
        if (s->kind == BL_STATEMENT_EXPECT && calls(s->condition))
            return; /* what it asks for runs, and what happened before is its ground */
        if (!is_when(s))
            continue;
        if ((events_of(s) & events) != 0 || (is_step(s, BL_STEP_ANSWERS) && hears_answers(l)) ||
            is_step(s, BL_STEP_CALLS))
            return;
        first = first != NULL ? first : s;
    }
    if (first != NULL)
        bl_lint_report(l, BL_D_TEST_NEVER_FIRES, first->span);
}

/* ---- names ----------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    const struct bl_test *one = *(const struct bl_test *const *)a;
    const struct bl_test *other = *(const struct bl_test *const *)b;
    int order = bl_str_compare(one->name->text, other->name->text);

    if (order != 0)
        return order;
    return one < other ? -1 : 1;
}

/* A name with columns in it stands for many; those of its rows are its own business. */
static bool is_plain(const struct bl_test *test)
{
    return test->name->kid_count <= 1 && test->name->text.len > 0;
}

static void look_at_names(struct bl_linter *l)
{
    size_t count = l->program->tests.count;
    const struct bl_test **tests = BL_NEW_ARRAY(l->arena, count + 1, const struct bl_test *);

    if (tests == NULL)
        return;
    for (size_t i = 0; i < count; i++)
        tests[i] = &l->program->tests.items[i];
    qsort(tests, count, sizeof(*tests), by_name);
    for (size_t i = 1; i < count; i++) {
        struct bl_diagnostic *d;

        if (!is_plain(tests[i]) || !is_plain(tests[i - 1]) ||
            tests[i]->file->package != tests[i - 1]->file->package ||
            !bl_str_equal(tests[i]->name->text, tests[i - 1]->name->text))
            continue;
        d = bl_lint_report(l, BL_D_TEST_NAMED_TWICE, tests[i]->name->span);
        bl_diagnostic_label(&l->found, d, tests[i - 1]->name->span,
                            BL_STR("has the same name"));
    }
}

/* ---- rules that no test reaches -------------------------------------------------------- */

struct reached {
    uint64_t events;
    struct bl_said_commands *said;
    bool *answered; /* by number of the task */
    size_t tests;
};

static void reach(struct reached *r, const struct bl_test *test)
{
    for (const struct bl_statement *s = test->body; s != NULL; s = s->next) {
        const struct bl_node *task = s->items.count > 0 ? s->items.items[0] : NULL;

        r->events |= events_of(s);
        if (is_step(s, BL_STEP_ANSWERS) && task != NULL && task->symbol != NULL &&
            task->symbol->kind == BL_SYMBOL_TASK)
            r->answered[task->symbol->number] = true;
    }
}

static bool reaches(const struct reached *r, const struct bl_linted_rule *linted)
{
    const struct bl_rule *rule = linted->rule;

    if (rule->job == NULL)
        return true; /* nothing runs it: another finding */
    if (rule->answers != NULL)
        return r->answered[rule->answers->number];
    if (linted->symbol->kind == BL_SYMBOL_COMMAND &&
        !bl_said_commands_reach(r->said, linted->symbol))
        return false;
    if (linted->symbol->kind == BL_SYMBOL_RULE || linted->symbol->kind == BL_SYMBOL_COMMAND)
        return (rule->events & r->events) != 0;
    return (rule->job->as.job->events & r->events) != 0;
}

static void look_for_untested(struct bl_linter *l, const struct reached *r)
{
    for (size_t i = 0; i < l->rules.count; i++) {
        const struct bl_linted_rule *linted = &l->rules.items[i];
        struct bl_diagnostic *d;

        if (!linted->own || reaches(r, linted))
            continue;
        d = bl_lint_report(l, BL_D_UNTESTED_RULE, linted->symbol->span);
        bl_lint_text(l, d, "name", linted->symbol->name);
        bl_lint_text(l, d, "kind", bl_symbol_kind_name(linted->symbol->kind));
    }
}

void bl_lint_tests(struct bl_linter *l)
{
    struct reached reached = {
        .answered = BL_NEW_ARRAY(l->arena, l->program->symbols[BL_SYMBOL_TASK].count + 1, bool),
        .said = bl_said_commands_begin(l)};
    uint64_t events = heard(l), addressed = heard_by_families(l);

    if (reached.answered == NULL || reached.said == NULL)
        return;
    for (size_t i = 0; i < l->program->tests.count; i++) {
        const struct bl_test *test = &l->program->tests.items[i];

        if (!test->file->package->is_root)
            continue;
        reached.tests++;
        reach(&reached, test);
        bool is_addressed = bl_said_commands_look(reached.said, test);
        if (!expects(test->body))
            bl_lint_report(l, BL_D_TEST_EXPECTS_NOTHING, test->name->span);
        look_for_haste(l, test);
        look_at_time(l, test);
        look_for_listeners(l, test, events | (is_addressed ? addressed : 0));
    }
    look_at_names(l);
    if (reached.tests > 0)
        look_for_untested(l, &reached);
}
