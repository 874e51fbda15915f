/* SPDX-License-Identifier: Apache-2.0 */
#include "report/report.h"
#include "sema/sema.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* check_expectations --fixes [--path FOLDER] FILE...: carries each offered fix out, alone, and
 * compiles what comes of it.
 * check_expectations --covers FILE...: is every diagnostic of ours expected by one of them?
 * check_expectations [--path FOLDER] FILE...: compiles each policy (or folder) and holds what
 * is reported against the comments `# expect PL0203` on the same line, or `# expect-below
 * PL0203` on the line above. A line may name several codes; `PL0203 puts NAME` wants a fix that
 * puts that there, `puts -` that there is none; behind `helps:` stands what the help of all of
 * them must hold. Of a file that begins with `# with
 * running` or `# with tests` the options are set so. Every other message is a failure, and so
 * is one that does not come. */

struct expected {
    uint32_t source, line;
    unsigned code;
    bl_str puts; /* by its fix; "-": it has none; empty: either */
    bool seen;
    bl_str help; /* must stand in its help */
};
struct expectations {
    BL_VEC(struct expected) list;
};

/* A file whose text is another one than it has. */
struct instead {
    bl_str path, text;
};

static enum bl_status read_source(void *context, struct bl_arena *arena, bl_str path,
                                  bl_str *text)
{
    const struct instead *instead = context;
    if (instead != NULL && bl_str_equal(instead->path, path)) {
        *text = instead->text;
        return BL_OK;
    }
    bl_str name = bl_arena_copy(arena, path);
    FILE *file = fopen(name.ptr, "rb");
    if (file == NULL)
        return BL_ERR_INVALID;
    size_t capacity = 1 << 20, length;
    char *bytes = bl_arena_alloc(arena, capacity, 1);
    if (bytes == NULL) {
        fclose(file);
        return BL_ERR_NOMEM;
    }
    length = fread(bytes, 1, capacity - 1, file);
    bool failed = ferror(file) != 0;
    fclose(file);
    *text = (bl_str){bytes, length};
    return failed ? BL_ERR_IO : BL_OK;
}

static int by_bytes(const void *a, const void *b)
{
    return bl_str_compare(*(const bl_str *)a, *(const bl_str *)b);
}

static enum bl_status list_sources(void *context, struct bl_arena *arena, bl_str folder,
                                   bl_str **names, size_t *count)
{
    (void)context;
    BL_VEC(bl_str) list = {NULL, 0, 0};
    DIR *dir = opendir(bl_arena_copy(arena, folder).ptr);
    if (dir == NULL)
        return BL_ERR_INVALID;
    for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        bl_str name = bl_str_from(entry->d_name);
        if (!bl_str_ends_with(name, BL_STR(".policy")))
            continue;
        bl_str *slot = BL_PUSH(arena, list);
        if (slot != NULL)
            *slot = bl_arena_copy(arena, name);
    }
    closedir(dir);
    if (list.count > 1)
        qsort(list.items, list.count, sizeof *list.items, by_bytes);
    *names = list.items;
    *count = list.count;
    return BL_OK;
}

static void expect_codes(struct bl_arena *arena, struct expectations *expectations,
                         bl_str words, uint32_t source, uint32_t line)
{
    size_t helps = bl_str_find(words, BL_STR("helps:"));
    bl_str help =
        helps == SIZE_MAX ? BL_STR("") : bl_str_trim(bl_str_slice(words, helps + 6, words.len));
    words = bl_str_slice(words, 0, helps);
    while (words.len > 0) {
        size_t at = bl_str_find(words, BL_STR("PL"));
        if (at == SIZE_MAX || at + 6 > words.len)
            return;
        struct expected *slot = BL_PUSH(arena, expectations->list);
        if (slot != NULL)
            *slot = (struct expected){source,    line,  (unsigned)atoi(words.ptr + at + 2),
                                      {NULL, 0}, false, help};
        words = bl_str_slice(words, at + 6, words.len);
        if (slot != NULL && bl_str_starts_with(words, BL_STR(" puts "))) {
            words = bl_str_slice(words, strlen(" puts "), words.len);
            slot->puts = bl_str_slice(words, 0, bl_str_find_char(words, ' '));
        }
    }
}

