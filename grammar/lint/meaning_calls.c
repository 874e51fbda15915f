/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/meaning_parts.h"

/* Calls: the body with the arguments put in. The answers are remembered by callable, arguments
 * and what ambient names mean, since rules ask the same again and again. */

/* ---- bodies ---------------------------------------------------------------------------- */

static bool decision_cases(struct bl_meaning *m, const struct bl_statement *rows,
                           struct bl_cases *out)
{
    const struct bl_formula *reached = m->formulas.always;

    for (const struct bl_statement *s = rows; s != NULL; s = s->next) {
        const struct bl_formula *when = m->formulas.always;
        struct bl_cases value;

        if (s->kind == BL_STATEMENT_LET) {
            bl_meaning_let(m, s);
            continue;
        }
        if (s->kind != BL_STATEMENT_ROW || s->value == NULL)
            return false;
        if (s->condition != NULL)
            when = bl_meaning_condition(m, s->condition);
        value = bl_meaning_cases(m, s->value);
        if (!bl_cases_add(m, out, bl_formula_and(&m->formulas, reached, when), &value))
            return false;
        reached = bl_formula_and(&m->formulas, reached, bl_formula_not(&m->formulas, when));
        if (reached->size > BL_FORMULA_SIZE_MAX)
            return false;
    }
    return true;
}

static bool define_cases(struct bl_meaning *m, const struct bl_statement *body,
                         struct bl_cases *out)
{
    for (const struct bl_statement *s = body; s != NULL; s = s->next) {
        if (s->kind == BL_STATEMENT_LET) {
            bl_meaning_let(m, s);
        } else if (s->kind == BL_STATEMENT_GIVE) {
            *out = bl_meaning_cases(m, s->value);
            return true;
        } else {
            return false;
        }
    }
    return false;
}

struct verdicts {
    struct bl_meaning *m;
    struct bl_cases *out;
    const struct bl_formula *reached;
};

static struct bl_cases verdict(struct bl_meaning *m, bool passes, bl_str rule)
{
    return bl_cases_of(
        m, bl_term_get(&m->terms, &(struct bl_term){
                                      .kind = BL_TERM_VERDICT,
                                      .type = BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_VERDICT),
                                      .value = passes,
                                      .text = rule}));
}

/* The check ends here with the value when the condition holds. */
static bool ends_with(struct verdicts *v, const struct bl_formula *when,
                      const struct bl_cases *value)
{
    struct bl_formulas *f = &v->m->formulas;

    if (!bl_cases_add(v->m, v->out, bl_formula_and(f, v->reached, when), value))
        return false;
    v->reached = bl_formula_and(f, v->reached, bl_formula_not(f, when));
    return v->reached->size <= BL_FORMULA_SIZE_MAX;
}

static bool check_row(struct verdicts *v, const struct bl_statement *s)
{
    const struct bl_formula *when = bl_meaning_condition(v->m, s->condition);
    struct bl_cases value = verdict(v->m, s->kind == BL_STATEMENT_PASS, s->name);

    if (s->kind == BL_STATEMENT_REQUIRE)
        when = bl_formula_not(&v->m->formulas, when);
    return ends_with(v, when, &value);
}

/* Of another check only what refuses. */
static bool check_call(struct verdicts *v, const struct bl_statement *s)
{
    struct bl_cases value = bl_meaning_cases(v->m, s->value);
    struct bl_cases refused = {NULL, 0, 0};
    const struct bl_formula *refuses = v->m->formulas.never;

    for (uint32_t i = 0; i < value.count; i++) {
        struct bl_cases one = bl_cases_of(v->m, value.items[i].value);

        if (value.items[i].value->kind != BL_TERM_VERDICT)
            return false;
        if (value.items[i].value->value != 0)
            continue;
        refuses = bl_formula_or(&v->m->formulas, refuses, value.items[i].when);
        if (!bl_cases_add(v->m, &refused, value.items[i].when, &one))
            return false;
    }
    return ends_with(v, refuses, &refused);
}

static bool check_cases(struct verdicts *v, const struct bl_statement *body);

static bool check_arms(struct verdicts *v, const struct bl_statement *s)
{
    struct bl_formulas *f = &v->m->formulas;
    const struct bl_formula *left = v->reached, *behind = f->never;

    for (const struct bl_statement *arm = s; arm != NULL; arm = arm->otherwise) {
        const struct bl_formula *when =
            arm->condition != NULL ? bl_meaning_condition(v->m, arm->condition) : f->always;
        struct bl_meaning_mark mark = bl_meaning_enter(v->m);

        v->reached = bl_formula_and(f, left, when);
        if (!check_cases(v, arm->body))
            return false;
        bl_meaning_leave(v->m, &mark);
        behind = bl_formula_or(f, behind, v->reached);
        left = bl_formula_and(f, left, bl_formula_not(f, when));
    }
    v->reached = bl_formula_or(f, behind, left);
    return v->reached->size <= BL_FORMULA_SIZE_MAX;
}

