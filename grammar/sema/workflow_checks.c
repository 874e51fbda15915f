/* SPDX-License-Identifier: Apache-2.0 */
#include "base/num.h"
#include "sema/checker.h"

/* What GitHub asks of workflows, actions and steps, so that the files made of them are taken.
 * Their names are resolved in jobs.c. */

#define MINUTES_MAX 360 /* GitHub stops a job then, whatever it says */

static void complain(struct bl_checker *c, enum bl_diagnostic_code code,
                     const struct bl_node *node, bl_str text)
{
    bl_sema_arg(c, bl_sema_error(c, code, node->span), "text", text);
}

static bool is_plain_char(char c)
{
    return bl_is_ascii_alpha(c) || bl_is_ascii_digit(c) || c == '.' || c == '_' || c == '-' ||
           c == '+';
}

static bool is_plain(bl_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (!is_plain_char(text.ptr[i]))
            return false;
    }
    return text.len > 0;
}

/* Letters, digits and the like; for what stands in the workflow without quotes. */
static void plain_word(struct bl_checker *c, struct bl_clause *clause, unsigned slot)
{
    struct bl_node *node = bl_slot_node(clause, slot);
    bl_str text = bl_sema_plain_text(c, node);

    if (node != NULL && text.ptr != NULL && !is_plain(text))
        complain(c, BL_D_PLAIN_WORD, node, text);
}

/* A literal in which GitHub would look for an expression, or would refuse one. */
static void no_expression(struct bl_checker *c, struct bl_node *node, const char *what)
{
    bl_str text = node->kind == BL_NODE_STRING ? bl_sema_plain_text(c, node) : BL_STR("");

    if (bl_str_find(text, BL_STR("${{")) != SIZE_MAX)
        bl_sema_arg(c, bl_sema_error(c, BL_D_RUN_EXPRESSION, node->span), "what",
                    bl_str_from(what));
}

static void check_minutes(struct bl_checker *c, struct bl_clause *clause)
{
    struct bl_node *node = bl_slot_node(clause, 0);
    struct bl_diagnostic *d;

    bl_sema_constant(c, node, BL_TYPE_INT);
    if (node->kind != BL_NODE_INT || (node->number >= 1 && node->number <= MINUTES_MAX))
        return;
    d = bl_sema_error(c, BL_D_OUT_OF_BOUNDS, node->span);
    bl_sema_arg(c, d, "name", BL_STR("minutes"));
    bl_sema_arg(c, d, "side", node->number < 1 ? BL_STR("at least") : BL_STR("at most"));
    bl_sema_arg(c, d, "bound",
                node->number < 1 ? BL_STR("1") : bl_sema_text(c, "%d", MINUTES_MAX));
}

/* ---- schedules
 * ---------------------------------------------------------------------------------- */

static bool read_number(bl_str *s, int64_t *out)
{
    size_t digits = 0;

    while (digits < s->len && bl_is_ascii_digit(s->ptr[digits]))
        digits++;
    if (digits == 0 || digits > 2 || !bl_int_parse(bl_str_slice(*s, 0, digits), out))
        return false;
    *s = bl_str_slice(*s, digits, s->len);
    return true;
}

static bool skip_char(bl_str *s, char c)
{
    if (s->len == 0 || s->ptr[0] != c)
        return false;
    *s = bl_str_slice(*s, 1, s->len);
    return true;
}

/* One of the parts between commas: "*", "3", "1-5", each with "/2". */
static bool is_cron_part(bl_str part, int64_t least, int64_t most)
{
    int64_t from = least, to = most, step = 1;

    if (!skip_char(&part, '*')) {
        if (!read_number(&part, &from))
            return false;
        to = from;
        if (skip_char(&part, '-') && !read_number(&part, &to))
            return false;
    }
    if (skip_char(&part, '/') && (!read_number(&part, &step) || step < 1))
        return false;
    return part.len == 0 && from >= least && from <= to && to <= most;
}

static bool is_cron_field(bl_str field, int64_t least, int64_t most)
{
    while (true) {
        size_t comma = bl_str_find_char(field, ',');

        if (!is_cron_part(bl_str_slice(field, 0, comma), least, most))
            return false;
        if (comma == SIZE_MAX)
            return true;
        field = bl_str_slice(field, comma + 1, field.len);
    }
}

