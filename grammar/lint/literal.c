/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/formula_parts.h"

/* Literals: made once each, and met with another of the same term. */

static uint64_t mix(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15) + (hash >> 31);
}

static uint64_t hash_of(const struct bl_literal *l)
{
    uint64_t hash = mix((uint64_t)l->form + 1, l->term->number);

    hash = mix(hash, (uint64_t)l->absent << 1 | (uint64_t)l->negated);
    hash = mix(hash, l->bits);
    if (l->ranges != NULL) {
        hash = mix(hash, l->ranges->absent);
        for (uint32_t i = 0; i < l->ranges->count; i++)
            hash = mix(mix(hash, (uint64_t)l->ranges->lo[i]), (uint64_t)l->ranges->hi[i]);
    }
    for (uint32_t i = 0; i < l->text_count; i++)
        hash = bl_str_hash(l->texts[i], hash);
    if (l->text.len > 0)
        hash = bl_str_hash(l->text, hash);
    return l->flags.len > 0 ? bl_str_hash(l->flags, hash) : hash;
}

static bool same_ranges(const struct bl_ranges *a, const struct bl_ranges *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    if (a->count != b->count || a->absent != b->absent)
        return false;
    for (uint32_t i = 0; i < a->count; i++) {
        if (a->lo[i] != b->lo[i] || a->hi[i] != b->hi[i])
            return false;
    }
    return true;
}

static bool alike(const struct bl_literal *a, const struct bl_literal *b)
{
    if (a->term != b->term || a->form != b->form || a->absent != b->absent ||
        a->negated != b->negated || a->bits != b->bits || a->text_count != b->text_count ||
        !same_ranges(a->ranges, b->ranges) || !bl_str_equal(a->text, b->text) ||
        !bl_str_equal(a->flags, b->flags))
        return false;
    for (uint32_t i = 0; i < a->text_count; i++) {
        if (!bl_str_equal(a->texts[i], b->texts[i]))
            return false;
    }
    return true;
}

static size_t find_slot(const struct bl_formulas *f, const struct bl_literal *like)
{
    size_t mask = f->literal_slot_count - 1;
    size_t at = (size_t)hash_of(like) & mask;

    while (f->literal_slots[at] != 0 &&
           !alike(f->literals.items[f->literal_slots[at] - 1], like))
        at = (at + 1) & mask;
    return at;
}

static void grow_slots(struct bl_formulas *f)
{
    struct bl_formulas larger = *f;

    larger.literal_slot_count = 2 * f->literal_slot_count;
    larger.literal_slots = BL_NEW_ARRAY(f->arena, larger.literal_slot_count, uint32_t);
    if (larger.literal_slots == NULL)
        return;
    for (size_t i = 0; i < f->literals.count; i++)
        larger.literal_slots[find_slot(&larger, f->literals.items[i])] = (uint32_t)i + 1;
    *f = larger;
}

/* Ranges and texts of `like` may be on the stack. */
static struct bl_literal *make(struct bl_formulas *f, const struct bl_literal *like)
{
    struct bl_literal *literal = BL_NEW(f->arena, struct bl_literal);

    if (literal == NULL)
        return NULL;
    *literal = *like;
    literal->number = (uint32_t)f->literals.count;
    if (like->ranges != NULL) {
        struct bl_ranges *ranges = BL_NEW(f->arena, struct bl_ranges);

        if (ranges == NULL)
            return NULL;
        *ranges = *like->ranges;
        literal->ranges = ranges;
    }
    if (like->text_count > 0) {
        bl_str *texts = BL_NEW_ARRAY(f->arena, like->text_count, bl_str);

        if (texts == NULL)
            return NULL;
        for (uint32_t i = 0; i < like->text_count; i++)
            texts[i] = like->texts[i];
        literal->texts = texts;
    }
    return literal;
}

static const struct bl_literal *intern(struct bl_formulas *f, const struct bl_literal *like)
{
    struct bl_literal *literal, **place;
    size_t at = find_slot(f, like);

    if (f->literal_slots[at] != 0)
        return f->literals.items[f->literal_slots[at] - 1];
    if (3 * (f->literals.count + 1) > 2 * f->literal_slot_count) {
        grow_slots(f);
        at = find_slot(f, like);
    }
    literal = make(f, like);
    place = literal != NULL ? BL_PUSH(f->arena, f->literals) : NULL;
    if (place == NULL)
        return NULL;
    *place = literal;
    f->literal_slots[at] = (uint32_t)f->literals.count;
    return literal;
}

