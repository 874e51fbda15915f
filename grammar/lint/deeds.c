/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/linter.h"

/* What rules and steps do, and when: each effect with the conditions on the way to it. */

struct collecting {
    struct bl_linter *l;
    const struct bl_symbol *rule;
    uint64_t events;
    size_t first;
    unsigned rank;
    uint32_t loops;
    int64_t days;
};

/* ---- slots ----------------------------------------------------------------------------- */

static enum bl_deed_slot slot_of(enum bl_effect effect)
{
    switch (effect) {
    case BL_EFFECT_ENSURE_LABEL:
        return BL_SLOT_DECLARED_LABEL;
    case BL_EFFECT_MARK:
        return BL_SLOT_ATTRIBUTE;
    case BL_EFFECT_ADD_LABEL:
    case BL_EFFECT_REMOVE_LABEL:
        return BL_SLOT_LABEL;
    case BL_EFFECT_POST:
        return BL_SLOT_COMMENT;
    case BL_EFFECT_REACT:
        return BL_SLOT_REACTION;
    case BL_EFFECT_MILESTONE:
        return BL_SLOT_MILESTONE;
    case BL_EFFECT_CLOSE:
    case BL_EFFECT_REOPEN:
        return BL_SLOT_STATE;
    case BL_EFFECT_LOCK:
        return BL_SLOT_LOCK;
    case BL_EFFECT_STATUS:
        return BL_SLOT_STATUS;
    case BL_EFFECT_DISMISS:
        return BL_SLOT_ALERT;
    case BL_EFFECT_KEEP:
        return BL_SLOT_ROW;
    case BL_EFFECT_SUGGEST_DUPLICATE:
        return BL_SLOT_SUGGESTION;
    case BL_EFFECT_START:
        return BL_SLOT_TASK;
    case BL_EFFECT_OUTPUT:
        return BL_SLOT_OUTPUT;
    case BL_EFFECT_NOTICE:
    case BL_EFFECT_WARN:
    case BL_EFFECT_ERROR:
    case BL_EFFECT_FAIL:
    case BL_EFFECT_SUMMARY:
    case BL_EFFECT_COUNT:
        break;
    }
    return BL_SLOT_LOG;
}

/* ---- the literals that always hold ----------------------------------------------------- */

static void add_literal(struct bl_deed *deed, const struct bl_literal *literal)
{
    uint32_t at = deed->literal_count++;

    while (at > 0 && deed->literals[at - 1]->term->number > literal->term->number) {
        deed->literals[at] = deed->literals[at - 1];
        at--;
    }
    deed->literals[at] = literal;
}

static void find_literals(struct bl_linter *l, struct bl_deed *deed)
{
    const struct bl_formula *guard = deed->guard;
    uint32_t count = guard->kind == BL_FORMULA_ALL ? guard->kid_count : 1;

    deed->pure = true;
    deed->literals = BL_NEW_ARRAY(l->arena, count, const struct bl_literal *);
    if (deed->literals == NULL)
        return;
    if (guard->kind == BL_FORMULA_LITERAL)
        add_literal(deed, guard->literal);
    for (uint32_t i = 0; i < guard->kid_count && guard->kind == BL_FORMULA_ALL; i++) {
        if (guard->kids[i]->kind == BL_FORMULA_LITERAL)
            add_literal(deed, guard->kids[i]->literal);
        else
            deed->pure = false;
    }
    deed->pure = deed->pure && guard->kind != BL_FORMULA_SOME;
    deed->events = UINT64_MAX;
    for (uint32_t i = 0; i < deed->literal_count; i++) {
        if (deed->literals[i]->term->kind == BL_TERM_EVENT)
            deed->events = deed->literals[i]->bits;
    }
}

/* ---- one deed -------------------------------------------------------------------------- */

static const struct bl_term *several(struct bl_linter *l, const struct bl_term *a,
                                     const struct bl_term *b)
{
    const struct bl_term *kids[] = {a, b != NULL ? b : bl_term_absent(&l->meaning.terms)};

    return bl_term_get(&l->meaning.terms,
                       &(struct bl_term){.kind = BL_TERM_NODE,
                                         .index = BL_TERM_CONSTRUCT(BL_NODE_COMMA, 0, 0),
                                         .kids = kids,
                                         .kid_count = 2});
}

static const struct bl_term *term_or_null(struct bl_linter *l, const struct bl_node *node)
{
    return node != NULL ? bl_meaning_term(&l->meaning, node) : NULL;
}

static const struct bl_term *member_term(struct bl_linter *l, const struct bl_statement *s)
{
    return bl_term_number(&l->meaning.terms, BL_TYPE_INT, s->member);
}

