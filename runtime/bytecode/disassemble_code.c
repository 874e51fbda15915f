/* SPDX-License-Identifier: Apache-2.0 */
#include "bytecode/disassembler_parts.h"
#include "spec/signature.h"

/* Functions: their registers with types, and their code, an instruction a line:
 *
 *     L1:
 *       ? eq           r3, r1, r2          ? : a condition that a person wrote
 *         jump-unless  r3, L2
 *
 * Instructions have no numbers, so that a golden changes where the code does. */

struct in_function {
    const struct bl_listing *l;
    const struct bl_function *f;
    const struct bl_insn *code;
    uint32_t insn_count;
    const bl_type *types;
    uint32_t *labels; /* by instruction: number of its label, 0 when nothing jumps there */
    const struct bl_map_row *place; /* of the instruction before */
    struct bl_listing_line line;    /* shown last */
};

/* ---- labels -------------------------------------------------------------------------------
 */

static bool jumps(const struct bl_insn *insn)
{
    enum bl_operand kind = bl_op_info((enum bl_opcode)insn->op)->c;

    return kind == BL_OPERAND_JUMP || kind == BL_OPERAND_LOOP;
}

static void number_labels(struct in_function *f)
{
    uint32_t number = 0;

    f->labels = BL_NEW_ARRAY(f->l->out->arena, f->insn_count, uint32_t);
    for (uint32_t i = 0; f->labels != NULL && i < f->insn_count; i++) {
        if (jumps(&f->code[i]))
            f->labels[f->code[i].c] = 1;
    }
    for (uint32_t i = 0; f->labels != NULL && i < f->insn_count; i++) {
        if (f->labels[i] != 0)
            f->labels[i] = ++number;
    }
}

/* ---- operands -----------------------------------------------------------------------------
 */

static uint32_t range_count(const struct bl_module *m, const struct bl_insn *insn)
{
    if (insn->op == BL_OP_CALL || insn->op == BL_OP_GATE || insn->op == BL_OP_ATTEMPT)
        return m->FUNCTIONS_rows[insn->c].param_count;
    if (insn->op == BL_OP_RECORD)
        return m->RECORDS_rows[insn->c].count;
    if (insn->op == BL_OP_VERDICT)
        return 3;
    if (insn->op == BL_OP_CLEAN)
        return BL_CLEAN_REGISTERS;
    if (insn->op == BL_OP_BUILD)
        return insn->c;
    if (insn->op == BL_OP_MESSAGE)
        return m->MESSAGES_rows[insn->c].param_count;
    if (insn->op == BL_OP_EFFECT || insn->op == BL_OP_STEP)
        return insn->b;
    struct bl_signature signature;
    if (insn->op == BL_OP_BUILTIN &&
        bl_signature_read(bl_builtin_info((enum bl_builtin)insn->c), &signature))
        return (uint32_t)signature.count;
    return 0;
}

static void put_range(const struct in_function *f, uint32_t first, uint32_t count)
{
    if (count == 0)
        BL_PUT(f->l->out, "()");
    else if (count == 1)
        bl_buf_printf(f->l->out, "(r%u)", first);
    else
        bl_buf_printf(f->l->out, "(r%u-r%u)", first, first + count - 1);
}

static void put_field(const struct in_function *f, uint32_t number)
{
    const struct bl_field_info *field = bl_field_info((enum bl_field)number);

    bl_buf_put(f->l->out, bl_entity_info(field->entity)->name);
    bl_buf_put_char(f->l->out, '.');
    bl_buf_put(f->l->out, field->name);
}

static void put_event(const struct in_function *f, uint32_t number)
{
    const struct bl_event_info *event = bl_event_info((enum bl_event_id)number);

    bl_buf_put(f->l->out, event->event);
    if (event->action.len > 0)
        bl_buf_put_char(f->l->out, '.');
    bl_buf_put(f->l->out, event->action);
}

