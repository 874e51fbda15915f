/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/job_uses.h"
#include "show/show_charts.h"
#include "show/show_life.h"

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
    bl_chart_open("TD", out);
    for (const struct bl_statement *s = symbol->as.callable->body; s != NULL; s = s->next) {
        if (s->kind == BL_STATEMENT_ROW)
            put_row(program, s, ++number, out);
    }
    bl_chart_close(out);
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

/* What events reach: rules and families of commands, with the name that their nodes have. */
static const struct {
    enum bl_symbol_kind kind;
    const char *node;
} reached[] = {{BL_SYMBOL_RULE, "rule"}, {BL_SYMBOL_COMMANDS, "family"}};
#define REACHED_COUNT (sizeof reached / sizeof reached[0])

static const struct bl_rule *rule_of(const struct bl_symbol *symbol)
{
    return symbol->kind == BL_SYMBOL_COMMANDS ? symbol->as.commands->refused : symbol->as.rule;
}

static bool runs_here(const struct bl_symbol *symbol, const struct bl_symbol *job)
{
    return rule_of(symbol) != NULL && rule_of(symbol)->job == job;
}

static void put_sweep(const struct bl_program *program, const struct bl_sweep *sweep,
                      struct bl_buf *out)
{
    for (size_t i = 0; i < sweep->count; i++) {
        struct bl_buf words;

        bl_buf_init(&words, program->arena, 0x100000);
        bl_buf_put(&words, sweep->items[i].symbol->name);
        if (sweep->items[i].condition != NULL)
            bl_buf_printf(&words, " when %.*s",
                          BL_STR_ARG(bl_show_node(program, sweep->items[i].condition)));
        bl_buf_printf(out, "    i%u_%zu[", sweep->symbol->number, i);
        bl_show_quoted(out, bl_buf_str(&words));
        BL_PUT(out, "]\n");
        if (i > 0)
            bl_buf_printf(out, "    i%u_%zu --> i%u_%zu\n", sweep->symbol->number, i - 1,
                          sweep->symbol->number, i);
    }
}

static void put_job(const struct bl_program *program, const struct bl_symbol *job,
                    struct bl_buf *out)
{
    bl_buf_printf(out, "  subgraph job%u[", job->number);
    bl_show_quoted(out, job->name);
    BL_PUT(out, "]\n");
    if (job->as.job->sweep != NULL)
        put_sweep(program, job->as.job->sweep->as.sweep, out);
    for (size_t k = 0; k < REACHED_COUNT; k++) {
        const struct bl_symbol_list *list = &program->symbols[reached[k].kind];

        for (size_t i = 0; i < list->count; i++) {
            if (runs_here(list->items[i], job))
                put_node(reached[k].node, list->items[i], out);
        }
    }
    BL_PUT(out, "  end\n");
}

/* The jobs of each workflow in a frame of its own, those without one behind. */
static void put_frames(const struct bl_program *program, struct bl_buf *out)
{
    const struct bl_symbol_list *workflows = &program->symbols[BL_SYMBOL_WORKFLOW];
    const struct bl_symbol_list *jobs = &program->symbols[BL_SYMBOL_JOB];

    for (size_t w = 0; w <= workflows->count; w++) {
        const struct bl_symbol *workflow = w < workflows->count ? workflows->items[w] : NULL;

        if (workflow != NULL) {
            bl_buf_printf(out, "  subgraph flow%u[", workflow->number);
            bl_show_quoted(out, workflow->name);
            BL_PUT(out, "]\n");
        }
        for (size_t i = 0; i < jobs->count; i++) {
            if (jobs->items[i]->as.job->workflow == workflow)
                put_job(program, jobs->items[i], out);
        }
        if (workflow != NULL)
            BL_PUT(out, "  end\n");
    }
}

/* The events that reach something in the job, each as a node once. */
static uint64_t put_events_of(const struct bl_program *program, const struct bl_symbol *job,
                              struct bl_buf *out)
{
    uint64_t events = 0;

