/* SPDX-License-Identifier: Apache-2.0 */

/* Looking for secrets and masking them, beside PCRE2 and Hyperscan with the same patterns where
 * they are installed, in one run: MB/s of CPU time, the best of some rounds. Not a test: it
 * asserts nothing.
 *
 *     bench_secrets TEXT PATTERNS [ONLY]    a pattern a line; tests/bench/secrets makes both.
 *                                           ONLY: the rows whose names begin so
 *     bench_secrets TEXT                    redaction alone */

#include "secret/policy_module.h"
#include "secret/redact.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef BENCH_PCRE2
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#endif
#ifdef BENCH_HYPERSCAN
#include <hs/hs.h>
#endif

#define ROUNDS 3
#define PIECE  ((size_t)1 << 20)

static bl_str text;
static char *patterns[256];
static int pattern_count;
static const char *only = "";
static const struct bl_module *module;

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static bl_str read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    size_t capacity = (size_t)1 << 28;
    char *bytes = malloc(capacity);

    if (file == NULL || bytes == NULL)
        exit(2);
    size_t len = fread(bytes, 1, capacity, file);
    fclose(file);
    return (bl_str){bytes, len};
}

/* ---- Bylaw --------------------------------------------------------------------------------
 */

static size_t find(const char *name)
{
    size_t count = 0, set = 0;

    for (uint32_t i = 0; i < module->SECRETS_count; i++) {
        if (bl_str_equal(bl_module_string(module, module->SECRETS_rows[i].name),
                         bl_str_from(name)))
            set = i;
    }
    for (size_t at = 0; at < text.len; at += PIECE) {
        struct bl_secret_findings found;
        struct bl_arena arena;

        bl_arena_init(&arena, (size_t)1 << 30, NULL);
        struct bl_machine *machine = fuzz_policy_machine(&arena, module);
        machine->budget = UINT64_MAX;
        if (bl_machine_secrets(machine, (uint32_t)set, bl_str_slice(text, at, at + PIECE),
                               false, &found) != BL_OK)
            exit(1);
        count += found.list.count;
        bl_arena_reset(&arena);
    }
    return count;
}

static size_t known_kinds(void)
{
    return find("known_tokens");
}

static size_t whole_check(void)
{
    return find("any_secret");
}

static size_t redaction(void)
{
    struct bl_redaction_input input = {.literal_count = 0};
    struct bl_arena home, work;
    struct bl_redactor *redactor;
    bl_str problem = {NULL, 0};
    size_t count = 0;

    bl_arena_init(&home, (size_t)1 << 30, NULL);
    bl_arena_init(&work, (size_t)1 << 30, NULL);
    struct bl_secret_host host = bl_machine_host(fuzz_policy_machine(&home, module));
    if (bl_redactor_create(&home, module, 0, &host, &input, &redactor, &problem) != BL_OK)
        exit(1);
    for (size_t at = 0, end = PIECE; at < text.len;) {
        struct bl_redacted piece;
        size_t front = at > 0 ? at - 1 : 0;

        end = end < text.len ? end : text.len;
        if (bl_redact_piece(redactor, &work, bl_str_slice(text, front, end), at - front,
                            end == text.len, &piece, &problem) != BL_OK)
            exit(1);
        count += piece.list.count;
        /* A piece that settles nothing grows. */
        end = front + piece.settled > at ? front + piece.settled + PIECE : end + PIECE;
        at = front + piece.settled;
        bl_arena_reset(&work);
    }
    bl_arena_reset(&home);
    return count;
}

/* ---- others -------------------------------------------------------------------------------
 */

#ifdef BENCH_PCRE2
static size_t pcre2(void)
{
    static char all[1 << 16];
    int error;
    PCRE2_SIZE offset;
    size_t count = 0;

    all[0] = '\0';
    for (int i = 0; i < pattern_count; i++) {
        strcat(all, i > 0 ? "|(?:" : "(?:");
        strcat(all, patterns[i]);
        strcat(all, ")");
    }
    pcre2_code *code =
        pcre2_compile((PCRE2_SPTR)all, PCRE2_ZERO_TERMINATED, 0, &error, &offset, NULL);
    if (code == NULL || pcre2_jit_compile(code, PCRE2_JIT_COMPLETE) != 0)
        return 0;
    pcre2_match_data *data = pcre2_match_data_create_from_pattern(code, NULL);
    for (PCRE2_SIZE at = 0; at < text.len; count++) {
        if (pcre2_jit_match(code, (PCRE2_SPTR)text.ptr, text.len, at, 0, data, NULL) <= 0)
            break;
        const PCRE2_SIZE *found = pcre2_get_ovector_pointer(data);
        at = found[1] > found[0] ? found[1] : found[1] + 1; /* an empty match is no end */
    }
    pcre2_match_data_free(data);
    pcre2_code_free(code);
    return count;
}
#endif

#ifdef BENCH_HYPERSCAN
static int on_match(unsigned id, unsigned long long from, unsigned long long to, unsigned flags,
                    void *context)
{
    (void)id, (void)from, (void)to, (void)flags;
    ++*(size_t *)context;
    return 0;
}

static size_t hyperscan(void)
{
    unsigned flags[256], ids[256];
    hs_database_t *database;
    hs_compile_error_t *error;
    hs_scratch_t *scratch = NULL;
    size_t count = 0;

    for (int i = 0; i < pattern_count; i++) {
        flags[i] = 0;
        ids[i] = (unsigned)i;
    }
    if (hs_compile_multi((const char *const *)patterns, flags, ids, (unsigned)pattern_count,
                         HS_MODE_BLOCK, NULL, &database, &error) != HS_SUCCESS) {
        printf("hyperscan: %s\n", error->message);
        return 0;
    }
    hs_alloc_scratch(database, &scratch);
    hs_scan(database, text.ptr, (unsigned)text.len, 0, scratch, on_match, &count);
    hs_free_scratch(scratch);
    hs_free_database(database);
    return count;
}
#endif

static void measure(const char *name, size_t (*run)(void))
{
    double least = 1e9;
    size_t found = 0;

    if (strncmp(name, only, strlen(only)) != 0)
        return;
    for (int i = 0; i < ROUNDS; i++) {
        double before = seconds();
        found = run();
        double took = seconds() - before;
        least = took < least ? took : least;
    }
    printf("%-28s %7.0f MB/s  %zu found\n", name, (double)text.len / 1e6 / least, found);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    text = read_file(argv[1]);
    module = fuzz_policy_module("use std.tokens\nuse redaction\n");
    if (argc == 2) {
        measure("redaction", redaction);
        return 0;
    }
    if (argc > 3)
        only = argv[3];
    bl_str list = read_file(argv[2]);
    for (char *line = strtok((char *)(uintptr_t)list.ptr, "\n");
         line != NULL && pattern_count < 256; line = strtok(NULL, "\n"))
        patterns[pattern_count++] = line;
    /* One automaton of nothing would find nothing everywhere, without end. */
    if (pattern_count == 0 || text.len == 0) {
        fprintf(stderr, "bench_secrets: %s is empty.\n", argv[text.len == 0 ? 1 : 2]);
        return 2;
    }
    measure("known kinds", known_kinds);
    measure("the whole secret check", whole_check);
    measure("redaction", redaction);
#ifdef BENCH_PCRE2
    measure("PCRE2 (JIT), known kinds", pcre2);
#else
    puts("PCRE2 is not installed: skipped.");
#endif
#ifdef BENCH_HYPERSCAN
    measure("Hyperscan, known kinds", hyperscan);
#else
    puts("Hyperscan is not installed: skipped.");
#endif
    return 0;
}
