/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_EMIT_DOCUMENT_PARTS_H
#define BL_EMIT_DOCUMENT_PARTS_H

#include "emit/lowering.h"

/* What the files that lower documents share. */

enum bl_row_kind { BL_ROW_BLOCK, BL_ROW_LINE, BL_ROW_ITEM, BL_ROW_NOTHING };

/* A document under construction. */
struct bl_writing {
    unsigned pieces; /* what was written so far: a list of texts fit for the place */
    bl_type type;    /* of each */
    enum bl_place place;
    unsigned last;  /* enum bl_row_kind: what was written last */
    unsigned joint; /* inside an alert: what stands before its next block */
    bool is_alert;
};

/* A row that shows a value, behind what stands there; `before` stands in front of it. */
void bl_write_row(struct bl_body *body, struct bl_writing *w, struct bl_node *value,
                  bl_str before, enum bl_row_kind kind);
/* One statement of a document; `context` is its struct bl_writing. */
void bl_lower_document_row(struct bl_body *body, struct bl_statement *s, void *context);
/* `for each` in a document: ordered, cut and counted as its rows say. */
void bl_lower_document_loop(struct bl_body *body, struct bl_statement *s, struct bl_writing *w);

#endif
