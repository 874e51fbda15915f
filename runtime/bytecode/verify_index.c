/* SPDX-License-Identifier: Apache-2.0 */
#include "bytecode/verifier_parts.h"

/* The rows that point to functions and to each other: functions, labels, settings, messages,
 * sites, jobs, entries. */

static const char not_in_pool[] = "a text of it is not in the pool";
static const char bad_place[] = "its place is not in the sources";
static const char bad_function[] = "its function is not of the kind that it needs";
static const bl_type verdict = BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_VERDICT);

/* ---- functions ----------------------------------------------------------------------------
 */

static bool check_function(struct bl_verify *v, uint32_t index)
{
    const struct bl_module *m = v->module;
    const struct bl_function *f = &m->FUNCTIONS_rows[index];

    if (!bl_verify_string(v, f->name))
        return bl_verify_bad_row(v, BL_SECTION_FUNCTIONS, index, not_in_pool);
    if (f->kind > BL_FUNCTION_TEST)
        return bl_verify_bad_row(v, BL_SECTION_FUNCTIONS, index, "it has no such kind");
    if (f->register_count > bl_limit(BL_LIMIT_REGISTERS) || f->param_count > f->register_count)
        return bl_verify_bad_row(v, BL_SECTION_FUNCTIONS, index, "it has too many registers");
    if (f->result != BL_TYPE_NONE && !bl_verify_type(v, f->result))
        return bl_verify_bad_row(v, BL_SECTION_FUNCTIONS, index, "its result has no such type");
    if (f->kind == BL_FUNCTION_ENTRY ? f->job != BL_NONE && f->job >= m->JOBS_count
                                     : f->job != BL_NONE)
        return bl_verify_bad_row(v, BL_SECTION_FUNCTIONS, index, "it has no such job");
    return true;
}

/* Lists of registers are shared, so all rows are looked at, whoever has them. */
static bool check_registers(struct bl_verify *v)
{
    const struct bl_module *m = v->module;

    for (uint32_t i = 0; i < m->REGISTERS_count; i++) {
        if (m->REGISTERS_rows[i] != BL_TYPE_ITERATOR &&
            !bl_verify_type(v, m->REGISTERS_rows[i]))
            return bl_verify_bad_row(v, BL_SECTION_REGISTERS, i, "it has no such type");
    }
    return true;
}

/* No loop of the caller's goes on in a callee. */
static bool takes_iterator(const struct bl_module *m, const struct bl_function *f)
{
    for (unsigned i = 0; i < f->param_count; i++) {
        if (bl_module_registers(m, f)[i] == BL_TYPE_ITERATOR)
            return true;
    }
    return false;
}

static bool check_function_registers(struct bl_verify *v, uint32_t index)
{
    const struct bl_module *m = v->module;
    const struct bl_function *f = &m->FUNCTIONS_rows[index];

    if (f->first_register > m->REGISTERS_count ||
        f->register_count > m->REGISTERS_count - f->first_register)
        return bl_verify_bad_row(v, BL_SECTION_FUNCTIONS, index, "it has no such registers");
    return !takes_iterator(m, f) ||
           bl_verify_bad_row(v, BL_SECTION_FUNCTIONS, index, "it takes an iterator");
}

/* Code and places of functions follow each other: each row says where its own begin, at the end
 * of those before. */
static bool check_functions(struct bl_verify *v)
{
    const struct bl_module *m = v->module;
    const struct bl_function *rows = m->FUNCTIONS_rows;
    uint32_t count = m->FUNCTIONS_count;

    if (!check_registers(v))
        return false;
    if (count == 0 ? m->CODE_count + m->MAP_count > 0
                   : rows[0].first_insn + rows[0].first_place > 0)
        return bl_verify_bad_row(v, BL_SECTION_FUNCTIONS, 0, "its code is not the first");
    for (uint32_t i = 0; i < count; i++) {
        uint32_t insns_end = i + 1 < count ? rows[i + 1].first_insn : m->CODE_count;
        uint32_t places_end = i + 1 < count ? rows[i + 1].first_place : m->MAP_count;

        if (!check_function(v, i))
            return false;
        if (insns_end <= rows[i].first_insn || insns_end > m->CODE_count ||
            insns_end - rows[i].first_insn > bl_limit(BL_LIMIT_FUNCTION_INSTRUCTIONS))
            return bl_verify_bad_row(v, BL_SECTION_FUNCTIONS, i,
                                     "it has no instructions, or too many");
        if (places_end < rows[i].first_place || places_end > m->MAP_count)
            return bl_verify_bad_row(v, BL_SECTION_FUNCTIONS, i,
                                     "its places do not follow those of the row before");
        if (!check_function_registers(v, i))
            return false;
    }
    return true;
}