/* ---- what a literal comes to ----------------------------------------------------------- */

static struct bl_ranges whole(const struct bl_term *term)
{
    return (struct bl_ranges){
        .count = 1, .absent = term->optional, .lo = {term->least}, .hi = {term->greatest}};
}

/* What a literal comes to: NEVER and ALWAYS when its term can have no such or no other value.
 */
static const struct bl_formula *literal_formula(struct bl_formulas *f,
                                                const struct bl_literal *like)
{
    struct bl_literal l = *like;
    struct bl_ranges all = whole(l.term), met;

    switch (l.form) {
    case BL_LITERAL_BITS:
        l.bits &= l.term->bits;
        if (l.bits == 0)
            return f->never;
        if (l.bits == l.term->bits)
            return f->always;
        break;
    case BL_LITERAL_RANGES:
        if (!bl_ranges_meet(l.ranges, &all, &met))
            return f->never;
        if (same_ranges(&met, &all))
            return f->always;
        l.ranges = &met;
        break;
    case BL_LITERAL_TEXTS:
        l.absent = l.absent && l.term->optional;
        if (l.text_count == 0 && !l.negated && !l.absent)
            return f->never;
        if (l.text_count == 0 && l.negated && l.absent == l.term->optional)
            return f->always;
        break;
    case BL_LITERAL_CONTAINS:
    case BL_LITERAL_STARTS:
    case BL_LITERAL_ENDS:
    case BL_LITERAL_MATCHES:
        l.absent = l.absent && l.term->optional;
        break;
    }
    const struct bl_literal *literal = intern(f, &l);
    if (literal == NULL)
        return f->never;
    return bl_formula_intern(
        f, &(struct bl_formula){.kind = BL_FORMULA_LITERAL, .size = 1, .literal = literal});
}

const struct bl_formula *bl_literal_opposite(struct bl_formulas *f, const struct bl_literal *l)
{
    struct bl_literal o = *l;
    struct bl_ranges rest;

    switch (l->form) {
    case BL_LITERAL_BITS:
        o.bits = l->term->bits & ~l->bits;
        break;
    case BL_LITERAL_RANGES:
        /* Made with room for this: bl_formula_ranges takes no set without an opposite. */
        if (!bl_ranges_opposite(l->ranges, l->term->least, l->term->greatest, l->term->optional,
                                &rest))
            return f->never;
        o.ranges = &rest;
        break;
    case BL_LITERAL_TEXTS:
    case BL_LITERAL_CONTAINS:
    case BL_LITERAL_STARTS:
    case BL_LITERAL_ENDS:
    case BL_LITERAL_MATCHES:
        o.absent = l->term->optional && !l->absent;
        o.negated = !l->negated;
        break;
    }
    return literal_formula(f, &o);
}

/* ---- two of one term ------------------------------------------------------------------- */

/* The texts of `a` that `b` has, or lacks; with `both`, all of either. */
static uint32_t join_texts(const struct bl_literal *a, const struct bl_literal *b, bool of_b,
                           bool both, bl_str *out)
{
    uint32_t i = 0, j = 0, count = 0;

    while (i < a->text_count || (both && j < b->text_count)) {
        int order = i == a->text_count   ? 1
                    : j == b->text_count ? -1
                                         : bl_str_compare(a->texts[i], b->texts[j]);

        if (order <= 0 && (both || of_b == (order == 0)))
            out[count++] = a->texts[i];
        else if (order > 0 && both)
            out[count++] = b->texts[j];
        i += order <= 0;
        j += order >= 0;
    }
    return count;
}

static const struct bl_formula *meet_texts(struct bl_formulas *f, const struct bl_literal *a,
                                           const struct bl_literal *b)
{
    bl_str *texts = BL_NEW_ARRAY(f->arena, (size_t)a->text_count + b->text_count + 1, bl_str);
    struct bl_literal met = *a;

    if (texts == NULL)
        return f->never;
    met.absent = a->absent && b->absent;
    met.texts = texts;
    met.negated = a->negated && b->negated;
    if (a->negated && b->negated)
        met.text_count = join_texts(a, b, true, true, texts);
    else if (a->negated)
        met.text_count = join_texts(b, a, false, false, texts);
    else
        met.text_count = join_texts(a, b, !b->negated, false, texts);
    return literal_formula(f, &met);
}

