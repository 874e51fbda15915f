/* SPDX-License-Identifier: Apache-2.0 */
#include "bytecode/builder_parts.h"

#include <string.h>

/* Functions under construction. Targets stand in operand c as their number until the end, when
 * every place is known. */

static bool is_good(const struct bl_code *code)
{
    return code != NULL && bl_builder_is_good(code->builder);
}

struct bl_code *bl_code_begin(struct bl_builder *b, bl_str name, enum bl_function_kind kind,
                              bl_type result, uint32_t job)
{
    struct bl_code *code = bl_builder_is_good(b) ? BL_NEW(b->arena, struct bl_code) : NULL;

    if (code == NULL) {
        bl_builder_fail(b, BL_ERR_NOMEM);
        return NULL;
    }
    code->builder = b;
    code->joined = BL_NONE;
    code->row = (struct bl_function){.name = bl_builder_string(b, name),
                                     .kind = (uint8_t)kind,
                                     .result = result,
                                     .job = job};
    return code;
}

/* ---- registers ----------------------------------------------------------------------------
 */

static bool add_registers(struct bl_code *code, unsigned count)
{
    if (code->row.register_count + count > bl_limit(BL_LIMIT_REGISTERS)) {
        bl_builder_over(code->builder, BL_LIMIT_REGISTERS);
        return false;
    }
    code->row.register_count = (uint16_t)(code->row.register_count + count);
    return true;
}

unsigned bl_code_param(struct bl_code *code, bl_type type)
{
    if (!is_good(code))
        return 0;
    if (code->row.register_count != code->row.param_count) {
        bl_builder_wrong(code->builder, "parameters come before other registers");
        return 0;
    }
    unsigned reg = code->row.register_count;
    if (!add_registers(code, 1))
        return 0;
    code->types[reg] = type;
    code->in_use[reg] = true;
    code->row.param_count++;
    return reg;
}

/* Is register `reg` free for this type, or not there yet? */
static bool is_free_for(const struct bl_code *code, unsigned reg, bl_type type)
{
    return reg >= code->row.register_count || (!code->in_use[reg] && code->types[reg] == type);
}

static unsigned find_range(const struct bl_code *code, const bl_type *types, size_t count)
{
    unsigned first = code->row.param_count;

    for (size_t i = 0; i < count && first + i < code->row.register_count;) {
        if (is_free_for(code, first + (unsigned)i, types[i])) {
            i++;
        } else {
            first++;
            i = 0;
        }
    }
    return first;
}

unsigned bl_code_range(struct bl_code *code, const bl_type *types, size_t count)
{
    if (!is_good(code) || count == 0)
        return 0;
    if (count > bl_limit(BL_LIMIT_REGISTERS)) {
        bl_builder_over(code->builder, BL_LIMIT_REGISTERS);
        return 0;
    }
    unsigned first = find_range(code, types, count);
    unsigned end = first + (unsigned)count;
    if (end > code->row.register_count && !add_registers(code, end - code->row.register_count))
        return 0;
    for (unsigned i = 0; i < count; i++) {
        uint8_t *taken = BL_PUSH(code->builder->arena, code->taken);

        if (taken == NULL) {
            bl_builder_fail(code->builder, BL_ERR_NOMEM);
            return 0;
        }
        *taken = (uint8_t)(first + i);
        code->types[first + i] = types[i];
        code->in_use[first + i] = true;
    }
    return first;
}

unsigned bl_code_register(struct bl_code *code, bl_type type)
{
    return bl_code_range(code, &type, 1);
}

size_t bl_code_mark(const struct bl_code *code)
{
    return code != NULL ? code->taken.count : 0;
}

void bl_code_release(struct bl_code *code, size_t mark)
{
    while (code != NULL && code->taken.count > mark)
        code->in_use[code->taken.items[--code->taken.count]] = false;
}

/* ---- instructions -------------------------------------------------------------------------
 */

