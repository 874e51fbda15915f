/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/deed_pairs.h"

/* Rules compared with each other: opposite effects on one event, the same effects for less. */

#define COMPARISONS_MAX 4000000u /* looks at literals */
#define SEARCHES_MAX    20000u
#define WITNESSES_MAX   2000u

/* Deeds about one thing. */
struct group {
    const struct bl_deed *like;
    struct bl_deed_list deeds;
};

struct comparing {
    struct bl_linter *l;
    BL_VEC(struct group) groups;
    uint32_t *slots; /* number + 1 */
    size_t slot_count;
    uint64_t *pairs; /* open hash of pairs of rules with a finding */
    size_t pair_slots, pair_count;
    size_t comparisons, searches, witnesses;
    struct bl_witness witness; /* of the pair in hand */
};

static uint64_t mix(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15) + (hash >> 29);
}

static uint64_t number_of(const struct bl_term *term)
{
    return term != NULL ? (uint64_t)term->number + 1 : 0;
}

/* ---- groups ---------------------------------------------------------------------------- */

static bool same_thing(const struct bl_deed *a, const struct bl_deed *b)
{
    return a->slot == b->slot && a->target == b->target && a->what == b->what;
}

static struct group *group_of(struct comparing *c, const struct bl_deed *deed)
{
    size_t at = (size_t)mix(mix(mix(0, deed->slot + 1), number_of(deed->target)),
                            number_of(deed->what)) &
                (c->slot_count - 1);
    struct group *group;

    while (c->slots[at] != 0 && !same_thing(c->groups.items[c->slots[at] - 1].like, deed))
        at = (at + 1) & (c->slot_count - 1);
    if (c->slots[at] != 0)
        return &c->groups.items[c->slots[at] - 1];
    group = BL_PUSH(c->l->arena, c->groups);
    if (group == NULL)
        return NULL;
    group->like = deed;
    c->slots[at] = (uint32_t)c->groups.count;
    return group;
}

static void make_groups(struct comparing *c)
{
    struct bl_linter *l = c->l;

    for (size_t i = 0; i < l->deeds.count; i++) {
        const struct bl_deed *deed = &l->deeds.items[i];
        struct group *group = deed->many ? NULL : group_of(c, deed);
        const struct bl_deed **place = group != NULL ? BL_PUSH(l->arena, group->deeds) : NULL;

        if (place != NULL)
            *place = deed;
    }
}

/* ---- pairs with a finding -------------------------------------------------------------- */

/* True when the pair was not there yet. */
static bool note_pair(struct comparing *c, uint32_t a, uint32_t b)
{
    uint64_t key = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
    size_t at = (size_t)mix(0, key) & (c->pair_slots - 1);

    if (2 * (c->pair_count + 1) > c->pair_slots)
        return true; /* shown again rather than not at all */
    for (; c->pairs[at] != 0; at = (at + 1) & (c->pair_slots - 1)) {
        if (c->pairs[at] == key + 1)
            return false;
    }
    c->pairs[at] = key + 1;
    c->pair_count++;
    return true;
}

/* ---- conflicts ------------------------------------------------------------------------- */

static bool is_over(const struct bl_linted_rule *winner, const struct bl_linted_rule *loser)
{
    const struct bl_symbol_list *over = &winner->rule->over;

    for (size_t i = 0; i < over->count; i++) {
        if (over->items[i] == loser->symbol)
            return true;
    }
    return false;
}

/* Is it part of what happens on one event? Steps and lifecycles are units of their own. */
static bool is_about_events(const struct bl_linted_rule *rule)
{
    return rule->symbol->kind == BL_SYMBOL_RULE || rule->symbol->kind == BL_SYMBOL_COMMAND;
}

/* Are both in one unit, and does nothing say which holds? */
static bool can_clash(const struct bl_linter *l, const struct bl_deed *a,
                      const struct bl_deed *b)
{
    const struct bl_linted_rule *one = &l->rules.items[a->rule_number];
    const struct bl_linted_rule *other = &l->rules.items[b->rule_number];

    if (!one->own && !other->own)
        return false;
    if (one == other)
        return true;
    return is_about_events(one) && is_about_events(other) &&
           one->rule->job == other->rule->job && !is_over(one, other) && !is_over(other, one);
}

