/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/term.h"

#include "base/num.h"

/* ---- domains --------------------------------------------------------------------------- */

/* Numbers of which more is known than their type says. */
static const struct {
    enum bl_field field;
    int64_t least, greatest;
} bounded[] = {
    {BL_FIELD_ISSUE_NUMBER, 1, INT64_MAX},        {BL_FIELD_ISSUE_THUMBS_UP, 0, INT64_MAX},
    {BL_FIELD_ISSUE_COMMENT_COUNT, 0, INT64_MAX}, {BL_FIELD_COMMENT_THUMBS_UP, 0, INT64_MAX},
    {BL_FIELD_COMMENT_THUMBS_DOWN, 0, INT64_MAX}, {BL_FIELD_PULL_REQUEST_NUMBER, 1, INT64_MAX},
    {BL_FIELD_DISCUSSION_NUMBER, 1, INT64_MAX},   {BL_FIELD_NUMBERED_NUMBER, 1, INT64_MAX},
    {BL_FIELD_EVENT_ISSUE_NUMBER, 1, INT64_MAX},  {BL_FIELD_EVENT_PULL_NUMBER, 1, INT64_MAX},
    {BL_FIELD_DATE_DAY_OF_MONTH, 1, 31},
};
static const enum bl_builtin counting[] = {BL_BUILTIN_COUNT_OF, BL_BUILTIN_LENGTH,
                                           BL_BUILTIN_BYTES_OF, BL_BUILTIN_STOPWORDS};

static void bound_number(struct bl_term *term)
{
    term->least = INT64_MIN;
    term->greatest = INT64_MAX;
    if (term->kind == BL_TERM_HOW_MANY)
        term->least = 0;
    for (size_t i = 0; i < sizeof(bounded) / sizeof(bounded[0]); i++) {
        if (term->kind == BL_TERM_FIELD && term->index == (uint32_t)bounded[i].field) {
            term->least = bounded[i].least;
            term->greatest = bounded[i].greatest;
        }
    }
    for (size_t i = 0; i < sizeof(counting) / sizeof(counting[0]); i++) {
        if (term->kind == BL_TERM_NODE && term->index >> 16 == BL_RESOLVED_BUILTIN &&
            term->value == (int64_t)counting[i])
            term->least = 0;
    }
}

static bool is_number(bl_type type)
{
    static const enum bl_type_kind numbers[] = {
        BL_TYPE_INT,     BL_TYPE_DURATION, BL_TYPE_DATE, BL_TYPE_TIME,   BL_TYPE_MONEY,
        BL_TYPE_PERCENT, BL_TYPE_LOCALE,   BL_TYPE_TASK, BL_TYPE_COMMAND};

    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        if (bl_type_is(type, numbers[i]))
            return true;
    }
    return false;
}

static uint64_t bits_of(const struct bl_program *program, const struct bl_term *term)
{
    unsigned members = 1;

    if (term->kind == BL_TERM_EVENT)
        members = BL_EVENT_COUNT;
    else if (bl_type_is(term->type, BL_TYPE_BOOL))
        members = 2;
    else if (bl_type_is(term->type, BL_TYPE_ENUM))
        members = bl_program_member_count(program, bl_type_ref(term->type));
    if (members > BL_BITS_MAX || members == 0)
        members = 1;
    return (UINT64_C(1) << members) - 1;
}

/* Do texts of this type compare without case? */
static bool is_without_case(bl_type type)
{
    return bl_type_is(type, BL_TYPE_LABEL) || bl_type_is(type, BL_TYPE_REPOSITORY_NAME);
}

static void settle_domain(const struct bl_program *program, struct bl_term *term)
{
    if (bl_type_is_text(term->type)) {
        term->domain = BL_DOMAIN_TEXTS;
        term->without_case = is_without_case(term->type);
    } else if (is_number(term->type)) {
        term->domain = BL_DOMAIN_NUMBERS;
        bound_number(term);
    } else {
        term->domain = BL_DOMAIN_BITS;
        term->bits = bits_of(program, term) | (term->optional ? BL_BIT_ABSENT : 0);
    }
}

