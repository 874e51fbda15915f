/* SPDX-License-Identifier: Apache-2.0 */
#include "workflows/writer.h"

/* `jobs:`: what each may, when it runs, what it gives the next, and its steps. */

/* The action that runs what policies declare; it is asked by its inputs. */
#define RUNS_POLICIES "bylaw"

static void put_key(struct bl_writer *w, unsigned columns, const char *key)
{
    bl_yaml_indent(&w->out, columns);
    bl_buf_printf(&w->out, "%s: ", key);
}

static void begin_text(struct bl_writer *w, struct bl_buf *out)
{
    bl_buf_init(out, w->program->arena, (size_t)bl_limit(BL_LIMIT_TEXT_BYTES));
}

static void put_text(struct bl_writer *w, unsigned columns, const char *key, bl_str text)
{
    put_key(w, columns, key);
    bl_yaml_text(&w->out, text);
    bl_buf_put_char(&w->out, '\n');
}

/* ---- when, where and with what
 * ------------------------------------------------------------------- */

/* One condition a line; YAML joins the lines of a text in quotes with a blank. */
static void put_if(struct bl_writer *w, const struct bl_symbol *job,
                   const struct bl_knowing *knowing)
{
    const struct bl_job *j = job->as.job;
    struct bl_buf condition, line, branches;
    bl_str rest;

    begin_text(w, &condition);
    begin_text(w, &line);
    begin_text(w, &branches);
    bl_write_branch_condition(w, &branches);
    for (size_t i = 0; i < j->when.count; i++) {
        bl_buf_put(&condition, i > 0 ? BL_STR(BL_YAML_BREAK "&& ") : BL_STR(""));
        bl_write_condition(w, knowing, j->when.items[i],
                           j->when.count == 1 && branches.len == 0, &condition);
    }
    if (condition.len > 0 && branches.len > 0)
        BL_PUT(&condition, BL_YAML_BREAK "&& ");
    bl_buf_put(&condition, bl_buf_str(&branches));
    if (condition.len == 0)
        return;
    BL_PUT(&w->out, "    if: ");
    rest = bl_buf_str(&condition);
    bl_buf_printf(&line, "${{ %.*s }}", BL_STR_ARG(rest));
    bl_yaml_folded(&w->out, 6, bl_buf_str(&line));
}

static void put_needs(struct bl_writer *w, const struct bl_job *job)
{
    bool begun = false;

    /* GitHub shows a job the outputs of those alone that it names. */
    for (const struct bl_symbol *at = job->after; at != NULL; at = at->as.job->after) {
        bl_buf_put(&w->out, begun ? BL_STR(", ") : BL_STR("    needs: ["));
        bl_yaml_text(&w->out, at->name);
        begun = true;
    }
    if (begun)
        BL_PUT(&w->out, "]\n");
}

static void put_runner(struct bl_writer *w, const struct bl_symbol *job)
{
    const struct bl_clause *own = bl_find_row(job->clause->block, BL_CLAUSE_JOB_RUNNER);
    const struct bl_clause *common =
        bl_find_row(w->workflow->clause->block, BL_CLAUSE_WORKFLOW_RUNNER);
    bl_str image = bl_row_text(common, 0);

    if (own != NULL) {
        const struct bl_symbol *runner =
            bl_program_find(w->program, BL_SPACE_RUNNING, bl_slot_node(own, 0)->text);

        image = runner != NULL ? bl_row_text(runner->clause, 1) : image;
    }
    if (image.len == 0)
        bl_writer_lacks(w, w->workflow, "a runner: runner \"ubuntu-24.04\"");
    put_text(w, 4, "runs-on", image);
}

static void put_minutes(struct bl_writer *w, const struct bl_symbol *job)
{
    const struct bl_clause *row = bl_find_row(job->clause->block, BL_CLAUSE_JOB_MINUTES);

    if (row == NULL)
        row = bl_find_row(w->workflow->clause->block, BL_CLAUSE_WORKFLOW_MINUTES);
    if (row == NULL)
        return;
    put_key(w, 4, "timeout-minutes");
    bl_buf_put_int(&w->out, bl_slot_node(row, 0)->number);
    bl_buf_put_char(&w->out, '\n');
}

