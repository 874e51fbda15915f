/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/linter.h"
#include "sema/secrets.h"

/* Conditions that are always true or always false where they stand, and rows that nothing
 * reaches. What is known on the way to a condition is kept in the solver; settings may be
 * anything that their bounds allow. */

struct looking {
    struct bl_linter *l;
    bool dead; /* nothing gets here: what stands below is no finding of its own */
};

static const struct bl_formula *meaning_of(struct looking *k, const struct bl_node *node)
{
    k->l->meaning.work = 0;
    return bl_meaning_condition(&k->l->meaning, node);
}

static bool excludes(struct looking *k, const struct bl_formula *a)
{
    return bl_solver_excludes(&k->l->solver, a);
}

static const struct bl_formula *opposite(struct looking *k, const struct bl_formula *a)
{
    return bl_formula_not(&k->l->meaning.formulas, a);
}

/* ---- what is reported ------------------------------------------------------------------ */

/* The parts of a conjunction, left to right. */
struct operands {
    const struct bl_node *items[32];
    size_t count;
};

static void split(const struct bl_node *node, enum bl_node_kind kind, struct operands *out)
{
    if (node->kind == kind) {
        split(node->kids[0], kind, out);
        split(node->kids[1], kind, out);
    } else if (out->count < 32) {
        out->items[out->count++] = node;
    }
}

/* Marks an earlier part that alone is enough for the contradiction. */
static void mark_cause(struct looking *k, struct bl_diagnostic *d, const struct operands *parts,
                       size_t at)
{
    const struct bl_formula *last = meaning_of(k, parts->items[at]);

    for (size_t i = 0; i < at; i++) {
        struct bl_solver_mark mark = bl_solver_mark(&k->l->solver);
        bool clash =
            !bl_solver_add(&k->l->solver, meaning_of(k, parts->items[i])) || excludes(k, last);

        bl_solver_undo(&k->l->solver, mark);
        if (clash) {
            bl_diagnostic_label(&k->l->found, d, parts->items[i]->span,
                                BL_STR("not together with this"));
            return;
        }
    }
}

static void report_never(struct looking *k, const struct bl_node *node)
{
    struct bl_diagnostic *d = bl_lint_report(k->l, BL_D_NEVER_HOLDS, node->span);
    struct operands parts = {.count = 0};
    struct bl_solver_mark mark = bl_solver_mark(&k->l->solver);

    bl_lint_mark_reported(k->l, node);
    split(node, BL_NODE_AND, &parts);
    for (size_t i = 0; i < parts.count; i++) {
        const struct bl_formula *part = meaning_of(k, parts.items[i]);
        bool last = excludes(k, part);

        if (last && parts.count > 1) {
            bl_solver_undo(&k->l->solver, mark);
            bl_diagnostic_label(&k->l->found, d, parts.items[i]->span,
                                BL_STR("nothing is left for this"));
            mark_cause(k, d, &parts, i);
            return;
        }
        if (!bl_solver_add(&k->l->solver, part))
            break;
    }
    bl_solver_undo(&k->l->solver, mark);
}

static void report_always(struct looking *k, const struct bl_node *node)
{
    bl_lint_report(k->l, BL_D_ALWAYS_HOLDS, node->span);
    bl_lint_mark_reported(k->l, node);
}

/* What a comparison with a value that may be absent says about it: see sema/guards.c. */
static bool comparison_narrows(const struct bl_node *node, bool holds)
{
    bool equal = node->op == BL_OPERATOR_EQ ? holds : node->op == BL_OPERATOR_NE && !holds;

    if (equal && bl_type_is_optional(node->kids[1]->type))
        return true;
    return (equal || (node->op == BL_OPERATOR_IN && holds)) &&
           bl_type_is_optional(node->kids[0]->type);
}

/* Does the outcome of the condition give a value a type that it has only behind it? Then the
 * condition has to stand, also where we can prove what the types cannot. */
static bool narrows(const struct bl_node *node, bool holds)
{
    bool positive = holds == (node->kind == BL_NODE_IS);

    if (node->kind == BL_NODE_NOT)
        return narrows(node->kids[0], !holds);
    if (node->kind == BL_NODE_AND || node->kind == BL_NODE_OR)
        return holds == (node->kind == BL_NODE_AND) &&
               (narrows(node->kids[0], holds) || narrows(node->kids[1], holds));
    if (node->kind == BL_NODE_COMPARE)
        return comparison_narrows(node, holds);
    if (node->resolution == BL_RESOLVED_IS_KIND)
        return positive;
    return (node->resolution == BL_RESOLVED_IS_SET ||
            node->resolution == BL_RESOLVED_IS_ABSENT) &&
           positive == (node->resolution == BL_RESOLVED_IS_SET) && node->index == 0;
}

