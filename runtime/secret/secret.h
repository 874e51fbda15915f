/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_SECRET_SECRET_H
#define BL_SECRET_SECRET_H

#include "bytecode/module.h"
#include "value/value.h"

/* Sets of secrets over a text (SEC-01 to SEC-21). One pass says where patterns of the set may
 * begin, and they are tried at those places alone, so an ordinary text costs little more than
 * that pass and the measure of chance, which passes over short words. Everything is linear in
 * the text: matches of one row do not overlap, and what a condition costs grows with what was
 * found. */

/* Calls a function of the module: the machine, or a test. */
struct bl_secret_host {
    enum bl_status (*call)(void *context, uint32_t function, const struct bl_value *args,
                           size_t count, struct bl_value *out);
    void *context;
};

struct bl_secret_finding {
    uint32_t finder; /* in FINDERS */
    size_t lo, hi;   /* bytes of the text: the part that counts */
    uint32_t bits;   /* of the measure of chance; 0 of patterns */
    uint32_t seen;   /* bits of enum bl_view_step: how the text was read; 0: as it is */
};
struct bl_secret_findings {
    BL_VEC(struct bl_secret_finding) list; /* by place, then by row */
    uint64_t
        steps; /* bytes that were read, in all passes together; what conditions cost aside */
};

/* What the rows of set `set` (in SECRETS) find in the text; bytes that are no UTF-8 stand
 * between words. Rows are asked
 * in order, all of them in the text as it is and then in each view of it that the set has; what
 * a view shows of a finding, or of what its row leaves out of the text, is no finding. `first`:
 * one finding is enough, and no condition behind it is asked (SEC-14: what only a condition
 * reads is then read when it alone decides). Memory: a few bytes for each byte of text while it
 * runs, given back; findings stay in `arena`. BL_ERR_NOMEM, or what the host returned. */
BL_NODISCARD enum bl_status bl_secret_find(struct bl_arena *arena, const struct bl_module *m,
                                           uint32_t set, bl_str text,
                                           const struct bl_secret_host *host, bool first,
                                           struct bl_secret_findings *out);

/* Calls `each` with the text, valid UTF-8, and with what each step of the set's view makes of
 * it; what it is given lasts as long as the call. Adds to *steps the bytes that were read.
 * BL_ERR_NOMEM, or what `each` returned. */
BL_NODISCARD enum bl_status bl_secret_read(struct bl_arena *arena, const struct bl_module *m,
                                           uint32_t set, bl_str text,
                                           enum bl_status (*each)(void *context, bl_str text),
                                           void *context, uint64_t *steps);

/* ---- the measure of chance ----------------------------------------------------------------
 */

struct bl_chance_segment {
    size_t lo, hi;
    uint32_t bits;
};
/* Segments of letters, digits and + / = _ - that are at least `bits` bits longer written with a
 * table of code, paths and prose than with six bits a character. Each is the best of its kind:
 * nothing at its ends makes it longer. Calls `each` from left to right until it returns false.
 * One look into a table for each byte of a run of `least` bytes, and fewer for others; 128 KiB
 * of scratch memory. False when out of memory. */
bool bl_chance_each(struct bl_arena *arena, bl_str text, uint32_t least, uint32_t bits,
                    bool (*each)(void *context, struct bl_chance_segment segment),
                    void *context);

#endif
