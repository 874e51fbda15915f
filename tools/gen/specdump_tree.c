/* SPDX-License-Identifier: Apache-2.0 */
#include "base/str.h"
#include "specdump.h"

#include <stdio.h>

/* docs/reference/tree.md and tree.schema.json: what `policyc --emit=json` prints. */

static const struct {
    const char *id, *children;
} nodes[] = {
#define BL_NODE(id, name, children) {#id, children},
#include "syntax/ast.def"
#undef BL_NODE
};
static const struct {
    const char *name, *doc;
} meanings[] = {
#define BL_RESOLUTION(id, name, doc) {name, doc},
#include "sema/resolutions.def"
#undef BL_RESOLUTION
};
static const char *const symbols[] = {
#define BL_SYMBOL(id, name, space) name,
#include "sema/symbols.def"
#undef BL_SYMBOL
};
static const char *const blocks[] = {
#define BL_CLAUSE_BLOCK(id, name, included, inner) #id,
#define BL_CLAUSE(id, block, words, shape, often, doc)
#include "spec/clauses.def"
#undef BL_CLAUSE_BLOCK
#undef BL_CLAUSE
};
#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static void put_lower(const char *id)
{
    for (; *id != '\0'; id++)
        putchar(bl_ascii_lower(*id));
}

/* A cell: bars would end it. */
static void put_cell(const char *words)
{
    fputs("| ", stdout);
    for (; *words != '\0'; words++) {
        if (*words == '|' || *words == '*')
            putchar('\\');
        putchar(*words);
    }
    putchar(' ');
}

/* ---- the page
 * --------------------------------------------------------------------------------------- */

static const struct {
    const char *key, *where, *doc;
} members[] = {
    {"node", "always", "its kind, a word of the table below"},
    {"span", "always", "the whole construct; what stands in parentheses is without them"},
    {"name_span", "with a name", "the word of `text`: a field, a callee, a loop variable"},
    {"block", "clauses",
     "the table of [the clauses](clauses.md) whose row it is, in small letters"},
    {"clause", "clauses", "the word of that row; missing for a row without a word"},
    {"text", "with words",
     "a name; a text with its escapes resolved; a pattern between its slashes"},
    {"flags", "patterns", "the letters behind it"},
    {"operator", "comparisons, arithmetic", "as it is written"},
    {"value", "numbers",
     "a whole number of 64 bits: durations and times in seconds, dates in days since "
     "1970-01-01, percentages in hundredths, money in ten-thousandths of a dollar"},
    {"parenthesised", "if so", "true: parentheses stood around it"},
    {"type", "expressions", "the type that its value is known to have here"},
    {"declared", "narrowed", "its type without what a guard says"},
    {"means", "names, calls, fields …", "what it was resolved to, a word of the table below"},
    {"of", "with `means`",
     "the ambient name, builtin, member, `thing.field`, event, or the place of a text"},
    {"symbol", "with `means`",
     "the declaration that it names: kind, name, file and span of its name; those two are "
     "missing for "
     "what the language gives, such as `match`"},
    {"kids", "with children", "their places in the list, `null` for one that is missing"},
};

