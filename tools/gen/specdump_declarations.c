/* SPDX-License-Identifier: Apache-2.0 */
#include "base/str.h"
#include "specdump.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* docs/reference/declarations.md: each declaration with what stands in it, which effects it may
 * have, an example, and the diagnostics that speak of it. */

enum clause {
#define BL_CLAUSE_BLOCK(id, name, included, inner)
#define BL_CLAUSE(id, block, words, shape, often, doc) CLAUSE_##id,
#include "spec/clauses.def"
#undef BL_CLAUSE_BLOCK
#undef BL_CLAUSE
};
enum block {
#define BL_CLAUSE_BLOCK(id, name, included, inner) BLOCK_##id,
#define BL_CLAUSE(id, block, words, shape, often, doc)
#include "spec/clauses.def"
#undef BL_CLAUSE_BLOCK
#undef BL_CLAUSE
    BLOCK_COUNT
};

static const struct {
    enum block block;
    const char *words, *shape, *doc;
} rows[] = {
#define BL_CLAUSE_BLOCK(id, name, included, inner)
#define BL_CLAUSE(id, block, words, shape, often, doc) {BLOCK_##block, words, shape, doc},
#include "spec/clauses.def"
#undef BL_CLAUSE_BLOCK
#undef BL_CLAUSE
};

#define IN(block) (1ull << BLOCK_##block)
static const struct {
    const char *id, *name;
    unsigned long long included;
} blocks[] = {
#define BL_CLAUSE_BLOCK(id, name, included, inner) {#id, name, included},
#define BL_CLAUSE(id, block, words, shape, often, doc)
#include "spec/clauses.def"
#undef BL_CLAUSE_BLOCK
#undef BL_CLAUSE
};

static const struct {
    enum clause clause;
    const char *example;
} declarations[] = {
#define BL_DECLARATION(id, example) {CLAUSE_##id, example},
#include "spec/declarations.def"
#undef BL_DECLARATION
};

static const struct {
    unsigned number;
    const char *message, *help, *more;
} diagnostics[] = {
#define BL_DIAGNOSTIC(id, number, lint, severity, message, help, more)                         \
    {number, message, help, more},
#include "spec/diagnostics.def"
#undef BL_DIAGNOSTIC
};
#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* The block of the declaration: the one in braces in its shape; COUNT for none. */
static unsigned block_of(const char *shape)
{
    const char *open = strchr(shape, '{');

    for (unsigned i = 0; open != NULL && i < BLOCK_COUNT; i++) {
        size_t length = strlen(blocks[i].id);

        if (strncmp(open + 1, blocks[i].id, length) == 0 && open[1 + length] == '}')
            return i;
    }
    return BLOCK_COUNT;
}

static void put_anchor(const char *id)
{
    for (; *id != '\0'; id++)
        putchar(bl_ascii_lower(*id));
}

static void put_clauses(unsigned block)
{
    const char *between = "";
    bool effects = (blocks[block].included & IN(EFFECTS)) != 0;

    printf("In it stand ");
    for (size_t i = 0; i < COUNT(rows); i++) {
        if (rows[i].block != block)
            continue;
        if (rows[i].words[0] == '\0')
            printf("%srows of their own", between);
        else
            printf("%s`%s`", between, rows[i].words);
        between = ", ";
        effects = effects || strstr(rows[i].shape, "{EFFECTS}") != NULL;
    }
    for (unsigned i = 0; i < BLOCK_COUNT; i++) {
        if ((blocks[block].included >> i & 1) == 0)
            continue;
        printf("%s[%s](clauses.md#", between, blocks[i].name);
        put_anchor(blocks[i].id);
        printf(")");
        between = ", ";
    }
    printf(": [the table](clauses.md#");
    put_anchor(blocks[block].id);
    puts(").\n");
    puts(effects ? "It may have [effects](clauses.md#effects), bound by the permissions of the "
                   "job that runs it.\n"
                 : "It has no effects.\n");
}

/* A word in quotes, "'label'" or "'label NAME'", or before a name, "the label '{name}'". The
 * word alone is often one of plain English. */
static bool speaks_of(const char *text, const char *word)
{
    size_t length = strlen(word);

    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word)) {
        const char *after = at + length;
        bool quoted = at > text && at[-1] == '\'' && (*after == '\'' || *after == ' ');
        bool named = at > text && at[-1] == ' ' && strncmp(after, " '{", 3) == 0;

        if (quoted || named)
            return true;
    }
    return false;
}

static bool concerns(size_t diagnostic, const char *word)
{
    return speaks_of(diagnostics[diagnostic].message, word) ||
           speaks_of(diagnostics[diagnostic].help, word) ||
           speaks_of(diagnostics[diagnostic].more, word);
}

static void put_diagnostics(const char *word)
{
    const char *between = "\nDiagnostics that speak of it: ";

    for (size_t i = 0; i < COUNT(diagnostics); i++) {
        if (!concerns(i, word))
            continue;
        printf("%s[PL%04u](diagnostics.md#pl%04u)", between, diagnostics[i].number,
               diagnostics[i].number);
        between = ", ";
    }
    if (*between == ',')
        puts(".");
}

void specdump_declarations(void)
{
    puts("<!-- Written by tools/gen/run from runtime/spec/clauses.def, declarations.def and "
         "diagnostics.def.\n     Change those and run it. -->\n\n# Declarations\n\n"
         "What may stand in a file of its own, each with an example that compiles. How shapes "
         "are read stands at the\nbegin of [the clauses](clauses.md).");
    for (size_t i = 0; i < COUNT(declarations); i++) {
        enum clause clause = declarations[i].clause;
        unsigned block = block_of(rows[clause].shape);

        printf("\n## %s\n\n`%s %s`: %s.\n\n", rows[clause].words, rows[clause].words,
               rows[clause].shape, rows[clause].doc);
        if (block < BLOCK_COUNT)
            put_clauses(block);
        printf("```policy\n%s```\n", declarations[i].example);
        put_diagnostics(rows[clause].words);
    }
}
