/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/tables.h"

/* The types of operators and of text: what docs/language.md says about them, for the checker
 * and the verifier alike. */

static bool is_error(bl_type t)
{
    return bl_type_is(t, BL_TYPE_ERROR);
}

/* ---- arithmetic ------------------------------------------------------------------------- */

static const struct {
    uint8_t op;
    uint8_t b;
    uint8_t c;
    uint8_t result;
} arithmetic[] = {
    {BL_OP_ADD, BL_TYPE_INT, BL_TYPE_INT, BL_TYPE_INT},
    {BL_OP_ADD, BL_TYPE_DURATION, BL_TYPE_DURATION, BL_TYPE_DURATION},
    {BL_OP_ADD, BL_TYPE_TIME, BL_TYPE_DURATION, BL_TYPE_TIME},
    {BL_OP_ADD, BL_TYPE_DATE, BL_TYPE_DURATION, BL_TYPE_DATE},
    {BL_OP_ADD, BL_TYPE_MONEY, BL_TYPE_MONEY, BL_TYPE_MONEY},
    {BL_OP_SUB, BL_TYPE_INT, BL_TYPE_INT, BL_TYPE_INT},
    {BL_OP_SUB, BL_TYPE_DURATION, BL_TYPE_DURATION, BL_TYPE_DURATION},
    {BL_OP_SUB, BL_TYPE_TIME, BL_TYPE_DURATION, BL_TYPE_TIME},
    {BL_OP_SUB, BL_TYPE_TIME, BL_TYPE_TIME, BL_TYPE_DURATION},
    {BL_OP_SUB, BL_TYPE_DATE, BL_TYPE_DURATION, BL_TYPE_DATE},
    {BL_OP_SUB, BL_TYPE_MONEY, BL_TYPE_MONEY, BL_TYPE_MONEY},
    {BL_OP_MUL, BL_TYPE_INT, BL_TYPE_INT, BL_TYPE_INT},
    {BL_OP_MUL, BL_TYPE_INT, BL_TYPE_PERCENT, BL_TYPE_INT},
    {BL_OP_MUL, BL_TYPE_DURATION, BL_TYPE_INT, BL_TYPE_DURATION},
    {BL_OP_MUL, BL_TYPE_MONEY, BL_TYPE_INT, BL_TYPE_MONEY},
};

bl_type bl_arith_type(enum bl_opcode op, bl_type b, bl_type c)
{
    if (bl_type_is_optional(b) || bl_type_is_optional(c))
        return BL_TYPE_ERROR;
    if (op == BL_OP_ADD && bl_type_is_list(b) && bl_type_is_list(c)) {
        /* The empty list, a list of ERROR, fits every list and every list fits it: the other
         * one is the type of the sum. */
        if (bl_type_kind(c) != BL_TYPE_ERROR && bl_type_fits(b, c))
            return c;
        return bl_type_fits(c, b) ? b : (bl_type)BL_TYPE_ERROR;
    }
    if (op == BL_OP_ADD && bl_type_is_text(b) && bl_type_is_text(c))
        return bl_text_join(b, c);
    /* None of the rows has a ref, so the whole type is compared: no list matches either. */
    for (size_t i = 0; i < sizeof arithmetic / sizeof arithmetic[0]; i++) {
        if (arithmetic[i].op == (unsigned)op && arithmetic[i].b == b && arithmetic[i].c == c)
            return arithmetic[i].result;
    }
    return BL_TYPE_ERROR;
}

/* ---- comparisons ------------------------------------------------------------------------ */

static bool is_comment(bl_type t)
{
    return bl_type_kind(t) == BL_TYPE_POSTED ||
           t == BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_COMMENT);
}

