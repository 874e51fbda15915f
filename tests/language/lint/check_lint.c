/* SPDX-License-Identifier: Apache-2.0 */
#include "lint_run.h"
#include "report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* check_lint [--path FOLDER] FILE...: lints each policy (or folder) and holds the findings
 * against the comments `# expect PL0601` on their line, or `# expect-below PL0601` on the line
 * above; a line may name several. Every other finding is a failure, and so is one that does not
 *     come. The policy must compile. A first line `# level NAME=LEVEL…` sets levels.
 * check_lint --covers FILE...: is every rule of lint expected by one of them?
 * check_lint --show [--path FOLDER] FILE...: prints the findings.
 * check_lint --json FILE: a line of JSON for each finding, for programs.
 * check_lint --replay FILE...: runs the event that each finding shows, on the compiled policy;
 *     the run must end as the finding says. */

struct expected {
    uint32_t source, line;
    unsigned code;
    bool seen;
};
struct expectations {
    BL_VEC(struct expected) list;
};

static void expect_codes(struct bl_arena *arena, struct expectations *e, bl_str words,
                         uint32_t source, uint32_t line)
{
    while (words.len > 0) {
        size_t at = bl_str_find(words, BL_STR("PL"));
        struct expected *slot;

        if (at == SIZE_MAX || at + 6 > words.len)
            return;
        slot = BL_PUSH(arena, e->list);
        if (slot != NULL)
            *slot = (struct expected){source, line, (unsigned)atoi(words.ptr + at + 2), false};
        words = bl_str_slice(words, at + 6, words.len);
    }
}

static void collect(struct bl_arena *arena, const struct bl_sources *sources,
                    struct expectations *e)
{
    for (uint32_t i = 0; i < sources->list.count; i++) {
        bl_str rest = bl_sources_get(sources, i)->text;

        for (uint32_t line = 1; rest.len > 0; line++) {
            size_t end = bl_str_find_char(rest, '\n');
            bl_str text = bl_str_slice(rest, 0, end);
            size_t at = bl_str_find(text, BL_STR("# expect PL"));
            size_t below = bl_str_find(text, BL_STR("# expect-below PL"));

            if (at != SIZE_MAX)
                expect_codes(arena, e, bl_str_slice(text, at, text.len), i, line);
            if (below != SIZE_MAX)
                expect_codes(arena, e, bl_str_slice(text, below, text.len), i, line + 1);
            rest = end == SIZE_MAX ? (bl_str){NULL, 0} : bl_str_slice(rest, end + 1, rest.len);
        }
    }
}

static bool take(struct expectations *e, const struct bl_diagnostic *d, uint32_t line)
{
    for (size_t i = 0; i < e->list.count; i++) {
        struct expected *x = &e->list.items[i];

        if (!x->seen && x->code == d->code && x->source == d->span.source && x->line == line) {
            x->seen = true;
            return true;
        }
    }
    return false;
}

static void show(struct linted *l, const struct bl_diagnostics *findings)
{
    struct bl_report_options options = {.format = BL_REPORT_TEXT};
    struct bl_buf buf;

    if (findings->list.count == 0)
        return;
    bl_buf_init(&buf, &l->arena, 1 << 22);
    bl_report_write(&l->sources, findings, &options, &buf);
    fwrite(buf.ptr, 1, buf.len, stdout);
}

static int compare(struct linted *l)
{
    struct expectations e = {{NULL, 0, 0}};
    struct bl_diagnostics unexpected;
    int failures = 0;

    collect(&l->arena, &l->sources, &e);
    bl_diagnostics_init(&unexpected, &l->arena, 1000);
    for (size_t i = 0; i < l->sink.list.count; i++) {
        const struct bl_diagnostic *d = l->sink.list.items[i];

        if (take(&e, d, bl_sources_position(&l->sources, d->span.source, d->span.lo).line))
            continue;
        *bl_diagnostic_add(&unexpected, d->code, d->severity, d->span) = *d;
        failures++;
    }
    show(l, &unexpected);
    for (size_t i = 0; i < e.list.count; i++) {
        const struct expected *x = &e.list.items[i];

        if (x->seen)
            continue;
        printf("%.*s:%u: PL%04u was expected.\n",
               BL_STR_ARG(bl_sources_get(&l->sources, x->source)->path), x->line, x->code);
        failures++;
    }
    return failures;
}

/* A rule of lint that no fixture expects could be gone, and nobody would know. */
static int covers(char **paths, int count)
{
    struct linted l;
    struct expectations e = {{NULL, 0, 0}};
    int failures = 0;

    lint_begin(&l);
    for (int i = 0; i < count; i++) {
        bl_str text;

        if (read_policy(NULL, &l.arena, bl_str_from(paths[i]), &text) == BL_OK)
            bl_sources_add(&l.sources, bl_str_from(paths[i]), text);
    }
    collect(&l.arena, &l.sources, &e);
    for (size_t i = 0; i < bl_lint_rule_count(); i++) {
        unsigned code = bl_lint_rule_at(i)->code;
        bool found = code == BL_D_LINT_INCOMPLETE; /* tests/unit/lint */

        for (size_t k = 0; k < e.list.count; k++)
            found = found || e.list.items[k].code == code;
        if (found)
            continue;
        printf("PL%04u (%s) is expected by no fixture.\n", code, bl_diagnostic_info(code)->id);
        failures++;
    }
    lint_end(&l);
    return failures;
}

static void print_json(struct linted *l)
{
    for (size_t i = 0; i < l->sink.list.count; i++) {
        const struct bl_diagnostic *d = l->sink.list.items[i];

        printf("{\"code\":%u,\"line\":%u", d->code,
               bl_sources_position(&l->sources, d->span.source, d->span.lo).line);
        for (size_t k = 0; k < d->arg_count; k++) {
            if (strcmp(d->args[k].name, "name") == 0 || strcmp(d->args[k].name, "other") == 0)
                printf(",\"%s\":\"%.*s\"", d->args[k].name, BL_STR_ARG(d->args[k].value));
        }
        printf("}\n");
    }
    printf("{\"milliseconds\":%.3f,\"bytes\":%zu}\n", l->milliseconds, l->bytes);
}

int main(int argc, char **argv)
{
    const char *mode = "";
    bl_str search = {NULL, 0};
    int failures = 0, first = 1;

    if (argc > 1 && strcmp(argv[1], "--covers") == 0)
        return covers(argv + 2, argc - 2) > 0;
    if (argc > first &&
        (strcmp(argv[first], "--show") == 0 || strcmp(argv[first], "--json") == 0 ||
         strcmp(argv[first], "--replay") == 0))
        mode = argv[first++];
    if (argc > first + 1 && strcmp(argv[first], "--path") == 0) {
        search = bl_str_from(argv[first + 1]);
        first += 2;
    }
    for (int i = first; i < argc; i++) {
        struct linted l;

        lint_begin(&l);
        if (!lint_policy(&l, argv[i], &search)) {
            show(&l, &l.sink);
            printf("%s: it does not compile.\n", argv[i]);
            failures++;
        } else if (strcmp(mode, "--show") == 0) {
            show(&l, &l.sink);
        } else if (strcmp(mode, "--json") == 0) {
            print_json(&l);
        } else if (strcmp(mode, "--replay") == 0) {
            failures += replay_findings(&l);
        } else {
            failures += compare(&l);
        }
        lint_end(&l);
    }
    if (failures > 0)
        printf("%d differences.\n", failures);
    return failures > 0;
}
