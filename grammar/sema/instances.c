/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"

/* What says `answer` means another thing for each task: a comment that two rules post, a check
 * that two tasks pass. It is typed once for each answer, on a copy of its clauses, so that each
 * meaning has code of its own. */

static struct bl_clause *copied_clause(struct bl_checker *c, const struct bl_clause *clause)
{
    struct bl_node *file = BL_NEW(c->arena, struct bl_node);
    struct bl_node *copy = bl_node_copy(c->arena, clause->node);
    struct bl_node **kids = BL_NEW_ARRAY(c->arena, 1, struct bl_node *);
    struct bl_diagnostics said; /* the original was matched and said it all */

    if (file == NULL || copy == NULL || kids == NULL)
        return NULL;
    bl_diagnostics_init(&said, c->arena, 1);
    kids[0] = copy;
    file->kind = BL_NODE_FILE;
    file->span = clause->node->span;
    file->kids = kids;
    file->kid_count = 1;
    return bl_clauses_match(c->arena, c->sources, &said, file, BL_BLOCK_TOP);
}

static struct bl_symbol *copied_symbol(struct bl_checker *c, struct bl_symbol *original)
{
    struct bl_symbol *symbol = BL_NEW(c->arena, struct bl_symbol);
    struct bl_clause *clause = copied_clause(c, original->clause);

    if (symbol == NULL || clause == NULL)
        return NULL;
    *symbol = (struct bl_symbol){.kind = original->kind,
                                 .name = original->name,
                                 .span = original->span,
                                 .clause = clause,
                                 .package = original->package,
                                 .number = original->number,
                                 .original = original,
                                 .type = original->type,
                                 .used = true};
    return symbol;
}

static bool give_parts(struct bl_checker *c, struct bl_symbol *symbol, bl_type answer)
{
    if (bl_symbol_space(symbol->kind) == BL_SPACE_DOCUMENTS) {
        symbol->as.document = BL_NEW(c->arena, struct bl_document);
        if (symbol->as.document == NULL)
            return false;
        symbol->as.document->symbol = symbol;
        bl_sema_document_signature(c, symbol);
        return true;
    }
    symbol->as.callable = BL_NEW(c->arena, struct bl_callable);
    if (symbol->as.callable == NULL)
        return false;
    symbol->as.callable->symbol = symbol;
    symbol->as.callable->answer = answer;
    bl_sema_signature(c, symbol);
    return true;
}

struct bl_symbol *bl_sema_instance(struct bl_checker *c, struct bl_symbol *original,
                                   bl_type answer)
{
    struct bl_instance *instance;
    struct bl_symbol *symbol;

    for (instance = original->instances; instance != NULL; instance = instance->next) {
        if (instance->answer == answer)
            return instance->symbol;
    }
    instance = BL_NEW(c->arena, struct bl_instance);
    symbol = copied_symbol(c, original);
    if (instance == NULL || symbol == NULL || !give_parts(c, symbol, answer))
        return original;
    *instance = (struct bl_instance){answer, symbol, original->instances};
    original->instances = instance;
    return symbol;
}

void bl_sema_says_answer(struct bl_checker *c)
{
    struct bl_symbol *symbol = c->body->symbol;

    if (symbol == NULL)
        return;
    if (bl_symbol_space(symbol->kind) == BL_SPACE_DOCUMENTS)
        symbol->as.document->says_answer = true;
    else if (bl_is_generic(symbol->kind))
        symbol->as.callable->says_answer = true;
}

bool bl_sema_has_answer(struct bl_checker *c, const struct bl_node *use,
                        const struct bl_symbol *used)
{
    struct bl_diagnostic *d;

    bl_sema_says_answer(c);
    if (!bl_is_error(c->body->answer))
        return true;
    /* A define that waits for its own answer, and a test that looks for an effect. */
    if (c->body->symbol != NULL && bl_is_generic(c->body->symbol->kind))
        return false;
    if (c->body->in_test && bl_symbol_space(used->kind) == BL_SPACE_DOCUMENTS)
        return false;
    d = bl_sema_error(c, BL_D_NO_ANSWER, use->span);
    bl_diagnostic_label(c->sink, d, used->span,
                        bl_sema_text(c, "'%.*s' asks for it.", BL_STR_ARG(used->name)));
    return false;
}