bool bl_verify_function(const struct bl_verify *v, uint32_t index, enum bl_function_kind kind,
                        unsigned params, bl_type result)
{
    if (index >= v->module->FUNCTIONS_count)
        return false;
    const struct bl_function *f = &v->module->FUNCTIONS_rows[index];
    if (f->kind != (unsigned)kind || f->param_count != params)
        return false;
    if (result == BL_TYPE_NONE || f->result == BL_TYPE_NONE)
        return result == f->result;
    return result == BL_TYPE_ERROR || bl_type_fits(f->result, result);
}

static bool is_pure(const struct bl_verify *v, uint32_t index, bl_type result)
{
    return bl_verify_function(v, index, BL_FUNCTION_PURE, 0, result);
}

/* ---- labels, settings, messages -----------------------------------------------------------
 */

static bool check_labels(struct bl_verify *v)
{
    const struct bl_module *m = v->module;
    uint32_t end = 0;

    v->label_last = BL_NONE;
    for (uint32_t i = 0; i < m->LABELS_count; i++) {
        const struct bl_module_label *row = &m->LABELS_rows[i];

        if (!bl_verify_string(v, row->name) || !bl_verify_string(v, row->shown) ||
            !bl_verify_string(v, row->color) || !bl_verify_string(v, row->description))
            return bl_verify_bad_row(v, BL_SECTION_LABELS, i, not_in_pool);
        if (row->first_option != end || row->option_count > m->LABEL_OPTIONS_count - end)
            return bl_verify_bad_row(v, BL_SECTION_LABELS, i, "its options have a gap");
        end += row->option_count;
        if (row->ask > 1)
            return bl_verify_bad_row(v, BL_SECTION_LABELS, i, "it asks neither yes nor no");
        if (row->description_function == BL_NONE)
            continue;
        if (!is_pure(v, row->description_function, BL_TYPE_TEXT))
            return bl_verify_bad_row(v, BL_SECTION_LABELS, i, bad_function);
        if (v->label_last == BL_NONE || row->description_function > v->label_last)
            v->label_last = row->description_function;
    }
    if (end != m->LABEL_OPTIONS_count)
        return bl_verify_bad_row(v, BL_SECTION_LABEL_OPTIONS, end, "it belongs to no row");
    for (uint32_t i = 0; i < m->LABEL_OPTIONS_count; i++) {
        if (!bl_verify_string(v, m->LABEL_OPTIONS_rows[i]))
            return bl_verify_bad_row(v, BL_SECTION_LABEL_OPTIONS, i, not_in_pool);
    }
    return true;
}

static bool check_settings(struct bl_verify *v)
{
    for (uint32_t i = 0; i < v->module->SETTINGS_count; i++) {
        const struct bl_module_setting *row = &v->module->SETTINGS_rows[i];

        if (!bl_verify_string(v, row->name))
            return bl_verify_bad_row(v, BL_SECTION_SETTINGS, i, not_in_pool);
        if (!is_pure(v, row->function, BL_TYPE_ERROR) ||
            (row->check != BL_NONE && !is_pure(v, row->check, verdict)))
            return bl_verify_bad_row(v, BL_SECTION_SETTINGS, i, bad_function);
        if (!bl_verify_place(v, row->source, row->lo, row->hi))
            return bl_verify_bad_row(v, BL_SECTION_SETTINGS, i, bad_place);
    }
    return true;
}

