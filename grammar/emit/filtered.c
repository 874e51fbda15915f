/* SPDX-License-Identifier: Apache-2.0 */
#include "emit/lowering.h"

/* Lists that the world can give in part: of the open issues, where only those with one label
 * are wanted, only those are asked for. The condition is asked of each all the same, so the
 * label only keeps away what it would refuse. */

static bool is_open_issues(const struct bl_node *node)
{
    return node->kind == BL_NODE_FIELD && node->resolution == BL_RESOLVED_FIELD &&
           node->index == (uint32_t)BL_FIELD_REPOSITORY_OPEN_ISSUES &&
           node->kids[0]->kind == BL_NODE_NAME &&
           node->kids[0]->resolution == BL_RESOLVED_AMBIENT &&
           node->kids[0]->index == (uint32_t)BL_AMBIENT_REPOSITORY;
}

static bool is_element(const struct bl_node *node, const struct bl_symbol *element)
{
    return node->kind == BL_NODE_NAME && node->resolution == BL_RESOLVED_LOCAL &&
           node->symbol == element;
}

/* The label that each element must have: the first one of a conjunction. A constant, which
 * means the same before the loop as in it. */
static struct bl_node *demanded(struct bl_node *condition, const struct bl_symbol *element)
{
    if (condition->kind == BL_NODE_AND) {
        struct bl_node *label = demanded(condition->kids[0], element);
        return label != NULL ? label : demanded(condition->kids[1], element);
    }
    bool has = condition->kind == BL_NODE_COMPARE && condition->resolution == BL_RESOLVED_HAS &&
               condition->op == BL_OPERATOR_HAS && is_element(condition->kids[0], element) &&
               condition->kids[1]->resolution == BL_RESOLVED_LABEL;
    return has ? condition->kids[1] : NULL;
}

void bl_lower_filtered(struct bl_body *body, struct bl_node *list, struct bl_node *condition,
                       const struct bl_symbol *element, unsigned reg)
{
    struct bl_node *label =
        condition != NULL && is_open_issues(list) ? demanded(condition, element) : NULL;
    if (label == NULL) {
        bl_lower_into(body, list, reg);
        return;
    }
    size_t mark = bl_code_mark(body->code);
    unsigned name = bl_lower_as(body, label, BL_TYPE_LABEL);
    unsigned found = bl_lower_builtin(body, BL_BUILTIN_OPEN_ISSUES_WITH,
                                      bl_emit_type(body->e, list->type), &name, 1, list->span);
    bl_put(body, BL_OP_MOVE, reg, found, 0, list->span);
    bl_code_release(body->code, mark);
}