static struct bl_deed *add(struct collecting *c, const struct bl_statement *s,
                           const struct bl_formula *guard, const struct bl_term *what,
                           const struct bl_term *value)
{
    struct bl_linter *l = c->l;
    struct bl_deed *deed;
    unsigned order = bl_effect_info(s->effect)->order;

    if (guard == l->meaning.formulas.never)
        return NULL;
    deed = BL_PUSH(l->arena, l->deeds);
    if (deed == NULL)
        return NULL;
    c->rank = order > c->rank ? order : c->rank;
    *deed = (struct bl_deed){.rule = c->rule,
                             .statement = s,
                             .effect = s->effect,
                             .span = s->span,
                             .guard = guard,
                             .slot = slot_of(s->effect),
                             .what = what,
                             .value = value,
                             .in_loop = c->loops > 0,
                             .rule_number = (uint32_t)l->rules.count,
                             .position = (uint32_t)(l->deeds.count - 1 - c->first),
                             .rank = c->rank};
    if (s->target != BL_AMBIENT_COUNT)
        deed->target = bl_meaning_ambient(&l->meaning, s->target);
    deed->many = deed->slot == BL_SLOT_COMMENT || deed->slot == BL_SLOT_REACTION ||
                 deed->slot == BL_SLOT_LOG || deed->slot == BL_SLOT_DECLARED_LABEL ||
                 deed->slot == BL_SLOT_SUGGESTION || deed->slot == BL_SLOT_ROW;
    find_literals(l, deed);
    return deed;
}

/* Each label of each item: names, groups, lists, choices of them. */
static void add_labels(struct collecting *c, const struct bl_statement *s,
                       const struct bl_formula *guard)
{
    struct bl_linter *l = c->l;
    const struct bl_term *because = term_or_null(l, s->text);

    for (size_t i = 0; i < s->items.count; i++) {
        struct bl_cases cases = bl_meaning_cases(&l->meaning, s->items.items[i]);

        for (uint32_t k = 0; k < cases.count; k++) {
            const struct bl_term *labels = cases.items[k].value;
            const struct bl_formula *when =
                bl_formula_and(&l->meaning.formulas, guard, cases.items[k].when);

            if (labels->kind != BL_TERM_LIST) {
                add(c, s, when, labels, because);
                continue;
            }
            for (uint32_t n = 0; n < labels->kid_count; n++)
                add(c, s, when, labels->kids[n], because);
        }
    }
}

static bool is_list_attribute(const struct bl_linter *l, const struct bl_statement *s,
                              const struct bl_pair *pair)
{
    const struct bl_posted_kinds *posted;

    if (!bl_type_is(bl_type_base(s->value->type), BL_TYPE_POSTED))
        return false;
    posted = &l->program->posted.items[bl_type_ref(s->value->type)];
    for (size_t k = 0; k < posted->count; k++) {
        const struct bl_document *document = posted->kinds[k]->as.document;

        for (size_t i = 0; i < document->attribute_count; i++) {
            if (bl_str_equal(document->attributes[i].name, pair->name))
                return bl_type_is_list(bl_type_base(document->attributes[i].type));
        }
    }
    return false;
}

static void add_marks(struct collecting *c, const struct bl_statement *s,
                      const struct bl_formula *guard)
{
    struct bl_terms *terms = &c->l->meaning.terms;
    const struct bl_term *comment = bl_meaning_term(&c->l->meaning, s->value);

    for (const struct bl_pair *pair = s->pairs; pair != NULL; pair = pair->next) {
        struct bl_deed *deed = add(c, s, guard, bl_term_text(terms, BL_TYPE_NAME, pair->name),
                                   term_or_null(c->l, pair->value));

        if (deed == NULL)
            continue;
        deed->target = comment;
        deed->many = is_list_attribute(c->l, s, pair);
    }
}

