/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/levels.h"

/* Whom one condition rests on. */

static bool may_go_on(struct bl_levels *l)
{
    return l->steps < LEVEL_STEPS_MAX && l->steps++ < LEVEL_STEPS_MAX;
}

/* Only the word of a maintainer endorses through what the policy keeps: a weaker one would be
 * a fact like any other. */
static int kept(struct bl_levels *l, const struct bl_level_source *source, struct bl_span span)
{
    if (l->weakest == NULL || source->level < l->weakest->level) {
        l->weakest = source;
        l->weakest_at = span;
    }
    return source->level >= BL_LEVEL_MAINTAINER ? source->level : NO_LEVEL;
}

static const struct bl_level_source *label_source(struct bl_levels *l,
                                                  const struct bl_node *node)
{
    return node->resolution == BL_RESOLVED_LABEL ? &l->labels[node->symbol->number] : NULL;
}

/* The weakest of the kinds that the comment may be of; NULL when none keeps the attribute. */
static const struct bl_level_source *attribute_source(struct bl_levels *l,
                                                      const struct bl_node *node)
{
    bl_type object = bl_type_base(node->kids[0]->type);
    const struct bl_level_source *least = NULL;

    if (!bl_type_is(object, BL_TYPE_POSTED))
        return NULL;
    const struct bl_posted_kinds *kinds = &l->c->program->posted.items[bl_type_ref(object)];
    for (size_t k = 0; k < kinds->count; k++) {
        const struct bl_document *document = kinds->kinds[k]->as.document;
        for (size_t i = 0; i < document->attribute_count; i++) {
            struct bl_level_source *source = &l->attributes[kinds->kinds[k]->number][i];
            if (bl_str_equal(document->attributes[i].name, node->text) &&
                (least == NULL || source->level < least->level))
                least = source;
        }
    }
    return least;
}

/* ---- what stands behind names ---------------------------------------------------------------
 */

/* The argument that a parameter has in this call, and the frame in which it stands. */
static struct bl_node *argument(const struct bl_node *node, const struct bl_level_frame *frame,
                                const struct bl_level_frame **outer)
{
    for (; frame != NULL; frame = frame->outer) {
        for (size_t i = 0; i < frame->params->count && i < frame->count; i++) {
            if (frame->params->items[i] != node->symbol)
                continue;
            *outer = frame->outer;
            return frame->args[i];
        }
    }
    return NULL;
}

static bool is_local(const struct bl_node *node, enum bl_local_kind kind)
{
    return node->resolution == BL_RESOLVED_LOCAL && node->symbol->as.local->kind == kind;
}

static struct bl_level_frame frame_of(const struct bl_node *call,
                                      const struct bl_symbol_list *params,
                                      const struct bl_level_frame *outer)
{
    return (struct bl_level_frame){params, call->kids, call->kid_count, outer};
}

typedef int bl_question(struct bl_levels *l, struct bl_node *node,
                        const struct bl_level_frame *frame);

/* The value of a local or parameter, asked the same. */
static int through_name(struct bl_levels *l, struct bl_node *node,
                        const struct bl_level_frame *frame, bl_question *ask, int otherwise)
{
    const struct bl_level_frame *outer = NULL;
    struct bl_node *value;

    if (is_local(node, BL_LOCAL_LET))
        return ask(l, node->symbol->as.local->value, frame);
    value = is_local(node, BL_LOCAL_PARAMETER) ? argument(node, frame, &outer) : NULL;
    return value != NULL ? ask(l, value, outer) : otherwise;
}

/* What a define or decision gives: each way to it must be endorsed. */
static int through_call(struct bl_levels *l, struct bl_node *node,
                        const struct bl_level_frame *outer, bl_question *ask)
{
    const struct bl_callable *callable = node->symbol->as.callable;
    struct bl_level_frame frame = frame_of(node, &callable->params, outer);
    int level = BL_LEVEL_POLICY + 1; /* no way was seen */

    if (callable->value != NULL)
        return ask(l, callable->value, &frame);
    for (const struct bl_statement *s = callable->body; s != NULL; s = s->next) {
        if (s->kind == BL_STATEMENT_GIVE)
            return ask(l, s->value, &frame);
        if (s->kind != BL_STATEMENT_ROW || s->value == NULL || s->value->kind == BL_NODE_NONE ||
            (s->value->kind == BL_NODE_BOOL && s->value->number == 0))
            continue;
        int way = ask(l, s->value, &frame);
        if (s->condition != NULL)
            way = bl_level_both(way, bl_endorses(l, s->condition, &frame));
        level = bl_level_either(level, way);
    }
    return level > BL_LEVEL_POLICY ? NO_LEVEL : level;
}

/* ---- conditions -----------------------------------------------------------------------------
 */

int bl_actors_level(const struct bl_symbol_list *actors)
{
    int level = BL_LEVEL_POLICY;

    for (size_t i = 0; i < actors->count; i++)
        level = bl_level_either(level, (int)actors->items[i]->as.callable->level);
    return actors->count > 0 && level > BL_LEVEL_ANYONE ? level : NO_LEVEL;
}