    for (size_t k = 0; k < REACHED_COUNT; k++) {
        const struct bl_symbol_list *list = &program->symbols[reached[k].kind];

        for (size_t i = 0; i < list->count; i++) {
            uint64_t heard;

            if (!runs_here(list->items[i], job))
                continue;
            heard = rule_of(list->items[i])->events & job->as.job->events;
            for (unsigned e = 0; e < BL_EVENT_COUNT; e++) {
                if ((heard >> e & 1) != 0)
                    bl_buf_printf(out, "  event%u --> %s%u\n", e, reached[k].node,
                                  list->items[i]->number);
            }
            events |= heard;
        }
    }
    /* What runs after another job hears of events through that one. */
    if (job->as.job->runs == BL_RUNS_RULES || job->as.job->after != NULL)
        return events;
    /* Without a workflow an answer may come with any event: what matters is the answer. */
    if (job->as.job->workflow == NULL &&
        (job->as.job->runs == BL_RUNS_ANSWERS || job->as.job->runs == BL_RUNS_TASK)) {
        bl_buf_printf(out, "  brought%u([\"%s\"])\n  brought%u --> job%u\n", job->number,
                      job->as.job->runs == BL_RUNS_ANSWERS ? "an answer" : "a task",
                      job->number, job->number);
        return events;
    }
    for (unsigned e = 0; e < BL_EVENT_COUNT; e++) {
        if ((job->as.job->events >> e & 1) != 0)
            bl_buf_printf(out, "  event%u --> job%u\n", e, job->number);
    }
    return events | job->as.job->events;
}

/* ---- what crosses between jobs
 * ---------------------------------------------------------------------------------------- */

static void cross(struct bl_buf *words, bl_str what)
{
    if (words->len > 0)
        BL_PUT(words, ", ");
    bl_buf_put(words, what);
}

/* From the job before: the task that its rules start, the answer that its task gives, and the
 * outputs that it sets. */
static void put_crossing(const struct bl_program *program, const struct bl_symbol *job,
                         struct bl_buf *out)
{
    const struct bl_symbol *before = job->as.job->after;
    struct bl_job_uses uses;
    struct bl_buf words;

    bl_job_uses(program, before, &uses);
    bl_buf_init(&words, program->arena, 0x100000);
    if (uses.starts)
        cross(&words, BL_STR("task"));
    if (before->as.job->runs == BL_RUNS_TASK)
        cross(&words, BL_STR("answer"));
    for (size_t i = 0; i < uses.outputs.count; i++)
        cross(&words, uses.outputs.items[i]);
    bl_buf_printf(out, "  job%u ==>", before->number);
    if (words.len > 0) {
        bl_buf_put_char(out, '|');
        bl_show_quoted(out, bl_buf_str(&words));
        bl_buf_put_char(out, '|');
    }
    bl_buf_printf(out, " job%u\n", job->number);
}

static void put_jobs(const struct bl_program *program, struct bl_buf *out)
{
    const struct bl_symbol_list *jobs = &program->symbols[BL_SYMBOL_JOB];
    uint64_t events = 0;

    BL_PUT(out, "## Jobs\n\nA thick arrow goes from a job to the one that runs after it, with "
                "all that crosses between them.\n\n");
    bl_chart_open("LR", out);
    put_frames(program, out);
    for (size_t i = 0; i < jobs->count; i++) {
        events |= put_events_of(program, jobs->items[i], out);
        if (jobs->items[i]->as.job->after != NULL)
            put_crossing(program, jobs->items[i], out);
    }
    for (unsigned e = 0; e < BL_EVENT_COUNT; e++) {
        if ((events >> e & 1) == 0)
            continue;
        bl_buf_printf(out, "  event%u([\"", e);
        bl_show_event(out, e);
        BL_PUT(out, "\"])\n");
    }
    bl_chart_close(out);
}

static void put_each(const struct bl_program *program, enum bl_symbol_kind kind,
                     void (*put)(const struct bl_program *program,
                                 const struct bl_symbol *symbol, struct bl_buf *out),
                     struct bl_buf *out)
{
    for (size_t i = 0; i < program->symbols[kind].count; i++) {
        if (bl_show_is_own(program, program->symbols[kind].items[i]))
            put(program, program->symbols[kind].items[i], out);
    }
}

void bl_show_graph(const struct bl_program *program, struct bl_buf *out)
{
    BL_PUT(out, "# Charts of ");
    bl_show_prose(out, bl_show_title(program));
    BL_PUT(out, "\n\nMade from the policy by `policyc --emit=graph`.\n\n");
    if (program->symbols[BL_SYMBOL_JOB].count > 0)
        put_jobs(program, out);
    bl_show_life(program, out);
    bl_chart_stores(program, out);
    put_each(program, BL_SYMBOL_DECISION, put_decision, out);
    put_each(program, BL_SYMBOL_COMMANDS, bl_chart_family, out);
    put_each(program, BL_SYMBOL_LIFECYCLE, bl_chart_lifecycle, out);
    out->failed = out->failed || program->arena->failed;
}
