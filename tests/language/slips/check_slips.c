/* SPDX-License-Identifier: Apache-2.0 */
#include "report/report.h"
#include "sema/sema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* check_slips FILE: policies as people break them, each with what is said of it.
 *
 *   %%% what was done | PL0016 3 | fix
 *   @
 *   rule r { … }
 *
 * The first message has this code and stands on this line of what is written below, and there
 * are at most two. `fix`: all fixes carried out, at most three times over, the policy compiles.
 * `help WORDS`: that holds its help, and there is no fix, or none that is enough; without words
 * the message says all. `@` stands for
 * what the file has in front of its first policy. */

#define NAME    "slip.policy"
#define MOST    2
#define ROUNDS  3
#define SECTION "%%% "

struct slip {
    bl_str name, wanted, outcome, body;
    uint32_t above; /* lines that `@` stands for */
};

struct compiled {
    struct bl_arena arena;
    struct bl_sources sources;
    struct bl_diagnostics sink;
};

static bl_str policy;

static enum bl_status read_source(void *context, struct bl_arena *arena, bl_str path,
                                  bl_str *text)
{
    (void)context, (void)arena;
    *text = policy;
    return bl_str_equal(path, BL_STR(NAME)) ? BL_OK : BL_ERR_INVALID;
}

static enum bl_status list_sources(void *context, struct bl_arena *arena, bl_str folder,
                                   bl_str **names, size_t *count)
{
    static bl_str only[] = {{NAME, sizeof NAME - 1}};

    (void)context, (void)arena;
    if (folder.len > 0 && !bl_str_equal(folder, BL_STR(".")))
        return BL_ERR_INVALID;
    *names = only;
    *count = 1;
    return BL_OK;
}

static void compile(struct compiled *c, bl_str text)
{
    struct bl_loader loader = {NULL, read_source, list_sources};
    struct bl_sema_options options = {.tests = true, .for_running = true};
    struct bl_program *program;
    bl_str root = BL_STR(NAME);

    policy = text;
    bl_arena_init(&c->arena, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES), NULL);
    bl_sources_init(&c->sources, &c->arena);
    bl_diagnostics_init(&c->sink, &c->arena, 100);
    enum bl_status status =
        bl_sema(&c->arena, &c->sources, &c->sink, &loader, &root, 1, &options, &program);
    if (status == BL_ERR_NOMEM)
        exit(2);
    bl_diagnostics_sort(&c->sink);
}

/* The text with all fixes that do not touch each other; false when there is none. */
static bool fix(const struct compiled *c, struct bl_arena *arena, bl_str *text)
{
    struct bl_buf out;
    uint32_t at = 0;
    bool any = false;

    bl_buf_init(&out, arena, (size_t)1 << 20);
    for (uint32_t next = 0; next != UINT32_MAX;) {
        const struct bl_diagnostic *first = NULL;
        for (size_t i = 0; i < c->sink.list.count; i++) {
            const struct bl_diagnostic *d = c->sink.list.items[i];
            if (d->has_fix && d->fix_span.lo >= next &&
                (first == NULL || d->fix_span.lo < first->fix_span.lo))
                first = d;
        }
        if (first == NULL)
            break;
        bl_buf_put(&out, bl_str_slice(*text, at, first->fix_span.lo));
        bl_buf_put(&out, first->fix_text);
        at = first->fix_span.hi;
        next = at > first->fix_span.lo ? at : first->fix_span.lo + 1;
        any = true;
    }
    bl_buf_put(&out, bl_str_slice(*text, at, text->len));
    *text = bl_buf_str(&out);
    return any;
}

static bool compiles_fixed(const struct slip *slip)
{
    struct bl_arena arena;
    bl_str text = slip->body;
    bool good = false;

    bl_arena_init(&arena, SIZE_MAX, NULL);
    for (unsigned round = 0; round <= ROUNDS && !good; round++) {
        struct compiled c;
        compile(&c, text);
        good = c.sink.errors == 0;
        bool more = !good && fix(&c, &arena, &text);
        bl_arena_reset(&c.arena);
        if (!more)
            break;
    }
    if (!good)
        printf("%.*s\n", BL_STR_ARG(text));
    bl_arena_reset(&arena);
    return good;
}