static bool check_statement(struct verdicts *v, const struct bl_statement *s)
{
    if (s->kind == BL_STATEMENT_LET)
        bl_meaning_let(v->m, s);
    else if (s->kind == BL_STATEMENT_REFUSE || s->kind == BL_STATEMENT_REQUIRE ||
             s->kind == BL_STATEMENT_PASS)
        return check_row(v, s);
    else if (s->kind == BL_STATEMENT_CHECK)
        return check_call(v, s);
    else if (s->kind == BL_STATEMENT_WHEN)
        return check_arms(v, s);
    /* Of a loop is not looked into what it decides. */
    return s->kind == BL_STATEMENT_LET;
}

static bool check_cases(struct verdicts *v, const struct bl_statement *body)
{
    for (const struct bl_statement *s = body; s != NULL; s = s->next) {
        if (!check_statement(v, s))
            return false;
    }
    return true;
}

static bool body_cases(struct bl_meaning *m, const struct bl_symbol *symbol,
                       struct bl_cases *out)
{
    const struct bl_callable *callable = symbol->as.callable;
    struct verdicts v = {m, out, m->formulas.always};
    struct bl_cases passes;

    if (callable->value != NULL) {
        *out = bl_meaning_cases(m, callable->value);
        return true;
    }
    if (symbol->kind == BL_SYMBOL_DECISION)
        return decision_cases(m, callable->body, out);
    if (symbol->kind != BL_SYMBOL_CHECK)
        return define_cases(m, callable->body, out);
    if (callable->is_gate || !check_cases(&v, callable->body))
        return false; /* a gate refuses, too, when something cannot be read */
    passes = verdict(m, true, BL_STR("allowed"));
    return bl_cases_add(m, out, v.reached, &passes);
}

/* ---- calls that were looked at --------------------------------------------------------- */

static uint64_t call_hash(const struct bl_meaning *m, const struct bl_symbol *symbol,
                          const struct bl_term *const *arguments, uint32_t count)
{
    uint64_t hash = (uint64_t)(uintptr_t)symbol;

    for (uint32_t i = 0; i < count; i++)
        hash = (hash ^ arguments[i]->number) * UINT64_C(0x9E3779B97F4A7C15);
    for (unsigned a = 0; a < BL_AMBIENT_COUNT; a++) {
        if (m->ambients[a] != NULL && m->ambients[a]->kind != BL_TERM_AMBIENT)
            hash = (hash ^ m->ambients[a]->number) * UINT64_C(0x9E3779B97F4A7C15);
    }
    return hash ^ (hash >> 29);
}

static bool same_call(const struct bl_meaning *m, const struct bl_remembered *r,
                      const struct bl_symbol *symbol, const struct bl_term *const *arguments,
                      uint32_t count)
{
    if (r->symbol != symbol || (r->settings != BL_SETTINGS_ANY && r->settings != m->settings))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (r->arguments[i] != arguments[i])
            return false;
    }
    for (unsigned a = 0; a < BL_AMBIENT_COUNT; a++) {
        const struct bl_term *now = m->ambients[a];

        /* NULL is the name itself. */
        if (now != NULL && now->kind == BL_TERM_AMBIENT && now->index == a)
            now = NULL;
        if (r->ambients[a] != now)
            return false;
    }
    return true;
}

static size_t find_call(const struct bl_meaning *m, uint64_t hash,
                        const struct bl_symbol *symbol, const struct bl_term *const *arguments,
                        uint32_t count)
{
    size_t mask = m->remembered_slot_count - 1;
    size_t at = (size_t)hash & mask;

    while (m->remembered_slots[at] != 0 &&
           !same_call(m, &m->remembered.items[m->remembered_slots[at] - 1], symbol, arguments,
                      count))
        at = (at + 1) & mask;
    return at;
}

static void grow_remembered(struct bl_meaning *m)
{
    size_t count = 2 * m->remembered_slot_count;
    uint32_t *slots = BL_NEW_ARRAY(m->arena, count, uint32_t);

    if (slots == NULL)
        return;
    for (size_t i = 0; i < m->remembered.count; i++) {
        size_t at = (size_t)m->remembered.items[i].hash & (count - 1);

        while (slots[at] != 0)
            at = (at + 1) & (count - 1);
        slots[at] = (uint32_t)i + 1;
    }
    m->remembered_slots = slots;
    m->remembered_slot_count = count;
}

