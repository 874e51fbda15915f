/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/tables.h"

#include "spec/rows.h"

/* ---- enumerations ----------------------------------------------------------------------- */

_Static_assert((int)BL_ENUM_OWN_COUNT <= (int)BL_ENUM_COUNT,
               "the enumerations of policies begin behind ours");

/* One byte a member, so that the size of each struct counts; a member that stands below another
 * enumeration has no place in its own. */
struct members_of_none {
    char start;
#define BL_ENUM(id, name)                                                                      \
    }                                                                                          \
    ;                                                                                          \
    struct members_of_##id {                                                                   \
        char start;
#define BL_MEMBER(list, id, spelling) char list##_##id;
#include "spec/enums.def"
#undef BL_ENUM
#undef BL_MEMBER
};
#define BL_ENUM(id, name)
#define BL_MEMBER(list, id, spelling)                                                          \
    _Static_assert(offsetof(struct members_of_##list, list##_##id) ==                          \
                       (size_t)BL_##list##_##id + 1,                                           \
                   "the members of an enumeration stand together: " #list "." spelling);
#include "spec/enums.def"
#undef BL_ENUM
#undef BL_MEMBER

static const struct {
    bl_str name;
    uint16_t first;
    uint16_t count;
} enums[] = {
#define BL_ENUM(id, name)                                                                      \
    [BL_ENUM_##                                                                                \
        id] = {BL_ROW_STR(name), BL_MEMBERS_##id##_FROM, sizeof(struct members_of_##id) - 1},
#define BL_MEMBER(list, id, spelling)
#include "spec/enums.def"
#undef BL_ENUM
#undef BL_MEMBER
};
BL_ROWS_COMPLETE(enums, BL_ENUM_OWN_COUNT);

static const bl_str members[] = {
#define BL_ENUM(id, name)
#define BL_MEMBER(list, id, spelling) [BL_DENSE_##list##_##id] = BL_ROW_STR(spelling),
#include "spec/enums.def"
#undef BL_ENUM
#undef BL_MEMBER
};
BL_ROWS_COMPLETE(members, BL_MEMBERS_TOTAL);

static const bl_str nothing = {NULL, 0};

bl_str bl_enum_name(enum bl_enum which)
{
    return (unsigned)which < BL_ENUM_OWN_COUNT ? enums[which].name : nothing;
}

enum bl_enum bl_enum_find(bl_str name)
{
    for (unsigned i = 0; i < BL_ENUM_OWN_COUNT; i++) {
        if (bl_row_is(enums[i].name, name))
            return (enum bl_enum)i;
    }
    return BL_ENUM_COUNT;
}

unsigned bl_enum_member_count(enum bl_enum which)
{
    return (unsigned)which < BL_ENUM_OWN_COUNT ? enums[which].count : 0;
}

bl_str bl_enum_member(enum bl_enum which, unsigned member)
{
    return member < bl_enum_member_count(which) ? members[enums[which].first + member]
                                                : nothing;
}

unsigned bl_enum_member_find(enum bl_enum which, bl_str spelling)
{
    unsigned count = bl_enum_member_count(which);

    for (unsigned i = 0; i < count; i++) {
        if (bl_row_is(members[enums[which].first + i], spelling))
            return i;
    }
    return count;
}

/* ---- permissions, reads, places --------------------------------------------------------- */

static const struct bl_permission_info permissions[] = {
#define BL_PERMISSION(id, key, level)                                                          \
    [BL_PERMISSION_##id] = {BL_ROW_STR(key), BL_ROW_STR(level)},
#include "spec/permissions.def"
#undef BL_PERMISSION
};
BL_ROWS_COMPLETE(permissions, BL_PERMISSION_COUNT);
_Static_assert(BL_PERMISSION_COUNT <= 32, "capability masks are 32 bits");

const struct bl_permission_info *bl_permission_info(enum bl_permission permission)
{
    return BL_ROW_AT(permissions, permission, BL_PERMISSION_COUNT);
}

/* GitHub's keys have hyphens, names of policies cannot. */
static bool is_key(bl_str key, bl_str word)
{
    for (size_t i = 0; i < key.len && key.len == word.len; i++) {
        if ((key.ptr[i] == '-' ? '_' : key.ptr[i]) != word.ptr[i])
            return false;
    }
    return key.len == word.len;
}

enum bl_permission bl_permission_named(bl_str word, bl_str level)
{
    for (unsigned i = BL_PERMISSION_NONE + 1; i < BL_PERMISSION_COUNT; i++) {
        if (is_key(permissions[i].key, word) && bl_row_is(permissions[i].level, level))
            return (enum bl_permission)i;
    }
    return BL_PERMISSION_COUNT;
}

static const struct bl_read_info reads[] = {
#define BL_READ(id, name, permission, doc)                                                     \
    [BL_READ_##id] = {BL_ROW_STR(name), BL_PERMISSION_##permission, BL_ROW_STR(doc)},
#include "spec/reads.def"
#undef BL_READ
};
BL_ROWS_COMPLETE(reads, BL_READ_COUNT);

const struct bl_read_info *bl_read_info(enum bl_read read)
{
    return BL_ROW_AT(reads, read, BL_READ_COUNT);
}

enum bl_read bl_read_find(bl_str name)
{
    for (unsigned i = 0; i < BL_READ_COUNT; i++) {
        if (bl_row_is(reads[i].name, name))
            return (enum bl_read)i;
    }
    return BL_READ_COUNT;
}

static const bl_str places[] = {
#define BL_PLACE(id, name, doc) [BL_PLACE_##id] = BL_ROW_STR(name),
#include "spec/places.def"
#undef BL_PLACE
};
BL_ROWS_COMPLETE(places, BL_PLACE_COUNT);

bl_str bl_place_name(enum bl_place place)
{
    return (unsigned)place < BL_PLACE_COUNT ? places[place] : nothing;
}

enum bl_place bl_place_find(bl_str name)
{
    for (unsigned i = 0; i < BL_PLACE_COUNT; i++) {
        if (bl_row_is(places[i], name))
            return (enum bl_place)i;
    }
    return BL_PLACE_COUNT;
}

/* ---- effects, builtins, opcodes, limits ------------------------------------------------- */

static const struct bl_effect_info effects[] = {
#define BL_EFFECT(id, words, order, permission, proof, args, doc)                              \
    [BL_EFFECT_##id] = {BL_ROW_STR(words),          order,                                     \
                        BL_PERMISSION_##permission, BL_PROOF_##proof,                          \
                        BL_ROW_STR(args),           BL_ROW_STR(doc)},
#include "spec/effects.def"
#undef BL_EFFECT
};
BL_ROWS_COMPLETE(effects, BL_EFFECT_COUNT);

const struct bl_effect_info *bl_effect_info(enum bl_effect effect)
{
    return BL_ROW_AT(effects, effect, BL_EFFECT_COUNT);
}

static const struct bl_step_info steps[] = {
#define BL_STEP(id, words, phase, args, doc)                                                   \
    [BL_STEP_##id] = {BL_ROW_STR(words), BL_PHASE_##phase, BL_ROW_STR(args), BL_ROW_STR(doc)},
#include "spec/steps.def"
#undef BL_STEP
};
BL_ROWS_COMPLETE(steps, BL_STEP_COUNT);

const struct bl_step_info *bl_step_info(enum bl_step step)
{
    return BL_ROW_AT(steps, step, BL_STEP_COUNT);
}

static const struct bl_builtin_info builtins[] = {
#define BL_BUILTIN(id, name, params, result, read, cost, doc)                                  \
    [BL_BUILTIN_##id] = {BL_ROW_STR(name), BL_ROW_STR(params), BL_ROW_STR(result),             \
                         BL_READ_##read,   BL_COST_##cost,     BL_ROW_STR(doc)},
#include "spec/builtins.def"
#undef BL_BUILTIN
};
BL_ROWS_COMPLETE(builtins, BL_BUILTIN_COUNT);

const struct bl_builtin_info *bl_builtin_info(enum bl_builtin builtin)
{
    return BL_ROW_AT(builtins, builtin, BL_BUILTIN_COUNT);
}

enum bl_builtin bl_builtin_find(bl_str name)
{
    for (unsigned i = 0; i < BL_BUILTIN_COUNT; i++) {
        if (bl_row_is(builtins[i].name, name))
            return (enum bl_builtin)i;
    }
    return BL_BUILTIN_COUNT;
}

static const struct bl_op_info ops[] = {
#define BL_OP(id, mnemonic, a, b, c, rule, flags, doc)                                         \
    [BL_OP_##id] = {BL_ROW_STR(mnemonic), BL_OPERAND_##a,    BL_OPERAND_##b, BL_OPERAND_##c,   \
                    BL_RULE_##rule,       (unsigned)(flags), BL_ROW_STR(doc)},
#include "spec/opcodes.def"
#undef BL_OP
};
BL_ROWS_COMPLETE(ops, BL_OP_COUNT);
_Static_assert(BL_OP_COUNT <= 256, "an opcode is a byte");

const struct bl_op_info *bl_op_info(enum bl_opcode op)
{
    return BL_ROW_AT(ops, op, BL_OP_COUNT);
}

static const struct bl_limit_info limits[] = {
#define BL_LIMIT(id, name, value, why)                                                         \
    [BL_LIMIT_##id] = {BL_ROW_STR(name), UINT64_C(value), BL_ROW_STR(why)},
#include "spec/limits.def"
#undef BL_LIMIT
};
BL_ROWS_COMPLETE(limits, BL_LIMIT_COUNT);

const struct bl_limit_info *bl_limit_info(enum bl_limit limit)
{
    return BL_ROW_AT(limits, limit, BL_LIMIT_COUNT);
}

uint64_t bl_limit(enum bl_limit limit)
{
    return (unsigned)limit < BL_LIMIT_COUNT ? limits[limit].value : 0;
}
