/* SPDX-License-Identifier: Apache-2.0 */

/* Loading a module of many small rules: how long bl_module_verify takes, in CPU time of the
 * process, best and median of many runs. Not a test: it asserts nothing. */

#include "bytecode/builder.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define RUNS 201

static const bl_type issue = BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_ISSUE);

static struct bl_span span(uint32_t rule, uint32_t line)
{
    return (struct bl_span){rule * 300 + line * 40, rule * 300 + line * 40 + 30, 0};
}

static uint32_t constant(struct bl_builder *b, bl_type type, const char *word, uint32_t n)
{
    char text[64];
    int len = snprintf(text, sizeof text, "%s %u", word, n);

    return bl_builder_text(b, type, (bl_str){text, (size_t)len});
}

/* when issue has label_n and issue.title contains "word n" { add label done_n } */
static uint32_t add_rule(struct bl_builder *b, uint32_t n)
{
    char name[64];
    int len = snprintf(name, sizeof name, "rule_%u", n);
    struct bl_code *code =
        bl_code_begin(b, (bl_str){name, (size_t)len}, BL_FUNCTION_ENTRY, BL_TYPE_BOOL, 0);
    const bl_type effect[] = {issue, BL_TYPE_LABEL,
                              BL_OPTIONAL(BL_TYPE_MAKE(BL_TYPE_CLEAN, 1 << BL_PLACE_TIMELINE))};
    struct bl_site site = {.kind = BL_EFFECT_ADD_LABEL, .lo = n * 300, .hi = n * 300};
    unsigned out = bl_code_target(code);
    unsigned args = bl_code_range(code, effect, 3);
    unsigned labels = bl_code_register(code, BL_LIST_OF((bl_type)BL_TYPE_LABEL));
    unsigned title = bl_code_register(code, BL_TYPE_UNTRUSTED);
    unsigned word = bl_code_register(code, BL_TYPE_TEXT);
    unsigned holds = bl_code_register(code, BL_TYPE_BOOL);

    bl_code_emit(code, BL_OP_AMBIENT, args, 0, BL_AMBIENT_ISSUE, span(n, 0));
    bl_code_emit(code, BL_OP_FIELD, labels, args, BL_FIELD_ISSUE_LABELS, span(n, 1));
    bl_code_emit(code, BL_OP_CONST, args + 1, 0, constant(b, BL_TYPE_LABEL, "label", n),
                 span(n, 1));
    bl_code_emit(code, BL_OP_IN, holds, args + 1, labels, span(n, 1));
    bl_code_condition(code);
    bl_code_jump(code, BL_OP_JUMP_UNLESS, holds, out, span(n, 1));
    bl_code_emit(code, BL_OP_FIELD, title, args, BL_FIELD_ISSUE_TITLE, span(n, 2));
    bl_code_emit(code, BL_OP_CONST, word, 0, constant(b, BL_TYPE_TEXT, "word", n), span(n, 2));
    bl_code_emit(code, BL_OP_CONTAINS, holds, title, word, span(n, 2));
    bl_code_condition(code);
    bl_code_jump(code, BL_OP_JUMP_UNLESS, holds, out, span(n, 2));
    bl_code_emit(code, BL_OP_FIRED, 0, 0, 0, span(n, 3));
    bl_code_emit(code, BL_OP_CONST, args + 1, 0, constant(b, BL_TYPE_LABEL, "done", n),
                 span(n, 3));
    bl_code_emit(code, BL_OP_ABSENT, args + 2, 0, 0, span(n, 3));
    bl_code_emit(code, BL_OP_EFFECT, args, 3, bl_add_SITES(b, site), span(n, 3));
    bl_code_emit(code, BL_OP_CONST, holds, 0, bl_builder_number(b, BL_TYPE_BOOL, 1),
                 span(n, 0));
    bl_code_place(code, out);
    bl_code_emit(code, BL_OP_RETURN, 0, holds, 0, BL_NO_SPAN);
    uint32_t function = bl_code_end(code);
    return bl_add_ENTRIES(
        b, (struct bl_entry){.kind = BL_ENTRY_RULE,
                             .name = bl_builder_string(b, (bl_str){name, (size_t)len}),
                             .function = function,
                             .first_access = BL_NONE,
                             .lo = n * 300,
                             .hi = n * 300 + 200});
}

static struct bl_module_bytes make(struct bl_arena *arena, uint32_t rules)
{
    struct bl_builder *b = bl_builder_create(arena);
    struct bl_module_bytes out = {NULL, 0};
    struct bl_module_job job = {.name = bl_builder_string(b, BL_STR("triage")),
                                .engine = BL_NONE,
                                .capabilities = BL_CAP(BL_PERMISSION_ISSUES_WRITE),
                                .runs_rules = 1,
                                .when = BL_NONE,
                                .decision = BL_NONE};
    struct bl_module_source source = {.path = bl_builder_string(b, BL_STR("rules.policy")),
                                      .bytes = rules * 300 + 300};

    bl_add_JOBS(b, job);
    bl_add_SOURCES(b, source);
    for (uint32_t n = 0; n < rules; n++) {
        char key[32];
        int len = snprintf(key, sizeof key, "label %u", n);
        uint32_t entry = add_rule(b, n);

        bl_builder_event_rule(b, BL_EVENT_ISSUES_OPENED, entry);
        bl_builder_access_text(b, BL_ACCESS_LABEL, 0, (bl_str){key, (size_t)len}, entry);
    }
    if (bl_builder_finish(b, &out) != BL_OK)
        exit(1);
    return out;
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int order(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

static void measure(uint32_t rules)
{
    static double times[RUNS];
    struct bl_arena arena;
    struct bl_arena scratch;
    struct bl_module module;
    struct bl_diagnostics sink;

    bl_arena_init(&arena, SIZE_MAX, NULL);
    bl_diagnostics_init(&sink, &arena, 10);
    struct bl_module_bytes made = make(&arena, rules);
    for (int i = 0; i < RUNS; i++) {
        double start = now();

        bl_arena_init(&scratch, SIZE_MAX, NULL);
        if (bl_module_verify(&scratch, made.bytes, made.size, &module, &sink) != BL_OK)
            exit(1);
        times[i] = now() - start;
        bl_arena_reset(&scratch);
    }
    qsort(times, RUNS, sizeof times[0], order);
    printf("%6u rules  %7u instructions  %8zu bytes  best %8.1f us  median %8.1f us\n", rules,
           module.CODE_count, made.size, times[0], times[RUNS / 2]);
    bl_arena_reset(&arena);
}

int main(void)
{
    measure(100);
    measure(1000);
    measure(10000);
    return 0;
}
