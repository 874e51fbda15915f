/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/levels.h"

/* `need LEVEL for EFFECT`: every way to the effect, the greatest fixpoint over labels and
 * attributes of markers, and the message with the path. */

/* ---- ways to effects ------------------------------------------------------------------------
 */

static const struct bl_path *extend(struct bl_levels *l, const struct bl_path *outer,
                                    struct bl_path step)
{
    struct bl_path *path = BL_NEW(l->c->arena, struct bl_path);

    if (path == NULL)
        return outer;
    *path = step;
    path->outer = outer;
    return path;
}

static const struct bl_path *under(struct bl_levels *l, const struct bl_path *outer,
                                   enum bl_path_kind kind, struct bl_node *node)
{
    if (node == NULL)
        return outer;
    return extend(l, outer, (struct bl_path){.kind = kind, .node = node, .span = node->span});
}

static void walk(struct bl_levels *l, struct bl_symbol *owner, struct bl_statement *list,
                 const struct bl_path *path);

static void walk_arms(struct bl_levels *l, struct bl_symbol *owner, struct bl_statement *s,
                      const struct bl_path *path)
{
    for (struct bl_statement *arm = s; arm != NULL; arm = arm->otherwise) {
        walk(l, owner, arm->body, under(l, path, BL_PATH_HOLDS, arm->condition));
        path = under(l, path, BL_PATH_ASKED, arm->condition);
    }
}

/* What holds behind the statement, for those below it. */
static const struct bl_path *walk_one(struct bl_levels *l, struct bl_symbol *owner,
                                      struct bl_statement *s, const struct bl_path *path)
{
    struct bl_level_effect *effect;
    const struct bl_path *inner;

    switch ((unsigned)s->kind) {
    case BL_STATEMENT_EFFECT:
        effect = BL_PUSH(l->c->arena, l->effects);
        if (effect != NULL)
            *effect = (struct bl_level_effect){s, owner, path};
        return path;
    case BL_STATEMENT_WHEN:
        walk_arms(l, owner, s, path);
        return path;
    case BL_STATEMENT_FOR:
        inner = under(l, path, BL_PATH_ASKED, s->value);
        walk(l, owner, s->body, under(l, inner, BL_PATH_HOLDS, s->condition));
        return path;
    case BL_STATEMENT_ENDS:
    case BL_STATEMENT_EXEMPT:
        walk(l, owner, s->body, under(l, path, BL_PATH_HOLDS, s->condition));
        return under(l, path, BL_PATH_ASKED, s->condition);
    case BL_STATEMENT_ON_DAY:
        inner = under(l, path, BL_PATH_IS_SET, s->value);
        walk(l, owner, s->body, under(l, inner, BL_PATH_HOLDS, s->condition));
        return path;
    case BL_STATEMENT_SINCE:
        return under(l, path, BL_PATH_IS_SET, s->value);
    case BL_STATEMENT_REQUIRE:
        return under(l, path, BL_PATH_HOLDS, s->condition);
    case BL_STATEMENT_REFUSE:
    case BL_STATEMENT_PASS:
        return under(l, path, BL_PATH_ASKED, s->condition);
    case BL_STATEMENT_CHECK:
        return under(l, path, BL_PATH_ASKED, s->value);
    default:
        return path;
    }
}

static void walk(struct bl_levels *l, struct bl_symbol *owner, struct bl_statement *list,
                 const struct bl_path *path)
{
    for (struct bl_statement *s = list; s != NULL; s = s->next)
        path = walk_one(l, owner, s, path);
}

/* That something happened at all is a fact, too: the least of the events. */
static int level_of_events(const struct bl_rule *rule)
{
    int level = rule->answers != NULL ? BL_LEVEL_AI : BL_LEVEL_POLICY;

    for (unsigned i = 0; i < BL_EVENT_COUNT; i++)
        if ((rule->events >> i & 1) != 0)
            level = bl_level_either(level, (int)bl_event_info((enum bl_event_id)i)->level);
    return level;
}

static const struct bl_path *beginning(struct bl_levels *l, const struct bl_symbol *owner,
                                       const struct bl_rule *rule)
{
    struct bl_path fact = {
        .kind = BL_PATH_FACT, .level = level_of_events(rule), .span = owner->span};

    /* A sweep runs when its schedule says so. */
    if (owner->kind == BL_SYMBOL_STEP || owner->kind == BL_SYMBOL_LIFECYCLE)
        fact.level = BL_LEVEL_POLICY;
    return extend(l, NULL, fact);
}

