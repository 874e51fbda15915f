/* SPDX-License-Identifier: Apache-2.0 */
#include "module_sample.h"

#include "bytecode/facts.h"
#include "support/assembler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct bl_string_ref str(struct bl_builder *b, const char *s)
{
    return bl_builder_string(b, bl_str_from(s));
}

static uint32_t function(const struct bl_builder *b, const char *name)
{
    for (size_t i = 0; i < b->FUNCTIONS.count; i++) {
        struct bl_string_ref ref = b->FUNCTIONS.items[i].name;

        if (bl_str_equal((bl_str){b->STRINGS.items + ref.offset, ref.length},
                         bl_str_from(name)))
            return (uint32_t)i;
    }
    return BL_NONE;
}

void sample_add(struct bl_builder *b, const char *text)
{
    unsigned line;
    const char *problem = assemble(b, text, &line);

    if (problem != NULL && b->status == BL_OK) {
        fprintf(stderr, "%s, line %u of\n%s\n", problem, line, text);
        exit(2);
    }
}

/* ---- declarations -------------------------------------------------------------------------
 */

static void add_types(struct bl_builder *b)
{
    const bl_str members[] = {BL_STR("low"), BL_STR("high")};
    const struct bl_builder_member answer[] = {
        {BL_STR("text"), BL_TYPE_UNTRUSTED, 0},
        {BL_STR("number"), BL_OPTIONAL(BL_TYPE_INT), 0},
    };
    const struct bl_builder_member report[] = {
        {BL_STR("answers"), BL_LIST_OF(BL_TYPE_MAKE(BL_TYPE_RECORD, 0)), 0},
    };
    const struct bl_builder_member question[] = {
        {BL_STR("asked"), BL_TYPE_TIME, BL_ATTRIBUTE_ONCE},
        {BL_STR("round"), BL_TYPE_INT, 0},
        {BL_STR("note"), BL_OPTIONAL(BL_TYPE_TEXT), 0},
        {BL_STR("names"), BL_LIST_OF(BL_TYPE_NAME), 0},
    };

    const struct bl_builder_member note[] = {
        {BL_STR("id"), BL_TYPE_NAME, 0},
        {BL_STR("number"), BL_OPTIONAL(BL_TYPE_INT), 0},
    };

    bl_builder_enum(b, BL_STR("severity"), members, 2);
    bl_builder_record(b, BL_STR("answer"), answer, 2);
    bl_builder_record(b, BL_STR("report"), report, 1);
    bl_builder_record(b, BL_STR("note"), note, 2);
    bl_builder_record(b, BL_STR("note_one"), note, 1);
    bl_add_STORES(b,
                  (struct bl_module_store){str(b, "notes"), str(b, "data/notes.jsonl"), 2, 0});
    bl_builder_comment(b, BL_STR("question"), question, 4);
    bl_builder_comment(b, BL_STR("reminder"), question, 2);
    bl_builder_comment(b, BL_STR("thanks"), NULL, 0);
    bl_builder_posted(b, (const uint32_t[]){0}, 1);
    bl_builder_posted(b, (const uint32_t[]){1, 0, 1}, 3);
}

static void add_locales(struct bl_builder *b)
{
    static const bl_str months[12] = {
        {"January", 7},   {"February", 8}, {"March", 5},    {"April", 5},
        {"May", 3},       {"June", 4},     {"July", 4},     {"August", 6},
        {"September", 9}, {"October", 7},  {"November", 8}, {"December", 8},
    };
    const bl_str words[] = {BL_STR("the"), BL_STR("and"), BL_STR("a"), BL_STR("the")};
    struct bl_module_locale row = {.code = str(b, "en"),
                                   .name = str(b, "English"),
                                   .day = str(b, "{month} {day}, {year}"),
                                   .like = BL_NONE};

    bl_builder_locale(b, row, months, words, 4);
    row.code = str(b, "de");
    row.name = str(b, "Deutsch");
    row.like = 0;
    bl_builder_locale(b, row, NULL, NULL, 0);
}

