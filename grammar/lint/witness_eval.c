/* SPDX-License-Identifier: Apache-2.0 */
#include "base/lower_case.h"
#include "base/num.h"
#include "base/time.h"
#include "base/utf8.h"
#include "lint/witness_parts.h"

/* Conditions on fixed facts. What the facts do not say is neither true nor false, and only what
 * holds whatever that is, holds. */

#define ABSENT INT64_MIN
#define LITERAL(text)                                                                          \
    {                                                                                          \
        "" text, sizeof("" text) - 1                                                           \
    }

const struct bl_person_info *bl_person_info(enum bl_witness_person person)
{
    static const struct bl_person_info rows[] = {
#define BL_WITNESS_PERSON(id, ambient, field, login)                                           \
    {BL_AMBIENT_##ambient, BL_FIELD_##field, LITERAL(login)},
#define BL_WITNESS_FACT(id, ambient, field, number, text)
#include "lint/witness.def"
#undef BL_WITNESS_PERSON
#undef BL_WITNESS_FACT
    };

    return &rows[person];
}

const struct bl_fact_slot *bl_fact_slot(enum bl_witness_fact fact)
{
    static const struct bl_fact_slot rows[] = {
#define BL_WITNESS_PERSON(id, ambient, field, login)
#define BL_WITNESS_FACT(id, ambient, field, number, text)                                      \
    {BL_AMBIENT_##ambient, BL_FIELD_##field, (number) == ABSENT, (number), LITERAL(text)},
#include "lint/witness.def"
#undef BL_WITNESS_PERSON
#undef BL_WITNESS_FACT
    };

    return &rows[fact];
}

static bool is_field_of(const struct bl_term *term, enum bl_ambient ambient,
                        enum bl_field field)
{
    return term->kind == BL_TERM_FIELD && term->index == (uint32_t)field &&
           term->kids[0]->kind == BL_TERM_AMBIENT && term->kids[0]->index == (uint32_t)ambient;
}

enum bl_witness_person bl_person_of(const struct bl_term *term)
{
    unsigned person = 0;

    while (person < BL_PERSON_COUNT &&
           !is_field_of(term, bl_person_info((enum bl_witness_person)person)->ambient,
                        bl_person_info((enum bl_witness_person)person)->field))
        person++;
    return (enum bl_witness_person)person;
}

enum bl_witness_fact bl_fact_of(const struct bl_term *term)
{
    unsigned fact = 0;

    if (term->kind != BL_TERM_FIELD)
        return BL_WITNESS_FACT_COUNT;
    while (fact < BL_WITNESS_FACT_COUNT &&
           !is_field_of(term, bl_fact_slot((enum bl_witness_fact)fact)->ambient,
                        bl_fact_slot((enum bl_witness_fact)fact)->field))
        fact++;
    return (enum bl_witness_fact)fact;
}

bool bl_witness_brings(const struct bl_witness *w, enum bl_ambient ambient)
{
    static const uint32_t always =
        BL_AMBIENT_BIT(BL_AMBIENT_EVENT) | BL_AMBIENT_BIT(BL_AMBIENT_REPOSITORY) |
        BL_AMBIENT_BIT(BL_AMBIENT_NOW) | BL_AMBIENT_BIT(BL_AMBIENT_TODAY) |
        BL_AMBIENT_BIT(BL_AMBIENT_ME);

    return ((bl_event_info(w->event)->ambients | always) & BL_AMBIENT_BIT(ambient)) != 0;
}

/* event.at, and with it the clock of the rules (language-review §5.7). */
int64_t bl_witness_now(const struct bl_witness *w)
{
    if (w->event == BL_EVENT_ISSUES_OPENED)
        return w->facts[BL_WITNESS_ISSUE_CREATED_AT].number;
    if (w->event == BL_EVENT_ISSUE_COMMENT_CREATED)
        return w->facts[BL_WITNESS_COMMENT_CREATED_AT].number;
    return w->clock;
}

/* ---- values ---------------------------------------------------------------------------- */

static struct bl_known_value nobody_knows(void)
{
    return (struct bl_known_value){.kind = BL_KNOWN_NOT};
}

static struct bl_known_value number(int64_t value)
{
    return (struct bl_known_value){.kind = BL_KNOWN_NUMBER, .number = value};
}

static struct bl_known_value text(bl_str value)
{
    return (struct bl_known_value){.kind = BL_KNOWN_TEXT, .text = value};
}

static struct bl_known_value fact_value(const struct bl_witness *w, enum bl_witness_fact fact)
{
    const struct bl_witness_value *value = &w->facts[fact];
    bl_type type = bl_field_info(bl_fact_slot(fact)->field)->type;

    if (value->absent || !bl_witness_brings(w, bl_fact_slot(fact)->ambient))
        return (struct bl_known_value){.kind = BL_KNOWN_ABSENT};
    return bl_type_is_text(type) ? text(value->text) : number(value->number);
}

static struct bl_known_value user_field(const struct bl_witness *w, int64_t index,
                                        enum bl_field field)
{
    struct bl_witness_user me = {w->account, BL_USER_KIND_BOT, BL_ASSOCIATION_NOBODY,
                                 BL_PERMISSION_NO_ACCESS};
    const struct bl_witness_user *user = index < 0 ? &me : &w->users[index];

    if (field == BL_FIELD_USER_LOGIN)
        return text(user->login);
    if (field == BL_FIELD_USER_KIND)
        return number(user->kind);
    if (index < 0)
        return nobody_knows();
    if (field == BL_FIELD_USER_ASSOCIATION)
        return number(user->association);
    return field == BL_FIELD_USER_PERMISSION ? number(user->permission) : nobody_knows();
}

/* The actor has an association only through what the actor wrote. */
static bool is_author(const struct bl_witness *w, uint32_t index)
{
    static const enum bl_witness_person authors[] = {
        BL_PERSON_ISSUE_AUTHOR, BL_PERSON_COMMENT_AUTHOR, BL_PERSON_PULL_AUTHOR};

    for (size_t i = 0; i < sizeof(authors) / sizeof(authors[0]); i++) {
        if (bl_witness_brings(w, bl_person_info(authors[i])->ambient) &&
            w->who[authors[i]] == index)
            return true;
    }
    return false;
}

/* What the past of the issue left is known when there is none: a label that was set stands in
 * its timeline, and the event itself may, too. */
static bool is_without_past(const struct bl_witness *w)
{
    bool past = w->label_count > 0 || w->assignee_count > 0 ||
                w->facts[BL_WITNESS_ISSUE_LOCKED].number != 0 ||
                w->facts[BL_WITNESS_ISSUE_STATE].number != BL_ISSUE_STATE_OPEN;

    return !past && (w->event == BL_EVENT_ISSUES_OPENED ||
                     bl_event_info(w->event)->family == BL_FAMILY_ISSUE_COMMENT);
}

static struct bl_known_value field_value(const struct bl_witness *w, struct bl_arena *arena,
                                         const struct bl_term *term)
{
    enum bl_field field = (enum bl_field)term->index;
    enum bl_witness_fact fact = bl_fact_of(term);
    enum bl_witness_person person = bl_person_of(term);
    struct bl_known_value object;

    if (fact != BL_WITNESS_FACT_COUNT)
        return fact_value(w, fact);
    if (person != BL_PERSON_COUNT)
        return bl_witness_brings(w, bl_person_info(person)->ambient)
                   ? (struct bl_known_value){.kind = BL_KNOWN_PERSON, .number = w->who[person]}
                   : (struct bl_known_value){.kind = BL_KNOWN_ABSENT};
    if (is_field_of(term, BL_AMBIENT_EVENT, BL_FIELD_EVENT_AT))
        return number(bl_witness_now(w));
    if ((is_field_of(term, BL_AMBIENT_ISSUE, BL_FIELD_ISSUE_TIMELINE) && is_without_past(w)) ||
        (is_field_of(term, BL_AMBIENT_ISSUE, BL_FIELD_ISSUE_TEXT_EDITS) &&
         w->event != BL_EVENT_ISSUES_EDITED) ||
        is_field_of(term, BL_AMBIENT_ISSUE, BL_FIELD_ISSUE_CLOSED_BY))
        return (struct bl_known_value){.kind = BL_KNOWN_EMPTY};
    if (is_field_of(term, BL_AMBIENT_ISSUE, BL_FIELD_ISSUE_COMMENTS) &&
        w->facts[BL_WITNESS_ISSUE_COMMENT_COUNT].number == 0)
        return (struct bl_known_value){.kind = BL_KNOWN_EMPTY};
    object = bl_witness_value_of(w, arena, term->kids[0]);
    if (object.kind == BL_KNOWN_ABSENT)
        return object;
    if (object.kind == BL_KNOWN_PERSON) {
        if (field == BL_FIELD_USER_ASSOCIATION && object.number >= 0 &&
            bl_person_of(term->kids[0]) == BL_PERSON_ACTOR &&
            !is_author(w, (uint32_t)object.number))
            return number(BL_ASSOCIATION_NOBODY);
        return user_field(w, object.number, field);
    }
    if (object.kind != BL_KNOWN_NUMBER)
        return nobody_knows();
    if (field == BL_FIELD_TIME_DAY)
        return number(bl_day_of_time(object.number));
    if (field == BL_FIELD_DATE_MIDNIGHT)
        return number(bl_int_mul(object.number, BL_SECONDS_PER_DAY));
    if (field == BL_FIELD_DATE_DAY_OF_MONTH)
        return number(bl_civil_from_days(object.number).day);
    return nobody_knows();
}

static struct bl_known_value list_length(const struct bl_witness *w, struct bl_arena *arena,
                                         const struct bl_term *term)
{
    const struct bl_term *list = term->kids[0];

    if (term->body == NULL &&
        (is_field_of(list, BL_AMBIENT_ISSUE, BL_FIELD_ISSUE_LABELS) ||
         is_field_of(list, BL_AMBIENT_PULL_REQUEST, BL_FIELD_PULL_REQUEST_LABELS)))
        return number(w->label_count);
    if (term->body == NULL && is_field_of(list, BL_AMBIENT_ISSUE, BL_FIELD_ISSUE_ASSIGNEES))
        return number(w->assignee_count);
    if (term->body == NULL && is_field_of(list, BL_AMBIENT_ISSUE, BL_FIELD_ISSUE_COMMENTS))
        return number(w->facts[BL_WITNESS_ISSUE_COMMENT_COUNT].number);
    return bl_witness_value_of(w, arena, list).kind == BL_KNOWN_EMPTY ? number(0)
                                                                      : nobody_knows();
}

/* Nobody posted anything yet, so there are no own comments; who comments is not the account. */
/* As the function of the language does it. */
static bl_str lowered(struct bl_arena *arena, bl_str s)
{
    struct bl_buf out;

    bl_buf_init(&out, arena, 2 * s.len + 1);
    bl_lower_case(&out, s);
    return bl_buf_str(&out);
}

static struct bl_known_value builtin_value(const struct bl_witness *w, struct bl_arena *arena,
                                           const struct bl_term *term)
{
    enum bl_builtin builtin = (enum bl_builtin)term->value;
    struct bl_known_value first;

    if (term->kid_count == 0)
        return nobody_knows();
    if (builtin == BL_BUILTIN_POSTED && term->kids[0]->kind == BL_TERM_AMBIENT)
        return (struct bl_known_value){.kind = BL_KNOWN_EMPTY};
    first = bl_witness_value_of(w, arena, term->kids[0]);
    if (first.kind == BL_KNOWN_EMPTY &&
        (builtin == BL_BUILTIN_FIRST || builtin == BL_BUILTIN_LAST ||
         builtin == BL_BUILTIN_ONLY))
        return (struct bl_known_value){.kind = BL_KNOWN_ABSENT};
    if (first.kind == BL_KNOWN_EMPTY &&
        (builtin == BL_BUILTIN_TAKE || builtin == BL_BUILTIN_DISTINCT ||
         builtin == BL_BUILTIN_FLAT))
        return first;
    if (first.kind != BL_KNOWN_TEXT)
        return nobody_knows();
    if (builtin == BL_BUILTIN_LOWER)
        return text(lowered(arena, first.text));
    if (builtin == BL_BUILTIN_TRIM)
        return text(bl_str_trim(first.text));
    if (builtin == BL_BUILTIN_LENGTH)
        return number((int64_t)bl_utf8_length(first.text));
    return nobody_knows();
}

static struct bl_known_value node_value(const struct bl_witness *w, struct bl_arena *arena,
                                        const struct bl_term *term)
{
    uint32_t kind = term->index & 0xff;

    if (term->index >> 16 == BL_RESOLVED_BUILTIN)
        return builtin_value(w, arena, term);
    if (term->index >> 16 == BL_RESOLVED_LOOP && term->kid_count > 0 &&
        bl_witness_value_of(w, arena, term->kids[0]).kind == BL_KNOWN_EMPTY)
        return (struct bl_known_value){.kind = kind == BL_NODE_EACH ? BL_KNOWN_EMPTY
                                                                    : BL_KNOWN_ABSENT};
    if (term->index >> 16 == BL_RESOLVED_ATTRIBUTE &&
        bl_witness_value_of(w, arena, term->kids[0]).kind == BL_KNOWN_ABSENT)
        return (struct bl_known_value){.kind = BL_KNOWN_ABSENT};
    if (term->index >> 16 == BL_RESOLVED_IS_KIND)
        return number(0);
    return nobody_knows();
}

static struct bl_known_value sum_value(const struct bl_witness *w, struct bl_arena *arena,
                                       const struct bl_term *term)
{
    int64_t sum = term->value;

    for (uint32_t i = 0; i < term->kid_count; i++) {
        struct bl_known_value kid = bl_witness_value_of(w, arena, term->kids[i]);

        if (kid.kind != BL_KNOWN_NUMBER)
            return kid.kind == BL_KNOWN_ABSENT ? kid : nobody_knows();
        sum = bl_int_add(sum, bl_int_mul(kid.number, term->factors[i]));
    }
    return number(sum);
}

static struct bl_known_value same_value(const struct bl_witness *w, struct bl_arena *arena,
                                        const struct bl_term *term)
{
    struct bl_known_value a = bl_witness_value_of(w, arena, term->kids[0]);
    struct bl_known_value b = bl_witness_value_of(w, arena, term->kids[1]);

    if (a.kind == BL_KNOWN_ABSENT || b.kind == BL_KNOWN_ABSENT)
        return number(0);
    if (a.kind == BL_KNOWN_PERSON && b.kind == BL_KNOWN_PERSON)
        return number(bl_str_equal_nocase(user_field(w, a.number, BL_FIELD_USER_LOGIN).text,
                                          user_field(w, b.number, BL_FIELD_USER_LOGIN).text));
    if (a.kind == BL_KNOWN_TEXT && b.kind == BL_KNOWN_TEXT)
        return number(term->kids[0]->without_case || term->kids[1]->without_case
                          ? bl_str_equal_nocase(a.text, b.text)
                          : bl_str_equal(a.text, b.text));
    if (a.kind == BL_KNOWN_NUMBER && b.kind == BL_KNOWN_NUMBER)
        return number(a.number == b.number);
    return nobody_knows();
}

static struct bl_known_value ambient_value(const struct bl_witness *w, enum bl_ambient ambient)
{
    if (ambient == BL_AMBIENT_NOW)
        return number(bl_witness_now(w));
    if (ambient == BL_AMBIENT_TODAY)
        return number(bl_day_of_time(bl_witness_now(w)));
    if (ambient == BL_AMBIENT_ME)
        return (struct bl_known_value){.kind = BL_KNOWN_PERSON, .number = -1};
    return (struct bl_known_value){.kind = bl_witness_brings(w, ambient) ? BL_KNOWN_THING
                                                                         : BL_KNOWN_ABSENT};
}

struct bl_known_value bl_witness_value_of(const struct bl_witness *w, struct bl_arena *arena,
                                          const struct bl_term *term)
{
    switch (term->kind) {
    case BL_TERM_NUMBER:
        return number(term->value);
    case BL_TERM_TEXT:
        return text(term->text);
    case BL_TERM_ABSENT:
        return (struct bl_known_value){.kind = BL_KNOWN_ABSENT};
    case BL_TERM_EVENT:
        return number(w->event);
    case BL_TERM_AMBIENT:
        return ambient_value(w, (enum bl_ambient)term->index);
    case BL_TERM_FIELD:
        return field_value(w, arena, term);
    case BL_TERM_HAS:
        if (term->kids[0]->kind != BL_TERM_AMBIENT ||
            !bl_witness_brings(w, (enum bl_ambient)term->kids[0]->index))
            return nobody_knows();
        for (uint32_t i = 0; i < w->label_count; i++) {
            if (bl_str_equal_nocase(w->labels[i], term->text))
                return number(1);
        }
        return number(0);
    case BL_TERM_HOW_MANY:
        return list_length(w, arena, term);
    case BL_TERM_SUM:
        return sum_value(w, arena, term);
    case BL_TERM_SAME:
        return same_value(w, arena, term);
    case BL_TERM_LIST:
        return term->kid_count == 0 ? (struct bl_known_value){.kind = BL_KNOWN_EMPTY}
                                    : nobody_knows();
    case BL_TERM_NODE:
        return node_value(w, arena, term);
    case BL_TERM_SYMBOL:
    case BL_TERM_BOUND:
    case BL_TERM_VERDICT:
        break;
    }
    return nobody_knows();
}

/* ---- conditions ------------------------------------------------------------------------ */

static int text_holds(struct bl_solver *s, const struct bl_literal *l, bl_str value)
{
    int holds;

    if (l->form == BL_LITERAL_TEXTS && l->term->without_case)
        value = bl_lower_copy(s->arena, value);
    holds = bl_search_holds(s, l, value);
    return holds < 0 ? -1 : holds != l->negated;
}

/* 1 holds, 0 does not, -1 the facts do not say. */
static int literal_holds(const struct bl_witness *w, struct bl_solver *s,
                         const struct bl_literal *l)
{
    struct bl_known_value value = bl_witness_value_of(w, s->arena, l->term);
    bool absent = value.kind == BL_KNOWN_ABSENT;

    if (value.kind == BL_KNOWN_NOT)
        return -1;
    switch (l->form) {
    case BL_LITERAL_BITS:
        if (absent)
            return (l->bits & BL_BIT_ABSENT) != 0;
        if (value.kind != BL_KNOWN_NUMBER)
            return (l->bits & 1) != 0; /* a thing, a person, a list: it is set */
        return value.number >= 0 && value.number <= (int64_t)BL_BITS_MAX &&
               (l->bits >> value.number & 1) != 0;
    case BL_LITERAL_RANGES:
        if (absent)
            return l->ranges->absent;
        return value.kind == BL_KNOWN_NUMBER ? bl_ranges_hold(l->ranges, value.number) : -1;
    case BL_LITERAL_TEXTS:
    case BL_LITERAL_CONTAINS:
    case BL_LITERAL_STARTS:
    case BL_LITERAL_ENDS:
    case BL_LITERAL_MATCHES:
        if (absent)
            return l->absent;
        return value.kind == BL_KNOWN_TEXT ? text_holds(s, l, value.text) : -1;
    }
    return -1;
}

int bl_witness_holds(const struct bl_witness *w, struct bl_solver *s,
                     const struct bl_formula *formula)
{
    int end = formula->kind == BL_FORMULA_SOME;
    int whole = !end;

    switch (formula->kind) {
    case BL_FORMULA_NEVER:
        return 0;
    case BL_FORMULA_ALWAYS:
        return 1;
    case BL_FORMULA_LITERAL:
        return literal_holds(w, s, formula->literal);
    case BL_FORMULA_ALL:
    case BL_FORMULA_SOME:
        break;
    }
    for (uint32_t i = 0; i < formula->kid_count; i++) {
        int one = bl_witness_holds(w, s, formula->kids[i]);

        if (one == end)
            return end;
        if (one < 0)
            whole = -1;
    }
    return whole;
}
