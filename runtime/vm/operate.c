/* SPDX-License-Identifier: Apache-2.0 */
#include "base/num.h"
#include "base/time.h"
#include "vm/compose.h"

/* Operators. A value that is absent where none may be (a comment of an older version without an
 * attribute) makes comparisons false and numbers absent: it stops no run and says nothing. */

/* ---- constants --------------------------------------------------------------------------- */

/* What the workflow passes: a thing whose one field is read from the world by its name. */
static enum bl_status passed(struct bl_machine *machine, enum bl_entity entity, int64_t index,
                             struct bl_value *out)
{
    const struct bl_module_name *row = &machine->module->VARIABLES_rows[index];

    if (machine->snapshot == NULL)
        return bl_machine_fail(machine, BL_ERR_READ, BL_STR("There is nothing to read from"));
    struct bl_object *object = bl_snapshot_object(
        machine->snapshot, entity, 0, bl_module_string(machine->module, row->shown));
    if (object == NULL)
        return bl_machine_nomem(machine);
    *out = bl_object_value(object);
    return BL_OK;
}

enum bl_status bl_op_const(struct bl_machine *machine, const struct bl_frame *frame,
                           const struct bl_insn *insn)
{
    const struct bl_const *constant = &machine->module->CONSTS_rows[insn->c];
    struct bl_value *out = &frame->registers[insn->a];

    if (bl_type_kind(constant->type) == BL_TYPE_ENTITY)
        return passed(machine, (enum bl_entity)bl_type_ref(constant->type), constant->payload,
                      out);
    *out = bl_number(bl_tag_of_type(constant->type), constant->payload);
    if (out->tag == BL_V_TEXT)
        *out = bl_text(
            (bl_str){machine->module->STRINGS_rows + constant->payload, constant->length});
    else if (out->tag == BL_V_ENUM)
        out->aux = (uint16_t)bl_type_ref(constant->type);
    return BL_OK;
}

/* ---- comparisons ------------------------------------------------------------------------- */

/* The type that says how values of b and c compare: that of the label or repository when one
 * is. */
static bl_type compared_type(bl_type b, bl_type c)
{
    enum bl_type_kind kind = bl_type_kind(c);

    return kind == BL_TYPE_LABEL || kind == BL_TYPE_REPOSITORY_NAME ? bl_type_base(c)
                                                                    : bl_type_base(b);
}

static enum bl_status charge_pair(struct bl_machine *machine, struct bl_value b,
                                  struct bl_value c)
{
    return b.tag == BL_V_TEXT && c.tag == BL_V_TEXT && b.len == c.len
               ? bl_charge_text(machine, b.len)
               : BL_OK;
}

enum bl_status bl_op_equal(struct bl_machine *machine, const struct bl_frame *frame,
                           const struct bl_insn *insn, bool negated)
{
    struct bl_value b = frame->registers[insn->b];
    struct bl_value c = frame->registers[insn->c];
    bl_type type = compared_type(frame->types[insn->b], frame->types[insn->c]);
    bool equal = bl_value_equal(b, c, type);

    frame->registers[insn->a] = bl_bool(equal != negated);
    return charge_pair(machine, b, c);
}

enum bl_status bl_op_order(struct bl_machine *machine, const struct bl_frame *frame,
                           const struct bl_insn *insn, bool or_equal)
{
    struct bl_value b = frame->registers[insn->b];
    struct bl_value c = frame->registers[insn->c];
    bool holds = false;

    (void)machine;
    if (!bl_is_absent(b) && !bl_is_absent(c)) {
        int order = bl_value_order(b, c);
        holds = order < 0 || (or_equal && order == 0);
    }
    frame->registers[insn->a] = bl_bool(holds);
    return BL_OK;
}

