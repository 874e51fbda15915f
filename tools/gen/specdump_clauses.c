/* SPDX-License-Identifier: Apache-2.0 */
#include "specdump.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* docs/reference/clauses.md: which words may stand in which block, and what follows them. */

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
    const char *words, *shape, *often, *doc;
} rows[] = {
#define BL_CLAUSE_BLOCK(id, name, included, inner)
#define BL_CLAUSE(id, block, words, shape, often, doc)                                         \
    {BLOCK_##block, words, shape, #often, doc},
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

/* In a table a bar ends the cell, in code too. */
static void put_code(const char *s)
{
    printf("| ");
    if (*s == '\0') {
        printf(" ");
        return;
    }
    putchar('`');
    for (; *s != '\0'; s++) {
        if (*s == '|')
            putchar('\\');
        putchar(*s);
    }
    printf("` ");
}

static const char *often_words(const char *often)
{
    if (strcmp(often, "MUST") == 0)
        return "once";
    if (strcmp(often, "SOME") == 0)
        return "once or more";
    return strcmp(often, "ONCE") == 0 ? "at most once" : "any number";
}

static void put_block(unsigned block)
{
    bool any = false;

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        any |= rows[i].block == block;
    printf("\n## %s\n\nIn %s", blocks[block].id, blocks[block].name);
    for (unsigned other = 0; other < BLOCK_COUNT; other++) {
        if ((blocks[block].included >> other & 1) != 0)
            printf(", with the rows of %s", blocks[other].id);
    }
    puts(any ? ":\n\n| word | what follows | how often | what it says |\n| --- | --- | --- | "
               "--- |"
             : ".");
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (rows[i].block != block)
            continue;
        put_code(rows[i].words);
        put_code(rows[i].shape);
        printf("| %s | %s |\n", often_words(rows[i].often), rows[i].doc);
    }
}

void specdump_clauses(void)
{
    puts(
        "<!-- Written by tools/gen/run from runtime/spec/clauses.def. Change that and run it. "
        "-->\n\n# Clauses\n\n"
        "Every clause begins with a word, and each block takes the words of its table. What\n"
        "follows is spelled so: `E` a value, `C` a condition, `S` a text in quotes, `N` a "
        "name,\n"
        "`D` a name with or without parameters, `P` a name with dots, `T` a type, `Q` `each x\n"
        "in` and a list, `M` a message, `K` a document, `U` a login, `H` a name with hyphens,\n"
        "`R` an effect, `X` the rest; with `*` a list with commas, with `+` several beside "
        "one\n"
        "another. Small letters stand as they are, `a|b` is one of them, `[ ]` may be "
        "missing,\n"
        "`{NAME}` is a block of that table and `{.}` one of the same kind. A row without a "
        "word\n"
        "takes any beginning; `=>` is a row.");
    for (unsigned block = 0; block < BLOCK_COUNT; block++)
        put_block(block);
}
