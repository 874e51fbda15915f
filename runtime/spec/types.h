/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_SPEC_TYPES_H
#define BL_SPEC_TYPES_H

#include "base/str.h"

#include <stdint.h>

/* A type in 32 bits, the same in compiler, module and machine: equal numbers are equal types.
 *   bits 0-7 kind (types.def), 8-9 how many `list of` stand before it, 10 optional (the whole),
 *   11-15 zero, 16-31 ref: entity, enumeration, record, set of posted kinds, or mask of places.
 * Elements of lists are never optional. Three `list of` are the most: BL_LIST_OF of such a type
 * is nonsense, so who builds types from a policy asks bl_type_list_depth first. */
typedef uint32_t bl_type;

#define BL_TYPE_T 1u
#define BL_TYPE_O 2u
#define BL_TYPE_E 4u
#define BL_TYPE_R 8u
#define BL_TYPE_V 16u
#define BL_TYPE_W 32u

enum bl_type_kind {
#define BL_TYPE(id, spelling, flags, doc) BL_TYPE_##id,
#include "spec/types.def"
#undef BL_TYPE
    BL_TYPE_KIND_COUNT
};

/* Bits of enum bl_type_kind: what the JSON may hold, beside lists and optional parts of it. */
#define BL_ANSWER_KINDS                                                                        \
    (1u << BL_TYPE_BOOL | 1u << BL_TYPE_INT | 1u << BL_TYPE_UNTRUSTED | 1u << BL_TYPE_LABEL |  \
     1u << BL_TYPE_LOCALE | 1u << BL_TYPE_ENUM | 1u << BL_TYPE_RECORD)
/* Texts of a file are what others may have written: it holds no own words, and no record. */
#define BL_STORE_KINDS                                                                         \
    (1u << BL_TYPE_BOOL | 1u << BL_TYPE_INT | 1u << BL_TYPE_UNTRUSTED | 1u << BL_TYPE_NAME |   \
     1u << BL_TYPE_ENUM | 1u << BL_TYPE_DATE | 1u << BL_TYPE_TIME)

/* Places of places.def as bits of the mask of a clean type. */
enum bl_place {
#define BL_PLACE(id, name, doc) BL_PLACE_##id,
#include "spec/places.def"
#undef BL_PLACE
    BL_PLACE_COUNT
};

#define BL_TYPE_MAKE(kind, ref) ((bl_type)(kind) | ((bl_type)(ref) << 16))
#define BL_TYPE_OPTIONAL_BIT    0x400u
#define BL_TYPE_LIST_STEP       0x100u
#define BL_TYPE_LIST_MASK       0x300u
#define BL_LIST_OF(type)        ((bl_type)((type) & ~BL_TYPE_OPTIONAL_BIT) + BL_TYPE_LIST_STEP)
#define BL_TYPE_LIST_DEPTH_MAX  3u
#define BL_OPTIONAL(type)       ((bl_type)((type) | BL_TYPE_OPTIONAL_BIT))

static inline enum bl_type_kind bl_type_kind(bl_type t)
{
    return (enum bl_type_kind)(t & 0xff);
}
static inline unsigned bl_type_ref(bl_type t)
{
    return t >> 16;
}
static inline bool bl_type_is_list(bl_type t)
{
    return (t & BL_TYPE_LIST_MASK) != 0;
}
static inline bool bl_type_is_optional(bl_type t)
{
    return (t & BL_TYPE_OPTIONAL_BIT) != 0;
}
static inline unsigned bl_type_list_depth(bl_type t)
{
    return (t & BL_TYPE_LIST_MASK) / BL_TYPE_LIST_STEP;
}
/* Without `?`. */
static inline bl_type bl_type_base(bl_type t)
{
    return t & ~BL_TYPE_OPTIONAL_BIT;
}
/* The element of a list type; BL_TYPE_ERROR for others. */
static inline bl_type bl_type_element(bl_type t)
{
    return bl_type_is_list(t) ? bl_type_base(t) - BL_TYPE_LIST_STEP : (bl_type)BL_TYPE_ERROR;
}
/* A scalar kind (not a list, possibly optional)? */
static inline bool bl_type_is(bl_type t, enum bl_type_kind kind)
{
    return bl_type_kind(t) == kind && !bl_type_is_list(t);
}

unsigned bl_type_flags(enum bl_type_kind kind);
bl_str bl_type_kind_name(enum bl_type_kind kind);
/* The scalar kind that a policy spells so ("duration"); BL_TYPE_KIND_COUNT when none. Kinds
 * with a ref (entities, enumerations …) are not among them. */
enum bl_type_kind bl_type_kind_find(bl_str spelling);
/* A text-like value (flag T), not a list. */
bool bl_type_is_text(bl_type t);

/* May a value of `from` stand where `to` is asked for? The one rule of conversion for the
 * checker and the verifier; no conversion changes a value:
 * - the same type, T where T? is asked for, `none` where T? is asked for;
 * - anything where ERROR is on either side, so the empty list (list of ERROR) for any list;
 * - text, name, path, repository_name, link, label, clean text where untrusted is asked for;
 * - text where name, path, link or clean text is asked for, never the other way round;
 * - clean text of more places where fewer are asked for;
 * - a posted comment where a comment is asked for;
 * - lists element by element. */
bool bl_type_fits(bl_type from, bl_type to);

#endif