const struct bl_formula *bl_literal_meet(struct bl_formulas *f, const struct bl_literal *a,
                                         const struct bl_literal *b)
{
    struct bl_literal met = *a;
    struct bl_ranges ranges, opposite;

    if (a->term != b->term || a->form != b->form)
        return NULL;
    switch (a->form) {
    case BL_LITERAL_BITS:
        met.bits = a->bits & b->bits;
        return literal_formula(f, &met);
    case BL_LITERAL_RANGES:
        if (a->ranges->count + b->ranges->count > BL_RANGES_MAX)
            return NULL;
        if (!bl_ranges_meet(a->ranges, b->ranges, &ranges))
            return f->never;
        if (!bl_ranges_opposite(&ranges, a->term->least, a->term->greatest, a->term->optional,
                                &opposite))
            return NULL;
        met.ranges = &ranges;
        return literal_formula(f, &met);
    case BL_LITERAL_TEXTS:
        return meet_texts(f, a, b);
    case BL_LITERAL_CONTAINS:
    case BL_LITERAL_STARTS:
    case BL_LITERAL_ENDS:
    case BL_LITERAL_MATCHES:
        return NULL;
    }
    return NULL;
}

/* ---- makers ---------------------------------------------------------------------------- */

const struct bl_formula *bl_formula_bits(struct bl_formulas *f, const struct bl_term *term,
                                         uint64_t bits)
{
    return literal_formula(
        f, &(struct bl_literal){.term = term, .form = BL_LITERAL_BITS, .bits = bits});
}

const struct bl_formula *bl_formula_range(struct bl_formulas *f, const struct bl_term *term,
                                          int64_t lo, int64_t hi)
{
    struct bl_ranges ranges = {.count = 1, .lo = {lo}, .hi = {hi}};

    if (lo > hi)
        return f->never;
    return literal_formula(
        f, &(struct bl_literal){.term = term, .form = BL_LITERAL_RANGES, .ranges = &ranges});
}

const struct bl_formula *bl_formula_texts(struct bl_formulas *f, const struct bl_term *term,
                                          const bl_str *texts, uint32_t count)
{
    bl_str *sorted = BL_NEW_ARRAY(f->arena, (size_t)count + 1, bl_str);
    uint32_t kept = 0;

    if (sorted == NULL)
        return f->never;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = kept;

        while (at > 0 && bl_str_compare(sorted[at - 1], texts[i]) > 0)
            at--;
        if (at > 0 && bl_str_equal(sorted[at - 1], texts[i]))
            continue;
        for (uint32_t j = kept++; j > at; j--)
            sorted[j] = sorted[j - 1];
        sorted[at] = texts[i];
    }
    return literal_formula(
        f, &(struct bl_literal){
               .term = term, .form = BL_LITERAL_TEXTS, .texts = sorted, .text_count = kept});
}

const struct bl_formula *bl_formula_search(struct bl_formulas *f, const struct bl_term *term,
                                           enum bl_literal_form form, bl_str text, bl_str flags)
{
    return literal_formula(
        f, &(struct bl_literal){.term = term, .form = form, .text = text, .flags = flags});
}

const struct bl_formula *bl_formula_set(struct bl_formulas *f, const struct bl_term *term)
{
    if (!term->optional)
        return f->always;
    switch (term->domain) {
    case BL_DOMAIN_BITS:
        return bl_formula_bits(f, term, ~BL_BIT_ABSENT);
    case BL_DOMAIN_NUMBERS:
        return bl_formula_range(f, term, INT64_MIN, INT64_MAX);
    case BL_DOMAIN_TEXTS:
        break;
    }
    return literal_formula(
        f, &(struct bl_literal){.term = term, .form = BL_LITERAL_TEXTS, .negated = true});
}

const struct bl_formula *bl_formula_true(struct bl_formulas *f, const struct bl_term *term)
{
    if (term->kind == BL_TERM_NUMBER)
        return term->value != 0 ? f->always : f->never;
    if (term->kind == BL_TERM_ABSENT)
        return f->never;
    return bl_formula_bits(f, term, BL_BIT_TRUE);
}