static bool is_known(const struct bl_term *term)
{
    if (term == NULL || bl_term_is_constant(term) || term->kind == BL_TERM_ABSENT)
        return true;
    if (term->kind != BL_TERM_NODE || term->index != BL_TERM_CONSTRUCT(BL_NODE_COMMA, 0, 0))
        return false;
    for (uint32_t i = 0; i < term->kid_count; i++) {
        if (!is_known(term->kids[i]))
            return false;
    }
    return true;
}

/* Opposite, or different values of which only one can be. */
static bool are_opposite(const struct bl_deed *a, const struct bl_deed *b, bool *surely)
{
    *surely = true;
    if (a->effect != b->effect)
        return true;
    if (a->slot == BL_SLOT_LABEL || a->value == b->value)
        return false;
    *surely = is_known(a->value) && is_known(b->value);
    return true;
}

static bool comes_later(const struct bl_deed *a, const struct bl_deed *b)
{
    if (a->span.source != b->span.source)
        return a->span.source > b->span.source;
    return a->span.lo > b->span.lo;
}

static void report_conflict(struct comparing *c, const struct bl_deed *a,
                            const struct bl_deed *b, const struct bl_witness *witness,
                            bool shown)
{
    struct bl_linter *l = c->l;
    struct bl_diagnostic *d;
    struct bl_buf facts;
    bool swap = !l->rules.items[a->rule_number].own ||
                (comes_later(b, a) && l->rules.items[b->rule_number].own);

    if (swap) {
        const struct bl_deed *held = a;

        a = b;
        b = held;
    }
    d = bl_lint_report(l,
                       !shown               ? BL_D_POSSIBLE_CONFLICT
                       : a->rule == b->rule ? BL_D_CONFLICTING_EFFECTS
                                            : BL_D_CONFLICTING_RULES,
                       a->span);
    bl_lint_text(l, d, "name", a->rule->name);
    bl_lint_text(l, d, "other", b->rule->name);
    bl_lint_text(l, d, "one", bl_deed_words(l, a));
    bl_lint_text(l, d, "two", bl_deed_words(l, b));
    if (shown)
        bl_lint_text(l, d, "event", bl_event_words(l, witness->event));
    bl_diagnostic_label(&l->found, d, b->span, BL_STR("the opposite"));
    bl_buf_init(&facts, l->arena, 800);
    if (witness != NULL && witness->event != BL_EVENT_COUNT)
        bl_witness_describe(witness, &facts);
    if (facts.len > 0)
        bl_diagnostic_label(&l->found, d, a->rule->span, bl_buf_str(&facts));
    if (shown && l->options->witness != NULL) {
        struct bl_shown *place = BL_PUSH(l->arena, l->shown);
        struct bl_witness *copy = BL_NEW(l->arena, struct bl_witness);

        if (place != NULL && copy != NULL) {
            *copy = *witness;
            *place = (struct bl_shown){d, copy};
        }
    }
}

/* Runs of one rule on different elements of a loop may differ; that is not looked into. */
static bool compare(void *context, const struct bl_deed *a, const struct bl_deed *b)
{
    struct comparing *c = context;
    struct bl_linter *l = c->l;
    const struct bl_formula *conditions[3] = {a->guard, b->guard, NULL};
    struct bl_witness *witness = NULL;
    enum bl_possible possible;
    size_t count = 2;
    bool surely;

    if (++c->comparisons > COMPARISONS_MAX || c->searches > SEARCHES_MAX) {
        l->incomplete = true;
        return false;
    }
    if (!are_opposite(a, b, &surely) || !can_clash(l, a, b))
        return true;
    c->searches++;
    if (!surely && a->value != NULL && b->value != NULL)
        conditions[count++] = bl_formula_not(&l->meaning.formulas,
                                             bl_meaning_equal(&l->meaning, a->value, b->value));
    if (c->witnesses < WITNESSES_MAX)
        witness = &c->witness;
    l->meaning.settings = BL_SETTINGS_FIXED;
    possible = bl_possible(&l->solver, &l->meaning, conditions, count, witness);
    l->meaning.settings = BL_SETTINGS_OPEN;
    if (possible == BL_POSSIBLE_NO || !note_pair(c, a->rule_number, b->rule_number))
        return true;
    c->witnesses += possible == BL_POSSIBLE_YES;
    report_conflict(c, a, b, witness, possible == BL_POSSIBLE_YES);
    return true;
}

