/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_SEMA_CLAUSE_SHAPE_H
#define BL_SEMA_CLAUSE_SHAPE_H

#include "base/buf.h"
#include "sema/clauses.h"

/* A shape of clauses.def held against the elements of one clause. */

enum bl_misfit {
    BL_MISFIT_NONE,
    BL_MISFIT_ENDS,          /* the clause ends, `wanted` is asked for */
    BL_MISFIT_OTHER,         /* something else than `wanted` stands at `at` */
    BL_MISFIT_MANY,          /* `count` values stand where one is asked for, from `at` on */
    BL_MISFIT_VALUE_MISSING, /* no `= …` */
    BL_MISFIT_VALUE,         /* a `= …` that has no place */
    BL_MISFIT_BLOCK_MISSING,
    BL_MISFIT_BLOCK, /* a block that has no place */
    BL_MISFIT_BROKEN /* the parser has said what is wrong */
};

struct bl_fitting {
    struct bl_clause *clause; /* slots, block_kind and has_block are set */
    struct bl_arena *arena;   /* for the node of an R */
    bl_str shape;
    enum bl_clause_block inner; /* what `{.}` means */
    struct bl_node **items;     /* elements of the phrase at hand */
    uint32_t count, at, from;   /* `from`: behind the words of the row */
    uint32_t reached;           /* how many elements fitted, both phrases of a row together */
    unsigned slot;
    bool value_used, block_used, was_value;
    /* why not */
    enum bl_misfit misfit;
    bl_str wanted;    /* "a value", "'because'" without the quotes */
    bool wanted_word; /* `wanted` is a word of the shape */
    char letter;      /* of the slot that was asked for; 0: something else */
    uint32_t excess;
};

/* Fits the elements from `from` on. False with the reason in `misfit`; `at` is the element. */
bool bl_shape_fit(struct bl_fitting *fitting, uint32_t from);
/* The block of that name in clauses.def; `inner` for "." */
enum bl_clause_block bl_clause_block_named(bl_str name, enum bl_clause_block inner);
/* The clause as one writes it: "add label|labels value, … [because value]". */
void bl_shape_describe(const struct bl_clause_info *row, struct bl_buf *out);

#endif
