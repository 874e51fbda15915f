/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/witness.h"

#include "base/num.h"
#include "base/time.h"
#include "lint/witness_build.h"

/* From a way that the search found to an event: each fact gets a value that its term may have
 * there, what belongs together is made to fit, and then the conditions are asked. */

#define LEAVES_MAX 6u
#define EVENTS_MAX 6u

static struct bl_witness_room *make_room(struct bl_solver *s, struct bl_meaning *m)
{
    static const enum bl_field fields[] = {BL_FIELD_USER_LOGIN, BL_FIELD_USER_KIND,
                                           BL_FIELD_USER_ASSOCIATION, BL_FIELD_USER_PERMISSION};
    struct bl_witness_room *room = s->room;

    if (room != NULL)
        return room;
    room = BL_NEW(s->arena, struct bl_witness_room);
    if (room == NULL)
        return NULL;
    for (unsigned i = 0; i < BL_PERSON_COUNT; i++) {
        const struct bl_person_info *info = bl_person_info((enum bl_witness_person)i);

        room->people[i] =
            bl_term_field(&m->terms, bl_term_ambient(&m->terms, info->ambient), info->field);
        for (unsigned k = 0; k < 4; k++)
            room->of_people[i][k] = bl_term_field(&m->terms, room->people[i], fields[k]);
    }
    for (unsigned i = 0; i < BL_WITNESS_FACT_COUNT; i++) {
        const struct bl_fact_slot *slot = bl_fact_slot((enum bl_witness_fact)i);

        room->facts[i] =
            bl_term_field(&m->terms, bl_term_ambient(&m->terms, slot->ambient), slot->field);
    }
    room->now = bl_term_ambient(&m->terms, BL_AMBIENT_NOW);
    room->today = bl_term_ambient(&m->terms, BL_AMBIENT_TODAY);
    room->me = bl_term_ambient(&m->terms, BL_AMBIENT_ME);
    room->event = bl_term_event(&m->terms);
    if (s->arena->failed)
        return NULL; /* then some of them are spares */
    s->room = room;
    return room;
}

/* ---- facts ----------------------------------------------------------------------------- */

static bool choose_number(const struct bl_ranges *ranges, int64_t usual, bool usually_absent,
                          struct bl_witness_value *out)
{
    *out =
        (struct bl_witness_value){.absent = ranges->absent && usually_absent, .number = usual};
    if (out->absent || bl_ranges_hold(ranges, usual))
        return true;
    if (ranges->count == 0) {
        out->absent = ranges->absent;
        return ranges->absent;
    }
    out->number = ranges->lo[0] != INT64_MIN ? ranges->lo[0] : ranges->hi[0];
    return true;
}

/* A text, also by what is asked of it in lower case or trimmed. */
static bool choose_text(struct bl_witness_build *b, const struct bl_term *term, bl_str usual,
                        bl_str *out)
{
    const struct bl_asserted *lists[4];
    const struct bl_term *other;
    size_t count = 0;

    lists[count++] = bl_solver_state(b->s, term).texts;
    for (size_t i = 0; (other = bl_witness_touched(b, i)) != NULL && count < 4; i++) {
        if (other->kind == BL_TERM_NODE && other->index >> 16 == BL_RESOLVED_BUILTIN &&
            other->kid_count == 1 && other->kids[0] == term &&
            (other->value == BL_BUILTIN_LOWER || other->value == BL_BUILTIN_TRIM) &&
            bl_solver_state(b->s, other).texts != lists[count - 1])
            lists[count++] = bl_solver_state(b->s, other).texts;
    }
    return bl_witness_choose_text(b->s, lists, count, usual, out);
}

