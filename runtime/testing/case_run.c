/* SPDX-License-Identifier: Apache-2.0 */
#include "testing/case_run.h"

#include "base/time.h"
#include "report/report.h"
#include "text/patch.h"

/* ---- what went wrong
 * ---------------------------------------------------------------------------- */

struct bl_test_failure *bl_case_failure(struct bl_case *c, const struct bl_site *site,
                                        bl_str text)
{
    struct bl_test_failure *failure = BL_PUSH(c->results, c->result->failures);
    if (failure == NULL)
        return NULL;
    *failure = (struct bl_test_failure){.source = site->source, .lo = site->lo, .hi = site->hi};
    struct bl_buf words;
    bl_buf_init(&words, c->results, 4096);
    bl_buf_put(&words, text);
    if (c->cut_run != SIZE_MAX)
        bl_buf_printf(&words,
                      " This is after a crash: run %zu was cut after %zu writes and "
                      "started again.",
                      c->cut_run + 1, c->cut_after);
    failure->text = bl_buf_str(&words);
    if (c->result->outcome == BL_TEST_PASSED)
        c->result->outcome = BL_TEST_FAILED;
    return failure;
}

enum bl_status bl_case_broken(struct bl_case *c, const struct bl_site *site, bl_str text)
{
    c->stopped = true;
    c->result->outcome = BL_TEST_BROKEN;
    return bl_case_failure(c, site, text) != NULL ? BL_ERR_INVALID : BL_ERR_NOMEM;
}

static void describe_whole(struct bl_buf *out, const char *title, struct bl_value value)
{
    if (!bl_value_is_shortened(value))
        return;
    bl_buf_printf(out, "      %s\n", title);
    bl_value_describe_lines(out, value, BL_STR("      | "));
}

/* The conditions of the expectation with their values, the deciding one last. */
static void describe_atoms(struct bl_case *c, struct bl_buf *out)
{
    struct bl_value_names names = bl_machine_names(c->module);
    for (size_t i = 0; i < c->trace.atoms.count; i++) {
        const struct bl_atom *atom = &c->trace.atoms.items[i];
        const struct bl_map_row *place = bl_module_place(c->module, atom->insn);
        bool has_values = !bl_is_absent(atom->left) || !bl_is_absent(atom->right);
        if (place == NULL || !has_values)
            continue;
        struct bl_span span = {place->lo, bl_map_hi(place), place->source};
        BL_PUT(out, "    ");
        if (c->options->sources != NULL)
            bl_buf_put(out, bl_sources_text(c->options->sources, span));
        BL_PUT(out, "  —  ");
        bl_value_describe(out, atom->left, &names);
        BL_PUT(out, " and ");
        bl_value_describe(out, atom->right, &names);
        BL_PUT(out, "\n");
        describe_whole(out, "the left side, whole:", atom->left);
        describe_whole(out, "the right side, whole:", atom->right);
    }
}

static enum bl_status expect(void *context, const struct bl_site *site, bool holds)
{
    struct bl_case *c = context;
    c->result->expectations++;
    if (!holds) {
        struct bl_test_failure *failure =
            bl_case_failure(c, site, BL_STR("This does not hold."));
        if (failure == NULL)
            return BL_ERR_NOMEM;
        struct bl_buf detail;
        bl_buf_init(&detail, c->results, 65536);
        BL_PUT(&detail, "    actual:\n");
        describe_atoms(c, &detail);
        bl_case_describe_plans(c, &detail);
        bl_case_explain(c, NULL, 0, &detail);
        failure->detail = bl_buf_str(&detail);
    }
    c->trace.atoms.count = 0;
    return BL_OK;
}

/* ---- running jobs
 * ----------------------------------------------------------------------------------- */

