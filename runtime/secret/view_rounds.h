/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_SECRET_VIEW_ROUNDS_H
#define BL_SECRET_VIEW_ROUNDS_H

#include "secret/part.h"
#include "secret/view.h"

/* A declared view: a text without what is left out, then decoded, then folded, and that once
 * more, since what was encoded twice is what it says, too. */

/* Signs first, then runs: a run that a sign breaks would be decoded to something else. */
enum bl_view_step { BL_VIEW_WITHOUT, BL_VIEW_SIGNS, BL_VIEW_RUNS, BL_VIEW_FOLDED };

struct bl_view_rounds {
    struct bl_arena *arena; /* of the views, which live as long */
    const struct bl_module *m;
    const struct bl_module_view *row;
    uint32_t sieve; /* that knows what is left out */
    bool whole;     /* each view is all of the text, else the lines that its step changed */
    /* Called for each view that differs. `seen`: bits of the steps that made it. BL_OK goes on;
     * *done ends it. */
    enum bl_status (*look)(void *context, const struct bl_view *view, unsigned seen,
                           bool *done);
    void *context;
    uint64_t *steps; /* bytes that were read */
};
/* What there is to be read otherwise. In all other lines a view is the text. */
struct bl_view_places {
    struct bl_secret_spans left_out; /* in the order of the text; none touches another */
    struct bl_view_lines lines;
};
/* `text`: valid UTF-8, in which `sought` knows what is left out from `from` on. False when out
 * of memory. */
bool bl_view_find_left_out(const struct bl_view_rounds *rounds, bl_str text,
                           const struct bl_secret_sought *sought, size_t from,
                           struct bl_secret_spans *out);
/* The lines of these spans, and those that hold something to decode or to fold: one pass, which
 * steps from sign to sign and from one long word to the next. False when out of memory. */
bool bl_view_find_lines(const struct bl_view_rounds *rounds, bl_str text,
                        const struct bl_secret_spans *left_out, struct bl_view_lines *out);
/* All views of the text, of which `places` is known and is used up. BL_ERR_NOMEM, or what
 * `look` returned. */
enum bl_status bl_view_rounds(const struct bl_view_rounds *rounds, bl_str text,
                              struct bl_view_places *places);

#endif