static void add_map_row(struct bl_code *code, struct bl_map_row row)
{
    struct bl_map_row *at = BL_PUSH(code->builder->arena, code->map);

    if (at == NULL) {
        bl_builder_fail(code->builder, BL_ERR_NOMEM);
        return;
    }
    *at = row;
}

/* Cannot fail and are no condition: nobody asks for their place, so that of the instruction
 * before is good enough. */
static bool is_quiet(enum bl_opcode op)
{
    return op == BL_OP_CONST || op == BL_OP_ABSENT || op == BL_OP_MOVE || op == BL_OP_FIRED ||
           op == BL_OP_JUMP || op == BL_OP_JUMP_IF || op == BL_OP_JUMP_UNLESS ||
           op == BL_OP_RETURN || op == BL_OP_RETURN_BOOL || op == BL_OP_END;
}

/* Of `issue.title`: did the row before only fetch `issue`? The field takes it over. */
static bool is_of_this_thing(const struct bl_code *code, const struct bl_map_row *place)
{
    if (code->map.count == 0)
        return false;
    const struct bl_map_row *last = &code->map.items[code->map.count - 1];
    return last->insn + 1u == place->insn && last->flags == 0 &&
           last->source == place->source && last->lo <= place->lo &&
           place->lo <= bl_map_hi(last) + 1 &&
           code->insns.items[last->insn].op == BL_OP_AMBIENT;
}

static uint16_t place_length(uint32_t lo, uint32_t hi)
{
    return (uint16_t)(hi - lo < BL_MAP_LENGTH_MAX ? hi - lo : BL_MAP_LENGTH_MAX);
}

/* The place of the instruction that comes next, if `span` says another than the one before. */
static void set_place(struct bl_code *code, struct bl_span span)
{
    if (span.source != BL_NO_SOURCE) {
        if (span.source > BL_MAP_SOURCE_MAX || span.lo > span.hi ||
            span.hi > BL_MAP_LO_MAX + 1) {
            bl_builder_wrong(code->builder, "a place is in a source that limits.def allows");
            return;
        }
        code->has_place = true;
        code->place.source = span.source & BL_MAP_SOURCE_MAX;
        code->place.lo = (span.lo < BL_MAP_LO_MAX ? span.lo : BL_MAP_LO_MAX) & BL_MAP_LO_MAX;
        code->place.length = place_length(code->place.lo, span.hi);
    }
    code->place.insn = (uint16_t)code->insns.count;
}

/* A row for that instruction, when the last row says something else. */
static void map_next(struct bl_code *code, enum bl_opcode op)
{
    struct bl_map_row *last =
        code->map.count > 0 ? &code->map.items[code->map.count - 1] : NULL;
    struct bl_map_row *place = &code->place;

    if (op == BL_OP_FIELD && is_of_this_thing(code, place)) {
        last->length = place_length(last->lo, bl_map_hi(place));
        place->lo = last->lo;
        place->length = last->length;
        return;
    }
    if (last == NULL || last->source != place->source || last->lo != place->lo ||
        last->length != place->length)
        add_map_row(code, *place);
}

/* Nothing is known of what registers hold where jumps come in, or from where they come back. */
static void forget_all(struct bl_code *code)
{
    memset(code->ambient_in, 0, sizeof code->ambient_in);
}

/* Has the register the thing already? A new number is another one each time, and a condition
 * has an instruction of its own. */
static bool holds_ambient(const struct bl_code *code, unsigned reg, uint32_t ambient)
{
    return reg <= UINT8_MAX && code->ambient_in[reg] == ambient + 1 &&
           ambient != BL_AMBIENT_NEW_ID && bl_type_is(code->types[reg], BL_TYPE_ENTITY);
}

static void note_ambient(struct bl_code *code, enum bl_opcode op, unsigned a, unsigned c)
{
    if (bl_op_info(op)->a == BL_OPERAND_DST)
        code->ambient_in[a] = op == BL_OP_AMBIENT ? (uint8_t)(c + 1) : 0;
    for (unsigned i = 0; op == BL_OP_BIND && i <= UINT8_MAX; i++) {
        if (code->ambient_in[i] == c + 1)
            code->ambient_in[i] = 0;
    }
}