static void put_permissions(struct bl_writer *w, uint32_t set)
{
    BL_PUT(&w->out, "    permissions:");
    if ((set & ~BL_CAP(BL_PERMISSION_NONE)) == 0) {
        BL_PUT(&w->out, " {}\n");
        return;
    }
    bl_buf_put_char(&w->out, '\n');
    for (unsigned p = BL_PERMISSION_NONE + 1; p < BL_PERMISSION_COUNT; p++) {
        const struct bl_permission_info *info = bl_permission_info((enum bl_permission)p);

        if ((set & BL_CAP(p)) != 0 && !bl_permission_is_implied(set, p))
            bl_buf_printf(&w->out, "      %.*s: %.*s\n", BL_STR_ARG(info->key),
                          BL_STR_ARG(info->level));
    }
}

void bl_write_queue(struct bl_writer *w, const struct bl_knowing *knowing,
                    const struct bl_clause *queue, unsigned columns)
{
    struct bl_buf group;

    begin_text(w, &group);
    bl_write_value(w, knowing, bl_slot_node(queue, 0), &group);
    bl_yaml_indent(&w->out, columns);
    BL_PUT(&w->out, "concurrency:\n");
    put_text(w, columns + 2, "group", bl_buf_str(&group));
    /* The slot behind the text is the word that was chosen. */
    if (bl_str_equal(bl_slot_node(queue, 1)->text, BL_STR("every"))) {
        bl_yaml_indent(&w->out, columns + 2);
        BL_PUT(&w->out, "queue: max\n");
    }
    bl_yaml_indent(&w->out, columns + 2);
    BL_PUT(&w->out, "cancel-in-progress: false\n");
}

static size_t count_jobs(const struct bl_writer *w)
{
    const struct bl_symbol_list *jobs = &w->program->symbols[BL_SYMBOL_JOB];
    size_t count = 0;

    for (size_t i = 0; i < jobs->count; i++)
        count += bl_is_of(jobs->items[i], w->workflow) ? 1 : 0;
    return count;
}

/* The queue of a workflow with one job stands behind the job's condition, so that a run that
 * has nothing to do takes no place in it. */
static void put_queue(struct bl_writer *w, const struct bl_symbol *job,
                      const struct bl_knowing *knowing)
{
    const struct bl_clause *queue = bl_find_row(job->clause->block, BL_CLAUSE_JOB_QUEUE);

    if (queue == NULL && count_jobs(w) == 1)
        queue = bl_find_row(w->workflow->clause->block, BL_CLAUSE_WORKFLOW_QUEUE);
    if (queue != NULL)
        bl_write_queue(w, knowing, queue, 4);
}

/* ---- secrets
 * ------------------------------------------------------------------------------------ */

static const struct bl_symbol *secret_of(const struct bl_writer *w, const struct bl_clause *row)
{
    const struct bl_symbol *symbol =
        row->id == BL_CLAUSE_JOB_SECRET
            ? bl_program_find(w->program, BL_SPACE_VALUES, bl_slot_node(row, 0)->text)
            : NULL;

    return symbol != NULL && symbol->kind == BL_SYMBOL_SECRET ? symbol : NULL;
}

static void meet(struct bl_writer *w, const struct bl_symbol *job,
                 const struct bl_symbol *secret, bl_str *environment)
{
    bl_str other = secret->as.outside->environment;

    if (environment->len > 0 && other.len > 0 && !bl_str_equal(other, *environment)) {
        w->failed = true;
        if (w->sink != NULL)
            bl_diagnostic_text(w->sink, bl_report(w->sink, BL_D_TWO_ENVIRONMENTS, job->span),
                               "name", job->name);
    }
    if (other.len > 0)
        *environment = other;
}

