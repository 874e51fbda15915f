/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_SEMA_SECRETS_H
#define BL_SEMA_SECRETS_H

#include "bytecode/module.h"
#include "sema/program.h"

/* Sets of secrets and redactions, as the checker leaves them. */

struct bl_view_declared {
    struct bl_node_list without; /* PATTERNs */
    uint32_t decoded, folded;    /* bits of decodings.def and foldings.def */
    bool typed;                  /* sema's own */
};
/* A row of a set of secrets; sets that are like another share its rows. */
struct bl_finder_declared {
    bl_str kind;
    struct bl_node *pattern;     /* PATTERN; NULL: the measure of chance */
    int64_t least, bits;         /* of that measure */
    struct bl_node_list outside; /* PATTERNs */
    struct bl_node *condition;   /* or NULL */
    struct bl_symbol *match;     /* LOCAL: what was found, in the condition */
    struct bl_span span;
};
struct bl_secret_set {
    struct {
        struct bl_finder_declared **items;
        size_t count, capacity;
    } finders;
    struct bl_symbol *view;    /* or NULL */
    struct bl_need_list needs; /* none but what every run has */
    bool reads;
    unsigned calls, state; /* sema's own */
};
struct bl_mask_declared {
    struct bl_node *kind, *source; /* of type NAME; text for the log */
    struct bl_node *pattern;       /* PATTERN; NULL: a list */
    struct bl_node *until;         /* PATTERN, or NULL */
    enum bl_mask_field field;
    struct bl_node *list;
    bl_type element;                            /* of the list */
    struct bl_symbol *variable, *index, *match; /* LOCALs that they may name, or NULL */
    struct bl_node *condition;                  /* of a pattern; or NULL */
    struct bl_span span;
};
#define BL_MARKER_PARTS 3u
struct bl_redaction {
    struct bl_node *condition; /* or NULL */
    struct bl_node *marker;
    struct bl_symbol *parts[BL_MARKER_PARTS]; /* LOCALs: kind, size, digest */
    struct bl_node *size;                     /* or NULL */
    struct bl_symbol *bytes;                  /* LOCAL */
    struct bl_node *keep;                     /* PATTERN, or NULL */
    struct bl_symbol *view;                   /* or NULL */
    struct {
        struct bl_mask_declared *items;
        size_t count, capacity;
    } masks;
    struct bl_need_list needs;
    bool reads;
    unsigned calls, state; /* sema's own */
};
/* How many groups ( ) a pattern has; with one at its top, the part that counts is what stands
 * in it, behind *front. 2 also for one that stands elsewhere. */
unsigned bl_pattern_groups(bl_str source, bl_str *front, bl_str *part);

#endif