static bool is_cron(bl_str text)
{
    static const int64_t bounds[][2] = {{0, 59}, {0, 23}, {1, 31}, {1, 12}, {0, 6}};
    size_t count = sizeof bounds / sizeof bounds[0];

    for (size_t i = 0; i < count; i++) {
        size_t blank = bl_str_find_char(text, ' ');

        if ((blank == SIZE_MAX) != (i + 1 == count) ||
            !is_cron_field(bl_str_slice(text, 0, blank), bounds[i][0], bounds[i][1]))
            return false;
        if (blank != SIZE_MAX)
            text = bl_str_slice(text, blank + 1, text.len);
    }
    return true;
}

/* ---- what starts a workflow
 * ---------------------------------------------------------------------- */

#define OF(family) (1u << BL_FAMILY_##family)

/* The events that each detail says something about. */
static unsigned families_of(enum bl_clause_id detail)
{
    unsigned pulls = OF(PULL_REQUEST) | OF(PULL_REQUEST_TARGET);

    if (detail == BL_CLAUSE_LISTENS_INPUT)
        return OF(WORKFLOW_DISPATCH);
    if (detail == BL_CLAUSE_LISTENS_OF)
        return OF(WORKFLOW_RUN);
    if (detail == BL_CLAUSE_LISTENS_BRANCH)
        return OF(PUSH) | OF(WORKFLOW_RUN) | pulls;
    return OF(PUSH) | pulls;
}

static void check_branches(struct bl_checker *c, struct bl_clause *row)
{
    for (uint32_t i = 0; i < row->slots[0].count; i++) {
        struct bl_node *node = row->slots[0].nodes[i];

        if (node->kind == BL_NODE_STRING)
            no_expression(c, node, "a filter of events");
        else if (node->kind != BL_NODE_NAME ||
                 !bl_str_equal(node->text, BL_STR("default_branch"))) {
            struct bl_diagnostic *d = bl_sema_error(c, BL_D_UNKNOWN_WORD, node->span);

            bl_sema_arg_node(c, d, "name", node);
            bl_sema_arg(c, d, "wanted", BL_STR("a text or default_branch"));
        }
    }
}

static void check_input(struct bl_checker *c, struct bl_clause *row)
{
    const struct bl_node *name = bl_slot_node(row, 0);
    enum bl_type_kind kind = bl_type_kind(name->type);

    if (bl_slot_node(row, 2) != NULL)
        no_expression(c, bl_slot_node(row, 2), "the preset of an input");
    if (bl_is_error(name->type))
        return;
    if (!bl_type_is_list(name->type) && !bl_type_is_optional(name->type) &&
        (kind == BL_TYPE_INT || kind == BL_TYPE_BOOL || kind == BL_TYPE_TEXT ||
         kind == BL_TYPE_TASK || kind == BL_TYPE_ENUM))
        return;
    bl_sema_arg_type(c, bl_sema_error(c, BL_D_INPUT_TYPE, row->node->span), "type", name->type);
}

static void check_event(struct bl_checker *c, struct bl_clause *on, const struct bl_node *path,
                        const struct bl_event_info *event)
{
    unsigned family = 1u << event->family;
    struct bl_node *time = bl_slot_node(on, 1);
    bool named = false;
    struct bl_diagnostic *d = NULL;

    for (struct bl_clause *row = on->block; row != NULL; row = row->next) {
        named = named || row->id == BL_CLAUSE_LISTENS_OF;
        if ((families_of(row->id) & family) == 0) {
            d = bl_sema_error(c, BL_D_LISTEN_DETAIL, row->node->span);
            bl_sema_arg(c, d, "word", bl_clause_info(row->id)->words);
        }
    }
    if (time != NULL && family != OF(SCHEDULE)) {
        d = bl_sema_error(c, BL_D_LISTEN_DETAIL, time->span);
        bl_sema_arg_node(c, d, "word", time);
    }
    if (time == NULL && family == OF(SCHEDULE)) {
        d = bl_sema_error(c, BL_D_LISTEN_LACKS, path->span);
        bl_sema_arg(c, d, "what", BL_STR("a time, such as \"41 6 * * *\""));
    }
    if (!named && family == OF(WORKFLOW_RUN)) {
        d = bl_sema_error(c, BL_D_LISTEN_LACKS, path->span);
        bl_sema_arg(c, d, "what", BL_STR("the names of workflows: { of \"Release\" }"));
    }
    if (d != NULL)
        bl_sema_arg(c, d, "event", event->event);
}