static uint32_t append(struct bl_code *code, enum bl_opcode op, unsigned a, unsigned b,
                       uint32_t c, struct bl_span span)
{
    if (!is_good(code))
        return BL_NONE;
    if (code->insns.count >= bl_limit(BL_LIMIT_FUNCTION_INSTRUCTIONS)) {
        bl_builder_over(code->builder, BL_LIMIT_FUNCTION_INSTRUCTIONS);
        return BL_NONE;
    }
    if ((unsigned)op >= BL_OP_COUNT || a > UINT8_MAX || b > UINT16_MAX) {
        bl_builder_wrong(code->builder, "operand a has 8 bits, operand b 16");
        return BL_NONE;
    }
    set_place(code, span);
    if (code->has_place && !is_quiet(op))
        map_next(code, op);
    struct bl_insn *insn = BL_PUSH(code->builder->arena, code->insns);
    if (insn == NULL) {
        bl_builder_fail(code->builder, BL_ERR_NOMEM);
        return BL_NONE;
    }
    *insn = (struct bl_insn){(uint8_t)op, (uint8_t)a, (uint16_t)b, c};
    note_ambient(code, op, a, c);
    return (uint32_t)(code->insns.count - 1);
}

static bool has_target(enum bl_opcode op)
{
    return bl_op_info(op)->c == BL_OPERAND_JUMP;
}

uint32_t bl_code_emit(struct bl_code *code, enum bl_opcode op, unsigned a, unsigned b,
                      uint32_t c, struct bl_span span)
{
    if (is_good(code) && (unsigned)op < BL_OP_COUNT &&
        (has_target(op) || op == BL_OP_LOOP || op == BL_OP_ITER)) {
        bl_builder_wrong(code->builder, "jumps and loops have functions of their own");
        return BL_NONE;
    }
    if (is_good(code) && op == BL_OP_AMBIENT && holds_ambient(code, a, c))
        return (uint32_t)(code->insns.count - 1);
    return append(code, op, a, b, c, span);
}

bool bl_code_redirect(struct bl_code *code, unsigned from, unsigned to, size_t mark)
{
    bool was_taken = false;

    if (!is_good(code) || code->insns.count == 0 || code->joined == code->insns.count)
        return false;
    struct bl_insn *last = &code->insns.items[code->insns.count - 1];
    for (size_t i = mark; i < code->taken.count; i++)
        was_taken = was_taken || code->taken.items[i] == from;
    if (!was_taken || last->a != from ||
        bl_op_info((enum bl_opcode)last->op)->a != BL_OPERAND_DST ||
        (last->op != BL_OP_CONST && code->types[from] != code->types[to]))
        return false;
    code->ambient_in[to] = code->ambient_in[from];
    code->ambient_in[from] = 0;
    last->a = (uint8_t)to;
    return true;
}

static bool writes_bool(const struct bl_code *code, const struct bl_insn *insn)
{
    return bl_op_info((enum bl_opcode)insn->op)->a == BL_OPERAND_DST &&
           insn->a < code->row.register_count && code->types[insn->a] == BL_TYPE_BOOL;
}

/* A row of the map for the last instruction alone. */
static void flag_last(struct bl_code *code, unsigned flag)
{
    if (code->map.count == 0 || code->map.items[code->map.count - 1].insn != code->place.insn)
        add_map_row(code, code->place);
    if (is_good(code))
        code->map.items[code->map.count - 1].flags = flag & 3u;
}

/* Is there an instruction, and does anybody know where it stands? */
static bool has_last(const struct bl_code *code)
{
    return is_good(code) && code->has_place && code->insns.count > 0;
}

void bl_code_condition(struct bl_code *code)
{
    if (has_last(code) && writes_bool(code, &code->insns.items[code->insns.count - 1]))
        flag_last(code, BL_MAP_CONDITION);
}

