/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/solver.h"

void bl_solver_init(struct bl_solver *s, struct bl_arena *arena, struct bl_formulas *f)
{
    *s = (struct bl_solver){.f = f, .arena = arena, .max_steps = BL_SOLVER_STEPS};
}

/* ---- states ---------------------------------------------------------------------------- */

static struct bl_ranges whole(const struct bl_term *term)
{
    return (struct bl_ranges){
        .count = 1, .absent = term->optional, .lo = {term->least}, .hi = {term->greatest}};
}

static const struct bl_kept_state *kept_state(const struct bl_solver *s,
                                              const struct bl_term *term)
{
    return term->number < s->state.count && s->state.items[term->number].touched
               ? &s->state.items[term->number]
               : NULL;
}

struct bl_narrowed bl_solver_state(const struct bl_solver *s, const struct bl_term *term)
{
    const struct bl_kept_state *kept = kept_state(s, term);

    return (struct bl_narrowed){.bits = kept != NULL ? kept->bits : term->bits,
                                .ranges = kept != NULL && kept->ranges != NULL ? *kept->ranges
                                                                               : whole(term),
                                .texts = kept != NULL ? kept->texts : NULL};
}

static struct bl_kept_state *state_of(struct bl_solver *s, const struct bl_term *term)
{
    while (s->state.count <= term->number) {
        if (BL_PUSH(s->arena, s->state) == NULL)
            return NULL;
    }
    return &s->state.items[term->number];
}

/* The state of a term, kept on the trail so that it can change. */
static struct bl_kept_state *open_state(struct bl_solver *s, const struct bl_term *term)
{
    struct bl_kept_state *state = state_of(s, term);
    struct bl_undo *undo = state != NULL ? BL_PUSH(s->arena, s->trail) : NULL;

    if (undo == NULL)
        return NULL;
    *undo = (struct bl_undo){term->number, *state};
    if (!state->touched)
        *state = (struct bl_kept_state){.bits = term->bits, .touched = true};
    return state;
}

struct bl_solver_mark bl_solver_mark(const struct bl_solver *s)
{
    return (struct bl_solver_mark){s->trail.count, s->choices.count};
}

void bl_solver_undo(struct bl_solver *s, struct bl_solver_mark mark)
{
    while (s->trail.count > mark.trail) {
        const struct bl_undo *undo = &s->trail.items[--s->trail.count];

        s->state.items[undo->term] = undo->before;
    }
    s->choices.count = mark.choices;
}

/* ---- adding ---------------------------------------------------------------------------- */

static bool is_absent_excluded(const struct bl_literal *l)
{
    switch (l->form) {
    case BL_LITERAL_BITS:
        return (l->bits & BL_BIT_ABSENT) == 0;
    case BL_LITERAL_RANGES:
        return !l->ranges->absent;
    case BL_LITERAL_TEXTS:
    case BL_LITERAL_CONTAINS:
    case BL_LITERAL_STARTS:
    case BL_LITERAL_ENDS:
    case BL_LITERAL_MATCHES:
        return !l->absent;
    }
    return false;
}

static bool add_text(struct bl_solver *s, struct bl_kept_state *state,
                     const struct bl_literal *l)
{
    struct bl_asserted *asserted;

    for (const struct bl_asserted *a = state->texts; a != NULL; a = a->next) {
        if (a->literal == l)
            return true;
    }
    asserted = BL_NEW(s->arena, struct bl_asserted);
    if (asserted == NULL)
        return true;
    *asserted = (struct bl_asserted){l, state->texts};
    state->texts = asserted;
    return bl_texts_possible(s, asserted);
}

static bool same_ranges(const struct bl_ranges *a, const struct bl_ranges *b)
{
    if (a->count != b->count || a->absent != b->absent)
        return false;
    for (uint32_t i = 0; i < a->count; i++) {
        if (a->lo[i] != b->lo[i] || a->hi[i] != b->hi[i])
            return false;
    }
    return true;
}

