/* SPDX-License-Identifier: Apache-2.0 */
#include "base/num.h"
#include "emit/emit.h"
#include "lint/lint.h"
#include "sema/sema.h"
#include "show/show.h"
#include "workflows/workflows.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clauses_matter FILE|FOLDER...: does every row of clauses.def do something? Each clause of the
 * policies is taken away, blank for byte, or, where it has to be there, changed in one word;
 * what is made of the policy (the module, its workflows and sections, what lint says) must then
 * be another, or the policy must be refused for another reason than that the clause is missing.
 * Of each row one clause that matters is enough. Rows that none of the policies has, and rows
 * of which none matters, are named, and the exit code is 1. */

/* Rows that say something to readers alone: they must change the page about the policy. */
static bool is_for_readers(enum bl_clause_id id)
{
    return id == BL_CLAUSE_LOCALE_WRITTEN || id == BL_CLAUSE_LOCALE_ADDRESS ||
           id == BL_CLAUSE_REDACTION_GUARDS;
}

/* Rows that no change of one word shows, and the tests that do. */
static const struct {
    enum bl_clause_id id;
    const char *shown_by;
} elsewhere[] = {
    {BL_CLAUSE_NEED, "tests/language/sema/levels.policy"},
    {BL_CLAUSE_ACCEPT_REASON, "tests/language/run/accepted"},
};

#define MEMORY     ((size_t)256 << 20)
#define TWISTS_MAX 12 /* tries for one word, and with one letter each for one clause */

struct changed {
    bl_str path, text; /* the file that is another than the one on the disk */
};

/* The examples of the reference, each a policy of its own. */
static const struct {
    const char *path, *text;
} examples[] = {
#define BL_DECLARATION(id, example) {"example/" #id ".policy", example},
#include "spec/declarations.def"
#undef BL_DECLARATION
};
#define EXAMPLE_COUNT (sizeof examples / sizeof examples[0])

static enum bl_status read_source(void *context, struct bl_arena *arena, bl_str path,
                                  bl_str *text)
{
    const struct changed *changed = context;
    if (changed->path.len > 0 && bl_str_equal(changed->path, path)) {
        *text = changed->text;
        return BL_OK;
    }
    for (size_t i = 0; i < EXAMPLE_COUNT; i++) {
        if (bl_str_equal(path, bl_str_from(examples[i].path))) {
            *text = bl_str_from(examples[i].text);
            return BL_OK;
        }
    }
    FILE *file = fopen(bl_arena_copy(arena, path).ptr, "rb");
    if (file == NULL)
        return BL_ERR_INVALID;
    size_t capacity = 1 << 20;
    char *bytes = bl_arena_alloc(arena, capacity, 1);
    *text = (bl_str){bytes, bytes != NULL ? fread(bytes, 1, capacity - 1, file) : 0};
    bool failed = bytes == NULL || ferror(file) != 0;
    fclose(file);
    return failed ? BL_ERR_IO : BL_OK;
}

static int by_bytes(const void *a, const void *b)
{
    return bl_str_compare(*(const bl_str *)a, *(const bl_str *)b);
}

