/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"

/* What guards make known: that an expression is set, that a comment is one of ours, on which
 * events control is here. One snapshot, one value: a fact about a path or a call holds as long
 * as its names mean the same. */

/* ---- equal expressions
 * ---------------------------------------------------------------------------- */

static bool same_names(const struct bl_node *a, const struct bl_node *b)
{
    if (!bl_str_equal(a->text, b->text))
        return false;
    if (a->kind != BL_NODE_NAME)
        return true;
    if (a->resolution == BL_RESOLVED_NOT || b->resolution == BL_RESOLVED_NOT)
        return false;
    return a->resolution == b->resolution && a->symbol == b->symbol && a->index == b->index;
}

static bool same_expression(const struct bl_node *a, const struct bl_node *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    if (a->kind != b->kind || a->op != b->op || a->number != b->number ||
        a->kid_count != b->kid_count || !same_names(a, b))
        return false;
    for (uint32_t i = 0; i < a->kid_count; i++) {
        if (!same_expression(a->kids[i], b->kids[i]))
            return false;
    }
    return true;
}

static uint64_t hash_of(const struct bl_node *node)
{
    uint64_t hash;

    if (node == NULL)
        return 0;
    hash = bl_str_hash(node->text, (uint64_t)node->kind + 1) ^ (uint64_t)node->number;
    for (uint32_t i = 0; i < node->kid_count; i++)
        hash = hash * UINT64_C(0x9E3779B97F4A7C15) + hash_of(node->kids[i]);
    return hash;
}

/* Calls may read ambient names, bare names of defines too. */
static bool may_read_ambients(const struct bl_node *node)
{
    if (node == NULL)
        return false;
    if (node->resolution == BL_RESOLVED_CALL)
        return node->symbol == NULL || node->symbol->as.callable->ambients != 0;
    for (uint32_t i = 0; i < node->kid_count; i++) {
        if (may_read_ambients(node->kids[i]))
            return true;
    }
    return false;
}

/* ---- the facts
 * ------------------------------------------------------------------------------------- */

struct bl_known_mark bl_sema_mark(const struct bl_checker *c)
{
    return (struct bl_known_mark){c->body->known.count, c->body->events};
}

void bl_sema_forget(struct bl_checker *c, struct bl_known_mark mark)
{
    c->body->known.count = mark.count;
    c->body->events = mark.events;
}

void bl_sema_know(struct bl_checker *c, const struct bl_node *node, bl_type type)
{
    struct bl_known *known;

    if (bl_is_error(type))
        return;
    known = BL_PUSH(c->arena, c->body->known);
    if (known == NULL)
        return;
    known->node = node;
    known->hash = hash_of(node);
    known->type = type;
    for (unsigned i = 0; i < BL_AMBIENT_COUNT; i++)
        known->rebound[i] = c->body->rebound[i];
}

static bool still_holds(const struct bl_checker *c, const struct bl_known *known)
{
    if (!may_read_ambients(known->node))
        return true;
    for (unsigned i = 0; i < BL_AMBIENT_COUNT; i++) {
        if (known->rebound[i] != c->body->rebound[i])
            return false;
    }
    return true;
}

/* Nothing else can be narrowed. */
static bool can_be_narrowed(const struct bl_node *node, bl_type type)
{
    if (node->kind != BL_NODE_NAME && node->kind != BL_NODE_FIELD &&
        node->kind != BL_NODE_OPTIONAL_FIELD && node->kind != BL_NODE_CALL)
        return false;
    return bl_type_is_optional(type) || type == BL_ENTITY_TYPE(COMMENT) ||
           bl_type_is(type, BL_TYPE_POSTED);
}

bl_type bl_sema_narrowed(struct bl_checker *c, const struct bl_node *node, bl_type declared)
{
    uint64_t hash;
    bl_type type = declared;

    if (c->body == NULL || c->body->known.count == 0 || bl_is_error(declared) ||
        !can_be_narrowed(node, declared))
        return declared;
    hash = hash_of(node);
    for (size_t i = 0; i < c->body->known.count; i++) {
        const struct bl_known *known = &c->body->known.items[i];

        if (known->hash != hash || !same_expression(known->node, node) ||
            !still_holds(c, known))
            continue;
        /* A kind says more than that the comment is there; that comes later on says nothing
         * less. */
        if (bl_type_is(known->type, BL_TYPE_POSTED) && !bl_type_is_optional(known->type))
            type = bl_type_kind(bl_type_base(declared)) == BL_TYPE_POSTED ||
                           bl_type_base(declared) == BL_ENTITY_TYPE(COMMENT)
                       ? known->type
                       : bl_type_base(type);
        else if (bl_type_kind(type) != BL_TYPE_POSTED || bl_type_is_optional(type))
            type = bl_type_base(type);
    }
    return type;
}

/* ---- what a condition says
 * ------------------------------------------------------------------------- */

static void assume_set(struct bl_checker *c, struct bl_node *node)
{
    if (bl_type_is_optional(node->declared))
        bl_sema_know(c, node, bl_type_base(node->type));
    /* `a?.b` is set only when a is. */
    if (node->kind == BL_NODE_OPTIONAL_FIELD)
        assume_set(c, node->kids[0]);
}