static void check_on(struct bl_checker *c, struct bl_clause *on)
{
    struct bl_node *time = bl_slot_node(on, 1);
    bl_str cron = bl_sema_plain_text(c, time);

    for (uint32_t i = 0; i < on->slots[0].count; i++) {
        enum bl_event_id event =
            bl_event_find_spelling(bl_sema_path_text(c, on->slots[0].nodes[i]));

        if (event != BL_EVENT_COUNT)
            check_event(c, on, on->slots[0].nodes[i], bl_event_info(event));
    }
    if (time != NULL && cron.ptr != NULL && !is_cron(cron))
        complain(c, BL_D_CRON_SPELLING, time, cron);
    for (struct bl_clause *row = on->block; row != NULL; row = row->next) {
        if (row->id == BL_CLAUSE_LISTENS_BRANCH)
            check_branches(c, row);
        else if (row->id == BL_CLAUSE_LISTENS_INPUT)
            check_input(c, row);
        for (uint32_t i = 0;
             (row->id == BL_CLAUSE_LISTENS_OF || row->id == BL_CLAUSE_LISTENS_PATHS) &&
             i < row->slots[0].count;
             i++)
            no_expression(c, row->slots[0].nodes[i], "a filter of events");
    }
}

/* ---- workflows
 * ---------------------------------------------------------------------------------- */

static void check_file(struct bl_checker *c, struct bl_symbol *workflow,
                       struct bl_clause *clause)
{
    const struct bl_symbol_list *all = &c->program->symbols[BL_SYMBOL_WORKFLOW];
    struct bl_node *node = bl_slot_node(clause, 0);
    bl_str file = bl_sema_plain_text(c, node);

    if (file.ptr == NULL)
        return;
    if (!is_plain(file) || file.ptr[0] == '.' || file.ptr[0] == '-' ||
        (!bl_str_ends_with(file, BL_STR(".yml")) && !bl_str_ends_with(file, BL_STR(".yaml")))) {
        complain(c, BL_D_WORKFLOW_FILE_NAME, node, file);
        return;
    }
    workflow->as.workflow->file = file;
    for (uint32_t i = 0; i < workflow->number; i++) {
        if (bl_str_equal_nocase(all->items[i]->as.workflow->file, file)) {
            struct bl_diagnostic *d = bl_sema_error(c, BL_D_WORKFLOW_FILE_TWICE, node->span);

            bl_sema_arg(c, d, "text", file);
            bl_diagnostic_label(c->sink, d, all->items[i]->span, BL_STR("By this one."));
            return;
        }
    }
}

/* A text whose placeholders become expressions of GitHub: each is typed, none is rendered. */
static void type_parts(struct bl_checker *c, struct bl_node *text)
{
    text->type = text->declared = BL_TYPE_TEXT;
    for (uint32_t i = 0; i < text->kid_count; i++) {
        if (text->kids[i]->kind != BL_NODE_STRING_PART && text->kids[i]->kind != BL_NODE_BROKEN)
            bl_sema_type(c, text->kids[i], BL_NO_TYPE);
    }
}

static void check_workflow(struct bl_checker *c, struct bl_symbol *symbol)
{
    no_expression(c, bl_slot_node(symbol->clause, 1), "the name of a workflow");
    for (struct bl_clause *clause = symbol->clause->block; clause != NULL;
         clause = clause->next) {
        if (clause->id == BL_CLAUSE_WORKFLOW_FILE)
            check_file(c, symbol, clause);
        else if (clause->id == BL_CLAUSE_WORKFLOW_ON)
            check_on(c, clause);
        else if (clause->id == BL_CLAUSE_WORKFLOW_RUNNER)
            plain_word(c, clause, 0);
        else if (clause->id == BL_CLAUSE_WORKFLOW_MINUTES)
            check_minutes(c, clause);
    }
}