/* ---- parts of a condition -------------------------------------------------------------- */

static void look_at_parts(struct looking *k, const struct bl_node *node);

/* One mistake, one message: what follows from a finding inside is none of its own. */
static bool was_said_inside(const struct looking *k, const struct bl_node *node)
{
    for (size_t i = 0; i < k->l->reported.count; i++) {
        struct bl_span span = k->l->reported.items[i]->span;

        if (span.source == node->span.source && span.lo >= node->span.lo &&
            span.hi <= node->span.hi)
            return true;
    }
    return false;
}

/* True when there was something to say. */
static bool look_at(struct looking *k, const struct bl_node *node)
{
    const struct bl_formula *formula = meaning_of(k, node);

    if (bl_lint_was_reported(k->l, node))
        return true;
    if (was_said_inside(k, node)) {
        look_at_parts(k, node);
        return excludes(k, formula) || excludes(k, opposite(k, formula));
    }
    if (excludes(k, formula) && !narrows(node, false)) {
        report_never(k, node);
        return true;
    }
    if (excludes(k, opposite(k, formula)) && !narrows(node, true)) {
        report_always(k, node);
        return true;
    }
    look_at_parts(k, node);
    return false;
}

/* Each part where it stands: of "and" behind those before it, of "or" by itself, since a part
 * that another one covers may still say something to the reader. */
static void look_at_parts(struct looking *k, const struct bl_node *node)
{
    struct operands parts = {.count = 0};
    struct bl_solver_mark mark = bl_solver_mark(&k->l->solver);

    if (node->kind == BL_NODE_NOT) {
        look_at_parts(k, node->kids[0]);
        return;
    }
    if (node->kind != BL_NODE_AND && node->kind != BL_NODE_OR)
        return;
    split(node, node->kind, &parts);
    for (size_t i = 0; i < parts.count; i++) {
        bool said = look_at(k, parts.items[i]);

        if (node->kind == BL_NODE_AND && !said &&
            !bl_solver_add(&k->l->solver, meaning_of(k, parts.items[i])))
            break;
    }
    bl_solver_undo(&k->l->solver, mark);
}

/* The conditions of quantifiers inside of an expression, about any element. */
static void look_into(void *context, const struct bl_symbol *where, const struct bl_node *node)
{
    struct looking *k = context;
    struct bl_meaning *m = &k->l->meaning;
    const struct bl_node *condition;

    (void)where;
    if (node->resolution != BL_RESOLVED_LOOP || node->kid_count < 2 || node->kids[1] == NULL ||
        node->symbol == NULL || !bl_type_is(node->kids[1]->type, BL_TYPE_BOOL))
        return;
    condition = node->kids[1];
    struct bl_meaning_mark mark = bl_meaning_enter(m);
    bl_meaning_stands_alone(m, node->symbol);
    look_at(k, condition);
    bl_meaning_leave(m, &mark);
}

/* ---- statements ------------------------------------------------------------------------ */

static void look_at_list(struct looking *k, const struct bl_statement *list);

/* What is known from here on. */
static void assume(struct looking *k, const struct bl_formula *formula)
{
    if (!k->dead && !bl_solver_add(&k->l->solver, formula))
        k->dead = true;
}

/* Rows and arms are tried in order. Each is looked at by itself first: a row may say what
 * follows from those above it, so that it can be read alone. Then by what those above it leave.
 */
struct rows {
    const struct bl_statement *first;
    bool arms; /* of a `when`; else rows of a decision or a message */
    const struct bl_statement *left_out[4]; /* for which nothing is left */
    size_t count;
    bool covered; /* nothing is left, and that was said */
};

static const struct bl_statement *next_row(const struct rows *rows,
                                           const struct bl_statement *s)
{
    return rows->arms ? s->otherwise : s->next;
}

static struct bl_span row_span(const struct bl_statement *row)
{
    struct bl_span span = row->span;
    uint32_t word = (uint32_t)(sizeof("otherwise") - 1);

    if (row->condition != NULL)
        return row->condition->span;
    span.hi = span.hi - span.lo > word ? span.lo + word : span.hi;
    return span;
}

