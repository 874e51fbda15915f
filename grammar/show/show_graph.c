/* SPDX-License-Identifier: Apache-2.0 */
#include "show/show_life.h"
#include "show/show_text.h"

/* Flow charts. Nodes are named by kinds and numbers, so that no name of a policy can be a word
 * of Mermaid; what the policy says stands in quoted texts. */

static void open_chart(const char *direction, struct bl_buf *out)
{
    bl_buf_printf(out, "```mermaid\nflowchart %s\n", direction);
}

static void close_chart(struct bl_buf *out)
{
    BL_PUT(out, "```\n\n");
}

/* ---- decisions
 * -------------------------------------------------------------------------------------- */

static void put_row(const struct bl_program *program, const struct bl_statement *row,
                    unsigned number, struct bl_buf *out)
{
    if (row->condition != NULL) {
        bl_buf_printf(out, "  c%u{", number);
        bl_show_quoted(out, bl_show_node(program, row->condition));
        BL_PUT(out, "}\n");
    }
    bl_buf_printf(out, "  v%u([", number);
    bl_show_quoted(out, bl_show_node(program, row->value));
    BL_PUT(out, "])\n");
    if (number > 1)
        bl_buf_printf(out, "  c%u -->|no| %c%u\n", number - 1,
                      row->condition != NULL ? 'c' : 'v', number);
    if (row->condition != NULL)
        bl_buf_printf(out, "  c%u -->|yes| v%u\n", number, number);
}

static void put_decision(const struct bl_program *program, const struct bl_symbol *symbol,
                         struct bl_buf *out)
{
    unsigned number = 0;

    BL_PUT(out, "## Decision ");
    bl_show_code(out, symbol->name);
    BL_PUT(out, "\n\n");
    open_chart("TD", out);
    for (const struct bl_statement *s = symbol->as.callable->body; s != NULL; s = s->next) {
        if (s->kind == BL_STATEMENT_ROW)
            put_row(program, s, ++number, out);
    }
    close_chart(out);
}

/* ---- lives
 * ------------------------------------------------------------------------------------------ */

/* Effects in one text, blocks in blocks after their heads. */
static void gather_effects(const struct bl_program *program, const struct bl_clause *list,
                           struct bl_buf *words)
{
    for (const struct bl_clause *clause = list; clause != NULL; clause = clause->next) {
        bl_buf_put(words, words->len > 0 ? BL_STR(", ") : BL_STR(""));
        bl_buf_put(words, bl_show_head(program, clause->node));
        gather_effects(program, clause->block, words);
    }
}

static void put_effects(const struct bl_program *program, const struct bl_clause *clause,
                        unsigned number, struct bl_buf *out)
{
    struct bl_buf words;

    bl_buf_init(&words, program->arena, 0x100000);
    gather_effects(program, clause->block, &words);
    out->failed = out->failed || words.failed;
    bl_buf_printf(out, "  w%u[", number);
    bl_show_quoted(out, words.len > 0 ? bl_buf_str(&words) : BL_STR("nothing more"));
    bl_buf_printf(out, "]\n  n%u -->|yes| w%u\n", number, number);
}

/* Beginning, ends, exemptions and days in the order in which they are asked. */
static void put_lifecycle(const struct bl_program *program, const struct bl_symbol *symbol,
                          struct bl_buf *out)
{
    static const enum bl_clause_id order[] = {
        BL_CLAUSE_LIFECYCLE_SINCE, BL_CLAUSE_LIFECYCLE_ENDS, BL_CLAUSE_LIFECYCLE_EXEMPT,
        BL_CLAUSE_LIFECYCLE_ON_DAY};
    unsigned number = 0;

    BL_PUT(out, "## Lifecycle ");
    bl_show_code(out, symbol->name);
    BL_PUT(out, "\n\n");
    open_chart("TD", out);
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        for (const struct bl_clause *c = symbol->clause->block; c != NULL; c = c->next) {
            if (c->id != order[i])
                continue;
            number++;
            bl_buf_printf(out, "  n%u{", number);
            bl_show_quoted(out, bl_show_head(program, c->node));
            BL_PUT(out, "}\n");
            if (number > 1)
                bl_buf_printf(out, "  n%u -->|%s| n%u\n", number - 1,
                              number == 2 ? "set" : "no", number);
            if (c->id != BL_CLAUSE_LIFECYCLE_SINCE)
                put_effects(program, c, number, out);
        }
    }
    close_chart(out);
}

/* ---- jobs
 * -------------------------------------------------------------------------------------------
 */

static void put_node(const char *kind, const struct bl_symbol *symbol, struct bl_buf *out)
{
    bl_buf_printf(out, "    %s%u[", kind, symbol->number);
    bl_show_quoted(out, symbol->name);
    BL_PUT(out, "]\n");
}

