/* SPDX-License-Identifier: Apache-2.0 */
#include "base/time.h"
#include "base/utf8.h"
#include "lint/witness_parts.h"

/* What a condition came to, in the words of the policy. */

#define WORDS_MAX 320u

/* ---- terms ----------------------------------------------------------------------------- */

static void put_source(const struct bl_meaning *m, const struct bl_term *term,
                       struct bl_buf *out)
{
    bl_str source = {NULL, 0};

    if (term->node != NULL)
        source = bl_sources_text(m->program->sources, term->node->span);
    source = bl_str_slice(source, 0, bl_str_find_char(source, '\n'));
    bl_buf_put(out, source.len > 0 ? bl_utf8_prefix(source, 57) : BL_STR("a value"));
    if (source.len > 57)
        BL_PUT(out, "…");
}

static void put_term(const struct bl_meaning *m, const struct bl_term *term, struct bl_buf *out)
{
    switch (term->kind) {
    case BL_TERM_AMBIENT:
        bl_buf_put(out, bl_ambient_info((enum bl_ambient)term->index)->name);
        return;
    case BL_TERM_FIELD:
        put_term(m, term->kids[0], out);
        bl_buf_put_char(out, '.');
        bl_buf_put(out, bl_field_info((enum bl_field)term->index)->name);
        return;
    case BL_TERM_SYMBOL:
        bl_buf_put(out, term->symbol->name);
        return;
    case BL_TERM_SUM:
        for (uint32_t i = 0; i < term->kid_count; i++) {
            int64_t factor = term->factors[i];

            if (i > 0 || factor < 0)
                bl_buf_put(out, factor < 0 ? BL_STR(" - ") : BL_STR(" + "));
            factor = factor < 0 && factor > INT64_MIN ? -factor : factor;
            if (factor != 1)
                bl_buf_printf(out, "%lld * ", (long long)factor);
            put_term(m, term->kids[i], out);
        }
        return;
    case BL_TERM_SAME:
        put_term(m, term->kids[0], out);
        BL_PUT(out, " == ");
        put_term(m, term->kids[1], out);
        return;
    case BL_TERM_HOW_MANY:
        if (term->body == NULL) {
            BL_PUT(out, "count(");
            put_term(m, term->kids[0], out);
            BL_PUT(out, ")");
            return;
        }
        break;
    case BL_TERM_NUMBER:
    case BL_TERM_TEXT:
    case BL_TERM_ABSENT:
    case BL_TERM_EVENT:
    case BL_TERM_BOUND:
    case BL_TERM_HAS:
    case BL_TERM_LIST:
    case BL_TERM_VERDICT:
    case BL_TERM_NODE:
        break;
    }
    put_source(m, term, out);
}

/* ---- values ---------------------------------------------------------------------------- */

static void put_duration(int64_t seconds, struct bl_buf *out)
{
    static const struct {
        int64_t seconds;
        const char *name;
    } units[] = {{86400, "days"}, {3600, "hours"}, {60, "minutes"}, {1, "seconds"}};
    size_t unit = 0;

    while (unit < 3 && seconds % units[unit].seconds != 0)
        unit++;
    bl_buf_printf(out, "%lld %s", (long long)(seconds / units[unit].seconds), units[unit].name);
}

static void put_number(const struct bl_term *term, int64_t value, struct bl_buf *out)
{
    char time[BL_TIME_TEXT_MAX];

    if (term->kind == BL_TERM_SUM && bl_type_is(term->kids[0]->type, BL_TYPE_TIME))
        put_duration(value, out);
    else if (bl_type_is(term->type, BL_TYPE_DURATION))
        put_duration(value, out);
    else if (bl_type_is(term->type, BL_TYPE_TIME))
        bl_buf_put(out, (bl_str){time, bl_time_format(value, time)});
    else if (bl_type_is(term->type, BL_TYPE_DATE))
        bl_buf_put(out, (bl_str){time, bl_date_format(value, time)});
    else if (bl_type_is(term->type, BL_TYPE_MONEY))
        bl_buf_printf(out, "$%lld.%04lld", (long long)(value / 10000),
                      (long long)(value % 10000));
    else
        bl_buf_put_int(out, value);
}

static void put_text(bl_str text, struct bl_buf *out)
{
    bl_buf_put_char(out, '"');
    bl_buf_put(out, bl_utf8_prefix(text, 40));
    if (text.len > 40)
        BL_PUT(out, "…");
    bl_buf_put_char(out, '"');
}

/* ---- states ---------------------------------------------------------------------------- */

static void put_truth(const struct bl_meaning *m, const struct bl_term *term, bool holds,
                      struct bl_buf *out)
{
    const struct bl_symbol *label;

    if (term->kind != BL_TERM_HAS) {
        if (!holds)
            BL_PUT(out, "not (");
        put_term(m, term, out);
        if (!holds)
            BL_PUT(out, ")");
        return;
    }
    label = bl_meaning_label(m, term->text);
    put_term(m, term->kids[0], out);
    bl_buf_put(out, holds ? BL_STR(" has ") : BL_STR(" lacks "));
    bl_buf_put(out, label != NULL ? label->name : term->text);
}

static unsigned count_bits(uint64_t bits)
{
    unsigned count = 0;

    for (; bits != 0; bits &= bits - 1)
        count++;
    return count;
}

static void put_members(const struct bl_meaning *m, const struct bl_term *term, uint64_t bits,
                        struct bl_buf *out)
{
    uint64_t rest = term->bits & ~BL_BIT_ABSENT & ~bits;
    bool other = count_bits(rest) == 1 && count_bits(bits) > 1;
    uint64_t shown = other ? rest : bits;
    bool first = true;

