/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/deed_pairs.h"

/* ---- two deeds ------------------------------------------------------------------------- */

static bool single_text(const struct bl_literal *l)
{
    return l->form == BL_LITERAL_TEXTS && !l->negated && l->text_count == 1 && !l->absent;
}

static bool literals_meet(const struct bl_literal *a, const struct bl_literal *b)
{
    struct bl_ranges met;

    if (a == b || a->form != b->form)
        return true;
    if (a->form == BL_LITERAL_BITS)
        return (a->bits & b->bits) != 0;
    if (a->form == BL_LITERAL_RANGES)
        return bl_ranges_meet(a->ranges, b->ranges, &met);
    return !(single_text(a) && single_text(b)) || bl_str_equal(a->texts[0], b->texts[0]);
}

bool bl_deeds_may_meet(const struct bl_deed *a, const struct bl_deed *b)
{
    uint32_t i = 0, j = 0;

    if ((a->events & b->events) == 0)
        return false;
    while (i < a->literal_count && j < b->literal_count) {
        const struct bl_term *one = a->literals[i]->term, *other = b->literals[j]->term;

        if (one->number > other->number) {
            j++;
            continue;
        }
        /* Of one text there may be several. */
        for (uint32_t k = j; k < b->literal_count && b->literals[k]->term == one; k++) {
            if (!literals_meet(a->literals[i], b->literals[k]))
                return false;
        }
        i++;
    }
    return true;
}

/* Can it be that every text with what `l` says has what the search asks? Patterns imply what is
 * the same literal alone (see lint/texts.c), and what texts lack says nothing of what they
 * have.
 */
static bool may_imply_search(const struct bl_literal *l, const struct bl_literal *asked)
{
    if (l->form == BL_LITERAL_TEXTS || asked->negated)
        return true;
    if (l->negated || l->form == BL_LITERAL_MATCHES)
        return false;
    switch (asked->form) {
    case BL_LITERAL_CONTAINS:
        return bl_str_find(l->text, asked->text) != SIZE_MAX;
    case BL_LITERAL_STARTS:
    case BL_LITERAL_ENDS:
        return l->form == asked->form;
    case BL_LITERAL_MATCHES:
    case BL_LITERAL_TEXTS:
    case BL_LITERAL_BITS:
    case BL_LITERAL_RANGES:
        break;
    }
    return true;
}

/* Does the literal leave no other value than that of some literal of `a`? */
static bool may_be_implied(const struct bl_deed *a, const struct bl_literal *asked)
{
    struct bl_ranges met;

    for (uint32_t i = 0; i < a->literal_count; i++) {
        const struct bl_literal *l = a->literals[i];

        if (l->term != asked->term)
            continue;
        if (l == asked)
            return true;
        switch (asked->form) {
        case BL_LITERAL_BITS:
            return l->form != asked->form || (l->bits & ~asked->bits) == 0;
        case BL_LITERAL_RANGES:
            return l->form != asked->form || bl_ranges_meet(l->ranges, asked->ranges, &met);
        case BL_LITERAL_TEXTS:
            return true;
        case BL_LITERAL_CONTAINS:
        case BL_LITERAL_STARTS:
        case BL_LITERAL_ENDS:
        case BL_LITERAL_MATCHES:
            if (may_imply_search(l, asked))
                return true;
            break; /* another literal of this text may */
        }
    }
    /* That a thing is set may follow from a field of it. */
    return asked->form == BL_LITERAL_BITS &&
           asked->bits == (asked->term->bits & ~BL_BIT_ABSENT);
}

bool bl_deed_may_imply(const struct bl_deed *a, const struct bl_deed *b)
{
    if (!a->pure)
        return bl_deeds_may_meet(a, b);
    for (uint32_t i = 0; i < b->literal_count; i++) {
        if (!may_be_implied(a, b->literals[i]))
            return false;
    }
    return true;
}

/* ---- splitting ------------------------------------------------------------------------- */

/* What a deed asks of the term that a list is split by: one text, or one member. */
static uint64_t ask_of(const struct bl_deed *deed, const struct bl_term *term)
{
    for (uint32_t i = 0; i < deed->literal_count; i++) {
        const struct bl_literal *l = deed->literals[i];

        if (l->term != term)
            continue;
        if (single_text(l))
            return bl_str_hash(l->texts[0], 1) | 1;
        if (l->form == BL_LITERAL_BITS && (l->bits & (l->bits - 1)) == 0)
            return l->bits ^ UINT64_C(1) << 62;
    }
    return 0; /* nothing: it may meet all */
}

static bool is_splitter(const struct bl_literal *l)
{
    return l->term->kind != BL_TERM_EVENT &&
           (single_text(l) || (l->form == BL_LITERAL_BITS && (l->bits & (l->bits - 1)) == 0));
}

/* The term of which the most deeds ask one thing, and not all the same. */
static const struct bl_term *find_splitter(const struct bl_deed_list *list)
{
    const struct bl_term *candidates[8];
    size_t counts[8] = {0}, best = 0, known = 0;

    for (size_t i = 0; i < list->count && i < 64; i++) {
        const struct bl_deed *deed =
            list->items[i * list->count / (list->count < 64 ? list->count : 64)];

        for (uint32_t k = 0; k < deed->literal_count; k++) {
            size_t at = 0;

            if (!is_splitter(deed->literals[k]))
                continue;
            while (at < known && candidates[at] != deed->literals[k]->term)
                at++;
            if (at == known && known < 8)
                candidates[known++] = deed->literals[k]->term;
            if (at < known)
                counts[at]++;
        }
    }
    for (size_t i = 1; i < known; i++)
        best = counts[i] > counts[best] ? i : best;
    return known > 0 && counts[best] > 16 ? candidates[best] : NULL;
}