/* The environment whose secrets the job gets, or asks whether they are set. */
static void put_environment(struct bl_writer *w, const struct bl_symbol *job)
{
    const struct bl_job_uses *uses = &w->uses[job->number];
    bl_str environment = {NULL, 0};
    struct bl_buf name;

    for (const struct bl_clause *row = job->clause->block; row != NULL; row = row->next) {
        if (secret_of(w, row) != NULL)
            meet(w, job, secret_of(w, row), &environment);
    }
    for (size_t i = 0; i < uses->secrets.count; i++)
        meet(w, job, uses->secrets.items[i], &environment);
    if (environment.len == 0)
        return;
    begin_text(w, &name);
    bl_write_words(&name, environment);
    put_text(w, 4, "environment", bl_buf_str(&name));
}

/* ---- steps
 * -------------------------------------------------------------------------------------- */

static void begin_step(struct bl_writer *w)
{
    BL_PUT(&w->out, "      - ");
}

static void put_action(struct bl_writer *w, const struct bl_symbol *action)
{
    bl_str version =
        bl_row_text(bl_find_row(action->clause->block, BL_CLAUSE_ACTION_VERSION), 0);

    bl_buf_printf(&w->out, "uses: %.*s", BL_STR_ARG(bl_row_text(action->clause, 1)));
    if (version.len > 0)
        bl_buf_printf(&w->out, " # %.*s", BL_STR_ARG(version));
    bl_buf_put_char(&w->out, '\n');
}

/* GitHub's names of inputs have hyphens where ours have underscores, unless the action says
 * otherwise. */
static void put_input_name(struct bl_writer *w, const struct bl_symbol *action, bl_str name)
{
    const struct bl_clause *row = action->clause->block;
    struct bl_buf hyphens;

    for (; row != NULL; row = row->next) {
        if (row->id == BL_CLAUSE_ACTION_INPUT &&
            bl_str_equal(bl_slot_node(row, 0)->text, name)) {
            bl_yaml_text(&w->out, bl_row_text(row, 1));
            return;
        }
    }
    begin_text(w, &hyphens);
    for (size_t i = 0; i < name.len; i++)
        bl_buf_put_char(&hyphens, name.ptr[i] == '_' ? '-' : name.ptr[i]);
    bl_yaml_text(&w->out, bl_buf_str(&hyphens));
}

/* Several values are lines. */
static void put_inputs(struct bl_writer *w, const struct bl_knowing *knowing,
                       const struct bl_symbol *action, const struct bl_clause *pairs)
{
    if (pairs != NULL)
        BL_PUT(&w->out, "        with:\n");
    for (; pairs != NULL; pairs = pairs->next) {
        struct bl_buf value;

        begin_text(w, &value);
        for (uint32_t i = 0; i < pairs->slots[1].count; i++) {
            bl_buf_put(&value, i > 0 ? BL_STR("\n") : BL_STR(""));
            bl_write_value(w, knowing, pairs->slots[1].nodes[i], &value);
        }
        bl_yaml_indent(&w->out, 10);
        put_input_name(w, action, bl_slot_node(pairs, 0)->text);
        bl_buf_put_char(&w->out, ':');
        bl_yaml_lines(&w->out, 12, bl_buf_str(&value));
    }
}

static const struct bl_symbol *find_action(const struct bl_writer *w, bl_str name)
{
    const struct bl_symbol *action = bl_program_find(w->program, BL_SPACE_RUNNING, name);

    return action != NULL && action->kind == BL_SYMBOL_ACTION ? action : NULL;
}

static bool is_given_secret(const struct bl_writer *w, const struct bl_symbol *job,
                            const struct bl_symbol *secret)
{
    const struct bl_clause *row = job->clause->block;

    while (row != NULL && secret_of(w, row) != secret)
        row = row->next;
    return row != NULL;
}

/* The outputs of one job before it, as JSON that GitHub itself writes: null for one that was
 * not given. */
static bool put_given_job(const struct bl_writer *w, const struct bl_symbol *local, bool begun,
                          struct bl_buf *out)
{
    const struct bl_record_declared *record;

    if (!local->used || bl_type_kind(local->type) != BL_TYPE_RECORD)
        return begun;
    record = &w->program->records.items[bl_type_ref(local->type)];
    bl_buf_printf(out, "%s\"%.*s\": {", begun ? ", " : "", BL_STR_ARG(local->name));
    for (size_t i = 0; i < record->count; i++) {
        bl_str name = record->fields[i].name;

        bl_buf_printf(out, "%s\"%.*s\": ${{ toJSON(needs.%.*s.outputs.%.*s) }}",
                      i > 0 ? ", " : "", BL_STR_ARG(name), BL_STR_ARG(local->name),
                      BL_STR_ARG(name));
    }
    bl_buf_put_char(out, '}');
    return true;
}