static void find_conflicts(struct comparing *c)
{
    for (size_t i = 0; i < c->groups.count; i++) {
        const struct group *group = &c->groups.items[i];
        struct bl_deed_list sides[2] = {{NULL, 0, 0}, {NULL, 0, 0}};

        if (group->like->slot != BL_SLOT_LABEL) {
            bl_deed_pairs(c->l->arena, &group->deeds, NULL, compare, c);
            continue;
        }
        for (size_t k = 0; k < group->deeds.count; k++) {
            const struct bl_deed *deed = group->deeds.items[k];
            const struct bl_deed **place =
                BL_PUSH(c->l->arena, sides[deed->effect == BL_EFFECT_REMOVE_LABEL]);

            if (place != NULL)
                *place = deed;
        }
        bl_deed_pairs(c->l->arena, &sides[0], &sides[1], compare, c);
    }
}

/* ---- the same for less ----------------------------------------------------------------- */

/* Deeds by what they do and by a literal that whoever implies them must have. */
struct watch {
    const struct bl_deed *deed;
    uint32_t next; /* number + 1 */
};
struct watching {
    struct comparing *c;
    BL_VEC(struct watch) watches;
    uint32_t *slots;
    size_t slot_count;
    uint32_t *frequency; /* of literals by number */
};

static bool same_deed(const struct bl_deed *a, const struct bl_deed *b)
{
    return a->effect == b->effect && same_thing(a, b) && a->value == b->value &&
           (a->slot != BL_SLOT_COMMENT || a->what != NULL);
}

static uint64_t deed_key(const struct bl_deed *deed, const struct bl_literal *literal)
{
    uint64_t hash = mix(mix(0, (uint64_t)deed->effect + 1), number_of(deed->target));

    hash = mix(mix(hash, number_of(deed->what)), number_of(deed->value));
    return mix(hash, literal != NULL ? (uint64_t)literal->number + 1 : 0);
}

/* Implied only by itself, as far as literals go. */
static bool is_atomic(const struct bl_literal *l)
{
    return l->term->kind != BL_TERM_EVENT && l->form == BL_LITERAL_BITS &&
           (l->bits & (l->bits - 1)) == 0;
}

static const struct bl_literal *rarest(const struct watching *w, const struct bl_deed *deed)
{
    const struct bl_literal *best = NULL;

    for (uint32_t i = 0; i < deed->literal_count; i++) {
        const struct bl_literal *l = deed->literals[i];
        bool single = l->form == BL_LITERAL_TEXTS && !l->negated && l->text_count == 1;

        if ((is_atomic(l) || single) &&
            (best == NULL || w->frequency[l->number] < w->frequency[best->number]))
            best = l;
    }
    return best;
}

static void watch(struct watching *w, const struct bl_deed *deed)
{
    size_t at = (size_t)deed_key(deed, rarest(w, deed)) & (w->slot_count - 1);
    struct watch *place = BL_PUSH(w->c->l->arena, w->watches);

    if (place == NULL)
        return;
    *place = (struct watch){deed, w->slots[at]};
    w->slots[at] = (uint32_t)w->watches.count;
}

static bool implies(struct comparing *c, const struct bl_deed *a, const struct bl_deed *b)
{
    struct bl_linter *l = c->l;
    struct bl_solver_mark mark;
    bool implied;

    if (a->guard == b->guard)
        return true;
    if (!bl_deed_may_imply(a, b))
        return false;
    c->searches++;
    mark = bl_solver_mark(&l->solver);
    implied = bl_solver_add(&l->solver, a->guard) &&
              bl_solver_excludes(&l->solver, bl_formula_not(&l->meaning.formulas, b->guard));
    bl_solver_undo(&l->solver, mark);
    return implied;
}

/* Whatever `a` does, `b` does. */
static bool covers(struct comparing *c, const struct bl_linted_rule *b,
                   const struct bl_linted_rule *a)
{
    const struct bl_deed *deeds = c->l->deeds.items;

    for (size_t i = 0; i < a->deed_count; i++) {
        bool found = false;

        for (size_t k = 0; k < b->deed_count && !found; k++)
            found = same_deed(&deeds[a->first_deed + i], &deeds[b->first_deed + k]) &&
                    implies(c, &deeds[a->first_deed + i], &deeds[b->first_deed + k]);
        if (!found)
            return false;
    }
    return true;
}

static bool can_happen(struct comparing *c, const struct bl_deed *deed)
{
    struct bl_solver_mark mark = bl_solver_mark(&c->l->solver);
    bool possible = bl_solver_add(&c->l->solver, deed->guard);

    bl_solver_undo(&c->l->solver, mark);
    return possible;
}