void bl_code_reason(struct bl_code *code)
{
    if (has_last(code) && writes_bool(code, &code->insns.items[code->insns.count - 1]))
        flag_last(code, BL_MAP_REASON);
}

void bl_code_row(struct bl_code *code)
{
    if (has_last(code))
        flag_last(code, BL_MAP_ROW);
}

/* ---- jumps and loops ----------------------------------------------------------------------
 */

unsigned bl_code_target(struct bl_code *code)
{
    uint32_t *place = is_good(code) ? BL_PUSH(code->builder->arena, code->targets) : NULL;

    if (place == NULL) {
        bl_builder_fail(code != NULL ? code->builder : NULL, BL_ERR_NOMEM);
        return 0;
    }
    *place = BL_NONE;
    return (unsigned)(code->targets.count - 1);
}

void bl_code_jump(struct bl_code *code, enum bl_opcode op, unsigned reg, unsigned target,
                  struct bl_span span)
{
    if (!is_good(code))
        return;
    if ((op != BL_OP_JUMP && op != BL_OP_JUMP_IF && op != BL_OP_JUMP_UNLESS) ||
        target >= code->targets.count || code->targets.items[target] != BL_NONE) {
        bl_builder_wrong(code->builder, "jumps go to targets without place yet");
        return;
    }
    append(code, op, 0, reg, target, span);
}

void bl_code_place(struct bl_code *code, unsigned target)
{
    if (!is_good(code))
        return;
    if (target >= code->targets.count || code->targets.items[target] != BL_NONE) {
        bl_builder_wrong(code->builder, "a target has one place");
        return;
    }
    code->targets.items[target] = (uint32_t)code->insns.count;
    code->joined = (uint32_t)code->insns.count;
    forget_all(code);
}

unsigned bl_code_loop_list(struct bl_code *code, bl_type list_type)
{
    const bl_type pair[] = {bl_type_base(list_type), BL_TYPE_ITERATOR};

    return bl_code_range(code, pair, 2);
}

struct bl_code_loop bl_code_loop_begin(struct bl_code *code, unsigned list, unsigned element,
                                       struct bl_span span)
{
    struct bl_code_loop loop = {.again = bl_code_target(code), .exit = bl_code_target(code)};

    if (is_good(code))
        forget_all(code);
    append(code, BL_OP_ITER, 0, list, 0, span);
    loop.next = append(code, BL_OP_NEXT, element, list, loop.exit, span);
    return loop;
}

void bl_code_loop_end(struct bl_code *code, const struct bl_code_loop *loop,
                      struct bl_span span)
{
    bl_code_place(code, loop->again);
    append(code, BL_OP_LOOP, 0, 0, loop->next, span);
    bl_code_place(code, loop->exit);
}

/* ---- the end ------------------------------------------------------------------------------
 */

static void patch(struct bl_code *code)
{
    for (size_t i = 0; i < code->insns.count; i++) {
        struct bl_insn *insn = &code->insns.items[i];

        if (!has_target((enum bl_opcode)insn->op))
            continue;
        insn->c = code->targets.items[insn->c];
        if (insn->c == BL_NONE) {
            bl_builder_wrong(code->builder, "a target that is jumped to has a place");
            return;
        }
    }
}

uint32_t bl_code_end(struct bl_code *code)
{
    if (!is_good(code))
        return BL_NONE;
    struct bl_builder *b = code->builder;
    patch(code);
    code->row.first_register = bl_builder_types(b, code->types, code->row.register_count);
    code->row.first_insn = (uint32_t)b->CODE.count;
    code->row.first_place = (uint32_t)b->MAP.count;
    for (size_t i = 0; i < code->map.count; i++)
        bl_add_MAP(b, code->map.items[i]);
    for (size_t i = 0; i < code->insns.count; i++)
        bl_add_CODE(b, code->insns.items[i]);
    return bl_add_FUNCTIONS(b, code->row);
}