static bool choose_fact(struct bl_witness_build *b, struct bl_witness *w, unsigned fact)
{
    const struct bl_fact_slot *slot = bl_fact_slot((enum bl_witness_fact)fact);
    const struct bl_term *term = b->room->facts[fact];
    struct bl_narrowed state = bl_solver_state(b->s, term);
    struct bl_witness_value *out = &w->facts[fact];
    int64_t usual = slot->number;
    unsigned member;

    if (bl_type_is(bl_type_base(term->type), BL_TYPE_TIME) && !slot->absent)
        usual += w->clock;
    switch (term->domain) {
    case BL_DOMAIN_NUMBERS:
        if (slot->absent && !state.ranges.absent)
            usual = w->clock - 60;
        return choose_number(&state.ranges, usual, slot->absent, out);
    case BL_DOMAIN_BITS:
        out->absent = (state.bits & BL_BIT_ABSENT) != 0 && slot->absent;
        if (out->absent)
            return true;
        if ((state.bits & ~BL_BIT_ABSENT) == 0) {
            out->absent = true;
            return true;
        }
        if (!bl_witness_choose_member(state.bits, slot->absent ? 0 : (unsigned)slot->number,
                                      &member))
            return false;
        out->number = member;
        return true;
    case BL_DOMAIN_TEXTS:
        break;
    }
    return choose_text(b, term, slot->text, &out->text);
}

static bool may_be(struct bl_witness_build *b, unsigned fact, int64_t number, bool absent)
{
    const struct bl_term *term = b->room->facts[fact];
    struct bl_narrowed state = bl_solver_state(b->s, term);

    if (term->domain == BL_DOMAIN_BITS)
        return (state.bits & (absent ? BL_BIT_ABSENT : UINT64_C(1) << number)) != 0;
    return absent ? state.ranges.absent : bl_ranges_hold(&state.ranges, number);
}

static void prefer(struct bl_witness_build *b, struct bl_witness *w, unsigned fact,
                   int64_t number, bool absent)
{
    if (may_be(b, fact, number, absent))
        w->facts[fact] = (struct bl_witness_value){.absent = absent, .number = number};
}

/* What the event says about its own thing, unless the conditions say otherwise: an event waits
 * in a queue, and the thing is read when the run starts. */
static void fit_event(struct bl_witness_build *b, struct bl_witness *w)
{
    enum bl_event_family family = bl_event_info(w->event)->family;
    bool pull_closed = w->event == BL_EVENT_PULL_REQUEST_CLOSED ||
                       w->event == BL_EVENT_PULL_REQUEST_TARGET_CLOSED;

    if (w->event == BL_EVENT_ISSUES_CLOSED)
        prefer(b, w, BL_WITNESS_ISSUE_STATE, BL_ISSUE_STATE_CLOSED, false);
    /* Only what was closed has a time and a reason of it. */
    if (!w->facts[BL_WITNESS_ISSUE_CLOSED_AT].absent ||
        (!w->facts[BL_WITNESS_ISSUE_STATE_REASON].absent &&
         w->facts[BL_WITNESS_ISSUE_STATE_REASON].number != BL_STATE_REASON_REOPENED))
        prefer(b, w, BL_WITNESS_ISSUE_STATE, BL_ISSUE_STATE_CLOSED, false);
    if (pull_closed || w->facts[BL_WITNESS_EVENT_MERGED].number != 0 ||
        !w->facts[BL_WITNESS_PULL_MERGED_AT].absent)
        prefer(b, w, BL_WITNESS_PULL_STATE, BL_ISSUE_STATE_CLOSED, false);
    if (w->facts[BL_WITNESS_EVENT_MERGED].number != 0)
        prefer(b, w, BL_WITNESS_PULL_MERGED_AT, w->clock - 60, false);
    if (family == BL_FAMILY_ISSUE_COMMENT &&
        w->facts[BL_WITNESS_ISSUE_COMMENT_COUNT].number == 0)
        prefer(b, w, BL_WITNESS_ISSUE_COMMENT_COUNT, 1, false);
    if (w->facts[BL_WITNESS_ISSUE_STATE].number == BL_ISSUE_STATE_OPEN) {
        prefer(b, w, BL_WITNESS_ISSUE_CLOSED_AT, 0, true);
        if (w->facts[BL_WITNESS_ISSUE_STATE_REASON].number != BL_STATE_REASON_REOPENED)
            prefer(b, w, BL_WITNESS_ISSUE_STATE_REASON, 0, true);
    } else {
        if (w->facts[BL_WITNESS_ISSUE_CLOSED_AT].absent)
            prefer(b, w, BL_WITNESS_ISSUE_CLOSED_AT, w->clock - 60, false);
        if (w->facts[BL_WITNESS_ISSUE_STATE_REASON].absent)
            prefer(b, w, BL_WITNESS_ISSUE_STATE_REASON, BL_STATE_REASON_COMPLETED, false);
    }
}

