/* SPDX-License-Identifier: Apache-2.0 */
#include "bytecode/module.h"
#include "emit/emit.h"
#include "lint/lint.h"
#include "run/index.h"
#include "run/run.h"
#include "sema/sema.h"
#include "world/sim/sim.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Times the parts of a run in CPU time of this process and prints one line of JSON. Each figure
 * is the least of several rounds: what the work costs when nothing disturbs it. Never part of a
 * test. */

#define ROUNDS 15

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void fail(const char *what)
{
    fprintf(stderr, "bench: %s\n", what);
    exit(1);
}

static bl_str slurp(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail(path);
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *bytes = aligned_alloc(8, ((size_t)size + 16) & ~(size_t)7);
    if (bytes == NULL || fread(bytes, 1, (size_t)size, file) != (size_t)size)
        fail(path);
    bytes[size] = '\0';
    fclose(file);
    return (bl_str){bytes, (size_t)size};
}

struct bench {
    const bl_str *roots; /* the files of the policy */
    size_t root_count;
    bl_str payload; /* of the event in hand */
    double lint;    /* seconds, of the last compile */
    bl_str module_bytes;
    struct bl_module module;
    struct bl_arena keep;
};

/* ---- the compiler
 * --------------------------------------------------------------------------------- */

static enum bl_status read_file(void *context, struct bl_arena *arena, bl_str path,
                                bl_str *text)
{
    (void)context;
    (void)arena;
    char name[4096];
    snprintf(name, sizeof name, "%.*s", (int)path.len, path.ptr);
    FILE *file = fopen(name, "rb");
    if (file == NULL)
        return BL_ERR_INVALID;
    fclose(file);
    *text = slurp(name);
    return BL_OK;
}

static enum bl_status list_folder(void *context, struct bl_arena *arena, bl_str folder,
                                  bl_str **names, size_t *count)
{
    (void)context;
    (void)arena;
    (void)folder;
    *names = NULL;
    *count = 0;
    return BL_ERR_INVALID;
}

static double compile(struct bench *b)
{
    struct bl_arena arena;
    struct bl_sources sources;
    struct bl_diagnostics sink;
    struct bl_program *program;
    struct bl_module_bytes bytes;
    struct bl_loader loader = {NULL, read_file, list_folder};
    struct bl_sema_options options = {.for_running = true};
    struct bl_emit_options emit = {.tests = false};
    double start = cpu_seconds();
    bl_arena_init(&arena, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES), NULL);
    bl_sources_init(&sources, &arena);
    bl_diagnostics_init(&sink, &arena, 100);
    if (bl_sema(&arena, &sources, &sink, &loader, b->roots, b->root_count, &options,
                &program) != BL_OK ||
        bl_emit(&arena, program, &emit, &bytes, &sink) != BL_OK)
        fail("the policy does not compile");
    double used = cpu_seconds() - start;
    struct bl_lint_options lint = {.levels = NULL};
    if (bl_lint(&arena, program, &lint, &sink) == BL_ERR_NOMEM)
        fail("lint has no memory");
    b->lint = cpu_seconds() - start - used;
    if (b->module_bytes.ptr == NULL) {
        char *copy = aligned_alloc(8, (bytes.size + 7) & ~(size_t)7);
        memcpy(copy, bytes.bytes, bytes.size);
        b->module_bytes = (bl_str){copy, bytes.size};
    }
    bl_arena_reset(&arena);
    return used;
}

static double load(struct bench *b)
{
    struct bl_arena arena;
    struct bl_diagnostics sink;
    struct bl_module module;
    double start = cpu_seconds();
    bl_arena_init(&arena, (size_t)bl_limit(BL_LIMIT_RUN_BYTES), NULL);
    bl_diagnostics_init(&sink, &arena, 10);
    if (bl_module_verify(&arena, b->module_bytes.ptr, b->module_bytes.len, &module, &sink) !=
        BL_OK)
        fail("the module is refused");
    double used = cpu_seconds() - start;
    bl_arena_reset(&arena);
    return used;
}