/* What the job asks of jobs before it, by the name that `bylaw` reads. */
static void put_given(struct bl_writer *w, const struct bl_job *job)
{
    struct bl_buf json;
    bool begun = false;

    begin_text(w, &json);
    bl_buf_put_char(&json, '{');
    for (size_t i = 0; i < job->given.count; i++)
        begun = put_given_job(w, job->given.items[i], begun, &json);
    bl_buf_put_char(&json, '}');
    if (begun)
        put_text(w, 10, "BYLAW_OUTPUTS", bl_buf_str(&json));
}

/* What the event does not bring, by the names that `bylaw run` reads: the token, a variable's
 * value, of a secret whether it is set. The step of an engine gets the secrets of its job. */
static void put_outside(struct bl_writer *w, const struct bl_symbol *job, bool gets_secrets)
{
    const struct bl_job_uses *uses = &w->uses[job->number];
    struct bl_buf *out = &w->out;

    BL_PUT(out, "        env:\n          GITHUB_TOKEN: ${{ github.token }}\n");
    put_given(w, job->as.job);
    for (size_t i = 0; i < uses->variables.count; i++) {
        bl_str name = uses->variables.items[i]->as.outside->shown;

        bl_buf_printf(out, "          %.*s: ${{ vars.%.*s }}\n", BL_STR_ARG(name),
                      BL_STR_ARG(name));
    }
    for (size_t i = 0; i < uses->secrets.count; i++) {
        bl_str name = uses->secrets.items[i]->as.outside->shown;

        if (!gets_secrets || !is_given_secret(w, job, uses->secrets.items[i]))
            bl_buf_printf(out, "          %.*s: ${{ secrets.%.*s != '' }}\n", BL_STR_ARG(name),
                          BL_STR_ARG(name));
    }
    for (const struct bl_clause *row = job->clause->block; row != NULL && gets_secrets;
         row = row->next) {
        if (secret_of(w, row) == NULL)
            continue;
        bl_str name = secret_of(w, row)->as.outside->shown;

        bl_buf_printf(out, "          %.*s: ${{ secrets.%.*s }}\n", BL_STR_ARG(name),
                      BL_STR_ARG(name));
    }
}

/* The form of a run by hand may say that nothing is to be written. */
static void put_dry_run(struct bl_writer *w)
{
    bl_str name = bl_field_info(BL_FIELD_INPUTS_DRY_RUN)->name;

    for (const struct bl_clause *on = w->workflow->clause->block; on != NULL; on = on->next) {
        for (const struct bl_clause *row = on->block; row != NULL; row = row->next) {
            if (row->id == BL_CLAUSE_LISTENS_INPUT &&
                bl_str_equal(bl_slot_node(row, 0)->text, name))
                bl_buf_printf(&w->out, "          dry-run: ${{ inputs.%.*s || false }}\n",
                              BL_STR_ARG(name));
        }
    }
}

/* The task and the answer that the jobs before gave. */
static void put_handed(struct bl_writer *w, const struct bl_symbol *job)
{
    bool task = false, answer = false;

    if (job->as.job->runs != BL_RUNS_TASK && job->as.job->runs != BL_RUNS_ANSWERS)
        return;
    for (const struct bl_symbol *at = job->as.job->after; at != NULL; at = at->as.job->after) {
        if (w->uses[at->number].starts && !task) {
            bl_buf_printf(&w->out, "          task: ${{ needs.%.*s.outputs.task }}\n",
                          BL_STR_ARG(at->name));
            task = true;
        }
        if (at->as.job->runs == BL_RUNS_TASK && !answer) {
            bl_buf_printf(&w->out, "          answer: ${{ needs.%.*s.outputs.answer }}\n",
                          BL_STR_ARG(at->name));
            answer = true;
        }
    }
}