enum bl_status bl_op_in(struct bl_machine *machine, const struct bl_frame *frame,
                        const struct bl_insn *insn)
{
    struct bl_value wanted = frame->registers[insn->b];
    struct bl_value list = frame->registers[insn->c];
    bl_type type = compared_type(frame->types[insn->b],
                                 bl_type_element(bl_type_base(frame->types[insn->c])));
    bool found = false;
    bool end = list.tag != BL_V_LIST || bl_is_absent(wanted);

    for (uint32_t i = 0; !found && !end; i++) {
        struct bl_value item;
        enum bl_status status = bl_machine_item(machine, list.as.list, i, &item, &end);

        if (status == BL_OK && !end) {
            found = bl_value_equal(wanted, item, type);
            status = charge_pair(machine, wanted, item);
        }
        if (status != BL_OK)
            return status;
    }
    frame->registers[insn->a] = bl_bool(found);
    return BL_OK;
}

enum bl_status bl_op_text(struct bl_machine *machine, const struct bl_frame *frame,
                          const struct bl_insn *insn)
{
    bl_str text = bl_text_of(frame->registers[insn->b]);
    bl_str part = bl_text_of(frame->registers[insn->c]);
    bool both =
        !bl_is_absent(frame->registers[insn->b]) && !bl_is_absent(frame->registers[insn->c]);
    bool holds = false;

    if (insn->op == BL_OP_CONTAINS)
        holds = both && bl_str_find(text, part) != SIZE_MAX;
    else if (insn->op == BL_OP_STARTS)
        holds = both && bl_str_starts_with(text, part);
    else
        holds = both && bl_str_ends_with(text, part);
    frame->registers[insn->a] = bl_bool(holds);
    return bl_charge_text(machine, insn->op == BL_OP_CONTAINS ? text.len : part.len);
}

enum bl_status bl_op_matches(struct bl_machine *machine, const struct bl_frame *frame,
                             const struct bl_insn *insn)
{
    struct bl_value text = frame->registers[insn->b];
    struct bl_value pattern = frame->registers[insn->c];
    bool finds =
        text.tag == BL_V_TEXT && pattern.tag == BL_V_PATTERN &&
        bl_pattern_matches(bl_machine_pattern(machine->module, pattern), bl_text_of(text));

    frame->registers[insn->a] = bl_bool(finds);
    return bl_charge_text(machine, text.tag == BL_V_TEXT ? text.len : 0);
}

static enum bl_status glob_one(struct bl_machine *machine, bl_str path, struct bl_value pattern,
                               bool *found)
{
    /* The work is the product of the lengths. */
    enum bl_status status =
        bl_charge(machine, (uint64_t)(pattern.len + 1u) * (path.len + 1) / 64);

    if (status == BL_OK && pattern.tag == BL_V_TEXT)
        *found = bl_glob_matches(bl_text_of(pattern), path);
    return status;
}

enum bl_status bl_op_glob(struct bl_machine *machine, const struct bl_frame *frame,
                          const struct bl_insn *insn)
{
    struct bl_value path = frame->registers[insn->b];
    struct bl_value patterns = frame->registers[insn->c];
    enum bl_status status = BL_OK;
    bool found = false;
    bool end = patterns.tag != BL_V_LIST || path.tag != BL_V_TEXT;

    if (patterns.tag == BL_V_TEXT && path.tag == BL_V_TEXT)
        status = glob_one(machine, bl_text_of(path), patterns, &found);
    for (uint32_t i = 0; status == BL_OK && !found && !end; i++) {
        struct bl_value pattern;

        status = bl_machine_item(machine, patterns.as.list, i, &pattern, &end);
        if (status == BL_OK && !end)
            status = glob_one(machine, bl_text_of(path), pattern, &found);
    }
    frame->registers[insn->a] = bl_bool(found);
    return status;
}

/* ---- numbers ----------------------------------------------------------------------------- */

static enum bl_status join_lists(struct bl_machine *machine, struct bl_value b,
                                 struct bl_value c, struct bl_value *out)
{
    struct bl_list *joined = bl_list_create(machine->arena);
    struct bl_value parts[] = {b, c};

    if (joined == NULL)
        return bl_machine_nomem(machine);
    for (size_t part = 0; part < 2; part++) {
        struct bl_list *list;
        enum bl_status status = bl_machine_list(machine, parts[part], &list);

        for (uint32_t i = 0; status == BL_OK && i < list->count; i++)
            status = bl_machine_push(machine, joined, list->items[i]);
        if (status != BL_OK)
            return status;
    }
    *out = bl_list_value(joined);
    return BL_OK;
}