static void remember(struct bl_case *c, const struct bl_run_result *result)
{
    struct bl_run_result *run = BL_PUSH(c->arena, c->runs);
    if (run != NULL)
        *run = *result;
    if (result->has_task) {
        c->has_task = true;
        c->task = result->task;
    }
    for (size_t i = 0; i < result->files.count; i++)
        bl_buf_printf(&c->files, "%s==> %.*s <==\n%.*s", c->files.len > 0 ? "\n" : "",
                      BL_STR_ARG(result->files.items[i].path),
                      BL_STR_ARG(result->files.items[i].text));
    for (size_t i = 0; i < result->command.count; i++)
        bl_buf_printf(&c->files, "%s%.*s", i == 0 ? "\n==> command <==\n" : " ",
                      BL_STR_ARG(result->command.items[i]));
    for (size_t i = 0; i < result->reports.count; i++) {
        bl_buf_put(&c->reported, result->reports.items[i]);
        BL_PUT(&c->reported, "\n");
    }
    if (result->refused)
        bl_buf_printf(&c->notices, "%.*s: %.*s\n", BL_STR_ARG(result->refused_rule),
                      BL_STR_ARG(result->refused_text));
    for (size_t i = 0; i < result->log.count; i++) {
        bl_buf_put(&c->notices, result->log.items[i].text);
        BL_PUT(&c->notices, "\n");
    }
}

void bl_case_tell(struct bl_case *c, const struct bl_diagnostics *sink)
{
    for (size_t i = 0; i < sink->list.count; i++) {
        bl_report_message(sink->list.items[i], &c->notices);
        BL_PUT(&c->notices, "\n");
    }
}

static enum bl_status run_once(struct bl_case *c, const struct bl_run_options *options,
                               struct bl_run_result *result)
{
    struct bl_diagnostics sink;
    bl_diagnostics_init(&sink, c->arena, 20);
    size_t before = bl_sim_write_count(c->sim);
    enum bl_status status = bl_run(c->arena, options, result, &sink);
    size_t *writes = BL_PUSH(c->arena, c->writes);
    if (writes != NULL)
        *writes = bl_sim_write_count(c->sim) - before;
    c->result->runs++;
    bl_case_tell(c, &sink);
    return status;
}

enum bl_status bl_case_run(struct bl_case *c, struct bl_run_options *options)
{
    struct bl_run_result result;
    bool is_cut = c->run_number == c->cut_run;
    options->module = c->module;
    options->world = bl_sim_world(c->sim);
    options->now = bl_sim_now(c->sim);
    options->use_index = c->options->use_index;
    options->explain = true;
    options->coverage = c->options->coverage;
    options->settings = &c->settings;
    options->id_seed = (int64_t)c->run_number + 1;
    options->given = c->given.items;
    options->given_count = c->given.count;
    if (is_cut)
        bl_sim_cut_after(c->sim, c->cut_after);
    enum bl_status status = run_once(c, options, &result);
    if (is_cut) {
        bl_sim_uncut(c->sim);
        status = run_once(c, options, &result);
    }
    c->run_number++;
    remember(c, &result);
    if (options->call == NULL && !bl_case_keep(c, options->job, status, &result))
        return BL_ERR_NOMEM;
    /* A run that failed is an outcome that a test may ask for; memory is not. */
    return status == BL_ERR_NOMEM ? status : BL_OK;
}

static enum bl_status run_job(struct bl_case *c, const struct bl_sim_delivery *delivery,
                              uint32_t job, const struct bl_task_answer *answer,
                              const struct bl_task_run *task_run)
{
    struct bl_run_options options = {
        .event = &delivery->event, .job = job, .answer = answer, .task_run = task_run};
    return bl_case_run(c, &options);
}

static bool listens(const struct bl_module *m, uint32_t job, enum bl_event_id event)
{
    const struct bl_module_job *row = &m->JOBS_rows[job];
    if (row->step_count > 0 && row->engine == BL_NONE)
        return (row->events[event / 32] >> (event % 32) & 1) != 0;
    for (uint32_t i = 0; row->runs_rules && i < m->EVENT_RULES_count; i++)
        if (m->EVENT_RULES_rows[i].event == (uint32_t)event &&
            m->ENTRIES_rows[m->EVENT_RULES_rows[i].entry].job == job)
            return true;
    return false;
}