/* ---- deciding
 * --------------------------------------------------------------------------------------- */

static void read_event(struct bench *b, struct bl_arena *arena, struct bl_event *event)
{
    struct bl_diagnostics sink;
    bl_str reason;
    struct bl_event_source from = {.name = BL_STR("issues"), .started = 1767225600};
    bl_diagnostics_init(&sink, arena, 10);
    if (bl_event_read(arena, b->payload, &from, event, &sink, &reason) != BL_EVENT_READ)
        fail("the event is not read");
    (void)b;
}

static double parse(struct bench *b, int times)
{
    struct bl_arena arena;
    bl_arena_init(&arena, (size_t)bl_limit(BL_LIMIT_RUN_BYTES), NULL);
    double start = cpu_seconds();
    for (int i = 0; i < times; i++) {
        struct bl_event event;
        read_event(b, &arena, &event);
        bl_arena_reset(&arena);
    }
    return (cpu_seconds() - start) / times;
}

static void one_decision(struct bench *b, struct bl_machine *machine,
                         const struct bl_index *index, bool use_index, size_t *fired)
{
    struct bl_candidates candidates = {0};
    machine->planned.items = NULL;
    machine->planned.count = machine->planned.capacity = 0;
    machine->budget = UINT64_MAX / 2;
    *fired = 0;
    enum bl_status status = use_index ? bl_index_candidates(index, machine, 0, &candidates)
                                      : bl_index_all(machine, 0, &candidates);
    for (size_t k = 0; status == BL_OK && k < candidates.entries.count; k++) {
        uint32_t entry = candidates.entries.items[k];
        machine->fired = false;
        status =
            bl_machine_call(machine, b->module.ENTRIES_rows[entry].function, NULL, 0, NULL);
        *fired += machine->fired;
    }
    if (status != BL_OK)
        fail("a rule failed");
}

/* The rules of the event on a machine that is ready: candidates by the index, then the
 * functions. Two events take turns, since the machine keeps what it found in the last text. */
static double decide(struct bench *b, bool use_index, int times, size_t *fired)
{
    struct bl_arena arena;
    struct bl_event events[2];
    struct bl_machine machine;
    bl_arena_init(&arena, (size_t)bl_limit(BL_LIMIT_RUN_BYTES), NULL);
    read_event(b, &arena, &events[0]);
    read_event(b, &arena, &events[1]);
    const struct bl_index *index = bl_index_create(&arena, &b->module);
    struct bl_snapshot *snapshot = bl_snapshot_create(&arena, NULL);
    bl_machine_init(&machine, &b->module, &arena, snapshot, events[0].id, NULL);
    struct bl_arena_mark mark;
    double start = 0;
    /* The first round makes the machine's frames, which stay. */
    for (int i = -1; i < times; i++) {
        const struct bl_event *event = &events[i & 1];
        machine.ambient[BL_AMBIENT_EVENT] = bl_object_value(event->event);
        machine.ambient[BL_AMBIENT_ISSUE] = bl_object_value(event->issue);
        one_decision(b, &machine, index, use_index, fired);
        if (i >= 0) {
            bl_arena_release(&arena, mark);
            continue;
        }
        mark = bl_arena_mark(&arena);
        start = cpu_seconds();
    }
    double used = (cpu_seconds() - start) / times;
    bl_arena_reset(&arena);
    return used;
}

/* Everything from the bytes of the event to the effects carried out on a simulated repository.
 */