    bl_buf_put(out, other                   ? BL_STR(" != ")
                    : count_bits(bits) == 1 ? BL_STR(" == ")
                                            : BL_STR(" in ["));
    for (unsigned i = 0; i < BL_BITS_MAX; i++) {
        if ((shown >> i & 1) == 0)
            continue;
        if (!first)
            BL_PUT(out, ", ");
        first = false;
        bl_buf_put(out, bl_program_member(m->program, bl_type_ref(term->type), i));
    }
    if (!other && count_bits(bits) != 1)
        BL_PUT(out, "]");
}

static void put_bits(const struct bl_meaning *m, const struct bl_term *term, uint64_t bits,
                     struct bl_buf *out)
{
    uint64_t set = bits & ~BL_BIT_ABSENT;

    if (bl_type_is(term->type, BL_TYPE_BOOL) && count_bits(set) == 1) {
        put_truth(m, term, set == BL_BIT_TRUE, out);
        return;
    }
    put_term(m, term, out);
    if (set == 0)
        BL_PUT(out, " is absent");
    else if (!bl_type_is(term->type, BL_TYPE_ENUM) || set == (term->bits & ~BL_BIT_ABSENT))
        BL_PUT(out, " is set");
    else
        put_members(m, term, set, out);
}

static void put_ranges(const struct bl_meaning *m, const struct bl_term *term,
                       const struct bl_ranges *ranges, struct bl_buf *out)
{
    int64_t lo = ranges->count > 0 ? ranges->lo[0] : 0;
    int64_t hi = ranges->count > 0 ? ranges->hi[ranges->count - 1] : 0;

    if (term->kind == BL_TERM_HOW_MANY && term->body != NULL && hi == 0) {
        BL_PUT(out, "not (");
        put_term(m, term, out);
        BL_PUT(out, ")");
        return;
    }
    put_term(m, term, out);
    if (term->kind == BL_TERM_HOW_MANY && term->body != NULL && lo == 1 && hi == INT64_MAX)
        return;
    if (ranges->count == 0) {
        BL_PUT(out, " is absent");
        return;
    }
    if (lo == hi)
        BL_PUT(out, " == ");
    else if (lo != term->least)
        BL_PUT(out, " >= ");
    else if (hi != term->greatest)
        BL_PUT(out, " <= ");
    else if (ranges->count == 2 && ranges->lo[1] - ranges->hi[0] == 2)
        BL_PUT(out, " != ");
    else {
        BL_PUT(out, " is set");
        return;
    }
    put_number(term,
               lo == hi || lo != term->least ? lo
               : hi != term->greatest        ? hi
                                             : ranges->hi[0] + 1,
               out);
}

static void put_search(const struct bl_meaning *m, const struct bl_literal *l,
                       struct bl_buf *out)
{
    if (l->negated)
        BL_PUT(out, "not (");
    put_term(m, l->term, out);
    switch (l->form) {
    case BL_LITERAL_TEXTS:
        bl_buf_put(out, l->text_count == 1 ? BL_STR(" == ") : BL_STR(" in ["));
        for (uint32_t i = 0; i < l->text_count; i++) {
            if (i > 0)
                BL_PUT(out, ", ");
            put_text(l->texts[i], out);
        }
        if (l->text_count != 1)
            BL_PUT(out, "]");
        break;
    case BL_LITERAL_CONTAINS:
    case BL_LITERAL_STARTS:
    case BL_LITERAL_ENDS:
        bl_buf_put(out, l->form == BL_LITERAL_CONTAINS ? BL_STR(" contains ")
                        : l->form == BL_LITERAL_STARTS ? BL_STR(" starts_with ")
                                                       : BL_STR(" ends_with "));
        put_text(l->text, out);
        break;
    case BL_LITERAL_MATCHES:
        bl_buf_printf(out, " matches /%.*s/%.*s", BL_STR_ARG(bl_utf8_prefix(l->text, 40)),
                      BL_STR_ARG(l->flags));
        break;
    case BL_LITERAL_BITS:
    case BL_LITERAL_RANGES:
        break;
    }
    if (l->negated)
        BL_PUT(out, ")");
}

static void separate(struct bl_buf *out)
{
    if (out->len > 0)
        BL_PUT(out, ", ");
}

void bl_witness_words(struct bl_meaning *m, struct bl_solver *s, const struct bl_term *term,
                      struct bl_buf *out)
{
    struct bl_narrowed state = bl_solver_state(s, term);

    if (out->len > WORDS_MAX)
        return;
    switch (term->domain) {
    case BL_DOMAIN_BITS:
        if (state.bits == term->bits)
            return;
        separate(out);
        put_bits(m, term, state.bits, out);
        return;
    case BL_DOMAIN_NUMBERS:
        separate(out);
        put_ranges(m, term, &state.ranges, out);
        return;
    case BL_DOMAIN_TEXTS:
        break;
    }
    for (const struct bl_asserted *a = state.texts; a != NULL; a = a->next) {
        if (out->len > WORDS_MAX ||
            (a->literal->form == BL_LITERAL_TEXTS && a->literal->text_count == 0))
            continue; /* only that it is set, or is not */
        separate(out);
        put_search(m, a->literal, out);
    }
}

void bl_witness_describe(const struct bl_witness *w, struct bl_buf *out)
{
    if (w->words.len > 0)
        bl_buf_printf(out, "for instance with %.*s", BL_STR_ARG(w->words));
    if (w->assumed.len > 0)
        bl_buf_printf(out, "%sif %.*s", w->words.len > 0 ? ", " : "", BL_STR_ARG(w->assumed));
}
