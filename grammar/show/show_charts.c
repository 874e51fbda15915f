/* SPDX-License-Identifier: Apache-2.0 */
#include "show/show_charts.h"

#define TEXT_MAX 0x100000u

void bl_chart_open(const char *direction, struct bl_buf *out)
{
    bl_buf_printf(out, "```mermaid\nflowchart %s\n", direction);
}

void bl_chart_close(struct bl_buf *out)
{
    BL_PUT(out, "```\n\n");
}

static bl_str settled(const struct bl_program *program, const struct bl_buf *words)
{
    program->arena->failed = program->arena->failed || words->failed;
    return bl_buf_str(words);
}

/* ---- effects
 * ---------------------------------------------------------------------------------------- */

static bool has_effect(const struct bl_statement *list)
{
    for (const struct bl_statement *s = list; s != NULL; s = s->next) {
        if (s->kind == BL_STATEMENT_EFFECT || has_effect(s->body))
            return true;
        for (const struct bl_statement *arm = s->otherwise; arm != NULL; arm = arm->otherwise) {
            if (has_effect(arm->body))
                return true;
        }
    }
    return false;
}

static void gather(const struct bl_program *program, const struct bl_statement *list,
                   struct bl_buf *words);

static void gather_one(const struct bl_program *program, const struct bl_statement *s,
                       struct bl_buf *words)
{
    if (words->len > 0 && words->ptr[words->len - 1] != ' ')
        BL_PUT(words, "; ");
    bl_buf_put(words, bl_show_head(program, s->clause->node));
    if (s->body == NULL)
        return;
    BL_PUT(words, " { ");
    gather(program, s->body, words);
    BL_PUT(words, " }");
}

static void gather(const struct bl_program *program, const struct bl_statement *list,
                   struct bl_buf *words)
{
    for (const struct bl_statement *s = list; s != NULL; s = s->next) {
        if (s->kind == BL_STATEMENT_EFFECT || has_effect(s->body))
            gather_one(program, s, words);
        for (const struct bl_statement *arm = s->otherwise; arm != NULL; arm = arm->otherwise) {
            if (has_effect(arm->body))
                gather_one(program, arm, words);
        }
    }
}

/* Effects as they are written, those of blocks in braces behind their heads, in one text;
 * "nothing more" without any. */
static bl_str effects_of(const struct bl_program *program, const struct bl_statement *list)
{
    struct bl_buf words;

    if (!has_effect(list))
        return BL_STR("nothing more");
    bl_buf_init(&words, program->arena, TEXT_MAX);
    gather(program, list, &words);
    return settled(program, &words);
}

/* ---- days
 * -------------------------------------------------------------------------------------------
 */

bl_str bl_chart_day(const struct bl_program *program, const struct bl_statement *row)
{
    struct bl_buf words;

    bl_buf_init(&words, program->arena, TEXT_MAX);
    bl_buf_printf(&words, "day %.*s", BL_STR_ARG(bl_show_node(program, row->value)));
    if (row->value->resolution == BL_RESOLVED_SETTING)
        bl_buf_printf(&words, " = %.*s",
                      BL_STR_ARG(bl_show_node(program, row->value->symbol->as.setting->value)));
    if (row->condition != NULL)
        bl_buf_printf(&words, " when %.*s", BL_STR_ARG(bl_show_node(program, row->condition)));
    return settled(program, &words);
}

/* ---- lifecycles
 * ----------------------------------------------------------------------------------------- */

struct chart {
    const struct bl_program *program;
    struct bl_buf *out;
    unsigned number; /* of the last node */
};

/* A node behind node `from`, through an edge with these words. */
static unsigned put_behind(struct chart *chart, unsigned from, bl_str edge, const char *open,
                           bl_str words, const char *close)
{
    unsigned number = ++chart->number;

    bl_buf_printf(chart->out, "  n%u%s", number, open);
    bl_show_quoted(chart->out, words);
    bl_buf_printf(chart->out, "%s\n", close);
    if (from == 0)
        return number;
    bl_buf_printf(chart->out, "  n%u -->", from);
    if (edge.len > 0) {
        bl_buf_put_char(chart->out, '|');
        bl_show_quoted(chart->out, edge);
        bl_buf_put_char(chart->out, '|');
    }
    bl_buf_printf(chart->out, " n%u\n", number);
    return number;
}

static unsigned put_question(struct chart *chart, unsigned from, bl_str edge, bl_str words)
{
    return put_behind(chart, from, edge, "{", words, "}");
}

static void put_effects(struct chart *chart, unsigned from, bl_str edge,
                        const struct bl_statement *body)
{
    put_behind(chart, from, edge, "[", effects_of(chart->program, body), "]");
}

/* The days are one question: of those that have come and whose conditions hold the latest is
 * taken, wherever it stands. */
static void put_days(struct chart *chart, unsigned from, bl_str edge,
                     const struct bl_statement *rows)
{
    unsigned days;

    days = put_question(chart, from, edge,
                        BL_STR("the latest day that has come and whose condition holds; of "
                               "equal days the first"));
    for (const struct bl_statement *s = rows; s != NULL; s = s->next) {
        if (s->kind == BL_STATEMENT_ON_DAY)
            put_effects(chart, days, bl_chart_day(chart->program, s), s->body);
    }
    put_behind(chart, days, BL_STR("none"), "[", BL_STR("it waits on"), "]");
}