static bool has_equal_params(const struct bl_module *m, uint32_t x, uint32_t y)
{
    const bl_type *p = bl_module_registers(m, &m->FUNCTIONS_rows[x]);
    const bl_type *q = bl_module_registers(m, &m->FUNCTIONS_rows[y]);

    for (unsigned i = 0; i < m->FUNCTIONS_rows[x].param_count; i++) {
        if (p[i] != q[i])
            return false;
    }
    return true;
}

/* Joins the types of the functions of a message; the chain of languages was checked. */
static bool join_message(struct bl_verify *v, uint32_t index)
{
    const struct bl_module *m = v->module;
    const struct bl_module_message *row = &m->MESSAGES_rows[index];
    const uint32_t *functions = m->MESSAGE_FUNCTIONS_rows + row->first_function;
    bl_type joined = BL_TYPE_TEXT;
    uint32_t any = BL_NONE;

    v->message_last[index] = 0;
    for (uint32_t i = 0; i < m->LOCALES_count; i++) {
        uint32_t at = i;

        while (functions[at] == BL_NONE && m->LOCALES_rows[at].like != BL_NONE)
            at = m->LOCALES_rows[at].like;
        uint32_t function = functions[at] != BL_NONE ? functions[at] : functions[0];
        if (function == BL_NONE)
            return bl_verify_bad_row(v, BL_SECTION_MESSAGES, index, "a language lacks it");
        if (!bl_verify_function(v, function, BL_FUNCTION_PURE, row->param_count,
                                BL_TYPE_ERROR) ||
            (any != BL_NONE && !has_equal_params(m, any, function)))
            return bl_verify_bad_row(v, BL_SECTION_MESSAGES, index, bad_function);
        joined = bl_text_join(joined, m->FUNCTIONS_rows[function].result);
        if (bl_type_kind(joined) == BL_TYPE_ERROR)
            return bl_verify_bad_row(v, BL_SECTION_MESSAGES, index,
                                     "its texts are fit for no common place");
        any = function;
        if (function > v->message_last[index])
            v->message_last[index] = function;
    }
    v->message_types[index] = joined;
    v->message_functions[index] = any;
    return any != BL_NONE ||
           bl_verify_bad_row(v, BL_SECTION_MESSAGES, index, "there is no language");
}

static bool check_messages(struct bl_verify *v)
{
    const struct bl_module *m = v->module;
    uint32_t end = 0;

    v->message_types = bl_verify_scratch(v, m->MESSAGES_count, sizeof(bl_type));
    v->message_functions = bl_verify_scratch(v, m->MESSAGES_count, sizeof(uint32_t));
    v->message_last = bl_verify_scratch(v, m->MESSAGES_count, sizeof(uint32_t));
    v->message_depths = bl_verify_scratch(v, m->MESSAGES_count, 1);
    if (v->nomem)
        return false;
    for (uint32_t i = 0; i < m->MESSAGES_count; i++) {
        const struct bl_module_message *row = &m->MESSAGES_rows[i];

        if (!bl_verify_string(v, row->name))
            return bl_verify_bad_row(v, BL_SECTION_MESSAGES, i, not_in_pool);
        if (row->first_function != end || m->LOCALES_count > m->MESSAGE_FUNCTIONS_count - end)
            return bl_verify_bad_row(v, BL_SECTION_MESSAGES, i, "its functions have a gap");
        end += m->LOCALES_count;
        if (!join_message(v, i))
            return false;
    }
    if (end != m->MESSAGE_FUNCTIONS_count)
        return bl_verify_bad_row(v, BL_SECTION_MESSAGE_FUNCTIONS, end, "it belongs to no row");
    return true;
}

/* ---- tasks ---------------------------------------------------------------------------------
 */

