/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"

/* Lists in documents: their order, how many elements they show, and what they say of the rest.
 */

bool bl_sema_is_of_list(enum bl_clause_id id)
{
    return id == BL_CLAUSE_ORDER || id == BL_CLAUSE_AT_MOST;
}

struct bl_counted *bl_sema_counted(struct bl_checker *c)
{
    struct bl_counted *counted = BL_NEW(c->arena, struct bl_counted);

    if (counted != NULL)
        counted->position =
            bl_scope_local(c, BL_LOCAL_POSITION, NULL, BL_STR("position"), BL_TYPE_INT, NULL);
    return counted;
}

/* ---- order
 * -------------------------------------------------------------------------------------- */

/* `order oldest E, most E` in pieces: words and expressions take turns. */
struct pieces {
    struct bl_checker *c;
    struct bl_counted *counted;
    struct bl_node *word; /* waits for its expression; NULL: a word comes next */
    bool broken;
};

static bool is_order_word(const struct bl_node *node)
{
    return node->kind == BL_NODE_NAME && (bl_str_equal(node->text, BL_STR("oldest")) ||
                                          bl_str_equal(node->text, BL_STR("most")));
}

static void add_key(struct pieces *p, struct bl_node *value)
{
    bool is_most = bl_str_equal(p->word->text, BL_STR("most"));
    bl_type want = is_most ? BL_TYPE_INT : BL_TYPE_TIME;
    bl_type type = bl_sema_type(p->c, value, BL_NO_TYPE);
    struct bl_order_key *slot;

    if (!bl_is_error(type) && bl_type_base(type) != want &&
        (is_most || bl_type_base(type) != BL_TYPE_DATE)) {
        bl_sema_mismatch(p->c, value, want);
        return;
    }
    slot = bl_arena_push(p->c->arena, (void **)&p->counted->keys, &p->counted->key_count,
                         &p->counted->key_capacity, sizeof *p->counted->keys);
    if (slot != NULL)
        *slot = (struct bl_order_key){value, is_most};
}

static void read_piece(struct pieces *p, struct bl_node *node)
{
    if (node->kind == BL_NODE_COMMA) {
        for (uint32_t i = 0; i < node->kid_count; i++)
            read_piece(p, node->kids[i]);
    } else if (p->word != NULL) {
        add_key(p, node);
        p->word = NULL;
    } else if (is_order_word(node)) {
        p->word = node;
    } else if (node->kind != BL_NODE_BROKEN) {
        p->broken = true;
    }
}

void bl_sema_order(struct bl_checker *c, struct bl_counted *counted, struct bl_clause *rows)
{
    for (struct bl_clause *row = rows; row != NULL; row = row->next) {
        struct pieces p = {.c = c, .counted = counted};

        if (row->id != BL_CLAUSE_ORDER)
            continue;
        for (uint32_t i = 0; i < row->slots[0].count; i++)
            read_piece(&p, row->slots[0].nodes[i]);
        if (p.broken || p.word != NULL || row->slots[0].count == 0)
            bl_sema_error(c, BL_D_ORDER_SHAPE, row->node->span);
    }
}

/* ---- how many
 * -------------------------------------------------------------------------------------- */

void bl_sema_at_most(struct bl_checker *c, struct bl_counted *counted, struct bl_clause *rows)
{
    struct bl_scope_mark scope = bl_scope_enter(c);

    for (struct bl_clause *row = rows; row != NULL; row = row->next) {
        if (row->id != BL_CLAUSE_AT_MOST)
            continue;
        counted->at_most = bl_slot_node(row, 0);
        bl_sema_expect(c, counted->at_most, BL_TYPE_INT);
        counted->more_text = bl_slot_node(row, 1);
        if (counted->more_text == NULL)
            continue;
        counted->more =
            bl_scope_local(c, BL_LOCAL_MORE, NULL, BL_STR("more"), BL_TYPE_INT, NULL);
        bl_sema_words(c, counted->more_text);
        bl_sema_put(c, counted->more_text, c->body->place);
    }
    bl_scope_leave(c, scope);
}