static void put_life(struct chart *chart, const struct bl_statement *loop)
{
    const struct bl_program *program = chart->program;
    bl_str edge = {NULL, 0};
    unsigned last =
        put_behind(chart, 0, edge, "([", bl_show_node(program, loop->clause->node), "])");

    for (const struct bl_statement *s = loop->body; s != NULL; s = s->next) {
        if (s->kind == BL_STATEMENT_SINCE) {
            last = put_question(chart, last, edge, bl_show_node(program, s->clause->node));
            if (bl_type_is_optional(s->value->type))
                put_behind(chart, last, BL_STR("absent"), "[", BL_STR("it is left alone"), "]");
            edge = BL_STR("set");
        } else if (s->kind == BL_STATEMENT_ENDS || s->kind == BL_STATEMENT_EXEMPT) {
            last = put_question(chart, last, edge, bl_show_head(program, s->clause->node));
            put_effects(chart, last, BL_STR("yes"), s->body);
            edge = BL_STR("no");
        }
    }
    put_days(chart, last, edge, loop->body);
}

void bl_chart_lifecycle(const struct bl_program *program, const struct bl_symbol *symbol,
                        struct bl_buf *out)
{
    struct chart chart = {.program = program, .out = out};

    BL_PUT(out, "## Lifecycle ");
    bl_show_code(out, symbol->name);
    BL_PUT(out, "\n\n");
    bl_chart_open("TD", out);
    if (symbol->as.rule->body != NULL)
        put_life(&chart, symbol->as.rule->body);
    bl_chart_close(out);
}

/* ---- commands
 * --------------------------------------------------------------------------------------- */

static void add_word(struct bl_buf *words, bl_str word)
{
    if (words->len > 0)
        BL_PUT(words, ", ");
    bl_buf_put(words, word);
}

static void add_refusals(const struct bl_program *program, const struct bl_statement *list,
                         const struct bl_statement *end, struct bl_buf *words)
{
    for (const struct bl_statement *s = list; s != NULL && s != end; s = s->next) {
        if (s->kind == BL_STATEMENT_REFUSE || s->kind == BL_STATEMENT_REQUIRE)
            add_word(words, s->name);
        else if (s->kind == BL_STATEMENT_CHECK)
            add_word(words, bl_show_node(program, s->clause->node));
        add_refusals(program, s->body, NULL, words);
        for (const struct bl_statement *arm = s->otherwise; arm != NULL; arm = arm->otherwise)
            add_refusals(program, arm->body, NULL, words);
    }
}

/* What can refuse a command, in the order in which it is asked. */
static bl_str refusals(const struct bl_program *program, const struct bl_commands *command)
{
    struct bl_buf words;

    bl_buf_init(&words, program->arena, TEXT_MAX);
    if (command->by.count > 0)
        add_word(&words, BL_STR("denied"));
    add_refusals(program, command->family->as.commands->refusals, NULL, &words);
    add_word(&words, BL_STR("malformed"));
    add_refusals(program, command->rule->body, command->unjudged, &words);
    return settled(program, &words);
}

static bl_str written(const struct bl_program *program, const struct bl_commands *command)
{
    struct bl_buf words;

    bl_buf_init(&words, program->arena, TEXT_MAX);
    bl_buf_printf(&words, "%.*s %.*s", BL_STR_ARG(command->family->as.commands->word),
                  BL_STR_ARG(command->word));
    if (command->taken != NULL)
        bl_buf_printf(&words, " %.*s", BL_STR_ARG(command->taken->name));
    for (size_t i = 0; i < command->by.count; i++)
        bl_buf_printf(&words, "%s%.*s", i == 0 ? ", by " : ", ",
                      BL_STR_ARG(command->by.items[i]->name));
    return settled(program, &words);
}

static void edge_to(struct chart *chart, unsigned from, bl_str edge, unsigned to)
{
    bl_buf_printf(chart->out, "  n%u -->|", from);
    bl_show_quoted(chart->out, edge);
    bl_buf_printf(chart->out, "| n%u\n", to);
}

static bl_str names(const struct bl_program *program, const struct bl_symbol_list *list)
{
    struct bl_buf words;

    bl_buf_init(&words, program->arena, TEXT_MAX);
    for (size_t i = 0; i < list->count; i++)
        bl_buf_printf(&words, "%s%.*s", i == 0 ? "by " : ", ",
                      BL_STR_ARG(list->items[i]->name));
    return settled(program, &words);
}

static void put_family(struct chart *chart, const struct bl_commands *family)
{
    const struct bl_program *program = chart->program;
    bl_str edge = {NULL, 0};
    unsigned from = put_behind(chart, 0, edge, "([", family->word, "])"), refused;

    if (family->by.count > 0) {
        from = put_question(chart, from, edge, names(program, &family->by));
        put_behind(chart, from, BL_STR("no"), "[", BL_STR("it is no command"), "]");
        edge = BL_STR("yes");
    }
    from = put_question(chart, from, edge, BL_STR("which word follows"));
    refused = put_behind(chart, from, BL_STR("another: unknown"), "[",
                         effects_of(program, family->refused->body), "]");
    for (size_t i = 0; i < family->commands.count; i++) {
        const struct bl_commands *command = family->commands.items[i]->as.commands;
        unsigned word = put_question(chart, from, (bl_str){NULL, 0}, written(program, command));

        edge_to(chart, word, refusals(program, command), refused);
        put_effects(chart, word, BL_STR("accepted"), command->rule->body);
    }
}

void bl_chart_family(const struct bl_program *program, const struct bl_symbol *symbol,
                     struct bl_buf *out)
{
    struct chart chart = {.program = program, .out = out};

    BL_PUT(out, "## Commands ");
    bl_show_code(out, symbol->name);
    BL_PUT(out, "\n\nFrom a command to what refuses it; the reasons are asked in their order, "
                "and the first decides.\n\n");
    bl_chart_open("LR", out);
    put_family(&chart, symbol->as.commands);
    bl_chart_close(out);
}