static void add_effect(struct collecting *c, const struct bl_statement *s,
                       const struct bl_formula *guard)
{
    struct bl_linter *l = c->l;
    struct bl_terms *terms = &l->meaning.terms;
    struct bl_deed *deed;

    switch (slot_of(s->effect)) {
    case BL_SLOT_LABEL:
        add_labels(c, s, guard);
        return;
    case BL_SLOT_ATTRIBUTE:
        add_marks(c, s, guard);
        return;
    case BL_SLOT_STATE:
        if (s->effect == BL_EFFECT_REOPEN)
            add(c, s, guard, NULL, NULL);
        else
            add(c, s, guard, NULL, several(l, member_term(l, s), term_or_null(l, s->value)));
        return;
    case BL_SLOT_LOCK:
        add(c, s, guard, NULL, member_term(l, s));
        return;
    case BL_SLOT_REACTION:
        add(c, s, guard, member_term(l, s), NULL);
        return;
    case BL_SLOT_STATUS:
        deed = add(c, s, guard, s->items.count > 0 ? term_or_null(l, s->items.items[0]) : NULL,
                   several(l, member_term(l, s), term_or_null(l, s->text)));
        if (deed != NULL)
            deed->target = term_or_null(l, s->value);
        return;
    case BL_SLOT_ALERT:
        deed = add(c, s, guard, NULL,
                   s->items.count > 0 ? term_or_null(l, s->items.items[0]) : NULL);
        if (deed != NULL)
            deed->target = term_or_null(l, s->value);
        return;
    case BL_SLOT_OUTPUT:
        add(c, s, guard, bl_term_text(terms, BL_TYPE_NAME, s->name), term_or_null(l, s->value));
        return;
    case BL_SLOT_COMMENT:
    case BL_SLOT_DECLARED_LABEL:
    case BL_SLOT_SUGGESTION:
        add(c, s, guard, term_or_null(l, s->value), NULL);
        return;
    case BL_SLOT_ROW:
        add(c, s, guard, NULL, NULL);
        return;
    case BL_SLOT_LOG:
        add(c, s, guard, term_or_null(l, s->text), NULL);
        return;
    case BL_SLOT_MILESTONE:
    case BL_SLOT_TASK:
        add(c, s, guard, NULL, term_or_null(l, s->value));
        return;
    }
}

/* ---- statements ------------------------------------------------------------------------ */

static void collect(struct collecting *c, const struct bl_statement *list,
                    const struct bl_formula *guard);

static void collect_arms(struct collecting *c, const struct bl_statement *s,
                         const struct bl_formula *guard)
{
    struct bl_formulas *f = &c->l->meaning.formulas;
    const struct bl_formula *left = guard;

    for (const struct bl_statement *arm = s; arm != NULL; arm = arm->otherwise) {
        const struct bl_formula *when =
            arm->condition != NULL ? bl_meaning_condition(&c->l->meaning, arm->condition)
                                   : f->always;
        struct bl_meaning_mark mark = bl_meaning_enter(&c->l->meaning);

        collect(c, arm->body, bl_formula_and(f, left, when));
        bl_meaning_leave(&c->l->meaning, &mark);
        left = bl_formula_and(f, left, bl_formula_not(f, when));
    }
}

/* What the list says of each of its elements: the open issues are open. */
static const struct bl_formula *as_listed(struct collecting *c, const struct bl_statement *loop)
{
    struct bl_meaning *m = &c->l->meaning;
    const struct bl_node *list = loop->value;

    if (list->resolution != BL_RESOLVED_FIELD ||
        list->index != (uint32_t)BL_FIELD_REPOSITORY_OPEN_ISSUES)
        return m->formulas.always;
    return bl_formula_bits(
        &m->formulas,
        bl_term_field(&m->terms, bl_term_symbol(&m->terms, loop->symbol), BL_FIELD_ISSUE_STATE),
        UINT64_C(1) << BL_ISSUE_STATE_OPEN);
}

/* For an element that there may be, with the condition on it. */
static void collect_loop(struct collecting *c, const struct bl_statement *s,
                         const struct bl_formula *guard)
{
    struct bl_meaning *m = &c->l->meaning;
    struct bl_meaning_mark mark = bl_meaning_enter(m);

    bl_meaning_stands_alone(m, s->symbol);
    guard = bl_formula_and(&m->formulas, guard, as_listed(c, s));
    if (s->condition != NULL)
        guard = bl_formula_and(&m->formulas, guard, bl_meaning_condition(m, s->condition));
    c->loops++;
    collect(c, s->body, guard);
    c->loops--;
    bl_meaning_leave(m, &mark);
}

/* Of the days of a lifecycle a sweep takes one. */
static const struct bl_formula *day_is_taken(struct collecting *c)
{
    struct bl_terms *terms = &c->l->meaning.terms;
    const struct bl_term *taken = bl_term_get(
        terms,
        &(struct bl_term){.kind = BL_TERM_SYMBOL, .type = BL_TYPE_INT, .symbol = c->rule});

    return bl_meaning_equal(&c->l->meaning, taken,
                            bl_term_number(terms, BL_TYPE_INT, ++c->days));
}