static void report_left_out(struct looking *k, const struct rows *rows,
                            const struct bl_statement *row)
{
    struct bl_diagnostic *d = bl_lint_report(k->l, BL_D_UNREACHABLE_ROW, row_span(row));
    unsigned marks = 0;

    if (row->condition != NULL)
        bl_lint_mark_reported(k->l, row->condition);
    for (const struct bl_statement *s = rows->first; s != row && marks < 4;
         s = next_row(rows, s)) {
        struct bl_solver_mark mark = bl_solver_mark(&k->l->solver);
        bool takes_some;

        if (s->condition == NULL)
            continue;
        takes_some = row->condition == NULL ||
                     (bl_solver_add(&k->l->solver, meaning_of(k, row->condition)) &&
                      !excludes(k, meaning_of(k, s->condition)));
        bl_solver_undo(&k->l->solver, mark);
        if (!takes_some)
            continue;
        bl_diagnostic_label(&k->l->found, d, s->condition->span, BL_STR("decides before"));
        marks++;
    }
}

static bool was_reported(const struct looking *k, const struct bl_statement *row)
{
    return row->condition != NULL && was_said_inside(k, row->condition);
}

/* The row with what those before it leave. */
static void look_at_row(struct looking *k, struct rows *rows, const struct bl_statement *s,
                        bool was_dead)
{
    struct bl_solver_mark inside = bl_solver_mark(&k->l->solver);
    struct bl_meaning_mark inner = bl_meaning_enter(&k->l->meaning);
    const struct bl_formula *when =
        s->condition != NULL ? meaning_of(k, s->condition) : k->l->meaning.formulas.always;
    bool dead = k->dead, left_out = false;

    if (!was_dead && (s->condition != NULL || rows->arms))
        left_out = dead ? !rows->covered : excludes(k, when);
    if (left_out && !was_reported(k, s) && rows->count < 4)
        rows->left_out[rows->count++] = s;
    rows->covered = rows->covered || (left_out && dead);
    k->dead = dead || left_out;
    assume(k, when);
    look_at_list(k, s->body);
    bl_solver_undo(&k->l->solver, inside);
    bl_meaning_leave(&k->l->meaning, &inner);
    k->dead = dead;
    assume(k, opposite(k, when));
    if (k->dead && was_reported(k, s))
        rows->covered = true; /* it always holds: that was said */
}

/* The last row of a decision stands there whether something is left for it or not. */
static void look_at_rows(struct looking *k, struct rows *rows)
{
    struct bl_solver_mark outside = bl_solver_mark(&k->l->solver);
    struct bl_meaning_mark names = bl_meaning_enter(&k->l->meaning);
    bool was_dead = k->dead;

    for (const struct bl_statement *s = rows->first; s != NULL; s = next_row(rows, s)) {
        if (s->kind == BL_STATEMENT_LET)
            bl_meaning_let(&k->l->meaning, s);
        else
            look_at_row(k, rows, s, was_dead);
    }
    bl_meaning_leave(&k->l->meaning, &names);
    bl_solver_undo(&k->l->solver, outside);
    k->dead = was_dead;
    for (size_t i = 0; i < rows->count; i++)
        report_left_out(k, rows, rows->left_out[i]);
}

static void look_at_each_row(struct looking *k, const struct rows *rows)
{
    struct bl_meaning_mark names = bl_meaning_enter(&k->l->meaning);

    for (const struct bl_statement *s = rows->first; s != NULL && !k->dead;
         s = next_row(rows, s)) {
        if (s->kind == BL_STATEMENT_LET)
            bl_meaning_let(&k->l->meaning, s);
        else if (s->condition != NULL)
            look_at(k, s->condition);
    }
    bl_meaning_leave(&k->l->meaning, &names);
}

static void look_at_choice(struct looking *k, const struct bl_statement *first, bool arms)
{
    struct rows rows = {.first = first, .arms = arms};

    look_at_each_row(k, &rows);
    look_at_rows(k, &rows);
}

static void look_at_row_of_check(struct looking *k, const struct bl_statement *s)
{
    const struct bl_formula *when = meaning_of(k, s->condition);

    if (!k->dead && look_at(k, s->condition))
        return; /* one mistake, one message: nothing is known from it */
    assume(k, s->kind == BL_STATEMENT_REQUIRE ? when : opposite(k, when));
}

/* What ends or exempts leaves the rest without it; of the days one is taken. */
static void look_at_row_of_lifecycle(struct looking *k, const struct bl_statement *s)
{
    struct bl_solver_mark mark = bl_solver_mark(&k->l->solver);
    const struct bl_formula *when =
        s->condition != NULL ? meaning_of(k, s->condition) : k->l->meaning.formulas.always;
    bool was_dead = k->dead;
    bool said = s->condition != NULL && !k->dead && look_at(k, s->condition);

    k->dead = k->dead || said;
    assume(k, when);
    look_at_list(k, s->body);
    bl_solver_undo(&k->l->solver, mark);
    k->dead = was_dead;
    if (s->kind != BL_STATEMENT_ON_DAY && !said)
        assume(k, opposite(k, when));
}

