/* SPDX-License-Identifier: Apache-2.0 */
#include "bytecode/facts.h"

#define NAME(literal)                                                                          \
    {                                                                                          \
        literal, sizeof(literal) - 1                                                           \
    }

static const struct bl_fact_info facts[BL_FACT_COUNT] = {
#define BL_FACT(id, path, ambient, first, second)                                              \
    [BL_FACT_##id] = {NAME(path), BL_AMBIENT_##ambient, BL_FIELD_##first, BL_FIELD_##second},
#include "bytecode/facts.def"
#undef BL_FACT
};

const struct bl_fact_info *bl_fact_info(enum bl_fact fact)
{
    return (unsigned)fact < BL_FACT_COUNT ? &facts[fact] : NULL;
}

bl_type bl_fact_type(enum bl_fact fact)
{
    const struct bl_fact_info *info = bl_fact_info(fact);

    if (info == NULL)
        return BL_TYPE_ERROR;
    return bl_field_info(info->second != BL_FIELD_COUNT ? info->second : info->first)->type;
}
