/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"

/* What a test expects: conditions, effects, golden files. */

/* What an expectation would only seem to compare. */
static void refuse_part(struct bl_checker *c, struct bl_span span, const char *part)
{
    struct bl_diagnostic *d = bl_sema_error(c, BL_D_EXPECT_PART, span);

    bl_sema_arg(c, d, "part", bl_str_from(part));
}

/* "post welcome", "mark welcome { n 7 }": the kind alone. What a comment is made of is not what
 * the world sees of it, and which one is marked has no name in a test. */
static struct bl_statement *expected_comment(struct bl_checker *c, struct bl_clause *clause)
{
    struct bl_statement *statement = bl_sema_statement_new(c, BL_STATEMENT_EFFECT, clause);
    struct bl_node *node = bl_slot_node(clause, 0);

    if (statement == NULL)
        return NULL;
    statement->effect = clause->id == BL_CLAUSE_POST ? BL_EFFECT_POST : BL_EFFECT_MARK;
    statement->value = node;
    statement->symbol = bl_sema_find_kind(c, node, BL_SYMBOL_COMMENT);
    if (node->kind == BL_NODE_CALL)
        refuse_part(c, node->span, "the arguments of a comment");
    if (statement->symbol == NULL)
        return NULL;
    bl_sema_resolved(node, BL_RESOLVED_DOCUMENT, statement->symbol, statement->symbol->number,
                     BL_TYPE_ERROR);
    if (statement->effect == BL_EFFECT_MARK)
        statement->pairs =
            bl_sema_pairs(c, clause->block, bl_sema_posted_type(c, &statement->symbol, 1));
    return statement;
}

/* The text is what the effect says, or, of a dismissal, what stands beside the alert for good.
 */
static bool compares_text(enum bl_effect effect)
{
    return effect == BL_EFFECT_NOTICE || effect == BL_EFFECT_WARN ||
           effect == BL_EFFECT_ERROR || effect == BL_EFFECT_FAIL ||
           effect == BL_EFFECT_DISMISS || effect == BL_EFFECT_SUGGEST_DUPLICATE;
}

/* It acts on what the last step was about, which a test has no name for. */
static struct bl_statement *expected_effect(struct bl_checker *c, struct bl_clause *clause)
{
    struct bl_need_list *needs = c->body->needs;
    struct bl_statement *statement;

    if (clause->id == BL_CLAUSE_POST || clause->id == BL_CLAUSE_MARK)
        return expected_comment(c, clause);
    if (bl_clause_info(clause->id)->block != BL_BLOCK_EFFECTS ||
        clause->id == BL_CLAUSE_ATTEMPT) {
        refuse_part(c, clause->node->span, "a statement");
        return NULL;
    }
    c->body->needs = NULL;
    statement = bl_sema_effect(c, clause);
    c->body->needs = needs;
    if (statement == NULL || statement->kind != BL_STATEMENT_EFFECT)
        return statement;
    for (const struct bl_pair *pair = statement->pairs;
         statement->effect == BL_EFFECT_KEEP && pair != NULL; pair = pair->next) {
        if (bl_type_is_optional(pair->value->type) || bl_type_is_list(pair->value->type))
            refuse_part(c, pair->span, "a value that may be absent, or a list");
    }
    if (statement->text != NULL && !compares_text(statement->effect))
        refuse_part(c, statement->text->span, "the reason");
    return statement;
}

static void expect_effects(struct bl_checker *c, struct bl_statement *expect,
                           struct bl_clause *clause)
{
    struct bl_statement **tail = &expect->body;

    for (struct bl_clause *row = clause->block; row != NULL; row = row->next) {
        struct bl_statement *statement = expected_effect(c, row);

        if (statement == NULL)
            continue;
        *tail = statement;
        tail = &statement->next;
    }
}

static enum bl_statement_kind kind_of(enum bl_clause_id id)
{
    switch ((unsigned)id) {
    case BL_CLAUSE_EXPECT_EFFECT:
    case BL_CLAUSE_EXPECT_NO_EFFECT:
        return BL_STATEMENT_EXPECT_EFFECT;
    case BL_CLAUSE_EXPECT_EFFECTS:
        return BL_STATEMENT_EXPECT_EXACTLY;
    case BL_CLAUSE_EXPECT_GOLDEN:
        return BL_STATEMENT_EXPECT_GOLDEN;
    default:
        return BL_STATEMENT_EXPECT;
    }
}

/* It becomes a part of a path: other characters would be left out, and two names one file. */
static void check_golden_name(struct bl_checker *c, const struct bl_node *name)
{
    for (uint32_t i = 0; i < name->kid_count; i++) {
        const struct bl_node *part = name->kids[i];

        for (size_t k = 0; part->kind == BL_NODE_STRING_PART && k < part->text.len; k++) {
            char byte = part->text.ptr[k];

            if (bl_is_ascii_alpha(byte) || bl_is_ascii_digit(byte) ||
                bl_str_find_char(BL_STR("_-."), byte) != SIZE_MAX)
                continue;
            bl_sema_arg(c, bl_sema_error(c, BL_D_GOLDEN_NAME, name->span), "name", part->text);
            return;
        }
    }
}

struct bl_statement *bl_sema_expectation(struct bl_checker *c, struct bl_clause *clause)
{
    struct bl_statement *expect = bl_sema_statement_new(c, kind_of(clause->id), clause);

    if (expect == NULL)
        return NULL;
    if (expect->kind == BL_STATEMENT_EXPECT_EFFECT) {
        expect->member = clause->id == BL_CLAUSE_EXPECT_NO_EFFECT;
        expect->body = expected_effect(c, clause->inner);
    } else if (expect->kind == BL_STATEMENT_EXPECT_EXACTLY) {
        expect_effects(c, expect, clause);
    } else if (expect->kind == BL_STATEMENT_EXPECT_GOLDEN) {
        /* Columns may stand in the name, so that each row has a file of its own. */
        expect->text = bl_slot_node(clause, 0);
        bl_sema_put(c, expect->text, BL_PLACE_LOG);
        check_golden_name(c, expect->text);
    } else {
        expect->condition = bl_slot_node(clause, 0);
        c->body->in_expectation = true;
        bl_sema_condition(c, expect->condition);
        c->body->in_expectation = false;
    }
    return expect;
}