/* GitHub sends no such event. */
static bool is_impossible(const struct bl_witness *w)
{
    enum bl_event_family family = bl_event_info(w->event)->family;
    const struct bl_witness_value *facts = w->facts;
    bool closed = facts[BL_WITNESS_ISSUE_STATE].number == BL_ISSUE_STATE_CLOSED;
    bool reason_fits = facts[BL_WITNESS_ISSUE_STATE_REASON].absent
                           ? !closed
                           : (facts[BL_WITNESS_ISSUE_STATE_REASON].number ==
                              BL_STATE_REASON_REOPENED) != closed;
    int64_t now = bl_witness_now(w);

    if (bl_witness_brings(w, BL_AMBIENT_ISSUE) && family != BL_FAMILY_WORKFLOW_DISPATCH &&
        (!reason_fits || closed == facts[BL_WITNESS_ISSUE_CLOSED_AT].absent ||
         facts[BL_WITNESS_ISSUE_CREATED_AT].number > now ||
         facts[BL_WITNESS_ISSUE_CREATED_AT].number < 0 ||
         facts[BL_WITNESS_ISSUE_COMMENT_COUNT].number > 1000))
        return true;
    if (family == BL_FAMILY_ISSUES && facts[BL_WITNESS_ISSUE_IS_PULL_REQUEST].number != 0)
        return true;
    return family == BL_FAMILY_ISSUE_COMMENT &&
           facts[BL_WITNESS_ISSUE_COMMENT_COUNT].number == 0;
}

/* ---- labels, counts and clock ---------------------------------------------------------- */

static bl_str declared_spelling(const struct bl_witness_build *b, bl_str lower)
{
    const struct bl_symbol *label = bl_meaning_label(b->m, lower);

    return label != NULL ? label->as.label->shown : lower;
}

static bool add_label(struct bl_witness *w, bl_str name)
{
    for (uint32_t i = 0; i < w->label_count; i++) {
        if (bl_str_equal_nocase(w->labels[i], name))
            return true;
    }
    if (w->label_count == BL_WITNESS_LABELS_MAX)
        return false;
    w->labels[w->label_count++] = name;
    return true;
}

static bool choose_labels(struct bl_witness_build *b, struct bl_witness *w)
{
    const struct bl_term *term;

    for (size_t i = 0; (term = bl_witness_touched(b, i)) != NULL; i++) {
        if (term->kind == BL_TERM_HAS && term->kids[0]->kind == BL_TERM_AMBIENT &&
            bl_solver_state(b->s, term).bits == BL_BIT_TRUE &&
            !add_label(w, declared_spelling(b, term->text)))
            return false;
    }
    return true;
}

static void choose_counts(struct bl_witness_build *b, struct bl_witness *w)
{
    static const bl_str extra[] = {{"extra one", 9}, {"extra two", 9}, {"extra three", 11}};
    const struct bl_term *term;

    for (size_t i = 0; (term = bl_witness_touched(b, i)) != NULL; i++) {
        struct bl_narrowed state;
        int64_t least;

        if (term->kind != BL_TERM_HOW_MANY || term->body != NULL ||
            term->kids[0]->kind != BL_TERM_FIELD)
            continue;
        state = bl_solver_state(b->s, term);
        least = state.ranges.count > 0 ? state.ranges.lo[0] : 0;
        if (term->kids[0]->index == (uint32_t)BL_FIELD_ISSUE_ASSIGNEES && least >= 0 &&
            least <= 20)
            w->assignee_count = (uint32_t)least;
        if (term->kids[0]->index == (uint32_t)BL_FIELD_ISSUE_COMMENTS && least >= 0 &&
            least <= 50)
            w->facts[BL_WITNESS_ISSUE_COMMENT_COUNT].number = least;
        for (size_t k = 0; term->kids[0]->index == (uint32_t)BL_FIELD_ISSUE_LABELS &&
                           k < sizeof(extra) / sizeof(extra[0]) && w->label_count < least;
             k++)
            (void)add_label(w, extra[k]);
    }
}

