/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/formula.h"

#include "lint/formula_parts.h"

#include <string.h>

/* "and" and "or": flattened, sorted, each kid once, literals of one term met. What a formula
 * and its opposite have in common is made once. */

/* A node with more kids is not flattened into its parent, so that long decisions stay linear.
 */
#define FLAT_MAX 48u

/* ---- one of each ----------------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15) + (hash >> 31);
}

static uint64_t hash_of(const struct bl_formula *a)
{
    uint64_t hash = mix(0, (uint64_t)a->kind + 1);

    if (a->literal != NULL)
        hash = mix(hash, a->literal->number);
    for (uint32_t i = 0; i < a->kid_count; i++)
        hash = mix(hash, a->kids[i]->number);
    return hash;
}

static bool alike(const struct bl_formula *a, const struct bl_formula *b)
{
    if (a->kind != b->kind || a->literal != b->literal || a->kid_count != b->kid_count)
        return false;
    for (uint32_t i = 0; i < a->kid_count; i++) {
        if (a->kids[i] != b->kids[i])
            return false;
    }
    return true;
}

static size_t find_slot(const struct bl_formulas *f, const struct bl_formula *like)
{
    size_t mask = f->slot_count - 1;
    size_t at = (size_t)hash_of(like) & mask;

    while (f->slots[at] != 0 && !alike(f->list.items[f->slots[at] - 1], like))
        at = (at + 1) & mask;
    return at;
}

static void grow_slots(struct bl_formulas *f)
{
    struct bl_formulas larger = *f;

    larger.slot_count = 2 * f->slot_count;
    larger.slots = BL_NEW_ARRAY(f->arena, larger.slot_count, uint32_t);
    if (larger.slots == NULL)
        return;
    for (size_t i = 0; i < f->list.count; i++)
        larger.slots[find_slot(&larger, f->list.items[i])] = (uint32_t)i + 1;
    *f = larger;
}

static struct bl_formula *add(struct bl_formulas *f, const struct bl_formula *like, size_t at)
{
    struct bl_formula *formula = BL_NEW(f->arena, struct bl_formula);
    struct bl_formula **place = formula != NULL ? BL_PUSH(f->arena, f->list) : NULL;

    if (place == NULL)
        return f->never;
    *formula = *like;
    if (like->kid_count > 0) {
        const struct bl_formula **kids =
            BL_NEW_ARRAY(f->arena, like->kid_count, const struct bl_formula *);

        if (kids == NULL)
            return f->never;
        memcpy(kids, like->kids, like->kid_count * sizeof(kids[0]));
        formula->kids = kids;
    }
    formula->number = (uint32_t)f->list.count - 1;
    *place = formula;
    f->slots[at] = (uint32_t)f->list.count;
    return formula;
}

const struct bl_formula *bl_formula_intern(struct bl_formulas *f, const struct bl_formula *like)
{
    size_t at = find_slot(f, like);

    if (f->slots[at] != 0)
        return f->list.items[f->slots[at] - 1];
    if (3 * (f->list.count + 1) > 2 * f->slot_count) {
        grow_slots(f);
        at = find_slot(f, like);
    }
    return add(f, like, at);
}

bool bl_formulas_init(struct bl_formulas *f, struct bl_arena *arena, struct bl_terms *terms)
{
    struct bl_formula *never = BL_NEW(arena, struct bl_formula);

    *f = (struct bl_formulas){.arena = arena,
                              .terms = terms,
                              .literal_slot_count = 1024,
                              .slot_count = 1024,
                              .never = never,
                              .always = never};
    f->literal_slots = BL_NEW_ARRAY(arena, f->literal_slot_count, uint32_t);
    f->slots = BL_NEW_ARRAY(arena, f->slot_count, uint32_t);
    if (never == NULL || f->literal_slots == NULL || f->slots == NULL)
        return false;
    struct bl_formula like = {.kind = BL_FORMULA_NEVER};
    f->never = add(f, &like, find_slot(f, &like));
    like.kind = BL_FORMULA_ALWAYS;
    f->always = add(f, &like, find_slot(f, &like));
    f->never->opposite = f->always;
    f->always->opposite = f->never;
    (void)BL_PUSH(arena, f->stack);
    f->stack.count = 0;
    return !arena->failed;
}

/* ---- and, or --------------------------------------------------------------------------- */

struct gathering {
    struct bl_formulas *f;
    enum bl_formula_kind kind;
    const struct bl_formula *end; /* what makes the whole this: NEVER of ALL, ALWAYS of SOME */
    const struct bl_formula *nothing; /* what adds nothing */
    size_t base, count;               /* of its kids on the stack of `f` */
    bool ended;
};

