/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/clauses.h"

#define ROW_STR(literal)                                                                       \
    {                                                                                          \
        "" literal, sizeof("" literal) - 1                                                     \
    }

static const struct bl_clause_info rows[] = {
#define BL_CLAUSE_BLOCK(id, name, included, inner)
#define BL_CLAUSE(id, block, words, shape, often, doc)                                         \
    [BL_CLAUSE_##id] = {BL_BLOCK_##block, ROW_STR(words), ROW_STR(shape), BL_OFTEN_##often,    \
                        ROW_STR(doc)},
#include "spec/clauses.def"
#undef BL_CLAUSE_BLOCK
#undef BL_CLAUSE
};

#define IN(block) (UINT64_C(1) << BL_BLOCK_##block)
static const struct bl_clause_block_info blocks[] = {
#define BL_CLAUSE_BLOCK(id, name, included, inner)                                             \
    [BL_BLOCK_##id] = {ROW_STR(name), (included), BL_BLOCK_##inner},
#define BL_CLAUSE(id, block, words, shape, often, doc)
#include "spec/clauses.def"
#undef BL_CLAUSE_BLOCK
#undef BL_CLAUSE
};
_Static_assert(BL_BLOCK_COUNT <= 64, "sets of blocks have 64 bits");

const struct bl_clause_info *bl_clause_info(enum bl_clause_id id)
{
    return &rows[id];
}

const struct bl_clause_block_info *bl_clause_block_info(enum bl_clause_block block)
{
    return &blocks[block];
}

bool bl_clause_block_takes(enum bl_clause_block block, enum bl_clause_block row)
{
    return block == row || (blocks[block].included >> row & 1) != 0;
}
