/* SPDX-License-Identifier: Apache-2.0 */
#include "vm/machine.h"

/* Own comments: a marker counts in a comment of the module's account alone, since anyone can
 * copy one. */

static bl_str account_of(const struct bl_machine *machine)
{
    const struct bl_module *module = machine->module;
    struct bl_object *me = bl_object_of(machine->ambient[BL_AMBIENT_ME]);
    bl_str account = {NULL, 0};

    if (module->INFO_count > 0)
        account = bl_module_string(module, module->INFO_rows[0].account);
    return account.len > 0 || me == NULL ? account : me->name;
}

static enum bl_status is_ours(struct bl_machine *machine, struct bl_object *comment, bool *ours)
{
    struct bl_value author;
    bl_str account = account_of(machine);
    enum bl_status status =
        bl_machine_field(machine, comment, BL_FIELD_COMMENT_AUTHOR, &author);

    *ours = status == BL_OK && account.len > 0 && bl_object_of(author) != NULL &&
            bl_str_equal_nocase(bl_object_of(author)->name, account);
    return status;
}

enum bl_status bl_posted_of(struct bl_machine *machine, struct bl_object *comment,
                            const struct bl_posted **out)
{
    struct bl_value text = bl_absent();
    bool ours = false;

    *out = comment->marker;
    if (comment->marker_known)
        return BL_OK;
    enum bl_status status = is_ours(machine, comment, &ours);
    if (status == BL_OK && ours)
        status = bl_machine_field(machine, comment, BL_FIELD_COMMENT_TEXT, &text);
    if (status == BL_OK && ours) {
        struct bl_posted *posted;
        status =
            bl_marker_read(machine->arena, machine->module, comment, bl_text_of(text), &posted);
        comment->marker = posted;
        if (status != BL_OK)
            return bl_machine_nomem(machine);
    }
    if (status != BL_OK)
        return status;
    comment->marker_known = true;
    *out = comment->marker;
    return BL_OK;
}

static bool is_one_of(const struct bl_module *module, bl_type type, uint32_t kind)
{
    const struct bl_posted_set *set = &module->POSTED_SETS_rows[bl_type_ref(type)];

    for (uint32_t i = 0; i < set->count; i++) {
        if (module->POSTED_KINDS_rows[set->first + i] == kind)
            return true;
    }
    return false;
}

static struct bl_value posted_value(const struct bl_posted *posted)
{
    return (struct bl_value){.tag = BL_V_POSTED, .as.posted = posted};
}

/* The comments of an issue, or the list itself. */
static enum bl_status comments_of(struct bl_machine *machine, struct bl_value v,
                                  struct bl_value *out)
{
    struct bl_object *issue = bl_object_of(v);

    *out = v;
    if (v.tag == BL_V_LIST)
        return BL_OK;
    if (issue == NULL || issue->entity != BL_ENTITY_ISSUE)
        return bl_machine_guard(machine, BL_STR("Own comments are asked of nothing."));
    return bl_machine_field(machine, issue, BL_FIELD_ISSUE_COMMENTS, out);
}

enum bl_status bl_op_posted(struct bl_machine *machine, const struct bl_frame *frame,
                            const struct bl_insn *insn)
{
    bl_type type = insn->c;
    struct bl_list *found = bl_list_create(machine->arena);
    struct bl_value comments;

    if (found == NULL)
        return bl_machine_nomem(machine);
    enum bl_status status = comments_of(machine, frame->registers[insn->b], &comments);
    bool end = status != BL_OK || comments.tag != BL_V_LIST;
    for (uint32_t i = 0; status == BL_OK && !end; i++) {
        struct bl_value item;
        const struct bl_posted *posted = NULL;

        status = bl_machine_item(machine, comments.as.list, i, &item, &end);
        if (status == BL_OK && !end && bl_object_of(item) != NULL)
            status = bl_posted_of(machine, bl_object_of(item), &posted);
        if (status == BL_OK && posted != NULL && is_one_of(machine->module, type, posted->kind))
            status = bl_machine_push(machine, found, posted_value(posted));
    }
    if (status == BL_OK)
        frame->registers[insn->a] = bl_list_value(found);
    return status;
}

enum bl_status bl_op_as_posted(struct bl_machine *machine, const struct bl_frame *frame,
                               const struct bl_insn *insn)
{
    struct bl_object *comment = bl_object_of(frame->registers[insn->b]);
    const struct bl_posted *posted = NULL;
    enum bl_status status = BL_OK;

    if (comment != NULL && comment->entity == BL_ENTITY_COMMENT)
        status = bl_posted_of(machine, comment, &posted);
    if (status != BL_OK)
        return status;
    frame->registers[insn->a] =
        posted != NULL && is_one_of(machine->module, insn->c, posted->kind)
            ? posted_value(posted)
            : bl_absent();
    return BL_OK;
}