static void look_at_loop(struct looking *k, const struct bl_statement *s)
{
    struct bl_meaning_mark names = bl_meaning_enter(&k->l->meaning);
    struct bl_solver_mark mark = bl_solver_mark(&k->l->solver);
    bool was_dead = k->dead;

    bl_meaning_stands_alone(&k->l->meaning, s->symbol);
    if (s->condition != NULL && !k->dead && !look_at(k, s->condition))
        assume(k, meaning_of(k, s->condition));
    look_at_list(k, s->body);
    bl_solver_undo(&k->l->solver, mark);
    bl_meaning_leave(&k->l->meaning, &names);
    k->dead = was_dead;
}

static void look_at_list(struct looking *k, const struct bl_statement *list)
{
    struct bl_meaning_mark names = bl_meaning_enter(&k->l->meaning);
    struct bl_solver_mark mark = bl_solver_mark(&k->l->solver);
    bool was_dead = k->dead;

    for (const struct bl_statement *s = list; s != NULL; s = s->next) {
        k->l->meaning.work = 0;
        if (s->kind == BL_STATEMENT_LET) {
            bl_meaning_let(&k->l->meaning, s);
        } else if (s->kind == BL_STATEMENT_WHEN) {
            look_at_choice(k, s, true);
        } else if (s->kind == BL_STATEMENT_ROW) {
            look_at_choice(k, s, false);
            break; /* the rest of the list are its rows */
        } else if (s->kind == BL_STATEMENT_REFUSE || s->kind == BL_STATEMENT_REQUIRE ||
                   s->kind == BL_STATEMENT_PASS) {
            look_at_row_of_check(k, s);
        } else if (s->kind == BL_STATEMENT_ENDS || s->kind == BL_STATEMENT_EXEMPT ||
                   s->kind == BL_STATEMENT_ON_DAY) {
            look_at_row_of_lifecycle(k, s);
        } else if (s->kind == BL_STATEMENT_FOR) {
            look_at_loop(k, s);
        } else if (s->body != NULL) {
            look_at_list(k, s->body); /* sections of a document */
        }
    }
    bl_solver_undo(&k->l->solver, mark);
    bl_meaning_leave(&k->l->meaning, &names);
    k->dead = was_dead;
}

static const struct bl_symbol_list *params_of(const struct bl_symbol *symbol)
{
    static const struct bl_symbol_list none = {NULL, 0, 0};

    if (symbol == NULL)
        return &none;
    if (symbol->kind == BL_SYMBOL_DEFINE || symbol->kind == BL_SYMBOL_DECISION ||
        symbol->kind == BL_SYMBOL_CHECK || symbol->kind == BL_SYMBOL_ACTOR)
        return &symbol->as.callable->params;
    if (symbol->kind == BL_SYMBOL_COMMENT || symbol->kind == BL_SYMBOL_PART)
        return &symbol->as.document->params;
    return &none;
}

static void enter_body(struct looking *k, const struct bl_symbol *where)
{
    const struct bl_symbol_list *params = params_of(where);
    const struct bl_rule *rule = bl_lint_rule_of(where);

    for (size_t i = 0; i < params->count; i++)
        bl_meaning_stands_alone(&k->l->meaning, params->items[i]);
    if (rule != NULL && rule->events != 0)
        assume(k, bl_meaning_events(&k->l->meaning, rule->events));
}

static void look_at_body(void *context, const struct bl_symbol *where,
                         const struct bl_statement *list)
{
    struct looking *k = context;
    struct bl_solver_mark mark = bl_solver_mark(&k->l->solver);
    struct bl_meaning_mark names = bl_meaning_enter(&k->l->meaning);

    enter_body(k, where);
    look_at_list(k, list);
    bl_meaning_leave(&k->l->meaning, &names);
    bl_solver_undo(&k->l->solver, mark);
    k->dead = false;
}

/* A define or an actor that is one condition. One that is just true or false is a constant. */
static void look_at_value(struct looking *k, const struct bl_symbol *symbol)
{
    const struct bl_node *node = symbol->as.callable->value;
    struct bl_meaning_mark names = bl_meaning_enter(&k->l->meaning);

    if (node == NULL || !bl_type_is(node->type, BL_TYPE_BOOL) || node->kid_count == 0)
        return;
    enter_body(k, symbol);
    look_at(k, node);
    bl_meaning_leave(&k->l->meaning, &names);
}