static bool are(struct bl_value b, struct bl_value c, enum bl_value_tag b_tag,
                enum bl_value_tag c_tag)
{
    return b.tag == b_tag && c.tag == c_tag;
}

/* Days and lengths: a date moves by whole days, and what is left of a length moves it by none.
 */
static int64_t whole_days(struct bl_value duration)
{
    return bl_day_of_time(duration.as.i);
}

enum bl_status bl_op_add(struct bl_machine *machine, const struct bl_frame *frame,
                         const struct bl_insn *insn)
{
    struct bl_value b = frame->registers[insn->b];
    struct bl_value c = frame->registers[insn->c];
    struct bl_value *out = &frame->registers[insn->a];

    if (b.tag == BL_V_LIST && c.tag == BL_V_LIST)
        return join_lists(machine, b, c, out);
    if (b.tag == BL_V_TEXT && c.tag == BL_V_TEXT)
        return bl_compose_join(machine, (struct bl_value[]){b, c}, 2, out);
    if (are(b, c, BL_V_DATE, BL_V_DURATION))
        *out = bl_number(BL_V_DATE, bl_int_add(b.as.i, whole_days(c)));
    else if (are(b, c, BL_V_TIME, BL_V_DURATION) || b.tag == c.tag)
        *out = bl_is_absent(b)
                   ? bl_absent()
                   : bl_number((enum bl_value_tag)b.tag, bl_int_add(b.as.i, c.as.i));
    else
        *out = bl_absent();
    return BL_OK;
}

enum bl_status bl_op_subtract(struct bl_machine *machine, const struct bl_frame *frame,
                              const struct bl_insn *insn)
{
    struct bl_value b = frame->registers[insn->b];
    struct bl_value c = frame->registers[insn->c];
    struct bl_value *out = &frame->registers[insn->a];

    (void)machine;
    if (are(b, c, BL_V_DATE, BL_V_DURATION))
        *out = bl_number(BL_V_DATE, bl_int_sub(b.as.i, whole_days(c)));
    else if (are(b, c, BL_V_TIME, BL_V_TIME))
        *out = bl_number(BL_V_DURATION, bl_int_sub(b.as.i, c.as.i));
    else if (are(b, c, BL_V_TIME, BL_V_DURATION) || (b.tag == c.tag && !bl_is_absent(b)))
        *out = bl_number((enum bl_value_tag)b.tag, bl_int_sub(b.as.i, c.as.i));
    else
        *out = bl_absent();
    return BL_OK;
}

enum bl_status bl_op_multiply(struct bl_machine *machine, const struct bl_frame *frame,
                              const struct bl_insn *insn)
{
    struct bl_value b = frame->registers[insn->b];
    struct bl_value c = frame->registers[insn->c];
    struct bl_value *out = &frame->registers[insn->a];

    (void)machine;
    if (are(b, c, BL_V_INT, BL_V_PERCENT))
        *out = bl_int(bl_int_percent(b.as.i, c.as.i));
    else if (c.tag == BL_V_INT && !bl_is_absent(b))
        *out = bl_number((enum bl_value_tag)b.tag, bl_int_mul(b.as.i, c.as.i));
    else
        *out = bl_absent();
    return BL_OK;
}

/* ---- what is built ----------------------------------------------------------------------- */

enum bl_status bl_op_build(struct bl_machine *machine, const struct bl_frame *frame,
                           const struct bl_insn *insn)
{
    return bl_compose_join(machine, frame->registers + insn->b, insn->c,
                           &frame->registers[insn->a]);
}

enum bl_status bl_op_record(struct bl_machine *machine, const struct bl_frame *frame,
                            const struct bl_insn *insn)
{
    uint32_t count = machine->module->RECORDS_rows[insn->c].count;
    struct bl_value *fields = BL_NEW_ARRAY(machine->arena, count, struct bl_value);

    if (fields == NULL)
        return bl_machine_nomem(machine);
    for (uint32_t i = 0; i < count; i++)
        fields[i] = frame->registers[insn->b + i];
    frame->registers[insn->a] = (struct bl_value){
        .tag = BL_V_RECORD, .aux = (uint16_t)insn->c, .len = count, .as.fields = fields};
    return bl_charge(machine, count);
}