static void add_names(struct bl_builder *b)
{
    struct bl_module_source source = {.path = str(b, "policies/assistant.policy"),
                                      .bytes = 2000};

    b->INFO.items[0].package = str(b, "assistant");
    b->INFO.items[0].account = str(b, "helper[bot]");
    b->INFO.items[0].marker = str(b, "assistant");
    memset(b->INFO.items[0].digest, 7, sizeof b->INFO.items[0].digest);
    bl_add_SOURCES(b, source);
    bl_add_SANITIZERS(b, (struct bl_module_sanitizer){.name = str(b, "reason"),
                                                      .places = 1u << BL_PLACE_LOG,
                                                      .reads_markdown = 1,
                                                      .count = 2});
    bl_add_CLEAN_ROWS(b, (struct bl_module_clean_row){.kind = BL_NONE, .hi = 1});
    bl_add_CLEAN_ROWS(b, (struct bl_module_clean_row){.word = BL_NONE, .kind = 2, .action = 1});
    bl_add_TASKS(b, bl_plain_task(str(b, "triage")));
    bl_add_TASKS(b, bl_plain_task(str(b, "report")));
    bl_add_VARIABLES(b, (struct bl_module_name){str(b, "ai_switch"), str(b, "AI_SWITCH")});
    bl_add_VARIABLES(b, (struct bl_module_name){str(b, "key"), str(b, "AI_KEY")});
}

static void add_job(struct bl_builder *b, const char *name, uint32_t capabilities)
{
    bl_add_JOBS(b, (struct bl_module_job){.name = str(b, name),
                                          .engine = BL_NONE,
                                          .capabilities = capabilities,
                                          .runs_rules = 1,
                                          .when = BL_NONE,
                                          .decision = BL_NONE});
}

static const char basics[] = "pure rounds() : int\n"
                             "  regs int\n"
                             "  const r0, 3\n"
                             "  return r0\n"
                             "pure rounds_check() : verdict\n"
                             "  regs int, int, bool, name, text, verdict\n"
                             "  call r0, r0, rounds\n"
                             "  const r1, 9\n"
                             "  le r2, r0, r1\n"
                             "  const r3, name \"few\"\n"
                             "  const r4, \"There are at most nine rounds.\"\n"
                             "  verdict r5, r2\n"
                             "  return r5\n"
                             "pure bug_words() : text\n"
                             "  regs text\n"
                             "  const r0, \"Something is broken\"\n"
                             "  return r0\n"
                             "pure asks_en(name, int) : clean comment\n"
                             "  regs text, clean comment, text, clean comment\n"
                             "  const r2, \"Hello \"\n"
                             "  render r3, r0, comment\n"
                             "  render r4, r1, comment\n"
                             "  build r5, r2, 3\n"
                             "  return r5\n"
                             "pure asks_de(name, int) : clean comment\n"
                             "  regs clean comment\n"
                             "  render r2, r0, comment\n"
                             "  return r2\n"
                             "pure closes_en() : text\n"
                             "  regs text\n"
                             "  const r0, \"Closed.\"\n"
                             "  return r0\n";

static void add_set(struct bl_arena *arena, struct bl_builder *b)
{
    const struct bl_pattern_set_input inputs[] = {
        {BL_STR("segfault"), BL_STR(""), true},
        {BL_STR("crash(es)?"), BL_STR("i"), false},
    };
    const bl_str sources[] = {inputs[0].source, inputs[1].source};
    bool left_out[2];
    struct bl_pattern set;

    if (bl_pattern_set_compile(arena, inputs, 2, left_out, &set))
        bl_builder_set(b, BL_FACT_ISSUE_TITLE, set, sources, 1);
    else
        b->status = BL_ERR_NOMEM;
}

/* A set of secrets with one row. */
static void add_secrets(struct bl_arena *arena, struct bl_builder *b)
{
    const struct bl_pattern_set_input input = {BL_STR("crash(es)?"), BL_STR("i"), false};
    bool left_out[1];
    struct bl_pattern set;

    if (bl_pattern_starts_compile(arena, &input, 1, left_out, &set))
        bl_builder_sieve(b, set);
    else
        b->status = BL_ERR_NOMEM;
    bl_add_PARTS(b, (struct bl_module_part){0, BL_NONE, BL_NONE, BL_NONE, 0});
    bl_add_FINDERS(b, (struct bl_module_finder){
                          .kind = str(b, "token"), .when = BL_NONE, .source = BL_NO_SOURCE});
    bl_add_SECRETS(b, (struct bl_module_secrets){str(b, "known"), 0, 1, 0, {0, 0, 0, 0}});
}