/* ---- actions and steps
 * -------------------------------------------------------------------------- */

static bool is_pinned(bl_str text)
{
    size_t at = bl_str_find_char(text, '@');
    bl_str name = bl_str_slice(text, 0, at);
    size_t slash = bl_str_find_char(name, '/');

    if (at == SIZE_MAX || text.len - at - 1 != 40 || slash == SIZE_MAX || slash == 0 ||
        name.ptr[0] == '.' || name.ptr[name.len - 1] == '/')
        return false;
    for (size_t i = 0; i < name.len; i++) {
        if (!is_plain_char(name.ptr[i]) && name.ptr[i] != '/')
            return false;
    }
    for (size_t i = at + 1; i < text.len; i++) {
        char digit = text.ptr[i];

        if (!bl_is_ascii_digit(digit) && (digit < 'a' || digit > 'f'))
            return false;
    }
    return true;
}

static void check_permission_words(struct bl_checker *c, struct bl_clause *row)
{
    for (uint32_t i = 0; i < row->slots[0].count; i++) {
        struct bl_node *word = row->slots[0].nodes[i];
        struct bl_diagnostic *d;

        if (bl_permission_named(word->text, BL_STR("read")) != BL_PERMISSION_COUNT)
            continue;
        d = bl_sema_error(c, BL_D_UNKNOWN_KIND_NAME, word->span);
        bl_sema_arg(c, d, "kind", BL_STR("permission to read"));
        bl_sema_arg(c, d, "name", word->text);
    }
}

static void check_action(struct bl_checker *c, struct bl_symbol *symbol)
{
    struct bl_node *node = bl_slot_node(symbol->clause, 1);
    bl_str text = bl_sema_plain_text(c, node);

    if (text.ptr != NULL && !is_pinned(text))
        complain(c, BL_D_ACTION_PIN, node, text);
    for (struct bl_clause *row = symbol->clause->block; row != NULL; row = row->next) {
        if (row->id == BL_CLAUSE_ACTION_VERSION)
            plain_word(c, row, 0);
        else if (row->id == BL_CLAUSE_ACTION_INPUT)
            plain_word(c, row, 1);
        else if (row->id == BL_CLAUSE_ACTION_READS)
            check_permission_words(c, row);
    }
}

/* Words stand for themselves, everything else is an expression. */
static void check_inputs(struct bl_checker *c, struct bl_clause *pairs)
{
    for (; pairs != NULL; pairs = pairs->next) {
        for (uint32_t i = 0; i < pairs->slots[1].count; i++) {
            struct bl_node *value = pairs->slots[1].nodes[i];

            if (value->kind == BL_NODE_STRING)
                type_parts(c, value);
            else if (value->kind != BL_NODE_NAME)
                bl_sema_type(c, value, BL_NO_TYPE);
        }
    }
}

static void check_steps(struct bl_checker *c, struct bl_clause *step, bool has_engine)
{
    for (; step != NULL; step = step->next) {
        struct bl_node *node = bl_slot_node(step, 0);

        if (step->id == BL_CLAUSE_STEPS_USES) {
            check_inputs(c, step->block);
        } else if (step->id == BL_CLAUSE_STEPS_RUN) {
            no_expression(c, node, "a command line");
        } else if (step->id == BL_CLAUSE_STEPS_CHECK) {
            (void)bl_sema_plain_text(c, bl_slot_node(step, 1));
        } else if (step->id == BL_CLAUSE_STEPS_ENGINE && !has_engine) {
            bl_sema_error(c, BL_D_NO_ENGINE, step->node->span);
        }
    }
}