static void remember(struct bl_meaning *m, uint64_t hash, const struct bl_symbol *symbol,
                     const struct bl_term **arguments, uint32_t count,
                     enum bl_settings settings, const struct bl_cases *cases)
{
    struct bl_remembered *r;
    size_t at;

    if (3 * (m->remembered.count + 1) > 2 * m->remembered_slot_count)
        grow_remembered(m);
    if (3 * (m->remembered.count + 1) > 2 * m->remembered_slot_count)
        return;
    at = find_call(m, hash, symbol, arguments, count);
    r = m->remembered_slots[at] == 0 ? BL_PUSH(m->arena, m->remembered) : NULL;
    if (r == NULL)
        return;
    *r = (struct bl_remembered){.hash = hash,
                                .symbol = symbol,
                                .arguments = arguments,
                                .settings = settings,
                                .cases = *cases};
    for (unsigned a = 0; a < BL_AMBIENT_COUNT; a++) {
        const struct bl_term *now = m->ambients[a];

        r->ambients[a] =
            now != NULL && now->kind == BL_TERM_AMBIENT && now->index == a ? NULL : now;
    }
    m->remembered_slots[at] = (uint32_t)m->remembered.count;
}

static struct bl_cases inlined(struct bl_meaning *m, const struct bl_node *node,
                               const struct bl_term *const *arguments)
{
    const struct bl_callable *callable = node->symbol->as.callable;
    struct bl_meaning_mark mark = bl_meaning_enter(m);
    struct bl_cases cases = {NULL, 0, 0};
    bool known = false;

    if (m->call_depth < bl_limit(BL_LIMIT_CALL_DEPTH)) {
        m->call_depth++;
        for (size_t i = 0; i < callable->params.count; i++)
            bl_meaning_bind(m, callable->params.items[i], arguments[i]);
        known = body_cases(m, node->symbol, &cases);
        m->call_depth--;
    }
    bl_meaning_leave(m, &mark);
    if (!known || cases.count == 0)
        return bl_cases_of(m, bl_meaning_construct(m, node));
    return cases;
}

struct bl_cases bl_meaning_call(struct bl_meaning *m, const struct bl_node *node,
                                struct bl_node *const *arguments, uint32_t count)
{
    const struct bl_symbol *symbol = node->symbol;
    const struct bl_term **terms =
        BL_NEW_ARRAY(m->arena, (size_t)count + 1, const struct bl_term *);
    struct bl_cases cases;
    uint64_t hash;
    size_t at, settings_before;

    if (terms == NULL || symbol == NULL || symbol->as.callable->params.count != count)
        return bl_cases_of(m, bl_meaning_construct(m, node));
    for (uint32_t i = 0; i < count; i++)
        terms[i] = bl_meaning_term(m, arguments[i]);
    hash = call_hash(m, symbol, terms, count);
    at = find_call(m, hash, symbol, terms, count);
    if (m->remembered_slots[at] != 0) {
        const struct bl_remembered *r = &m->remembered.items[m->remembered_slots[at] - 1];

        m->settings_read += r->settings != BL_SETTINGS_ANY;
        return r->cases;
    }
    settings_before = m->settings_read;
    cases = inlined(m, node, terms);
    /* What was cut off by the bound of work is not what the body says. */
    if (m->work <= m->max_work)
        remember(m, hash, symbol, terms, count,
                 m->settings_read == settings_before ? BL_SETTINGS_ANY : m->settings, &cases);
    return cases;
}

/* ---- builtins -------------------------------------------------------------------------- */

static const struct bl_term *days_between(struct bl_meaning *m, const struct bl_node *from,
                                          const struct bl_node *to)
{
    const struct bl_term *const kids[] = {bl_meaning_term(m, to), bl_meaning_term(m, from)};

    return bl_term_sum(&m->terms, BL_TYPE_INT, kids, (const int64_t[]){1, -1}, 2);
}

struct bl_cases bl_meaning_builtin(struct bl_meaning *m, const struct bl_node *node)
{
    const struct bl_term *term = NULL;

    if (node->index == (uint32_t)BL_BUILTIN_COUNT_OF && node->kid_count == 1)
        term = bl_meaning_how_many(m, bl_meaning_term(m, node->kids[0]), NULL);
    else if (node->index == (uint32_t)BL_BUILTIN_DAYS && node->kid_count == 2)
        term = days_between(m, node->kids[0], node->kids[1]);
    return bl_cases_of(m, term != NULL ? term : bl_meaning_construct(m, node));
}