static enum bl_status run_jobs(struct bl_case *c, const struct bl_sim_delivery *delivery)
{
    for (uint32_t job = 0; delivery->sent && job < c->module->JOBS_count; job++) {
        if (!listens(c->module, job, delivery->event.id))
            continue;
        enum bl_status status = run_job(c, delivery, job, NULL, NULL);
        if (status != BL_OK)
            return status;
    }
    return BL_OK;
}

/* What the engine of a job would read for the task that was given: nothing is started. */
static enum bl_status run_engines(struct bl_case *c, const struct bl_sim_delivery *delivery)
{
    const struct bl_task_run task_run = {(uint32_t)c->task.as.i, NULL};
    for (uint32_t job = 0; c->has_task && job < c->module->JOBS_count; job++) {
        if (c->module->JOBS_rows[job].engine == BL_NONE)
            continue;
        bool has_task = c->has_task;
        enum bl_status status = run_job(c, delivery, job, NULL, &task_run);
        if (status == BL_OK)
            status = bl_case_report_usage(c, job, delivery, task_run.task);
        c->has_task = has_task;
        if (status != BL_OK)
            return status;
    }
    return BL_OK;
}

enum bl_status bl_case_answer(struct bl_case *c, const struct bl_sim_delivery *delivery,
                              const struct bl_task_answer *answer)
{
    for (uint32_t job = 0; job < c->module->JOBS_count; job++) {
        if (c->module->JOBS_rows[job].runs_answers == 0)
            continue;
        enum bl_status status = run_job(c, delivery, job, answer, NULL);
        if (status != BL_OK)
            return status;
    }
    return BL_OK;
}

enum bl_status bl_case_deliver(struct bl_case *c, const struct bl_sim_delivery *delivery,
                               const struct bl_sim_delivery *twin)
{
    c->runs.count = 0;
    c->given.count = 0;
    c->jobs.count = 0;
    c->has_task = false;
    c->files.len = 0;
    c->brought = *delivery;
    c->twin = *twin;
    if (delivery->event.issue != NULL)
        c->sent = *delivery;
    enum bl_status status = run_jobs(c, delivery);
    if (status == BL_OK)
        status = run_jobs(c, twin);
    return status == BL_OK ? run_engines(c, delivery) : status;
}

/* ---- the machine of the test
 * --------------------------------------------------------------------------- */

enum bl_status bl_case_refresh(struct bl_case *c)
{
    struct bl_snapshot *snapshot = bl_snapshot_create(c->arena, bl_sim_world(c->sim));
    if (snapshot == NULL)
        return BL_ERR_NOMEM;
    c->machine.snapshot = snapshot;
    int64_t now = bl_sim_now(c->sim);
    struct bl_object *repository =
        bl_snapshot_object(snapshot, BL_ENTITY_REPOSITORY, 0, bl_sim_repository(c->sim));
    struct bl_object *me =
        bl_snapshot_object(snapshot, BL_ENTITY_USER, 0, bl_sim_account(c->sim));
    if (repository == NULL || me == NULL)
        return BL_ERR_NOMEM;
    struct bl_value *ambient = c->machine.ambient;
    ambient[BL_AMBIENT_NOW] = bl_number(BL_V_TIME, now);
    ambient[BL_AMBIENT_TODAY] = bl_number(BL_V_DATE, bl_day_of_time(now));
    ambient[BL_AMBIENT_REPOSITORY] = bl_object_value(repository);
    ambient[BL_AMBIENT_ME] = bl_object_value(me);
    ambient[BL_AMBIENT_TASK] = c->has_task ? c->task : bl_absent();
    ambient[BL_AMBIENT_NOTICES] = bl_text(bl_buf_str(&c->notices));
    ambient[BL_AMBIENT_FILES] = bl_text(bl_buf_str(&c->files));
    ambient[BL_AMBIENT_SUMMARY] = bl_text(bl_buf_str(&c->reported));
    return BL_OK;
}

