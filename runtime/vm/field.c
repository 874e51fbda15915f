/* SPDX-License-Identifier: Apache-2.0 */
#include "base/time.h"
#include "vm/machine.h"

/* Fields: of things, which may cost a read, and of values that have fields of their own. */

static uint32_t declared_label(const struct bl_module *module, bl_str name)
{
    for (uint32_t i = 0; i < module->LABELS_count; i++) {
        if (bl_str_equal_nocase(bl_module_string(module, module->LABELS_rows[i].shown), name))
            return i;
    }
    return BL_NONE;
}

static enum bl_status label_options(struct bl_machine *machine,
                                    const struct bl_module_label *label, struct bl_value *out)
{
    struct bl_list *options = bl_list_create(machine->arena);

    if (options == NULL)
        return bl_machine_nomem(machine);
    for (uint32_t i = 0; label != NULL && i < label->option_count; i++) {
        struct bl_string_ref ref = machine->module->LABEL_OPTIONS_rows[label->first_option + i];
        enum bl_status status =
            bl_machine_push(machine, options, bl_text(bl_module_string(machine->module, ref)));
        if (status != BL_OK)
            return status;
    }
    *out = bl_list_value(options);
    return BL_OK;
}

/* What the policy declares of a label; one that it does not declare has no description and no
 * options. */
static enum bl_status label_field(struct bl_machine *machine, const struct bl_frame *frame,
                                  const struct bl_insn *insn)
{
    const struct bl_module *module = machine->module;
    struct bl_value name = frame->registers[insn->b];
    struct bl_value *out = &frame->registers[insn->a];
    uint32_t index = declared_label(module, bl_text_of(name));
    const struct bl_module_label *label = index != BL_NONE ? &module->LABELS_rows[index] : NULL;

    if (insn->c == BL_FIELD_LABEL_NAME) {
        *out = name;
    } else if (insn->c == BL_FIELD_LABEL_ASK) {
        *out = bl_bool(label != NULL && label->ask != 0);
    } else if (insn->c == BL_FIELD_LABEL_OPTIONS) {
        return label_options(machine, label, out);
    } else if (insn->c == BL_FIELD_LABEL_DESCRIPTION) {
        if (label != NULL && label->description_function != BL_NONE)
            return bl_frame_push(machine, label->description_function, NULL, 0, insn->a);
        *out =
            bl_text(label != NULL ? bl_module_string(module, label->description) : BL_STR(""));
    } else {
        return bl_machine_guard(machine, BL_STR("A label has no such field."));
    }
    return bl_charge(machine, module->LABELS_count);
}

/* Letters, digits and ._-/ alone, relative, and no step upwards. */
static bool is_plain_path(bl_str path)
{
    for (size_t i = 0; i < path.len; i++) {
        char c = path.ptr[i];

        if (!bl_is_ascii_alpha(c) && !bl_is_ascii_digit(c) && c != '.' && c != '_' &&
            c != '-' && c != '/')
            return false;
    }
    for (size_t from = 0; from <= path.len;) {
        size_t length = bl_str_find_char(bl_str_slice(path, from, path.len), '/');
        bl_str part = bl_str_slice(path, from, length == SIZE_MAX ? path.len : from + length);

        if (part.len == 0 || bl_str_equal(part, BL_STR(".")) ||
            bl_str_equal(part, BL_STR("..")))
            return false;
        from += part.len + 1;
    }
    return true;
}

static enum bl_status is_public(struct bl_machine *machine, struct bl_value name,
                                struct bl_value *out)
{
    enum bl_status status = bl_charge(machine, BL_CHARGE_READ);

    if (status != BL_OK)
        return status;
    if (machine->snapshot == NULL)
        return bl_machine_fail(machine, BL_ERR_READ, BL_STR("There is nothing to read from"));
    machine->failure = (struct bl_failure){0};
    status = bl_snapshot_query(machine->snapshot, BL_READ_REPOSITORY, &name, 1, out,
                               &machine->failure);
    /* A repository that is not there for us is one that not everyone may read. */
    if (status == BL_OK && bl_is_absent(*out))
        *out = bl_bool(false);
    return status;
}