struct bl_builder *sample_begin(struct bl_arena *arena)
{
    const bl_str options[] = {BL_STR("It crashes"), BL_STR("It is wrong")};
    struct bl_builder *b = bl_builder_create(arena);
    struct bl_pattern pattern;
    struct bl_pattern_error error;

    if (b == NULL)
        return NULL;
    add_names(b);
    add_types(b);
    add_locales(b);
    if (bl_pattern_compile(arena, BL_STR("crash(es)?"), BL_STR("i"), &pattern, &error))
        bl_builder_pattern(b, BL_STR("/crash(es)?/i"), pattern);
    else
        b->status = BL_ERR_NOMEM; /* nothing else is wrong with it */
    add_job(b, "triage",
            BL_CAP(BL_PERMISSION_ISSUES_WRITE) | BL_CAP(BL_PERMISSION_STATUSES_WRITE));
    add_job(b, "reader", BL_CAP(BL_PERMISSION_ISSUES_READ));
    add_job(b, "reviewer", BL_CAP(BL_PERMISSION_PULL_REQUESTS_WRITE));
    add_set(arena, b);
    sample_add(b, basics);
    if (b->status != BL_OK)
        return b;
    bl_builder_label(b,
                     (struct bl_module_label){.name = str(b, "bug"),
                                              .shown = str(b, "bug"),
                                              .color = str(b, "d73a4a"),
                                              .description = str(b, ""),
                                              .ask = 1,
                                              .description_function = function(b, "bug_words")},
                     options, 2);
    bl_add_SETTINGS(b, (struct bl_module_setting){.name = str(b, "rounds"),
                                                  .function = function(b, "rounds"),
                                                  .check = function(b, "rounds_check"),
                                                  .source = 0,
                                                  .lo = 10,
                                                  .hi = 20});
    bl_builder_message(b, BL_STR("asks"),
                       (const uint32_t[]){function(b, "asks_en"), function(b, "asks_de")}, 2,
                       2);
    bl_builder_message(b, BL_STR("closes"),
                       (const uint32_t[]){function(b, "closes_en"), BL_NONE}, 2, 0);
    add_secrets(arena, b);
    return b;
}

bool sample_of(struct bl_arena *arena, const char *text, struct bl_module_bytes *out)
{
    struct bl_builder *b = sample_begin(arena);

    if (b == NULL)
        return false;
    sample_add(b, text);
    return bl_builder_finish(b, out) == BL_OK;
}

/* ---- the whole ----------------------------------------------------------------------------
 */

