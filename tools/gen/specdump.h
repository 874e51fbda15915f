/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TOOLS_GEN_SPECDUMP_H
#define BL_TOOLS_GEN_SPECDUMP_H

/* Every number that stands in modules, one a line in the order of the tables:
 * tests/golden/numbers.txt. */
void specdump_numbers(void);
/* docs/reference/clauses.md. */
void specdump_clauses(void);
/* docs/reference/declarations.md. */
void specdump_declarations(void);
/* docs/reference/tree.md and tree.schema.json. */
void specdump_tree(void);
void specdump_tree_schema(void);

#endif