static void collect(struct bl_arena *arena, struct bl_sources *sources,
                    struct expectations *expectations)
{
    for (uint32_t i = 0; i < sources->list.count; i++) {
        bl_str rest = bl_sources_get(sources, i)->text;
        for (uint32_t line = 1; rest.len > 0; line++) {
            size_t end = bl_str_find_char(rest, '\n');
            bl_str text = bl_str_slice(rest, 0, end);
            size_t at = bl_str_find(text, BL_STR("# expect PL"));
            size_t below = bl_str_find(text, BL_STR("# expect-below PL"));
            if (at != SIZE_MAX)
                expect_codes(arena, expectations, bl_str_slice(text, at, text.len), i, line);
            if (below != SIZE_MAX)
                expect_codes(arena, expectations, bl_str_slice(text, below, text.len), i,
                             line + 1);
            rest = end == SIZE_MAX ? (bl_str){NULL, 0} : bl_str_slice(rest, end + 1, rest.len);
        }
    }
}

static bool take(struct expectations *expectations, const struct bl_diagnostic *d,
                 uint32_t line)
{
    for (size_t i = 0; i < expectations->list.count; i++) {
        struct expected *e = &expectations->list.items[i];
        bool as_wanted = (e->puts.len == 0 ||
                          bl_str_equal(e->puts, d->has_fix ? d->fix_text : BL_STR("-"))) &&
                         bl_str_find(d->help, e->help) != SIZE_MAX;
        if (!e->seen && e->code == d->code && e->source == d->span.source && e->line == line &&
            as_wanted) {
            e->seen = true;
            return true;
        }
    }
    return false;
}

static int compare(struct bl_arena *arena, struct bl_sources *sources,
                   const struct bl_diagnostics *sink)
{
    struct expectations expectations = {{NULL, 0, 0}};
    struct bl_diagnostics unexpected;
    int failures = 0;
    collect(arena, sources, &expectations);
    bl_diagnostics_init(&unexpected, arena, 1000);
    for (size_t i = 0; i < sink->list.count; i++) {
        const struct bl_diagnostic *d = sink->list.items[i];
        uint32_t line = bl_sources_position(sources, d->span.source, d->span.lo).line;
        if (take(&expectations, d, line))
            continue;
        *bl_diagnostic_add(&unexpected, d->code, d->severity, d->span) = *d;
        failures++;
    }
    if (unexpected.list.count > 0) {
        struct bl_report_options options = {.format = BL_REPORT_TEXT};
        struct bl_buf buf;
        bl_buf_init(&buf, arena, 1 << 22);
        bl_report_write(sources, &unexpected, &options, &buf);
        fwrite(buf.ptr, 1, buf.len, stdout);
    }
    for (size_t i = 0; i < expectations.list.count; i++) {
        const struct expected *e = &expectations.list.items[i];
        if (e->seen)
            continue;
        bl_str path = bl_sources_get(sources, e->source)->path;
        printf("%.*s:%u: PL%04u was expected.\n", BL_STR_ARG(path), e->line, e->code);
        failures++;
    }
    return failures;
}

struct compiled {
    struct bl_arena arena;
    struct bl_sources sources;
    struct bl_diagnostics sink;
};

static enum bl_status compile(struct compiled *c, const char *path, const bl_str *search,
                              struct instead *instead)
{
    struct bl_program *program;
    struct bl_loader loader = {instead, read_source, list_sources};
    struct bl_sema_options options = {.search = search, .search_count = search->len > 0};
    bl_str root = bl_str_from(path), text;

    bl_arena_init(&c->arena, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES), NULL);
    bl_sources_init(&c->sources, &c->arena);
    bl_diagnostics_init(&c->sink, &c->arena, 1000);
    if (read_source(NULL, &c->arena, root, &text) == BL_OK) {
        bl_str first = bl_str_slice(text, 0, bl_str_find_char(text, '\n'));
        options.tests = bl_str_find(first, BL_STR("# with tests")) != SIZE_MAX;
        options.for_running = bl_str_find(first, BL_STR("# with running")) != SIZE_MAX;
    } else {
        options.tests = true; /* a folder */
    }
    enum bl_status status =
        bl_sema(&c->arena, &c->sources, &c->sink, &loader, &root, 1, &options, &program);
    bl_diagnostics_sort(&c->sink);
    return status;
}

/* ---- fixes ------------------------------------------------------------------------------- */

static size_t count_of(const struct bl_diagnostics *sink, unsigned code)
{
    size_t count = 0;
    for (size_t i = 0; i < sink->list.count; i++)
        count += sink->list.items[i]->code == code;
    return count;
}

/* What a fix leaves behind is what was there without its message: one fewer of its code, and
 * none that was not there, unless the line says that it uncovers one: `uncovers 0301`. */
