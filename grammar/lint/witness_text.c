/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/witness_parts.h"

/* Texts for a witness: put together from what the conditions ask for, then held against all of
 * them. */

struct choice {
    struct bl_solver *s;
    const struct bl_asserted *const *lists;
    size_t count;
    unsigned variant;
};

static bool satisfies(const struct choice *c, bl_str text)
{
    for (size_t i = 0; i < c->count; i++) {
        for (const struct bl_asserted *a = c->lists[i]; a != NULL; a = a->next) {
            const struct bl_literal *l = a->literal;
            bl_str seen = l->form == BL_LITERAL_TEXTS && l->term->without_case
                              ? bl_lower_copy(c->s->arena, text)
                              : text;
            int holds = bl_search_holds(c->s, l, seen);

            if (holds < 0 || (holds != 0) == l->negated)
                return false;
        }
    }
    return true;
}

static void put_piece(struct bl_buf *buf, bl_str piece)
{
    if (bl_str_find(bl_buf_str(buf), piece) != SIZE_MAX)
        return;
    if (buf->len > 0)
        bl_buf_put_char(buf, ' ');
    bl_buf_put(buf, piece);
}

/* The longest of all pieces of one form. */
static bl_str longest(const struct choice *c, enum bl_literal_form form)
{
    bl_str best = {NULL, 0};

    for (size_t i = 0; i < c->count; i++) {
        for (const struct bl_asserted *a = c->lists[i]; a != NULL; a = a->next) {
            if (a->literal->form == form && !a->literal->negated &&
                a->literal->text.len > best.len)
                best = a->literal->text;
        }
    }
    return best;
}

enum place { AT_START, INSIDE, AT_END };

static enum place place_of(const struct bl_literal *l)
{
    bl_str text = l->text;

    if (l->form == BL_LITERAL_MATCHES && text.len > 0 && text.ptr[0] == '^')
        return AT_START;
    return l->form == BL_LITERAL_MATCHES && text.len > 0 && text.ptr[text.len - 1] == '$'
               ? AT_END
               : INSIDE;
}

static void put_pieces(const struct choice *c, enum place place, struct bl_buf *buf)
{
    for (size_t i = 0; i < c->count; i++) {
        for (const struct bl_asserted *a = c->lists[i]; a != NULL; a = a->next) {
            const struct bl_literal *l = a->literal;

            if (l->negated || place_of(l) != place)
                continue;
            if (l->form == BL_LITERAL_CONTAINS)
                put_piece(buf, l->text);
            else if (l->form == BL_LITERAL_MATCHES)
                put_piece(buf, bl_pattern_sample(c->s->arena, l->text, c->variant));
        }
    }
}

/* A filler stands where something must not begin or end the text. */
static bl_str put_together(const struct choice *c, bool before, bool behind)
{
    bl_str start = longest(c, BL_LITERAL_STARTS), end = longest(c, BL_LITERAL_ENDS);
    struct bl_buf buf;

    bl_buf_init(&buf, c->s->arena, 8192);
    bl_buf_put(&buf, start);
    put_pieces(c, AT_START, &buf);
    if (before)
        put_piece(&buf, BL_STR("x"));
    put_pieces(c, INSIDE, &buf);
    if (behind)
        BL_PUT(&buf, " x");
    put_pieces(c, AT_END, &buf);
    if (!bl_str_ends_with(bl_buf_str(&buf), end))
        put_piece(&buf, end);
    return bl_arena_copy(c->s->arena, bl_buf_str(&buf));
}

static bool one_of_the_texts(const struct choice *c, bl_str *out)
{
    for (size_t i = 0; i < c->count; i++) {
        for (const struct bl_asserted *a = c->lists[i]; a != NULL; a = a->next) {
            for (uint32_t t = 0; !a->literal->negated && t < a->literal->text_count; t++) {
                if (satisfies(c, a->literal->texts[t])) {
                    *out = a->literal->texts[t];
                    return true;
                }
            }
        }
    }
    return false;
}

bool bl_witness_choose_text(struct bl_solver *s, const struct bl_asserted *const *lists,
                            size_t count, bl_str usual, bl_str *out)
{
    static const bl_str others[] = {{"x", 1}, {"0", 1}, {"", 0}, {"Other words", 11}};
    struct choice c = {s, lists, count, 0};

    *out = usual;
    if (satisfies(&c, usual) || one_of_the_texts(&c, out))
        return true;
    for (unsigned way = 0; way < 16; way++) {
        c.variant = way / 4;
        *out = put_together(&c, (way & 1) != 0, (way & 2) != 0);
        if (satisfies(&c, *out))
            return true;
    }
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        *out = others[i];
        if (satisfies(&c, *out))
            return true;
    }
    return false;
}