/* A step of the action that runs policies. `step` is NULL for all that the job runs. */
static void put_policy_step(struct bl_writer *w, const struct bl_symbol *job, const char *step,
                            bl_str name, bl_str path)
{
    const struct bl_symbol *action = find_action(w, BL_STR(RUNS_POLICIES));
    bool is_prepare = step != NULL && bl_str_equal(bl_str_from(step), BL_STR("prepare"));

    if (action == NULL) {
        bl_writer_lacks(w, job,
                        "the action that runs policies: action " RUNS_POLICIES
                        " \"OWNER/REPOSITORY@COMMIT\"");
        return;
    }
    begin_step(w);
    if (step == NULL || (job->as.job->runs == BL_RUNS_TASK && !is_prepare))
        BL_PUT(&w->out, "id: " RUNS_POLICIES "\n        ");
    put_action(w, action);
    BL_PUT(&w->out, "        with:\n");
    put_text(w, 10, "job", job->name);
    if (step != NULL)
        bl_buf_printf(&w->out, "          step: %s\n", step);
    if (name.len > 0)
        put_text(w, 10, "name", name);
    if (path.len > 0)
        put_text(w, 10, "path", path);
    if (is_prepare)
        return;
    put_handed(w, job);
    if (step == NULL)
        put_dry_run(w);
    put_outside(w, job,
                job->as.job->runs == BL_RUNS_TASK ||
                    (step != NULL && bl_str_equal(bl_str_from(step), BL_STR("engine"))));
}

static bl_str words_of(struct bl_writer *w, bl_str text)
{
    struct bl_buf out;

    begin_text(w, &out);
    bl_write_words(&out, text);
    return bl_buf_str(&out);
}

static void put_step(struct bl_writer *w, const struct bl_symbol *job,
                     const struct bl_knowing *knowing, const struct bl_clause *step)
{
    const struct bl_node *node = bl_slot_node(step, 0);
    const bl_str nothing = {NULL, 0};

    if (step->id == BL_CLAUSE_STEPS_USES) {
        const struct bl_symbol *action = find_action(w, node->text);

        begin_step(w);
        put_action(w, action);
        put_inputs(w, knowing, action, step->block);
    } else if (step->id == BL_CLAUSE_STEPS_RUN) {
        begin_step(w);
        BL_PUT(&w->out, "run:");
        bl_yaml_lines(&w->out, 10, bl_row_text(step, 0));
    } else if (step->id == BL_CLAUSE_STEPS_WRITE) {
        put_policy_step(w, job, "write", node->text, nothing);
    } else if (step->id == BL_CLAUSE_STEPS_ENGINE) {
        put_policy_step(w, job, "engine", nothing, nothing);
    } else if (step->id == BL_CLAUSE_STEPS_CHECK) {
        put_policy_step(w, job, "check", node->text, words_of(w, bl_row_text(step, 1)));
    } else if (step->id == BL_CLAUSE_STEPS_POST) {
        put_policy_step(w, job, "post", node->text, nothing);
    }
}

static bool asks_policy(const struct bl_clause *step)
{
    while (step != NULL &&
           (step->id == BL_CLAUSE_STEPS_USES || step->id == BL_CLAUSE_STEPS_RUN))
        step = step->next;
    return step != NULL;
}

/* The policy is compiled from what the job begins with, before a step of its own may bring
 * files of a pull request into the checkout. */
static void put_prepare(struct bl_writer *w, const struct bl_symbol *job,
                        const struct bl_symbol *begins)
{
    if (begins == NULL)
        bl_writer_lacks(
            w, job,
            "the steps that its job begins with, which check out the policy: begins "
            "NAME");
    put_policy_step(w, job, "prepare", (bl_str){NULL, 0}, (bl_str){NULL, 0});
}