static const struct bl_path *given_by(struct bl_levels *l, const struct bl_path *path,
                                      const struct bl_symbol *symbol)
{
    const struct bl_symbol_list *by = &symbol->as.commands->by;

    if (by->count == 0)
        return path;
    return extend(l, path,
                  (struct bl_path){.kind = BL_PATH_BY, .actors = by, .span = symbol->span});
}

static void collect(struct bl_levels *l)
{
    static const enum bl_symbol_kind kinds[] = {BL_SYMBOL_RULE, BL_SYMBOL_STEP,
                                                BL_SYMBOL_LIFECYCLE};
    const struct bl_program *program = l->c->program;

    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        for (size_t i = 0; i < program->symbols[kinds[k]].count; i++) {
            struct bl_symbol *symbol = program->symbols[kinds[k]].items[i];
            walk(l, symbol, symbol->as.rule->body, beginning(l, symbol, symbol->as.rule));
        }
    }
    for (size_t i = 0; i < program->symbols[BL_SYMBOL_COMMAND].count; i++) {
        struct bl_symbol *symbol = program->symbols[BL_SYMBOL_COMMAND].items[i];
        const struct bl_commands *command = symbol->as.commands;
        const struct bl_path *path;
        if (command->rule == NULL || command->family == NULL)
            continue;
        path = beginning(l, symbol, command->rule);
        path = given_by(l, path, command->family);
        walk(l, symbol, command->rule->body, given_by(l, path, symbol));
    }
    for (size_t i = 0; i < program->symbols[BL_SYMBOL_COMMANDS].count; i++) {
        struct bl_symbol *symbol = program->symbols[BL_SYMBOL_COMMANDS].items[i];
        const struct bl_rule *refused = symbol->as.commands->refused;
        if (refused != NULL)
            walk(l, symbol, refused->body, given_by(l, beginning(l, symbol, refused), symbol));
    }
}

/* ---- the level of a way ---------------------------------------------------------------------
 */

static int endorsement_of(struct bl_levels *l, const struct bl_path *path)
{
    int level = NO_LEVEL;

    l->steps = 0;
    for (; path != NULL; path = path->outer) {
        if (path->kind == BL_PATH_HOLDS)
            level = bl_level_both(level, bl_endorses(l, path->node, NULL));
        else if (path->kind == BL_PATH_IS_SET)
            level = bl_level_both(level, bl_endorses_set(l, path->node, NULL));
        else if (path->kind == BL_PATH_BY)
            level = bl_level_both(level, bl_actors_level(path->actors));
    }
    return level;
}

static int facts_of(struct bl_levels *l, const struct bl_path *path)
{
    int level = BL_LEVEL_POLICY;

    l->steps = 0;
    for (; path != NULL; path = path->outer) {
        if (path->kind == BL_PATH_FACT)
            level = bl_level_either(level, path->level);
        else if (path->kind == BL_PATH_BY)
            level = bl_actors_level(path->actors) == NO_LEVEL ? (int)BL_LEVEL_ANYONE : level;
        else
            level = bl_level_either(level, bl_lowest_fact(l, path->node, NULL));
    }
    return level;
}

static int level_of(struct bl_levels *l, const struct bl_path *path)
{
    int level = endorsement_of(l, path);

    return level != NO_LEVEL ? level : facts_of(l, path);
}

/* ---- labels and markers ---------------------------------------------------------------------
 */

static bool lower(struct bl_level_source *source, int level,
                  const struct bl_level_effect *writer)
{
    if (level >= source->level)
        return false;
    *source = (struct bl_level_source){level, writer};
    return true;
}

/* The labels that an expression may give: those that it names, else all. */
static bool lower_labels(struct bl_levels *l, const struct bl_node *node, int level,
                         const struct bl_level_effect *writer)
{
    const struct bl_symbol_list *all = &l->c->program->symbols[BL_SYMBOL_LABEL];
    bool changed = false;

    if (node->resolution == BL_RESOLVED_LABEL)
        return lower(&l->labels[node->symbol->number], level, writer);
    if (node->resolution == BL_RESOLVED_GROUP)
        all = &node->symbol->as.group->labels;
    else if (node->kind == BL_NODE_LIST && node->kid_count > 0) {
        for (uint32_t i = 0; i < node->kid_count; i++)
            changed = lower_labels(l, node->kids[i], level, writer) || changed;
        return changed;
    }
    for (size_t i = 0; i < all->count; i++)
        changed = lower(&l->labels[all->items[i]->number], level, writer) || changed;
    return changed;
}