/* ---- one of each ----------------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15) + (hash >> 31);
}

static uint64_t hash_of(const struct bl_term *term)
{
    uint64_t hash = mix((uint64_t)term->kind + 1, term->type);

    hash = mix(hash, term->index);
    hash = mix(hash, (uint64_t)(uintptr_t)term->symbol);
    hash = mix(hash, (uint64_t)(uintptr_t)term->body);
    hash = mix(hash, (uint64_t)term->value);
    if (term->text.len > 0)
        hash = bl_str_hash(term->text, hash);
    if (term->flags.len > 0)
        hash = bl_str_hash(term->flags, hash);
    for (uint32_t i = 0; i < term->kid_count; i++) {
        hash = mix(hash, (uint64_t)term->kids[i]->number + 1);
        if (term->factors != NULL)
            hash = mix(hash, (uint64_t)term->factors[i]);
    }
    return hash;
}

static bool alike(const struct bl_term *a, const struct bl_term *b)
{
    if (a->kind != b->kind || a->type != b->type || a->index != b->index ||
        a->symbol != b->symbol || a->body != b->body || a->value != b->value ||
        a->kid_count != b->kid_count || !bl_str_equal(a->text, b->text) ||
        !bl_str_equal(a->flags, b->flags))
        return false;
    for (uint32_t i = 0; i < a->kid_count; i++) {
        if (a->kids[i] != b->kids[i] || (a->factors != NULL && a->factors[i] != b->factors[i]))
            return false;
    }
    return true;
}

bool bl_terms_init(struct bl_terms *terms, struct bl_arena *arena,
                   const struct bl_program *program)
{
    *terms = (struct bl_terms){.arena = arena, .program = program, .slot_count = 1024};
    terms->slots = BL_NEW_ARRAY(arena, terms->slot_count, uint32_t);
    return terms->slots != NULL;
}

/* Where the term is, or the free slot where it belongs. */
static size_t find_slot(const struct bl_terms *terms, const struct bl_term *like)
{
    size_t mask = terms->slot_count - 1;
    size_t at = (size_t)hash_of(like) & mask;

    while (terms->slots[at] != 0 && !alike(terms->list.items[terms->slots[at] - 1], like))
        at = (at + 1) & mask;
    return at;
}

static void grow_slots(struct bl_terms *terms)
{
    struct bl_terms larger = *terms;

    larger.slot_count = 2 * terms->slot_count;
    larger.slots = BL_NEW_ARRAY(terms->arena, larger.slot_count, uint32_t);
    if (larger.slots == NULL)
        return;
    for (size_t i = 0; i < terms->list.count; i++)
        larger.slots[find_slot(&larger, terms->list.items[i])] = (uint32_t)i + 1;
    *terms = larger;
}

static struct bl_term *make(struct bl_terms *terms, const struct bl_term *like)
{
    struct bl_term *term = BL_NEW(terms->arena, struct bl_term);

    if (term == NULL)
        return NULL;
    *term = *like;
    term->number = (uint32_t)terms->list.count;
    term->kids = NULL;
    term->factors = NULL;
    term->size = 1;
    for (uint32_t i = 0; i < like->kid_count; i++) {
        uint32_t size = like->kids[i]->size;

        term->size = size > UINT32_MAX - term->size ? UINT32_MAX : term->size + size;
    }
    if (like->kid_count > 0) {
        const struct bl_term **kids =
            BL_NEW_ARRAY(terms->arena, like->kid_count, const struct bl_term *);
        int64_t *factors =
            like->factors != NULL ? BL_NEW_ARRAY(terms->arena, like->kid_count, int64_t) : NULL;

        if (kids == NULL || (factors == NULL && like->factors != NULL))
            return NULL;
        for (uint32_t i = 0; i < like->kid_count; i++) {
            kids[i] = like->kids[i];
            if (factors != NULL)
                factors[i] = like->factors[i];
        }
        term->kids = kids;
        term->factors = factors;
    }
    settle_domain(terms->program, term);
    return term;
}

const struct bl_term *bl_term_get(struct bl_terms *terms, const struct bl_term *like)
{
    static const struct bl_term spare = {.kind = BL_TERM_ABSENT, .optional = true};
    struct bl_term *term, **place;
    size_t at;

    if (terms->slots == NULL)
        return &spare;
    at = find_slot(terms, like);
    if (terms->slots[at] != 0)
        return terms->list.items[terms->slots[at] - 1];
    if (3 * (terms->list.count + 1) > 2 * terms->slot_count) {
        grow_slots(terms);
        at = find_slot(terms, like);
    }
    term = make(terms, like);
    place = term != NULL ? BL_PUSH(terms->arena, terms->list) : NULL;
    if (place == NULL)
        return &spare;
    *place = term;
    terms->slots[at] = (uint32_t)terms->list.count;
    return term;
}

/* ---- makers ---------------------------------------------------------------------------- */

const struct bl_term *bl_term_number(struct bl_terms *terms, bl_type type, int64_t value)
{
    return bl_term_get(
        terms,
        &(struct bl_term){.kind = BL_TERM_NUMBER, .type = bl_type_base(type), .value = value});
}

const struct bl_term *bl_term_bool(struct bl_terms *terms, bool value)
{
    return bl_term_number(terms, BL_TYPE_BOOL, value);
}

bl_str bl_lower_copy(struct bl_arena *arena, bl_str text)
{
    char *copy = text.len > 0 ? bl_arena_alloc(arena, text.len, 1) : NULL;

    if (copy == NULL)
        return (bl_str){NULL, 0};
    for (size_t i = 0; i < text.len; i++)
        copy[i] = bl_ascii_lower(text.ptr[i]);
    return (bl_str){copy, text.len};
}

const struct bl_term *bl_term_text(struct bl_terms *terms, bl_type type, bl_str text)
{
    return bl_term_get(terms, &(struct bl_term){.kind = BL_TERM_TEXT,
                                                .type = bl_type_base(type),
                                                .text = is_without_case(type)
                                                            ? bl_lower_copy(terms->arena, text)
                                                            : text});
}