static double whole(struct bench *b, int times, size_t *effects)
{
    double start = cpu_seconds();
    for (int i = 0; i < times; i++) {
        struct bl_arena arena;
        struct bl_event event;
        struct bl_diagnostics sink;
        struct bl_run_result result;
        bl_arena_init(&arena, (size_t)bl_limit(BL_LIMIT_RUN_BYTES), NULL);
        bl_diagnostics_init(&sink, &arena, 10);
        read_event(b, &arena, &event);
        struct bl_sim *sim = bl_sim_create(&arena, event.repository->name,
                                           BL_STR("github-actions[bot]"), 1767225600);
        if (sim == NULL || bl_sim_seed(sim, &event) != BL_OK)
            fail("the simulator does not start");
        struct bl_run_options options = {.module = &b->module,
                                         .world = bl_sim_world(sim),
                                         .event = &event,
                                         .now = 1767225600,
                                         .use_index = true,
                                         .dry = true};
        if (bl_run(&arena, &options, &result, &sink) != BL_OK)
            fail("the run failed");
        *effects = result.units.count > 0 ? result.units.items[0].plan.effects.count : 0;
        bl_arena_reset(&arena);
    }
    return (cpu_seconds() - start) / times;
}

/* ---- all
 * ------------------------------------------------------------------------------------------------
 */

static double least(double a, double b)
{
    return a < b ? a : b;
}

static void measure_event(struct bench *b, const char *name, const char *path, bool last)
{
    double t_parse = 1e9, t_index = 1e9, t_all = 1e9, t_whole = 1e9;
    size_t fired_index = 0, fired_all = 0, effects = 0;

    b->payload = slurp(path);
    for (int i = 0; i < ROUNDS; i++) {
        t_parse = least(t_parse, parse(b, 200));
        t_index = least(t_index, decide(b, true, 2000, &fired_index));
        t_all = least(t_all, decide(b, false, 50, &fired_all));
        t_whole = least(t_whole, whole(b, 50, &effects));
    }
    if (fired_index != fired_all)
        fail("the index changes what fires");
    printf("\"%s\":{\"parse_us\":%.2f,\"decide_us\":%.3f,\"decide_no_index_us\":%.3f,"
           "\"event_to_decision_us\":%.2f,\"event_to_plan_us\":%.2f,\"fired\":%zu,"
           "\"effects\":%zu}%s",
           name, t_parse * 1e6, t_index * 1e6, t_all * 1e6, (t_parse + t_index) * 1e6,
           t_whole * 1e6, fired_index, effects, last ? "" : ",");
}

int main(int argc, char **argv)
{
    bl_str roots[64];
    if (argc < 4 || argc > 66)
        fail("usage: bench EVENT.json FEW.json RULES.policy...");
    /* Memory that one round gives back is there for the next, and not asked of the kernel
     * again. What the first touch of memory costs is part of the figures for whole processes.
     */
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    struct bench b = {.roots = roots, .root_count = (size_t)argc - 3};
    for (size_t i = 0; i < b.root_count; i++)
        roots[i] = bl_str_from(argv[i + 3]);
    struct bl_diagnostics sink;
    double t_compile = 1e9, t_lint = 1e9, t_load = 1e9;
    for (int i = 0; i < ROUNDS; i++) {
        t_compile = least(t_compile, compile(&b));
        t_lint = least(t_lint, b.lint);
    }
    for (int i = 0; i < ROUNDS; i++)
        t_load = least(t_load, load(&b));
    bl_arena_init(&b.keep, (size_t)bl_limit(BL_LIMIT_RUN_BYTES), NULL);
    bl_diagnostics_init(&sink, &b.keep, 10);
    if (bl_module_verify(&b.keep, b.module_bytes.ptr, b.module_bytes.len, &b.module, &sink) !=
        BL_OK)
        fail("the module is refused");
    printf("{\"compile_ms\":%.3f,\"lint_ms\":%.3f,\"module_kib\":%.1f,\"load_ms\":%.3f,",
           t_compile * 1e3, t_lint * 1e3, (double)b.module_bytes.len / 1024.0, t_load * 1e3);
    measure_event(&b, "event", argv[1], false);
    measure_event(&b, "few", argv[2], true);
    printf("}\n");
    bl_arena_reset(&b.keep);
    return 0;
}