static const struct bl_formula **kids_of(const struct gathering *g)
{
    return g->f->stack.items + g->base;
}

static void push(struct gathering *g, const struct bl_formula *a)
{
    const struct bl_formula **place = BL_PUSH(g->f->arena, g->f->stack);

    if (place == NULL)
        return;
    *place = a;
    g->count++;
}

static const struct bl_formula *join(struct gathering *g, const struct bl_formula *a,
                                     const struct bl_formula *b)
{
    const struct bl_formula *met;

    if (a->literal->term != b->literal->term)
        return NULL;
    if (g->kind == BL_FORMULA_ALL)
        return bl_literal_meet(g->f, a->literal, b->literal);
    a = bl_formula_not(g->f, a);
    b = bl_formula_not(g->f, b);
    met = a->literal != NULL && b->literal != NULL
              ? bl_literal_meet(g->f, a->literal, b->literal)
              : NULL;
    return met != NULL ? bl_formula_not(g->f, met) : NULL;
}

static void gather(struct gathering *g, const struct bl_formula *a);

static void gather_literal(struct gathering *g, const struct bl_formula *a)
{
    for (size_t i = 0; i < g->count; i++) {
        const struct bl_formula *there = kids_of(g)[i];
        const struct bl_formula *joined =
            there->kind == BL_FORMULA_LITERAL ? join(g, there, a) : NULL;

        if (joined == NULL)
            continue;
        for (size_t j = i + 1; j < g->count; j++)
            kids_of(g)[j - 1] = kids_of(g)[j];
        g->count--;
        g->f->stack.count--;
        gather(g, joined);
        return;
    }
    push(g, a);
}

static void gather(struct gathering *g, const struct bl_formula *a)
{
    if (g->ended || a == g->nothing)
        return;
    if (a == g->end) {
        g->ended = true;
    } else if (a->kind == g->kind && a->kid_count <= FLAT_MAX) {
        for (uint32_t i = 0; i < a->kid_count; i++)
            gather(g, a->kids[i]);
    } else if (a->kind == BL_FORMULA_LITERAL && g->count <= FLAT_MAX) {
        gather_literal(g, a);
    } else {
        push(g, a);
    }
}

static void sift(const struct bl_formula **kids, size_t at, size_t count)
{
    for (;;) {
        size_t greatest = at;

        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < count; child++) {
            if (kids[child]->number > kids[greatest]->number)
                greatest = child;
        }
        if (greatest == at)
            return;
        const struct bl_formula *held = kids[at];
        kids[at] = kids[greatest];
        kids[greatest] = held;
        at = greatest;
    }
}

static void sort_kids(const struct bl_formula **kids, size_t count)
{
    for (size_t i = count / 2; i-- > 0;)
        sift(kids, i, count);
    while (count > 1) {
        const struct bl_formula *last = kids[--count];

        kids[count] = kids[0];
        kids[0] = last;
        sift(kids, 0, count);
    }
}

/* Sorted, each once; the whole ends when a kid and its opposite are there. */
static void tidy(struct gathering *g)
{
    const struct bl_formula **kids = kids_of(g);
    size_t kept = 0;

    sort_kids(kids, g->count);
    for (size_t i = 0; i < g->count; i++) {
        if (kept == 0 || kids[kept - 1] != kids[i])
            kids[kept++] = kids[i];
    }
    g->count = kept;
    for (size_t i = 0; i < kept; i++) {
        const struct bl_formula *opposite = kids[i]->opposite;
        size_t lo = 0, hi = kept;

        while (opposite != NULL && lo < hi) {
            size_t middle = lo + (hi - lo) / 2;

            if (kids[middle]->number < opposite->number)
                lo = middle + 1;
            else
                hi = middle;
        }
        if (opposite != NULL && lo < kept && kids[lo] == opposite)
            g->ended = true;
    }
}

static const struct bl_formula *gathered(struct gathering *g)
{
    struct bl_formula like = {.kind = g->kind};
    const struct bl_formula **kids = kids_of(g);

    if (g->ended)
        return g->end;
    if (g->count == 0)
        return g->nothing;
    if (g->count == 1)
        return kids[0];
    for (size_t i = 0; i < g->count; i++) {
        uint32_t size = kids[i]->size;

        like.size = size > UINT32_MAX - like.size ? UINT32_MAX : like.size + size;
    }
    like.kids = kids;
    like.kid_count = (uint32_t)g->count;
    return bl_formula_intern(g->f, &like);
}

