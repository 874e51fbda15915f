/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"

/* `TASK answers N { … }` in a test: the parts of an answer that matter, in words. What a test
 * does not say is what is plainest: false, the least number, no text, an empty list. */

static const struct bl_field_declared *find_field(struct bl_checker *c, uint32_t record,
                                                  struct bl_node *name)
{
    const struct bl_record_declared *declared = &c->program->records.items[record];
    struct bl_likeness like = bl_likeness_begin(name->text);
    struct bl_diagnostic *d;

    for (size_t i = 0; i < declared->count; i++) {
        bl_likeness_consider(&like, declared->fields[i].name);
        if (bl_str_equal(declared->fields[i].name, name->text))
            return &declared->fields[i];
    }
    d = bl_sema_error(c, BL_D_UNKNOWN_KIND_NAME, name->span);
    bl_sema_arg(c, d, "kind", BL_STR("part of the answer"));
    bl_sema_arg(c, d, "name", name->text);
    bl_likeness_help(c, &like, d, name->span);
    return NULL;
}

static void report_value(struct bl_checker *c, const struct bl_clause *clause)
{
    struct bl_diagnostic *d = bl_sema_error(c, BL_D_PAIR_VALUE, clause->node->span);

    bl_sema_arg(c, d, "name", bl_slot_node(clause, 0)->text);
}

/* Elements of a list behind the name, each a value or a whole list. */
static void type_elements(struct bl_checker *c, struct bl_clause *clause, bl_type list)
{
    bl_type element = bl_type_element(list);

    for (uint32_t i = 0; i < clause->slots[1].count; i++) {
        struct bl_node *value = clause->slots[1].nodes[i];
        bl_type type = bl_sema_type(c, value, list);

        if (!bl_is_error(type) && !bl_sema_fits(type, list) && !bl_sema_fits(type, element))
            bl_sema_mismatch(c, value, element);
        bl_sema_settle(value, list);
    }
}

static struct bl_pair *type_pair(struct bl_checker *c, struct bl_clause *clause,
                                 const struct bl_field_declared *field)
{
    struct bl_pair *pair = BL_NEW(c->arena, struct bl_pair);
    bl_type type = bl_type_base(field->type);
    bool is_record = bl_type_kind(type) == BL_TYPE_RECORD;

    if (pair == NULL)
        return NULL;
    *pair = (struct bl_pair){.name = field->name, .span = clause->node->span};
    if (is_record != clause->has_block || (is_record && clause->slots[1].count > 0) ||
        (!is_record && clause->slots[1].count == 0) ||
        (!bl_type_is_list(type) && clause->slots[1].count > 1)) {
        report_value(c, clause);
        return NULL;
    }
    pair->values = clause->slots[1].nodes;
    pair->value_count = clause->slots[1].count;
    if (is_record)
        pair->inner = bl_sema_answer_pairs(c, clause->block, bl_type_ref(type));
    else if (bl_type_is_list(type))
        type_elements(c, clause, type);
    else
        bl_sema_expect(c, bl_slot_node(clause, 1), field->type);
    return pair;
}

struct bl_pair *bl_sema_answer_pairs(struct bl_checker *c, struct bl_clause *clauses,
                                     uint32_t record)
{
    struct bl_pair *first = NULL;
    struct bl_pair **tail = &first;

    for (struct bl_clause *clause = clauses; clause != NULL; clause = clause->next) {
        const struct bl_field_declared *field = find_field(c, record, bl_slot_node(clause, 0));
        bool twice = false;

        if (field == NULL)
            continue;
        for (const struct bl_pair *at = first; at != NULL; at = at->next)
            twice |= bl_str_equal(at->name, field->name) && !bl_type_is_list(field->type);
        if (twice) {
            struct bl_diagnostic *d =
                bl_sema_error(c, BL_D_DECLARED_TWICE, bl_slot_node(clause, 0)->span);

            bl_sema_arg(c, d, "name", field->name);
            continue;
        }
        *tail = type_pair(c, clause, field);
        if (*tail != NULL)
            tail = &(*tail)->next;
    }
    return first;
}