void specdump_tree(void)
{
    puts(
        "<!-- Written by tools/gen/run from grammar/syntax/ast.def, "
        "grammar/sema/resolutions.def "
        "and symbols.def.\n     Change those and run it. -->\n\n"
        "# The typed tree\n\n"
        "`policyc --emit=json` prints the tree of a policy as one line of JSON, for editors, "
        "searches and checks of one's own.\n[tree.schema.json](tree.schema.json) is its JSON "
        "schema. Every span is a pair of offsets in bytes, `[from, to)`, into the\nfile as it "
        "is. What has nothing to say is left out. A member more is no new `version`.\n\n"
        "```json\n"
        "{ \"version\": 1,\n"
        "  \"files\": [{ \"path\": \"mine.policy\", \"package\": \"mine\", \"test\": true,\n"
        "              \"comments\": [{ \"span\": [0, 40], \"doc\": true }], \"nodes\": [NODE] "
        "}],\n"
        "  \"symbols\": [{ \"kind\": \"label\", \"name\": \"crash\", \"file\": 0, \"span\": "
        "[6, 11],\n"
        "                \"declaration\": [0, 30], \"type\": \"label\", \"doc\": \"…\", "
        "\"used\": true }] }\n"
        "```\n\n"
        "All files of the program stand in `files`, what it uses before what uses it; those of "
        "the given package have `comments`\nand `nodes`. A node's children stand before it, so "
        "the last node is the file. `symbols` are all declarations of the\nprogram, those of "
        "used packages too.\n\n"
        "A policy with errors has a tree, too: what was understood of it (for 'if' the 'when' "
        "that was meant). The errors go to\nthe other output, and the exit code is 3. `--test` "
        "takes the tests in, with the files `*_test.policy`.\n\n"
        "## Members of a node\n\n| member | where | what it says |\n| --- | --- | --- |");
    for (size_t i = 0; i < COUNT(members); i++) {
        printf("| `%s` ", members[i].key);
        put_cell(members[i].where);
        put_cell(members[i].doc);
        puts("|");
    }
    puts("\n## Kinds of nodes\n\n`[x]` may be `null`, `x*` is any number.\n\n"
         "| node | children |\n| --- | --- |");
    for (size_t i = 0; i < COUNT(nodes); i++) {
        fputs("| `", stdout);
        put_lower(nodes[i].id);
        fputs("` ", stdout);
        put_cell(nodes[i].children);
        puts("|");
    }
    puts("\n## What a node means\n\n`symbol`, `text` and `kids` are the members above; what "
         "`index` stands for is named by `of`.\n\n| means | how to read it |\n| --- | --- |");
    for (size_t i = 1; i < COUNT(meanings); i++) {
        printf("| `%s` ", meanings[i].name);
        put_cell(meanings[i].doc);
        puts("|");
    }
    puts("\n## Kinds of symbols\n");
    for (size_t i = 0; i < COUNT(symbols); i++)
        printf("%s`%s`", i == 0 ? "" : ", ", symbols[i]);
    puts(".");
}

/* ---- the schema
 * ------------------------------------------------------------------------------------- */

static void put_list(const char *name, const char *const *words, size_t count, bool last)
{
    printf("    \"%s\": { \"enum\": [", name);
    for (size_t i = 0; i < count; i++)
        printf("%s\"%s\"", i == 0 ? "" : ", ", words[i]);
    printf("] }%s\n", last ? "" : ",");
}

static void put_lower_list(const char *name, const char *const *ids, size_t count)
{
    printf("    \"%s\": { \"enum\": [", name);
    for (size_t i = 0; i < count; i++) {
        fputs(i == 0 ? "\"" : ", \"", stdout);
        put_lower(ids[i]);
        putchar('"');
    }
    puts("] },");
}