static void put_site(const struct in_function *f, uint8_t op, uint32_t number)
{
    const struct bl_module *m = f->l->m;
    const struct bl_site *site = &m->SITES_rows[number];
    const struct bl_effect_info *effect = bl_effect_info((enum bl_effect)site->kind);
    const struct bl_step_info *step = bl_step_info((enum bl_step)site->kind);
    bool has_kind = op == BL_OP_EFFECT ? site->kind == BL_EFFECT_POST
                                       : site->kind == BL_STEP_GIVEN_ISSUE_POSTED;

    if (op == BL_OP_EFFECT && effect != NULL)
        bl_buf_put(f->l->out, effect->words);
    else if (op == BL_OP_STEP && step != NULL)
        bl_buf_put(f->l->out, step->words);
    if (op == BL_OP_EFFECT && site->kind == BL_EFFECT_KEEP) {
        bl_buf_put_char(f->l->out, ' ');
        bl_list_string(f->l, m->STORES_rows[BL_KEEP_STORE(site->detail)].name);
        bl_buf_printf(f->l->out, ":%x", site->detail >> 8);
    }
    if (op != BL_OP_EXPECT && has_kind && site->detail < m->COMMENTS_count) {
        bl_buf_put_char(f->l->out, ' ');
        bl_list_string(f->l, m->COMMENTS_rows[site->detail].name);
    }
}

static void put_number(const struct in_function *f, const struct bl_insn *insn,
                       enum bl_operand kind, uint32_t value)
{
    const struct bl_module *m = f->l->m;
    struct bl_buf *out = f->l->out;

    switch (kind) {
    case BL_OPERAND_DST:
        if (insn->op == BL_OP_CALL && value == BL_NO_REGISTER)
            bl_buf_put_char(out, '-');
        else
            bl_buf_printf(out, "r%u", value);
        return;
    case BL_OPERAND_SRC:
        bl_buf_printf(out, "r%u", value);
        return;
    case BL_OPERAND_RANGE:
        put_range(f, value, range_count(m, insn));
        return;
    case BL_OPERAND_CONST:
        bl_list_const(f->l, &m->CONSTS_rows[value]);
        return;
    case BL_OPERAND_FN:
        bl_list_function(f->l, value);
        return;
    case BL_OPERAND_FIELD:
        put_field(f, value);
        return;
    case BL_OPERAND_BUILTIN:
        bl_buf_put(out, bl_builtin_info((enum bl_builtin)value)->name);
        return;
    case BL_OPERAND_AMBIENT:
        bl_buf_put(out, bl_ambient_info((enum bl_ambient)value)->name);
        return;
    case BL_OPERAND_EVENT:
        put_event(f, value);
        return;
    case BL_OPERAND_PLACE:
        bl_buf_put(out, bl_place_name((enum bl_place)value));
        return;
    case BL_OPERAND_RECORD:
        bl_list_string(f->l, m->RECORDS_rows[value].name);
        return;
    case BL_OPERAND_MEMBER:
        value += m->RECORDS_rows[bl_type_ref(f->types[insn->b])].first;
        bl_list_string(f->l, m->RECORD_FIELDS_rows[value].name);
        return;
    case BL_OPERAND_TYPE:
        bl_list_type(f->l, value);
        return;
    case BL_OPERAND_SITE:
        put_site(f, insn->op, value);
        return;
    case BL_OPERAND_JUMP:
    case BL_OPERAND_LOOP:
        bl_buf_printf(out, "L%u", f->labels != NULL ? f->labels[value] : 0);
        return;
    case BL_OPERAND_SETTING:
        bl_list_string(f->l, m->SETTINGS_rows[value].name);
        return;
    case BL_OPERAND_MESSAGE:
        bl_list_string(f->l, m->MESSAGES_rows[value].name);
        return;
    case BL_OPERAND_SANITIZER:
        bl_list_string(f->l, m->SANITIZERS_rows[value].name);
        return;
    case BL_OPERAND_SOUGHT:
        bl_list_sought(f->l, value);
        return;
    case BL_OPERAND_SECRETS:
        bl_list_string(f->l, m->SECRETS_rows[value].name);
        return;
    case BL_OPERAND_TRUTH:
        bl_buf_put(f->l->out, value != 0 ? BL_STR("true") : BL_STR("false"));
        return;
    case BL_OPERAND_STORE:
        bl_list_string(f->l, m->STORES_rows[value].name);
        return;
    case BL_OPERAND_NO:
    case BL_OPERAND_COUNT:
        break;
    }
}

/* ---- lines --------------------------------------------------------------------------------
 */