static void assume_is(struct bl_checker *c, struct bl_node *node, bool holds)
{
    bool positive = holds == (node->kind == BL_NODE_IS);
    struct bl_node *left = node->kids[0];

    if ((node->resolution == BL_RESOLVED_IS_SET && positive) ||
        (node->resolution == BL_RESOLVED_IS_ABSENT && !positive))
        assume_set(c, left);
    if (node->resolution == BL_RESOLVED_IS_KIND && positive) {
        bl_sema_know(c, left, BL_TYPE_MAKE(BL_TYPE_POSTED, node->index));
        if (left->kind == BL_NODE_OPTIONAL_FIELD)
            assume_set(c, left->kids[0]);
    }
}

/* With an absent side == is false; so is `in`. */
static void assume_comparison(struct bl_checker *c, struct bl_node *node, bool holds)
{
    if (node->resolution == BL_RESOLVED_SAME)
        return;
    if ((node->op == BL_OPERATOR_EQ && holds) || (node->op == BL_OPERATOR_NE && !holds)) {
        assume_set(c, node->kids[0]);
        assume_set(c, node->kids[1]);
    } else if (node->op == BL_OPERATOR_IN && holds) {
        assume_set(c, node->kids[0]);
    }
}

static void assume_values(struct bl_checker *c, struct bl_node *node, bool holds)
{
    if (node->kind == BL_NODE_NOT) {
        assume_values(c, node->kids[0], !holds);
    } else if (node->kind == BL_NODE_AND || node->kind == BL_NODE_OR) {
        if (holds != (node->kind == BL_NODE_AND))
            return;
        assume_values(c, node->kids[0], holds);
        assume_values(c, node->kids[1], holds);
    } else if (node->kind == BL_NODE_IS || node->kind == BL_NODE_IS_NOT) {
        assume_is(c, node, holds);
    } else if (node->kind == BL_NODE_COMPARE) {
        assume_comparison(c, node, holds);
    }
}

/* ---- on which events
 * ------------------------------------------------------------------------------- */

/* The events on which a condition can hold, and on which it can fail. */
struct events {
    uint64_t holds, fails;
};

static struct events events_of(const struct bl_node *node);

/* The condition of a define without parameters stands for itself; it is looked at once. */
static struct events events_behind(const struct bl_node *node)
{
    struct events all = {BL_ALL_EVENTS, BL_ALL_EVENTS};
    struct bl_callable *callable;

    if (node->resolution != BL_RESOLVED_CALL || node->symbol == NULL ||
        node->symbol->kind != BL_SYMBOL_DEFINE || node->kid_count > 0)
        return all;
    callable = node->symbol->as.callable;
    if (callable->value == NULL)
        return all;
    if (callable->holds == 0 && callable->fails == 0) {
        /* One that asks for itself is told so elsewhere; here it must only come to an end. */
        callable->holds = callable->fails = BL_ALL_EVENTS;
        all = events_of(callable->value);
        callable->holds = all.holds;
        callable->fails = all.fails;
    }
    return (struct events){callable->holds, callable->fails};
}

static struct events negated(struct events e)
{
    return (struct events){e.fails, e.holds};
}

static struct events events_of_is(const struct bl_node *node)
{
    struct events e = {BL_ALL_EVENTS, BL_ALL_EVENTS};

    if (node->resolution == BL_RESOLVED_IS_EVENT) {
        e.holds = UINT64_C(1) << node->index;
        e.fails = BL_ALL_EVENTS & ~e.holds;
    } else if ((node->resolution == BL_RESOLVED_IS_SET ||
                node->resolution == BL_RESOLVED_IS_ABSENT) &&
               node->kids[0]->kind == BL_NODE_NAME &&
               node->kids[0]->resolution == BL_RESOLVED_AMBIENT) {
        /* What no event brings is not there; a run by hand may be about nothing all the same.
         */
        e.holds = bl_sema_bringers((enum bl_ambient)node->kids[0]->index);
        if (node->resolution == BL_RESOLVED_IS_ABSENT)
            e = negated(e);
    }
    return node->kind == BL_NODE_IS ? e : negated(e);
}

static struct events events_of(const struct bl_node *node)
{
    struct events all = {BL_ALL_EVENTS, BL_ALL_EVENTS};
    struct events left, right;

    if (node->kind == BL_NODE_NOT)
        return negated(events_of(node->kids[0]));
    if (node->kind == BL_NODE_AND || node->kind == BL_NODE_OR) {
        left = events_of(node->kids[0]);
        right = events_of(node->kids[1]);
        if (node->kind == BL_NODE_AND)
            return (struct events){left.holds & right.holds,
                                   left.fails | (left.holds & right.fails)};
        return (struct events){left.holds | (left.fails & right.holds),
                               left.fails & right.fails};
    }
    if (node->kind == BL_NODE_IS || node->kind == BL_NODE_IS_NOT)
        return events_of_is(node);
    if (node->kind == BL_NODE_BOOL)
        return node->number != 0 ? (struct events){BL_ALL_EVENTS, 0}
                                 : (struct events){0, BL_ALL_EVENTS};
    return node->kind == BL_NODE_NAME || node->kind == BL_NODE_CALL ? events_behind(node) : all;
}

void bl_sema_assume(struct bl_checker *c, struct bl_node *condition, bool holds)
{
    struct events events;

    if (condition == NULL)
        return;
    assume_values(c, condition, holds);
    events = events_of(condition);
    c->body->events &= holds ? events.holds : events.fails;
}
