/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_SEMA_LEVELS_H
#define BL_SEMA_LEVELS_H

#include "sema/checker.h"

/* Levels of implicit flow (language-review §5.6): whose word an effect rests on. For levels.c,
 * which walks paths to effects and finds the fixpoint, and endorsements.c, which asks one
 * condition. Levels are enum bl_level, anyone to policy; NO_LEVEL is no endorsement. */

#define NO_LEVEL (-1)

/* Expressions that one question looks at, at most: defines that call defines are looked at anew
 * for each call, and what is not looked at endorses nothing. */
#define LEVEL_STEPS_MAX 100000u

/* Who wrote a label or an attribute of a marker last with the least endorsement. */
struct bl_level_source {
    int level;
    const struct bl_level_effect *writer; /* NULL: nothing in the policy writes it */
};

/* What leads to an effect, innermost first. */
enum bl_path_kind {
    BL_PATH_HOLDS,  /* the condition holds */
    BL_PATH_ASKED,  /* it was asked: an `otherwise` behind it, a row above, a list, a moment */
    BL_PATH_IS_SET, /* the value is there */
    BL_PATH_BY,     /* whoever gave the command is one of these actors */
    BL_PATH_FACT    /* what happened at all: of this level */
};
struct bl_path {
    enum bl_path_kind kind;
    struct bl_node *node; /* HOLDS, ASKED, IS_SET */
    const struct bl_symbol_list *actors;
    int level; /* FACT */
    struct bl_span span;
    const struct bl_path *outer;
};

struct bl_level_effect {
    struct bl_statement *statement;
    struct bl_symbol *owner; /* the rule, step, lifecycle or command */
    const struct bl_path *path;
};

/* Parameters of a function as the call in hand gives them. */
struct bl_level_frame {
    const struct bl_symbol_list *params;
    struct bl_node **args;
    size_t count;
    const struct bl_level_frame *outer;
};

struct bl_levels {
    struct bl_checker *c;
    BL_VEC(struct bl_level_effect) effects;
    struct bl_level_source *labels;      /* by number of the symbol */
    struct bl_level_source **attributes; /* by number of the comment, then of the attribute */
    unsigned steps;                      /* of the question in hand */
    /* The least source that the question came by, for the message. */
    const struct bl_level_source *weakest;
    struct bl_span weakest_at;
};

/* Who must have agreed when the condition holds; NO_LEVEL: nobody need have. */
int bl_endorses(struct bl_levels *l, struct bl_node *node, const struct bl_level_frame *frame);
/* The same when the value is set. */
int bl_endorses_set(struct bl_levels *l, struct bl_node *node,
                    const struct bl_level_frame *frame);
/* The least level of all facts that the value rests on. */
int bl_lowest_fact(struct bl_levels *l, struct bl_node *node,
                   const struct bl_level_frame *frame);
int bl_actors_level(const struct bl_symbol_list *actors);

/* Both must hold; one of both holds. */
static inline int bl_level_both(int a, int b)
{
    return a > b ? a : b;
}
static inline int bl_level_either(int a, int b)
{
    return a < b ? a : b;
}

#endif