/* Mostly what is left is what was asked for; else it needs room of its own. */
static bool add_ranges(struct bl_solver *s, struct bl_kept_state *state,
                       const struct bl_literal *l)
{
    struct bl_ranges met, *own;

    if (state->ranges == NULL) {
        state->ranges = l->ranges;
        return true;
    }
    if (!bl_ranges_meet(state->ranges, l->ranges, &met))
        return false;
    if (same_ranges(&met, state->ranges))
        return true;
    if (same_ranges(&met, l->ranges)) {
        state->ranges = l->ranges;
        return true;
    }
    own = BL_NEW(s->arena, struct bl_ranges);
    if (own != NULL) {
        *own = met;
        state->ranges = own;
    }
    return true;
}

static void remember_sum(struct bl_solver *s, const struct bl_term *term)
{
    const struct bl_term **sum;

    for (size_t i = 0; i < s->sums.count; i++) {
        if (s->sums.items[i] == term)
            return;
    }
    sum = BL_PUSH(s->arena, s->sums);
    if (sum != NULL)
        *sum = term;
}

/* So many elements of a list for which something holds, so many there are at least. */
static bool add_whole_list(struct bl_solver *s, const struct bl_literal *l)
{
    struct bl_term like = *l->term;

    if (like.kind != BL_TERM_HOW_MANY || like.body == NULL || l->form != BL_LITERAL_RANGES ||
        l->ranges->count == 0 || l->ranges->lo[0] <= 0)
        return true;
    like.body = NULL;
    return bl_solver_add(s, bl_formula_range(s->f, bl_term_get(s->f->terms, &like),
                                             l->ranges->lo[0], INT64_MAX));
}

static bool narrow(struct bl_solver *s, const struct bl_literal *l)
{
    struct bl_kept_state *state = open_state(s, l->term);
    bool possible = true;

    if (state == NULL)
        return true;
    if (l->term->kind == BL_TERM_SUM)
        remember_sum(s, l->term);
    switch (l->form) {
    case BL_LITERAL_BITS:
        state->bits &= l->bits;
        possible = state->bits != 0;
        break;
    case BL_LITERAL_RANGES:
        possible = add_ranges(s, state, l);
        break;
    case BL_LITERAL_TEXTS:
    case BL_LITERAL_CONTAINS:
    case BL_LITERAL_STARTS:
    case BL_LITERAL_ENDS:
    case BL_LITERAL_MATCHES:
        possible = add_text(s, state, l);
        break;
    }
    /* The field of something is there only when that is. */
    if (possible && l->term->parent != NULL && is_absent_excluded(l))
        possible = bl_solver_add(s, bl_formula_set(s->f, l->term->parent));
    return possible && add_whole_list(s, l);
}

bool bl_solver_add(struct bl_solver *s, const struct bl_formula *a)
{
    struct bl_choice *choice;

    switch (a->kind) {
    case BL_FORMULA_NEVER:
        return false;
    case BL_FORMULA_ALWAYS:
        return true;
    case BL_FORMULA_LITERAL:
        return narrow(s, a->literal);
    case BL_FORMULA_ALL:
        /* Literals first: they contradict each other at once. */
        for (uint32_t i = 0; i < a->kid_count; i++) {
            if (a->kids[i]->kind == BL_FORMULA_LITERAL && !bl_solver_add(s, a->kids[i]))
                return false;
        }
        for (uint32_t i = 0; i < a->kid_count; i++) {
            if (a->kids[i]->kind != BL_FORMULA_LITERAL && !bl_solver_add(s, a->kids[i]))
                return false;
        }
        return true;
    case BL_FORMULA_SOME:
        choice = BL_PUSH(s->arena, s->choices);
        if (choice != NULL)
            *choice = (struct bl_choice){a, false};
        return true;
    }
    return true;
}

/* ---- searching ------------------------------------------------------------------------- */

enum chance { CHANCE_NONE, CHANCE_SOME, CHANCE_SURE };