static bool check_tasks(struct bl_verify *v)
{
    const struct bl_module *m = v->module;
    const bl_type comment = BL_OPTIONAL(BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_COMMENT));

    for (uint32_t i = 0; i < m->TASKS_count; i++) {
        const struct bl_module_task *row = &m->TASKS_rows[i];
        const struct {
            uint32_t function;
            bl_type result;
        } questions[] = {{row->model, BL_TYPE_NAME},   {row->turns, BL_TYPE_INT},
                         {row->budget, BL_TYPE_MONEY}, {row->judges, comment},
                         {row->passes, verdict},       {row->counts, BL_TYPE_BOOL}};

        if (!bl_verify_string(v, row->name))
            return bl_verify_bad_row(v, BL_SECTION_TASKS, i, not_in_pool);
        if (row->record != BL_NONE &&
            (row->record >= m->RECORDS_count || row->record > UINT16_MAX))
            return bl_verify_bad_row(v, BL_SECTION_TASKS, i, "its answer is no record");
        if (row->first_file == BL_NONE
                ? row->file_count != 0
                : row->first_file > m->TASK_FILES_count ||
                      row->file_count > m->TASK_FILES_count - row->first_file)
            return bl_verify_bad_row(v, BL_SECTION_TASKS, i, "it has no such files");
        for (size_t q = 0; q < sizeof questions / sizeof questions[0]; q++) {
            if (questions[q].function != BL_NONE &&
                !is_pure(v, questions[q].function, questions[q].result))
                return bl_verify_bad_row(v, BL_SECTION_TASKS, i, bad_function);
        }
    }
    return true;
}

/* ---- files and engines ---------------------------------------------------------------------
 */

static bool check_files(struct bl_verify *v)
{
    const struct bl_module *m = v->module;
    const bl_type pieces = BL_LIST_OF(BL_TYPE_MAKE(BL_TYPE_CLEAN, 1u << BL_PLACE_PROMPT));

    for (uint32_t i = 0; i < m->FILES_count; i++) {
        const struct bl_module_file *row = &m->FILES_rows[i];
        unsigned params = row->list != BL_NONE ? 1 : 0;

        if (!bl_verify_string(v, row->name))
            return bl_verify_bad_row(v, BL_SECTION_FILES, i, not_in_pool);
        if ((row->list != BL_NONE && !is_pure(v, row->list, BL_TYPE_ERROR)) ||
            !bl_verify_function(v, row->path, BL_FUNCTION_PURE, params, BL_TYPE_TEXT) ||
            !bl_verify_function(v, row->text, BL_FUNCTION_PURE, params, pieces))
            return bl_verify_bad_row(v, BL_SECTION_FILES, i, bad_function);
        if (row->list == BL_NONE)
            continue;
        bl_type list = m->FUNCTIONS_rows[row->list].result;
        if (!bl_type_is_list(list) || bl_type_is_optional(list) ||
            bl_module_registers(m, &m->FUNCTIONS_rows[row->path])[0] != bl_type_element(list) ||
            bl_module_registers(m, &m->FUNCTIONS_rows[row->text])[0] != bl_type_element(list))
            return bl_verify_bad_row(v, BL_SECTION_FILES, i, bad_function);
    }
    for (uint32_t i = 0; i < m->TASK_FILES_count; i++) {
        if (m->TASK_FILES_rows[i] >= m->FILES_count)
            return bl_verify_bad_row(v, BL_SECTION_TASK_FILES, i, "there is no such file");
    }
    return true;
}

static bool is_argument(const struct bl_verify *v, const struct bl_engine_flag *row)
{
    const struct bl_module *m = v->module;
    const bl_type argument = BL_TYPE_MAKE(BL_TYPE_CLEAN, 1u << BL_PLACE_ARGUMENT);

    switch (row->kind) {
    case BL_ARGUMENT_ALONE:
    case BL_ARGUMENT_SCHEMA:
        return row->argument == BL_NONE;
    case BL_ARGUMENT_OWN:
        return is_pure(v, row->argument, argument);
    case BL_ARGUMENT_FILE:
        return row->argument < m->FILES_count && m->FILES_rows[row->argument].list == BL_NONE;
    default:
        return false;
    }
}

