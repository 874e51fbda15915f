/* SPDX-License-Identifier: Apache-2.0 */
#include "syntax/ast.h"

#include "syntax/parser.h"

_Static_assert(BL_NESTING_MAX < UINT16_MAX, "a height has 16 bits");

struct bl_node *bl_node_make(struct bl_parser *parser, enum bl_node_kind kind,
                             struct bl_span span)
{
    struct bl_node *node = BL_NEW(parser->arena, struct bl_node);

    if (node == NULL) {
        /* The parse ends at the next token; until then its actions need something to write to.
         */
        parser->spare = (struct bl_node){.kind = BL_NODE_BROKEN, .height = 1};
        return &parser->spare;
    }
    node->kind = kind;
    node->span = span;
    node->height = 1;
    return node;
}

void bl_too_deep(struct bl_parser *parser, struct bl_span span)
{
    if (parser->too_deep) {
        return;
    }
    parser->too_deep = true;
    struct bl_diagnostic *d = bl_report(parser->sink, BL_D_TOO_DEEP, span);
    bl_diagnostic_int(parser->sink, d, "limit", BL_NESTING_MAX);
}

/* The array has room for a power of two, at least two, so a count that is one says that it is
 * full. */
static bool make_room(struct bl_parser *parser, struct bl_node *node)
{
    size_t count = node->kid_count;

    if (count != 0 && (count < 2 || (count & (count - 1)) != 0)) {
        return true;
    }
    size_t size = count * sizeof(node->kids[0]);
    size_t wanted = count == 0 ? 2 * sizeof(node->kids[0]) : 2 * size;
    struct bl_node **kids = bl_arena_grow(parser->arena, node->kids, size, wanted);

    if (kids == NULL) {
        return false;
    }
    node->kids = kids;
    return true;
}

void bl_node_add(struct bl_parser *parser, struct bl_node *node, struct bl_node *kid)
{
    if (node == &parser->spare || kid == &parser->spare) {
        return;
    }
    if (kid != NULL && kid->kind == BL_NODE_BLOCK &&
        (node->kind == BL_NODE_BLOCK || node->kind == BL_NODE_FILE)) {
        for (uint32_t i = 0; i < kid->kid_count; i++) {
            bl_node_add(parser, node, kid->kids[i]);
        }
        return;
    }
    if (kid != NULL && kid->height >= BL_NESTING_MAX && node->kind != BL_NODE_FILE) {
        bl_too_deep(parser, kid->span);
        kid = bl_node_make(parser, BL_NODE_BROKEN, kid->span);
    }
    if (node->kid_count == UINT32_MAX || !make_room(parser, node)) {
        return;
    }
    node->kids[node->kid_count++] = kid;
    if (kid == NULL) {
        return;
    }
    node->span = bl_span_join(node->span, kid->span);
    if (kid->height >= node->height) {
        node->height = (uint16_t)(kid->height + 1);
    }
}

struct bl_node *bl_node_make1(struct bl_parser *parser, enum bl_node_kind kind,
                              struct bl_span span, struct bl_node *a)
{
    struct bl_node *node = bl_node_make(parser, kind, span);

    bl_node_add(parser, node, a);
    return node;
}

struct bl_node *bl_node_make2(struct bl_parser *parser, enum bl_node_kind kind,
                              struct bl_span span, struct bl_node *a, struct bl_node *b)
{
    struct bl_node *node = bl_node_make1(parser, kind, span, a);

    bl_node_add(parser, node, b);
    return node;
}

struct bl_node *bl_node_make3(struct bl_parser *parser, enum bl_node_kind kind,
                              struct bl_span span, struct bl_node *a, struct bl_node *b,
                              struct bl_node *c)
{
    struct bl_node *node = bl_node_make2(parser, kind, span, a, b);

    bl_node_add(parser, node, c);
    return node;
}

struct bl_node *bl_node_make_word(struct bl_parser *parser, enum bl_node_kind kind,
                                  struct bl_span span, bl_str word, struct bl_span word_span)
{
    struct bl_node *node = bl_node_make(parser, kind, span);