static enum chance chance_of_ranges(const struct bl_kept_state *state,
                                    const struct bl_literal *l)
{
    struct bl_ranges met;

    if (state == NULL || state->ranges == NULL)
        return CHANCE_SOME; /* a literal that is all or nothing is none */
    if (!bl_ranges_meet(state->ranges, l->ranges, &met))
        return CHANCE_NONE;
    return same_ranges(&met, state->ranges) ? CHANCE_SURE : CHANCE_SOME;
}

static enum chance chance_of_texts(struct bl_solver *s, const struct bl_kept_state *state,
                                   const struct bl_literal *l)
{
    struct bl_asserted asserted = {l, state != NULL ? state->texts : NULL};

    if (state == NULL)
        return CHANCE_SOME;
    for (const struct bl_asserted *a = state->texts; a != NULL; a = a->next) {
        if (a->literal == l)
            return CHANCE_SURE;
    }
    return bl_texts_possible(s, &asserted) ? CHANCE_SOME : CHANCE_NONE;
}

static enum chance chance_of(struct bl_solver *s, const struct bl_formula *a)
{
    const struct bl_kept_state *state;
    enum chance chance, all;

    switch (a->kind) {
    case BL_FORMULA_NEVER:
        return CHANCE_NONE;
    case BL_FORMULA_ALWAYS:
        return CHANCE_SURE;
    case BL_FORMULA_SOME:
        return CHANCE_SOME;
    case BL_FORMULA_ALL:
        all = CHANCE_SURE;
        for (uint32_t i = 0; i < a->kid_count && all != CHANCE_NONE; i++) {
            chance = chance_of(s, a->kids[i]);
            all = chance < all ? chance : all;
        }
        return all;
    case BL_FORMULA_LITERAL:
        break;
    }
    state = kept_state(s, a->literal->term);
    switch (a->literal->form) {
    case BL_LITERAL_BITS:
        if (state == NULL)
            return CHANCE_SOME;
        return (state->bits & a->literal->bits) == 0    ? CHANCE_NONE
               : (state->bits & ~a->literal->bits) == 0 ? CHANCE_SURE
                                                        : CHANCE_SOME;
    case BL_LITERAL_RANGES:
        return chance_of_ranges(state, a->literal);
    case BL_LITERAL_TEXTS:
    case BL_LITERAL_CONTAINS:
    case BL_LITERAL_STARTS:
    case BL_LITERAL_ENDS:
    case BL_LITERAL_MATCHES:
        break;
    }
    return chance_of_texts(s, state, a->literal);
}

#define NOTHING_LEFT SIZE_MAX
#define DEAD_END     (SIZE_MAX - 1)

/* The open choice with the fewest ways; those that are settled are taken off. */
static size_t choose(struct bl_solver *s, size_t *settled, size_t max_settled,
                     size_t *settled_count)
{
    size_t best = NOTHING_LEFT;
    size_t looked_at = 0;
    uint32_t fewest = UINT32_MAX;

    for (size_t i = 0; i < s->choices.count && fewest > 1; i++) {
        struct bl_choice *choice = &s->choices.items[i];
        uint32_t ways = 0;
        bool sure = false;

        if (choice->done)
            continue;
        for (uint32_t k = 0; k < choice->formula->kid_count && !sure; k++) {
            enum chance chance = chance_of(s, choice->formula->kids[k]);

            looked_at++;
            ways += chance != CHANCE_NONE;
            sure = chance == CHANCE_SURE;
        }
        if (sure && *settled_count < max_settled) {
            choice->done = true;
            settled[(*settled_count)++] = i;
        } else if (!sure && ways == 0) {
            return DEAD_END;
        } else if (!sure && ways < fewest) {
            fewest = ways;
            best = i;
        }
    }
    s->steps += looked_at / 8; /* so that the bound is one of work */
    return best;
}

static bool add_product(int64_t *bound, int64_t factor, int64_t value)
{
    int64_t product;

    return !__builtin_mul_overflow(factor, value, &product) &&
           !__builtin_add_overflow(*bound, product, bound);
}