/* An attribute is there when its value is: an endorsement of the value counts as one of the way
 * does. */
static int level_of_value(struct bl_levels *l, const struct bl_path *path,
                          struct bl_node *value, const struct bl_level_frame *frame)
{
    int level = endorsement_of(l, path);

    level = bl_level_both(level, bl_endorses_set(l, value, frame));
    if (level != NO_LEVEL)
        return level;
    level = facts_of(l, path);
    return bl_level_either(level, bl_lowest_fact(l, value, frame));
}

static bool lower_posted(struct bl_levels *l, const struct bl_level_effect *effect)
{
    const struct bl_node *call = effect->statement->value;
    const struct bl_symbol *kind = call->symbol;
    const struct bl_document *document = kind->as.document;
    const struct bl_level_frame frame = {&document->params, call->kids, call->kid_count, NULL};
    bool changed = false;

    for (size_t i = 0; i < document->attribute_count; i++) {
        struct bl_node *value = document->attributes[i].value;
        if (value == NULL || value->kind == BL_NODE_NONE)
            continue;
        int level = level_of_value(l, effect->path, value, &frame);
        changed = lower(&l->attributes[kind->number][i], level, effect) || changed;
    }
    return changed;
}

static bool lower_marked(struct bl_levels *l, const struct bl_level_effect *effect)
{
    bl_type type = bl_type_base(effect->statement->value->type);
    bool changed = false;

    if (!bl_type_is(type, BL_TYPE_POSTED))
        return false;
    const struct bl_posted_kinds *kinds = &l->c->program->posted.items[bl_type_ref(type)];
    for (const struct bl_pair *pair = effect->statement->pairs; pair != NULL;
         pair = pair->next) {
        int level = level_of_value(l, effect->path, pair->value, NULL);
        for (size_t k = 0; k < kinds->count; k++) {
            const struct bl_document *document = kinds->kinds[k]->as.document;
            for (size_t i = 0; i < document->attribute_count; i++)
                if (bl_str_equal(document->attributes[i].name, pair->name))
                    changed =
                        lower(&l->attributes[kinds->kinds[k]->number][i], level, effect) ||
                        changed;
        }
    }
    return changed;
}

static bool lower_written(struct bl_levels *l, const struct bl_level_effect *effect)
{
    const struct bl_statement *s = effect->statement;
    bool changed = false;

    if (s->effect == BL_EFFECT_POST && s->value != NULL && s->value->symbol != NULL)
        return lower_posted(l, effect);
    if (s->effect == BL_EFFECT_MARK && s->value != NULL)
        return lower_marked(l, effect);
    if (s->effect != BL_EFFECT_ADD_LABEL)
        return false;
    int level = level_of(l, effect->path);
    for (size_t i = 0; i < s->items.count; i++)
        changed = lower_labels(l, s->items.items[i], level, effect) || changed;
    return changed;
}

/* What nothing in the policy writes is a maintainer's word: labels need the permission to
 * triage, and markers count in own comments alone. */
static bool begin(struct bl_levels *l)
{
    const struct bl_program *program = l->c->program;
    size_t labels = program->symbols[BL_SYMBOL_LABEL].count;
    size_t comments = program->symbols[BL_SYMBOL_COMMENT].count;

    l->labels = BL_NEW_ARRAY(l->c->arena, labels + 1, struct bl_level_source);
    l->attributes = BL_NEW_ARRAY(l->c->arena, comments + 1, struct bl_level_source *);
    for (size_t i = 0; l->labels != NULL && i < labels; i++)
        l->labels[i].level = BL_LEVEL_MAINTAINER;
    for (size_t k = 0; l->attributes != NULL && k < comments; k++) {
        size_t count =
            program->symbols[BL_SYMBOL_COMMENT].items[k]->as.document->attribute_count;
        l->attributes[k] = BL_NEW_ARRAY(l->c->arena, count + 1, struct bl_level_source);
        for (size_t i = 0; l->attributes[k] != NULL && i < count; i++)
            l->attributes[k][i].level = BL_LEVEL_MAINTAINER;
    }
    return !l->c->arena->failed;
}