static void check_list(struct bl_checker *c, struct bl_symbol *symbol)
{
    struct bl_body body;

    bl_sema_body_begin(c, &body, symbol);
    body.ambients_given = true;
    check_steps(c, symbol->clause->block, false);
    for (struct bl_clause *step = symbol->clause->block; step != NULL; step = step->next) {
        if (step->id == BL_CLAUSE_STEPS_WRITE || step->id == BL_CLAUSE_STEPS_CHECK ||
            step->id == BL_CLAUSE_STEPS_POST)
            bl_sema_arg(c, bl_sema_error(c, BL_D_JOB_STEP_LIST, step->node->span), "word",
                        bl_clause_info(step->id)->words);
    }
    bl_sema_body_end(c);
}

void bl_sema_job_steps(struct bl_checker *c, const struct bl_job *job)
{
    const struct bl_symbol *after = job->after;

    for (struct bl_clause *row = job->symbol->clause->block; row != NULL; row = row->next) {
        struct bl_node *node = bl_slot_node(row, 0);

        if (row->id == BL_CLAUSE_JOB_STEPS)
            check_steps(c, row->block, job->engine != NULL);
        else if (row->id == BL_CLAUSE_JOB_MINUTES)
            check_minutes(c, row);
        else if (row->id == BL_CLAUSE_JOB_NAMED || row->id == BL_CLAUSE_JOB_QUEUE)
            type_parts(c, node);
    }
    if (after != NULL && job->workflow != NULL && after->as.job->workflow != job->workflow) {
        struct bl_diagnostic *d = bl_sema_error(c, BL_D_JOB_ELSEWHERE, job->symbol->span);

        bl_sema_arg(c, d, "name", after->name);
        bl_diagnostic_label(c->sink, d, after->span, BL_STR("It is declared here."));
    }
}

static void check_queue(struct bl_checker *c, struct bl_symbol *symbol)
{
    struct bl_body body;

    bl_sema_body_begin(c, &body, symbol);
    body.events = symbol->as.workflow->events;
    body.ambients_given = true;
    for (struct bl_clause *clause = symbol->clause->block; clause != NULL;
         clause = clause->next) {
        if (clause->id == BL_CLAUSE_WORKFLOW_QUEUE)
            type_parts(c, bl_slot_node(clause, 0));
    }
    bl_sema_body_end(c);
}

static bool is_github_name(bl_str name)
{
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];

        if (!bl_is_ascii_alpha(c) && c != '_' && (i == 0 || !bl_is_ascii_digit(c)))
            return false;
    }
    return name.len > 0 && name.len <= 100 &&
           !bl_str_equal_nocase(bl_str_slice(name, 0, 7), BL_STR("GITHUB_"));
}

static void check_outside(struct bl_checker *c, enum bl_symbol_kind kind)
{
    const struct bl_symbol_list *list = &c->program->symbols[kind];

    for (size_t i = 0; i < list->count; i++) {
        const struct bl_symbol *symbol = list->items[i];

        if (symbol->as.outside->shown.ptr == NULL || is_github_name(symbol->as.outside->shown))
            continue;
        struct bl_diagnostic *d =
            bl_sema_error(c, BL_D_GITHUB_NAME, bl_slot_node(symbol->clause, 1)->span);
        bl_sema_arg(c, d, "text", symbol->as.outside->shown);
        bl_sema_arg(c, d, "kind", bl_symbol_kind_name(kind));
    }
}

void bl_sema_workflow_files(struct bl_checker *c)
{
    static const struct {
        enum bl_symbol_kind kind;
        void (*check)(struct bl_checker *c, struct bl_symbol *symbol);
    } checks[] = {{BL_SYMBOL_WORKFLOW, check_workflow},
                  {BL_SYMBOL_WORKFLOW, check_queue},
                  {BL_SYMBOL_ACTION, check_action},
                  {BL_SYMBOL_STEPS, check_list}};

    for (size_t k = 0; k < sizeof checks / sizeof checks[0]; k++) {
        for (size_t i = 0; i < c->program->symbols[checks[k].kind].count; i++)
            checks[k].check(c, c->program->symbols[checks[k].kind].items[i]);
    }
    for (size_t i = 0; i < c->program->symbols[BL_SYMBOL_RUNNER].count; i++)
        bl_sema_runner(c, c->program->symbols[BL_SYMBOL_RUNNER].items[i]);
    check_outside(c, BL_SYMBOL_SECRET);
    check_outside(c, BL_SYMBOL_VARIABLE);
}