static void put_steps(struct bl_writer *w, const struct bl_symbol *job,
                      const struct bl_knowing *knowing)
{
    const struct bl_symbol *begins = bl_job_begins(w->program, job);
    const struct bl_clause *own = bl_find_row(job->clause->block, BL_CLAUSE_JOB_STEPS);
    size_t before;

    BL_PUT(&w->out, "    steps:\n");
    before = w->out.len;
    for (const struct bl_clause *s = begins != NULL ? begins->clause->block : NULL; s != NULL;
         s = s->next)
        put_step(w, job, knowing, s);
    if ((own != NULL && asks_policy(own->block)) || job->as.job->runs == BL_RUNS_TASK)
        put_prepare(w, job, begins);
    for (const struct bl_clause *s = own != NULL ? own->block : NULL; s != NULL; s = s->next)
        put_step(w, job, knowing, s);
    if (job->as.job->runs == BL_RUNS_TASK)
        put_policy_step(w, job, "engine", (bl_str){NULL, 0}, (bl_str){NULL, 0});
    else if (job->as.job->runs != BL_RUNS_NOTHING)
        put_policy_step(w, job, NULL, (bl_str){NULL, 0}, (bl_str){NULL, 0});
    if (w->out.len == before && !w->failed)
        bl_writer_lacks(w, job, "something that its job does: runs rules, or steps { … }");
}

/* ---- jobs
 * --------------------------------------------------------------------------------------- */

static bool is_followed(const struct bl_writer *w, const struct bl_symbol *job)
{
    const struct bl_symbol_list *jobs = &w->program->symbols[BL_SYMBOL_JOB];

    for (size_t i = 0; i < jobs->count; i++) {
        if (jobs->items[i]->as.job->after == job && bl_is_of(jobs->items[i], w->workflow))
            return true;
    }
    return false;
}

static void put_output(struct bl_writer *w, bl_str name)
{
    bl_yaml_indent(&w->out, 6);
    bl_yaml_text(&w->out, name);
    bl_buf_printf(&w->out, ": ${{ steps." RUNS_POLICIES ".outputs.%.*s }}\n", BL_STR_ARG(name));
}

/* An action of several steps has to name its outputs, and those of a policy have any name: they
 * come as one. */
static void put_own_output(struct bl_writer *w, bl_str name)
{
    struct bl_buf value;

    begin_text(w, &value);
    bl_buf_printf(&value,
                  "${{ fromJSON(steps." RUNS_POLICIES ".outputs." BL_OUTPUT_ALL
                  " || '{}').%.*s }}",
                  BL_STR_ARG(name));
    bl_yaml_indent(&w->out, 6);
    bl_yaml_text(&w->out, name);
    BL_PUT(&w->out, ": ");
    bl_yaml_text(&w->out, bl_buf_str(&value));
    bl_buf_put_char(&w->out, '\n');
}

/* What crosses to the jobs behind it: numbers and names alone, by the types of `output`. */
static void put_outputs(struct bl_writer *w, const struct bl_symbol *job)
{
    const struct bl_job_uses *uses = &w->uses[job->number];
    bool answers = job->as.job->runs == BL_RUNS_TASK;

    if (!is_followed(w, job) || (!uses->starts && !answers && uses->outputs.count == 0))
        return;
    BL_PUT(&w->out, "    outputs:\n");
    if (uses->starts)
        put_output(w, BL_STR(BL_OUTPUT_TASK));
    if (answers)
        put_output(w, BL_STR(BL_OUTPUT_ANSWER));
    for (size_t i = 0; i < uses->outputs.count; i++)
        put_own_output(w, uses->outputs.items[i]);
}

void bl_write_job(struct bl_writer *w, const struct bl_symbol *job)
{
    const struct bl_clause *named = bl_find_row(job->clause->block, BL_CLAUSE_JOB_NAMED);
    const struct bl_knowing knowing = {job, w->workflow->as.workflow->events};

    BL_PUT(&w->out, "\n  ");
    bl_yaml_text(&w->out, job->name);
    BL_PUT(&w->out, ":\n");
    if (named != NULL) {
        struct bl_buf name;

        begin_text(w, &name);
        bl_write_value(w, &knowing, bl_slot_node(named, 0), &name);
        put_text(w, 4, "name", bl_buf_str(&name));
    }
    put_needs(w, job->as.job);
    put_if(w, job, &knowing);
    put_runner(w, job);
    put_minutes(w, job);
    put_permissions(w, w->uses[job->number].needed);
    put_environment(w, job);
    put_queue(w, job, &knowing);
    put_outputs(w, job);
    put_steps(w, job, &knowing);
}