static const char whole[] =
    "pure fits(issue) : bool\n"
    "  regs list of label, label, bool\n"
    "  field r1, r0, issue.labels\n"
    "  const r2, label \"bug\"\n"
    "  in r3, r2, r1\n"
    "  return r3\n"
    "pure open_ones() : list of issue\n"
    "  regs repository, list of issue, iterator, issue, bool, list of issue\n"
    "  ambient r0, repository\n"
    "  field r1, r0, repository.open_issues\n"
    "  list r5\n"
    "  iter r1\n"
    "again:\n"
    "  next r3, r1, out\n"
    "  call r4, r3, fits\n"
    "  jump-unless r4, more\n"
    "  push r5, r3\n"
    "more:\n"
    "  loop again\n"
    "out:\n"
    "  return r5\n"
    "pure next_task() : task?\n"
    "  regs bool, task, task?\n"
    "  event-is r0, issues.opened\n"
    "  jump-unless r0, none\n"
    "  const r1, task 0\n"
    "  move r2, r1\n"
    "  jump end\n"
    "none:\n"
    "  absent r2\n"
    "end:\n"
    "  return r2\n"
    "pure allowed(user) : verdict\n"
    "  regs user_kind, user_kind, bool, name, text, verdict\n"
    "  field r1, r0, user.kind\n"
    "  const r2, user_kind person\n"
    "  eq r3, r1, r2\n"
    "  const r4, name \"person\"\n"
    "  const r5, \"Only people may.\"\n"
    "  verdict r6, r3\n"
    "  return r6\n"
    "pure always() : bool\n"
    "  regs bool\n"
    "  const r0, true\n"
    "  return r0\n"
    "entry label_crash() : bool job 0\n"
    "  regs issue, label, clean timeline?, untrusted, pattern, bool\n"
    "  ambient r0, issue\n"
    "  field r3, r0, issue.title\n"
    "  const r4, pattern 0\n"
    "  matches r5, r3, r4\n"
    "  jump-unless r5, no\n"
    "  fired\n"
    "  const r1, label \"bug\"\n"
    "  absent r2\n"
    "  effect r0, 3, add label\n"
    "no:\n"
    "  return r5\n"
    "entry ask() : bool job 0\n"
    "  regs issue, clean comment, time, int, text?, list of name\n"
    "  regs name, int, user, bool\n"
    "  ambient r0, issue\n"
    "  field r8, r0, issue.author\n"
    "  field r6, r8, user.login\n"
    "  setting r7, rounds\n"
    "  message r1, r6, asks\n"
    "  ambient r2, now\n"
    "  move r3, r7\n"
    "  absent r4\n"
    "  list r5\n"
    "  push r5, r6\n"
    "  fired\n"
    "  effect r0, 6, post:0\n"
    "  const r9, true\n"
    "  return r9\n"
    "entry say() : bool job 1\n"
    "  regs bool, text\n"
    "  const r1, \"nothing to do\"\n"
    "  effect r1, 1, notice\n"
    "  const r0, true\n"
    "  return r0\n"
    "entry sweep_one(issue) job 0\n"
    "  regs list of posted 1, posted 1, iterator, int\n"
    "  regs list of posted 1, iterator, posted 1\n"
    "  posted r1, r0, posted 1\n"
    "  move r5, r1\n"
    "  iter r5\n"
    "again:\n"
    "  next r7, r5, out\n"
    "  attr r4, r7, name \"round\"\n"
    "  loop again\n"
    "out:\n"
    "  end\n"
    "entry clean_up() job 0\n"
    "  end\n"
    "test opened(int, text)\n"
    "  regs int, text, time?, time?, bool\n"
    "  move r2, r0\n"
    "  move r3, r1\n"
    "  absent r4\n"
    "  absent r5\n"
    "  step r2, 4, given issue\n"
    "  const r6, true\n"
    "  expect r6, -\n"
    "  end\n"
    "test opened_1()\n"
    "  regs int, text\n"
    "  const r0, 12\n"
    "  const r1, \"alice\"\n"
    "  call #255, r0, opened\n"
    "  end\n"
    "pure own_path() : text\n"
    "  regs text\n"
    "  const r0, \"rules.md\"\n"
    "  return r0\n"
    "pure own_text() : list of clean prompt\n"
    "  regs list of clean prompt\n"
    "  list r0\n"
    "  return r0\n"
    "entry note_one(name) : verdict\n"
    "  regs name, int?, list of record 2, bool, name, text, verdict\n"
    "  stored r3, notes\n"
    "  move r1, r0\n"
    "  absent r2\n"
    "  effect r1, 2, keep:512\n"
    "  const r4, true\n"
    "  const r5, name \"allowed\"\n"
    "  const r6, \"\"\n"
    "  verdict r7, r4\n"
    "  return r7\n";

static uint32_t entry(struct bl_builder *b, enum bl_entry_kind kind, const char *name,
                      uint32_t job)
{
    return bl_add_ENTRIES(b, (struct bl_entry){.kind = (uint32_t)kind,
                                               .name = str(b, name),
                                               .function = function(b, name),
                                               .job = job,
                                               .first_access = BL_NONE,
                                               .source = 0,
                                               .lo = 100,
                                               .hi = 200});
}