/* ---- the message ----------------------------------------------------------------------------
 */

static bl_str level_name(int level)
{
    static const bl_str names[] = {{"anyone", 6}, {"ai", 2}, {"maintainer", 10}, {"policy", 6}};

    return names[level < 0 ? 0 : level];
}

/* The way to the effect with what each part of it rests on, and from a label or marker that is
 * too weak on to whoever writes it. */
static void show_path(struct bl_levels *l, struct bl_diagnostic *d,
                      const struct bl_level_effect *effect, int wanted, unsigned depth)
{
    struct bl_checker *c = l->c;
    const struct bl_level_source *weakest = NULL;
    struct bl_span at = BL_NO_SPAN;

    for (const struct bl_path *path = effect->path; path != NULL; path = path->outer) {
        int level = NO_LEVEL;
        l->weakest = NULL;
        l->steps = 0;
        if (path->kind == BL_PATH_HOLDS)
            level = bl_endorses(l, path->node, NULL);
        else if (path->kind == BL_PATH_IS_SET)
            level = bl_endorses_set(l, path->node, NULL);
        else if (path->kind == BL_PATH_BY)
            level = bl_actors_level(path->actors);
        if (l->weakest != NULL && l->weakest->level < wanted &&
            (weakest == NULL || l->weakest->level < weakest->level)) {
            weakest = l->weakest;
            at = l->weakest_at;
        }
        if (path->kind == BL_PATH_ASKED || path->kind == BL_PATH_FACT ||
            (weakest != NULL && weakest == l->weakest))
            continue;
        bl_diagnostic_label(c->sink, d, path->span,
                            level == NO_LEVEL ? BL_STR("Nobody need have agreed to this.")
                                              : bl_sema_text(c, "This is the word of %.*s.",
                                                             BL_STR_ARG(level_name(level))));
    }
    if (weakest == NULL || weakest->writer == NULL || depth > 3)
        return;
    bl_diagnostic_label(
        c->sink, d, at,
        bl_sema_text(c, "This is the word of %.*s,", BL_STR_ARG(level_name(weakest->level))));
    bl_diagnostic_label(c->sink, d, weakest->writer->statement->span,
                        bl_sema_text(c, "because '%.*s' writes it here.",
                                     BL_STR_ARG(weakest->writer->owner->name)));
    show_path(l, d, weakest->writer, wanted, depth + 1);
}

static void check_need(struct bl_levels *l, const struct bl_level_need *need)
{
    for (size_t i = 0; i < l->effects.count; i++) {
        const struct bl_level_effect *effect = &l->effects.items[i];
        const struct bl_statement *s = effect->statement;
        if (s->effect != need->effect ||
            (need->member != UINT32_MAX && s->member != need->member))
            continue;
        int level = level_of(l, effect->path);
        if (level >= (int)need->level)
            continue;
        struct bl_diagnostic *d = bl_sema_error(l->c, BL_D_LEVEL_TOO_LOW, s->span);
        bl_sema_arg(l->c, d, "effect", bl_effect_info(s->effect)->words);
        bl_sema_arg(l->c, d, "owner", effect->owner->name);
        bl_sema_arg(l->c, d, "level", level_name(level));
        bl_sema_arg(l->c, d, "wanted", level_name((int)need->level));
        bl_diagnostic_label(l->c->sink, d, need->span, BL_STR("It is asked for here."));
        show_path(l, d, effect, (int)need->level, 0);
    }
}

void bl_sema_levels(struct bl_checker *c)
{
    struct bl_levels l = {.c = c};
    bool changed = true;

    if (c->program->levels.count == 0)
        return;
    collect(&l);
    if (!begin(&l))
        return;
    /* Levels only fall, each at most twice. */
    while (changed && !c->arena->failed) {
        changed = false;
        for (size_t i = 0; i < l.effects.count; i++)
            changed = lower_written(&l, &l.effects.items[i]) || changed;
    }
    for (size_t i = 0; i < c->program->levels.count; i++)
        check_need(&l, &c->program->levels.items[i]);
}