/* Before any time that a test is likely to name. */
#define FIRST_MOMENT INT64_C(1577836800) /* 2020-01-01T00:00:00Z */

/* Every secret that the policy asks for is set, and every variable is not, unless a test says
 * so. */
static bool set_secrets(struct bl_case *c)
{
    const struct bl_module *m = c->module;
    const bl_type secret = BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_SECRET_SETTING);
    for (uint32_t i = 0; i < m->CONSTS_count; i++) {
        const struct bl_const *constant = &m->CONSTS_rows[i];
        if (constant->type != secret)
            continue;
        bl_str name = bl_module_string(m, m->VARIABLES_rows[constant->payload].shown);
        if (bl_sim_secret(c->sim, name, true) != BL_OK)
            return false;
    }
    return true;
}

/* No test starts a program: unless it says otherwise, git reads patches as we do. */
static enum bl_answer as_we_do(void *context, struct bl_arena *arena, bl_str text,
                               bl_str *reading)
{
    struct bl_patch patch;

    (void)context;
    if (bl_patch_read(arena, text, &patch) != BL_OK)
        return BL_FAILED;
    *reading = patch.reading;
    return patch.problem.len == 0 ? BL_FOUND : BL_MISSING;
}

static bool begin(struct bl_case *c)
{
    const struct bl_module *m = c->module;
    bl_str account =
        m->INFO_count > 0 ? bl_module_string(m, m->INFO_rows[0].account) : (bl_str){NULL, 0};
    if (account.len == 0)
        account = BL_STR("github-actions[bot]");
    c->sim = bl_sim_create(c->arena, BL_STR("octo/project"), account, FIRST_MOMENT);
    if (c->sim != NULL)
        bl_sim_set_git(c->sim, (struct bl_sim_git){as_we_do, NULL});
    c->setting_values = BL_NEW_ARRAY(c->arena, m->SETTINGS_count + 1, struct bl_value);
    c->setting_given = BL_NEW_ARRAY(c->arena, m->SETTINGS_count + 1, bool);
    if (c->sim == NULL || c->setting_values == NULL || c->setting_given == NULL ||
        !set_secrets(c))
        return false;
    c->settings = (struct bl_setting_values){c->setting_values, c->setting_given};
    c->trace = (struct bl_trace){.arena = c->arena};
    bl_buf_init(&c->notices, c->arena, bl_limit(BL_LIMIT_TEXT_BYTES));
    bl_buf_init(&c->files, c->arena, bl_limit(BL_LIMIT_TEXT_BYTES));
    bl_buf_init(&c->reported, c->arena, bl_limit(BL_LIMIT_TEXT_BYTES));
    bl_machine_init(&c->machine, m, c->arena, NULL, BL_EVENT_COUNT, NULL);
    c->machine.trace = &c->trace;
    /* What a test asks for by itself, a sanitizer say, is reached by it. */
    c->machine.coverage = c->options->coverage;
    c->machine.settings = &c->settings;
    c->host = (struct bl_test_host){bl_case_step, expect, c};
    c->machine.host = &c->host;
    return bl_run_set_declared(&c->machine, c->arena) == BL_OK && bl_case_refresh(c) == BL_OK;
}

static enum bl_status execute(struct bl_case *c, const struct bl_module_case *row)
{
    const struct bl_site at = {.source = row->source, .lo = row->lo, .hi = row->hi};
    if (!begin(c))
        return BL_ERR_NOMEM;
    enum bl_status status = bl_machine_call(&c->machine, row->function, NULL, 0, NULL);
    if (status == BL_OK || c->stopped || status == BL_ERR_NOMEM)
        return status == BL_ERR_NOMEM ? status : BL_OK;
    struct bl_buf why;
    bl_buf_init(&why, c->results, 4096);
    BL_PUT(&why, "The test could not go on. ");
    bl_buf_put(&why, c->machine.failure.what);
    BL_PUT(&why, " ");
    bl_buf_put(&why, c->machine.failure.why);
    return bl_case_broken(c, &at, bl_buf_str(&why)) == BL_ERR_NOMEM ? BL_ERR_NOMEM : BL_OK;
}