static void add_entries(struct bl_builder *b)
{
    uint32_t crash = entry(b, BL_ENTRY_RULE, "label_crash", 0);
    uint32_t ask = entry(b, BL_ENTRY_RULE, "ask", 0);
    uint32_t say = entry(b, BL_ENTRY_RULE, "say", 1);
    uint32_t sweep = entry(b, BL_ENTRY_STEP, "sweep_one", 0);
    uint32_t clean = entry(b, BL_ENTRY_STEP, "clean_up", 0);
    uint32_t task = entry(b, BL_ENTRY_DECISION, "next_task", BL_NONE);

    entry(b, BL_ENTRY_CHECK, "allowed", BL_NONE);
    entry(b, BL_ENTRY_DEFINE, "fits", BL_NONE);
    entry(b, BL_ENTRY_TEST, "opened", BL_NONE);
    bl_add_CALLED(
        b, (struct bl_module_called){entry(b, BL_ENTRY_CALLED, "note_one", BL_NONE), 3, 1});
    if (b->status != BL_OK)
        return;
    bl_add_STEPS(b, (struct bl_module_step){.entry = sweep,
                                            .units = function(b, "open_ones"),
                                            .ambient = BL_AMBIENT_ISSUE,
                                            .when = BL_NONE,
                                            .at_most = function(b, "rounds")});
    bl_add_STEPS(b, bl_plain_step(clean));
    b->STEPS.items[1].when = function(b, "always");
    b->JOBS.items[0].first_step = sweep;
    b->JOBS.items[0].step_count = 2;
    b->JOBS.items[0].decision = task;
    b->JOBS.items[0].when = function(b, "always");
    bl_add_CASES(b, (struct bl_module_case){.function = function(b, "opened_1"),
                                            .name = str(b, "12, alice"),
                                            .source = 0,
                                            .lo = 300,
                                            .hi = 310});
    bl_builder_event_rule(b, BL_EVENT_ISSUES_OPENED, say);
    bl_builder_event_rule(b, BL_EVENT_ISSUES_OPENED, crash);
    bl_builder_event_rule(b, BL_EVENT_ISSUES_EDITED, crash);
    bl_builder_event_rule(b, BL_EVENT_ISSUES_OPENED, ask);
    b->TASKS.items[0].record = 0;
    b->TASKS.items[0].counts = function(b, "always");
    bl_add_ANSWER_RULES(b, (struct bl_answer_rule){1, crash});
    bl_add_ANSWER_RULES(b, (struct bl_answer_rule){0, crash});
    bl_add_ANSWER_RULES(b, (struct bl_answer_rule){0, say});
    bl_add_ACCEPTED(b, (struct bl_module_accepted){.tool = str(b, "scan"),
                                                   .rule = str(b, "rule"),
                                                   .path = str(b, ""),
                                                   .comment = str(b, "why"),
                                                   .reason = 1,
                                                   .until = 20000});
    bl_add_FILES(b, (struct bl_module_file){str(b, "rules"), BL_NONE, function(b, "own_path"),
                                            function(b, "own_text")});
    bl_add_TASK_FILES(b, 0);
    b->TASKS.items[0].first_file = 0;
    b->TASKS.items[0].file_count = 1;
    bl_add_ENGINE_WORDS(b, str(b, "program"));
    bl_add_ENGINE_WORDS(b, str(b, "api.example.com"));
    bl_add_ENGINE_FLAGS(b, (struct bl_engine_flag){str(b, "--rules"), BL_ARGUMENT_FILE, 0,
                                                   function(b, "always")});
    bl_add_ENGINES(b, (struct bl_module_engine){.name = str(b, "engine"),
                                                .input = str(b, "rules"),
                                                .word_count = 1,
                                                .first_host = 1,
                                                .host_count = 1,
                                                .flag_count = 1,
                                                .outputs = 3});
    b->JOBS.items[0].engine = 0;
    bl_add_JOB_STEPS(
        b, (struct bl_module_job_step){BL_JOB_STEP_WRITE, 0, str(b, "rules"), str(b, "")});
    bl_add_JOB_STEPS(
        b, (struct bl_module_job_step){BL_JOB_STEP_ENGINE, BL_NONE, str(b, ""), str(b, "")});
    bl_add_JOB_STEPS(b, (struct bl_module_job_step){BL_JOB_STEP_SECRET, BL_NONE,
                                                    str(b, "TOKEN"), str(b, "")});
    b->JOBS.items[0].own_count = 3;
    for (size_t i = 1; i < b->JOBS.count; i++)
        b->JOBS.items[i].first_own = 3;
    bl_add_ANSWER_LABELS(b, 0);
    bl_add_ANSWER_BOUNDS(b, (struct bl_answer_bound){0, BL_NONE, INT64_MIN, 280, BL_NONE, 0});
    bl_add_ANSWER_BOUNDS(b, (struct bl_answer_bound){1, 3, 1, INT64_MAX, 0, 1});
    bl_builder_override(b, crash, say);
    bl_builder_override(b, ask, say);
    bl_builder_access_text(b, BL_ACCESS_LABEL, BL_FACT_ISSUE_LABELS, BL_STR("Bug"), ask);
    bl_builder_access_number(b, BL_ACCESS_ENUM, BL_FACT_ISSUE_STATE, BL_ISSUE_STATE_OPEN, say);
}

