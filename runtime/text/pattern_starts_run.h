/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TEXT_PATTERN_STARTS_RUN_H
#define BL_TEXT_PATTERN_STARTS_RUN_H

#include "text/pattern_blob.h"

/* What both ways of running several patterns share: over all of a text, and where it changed.
 */

/* The bit of all walks that have none of their own. */
#define BL_FURTHER_WALKS 63u

struct bl_attempts {
    struct bl_dfa_view *dfa; /* one of both, once it was opened */
    struct bl_graph_view *graph;
    size_t behind;  /* what begins in front of it is a part of what was found, or was asked */
    uint64_t spent; /* steps that came to nothing */
    bool given_up;  /* all of the text is asked */
};

struct bl_starting {
    struct bl_arena *arena;
    struct bl_starts_view view;
    const struct bl_pattern *patterns;
    bl_str text;
    size_t from;
    size_t lo, hi; /* places that are tried, within the text */
    bool (*each)(void *context, size_t pattern, struct bl_match match);
    void *context;
    uint64_t *steps;
    struct bl_starts_log *log; /* or NULL */
    struct bl_attempts *attempts;
    uint64_t *asked; /* a bit for each pattern of the sieve that is asked for */
    bool asks_sieve;
    bool bytes[256];        /* at which those are tried that are looked for so ... */
    uint64_t walks_of[256]; /* ... namely these walks */
    size_t line_bytes; /* the most that one needs in front of a line feed; 0: none is asked */
    bool asks_bytes;
    size_t speaking; /* the one that `relay` speaks for */
    bool failed;
};

/* Tries nothing yet. False when out of memory. */
bool bl_starts_begin(struct bl_starting *s, struct bl_pattern starts);
/* Tries all patterns at the places from s->lo on in front of s->hi. */
void bl_starts_try(struct bl_starting *s);

#endif