    node->text = word;
    node->name_span = word_span;
    return node;
}

struct bl_node *bl_node_make_operator(struct bl_parser *parser, enum bl_node_kind kind,
                                      struct bl_span span, enum bl_operator op,
                                      struct bl_node *a, struct bl_node *b)
{
    struct bl_node *node = bl_node_make2(parser, kind, span, a, b);

    node->op = op;
    return node;
}

struct bl_node *bl_clause_make(struct bl_parser *parser, struct bl_node *phrase,
                               struct bl_node *value, struct bl_span value_span,
                               struct bl_node *block)
{
    struct bl_span span = phrase->span;

    if (value != NULL) {
        span = bl_span_join(span, value_span);
    }
    if (block != NULL) {
        span = bl_span_join(span, block->span);
    }
    return bl_node_make3(parser, BL_NODE_CLAUSE, span, phrase, value, block);
}

struct bl_node *bl_phrase_break(struct bl_parser *parser, struct bl_node *phrase,
                                struct bl_span span)
{
    struct bl_node *broken = bl_node_make(parser, BL_NODE_BROKEN, span);

    if (phrase == NULL) {
        return bl_node_make1(parser, BL_NODE_PHRASE, span, broken);
    }
    bl_node_add(parser, phrase, broken);
    phrase->span = bl_span_join(phrase->span, span);
    return phrase;
}

struct bl_node *bl_phrase_absence(struct bl_parser *parser, struct bl_node *phrase,
                                  struct bl_span no, struct bl_span name, struct bl_span next)
{
    bl_str word = bl_parser_slice(parser, name);

    if (phrase->kid_count != 1 || !bl_str_equal(phrase->kids[0]->text, BL_STR("expect")) ||
        !bl_str_equal(word, BL_STR("effect"))) {
        bl_unexpected(parser, next, UINT32_C(1) << BL_EXPECT_IN);
        return bl_phrase_break(parser, phrase, bl_span_join(no, name));
    }
    bl_node_add(parser, phrase,
                bl_node_make_word(parser, BL_NODE_NAME, no, bl_parser_slice(parser, no), no));
    bl_node_add(parser, phrase, bl_node_make_word(parser, BL_NODE_NAME, name, word, name));
    phrase->span = bl_span_join(phrase->span, name);
    return phrase;
}

/* `first`, or a node of `kind` that holds it and grows: such a node stands for the list alone
 * when no parentheses are around it. */
static struct bl_node *list_add(struct bl_parser *parser, enum bl_node_kind kind,
                                struct bl_node *first, struct bl_node *next,
                                struct bl_span span)
{
    if (first->kind != kind || first->parenthesised) {
        return bl_node_make2(parser, kind, span, first, next);
    }
    bl_node_add(parser, first, next);
    first->span = span;
    return first;
}

struct bl_node *bl_comma_add(struct bl_parser *parser, struct bl_node *first,
                             struct bl_node *next, struct bl_span span)
{
    return list_add(parser, BL_NODE_COMMA, first, next, span);
}

struct bl_node *bl_parameter_add(struct bl_parser *parser, struct bl_node *first,
                                 struct bl_node *next, struct bl_span span)
{
    return list_add(parser, BL_NODE_PARAMETER, first, next, span);
}

struct bl_node *bl_node_copy(struct bl_arena *arena, const struct bl_node *node)
{
    struct bl_node *copy = node != NULL ? BL_NEW(arena, struct bl_node) : NULL;

    if (copy == NULL)
        return NULL;
    *copy = *node;
    copy->type = copy->declared = BL_TYPE_ERROR;
    copy->resolution = 0;
    copy->symbol = NULL;
    copy->index = 0;
    copy->kids = BL_NEW_ARRAY(arena, node->kid_count + 1, struct bl_node *);
    for (uint32_t i = 0; copy->kids != NULL && i < node->kid_count; i++)
        copy->kids[i] = bl_node_copy(arena, node->kids[i]);
    return copy->kids != NULL ? copy : NULL;
}