static bool check_engines(struct bl_verify *v)
{
    const struct bl_module *m = v->module;
    uint64_t words = 0, flags = 0;

    for (uint32_t i = 0; i < m->ENGINE_WORDS_count; i++) {
        if (!bl_verify_string(v, m->ENGINE_WORDS_rows[i]))
            return bl_verify_bad_row(v, BL_SECTION_ENGINE_WORDS, i, not_in_pool);
    }
    for (uint32_t i = 0; i < m->ENGINE_FLAGS_count; i++) {
        const struct bl_engine_flag *row = &m->ENGINE_FLAGS_rows[i];

        if (!bl_verify_string(v, row->flag))
            return bl_verify_bad_row(v, BL_SECTION_ENGINE_FLAGS, i, not_in_pool);
        if (!is_argument(v, row) ||
            (row->when != BL_NONE && !is_pure(v, row->when, BL_TYPE_BOOL)))
            return bl_verify_bad_row(v, BL_SECTION_ENGINE_FLAGS, i, bad_function);
    }
    for (uint32_t i = 0; i < m->ENGINES_count; i++) {
        const struct bl_module_engine *row = &m->ENGINES_rows[i];

        if (!bl_verify_string(v, row->name) || !bl_verify_string(v, row->input))
            return bl_verify_bad_row(v, BL_SECTION_ENGINES, i, not_in_pool);
        if (row->first_word != words || row->first_host != words + row->word_count ||
            row->first_flag != flags || row->word_count == 0 || row->outputs > 7)
            return bl_verify_bad_row(v, BL_SECTION_ENGINES, i, "its words do not follow");
        words += (uint64_t)row->word_count + row->host_count;
        flags += row->flag_count;
        if (words > m->ENGINE_WORDS_count || flags > m->ENGINE_FLAGS_count)
            return bl_verify_bad_row(v, BL_SECTION_ENGINES, i, "its words do not follow");
    }
    return true;
}

/* ---- sites, jobs, entries -----------------------------------------------------------------
 */

static bool check_sites(struct bl_verify *v)
{
    for (uint32_t i = 0; i < v->module->SITES_count; i++) {
        const struct bl_site *row = &v->module->SITES_rows[i];

        if (!bl_verify_place(v, row->source, row->lo, row->hi))
            return bl_verify_bad_row(v, BL_SECTION_SITES, i, bad_place);
    }
    return true;
}

static bool is_task(bl_type type)
{
    return bl_type_base(type) == BL_TYPE_TASK;
}

static bool is_step(const struct bl_entry *row)
{
    return row->kind == BL_ENTRY_STEP || row->kind == BL_ENTRY_REPORT;
}

static bool check_job_entries(struct bl_verify *v, uint32_t index)
{
    const struct bl_module *m = v->module;
    const struct bl_module_job *row = &m->JOBS_rows[index];

    if (row->first_step > m->ENTRIES_count ||
        row->step_count > m->ENTRIES_count - row->first_step)
        return bl_verify_bad_row(v, BL_SECTION_JOBS, index, "it has no such steps");
    /* An entry has one job, so all jobs together look at each entry once. */
    for (uint32_t i = 0; i < row->step_count; i++) {
        const struct bl_entry *step = &m->ENTRIES_rows[row->first_step + i];

        if (!is_step(step) || step->job != index)
            return bl_verify_bad_row(v, BL_SECTION_JOBS, index, "a step of it is none of its");
    }
    if (row->decision == BL_NONE)
        return true;
    if (row->decision >= m->ENTRIES_count ||
        m->ENTRIES_rows[row->decision].kind != BL_ENTRY_DECISION)
        return bl_verify_bad_row(v, BL_SECTION_JOBS, index, "it has no such decision");
    uint32_t function = m->ENTRIES_rows[row->decision].function;
    if (!is_pure(v, function, BL_TYPE_ERROR) || !is_task(m->FUNCTIONS_rows[function].result))
        return bl_verify_bad_row(v, BL_SECTION_JOBS, index, "its decision gives no task");
    return true;
}

static bool has_result(const struct bl_verify *v, uint32_t function, bl_type result)
{
    return bl_verify_function(v, function, BL_FUNCTION_PURE,
                              v->module->FUNCTIONS_rows[function].param_count, result);
}