void specdump_tree_schema(void)
{
    const char *kinds[COUNT(nodes)], *words[COUNT(meanings)];

    for (size_t i = 0; i < COUNT(nodes); i++)
        kinds[i] = nodes[i].id;
    for (size_t i = 0; i < COUNT(meanings); i++)
        words[i] = meanings[i].name;
    puts("{\n"
         "  \"$schema\": \"http://json-schema.org/draft-07/schema#\",\n"
         "  \"title\": \"policyc --emit=json\",\n"
         "  \"type\": \"object\", \"required\": [\"version\", \"files\", \"symbols\"],\n"
         "  \"additionalProperties\": false,\n"
         "  \"properties\": {\n"
         "    \"version\": { \"const\": 1 },\n"
         "    \"files\": { \"type\": \"array\", \"items\": { \"$ref\": \"#/definitions/file\" "
         "} },\n"
         "    \"symbols\": { \"type\": \"array\", \"items\": { \"$ref\": "
         "\"#/definitions/declaration\" } }\n"
         "  },\n"
         "  \"definitions\": {\n"
         "    \"count\": { \"type\": \"integer\", \"minimum\": 0 },\n"
         "    \"words\": { \"type\": \"string\", \"minLength\": 1 },\n"
         "    \"span\": { \"type\": \"array\", \"items\": { \"$ref\": \"#/definitions/count\" "
         "}, "
         "\"minItems\": 2, \"maxItems\": 2 },");
    puts("    \"file\": {\n"
         "      \"type\": \"object\", \"required\": [\"path\"], \"additionalProperties\": "
         "false,\n"
         "      \"properties\": {\n"
         "        \"path\": { \"$ref\": \"#/definitions/words\" },\n"
         "        \"package\": { \"$ref\": \"#/definitions/words\" },\n"
         "        \"embedded\": { \"const\": true }, \"test\": { \"const\": true },\n"
         "        \"comments\": { \"type\": \"array\", \"items\": { \"type\": \"object\", "
         "\"required\": [\"span\"], \"additionalProperties\": false,\n"
         "          \"properties\": { \"span\": { \"$ref\": \"#/definitions/span\" }, \"doc\": "
         "{ "
         "\"const\": true } } } },\n"
         "        \"nodes\": { \"type\": \"array\", \"minItems\": 1, \"items\": { \"$ref\": "
         "\"#/definitions/node\" } }\n"
         "      }\n    },");
    puts(
        "    \"node\": {\n"
        "      \"type\": \"object\", \"required\": [\"node\", \"span\"], "
        "\"additionalProperties\": false,\n"
        "      \"dependencies\": { \"of\": [\"means\"], \"clause\": [\"block\"], \"declared\": "
        "[\"type\"] },\n"
        "      \"properties\": {\n"
        "        \"node\": { \"$ref\": \"#/definitions/node_kind\" },\n"
        "        \"span\": { \"$ref\": \"#/definitions/span\" }, \"name_span\": { \"$ref\": "
        "\"#/definitions/span\" },\n"
        "        \"block\": { \"$ref\": \"#/definitions/block\" }, \"clause\": { \"$ref\": "
        "\"#/definitions/words\" },\n"
        "        \"text\": { \"$ref\": \"#/definitions/words\" }, \"flags\": { \"$ref\": "
        "\"#/definitions/words\" },\n"
        "        \"operator\": { \"$ref\": \"#/definitions/words\" }, \"value\": { \"type\": "
        "\"integer\" },\n"
        "        \"parenthesised\": { \"const\": true },\n"
        "        \"type\": { \"$ref\": \"#/definitions/words\" }, \"declared\": { \"$ref\": "
        "\"#/definitions/words\" },\n"
        "        \"means\": { \"$ref\": \"#/definitions/meaning\" }, \"of\": { \"$ref\": "
        "\"#/definitions/words\" },\n"
        "        \"symbol\": { \"$ref\": \"#/definitions/symbol\" },\n"
        "        \"kids\": { \"type\": \"array\", \"minItems\": 1, \"items\": { \"oneOf\": [{ "
        "\"$ref\": \"#/definitions/count\" }, { \"type\": \"null\" }] } }\n"
        "      }\n    },");
    puts("    \"symbol\": {\n"
         "      \"type\": \"object\", \"required\": [\"kind\", \"name\"], "
         "\"additionalProperties\": false,\n"
         "      \"properties\": { \"kind\": { \"$ref\": \"#/definitions/symbol_kind\" }, "
         "\"name\": { "
         "\"$ref\": \"#/definitions/words\" },\n"
         "        \"file\": { \"$ref\": \"#/definitions/count\" }, \"span\": { \"$ref\": "
         "\"#/definitions/span\" } }\n    },");
    puts("    \"declaration\": {\n"
         "      \"type\": \"object\", \"required\": [\"kind\", \"name\", \"file\", \"span\", "
         "\"declaration\"], \"additionalProperties\": false,\n"
         "      \"properties\": { \"kind\": { \"$ref\": \"#/definitions/symbol_kind\" }, "
         "\"name\": { "
         "\"$ref\": \"#/definitions/words\" },\n"
         "        \"file\": { \"$ref\": \"#/definitions/count\" }, \"span\": { \"$ref\": "
         "\"#/definitions/span\" },\n"
         "        \"declaration\": { \"$ref\": \"#/definitions/span\" }, \"type\": { \"$ref\": "
         "\"#/definitions/words\" },\n"
         "        \"doc\": { \"$ref\": \"#/definitions/words\" }, \"used\": { \"const\": true "
         "} }\n    },");
    put_lower_list("node_kind", kinds, COUNT(kinds));
    put_lower_list("block", blocks, COUNT(blocks));
    put_list("meaning", words + 1, COUNT(words) - 1, false);
    put_list("symbol_kind", symbols, COUNT(symbols), true);
    puts("  }\n}");
}