static const struct bl_formula *make(struct bl_formulas *f, enum bl_formula_kind kind,
                                     const struct bl_formula *const *kids, size_t count)
{
    struct gathering g = {.f = f, .kind = kind, .base = f->stack.count};
    const struct bl_formula *made;

    g.end = kind == BL_FORMULA_ALL ? f->never : f->always;
    g.nothing = kind == BL_FORMULA_ALL ? f->always : f->never;
    for (size_t i = 0; i < count; i++)
        gather(&g, kids[i]);
    if (!g.ended)
        tidy(&g);
    made = gathered(&g);
    f->stack.count = g.base;
    return made;
}

/* ---- not ------------------------------------------------------------------------------- */

const struct bl_formula *bl_formula_not(struct bl_formulas *f, const struct bl_formula *a)
{
    const struct bl_formula *opposite = f->never;
    struct bl_formula *own = f->list.items[a->number];

    if (a->opposite != NULL)
        return a->opposite;
    switch (a->kind) {
    case BL_FORMULA_NEVER:
        return f->always;
    case BL_FORMULA_ALWAYS:
        return f->never;
    case BL_FORMULA_LITERAL:
        opposite = bl_literal_opposite(f, a->literal);
        break;
    case BL_FORMULA_ALL:
    case BL_FORMULA_SOME: {
        const struct bl_formula **kids =
            BL_NEW_ARRAY(f->arena, a->kid_count, const struct bl_formula *);

        if (kids == NULL)
            return f->never;
        for (uint32_t i = 0; i < a->kid_count; i++)
            kids[i] = bl_formula_not(f, a->kids[i]);
        opposite = a->kind == BL_FORMULA_ALL ? make(f, BL_FORMULA_SOME, kids, a->kid_count)
                                             : make(f, BL_FORMULA_ALL, kids, a->kid_count);
        break;
    }
    }
    own->opposite = f->list.items[opposite->number];
    /* What was simplified may have more than one opposite that means it. */
    if (own->opposite->opposite == NULL)
        own->opposite->opposite = own;
    return opposite;
}

const struct bl_formula *bl_formula_and(struct bl_formulas *f, const struct bl_formula *a,
                                        const struct bl_formula *b)
{
    if (a == b || b == f->always || a == f->never)
        return a;
    if (a == f->always || b == f->never)
        return b;
    return make(f, BL_FORMULA_ALL, (const struct bl_formula *const[]){a, b}, 2);
}

const struct bl_formula *bl_formula_or(struct bl_formulas *f, const struct bl_formula *a,
                                       const struct bl_formula *b)
{
    if (a == b || b == f->never || a == f->always)
        return a;
    if (a == f->never || b == f->always)
        return b;
    return make(f, BL_FORMULA_SOME, (const struct bl_formula *const[]){a, b}, 2);
}

/* ---- walks ----------------------------------------------------------------------------- */

const struct bl_formula *
bl_formula_map(struct bl_formulas *f, const struct bl_formula *a,
               const struct bl_formula *(*map)(const struct bl_formula *literal, void *context),
               void *context)
{
    const struct bl_formula **kids;
    const struct bl_formula *mapped;

    if (a->kind == BL_FORMULA_LITERAL) {
        mapped = map(a, context);
        return mapped != NULL ? mapped : a;
    }
    if (a->kid_count == 0)
        return a;
    kids = BL_NEW_ARRAY(f->arena, a->kid_count, const struct bl_formula *);
    if (kids == NULL)
        return f->never;
    for (uint32_t i = 0; i < a->kid_count; i++)
        kids[i] = bl_formula_map(f, a->kids[i], map, context);
    return make(f, a->kind, kids, a->kid_count);
}

bool bl_formula_any(const struct bl_formula *a,
                    bool (*test)(const struct bl_literal *literal, void *context),
                    void *context)
{
    if (a->kind == BL_FORMULA_LITERAL)
        return test(a->literal, context);
    for (uint32_t i = 0; i < a->kid_count; i++) {
        if (bl_formula_any(a->kids[i], test, context))
            return true;
    }
    return false;
}

struct term_walk {
    bool (*test)(const struct bl_term *term, void *context);
    void *context;
};

static bool walk_literal(const struct bl_literal *literal, void *context)
{
    const struct term_walk *walk = context;

    return bl_term_any(literal->term, walk->test, walk->context);
}

/* The same for all terms of a formula. */
static bool any_term(const struct bl_formula *a,
                     bool (*test)(const struct bl_term *term, void *context), void *context)
{
    struct term_walk walk = {test, context};

    return bl_formula_any(a, walk_literal, &walk);
}

bool bl_term_any(const struct bl_term *term,
                 bool (*test)(const struct bl_term *term, void *context), void *context)
{
    if (test(term, context))
        return true;
    for (uint32_t i = 0; i < term->kid_count; i++) {
        if (bl_term_any(term->kids[i], test, context))
            return true;
    }
    return term->body != NULL && any_term(term->body, test, context);
}