static bool check_jobs(struct bl_verify *v)
{
    for (uint32_t i = 0; i < v->module->JOBS_count; i++) {
        const struct bl_module_job *row = &v->module->JOBS_rows[i];

        if (!bl_verify_string(v, row->name))
            return bl_verify_bad_row(v, BL_SECTION_JOBS, i, not_in_pool);
        if (row->capabilities >= BL_CAP(BL_PERMISSION_COUNT) || row->runs_rules > 1 ||
            row->runs_answers > 1)
            return bl_verify_bad_row(v, BL_SECTION_JOBS, i, "there is no such permission");
        if (BL_EVENT_COUNT < 64 && row->events[1] >> (BL_EVENT_COUNT - 32) != 0)
            return bl_verify_bad_row(v, BL_SECTION_JOBS, i, "there is no such event");
        if (row->when != BL_NONE &&
            (row->when >= v->module->FUNCTIONS_count ||
             !has_result(v, row->when, BL_TYPE_BOOL) || !bl_verify_takes_given(v, row->when)))
            return bl_verify_bad_row(v, BL_SECTION_JOBS, i, bad_function);
        if (row->engine != BL_NONE && row->engine >= v->module->ENGINES_count)
            return bl_verify_bad_row(v, BL_SECTION_JOBS, i, "there is no such engine");
        if (!check_job_entries(v, i))
            return false;
    }
    return true;
}

/* A rule or step is bound by the capabilities of the job that runs it. */
static bool has_job_of_entry(const struct bl_module *m, const struct bl_entry *row)
{
    return row->job == m->FUNCTIONS_rows[row->function].job;
}

static bool check_step(const struct bl_verify *v, const struct bl_entry *row)
{
    const struct bl_module *m = v->module;
    const struct bl_module_step step = bl_module_step(m, (uint32_t)(row - m->ENTRIES_rows));

    if (step.when != BL_NONE && !is_pure(v, step.when, BL_TYPE_BOOL))
        return false;
    if (step.units == BL_NONE)
        return step.ambient == BL_NONE && step.at_most == BL_NONE &&
               bl_verify_function(v, row->function, BL_FUNCTION_ENTRY, 0, BL_TYPE_NONE) &&
               has_job_of_entry(m, row);
    if (!is_pure(v, step.units, BL_TYPE_ERROR) ||
        (step.at_most != BL_NONE && !is_pure(v, step.at_most, BL_TYPE_INT)) ||
        !bl_verify_function(v, row->function, BL_FUNCTION_ENTRY, 1, BL_TYPE_NONE) ||
        !has_job_of_entry(m, row))
        return false;
    bl_type units = m->FUNCTIONS_rows[step.units].result;
    bl_type thing = bl_type_element(units);
    const struct bl_ambient_info *ambient = bl_ambient_info((enum bl_ambient)step.ambient);
    /* Of labels no name of every rule is one: then the things are the function's alone. */
    bool bound =
        step.ambient == BL_NONE ? true : ambient != NULL && bl_type_fits(thing, ambient->type);
    return bl_type_is_list(units) && !bl_type_is_optional(units) && bound &&
           bl_type_fits(thing, bl_module_registers(m, &m->FUNCTIONS_rows[row->function])[0]);
}