/* The loops of this function, and of those that wait for it. */
static void say_where(struct bl_machine *machine, const struct bl_insn *insn)
{
    struct bl_verdict_place *place = machine->verdict;

    *place = (struct bl_verdict_place){.insn = (uint32_t)(insn - machine->module->CODE_rows)};
    for (size_t depth = machine->state->depth; depth > 0; depth--) {
        const struct bl_frame *frame = &machine->state->frames[depth - 1];
        for (unsigned i = frame->loop_count; i > 0; i--) {
            if (place->item_count < BL_VERDICT_ITEMS)
                place->items[place->item_count++] = frame->loops[i - 1].item;
        }
    }
}

enum bl_status bl_op_verdict(struct bl_machine *machine, const struct bl_frame *frame,
                             const struct bl_insn *insn)
{
    static const enum bl_field fields[] = {BL_FIELD_VERDICT_PASSES, BL_FIELD_VERDICT_RULE,
                                           BL_FIELD_VERDICT_TEXT};
    struct bl_object *verdict =
        bl_object_create(machine->arena, BL_ENTITY_VERDICT, 0, (bl_str){NULL, 0});

    if (verdict == NULL)
        return bl_machine_nomem(machine);
    for (unsigned i = 0; i < 3; i++)
        bl_object_set(verdict, fields[i], frame->registers[insn->b + i]);
    frame->registers[insn->a] = bl_object_value(verdict);
    if (machine->verdict != NULL)
        say_where(machine, insn);
    return BL_OK;
}

enum bl_status bl_op_effect(struct bl_machine *machine, const struct bl_frame *frame,
                            const struct bl_insn *insn)
{
    const struct bl_site *site = &machine->module->SITES_rows[insn->c];
    size_t count = insn->b;

    if (machine->planned.count >= bl_limit(BL_LIMIT_EFFECTS))
        return bl_machine_fail(machine, BL_ERR_LIMIT, BL_STR("Too many effects are planned."));
    struct bl_value *args = BL_NEW_ARRAY(machine->arena, count, struct bl_value);
    struct bl_planned *planned =
        args != NULL ? BL_PUSH(machine->arena, machine->planned) : NULL;
    if (planned == NULL)
        return bl_machine_nomem(machine);
    for (size_t i = 0; i < count; i++)
        args[i] = frame->registers[insn->a + i];
    *planned = (struct bl_planned){
        .site = site,
        .effect = (enum bl_effect)site->kind,
        .entry = machine->entry,
        .chain = machine->chain,
        .position = machine->position++,
        .args = args,
        .arg_count = count,
        .insn = frame->function->first_insn + frame->pc - 1,
    };
    return bl_charge(machine, count);
}

enum bl_status bl_op_step(struct bl_machine *machine, const struct bl_frame *frame,
                          const struct bl_insn *insn)
{
    if (machine->host == NULL)
        return bl_machine_guard(machine, BL_STR("Steps are for tests."));
    return machine->host->step(machine->host->context, &machine->module->SITES_rows[insn->c],
                               frame->registers + insn->a, insn->b);
}

/* A language without words of its own for this takes those of the language that it is like, and
 * at last those of the reference: a comment never fails for want of a text. */
enum bl_status bl_op_message(struct bl_machine *machine, const struct bl_frame *frame,
                             const struct bl_insn *insn)
{
    const struct bl_module *module = machine->module;
    const struct bl_module_message *message = &module->MESSAGES_rows[insn->c];
    uint32_t locale = bl_machine_locale(machine);

    for (unsigned step = 0; locale != BL_NONE; step++) {
        uint32_t function = module->MESSAGE_FUNCTIONS_rows[message->first_function + locale];

        if (function != BL_NONE)
            return bl_frame_push(machine, function, frame->registers + insn->b,
                                 message->param_count, insn->a);
        locale = bl_locale_fallback(module, locale, step);
    }
    return bl_machine_guard(machine, BL_STR("A message has no words in any language."));
}
