/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/linter.h"

/* What happens when a rule runs again: because its own effect brings its event, or because the
 * run was cut and is repeated. */

static const struct {
    enum bl_effect effect;
    enum bl_event_id event;
} causes[] = {
#define BL_CAUSE(effect, event) {BL_EFFECT_##effect, BL_EVENT_##event},
#include "lint/causes.def"
#undef BL_CAUSE
};

/* ---- rules that bring their own event -------------------------------------------------- */

/* The user that a field of an ambient thing names is the account: a bot with its login. */
static const struct bl_formula *is_account(struct bl_linter *l, enum bl_ambient ambient,
                                           enum bl_field field)
{
    struct bl_terms *terms = &l->meaning.terms;
    struct bl_formulas *f = &l->meaning.formulas;
    const struct bl_term *user = bl_term_field(terms, bl_term_ambient(terms, ambient), field);
    const struct bl_term *me = bl_term_ambient(terms, BL_AMBIENT_ME);
    const struct bl_package *product = l->program->product;
    const struct bl_formula *all = bl_formula_bits(
        f, bl_term_field(terms, user, BL_FIELD_USER_KIND), UINT64_C(1) << BL_USER_KIND_BOT);

    all = bl_formula_and(f, all, bl_meaning_equal(&l->meaning, user, me));
    if (product != NULL && product->account.len > 0)
        all =
            bl_formula_and(f, all,
                           bl_formula_texts(f, bl_term_field(terms, user, BL_FIELD_USER_LOGIN),
                                            &product->account, 1));
    return all;
}

/* The event that the deed brings, once it is done. */
static const struct bl_formula *brought(struct bl_linter *l, const struct bl_deed *deed,
                                        enum bl_event_id event)
{
    struct bl_formulas *f = &l->meaning.formulas;
    const struct bl_formula *all = bl_formula_and(
        f, bl_meaning_events(&l->meaning, UINT64_C(1) << event), bl_deed_after(l, deed));

    all = bl_formula_and(f, all, is_account(l, BL_AMBIENT_EVENT, BL_FIELD_EVENT_ACTOR));
    if (bl_event_info(event)->family == BL_FAMILY_ISSUE_COMMENT)
        all =
            bl_formula_and(f, all, is_account(l, BL_AMBIENT_COMMENT, BL_FIELD_COMMENT_AUTHOR));
    return all;
}

uint64_t bl_lint_brought_events(const struct bl_deed *deed)
{
    uint64_t events = 0;

    for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++) {
        if (causes[i].effect == deed->effect)
            events |= UINT64_C(1) << causes[i].event;
    }
    return events;
}

const struct bl_deed *bl_lint_started_by(struct bl_linter *l, const struct bl_linted_rule *rule,
                                         const struct bl_deed *deed, enum bl_event_id event)
{
    const struct bl_formula *after = brought(l, deed, event);
    const struct bl_deed *found = NULL;

    for (size_t i = 0; i < rule->deed_count; i++) {
        const struct bl_deed *next = &l->deeds.items[rule->first_deed + i];
        struct bl_solver_mark mark = bl_solver_mark(&l->solver);
        bool possible =
            bl_solver_add(&l->solver, after) && !bl_solver_excludes(&l->solver, next->guard);

        bl_solver_undo(&l->solver, mark);
        if (possible && (found == NULL || found == deed))
            found = next;
    }
    return found;
}

static void look_at_causes(struct bl_linter *l, const struct bl_linted_rule *rule)
{
    bool said = false;

    for (size_t i = 0; i < rule->deed_count && !said; i++) {
        const struct bl_deed *deed = &l->deeds.items[rule->first_deed + i];

        for (size_t k = 0; k < sizeof(causes) / sizeof(causes[0]) && !said; k++) {
            uint64_t bit = UINT64_C(1) << causes[k].event;
            const struct bl_deed *next;
            struct bl_diagnostic *d;

            if (causes[k].effect != deed->effect || (rule->rule->events & bit) == 0)
                continue;
            next = bl_lint_started_by(l, rule, deed, causes[k].event);
            if (next == NULL)
                continue;
            said = true;
            d = bl_lint_report(l, BL_D_TRIGGERS_ITSELF, deed->span);
            bl_lint_text(l, d, "name", rule->symbol->name);
            bl_lint_text(l, d, "event", bl_event_words(l, causes[k].event));
            bl_diagnostic_label(&l->found, d, next->span,
                                next == deed ? BL_STR("it would be tried again")
                                             : BL_STR("that event would bring this"));
        }
    }
}

/* ---- effects that end their own conditions --------------------------------------------- */