static int actor_level(const struct bl_symbol *actor)
{
    int level = (int)actor->as.callable->level;

    return level > BL_LEVEL_ANYONE ? level : NO_LEVEL;
}

/* `if C then A else B`: the way through A has C behind it. */
static int through_if(struct bl_levels *l, struct bl_node *node,
                      const struct bl_level_frame *frame, bl_question *ask)
{
    int level = BL_LEVEL_POLICY + 1;

    for (uint32_t i = 1; i < 3; i++) {
        struct bl_node *branch = node->kids[i];
        if (branch->kind == BL_NODE_NONE ||
            (branch->kind == BL_NODE_BOOL && branch->number == 0))
            continue;
        int way = ask(l, branch, frame);
        if (i == 1)
            way = bl_level_both(way, bl_endorses(l, node->kids[0], frame));
        level = bl_level_either(level, way);
    }
    return level > BL_LEVEL_POLICY ? NO_LEVEL : level;
}

static int ask_name(struct bl_levels *l, struct bl_node *node,
                    const struct bl_level_frame *frame)
{
    const struct bl_level_source *source;

    switch ((unsigned)node->resolution) {
    case BL_RESOLVED_LOCAL:
        return through_name(l, node, frame, bl_endorses, NO_LEVEL);
    case BL_RESOLVED_CALL:
        return node->symbol->kind == BL_SYMBOL_DEFINE ||
                       node->symbol->kind == BL_SYMBOL_DECISION
                   ? through_call(l, node, frame, bl_endorses)
                   : NO_LEVEL;
    case BL_RESOLVED_IS_ACTOR:
        return node->kind == BL_NODE_IS ? actor_level(node->symbol) : NO_LEVEL;
    case BL_RESOLVED_IS_SET:
        return node->kind == BL_NODE_IS ? bl_endorses_set(l, node->kids[0], frame) : NO_LEVEL;
    case BL_RESOLVED_IS_ABSENT:
        return node->kind == BL_NODE_IS_NOT ? bl_endorses_set(l, node->kids[0], frame)
                                            : NO_LEVEL;
    case BL_RESOLVED_HAS:
        source = node->op == BL_OPERATOR_HAS ? label_source(l, node->kids[1]) : NULL;
        return source != NULL ? kept(l, source, node->span) : NO_LEVEL;
    case BL_RESOLVED_ATTRIBUTE:
        source = attribute_source(l, node);
        return source != NULL ? kept(l, source, node->span) : NO_LEVEL;
    default:
        return NO_LEVEL;
    }
}

int bl_endorses(struct bl_levels *l, struct bl_node *node, const struct bl_level_frame *frame)
{
    if (node == NULL || !may_go_on(l))
        return NO_LEVEL;
    switch ((unsigned)node->kind) {
    case BL_NODE_AND:
        return bl_level_both(bl_endorses(l, node->kids[0], frame),
                             bl_endorses(l, node->kids[1], frame));
    case BL_NODE_OR:
        return bl_level_either(bl_endorses(l, node->kids[0], frame),
                               bl_endorses(l, node->kids[1], frame));
    case BL_NODE_ANY:
        return bl_endorses(l, node->kids[1], frame);
    case BL_NODE_IF:
        return through_if(l, node, frame, bl_endorses);
    default:
        return ask_name(l, node, frame);
    }
}

/* ---- what is set ----------------------------------------------------------------------------
 */

/* An element of the list is there: `each x in xs where C` says what holds of it. */
static int element_of(struct bl_levels *l, struct bl_node *list,
                      const struct bl_level_frame *frame)
{
    return list->kind == BL_NODE_EACH ? bl_endorses(l, list->kids[1], frame) : NO_LEVEL;
}

static int set_by_builtin(struct bl_levels *l, struct bl_node *node,
                          const struct bl_level_frame *frame)
{
    if (node->kid_count == 0)
        return NO_LEVEL;
    switch (node->index) {
    case BL_BUILTIN_FIRST:
    case BL_BUILTIN_LAST:
    case BL_BUILTIN_ONLY:
        return element_of(l, node->kids[0], frame);
    case BL_BUILTIN_ISSUE_NUMBER: /* absent in, absent out */
        return bl_endorses_set(l, node->kids[0], frame);
    default:
        return NO_LEVEL;
    }
}