/* One condition that stands by itself; `match` is what was found, or NULL. */
static void look_at_single(struct looking *k, const struct bl_node *condition,
                           const struct bl_symbol *match)
{
    struct bl_meaning_mark names = bl_meaning_enter(&k->l->meaning);

    if (condition != NULL && match != NULL)
        bl_meaning_stands_alone(&k->l->meaning, match);
    if (condition != NULL)
        look_at(k, condition);
    bl_meaning_leave(&k->l->meaning, &names);
}

/* When rows of sets of secrets and of redactions count; those of another set are its own. */
static void look_at_secrets(struct looking *k)
{
    const struct bl_symbol_list *sets = &k->l->program->symbols[BL_SYMBOL_SECRETS];
    const struct bl_symbol_list *redactions = &k->l->program->symbols[BL_SYMBOL_REDACTION];

    for (size_t i = 0; i < sets->count; i++) {
        const struct bl_secret_set *set = sets->items[i]->as.secrets;

        for (size_t r = 0; bl_lint_is_own(sets->items[i]) && r < set->finders.count; r++)
            look_at_single(k, set->finders.items[r]->condition, set->finders.items[r]->match);
    }
    for (size_t i = 0; i < redactions->count; i++) {
        const struct bl_redaction *redaction = redactions->items[i]->as.redaction;

        if (!bl_lint_is_own(redactions->items[i]))
            continue;
        look_at_single(k, redaction->condition, NULL);
        for (size_t r = 0; r < redaction->masks.count; r++)
            look_at_single(k, redaction->masks.items[r].condition,
                           redaction->masks.items[r].match);
    }
}

/* When the parts of a sweep run, and options are given to an engine. */
static void look_at_parts_of_jobs(struct looking *k)
{
    const struct bl_symbol_list *sweeps = &k->l->program->symbols[BL_SYMBOL_SWEEP];
    const struct bl_symbol_list *engines = &k->l->program->symbols[BL_SYMBOL_ENGINE];

    for (size_t i = 0; i < sweeps->count; i++) {
        for (size_t r = 0;
             bl_lint_is_own(sweeps->items[i]) && r < sweeps->items[i]->as.sweep->count; r++)
            look_at_single(k, sweeps->items[i]->as.sweep->items[r].condition, NULL);
    }
    for (size_t i = 0; i < engines->count; i++) {
        for (size_t r = 0;
             bl_lint_is_own(engines->items[i]) && r < engines->items[i]->as.engine->flag_count;
             r++)
            look_at_single(k, engines->items[i]->as.engine->flags[r].condition, NULL);
    }
}

static void assume_bounds(struct bl_linter *l)
{
    const struct bl_symbol_list *settings = &l->program->symbols[BL_SYMBOL_SETTING];

    for (size_t i = 0; i < settings->count; i++) {
        struct bl_solver_mark mark = bl_solver_mark(&l->solver);

        l->meaning.work = 0;
        /* Bounds that contradict each other are said when the settings are checked. */
        if (!bl_solver_add(&l->solver, bl_meaning_bounds(&l->meaning, settings->items[i])))
            bl_solver_undo(&l->solver, mark);
    }
}

void bl_lint_conditions(struct bl_linter *l)
{
    static const enum bl_symbol_kind kinds[] = {BL_SYMBOL_DEFINE, BL_SYMBOL_ACTOR};
    struct looking k = {.l = l};
    struct bl_lint_visitor inner = {.context = &k, .expression = look_into};
    struct bl_lint_visitor outer = {.context = &k, .statements = look_at_body};
    struct bl_solver_mark mark = bl_solver_mark(&l->solver);

    l->meaning.settings = BL_SETTINGS_OPEN;
    assume_bounds(l);
    bl_lint_visit(l, &inner);
    bl_lint_visit(l, &outer);
    for (size_t kind = 0; kind < 2; kind++) {
        for (size_t i = 0; i < l->program->symbols[kinds[kind]].count; i++) {
            const struct bl_symbol *symbol = l->program->symbols[kinds[kind]].items[i];

            if (bl_lint_is_own(symbol) && bl_lint_whole(symbol) != NULL)
                look_at_value(&k, bl_lint_whole(symbol));
        }
    }
    look_at_secrets(&k);
    look_at_parts_of_jobs(&k);
    bl_solver_undo(&l->solver, mark);
}