const struct bl_term *bl_term_absent(struct bl_terms *terms)
{
    return bl_term_get(
        terms,
        &(struct bl_term){.kind = BL_TERM_ABSENT, .type = BL_TYPE_NONE, .optional = true});
}

const struct bl_term *bl_term_event(struct bl_terms *terms)
{
    return bl_term_get(
        terms, &(struct bl_term){.kind = BL_TERM_EVENT,
                                 .type = BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_EVENT)});
}

const struct bl_term *bl_term_ambient(struct bl_terms *terms, enum bl_ambient ambient)
{
    bl_type type = bl_ambient_info(ambient)->type;

    return bl_term_get(terms, &(struct bl_term){.kind = BL_TERM_AMBIENT,
                                                .type = bl_type_base(type),
                                                .optional = bl_type_is_optional(type),
                                                .index = (uint32_t)ambient});
}

const struct bl_term *bl_term_symbol(struct bl_terms *terms, const struct bl_symbol *symbol)
{
    return bl_term_get(terms, &(struct bl_term){.kind = BL_TERM_SYMBOL,
                                                .type = bl_type_base(symbol->type),
                                                .optional = bl_type_is_optional(symbol->type),
                                                .symbol = symbol});
}

const struct bl_term *bl_term_field(struct bl_terms *terms, const struct bl_term *object,
                                    enum bl_field field)
{
    bl_type type = bl_field_info(field)->type;

    return bl_term_get(
        terms, &(struct bl_term){.kind = BL_TERM_FIELD,
                                 .type = bl_type_base(type),
                                 .optional = object->optional || bl_type_is_optional(type),
                                 .index = (uint32_t)field,
                                 .kids = &object,
                                 .kid_count = 1,
                                 .parent = object->optional ? object : object->parent});
}

/* ---- sums ------------------------------------------------------------------------------ */

#define SUMMANDS_MAX 16u

struct summands {
    const struct bl_term *kids[SUMMANDS_MAX];
    int64_t factors[SUMMANDS_MAX];
    uint32_t count;
    int64_t rest;
    bool full;
};

static void add_summand(struct summands *sum, const struct bl_term *kid, int64_t factor)
{
    uint32_t at = 0;

    if (kid->kind == BL_TERM_SUM || kid->kind == BL_TERM_NUMBER) {
        sum->rest = bl_int_add(sum->rest, bl_int_mul(kid->value, factor));
        for (uint32_t i = 0; i < kid->kid_count; i++)
            add_summand(sum, kid->kids[i], bl_int_mul(kid->factors[i], factor));
        return;
    }
    while (at < sum->count && sum->kids[at]->number < kid->number)
        at++;
    if (at < sum->count && sum->kids[at] == kid) {
        sum->factors[at] = bl_int_add(sum->factors[at], factor);
        return;
    }
    if (sum->count == SUMMANDS_MAX) {
        sum->full = true;
        return;
    }
    for (uint32_t i = sum->count++; i > at; i--) {
        sum->kids[i] = sum->kids[i - 1];
        sum->factors[i] = sum->factors[i - 1];
    }
    sum->kids[at] = kid;
    sum->factors[at] = factor;
}

const struct bl_term *bl_term_sum(struct bl_terms *terms, bl_type type,
                                  const struct bl_term *const *kids, const int64_t *factors,
                                  uint32_t count)
{
    struct summands sum = {.count = 0};
    uint32_t kept = 0;
    bool optional = false;

    for (uint32_t i = 0; i < count; i++)
        add_summand(&sum, kids[i], factors[i]);
    for (uint32_t i = 0; i < sum.count; i++) {
        optional = optional || sum.kids[i]->optional;
        /* Absent minus absent is absent, and not 0. */
        if (sum.factors[i] == 0 && !sum.kids[i]->optional)
            continue;
        sum.kids[kept] = sum.kids[i];
        sum.factors[kept++] = sum.factors[i];
    }
    if (sum.full) /* as written, so that nothing is lost */
        return bl_term_get(terms,
                           &(struct bl_term){.kind = BL_TERM_SUM,
                                             .type = bl_type_base(type),
                                             .optional = true,
                                             .kids = (const struct bl_term **)(uintptr_t)kids,
                                             .factors = (int64_t *)(uintptr_t)factors,
                                             .kid_count = count});
    if (kept == 0)
        return bl_term_number(terms, type, sum.rest);
    if (kept == 1 && sum.factors[0] == 1 && sum.rest == 0)
        return sum.kids[0];
    return bl_term_get(terms, &(struct bl_term){.kind = BL_TERM_SUM,
                                                .type = bl_type_base(type),
                                                .optional = optional,
                                                .value = sum.rest,
                                                .kids = sum.kids,
                                                .factors = sum.factors,
                                                .kid_count = kept});
}

/* ---- questions ------------------------------------------------------------------------- */

bool bl_term_is_constant(const struct bl_term *term)
{
    return term->kind == BL_TERM_NUMBER || term->kind == BL_TERM_TEXT;
}
