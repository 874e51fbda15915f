/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_SEMA_FOREIGN_H
#define BL_SEMA_FOREIGN_H

#include "base/diagnostic.h"
#include "sema/clauses.h"
#include "spec/tables.h"

/* The rows of foreign.def: words from elsewhere, and what is written here in their place. */
struct bl_foreign {
    bl_str elsewhere;
    bl_str here; /* empty: no word says it */
    bl_str help; /* empty: "Did you mean 'here'?" */
};

/* Each gives NULL for a word that the table does not have. */
const struct bl_foreign *bl_foreign_function(bl_str word);
const struct bl_foreign *bl_foreign_type(bl_str word);
/* The one whose spelling is near. */
const struct bl_foreign *bl_foreign_near_type(bl_str word);
const struct bl_foreign *bl_foreign_name(bl_str word);
/* A field of a thing, of a text or of a list; `entity` counts when it is neither of these. */
const struct bl_foreign *bl_foreign_field(enum bl_entity entity, bool text, bool list,
                                          bl_str word);
const struct bl_foreign *bl_foreign_clause(enum bl_clause_block block, bl_str word);

/* Adds the help, and the fix of the span when there is a word for it. */
void bl_foreign_help(struct bl_diagnostics *sink, struct bl_diagnostic *d,
                     const struct bl_foreign *row, struct bl_span span);

#endif