static void show(struct compiled *c)
{
    struct bl_report_options options = {.format = BL_REPORT_TEXT};
    struct bl_buf buf;

    bl_buf_init(&buf, &c->arena, 1 << 22);
    bl_report_write(&c->sources, &c->sink, &options, &buf);
    fwrite(buf.ptr, 1, buf.len, stdout);
}

static const char *said(struct compiled *c, const struct slip *slip)
{
    const struct bl_diagnostic *d = c->sink.list.count > 0 ? c->sink.list.items[0] : NULL;
    char place[40];

    if (d == NULL)
        return "nothing is said";
    uint32_t line = bl_sources_position(&c->sources, d->span.source, d->span.lo).line;
    snprintf(place, sizeof place, "PL%04u %u", d->code, line - slip->above);
    if (!bl_str_equal(slip->wanted, bl_str_from(place)))
        return "the first message is another one, or stands elsewhere";
    if (c->sink.list.count > MOST)
        return "there are too many messages";
    if (bl_str_equal(slip->outcome, BL_STR("fix")))
        return compiles_fixed(slip) ? NULL : "with its fixes it does not compile";
    bl_str help = d->help.len > 0 ? d->help : bl_diagnostic_info(d->code)->help;
    bl_str words = bl_str_slice(slip->outcome, strlen("help "), slip->outcome.len);
    return bl_str_starts_with(slip->outcome, BL_STR("help")) &&
                   bl_str_find(help, words) != SIZE_MAX
               ? NULL
               : "its help is another one";
}

static bool check(const struct slip *slip)
{
    struct compiled c;

    compile(&c, slip->body);
    const char *wrong = said(&c, slip);
    if (wrong != NULL) {
        printf("%.*s: %s:\n", BL_STR_ARG(slip->name), wrong);
        show(&c);
    }
    bl_arena_reset(&c.arena);
    return wrong == NULL;
}

static bl_str column(bl_str *rest)
{
    size_t bar = bl_str_find(*rest, BL_STR(" | "));
    bl_str own = bl_str_trim(bl_str_slice(*rest, 0, bar));

    *rest = bar == SIZE_MAX ? (bl_str){NULL, 0} : bl_str_slice(*rest, bar + 3, rest->len);
    return own;
}

/* One section behind its mark; `above` is the text in front of the first. */
static struct slip read_slip(struct bl_arena *arena, bl_str section, bl_str above)
{
    size_t end = bl_str_find_char(section, '\n');
    bl_str head = bl_str_slice(section, 0, end);
    struct slip slip = {.name = column(&head)};
    struct bl_buf body;

    slip.wanted = column(&head);
    slip.outcome = bl_str_trim(head);
    slip.body = bl_str_slice(section, end == SIZE_MAX ? section.len : end + 1, section.len);
    if (!bl_str_starts_with(slip.body, BL_STR("@\n")))
        return slip;
    bl_buf_init(&body, arena, (size_t)1 << 20);
    bl_buf_put(&body, above);
    bl_buf_put(&body, bl_str_slice(slip.body, 2, slip.body.len));
    slip.body = bl_buf_str(&body);
    for (size_t i = 0; i < above.len; i++)
        slip.above += above.ptr[i] == '\n';
    return slip;
}

int main(int argc, char **argv)
{
    static char bytes[1 << 20];
    struct bl_arena arena;
    unsigned failures = 0, count = 0;
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;

    if (file == NULL)
        return 2;
    bl_str rest = {bytes, fread(bytes, 1, sizeof bytes - 1, file)};
    fclose(file);
    bl_arena_init(&arena, SIZE_MAX, NULL);
    size_t first = bl_str_find(rest, BL_STR("\n" SECTION));
    if (first == SIZE_MAX)
        return 2;
    bl_str above = bl_str_slice(rest, 0, first + 1);
    rest = bl_str_slice(rest, first + 1, rest.len);
    while (rest.len > 0) {
        rest = bl_str_slice(rest, strlen(SECTION), rest.len);
        size_t end = bl_str_find(rest, BL_STR("\n" SECTION));
        struct slip slip =
            read_slip(&arena, bl_str_slice(rest, 0, end == SIZE_MAX ? end : end + 1), above);
        failures += !check(&slip);
        count++;
        rest = end == SIZE_MAX ? (bl_str){NULL, 0} : bl_str_slice(rest, end + 1, rest.len);
    }
    printf("%u slips, %u of them not told as they should be.\n", count, failures);
    bl_arena_reset(&arena);
    return failures > 0;
}