static void set_now(struct bl_witness *w, int64_t now)
{
    w->clock = now;
    if (w->event == BL_EVENT_ISSUES_OPENED)
        w->facts[BL_WITNESS_ISSUE_CREATED_AT].number = now;
    if (w->event == BL_EVENT_ISSUE_COMMENT_CREATED)
        w->facts[BL_WITNESS_COMMENT_CREATED_AT].number = now;
}

static void choose_clock(struct bl_witness_build *b, struct bl_witness *w)
{
    struct bl_ranges at = bl_solver_state(b->s, b->room->now).ranges;
    struct bl_ranges day = bl_solver_state(b->s, b->room->today).ranges;
    struct bl_witness_value value;

    if (choose_number(&at, w->clock, false, &value) && value.number != w->clock)
        w->clock = value.number;
    else if (choose_number(&day, bl_day_of_time(w->clock), false, &value) &&
             value.number != bl_day_of_time(w->clock))
        w->clock = bl_int_add(bl_int_mul(value.number, BL_SECONDS_PER_DAY), 32400);
}

/* ---- sums ------------------------------------------------------------------------------ */

/* The nearest value that the ranges allow. */
static bool nearest(const struct bl_ranges *ranges, int64_t value, int64_t *out)
{
    bool found = false;

    for (uint32_t i = 0; i < ranges->count; i++) {
        int64_t bound = value < ranges->lo[i] ? ranges->lo[i] : ranges->hi[i];
        int64_t distance = bl_int_sub(bound, value);
        int64_t best = found ? bl_int_sub(*out, value) : INT64_MAX;

        distance = distance < 0 ? bl_int_sub(0, distance) : distance;
        best = best < 0 ? bl_int_sub(0, best) : best;
        if (!found || distance < best) {
            *out = bound;
            found = true;
        }
    }
    return found;
}

static bool move_kid(struct bl_witness_build *b, struct bl_witness *w,
                     const struct bl_term *kid, int64_t by)
{
    enum bl_witness_fact fact = bl_fact_of(kid);
    int64_t value;

    if (kid == b->room->now) {
        set_now(w, bl_int_add(bl_witness_now(w), by));
        return true;
    }
    if (fact == BL_WITNESS_FACT_COUNT || w->facts[fact].absent)
        return false;
    value = bl_int_add(w->facts[fact].number, by);
    if (!may_be(b, fact, value, false))
        return false;
    w->facts[fact].number = value;
    return true;
}

static void repair_sums(struct bl_witness_build *b, struct bl_witness *w)
{
    const struct bl_term *term;

    for (size_t i = 0; (term = bl_witness_touched(b, i)) != NULL; i++) {
        struct bl_ranges ranges = bl_solver_state(b->s, term).ranges;
        struct bl_known_value value;
        int64_t wanted;

        if (term->kind != BL_TERM_SUM)
            continue;
        value = bl_witness_value_of(w, b->s->arena, term);
        if (value.kind != BL_KNOWN_NUMBER || bl_ranges_hold(&ranges, value.number) ||
            !nearest(&ranges, value.number, &wanted))
            continue;
        for (uint32_t k = 0; k < term->kid_count; k++) {
            int64_t by = bl_int_sub(wanted, value.number);

            if (term->factors[k] != 0 && by % term->factors[k] == 0 &&
                move_kid(b, w, term->kids[k], by / term->factors[k]))
                break;
        }
    }
}