/* The function's index is in range. */
static bool check_entry_function(const struct bl_verify *v, const struct bl_entry *row)
{
    const struct bl_module *m = v->module;

    switch ((enum bl_entry_kind)row->kind) {
    case BL_ENTRY_RULE:
        return bl_verify_function(v, row->function, BL_FUNCTION_ENTRY, 0, BL_TYPE_BOOL) &&
               has_job_of_entry(m, row);
    case BL_ENTRY_STEP:
        return check_step(v, row);
    case BL_ENTRY_REPORT:
        return bl_module_step(m, (uint32_t)(row - m->ENTRIES_rows)).units == BL_NONE &&
               check_step(v, row);
    case BL_ENTRY_DECISION:
    case BL_ENTRY_DEFINE:
        return has_result(v, row->function, BL_TYPE_ERROR);
    case BL_ENTRY_CHECK:
    case BL_ENTRY_SCREEN:
        return has_result(v, row->function, verdict);
    case BL_ENTRY_SANITIZER:
        return bl_verify_function(v, row->function, BL_FUNCTION_PURE, 1, BL_TYPE_ERROR) &&
               bl_module_registers(m, &m->FUNCTIONS_rows[row->function])[0] ==
                   BL_TYPE_UNTRUSTED &&
               bl_type_is(m->FUNCTIONS_rows[row->function].result, BL_TYPE_CLEAN);
    case BL_ENTRY_CALLED:
        return bl_verify_function(v, row->function, BL_FUNCTION_ENTRY,
                                  m->FUNCTIONS_rows[row->function].param_count, verdict) &&
               m->FUNCTIONS_rows[row->function].job == BL_NONE;
    case BL_ENTRY_POSTED:
        return bl_verify_function(v, row->function, BL_FUNCTION_ENTRY,
                                  m->FUNCTIONS_rows[row->function].param_count, BL_TYPE_BOOL) &&
               bl_verify_takes_given(v, row->function) && has_job_of_entry(m, row);
    case BL_ENTRY_TEST:
        return bl_verify_function(v, row->function, BL_FUNCTION_TEST,
                                  m->FUNCTIONS_rows[row->function].param_count, BL_TYPE_NONE);
    }
    return false;
}

static bool check_entry(struct bl_verify *v, uint32_t index)
{
    const struct bl_module *m = v->module;
    const struct bl_entry *row = &m->ENTRIES_rows[index];
    bool runs = row->kind == BL_ENTRY_RULE || row->kind == BL_ENTRY_POSTED || is_step(row);

    if (!bl_verify_string(v, row->name))
        return bl_verify_bad_row(v, BL_SECTION_ENTRIES, index, not_in_pool);
    if (!bl_verify_place(v, row->source, row->lo, row->hi))
        return bl_verify_bad_row(v, BL_SECTION_ENTRIES, index, bad_place);
    if (row->kind > BL_ENTRY_SCREEN)
        return bl_verify_bad_row(v, BL_SECTION_ENTRIES, index, "it has no such kind");
    if (row->job != BL_NONE && (!runs || row->job >= m->JOBS_count))
        return bl_verify_bad_row(v, BL_SECTION_ENTRIES, index, "it has no such job");
    if (row->first_access != BL_NONE &&
        (row->kind != BL_ENTRY_RULE || row->first_access >= m->ACCESS_count ||
         m->ACCESS_rows[row->first_access].entry != index))
        return bl_verify_bad_row(v, BL_SECTION_ENTRIES, index, "its fact is another's");
    if (row->function >= m->FUNCTIONS_count || !check_entry_function(v, row))
        return bl_verify_bad_row(v, BL_SECTION_ENTRIES, index, bad_function);
    return true;
}

/* Comes before the entries, which look for their rows. */
static bool check_steps(struct bl_verify *v)
{
    const struct bl_module *m = v->module;

    for (uint32_t i = 0; i < m->STEPS_count; i++) {
        const struct bl_module_step *row = &m->STEPS_rows[i];

        if (row->entry >= m->ENTRIES_count || !is_step(&m->ENTRIES_rows[row->entry]))
            return bl_verify_bad_row(v, BL_SECTION_STEPS, i, "its entry is no step");
        if (i > 0 && row->entry <= row[-1].entry)
            return bl_verify_bad_row(v, BL_SECTION_STEPS, i, "they are not ascending");
        if (row->attempted > 1)
            return bl_verify_bad_row(v, BL_SECTION_STEPS, i, "it is attempted twice");
    }
    return true;
}

static bool check_entries(struct bl_verify *v)
{
    for (uint32_t i = 0; i < v->module->ENTRIES_count; i++) {
        if (!check_entry(v, i))
            return false;
    }
    return true;
}

bool bl_verify_index(struct bl_verify *v)
{
    return check_functions(v) && check_labels(v) && check_settings(v) && check_messages(v) &&
           check_tasks(v) && check_files(v) && check_engines(v) && check_sites(v) &&
           check_steps(v) && check_entries(v) && bl_verify_called(v) && check_jobs(v) &&
           bl_verify_job_steps(v) && bl_verify_candidates(v) && bl_verify_secrets(v);
}
