/* SPDX-License-Identifier: Apache-2.0 */
#include "show/show_charts.h"

/* The stores of a policy in one chart: who keeps rows in which, and who reads them, itself or
 * through what it asks. */

static const struct {
    enum bl_symbol_kind kind;
    const char *node;
} actors[] = {{BL_SYMBOL_ENTRY, "entry"},     {BL_SYMBOL_RULE, "rule"},
              {BL_SYMBOL_STEP, "step"},       {BL_SYMBOL_LIFECYCLE, "life"},
              {BL_SYMBOL_COMMAND, "command"}, {BL_SYMBOL_REPORT, "report"}};
#define ACTOR_COUNT (sizeof actors / sizeof actors[0])

struct use {
    bool keeps, reads;
};
struct seeking {
    const struct bl_program *program;
    struct use *uses; /* by store */
    bool *visited[BL_SYMBOL_KIND_COUNT];
};

static void seek_node(struct seeking *s, const struct bl_node *node);

/* What a name brings along when it is asked. */
static void follow(struct seeking *s, const struct bl_symbol *symbol)
{
    bool *visited = s->visited[symbol->kind];

    if (visited == NULL || visited[symbol->number] || symbol->clause == NULL)
        return;
    visited[symbol->number] = true;
    seek_node(s, symbol->clause->node);
}

static void seek_node(struct seeking *s, const struct bl_node *node)
{
    if (node == NULL)
        return;
    if (node->resolution == BL_RESOLVED_STORE)
        s->uses[node->symbol->number].reads = true;
    else if (node->resolution != BL_RESOLVED_NOT && node->symbol != NULL)
        follow(s, node->symbol);
    for (uint32_t i = 0; i < node->kid_count; i++)
        seek_node(s, node->kids[i]);
}

/* A `keep` names its store in a word that is no expression. */
static void seek_clauses(struct seeking *s, const struct bl_clause *clause)
{
    for (; clause != NULL; clause = clause->next) {
        const struct bl_node *name =
            clause->id == BL_CLAUSE_KEEP ? bl_slot_node(clause, 0) : NULL;
        const struct bl_symbol *store =
            name != NULL ? bl_program_find(s->program, BL_SPACE_VALUES, name->text) : NULL;

        if (store != NULL && store->kind == BL_SYMBOL_STORE)
            s->uses[store->number].keeps = true;
        seek_clauses(s, clause->block);
        seek_clauses(s, clause->inner);
    }
}

static bool begin(struct seeking *s, const struct bl_program *program)
{
    static const enum bl_symbol_kind followed[] = {
        BL_SYMBOL_DEFINE,  BL_SYMBOL_DECISION, BL_SYMBOL_CHECK,   BL_SYMBOL_ACTOR,
        BL_SYMBOL_COMMENT, BL_SYMBOL_PART,     BL_SYMBOL_MESSAGE,
    };
    size_t stores = program->symbols[BL_SYMBOL_STORE].count;

    *s = (struct seeking){.program = program,
                          .uses = BL_NEW_ARRAY(program->arena, stores + 1, struct use)};
    for (size_t i = 0; i < sizeof followed / sizeof followed[0]; i++)
        s->visited[followed[i]] =
            BL_NEW_ARRAY(program->arena, program->symbols[followed[i]].count + 1, bool);
    return !program->arena->failed;
}

static void put_node(const char *kind, const struct bl_symbol *symbol, const char *open,
                     const char *close, struct bl_buf *out)
{
    bl_buf_printf(out, "  %s%u%s", kind, symbol->number, open);
    bl_show_quoted(out, symbol->name);
    bl_buf_printf(out, "%s\n", close);
}

static void put_actor(const struct bl_program *program, const char *kind,
                      const struct bl_symbol *symbol, struct bl_buf *out)
{
    const struct bl_symbol_list *stores = &program->symbols[BL_SYMBOL_STORE];
    struct seeking seeking;
    /* An entry is called from outside, whether it keeps anything or not. */
    bool drawn = symbol->kind == BL_SYMBOL_ENTRY;

    if (!begin(&seeking, program))
        return;
    seek_clauses(&seeking, symbol->clause->block);
    seek_node(&seeking, symbol->clause->node);
    for (size_t i = 0; i < stores->count; i++)
        drawn = drawn || seeking.uses[i].keeps || seeking.uses[i].reads;
    if (drawn)
        put_node(kind, symbol, symbol->kind == BL_SYMBOL_ENTRY ? "([" : "[",
                 symbol->kind == BL_SYMBOL_ENTRY ? "])" : "]", out);
    for (size_t i = 0; i < stores->count; i++) {
        if (seeking.uses[i].reads)
            bl_buf_printf(out, "  store%u -.->|reads| %s%u\n", stores->items[i]->number, kind,
                          symbol->number);
        if (seeking.uses[i].keeps)
            bl_buf_printf(out, "  %s%u -->|keeps| store%u\n", kind, symbol->number,
                          stores->items[i]->number);
    }
}

void bl_chart_stores(const struct bl_program *program, struct bl_buf *out)
{
    const struct bl_symbol_list *stores = &program->symbols[BL_SYMBOL_STORE];

    if (stores->count == 0 && program->symbols[BL_SYMBOL_ENTRY].count == 0)
        return;
    BL_PUT(out, "## Stores\n\nRounded: entries, which `bylaw call` calls. An arrow goes to the "
                "store that rows are kept in, a dotted one to who reads it.\n\n");
    bl_chart_open("LR", out);
    for (size_t i = 0; i < stores->count; i++)
        put_node("store", stores->items[i], "[(", ")]", out);
    for (size_t k = 0; k < ACTOR_COUNT; k++) {
        const struct bl_symbol_list *list = &program->symbols[actors[k].kind];

        for (size_t i = 0; i < list->count; i++) {
            if (bl_show_is_own(program, list->items[i]) && list->items[i]->clause != NULL)
                put_actor(program, actors[k].node, list->items[i], out);
        }
    }
    bl_chart_close(out);
}