static int check_fix(struct compiled *before, const struct bl_diagnostic *d, const char *path,
                     const bl_str *search)
{
    const struct bl_source *source = bl_sources_get(&before->sources, d->fix_span.source);
    uint32_t line = bl_sources_position(&before->sources, d->span.source, d->span.lo).line;
    struct bl_buf text, uncovers;
    struct compiled after;
    int failures = 0;

    bl_buf_init(&text, &before->arena, source->text.len + d->fix_text.len);
    bl_buf_put(&text, bl_str_slice(source->text, 0, d->fix_span.lo));
    bl_buf_put(&text, d->fix_text);
    bl_buf_put(&text, bl_str_slice(source->text, d->fix_span.hi, source->text.len));
    struct instead instead = {source->path, bl_buf_str(&text)};
    (void)compile(&after, path, search, &instead);
    bl_str rest = bl_str_slice(source->text, d->span.lo, source->text.len);
    bl_str own = bl_str_slice(rest, 0, bl_str_find_char(rest, '\n'));
    bool gone = count_of(&after.sink, d->code) < count_of(&before->sink, d->code);
    for (size_t i = 0; i < after.sink.list.count; i++) {
        const struct bl_diagnostic *now = after.sink.list.items[i];
        bl_buf_init(&uncovers, &before->arena, 40);
        bl_buf_printf(&uncovers, "uncovers %04u", now->code);
        if (now->code == d->code ||
            count_of(&after.sink, now->code) <= count_of(&before->sink, now->code) ||
            bl_str_find(own, bl_buf_str(&uncovers)) != SIZE_MAX)
            continue;
        uint32_t there =
            bl_sources_position(&after.sources, now->span.source, now->span.lo).line;
        printf("%.*s:%u: with the fix of PL%04u there is PL%04u at line %u.\n",
               BL_STR_ARG(source->path), line, d->code, now->code, there);
        failures++;
    }
    if (!gone) {
        printf("%.*s:%u: the fix of PL%04u does not mend it.\n", BL_STR_ARG(source->path), line,
               d->code);
        failures++;
    }
    bl_arena_reset(&after.arena);
    return failures;
}

static int check(const char *path, const bl_str *search, bool fixes)
{
    struct compiled c;
    int failures = 0;

    if (compile(&c, path, search, NULL) == BL_ERR_NOMEM) {
        printf("%s: out of memory.\n", path);
        failures = 1;
    } else if (fixes) {
        for (size_t i = 0; i < c.sink.list.count; i++) {
            if (c.sink.list.items[i]->has_fix)
                failures += check_fix(&c, c.sink.list.items[i], path, search);
        }
    } else {
        failures = compare(&c.arena, &c.sources, &c.sink);
    }
    bl_arena_reset(&c.arena);
    return failures;
}

/* Codes of clauses, names, types, jobs and flow; those of the parser and of lowering are
 * others', and files that cannot be read need a loader that says so: tests/unit/sema. */
static bool is_ours(unsigned code)
{
    if (code == BL_D_FILE_UNREADABLE || code == BL_D_FILE_TOO_LARGE ||
        code == BL_D_TOO_MANY_FILES)
        return false;
    return (code >= 150 && code < 480) || (code >= 500 && code < 600);
}

/* A message that no fixture expects could be gone, and nobody would know. */
static int covers(char **paths, int count)
{
    struct bl_arena arena;
    struct bl_sources sources;
    struct expectations expectations = {{NULL, 0, 0}};
    int failures = 0;

    bl_arena_init(&arena, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES), NULL);
    bl_sources_init(&sources, &arena);
    for (int i = 0; i < count; i++) {
        bl_str text;
        if (read_source(NULL, &arena, bl_str_from(paths[i]), &text) == BL_OK)
            bl_sources_add(&sources, bl_str_from(paths[i]), text);
    }
    collect(&arena, &sources, &expectations);
    for (size_t i = 0; i < bl_diagnostic_count(); i++) {
        const struct bl_diagnostic_info *info = bl_diagnostic_at(i);
        bool found = false;
        for (size_t j = 0; j < expectations.list.count; j++)
            found |= expectations.list.items[j].code == info->number;
        if (found || !is_ours(info->number))
            continue;
        printf("PL%04u (%s) is expected by no fixture.\n", info->number, info->id);
        failures++;
    }
    bl_arena_reset(&arena);
    return failures;
}

int main(int argc, char **argv)
{
    int failures = 0, first = 1;
    bl_str search = {NULL, 0};
    bool fixes = argc > 1 && strcmp(argv[1], "--fixes") == 0;
    if (fixes) {
        argv += 1;
        argc -= 1;
    }
    if (argc > 1 && strcmp(argv[1], "--covers") == 0)
        return covers(argv + 2, argc - 2) > 0;
    if (argc > 2 && strcmp(argv[1], "--path") == 0) {
        search = bl_str_from(argv[2]);
        first = 3;
    }
    for (int i = first; i < argc; i++)
        failures += check(argv[i], &search, fixes);
    if (failures > 0)
        printf("%d differences.\n", failures);
    return failures > 0;
}