/* A row for each function, and one for each comparison in it. */
static void add_map(struct bl_builder *b)
{
    for (size_t i = 0; i < b->FUNCTIONS.count && b->status == BL_OK; i++) {
        struct bl_function *f = &b->FUNCTIONS.items[i];
        size_t end = i + 1 < b->FUNCTIONS.count ? f[1].first_insn : b->CODE.count;

        f->first_place = (uint32_t)b->MAP.count;
        for (uint32_t j = f->first_insn; j < end; j++) {
            unsigned op = b->CODE.items[j].op;
            bool compares =
                op == BL_OP_LE || op == BL_OP_EQ || op == BL_OP_IN || op == BL_OP_MATCHES;

            if (compares || j == f->first_insn)
                bl_add_MAP(b, (struct bl_map_row){.insn = (uint16_t)(j - f->first_insn),
                                                  .lo = (uint32_t)(i * 40) & BL_MAP_LO_MAX,
                                                  .length = 20,
                                                  .flags = compares});
        }
    }
}

/* Behind everything else, so that numbers of functions stay. */
static void add_redaction(struct bl_builder *b)
{
    sample_add(b, "pure kind_of_mask() : name\n  regs name\n  const r0, name \"token\"\n"
                  "  return r0\n"
                  "pure marker_of_mask(text, text, text) : text\n  return r0\n");
    bl_add_MASKS(b, (struct bl_module_mask){.part = 0,
                                            .list = BL_NONE,
                                            .kind = function(b, "kind_of_mask"),
                                            .source = function(b, "closes_en"),
                                            .when = BL_NONE,
                                            .place = BL_NO_SOURCE});
    bl_add_REDACTIONS(b, (struct bl_module_redaction){.name = str(b, "outputs"),
                                                      .mask_count = 1,
                                                      .when = BL_NONE,
                                                      .marker = function(b, "marker_of_mask"),
                                                      .size = BL_NONE,
                                                      .keep = BL_NONE});
}

bool sample_build(struct bl_arena *arena, struct bl_module_bytes *out)
{
    struct bl_builder *b = sample_begin(arena);

    if (b == NULL)
        return false;
    sample_add(b, whole);
    add_entries(b);
    bl_builder_access_number(b, BL_ACCESS_PATTERN, 0, 1, 0);
    add_map(b);
    add_redaction(b);
    return bl_builder_finish(b, out) == BL_OK;
}

/* ---- rows to change -----------------------------------------------------------------------
 */

static struct bl_module_section section_of(const void *bytes, enum bl_section section)
{
    struct bl_module_section row;

    memcpy(&row, (const char *)bytes + sizeof(struct bl_module_header) + section * sizeof row,
           sizeof row);
    return row;
}

void *sample_row(void *bytes, enum bl_section section, uint32_t row)
{
    struct bl_module_section at = section_of(bytes, section);

    return (char *)bytes + at.offset + (size_t)row * at.row_size;
}

uint32_t sample_count(const void *bytes, enum bl_section section)
{
    return section_of(bytes, section).count;
}

void sample_repair(void *bytes, size_t size)
{
    uint64_t checksum = bl_module_checksum(bytes, size);

    memcpy((char *)bytes + offsetof(struct bl_module_header, checksum), &checksum,
           sizeof checksum);
}
