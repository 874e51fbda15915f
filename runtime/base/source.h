/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_BASE_SOURCE_H
#define BL_BASE_SOURCE_H

#include "base/arena.h"

#include <stdint.h>

/* Bytes [lo, hi) of source number `source`. Lines and columns are computed only when a message
 * is printed. */
struct bl_span {
    uint32_t lo;
    uint32_t hi;
    uint32_t source;
};

#define BL_NO_SOURCE UINT32_MAX
#define BL_NO_SPAN   ((struct bl_span){0, 0, BL_NO_SOURCE})

/* A file of policy text (or an event, a world file: anything that messages point into). */
struct bl_source {
    bl_str path; /* as messages show it */
    bl_str text; /* empty until it is fetched, when that is to happen later */
    bool later;
    bool
        foreign; /* strangers wrote it: messages name places in it and show none of its lines */
    uint32_t *line_starts; /* made at first use */
    size_t line_count;
};

/* Gives the text of a source that was added for later; empty when there is none. It lives as
 * long as the sources. */
typedef bl_str bl_source_fetch(void *context, uint32_t number);

struct bl_sources {
    struct bl_arena *arena;
    BL_VEC(struct bl_source) list;
    bl_source_fetch *fetch;
    void *fetch_context;
};

struct bl_position {
    uint32_t line;         /* from 1 */
    uint32_t column;       /* from 1, in bytes */
    uint32_t column_chars; /* from 1, in code points: what people and SARIF count */
    uint32_t column_utf16; /* from 1, in UTF-16 units: what editors count */
};

void bl_sources_init(struct bl_sources *sources, struct bl_arena *arena);
/* Takes path and text as they are (no copy). Returns the source's number, BL_NO_SOURCE when out
 * of memory. */
uint32_t bl_sources_add(struct bl_sources *sources, bl_str path, bl_str text);
/* A source whose text is asked of `sources->fetch`, once, when a place in it is first looked
 * up: who runs a module needs its policies only for messages. */
uint32_t bl_sources_add_later(struct bl_sources *sources, bl_str path);
void bl_sources_mark_foreign(struct bl_sources *sources, uint32_t number);
/* NULL for an unknown number. The address lives until the next bl_sources_add. */
const struct bl_source *bl_sources_get(const struct bl_sources *sources, uint32_t number);
/* Place of a byte; an offset behind the text gives its end. Unknown sources, and memory that is
 * out, give line 0. The first call for a source is linear in its text, others in one line. */
struct bl_position bl_sources_position(struct bl_sources *sources, uint32_t number,
                                       uint32_t offset);
/* The text of a line (from 1) without its line end, LF or CR LF. */
bl_str bl_sources_line(struct bl_sources *sources, uint32_t number, uint32_t line);
/* The bytes of a span; empty for BL_NO_SPAN. */
bl_str bl_sources_text(struct bl_sources *sources, struct bl_span span);
/* The span over both (same source); the other one when one is BL_NO_SPAN. */
struct bl_span bl_span_join(struct bl_span a, struct bl_span b);

#endif
