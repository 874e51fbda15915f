/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_SEMA_CLAUSE_SLIPS_H
#define BL_SEMA_CLAUSE_SLIPS_H

#include "sema/clause_shape.h"

/* What the hand does out of the habit of other languages, where a clause does not fit: told as
 * what it is, with the fix where one is certain. */
struct bl_slips {
    struct bl_arena *arena;
    struct bl_diagnostics *sink;
    struct bl_sources *sources;
};

/* May a clause of the block begin with the word? */
bool bl_block_knows(enum bl_clause_block block, bl_str word);
/* True when it knows why the clause of the block does not fit, and has said so. */
bool bl_slip_report(const struct bl_slips *slips, enum bl_clause_block block,
                    const struct bl_fitting *f);
/* Adds help and fix to a message about what stands at f->at; true when it did. */
bool bl_slip_help(const struct bl_slips *slips, struct bl_diagnostic *d,
                  const struct bl_fitting *f);

#endif