struct pairing {
    struct bl_arena *arena;
    bool (*visit)(void *context, const struct bl_deed *a, const struct bl_deed *b);
    void *context;
    bool stopped;
};

#define SMALL     48u /* lists that are not worth splitting */
#define DEPTH_MAX 4u

static void pair_all(struct pairing *p, const struct bl_deed_list *a,
                     const struct bl_deed_list *b)
{
    for (size_t i = 0; i < a->count && !p->stopped; i++) {
        size_t from = b == NULL ? i + 1 : 0;
        const struct bl_deed_list *other = b == NULL ? a : b;

        for (size_t j = from; j < other->count && !p->stopped; j++) {
            if (bl_deeds_may_meet(a->items[i], other->items[j]))
                p->stopped = !p->visit(p->context, a->items[i], other->items[j]);
        }
    }
}

static void push(struct bl_arena *arena, struct bl_deed_list *list, const struct bl_deed *deed)
{
    const struct bl_deed **place = BL_PUSH(arena, *list);

    if (place != NULL)
        *place = deed;
}

/* The parts of a list that ask one thing of the term, by what they ask; [0] asks nothing. */
struct parts {
    struct bl_deed_list *lists;
    uint64_t *asks;
    size_t count;
    size_t *slots; /* number + 1 */
    size_t slot_count;
};

static bool begin_parts(struct bl_arena *arena, struct parts *parts, size_t most)
{
    *parts = (struct parts){.slot_count = 16, .count = 1};
    while (parts->slot_count < 2 * most + 2)
        parts->slot_count *= 2;
    parts->lists = BL_NEW_ARRAY(arena, most + 1, struct bl_deed_list);
    parts->asks = BL_NEW_ARRAY(arena, most + 1, uint64_t);
    parts->slots = BL_NEW_ARRAY(arena, parts->slot_count, size_t);
    return parts->lists != NULL && parts->asks != NULL && parts->slots != NULL;
}

static size_t part_of(struct parts *parts, uint64_t ask, bool make)
{
    size_t at = (size_t)(ask * UINT64_C(0x9E3779B97F4A7C15) >> 20) & (parts->slot_count - 1);

    if (ask == 0)
        return 0;
    while (parts->slots[at] != 0 && parts->asks[parts->slots[at] - 1] != ask)
        at = (at + 1) & (parts->slot_count - 1);
    if (parts->slots[at] == 0 && make) {
        parts->asks[parts->count] = ask;
        parts->slots[at] = ++parts->count;
    }
    return parts->slots[at] != 0 ? parts->slots[at] - 1 : SIZE_MAX;
}

static void pair(struct pairing *p, const struct bl_deed_list *a, const struct bl_deed_list *b,
                 unsigned depth);

/* Parts that ask different things never meet; what asks nothing meets all. */
static void pair_parts(struct pairing *p, const struct parts *of_a, const struct parts *of_b,
                       unsigned depth)
{
    static const struct bl_deed_list nothing = {NULL, 0, 0};

    for (size_t i = 1; i < of_a->count; i++) {
        size_t j =
            of_b == NULL ? i : part_of((struct parts *)(uintptr_t)of_b, of_a->asks[i], false);

        if (of_b == NULL)
            pair(p, &of_a->lists[i], NULL, depth);
        else if (j != SIZE_MAX)
            pair(p, &of_a->lists[i], &of_b->lists[j], depth);
        pair(p, &of_a->lists[i], of_b == NULL ? &of_a->lists[0] : &of_b->lists[0], depth);
    }
    if (of_b == NULL) {
        pair(p, &of_a->lists[0], NULL, depth);
        return;
    }
    for (size_t j = 0; j < of_b->count; j++)
        pair(p, of_a->lists[0].count > 0 ? &of_a->lists[0] : &nothing, &of_b->lists[j], depth);
}

static void pair(struct pairing *p, const struct bl_deed_list *a, const struct bl_deed_list *b,
                 unsigned depth)
{
    const struct bl_term *term;
    struct parts of_a, of_b;

    if (a->count == 0 || (b != NULL && b->count == 0) || p->stopped)
        return;
    term = a->count > SMALL && (b == NULL || b->count > 8) && depth < DEPTH_MAX
               ? find_splitter(a)
               : NULL;
    if (term == NULL || !begin_parts(p->arena, &of_a, a->count) ||
        (b != NULL && !begin_parts(p->arena, &of_b, b->count))) {
        pair_all(p, a, b);
        return;
    }
    for (size_t i = 0; i < a->count; i++)
        push(p->arena, &of_a.lists[part_of(&of_a, ask_of(a->items[i], term), true)],
             a->items[i]);
    for (size_t i = 0; b != NULL && i < b->count; i++)
        push(p->arena, &of_b.lists[part_of(&of_b, ask_of(b->items[i], term), true)],
             b->items[i]);
    pair_parts(p, &of_a, b != NULL ? &of_b : NULL, depth + 1);
}

void bl_deed_pairs(struct bl_arena *arena, const struct bl_deed_list *first,
                   const struct bl_deed_list *second,
                   bool (*visit)(void *context, const struct bl_deed *a,
                                 const struct bl_deed *b),
                   void *context)
{
    struct pairing p = {arena, visit, context, false};

    pair(&p, first, second, 0);
}