/* ---- all of it ------------------------------------------------------------------------- */

static bool build(struct bl_witness_build *b, struct bl_witness *w, enum bl_event_id event)
{
    const struct bl_package *product = b->m->program->product;

    *w = (struct bl_witness){.event = event,
                             .repository = BL_STR("octo/demo"),
                             .account = product != NULL && product->account.len > 0
                                            ? product->account
                                            : BL_STR("github-actions[bot]"),
                             .clock = BL_WITNESS_CLOCK};
    choose_clock(b, w);
    if (!bl_witness_choose_users(b, w))
        return false;
    for (unsigned fact = 0; fact < BL_WITNESS_FACT_COUNT; fact++) {
        if (!choose_fact(b, w, fact))
            return false;
    }
    choose_counts(b, w);
    fit_event(b, w);
    for (unsigned round = 0; round < 3; round++)
        repair_sums(b, w);
    return choose_labels(b, w) && !is_impossible(w);
}

static int ask(struct bl_witness_build *b, const struct bl_witness *w)
{
    int whole = 1;

    for (size_t i = 0; i < b->count; i++) {
        int one = bl_witness_holds(w, b->s, b->conditions[i]);

        if (one == 0)
            return 0;
        whole = one < 0 ? -1 : whole;
    }
    return whole;
}

/* What was asked for, and what nobody knows, in words. */
static void put_words(struct bl_witness_build *b, struct bl_witness *w)
{
    struct bl_buf words, assumed;
    const struct bl_term *term;

    bl_buf_init(&words, b->s->arena, 400);
    bl_buf_init(&assumed, b->s->arena, 400);
    for (size_t i = 0; (term = bl_witness_touched(b, i)) != NULL; i++) {
        bool known = bl_witness_value_of(w, b->s->arena, term).kind != BL_KNOWN_NOT;
        bool seen = term->kind == BL_TERM_EVENT;

        for (size_t k = 0; k < i && !seen; k++)
            seen = bl_witness_touched(b, k) == term;
        if (!seen)
            bl_witness_words(b->m, b->s, term, known ? &words : &assumed);
    }
    w->words = bl_buf_str(&words);
    w->assumed = bl_buf_str(&assumed);
}

static bool leaf(struct bl_solver *s, void *context)
{
    struct bl_witness_build *b = context;
    struct bl_witness *w = &b->room->witness;
    uint64_t events = bl_solver_state(s, b->room->event).bits;
    unsigned tried = 0;

    for (unsigned event = 0; event < BL_EVENT_COUNT && tried < EVENTS_MAX; event++) {
        int holds;

        if ((events >> event & 1) == 0)
            continue;
        tried++;
        if (!build(b, w, (enum bl_event_id)event))
            continue;
        holds = ask(b, w);
        if (holds == 1 || (holds < 0 && !b->guessed)) {
            put_words(b, w);
            *b->out = *w;
            b->guessed = true;
        }
        if (holds == 1) {
            b->found = true;
            return true;
        }
    }
    return ++b->leaves >= LEAVES_MAX;
}

enum bl_possible bl_possible(struct bl_solver *s, struct bl_meaning *m,
                             const struct bl_formula *const *conditions, size_t count,
                             struct bl_witness *out)
{
    struct bl_witness_build b = {
        out != NULL ? make_room(s, m) : NULL, s, m, conditions, count, out, 0, false, false};
    struct bl_solver_mark mark = bl_solver_mark(s);
    bool possible = true;

    if (out != NULL)
        *out = (struct bl_witness){.event = BL_EVENT_COUNT};
    for (size_t i = 0; i < count && possible; i++)
        possible = bl_solver_add(s, conditions[i]);
    if (possible)
        possible =
            bl_solver_search(s, b.room != NULL ? leaf : NULL, &b) || s->gave_up || b.leaves > 0;
    bl_solver_undo(s, mark);
    if (!possible)
        return BL_POSSIBLE_NO;
    return b.found ? BL_POSSIBLE_YES : BL_POSSIBLE_UNKNOWN;
}
