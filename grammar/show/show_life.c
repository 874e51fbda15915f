/* SPDX-License-Identifier: Apache-2.0 */
#include "show/show_life.h"

#include "show/show_charts.h"

/* The life of a thing in one chart: its labels in their own colours, what sets each and what
 * takes it away, and what closes, opens and locks it; of lifecycles with the days on which they
 * do. */

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
    /* What the actor in hand does: of each label set, of each taken, of each end the rows of a
     * lifecycle that do it, as bits; of other actors the bit of no row. */
    uint64_t *done;
    bool *is_drawn;            /* labels that have a node */
    bool end_drawn[END_COUNT]; /* by node */
    const struct bl_symbol *actor;
    unsigned number; /* of the actor's node */
    unsigned row;    /* of its lifecycle, from 1; 0: none */
    bool has_node;
};
#define LAST_ROW 63u /* and all behind it */

static size_t label_count(const struct life *life)
{
    return life->program->symbols[BL_SYMBOL_LABEL].count;
}

static size_t deed_count(const struct life *life)
{
    return 2 * label_count(life) + END_COUNT;
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

/* ---- edges
 * ------------------------------------------------------------------------------------------ */

static bl_str row_words(const struct life *life, const struct bl_statement *s)
{
    if (s->kind == BL_STATEMENT_ON_DAY)
        return bl_chart_day(life->program, s);
    return s->kind == BL_STATEMENT_ENDS ? BL_STR("ends") : BL_STR("exempt");
}

static bool is_row(const struct bl_statement *s)
{
    return s->kind == BL_STATEMENT_ENDS || s->kind == BL_STATEMENT_EXEMPT ||
           s->kind == BL_STATEMENT_ON_DAY;
}

/* "ends, day 14 days": the rows of the bits. */
static void put_rows(const struct life *life, uint64_t rows)
{
    const struct bl_statement *loop = life->actor->as.rule->body;
    struct bl_buf words;
    unsigned row = 0;

    bl_buf_init(&words, life->program->arena, 0x100000);
    for (const struct bl_statement *s = loop->body; s != NULL; s = s->next) {
        if (!is_row(s) || (rows >> (++row < LAST_ROW ? row : LAST_ROW) & 1) == 0)
            continue;
        if (words.len > 0)
            BL_PUT(&words, ", ");
        bl_buf_put(&words, row_words(life, s));
    }
    bl_buf_put_char(life->out, '|');
    bl_show_quoted(life->out, bl_buf_str(&words));
    bl_buf_put_char(life->out, '|');
}

static void edge(const struct life *life, bool begins, char node, unsigned number,
                 uint64_t rows)
{
    const char *arrow = begins ? "-->" : "-.->";

    if (begins)
        bl_buf_printf(life->out, "  a%u %s", life->number, arrow);
    else
        bl_buf_printf(life->out, "  %c%u %s", node, number, arrow);
    if (rows > 1)
        put_rows(life, rows);
    if (begins)
        bl_buf_printf(life->out, " %c%u\n", node, number);
    else
        bl_buf_printf(life->out, " a%u\n", life->number);
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

static void draw_end(struct life *life, size_t end)
{
    if (!life->end_drawn[ends[end].node])
        bl_buf_printf(life->out, "  e%u([\"%s\"])\n", ends[end].node, ends[end].words);
    life->end_drawn[ends[end].node] = true;
}

/* What the actor was found to do, each once. */
static void draw_deeds(struct life *life)
{
    size_t labels = label_count(life);

    for (size_t i = 0; i < deed_count(life); i++) {
        if (life->done[i] == 0)
            continue;
        draw_actor(life);
        if (i < 2 * labels) {
            size_t label = i < labels ? i : i - labels;

            draw_label(life, life->program->symbols[BL_SYMBOL_LABEL].items[label]);
            edge(life, i < labels, 'l', (unsigned)label, life->done[i]);
        } else {
            size_t end = i - 2 * labels;

            draw_end(life, end);
            edge(life, ends[end].begins, 'e', ends[end].node, life->done[i]);
        }
    }
}

/* ---- deeds
 * ------------------------------------------------------------------------------------------ */

static void say(struct life *life, size_t deed)
{
    life->done[deed] |= UINT64_C(1) << (life->row < LAST_ROW ? life->row : LAST_ROW);
}

static void effect(struct life *life, const struct bl_statement *s)
{
    bool adds = s->effect == BL_EFFECT_ADD_LABEL;

    for (size_t i = 0; i < END_COUNT; i++) {
        if (ends[i].effect == s->effect)
            say(life, 2 * label_count(life) + i);
    }
    if (!adds && s->effect != BL_EFFECT_REMOVE_LABEL)
        return;
    for (size_t i = 0; i < s->items.count; i++) {
        const struct bl_node *item = s->items.items[i];

        if (item->resolution == BL_RESOLVED_LABEL && item->symbol != NULL)
            say(life, item->symbol->number + (adds ? 0 : label_count(life)));
    }
}

static void statements(struct life *life, const struct bl_statement *s)
{
    for (; s != NULL; s = s->next) {
        if (is_row(s))
            life->row++;
        if (s->kind == BL_STATEMENT_EFFECT)
            effect(life, s);
        statements(life, s->body);
        for (const struct bl_statement *arm = s->otherwise; arm != NULL; arm = arm->otherwise)
            statements(life, arm->body);
    }
}

/* Of a family what it does to a command that is refused. */
static const struct bl_rule *rule_of(const struct bl_symbol *symbol)
{
    if (symbol->kind == BL_SYMBOL_COMMANDS)
        return symbol->as.commands->refused;
    return symbol->kind == BL_SYMBOL_COMMAND ? symbol->as.commands->rule : symbol->as.rule;
}

static void actors(struct life *life, enum bl_symbol_kind kind)
{
    const struct bl_symbol_list *list = &life->program->symbols[kind];

    for (size_t i = 0; i < list->count; i++) {
        const struct bl_symbol *symbol = list->items[i];
        const struct bl_rule *rule = rule_of(symbol);

        if (rule == NULL || !bl_show_is_own(life->program, symbol))
            continue;
        life->actor = symbol;
        life->number++;
        life->has_node = false;
        life->row = 0;
        for (size_t k = 0; k < deed_count(life); k++)
            life->done[k] = 0;
        statements(life, rule->body);
        draw_deeds(life);
    }
}

void bl_show_life(const struct bl_program *program, struct bl_buf *out)
{
    static const enum bl_symbol_kind kinds[] = {BL_SYMBOL_RULE, BL_SYMBOL_COMMANDS,
                                                BL_SYMBOL_COMMAND, BL_SYMBOL_LIFECYCLE,
                                                BL_SYMBOL_STEP};
    size_t labels = program->symbols[BL_SYMBOL_LABEL].count;
    struct life life = {.program = program, .out = out};

    life.done = BL_NEW_ARRAY(program->arena, 2 * labels + END_COUNT, uint64_t);
    life.is_drawn = BL_NEW_ARRAY(program->arena, labels + 1, bool);
    if (life.done == NULL || life.is_drawn == NULL || labels == 0)
        return;
    BL_PUT(out,
           "## Life\n\nWhat sets a label points to it; where a dotted line goes, the label is "
           "taken away. Of a lifecycle the days on which it does.\n\n");
    bl_chart_open("LR", out);
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        actors(&life, kinds[k]);
    bl_chart_close(out);
}