static void report_covered(struct comparing *c, const struct bl_linted_rule *a,
                           const struct bl_linted_rule *b, bool equal)
{
    struct bl_linter *l = c->l;
    struct bl_diagnostic *d;

    if (!note_pair(c, (uint32_t)(a - l->rules.items), (uint32_t)(b - l->rules.items)))
        return;
    d = bl_lint_report(l, equal ? BL_D_DUPLICATE_RULE : BL_D_REDUNDANT_RULE, a->symbol->span);
    bl_lint_text(l, d, "name", a->symbol->name);
    bl_lint_text(l, d, "other", b->symbol->name);
    bl_diagnostic_label(&l->found, d, b->symbol->span,
                        equal ? BL_STR("does the same") : BL_STR("does all of it"));
}

/* True when a finding was made. */
static bool hold_against(struct comparing *c, const struct bl_linted_rule *a,
                         const struct bl_linted_rule *b)
{
    const struct bl_rule *one = a->rule, *other = b->rule;
    bool equal;

    if (a == b || one->job != other->job || one->answers != other->answers || !covers(c, b, a))
        return false;
    equal = covers(c, a, b);
    /* Of two that are equal the later one is said, once. */
    if (equal && b->own &&
        !comes_later(&(struct bl_deed){.span = a->symbol->span},
                     &(struct bl_deed){.span = b->symbol->span}))
        return false;
    report_covered(c, a, b, equal);
    return true;
}

static bool look_up(struct watching *w, const struct bl_linted_rule *rule,
                    const struct bl_deed *deed, const struct bl_literal *literal)
{
    struct bl_linter *l = w->c->l;
    size_t at = (size_t)deed_key(deed, literal) & (w->slot_count - 1);

    for (uint32_t i = w->slots[at]; i != 0; i = w->watches.items[i - 1].next) {
        const struct bl_deed *other = w->watches.items[i - 1].deed;

        if (++w->c->comparisons > COMPARISONS_MAX || w->c->searches > SEARCHES_MAX) {
            l->incomplete = true;
            return true;
        }
        if (other->rule_number != deed->rule_number && same_deed(deed, other) &&
            bl_deed_may_imply(deed, other) &&
            hold_against(w->c, rule, &l->rules.items[other->rule_number]))
            return true;
    }
    return false;
}

static void find_covered(struct watching *w)
{
    struct bl_linter *l = w->c->l;

    for (size_t i = 0; i < l->rules.count; i++) {
        const struct bl_linted_rule *rule = &l->rules.items[i];
        const struct bl_deed *deed = &l->deeds.items[rule->first_deed];
        bool done = !rule->own || rule->deed_count == 0 ||
                    rule->symbol->kind != BL_SYMBOL_RULE || rule->rule->over.count > 0 ||
                    !can_happen(w->c, deed);

        done = done || look_up(w, rule, deed, NULL);
        for (uint32_t k = 0; k < deed->literal_count && !done; k++)
            done = look_up(w, rule, deed, deed->literals[k]);
    }
}

static void watch_all(struct comparing *c)
{
    struct bl_linter *l = c->l;
    struct watching w = {.c = c, .slot_count = 64};

    while (w.slot_count < 2 * l->deeds.count)
        w.slot_count *= 2;
    w.slots = BL_NEW_ARRAY(l->arena, w.slot_count, uint32_t);
    w.frequency = BL_NEW_ARRAY(l->arena, l->meaning.formulas.literals.count + 1, uint32_t);
    if (w.slots == NULL || w.frequency == NULL)
        return;
    for (size_t i = 0; i < l->deeds.count; i++) {
        for (uint32_t k = 0; k < l->deeds.items[i].literal_count; k++)
            w.frequency[l->deeds.items[i].literals[k]->number]++;
    }
    for (size_t i = 0; i < l->deeds.count; i++) {
        if (l->deeds.items[i].rule->kind == BL_SYMBOL_RULE)
            watch(&w, &l->deeds.items[i]);
    }
    find_covered(&w);
}

void bl_lint_pairs(struct bl_linter *l)
{
    struct comparing c = {.l = l, .slot_count = 64, .pair_slots = 4096};

    while (c.slot_count < 2 * l->deeds.count)
        c.slot_count *= 2;
    c.slots = BL_NEW_ARRAY(l->arena, c.slot_count, uint32_t);
    c.pairs = BL_NEW_ARRAY(l->arena, c.pair_slots, uint64_t);
    if (c.slots == NULL || c.pairs == NULL || l->deeds.count == 0)
        return;
    make_groups(&c);
    find_conflicts(&c);
    watch_all(&c);
}