static int set_by_name(struct bl_levels *l, struct bl_node *node,
                       const struct bl_level_frame *frame)
{
    switch ((unsigned)node->resolution) {
    case BL_RESOLVED_LOCAL:
        return through_name(l, node, frame, bl_endorses_set, NO_LEVEL);
    case BL_RESOLVED_CALL:
        return node->symbol->kind == BL_SYMBOL_DEFINE ||
                       node->symbol->kind == BL_SYMBOL_DECISION
                   ? through_call(l, node, frame, bl_endorses_set)
                   : NO_LEVEL;
    case BL_RESOLVED_BUILTIN:
        return set_by_builtin(l, node, frame);
    case BL_RESOLVED_ATTRIBUTE: {
        const struct bl_level_source *source = attribute_source(l, node);
        int own = source != NULL ? kept(l, source, node->span) : NO_LEVEL;
        return bl_level_both(own, bl_endorses_set(l, node->kids[0], frame));
    }
    case BL_RESOLVED_FIELD:
    case BL_RESOLVED_RECORD_FIELD:
        return bl_endorses_set(l, node->kids[0], frame);
    default:
        return NO_LEVEL;
    }
}

int bl_endorses_set(struct bl_levels *l, struct bl_node *node,
                    const struct bl_level_frame *frame)
{
    if (node == NULL || !may_go_on(l))
        return NO_LEVEL;
    switch ((unsigned)node->kind) {
    case BL_NODE_FIRST:
    case BL_NODE_LAST:
        return bl_endorses(l, node->kids[1], frame);
    case BL_NODE_IF:
        return through_if(l, node, frame, bl_endorses_set);
    case BL_NODE_ELSE:
        return bl_level_either(bl_endorses_set(l, node->kids[0], frame),
                               bl_endorses_set(l, node->kids[1], frame));
    default:
        return set_by_name(l, node, frame);
    }
}

/* ---- facts ----------------------------------------------------------------------------------
 */

/* Of the record's actor: anyone, unless a condition says who; then that endorses already. */
static int fact_level(enum bl_level level)
{
    return level == BL_LEVEL_ACTOR ? (int)BL_LEVEL_ANYONE : (int)level;
}

static int own_fact(struct bl_levels *l, struct bl_node *node)
{
    const struct bl_level_source *source = NULL;
    const struct bl_field_info *field;

    switch ((unsigned)node->resolution) {
    case BL_RESOLVED_FIELD:
        field = bl_field_info((enum bl_field)node->index);
        return field != NULL ? fact_level(field->level) : (int)BL_LEVEL_ANYONE;
    case BL_RESOLVED_HAS:
        source = label_source(l, node->kids[1]);
        return source != NULL ? source->level : (int)BL_LEVEL_ANYONE;
    case BL_RESOLVED_ATTRIBUTE:
        source = attribute_source(l, node);
        return source != NULL ? source->level : (int)BL_LEVEL_ANYONE;
    case BL_RESOLVED_ANSWER:
        return BL_LEVEL_AI;
    case BL_RESOLVED_STORE: /* whoever called an entry, or wrote the file */
    case BL_RESOLVED_IS_COMMAND:
        return BL_LEVEL_ANYONE;
    default:
        return BL_LEVEL_POLICY;
    }
}

/* Decisions of a function: its conditions and what it gives. */
static int facts_of_body(struct bl_levels *l, const struct bl_statement *list,
                         const struct bl_level_frame *frame)
{
    int level = BL_LEVEL_POLICY;

    for (const struct bl_statement *s = list; s != NULL; s = s->next) {
        level = bl_level_either(level, bl_lowest_fact(l, s->condition, frame));
        level = bl_level_either(level, bl_lowest_fact(l, s->value, frame));
        level = bl_level_either(level, facts_of_body(l, s->body, frame));
        level = bl_level_either(level, facts_of_body(l, s->otherwise, frame));
    }
    return level;
}

static int facts_of_call(struct bl_levels *l, const struct bl_node *node,
                         const struct bl_level_frame *outer)
{
    const struct bl_callable *callable = node->symbol->as.callable;
    struct bl_level_frame frame = frame_of(node, &callable->params, outer);

    return callable->value != NULL ? bl_lowest_fact(l, callable->value, &frame)
                                   : facts_of_body(l, callable->body, &frame);
}

int bl_lowest_fact(struct bl_levels *l, struct bl_node *node,
                   const struct bl_level_frame *frame)
{
    if (node == NULL)
        return BL_LEVEL_POLICY;
    if (!may_go_on(l))
        return BL_LEVEL_ANYONE;
    int level = own_fact(l, node);
    bool is_question = node->kind == BL_NODE_IS || node->kind == BL_NODE_IS_NOT;
    if (node->resolution == BL_RESOLVED_LOCAL)
        return through_name(l, node, frame, bl_lowest_fact, BL_LEVEL_POLICY);
    if (node->resolution == BL_RESOLVED_CALL || node->resolution == BL_RESOLVED_IS_ACTOR)
        level = bl_level_either(level, facts_of_call(l, node, frame));
    for (uint32_t i = 0; i < node->kid_count; i++) {
        /* The right side of `is` is no expression; a label that is asked for is its own fact.
         */
        if (i > 0 && (is_question || node->resolution == BL_RESOLVED_HAS))
            continue;
        level = bl_level_either(level, bl_lowest_fact(l, node->kids[i], frame));
    }
    return level;
}