static enum bl_status list_sources(void *context, struct bl_arena *arena, bl_str folder,
                                   bl_str **names, size_t *count)
{
    BL_VEC(bl_str) list = {NULL, 0, 0};
    DIR *dir = opendir(bl_arena_copy(arena, folder).ptr);
    (void)context;
    if (dir == NULL)
        return BL_ERR_INVALID;
    for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        bl_str name = bl_str_from(entry->d_name);
        bl_str *slot = bl_str_ends_with(name, BL_STR(".policy")) ? BL_PUSH(arena, list) : NULL;
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

/* ---- what is made of a policy -------------------------------------------------------------
 */

static bool with_page; /* what is compared is the page, too */

struct made {
    struct bl_arena arena;
    struct bl_sources sources;
    struct bl_diagnostics sink;
    struct bl_program *program;
    bool good;    /* without errors */
    bool lowered; /* and a module was made of it */
    bool lacking; /* a clause is missing, or one word of it */
    uint64_t print;
};

/* All of the module but the digests of its sources: places stay where they were, since every
 * change keeps the length. */
static void print_module(struct made *made, struct bl_module_bytes bytes)
{
    for (unsigned i = 0; i < BL_SECTION_COUNT; i++) {
        struct bl_module_section at;
        memcpy(&at, (const char *)bytes.bytes + sizeof(struct bl_module_header) + i * sizeof at,
               sizeof at);
        if (i == BL_SECTION_SOURCES)
            continue;
        bl_str rows = {(const char *)bytes.bytes + at.offset, (size_t)at.count * at.row_size};
        if (i == BL_SECTION_INFO) {
            struct bl_module_info info;
            memcpy(&info, rows.ptr, sizeof info);
            memset(info.digest, 0, sizeof info.digest);
            rows = bl_arena_copy(&made->arena, (bl_str){(const char *)&info, sizeof info});
        }
        made->print = bl_str_hash(rows, made->print);
    }
}

static void print_files(struct made *made)
{
    struct bl_workflow_files files = {NULL, 0, 0};

    (void)!bl_workflows_write(made->program, &made->sink, &files);
    for (size_t i = 0; i < files.count; i++) {
        made->print = bl_str_hash(files.items[i].path, made->print);
        made->print = bl_str_hash(files.items[i].text, made->print);
    }
    for (size_t i = 0; i < made->program->sections.count; i++) {
        const struct bl_file_section *section = &made->program->sections.items[i];
        made->print = bl_str_hash(section->path, made->print);
        for (size_t w = 0; w < section->count; w++) {
            made->print = bl_str_hash(section->words[w].heading, made->print);
            made->print = bl_str_hash(section->words[w].words, made->print);
        }
    }
}

static void print_messages(struct made *made)
{
    for (size_t i = 0; i < made->sink.list.count; i++) {
        const struct bl_diagnostic *d = made->sink.list.items[i];
        char code[32];
        snprintf(code, sizeof code, "%u %u", (unsigned)d->code, (unsigned)d->severity);
        made->print = bl_str_hash(bl_str_from(code), made->print);
        made->lacking = made->lacking || d->code == BL_D_CLAUSE_MISSING;
    }
}

static void make(struct made *made, bl_str root, const struct changed *changed)
{
    struct bl_loader loader = {(void *)(uintptr_t)changed, read_source, list_sources};
    struct bl_sema_options options = {.tests = true, .for_running = false};
    struct bl_lint_options lint = {.level_count = 0};
    struct bl_emit_options emit = {.tests = true};
    struct bl_module_bytes bytes;

    *made = (struct made){.good = false};
    bl_arena_init(&made->arena, MEMORY, NULL);
    bl_sources_init(&made->sources, &made->arena);
    bl_diagnostics_init(&made->sink, &made->arena, 1000);
    made->good = bl_sema(&made->arena, &made->sources, &made->sink, &loader, &root, 1, &options,
                         &made->program) == BL_OK;
    if (made->good) {
        print_files(made);
        made->lowered =
            bl_emit(&made->arena, made->program, &emit, &bytes, &made->sink) == BL_OK;
        if (made->lowered)
            print_module(made, bytes);
        if (with_page) {
            struct bl_buf out;
            bl_buf_init(&out, &made->arena, MEMORY);
            bl_show_docs(made->program, &out);
            made->print = bl_str_hash(bl_buf_str(&out), made->print);
        }
        (void)!bl_lint(&made->arena, made->program, &lint, &made->sink);
    }
    print_messages(made);
}

static bool differs(bl_str root, const struct changed *changed, uint64_t print)
{
    struct made other;
    make(&other, root, changed);
    bool matters = !other.lacking && (!other.good || other.print != print);
    bl_arena_reset(&other.arena);
    return matters;
}

/* ---- clauses ------------------------------------------------------------------------------
 */

static enum { UNSEEN, SEEN, MATTERS } states[BL_CLAUSE_COUNT];

struct tried {
    bl_str root;
    const struct made *base;
    struct changed changed;
    char *bytes; /* of the changed file, as on the disk between two tries */
    size_t length;
    unsigned tries;
};

static bool is_word(char c)
{
    return bl_is_ascii_alpha(c) || bl_is_ascii_digit(c) || c == '_';
}

/* With the bytes [from, to) blank. */
static bool without(struct tried *t, struct bl_span span)
{
    char *before = malloc(t->length + 1);
    memcpy(before, t->bytes, t->length);
    for (size_t i = span.lo; i < span.hi; i++)
        t->bytes[i] = before[i] == '\n' ? '\n' : ' ';
    bool matters = differs(t->root, &t->changed, t->base->print);
    memcpy(t->bytes, before, t->length);
    free(before);
    return matters;
}

static size_t end_of_word(const char *bytes, size_t at)
{
    while (is_word(bytes[at]))
        at++;
    return at;
}

static bool makes_another(const struct tried *t)
{
    struct made other;
    make(&other, t->root, &t->changed);
    bool matters = other.good && other.print != t->base->print;
    bl_arena_reset(&other.arena);
    return matters;
}

/* With a letter or digit of the clause replaced by another: a number, a word within quotes. */
static bool in_a_letter(struct tried *t, struct bl_span span)
{
    for (size_t i = span.hi; i-- > span.lo;) {
        char c = t->bytes[i];
        if (!is_word(c) || t->tries++ > TWISTS_MAX)
            continue;
        t->bytes[i] = c == '1' ? '2' : bl_is_ascii_digit(c) ? '1' : c == 'a' ? 'b' : 'a';
        bool matters = makes_another(t);
        t->bytes[i] = c;
        if (matters)
            return true;
    }
    return false;
}

/* With a word of the clause replaced by another one of the file that is as long. */
static bool in_a_word(struct tried *t, struct bl_span span)
{
    char *before = malloc(t->length + 1);
    bool matters = false;

    memcpy(before, t->bytes, t->length + 1);
    for (size_t at = span.lo, to; !matters && at < span.hi; at = to + 1) {
        to = end_of_word(before, at);
        t->tries = 0;
        for (size_t i = 0, end; !matters && to > at && i < t->length; i = end + 1) {
            end = end_of_word(before, i);
            if (to - at < 5 || end - i != to - at ||
                memcmp(before + i, before + at, to - at) == 0 || t->tries++ > TWISTS_MAX)
                continue;
            memcpy(t->bytes + at, before + i, to - at);
            matters = makes_another(t);
            memcpy(t->bytes + at, before + at, to - at);
        }
    }
    free(before);
    return matters;
}

static void walk(struct tried *t, const struct bl_clause *clause)
{
    for (; clause != NULL; clause = clause->next) {
        enum bl_clause_often often = bl_clause_info(clause->id)->often;
        bool must = often == BL_OFTEN_MUST || often == BL_OFTEN_SOME;
        if (states[clause->id] != MATTERS && is_for_readers(clause->id) == with_page) {
            t->tries = 0;
            states[clause->id] = SEEN;
            if (without(t, clause->node->span) ||
                (must &&
                 (in_a_letter(t, clause->node->span) || in_a_word(t, clause->node->span))))
                states[clause->id] = MATTERS;
        }
        walk(t, clause->block);
        walk(t, clause->inner);
    }
}

static unsigned broken;

static void look(bl_str root)
{
    const struct changed none = {{NULL, 0}, {NULL, 0}};
    struct made base;

    make(&base, root, &none);
    broken += !base.lowered;
    if (!base.lowered)
        printf("%.*s does not compile: %u\n", BL_STR_ARG(root),
               base.sink.list.count > 0 ? (unsigned)base.sink.list.items[0]->code : 0);
    for (size_t i = 0; i < base.program->files.count; i++) {
        const struct bl_file *file = base.program->files.items[i];
        const struct bl_source *source = bl_sources_get(&base.sources, file->ast.source);
        if (!file->package->is_root)
            continue;
        struct tried t = {.root = root, .base = &base, .length = source->text.len};
        t.bytes = malloc(t.length + 1);
        memcpy(t.bytes, source->text.ptr, t.length);
        t.bytes[t.length] = '\0';
        t.changed = (struct changed){source->path, {t.bytes, t.length}};
        walk(&t, file->clauses);
        free(t.bytes);
    }
    bl_arena_reset(&base.arena);
}

int main(int argc, char **argv)
{
    size_t wrong = 0;

    if (argc < 2)
        return 2;

    for (size_t i = 0; i < EXAMPLE_COUNT; i++)
        look(bl_str_from(examples[i].path));
    for (int i = 1; i < argc; i++)
        look(bl_str_from(argv[i]));
    with_page = true;
    look(bl_str_from(argv[1]));
    for (size_t i = 0; i < sizeof elsewhere / sizeof elsewhere[0]; i++)
        states[elsewhere[i].id] = MATTERS;
    for (int id = 0; id < BL_CLAUSE_COUNT; id++) {
        const struct bl_clause_info *info = bl_clause_info((enum bl_clause_id)id);
        bl_str block = bl_clause_block_info(info->block)->name;
        if (states[id] == MATTERS)
            continue;
        wrong++;
        printf("%s: '%.*s' in %.*s\n",
               states[id] == UNSEEN ? "in none of them" : "of no effect",
               BL_STR_ARG(info->words), BL_STR_ARG(block));
    }
    printf("%d rows, %zu without an effect.\n", BL_CLAUSE_COUNT, wrong);
    return wrong > 0 || broken > 0;
}
