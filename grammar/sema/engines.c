/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"

/* Engines: the program that carries out tasks, as data. What it is called with knows the task
 * and settings, and nothing of the event. */

static void add_word(struct bl_checker *c, struct bl_str_list *list, struct bl_node *node)
{
    bl_str text = bl_sema_plain_text(c, node);
    bl_str *slot = bl_arena_push(c->arena, (void **)&list->items, &list->count, &list->capacity,
                                 sizeof *list->items);

    if (slot != NULL)
        *slot = text;
}

/* A flag stands alone, or has one argument behind it: a file, the schema of the answer, or a
 * value. */
static void type_flag(struct bl_checker *c, struct bl_engine_declared *engine,
                      struct bl_clause *clause)
{
    struct bl_node *value = bl_slot_node(clause, 1);
    struct bl_symbol *file =
        value != NULL ? bl_scope_find(c, BL_SPACE_DOCUMENTS, value->text) : NULL;
    struct bl_engine_flag_declared flag = {.flag =
                                               bl_sema_plain_text(c, bl_slot_node(clause, 0)),
                                           .condition = bl_slot_node(clause, 2)};
    struct bl_known_mark mark = bl_sema_mark(c);
    struct bl_engine_flag_declared *slot;

    if (flag.condition != NULL) {
        bl_sema_condition(c, flag.condition);
        bl_sema_assume(c, flag.condition, true);
    }
    if (value != NULL && value->kind == BL_NODE_NAME && file != NULL &&
        file->kind == BL_SYMBOL_FILE) {
        file->used = true;
        flag.file = file;
    } else if (value != NULL && bl_str_equal(value->text, BL_STR("answer_schema"))) {
        flag.is_schema = true;
    } else if (value != NULL) {
        flag.value = value;
        bl_sema_put(c, value, BL_PLACE_ARGUMENT);
    }
    bl_sema_forget(c, mark);
    slot = bl_arena_push(c->arena, (void **)&engine->flags, &engine->flag_count,
                         &engine->flag_capacity, sizeof *engine->flags);
    if (slot != NULL)
        *slot = flag;
}

/* answer, usage, worktree: what the job takes from it. */
static void type_output(struct bl_checker *c, struct bl_engine_declared *engine,
                        const struct bl_node *word)
{
    static const char *const words[] = {"answer", "usage", "worktree"};
    struct bl_likeness like = bl_likeness_begin(word->text);
    struct bl_diagnostic *d;

    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (bl_str_equal(word->text, bl_str_from(words[i]))) {
            engine->outputs |= 1u << i;
            return;
        }
        bl_likeness_consider(&like, bl_str_from(words[i]));
    }
    if (word->kind == BL_NODE_BROKEN)
        return;
    d = bl_sema_error(c, BL_D_UNKNOWN_KIND_NAME, word->span);
    bl_sema_arg(c, d, "kind", BL_STR("output of an engine"));
    bl_sema_arg(c, d, "name", word->text);
    bl_likeness_help(c, &like, d, word->span);
}

static void type_row(struct bl_checker *c, struct bl_engine_declared *engine,
                     struct bl_clause *clause)
{
    const struct bl_slot *first = &clause->slots[0];

    if (clause->id == BL_CLAUSE_ENGINE_FLAG) {
        type_flag(c, engine, clause);
        return;
    }
    for (uint32_t i = 0; i < first->count; i++) {
        if (clause->id == BL_CLAUSE_ENGINE_COMMAND)
            add_word(c, &engine->command, first->nodes[i]);
        else if (clause->id == BL_CLAUSE_ENGINE_HOSTS)
            add_word(c, &engine->hosts, first->nodes[i]);
        else if (clause->id == BL_CLAUSE_ENGINE_INPUT)
            engine->input = first->nodes[i]->text;
        else if (clause->id == BL_CLAUSE_ENGINE_OUTPUT)
            type_output(c, engine, first->nodes[i]);
    }
}

static void type_engine(struct bl_checker *c, struct bl_symbol *symbol)
{
    struct bl_engine_declared *engine = symbol->as.engine;
    struct bl_body body;

    bl_sema_body_begin(c, &body, symbol);
    body.needs = &engine->needs;
    body.brings = BL_SEMA_OF_ENGINE;
    for (struct bl_clause *clause = symbol->clause->block; clause != NULL;
         clause = clause->next)
        type_row(c, engine, clause);
    bl_sema_body_end(c);
    bl_sema_settle_needs(c, &engine->needs, BL_ALL_EVENTS, false);
}

void bl_sema_engines(struct bl_checker *c)
{
    const struct bl_symbol_list *engines = &c->program->symbols[BL_SYMBOL_ENGINE];

    for (size_t i = 0; i < engines->count; i++)
        type_engine(c, engines->items[i]);
}