/* Texts that compare with each other byte by byte. */
static bool is_comparable_text(bl_type t)
{
    static const uint32_t kinds = 1u << BL_TYPE_TEXT | 1u << BL_TYPE_UNTRUSTED |
                                  1u << BL_TYPE_NAME | 1u << BL_TYPE_PATH |
                                  1u << BL_TYPE_REPOSITORY_NAME | 1u << BL_TYPE_LINK |
                                  1u << BL_TYPE_CLEAN | 1u << BL_TYPE_MASKED;

    return bl_type_is_text(t) && (kinds & 1u << (unsigned)bl_type_kind(t)) != 0;
}

static bool is_label_and_name(bl_type a, bl_type b)
{
    return bl_type_kind(a) == BL_TYPE_LABEL &&
           (bl_type_kind(b) == BL_TYPE_NAME || bl_type_kind(b) == BL_TYPE_TEXT);
}

bool bl_types_equatable(bl_type a, bl_type b)
{
    if (is_error(a) || is_error(b))
        return true;
    if (bl_type_is_list(a) || bl_type_is_list(b))
        return false;
    if (bl_type_kind(a) == BL_TYPE_NONE || bl_type_kind(b) == BL_TYPE_NONE)
        return bl_type_is_optional(a) || bl_type_is_optional(b);
    a = bl_type_base(a);
    b = bl_type_base(b);
    if (is_comparable_text(a) && is_comparable_text(b))
        return true;
    if (is_label_and_name(a, b) || is_label_and_name(b, a))
        return true;
    if (is_comment(a) && is_comment(b))
        return true;
    return a == b && (bl_type_flags(bl_type_kind(a)) & BL_TYPE_E) != 0;
}

bool bl_types_ordered(bl_type a, bl_type b)
{
    if (is_error(a) || is_error(b))
        return true;
    return a == b && !bl_type_is_list(a) && !bl_type_is_optional(a) &&
           (bl_type_flags(bl_type_kind(a)) & BL_TYPE_O) != 0;
}

/* ---- texts ------------------------------------------------------------------------------ */

bl_type bl_text_join(bl_type a, bl_type b)
{
    const bl_type untrusted = BL_TYPE_UNTRUSTED;
    unsigned places = ~0u;
    bl_type parts[] = {a, b};

    for (size_t i = 0; i < 2; i++) {
        if (is_error(parts[i]) || !bl_type_fits(parts[i], untrusted))
            return BL_TYPE_ERROR;
    }
    for (size_t i = 0; i < 2; i++) {
        if (bl_type_kind(parts[i]) == BL_TYPE_CLEAN)
            places &= bl_type_ref(parts[i]);
        else if (bl_type_kind(parts[i]) != BL_TYPE_TEXT)
            return untrusted;
    }
    if (places == ~0u)
        return BL_TYPE_TEXT;
    return places != 0 ? BL_TYPE_MAKE(BL_TYPE_CLEAN, places) : (bl_type)BL_TYPE_ERROR;
}

static bool renders_by_place(bl_type scalar)
{
    if (bl_type_kind(scalar) == BL_TYPE_ENTITY)
        return bl_entity_info((enum bl_entity)bl_type_ref(scalar))->renders;
    return (bl_type_flags(bl_type_kind(scalar)) & BL_TYPE_R) != 0;
}

bl_type bl_render_type(bl_type value, enum bl_place place)
{
    bl_type here = BL_TYPE_MAKE(BL_TYPE_CLEAN, 1u << (unsigned)place);

    if (bl_type_is_optional(value) || (unsigned)place >= BL_PLACE_COUNT)
        return BL_TYPE_ERROR;
    /* A list of values renders as its elements with the joining words of the language between
     * them; a list of lists has no reading. */
    if (bl_type_is_list(value))
        value = bl_type_element(value);
    if (bl_type_is_list(value))
        return BL_TYPE_ERROR;
    if ((bl_type_flags(bl_type_kind(value)) & BL_TYPE_W) != 0)
        return BL_TYPE_TEXT;
    if (renders_by_place(value) ||
        (bl_type_kind(value) == BL_TYPE_CLEAN && bl_type_fits(value, here)))
        return here;
    return BL_TYPE_ERROR;
}
