/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/types.h"

#include "spec/rows.h"
#include "spec/tables.h"

static const struct {
    bl_str spelling;
    uint8_t flags;
} kinds[] = {
#define BL_TYPE(id, spelling, flags, doc) [BL_TYPE_##id] = {BL_ROW_STR(spelling), (flags)},
#include "spec/types.def"
#undef BL_TYPE
};
BL_ROWS_COMPLETE(kinds, BL_TYPE_KIND_COUNT);
_Static_assert(BL_TYPE_KIND_COUNT <= 256, "a kind has 8 bits in a bl_type");
_Static_assert(BL_PLACE_COUNT <= 16, "a mask of places has 16 bits in a bl_type");

unsigned bl_type_flags(enum bl_type_kind kind)
{
    return (unsigned)kind < BL_TYPE_KIND_COUNT ? kinds[kind].flags : 0;
}

bl_str bl_type_kind_name(enum bl_type_kind kind)
{
    return (unsigned)kind < BL_TYPE_KIND_COUNT ? kinds[kind].spelling : (bl_str){NULL, 0};
}

/* Kinds that need a ref, or that no policy can name, have a phrase with a blank as spelling;
 * `none` is the literal alone. */
enum bl_type_kind bl_type_kind_find(bl_str spelling)
{
    if (bl_str_find_char(spelling, ' ') != SIZE_MAX)
        return BL_TYPE_KIND_COUNT;
    for (unsigned i = 0; i < BL_TYPE_KIND_COUNT; i++) {
        if (i != BL_TYPE_NONE && bl_row_is(kinds[i].spelling, spelling))
            return (enum bl_type_kind)i;
    }
    return BL_TYPE_KIND_COUNT;
}

bool bl_type_is_text(bl_type t)
{
    return !bl_type_is_list(t) && (bl_type_flags(bl_type_kind(t)) & BL_TYPE_T) != 0;
}

#define KIND_BIT(kind) (1u << (unsigned)BL_TYPE_##kind)
_Static_assert(BL_TYPE_KIND_COUNT <= 32, "sets of kinds are 32 bits");

/* What may stand where untrusted text is asked for, beside itself. Not there: secrets and
 * masked text, which go nowhere else, and file links, which are a path and a text. */
static const uint32_t into_untrusted = KIND_BIT(TEXT) | KIND_BIT(NAME) | KIND_BIT(PATH) |
                                       KIND_BIT(REPOSITORY_NAME) | KIND_BIT(LINK) |
                                       KIND_BIT(LABEL) | KIND_BIT(CLEAN);
/* What own text may stand for: it is the policy's word that this is a name, a path, a link. */
static const uint32_t from_text = KIND_BIT(NAME) | KIND_BIT(PATH) | KIND_BIT(REPOSITORY_NAME) |
                                  KIND_BIT(LINK) | KIND_BIT(CLEAN);

static bool is_error(bl_type t)
{
    return bl_type_is(t, BL_TYPE_ERROR);
}

/* Neither is a list, optional or an error; they differ. */
static bool scalar_fits(bl_type from, bl_type to)
{
    uint32_t from_bit = 1u << (unsigned)bl_type_kind(from);
    uint32_t to_bit = 1u << (unsigned)bl_type_kind(to);

    if (bl_type_kind(to) == BL_TYPE_UNTRUSTED)
        return (into_untrusted & from_bit) != 0;
    if (bl_type_kind(from) == BL_TYPE_TEXT)
        return (from_text & to_bit) != 0;
    if (bl_type_kind(from) == BL_TYPE_CLEAN && bl_type_kind(to) == BL_TYPE_CLEAN)
        return (bl_type_ref(to) & ~bl_type_ref(from)) == 0;
    if (bl_type_kind(from) == BL_TYPE_POSTED)
        return to == BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_COMMENT);
    return false;
}

bool bl_type_fits(bl_type from, bl_type to)
{
    if (from == to || is_error(from) || is_error(to))
        return true;
    /* A number from a module may name no kind. */
    if ((unsigned)bl_type_kind(from) >= BL_TYPE_KIND_COUNT ||
        (unsigned)bl_type_kind(to) >= BL_TYPE_KIND_COUNT)
        return false;
    if (bl_type_is_optional(to)) {
        if (bl_type_is(from, BL_TYPE_NONE))
            return true;
    } else if (bl_type_is_optional(from)) {
        return false;
    }
    from = bl_type_base(from);
    to = bl_type_base(to);
    while (bl_type_is_list(from) && bl_type_is_list(to)) {
        from = bl_type_element(from);
        to = bl_type_element(to);
        if (is_error(from) || is_error(to))
            return true;
    }
    if (bl_type_is_list(from) || bl_type_is_list(to))
        return false;
    return from == to || scalar_fits(from, to);
}