static bool runs_here(const struct bl_symbol *rule, const struct bl_symbol *job)
{
    return rule->as.rule != NULL && rule->as.rule->job == job;
}

static void put_sweep(const struct bl_sweep *sweep, struct bl_buf *out)
{
    for (size_t i = 0; i < sweep->count; i++) {
        bl_buf_printf(out, "    i%u_%zu[", sweep->symbol->number, i);
        bl_show_quoted(out, sweep->items[i].symbol->name);
        BL_PUT(out, "]\n");
        if (i > 0)
            bl_buf_printf(out, "    i%u_%zu --> i%u_%zu\n", sweep->symbol->number, i - 1,
                          sweep->symbol->number, i);
    }
}

static void put_job(const struct bl_program *program, const struct bl_symbol *job,
                    struct bl_buf *out)
{
    const struct bl_symbol_list *rules = &program->symbols[BL_SYMBOL_RULE];

    bl_buf_printf(out, "  subgraph job%u[", job->number);
    bl_show_quoted(out, job->name);
    BL_PUT(out, "]\n");
    if (job->as.job->sweep != NULL)
        put_sweep(job->as.job->sweep->as.sweep, out);
    for (size_t i = 0; i < rules->count; i++) {
        if (runs_here(rules->items[i], job))
            put_node("rule", rules->items[i], out);
    }
    BL_PUT(out, "  end\n");
}

/* The events that reach something in the job, each as a node once. */
static uint64_t put_events_of(const struct bl_program *program, const struct bl_symbol *job,
                              struct bl_buf *out)
{
    const struct bl_symbol_list *rules = &program->symbols[BL_SYMBOL_RULE];
    uint64_t events = 0;

    for (size_t i = 0; i < rules->count; i++) {
        if (!runs_here(rules->items[i], job))
            continue;
        for (unsigned e = 0; e < BL_EVENT_COUNT; e++) {
            if ((rules->items[i]->as.rule->events & job->as.job->events) >> e & 1)
                bl_buf_printf(out, "  event%u --> rule%u\n", e, rules->items[i]->number);
        }
        events |= rules->items[i]->as.rule->events & job->as.job->events;
    }
    if (job->as.job->runs == BL_RUNS_RULES)
        return events;
    for (unsigned e = 0; e < BL_EVENT_COUNT; e++) {
        if ((job->as.job->events >> e & 1) != 0)
            bl_buf_printf(out, "  event%u --> job%u\n", e, job->number);
    }
    return job->as.job->events;
}

static void put_jobs(const struct bl_program *program, struct bl_buf *out)
{
    const struct bl_symbol_list *jobs = &program->symbols[BL_SYMBOL_JOB];
    uint64_t events = 0;

    BL_PUT(out, "## Jobs\n\n");
    open_chart("LR", out);
    for (size_t i = 0; i < jobs->count; i++)
        put_job(program, jobs->items[i], out);
    for (size_t i = 0; i < jobs->count; i++) {
        const struct bl_symbol *after = jobs->items[i]->as.job->after;

        events |= put_events_of(program, jobs->items[i], out);
        if (after != NULL)
            bl_buf_printf(out, "  job%u ==> job%u\n", after->number, jobs->items[i]->number);
    }
    for (unsigned e = 0; e < BL_EVENT_COUNT; e++) {
        if ((events >> e & 1) == 0)
            continue;
        bl_buf_printf(out, "  event%u([\"", e);
        bl_show_event(out, e);
        BL_PUT(out, "\"])\n");
    }
    close_chart(out);
}

void bl_show_graph(const struct bl_program *program, struct bl_buf *out)
{
    const struct bl_symbol_list *decisions = &program->symbols[BL_SYMBOL_DECISION];
    const struct bl_symbol_list *lives = &program->symbols[BL_SYMBOL_LIFECYCLE];

    BL_PUT(out, "# Charts of ");
    bl_show_prose(out, bl_show_title(program));
    BL_PUT(out, "\n\nMade from the policy by `policyc --emit=graph`.\n\n");
    if (program->symbols[BL_SYMBOL_JOB].count > 0)
        put_jobs(program, out);
    bl_show_life(program, out);
    for (size_t i = 0; i < decisions->count; i++) {
        if (bl_show_is_own(program, decisions->items[i]))
            put_decision(program, decisions->items[i], out);
    }
    for (size_t i = 0; i < lives->count; i++) {
        if (bl_show_is_own(program, lives->items[i]))
            put_lifecycle(program, lives->items[i], out);
    }
    out->failed = out->failed || program->arena->failed;
}
