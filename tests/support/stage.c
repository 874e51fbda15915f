/* SPDX-License-Identifier: Apache-2.0 */
#include "support/stage.h"

#include "base/time.h"
#include "support/assembler.h"
#include "support/check.h"
#include "text/pattern.h"

#include <stdio.h>

static struct bl_string_ref str(struct bl_builder *b, const char *s)
{
    return bl_builder_string(b, bl_str_from(s));
}

/* ---- declarations ------------------------------------------------------------------------ */

static void add_names(struct bl_builder *b)
{
    b->INFO.items[0].package = str(b, "stage");
    b->INFO.items[0].account = str(b, "bot[bot]");
    b->INFO.items[0].marker = str(b, "bylaw");
    bl_add_SOURCES(b, (struct bl_module_source){.path = str(b, "rules.policy"), .bytes = 4000});
    bl_add_TASKS(b, bl_plain_task(str(b, "triage")));
    bl_add_TASKS(b, bl_plain_task(str(b, "report")));
    bl_add_VARIABLES(b, (struct bl_module_name){str(b, "ai_switch"), str(b, "AI_SWITCH")});
    bl_add_VARIABLES(b, (struct bl_module_name){str(b, "key"), str(b, "AI_KEY")});
}

static void add_locales(struct bl_builder *b)
{
    static const bl_str english[12] = {
        {"January", 7},   {"February", 8}, {"March", 5},    {"April", 5},
        {"May", 3},       {"June", 4},     {"July", 4},     {"August", 6},
        {"September", 9}, {"October", 7},  {"November", 8}, {"December", 8},
    };
    static const bl_str german[12] = {
        {"Januar", 6},    {"Februar", 7}, {"März", 5},     {"April", 5},
        {"Mai", 3},       {"Juni", 4},    {"Juli", 4},     {"August", 6},
        {"September", 9}, {"Oktober", 7}, {"November", 8}, {"Dezember", 8},
    };
    const bl_str en_words[] = {BL_STR("the"), BL_STR("and")};
    const bl_str de_words[] = {BL_STR("über"), BL_STR("und")};
    struct bl_module_locale row = {.code = str(b, "en"),
                                   .name = str(b, "English"),
                                   .day = str(b, "{month} {day}, {year}"),
                                   .like = BL_NONE};

    bl_builder_locale(b, row, english, en_words, 2);
    row.code = str(b, "de");
    row.name = str(b, "German");
    row.day = str(b, "{day}. {month} {year}");
    row.like = 0;
    bl_builder_locale(b, row, german, de_words, 2);
    row.code = str(b, "other");
    row.name = str(b, "Other");
    row.day = str(b, "{year}-{month_number}-{day_number}");
    row.like = 1;
    bl_builder_locale(b, row, NULL, NULL, 0);
}

static void add_types(struct bl_builder *b)
{
    const bl_str members[] = {BL_STR("low"), BL_STR("high")};
    const struct bl_builder_member pair[] = {{BL_STR("left"), BL_TYPE_INT, 0},
                                             {BL_STR("right"), BL_TYPE_TEXT, 0}};
    const struct bl_builder_member question[] = {
        {BL_STR("asked"), BL_TYPE_TIME, BL_ATTRIBUTE_ONCE},
        {BL_STR("round"), BL_TYPE_INT, 0},
        {BL_STR("done"), BL_TYPE_BOOL, 0},
        {BL_STR("note"), BL_OPTIONAL(BL_TYPE_TEXT), 0},
        {BL_STR("names"), BL_LIST_OF(BL_TYPE_NAME), 0},
        {BL_STR("lang"), BL_TYPE_LOCALE, 0},
    };
    const struct bl_builder_member notice[] = {{BL_STR("day"), BL_TYPE_DATE, 0}};
    const struct bl_builder_member reply[] = {
        {BL_STR("to"), BL_TYPE_INT, BL_ATTRIBUTE_ONCE},
        {BL_STR("tag"), BL_OPTIONAL(BL_TYPE_NAME), BL_ATTRIBUTE_ONCE},
        {BL_STR("runs"), BL_LIST_OF(BL_TYPE_TIME), 0},
    };

    const struct bl_builder_member row[] = {
        {BL_STR("id"), BL_TYPE_NAME, 0},
        {BL_STR("number"), BL_OPTIONAL(BL_TYPE_INT), 0},
    };

    bl_builder_enum(b, BL_STR("severity"), members, 2);
    bl_builder_record(b, BL_STR("pair"), pair, 2);
    bl_builder_record(b, BL_STR("row"), row, 2);
    bl_add_STORES(b, (struct bl_module_store){str(b, "rows"), str(b, "rows.jsonl"), 1, 0});
    bl_builder_comment(b, BL_STR("question"), question, 6);
    bl_builder_comment(b, BL_STR("closed_notice"), notice, 1);
    bl_builder_comment(b, BL_STR("reply"), reply, 3);
    bl_builder_posted(b, (const uint32_t[]){0}, 1);
    bl_builder_posted(b, (const uint32_t[]){0, 1}, 2);
    bl_builder_posted(b, (const uint32_t[]){2}, 1);
}

