/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_SEMA_CLAUSES_H
#define BL_SEMA_CLAUSES_H

#include "spec/tables.h"
#include "syntax/ast.h"

/* The table of clauses.def, and clause trees matched against it. */

enum bl_clause_block {
#define BL_CLAUSE_BLOCK(id, name, included, inner) BL_BLOCK_##id,
#define BL_CLAUSE(id, block, words, shape, often, doc)
#include "spec/clauses.def"
#undef BL_CLAUSE_BLOCK
#undef BL_CLAUSE
    BL_BLOCK_COUNT
};
enum bl_clause_id {
#define BL_CLAUSE_BLOCK(id, name, included, inner)
#define BL_CLAUSE(id, block, words, shape, often, doc) BL_CLAUSE_##id,
#include "spec/clauses.def"
#undef BL_CLAUSE_BLOCK
#undef BL_CLAUSE
    BL_CLAUSE_COUNT
};
enum bl_clause_often { BL_OFTEN_MUST, BL_OFTEN_SOME, BL_OFTEN_ONCE, BL_OFTEN_MANY };

struct bl_clause_info {
    enum bl_clause_block block;
    bl_str words;
    bl_str shape;
    enum bl_clause_often often;
    bl_str doc;
};
struct bl_clause_block_info {
    bl_str name;
    uint64_t included; /* bits of enum bl_clause_block */
    enum bl_clause_block inner;
};
const struct bl_clause_info *bl_clause_info(enum bl_clause_id id);
const struct bl_clause_block_info *bl_clause_block_info(enum bl_clause_block block);
/* May rows of `row` stand in `block`: the same or an included one? */
bool bl_clause_block_takes(enum bl_clause_block block, enum bl_clause_block row);

/* What a letter of the shape took. */
struct bl_slot {
    struct bl_node *
        *nodes; /* the elements: one, or a list's; NULL when an optional part is missing */
    uint32_t count;
};
#define BL_CLAUSE_SLOTS 8

/* A clause or row that fits a row of the table. Points into the clause tree. */
struct bl_clause {
    enum bl_clause_id id;
    struct bl_node *node;   /* CLAUSE or ROW */
    struct bl_clause *next; /* of the same block */
    struct bl_slot slots[BL_CLAUSE_SLOTS];
    bool has_block;
    enum bl_clause_block block_kind;
    struct bl_clause *block;    /* its clauses; NULL: none, or empty */
    struct bl_clause *inner;    /* R: the statement in the rest */
    struct bl_node *inner_node; /* made for it */
    struct bl_clause
        *overridden; /* the declaration that this one changes, of a package that it uses */
};

/* The one node of a slot; NULL when it is empty. */
static inline struct bl_node *bl_slot_node(const struct bl_clause *clause, unsigned slot)
{
    return clause->slots[slot].count > 0 ? clause->slots[slot].nodes[0] : NULL;
}

/* Matches the clauses of a block (FILE or BLOCK node), those of inner blocks included. What
 * does not fit is reported and left out. Linear in the nodes. */
struct bl_clause *bl_clauses_match(struct bl_arena *arena, struct bl_sources *sources,
                                   struct bl_diagnostics *sink, struct bl_node *block,
                                   enum bl_clause_block kind);

#endif