/* Can the conditions of `later` hold before `first` is done, and not after it? */
static bool loses(struct bl_linter *l, const struct bl_deed *first, const struct bl_deed *later)
{
    struct bl_formulas *f = &l->meaning.formulas;
    const struct bl_formula *after = bl_deed_guard_after(l, later->guard, first);
    struct bl_solver_mark mark = bl_solver_mark(&l->solver);
    bool lost;

    if (after == later->guard)
        return false;
    lost = bl_solver_add(&l->solver, first->guard) && bl_solver_add(&l->solver, later->guard) &&
           !bl_solver_excludes(&l->solver, bl_formula_not(f, after));
    bl_solver_undo(&l->solver, mark);
    return lost;
}

/* What GitHub forgets with the run needs no second one: it is written anew, or not at all. */
static bool is_kept(const struct bl_deed *deed)
{
    return deed->slot != BL_SLOT_LOG;
}

static void look_at_order(struct bl_linter *l, const struct bl_linted_rule *rule)
{
    for (size_t i = 0; i < rule->deed_count; i++) {
        const struct bl_deed *first = &l->deeds.items[rule->first_deed + i];

        for (size_t k = i + 1; k < rule->deed_count; k++) {
            const struct bl_deed *later = &l->deeds.items[rule->first_deed + k];
            struct bl_diagnostic *d;

            if (later->statement == first->statement || !is_kept(later) ||
                !loses(l, first, later))
                continue;
            d = bl_lint_report(l, BL_D_RERUN_LOSES, first->span);
            bl_lint_text(l, d, "name", rule->symbol->name);
            bl_diagnostic_label(&l->found, d, later->span, BL_STR("would never be done"));
            break;
        }
    }
}

/* ---- marks that are read back ---------------------------------------------------------- */

struct reading {
    const struct bl_program *program;
    const struct bl_deed *mark;
};

static bool is_moment_of_event(const struct bl_term *term, void *context)
{
    (void)context;
    return term->kind == BL_TERM_FIELD && term->index == (uint32_t)BL_FIELD_EVENT_AT;
}

static bool is_one_kind(const struct bl_program *program, unsigned a, unsigned b)
{
    const struct bl_posted_kinds *one, *other;

    if (a >= program->posted.count || b >= program->posted.count)
        return false;
    one = &program->posted.items[a];
    other = &program->posted.items[b];
    for (size_t i = 0; i < one->count; i++) {
        for (size_t k = 0; k < other->count; k++) {
            if (one->kinds[i] == other->kinds[k])
                return true;
        }
    }
    return false;
}

static bool is_attribute(const struct bl_term *term, void *context)
{
    const struct reading *r = context;

    return term->kind == BL_TERM_NODE && term->index >> 16 == BL_RESOLVED_ATTRIBUTE &&
           bl_str_equal(term->text, r->mark->what->text) &&
           is_one_kind(r->program, (unsigned)term->value,
                       bl_type_ref(r->mark->statement->value->type));
}

static bool reads_back(const struct bl_literal *literal, void *context)
{
    return bl_term_any(literal->term, is_attribute, context);
}

/* Who compares what stands there with the moment of the event thought of the second run. */
static bool knows_own_mark(const struct bl_literal *literal, void *context)
{
    return bl_term_any(literal->term, is_attribute, context) &&
           bl_term_any(literal->term, is_moment_of_event, context);
}

static void look_at_marks(struct bl_linter *l, const struct bl_linted_rule *rule)
{
    for (size_t i = 0; i < rule->deed_count; i++) {
        const struct bl_deed *mark = &l->deeds.items[rule->first_deed + i];
        struct reading r = {l->program, mark};

        for (size_t k = 0; mark->slot == BL_SLOT_ATTRIBUTE && k < rule->deed_count; k++) {
            const struct bl_deed *other = &l->deeds.items[rule->first_deed + k];
            struct bl_diagnostic *d;

            if (!bl_formula_any(other->guard, reads_back, &r) ||
                bl_formula_any(other->guard, knows_own_mark, &r))
                continue;
            d = bl_lint_report(l, BL_D_READS_OWN_MARK, mark->span);
            bl_lint_text(l, d, "name", rule->symbol->name);
            bl_lint_text(l, d, "attribute", mark->what->text);
            if (other != mark)
                bl_diagnostic_label(&l->found, d, other->span, BL_STR("depends on it"));
            break;
        }
    }
}

void bl_lint_reruns(struct bl_linter *l)
{
    l->meaning.settings = BL_SETTINGS_FIXED;
    for (size_t i = 0; i < l->rules.count; i++) {
        const struct bl_linted_rule *rule = &l->rules.items[i];

        if (!rule->own)
            continue;
        if (rule->symbol->kind == BL_SYMBOL_RULE)
            look_at_causes(l, rule);
        look_at_order(l, rule);
        look_at_marks(l, rule);
    }
    l->meaning.settings = BL_SETTINGS_OPEN;
}