/* One execution in an arena of its own. */
static enum bl_status run_case(struct bl_case *c, const struct bl_test_options *options,
                               const struct bl_module_case *row)
{
    struct bl_arena arena;
    bl_arena_init(&arena, bl_limit(BL_LIMIT_RUN_BYTES), options->allocator);
    struct bl_case fresh = {.arena = &arena,
                            .results = c->results,
                            .options = options,
                            .module = options->module,
                            .result = c->result,
                            .summary = c->summary,
                            .cut_run = c->cut_run,
                            .cut_after = c->cut_after};
    enum bl_status status = execute(&fresh, row);
    if (arena.failed)
        status = BL_ERR_NOMEM;
    c->crashes = fresh.crashes;
    c->writes.count = 0;
    for (size_t i = 0; i < fresh.writes.count; i++) {
        size_t *slot = BL_PUSH(c->results, c->writes);
        if (slot != NULL)
            *slot = fresh.writes.items[i];
    }
    bl_arena_reset(&arena);
    return status;
}

/* Cut behind every write of every run in turn, and started again. */
static enum bl_status crash_everywhere(struct bl_case *c, const struct bl_test_options *options,
                                       const struct bl_module_case *row)
{
    size_t runs = c->writes.count;
    size_t *writes = BL_NEW_ARRAY(c->results, runs + 1, size_t);
    if (writes == NULL)
        return BL_ERR_NOMEM;
    for (size_t i = 0; i < runs; i++)
        writes[i] = c->writes.items[i];
    for (size_t run = 0; run < runs; run++) {
        for (size_t after = 0; after < writes[run]; after++) {
            c->cut_run = run;
            c->cut_after = after;
            enum bl_status status = run_case(c, options, row);
            if (status != BL_OK || c->result->outcome != BL_TEST_PASSED)
                return status;
        }
    }
    return BL_OK;
}

static enum bl_status one(struct bl_arena *arena, const struct bl_test_options *options,
                          const struct bl_module_case *row, struct bl_test_summary *out)
{
    struct bl_test_result *result = BL_PUSH(arena, out->results);
    if (result == NULL)
        return BL_ERR_NOMEM;
    *result = (struct bl_test_result){.name = bl_module_string(options->module, row->name),
                                      .source = row->source,
                                      .lo = row->lo,
                                      .hi = row->hi};
    struct bl_case c = {
        .results = arena, .result = result, .summary = out, .cut_run = SIZE_MAX};
    enum bl_status status = run_case(&c, options, row);
    if (status == BL_OK && c.crashes && result->outcome == BL_TEST_PASSED)
        status = crash_everywhere(&c, options, row);
    if (result->outcome == BL_TEST_PASSED)
        out->passed++;
    else
        out->failed++;
    return status;
}

static bool is_chosen(const struct bl_test_options *options, const struct bl_module_case *row,
                      uint32_t index)
{
    bl_str name = bl_module_string(options->module, row->name);
    if (options->filter.len > 0 && bl_str_find(name, options->filter) == SIZE_MAX)
        return false;
    return options->shards == 0 || index % options->shards == options->shard - 1;
}

enum bl_status bl_tests_run(struct bl_arena *arena, const struct bl_test_options *options,
                            struct bl_test_summary *out)
{
    *out = (struct bl_test_summary){.passed = 0};
    for (uint32_t i = 0; i < options->module->CASES_count; i++) {
        const struct bl_module_case *row = &options->module->CASES_rows[i];
        if (!is_chosen(options, row, i)) {
            out->skipped++;
            continue;
        }
        enum bl_status status = one(arena, options, row, out);
        if (status != BL_OK)
            return status;
    }
    return BL_OK;
}