static void add_label(struct bl_builder *b, const char *name, const bl_str *options,
                      size_t count)
{
    bl_builder_label(b,
                     (struct bl_module_label){
                         .name = str(b, name),
                         .shown = str(b, name),
                         .color = str(b, "0075ca"),
                         .description = str(b, count > 0 ? "Waits for its reporter" : ""),
                         .ask = count > 0,
                         .description_function = BL_NONE},
                     options, count);
}

static void add_pattern(struct bl_builder *b, struct bl_arena *arena, const char *source,
                        const char *flags)
{
    struct bl_pattern pattern;
    struct bl_pattern_error error;

    struct bl_buf shown;

    bl_buf_init(&shown, arena, 256);
    bl_buf_printf(&shown, "/%s/%s", source, flags);
    if (bl_pattern_compile(arena, bl_str_from(source), bl_str_from(flags), &pattern, &error))
        bl_builder_pattern(b, bl_buf_str(&shown), pattern);
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

bool stage_begin(struct stage *stage, struct bl_arena *arena)
{
    const bl_str options[] = {BL_STR("Yes"), BL_STR("No")};
    struct bl_builder *b = bl_builder_create(arena);

    *stage = (struct stage){.arena = arena, .builder = b};
    if (b == NULL)
        return false;
    add_names(b);
    add_locales(b);
    add_types(b);
    add_label(b, "bug", NULL, 0);
    add_label(b, "stale", NULL, 0);
    add_label(b, "needs info", options, 2);
    add_job(b, "assistant",
            BL_CAP(BL_PERMISSION_ISSUES_WRITE) | BL_CAP(BL_PERMISSION_STATUSES_WRITE));
    add_job(b, "reader", BL_CAP(BL_PERMISSION_ISSUES_READ));
    add_pattern(b, arena, "crash(es)?", "i");
    add_pattern(b, arena, "[0-9]+", "");
    return b->status == BL_OK;
}

/* ---- functions and entries --------------------------------------------------------------- */

void stage_add(struct stage *stage, const char *text)
{
    unsigned line = 0;
    const char *problem = assemble(stage->builder, text, &line);

    if (problem != NULL && stage->builder->status == BL_OK)
        fail_msg("%s, line %u of\n%s", problem, line, text);
}

uint32_t stage_function(const struct stage *stage, const char *name)
{
    const struct bl_builder *b = stage->builder;

    for (size_t i = b->FUNCTIONS.count; i-- > 0;) {
        struct bl_string_ref ref = b->FUNCTIONS.items[i].name;

        if (bl_str_equal((bl_str){b->STRINGS.items + ref.offset, ref.length},
                         bl_str_from(name)))
            return (uint32_t)i;
    }
    return BL_NONE;
}

uint32_t stage_entry(struct stage *stage, enum bl_entry_kind kind, const char *name,
                     enum bl_event_id event)
{
    struct bl_builder *b = stage->builder;
    uint32_t function = stage_function(stage, name);
    bool runs = kind == BL_ENTRY_RULE || kind == BL_ENTRY_STEP;
    uint32_t job = function < b->FUNCTIONS.count ? b->FUNCTIONS.items[function].job : BL_NONE;
    uint32_t entry = bl_add_ENTRIES(b, (struct bl_entry){.kind = (uint32_t)kind,
                                                         .name = str(b, name),
                                                         .function = function,
                                                         .job = runs ? job : BL_NONE,
                                                         .first_access = BL_NONE,
                                                         .source = BL_NO_SOURCE});
    if (event != BL_EVENT_COUNT)
        bl_builder_event_rule(b, event, entry);
    return entry;
}

void stage_map(struct stage *stage, const char *name, uint32_t insn, uint32_t lo, uint32_t hi)
{
    uint32_t function = stage_function(stage, name);
    struct bl_map_row row = {.lo = lo & BL_MAP_LO_MAX,
                             .flags = BL_MAP_CONDITION,
                             .insn = (uint16_t)insn,
                             .length = (uint16_t)(hi - lo)};

    if (stage->builder->status != BL_OK)
        return;
    struct bl_builder *b = stage->builder;
    /* Places go function by function, so tests give them in that order. */
    bl_add_MAP(b, row);
    for (size_t i = function + 1; i < b->FUNCTIONS.count; i++)
        b->FUNCTIONS.items[i].first_place = (uint32_t)b->MAP.count;
}

/* ---- the module -------------------------------------------------------------------------- */

static void fail_refused(const struct bl_diagnostics *sink)
{
    char what[600] = "";
    size_t length = 0;

    for (size_t i = 0; i < sink->list.count; i++) {
        const struct bl_diagnostic *d = sink->list.items[i];

        length += (size_t)snprintf(what + length, sizeof what - length, "PL%04u", d->code);
        for (size_t k = 0; k < d->arg_count && length < sizeof what - 100; k++)
            length += (size_t)snprintf(
                what + length, sizeof what - length, " %s=%.*s", d->args[k].name,
                (int)(d->args[k].value.len < 60 ? d->args[k].value.len : 60),
                d->args[k].value.ptr);
        if (length >= sizeof what - 100)
            break;
    }
    fail_msg("the verifier refuses the module: %s", what);
}

bool stage_ready(struct stage *stage, struct bl_snapshot *snapshot)
{
    struct bl_module_bytes bytes;
    struct bl_diagnostics sink;

    bl_diagnostics_init(&sink, stage->arena, 20);
    enum bl_status status = bl_builder_finish(stage->builder, &bytes);
    if (status == BL_OK)
        status = bl_module_verify(stage->arena, bytes.bytes, bytes.size, &stage->module, &sink);
    if (status == BL_ERR_NOMEM)
        return false;
    if (status == BL_ERR_UNVERIFIED)
        fail_refused(&sink);
    if (status != BL_OK)
        fail_msg("the builder gives up: %s",
                 stage->builder->wrong != NULL ? stage->builder->wrong : "a limit");
    bl_machine_init(&stage->machine, &stage->module, stage->arena, snapshot, BL_EVENT_COUNT,
                    NULL);
    return true;
}

void stage_of(struct stage *stage, struct bl_arena *arena, const char *text)
{
    check(stage_begin(stage, arena));
    stage_add(stage, text);
    check(stage_ready(stage, NULL));
}

enum bl_status stage_status(struct stage *stage, const char *name, const struct bl_value *args,
                            size_t count)
{
    struct bl_value result;

    return bl_machine_call(&stage->machine, stage_function(stage, name), args, count, &result);
}

struct bl_value stage_call(struct stage *stage, const char *name, const struct bl_value *args,
                           size_t count)
{
    struct bl_value result = bl_absent();
    enum bl_status status =
        bl_machine_call(&stage->machine, stage_function(stage, name), args, count, &result);

    if (status != BL_OK)
        fail_msg("'%s' ended with %d: %.*s: %.*s", name, (int)status,
                 BL_STR_ARG(stage->machine.failure.what),
                 BL_STR_ARG(stage->machine.failure.why));
    return result;
}

/* ---- values ------------------------------------------------------------------------------ */

struct bl_value text_value(const char *terminated)
{
    return bl_text(bl_str_from(terminated));
}

struct bl_value list_value(struct bl_arena *arena, const struct bl_value *items, size_t count)
{
    struct bl_list *list = bl_list_create(arena);

    check(list != NULL);
    for (size_t i = 0; i < count; i++)
        check_status(bl_list_push(arena, list, items[i]), BL_OK);
    return bl_list_value(list);
}

struct bl_value time_value(const char *text)
{
    int64_t seconds = 0;

    check(bl_time_parse(bl_str_from(text), &seconds));
    return bl_number(BL_V_TIME, seconds);
}

struct bl_value date_value(const char *text)
{
    int64_t days = 0;

    check(bl_date_parse(bl_str_from(text), &days));
    return bl_number(BL_V_DATE, days);
}

void stage_secrets(struct stage *stage)
{
    const struct bl_pattern_set_input input = {BL_STR("crash(es)?"), BL_STR("i"), false};
    bool left_out[1];
    struct bl_pattern set;

    stage_add(stage, "pure digits(untrusted) : bool\n regs pattern, bool\n"
                     " const r1, pattern 1\n matches r2, r0, r1\n return r2\n");
    check(bl_pattern_starts_compile(stage->arena, &input, 1, left_out, &set));
    bl_builder_sieve(stage->builder, set);
    bl_add_PARTS(stage->builder, (struct bl_module_part){0, BL_NONE, BL_NONE, BL_NONE, 0});
    for (unsigned i = 0; i < 2; i++) {
        bl_add_FINDERS(stage->builder,
                       (struct bl_module_finder){
                           .kind = bl_builder_string(stage->builder, BL_STR("crash")),
                           .when = i == 0 ? BL_NONE : stage_function(stage, "digits"),
                           .source = BL_NO_SOURCE});
        bl_add_SECRETS(
            stage->builder,
            (struct bl_module_secrets){
                bl_builder_string(stage->builder, i == 0 ? BL_STR("any") : BL_STR("numbered")),
                i,
                1,
                0,
                {0, 0, 0, 0}});
    }
}