/* A row of a check or a lifecycle; gives what is left behind it. */
static const struct bl_formula *collect_row(struct collecting *c, const struct bl_statement *s,
                                            const struct bl_formula *guard)
{
    struct bl_meaning *m = &c->l->meaning;
    struct bl_formulas *f = &m->formulas;
    const struct bl_formula *when =
        s->condition != NULL ? bl_meaning_condition(m, s->condition) : f->always;
    struct bl_meaning_mark mark = bl_meaning_enter(m);

    if (s->kind == BL_STATEMENT_REQUIRE)
        return bl_formula_and(f, guard, when);
    if (s->kind == BL_STATEMENT_ON_DAY) {
        collect(c, s->body, bl_formula_and(f, bl_formula_and(f, guard, when), day_is_taken(c)));
        when = f->never;
    } else {
        collect(c, s->body, bl_formula_and(f, guard, when));
    }
    bl_meaning_leave(m, &mark);
    return bl_formula_and(f, guard, bl_formula_not(f, when));
}

static void collect(struct collecting *c, const struct bl_statement *list,
                    const struct bl_formula *guard)
{
    for (const struct bl_statement *s = list; s != NULL; s = s->next) {
        c->l->meaning.work = 0;
        if (s->kind == BL_STATEMENT_LET)
            bl_meaning_let(&c->l->meaning, s);
        else if (s->kind == BL_STATEMENT_WHEN)
            collect_arms(c, s, guard);
        else if (s->kind == BL_STATEMENT_FOR)
            collect_loop(c, s, guard);
        else if (s->kind == BL_STATEMENT_EFFECT)
            add_effect(c, s, guard);
        else if (s->kind == BL_STATEMENT_REFUSE || s->kind == BL_STATEMENT_REQUIRE ||
                 s->kind == BL_STATEMENT_ENDS || s->kind == BL_STATEMENT_EXEMPT ||
                 s->kind == BL_STATEMENT_ON_DAY)
            guard = collect_row(c, s, guard);
    }
}

/* A comment carries one command: that one, and no other of its family. */
static const struct bl_formula *is_the_command(struct bl_linter *l,
                                               const struct bl_symbol *command)
{
    struct bl_terms *terms = &l->meaning.terms;
    const struct bl_symbol *family = command->as.commands->family;
    const struct bl_term *comment = bl_term_ambient(terms, BL_AMBIENT_COMMENT);
    const struct bl_term *given = bl_term_get(
        terms,
        &(struct bl_term){.kind = BL_TERM_SYMBOL, .type = BL_TYPE_INT, .symbol = family});

    return bl_formula_and(
        &l->meaning.formulas, bl_meaning_is_one_of(&l->meaning, comment, family),
        bl_meaning_equal(&l->meaning, given,
                         bl_term_number(terms, BL_TYPE_INT, command->number)));
}

static void collect_rule(struct bl_linter *l, const struct bl_symbol *symbol,
                         const struct bl_rule *rule)
{
    struct collecting c = {.l = l, .rule = symbol, .first = l->deeds.count};
    struct bl_meaning_mark mark = bl_meaning_enter(&l->meaning);
    const struct bl_formula *guard = l->meaning.formulas.always;
    struct bl_linted_rule *linted;

    if (rule == NULL)
        return;
    if ((symbol->kind == BL_SYMBOL_RULE || symbol->kind == BL_SYMBOL_COMMAND) &&
        rule->events != 0)
        guard = bl_meaning_events(&l->meaning, rule->events);
    if (symbol->kind == BL_SYMBOL_COMMAND)
        guard = bl_formula_and(&l->meaning.formulas, guard, is_the_command(l, symbol));
    collect(&c, rule->body, guard);
    bl_meaning_leave(&l->meaning, &mark);
    linted = BL_PUSH(l->arena, l->rules);
    if (linted != NULL)
        *linted = (struct bl_linted_rule){symbol, rule, c.first, l->deeds.count - c.first,
                                          bl_lint_is_own(symbol)};
}

void bl_lint_collect_deeds(struct bl_linter *l)
{
    static const enum bl_symbol_kind kinds[] = {BL_SYMBOL_RULE, BL_SYMBOL_STEP,
                                                BL_SYMBOL_LIFECYCLE, BL_SYMBOL_COMMAND};

    l->meaning.settings = BL_SETTINGS_FIXED;
    for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
        for (size_t i = 0; i < l->program->symbols[kinds[k]].count; i++) {
            const struct bl_symbol *symbol = l->program->symbols[kinds[k]].items[i];

            collect_rule(l, symbol, bl_lint_rule_of(symbol));
        }
    }
    l->meaning.settings = BL_SETTINGS_OPEN;
}

/* ---- words ----------------------------------------------------------------------------- */

