/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"

/* Findings of tools that a policy accepts: data, which rules see as `accepted`. */

static uint32_t read_reason(struct bl_checker *c, const struct bl_node *word)
{
    unsigned member = bl_enum_member_find(BL_ENUM_DISMISSAL, word->text);
    struct bl_likeness like = bl_likeness_begin(word->text);
    struct bl_diagnostic *d;

    if (member < bl_enum_member_count(BL_ENUM_DISMISSAL) || word->kind == BL_NODE_BROKEN)
        return member;
    d = bl_sema_error(c, BL_D_UNKNOWN_KIND_NAME, word->span);
    bl_sema_arg(c, d, "kind", BL_STR("reason to accept a finding"));
    bl_sema_arg(c, d, "name", word->text);
    for (unsigned i = 0; i < bl_enum_member_count(BL_ENUM_DISMISSAL); i++)
        bl_likeness_consider(&like, bl_enum_member(BL_ENUM_DISMISSAL, i));
    bl_likeness_help(c, &like, d, word->span);
    return 0;
}

/* A day that is written: what is accepted changes with no setting. */
static int64_t read_day(struct bl_checker *c, struct bl_node *node)
{
    bl_sema_constant(c, node, BL_TYPE_DATE);
    if (node->kind == BL_NODE_DATE)
        return node->number;
    if (node->kind != BL_NODE_BROKEN && !bl_is_error(node->type))
        bl_sema_error(c, BL_D_NOT_CONSTANT, node->span);
    return INT64_MIN;
}

static void read_accept(struct bl_checker *c, struct bl_file *file, struct bl_clause *clause)
{
    struct bl_accepted accepted = {.until = INT64_MIN, .span = clause->node->span};
    struct bl_accepted *slot;

    (void)file;
    if (clause->id != BL_CLAUSE_ACCEPT)
        return;
    accepted.tool = bl_sema_plain_text(c, bl_slot_node(clause, 0));
    accepted.rule = bl_sema_plain_text(c, bl_slot_node(clause, 1));
    for (struct bl_clause *row = clause->block; row != NULL; row = row->next) {
        struct bl_node *node = bl_slot_node(row, 0);

        if (row->id == BL_CLAUSE_ACCEPT_REASON)
            accepted.reason = read_reason(c, node);
        else if (row->id == BL_CLAUSE_ACCEPT_PATH)
            accepted.path = bl_sema_plain_text(c, node);
        else if (row->id == BL_CLAUSE_ACCEPT_COMMENT)
            accepted.comment = bl_sema_plain_text(c, node);
        else if (row->id == BL_CLAUSE_ACCEPT_UNTIL)
            accepted.until = read_day(c, node);
    }
    slot = BL_PUSH(c->arena, c->program->accepted);
    if (slot != NULL)
        *slot = accepted;
}

void bl_sema_accepted(struct bl_checker *c)
{
    bl_sema_each_clause(c, read_accept);
}