/* Does what is left of a sum meet what is left of its parts? Where a bound does not fit into 64
 * bits nothing is claimed. */
static bool is_sum_possible(const struct bl_solver *s, const struct bl_term *sum)
{
    const struct bl_kept_state *state = kept_state(s, sum);
    struct bl_ranges hull = {.count = 1, .lo = {sum->value}, .hi = {sum->value}}, met;

    if (state == NULL || state->ranges == NULL || state->ranges->absent)
        return true;
    for (uint32_t i = 0; i < sum->kid_count; i++) {
        struct bl_ranges kid = bl_solver_state(s, sum->kids[i]).ranges;
        int64_t factor = sum->factors[i];

        if (sum->kids[i]->domain != BL_DOMAIN_NUMBERS)
            return true;
        if (kid.count == 0)
            return false; /* absent, and so were the sum */
        if (!add_product(&hull.lo[0], factor, factor > 0 ? kid.lo[0] : kid.hi[kid.count - 1]) ||
            !add_product(&hull.hi[0], factor, factor > 0 ? kid.hi[kid.count - 1] : kid.lo[0]))
            return true;
    }
    return bl_ranges_meet(state->ranges, &hull, &met);
}

static bool are_sums_possible(const struct bl_solver *s)
{
    for (size_t i = 0; i < s->sums.count; i++) {
        if (!is_sum_possible(s, s->sums.items[i]))
            return false;
    }
    return true;
}

struct hunt {
    bool (*leaf)(struct bl_solver *s, void *context);
    void *context;
};

static bool search(struct bl_solver *s, const struct hunt *hunt);

/* Each way in turn; those before it did not work, so their opposites hold from then on. */
static bool try_ways(struct bl_solver *s, const struct hunt *hunt,
                     const struct bl_formula *choice)
{
    for (uint32_t k = 0; k < choice->kid_count; k++) {
        struct bl_solver_mark mark = bl_solver_mark(s);

        if (bl_solver_add(s, choice->kids[k]) && search(s, hunt))
            return true;
        bl_solver_undo(s, mark);
        if (choice->kids[k]->kind == BL_FORMULA_LITERAL &&
            !bl_solver_add(s, bl_formula_not(s->f, choice->kids[k])))
            return false;
    }
    return false;
}

#define SETTLED_MAX 16u

static bool search(struct bl_solver *s, const struct hunt *hunt)
{
    size_t settled[SETTLED_MAX];
    size_t settled_count = 0;
    bool found = false;

    if (++s->steps > s->max_steps || s->arena->failed) {
        s->gave_up = true;
        return true;
    }
    struct bl_solver_mark mark = bl_solver_mark(s);
    size_t at = choose(s, settled, SETTLED_MAX, &settled_count);

    if (at == NOTHING_LEFT) {
        found = are_sums_possible(s) && (hunt->leaf == NULL || hunt->leaf(s, hunt->context));
    } else if (at != DEAD_END) {
        s->choices.items[at].done = true;
        found = try_ways(s, hunt, s->choices.items[at].formula);
        s->choices.items[at].done = false;
    }
    for (size_t i = 0; i < settled_count; i++)
        s->choices.items[settled[i]].done = false;
    bl_solver_undo(s, mark);
    return found;
}

bool bl_solver_search(struct bl_solver *s, bool (*leaf)(struct bl_solver *s, void *context),
                      void *context)
{
    struct hunt hunt = {leaf, context};
    bool found;

    s->steps = 0;
    s->gave_up = false;
    found = search(s, &hunt);
    s->total_steps += s->steps;
    return found;
}

bool bl_solver_excludes(struct bl_solver *s, const struct bl_formula *a)
{
    struct bl_solver_mark mark = bl_solver_mark(s);
    bool excluded = !bl_solver_add(s, a) || (!bl_solver_search(s, NULL, NULL) && !s->gave_up);

    bl_solver_undo(s, mark);
    return excluded;
}