static void list_insn(const struct in_function *f, const struct bl_insn *insn, bool condition)
{
    const struct bl_op_info *info = bl_op_info((enum bl_opcode)insn->op);
    const enum bl_operand kinds[] = {info->a, info->b, info->c};
    const uint32_t values[] = {insn->a, insn->b, insn->c};
    bool is_first = true;

    bl_buf_put(f->l->out, condition ? BL_STR("  ? ") : BL_STR("    "));
    bl_buf_put(f->l->out, info->mnemonic);
    for (size_t i = 0; i < 3; i++) {
        /* A range says how many; an expectation is known by its place. */
        if (kinds[i] == BL_OPERAND_NO || kinds[i] == BL_OPERAND_COUNT ||
            (insn->op == BL_OP_EXPECT && i == 2))
            continue;
        for (size_t pad = info->mnemonic.len; is_first && pad < 11; pad++)
            bl_buf_put_char(f->l->out, ' ');
        bl_buf_put(f->l->out, is_first ? BL_STR("  ") : BL_STR(", "));
        put_number(f, insn, kinds[i], values[i]);
        is_first = false;
    }
    bl_buf_put_char(f->l->out, '\n');
}

/* The line of the source, where it is another than the one before. */
static void list_place(struct in_function *f, const struct bl_map_row *row)
{
    if (row == NULL || row == f->place)
        return;
    struct bl_listing_line line = bl_list_line(f->l, row->source, row->lo);
    f->place = row;
    if (line.source == BL_NO_SOURCE ||
        (line.source == f->line.source && line.line == f->line.line))
        return;
    f->line = line;
    BL_PUT(f->l->out, "  ; ");
    bl_list_place(f->l, line);
    BL_PUT(f->l->out, "\n");
}

static void list_head(const struct in_function *f, uint32_t index)
{
    static const char *const kinds[] = {"function", "entry", "test"};
    const struct bl_listing *l = f->l;

    bl_buf_printf(l->out, "\n%s ", kinds[f->f->kind]);
    bl_list_function(l, index);
    BL_PUT(l->out, "(");
    for (unsigned i = 0; i < f->f->param_count; i++) {
        if (i > 0)
            BL_PUT(l->out, ", ");
        bl_list_type(l, f->types[i]);
    }
    BL_PUT(l->out, ")");
    if (f->f->result != BL_TYPE_NONE) {
        BL_PUT(l->out, " : ");
        bl_list_type(l, f->f->result);
    }
    if (f->f->job != BL_NONE) {
        BL_PUT(l->out, " job ");
        bl_list_string(l, l->m->JOBS_rows[f->f->job].name);
    }
    BL_PUT(l->out, "\n");
}

static void list_registers(const struct in_function *f)
{
    for (unsigned i = f->f->param_count; i < f->f->register_count;) {
        unsigned last = i;

        while (last + 1 < f->f->register_count && f->types[last + 1] == f->types[i])
            last++;
        if (last > i)
            bl_buf_printf(f->l->out, "  r%u-r%u ", i, last);
        else
            bl_buf_printf(f->l->out, "  r%u ", i);
        bl_list_type(f->l, f->types[i]);
        BL_PUT(f->l->out, "\n");
        i = last + 1;
    }
}

void bl_list_code(const struct bl_listing *l, uint32_t function)
{
    const struct bl_function *row = &l->m->FUNCTIONS_rows[function];
    struct in_function f = {
        .l = l,
        .f = row,
        .code = bl_module_code(l->m, row),
        .insn_count = bl_module_insn_count(l->m, row),
        .types = bl_module_registers(l->m, row),
        .line = {BL_NO_SOURCE, 0},
    };

    number_labels(&f);
    list_head(&f, function);
    list_registers(&f);
    for (uint32_t i = 0; i < f.insn_count; i++) {
        const struct bl_map_row *place = bl_module_place(l->m, row->first_insn + i);
        bool is_own = place != NULL && place->insn == i;

        if (f.labels != NULL && f.labels[i] != 0)
            bl_buf_printf(l->out, "  L%u:\n", f.labels[i]);
        list_place(&f, place);
        list_insn(&f, &f.code[i], is_own && place->flags == BL_MAP_CONDITION);
    }
}
