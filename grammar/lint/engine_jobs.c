/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/linter.h"
#include "sema/job_uses.h"

/* Jobs around an AI: the hosts that its engine may reach, and that nothing is pushed which no
 * check has seen. */

static const struct bl_clause *row_of(const struct bl_symbol *symbol, enum bl_clause_id id)
{
    const struct bl_clause *row = symbol->clause != NULL ? symbol->clause->block : NULL;

    while (row != NULL && row->id != id)
        row = row->next;
    return row;
}

/* ---- the runner of an engine ----------------------------------------------------------- */

static bool names_engine(const struct bl_clause *hosts)
{
    for (uint32_t i = 0; i < hosts->slots[0].count; i++) {
        if (bl_str_equal(hosts->slots[0].nodes[i]->text, BL_STR("engine")))
            return true;
    }
    return false;
}

static void look_at_runner(struct bl_linter *l, const struct bl_symbol *job)
{
    const struct bl_symbol *engine = job->as.job->engine;
    const struct bl_clause *place = row_of(job, BL_CLAUSE_JOB_RUNNER);
    const struct bl_symbol *runner =
        place != NULL
            ? bl_program_find(l->program, BL_SPACE_RUNNING, bl_slot_node(place, 0)->text)
            : NULL;
    const struct bl_clause *hosts =
        runner != NULL ? row_of(runner, BL_CLAUSE_RUNNER_HOSTS) : NULL;
    struct bl_diagnostic *d;
    bool allowed;

    if (engine == NULL || hosts == NULL || hosts->slots[0].count == 0)
        return;
    allowed = names_engine(hosts);
    if (allowed && engine->as.engine->hosts.count > 0)
        return;
    d = bl_lint_report(l, BL_D_ENGINE_OUT_OF_REACH, place->node->span);
    bl_lint_text(l, d, "name", job->name);
    bl_lint_text(l, d, "engine", engine->name);
    bl_lint_text(l, d, "runner", runner->name);
    if (allowed) {
        bl_diagnostic_label(&l->found, d, engine->span, BL_STR("names no hosts"));
        return;
    }
    bl_diagnostic_label(&l->found, d, hosts->node->span, BL_STR("leaves them out"));
    if (bl_lint_is_own(runner)) {
        uint32_t end = hosts->slots[0].nodes[hosts->slots[0].count - 1]->span.hi;

        bl_diagnostic_fix(&l->found, d, (struct bl_span){hosts->node->span.source, end, end},
                          BL_STR(", engine"));
    }
}

/* ---- what is pushed -------------------------------------------------------------------- */

/* The next word of a command line, from *at on; empty where the command ends. */
static bl_str next_word(bl_str text, size_t *at)
{
    size_t from;

    while (*at < text.len && (text.ptr[*at] == ' ' || text.ptr[*at] == '\t'))
        ++*at;
    from = *at;
    while (*at < text.len &&
           bl_str_find_char(BL_STR(" \t\r\n;&|()"), text.ptr[*at]) == SIZE_MAX)
        ++*at;
    return bl_str_slice(text, from, *at);
}

/* The first word behind `git` that is none of its options. */
static bool is_push_of_git(bl_str text, size_t *at)
{
    bl_str word = next_word(text, at);

    while (bl_str_starts_with(word, BL_STR("-"))) {
        if (bl_str_equal(word, BL_STR("-c")) || bl_str_equal(word, BL_STR("-C")))
            (void)next_word(text, at);
        word = next_word(text, at);
    }
    return bl_str_equal(word, BL_STR("push"));
}

static bool pushes(bl_str text)
{
    for (size_t at = 0; at < text.len; at++) { /* past what ended the command */
        for (bl_str word = next_word(text, &at); word.len > 0; word = next_word(text, &at)) {
            if ((bl_str_equal(word, BL_STR("git")) || bl_str_ends_with(word, BL_STR("/git"))) &&
                is_push_of_git(text, &at))
                return true;
        }
    }
    return false;
}

/* Does an AI run before the job? Jobs wait for jobs that are declared before them. */
static const struct bl_symbol *engine_before(const struct bl_symbol *job)
{
    for (const struct bl_symbol *one = job; one != NULL; one = one->as.job->after) {
        if (one->as.job->engine != NULL)
            return one->as.job->engine;
    }
    return NULL;
}

static bool look_at_steps(struct bl_linter *l, const struct bl_symbol *job,
                          const struct bl_clause *step, bool checked)
{
    for (; step != NULL; step = step->next) {
        const struct bl_node *line =
            step->id == BL_CLAUSE_STEPS_RUN ? bl_slot_node(step, 0) : NULL;
        struct bl_diagnostic *d;

        checked = checked || step->id == BL_CLAUSE_STEPS_CHECK;
        if (checked || line == NULL)
            continue;
        for (uint32_t i = 0; i <= line->kid_count; i++) {
            bl_str words = i < line->kid_count ? line->kids[i]->text : line->text;

            if (!pushes(words))
                continue;
            d = bl_lint_report(l, BL_D_PUSHED_UNCHECKED, step->node->span);
            bl_lint_text(l, d, "name", job->name);
            bl_lint_text(l, d, "engine", engine_before(job)->name);
            break;
        }
    }
    return checked;
}

static void look_for_pushes(struct bl_linter *l, const struct bl_symbol *job)
{
    const struct bl_symbol *begins = bl_job_begins(l->program, job);
    const struct bl_clause *own = row_of(job, BL_CLAUSE_JOB_STEPS);
    bool checked = false;

    if (engine_before(job) == NULL)
        return;
    if (begins != NULL && begins->clause != NULL)
        checked = look_at_steps(l, job, begins->clause->block, false);
    if (own != NULL)
        look_at_steps(l, job, own->block, checked);
}

void bl_lint_engine_jobs(struct bl_linter *l)
{
    const struct bl_symbol_list *jobs = &l->program->symbols[BL_SYMBOL_JOB];

    for (size_t i = 0; i < jobs->count; i++) {
        if (!bl_lint_is_own(jobs->items[i]) || jobs->items[i]->clause == NULL)
            continue;
        look_at_runner(l, jobs->items[i]);
        look_for_pushes(l, jobs->items[i]);
    }
}
