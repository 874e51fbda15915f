/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"

/* Sanitizers: the words of their rows, and the conditions of rows about links and references.
 */

/* Words that a row may name, and the clause of their row. */
static const struct {
    const char *word;
    enum bl_clause_id clause;
} words[] = {
#define BL_CLEAN_WORD(id, clause, word, doc) {word, BL_CLAUSE_CLEAN_##clause},
#include "spec/cleaning.def"
#undef BL_CLEAN_WORD
};
#define WORD_COUNT (sizeof words / sizeof words[0])

static bool is_word_of(enum bl_clause_id clause, bl_str word)
{
    for (size_t i = 0; i < WORD_COUNT; i++) {
        if (words[i].clause == clause && bl_str_equal(bl_str_from(words[i].word), word))
            return true;
    }
    return false;
}

static void check_words(struct bl_checker *c, struct bl_clause *clause)
{
    for (uint32_t i = 0; i < clause->slots[0].count; i++) {
        const struct bl_node *node = clause->slots[0].nodes[i];
        struct bl_likeness like = bl_likeness_begin(node->text);
        struct bl_diagnostic *d;

        if (node->kind == BL_NODE_BROKEN || is_word_of(clause->id, node->text))
            continue;
        d = bl_sema_error(c, BL_D_UNKNOWN_KIND_NAME, node->span);
        bl_sema_arg(c, d, "kind", BL_STR("word of a sanitizer"));
        bl_sema_arg(c, d, "name", node->text);
        for (size_t k = 0; k < WORD_COUNT; k++) {
            if (words[k].clause == clause->id)
                bl_likeness_consider(&like, bl_str_from(words[k].word));
        }
        bl_likeness_help(c, &like, d, node->span);
    }
}

/* Other sanitizers come before those that are like them, so that no circle closes. */
static void check_like(struct bl_checker *c, const struct bl_symbol *symbol,
                       struct bl_clause *clause)
{
    for (uint32_t i = 0; i < clause->slots[0].count; i++) {
        struct bl_node *node = clause->slots[0].nodes[i];
        struct bl_symbol *other = bl_sema_find_kind(c, node, BL_SYMBOL_SANITIZER);

        if (other == NULL)
            continue;
        node->symbol = other;
        if (other->number >= symbol->number) {
            struct bl_diagnostic *d = bl_sema_error(c, BL_D_DEFINITION_CYCLE, node->span);
            bl_sema_arg(c, d, "name", symbol->name);
            bl_sema_help(c, d, "Declare '%.*s' in front of it.", BL_STR_ARG(other->name));
        }
    }
}

static void expect_slot(struct bl_checker *c, struct bl_clause *clause, unsigned slot,
                        bl_type want)
{
    if (bl_slot_node(clause, slot) != NULL)
        bl_sema_expect(c, bl_slot_node(clause, slot), want);
}

static void type_row(struct bl_checker *c, const struct bl_symbol *symbol,
                     struct bl_clause *clause)
{
    enum bl_clause_id id = clause->id;

    if (id == BL_CLAUSE_CLEAN_STRIP) {
        for (uint32_t i = 0; i < clause->slots[0].count; i++)
            bl_sema_expect(c, clause->slots[0].nodes[i], BL_TYPE_PATTERN);
        expect_slot(c, clause, 1, BL_TYPE_PATTERN);
    } else if (id == BL_CLAUSE_CLEAN_CUT) {
        expect_slot(c, clause, 0, BL_TYPE_INT);
    } else if (id == BL_CLAUSE_CLEAN_LIKE) {
        check_like(c, symbol, clause);
    } else if (id == BL_CLAUSE_CLEAN_CODE || id == BL_CLAUSE_CLEAN_DRAWN ||
               id == BL_CLAUSE_CLEAN_REMOVE || id == BL_CLAUSE_CLEAN_ESCAPE) {
        check_words(c, clause);
    } else if (bl_str_starts_with(bl_clause_info(id)->shape, BL_STR("keep|"))) {
        if (bl_slot_node(clause, 1) != NULL)
            bl_sema_condition(c, bl_slot_node(clause, 1));
        expect_slot(c, clause, 2, BL_TYPE_INT);
    }
}

void bl_sema_sanitizer(struct bl_checker *c, struct bl_symbol *symbol)
{
    struct bl_cleaner *cleaner = symbol->as.cleaner;
    struct bl_body body;

    bl_sema_body_begin(c, &body, symbol);
    body.ambients_given = true;
    cleaner->link =
        bl_scope_local(c, BL_LOCAL_PART, NULL, BL_STR("link"), BL_ENTITY_TYPE(LINK_PART), NULL);
    cleaner->ref = bl_scope_local(c, BL_LOCAL_PART, NULL, BL_STR("ref"),
                                  BL_ENTITY_TYPE(REFERENCE_PART), NULL);
    for (struct bl_clause *clause = symbol->clause->block; clause != NULL;
         clause = clause->next)
        type_row(c, symbol, clause);
    bl_sema_body_end(c);
}
