/* SPDX-License-Identifier: Apache-2.0 */
#include "show/show_life.h"

#include "show/show_text.h"

/* The life of a thing in one chart: its labels in their own colours, what sets each and what
 * takes it away, and what closes, opens and locks it. */

/* Ends that are no labels. */
static const struct {
    enum bl_effect effect;
    bool begins; /* else it ends what the node says */
    unsigned node;
    const char *words;
} ends[] = {
    {BL_EFFECT_CLOSE, true, 0, "closed"},
    {BL_EFFECT_REOPEN, false, 0, "closed"},
    {BL_EFFECT_LOCK, true, 1, "locked"},
};
#define END_COUNT (sizeof ends / sizeof ends[0])

struct life {
    const struct bl_program *program;
    struct bl_buf *out;
    bool *said;     /* of the actor in hand: for each label set, for each taken, for each end */
    bool *is_drawn; /* labels that have a node */
    bool end_drawn[END_COUNT]; /* by node */
    const struct bl_symbol *actor;
    unsigned number; /* of the actor's node */
    bool has_node;
};

static size_t label_count(const struct life *life)
{
    return life->program->symbols[BL_SYMBOL_LABEL].count;
}

static void draw_actor(struct life *life)
{
    if (life->has_node)
        return;
    life->has_node = true;
    bl_buf_printf(life->out, "  a%u[", life->number);
    bl_show_quoted(life->out, life->actor->name);
    BL_PUT(life->out, "]\n");
}

static void edge(const struct life *life, bool begins, char node, unsigned number)
{
    if (begins)
        bl_buf_printf(life->out, "  a%u --> %c%u\n", life->number, node, number);
    else
        bl_buf_printf(life->out, "  %c%u -.-> a%u\n", node, number, life->number);
}

static void draw_label(struct life *life, const struct bl_symbol *label)
{
    if (life->is_drawn[label->number])
        return;
    life->is_drawn[label->number] = true;
    bl_buf_printf(life->out, "  l%u([", label->number);
    bl_show_quoted(life->out, label->as.label->shown);
    BL_PUT(life->out, "])\n");
    if (label->as.label->color.len > 0)
        bl_buf_printf(life->out, "  style l%u fill:#%.*s,color:#000\n", label->number,
                      BL_STR_ARG(label->as.label->color));
}

static void say_label(struct life *life, const struct bl_symbol *label, bool begins)
{
    bool *said = &life->said[label->number + (begins ? 0 : label_count(life))];

    if (*said)
        return;
    *said = true;
    draw_actor(life);
    draw_label(life, label);
    edge(life, begins, 'l', label->number);
}

static void say_end(struct life *life, size_t end)
{
    bool *said = &life->said[2 * label_count(life) + end];

    if (*said)
        return;
    *said = true;
    draw_actor(life);
    if (!life->end_drawn[ends[end].node])
        bl_buf_printf(life->out, "  e%u([\"%s\"])\n", ends[end].node, ends[end].words);
    life->end_drawn[ends[end].node] = true;
    edge(life, ends[end].begins, 'e', ends[end].node);
}

static void effect(struct life *life, const struct bl_statement *s)
{
    bool adds = s->effect == BL_EFFECT_ADD_LABEL;

    for (size_t i = 0; i < END_COUNT; i++) {
        if (ends[i].effect == s->effect)
            say_end(life, i);
    }
    if (!adds && s->effect != BL_EFFECT_REMOVE_LABEL)
        return;
    for (size_t i = 0; i < s->items.count; i++) {
        const struct bl_node *item = s->items.items[i];

        if (item->resolution == BL_RESOLVED_LABEL && item->symbol != NULL)
            say_label(life, item->symbol, adds);
    }
}

static void statements(struct life *life, const struct bl_statement *s)
{
    for (; s != NULL; s = s->next) {
        if (s->kind == BL_STATEMENT_EFFECT)
            effect(life, s);
        statements(life, s->body);
        for (const struct bl_statement *arm = s->otherwise; arm != NULL; arm = arm->otherwise)
            statements(life, arm->body);
    }
}

static void actors(struct life *life, enum bl_symbol_kind kind)
{
    const struct bl_symbol_list *list = &life->program->symbols[kind];

    for (size_t i = 0; i < list->count; i++) {
        const struct bl_symbol *symbol = list->items[i];
        const struct bl_rule *rule =
            kind == BL_SYMBOL_COMMAND ? symbol->as.commands->rule : symbol->as.rule;

        if (rule == NULL || !bl_show_is_own(life->program, symbol))
            continue;
        life->actor = symbol;
        life->number++;
        life->has_node = false;
        for (size_t k = 0; k < 2 * label_count(life) + END_COUNT; k++)
            life->said[k] = false;
        statements(life, rule->body);
    }
}

void bl_show_life(const struct bl_program *program, struct bl_buf *out)
{
    static const enum bl_symbol_kind kinds[] = {BL_SYMBOL_RULE, BL_SYMBOL_COMMAND,
                                                BL_SYMBOL_LIFECYCLE, BL_SYMBOL_STEP};
    size_t labels = program->symbols[BL_SYMBOL_LABEL].count;
    struct life life = {.program = program, .out = out};

    life.said = BL_NEW_ARRAY(program->arena, 2 * labels + END_COUNT, bool);
    life.is_drawn = BL_NEW_ARRAY(program->arena, labels + 1, bool);
    if (life.said == NULL || life.is_drawn == NULL || labels == 0)
        return;
    BL_PUT(out,
           "## Life\n\nWhat sets a label points to it; where a dotted line goes, the label is "
           "taken away.\n\n```mermaid\nflowchart LR\n");
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        actors(&life, kinds[k]);
    BL_PUT(out, "```\n\n");
}