/* Fields of values that are no things. */
static enum bl_status value_field(struct bl_machine *machine, const struct bl_frame *frame,
                                  const struct bl_insn *insn, enum bl_entity entity)
{
    struct bl_value v = frame->registers[insn->b];
    struct bl_value *out = &frame->registers[insn->a];

    if (entity == BL_ENTITY_LABEL)
        return label_field(machine, frame, insn);
    if (insn->c == BL_FIELD_REPOSITORY_NAME_PUBLIC)
        return is_public(machine, v, out);
    if (insn->c == BL_FIELD_TIME_DAY)
        *out = bl_number(BL_V_DATE, bl_day_of_time(v.as.i));
    else if (insn->c == BL_FIELD_DATE_MIDNIGHT)
        *out = bl_number(BL_V_TIME, v.as.i * BL_SECONDS_PER_DAY);
    else if (insn->c == BL_FIELD_DATE_DAY_OF_MONTH)
        *out = bl_int(bl_civil_from_days(v.as.i).day);
    else if (insn->c == BL_FIELD_PATH_PLAIN)
        *out = bl_bool(is_plain_path(bl_text_of(v)));
    else if (insn->c == BL_FIELD_PATH_TEXT)
        *out = v;
    else
        return bl_machine_guard(machine, BL_STR("A value has no such field."));
    return bl_charge_text(machine, v.tag == BL_V_TEXT ? v.len : 0);
}

enum bl_status bl_op_field(struct bl_machine *machine, const struct bl_frame *frame,
                           const struct bl_insn *insn)
{
    const struct bl_field_info *field = bl_field_info((enum bl_field)insn->c);
    const struct bl_entity_info *entity = field != NULL ? bl_entity_info(field->entity) : NULL;
    struct bl_value v = frame->registers[insn->b];

    if (entity == NULL || bl_is_absent(v))
        return bl_machine_guard(machine, BL_STR("A field is asked of nothing."));
    if (!entity->is_object)
        return value_field(machine, frame, insn, field->entity);
    struct bl_object *object = bl_object_of(v);
    if (object == NULL || object->entity != (unsigned)field->entity)
        return bl_machine_guard(machine, BL_STR("A field is asked of another thing."));
    struct bl_value out = bl_absent();
    enum bl_status status = bl_machine_field(machine, object, (enum bl_field)insn->c, &out);
    if (status != BL_OK)
        return status;
    /* Neither "no" nor "empty": the type promises a value, and nobody gave one. */
    if (bl_is_absent(out) && !bl_type_is_optional(field->type))
        return bl_machine_fail(machine, BL_ERR_READ,
                               BL_STR("A field that every such thing has is missing"));
    frame->registers[insn->a] = out;
    return BL_OK;
}

enum bl_status bl_op_attribute(struct bl_machine *machine, const struct bl_frame *frame,
                               const struct bl_insn *insn)
{
    const struct bl_module *module = machine->module;
    struct bl_value v = frame->registers[insn->b];
    const struct bl_const *constant = &module->CONSTS_rows[insn->c];
    bl_str name = {module->STRINGS_rows + constant->payload, constant->length};

    if (v.tag != BL_V_POSTED)
        return bl_machine_guard(machine, BL_STR("An attribute is asked of nothing."));
    const struct bl_module_comment *kind = &module->COMMENTS_rows[v.as.posted->kind];
    frame->registers[insn->a] = bl_absent();
    for (uint32_t i = 0; i < kind->attribute_count; i++) {
        const struct bl_module_member *row =
            &module->ATTRIBUTES_rows[kind->first_attribute + i];

        if (bl_str_equal(bl_module_string(module, row->name), name))
            frame->registers[insn->a] = v.as.posted->attributes[i];
    }
    return bl_charge(machine, kind->attribute_count);
}