bl_str bl_deed_words(struct bl_linter *l, const struct bl_deed *deed)
{
    const struct bl_symbol *label = NULL;

    if (deed->what != NULL && deed->what->kind == BL_TERM_TEXT)
        label = bl_meaning_label(&l->meaning, deed->what->text);
    if (deed->slot == BL_SLOT_LABEL && label != NULL)
        return bl_lint_words(l, "%s the label %.*s",
                             deed->effect == BL_EFFECT_ADD_LABEL ? "add" : "remove",
                             BL_STR_ARG(label->name));
    return bl_lint_source(l, deed->span);
}

/* ---- what a deed changes --------------------------------------------------------------- */

const struct bl_formula *bl_deed_after(struct bl_linter *l, const struct bl_deed *deed)
{
    struct bl_formulas *f = &l->meaning.formulas;
    const struct bl_term *field;
    const struct bl_formula *has;

    if (deed->target == NULL)
        return f->always;
    switch (deed->slot) {
    case BL_SLOT_LABEL:
        if (deed->what == NULL || deed->what->kind != BL_TERM_TEXT)
            return f->always;
        has = bl_formula_true(
            f, bl_term_get(&l->meaning.terms,
                           &(struct bl_term){.kind = BL_TERM_HAS,
                                             .type = BL_TYPE_BOOL,
                                             .text = deed->what->text,
                                             .kids = (const struct bl_term *[]){deed->target},
                                             .kid_count = 1}));
        return deed->effect == BL_EFFECT_ADD_LABEL ? has : bl_formula_not(f, has);
    case BL_SLOT_STATE:
        field = bl_term_field(&l->meaning.terms, deed->target, BL_FIELD_ISSUE_STATE);
        return bl_formula_bits(f, field,
                               UINT64_C(1)
                                   << (deed->effect == BL_EFFECT_CLOSE ? BL_ISSUE_STATE_CLOSED
                                                                       : BL_ISSUE_STATE_OPEN));
    case BL_SLOT_LOCK:
        return bl_formula_true(
            f, bl_term_field(&l->meaning.terms, deed->target, BL_FIELD_ISSUE_LOCKED));
    case BL_SLOT_DECLARED_LABEL:
    case BL_SLOT_MILESTONE:
    case BL_SLOT_COMMENT:
    case BL_SLOT_ATTRIBUTE:
    case BL_SLOT_REACTION:
    case BL_SLOT_STATUS:
    case BL_SLOT_ALERT:
    case BL_SLOT_ROW:
    case BL_SLOT_SUGGESTION:
    case BL_SLOT_TASK:
    case BL_SLOT_OUTPUT:
    case BL_SLOT_LOG:
        break;
    }
    return f->always;
}

struct after {
    struct bl_linter *l;
    const struct bl_deed *deed;
    const struct bl_formula *state; /* a literal, or ALWAYS */
};

static bool is_posted_of(const struct bl_term *term, void *context)
{
    const struct after *after = context;

    if (term->kind != BL_TERM_NODE || term->index >> 16 != BL_RESOLVED_BUILTIN ||
        term->value != BL_BUILTIN_POSTED)
        return false;
    for (uint32_t i = 1; i < term->kid_count; i++) {
        if (term->kids[i]->symbol == after->deed->statement->value->symbol)
            return true;
    }
    return false;
}

/* "None of ours stands there yet" ends when one was posted. */
static bool ends_none_posted(const struct bl_literal *l, struct after *after)
{
    return l->term->kind == BL_TERM_HOW_MANY && l->form == BL_LITERAL_RANGES &&
           l->ranges->count == 1 && l->ranges->lo[0] == 0 && l->ranges->hi[0] == 0 &&
           l->term->body == NULL && bl_term_any(l->term->kids[0], is_posted_of, after);
}

static const struct bl_formula *literal_after(const struct bl_formula *literal, void *context)
{
    struct after *after = context;
    struct bl_formulas *f = &after->l->meaning.formulas;
    const struct bl_literal *state = after->state->literal, *asked = literal->literal;

    if (after->deed->slot == BL_SLOT_COMMENT && ends_none_posted(asked, after))
        return f->never;
    if (state == NULL || asked->term != state->term || asked->form != BL_LITERAL_BITS)
        return NULL;
    return (state->bits & asked->bits) != 0 ? f->always : f->never;
}

const struct bl_formula *bl_deed_guard_after(struct bl_linter *l,
                                             const struct bl_formula *guard,
                                             const struct bl_deed *deed)
{
    struct after after = {l, deed, bl_deed_after(l, deed)};

    if (after.state->literal == NULL && deed->slot != BL_SLOT_COMMENT)
        return guard;
    return bl_formula_map(&l->meaning.formulas, guard, literal_after, &after);
}
